// Random operations on the world from outside of systems. Each says first what the model expects,
// calls the world, now and then without memory, and changes the model only if the world changed.
#include "run.h"

#include "fail.h"

#include <inttypes.h>
#include <string.h>

// ---- attempts

// From now on memory may fail.
static void attempt(run *r)
{
    r->memory.fired = false;
    r->moved = false;
    if (r->options.faults && any_chance(r, 6)) {
        uint32_t fail_in = any_below(r, 4);
        memory_arm(&r->memory, fail_in, any_chance(r, 2));
    }
}

// Says whether the world reports that the call had no memory.
static bool had_no_memory(const run *r)
{
    const event *e = r->told.read < r->told.count ? &r->told.items[r->told.read] : NULL;
    return e && e->status == WEFT_NO_MEMORY;
}

// The call is done. Whether it succeeded as expected; if not, it said why, and changed nothing.
static bool attempted(run *r, bool done, weft_status expected, uint64_t handle)
{
    bool fired = memory_disarm(&r->memory);
    if (done) {
        if (expected != WEFT_OK) fail("this is done, not refused: %s", weft_status_text(expected));
        run_no_events(r, "done");
        return true;
    }
    bool no_memory = fired && had_no_memory(r);
    if (expected == WEFT_OK && !no_memory) fail("this is refused: %s", fuzz_error(r->world));
    run_event(r, no_memory ? WEFT_NO_MEMORY : expected, handle);
    r->moved = no_memory || expected == WEFT_FULL;
    run_no_events(r, "refused");
    compare_handle(r, handle);
    return false;
}

// ---- spawning

// A new entity has the handle and the values that the model gives it.
static void check_spawned(run *r, uint64_t got, const entity *expected)
{
    if (got != expected->bits) fail("handle %" PRIx64 ", not %" PRIx64, got, expected->bits);
    compare_entity(r, r->world, expected);
}

static void spawn_empty(run *r)
{
    weft_status expected = model_may_spawn(&r->model, 1);
    attempt(r);
    uint64_t bits = fuzz_spawn(r->world).bits;
    if (attempted(r, bits != 0, expected, 0)) {
        check_spawned(r, bits, model_spawn(&r->model, NO_PREFAB, NULL));
    }
}

// Mostly a handle that a free index may still have; not of an index far beyond all that there are,
// as those between would become free, and the world another one.
static uint64_t any_handle_to_be(run *r)
{
    const model *m = &r->model;
    if (any_chance(r, 4)) {
        uint64_t bits = any_handle(r).bits;
        bool far = (bits & (((uint64_t)1 << m->index_bits) - 1)) > m->index_count + 16u;
        return far ? 0 : bits;
    }
    uint32_t index = m->index_count + any_below(r, 4);
    if (m->free_count != 0 && !any_chance(r, 8)) index = m->free[any_below(r, m->free_count)];
    if (index >= m->index_limit) return 0;
    uint64_t generation = index < m->index_count ? m->entities[index].generation : 1;
    return (generation + any_below(r, any_chance(r, 4) ? 3 : 1)) << m->index_bits | index;
}

static void spawn_at(run *r)
{
    uint64_t bits = any_handle_to_be(r);
    apply_waiting(r); // else it is refused
    weft_status expected = model_may_spawn_at(&r->model, bits);
    if ((uint64_t)fuzz_entity_of(bits).bits != bits) return; // it has more bits than can be stored
    attempt(r);
    weft_status status = fuzz_spawn_at(r->world, fuzz_entity_of(bits));
    if (!attempted(r, status == WEFT_OK, expected, 0)) return;
    check_spawned(r, bits, model_spawn_at(&r->model, bits));
}

static void spawn_one(run *r)
{
    prefab p = any_prefab(r);
    any_value value;
    bool usual = any_chance(r, 8);
    weft_status expected = model_may_spawn(&r->model, 1);
    any_value_of_prefab(r, p, &value);
    attempt(r);
    uint64_t bits = prefab_api[p].spawn(r->world, usual ? NULL : &value).bits;
    if (attempted(r, bits != 0, expected, 0)) {
        check_spawned(r, bits, model_spawn(&r->model, p, usual ? NULL : &value));
    }
}

#define MANY_MAX 8192u

