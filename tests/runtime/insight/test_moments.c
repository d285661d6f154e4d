// A watched world in which the game writes at every moment through everything that it was lent:
// pointers, iterators, new rows and a singleton. Each write must be found as the game's, in its
// tick, while the loan lasts. After the phase that ends the loans, nothing is compared for the game
// any more.
//
// program: worlds byte_order
#include "tavern.h"

#include "record/loans.h"
#include "weft_reflect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GUESTS = 5, KINDS = 6, WRITES = 4096, STEPS = 1500, SEEDS = 6, LOANS = 64 };

// The values that are written. The singleton is the last one.
static const char *const paths[KINDS] = {"purse.coins", "pose.x",      "fever.heat",
                                         "bag.first.y", "body.weight", "till.coins"};
enum { COINS, X, HEAT, Y, WEIGHT, TILL };

typedef struct loan {
    int kind;
    int guest;
    void *to;
} loan;

typedef struct model {
    work work;
    weft_rng rng;
    tavern_world *world;
    tavern_entity guests[GUESTS];
    double values[GUESTS][KINDS];
    uint64_t ticks[GUESTS][KINDS]; // of the last write
    bool written[GUESTS][KINDS];   // since the world is watched
    const char *writers[GUESTS][KINDS];
    loan loans[LOANS];
    int loan_count;
    uint32_t rows_lent_in; // the version of the world for which loans of rows count
    double next;           // value, unlike all before
    int through;           // writes through loans
    int told;              // writes inside a hook of a stop
    bool may_write;        // in such a hook: no phase runs
    bool in_hook;          // what it writes may count as of the writer that is about to begin
} model;

static int any(model *m, uint32_t bound)
{
    return (int)weft_rng_below(&m->rng, bound);
}

static weft_world *base_of(const model *m)
{
    return tavern_world_base(m->world);
}

// ------------------------------------------------------------------------------------------------
// Writes

static void wrote(model *m, int guest, int kind, double value)
{
    m->values[guest][kind] = value;
    m->ticks[guest][kind] = tavern_stats(m->world).ticks;
    m->written[guest][kind] = true;
    m->writers[guest][kind] = m->in_hook ? NULL : "the game";
}

// A structural change ends the loans of rows.
static void forget_rows(model *m)
{
    int left = 0;
    if (m->rows_lent_in == weft_version(base_of(m))) return;
    m->rows_lent_in = weft_version(base_of(m));
    for (int i = 0; i < m->loan_count; i++) {
        if (m->loans[i].kind == TILL) m->loans[left++] = m->loans[i];
    }
    m->loan_count = left;
}

static void lend(model *m, int kind, int guest, void *to)
{
    forget_rows(m);
    assert_non_null(to);
    if (m->loan_count < LOANS) m->loans[m->loan_count++] = (loan){kind, guest, to};
}

static void write_through(model *m)
{
    forget_rows(m);
    if (m->loan_count == 0) return;
    const loan *l = &m->loans[any(m, (uint32_t)m->loan_count)];
    double value = m->next++ * (l->kind == TILL && any(m, 2) == 0 ? -1 : 1);
    m->through++;
    wrote(m, l->guest, l->kind, value);
    if (l->kind == COINS) {
        ((tavern_purse *)l->to)->coins = (int32_t)value;
    } else if (l->kind == X) {
        ((tavern_pose *)l->to)->x = (float)value;
    } else if (l->kind == HEAT) {
        ((tavern_fever *)l->to)->heat = (float)value;
    } else if (l->kind == Y) {
        ((tavern_bag *)l->to)->first.y = (float)value;
    } else if (l->kind == WEIGHT) {
        *(double *)l->to = value;
    } else {
        ((tavern_till *)l->to)->coins = (int64_t)value;
    }
}

// A stop is told of writes as a stretch ends, also between two looks of the game.
static void on_stop(void *user, const weft_write *write)
{
    model *m = user;
    (void)write;
    if (!m->may_write || weft_world_is_running(base_of(m))) return;
    m->told++;
    m->in_hook = true;
    write_through(m);
    m->in_hook = false;
}

// ------------------------------------------------------------------------------------------------
// Loans

static int guest_of(const model *m, tavern_entity e)
{
    for (int i = 0; i < GUESTS; i++) {
        if (m->guests[i].bits == e.bits) return i;
    }
    fail();
    return 0;
}

static void one_row(tavern_entity e, tavern_bag *bag, void *user)
{
    model *m = user;
    double value = m->next++;
    bag->first.y = (float)value;
    wrote(m, guest_of(m, e), Y, value);
}

static void one_part(tavern_bags_iter *it, void *user)
{
    while (tavern_bags_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) one_row(it->entities[i], &it->bag[i], user);
    }
}

