// Applying commands, as weft_command.h says. Scratch memory is taken before anything is changed.
//
// Linking stamps the index of every command's entity with the place of the command. An entity with
// several shows by a stamp that is not history; all others cost linking one word of scratch each.
// What runs of commands alike, on an entity each, come to is generated code's to say (weft_run.h);
// where a buffer has nothing else they are run without linking, as far as that goes.
#include "weft_record.h"

#include "weft_event.h"
#include "weft_hook.h"
#include "weft_relation.h"
#include "weft_rules.h"
#include "weft_structure.h"

#include <inttypes.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Handles

typedef struct applying {
    weft_world *world;
    weft_commands *commands;
    uint64_t *handles; // weft_provisional.handles: 0 is a spawn that found no room
    uint32_t *last;    // weft_provisional.last
    size_t indices;    // that it has room for
    uint32_t number;   // of the buffer's first spawn
    uint32_t stamp;    // of offset 0 of the buffer; a unit later is one more
    uint32_t known;    // of the first command that is being linked: smaller ones are history
    weft_status status;
} applying;

// Whether a handle is the provisional one of a spawn of the buffer, and of the how manieth.
static bool is_own(const applying *a, uint64_t handle, uint32_t *spawn)
{
    if (!weft_is_provisional(a->world->plan->format, handle)) return false;
    uint32_t number = (uint32_t)handle - 1;
    uint32_t round = number < a->number ? weft_provisional_limit(a->world->plan) : 0;
    *spawn = number + round - a->number;
    return *spawn < a->commands->spawned;
}

// What a handle in a command means. Provisional ones of elsewhere stay what they are: dead.
static uint64_t resolved(void *context, uint64_t handle)
{
    const applying *a = (const applying *)context;
    uint32_t spawn;
    return is_own(a, handle, &spawn) ? a->handles[spawn] : handle;
}

static void resolve_value(applying *a, weft_command *c)
{
    if (a->commands->spawned == 0) return;
    weft_command_change(a->world, c, resolved, a);
}

static void drop(applying *a, weft_refusal why)
{
    weft_drop(a->world, why);
}

static void drop_dead(applying *a, uint64_t handle)
{
    drop(a, (weft_refusal){WEFT_DEAD, WEFT_NONE, WEFT_NONE, false, handle});
}

static void lose(applying *a, weft_status status, uint32_t count, uint64_t handle)
{
    if (a->status != WEFT_NO_MEMORY) a->status = status;
    a->world->commands_lost += count;
    weft_refuse_room(a->world, (weft_refusal){status, WEFT_NONE, WEFT_NONE, false, handle});
}

static void take_handle(applying *a, weft_command *c)
{
    weft_world *world = a->world;
    weft_format f = world->plan->format;
    uint32_t index;
    uint32_t generation;
    if (weft_entities_take(&world->entities, &world->heap, f, &index, &generation)) {
        c->handle = weft_handle(f, index, generation);
    } else {
        c->handle = 0;
        lose(a, weft_spawn_status(world), 1, 0);
    }
}

static void take_handles(applying *a)
{
    uint64_t *taken = a->handles;
    if (a->commands->spawned == 0) return;
    for (size_t offset = 0; offset < a->commands->used;) {
        weft_command *c = weft_command_at(a->commands, offset);
        if (c->kind == WEFT_COMMAND_SPAWN) {
            take_handle(a, c);
            *taken++ = c->handle;
        }
        offset += weft_command_bytes(a->world->plan, c);
    }
}

static void give_handle(applying *a, uint64_t handle)
{
    weft_format f = a->world->plan->format;
    weft_entities_give(&a->world->entities, f, weft_handle_index(f, handle),
                       (uint32_t)(handle >> f.index_bits));
}

// ------------------------------------------------------------------------------------------------
// Linking the commands of one entity

// Whether a command is on somebody who is there, or who is to be placed by it.
static bool lives(const applying *a, const weft_command *c, weft_place *at)
{
    return c->kind == WEFT_COMMAND_SPAWN ||
           weft_find(&a->world->entities, a->world->plan->format, c->handle, at);
}

