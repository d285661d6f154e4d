// Stores for each entity whether a reader must be shown it, and whether it may be.
//
// flags: played
#include "loans.h"

#include <stdlib.h>
#include <string.h>

static const thing thing_of[READERS] = {PLACE, PLACE, PLACE, NUMBER, RANK, SOLE};

static bool has(const entity *e, thing t)
{
    return t != RANK || e->ranked;
}

entity *any_entity(run *r)
{
    for (uint32_t i = 0; r->living != 0 && i < 10000; i++) {
        entity *e = &r->entities[any_below(r, ENTITIES)];
        if (e->bits != 0) return e;
    }
    return NULL;
}

void wrote(run *r, entity *e, thing t, uint32_t value)
{
    (void)r;
    e->of[t] = value;
    for (reader k = 0; k < READERS; k++) {
        if (thing_of[k] == t) e->must[k] = e->may[k] = true;
    }
}

void structural_change(run *r)
{
    uint32_t version = weft_version(lend_world_base(r->w));
    if (r->lent_in == version) return;
    r->lent_in = version;
    r->lender_count = 0;
    for (uint32_t i = 0; i < WALKS; i++) r->walks[i].number = 0;
    r->loose = false;
}

static void may_be_shown(run *r, const lender *l)
{
    for (reader k = 0; k < READERS; k++) {
        if (thing_of[k] == l->what) r->entities[l->entity].may[k] = true;
    }
}

void phase_began(run *r)
{
    give_back(r, 0);
    for (uint32_t i = 0; i < r->lender_count; i++) r->lenders[i].over = true;
    r->loose = false;
    r->sky = NULL;
}

void lend_it(run *r, void *to, const entity *e, thing t, uint32_t of_walk)
{
    if (r->lender_count == r->lender_capacity) {
        r->lender_capacity = 2 * r->lender_capacity + 64;
        r->lenders = (lender *)realloc(r->lenders, r->lender_capacity * sizeof *r->lenders);
    }
    r->lenders[r->lender_count++] = (lender){to, (uint32_t)(e - r->entities), t, of_walk, false};
    may_be_shown(r, &r->lenders[r->lender_count - 1]);
}

// Ends the loans of a walk that steps on. It marks its previous rows if their loan was over before.
void give_back(run *r, uint32_t of_walk)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->lender_count; i++) {
        if (r->lenders[i].walk != of_walk) {
            r->lenders[kept++] = r->lenders[i];
        } else if (r->lenders[i].over) {
            may_be_shown(r, &r->lenders[i]);
        }
    }
    r->lender_count = kept;
}

static void write_through(run *r, const lender *l, uint32_t value)
{
    switch (l->what) {
    case PLACE:
        *(lend_place *)l->to = place_of(value);
        break;
    case RANK:
        ((lend_rank *)l->to)->n = (int32_t)value;
        break;
    default:
        *(uint32_t *)l->to = value;
        break;
    }
    wrote(r, &r->entities[l->entity], l->what, value);
}

void write_some(run *r)
{
    uint32_t count = r->lender_count == 0 ? 0 : 1 + any_below(r, 3);
    for (uint32_t i = 0; i < count; i++) {
        const lender *l = &r->lenders[any_below(r, r->lender_count)];
        if (!l->over) write_through(r, l, any_below(r, VALUES));
    }
    if (r->sky && any_chance(r, 2)) {
        r->sky->light = r->light = any_below(r, VALUES);
        r->sky_must = r->sky_may = true;
    }
}

void show(run *r, lend_entity e)
{
    entity *shown = entity_of(r, e);
    if (shown->shown) fail("entity %u was shown twice", (unsigned)(shown - r->entities));
    shown->shown = true;
}

// Returns whether the world keeps more marks than those of loans, because there are so many loans.
static bool keeps_more(const run *r)
{
    const weft_loans *loans = &lend_world_base(r->w)->loans;
    bool more = r->loose || loans->all;
    for (uint32_t i = 0; i < WEFT_RANGES_LENT; i++)
        more |= loans->lent[i] != 0 && loans->ranges[i].stays;
    return more;
}

void has_turn(run *r, reader of)
{
    bool loose = keeps_more(r);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        entity *e = &r->entities[i];
        if (e->bits != 0 && has(e, thing_of[of])) {
            if (e->must[of] && !e->shown) fail("entity %u was not shown to %u", i, (unsigned)of);
            if (e->shown && !e->may[of] && !loose)
                fail("entity %u was shown to %u", i, (unsigned)of);
        } else if (e->shown) {
            fail("entity %u has nothing that %u asks for", i, (unsigned)of);
        }
        e->may[of] = loose && (e->may[of] || e->shown); // its mark stays
        e->shown = e->must[of] = false;
    }
    for (uint32_t i = 0; i < r->lender_count; i++) {
        const lender *l = &r->lenders[i];
        if (!l->over && l->what == thing_of[of]) r->entities[l->entity].may[of] = true;
    }
}
