// Handles of spawn commands of any recorder: none is given twice, each is dead until its command is
// applied and alive afterwards, and the order of threads does not matter.
//
// program: quick units portable
#include "edit/apply.h"
#include "edit/calls.h"
#include "ground.h"
#include "record/places.h"
#include "run/lifecycle.h"
#include "run/phase.h"
#include "run/trim.h"

#include <stdlib.h>

#define HANDLES 40000u
#define SYSTEMS 2u // that record in the phase

typedef enum fate { GONE, ALIVE, PROMISED } fate;

// A world and all handles that it has ever given.
typedef struct ledger {
    ground *g;
    uint64_t handles[HANDLES];
    fate fates[HANDLES];
    uint32_t count;
    uint32_t forgotten; // the first so many may be given again, since indices were recycled
} ledger;

static ledger *ledger_open(fixture_options options, bool no_reserve)
{
    ledger *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->g = ground_open(options, 1);
    l->g->memory.no_reserve = no_reserve;
    return l;
}

static void ledger_close(ledger *l)
{
    ground_close(l->g);
    free(l);
}

static weft_world *world_of(ledger *l)
{
    return ground_world(l->g);
}

static bool lives(ledger *l, uint64_t handle)
{
    return weft_alive(&world_of(l)->entities, world_of(l)->plan->format, handle);
}

// Enters a handle that was given, 0 if none was.
static uint64_t enter(ledger *l, uint64_t handle, fate f)
{
    if (handle == 0) return 0;
    assert_true(l->count < HANDLES);
    for (uint32_t i = l->forgotten; i < l->count; i++) assert_true(l->handles[i] != handle);
    assert_int_equal(lives(l, handle), f == ALIVE);
    l->handles[l->count] = handle;
    l->fates[l->count++] = f;
    return handle;
}

static uint64_t record_spawn(ledger *l, uint32_t buffer)
{
    villager v = {.position = {1, 2}};
    weft_commands *commands = &world_of(l)->commands.buffers[buffer];
    return enter(l, weft_command_spawn(commands, VILLAGER, &v, sizeof v), PROMISED);
}

static bool record_despawn(ledger *l, uint32_t buffer, uint64_t handle)
{
    weft_commands *commands = &world_of(l)->commands.buffers[buffer];
    return weft_command_record(commands, WEFT_COMMAND_DESPAWN, WEFT_NONE, handle, NULL, 0);
}

// After commands were applied: what waited is alive, if nothing was lost.
static void settle(ledger *l, weft_status status)
{
    uint32_t alive = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        bool now = lives(l, l->handles[i]);
        if (i >= l->forgotten && l->fates[i] == GONE) assert_false(now);
        if (l->fates[i] == PROMISED && status == WEFT_OK) assert_true(now);
        l->fates[i] = now ? ALIVE : GONE;
        alive += now && i >= l->forgotten;
    }
    weft_stats stats = weft_world_stats(world_of(l));
    if (l->forgotten == 0) assert_int_equal(alive, stats.entities);
    assert_int_equal(world_of(l)->entities.promised, 0);
    assert_int_equal(stats.indices, stats.entities + stats.indices_free + stats.indices_retired);
    world_check(&l->g->fixture, world_of(l));
}

static uint32_t any_handle(ledger *l, fixture_random *random)
{
    return l->count == 0 ? 0 : fixture_below(random, l->count);
}

// ------------------------------------------------------------------------------------------------
// The spawns that one buffer records in a phase. The handles that it spawned may end in it.

typedef struct course {
    uint64_t seed;
    uint32_t steps;
    uint64_t own[64];
    uint32_t own_count;
} course;

static void step(ledger *l, course *c, uint32_t buffer, fixture_random *random, uint32_t known)
{
    if (fixture_below(random, 4) != 0) {
        uint64_t e = record_spawn(l, buffer);
        if (e != 0) c->own[c->own_count++ % 64] = e;
    } else if (c->own_count != 0 && fixture_below(random, 2) == 0) {
        uint32_t of = c->own_count < 64 ? c->own_count : 64;
        uint64_t e = c->own[fixture_below(random, of)];
        bool done = record_despawn(l, buffer, e);
        for (uint32_t i = known; done && i < l->count; i++) {
            if (l->handles[i] == e) l->fates[i] = GONE;
        }
    } else if (known != 0) {
        uint32_t i = fixture_below(random, known);
        record_despawn(l, buffer, l->handles[i]);
    }
}

