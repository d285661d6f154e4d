// Applies recorded commands as described in record/command.h: buffer after buffer, then the
// commands that hooks have recorded, in rounds. Scratch memory is taken before anything changes.
#include "apply.h"

#include "../record/hook.h"
#include "../record/places.h"
#include "../world/report.h"
#include "../world/writer.h"
#include "../world/zone.h"
#include "apply_alike.h"
#include "apply_entity.h"
#include "chains.h"
#include "clear.h"
#include "composite.h"
#include "despawn.h"
#include "linking.h"
#include "nodes.h"

#include <inttypes.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Running

static void run_spawn_many(weft_applying *a, weft_command *c)
{
    uint64_t n;
    uint32_t first_row;
    const unsigned char *value = weft_command_value(c) + sizeof n;
    memcpy(&n, weft_command_value(c), sizeof n);
    weft_status status = a->world->plan->prefabs[c->what].tree
                             ? weft_trees_place(a->world, c->what, n, 0, value, NULL)
                             : weft_prefab_spawn(a->world, c->what, n, value, NULL, &first_row);
    if (status != WEFT_OK) weft_applying_lost(a, status, 1, 0);
}

static void run_clear(weft_applying *a, const weft_command *c)
{
    if (weft_rows_clear(a->world, c->what)) return;
    a->status = WEFT_NO_MEMORY;
    a->world->commands.lost++;
    weft_refuse_space(a->world, weft_refusal_of(WEFT_NO_MEMORY, c->what, 0));
}

// Changes a link. Detaching an entity without a parent is not an error.
static weft_status change_link(weft_world *world, const weft_command *c, uint64_t other)
{
    if (c->kind == WEFT_COMMAND_ATTACH) return weft_node_attach(world, c->what, c->handle, other);
    if (c->kind == WEFT_COMMAND_APPEND) return weft_node_append(world, c->what, c->handle, other);
    if (c->kind == WEFT_COMMAND_INSERT_BEFORE) {
        return weft_node_insert_before(world, c->what, c->handle, other);
    }
    weft_status status = weft_node_detach(world, c->what, c->handle);
    return status == WEFT_NOT_FOUND ? WEFT_OK : status;
}

// Returns whether a parent was despawned after an attach to it was recorded, so that the child must
// be despawned too. A command has the role IN_TIME only if its parent was alive or ahead, so
// `parent` is not 0. A parent that is still ahead will be spawned by another buffer.
static bool parent_ended(const weft_applying *a, const weft_command *c, uint64_t parent)
{
    return c->role == WEFT_ROLE_IN_TIME && weft_applying_lives(a, c) &&
           !weft_handle_is_ahead(&a->world->entities, a->world->plan->format, parent);
}

static void run_link(weft_applying *a, weft_command *c)
{
    weft_world *world = a->world;
    uint64_t other = weft_command_links_two(c) ? weft_command_other(c) : c->handle;
    weft_status status = change_link(world, c, other);
    if (status == WEFT_DEAD && parent_ended(a, c, other)) {
        weft_despawn_whole(world, c->handle);
    } else if (status == WEFT_NO_MEMORY) {
        weft_applying_lost(a, status, 1, c->handle);
    } else if (status != WEFT_OK) {
        bool inserts = c->kind == WEFT_COMMAND_INSERT_BEFORE;
        world->commands.dropped++;
        weft_refuse_link(world, status, c->what, c->handle,
                         inserts ? "inserted before" : "attached to", other);
    }
}

// The room of clones sets `clone`, because it is above this room.
static void run_clone(weft_applying *a, weft_command *c)
{
    weft_world *world = a->world;
    uint64_t original;
    if (c->handle == 0) return; // it was lost
    weft_status status = world->commands.clone(world, c);
    if (status == WEFT_OK) {
        world->entities.promised--;
        return;
    }
    weft_place_return(world, c->handle);
    memcpy(&original, weft_command_value(c), sizeof original);
    if (status == WEFT_DEAD) {
        weft_drop(world, weft_refusal_of(status, WEFT_NONE, original));
    } else {
        weft_applying_lost(a, status, 1, original);
    }
}

