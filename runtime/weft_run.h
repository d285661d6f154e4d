// Runs of commands alike, as generated code instantiates them: each command does what the direct
// call would, as long as that is the common case (weft_direct.h). A run ends before the first
// command that is of another kind, has others on its entity, or is not the common case; applying
// goes on from there the general way (weft_apply.c).
#ifndef WEFT_RUN_H
#define WEFT_RUN_H

#include "weft_command.h"
#include "weft_direct.h"

WEFT_EXTERN_C_BEGIN

// Whether the next command is one of a run.
WEFT_ALWAYS_INLINE bool weft_run_goes_on(const weft_command *c, const weft_command *end,
                                         weft_command_kind kind, uint16_t component)
{
    return c < end && c->kind == (uint8_t)kind && c->role == 0 && c->what == component &&
           c->next == 0;
}

WEFT_ALWAYS_INLINE weft_command *weft_component_run_sets(weft_world *world, weft_format f,
                                                         weft_command *c, const weft_command *end,
                                                         uint16_t component, uint32_t column,
                                                         size_t size)
{
    while (weft_run_goes_on(c, end, WEFT_COMMAND_SET, component)) {
        void *at = weft_component_try_place(world, f, c->handle, component, column, size);
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
    while (weft_run_goes_on(c, end, WEFT_COMMAND_REMOVE, component) &&
           weft_component_try_remove(world, f, c->handle, component, column, size)) {
        c = weft_command_after(c, 0);
    }
    return c;
}

WEFT_ALWAYS_INLINE weft_command *weft_sparse_run_sets(weft_world *world, weft_format f,
                                                      weft_command *c, const weft_command *end,
                                                      uint16_t component, uint32_t column,
                                                      uint32_t plane, uint32_t store, size_t size)
{
    while (weft_run_goes_on(c, end, WEFT_COMMAND_SET, component)) {
        void *at = weft_sparse_try_place(world, f, c->handle, column, plane, store, size);
        if (!at) break;
        memcpy(at, weft_command_value(c), size);
        c = weft_command_after(c, size);
    }
    return c;
}

WEFT_ALWAYS_INLINE weft_command *weft_sparse_run_removals(weft_world *world, weft_format f,
                                                          weft_command *c, const weft_command *end,
                                                          uint16_t component, uint32_t column,
                                                          uint32_t plane, uint32_t store,
                                                          size_t size)
{
    while (weft_run_goes_on(c, end, WEFT_COMMAND_REMOVE, component) &&
           weft_sparse_try_remove(world, f, c->handle, column, plane, store, size)) {
        c = weft_command_after(c, 0);
    }
    return c;
}

WEFT_ALWAYS_INLINE weft_command *weft_tag_run_sets(weft_world *world, weft_format f,
                                                   weft_command *c, const weft_command *end,
                                                   uint16_t component, uint32_t column,
                                                   uint32_t plane)
{
    while (weft_run_goes_on(c, end, WEFT_COMMAND_SET, component) &&
           weft_tag_try_set(world, f, c->handle, column, plane)) {
        c = weft_command_after(c, 0);
    }
    return c;
}

WEFT_ALWAYS_INLINE weft_command *weft_tag_run_removals(weft_world *world, weft_format f,
                                                       weft_command *c, const weft_command *end,
                                                       uint16_t component, uint32_t column,
                                                       uint32_t plane)
{
    while (weft_run_goes_on(c, end, WEFT_COMMAND_REMOVE, component) &&
           weft_tag_try_remove(world, f, c->handle, column, plane)) {
        c = weft_command_after(c, 0);
    }
    return c;
}

WEFT_EXTERN_C_END

#endif
