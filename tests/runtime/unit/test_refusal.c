// Refusals and their messages: dead handles, changes that rules forbid, calls while a phase runs,
// full worlds.
//
// program: quick moving released portable
#define _POSIX_C_SOURCE 200809L // dup, fileno

#include "base/utf8.h"
#include "edit/apply.h"
#include "edit/calls.h"
#include "ground.h"
#include "run/lifecycle.h"
#include "run/phase.h"
#include "run/trim.h"
#include "world/report.h"
#include "world/rows.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static ground *open_default(void)
{
    return ground_open((fixture_options){0}, 1);
}

static void says(ground *g, const char *words)
{
    assert_string_equal(weft_world_error(ground_world(g)), words);
    assert_string_equal(g->log, words);
}

// ------------------------------------------------------------------------------------------------
// Handles that are refused

// How many refusals were counted since the world's counts were set to zero.
static uint64_t repeats(const weft_world *world)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < WEFT_REPEATS; i++) sum += world->report.repeats[i].count;
    return sum;
}

static void refuses(ground *g, uint64_t handle, const char *words)
{
    weft_world *world = ground_world(g);
    uint64_t before = ground_exact(g);
    uint32_t lines = g->log_lines;
    uint32_t version = weft_version(world);
    position p = {0};
    char last_line[sizeof world->report.text + 64];
    memset(world->report.repeats, 0, sizeof world->report.repeats);
    assert_false(weft_despawn(world, handle));
    assert_false(weft_component_set(world, handle, POSITION, &p));
    assert_false(weft_component_set(world, handle, WORKER, g->fixture.infos[WORKER].defaults));
    assert_false(weft_component_set(world, handle, BURNING, g->fixture.infos[BURNING].defaults));
    assert_false(weft_component_remove(world, handle, POSITION));
    assert_false(weft_component_remove(world, handle, SELECTED));
    assert_false(weft_component_set(world, handle, SELECTED, NULL));
    assert_false(weft_component_set(world, handle, ASLEEP, NULL));
    assert_false(weft_prefab_set(world, handle, VILLAGER, &(villager){0}));
    assert_int_equal(repeats(world), 9);
    assert_int_equal(g->log_lines, lines + 4);
    assert_false(weft_component_has(world, handle, POSITION));
    assert_false(weft_component_has(world, handle, SELECTED));
    assert_null(weft_sparse_get(world, world->plan->format, BURNING_STORE, handle));
    assert_int_equal(world->report.refusal.status, WEFT_DEAD);
    assert_non_null(strstr(weft_world_error(world), words));
    snprintf(last_line, sizeof last_line, "%s (8 of this kind so far)", weft_world_error(world));
    assert_string_equal(g->log, last_line);
    assert_int_equal(ground_exact(g), before);
    assert_int_equal(weft_version(world), version);
    ground_check(g);
}

static void seed_F4_dead_and_foreign_handles_are_refused(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){24, 8, 4, 100, 0}, 1);
    uint64_t dead = ground_spawn_empty(g);
    assert_true(ground_despawn(g, dead));
    uint64_t alive = ground_spawn_empty(g);
    assert_true(ground_add(g, alive, POSITION));
    assert_int_equal(alive & 0xFFFFFF, dead & 0xFFFFFF);
    refuses(g, dead, "0:1 is not alive");
    refuses(g, 0, "the handle is none");
    refuses(g, (uint64_t)77 | 1u << 24, "77:1 was never one of this world");
    refuses(g, 1, "only later commands");
    refuses(g, alive | (uint64_t)1 << 32, "never one of this world");
    refuses(g, alive + (1u << 24), "not alive");
    refuses(g, UINT64_MAX, "never one of this world");
    assert_true(weft_despawn(ground_world(g), alive));
    assert_true(model_despawn(&g->model, alive));
    ground_close(g);
}

// ------------------------------------------------------------------------------------------------
// Rules

