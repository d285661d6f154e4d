// Computes the hook calls of each operation. See model.h.
//
// flags: hot
#include "model.h"

#include "fail.h"

#include <stdlib.h>
#include <string.h>

// Makes space for one more; gives the array.
static void *grown(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) return items;
    *capacity = *capacity * 2 + 64;
    items = realloc(items, *capacity * size);
    if (!items) fail("no memory to test with");
    return items;
}

void model_close(model *m)
{
    free(m->beings);
    free(m->told);
    free(m->outside.items);
    free(m->next.items);
}

void model_forget(model *m)
{
    m->told_count = 0;
}

size_t model_conceive(model *m)
{
    m->beings = (being *)grown(m->beings, m->being_count, &m->being_capacity, sizeof *m->beings);
    m->beings[m->being_count] = (being){.alive = false};
    return m->being_count++;
}

void model_record(orders *o, order item)
{
    o->items = (order *)grown(o->items, o->count, &o->capacity, sizeof *o->items);
    o->items[o->count++] = item;
}

// ------------------------------------------------------------------------------------------------
// Telling

reaction react_to(bool removed, uint16_t component, uint64_t value)
{
    uint32_t v = (uint32_t)value;
    reaction nothing = {.v = 0};
    switch (component) {
    case DEN_COMPONENT_BODY:
        if (!removed && v % 8 == 1)
            return (reaction){.sets = true, .component = DEN_COMPONENT_SEEN};
        return nothing;
    case DEN_COMPONENT_SCENT:
        if (!removed || v % 8 != 2) return nothing;
        return (reaction){.sets = true, .component = DEN_COMPONENT_GAIT, .v = v + 1};
    case DEN_COMPONENT_PELT:
        if (removed || v % 8 != 4) return nothing;
        return (reaction){.spawns = true, .v = v};
    case DEN_COMPONENT_GAIT: // one that takes it away and one that gives a smaller one back
        v = (uint32_t)(value >> 8);
        if (v % 16 != 3 || v < 16) return nothing;
        return (reaction){
            .sets = removed, .removes = !removed, .component = component, .v = v - 16 * removed};
    default:
        return nothing;
    }
}

static void react(model *m, const expected *t)
{
    orders *record = m->applying ? &m->next : &m->outside;
    reaction r = react_to(t->removed, t->component, t->value);
    if (r.sets) model_record(record, (order){ORDER_SET, t->being, r.component, FOX, r.v, 0, false});
    if (r.removes) {
        model_record(record, (order){ORDER_REMOVE, t->being, r.component, FOX, 0, 0, false});
    }
    if (r.spawns) {
        size_t child = model_conceive(m);
        model_record(record, (order){ORDER_SPAWN, child, 0, FOX, r.v, 0, false});
        model_record(record, (order){ORDER_REMOVE, child, DEN_COMPONENT_SEEN, FOX, 0, 0, false});
    }
}

static void tell(model *m, bool removed, size_t who, uint16_t component, uint64_t value)
{
    const weft_component_info *info = &den_schema()->components[component];
    if (removed ? !info->on_remove : !info->on_add) return;
    m->told = (expected *)grown(m->told, m->told_count, &m->told_capacity, sizeof *m->told);
    m->told[m->told_count++] = (expected){removed, false, false, component, who, value, 0};
    expected t = m->told[m->told_count - 1];
    react(m, &t);
}

static void tell_replaced(model *m, size_t who, uint16_t component, uint64_t old, uint64_t value)
{
    if (!den_schema()->components[component].on_replace) return;
    m->told = (expected *)grown(m->told, m->told_count, &m->told_capacity, sizeof *m->told);
    m->told[m->told_count++] = (expected){false, true, false, component, who, value, old};
}

// ------------------------------------------------------------------------------------------------
// Rules, as hooks.toml has them

static bool is_excluded(const being *b, uint16_t component)
{
    return (component == DEN_COMPONENT_PELT && b->has[DEN_COMPONENT_BARE]) ||
           (component == DEN_COMPONENT_BARE && b->has[DEN_COMPONENT_PELT]);
}

static bool is_required(const being *b, uint16_t component)
{
    return component == DEN_COMPONENT_BODY &&
           (b->has[DEN_COMPONENT_PELT] || b->has[DEN_COMPONENT_MARKED]);
}

