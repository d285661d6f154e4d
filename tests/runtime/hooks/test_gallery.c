// on_add fills in a texture that it makes: however a value comes, in each kind of storage, readers,
// indexes and saves have what the hook wrote, and on_remove gives just that back.
#include "gallery.h"
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

typedef struct rooms {
    gallery_world *w;
    uint32_t path[TEXTURES]; // of each texture that is open; 0: it is not
    uint32_t made;           // the last texture
    uint32_t open;
    uint32_t noted; // texture of the last value that a hook of both lists was told of
    uint32_t seen;  // rows that the system was shown
} rooms;

// ------------------------------------------------------------------------------------------------
// The game

static uint32_t load(const gallery_hook_ctx *ctx, uint32_t path)
{
    rooms *r = (rooms *)ctx->user;
    assert_true(++r->made < TEXTURES);
    assert_int_not_equal(path, 0);
    r->path[r->made] = path;
    r->open++;
    return r->made;
}

static void unload(const gallery_hook_ctx *ctx, uint32_t path, uint32_t texture)
{
    rooms *r = (rooms *)ctx->user;
    assert_true(texture < TEXTURES);
    assert_int_equal(r->path[texture], path);
    r->path[texture] = 0;
    r->open--;
}

// It comes after load and before unload.
static void note(const gallery_hook_ctx *ctx, uint32_t path, uint32_t texture)
{
    rooms *r = (rooms *)ctx->user;
    assert_true(texture < TEXTURES);
    assert_int_equal(r->path[texture], path);
    r->noted = texture;
}

