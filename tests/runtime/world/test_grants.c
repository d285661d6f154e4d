// Grants: helpers that three systems and a hook share, every call that takes a grant compared with
// the game's call of the same meaning, and grants that are used while they are invalid.
//
// program: quick worlds released
#define _POSIX_C_SOURCE 200809L // support/asserts.h

#include "../../support/asserts.h"
#include "inn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ROOMS = 6 };

// What the systems found, and the grants that a test keeps after the call.
typedef struct inn {
    inn_world *w;
    inn_entity rooms[ROOMS];
    inn_entity house;
    uint32_t with_bread[3]; // seen by look, recount and the hook
    uint32_t restocked[2];  // shown to look and recount
    uint32_t heard;
    bool twins_agree;
    struct {
        inn_stock_reader stock;
        inn_stock_writer stock_writer;
        inn_taken_writer taken;
        inn_room_of_reader room_of;
        inn_rooms_reader rooms;
        inn_restocked_reader restocked;
        inn_by_bread_reader by_bread;
        inn_mood_writer mood;
        inn_served_emitter served;
    } kept;
    void (*misuse)(void *context); // recount uses a grant of another system
    bool forge;                    // look makes a writer out of its reader
    bool early;                    // sum_up asks about a row before there is one
    uint32_t taken;
} inn;

// ---- helpers, each written once

static bool has_bread(inn_stock_reader stocks, inn_entity place)
{
    const inn_stock *stock = inn_stock_get_in(stocks, place);
    return stock != NULL && stock->bread > 0;
}

static uint32_t count_bread(inn_stock_reader stocks, const inn *i)
{
    uint32_t count = 0;
    for (int room = 0; room < ROOMS; room++) count += has_bread(stocks, i->rooms[room]);
    return count;
}

static uint32_t rows_of(inn_restocked_reader restocked)
{
    uint32_t rows = 0;
    inn_restocked_iter it = inn_restocked_begin_in(restocked);
    while (inn_restocked_next(&it)) rows += it.count;
    return rows;
}

// ---- the systems

static bool same_components(const inn_look_ctx *ctx, const inn *i)
{
    bool same = true;
    for (int room = 0; room < ROOMS; room++) {
        inn_entity e = i->rooms[room];
        same &= inn_stock_get_in(ctx->stock, e) == inn_stock_get(i->w, e);
        same &= inn_pace_get_in(ctx->pace, e).x == inn_pace_get(i->w, e).x;
        same &= inn_fever_get_in(ctx->fever, e) == inn_fever_get(i->w, e);
        same &= inn_stock_has_in(ctx->stock, e) == inn_stock_has(i->w, e);
        same &= inn_fever_has_in(ctx->fever, e) == inn_fever_has(i->w, e);
        same &= inn_taken_has_in(ctx->taken, e) == inn_taken_has(i->w, e);
    }
    return same;
}

static bool same_relation(const inn_look_ctx *ctx, const inn *i)
{
    inn_entity house = i->house, room = i->rooms[1];
    inn_room_of_walk walk = inn_room_of_walk_begin_in(ctx->room_of, house);
    uint32_t walked = 0;
    while (inn_room_of_walk_next(&walk)) walked++;
    return inn_same(inn_room_of_parent_in(ctx->room_of, room), house) &&
           inn_same(inn_room_of_first_child_in(ctx->room_of, house),
                    inn_room_of_first_child(i->w, house)) &&
           inn_same(inn_room_of_next_sibling_in(ctx->room_of, room),
                    inn_room_of_next_sibling(i->w, room)) &&
           inn_same(inn_room_of_prev_sibling_in(ctx->room_of, room),
                    inn_room_of_prev_sibling(i->w, room)) &&
           inn_room_of_child_count_in(ctx->room_of, house) == ROOMS &&
           inn_room_of_depth_in(ctx->room_of, room) == 1 && walked == ROOMS + 1;
}

static bool same_queries(const inn_look_ctx *ctx, const inn *i)
{
    inn_rooms_iter it = inn_rooms_begin_in(ctx->rooms);
    size_t rows = 0;
    while (inn_rooms_next(&it)) rows += it.count;
    return rows == inn_rooms_count(i->w) && inn_rooms_count_in(ctx->rooms) == rows &&
           inn_same(inn_rooms_only_in(ctx->rooms), inn_rooms_only(i->w)) &&
           inn_rooms_passes_in(ctx->rooms, i->rooms[0]) == inn_rooms_passes(i->w, i->rooms[0]);
}

