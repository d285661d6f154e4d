// Runs of rows: writes to many rows at once are reported like writes to a few. Random writes change
// all rows, some or none, while rows are added, removed and moved. The test notes each write of the
// game. The writes that are reported for each value must be these, newest first, as far as the ring
// reaches back.
//
// program: worlds byte_order
#include "../../support/scarce.h"
#include "tavern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GUESTS = 330, MADE = 600, TICKS = 30, NOTES = TICKS * 2, LARGE = 1 << 17, TOLD = 200 };

typedef struct note {
    uint64_t tick;
    double before;
    double after;
} note;

// A value of a guest, and what was written to it.
typedef struct noted {
    uint32_t count;
    double now;
    note notes[NOTES];
} noted;

typedef struct guest {
    tavern_entity e;
    bool alive;
    noted x;      // of `pose`, whose cells have three numbers of 4 bytes
    noted weight; // of `body`, a column of 8 bytes
} guest;

typedef struct crowd {
    work work;
    tavern_world *world;
    weft_rng rng;
    uint32_t made;
    guest guests[MADE];
} crowd;

static uint32_t below(crowd *c, uint32_t bound)
{
    return weft_rng_below(&c->rng, bound);
}

static void come(crowd *c)
{
    if (c->made == MADE) return;
    tavern_guest values = tavern_guest_defaults();
    guest *g = &c->guests[c->made++];
    *g = (guest){.e = tavern_guest_spawn(c->world, &values), .alive = true, .weight.now = 1.0};
}

static void write_value(crowd *c, noted *of, double value)
{
    if (value == of->now) return;
    assert_true(of->count < NOTES);
    of->notes[of->count++] = (note){tavern_stats(c->world).ticks, of->now, value};
    of->now = value;
}

// Writes to one guest in so many.
static void write_to_one_in(crowd *c, uint32_t many)
{
    weft_write write;
    tavern_trace(c->world, TAVERN_NONE, "till", &write, 1); // who has come has a copy then
    for (uint32_t i = 0; i < c->made; i++) {
        guest *g = &c->guests[i];
        if (!g->alive || below(c, many) != 0) continue;
        double value = (double)(below(c, 1000) + 1);
        tavern_pose_edit(c->world, g->e)->x = (float)value;
        write_value(c, &g->x, value);
        if (below(c, 4) == 0) continue;
        *tavern_body_edit(c->world, g->e).weight = value;
        write_value(c, &g->weight, value);
    }
}

static void move_rows(crowd *c)
{
    for (uint32_t i = below(c, 6); i > 0; i--) {
        guest *g = &c->guests[below(c, c->made)];
        if (!g->alive) continue;
        uint32_t what = below(c, 3);
        if (what == 0) tavern_bag_remove(c->world, g->e);
        if (what == 1) tavern_bag_set(c->world, g->e, (tavern_bag){.label = "back"});
        if (what == 2) g->alive = !tavern_despawn(c->world, g->e);
    }
    for (uint32_t i = below(c, 4); i > 0; i--) come(c);
}

static void assert_value(crowd *c, const guest *g, const char *path, const noted *of, bool all)
{
    static weft_write writes[TOLD];
    char text[WEFT_WRITE_TEXT_BYTES];
    uint32_t told = (uint32_t)tavern_trace(c->world, g->e, path, writes, TOLD);
    uint32_t at = of->count;
    for (uint32_t i = 0; i < told; i++) {
        if (writes[i].kind != WEFT_WRITE_VALUE) continue;
        assert_int_not_equal(at, 0);
        const note *n = &of->notes[--at];
        assert_int_equal(writes[i].tick, n->tick);
        assert_string_equal(writes[i].writer, "the game");
        snprintf(text, sizeof text, "%g", n->before);
        assert_string_equal(writes[i].before, text);
        snprintf(text, sizeof text, "%g", n->after);
        assert_string_equal(writes[i].after, text);
    }
    if (all) assert_int_equal(at, 0);
}

// Counts what is told of all that any guest has or had.
static uint32_t count_told(crowd *c)
{
    static weft_write writes[TOLD * 4];
    static const char *const owners[] = {"purse", "body", "fever",    "bag",
                                         "drunk", "pose", "seated_at"};
    uint32_t told = (uint32_t)tavern_trace(c->world, TAVERN_NONE, "till", writes, TOLD * 4);
    for (uint32_t i = 0; i < c->made; i++) {
        for (size_t k = 0; k < sizeof owners / sizeof *owners; k++) {
            told += (uint32_t)tavern_trace(c->world, c->guests[i].e, owners[k], writes, TOLD * 4);
        }
    }
    return told;
}

