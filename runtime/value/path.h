// Paths such as worker.route[0].at.x: follows them to an offset, and finds the path of an offset.
//
// A path is followed step by step, so that the caller can act between steps. Reflection follows it
// into a living value, a selection adds a test for each list on it, and insight needs the bytes
// that a part of it names. Mistakes are recorded here, with the place of the wrong word.
#ifndef WEFT_PATH_H
#define WEFT_PATH_H

#include "leaf.h"
#include "mistake.h"

// ------------------------------------------------------------------------------------------------
// Owners

// The component, singleton or relation that contains a value, by its number. A relation is treated
// like a component with the fields `parent` and `next_sibling`.
typedef struct weft_owner {
    uint16_t of;
    bool singleton;
    bool relation;
} weft_owner;

typedef struct weft_field_list {
    const weft_field *fields;
    uint32_t count;
} weft_field_list;

static inline bool weft_owner_is(weft_owner a, weft_owner b)
{
    return a.of == b.of && a.singleton == b.singleton && a.relation == b.relation;
}

// Finds an owner by its name, which need not end with a NUL.
bool weft_owner_find(const weft_schema *schema, const char *name, size_t length, weft_owner *owner);

const char *weft_owner_name(const weft_schema *schema, weft_owner owner);
weft_field_list weft_owner_fields(const weft_schema *schema, weft_owner owner);

// Returns the length of the name that a text begins with: letters, digits, `_`, and all non-ASCII
// bytes.
size_t weft_name_length(const char *text);

// ------------------------------------------------------------------------------------------------
// Steps

typedef struct weft_path {
    const weft_schema *schema;
    const char *at; // everything before it was followed
    // The value that contains the lists: it is `offset` bytes before the current member. If NULL,
    // every list is treated as if it were full.
    const unsigned char *value;
    const char *name;        // of the owner or struct that contains `fields`
    weft_field_list fields;  // the fields that can come next
    const weft_field *field; // the innermost so far; NULL at the beginning
    bool is_many;            // a whole array or list, until an item is named
    bool is_count;           // the count of the list `field`
    uint32_t offset;         // of the current part, from the start of the owner
    // Set if the path is refused.
    const char *wrong; // where the mistake begins
    weft_status status;
    char why[WEFT_WHY_BYTES];
} weft_path;

typedef enum weft_step {
    WEFT_STEP_NONE, // the path goes no further
    WEFT_STEP_FIELD,
    WEFT_STEP_ITEM,
    WEFT_STEP_COUNT,
    WEFT_STEP_WRONG, // the path is refused
} weft_step;

// Begins a path; `behind` is the text after the name of the owner.
weft_path weft_path_begin(const weft_schema *schema, weft_owner owner, const char *behind);

// Follow one step, or all steps. weft_path_follow returns false if a step is refused.
weft_step weft_path_step(weft_path *path);
bool weft_path_follow(weft_path *path);

// Return whether the path has reached a single value, or at least one element. Otherwise they
// refuse the path.
bool weft_path_is_leaf(weft_path *path);
bool weft_path_is_element(weft_path *path);

// Returns whether the text ends where the path does. Otherwise it refuses the path.
bool weft_path_ends(weft_path *path);

// Returns the size of the part that the path has reached, in bytes.
uint32_t weft_path_bytes(const weft_path *path);

// Returns the element or count that the path has reached.
weft_leaf_ref weft_path_leaf(const weft_path *path);

// ------------------------------------------------------------------------------------------------
// From an offset

// Finds the single value at an offset in a plain struct with these fields, and writes its path to
// `path`. Every list is treated as if it were full.
weft_leaf_ref weft_leaf_at(const weft_schema *schema, weft_field_list of, uint32_t offset,
                           char *path, size_t bytes);

// Returns whether a plain struct has a value at an offset: false if a list has fewer items.
bool weft_leaf_exists(const weft_schema *schema, weft_field_list of, const unsigned char *value,
                      uint32_t offset);

#endif
