// A test for every promise about changes; changes.c compares all of it with a model.
//
// program: quick moving released byte_order
#define _POSIX_C_SOURCE 200809L // fork, waitpid

#include "../../support/asserts.h"
#include "shot.h"
#include "weft_reflect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The rows that the system was given in its last turn.
typedef struct seen {
    shot_world *w;
    uint32_t drawn;
    uint32_t painted;
    uint32_t unpainted; // hues that paint saw go
    uint32_t calls;
    uint32_t sprites_gone;
    uint32_t bullets_gone;
    shot_entity gone;
    shot_bullet last;
    uint32_t dimmed;
    size_t dark; // as the system that dims sees it, after it has
    void (*in_draw)(struct seen *s);
    uint32_t blown; // rows
    size_t listed;  // of a query that blow lists
    uint32_t sailed;
    uint32_t calmed;
} seen;

void shot_draw(const shot_draw_ctx *ctx, uint32_t count)
{
    seen *s = (seen *)ctx->user;
    if (s->in_draw) s->in_draw(s);
    s->drawn += count;
    s->calls++;
    s->sprites_gone = ctx->removed_sprite_count;
    s->bullets_gone = ctx->removed_bullet_count;
    if (ctx->removed_bullet_count == 0) return;
    s->gone = ctx->removed_bullet[0];
    s->last = ctx->removed_bullet_value[0];
}

void shot_paint(const shot_paint_ctx *ctx, uint32_t count)
{
    seen *s = (seen *)ctx->user;
    s->painted += count;
    s->unpainted += ctx->removed_hue_count;
}

void shot_dim(const shot_dim_ctx *ctx, uint32_t count)
{
    seen *s = (seen *)ctx->user;
    s->dimmed += count;
    s->dark = shot_dark_count_in(ctx->dark);
    for (uint32_t i = 0; i < count; i++) shot_dim_sprite_put(ctx, i, false);
}

void shot_blow(const shot_blow_ctx *ctx, uint32_t count)
{
    seen *s = (seen *)ctx->user;
    s->blown += count;
    s->listed = shot_blown_count_in(ctx->blown);
    ctx->wind->x += 1;
}

void shot_calm(const shot_calm_ctx *ctx, uint32_t count)
{
    seen *s = (seen *)ctx->user;
    s->calmed += 1 + count;
    ctx->wind->x = 0;
}

void shot_sail(const shot_sail_ctx *ctx, uint32_t count, weft_rows rows)
{
    seen *s = (seen *)ctx->user;
    uint32_t i;
    (void)count;
    while (weft_next(&rows, &i)) s->sailed++;
}

static int open_world(void **state)
{
    static seen s;
    s = (seen){0};
    weft_options options = {.user = &s};
    s.w = shot_open(&options);
    *state = &s;
    return s.w == NULL;
}

static int close_world(void **state)
{
    shot_close(((seen *)*state)->w);
    return 0;
}

static uint32_t drawn(seen *s)
{
    s->drawn = s->calls = s->sprites_gone = s->bullets_gone = 0;
    assert_int_equal(shot_run_go(s->w, 1), WEFT_OK);
    return s->drawn;
}

static uint32_t aimed(seen *s)
{
    uint32_t rows = 0;
    shot_aimed_iter it = shot_aimed_begin(s->w);
    while (shot_aimed_next(&it)) rows += it.count;
    assert_int_equal(shot_aimed_count(s->w), rows); // of this turn
    return rows;
}

static size_t odd(seen *s)
{
    shot_odd_begin(s->w);
    return shot_odd_count(s->w);
}

// Begins a query of the game, and counts the rows of that turn.
static size_t spent(seen *s)
{
    shot_spent_begin(s->w);
    return shot_spent_count(s->w);
}

static size_t dark(seen *s)
{
    shot_dark_begin(s->w);
    return shot_dark_count(s->w);
}

