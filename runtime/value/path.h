// Paths such as worker.route[0].at.x: the one follower, and the way back from an offset.
//
// A path is followed step by step, so that its reader can act between steps: reflection follows it
// into the living value, a selection adds a test for each list on the way, insight wants the bytes
// that a part of it names. Mistakes are written here, with the place of the word that is wrong.
#ifndef WEFT_PATH_H
#define WEFT_PATH_H

#include "leaf.h"
#include "mistake.h"

// ------------------------------------------------------------------------------------------------
// Owners

// The component, singleton or relation that values belong to, by its number. A relation is like a
// component with the fields `parent` and `next_sibling`.
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

// Finds the owner of a name, which need not end with a NUL.
bool weft_owner_find(const weft_schema *schema, const char *name, size_t length, weft_owner *owner);

const char *weft_owner_name(const weft_schema *schema, weft_owner owner);
weft_field_list weft_owner_fields(const weft_schema *schema, weft_owner owner);

// Counts the bytes of the name that a text begins with: letters, digits, `_`, and all of UTF-8.
size_t weft_name_length(const char *text);

// ------------------------------------------------------------------------------------------------
// Steps

typedef struct weft_path {
    const weft_schema *schema;
    const char *at; // everything before it is followed
    // The value that lists are looked at in: it lies `offset` bytes before the current member.
    // NULL: a list has as many items as there is room for.
    const unsigned char *value;
    const char *name;        // of what has the fields that may come next
    weft_field_list fields;  // that may come next
    const weft_field *field; // innermost so far; NULL: none
    bool is_many;            // all of an array or list, until an item is named
    bool is_count;           // of the list `field`
    uint32_t offset;         // of the current part, from the owner on
    // If it is refused.
    const char *wrong; // where the mistake begins
    weft_status status;
    char why[WEFT_WHY_BYTES];
} weft_path;

typedef enum weft_step {
    WEFT_STEP_NONE, // the path goes no further
    WEFT_STEP_FIELD,
    WEFT_STEP_ITEM,
    WEFT_STEP_COUNT,
    WEFT_STEP_WRONG, // it is refused
} weft_step;

// Begins behind the name of an owner.
weft_path weft_path_begin(const weft_schema *schema, weft_owner owner, const char *behind);

// Follows one step, or all. weft_path_follow returns false if a step is refused.
weft_step weft_path_step(weft_path *path);
bool weft_path_follow(weft_path *path);

// Returns whether the path has come to a single value, or at least to one element. Otherwise it is
// refused.
bool weft_path_is_leaf(weft_path *path);
bool weft_path_is_element(weft_path *path);

// Returns whether the text ends where the path does. Otherwise it is refused.
bool weft_path_ends(weft_path *path);

// Counts the bytes of the part that the path has come to.
uint32_t weft_path_bytes(const weft_path *path);

// Returns the element, or the count, that the path has come to.
weft_leaf_ref weft_path_leaf(const weft_path *path);

// ------------------------------------------------------------------------------------------------
// From an offset

// Finds the single value at an offset in a plain struct with these fields, and writes its path to
// `path`. Lists have as many items as there is room for.
weft_leaf_ref weft_leaf_at(const weft_schema *schema, weft_field_list of, uint32_t offset,
                           char *path, size_t bytes);

// Returns whether a plain struct has a value at an offset: its lists have the items they count.
bool weft_leaf_exists(const weft_schema *schema, weft_field_list of, const unsigned char *value,
                      uint32_t offset);

#endif