static void run_crowd(uint64_t seed, uint32_t ring)
{
    static crowd c;
    c = (crowd){.rng = weft_rng_of(seed, 0)};
    c.world = open_watched(&c.work, ring);
    for (uint32_t i = 0; i < GUESTS; i++) come(&c);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        static const uint32_t many[] = {1, 1, 2, 40, MADE};
        write_to_one_in(&c, many[below(&c, 5)]);
        tavern_tick(c.world, 1.0);
        if (below(&c, 3) == 0) move_rows(&c);
    }
    for (uint32_t i = 0; i < c.made; i++) {
        assert_value(&c, &c.guests[i], "pose.x", &c.guests[i].x, ring == LARGE);
        assert_value(&c, &c.guests[i], "body.weight", &c.guests[i].weight, ring == LARGE);
    }
    if (ring != LARGE) assert_int_equal(count_told(&c), ring);
    tavern_close(c.world);
}

static void writes_to_many_rows_are_told_one_by_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) run_crowd(seed, LARGE);
}

// A run may be old in part: the ring tells of exactly as many writes as it keeps.
static void a_ring_keeps_a_part_of_a_run(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) run_crowd(seed, 1500 + (uint32_t)seed * 311);
}

static void write_all(crowd *c, double value, double last)
{
    weft_write write;
    tavern_trace(c->world, TAVERN_NONE, "till", &write, 1);
    for (uint32_t i = 0; i < c->made; i++) {
        guest *g = &c->guests[i];
        const double written = i + 1 == c->made ? last : value;
        tavern_pose_edit(c->world, g->e)->x = (float)written;
        write_value(c, &g->x, written);
        *tavern_body_edit(c->world, g->e).weight = written;
        write_value(c, &g->weight, written);
    }
    tavern_tick(c->world, 1.0);
}

// Values are compared with those of the tick before, not with older ones, which all or nearly all
// of them have again.
static void values_that_return_are_told(void **state)
{
    (void)state;
    static crowd c;
    c = (crowd){.made = 0};
    c.world = open_watched(&c.work, LARGE);
    for (uint32_t i = 0; i < GUESTS; i++) come(&c);
    write_all(&c, 1.0, 1.0);
    for (uint32_t i = 0; i < 3; i++) {
        write_all(&c, 2.0, 2.0);
        write_all(&c, 1.0, i == 2 ? 1.0 : 5.0);
    }
    for (uint32_t i = 0; i < c.made; i++) {
        assert_value(&c, &c.guests[i], "pose.x", &c.guests[i].x, true);
        assert_value(&c, &c.guests[i], "body.weight", &c.guests[i].weight, true);
    }
    tavern_close(c.world);
}

// Tags are compared in words of rows, of which these have several.
static void tags_of_all_rows_are_told(void **state)
{
    (void)state;
    static const uint32_t rows[] = {0, 63, 64, 65, 200, GUESTS - 1};
    static tavern_entity guests[GUESTS];
    work w = {.line_count = 0};
    weft_write writes[2];
    tavern_world *world = open_watched(&w, LARGE);
    for (uint32_t i = 0; i < GUESTS; i++) guests[i] = tavern_guest_spawn(world, NULL);
    tavern_tick(world, 1.0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tavern_entity e = guests[rows[i]];
        assert_int_equal(tavern_trace(world, e, "drunk", writes, 2), 1);
        assert_true(tavern_drunk_remove(world, e));
        assert_int_equal(tavern_tick(world, 1.0), WEFT_OK);
        assert_int_equal(tavern_trace(world, e, "drunk", writes, 2), 2);
        assert_int_equal(writes[0].kind, WEFT_WRITE_REMOVED);
        assert_int_equal(writes[0].tick, i + 1);
        assert_int_equal(tavern_trace(world, guests[66], "drunk", writes, 2), 1);
    }
    tavern_close(world);
}

// -------------------------------------------------------------------------------------------------
// Memory

enum { RUN = 64, RUNS = 30, PEOPLE = RUN * RUNS, RING = 1 << 14, HELD_TICKS = 200 };
enum { BLOCK = 64 * 1024, HEAD = 64 }; // what snapshots are allocated by, and begin with

typedef struct pattern {
    uint32_t even; // rows of each run that are written in an even tick
    uint32_t odd;
    uint32_t bytes;      // of snapshots that a write to a number of 4 bytes takes then
    uint32_t wide_bytes; // that one to a number of 8 bytes takes
} pattern;

// Writes to so many rows of each run, to numbers of 4 or of 8 bytes. Hunger is so large that the
// system which adds a little to it leaves it as it is.
static void write_to_rows(tavern_world *world, const tavern_entity *people, uint32_t rows,
                          bool wide)
{
    for (uint32_t i = 0; i < PEOPLE; i++) {
        if (i % RUN >= rows) continue;
        tavern_body_columns body = tavern_body_edit(world, people[i]);
        if (wide)
            *body.weight += 1.0;
        else
            *body.hunger += 1.0f;
    }
}

