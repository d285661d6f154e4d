// Access to components, singletons and their fields by name at run time: for tools, consoles,
// scripts and tests. A game that calls it links weft_json.c as well as weft.c. Worlds are given as
// weft_world, and handles as their `bits`. Use handle 0 with the path of a singleton.
//
//     weft_world *w = burrow_world_base(burrow);
//     double x;
//     weft_field_get_number(w, e.bits, "position.x", &x);
//     weft_field_set_number(w, e.bits, "stock.amount[2]", 7);
//     weft_field_set(w, e.bits, "name.text", WEFT_TYPE_CHAR, "Bob", sizeof "Bob");
//     weft_field_set_number(w, 0, "weather.day", 12);
//
// A path is a component or singleton, then a field, then any number of `.field` (into a struct) and
// `[i]` (into an array, or an item of a list), as in worker.route[0].y. `.count` after a list is
// its number of items. A path names one value: a number, bool, enum, handle or string; or a whole
// struct, if the caller asks for one. Every step of a path is a search by name in the schema, so
// keep these calls out of inner loops. A call that fails changes nothing, and burrow_error gives
// the reason.
//
// If a required pointer is NULL, the call is refused (with WEFT_BAD_VALUE if it returns a status)
// and asserts in debug builds.
//
// For queries that are written at run time (weft_select_begin), see select/select.h.
#ifndef WEFT_REFLECT_H
#define WEFT_REFLECT_H

#include "select/select.h"
#include "value/access.h"
#include "value/text.h"
#include "world/links.h"

WEFT_EXTERN_C_BEGIN

// Returns a component's index in the schema, or -1 if no component has this name.
int weft_component_index(const weft_schema *schema, const char *name);

// Finds the value that a path names. Fails with WEFT_DEAD; or with WEFT_NOT_FOUND if there is no
// such component, singleton, field or item, if the entity lacks the component, or if the path does
// not name one value.
weft_status weft_field_find(weft_world *world, uint64_t handle, const char *path,
                            weft_leaf_ref *leaf);

// Gets or sets the value of a path as the field's own type: *value is a `type` of `bytes` bytes.
//   - An enum can also be accessed as its number type, and a bool as WEFT_TYPE_U8.
//   - A handle is WEFT_TYPE_ENTITY, and always a uint64_t here. A dead handle can be stored, as in
//     C. Bits that are not part of a handle are refused.
//   - A string is WEFT_TYPE_CHAR, NUL-terminated within `bytes`. An enum as WEFT_TYPE_CHAR is the
//     name of its value.
//   - A [struct] or [extern] is WEFT_TYPE_STRUCT, and is set as a whole or not at all. Setting the
//     count of a list removes items at its end or appends zeroed ones; a field's `min` is not
//     applied to the new items. Setting a value is not a structural change, but it is refused while
//     a phase runs. Readers of changes see the component as changed.
//
// In a state only `next` can be set, which requests a value as <world>_state_go does. `now` and the
// flags of turns that are due change between phases, so setting them is refused (WEFT_REFUSED).
//
// Both calls fail like weft_field_find, and with WEFT_BAD_VALUE if the type or size is wrong, the
// value is outside `min` and `max`, the enum has no such value, or a string or list does not fit.
// weft_field_set fails with WEFT_BUSY while a phase runs (asserts in debug builds).
weft_status weft_field_get(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           void *value, size_t bytes);
weft_status weft_field_set(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           const void *value, size_t bytes);

// Gets or sets any number, bool, enum or count of a list as a double. A value that cannot be
// converted exactly is refused (WEFT_BAD_VALUE), but an f32 field takes the nearest float.
weft_status weft_field_get_number(weft_world *world, uint64_t handle, const char *path,
                                  double *value);
weft_status weft_field_set_number(weft_world *world, uint64_t handle, const char *path,
                                  double value);

// Add a component with its defaults, remove one, and test for one, by name. Adding a component that
// the entity already has keeps its value. Removing one that it lacks returns WEFT_NOT_FOUND. The
// first two are structural changes and fail like them.
weft_status weft_component_add_by_name(weft_world *world, uint64_t handle, const char *name);
weft_status weft_component_remove_by_name(weft_world *world, uint64_t handle, const char *name);
bool weft_component_has_by_name(const weft_world *world, uint64_t handle, const char *name);

