// The operations that a loaded world must survive.
#include "trial.h"

#include "../../runtime/unit/world_check.h"
#include "edit/linking.h"
#include "filled.h"
#include "values.h"
#include "weft_json.h"
#include "world/links.h"
#include "world/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static vault_world *open_bound(trial *t)
{
    vault_world *w = vault_open(&(weft_options){.memory = bounded_hooks(&t->memory)});
    assert_non_null(w);
    return w;
}

static void open_world(trial *t)
{
    dice d = {9};
    t->w = open_bound(t);
    filled_spawn(vault_world_base(t->w), &d, 5);
    if (t->start) assert_int_equal(vault_load_memory(t->w, t->start, t->start_count), WEFT_OK);
    assert_int_equal(vault_flush(t->w), WEFT_OK); // commands that hooks have recorded
}

void trial_open(trial *t)
{
    *t = (trial){.w = NULL};
    open_world(t);
}

void trial_open_part(trial *t, const void *start, size_t count)
{
    *t = (trial){
        .part = true, .start = start, .start_count = count, .index_bytes = TRIAL_INDEX_BYTES};
    open_world(t);
}

void trial_close(trial *t)
{
    vault_close(t->w);
    assert_int_equal(t->memory.held, 0);
}

// ------------------------------------------------------------------------------------------------
// Like any other

static weft_status count_text(void *user, const char *text, size_t bytes)
{
    (void)text;
    *(size_t *)user += bytes;
    return WEFT_OK;
}

static void check_rules(const vault_world *w)
{
    vault_everyone_iter it = vault_everyone_begin(w);
    while (vault_everyone_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            vault_entity e = it.entities[i];
            assert_true(vault_place_has(w, e) || !vault_motion_has(w, e));
            assert_true(vault_marked_has(w, e) || !vault_keen_has(w, e));
            assert_false(vault_bulk_has(w, e) && vault_keen_has(w, e));
        }
    }
}

// Every child is found from its parent, once.
static void check_relation(const weft_world *world, uint32_t relation)
{
    weft_format f = world->plan->format;
    uint32_t children = 0;
    for (uint32_t i = 0; i < world->tables.count; i++) {
        const weft_table *table = world->tables.items[i];
        for (uint32_t row = 0; row < table->count; row++) {
            uint64_t parent = weft_handle_load(f, weft_column(table, 0), row);
            uint64_t child = weft_first_child(world, f, relation, parent);
            for (; child != 0; child = weft_next_sibling(world, f, relation, child)) {
                assert_true(weft_parent(world, f, relation, child) == parent);
                assert_true(++children <= weft_entities_live(&world->entities));
            }
        }
    }
    assert_int_equal(children, world->relations[relation].attached);
}

// Both lists of each kind of links contain the same links, and no end is missing.
static void check_links(const weft_world *world, uint32_t link)
{
    const weft_links *links = &world->links[link];
    weft_format f = world->plan->format;
    uint64_t count = 0;
    for (weft_link_runs runs = weft_link_runs_begin(world, link, 0, UINT32_MAX);
         weft_link_runs_next(&runs); count += runs.run.count) {
        for (uint32_t i = 0; i < runs.run.count; i++) {
            uint32_t to = runs.run.others[i];
            assert_true(weft_adjacent_has(&links->to, to, runs.from));
            assert_true(weft_link_end_exists(world, f, weft_link_handle(world, f, runs.from)));
            assert_true(weft_link_end_exists(world, f, weft_link_handle(world, f, to)));
        }
    }
    assert_true(count == links->count);
}

// The hidden tags of a row say whether its entity has links.
static void check_link_tags(const weft_world *world, const weft_table *table, uint32_t row)
{
    weft_format f = world->plan->format;
    uint32_t index = weft_handle_index(f, weft_handle_load(f, weft_column(table, 0), row));
    for (uint32_t i = 0; i < world->plan->link_count; i++) {
        const weft_link_plan *plan = &world->plan->links[i];
        const uint16_t tags[] = {plan->from_tag, plan->to_tag};
        for (int end = 0; end < 2; end++) {
            if (tags[end] == WEFT_NONE) continue;
            assert_int_equal(weft_row_has(world->plan, table, row, tags[end]),
                             weft_link_any(&world->links[i], index, end == 0));
        }
    }
}

