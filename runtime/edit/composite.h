// Spawns composite prefabs: several entities in one step, attached to each other (weft_tree in
// plan/plan.h).
//
// A tree is spawned in these steps. Only the first one can fail:
//
//   1  all memory is taken: records, rows, bitsets, stores, logs of removals, links
//   2  the entities get handles and rows, in the order of the parts
//   3  fields that name parts get the handles, then all values are written
//   4  the parts are attached, in the order of the parts; keepers get the handles
//   5  hooks are called: on_add for each entity, then on_attach for each link
//
// Several trees take each step for all trees before hooks are called.
#ifndef WEFT_COMPOSITE_H
#define WEFT_COMPOSITE_H

#include "../world/rows.h"
#include "spawn.h"

// Spawns one tree with a value, or with the defaults if `value` is NULL. Writes the handles to
// `all`, the generated struct of handles (may be NULL). Returns the handle of the root, or 0, and
// reports, if refused.
uint64_t weft_tree_spawn(weft_world *world, uint32_t prefab, const void *value, void *all);

// Spawns n trees, all or none, like n calls of weft_tree_spawn, but calls the hooks after the last.
// Writes the handles of the roots to `out` (may be NULL). Returns false, and reports, if refused.
// n = 0 is never refused.
bool weft_trees_spawn(weft_world *world, uint32_t prefab, size_t n, const void *value, void *out);

// Spawns n trees with the defaults, for the caller to fill in. The n entities of a part get
// adjacent rows and handles. `rows` is the generated struct, which is zero: the rows of the root,
// then those of each part as in weft_spawn_rows. If refused, it stays zero.
void weft_trees_spawn_rows(weft_world *world, uint32_t prefab, size_t n, void *rows);

// Like weft_prefab_reserve, for n more trees.
weft_status weft_trees_reserve(weft_world *world, uint32_t prefab, size_t n);

// Like weft_trees_spawn, but also while commands are applied. Returns WEFT_FULL or WEFT_NO_MEMORY
// without reporting it. If `root` is not 0, n is 1, and it is the handle of the root, whose index
// was taken.
weft_status weft_trees_place(weft_world *world, uint32_t prefab, uint64_t n, uint64_t root,
                             const void *value, void *out);

// Spawns n entities of a simple prefab, or n trees of a composite one, for callers that do not know
// which it is. The arguments are those of weft_trees_spawn.
bool weft_spawn_any(weft_world *world, uint32_t prefab, size_t n, const void *value, void *out);

// Returns the size of the scratch memory that the trees of a plan need.
size_t weft_trees_scratch(const weft_plan *plan);

// Returns a part of an entity: handle `i` of a keeper, whose values have `size` bytes. Returns 0 if
// the entity is dead or lacks the keeper, or if the part is missing or dead.
WEFT_ALWAYS_INLINE uint64_t weft_part_of(const weft_world *world, weft_format f, uint32_t store,
                                         size_t size, uint64_t handle, uint32_t i)
{
    weft_place at;
    if (!weft_find(&world->entities, f, handle, &at)) return 0;
    const void *handles =
        weft_sparse_find_as(&world->sparse[store], weft_handle_index(f, handle), size);
    uint64_t found = handles ? weft_handle_load(f, handles, i) : 0;
    return found != 0 && weft_find(&world->entities, f, found, &at) ? found : 0;
}

#endif
