// Recorded commands are applied as record/command.h says: buffer after buffer, then what hooks have
// recorded meanwhile, in rounds. Scratch memory is taken before anything is changed.
#include "apply.h"

#include "../record/hook.h"
#include "../world/report.h"
#include "apply_entity.h"
#include "apply_link.h"
#include "relation.h"
#include "spawn.h"

#include <inttypes.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Running

static void run_spawn_many(weft_applying *a, weft_command *c)
{
    uint64_t n;
    uint32_t first_row;
    memcpy(&n, weft_command_value(c), sizeof n);
    weft_apply_resolve(a, c);
    weft_status status =
        weft_prefab_spawn(a->world, c->what, n, weft_command_value(c) + sizeof n, NULL, &first_row);
    if (status != WEFT_OK) weft_apply_lose(a, status, 1, 0);
}

// Attaches or detaches. Detaching an entity without a parent is no failure.
static void run_link(weft_applying *a, weft_command *c)
{
    weft_world *world = a->world;
    bool attaches = c->kind == WEFT_COMMAND_ATTACH;
    uint64_t child = weft_apply_resolved(a, c->handle);
    weft_apply_resolve(a, c);
    uint64_t parent = attaches ? weft_command_parent(c) : child;
    weft_status status = attaches ? weft_link_attach(world, c->what, child, parent)
                                  : weft_link_detach(world, c->what, child);
    if (status == WEFT_NO_MEMORY) {
        weft_apply_lose(a, status, 1, child);
    } else if (status == WEFT_DEAD || status == WEFT_REFUSED) {
        world->commands_dropped++;
        weft_refuse_link(world, status, c->what, child, parent);
    }
}

static void run_command(weft_applying *a, weft_command *c)
{
    switch ((weft_command_kind)c->kind) {
    case WEFT_COMMAND_SPAWN:
    case WEFT_COMMAND_DESPAWN:
    case WEFT_COMMAND_SET:
    case WEFT_COMMAND_REMOVE:
    case WEFT_COMMAND_SET_PREFAB:
        if (c->role != WEFT_ROLE_FOLLOWS) weft_apply_entity(a, c);
        break;
    case WEFT_COMMAND_SPAWN_MANY:
        run_spawn_many(a, c);
        break;
    case WEFT_COMMAND_CLEAR:
        weft_rows_clear(a->world, c->what);
        break;
    case WEFT_COMMAND_ATTACH:
    case WEFT_COMMAND_DETACH:
        run_link(a, c);
        break;
    }
}

// Returns the loop that generated code has for commands such as this one; NULL: it has none.
static weft_command_run quick_run(const weft_applying *a, const weft_command *c)
{
    const weft_component_plan *components = a->world->plan->components;
    if (c->kind == WEFT_COMMAND_REMOVE) return components[c->what].run;
    if (c->kind != WEFT_COMMAND_SET) return NULL;
    bool resolves = components[c->what].has_entities && a->commands->spawned != 0;
    return resolves ? NULL : components[c->what].run;
}

// Says whether all commands from one to the end have one kind and concern one component.
static bool all_alike(weft_command *c, const weft_command *end, size_t bytes)
{
    const uint64_t head = weft_command_head(c);
    while (c < end && weft_command_head(c) == head) c = weft_command_behind(c, bytes);
    return c == end;
}

// Runs the rest of a buffer if all of it is alike. These commands need no linking: where an entity
// has several, those after the first find what it left, and at most overwrite the value.
static size_t run_alike(weft_applying *a, size_t offset)
{
    weft_command *c = weft_command_at(a->commands, offset);
    const weft_command *end = weft_command_at(a->commands, a->commands->used);
    weft_command_run run = quick_run(a, c);
    if (!run || !all_alike(c, end, weft_command_bytes(a->world->plan, c))) return offset;
    return (size_t)((unsigned char *)run(a->world, c, end) - a->commands->bytes.base);
}

static void run_linked(weft_applying *a, size_t offset, size_t end)
{
    const weft_command *after = weft_command_at(a->commands, end);
    for (weft_command *c = weft_command_at(a->commands, offset); c < after;) {
        weft_command_run run = quick_run(a, c);
        weft_command *rest = run ? run(a->world, c, after) : c;
        if (rest == c) {
            run_command(a, c);
            rest = weft_command_behind(c, weft_command_bytes(a->world->plan, c));
        }
        c = rest;
    }
}

// ------------------------------------------------------------------------------------------------
// Buffers

static void apply_buffer(weft_applying *a)
{
    if (a->commands->used == 0) return;
    weft_apply_reserve_handles(a);
    weft_apply_number(a);
    for (size_t offset = 0; offset < a->commands->used;) {
        size_t begin = run_alike(a, offset);
        size_t end = weft_apply_link(a, begin);
        run_linked(a, begin, end);
        offset = end;
    }
    weft_apply_resolve_events(a);
}

static uint32_t commands_in(const weft_commands *commands)
{
    uint32_t count = 0;
    for (size_t offset = 0; offset < commands->used; count++) {
        offset += weft_command_bytes(commands->world->plan, weft_command_at(commands, offset));
    }
    return count;
}

