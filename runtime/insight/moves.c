// Rows are identified by their handles: if the handles of a row and of its copy differ, a row has
// moved. All such rows are compared first, while the copies are unchanged, and copied after that.
#include "moves.h"

#include "../world/rows.h"

#define HANDLES_AT_ONCE 256u // compared at once

// The state of looking for moved rows.
typedef struct moving {
    weft_world *world;
    weft_copies *copies;
    weft_ring *ring;
    weft_differ differ;
} moving;

static moving moving_of(weft_world *world, weft_copies *copies, weft_ring *ring)
{
    return (moving){world, copies, ring, {world->plan->schema, ring, 0, 0, UINT32_MAX}};
}

static uint32_t rows_now(const weft_table_copy *copy)
{
    return copy->table ? copy->table->count : 0;
}

static uint32_t more_rows(const weft_table_copy *copy)
{
    uint32_t now = rows_now(copy);
    return copy->count > now ? copy->count : now;
}

// Returns the first row, starting at `row`, whose handle differs from that of its copy. Rows that
// only the table or only the copy has count as different.
static uint32_t next_moved(const weft_table_copy *copy, uint32_t row, size_t bytes)
{
    uint32_t now = rows_now(copy);
    uint32_t both = copy->count < now ? copy->count : now;
    if (row >= both) return row;
    const unsigned char *handles = (const unsigned char *)weft_column(copy->table, 0);
    const unsigned char *copied = copy->handles.items;
    while (row < both) {
        uint32_t some = both - row < HANDLES_AT_ONCE ? both - row : HANDLES_AT_ONCE;
        if (memcmp(copied + row * bytes, handles + row * bytes, some * bytes) != 0) break;
        row += some;
    }
    while (row < both && memcmp(copied + row * bytes, handles + row * bytes, bytes) == 0) row++;
    return row;
}

static void keep_change(const moving *m, weft_write_kind kind, uint32_t component, uint64_t handle)
{
    weft_ring_source(m->ring, m->world, (weft_owner){.of = (uint16_t)component});
    weft_ring_change(m->ring, kind, handle);
}

// Stores that an entity got, or lost, each component that is in one set but not in the other. NULL
// stands for an empty set.
static void keep_set(const moving *m, weft_write_kind kind, const uint64_t *set,
                     const uint64_t *without, uint64_t handle)
{
    for (uint32_t w = 0; w < m->world->plan->set_words; w++) {
        for (uint64_t left = set[w] & ~(without ? without[w] : 0); left != 0;) {
            keep_change(m, kind, w * 64 + weft_bits_pop(&left), handle);
        }
    }
}

// Stores which tags of a row were added or removed. A table is NULL if the entity did not exist on
// that side.
static void keep_tags(const moving *m, const weft_table_copy *before, uint32_t before_row,
                      const weft_table *after, uint32_t after_row, uint64_t handle)
{
    for (uint32_t i = 0; i < m->copies->tag_count; i++) {
        uint32_t tag = m->copies->tags[i];
        bool had = before && weft_copied_bit(&before->tags[i], before_row);
        bool has = after && weft_bitset_bit(after, weft_tag_column(m->world, tag), after_row);
        if (had == has) continue;
        keep_change(m, has ? WEFT_WRITE_ADDED : WEFT_WRITE_REMOVED, tag, handle);
    }
}

// Compares the values of a row that moved, for the components that it had before and still has.
static void differ_moved(moving *m, const weft_table_copy *before, uint32_t before_row,
                         const weft_table *after, uint32_t after_row)
{
    const weft_plan *plan = m->world->plan;
    for (uint32_t i = 0; i < before->column_count; i++) {
        uint32_t column = before->columns[i];
        size_t size = plan->columns[column].size;
        const unsigned char *cells = (const unsigned char *)weft_column(after, column);
        if (!cells) continue;
        const unsigned char *copied =
            weft_copied_at(&before->cells[i], m->copies->cells[column].run_rows, before_row, size);
        if (memcmp(copied, cells + after_row * size, size) == 0) continue;
        weft_ring_source(m->ring, m->world, (weft_owner){.of = plan->columns[column].component});
        weft_differ_cell(&m->differ, &m->copies->cells[column], copied, cells + after_row * size);
    }
}

// Handles a row whose copy belongs to another entity: its entity is new, or has moved here.
static void look_at_arrival(moving *m, const weft_table_copy *copy, uint32_t row)
{
    weft_format f = m->world->plan->format;
    const weft_table *table = copy->table;
    uint64_t handle = weft_handle_load(f, weft_column(table, 0), row);
    uint32_t old_row = 0;
    const weft_table_copy *old = weft_copies_find(m->copies, f, handle, &old_row);
    m->differ.handle = handle;
    if (old) {
        keep_set(m, WEFT_WRITE_REMOVED, old->set, table->set, handle);
        differ_moved(m, old, old_row, table, row);
    }
    keep_set(m, WEFT_WRITE_ADDED, table->set, old ? old->set : NULL, handle);
    keep_tags(m, old, old_row, table, row, handle);
}

