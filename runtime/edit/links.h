// The calls that add, write and remove links. linking.h has their steps.
#ifndef WEFT_EDIT_LINKS_H
#define WEFT_EDIT_LINKS_H

#include "../record/command.h"
#include "../world/links.h"

// ------------------------------------------------------------------------------------------------
// Direct calls, for generated code. They refuse dead handles (WEFT_DEAD), and calls while a phase
// or a hook runs (WEFT_BUSY; debug builds assert). A refused call returns false and changes
// nothing.

// Adds a link, or overwrites its value, which is not a structural change. `value` is its plain
// struct. NULL: the schema's values, or a bare link.
bool weft_link_set(weft_world *world, uint32_t link, uint64_t from, uint64_t to, const void *value);

// Removes a link. Returns false also if there is none (WEFT_NOT_FOUND).
bool weft_link_remove(weft_world *world, uint32_t link, uint64_t from, uint64_t to);

// Removes all links of a kind. O(links).
bool weft_link_clear(weft_world *world, uint32_t link);

// Returns the value of a link to write to, and marks both ends as changed, for kinds with values.
// Returns NULL if there is no such link. `call` is the name of the call, and the advice that
// follows it if it is refused. The pointer is valid until the next structural change.
void *weft_link_edit(weft_world *world, uint32_t link, uint64_t from, uint64_t to,
                     const char *call);

// Like weft_link_edit, for systems and hooks that were granted the values.
void *weft_link_edited(weft_world *world, uint32_t link, uint64_t from, uint64_t to);

// Marks both ends of a link, given by index, after a system has written its value.
void weft_link_written(weft_world *world, uint32_t link, uint32_t from, uint32_t to);

// Records WEFT_COMMAND_LINK_SET with the plain struct of a link (NULL: the schema's values, or a
// bare link), or WEFT_COMMAND_LINK_REMOVE. Return false if there is no memory.
bool weft_command_link_set(weft_commands *commands, uint16_t link, uint64_t from, uint64_t to,
                           const void *value);
bool weft_command_link_remove(weft_commands *commands, uint16_t link, uint64_t from, uint64_t to);

#endif
