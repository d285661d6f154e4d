// Watching rows at the borders of the blocks that are compared at once (64 rows, 256 handles),
// passes that write only sparse values, and worlds that run out of memory. Writes that are missing
// then must be reported as missing.
//
// program: worlds released byte_order
#include "../../support/scarce.h"
#include "nook_insight.h"
#include "weft_reflect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS_MAX = 520, WRITES_MAX = 8, KEPT = 20000 };

static const uint32_t borders[] = {1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513};

#define BORDERS (sizeof borders / sizeof *borders)

static bool warms;           // the pass changes sparse values
static weft_status asked_in; // what a system was answered
static bool asks;
static nook_world *world;

void nook_pour(const nook_pour_ctx *ctx, uint32_t count, const uint32_t *rows,
               const nook_seat *seat)
{
    (void)ctx, (void)count, (void)rows, (void)seat;
    if (asks) asked_in = weft_watch(nook_world_base(world), nook_insight(), 100);
    asks = false;
}

void nook_warm(const nook_warm_ctx *ctx, uint32_t count, nook_fever *const *fever)
{
    (void)ctx;
    for (uint32_t i = 0; warms && i < count; i++) fever[i]->heat += 2;
}

void nook_cool(const nook_cool_ctx *ctx, uint32_t count, nook_fever *const *fever)
{
    (void)ctx;
    for (uint32_t i = 0; warms && i < count; i++) fever[i]->heat -= 1;
}

static nook_world *open_with(uint32_t writes)
{
    weft_options options = {.insight = nook_insight(), .watch = writes};
    nook_world *w = nook_open(&options);
    assert_non_null(w);
    return w;
}

static uint32_t writes_of(nook_world *w, nook_entity e, const char *path)
{
    weft_write writes[WRITES_MAX];
    return nook_trace(w, e, path, writes, WRITES_MAX);
}

// -------------------------------------------------------------------------------------------------
// Borders

// Fills a table with rows, of which the first `tagged` have a tag, and watches it from there on.
static nook_world *open_rows(nook_entity *e, uint32_t rows, uint32_t tagged)
{
    nook_world *w = open_with(0);
    assert_int_equal(nook_guest_spawn_many(w, rows, NULL, e), rows);
    for (uint32_t i = 0; i < tagged; i++) nook_drunk_set(w, e[i]);
    assert_int_equal(weft_watch(nook_world_base(w), nook_insight(), KEPT), WEFT_OK);
    nook_tick(w, 1.0);
    return w;
}

// Asserts that nothing is told of any row but of those given.
static void assert_silent(nook_world *w, const nook_entity *e, uint32_t rows, const char *path,
                          uint32_t but)
{
    for (uint32_t i = 0; i < rows; i++) {
        if (i != but) assert_int_equal(writes_of(w, e[i], path), 0);
    }
}

// The last row takes the place of one that ends, with its tag or without: nobody has touched it.
static void a_row_that_takes_anothers_place_keeps_its_tags(void **state)
{
    (void)state;
    nook_entity e[ROWS_MAX];
    for (size_t i = 0; i < BORDERS; i++) {
        const uint32_t rows = borders[i];
        for (size_t k = 0; k < BORDERS && borders[k] <= rows; k++) {
            const uint32_t gone = borders[k] - 1;
            for (int all_but = 0; all_but < 2; all_but++) {
                nook_world *w = open_rows(e, rows, all_but ? rows - 1 : gone);
                nook_despawn(w, e[gone]);
                nook_tick(w, 1.0);
                assert_silent(w, e, rows, "drunk", gone);
                bool had = all_but && gone < rows - 1;
                assert_int_equal(writes_of(w, e[gone], "drunk"), had);
                nook_tick(w, 1.0);
                assert_silent(w, e, rows, "drunk", gone);
                nook_close(w);
            }
        }
    }
}

