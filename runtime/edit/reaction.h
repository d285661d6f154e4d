// Bits of rows and hooks follow from a link that comes or goes.
//
// Where the plan says so, rows have a bit while their entity has a parent, and one while it has
// children (weft_relation_plan), with change bits and removals as tags have them; and hooks are
// told. Memory for these bits is taken before a link is changed, so unlinking cannot fail.
#ifndef WEFT_REACTION_H
#define WEFT_REACTION_H

#include "../world/relation.h"
#include "member.h"

// Calls the hooks of all links of an entity to its parents: it got them, or is about to lose them.
void weft_hooks_links(weft_world *world, uint32_t index, bool attached);
// Calls those of all entities, by index.
void weft_hooks_all_links(weft_world *world, bool attached);

// Calls a hook of a link, if there is one. Entities are index + 1 from here on, as links are.
void weft_reaction_tell(weft_world *world, weft_hook hook, uint32_t child, uint32_t parent);

// Returns what follows from the links of a relation; NULL: nothing does in this world.
static inline const weft_relation_plan *weft_reaction_of(const weft_world *world, uint32_t relation)
{
    return world->plan->relations ? &world->plan->relations[relation] : NULL;
}

// Makes space for the bits that a child and its parent are about to get. False: no memory.
bool weft_reaction_ready(weft_world *world, uint32_t relation, uint32_t child, uint32_t parent);

// Writes the bits that follow from a child's new parent; before = 0: it had none.
void weft_reaction_attached(weft_world *world, uint32_t relation, uint32_t child, uint32_t before);

// Writes the bits that are lost by a child that has no parent any more, and by that parent.
void weft_reaction_detached(weft_world *world, uint32_t relation, uint32_t child, uint32_t parent);

#endif