// How many rows the system has dimmed. Its last call has left in `dark` how many it was shown.
static uint32_t dimmed(seen *s)
{
    s->dimmed = 0;
    s->dark = 0;
    assert_int_equal(shot_run_dim(s->w, 1), WEFT_OK);
    return s->dimmed;
}

#define GO_RUNS "phase 'go' runs, system 'draw': a query that asks for changes"

static void begin_aimed(void *context)
{
    seen *s = (seen *)context;
    shot_aimed_begin(s->w);
}

static void look_without_leave(seen *s)
{
    assert_true(asserts_saying(begin_aimed, s, GO_RUNS));
#ifdef NDEBUG
    shot_aimed_iter it = shot_aimed_begin(s->w);
    assert_false(shot_aimed_next(&it));
    assert_non_null(strstr(shot_error(s->w), GO_RUNS));
#endif
}

static void a_query_of_the_game_has_no_turn_while_a_phase_runs(void **state)
{
    seen *s = (seen *)*state;
    shot_round_spawn(s->w, NULL);
    s->in_draw = look_without_leave;
    assert_int_equal(drawn(s), 1);
    assert_int_equal(s->calls, 1);
    assert_int_equal(aimed(s), 1); // which has taken nothing from it
}

static void seed_F9_the_rows_of_a_system_follow_what_changes(void **state)
{
    seen *s = (seen *)*state;
    shot_entity e[3];
    for (int i = 0; i < 3; i++) e[i] = shot_thing_spawn(s->w, NULL);
    assert_int_equal(drawn(s), 3); // the first turn: everything is new
    assert_int_equal(drawn(s), 0);
    assert_int_equal(s->calls, 0);
    shot_place_edit(s->w, e[1])->x = 1;
    assert_int_equal(drawn(s), 1);
    assert_int_equal(drawn(s), 0);
    shot_velocity_edit(s->w, e[2])->x = 1; // which it does not ask for
    assert_int_equal(drawn(s), 0);
    shot_sprite_set(s->w, e[0]);
    shot_place_set(s->w, e[0], (shot_place){2}); // one entity, once
    assert_int_equal(drawn(s), 1);
    shot_despawn(s->w, e[0]);
    shot_round_spawn(s->w, NULL); // in the row that was e[0]'s, or not
    assert_int_equal(drawn(s), 1);
    assert_int_equal(s->sprites_gone, 1);
}

static void seed_C4_added_modified_and_contained_are_combined(void **state)
{
    seen *s = (seen *)*state;
    shot_entity bullet = shot_round_spawn(s->w, NULL);
    shot_entity thing = shot_thing_spawn(s->w, NULL);
    assert_int_equal(aimed(s), 1);
    assert_int_equal(aimed(s), 0);
    assert_int_equal(odd(s), 1); // the thing, changed and no bullet
    shot_velocity_set(s->w, thing, (shot_velocity){1});
    assert_int_equal(aimed(s), 0);
    assert_int_equal(odd(s), 2); // thing: changed; bullet: contained, neither changed nor added
    shot_velocity_set(s->w, bullet, (shot_velocity){1});
    assert_int_equal(aimed(s), 1);
    assert_int_equal(odd(s), 0); // contained and changed
    assert_int_equal(odd(s), 1);
}

static void seed_C4_removal_is_detected_with_the_last_value(void **state)
{
    seen *s = (seen *)*state;
    shot_entity early = shot_round_spawn(s->w, NULL);
    assert_int_equal(drawn(s), 1);
    shot_bullet_edit(s->w, early)->left = 7;
    shot_entity late = shot_round_spawn(s->w, NULL);
    shot_despawn(s->w, late); // it came and went between two turns
    shot_place_edit(s->w, early)->x = 1;
    shot_bullet_remove(s->w, early);
    assert_int_equal(drawn(s), 1);
    assert_int_equal(s->bullets_gone, 1);
    assert_int_equal(s->sprites_gone, 0);
    assert_true(shot_same(s->gone, early));
    assert_int_equal(s->last.left, 7);
    shot_place_edit(s->w, early)->x = 2;
    assert_int_equal(drawn(s), 1);
    assert_int_equal(s->bullets_gone, 0);
}