// Counts all commands of a buffer as lost: without scratch memory none can be applied.
static void lose_buffer(weft_applying *a)
{
    uint32_t count = commands_in(a->commands);
    weft_apply_forget_events(a);
    if (count != 0) weft_apply_lose(a, WEFT_NO_MEMORY, count, 0);
}

// The number of spawn commands in the buffer that has most of them.
static uint32_t spawned_most(const weft_world *world)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        if (world->buffers[i].spawned > most) most = world->buffers[i].spawned;
    }
    if (world->hooks && world->hooks->round.spawned > most) most = world->hooks->round.spawned;
    return most;
}

// Takes scratch memory for what is recorded: a word for each index that there is, or that a spawn
// may take, and a handle for each spawn of a buffer.
static bool scratch_ready(weft_applying *a)
{
    weft_world *world = a->world;
    weft_provisional *provisional = &world->provisional;
    uint64_t indices_max = world->entities.index_limit;
    uint64_t indices = world->entities.index_count;
    uint32_t spawned = spawned_most(world);
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        indices += world->buffers[i].spawned + world->buffers[i].many;
    }
    if (world->hooks) indices += world->hooks->round.spawned;
    if (indices > indices_max) indices = indices_max;
    if (!weft_region_grow(&world->heap, &provisional->last, (size_t)indices * sizeof(uint32_t),
                          (size_t)indices_max * sizeof(uint32_t)) ||
        !weft_region_grow(&world->heap, &provisional->handles, spawned * sizeof(uint64_t),
                          weft_provisional_limit(world->plan) * sizeof(uint64_t))) {
        return false;
    }
    a->handles = (uint64_t *)(void *)provisional->handles.base;
    a->last = (uint32_t *)(void *)provisional->last.base;
    a->indices = (uint32_t)indices;
    return true;
}

static bool is_recorded(const weft_commands *commands)
{
    return commands->used != 0 || commands->lost != 0;
}

static bool anything_recorded(const weft_world *world)
{
    bool any = false;
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        any |= is_recorded(&world->buffers[i]);
    }
    return any;
}

static void empty(weft_commands *commands)
{
    commands->used = 0;
    commands->spawned = 0;
    commands->many = 0;
    commands->lost = 0;
}

static void empty_buffer(weft_applying *a, weft_commands *commands)
{
    a->world->commands_lost += commands->lost;
    if (commands->lost != 0 && a->status != WEFT_NO_MEMORY) a->status = commands->trouble;
    empty(commands);
}

void weft_commands_drop(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        world->commands_dropped += commands_in(&world->buffers[i]);
        world->commands_lost += world->buffers[i].lost;
        empty(&world->buffers[i]);
    }
}

static void finish_buffer(weft_applying *a, weft_commands *commands, bool ready)
{
    a->commands = commands;
    a->number = weft_provisional_number(commands, 0);
    if (ready) {
        apply_buffer(a);
    } else {
        lose_buffer(a);
    }
    empty_buffer(a, commands);
}

// Drops what hooks have recorded in the last round, since they answer each other without end.
static void drop_round(weft_applying *a, weft_commands *commands)
{
    uint32_t count = commands_in(commands);
    a->world->commands_dropped += count;
    empty_buffer(a, commands);
    weft_report(a->world, WEFT_REFUSED,
                "hooks went on recording commands for %u rounds: the last %" PRIu32
                " are dropped; do hooks answer each other in a circle?",
                WEFT_HOOK_ROUNDS_MAX, count);
    if (a->status == WEFT_OK) a->status = WEFT_REFUSED;
}

// Applies what hooks have recorded meanwhile, and what they record then. Returns the number of
// spawn commands in all rounds.
static uint32_t apply_rounds(weft_applying *a)
{
    weft_hooks *hooks = a->world->hooks;
    uint32_t spawned = 0;
    for (uint32_t round = 0; is_recorded(&hooks->next); round++) {
        spawned += hooks->next.spawned;
        if (round == WEFT_HOOK_ROUNDS_MAX) {
            drop_round(a, &hooks->next);
            break;
        }
        weft_hooks_next_round(a->world);
        finish_buffer(a, &hooks->round, scratch_ready(a));
    }
    hooks->applying = false;
    return spawned;
}

// This function stands apart from the test whether anything is recorded, which most phases make
// twice and find nothing.
WEFT_APART static weft_status apply_recorded(weft_world *world)
{
    weft_provisional *provisional = &world->provisional;
    weft_applying a = {.world = world, .status = WEFT_OK};
    bool ready = scratch_ready(&a);
    uint64_t spawned = spawned_most(world);
    if (world->hooks) weft_hooks_applying(world);
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        finish_buffer(&a, &world->buffers[i], ready);
    }
    if (world->hooks) {
        uint32_t by_hooks = apply_rounds(&a);
        if (by_hooks > spawned) spawned = by_hooks;
    }
    uint64_t next = provisional->first + spawned;
    provisional->first = (uint32_t)(next % weft_provisional_limit(world->plan));
    return a.status;
}

weft_status weft_commands_apply(weft_world *world)
{
    if (weft_busy(world, "flush" WEFT_WAITS)) return WEFT_BUSY;
    return anything_recorded(world) ? apply_recorded(world) : WEFT_OK;
}