static size_t any_number(run *r)
{
    uint32_t most = r->options.population < MANY_MAX / 2 ? r->options.population * 2 : MANY_MAX;
    return any_chance(r, 32) ? any_below(r, most) : any_below(r, 12);
}

static void spawn_many(run *r)
{
    static fuzz_entity out[MANY_MAX];
    prefab p = any_prefab(r);
    any_value value;
    bool usual = any_chance(r, 4);
    bool wanted = !any_chance(r, 4);
    size_t n = any_number(r);
    weft_status expected = model_may_spawn(&r->model, n);
    any_value_of_prefab(r, p, &value);
    attempt(r);
    size_t got = prefab_api[p].spawn_many(r->world, n, usual ? NULL : &value, wanted ? out : NULL);
    if (got != 0 && got != n) fail("%zu are spawned, not %zu", got, n);
    if (n == 0 && expected == WEFT_OK) got = 1;
    if (!attempted(r, got != 0, expected, 0)) return;
    for (size_t i = 0; i < n; i++) {
        const entity *e = model_spawn(&r->model, p, usual ? NULL : &value);
        check_spawned(r, wanted ? out[i].bits : e->bits, e);
    }
}

// Members that spawn_rows does not let the game fill in have the prefab's defaults.
static void keep_filled(prefab p, any_value *value)
{
    any_value defaults;
    prefab_defaults(p, &defaults);
    for (uint32_t i = 0; i < prefabs[p].member_count; i++) {
        const prefab_member *m = &prefabs[p].members[i];
        if (m->component < FEVER || m->component > GHOST) continue;
        memcpy(value->bytes + m->offset, defaults.bytes + m->offset,
               components[m->component].bytes);
    }
}

static void spawn_rows(run *r)
{
    enum { ROWS_MAX = 12 };
    fuzz_entity out[ROWS_MAX];
    any_value each[ROWS_MAX];
    prefab p = any_prefab(r);
    size_t n = 1 + any_below(r, ROWS_MAX);
    weft_status expected = model_may_spawn(&r->model, n);
    for (size_t i = 0; i < n; i++) any_value_of_prefab(r, p, &each[i]);
    attempt(r);
    size_t got = prefab_api[p].spawn_rows(r->world, n, each, out);
    if (got != 0 && got != n) fail("%zu rows are spawned, not %zu", got, n);
    if (!attempted(r, got != 0, expected, 0)) return;
    for (size_t i = 0; i < n; i++) {
        keep_filled(p, &each[i]);
        check_spawned(r, out[i].bits, model_spawn(&r->model, p, &each[i]));
    }
}

static void despawn_one(run *r, fuzz_entity e)
{
    weft_status expected = model_alive(&r->model, e.bits) ? WEFT_OK : WEFT_DEAD;
    attempt(r);
    if (attempted(r, fuzz_despawn(r->world, e), expected, e.bits)) {
        model_despawn(&r->model, e.bits);
        compare_handle(r, e.bits);
    }
}

static void despawn(run *r)
{
    despawn_one(r, any_handle(r));
}

// Reserved space is there, even when there is no memory any more.
static void reserve(run *r)
{
    prefab p = (prefab)any_below(r, PREFABS + 1);
    size_t n = any_number(r);
    weft_status expected = model_may_spawn(&r->model, n);
    attempt(r);
    weft_status status =
        p == NO_PREFAB ? fuzz_reserve(r->world, n) : prefab_api[p].reserve(r->world, n);
    if (!attempted(r, status == WEFT_OK, expected, 0) || !any_chance(r, 2)) return;
    memory_arm(&r->memory, 0, true);
    for (size_t i = 0; i < n; i++) {
        fuzz_entity e = p == NO_PREFAB ? fuzz_spawn(r->world) : prefab_api[p].spawn(r->world, NULL);
        if (e.bits == 0) fail("spawn %zu of %zu that were reserved fails", i + 1, n);
        check_spawned(r, e.bits, model_spawn(&r->model, p, NULL));
    }
    memory_disarm(&r->memory);
    run_no_events(r, "spawning what was reserved");
}