static void run_command(weft_applying *a, weft_command *c)
{
    switch ((weft_command_kind)c->kind) {
    case WEFT_COMMAND_SPAWN_MANY:
        run_spawn_many(a, c);
        break;
    case WEFT_COMMAND_CLEAR:
        run_clear(a, c);
        break;
    case WEFT_COMMAND_CLONE:
        run_clone(a, c);
        break;
    case WEFT_COMMAND_ATTACH:
    case WEFT_COMMAND_APPEND:
    case WEFT_COMMAND_INSERT_BEFORE:
    case WEFT_COMMAND_DETACH:
        run_link(a, c);
        break;
    case WEFT_COMMAND_LINK_SET:
    case WEFT_COMMAND_LINK_REMOVE:
        weft_link_run(a, c);
        break;
    default: // on one entity
        if (c->role != WEFT_ROLE_FOLLOWS) weft_apply_entity(a, c);
    }
}

static void run_commands(weft_applying *a, size_t offset, size_t end)
{
    const weft_command *after = weft_command_at(a->commands, end);
    for (weft_command *c = weft_command_at(a->commands, offset); c < after;) {
        weft_command *rest = weft_alike_run(a, c, after);
        if (rest == c) {
            run_command(a, c);
            rest = weft_command_behind(c, weft_command_bytes(a->world->plan, c));
        }
        c = rest;
    }
}

// ------------------------------------------------------------------------------------------------
// Buffers

// Allocates scratch memory for buffers: one word for each index that exists, or that `many` more
// spawned entities may take.
static bool scratch_ready(weft_applying *a, uint64_t many)
{
    weft_world *world = a->world;
    weft_region *last = &world->scratch.chains.last;
    size_t limit = world->entities.index_limit;
    uint64_t indices = world->entities.index_count + many;
    if (indices > limit) indices = limit;
    if (!weft_region_grow(&world->heap, last, (size_t)indices * sizeof(uint32_t),
                          limit * sizeof(uint32_t))) {
        return false;
    }
    a->last = (uint32_t *)(void *)last->base;
    a->indices = (uint32_t)indices;
    return true;
}

static void run_buffer(weft_applying *a)
{
    weft_chains_begin(a);
    for (size_t offset = 0; offset < a->commands->used;) {
        size_t begin = weft_alike_whole(a, offset);
        offset = weft_chains_next(a, begin);
        run_commands(a, begin, offset);
    }
}

static void empty(weft_world *world, weft_commands *commands)
{
    world->commands.lost += commands->lost;
    commands->used = commands->end = 0;
    commands->many = 0;
    commands->lost = 0;
}

// Frees the indices of all spawns and clones in a buffer. Returns the number of its commands.
static uint32_t forget(weft_world *world, const weft_commands *commands)
{
    uint32_t count = 0;
    for (size_t offset = 0; offset < commands->used; count++) {
        const weft_command *c = weft_command_at(commands, offset);
        offset += weft_command_bytes(world->plan, c);
        bool promised = weft_command_promises(c) && c->handle != 0;
        if (promised) weft_place_return(world, c->handle);
    }
    return count;
}

// Applies a buffer. Without scratch memory all its commands are lost.
static void apply_buffer(weft_applying *a, weft_commands *commands)
{
    a->commands = commands;
    if (commands->used != 0 && a->ready) {
        run_buffer(a);
    } else if (commands->used != 0) {
        weft_applying_lost(a, WEFT_NO_MEMORY, forget(a->world, commands), 0);
    }
    if (commands->lost != 0 && a->status != WEFT_NO_MEMORY) a->status = commands->trouble;
    empty(a->world, commands);
}

static void drop_buffer(weft_world *world, weft_commands *commands)
{
    world->commands.dropped += forget(world, commands);
    empty(world, commands);
}

void weft_commands_drop(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->buffer_count; i++)
        drop_buffer(world, &world->commands.buffers[i]);
    if (world->hooks) drop_buffer(world, &world->hooks->next);
}

// ------------------------------------------------------------------------------------------------
// All buffers, and rounds of commands from hooks

static bool is_recorded(const weft_commands *commands)
{
    return commands->used != 0 || commands->lost != 0;
}

