// Systems that read changed_parent, compared with a naive model: a scan of all rows in their order,
// with a note for each reader, component and entity. The rows and their order are compared.
//
// program: worlds threads
// flags: played
#define _ISOC11_SOURCE // aligned_alloc

#include "../../fuzz/dice.h"
#include "../../support/no_space.h"
#include "../../support/sanitizers.h"
#include "moved.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(WEFT_HARD)
enum { NODES = 150, TURNS = 60, MANY = 500 };
#elif WITH_THREAD_SANITIZER || WITH_ADDRESS_SANITIZER
enum { NODES = 1500, TURNS = 100, MANY = 100000 };
#else
enum { NODES = 1500, TURNS = 250, MANY = 300000 };
#endif

enum { NOBODY = -1, INDICES = 1 << 16 };
typedef enum part { OFFSET, PLACED, LEVEL, GLOW, HEAVY, PARTS } part;
typedef enum reader { PLACE, SIFT, SHINE, FRESH, BOTH, SELDOM, READERS } reader;

// The rows that a system got, in their order.
typedef struct rows {
    moved_entity *entities;
    uint32_t count;
} rows;

typedef struct seen {
    rows of[READERS];
    rows everybody;
    rows followers;
    size_t calls;       // of place
    bool *parents_seen; // by the rows of fresh; NULL: not wanted
} seen;

static void note_rows(rows *r, const moved_entity *entities, uint32_t count)
{
    if (count != 0) memcpy(r->entities + r->count, entities, count * sizeof *entities);
    r->count += count;
}

// ------------------------------------------------------------------------------------------------
// The systems

void moved_everybody(const moved_everybody_ctx *ctx, uint32_t count)
{
    note_rows(&((seen *)ctx->user)->everybody, ctx->entities, count);
}

void moved_followers(const moved_followers_ctx *ctx, uint32_t count)
{
    note_rows(&((seen *)ctx->user)->followers, ctx->entities, count);
}

void moved_place(const moved_place_ctx *ctx, uint32_t count, const moved_offset *offset,
                 moved_placed *placed, const moved_placed *const *placed_parent)
{
    seen *s = (seen *)ctx->user;
    for (uint32_t i = 0; i < count; i++) {
        placed[i].x = offset[i].x + (placed_parent[i] ? placed_parent[i]->x : 0);
    }
    s->calls++;
    note_rows(&s->of[PLACE], ctx->entities, count);
}

// Tells whether sift says of a row that it has changed.
static bool sifted(moved_entity e)
{
    return (e.bits & 0xFFFFFFu) % 3 != 0;
}

void moved_sift(const moved_sift_ctx *ctx, uint32_t count, moved_level_columns level)
{
    for (uint32_t i = 0; i < count; i++) {
        level.height[i]++;
        if (sifted(ctx->entities[i])) moved_sift_level_touch(ctx, i);
    }
    note_rows(&((seen *)ctx->user)->of[SIFT], ctx->entities, count);
}

void moved_shine(const moved_shine_ctx *ctx, uint32_t count)
{
    note_rows(&((seen *)ctx->user)->of[SHINE], ctx->entities, count);
}

void moved_fresh(const moved_fresh_ctx *ctx, uint32_t count, const moved_offset *offset,
                 const bool *seen_parent)
{
    seen *s = (seen *)ctx->user;
    (void)offset;
    if (s->parents_seen) {
        memcpy(s->parents_seen + s->of[FRESH].count, seen_parent, count * sizeof *seen_parent);
    }
    for (uint32_t i = 0; i < count; i++) moved_fresh_seen_put(ctx, i, true);
    note_rows(&((seen *)ctx->user)->of[FRESH], ctx->entities, count);
}

void moved_both(const moved_both_ctx *ctx, uint32_t count, moved_heavy *heavy)
{
    for (uint32_t i = 0; i < count; i++) heavy[i].mass++;
    note_rows(&((seen *)ctx->user)->of[BOTH], ctx->entities, count);
}

