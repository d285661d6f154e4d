// The return of despawned entities, under their own handles unless other entities have got their
// indices meanwhile. undo.c uses parts of it for entities that are alive.
#ifndef WEFT_SERVE_RETURNING_H
#define WEFT_SERVE_RETURNING_H

#include "taken.h"

typedef struct serve_returning {
    serve_call *call;
    serve_taken *taken;
    uint32_t renewed; // entities with a new handle
    uint32_t dropped; // links and places whose other end no longer exists, or values of entities
} serve_returning;

// Brings back the entities of a despawn. If that fails, despawns them again.
bool serve_return_all(serve_returning *r);

// Reads a JSON text into an entity: `before`, a value, and `after`. With handle 0 it is only checked.
bool serve_return_json(serve_returning *r, uint64_t handle, const char *before, weft_scanned value,
                       const char *after);

// Attaches a child again. Returns false if that is impossible now.
bool serve_attach_again(serve_returning *r, const serve_taken_node *one);

// Adds a link of an entity again: an item of its JSON. Returns false if its other end is dead.
bool serve_link_again(serve_returning *r, uint64_t handle, uint32_t link, weft_scanned item);

#endif