static void recycle(run *r)
{
    if (!any_chance(r, 16)) return;
    size_t brought = fuzz_recycle(r->world); // which applies commands first
    model_apply(&r->model, &r->told);
    record_forget(r);
    uint32_t expected = model_recycle(&r->model);
    if (brought != expected) fail("%zu indices come back, not %" PRIu32, brought, expected);
}

// Nothing is left of commands first, since those that wait would be dropped.
static void reset(run *r)
{
    if (!any_chance(r, 64)) return;
    if (fuzz_flush(r->world) == WEFT_BUSY) fail("flushing: %s", fuzz_error(r->world));
    model_apply(&r->model, &r->told);
    record_forget(r);
    memory_arm(&r->memory, 0, true);
    if (fuzz_reset(r->world) != WEFT_OK) fail("resetting: %s", fuzz_error(r->world));
    memory_disarm(&r->memory);
    run_no_events(r, "resetting");
    model_reset(&r->model);
    if (fuzz_stats(r->world).entities != 0) fail("a reset leaves entities");
}

// Giving memory back changes nothing else, also where some of it could not be copied.
static void trim(run *r)
{
    uint64_t hash = fuzz_hash_exact(r->world);
    size_t bytes = fuzz_stats(r->world).bytes_allocated;
    attempt(r);
    weft_status status = fuzz_trim(r->world);
    bool fired = memory_disarm(&r->memory);
    if (status != WEFT_OK && !(fired && status == WEFT_NO_MEMORY)) {
        fail("trimming: %s", fuzz_error(r->world));
    }
    if (status == WEFT_NO_MEMORY) run_event(r, WEFT_NO_MEMORY, 0);
    run_no_events(r, "trimming");
    if (fuzz_hash_exact(r->world) != hash) fail("a trim changes the world");
    if (fuzz_stats(r->world).bytes_allocated > bytes) fail("a trim takes memory");
}

// ---- components

static void set_one(run *r)
{
    fuzz_entity e = any_handle(r);
    component c = any_component(r);
    any_value value;
    weft_status expected = model_may_set(&r->model, e.bits, c);
    any_value_of(r, &components[c], &value);
    attempt(r);
    bool done = component_api[c].set(r->world, e, &value);
    if (!attempted(r, done, expected, e.bits)) return;
    model_set(&r->model, e.bits, c, &value);
    compare_handle(r, e.bits);
}

// A value for a component: half the time what the entity has, with other bytes where no field lies.
static void any_replacement(run *r, uint64_t bits, component c, any_value *value)
{
    const entity *known = model_find(&r->model, bits);
    any_value_of(r, &components[c], value);
    if (!known || !entity_has(known, c) || any_chance(r, 2)) return;
    memcpy(value->bytes, const_value_of(&known->values, c), components[c].bytes);
    any_spoil(r, &components[c], value);
    if (any_chance(r, 2)) any_leaf_of(r, &components[c], value);
}

// The number that the world gives a component: one with wide sets has others before these.
static uint32_t number_of(const weft_schema *schema, component c)
{
    for (uint32_t i = 0; i < schema->component_count; i++) {
        if (strcmp(schema->components[i].name, components[c].name) == 0) return i;
    }
    fail("there is no component '%s'", components[c].name);
    return 0;
}

// The world takes two values for equal if the model does.
static void check_equal(run *r, const entity *known, component c, const any_value *value)
{
    const weft_world *base = fuzz_world_base(r->world);
    weft_place at;
    if (!weft_find(&base->entities, fuzz_entity_format, known->bits, &at)) fail("there is no row");
    bool equal = weft_row_equals(base, base->tables.items[at.table], at.row,
                                 number_of(base->plan->schema, c), value->bytes);
    bool expected = values_equal(&components[c], const_value_of(&known->values, c), value->bytes);
    if (equal != expected) fail("two values of '%s' are thought %d", components[c].name, equal);
}

static void replace_one(run *r)
{
    fuzz_entity e = any_handle(r);
    component c = (component)any_below(r, TAGS);
    any_value value;
    entity *known = model_find(&r->model, e.bits);
    weft_status expected = !known ? WEFT_DEAD : entity_has(known, c) ? WEFT_OK : WEFT_NOT_FOUND;
    any_replacement(r, e.bits, c, &value);
    if (expected == WEFT_OK) check_equal(r, known, c, &value);
    attempt(r);
    bool done = component_api[c].replace(r->world, e, &value);
    if (!attempted(r, done, expected, e.bits)) return;
    entity_write(known, c, &value);
    compare_handle(r, e.bits);
}

