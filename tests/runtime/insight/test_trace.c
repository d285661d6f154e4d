// Last writes: random worlds, in which whatever is written is found out a second time by full
// copies that know nothing of tables, and both agree on who wrote what in which tick.
#include "tavern.h"

#include "insight/leaf.h"
#include "weft_json.h"
#include "weft_reflect.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { INDICES = 12, OWNERS = 8, LEAVES = 24, EXPECTED = 20000, WRITES = 1 << 16 };

// By number the components, then the singleton, then the relation.
static const char *const owners[OWNERS] = {"purse", "body", "fever", "bag",
                                           "drunk", "pose", "till",  "seated_at"};
#define TILL (OWNERS - 2)
#define SEAT (OWNERS - 1)

// -------------------------------------------------------------------------------------------------
// Full copies

typedef struct leaf_text {
    char path[32];
    char text[32];
} leaf_text;

typedef struct value_copy {
    bool has;
    uint64_t handle;
    uint32_t count;
    leaf_text leaves[LEAVES];
} value_copy;

typedef struct expected {
    uint64_t tick;
    const char *writer;
    bool commands;
    weft_write_kind kind;
    uint64_t handle;
    uint32_t owner;
    leaf_text before; // its path is the path
    char after[32];
} expected;

typedef struct oracle {
    work work;
    tavern_world *world;
    const char *writer;
    bool commands;
    value_copy copies[INDICES][OWNERS];
    uint32_t count;
    expected writes[EXPECTED];
} oracle;

static oracle *o;

static bool copy_leaf(void *context, const char *path, const weft_leaf_ref *leaf)
{
    value_copy *copy = context;
    char text[WEFT_LEAF_TEXT_BYTES];
    assert_true(copy->count < LEAVES);
    weft_leaf_text(tavern_world_base(o->world)->plan, leaf, text);
    snprintf(copy->leaves[copy->count].path, 32, "%s", path);
    snprintf(copy->leaves[copy->count++].text, 32, "%.31s", text);
    return true;
}

static void copy_parent(value_copy *copy)
{
    tavern_entity parent =
        tavern_seated_at_parent(o->world, (tavern_entity){(uint32_t)copy->handle});
    leaf_text *leaf = &copy->leaves[copy->count++];
    copy->has = !tavern_is_none(parent);
    snprintf(leaf->path, sizeof leaf->path, "parent");
    snprintf(leaf->text, sizeof leaf->text, "none");
    if (!copy->has) return;
    snprintf(leaf->text, sizeof leaf->text, "%u:%u", (unsigned)(parent.bits & 0xFFFFF),
             (unsigned)(parent.bits >> 20));
}

static void copy_value(weft_world *w, uint32_t index, uint32_t owner, value_copy *copy)
{
    const weft_schema *schema = tavern_schema();
    unsigned char plain[256];
    *copy = (value_copy){.has = false};
    if (owner == TILL) {
        const weft_singleton_info *till = &schema->singletons[0];
        copy->has = index == 0;
        if (copy->has) {
            weft_leaves_visit(schema, till->fields, till->field_count, tavern_till_get(o->world),
                              copy_leaf, copy);
        }
        return;
    }
    copy->handle =
        index < w->entities.index_count ? weft_handle_of(&w->entities, w->plan->format, index) : 0;
    if (owner == SEAT) {
        copy_parent(copy);
        return;
    }
    const weft_component_info *info = &schema->components[owner];
    copy->has = weft_component_has_by_name(w, copy->handle, owners[owner]);
    if (!copy->has || info->size == 0) return;
    assert_int_equal(weft_component_get_by_name(w, copy->handle, owners[owner], plain, info->size),
                     WEFT_OK);
    weft_leaves_visit(schema, info->fields, info->field_count, plain, copy_leaf, copy);
}

static void expect(uint32_t owner, weft_write_kind kind, uint64_t handle, const char *path,
                   const char *before, const char *after)
{
    assert_true(o->count < EXPECTED);
    expected *e = &o->writes[o->count++];
    *e = (expected){.tick = tavern_stats(o->world).ticks,
                    .writer = o->writer ? o->writer : "the game",
                    .commands = o->commands,
                    .kind = kind,
                    .handle = handle,
                    .owner = owner};
    snprintf(e->before.path, 32, "%s", path);
    snprintf(e->before.text, 32, "%s", before);
    snprintf(e->after, 32, "%s", after);
}

