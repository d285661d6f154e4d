// Values as JSON, by their paths.
#ifndef WEFT_SERVE_VALUE_H
#define WEFT_SERVE_VALUE_H

#include "rpc.h"

// Adds a component of an entity, or the value of a path; null if the entity lacks it.
void serve_add_value(serve_call *call, uint64_t handle, const char *path);

#endif
