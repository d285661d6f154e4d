// Runs of commands that are alike: one loop, which generated code instantiates for each component,
// and in a large schema for each value size of a storage. A run ends before the first command that
// is of another kind, has other commands on its entity, or is not the common case. Applying
// continues from there on the general path (edit/apply.c).
#ifndef WEFT_RUNS_H
#define WEFT_RUNS_H

#include "../record/command.h"
#include "direct.h"

// Applies commands of one kind from `c`. Returns the first that remains.
WEFT_ALWAYS_INLINE weft_command *weft_run_kind(weft_world *world, weft_format f, weft_command *c,
                                               const weft_command *end, weft_command_kind kind,
                                               weft_direct of)
{
    const weft_command like = {(uint8_t)kind, 0, of.component, 0, 0};
    const uint64_t head = weft_command_head(&like);
    const bool sets = kind == WEFT_COMMAND_SET;
    weft_place at;
    for (;
         c < end && weft_command_head(c) == head && weft_find(&world->entities, f, c->handle, &at);
         c = weft_command_after(c, sets ? of.size : 0)) {
        if (!sets) {
            if (!weft_direct_remove_at(world, f, c->handle, at, of)) break;
        } else if (of.storage == WEFT_DIRECT_TAG) {
            if (!weft_direct_tag_at(world, f, at, of)) break;
        } else {
            void *to = weft_direct_place(world, f, c->handle, at, of);
            if (!to) break;
            memcpy(to, weft_command_value(c), of.size);
        }
    }
    return c;
}

// Applies commands that all set or all remove a component, like the first of them. Returns the
// first that remains, which is `c` if it is not the common case.
WEFT_ALWAYS_INLINE weft_command *weft_run(weft_world *world, weft_format f, weft_command *c,
                                          const weft_command *end, weft_direct of)
{
    if (c->kind == WEFT_COMMAND_SET) return weft_run_kind(world, f, c, end, WEFT_COMMAND_SET, of);
    return weft_run_kind(world, f, c, end, WEFT_COMMAND_REMOVE, of);
}

// Like weft_run, for any component of a storage whose values have `size` bytes.
WEFT_ALWAYS_INLINE weft_command *weft_run_shared(weft_world *world, weft_format f, weft_command *c,
                                                 const weft_command *end,
                                                 weft_direct_storage storage, size_t size)
{
    const weft_component_plan *plan = &world->plan->components[c->what];
    const bool columns = storage == WEFT_DIRECT_TABLE;
    const uint32_t bitset = weft_bitset_column(world->plan, plan);
    const weft_direct of = {
        storage,
        c->what,
        columns ? plan->first_column : bitset,
        storage == WEFT_DIRECT_SPARSE ? plan->sparse : plan->bitset,
        size,
    };
    return weft_run(world, f, c, end, of);
}

#endif
