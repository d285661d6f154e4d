// Recorded commands are applied as record/command.h says: buffer after buffer, then what hooks have
// recorded meanwhile, in rounds. Scratch memory is taken before anything is changed.
#include "apply.h"

#include "../record/hook.h"
#include "../record/places.h"
#include "../world/report.h"
#include "../world/writer.h"
#include "../world/zone.h"
#include "batch.h"
#include "clear.h"
#include "despawn.h"
#include "link.h"
#include "spawn.h"

#include <inttypes.h>
#include <string.h>

// The buffer that is applied, and how it goes.
typedef struct applying {
    weft_world *world;
    weft_commands *commands;
    uint32_t *last;   // weft_linking.last
    uint32_t indices; // its length
    uint32_t stamp;   // of offset 0 of the buffer; a unit later is one more
    uint32_t known;   // of the first command that is being linked: smaller ones are older
    bool ready;       // there is scratch memory
    weft_status status;
} applying;

// Counts so many commands as lost and reports it; `handle` is the entity they are on, or 0.
static void count_lost(applying *a, weft_status status, uint32_t count, uint64_t handle)
{
    if (a->status != WEFT_NO_MEMORY) a->status = status;
    a->world->commands_lost += count;
    weft_refuse_space(a->world, weft_refusal_of(status, WEFT_NONE, handle));
}

// ------------------------------------------------------------------------------------------------
// Linking: the commands of one entity are linked, so that the first of them runs all.
//
// Linking writes a stamp at the index of each command's entity: the place of the command. Where a
// stamp of these commands is there already, the entity has several. Each other entity costs linking
// one word of scratch memory.

// Gives the commands of the buffer stamps that are greater than all before. Stamps begin anew when
// there are no more of them, and those that are written are cleared.
static void number_commands(applying *a)
{
    weft_linking *linking = &a->world->linking;
    uint32_t units = (uint32_t)(a->commands->used / WEFT_COMMAND_UNIT);
    if (units > UINT32_MAX - linking->stamps) {
        memset(a->last, 0, linking->last.bytes);
        linking->stamps = 0;
    }
    a->stamp = linking->stamps + 1;
    linking->stamps += units;
}

// Says whether a command is on a living entity, or on the one it spawns.
static bool lives(const applying *a, const weft_command *c)
{
    weft_place at;
    return c->kind == WEFT_COMMAND_SPAWN ||
           weft_find(&a->world->entities, a->world->plan->format, c->handle, &at);
}

// Links a command on an index whose stamp is `before`. Where two commands have different handles of
// one index, one of these is dead. A handle that is not alive now is dead too, even where a spawn
// of many may give it to an entity later.
static void link_with_care(applying *a, weft_command *c, uint32_t before, uint32_t stamp)
{
    weft_command *earlier = NULL;
    if (before >= a->known) {
        earlier = weft_command_at(a->commands, (size_t)(before - a->stamp) * WEFT_COMMAND_UNIT);
    }
    if (earlier && earlier->handle == c->handle && c->kind != WEFT_COMMAND_SPAWN) {
        earlier->next = stamp - a->stamp;
        c->role = WEFT_ROLE_FOLLOWS;
    } else if (!lives(a, c)) {
        c->role = WEFT_ROLE_DEAD;
        return;
    }
    a->last[weft_handle_index(a->world->plan->format, c->handle)] = stamp;
}

// Links commands alike up to the first that is not. Returns where that is.
static size_t link_alike(applying *a, size_t offset, size_t bytes)
{
    weft_command *c = weft_command_at(a->commands, offset);
    const weft_command *end = weft_command_at(a->commands, a->commands->used);
    const uint64_t head = weft_command_head(c);
    const weft_format f = a->world->plan->format;
    const uint32_t history = a->commands->many == 0 ? a->known : 0;
    const uint32_t units = (uint32_t)(bytes / WEFT_COMMAND_UNIT);
    uint32_t *last = a->last;
    uint32_t stamp = a->stamp + (uint32_t)(offset / WEFT_COMMAND_UNIT);
    for (; c < end && weft_command_head(c) == head;
         c = weft_command_behind(c, bytes), stamp += units) {
        uint32_t index = weft_handle_index(f, c->handle);
        if (index >= a->indices || c->handle == 0) continue; // of no entity
        if (WEFT_LIKELY(last[index] < history)) {
            last[index] = stamp;
        } else {
            link_with_care(a, c, last[index], stamp);
        }
    }
    return (size_t)((unsigned char *)c - a->commands->bytes.base);
}

