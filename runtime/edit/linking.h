// Steps of edit/links.c for other files of this room, for loads and for merges.
#ifndef WEFT_LINKING_H
#define WEFT_LINKING_H

#include "../world/links.h"
#include "applying.h"

// Like weft_link_set and weft_link_remove, but also while commands are applied. They return the
// reason of a refusal; the caller reports it.
weft_status weft_link_change(weft_world *world, uint32_t link, uint64_t from, uint64_t to,
                             const void *value);
weft_status weft_link_end(weft_world *world, uint32_t link, uint64_t from, uint64_t to);

// Removes all links of a living entity, with all consequences: kinds in schema order, first the
// links from it, then those to it, by the index of the other end.
void weft_links_remove_of(weft_world *world, uint32_t index);

// Add and remove a link without any consequence. Memory for a new link is ready.
void weft_link_add_alone(weft_world *world, uint32_t link, weft_link_ends ends, const void *value);
void weft_link_remove_alone(weft_world *world, uint32_t link, weft_link_ends ends);

// Calls the hooks of all links, which were added or are about to be removed: kinds in schema order,
// links by `from` and then by `to`.
void weft_links_tell_all(weft_world *world, bool added);

// Runs a command that changes a link. Removing a link that does not exist is not an error.
void weft_link_run(weft_applying *a, weft_command *c);

#endif
