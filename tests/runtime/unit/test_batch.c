// Batches: several changes of one entity, evaluated in order, applied at once.
//
// program: quick moving portable
#include "edit/calls.h"
#include "ground.h"

#include <string.h>

static ground *open_default(void)
{
    return ground_open((fixture_options){0}, 3);
}

static void dead_entities_have_no_batch(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_batch *batch = ground_world(g)->scratch.batch;
    uint64_t e = ground_spawn_empty(g);
    assert_true(weft_batch_begin(batch, e));
    assert_true(ground_despawn(g, e));
    assert_false(weft_batch_begin(batch, e));
    assert_false(weft_batch_begin(batch, 0));
    ground_close(g);
}

static void a_batch_moves_the_row_once(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    weft_batch *batch = world->scratch.batch;
    weft_refusal why;
    uint64_t e = ground_spawn_empty(g);
    uint32_t tables = world->tables.count;
    uint32_t version = weft_version(world);
    assert_true(weft_batch_begin(batch, e));
    assert_true(weft_batch_set(batch, GROUP, NULL, &why));
    assert_true(weft_batch_set(batch, CARGO, NULL, &why));
    assert_true(weft_batch_set(batch, BURNING, &(burning){2}, &why));
    assert_true(weft_batch_set(batch, SELECTED, NULL, &why));
    assert_true(weft_batch_set(batch, POSITION, &(position){3, 4}, &why));
    assert_true(weft_batch_remove(batch, GROUP, &why));
    assert_true(weft_batch_remove(batch, CREW, &why));    // absent
    assert_false(weft_component_has(world, e, POSITION)); // not before commit
    assert_true(weft_batch_commit(batch));
    assert_int_equal(world->tables.count, tables + 1);
    assert_int_equal(weft_version(world), version + 1);
    assert_true(((position *)ground_value(g, e, POSITION))->y == 4);
    assert_true(((burning *)ground_value(g, e, BURNING))->seconds_left == 2);
    assert_int_equal(((cargo *)ground_value(g, e, CARGO))->tons, 10);
    assert_false(weft_component_has(world, e, GROUP));
    world_check(&g->fixture, world);
    ground_close(g);
}

static void what_is_removed_comes_back_with_its_defaults(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    weft_batch *batch = world->scratch.batch;
    weft_refusal why;
    uint64_t e = ground_spawn_empty(g);
    assert_true(weft_component_set(world, e, POSITION, &(position){8, 9}));
    assert_true(weft_component_set(world, e, CURSED, &(cursed){.weight = 77}));
    uint32_t version = weft_version(world);
    assert_true(weft_batch_begin(batch, e));
    assert_true(weft_batch_remove(batch, POSITION, &why));
    assert_true(weft_batch_set(batch, BUILDING, NULL, &why)); // requires position
    assert_true(weft_batch_remove(batch, BUILDING, &why));
    assert_true(weft_batch_remove(batch, CURSED, &why));
    assert_true(weft_batch_set(batch, CURSED, NULL, &why));
    assert_true(weft_batch_commit(batch));
    assert_true(((position *)ground_value(g, e, POSITION))->x == 1);
    assert_int_equal(((cursed *)ground_value(g, e, CURSED))->weight, -1);
    assert_int_equal(weft_version(world), version); // the set is what it was
    world_check(&g->fixture, world);
    ground_close(g);
}

static void refused_changes_say_why_and_leave_the_batch(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_batch *batch = ground_world(g)->scratch.batch;
    weft_refusal why;
    uint64_t e = ground_spawn_empty(g);
    assert_true(weft_batch_begin(batch, e));
    assert_true(weft_batch_set(batch, BUILDING, &(building){3}, &why));
    assert_false(weft_batch_set(batch, LEADER, NULL, &why));
    assert_int_equal(why.status, WEFT_REFUSED);
    assert_int_equal(why.component, LEADER);
    assert_int_equal(why.other, BUILDING);
    assert_true(why.excluded);
    assert_int_equal(why.handle, e);
    assert_false(weft_batch_remove(batch, POSITION, &why));
    assert_int_equal(why.component, POSITION);
    assert_int_equal(why.other, BUILDING);
    assert_false(why.excluded);
    assert_false(weft_batch_set_prefab(batch, VILLAGER, &(villager){.position = {1, 1}}, &why));
    assert_int_equal(why.other, BUILDING);
    assert_true(weft_batch_commit(batch));
    assert_int_equal(((building *)ground_value(g, e, BUILDING))->kind, 3);
    assert_true(((position *)ground_value(g, e, POSITION))->x == 1);
    assert_false(weft_component_has(ground_world(g), e, NAMED));
    assert_false(weft_component_has(ground_world(g), e, VELOCITY));
    assert_false(weft_component_has(ground_world(g), e, SELECTED));
    world_check(&g->fixture, ground_world(g));
    ground_close(g);
}