// Links a command on an index that `before` is the stamp of. Two handles of one index: one is dead.
// So is who is not there now, even where a spawn of many may yet give somebody that handle.
static void link_with_care(applying *a, weft_command *c, uint32_t before, uint32_t stamp)
{
    weft_place at;
    weft_command *earlier = NULL;
    if (before >= a->known) {
        earlier = weft_command_at(a->commands, (size_t)(before - a->stamp) * WEFT_COMMAND_UNIT);
    }
    if (earlier && earlier->handle == c->handle && c->kind != WEFT_COMMAND_SPAWN) {
        earlier->next = stamp - a->stamp;
        c->role = WEFT_ROLE_FOLLOWS;
    } else if (!lives(a, c, &at)) {
        c->role = WEFT_ROLE_DEAD;
        return;
    }
    a->last[weft_handle_index(a->world->plan->format, c->handle)] = stamp;
}

// What a command is on may be the provisional handle of a spawn. False: a spawn that found no room.
static bool target_ready(applying *a, weft_command *c)
{
    if (c->kind == WEFT_COMMAND_SPAWN) return c->handle != 0;
    c->handle = resolved(a, c->handle);
    return true;
}

// The next in the stream, where one takes so many bytes with its value.
static weft_command *command_behind(weft_command *c, size_t bytes)
{
    return (weft_command *)(void *)((unsigned char *)c + bytes);
}

// Links commands alike, each on an entity, up to the first that is another. Returns where that is.
static size_t link_alike(applying *a, size_t offset, size_t bytes)
{
    weft_command *c = weft_command_at(a->commands, offset);
    const weft_command *end = weft_command_at(a->commands, a->commands->used);
    const uint64_t head = weft_command_head(c);
    const weft_format f = a->world->plan->format;
    const bool spawns = a->commands->spawned != 0;
    const uint32_t history = a->commands->many == 0 ? a->known : 0;
    const size_t indices = a->indices;
    const uint32_t units = (uint32_t)(bytes / WEFT_COMMAND_UNIT);
    uint32_t *last = a->last;
    uint32_t stamp = a->stamp + (uint32_t)(offset / WEFT_COMMAND_UNIT);
    for (; c < end && weft_command_head(c) == head; c = command_behind(c, bytes), stamp += units) {
        if (spawns && !target_ready(a, c)) continue;
        uint32_t index = weft_handle_index(f, c->handle);
        if (index >= indices) continue; // nobody's
        if (WEFT_LIKELY(last[index] < history)) {
            last[index] = stamp;
        } else {
            link_with_care(a, c, last[index], stamp);
        }
    }
    return (size_t)((unsigned char *)c - a->commands->bytes.base);
}

// Whether what is recorded before a command is all applied before it.
static bool parts(const weft_command *c)
{
    return c->kind == WEFT_COMMAND_CLEAR || c->kind == WEFT_COMMAND_ATTACH ||
           c->kind == WEFT_COMMAND_DETACH;
}

// Links commands from an offset on, up to and with the next that parts the buffer. Returns where
// the rest starts.
static size_t link_stretch(applying *a, size_t offset)
{
    a->known = a->stamp + (uint32_t)(offset / WEFT_COMMAND_UNIT);
    while (offset < a->commands->used) {
        const weft_command *c = weft_command_at(a->commands, offset);
        size_t bytes = weft_command_bytes(a->world->plan, c);
        if (parts(c)) return offset + bytes;
        if (c->kind == WEFT_COMMAND_SPAWN_MANY) {
            offset += bytes;
        } else {
            offset = link_alike(a, offset, bytes);
        }
    }
    return offset;
}

// ------------------------------------------------------------------------------------------------
// Running the commands of one entity

static weft_command *next_of(const applying *a, const weft_command *c)
{
    return c->next == 0 ? NULL : weft_command_at(a->commands, (size_t)c->next * WEFT_COMMAND_UNIT);
}

