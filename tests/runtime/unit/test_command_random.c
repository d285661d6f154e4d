// Long random sequences of commands in all buffers, compared with the model, and commands without
// memory.
//
// program: quick moving optimised portable
// flags: hot
#include "edit/apply.h"
#include "edit/calls.h"
#include "ground.h"
#include "record/places.h"
#include "run/lifecycle.h"

#include <string.h>

static weft_commands *buffer(ground *g, uint32_t n)
{
    return &ground_world(g)->commands.buffers[n];
}

// ------------------------------------------------------------------------------------------------
// A random walk

typedef struct walker {
    ground *g;
    uint64_t spawned[FIXTURE_BUFFERS][MODEL_COMMANDS]; // by commands that are not applied yet
    uint32_t spawned_count[FIXTURE_BUFFERS];
    uint64_t recent; // by a command of an earlier time
} walker;

// Picks the entity of a command: often one that the buffer spawns, now and then one that another
// buffer spawns, or that was spawned earlier.
static uint64_t any_target(walker *w, uint32_t n)
{
    fixture_random *random = &w->g->random;
    uint32_t chance = fixture_below(random, 10);
    uint32_t from = chance == 0 ? fixture_below(random, FIXTURE_BUFFERS) : n;
    if (chance == 1) return w->recent;
    if (chance > 4 || w->spawned_count[from] == 0) return model_any_handle(&w->g->model);
    return w->spawned[from][fixture_below(random, w->spawned_count[from])];
}

// A value in which handles may be promised.
static model_value any_value(walker *w, uint32_t n, uint32_t component)
{
    model_value value = model_any_value(&w->g->model, component);
    if (component == WORKER) ((worker *)(void *)value.bytes)->target = any_target(w, n);
    if (component == CURSED) ((cursed *)(void *)value.bytes)->by = any_target(w, n);
    if (component == GROUP) ((group *)(void *)value.bytes)->bonds[0].to = any_target(w, n);
    if (component == GROUP) ((group *)(void *)value.bytes)->members.items[1] = any_target(w, n);
    if (component == CREW) ((crew *)(void *)value.bytes)->seat.to = any_target(w, n);
    if (component == COMPONENTS + BOSS) {
        ((boss *)(void *)value.bytes)->cursed.by = any_target(w, n);
    }
    return value;
}

static uint32_t prefab_bytes(uint32_t prefab)
{
    if (prefab == VILLAGER) return sizeof(villager);
    return prefab == BOSS ? sizeof(boss) : 0;
}

static void record_spawn(walker *w, uint32_t n)
{
    ground *g = w->g;
    uint32_t prefab = fixture_below(&g->random, PREFABS + 1);
    bool empty = prefab == PREFABS;
    uint16_t what = empty ? WEFT_NONE : (uint16_t)prefab;
    uint32_t bytes = empty ? 0 : prefab_bytes(prefab);
    model_value value = empty ? (model_value){{0}} : any_value(w, n, COMPONENTS + prefab);
    uint64_t handle = weft_command_spawn(buffer(g, n), what, value.bytes, bytes);
    assert_int_equal(handle, model_take(&g->model));
    if (handle == 0) {
        g->model.lost++;
        return;
    }
    weft_command command = {.kind = WEFT_COMMAND_SPAWN, .what = what, .handle = handle};
    model_record(&g->model, n, command, 0, &value);
    w->spawned[n][w->spawned_count[n]++] = handle;
}

static void record_spawn_many(walker *w, uint32_t n)
{
    ground *g = w->g;
    uint16_t prefab = (uint16_t)fixture_below(&g->random, PREFABS);
    uint32_t count = fixture_below(&g->random, 5);
    uint32_t bytes = prefab_bytes(prefab);
    model_value value = any_value(w, n, COMPONENTS + prefab);
    assert_true(weft_command_spawn_many(buffer(g, n), prefab, count, value.bytes, bytes));
    weft_command command = {.kind = WEFT_COMMAND_SPAWN_MANY, .what = prefab};
    model_record(&g->model, n, command, count, &value);
}

