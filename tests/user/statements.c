// Checks sentences of pages and comments by a program: one function for each sentence.
#include "farm.h"
#include "weft_gen.h"
#include "weft_json.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static farm_world *w;

void farm_make(const farm_make_ctx *ctx, uint32_t count)
{
    (void)count;
    if (ctx->last->count++ == 0) ctx->last->made = farm_cmd_crate_spawn(ctx->cmd, NULL);
}

void farm_look(const farm_look_ctx *ctx, uint32_t count)
{
    (void)count;
    assert(farm_place_get_in(ctx->place, ctx->last->made) != NULL);
}

// <world>_cmd.h: the handle of a spawn command is the entity's own, wherever it was kept.
static void handles_of_spawn_commands_come_alive(void)
{
    farm_entity made = farm_cmd_crate_spawn(farm_commands(w), NULL);
    farm_entity empty = farm_cmd_spawn(farm_commands(w));
    assert(!farm_alive(w, made) && !farm_alive(w, empty));
    assert(farm_place_get(w, made) == NULL);
    farm_cmd_place_set(farm_commands(w), empty, (farm_place){7, 7});
    assert(farm_flush(w) == WEFT_OK);
    assert(farm_alive(w, made) && farm_place_get(w, made)->x == 1);
    assert(farm_place_get(w, empty)->x == 7);
    assert(farm_tick(w, 1.0) == WEFT_OK); // make keeps one in a singleton, look finds it there
    assert(farm_alive(w, farm_last_get(w)->made));
}

// handles.md: spawn_at takes handles from elsewhere, and does not undo a despawn.
static void spawn_at_does_not_undo_a_despawn(void)
{
    farm_entity e = farm_crate_spawn(w, NULL);
    farm_despawn(w, e);
    assert(farm_spawn_at(w, e) == WEFT_DEAD);
    assert(!farm_alive(w, e));
}

// world.md: hidden rows are in no index and no listener that does not name the tag, and in lookups.
static void hidden_rows_are_in_no_index_and_no_listener(void)
{
    farm_entity e = farm_crate_spawn(w, NULL);
    snprintf(farm_label_edit(w, e)->text, sizeof farm_label_get(w, e)->text, "rope");
    farm_place_set(w, e, (farm_place){500, 500});
    assert(farm_by_text_find(w, "rope").bits == e.bits);
    farm_entity near;
    assert(farm_by_place_nearest(w, 500, 500, 1, &near) == 1 && near.bits == e.bits);
    farm_stored_set(w, e);
    assert(farm_by_text_find(w, "rope").bits == 0);
    assert(farm_by_place_nearest(w, 500, 500, 1, &near) == 1 && near.bits != e.bits);
    farm_place_set(w, e, (farm_place){500, 501});
    uint32_t rows = 0;
    for (farm_shelf_iter it = farm_shelf_begin(w); farm_shelf_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) rows += it.entities[i].bits == e.bits;
    }
    assert(rows == 0);
    assert(farm_place_get(w, e)->y == 501);
    farm_stored_remove(w, e);
    assert(farm_by_text_find(w, "rope").bits == e.bits);
    for (farm_shelf_iter it = farm_shelf_begin(w); farm_shelf_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) rows += it.entities[i].bits == e.bits;
    }
    assert(rows == 0); // the change was made while the row was hidden at a turn
}

// weft_json.h: names are those of the schema now; `was` is for saves.
static void json_knows_no_old_names(void)
{
    farm_entity e = farm_crate_spawn(w, NULL);
    static const char now[] = "{\"components\": {\"label\": {\"text\": \"new\"}}}";
    static const char old[] = "{\"components\": {\"caption\": {\"text\": \"old\"}}}";
    static const char old_field[] = "{\"components\": {\"label\": {\"words\": \"old\"}}}";
    weft_world *base = farm_world_base(w);
    assert(weft_json_entity_read(base, e.bits, now, sizeof now - 1) == WEFT_OK);
    assert(weft_json_entity_read(base, e.bits, old, sizeof old - 1) == WEFT_BAD_VALUE);
    assert(weft_json_entity_read(base, e.bits, old_field, sizeof old_field - 1) == WEFT_BAD_VALUE);
    assert(strcmp(farm_label_get(w, e)->text, "new") == 0);
}

// weft.h: which calls are structural changes, and end iterators and pointers. (That any thread may
// ask who is alive meanwhile is tested in unit/test_alive.c.)
static uint32_t version;

static bool changed(void)
{
    uint32_t before = version;
    version = weft_version(farm_world_base(w));
    return version != before;
}