// An entity leaves its table and comes back, so that it is in the last row: two writes, and nothing
// of the others.
static void a_row_that_comes_back_is_told_once(void **state)
{
    (void)state;
    nook_entity e[ROWS_MAX];
    for (size_t i = 0; i < BORDERS; i++) {
        const uint32_t rows = borders[i];
        for (size_t k = 0; k < BORDERS && borders[k] <= rows; k++) {
            const uint32_t gone = borders[k] - 1;
            nook_world *w = open_rows(e, rows, 0);
            assert_true(nook_seat_remove(w, e[gone]));
            nook_tick(w, 1.0);
            assert_int_equal(writes_of(w, e[gone], "seat"), 1);
            assert_true(nook_seat_set(w, e[gone], (nook_seat){2}));
            nook_tick(w, 1.0);
            weft_write writes[WRITES_MAX];
            assert_int_equal(nook_trace(w, e[gone], "seat", writes, WRITES_MAX), 2);
            assert_int_equal(writes[0].kind, WEFT_WRITE_ADDED);
            assert_int_equal(writes[1].kind, WEFT_WRITE_REMOVED);
            assert_silent(w, e, rows, "seat", gone);
            nook_close(w);
        }
    }
}

// A value, a tag and a value in columns that are written in one row are told of that row.
static void a_write_at_a_border_is_told_of_its_row(void **state)
{
    (void)state;
    nook_entity e[ROWS_MAX];
    for (size_t i = 0; i < BORDERS; i++) {
        const uint32_t rows = borders[i];
        nook_world *w = open_rows(e, rows, 0);
        nook_seat_edit(w, e[rows - 1])->n = 5;
        *nook_body_edit(w, e[rows - 1]).bulk = 2.5;
        nook_cursed_set(w, e[rows - 1]);
        nook_tick(w, 1.0);
        assert_int_equal(writes_of(w, e[rows - 1], "seat.n"), 1);
        assert_int_equal(writes_of(w, e[rows - 1], "body.bulk"), 1);
        assert_int_equal(writes_of(w, e[rows - 1], "cursed"), 1);
        assert_silent(w, e, rows, "seat.n", rows - 1);
        assert_silent(w, e, rows, "body", rows - 1);
        assert_silent(w, e, rows, "cursed", rows - 1);
        nook_close(w);
    }
}

// -------------------------------------------------------------------------------------------------
// Passes and stops

// Systems of a pass that write only sparse values are told apart.
static void a_pass_over_sparse_values_is_told_system_by_system(void **state)
{
    (void)state;
    weft_write writes[WRITES_MAX];
    nook_world *w = open_with(256);
    nook_entity e = nook_patient_spawn(w, &(nook_patient){.fever = {.heat = 1}});
    warms = true;
    nook_tick(w, 1.0);
    warms = false;
    assert_int_equal(nook_trace(w, e, "fever.heat", writes, WRITES_MAX), 3);
    assert_string_equal(writes[0].writer, "cool");
    assert_string_equal(writes[0].before, "3");
    assert_string_equal(writes[0].after, "2");
    assert_string_equal(writes[1].writer, "warm");
    assert_string_equal(writes[1].before, "1");
    assert_string_equal(writes[1].after, "3");
    assert_string_equal(writes[2].writer, "the game");
    uint64_t since = 1;
    assert_true(weft_writes_kept(nook_world_base(w), &since));
    assert_true(since == 0);
    nook_close(w);
}

static weft_write stopped_by;
static uint32_t stops;

static void on_stop(void *user, const weft_write *write)
{
    (void)user;
    stopped_by = *write;
    stops++;
}

