// Walks queries of the game and of systems, and notes which entities are met and written.
#include "run.h"

#include <inttypes.h>

// A walk that was begun: the rows it has to meet.
typedef struct walk {
    who rows;
    who reader;
    uint32_t depth;
    uint32_t left;
    bool stopped; // it will not meet them all
    uint32_t number;
} walk;

static walk walk_begin(run *r, who rows, who system)
{
    walk w = {rows, system == GAME ? rows : system, ++r->depth, 0, false, ++r->walks};
    w.left = model_expect(&r->model, rows, w.reader, w.depth);
    end_loans(r);
    if (system == GAME) model_turn(&r->model, rows);
    return w;
}

static entity *walk_meet(run *r, walk *w, chg_entity e)
{
    entity *met = who_is(r, e);
    model_meet(&r->model, met, w->depth);
    w->left--;
    return met;
}

// Writes a row of a walk, by the system or by the game, which holds the loan until the next step.
static void walk_write(run *r, const walk *w, entity *e, thing t)
{
    bool system = w->reader < AUTHORS;
    model_write(&r->model, e, t, system ? w->reader : GAME);
    if (!system) model_lend(&r->model, e, t, w->number);
}

static bool walk_stops(run *r, walk *w)
{
    if (!w->stopped && any_chance(r, 40)) w->stopped = true;
    if (!w->stopped) model_return(&r->model, w->number);
    return w->stopped;
}

static void walk_end(run *r, const walk *w)
{
    r->depth--;
    if (w->left != 0 && !w->stopped) fail("%" PRIu32 " rows of %d were not met", w->left, w->rows);
}

static void expect_count(size_t count, const walk *w)
{
    if (count != w->left) fail("%zu rows instead of %" PRIu32, count, w->left);
}

void walk_moved(run *r, const chg_meddle_ctx *meddle, const chg_counting_ctx *counting)
{
    walk w = walk_begin(r, MOVED, meddle ? MEDDLE : counting ? COUNTING : GAME);
    chg_moved_iter it = meddle     ? chg_moved_begin_in(meddle->moved)
                        : counting ? chg_moved_begin_in(counting->moved)
                                   : chg_moved_begin(r->world);
    expect_count(meddle     ? chg_moved_count_in(meddle->moved)
                 : counting ? chg_moved_count_in(counting->moved)
                            : chg_moved_count(r->world),
                 &w);
    while (!walk_stops(r, &w) && chg_moved_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            entity *e = walk_meet(r, &w, it.entities[i]);
            if (it.place[i].n != e->of[PLACE].value) fail("a wrong place");
        }
    }
    walk_end(r, &w);
}

void walk_fresh(run *r, const chg_meddle_ctx *meddle)
{
    walk w = walk_begin(r, FRESH, meddle ? MEDDLE : GAME);
    chg_fresh_iter it = meddle ? chg_fresh_begin_in(meddle->fresh) : chg_fresh_begin(r->world);
    while (!walk_stops(r, &w) && chg_fresh_next(&it)) {
        for (uint32_t k = 0; k < it.count; k++) {
            uint32_t i = it.rows[k];
            entity *e = walk_meet(r, &w, it.entities[i]);
            if (it.speed.x[i] != e->of[SPEED].value) fail("a wrong speed");
            e->of[SPEED].value = it.speed.x[i] = any_below(r, 1000);
            walk_write(r, &w, e, SPEED);
        }
    }
    walk_end(r, &w);
}

// A reader may have its turn in the middle of another walk's range.
void walk_movers(run *r, const chg_meddle_ctx *meddle)
{
    walk w = walk_begin(r, MOVERS, meddle ? MEDDLE : GAME);
    chg_movers_iter it = meddle ? chg_movers_begin_in(meddle->movers) : chg_movers_begin(r->world);
    bool more = chg_movers_next(&it);
    while (more) {
        bool looks = !meddle && any_chance(r, 4);
        for (uint32_t i = 0; i < it.count; i++) {
            entity *e = walk_meet(r, &w, it.entities[i]);
            e->of[PLACE].value = it.place[i].n = any_below(r, 1000);
            walk_write(r, &w, e, PLACE);
        }
        if (looks) walk_moved(r, NULL, NULL);
        more = !walk_stops(r, &w) && chg_movers_next(&it);
    }
    walk_end(r, &w);
}

