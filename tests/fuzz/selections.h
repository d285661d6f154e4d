// The queries and systems of fuzz.toml, written again in C: which entities pass, and when systems
// run.
#ifndef SELECTIONS_H
#define SELECTIONS_H

#include "model.h"

// Queries, then systems in the order they run.
typedef enum selection {
    EVERYONE,
    PLACES,
    MOVERS,
    NOTED,
    STRANGERS,
    FEVERISH,
    MIXED,
    SCATTERED,
    SPECKS,
    GRIPPED,
    THREE,
    POUCHES,
    HAUNTED,
    KIN,
    QUERIES,
    RIPPLE = QUERIES,
    INTEGRATE,
    SIFT,
    CENSUS,
    GOSSIP,
    INFECT,
    MARK,
    FLICKER,
    ECHO,
    LONE,
    SLOW,
    TREAT,
    HAUNT,
    NURSE,
    SHADE,
    TRAIL,
    SELECTIONS,
} selection;

typedef enum phase { EARLY, MIDDLE, IDLE, LATE, PHASES } phase;

typedef struct system_info {
    phase phase;
    bool once;     // without rows: called once a turn
    double every;  // seconds; 0: each time its phase runs
    hearer hearer; // of rumors
    bool ordered;  // by a relation:
    relation order;
} system_info;

// By selection, from the first system on.
extern const system_info systems[SELECTIONS];

// Returns whether an entity is a row of a query or system.
bool passes(const entity *e, selection s);

// How many entities are.
uint32_t count_passing(const model *m, selection s);

#endif