static void seed_C4_a_query_shows_who_lost_a_component_and_lives_on(void **state)
{
    seen *s = (seen *)*state;
    shot_entity e[4];
    assert_int_equal(shot_round_spawn_many(s->w, 4, NULL, e), 4);
    for (int i = 0; i < 4; i++) shot_sprite_remove(s->w, e[i]);
    shot_bullet_remove(s->w, e[3]);
    assert_int_equal(spent(s), 4); // at its first turn everything is added, and changed
    assert_int_equal(spent(s), 0);
    shot_bullet_remove(s->w, e[0]);
    shot_bullet_remove(s->w, e[1]);
    shot_sprite_set(s->w, e[1]); // which it does not ask for
    shot_bullet_remove(s->w, e[2]);
    shot_despawn(s->w, e[2]);
    shot_thing_spawn(s->w, NULL); // in place of e[2], whose removal is not its own
    shot_entity late = shot_round_spawn(s->w, NULL);
    shot_bullet_remove(s->w, late);                // it came and went between two turns
    shot_bullet_set(s->w, e[0], (shot_bullet){0}); // it is back, but was lost
    assert_int_equal(spent(s), 3);                 // e[0]; the two new ones, whose place is new
    assert_true(shot_spent_passes(s->w, e[0]));
    assert_false(shot_spent_passes(s->w, e[1]));
    assert_int_equal(spent(s), 0);
}

static void seed_C4_removed_is_combined_by_xor(void **state)
{
    seen *s = (seen *)*state;
    shot_entity e[3];
    for (int i = 0; i < 3; i++) e[i] = shot_thing_spawn(s->w, NULL);
    spent(s);
    shot_velocity_remove(s->w, e[0]);
    shot_velocity_remove(s->w, e[1]);
    shot_place_edit(s->w, e[1]);
    shot_place_edit(s->w, e[2]);
    assert_int_equal(spent(s), 2);
    assert_false(shot_spent_passes(s->w, e[1])); // it has lost one, and the other has changed
}

static void seed_C4_a_system_shows_who_lost_a_component(void **state)
{
    seen *s = (seen *)*state;
    shot_entity e[3];
    assert_int_equal(shot_round_spawn_many(s->w, 3, NULL, e), 3);
    assert_int_equal(dark(s), 0);
    assert_int_equal(dimmed(s), 0); // its first turn
    for (int i = 0; i < 2; i++) shot_bullet_remove(s->w, e[i]);
    shot_bullet_set(s->w, e[1], (shot_bullet){0});
    shot_sprite_remove(s->w, e[2]);
    assert_int_equal(dimmed(s), 1);
    assert_int_equal(s->dark, 1);
    assert_false(shot_sprite_has(s->w, e[0]));
    assert_int_equal(dark(s), 2); // also who lost it to the system
    shot_bullet_remove(s->w, e[1]);
    shot_thing_spawn(s->w, NULL); // so that the two rows come in two calls
    shot_bullet_remove(s->w, e[2]);
    assert_int_equal(dimmed(s), 2);
    assert_int_equal(s->dark, 0); // in the second it does not see what it took away in the first
    assert_int_equal(dark(s), 1);
    shot_sprite_set(s->w, e[0]);
    dark(s);
    dimmed(s);
    shot_sprite_clear(s->w);
    assert_int_equal(dark(s), 1);
}

static void seed_C5_rows_that_did_not_change_are_skipped_by_words(void **state)
{
    seen *s = (seen *)*state;
    enum { ROWS = 10000 };
    static shot_entity e[ROWS];
    assert_int_equal(shot_round_spawn_many(s->w, ROWS, NULL, e), ROWS);
    assert_int_equal(drawn(s), ROWS);
    shot_place_edit(s->w, e[63])->x = 1;
    shot_place_edit(s->w, e[64])->x = 1; // in the next word, but in this run
    shot_place_edit(s->w, e[4095])->x = 1;
    shot_place_edit(s->w, e[9999])->x = 1;
    assert_int_equal(drawn(s), 4);
    assert_int_equal(s->calls, 3);
}

