// The data that a change takes away or replaces, written as JSON before the change, so that undo.c
// can restore it. A change can be about several entities. Only the last change is kept.
#ifndef WEFT_SERVE_TAKEN_H
#define WEFT_SERVE_TAKEN_H

#include "rpc.h"

#define SERVE_TAKEN_ENTITIES_MAX 2048u        // that a change may be about
#define SERVE_TAKEN_NODES_MAX 4096u           // places of these and of their children in relations
#define SERVE_TAKEN_BYTES ((size_t)4u << 20u) // of their JSON
#define SERVE_TAKEN_SLOTS 4096u               // a power of two, to find entities by their handles

typedef enum serve_taken_kind {
    SERVE_DESPAWNED,
    SERVE_REMOVED, // a component
    SERVE_ADDED,   // a component, and those that it requires
    SERVE_SET,     // a value
    SERVE_UNLINKED,
    SERVE_DETACHED,
} serve_taken_kind;

// An entity that was despawned or changed. Its JSON is: after a despawn and an unlink, the entity;
// after a removal, the component; after an addition, the numbers of the components that it lacked;
// after a set, the value, or the component if it is the number of items of a list.
typedef struct serve_taken_entity {
    uint64_t was; // its handle
    uint64_t now; // its handle after it was brought back
    size_t from;  // its JSON in the text
    size_t end;
} serve_taken_entity;

// A child of a parent. `before` is the next sibling, or 0.
typedef struct serve_taken_node {
    uint32_t relation;
    bool last;     // it was the last of several siblings
    bool attached; // again
    uint64_t child, parent, before;
} serve_taken_node;

typedef struct serve_taken {
    uint64_t number;
    uint32_t
        loads; // of the world before the change; after another load, handles are other entities
    serve_taken_kind kind;
    bool failed;    // it is too large, or there is no memory
    uint32_t roots; // the first entities: those that the call despawns, and not by way of others
    uint32_t entity_count;
    uint32_t node_count;
    uint32_t node_capacity;
    uint32_t component;        // that was removed, added, or has the value
    uint32_t link;             // the kind of the removed link between the first two entities
    char path[SERVE_PATH_MAX]; // of a value that was set; "" if the whole component is stored
    serve_text text;           // the JSON of all entities
    serve_taken_node *nodes;   // in the order in which they are attached again
    serve_taken_entity entities[SERVE_TAKEN_ENTITIES_MAX];
    uint16_t slots[SERVE_TAKEN_SLOTS]; // number + 1 of an entity, or 0, by its handle
} serve_taken;

// Store the data that a change will take away. Return NULL if it is too large, or without memory.
serve_taken *serve_taken_of_despawn(serve_call *call, const uint64_t *handles, uint32_t count);
serve_taken *serve_taken_of_unlink(serve_call *call, uint64_t from, uint64_t to, uint32_t link);
serve_taken *serve_taken_of_detach(serve_call *call, uint64_t child, uint32_t relation);

// Store the data of a change of several entities, one by one. `path` is NULL, or the path of the
// value that is set. serve_taken_note must be called before an entity is changed, and returns
// whether it was not noted before; if the change is refused then, serve_taken_drop forgets it.
serve_taken *serve_taken_of_many(serve_taken_kind kind, uint32_t component, const char *path);
bool serve_taken_note(serve_call *call, serve_taken *taken, uint64_t handle);
void serve_taken_drop(serve_taken *taken);

// Returns a change if all of its data is stored. Otherwise frees it, and returns NULL.
serve_taken *serve_taken_whole(serve_taken *taken);
void serve_taken_free(serve_taken *taken);

// Keeps a change, which may be NULL, in place of the last one. Adds its number to the answer, or
// null.
void serve_taken_keep(serve_call *call, serve_taken *taken);

// Ends a change. If it was done, keeps `taken` (which may be NULL) in place of the last one, and
// adds its number to the answer. Otherwise refuses the call with the error of the world.
void serve_taken_end(serve_call *call, serve_taken *taken, bool done);
void serve_taken_forget(serve_state *state);

// Returns the entity that had this handle, or NULL.
serve_taken_entity *serve_taken_find(serve_taken *taken, uint64_t handle);

// Returns the JSON of an entity; or a part of it: `components` or `links`.
weft_scanned serve_taken_json(const serve_taken *taken, const serve_taken_entity *one);
weft_scanned serve_taken_text(const serve_taken *taken, const serve_taken_entity *one,
                              const char *name);

bool serve_is_alive(const serve_call *call, uint64_t handle);

#endif
