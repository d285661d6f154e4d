// Pairs of worlds, for trees.c: trees are spawned in one, and entity by entity in the other.
#ifndef RIG_H
#define RIG_H

#include "dice.h"
#include "trees.h"

enum { LOG_MAX = 8192 };

typedef enum told_kind { AOS, SOA, RARE, TAG, RARE_LOST, TAG_LOST, ATTACHED } told_kind;

// A call of a hook. The value is that after the whole change: hooks see trees that are complete.
typedef struct told {
    told_kind kind;
    w_entity e;
    w_entity parent;
    relation by;
    unsigned char value[sizeof(w_aos) + sizeof(w_soa)];
} told;

// A world, and the calls of its hooks since `count` was set to 0.
typedef struct world {
    w_world *w;
    uint32_t count;
    told log[LOG_MAX];
} world;

// A pair of worlds: trees are spawned in one, and entity by entity in the other.
typedef struct pair {
    world *trees;
    world *hand;
} pair;

// Opens worlds in which no entity lives, or some live and many have lived.
world *opened(bool lived, dice d);
void closed(world *one);
pair pair_open(bool lived, dice d);
void pair_close(pair p);

// Spawns n trees by hand: all entities, tree by tree, and then their refs, links and handles.
void by_hand(w_world *w, const tree *t, size_t n, const void *value, w_entity *out);

// Fills in the refs of the entities of a tree, attaches the parts and stores their handles.
void join(w_world *w, const tree *t, const w_entity *e);

// Checks everything about a tree with these handles and this value.
void check_tree(w_world *w, const tree *t, const void *value, const w_entity *e);

// Checks that both worlds are equal: their state, what readers of changes see, and the calls of
// hooks.
void check_same(const pair *p);

// Ends the validity of rows that _spawn_rows returned. Until then they are shown as changed.
void settle(const pair *p);

extern w_entity (*const parent_of[RELATIONS])(const w_world *, w_entity);

#endif
