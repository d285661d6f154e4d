// Runs the commands of one entity: see apply_entity.h.
#include "apply_entity.h"

#include "../record/places.h"
#include "batch.h"
#include "composite.h"
#include "despawn.h"

static weft_command *next_of(const weft_applying *a, const weft_command *c)
{
    return c->next == 0 ? NULL : weft_command_at(a->commands, (size_t)c->next * WEFT_COMMAND_UNIT);
}

static void drop_dead(const weft_applying *a, const weft_command *c)
{
    weft_drop(a->world, weft_refusal_of(WEFT_DEAD, WEFT_NONE, c->handle));
}

// Drops a command on a dead entity. The linked commands are dropped in their own turns.
static void run_dead(const weft_applying *a, const weft_command *c)
{
    weft_command *next = next_of(a, c);
    if (next) next->role = WEFT_ROLE_DEAD;
    if (c->kind == WEFT_COMMAND_DESPAWN && weft_forget(a->world, c->handle)) return;
    drop_dead(a, c);
}

// Frees the index of a spawn whose entity is not created.
static void lose_spawn(weft_applying *a, const weft_command *c, weft_status status,
                       uint32_t commands)
{
    weft_place_return(a->world, c->handle);
    weft_applying_lost(a, status, commands, c->handle);
}

static void run_spawn(weft_applying *a, weft_command *c)
{
    if (weft_prefab_place(a->world, c->what, c->handle, weft_command_value(c))) {
        a->world->entities.promised--;
    } else {
        lose_spawn(a, c, WEFT_NO_MEMORY, 1);
    }
}

// Despawns the entity, which may have no row yet, and drops the later commands on it.
static void run_despawn(weft_applying *a, const weft_command *c)
{
    if (weft_applying_lives(a, c)) {
        weft_despawn_whole(a->world, c->handle);
    } else {
        weft_place_return(a->world, c->handle);
    }
    while ((c = next_of(a, c)) != NULL) drop_dead(a, c);
}

// Changes a component of an entity that has no other command. Removing a missing component is not
// an error.
static void run_change(weft_applying *a, weft_command *c)
{
    weft_refusal why;
    const void *value = weft_command_value(c);
    bool on = c->kind != WEFT_COMMAND_REMOVE;
    bool done = c->kind == WEFT_COMMAND_REPLACE
                    ? weft_component_change_value(a->world, c->handle, c->what, value, &why)
                    : weft_component_change(a->world, c->handle, c->what, value, on, &why);
    if (done) return;
    if (why.status == WEFT_NO_MEMORY) {
        weft_applying_lost(a, why.status, 1, c->handle);
    } else if (on || why.status != WEFT_NOT_FOUND) {
        weft_drop(a->world, why);
    }
}

// Adds a command to the batch. Returns false, and counts it as dropped, if the rules forbid it.
static bool evaluate(weft_applying *a, weft_batch *batch, weft_command *c)
{
    weft_refusal why;
    bool done = true;
    uint16_t what = c->what;
    const void *value = weft_command_value(c);
    if (c->kind == WEFT_COMMAND_SET) {
        done = weft_batch_set(batch, what, value, &why);
    } else if (c->kind == WEFT_COMMAND_REPLACE) {
        done = weft_batch_replace(batch, what, value, &why);
    } else if (c->kind == WEFT_COMMAND_REMOVE) {
        done = weft_batch_remove(batch, what, &why);
    } else if (what != WEFT_NONE) { // WEFT_COMMAND_SPAWN and WEFT_COMMAND_SET_PREFAB
        done = weft_batch_set_prefab(batch, what, value, &why);
    }
    if (!done) weft_drop(a->world, why);
    return done;
}

static void run_batch(weft_applying *a, weft_command *first)
{
    weft_batch *batch = a->world->scratch.batch;
    bool placed = weft_batch_begin(batch, first->handle);
    uint32_t done = 0;
    for (weft_command *c = first; c; c = next_of(a, c)) {
        if (c->kind == WEFT_COMMAND_DESPAWN) {
            run_despawn(a, c);
            return;
        }
        done += evaluate(a, batch, c);
    }
    if (weft_batch_commit(batch)) {
        a->world->entities.promised -= !placed;
    } else if (placed) {
        weft_applying_lost(a, WEFT_NO_MEMORY, done, first->handle);
    } else {
        lose_spawn(a, first, WEFT_NO_MEMORY, done);
    }
}

// Runs the commands of an entity, of which `c` is the first.
static void run_entity(weft_applying *a, weft_command *c)
{
    bool alone = c->next == 0;
    if (c->kind == WEFT_COMMAND_DESPAWN) {
        run_despawn(a, c);
    } else if (alone && c->kind == WEFT_COMMAND_SPAWN) {
        run_spawn(a, c);
    } else if (alone && c->kind != WEFT_COMMAND_SET_PREFAB) {
        run_change(a, c);
    } else {
        run_batch(a, c);
    }
}

static bool spawns_tree(const weft_applying *a, const weft_command *c)
{
    return c->kind == WEFT_COMMAND_SPAWN && c->what != WEFT_NONE &&
           a->world->plan->prefabs[c->what].tree;
}

static bool despawns(const weft_applying *a, const weft_command *c)
{
    while (c && c->kind != WEFT_COMMAND_DESPAWN) c = next_of(a, c);
    return c != NULL;
}

// Returns whether all parts of a composite prefab are despawned with its root.
static bool ends_whole(const weft_world *world, const weft_tree *tree)
{
    for (uint32_t i = 0; i < tree->relation_count; i++) {
        if (!world->relations[tree->relations[i]].ends) return false;
    }
    return true;
}

// Spawns a composite prefab, then runs the other commands on its root. If one of these despawns it,
// and no part would remain, no entity of the tree is created.
static void run_tree(weft_applying *a, weft_command *c)
{
    weft_command *rest = next_of(a, c);
    if (despawns(a, rest) && ends_whole(a->world, a->world->plan->prefabs[c->what].tree)) {
        run_batch(a, c);
        return;
    }
    weft_status status =
        weft_trees_place(a->world, c->what, 1, c->handle, weft_command_value(c), NULL);
    if (status != WEFT_OK) {
        lose_spawn(a, c, status, 1);
        if (rest) rest->role = WEFT_ROLE_DEAD;
        return;
    }
    a->world->entities.promised--;
    if (rest) run_entity(a, rest);
}

void weft_apply_entity(weft_applying *a, weft_command *c)
{
    if (c->kind == WEFT_COMMAND_SPAWN && c->handle == 0) return; // it was lost
    if (c->role == WEFT_ROLE_DEAD || !weft_applying_lives(a, c)) {
        run_dead(a, c);
    } else if (spawns_tree(a, c)) {
        run_tree(a, c);
    } else {
        run_entity(a, c);
    }
}