// A component that excludes another is removed first, since the batch is evaluated in order.
static void order_counts(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    weft_batch *batch = world->scratch.batch;
    weft_refusal why;
    uint64_t e = ground_spawn_empty(g);
    assert_true(ground_add(g, e, BUILDING));
    assert_true(weft_batch_begin(batch, e));
    assert_true(weft_batch_remove(batch, BUILDING, &why));
    assert_true(weft_batch_set(batch, WORKER, NULL, &why));
    assert_false(weft_batch_set(batch, BUILDING, NULL, &why));
    assert_true(weft_batch_commit(batch));
    assert_true(weft_component_has(world, e, WORKER));
    assert_false(weft_component_has(world, e, BUILDING));
    world_check(&g->fixture, world);
    ground_close(g);
}

// What is replaced is the value that the batch has written, not the one that the row still has.
static void a_replaced_value_is_the_last_one(void **state)
{
    (void)state;
    const cursed old = {.by = 0, .weight = 1};
    const cursed other = {.by = 0, .weight = 2};
    ground *g = open_default();
    weft_world *world = ground_world(g);
    weft_batch *batch = world->scratch.batch;
    weft_refusal why;
    uint64_t e = ground_spawn_empty(g);
    assert_true(weft_component_set(world, e, CURSED, &old));
    assert_true(weft_batch_begin(batch, e));
    assert_true(weft_batch_set(batch, CURSED, &other, &why));
    assert_true(weft_batch_replace(batch, CURSED, &old, &why));
    assert_true(weft_batch_commit(batch));
    assert_int_equal(((const cursed *)ground_value(g, e, CURSED))->weight, 1);
    assert_true(weft_batch_begin(batch, e));
    assert_true(weft_batch_replace(batch, CURSED, &other, &why));
    assert_true(weft_batch_replace(batch, CURSED, &old, &why));
    assert_true(weft_batch_commit(batch));
    assert_int_equal(((const cursed *)ground_value(g, e, CURSED))->weight, 1);
    ground_close(g);
}

static void new_entities_are_placed_by_commit(void **state)
{
    (void)state;
    ground *g = open_default();
    weft_world *world = ground_world(g);
    weft_batch *batch = world->scratch.batch;
    weft_format f = world->plan->format;
    weft_refusal why;
    uint32_t index;
    uint32_t generation;
    boss value = {.cursed = {5, 6}, .leader = {4}};
    assert_true(weft_index_ready(&world->entities, &world->heap));
    weft_index_take(&world->entities, f, &index, &generation);
    uint64_t e = weft_handle(f, index, generation);
    weft_batch_begin(batch, e);
    assert_true(weft_batch_set_prefab(batch, BOSS, &value, &why));
    assert_true(weft_batch_remove(batch, ASLEEP, &why));
    assert_true(weft_batch_commit(batch));
    assert_int_equal(model_spawn(&g->model, BOSS, &value), e);
    assert_true(model_remove(&g->model, e, ASLEEP));
    ground_check(g);
    uint32_t version = weft_version(world);
    assert_true(weft_index_ready(&world->entities, &world->heap));
    weft_index_take(&world->entities, f, &index, &generation);
    weft_batch_begin(batch, weft_handle(f, index, generation));
    assert_true(weft_batch_commit(batch));
    assert_int_equal(model_spawn(&g->model, WEFT_NONE, NULL), weft_handle(f, index, generation));
    assert_int_equal(weft_version(world), version + 1);
    ground_check(g);
    ground_close(g);
}