void moved_seldom(const moved_seldom_ctx *ctx, uint32_t count, moved_level_const_columns level)
{
    (void)level;
    note_rows(&((seen *)ctx->user)->of[SELDOM], ctx->entities, count);
}

// ------------------------------------------------------------------------------------------------
// The model

typedef struct model {
    moved_world *w;
    moved_entity e[NODES];
    int number[INDICES]; // of an entity, by its index
    bool changed[READERS][PARTS][NODES];
    bool added_level[NODES]; // for sift
    bool seen_tag[NODES];
    seen now;
} model;

static int number_of(const model *m, moved_entity e)
{
    return moved_is_none(e) ? NOBODY : m->number[e.bits & 0xFFFFFFu];
}

static bool has(const model *m, part p, int n)
{
    switch (p) {
    case OFFSET:
        return moved_offset_has(m->w, m->e[n]);
    case PLACED:
        return moved_placed_has(m->w, m->e[n]);
    case LEVEL:
        return moved_level_has(m->w, m->e[n]);
    case GLOW:
        return moved_glow_has(m->w, m->e[n]);
    default:
        return moved_heavy_has(m->w, m->e[n]);
    }
}

static void change(model *m, part p, int n, int writer)
{
    for (int r = 0; r < READERS; r++) m->changed[r][p][n] |= r != writer;
}

static void forget(model *m, part p, int n)
{
    for (int r = 0; r < READERS; r++) m->changed[r][p][n] = false;
    if (p == LEVEL) m->added_level[n] = false;
}

static bool parent_changed(const model *m, reader r, part p, int parent, bool (*written)[NODES])
{
    if (parent == NOBODY || !has(m, p, parent)) return false;
    return m->changed[r][p][parent] || written[p][parent];
}

static bool passes(const model *m, reader r, int n, bool (*written)[NODES])
{
    int parent = number_of(m, moved_part_of_parent(m->w, m->e[n]));
    int leader = number_of(m, moved_follows_parent(m->w, m->e[n]));
    bool frozen = moved_frozen_has(m->w, m->e[n]);
    switch (r) {
    case PLACE:
        return has(m, OFFSET, n) && has(m, PLACED, n) &&
               (parent_changed(m, r, PLACED, parent, written) || m->changed[r][OFFSET][n]);
    case SIFT:
        return has(m, LEVEL, n) && !frozen &&
               (parent_changed(m, r, LEVEL, parent, written) || m->added_level[n]);
    case SHINE:
        return parent_changed(m, r, GLOW, leader, written);
    case FRESH:
        return has(m, OFFSET, n) &&
               ((!parent_changed(m, r, PLACED, parent, written) && frozen) || !m->seen_tag[n]);
    case BOTH:
        return has(m, HEAVY, n) && (parent_changed(m, r, HEAVY, leader, written) !=
                                        parent_changed(m, r, PLACED, leader, written) ||
                                    m->changed[r][GLOW][n]);
    default:
        return has(m, LEVEL, n) && parent_changed(m, r, PLACED, parent, written) && !frozen;
    }
}

static void write_row(model *m, reader r, int n, bool (*written)[NODES])
{
    part p = r == PLACE ? PLACED : r == SIFT ? LEVEL : HEAVY;
    if (r == FRESH) m->seen_tag[n] = true;
    if (r != PLACE && r != BOTH && !(r == SIFT && sifted(m->e[n]))) return;
    written[p][n] = true;
    change(m, p, n, (int)r);
}

