// The naive model of changes: stores for every entity its components, when it got them, and when
// and by whom each was last written. It computes the unread changes of a reader anew each time, and
// knows nothing of change bits.
#ifndef MODEL_H
#define MODEL_H

#include "chg.h"

typedef enum thing {
    PLACE,
    SPEED,
    BURN,
    FREIGHT,
    LONE,
    PEBBLE,
    PLAIN,
    LIT,
    GHOST,
    SPARK,
    GLINT,
    THINGS
} thing;

// Those that write and those that read. Systems stand in the order they run.
typedef enum who {
    GAME, // direct calls and commands of any recorder
    DRIVE,
    LOOK,
    NUDGE,
    TINKER,
    STOKE,
    LAMPS,
    MEDDLE,
    SLOW,
    ALONE,
    COUNTING,
    AUTHORS, // the systems; the queries that the game begins follow
    EVERYONE = AUTHORS,
    MOVERS,
    MOVED,
    FRESH,
    SHINING,
    DROPPED,
    NEVER,
    READERS,
} who;

// Walks inside each other: a system's rows, a query, a query in the midst of that.
#define WALKS 3

// The readers of removals, each with the component whose removals it reads.
typedef enum removal {
    LOOK_PLACE,
    LOOK_SPEED,
    LAMPS_LIT,
    LAMPS_GHOST,
    MEDDLE_BURN,
    MEDDLE_PLACE,
    MEDDLE_SPARK,
    SLOW_PLACE,
    SLOW_FREIGHT,
    SLOW_LONE,
    LISTED, // these; what follows is asked in a `where`
    LOOK_ROWS = LISTED,
    LAMPS_ROWS,
    MEDDLE_ROWS,
    SLOW_FREIGHT_ROWS,
    SLOW_BURN_ROWS,
    COUNTING_ROWS,
    FRESH_ROWS,
    SHINING_ROWS,
    DROPPED_SPARK_ROWS,
    DROPPED_PEBBLE_ROWS,
    DROPPED_GLINT_ROWS,
    NEVER_ROWS,
    REMOVALS,
} removal;

typedef struct loss {
    uint64_t bits;
    uint32_t unnamed; // the key of who has no handle yet, else 0
    uint32_t value;
} loss;

// The removals that a reader has yet to see. Removals by commands and clears have no fixed order.
typedef struct losses {
    loss *items;
    uint32_t count, capacity;
    bool shuffled;
} losses;

// The state of one thing in one entity.
typedef struct held {
    bool has;
    uint32_t value;
    uint32_t before; // the commands that are applied: the value that they found
    who last_by;
    uint64_t last; // of all its times
} held;

// The times of a thing that an entity has, by author.
typedef struct ages {
    uint64_t added[AUTHORS]; // when, since it has it; 0: not
    uint64_t written[AUTHORS];
} ages;

// A value that the game may still write. Readers must see each of these writes.
typedef struct loan {
    uint64_t bits;
    thing what;
    uint32_t walk; // the walk that has this row, or 0
} loan;

typedef struct entity {
    uint64_t bits; // 0: not spawned yet
    bool alive;
    bool had[REMOVALS];  // at the reader's last turn, and did not lose it since
    bool lost[REMOVALS]; // since then
    uint32_t key;        // chg_id.key
    uint64_t due[WALKS]; // the last walk of that depth that has to meet it
    uint64_t met[WALKS]; // the last that did
    held of[THINGS];
    uint64_t applied; // the last commands that were applied to it
} entity;

typedef struct model {
    entity *entities;     // in the order they came; the dead stay until they are most
    ages (*ages)[THINGS]; // of each entity: apart, since walks pass by everybody and seldom ask
    uint32_t count, capacity, living, next_key;
    uint32_t *by_index; // of the handle: 1 + place in entities
    uint64_t now;
    uint64_t turn[READERS]; // the time of each reader's last turn
    uint64_t walk[WALKS];
    uint64_t applications; // of commands
    bool applying;
    bool shuffling;
    losses lost[REMOVALS];
    loan *loans;
    uint32_t loan_count, loan_capacity;
} model;

void model_open(model *m, uint32_t indices);
void model_close(model *m);

entity *model_add(model *m, uint32_t key); // alive, without a handle
void model_name(model *m, entity *e, uint64_t bits);
entity *model_find(model *m, uint64_t bits);   // NULL: not alive
entity *model_unnamed(model *m, uint32_t key); // NULL if no entity without a handle has that key

// ---- changes. False: the rules refuse it.

bool model_set(model *m, entity *e, thing t, uint32_t value);
bool model_replace(model *m, entity *e, thing t, uint32_t value);        // or it is not there
void model_prefab(model *m, entity *e, uint32_t prefab, uint32_t value); // as it is spawned
bool model_remove(model *m, entity *e, thing t, who author);
bool model_write_tag(model *m, entity *e, thing tag, who author); // without required components
void model_write(model *m, entity *e, thing t, who author);
void model_lend(model *m, const entity *e, thing t, uint32_t walk);
void model_return(model *m, uint32_t walk); // what it lent
void model_despawn(model *m, entity *e);
void model_clear(model *m, thing tag);

void model_recycle(model *m); // before indices are used again

// Sets whether commands are being applied.
void model_apply(model *m, bool applying);
void model_applied(model *m, entity *e); // to that entity, next

// ---- the unread changes of a reader

// Returns whether an entity is among the rows of a system or query, as `reader` sees it.
bool model_passes(const model *m, const entity *e, who rows, who reader);

// Begins a walk that must meet all passing entities. Returns their number.
uint32_t model_expect(model *m, who rows, who reader, uint32_t depth);
void model_meet(const model *m, entity *e,
                uint32_t depth); // fails if it was not to, or for the second time
// Checks that a reader's losses are those in the arrays. values: plain structs that begin with the
// value; NULL if not requested.
void model_check_removed(model *m, removal r, const chg_entity *handles, uint32_t count,
                         const void *values, size_t size);
void model_turn(model *m, who reader); // ends its turn; what is lent to a query is new again

#endif