static const char *text_of(const value_copy *copy, const char *path)
{
    for (uint32_t i = 0; i < copy->count; i++) {
        if (strcmp(copy->leaves[i].path, path) == 0) return copy->leaves[i].text;
    }
    return "";
}

// Whoever ends has no parent any more, and whoever comes had none.
static void compare_parents(const value_copy *before, const value_copy *now)
{
    const char *was = before->leaves[0].text;
    const char *is = now->leaves[0].text;
    if (before->handle == now->handle) {
        if (strcmp(was, is) == 0) return;
        expect(SEAT, WEFT_WRITE_VALUE, now->handle, "parent", was, is);
        return;
    }
    if (before->has) expect(SEAT, WEFT_WRITE_VALUE, before->handle, "parent", was, "none");
    if (now->has) expect(SEAT, WEFT_WRITE_VALUE, now->handle, "parent", "none", is);
}

static void compare_copies(uint32_t owner, const value_copy *before, const value_copy *now)
{
    if (owner == SEAT) {
        compare_parents(before, now);
        return;
    }
    bool same = before->has && now->has && before->handle == now->handle;
    if (before->has && !same) expect(owner, WEFT_WRITE_REMOVED, before->handle, "", "", "");
    if (now->has && !same) expect(owner, WEFT_WRITE_ADDED, now->handle, "", "", "");
    for (uint32_t i = 0; same && i < now->count; i++) {
        const char *path = now->leaves[i].path;
        const char *was = text_of(before, path);
        if (strcmp(was, now->leaves[i].text) == 0) continue;
        expect(owner, WEFT_WRITE_VALUE, now->handle, path, was, now->leaves[i].text);
    }
    for (uint32_t i = 0; same && i < before->count; i++) {
        const char *path = before->leaves[i].path;
        if (*text_of(now, path) != '\0') continue;
        expect(owner, WEFT_WRITE_VALUE, now->handle, path, before->leaves[i].text, "");
    }
}

static void compare_all(bool quietly)
{
    weft_world *w = tavern_world_base(o->world);
    static value_copy now;
    assert_true(w->entities.index_count <= INDICES);
    for (uint32_t index = 0; index < INDICES; index++) {
        for (uint32_t owner = 0; owner < OWNERS; owner++) {
            copy_value(w, index, owner, &now);
            if (!quietly) compare_copies(owner, &o->copies[index][owner], &now);
            o->copies[index][owner] = now;
        }
    }
}

// Stands between the world and what looks into it.
static void oracle_writer(weft_world *w, const char *name, bool commands)
{
    if (!name || name != o->writer || commands != o->commands) {
        compare_all(false);
        o->writer = name;
        o->commands = commands;
    }
    weft_insight_writer(w, name, commands);
}

// -------------------------------------------------------------------------------------------------
// Both compared

static void assert_write(const weft_write *write, const expected *e)
{
    assert_int_equal(write->kind, e->kind);
    assert_string_equal(write->writer, e->writer);
    assert_int_equal(write->commands, e->commands);
    assert_int_equal(write->tick, e->tick);
    assert_true(write->handle == e->handle);
    assert_string_equal(write->owner, owners[e->owner]);
    assert_string_equal(write->path, e->before.path);
    assert_string_equal(write->before, e->before.text);
    assert_string_equal(write->after, e->after);
}

// Asserts that the writes of a path are those of the copies, newest first.
static void assert_path(const expected *about)
{
    static weft_write writes[2000];
    char path[80];
    uint32_t at = 0;
    bool value = about->kind == WEFT_WRITE_VALUE;
    snprintf(path, sizeof path, "%s%s%s", owners[about->owner], value ? "." : "",
             about->before.path);
    uint32_t found =
        weft_last_writes(tavern_world_base(o->world), about->handle, path, writes, 2000);
    for (uint32_t i = o->count; i-- > 0;) {
        const expected *e = &o->writes[i];
        bool meant = e->owner == about->owner && e->handle == about->handle;
        if (value && e->kind == WEFT_WRITE_VALUE) {
            meant = meant && strcmp(e->before.path, about->before.path) == 0;
        }
        if (!meant) continue;
        assert_true(at < found);
        if (value) assert_write(&writes[at], e);
        at++;
    }
    assert_int_equal(at, found);
}

