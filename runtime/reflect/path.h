// A path is followed into the living value, step by step, so only the items that a list has now are
// found.
#ifndef WEFT_REFLECT_PATH_H
#define WEFT_REFLECT_PATH_H

#include "../value/access.h"
#include "../world/world.h"

// Messages about a path begin with it. A long one is cut, so that there is space for the reason.
#define WEFT_PATH_SHOWN "%.64s: "

// Finds the value that a path names, by which it is asked for as `type`: a path that is asked for a
// struct may end at one. It refuses as weft_field_find does.
weft_status weft_path_find(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           weft_leaf_ref *leaf);

#endif