// Whatever storage a value has and wherever it stands among the fields, the hook is told its path.
static void a_stop_names_what_was_written(void **state)
{
    (void)state;
    static const struct {
        const char *text, *owner, *path;
    } told[] = {{"seat.n == 9", "seat", "n"},         {"body.x == 9", "body", "x"},
                {"body.y == 9", "body", "y"},         {"body.bulk == 9", "body", "bulk"},
                {"fever.heat == 9", "fever", "heat"}, {"fever.rest == 9", "fever", "rest"},
                {"scent.far == 9", "scent", "far"}};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        nook_world *w = open_with(256);
        weft_world *base = nook_world_base(w);
        nook_entity e = nook_guest_spawn(w, NULL);
        nook_fever_set(w, e, (nook_fever){0});
        nook_scent_set(w, e, (nook_scent){0});
        nook_tick(w, 1.0);
        stops = 0;
        assert_int_equal(weft_stop_at(base, told[i].text, on_stop, NULL), WEFT_OK);
        nook_seat_set(w, e, (nook_seat){9});
        nook_body_set(w, e, (nook_body){9, 9, 9});
        nook_fever_set(w, e, (nook_fever){9, 9});
        nook_scent_set(w, e, (nook_scent){9, 9});
        nook_tick(w, 1.0);
        assert_int_equal(stops, 1);
        assert_string_equal(stopped_by.owner, told[i].owner);
        assert_string_equal(stopped_by.path, told[i].path);
        assert_string_equal(stopped_by.before, "0");
        assert_string_equal(stopped_by.after, "9");
        nook_close(w);
    }
}

// What is asked of a stop is all that its view has, whatever was in it before.
static void a_stop_is_described_whole(void **state)
{
    (void)state;
    nook_world *w = open_with(256);
    weft_world *base = nook_world_base(w);
    nook_entity e[ROWS_MAX];
    nook_guest_spawn_many(w, 70, &(nook_guest){.seat = {4}}, e);
    static const struct {
        const char *text;
        bool holds;
        uint64_t rows;
        uint32_t systems;
        const char *behind, *note;
    } told[] = {{"hearth.logs == 0", true, 1, 0, "", ""},
                {"hearth.logs > 0", false, 1, 0, "", ""},
                {"seat.n of 3:1 == 4", true, 1, 0, "", ""},
                {"seat.n of 3:1 == 5", false, 1, 0, "", ""},
                {"fever.heat of 3:1 == 5", false, 1, 2, "warm, cool",
                 "3:1 has no 'fever' yet: it waits until it gets one"},
                {"seat.n == 5", false, 70, 0, "", ""},
                {"fever.heat == 5", false, 0, 2, "warm, cool", ""}};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        weft_stop_view view;
        memset(&view, 0xDD, sizeof view);
        assert_int_equal(weft_stop_at(base, told[i].text, on_stop, NULL), WEFT_OK);
        assert_int_equal(weft_stop_see(base, told[i].text, &view), WEFT_OK);
        assert_int_equal(view.holds, told[i].holds);
        assert_int_equal(view.rows, told[i].rows);
        assert_int_equal(view.systems, told[i].systems);
        assert_string_equal(view.behind, told[i].behind);
        assert_string_equal(view.note, told[i].note);
    }
    nook_close(w);
}

// -------------------------------------------------------------------------------------------------
// Memory

static uint32_t told_blind;

static void keep_blind(void *user, const char *line)
{
    (void)user;
    told_blind += strstr(line, "no memory to watch values: writes are no longer kept") != NULL;
}

// A change that needs more space in the copies, and for the rest as little as can be, so that each
// kind of space is the first to be missing for some number of allocations. `last` is an entity with
// a high index that is there already. Returns who was changed, or none.
typedef struct change {
    const char *path;
    nook_entity (*make)(nook_world *w, nook_entity first, nook_entity last);
} change;

enum { GUESTS = 300 };

static const nook_entity none = {0};

static nook_entity child(nook_world *w, nook_entity first, nook_entity last)
{
    return nook_under_attach(w, last, first) ? last : none;
}

static nook_entity rows(nook_world *w, nook_entity first, nook_entity last)
{
    nook_entity e[GUESTS];
    (void)first, (void)last;
    return nook_guest_spawn_many(w, GUESTS, NULL, e) == 0 ? none : e[GUESTS - 1];
}

