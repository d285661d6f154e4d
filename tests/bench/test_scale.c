// Worlds of the largest supported size: 16 million entities, 5,000 tables, 200 tags, 2 billion
// handles. These tests are slow, so `ninja test-scale` runs them and `ninja test` does not.
#include "choice.h"
#include "dense.h"
#include "scale.h"
#include "weft_reflect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define ENTITIES 16000000u
#define TABLES 5000u
#define TABLE_ROWS 3u
#define PARTS 18u
#define TAGS 200u
#define TAGGED 2000u
#define CYCLES 2000000000u

// -------------------------------------------------------------------------------------------------
// 16 million entities: all there, no more, and each finds its own value after a third was replaced.
// x says in thousands and y in ones which spawn it came from, since a float holds 24 bits.

static scale_single scale_value(uint32_t i)
{
    return (scale_single){.part_00 = {(float)(i / 1000), (float)(i % 1000), 0}};
}

static void assert_scale_value(scale_world *w, scale_entity e, uint32_t i)
{
    const scale_part_00 *part = scale_part_00_get(w, e);
    if (!part) fail_msg("entity %u is gone", i);
    if (part->x != (float)(i / 1000) || part->y != (float)(i % 1000)) {
        fail_msg("entity %u has %g, %g", i, part->x, part->y);
    }
}

static void sixteen_million_entities(void **state)
{
    (void)state;
    scale_world *w = scale_open(NULL);
    scale_entity *entities = malloc(ENTITIES * sizeof *entities);
    assert_non_null(w);
    assert_non_null(entities);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        scale_single value = scale_value(i);
        entities[i] = scale_single_spawn(w, &value);
        if (scale_is_none(entities[i])) fail_msg("spawn %u: %s", i, scale_error(w));
    }
    assert_true(scale_is_none(scale_single_spawn(w, NULL)));
    assert_true(scale_is_none(scale_spawn(w)));
    for (uint32_t i = 0; i < ENTITIES; i += 3) {
        scale_entity ended = entities[i];
        if (!scale_despawn(w, ended)) fail_msg("despawn %u: %s", i, scale_error(w));
        if (scale_alive(w, ended)) fail_msg("entity %u lives on", i);
        if (i % 2 != 0) continue;
        scale_single value = scale_value(i);
        entities[i] = scale_single_spawn(w, &value);
        if (scale_is_none(entities[i])) fail_msg("spawn %u again: %s", i, scale_error(w));
        if (scale_alive(w, ended)) fail_msg("the old handle of %u lives on", i);
    }
    uint32_t alive = 0;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        if (i % 6 == 3) {
            if (scale_part_00_get(w, entities[i])) fail_msg("entity %u is back", i);
        } else {
            assert_scale_value(w, entities[i], i);
            alive++;
        }
    }
    assert_int_equal(scale_stats(w).entities, alive);
    assert_int_equal(scale_first_count(w), alive);
    free(entities);
    scale_close(w);
}

// Handles of 32 bits hold as many, where rows and generations share a word.
static void sixteen_million_in_narrow_handles(void **state)
{
    (void)state;
    dense_world *w = dense_open(NULL);
    dense_entity *entities = malloc(ENTITIES * sizeof *entities);
    assert_non_null(w);
    assert_non_null(entities);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        dense_single value = {.part_00 = {(float)(i / 1000), (float)(i % 1000), 0}};
        entities[i] = dense_single_spawn(w, &value);
        if (dense_is_none(entities[i])) fail_msg("spawn %u: %s", i, dense_error(w));
    }
    assert_true(dense_is_none(dense_single_spawn(w, NULL)));
    for (uint32_t i = 0; i < ENTITIES; i += 2) {
        if (!dense_despawn(w, entities[i])) fail_msg("despawn %u: %s", i, dense_error(w));
    }
    for (uint32_t i = 0; i < ENTITIES; i++) {
        const dense_part_00 *part = dense_part_00_get(w, entities[i]);
        if ((part != NULL) != (i % 2 != 0)) fail_msg("entity %u is not what it should be", i);
        if (part && (part->x != (float)(i / 1000) || part->y != (float)(i % 1000))) {
            fail_msg("entity %u has %g, %g", i, part->x, part->y);
        }
    }
    assert_int_equal(dense_stats(w).entities, ENTITIES / 2);
    assert_int_equal(dense_first_count(w), ENTITIES / 2);
    free(entities);
    dense_close(w);
}

// -------------------------------------------------------------------------------------------------
// 5,000 tables

static bool chosen(const choice *c, uint16_t part)
{
    for (uint32_t i = 0; i < CHOICE_PARTS; i++) {
        if (c->part[i] == part) return true;
    }
    return false;
}

static void make_tables(scale_world *w, uint32_t *with_first, uint32_t *with_pair)
{
    choice c = choice_first();
    *with_first = *with_pair = 0;
    for (uint32_t i = 0; i < TABLES; i++) {
        uint16_t first = SCALE_COMPONENT_PART_00;
        assert_true(choice_record(&c, scale_commands(w), first, (float)i, TABLE_ROWS));
        *with_first += chosen(&c, 0) ? TABLE_ROWS : 0;
        *with_pair += chosen(&c, 0) && chosen(&c, 1) ? TABLE_ROWS : 0;
        assert_int_equal(choice_next(&c, PARTS), i + 1 < 8568);
    }
    assert_int_equal(scale_flush(w), WEFT_OK);
}

