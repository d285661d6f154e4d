// The calls of links that are generated from a schema: direct calls, loops, commands, grants and
// hooks; questions in `where`; systems over links, also in parts. Links are compared with a matrix.
//
// program: worlds threads
// flags: hot
#include "../../fuzz/dice.h"
#include "../../support/asserts.h"
#include "guild.h"
#include "guild_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef WEFT_HARD // where each change moves the whole world
enum { PEOPLE = 40, CROWD = 800, STEPS = 1000 };
#else
enum { PEOPLE = 40, CROWD = 3000, STEPS = 4000 };
#endif

typedef struct guild {
    guild_world *w;
    dice dice;
    guild_entity e[PEOPLE];
    uint32_t owes[PEOPLE][PEOPLE]; // gold + 1; 0: no link
    bool knows[PEOPLE][PEOPLE];
    uint32_t added; // calls of hooks
    uint32_t removed;
    guild_sum_partial sum; // of the last turn
    uint32_t parts;
    uint64_t paid_links; // that `pay` was called for in the last turn
    uint32_t noted;      // rows that `note` got in the last turn
    void (*act)(const guild_act_ctx *ctx);
} guild;

static guild *test_of(void *user)
{
    return (guild *)user;
}

// ------------------------------------------------------------------------------------------------
// Hooks and systems

void guild_owes_on_add(const guild_hook_ctx *ctx, guild_entity from, guild_entity to,
                       guild_owes *value)
{
    test_of(ctx->user)->added++;
    assert_true(guild_owes_has_in(ctx->owes, from, to));
    assert_ptr_equal(guild_owes_get(ctx->world, from, to), value);
    value->paid += 7; // a hook may write the value
}

void guild_owes_on_remove(const guild_hook_ctx *ctx, guild_entity from, guild_entity to,
                          const guild_owes *value)
{
    test_of(ctx->user)->removed++;
    assert_ptr_equal(guild_owes_get_in(ctx->owes, from, to), value);
}

void guild_act(const guild_act_ctx *ctx, uint32_t count)
{
    assert_int_equal(count, 0);
    guild *g = test_of(ctx->user);
    if (g->act) g->act(ctx);
}

void guild_pay(const guild_pay_ctx *ctx, uint32_t count, const guild_entity *from,
               const guild_entity *to, guild_owes *const *owes,
               const guild_place *const *from_place, const guild_drift_const_columns *from_drift,
               guild_charm *const *from_charm, guild_purse *const *to_purse)
{
    guild *g = test_of(ctx->user);
    assert_in_range(count, 1, WEFT_OVER_LINKS);
    for (uint32_t i = 0; i < count; i++) {
        assert_ptr_equal(owes[i], guild_owes_get(g->w, from[i], to[i]));
        assert_ptr_equal(from_place[i], guild_place_get(g->w, from[i]));
        assert_ptr_equal(from_drift[i].y, guild_drift_get(g->w, from[i]).y);
        assert_ptr_equal(from_charm[i], guild_charm_get(g->w, from[i]));
        assert_ptr_equal(to_purse[i], guild_purse_get(g->w, to[i]));
        owes[i]->paid++;
        to_purse[i]->gold += from_place[i]->x;
        from_charm[i]->power++;
    }
    g->paid_links += count;
}

void guild_sum(const guild_sum_ctx *ctx, uint32_t count, const guild_entity *from,
               const guild_entity *to, const guild_owes *const *owes,
               const guild_place *const *to_place)
{
    guild_sum_partial *sum = ctx->partial;
    for (uint32_t i = 0; i < count; i++) {
        sum->links++;
        sum->gold += owes[i]->gold * (uint64_t)(to_place[i]->x + 1000);
        sum->order = sum->order * 31 + from[i].bits * 7 + to[i].bits;
    }
}

void guild_sum_merge(const guild_sum_ctx *ctx, const guild_sum_partial *parts, uint32_t count)
{
    guild *g = test_of(ctx->user);
    memset(&g->sum, 0, sizeof g->sum);
    g->parts = count;
    for (uint32_t i = 0; i < count; i++) {
        g->sum.links += parts[i].links;
        g->sum.gold += parts[i].gold;
        g->sum.order = g->sum.order * 1000003 + parts[i].order;
    }
}