// Copy a whole component as its plain struct of `bytes` bytes, whatever its layout in tables.
// Getting fails with WEFT_DEAD or WEFT_NOT_FOUND. Setting overwrites the value, or adds the
// component with everything it requires, as one change for hooks and readers. It checks every field
// first, as weft_field_set does, and changes nothing if it fails. It fails like structural changes
// do, and with WEFT_BAD_VALUE if the size is wrong or a field is refused. A tag has 0 bytes, and
// its value may be NULL.
weft_status weft_component_get_by_name(weft_world *world, uint64_t handle, const char *name,
                                       void *value, size_t bytes);
weft_status weft_component_set_by_name(weft_world *world, uint64_t handle, const char *name,
                                       const void *value, size_t bytes);

// ------------------------------------------------------------------------------------------------
// Links

// Returns the index of a kind of links in the schema, or -1 if no link has this name. schema->links
// lists all kinds with their fields.
int weft_link_index(const weft_schema *schema, const char *name);

// Set, get, remove and test for a link by the name of its kind. The value is the plain struct of
// `bytes` bytes. Setting adds the link, or overwrites its value. It checks every field first, as
// weft_field_set does. If `value` is NULL, the link gets the values of the schema, or has none. A
// bare link has 0 bytes. They fail with WEFT_DEAD if an end is not alive; with WEFT_NOT_FOUND if
// there is no such kind or link; with WEFT_BAD_VALUE if the size is wrong or a field is refused;
// and like structural changes.
weft_status weft_link_set_by_name(weft_world *world, const char *name, uint64_t from, uint64_t to,
                                  const void *value, size_t bytes);
weft_status weft_link_get_by_name(weft_world *world, const char *name, uint64_t from, uint64_t to,
                                  void *value, size_t bytes);
weft_status weft_link_remove_by_name(weft_world *world, const char *name, uint64_t from,
                                     uint64_t to);
bool weft_link_has_by_name(const weft_world *world, const char *name, uint64_t from, uint64_t to);

// Begins a walk over the links from an entity, or to it. The walk is empty if there is no such kind
// or the entity is dead. For example:
//
//     weft_link_walk walk = weft_link_walk_by_name(w, "owes", e.bits, true);
//     while (weft_link_walk_next(&walk, w->plan->format)) show(walk.other);
weft_link_walk weft_link_walk_by_name(const weft_world *world, const char *name, uint64_t handle,
                                      bool from);

// Like weft_field_find and the calls that get and set values, but for a value of a link. The path
// begins with the name of the kind, for example `owes.gold`. Setting marks both ends as changed for
// readers.
weft_status weft_link_field_find(weft_world *world, uint64_t from, uint64_t to, const char *path,
                                 weft_leaf_ref *leaf);
weft_status weft_link_field_get(weft_world *world, uint64_t from, uint64_t to, const char *path,
                                weft_type type, void *value, size_t bytes);
weft_status weft_link_field_set(weft_world *world, uint64_t from, uint64_t to, const char *path,
                                weft_type type, const void *value, size_t bytes);
weft_status weft_link_field_get_number(weft_world *world, uint64_t from, uint64_t to,
                                       const char *path, double *value);
weft_status weft_link_field_set_number(weft_world *world, uint64_t from, uint64_t to,
                                       const char *path, double value);

// ------------------------------------------------------------------------------------------------
// Indexes

// Size of an index. An index is built when it is first used, and again after a load.
typedef struct weft_index_stats {
    bool made;
    uint32_t entities; // when it was last used
    size_t bytes;
} weft_index_stats;

// Returns an index's number in the schema, or -1 if no index has this name.
int weft_index_number(const weft_schema *schema, const char *name);

// Returns the size of an index by name; all zero if no index has this name. Does not update the
// index, so readers of changes are not affected. O(entities).
weft_index_stats weft_index_stats_by_name(const weft_world *world, const char *name);

WEFT_EXTERN_C_END

#endif