// Whether the rules let the batch have it; counted as dropped if not.
static bool evaluate(applying *a, weft_batch *batch, weft_command *c)
{
    weft_refusal why;
    bool done = true;
    uint16_t what = c->what;
    const void *value = weft_command_value(c);
    resolve_value(a, c);
    switch ((weft_command_kind)c->kind) {
    case WEFT_COMMAND_SPAWN:
        done = what == WEFT_NONE || weft_batch_set_prefab(batch, what, value, &why);
        break;
    case WEFT_COMMAND_SET_PREFAB:
        done = weft_batch_set_prefab(batch, what, value, &why);
        break;
    case WEFT_COMMAND_SET:
        done = weft_batch_set(batch, what, value, &why);
        break;
    case WEFT_COMMAND_REMOVE:
        done = weft_batch_remove(batch, what, &why);
        break;
    case WEFT_COMMAND_SPAWN_MANY:
    case WEFT_COMMAND_DESPAWN:
    case WEFT_COMMAND_CLEAR:
    case WEFT_COMMAND_ATTACH:
    case WEFT_COMMAND_DETACH:
        break;
    }
    if (!done) drop(a, why);
    return done;
}

// Ends the entity; what was recorded on it after that is dropped.
static void run_despawn(applying *a, weft_command *c, bool placed)
{
    weft_place at;
    uint64_t handle = c->handle;
    if (placed && weft_find(&a->world->entities, a->world->plan->format, handle, &at)) {
        weft_despawn_whole(a->world, handle, at);
    } else {
        give_handle(a, handle);
    }
    while ((c = next_of(a, c)) != NULL) drop_dead(a, handle);
}

static void run_batch(applying *a, weft_command *first)
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
    if (!placed) give_handle(a, handle);
    lose(a, WEFT_NO_MEMORY, done, handle);
}

// A spawn that no other command concerns goes into its table at once.
static bool place(applying *a, weft_command *c)
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
        weft_prefab_rows_put(world, prefab, row, 1, weft_command_value(c));
    }
    weft_world_changed(world);
    if (prefab != WEFT_NONE) weft_hooks_born(world, world->prefab_tables[prefab], row, 1);
    return true;
}

static void run_spawn(applying *a, weft_command *c)
{
    resolve_value(a, c);
    if (place(a, c)) return;
    give_handle(a, c->handle);
    lose(a, WEFT_NO_MEMORY, 1, c->handle);
}

// A set or remove on an entity that has no other command. False: it brings other components along.
static bool run_set(applying *a, weft_command *c, weft_place at)
{
    weft_world *world = a->world;
    weft_refusal why;
    weft_holder holder = weft_holder_row(world, c->handle, at);
    weft_verdict verdict = weft_rules_set(world, &holder, c->what, &why);
    if (verdict == WEFT_ALLOWED_WITH_MORE) return false;
    if (verdict == WEFT_FORBIDDEN) {
        drop(a, why);
        return true;
    }
    resolve_value(a, c);
    if (!weft_row_set(world, c->handle, at, c->what, weft_command_value(c))) {
        lose(a, WEFT_NO_MEMORY, 1, c->handle);
    }
    return true;
}

static void run_remove(applying *a, const weft_command *c, weft_place at)
{
    weft_world *world = a->world;
    weft_refusal why;
    if (!weft_row_has(world->plan, world->tables.items[at.table], at.row, c->what)) return;
    weft_holder holder = weft_holder_row(world, c->handle, at);
    if (!weft_rules_remove(world, &holder, c->what, &why)) {
        drop(a, why);
    } else if (!weft_row_remove(world, c->handle, at, c->what)) {
        lose(a, WEFT_NO_MEMORY, 1, c->handle);
    }
}

// Runs the only command on a living entity. False: it is for a batch.
static bool run_alone(applying *a, weft_command *c, weft_place at)
{
    switch ((weft_command_kind)c->kind) {
    case WEFT_COMMAND_DESPAWN:
        weft_despawn_whole(a->world, c->handle, at);
        return true;
    case WEFT_COMMAND_SET:
        return run_set(a, c, at);
    case WEFT_COMMAND_REMOVE:
        run_remove(a, c, at);
        return true;
    case WEFT_COMMAND_SPAWN:
    case WEFT_COMMAND_SPAWN_MANY:
    case WEFT_COMMAND_CLEAR:
    case WEFT_COMMAND_SET_PREFAB:
    case WEFT_COMMAND_ATTACH:
    case WEFT_COMMAND_DETACH:
        break;
    }
    return false;
}

