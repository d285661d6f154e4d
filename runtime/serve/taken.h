// The data that a despawn or removal takes away, written as JSON before the change, so that undo.c
// can restore it. Only the last change is kept.
#ifndef WEFT_SERVE_TAKEN_H
#define WEFT_SERVE_TAKEN_H

#include "rpc.h"

#define SERVE_TAKEN_ENTITIES_MAX 256u         // that a despawn may end
#define SERVE_TAKEN_NODES_MAX 4096u           // places of these and of their children in relations
#define SERVE_TAKEN_BYTES ((size_t)1u << 20u) // of their JSON

// An entity that was despawned, or from which something was removed.
typedef struct serve_taken_entity {
    uint64_t was; // its handle
    uint64_t now; // its handle after it was brought back
    size_t from;  // its JSON in the text
    size_t end;
} serve_taken_entity;

// A child of a parent. `before` is the next sibling, or 0.
typedef struct serve_taken_node {
    uint32_t relation;
    bool last; // it was the last of several siblings
    uint64_t child, parent, before;
} serve_taken_node;

typedef struct serve_taken {
    uint64_t number;
    bool despawned;
    bool failed; // it is too large, or there is no memory
    uint32_t entity_count;
    uint32_t node_count;
    uint32_t node_capacity;
    uint32_t component; // the removed component, or WEFT_NONE
    uint32_t link;      // the kind of the removed link between the first two entities, or WEFT_NONE
    serve_text text;    // the JSON of all entities
    serve_taken_node *nodes; // in the order in which they are attached again
    serve_taken_entity entities[SERVE_TAKEN_ENTITIES_MAX];
} serve_taken;

// Store the data that a change will take away. Return NULL if it is too large, or without memory.
serve_taken *serve_taken_of_despawn(serve_call *call, uint64_t handle);
serve_taken *serve_taken_of_remove(serve_call *call, uint64_t handle, uint32_t component);
serve_taken *serve_taken_of_unlink(serve_call *call, uint64_t from, uint64_t to, uint32_t link);
serve_taken *serve_taken_of_detach(serve_call *call, uint64_t child, uint32_t relation);

// Ends a change. If it was done, keeps `taken` (which may be NULL) in place of the last one, and
// adds its number to the answer. Otherwise refuses the call with the error of the world.
void serve_taken_end(serve_call *call, serve_taken *taken, bool done);
void serve_taken_forget(serve_state *state);

// Returns the entity that had this handle, or NULL.
serve_taken_entity *serve_taken_find(serve_taken *taken, uint64_t handle);

// Returns a part of the JSON of an entity: `components` or `links`.
weft_scanned serve_taken_text(const serve_taken *taken, const serve_taken_entity *one,
                              const char *name);

bool serve_is_alive(const serve_call *call, uint64_t handle);

#endif