// ---- statements of schema/reference/changes.md about turns

static void a_query_of_the_game_shows_its_own_writes_next_time(void **state)
{
    seen *s = (seen *)*state;
    shot_thing_spawn(s->w, NULL);
    for (int i = 0; i < 3; i++) {
        uint32_t rows = 0;
        shot_placed_iter it = shot_placed_begin(s->w);
        while (shot_placed_next(&it)) rows += it.count;
        assert_int_equal(rows, 1); // it was given out to be written each time
    }
}

// ---- changed(<singleton>)

static size_t blown(seen *s)
{
    uint32_t rows = 0;
    shot_blown_iter it = shot_blown_begin(s->w);
    while (shot_blown_next(&it)) rows += it.count;
    assert_int_equal(shot_blown_count(s->w), rows);
    return rows;
}

static size_t lit(seen *s)
{
    shot_lit_begin(s->w);
    return shot_lit_count(s->w);
}

static uint32_t wound(seen *s, double dt)
{
    s->blown = s->sailed = s->calmed = 0;
    s->listed = 0;
    assert_int_equal(shot_run_wind(s->w, dt), WEFT_OK);
    return s->sailed;
}

static void seed_U1_a_changed_singleton_is_true_for_all_rows_of_a_query(void **state)
{
    seen *s = (seen *)*state;
    assert_int_equal(shot_round_spawn_many(s->w, 5000, NULL, NULL), 5000);
    shot_entity e = shot_thing_spawn(s->w, NULL);
    assert_int_equal(blown(s), 5001); // at the first turn
    assert_int_equal(blown(s), 0);
    assert_false(shot_blown_passes(s->w, e));
    shot_thing_spawn(s->w, NULL); // a new row is no change of a singleton
    assert_int_equal(blown(s), 0);
    shot_wind_edit(s->w)->x = 2;
    assert_int_equal(shot_blown_count(s->w), 0); // it shows what it showed
    assert_int_equal(blown(s), 5002);
    assert_true(shot_blown_passes(s->w, e));
    assert_int_equal(blown(s), 5002); // it may have been written since, up to the next phase
    wound(s, 0);
    assert_int_equal(blown(s), 5002);
    shot_light_edit(s->w)->level = 1;
    assert_int_equal(blown(s), 0);
    weft_world *base = shot_world_base(s->w);
    assert_int_equal(weft_field_set_number(base, 0, "wind.x", 3), WEFT_OK);
    assert_int_equal(blown(s), 5002);
    assert_int_equal(weft_field_set_number(base, 0, "wind.y", 3), WEFT_NOT_FOUND);
    assert_int_equal(blown(s), 0);
    assert_int_equal(shot_reset(s->w), WEFT_OK); // it has its default again
    shot_thing_spawn(s->w, NULL);
    assert_int_equal(blown(s), 1);
    assert_int_equal(blown(s), 0);
}

static void changed_singletons_are_combined(void **state)
{
    seen *s = (seen *)*state;
    shot_round_spawn(s->w, NULL);
    shot_thing_spawn(s->w, NULL);
    assert_int_equal(lit(s), 0); // both are changed
    assert_int_equal(lit(s), 1); // none is: the sprite alone
    shot_wind_edit(s->w);
    assert_int_equal(lit(s), 2);
    shot_wind_edit(s->w);
    shot_light_edit(s->w);
    assert_int_equal(lit(s), 0);
}

