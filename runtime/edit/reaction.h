// Reactions to relations: bits of rows and hooks that follow when an entity is attached or detached.
//
// If the plan asks for it (weft_relation_plan), a row has one bit while its entity has a parent,
// and one while it has children. These bits have change bits and removals, like tags. Hooks of
// relations are called here too. Memory for these bits is taken before a node is changed, so
// detaching cannot fail.
#ifndef WEFT_REACTION_H
#define WEFT_REACTION_H

#include "../world/relation.h"
#include "member.h"

// Calls the hooks of relations for an entity and each of its parents: it was attached, or is about
// to be detached.
void weft_hooks_parents(weft_world *world, uint32_t index, bool attached);
// Calls those of all entities, by index.
void weft_hooks_all_parents(weft_world *world, bool attached);

// Calls a hook of a relation, if there is one. From here on, entities are index + 1, like in nodes.
void weft_reaction_tell(weft_world *world, weft_hook hook, uint32_t child, uint32_t parent);

// Returns the reactions of a relation, or NULL if this world has none.
static inline const weft_relation_plan *weft_reaction_of(const weft_world *world, uint32_t relation)
{
    return world->plan->relations ? &world->plan->relations[relation] : NULL;
}

// Makes space for the bits that a child and its parent are about to get. Returns false if there is
// no memory.
bool weft_reaction_ready(weft_world *world, uint32_t relation, uint32_t child, uint32_t parent);

// Makes space for a hidden tag that an entity is about to get; WEFT_NONE: none. Returns false if
// there is no memory.
bool weft_hidden_tag_ready(weft_world *world, uint32_t entity, uint16_t tag);

// Writes the bit of a hidden tag in an entity's row, which has space for it, and notes a loss. Does
// nothing if the bit is already so, or for WEFT_NONE.
void weft_hidden_tag_write(weft_world *world, uint32_t entity, uint16_t tag, bool on);

// Writes the bits for a child's new parent. `before` is its old parent, or 0.
void weft_reaction_attached(weft_world *world, uint32_t relation, uint32_t child, uint32_t before);

// Clears the bits of a child that lost its parent, and of that parent.
void weft_reaction_detached(weft_world *world, uint32_t relation, uint32_t child, uint32_t parent);

#endif
