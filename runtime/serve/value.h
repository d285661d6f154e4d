// Values as JSON, by their paths.
#ifndef WEFT_SERVE_VALUE_H
#define WEFT_SERVE_VALUE_H

#include "rpc.h"

// Adds a component, or one value that a path leads to, of an entity; null: it has none.
void serve_add_value(serve_call *call, uint64_t handle, const char *path);

#endif
