// Data that a test and the systems of the tree world exchange.
#ifndef TREE_USER_H
#define TREE_USER_H

#include "tree.h"

// Keeps what `look_up` found of a row and its parent by `follows`.
typedef struct tree_sight {
    tree_entity entity;
    uint32_t mark;
    float drift;
    uint32_t parent_mark;
    float mass;
    bool frozen;
} tree_sight;

typedef struct tree_user {
    void (*act)(struct tree_user *user, const tree_build_ctx *ctx); // in `build`
    void *with;                                                     // for act
    tree_entity *order; // the rows of `place` as they came; NULL: not wanted
    size_t placed;
    size_t calls;
    tree_sight *seen; // the rows of `look_up`; NULL: not wanted
    size_t looked;
    size_t seldom;
    double seldom_dt;     // of its last turn
    tree_entity *weighed; // the rows of `weigh` as they came; NULL: not wanted
    size_t weighings;
} tree_user;

#endif
