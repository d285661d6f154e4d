// A troupe: entities of four kinds, and so of four tables, and seven systems over eight components.
// troupe.py writes its world for each layout of components, with all forms of its systems.
#ifndef TROUPE_H
#define TROUPE_H

#include "bench.h"

typedef enum troupe_form {
    TROUPE_APART,   // systems that are not parallel, one after the other
    TROUPE_FUSED,   // parallel ones, in passes
    TROUPE_ROWS,    // parallel ones that are inline
    TROUPE_BY_HAND, // the same functions as of the first two, over plain arrays
    TROUPE_FORMS
} troupe_form;

typedef enum troupe_work {
    TROUPE_FLAT, // loops without branches
    TROUPE_PICK, // loops with branches
    TROUPE_WORKS
} troupe_work;

typedef struct troupe_layout {
    const char *name;
    void *(*open_world)(uint32_t n);
    void *(*open_arrays)(uint32_t n);
    void (*close_world)(void *world);
    void (*close_arrays)(void *arrays);
    uint64_t (*sum_world)(void *world);
    uint64_t (*sum_arrays)(void *arrays);
    void (*run[TROUPE_WORKS][TROUPE_FORMS])(void *world_or_arrays);
} troupe_layout;

extern const troupe_layout troupe_aos_layout;
extern const troupe_layout troupe_soa_layout;

#endif