static void a_system_sees_what_others_write_to_a_singleton(void **state)
{
    seen *s = (seen *)*state;
    shot_round_spawn(s->w, NULL);
    shot_thing_spawn(s->w, NULL);
    assert_int_equal(wound(s, 1), 2); // the first turn
    assert_int_equal(s->blown, 1);
    assert_int_equal(s->listed, 2);   // all in one turn
    assert_int_equal(wound(s, 1), 2); // calm has written it, before sail and behind blow
    assert_int_equal(s->blown, 0);    // which does not see its own
    assert_int_equal(s->calmed, 1);
    assert_int_equal(wound(s, 1), 2); // blow has seen it now, and written
    assert_int_equal(s->blown, 1);
    assert_int_equal(s->calmed, 0);
    assert_int_equal(wound(s, 0.5), 0);
    shot_wind_edit(s->w);
    assert_int_equal(wound(s, 0.25), 2);
    assert_int_equal(s->blown, 1);
}

static void an_unseen_change_of_a_singleton_is_saved_and_hashed(void **state)
{
    seen *s = (seen *)*state;
    void *bytes;
    size_t count;
    shot_round_spawn(s->w, NULL);
    blown(s);
    lit(s);
    wound(s, 0.5);
    blown(s);
    uint64_t exact = shot_hash_exact(s->w);
    uint64_t hash = shot_hash(s->w);
    shot_wind_edit(s->w);
    assert_true(shot_hash(s->w) == hash);
    assert_true(shot_hash_exact(s->w) != exact);
    exact = shot_hash_exact(s->w);
    assert_int_equal(shot_save_memory(s->w, &bytes, &count), WEFT_OK);
    assert_int_equal(blown(s), 1);
    wound(s, 0.5);
    shot_close(s->w);
    s->w = shot_open(&(weft_options){.user = s});
    assert_int_equal(shot_load_memory(s->w, bytes, count), WEFT_OK);
    assert_true(shot_hash_exact(s->w) == exact);
    assert_int_equal(shot_blown_count(s->w), 1); // it was begun before the save
    assert_int_equal(blown(s), 1);
    assert_int_equal(blown(s), 0);
    assert_int_equal(lit(s), 1); // the light is not saved, of which no reader is told
    assert_int_equal(wound(s, 0.5), 1);
    assert_int_equal(shot_load_memory(s->w, bytes, count), WEFT_OK);
    assert_true(shot_hash_exact(s->w) == exact);
    free(bytes);
}

static uint32_t painted(seen *s)
{
    s->painted = 0;
    assert_int_equal(shot_run_paint(s->w, 1), WEFT_OK);
    return s->painted;
}

// Others go on from what they had yet to see.
static void a_system_that_starts_over_is_shown_all_after_a_load(void **state)
{
    seen *s = (seen *)*state;
    void *bytes;
    size_t count;
    shot_entity e = shot_round_spawn(s->w, NULL);
    shot_entity other = shot_round_spawn(s->w, NULL);
    shot_entity grey = shot_spawn(s->w);
    shot_hue_set(s->w, e, (shot_hue){1});
    shot_hue_set(s->w, other, (shot_hue){2});
    shot_hue_set(s->w, grey, (shot_hue){0});
    assert_int_equal(painted(s), 3);
    drawn(s);
    assert_int_equal(painted(s), 0);
    shot_place_edit(s->w, e);
    shot_hue_remove(s->w, grey); // which it would see as removed
    shot_bullet_remove(s->w, other);
    assert_int_equal(shot_save_memory(s->w, &bytes, &count), WEFT_OK);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(shot_load_memory(s->w, bytes, count), WEFT_OK);
        assert_int_equal(painted(s), 2);
        assert_int_equal(s->unpainted, 0); // at a first turn nothing is removed
        assert_int_equal(painted(s), 0);
        assert_int_equal(drawn(s), 1);
        assert_int_equal(s->bullets_gone, 1);
    }
    shot_hue_remove(s->w, e);
    shot_wind_edit(s->w);
    assert_int_equal(painted(s), 1);
    assert_int_equal(s->unpainted, 1);
    assert_int_equal(shot_reset(s->w), WEFT_OK); // what it has painted is at its defaults, too
    shot_hue_set(s->w, shot_spawn(s->w), (shot_hue){3});
    assert_int_equal(painted(s), 1);
    assert_int_equal(s->unpainted, 1); // none since
    free(bytes);
}

