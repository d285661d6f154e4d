// on_add writes a texture that it makes into the value. Readers, indexes and saves must see the
// value that the hook wrote, in each kind of storage and for each way to add a value, and on_remove
// must release exactly that texture.
//
// program: worlds released
#include "gallery.h"

#include "../../support/asserts.h"
#include "gallery_run.h"
#include "weft_json.h"
#include "weft_reflect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TEXTURES 1000u
#define PAINTED 0x80u // a bit that load sets in the first field of each fresco

typedef struct keeper {
    gallery_world *w;
    uint32_t path[TEXTURES]; // of each texture that is open; 0: it is not
    uint32_t made;           // the last texture
    uint32_t open;
    uint32_t noted; // texture of the last value that a hook of both lists was told of
    uint32_t seen;  // rows that the system was shown
} keeper;

// ------------------------------------------------------------------------------------------------
// The game

static uint32_t load(const gallery_hook_ctx *ctx, uint32_t path)
{
    keeper *k = (keeper *)ctx->user;
    assert_true(++k->made < TEXTURES);
    assert_int_not_equal(path, 0);
    k->path[k->made] = path;
    k->open++;
    return k->made;
}

static void unload(const gallery_hook_ctx *ctx, uint32_t path, uint32_t texture)
{
    keeper *k = (keeper *)ctx->user;
    assert_true(texture < TEXTURES);
    assert_int_equal(k->path[texture], path);
    k->path[texture] = 0;
    k->open--;
}

// It comes after load and before unload.
static void note(const gallery_hook_ctx *ctx, uint32_t path, uint32_t texture)
{
    keeper *k = (keeper *)ctx->user;
    assert_true(texture < TEXTURES);
    assert_int_equal(k->path[texture], path);
    k->noted = texture;
}

