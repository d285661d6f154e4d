// Commands that are applied in the middle of a phase (`flush = true`), systems that are switched
// off or run alone, entities that lose all components, and worlds that move to another thread.
//
// program: quick worlds optimised threads
#define _POSIX_C_SOURCE 200809L // support/asserts.h

#include "../../fuzz/memory.h"
#include "../../support/asserts.h"
#include "relay_field.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void seed_U1_what_was_recorded_before_a_flush_is_seen_behind_it(void **state)
{
    field *f = (field *)*state;
    f->making = 4;
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->counted, 4);
    assert_int_equal(f->counted_too, 4);
    assert_int_equal(f->last, 3); // without the one that `count` despawned
    assert_int_equal(relay_stats(f->w).entities, 3);
}

static void handles_in_events_are_those_of_the_entities_from_the_flush_on(void **state)
{
    field *f = (field *)*state;
    f->making = 3;
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->alive_early, 0);
    assert_int_equal(f->heard_count, 3);
    assert_false(relay_alive(f->w, f->heard[0])); // `count` despawned it
    for (uint32_t i = 1; i < 3; i++) {
        assert_true(relay_alive(f->w, f->heard[i]));
        assert_int_equal(relay_runner_get(f->w, f->heard[i])->number, i);
    }
}

static void what_hooks_record_is_applied_too(void **state)
{
    field *f = (field *)*state;
    f->making = 3;
    f->hooks_spawn = 2;
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->marked, 3);
    assert_int_equal(f->hooked, 3);
    assert_int_equal(f->last, 4); // 3 - 1 + 2
    assert_int_equal(relay_stats(f->w).commands_dropped, 0);
}

// Where the system of the flush is not due, the flush is made nevertheless.
static void a_flush_is_made_whether_or_not_its_system_is_due(void **state)
{
    field *f = (field *)*state;
    f->making = 2;
    for (uint32_t tick = 1; tick <= 8; tick++) {
        forget(f);
        f->making = 2;
        assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
        assert_int_equal(f->last, tick);
        assert_int_equal(f->late, tick % 4 == 0 ? 4 : 0); // added since its last turn
    }
}

// An entity of the last turn that goes in one segment is removed once, and one that comes in a
// segment and goes in the next is not.
static void readers_see_what_changed_since_their_turn(void **state)
{
    field *f = (field *)*state;
    f->making = 2;
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->next, 1);
    assert_int_equal(f->removed, 0);
    relay_runner *first = relay_runner_edit(f->w, f->heard[1]);
    first->number = 0; // so that `count` despawns it
    forget(f);
    f->making = 3;
    assert_int_equal(relay_tick(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->next, 2);
    assert_int_equal(f->removed, 1);
}

static void a_phase_returns_what_a_flush_had_no_space_for(void **state)
{
    field *f = (field *)*state;
    f->making = 101;
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_FULL);
    assert_int_equal(relay_stats(f->w).commands_lost, 1);
    assert_int_equal(f->last, 99);
    forget(f);
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
}

// ------------------------------------------------------------------------------------------------
// Switches

static void seed_U1_a_system_that_is_off_has_no_turn(void **state)
{
    field *f = (field *)*state;
    f->making = 2;
    assert_true(relay_count_is_on(f->w));
    assert_true(relay_count_switch(f->w, false));
    assert_true(relay_count_too_switch(f->w, false));
    assert_false(relay_count_is_on(f->w));
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->counted, 0);
    assert_int_equal(f->counted_too, 0);
    assert_int_equal(f->marked, 2); // since the flush is made nevertheless
    assert_true(relay_count_switch(f->w, true));
    assert_true(relay_count_too_switch(f->w, true));
    f->making = 0;
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->counted, 2);
    assert_int_equal(f->counted_too, 2);
    assert_int_equal(f->heard_count, 0); // those it would have heard have passed
}

static void clocks_stand_still_and_changes_wait(void **state)
{
    field *f = (field *)*state;
    f->making = 3;
    assert_int_equal(relay_run_first(f->w, 0.75), WEFT_OK);
    assert_true(relay_late_switch(f->w, false));
    for (uint32_t i = 0; i < 4; i++) {
        forget(f);
        assert_int_equal(relay_run_first(f->w, 0.75), WEFT_OK);
    }
    assert_int_equal(f->late_turns, 0);
    assert_true(relay_late_switch(f->w, true));
    assert_int_equal(relay_run_first(f->w, 0.25), WEFT_OK);
    assert_int_equal(f->late_turns, 1);
    assert_int_equal(f->late, 2);
    assert_true(f->late_seconds == 1.0);
}

