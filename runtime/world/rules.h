// Rules: whether requires and excludes let a component be added to an entity, or removed.
//
// Batches and tag writes ask here, so that they refuse alike and for equal reasons. A component
// may be added if no component that is there excludes it, or one that it requires; it may be
// removed if no component that is there requires it.
#ifndef WEFT_RULES_H
#define WEFT_RULES_H

#include "world.h"

// An entity, as the rules see it: a row as it is, or a set that a batch works out.
typedef struct weft_subject {
    uint64_t handle;
    const uint64_t *set;     // what it has; of a row: the table components
    const weft_table *table; // of a row, which has tags and sparse components too; else NULL
    uint32_t row;
} weft_subject;

static inline weft_subject weft_subject_set(uint64_t handle, const uint64_t *set)
{
    weft_subject subject = {handle, set, NULL, 0};
    return subject;
}

// The verdict of the rules on adding a component.
typedef enum weft_verdict {
    WEFT_ALLOWED,
    WEFT_ALLOWED_WITH_MORE, // it brings along what it requires; *why names the first of that
    WEFT_FORBIDDEN,         // *why names the component that excludes it
} weft_verdict;

// Judges adding a component that has rules and is not there yet. Costs O(set_words), and a bit for
// each tag that a rule of the component names.
weft_verdict weft_rules_set(const weft_world *world, const weft_subject *subject,
                            uint32_t component, weft_refusal *why);

// Says whether a component that is there keeps another out; *why names it.
bool weft_rules_exclude(const weft_world *world, const weft_subject *subject, uint32_t component,
                        weft_refusal *why);

// Says whether the rules let a component go; if not, *why names the one that requires it.
bool weft_rules_remove(const weft_world *world, const weft_subject *subject, uint32_t component,
                       weft_refusal *why);

#endif