static void assert_all_agree(void)
{
    oracle_writer(tavern_world_base(o->world), NULL, false);
    for (uint32_t i = 0; i < o->count; i++) {
        bool last = true; // of its path
        for (uint32_t k = i + 1; last && k < o->count; k++) {
            const expected *a = &o->writes[i];
            const expected *b = &o->writes[k];
            last = a->owner != b->owner || a->handle != b->handle || a->kind != b->kind ||
                   strcmp(a->before.path, b->before.path) != 0;
        }
        if (last) assert_path(&o->writes[i]);
    }
}

// -------------------------------------------------------------------------------------------------
// Random worlds

static uint32_t next_random(weft_rng *rng, uint32_t bound)
{
    return weft_rng_below(rng, bound);
}

static tavern_entity some(weft_rng *rng)
{
    weft_world *w = tavern_world_base(o->world);
    uint32_t count = w->entities.index_count;
    uint32_t index = count == 0 ? 0 : next_random(rng, count);
    return (tavern_entity){
        count == 0 ? 0 : (uint32_t)weft_handle_of(&w->entities, w->plan->format, index)};
}

static void *saved;
static size_t saved_bytes;

static void one_call_of_the_game(weft_rng *rng)
{
    tavern_world *w = o->world;
    weft_world *base = tavern_world_base(w);
    tavern_entity e = some(rng);
    tavern_purse *purse;
    tavern_pose *pose;
    int n = (int)next_random(rng, 90);
    static const char json[] = "{\"components\": {\"purse\": {\"coins\": 8, \"debt\": 2}, \"bag\": "
                               "{\"goods\": [4, 5], \"label\": \"json\"}}}";
    switch (next_random(rng, 28)) {
    case 26:
        tavern_pose_set(w, e, (tavern_pose){.x = (float)n, .facing = (uint32_t)n % 4});
        break;
    case 27:
        pose = tavern_pose_edit(w, e);
        if (pose) *pose = (tavern_pose){pose->x, pose->y + 1.0f, pose->facing + 1};
        break;
    case 20:
        tavern_seated_at_attach(w, e, some(rng));
        break;
    case 21:
        tavern_seated_at_append(w, e, some(rng));
        break;
    case 22:
        tavern_seated_at_insert_before(w, e, some(rng));
        break;
    case 23:
        tavern_seated_at_detach(w, e);
        break;
    case 24:
        tavern_cmd_seated_at_attach(tavern_commands(w), e, some(rng));
        break;
    case 25:
        tavern_cmd_seated_at_insert_before(tavern_commands(w), e, some(rng));
        break;
    case 0:
        tavern_purse_set(w, e, (tavern_purse){.coins = n, .owner = some(rng)});
        break;
    case 1:
        purse = tavern_purse_edit(w, e);
        if (purse) purse->debt = (int16_t)n;
        break;
    case 2:
        tavern_fever_set(w, e, (tavern_fever){.heat = (float)n, .days = {1, 2, 3}});
        break;
    case 3:
        tavern_fever_remove(w, e);
        break;
    case 4:
        tavern_drunk_set(w, e);
        break;
    case 5:
        tavern_drunk_remove(w, e);
        break;
    case 6:
        tavern_bag_set(w, e, (tavern_bag){.goods = {2, {1, 2}}, .label = "new"});
        break;
    case 7:
        tavern_bag_remove(w, e);
        break;
    case 8:
    case 9:
    case 10:
        if (base->entities.index_count < INDICES - 2) tavern_guest_spawn(w, NULL);
        break;
    case 11:
        tavern_despawn(w, e);
        break;
    case 12:
        tavern_till_edit(w)->coins += n;
        break;
    case 13:
        weft_field_set_number(base, e.bits, "body.hunger", (double)n / 100);
        break;
    case 14:
        weft_field_set_number(base, 0, "till.takings[1]", (double)n);
        break;
    case 15:
        weft_json_entity_read(base, e.bits, json, sizeof json - 1);
        break;
    case 16:
        tavern_cmd_purse_set(tavern_commands(w), e, (tavern_purse){.coins = n});
        break;
    case 17:
        tavern_flush(w);
        break;
    case 18:
        weft_component_add_by_name(base, e.bits, n % 2 ? "fever" : "drunk");
        break;
    default:
        weft_component_remove_by_name(base, e.bits, n % 2 ? "body" : "fever");
        break;
    }
}

