// Rows are asked who is whose child, and hooks are told: after random operations, against a search
// through all links, and a model that knows for each reader what it has yet to see.
#define _ISOC11_SOURCE // aligned_alloc

#include "../../fuzz/dice.h"
#include "../../support/no_space.h"
#include "weft_json.h"
#include "wood.h"
#include "wood_run.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(WEFT_HARD)
enum { SEEDS = 4, OPERATIONS = 250 };
#else
enum { SEEDS = 6, OPERATIONS = 1200 };
#endif

enum { TREE, PATH, RELATIONS };
enum { INDICES = 4000, CROWD = 50, EVENTS = 8192 };

// The readers: each watches one relation. The system is the last two.
enum { ADDED, CHANGED, REMOVED, PATH_MOVED, PATH_REMOVED, WATCH_TREE, WATCH_PATH, READERS };
static const int relation_of[READERS] = {TREE, TREE, TREE, PATH, PATH, TREE, PATH};

// A reader knows this of an entity, and has yet to see that.
typedef struct sight {
    bool had; // a parent, at its last turn and ever since
    bool added;
    bool changed;
    bool removed;
} sight;

// Events are compared byte by byte, so that there is no padding.
typedef struct wood_event {
    uint64_t child;
    uint64_t parent;
    uint64_t kind; // relation * 2, and 1 if it was detached
} wood_event;

typedef struct wood_model {
    uint64_t alive[INDICES]; // handles, by index
    uint64_t parent[RELATIONS][INDICES];
    sight seen[READERS][INDICES];
    bool listens[READERS];
    uint64_t lost[RELATIONS][INDICES]; // what the system is to be told of
    uint32_t lost_count[RELATIONS];
} wood_model;

typedef struct forest {
    wood_world *w;
    wood_model m;
    wood_model saved;
    void *save;
    size_t save_bytes;
    size_t left; // allocations until they fail
    dice dice;
    wood_event told[EVENTS];
    wood_event wanted[EVENTS];
    uint32_t told_count;
    uint32_t wanted_count;
    bool given[INDICES]; // to the system in this turn
} forest;

static forest wood;

static uint32_t index_of(uint64_t handle)
{
    return (uint32_t)handle;
}

// ------------------------------------------------------------------------------------------------
// Hooks

// While an entity ends with those below it, hooks find the links of all others whole.
static void check_siblings(wood_entity child, wood_entity parent)
{
    bool met = false;
    wood_entity e = wood_tree_first_child(wood.w, parent);
    for (; !wood_is_none(e); e = wood_tree_next_sibling(wood.w, e)) {
        assert_true(wood_same(wood_tree_parent(wood.w, e), parent));
        met |= wood_same(e, child);
    }
    assert_true(met);
    e = parent;
    while (!wood_is_none(wood_tree_parent(wood.w, e))) e = wood_tree_parent(wood.w, e);
    assert_true(wood_is_none(wood_tree_next_sibling(wood.w, e)));
}

static void tell(int kind, wood_entity child, wood_entity parent)
{
    if (kind / 2 == TREE) check_siblings(child, parent);
    assert_true(wood_alive(wood.w, child) && wood_alive(wood.w, parent));
    assert_true(wood.told_count < EVENTS);
    wood.told[wood.told_count++] = (wood_event){child.bits, parent.bits, (uint64_t)kind};
}

void wood_tree_on_attach(const wood_hook_ctx *ctx, wood_entity child, wood_entity parent)
{
    (void)ctx;
    assert_true(wood_same(wood_tree_parent(wood.w, child), parent));
    tell(TREE * 2, child, parent);
}

void wood_tree_on_detach(const wood_hook_ctx *ctx, wood_entity child, wood_entity parent)
{
    (void)ctx;
    assert_true(wood_same(wood_tree_parent(wood.w, child), parent));
    tell(TREE * 2 + 1, child, parent);
}

void wood_path_on_attach(const wood_hook_ctx *ctx, wood_entity child, wood_entity parent)
{
    (void)ctx;
    assert_true(wood_same(wood_path_parent(wood.w, child), parent));
    tell(PATH * 2, child, parent);
}