static bool asks_indexes(const inn_look_ctx *ctx, const inn *i)
{
    inn_entity found[ROOMS];
    inn_by_bread_each_iter equal = inn_by_bread_each_begin_in(ctx->by_bread, 0);
    inn_by_place_near_iter near = inn_by_place_near_begin_in(ctx->by_place, 0, 0, 1.5f);
    inn_by_place_box_iter box = inn_by_place_box_begin_in(ctx->by_place, 0, 0, 1, 1);
    inn_by_ale_range_iter range = inn_by_ale_range_begin_in(ctx->by_ale, 1, 3);
    uint32_t counts[4] = {0};
    while (inn_by_bread_each_next(&equal)) counts[0]++;
    while (inn_by_place_near_next(&near)) counts[1]++;
    while (inn_by_place_box_next(&box)) counts[2]++;
    while (inn_by_ale_range_next(&range)) counts[3]++;
    return counts[0] == inn_by_bread_count_in(ctx->by_bread, 0) && counts[0] == 3 &&
           counts[1] == 2 && counts[2] == 2 && counts[3] == 3 &&
           inn_same(inn_by_bread_find_in(ctx->by_bread, 3), i->rooms[3]) &&
           inn_by_place_nearest_in(ctx->by_place, 0, 0, 1, found) == 1 &&
           inn_same(found[0], i->rooms[0]) &&
           inn_same(inn_by_ale_first_in(ctx->by_ale), i->rooms[0]) &&
           inn_same(inn_by_ale_last_in(ctx->by_ale), i->rooms[ROOMS - 1]);
}

void inn_look(const inn_look_ctx *ctx, uint32_t count, const inn_place *place)
{
    inn *i = (inn *)ctx->user;
    (void)count;
    (void)place;
    i->with_bread[0] = count_bread(ctx->stock, i);
    i->restocked[0] = rows_of(ctx->restocked);
    i->twins_agree = same_components(ctx, i) && same_relation(ctx, i) && same_queries(ctx, i) &&
                     asks_indexes(ctx, i) &&
                     inn_restocked_count_in(ctx->restocked) == i->restocked[0];
    i->kept.stock = ctx->stock;
    i->kept.room_of = ctx->room_of;
    i->kept.rooms = ctx->rooms;
    i->kept.restocked = ctx->restocked;
    i->kept.by_bread = ctx->by_bread;
    if (i->forge) {
        inn_stock_writer forged = {.reader = ctx->stock};
        inn_stock_edit_in(forged, i->rooms[0])->bread = 9;
    }
}

void inn_pour(const inn_pour_ctx *ctx, uint32_t count)
{
    inn *i = (inn *)ctx->user;
    for (uint32_t k = 0; k < count; k++) {
        inn_entity e = ctx->entities[k];
        if (has_bread(ctx->stock.reader, e)) inn_stock_edit_in(ctx->stock, e)->bread--;
        *inn_pace_edit_in(ctx->pace, e).x += 1;
        if (inn_fever_has_in(ctx->fever.reader, e)) inn_fever_edit_in(ctx->fever, e)->heat += 1;
        if (inn_taken_has_in(ctx->taken.reader, e)) {
            inn_taken_remove_in(ctx->taken, e);
        } else {
            inn_taken_set_in(ctx->taken, e);
        }
        inn_served_emit(ctx->emit_served, (inn_served){e, 1});
        inn_unheard_emit(ctx->emit_unheard, (inn_unheard){e});
    }
    inn_mood_go_in(ctx->go_mood, INN_MOOD_LOUD);
    i->kept.stock_writer = ctx->stock;
    i->kept.taken = ctx->taken;
    i->kept.mood = ctx->go_mood;
    i->kept.served = ctx->emit_served;
}

void inn_recount(const inn_recount_ctx *ctx, uint32_t count)
{
    inn *i = (inn *)ctx->user;
    (void)count;
    i->with_bread[1] = count_bread(ctx->stock, i);
    i->restocked[1] = rows_of(ctx->restocked);
    inn_beds_iter beds = inn_beds_begin_in(ctx->beds);
    while (inn_beds_next(&beds)) {
        for (uint32_t k = 0; k < beds.count; k++) beds.claim[k].count++;
    }
    if (i->misuse) i->misuse(i);
}

void inn_hear(const inn_hear_ctx *ctx, uint32_t count)
{
    (void)count;
    ((inn *)ctx->user)->heard += ctx->served_count;
}

void inn_sum_up_begin(const inn_sum_up_ctx *ctx)
{
    inn *i = (inn *)ctx->user;
    i->taken = 0;
    if (i->early) i->taken += inn_sum_up_taken_has(ctx, 0);
}

void inn_sum_up(const inn_sum_up_ctx *ctx, uint32_t count, const inn_stock *stock)
{
    (void)stock;
    for (uint32_t k = 0; k < count; k++) {
        ((inn *)ctx->user)->taken += inn_sum_up_taken_has(ctx, k);
    }
}

