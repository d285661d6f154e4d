// Properties that need the whole way from the schema to running systems: handles, lists,
// singletons, queries, columns of any mix.
//
// program: quick moving released byte_order
#define _POSIX_C_SOURCE 200809L // support/asserts.h

#include "../../support/asserts.h"
#include "lab_test.h"

#include <stdlib.h>

static void seed_F1_a_handle_is_24_bits_of_index_and_8_of_generation(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    const lab_entity none = {0};
    assert_int_equal(sizeof(lab_entity), 4);
    assert_true(lab_is_none(none));
    assert_false(lab_alive(w, none));
    for (uint32_t index = 0; index < 3; index++) {
        lab_entity e = lab_spawn(w);
        assert_int_equal(e.bits & 0xFFFFFFu, index);
        assert_int_equal(e.bits >> 24, 1);
        assert_false(lab_is_none(e));
    }
}

static void an_enum_has_names_and_a_number_of_values(void **state)
{
    (void)state;
    assert_int_equal(LAB_MOOD_COUNT, 3);
    assert_string_equal(lab_mood_name(LAB_MOOD_CALM), "calm");
    assert_string_equal(lab_mood_name(LAB_MOOD_GLAD), "glad");
    assert_string_equal(lab_mood_name(LAB_MOOD_COUNT), "?");
    assert_string_equal(lab_mood_name(255), "?");
}

static void values_begin_with_what_the_schema_gives(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    assert_int_equal(lab_temper_defaults().mood, LAB_MOOD_GLAD);
    assert_int_equal(lab_temper_defaults().past.count, 0);
    assert_true(lab_body_defaults().mass == 1.0f && lab_body_defaults().x == 0.0f);
    assert_int_equal(lab_rate_defaults().steps[1], 2);
    assert_true(lab_wet_defaults().depth == 0.0f);
    lab_weather_edit(w)->wind = 9.0f;
    *lab_weather_edit(w) = lab_weather_defaults();
    assert_true(lab_weather_get(w)->wind == 0.5f);
}

static void a_list_takes_items_up_to_its_capacity(void **state)
{
    (void)state;
    lab_enchanted enchanted = lab_enchanted_defaults();
    lab_enchanted_spells *spells = &enchanted.spells;
    assert_int_equal(LAB_ENCHANTED_SPELLS_CAPACITY, 4);
    assert_false(lab_enchanted_spells_remove_at(spells, 0));
    for (uint16_t kind = 1; kind <= LAB_ENCHANTED_SPELLS_CAPACITY; kind++) {
        assert_true(lab_enchanted_spells_push(spells, (lab_spell){.kind = kind}));
    }
    assert_false(lab_enchanted_spells_push(spells, (lab_spell){.kind = 5}));
    assert_int_equal(spells->count, 4);
    assert_int_equal(spells->items[3].kind, 4);
}

static void a_list_whose_count_is_broken_is_left_alone(void **state)
{
    lab_enchanted_spells spells = {.count = LAB_ENCHANTED_SPELLS_CAPACITY + 1};
    (void)state;
    assert_false(lab_enchanted_spells_push(&spells, (lab_spell){.kind = 1}));
    assert_false(lab_enchanted_spells_remove_at(&spells, 0));
    assert_int_equal(spells.count, LAB_ENCHANTED_SPELLS_CAPACITY + 1);
}

static void what_is_taken_out_of_a_list_leaves_order_and_zeros(void **state)
{
    const lab_spell zero = {0};
    lab_enchanted_spells spells = {.count = 0};
    (void)state;
    for (uint16_t kind = 1; kind <= 4; kind++) {
        lab_enchanted_spells_push(&spells, (lab_spell){.kind = kind, .seconds_left = 1.0f});
    }
    assert_false(lab_enchanted_spells_remove_at(&spells, 4));
    assert_true(lab_enchanted_spells_remove_at(&spells, 1));
    assert_int_equal(spells.count, 3);
    assert_int_equal(spells.items[0].kind, 1);
    assert_int_equal(spells.items[1].kind, 3);
    assert_int_equal(spells.items[2].kind, 4);
    assert_memory_equal(&spells.items[3], &zero, sizeof zero);
    assert_true(lab_enchanted_spells_remove_at(&spells, 2));
    assert_int_equal(spells.items[1].kind, 3);
    assert_memory_equal(&spells.items[2], &zero, sizeof zero);
    assert_true(lab_enchanted_spells_remove_at(&spells, 0));
    assert_true(lab_enchanted_spells_remove_at(&spells, 0));
    assert_false(lab_enchanted_spells_remove_at(&spells, 0));
    assert_int_equal(spells.count, 0);
}