void wood_path_left(const wood_hook_ctx *ctx, wood_entity child, wood_entity parent)
{
    (void)ctx;
    tell(PATH * 2 + 1, child, parent);
}

// The second of two functions is told of what the first was.
void wood_path_parted(const wood_hook_ctx *ctx, wood_entity child, wood_entity parent)
{
    (void)ctx;
    const wood_event *last = &wood.told[wood.told_count - 1];
    assert_true(last->child == child.bits && last->parent == parent.bits);
    assert_int_equal(last->kind, PATH * 2 + 1);
}

// ------------------------------------------------------------------------------------------------
// The model

static void want(int kind, uint64_t child, uint64_t parent)
{
    assert_true(wood.wanted_count < EVENTS);
    wood.wanted[wood.wanted_count++] = (wood_event){child, parent, (uint64_t)kind};
}

static void model_lose(wood_model *m, int relation, uint64_t child)
{
    uint32_t i = index_of(child);
    uint64_t parent = m->parent[relation][i];
    if (parent == 0) return;
    want(relation * 2 + 1, child, parent);
    m->parent[relation][i] = 0;
    for (int k = 0; k < READERS; k++) {
        sight *s = &m->seen[k][i];
        if (relation_of[k] != relation || !m->listens[k]) continue;
        s->removed |= s->had;
        if (s->had && k >= WATCH_TREE) m->lost[relation][m->lost_count[relation]++] = child;
        s->had = s->added = s->changed = false;
    }
}

static bool model_is_below(const wood_model *m, int relation, uint64_t below, uint64_t above)
{
    while (below != 0 && below != above) below = m->parent[relation][index_of(below)];
    return below != 0;
}

static bool model_alive(const wood_model *m, uint64_t handle)
{
    return handle != 0 && m->alive[index_of(handle)] == handle;
}

static bool model_attach(wood_model *m, int relation, uint64_t child, uint64_t parent)
{
    if (!model_alive(m, child) || !model_alive(m, parent)) return false;
    if (model_is_below(m, relation, parent, child)) return false;
    uint32_t i = index_of(child);
    uint64_t before = m->parent[relation][i];
    if (before == parent) return true;
    if (before != 0) want(relation * 2 + 1, child, before);
    m->parent[relation][i] = parent;
    want(relation * 2, child, parent);
    for (int k = 0; k < READERS; k++) {
        if (relation_of[k] != relation || !m->listens[k]) continue;
        m->seen[k][i].changed = true;
        m->seen[k][i].added |= before == 0;
    }
    return true;
}

static bool model_insert_before(wood_model *m, int relation, uint64_t child, uint64_t sibling)
{
    if (!model_alive(m, child) || !model_alive(m, sibling) || child == sibling) return false;
    uint64_t parent = m->parent[relation][index_of(sibling)];
    return parent != 0 && model_attach(m, relation, child, parent);
}

static bool model_detach(wood_model *m, int relation, uint64_t child)
{
    if (!model_alive(m, child) || m->parent[relation][index_of(child)] == 0) return false;
    model_lose(m, relation, child);
    return true;
}

static void model_despawn(wood_model *m, uint64_t e)
{
    for (uint32_t i = 0; i < INDICES; i++) {
        if (m->parent[TREE][i] == e) model_despawn(m, m->alive[i]);
        if (m->parent[PATH][i] == e) model_lose(m, PATH, m->alive[i]);
    }
    model_lose(m, TREE, e);
    model_lose(m, PATH, e);
    m->alive[index_of(e)] = 0;
    for (int k = 0; k < READERS; k++) m->seen[k][index_of(e)] = (sight){false, false, false, false};
}

static void model_turn(wood_model *m, int reader)
{
    for (uint32_t i = 0; i < INDICES; i++) {
        bool has = m->parent[relation_of[reader]][i] != 0;
        m->seen[reader][i] = (sight){has, false, false, false};
    }
    m->listens[reader] = true;
}

// Before its first turn a query is shown everything as added.
static void model_listen(wood_model *m, int reader)
{
    for (uint32_t i = 0; i < INDICES && !m->listens[reader]; i++) {
        bool has = m->parent[relation_of[reader]][i] != 0;
        m->seen[reader][i] = (sight){false, has, has, false};
    }
}

