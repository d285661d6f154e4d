// Measures what workers gain and cost: a parallel system in a world with two workers is compared
// with a world without workers, and with two bare threads. The work is spread over threads, so
// times are wall time. If the system allows it, the measurement leaves out the load of other
// processes.
#include "by_hand.h"
#include "setup.h"

#include "crew_call.h"
#include "crew_grind.h"
#include "crew_member.h"
#include "crew_node.h"
#include "crew_numbers.h"
#include "crew_part_of.h"
#include "crew_place.h"
#include "crew_place_alone.h"
#include "crew_places.h"

#include <string.h>

#define WORKERS 2u
#define GRIND_ROWS 200000u
#define GRIND_FEW_ROWS 5000u // 0.1 ms of work: what a system of a game has
#define GRIND_STEPS 64u
#define HAND_PARTS 64u
#define CALL_ROWS 512u // the fewest that are cut into a part for each of the two
#define CALL_PHASES 2000u
#define TREE_NODES 1000000u // of three depths: a root, its children, and theirs
#define TREE_CHILDREN 1000u

typedef struct crews {
    crew_world *shared; // has workers
    crew_world *alone;
    by_hand *hand;
    uint32_t *numbers; // of the loop by hand
    uint32_t n;
    weft_status (*run)(crew_world *w, double dt);
    uint32_t repeats; // in a run
} crews;

// -------------------------------------------------------------------------------------------------
// The code of a game

// Not inlined, so that all sides run one piece of code.
__attribute__((noinline)) static void grind(uint32_t count, uint32_t *restrict numbers)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits = numbers[i];
        for (uint32_t step = 0; step < GRIND_STEPS; step++) {
            bits = bits * 1664525u + (bits >> 16) + 1;
        }
        numbers[i] = bits;
    }
}

void crew_grind(const crew_grind_ctx *ctx, uint32_t count, crew_number *restrict number)
{
    (void)ctx;
    grind(count, &number->bits);
}

static void grind_by_hand(void *state, uint32_t part)
{
    const crews *c = (const crews *)state;
    uint32_t first = (uint32_t)((uint64_t)c->n * part / HAND_PARTS);
    uint32_t end = (uint32_t)((uint64_t)c->n * (part + 1) / HAND_PARTS);
    grind(end - first, c->numbers + first);
}

// Where a part begins is all that it changes, so that the sums tell whether each has run.
void crew_call(const crew_call_ctx *ctx, uint32_t count, crew_number *restrict number)
{
    (void)ctx;
    number[0].bits += count;
}

__attribute__((noinline)) static void place(uint32_t count, const crew_spot *spot,
                                            crew_placed *placed,
                                            const crew_placed *const *placed_parent)
{
    for (uint32_t i = 0; i < count; i++) {
        const crew_placed *above = placed_parent[i];
        uint32_t turn = above ? above->turn : 1;
        placed[i].x = (above ? above->x : 0) + spot[i].x * turn;
        placed[i].y = (above ? above->y : 0) + spot[i].y * turn;
        placed[i].turn = turn * 3 + spot[i].turn;
    }
}

void crew_place(const crew_place_ctx *ctx, uint32_t count, const crew_spot *spot,
                crew_placed *placed, const crew_placed *const *placed_parent)
{
    (void)ctx;
    place(count, spot, placed, placed_parent);
}

void crew_place_alone(const crew_place_alone_ctx *ctx, uint32_t count, const crew_spot *spot,
                      crew_placed *placed, const crew_placed *const *placed_parent)
{
    (void)ctx;
    place(count, spot, placed, placed_parent);
}

// -------------------------------------------------------------------------------------------------
// Sides

static uint64_t sum_places(crew_world *w)
{
    uint64_t sum = 0;
    crew_places_iter it = crew_places_begin(w);
    while (crew_places_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += bench_part(it.entities[i].bits & SETUP_INDEX_MASK, it.placed[i].x);
        }
    }
    return sum;
}

static uint64_t sum_numbers(crew_world *w)
{
    uint64_t sum = 0;
    crew_numbers_iter it = crew_numbers_begin(w);
    while (crew_numbers_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += bench_part(it.entities[i].bits & SETUP_INDEX_MASK, it.number[i].bits);
        }
    }
    return sum;
}

static double run_phases(const crews *c, crew_world *w, uint64_t *checksum)
{
    double begun = bench_wall_seconds();
    for (uint32_t i = 0; i < c->repeats; i++) c->run(w, 0.5);
    double seconds = bench_wall_seconds() - begun;
    *checksum = sum_numbers(w) + sum_places(w);
    return seconds;
}

static double run_shared(void *state, uint64_t *checksum)
{
    const crews *c = (const crews *)state;
    return run_phases(c, c->shared, checksum);
}

static double run_alone(void *state, uint64_t *checksum)
{
    const crews *c = (const crews *)state;
    return run_phases(c, c->alone, checksum);
}

// One world, whose rows are not cut.
static double run_uncut(void *state, uint64_t *checksum)
{
    crews c = *(const crews *)state;
    c.run = crew_run_placing_alone;
    return run_phases(&c, c.alone, checksum);
}

