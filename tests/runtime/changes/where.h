// A naive search for any `where`: stores for every entity its components, when each author last
// added or wrote each of them, and which readers have yet to see a removal. It examines one entity
// after the other. Compiled with the world of a random schema; the test writes the limits and
// tables below.
#ifndef WHERE_H
#define WHERE_H

#include "sift.h"
#include "where_limits.h" // THINGS, SINGLETONS, SELECTIONS

// The author of a write: selection i is author i + 1; direct writes of the game and writes through
// its queries have an author of their own.
#define GAME 0u
#define AUTHORS (SELECTIONS + 1u)

typedef struct held {
    bool has;
    uint64_t added[AUTHORS]; // when, since it has it; 0: not
    uint64_t written[AUTHORS];
    bool had[SELECTIONS];  // at that selection's last turn, and did not lose it since
    bool lost[SELECTIONS]; // since then
} held;

typedef struct being {
    uint64_t bits; // 0: none
    held of[THINGS];
    uint64_t due; // the last walk that has to meet it
    uint64_t met; // the last that did
} being;

// How the game edits a singleton.
typedef void (*singleton_edit)(sift_world *w);

// How a component or tag is changed. edit: NULL for tags; false: it is not there.
typedef struct thing_calls {
    bool (*set)(sift_world *w, sift_entity e);
    bool (*remove)(sift_world *w, sift_entity e);
    bool (*edit)(sift_world *w, sift_entity e);
} thing_calls;

// A query or a system with an expression of its own, or with that of a query that it lists.
typedef struct selection {
    const char *name;
    const char *where;
    bool system;
    bool (*passes)(const being *b); // the expression again, of one entity
    void (*walk)(sift_world *w);    // meets all rows; of a system: runs its phase
    bool (*passes_it)(const sift_world *w, sift_entity e); // the query's own word; NULL: a system
    size_t (*count)(const sift_world *w);
    uint32_t writes;           // a thing; THINGS: none
    uint32_t writes_singleton; // as often as the system is called; SINGLETONS: none
} selection;

extern const thing_calls things[THINGS];
extern const singleton_edit singletons[SINGLETONS];
extern const selection selections[SELECTIONS];

// The parts that `passes` is made of, as the selection that walks sees them.
bool has(const being *b, uint32_t thing);
bool added(const being *b, uint32_t thing);
bool changed(const being *b, uint32_t thing);
bool removed(const being *b, uint32_t thing);
bool changed_singleton(uint32_t singleton);

// Reports a row that the current selection was given. `key` is the result of sift_id.
void meet(sift_entity e, uint32_t key);

// The system that walks counted the rows of a query that it lists, before it meets any.
void count_listed(size_t rows);

#endif