static void record(walker *w, uint32_t n, weft_command_kind kind, uint32_t what, uint64_t handle,
                   uint32_t bytes, const model_value *value)
{
    weft_command command = {.kind = (uint8_t)kind, .what = (uint16_t)what, .handle = handle};
    assert_true(
        weft_command_record(buffer(w->g, n), kind, (uint16_t)what, handle, value->bytes, bytes));
    model_record(&w->g->model, n, command, 0, value);
}

static void record_set(walker *w, uint32_t n, uint32_t component)
{
    uint64_t handle = any_target(w, n);
    model_value value = any_value(w, n, component);
    record(w, n, WEFT_COMMAND_SET, component, handle, w->g->fixture.infos[component].size, &value);
}

static void record_any(walker *w)
{
    static const uint32_t tags[] = {SELECTED, HIDDEN, NAMED, FAMOUS, ASLEEP, ROYAL, HEAVY};
    static const model_value no_value;
    ground *g = w->g;
    uint32_t n = fixture_below(&g->random, FIXTURE_BUFFERS);
    uint32_t chance = fixture_below(&g->random, 100);
    uint32_t component = fixture_below(&g->random, SPARE + 2);
    if (component >= SPARE) component = CARGO + component - SPARE;
    if (chance < 15) {
        record_spawn(w, n);
    } else if (chance < 17) {
        record_spawn_many(w, n);
    } else if (chance < 30) {
        record(w, n, WEFT_COMMAND_DESPAWN, WEFT_NONE, any_target(w, n), 0, &no_value);
    } else if (chance < 65) {
        record_set(w, n, component);
    } else if (chance < 88) {
        record(w, n, WEFT_COMMAND_REMOVE, component, any_target(w, n), 0, &no_value);
    } else if (chance < 98) {
        uint32_t prefab = fixture_below(&g->random, PREFABS);
        model_value value = any_value(w, n, COMPONENTS + prefab);
        record(w, n, WEFT_COMMAND_SET_PREFAB, prefab, any_target(w, n), prefab_bytes(prefab),
               &value);
    } else {
        uint32_t tag = tags[fixture_below(&g->random, sizeof tags / sizeof tags[0])];
        record(w, n, WEFT_COMMAND_CLEAR, tag, 0, 0, &no_value);
    }
}

static void apply(walker *w)
{
    ground *g = w->g;
    uint32_t lost = 0;
    for (uint32_t n = 0; n < FIXTURE_BUFFERS; n++) {
        lost += buffer(g, n)->lost;
        if (w->spawned_count[n] != 0) w->recent = w->spawned[n][0];
        w->spawned_count[n] = 0;
    }
    weft_status status = weft_commands_apply(ground_world(g));
    weft_status expected = model_apply(&g->model);
    assert_int_equal(status, lost != 0 ? WEFT_FULL : expected);
    ground_check(g);
}

static void walk(ground *g, uint32_t rounds)
{
    walker w = {.g = g};
    for (uint32_t i = 0; i < rounds; i++) {
        uint32_t commands = fixture_below(&g->random, i % 8 == 0 ? 200 : 24);
        for (uint32_t k = 0; k < commands; k++) {
            record_any(&w);
            if (fixture_below(&g->random, 8) == 0) ground_step(g); // in between, from outside
        }
        apply(&w);
    }
}

static const fixture_options shapes[] = {
    {.max_entities = 400},
    {.index_bits = 8, .generation_bits = 3, .max_entities = 40},
    {.index_bits = 6, .generation_bits = 2, .max_entities = 200},
    {.index_bits = 10, .generation_bits = 4, .max_entities = 60, .recycle_after = 5},
    {.index_bits = 5, .generation_bits = 20, .max_entities = 31, .recycle_after = 2},
};

// In hard mode every change moves every table, which takes ten times as long, and nearly all
// allocations are those moves. The first seeds are left to the other builds, and so are most
// failures.
#ifdef WEFT_HARD
enum { SEED_FIRST = 4, SEED_LAST = 4, FAILURES_APART = 13 };
#else
enum { SEED_FIRST = 1, SEED_LAST = 3, FAILURES_APART = 1 };
#endif