static void seed_M3_a_refused_set_leaves_everything_as_it_was(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e = ground_spawn_empty(g);
    assert_true(ground_add(g, e, BUILDING) && ground_add(g, e, SELECTED));
    uint64_t before = ground_exact(g);
    uint32_t tables = ground_world(g)->tables.count;
    assert_false(ground_add(g, e, WORKER));
    says(g, "'worker' cannot be added to entity 0:1, which has 'building': never both; remove "
            "'building' first");
    assert_false(ground_add(g, e, LEADER));
    says(g,
         "'leader' cannot be added to entity 0:1: it requires 'worker', which cannot be together "
         "with 'building'; remove 'building' first");
    assert_false(ground_add(g, e, HIDDEN));
    assert_false(ground_add(g, e, ASLEEP));
    assert_false(ground_drop(g, e, POSITION));
    says(g, "'position' cannot be removed from entity 0:1: 'building' requires it; remove "
            "'building' first");
    assert_false(weft_prefab_set(ground_world(g), e, BOSS, &(boss){.leader = {1}}));
    assert_int_equal(ground_world(g)->report.refusal.status, WEFT_REFUSED);
    assert_int_equal(ground_exact(g), before);
    assert_int_equal(ground_world(g)->tables.count, tables);
    ground_check(g);
    ground_close(g);
}

static void requires_adds_what_is_missing(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e = ground_spawn_empty(g);
    position here = {5, 6};
    assert_true(weft_component_set(ground_world(g), e, POSITION, &here));
    assert_true(model_set(&g->model, e, POSITION, &here));
    assert_true(ground_add(g, e, LEADER));
    assert_memory_equal(ground_value(g, e, POSITION), &here, sizeof here);
    assert_memory_equal(ground_value(g, e, WORKER), g->fixture.infos[WORKER].defaults,
                        sizeof(worker));
    assert_true(weft_component_has(ground_world(g), e, NAMED));
    assert_false(ground_drop(g, e, NAMED));
    assert_false(ground_drop(g, e, WORKER));
    assert_true(ground_drop(g, e, LEADER) && ground_drop(g, e, NAMED) && ground_drop(g, e, WORKER));
    uint64_t heavy = ground_spawn_empty(g);
    assert_true(ground_add(g, heavy, HEAVY));
    assert_int_equal(((cargo *)ground_value(g, heavy, CARGO))->tons, 10);
    ground_check(g);
    ground_close(g);
}

static void removing_what_is_absent_says_so(void **state)
{
    (void)state;
    ground *g = open_default();
    uint64_t e = ground_spawn_empty(g);
    assert_false(ground_drop(g, e, POSITION));
    says(g, "entity 0:1 has no 'position'");
    assert_int_equal(ground_world(g)->report.refusal.status, WEFT_NOT_FOUND);
    assert_false(ground_drop(g, e, SELECTED));
    assert_false(ground_drop(g, e, BURNING));
    ground_check(g);
    ground_close(g);
}

// ------------------------------------------------------------------------------------------------
// While a phase runs

typedef struct busy_call {
    const char *words; // behind those that name the phase
    void (*call)(void *ground);
} busy_call;

static uint64_t somebody(ground *g)
{
    return g->model.entities[0].handle;
}

static void call_despawn(void *g)
{
    assert_false(weft_despawn(ground_world(g), somebody(g)));
}

static void call_set(void *g)
{
    assert_false(weft_component_set(ground_world(g), somebody(g), POSITION, &(position){0}));
}

static void call_remove(void *g)
{
    assert_false(weft_component_remove(ground_world(g), somebody(g), VELOCITY));
}

static void call_tag_set(void *g)
{
    assert_false(weft_component_set(ground_world(g), somebody(g), NAMED, NULL));
}

static void call_tag_clear(void *g)
{
    assert_false(weft_component_clear(ground_world(g), SELECTED));
}

static void call_prefab_set(void *g)
{
    assert_false(weft_prefab_set(ground_world(g), somebody(g), BOSS, &(boss){.leader = {1}}));
}

static void call_spawn_empty(void *g)
{
    assert_int_equal(weft_spawn_empty(ground_world(g)), 0);
}

