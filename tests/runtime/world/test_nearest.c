// The nearest entities in a grid whose cells are mostly empty: they equal those of a full search,
// and the work does not grow with the number of empty cells between them.
//
// program: worlds byte_order
// libs: -lm
// flags: hot
#include "throng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "index/walk.h"

static size_t asked; // runs of cells
static size_t read;  // items

static weft_grid_run ask_run(const weft_index *index, uint32_t dimensions, const int32_t *from,
                             int32_t to)
{
    asked++;
    return weft_grid_run_of(index, dimensions, from, to);
}

static void read_point(const weft_index *index, weft_grid_form f, uint32_t place, double *at)
{
    read++;
    weft_grid_point(index, f, place, at);
}

// The search, which asks and reads by these.
#define weft_grid_run_of ask_run
#define weft_grid_point read_point
#define weft_grid_nearest nearest_counted
#include "index/grid_nearest.c"

enum { ALL = 4000, NEAREST = 8, ROWS = 64, CHANGED = 40 };

static throng_entity people[ALL];

void throng_go(const throng_go_ctx *ctx, uint32_t count, const throng_at *at)
{
    (void)ctx, (void)count, (void)at;
}

// Puts an entity into one of two towns, of ten cells along each axis.
static void settle(throng_world *w, weft_rng *rng, uint32_t i, float apart)
{
    const float town = i % 2 == 0 ? 0.0f : apart;
    const float x = 10.0f * weft_rng_f32(rng);
    const float y = 10.0f * weft_rng_f32(rng);
    const uint32_t away = i % 2 == 0 ? 0 : 100;
    const throng_kinds kinds = {.a = (uint8_t)(away + weft_rng_below(rng, 20)),
                                .b = (uint16_t)(away + weft_rng_below(rng, 20)),
                                .c = 10 * away + weft_rng_below(rng, 20)};
    assert_true(throng_at_set(w, people[i], (throng_at){town + x, town + y}));
    assert_true(throng_kinds_set(w, people[i], kinds));
}

// Some have moved since the grids were made.
static throng_world *open_towns(float apart)
{
    weft_rng rng = weft_rng_of(3, 0);
    throng_world *w = throng_open(NULL);
    throng_entity any;
    for (uint32_t i = 0; i < ALL; i++) {
        people[i] = throng_spawn(w);
        settle(w, &rng, i, apart);
    }
    assert_int_equal(throng_by_at_nearest(w, 0.0f, 0.0f, 1, &any), 1);
    assert_int_equal(throng_by_unsigned_nearest(w, 0, 0, 0, 1, &any), 1);
    for (uint32_t i = 0; i < CHANGED; i++) settle(w, &rng, i * (ALL / CHANGED), apart);
    return w;
}

typedef struct meeting {
    double distance;
    uint32_t place;
} meeting;

