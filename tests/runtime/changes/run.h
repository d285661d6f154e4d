// A run of the differential test of changes: a world, the model, and what systems do in between.
#ifndef RUN_H
#define RUN_H

#include "../../fuzz/dice.h"
#include "../../fuzz/fail.h"
#include "../../fuzz/memory.h"
#include "model.h"

typedef struct run_options {
    uint64_t seed;
    uint64_t count;      // operations
    uint32_t population; // how many entities it tends to
    bool never;          // the query `never` is begun late, if at all
} run_options;

// A structural change that was recorded.
typedef struct recorded {
    enum { SPAWNS, DESPAWNS, SETS, REPLACES, REMOVES, CLEARS } kind;
    chg_entity target; // not known to the model yet if key is not 0
    uint32_t key;      // of who is spawned by these commands
    uint32_t many;     // SPAWNS
    uint32_t prefab;
    thing what;
    uint32_t value;
} recorded;

#define RECORDED_MAX 64u

typedef struct buffer {
    recorded items[RECORDED_MAX];
    uint32_t count;
} buffer;

// A tag that a system set or cleared on a row of the current range.
typedef struct tag_write {
    uint64_t bits;
    thing tag;
    bool on;
} tag_write;

typedef struct run {
    run_options options;
    dice dice;
    model model;
    memory memory;
    chg_world *world;
    uint64_t operation;
    buffer outside, meddle, alone;
    // the phase that runs
    who next;  // the next system of it that may be due
    who open;  // whose turn it is; GAME: no reader's
    double dt; // of the phase
    double waited[AUTHORS];
    uint32_t depth; // of walks inside each other
    uint32_t left;  // rows that it has not met
    tag_write writes[4096 * 4];
    uint32_t write_count;
    uint32_t lent_in; // the version of the world in which the loans of the model were made
    uint32_t walks;   // begun so far
} run;

static inline uint32_t any_below(run *r, uint32_t bound)
{
    return dice_below(&r->dice, bound);
}

static inline bool any_chance(run *r, uint32_t times)
{
    return dice_once_in(&r->dice, times);
}

// Ends all loans from before a structural change.
static inline void end_loans(run *r)
{
    uint32_t version = weft_version(chg_world_base(r->world));
    if (r->lent_in != version) r->model.loan_count = 0;
    r->lent_in = version;
}

chg_entity any_handle(run *r); // mostly of a living entity
entity *any_entity(run *r);    // a living entity; NULL if there is none

// ---- systems.c

void run_phase(run *r, who first, double dt);

// ---- walks.c: iterating queries as the game (reader: the query itself) or in a system

void walk_moved(run *r, const chg_meddle_ctx *meddle, const chg_counting_ctx *counting);
void walk_fresh(run *r, const chg_meddle_ctx *meddle);
void walk_movers(run *r, const chg_meddle_ctx *meddle);
void walk_shining(run *r, const chg_counting_ctx *counting);
void walk_dropped(run *r);
void walk_never(run *r);
void walk_everyone(run *r); // and compares everything

// ---- commands.c

void record_some(run *r, chg_cmd *cmd, buffer *b);
void apply_recorded(run *r, buffer *b); // to the model
entity *who_is(run *r, chg_entity h);   // alive; learns the handle of who was spawned by a command
void name_spawned(run *r);              // learns the handles of all who were

#endif