static void step(weft_rng *rng)
{
    static const char *const systems[] = {"wake",   "greet", "serve", "starve",    "sour",
                                          "infect", "count", "hire",  "watch_over"};
    tavern_world *w = o->world;
    for (uint32_t i = next_random(rng, 4); i > 0; i--) one_call_of_the_game(rng);
    o->work.system = systems[next_random(rng, 9)];
    o->work.what = 1 + (int)next_random(rng, 9);
    o->work.at = some(rng);
    o->work.filled = next_random(rng, 5) == 0 ? 9 : 0;
    bool full = tavern_world_base(w)->entities.index_count >= INDICES - 4;
    if (full && strcmp(o->work.system, "hire") == 0) o->work.what = 3;
    tavern_tick(w, 1.0);
    o->work.line_count = 0;
    if (next_random(rng, 20) == 0) {
        free(saved);
        tavern_save_memory(w, &saved, &saved_bytes);
    }
    if (saved && next_random(rng, 30) == 0) tavern_load_memory(w, saved, saved_bytes);
    if (next_random(rng, 60) == 0) tavern_reset(w);
}

static void random_world(uint32_t seed)
{
    weft_insight insight = *tavern_insight();
    weft_rng rng = weft_rng_of(seed, 0);
    insight.writer = oracle_writer;
    o = calloc(1, sizeof *o);
    weft_options options = {
        .insight = &insight, .watch = WRITES, .user = &o->work, .workers = seed % 2 == 0 ? 0 : 3};
    o->world = tavern_open(&options);
    assert_non_null(o->world);
    compare_all(true);
    for (int i = 0; i < 80; i++) step(&rng);
    assert_true(o->count > 150);
    assert_all_agree();
    tavern_close(o->world);
    free(o);
    free(saved);
    saved = NULL;
}

static void random_worlds(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 12; seed++) random_world(seed);
}

// -------------------------------------------------------------------------------------------------
// Calls

static tavern_world *open_watched(work *w, uint32_t writes)
{
    weft_options options = {
        .insight = tavern_insight(), .watch = writes, .user = w, .log = keep_line};
    return tavern_open(&options);
}

