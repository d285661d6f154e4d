// Other threads ask whether handles are alive while the world's own thread spawns and despawns. The
// build with the thread sanitizer runs this, too.
//
// program: quick still released threads less_portable
#include "entity_pool.h"

#include <pthread.h>
#include <stdatomic.h>

#define SPAWNS 60000u
#define LIVING 500u // this many spawns later an entity is despawned
#define ASKERS 3

// Entity k lives from the time that `spawned` is over k until `despawning` is; it is dead as soon
// as `despawned` is over k.
typedef struct churn {
    pool *pool;
    _Atomic uint64_t handles[SPAWNS];
    atomic_uint spawned;
    atomic_uint despawning;
    atomic_uint despawned;
} churn;

typedef struct asker {
    churn *churn;
    uint64_t seed;
    uint64_t asked;
    uint32_t dead_too_early;
    uint32_t alive_too_long;
    uint32_t alive_unknown; // with a generation that the index has not had
} asker;

static void ask(asker *a, uint32_t k)
{
    churn *c = a->churn;
    uint64_t handle = c->handles[k];
    uint64_t unknown = handle + ((uint64_t)200 << c->pool->format.index_bits);
    bool gone = c->despawned > k;
    bool is_alive = weft_alive(&c->pool->entities, c->pool->format, handle);
    bool may_be_gone = c->despawning > k;
    a->dead_too_early += !is_alive && !may_be_gone;
    a->alive_too_long += is_alive && gone;
    a->alive_unknown += weft_alive(&c->pool->entities, c->pool->format, unknown);
    a->asked++;
}

static void *ask_until_the_end(void *argument)
{
    asker *a = argument;
    fixture_random random = {a->seed};
    for (uint32_t spawned = 0; spawned < SPAWNS;) {
        spawned = a->churn->spawned;
        if (spawned == 0) continue;
        uint32_t back = fixture_below(&random, 3 * LIVING);
        ask(a, back < spawned ? spawned - 1 - back : spawned - 1);
    }
    return NULL;
}

static void spawn_and_despawn(churn *c)
{
    for (uint32_t k = 0; k < SPAWNS; k++) {
        if (k % 1000 == 0) assert_true(weft_entities_trim(&c->pool->entities, &c->pool->heap));
        c->handles[k] = spawn_at(c->pool, k % 7, k);
        assert_int_not_equal(c->handles[k], 0);
        c->spawned = k + 1;
        if (k < LIVING) continue;
        c->despawning = k - LIVING + 1;
        despawn(c->pool, c->handles[k - LIVING]);
        c->despawned = k - LIVING + 1;
    }
}

static void check_churn(fixture_options options)
{
    churn *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->pool = pool_open(options);
    pthread_t threads[ASKERS];
    asker askers[ASKERS];
    for (uint32_t i = 0; i < ASKERS; i++) {
        askers[i] = (asker){c, i, 0, 0, 0, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, ask_until_the_end, &askers[i]), 0);
    }
    spawn_and_despawn(c);
    for (uint32_t i = 0; i < ASKERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(askers[i].asked > 0);
        assert_int_equal(askers[i].dead_too_early, 0);
        assert_int_equal(askers[i].alive_too_long, 0);
        assert_int_equal(askers[i].alive_unknown, 0);
    }
    pool_close(c->pool);
    free(c);
}

static void seed_H2_alive_while_narrow_ones_spawn(void **state)
{
    (void)state;
    check_churn((fixture_options){20, 12, 4, 100000, 0});
}

static void seed_H2_alive_while_wide_ones_spawn(void **state)
{
    (void)state;
    check_churn((fixture_options){32, 32, 8, 100000, 0});
}

static void seed_H2_alive_while_fresh_indices_are_taken(void **state)
{
    (void)state;
    check_churn((fixture_options){32, 16, 8, 100000, 90000});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_H2_alive_while_narrow_ones_spawn),
        cmocka_unit_test(seed_H2_alive_while_wide_ones_spawn),
        cmocka_unit_test(seed_H2_alive_while_fresh_indices_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
