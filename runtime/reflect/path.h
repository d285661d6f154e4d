// Follows a path into a living value, step by step, so it only finds items that a list has at that
// moment.
#ifndef WEFT_REFLECT_PATH_H
#define WEFT_REFLECT_PATH_H

#include "../value/access.h"
#include "../value/path.h"
#include "../world/world.h"

// Messages about a path begin with it. A long path is cut, so that there is space for the reason.
#define WEFT_PATH_SHOWN "%.64s: "

// Finds the value of a path, which the caller wants as `type`: only for WEFT_TYPE_STRUCT may the
// path end at a struct. Fails like weft_field_find.
weft_status weft_path_find(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           weft_leaf_ref *leaf);

// Follows the rest of a path, after the name of the owner. If `whole` is set, the path may end at a
// struct. Returns false if the path is refused.
bool weft_path_find_rest(weft_path *path, bool whole);

#endif
