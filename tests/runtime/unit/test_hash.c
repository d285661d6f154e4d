// State hashes: they have the numbers of the definition, and change exactly if the state changes.
//
// program: quick units portable byte_order
#include "edit/apply.h"
#include "edit/calls.h"
#include "fields_fixture.h"
#include "hash_vectors.h"
#include "record/places.h"
#include "save/hash.h"
#include "value/visit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t state(const zoo_world *world)
{
    return weft_world_hash(&world->base);
}

static uint64_t exact(const zoo_world *world)
{
    return weft_world_hash_exact(&world->base, NULL, 0);
}

static uint64_t spawn(zoo_world *world)
{
    uint64_t handle = weft_spawn_empty(&world->base);
    assert_int_not_equal(handle, 0);
    return handle;
}

// An empty entity; the handle is that of the last row, where it is put.
static uint64_t spawn_by_command(zoo_world *world)
{
    const weft_table *empty = world->base.tables.items[0];
    assert_int_not_equal(weft_command_spawn(&world->base.commands.buffers[0], WEFT_NONE, NULL, 0),
                         0);
    assert_int_equal(weft_commands_apply(&world->base), WEFT_OK);
    return weft_handle_load(world->base.plan->format, weft_column(empty, 0), empty->count - 1);
}

static void despawn(zoo_world *world, uint64_t handle)
{
    assert_true(weft_despawn(&world->base, handle));
}

static void set(zoo_world *world, uint64_t handle, zoo_component component, const void *value)
{
    if (component == ZOO_SELECTED || component == ZOO_HIDDEN) {
        assert_true(weft_component_set(&world->base, handle, component, NULL));
    } else {
        const void *defaults = zoo_schema.components[component].defaults;
        assert_true(weft_component_set(&world->base, handle, component, value ? value : defaults));
    }
}

static void drop(zoo_world *world, uint64_t handle, zoo_component component)
{
    assert_true(weft_component_remove(&world->base, handle, component));
}

// Where a field of a component lies.
static void *member(const zoo_world *world, uint64_t handle, zoo_component component,
                    uint32_t field)
{
    const weft_plan *plan = world->base.plan;
    weft_place place = {0};
    assert_true(weft_find(&world->base.entities, plan->format, handle, &place));
    uint16_t store = plan->components[component].sparse;
    if (store == WEFT_NONE) {
        const weft_table *table = world->base.tables.items[place.table];
        return weft_row_member(plan, table, place.row, component, field);
    }
    uint32_t index = weft_handle_index(plan->format, handle);
    unsigned char *value = (unsigned char *)weft_sparse_find(&world->base.sparse[store], index);
    return value + plan->schema->components[component].fields[field].offset;
}

// ------------------------------------------------------------------------------------------------
// A scene with everything in it, which test_hash_vectors.py describes too

typedef struct scene {
    zoo_world *world;
    uint64_t ann, bob, cid, dan, fay;
} scene;

static zoo_worker ann_worker(const scene *s)
{
    zoo_worker worker;
    memset(&worker, 0xa5, sizeof worker); // whatever is not set below must not matter
    worker.job = ZOO_JOB_HAUL;
    worker.target.bits = s->bob;
    memcpy(worker.skill, (const uint8_t[]){1, 2, 100, 0}, 4);
    memcpy(worker.name, "ann", 4);
    worker.route.count = 2;
    zoo_stop *home = &worker.route.items[0];
    home->at = (zoo_vec2){1.5f, -2.0f};
    home->wait = 60;
    home->guide.bits = 0;
    memcpy(home->label, "home", 4);
    home->scenic = true;
    zoo_stop *away = &worker.route.items[1];
    away->at = (zoo_vec2){0.1f, 1e30f * 1e30f};
    away->wait = 513;
    away->guide.bits = s->dan;
    away->label[0] = '\0';
    away->scenic = false;
    worker.friends.count = 1;
    worker.friends.items[0].bits = UINT64_C(0x100000003); // dead
    worker.plans.count = 0;
    worker.lucky = true;
    worker.money = UINT64_MAX;
    worker.debt = INT64_MIN;
    worker.level = -5;
    worker.weight = 70.5;
    worker.frame = (zoo_mat2){{1.0f, 0.0f, -0.0f, 1.0f}};
    return worker;
}

static void set_ann(const scene *s)
{
    zoo_worker worker = ann_worker(s);
    set(s->world, s->ann, ZOO_POSITION, &(zoo_position){1023.5f, -0.0f});
    set(s->world, s->ann, ZOO_WORKER, &worker);
}

