// Applies commands as record/command.h specifies: buffer by buffer, each stretch between two
// separators (a clear, an attach, a detach), and entity by entity in the order of their first
// commands.
//
// If the world has no memory for a command, it reports the loss to its log hook, like every drop.
// The model explains these events one by one, in order. An event that it cannot explain is a
// mismatch.
//
// flags: hot
#include "model.h"

#include "fail.h"
#include "trees.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- recording

void model_record(model *m, buffer_id id, const command *c)
{
    buffer *b = &m->buffers[id];
    if (b->count == b->capacity) {
        b->capacity = b->capacity == 0 ? 16 : b->capacity * 2;
        b->items = (command *)realloc(b->items, b->capacity * sizeof *b->items);
        if (!b->items) fail("no memory to test with");
    }
    b->items[b->count++] = *c;
    if (c->kind != COMMAND_SPAWN) return;
    if (id == OUTSIDE) {
        model_take(m);
    } else {
        b->spawns++;
    }
}

void model_record_lost(model *m, buffer_id id, weft_status status)
{
    if (m->buffers[id].lost++ == 0) m->buffers[id].trouble = status;
}

// ---- applying

typedef struct applying {
    model *m;
    events *told;
    buffer *b;
    weft_status status;
} applying;

static const event *next_event(const applying *a)
{
    return a->told->read < a->told->count ? &a->told->items[a->told->read] : NULL;
}

// Returns whether the world reported now that it had no memory to change this entity, or to spawn
// one if `handle` is 0.
static bool had_no_memory(applying *a, uint64_t handle)
{
    const event *e = next_event(a);
    if (!e || e->status != WEFT_NO_MEMORY || e->handle != handle) return false;
    if (e->unordered != RELATIONS) return false;                // of a turn yet to come
    if (handle == 0 && e->lost != a->m->lost + 1) return false; // it is about rumors
    if (handle == 0 && e->living != a->m->living_count - a->m->taken) return false;
    if (handle == 0 && e->next != model_next_index(a->m)) return false;
    a->told->read++;
    return true;
}

static void explain(applying *a, weft_status status, uint64_t handle)
{
    const event *e = next_event(a);
    if (!e) fail("the world did not say that handle %" PRIx64 " got %d", handle, (int)status);
    if (e->status != status || e->handle != handle) {
        fail("the world said %d of handle %" PRIx64 ", not %d of %" PRIx64, (int)e->status,
             e->handle, (int)status, handle);
    }
    a->told->read++;
}

static void dropped(applying *a, weft_status status, uint64_t handle)
{
    a->m->dropped++;
    explain(a, status, handle);
}

static void lost(applying *a, weft_status status, uint32_t count)
{
    a->m->lost += count;
    if (a->status != WEFT_NO_MEMORY) a->status = status;
}

static entity *entity_at(model *m, uint64_t handle)
{
    return &m->entities[handle & (((uint64_t)1 << m->index_bits) - 1)];
}

// ---- the end of a phase

// Several systems may have recorded more spawns than there is space for: then the last are lost.
// The mirror loses them, too.
void model_lose_spawns(model *m, events *told)
{
    applying a = {.m = m, .told = told};
    uint32_t space = m->entities_max - (m->living_count - m->taken);
    for (buffer_id id = 0; id < BUFFERS; id++) {
        for (uint32_t i = 0; i < m->buffers[id].count; i++) {
            command *c = &m->buffers[id].items[i];
            if (c->kind != COMMAND_SPAWN) continue;
            if (space != 0) {
                space--;
                continue;
            }
            model_give(m, entity_at(m, c->target));
            m->life_count--;
            c->target = 0;
            c->done = true;
            explain(&a, WEFT_FULL, 0);
            model_record_lost(m, id, WEFT_FULL);
        }
    }
}

// ---- one entity

// Returns whether all earlier commands are applied before this one.
static bool parts(const command *c)
{
    return c->kind == COMMAND_CLEAR || c->kind == COMMAND_ATTACH || c->kind == COMMAND_DETACH;
}

static bool is_of_entity(const command *c)
{
    return !parts(c) && c->kind != COMMAND_SPAWN_MANY;
}