static nook_entity sparse_value(nook_world *w, nook_entity first, nook_entity last)
{
    (void)last;
    return nook_fever_set(w, first, (nook_fever){1, 1}) ? first : none;
}

static nook_entity far_sparse_value(nook_world *w, nook_entity first, nook_entity last)
{
    (void)first;
    return nook_fever_set(w, last, (nook_fever){1, 1}) ? last : none;
}

static nook_entity tag(nook_world *w, nook_entity first, nook_entity last)
{
    (void)last;
    return nook_cursed_set(w, first) ? first : none;
}

static nook_entity new_table(nook_world *w, nook_entity first, nook_entity last)
{
    (void)last;
    return nook_body_remove(w, first) ? first : none;
}

// Whichever allocation is the first to fail behind a change that was made, the write is kept, or
// the world says that writes are missing.
static void what_memory_does_not_keep_is_reported(void **state)
{
    (void)state;
    static const change changes[] = {{"under.parent", child},     {"seat", rows},
                                     {"fever", sparse_value},     {"cursed", tag},
                                     {"fever", far_sparse_value}, {"body", new_table}};
    weft_options options = {
        .memory = SCARCE_MEMORY, .insight = nook_insight(), .watch = 2000, .log = keep_blind};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint32_t blind = 0;
        bool all = false;
        for (uint32_t n = 0; !all; n++) {
            assert_true(n < 500);
            allocations_left = 10000;
            nook_world *w = nook_open(&options);
            nook_entity e[GUESTS];
            assert_int_equal(nook_guest_spawn_many(w, GUESTS, NULL, e), GUESTS);
            nook_tick(w, 1.0);
            told_blind = 0;
            allocations_left = n;
            nook_entity changed = changes[i].make(w, e[0], e[GUESTS - 1]);
            weft_status status = nook_tick(w, 1.0);
            bool failed = allocations_left == 0;
            allocations_left = 10000;
            bool made = changed.bits != 0;
            uint32_t kept = made ? writes_of(w, changed, changes[i].path) : 0;
            if (made) assert_true(told_blind != 0 || kept != 0);
            uint64_t since = 0;
            if (told_blind != 0) assert_false(weft_writes_kept(nook_world_base(w), &since));
            blind += told_blind != 0;
            all = made && status == WEFT_OK && kept != 0 && !failed;
            nook_close(w);
            assert_int_equal(bytes_taken, 0);
        }
        assert_int_not_equal(blind, 0);
    }
}

// -------------------------------------------------------------------------------------------------
// Refusals

// Debug builds assert if a phase runs; release builds refuse with a message.
static void watching_is_refused_while_a_phase_runs(void **state)
{
    (void)state;
#ifdef NDEBUG
    world = open_with(0);
    nook_guest_spawn(world, NULL);
    asks = true;
    asked_in = WEFT_OK;
    nook_tick(world, 1.0);
    assert_int_equal(asked_in, WEFT_BUSY);
    assert_non_null(strstr(nook_error(world), "phase 'day' runs, system 'pour'"));
    uint64_t since = 0;
    assert_false(weft_writes_kept(nook_world_base(world), &since)); // it is not watched
    nook_close(world);
#else
    assert_false(asks); // see tests/runtime/unit for the asserts of calls in phases
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_that_takes_anothers_place_keeps_its_tags),
        cmocka_unit_test(a_row_that_comes_back_is_told_once),
        cmocka_unit_test(a_write_at_a_border_is_told_of_its_row),
        cmocka_unit_test(a_pass_over_sparse_values_is_told_system_by_system),
        cmocka_unit_test(a_stop_names_what_was_written),
        cmocka_unit_test(a_stop_is_described_whole),
        cmocka_unit_test(what_memory_does_not_keep_is_reported),
        cmocka_unit_test(watching_is_refused_while_a_phase_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