void guild_mark(const guild_mark_ctx *ctx, uint32_t count, const guild_entity *from,
                const guild_entity *to, guild_bears *const *bears)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) bears[i]->load += (uint32_t)(from[i].bits ^ to[i].bits);
}

void guild_note(const guild_note_ctx *ctx, uint32_t count)
{
    test_of(ctx->user)->noted += count;
}

// ------------------------------------------------------------------------------------------------
// Worlds

static void open_guild(guild *g, unsigned workers)
{
    weft_options options = {.user = g, .workers = workers};
    memset(g, 0, sizeof *g);
    g->w = guild_open(&options);
    assert_non_null(g->w);
    g->dice = (dice){.state = 11};
}

static guild_entity person(guild *g, int32_t x)
{
    guild_entity e = guild_spawn(g->w);
    assert_true(guild_place_set(g->w, e, (guild_place){x}));
    assert_true(guild_purse_set(g->w, e, (guild_purse){0}));
    assert_true(guild_drift_set(g->w, e, (guild_drift){x, -x}));
    assert_true(guild_charm_set(g->w, e, (guild_charm){0}));
    return e;
}

static void open_people(guild *g)
{
    open_guild(g, 0);
    for (uint32_t i = 0; i < PEOPLE; i++) g->e[i] = person(g, (int32_t)i);
}

static void tick(guild *g)
{
    g->noted = 0;
    g->paid_links = 0;
    assert_int_equal(guild_tick(g->w, 1.0), WEFT_OK);
}

// ------------------------------------------------------------------------------------------------
// Direct calls and loops

static uint32_t slot_of(const guild *g, guild_entity e)
{
    for (uint32_t i = 0; i < PEOPLE; i++) {
        if (guild_same(g->e[i], e)) return i;
    }
    fail();
    return 0;
}

static void check_owes(const guild *g, uint32_t a)
{
    uint32_t out = 0, in = 0, next = 0;
    for (uint32_t b = 0; b < PEOPLE; b++) {
        const guild_owes *value = guild_owes_get(g->w, g->e[a], g->e[b]);
        assert_int_equal(guild_owes_has(g->w, g->e[a], g->e[b]), g->owes[a][b] != 0);
        assert_int_equal(value ? value->gold + 1 : 0, g->owes[a][b]);
        out += g->owes[a][b] != 0;
        in += g->owes[b][a] != 0;
    }
    assert_int_equal(guild_owes_count_from(g->w, g->e[a]), out);
    assert_int_equal(guild_owes_count_to(g->w, g->e[a]), in);
    guild_owes_from_iter from = guild_owes_from_begin(g->w, g->e[a]);
    while (guild_owes_from_next(&from)) {
        uint32_t b = slot_of(g, from.to);
        assert_true(guild_same(from.from, g->e[a]));
        assert_int_equal(from.value->gold + 1, g->owes[a][b]);
        assert_true(out-- > 0 && b >= next); // spawned in the order of their indices
        next = b + 1;
    }
    guild_owes_to_iter to = guild_owes_to_begin(g->w, g->e[a]);
    while (guild_owes_to_next(&to)) {
        assert_true(guild_same(to.to, g->e[a]));
        assert_int_equal(to.value->gold + 1, g->owes[slot_of(g, to.from)][a]);
        assert_true(in-- > 0);
    }
    assert_int_equal(out + in, 0);
}

static void check_knows(const guild *g, uint32_t a)
{
    uint32_t all = 0;
    for (uint32_t b = 0; b < PEOPLE; b++) {
        bool known = g->knows[a][b] || g->knows[b][a];
        assert_int_equal(guild_knows_has(g->w, g->e[a], g->e[b]), known);
        all += known;
    }
    assert_int_equal(guild_knows_count_from(g->w, g->e[a]), all);
    assert_int_equal(guild_knows_count_to(g->w, g->e[a]), all);
    guild_knows_from_iter it = guild_knows_from_begin(g->w, g->e[a]);
    while (guild_knows_from_next(&it)) {
        uint32_t b = slot_of(g, it.to);
        assert_true(g->knows[a][b] || g->knows[b][a]);
        all--;
    }
    assert_int_equal(all, 0);
}

