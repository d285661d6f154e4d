// The visitor: the one walk over the inside of values, for whatever is done to their leaves.
//
// A leaf is a number, an enum, a handle, a string (WEFT_TYPE_CHAR), or the count of a list, which
// is visited before its items (WEFT_TYPE_U32). Leaves are visited in runs: a leaf of many values at
// once, then the next leaf. So columns are visited as fast as a loop over each field, and the
// elements of an array of numbers are one run as well. Of a list only the items that it has are
// visited, however wrong its count is. Nothing here asks for alignment.
#ifndef WEFT_VISIT_H
#define WEFT_VISIT_H

#include "fields.h"
#include "leaf.h"

// A leaf of each of `count` values or elements, `stride` bytes apart.
typedef struct weft_leaves {
    const weft_field *field; // innermost
    weft_type type;
    bool is_count;  // of the list that `field` describes
    uint32_t bytes; // of each; of a string its whole capacity
    unsigned char *at;
    size_t stride;
    size_t count;
    size_t value; // the index of the value that the first leaf is of
    size_t step;  // 1: the next leaf is of the next value; 0: all are of one value
} weft_leaves;

// The way to the current leaf, from its field outwards.
typedef struct weft_trail {
    const struct weft_trail *outer;
    const weft_field *field;
    uint32_t item; // of an array or list of structs that is visited in order
} weft_trail;

// Types of leaves, a bit each. Counts of lists have a bit of their own.
#define WEFT_VISIT(type) ((uint32_t)1 << (type))
#define WEFT_VISIT_COUNTS ((uint32_t)1 << 31)
#define WEFT_VISIT_ALL UINT32_MAX

typedef struct weft_visitor {
    const weft_schema *schema;
    // Visits a run. False: the visit ends.
    bool (*leaves)(struct weft_visitor *visitor, const weft_leaves *leaves);
    void *context;
    uint32_t types;  // of the leaves that are visited
    bool only_saved; // fields with save = false are left out, at any depth
    bool in_order;   // the leaves of each value in its order, as paths and hashes need it
    const weft_trail *trail;
} weft_visitor;

// Visits `count` values that are plain structs with these fields, `stride` bytes apart. Returns
// false if a visit did.
bool weft_visit_values(weft_visitor *visitor, const weft_field *fields, uint32_t field_count,
                       void *values, size_t stride, size_t count);

// Visits one field of `count` values, which may lie in a column of its own.
bool weft_visit_members(weft_visitor *visitor, const weft_field *field, void *members,
                        size_t stride, size_t count);

// Returns whether the fields have leaves of these types, at any depth.
bool weft_fields_have(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      uint32_t types, bool only_saved);

// Returns the i-th leaf of a run.
weft_leaf_ref weft_leaves_nth(const weft_leaves *leaves, size_t i);

// Writes the path of the i-th leaf of a run of one value, during its visit: "route[0].at.x",
// "amount[bread]", "route.count". A longer path loses its beginning.
#define WEFT_LEAF_PATH_BYTES 128u
void weft_visit_path(const weft_visitor *visitor, const weft_leaves *leaves, size_t i,
                     char path[WEFT_LEAF_PATH_BYTES]);

// Visits the leaves of one value in order, each by itself and with its path. It is for messages,
// because it writes every path. Returns false if a visit did.
typedef bool (*weft_leaf_visit)(void *context, const char *path, const weft_leaf_ref *leaf);
bool weft_leaves_visit(const weft_schema *schema, const weft_field *fields, uint32_t count,
                       const void *value, weft_leaf_visit visit, void *context);

#endif