static void a_ring_keeps_the_last_ones(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[8];
    tavern_world *world = open_watched(&w, 3);
    for (int i = 1; i <= 5; i++) {
        tavern_till_edit(world)->coins = i;
        tavern_tick(world, 1.0);
    }
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till.coins", writes, 8), 3);
    assert_string_equal(writes[0].before, "4");
    assert_string_equal(writes[0].after, "5");
    assert_int_equal(writes[0].tick, 4);
    assert_string_equal(writes[2].after, "3");
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till", writes, 2), 2);
    assert_int_equal(w.line_count, 0);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till.coin", writes, 8), 0);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "tills", writes, 8), 0);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "fever.days[calm]", writes, 8), 0);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "fever.days[angry", writes, 8), 0);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "fever.days[]", writes, 8), 0);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "fever.days[3]", writes, 8), 0);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "bag.goods[4]", writes, 8), 0);
    assert_string_equal(tavern_error(world),
                        "'bag.goods[4]' is no component, singleton, relation or value of one");
    tavern_close(world);
    world = tavern_open(NULL);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till", writes, 8), 0);
    assert_string_equal(tavern_error(world), "writes are kept with weft_options.watch");
    assert_int_equal(tavern_stop_at(world, "till.coins < 0", NULL, NULL), WEFT_REFUSED);
    tavern_close(world);
}

// A writer that writes more than the ring holds leaves nothing older in it, and the next one is
// kept as ever.
static void a_ring_keeps_the_first_ones_of_a_writer(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[8];
    tavern_world *world = open_watched(&w, 3);
    tavern_till_edit(world)->coins = 7;
    for (int i = 0; i < 3; i++) tavern_guest_spawn(world, NULL);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till.coins", writes, 8), 1);
    tavern_entity e = tavern_guest_spawn(world, NULL);
    tavern_till_edit(world)->coins = 8;
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till.coins", writes, 8), 1);
    assert_string_equal(writes[0].before, "7");
    assert_string_equal(writes[0].after, "8");
    tavern_purse_edit(world, e)->coins = 2;
    assert_int_equal(tavern_trace(world, e, "purse.coins", writes, 8), 2);
    assert_int_equal(writes[1].kind, WEFT_WRITE_ADDED);
    assert_string_equal(writes[0].before, "0");
    assert_string_equal(writes[0].after, "2");
    tavern_close(world);
}

// A load takes the world back to a tick that has been, in which it is not.
static void the_game_writes_behind_a_load(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[2];
    void *bytes;
    size_t count;
    tavern_world *world = open_watched(&w, 100);
    tavern_tick(world, 1.0);
    assert_int_equal(tavern_save_memory(world, &bytes, &count), WEFT_OK);
    tavern_tick(world, 1.0);
    assert_int_equal(tavern_load_memory(world, bytes, count), WEFT_OK);
    tavern_till_edit(world)->coins = 5;
    tavern_tick(world, 1.0);
    assert_int_equal(tavern_trace(world, TAVERN_NONE, "till.coins", writes, 2), 1);
    assert_string_equal(writes[0].writer, "the game");
    tavern_close(world);
    free(bytes);
}

enum { MANY = 4000, DAYS = 3, EVERY = 37 };

// Asserts that a guest was made hungrier by the system in each tick, and set to a value before it
// by the game where that chose it.
static void assert_days(tavern_world *world, tavern_entity e, bool chosen)
{
    weft_write writes[DAYS * 4];
    uint32_t each = chosen ? 2 : 1;
    assert_int_equal(tavern_trace(world, e, "body.hunger", writes, DAYS * 4), DAYS * each + 1);
    for (uint32_t i = 0; i < DAYS * each; i++) {
        bool starved = i % each == 0;
        assert_string_equal(writes[i].writer, starved ? "starve" : "the game");
        assert_int_equal(writes[i].tick, DAYS - 1 - i / each);
        assert_int_equal(writes[i].kind, WEFT_WRITE_VALUE);
        bool first = i + 1 == DAYS * each;
        if (!first) assert_string_equal(writes[i].before, writes[i + 1].after);
        if (starved) assert_string_not_equal(writes[i].before, writes[i].after);
        if (starved) continue;
        char text[WEFT_WRITE_TEXT_BYTES];
        snprintf(text, sizeof text, "0.%u", (unsigned)(2 + writes[i].tick));
        assert_string_equal(writes[i].after, text);
    }
    assert_int_equal(writes[DAYS * each].kind, WEFT_WRITE_ADDED);
}

// Systems of a pass are looked at block by block, of which one has rows of two tables, with what
// the game wrote before the pass.
static void passes_are_looked_at_block_by_block(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    static tavern_entity guests[MANY];
    weft_write writes[4];
    tavern_world *world = open_watched(&w, 1 << 16);
    for (uint32_t i = 0; i < MANY; i++) guests[i] = tavern_guest_spawn(world, NULL);
    for (uint32_t i = 1; i < MANY; i += 3) tavern_bag_remove(world, guests[i]);
    assert_int_equal(tavern_trace(world, guests[0], "body", writes, 4), 1);
    for (uint32_t day = 0; day < DAYS; day++) {
        for (uint32_t i = 0; i < MANY; i += EVERY) {
            *tavern_body_edit(world, guests[i]).hunger = 0.1f * (float)(2 + day);
        }
        w.system = day == 1 ? "sour" : NULL;
        w.what = 1;
        tavern_tick(world, 1.0);
    }
    uint32_t sour = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        assert_days(world, guests[i], i % EVERY == 0);
        if (tavern_trace(world, guests[i], "body.mood", writes, 4) == 1) continue;
        assert_string_equal(writes[0].writer, "sour");
        assert_int_equal(writes[0].tick, 1);
        sour++;
    }
    assert_int_equal(sour, 1);
    tavern_close(world);
}

// -------------------------------------------------------------------------------------------------
// Watching from some tick on

static int stopped_count;

