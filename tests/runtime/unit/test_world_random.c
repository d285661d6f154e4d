// Long random sequences of direct calls, compared with the model after each step.
//
// program: quick moving optimised portable
// flags: hot
#include "ground.h"

// Widths, limits and waiting lines that make every kind of end come soon, and the defaults.
static const fixture_options shapes[] = {
    {.max_entities = 400},
    {.index_bits = 8, .generation_bits = 3, .max_entities = 40},
    {.index_bits = 6, .generation_bits = 2, .max_entities = 200},
    {.index_bits = 10, .generation_bits = 4, .max_entities = 60, .recycle_after = 5},
    {.index_bits = 24, .generation_bits = 8, .max_entities = 300, .recycle_after = 40},
    {.index_bits = 32, .generation_bits = 3, .max_entities = 30, .recycle_after = 3},
};
#define SHAPES (sizeof shapes / sizeof shapes[0])

// Where each change moves the whole world one seed is enough, which the other builds do not have.
#ifdef WEFT_HARD
enum { SEED_FIRST = 4, SEED_LAST = 4 };
#else
enum { SEED_FIRST = 1, SEED_LAST = 3 };
#endif

static void walk(ground *g, uint32_t steps)
{
    for (uint32_t i = 0; i < steps; i++) {
        ground_step(g);
        if (i % 32 == 0) ground_check(g);
    }
    ground_check(g);
}

static void random_calls_do_what_the_model_does(void **state)
{
    (void)state;
    for (uint32_t shape = 0; shape < SHAPES; shape++) {
        for (uint64_t seed = SEED_FIRST; seed <= SEED_LAST; seed++) {
            ground *g = ground_open(shapes[shape], seed);
            walk(g, 2500);
            ground_close(g);
        }
    }
}

static void without_address_space_nothing_is_different(void **state)
{
    (void)state;
    uint64_t exact[2];
    for (uint32_t i = 0; i < 2; i++) {
        ground *g = ground_open(shapes[0], 5);
        g->memory.no_reserve = i;
        walk(g, 2000);
        exact[i] = ground_exact(g);
        ground_close(g);
    }
    assert_int_equal(exact[0], exact[1]);
}

static void the_same_calls_make_the_same_world(void **state)
{
    (void)state;
    uint64_t exact[3];
    for (uint32_t i = 0; i < 3; i++) {
        ground *g = ground_open(shapes[3], i == 2 ? 8 : 9);
        walk(g, 1500);
        exact[i] = ground_exact(g);
        ground_close(g);
    }
    assert_int_equal(exact[0], exact[1]);
    assert_int_not_equal(exact[0], exact[2]);
}

#ifdef WEFT_HARD
// A pointer kept over a structural change points to poison, or to memory that was given back.
static void hard_mode_moves_everything_on_every_change(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){0}, 1);
    weft_world *world = ground_world(g);
    uint64_t e = ground_spawn(g, BOSS);
    const void *old_leader = ground_value(g, e, LEADER);
    const void *old_cursed = ground_value(g, e, CURSED);
    const void *tags = weft_column(world->shared.prefab_tables[BOSS],
                                   FIRST_BITSET + world->plan->components[ASLEEP].bitset);
    ground_spawn_empty(g);
    assert_ptr_not_equal(ground_value(g, e, LEADER), old_leader);
    assert_ptr_not_equal(ground_value(g, e, CURSED), old_cursed);
    assert_ptr_not_equal(weft_column(world->shared.prefab_tables[BOSS],
                                     FIRST_BITSET + world->plan->components[ASLEEP].bitset),
                         tags);
    ground_check(g);
    ground_close(g);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_calls_do_what_the_model_does),
        cmocka_unit_test(without_address_space_nothing_is_different),
        cmocka_unit_test(the_same_calls_make_the_same_world),
#ifdef WEFT_HARD
        cmocka_unit_test(hard_mode_moves_everything_on_every_change),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
