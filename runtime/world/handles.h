// Handles inside values are changed here: those of spawn commands are resolved, dead ones
// forgotten.
//
// The offsets of a component's handles are listed once, when a world is opened. A component with
// lists, whose items come and go, is walked field by field instead.
#ifndef WEFT_HANDLES_H
#define WEFT_HANDLES_H

#include "world.h"

typedef struct weft_handle_places {
    uint32_t *offsets; // bytes from the start of the plain struct
    uint32_t count;
    uint32_t capacity;
    bool listed; // it has lists, and is walked
} weft_handle_places;

// Places of all components are opened and closed with their world. False: no memory.
bool weft_handles_open(weft_world *world);
void weft_handles_close(weft_world *world);

// Returns what a handle is to become.
typedef uint64_t (*weft_handle_change)(void *context, uint64_t handle);

// Changes all handles in the plain struct of a component. O(handles).
void weft_handles_change(const weft_world *world, uint32_t component, void *value,
                         weft_handle_change change, void *context);

// Change all handles in any fields, or in one member. They cost a call for each leaf.
void weft_fields_change(const weft_schema *schema, const weft_field *fields, uint32_t count,
                        void *value, weft_handle_change change, void *context);
void weft_member_change(const weft_schema *schema, const weft_field *field, void *member,
                        weft_handle_change change, void *context);

#endif