// Scans all rows in their order, and compares those that pass with those that the system got.
static void check_turn(model *m, reader r)
{
    static bool written[PARTS][NODES];
    const rows *all = r == SHINE || r == BOTH ? &m->now.followers : &m->now.everybody;
    const rows *got = &m->now.of[r];
    uint32_t count = 0;
    memset(written, 0, sizeof written);
    for (uint32_t i = 0; i < all->count; i++) {
        int n = number_of(m, all->entities[i]);
        if (!passes(m, r, n, written)) continue;
        if (r == FRESH) { // which has set the tag of parents in this turn
            int parent = number_of(m, moved_part_of_parent(m->w, m->e[n]));
            assert_true(m->now.parents_seen[count] == (parent != NOBODY && m->seen_tag[parent]));
        }
        write_row(m, r, n, written);
        assert_true(count < got->count);
        assert_int_equal(got->entities[count++].bits, all->entities[i].bits);
    }
    assert_int_equal(count, got->count);
    memset(m->changed[r], 0, sizeof m->changed[r]);
    if (r == SIFT) memset(m->added_level, 0, sizeof m->added_level);
}

static void run(model *m, double dt, bool seldom)
{
    seen *s = &m->now;
    for (int r = 0; r < READERS; r++) s->of[r].count = 0;
    s->everybody.count = s->followers.count = 0;
    s->calls = 0;
    assert_int_equal(moved_run_look(m->w, dt), WEFT_OK);
    assert_int_equal(moved_run_place(m->w, dt), WEFT_OK);
    for (int r = 0; r < READERS; r++) {
        if (r != SELDOM || seldom) check_turn(m, (reader)r);
    }
    if (!seldom) assert_int_equal(s->of[SELDOM].count, 0);
}

// ------------------------------------------------------------------------------------------------
// Disturbances

static void revive(model *m, int n)
{
    m->e[n] = n % 5 == 0 ? moved_leaf_spawn(m->w, NULL) : moved_node_spawn(m->w, NULL);
    assert_true(moved_alive(m->w, m->e[n]));
    m->number[m->e[n].bits & 0xFFFFFFu] = n;
    for (part p = OFFSET; p <= LEVEL; p++) {
        if (has(m, p, n)) change(m, p, n, NOBODY);
    }
    m->added_level[n] = true;
    m->seen_tag[n] = false;
}

static void end_node(model *m, int n)
{
    moved_despawn(m->w, m->e[n]);
    for (int i = 0; i < NODES; i++) {
        if (moved_alive(m->w, m->e[i])) continue;
        for (part p = OFFSET; p < PARTS; p++) forget(m, p, i);
        revive(m, i);
    }
}

static void toggle_heavy(model *m, int n)
{
    if (moved_heavy_remove(m->w, m->e[n])) {
        forget(m, HEAVY, n);
    } else {
        assert_true(moved_heavy_set(m->w, m->e[n], (moved_heavy){1}));
        change(m, HEAVY, n, NOBODY);
    }
}

static void toggle_glow(model *m, int n)
{
    if (moved_glow_remove(m->w, m->e[n])) {
        forget(m, GLOW, n);
    } else {
        assert_true(moved_glow_set(m->w, m->e[n], (moved_glow){1}));
        change(m, GLOW, n, NOBODY);
    }
}

static void disturb(model *m, dice *seed)
{
    int n = (int)dice_below(seed, NODES);
    int other = (int)dice_below(seed, NODES);
    switch (dice_below(seed, 12)) {
    case 0:
        moved_part_of_attach(m->w, m->e[n], m->e[other]);
        break;
    case 1:
        moved_follows_append(m->w, m->e[n], m->e[other]);
        break;
    case 2:
        moved_part_of_detach(m->w, m->e[n]);
        break;
    case 3:
        if (!moved_frozen_remove(m->w, m->e[n])) moved_frozen_set(m->w, m->e[n]);
        break;
    case 4:
        toggle_heavy(m, n);
        break;
    case 5:
        toggle_glow(m, n);
        break;
    case 6:
        if (moved_glow_edit(m->w, m->e[n])) change(m, GLOW, n, NOBODY);
        break;
    case 7:
        if (moved_placed_edit(m->w, m->e[n])) change(m, PLACED, n, NOBODY);
        break;
    case 8:
        assert_non_null(moved_level_edit(m->w, m->e[n]).height);
        change(m, LEVEL, n, NOBODY);
        break;
    case 9:
        if (dice_once_in(seed, 8)) end_node(m, n);
        if (dice_once_in(seed, 8)) assert_int_equal(moved_part_of_sort(m->w), WEFT_OK);
        if (dice_once_in(seed, 16)) assert_int_equal(moved_follows_sort(m->w), WEFT_OK);
        if (dice_once_in(seed, 16)) assert_int_equal(moved_trim(m->w), WEFT_OK);
        break;
    default:
        moved_offset_edit(m->w, m->e[n])->x = (float)other;
        change(m, OFFSET, n, NOBODY);
        break;
    }
}