// Handles a copy whose entity is no longer at this row: it was despawned, or it has moved and is
// handled there.
static void look_at_departure(const moving *m, const weft_table_copy *copy, uint32_t row)
{
    weft_format f = m->world->plan->format;
    uint64_t handle = weft_handle_load(f, copy->handles.items, row);
    if (weft_alive(&m->world->entities, f, handle)) return;
    keep_set(m, WEFT_WRITE_REMOVED, copy->set, NULL, handle);
    keep_tags(m, copy, row, NULL, 0, handle);
}

void weft_moves_look(weft_world *world, weft_copies *copies, weft_ring *ring)
{
    moving m = moving_of(world, copies, ring);
    const size_t bytes = world->plan->format.handle_bytes;
    for (uint32_t i = 0; i < copies->table_count && ring->left != 0; i++) {
        const weft_table_copy *copy = copies->tables[i];
        uint32_t end = more_rows(copy);
        for (uint32_t row = next_moved(copy, 0, bytes); row < end && ring->left != 0;
             row = next_moved(copy, row + 1, bytes)) {
            if (row < copy->count) look_at_departure(&m, copy, row);
            if (row < rows_now(copy)) look_at_arrival(&m, copy, row);
        }
    }
    for (uint32_t i = 0; i < copies->table_count; i++) {
        weft_table_copy *copy = copies->tables[i];
        uint32_t end = rows_now(copy);
        for (uint32_t row = next_moved(copy, 0, bytes); row < end;
             row = next_moved(copy, row + 1, bytes)) {
            weft_copies_row(world, copies, i, row);
        }
        copy->count = end;
    }
}

// ------------------------------------------------------------------------------------------------
// Sparse stores

// Returns the slot of the copy of a value, or UINT32_MAX if the entity had none.
static uint32_t copied_slot(const moving *m, uint32_t store, uint64_t handle)
{
    const weft_store_copy *copy = &m->copies->stores[store];
    uint32_t index = weft_handle_index(m->world->plan->format, handle);
    uint32_t slot = m->copies->slots[(size_t)store * m->copies->slot_capacity + index];
    return slot < copy->count && copy->handles[slot] == handle ? slot : UINT32_MAX;
}

static uint64_t handle_in_slot(const weft_world *world, uint32_t store, uint32_t slot)
{
    const uint32_t *owners = (const uint32_t *)(void *)world->sparse[store].owners.base;
    return weft_handle_of(&world->entities, world->plan->format, owners[slot]);
}

// Handles the values that exist now.
static void look_at_values(moving *m, uint32_t store)
{
    const weft_world *world = m->world;
    const weft_sparse *sparse = &world->sparse[store];
    const weft_cell_plan *cells = &m->copies->cells[world->plan->first_bitset + store];
    for (uint32_t slot = 0; slot < weft_sparse_count(sparse); slot++) {
        uint64_t handle = handle_in_slot(world, store, slot);
        uint32_t old = copied_slot(m, store, handle);
        if (old == UINT32_MAX) {
            weft_ring_change(m->ring, WEFT_WRITE_ADDED, handle);
            continue;
        }
        const unsigned char *copy = m->copies->stores[store].values + (size_t)old * sparse->size;
        const unsigned char *value =
            (const unsigned char *)weft_sparse_value(sparse, slot, sparse->size);
        m->differ.handle = handle;
        if (memcmp(copy, value, sparse->size) != 0) {
            weft_differ_cell(&m->differ, cells, copy, value);
        }
    }
}

// Handles the values that existed before.
static void look_for_lost_values(const moving *m, uint32_t store)
{
    const weft_world *world = m->world;
    const weft_store_copy *copy = &m->copies->stores[store];
    weft_format f = world->plan->format;
    for (uint32_t slot = 0; slot < copy->count; slot++) {
        uint64_t handle = copy->handles[slot];
        if (weft_sparse_get(world, f, store, handle)) continue;
        weft_ring_change(m->ring, WEFT_WRITE_REMOVED, handle);
    }
}

static void copy_store(const weft_world *world, weft_copies *copies, uint32_t store)
{
    const weft_sparse *sparse = &world->sparse[store];
    weft_store_copy *copy = &copies->stores[store];
    const size_t first = (size_t)store * copies->slot_capacity;
    copy->count = weft_sparse_count(sparse);
    copy->change_count = sparse->change_count;
    for (uint32_t slot = 0; slot < copy->count; slot++) {
        copy->handles[slot] = handle_in_slot(world, store, slot);
        uint32_t index = weft_handle_index(world->plan->format, copy->handles[slot]);
        copies->slots[first + index] = slot;
    }
    if (copy->count != 0) {
        memcpy(copy->values, sparse->values.base, (size_t)copy->count * sparse->size);
    }
}

void weft_moves_look_at_store(weft_world *world, weft_copies *copies, weft_ring *ring,
                              uint32_t store)
{
    moving m = moving_of(world, copies, ring);
    weft_ring_source(ring, world, (weft_owner){.of = world->plan->sparse_components[store]});
    look_at_values(&m, store);
    look_for_lost_values(&m, store);
    copy_store(world, copies, store);
}
