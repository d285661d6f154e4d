// A forest of a million nodes that stand where their parents do. One ordered pass places all of
// them, or only changed nodes and the nodes below them, in rows that are in random order or sorted.
#include "setup.h"

#include "grove.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 1000000, ROOTS = 10000, MOVED = ROOTS / 100 };

// The place of the node of an id, and the node that has the id.
typedef struct record {
    uint32_t generation;
    uint32_t place;
} record;

// The forest on plain arrays, where a node is its place in the arrays.
typedef struct hand {
    grove_offset *offset;
    grove_placed *placed;
    uint32_t *parent; // UINT32_MAX: none
    uint32_t *first;  // child; UINT32_MAX: none
    uint32_t *next;
    uint32_t *by_depth; // all nodes, parents first
    uint32_t *stack;
    uint32_t *id;       // by place: what names the node for good
    uint32_t *above_id; // by id: that of the parent; UINT32_MAX: none
    record *record;     // by id
} hand;

typedef struct forest {
    grove_world *w;
    grove_entity *node; // by number; those of roots come first
    uint32_t *at;       // by number: the place in the arrays
    hand hand;
    uint64_t weft_seed; // of the roots that move, equal to hand_seed
    uint64_t hand_seed;
    size_t calls; // of a system
    struct forest
        *walked; // a world with the same trees, in which the game walks from what it moves
} forest;

void grove_place_dirty(const grove_place_dirty_ctx *ctx, uint32_t count, const grove_offset *offset,
                       grove_placed *placed, const grove_placed *const *placed_parent)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        const grove_placed *above = placed_parent[i];
        placed[i].x = offset[i].x + (above ? above->x : 0);
        placed[i].y = offset[i].y + (above ? above->y : 0);
        placed[i].z = offset[i].z + (above ? above->z : 0);
    }
}

void grove_place_all(const grove_place_all_ctx *ctx, uint32_t count, const grove_offset *offset,
                     grove_spot *WEFT_RESTRICT spot, const grove_spot *const *spot_parent)
{
    forest *f = (forest *)ctx->user;
    for (uint32_t i = 0; i < count; i++) {
        const grove_spot *above = spot_parent[i];
        spot[i].x = offset[i].x + (above ? above->x : 0);
        spot[i].y = offset[i].y + (above ? above->y : 0);
        spot[i].z = offset[i].z + (above ? above->z : 0);
    }
    f->calls++;
}

// ------------------------------------------------------------------------------------------------
// The forest

// The parent of a node: any that was there before it in its tree.
static uint32_t parent_of(uint32_t node, uint64_t *seed)
{
    uint32_t before = node / ROOTS;
    return before == 0 ? UINT32_MAX : node % ROOTS + bench_random(seed) % before * ROOTS;
}

static grove_offset offset_of(uint64_t *seed)
{
    return (grove_offset){bench_value(seed), bench_value(seed), bench_value(seed)};
}

static void *array(size_t bytes)
{
    return bench_array(NODES * bytes);
}

static void open_hand(hand *h)
{
    h->offset = (grove_offset *)array(sizeof *h->offset);
    h->placed = (grove_placed *)array(sizeof *h->placed);
    h->parent = (uint32_t *)array(sizeof *h->parent);
    h->first = (uint32_t *)array(sizeof *h->first);
    h->next = (uint32_t *)array(sizeof *h->next);
    h->by_depth = (uint32_t *)array(sizeof *h->by_depth);
    h->stack = (uint32_t *)array(sizeof *h->stack);
    h->id = (uint32_t *)array(sizeof *h->id);
    h->above_id = (uint32_t *)array(sizeof *h->above_id);
    h->record = (record *)array(sizeof *h->record);
    memset(h->first, 0xFF, NODES * sizeof *h->first);
    memset(h->next, 0xFF, NODES * sizeof *h->next);
}

static void close_hand(const hand *h)
{
    bench_array_free(h->offset, NODES * sizeof *h->offset);
    bench_array_free(h->placed, NODES * sizeof *h->placed);
    bench_array_free(h->parent, NODES * sizeof *h->parent);
    bench_array_free(h->first, NODES * sizeof *h->first);
    bench_array_free(h->next, NODES * sizeof *h->next);
    bench_array_free(h->by_depth, NODES * sizeof *h->by_depth);
    bench_array_free(h->stack, NODES * sizeof *h->stack);
    bench_array_free(h->id, NODES * sizeof *h->id);
    bench_array_free(h->above_id, NODES * sizeof *h->above_id);
    bench_array_free(h->record, NODES * sizeof *h->record);
}

