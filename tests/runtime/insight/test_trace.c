// Last writes: in random worlds, full copies that know nothing of tables find every write a second
// time. Both must agree on the writer and tick of each write.
//
// program: worlds byte_order
#include "tavern.h"

#include "value/text.h"
#include "weft_json.h"
#include "weft_reflect.h"

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

static void copy_handle(value_copy *copy, const char *path, tavern_entity e)
{
    leaf_text *leaf = &copy->leaves[copy->count++];
    snprintf(leaf->path, sizeof leaf->path, "%s", path);
    snprintf(leaf->text, sizeof leaf->text, "none");
    if (tavern_is_none(e)) return;
    snprintf(leaf->text, sizeof leaf->text, "%u:%u", (unsigned)(e.bits & 0xFFFFF),
             (unsigned)(e.bits >> 20));
}

static void copy_links(value_copy *copy)
{
    tavern_entity e = {(uint32_t)copy->handle};
    tavern_entity parent = tavern_seated_at_parent(o->world, e);
    copy->has = !tavern_is_none(parent);
    copy_handle(copy, "parent", parent);
    copy_handle(copy, "next_sibling", tavern_seated_at_next_sibling(o->world, e));
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
        copy_links(copy);
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

// Whoever ends has no parent and no siblings any more, and whoever comes had none.
static void compare_links(const value_copy *before, const value_copy *now)
{
    bool same = before->handle == now->handle;
    for (uint32_t i = 0; i < now->count; i++) {
        const char *path = now->leaves[i].path;
        const char *was = before->has ? before->leaves[i].text : "none";
        const char *is = now->leaves[i].text;
        if (same && strcmp(was, is) != 0) {
            expect(SEAT, WEFT_WRITE_VALUE, now->handle, path, was, is);
        }
        if (!same && strcmp(was, "none") != 0) {
            expect(SEAT, WEFT_WRITE_VALUE, before->handle, path, was, "none");
        }
        if (!same && strcmp(is, "none") != 0) {
            expect(SEAT, WEFT_WRITE_VALUE, now->handle, path, "none", is);
        }
    }
}

static void compare_copies(uint32_t owner, const value_copy *before, const value_copy *now)
{
    if (owner == SEAT) {
        compare_links(before, now);
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

// Pointers that the game got and writes through later, by no further call, unless there was a
// structural change or a phase.
static struct {
    uint32_t version;
    tavern_purse *purse;
    tavern_pose *pose;
    tavern_fever *fever;
    tavern_bag *bag;
    tavern_body_columns body;
    tavern_guest_rows rows;
} held;

static void hold(weft_rng *rng)
{
    tavern_world *w = o->world;
    weft_world *base = tavern_world_base(w);
    uint32_t kind = next_random(rng, 8);
    tavern_entity e = some(rng);
    if (held.version != weft_version(base)) memset(&held, 0, sizeof held);
    if (kind == 0) held.purse = tavern_purse_edit(w, e);
    if (kind == 1) held.pose = tavern_pose_edit(w, e);
    if (kind == 2) held.fever = tavern_fever_edit(w, e);
    if (kind == 3) held.body = tavern_body_edit(w, e);
    if (kind == 4) {
        tavern_bags_iter it = tavern_bags_begin(w);
        if (tavern_bags_next(&it)) held.bag = &it.bag[next_random(rng, it.count)];
    }
    if (kind == 5 && base->entities.index_count < INDICES - 5) {
        memset(&held, 0, sizeof held);
        held.rows = tavern_guest_spawn_rows(w, 2);
        for (size_t i = 0; i < held.rows.count; i++) {
            tavern_guest guest = tavern_guest_defaults();
            held.rows.purse[i] = guest.purse;
            held.rows.bag[i] = guest.bag;
            held.rows.pose[i] = guest.pose;
            held.rows.body.hunger[i] = guest.body.hunger;
            held.rows.body.weight[i] = guest.body.weight;
            held.rows.body.mood[i] = guest.body.mood;
            held.rows.body.tame[i] = guest.body.tame;
        }
    }
    held.version = weft_version(base);
}

static void write_through_pointers(weft_rng *rng)
{
    int n = (int)next_random(rng, 90);
    if (held.version != weft_version(tavern_world_base(o->world))) return;
    if (held.purse) held.purse->debt = (int16_t)n;
    if (held.pose) held.pose->x += 1.0f;
    if (held.fever) held.fever->heat = (float)n;
    if (held.bag) held.bag->first.y += 2.0f;
    if (held.body.weight) *held.body.weight += 0.5;
    if (held.rows.count != 0) {
        held.rows.purse[1].coins = n;
        held.rows.body.hunger[0] += 0.125f;
    }
}

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
    switch (next_random(rng, 29)) {
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
    case 28:
        tavern_cmd_seated_at_append(tavern_commands(w), e, some(rng));
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
    uint32_t calls = next_random(rng, 2) * next_random(rng, 4); // half of all ticks have none
    for (uint32_t i = calls; i > 0; i--) one_call_of_the_game(rng);
    if (next_random(rng, 3) == 0) hold(rng);
    if (next_random(rng, 3) != 0) write_through_pointers(rng);
    memset(&held, 0, sizeof held);
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

// Returns how many writes there were.
static uint32_t random_world(uint32_t seed)
{
    weft_insight insight = *tavern_insight();
    weft_rng rng = weft_rng_of(seed, 0);
    insight.writer = oracle_writer;
    o = calloc(1, sizeof *o);
    weft_options options = {
        .insight = &insight, .watch = WRITES, .user = &o->work, .workers = seed % 2 == 0 ? 0 : 3};
    o->world = tavern_open(&options);
    assert_non_null(o->world);
    memset(&held, 0, sizeof held);
    compare_all(true);
    for (int i = 0; i < 80; i++) step(&rng);
    assert_all_agree();
    const uint32_t count = o->count;
    tavern_close(o->world);
    free(o);
    free(saved);
    saved = NULL;
    return count;
}

static void random_worlds(void **state)
{
    (void)state;
    uint32_t count = 0;
    for (uint32_t seed = 1; seed <= 12; seed++) count += random_world(seed);
    assert_true(count > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
