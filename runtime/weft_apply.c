// Applying commands, as weft_command.h says. Scratch memory is taken before anything is changed,
// and is all zeros between uses.
#include "weft_record.h"

#include "weft_structure.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Handles

typedef struct applying {
    weft_world *world;
    weft_commands *commands;
    uint64_t *handles;      // weft_provisional.handles
    uint32_t *last;         // weft_provisional.last
    size_t indices;         // that it has room for
    uint32_t ordinal_first; // of the buffer's own spawns, counted from provisional.first
    uint32_t ordinal_last;
    weft_status status;
} applying;

// The how manieth spawn since the buffers were applied a provisional handle is of.
static uint32_t ordinal_of(const weft_world *world, uint64_t handle)
{
    uint32_t first = world->provisional.first;
    uint32_t index = (uint32_t)handle - 1;
    return index >= first ? index - first : index + (weft_provisional_limit(world->plan) - first);
}

// Stands for a spawn of this buffer that found no room; 0 in its place is one of another buffer.
#define NOT_SPAWNED UINT64_MAX

// What a handle in a command means. Provisional ones of elsewhere stay what they are: dead.
static uint64_t resolved(void *context, uint64_t handle)
{
    const applying *a = (const applying *)context;
    if (!weft_is_provisional(a->world->plan->format, handle)) return handle;
    uint32_t ordinal = ordinal_of(a->world, handle);
    uint64_t means = ordinal < a->world->provisional.issued ? a->handles[ordinal] : 0;
    if (means == 0) return handle;
    return means == NOT_SPAWNED ? 0 : means;
}

static void resolve_value(applying *a, weft_record *r)
{
    if (a->commands->spawned == 0) return;
    weft_record_change(a->world, r, resolved, a);
}