static void call_spawn_many(void *g)
{
    uint32_t first;
    assert_false(weft_spawn_many(ground_world(g), VILLAGER, 2, &(villager){0}, NULL, &first));
}

static void call_prefab_ready(void *g)
{
    assert_false(weft_prefab_ready(ground_world(g), BOSS));
}

static void call_reserve(void *g)
{
    assert_int_equal(weft_prefab_reserve(ground_world(g), WEFT_NONE, 100), WEFT_BUSY);
}

static void call_prefab_reserve(void *g)
{
    assert_int_equal(weft_prefab_reserve(ground_world(g), BOSS, 100), WEFT_BUSY);
}

static void call_recycle(void *g)
{
    assert_int_equal(weft_world_recycle(ground_world(g)), 0);
}

static void call_trim(void *g)
{
    assert_int_equal(weft_world_trim(ground_world(g)), WEFT_BUSY);
}

static void call_destroy(void *g)
{
    weft_world_destroy(ground_world(g), sizeof(weft_world));
}

static void call_apply(void *g)
{
    assert_int_equal(weft_commands_apply(ground_world(g)), WEFT_BUSY);
}

static void call_phase_begin(void *g)
{
    assert_int_equal(weft_phase_begin(ground_world(g), 0), WEFT_BUSY);
}

static const busy_call busy_calls[] = {
    {"despawn is to be recorded as a command instead", call_despawn},
    {"set is to be recorded as a command instead", call_set},
    {"remove is to be recorded as a command instead", call_remove},
    {"set is to be recorded as a command instead", call_tag_set},
    {"clear is to be recorded as a command instead", call_tag_clear},
    {"set is to be recorded as a command instead", call_prefab_set},
    {"spawn is to be recorded as a command instead", call_spawn_empty},
    {"spawn_many is to be recorded as a command instead", call_spawn_many},
    {"spawn is to be recorded as a command instead", call_prefab_ready},
    {"reserve has to wait until that is over", call_reserve},
    {"recycle has to wait until that is over", call_recycle},
    {"reserve has to wait until that is over", call_prefab_reserve},
    {"trim has to wait until that is over", call_trim},
    {"close has to wait until that is over", call_destroy},
    {"flush has to wait until that is over", call_apply},
    {"run has to wait until that is over", call_phase_begin},
};

// Asserts in debug builds; in release builds the call is refused and changes nothing.
static void direct_calls_while_a_phase_runs_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof busy_calls / sizeof busy_calls[0]; i++) {
        ground *g = open_default();
        ground_spawn(g, VILLAGER);
        assert_int_equal(weft_phase_begin(ground_world(g), 0), WEFT_OK);
        uint64_t before = ground_exact(g);
        char words[128];
        snprintf(words, sizeof words, "phase 'simulate' runs: %s", busy_calls[i].words);
#ifdef NDEBUG
        busy_calls[i].call(g);
        assert_int_equal(ground_world(g)->report.refusal.status, WEFT_BUSY);
        assert_string_equal(g->log, words);
#else
        if (!fixture_asserts(busy_calls[i].call, g, words)) fail_msg("not so: %s", words);
#endif
        assert_int_equal(ground_exact(g), before);
        assert_true(weft_component_has(ground_world(g), somebody(g), WORKER));
        assert_int_equal(weft_phase_end(ground_world(g)), WEFT_OK);
        ground_check(g);
        ground_close(g);
    }
}

// ------------------------------------------------------------------------------------------------
// Words

static void statuses_have_words(void **state)
{
    (void)state;
    for (int i = 0; i <= WEFT_BAD_VALUE; i++) {
        const char *text = weft_status_text((weft_status)i);
        assert_true(strlen(text) > (i == WEFT_OK ? 1 : 3));
        for (int other = 0; other < i; other++) {
            assert_string_not_equal(text, weft_status_text((weft_status)other));
        }
    }
    assert_non_null(weft_status_text((weft_status)99));
}

