// Each test of the lab opens a world of its own, whose systems write a trace.
#ifndef LAB_TEST_H
#define LAB_TEST_H

#include "trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct lab {
    lab_world *w;
    trace trace;
} lab;

static inline int open_lab(void **state)
{
    static lab l;
    memset(&l, 0, sizeof l);
    l.w = lab_open(&(weft_options){.user = &l.trace});
    *state = &l;
    return l.w == NULL;
}

static inline int close_lab(void **state)
{
    lab_close(((lab *)*state)->w);
    return 0;
}

static inline lab_entity walker_at(lab_world *w, float x, float y)
{
    lab_walker walker = lab_walker_defaults();
    walker.place.at = (lab_pair){x, y};
    walker.heading.to = (lab_pair){2, 0};
    return lab_walker_spawn(w, &walker);
}

#define LAB_TEST(function) cmocka_unit_test_setup_teardown(function, open_lab, close_lab)

#endif
