// Hooks and systems of the world of links. Each checks the links that it is notified of.
//
// flags: hot
#include "wood_forest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
// Systems

static int compare_handles(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(uint64_t));
}

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

void run_tick(void)
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
