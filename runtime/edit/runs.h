// Runs of commands alike: one loop, which generated code instantiates for each component, and in a
// large schema for each size that components of a storage have. A run ends before the first command
// that is of another kind, has others on its entity, or is not the common case; applying goes on
// from there the general way (edit/apply.c).
#ifndef WEFT_RUNS_H
#define WEFT_RUNS_H

#include "../record/command.h"
#include "direct.h"

// Applies commands of one kind from the first on. Returns the first that is left.
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

// Applies commands that all set a component or all remove it, whichever the first does. Returns the
// first that is left, which is `c` where not even one is the common case.
WEFT_ALWAYS_INLINE weft_command *weft_run(weft_world *world, weft_format f, weft_command *c,
                                          const weft_command *end, weft_direct of)
{
    if (c->kind == WEFT_COMMAND_SET) return weft_run_kind(world, f, c, end, WEFT_COMMAND_SET, of);
    return weft_run_kind(world, f, c, end, WEFT_COMMAND_REMOVE, of);
}

// Does so for any component of a storage whose values have so many bytes.
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