// Runs a phase in which the buffers record in an order of their own: whole courses forwards or
// backwards, or step by step.
static weft_status run_phase(ledger *l, uint64_t seed, uint32_t steps, uint32_t order)
{
    course courses[SYSTEMS];
    fixture_random random[SYSTEMS];
    assert_int_equal(weft_phase_begin(world_of(l), 0), WEFT_OK);
    uint32_t known = l->count;
    for (uint32_t s = 0; s < SYSTEMS; s++) {
        courses[s] = (course){.seed = seed + s, .steps = steps * s + 1};
        random[s].state = courses[s].seed;
    }
    for (uint32_t i = 0; i < SYSTEMS * (steps + 1); i++) {
        uint32_t s = order == 0 ? i / (steps + 1) : SYSTEMS - 1 - i / (steps + 1);
        if (order == 2) s = i % SYSTEMS;
        if (courses[s].steps == 0) continue;
        courses[s].steps--;
        step(l, &courses[s], 1 + s, &random[s], known);
    }
    return weft_phase_end(world_of(l));
}

// Does something outside of phases.
static void outside(ledger *l, fixture_random *random)
{
    uint32_t chance = fixture_below(random, 16);
    uint32_t i = any_handle(l, random);
    if (chance < 4) {
        enter(l, weft_spawn_empty(world_of(l)), ALIVE);
    } else if (chance < 9) {
        if (l->count != 0 && weft_despawn(world_of(l), l->handles[i])) l->fates[i] = GONE;
    } else if (chance < 14) {
        record_spawn(l, 0);
    } else if (chance == 14) {
        (void)weft_world_trim(world_of(l));
    } else if (l->count != 0 && l->fates[i] == PROMISED) {
        if (record_despawn(l, 0, l->handles[i])) l->fates[i] = GONE;
    }
}

static const fixture_options shapes[] = {
    {.max_entities = 1000},
    {.max_entities = 60},
    {.index_bits = 8, .generation_bits = 8, .max_entities = 40},
    {.index_bits = 9, .generation_bits = 2, .max_entities = 100},
    {.index_bits = 9, .generation_bits = 1, .max_entities = 100},
    {.index_bits = 10, .generation_bits = 6, .max_entities = 60, .recycle_after = 9},
    {.index_bits = 7, .generation_bits = 25, .max_entities = 100, .recycle_after = 3},
};

#ifdef WEFT_HARD
enum { ROUNDS = 8 };
#else
enum { ROUNDS = 30 };
#endif

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static void recycle(ledger *l)
{
    weft_world_recycle(world_of(l));
    settle(l, WEFT_FULL);
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->fates[i] != ALIVE) continue;
        uint64_t kept = l->handles[i];
        l->handles[i] = l->handles[l->forgotten];
        l->fates[i] = l->fates[l->forgotten];
        l->handles[l->forgotten] = kept;
        l->fates[l->forgotten++] = ALIVE;
    }
    l->count = l->forgotten; // of the living
    l->forgotten = 0;
}

static void run_course(ledger *l, uint64_t seed, uint32_t order, bool fails)
{
    fixture_random random = {seed};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        fixture_random chances = {seed * 1000 + round};
        if (fails) {
            l->g->memory.fail_at = l->g->memory.calls + 1 + fixture_below(&chances, 6);
            l->g->memory.fail_on = fixture_below(&chances, 2) == 0;
        }
        for (uint32_t i = fixture_below(&random, 30); i > 0; i--) outside(l, &random);
        weft_status status = weft_commands_apply(world_of(l));
        l->g->memory.fail_at = 0;
        settle(l, status);
        if (fails) l->g->memory.fail_at = l->g->memory.calls + 1 + fixture_below(&chances, 6);
        status = run_phase(l, seed * 100 + round, round % 7 * 6, order);
        l->g->memory.fail_at = 0;
        settle(l, status);
        if (round % 10 == 9) recycle(l);
    }
}

static void no_handle_is_given_twice(void **state)
{
    (void)state;
    for (uint32_t shape = 0; shape < SHAPES; shape++) {
        for (uint32_t fails = 0; fails < 2; fails++) {
            ledger *l = ledger_open(shapes[shape], fails != 0);
            run_course(l, 3 + shape, 2, fails != 0);
            ledger_close(l);
        }
    }
}