// ------------------------------------------------------------------------------------------------
// Comparing

static int compare_events(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(wood_event));
}

static int compare_handles(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(uint64_t));
}

static void check_told(void)
{
    assert_int_equal(wood.told_count, wood.wanted_count);
    qsort(wood.told, wood.told_count, sizeof *wood.told, compare_events);
    qsort(wood.wanted, wood.wanted_count, sizeof *wood.wanted, compare_events);
    for (uint32_t i = 0; i < wood.told_count; i++) {
        assert_int_equal(compare_events(&wood.told[i], &wood.wanted[i]), 0);
    }
    wood.told_count = wood.wanted_count = 0;
}

// These hold for an entity, by its links.
typedef struct facts {
    wood_entity e;
    bool tree, path;   // it has a parent
    bool trunk, start; // it has children
    bool hot, place;
} facts;

static facts facts_of(uint32_t i)
{
    facts f = {.e = wood_entity_of(wood.m.alive[i])};
    f.tree = !wood_is_none(wood_tree_parent(wood.w, f.e));
    f.path = !wood_is_none(wood_path_parent(wood.w, f.e));
    f.trunk = !wood_is_none(wood_tree_first_child(wood.w, f.e));
    f.start = !wood_is_none(wood_path_first_child(wood.w, f.e));
    f.hot = wood_hot_has(wood.w, f.e);
    f.place = wood_place_has(wood.w, f.e);
    assert_true(wood_alive(wood.w, f.e));
    assert_true(wood_tree_parent(wood.w, f.e).bits == wood.m.parent[TREE][i]);
    assert_true(wood_path_parent(wood.w, f.e).bits == wood.m.parent[PATH][i]);
    return f;
}

static bool given[INDICES];