static const zoo_velocity bob_velocity = {
    0.25f, -3.0f, 200, {.count = 2, .items = {7, 65535, 99}}, 12345};

// Seven entities are spawned, three die, one comes back: index 5 in its second generation.
static scene spawn_scene(void)
{
    scene s = {.world = zoo_open(&zoo_plan)};
    uint64_t first[7];
    for (int i = 0; i < 7; i++) first[i] = spawn(s.world);
    for (int i = 1; i < 7; i += 2) despawn(s.world, first[i]);
    s.ann = first[0];
    s.bob = first[2];
    s.cid = first[4];
    s.fay = first[6];
    s.dan = spawn_by_command(s.world);
    assert_int_equal(s.dan, UINT64_C(0x200000005));
    s.world->calendar.day = 12;
    s.world->calendar.hour = 23.5f;
    memcpy(s.world->calendar.mood, "rather cheerful", 16);
    s.world->base.tick = 77;
    return s;
}

static scene make_scene(void)
{
    scene s = spawn_scene();
    set_ann(&s);
    set(s.world, s.ann, ZOO_SPRITE, NULL);
    set(s.world, s.ann, ZOO_SELECTED, NULL);
    set(s.world, s.ann, ZOO_HIDDEN, NULL);
    set(s.world, s.cid, ZOO_BUILDING, &(zoo_building){513});
    set(s.world, s.cid, ZOO_BURNING, NULL);
    set(s.world, s.cid, ZOO_SELECTED, NULL);
    set(s.world, s.dan, ZOO_VELOCITY, NULL);
    set(s.world, s.bob, ZOO_VELOCITY, &bob_velocity);
    set(s.world, s.bob, ZOO_BURNING, &(zoo_burning){9, 2.5f, {s.ann}});
    set(s.world, s.bob, ZOO_SCORCHED, NULL);
    return s;
}

// Makes that scene, entity by entity and value by value, in another order and with detours.
static scene make_scene_otherwise(void)
{
    scene s = spawn_scene();
    set(s.world, s.bob, ZOO_SCORCHED, &(zoo_scorched){200});
    set(s.world, s.bob, ZOO_BURNING, &(zoo_burning){9, 2.5f, {s.ann}});
    set(s.world, s.bob, ZOO_VELOCITY, &bob_velocity);
    set(s.world, s.fay, ZOO_WORKER, NULL);
    set(s.world, s.fay, ZOO_SPRITE, NULL);
    set(s.world, s.dan, ZOO_BURNING, NULL);
    set(s.world, s.dan, ZOO_SPRITE, NULL);
    set(s.world, s.dan, ZOO_VELOCITY, &bob_velocity);
    set(s.world, s.dan, ZOO_VELOCITY, NULL);
    drop(s.world, s.dan, ZOO_SPRITE);
    drop(s.world, s.dan, ZOO_BURNING);
    set(s.world, s.ann, ZOO_SPRITE, &(zoo_sprite){99});
    set(s.world, s.ann, ZOO_SELECTED, NULL);
    set_ann(&s);
    drop(s.world, s.fay, ZOO_SPRITE);
    drop(s.world, s.fay, ZOO_WORKER);
    set(s.world, s.cid, ZOO_BURNING, NULL);
    set(s.world, s.cid, ZOO_SELECTED, NULL);
    set(s.world, s.cid, ZOO_HIDDEN, NULL);
    set(s.world, s.cid, ZOO_BUILDING, &(zoo_building){513});
    s.world->calendar.cache = 4711;
    s.world->camera.zoom = 2.0;
    return s;
}

// ------------------------------------------------------------------------------------------------
// Vectors

static void empty_world_has_the_hash_of_the_definition(void **test)
{
    (void)test;
    zoo_world *world = zoo_open(&zoo_plan);
    assert_int_equal(state(world), HASH_EMPTY_STATE);
    assert_int_equal(exact(world), HASH_EMPTY_EXACT);
    zoo_close(world);
}

static void scene_has_the_hash_of_the_definition(void **test)
{
    (void)test;
    scene s = make_scene();
    const double clocks[] = {0.125, 3.0};
    assert_int_equal(state(s.world), HASH_SCENE_STATE);
    assert_int_equal(weft_world_hash_exact(&s.world->base, clocks, 2), HASH_SCENE_EXACT);
    zoo_close(s.world);
}