static int by_distance(const void *a, const void *b)
{
    const meeting *x = (const meeting *)a;
    const meeting *y = (const meeting *)b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

// Asserts that the nearest are those of a search through all, that no more cells are asked for than
// those of some rings and of the rows that have items, and that not all items are read.
static void assert_nearest(throng_world *w, uint32_t number, const double *point)
{
    static meeting all[ALL];
    uint32_t ids[NEAREST];
    weft_world *base = throng_world_base(w);
    for (uint32_t i = 0; i < ALL; i++) {
        const throng_at *at = throng_at_get(w, people[i]);
        const throng_kinds *k = throng_kinds_get(w, people[i]);
        double d[3] = {(double)at->x - point[0], (double)at->y - point[1], 0.0};
        if (number == THRONG_INDEX_BY_UNSIGNED) {
            d[0] = (double)k->a - point[0];
            d[1] = (double)k->b - point[1];
            d[2] = (double)k->c - point[2];
        }
        all[i] = (meeting){d[0] * d[0] + d[1] * d[1] + d[2] * d[2], i};
    }
    qsort(all, ALL, sizeof *all, by_distance);
    assert_true(weft_index_ask(base, number, "a test"));
    asked = read = 0;
    assert_int_equal(nearest_counted(base, number, true, point, NEAREST, ids), NEAREST);
    for (uint32_t i = 0; i < NEAREST; i++) {
        assert_int_equal(ids[i], all[i].place);
    }
    const uint32_t rows = number == THRONG_INDEX_BY_AT ? 20 : 200; // that have items
    assert_in_range(asked, 1, 4 * (ROWS + rows));
    assert_in_range(read, 1, ALL / 4);
}

static void assert_all_near(float apart)
{
    throng_world *w = open_towns(apart);
    const double away = 1e7;
    for (uint32_t i = 0; i <= 10; i++) {
        const double x = (double)apart * 0.1 * i + 3.3;
        const double points[4][3] = {{x, x}, {x, 4.0}, {-away, x}, {x, away}};
        const double solids[4][3] = {
            {10, 10, 100.0 * i}, {60, 60, 500}, {-away, 0, 0}, {1, 1, away}};
        for (uint32_t p = 0; p < 4; p++) {
            assert_nearest(w, THRONG_INDEX_BY_AT, points[p]);
            assert_nearest(w, THRONG_INDEX_BY_UNSIGNED, solids[p]);
        }
    }
    throng_close(w);
}

static void in_a_box_of_cells(void **state)
{
    (void)state;
    assert_all_near(100.0f);
}

// No box has all cells between the towns.
static void without_a_box(void **state)
{
    (void)state;
    assert_all_near(4000.0f);
}

// A point may lie beyond all items, along any axes and on either side.
static void from_beyond_each_side(void **state)
{
    static const double least[3] = {-31.5, -31.5, -401.5};
    static const double most[3] = {151.5, 151.5, 1501.5};
    (void)state;
    throng_world *w = open_towns(100.0f);
    for (uint32_t sides = 0; sides < 16; sides++) { // a bit for each axis: it is beyond
        const bool above = sides >= 8;
        double solid[3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            const double beyond = above ? most[axis] : least[axis];
            const double within = !above ? 6.5 : axis == 2 ? 1013.5 : 113.5;
            solid[axis] = sides >> axis & 1u ? beyond : within;
        }
        const double flat[3] = {solid[0] * 0.5, solid[1] * 0.5, 0.0};
        assert_nearest(w, THRONG_INDEX_BY_UNSIGNED, solid);
        if (!above) assert_nearest(w, THRONG_INDEX_BY_AT, flat);
    }
    throng_close(w);
}

// Hard mode moves all of them at each change, and has 16 bits for 20 items alone.
#ifdef WEFT_HARD
enum { MANY = 800, STEP = 40 };
#else
enum { MANY = 80000, STEP = 4000 };
#endif

static void assert_found(throng_world *w, throng_entity e)
{
    throng_entity nearest;
    const throng_at *at = throng_at_get(w, e);
    assert_int_equal(throng_by_at_nearest(w, at->x, at->y, 1, &nearest), 1);
    assert_true(throng_same(nearest, e));
}

// Offsets in a row of cells have 16 bits, until more items than that move into one row.
static void more_in_a_row_than_offsets_count(void **state)
{
    (void)state;
    static throng_entity e[MANY];
    throng_world *w = throng_open(NULL);
    const weft_index *index = &throng_world_base(w)->indexes[THRONG_INDEX_BY_AT];
    for (uint32_t i = 0; i < MANY; i++) {
        const float x = (float)(i % 3000) / 30.0f;
        const float y = 0.25f + 0.5f * (float)i / (float)MANY + (i < MANY / 2 ? 0.0f : 1.0f);
        e[i] = throng_spawn(w);
        assert_true(throng_at_set(w, e[i], (throng_at){x, y}));
    }
    assert_found(w, e[0]);
    if (WEFT_CELLS_NARROW == UINT16_MAX) assert_false(index->wide);
    for (uint32_t i = 0; i < MANY / 2; i++) { // from one row into the other one
        throng_at *at = throng_at_edit(w, e[i]);
        at->y += 1.0f;
        if (i % STEP != STEP - 1) continue;
        assert_found(w, e[i]);
        assert_found(w, e[MANY - 1 - i]);
    }
    assert_true(index->wide);
    throng_close(w);
}

// Grids of floats that are not two columns of a table: of three, and of a sparse component.
static void floats_of_each_form_are_found(void **state)
{
    enum { COUNT = 300 };
    (void)state;
    throng_world *w = throng_open(NULL);
    throng_entity nearest;
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            const float x = (float)(i % 7), y = (float)(i / 7 % 7), z = (float)(i / 49);
            if (round == 0) people[i] = throng_spawn(w);
            throng_star_set(w, people[i], (throng_star){x, y + (float)round, z});
            throng_smell_set(w, people[i], (throng_smell){x + 7.0f * z, y - (float)round});
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            const throng_star *star = throng_star_get(w, people[i]);
            const throng_smell *smell = throng_smell_get(w, people[i]);
            assert_int_equal(throng_by_star_nearest(w, star->x, star->y, star->z, 1, &nearest), 1);
            assert_true(throng_same(nearest, people[i]));
            assert_int_equal(throng_by_smell_nearest(w, smell->x, smell->y, 1, &nearest), 1);
            assert_true(throng_same(nearest, people[i]));
        }
    }
    throng_close(w);
}