// Compares what was given with what passes, and forgets it.
#define CHECK_GIVEN(query, condition)                                                              \
    do {                                                                                           \
        uint32_t passing = 0;                                                                      \
        for (uint32_t i = 0; i < INDICES; i++) {                                                   \
            if (wood.m.alive[i] == 0) continue;                                                    \
            const facts f = facts_of(i);                                                           \
            (void)f;                                                                               \
            const bool passes = condition;                                                         \
            passing += passes;                                                                     \
            assert_int_equal(given[i], passes);                                                    \
            assert_int_equal(wood_##query##_passes(wood.w, f.e), passes);                          \
        }                                                                                          \
        assert_int_equal(wood_##query##_count(wood.w), passing);                                   \
        memset(given, 0, sizeof given);                                                            \
    } while (0)

#define CHECK(query, condition)                                                                    \
    do {                                                                                           \
        wood_##query##_iter it = wood_##query##_begin(wood.w);                                     \
        while (wood_##query##_next(&it)) {                                                         \
            for (uint32_t k = 0; k < it.count; k++) given[index_of(it.entities[k].bits)] = true;   \
        }                                                                                          \
        CHECK_GIVEN(query, condition);                                                             \
    } while (0)

static void check_now(void)
{
    CHECK(has_tree, f.tree);
    CHECK(no_tree, !f.tree);
    CHECK(tree_roots, f.trunk && !f.tree);
    CHECK(tree_leaves, f.tree && !f.trunk);
    CHECK(path_roots, f.place && f.start && !f.path);
    CHECK(mixed, (f.tree != f.hot) || (f.path && !f.start && !(f.trunk && !f.tree)));
}

#define CHECK_READER(query, reader, condition)                                                     \
    do {                                                                                           \
        model_listen(&wood.m, reader);                                                             \
        CHECK(query, condition);                                                                   \
        model_turn(&wood.m, reader);                                                               \
    } while (0)

static void check_reader(int reader)
{
    const sight *seen = wood.m.seen[reader];
    if (reader == ADDED) CHECK_READER(tree_added, ADDED, seen[i].added);
    if (reader == CHANGED) CHECK_READER(tree_changed, CHANGED, seen[i].changed);
    if (reader == REMOVED) CHECK_READER(tree_removed, REMOVED, seen[i].removed);
    if (reader == PATH_MOVED) {
        model_listen(&wood.m, reader);
        wood_path_moved_iter it = wood_path_moved_begin(wood.w);
        while (wood_path_moved_next(&it)) {
            for (uint32_t k = 0; k < it.count; k++) {
                given[index_of(it.entities[it.rows[k]].bits)] = true;
            }
        }
        CHECK_GIVEN(path_moved, seen[i].changed && !seen[i].added);
        model_turn(&wood.m, reader);
    }
    if (reader == PATH_REMOVED) {
        model_listen(&wood.m, reader);
        wood_path_removed_iter it = wood_path_removed_begin(wood.w);
        while (wood_path_removed_next(&it)) {
            uint32_t row;
            for (weft_rows rows = it.rows; weft_next(&rows, &row);) {
                given[index_of(it.entities[row].bits)] = true;
            }
        }
        CHECK_GIVEN(path_removed, seen[i].removed && !f.path);
        model_turn(&wood.m, reader);
    }
}

// ------------------------------------------------------------------------------------------------
// Systems

static void check_lost(int relation, const wood_entity *told, uint32_t count)
{
    static uint64_t sorted[INDICES];
    assert_int_equal(count, wood.m.lost_count[relation]);
    for (uint32_t i = 0; i < count; i++) sorted[i] = told[i].bits;
    qsort(sorted, count, sizeof *sorted, compare_handles);
    qsort(wood.m.lost[relation], count, sizeof *sorted, compare_handles);
    if (count != 0) assert_memory_equal(sorted, wood.m.lost[relation], count * sizeof *sorted);
}

void wood_watch(const wood_watch_ctx *ctx, uint32_t count)
{
    check_lost(TREE, ctx->removed_tree, ctx->removed_tree_count);
    check_lost(PATH, ctx->removed_path, ctx->removed_path_count);
    for (uint32_t i = 0; i < count; i++) wood.given[index_of(ctx->entities[i].bits)] = true;
}

void wood_grow(const wood_grow_ctx *ctx, uint32_t count, const wood_place *place)
{
    for (uint32_t i = 0; i < count; i++) {
        if (place[i].x % 8 != 1) continue;
        wood_cmd_tree_detach(ctx->cmd, ctx->entities[i]);
        wood_cmd_path_detach(ctx->cmd, ctx->entities[i]);
    }
}

void wood_look(const wood_look_ctx *ctx, uint32_t count, const wood_place *place,
               const wood_place *const *place_parent, const wood_heat *const *heat_parent,
               const bool *hot_parent)
{
    (void)place;
    for (uint32_t i = 0; i < count; i++) {
        wood_entity above = wood_tree_parent(wood.w, ctx->entities[i]);
        assert_ptr_equal(place_parent[i], wood_place_get(wood.w, above));
        assert_ptr_equal(heat_parent[i], wood_heat_get(wood.w, above));
        assert_true(hot_parent[i] == wood_hot_has(wood.w, above));
    }
}

void wood_look_list(const wood_look_list_ctx *ctx, uint32_t count,
                    const uint32_t *WEFT_RESTRICT rows, const wood_place *place,
                    const wood_heat *const *heat, const wood_place *const *place_parent,
                    const bool *hot_parent)
{
    for (uint32_t k = 0; k < count; k++) {
        wood_entity e = ctx->entities[rows[k]];
        wood_entity above = wood_path_parent(wood.w, e);
        assert_ptr_equal(&place[rows[k]], wood_place_get(wood.w, e));
        assert_ptr_equal(heat[k], wood_heat_get(wood.w, e));
        assert_ptr_equal(place_parent[k], wood_place_get(wood.w, above));
        assert_true(hot_parent[k] == wood_hot_has(wood.w, above));
    }
}

void wood_look_mask(const wood_look_mask_ctx *ctx, uint32_t count, weft_rows rows,
                    const wood_place *place, const wood_heat *const *heat_parent,
                    const wood_place *const *place_parent)
{
    (void)count;
    for (uint32_t i; weft_next(&rows, &i);) {
        wood_entity above = wood_path_parent(wood.w, ctx->entities[i]);
        assert_ptr_equal(&place[i], wood_place_get(wood.w, ctx->entities[i]));
        assert_ptr_equal(heat_parent[i], wood_heat_get(wood.w, above));
        assert_ptr_equal(place_parent[i], wood_place_get(wood.w, above));
        assert_false(wood_is_none(above));
    }
}

void wood_down(const wood_down_ctx *ctx, uint32_t count, wood_place *place)
{
    for (uint32_t i = 0; i < count; i++) {
        wood_entity above = wood_tree_parent(wood.w, ctx->entities[i]);
        bool root = !wood_is_none(wood_tree_first_child(wood.w, ctx->entities[i]));
        assert_true(!wood_is_none(above) || root);
        place[i].near = above;
    }
}

static void tick(void)
{
    static bool cut[INDICES];
    memset(wood.given, 0, sizeof wood.given);
    for (uint32_t i = 0; i < INDICES; i++) {
        cut[i] = false;
        if (wood.m.alive[i] == 0) continue;
        facts f = facts_of(i);
        const wood_place *place = wood_place_get(wood.w, f.e);
        cut[i] = place && place->x % 8 == 1 && !(f.tree && !f.trunk);
    }
    assert_int_equal(wood_run_tick(wood.w, 1), WEFT_OK);
    for (uint32_t i = 0; i < INDICES; i++) {
        bool passes = wood.m.seen[WATCH_TREE][i].changed || wood.m.seen[WATCH_PATH][i].removed;
        if (wood.m.alive[i] != 0) assert_int_equal(wood.given[i], passes);
    }
    model_turn(&wood.m, WATCH_TREE);
    model_turn(&wood.m, WATCH_PATH);
    wood.m.lost_count[TREE] = wood.m.lost_count[PATH] = 0;
    for (uint32_t i = 0; i < INDICES; i++) {
        if (!cut[i]) continue;
        model_detach(&wood.m, TREE, wood.m.alive[i]);
        model_detach(&wood.m, PATH, wood.m.alive[i]);
    }
}

// ------------------------------------------------------------------------------------------------
// Operations

typedef bool (*linking)(wood_world *w, wood_entity child, wood_entity other);
typedef bool (*linking_later)(wood_cmd *cmd, wood_entity child, wood_entity other);

static const linking calls[RELATIONS][3] = {
    {wood_tree_attach, wood_tree_append, wood_tree_insert_before},
    {wood_path_attach, wood_path_append, wood_path_insert_before},
};
static const linking_later later[RELATIONS][3] = {
    {wood_cmd_tree_attach, wood_cmd_tree_append, wood_cmd_tree_insert_before},
    {wood_cmd_path_attach, wood_cmd_path_append, wood_cmd_path_insert_before},
};

static bool model_link(wood_model *m, int relation, int how, uint64_t child, uint64_t other)
{
    return (how == 2 ? model_insert_before : model_attach)(m, relation, child, other);
}

static wood_entity any(void)
{
    for (int tries = 0; tries < 200; tries++) {
        uint64_t e = wood.m.alive[dice_below(&wood.dice, 2 * CROWD)];
        if (e != 0) return wood_entity_of(e);
    }
    return wood_entity_of(0);
}

static uint32_t count_alive(const wood_model *m)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < INDICES; i++) count += m->alive[i] != 0;
    return count;
}