#define HOOKS(name, number)                                                                        \
    void gallery_##name##_load(const gallery_hook_ctx *ctx, gallery_entity e,                      \
                               gallery_##name *value)                                              \
    {                                                                                              \
        assert_true(gallery_##name##_has(ctx->world, e));                                          \
        value->texture = (number)load(ctx, value->path);                                           \
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

HOOKS(poster, uint32_t)
HOOKS(fresco, uint16_t)
HOOKS(stamp, uint32_t)

static void is_open(const rooms *r, uint32_t path, uint32_t texture)
{
    assert_true(texture < TEXTURES);
    assert_int_not_equal(texture, 0);
    assert_int_equal(r->path[texture], path);
}

void gallery_look(const gallery_look_ctx *ctx, uint32_t count,
                  const gallery_poster *WEFT_RESTRICT poster, gallery_fresco_const_columns fresco)
{
    rooms *r = (rooms *)ctx->user;
    for (uint32_t i = 0; i < count; i++) {
        is_open(r, poster[i].path, poster[i].texture);
        is_open(r, fresco.path[i], fresco.texture[i]);
    }
    r->seen += count;
}

// ------------------------------------------------------------------------------------------------
// What there is

// Each value of the world has the texture of its path, all of them are different, and there are no
// others; and indexes find them.
static void check(rooms *r)
{
    uint32_t values = 0;
    bool used[TEXTURES] = {false};
    gallery_posters_iter posters = gallery_posters_begin(r->w);
    while (gallery_posters_next(&posters)) {
        for (uint32_t i = 0; i < posters.count; i++, values++) {
            is_open(r, posters.poster[i].path, posters.poster[i].texture);
            assert_false(used[posters.poster[i].texture]);
            used[posters.poster[i].texture] = true;
        }
    }
    gallery_frescos_iter frescos = gallery_frescos_begin(r->w);
    while (gallery_frescos_next(&frescos)) {
        for (uint32_t i = 0; i < frescos.count; i++, values++) {
            is_open(r, frescos.fresco.path[i], frescos.fresco.texture[i]);
            assert_false(used[frescos.fresco.texture[i]]);
            used[frescos.fresco.texture[i]] = true;
        }
    }
    gallery_stamps_iter stamps = gallery_stamps_begin(r->w);
    while (gallery_stamps_next(&stamps)) {
        for (uint32_t i = 0; i < stamps.count; i++, values++) {
            is_open(r, stamps.stamp[i]->path, stamps.stamp[i]->texture);
            assert_false(used[stamps.stamp[i]->texture]);
            used[stamps.stamp[i]->texture] = true;
        }
    }
    assert_int_equal(values, r->open);
    for (uint32_t texture = 1; texture <= r->made; texture++) {
        gallery_entity e = gallery_by_texture_find(r->w, texture);
        const gallery_poster *poster = gallery_poster_get(r->w, e);
        if (!gallery_is_none(e)) assert_int_equal(poster->texture, texture);
    }
    assert_int_equal(gallery_by_texture_count(r->w, 0), 0);
    gallery_entity first = gallery_by_fresco_first(r->w);
    if (!gallery_is_none(first)) assert_true(*gallery_fresco_get(r->w, first).texture > 0);
}

// The system is shown so many rows, whose textures it finds open.
static void look(rooms *r, uint32_t rows)
{
    r->seen = 0;
    check(r);
    assert_int_equal(gallery_tick(r->w, 1), WEFT_OK);
    assert_int_equal(r->seen, rows);
    check(r);
}

static int open_gallery(void **state)
{
    rooms *r = (rooms *)calloc(1, sizeof *r);
    assert_non_null(r);
    r->w = gallery_open(&(weft_options){.user = r});
    *state = r;
    return r->w == NULL;
}

static int close_gallery(void **state)
{
    rooms *r = (rooms *)*state;
    gallery_close(r->w);
    int left = (int)r->open;
    free(r);
    return left;
}

// ------------------------------------------------------------------------------------------------
// Tests

static void calls_store_what_on_add_writes(void **state)
{
    rooms *r = (rooms *)*state;
    weft_world *base = gallery_world_base(r->w);
    gallery_entity e = gallery_spawn(r->w);
    assert_true(gallery_poster_set(r->w, e, (gallery_poster){.path = 10}));
    assert_int_equal(gallery_poster_get(r->w, e)->texture, 1);
    assert_true(gallery_stamp_set(r->w, e, (gallery_stamp){.path = 11}));
    assert_int_equal(gallery_stamp_get(r->w, e)->texture, 2);
    gallery_fresco fresco = {.wet = 3, .path = 12, .area = 2.5};
    assert_true(gallery_fresco_set(r->w, e, fresco));
    gallery_fresco_const_columns at = gallery_fresco_get(r->w, e);
    assert_int_equal(*at.texture, 3);
    assert_true(*at.wet == 3 && *at.path == 12 && *at.area == 2.5);
    assert_int_equal(r->noted, 3);
    look(r, 1);
    gallery_entity named = gallery_spawn(r->w);
    fresco.path = 13;
    assert_int_equal(weft_component_set_by_name(base, named.bits, "fresco", &fresco, sizeof fresco),
                     WEFT_OK);
    assert_int_equal(weft_component_add_by_name(base, named.bits, "stamp"), WEFT_OK);
    check(r);
    const char *text = "{\"components\": {\"poster\": {\"path\": 14}}}";
    assert_int_equal(weft_json_entity_read(base, named.bits, text, strlen(text)), WEFT_OK);
    assert_int_equal(gallery_poster_get(r->w, named)->texture, 6);
    look(r, 1);
    gallery_entity framed = gallery_spawn(r->w); // brings both along
    assert_true(gallery_framed_set(r->w, framed));
    assert_int_equal(*gallery_fresco_get(r->w, framed).path, 7);
    look(r, 1);
}

static void prefabs_store_what_on_add_writes(void **state)
{
    rooms *r = (rooms *)*state;
    gallery_wall wall = gallery_wall_defaults();
    gallery_entity e = gallery_wall_spawn(r->w, NULL);
    assert_int_equal(gallery_poster_get(r->w, e)->texture, 1);
    assert_int_equal(*gallery_fresco_get(r->w, e).texture, 2);
    assert_int_equal(gallery_stamp_get(r->w, e)->texture, 3);
    wall.fresco.path = 20;
    assert_int_equal(gallery_wall_spawn_many(r->w, 5, &wall, NULL), 5);
    look(r, 6);
    gallery_wall_rows rows = gallery_wall_spawn_rows(r->w, 2);
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.fresco.path[1], 2);
    assert_int_not_equal(rows.poster[0].texture, rows.poster[1].texture);
    look(r, 2);
    e = gallery_spawn(r->w);
    assert_true(gallery_wall_set(r->w, e, &wall));
    look(r, 1);
    assert_true(gallery_despawn(r->w, e));
    assert_true(gallery_stamp_clear(r->w));
    look(r, 0);
}

static void commands_store_what_on_add_writes(void **state)
{
    rooms *r = (rooms *)*state;
    gallery_wall wall = gallery_wall_defaults();
    gallery_entity e = gallery_spawn(r->w);
    gallery_cmd *cmd = gallery_commands(r->w);
    gallery_cmd_poster_set(cmd, e, (gallery_poster){.path = 30});
    gallery_cmd_poster_set(cmd, e, (gallery_poster){.path = 31});
    gallery_cmd_fresco_set(cmd, e, (gallery_fresco){.path = 32});
    gallery_cmd_stamp_set(cmd, e, (gallery_stamp){.path = 33});
    gallery_cmd_wall_spawn(cmd, NULL);
    gallery_cmd_wall_spawn_many(cmd, 3, &wall);
    assert_int_equal(gallery_flush(r->w), WEFT_OK);
    assert_int_equal(gallery_poster_get(r->w, e)->path, 31);
    look(r, 5);
    cmd = gallery_commands(r->w);
    gallery_cmd_poster_remove(cmd, e); // it goes and comes back
    gallery_cmd_poster_set(cmd, e, (gallery_poster){.path = 34});
    gallery_cmd_fresco_remove(cmd, e);
    gallery_cmd_fresco_set(cmd, e, (gallery_fresco){.path = 35});
    assert_int_equal(gallery_flush(r->w), WEFT_OK);
    look(r, 1);
}

static void all_rows_of_a_query_get_what_on_add_writes(void **state)
{
    rooms *r = (rooms *)*state;
    for (int i = 0; i < 70; i++) gallery_spawn(r->w);
    assert_int_equal(gallery_everyone_poster_set_all(r->w, (gallery_poster){.path = 40}), WEFT_OK);
    gallery_fresco fresco = {.wet = 1, .path = 41, .area = 9};
    assert_int_equal(gallery_everyone_fresco_set_all(r->w, fresco), WEFT_OK);
    look(r, 70);
    assert_int_equal(gallery_everyone_poster_remove_all(r->w), WEFT_OK);
    assert_int_equal(r->open, 70);
    look(r, 0);
}

static void a_merge_stores_what_on_add_writes(void **state)
{
    rooms *r = (rooms *)*state;
    gallery_world *fragment = gallery_fragment_open(NULL);
    assert_non_null(fragment);
    gallery_wall_spawn_many(fragment, 3, NULL, NULL); // no hook is called there
    assert_int_equal(r->made, 0);
    assert_int_equal(gallery_fragment_merge(r->w, fragment, NULL, 0), WEFT_OK);
    gallery_close(fragment);
    assert_int_equal(r->made, 9);
    look(r, 3);
}

// What a load brings has the numbers of textures that are gone: the hook makes new ones, however
// often it is loaded, and none is left over.
static void a_load_stores_what_on_add_writes(void **state)
{
    rooms *r = (rooms *)*state;
    void *bytes;
    size_t count;
    gallery_wall_spawn_many(r->w, 3, NULL, NULL);
    assert_int_equal(gallery_save_memory(r->w, &bytes, &count), WEFT_OK);
    gallery_wall_spawn_many(r->w, 2, NULL, NULL);
    look(r, 5);
    for (int i = 0; i < 2; i++) {
        uint32_t made = r->made;
        assert_int_equal(gallery_load_memory(r->w, bytes, count), WEFT_OK);
        assert_int_equal(r->made, made + 9);
        assert_int_equal(r->open, 9);
        look(r, 3); // which the save says are yet to be seen
    }
    free(bytes);
}

static void hashes_have_what_on_add_writes(void **state)
{
    rooms *r = (rooms *)*state;
    void *second;
    assert_int_equal(open_gallery(&second), 0);
    rooms *other = (rooms *)second;
    other->made = 50;
    gallery_wall_spawn(r->w, NULL);
    gallery_entity e = gallery_wall_spawn(other->w, NULL);
    assert_true(gallery_hash(r->w) != gallery_hash(other->w));
    gallery_poster_edit(other->w, e)->texture = 1;
    *gallery_fresco_edit(other->w, e).texture = 2;
    gallery_stamp_edit(other->w, e)->texture = 3;
    assert_true(gallery_hash(r->w) == gallery_hash(other->w));
    memcpy(other->path + 1, other->path + 51, 3 * sizeof *other->path); // what is given back
    assert_int_equal(close_gallery(&second), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_gallery, close_gallery)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(calls_store_what_on_add_writes),    TEST(prefabs_store_what_on_add_writes),
        TEST(commands_store_what_on_add_writes), TEST(all_rows_of_a_query_get_what_on_add_writes),
        TEST(a_merge_stores_what_on_add_writes), TEST(a_load_stores_what_on_add_writes),
        TEST(hashes_have_what_on_add_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
