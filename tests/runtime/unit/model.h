// A naive model of the fixture's world: entities as flat structs, rules applied one component at a
// time, commands grouped by searching. It is slow and plain, and the runtime is compared with it.
//
// It also stores the free indices, so that it knows every handle before the runtime returns it.
#ifndef MODEL_H
#define MODEL_H

#include "fixture.h"
#include "record/command.h"

#define MODEL_ENTITIES 4096
#define MODEL_COMMANDS 512
#define MODEL_VALUE_BYTES 96 // of the largest component or prefab
#define MODEL_DEAD 64        // handles of dead entities to try again

typedef struct model_value {
    _Alignas(16) unsigned char bytes[MODEL_VALUE_BYTES];
} model_value;

typedef struct model_entity {
    uint64_t handle;
    bool has[COMPONENTS];
    model_value value[COMPONENTS];
} model_entity;

typedef struct model_index {
    uint32_t index;
    uint32_t generation;
} model_index;

typedef struct model_command {
    weft_command command;
    uint64_t n; // SPAWN_MANY
    model_value value;
    bool done;
} model_command;

typedef struct model {
    const fixture *fixture;
    fixture_random *random;
    model_entity *entities; // alive, in no order
    uint32_t count;
    uint32_t promised; // indices taken for spawn commands that are not applied yet
    uint64_t dead[MODEL_DEAD];
    uint32_t dead_count; // so far
    uint64_t indices;    // handed out so far
    model_index *freed;  // in the order they were
    uint32_t freed_count;
    uint32_t *retired;
    uint32_t retired_count;
    uint64_t dropped;
    uint64_t lost;
    model_command *commands[FIXTURE_BUFFERS];
    uint32_t command_count[FIXTURE_BUFFERS];
} model;

void model_open(model *m, const fixture *f, fixture_random *random);
void model_close(model *m);

// Returns the living entity of a handle, or NULL.
model_entity *model_find(model *m, uint64_t handle);

// How many entities could be spawned now.
uint64_t model_space(const model *m);

// Picks a handle: mostly of a living entity, sometimes dead, none, or never given.
uint64_t model_any_handle(model *m);

// A value for a component (or, from COMPONENTS on, for a prefab) with numbers and handles at
// random.
model_value model_any_value(model *m, uint32_t component);

// The structural calls. The runtime must return the same results.
uint64_t model_spawn(model *m, uint32_t prefab, const void *value); // WEFT_NONE: an empty one
bool model_despawn(model *m, uint64_t handle);
bool model_set(model *m, uint64_t handle, uint32_t component, const void *value);
bool model_remove(model *m, uint64_t handle, uint32_t component);
bool model_set_prefab(model *m, uint64_t handle, uint32_t prefab, const void *value);
void model_clear(model *m, uint32_t component);
uint32_t model_recycle(model *m);

// Takes the handle of a spawn command, recorded outside of phases; 0: the world is full.
uint64_t model_take(model *m);

// Commands, applied as record/command.h specifies.
void model_record(model *m, uint32_t buffer, weft_command command, uint64_t n,
                  const model_value *value);
weft_status model_apply(model *m);

// Fails the test if the world differs from the model.
void model_compare(model *m, const weft_world *world);

#endif
