// What hooks are told, when, and what they may do: a test for each promise.
#define _POSIX_C_SOURCE 200809L // fork, waitpid

#include "../support/asserts.h"
#include "rig.h"
#include "weft_reflect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int open_rig(void **state)
{
    *state = rig_open();
    return 0;
}

static int close_rig(void **state)
{
    rig *r = (rig *)*state;
    r->react = NULL;
    rig_check(r);
    rig_close(r);
    return 0;
}

// ---- what was told, as text: "+body:3 -seen"

static const char *words(const rig *r)
{
    static char text[1024];
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < r->count; i++) {
        const told *t = &r->told[i];
        const weft_component_info *info = &den_schema()->components[t->component];
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%c%s", i ? " " : "",
                                   t->removed ? '-' : '+', info->name);
        if (info->storage == WEFT_STORAGE_TAG) continue;
        length += (size_t)snprintf(text + length, sizeof text - length, ":%u",
                                   (unsigned)(t->value & 0xFF));
    }
    return text;
}

// Hooks were told this, and nothing else, since they were asked last.
static void told_only(rig *r, const char *expected)
{
    assert_string_equal(words(r), expected);
    rig_forget(r);
}

static den_entity fox_with(rig *r, uint32_t v)
{
    den_fox fox = rig_fox(v);
    den_entity e = den_fox_spawn(r->w, &fox);
    assert_true(den_alive(r->w, e));
    rig_forget(r);
    return e;
}

// ---- one component

static void told_of_every_kind_of_component(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    static const uint16_t kinds[] = {DEN_COMPONENT_BODY, DEN_COMPONENT_GAIT, DEN_COMPONENT_SCENT,
                                     DEN_COMPONENT_SEEN};
    static const char *const added[] = {"+body:4", "+gait:4", "+scent:4", "+seen"};
    static const char *const removed[] = {"-body:6", "-gait:6", "-scent:6", "-seen"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        assert_true(rig_set(r->w, e, kinds[i], 4));
        told_only(r, added[i]);
        assert_true(rig_set(r->w, e, kinds[i], 6)); // overwritten
        told_only(r, "");
        assert_true(rig_remove(r->w, e, kinds[i]));
        told_only(r, removed[i]);
        assert_false(rig_remove(r->w, e, kinds[i])); // not there
        told_only(r, "");
    }
}

static void told_by_reflection_too(void **state)
{
    rig *r = (rig *)*state;
    weft_world *base = den_world_base(r->w);
    den_entity e = den_spawn(r->w);
    assert_int_equal(weft_component_add_by_name(base, e.bits, "body"), WEFT_OK);
    assert_int_equal(weft_component_add_by_name(base, e.bits, "body"), WEFT_OK);
    told_only(r, "+body:5");
    assert_int_equal(weft_component_remove_by_name(base, e.bits, "body"), WEFT_OK);
    told_only(r, "-body:5");
}

static void what_is_refused_is_not_told(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    assert_true(rig_set(r->w, e, DEN_COMPONENT_PELT, 1));
    told_only(r, "+body:5 +pelt:1"); // what it requires with it
    assert_false(den_bare_set(r->w, e));
    assert_false(den_body_remove(r->w, e));
    assert_true(den_despawn(r->w, e));
    told_only(r, "-body:5");
    assert_false(den_despawn(r->w, e));
    assert_false(den_body_set(r->w, e, (den_body){.size = 1}));
    told_only(r, "");
}

// ---- prefabs

static void prefabs_are_told_in_schema_order(void **state)
{
    rig *r = (rig *)*state;
    den_fox fox = rig_fox(9);
    den_entity e = den_fox_spawn(r->w, &fox);
    told_only(r, "+body:9 +gait:9 +scent:9 +seen");
    assert_true(den_scent_remove(r->w, e) && den_body_remove(r->w, e));
    rig_forget(r);
    fox = rig_fox(8);
    assert_true(den_fox_set(r->w, e, &fox)); // gait is overwritten
    told_only(r, "+body:8 +scent:8");
    assert_true(den_alive(r->w, den_cub_spawn(r->w, NULL)));
    told_only(r, "+body:5 +pelt:9");
    assert_true(den_alive(r->w, den_stone_spawn(r->w, NULL)));
    told_only(r, "");
}

