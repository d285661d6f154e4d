// A run of the fuzzer of links: a world, its model, and what the systems and hooks were called for.
// links.c draws operations on entities and links, link_copies.c those that copy, move and load them,
// link_systems.c has systems and hooks, and link_compare.c compares world and model.
#ifndef LINK_RUN_H
#define LINK_RUN_H

#include "dice.h"
#include "link_model.h"
#include "memory.h"

#include <stdatomic.h>

enum { COMMANDS_MAX = 12, PARTS = 3, PART_MAX = 8, PART_EDGES_MAX = 512 };

typedef enum command_kind {
    COMMAND_SET,
    COMMAND_REMOVE,
    COMMAND_DESPAWN,
    COMMAND_SPAWN,
    COMMAND_CLONE,
} command_kind;

typedef struct command {
    command_kind kind;
    enum kind of;
    bonds_entity from; // of a clone the original
    bonds_entity to;   // of a clone the copy
    value v;
} command;

// Entities that were taken out of the world.
typedef struct part {
    void *bytes; // NULL: none
    size_t size;
    uint32_t count;
    bonds_entity set[PART_MAX];
    uint32_t edge_count; // despawning the first despawns the second, while both are in the part
    struct edge {
        uint8_t first;
        uint8_t second;
    } edges[PART_EDGES_MAX];
} part;

typedef struct run {
    dice d;
    uint64_t seed;
    uint32_t workers;
    uint32_t population;
    bonds_world *w;
    bonds_world *other;
    memory memory;
    model m;
    tellings told;
    bool deaf; // hooks are not noted
    part parts[PARTS];
    command commands[COMMANDS_MAX]; // of the current tick
    uint32_t command_count;
    bool noted[INDICES]; // rows that `note` was called for
    uint64_t paid;       // links that `pay` was called for
    bonds_sum_partial sum;
    atomic_uint_least64_t lifted; // links that `lift` was called for
    shown_list wanted;
    shown_list found;
} run;

// Draws.
bonds_entity any_living(run *r);
bonds_entity any_end(run *r); // sometimes dead, away or none
kind any_kind(run *r);
value any_value(run *r);

// Operations of link_copies.c, link_parts.c and link_saves.c.
void clone_one(model *m, bonds_entity original, bonds_entity copy);
void clone_something(run *r);
void merge_fragment(run *r);
void copy_part(run *r);
void take_part(run *r);
void return_part(run *r);
void forget_parts(run *r);
void free_parts(run *r);
void save_and_load(run *r);
void write_and_read(run *r);
void trim_and_recycle(run *r);
void reset(run *r);

// Memory fails sometimes between the two. `fed` returns whether a call failed.
void starve(run *r);
bool fed(run *r);

// Frees the bytes of a save.
void free_saved(run *r, void *bytes, size_t size);

// Applies a map from originals to copies to the model.
typedef struct copied {
    uint32_t count;
    bonds_entity from[INDICES];
    bonds_entity to[INDICES];
} copied;

typedef enum outside { KEEP, DROP } outside; // of handles and links to what is not copied

// Adds to `m` the copies of entities of `of`, which may be the same.
void model_copy(model *m, const model *of, const copied *c, outside o);

// Operations of link_entities.c. `spawned` follows a spawn in world and model.
void spawned(run *r, bonds_entity e);
void give_new_id(run *r, bonds_entity e);
void spawn_one(run *r);
void despawn_any(run *r);
void change_components(run *r);
void attach_any(run *r);

// A tick.
void tick(run *r);

// Comparisons.
void compare_hooks(run *r);
void compare_entity(run *r, uint32_t index);
void compare_reader(run *r, reader which);
void compare_noted(run *r);
void forget_readers(run *r); // all readers have their turn
void compare_all(run *r);

#endif