static void report_keeps_the_words_of_the_caller(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    assert_int_equal(weft_report(world, WEFT_NOT_FOUND, "no %s at %d", "bread", 7), WEFT_NOT_FOUND);
    says(g, "no bread at 7");
    assert_int_equal(weft_report(world, WEFT_BAD_VALUE, "%600d", 1), WEFT_BAD_VALUE);
    assert_int_equal(strlen(weft_world_error(world)), sizeof world->report.text - 1);
    assert_false(weft_despawn(world, 0));
    says(g, "no entity: the handle is none");
    ground_close(g);
}

// Names may come from a save by another hand, and paths from anywhere.
static void report_shows_text_whatever_it_is_given(void **state)
{
    static const char *const names[][2] = {
        {"bread, \xC3\xA9t\xC3\xA9, \xF0\x9F\x8D\x9E \xC2\xA0",
         "bread, \xC3\xA9t\xC3\xA9, \xF0\x9F\x8D\x9E \xC2\xA0"},
        {"\x1B[2J\r\n\x7F", "\\u001b[2J\\u000d\\u000a\\u007f"},
        {"\xC2\x80\xC2\x9F", "\\u0080\\u009f"},
        {"\xFF\xC0\xAF", "\\udcff\\udcc0\\udcaf"},            // never, and too long
        {"\xED\xA0\x80", "\\udced\\udca0\\udc80"},            // a surrogate
        {"\xE2\x82", "\\udce2\\udc82"},                       // cut
        {"\xF4\x90\x80\x80", "\\udcf4\\udc90\\udc80\\udc80"}, // beyond the last
    };
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char words[128];
        snprintf(words, sizeof words, "no '%s' here", names[i][1]);
        weft_report(world, WEFT_NOT_FOUND, "no '%s' here", names[i][0]);
        assert_string_equal(weft_world_error(world), words);
    }
    ground_close(g);
}

// A text that does not fit is cut between characters, and between escapes.
static void report_cuts_no_character(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    for (int before = 0; before < 12; before++) {
        char wide[600] = "";
        char control[600] = "";
        for (size_t i = 0; i < 199; i++) memcpy(wide + 3 * i, "\xE2\x82\xAC", 4);
        memset(control, '\x1B', sizeof control - 1);
        weft_report(world, WEFT_NOT_FOUND, "%.*s%s", before, "............", wide);
        size_t length = strlen(weft_world_error(world));
        assert_true(length > 508 && (length - (size_t)before) % 3 == 0);
        weft_report(world, WEFT_NOT_FOUND, "%.*s%s", before, "............", control);
        length = strlen(weft_world_error(world));
        assert_true(length > 505 && (length - (size_t)before) % 6 == 0);
    }
    ground_close(g);
}

static void shown_text_keeps_to_its_space(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes < 12; bytes++) {
        char shown[16];
        memset(shown, 'x', sizeof shown);
        weft_utf8_show("abcdefgh", shown, bytes);
        assert_int_equal(strlen(shown), bytes <= 8 ? bytes - 1 : 8);
        assert_int_equal(shown[bytes], 'x');
    }
}

// A call that is refused in every tick does not fill the log: numbers make no other refusal of it,
// and other words in between do not begin the count anew.
static void a_refusal_that_repeats_is_told_at_powers_of_two(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    assert_true(ground_despawn(g, ground_spawn_empty(g)));
    uint32_t lines = 0;
    for (uint32_t i = 1; i <= 1000; i++) {
        uint32_t before = g->log_lines;
        weft_report(world, WEFT_NOT_FOUND, "no %s at %u", "bread", i);
        bool told = g->log_lines != before;
        assert_int_equal(told, (i & (i - 1)) == 0);
        lines += told;
        if (told && i > 1) {
            char line[64];
            snprintf(line, sizeof line, "no bread at %u (%u of this kind so far)", i, i);
            assert_string_equal(g->log, line);
        }
        char words[32];
        snprintf(words, sizeof words, "no bread at %u", i);
        assert_string_equal(weft_world_error(world), words); // which is always the last
        if (i % 10 == 0) weft_report(world, WEFT_NOT_FOUND, "no %s at %u", "salt", i);
    }
    assert_int_equal(lines, 10);
    weft_report(world, WEFT_NOT_FOUND, "no wine at 7");
    says(g, "no wine at 7"); // other words are told at once
    ground_close(g);
}