static void a_query_of_one_row_names_it(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    assert_true(lab_is_none(lab_headings_only(w)));
    lab_entity first = walker_at(w, 0, 0);
    assert_true(lab_same(lab_headings_only(w), first));
    lab_entity second = walker_at(w, 1, 0);
    assert_true(lab_is_none(lab_headings_only(w)));
    lab_despawn(w, first);
    assert_true(lab_same(lab_headings_only(w), second));
    lab_entity boiler = lab_boiler_spawn(w, NULL);
    assert_true(lab_same(lab_gauges_only(w), boiler));
    lab_kettle_spawn(w, NULL); // without an engine
    assert_true(lab_same(lab_gauges_only(w), boiler));
    lab_boiler_spawn(w, NULL);
    assert_true(lab_is_none(lab_gauges_only(w)));
}

static void the_rows_of_a_query_are_despawned(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    assert_int_equal(lab_gauges_despawn_all(w), WEFT_OK); // there is none
    lab_entity walker = walker_at(w, 0, 0);
    lab_entity kettle = lab_kettle_spawn(w, NULL); // without an engine
    assert_int_equal(lab_boiler_spawn_many(w, 100, NULL, NULL), 100);
    assert_int_equal(lab_gauges_despawn_all(w), WEFT_OK);
    assert_int_equal(lab_gauges_count(w), 0);
    assert_int_equal(lab_stats(w).entities, 2);
    assert_true(lab_alive(w, walker) && lab_alive(w, kettle));
}

static void a_reset_leaves_a_world_as_it_was_opened(void **state)
{
    lab *l = (lab *)*state;
    lab_world *fresh = lab_open(&(weft_options){.user = &l->trace});
    lab_entity e = walker_at(l->w, 0, 0);
    assert_int_equal(lab_boiler_spawn_many(l->w, 100, NULL, NULL), 100);
    lab_wet_set(l->w, e, (lab_wet){2});
    lab_weather_edit(l->w)->days = 5;
    size_t bytes = lab_stats(l->w).bytes_allocated;
    assert_int_equal(lab_reset(l->w), WEFT_OK);
    assert_int_equal(lab_stats(l->w).entities, 0);
    assert_int_equal(lab_stats(l->w).bytes_allocated, bytes);
    assert_int_equal(lab_gauges_count(l->w), 0);
    assert_false(lab_alive(l->w, e));
    assert_int_equal(lab_weather_get(l->w)->days, 0);
    assert_true(lab_hash(l->w) == lab_hash(fresh));
    assert_int_equal(lab_spawn(l->w).bits, (2u << 24) | 0); // the lowest index comes first
    assert_int_equal(lab_tick(l->w, 0.25), WEFT_OK);
    assert_int_equal(lab_reset(l->w), WEFT_OK);
    assert_int_equal(lab_stats(l->w).ticks, 1);
    lab_close(fresh);
}

static void seed_B3_a_body_is_parallel_arrays_of_fields(void **state)
{
    lab *l = (lab *)*state;
    lab_stone_rows rows = lab_stone_spawn_rows(l->w, 100);
    assert_int_equal(rows.count, 100);
    const lab_body_columns body = rows.body;
    for (uint32_t i = 0; i < rows.count; i++) {
        body.mass[i] = 2;
        body.x[i] = body.y[i] = body.vx[i] = body.force_y[i] = 0;
        body.vy[i] = 4;
        body.force_x[i] = (float)i;
    }
    assert_int_equal(lab_tick(l->w, 0.5), WEFT_OK);
    for (uint32_t i = 0; i < rows.count; i++) {
        const lab_body_const_columns at = lab_body_get(l->w, rows.entities[i]);
        assert_ptr_equal(at.x, body.x + i);
        assert_true(*at.vx == (float)i / 4);
        assert_true(*at.x == (float)i / 8);
        assert_true(*at.y == 2);
    }
}

static void seed_B7_one_entity_has_several_spells(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    lab_entity e = lab_spawn(w);
    lab_enchanted enchanted = {0};
    for (uint16_t kind = 1; kind <= 4; kind++) {
        enchanted.spells.items[enchanted.spells.count++] = (lab_spell){kind, 0.5f * kind};
    }
    assert_true(lab_enchanted_set(w, e, enchanted));
    assert_int_equal(sizeof enchanted.spells.items / sizeof enchanted.spells.items[0], 4);

    lab_enchanted *edited = lab_enchanted_edit(w, e);
    edited->spells.items[0] = edited->spells.items[--edited->spells.count];
    assert_true(lab_heading_set(w, e, (lab_heading){0})); // it moves, and its list with it
    const lab_enchanted *kept = lab_enchanted_get(w, e);
    assert_int_equal(kept->spells.count, 3);
    assert_int_equal(kept->spells.items[0].kind, 4);
    assert_true(kept->spells.items[2].seconds_left == 1.5f);
}

