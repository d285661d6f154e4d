// Composite prefabs without memory, and in full worlds: a spawn that is refused leaves everything as
// it was.
//
// program: worlds quick
#define _DEFAULT_SOURCE // aligned_alloc

#include "../../support/scarce.h"
#include "yard_hand.h"

#include <string.h>

static void a_tree_that_is_not_recorded_is_not_counted(void **state)
{
    (void)state;
    allocations_left = UINT32_MAX;
    yard_world *w = yard_open(&(weft_options){.memory = SCARCE_MEMORY});
    assert_non_null(w);
    const weft_commands *buffer = &yard_world_base(w)->commands.buffers[0];
    allocations_left = 0;
    uint64_t before;
    do { // until the memory of the buffer, or of indices, is used up
        before = buffer->many;
    } while (!yard_is_none(yard_cmd_tank_spawn(yard_commands(w), NULL)));
    assert_int_equal(buffer->many, before);
    allocations_left = UINT32_MAX;
    yard_close(w);
}

static bool call_spawn(yard_world *w)
{
    return !yard_is_none(yard_tank_spawn(w, NULL));
}

static bool call_spawn_many(yard_world *w)
{
    return yard_heavy_tank_spawn_many(w, 300, NULL, NULL) == 300;
}

static bool call_spawn_rows(yard_world *w)
{
    return yard_tank_spawn_rows(w, 300).count == 300;
}

static bool call_reserve(yard_world *w)
{
    return yard_tank_reserve(w, 300) == WEFT_OK;
}

// The last call records, and the flush loses what has no memory.
static bool call_flush(yard_world *w)
{
    uint64_t lost = yard_stats(w).commands_lost;
    yard_entity e = yard_cmd_tank_spawn(yard_commands(w), NULL);
    yard_cmd_fragile_set(yard_commands(w), e);
    return yard_flush(w) == WEFT_OK && yard_stats(w).commands_lost == lost;
}

// Like call_flush, but the same buffer despawns the tree, whose scout and flag remain.
static bool call_flush_despawned(yard_world *w)
{
    uint64_t lost = yard_stats(w).commands_lost;
    yard_entity e = yard_cmd_tank_spawn(yard_commands(w), NULL);
    bool despawns = yard_cmd_despawn(yard_commands(w), e);
    return yard_flush(w) == WEFT_OK && yard_stats(w).commands_lost == lost && despawns;
}

typedef struct scene {
    const char *name;
    bool (*call)(yard_world *w);
    uint32_t trees; // before it
} scene;

static const scene scenes[] = {
    {"spawn", call_spawn, 0},           {"spawn among others", call_spawn, 8},
    {"spawn many", call_spawn_many, 0}, {"spawn many among others", call_spawn_many, 3},
    {"spawn rows", call_spawn_rows, 2}, {"reserve", call_reserve, 1},
    {"flush", call_flush, 7},           {"flush of a despawned tree", call_flush_despawned, 7},
};

// Tries a call with `most` allocations. Returns whether it needed no more.
static bool suffices(const scene *s, uint32_t most)
{
    allocations_left = UINT32_MAX;
    yard_world *w = yard_open(&(weft_options){.memory = SCARCE_MEMORY});
    assert_non_null(w);
    if (s->trees != 0) live_in(w);
    for (uint32_t i = 0; i < s->trees; i++) assert_false(yard_is_none(yard_tank_spawn(w, NULL)));
    (void)yard_losses_begin(w);
    uint64_t before = yard_hash(w);
    weft_stats stats = yard_stats(w);
    allocations_left = most;
    bool done = s->call(w);
    allocations_left = UINT32_MAX;
    if (!done) {
        // A lost command has used up a generation, which the hash covers, and is lost alone.
        uint32_t more = yard_stats(w).entities - stats.entities;
        bool flushes = s->call == call_flush || s->call == call_flush_despawned;
        if (!flushes && yard_hash(w) != before) fail_msg("%s: left traces", s->name);
        if (more != 0 && !(flushes && more == 9)) fail_msg("%s: spawned a part", s->name);
        if (!s->call(w)) fail_msg("%s: does not recover", s->name);
    }
    yard_entity e = yard_tank_spawn(w, NULL);
    assert_true(yard_alive(w, yard_turret_barrel(w, yard_tank_turret(w, e))));
    assert_true(yard_despawn(w, e)); // needs no memory for the logs of removals
    yard_close(w);
    assert_int_equal(bytes_taken, 0);
    return done;
}

static void a_spawn_without_memory_leaves_everything_as_it_was(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        uint32_t most = 0;
        while (!suffices(&scenes[i], most)) assert_true(++most < 400);
        if (most == 0) fail_msg("%s: allocates nothing", scenes[i].name);
    }
}

#ifndef WEFT_HARD // which allocates on every change
static void reserved_trees_need_no_memory(void **state)
{
    (void)state;
    allocations_left = UINT32_MAX;
    yard_world *w = yard_open(&(weft_options){.memory = SCARCE_MEMORY});
    assert_non_null(w);
    live_in(w);
    assert_int_equal(yard_tank_reserve(w, 500), WEFT_OK);
    allocations_left = 0;
    assert_int_equal(yard_tank_spawn_many(w, 250, NULL, NULL), 250);
    for (uint32_t i = 0; i < 250; i++) assert_false(yard_is_none(yard_tank_spawn(w, NULL)));
    allocations_left = UINT32_MAX;
    yard_close(w);
}
#endif

static void a_full_world_refuses_whole_trees(void **state)
{
    (void)state;
    yard_world *w = silent();
    assert_int_equal(yard_tank_spawn_many(w, 11111, NULL, NULL), 11111); // 99,999 entities
    uint64_t before = yard_hash_exact(w);
    assert_true(yard_is_none(yard_tank_spawn(w, NULL)));
    assert_non_null(strstr(yard_error(w), "100000 entities"));
    assert_int_equal(yard_turret_spawn_many(w, SIZE_MAX / 4, NULL, NULL), 0);
    assert_int_equal(yard_turret_spawn_rows(w, SIZE_MAX / 4).count, 0);
    assert_int_equal(yard_turret_spawn_many(w, 1, NULL, NULL), 0);
    assert_int_equal(yard_turret_spawn_rows(w, 1).count, 0);
    assert_int_equal(yard_turret_reserve(w, 1), WEFT_FULL);
    assert_int_equal(yard_hash_exact(w), before);
    yard_entity e = yard_cmd_turret_spawn(yard_commands(w), NULL); // there is a handle for its root
    assert_false(yard_is_none(e));
    yard_cmd_fragile_set(yard_commands(w), e);
    assert_int_equal(yard_flush(w), WEFT_FULL);
    assert_false(yard_alive(w, e));
    assert_int_equal(yard_stats(w).entities, 99999);
    yard_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_that_is_not_recorded_is_not_counted),
        cmocka_unit_test(a_spawn_without_memory_leaves_everything_as_it_was),
#ifndef WEFT_HARD
        cmocka_unit_test(reserved_trees_need_no_memory),
#endif
        cmocka_unit_test(a_full_world_refuses_whole_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