static void random_commands_do_what_the_model_does(void **state)
{
    (void)state;
    for (uint32_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
        for (uint64_t seed = SEED_FIRST; seed <= SEED_LAST; seed++) {
            ground *g = ground_open(shapes[shape], seed);
            walk(g, 120);
            assert_true(g->model.dropped > 100);
            ground_close(g);
        }
    }
}

static void the_same_commands_make_the_same_world(void **state)
{
    (void)state;
    uint64_t exact[2];
    for (uint32_t i = 0; i < 2; i++) {
        ground *g = ground_open(shapes[0], 6);
        g->memory.no_reserve = i;
        walk(g, 60);
        exact[i] = ground_exact(g);
        ground_close(g);
    }
    assert_int_equal(exact[0], exact[1]);
}

// ------------------------------------------------------------------------------------------------
// Without memory

#define MEMBERS 40

// Entities that each have a batch of their own: a few of them ended, the others changed in full.
static void record_batches(ground *g, const uint64_t *handles)
{
    weft_commands *commands = buffer(g, 0);
    boss value = {.leader = {1}};
    for (uint32_t i = 0; i < MEMBERS; i++) {
        uint64_t e = handles[i];
        const uint32_t components[] = {GROUP, CURSED, BURNING, CREW};
        if (i % 8 == 7) {
            weft_command_record(commands, WEFT_COMMAND_DESPAWN, WEFT_NONE, e, NULL, 0);
            continue;
        }
        weft_command_record(commands, WEFT_COMMAND_REMOVE, VELOCITY, e, NULL, 0);
        for (uint32_t k = 0; k < 4; k++) {
            const weft_component_info *info = &g->fixture.infos[components[k]];
            weft_command_record(commands, WEFT_COMMAND_SET, (uint16_t)components[k], e,
                                info->defaults, info->size);
        }
        weft_command_record(commands, WEFT_COMMAND_SET, NAMED, e, NULL, 0);
        uint64_t added = weft_command_spawn(commands, BOSS, &value, sizeof value);
        if (i % 8 > 3) weft_command_record(commands, WEFT_COMMAND_SET, SPARE, added, NULL, 0);
    }
    weft_command_spawn_many(commands, BOSS, 30, &value, sizeof value);
    weft_command_record(commands, WEFT_COMMAND_CLEAR, SELECTED, 0, NULL, 0);
}

// An entity has all of its batch, or nothing of it.
static uint32_t check_batches(ground *g, const uint64_t *handles)
{
    weft_world *world = ground_world(g);
    uint32_t changed = 0;
    for (uint32_t i = 0; i < MEMBERS; i++) {
        uint64_t e = handles[i];
        bool has = weft_component_has(world, e, GROUP);
        if (i % 8 == 7) {
            assert_false(weft_component_has(world, e, POSITION)); // ending takes no memory
            continue;
        }
        assert_true(weft_component_has(world, e, POSITION));
        assert_int_equal(weft_component_has(world, e, VELOCITY), !has);
        assert_int_equal(weft_component_has(world, e, CURSED), has);
        assert_int_equal(weft_component_has(world, e, BURNING), has);
        assert_int_equal(weft_component_has(world, e, CREW), has);
        assert_int_equal(weft_component_has(world, e, NAMED), has);
        changed += has;
    }
    return changed;
}

static uint32_t commands_in(const weft_world *world, const weft_commands *commands)
{
    uint32_t count = 0;
    for (size_t offset = 0; offset < commands->used; count++) {
        offset += weft_command_bytes(world->plan, weft_command_at(commands, offset));
    }
    return count;
}