// Buffers record in three orders, as threads might: the worlds are one to the last bit.
static void the_order_of_recording_plays_no_part(void **state)
{
    (void)state;
    for (uint32_t shape = 0; shape < SHAPES; shape++) {
        uint64_t exact[3];
        for (uint32_t order = 0; order < 3; order++) {
            ledger *l = ledger_open(shapes[shape], order == 1);
            // Known handles are drawn by number, so that these have to be in one order, too.
            for (uint32_t round = 0; round < ROUNDS; round++) {
                settle(l, run_phase(l, round, round % 7 * 6, order));
                l->count = 0;
                for (uint32_t t = 0; t < world_of(l)->lists.every_table.count; t++) {
                    const weft_table *table = world_of(l)->lists.every_table.tables[t];
                    for (uint32_t row = 0; row < table->count; row++) {
                        const void *handles = weft_column(table, 0);
                        l->fates[l->count] = ALIVE;
                        l->handles[l->count++] =
                            weft_handle_load(world_of(l)->plan->format, handles, row);
                    }
                }
            }
            exact[order] = ground_exact(l->g);
            ledger_close(l);
        }
        assert_int_equal(exact[0], exact[1]);
        assert_int_equal(exact[0], exact[2]);
    }
}

// ------------------------------------------------------------------------------------------------
// Single cases

// Two systems of a phase get blocks of 16 places in turn; the free indices first, in their order.
static void places_are_dealt_out_in_turn(void **state)
{
    (void)state;
    ledger *l = ledger_open((fixture_options){0}, false);
    weft_format f = world_of(l)->plan->format;
    for (uint32_t i = 0; i < 4; i++) enter(l, weft_spawn_empty(world_of(l)), ALIVE);
    for (uint32_t i = 0; i < 3; i++) assert_true(weft_despawn(world_of(l), weft_handle(f, i, 1)));
    assert_int_equal(weft_phase_begin(world_of(l), 0), WEFT_OK);
    uint32_t second = 4 + (16 - 3); // the first index behind the block of the first
    assert_int_equal(record_spawn(l, 2), weft_handle(f, second, 1));
    assert_int_equal(record_spawn(l, 2), weft_handle(f, second + 1, 1));
    assert_int_equal(record_spawn(l, 1), weft_handle(f, 2, 2));
    assert_int_equal(record_spawn(l, 2), weft_handle(f, second + 2, 1));
    assert_int_equal(weft_world_stats(world_of(l)).indices, 4);
    assert_int_equal(weft_phase_end(world_of(l)), WEFT_OK);
    assert_int_equal(weft_world_stats(world_of(l)).indices, 4 + 3);
    assert_int_equal(weft_world_stats(world_of(l)).indices_free, 2);
    assert_int_equal(weft_spawn_empty(world_of(l)), weft_handle(f, 1, 2));
    assert_int_equal(weft_spawn_empty(world_of(l)), weft_handle(f, 0, 2));
    assert_int_equal(weft_spawn_empty(world_of(l)), weft_handle(f, 4, 1)); // passed over
    assert_int_equal(weft_world_stats(world_of(l)).indices, 4 + 3 + 1);
    ledger_close(l);
}

// Indices that were set aside and not used are none that were handed out, are the next to be used,
// and do not rest in a world whose free indices do.
static void what_is_passed_over_goes_back(void **state)
{
    (void)state;
    for (uint32_t wait = 0; wait < 100; wait += 50) {
        ledger *l = ledger_open((fixture_options){.recycle_after = wait}, false);
        for (uint32_t i = 0; i < wait / 2; i++) weft_spawn_empty(world_of(l));
        for (uint32_t i = 0; i < wait / 2; i++) {
            assert_true(weft_despawn(world_of(l), weft_handle(world_of(l)->plan->format, i, 1)));
        }
        for (uint32_t phase = 1; phase <= 20; phase++) {
            assert_int_equal(weft_phase_begin(world_of(l), 0), WEFT_OK);
            for (uint32_t i = 0; i < 1000; i++) record_spawn(l, 1 + phase / 15);
            assert_int_equal(weft_phase_end(world_of(l)), WEFT_OK);
            assert_int_equal(weft_world_stats(world_of(l)).indices, 1000 * phase + wait / 2);
            assert_true(world_of(l)->entities.index_count < 1000 * phase + 1100 + wait);
        }
        settle(l, WEFT_OK);
        ledger_close(l);
    }
}