static void save_and_load(field *f)
{
    void *bytes;
    size_t count;
    uint64_t hash = relay_hash(f->w);
    uint64_t exact = relay_hash_exact(f->w);
    assert_int_equal(relay_save_memory(f->w, &bytes, &count), WEFT_OK);
    assert_true(relay_late_switch(f->w, true));
    assert_true(relay_next_phase_switch(f->w, false));
    assert_true(relay_hash(f->w) != hash);
    assert_int_equal(relay_load_memory(f->w, bytes, count), WEFT_OK);
    assert_true(relay_hash(f->w) == hash);
    assert_true(relay_hash_exact(f->w) == exact);
    free(bytes);
}

static void saves_and_hashes_have_switches_where_the_schema_says_so(void **state)
{
    field *f = (field *)*state;
    uint64_t all_on = relay_hash(f->w);
    assert_true(relay_count_switch(f->w, false));
    assert_true(relay_hash(f->w) == all_on); // it is not saved
    assert_true(relay_late_switch(f->w, false));
    uint64_t late_off = relay_hash(f->w);
    assert_true(late_off != all_on);
    save_and_load(f);
    assert_false(relay_late_is_on(f->w));
    assert_true(relay_next_phase_is_on(f->w));
    assert_true(relay_count_is_on(f->w)); // as at first
    assert_true(relay_late_switch(f->w, true));
    assert_true(relay_next_phase_switch(f->w, false));
    assert_true(relay_hash(f->w) != all_on && relay_hash(f->w) != late_off);
    assert_true(relay_next_phase_switch(f->w, true));
    assert_true(relay_hash(f->w) == all_on);
}

// ------------------------------------------------------------------------------------------------
// Systems alone