// Lists the nodes depth by depth, from their links.
static void list_by_depth(const hand *h)
{
    uint32_t count = 0;
    for (uint32_t at = 0; at < NODES; at++) {
        if (h->parent[at] == UINT32_MAX) h->by_depth[count++] = at;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t child = h->first[h->by_depth[i]];
        for (; child != UINT32_MAX; child = h->next[child]) h->by_depth[count++] = child;
    }
    setup_require(count == NODES, "all nodes by depth");
}

// Lays the arrays out as the rows of the world are, so that both sides look alike.
static void fill_hand(forest *f)
{
    hand *h = &f->hand;
    uint32_t *number = (uint32_t *)array(sizeof *number); // by index of the entity
    uint32_t place = 0;
    for (uint32_t i = 0; i < NODES; i++) number[f->node[i].bits & SETUP_INDEX_MASK] = i;
    grove_nodes_iter it = grove_nodes_begin(f->w);
    while (grove_nodes_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            f->at[number[it.entities[i].bits & SETUP_INDEX_MASK]] = place++;
        }
    }
    for (uint32_t i = 0; i < NODES; i++) {
        uint32_t at = f->at[i];
        grove_entity above = grove_part_of_parent(f->w, f->node[i]);
        uint32_t id = f->node[i].bits & SETUP_INDEX_MASK;
        uint32_t above_id = grove_is_none(above) ? UINT32_MAX : above.bits & SETUP_INDEX_MASK;
        h->offset[at] = *grove_offset_get(f->w, f->node[i]);
        h->id[at] = id;
        h->above_id[id] = above_id;
        h->record[id] = (record){1, at};
        h->parent[at] = above_id == UINT32_MAX ? UINT32_MAX : f->at[number[above_id]];
        if (h->parent[at] == UINT32_MAX) continue;
        h->next[at] = h->first[h->parent[at]];
        h->first[h->parent[at]] = at;
    }
    list_by_depth(h);
    bench_array_free(number, NODES * sizeof *number);
}

static void open_forest(forest *f, bool sorted)
{
    uint64_t seed = 5;
    uint32_t *order = (uint32_t *)array(sizeof *order);
    grove_entity *spawned = (grove_entity *)array(sizeof *spawned);
    memset(f, 0, sizeof *f);
    weft_options options = bench_warm();
    options.user = f;
    f->w = grove_open(&options);
    f->node = (grove_entity *)array(sizeof *f->node);
    f->at = (uint32_t *)array(sizeof *f->at);
    f->weft_seed = f->hand_seed = 17;
    setup_require(f->w && grove_node_spawn_many(f->w, NODES, NULL, spawned) == NODES, "nodes");
    bench_shuffle(order, NODES, 3);
    for (uint32_t i = 0; i < NODES; i++) f->node[i] = spawned[order[i]];
    for (uint32_t i = 0; i < NODES; i++) {
        uint32_t parent = parent_of(i, &seed);
        grove_offset_set(f->w, f->node[i], offset_of(&seed));
        if (parent == UINT32_MAX) continue;
        setup_require(grove_part_of_append(f->w, f->node[i], f->node[parent]), "a child");
    }
    bench_array_free(order, NODES * sizeof *order);
    bench_array_free(spawned, NODES * sizeof *spawned);
    if (sorted) setup_require(grove_part_of_sort(f->w) == WEFT_OK, "sorted rows");
    open_hand(&f->hand);
    fill_hand(f);
}

static void close_forest(forest *f)
{
    close_hand(&f->hand);
    grove_close(f->w);
    bench_array_free(f->node, NODES * sizeof *f->node);
    bench_array_free(f->at, NODES * sizeof *f->at);
}

// ------------------------------------------------------------------------------------------------
// Sums

// Returns the place of a node: three numbers.
typedef const float *(*place_of)(const forest *f, uint32_t node);

static const float *placed_of(const forest *f, uint32_t node)
{
    return &grove_placed_get(f->w, f->node[node])->x;
}

static const float *spot_of(const forest *f, uint32_t node)
{
    return &grove_spot_get(f->w, f->node[node])->x;
}

static const float *by_hand_of(const forest *f, uint32_t node)
{
    return &f->hand.placed[f->at[node]].x;
}