static void on_stop(void *user, const weft_write *write)
{
    (void)user;
    (void)write;
    stopped_count++;
}

// All that was there as it began is no write, and what follows is; also behind an end and a second
// beginning, with workers, and where rules are checked.
static void a_world_is_watched_from_some_tick_on(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 4; round++) {
        work w = {.line_count = 0};
        stopped_count = 0;
        weft_write writes[8];
        weft_options options = {.user = &w, .log = keep_line, .workers = round % 2 * 3};
        if (round > 1) options.insight = tavern_insight();
        options.checks = round > 1;
        tavern_world *world = tavern_open(&options);
        weft_world *base = tavern_world_base(world);
        tavern_entity e[3];
        for (int i = 0; i < 3; i++) {
            e[i] = tavern_guest_spawn(
                world, &(tavern_guest){.body = {.tame = true}, .bag = {.goods = {2, {1, 2}}}});
        }
        tavern_fever_set(world, e[0], (tavern_fever){.heat = 37.0f});
        tavern_till_edit(world)->coins = 4;
        tavern_tick(world, 1.0);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(weft_watch(base, tavern_insight(), 50), WEFT_OK);
            assert_int_equal(weft_watch(base, tavern_insight(), 60), WEFT_OK);
            const char *const paths[] = {"purse", "body", "fever", "bag", "drunk"};
            for (int i = 0; i < 5; i++) {
                assert_int_equal(tavern_trace(world, e[0], paths[i], writes, 8), 0);
            }
            assert_int_equal(tavern_trace(world, TAVERN_NONE, "till", writes, 8), 0);
            tavern_stop_at(world, "purse.coins == 40", on_stop, NULL);
            w.system = "serve";
            w.what = 4;
            tavern_tick(world, 1.0);
            assert_int_equal(tavern_trace(world, e[0], "purse", writes, 8), 1);
            assert_string_equal(writes[0].writer, "serve");
            assert_string_equal(writes[0].before, "0");
            assert_string_equal(writes[0].after, "40");
            assert_int_equal(stopped_count, again + 1);
            assert_int_equal(tavern_trace(world, e[0], "body.hunger", writes, 8), 1);
            assert_string_equal(writes[0].writer, "starve");
            tavern_purse_edit(world, e[0])->coins = 0;
            assert_int_equal(weft_watch(base, tavern_insight(), 0), WEFT_OK);
            assert_int_equal(weft_watch(base, tavern_insight(), 0), WEFT_OK);
            assert_int_equal(tavern_trace(world, e[0], "purse", writes, 8), 0);
            assert_string_equal(tavern_error(world), "writes are kept with weft_options.watch");
            if (options.checks) tavern_stop_at(world, "purse.coins == 40", NULL, NULL);
            tavern_tick(world, 1.0);
            tavern_tick(world, 1.0);
        }
        tavern_close(world);
    }
}

// -------------------------------------------------------------------------------------------------
// Memory

static uint32_t allocations_left;
static size_t bytes_taken; // and not given back

static void *allocate_some(void *user, size_t bytes)
{
    (void)user;
    if (allocations_left == 0) return NULL;
    allocations_left--;
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    bytes_taken += memory ? bytes : 0;
    return memory;
}

static void free_some(void *user, void *memory, size_t bytes)
{
    (void)user;
    bytes_taken -= memory ? bytes : 0;
    free(memory);
}

static void *reserve_none(void *user, size_t bytes)
{
    (void)user;
    (void)bytes;
    return NULL;
}

static bool commit_none(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)memory;
    return bytes == 0;
}

static void release_none(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)memory;
    (void)bytes;
}