static void spawn(void)
{
    wood_entity e;
    if (count_alive(&wood.m) >= CROWD) return;
    uint32_t kind = dice_below(&wood.dice, 3);
    e = kind == 0   ? wood_spawn(wood.w)
        : kind == 1 ? wood_node_spawn(wood.w, NULL)
                    : wood_ember_spawn(wood.w, NULL);
    if (wood_is_none(e)) return; // there was no memory
    wood.m.alive[index_of(e.bits)] = e.bits;
    if (kind != 0) wood_place_edit(wood.w, e)->x = dice_below(&wood.dice, 64);
}

// Moves a row to another table, or changes its bits. An entity without components keeps its links.
static void change(wood_entity e)
{
    uint32_t kind = dice_below(&wood.dice, 7);
    if (kind == 0) wood_place_remove(wood.w, e);
    if (kind == 1) wood_place_set(wood.w, e, (wood_place){dice_below(&wood.dice, 64), e});
    if (kind == 2) wood_heat_remove(wood.w, e);
    if (kind == 3) wood_heat_set(wood.w, e, (wood_heat){1});
    if (kind == 4) wood_hot_remove(wood.w, e);
    if (kind == 5) wood_hot_set(wood.w, e);
    if (kind == 6) wood_strip(wood.w, e);
}

