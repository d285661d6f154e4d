// Reads values of the differential test's worlds by their paths through generated getters.
// Selections are compared with these.
#ifndef LEAVES_H
#define LEAVES_H

#include "fuzz.h"

typedef enum leaf_kind {
    LEAF_UNSIGNED,
    LEAF_SIGNED,
    LEAF_SINGLE,
    LEAF_DOUBLE,
    LEAF_BOOL,
    LEAF_MOOD,
    LEAF_CODE,
    LEAF_TEXT,
    LEAF_HANDLE,
} leaf_kind;

// A value of an entity, if it is there.
typedef struct seen {
    bool there;
    uint64_t u; // and bools, enums, handles
    int64_t i;
    double f;
    const char *text;
} seen;

typedef struct leaf {
    const char *path;
    leaf_kind kind;
    seen (*get)(const fuzz_world *w, fuzz_entity e);
} leaf;

extern const leaf leaves_there[];
extern const uint32_t leaf_count;

// Components and tags.
typedef struct member {
    const char *name;
    bool (*has)(const fuzz_world *w, fuzz_entity e);
} member;

extern const member members_there[];
extern const uint32_t member_count;

typedef struct tree {
    const char *name;
    fuzz_entity (*parent)(const fuzz_world *w, fuzz_entity e);
    fuzz_entity (*first_child)(const fuzz_world *w, fuzz_entity e);
} tree;

extern const tree trees_there[];
extern const uint32_t tree_count;

extern const char *const mood_names[5];
extern const char *const code_names[3];

#endif