static void seed_C2_a_query_mixes_columns_to_read_and_to_write(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    lab_entity plain = walker_at(w, 1, 2);
    lab_entity wet = walker_at(w, 3, 4);
    assert_true(lab_wet_set(w, wet, (lab_wet){.depth = 8}));
    assert_true(lab_seen_set(w, wet));

    uint32_t rows = 0;
    lab_headings_iter it = lab_headings_begin(w);
    while (lab_headings_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++, rows++) {
            const lab_wet *water = it.wet != NULL ? it.wet[i] : NULL;
            assert_true((water != NULL) == lab_same(it.entities[i], wet));
            assert_true(lab_headings_seen_has(&it, i) == lab_same(it.entities[i], wet));
            it.place[i].at.x += it.heading[i].to.x + (water != NULL ? water->depth : 0);
        }
    }
    assert_int_equal(rows, 2);
    assert_true(lab_place_get(w, plain)->at.x == 3);
    assert_true(lab_place_get(w, wet)->at.x == 13);
}

// A system meets all that have at least what it asks for, whatever else, and none with less.
static void seed_N2_a_system_selects_by_superset(void **state)
{
    lab *l = (lab *)*state;
    lab_entity exact = walker_at(l->w, 0, 0);
    lab_entity more = walker_at(l->w, 0, 0);
    lab_entity less = lab_spawn(l->w);
    assert_true(lab_body_set(l->w, more, (lab_body){.mass = 1}));
    assert_true(lab_enchanted_set(l->w, more, (lab_enchanted){0}));
    assert_true(lab_wet_set(l->w, more, (lab_wet){0}) && lab_seen_set(l->w, more));
    assert_true(lab_place_set(l->w, less, (lab_place){0}));
    assert_int_equal(lab_tick(l->w, 0.5), WEFT_OK);
    assert_true(lab_place_get(l->w, exact)->at.x == 1);
    assert_true(lab_place_get(l->w, more)->at.x == 1);
    assert_true(lab_place_get(l->w, less)->at.x == 0);
    assert_true(lab_heading_remove(l->w, more));
    assert_true(lab_heading_set(l->w, less, (lab_heading){{4, 0}}));
    assert_int_equal(lab_tick(l->w, 0.5), WEFT_OK);
    assert_true(lab_place_get(l->w, exact)->at.x == 2);
    assert_true(lab_place_get(l->w, more)->at.x == 1);
    assert_true(lab_place_get(l->w, less)->at.x == 2);
}

static void seed_N4_a_singleton_is_one_value_for_the_world(void **state)
{
    lab *l = (lab *)*state;
    assert_true(lab_weather_get(l->w)->wind == 0.5f);
    lab_weather_edit(l->w)->wind = 0;
    for (int tick = 0; tick < 3; tick++) assert_int_equal(lab_tick(l->w, 0.25), WEFT_OK);
    assert_int_equal(lab_weather_get(l->w)->days, 3);
    assert_string_equal(l->trace.text, "becalmed close_day becalmed close_day becalmed close_day");
}

// ---- commands of one kind, which need not be linked by entity

#define CROWD 700u // more than the first capacity of a table

enum { PLACED, UNPLACED, WETTED, DRIED, SEEN, UNSEEN };

static void record_one(lab_cmd *cmd, int kind, lab_entity e, float value)
{
    if (kind == PLACED) lab_cmd_place_set(cmd, e, (lab_place){{value, 0}});
    if (kind == UNPLACED) lab_cmd_place_remove(cmd, e);
    if (kind == WETTED) lab_cmd_wet_set(cmd, e, (lab_wet){value});
    if (kind == DRIED) lab_cmd_wet_remove(cmd, e);
    if (kind == SEEN) lab_cmd_seen_set(cmd, e);
    if (kind == UNSEEN) lab_cmd_seen_remove(cmd, e);
}

// On everybody out of order, on some again with another value, on one who is dead.
static void record_crowd(lab_world *w, int kind, const lab_entity *crowd)
{
    lab_cmd *cmd = lab_commands(w);
    for (uint32_t i = 0; i < CROWD; i++) {
        record_one(cmd, kind, crowd[i * 11 % CROWD], (float)i);
        if (i % 3 == 0) record_one(cmd, kind, crowd[i * 5 % CROWD], -(float)i);
    }
}