// Whichever allocation is the first to fail, the world opens whole or not at all, and goes on.
static void failing_allocations(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[4];
    weft_options options = {
        .memory = {allocate_some, free_some, reserve_none, commit_none, release_none, NULL},
        .insight = tavern_insight(),
        .checks = true,
        .watch = 400,
        .user = &w,
        .log = keep_line};
    bool all = false;
    uint32_t blind = 0; // worlds that watch no values
    for (uint32_t n = 0; !all; n++) {
        bool told = false;
        w.line_count = 0;
        allocations_left = n;
        tavern_world *world = tavern_open(&options);
        assert_true(world || bytes_taken == 0);
        if (!world) continue;
        for (int i = 0; i < 40; i++)
            tavern_guest_spawn(world, &(tavern_guest){.purse = {.coins = -5}});
        const tavern_entity second = {1 | 1u << 20};
        tavern_seated_at_attach(world, second, (tavern_entity){1u << 20});
        tavern_till_edit(world)->coins = -1;
        weft_status status = tavern_tick(world, 1.0);
        all = tavern_trace(world, (tavern_entity){39 | 1u << 20}, "purse", writes, 4) == 1 &&
              tavern_trace(world, second, "seated_at", writes, 4) == 1 && status == WEFT_OK;
        for (uint32_t i = 0; i < w.line_count; i++) {
            told = told || strstr(w.lines[i], "no memory to watch values: writes are no longer");
        }
        if (all) assert_false(told);
        blind += told;
        assert_int_equal(tavern_trace(world, TAVERN_NONE, "till.coins", writes, 4), 1);
        tavern_stop_at(world, "till.coins == 3", on_stop, NULL);
        tavern_stop_at(world, "purse.coins == 3", on_stop, NULL);
        tavern_close(world);
        assert_int_equal(bytes_taken, 0);
        assert_true(n < 2000);
    }
    assert_int_not_equal(blind, 0);
}

// Whichever allocation is the first to fail, the world is watched or not, and goes on.
static void failing_allocations_of_a_watch(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    weft_write writes[4];
    weft_options options = {
        .memory = {allocate_some, free_some, reserve_none, commit_none, release_none, NULL},
        .user = &w,
        .log = keep_line};
    bool watched = false;
    for (uint32_t n = 0; !watched; n++) {
        allocations_left = 1000;
        tavern_world *world = tavern_open(&options);
        tavern_entity e = tavern_guest_spawn(world, NULL);
        allocations_left = n;
        weft_status status = weft_watch(tavern_world_base(world), tavern_insight(), 40);
        watched = status == WEFT_OK;
        assert_true(watched || status == WEFT_NO_MEMORY);
        allocations_left = 1000;
        tavern_purse_edit(world, e)->coins = 3;
        assert_int_equal(tavern_tick(world, 1.0), WEFT_OK);
        assert_int_equal(tavern_trace(world, e, "purse", writes, 4), watched);
        tavern_close(world);
        assert_int_equal(bytes_taken, 0);
        assert_true(n < 200);
    }
}

// Columns are compared in blocks of a thousand bytes, of which these have several; each write is
// told once, and of its own entity.
static void rows_of_all_blocks(void **state)
{
    (void)state;
    enum { GUESTS = 1500, STEP = 211 };
    work w = {.line_count = 0};
    static tavern_entity guests[GUESTS];
    static const char *const paths[] = {"purse.coins", "body.weight", "bag.first.x"};
    tavern_world *world = open_watched(&w, 4096);
    assert_int_equal(tavern_guest_spawn_many(world, GUESTS, NULL, guests), GUESTS);
    tavern_tick(world, 1.0);
    for (int i = GUESTS - 1; i >= 0; i -= STEP) {
        tavern_purse_edit(world, guests[i])->coins = i + 1;
        *tavern_body_edit(world, guests[i]).weight = 2.0;
        tavern_bag_edit(world, guests[i])->first.x = 3.0f;
    }
    tavern_tick(world, 1.0);
    tavern_tick(world, 1.0);
    for (int i = 0; i < GUESTS; i++) {
        bool written = (GUESTS - 1 - i) % STEP == 0;
        for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
            weft_write writes[4];
            size_t told = tavern_trace(world, guests[i], paths[k], writes, 4);
            while (told != 0 && writes[told - 1].kind != WEFT_WRITE_VALUE) told--; // it was spawned
            assert_int_equal(told, written);
        }
    }
    tavern_close(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_worlds),
        cmocka_unit_test(a_ring_keeps_the_last_ones),
        cmocka_unit_test(a_ring_keeps_the_first_ones_of_a_writer),
        cmocka_unit_test(the_game_writes_behind_a_load),
        cmocka_unit_test(passes_are_looked_at_block_by_block),
        cmocka_unit_test(a_world_is_watched_from_some_tick_on),
        cmocka_unit_test(rows_of_all_blocks),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(failing_allocations_of_a_watch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
