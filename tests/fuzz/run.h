// A run of the differential test: a world, the model that it is compared with, and further worlds.
//
//   world    gets every kind of call; its memory hooks fail at random
//   model    must agree with the world
//   mirror   gets the spawns and despawns of the world one by one, and everything else only when it
//            is compared, so it reaches its state by another history
//   copy     loads a save of the world now and then
//   foreign  is independent; its handles are invalid in the world
//   fragment is filled and merged into the world
#ifndef RUN_H
#define RUN_H

#include "calls.h"
#include "dice.h"
#include "memory.h"
#include "selections.h"

#define HANDLES_KEPT 1024u
#define PHASE_INDICES_MAX 8192u // that were never handed out, for what is spawned in a tick

typedef struct run_options {
    uint64_t seed;
    uint64_t count;      // operations
    uint64_t each;       // compare everything after this many operations
    uint32_t population; // how many entities it tends to
    bool faults;         // memory hooks fail
    bool no_reserve;     // address space cannot be reserved
    bool plain;          // no tags and no sparse components, so that tables have no bitsets
} run_options;

// A tag that was set or cleared on a row of the current range.
typedef struct tag_write {
    uint32_t row;
    component tag;
    bool on;
    entity *of;
} tag_write;

#define WRITES_MAX (5u * 4096u)

// The model's knowledge of a tick while systems are called: see turns.c.
typedef struct turns {
    bool running;
    uint32_t step;  // the next of the tick
    uint32_t end;   // the step after the last
    uint32_t begun; // turns so far
    selection open; // the system whose turn it is; EVERYONE: none
    bool due;
    uint32_t calls;      // in this turn
    uint32_t met;        // rows in this turn
    uint32_t met_before; // rows before the current range
    uint32_t expected;   // rows
    double dt;           // of the phase
    double since;        // seconds since the open system last ran
    weft_status status;
    double waited[SELECTIONS];
    double elapsed[SELECTIONS];
    uint32_t write_count;
    tag_write writes[WRITES_MAX];
} turns;

// Which buffer has commands on which entity: see record.c.
typedef struct recipients {
    bool careful;           // record no commands on an entity with commands in another buffer
    bool crossed;           // some entity has commands in two buffers, or a clear parts a buffer
    unsigned char *buffers; // by index: 1 + the buffer
    uint32_t capacity;
} recipients;

typedef struct run {
    run_options options;
    dice dice;
    dice idle_dice; // of unused worlds: comparing uses its own and changes nothing
    bool comparing;
    model model;
    memory memory; // of the world
    memory calm;   // of the others
    fuzz_world *world;
    fuzz_world *mirror;
    fuzz_world *foreign;
    fuzz_world *copy; // loads the saves of the world
    fuzz_world *fragment;
    events told; // by the world
    turns turns;
    bool moved; // the last attempt found no space, but columns may have moved
    recipients recipients;
    uint32_t stamp;              // of the current walk
    uint64_t kept[HANDLES_KEPT]; // handles that were alive once, or are to be
    uint32_t kept_count;
    uint64_t operation;
} run;

// ---- worlds (worlds.c)

void run_open(run *r);
void run_close(run *r);
void run_open_fragment(run *r); // an empty one

// Takes note of births and deaths: the mirror has them too, and has to give equal handles.
void run_live(run *r);

// Checks that all events were explained; `what` caused no others.
void run_no_events(run *r, const char *what);

// The next event is this one.
void run_event(run *r, weft_status status, uint64_t handle);

// Checks that the next event has this status, with any handle.
void run_event_of(run *r, weft_status status);

// ---- random things (chance.c)