static void edit_one(run *r)
{
    fuzz_entity e = any_handle(r);
    component c = (component)any_below(r, TAGS);
    any_value value;
    entity *known = model_find(&r->model, e.bits);
    bool expected = known && entity_has(known, c);
    any_value_of(r, &components[c], &value);
    if (component_api[c].edit(r->world, e, &value) != expected) {
        fail("'%s' of %" PRIx64 " can%s be edited", components[c].name, (uint64_t)e.bits,
             expected ? "not" : "");
    }
    if (!expected) return;
    entity_write(known, c, &value);
    compare_handle(r, e.bits);
}

static void remove_one(run *r)
{
    fuzz_entity e = any_handle(r);
    component c = any_component(r);
    weft_status expected = model_may_remove(&r->model, e.bits, c);
    attempt(r);
    bool done = component_api[c].remove(r->world, e);
    if (!attempted(r, done, expected, e.bits)) return;
    model_remove(&r->model, e.bits, c);
    compare_handle(r, e.bits);
}

static void strip_one(run *r)
{
    fuzz_entity e = any_handle(r);
    weft_status expected = model_alive(&r->model, e.bits) ? WEFT_OK : WEFT_DEAD;
    attempt(r);
    if (!attempted(r, fuzz_strip(r->world, e), expected, e.bits)) return;
    model_strip(&r->model, e.bits);
    compare_handle(r, e.bits);
}

static void clear_one(run *r)
{
    component c = any_component(r);
    if (!any_chance(r, 4)) return;
    attempt(r);
    bool done = component_api[c].clear(r->world);
    if (attempted(r, done, WEFT_OK, 0)) model_clear(&r->model, c);
}

static void set_prefab(run *r)
{
    fuzz_entity e = any_handle(r);
    prefab p = any_prefab(r);
    any_value value;
    bool usual = any_chance(r, 4);
    weft_status expected = model_may_set_prefab(&r->model, e.bits, p);
    any_value_of_prefab(r, p, &value);
    attempt(r);
    bool done = prefab_api[p].set(r->world, e, usual ? NULL : &value);
    if (!attempted(r, done, expected, e.bits)) return;
    model_set_prefab(&r->model, e.bits, p, usual ? NULL : &value);
    compare_handle(r, e.bits);
}

static void edit_singleton(run *r)
{
    if (any_chance(r, 2)) {
        any_value_of(r, &singletons[WEATHER], fuzz_weather_edit(r->world));
        r->model.singletons.weather = *fuzz_weather_get(r->world);
    } else {
        any_value_of(r, &singletons[TALLY], fuzz_tally_edit(r->world));
        r->model.singletons.tally = *fuzz_tally_get(r->world);
    }
}

static void ask_alive(run *r)
{
    fuzz_entity e = any_handle(r);
    if (fuzz_alive(r->world, e) != model_alive(&r->model, e.bits)) {
        fail("handle %" PRIx64 " is thought %s", (uint64_t)e.bits,
             fuzz_alive(r->world, e) ? "alive" : "dead");
    }
}

// ---- fragments

#define MADE_MAX 40u

// An entity made in a fragment: its prefab, one more component, a parent or sibling.
typedef struct made {
    prefab p;
    any_value value;
    component c; // COMPONENTS: none
    any_value more;
    relation i; // RELATIONS: none
    how h;
    uint32_t other; // its parent, or sibling
    uint64_t bits;  // in the fragment, then in the world
} made;

static void make(run *r, made *all, uint32_t n)
{
    made *m = &all[n];
    fuzz_world *w = r->fragment;
    memset(m, 0, sizeof *m);
    m->p = any_prefab(r);
    m->c = any_component(r);
    m->i = any_relation(r);
    any_value_of_prefab(r, m->p, &m->value);
    if (m->c < TAGS) any_value_of(r, &components[m->c], &m->more);
    fuzz_entity e = prefab_api[m->p].spawn(w, &m->value);
    m->bits = e.bits;
    m->h = any_how(r, m->i);
    m->other = any_below(r, n + 1);
    if (!any_chance(r, 2) || !component_api[m->c].set(w, e, &m->more)) m->c = COMPONENTS;
    fuzz_entity other = fuzz_entity_of(all[m->other].bits);
    if (!any_chance(r, 2) || !relation_api[m->i].attach[m->h](w, e, other)) m->i = RELATIONS;
}

