// The state of a copy. copy.c runs its steps: `ready` takes all memory for a part of the copy, and
// the step after it cannot fail.
#ifndef WEFT_COPYING_H
#define WEFT_COPYING_H

#include "members.h"
#include "options.h"

// The members whose originals are in one table.
typedef struct weft_copy_group {
    const weft_table *from;
    weft_table *to;
    uint32_t first; // row of the first copy in `to`; the others follow
    uint32_t start; // its members are members[order[start]] …
    uint32_t count;
} weft_copy_group;

typedef struct weft_copying {
    weft_world *to;
    const weft_world *from;
    const weft_copy_options *options;
    weft_members members;
    weft_copy_group *groups;
    uint32_t group_count;
    uint32_t *order; // numbers of members, grouped by table, in each table in the order of the set
    uint32_t *spare; // two numbers for each member, for one step at a time
    uint32_t *parents;    // by relation with a node and by member, see nodes.c
    uint32_t *counts;     // by component: the number of copies that have it
    uint64_t links_added; // so far, see links.c
    weft_entities taken;  // the entities of the target after it has given the new handles
} weft_copying;

// Returns a copy without members. A world has memory for one copy at a time.
static inline weft_copying weft_copying_of(weft_world *to, const weft_world *from,
                                           const weft_copy_options *options)
{
    weft_format f = to->plan->format;
    weft_copying none = {
        .to = to,
        .from = from,
        .options = options,
        .members = {.mask = weft_index_mask(f), .format = f},
    };
    return none;
}

#endif
