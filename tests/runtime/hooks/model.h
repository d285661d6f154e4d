// A model of the calls of hooks, from the contract alone: entities in an array, and linear
// searches.
#ifndef MODEL_H
#define MODEL_H

#include "rig.h"

#define NOBODY SIZE_MAX

// An entity. Entities that commands spawn get their handle with the first hook call.
typedef struct being {
    den_entity e; // none if not known yet
    bool alive;
    bool has[KINDS];
    uint64_t value[KINDS];
} being;

// One call of a hook that is expected.
typedef struct expected {
    bool removed;
    bool replaced;
    bool any_order; // with those before and behind it of which this is so too
    uint16_t component;
    size_t being;
    uint64_t value;
    uint64_t old; // replaced: the value that there was
} expected;

typedef enum prefab {
    FOX,
    CUB,
    STONE,
} prefab;

typedef enum order_kind {
    ORDER_SPAWN, // of a prefab: `being` is new
    ORDER_SPAWN_MANY,
    ORDER_DESPAWN,
    ORDER_SET,
    ORDER_REMOVE,
    ORDER_CLEAR, // of tag `component`
    ORDER_SET_PREFAB,
} order_kind;

// A command.
typedef struct order {
    order_kind kind;
    size_t being;
    uint16_t component;
    prefab prefab;
    uint32_t v; // the value, see rig_values_of
    uint32_t n;
    bool done;
} order;

typedef struct orders {
    order *items;
    size_t count;
    size_t capacity;
} orders;

typedef struct model {
    being *beings;
    size_t being_count;
    size_t being_capacity;
    expected *told;
    size_t told_count;
    size_t told_capacity;
    orders outside; // recorded outside of systems, by hooks of direct calls too
    orders next;    // recorded by hooks while orders run
    bool applying;
    uint64_t dropped;
} model;

void model_close(model *m);
void model_forget(model *m); // the expected calls

// Adds a being that is not yet alive.
size_t model_conceive(model *m);

// Direct calls. False: refused.
bool model_set(model *m, size_t who, uint16_t component, uint32_t v);
bool model_remove(model *m, size_t who, uint16_t component);
bool model_set_prefab(model *m, size_t who, prefab of, uint32_t v);
bool model_despawn(model *m, size_t who);
void model_clear(model *m, uint16_t tag);
void model_spawn(model *m, size_t who, prefab of, uint32_t v, bool defaults);

void model_record(orders *o, order item);

// Applies recorded commands, and those that hooks record meanwhile.
void model_flush(model *m);

// The commands that a hook of the rig records on its own entity.
typedef struct reaction {
    bool sets;
    bool removes;
    bool spawns;        // a fox, whose tag `seen` is removed at once
    uint16_t component; // set or removed
    uint32_t v;
} reaction;

reaction react_to(bool removed, uint16_t component, uint64_t value);

#endif