void inn_sum_up_end(const inn_sum_up_ctx *ctx)
{
    (void)ctx;
}

void inn_claim_on_add(const inn_hook_ctx *ctx, inn_entity e, inn_claim *value)
{
    inn *i = (inn *)ctx->user;
    i->with_bread[2] = count_bread(ctx->stock, i);
    value->count = inn_taken_has_in(ctx->taken, e) + inn_room_of_depth_in(ctx->room_of, e);
    if (inn_rooms_passes_in(ctx->rooms, e)) value->count += 10;
}

// ---- the tests

static int open_inn(void **state)
{
    static inn i;
    memset(&i, 0, sizeof i);
    i.w = inn_open(&(weft_options){.user = &i});
    if (i.w == NULL) return 1;
    i.house = inn_spawn(i.w);
    for (uint32_t room = 0; room < ROOMS; room++) {
        inn_entity e = i.rooms[room] = inn_spawn(i.w);
        inn_place_set(i.w, e, (inn_place){(float)room, 0});
        inn_stock_set(i.w, e, (inn_stock){room % 2 ? room : 0, room});
        inn_pace_set(i.w, e, (inn_pace){1, 1});
        if (room % 3 == 0) inn_fever_set(i.w, e, (inn_fever){40});
        if (room == 2) inn_taken_set(i.w, e);
        inn_room_of_attach(i.w, e, i.house);
    }
    inn_guest_set(i.w, i.rooms[3]);
    *state = &i;
    return inn_run_serve(i.w, 1) != WEFT_OK || inn_run_close(i.w, 1) != WEFT_OK;
}

static int close_inn(void **state)
{
    inn_close(((inn *)*state)->w);
    return 0;
}

static void three_systems_and_a_hook_share_a_helper(void **state)
{
    inn *i = (inn *)*state;
    assert_int_equal(i->with_bread[0], 3);
    assert_int_equal(i->with_bread[1], 3); // rooms[3] had 3, and pour took one
    assert_true(inn_claim_set(i->w, i->rooms[2], (inn_claim){0}));
    assert_int_equal(i->with_bread[2], 3);
    assert_int_equal(inn_claim_get(i->w, i->rooms[2])->count, 12);
}

static void each_call_does_what_its_twin_does(void **state)
{
    inn *i = (inn *)*state;
    assert_true(i->twins_agree);
    assert_int_equal(inn_tick(i->w, 1), WEFT_OK);
    assert_int_equal(i->heard, 2);
    assert_int_equal(inn_stock_get(i->w, i->rooms[3])->bread, 1);
    assert_true(*inn_pace_get(i->w, i->rooms[3]).x == 3);
    assert_true(inn_fever_get(i->w, i->rooms[3])->heat == 42);
    assert_false(inn_taken_has(i->w, i->rooms[3]));
    assert_int_equal(inn_mood_now(i->w), INN_MOOD_LOUD);
}

static void a_query_of_changes_shows_each_system_its_own(void **state)
{
    inn *i = (inn *)*state;
    assert_int_equal(i->restocked[0], ROOMS);
    assert_int_equal(i->restocked[1], ROOMS);
    inn_guest_remove(i->w, i->rooms[3]);
    assert_int_equal(inn_run_serve(i->w, 1), WEFT_OK);
    assert_int_equal(i->restocked[0], 1); // pour wrote it after look had its turn
    inn_guest_set(i->w, i->rooms[0]);
    inn_stock_edit(i->w, i->rooms[1])->ale = 7;
    assert_int_equal(inn_run_close(i->w, 1), WEFT_OK);
    assert_int_equal(i->restocked[1], 1);
}

// ---- grants where they are not valid

static void reads(void *of)
{
    (void)inn_stock_get_in(((inn *)of)->kept.stock, ((inn *)of)->rooms[0]);
}

static void writes(void *of)
{
    inn_stock_edit_in(((inn *)of)->kept.stock_writer, ((inn *)of)->rooms[0])->ale = 1;
}

static void sets(void *of)
{
    (void)inn_taken_set_in(((inn *)of)->kept.taken, ((inn *)of)->rooms[0]);
}

static void asks_relation(void *of)
{
    (void)inn_room_of_parent_in(((inn *)of)->kept.room_of, ((inn *)of)->rooms[0]);
}

static void asks_query(void *of)
{
    (void)inn_rooms_count_in(((inn *)of)->kept.rooms);
}

static void asks_changes(void *of)
{
    (void)inn_restocked_count_in(((inn *)of)->kept.restocked);
}

