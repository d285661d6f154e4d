// Tags that a system writes on any entity immediately: `lookup = { write = ["dirty"] }`.
//
// program: worlds optimised byte_order
#define _POSIX_C_SOURCE 200809L // fork, waitpid

#include "../../fuzz/memory.h"
#include "../../support/asserts.h"
#include "note.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LAMPS = 300, HOOKED_MOST = 8 };

// The script of a test: `send` calls a function, systems and hooks note what they see.
typedef struct script {
    note_world *w;
    memory memory;
    note_entity e[LAMPS];
    void (*send)(const note_send_ctx *ctx, struct script *s);
    note_send_ctx kept; // a copy of the ctx of `send`
    uint32_t taken;
    uint32_t heard;
    uint32_t lost;
    char hooked[HOOKED_MOST + 1]; // '+' and '-', in the order of the calls
    uint32_t hooks;
} script;

void note_send(const note_send_ctx *ctx, uint32_t count)
{
    script *s = (script *)ctx->user;
    assert_int_equal(count, 0);
    s->kept = *ctx;
    if (s->send) s->send(ctx, s);
}

void note_take(const note_take_ctx *ctx, uint32_t count, const note_place *WEFT_RESTRICT place)
{
    script *s = (script *)ctx->user;
    (void)place;
    s->taken += count;
    for (uint32_t i = 0; i < count; i++) note_take_dirty_put(ctx, i, false);
}

void note_hear(const note_hear_ctx *ctx, uint32_t count, const note_place *WEFT_RESTRICT place)
{
    script *s = (script *)ctx->user;
    (void)place;
    s->heard += count;
    s->lost = ctx->removed_told_count;
}

static void note_hook(const note_hook_ctx *ctx, char sign)
{
    script *s = (script *)ctx->user;
    if (s->hooks < HOOKED_MOST) s->hooked[s->hooks++] = sign;
}

void note_lit_on_add(const note_hook_ctx *ctx, note_entity e)
{
    note_hook(ctx, '+');
    assert_true(note_lit_has(((script *)ctx->user)->w, e));
    assert_true(note_cmd_crown_set(ctx->cmd, e, (note_crown){7}));
}

void note_lit_on_remove(const note_hook_ctx *ctx, note_entity e)
{
    note_hook(ctx, '-');
    assert_true(note_lit_has(((script *)ctx->user)->w, e));
}

static int open_world(void **state)
{
    static script s;
    s = (script){0};
    s.w = note_open(&(weft_options){.memory = memory_hooks(&s.memory), .user = &s});
    for (int i = 0; s.w && i < LAMPS; i++) {
        s.e[i] = note_lamp_spawn(s.w, NULL);
        if (i % 2 == 0) note_crown_set(s.w, s.e[i], (note_crown){1}); // another table
    }
    *state = &s;
    return s.w == NULL;
}

static int close_world(void **state)
{
    script *s = (script *)*state;
    note_close(s->w);
    memory_check_empty(&s->memory);
    return 0;
}

// ------------------------------------------------------------------------------------------------

static void tag_some(const note_send_ctx *ctx, script *s)
{
    for (int i = 0; i < LAMPS; i += 3) {
        assert_false(note_dirty_has_in(ctx->dirty.reader, s->e[i]));
        assert_true(note_dirty_set_in(ctx->dirty, s->e[i]));
        assert_true(note_dirty_has_in(ctx->dirty.reader, s->e[i]));
        assert_true(note_dirty_set_in(ctx->dirty, s->e[i])); // which changes nothing
    }
    assert_true(note_dirty_remove_in(ctx->dirty, s->e[0]));
    assert_false(note_dirty_has_in(ctx->dirty.reader, s->e[0]));
    assert_false(note_dirty_remove_in(ctx->dirty, s->e[0]));
    assert_non_null(strstr(note_error(s->w), "has no 'dirty'"));
}

static void seed_N7_a_system_tags_any_entity_for_later_ones_at_once(void **state)
{
    script *s = (script *)*state;
    s->send = tag_some;
    assert_int_equal(note_tick(s->w, 1), WEFT_OK);
    assert_int_equal(s->taken, LAMPS / 3 - 1);
    assert_int_equal(note_dirty_ones_count(s->w), 0);
    assert_int_equal(note_stats(s->w).commands_dropped, 0);
    s->send = NULL;
    assert_int_equal(note_tick(s->w, 1), WEFT_OK);
    assert_int_equal(s->taken, LAMPS / 3 - 1);
}

