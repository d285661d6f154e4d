// Records random commands in the world and in the model.
//
// If the world later has no memory to apply them, the model learns from the world's messages which
// entity is affected (model_commands.c). That is certain only while each entity has commands in one
// buffer and no clear separates them; `careful` recording ensures this.
//
// flags: hot
#include "run.h"

#include "fail.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- which entities get commands from which buffer

static unsigned char *recipient(run *r, uint64_t bits)
{
    recipients *known = &r->recipients;
    uint64_t mask = ((uint64_t)1 << r->model.index_bits) - 1;
    uint32_t indices = r->model.index_count + PHASE_INDICES_MAX;
    if (known->capacity < indices) {
        known->buffers = (unsigned char *)realloc(known->buffers, indices);
        if (!known->buffers) fail("no memory to test with");
        memset(known->buffers + known->capacity, 0, indices - known->capacity);
        known->capacity = indices;
    }
    return (bits & mask) < known->capacity ? &known->buffers[bits & mask] : NULL;
}

// Returns whether a command on the handle may be recorded in the buffer, and remembers it.
static bool admit(run *r, uint64_t bits, buffer_id id)
{
    unsigned char *known = recipient(r, bits);
    unsigned char mine = (unsigned char)(id + 1);
    if (!known) return true;
    if (*known != 0 && *known != mine) {
        if (r->recipients.careful) return false;
        r->recipients.crossed = true;
    }
    *known = mine;
    return true;
}

void record_forget(run *r)
{
    if (r->recipients.buffers) memset(r->recipients.buffers, 0, r->recipients.capacity);
    r->recipients.crossed = false;
}

// ---- one command

// Expects the world to report a command that it could not record.
static void record_lost(run *r, buffer_id id, weft_status status)
{
    run_event_of(r, status);
    model_record_lost(&r->model, id, status);
}

static void recorded(run *r, buffer_id id, const command *c, bool done)
{
    if (done) {
        model_record(&r->model, id, c);
    } else if (r->memory.fired) {
        record_lost(r, id, WEFT_NO_MEMORY);
    } else {
        fail("a command is not recorded, though there is memory");
    }
}

static fuzz_entity record_spawn(run *r, fuzz_cmd *cmd, buffer_id id)
{
    command c = {.kind = COMMAND_SPAWN, .prefab = NO_PREFAB};
    fuzz_entity e;
    uint64_t next = model_next_handle(&r->model, id);
    if (any_chance(r, 4)) {
        e = fuzz_cmd_spawn(cmd);
    } else {
        c.prefab = any_prefab(r);
        prefab_defaults(c.prefab, &c.value);
        bool usual = any_chance(r, 4);
        if (!usual) any_value_of_prefab(r, c.prefab, &c.value);
        e = prefab_api[c.prefab].cmd_spawn(cmd, usual ? NULL : &c.value);
    }
    c.target = e.bits;
    if (e.bits != 0 && e.bits != next)
        fail("a spawn gets %" PRIx64 ", not %" PRIx64, c.target, next);
    if (next == 0) {
        record_lost(r, id, WEFT_FULL);
        return e;
    }
    recorded(r, id, &c, e.bits != 0);
    if (e.bits == 0) return e;
    unsigned char *known = recipient(r, e.bits);
    if (known) *known = (unsigned char)(id + 1);
    if (fuzz_alive(r->world, e)) fail("handle %" PRIx64 " is alive too early", c.target);
    r->kept[r->kept_count++ % HANDLES_KEPT] = e.bits;
    return e;
}

static void record_spawn_many(run *r, fuzz_cmd *cmd, buffer_id id)
{
    command c = {.kind = COMMAND_SPAWN_MANY, .prefab = any_prefab(r)};
    c.n = any_below(r, 6);
    if (any_chance(r, 32)) c.n = any_below(r, r->options.population);
    if (any_chance(r, 32)) c.n = (size_t)r->model.entities_max + any_below(r, 2);
    bool usual = any_chance(r, 4);
    prefab_defaults(c.prefab, &c.value);
    if (!usual) any_value_of_prefab(r, c.prefab, &c.value);
    recorded(r, id, &c, prefab_api[c.prefab].cmd_spawn_many(cmd, c.n, usual ? NULL : &c.value));
}