static void what_is_not_seen_yet_is_part_of_the_exact_hash(void **state)
{
    seen *s = (seen *)*state;
    shot_entity e = shot_round_spawn(s->w, NULL);
    drawn(s);
    uint64_t hash = shot_hash(s->w);
    uint64_t exact = shot_hash_exact(s->w);
    shot_place_edit(s->w, e);
    assert_true(shot_hash(s->w) == hash);
    assert_true(shot_hash_exact(s->w) != exact);
    drawn(s);
    assert_true(shot_hash_exact(s->w) == exact);
    shot_sprite_remove(s->w, e);
    exact = shot_hash_exact(s->w);
    drawn(s); // which sees that it is gone
    assert_true(shot_hash_exact(s->w) != exact);
}

static void what_was_lost_and_is_not_seen_yet_is_in_a_save(void **state)
{
    seen *s = (seen *)*state;
    void *bytes;
    size_t count;
    shot_entity e = shot_round_spawn(s->w, NULL);
    shot_sprite_remove(s->w, e);
    spent(s);
    uint64_t hash = shot_hash(s->w);
    uint64_t exact = shot_hash_exact(s->w);
    shot_bullet bullet = *shot_bullet_get(s->w, e);
    shot_bullet_remove(s->w, e);
    assert_int_equal(shot_save_memory(s->w, &bytes, &count), WEFT_OK);
    shot_bullet_set(s->w, e, bullet);
    assert_true(shot_hash(s->w) == hash);
    assert_true(shot_hash_exact(s->w) != exact); // it was lost, and is back
    assert_int_equal(spent(s), 1);
    assert_int_equal(shot_load_memory(s->w, bytes, count), WEFT_OK);
    free(bytes);
    assert_int_equal(spent(s), 1);
    assert_int_equal(spent(s), 0);
}

static void recycling_makes_the_dead_among_the_removed_none(void **state)
{
    seen *s = (seen *)*state;
    for (int i = 0; i < 3; i++) { // the last generation there is
        shot_entity e = shot_round_spawn(s->w, NULL);
        drawn(s);
        shot_bullet_edit(s->w, e)->from = e;
        shot_despawn(s->w, e);
    }
    assert_int_equal(shot_recycle(s->w), 1);
    shot_entity again = shot_thing_spawn(s->w, NULL);
    assert_false(shot_is_none(again));
    assert_int_equal(drawn(s), 1);
    assert_int_equal(s->bullets_gone, 1);
    assert_true(shot_is_none(s->gone));
    assert_true(shot_is_none(s->last.from));
}

static void count_aimed(void *context)
{
    shot_aimed_count(((seen *)context)->w);
}

static void ask_aimed(void *context)
{
    shot_aimed_passes(((seen *)context)->w, shot_entity_of(0));
}

static void a_query_of_changes_is_begun_before_it_is_asked(void **state)
{
    seen *s = (seen *)*state;
    assert_true(asserts_saying(count_aimed, s, "shot_aimed_count was called before the query"));
    assert_true(asserts_saying(ask_aimed, s, "shot_aimed_passes was called before the query"));
#ifdef NDEBUG
    shot_entity bullet = shot_round_spawn(s->w, NULL);
    assert_int_equal(shot_aimed_count(s->w), 0);
    assert_non_null(strstr(shot_error(s->w), "shot_aimed_count was called before the query"));
    assert_false(shot_aimed_passes(s->w, bullet));
    assert_non_null(strstr(shot_error(s->w), "shot_aimed_passes was called before the query"));
#endif
    shot_aimed_begin(s->w);
    shot_aimed_count(s->w);
}

static void replace_x(seen *s, shot_entity e, float x, bool by_command)
{
    if (!by_command) {
        assert_true(shot_velocity_replace(s->w, e, (shot_velocity){x}));
        return;
    }
    assert_true(shot_cmd_velocity_replace(shot_commands(s->w), e, (shot_velocity){x}));
    assert_int_equal(shot_flush(s->w), WEFT_OK);
}

