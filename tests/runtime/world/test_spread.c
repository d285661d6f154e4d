// Handles stay dense: indices that were set aside for systems that spawned fewer are returned.
// Compared with a naive model, for any number of workers, with saves and loads in between.
//
// program: quick worlds threads
#include "spread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SYSTEMS = 5, MOST = 1000, INDICES = 40000, BLOCK = 16, GROWING = 7 };

// How many each system spawns in a tick, and the handles that it got.
typedef struct tick_plan {
    uint32_t counts[SYSTEMS];
    spread_entity got[SYSTEMS][MOST];
    bool grows;
} tick_plan;

static void spawn(const spread_a_ctx *ctx, uint32_t system)
{
    tick_plan *plan = (tick_plan *)ctx->user;
    for (uint32_t i = 0; i < plan->counts[system]; i++) {
        spread_one one = {.thing.number = i};
        plan->got[system][i] = spread_cmd_one_spawn(ctx->cmd, &one);
    }
}

#define SYSTEM(name, number)                                                                       \
    void spread_##name(const spread_##name##_ctx *ctx, uint32_t count)                             \
    {                                                                                              \
        spread_a_ctx of_a = {.user = ctx->user, .cmd = ctx->cmd};                                  \
        (void)count;                                                                               \
        spawn(&of_a, number);                                                                      \
    }
SYSTEM(a, 0)
SYSTEM(b, 1)
SYSTEM(c, 2)
SYSTEM(d, 3)
SYSTEM(e, 4)

void spread_grow(const spread_grow_ctx *ctx, uint32_t count, const spread_thing *thing)
{
    const tick_plan *plan = (const tick_plan *)ctx->user;
    for (uint32_t i = 0; plan->grows && i < count; i++) {
        if (thing[i].number % GROWING == 0) {
            (void)spread_cmd_one_spawn(ctx->cmd, &(spread_one){.thing.number = 1});
        }
    }
}

// ------------------------------------------------------------------------------------------------
// The model: a row of free indices in the order of reuse, and how many there are in all

typedef struct model {
    uint32_t free[INDICES];
    uint32_t free_count;
    uint32_t generations[INDICES]; // the next of each
    uint32_t count;
    spread_entity living[INDICES];
    uint32_t living_count;
} model;

static uint32_t place_of(uint32_t system, uint32_t n)
{
    return (n / BLOCK * SYSTEMS + system) * BLOCK + n % BLOCK;
}

static uint32_t index_at(const model *m, uint32_t place)
{
    return place < m->free_count ? m->free[place] : m->count + (place - m->free_count);
}

static uint64_t handle_at(const model *m, uint32_t place)
{
    uint32_t index = index_at(m, place);
    uint32_t generation = place < m->free_count ? m->generations[index] : 1;
    return index | (uint64_t)generation << 20;
}

// Compares the handles that systems got, and goes on to the end of the phase.
static void model_phase(model *m, spread_world *w, const tick_plan *plan)
{
    static bool used[INDICES];
    static uint32_t left[INDICES];
    uint32_t offered = m->free_count;
    uint32_t left_count = 0;
    memset(used, 0, sizeof used);
    for (uint32_t s = 0; s < SYSTEMS; s++) {
        for (uint32_t n = 0; n < plan->counts[s]; n++) {
            uint32_t place = place_of(s, n);
            assert_int_equal(plan->got[s][n].bits, handle_at(m, place));
            assert_true(spread_alive(w, plan->got[s][n]));
            m->living[m->living_count++] = plan->got[s][n];
            used[place] = true;
            if (place + 1 > offered) offered = place + 1;
        }
    }
    for (uint32_t place = 0; place < offered; place++) {
        uint32_t index = index_at(m, place);
        if (place >= m->free_count) m->generations[index] = 1;
        if (!used[place]) left[left_count++] = index;
    }
    m->count += offered - m->free_count;
    memcpy(m->free, left, left_count * sizeof *left);
    m->free_count = left_count;
}

static void model_despawn(model *m, spread_world *w, uint32_t which)
{
    spread_entity e = m->living[which];
    uint32_t index = (uint32_t)e.bits & 0xFFFFF;
    m->living[which] = m->living[--m->living_count];
    assert_true(spread_despawn(w, e));
    memmove(m->free + 1, m->free, m->free_count * sizeof *m->free);
    m->free[0] = index;
    m->free_count++;
    m->generations[index]++;
}

static uint32_t unused_in(const model *m)
{
    uint32_t unused = 0;
    for (uint32_t i = 0; i < m->free_count; i++) unused += m->generations[m->free[i]] == 1;
    return unused;
}

// ------------------------------------------------------------------------------------------------

static uint32_t below(uint64_t *random, uint32_t bound)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 33) % bound;
}

static spread_world *open_with(uint32_t workers, tick_plan *plan)
{
    spread_world *w = spread_open(&(weft_options){.workers = workers, .user = plan});
    assert_non_null(w);
    return w;
}