// Returns by how many bytes a watched world grows, whose rows are written to until the ring has
// been full several times. It has to have grown in the first half.
static size_t growth(const pattern *p, bool wide)
{
    static tavern_entity people[PEOPLE];
    work w = {.line_count = 0};
    weft_write write;
    tavern_world *world = open_watched(&w, RING);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        people[i] = tavern_guest_spawn(world, NULL);
        *tavern_body_edit(world, people[i]).hunger = 1e6f;
    }
    tavern_tick(world, 1.0);
    tavern_trace(world, TAVERN_NONE, "till", &write, 1); // all have copies then
    const size_t before = tavern_stats(world).bytes_allocated;
    size_t half = 0;
    for (uint32_t tick = 0; tick < HELD_TICKS; tick++) {
        write_to_rows(world, people, tick % 2 == 0 ? p->even : p->odd, wide);
        tavern_tick(world, 1.0);
        if (tick == HELD_TICKS / 2) half = tavern_stats(world).bytes_allocated;
    }
    const size_t after = tavern_stats(world).bytes_allocated;
    assert_int_equal(after, half);
    tavern_close(world);
    return after - before;
}

// Asserts what the snapshots of a pattern take, beside those that are copies now, with their
// handles, and beside what is left of a block of each size.
static void assert_growth(size_t grown, uint32_t bytes, size_t number)
{
    const size_t cells = RUN * number + HEAD;
    const size_t handles = RUN * sizeof(uint32_t) + HEAD;
    const size_t blocks = cells == handles ? BLOCK : 2 * BLOCK;
    const size_t kept = RING * (size_t)bytes;
    if (bytes == 0)
        assert_int_equal(grown, 0);
    else
        assert_in_range(grown, kept * 9 / 10, kept + RUNS * (cells + handles) + blocks);
}

// The manual says how much more a write takes where rows are kept as snapshots: the most where
// just enough of a run differs for one, and behind it once so little that hardly a write shares
// the next.
static void snapshots_take_at_most_72_bytes_a_write(void **state)
{
    (void)state;
    static const pattern patterns[] = {
        {16, 1, 40, 72}, {16, 16, 20, 36}, {64, 1, 10, 18}, {64, 64, 5, 9}, {15, 15, 0, 0},
    };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        const pattern *p = &patterns[i];
        assert_growth(growth(p, false), p->bytes, sizeof(float));
        assert_growth(growth(p, true), p->wide_bytes, sizeof(double));
    }
}

// Asserts that what was written in the last two ticks is told of each.
static void assert_two_told(tavern_world *world, const tavern_entity *people)
{
    weft_write writes[2];
    for (uint32_t i = 0; i < PEOPLE; i++) {
        assert_int_equal(tavern_trace(world, people[i], "pose.x", writes, 2), 2);
        assert_string_equal(writes[0].before, "1");
        assert_string_equal(writes[0].after, "2");
        assert_string_equal(writes[1].before, "0");
        assert_string_equal(writes[1].after, "1");
    }
}

// Whichever allocation is the first to fail, as many writes are told: without memory for snapshots
// they are kept one by one.
static void writes_are_kept_without_memory_for_snapshots(void **state)
{
    (void)state;
    static tavern_entity people[PEOPLE];
    work w = {.line_count = 0};
    weft_write write;
    weft_options options = {
        .memory = SCARCE_MEMORY, .insight = tavern_insight(), .watch = RING, .user = &w};
    uint32_t failing = 0;
    for (uint32_t n = 0; failing == n; n++) {
        allocations_left = 100000;
        tavern_world *world = tavern_open(&options);
        assert_non_null(world);
        for (uint32_t i = 0; i < PEOPLE; i++) {
            people[i] = tavern_guest_spawn(world, &(tavern_guest){.body = {.hunger = 1e6f}});
        }
        assert_int_equal(tavern_tick(world, 1.0), WEFT_OK);
        tavern_trace(world, TAVERN_NONE, "till", &write, 1); // all have copies then
        allocations_left = n;
        for (uint32_t tick = 0; tick < 2; tick++) {
            for (uint32_t i = 0; i < PEOPLE; i++) tavern_pose_edit(world, people[i])->x += 1.0f;
            tavern_tick(world, 1.0);
        }
        failing += allocations_left == 0;
        allocations_left = 100000;
        assert_two_told(world, people);
        tavern_close(world);
        assert_int_equal(bytes_taken, 0);
    }
    assert_in_range(failing, 3, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_to_many_rows_are_told_one_by_one),
        cmocka_unit_test(a_ring_keeps_a_part_of_a_run),
        cmocka_unit_test(values_that_return_are_told),
        cmocka_unit_test(tags_of_all_rows_are_told),
        cmocka_unit_test(snapshots_take_at_most_72_bytes_a_write),
        cmocka_unit_test(writes_are_kept_without_memory_for_snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