void walk_shining(run *r, const chg_counting_ctx *counting)
{
    walk w = walk_begin(r, SHINING, counting ? COUNTING : GAME);
    chg_shining_iter it =
        counting ? chg_shining_begin_in(counting->shining) : chg_shining_begin(r->world);
    while (!walk_stops(r, &w) && chg_shining_next(&it)) {
        uint32_t i;
        while (weft_next(&it.rows, &i)) {
            entity *e = walk_meet(r, &w, it.entities[i]);
            if (it.burn[i]->left != e->of[BURN].value) fail("a wrong burn");
            e->of[BURN].value = it.burn[i]->left = any_below(r, 1000);
            walk_write(r, &w, e, BURN);
        }
    }
    walk_end(r, &w);
}

void walk_dropped(run *r)
{
    walk w = walk_begin(r, DROPPED, GAME);
    chg_dropped_iter it = chg_dropped_begin(r->world);
    while (!walk_stops(r, &w) && chg_dropped_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) walk_meet(r, &w, it.entities[i]);
    }
    walk_end(r, &w);
}

void walk_never(run *r)
{
    walk w = walk_begin(r, NEVER, GAME);
    chg_never_iter it = chg_never_begin(r->world);
    while (chg_never_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) walk_meet(r, &w, it.entities[i]);
    }
    walk_end(r, &w);
}

static void compare_things(const run *r, const entity *e)
{
    chg_world *w = r->world;
    chg_entity h = chg_entity_of(e->bits);
    const chg_place *place = chg_place_get(w, h);
    chg_speed_const_columns speed = chg_speed_get(w, h);
    const chg_burn *burn = chg_burn_get(w, h);
    const chg_freight *freight = chg_freight_get(w, h);
    const chg_lone *lone = chg_lone_get(w, h);
    const chg_pebble *pebble = chg_pebble_get(w, h);
    const chg_plain *plain = chg_plain_get(w, h);
    const uint32_t *values[] = {
        place ? &place->n : NULL,  speed.x,
        burn ? &burn->left : NULL, freight ? &freight->weight : NULL,
        lone ? &lone->n : NULL,    pebble ? &pebble->n : NULL,
        plain ? &plain->n : NULL,
    };
    for (thing t = 0; t < LIT; t++) {
        if ((values[t] != NULL) != e->of[t].has)
            fail("%" PRIx64 " has thing %d or not", e->bits, t);
        if (values[t] && *values[t] != e->of[t].value) fail("a wrong value of thing %d", t);
    }
    if (chg_lit_has(w, h) != e->of[LIT].has) fail("%" PRIx64 " is lit or not", e->bits);
    if (chg_spark_has(w, h) != e->of[SPARK].has) fail("%" PRIx64 " sparks or not", e->bits);
    if (chg_glint_has(w, h) != e->of[GLINT].has) fail("%" PRIx64 " glints or not", e->bits);
    if (chg_ghost_has(w, h) != e->of[GHOST].has) fail("%" PRIx64 " is a ghost or not", e->bits);
}

void walk_everyone(run *r)
{
    walk w = walk_begin(r, EVERYONE, GAME);
    if (chg_stats(r->world).entities != w.left) fail("%" PRIu32 " should live", w.left);
    chg_everyone_iter it = chg_everyone_begin(r->world);
    while (chg_everyone_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            entity *e = walk_meet(r, &w, it.entities[i]);
            if (it.id[i].key != e->key) fail("a wrong key");
            compare_things(r, e);
        }
    }
    walk_end(r, &w);
}