static void lend_rows(model *m)
{
    tavern_bags_iter it = tavern_bags_begin(m->world);
    while (tavern_bags_next(&it)) {
        uint32_t row = (uint32_t)any(m, it.count);
        int guest = guest_of(m, it.entities[row]);
        if (any(m, 2) == 0) wrote(m, guest, Y, it.bag[row].first.y = (float)m->next++);
        if (any(m, 3) == 0) {
            lend(m, Y, guest, &it.bag[row]); // left, so that its rows stay at hand
            return;
        }
    }
}

// What is added and written in one stretch has had that value from the beginning.
static void end_stretch(model *m)
{
    uint64_t since;
    m->may_write = false;
    assert_true(weft_writes_kept(base_of(m), &since));
    m->may_write = true;
}

// One guest leaves, and another one takes the place, whose values the game fills in later.
static void spawn_rows(model *m)
{
    int guest = any(m, GUESTS);
    assert_true(tavern_despawn(m->world, m->guests[guest]));
    tavern_guest_rows rows = tavern_guest_spawn_rows(m->world, 1);
    tavern_guest defaults = tavern_guest_defaults();
    assert_int_equal(rows.count, 1);
    m->guests[guest] = rows.entities[0];
    *rows.purse = defaults.purse;
    *rows.bag = defaults.bag;
    *rows.pose = defaults.pose;
    *rows.body.hunger = 0.5f;
    *rows.body.mood = TAVERN_MOOD_GLAD;
    *rows.body.tame = true;
    for (int kind = 0; kind < TILL; kind++) m->written[guest][kind] = false;
    lend(m, COINS, guest, rows.purse);
    lend(m, X, guest, rows.pose);
    lend(m, Y, guest, rows.bag);
    lend(m, WEIGHT, guest, rows.body.weight);
    end_stretch(m);
}

static void take_loan(model *m)
{
    int guest = any(m, GUESTS);
    tavern_entity e = m->guests[guest];
    switch (any(m, 10)) {
    case 0:
        lend(m, COINS, guest, tavern_purse_edit(m->world, e));
        break;
    case 1:
        lend(m, X, guest, tavern_pose_edit(m->world, e));
        break;
    case 2:
        if (tavern_fever_has(m->world, e)) lend(m, HEAT, guest, tavern_fever_edit(m->world, e));
        break;
    case 3:
        lend(m, WEIGHT, guest, tavern_body_edit(m->world, e).weight);
        break;
    case 4:
        lend(m, TILL, 0, tavern_till_edit(m->world));
        break;
    case 5:
        tavern_bags_each(m->world, one_row, m);
        break;
    case 6:
        assert_int_equal(tavern_bags_run(m->world, one_part, m), WEFT_OK);
        break;
    case 7:
        spawn_rows(m);
        break;
    default:
        lend_rows(m);
        break;
    }
}

// ------------------------------------------------------------------------------------------------
// Looks

// Compares the last write of a value with the model's.
static void look_at(model *m, int guest, int kind)
{
    weft_write write;
    char after[32];
    if (kind == TILL) guest = 0;
    tavern_entity e = kind == TILL ? TAVERN_NONE : m->guests[guest];
    bool may_write = m->may_write;
    (void)tavern_trace(m->world, e, paths[kind], &write, 1); // a stop may write then
    m->may_write = false;
    uint32_t found = tavern_trace(m->world, e, paths[kind], &write, 1);
    m->may_write = may_write;
    if (!m->written[guest][kind]) return;
    assert_int_equal(found, 1);
    snprintf(after, sizeof after, "%.0f", m->values[guest][kind]);
    assert_string_equal(write.after, after);
    if (m->writers[guest][kind]) assert_string_equal(write.writer, m->writers[guest][kind]);
    assert_false(write.commands);
    assert_int_equal(write.tick, m->ticks[guest][kind]);
}

static void look_at_all(model *m)
{
    m->may_write = false;
    for (int guest = 0; guest < GUESTS; guest++) {
        for (int kind = 0; kind < KINDS; kind++) look_at(m, guest, kind);
    }
    m->may_write = true;
}

static void watch_anew(model *m)
{
    m->may_write = false;
    assert_int_equal(weft_watch(base_of(m), NULL, 0), WEFT_OK);
    assert_int_equal(weft_watch(base_of(m), tavern_insight(), WRITES), WEFT_OK);
    assert_int_equal(weft_stop_at(base_of(m), "till.coins > 0", on_stop, m), WEFT_OK);
    m->may_write = true;
    memset(m->written, 0, sizeof m->written);
}

// ------------------------------------------------------------------------------------------------
// Moments