static void many_are_told_one_after_the_other(void **state)
{
    rig *r = (rig *)*state;
    den_cub cub = rig_cub(2);
    den_entity out[3];
    assert_int_equal(den_cub_spawn_many(r->w, 3, &cub, out), 3);
    for (size_t i = 0; i < r->count; i++) assert_true(den_same(r->told[i].e, out[i / 2]));
    told_only(r, "+body:5 +pelt:2 +body:5 +pelt:2 +body:5 +pelt:2");
}

static void rows_to_fill_in_are_told_of_with_the_defaults(void **state)
{
    rig *r = (rig *)*state;
    den_fox_rows rows = den_fox_spawn_rows(r->w, 2);
    assert_int_equal(rows.count, 2);
    for (uint32_t i = 0; i < rows.count; i++) {
        assert_int_equal(rows.body[i].size, 3);
        rows.body[i].size = 7;
        assert_true(den_same(r->told[4 * i].e, rows.entities[i]));
    }
    told_only(r, "+body:3 +gait:1 +scent:7 +seen +body:3 +gait:1 +scent:7 +seen");
    assert_true(den_despawn(r->w, rows.entities[0]));
    told_only(r, "-body:7 -gait:1 -scent:7 -seen");
}

// ---- the end of an entity

static void seed_H4_despawn_tells_of_all_that_goes_in_schema_order(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = fox_with(r, 5);
    assert_true(den_marked_set(r->w, e));
    assert_true(den_despawn(r->w, e));
    told_only(r, "-body:5 -gait:5 -scent:5 -seen -marked");
    e = fox_with(r, 6);
    assert_true(den_cmd_despawn(den_commands(r->w), e));
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "-body:6 -gait:6 -scent:6 -seen");
}

static void a_tree_is_told_of_children_first(void **state)
{
    rig *r = (rig *)*state;
    den_entity e[4];
    for (uint32_t i = 0; i < 4; i++) {
        e[i] = den_spawn(r->w);
        assert_true(rig_set(r->w, e[i], DEN_COMPONENT_BODY, i));
    }
    assert_true(den_litter_attach(r->w, e[1], e[0]));
    assert_true(den_litter_attach(r->w, e[2], e[1]));
    assert_true(den_pack_attach(r->w, e[3], e[0])); // outlives it
    rig_forget(r);
    assert_true(den_despawn(r->w, e[0]));
    told_only(r, "-body:2 -body:1 -body:0");
    assert_true(den_alive(r->w, e[3]));
    assert_true(den_litter_attach(r->w, e[3], den_spawn(r->w)));
    den_cmd_despawn(den_commands(r->w), den_litter_parent(r->w, e[3]));
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "-body:3");
}

// Three tables, met in another order than theirs.
static void populate(rig *r)
{
    for (uint32_t i = 0; i < 3; i++) {
        den_entity e = den_spawn(r->w);
        assert_true(den_seen_set(r->w, e));
        if (i == 0) assert_true(den_plain_set(r->w, e, (den_plain){1}));
        fox_with(r, i);
        fox_with(r, 10 + i);
    }
    rig_forget(r);
}

typedef struct ending {
    told *told;
    size_t count;
} ending;

static void copy_told(rig *r, const den_hook_ctx *ctx, const told *t)
{
    ending *end = (ending *)r->more;
    (void)t;
    end->count = r->count;
    end->told = (told *)realloc(end->told, r->count * sizeof *end->told);
    assert_non_null(end->told);
    memcpy(end->told, r->told, r->count * sizeof *end->told);
    assert_true(den_cmd_despawn(ctx->cmd, t->e)); // in vain
}

static void seed_H4_close_tells_of_everybody_in_the_order_of_rows(void **state)
{
    (void)state;
    rig *r = rig_open();
    ending end = {0};
    den_entity order[9];
    uint32_t rows = 0;
    populate(r);
    den_watched_iter it = den_watched_begin(r->w);
    while (den_watched_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) order[rows++] = it.entities[i];
    }
    assert_int_equal(rows, 9);
    r->react = copy_told;
    r->more = &end;
    rig_close(r);
    assert_int_equal(end.count, 6 * 4 + 3);
    uint32_t row = 0;
    for (size_t i = 0; i < end.count; i++) {
        assert_true(end.told[i].removed);
        assert_true(den_same(end.told[i].e, order[row]));
        row += end.told[i].component == DEN_COMPONENT_SEEN; // the last of each
    }
    assert_int_equal(row, 9);
    free(end.told);
}