static weft_status evaluate(entity *e, const command *c)
{
    weft_status status = WEFT_OK;
    switch (c->kind) {
    case COMMAND_SPAWN:
        entity_set_prefab(e, c->prefab, &c->value);
        break;
    case COMMAND_SET:
        status = entity_may_set(e, c->component);
        if (status == WEFT_OK) entity_set(e, c->component, c->value.bytes);
        break;
    case COMMAND_REPLACE:
        status = entity_has(e, c->component) ? WEFT_OK : WEFT_NOT_FOUND;
        if (status == WEFT_OK) entity_write(e, c->component, c->value.bytes);
        break;
    case COMMAND_SET_PREFAB:
        status = entity_may_set_prefab(e, c->prefab);
        if (status == WEFT_OK) entity_set_prefab(e, c->prefab, &c->value);
        break;
    case COMMAND_REMOVE:
        status = entity_may_remove(e, c->component);
        if (status == WEFT_OK) e->has &= ~only(c->component);
        if (status == WEFT_NOT_FOUND) status = WEFT_OK; // missing components count as removed
        break;
    case COMMAND_SPAWN_MANY:
    case COMMAND_DESPAWN:
    case COMMAND_CLEAR:
    case COMMAND_ATTACH:
    case COMMAND_DETACH:
        break;
    }
    return status;
}

static command *next_of(const applying *a, uint32_t *i, uint32_t end, uint64_t handle)
{
    for (; *i < end; (*i)++) {
        command *c = &a->b->items[*i];
        if (is_of_entity(c) && !c->done && c->target == handle) return c;
    }
    return NULL;
}

static void end_entity(applying *a, entity *e, uint32_t i, uint32_t end)
{
    uint64_t handle = e->bits;
    model_end(a->m, e);
    for (command *c; (c = next_of(a, &i, end, handle)) != NULL;) {
        c->done = true;
        dropped(a, WEFT_DEAD, handle);
    }
}

// All commands on one entity from its first one on, in order; then it changes once, or not at all.
static void apply_entity(applying *a, uint32_t first, uint32_t end)
{
    uint64_t handle = a->b->items[first].target;
    entity *e = entity_at(a->m, handle);
    entity wanted = *e;
    uint32_t allowed = 0;
    uint32_t i = first;
    for (command *c; (c = next_of(a, &i, end, handle)) != NULL;) {
        c->done = true;
        if (c->kind == COMMAND_DESPAWN) {
            end_entity(a, e, i, end);
            return;
        }
        weft_status status = evaluate(&wanted, c);
        if (status == WEFT_OK) {
            allowed++;
        } else {
            dropped(a, status, handle);
        }
    }
    if (had_no_memory(a, handle)) {
        lost(a, WEFT_NO_MEMORY, allowed);
        if (e->state == TAKEN) model_give(a->m, e);
        return;
    }
    a->m->changes += wanted.has != e->has;
    if (e->state == TAKEN) model_place(a->m, e);
    wanted.state = ALIVE;
    wanted.stale = true;
    *e = wanted;
}

static void apply_spawn_many(applying *a, command *c)
{
    weft_status status = model_may_spawn(a->m, c->n);
    c->done = true;
    if (status != WEFT_OK) {
        explain(a, status, 0);
        lost(a, status, 1);
    } else if (c->n != 0 && had_no_memory(a, 0)) {
        lost(a, WEFT_NO_MEMORY, 1);
    } else {
        for (size_t i = 0; i < c->n; i++) model_spawn(a->m, c->prefab, &c->value);
    }
}

// ---- relations

static void apply_link(applying *a, command *c)
{
    model *m = a->m;
    bool attaches = c->kind == COMMAND_ATTACH;
    uint64_t child = c->target;
    uint64_t other = c->other;
    weft_status status = attaches ? model_may_attach(m, c->relation, c->how, child, other)
                                  : model_may_detach(m, c->relation, child);
    c->done = true;
    if (attaches && had_no_memory(a, child)) {
        lost(a, WEFT_NO_MEMORY, 1);
    } else if (c->in_time && model_alive(m, child) && other != 0 && status == WEFT_DEAD &&
               !model_is_ahead(m, other)) {
        model_end(m, model_find(m, child));
    } else if (status == WEFT_DEAD) {
        dropped(a, status, attaches && model_alive(m, child) ? other : child);
    } else if (status == WEFT_REFUSED || (attaches && status == WEFT_NOT_FOUND)) {
        dropped(a, status, 0);
    } else if (attaches) {
        model_attach(m, c->relation, c->how, child, other);
    } else if (status == WEFT_OK) { // who has no parent need not be detached
        model_detach(m, c->relation, child);
    }
}

// ---- stretches between two clears, attaches or detaches

