// Commands, applied as record/command.h says: buffer by buffer; first the spawns take their
// handles, then each stretch between two that part it (a clear, an attach, a detach), entity by
// entity in the order of their first commands.
//
// What the world has no memory for it tells its log hook, like all it drops. Here those events are
// explained one by one, in the order they came: an event that does not fit is a mismatch.
#include "model.h"

#include "fail.h"
#include "trees.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool is_provisional(const model *m, uint64_t bits)
{
    return bits != 0 && bits >> m->index_bits == 0;
}

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
    if (c->kind == COMMAND_SPAWN) b->spawns++;
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

// Whether the world said that it had no memory to change this entity; 0: to make another one, at
// this moment.
static bool had_no_memory(applying *a, uint64_t handle)
{
    const event *e = next_event(a);
    if (!e || e->status != WEFT_NO_MEMORY || e->handle != handle) return false;
    if (e->unordered != RELATIONS) return false;                // of a turn yet to come
    if (handle == 0 && e->lost != a->m->lost + 1) return false; // it is about rumors
    if (handle == 0 && e->living != a->m->living_count) return false;
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

// ---- handles

// What a provisional handle of this buffer stands for, none if it found no space; one of elsewhere
// stays.
static uint64_t resolved(const applying *a, uint64_t bits)
{
    if (!is_provisional(a->m, bits)) return bits;
    for (uint32_t i = 0; i < a->b->count; i++) {
        const command *c = &a->b->items[i];
        if (c->kind == COMMAND_SPAWN && c->target == bits) return c->handle;
    }
    return bits;
}

typedef struct resolver {
    visitor base;
    const applying *a;
} resolver;

static void resolve_leaf(visitor *v, leaf l)
{
    const resolver *r = (const resolver *)(const void *)v;
    if (l.kind == LEAF_ENTITY) leaf_write(l, resolved(r->a, leaf_bits(l)));
}

static void resolve_value(const applying *a, command *c)
{
    resolver r = {{.see = resolve_leaf}, a};
    if (c->kind == COMMAND_SET || c->kind == COMMAND_REPLACE) {
        if (c->component < TAGS) components[c->component].visit(&r.base, c->value.bytes);
    } else if (c->kind == COMMAND_SPAWN || c->kind == COMMAND_SPAWN_MANY ||
               c->kind == COMMAND_SET_PREFAB) {
        if (c->prefab != NO_PREFAB) prefab_visit(c->prefab, &r.base, c->value.bytes);
    }
}

// Says if the next event came while a spawn would have taken an index that no entity had. A spawn
// that reuses one needs no memory for its handle, so the event is about a later command then.
static bool needs_record(const applying *a)
{
    const event *e = next_event(a);
    return e && !e->reuses;
}

static void take_handles(applying *a)
{
    for (uint32_t i = 0; i < a->b->count; i++) {
        command *c = &a->b->items[i];
        c->done = false;
        c->handle = 0;
        if (c->kind != COMMAND_SPAWN) continue;
        if (model_may_spawn(a->m, 1) != WEFT_OK) {
            explain(a, WEFT_FULL, 0);
            lost(a, WEFT_FULL, 1);
            c->done = true;
        } else if (needs_record(a) && had_no_memory(a, 0)) {
            lost(a, WEFT_NO_MEMORY, 1);
            c->done = true;
        } else {
            c->handle = model_take(a->m)->bits;
        }
    }
}

// ---- one entity

// Whether all that was recorded before it is applied before it.
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
        if (status == WEFT_NOT_FOUND) status = WEFT_OK; // what is not there is gone
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
        if (is_of_entity(c) && !c->done && c->handle == handle) return c;
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
    uint64_t handle = a->b->items[first].handle;
    entity *e = &a->m->entities[handle & (((uint64_t)1 << a->m->index_bits) - 1)];
    entity wanted = *e;
    uint32_t allowed = 0;
    uint32_t i = first;
    for (command *c; (c = next_of(a, &i, end, handle)) != NULL;) {
        c->done = true;
        if (c->kind == COMMAND_DESPAWN) {
            end_entity(a, e, i, end);
            return;
        }
        resolve_value(a, c);
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
    wanted.state = ALIVE;
    wanted.stale = true;
    *e = wanted;
}

static void apply_spawn_many(applying *a, command *c)
{
    weft_status status = model_may_spawn(a->m, c->n);
    c->done = true;
    resolve_value(a, c);
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
    uint64_t child = resolved(a, c->target);
    uint64_t other = resolved(a, c->other);
    weft_status status = attaches ? model_may_attach(m, c->relation, c->how, child, other)
                                  : model_may_detach(m, c->relation, child);
    c->done = true;
    if (attaches && had_no_memory(a, child)) {
        lost(a, WEFT_NO_MEMORY, 1);
    } else if (c->in_time && model_alive(m, child) && other != 0 && status == WEFT_DEAD &&
               !is_provisional(m, other)) {
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

// Whether a handle was just taken for a spawn command that stands before this one in its stretch.
static bool spawned_before(const applying *a, uint32_t first, uint32_t i, uint64_t handle)
{
    for (; first < i; first++) {
        const command *c = &a->b->items[first];
        if (c->kind == COMMAND_SPAWN && !c->done && c->handle == handle) return true;
    }
    return false;
}

// Commands on what is dead when a stretch begins are dropped when their turn comes.
static void find_dead(applying *a, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        command *c = &a->b->items[i];
        if (!is_of_entity(c) || c->kind == COMMAND_SPAWN) continue;
        c->handle = resolved(a, c->target);
        if (model_alive(a->m, c->handle) || spawned_before(a, first, i, c->handle)) continue;
        c->done = true;
        c->dead = true;
    }
}

// Whether the entity of a command lived when the stretch began, and ended with its parent.
static bool ended_meanwhile(const applying *a, const command *c)
{
    return is_of_entity(c) && c->kind != COMMAND_SPAWN && !model_alive(a->m, c->handle);
}

static void apply_stretch(applying *a, uint32_t first, uint32_t end)
{
    find_dead(a, first, end);
    for (uint32_t i = first; i < end; i++) {
        command *c = &a->b->items[i];
        if (c->dead) dropped(a, WEFT_DEAD, c->handle);
        if (c->done) continue;
        if (c->kind == COMMAND_ATTACH || c->kind == COMMAND_DETACH) {
            apply_link(a, c);
        } else if (ended_meanwhile(a, c)) {
            c->done = true;
            dropped(a, WEFT_DEAD, c->handle);
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
    take_handles(a);
    for (uint32_t first = 0; first < a->b->count;) {
        uint32_t end = first;
        while (end < a->b->count && !parts(&a->b->items[end])) end++;
        if (end < a->b->count) end++;
        apply_stretch(a, first, end);
        first = end;
    }
    resolver r = {{.see = resolve_leaf}, a};
    rumors_visit(&a->m->rumors, &r.base, true);
}

// Without memory to begin with nobody is spawned: their handles in rumors become none.
static void forget_spawns(applying *a)
{
    resolver r = {{.see = resolve_leaf}, a};
    for (uint32_t i = 0; i < a->b->count; i++) a->b->items[i].handle = 0;
    rumors_visit(&a->m->rumors, &r.base, true);
}

// Whether there was no memory to begin with: then each buffer with commands is lost as a whole.
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
            forget_spawns(&a);
            lost(&a, WEFT_NO_MEMORY, a.b->count);
        }
        if (a.b->lost != 0) lost(&a, a.b->trouble, a.b->lost);
        a.b->lost = 0;
        a.b->count = 0;
        a.b->spawns = 0;
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