static void clearing_a_tag_tells_of_each_in_the_order_of_rows(void **state)
{
    rig *r = (rig *)*state;
    uint32_t n = 0;
    populate(r);
    den_watched_iter it = den_watched_begin(r->w);
    den_entity order[9];
    while (den_watched_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) order[n++] = it.entities[i];
    }
    den_seen_clear(r->w);
    assert_int_equal(r->count, 9);
    for (uint32_t i = 0; i < 9; i++) assert_true(den_same(r->told[i].e, order[i]));
    rig_forget(r);
    den_seen_clear(r->w);
    told_only(r, "");
}

// ---- saves

typedef struct kept {
    void *bytes;
    size_t count;
} kept;

static kept save(rig *r)
{
    kept k;
    assert_int_equal(den_save_memory(r->w, &k.bytes, &k.count), WEFT_OK);
    return k;
}

static void forget_save(rig *r, kept k)
{
    weft_memory hooks = memory_hooks(&r->memory);
    hooks.free_(hooks.user, k.bytes, k.count);
}

// From `first` on hooks were told of everybody, in the order of rows; returns the first that was not.
static size_t told_of_rows(const rig *r, size_t first, bool removed)
{
    den_watched_iter it = den_watched_begin(r->w);
    while (den_watched_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            bool ended = false;
            while (!ended) {
                assert_true(first < r->count);
                const told *t = &r->told[first++];
                assert_int_equal(t->removed, removed);
                assert_true(den_same(t->e, it.entities[i]));
                ended = t->component == DEN_COMPONENT_SEEN; // the last that somebody has here
            }
        }
    }
    return first;
}

static void a_load_tells_of_all_that_was_and_of_all_that_is(void **state)
{
    rig *r = (rig *)*state;
    populate(r);
    kept k = save(r);
    fox_with(r, 77);
    den_seen_clear(r->w);
    rig_forget(r);
    assert_int_equal(den_load_memory(r->w, k.bytes, k.count), WEFT_OK);
    size_t was = 7 * 3; // what seven foxes have but `seen`
    for (size_t i = 0; i < was; i++) assert_true(r->told[i].removed);
    assert_int_equal(told_of_rows(r, was, false), r->count);
    assert_int_equal(r->count - was, 6 * 4 + 3);
    rig_check(r);
    rig_forget(r);
    assert_int_equal(den_load_memory(r->w, k.bytes, k.count), WEFT_OK);
    assert_int_equal(told_of_rows(r, told_of_rows(r, 0, true), false), r->count);
    forget_save(r, k);
}

static void a_load_that_fails_tells_nobody(void **state)
{
    rig *r = (rig *)*state;
    populate(r);
    kept k = save(r);
    assert_int_equal(den_load_memory(r->w, k.bytes, k.count - 8), WEFT_BAD_FILE);
    told_only(r, "");
    for (uint32_t fail_in = 0;; fail_in++) {
        memory_arm(&r->memory, fail_in, true);
        weft_status status = den_load_memory(r->w, k.bytes, k.count);
        bool failed = memory_disarm(&r->memory);
        if (status == WEFT_OK) break;
        assert_true(failed);
        assert_int_equal(status, WEFT_NO_MEMORY);
        told_only(r, "");
    }
    assert_int_equal(r->count, 2 * (6 * 4 + 3));
    forget_save(r, k);
}

static void despawn_and_unsee(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)r;
    if (t->removed) den_cmd_despawn(ctx->cmd, t->e);
    if (!t->removed) rig_cmd_remove(ctx->cmd, t->e, DEN_COMPONENT_SEEN);
}

// What on_remove has recorded is about a world that is not there any more.
static void what_hooks_of_a_load_record_is_applied_after_it(void **state)
{
    rig *r = (rig *)*state;
    populate(r);
    kept k = save(r);
    r->react = despawn_and_unsee;
    assert_int_equal(den_load_memory(r->w, k.bytes, k.count), WEFT_OK);
    r->react = NULL;
    assert_int_equal(den_watched_count(r->w), 9);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(den_watched_count(r->w), 0);
    assert_int_equal(den_stats(r->w).entities, 9);
    assert_int_equal(den_stats(r->w).commands_dropped, 0);
    forget_save(r, k);
}

// ---- resources

// A resource for each body, by what hooks are told alone.
typedef struct resources {
    void *of[INDICES];
    size_t open;
    size_t opened;
} resources;