static void check_all(const guild *g)
{
    uint64_t links = 0;
    uint32_t at = 0;
    for (uint32_t a = 0; a < PEOPLE; a++) {
        check_owes(g, a);
        check_knows(g, a);
    }
    guild_owes_iter it = guild_owes_begin(g->w);
    while (guild_owes_next(&it)) {
        uint32_t place = slot_of(g, it.from) * PEOPLE + slot_of(g, it.to);
        assert_true(place >= at);
        at = place + 1;
        assert_int_equal(it.value->gold + 1, g->owes[place / PEOPLE][place % PEOPLE]);
        links++;
    }
    assert_int_equal(guild_owes_count(g->w), links);
}

static void change(guild *g)
{
    uint32_t a = dice_below(&g->dice, PEOPLE), b = dice_below(&g->dice, PEOPLE);
    uint32_t gold = dice_below(&g->dice, 1000), what = dice_below(&g->dice, 10);
    guild_owes value = guild_owes_defaults();
    assert_int_equal(value.gold, 3);
    value.gold = gold;
    if (what < 5) {
        assert_true(guild_owes_set(g->w, g->e[a], g->e[b], value));
        g->owes[a][b] = gold + 1;
    } else if (what < 7) {
        assert_int_equal(guild_owes_remove(g->w, g->e[a], g->e[b]), g->owes[a][b] != 0);
        g->owes[a][b] = 0;
    } else if (what < 8) {
        guild_owes *edited = guild_owes_edit(g->w, g->e[a], g->e[b]);
        assert_int_equal(edited != NULL, g->owes[a][b] != 0);
        if (edited) edited->gold = gold, g->owes[a][b] = gold + 1;
    } else if (what < 9) {
        assert_true(guild_knows_set(g->w, g->e[a], g->e[b]));
        g->knows[a][b] = true;
    } else {
        bool known = g->knows[a][b] || g->knows[b][a];
        assert_int_equal(guild_knows_remove(g->w, g->e[b], g->e[a]), known);
        g->knows[a][b] = g->knows[b][a] = false;
    }
}

static void generated_calls_keep_links(void **state)
{
    (void)state;
    guild g;
    open_people(&g);
    for (uint32_t step = 0; step < STEPS; step++) {
        change(&g);
        if (step % 200 == 0) check_all(&g);
    }
    check_all(&g);
    assert_int_equal(g.added - g.removed, guild_owes_count(g.w));
    assert_true(guild_owes_clear(g.w));
    memset(g.owes, 0, sizeof g.owes);
    check_all(&g);
    assert_int_equal(g.added, g.removed);
    guild_close(g.w);
}

static void dead_entities_have_no_links(void **state)
{
    (void)state;
    guild g;
    open_people(&g);
    assert_true(guild_owes_set(g.w, g.e[1], g.e[0], guild_owes_defaults()));
    assert_true(guild_bears_set(g.w, g.e[0], g.e[2], (guild_bears){1}));
    assert_true(guild_bears_set(g.w, g.e[2], g.e[3], (guild_bears){1}));
    assert_true(guild_bears_set(g.w, g.e[4], g.e[0], (guild_bears){1}));
    assert_true(guild_despawn(g.w, g.e[0]));
    assert_false(guild_alive(g.w, g.e[2]) || guild_alive(g.w, g.e[3]));
    assert_true(guild_alive(g.w, g.e[1]) && guild_alive(g.w, g.e[4]));
    assert_int_equal(guild_owes_count(g.w), 0);
    assert_int_equal(guild_bears_count(g.w), 0);
    assert_false(guild_owes_set(g.w, g.e[1], g.e[0], guild_owes_defaults()));
    assert_false(guild_owes_has(g.w, g.e[1], g.e[0]));
    assert_null(guild_owes_get(g.w, g.e[1], g.e[0]));
    guild_owes_to_iter it = guild_owes_to_begin(g.w, g.e[0]);
    assert_false(guild_owes_to_next(&it));
    guild_close(g.w);
}