static model *open_model(uint32_t workers)
{
    static model m;
    static moved_entity space[READERS + 2][NODES];
    static bool parents_seen[NODES];
    memset(&m, 0, sizeof m);
    for (int r = 0; r < READERS; r++) m.now.of[r].entities = space[r];
    m.now.parents_seen = parents_seen;
    m.now.everybody.entities = space[READERS];
    m.now.followers.entities = space[READERS + 1];
    m.w = moved_open(&(weft_options){.user = &m.now, .workers = workers});
    assert_non_null(m.w);
    for (int n = 0; n < NODES; n++) revive(&m, n);
    return &m;
}

static uint64_t live(uint32_t workers, uint64_t number)
{
    model *m = open_model(workers);
    dice seed = {number};
    for (int n = 1; n < NODES; n++) {
        moved_part_of_append(m->w, m->e[n], m->e[dice_below(&seed, (uint32_t)n)]);
        moved_follows_attach(m->w, m->e[n], m->e[dice_below(&seed, (uint32_t)n)]);
    }
    for (int turn = 1; turn <= TURNS; turn++) {
        for (uint32_t i = dice_below(&seed, 24); i > 0; i--) disturb(m, &seed);
        run(m, 0.5, turn % 2 == 0);
    }
    uint64_t hash = moved_hash_exact(m->w);
    moved_close(m->w);
    return hash;
}

static void seed_N5_dirty_rows_are_those_of_a_full_scan(void **state)
{
    (void)state;
    uint64_t alone = live(0, 1);
    assert_true(live(3, 1) == alone);
    live(0, 2);
}

// ------------------------------------------------------------------------------------------------
// The purpose of it all

static void seed_N5_only_what_hangs_below_a_moved_root_is_placed(void **state)
{
    enum { ROOTS = NODES / 10 };
    model *m = open_model(0);
    (void)state;
    for (int n = ROOTS; n < NODES; n++) moved_part_of_attach(m->w, m->e[n], m->e[n - ROOTS]);
    run(m, 0.5, false);
    run(m, 0.5, true);
    assert_int_equal(m->now.of[PLACE].count, 0);
    assert_int_equal(m->now.calls, 0);
    moved_offset_edit(m->w, m->e[1])->x = 7;
    change(m, OFFSET, 1, NOBODY);
    run(m, 0.5, false);
    assert_int_equal(m->now.of[PLACE].count, NODES / ROOTS);
    for (int n = 1; n < NODES; n += ROOTS) {
        assert_float_equal(moved_placed_get(m->w, m->e[n])->x, 7, 0);
    }
    moved_close(m->w);
}

// Many rows, in chains as well as in random trees: whatever the turn before has left, each is where
// its parent is, and as far from it as it says.
static void check_placed(const moved_world *w, const moved_entity *e, uint32_t count)
{
    uint32_t wrong = 0;
    for (uint32_t n = 0; n < count; n++) {
        const moved_placed *above = moved_placed_get(w, moved_part_of_parent(w, e[n]));
        float x = moved_offset_get(w, e[n])->x + (above ? above->x : 0);
        wrong += moved_placed_get(w, e[n])->x != x;
    }
    assert_int_equal(wrong, 0);
}

