// Components and fields by name at run time: for tools, consoles, scripts and tests. A game that does not
// call it does not link it. The world is the `base` member of a generated world, handles are their `bits`.
//
//     double x;
//     weft_field_get_number(&w->base, e.bits, "position.x", &x);
//     weft_field_set_number(&w->base, e.bits, "worker.skill[2]", 7);
//
// A path is component, field, then `.field` into structs and `[i]` into arrays and lists. Costs a search by
// name in the schema; keep it out of inner loops.
#ifndef WEFT_REFLECT_H
#define WEFT_REFLECT_H

#include "weft_world.h"

WEFT_EXTERN_C_BEGIN

// A component's index in the schema, -1: no such name.
int weft_component_index(const weft_schema *schema, const char *name);

// A leaf that a path names.
typedef struct weft_leaf_ref {
    const weft_component_info *component;
    const weft_field *field; // innermost
    uint32_t index;          // of the element in the innermost field
    bool whole;              // the path names the whole array, list or string
} weft_leaf_ref;

// Gets or sets a leaf by path. `type` is what *value is (WEFT_TYPE_CHAR: a NUL-terminated string of at most
// `bytes` bytes, NUL counted); it must be the field's own type, an enum's or bool's number type counting as
// its own. WEFT_DEAD, WEFT_NOT_FOUND (component, field or index, or the entity has no such component),
// WEFT_BAD_VALUE (other type, outside min and max, no such enum value, string too long); nothing is changed
// then, and colony_error says why. Setting is not a structural change.
weft_status weft_field_get(weft_world *world, uint64_t handle, const char *path, weft_type type, void *value,
                           size_t bytes);
weft_status weft_field_set(weft_world *world, uint64_t handle, const char *path, weft_type type, const void *value,
                           size_t bytes);

// The same for any number, bool or enum, converted; set refuses what the field cannot hold exactly.
weft_status weft_field_get_number(weft_world *world, uint64_t handle, const char *path, double *value);
weft_status weft_field_set_number(weft_world *world, uint64_t handle, const char *path, double value);

// Adds a component at its defaults, takes one away, asks for one, by name.
weft_status weft_component_add_by_name(weft_world *world, uint64_t handle, const char *name);
weft_status weft_component_remove_by_name(weft_world *world, uint64_t handle, const char *name);
bool weft_component_has_by_name(const weft_world *world, uint64_t handle, const char *name);

WEFT_EXTERN_C_END

#endif
