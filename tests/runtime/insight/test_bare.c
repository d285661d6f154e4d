// A world without systems is watched and checked: the game, calls by name and loads write.
//
// program: worlds released
#include "bare_insight.h"
#include "insight/watching.h"
#include "record/loans.h"
#include "weft_reflect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WRITES_MAX = 8 };

static char last_line[256];

static void keep(void *user, const char *line)
{
    (void)user;
    snprintf(last_line, sizeof last_line, "%s", line);
}

static bare_world *open_bare(void)
{
    weft_options options = {.insight = bare_insight(), .watch = 100, .checks = true, .log = keep};
    bare_world *w = bare_open(&options);
    assert_non_null(w);
    last_line[0] = '\0';
    return w;
}

// Asserts that the last write of a path has this writer and these values.
static void assert_last(bare_world *w, bare_entity e, const char *path, const char *writer,
                        const char *before, const char *after)
{
    weft_write writes[WRITES_MAX];
    assert_true(bare_trace(w, e, path, writes, WRITES_MAX) >= 1);
    assert_string_equal(writes[0].writer, writer);
    assert_string_equal(writes[0].before, before);
    assert_string_equal(writes[0].after, after);
}

// Has what the game wrote until now looked at, as a writer of its own.
static void look(bare_world *w)
{
    uint64_t since = 0;
    assert_true(weft_writes_kept(bare_world_base(w), &since));
}

static void all_writers_of_a_world_without_systems(void **state)
{
    (void)state;
    bare_world *w = open_bare();
    weft_world *base = bare_world_base(w);
    bare_entity e = bare_guest_spawn(w, NULL);
    bare_entity child = bare_guest_spawn(w, NULL);
    look(w);
    bare_seat_edit(w, e)->n = 3;
    assert_last(w, e, "seat.n", "the game", "0", "3");
    assert_int_equal(weft_field_set_number(base, e.bits, "seat.n", 8), WEFT_OK);
    assert_last(w, e, "seat.n", "weft_field_set_number", "3", "8");
    bare_cmd_seat_set(bare_commands(w), e, (bare_seat){11});
    assert_int_equal(bare_flush(w), WEFT_OK);
    assert_last(w, e, "seat.n", "the game", "8", "11");
    bare_till_edit(w)->coins = 4;
    assert_last(w, BARE_NONE, "till.coins", "the game", "0", "4");
    void *bytes = NULL;
    size_t n = 0;
    assert_int_equal(bare_save_memory(w, &bytes, &n), WEFT_OK);
    bare_seat_edit(w, e)->n = 12;
    bare_under_attach(w, child, e);
    assert_int_equal(bare_load_memory(w, bytes, n), WEFT_OK);
    assert_last(w, e, "seat.n", "load", "12", "11");
    free(bytes);
    assert_int_equal(bare_reset(w), WEFT_OK);
    assert_int_equal(bare_trim(w), WEFT_OK);
    bare_close(w);
}

typedef weft_status by_name(weft_world *base, bare_entity e, int32_t number);

static weft_status set_field(weft_world *base, bare_entity e, int32_t number)
{
    return weft_field_set(base, e.bits, "seat.n", WEFT_TYPE_I32, &number, sizeof number);
}

static weft_status set_number(weft_world *base, bare_entity e, int32_t number)
{
    return weft_field_set_number(base, e.bits, "seat.n", number);
}

static weft_status set_whole(weft_world *base, bare_entity e, int32_t number)
{
    return weft_component_set_by_name(base, e.bits, "seat", &number, sizeof number);
}

static weft_status add_tag(weft_world *base, bare_entity e, int32_t number)
{
    (void)number;
    return weft_component_add_by_name(base, e.bits, "drunk");
}

static weft_status remove_tag(weft_world *base, bare_entity e, int32_t number)
{
    (void)number;
    return weft_component_remove_by_name(base, e.bits, "drunk");
}

// Whatever the game writes after a call by name is its own, also of what the call does not write.
static void the_game_writes_after_each_call_by_name(void **state)
{
    static const struct {
        const char *name;
        by_name *call;
    } calls[] = {{"weft_field_set", set_field},
                 {"weft_field_set_number", set_number},
                 {"weft_component_set_by_name", set_whole},
                 {"weft_component_add_by_name", add_tag},
                 {"weft_component_remove_by_name", remove_tag}};
    (void)state;
    bare_world *w = open_bare();
    weft_world *base = bare_world_base(w);
    bare_entity e = bare_guest_spawn(w, NULL);
    bare_x_set(w, e, (bare_x){0});
    for (int32_t i = 0; i < (int32_t)(sizeof calls / sizeof *calls); i++) {
        char before[16], after[16];
        const char *path =
            calls[i].call == add_tag || calls[i].call == remove_tag ? "drunk" : "seat.n";
        weft_write writes[WRITES_MAX];
        look(w);
        assert_int_equal(calls[i].call(base, e, 10 + i), WEFT_OK);
        bare_x_edit(w, e)->n++;
        bare_till_edit(w)->coins++;
        assert_true(bare_trace(w, e, path, writes, WRITES_MAX) >= 1);
        assert_string_equal(writes[0].writer, calls[i].name);
        snprintf(before, sizeof before, "%d", i);
        snprintf(after, sizeof after, "%d", i + 1);
        assert_last(w, e, "x.n", "the game", before, after);
        assert_last(w, BARE_NONE, "till.coins", "the game", before, after);
    }
    bare_close(w);
}