static void keep_resources(rig *r, const den_hook_ctx *ctx, const told *t)
{
    resources *all = (resources *)r->more;
    (void)ctx;
    if (t->component != DEN_COMPONENT_BODY) return;
    if (t->removed) {
        assert_non_null(all->of[t->e.bits % INDICES]);
        free(all->of[t->e.bits % INDICES]);
        all->of[t->e.bits % INDICES] = NULL;
        all->open--;
    } else {
        assert_null(all->of[t->e.bits % INDICES]);
        all->of[t->e.bits % INDICES] = malloc(16);
        all->open++;
        all->opened++;
    }
}

static void seed_B5_resources_are_given_back_whichever_way_their_owner_goes(void **state)
{
    (void)state;
    rig *r = rig_open();
    resources *all = (resources *)calloc(1, sizeof *all);
    den_entity e[8];
    assert_non_null(all);
    r->react = keep_resources;
    r->more = all;
    assert_int_equal(den_fox_spawn_many(r->w, 8, NULL, e), 8);
    assert_true(den_body_remove(r->w, e[0]));
    assert_true(den_despawn(r->w, e[1]));
    assert_true(den_cmd_despawn(den_commands(r->w), e[2]));
    assert_true(den_cmd_body_remove(den_commands(r->w), e[3]));
    assert_true(den_cmd_body_remove(den_commands(r->w), e[4]));
    assert_true(den_cmd_body_set(den_commands(r->w), e[4], (den_body){.size = 1}));
    assert_true(den_body_set(r->w, e[5], (den_body){.size = 2})); // keeps what it has
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(all->opened, 9);
    assert_int_equal(all->open, 4);
    rig_close(r);
    assert_int_equal(all->open, 0);
    free(all);
}

static void look_around(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)ctx;
    if (!t->removed) return;
    uint64_t body;
    assert_true(rig_number(r->w, t->e, DEN_COMPONENT_BODY, &body)); // whole to the last
    assert_true(den_seen_has(r->w, t->e));
    assert_int_equal(den_bodies_count(r->w), 1);
}

static void seed_B6_no_dangling_component_is_ever_seen(void **state)
{
    rig *r = (rig *)*state;
    uint64_t number;
    den_entity e = fox_with(r, 4);
    r->react = look_around;
    assert_true(den_despawn(r->w, e));
    r->react = NULL;
    for (uint16_t c = 0; c < KINDS; c++) assert_false(rig_number(r->w, e, c, &number));
    assert_int_equal(den_bodies_count(r->w) + den_scents_count(r->w) + den_watched_count(r->w), 0);
    den_entity next = den_spawn(r->w); // in its place
    assert_int_equal(next.bits % INDICES, e.bits % INDICES);
    for (uint16_t c = 0; c < KINDS; c++) assert_false(rig_number(r->w, next, c, &number));
    rig_forget(r);
    assert_true(den_despawn(r->w, next));
    told_only(r, "");
}

// ---- batches of commands

static void removing_and_adding_in_one_batch_tells_of_both(void **state)
{
    rig *r = (rig *)*state;
    den_cmd *cmd = den_commands(r->w);
    den_entity e = fox_with(r, 4);
    rig_cmd_set(cmd, e, DEN_COMPONENT_BARE, 0);
    rig_cmd_remove(cmd, e, DEN_COMPONENT_SEEN);
    rig_cmd_remove(cmd, e, DEN_COMPONENT_BODY);
    rig_cmd_set(cmd, e, DEN_COMPONENT_BODY, 1);
    rig_cmd_set(cmd, e, DEN_COMPONENT_BODY, 2);
    rig_cmd_set(cmd, e, DEN_COMPONENT_GAIT, 3);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "-seen -body:4 +bare +body:2");
}

static void what_comes_and_goes_in_one_batch_was_never_there(void **state)
{
    rig *r = (rig *)*state;
    den_cmd *cmd = den_commands(r->w);
    den_entity e = den_spawn(r->w);
    rig_cmd_set(cmd, e, DEN_COMPONENT_BODY, 1);
    rig_cmd_set(cmd, e, DEN_COMPONENT_SCENT, 1);
    rig_cmd_remove(cmd, e, DEN_COMPONENT_BODY);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "+scent:1");
    den_fox fox = rig_fox(3);
    den_entity born = den_cmd_fox_spawn(cmd, &fox);
    den_cmd_despawn(cmd, born);
    rig_cmd_set(cmd, e, DEN_COMPONENT_BODY, 1);
    rig_cmd_remove(cmd, e, DEN_COMPONENT_SCENT);
    den_cmd_despawn(cmd, e);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "-scent:1");
}

