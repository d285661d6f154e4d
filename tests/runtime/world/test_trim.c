// A trim releases memory that a world no longer needs, and changes nothing else.
//
// program: worlds
// flags: played
#define _DEFAULT_SOURCE // mincore, aligned_alloc

#include "../../support/no_space.h"
#include "meter.h"
#include "tree_user.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#define PAGE_BYTES ((size_t)4096)
#define RECORD_BYTES ((size_t)8) // of an index that was handed out

// In hard mode every change moves the world as far as there is memory, and everything is on the
// heap.
#ifdef WEFT_HARD
enum { MANY = 600, SOME = 600, KEPT_EACH = 100, RESERVES = 0, RELOCATES = 1 };
#else
enum {
    MANY = 1000000,
    SOME = 5000,
    KEPT_EACH = 1000,
    RESERVES = sizeof(void *) > 4,
    RELOCATES = 0,
};
#endif

// Records, columns of the tables of nodes and leaves, the bitsets of both, a store, links.
#define COLUMNS_MAX 40

static tree_entity people[MANY];

static tree_entity spawn_person(tree_world *w, uint32_t i)
{
    tree_node node = {.local = {(float)i, 1}};
    tree_leaf leaf = {.local = {(float)i, 2}, .heavy = {3}};
    return i % 3 == 0 ? tree_leaf_spawn(w, &leaf) : tree_node_spawn(w, &node);
}

// Some of everything that takes memory: tags, sparse components, links, and what systems need.
static void populate(tree_world *w)
{
    for (uint32_t i = 0; i < MANY; i++) {
        people[i] = spawn_person(w, i);
        if (i % 7 == 0) tree_mark_set(w, people[i], (tree_mark){i});
        if (i % 11 == 0) tree_frozen_set(w, people[i]);
        if (i % 5 == 1) tree_part_of_attach(w, people[i], people[i - 1]);
    }
    assert_int_equal(tree_tick(w, 0.5), WEFT_OK);
}

// Two in a thousand live on, the second of which is below the first.
static bool lives_on(uint32_t i)
{
    return i % KEPT_EACH < 2;
}

static void despawn_others(tree_world *w)
{
    for (uint32_t i = 0; i < MANY; i++) {
        if (!lives_on(i)) tree_despawn(w, people[i]);
    }
}

typedef struct save {
    void *bytes;
    size_t count;
} save;

static save save_world(tree_world *w)
{
    save s;
    assert_int_equal(tree_save_memory(w, &s.bytes, &s.count), WEFT_OK);
    return s;
}

// Trims a world, whose hash and save stay what they were. Returns the bytes that it has then.
static size_t trim_unchanged(tree_world *w)
{
    uint64_t exact = tree_hash_exact(w);
    save before = save_world(w);
    assert_int_equal(tree_trim(w), WEFT_OK);
    assert_true(tree_hash_exact(w) == exact);
    save after = save_world(w);
    assert_int_equal(after.count, before.count);
    assert_memory_equal(after.bytes, before.bytes, before.count);
    free(before.bytes);
    free(after.bytes);
    return tree_stats(w).bytes_allocated;
}

// The bytes of a new world into which that save was loaded, which never held more.
static size_t bytes_when_loaded(save s)
{
    tree_user user = {0};
    tree_world *w = tree_open(&(weft_options){.user = &user});
    assert_int_equal(tree_load_memory(w, s.bytes, s.count), WEFT_OK);
    size_t bytes = tree_stats(w).bytes_allocated;
    tree_close(w);
    return bytes;
}

static void seed_C7_memory_goes_back(void **state)
{
    tree_user user = {0};
    tree_world *w = tree_open(&(weft_options){.user = &user});
    size_t opened = tree_stats(w).bytes_allocated;
    (void)state;
    populate(w);
    size_t full = tree_stats(w).bytes_allocated;
    despawn_others(w);
    assert_true(tree_stats(w).bytes_allocated > full / 2); // nothing goes back by itself
    size_t trimmed = trim_unchanged(w);
    save s = save_world(w);
    assert_true(trimmed <= bytes_when_loaded(s) + COLUMNS_MAX * PAGE_BYTES);
    free(s.bytes);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(tree_alive(w, people[i]), lives_on(i));
        if (!lives_on(i)) continue;
        assert_true(tree_local_get(w, people[i])->x == (float)i);
        assert_int_equal(tree_part_of_depth(w, people[i]), i % KEPT_EACH);
    }
    assert_int_equal(tree_tick(w, 0.5), WEFT_OK); // orders are made anew
    for (uint32_t i = 0; i < MANY; i++) tree_despawn(w, people[i]);
    assert_true(trim_unchanged(w) <= opened + MANY * RECORD_BYTES + COLUMNS_MAX * PAGE_BYTES);
    assert_int_equal(tree_trim(w), WEFT_OK); // and once more, with nothing to give
    tree_close(w);
}