// Returns whether an earlier spawn command of this stretch has this handle.
static bool spawned_before(const applying *a, uint32_t first, uint32_t i, uint64_t handle)
{
    for (; first < i; first++) {
        const command *c = &a->b->items[first];
        if (c->kind == COMMAND_SPAWN && !c->done && c->target == handle) return true;
    }
    return false;
}

// Commands on entities that are dead when a stretch begins are dropped in their turn.
static void find_dead(applying *a, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        command *c = &a->b->items[i];
        if (!is_of_entity(c) || c->kind == COMMAND_SPAWN) continue;
        if (model_alive(a->m, c->target) || spawned_before(a, first, i, c->target)) continue;
        c->done = true;
        c->dead = true;
    }
}

// Returns whether the entity of a command lived when the stretch began, and was despawned with its
// parent.
static bool ended_meanwhile(const applying *a, const command *c)
{
    return is_of_entity(c) && c->kind != COMMAND_SPAWN && !model_alive(a->m, c->target);
}

static void apply_stretch(applying *a, uint32_t first, uint32_t end)
{
    find_dead(a, first, end);
    for (uint32_t i = first; i < end; i++) {
        command *c = &a->b->items[i];
        if (c->dead) dropped(a, WEFT_DEAD, c->target);
        if (c->done) continue;
        if (c->kind == COMMAND_ATTACH || c->kind == COMMAND_DETACH) {
            apply_link(a, c);
        } else if (ended_meanwhile(a, c)) {
            c->done = true;
            dropped(a, WEFT_DEAD, c->target);
        } else if (c->kind == COMMAND_CLEAR) {
            model_clear(a->m, c->component);
        } else if (c->kind == COMMAND_SPAWN_MANY) {
            apply_spawn_many(a, c);
        } else {
            apply_entity(a, i, end);
        }
    }
}

static void apply_buffer(applying *a)
{
    for (uint32_t first = 0; first < a->b->count;) {
        uint32_t end = first;
        while (end < a->b->count && !parts(&a->b->items[end])) end++;
        if (end < a->b->count) end++;
        apply_stretch(a, first, end);
        first = end;
    }
}

// Spawns nothing if there was no memory at the start.
static void give_spawns(applying *a)
{
    for (uint32_t i = 0; i < a->b->count; i++) {
        const command *c = &a->b->items[i];
        if (c->kind == COMMAND_SPAWN) model_give(a->m, entity_at(a->m, c->target));
    }
}

// Returns whether there was no memory at the start: then each buffer with commands is lost
// completely.
static bool all_lost(const applying *a)
{
    uint32_t read = a->told->read;
    uint64_t known = a->m->lost;
    bool any = false;
    for (int i = 0; i < BUFFERS; i++) {
        const buffer *b = &a->m->buffers[i];
        if (b->count != 0) {
            const event *e = read < a->told->count ? &a->told->items[read] : NULL;
            known += b->count;
            if (!e || e->status != WEFT_NO_MEMORY || e->handle != 0 || e->lost != known) {
                return false;
            }
            if (e->unordered != RELATIONS) return false; // of a turn yet to come
            read++;
            any = true;
        }
        known += b->lost;
    }
    return any;
}

weft_status model_apply(model *m, events *told)
{
    applying a = {m, told, NULL, WEFT_OK};
    bool none = all_lost(&a);
    for (int i = 0; i < BUFFERS; i++) {
        a.b = &m->buffers[i];
        if (!none) {
            apply_buffer(&a);
        } else if (a.b->count != 0) {
            told->read++;
            give_spawns(&a);
            lost(&a, WEFT_NO_MEMORY, a.b->count);
        }
        if (a.b->lost != 0) lost(&a, a.b->trouble, a.b->lost);
        a.b->lost = 0;
        a.b->count = 0;
    }
    return a.status;
}

// ---- rumors

void model_distribute(model *m, events *told)
{
    applying a = {.m = m, .told = told};
    rumors *all = &m->rumors;
    for (teller t = 0; t < TELLERS; t++) {
        handover h = rumors_expected(all, t);
        const event *e = next_event(&a);
        if (h.taken != 0 && e && e->status == WEFT_NO_MEMORY && e->handle == 0 &&
            e->rumors_lost == all->lost + h.no_memory + h.taken) {
            h.no_memory += h.taken;
            h.taken = 0;
        }
        if (h.no_memory != 0) explain(&a, WEFT_NO_MEMORY, 0);
        if (h.no_space != 0) explain(&a, WEFT_FULL, 0);
        rumors_take(all, t, h);
    }
}
