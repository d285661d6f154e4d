// The parts of structural calls that direct calls, batches and commands share. None of them looks
// at handles, rules or phases: the caller has. What they return false for is memory, and nothing
// has changed then.
#ifndef WEFT_STRUCTURE_H
#define WEFT_STRUCTURE_H

#include "../world/world.h"

WEFT_EXTERN_C_BEGIN

// The column of a tag's or sparse component's plane.
static inline uint32_t weft_plane_column(const weft_plan *plan,
                                         const weft_component_plan *component)
{
    return (uint32_t)plan->first_plane + component->plane;
}

// Whether a row has a component, table component or not.
bool weft_row_has(const weft_plan *plan, const weft_table *table, uint32_t row, uint32_t component);

// Adds a component or tag to an entity, or overwrites its value: without what it requires.
bool weft_row_set(weft_world *world, uint64_t handle, weft_place at, uint32_t component,
                  const void *value);

// Takes away a component or tag that is there.
bool weft_row_remove(weft_world *world, uint64_t handle, weft_place at, uint32_t component);

// Takes a tag from everybody, but not where something present requires it.
void weft_rows_clear(weft_world *world, uint32_t component);

// Room for one more row of a prefab, which will have that index.
bool weft_prefab_row_ready(weft_world *world, uint32_t prefab, uint32_t index);

// Writes what rows of a prefab have besides their handles. value: its plain struct; NULL: table
// components that are members are left for the caller to write.
void weft_prefab_rows_put(weft_world *world, uint32_t prefab, uint32_t first_row, uint32_t rows,
                          const void *value);

// n entities of a prefab, as weft_spawn_many. WEFT_FULL, WEFT_NO_MEMORY.
weft_status weft_prefab_spawn(weft_world *world, uint32_t prefab, uint64_t n, const void *value,
                              void *out, uint32_t *first_row);

// Why no index could be taken: WEFT_FULL, else WEFT_NO_MEMORY.
weft_status weft_spawn_status(const weft_world *world);

// Refuses for lack of memory or room. Columns may have moved before it was seen that there is not
// enough, so pointers and iterators are invalid all the same.
bool weft_refuse_room(weft_world *world, weft_refusal refusal);

WEFT_EXTERN_C_END

#endif
