// Runs of commands alike: one loop, which generated code instantiates for each component with the
// constants of that. Each command does what the direct call would, as long as that is the common
// case (change/direct.h). A run ends before the first command that is of another kind, has others
// on its entity, or is not the common case; applying goes on from there the general way
// (change/apply_entity.c).
#ifndef WEFT_RUN_H
#define WEFT_RUN_H

#include "../record/command.h"
#include "direct.h"

// How the component of a run is stored.
typedef enum weft_run_storage { WEFT_RUN_TABLE, WEFT_RUN_SPARSE, WEFT_RUN_TAG } weft_run_storage;

// The constants of a component. The compiler folds them into the loop.
typedef struct weft_run_of {
    weft_run_storage storage;
    uint16_t component;
    uint32_t column; // of its values, or of its bitset
    uint32_t part;   // the store of a sparse component, the bitset of a tag
    size_t size;     // bytes of a value
} weft_run_of;

// Sets the component as a command says. False: nothing was done, as it is not the common case.
WEFT_ALWAYS_INLINE bool weft_run_set(weft_world *world, weft_format f, weft_command *c,
                                     weft_place at, weft_run_of of)
{
    void *to;
    if (of.storage == WEFT_RUN_TAG) return weft_tag_write_at(world, at, of.column, of.part, true);
    if (of.storage == WEFT_RUN_TABLE) {
        to = weft_component_place_at(world, c->handle, at, of.component, of.column, of.size);
    } else {
        to = weft_sparse_place_at(world, f, c->handle, at, of.column, of.part, of.size);
    }
    if (to) memcpy(to, weft_command_value(c), of.size);
    return to != NULL;
}

WEFT_ALWAYS_INLINE bool weft_run_remove(weft_world *world, weft_format f, const weft_command *c,
                                        weft_place at, weft_run_of of)
{
    if (of.storage == WEFT_RUN_TAG) return weft_tag_write_at(world, at, of.column, of.part, false);
    if (of.storage == WEFT_RUN_SPARSE) {
        return weft_sparse_remove_at(world, f, c->handle, at, of.column, of.part, of.size);
    }
    return weft_component_remove_at(world, c->handle, at, of.component, of.column, of.size);
}

// Applies commands of one kind from the first on. Returns the first that is left.
WEFT_ALWAYS_INLINE weft_command *weft_run_kind(weft_world *world, weft_format f, weft_command *c,
                                               const weft_command *end, weft_command_kind kind,
                                               weft_run_of of)
{
    const weft_command like = {(uint8_t)kind, 0, of.component, 0, 0};
    const uint64_t head = weft_command_head(&like);
    weft_place at;
    while (c < end && weft_command_head(c) == head &&
           weft_find(&world->entities, f, c->handle, &at)) {
        if (kind == WEFT_COMMAND_SET) {
            if (!weft_run_set(world, f, c, at, of)) break;
            c = weft_command_after(c, of.size);
        } else {
            if (!weft_run_remove(world, f, c, at, of)) break;
            c = weft_command_after(c, 0);
        }
    }
    return c;
}

// Applies commands that all set a component or all remove it, whichever the first does. Returns the
// first that is left, which is `c` where not even one is the common case.
WEFT_ALWAYS_INLINE weft_command *weft_run(weft_world *world, weft_format f, weft_command *c,
                                          const weft_command *end, weft_run_storage storage,
                                          uint16_t component, uint32_t column, uint32_t part,
                                          size_t size)
{
    const weft_run_of of = {storage, component, column, part, size};
    if (c->kind == WEFT_COMMAND_SET) return weft_run_kind(world, f, c, end, WEFT_COMMAND_SET, of);
    return weft_run_kind(world, f, c, end, WEFT_COMMAND_REMOVE, of);
}

#endif
