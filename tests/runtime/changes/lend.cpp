// Loans to a game in C++: by edit<>, by the rows of a range-for, by functions that are called row
// by row. Readers and indexes that run between the loan and the write see the write. After the end
// of the loan, readers are shown the row exactly once more. Prints each difference.
#include "lend.hpp"

#include <cstdio>

using world = weft::world<lend_world>;

static int failed;

static void expect(bool holds, const char *what, int line)
{
    if (!holds) std::printf("line %d: not so: %s\n", line, what);
    failed += !holds;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

void lend_look(const lend_look_ctx *, uint32_t, const lend_id *) {}
void lend_push(const lend_push_ctx *, uint32_t, lend_place *) {}

enum : uint32_t { THINGS = 5 };

// How many rows a reader is shown in a turn.
template <weft::query Reader> static uint32_t shown(world &w)
{
    uint32_t count = 0;
    for (const auto &rows : w.each<Reader>()) {
        if constexpr (requires { rows.rows; }) {
            weft_rows left = rows.rows;
            for (uint32_t i; weft_next(&left, &i);) count++;
        } else {
            count += rows.count;
        }
    }
    return count;
}

static uint32_t told(world &w)
{
    uint32_t count = 0;
    for (const auto &rows : weft::each(w.turn<lend_told>())) count += rows.count;
    return count;
}

template <weft::query Reader> static bool shown_once_more(world &w, uint32_t rows = 1)
{
    return shown<Reader>(w) == rows && shown<Reader>(w) == 0;
}

static void end_by_change(world &w)
{
    w.despawn(w.spawn());
}

static void end_by_phase(world &w)
{
    EXPECT(lend_run_early(w, 1) == WEFT_OK);
}

// All readers have seen all there is.
static void settle(world &w)
{
    end_by_phase(w);
    for (int i = 0; i < 2; i++) {
        shown<lend_moved>(w), shown<lend_counted>(w), shown<lend_rated>(w);
        shown<lend_soled>(w), shown<lend_lit>(w), told(w);
    }
}

struct land {
    world w;
    lend_entity things[THINGS];

    land()
    {
        for (lend_entity &e : things) {
            e = w.spawn<lend_thing>();
            w.set(e, lend_rank{3});
        }
        settle(w);
    }
};

static bool finds_place(world &w, lend_entity e, float x)
{
    for (const auto &at : w.near<lend_by_place>(x, 0, 0.25f)) {
        if (at.entity == e) return true;
    }
    return false;
}

static void components(void (*end)(world &))
{
    land l;
    const lend_entity e = l.things[2];
    lend_place *place = l.w.edit<lend_place>(e);
    lend_number_columns number = l.w.edit<lend_number>(e);
    lend_rank *rank = l.w.edit<lend_rank>(e);
    lend_solo *solo = l.w.edit<lend_solo>(e);
    lend_sole *sole = l.w.edit<lend_sole>(e);
    for (uint32_t i = 0; i < 3; i++) {
        EXPECT(shown<lend_moved>(l.w) == 1 && told(l.w) == 1);
        EXPECT(shown<lend_counted>(l.w) == 1 && shown<lend_rated>(l.w) == 1);
        EXPECT(shown<lend_soled>(l.w) == 1);
        place->x = static_cast<float>(10 + i);
        *number.n = 10 + i;
        rank->n = static_cast<int32_t>(10 + i);
        solo->n = sole->n = 10 + i;
        EXPECT(finds_place(l.w, e, static_cast<float>(10 + i)));
        EXPECT(l.w.find<lend_by_number>(10 + i) == e);
        EXPECT(l.w.find<lend_by_solo>(10 + i) == e);
        EXPECT(l.w.last<lend_by_rank>() == e);
    }
    end(l.w);
    EXPECT(told(l.w) == 1 && told(l.w) == 0);
    EXPECT(shown_once_more<lend_moved>(l.w) && shown_once_more<lend_counted>(l.w));
    EXPECT(shown_once_more<lend_rated>(l.w) && shown_once_more<lend_soled>(l.w));
}

// A loan of a singleton outlasts structural changes.
static void singletons()
{
    land l;
    lend_sky *sky = l.w.edit<lend_sky>();
    for (uint32_t i = 0; i < 3; i++) {
        EXPECT(shown<lend_lit>(l.w) == THINGS);
        sky->light = i;
        end_by_change(l.w);
    }
    EXPECT(shown<lend_lit>(l.w) == THINGS && shown<lend_lit>(l.w) == THINGS);
    end_by_phase(l.w);
    EXPECT(shown_once_more<lend_lit>(l.w, THINGS));
}

static void rows_of_a_loop()
{
    land l;
    for (auto &rows : l.w.each<lend_whole>()) {
        for (uint32_t i = 0; i < rows.count; i++) {
            EXPECT(shown<lend_moved>(l.w) == THINGS);
            rows.place[i].x = static_cast<float>(20 + i);
            EXPECT(finds_place(l.w, rows.entities[i], static_cast<float>(20 + i)));
            rows.number.n[i] = 20 + i;
            EXPECT(l.w.find<lend_by_number>(20 + i) == rows.entities[i]);
        }
    }
    EXPECT(shown_once_more<lend_moved>(l.w, THINGS));
    for (auto &rows : weft::each(lend_masks_begin(l.w))) {
        weft_rows left = rows.rows;
        for (uint32_t i; weft_next(&left, &i);) {
            EXPECT(shown<lend_soled>(l.w) == THINGS);
            rows.sole[i].n = i;
        }
    }
    EXPECT(shown_once_more<lend_soled>(l.w, THINGS));
    for (auto &rows : l.w.each<lend_lists>()) {
        for (uint32_t k = 0; k < rows.count; k++) {
            EXPECT(shown<lend_rated>(l.w) == THINGS);
            rows.rank[k]->n = static_cast<int32_t>(30 + k);
            EXPECT(l.w.last<lend_by_rank>() == rows.entities[rows.rows[k]]);
        }
    }
    EXPECT(shown_once_more<lend_rated>(l.w, THINGS));
}

// The rows of a loop that is left stay lent, though its iterator has ended with its scope.
static void rows_of_a_loop_that_is_left(void (*end)(world &))
{
    land l;
    lend_place *place = nullptr;
    lend_entity e = LEND_NONE;
    for (auto &rows : l.w.each<lend_runs>()) {
        place = &rows.place[1];
        e = rows.entities[1];
        break;
    }
    for (uint32_t i = 0; i < 3; i++) {
        EXPECT(shown<lend_moved>(l.w) == THINGS);
        place->x = static_cast<float>(40 + i);
        EXPECT(finds_place(l.w, e, static_cast<float>(40 + i)));
    }
    end(l.w);
    EXPECT(shown_once_more<lend_moved>(l.w, THINGS));
}

static void functions_of_rows()
{
    land l;
    uint32_t n = 50;
    l.w.each<lend_runs>([&](lend_entity e, lend_place *place, lend_solo *solo) {
        EXPECT(shown<lend_moved>(l.w) == THINGS);
        solo->n = ++n;
        place->x = static_cast<float>(n);
        EXPECT(l.w.find<lend_by_solo>(n) == e);
        EXPECT(finds_place(l.w, e, static_cast<float>(n)));
    });
    EXPECT(n == 50 + THINGS);
    EXPECT(shown_once_more<lend_moved>(l.w, THINGS));
}

// What lends nothing is shown once.
static void values_that_are_set()
{
    land l;
    l.w.set(l.things[0], lend_place{60, 0});
    EXPECT(shown_once_more<lend_moved>(l.w));
    EXPECT(l.w.get<lend_place>(l.things[0])->x == 60);
    EXPECT(shown<lend_moved>(l.w) == 0);
}

int main()
{
    components(end_by_change);
    components(end_by_phase);
    singletons();
    rows_of_a_loop();
    rows_of_a_loop_that_is_left(end_by_change);
    rows_of_a_loop_that_is_left(end_by_phase);
    functions_of_rows();
    values_that_are_set();
    return failed != 0;
}