static void losing_twice_in_one_batch_is_losing_once(void **state)
{
    rig *r = (rig *)*state;
    den_cmd *cmd = den_commands(r->w);
    den_entity e = den_spawn(r->w);
    assert_true(rig_set(r->w, e, DEN_COMPONENT_BODY, 1));
    rig_forget(r);
    for (uint32_t v = 2; v < 5; v++) {
        rig_cmd_remove(cmd, e, DEN_COMPONENT_BODY);
        rig_cmd_set(cmd, e, DEN_COMPONENT_BODY, v);
    }
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "-body:1 +body:4");
}

static void spawn_commands_are_told_as_direct_spawns_are(void **state)
{
    rig *r = (rig *)*state;
    den_cmd *cmd = den_commands(r->w);
    den_fox fox = rig_fox(3);
    den_cmd_fox_spawn(cmd, &fox);
    den_entity other = den_cmd_fox_spawn(cmd, &fox);
    rig_cmd_set(cmd, other, DEN_COMPONENT_GAIT, 6);
    rig_cmd_remove(cmd, other, DEN_COMPONENT_SEEN);
    den_cub cub = rig_cub(1);
    den_cmd_cub_spawn_many(cmd, 2, &cub);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "+body:3 +gait:3 +scent:3 +seen +body:3 +gait:6 +scent:3 "
                 "+body:5 +pelt:1 +body:5 +pelt:1");
}

// ---- puts

static void put_both(rig *r, const den_roam_ctx *ctx, uint32_t i)
{
    (void)r;
    den_roam_bare_put(ctx, i, true);
    den_roam_seen_put(ctx, i, i % 2 == 0);
}

static void see_who_is_bare(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)r;
    if (t->component == DEN_COMPONENT_BARE)
        assert_true(rig_cmd_set(ctx->cmd, t->e, DEN_COMPONENT_SCENT, 8));
}

static void puts_tell_where_they_change_something(void **state)
{
    rig *r = (rig *)*state;
    den_entity e[4];
    assert_int_equal(den_stone_spawn_many(r->w, 4, NULL, e), 4);
    assert_true(den_seen_set(r->w, e[0]) && den_seen_set(r->w, e[1]));
    assert_true(den_bare_set(r->w, e[3]));
    rig_forget(r);
    r->roam = put_both;
    r->react = see_who_is_bare;
    assert_int_equal(den_tick(r->w, 1), WEFT_OK);
    // Off before on; and what a hook records there is applied at the end of the phase.
    told_only(r, "-seen +seen +bare +bare +bare +scent:8 +scent:8 +scent:8");
    assert_int_equal(den_tick(r->w, 1), WEFT_OK);
    told_only(r, "");
}

// ---- what hooks record

static void answer_in_turn(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)r;
    if (t->removed) return;
    if (t->component == DEN_COMPONENT_BODY) rig_cmd_set(ctx->cmd, t->e, DEN_COMPONENT_GAIT, 2);
    if (t->component == DEN_COMPONENT_GAIT) rig_cmd_set(ctx->cmd, t->e, DEN_COMPONENT_SCENT, 3);
}

static void hooks_of_commands_record_for_the_next_round(void **state)
{
    rig *r = (rig *)*state;
    den_cmd *cmd = den_commands(r->w);
    den_entity a = den_spawn(r->w);
    den_entity b = den_spawn(r->w);
    r->react = answer_in_turn;
    rig_cmd_set(cmd, a, DEN_COMPONENT_BODY, 1);
    rig_cmd_set(cmd, b, DEN_COMPONENT_BODY, 1);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "+body:1 +body:1 +gait:2 +gait:2 +scent:3 +scent:3");
}

static void hooks_of_direct_calls_record_outside(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    r->react = answer_in_turn;
    assert_true(rig_set(r->w, e, DEN_COMPONENT_BODY, 1));
    told_only(r, "+body:1");
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "+gait:2 +scent:3");
    e = den_spawn(r->w);
    assert_true(rig_set(r->w, e, DEN_COMPONENT_GAIT, 1));
    assert_int_equal(den_tick(r->w, 1), WEFT_OK);
    told_only(r, "+gait:1 +scent:3");
}