static void many_dirty_rows_in_deep_trees(void **state)
{
    static moved_entity e[MANY];
    static moved_entity space[READERS + 2][MANY];
    seen s = {0};
    dice seed = {5};
    for (int r = 0; r < READERS; r++) s.of[r].entities = space[r];
    moved_world *w = moved_open(&(weft_options){.user = &s});
    (void)state;
    assert_int_equal(moved_node_spawn_many(w, MANY, NULL, e), MANY);
    for (uint32_t n = 1; n < MANY; n++) {
        uint32_t near = n < 8 ? n : 8;
        uint32_t parent = n < MANY / 2 ? n - 1 - dice_below(&seed, near) : dice_below(&seed, n);
        if (n % 2000 != 0) assert_true(moved_part_of_append(w, e[n], e[parent]));
        if (n % 3 == 0) assert_true(moved_heavy_set(w, e[n], (moved_heavy){0}));
    }
    for (int turn = 0; turn < 6; turn++) {
        uint32_t moved = turn == 0 ? 0u : (uint32_t)MANY / 20 >> (2 * turn);
        for (uint32_t i = 0; i < moved; i++) {
            moved_offset_edit(w, e[dice_below(&seed, MANY)])->x = (float)dice_below(&seed, 16);
        }
        for (int r = 0; r < READERS; r++) s.of[r].count = 0;
        assert_int_equal(moved_run_place(w, 0), WEFT_OK);
        assert_true(turn == 0 ? s.of[PLACE].count == MANY : s.of[PLACE].count >= moved / 2);
        check_placed(w, e, MANY);
    }
    moved_close(w);
}

// The rows of a system are counted where it goes parents first, too.
static void rows_are_counted_parents_first(void **state)
{
    (void)state;
    static seen s;
    enum { FEW = 10 };
    moved_entity e[FEW];
    moved_entity space[READERS + 2][FEW];
    s.everybody.entities = space[READERS];
    s.followers.entities = space[READERS + 1];
    moved_world *w = moved_open(&(weft_options){.user = &s, .profile.count = true});
    assert_int_equal(moved_node_spawn_many(w, FEW, NULL, e), FEW);
    for (uint32_t n = 1; n < FEW; n++) moved_part_of_append(w, e[n], e[n / 2]);
    assert_int_equal(moved_run_look(w, 0), WEFT_OK);
    const weft_schema *schema = moved_schema();
    uint32_t counted = 0;
    for (uint32_t i = 0; i < schema->system_count; i++) {
        const weft_system_stats stats = moved_system_stats(w, i);
        if (strcmp(schema->systems[i].name, "everybody") != 0) continue;
        assert_int_equal(stats.turns, 1);
        assert_int_equal(stats.rows, FEW);
        counted++;
    }
    assert_int_equal(counted, 1);
    assert_int_equal(s.everybody.count, FEW);
    moved_close(w);
}

typedef struct meter {
    size_t left; // allocations until they fail
    bool once;   // only the next one fails then
} meter;