// Links commands from an offset on, up to and with the next barrier: a command that runs after all
// before it. Returns where the rest starts.
static size_t link_commands(applying *a, size_t offset)
{
    a->known = a->stamp + (uint32_t)(offset / WEFT_COMMAND_UNIT);
    while (offset < a->commands->used) {
        const weft_command *c = weft_command_at(a->commands, offset);
        size_t bytes = weft_command_bytes(a->world->plan, c);
        if (c->kind == WEFT_COMMAND_CLEAR || weft_command_links(c)) return offset + bytes;
        bool many = c->kind == WEFT_COMMAND_SPAWN_MANY;
        offset = many ? offset + bytes : link_alike(a, offset, bytes);
    }
    return offset;
}

// ------------------------------------------------------------------------------------------------
// The commands of one entity: several become a batch, so that its row moves once

static weft_command *next_of(const applying *a, const weft_command *c)
{
    return c->next == 0 ? NULL : weft_command_at(a->commands, (size_t)c->next * WEFT_COMMAND_UNIT);
}

static void drop_dead(const applying *a, const weft_command *c)
{
    weft_drop(a->world, weft_refusal_of(WEFT_DEAD, WEFT_NONE, c->handle));
}

// Drops a command on a dead entity. What is linked to it is dropped in its own turn.
static void run_dead(const applying *a, const weft_command *c)
{
    weft_command *next = next_of(a, c);
    if (next) next->role = WEFT_ROLE_DEAD;
    drop_dead(a, c);
}

// Gives the index of a spawn back whose entity does not come to be.
static void lose_spawn(applying *a, const weft_command *c, weft_status status, uint32_t commands)
{
    weft_place_return(a->world, c->handle);
    count_lost(a, status, commands, c->handle);
}

static void run_spawn(applying *a, weft_command *c)
{
    if (weft_prefab_place(a->world, c->what, c->handle, weft_command_value(c))) {
        a->world->entities.promised--;
    } else {
        lose_spawn(a, c, WEFT_NO_MEMORY, 1);
    }
}

// Ends the entity, which may have no row yet, and drops what was recorded on it after that.
static void run_despawn(applying *a, const weft_command *c)
{
    if (lives(a, c)) {
        weft_despawn_whole(a->world, c->handle);
    } else {
        weft_place_return(a->world, c->handle);
    }
    while ((c = next_of(a, c)) != NULL) drop_dead(a, c);
}

// Changes a component of an entity that no other command concerns. Removing one that is not there
// is no failure.
static void run_change(applying *a, weft_command *c)
{
    weft_refusal why;
    const void *value = weft_command_value(c);
    bool on = c->kind != WEFT_COMMAND_REMOVE;
    bool done = c->kind == WEFT_COMMAND_REPLACE
                    ? weft_component_change_value(a->world, c->handle, c->what, value, &why)
                    : weft_component_change(a->world, c->handle, c->what, value, on, &why);
    if (done) return;
    if (why.status == WEFT_NO_MEMORY) {
        count_lost(a, why.status, 1, c->handle);
    } else if (on || why.status != WEFT_NOT_FOUND) {
        weft_drop(a->world, why);
    }
}

// Adds a command to the batch. False: the rules forbid it, and it is counted as dropped.
static bool evaluate(applying *a, weft_batch *batch, weft_command *c)
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

static void run_batch(applying *a, weft_command *first)
{
    weft_batch *batch = a->world->batch;
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
        count_lost(a, WEFT_NO_MEMORY, done, first->handle);
    } else {
        lose_spawn(a, first, WEFT_NO_MEMORY, done);
    }
}

static void run_entity(applying *a, weft_command *c)
{
    bool alone = c->next == 0;
    if (c->kind == WEFT_COMMAND_SPAWN && c->handle == 0) return; // it is lost
    if (c->role == WEFT_ROLE_DEAD || !lives(a, c)) {
        run_dead(a, c);
    } else if (c->kind == WEFT_COMMAND_DESPAWN) {
        run_despawn(a, c);
    } else if (alone && c->kind == WEFT_COMMAND_SPAWN) {
        run_spawn(a, c);
    } else if (alone && c->kind != WEFT_COMMAND_SET_PREFAB) {
        run_change(a, c);
    } else {
        run_batch(a, c);
    }
}

// ------------------------------------------------------------------------------------------------
// Running

static void run_spawn_many(applying *a, weft_command *c)
{
    uint64_t n;
    uint32_t first_row;
    const unsigned char *value = weft_command_value(c) + sizeof n;
    memcpy(&n, weft_command_value(c), sizeof n);
    weft_status status = weft_prefab_spawn(a->world, c->what, n, value, NULL, &first_row);
    if (status != WEFT_OK) count_lost(a, status, 1, 0);
}