// ------------------------------------------------------------------------------------------------
// Against the model, with and without memory

static void change(ground *g, uint64_t handle)
{
    weft_batch *batch = ground_world(g)->scratch.batch;
    weft_refusal why;
    static model_value values[8]; // good until commit
    uint32_t changes = fixture_below(&g->random, 8);
    for (uint32_t i = 0; i < changes; i++) {
        uint32_t component = fixture_below(&g->random, SPARE + 2);
        uint32_t prefab = fixture_below(&g->random, PREFABS);
        uint32_t chance = fixture_below(&g->random, 8);
        bool done;
        if (chance == 0) {
            values[i] = model_any_value(&g->model, COMPONENTS + prefab);
            done = weft_batch_set_prefab(batch, prefab, values[i].bytes, &why);
            assert_int_equal(done, model_set_prefab(&g->model, handle, prefab, values[i].bytes));
        } else if (chance < 5) {
            values[i] = model_any_value(&g->model, component);
            done = weft_batch_set(batch, component, values[i].bytes, &why);
            assert_int_equal(done, model_set(&g->model, handle, component, values[i].bytes));
        } else {
            bool absent = !model_find(&g->model, handle)->has[component];
            done = weft_batch_remove(batch, component, &why);
            assert_int_equal(done, model_remove(&g->model, handle, component) || absent);
        }
    }
}

static void random_batches_do_what_the_model_does(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){.max_entities = 200}, 4);
    for (uint32_t i = 0; i < 4000; i++) {
        if (i % 4 == 0) ground_step(g);
        uint64_t handle = model_any_handle(&g->model);
        bool begun = weft_batch_begin(ground_world(g)->scratch.batch, handle);
        assert_int_equal(begun, model_find(&g->model, handle) != NULL);
        if (!begun) continue;
        change(g, handle);
        assert_true(weft_batch_commit(ground_world(g)->scratch.batch));
        if (i % 32 == 0) ground_check(g);
    }
    ground_check(g);
    ground_close(g);
}

// Fails at every allocation in turn; the entity is as it was, and the next try succeeds.
static void commit_without_memory_changes_nothing(void **state)
{
    (void)state;
    bool over = false;
    for (size_t fail_at = 1; !over; fail_at++) {
        ground *g = open_default();
        weft_world *world = ground_world(g);
        weft_batch *batch = world->scratch.batch;
        weft_refusal why;
        uint64_t e = ground_spawn(g, VILLAGER);
        assert_true(ground_add(g, e, BURNING));
        boss value = {.leader = {9}};
        uint64_t before = ground_exact(g);
        for (uint32_t again = 0; again < 2; again++) {
            assert_true(weft_batch_begin(batch, e));
            assert_true(weft_batch_remove(batch, BURNING, &why));
            assert_true(weft_batch_remove(batch, VELOCITY, &why));
            assert_true(weft_batch_set(batch, HEAVY, NULL, &why));
            assert_true(weft_batch_set_prefab(batch, BOSS, &value, &why));
            g->memory.calls = 0;
            g->memory.fail_at = again ? 0 : fail_at;
            bool done = weft_batch_commit(batch);
            over = g->memory.calls < fail_at;
            if (done) break;
            assert_int_equal(again, 0);
            assert_int_equal(ground_exact(g), before);
            ground_check(g);
        }
        assert_int_equal(((leader *)ground_value(g, e, LEADER))->rank, 9);
        assert_true(weft_component_has(world, e, HEAVY));
        world_check(&g->fixture, world);
        ground_close(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dead_entities_have_no_batch),
        cmocka_unit_test(a_batch_moves_the_row_once),
        cmocka_unit_test(what_is_removed_comes_back_with_its_defaults),
        cmocka_unit_test(refused_changes_say_why_and_leave_the_batch),
        cmocka_unit_test(order_counts),
        cmocka_unit_test(a_replaced_value_is_the_last_one),
        cmocka_unit_test(new_entities_are_placed_by_commit),
        cmocka_unit_test(random_batches_do_what_the_model_does),
        cmocka_unit_test(commit_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
