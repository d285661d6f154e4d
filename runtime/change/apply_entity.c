// The commands of one entity run together: as a batch, so that its row moves once. One that is
// alone needs a batch only where rules have a say.
#include "apply_entity.h"

#include "../record/hook.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "../world/rules.h"
#include "batch.h"
#include "component.h"
#include "relation.h"
#include "spawn.h"

static void drop_dead(weft_applying *a, uint64_t handle)
{
    weft_drop(a->world, weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle));
}

static weft_command *next_of(const weft_applying *a, const weft_command *c)
{
    return c->next == 0 ? NULL : weft_command_at(a->commands, (size_t)c->next * WEFT_COMMAND_UNIT);
}

// Adds a command to the batch. False: the rules forbid it, and it is counted as dropped.
static bool evaluate(weft_applying *a, weft_batch *batch, weft_command *c)
{
    weft_refusal why;
    bool done = true;
    uint16_t what = c->what;
    const void *value = weft_command_value(c);
    weft_apply_resolve(a, c);
    if (c->kind == WEFT_COMMAND_SET) {
        done = weft_batch_set(batch, what, value, &why);
    } else if (c->kind == WEFT_COMMAND_REMOVE) {
        done = weft_batch_remove(batch, what, &why);
    } else if (what != WEFT_NONE) { // WEFT_COMMAND_SPAWN and WEFT_COMMAND_SET_PREFAB
        done = weft_batch_set_prefab(batch, what, value, &why);
    }
    if (!done) weft_drop(a->world, why);
    return done;
}

// Ends the entity, and drops what was recorded on it after that.
static void run_despawn(weft_applying *a, weft_command *c, bool placed)
{
    weft_place at;
    uint64_t handle = c->handle;
    if (placed && weft_find(&a->world->entities, a->world->plan->format, handle, &at)) {
        weft_despawn_whole(a->world, handle, at);
    } else {
        weft_apply_return_handle(a, handle);
    }
    while ((c = next_of(a, c)) != NULL) drop_dead(a, handle);
}

static void run_batch(weft_applying *a, weft_command *first)
{
    weft_batch *batch = a->world->batch;
    uint64_t handle = first->handle;
    bool placed = first->kind != WEFT_COMMAND_SPAWN;
    uint32_t done = 0;
    if (placed) {
        weft_batch_begin(batch, handle);
    } else {
        weft_batch_begin_new(batch, handle);
    }
    for (weft_command *c = first; c; c = next_of(a, c)) {
        if (c->kind == WEFT_COMMAND_DESPAWN) {
            run_despawn(a, c, placed);
            return;
        }
        done += evaluate(a, batch, c);
    }
    if (weft_batch_commit(batch)) return;
    if (!placed) weft_apply_return_handle(a, handle);
    weft_apply_lose(a, WEFT_NO_MEMORY, done, handle);
}

// Gives an entity that no other command concerns its row, without a batch. False: no memory.
static bool place(weft_applying *a, weft_command *c)
{
    weft_world *world = a->world;
    const weft_plan *plan = world->plan;
    uint16_t prefab = c->what;
    uint64_t handle = c->handle;
    uint32_t row = 0;
    if (prefab == WEFT_NONE) {
        weft_table *empty = world->tables.items[0];
        if (!weft_table_grow(&world->heap, plan, empty, empty->count + 1)) return false;
        weft_row_append(world, plan->format, empty, handle);
    } else {
        uint32_t index = weft_handle_index(plan->format, handle);
        if (!weft_prefab_row_ready(world, prefab, index)) return false;
        row = weft_row_append(world, plan->format, world->prefab_tables[prefab], handle);
        weft_prefab_rows_write(world, prefab, row, 1, weft_command_value(c));
    }
    weft_world_changed(world);
    if (prefab != WEFT_NONE) weft_hooks_added(world, world->prefab_tables[prefab], row, 1);
    return true;
}

static void run_spawn(weft_applying *a, weft_command *c)
{
    weft_apply_resolve(a, c);
    if (place(a, c)) return;
    weft_apply_return_handle(a, c->handle);
    weft_apply_lose(a, WEFT_NO_MEMORY, 1, c->handle);
}

// Runs the only command on an entity. False: it is for a batch.
static bool run_alone(weft_applying *a, weft_command *c, weft_place at)
{
    bool on = c->kind == WEFT_COMMAND_SET;
    if (c->kind == WEFT_COMMAND_DESPAWN) {
        weft_despawn_whole(a->world, c->handle, at);
        return true;
    }
    if (!on && c->kind != WEFT_COMMAND_REMOVE) return false;
    if (on) weft_apply_resolve(a, c);
    weft_change done =
        weft_component_change(a->world, c->handle, at, c->what, weft_command_value(c), on);
    if (done == WEFT_CHANGE_NO_MEMORY) weft_apply_lose(a, WEFT_NO_MEMORY, 1, c->handle);
    return done != WEFT_CHANGE_HAS_RULES;
}

// Drops a command on a dead entity. What is linked to it is dropped in its own turn.
static void run_dead(weft_applying *a, weft_command *c)
{
    weft_command *next = next_of(a, c);
    if (next) next->role = WEFT_ROLE_DEAD;
    drop_dead(a, c->handle);
}

void weft_apply_entity(weft_applying *a, weft_command *c)
{
    weft_place at = {0, 0};
    bool alone = c->next == 0;
    if (alone && c->kind == WEFT_COMMAND_SPAWN) {
        if (c->handle != 0) run_spawn(a, c);
    } else if (c->role == WEFT_ROLE_DEAD || !weft_apply_lives(a, c, &at)) {
        run_dead(a, c);
    } else if (!alone || !run_alone(a, c, at)) {
        run_batch(a, c);
    }
}