static void seed_U1_a_system_runs_alone_and_its_commands_are_applied(void **state)
{
    field *f = (field *)*state;
    f->making = 3;
    assert_int_equal(relay_make_run(f->w, 0.5), WEFT_OK);
    assert_int_equal(relay_stats(f->w).entities, 3);
    assert_int_equal(relay_stats(f->w).ticks, 0);
    assert_int_equal(f->counted, 0);
    relay_cmd_spawn(relay_commands(f->w)); // what is recorded outside is applied first
    assert_int_equal(relay_count_run(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->heard_count, 3);
    assert_int_equal(f->counted, 3);
    assert_int_equal(relay_stats(f->w).entities, 3); // one more, and one despawned
    assert_int_equal(relay_count_run(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->heard_count, 0); // a turn like any other: what was heard has been heard
    assert_int_equal(relay_count_too_run(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->counted_too, 2);
    assert_int_equal(f->marked + f->last + f->next, 0);
    assert_int_equal(relay_make_run(f->w, -1.0), WEFT_REFUSED);
    f->making = 99;
    assert_int_equal(relay_make_run(f->w, 0.5), WEFT_FULL);
}

static void alone_it_runs_if_it_is_due_and_also_if_it_is_off(void **state)
{
    field *f = (field *)*state;
    f->making = 2;
    assert_int_equal(relay_make_run(f->w, 0.0), WEFT_OK);
    assert_true(relay_late_switch(f->w, false));
    assert_int_equal(relay_late_run(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->late_turns, 0);
    assert_int_equal(relay_late_run(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->late_turns, 1);
    assert_int_equal(f->late, 2);
    assert_false(relay_late_is_on(f->w));
    assert_int_equal(relay_late_run(f->w, 1.0), WEFT_OK); // nothing was added since
    assert_int_equal(f->late, 2);
}

// ------------------------------------------------------------------------------------------------
// Entities that lose all they have

static relay_entity shod(relay_world *w, uint32_t size)
{
    relay_entity e = relay_spawn(w);
    assert_true(relay_shoes_set(w, e, (relay_shoes){size})); // which needs a runner
    assert_true(relay_tired_set(w, e, (relay_tired){3.0f}));
    assert_true(relay_marked_set(w, e));
    return e;
}

static void seed_U1_a_stripped_entity_lives_on_without_anything(void **state)
{
    field *f = (field *)*state;
    relay_entity parent = shod(f->w, 40), e = shod(f->w, 41), child = shod(f->w, 42);
    assert_true(relay_follows_attach(f->w, e, parent));
    assert_true(relay_follows_attach(f->w, child, e));
    assert_int_equal(relay_next_phase_run(f->w, 0), WEFT_OK);
    assert_true(relay_strip(f->w, e));
    assert_int_equal(f->took_off, 41);
    assert_true(relay_alive(f->w, e));
    assert_false(relay_runner_has(f->w, e) || relay_shoes_has(f->w, e));
    assert_false(relay_tired_has(f->w, e) || relay_marked_has(f->w, e));
    assert_true(relay_same(relay_follows_parent(f->w, e), parent));
    assert_true(relay_same(relay_follows_first_child(f->w, e), child));
    assert_true(relay_shoes_has(f->w, child));
    assert_int_equal(relay_next_phase_run(f->w, 0), WEFT_OK);
    assert_int_equal(f->removed, 1);
    assert_int_equal(f->removed_shoes, 1);
    assert_true(relay_strip(f->w, e)); // which has nothing
    assert_true(relay_tired_set(f->w, e, (relay_tired){1.0f}));
    assert_true(relay_tired_get(f->w, e)->hours == 1.0f);
    assert_true(relay_despawn(f->w, e));
    assert_false(relay_strip(f->w, e));
    assert_int_equal(f->took_off, 41 + 42); // its child went along
}

// With allocations failing in turn, an entity keeps all it has or loses all.
static void without_memory_it_keeps_all(void **state)
{
    field *f = (field *)*state;
    relay_close(f->w);
    uint32_t refused = 0;
    for (bool done = false; !done; refused += !done) {
        static memory of;
        of = (memory){0};
        weft_options options = memory_options(&of);
        options.user = f;
        f->w = relay_open(&options);
        assert_non_null(f->w);
        relay_entity e = relay_team_spawn(f->w, NULL); // the table without components has no row
        assert_true(relay_marked_set(f->w, e));
        memory_arm(&of, refused, false);
        done = relay_strip(f->w, e);
        assert_true(memory_disarm(&of) || done); // in hard mode relocating may find none, too
        assert_int_equal(relay_runner_has(f->w, e), !done);
        assert_int_equal(relay_marked_has(f->w, e), !done);
        relay_close(f->w);
        memory_check_empty(&of);
    }
    assert_int_not_equal(refused, 0);
    f->w = NULL;
}

// ------------------------------------------------------------------------------------------------
// Threads

static void use(void *context)
{
    relay_spawn((relay_world *)context);
}

static void run(void *context)
{
    relay_run_second((relay_world *)context, 0.5);
}

static void take_over_and_use(void *context)
{
    relay_world *w = (relay_world *)context;
    relay_take_over(w);
    relay_despawn(w, relay_spawn(w));
    relay_run_second(w, 0.5);
}

typedef struct errand {
    void (*call)(void *context);
    void *context;
} errand;

static void *go(void *argument)
{
    const errand *one = (const errand *)argument;
    one->call(one->context);
    return NULL;
}

// Calls a function on another thread, and returns when it has ended.
static void elsewhere(void (*call)(void *context), void *context)
{
    pthread_t other;
    errand one = {call, context};
    if (pthread_create(&other, NULL, go, &one) != 0) abort();
    pthread_join(other, NULL);
}

static void spawn_elsewhere(void *context)
{
    elsewhere(use, context);
}

static void run_elsewhere(void *context)
{
    elsewhere(run, context);
}

static void a_world_belongs_to_a_thread_at_a_time(void **state)
{
    field *f = (field *)*state;
    const char *words = "another thread uses the world";
    assert_true(asserts_saying(spawn_elsewhere, f->w, words));
    assert_true(asserts_saying(run_elsewhere, f->w, words));
    elsewhere(take_over_and_use, f->w);
    assert_true(asserts_saying(use, f->w, words));
    relay_take_over(f->w);
    use(f->w);
    assert_int_equal(relay_stats(f->w).entities, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH_WAY(seed_U1_what_was_recorded_before_a_flush_is_seen_behind_it),
        EACH_WAY(handles_in_events_are_those_of_the_entities_from_the_flush_on),
        EACH_WAY(what_hooks_record_is_applied_too),
        EACH_WAY(a_flush_is_made_whether_or_not_its_system_is_due),
        EACH_WAY(readers_see_what_changed_since_their_turn),
        EACH_WAY(a_phase_returns_what_a_flush_had_no_space_for),
        EACH_WAY(seed_U1_a_system_that_is_off_has_no_turn),
        EACH_WAY(clocks_stand_still_and_changes_wait),
        EACH_WAY(saves_and_hashes_have_switches_where_the_schema_says_so),
        EACH_WAY(seed_U1_a_system_runs_alone_and_its_commands_are_applied),
        EACH_WAY(alone_it_runs_if_it_is_due_and_also_if_it_is_off),
        EACH_WAY(seed_U1_a_stripped_entity_lives_on_without_anything),
        EACH_WAY(without_memory_it_keeps_all),
        cmocka_unit_test_setup_teardown(a_world_belongs_to_a_thread_at_a_time, open_alone,
                                        close_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