static void drop(applying *a, weft_refusal why)
{
    a->world->commands_dropped++;
    weft_refuse(a->world, why);
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

static void take_handle(applying *a, weft_record *r)
{
    weft_world *world = a->world;
    weft_format f = world->plan->format;
    uint32_t ordinal = ordinal_of(world, r->command.handle);
    uint32_t index;
    uint32_t generation;
    if (ordinal < a->ordinal_first) a->ordinal_first = ordinal;
    if (ordinal > a->ordinal_last) a->ordinal_last = ordinal;
    if (weft_entities_take(&world->entities, &world->heap, f, &index, &generation)) {
        r->command.handle = weft_handle(f, index, generation);
        a->handles[ordinal] = r->command.handle;
    } else {
        r->command.handle = 0;
        a->handles[ordinal] = NOT_SPAWNED;
        lose(a, weft_spawn_status(world), 1, 0);
    }
}

static void take_handles(applying *a)
{
    if (a->commands->spawned == 0) return;
    for (size_t offset = 0; offset < a->commands->used;) {
        weft_record *r = weft_record_at(a->commands, offset);
        if (r->command.kind == WEFT_COMMAND_SPAWN) take_handle(a, r);
        offset += weft_record_bytes(&r->command);
    }
}

static void give_handle(applying *a, uint64_t handle)
{
    weft_format f = a->world->plan->format;
    weft_entities_give(&a->world->entities, f, weft_handle_index(f, handle),
                       (uint32_t)(handle >> f.index_bits));
}

// ------------------------------------------------------------------------------------------------
// Linking the records of one entity

static void link_entity(applying *a, weft_record *r, uint32_t unit)
{
    const weft_entities *entities = &a->world->entities;
    weft_format f = a->world->plan->format;
    uint64_t handle = r->command.handle;
    uint32_t index = weft_handle_index(f, handle);
    weft_place at;
    uint32_t last = index < a->indices ? a->last[index] : 0;
    if (last != 0) {
        weft_record *before = weft_record_at(a->commands, (size_t)(last - 1) * 8);
        if (before->command.handle != handle) {
            drop_dead(a, handle);
            return;
        }
        before->next = unit;
        r->role = WEFT_ROLE_FOLLOWS;
    } else {
        if (r->command.kind != WEFT_COMMAND_SPAWN && !weft_find(entities, f, handle, &at)) {
            drop_dead(a, handle);
            return;
        }
        r->role = WEFT_ROLE_FIRST;
    }
    a->last[index] = unit + 1;
}

// Links records from an offset on, up to and with the next that parts the buffer. Returns where the
// rest starts.
static size_t link_stretch(applying *a, size_t offset)
{
    while (offset < a->commands->used) {
        weft_record *r = weft_record_at(a->commands, offset);
        uint32_t unit = (uint32_t)(offset / 8);
        offset += weft_record_bytes(&r->command);
        switch ((weft_command_kind)r->command.kind) {
        case WEFT_COMMAND_CLEAR:
            r->role = WEFT_ROLE_ALONE;
            return offset;
        case WEFT_COMMAND_SPAWN_MANY:
            r->role = WEFT_ROLE_ALONE;
            break;
        case WEFT_COMMAND_SPAWN:
            if (r->command.handle != 0) link_entity(a, r, unit);
            break;
        case WEFT_COMMAND_DESPAWN:
        case WEFT_COMMAND_SET:
        case WEFT_COMMAND_REMOVE:
        case WEFT_COMMAND_SET_PREFAB:
            r->command.handle = resolved(a, r->command.handle);
            link_entity(a, r, unit);
            break;
        }
    }
    return offset;
}

// ------------------------------------------------------------------------------------------------
// Running the records of one entity

static weft_record *next_of(const applying *a, const weft_record *r)
{
    return r->next == 0 ? NULL : weft_record_at(a->commands, (size_t)r->next * 8);
}

// Whether the rules let the batch have it; counted as dropped if not.
static bool evaluate(applying *a, weft_batch *batch, weft_record *r)
{
    weft_refusal why;
    bool done = true;
    uint16_t what = r->command.what;
    const void *value = weft_record_value(r);
    resolve_value(a, r);
    switch ((weft_command_kind)r->command.kind) {
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
        break;
    }
    if (!done) drop(a, why);
    return done;
}

// Ends the entity; what was recorded on it after that is dropped.
static void run_despawn(applying *a, weft_record *r, bool placed)
{
    weft_place at;
    weft_format f = a->world->plan->format;
    uint64_t handle = r->command.handle;
    if (placed && weft_find(&a->world->entities, f, handle, &at)) {
        weft_despawn_at(a->world, f, handle, at);
    } else {
        give_handle(a, handle);
    }
    while ((r = next_of(a, r)) != NULL) drop_dead(a, handle);
}

static void run_batch(applying *a, weft_record *first)
{
    weft_batch *batch = a->world->batch;
    uint64_t handle = first->command.handle;
    bool placed = first->command.kind != WEFT_COMMAND_SPAWN;
    uint32_t done = 0;
    if (placed) {
        weft_batch_begin(batch, handle);
    } else {
        weft_batch_begin_new(batch, handle);
    }
    for (weft_record *r = first; r; r = next_of(a, r)) {
        if (r->command.kind == WEFT_COMMAND_DESPAWN) {
            run_despawn(a, r, placed);
            return;
        }
        done += evaluate(a, batch, r);
    }
    if (weft_batch_commit(batch)) return;
    if (!placed) give_handle(a, handle);
    lose(a, WEFT_NO_MEMORY, done, handle);
}

// A spawn that no other command concerns goes into its table at once.
static bool place(applying *a, weft_record *r)
{
    weft_world *world = a->world;
    const weft_plan *plan = world->plan;
    uint16_t prefab = r->command.what;
    uint64_t handle = r->command.handle;
    if (prefab == WEFT_NONE) {
        weft_table *empty = world->tables.items[0];
        if (!weft_table_grow(&world->heap, plan, empty, empty->count + 1)) return false;
        weft_row_append(world, plan->format, empty, handle);
    } else {
        uint32_t index = weft_handle_index(plan->format, handle);
        if (!weft_prefab_row_ready(world, prefab, index)) return false;
        uint32_t row = weft_row_append(world, plan->format, world->prefab_tables[prefab], handle);
        weft_prefab_rows_put(world, prefab, row, 1, weft_record_value(r));
    }
    weft_world_changed(world);
    return true;
}

static void run_spawn(applying *a, weft_record *r)
{
    resolve_value(a, r);
    if (place(a, r)) return;
    give_handle(a, r->command.handle);
    lose(a, WEFT_NO_MEMORY, 1, r->command.handle);
}

// A set or remove on an entity that has no other command. False: it brings other components along.
static bool run_set(applying *a, weft_record *r, weft_place at)
{
    weft_world *world = a->world;
    uint16_t component = r->command.what;
    uint64_t handle = r->command.handle;
    weft_refusal why;
    weft_verdict verdict = weft_row_may_set(world, handle, at, component, &why);
    if (verdict == WEFT_ALLOWED_WITH_MORE) return false;
    if (verdict == WEFT_FORBIDDEN) {
        drop(a, why);
        return true;
    }
    resolve_value(a, r);
    if (!weft_row_set(world, handle, at, component, weft_record_value(r))) {
        lose(a, WEFT_NO_MEMORY, 1, handle);
    }
    return true;
}

static void run_remove(applying *a, weft_record *r, weft_place at)
{
    weft_world *world = a->world;
    uint16_t component = r->command.what;
    uint64_t handle = r->command.handle;
    weft_refusal why;
    if (!weft_row_has(world->plan, world->tables.items[at.table], at.row, component)) return;
    if (!weft_row_may_remove(world, handle, at, component, &why)) {
        drop(a, why);
    } else if (!weft_row_remove(world, handle, at, component)) {
        lose(a, WEFT_NO_MEMORY, 1, handle);
    }
}

// Runs the only command on an entity. False: it is for a batch.
static bool run_alone(applying *a, weft_record *r)
{
    weft_format f = a->world->plan->format;
    weft_place at;
    if (r->command.kind == WEFT_COMMAND_SPAWN) {
        run_spawn(a, r);
        return true;
    }
    if (!weft_find(&a->world->entities, f, r->command.handle, &at)) return false;
    switch ((weft_command_kind)r->command.kind) {
    case WEFT_COMMAND_DESPAWN:
        weft_despawn_at(a->world, f, r->command.handle, at);
        return true;
    case WEFT_COMMAND_SET:
        return run_set(a, r, at);
    case WEFT_COMMAND_REMOVE:
        run_remove(a, r, at);
        return true;
    case WEFT_COMMAND_SPAWN:
    case WEFT_COMMAND_SPAWN_MANY:
    case WEFT_COMMAND_CLEAR:
    case WEFT_COMMAND_SET_PREFAB:
        break;
    }
    return false;
}

static void run_entity(applying *a, weft_record *r)
{
    a->last[weft_handle_index(a->world->plan->format, r->command.handle)] = 0;
    if (r->next != 0 || !run_alone(a, r)) run_batch(a, r);
}

static void run_spawn_many(applying *a, weft_record *r)
{
    uint64_t n;
    uint32_t first_row;
    memcpy(&n, weft_record_value(r), sizeof n);
    resolve_value(a, r);
    weft_status status = weft_prefab_spawn(a->world, r->command.what, n,
                                           weft_record_value(r) + sizeof n, NULL, &first_row);
    if (status != WEFT_OK) lose(a, status, 1, 0);
}

static void run_stretch(applying *a, size_t offset, size_t end)
{
    while (offset < end) {
        weft_record *r = weft_record_at(a->commands, offset);
        offset += weft_record_bytes(&r->command);
        if (r->role == WEFT_ROLE_FIRST) {
            run_entity(a, r);
        } else if (r->role == WEFT_ROLE_ALONE && r->command.kind == WEFT_COMMAND_CLEAR) {
            weft_rows_clear(a->world, r->command.what);
        } else if (r->role == WEFT_ROLE_ALONE) {
            run_spawn_many(a, r);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// All of it

static void apply_buffer(applying *a)
{
    a->ordinal_first = UINT32_MAX;
    a->ordinal_last = 0;
    take_handles(a);
    for (size_t offset = 0; offset < a->commands->used;) {
        size_t end = link_stretch(a, offset);
        run_stretch(a, offset, end);
        offset = end;
    }
    if (a->ordinal_first > a->ordinal_last) return;
    memset(a->handles + a->ordinal_first, 0,
           ((size_t)a->ordinal_last - a->ordinal_first + 1) * sizeof *a->handles);
}

// Scratch for what is recorded. An index of a living entity is one of those there are and those
// that spawns may take.
static bool scratch_ready(applying *a)
{
    weft_world *world = a->world;
    weft_provisional *provisional = &world->provisional;
    uint64_t indices_max = world->entities.index_limit;
    uint64_t indices = (uint64_t)world->entities.index_count + provisional->issued;
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) indices += world->buffers[i].many;
    if (indices > indices_max) indices = indices_max;
    if (!weft_region_grow(&world->heap, &provisional->last, (size_t)indices * sizeof(uint32_t),
                          (size_t)indices_max * sizeof(uint32_t)) ||
        !weft_region_grow(&world->heap, &provisional->handles,
                          provisional->issued * sizeof(uint64_t),
                          weft_provisional_limit(world->plan) * sizeof(uint64_t))) {
        return false;
    }
    a->handles = (uint64_t *)(void *)provisional->handles.base;
    a->last = (uint32_t *)(void *)provisional->last.base;
    a->indices = (size_t)indices;
    return true;
}

static bool anything_recorded(const weft_world *world)
{
    bool any = false;
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        any |= world->buffers[i].count != 0 || world->buffers[i].lost != 0;
    }
    return any;
}

static void empty_buffer(applying *a, weft_commands *commands)
{
    a->world->commands_lost += commands->lost;
    if (commands->lost != 0 && a->status != WEFT_NO_MEMORY) a->status = commands->trouble;
    commands->used = 0;
    commands->count = 0;
    commands->spawned = 0;
    commands->many = 0;
    commands->lost = 0;
}

// Apart from what finds that there is nothing to apply, as twice in most phases.
WEFT_APART static weft_status apply_recorded(weft_world *world)
{
    weft_provisional *provisional = &world->provisional;
    applying a = {.world = world, .status = WEFT_OK};
    bool ready = scratch_ready(&a);
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        a.commands = &world->buffers[i];
        if (ready) {
            apply_buffer(&a);
        } else if (a.commands->count != 0) {
            lose(&a, WEFT_NO_MEMORY, a.commands->count, 0);
        }
        empty_buffer(&a, a.commands);
    }
    uint64_t next = (uint64_t)provisional->first + provisional->issued;
    provisional->first = (uint32_t)(next % weft_provisional_limit(world->plan));
    provisional->issued = 0;
    return a.status;
}

weft_status weft_commands_apply(weft_world *world)
{
    if (weft_busy(world)) return WEFT_BUSY;
    return anything_recorded(world) ? apply_recorded(world) : WEFT_OK;
}
