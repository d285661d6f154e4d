// A world of links and its model, with the functions that compare both. See test_wood.c.
#ifndef WOOD_FOREST_H
#define WOOD_FOREST_H

#include "../../fuzz/dice.h"
#include "wood.h"
#include "wood_run.h"

enum { TREE, PATH, RELATIONS };
enum { INDICES = 4000, CROWD = 50, EVENTS = 8192 };

// The readers: each watches one relation. The system is the last two.
enum { ADDED, CHANGED, REMOVED, PATH_MOVED, PATH_REMOVED, WATCH_TREE, WATCH_PATH, READERS };
extern const int wood_relation_of[READERS];

// A reader knows this of an entity, and has yet to see that.
typedef struct sight {
    bool had; // a parent, at its last turn and ever since
    bool added;
    bool changed;
    bool removed;
} sight;

// Events are compared byte by byte, so that there is no padding.
typedef struct wood_event {
    uint64_t child;
    uint64_t parent;
    uint64_t kind; // relation * 2, and 1 if it was detached
} wood_event;

typedef struct wood_model {
    uint64_t alive[INDICES]; // handles, by index
    uint64_t parent[RELATIONS][INDICES];
    sight seen[READERS][INDICES];
    bool listens[READERS];
    uint64_t lost[RELATIONS][INDICES]; // what the system is to be told of
    uint32_t lost_count[RELATIONS];
} wood_model;

typedef struct forest {
    wood_world *w;
    wood_model m;
    wood_model saved;
    void *save;
    size_t save_bytes;
    size_t left; // allocations until they fail
    dice dice;
    wood_event told[EVENTS];
    wood_event wanted[EVENTS];
    uint32_t told_count;
    uint32_t wanted_count;
    bool given[INDICES]; // to the system in this turn
} forest;

extern forest wood;

static inline uint32_t index_of(uint64_t handle)
{
    return (uint32_t)handle;
}

// ---- the model (wood_model.c)

bool model_alive(const wood_model *m, uint64_t handle);
bool model_attach(wood_model *m, int relation, uint64_t child, uint64_t parent);
bool model_insert_before(wood_model *m, int relation, uint64_t child, uint64_t sibling);
bool model_detach(wood_model *m, int relation, uint64_t child);
void model_despawn(wood_model *m, uint64_t e);

// A reader has its turn. Before its first one a query is shown everything as added.
void model_turn(wood_model *m, int reader);
void model_listen(wood_model *m, int reader);

// Hooks are to be told of a link, and of all that there are.
void want(int kind, uint64_t child, uint64_t parent);
void want_all(const wood_model *m, bool detached);

// ---- comparing (wood_compare.c)

// These hold for an entity, by its links.
typedef struct facts {
    wood_entity e;
    bool tree, path;   // it has a parent
    bool trunk, start; // it has children
    bool hot, place;
} facts;

facts facts_of(uint32_t i);
void check_told(void); // the hooks
void check_now(void);  // what queries give of the links that there are
void check_reader(int reader);

// ---- systems (wood_systems.c)

void run_tick(void);

#endif