static void a_full_world_gives_a_phase_none(void **state)
{
    (void)state;
    ledger *l = ledger_open((fixture_options){.max_entities = 5}, false);
    uint64_t first = weft_spawn_empty(world_of(l));
    weft_spawn_empty(world_of(l));
    assert_int_equal(weft_phase_begin(world_of(l), 0), WEFT_OK);
    record_despawn(l, 1, first); // in vain for spawns of this phase
    for (uint32_t s = 1; s <= SYSTEMS; s++) {
        for (uint32_t i = 0; i < 4; i++) assert_int_equal(record_spawn(l, s) != 0, i < 3);
    }
    assert_int_equal(weft_phase_end(world_of(l)), WEFT_FULL); // the second system's are lost, too
    assert_int_equal(weft_world_stats(world_of(l)).commands_lost, 2 + 3);
    assert_int_equal(weft_world_stats(world_of(l)).entities, 4);
    for (uint32_t i = 0; i < l->count; i++) assert_int_equal(lives(l, l->handles[i]), i < 3);
    assert_int_not_equal(weft_spawn_empty(world_of(l)), 0);
    assert_int_equal(weft_phase_begin(world_of(l), 0), WEFT_OK);
    assert_int_equal(record_spawn(l, 2), 0);
    assert_int_equal(weft_phase_end(world_of(l)), WEFT_FULL);
    ledger_close(l);
}

// Indices without memory for their records were given: their handles stay dead when there is some.
static void what_was_owed_begins_with_the_next_generation(void **state)
{
    (void)state;
    ledger *l = ledger_open((fixture_options){0}, true);
    weft_world *world = world_of(l);
    weft_format f = world->plan->format;
    uint32_t capacity = world->entities.index_capacity;
    weft_world_trim(world);
    assert_int_equal(weft_phase_begin(world, 0), WEFT_OK);
    for (uint32_t i = 0; i < capacity + 10; i++) assert_int_not_equal(record_spawn(l, 1), 0);
    l->g->memory.fail_at = l->g->memory.calls + 1;
    l->g->memory.fail_on = true;
    weft_places_close(world);
    l->g->memory.fail_at = 0;
    assert_int_equal(weft_phase_end(world), WEFT_NO_MEMORY);
    settle(l, WEFT_NO_MEMORY);
    uint32_t live = weft_world_stats(world).entities;
    assert_true(live < capacity + 10);
    uint32_t again = 0;
    for (uint32_t i = 0; i < 2 * capacity + 20; i++) {
        uint64_t e = enter(l, weft_spawn_empty(world), ALIVE);
        again += e >> f.index_bits == 2;
    }
    assert_true(again >= capacity + 10 - live); // all that were owed, however few there can be
    ledger_close(l);
}

// While there is no memory for records of indices that were given, a phase gives only free ones.
static void what_is_owed_is_given_to_no_other_phase(void **state)
{
    (void)state;
    ledger *l = ledger_open((fixture_options){0}, true);
    weft_world *world = world_of(l);
    const uint32_t capacity = world->entities.index_capacity;
    weft_world_trim(world);
    assert_int_equal(weft_phase_begin(world, 0), WEFT_OK);
    for (uint32_t i = 0; i < capacity + 10; i++) assert_int_not_equal(record_spawn(l, 1), 0);
    l->g->memory.fail_at = l->g->memory.calls + 1;
    l->g->memory.fail_on = true;
    weft_places_close(world);
    assert_int_equal(weft_phase_end(world), WEFT_NO_MEMORY);
    settle(l, WEFT_NO_MEMORY);
    assert_true(world->entities.owed > world->entities.index_count);
    const uint32_t free = weft_entities_listed(&world->entities);
    assert_int_equal(weft_phase_begin(world, 0), WEFT_OK);
    for (uint32_t i = 0; i < free + 5; i++) {
        const uint64_t e = record_spawn(l, 1);
        assert_true(e == 0 || i < free);
    }
    l->g->memory.fail_at = 0;
    assert_int_equal(weft_phase_end(world), WEFT_NO_MEMORY);
    settle(l, WEFT_NO_MEMORY);
    assert_int_equal(weft_phase_begin(world, 0), WEFT_OK);
    for (uint32_t i = 0; i < 30; i++) assert_int_not_equal(record_spawn(l, 1), 0);
    assert_int_equal(weft_phase_end(world), WEFT_OK);
    settle(l, WEFT_OK);
    ledger_close(l);
}

static void recycling_applies_what_waits(void **state)
{
    (void)state;
    ledger *l = ledger_open((fixture_options){0}, false);
    uint64_t e = record_spawn(l, 0);
    weft_world_recycle(world_of(l));
    assert_true(lives(l, e));
    ledger_close(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_handle_is_given_twice),
        cmocka_unit_test(the_order_of_recording_plays_no_part),
        cmocka_unit_test(places_are_dealt_out_in_turn),
        cmocka_unit_test(what_is_passed_over_goes_back),
        cmocka_unit_test(a_full_world_gives_a_phase_none),
        cmocka_unit_test(what_was_owed_begins_with_the_next_generation),
        cmocka_unit_test(what_is_owed_is_given_to_no_other_phase),
        cmocka_unit_test(recycling_applies_what_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
