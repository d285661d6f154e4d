// The steps of changes of links, for the calls of links.h, for commands, despawns, loads and merges:
//
//   1  weft_link_room     takes all memory; later steps cannot fail (with the bits of the rows)
//   2  on_remove          of a link that is about to be removed
//   3  the lists change, and the bits of the rows of both ends
//   4  on_add             of a link that was added
#ifndef WEFT_LINKING_H
#define WEFT_LINKING_H

#include "../record/command.h"
#include "../world/links.h"

struct weft_applying; // applying.h

// Like weft_link_set and weft_link_remove, but also while commands are applied. They return the
// reason of a refusal; the caller reports it.
weft_status weft_link_change(weft_world *world, uint32_t link, uint64_t from, uint64_t to,
                             const void *value);
weft_status weft_link_end(weft_world *world, uint32_t link, uint64_t from, uint64_t to);

// Marks both ends of a link as changed for readers. `lends` means that the game may write the value
// from now on.
void weft_link_mark(weft_world *world, uint32_t link, weft_link_ends ends, bool lends);

// Removes all links of a kind, with all consequences. on_remove is called for all of them before the
// first is removed. O(indices with links).
void weft_links_end_kind(weft_world *world, uint32_t link);

// Removes all links of a living entity, with all consequences: kinds in schema order, first the
// links from it, then those to it, by the index of the other end.
void weft_links_remove_of(weft_world *world, uint32_t index);

// Takes memory for a link that does not exist yet, except for the bits of its rows. Returns false if
// there is none.
bool weft_link_room(weft_world *world, uint32_t link, weft_link_ends ends);

// Calls on_add for a link that was added.
void weft_link_tell_added(weft_world *world, uint32_t link, weft_link_ends ends);

// Adds a link that does not exist yet, with all consequences. `value` NULL: the schema's values.
// Returns false if there is no memory.
bool weft_link_put(weft_world *world, uint32_t link, weft_link_ends ends, const void *value);

// Returns whether an entity has links from it (`from`) or to it, or any for a symmetric kind.
bool weft_link_any(const weft_links *links, uint32_t index, bool from);

// Writes the bits of an entity, which have space, if it is alive.
void weft_link_write_bits(weft_world *world, uint32_t link, uint32_t index);

// Writes the bits of both ends of a link that was added, which have space, and marks them.
void weft_link_added(weft_world *world, uint32_t link, weft_link_ends ends);

// Add and remove a link without any consequence. Memory for a new link is ready.
void weft_link_add_alone(weft_world *world, uint32_t link, weft_link_ends ends, const void *value);
void weft_link_remove_alone(weft_world *world, uint32_t link, weft_link_ends ends);

// Calls the hooks of all links, which were added or are about to be removed: kinds in schema order,
// links by `from` and then by `to`.
void weft_links_tell_all(weft_world *world, bool added);

// Runs a command that changes a link. Removing a link that does not exist is not an error.
void weft_link_run(struct weft_applying *a, weft_command *c);

#endif