// True: everything went well, since nothing was left to fail.
static bool applying_with(size_t fail_at, bool fail_on)
{
    ground *g = ground_open((fixture_options){0}, 2);
    weft_world *world = ground_world(g);
    uint64_t handles[MEMBERS];
    for (uint32_t i = 0; i < MEMBERS; i++) handles[i] = ground_spawn(g, VILLAGER);
    record_batches(g, handles);
    uint32_t recorded = commands_in(world, buffer(g, 0));
    g->memory.calls = 0;
    g->memory.fail_at = fail_at;
    g->memory.fail_on = fail_on;
    weft_status status = weft_commands_apply(world);
    bool over = g->memory.calls < fail_at;
    g->memory.fail_at = 0;
    weft_stats stats = weft_world_stats(world);
    assert_int_equal(status != WEFT_OK, stats.commands_lost != 0);
    assert_true(status == WEFT_OK || status == WEFT_NO_MEMORY);
    if (status == WEFT_OK) assert_int_equal(stats.commands_dropped, 0);
    world_check(&g->fixture, world);
    if (stats.commands_lost != recorded) {
        uint32_t changed = check_batches(g, handles);
        if (status == WEFT_OK) assert_int_equal(changed, MEMBERS - MEMBERS / 8);
    }
    record_batches(g, handles); // all of it again
    assert_int_equal(weft_commands_apply(world), WEFT_OK);
    assert_int_equal(check_batches(g, handles), MEMBERS - MEMBERS / 8);
    world_check(&g->fixture, world);
    ground_close(g);
    return over;
}

static void without_memory_whole_batches_are_lost(void **state)
{
    (void)state;
    for (uint32_t fail_on = 0; fail_on < 2; fail_on++) {
        size_t fail_at = 1;
        while (!applying_with(fail_at, fail_on)) fail_at += FAILURES_APART;
        assert_true(fail_at > 10);
    }
}

static void what_cannot_be_recorded_is_lost(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){0}, 2);
    weft_world *world = ground_world(g);
    uint64_t e = ground_spawn_empty(g);
    position p = {6, 7};
    g->memory.fail_at = g->memory.calls + 1;
    assert_int_equal(weft_command_spawn(buffer(g, 1), WEFT_NONE, NULL, 0), 0);
    assert_int_equal(world->report.refusal.status, WEFT_NO_MEMORY);
    assert_string_equal(g->log, "no memory to record a command");
    g->memory.fail_at = 0;
    uint32_t version = weft_version(world);
    assert_true(weft_command_record(buffer(g, 1), WEFT_COMMAND_SET, POSITION, e, &p, sizeof p));
    assert_int_equal(weft_version(world), version);
    assert_int_equal(weft_commands_apply(world), WEFT_NO_MEMORY);
    assert_int_equal(weft_world_stats(world).commands_lost, 1);
    assert_memory_equal(ground_value(g, e, POSITION), &p, sizeof p);
    assert_int_equal(weft_commands_apply(world), WEFT_OK);
    ground_close(g);
}

// A command that could not be recorded outweighs one that found no space, whichever comes first.
static void no_memory_is_reported_before_no_space(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){.max_entities = 1}, 2);
    weft_world *world = ground_world(g);
    ground_spawn_empty(g);
    for (uint32_t n = 0; n < 2; n++) {
        assert_int_equal(weft_command_spawn(buffer(g, 1), WEFT_NONE, NULL, 0), 0);
        g->memory.fail_at = g->memory.calls + 1;
        g->memory.fail_on = true;
        while (weft_command_record(buffer(g, 2 * n), WEFT_COMMAND_CLEAR, SPARE, 0, NULL, 0)) {
        }
        g->memory.fail_at = 0;
        assert_int_equal(weft_commands_apply(world), WEFT_NO_MEMORY);
        assert_int_equal(weft_world_stats(world).commands_lost, 2 * n + 2);
    }
    ground_close(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_commands_do_what_the_model_does),
        cmocka_unit_test(the_same_commands_make_the_same_world),
        cmocka_unit_test(without_memory_whole_batches_are_lost),
        cmocka_unit_test(what_cannot_be_recorded_is_lost),
        cmocka_unit_test(no_memory_is_reported_before_no_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
