// Attaching entities to others, and detaching them.
#ifndef WEFT_LINK_H
#define WEFT_LINK_H

#include "../record/command.h"
#include "reaction.h"

// These change links as the calls of edit/calls.h do, also while a phase runs, and leave it to
// the caller to report why not.
weft_status weft_link_attach(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);
weft_status weft_link_append(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);
weft_status weft_link_insert_before(weft_world *world, uint32_t relation, uint64_t child,
                                    uint64_t sibling);
// Returns what attaching would, and takes its memory: after WEFT_OK it does not fail.
weft_status weft_link_ready(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);
// Attaches as the schema says, as first or last child, where weft_link_ready has returned WEFT_OK.
void weft_link_place(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);
// Makes space also in another table than that of its row now, where the child will be; NULL: there
// was no memory for it.
weft_status weft_link_ready_in(weft_world *world, uint32_t relation, uint64_t child,
                               uint64_t parent, weft_table *table);
weft_status weft_link_detach(weft_world *world, uint32_t relation, uint64_t child);

// Records as weft_command_record does that an entity is attached or appended, for a relation that
// ends children with their parent, and notes whether that could be done now: where the parent has
// ended until it is, the child ends too. The value is the parent, a uint64_t.
bool weft_command_attach(weft_commands *commands, weft_command_kind kind, uint16_t relation,
                         uint64_t child, const void *value, size_t bytes);

// ------------------------------------------------------------------------------------------------
// Unlinking, for despawn.c. A child is index + 1 here, as in links.

// Takes an entity with a parent out of its parent's children; what is below it stays.
void weft_unlink_alone(weft_world *world, weft_relation *relation, uint32_t child);

// Does so, tells the hook of it before, and writes the bits that are lost.
void weft_unlink_told(weft_world *world, uint32_t relation, uint32_t child);

// Takes an entity with a parent out of its parent's children for good, with all that follows.
static inline void weft_unlink(weft_world *world, uint32_t relation, uint32_t child)
{
    if (WEFT_UNLIKELY(world->plan->relations != NULL)) {
        weft_unlink_told(world, relation, child);
    } else {
        weft_unlink_alone(world, &world->relations[relation], child);
    }
}

#endif