enum { STARS = 343, FAR = 3 };

// Asserts that the nearest stars are those of a search through all.
static void assert_stars_near(throng_world *w, const double *point)
{
    static meeting all[STARS];
    throng_entity found[NEAREST];
    for (uint32_t i = 0; i < STARS; i++) {
        const throng_star *s = throng_star_get(w, people[i]);
        const double d[3] = {(double)s->x - point[0], (double)s->y - point[1],
                             (double)s->z - point[2]};
        all[i] = (meeting){d[0] * d[0] + d[1] * d[1] + d[2] * d[2], i};
    }
    qsort(all, STARS, sizeof *all, by_distance);
    assert_int_equal(throng_by_star_nearest(w, (float)point[0], (float)point[1], (float)point[2],
                                            NEAREST, found),
                     NEAREST);
    for (uint32_t i = 0; i < NEAREST; i++) {
        assert_true(throng_same(found[i], people[all[i].place]));
    }
}

// A point may also lie beyond a box of cells that is solid, or in the middle of it.
static void from_beyond_each_side_of_a_solid_box(void **state)
{
    static const double at[FAR] = {-9.25, 3.25, 16.5};
    (void)state;
    throng_world *w = throng_open(NULL);
    for (uint32_t i = 0; i < STARS; i++) {
        people[i] = throng_spawn(w);
        const throng_star star = {(float)(i % 7), (float)(i / 7 % 7), (float)(i / 49)};
        assert_true(throng_star_set(w, people[i], star));
    }
    for (uint32_t i = 0; i < FAR * FAR * FAR; i++) {
        const double point[3] = {at[i % FAR], at[i / FAR % FAR], at[i / FAR / FAR]};
        assert_stars_near(w, point);
    }
    throng_close(w);
}

static uint64_t cells_of(const weft_index *index)
{
    return (uint64_t)index->size[0] * (uint64_t)index->size[1] * (uint64_t)index->size[2];
}

// Items that come together have a smaller box of cells soon, and are found in it.
static void a_box_becomes_smaller(void **state)
{
    enum { ROW = 64, LEFT = 1100 };
    (void)state;
    throng_world *w = throng_open(NULL);
    const weft_index *index = &throng_world_base(w)->indexes[THRONG_INDEX_BY_AT];
    for (uint32_t i = 0; i < ALL; i++) {
        people[i] = throng_spawn(w);
        const throng_at at = {(float)(i % ROW) * 2.2f, (float)(i / ROW) * 2.2f};
        assert_true(throng_at_set(w, people[i], at));
    }
    assert_found(w, people[0]);
    const uint64_t cells = cells_of(index);
    assert_true(cells != 0);
    for (uint32_t i = 0; i < ALL; i++) {
        const throng_at at = {(float)(i % ROW) * 0.25f, (float)(i / ROW) * 0.25f};
        if (i < LEFT) assert_true(throng_at_set(w, people[i], at));
        if (i >= LEFT) assert_true(throng_despawn(w, people[i]));
    }
    for (uint32_t i = 0; i < LEFT; i++) assert_found(w, people[i]);
    assert_in_range(cells_of(index), 1, cells / 4);
    throng_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_a_box_of_cells),
        cmocka_unit_test(without_a_box),
        cmocka_unit_test(from_beyond_each_side),
        cmocka_unit_test(more_in_a_row_than_offsets_count),
        cmocka_unit_test(floats_of_each_form_are_found),
        cmocka_unit_test(from_beyond_each_side_of_a_solid_box),
        cmocka_unit_test(a_box_becomes_smaller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