static void step_after_a_change(void *context)
{
    guild *g = context;
    guild_owes_iter all = guild_owes_begin(g->w);
    assert_true(guild_owes_next(&all));
    assert_true(guild_owes_set(g->w, g->e[3], g->e[4], guild_owes_defaults()));
    assert_false(guild_owes_next(&all));
    assert_false(guild_owes_next(&all));
}

static void a_loop_ends_after_a_structural_change(void **state)
{
    (void)state;
    guild g;
    open_people(&g);
    assert_true(guild_owes_set(g.w, g.e[1], g.e[0], guild_owes_defaults()));
    assert_true(guild_owes_set(g.w, g.e[2], g.e[0], guild_owes_defaults()));
    assert_true(asserts_saying(step_after_a_change, &g, "a loop over links"));
#ifdef NDEBUG
    step_after_a_change(&g);
    assert_non_null(strstr(guild_error(g.w), "a loop over links"));
#endif
    guild_close(g.w);
}

// ------------------------------------------------------------------------------------------------
// Commands and grants

static void act_on_links(const guild_act_ctx *ctx)
{
    guild *g = test_of(ctx->user);
    assert_true(guild_knows_has_in(ctx->knows, g->e[1], g->e[2]));
    assert_int_equal(guild_knows_count_from_in(ctx->knows, g->e[2]), 1);
    assert_int_equal(guild_knows_count_in(ctx->knows), 1);
    assert_int_equal(guild_owes_get_in(ctx->owes.reader, g->e[0], g->e[1])->gold, 5);
    assert_null(guild_owes_edit_in(ctx->owes, g->e[1], g->e[0]));
    guild_owes_edit_in(ctx->owes, g->e[0], g->e[1])->gold = 6;
    guild_owes_from_iter it = guild_owes_from_begin_in(ctx->owes.reader, g->e[0]);
    assert_true(guild_owes_from_next(&it) && it.value->gold == 6);
    guild_knows_to_iter known = guild_knows_to_begin_in(ctx->knows, g->e[1]);
    assert_true(guild_knows_to_next(&known) && guild_same(known.from, g->e[2]));
    assert_int_equal(guild_debtors_count_in(ctx->debtors), 1);
    assert_true(guild_cmd_owes_set(ctx->cmd, g->e[3], g->e[4], (guild_owes){.gold = 9}));
    assert_true(guild_cmd_owes_set(ctx->cmd, g->e[3], g->e[5], (guild_owes){.gold = 8}));
    assert_true(guild_cmd_owes_remove(ctx->cmd, g->e[0], g->e[1]));
    assert_true(guild_cmd_knows_set(ctx->cmd, g->e[7], g->e[6]));
    assert_true(guild_cmd_knows_remove(ctx->cmd, g->e[2], g->e[1]));
    assert_true(guild_cmd_despawn(ctx->cmd, g->e[5]));
    assert_true(guild_cmd_owes_set(ctx->cmd, g->e[3], g->e[5], (guild_owes){.gold = 7}));
}

static void systems_read_links_and_record_changes(void **state)
{
    (void)state;
    guild g;
    open_people(&g);
    g.act = act_on_links;
    assert_true(guild_owes_set(g.w, g.e[0], g.e[1], (guild_owes){.gold = 5}));
    assert_true(guild_knows_set(g.w, g.e[1], g.e[2]));
    tick(&g);
    assert_int_equal(guild_owes_count(g.w), 1);
    assert_int_equal(guild_owes_get(g.w, g.e[3], g.e[4])->gold, 9);
    assert_int_equal(guild_owes_get(g.w, g.e[3], g.e[4])->paid, 7 + 1); // hook, then `pay`
    assert_true(guild_knows_has(g.w, g.e[6], g.e[7]));
    assert_int_equal(guild_knows_count(g.w), 1);
    assert_int_equal(g.added - g.removed, 1);
    guild_close(g.w);
}