static void check_all_link_tags(const weft_world *world)
{
    for (uint32_t i = 0; i < world->tables.count; i++) {
        const weft_table *table = world->tables.items[i];
        for (uint32_t row = 0; row < table->count; row++) check_link_tags(world, table, row);
    }
}

static void check_sound(vault_world *w)
{
    size_t text = 0;
    const weft_world *world = vault_world_base(w);
    world_check_storage(world);
    values_check(world);
    check_rules(w);
    for (uint32_t r = 0; r < world->plan->schema->relation_count; r++) check_relation(world, r);
    for (uint32_t link = 0; link < world->plan->link_count; link++) check_links(world, link);
    check_all_link_tags(world);
    assert_int_equal(weft_json_world_write(vault_world_base(w), count_text, &text), WEFT_OK);
    assert_int_equal(vault_everyone_count(w), weft_entities_live(&world->entities));
}

// Saves it and loads it again, which must not change it.
static void check_saved(trial *t, vault_world *w)
{
    void *bytes, *again;
    size_t count, count_again;
    vault_world *other = open_bound(t);
    assert_int_equal(vault_save_memory(w, &bytes, &count), WEFT_OK);
    assert_int_equal(vault_load_memory(other, bytes, count), WEFT_OK);
    assert_true(vault_hash(other) == vault_hash(w));
    assert_int_equal(vault_flush(other), WEFT_OK);
    assert_true(vault_hash_exact(other) == vault_hash_exact(w));
    assert_int_equal(vault_save_memory(other, &again, &count_again), WEFT_OK);
    assert_int_equal(count_again, count);
    assert_memory_equal(again, bytes, count);
    weft_memory hooks = bounded_hooks(&t->memory);
    hooks.free_(hooks.user, bytes, count);
    hooks.free_(hooks.user, again, count_again);
    vault_fresh_begin(other); // which has its turn, so that the two worlds differ from here on
    assert_true(vault_fresh_count(other) <= vault_stats(other).entities);
    vault_close(other);
}

// Runs ticks and despawns everything. A command without space is reported and does no harm.
static void check_future(vault_world *w)
{
    for (int i = 0; i < 3; i++) {
        weft_status status = vault_tick(w, 0.5);
        assert_true(status == WEFT_OK || status == WEFT_FULL);
        vault_spawn(w);
    }
    check_sound(w);
    for (vault_everyone_iter it = vault_everyone_begin(w); vault_everyone_next(&it);
         it = vault_everyone_begin(w)) {
        assert_true(vault_despawn(w, it.entities[0]));
    }
    check_sound(w);
}

// ------------------------------------------------------------------------------------------------
// The trial

static weft_status load(trial *t, const void *bytes, size_t count)
{
    void *block = malloc(count + (count == 0));
    assert_non_null(block);
    memcpy(block, bytes, count);
    size_t held = t->memory.most = t->memory.held;
    weft_status status = t->part ? vault_part_load_memory(t->w, block, count, NULL, NULL)
                                 : vault_load_memory(t->w, block, count);
    size_t taken = t->memory.most - held;
    free(block);
    assert_true(taken <= TRIAL_BYTES + TRIAL_FACTOR * count + t->index_bytes);
    if (t->index_bytes == 0 && taken > TRIAL_BYTES &&
        (double)(taken - TRIAL_BYTES) > t->dearest * (double)count) {
        t->dearest = (double)(taken - TRIAL_BYTES) / (double)count;
    }
    return status;
}

weft_status trial_load(trial *t, const void *bytes, size_t count)
{
    uint64_t exact = vault_hash_exact(t->w);
    size_t held = t->memory.held;
    weft_status status = load(t, bytes, count);
    if (status == WEFT_OK) {
        check_sound(t->w);
        assert_int_equal(vault_flush(t->w), WEFT_OK);
        check_saved(t, t->w);
        check_future(t->w);
        vault_close(t->w);
        assert_int_equal(t->memory.held, 0);
        open_world(t);
        return status;
    }
    bool refused =
        t->part && (status == WEFT_REFUSED || status == WEFT_DEAD || status == WEFT_FULL);
    assert_true(status == WEFT_BAD_FILE || status == WEFT_MISMATCH || refused);
    assert_true(vault_error(t->w)[0] != '\0');
    assert_true(vault_hash_exact(t->w) == exact);
    assert_int_equal(t->memory.held, held);
    return status;
}
