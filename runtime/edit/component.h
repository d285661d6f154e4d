// One component of one entity: space for it, its bit and its value; and the ends of rows. None of
// these functions looks at rules, handles or phases.
#ifndef WEFT_COMPONENT_H
#define WEFT_COMPONENT_H

#include "../record/hook.h"
#include "../record/removals.h"

// Makes space for a component in n rows of a table that lack it: in its bitset, in its store also
// for `indices` indices from `first` on, and for noting its removals when it comes to that. False:
// no memory.
bool weft_component_ready(weft_world *world, weft_table *table, uint32_t component, uint32_t n,
                          uint32_t first, uint32_t indices);

// Writes that a row has a component, with that value (a tag has none), or that it no longer has it.
// The columns of a table component are there, or gone, with its table.
void weft_component_write(weft_world *world, weft_table *table, uint32_t row, uint32_t component,
                          const void *value, bool on);

// Returns what a component begins with by a table of required values; NULL: its own defaults.
static inline const void *weft_required_value_of(const weft_required_value *values, uint16_t count,
                                                 uint32_t component)
{
    for (uint16_t i = 0; i < count; i++) {
        if (values[i].component == component) return values[i].value;
    }
    return NULL;
}

// Returns the value of a prefab's i-th component, in its plain struct or by what brings it along;
// NULL: there is none, or it begins with its defaults.
static inline const void *weft_prefab_value(const weft_prefab_plan *prefab, uint32_t i,
                                            const void *value)
{
    if (i >= prefab->member_count) {
        return weft_required_value_of(prefab->required_values, prefab->required_value_count,
                                      prefab->components[i]);
    }
    return value ? (const unsigned char *)value + prefab->offsets[i] : NULL;
}

// Despawns an entity whose table has bitsets or change bits. Returns true.
bool weft_despawn_with_bits(weft_world *world, uint64_t handle, uint32_t row, weft_table *table);

// Ends a living entity that has no links, while no phase runs; there is no other place where one
// ends. It returns what its last call does, which is true, so that where it is inlined nothing has
// to be kept over that call.
WEFT_ALWAYS_INLINE bool weft_despawn_at(weft_world *world, uint64_t handle, weft_place at)
{
    weft_table *table = world->tables.items[at.table];
    if (WEFT_UNLIKELY((table->bitset_count | table->change_bits.set_count) != 0)) {
        return weft_despawn_with_bits(world, handle, at.row, table);
    }
    return table->end(world, handle, at.row, table);
}

#endif