static void link_two(int relation)
{
    wood_entity e = any();
    wood_entity other = any();
    int how = (int)dice_below(&wood.dice, 4);
    bool fails = wood.left == 0;
    if (how == 3) {
        assert_int_equal(wood_is_none(e)    ? false
                         : relation == TREE ? wood_tree_detach(wood.w, e)
                                            : wood_path_detach(wood.w, e),
                         model_detach(&wood.m, relation, e.bits));
        return;
    }
    bool done = calls[relation][how](wood.w, e, other);
    if (done || !fails) {
        assert_int_equal(model_link(&wood.m, relation, how, e.bits, other.bits), done);
    }
}

static void record(void)
{
    wood_cmd *cmd = wood_commands(wood.w);
    for (uint32_t n = dice_below(&wood.dice, 8); n > 0; n--) {
        int relation = (int)dice_below(&wood.dice, RELATIONS);
        wood_entity e = any();
        wood_entity other = any();
        uint32_t how = dice_below(&wood.dice, 6);
        if (how < 3) {
            later[relation][how](cmd, e, other);
            model_link(&wood.m, relation, (int)how, e.bits, other.bits);
        } else if (how == 3) {
            (relation == TREE ? wood_cmd_tree_detach : wood_cmd_path_detach)(cmd, e);
            model_detach(&wood.m, relation, e.bits);
        } else if (how == 4) {
            wood_cmd_place_set(cmd, e, (wood_place){dice_below(&wood.dice, 64), other});
        } else if (n == 1 && model_alive(&wood.m, e.bits)) {
            wood_cmd_despawn(cmd, e);
            model_despawn(&wood.m, e.bits);
        }
    }
    assert_int_equal(wood_flush(wood.w), WEFT_OK);
}

static void merge(void)
{
    if (count_alive(&wood.m) + 6 > CROWD) return;
    wood_world *part = wood_fragment_open(NULL);
    wood_entity e[6];
    uint64_t parents[2][6] = {{0}};
    for (uint32_t i = 0; i < 6; i++) {
        e[i] = i % 3 == 0 ? wood_spawn(part) : wood_ember_spawn(part, NULL);
    }
    for (uint32_t i = 1; i < 6; i++) {
        uint32_t above = dice_below(&wood.dice, i);
        if (i != 2) wood_tree_attach(part, e[i], e[above]);
        if (i > 2) wood_path_attach(part, e[i], e[above]);
        parents[TREE][i] = i != 2 ? above + 1 : 0;
        parents[PATH][i] = i > 2 ? above + 1 : 0;
    }
    assert_int_equal(wood.told_count, 0);
    assert_int_equal(wood_fragment_merge(wood.w, part, e, 6), WEFT_OK);
    for (uint32_t i = 0; i < 6; i++) wood.m.alive[index_of(e[i].bits)] = e[i].bits;
    for (int r = 0; r < RELATIONS; r++) {
        for (uint32_t i = 0; i < 6; i++) {
            uint64_t above = parents[r][i];
            if (above != 0) assert_true(model_attach(&wood.m, r, e[i].bits, e[above - 1].bits));
        }
    }
    wood_close(part);
}

// Tells of all links that there are.
static void want_all(const wood_model *m, bool detached)
{
    for (int r = 0; r < RELATIONS; r++) {
        for (uint32_t i = 0; i < INDICES; i++) {
            if (m->parent[r][i] != 0) want(r * 2 + detached, m->alive[i], m->parent[r][i]);
        }
    }
}

