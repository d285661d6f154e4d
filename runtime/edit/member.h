// The door of membership: every way to add or remove a component of a row goes through these
// steps, in this order.
//
//   1  weft_component_ready    takes all memory; later steps cannot fail
//   2  weft_hook_removing      calls hooks (hooks.h), for all rows before step 3
//   3  weft_losing             sees every loss: notes removals, and entities for indexes
//   4  weft_component_write    changes the bit, its count, change bits and the sparse value; for a
//                              component in columns the row moves to another table (world/move.h)
//   5  weft_hook_added         calls hooks, after the last row has changed
//
// many.h does this for a mask of rows. direct.h inlines steps 3 and 4, for components without hooks
// and readers. None of these functions tests rules, handles or phases.
#ifndef WEFT_MEMBER_H
#define WEFT_MEMBER_H

#include "../record/removals.h"
#include "hooks.h"

// Makes space for a component in n rows of a table that lack it: in its bitset, in its store for
// the `indices` indices from `first`, and for noting its removals later. Returns false if there is
// no memory.
bool weft_component_ready(weft_world *world, weft_table *table, uint32_t component, uint32_t n,
                          uint32_t first, uint32_t indices);

// Writes that a row has a component with this value (a tag has none), or that it lacks it. Columns
// of a table component are added and removed by moving the row, so only their value is written.
void weft_component_write(weft_world *world, weft_table *table, uint32_t row, uint32_t component,
                          const void *value, bool on);

// ------------------------------------------------------------------------------------------------
// Losses

#define WEFT_WHOLE UINT32_MAX // instead of a component: all components of a despawned entity

// Rows of a table that are about to lose a component.
typedef struct weft_loss {
    const weft_table *table;
    uint32_t first;     // the row of bit 0
    uint64_t rows;      // a bit for each row
    uint32_t component; // or WEFT_WHOLE
    uint32_t reader;    // the system that removes it, which does not see its own losses; WEFT_NONE:
                        // none
    bool noted;         // readers or indexes need losses
} weft_loss;

// Sees every loss of a component before its row changes. Code that must run at every loss belongs
// here.
WEFT_ALWAYS_INLINE void weft_losing(weft_world *world, weft_loss loss)
{
    while (loss.noted && loss.rows != 0) {
        uint32_t row = loss.first + weft_bits_pop(&loss.rows);
        if (loss.component == WEFT_WHOLE) {
            weft_removed_row(world, loss.table, row);
        } else {
            weft_removed_note(world, loss.table, row, loss.component, loss.reader);
        }
    }
}

// Returns the loss of a component by one row.
static inline weft_loss weft_loss_of(const weft_world *world, const weft_table *table, uint32_t row,
                                     uint32_t component)
{
    bool noted = weft_removal_asked(&world->plan->components[component]);
    weft_loss loss = {table, row, 1, component, WEFT_NONE, noted};
    return loss;
}

// ------------------------------------------------------------------------------------------------
// Initial values of components

// Returns the initial value of a component in a table of required values, or NULL for its defaults.
static inline const void *weft_required_value_of(const weft_required_value *values, uint16_t count,
                                                 uint32_t component)
{
    for (uint16_t i = 0; i < count; i++) {
        if (values[i].component == component) return values[i].value;
    }
    return NULL;
}

// Returns the value of a prefab's i-th component: its member of the plain struct, or the value
// given by a component that requires it. Returns NULL if there is none, or if it begins with its
// defaults.
static inline const void *weft_prefab_value(const weft_prefab_plan *prefab, uint32_t i,
                                            const void *value)
{
    if (i >= prefab->member_count) {
        return weft_required_value_of(prefab->required_values, prefab->required_value_count,
                                      prefab->components[i]);
    }
    return value ? (const unsigned char *)value + prefab->offsets[i] : NULL;
}

// ------------------------------------------------------------------------------------------------
// Despawning

// Despawns an entity whose table has bitsets or change bits. Returns true.
bool weft_despawn_with_bits(weft_world *world, uint64_t handle, uint32_t row, weft_table *table);

// Despawns a living entity that has no links, while no phase runs. Every despawn ends here. Returns
// the result of its last call, which is true, so that an inlined copy keeps no value across that
// call.
WEFT_ALWAYS_INLINE bool weft_despawn_at(weft_world *world, uint64_t handle, weft_place at)
{
    weft_table *table = world->tables.items[at.table];
    if (WEFT_UNLIKELY((table->bitset_count | table->change_bits.set_count) != 0)) {
        return weft_despawn_with_bits(world, handle, at.row, table);
    }
    weft_loss loss = {table, at.row, 1, WEFT_WHOLE, WEFT_NONE, false};
    weft_losing(world, loss);
    return table->end(world, handle, at.row, table);
}

#endif