// A world and one that has never been loaded twice: what is done to both has to come to the same.
static void change_both(tree_world *w, tree_world *other)
{
    for (uint32_t i = 0; i < SOME; i++) {
        tree_entity e = spawn_person(w, i);
        assert_true(tree_same(e, spawn_person(other, i)));
        if (i % 5 == 0) tree_mark_set(w, e, (tree_mark){i});
        if (i % 5 == 0) tree_mark_set(other, e, (tree_mark){i});
        if (i % 3 == 0) tree_frozen_set(w, e);
        if (i % 3 == 0) tree_frozen_set(other, e);
        if (i % 7 == 1) tree_part_of_attach(w, e, people[0]);
        if (i % 7 == 1) tree_part_of_attach(other, e, people[0]);
    }
    assert_int_equal(tree_tick(w, 0.5), WEFT_OK);
    assert_int_equal(tree_tick(other, 0.5), WEFT_OK);
    assert_true(tree_hash_exact(w) == tree_hash_exact(other));
}

static void load_into_new(tree_world *w, save s, tree_user *user)
{
    tree_world *fresh = tree_open(&(weft_options){.user = user});
    assert_int_equal(tree_load_memory(fresh, s.bytes, s.count), WEFT_OK);
    change_both(w, fresh);
    tree_close(fresh);
}

// A load from memory keeps the memory of the state that it replaces for the next load, whose world
// is that of a load into fresh memory. A trim gives all of it back.
static void seed_C7_what_loads_keep_goes_back(void **state)
{
    tree_user users[2] = {{0}, {0}};
    tree_world *w = tree_open(&(weft_options){.user = &users[0]});
    (void)state;
    populate(w);
    save many = save_world(w);
    for (uint32_t i = 1; i < MANY; i++) {
        if (!lives_on(i) && i % 3 != 0) tree_despawn(w, people[i]);
    }
    save some = save_world(w);
    const save *const order[] = {&many, &some, &many, &some};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        assert_int_equal(tree_load_memory(w, order[i]->bytes, order[i]->count), WEFT_OK);
        load_into_new(w, *order[i], &users[1]);
    }
    assert_int_equal(tree_load_memory(w, some.bytes, some.count), WEFT_OK);
    size_t kept = tree_stats(w).bytes_allocated;
    size_t trimmed = trim_unchanged(w);
    if (RESERVES) assert_true(trimmed < kept / 2);
    assert_true(trimmed <= bytes_when_loaded(some) + COLUMNS_MAX * PAGE_BYTES);
    load_into_new(w, some, &users[1]);
    free(many.bytes);
    free(some.bytes);
    tree_close(w);
}

// A save that is refused leaves no memory behind.
static void seed_C7_a_refused_load_keeps_nothing(void **state)
{
    tree_user user = {0};
    tree_world *w = tree_open(&(weft_options){.user = &user});
    (void)state;
    populate(w);
    save s = save_world(w);
    assert_int_equal(tree_load_memory(w, s.bytes, s.count), WEFT_OK);
    assert_int_equal(tree_load_memory(w, s.bytes, s.count), WEFT_OK);
    size_t before = tree_stats(w).bytes_allocated;
    uint64_t hash = tree_hash_exact(w);
    ((unsigned char *)s.bytes)[s.count / 2] ^= 1;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tree_load_memory(w, s.bytes, s.count), WEFT_BAD_FILE);
        assert_true(tree_stats(w).bytes_allocated <= before);
    }
    assert_true(tree_hash_exact(w) == hash);
    ((unsigned char *)s.bytes)[s.count / 2] ^= 1;
    assert_int_equal(tree_load_memory(w, s.bytes, s.count), WEFT_OK);
    assert_true(tree_hash_exact(w) == hash);
    free(s.bytes);
    tree_close(w);
}

// How many of the pages from an address on are in memory; those that are unmapped are not.
static size_t resident_pages(const void *from, size_t pages)
{
    size_t resident = 0;
    uintptr_t at = (uintptr_t)from / PAGE_BYTES * PAGE_BYTES;
    for (size_t i = 0; i < pages; i++) {
        unsigned char in_memory = 0;
        if (mincore((void *)(at + i * PAGE_BYTES), PAGE_BYTES, &in_memory) == 0) {
            resident += in_memory & 1u;
        }
    }
    return resident;
}

