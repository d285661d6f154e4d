// Calls hooks, and keeps the commands that they record.
#include "hook.h"

#include "../world/relation.h"
#include "../world/rows.h"
#include "../world/seeds.h"
#include "command.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Opening and closing

bool weft_hooks_open(weft_world *world)
{
    const weft_plan *plan = world->plan;
    bool any = plan->on_despawn != NULL;
    size_t bytes = 0; // size of the largest plain struct that must be assembled for a hook
    size_t new_bytes = 0;
    for (uint32_t i = 0; i < plan->component_count; i++) {
        const weft_component_plan *c = &plan->components[i];
        if (!c->on_add && !c->on_remove && !c->on_replace) continue;
        any = true;
        if (c->column_count > 1 && c->size > bytes) bytes = c->size;
        if (c->on_replace && c->size > new_bytes) new_bytes = c->size;
    }
    for (uint32_t i = 0; plan->relations && i < plan->schema->relation_count; i++) {
        any |= plan->relations[i].on_attach || plan->relations[i].on_detach;
    }
    for (uint32_t i = 0; i < plan->link_count; i++) {
        any |= plan->links[i].on_add || plan->links[i].on_remove;
    }
    if (!weft_array_open(&world->heap, &world->hooks, any, sizeof *world->hooks)) return false;
    if (!any) return true;
    weft_hooks *hooks = world->hooks;
    hooks->ends = weft_tells_of_ends(plan);
    hooks->next.world = world;
    hooks->round.world = world;
    hooks->value_bytes = weft_round_up(bytes, WEFT_LINE_BYTES);
    hooks->new_bytes = new_bytes;
    return weft_array_open(&world->heap, &hooks->value, hooks->value_bytes + new_bytes, 1);
}

void weft_hooks_close(weft_world *world)
{
    weft_hooks *hooks = world->hooks;
    weft_heap *heap = &world->heap;
    if (!hooks) return;
    weft_region_free(heap, &hooks->next.bytes);
    weft_region_free(heap, &hooks->round.bytes);
    weft_free(heap, hooks->value, hooks->value_bytes + hooks->new_bytes);
    weft_free(heap, hooks, sizeof *hooks);
    world->hooks = NULL;
}

bool weft_hooks_trim(weft_world *world)
{
    weft_hooks *hooks = world->hooks;
    if (!hooks) return true;
    weft_region_free(&world->heap, &hooks->round.bytes);
    return weft_commands_trim_one(&hooks->next);
}

// ------------------------------------------------------------------------------------------------
// Rounds

void weft_hooks_applying(weft_world *world)
{
    weft_hooks_next_round(world);
    world->hooks->applying = true;
}

void weft_hooks_next_round(weft_world *world)
{
    weft_hooks *hooks = world->hooks;
    weft_commands emptied = hooks->round;
    hooks->round = hooks->next;
    hooks->next = emptied;
}

// ------------------------------------------------------------------------------------------------
// Calling

static weft_hook_ctx context_of(weft_world *world)
{
    weft_hooks *hooks = world->hooks;
    // A clone keeps its own reason, because a hook may have to tell copies from new entities.
    bool by_command = hooks->applying && hooks->reason == WEFT_BY_CALL;
    return (weft_hook_ctx){
        .user = world->user,
        .tick = world->tick,
        .reason = by_command ? WEFT_BY_COMMAND : hooks->reason,
        .cmd = hooks->applying ? &hooks->next : &world->commands.buffers[0],
        .world = world,
    };
}

static void call(weft_world *world, weft_hook hook, uint64_t handle, const void *value)
{
    uint32_t running = world->now.running;
    weft_hook_ctx ctx = context_of(world);
    weft_world_runs(world, WEFT_HOOK_RUNS);
    hook(&ctx, handle, value);
    weft_world_runs(world, running);
}

static uint64_t handle_at(const weft_world *world, const weft_table *table, uint32_t row)
{
    return weft_handle_load(world->plan->format, weft_column(table, 0), row);
}

void weft_hook_call_added(weft_world *world, const weft_table *table, uint32_t row,
                          uint32_t component)
{
    if (!world->hooks) return; // a fragment has none
    const weft_plan *plan = world->plan;
    const weft_component_plan *c = &plan->components[component];
    void *value = weft_row_value(world, table, row, component, world->hooks->value);
    uint32_t running = world->now.running;
    uint32_t turns = world->loans.turns;
    weft_hook_ctx ctx = context_of(world);
    weft_world_runs(world, WEFT_HOOK_RUNS);
    c->on_add(&ctx, handle_at(world, table, row), value);
    weft_world_runs(world, running);
    // A reader that had its turn during the hook may have missed a later write of the hook.
    if (turns != world->loans.turns) weft_row_changed(plan, table, row, component);
    // A value in a single column was written in place.
    for (uint32_t i = 0; c->column_count > 1 && i < c->column_count; i++) {
        weft_column_repeat(plan, table, c->first_column + i, row, 1, value);
    }
}

void weft_hook_call(weft_world *world, weft_hook hook, const weft_table *table, uint32_t row,
                    uint32_t component)
{
    if (!world->hooks) return; // a fragment has none
    const void *value = weft_row_value(world, table, row, component, world->hooks->value);
    call(world, hook, handle_at(world, table, row), value);
}

// Returns a value aligned for its struct. Values in commands are aligned only to 8 bytes, and
// values that were set by name are not aligned.
static const void *aligned(const weft_world *world, uint32_t component, const void *value)
{
    const weft_component_info *info = &world->plan->schema->components[component];
    unsigned char *copy = world->hooks->value + world->hooks->value_bytes;
    if ((uintptr_t)value % info->align == 0) return value;
    memcpy(copy, value, info->size);
    return copy;
}

void weft_hook_call_replacing(weft_world *world, const weft_table *table, uint32_t row,
                              uint32_t component, const void *value)
{
    if (!world->hooks) return; // a fragment has none
    weft_replace_hook hook = world->plan->components[component].on_replace;
    const void *old = weft_row_value(world, table, row, component, world->hooks->value);
    uint32_t running = world->now.running;
    weft_hook_ctx ctx = context_of(world);
    weft_world_runs(world, WEFT_HOOK_RUNS);
    hook(&ctx, handle_at(world, table, row), old, aligned(world, component, value));
    weft_world_runs(world, running);
}

void weft_hook_seed(const weft_hook_ctx *ctx, uint64_t handle, uint32_t component, void *value)
{
    const weft_component_info *info = &ctx->world->plan->schema->components[component];
    const weft_hooks *hooks = ctx->world->hooks;
    if (hooks->loading || (hooks->read && weft_set_has(hooks->read, component))) return;
    weft_fields_seed(ctx->world, info->fields, info->field_count, value, handle, component);
}

void weft_hook_call_ending(weft_world *world, const weft_table *table, uint32_t row)
{
    if (!world->hooks || !world->plan->on_despawn) return;
    call(world, world->plan->on_despawn, handle_at(world, table, row), NULL);
}

void weft_hook_call_link(weft_world *world, weft_hook hook, uint64_t child, uint64_t parent)
{
    if (world->hooks) call(world, hook, child, &parent);
}

void weft_hook_call_ends(weft_world *world, weft_link_hook hook, uint64_t from, uint64_t to,
                         void *value)
{
    if (!world->hooks) return; // a fragment has none
    uint32_t running = world->now.running;
    weft_hook_ctx ctx = context_of(world);
    weft_world_runs(world, WEFT_HOOK_RUNS);
    hook(&ctx, from, to, value);
    weft_world_runs(world, running);
}
