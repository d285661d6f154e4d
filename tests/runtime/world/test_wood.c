// Rows give links and hooks are notified of them, after random operations, compared with a search
// through all links and with a model that stores for each reader what it has yet to see.
//
// program: worlds threads
// flags: hot
// links: wood_model.c wood_compare.c
#define _ISOC11_SOURCE // aligned_alloc

#include "../../support/no_space.h"
#include "weft_json.h"
#include "wood_forest.h"

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
    bool fails = wood.left != SIZE_MAX; // for lack of memory, perhaps
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
        run_tick();
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