// ------------------------------------------------------------------------------------------------
// Questions in `where`

// Runs a turn of a query of changes. Returns how many rows it shows; *first is one of them.
#define TURN(query)                                                                                \
    static uint32_t turn_of_##query(guild_world *w, guild_entity *first)                           \
    {                                                                                              \
        uint32_t rows = 0;                                                                         \
        guild_##query##_iter it = guild_##query##_begin(w);                                        \
        while (guild_##query##_next(&it)) {                                                        \
            *first = it.entities[0];                                                               \
            rows += it.count;                                                                      \
        }                                                                                          \
        return rows;                                                                               \
    }
TURN(moved)
TURN(alone)
TURN(met)

static void rows_are_selected_by_their_links(void **state)
{
    (void)state;
    guild g;
    guild_entity first;
    open_people(&g);
    assert_int_equal(guild_debtors_count(g.w), 0);
    assert_int_equal(turn_of_moved(g.w, &first), 0);
    assert_true(guild_owes_set(g.w, g.e[0], g.e[1], guild_owes_defaults()));
    assert_true(guild_owes_set(g.w, g.e[0], g.e[2], guild_owes_defaults()));
    assert_true(guild_owes_set(g.w, g.e[3], g.e[2], guild_owes_defaults()));
    assert_int_equal(guild_debtors_count(g.w), 2);
    assert_true(guild_asleep_set(g.w, g.e[3]));
    assert_true(guild_same(guild_debtors_only(g.w), g.e[0]));
    assert_int_equal(turn_of_moved(g.w, &first), 2);
    assert_int_equal(turn_of_moved(g.w, &first), 0);
    guild_owes_edit(g.w, g.e[0], g.e[1])->gold = 4;
    assert_int_equal(turn_of_moved(g.w, &first), 1);
    assert_true(guild_same(first, g.e[1]));
    assert_true(guild_owes_set(g.w, g.e[3], g.e[2], guild_owes_defaults()));
    assert_int_equal(turn_of_moved(g.w, &first), 2); // the pointer of _edit may still be written
    assert_true(guild_owes_remove(g.w, g.e[0], g.e[1]) && guild_owes_remove(g.w, g.e[0], g.e[2]));
    assert_int_equal(guild_debtors_count(g.w), 0);
    guild_close(g.w);
}

static void both_ends_of_a_symmetric_link_are_rows(void **state)
{
    (void)state;
    guild g;
    guild_entity first;
    open_people(&g);
    assert_int_equal(turn_of_met(g.w, &first) + turn_of_alone(g.w, &first), 0);
    assert_true(guild_knows_set(g.w, g.e[5], g.e[4]) && guild_knows_set(g.w, g.e[5], g.e[6]));
    assert_int_equal(turn_of_met(g.w, &first), 3);
    assert_int_equal(turn_of_alone(g.w, &first), 0);
    assert_true(guild_knows_remove(g.w, g.e[4], g.e[5]));
    assert_int_equal(turn_of_met(g.w, &first), 0);
    assert_int_equal(turn_of_alone(g.w, &first), 1);
    assert_true(guild_same(first, g.e[4]));
    assert_true(guild_despawn(g.w, g.e[6]));
    assert_int_equal(turn_of_alone(g.w, &first), 1);
    assert_true(guild_same(first, g.e[5]));
    guild_close(g.w);
}

static void systems_see_links_that_changed(void **state)
{
    (void)state;
    guild g;
    open_people(&g);
    assert_true(guild_owes_set(g.w, g.e[0], g.e[1], guild_owes_defaults()));
    tick(&g);
    assert_int_equal(g.noted, 1);
    tick(&g);
    assert_int_equal(g.noted, 1); // `pay` writes each link in each tick
    guild_charm_remove(g.w, g.e[0]);
    tick(&g);
    assert_int_equal(g.noted, 0); // it skips links of ends without a charm
    assert_true(guild_owes_set(g.w, g.e[0], g.e[1], guild_owes_defaults()));
    tick(&g);
    assert_int_equal(g.noted, 1);
    guild_close(g.w);
}