// Handles that are alive in the fragment are those of the world then, and all others none.
typedef struct renamer {
    visitor base;
    const made *all;
    const uint64_t *before;
    uint32_t n;
} renamer;

static void rename_leaf(visitor *v, leaf l)
{
    const renamer *of = (const renamer *)(const void *)v;
    if (l.kind != LEAF_ENTITY) return;
    uint64_t now = 0;
    for (uint32_t i = 0; i < of->n; i++) {
        if (of->before[i] == leaf_bits(l)) now = of->all[i].bits;
    }
    leaf_write(l, now);
}

// The model spawns all of them, and then has what was done to each.
static void make_in_model(run *r, made *all, uint32_t n)
{
    uint64_t before[MADE_MAX];
    renamer v = {{.see = rename_leaf}, all, before, n};
    for (uint32_t i = 0; i < n; i++) {
        before[i] = all[i].bits;
        all[i].bits = model_spawn(&r->model, all[i].p, &all[i].value)->bits;
    }
    for (uint32_t i = 0; i < n; i++) {
        made *m = &all[i];
        prefab_visit(m->p, &v.base, m->value.bytes);
        model_set_prefab(&r->model, m->bits, m->p, &m->value);
        if (m->c < TAGS) components[m->c].visit(&v.base, m->more.bytes);
        if (m->c < COMPONENTS) model_set(&r->model, m->bits, m->c, &m->more);
        if (m->i < RELATIONS) model_attach(&r->model, m->i, m->h, m->bits, all[m->other].bits);
    }
}

static void merge(run *r)
{
    static made all[MADE_MAX];
    fuzz_entity kept[MADE_MAX];
    uint32_t n = any_below(r, MADE_MAX);
    for (uint32_t i = 0; i < n; i++) make(r, all, i);
    for (uint32_t i = 0; i < n; i++) kept[i] = fuzz_entity_of(all[i].bits);
    weft_status expected = model_may_spawn(&r->model, n);
    attempt(r);
    weft_status status = fuzz_fragment_merge(r->world, r->fragment, kept, n);
    if (!attempted(r, status == WEFT_OK, expected, 0)) {
        if (fuzz_stats(r->fragment).entities != n) fail("a fragment has changed");
        fuzz_close(r->fragment);
        run_open_fragment(r);
        return;
    }
    make_in_model(r, all, n);
    for (uint32_t i = 0; i < n; i++) {
        if (kept[i].bits != all[i].bits) fail("a handle that was kept is another one");
        compare_handle(r, kept[i].bits);
    }
}

// ---- relations

// The world says this of a handle that is dead; of others in words alone.
static uint64_t blamed(run *r, weft_status status, uint64_t child, uint64_t parent)
{
    if (status != WEFT_DEAD) return 0;
    return model_alive(&r->model, child) ? parent : child;
}

static void attach_to(run *r, relation i, how h, fuzz_entity child, fuzz_entity other)
{
    weft_status expected = model_may_attach(&r->model, i, h, child.bits, other.bits);
    attempt(r);
    bool done = relation_api[i].attach[h](r->world, child, other);
    uint64_t handle = had_no_memory(r) ? child.bits : blamed(r, expected, child.bits, other.bits);
    if (!attempted(r, done, expected, handle)) return;
    model_attach(&r->model, i, h, child.bits, other.bits);
    compare_handle(r, child.bits);
    compare_handle(r, other.bits);
}

static void attach_one(run *r)
{
    relation i = any_relation(r);
    fuzz_entity child = any_handle(r);
    how h = any_how(r, i);
    attach_to(r, i, h, child, any_chance(r, 32) ? child : any_handle(r));
}

// Each below the one before it, so that trees get deep.
static void attach_chain(run *r)
{
    relation i = any_relation(r);
    fuzz_entity parent = any_handle(r);
    do {
        fuzz_entity child = any_living(r);
        attach_to(r, i, LINK_FIRST, child, parent);
        parent = child;
    } while (!any_chance(r, 6));
}