// Drops a command on somebody dead; what is linked to it comes to the same in its own turn.
static void run_dead(applying *a, weft_command *c)
{
    weft_command *next = next_of(a, c);
    if (next) next->role = WEFT_ROLE_DEAD;
    drop_dead(a, c->handle);
}

// Runs a command and all that are linked to it.
static void run_entity(applying *a, weft_command *c)
{
    weft_place at = {0, 0};
    bool alone = c->next == 0;
    if (alone && c->kind == WEFT_COMMAND_SPAWN) {
        if (c->handle != 0) run_spawn(a, c);
    } else if (!lives(a, c, &at)) {
        run_dead(a, c);
    } else if (!alone || !run_alone(a, c, at)) {
        run_batch(a, c);
    }
}

static void run_spawn_many(applying *a, weft_command *c)
{
    uint64_t n;
    uint32_t first_row;
    memcpy(&n, weft_command_value(c), sizeof n);
    resolve_value(a, c);
    weft_status status =
        weft_prefab_spawn(a->world, c->what, n, weft_command_value(c) + sizeof n, NULL, &first_row);
    if (status != WEFT_OK) lose(a, status, 1, 0);
}

// Attaches or detaches; detaching who has no parent is fine.
static void run_link(applying *a, weft_command *c)
{
    weft_world *world = a->world;
    bool attaches = c->kind == WEFT_COMMAND_ATTACH;
    uint64_t child = resolved(a, c->handle);
    resolve_value(a, c);
    uint64_t parent = attaches ? weft_command_parent(c) : child;
    weft_status status = attaches ? weft_link_attach(world, c->what, child, parent)
                                  : weft_link_detach(world, c->what, child);
    if (status == WEFT_NO_MEMORY) {
        lose(a, status, 1, child);
    } else if (status == WEFT_DEAD || status == WEFT_REFUSED) {
        world->commands_dropped++;
        weft_refuse_link(world, status, c->what, child, parent);
    }
}

static void run_command(applying *a, weft_command *c)
{
    if (c->role == WEFT_ROLE_FOLLOWS) return;
    if (c->role == WEFT_ROLE_DEAD) {
        run_dead(a, c);
    } else if (c->kind == WEFT_COMMAND_CLEAR) {
        weft_rows_clear(a->world, c->what);
    } else if (c->kind == WEFT_COMMAND_ATTACH || c->kind == WEFT_COMMAND_DETACH) {
        run_link(a, c);
    } else if (c->kind == WEFT_COMMAND_SPAWN_MANY) {
        run_spawn_many(a, c);
    } else {
        run_entity(a, c);
    }
}

// What generated code has for commands such as this one; NULL: nothing.
static weft_command_run quick_run(const applying *a, const weft_command *c)
{
    const weft_component_plan *plan = &a->world->plan->components[c->what];
    if (c->kind == WEFT_COMMAND_REMOVE) return plan->run_removals;
    if (c->kind != WEFT_COMMAND_SET) return NULL;
    return plan->has_entities && a->commands->spawned != 0 ? NULL : plan->run_sets;
}

// Whether all commands from one to the end are alike.
static bool all_alike(const weft_command *c, const weft_command *end, size_t bytes)
{
    const uint64_t head = weft_command_head(c);
    while (c < end && weft_command_head(c) == head) {
        c = (const weft_command *)(const void *)((const unsigned char *)c + bytes);
    }
    return c == end;
}

// Runs commands alike that nothing else follows, as far as generated code does. They need not be
// linked: where an entity has several, those after the first find what it left, and at most overwrite
// the value. Returns where the rest starts.
static size_t run_alike(applying *a, size_t offset)
{
    weft_command *c = weft_command_at(a->commands, offset);
    const weft_command *end = weft_command_at(a->commands, a->commands->used);
    weft_command_run run = quick_run(a, c);
    if (!run || !all_alike(c, end, weft_command_bytes(a->world->plan, c))) return offset;
    return (size_t)((unsigned char *)run(a->world, c, end) - a->commands->bytes.base);
}