// ------------------------------------------------------------------------------------------------
// Systems over links

// A crowd in which some have many links and some lack components.
static void open_crowd(guild *g, unsigned workers)
{
    static guild_entity e[CROWD];
    open_guild(g, workers);
    for (uint32_t i = 0; i < CROWD; i++) e[i] = person(g, (int32_t)i);
    for (uint32_t i = 0; i < 4 * CROWD; i++) {
        uint32_t a = dice_below(&g->dice, i % 3 ? CROWD : 8), b = dice_below(&g->dice, CROWD);
        assert_true(guild_owes_set(g->w, e[a], e[b], (guild_owes){.gold = i}));
        assert_true(guild_bears_set(g->w, e[b], e[a], (guild_bears){i}));
        guild_owes_edit(g->w, e[a], e[b])->paid = 7;
    }
    for (uint32_t i = 0; i < CROWD; i += 7) {
        assert_true(guild_place_remove(g->w, e[i]));
        assert_true(guild_charm_remove(g->w, e[(i + 3) % CROWD]));
        assert_true(guild_purse_remove(g->w, e[(i + 5) % CROWD]));
    }
}

// Adds up by loops what the systems did in the first tick.
static void check_crowd(const guild *g)
{
    uint64_t links = 0, gold = 0, paid = 0;
    guild_owes_iter it = guild_owes_begin(g->w);
    while (guild_owes_next(&it)) {
        const guild_place *there = guild_place_get(g->w, it.to);
        bool pays = guild_place_get(g->w, it.from) && guild_charm_get(g->w, it.from) &&
                    guild_purse_get(g->w, it.to);
        assert_int_equal(it.value->paid, 7 + (pays ? 1 : 0));
        paid += pays;
        if (!there) continue;
        links++;
        gold += it.value->gold * (uint64_t)(there->x + 1000);
    }
    assert_int_equal(g->paid_links, paid);
    assert_int_equal(g->sum.links, links);
    assert_int_equal(g->sum.gold, gold);
    assert_true(links > WEFT_OVER_LINKS && paid < links);
}

static void systems_go_over_links(void **state)
{
    (void)state;
    guild g;
    open_crowd(&g, 0);
    tick(&g);
    check_crowd(&g);
    guild_close(g.w);
}

static void parts_of_links_do_not_depend_on_workers(void **state)
{
    (void)state;
    guild one, eight;
    open_crowd(&one, 0);
    open_crowd(&eight, 8);
    for (uint32_t i = 0; i < 3; i++) {
        tick(&one);
        tick(&eight);
        assert_true(one.parts > 4);
        assert_int_equal(one.parts, eight.parts);
        assert_memory_equal(&one.sum, &eight.sum, sizeof one.sum);
    }
    assert_true(guild_hash_exact(one.w) == guild_hash_exact(eight.w));
    guild_bears_iter it = guild_bears_begin(one.w), other = guild_bears_begin(eight.w);
    while (guild_bears_next(&it)) {
        assert_true(guild_bears_next(&other) && guild_same(it.to, other.to));
        assert_int_equal(it.value->load, other.value->load);
    }
    assert_false(guild_bears_next(&other));
    guild_close(one.w);
    guild_close(eight.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_calls_keep_links),
        cmocka_unit_test(dead_entities_have_no_links),
        cmocka_unit_test(a_loop_ends_after_a_structural_change),
        cmocka_unit_test(systems_read_links_and_record_changes),
        cmocka_unit_test(rows_are_selected_by_their_links),
        cmocka_unit_test(both_ends_of_a_symmetric_link_are_rows),
        cmocka_unit_test(systems_see_links_that_changed),
        cmocka_unit_test(systems_go_over_links),
        cmocka_unit_test(parts_of_links_do_not_depend_on_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