// Rows move, and nothing else that the model knows changes.
static void sort_rows(run *r)
{
    attempt(r);
    weft_status status = relation_api[any_relation(r)].sort(r->world);
    attempted(r, status == WEFT_OK, WEFT_OK, 0);
}

// ---- rows in an order of the game's

typedef struct listed_row {
    uint64_t bits;
    uint32_t table;
} listed_row;

typedef struct listing {
    listed_row *rows;
    uint32_t count;
} listing;

static int key_of(uint64_t bits)
{
    return (int)(bits * 0x9e3779b97f4a7c15u >> 60); // few, so that many are equal
}

static int by_key(const fuzz_world *w, fuzz_entity a, fuzz_entity b, void *user)
{
    (void)w;
    *(uint32_t *)user += 1;
    return key_of(a.bits) - key_of(b.bits);
}

static void list_row(run *r, listing *all, fuzz_entity e)
{
    weft_place at = {0, 0};
    weft_find(&fuzz_world_base(r->world)->entities, fuzz_entity_format, e.bits, &at);
    all->rows[all->count++] = (listed_row){e.bits, at.table};
}

static void list_rows(run *r, listing *all, bool everyone)
{
    all->count = 0;
    if (everyone) {
        fuzz_everyone_iter it = fuzz_everyone_begin(r->world);
        while (fuzz_everyone_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) list_row(r, all, it.entities[i]);
        }
    } else {
        fuzz_mixed_iter it = fuzz_mixed_begin(r->world);
        while (fuzz_mixed_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) list_row(r, all, it.entities[i]);
        }
    }
}

// Inserts each row behind those of its table that do not belong behind it.
static void order_rows(listing *all)
{
    for (uint32_t i = 1; i < all->count; i++) {
        listed_row row = all->rows[i];
        uint32_t k = i;
        for (; k > 0 && all->rows[k - 1].table == row.table; k--) {
            if (key_of(all->rows[k - 1].bits) <= key_of(row.bits)) break;
            all->rows[k] = all->rows[k - 1];
        }
        all->rows[k] = row;
    }
}

// Rows stand in order, and nothing else that the model knows has changed.
static void sort_query(run *r)
{
    static listed_row rows[2][16384];
    listing expected = {rows[0], 0};
    listing found = {rows[1], 0};
    bool everyone = any_chance(r, 2);
    uint32_t compared = 0;
    if (r->model.living_count > sizeof rows[0] / sizeof rows[0][0]) return;
    list_rows(r, &expected, everyone);
    order_rows(&expected);
    attempt(r);
    weft_status status = everyone ? fuzz_everyone_sort(r->world, by_key, &compared)
                                  : fuzz_mixed_sort(r->world, by_key, &compared);
    if (!attempted(r, status == WEFT_OK, WEFT_OK, 0)) return;
    list_rows(r, &found, everyone);
    if (found.count != expected.count) fail("a sort changes who passes");
    for (uint32_t i = 0; i < found.count; i++) {
        if (found.rows[i].bits != expected.rows[i].bits) fail("row %" PRIu32 " is another", i);
    }
}

// The rows that are listed end, the last first, and those below them.
static void despawn_rows(run *r)
{
    static listed_row rows[16384];
    listing found = {rows, 0};
    bool everyone = any_chance(r, 8);
    if (!any_chance(r, 8) || r->model.living_count > sizeof rows / sizeof rows[0]) return;
    list_rows(r, &found, everyone);
    attempt(r);
    weft_status status =
        everyone ? fuzz_everyone_despawn_all(r->world) : fuzz_mixed_despawn_all(r->world);
    if (!attempted(r, status == WEFT_OK, WEFT_OK, 0)) return;
    for (uint32_t i = found.count; i-- > 0;) {
        uint64_t bits = found.rows[i].bits;
        if (model_alive(&r->model, bits)) model_despawn(&r->model, bits);
    }
}

