// Finds places for items that have changed since the base of a grid was built: the place in base
// before which each belongs, and its cell in delta.
#include "grid_delta.h"

#include "grid.h"

// The items of base, for a search by entity index.
typedef struct grid_items {
    const weft_index *index;
    weft_grid_form form;
} grid_items;

static inline uint64_t id_at(const void *items, uint32_t place)
{
    const grid_items *of = (const grid_items *)items;
    return weft_grid_id(of->index, of->form, place);
}

// Finds the places of a cell's items in base. Returns false if the box lacks the cell.
static bool find_cell(const weft_index *index, weft_grid_form f, uint64_t key, uint32_t *from,
                      uint32_t *to)
{
    int32_t cell[3];
    if (!weft_cells_bounded(index)) {
        *from = weft_keys_from(index, 0, index->count, key);
        *to = weft_keys_from(index, *from, index->count, key + 1);
        return true;
    }
    for (uint32_t i = 0; i < 3; i++) cell[i] = weft_cell_of_key(key, f.dimensions, i);
    size_t offset = weft_cells_offset(index->low, index->size, cell);
    if (offset == SIZE_MAX) return false;
    size_t row = weft_cells_row(index, cell[1], cell[2]);
    *from = weft_cells_place(index, false, row, offset);
    *to = weft_cells_place(index, false, row, offset + 1);
    return true;
}

// There are two loops: the first prefetches the scattered data that the second reads.
void weft_grid_enter(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    const weft_grid_form f = weft_grid_form_of(&world->plan->indexes[number]);
    weft_index_item *changes = (weft_index_item *)(void *)index->changes.base;
    const grid_items items = {index, f};
    uint32_t from = 0;
    uint32_t to = 0;
    for (uint32_t i = 0; i < index->change_count; i++) {
        if (find_cell(index, f, changes[i].key, &from, &to)) {
            changes[i].before = from;
            WEFT_PREFETCH(weft_grid_ids(index, f) + (size_t)from * f.id_bytes);
        } else {
            index->left = true;
        }
    }
    for (uint32_t i = 0; i < index->change_count && !index->left; i++) {
        find_cell(index, f, changes[i].key, &from, &to);
        changes[i].before = weft_lower_bound(&items, from, to, id_at, changes[i].id);
    }
}

bool weft_grid_settle(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    const weft_grid_form f = weft_grid_form_of(&world->plan->indexes[number]);
    if (!weft_grid_space(world, index, f, index->capacity, index->delta_count)) return false;
    for (uint32_t i = 0; i < index->delta_count; i++) {
        weft_grid_write_id(index, f, (size_t)index->capacity + i, weft_index_delta(index)[i].id);
    }
    return !weft_cells_bounded(index) || weft_cells_of_delta(world, index, f.dimensions);
}
