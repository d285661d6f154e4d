// Spawns and despawns entities: one, many and by row, with new handles and given ones.
//
// flags: played
#include "operations.h"

#include "fail.h"

#include <inttypes.h>
#include <string.h>

// A new entity has the handle and the values that the model gives it.
static void check_spawned(run *r, uint64_t got, const entity *expected)
{
    if (got != expected->bits) fail("handle %" PRIx64 ", not %" PRIx64, got, expected->bits);
    compare_entity(r, r->world, expected);
}

void spawn_empty(run *r)
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

void spawn_at(run *r)
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

void spawn_one(run *r)
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

void spawn_many(run *r)
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

void spawn_rows(run *r)
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

void despawn_one(run *r, fuzz_entity e)
{
    weft_status expected = model_alive(&r->model, e.bits) ? WEFT_OK : WEFT_DEAD;
    attempt(r);
    if (attempted(r, fuzz_despawn(r->world, e), expected, e.bits)) {
        model_despawn(&r->model, e.bits);
        compare_handle(r, e.bits);
    }
}

void despawn_any(run *r)
{
    despawn_one(r, any_handle(r));
}

// Reserved space is there, even when there is no memory any more.
void reserve_space(run *r)
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

void ask_alive(run *r)
{
    fuzz_entity e = any_handle(r);
    if (fuzz_alive(r->world, e) != model_alive(&r->model, e.bits)) {
        fail("handle %" PRIx64 " is thought %s", (uint64_t)e.bits,
             fuzz_alive(r->world, e) ? "alive" : "dead");
    }
}
