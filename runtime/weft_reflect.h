// Components, singletons and their fields by name at run time: for tools, consoles, scripts and
// tests. A game that calls it links weft_json.c besides weft.c. Worlds are given as weft_worlds,
// handles as their `bits`; handle 0 with the path of a singleton.
//
//     weft_world *w = colony_world_base(colony);
//     double x;
//     weft_field_get_number(w, e.bits, "position.x", &x);
//     weft_field_set_number(w, e.bits, "worker.skill[2]", 7);
//     weft_field_set(w, e.bits, "worker.job", WEFT_TYPE_CHAR, "haul", sizeof "haul");
//     weft_field_set_number(w, 0, "calendar.day", 12);
//
// A path is a component, then a field, then `.field` into structs and `[i]` into arrays and the
// items a list has, as in worker.route[0].y; `.count` behind a list is its number of items. The
// path of a singleton starts with its name and goes with the handle 0. A path names one value: a
// number, bool, enum, handle or string, or a struct where it is asked for as one. Every step of it
// costs a search by name in the schema, so keep these calls out of inner loops. A call that fails
// changes nothing, and colony_error tells why.
//
// A pointer that a call needs and is NULL is refused, with WEFT_BAD_VALUE where it returns a
// status, and asserts in debug builds.
//
// Queries that are asked at run time, weft_select_begin, are in select/select.h.
#ifndef WEFT_REFLECT_H
#define WEFT_REFLECT_H

#include "select/select.h"
#include "value/access.h"
#include "value/text.h"

WEFT_EXTERN_C_BEGIN

// Returns a component's index in the schema; -1: there is no such name.
int weft_component_index(const weft_schema *schema, const char *name);

// Finds the value that a path names. WEFT_DEAD; WEFT_NOT_FOUND: no such component, singleton, field
// or item, the entity has no such component, or the path does not name one value.
weft_status weft_field_find(weft_world *world, uint64_t handle, const char *path,
                            weft_leaf_ref *leaf);

// Gets or sets a value by path, as the field's own type: *value is `type`, of `bytes` bytes.
//   - an enum is also its number type; a bool is also WEFT_TYPE_U8
//   - a handle is WEFT_TYPE_ENTITY and a uint64_t here, whatever its width. A dead one can be
//     stored, as in C; bits beyond those of a handle cannot
//   - a string is WEFT_TYPE_CHAR, NUL-terminated within `bytes`; an enum as WEFT_TYPE_CHAR is the
//     name of its value
//   - a [struct] or [extern] is WEFT_TYPE_STRUCT, and set as a whole or not at all
// Setting a list's count shows or hides items at its end; those that come into view are all zeros,
// whatever their min says. Setting is not a structural change, but is refused while a phase runs;
// readers of changes see the component as changed.
// Of a state only `next` can be set, which asks for a value as <world>_<state>_go does; its `now`
// and the flags of turns that are due are refused (WEFT_REFUSED), because they change between
// phases. They fail as weft_field_find does, and with WEFT_BAD_VALUE: another type or size, outside
// min and max, no value of the enum, a string or list that does not fit. WEFT_BUSY: a value was set
// while a phase runs (asserts in debug builds).
weft_status weft_field_get(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           void *value, size_t bytes);
weft_status weft_field_set(weft_world *world, uint64_t handle, const char *path, weft_type type,
                           const void *value, size_t bytes);

// Gets or sets any number, bool, enum or list's count as a double. Both refuse values that cannot
// be converted exactly (WEFT_BAD_VALUE), but an f32 field takes the nearest float.
weft_status weft_field_get_number(weft_world *world, uint64_t handle, const char *path,
                                  double *value);
weft_status weft_field_set_number(weft_world *world, uint64_t handle, const char *path,
                                  double value);

// These add a component at its defaults (one that is there keeps its value), remove one
// (WEFT_NOT_FOUND if it was not there), and ask for one, by name. The first two are structural
// changes and fail as those do.
weft_status weft_component_add_by_name(weft_world *world, uint64_t handle, const char *name);
weft_status weft_component_remove_by_name(weft_world *world, uint64_t handle, const char *name);
bool weft_component_has_by_name(const weft_world *world, uint64_t handle, const char *name);

// These copy a whole component, as its plain struct of so many bytes, whatever its layout. Getting
// fails with WEFT_DEAD or WEFT_NOT_FOUND. Setting adds the component with what it requires or
// overwrites its value, in one change that hooks and readers see as such, or changes nothing: every
// field is checked first as weft_field_set does it, and it fails as those structural changes do.
// WEFT_BAD_VALUE: another size, or a field is refused. A tag has 0 bytes, and its value may be
// NULL.
weft_status weft_component_get_by_name(weft_world *world, uint64_t handle, const char *name,
                                       void *value, size_t bytes);
weft_status weft_component_set_by_name(weft_world *world, uint64_t handle, const char *name,
                                       const void *value, size_t bytes);

// The entities of an index and its memory. It is made when it is first asked, and again after a
// load.
typedef struct weft_index_stats {
    bool made;
    uint32_t entities; // that it found when it was last asked
    size_t bytes;
} weft_index_stats;

// Returns an index's number in the schema; -1: there is no such name.
int weft_index_number(const weft_schema *schema, const char *name);

// Returns these numbers by name, all zero if there is no such index. It asks the index nothing, so
// that readers of changes see what they would have seen. O(entities).
weft_index_stats weft_index_stats_by_name(const weft_world *world, const char *name);

WEFT_EXTERN_C_END

#endif