static uint64_t sum_of(const forest *f, place_of at)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        const float *place = at(f, i);
        for (uint32_t k = 0; k < 3; k++) sum += bench_part(i * 3 + k, bench_bits(place[k]));
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------
// The sides

static void move_roots(forest *f)
{
    for (int i = 0; i < MOVED; i++) {
        uint32_t root = bench_random(&f->weft_seed) % ROOTS;
        *grove_offset_edit(f->w, f->node[root]) = offset_of(&f->weft_seed);
    }
}

static double dirty_of_weft(void *state, uint64_t *sum)
{
    forest *f = (forest *)state;
    double begun = bench_seconds();
    move_roots(f);
    grove_run_dirty(f->w, 0);
    double seconds = bench_seconds() - begun;
    *sum = sum_of(f, placed_of);
    return seconds;
}

// A game that knows which roots it has moved, and goes over what hangs below each of them.
static double dirty_by_walk(void *state, uint64_t *sum)
{
    forest *f = ((forest *)state)->walked;
    uint32_t roots[MOVED];
    double begun = bench_seconds();
    for (int i = 0; i < MOVED; i++) {
        roots[i] = bench_random(&f->weft_seed) % ROOTS;
        *grove_offset_edit(f->w, f->node[roots[i]]) = offset_of(&f->weft_seed);
    }
    for (int i = 0; i < MOVED; i++) {
        grove_part_of_walk it = grove_part_of_walk_begin(f->w, f->node[roots[i]]);
        while (grove_part_of_walk_next(&it)) {
            grove_entity parent = grove_part_of_parent(f->w, it.entity);
            const grove_offset *offset = grove_offset_get(f->w, it.entity);
            const grove_placed *above = grove_placed_get(f->w, parent);
            grove_placed *placed = grove_placed_edit(f->w, it.entity);
            placed->x = offset->x + (above ? above->x : 0);
            placed->y = offset->y + (above ? above->y : 0);
            placed->z = offset->z + (above ? above->z : 0);
        }
    }
    double seconds = bench_seconds() - begun;
    *sum = sum_of(f, placed_of);
    return seconds;
}

static double all_of_weft(void *state, uint64_t *sum)
{
    forest *f = (forest *)state;
    double begun = bench_seconds();
    grove_run_all(f->w, 0);
    double seconds = bench_seconds() - begun;
    *sum = sum_of(f, spot_of);
    return seconds;
}

// The dirty pass after a million moves of a root: each node is placed.
static double all_dirty_of_weft(void *state, uint64_t *sum)
{
    forest *f = (forest *)state;
    for (uint32_t i = 0; i < ROOTS; i++) (void)grove_offset_edit(f->w, f->node[i]);
    double begun = bench_seconds();
    grove_run_dirty(f->w, 0);
    double seconds = bench_seconds() - begun;
    *sum = sum_of(f, placed_of);
    return seconds;
}

static inline void place(const hand *h, uint32_t at, uint32_t parent)
{
    grove_placed above = {0, 0, 0};
    if (parent != UINT32_MAX) above = h->placed[parent];
    h->placed[at] = (grove_placed){h->offset[at].x + above.x, h->offset[at].y + above.y,
                                   h->offset[at].z + above.z};
}

static void place_below(const hand *h, uint32_t root)
{
    uint32_t count = 0;
    h->stack[count++] = root;
    while (count != 0) {
        uint32_t at = h->stack[--count];
        place(h, at, h->parent[at]);
        for (uint32_t child = h->first[at]; child != UINT32_MAX; child = h->next[child]) {
            h->stack[count++] = child;
        }
    }
}

static double all_below_by_hand(void *state, uint64_t *sum)
{
    forest *f = (forest *)state;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ROOTS; i++) place_below(&f->hand, f->at[i]);
    bench_touch(f->hand.placed);
    double seconds = bench_seconds() - begun;
    *sum = sum_of(f, by_hand_of);
    return seconds;
}

static double dirty_by_hand(void *state, uint64_t *sum)
{
    forest *f = (forest *)state;
    uint32_t roots[MOVED];
    double begun = bench_seconds();
    for (int i = 0; i < MOVED; i++) {
        roots[i] = f->at[bench_random(&f->hand_seed) % ROOTS];
        f->hand.offset[roots[i]] = offset_of(&f->hand_seed);
    }
    for (int i = 0; i < MOVED; i++) place_below(&f->hand, roots[i]);
    bench_touch(f->hand.placed);
    double seconds = bench_seconds() - begun;
    *sum = sum_of(f, by_hand_of);
    return seconds;
}