static void tag_the_dead(const note_send_ctx *ctx, script *s)
{
    note_entity none = {0};
    assert_false(note_dirty_set_in(ctx->dirty, s->e[1]));
    assert_non_null(strstr(note_error(s->w), "is not alive"));
    assert_false(note_dirty_remove_in(ctx->dirty, s->e[1]));
    assert_false(note_dirty_has_in(ctx->dirty.reader, s->e[1]));
    assert_false(note_lit_set_in(ctx->lit, none));
    assert_non_null(strstr(note_error(s->w), "the handle is none"));
    note_entity unborn = note_cmd_lamp_spawn(ctx->cmd, NULL);
    assert_false(note_dirty_set_in(ctx->dirty, unborn));
}

static void dead_handles_are_refused(void **state)
{
    script *s = (script *)*state;
    assert_true(note_despawn(s->w, s->e[1]));
    s->send = tag_the_dead;
    assert_int_equal(note_tick(s->w, 1), WEFT_OK);
    assert_int_equal(s->taken, 0);
}

static void break_rules(const note_send_ctx *ctx, script *s)
{
    assert_false(note_awake_set_in(ctx->awake, s->e[1]));
    assert_non_null(strstr(note_error(s->w), "lacks 'crown'"));
    assert_true(note_awake_set_in(ctx->awake, s->e[2]));
    assert_true(note_hot_set_in(ctx->hot, s->e[2]));
    assert_false(note_cold_set_in(ctx->cold, s->e[2]));
    assert_non_null(strstr(note_error(s->w), "remove 'hot' first"));
    assert_true(note_hot_remove_in(ctx->hot, s->e[2]));
    assert_true(note_cold_set_in(ctx->cold, s->e[2]));
}

static void what_the_rules_forbid_is_refused(void **state)
{
    script *s = (script *)*state;
    s->send = break_rules;
    assert_int_equal(note_tick(s->w, 1), WEFT_OK);
    assert_int_equal(note_stats(s->w).commands_dropped, 0); // the call itself has said so
    assert_true(note_cold_has(s->w, s->e[2]));
    assert_false(note_hot_has(s->w, s->e[2]));
    assert_true(note_awake_has(s->w, s->e[2]));
}

static void light(const note_send_ctx *ctx, script *s)
{
    assert_true(note_lit_set_in(ctx->lit, s->e[1]));
    assert_true(note_lit_set_in(ctx->lit, s->e[1]));
    assert_string_equal(s->hooked, "+");
    assert_true(note_lit_remove_in(ctx->lit, s->e[1]));
    assert_true(note_lit_set_in(ctx->lit, s->e[3]));
    assert_string_equal(s->hooked, "+-+");
}

static void hooks_are_called_at_once_and_what_they_record_later(void **state)
{
    script *s = (script *)*state;
    s->send = light;
    assert_int_equal(note_run_send(s->w, 1), WEFT_OK);
    assert_int_equal(note_crown_get(s->w, s->e[1])->jewels, 7);
    assert_int_equal(note_crown_get(s->w, s->e[3])->jewels, 7);
    s->send = NULL;
}

static void tell(const note_send_ctx *ctx, script *s)
{
    for (int i = 0; i < 70; i++) assert_true(note_told_set_in(ctx->told, s->e[i]));
    assert_true(note_told_remove_in(ctx->told, s->e[5])); // no reader has seen it
}

static void untell(const note_send_ctx *ctx, script *s)
{
    for (int i = 10; i < 20; i++) assert_true(note_told_remove_in(ctx->told, s->e[i]));
    assert_true(note_told_set_in(ctx->told, s->e[10])); // removed and added
}

static void readers_of_changes_are_told(void **state)
{
    script *s = (script *)*state;
    s->send = tell;
    assert_int_equal(note_tick(s->w, 1), WEFT_OK);
    assert_int_equal(s->heard, 69);
    assert_int_equal(s->lost, 0);
    s->send = untell;
    assert_int_equal(note_tick(s->w, 1), WEFT_OK);
    assert_int_equal(s->heard, 70);
    assert_int_equal(s->lost, 10);
}

static void walk_and_tag(const note_send_ctx *ctx, script *s)
{
    note_places_iter it = note_places_begin_in(ctx->places);
    uint32_t rows = 0;
    while (note_places_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++, rows++) {
            assert_true(note_dirty_set_in(ctx->dirty, s->e[(rows * 7) % LAMPS]));
            assert_true(note_told_set_in(ctx->told, it.entities[i]));
        }
    }
    assert_int_equal(rows, LAMPS);
}

#ifndef NDEBUG
static void step(void *context)
{
    note_dirty_ones_next((note_dirty_ones_iter *)context);
}
#endif

// An iterator that the game has begun is not valid any more.
static void assert_ended(script *s, note_dirty_ones_iter it)
{
#ifdef NDEBUG
    assert_false(note_dirty_ones_next(&it));
    assert_non_null(strstr(note_error(s->w), "after a structural change"));
#else
    (void)s;
    assert_true(asserts_saying(step, &it, "after a structural change"));
#endif
}