// Returns whether another round is within the limits. Only hooks that trigger each other without
// end exceed them. `bytes` is the size of the commands of all rounds, including this one.
static bool goes_on(uint32_t rounds, size_t bytes)
{
    return rounds < WEFT_HOOK_ROUNDS_ALWAYS ||
           (rounds < WEFT_HOOK_ROUNDS_MAX && bytes <= WEFT_HOOK_BYTES_MAX);
}

static void report_waiting(weft_applying *a, uint32_t rounds)
{
    weft_report(a->world, WEFT_REFUSED,
                "hooks went on recording commands for %" PRIu32 " rounds: the last %" PRIu32
                " wait for the next flush; do hooks answer each other in a circle?",
                rounds, weft_commands_waiting(a->world));
    if (a->status == WEFT_OK) a->status = WEFT_REFUSED;
}

uint32_t weft_commands_waiting(const weft_world *world)
{
    return world->hooks ? weft_commands_in(&world->hooks->next) : 0;
}

// Applies the commands that hooks have recorded, then those that they record in turn. Commands
// beyond the limits wait for the next time.
static void apply_rounds(weft_applying *a)
{
    weft_hooks *hooks = a->world->hooks;
    uint32_t rounds = 0;
    size_t bytes = hooks->next.used;
    while (is_recorded(&hooks->next) && goes_on(rounds, bytes)) {
        weft_hooks_next_round(a->world);
        a->ready = scratch_ready(a, hooks->round.many);
        apply_buffer(a, &hooks->round);
        bytes += hooks->next.used;
        rounds++;
    }
    hooks->applying = false;
    if (is_recorded(&hooks->next)) report_waiting(a, rounds);
}

// Notifies insight of the recorder of a buffer. Recorders are numbered in the order in which their
// systems run.
static void tell_recorder(const weft_world *world, uint32_t buffer)
{
    const weft_plan *plan = world->plan;
    const weft_system_info *system = plan->schema->systems;
    const char *name = NULL;
    for (uint32_t i = 0;; i++) {
        uint32_t buffers = plan->recorders[i].parallel ? WEFT_PARTS_MAX : 1;
        if (buffer < buffers) break;
        buffer -= buffers;
        while (!system->commands) system++;
        name = (system++)->name;
    }
    weft_writer(world, name, true);
}

// Separate from the test whether anything is recorded, because most phases make that test twice and
// find nothing.
WEFT_APART static weft_status apply_recorded(weft_world *world)
{
    weft_applying a = {.world = world, .status = WEFT_OK};
    uint32_t count = world->plan->buffer_count;
    weft_hooks *hooks = world->hooks;
    if (hooks) weft_hooks_applying(world);
    uint64_t many = hooks ? hooks->round.many : 0;
    for (uint32_t i = 0; i < count; i++) many += world->commands.buffers[i].many;
    a.ready = scratch_ready(&a, many);
    if (hooks && hooks->round.used != 0) weft_writer(world, WEFT_HOOKS_WRITE, true);
    if (hooks) apply_buffer(&a, &hooks->round);
    for (uint32_t i = 0; i < count; i++) {
        bool told = WEFT_OBSERVER(world, observers.insight) && world->commands.buffers[i].used != 0;
        if (told) tell_recorder(world, i);
        apply_buffer(&a, &world->commands.buffers[i]);
    }
    if (hooks && hooks->next.used != 0) weft_writer(world, WEFT_HOOKS_WRITE, true);
    if (hooks) apply_rounds(&a);
    weft_writer(world, NULL, false);
    return a.status;
}

weft_status weft_commands_apply(weft_world *world)
{
    if (weft_busy_to_look(world, "flush" WEFT_WAITS)) return WEFT_BUSY;
    if (!world->now.asides.recorded) return WEFT_OK;
    world->now.asides.recorded =
        WEFT_OBSERVER(world, observers.insight); // hooks may set it from here on
    bool any = world->hooks && is_recorded(&world->hooks->next);
    for (uint32_t i = 0; i < world->plan->buffer_count; i++)
        any |= is_recorded(&world->commands.buffers[i]);
    if (!any) return WEFT_OK;
    weft_zone_begin(world, WEFT_ZONE_APPLY, 0, 0);
    weft_status status = apply_recorded(world);
    weft_zone_end(world, WEFT_ZONE_APPLY, 0, 0);
    return status;
}