static void five_thousand_tables(void **state)
{
    (void)state;
    uint32_t with_first;
    uint32_t with_pair;
    scale_world *w = scale_open(NULL);
    assert_non_null(w);
    uint32_t tables = scale_stats(w).tables;
    make_tables(w, &with_first, &with_pair);
    assert_int_equal(scale_stats(w).tables, tables + TABLES);
    assert_int_equal(scale_stats(w).entities, TABLES * TABLE_ROWS);
    assert_int_equal(scale_first_count(w), with_first);
    assert_int_equal(scale_pair_count(w), with_pair);

    // Everybody who has the first part loses it, and goes to a table of four.
    scale_cmd *cmd = scale_commands(w);
    uint32_t seen = 0;
    scale_first_iter it = scale_first_begin(w);
    while (scale_first_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++, seen++) {
            assert_true(it.part_00[i].x == 0 && it.part_00[i].z < TABLE_ROWS);
            assert_true(scale_cmd_part_00_remove(cmd, it.entities[i]));
        }
    }
    assert_int_equal(seen, with_first);
    assert_int_equal(scale_flush(w), WEFT_OK);
    assert_int_equal(scale_first_count(w), 0);
    assert_int_equal(scale_stats(w).entities, TABLES * TABLE_ROWS);
    assert_int_equal(scale_stats(w).tables, tables + TABLES + with_first / TABLE_ROWS);
    scale_close(w);
}

// -------------------------------------------------------------------------------------------------
// 200 tags

static bool wants_tag(uint32_t entity, uint32_t tag)
{
    return ((entity + 1) * (tag + 7) * 2654435761u >> 16) % 3 == 0;
}

static const char *tag_name(uint32_t tag)
{
    static char name[16];
    snprintf(name, sizeof name, "tag_%03u", tag);
    return name;
}

// Every fifth is dead, tag 0 was taken from all if `cleared`.
static void assert_tags(scale_world *w, const scale_entity *entities, bool some_dead, bool cleared)
{
    uint32_t passing = 0;
    for (uint32_t i = 0; i < TAGGED; i++) {
        bool dead = some_dead && i % 5 == 0;
        for (uint32_t t = 0; t < TAGS; t++) {
            bool wanted = !dead && wants_tag(i, t) && !(cleared && t == 0);
            bool has =
                weft_component_has_by_name(scale_world_base(w), entities[i].bits, tag_name(t));
            if (has != wanted) fail_msg("tag %u of entity %u", t, i);
        }
        passing += !dead && !cleared && wants_tag(i, 0) && !wants_tag(i, TAGS - 1);
    }
    assert_int_equal(scale_tagged_count(w), passing);
}

static void two_hundred_tags(void **state)
{
    (void)state;
    scale_world *w = scale_open(NULL);
    static scale_entity entities[TAGGED];
    assert_non_null(w);
    for (uint32_t i = 0; i < TAGGED; i++) {
        entities[i] = scale_single_spawn(w, NULL);
        for (uint32_t t = 0; t < TAGS; t++) {
            if (!wants_tag(i, t)) continue;
            weft_status status =
                weft_component_add_by_name(scale_world_base(w), entities[i].bits, tag_name(t));
            assert_int_equal(status, WEFT_OK);
        }
    }
    assert_tags(w, entities, false, false);
    for (uint32_t i = 0; i < TAGGED; i += 2) {
        assert_true(scale_part_01_set(w, entities[i], (scale_part_01){1, 2, 3}));
    }
    assert_tags(w, entities, false, false);
    for (uint32_t i = 0; i < TAGGED; i += 5) assert_true(scale_despawn(w, entities[i]));
    assert_tags(w, entities, true, false);
    scale_tag_000_clear(w);
    assert_tags(w, entities, true, true);
    scale_close(w);
}

// -------------------------------------------------------------------------------------------------
// 2 billion handles

// One index serves them all, so each handle has to be greater than all before it.
static void two_billion_handles_ascend(void **state)
{
    (void)state;
    scale_world *w = scale_open(NULL);
    assert_non_null(w);
    uint64_t last = 0;
    for (uint32_t i = 0; i < CYCLES; i++) {
        scale_entity e = scale_single_spawn(w, NULL);
        if (e.bits <= last) fail_msg("spawn %u gave %llx", i, (unsigned long long)e.bits);
        last = e.bits;
        if (!scale_despawn(w, e)) fail_msg("despawn %u: %s", i, scale_error(w));
    }
    assert_int_equal(scale_stats(w).indices, 1);
    scale_close(w);
}

// Here indices retire and new ones take their place: a bit for every handle there is says which
// were given out.
static void two_billion_narrow_handles_differ(void **state)
{
    (void)state;
    dense_world *w = dense_open(NULL);
    uint64_t *given = calloc((size_t)1 << 26, sizeof *given);
    assert_non_null(w);
    assert_non_null(given);
    for (uint32_t i = 0; i < CYCLES; i++) {
        dense_entity e = dense_single_spawn(w, NULL);
        uint64_t bit = (uint64_t)1 << (e.bits % 64);
        if (dense_is_none(e)) fail_msg("spawn %u: %s", i, dense_error(w));
        if (given[e.bits / 64] & bit) fail_msg("spawn %u gave %x a second time", i, e.bits);
        given[e.bits / 64] |= bit;
        if (!dense_despawn(w, e)) fail_msg("despawn %u: %s", i, dense_error(w));
    }
    assert_true(dense_stats(w).indices_retired > 0);
    free(given);
    dense_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_million_entities),
        cmocka_unit_test(sixteen_million_in_narrow_handles),
        cmocka_unit_test(five_thousand_tables),
        cmocka_unit_test(two_hundred_tags),
        cmocka_unit_test(two_billion_handles_ascend),
        cmocka_unit_test(two_billion_narrow_handles_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