static double run_by_hand(void *state, uint64_t *checksum)
{
    const crews *c = (const crews *)state;
    double begun = bench_wall_seconds();
    for (uint32_t i = 0; i < c->repeats; i++) by_hand_run(c->hand);
    double seconds = bench_wall_seconds() - begun;
    *checksum = 0;
    for (uint32_t i = 0; i < c->n; i++) *checksum += bench_part(i, c->numbers[i]);
    return seconds;
}

// -------------------------------------------------------------------------------------------------
// Worlds

static crew_world *open_world(uint32_t workers, uint32_t rows)
{
    crew_world *w = crew_open(&(weft_options){.workers = workers});
    setup_require(w && crew_stats(w).workers == workers, "a world with so many workers");
    for (uint32_t i = 0; i < rows; i++) {
        crew_member member = {.number = {i}};
        setup_require(!crew_is_none(crew_member_spawn(w, &member)), "a member");
    }
    return w;
}

static crew_world *open_tree(uint32_t workers)
{
    crew_world *w = crew_open(&(weft_options){.workers = workers});
    crew_entity *e = (crew_entity *)bench_array(TREE_NODES * sizeof *e);
    uint64_t seed = 12;
    setup_require(w && crew_stats(w).workers == workers, "a world with so many workers");
    for (uint32_t i = 0; i < TREE_NODES; i++) {
        crew_node node = {.spot = {bench_random(&seed), bench_random(&seed), i}};
        e[i] = crew_node_spawn(w, &node);
        uint32_t above = i <= TREE_CHILDREN ? 0 : 1 + i % TREE_CHILDREN;
        setup_require(i == 0 || crew_part_of_attach(w, e[i], e[above]), "a node");
    }
    bench_array_free(e, TREE_NODES * sizeof *e);
    return w;
}

static crews open_crews(const bench_comparison *comparison, crews c)
{
    c.n = (uint32_t)comparison->n;
    c.shared = open_world(WORKERS, c.n);
    c.alone = open_world(1, c.n);
    c.numbers = (uint32_t *)bench_array(c.n * sizeof *c.numbers);
    for (uint32_t i = 0; i < c.n; i++) c.numbers[i] = i;
    return c;
}

// The comparison without its worlds.
static void compare(bench_comparison comparison, crews c)
{
    if (!bench_wanted(comparison.workload)) return;
    standing before = by_hand_step_forward();
    c = open_crews(&comparison, c);
    c.hand = by_hand_open(grind_by_hand, &c, HAND_PARTS);
    comparison.weft = run_shared;
    comparison.state = &c;
    bench_compare(comparison);
    by_hand_close(c.hand);
    bench_array_free(c.numbers, c.n * sizeof *c.numbers);
    crew_close(c.alone);
    crew_close(c.shared);
    by_hand_step_back(&before);
}

// A tree of three depths on two workers, beside one; and on one, beside a system that is not cut.
static void compare_trees(const char *speedup, const char *parts)
{
    if (!bench_wanted(speedup) && !bench_wanted(parts)) return;
    standing before = by_hand_step_forward();
    crews c = {
        .shared = open_tree(WORKERS),
        .alone = open_tree(1),
        .run = crew_run_placing,
        .repeats = 4,
    };
    bench_comparison comparison = {
        .n = TREE_NODES,
        .items = (uint64_t)TREE_NODES * c.repeats,
        .state = &c,
    };
    comparison.workload = speedup;
    comparison.weft = run_shared;
    comparison.limit = run_alone;
    if (bench_wanted(speedup)) bench_compare(comparison);
    comparison.workload = parts;
    comparison.weft = run_alone;
    comparison.limit = run_uncut;
    if (bench_wanted(parts)) bench_compare(comparison);
    crew_close(c.alone);
    crew_close(c.shared);
    by_hand_step_back(&before);
}

// Beside no workers, whose time a machine with two free processors halves, and beside two bare
// threads, which get as much of the machine as Weft does.
static void compare_grinding(const char *alone, double alone_max, const char *hand, uint32_t rows,
                             uint32_t repeats)
{
    bench_comparison speedup = {
        .workload = alone,
        .n = rows,
        .items = (uint64_t)rows * repeats,
        .limit = run_alone,
        .ratio_max = alone_max,
    };
    bench_comparison threads = {
        .workload = hand,
        .n = rows,
        .items = (uint64_t)rows * repeats,
        .limit = run_by_hand,
        .ratio_max = 1.05,
    };
    crews c = {.run = crew_run_grinding, .repeats = repeats};
    compare(speedup, c);
    compare(threads, c);
}

void bench_workers(void)
{
    bench_comparison dispatch = {
        .workload = "workers_dispatch",
        .n = CALL_ROWS,
        .items = CALL_PHASES,
        .limit = run_alone,
        .ns_max = 5000,
    };
    compare_grinding("workers_speedup", 0.555, "workers_by_hand", GRIND_ROWS,
                     1); // 1.8 times as fast
    compare_grinding("workers_few_speedup", 0, "workers_few_by_hand", GRIND_FEW_ROWS, 40);
    compare_trees("workers_tree_speedup", "workers_tree_parts");
    compare(dispatch, (crews){.run = crew_run_calling, .repeats = CALL_PHASES});
}