// Narrow records, a retired index and a free one.
static void tiny_world_has_the_hash_of_the_definition(void **test)
{
    (void)test;
    zoo_world *world = zoo_open(&zoo_tiny_plan);
    uint64_t handles[4];
    for (int i = 0; i < 4; i++) handles[i] = spawn(world);
    despawn(world, handles[0]);
    for (int generation = 2; generation <= 7; generation++) despawn(world, spawn(world));
    despawn(world, handles[2]);
    despawn(world, spawn(world));
    spawn(world);
    despawn(world, handles[3]);
    assert_int_equal(state(world), HASH_TINY_STATE);
    assert_int_equal(exact(world), HASH_TINY_EXACT);
    zoo_close(world);
}

// ------------------------------------------------------------------------------------------------
// Equal worlds

static void equal_worlds_are_equal_however_they_came_about(void **test)
{
    (void)test;
    scene a = make_scene();
    scene b = make_scene_otherwise();
    assert_int_equal(state(a.world), state(b.world));
    assert_int_not_equal(exact(a.world), exact(b.world)); // rows and slots are in another order
    zoo_close(a.world);
    zoo_close(b.world);
}

static void equal_histories_are_exactly_equal(void **test)
{
    (void)test;
    scene a = make_scene();
    scene b = make_scene();
    assert_int_equal(exact(a.world), exact(b.world));
    zoo_close(a.world);
    zoo_close(b.world);
}

static void what_is_not_part_of_a_value_changes_nothing(void **test)
{
    (void)test;
    scene s = make_scene();
    uint64_t before = state(s.world);
    zoo_worker worker = ann_worker(&s);
    worker.name[5] = 'z';                  // behind the NUL
    worker.route.items[2].wait = 9;        // beyond the count
    worker.friends.items[1].bits = s.fay;  // so too
    worker.secret ^= 1;                    // save = false
    worker.route.items[0].cache ^= 1;      // in a struct in a list
    ((unsigned char *)&worker)[1] ^= 0xff; // padding behind job
    set(s.world, s.ann, ZOO_WORKER, &worker);
    assert_int_equal(state(s.world), before);
    zoo_close(s.world);
}

// ------------------------------------------------------------------------------------------------
// Different worlds

typedef struct flips {
    const zoo_world *world;
    uint64_t before;
    bool saved; // whether the component is
    uint32_t count;
} flips;

// Flips a bit of each leaf, sees whether the hash notices, and flips it back.
static bool flip_leaves(weft_visitor *v, const weft_leaves *leaves)
{
    flips *f = (flips *)v->context;
    const weft_field *field = leaves->field;
    for (size_t i = 0; i < leaves->count; i++) {
        unsigned char *at = leaves->at + i * leaves->stride;
        uint32_t bytes =
            leaves->type == WEFT_TYPE_CHAR ? weft_string_bytes(field, at) : leaves->bytes;
        unsigned char *last = at + (bytes == 0 ? 0 : bytes - 1);
        *last ^= 1;
        bool noticed = state(f->world) != f->before;
        *last ^= 1;
        f->count++;
        if (noticed != (f->saved && field->save)) fail_msg("field '%s'", field->name);
    }
    return true;
}

static void every_leaf_counts_exactly_if_it_is_saved(void **test)
{
    (void)test;
    scene s = make_scene();
    flips f = {.world = s.world, .before = state(s.world)};
    weft_visitor v = {.schema = &zoo_schema,
                      .leaves = flip_leaves,
                      .context = &f,
                      .types = WEFT_VISIT_ALL,
                      .in_order = true};
    const uint64_t handles[] = {s.ann, s.bob, s.cid, s.dan};
    for (uint32_t i = 0; i < sizeof handles / sizeof *handles; i++) {
        for (uint32_t c = 0; c < ZOO_COMPONENT_COUNT; c++) {
            const weft_component_info *info = &zoo_schema.components[c];
            if (!weft_component_has(&s.world->base, handles[i], c)) continue;
            f.saved = info->save;
            for (uint32_t k = 0; k < info->field_count; k++) {
                weft_visit_members(&v, &info->fields[k],
                                   member(s.world, handles[i], (zoo_component)c, k), 0, 1);
            }
        }
    }
    f.saved = true;
    weft_visit_values(&v, zoo_schema.singletons[0].fields, 4, &s.world->calendar, 0, 1);
    f.saved = false;
    weft_visit_values(&v, zoo_schema.singletons[1].fields, 1, &s.world->camera, 0, 1);
    assert_in_range(f.count, 60, 100); // it did walk
    assert_int_equal(state(s.world), f.before);
    zoo_close(s.world);
}