// The system agrees with the account of the world.
static void seed_C7_pages_go_back_to_the_system(void **state)
{
    (void)state;
    if (!RESERVES) return;
    const size_t pages = (size_t)MANY / 3 * sizeof(tree_local) / PAGE_BYTES;
    for (uint32_t reserved = 0; reserved < 2; reserved++) { // in small pages, and in large ones
        tree_world *w = tree_open(NULL);
        if (reserved == 1) assert_int_equal(tree_leaf_reserve(w, MANY), WEFT_OK);
        for (uint32_t i = 0; i < MANY; i++) people[i] = tree_leaf_spawn(w, NULL);
        const tree_local *column = tree_local_get(w, people[0]);
        assert_true(resident_pages(column, pages) == pages);
        for (uint32_t i = MANY; i-- > MANY / KEPT_EACH;) tree_despawn(w, people[i]);
        assert_true(resident_pages(column, pages) == pages);
        assert_int_equal(tree_trim(w), WEFT_OK);
        assert_ptr_equal(tree_local_get(w, people[0]), column); // in its reservation nothing moves
        size_t used = MANY / KEPT_EACH * sizeof(tree_local) / PAGE_BYTES + 2;
        assert_true(resident_pages(column, pages) <= used);
        for (uint32_t i = MANY / KEPT_EACH; i < MANY; i++) people[i] = tree_leaf_spawn(w, NULL);
        assert_true(resident_pages(column, pages) == pages);
        tree_close(w);
    }
}

// What a larger state had in a reservation that a smaller one took over goes back, too.
static void seed_C7_pages_of_replaced_states_go_back(void **state)
{
    (void)state;
    if (!RESERVES) return;
    const size_t pages = (size_t)MANY / 3 * sizeof(tree_local) / PAGE_BYTES;
    tree_world *w = tree_open(NULL);
    for (uint32_t i = 0; i < MANY; i++) people[i] = tree_leaf_spawn(w, NULL);
    save many = save_world(w);
    for (uint32_t i = MANY; i-- > MANY / KEPT_EACH;) tree_despawn(w, people[i]);
    save few = save_world(w);
    assert_int_equal(tree_load_memory(w, many.bytes, many.count), WEFT_OK);
    assert_int_equal(tree_load_memory(w, many.bytes, many.count), WEFT_OK);
    for (uint32_t i = 0; i < 20; i++) tree_leaf_spawn(w, NULL);
    assert_int_equal(tree_load_memory(w, few.bytes, few.count), WEFT_OK);
    assert_int_equal(tree_leaf_reserve(w, SOME), WEFT_OK); // so that its rows leave the heap
    const tree_local *column = tree_local_get(w, people[0]);
    assert_int_equal(tree_trim(w), WEFT_OK);
    column = tree_local_get(w, people[0]);
    size_t used = MANY / KEPT_EACH * sizeof(tree_local) / PAGE_BYTES + 2;
    assert_true(resident_pages(column, pages) <= used);
    free(many.bytes);
    free(few.bytes);
    tree_close(w);
}

// A world that has grown row by row gets large pages, a step a tick, and nothing in it changes.
static void large_tables_get_large_pages(void **state)
{
    (void)state;
    if (RELOCATES) return; // so few rows are no large table
    tree_user user = {0};
    tree_world *w = tree_open(&(weft_options){.user = &user});
    weft_world *base = tree_world_base(w);
    for (uint32_t i = 0; i < MANY; i++) {
        tree_leaf leaf = {.local = {(float)i, 2}};
        people[i] = tree_leaf_spawn(w, &leaf);
    }
    assert_int_equal(base->tables.grown, base->heap.enlarge != NULL);
    if (base->heap.enlarge) {
        bool (*enlarge)(void **spare, void *memory) = base->heap.enlarge;
        base->heap.enlarge = NULL; // as if the machine had no more large pages
        assert_int_equal(tree_run_act(w, 0.5), WEFT_OK);
        assert_false(base->tables.grown);
        base->heap.enlarge = enlarge;
        base->tables.grown = true;
    }
    const weft_table *table = base->lists.every_table.tables[base->lists.every_table.count - 1];
    for (uint32_t tick = 0; base->tables.grown; tick++) {
        bool had = base->heap.spare != NULL;
        assert_int_equal(tree_run_act(w, 0.5), WEFT_OK);
        if (base->tables.grown) assert_int_equal(base->heap.spare == NULL, had);
        assert_true(tick < MANY);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        const tree_local *local = tree_local_get(w, people[i]);
        assert_true(local->x == (float)i && local->y == 2);
    }
    if (base->heap.enlarge) {
        assert_true(table->enlarged > MANY / 2);
        base->tables.grown = true;
        assert_int_equal(tree_run_place(w, 0.5), WEFT_OK); // it is not the first phase of a tick
        assert_true(base->tables.grown);
        assert_int_equal(tree_run_act(w, 0.5), WEFT_OK);
        assert_false(base->tables.grown);
    }
    assert_int_equal(tree_trim(w), WEFT_OK);
    for (uint32_t i = MANY / 2; i < MANY; i++) tree_despawn(w, people[i]);
    assert_int_equal(tree_trim(w), WEFT_OK);
    for (uint32_t i = 0; i < MANY / 2; i++) {
        assert_true(tree_local_get(w, people[i])->x == (float)i);
    }
    tree_close(w);
}