static void run_stretch(applying *a, size_t offset, size_t end)
{
    const weft_command *after = weft_command_at(a->commands, end);
    for (weft_command *c = weft_command_at(a->commands, offset); c < after;) {
        weft_command_run run = quick_run(a, c);
        weft_command *rest = run ? run(a->world, c, after) : c;
        if (rest == c) {
            run_command(a, c);
            rest = command_behind(c, weft_command_bytes(a->world->plan, c));
        }
        c = rest;
    }
}

// ------------------------------------------------------------------------------------------------
// All of it

// Stamps for the commands of a buffer, greater than all before. When there are no more of them they
// begin anew, and history is forgotten.
static void take_stamps(applying *a)
{
    weft_provisional *provisional = &a->world->provisional;
    uint32_t units = (uint32_t)(a->commands->used / WEFT_COMMAND_UNIT);
    if (units > UINT32_MAX - provisional->stamps) {
        memset(a->last, 0, provisional->last.bytes);
        provisional->stamps = 0;
    }
    a->stamp = provisional->stamps + 1;
    provisional->stamps += units;
}

static void apply_buffer(applying *a)
{
    if (a->commands->used == 0) return;
    take_handles(a);
    take_stamps(a);
    for (size_t offset = 0; offset < a->commands->used;) {
        size_t begin = run_alike(a, offset);
        size_t end = link_stretch(a, begin);
        run_stretch(a, begin, end);
        offset = end;
    }
    if (a->commands->spawned != 0) weft_events_change_new(a->world, resolved, a);
}

// What a handle in an event means where nobody is spawned.
static uint64_t not_spawned(void *context, uint64_t handle)
{
    const applying *a = (const applying *)context;
    uint32_t spawn;
    return is_own(a, handle, &spawn) ? 0 : handle;
}

static uint32_t commands_in(const weft_commands *commands)
{
    uint32_t count = 0;
    for (size_t offset = 0; offset < commands->used; count++) {
        offset += weft_command_bytes(commands->world->plan, weft_command_at(commands, offset));
    }
    return count;
}

// Without scratch nothing can be applied.
static void lose_buffer(applying *a)
{
    uint32_t count = commands_in(a->commands);
    if (a->commands->spawned != 0) weft_events_change_new(a->world, not_spawned, a);
    if (count != 0) lose(a, WEFT_NO_MEMORY, count, 0);
}

// Spawn commands of the buffer that has most.
static uint32_t spawned_most(const weft_world *world)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        if (world->buffers[i].spawned > most) most = world->buffers[i].spawned;
    }
    if (world->hooks && world->hooks->round.spawned > most) most = world->hooks->round.spawned;
    return most;
}

// Scratch for what is recorded. An index of a living entity is one of those there are and those
// that spawns may take.
static bool scratch_ready(applying *a)
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
    a->indices = (size_t)indices;
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

static void empty_buffer(applying *a, weft_commands *commands)
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

static void finish_buffer(applying *a, weft_commands *commands, bool ready)
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

// Hooks that answer each other without end are told to stop.
static void drop_round(applying *a, weft_commands *commands)
{
    uint32_t count = commands_in(commands);
    a->world->commands_dropped += count;
    empty_buffer(a, commands);
    weft_world_say(a->world, WEFT_REFUSED,
                   "hooks went on recording commands for %u rounds: the last %" PRIu32
                   " are dropped; do hooks answer each other in a circle?",
                   WEFT_HOOK_ROUNDS_MAX, count);
    if (a->status == WEFT_OK) a->status = WEFT_REFUSED;
}

// Applies what hooks have recorded meanwhile, and what they record then. Returns how many spawn
// commands that were.
static uint32_t apply_rounds(applying *a)
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

// Apart from what finds that there is nothing to apply, as twice in most phases.
WEFT_APART static weft_status apply_recorded(weft_world *world)
{
    weft_provisional *provisional = &world->provisional;
    applying a = {.world = world, .status = WEFT_OK};
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