static void give_birth(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)r;
    if (t->removed || t->component != DEN_COMPONENT_PELT) return;
    den_entity child = den_cmd_spawn(ctx->cmd);
    assert_true(den_cmd_body_set(ctx->cmd, child, (den_body){.size = 1, .mate = t->e}));
    assert_true(den_cmd_body_set(ctx->cmd, t->e, (den_body){.size = 2, .mate = child}));
}

static void what_hooks_spawn_is_known_to_their_commands(void **state)
{
    rig *r = (rig *)*state;
    r->react = give_birth;
    den_entity old = den_cub_spawn(r->w, NULL);
    den_cub cub = rig_cub(1);
    den_cmd_cub_spawn(den_commands(r->w), &cub);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(den_bodies_count(r->w), 4);
    den_bodies_iter it = den_bodies_begin(r->w);
    while (den_bodies_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) { // mates of each other
            const den_body *mate = den_body_get(r->w, it.body[i].mate);
            assert_non_null(mate);
            assert_true(den_same(mate->mate, it.entities[i]));
        }
    }
    assert_int_equal(den_body_get(r->w, old)->size, 2);
}

static void call_the_last_by_name(rig *r, const den_hook_ctx *ctx, const told *t)
{
    den_entity *last = (den_entity *)r->more;
    bool born = t->component == DEN_COMPONENT_BODY && t->value == 1;
    if (t->component != DEN_COMPONENT_PELT && !born) return;
    den_entity child = den_cmd_spawn(ctx->cmd);
    assert_false(den_same(child, *last));
    assert_true(den_cmd_seen_set(ctx->cmd, child));
    if (born) assert_true(den_cmd_seen_set(ctx->cmd, *last)); // of the round before
    if (!born) assert_true(den_cmd_body_set(ctx->cmd, child, (den_body){.size = 1}));
    *last = child;
}

static void what_hooks_spawn_is_nobody_to_later_rounds(void **state)
{
    rig *r = (rig *)*state;
    den_entity last = {0};
    den_cub cub = rig_cub(1);
    r->react = call_the_last_by_name;
    r->more = &last;
    den_cmd_cub_spawn(den_commands(r->w), &cub);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(den_stats(r->w).entities, 3);
    assert_int_equal(den_watched_count(r->w), 2);
    assert_int_equal(den_stats(r->w).commands_dropped, 1);
    den_cmd_cub_spawn(den_commands(r->w), &cub); // nor to hooks of what is applied later
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(den_stats(r->w).commands_dropped, 2);
}

#define NUMBERS (4095u / 3) // of provisional handles: outside, hooks and roam share them

static void spawn_too_many(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)r;
    if (t->component != DEN_COMPONENT_PELT) return;
    for (uint32_t i = 0; i < NUMBERS + 10; i++) {
        assert_int_equal(den_is_none(den_cmd_spawn(ctx->cmd)), i >= NUMBERS);
    }
}

static void hooks_run_out_of_numbers_as_systems_do(void **state)
{
    rig *r = (rig *)*state;
    den_cub cub = rig_cub(1);
    r->react = spawn_too_many;
    for (uint32_t i = 1; i < 3; i++) { // all of them anew each time
        den_cmd_cub_spawn(den_commands(r->w), &cub);
        assert_int_equal(den_flush(r->w), WEFT_FULL);
        assert_int_equal(den_stats(r->w).entities, i * (1 + NUMBERS));
        assert_int_equal(den_stats(r->w).commands_lost, i * 10);
    }
}

static void go_in_circles(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)r;
    if (t->component != DEN_COMPONENT_BARE) return;
    if (t->removed) rig_cmd_set(ctx->cmd, t->e, DEN_COMPONENT_BARE, 0);
    if (!t->removed) rig_cmd_remove(ctx->cmd, t->e, DEN_COMPONENT_BARE);
}