static bool requires_body(uint16_t component)
{
    return component == DEN_COMPONENT_PELT || component == DEN_COMPONENT_MARKED;
}

static bool in_prefab(prefab of, uint16_t component)
{
    static const bool in[3][KINDS] = {
        [FOX] = {[DEN_COMPONENT_BODY] = true,
                 [DEN_COMPONENT_GAIT] = true,
                 [DEN_COMPONENT_SCENT] = true,
                 [DEN_COMPONENT_SEEN] = true},
        [CUB] = {[DEN_COMPONENT_PELT] = true, [DEN_COMPONENT_PLAIN] = true},
        [STONE] = {[DEN_COMPONENT_PLAIN] = true},
    };
    return in[of][component];
}

// ------------------------------------------------------------------------------------------------
// Several changes of one entity: what goes is told first, what comes after it

typedef struct change {
    size_t being;
    being before;
    being after;
    uint16_t added[64 * KINDS];
    uint16_t lost[64 * KINDS];
    bool gone[KINDS]; // lost, whether or not it came back
    bool given[KINDS];
    size_t added_count;
    size_t lost_count;
} change;

static void change_begin(change *c, const model *m, size_t who)
{
    memset(c, 0, sizeof *c);
    c->being = who;
    c->before = c->after = m->beings[who];
}

static void give(change *c, uint16_t component, uint64_t value)
{
    if (!c->after.has[component]) c->added[c->added_count++] = component;
    if (c->added_count == sizeof c->added / sizeof c->added[0]) fail("too many changes at once");
    c->given[component] = true;
    c->after.has[component] = true;
    c->after.value[component] = value;
}

static bool change_set(change *c, uint16_t component, uint64_t value)
{
    if (is_excluded(&c->after, component)) return false;
    if (requires_body(component) && !c->after.has[DEN_COMPONENT_BODY]) {
        give(c, DEN_COMPONENT_BODY, rig_number_default(DEN_COMPONENT_BODY));
    }
    give(c, component, value);
    return true;
}

static void take(change *c, uint16_t component)
{
    size_t kept = 0;
    bool known = false;
    for (size_t i = 0; i < c->added_count; i++) {
        if (c->added[i] != component) c->added[kept++] = c->added[i];
    }
    c->added_count = kept;
    for (size_t i = 0; i < c->lost_count; i++) known |= c->lost[i] == component;
    if (c->before.has[component] && !known) c->lost[c->lost_count++] = component;
    c->gone[component] = true;
    c->after.has[component] = false;
}

static bool change_remove(change *c, uint16_t component)
{
    if (!c->after.has[component]) return true;
    if (is_required(&c->after, component)) return false;
    take(c, component);
    return true;
}

static bool change_prefab(change *c, prefab of, uint32_t v, bool defaults)
{
    for (uint16_t i = 0; i < KINDS; i++) {
        if (in_prefab(of, i) && is_excluded(&c->after, i)) return false;
    }
    for (uint16_t i = 0; i < KINDS; i++) {
        uint64_t value = defaults ? rig_number_default(i) : rig_number_of(i, v);
        if (defaults && of == FOX && i == DEN_COMPONENT_BODY) value = 3;
        if (in_prefab(of, i)) change_set(c, i, value);
    }
    return true;
}

static void change_end(change *c, model *m)
{
    for (size_t i = 0; i < c->lost_count; i++) {
        tell(m, true, c->being, c->lost[i], c->before.value[c->lost[i]]);
    }
    for (uint16_t i = 0; i < KINDS; i++) { // whose last value takes the place of the one before
        if (!c->before.has[i] || !c->given[i] || c->gone[i]) continue;
        tell_replaced(m, c->being, i, c->before.value[i], c->after.value[i]);
    }
    m->beings[c->being] = c->after;
    m->beings[c->being].alive = true;
    for (size_t i = 0; i < c->added_count; i++) {
        tell(m, false, c->being, c->added[i], c->after.value[c->added[i]]);
    }
}

// ------------------------------------------------------------------------------------------------
// Direct calls

bool model_set(model *m, size_t who, uint16_t component, uint32_t v)
{
    change c;
    if (!m->beings[who].alive) return false;
    change_begin(&c, m, who);
    if (!change_set(&c, component, rig_number_of(component, v))) return false;
    change_end(&c, m);
    return true;
}