static void seed_U1_replacing_a_value_by_an_equal_one_changes_nothing(void **state)
{
    seen *s = (seen *)*state;
    const float nan = strtof("nan", NULL);
    shot_entity e = shot_round_spawn(s->w, NULL);
    assert_int_equal(aimed(s), 1);
    for (int by_command = 0; by_command < 2; by_command++) {
        replace_x(s, e, 0.0f, by_command);
        assert_int_equal(aimed(s), 0);
        replace_x(s, e, -0.0f, by_command); // floats are compared by their bits
        assert_int_equal(aimed(s), 1);
        replace_x(s, e, nan, by_command);
        assert_int_equal(aimed(s), 1);
        replace_x(s, e, nan, by_command);
        assert_int_equal(aimed(s), 0);
        shot_velocity_set(s->w, e, (shot_velocity){nan});
        assert_int_equal(aimed(s), 1);
        replace_x(s, e, 0.0f, by_command);
        assert_int_equal(aimed(s), 1);
    }
}

static void only_what_is_there_is_replaced(void **state)
{
    seen *s = (seen *)*state;
    shot_entity thing = shot_thing_spawn(s->w, NULL);
    assert_false(shot_bullet_replace(s->w, thing, (shot_bullet){1, thing}));
    assert_non_null(strstr(shot_error(s->w), "has no 'bullet'"));
    assert_false(shot_bullet_replace(s->w, shot_entity_of(0), (shot_bullet){1, thing}));
    assert_non_null(strstr(shot_error(s->w), "the handle is none"));
    shot_cmd *cmd = shot_commands(s->w);
    shot_cmd_bullet_replace(cmd, thing, (shot_bullet){1, thing});
    assert_int_equal(shot_flush(s->w), WEFT_OK);
    assert_int_equal(shot_stats(s->w).commands_dropped, 1);
    shot_cmd_bullet_set(cmd, thing, (shot_bullet){1, thing}); // in one batch: set, then replaced
    shot_cmd_bullet_replace(cmd, thing, (shot_bullet){2, thing});
    assert_int_equal(shot_flush(s->w), WEFT_OK);
    assert_int_equal(shot_stats(s->w).commands_dropped, 1);
    assert_int_equal(shot_bullet_get(s->w, thing)->left, 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)
    const struct CMUnitTest tests[] = {
        TEST(seed_F9_the_rows_of_a_system_follow_what_changes),
        TEST(seed_C4_added_modified_and_contained_are_combined),
        TEST(seed_C4_removal_is_detected_with_the_last_value),
        TEST(seed_C4_a_query_shows_who_lost_a_component_and_lives_on),
        TEST(seed_C4_removed_is_combined_by_xor),
        TEST(seed_C4_a_system_shows_who_lost_a_component),
        TEST(what_was_lost_and_is_not_seen_yet_is_in_a_save),
        TEST(seed_C5_rows_that_did_not_change_are_skipped_by_words),
        TEST(a_query_of_the_game_has_no_turn_while_a_phase_runs),
        TEST(a_query_of_the_game_shows_its_own_writes_next_time),
        TEST(a_system_that_starts_over_is_shown_all_after_a_load),
        TEST(what_is_not_seen_yet_is_part_of_the_exact_hash),
        TEST(recycling_makes_the_dead_among_the_removed_none),
        TEST(a_query_of_changes_is_begun_before_it_is_asked),
        TEST(seed_U1_replacing_a_value_by_an_equal_one_changes_nothing),
        TEST(only_what_is_there_is_replaced),
        TEST(seed_U1_a_changed_singleton_is_true_for_all_rows_of_a_query),
        TEST(changed_singletons_are_combined),
        TEST(a_system_sees_what_others_write_to_a_singleton),
        TEST(an_unseen_change_of_a_singleton_is_saved_and_hashed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