// The iterators of the system stay valid; those of the game are not, as after every change.
static void iterators_of_the_system_stay_valid(void **state)
{
    script *s = (script *)*state;
    note_dirty_ones_iter it = note_dirty_ones_begin(s->w);
    s->send = walk_and_tag;
    assert_int_equal(note_run_send(s->w, 1), WEFT_OK);
    assert_int_equal(s->taken, LAMPS);
    assert_ended(s, it);
}

static void tag_and_take_back(const note_send_ctx *ctx, script *s)
{
    assert_true(note_dirty_set_in(ctx->dirty, s->e[0]));
    assert_true(note_dirty_remove_in(ctx->dirty, s->e[0]));
}

// Here the table has memory for the tag already, and no other system changes anything.
static void what_a_system_takes_back_ends_iterators_of_the_game_too(void **state)
{
    script *s = (script *)*state;
    assert_true(note_dirty_set(s->w, s->e[0]));
    assert_true(note_dirty_remove(s->w, s->e[0]));
    note_dirty_ones_iter it = note_dirty_ones_begin(s->w);
    s->send = tag_and_take_back;
    assert_int_equal(note_run_send(s->w, 1), WEFT_OK);
    assert_ended(s, it);
}

static void set_and_record(const note_send_ctx *ctx, script *s)
{
    assert_true(note_cmd_dirty_remove(ctx->cmd, s->e[0]));
    assert_true(note_cmd_hot_set(ctx->cmd, s->e[0]));
    assert_true(note_dirty_set_in(ctx->dirty, s->e[0]));
    assert_true(note_hot_set_in(ctx->hot, s->e[0]));
    assert_true(note_hot_remove_in(ctx->hot, s->e[0]));
}

// `take` clears the tag behind its range, so the command that would remove it finds nothing.
static void commands_come_later_whatever_was_recorded_first(void **state)
{
    script *s = (script *)*state;
    s->send = set_and_record;
    assert_int_equal(note_tick(s->w, 1), WEFT_OK);
    assert_int_equal(s->taken, 1);
    assert_true(note_hot_has(s->w, s->e[0]));
    assert_false(note_dirty_has(s->w, s->e[0]));
}

static void tag_without_memory(const note_send_ctx *ctx, script *s)
{
    memory_arm(&s->memory, 0, true);
    assert_false(note_dirty_set_in(ctx->dirty, s->e[0]));
    assert_non_null(strstr(note_error(s->w), "no memory to change 'dirty'"));
    assert_false(note_told_set_in(ctx->told, s->e[0]));
    assert_false(note_lit_set_in(ctx->lit, s->e[0]));
    assert_int_equal(s->hooks, 0);
    assert_true(memory_disarm(&s->memory));
    assert_false(note_dirty_has_in(ctx->dirty.reader, s->e[0]));
    assert_true(note_dirty_set_in(ctx->dirty, s->e[0]));
}

static void without_memory_nothing_changes(void **state)
{
    script *s = (script *)*state;
    s->send = tag_without_memory;
    assert_int_equal(note_tick(s->w, 1), WEFT_OK);
    assert_int_equal(s->taken, 1);
}

static void write_with_the_kept_ctx(void *context)
{
    script *s = (script *)context;
    assert_false(note_dirty_set_in((&s->kept)->dirty, s->e[0]));
    assert_non_null(strstr(note_error(s->w), "a grant of a system that has ended"));
}

static void outside_of_a_turn_it_is_refused(void **state)
{
    script *s = (script *)*state;
    assert_int_equal(note_tick(s->w, 1), WEFT_OK);
#ifdef NDEBUG
    write_with_the_kept_ctx(s);
#else
    assert_true(asserts_saying(write_with_the_kept_ctx, s, "a grant was used after the system"));
#endif
    assert_false(note_dirty_has(s->w, s->e[0]));
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, open_world, close_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(seed_N7_a_system_tags_any_entity_for_later_ones_at_once),
        IN_WORLD(dead_handles_are_refused),
        IN_WORLD(what_the_rules_forbid_is_refused),
        IN_WORLD(hooks_are_called_at_once_and_what_they_record_later),
        IN_WORLD(readers_of_changes_are_told),
        IN_WORLD(iterators_of_the_system_stay_valid),
        IN_WORLD(what_a_system_takes_back_ends_iterators_of_the_game_too),
        IN_WORLD(commands_come_later_whatever_was_recorded_first),
        IN_WORLD(without_memory_nothing_changes),
        IN_WORLD(outside_of_a_turn_it_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
