// Changes of values, components and entities.
#ifndef WEFT_SERVE_EDIT_H
#define WEFT_SERVE_EDIT_H

#include "rpc.h"

serve_method serve_set, serve_write, serve_add_component, serve_remove, serve_despawn, serve_attach,
    serve_detach, serve_link, serve_unlink;

// Sets the value that a path of an entity names, from JSON. Returns false if it is refused.
bool serve_set_value(serve_call *call, uint64_t handle, const char *path, weft_scanned value);

// Gives an entity the components of a JSON text. With handle 0 the text is only checked.
bool serve_write_components(serve_call *call, uint64_t handle, weft_scanned components);

#endif