static void presence_counts_but_for_tags_that_are_not_saved(void **test)
{
    (void)test;
    static const bool counts[] = {
        [ZOO_POSITION] = true, [ZOO_VELOCITY] = true, [ZOO_WORKER] = true,   [ZOO_SPRITE] = true,
        [ZOO_BURNING] = true,  [ZOO_SCORCHED] = true, [ZOO_SELECTED] = true, [ZOO_HIDDEN] = false,
    };
    zoo_world *world = zoo_open(&zoo_plan);
    uint64_t e = spawn(world);
    uint64_t before = state(world);
    for (uint32_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        set(world, e, (zoo_component)c, NULL);
        assert_int_equal(state(world) != before, counts[c]);
        drop(world, e, (zoo_component)c);
        assert_int_equal(state(world), before);
    }
    zoo_close(world);
}

static void it_counts_who_has_what(void **test)
{
    (void)test;
    zoo_world *world = zoo_open(&zoo_plan);
    uint64_t a = spawn(world);
    uint64_t b = spawn(world);
    set(world, a, ZOO_POSITION, &(zoo_position){1, 0});
    set(world, b, ZOO_POSITION, &(zoo_position){2, 0});
    uint64_t one_way = state(world);
    set(world, a, ZOO_POSITION, &(zoo_position){2, 0});
    set(world, b, ZOO_POSITION, &(zoo_position){1, 0});
    assert_int_not_equal(state(world), one_way);
    set(world, a, ZOO_SELECTED, NULL);
    uint64_t a_selected = state(world);
    drop(world, a, ZOO_SELECTED);
    set(world, b, ZOO_SELECTED, NULL);
    assert_int_not_equal(state(world), a_selected);
    zoo_close(world);
}

static void it_counts_who_is_alive(void **test)
{
    (void)test;
    zoo_world *world = zoo_open(&zoo_plan);
    uint64_t nobody = state(world);
    uint64_t first = spawn(world);
    uint64_t somebody = state(world);
    assert_int_not_equal(somebody, nobody);
    despawn(world, first);
    assert_int_equal(state(world), nobody);
    spawn(world); // another generation of its index
    assert_int_not_equal(state(world), somebody);
    zoo_close(world);
}

static void floats_count_bit_by_bit(void **test)
{
    (void)test;
    zoo_world *world = zoo_open(&zoo_plan);
    uint32_t bits[] = {0x00000000, 0x80000000, 0x7fc00000, 0x7fc00001}; // 0, -0, two NaN
    uint64_t hashes[4];
    for (int i = 0; i < 4; i++) {
        memcpy(&world->calendar.hour, &bits[i], sizeof bits[i]);
        hashes[i] = state(world);
        for (int k = 0; k < i; k++) assert_int_not_equal(hashes[k], hashes[i]);
    }
    zoo_close(world);
}

static uint32_t bits_set(uint64_t bits)
{
    uint32_t n = 0;
    for (; bits != 0; bits &= bits - 1) n++;
    return n;
}

// Every bit that goes in moves about half of those that come out.
static void a_flipped_bit_avalanches(void **test)
{
    (void)test;
    scene s = make_scene();
    uint64_t before = state(s.world);
    uint64_t *money = (uint64_t *)member(s.world, s.ann, ZOO_WORKER, 8);
    uint32_t moved = 0;
    for (int bit = 0; bit < 64; bit++) {
        *money ^= (uint64_t)1 << bit;
        uint32_t now = bits_set(state(s.world) ^ before);
        *money ^= (uint64_t)1 << bit;
        assert_in_range(now, 12, 52);
        moved += now;
    }
    assert_in_range(moved / 64, 29, 35);
    zoo_close(s.world);
}

// ------------------------------------------------------------------------------------------------
// The exact hash

static void order_of_rows_is_exact(void **test)
{
    (void)test;
    zoo_world *a = zoo_open(&zoo_plan);
    zoo_world *b = zoo_open(&zoo_plan);
    for (int i = 0; i < 3; i++) assert_int_equal(spawn(a), spawn(b));
    set(a, 0x100000000, ZOO_POSITION, NULL);
    set(a, 0x100000001, ZOO_POSITION, NULL);
    set(b, 0x100000001, ZOO_POSITION, NULL);
    set(b, 0x100000000, ZOO_POSITION, NULL);
    assert_int_equal(state(a), state(b));
    assert_int_not_equal(exact(a), exact(b));
    zoo_close(a);
    zoo_close(b);
}