bool any_chance(run *r, uint32_t times); // true once in n times
uint32_t any_below(run *r, uint32_t bound);
fuzz_entity any_handle(run *r); // mostly alive, sometimes promised, dead, foreign, forged or none
fuzz_entity any_living(run *r); // none if there is no entity
component any_component(run *r);
prefab any_prefab(run *r);
relation any_relation(run *r);
how any_how(run *r, relation i); // never the last child if the world has lists without rings
void any_value_of(run *r, const value_info *info, void *value);
void any_value_of_prefab(run *r, prefab p, any_value *value);
void any_leaf_of(run *r, const value_info *info, any_value *value); // changes at most one leaf
void any_spoil(run *r, const value_info *info, any_value *value);   // bytes that are in no field

// ---- comparing (compare.c)

void compare_all(run *r);  // every entity, value, query and counter
void compare_hash(run *r); // the world, the mirror and the model
void compare_entity(run *r, fuzz_world *w, const entity *e);
void compare_handle(run *r, uint64_t bits); // checks the world's entity, or that it is missing
void compare_value(const entity *e, component c, const void *value);

// Relations: of one handle, of everybody; a walk from a random root. (compare_trees.c)
void compare_ties(run *r, uint64_t bits);
void compare_trees(run *r);
void check_walk(run *r);
void mirror_trees(run *r, bool attach); // the mirror gets all of them, or loses them

// Saves the world, with no commands waiting, and loads it into the copy: first with memory that
// fails somewhere, then with memory that does not. (saves.c)
void compare_save(run *r);

// ---- lists by path, and entities as JSON (lists.c)

void edit_list(run *r);
void read_json(run *r);

// ---- queries (walks.c)

// Checks the value of a row as the world returns it; NULL if it has none.
void walk_optional(const entity *e, component c, const void *value);
void walk_tag(const entity *e, component c, bool has);

// These do so for soa components, by row.
void walk_motion(const entity *e, fuzz_motion_const_columns at, uint32_t i);
void walk_pouch(const entity *e, fuzz_pouch_const_columns at, uint32_t i);
void walk_heat(const entity *e, fuzz_heat_const_columns at, uint32_t i);

// Sometimes writes the value of a row.
void walk_change(run *r, entity *e, component c, void *value);
void walk_change_pouch(run *r, entity *e, fuzz_pouch_columns at, uint32_t i);
void walk_change_heat(run *r, entity *e, fuzz_heat_columns at, uint32_t i);

void check_everyone(run *r, fuzz_everyone_iter *it, size_t count);
void check_mixed(run *r, fuzz_mixed_iter *it, size_t count);
void check_scattered(run *r, fuzz_scattered_iter *it, size_t count);
void check_movers(run *r, fuzz_movers_iter *it, size_t count);
void check_haunted(run *r, fuzz_haunted_iter *it, size_t count);
void check_gripped(run *r, fuzz_gripped_iter *it, size_t count);
void check_queries(run *r); // all of them, from outside of systems

// ---- commands (record.c)

void record_any(run *r, fuzz_cmd *cmd, buffer_id id); // a few
void record_flood(run *r, fuzz_cmd *cmd, buffer_id id);
void record_forget(run *r); // buffers are empty again

// ---- systems (turns.c, systems.c)

void run_phase(run *r, phase p, double dt);
void run_tick(run *r, double dt);

// Each call of a system begins with these.
void turn_call(run *r, selection s, double dt, uint64_t tick);
entity *turn_meet(run *r, fuzz_entity e); // a row that the open system was given
void turn_write(run *r, entity *e, uint32_t row, component tag, bool on);

// A tag of any entity, which the open system has written at once. done: whether the world did.
void turn_write_now(run *r, fuzz_entity e, component tag, bool on, bool done);

// Checks the order of a row that was met. depth: of the call's rows; UINT32_MAX: not known yet.
void turn_follow(run *r, const entity *e, uint32_t *depth);

// Checks the rumors that the open system hears.
void turn_hear(const run *r, const fuzz_rumor *heard, uint32_t count);

// ---- operations (operations.c, phases.c)

void operate(run *r);       // a random one
void apply_waiting(run *r); // commands

#endif