bool model_remove(model *m, size_t who, uint16_t component)
{
    change c;
    if (!m->beings[who].alive || !m->beings[who].has[component]) return false;
    change_begin(&c, m, who);
    if (!change_remove(&c, component)) return false;
    change_end(&c, m);
    return true;
}

bool model_set_prefab(model *m, size_t who, prefab of, uint32_t v)
{
    change c;
    if (!m->beings[who].alive) return false;
    change_begin(&c, m, who);
    if (!change_prefab(&c, of, v, false)) return false;
    change_end(&c, m);
    return true;
}

void model_spawn(model *m, size_t who, prefab of, uint32_t v, bool defaults)
{
    change c;
    change_begin(&c, m, who);
    change_prefab(&c, of, v, defaults);
    change_end(&c, m);
}

bool model_despawn(model *m, size_t who)
{
    being before = m->beings[who];
    if (!before.alive) return false;
    for (uint16_t c = 0; c < KINDS; c++) {
        if (before.has[c]) tell(m, true, who, c, before.value[c]);
    }
    m->beings[who] = (being){.e = before.e};
    return true;
}

void model_clear(model *m, uint16_t tag)
{
    for (size_t i = 0; i < m->being_count; i++) {
        size_t before = m->told_count;
        if (!m->beings[i].alive || !m->beings[i].has[tag] || is_required(&m->beings[i], tag)) {
            continue;
        }
        tell(m, true, i, tag, m->beings[i].value[tag]);
        for (size_t t = before; t < m->told_count; t++) m->told[t].any_order = true;
        m->beings[i].has[tag] = false;
    }
}

// ------------------------------------------------------------------------------------------------
// Orders

static bool change_order(change *c, const order *o)
{
    switch (o->kind) {
    case ORDER_SPAWN:
    case ORDER_SET_PREFAB:
        return change_prefab(c, o->prefab, o->v, false);
    case ORDER_SET:
        return change_set(c, o->component, rig_number_of(o->component, o->v));
    case ORDER_REMOVE:
        return change_remove(c, o->component);
    case ORDER_SPAWN_MANY:
    case ORDER_DESPAWN:
    case ORDER_CLEAR:
        break;
    }
    return true;
}

// All orders on one entity in items first … end - 1.
static void run_orders_for(model *m, order *items, size_t first, size_t end)
{
    size_t who = items[first].being;
    bool spawned = items[first].kind == ORDER_SPAWN;
    bool dead = !spawned && !m->beings[who].alive;
    change c;
    change_begin(&c, m, who);
    for (size_t i = first; i < end; i++) {
        order *o = &items[i];
        if (o->done || o->being != who) continue;
        o->done = true;
        if (dead) {
            m->dropped++;
        } else if (o->kind == ORDER_DESPAWN) {
            model_despawn(m, who);
            dead = true;
        } else if (!change_order(&c, o)) {
            m->dropped++;
        }
    }
    if (!dead) change_end(&c, m);
}

static void spawn_many(model *m, const order *o)
{
    for (uint32_t i = 0; i < o->n; i++) {
        size_t who = model_conceive(m);
        model_spawn(m, who, o->prefab, o->v, false);
    }
}

// Orders up to and with the next that parts them.
static size_t run_orders_in_stretch(model *m, order *items, size_t first, size_t count)
{
    size_t end = first;
    while (end < count && items[end].kind != ORDER_CLEAR) end++;
    for (size_t i = first; i < end; i++) {
        if (items[i].done) continue;
        if (items[i].kind == ORDER_SPAWN_MANY) {
            spawn_many(m, &items[i]);
        } else {
            run_orders_for(m, items, i, end);
        }
    }
    if (end < count) model_clear(m, items[end].component);
    return end + 1;
}

static void run_orders(model *m, orders *all)
{
    orders now = *all;
    *all = (orders){.count = 0};
    for (size_t i = 0; i < now.count;) i = run_orders_in_stretch(m, now.items, i, now.count);
    free(now.items);
}

void model_flush(model *m)
{
    m->applying = true;
    run_orders(m, &m->outside);
    while (m->next.count != 0) run_orders(m, &m->next);
    m->applying = false;
}