// Which tables were made first, or stand empty, decides nothing.
static void order_of_tables_is_not_exact(void **test)
{
    (void)test;
    zoo_world *a = zoo_open(&zoo_plan);
    zoo_world *b = zoo_open(&zoo_plan);
    for (int i = 0; i < 2; i++) assert_int_equal(spawn(a), spawn(b));
    set(a, 0x100000000, ZOO_POSITION, NULL);
    set(a, 0x100000001, ZOO_SPRITE, NULL);
    set(b, 0x100000001, ZOO_WORKER, NULL);
    drop(b, 0x100000001, ZOO_WORKER);
    set(b, 0x100000001, ZOO_SPRITE, NULL);
    set(b, 0x100000000, ZOO_POSITION, NULL);
    assert_int_equal(exact(a), exact(b));
    zoo_close(a);
    zoo_close(b);
}

static void order_of_sparse_slots_is_exact(void **test)
{
    (void)test;
    zoo_world *a = zoo_open(&zoo_plan);
    zoo_world *b = zoo_open(&zoo_plan);
    for (int i = 0; i < 2; i++) assert_int_equal(spawn(a), spawn(b));
    set(a, 0x100000000, ZOO_BURNING, NULL);
    set(a, 0x100000001, ZOO_BURNING, NULL);
    set(b, 0x100000001, ZOO_BURNING, NULL);
    set(b, 0x100000000, ZOO_BURNING, NULL);
    assert_int_equal(state(a), state(b));
    assert_int_not_equal(exact(a), exact(b));
    zoo_close(a);
    zoo_close(b);
}

static void order_of_free_indices_is_exact(void **test)
{
    (void)test;
    zoo_world *a = zoo_open(&zoo_plan);
    zoo_world *b = zoo_open(&zoo_plan);
    for (int i = 0; i < 2; i++) assert_int_equal(spawn(a), spawn(b));
    despawn(a, 0x100000000);
    despawn(a, 0x100000001);
    despawn(b, 0x100000001);
    despawn(b, 0x100000000);
    assert_int_equal(state(a), state(b));
    assert_int_not_equal(exact(a), exact(b));
    zoo_close(a);
    zoo_close(b);
}

static void generations_of_free_indices_are_exact(void **test)
{
    (void)test;
    zoo_world *world = zoo_open(&zoo_plan);
    despawn(world, spawn(world));
    uint64_t once = exact(world);
    despawn(world, spawn(world));
    assert_int_equal(state(world), HASH_EMPTY_STATE);
    assert_int_not_equal(exact(world), once);
    zoo_close(world);
}

// A command takes the index that a call would have taken.
static void spawn_commands_are_as_calls(void **test)
{
    (void)test;
    zoo_world *a = zoo_open(&zoo_plan);
    zoo_world *b = zoo_open(&zoo_plan);
    assert_int_equal(spawn(a), spawn_by_command(b));
    assert_int_equal(state(a), state(b));
    assert_int_equal(exact(a), exact(b));
    zoo_close(a);
    zoo_close(b);
}

static void tick_and_clocks_are_exact(void **test)
{
    (void)test;
    zoo_world *world = zoo_open(&zoo_plan);
    const double clocks[] = {0.0, -0.0};
    uint64_t before = exact(world);
    world->base.tick++;
    assert_int_equal(state(world), HASH_EMPTY_STATE);
    assert_int_not_equal(exact(world), before);
    world->base.tick--;
    uint64_t one = weft_world_hash_exact(&world->base, clocks, 1);
    assert_int_not_equal(one, before);
    assert_int_not_equal(weft_world_hash_exact(&world->base, clocks + 1, 1), one);
    assert_int_equal(exact(world), before);
    zoo_close(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_world_has_the_hash_of_the_definition),
        cmocka_unit_test(scene_has_the_hash_of_the_definition),
        cmocka_unit_test(tiny_world_has_the_hash_of_the_definition),
        cmocka_unit_test(equal_worlds_are_equal_however_they_came_about),
        cmocka_unit_test(equal_histories_are_exactly_equal),
        cmocka_unit_test(what_is_not_part_of_a_value_changes_nothing),
        cmocka_unit_test(every_leaf_counts_exactly_if_it_is_saved),
        cmocka_unit_test(presence_counts_but_for_tags_that_are_not_saved),
        cmocka_unit_test(it_counts_who_has_what),
        cmocka_unit_test(it_counts_who_is_alive),
        cmocka_unit_test(floats_count_bit_by_bit),
        cmocka_unit_test(a_flipped_bit_avalanches),
        cmocka_unit_test(order_of_rows_is_exact),
        cmocka_unit_test(order_of_tables_is_not_exact),
        cmocka_unit_test(order_of_sparse_slots_is_exact),
        cmocka_unit_test(order_of_free_indices_is_exact),
        cmocka_unit_test(generations_of_free_indices_are_exact),
        cmocka_unit_test(spawn_commands_are_as_calls),
        cmocka_unit_test(tick_and_clocks_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
