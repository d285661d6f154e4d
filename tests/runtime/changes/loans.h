// A run of the differential test of loans: a world, a naive model of it, and all pointers by which
// the game may still write.
#ifndef LOANS_TEST_H
#define LOANS_TEST_H

#include "../../fuzz/dice.h"
#include "../../fuzz/fail.h"
#include "../../fuzz/memory.h"

#include "lend.h"

#define ENTITIES 400u
#define VALUES 256u // a value is below this, so that many are equal
#define SIDE 16u    // of the square of places

typedef enum thing { PLACE, NUMBER, RANK, SOLO, SOLE, THINGS } thing;

typedef enum reader { MOVED, TOLD, LOOK, COUNTED, RATED, SOLED, READERS } reader;

typedef struct entity {
    uint64_t bits; // 0 if this place is empty
    bool hidden;
    bool ranked;
    uint32_t of[THINGS];
    bool must[READERS]; // it was written since the reader's last turn
    bool may[READERS];  // or it might have been
    bool shown;
} entity;

// A pointer that was lent.
typedef struct lender {
    void *to;
    uint32_t entity;
    thing what;
    uint32_t walk; // the walk to which the row belongs, or 0
    bool over;     // a phase has ended the loan, but the walk still has this row
} lender;

typedef enum walk_kind { WHOLE, RUNS, MASKS, LISTS, RANKED, WALK_KINDS } walk_kind;

typedef struct walk {
    walk_kind kind;
    uint32_t number; // 0: not begun
    union {
        lend_whole_iter whole;
        lend_runs_iter runs;
        lend_masks_iter masks;
        lend_lists_iter lists;
        lend_ranked_iter ranked;
    } it;
} walk;

#define WALKS 12u // more than a world knows one by one

typedef struct run {
    dice dice;
    memory memory;
    lend_world *w;
    entity entities[ENTITIES];
    uint32_t *by_index; // of handles: the place of an entity
    uint32_t living;
    lender *lenders;
    uint32_t lender_count, lender_capacity;
    uint32_t lent_in; // the version of the world at which they were lent
    walk walks[WALKS];
    uint32_t walk_count;
    lend_sky *sky; // by which the game may still write; NULL if it has none
    uint32_t light;
    bool sky_must, sky_may;
    bool loose; // more is lent than is known here
    uint64_t asks;
} run;

static inline uint32_t any_below(run *r, uint32_t bound)
{
    return dice_below(&r->dice, bound);
}

static inline bool any_chance(run *r, uint32_t times)
{
    return dice_once_in(&r->dice, times);
}

static inline uint32_t index_of(lend_entity e)
{
    return weft_handle_index(lend_entity_format, e.bits);
}

static inline entity *entity_of(run *r, lend_entity e)
{
    entity *found = &r->entities[r->by_index[index_of(e)]];
    if (found->bits != e.bits) fail("%llx is no entity", (unsigned long long)e.bits);
    return found;
}

static inline lend_place place_of(uint32_t value)
{
    return (lend_place){(float)(value % SIDE), (float)(value / SIDE)};
}

// ---- loans_model.c

void wrote(run *r, entity *e, thing t, uint32_t value); // whoever did
void lend_it(run *r, void *to, const entity *e, thing t, uint32_t of_walk);
void write_some(run *r);        // through pointers that were lent
void structural_change(run *r); // has ended what was lent
void phase_began(run *r);
void give_back(run *r, uint32_t of_walk); // the current rows
void has_turn(run *r, reader of);         // compares who was shown
void show(run *r, lend_entity e);         // in the current turn
entity *any_entity(run *r);               // NULL if none is alive

// ---- loans_ask.c

void ask_index(run *r);
void ask_reader(run *r);
void ask_inside(run *r); // a walk over an index in which another one begins
void ask_all(run *r);

// ---- loans_lend.c

void edit_some(run *r);
void edit_sky(run *r);
void step_walks(run *r);
void run_each(run *r);
void run_parts(run *r);
void spawn_rows(run *r);

#endif