static void run_clear(applying *a, const weft_command *c)
{
    if (weft_rows_clear(a->world, c->what)) return;
    a->status = WEFT_NO_MEMORY;
    a->world->commands_lost++;
    weft_refuse_space(a->world, weft_refusal_of(WEFT_NO_MEMORY, c->what, 0));
}

// Changes a link. Detaching an entity without a parent is no failure.
static weft_status change_link(weft_world *world, const weft_command *c, uint64_t other)
{
    if (c->kind == WEFT_COMMAND_ATTACH) return weft_link_attach(world, c->what, c->handle, other);
    if (c->kind == WEFT_COMMAND_APPEND) return weft_link_append(world, c->what, c->handle, other);
    if (c->kind == WEFT_COMMAND_INSERT_BEFORE) {
        return weft_link_insert_before(world, c->what, c->handle, other);
    }
    weft_status status = weft_link_detach(world, c->what, c->handle);
    return status == WEFT_NOT_FOUND ? WEFT_OK : status;
}

// Says whether a parent has ended since an attach to it was recorded, which ends the child too. One
// that is ahead is to be spawned by another buffer.
static bool parent_ended(const applying *a, const weft_command *c, uint64_t parent)
{
    return c->role == WEFT_ROLE_IN_TIME && parent != 0 && lives(a, c) &&
           !weft_handle_is_ahead(&a->world->entities, a->world->plan->format, parent);
}

static void run_link(applying *a, weft_command *c)
{
    weft_world *world = a->world;
    uint64_t other = weft_command_links_two(c) ? weft_command_other(c) : c->handle;
    weft_status status = change_link(world, c, other);
    if (status == WEFT_DEAD && parent_ended(a, c, other)) {
        weft_despawn_whole(world, c->handle);
    } else if (status == WEFT_NO_MEMORY) {
        count_lost(a, status, 1, c->handle);
    } else if (status != WEFT_OK) {
        bool inserts = c->kind == WEFT_COMMAND_INSERT_BEFORE;
        world->commands_dropped++;
        weft_refuse_link(world, status, c->what, c->handle,
                         inserts ? "inserted before" : "attached to", other);
    }
}

static void run_command(applying *a, weft_command *c)
{
    switch ((weft_command_kind)c->kind) {
    case WEFT_COMMAND_SPAWN_MANY:
        run_spawn_many(a, c);
        break;
    case WEFT_COMMAND_CLEAR:
        run_clear(a, c);
        break;
    case WEFT_COMMAND_ATTACH:
    case WEFT_COMMAND_APPEND:
    case WEFT_COMMAND_INSERT_BEFORE:
    case WEFT_COMMAND_DETACH:
        run_link(a, c);
        break;
    default: // on one entity
        if (c->role != WEFT_ROLE_FOLLOWS) run_entity(a, c);
    }
}

// Returns the loop that generated code has for commands such as this one; NULL: it has none.
static weft_command_run quick_run(const applying *a, const weft_command *c)
{
    if (c->kind != WEFT_COMMAND_SET && c->kind != WEFT_COMMAND_REMOVE) return NULL;
    return a->world->plan->components[c->what].run;
}

// Says whether all commands from one to the end have one kind and concern one component.
static bool all_alike(weft_command *c, const weft_command *end, size_t bytes)
{
    const uint64_t head = weft_command_head(c);
    while (c < end && weft_command_head(c) == head) c = weft_command_behind(c, bytes);
    return c == end;
}

// Runs the rest of a buffer if all of it is alike and has such a loop, up to the first that is not
// the common case; returns where that is. These commands need no linking: where an entity has
// several, those after the first find what it left, and at most overwrite the value.
static size_t run_alike(applying *a, size_t offset)
{
    weft_command *c = weft_command_at(a->commands, offset);
    const weft_command *end = weft_command_at(a->commands, a->commands->used);
    weft_command_run run = quick_run(a, c);
    if (!run || !all_alike(c, end, weft_command_bytes(a->world->plan, c))) return offset;
    return (size_t)((unsigned char *)run(a->world, c, end) - a->commands->bytes.base);
}

static void run_commands(applying *a, size_t offset, size_t end)
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