static double all_by_hand(void *state, uint64_t *sum)
{
    forest *f = (forest *)state;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < NODES; i++) {
        uint32_t at = f->hand.by_depth[i];
        place(&f->hand, at, f->hand.parent[at]);
    }
    bench_touch(f->hand.placed);
    double seconds = bench_seconds() - begun;
    *sum = sum_of(f, by_hand_of);
    return seconds;
}

// Nodes that move and are found again have ids: the parent is known by its own.
static double all_by_ids(void *state, uint64_t *sum)
{
    forest *f = (forest *)state;
    const hand *h = &f->hand;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < NODES; i++) {
        uint32_t at = h->by_depth[i];
        uint32_t above = h->above_id[h->id[at]];
        place(h, at, above == UINT32_MAX ? UINT32_MAX : h->record[above].place);
    }
    bench_touch(h->placed);
    double seconds = bench_seconds() - begun;
    *sum = sum_of(f, by_hand_of);
    return seconds;
}

// ------------------------------------------------------------------------------------------------

// Places everything on both sides, so that what is measured begins alike.
static void settle(forest *f)
{
    uint64_t sum;
    uint64_t by_hand;
    grove_run_dirty(f->w, 0);
    f->calls = 0;
    all_of_weft(f, &sum);
    all_by_hand(f, &by_hand);
    setup_require(sum == by_hand && sum == sum_of(f, placed_of), "both sides placed alike");
}

static void compare(forest *f, const char *workload, uint64_t items, bench_side weft,
                    bench_side limit, double ratio_max)
{
    bench_compare((bench_comparison){
        .workload = workload,
        .n = NODES,
        .items = items,
        .weft = weft,
        .limit = limit,
        .state = f,
        .ratio_max = ratio_max,
    });
}

// A node that hangs below a moved root is an item where only these are placed. Where rows are
// sorted, arrays without ids have no cache misses left, and what finds the parent by its id shows.
static void measure(forest *f, bool sorted)
{
    const uint64_t below = (uint64_t)MOVED * (NODES / ROOTS);
    settle(f);
    if (sorted) {
        compare(f, "tree_all_sorted", NODES, all_of_weft, all_by_hand, 12);
        compare(f, "tree_all_sorted_ids", NODES, all_of_weft, all_by_ids, 2.2);
        compare(f, "tree_all_dirty_sorted", NODES, all_dirty_of_weft, all_below_by_hand, 4);
        compare(f, "tree_dirty_sorted", below, dirty_of_weft, dirty_by_hand, 3.5);
    } else {
        compare(f, "tree_all", NODES, all_of_weft, all_by_hand, 4);
        compare(f, "tree_all_ids", NODES, all_of_weft, all_by_ids, 2.5);
        compare(f, "tree_all_dirty", NODES, all_dirty_of_weft, all_below_by_hand, 3.5);
        compare(f, "tree_dirty", below, dirty_of_weft, dirty_by_hand, 3);
    }
}

// Both sides are worlds here, whose trees and moves are equal.
static void measure_walk(const char *workload, bool sorted)
{
    static forest f;
    static forest walked;
    open_forest(&f, sorted);
    open_forest(&walked, sorted);
    f.walked = &walked;
    settle(&f);
    settle(&walked);
    compare(&f, workload, (uint64_t)MOVED * (NODES / ROOTS), dirty_of_weft, dirty_by_walk, 0);
    close_forest(&walked);
    close_forest(&f);
}

void bench_trees(void)
{
    static forest f;
    if (bench_wanted("tree_dirty_walk")) measure_walk("tree_dirty_walk", false);
    if (bench_wanted("tree_dirty_walk_sorted")) measure_walk("tree_dirty_walk_sorted", true);
    if (!bench_wanted("tree_all tree_all_sorted tree_all_ids tree_all_sorted_ids tree_all_dirty "
                      "tree_all_dirty_sorted tree_dirty tree_dirty_sorted tree_calls")) {
        return;
    }
    open_forest(&f, false);
    measure(&f, false);
    f.calls = 0;
    grove_run_all(f.w, 0);
    double calls = (double)f.calls;
    close_forest(&f);
    open_forest(&f, true);
    measure(&f, true);
    f.calls = 0;
    grove_run_all(f.w, 0);
    bench_report((bench_figure){"tree_calls", NODES, "calls", (double)f.calls, calls, 0, 0.01});
    close_forest(&f);
}
