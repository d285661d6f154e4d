// Several functions hook one component, and are called in the order of the schema. on_despawn is
// called for every despawned entity, before the hooks of its components.
//
// program: quick worlds plain
#include "theatre.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The calls, in order: "load_texture 0:3" is of entity 0, whose sprite has texture 3.
typedef struct log {
    theatre_world *w;
    char text[2048];
} log;

static void note(const theatre_hook_ctx *ctx, const char *function, theatre_entity e, int value)
{
    log *l = (log *)ctx->user;
    size_t used = strlen(l->text);
    char *end = l->text + used;
    size_t bytes = sizeof l->text - used;
    const char *blank = used == 0 ? "" : " ";
    if (value < 0) snprintf(end, bytes, "%s%s %u", blank, function, (unsigned)(e.bits & 0xFFF));
    if (value >= 0) {
        snprintf(end, bytes, "%s%s %u:%d", blank, function, (unsigned)(e.bits & 0xFFF), value);
    }
}

#define SPRITE_HOOK(name, type)                                                                    \
    void theatre_sprite_##name(const theatre_hook_ctx *ctx, theatre_entity e, type *value)         \
    {                                                                                              \
        note(ctx, #name, e, (int)value->texture);                                                  \
    }
SPRITE_HOOK(load_texture, theatre_sprite)
SPRITE_HOOK(show_on_map, theatre_sprite)
SPRITE_HOOK(hide_on_map, const theatre_sprite)
SPRITE_HOOK(free_texture, const theatre_sprite)

void theatre_gait_stop_sound(const theatre_hook_ctx *ctx, theatre_entity e,
                             const theatre_gait *value)
{
    note(ctx, "stop_sound", e, value->speed);
}

void theatre_lit_cast_shadow(const theatre_hook_ctx *ctx, theatre_entity e)
{
    note(ctx, "cast_shadow", e, -1);
}

void theatre_lit_warm(const theatre_hook_ctx *ctx, theatre_entity e)
{
    note(ctx, "warm", e, -1);
}

void theatre_lit_on_remove(const theatre_hook_ctx *ctx, theatre_entity e)
{
    note(ctx, "dark", e, -1);
}

void theatre_lamp_on_replace(const theatre_hook_ctx *ctx, theatre_entity e,
                             const theatre_lamp *value, const theatre_lamp *new_value)
{
    (void)value;
    note(ctx, "lamp", e, (int)new_value->watts);
}

// The entity is whole yet. What it records is applied as what other hooks record.
void theatre_on_despawn(const theatre_hook_ctx *ctx, theatre_entity e)
{
    log *l = (log *)ctx->user;
    assert_true(theatre_alive(l->w, e));
    const theatre_plain *plain = theatre_plain_get(l->w, e);
    note(ctx, "goes", e, -1);
    if (plain && plain->n == 7) theatre_cmd_spawn(ctx->cmd);
}

static int open_theatre(void **state)
{
    log *l = (log *)calloc(1, sizeof *l);
    assert_non_null(l);
    l->w = theatre_open(&(weft_options){.user = l});
    *state = l;
    return l->w == NULL;
}

static int close_theatre(void **state)
{
    log *l = (log *)*state;
    theatre_close(l->w);
    free(l);
    return 0;
}

static void heard(log *l, const char *expected)
{
    assert_string_equal(l->text, expected);
    l->text[0] = '\0';
}

static void seed_B8_functions_are_called_in_the_order_of_the_schema(void **state)
{
    log *l = (log *)*state;
    theatre_entity e = theatre_spawn(l->w);
    assert_true(theatre_sprite_set(l->w, e, (theatre_sprite){9}));
    heard(l, "load_texture 0:9 show_on_map 0:9");
    assert_true(theatre_sprite_set(l->w, e, (theatre_sprite){8})); // overwritten
    heard(l, "");
    assert_true(theatre_lit_set(l->w, e));
    heard(l, "cast_shadow 0 warm 0");
    assert_true(theatre_lit_remove(l->w, e));
    heard(l, "dark 0");
    assert_true(theatre_sprite_remove(l->w, e));
    heard(l, "hide_on_map 0:8 free_texture 0:8");
}

static void each_hook_is_called_once_when_all_rows_change(void **state)
{
    log *l = (log *)*state;
    theatre_entity e = theatre_spawn(l->w);
    assert_true(theatre_lamp_set(l->w, e, (theatre_lamp){40}));
    heard(l, "cast_shadow 0 warm 0");
    assert_false(theatre_is_none(theatre_spawn(l->w)));
    assert_int_equal(theatre_everyone_lamp_set_all(l->w, (theatre_lamp){60}), WEFT_OK);
    heard(l, "lamp 0:60 cast_shadow 1 warm 1");
    assert_int_equal(theatre_everyone_lamp_set_all(l->w, (theatre_lamp){75}), WEFT_OK);
    heard(l, "lamp 0:75 lamp 1:75");
}

static void on_despawn_comes_before_the_hooks_of_components(void **state)
{
    log *l = (log *)*state;
    theatre_entity actor = theatre_actor_spawn(l->w, NULL);
    theatre_entity plain = theatre_spawn(l->w);
    heard(l, "load_texture 0:3 show_on_map 0:3");
    assert_true(theatre_despawn(l->w, plain));
    heard(l, "goes 1");
    assert_true(theatre_despawn(l->w, actor));
    heard(l, "goes 0 hide_on_map 0:3 free_texture 0:3 stop_sound 0:0");
    assert_false(theatre_despawn(l->w, actor));
    heard(l, "");
}

static void seed_B8_on_despawn_hears_of_children_and_of_commands(void **state)
{
    log *l = (log *)*state;
    theatre_entity e[3];
    for (int i = 0; i < 3; i++) e[i] = theatre_spawn(l->w);
    assert_true(theatre_seat_attach(l->w, e[1], e[0]));
    assert_true(theatre_seat_attach(l->w, e[2], e[1]));
    assert_true(theatre_despawn(l->w, e[0]));
    heard(l, "goes 2 goes 1 goes 0"); // children first
    theatre_entity other = theatre_spawn(l->w);
    theatre_cmd_despawn(theatre_commands(l->w), other);
    heard(l, "");
    assert_int_equal(theatre_flush(l->w), WEFT_OK);
    heard(l, "goes 0");
}

static void on_despawn_records_commands(void **state)
{
    log *l = (log *)*state;
    theatre_entity e = theatre_spawn(l->w);
    assert_true(theatre_plain_set(l->w, e, (theatre_plain){7}));
    theatre_cmd_despawn(theatre_commands(l->w), e);
    assert_int_equal(theatre_flush(l->w), WEFT_OK);
    heard(l, "goes 0");
    assert_int_equal(theatre_stats(l->w).entities, 1); // which it has spawned
}

static void on_despawn_hears_of_a_load_and_of_the_end(void **state)
{
    log *l = (log *)*state;
    void *bytes;
    size_t count;
    theatre_spawn(l->w);
    assert_int_equal(theatre_save_memory(l->w, &bytes, &count), WEFT_OK);
    theatre_entity actor = theatre_actor_spawn(l->w, NULL);
    heard(l, "load_texture 1:3 show_on_map 1:3");
    assert_int_equal(theatre_load_memory(l->w, bytes, count), WEFT_OK);
    assert_false(theatre_alive(l->w, actor));
    heard(l, "goes 0 goes 1 hide_on_map 1:3 free_texture 1:3 stop_sound 1:0");
    theatre_close(l->w);
    heard(l, "goes 0");
    free(bytes);
    l->w = theatre_open(&(weft_options){.user = l});
    assert_non_null(l->w);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_theatre, close_theatre)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(seed_B8_functions_are_called_in_the_order_of_the_schema),
        TEST(each_hook_is_called_once_when_all_rows_change),
        TEST(on_despawn_comes_before_the_hooks_of_components),
        TEST(seed_B8_on_despawn_hears_of_children_and_of_commands),
        TEST(on_despawn_records_commands),
        TEST(on_despawn_hears_of_a_load_and_of_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