#define HOOKS(name, number, more)                                                                  \
    void gallery_##name##_load(const gallery_hook_ctx *ctx, gallery_entity e,                      \
                               gallery_##name *value)                                              \
    {                                                                                              \
        assert_true(gallery_##name##_has(ctx->world, e));                                          \
        value->texture = (number)load(ctx, value->path);                                           \
        more;                                                                                      \
    }                                                                                              \
    void gallery_##name##_note(const gallery_hook_ctx *ctx, gallery_entity e,                      \
                               const gallery_##name *value)                                        \
    {                                                                                              \
        assert_true(gallery_##name##_has(ctx->world, e));                                          \
        note(ctx, value->path, value->texture);                                                    \
    }                                                                                              \
    void gallery_##name##_unload(const gallery_hook_ctx *ctx, gallery_entity e,                    \
                                 const gallery_##name *value)                                      \
    {                                                                                              \
        assert_true(gallery_##name##_has(ctx->world, e));                                          \
        unload(ctx, value->path, value->texture);                                                  \
    }

HOOKS(poster, uint32_t, (void)0)
HOOKS(fresco, uint16_t, value->wet |= PAINTED)
HOOKS(stamp, uint32_t, (void)0)

static void is_open(const keeper *k, uint32_t path, uint32_t texture)
{
    assert_true(texture < TEXTURES);
    assert_int_not_equal(texture, 0);
    assert_int_equal(k->path[texture], path);
}

void gallery_look(const gallery_look_ctx *ctx, uint32_t count,
                  const gallery_poster *WEFT_RESTRICT poster, gallery_fresco_const_columns fresco)
{
    keeper *k = (keeper *)ctx->user;
    for (uint32_t i = 0; i < count; i++) {
        is_open(k, poster[i].path, poster[i].texture);
        is_open(k, fresco.path[i], fresco.texture[i]);
    }
    k->seen += count;
}

// ------------------------------------------------------------------------------------------------
// Comparing textures with values

// Each value of the world has the texture of its path, all of them are different, and there are no
// others; and indexes find them.
static void check(keeper *k)
{
    uint32_t values = 0;
    bool used[TEXTURES] = {false};
    gallery_posters_iter posters = gallery_posters_begin(k->w);
    while (gallery_posters_next(&posters)) {
        for (uint32_t i = 0; i < posters.count; i++, values++) {
            is_open(k, posters.poster[i].path, posters.poster[i].texture);
            assert_false(used[posters.poster[i].texture]);
            used[posters.poster[i].texture] = true;
        }
    }
    gallery_frescos_iter frescos = gallery_frescos_begin(k->w);
    while (gallery_frescos_next(&frescos)) {
        for (uint32_t i = 0; i < frescos.count; i++, values++) {
            is_open(k, frescos.fresco.path[i], frescos.fresco.texture[i]);
            assert_int_equal(frescos.fresco.wet[i] & PAINTED, PAINTED);
            assert_false(used[frescos.fresco.texture[i]]);
            used[frescos.fresco.texture[i]] = true;
        }
    }
    gallery_stamps_iter stamps = gallery_stamps_begin(k->w);
    while (gallery_stamps_next(&stamps)) {
        for (uint32_t i = 0; i < stamps.count; i++, values++) {
            is_open(k, stamps.stamp[i]->path, stamps.stamp[i]->texture);
            assert_false(used[stamps.stamp[i]->texture]);
            used[stamps.stamp[i]->texture] = true;
        }
    }
    assert_int_equal(values, k->open);
    for (uint32_t texture = 1; texture <= k->made; texture++) {
        gallery_entity e = gallery_by_texture_find(k->w, texture);
        const gallery_poster *poster = gallery_poster_get(k->w, e);
        if (!gallery_is_none(e)) assert_int_equal(poster->texture, texture);
    }
    assert_int_equal(gallery_by_texture_count(k->w, 0), 0);
    gallery_entity first = gallery_by_fresco_first(k->w);
    if (!gallery_is_none(first)) assert_true(*gallery_fresco_get(k->w, first).texture > 0);
}

// The system is shown so many rows, whose textures it finds open.
static void look(keeper *k, uint32_t rows)
{
    k->seen = 0;
    check(k);
    assert_int_equal(gallery_tick(k->w, 1), WEFT_OK);
    assert_int_equal(k->seen, rows);
    check(k);
}

static int open_gallery(void **state)
{
    keeper *k = (keeper *)calloc(1, sizeof *k);
    assert_non_null(k);
    k->w = gallery_open(&(weft_options){.user = k});
    *state = k;
    return k->w == NULL;
}

static int close_gallery(void **state)
{
    keeper *k = (keeper *)*state;
    gallery_close(k->w);
    int left = (int)k->open;
    free(k);
    return left;
}

// ------------------------------------------------------------------------------------------------
// Tests

static void calls_store_what_on_add_writes(void **state)
{
    keeper *k = (keeper *)*state;
    weft_world *base = gallery_world_base(k->w);
    gallery_entity e = gallery_spawn(k->w);
    assert_true(gallery_poster_set(k->w, e, (gallery_poster){.path = 10}));
    assert_int_equal(gallery_poster_get(k->w, e)->texture, 1);
    assert_true(gallery_stamp_set(k->w, e, (gallery_stamp){.path = 11}));
    assert_int_equal(gallery_stamp_get(k->w, e)->texture, 2);
    gallery_fresco fresco = {.wet = 3, .path = 12, .area = 2.5};
    assert_true(gallery_fresco_set(k->w, e, fresco));
    gallery_fresco_const_columns at = gallery_fresco_get(k->w, e);
    assert_int_equal(*at.texture, 3);
    assert_true(*at.wet == (3 | PAINTED) && *at.path == 12 && *at.area == 2.5);
    assert_int_equal(k->noted, 3);
    look(k, 1);
    gallery_entity named = gallery_spawn(k->w);
    fresco.path = 13;
    assert_int_equal(weft_component_set_by_name(base, named.bits, "fresco", &fresco, sizeof fresco),
                     WEFT_OK);
    assert_int_equal(weft_component_add_by_name(base, named.bits, "stamp"), WEFT_OK);
    check(k);
    const char *text = "{\"components\": {\"poster\": {\"path\": 14}}}";
    assert_int_equal(weft_json_entity_read(base, named.bits, text, strlen(text)), WEFT_OK);
    assert_int_equal(gallery_poster_get(k->w, named)->texture, 6);
    look(k, 1);
    gallery_entity framed = gallery_spawn(k->w); // brings both along
    assert_true(gallery_framed_set(k->w, framed));
    assert_int_equal(*gallery_fresco_get(k->w, framed).path, 7);
    look(k, 1);
}

static void prefabs_store_what_on_add_writes(void **state)
{
    keeper *k = (keeper *)*state;
    gallery_wall wall = gallery_wall_defaults();
    gallery_entity e = gallery_wall_spawn(k->w, NULL);
    assert_int_equal(gallery_poster_get(k->w, e)->texture, 1);
    assert_int_equal(*gallery_fresco_get(k->w, e).texture, 2);
    assert_int_equal(gallery_stamp_get(k->w, e)->texture, 3);
    wall.fresco.path = 20;
    assert_int_equal(gallery_wall_spawn_many(k->w, 5, &wall, NULL), 5);
    look(k, 6);
    gallery_wall_rows rows = gallery_wall_spawn_rows(k->w, 2);
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.fresco.path[1], 2);
    assert_int_not_equal(rows.poster[0].texture, rows.poster[1].texture);
    look(k, 2);
    e = gallery_spawn(k->w);
    assert_true(gallery_wall_set(k->w, e, &wall));
    look(k, 1);
    assert_true(gallery_despawn(k->w, e));
    assert_true(gallery_stamp_clear(k->w));
    look(k, 0);
}

static void commands_store_what_on_add_writes(void **state)
{
    keeper *k = (keeper *)*state;
    gallery_wall wall = gallery_wall_defaults();
    gallery_entity e = gallery_spawn(k->w);
    gallery_cmd *cmd = gallery_commands(k->w);
    gallery_cmd_poster_set(cmd, e, (gallery_poster){.path = 30});
    gallery_cmd_poster_set(cmd, e, (gallery_poster){.path = 31});
    gallery_cmd_fresco_set(cmd, e, (gallery_fresco){.path = 32});
    gallery_cmd_stamp_set(cmd, e, (gallery_stamp){.path = 33});
    gallery_cmd_wall_spawn(cmd, NULL);
    gallery_cmd_wall_spawn_many(cmd, 3, &wall);
    assert_int_equal(gallery_flush(k->w), WEFT_OK);
    assert_int_equal(gallery_poster_get(k->w, e)->path, 31);
    look(k, 5);
    cmd = gallery_commands(k->w);
    gallery_cmd_poster_remove(cmd, e); // it goes and comes back
    gallery_cmd_poster_set(cmd, e, (gallery_poster){.path = 34});
    gallery_cmd_fresco_remove(cmd, e);
    gallery_cmd_fresco_set(cmd, e, (gallery_fresco){.path = 35});
    assert_int_equal(gallery_flush(k->w), WEFT_OK);
    look(k, 1);
}

static void all_rows_of_a_query_get_what_on_add_writes(void **state)
{
    keeper *k = (keeper *)*state;
    for (int i = 0; i < 70; i++) gallery_spawn(k->w);
    assert_int_equal(gallery_everyone_poster_set_all(k->w, (gallery_poster){.path = 40}), WEFT_OK);
    gallery_fresco fresco = {.wet = 1, .path = 41, .area = 9};
    assert_int_equal(gallery_everyone_fresco_set_all(k->w, fresco), WEFT_OK);
    look(k, 70);
    assert_int_equal(gallery_everyone_poster_remove_all(k->w), WEFT_OK);
    assert_int_equal(k->open, 70);
    look(k, 0);
}

static void a_merge_stores_what_on_add_writes(void **state)
{
    keeper *k = (keeper *)*state;
    gallery_world *fragment = gallery_fragment_open(NULL);
    assert_non_null(fragment);
    gallery_wall_spawn_many(fragment, 3, NULL, NULL); // no hook is called there
    assert_int_equal(k->made, 0);
    assert_int_equal(gallery_fragment_merge(k->w, fragment, NULL, 0), WEFT_OK);
    gallery_close(fragment);
    assert_int_equal(k->made, 9);
    look(k, 3);
}

// A load brings numbers of textures that are gone: the hook makes new ones, however often it is
// loaded, and none is left over.
static void a_load_stores_what_on_add_writes(void **state)
{
    keeper *k = (keeper *)*state;
    void *bytes;
    size_t count;
    gallery_wall_spawn_many(k->w, 3, NULL, NULL);
    assert_int_equal(gallery_save_memory(k->w, &bytes, &count), WEFT_OK);
    gallery_wall_spawn_many(k->w, 2, NULL, NULL);
    look(k, 5);
    for (int i = 0; i < 2; i++) {
        uint32_t made = k->made;
        assert_int_equal(gallery_load_memory(k->w, bytes, count), WEFT_OK);
        assert_int_equal(k->made, made + 9);
        assert_int_equal(k->open, 9);
        look(k, 3); // which the save says are yet to be seen
    }
    free(bytes);
}

static void hashes_have_what_on_add_writes(void **state)
{
    keeper *k = (keeper *)*state;
    void *second;
    assert_int_equal(open_gallery(&second), 0);
    keeper *other = (keeper *)second;
    other->made = 50;
    gallery_wall_spawn(k->w, NULL);
    gallery_entity e = gallery_wall_spawn(other->w, NULL);
    assert_true(gallery_hash(k->w) != gallery_hash(other->w));
    gallery_poster_edit(other->w, e)->texture = 1;
    *gallery_fresco_edit(other->w, e).texture = 2;
    gallery_stamp_edit(other->w, e)->texture = 3;
    assert_true(gallery_hash(k->w) == gallery_hash(other->w));
    memcpy(other->path + 1, other->path + 51, 3 * sizeof *other->path); // what is given back
    assert_int_equal(close_gallery(&second), 0);
}

static void step(void *it)
{
    assert_false(gallery_by_fresco_range_next((gallery_by_fresco_range_iter *)it));
}

static void walks_end_when_their_index_has_changed(void **state)
{
    keeper *k = (keeper *)*state;
    gallery_entity e[200];
    for (uint32_t i = 0; i < 200; i++) e[i] = gallery_wall_spawn(k->w, NULL);
    // A single change is merged into the index; of many it is made anew.
    for (uint32_t changed = 1; changed <= 200; changed += 199) {
        gallery_by_fresco_range_iter it = gallery_by_fresco_range_begin(k->w, 0, UINT16_MAX);
        assert_true(gallery_by_fresco_range_next(&it));
        for (uint32_t i = 0; i < changed; i++) (void)gallery_fresco_edit(k->w, e[i]);
        assert_true(gallery_by_fresco_range_next(&it)); // the index has not been asked again
        (void)gallery_by_fresco_first(k->w);
        assert_true(asserts_saying(step, &it, "a walk over an index was used after"));
#ifdef NDEBUG
        step(&it);
        assert_non_null(strstr(gallery_error(k->w), "a walk over an index was used after"));
#endif
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_gallery, close_gallery)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(calls_store_what_on_add_writes),    TEST(prefabs_store_what_on_add_writes),
        TEST(commands_store_what_on_add_writes), TEST(all_rows_of_a_query_get_what_on_add_writes),
        TEST(a_merge_stores_what_on_add_writes), TEST(a_load_stores_what_on_add_writes),
        TEST(hashes_have_what_on_add_writes),    TEST(walks_end_when_their_index_has_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