static void save(void)
{
    free(wood.save);
    wood.saved = wood.m;
    assert_int_equal(wood_save_memory(wood.w, &wood.save, &wood.save_bytes), WEFT_OK);
}

// A world that was loaded shows each reader what the saved one would have.
static void load(void)
{
    if (!wood.save) return;
    uint64_t exact = 0;
    void *again;
    size_t bytes;
    want_all(&wood.m, true);
    wood.m = wood.saved;
    want_all(&wood.m, false);
    assert_int_equal(wood_load_memory(wood.w, wood.save, wood.save_bytes), WEFT_OK);
    exact = wood_hash_exact(wood.w);
    assert_int_equal(wood_save_memory(wood.w, &again, &bytes), WEFT_OK);
    assert_int_equal(bytes, wood.save_bytes);
    assert_memory_equal(again, wood.save, bytes);
    assert_true(exact == wood_hash_exact(wood.w));
    free(again);
}

static void operate(void)
{
    bool scarce = dice_once_in(&wood.dice, 6);
    uint32_t kind = dice_below(&wood.dice, 100);
    if (scarce && kind < 60) wood.left = dice_below(&wood.dice, 3) == 0;
    if (kind < 12)
        spawn();
    else if (kind < 45)
        link_two(TREE);
    else if (kind < 60)
        link_two(PATH);
    else if (kind < 75)
        change(any());
    else if (kind < 82) {
        wood_entity e = any();
        if (model_alive(&wood.m, e.bits)) {
            wood_despawn(wood.w, e);
            model_despawn(&wood.m, e.bits);
        }
    } else if (kind < 88)
        record();
    else if (kind < 92)
        tick();
    else if (kind < 93)
        assert_int_equal(wood_trim(wood.w), WEFT_OK);
    else if (kind < 95)
        assert_int_equal(wood_tree_sort(wood.w), WEFT_OK);
    else if (kind < 97)
        merge();
    else if (kind < 98)
        save();
    else if (kind < 99)
        load();
    wood.left = SIZE_MAX;
}