// Handles that come later are those of a world that was never trimmed, and stale ones stay dead.
static void seed_C7_handles_are_what_they_would_be(void **state)
{
    tree_world *worlds[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        worlds[i] = tree_open(NULL);
        for (uint32_t k = 0; k < SOME; k++) people[k] = tree_node_spawn(worlds[i], NULL);
        for (uint32_t k = 0; k < SOME; k += 1 + k % 3) tree_despawn(worlds[i], people[k]);
    }
    assert_int_equal(tree_trim(worlds[0]), WEFT_OK);
    for (uint32_t k = 0; k < SOME; k++) {
        assert_int_equal(tree_alive(worlds[0], people[k]), tree_alive(worlds[1], people[k]));
    }
    for (uint32_t k = 0; k < 2 * SOME; k++) {
        tree_entity e = tree_leaf_spawn(worlds[0], NULL);
        assert_true(tree_same(e, tree_leaf_spawn(worlds[1], NULL)));
    }
    assert_true(tree_hash_exact(worlds[0]) == tree_hash_exact(worlds[1]));
    for (int i = 0; i < 2; i++) tree_close(worlds[i]);
}

// ------------------------------------------------------------------------------------------------
// Without memory

enum { COMMANDS = 500 };

static tree_world *some_people(meter *m, uint32_t count)
{
    static tree_user user;
    weft_memory hooks = {take, give, no_reserve, no_commit, no_release, m};
    tree_world *w = tree_open(&(weft_options){.memory = hooks, .user = &user});
    user = (tree_user){0};
    for (uint32_t i = 0; i < count; i++) {
        people[i] = spawn_person(w, i);
        tree_mark_set(w, people[i], (tree_mark){i});
        tree_frozen_set(w, people[i]);
        if (i != 0) tree_part_of_attach(w, people[i], people[0]);
    }
    tree_tick(w, 1);
    for (uint32_t i = count / 8; i < count; i++) tree_despawn(w, people[i]);
    for (uint32_t i = 0; i < COMMANDS; i++) tree_cmd_mark_remove(tree_commands(w), people[2]);
    tree_flush(w);
    tree_cmd_despawn(tree_commands(w), people[1]);
    return w;
}

// With so many allocations and no more, or all but one, what cannot be copied stays, and the rest
// goes back.
static void trim_starved(bool once)
{
    bool failed = true;
    for (size_t allocations = 0; failed; allocations++) {
        meter m = {.left = SIZE_MAX, .once = once};
        tree_world *w = some_people(&m, 400);
        uint64_t exact = tree_hash_exact(w);
        size_t before = m.bytes;
        m.left = allocations;
        weft_status status = tree_trim(w);
        failed = m.failed;
        m.left = SIZE_MAX;
        assert_true(status == (failed ? WEFT_NO_MEMORY : WEFT_OK) || (RELOCATES && failed));
        if (status != WEFT_OK) assert_non_null(strstr(tree_error(w), "no memory to copy some of"));
        assert_true(tree_hash_exact(w) == exact);
        assert_true(m.bytes < before);
        // What comes after the one that fails is copied.
        const weft_commands *commands = weft_commands_outside(tree_world_base(w));
        if (once && allocations == 0) assert_true(commands->bytes.bytes < COMMANDS);
        assert_int_equal(tree_stats(w).bytes_allocated, m.bytes);
        assert_int_equal(tree_flush(w), WEFT_OK); // what was recorded is there
        assert_false(tree_alive(w, people[1]));
        for (uint32_t i = 0; i < 400; i++) spawn_person(w, i);
        tree_close(w);
        assert_int_equal(m.bytes, 0);
    }
}

static void what_cannot_be_copied_stays(void **state)
{
    (void)state;
    trim_starved(false);
    trim_starved(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_C7_memory_goes_back),
        cmocka_unit_test(seed_C7_pages_go_back_to_the_system),
        cmocka_unit_test(seed_C7_what_loads_keep_goes_back),
        cmocka_unit_test(seed_C7_a_refused_load_keeps_nothing),
        cmocka_unit_test(seed_C7_pages_of_replaced_states_go_back),
        cmocka_unit_test(large_tables_get_large_pages),
        cmocka_unit_test(seed_C7_handles_are_what_they_would_be),
        cmocka_unit_test(what_cannot_be_copied_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