static void *take(void *user, size_t bytes)
{
    meter *m = (meter *)user;
    if (m->left == 0) {
        if (m->once) m->left = SIZE_MAX;
        return NULL;
    }
    m->left--;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void give(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

// Moves some entities, and all that are no rows of `place`, so that it learns of their children.
static void move_some(moved_world *w, dice *seed, const moved_entity *e, uint32_t count,
                      const moved_entity *roots, uint32_t root_count)
{
    for (int i = 0; i < 5; i++) {
        moved_offset_edit(w, e[dice_below(seed, count)])->x = (float)dice_below(seed, 16);
    }
    for (uint32_t n = 0; n < root_count; n++) {
        moved_placed_edit(w, roots[n])->x = (float)dice_below(seed, 16);
    }
}

// A turn that finds no memory is none: its changes are there in the next one.
static void no_change_is_lost_for_want_of_memory(void **state)
{
    enum { FEW = 400, ROOTS = 150 };
    static moved_entity e[FEW];
    static moved_entity roots[ROOTS];
    static moved_entity space[READERS + 2][FEW];
    meter m = {SIZE_MAX, false};
    seen s = {0};
    dice seed = {9};
    weft_memory hooks = {take, give, no_reserve, no_commit, no_release, &m};
    moved_world *w = moved_open(&(weft_options){.memory = hooks, .user = &s});
    (void)state;
    for (int r = 0; r < READERS; r++) s.of[r].entities = space[r];
    assert_int_equal(moved_node_spawn_many(w, FEW, NULL, e), FEW);
    for (uint32_t n = 0; n < ROOTS; n++) {
        roots[n] = moved_spawn(w);
        assert_true(moved_placed_set(w, roots[n], (moved_placed){0}));
    }
    for (uint32_t n = 1; n < FEW; n++) {
        moved_entity parent = n < 2 * ROOTS ? roots[n / 2] : e[dice_below(&seed, n)];
        assert_true(moved_part_of_append(w, e[n], parent));
        if (n % 3 == 0) assert_true(moved_heavy_set(w, e[n], (moved_heavy){0}));
    }
    bool refused = true;
    for (size_t allowed = 0; refused; allowed++) {
        move_some(w, &seed, e, FEW, roots, ROOTS);
        for (int r = 0; r < READERS; r++) s.of[r].count = 0;
        m.left = allowed;
        weft_status status = moved_run_place(w, 0);
        m.left = SIZE_MAX;
        refused = status != WEFT_OK;
        assert_int_equal(status, refused ? WEFT_NO_MEMORY : WEFT_OK);
    }
    check_placed(w, e, FEW);
    // There is memory again as soon as a single call has failed.
    m.once = true;
    bool failed = true;
    for (size_t allowed = 0; failed; allowed++) {
        assert_int_equal(moved_trim(w), WEFT_OK);
        move_some(w, &seed, e, FEW, roots, ROOTS);
        for (int r = 0; r < READERS; r++) s.of[r].count = 0;
        m.left = allowed;
        weft_status status = moved_run_place(w, 0);
        failed = m.left > allowed;
        m.left = SIZE_MAX;
        if (status == WEFT_OK) check_placed(w, e, FEW);
        assert_true(status == WEFT_OK || (failed && status == WEFT_NO_MEMORY));
    }
    moved_close(w);
}

// Changes are kept where a row moves to another table, and over a save.
static void changes_of_parents_are_seen_after_a_load(void **state)
{
    model *m = open_model(0);
    void *bytes;
    size_t count;
    (void)state;
    assert_true(moved_part_of_attach(m->w, m->e[2], m->e[1]));
    run(m, 0.5, false);
    assert_non_null(moved_placed_edit(m->w, m->e[1]));
    change(m, PLACED, 1, NOBODY);
    toggle_heavy(m, 1);
    assert_int_equal(moved_save_memory(m->w, &bytes, &count), WEFT_OK);
    assert_int_equal(moved_load_memory(m->w, bytes, count), WEFT_OK);
    free(bytes);
    run(m, 0.5, true);
    assert_int_equal(m->now.of[PLACE].count, 1);
    assert_int_equal(m->now.of[PLACE].entities[0].bits, m->e[2].bits);
    moved_close(m->w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_N5_dirty_rows_are_those_of_a_full_scan),
        cmocka_unit_test(seed_N5_only_what_hangs_below_a_moved_root_is_placed),
        cmocka_unit_test(many_dirty_rows_in_deep_trees),
        cmocka_unit_test(rows_are_counted_parents_first),
        cmocka_unit_test(no_change_is_lost_for_want_of_memory),
        cmocka_unit_test(changes_of_parents_are_seen_after_a_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