static void asks_index(void *of)
{
    (void)inn_by_bread_count_in(((inn *)of)->kept.by_bread, 1);
}

static void goes(void *of)
{
    (void)inn_mood_go_in(((inn *)of)->kept.mood, INN_MOOD_CALM);
}

static void emits(void *of)
{
    inn_served_emit(((inn *)of)->kept.served, (inn_served){((inn *)of)->rooms[0], 1});
}

static void (*const uses[])(void *context) = {
    reads, writes, sets, asks_relation, asks_query, asks_index, goes, asks_changes,
};
enum { USES = sizeof uses / sizeof *uses };

static void kept_grants_assert(void **state)
{
    const char words[] = "a grant was used after the system or hook that it was given to";
    for (size_t k = 0; k < USES; k++) assert_true(asserts_saying(uses[k], *state, words));
    assert_true(
        asserts_saying(emits, *state, "an emitter was used after the system that it was given to"));
}

static void grants_of_zeros_assert(void **state)
{
    inn *i = (inn *)*state;
    const char words[] = "a grant was used that no system or hook was given";
    memset(&i->kept, 0, sizeof i->kept);
    for (size_t k = 0; k < USES; k++) assert_true(asserts_saying(uses[k], i, words));
    assert_true(asserts_saying(emits, i, "an emitter was used that no system was given"));
}

static void closes(void *of)
{
    (void)inn_run_close(((inn *)of)->w, 1);
}

static void serves(void *of)
{
    (void)inn_run_serve(((inn *)of)->w, 1);
}

static void grants_of_others_assert(void **state)
{
    static void (*const of_others[])(void *context) = {
        writes, sets, asks_relation, asks_query, goes,
    };
    inn *i = (inn *)*state;
    const char words[] = "a grant was used by a system that does not have it";
    for (size_t k = 0; k < sizeof of_others / sizeof *of_others; k++) {
        i->misuse = of_others[k];
        assert_true(asserts_saying(closes, i, words));
    }
    i->misuse = NULL;
    i->forge = true;
    assert_true(asserts_saying(serves, i, words));
}

// Writes are checked while systems run in parallel, too.
static void writes_in_parallel(void *of)
{
    inn_world_base(((inn *)of)->w)->now.in_parallel = true;
    writes(of);
}

static void goes_in_parallel(void *of)
{
    inn_world_base(((inn *)of)->w)->now.in_parallel = true;
    goes(of);
}

static void writes_of_others_assert_in_parallel(void **state)
{
    inn *i = (inn *)*state;
    const char words[] = "a grant was used by a system that does not have it";
    i->misuse = writes_in_parallel;
    assert_true(asserts_saying(closes, i, words));
    i->misuse = goes_in_parallel;
    assert_true(asserts_saying(closes, i, words));
}

// A system that runs another world: the grants of one are not those of the other's systems.
static inn inner;
static inn *outer;

static void writes_outside(void *of)
{
    (void)of;
    writes(outer);
}

static void runs_inner(void *of)
{
    (void)of;
    inner.misuse = writes_outside;
    assert_int_equal(inn_run_close(inner.w, 1), WEFT_OK);
}

static void grants_of_another_world_are_not_compared(void **state)
{
    outer = (inn *)*state;
    memset(&inner, 0, sizeof inner);
    inner.w = inn_open(&(weft_options){.user = &inner});
    assert_non_null(inner.w);
    assert_true(inn_guest_set(inner.w, inn_spawn(inner.w)));
    outer->misuse = runs_inner;
    assert_int_equal(inn_run_close(outer->w, 1), WEFT_OK);
    assert_int_equal(inn_stock_get(outer->w, outer->rooms[0])->ale, 1);
    inn_close(inner.w);
}

static void calls_about_rows_assert_without_rows(void **state)
{
    inn *i = (inn *)*state;
    assert_int_equal(i->taken, 2); // rooms[2], and rooms[3] that pour took
    i->early = true;
    assert_true(asserts_saying(closes, i, "a call about rows was made where there are none"));
}

#define IN_AN_INN(test) cmocka_unit_test_setup_teardown(test, open_inn, close_inn)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_AN_INN(three_systems_and_a_hook_share_a_helper),
        IN_AN_INN(each_call_does_what_its_twin_does),
        IN_AN_INN(a_query_of_changes_shows_each_system_its_own),
        IN_AN_INN(kept_grants_assert),
        IN_AN_INN(grants_of_zeros_assert),
        IN_AN_INN(grants_of_others_assert),
        IN_AN_INN(writes_of_others_assert_in_parallel),
        IN_AN_INN(grants_of_another_world_are_not_compared),
        IN_AN_INN(calls_about_rows_assert_without_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