static void *take(void *user, size_t bytes)
{
    (void)user;
    if (wood.left == 0) return NULL;
    if (wood.left != SIZE_MAX) wood.left--;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void give(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

static void run(uint64_t seed, uint32_t workers)
{
    memset(&wood, 0, sizeof wood);
    wood.left = SIZE_MAX;
    wood.dice.state = seed;
    weft_memory hooks = {take, give, no_reserve, no_commit, no_release, NULL};
    wood.w = wood_open(&(weft_options){.memory = hooks, .workers = workers});
    wood.m.listens[WATCH_TREE] = wood.m.listens[WATCH_PATH] = true;
    for (int n = 0; n < OPERATIONS; n++) {
        operate();
        check_told();
        check_now();
        uint32_t reader = dice_below(&wood.dice, 3 * READERS);
        if (reader < WATCH_TREE) check_reader((int)reader);
    }
    want_all(&wood.m, true);
    wood_close(wood.w);
    // The world that hooks look at is gone, so these only count.
    check_told();
    free(wood.save);
}

static void seed_U1_rows_and_hooks_know_links(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) run(seed, (uint32_t)(seed % 3) * 2);
}

// ------------------------------------------------------------------------------------------------
// Single promises

static void open_alone(void)
{
    memset(&wood, 0, sizeof wood);
    wood.left = SIZE_MAX;
    weft_memory hooks = {take, give, no_reserve, no_commit, no_release, NULL};
    wood.w = wood_open(&(weft_options){.memory = hooks});
}

static void assert_told(uint32_t at, int kind, wood_entity child, wood_entity parent)
{
    assert_true(at < wood.told_count);
    assert_int_equal(wood.told[at].kind, kind);
    assert_true(wood.told[at].child == child.bits && wood.told[at].parent == parent.bits);
}

static void the_last_child_is_attached_last(void **state)
{
    char text[128];
    (void)state;
    open_alone();
    wood_entity trunk = wood_spawn(wood.w);
    wood_entity e[4];
    for (int i = 0; i < 4; i++) e[i] = wood_spawn(wood.w);
    assert_true(wood_path_attach(wood.w, e[0], trunk));
    assert_true(wood_cmd_path_attach(wood_commands(wood.w), e[1], trunk));
    assert_int_equal(wood_flush(wood.w), WEFT_OK);
    assert_true(wood_path_append(wood.w, e[2], trunk));
    int length = snprintf(text, sizeof text,
                          "{\"components\": {\"hot\": true}, \"parents\": {\"path\": \"%" PRIu32
                          ":%" PRIu32 "\"}}",
                          index_of(trunk.bits), (uint32_t)(trunk.bits >> 32));
    weft_world *base = wood_world_base(wood.w);
    assert_int_equal(weft_json_entity_read(base, e[3].bits, text, (size_t)length), WEFT_OK);
    wood_entity child = wood_path_first_child(wood.w, trunk);
    for (int i = 0; i < 4; i++, child = wood_path_next_sibling(wood.w, child)) {
        assert_true(wood_same(child, e[i]));
    }
    // A relation that says nothing has them the other way round.
    for (int i = 0; i < 4; i++) assert_true(wood_tree_attach(wood.w, e[i], trunk));
    assert_true(wood_same(wood_tree_first_child(wood.w, trunk), e[3]));
    wood_close(wood.w);
}

// Where JSON makes a row move and links it, memory for both is there, or nothing happens.
static void json_links_with_memory_or_not_at_all(void **state)
{
    char text[128];
    (void)state;
    for (size_t left = 0;; left++) {
        open_alone();
        wood_entity trunk = wood_ember_spawn(wood.w, NULL);
        wood_entity e = wood_spawn(wood.w);
        weft_world *base = wood_world_base(wood.w);
        int length = snprintf(text, sizeof text,
                              "{\"components\": {\"place\": {}}, \"parents\": {\"tree\": \"%" PRIu32
                              ":%" PRIu32 "\"}}",
                              index_of(trunk.bits), (uint32_t)(trunk.bits >> 32));
        uint64_t before = wood_hash(wood.w);
        wood.left = left;
        weft_status status = weft_json_entity_read(base, e.bits, text, (size_t)length);
        wood.left = SIZE_MAX;
        wood_has_tree_iter it = wood_has_tree_begin(wood.w);
        if (status == WEFT_OK) {
            assert_true(wood_has_tree_next(&it) && wood_same(it.entities[0], e));
            assert_true(wood_place_has(wood.w, e));
        } else {
            assert_int_equal(status, WEFT_NO_MEMORY);
            assert_true(wood_hash(wood.w) == before);
            assert_false(wood_has_tree_next(&it));
            assert_int_equal(wood.told_count, 0);
        }
        wood_close(wood.w);
        if (status == WEFT_OK) break;
    }
}

static void hooks_are_told_in_order(void **state)
{
    (void)state;
    open_alone();
    wood_entity e[5];
    for (int i = 0; i < 5; i++) e[i] = wood_spawn(wood.w);
    wood_tree_attach(wood.w, e[1], e[0]);
    wood_tree_attach(wood.w, e[2], e[1]);
    wood_path_attach(wood.w, e[3], e[2]);
    wood.told_count = 0;
    wood_tree_attach(wood.w, e[1], e[4]); // away from the one, then to the other
    assert_told(0, TREE * 2 + 1, e[1], e[0]);
    assert_told(1, TREE * 2, e[1], e[4]);
    wood_tree_attach(wood.w, e[1], e[4]); // it only becomes the first child, which it is
    wood_tree_append(wood.w, e[1], e[4]);
    assert_false(wood_tree_attach(wood.w, e[4], e[2]));
    assert_int_equal(wood.told_count, 2);
    wood.told_count = 0;
    wood_despawn(wood.w, e[4]); // with e[1] and e[2]; e[3] stays without a parent
    assert_int_equal(wood.told_count, 3);
    wood_close(wood.w);
    assert_int_equal(wood.told_count, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_child_is_attached_last),
        cmocka_unit_test(json_links_with_memory_or_not_at_all),
        cmocka_unit_test(hooks_are_told_in_order),
        cmocka_unit_test(seed_U1_rows_and_hooks_know_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