static void change_structure(model *m)
{
    int guest = any(m, GUESTS);
    tavern_entity e = m->guests[guest];
    if (any(m, 2) == 0) {
        (tavern_drunk_has(m->world, e) ? tavern_drunk_remove : tavern_drunk_set)(m->world, e);
    } else if (tavern_fever_has(m->world, e)) {
        assert_true(tavern_fever_remove(m->world, e));
        m->written[guest][HEAT] = false;
    } else {
        assert_true(tavern_fever_set(m->world, e, (tavern_fever){.heat = 1.0f}));
        end_stretch(m);
        m->written[guest][HEAT] = false;
    }
}

// All loans end as a phase begins, and what was written before is still looked at.
static void run_phases(model *m)
{
    static weft_status (*const runs[])(tavern_world *, double) = {tavern_run_dawn, tavern_run_work,
                                                                  tavern_run_rest, tavern_tick};
    m->may_write = false;
    assert_int_equal(runs[any(m, 4)](m->world, 1.0), WEFT_OK);
    m->may_write = true;
    assert_null(weft_owners_lent(base_of(m)));
    m->loan_count = 0;
}

static void write_without_loan(model *m)
{
    int guest = any(m, GUESTS);
    weft_world *base = base_of(m);
    double value = m->next++;
    assert_int_equal(weft_field_set_number(base, m->guests[guest].bits, paths[WEIGHT], value),
                     WEFT_OK);
    wrote(m, guest, WEIGHT, value);
    m->writers[guest][WEIGHT] = "weft_field_set_number";
}

static void step(model *m)
{
    int chance = any(m, 100);
    if (chance < 20) {
        take_loan(m);
    } else if (chance < 60) {
        write_through(m);
    } else if (chance < 75) {
        look_at(m, any(m, GUESTS), any(m, KINDS));
    } else if (chance < 80) {
        change_structure(m);
    } else if (chance < 88) {
        run_phases(m);
    } else if (chance < 91) {
        write_without_loan(m);
    } else if (chance < 93) {
        assert_int_equal(tavern_trim(m->world), WEFT_OK);
    } else if (chance < 95) {
        assert_int_equal(tavern_flush(m->world), WEFT_OK);
    } else if (chance < 96) {
        watch_anew(m);
    } else {
        look_at_all(m);
    }
}

static void random_world(uint32_t seed)
{
    static model m;
    m = (model){.rng = weft_rng_of(seed, 0), .next = 1.0};
    m.world = open_watched(&m.work, WRITES);
    assert_non_null(m.world);
    for (int i = 0; i < GUESTS; i++) m.guests[i] = tavern_guest_spawn(m.world, NULL);
    m.rows_lent_in = weft_version(base_of(&m));
    watch_anew(&m);
    for (int i = 0; i < STEPS; i++) step(&m);
    look_at_all(&m);
    assert_int_equal(m.work.line_count, 0);
    assert_true(m.through > 100 && m.told > 0);
    tavern_close(m.world);
}

static void writes_at_every_moment_are_found(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) random_world(seed);
}

// ------------------------------------------------------------------------------------------------
// Single promises

static bool lends(const tavern_world *w, uint32_t owner)
{
    const uint64_t *lent = weft_owners_lent(tavern_world_base((tavern_world *)(uintptr_t)w));
    return lent && weft_set_has(lent, owner);
}

// A loan of a row ends with a structural change, one of a singleton with a phase alone.
static void loans_end_as_readers_have_them(void **state)
{
    (void)state;
    work w = {.line_count = 0};
    tavern_world *world = open_watched(&w, 100);
    const uint32_t till = tavern_schema()->component_count;
    tavern_entity e = tavern_guest_spawn(world, NULL);
    assert_int_equal(tavern_tick(world, 1.0), WEFT_OK);
    assert_false(lends(world, TAVERN_COMPONENT_PURSE) || lends(world, till));
    assert_non_null(tavern_purse_edit(world, e));
    assert_true(lends(world, TAVERN_COMPONENT_PURSE));
    assert_false(lends(world, TAVERN_COMPONENT_BAG) || lends(world, till));
    assert_non_null(tavern_till_edit(world));
    assert_true(lends(world, TAVERN_COMPONENT_PURSE) && lends(world, till));
    weft_world_changed(tavern_world_base(world));
    assert_false(lends(world, TAVERN_COMPONENT_PURSE));
    assert_true(lends(world, till));
    assert_int_equal(tavern_run_dawn(world, 1.0), WEFT_OK);
    assert_false(lends(world, till));
    tavern_close(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_at_every_moment_are_found),
        cmocka_unit_test(loans_end_as_readers_have_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
