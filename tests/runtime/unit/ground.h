// A world of the fixture with its memory and the model that it is compared with: the basis of the
// tests of worlds, batches and commands.
#ifndef GROUND_H
#define GROUND_H

#include "model.h"
#include "world_check.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct ground {
    fixture fixture;
    fixture_memory memory;
    fixture_world world;
    fixture_random random;
    model model;
    char log[256];      // the last line that the log hook got
    uint32_t log_lines; // so far
} ground;

// Opens a world with the default calendar on the heap; `memory` may be set beforehand to fail.
ground *ground_open(fixture_options options, uint64_t seed);

// Fails the test if the world holds memory after it was closed.
void ground_close(ground *g);

static inline weft_world *ground_world(ground *g)
{
    return &g->world.base;
}

// Checks the invariants, and that the world agrees with the model.
void ground_check(ground *g);

// Makes a random structural call on the world and the model; their results must agree.
void ground_step(ground *g);

// Spawns as generated code does, with a value at random, in world and model.
uint64_t ground_spawn(ground *g, uint32_t prefab);

// Calls to world and model, which must agree: an entity without components, a component or tag at
// its defaults, taking one away, the end of an entity.
uint64_t ground_spawn_empty(ground *g);
bool ground_add(ground *g, uint64_t handle, uint32_t component);
bool ground_drop(ground *g, uint64_t handle, uint32_t component);
bool ground_despawn(ground *g, uint64_t handle);

// Everything that there is as one number.
uint64_t ground_exact(ground *g);

// The value of a component of an entity that has it (aos or sparse).
void *ground_value(ground *g, uint64_t handle, uint32_t component);

// Like generated code for components without rules, in the world alone.
bool ground_set_direct(ground *g, uint64_t handle, uint32_t component, const void *value);
bool ground_remove_direct(ground *g, uint64_t handle, uint32_t component);

#endif