static void a_circle_of_hooks_ends_and_is_reported(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    r->react = go_in_circles;
    rig_cmd_set(den_commands(r->w), e, DEN_COMPONENT_BARE, 0);
    assert_int_equal(den_flush(r->w), WEFT_REFUSED);
    assert_int_equal(r->count, 1 + WEFT_HOOK_ROUNDS_MAX);
    assert_true(den_bare_has(r->w, e));
    assert_int_equal(den_stats(r->w).commands_dropped, 1);
    assert_string_equal(
        den_error(r->w),
        "hooks went on recording commands for 16 rounds: the last 1 are dropped; do "
        "hooks answer each other in a circle?");
    assert_string_equal(r->said, den_error(r->w));
    rig_forget(r);
    assert_int_equal(den_flush(r->w), WEFT_OK); // nothing is left of it
    told_only(r, "");
    assert_true(den_bare_remove(r->w, e)); // a direct call goes round in the next flush
    assert_int_equal(den_tick(r->w, 1), WEFT_REFUSED);
    assert_int_equal(r->count, 1 + 1 + WEFT_HOOK_ROUNDS_MAX);
}

// ---- what is refused inside

static bool call_spawn(rig *r, den_entity e)
{
    (void)e;
    return !den_is_none(den_spawn(r->w));
}

static bool call_fox_spawn(rig *r, den_entity e)
{
    (void)e;
    return !den_is_none(den_fox_spawn(r->w, NULL));
}

static bool call_spawn_many(rig *r, den_entity e)
{
    (void)e;
    return den_fox_spawn_many(r->w, 2, NULL, NULL) != 0;
}

static bool call_despawn(rig *r, den_entity e)
{
    return den_despawn(r->w, e);
}

static bool call_set(rig *r, den_entity e)
{
    return den_gait_set(r->w, e, (den_gait){.speed = 1});
}

static bool call_set_plain(rig *r, den_entity e) // a component without hooks
{
    return den_plain_set(r->w, e, (den_plain){1});
}

static bool call_remove(rig *r, den_entity e)
{
    return den_body_remove(r->w, e);
}

static bool call_tag(rig *r, den_entity e)
{
    return den_seen_set(r->w, e);
}

static bool call_prefab_set(rig *r, den_entity e)
{
    return den_fox_set(r->w, e, NULL);
}

static bool call_flush(rig *r, den_entity e)
{
    (void)e;
    return den_flush(r->w) != WEFT_BUSY;
}

static bool call_tick(rig *r, den_entity e)
{
    (void)e;
    return den_tick(r->w, 1) != WEFT_BUSY;
}

static bool call_reserve(rig *r, den_entity e)
{
    (void)e;
    return den_reserve(r->w, 1) != WEFT_BUSY;
}

static bool call_recycle(rig *r, den_entity e)
{
    (void)e;
    return den_recycle(r->w) != 0;
}

static bool call_save(rig *r, den_entity e)
{
    void *bytes;
    size_t count;
    (void)e;
    return den_save_memory(r->w, &bytes, &count) != WEFT_BUSY;
}

static bool call_load(rig *r, den_entity e)
{
    (void)e;
    return den_load_memory(r->w, "", 0) != WEFT_BUSY;
}

static bool call_close(rig *r, den_entity e)
{
    den_close(r->w);
    return !den_alive(r->w, e);
}

typedef struct attempt {
    bool (*call)(rig *r, den_entity e);
    rig *r;
    den_entity e;
} attempt;

static void try_it(void *context)
{
    attempt *a = (attempt *)context;
    a->call(a->r, a->e);
}

static void try_everything(rig *r, const den_hook_ctx *ctx, const told *t)
{
    static bool (*const calls[])(rig *, den_entity) = {
        call_spawn,   call_fox_spawn, call_spawn_many, call_despawn, call_set,  call_set_plain,
        call_remove,  call_tag,       call_prefab_set, call_flush,   call_tick, call_reserve,
        call_recycle, call_save,      call_load,       call_close,
    };
    (void)ctx;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        attempt a = {calls[i], r, t->e};
        assert_true(asserts_saying(try_it, &a, "a hook runs: it records this as a command"));
#ifdef NDEBUG
        assert_false(calls[i](r, t->e));
        assert_string_equal(den_error(r->w), "a hook runs: it records this as a command instead");
#endif
    }
    ++*(int *)r->more;
}

static void direct_changes_are_refused_inside_hooks(void **state)
{
    rig *r = (rig *)*state;
    int tried = 0;
    den_entity e = den_spawn(r->w);
    r->more = &tried;
    r->react = try_everything;
    assert_true(rig_set(r->w, e, DEN_COMPONENT_BODY, 1));
    rig_cmd_remove(den_commands(r->w), e, DEN_COMPONENT_BODY);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "+body:1 -body:1");
    assert_int_equal(tried, 2);
    r->react = NULL;
    assert_true(den_despawn(r->w, e)); // and not afterwards
}

