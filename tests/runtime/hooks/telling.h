// Describes calls of hooks as text, for tests of single promises.
#ifndef TELLING_H
#define TELLING_H

#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// A test that is given a rig.
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_rig, close_rig)

int open_rig(void **state);
int close_rig(void **state);

// Checks that exactly these calls of hooks happened since the last check: "+body:3 -seen".
void told_only(rig *r, const char *expected);

// Makes a fox, and forgets the hook calls for it.
den_entity fox_with(rig *r, uint32_t v);

// Three tables, met in another order than theirs.
void populate(rig *r);

// A hook that answers `bare` with a command that another answers, without end.
void go_in_circles(rig *r, const den_hook_ctx *ctx, const told *t);

#endif
