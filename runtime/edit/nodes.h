// Attaches entities to others, and detaches them.
#ifndef WEFT_NODES_H
#define WEFT_NODES_H

#include "../record/command.h"
#include "reaction.h"

// Change nodes like the calls of edit/calls.h, but also while a phase runs. They return the reason
// of a refusal; the caller reports it.
weft_status weft_node_attach(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);
weft_status weft_node_append(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);
weft_status weft_node_insert_before(weft_world *world, uint32_t relation, uint64_t child,
                                    uint64_t sibling);
// Returns the status that attaching would have, and takes its memory: after WEFT_OK it cannot fail.
weft_status weft_node_ready(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);
// Attaches as the first or last child, as the schema specifies, after weft_node_ready returned
// WEFT_OK.
void weft_node_place(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);
// Attaches a new root (index + 1, like the parent) as weft_node_place does, but the caller calls the
// hooks, counts the change, and has made space for the node and the bits.
void weft_node_place_new(weft_world *world, uint32_t relation, uint32_t child, uint32_t parent);
// Attaches the entities of a new tree, given by part, like weft_node_place_new.
void weft_nodes_place_tree(weft_world *world, const weft_tree *tree, const uint64_t *handles);
// Like weft_node_ready, and also makes space in `table`, where the row of the child will be. NULL
// means that there was no memory for the table.
weft_status weft_node_ready_in(weft_world *world, uint32_t relation, uint64_t child,
                               uint64_t parent, weft_table *table);
weft_status weft_node_detach(weft_world *world, uint32_t relation, uint64_t child);

// Records an attach or append like weft_command_record, for a relation that despawns children with
// their parent. The value is the parent, a uint64_t. Also records whether attaching is allowed now.
// If it is, and the parent is despawned before the command is applied, the child is despawned too.
bool weft_command_attach(weft_commands *commands, weft_command_kind kind, uint16_t relation,
                         uint64_t child, const void *value, size_t bytes);

// ------------------------------------------------------------------------------------------------
// Unlinking, for despawn.c. Children are given as index + 1, like in nodes.

// Removes an entity from the children of its parent. Its own children stay attached to it.
void weft_unlink_alone(weft_world *world, weft_relation *relation, uint32_t child);

// Like weft_unlink_alone, but calls the hook on_detach first. Afterwards it clears the relation's
// bits of the child, and those of a parent that has no other child.
void weft_unlink_told(weft_world *world, uint32_t relation, uint32_t child);

// Removes an entity from the children of its parent, with all consequences.
static inline void weft_unlink(weft_world *world, uint32_t relation, uint32_t child)
{
    if (WEFT_UNLIKELY(world->plan->relations != NULL)) {
        weft_unlink_told(world, relation, child);
    } else {
        weft_unlink_alone(world, &world->relations[relation], child);
    }
}

#endif