// Takes scratch memory for buffers: a word for each index that there is, or that spawns of so many
// may take.
static bool scratch_ready(applying *a, uint64_t many)
{
    weft_world *world = a->world;
    weft_region *last = &world->linking.last;
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

static void run_buffer(applying *a)
{
    number_commands(a);
    for (size_t offset = 0; offset < a->commands->used;) {
        size_t begin = run_alike(a, offset);
        offset = link_commands(a, begin);
        run_commands(a, begin, offset);
    }
}

static void empty(weft_world *world, weft_commands *commands)
{
    world->commands_lost += commands->lost;
    commands->used = commands->end = 0;
    commands->many = 0;
    commands->lost = 0;
}

// Gives the indices of all spawns of a buffer back. Returns how many commands it has.
static uint32_t forget(weft_world *world, const weft_commands *commands)
{
    uint32_t count = 0;
    for (size_t offset = 0; offset < commands->used; count++) {
        const weft_command *c = weft_command_at(commands, offset);
        offset += weft_command_bytes(world->plan, c);
        bool promised = c->kind == WEFT_COMMAND_SPAWN && c->handle != 0;
        if (promised) weft_place_return(world, c->handle);
    }
    return count;
}

// Applies a buffer. Without scratch memory all of it is lost.
static void apply_buffer(applying *a, weft_commands *commands)
{
    a->commands = commands;
    if (commands->used != 0 && a->ready) {
        run_buffer(a);
    } else if (commands->used != 0) {
        count_lost(a, WEFT_NO_MEMORY, forget(a->world, commands), 0);
    }
    if (commands->lost != 0 && a->status != WEFT_NO_MEMORY) a->status = commands->trouble;
    empty(a->world, commands);
}

static void drop_buffer(weft_world *world, weft_commands *commands)
{
    world->commands_dropped += forget(world, commands);
    empty(world, commands);
}

void weft_commands_drop(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) drop_buffer(world, &world->buffers[i]);
    if (world->hooks) drop_buffer(world, &world->hooks->next);
}

// ------------------------------------------------------------------------------------------------
// All buffers, and rounds of what hooks record

static bool is_recorded(const weft_commands *commands)
{
    return commands->used != 0 || commands->lost != 0;
}

// Says whether another round is within the limits, which hooks pass that answer each other without
// end. `bytes` are those of all rounds with it.
static bool goes_on(uint32_t rounds, size_t bytes)
{
    return rounds < WEFT_HOOK_ROUNDS_ALWAYS ||
           (rounds < WEFT_HOOK_ROUNDS_MAX && bytes <= WEFT_HOOK_BYTES_MAX);
}

static void report_waiting(applying *a, uint32_t rounds)
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

// Applies what hooks have recorded meanwhile, and what they record then. What is left beyond the
// limits waits for the next time.
static void apply_rounds(applying *a)
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

// Tells whose commands those of a buffer are: systems that record stand in the order of running.
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

// This function stands apart from the test whether anything is recorded, which most phases make
// twice and find nothing.
WEFT_APART static weft_status apply_recorded(weft_world *world)
{
    applying a = {.world = world, .status = WEFT_OK};
    uint32_t count = world->plan->buffer_count;
    weft_hooks *hooks = world->hooks;
    if (hooks) weft_hooks_applying(world);
    uint64_t many = hooks ? hooks->round.many : 0;
    for (uint32_t i = 0; i < count; i++) many += world->buffers[i].many;
    a.ready = scratch_ready(&a, many);
    if (hooks && hooks->round.used != 0) weft_writer(world, WEFT_HOOKS_WRITE, true);
    if (hooks) apply_buffer(&a, &hooks->round);
    for (uint32_t i = 0; i < count; i++) {
        bool told = world->insight && world->buffers[i].used != 0;
        if (told) tell_recorder(world, i);
        apply_buffer(&a, &world->buffers[i]);
    }
    if (hooks && hooks->next.used != 0) weft_writer(world, WEFT_HOOKS_WRITE, true);
    if (hooks) apply_rounds(&a);
    weft_writer(world, NULL, false);
    return a.status;
}

weft_status weft_commands_apply(weft_world *world)
{
    if (weft_busy_to_look(world, "flush" WEFT_WAITS)) return WEFT_BUSY;
    if (!world->recorded) return WEFT_OK;
    world->recorded = world->insight != NULL; // what hooks record from here on sets it, too
    bool any = world->hooks && is_recorded(&world->hooks->next);
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) any |= is_recorded(&world->buffers[i]);
    if (!any) return WEFT_OK;
    weft_zone_begin(world, WEFT_ZONE_APPLY, 0, 0);
    weft_status status = apply_recorded(world);
    weft_zone_end(world, WEFT_ZONE_APPLY, 0, 0);
    return status;
}