static void record_clear(run *r, fuzz_cmd *cmd, buffer_id id)
{
    command c = {.kind = COMMAND_CLEAR};
    if (r->recipients.careful) return;
    c.component = any_component(r);
    r->recipients.crossed = true;
    recorded(r, id, &c, component_api[c.component].cmd_clear(cmd));
}

static void record_change(run *r, fuzz_cmd *cmd, buffer_id id, fuzz_entity e)
{
    command c = {.component = any_component(r), .prefab = any_prefab(r), .target = e.bits};
    uint32_t kind = any_below(r, 18);
    if (kind >= 16) {
        c.kind = COMMAND_REPLACE;
        c.component = (component)any_below(r, TAGS);
        any_value_of(r, &components[c.component], &c.value);
        recorded(r, id, &c, component_api[c.component].cmd_replace(cmd, e, &c.value));
    } else if (kind == 0) {
        c.kind = COMMAND_DESPAWN;
        recorded(r, id, &c, fuzz_cmd_despawn(cmd, e));
    } else if (kind < 6) {
        c.kind = COMMAND_REMOVE;
        recorded(r, id, &c, component_api[c.component].cmd_remove(cmd, e));
    } else if (kind < 8) {
        bool usual = any_chance(r, 4);
        c.kind = COMMAND_SET_PREFAB;
        prefab_defaults(c.prefab, &c.value);
        if (!usual) any_value_of_prefab(r, c.prefab, &c.value);
        recorded(r, id, &c, prefab_api[c.prefab].cmd_set(cmd, e, usual ? NULL : &c.value));
    } else {
        c.kind = COMMAND_SET;
        any_value_of(r, &components[c.component], &c.value);
        recorded(r, id, &c, component_api[c.component].cmd_set(cmd, e, &c.value));
    }
}

// Parts its buffer as a clear does.
static void record_link(run *r, fuzz_cmd *cmd, buffer_id id, fuzz_entity child)
{
    command c = {.kind = COMMAND_ATTACH, .relation = any_relation(r), .target = child.bits};
    fuzz_entity other = any_handle(r);
    if (r->recipients.careful) return;
    r->recipients.crossed = true;
    if (any_chance(r, 4)) {
        c.kind = COMMAND_DETACH;
        recorded(r, id, &c, relation_api[c.relation].cmd_detach(cmd, child));
    } else {
        c.how = any_how(r, c.relation);
        c.other = other.bits;
        c.in_time = model_attaches_in_time(&r->model, c.relation, c.how, c.target, c.other);
        recorded(r, id, &c, relation_api[c.relation].cmd_attach[c.how](cmd, child, other));
    }
}

// Spawns more entities than there are indices, if there are few.
void record_flood(run *r, fuzz_cmd *cmd, buffer_id id)
{
    uint32_t handles = ((uint32_t)1 << 10) - 1;
    if (r->model.index_bits > 10) return;
    for (uint32_t i = 0; i <= handles; i++) record_spawn(r, cmd, id);
}

void record_any(run *r, fuzz_cmd *cmd, buffer_id id)
{
    fuzz_entity e = any_handle(r);
    for (uint32_t left = 1 + any_below(r, 4); left > 0; left--) {
        switch (any_below(r, 32)) {
        case 0:
            record_spawn_many(r, cmd, id);
            break;
        case 1:
            record_clear(r, cmd, id);
            break;
        case 2:
        case 3:
        case 4:
        case 5:
        case 6:
            e = record_spawn(r, cmd, id);
            break;
        case 7:
        case 8:
            if (any_chance(r, 2)) e = any_handle(r);
            record_link(r, cmd, id, e);
            break;
        default:
            if (any_chance(r, 2)) e = any_handle(r);
            if (admit(r, e.bits, id)) record_change(r, cmd, id, e);
            break;
        }
    }
}
