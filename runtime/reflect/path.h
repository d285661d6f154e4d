// Paths: the name of one value of an entity or of a singleton, as text.
//
//     position.x    worker.skill[2]    worker.friends.count    worker.route[0].y    calendar.day
//
// A path is a component, then a field, then `.field` into structs and `[i]` into arrays and the
// items a list has; `.count` behind a list is its number of items. The path of a singleton starts
// with its name and goes with the handle 0. A path always names one value: a number, bool, enum,
// handle or string.
#ifndef WEFT_PATH_H
#define WEFT_PATH_H

#include "../world/world.h"

// Messages about a path begin with it. A long one is cut, so that there is space for the reason.
#define WEFT_SHOWN_BYTES 64
#define WEFT_PATH_SHOWN "%.64s: "

#define WEFT_WHY_BYTES 192 // of the reason of a refusal, with its NUL

// Writes the reason of a refusal, for the caller, who knows the place, to report. Returns false.
bool weft_value_refuse(char why[WEFT_WHY_BYTES], const char *format, ...) WEFT_PRINTS(2, 3);

// The value that a path names, where it lies. It is good until the next structural change, and is
// written by weft_field_set.
typedef struct weft_leaf_ref {
    const weft_field *field; // innermost
    weft_type type;          // WEFT_TYPE_U32 for a list's count, WEFT_TYPE_CHAR for a string
    bool is_count;           // of the list that `field` describes
    uint32_t bytes;          // of the value; of a string its whole capacity
    const void *value;
    uint32_t component; // the one that it is in; WEFT_NONE: a singleton
    weft_place place;   // of the entity
} weft_leaf_ref;

// Finds the value. WEFT_DEAD; WEFT_NOT_FOUND: no such component, singleton, field or item, the
// entity has no such component, or the path does not name one value.
weft_status weft_field_find(weft_world *world, uint64_t handle, const char *path,
                            weft_leaf_ref *leaf);

#endif
