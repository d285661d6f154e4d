// Clones: copies of an entity, with the entities below it in chosen relations.
#ifndef WEFT_CLONE_H
#define WEFT_CLONE_H

#include "../record/command.h"
#include "options.h"

// What belongs to a clone. Bit i of `below` is set if everything below a copied entity in relation
// i is copied too. `below` has (relations + 63) / 64 words; NULL: none.
typedef struct weft_clone_options {
    const uint64_t *below;
    weft_map *map; // NULL, or receives all pairs of original and copy; its old pairs are freed
} weft_clone_options;

// Copies an entity of `from` into `to`, which may be the same world. In the same world the copy is
// attached to the parents of the original. In another world it is a root. Returns the copy of the
// entity, or 0 if it is refused: WEFT_BUSY, WEFT_DEAD, WEFT_FULL or WEFT_NO_MEMORY. Invalidates
// pointers and iterators. O(copied bytes + tables).
uint64_t weft_clone(weft_world *to, weft_world *from, uint64_t handle,
                    const weft_clone_options *options);

// Records a clone within the world, and returns the handle that the copy will have, or 0 if the
// command is lost. The original is copied as it is when the command is applied. If it is dead then,
// the command is dropped. `options->map` is not used.
uint64_t weft_command_clone(weft_commands *commands, uint64_t handle,
                            const weft_clone_options *options);

// Applies such a command. Returns a status without reporting it; WEFT_DEAD if the original is dead.
weft_status weft_clone_apply(weft_world *world, weft_command *c);

#endif
