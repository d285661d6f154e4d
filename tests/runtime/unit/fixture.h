// A handmade world for tests of the runtime: the tables that a generator would write, with every
// kind of component, rule and prefab, and with handles of any width.
//
// The rules (closure, conflicts, required_by) are computed here from the plain lists in fixture.c,
// so that a test of the runtime does not depend on the generator. Values with handles store them as
// uint64_t for every width. With handle_bytes other than 8, use only components without handles.
#ifndef FIXTURE_H
#define FIXTURE_H

#include "world/world.h"

// Components, in schema order. More than 64, so that sets have two words.
enum {
    POSITION, // aos
    VELOCITY, // soa
    WORKER,   // aos; requires position, excludes building
    BUILDING, // aos; requires position
    LEADER,   // aos; requires worker and named
    GROUP,    // aos, handles in a list and in structs
    CREW,     // soa, handles, arrays
    BURNING,  // sparse
    CURSED,   // sparse, handles
    SELECTED, // tag; excludes hidden
    HIDDEN,   // tag
    NAMED,    // tag
    FAMOUS,   // tag; requires named
    ASLEEP,   // tag; requires worker
    ROYAL,    // tag; requires famous
    SPARE,    // the first of many tags that no test uses
    SPARE_END = SPARE + 56,
    CARGO = SPARE_END, // aos; excludes velocity
    HEAVY,             // tag; requires cargo
    COMPONENTS,
};

// Columns: handles, one for each field of soa components and each aos component, bitsets.
enum {
    POSITION_COLUMN = 1,
    VELOCITY_COLUMN, // x, then y
    WORKER_COLUMN = VELOCITY_COLUMN + 2,
    BUILDING_COLUMN,
    LEADER_COLUMN,
    GROUP_COLUMN,
    CREW_COLUMN, // captain, seat, skills
    CARGO_COLUMN = CREW_COLUMN + 3,
    FIRST_BITSET,
    CURSED_COLUMN = FIRST_BITSET + (CURSED - BURNING),
    COLUMNS = FIRST_BITSET + (CARGO - BURNING) + 1,
};

enum { BURNING_STORE, CURSED_STORE, STORES };
enum { VILLAGER, BOSS, MARKER, PREFABS };
enum { QUERY_ALL, QUERY_MOVERS, QUERY_WORKERS, QUERY_NO_POSITION, QUERIES };

#define FIXTURE_WORDS ((COMPONENTS + 63) / 64)
#define FIXTURE_BUFFERS 3u

typedef struct position {
    float x, y;
} position;

typedef struct velocity {
    float x, y;
} velocity;

typedef struct worker {
    uint64_t target;
    uint8_t job;
    uint8_t skill[4];
} worker;

typedef struct building {
    uint16_t kind;
} building;

typedef struct leader {
    uint8_t rank;
} leader;

typedef struct bond {
    uint64_t to;
    float weight;
} bond;

typedef struct group {
    struct {
        uint32_t count;
        uint64_t items[4];
    } members;
    bond bonds[2];
    char name[8];
} group;

typedef struct crew {
    uint64_t captain;
    bond seat;
    uint8_t skills[3];
} crew;

typedef struct burning {
    float seconds_left;
} burning;

typedef struct cursed {
    uint64_t by;
    int32_t weight;
} cursed;

typedef struct cargo {
    uint32_t tons;
} cargo;

typedef struct calendar {
    uint32_t day;
    uint64_t lord;
    bond heir;
} calendar;

// Position, velocity, worker; selected.
typedef struct villager {
    position position;
    velocity velocity;
    worker worker;
} villager;

// Leader, cursed; asleep. Its closure adds position, worker and named.
typedef struct boss {
    cursed cursed;
    leader leader;
} boss;

typedef struct boss_rows {
    size_t count;
    const void *entities;
    leader *leader;
} boss_rows;

typedef struct fixture_world {
    weft_world base;
    calendar calendar;
} fixture_world;

// Zero: 32 + 32 bits in 8 bytes, a million entities, LIFO.
typedef struct fixture_options {
    uint8_t index_bits;
    uint8_t generation_bits;
    uint8_t handle_bytes;
    uint32_t max_entities;
    uint32_t recycle_after;
} fixture_options;

typedef struct fixture {
    weft_plan plan;
    weft_schema schema;
    weft_column_plan columns[COLUMNS];
    weft_component_plan components[COMPONENTS];
    weft_component_info infos[COMPONENTS];
    weft_prefab_plan prefabs[PREFABS];
    uint64_t closures[COMPONENTS][FIXTURE_WORDS];
    uint64_t conflicts[COMPONENTS][FIXTURE_WORDS];
    uint64_t required_by[COMPONENTS][FIXTURE_WORDS];
    uint64_t prefab_sets[PREFABS][FIXTURE_WORDS];
    uint16_t prefab_components[PREFABS][COMPONENTS];
    uint16_t prefabs_first[COMPONENTS + 2]; // see store/opening.h
    uint16_t prefabs_of[PREFABS];
    uint64_t zeros[COLUMNS / 2 + WEFT_GROUP_COLUMNS]; // see weft_zeros_words
    weft_table_kit kit;
} fixture;

// Makes the plan and the schema in *f, which must not be moved.
void fixture_make(fixture *f, fixture_options options);

// Has its tables have groups of pointers, as those of a large schema and of hard mode have.
void fixture_group(fixture *f);

// Memory hooks that count and fail. All zero: nothing fails, and address space can be reserved.
typedef struct fixture_memory {
    size_t calls;   // of allocate, reserve and commit so far
    size_t fail_at; // the number of the call that fails, from 1; 0: no call
    bool fail_on;   // and all after it
    bool no_reserve;
    size_t held; // bytes allocated and reserved now: 0 after everything was given back
} fixture_memory;

// Memory is filled with rubbish when it is allocated, and address space cannot be touched before it
// is committed.
weft_memory fixture_hooks(fixture_memory *memory);
void fixture_decommit(void *user, void *block, size_t bytes); // for pages of these

// False: this machine has no address space to reserve, with or without hooks.
extern const bool fixture_has_space;

// A small random generator with a fixed sequence for each seed.
typedef struct fixture_random {
    uint64_t state;
} fixture_random;

uint32_t fixture_below(fixture_random *random, uint32_t bound); // 0 … bound - 1

// Returns whether the call fails an assert with these words (support/asserts.h). Release builds
// (NDEBUG) have no asserts: there it returns true and calls nothing.
bool fixture_asserts(void (*call)(void *context), void *context, const char *words);

#endif