static void structural_changes_are_what_weft_h_lists(void)
{
    farm_entity e = farm_crate_spawn(w, NULL);
    farm_entity other = farm_spawn(w);
    (void)changed();
    farm_place_get(w, e), farm_place_edit(w, e);
    farm_place_set(w, e, (farm_place){1, 2});
    farm_last_edit(w)->count++;
    assert(farm_alive(w, e) && farm_crates_count(w) > 0);
    (void)farm_by_text_find(w, "rope");
    farm_cmd_despawn(farm_commands(w), farm_cmd_spawn(farm_commands(w)));
    assert(!changed()); // to read, to overwrite and to record is none
    assert(farm_flush(w) == WEFT_OK);
    farm_entity third = farm_spawn(w);
    assert(changed());
    farm_despawn(w, third);
    assert(changed());
    farm_place_set(w, other, (farm_place){1, 2});
    assert(changed());
    farm_worth_set(w, other, (farm_worth){1});
    assert(changed());
    farm_wet_set(w, other);
    assert(changed());
    farm_wet_remove(w, other);
    assert(changed());
    farm_worth_remove(w, other);
    assert(changed());
    farm_inside_attach(w, other, e);
    assert(changed());
    farm_inside_detach(w, other);
    assert(changed());
    assert(farm_crate_reserve(w, 3000) == WEFT_OK);
    assert(changed());
    assert(farm_trim(w) == WEFT_OK);
    assert(changed());
    farm_cmd_spawn(farm_commands(w));
    assert(!changed());
    assert(farm_flush(w) == WEFT_OK);
    assert(changed());
}

static int by_handle(const farm_world *world, farm_entity a, farm_entity b, void *user)
{
    (void)world, (void)user;
    return a.bits < b.bits ? 1 : -1;
}

// explanation/lifetimes.md: its table of structural changes, and the calls that it lists as none.
static void structural_changes_are_what_lifetimes_lists(void)
{
    farm_entity e = farm_crate_spawn(w, NULL);
    farm_entity other = farm_spawn(w);
    (void)farm_crate_spawn(w, NULL);
    (void)changed();
    assert(farm_crate_set(w, other, NULL) && changed());
    assert(farm_crates_sort(w, by_handle, NULL) == WEFT_OK && changed());
    assert(farm_crates_sort(w, by_handle, NULL) == WEFT_OK && !changed()); // no row moves
    assert(farm_worth_set(w, e, (farm_worth){1}) && changed());
    assert(farm_worth_set(w, e, (farm_worth){2}) && !changed());
    assert(farm_worth_replace(w, e, (farm_worth){3}) && !changed());
    assert(farm_worth_clear(w) && changed());
    assert(farm_wet_set(w, e) && changed());
    farm_wet_clear(w);
    assert(changed());
    assert(farm_strip(w, other) && changed());
    assert(farm_inside_attach(w, other, e) && farm_inside_append(w, other, e) && changed());
    assert(farm_reserve(w, 2000) == WEFT_OK && changed());
    (void)farm_recycle(w), (void)farm_hash(w), (void)farm_hash_exact(w);
    void *bytes;
    size_t n;
    assert(farm_save_memory(w, &bytes, &n) == WEFT_OK && !changed());
    assert(farm_load_memory(w, bytes, n) == WEFT_OK && changed());
    free(bytes);
    assert(farm_alive(w, e)); // handles of the save are valid again
    assert(farm_crates_despawn_all(w) == WEFT_OK && changed());
    assert(farm_reset(w) == WEFT_OK && !farm_alive(w, other));
}

// weft.h: the pointer to a singleton is good as long as the world is open.
static void singletons_never_move(void)
{
    const farm_last *last = farm_last_get(w);
    void *bytes;
    size_t n;
    assert(farm_last_edit(w) == last);
    assert(farm_save_memory(w, &bytes, &n) == WEFT_OK);
    farm_last_edit(w)->count = 77;
    for (int i = 0; i < 5000; i++) farm_crate_spawn(w, NULL);
    assert(last->count == 77);
    assert(farm_load_memory(w, bytes, n) == WEFT_OK);
    assert(last == farm_last_get(w) && last->count != 77);
    assert(farm_reset(w) == WEFT_OK && farm_trim(w) == WEFT_OK);
    assert(last == farm_last_get(w) && last->count == 0);
    free(bytes);
}

// <prefab>.h: columns of _spawn_rows have no values without hooks; the caller writes all of them.
static void spawned_rows_are_written_by_the_caller(void)
{
    farm_crate_rows rows = farm_crate_spawn_rows(w, 4);
    assert(rows.count == 4);
    for (size_t i = 0; i < rows.count; i++) {
        rows.place[i] = (farm_place){(float)i, 0};
        rows.label[i] = (farm_label){.text = "row"};
    }
    assert(farm_place_get(w, rows.entities[3])->x == 3);
}

int main(void)
{
    w = farm_open(NULL);
    assert(w);
    handles_of_spawn_commands_come_alive();
    spawn_at_does_not_undo_a_despawn();
    hidden_rows_are_in_no_index_and_no_listener();
    json_knows_no_old_names();
    structural_changes_are_what_weft_h_lists();
    spawned_rows_are_written_by_the_caller();
    singletons_never_move();
    structural_changes_are_what_lifetimes_lists();
    farm_close(w);
    puts("all of them hold");
    return 0;
}
