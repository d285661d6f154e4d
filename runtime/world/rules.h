// Rules: what requires and excludes say to adding a component to an entity, or taking one away.
//
// Direct calls, batches, commands and puts all ask here, so that they refuse the same for the same
// reason. A component may be added if nothing that is there excludes it, or what it requires; it
// may be taken away if nothing that is there requires it.
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

static inline weft_subject weft_subject_row(const weft_world *world, uint64_t handle, weft_place at)
{
    const weft_table *table = world->tables.items[at.table];
    weft_subject subject = {handle, table->set, table, at.row};
    return subject;
}

static inline weft_subject weft_subject_set(uint64_t handle, const uint64_t *set)
{
    weft_subject subject = {handle, set, NULL, 0};
    return subject;
}

// What the rules say to adding a component.
typedef enum weft_verdict {
    WEFT_ALLOWED,
    WEFT_ALLOWED_WITH_MORE, // it brings along what it requires; *why says what is lacking first
    WEFT_FORBIDDEN,         // *why says what is in the way
} weft_verdict;

// O(set_words), and a bit for each tag that a rule of the component names. A component without
// rules, or that is there, costs a look at it.
weft_verdict weft_rules_set(const weft_world *world, const weft_subject *subject,
                            uint32_t component, weft_refusal *why);

// Whether something that is there keeps a component out, and *why says what.
bool weft_rules_exclude(const weft_world *world, const weft_subject *subject, uint32_t component,
                        weft_refusal *why);

// Whether the rules let a component go that is there; *why says what requires it.
bool weft_rules_remove(const weft_world *world, const weft_subject *subject, uint32_t component,
                       weft_refusal *why);

#endif