// All rows that are listed get a component or lose it, but for those whose rules say no.
static void change_rows(run *r)
{
    static listed_row rows[16384];
    listing found = {rows, 0};
    component c = any_component(r);
    bool everyone = any_chance(r, 4);
    bool on = any_chance(r, 2);
    any_value value;
    if (!component_api[c].set_all || r->model.living_count > sizeof rows / sizeof rows[0]) return;
    any_value_of(r, &components[c], &value);
    list_rows(r, &found, everyone);
    attempt(r);
    weft_status status = on ? component_api[c].set_all(r->world, everyone, &value)
                            : component_api[c].remove_all(r->world, everyone);
    if (!attempted(r, status == WEFT_OK, WEFT_OK, 0)) return;
    for (uint32_t i = 0; i < found.count; i++) {
        uint64_t bits = found.rows[i].bits;
        if (on && model_may_set(&r->model, bits, c) == WEFT_OK) {
            model_set(&r->model, bits, c, &value);
        } else if (!on && model_may_remove(&r->model, bits, c) == WEFT_OK) {
            model_remove(&r->model, bits, c);
        }
    }
}

static void detach_one(run *r)
{
    relation i = any_relation(r);
    fuzz_entity child = any_handle(r);
    weft_status expected = model_may_detach(&r->model, i, child.bits);
    attempt(r);
    bool done = relation_api[i].detach(r->world, child);
    if (!attempted(r, done, expected, blamed(r, expected, child.bits, 0))) return;
    model_detach(&r->model, i, child.bits);
    compare_handle(r, child.bits);
}

// ---- commands, iterators, phases

static void record(run *r)
{
    attempt(r);
    if (any_chance(r, 512)) {
        record_flood(r, fuzz_commands(r->world), OUTSIDE);
    } else {
        record_any(r, fuzz_commands(r->world), OUTSIDE);
    }
    memory_disarm(&r->memory);
    run_no_events(r, "recording");
}

// Commands may be recorded while iterating.
static void record_iterating(run *r)
{
    r->stamp++;
    for (fuzz_places_iter it = fuzz_places_begin(r->world); fuzz_places_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (!any_chance(r, 16)) continue;
            record_any(r, fuzz_commands(r->world), OUTSIDE);
            walk_optional(model_find(&r->model, it.entities[i].bits), PLACE, &it.place[i]);
        }
    }
    run_no_events(r, "recording");
}

// Makes records for all that a phase may spawn. Which spawns are lost for want of these the world
// does not say.
static void records_ready(run *r)
{
    weft_world *base = fuzz_world_base(r->world);
    uint32_t indices = base->entities.index_count + PHASE_INDICES_MAX;
    if (indices > base->entities.index_limit) indices = base->entities.index_limit;
    if (!weft_entities_grow(&base->entities, &base->heap, indices)) fail("no memory to test with");
}

// A phase may have no memory only where it is certain whom that concerns.
static void attempt_phase(run *r)
{
    r->memory.fired = false;
    if (!r->options.faults || r->recipients.crossed || !any_chance(r, 3)) return;
    uint32_t fail_in = any_below(r, 16);
    r->recipients.careful = true;
    records_ready(r);
    memory_arm(&r->memory, fail_in, any_chance(r, 3));
}

static void attempted_phase(run *r)
{
    memory_disarm(&r->memory);
    r->recipients.careful = false;
    run_no_events(r, "applying commands");
}

#define SAVE_EACH 8u // of the flushes, those after which the world is saved

void apply_waiting(run *r)
{
    weft_status status = fuzz_flush(r->world);
    if (status != model_apply(&r->model, &r->told)) fail("the status is %d", (int)status);
    record_forget(r);
    run_live(r);
}

static void flush(run *r)
{
    attempt_phase(r);
    weft_status status = fuzz_flush(r->world);
    weft_status expected = model_apply(&r->model, &r->told);
    record_forget(r);
    attempted_phase(r);
    if (status != expected) {
        fail("the status is '%s', not '%s'", weft_status_text(status), weft_status_text(expected));
    }
    if (r->operation % SAVE_EACH == 0) compare_save(r);
}

// Halves and quarters add up exactly.
static double any_seconds(run *r)
{
    return any_below(r, 12) / 16.0;
}

static void phase_one(run *r)
{
    phase p = (phase)any_below(r, PHASES);
    double dt = any_seconds(r);
    attempt_phase(r);
    run_phase(r, p, dt);
    attempted_phase(r);
}

