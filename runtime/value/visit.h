// The visitor: the general walk over the leaves of values.
//
// A leaf is a number, an enum, a handle, a string (WEFT_TYPE_CHAR), or the count of a list
// (WEFT_TYPE_U32), which is visited before its items. Leaves are visited in runs: one leaf of many
// values at once, then the next leaf. So columns are visited as fast as by a loop over each field.
// The elements of an array of numbers are one run too. Only the items that a list contains are
// visited, even if its count is invalid. No function here needs aligned data.
#ifndef WEFT_VISIT_H
#define WEFT_VISIT_H

#include "fields.h"
#include "leaf.h"

// One leaf in each of `count` values or elements, `stride` bytes apart.
typedef struct weft_leaves {
    const weft_field *field; // the innermost field
    weft_type type;
    bool is_count;  // they are counts of the list that `field` describes
    uint32_t bytes; // of each; for a string, its whole capacity
    unsigned char *at;
    size_t stride;
    size_t count;
    size_t value; // number of the value that contains the first leaf
    size_t step;  // 1 if each leaf is in the next value; 0 if all are in one value
} weft_leaves;

// The way to the current leaf, from its field outwards.
typedef struct weft_trail {
    const struct weft_trail *outer;
    const weft_field *field;
    uint32_t item; // of an array or list of structs that is visited in order
} weft_trail;

// Types of leaves, one bit each. Counts of lists have a separate bit.
#define WEFT_VISIT(type) ((uint32_t)1 << (type))
#define WEFT_VISIT_COUNTS ((uint32_t)1 << 31)
#define WEFT_VISIT_ALL UINT32_MAX

typedef struct weft_visitor {
    const weft_schema *schema;
    // Visits a run. Returns false to end the visit.
    bool (*leaves)(struct weft_visitor *visitor, const weft_leaves *leaves);
    void *context;
    uint32_t types;  // of the leaves to visit
    bool only_saved; // skip fields with save = false, at any depth
    bool in_order;   // visit the leaves of each value in order, as paths and hashes need it
    const weft_trail *trail;
} weft_visitor;

// Visits `count` values that are plain structs with these fields, `stride` bytes apart. Returns
// false if the visit was ended.
bool weft_visit_values(weft_visitor *visitor, const weft_field *fields, uint32_t field_count,
                       void *values, size_t stride, size_t count);

// Visits one field of `count` values. It may be in a column of its own.
bool weft_visit_members(weft_visitor *visitor, const weft_field *field, void *members,
                        size_t stride, size_t count);

// Returns whether the fields contain leaves of these types, at any depth.
bool weft_fields_have(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      uint32_t types, bool only_saved);

// Returns leaf `i` of a run.
weft_leaf_ref weft_leaves_nth(const weft_leaves *leaves, size_t i);

// Writes the path of leaf `i` of a run in one value, while it is visited: "route[0].at.x",
// "amount[bread]", "route.count". A path that is too long loses its beginning.
#define WEFT_LEAF_PATH_BYTES 128u
void weft_visit_path(const weft_visitor *visitor, const weft_leaves *leaves, size_t i,
                     char path[WEFT_LEAF_PATH_BYTES]);

// Visits the leaves of one value in order, one at a time, with their paths. Use it for messages
// only, because it writes every path. Returns false if the visit was ended.
typedef bool (*weft_leaf_visit)(void *context, const char *path, const weft_leaf_ref *leaf);
bool weft_leaves_visit(const weft_schema *schema, const weft_field *fields, uint32_t count,
                       const void *value, weft_leaf_visit visit, void *context);

#endif
