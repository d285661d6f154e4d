// A composite prefab as tables and calls: what trees_made.h, which the test writes, tells trees.c.
#ifndef TREES_H
#define TREES_H

#include "w.h"
#include "weft_json.h"
#include "weft_reflect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 128, HANDLES_MAX = 32, VALUE_MAX = 1024 };
enum { NO_NODE = 0xffff };

typedef enum relation { RIG, LINE, TIE, QUEUE, RELATIONS } relation;

// An entity of the tree: the root first, and each part before its parts.
typedef struct node {
    uint32_t above;
    relation by;            // RELATIONS for the root
    const char *components; // names between spaces: " aos tag "
    const char *prefab;
    const char *part; // its name in the prefab of the entity above; "" for the root
    uint32_t item;    // its number among the entities of this part
    uint32_t count;   // of these entities
    size_t in_value;  // bytes from the start of the prefab's struct to its struct
    size_t size;      // bytes of its struct
} node;

typedef enum cell_kind { INTEGER, FLOAT, HANDLE } cell_kind;

// A number or handle inside the value of a component.
typedef struct cell {
    uint32_t node;
    const char *component;
    const char *field; // its path in the component
    size_t at;         // bytes from the start of the component
    size_t in_value;   // bytes from the start of the prefab's struct
    size_t size;       // bytes
    cell_kind kind;
    uint32_t target; // the node that a ref writes here, or NO_NODE
} cell;

// The handles of parts that an entity stores.
typedef struct keeper {
    uint32_t node;
    const char *component;
    uint32_t count;
    uint16_t nodes[HANDLES_MAX]; // NO_NODE: there is no such part
} keeper;

typedef struct tree {
    const char *name;
    size_t size; // bytes of the prefab's struct
    uint32_t node_count;
    uint32_t cell_count;
    uint32_t keeper_count;
    const node *nodes;
    const cell *cells;
    const keeper *keepers;
    void (*naive)(void *value);    // writes the values of the naive reading
    void (*defaults)(void *value); // and those of the generated code
    w_entity (*spawn)(w_world *w, const void *value);
    void (*spawn_all)(w_world *w, const void *value, w_entity *out);
    size_t (*spawn_many)(w_world *w, size_t n, const void *value, w_entity *roots);
    void (*spawn_rows)(w_world *w, size_t n, w_entity *out); // all roots, then each part
    w_entity (*record)(w_cmd *cmd, const void *value);
    bool (*record_many)(w_cmd *cmd, size_t n, const void *value);
    void (*find)(const w_world *w, w_entity root, w_entity *out);    // by lookups
    w_entity (*place)(w_world *w, uint32_t node, const void *value); // one entity, by hand
    void (*keep)(w_world *w, const w_entity *nodes);
} tree;

// Ends the program with a message if a condition does not hold.
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) fail(__FILE__, __LINE__, #condition);                                    \
    } while (0)

_Noreturn void fail(const char *file, int line, const char *what);

extern const tree trees[];
extern const size_t tree_count;

#endif