static void tick(run *r)
{
    double dt = any_seconds(r);
    attempt_phase(r);
    run_tick(r, dt);
    attempted_phase(r);
}

// An iterator ends when it is used after a structural change (debug builds assert), and goes on
// after any other call; what finds no space may have moved columns nevertheless.
static void use_iterators(run *r)
{
    static void (*const calls[])(run *) = {spawn_one,   spawn_many, spawn_rows, despawn,
                                           set_one,     set_prefab, remove_one, edit_one,
                                           spawn_empty, attach_one, detach_one, replace_one};
    fuzz_places_iter runs = fuzz_places_begin(r->world);
    fuzz_specks_iter masked = fuzz_specks_begin(r->world);
    uint64_t changes = r->model.changes;
    r->moved = false;
    calls[any_below(r, sizeof calls / sizeof calls[0])](r);
    if (r->moved) return;
    if (r->model.changes == changes) {
        if (fuzz_places_next(&runs) != (count_passing(&r->model, PLACES) != 0) ||
            fuzz_specks_next(&masked) != (count_passing(&r->model, SPECKS) != 0)) {
            fail("an iterator ends, though nothing was added or removed");
        }
        return;
    }
#ifdef NDEBUG
    if (fuzz_places_next(&runs) || fuzz_specks_next(&masked)) {
        fail("an iterator goes on after a structural change");
    }
    for (int i = 0; i < 2; i++) run_event(r, WEFT_REFUSED, 0);
    run_no_events(r, "iterators that ended");
#endif
}

// ---- choosing

typedef struct operation {
    const char *name;
    uint32_t weight;
    void (*run)(run *r);
} operation;

static const operation operations[] = {
    {"spawn", 2, spawn_empty},
    {"spawn_at", 2, spawn_at},
    {"spawn of a prefab", 8, spawn_one},
    {"spawn_many", 2, spawn_many},
    {"spawn_rows", 1, spawn_rows},
    {"despawn", 8, despawn},
    {"reserve", 1, reserve},
    {"recycle", 1, recycle},
    {"reset", 1, reset},
    {"trim", 1, trim},
    {"merge", 1, merge},
    {"set", 24, set_one},
    {"replace", 8, replace_one},
    {"edit", 8, edit_one},
    {"remove", 16, remove_one},
    {"strip", 2, strip_one},
    {"clear", 1, clear_one},
    {"set of a prefab", 5, set_prefab},
    {"singleton", 1, edit_singleton},
    {"a list by path", 4, edit_list},
    {"JSON", 1, read_json},
    {"alive", 4, ask_alive},
    {"attach", 6, attach_one},
    {"attach of several", 2, attach_chain},
    {"detach", 3, detach_one},
    {"sort", 1, sort_rows},
    {"sort of a query", 1, sort_query},
    {"despawn of a query", 1, despawn_rows},
    {"a change of a query", 1, change_rows},
    {"a walk", 1, check_walk},
    {"commands", 10, record},
    {"commands while iterating", 1, record_iterating},
    {"flush", 4, flush},
    {"a phase", 2, phase_one},
    {"tick", 2, tick},
    {"queries", 1, check_queries},
    {"a change while iterating", 2, use_iterators},
};

#define OPERATIONS (sizeof operations / sizeof operations[0])

static const operation *any_operation(run *r)
{
    uint32_t total = 0;
    for (size_t i = 0; i < OPERATIONS; i++) total += operations[i].weight;
    uint32_t left = any_below(r, total);
    const operation *chosen = operations;
    while (left >= chosen->weight) left -= chosen++->weight;
    return chosen;
}

// Keeps the population about where it should be, which swings.
static void keep_population(run *r)
{
    uint32_t swing = r->options.population >> (r->operation / 5000 % 4);
    while (r->model.living_count > swing + swing / 2 + 8 &&
           !any_chance(r, 64 + r->model.living_count)) {
        fail_operation(r->operation, "despawn of many");
        despawn_one(r, any_living(r));
    }
}

void operate(run *r)
{
    const operation *chosen = any_operation(r);
    fail_operation(r->operation, chosen->name);
    chosen->run(r);
    if (any_chance(r, 32)) keep_population(r);
    run_live(r);
}
