// Relations in the naive model. An entity stores its parent in each relation, and its position. The
// children of an entity are found by searching all entities.
#ifndef TREES_H
#define TREES_H

#include "model.h"

typedef struct relation_info {
    const char *name;
    bool ends_children; // with their parent; else they become roots
} relation_info;

extern const relation_info relations[RELATIONS];

// ---- rules; these change nothing

weft_status model_may_attach(model *m, relation r, how h, uint64_t child, uint64_t other);
weft_status model_may_detach(model *m, relation r, uint64_t child);

// Returns whether an attach that is recorded now despawns the child if the parent is dead when it
// is applied.
bool model_attaches_in_time(model *m, relation r, how h, uint64_t child, uint64_t other);

// ---- changes; the rules have allowed them

void model_attach(model *m, relation r, how h, uint64_t child, uint64_t other);
void model_detach(model *m, relation r, uint64_t child);

// ---- queries; 0 if dead or missing

uint64_t model_parent(model *m, relation r, uint64_t bits);
uint64_t model_first_child(model *m, relation r, uint64_t bits);
uint64_t model_next_sibling(model *m, relation r, uint64_t bits);
uint64_t model_prev_sibling(model *m, relation r, uint64_t bits);
uint32_t model_child_count(model *m, relation r, uint64_t bits);
uint32_t model_depth(model *m, relation r, uint64_t bits);

// ---- everybody at once

// A child, as it stands in the list of all.
typedef struct kin {
    relation relation;
    uint64_t parent;
    uint64_t since;
    uint64_t child;
    uint64_t next; // sibling
} kin;

// Returns the number of entities with a parent and lists them, siblings together, first ones first.
// The caller frees the list.
uint64_t model_kin(const model *m, kin **all);

uint64_t model_trees_hash(const model *m);

#endif