static void fullness_says_what_is_full(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){2, 1, 2, 100, 0}, 1);
    weft_world *world = ground_world(g);
    assert_true(ground_despawn(g, ground_spawn_empty(g)));
    for (uint32_t i = 0; i < 3; i++) ground_spawn_empty(g);
    assert_int_equal(weft_spawn_empty(world), 0);
    says(g, "no room: all 4 indices are taken (3 alive, 0 wait for reuse, 1 retired); recycle "
            "retired ones, or raise index_bits");
    assert_int_equal(weft_prefab_reserve(world, WEFT_NONE, 1), WEFT_FULL);
    assert_int_equal(weft_world_recycle(world), model_recycle(&g->model));
    assert_int_equal(weft_prefab_reserve(world, WEFT_NONE, 1), WEFT_OK);
    ground_spawn_empty(g);
    ground_check(g);
    ground_close(g);
}

// ------------------------------------------------------------------------------------------------
// Worlds without a log hook

#ifndef __wasi__ // which has no dup2
// Runs `refuse` on a world and returns all that it writes to stderr, valid until the next time.
static const char *printed_by(weft_world *world, void (*refuse)(weft_world *world))
{
    static char text[4096];
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    int kept = dup(STDERR_FILENO);
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    refuse(world);
    fflush(stderr);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    close(kept);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void despawn_none(weft_world *world)
{
    assert_false(weft_despawn(world, 0));
}

static void report_three_times(weft_world *world)
{
    for (uint32_t i = 0; i < 3; i++) weft_report(world, WEFT_REFUSED, "no %u", i);
}

// Debug builds print each refusal once; release builds print nothing, and a log hook gets all.
static void refusals_are_printed_in_debug_builds_if_no_hook_gets_them(void **state)
{
    (void)state;
#ifdef NDEBUG
    const bool prints = false;
#else
    const bool prints = true;
#endif
    ground *g = open_default();
    weft_world *world = ground_world(g);
    assert_string_equal(printed_by(world, despawn_none), "");
    assert_int_equal(g->log_lines, 1);
    world->report.log = NULL;
    memset(world->report.repeats, 0, sizeof world->report.repeats);
    const char *once = printed_by(world, despawn_none);
    assert_string_equal(once, prints ? "world 'fixture': no entity: the handle is none\n" : "");
    const char *lines = printed_by(world, report_three_times);
    assert_string_equal(lines, prints ? "world 'fixture': no 0\n"
                                        "world 'fixture': no 1 (2 of this kind so far)\n"
                                      : "");
    assert_string_equal(weft_world_error(world), "no 2");
    assert_int_equal(g->log_lines, 1);
    ground_close(g);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_F4_dead_and_foreign_handles_are_refused),
        cmocka_unit_test(seed_M3_a_refused_set_leaves_everything_as_it_was),
        cmocka_unit_test(requires_adds_what_is_missing),
        cmocka_unit_test(removing_what_is_absent_says_so),
        cmocka_unit_test(direct_calls_while_a_phase_runs_are_refused),
        cmocka_unit_test(statuses_have_words),
        cmocka_unit_test(report_keeps_the_words_of_the_caller),
        cmocka_unit_test(report_shows_text_whatever_it_is_given),
        cmocka_unit_test(report_cuts_no_character),
        cmocka_unit_test(shown_text_keeps_to_its_space),
        cmocka_unit_test(a_refusal_that_repeats_is_told_at_powers_of_two),
        cmocka_unit_test(fullness_says_what_is_full),
#ifndef __wasi__
        cmocka_unit_test(refusals_are_printed_in_debug_builds_if_no_hook_gets_them),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