static void spawn_crowd(lab_world *w, lab_entity *crowd, lab_entity *other)
{
    for (uint32_t i = 0; i < CROWD; i++) crowd[i] = lab_spawn(w);
    *other = lab_spawn(w);
    assert_true(lab_despawn(w, crowd[13]));
}

// In the second world a command of another kind stands behind them.
static void commands_alike_do_what_they_do_among_others(void **state)
{
    static const int kinds[] = {PLACED, UNPLACED, PLACED, WETTED, DRIED,    WETTED,
                                SEEN,   UNSEEN,   SEEN,   DRIED,  UNPLACED, UNSEEN};
    static lab_entity crowd[CROWD];
    lab_entity other;
    lab_world *alike = ((lab *)*state)->w;
    lab_world *among = lab_open(NULL);
    assert_non_null(among);
    spawn_crowd(alike, crowd, &other);
    spawn_crowd(among, crowd, &other);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const lab_heading heading = {{(float)i, 0}};
        record_crowd(alike, kinds[i], crowd);
        record_crowd(among, kinds[i], crowd);
        lab_cmd_heading_set(lab_commands(among), other, heading);
        assert_int_equal(lab_flush(alike), WEFT_OK);
        assert_int_equal(lab_flush(among), WEFT_OK);
        assert_true(lab_heading_set(alike, other, heading));
        assert_int_equal(lab_hash_exact(alike), lab_hash_exact(among));
        assert_int_equal(lab_stats(alike).commands_dropped, lab_stats(among).commands_dropped);
    }
    assert_true(lab_stats(alike).commands_dropped > 0);
    lab_close(among);
}

// ---- what the programmer got wrong: debug builds assert, release builds refuse

static void next_headings(void *it)
{
    assert_false(lab_headings_next((lab_headings_iter *)it));
}

static void a_stale_iterator_asserts(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    walker_at(w, 0, 0);
    lab_headings_iter it = lab_headings_begin(w);
    lab_spawn(w);
    assert_true(asserts_saying(next_headings, &it,
                               "an iterator was used after a structural change, and ended there"));
#ifdef NDEBUG
    next_headings(&it);
    assert_string_equal(lab_error(w), "an iterator was used after a structural change, and ended "
                                      "there: begin it anew, or change by commands what it goes "
                                      "over");
#endif
}

// A load puts other tables in the place of those that the iterator goes over.
static void an_iterator_held_over_a_load_asserts(void **state)
{
    lab_world *w = ((lab *)*state)->w;
    void *bytes;
    size_t count;
    walker_at(w, 0, 0);
    assert_int_equal(lab_save_memory(w, &bytes, &count), WEFT_OK);
    lab_headings_iter it = lab_headings_begin(w);
    assert_int_equal(lab_load_memory(w, bytes, count), WEFT_OK);
    assert_true(
        asserts_saying(next_headings, &it, "an iterator was used after a structural change"));
#ifdef NDEBUG
    next_headings(&it);
    assert_non_null(strstr(lab_error(w), "an iterator was used after a structural change"));
#endif
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(seed_F1_a_handle_is_24_bits_of_index_and_8_of_generation),
        LAB_TEST(an_enum_has_names_and_a_number_of_values),
        LAB_TEST(values_begin_with_what_the_schema_gives),
        LAB_TEST(a_list_takes_items_up_to_its_capacity),
        LAB_TEST(a_list_whose_count_is_broken_is_left_alone),
        LAB_TEST(what_is_taken_out_of_a_list_leaves_order_and_zeros),
        LAB_TEST(a_query_of_one_row_names_it),
        LAB_TEST(the_rows_of_a_query_are_despawned),
        LAB_TEST(a_reset_leaves_a_world_as_it_was_opened),
        LAB_TEST(seed_B3_a_body_is_parallel_arrays_of_fields),
        LAB_TEST(seed_B7_one_entity_has_several_spells),
        LAB_TEST(seed_C2_a_query_mixes_columns_to_read_and_to_write),
        LAB_TEST(seed_N2_a_system_selects_by_superset),
        LAB_TEST(seed_N4_a_singleton_is_one_value_for_the_world),
        LAB_TEST(commands_alike_do_what_they_do_among_others),
        LAB_TEST(an_iterator_held_over_a_load_asserts),
        LAB_TEST(a_stale_iterator_asserts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