static void look_at_context(rig *r, const den_hook_ctx *ctx, const told *t)
{
    assert_ptr_equal(ctx->user, r);
    assert_int_equal(ctx->tick, 2);
    (void)t;
}

static void the_context_has_the_tick(void **state)
{
    rig *r = (rig *)*state;
    assert_int_equal(den_tick(r->w, 1), WEFT_OK);
    assert_int_equal(den_tick(r->w, 1), WEFT_OK);
    r->react = look_at_context;
    fox_with(r, 1);
}

// ---- memory

static void without_memory_nobody_is_told_of_what_does_not_come_about(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    memory_arm(&r->memory, 0, true);
    assert_false(rig_set(r->w, e, DEN_COMPONENT_BODY, 1));
    assert_false(den_fox_set(r->w, e, NULL));
    assert_true(memory_disarm(&r->memory));
    told_only(r, "");
    e = fox_with(r, 1);
    memory_arm(&r->memory, 0, true);
    assert_false(den_gait_remove(r->w, e)); // the table without it is not there yet
    assert_true(memory_disarm(&r->memory));
    told_only(r, "");
    rig_cmd_remove(den_commands(r->w), e, DEN_COMPONENT_SEEN);
    rig_cmd_remove(den_commands(r->w), e, DEN_COMPONENT_BODY);
    memory_arm(&r->memory, 0, true);
    assert_int_equal(den_flush(r->w), WEFT_NO_MEMORY);
    assert_true(memory_disarm(&r->memory));
    told_only(r, "");
    assert_true(den_gait_remove(r->w, e));
    told_only(r, "-gait:1");
}

static void lose_memory(rig *r, const den_hook_ctx *ctx, const told *t)
{
    memory_arm(&r->memory, 0, true);
    assert_false(rig_cmd_set(ctx->cmd, t->e, DEN_COMPONENT_SCENT, 1));
    assert_true(memory_disarm(&r->memory));
}

static void what_hooks_cannot_record_is_lost_and_the_status_says_so(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    r->react = lose_memory;
    rig_cmd_set(den_commands(r->w), e, DEN_COMPONENT_SEEN, 1);
    assert_int_equal(den_flush(r->w), WEFT_NO_MEMORY);
    assert_int_equal(den_stats(r->w).commands_lost, 1);
    told_only(r, "+seen");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_rig, close_rig)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(told_of_every_kind_of_component),
        TEST(told_by_reflection_too),
        TEST(what_is_refused_is_not_told),
        TEST(prefabs_are_told_in_schema_order),
        TEST(many_are_told_one_after_the_other),
        TEST(rows_to_fill_in_are_told_of_with_the_defaults),
        TEST(seed_H4_despawn_tells_of_all_that_goes_in_schema_order),
        TEST(a_tree_is_told_of_children_first),
        cmocka_unit_test(seed_H4_close_tells_of_everybody_in_the_order_of_rows),
        TEST(clearing_a_tag_tells_of_each_in_the_order_of_rows),
        TEST(a_load_tells_of_all_that_was_and_of_all_that_is),
        TEST(a_load_that_fails_tells_nobody),
        TEST(what_hooks_of_a_load_record_is_applied_after_it),
        cmocka_unit_test(seed_B5_resources_are_given_back_whichever_way_their_owner_goes),
        TEST(seed_B6_no_dangling_component_is_ever_seen),
        TEST(removing_and_adding_in_one_batch_tells_of_both),
        TEST(what_comes_and_goes_in_one_batch_was_never_there),
        TEST(losing_twice_in_one_batch_is_losing_once),
        TEST(spawn_commands_are_told_as_direct_spawns_are),
        TEST(puts_tell_where_they_change_something),
        TEST(hooks_of_commands_record_for_the_next_round),
        TEST(hooks_of_direct_calls_record_outside),
        TEST(what_hooks_spawn_is_known_to_their_commands),
        TEST(what_hooks_spawn_is_nobody_to_later_rounds),
        TEST(hooks_run_out_of_numbers_as_systems_do),
        TEST(a_circle_of_hooks_ends_and_is_reported),
        TEST(direct_changes_are_refused_inside_hooks),
        TEST(the_context_has_the_tick),
        TEST(without_memory_nobody_is_told_of_what_does_not_come_about),
        TEST(what_hooks_cannot_record_is_lost_and_the_status_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
