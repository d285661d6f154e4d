// Runs of commands alike, as generated code instantiates them: each command does what the direct
// call would, as long as that is the common case (change/direct.h). A run ends before the first
// command that is of another kind, has others on its entity, or is not the common case; applying
// goes on from there the general way (change/apply_run.c).
#ifndef WEFT_RUN_H
#define WEFT_RUN_H

#include "../record/command.h"
#include "direct.h"

// The head that all commands of a run have.
WEFT_ALWAYS_INLINE uint64_t weft_run_head(weft_command_kind kind, uint16_t component)
{
    const weft_command like = {(uint8_t)kind, 0, component, 0, 0};
    return weft_command_head(&like);
}

// Whether the next command is one of a run, on somebody alive, and where.
WEFT_ALWAYS_INLINE bool weft_run_goes_on(const weft_world *world, weft_format f,
                                         const weft_command *c, const weft_command *end,
                                         uint64_t head, weft_place *at)
{
    return c < end && weft_command_head(c) == head && weft_find(&world->entities, f, c->handle, at);
}

WEFT_ALWAYS_INLINE weft_command *weft_component_run_sets(weft_world *world, weft_format f,
                                                         weft_command *c, const weft_command *end,
                                                         uint16_t component, uint32_t column,
                                                         size_t size)
{
    const uint64_t head = weft_run_head(WEFT_COMMAND_SET, component);
    weft_place place;
    while (weft_run_goes_on(world, f, c, end, head, &place)) {
        void *at = weft_component_place_at(world, c->handle, place, component, column, size);
        if (!at) break;
        memcpy(at, weft_command_value(c), size);
        c = weft_command_after(c, size);
    }
    return c;
}

WEFT_ALWAYS_INLINE weft_command *weft_component_run_removals(weft_world *world, weft_format f,
                                                             weft_command *c,
                                                             const weft_command *end,
                                                             uint16_t component, uint32_t column,
                                                             size_t size)
{
    const uint64_t head = weft_run_head(WEFT_COMMAND_REMOVE, component);
    weft_place place;
    while (weft_run_goes_on(world, f, c, end, head, &place) &&
           weft_component_remove_at(world, c->handle, place, component, column, size)) {
        c = weft_command_after(c, 0);
    }
    return c;
}

WEFT_ALWAYS_INLINE weft_command *weft_sparse_run_sets(weft_world *world, weft_format f,
                                                      weft_command *c, const weft_command *end,
                                                      uint16_t component, uint32_t column,
                                                      uint32_t store, size_t size)
{
    const uint64_t head = weft_run_head(WEFT_COMMAND_SET, component);
    weft_place place;
    while (weft_run_goes_on(world, f, c, end, head, &place)) {
        void *at = weft_sparse_place_at(world, f, c->handle, place, column, store, size);
        if (!at) break;
        memcpy(at, weft_command_value(c), size);
        c = weft_command_after(c, size);
    }
    return c;
}

WEFT_ALWAYS_INLINE weft_command *weft_sparse_run_removals(weft_world *world, weft_format f,
                                                          weft_command *c, const weft_command *end,
                                                          uint16_t component, uint32_t column,
                                                          uint32_t store, size_t size)
{
    const uint64_t head = weft_run_head(WEFT_COMMAND_REMOVE, component);
    weft_place place;
    while (weft_run_goes_on(world, f, c, end, head, &place) &&
           weft_sparse_remove_at(world, f, c->handle, place, column, store, size)) {
        c = weft_command_after(c, 0);
    }
    return c;
}

WEFT_ALWAYS_INLINE weft_command *weft_tag_run_sets(weft_world *world, weft_format f,
                                                   weft_command *c, const weft_command *end,
                                                   uint16_t component, uint32_t column,
                                                   uint32_t bitset)
{
    const uint64_t head = weft_run_head(WEFT_COMMAND_SET, component);
    weft_place place;
    while (weft_run_goes_on(world, f, c, end, head, &place) &&
           weft_tag_set_at(world, place, column, bitset)) {
        c = weft_command_after(c, 0);
    }
    return c;
}

WEFT_ALWAYS_INLINE weft_command *weft_tag_run_removals(weft_world *world, weft_format f,
                                                       weft_command *c, const weft_command *end,
                                                       uint16_t component, uint32_t column,
                                                       uint32_t bitset)
{
    const uint64_t head = weft_run_head(WEFT_COMMAND_REMOVE, component);
    weft_place place;
    while (weft_run_goes_on(world, f, c, end, head, &place) &&
           weft_tag_remove_at(world, place, column, bitset)) {
        c = weft_command_after(c, 0);
    }
    return c;
}

#endif