static void what_is_broken_without_systems(void **state)
{
    (void)state;
    bare_world *w = open_bare();
    bare_entity e = bare_guest_spawn(w, NULL);
    bare_seat_edit(w, e)->n = 101;
    bare_till_edit(w)->coins = -1;
    void *bytes = NULL;
    size_t n = 0;
    assert_int_equal(bare_save_memory(w, &bytes, &n), WEFT_OK); // the game is looked at before
    assert_int_equal(bare_stats(w).broken, 2);
    assert_non_null(strstr(last_line, "the game broke"));
    free(bytes);
    bare_close(w);
}

// Only what a call gives is looked at later, whatever the length of its name; a call that is not
// known may give everything.
static void what_a_call_gives_is_found_by_its_name(void **state)
{
    static const struct {
        const char *call;
        bool x, seat, till;
    } calls[] = {{"bare_x_edit has to wait", true, false, false},
                 {"bare_q_begin", true, false, false},
                 {"bare_seat_edit", false, true, false},
                 {"bare_till_edit", false, false, true},
                 {"bare_y_edit", true, true, true},
                 {"bare_p_begin", true, true, true},
                 {"bare_edit", true, true, true},
                 {"bare_trim", true, true, true},
                 {"other_x_edit", true, true, true}};
    (void)state;
    bare_world *w = open_bare();
    weft_world *base = bare_world_base(w);
    const weft_schema *schema = bare_schema();
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        weft_loans_end(base);
        bare_insight()->calls(base, calls[i].call);
        const uint64_t *lent = weft_owners_lent(base);
        assert_non_null(lent);
        assert_int_equal(weft_set_has(lent, BARE_COMPONENT_X), calls[i].x);
        assert_int_equal(weft_set_has(lent, BARE_COMPONENT_SEAT), calls[i].seat);
        assert_int_equal(weft_set_has(lent, schema->component_count), calls[i].till);
    }
    bare_close(w);
}

// Who wants no writes needs no space for them, and is refused nothing.
static void no_writes_take_no_space(void **state)
{
    (void)state;
    bare_world *w = open_bare();
    weft_world *base = bare_world_base(w);
    bare_entity e = bare_guest_spawn(w, NULL);
    look(w);
    bare_seat_edit(w, e)->n = 3;
    assert_int_equal(weft_last_writes(base, e.bits, "seat.n", NULL, 0), 0);
    assert_int_equal(bare_trace(w, e, "seat.n", NULL, 0), 0);
    assert_string_equal(last_line, "");
    assert_last(w, e, "seat.n", "the game", "0", "3");
    bare_close(w);
}

static uint32_t stops;

static void on_stop(void *user, const weft_write *write)
{
    (void)user;
    stops += write->kind == WEFT_WRITE_VALUE;
}

static void stops_without_systems(void **state)
{
    (void)state;
    bare_world *w = open_bare();
    weft_world *base = bare_world_base(w);
    bare_entity e = bare_guest_spawn(w, NULL);
    weft_stop_view view;
    static const char *const texts[] = {"till.coins == 7", "seat.n == 7", "seat.n of 0:1 == 7"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(weft_stop_at(base, texts[i], on_stop, NULL), WEFT_OK);
        assert_int_equal(weft_stop_see(base, texts[i], &view), WEFT_OK);
        assert_int_equal(view.systems, 0);
        assert_string_equal(view.behind, "");
    }
    stops = 0;
    look(w);
    bare_till_edit(w)->coins = 7;
    bare_seat_set(w, e, (bare_seat){7});
    look(w);
    assert_int_equal(stops, 3);
    bare_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_writers_of_a_world_without_systems),
        cmocka_unit_test(the_game_writes_after_each_call_by_name),
        cmocka_unit_test(what_is_broken_without_systems),
        cmocka_unit_test(what_a_call_gives_is_found_by_its_name),
        cmocka_unit_test(no_writes_take_no_space),
        cmocka_unit_test(stops_without_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
