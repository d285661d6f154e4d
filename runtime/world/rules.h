// Rules: whether `requires` and `excludes` allow adding a component to an entity, or removing it.
//
// Batches and tag writes both call these functions, so that they refuse the same changes for the
// same reasons. A component may be added if no component of the entity excludes it or a component
// that it requires. It may be removed if no component of the entity requires it.
#ifndef WEFT_RULES_H
#define WEFT_RULES_H

#include "world.h"

// An entity for the rules: a row in its current state, or a set that a batch computes.
typedef struct weft_subject {
    uint64_t handle;
    const uint64_t *set;     // its components; for a row: only the table components
    const weft_table *table; // of a row, which may have tags and sparse components too; else NULL
    uint32_t row;
} weft_subject;

static inline weft_subject weft_subject_set(uint64_t handle, const uint64_t *set)
{
    weft_subject subject = {handle, set, NULL, 0};
    return subject;
}

// The result of the rules for adding a component.
typedef enum weft_verdict {
    WEFT_ALLOWED,
    WEFT_ALLOWED_WITH_MORE, // required components must be added too; *why names the first
    WEFT_FORBIDDEN,         // *why names the component that excludes it
} weft_verdict;

// Judges adding a component that has rules and that the entity lacks. Costs O(set_words), and a bit
// test for each tag in a rule of the component.
weft_verdict weft_rules_set(const weft_world *world, const weft_subject *subject,
                            uint32_t component, weft_refusal *why);

// Returns whether a component of the entity excludes another, and names it in *why.
bool weft_rules_exclude(const weft_world *world, const weft_subject *subject, uint32_t component,
                        weft_refusal *why);

// Returns whether the rules allow removing a component. If not, *why names the one that requires
// it.
bool weft_rules_remove(const weft_world *world, const weft_subject *subject, uint32_t component,
                       weft_refusal *why);

#endif