// Goes on in another world, which loads what this one saves; both save equal bytes.
static spread_world *go_on_elsewhere(spread_world *w, uint32_t workers, tick_plan *plan)
{
    void *bytes;
    void *again;
    size_t size;
    size_t size_again;
    uint64_t exact = spread_hash_exact(w);
    weft_stats before = spread_stats(w);
    spread_world *other = open_with(workers, plan);
    assert_int_equal(spread_save_memory(w, &bytes, &size), WEFT_OK);
    assert_int_equal(spread_load_memory(other, bytes, size), WEFT_OK);
    assert_int_equal(spread_save_memory(other, &again, &size_again), WEFT_OK);
    assert_int_equal(size, size_again);
    assert_memory_equal(bytes, again, size);
    assert_int_equal(spread_hash_exact(other), exact);
    assert_int_equal(spread_stats(other).indices, before.indices);
    assert_int_equal(spread_stats(other).indices_free, before.indices_free);
    free(bytes);
    free(again);
    spread_close(w);
    return other;
}

static void compare_stats(const model *m, spread_world *w)
{
    weft_stats s = spread_stats(w);
    assert_int_equal(s.entities, m->living_count);
    assert_int_equal(s.indices, m->count - unused_in(m));
    assert_int_equal(s.indices_free, m->free_count - unused_in(m));
}

// Runs ticks by a seed beside the model. Returns the hash of the world at the end.
static uint64_t run_beside_model(uint64_t seed, uint32_t workers, uint32_t ticks)
{
    static tick_plan plan;
    static model m;
    uint64_t random = seed;
    memset(&m, 0, sizeof m);
    spread_world *w = open_with(workers, &plan);
    for (uint32_t tick = 0; tick < ticks; tick++) {
        for (uint32_t s = 0; s < SYSTEMS; s++) {
            plan.counts[s] = below(&random, 4) == 0 ? below(&random, 150) : 0;
        }
        assert_int_equal(spread_tick(w, 1.0), WEFT_OK);
        model_phase(&m, w, &plan);
        for (uint32_t i = below(&random, 2 * m.living_count / 3 + 1); i > 0; i--) {
            model_despawn(&m, w, below(&random, m.living_count));
        }
        compare_stats(&m, w);
        if (below(&random, 5) == 0) w = go_on_elsewhere(w, workers, &plan);
    }
    uint64_t exact = spread_hash_exact(w);
    spread_close(w);
    return exact;
}

static void handles_are_those_of_a_naive_model(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        uint64_t exact = run_beside_model(seed, 0, 40);
        for (uint32_t workers = 1; workers <= 8; workers *= 2) {
            assert_int_equal(run_beside_model(seed, workers, 40), exact);
        }
    }
}

static void parts_that_spawn_less_give_back_too(void **state)
{
    (void)state;
    static tick_plan plan;
    uint64_t exact = 0;
    for (uint32_t workers = 0; workers <= 8; workers += 2) {
        plan = (tick_plan){.counts = {1000, 0, 0, 0, 1000}, .grows = true};
        spread_world *w = open_with(workers, &plan);
        for (uint32_t tick = 0; tick < 5; tick++) {
            assert_int_equal(spread_tick(w, 1.0), WEFT_OK);
            if (tick == 2) w = go_on_elsewhere(w, workers, &plan);
            assert_int_equal(spread_stats(w).indices, spread_stats(w).entities);
        }
        if (workers == 0) exact = spread_hash_exact(w);
        assert_int_equal(spread_hash_exact(w), exact);
        spread_close(w);
    }
}

static size_t saved_bytes(spread_world *w)
{
    void *bytes;
    size_t size;
    assert_int_equal(spread_save_memory(w, &bytes, &size), WEFT_OK);
    free(bytes);
    return size;
}

// One system spawns beside four that could: 1,000 at once, then a few in each of 1,000 ticks.
static void one_that_spawns_beside_idle_ones_uses_few_indices(void **state)
{
    (void)state;
    static tick_plan plan;
    for (uint32_t system = 0; system < SYSTEMS; system++) {
        plan = (tick_plan){0};
        spread_world *w = open_with(0, &plan);
        spread_world *direct = open_with(0, &plan);
        spread_one_spawn_many(direct, 1000, NULL, NULL);
        assert_int_equal(spread_tick(direct, 1.0), WEFT_OK);
        for (uint32_t tick = 0; tick < 1000; tick++) {
            plan.counts[system] = tick == 0 ? 1000 : tick % 5;
            assert_int_equal(spread_tick(w, 1.0), WEFT_OK);
            weft_stats s = spread_stats(w);
            assert_true(s.indices <= s.entities + s.entities / 10);
            if (tick == 0) assert_true(saved_bytes(w) <= saved_bytes(direct) * 11 / 10);
            if (tick % 300 == 299) w = go_on_elsewhere(w, 0, &plan);
        }
        spread_close(w);
        spread_close(direct);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_are_those_of_a_naive_model),
        cmocka_unit_test(parts_that_spawn_less_give_back_too),
        cmocka_unit_test(one_that_spawns_beside_idle_ones_uses_few_indices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
