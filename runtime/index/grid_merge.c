// Delta is merged into base of a bounded grid, in place: what has moved is taken out from the front
// on, and what is in delta is put in from the back on. Items between two of them move as one. How
// many items each cell gets or loses is counted where delta has its cells, which is of no use any
// more, and added up along each row.
#include "grid_merge.h"

#include "grid.h"

// Counts an item that a cell gets (1) or loses (-1), wrapping.
static void count_item(const weft_index *index, weft_grid_form f, const double *at, int32_t by)
{
    void *counts = (uint32_t *)(void *)index->delta_cells.base + index->rows;
    int32_t cell[3] = {0, 0, 0};
    for (uint32_t i = 0; i < f.dimensions; i++) cell[i] = weft_grid_cell(at[i], f);
    size_t offset = weft_cells_offset(index->low, index->size, cell);
    WEFT_ASSERT(offset, !=, SIZE_MAX, "an item of a grid has left its box");
    if (index->wide) {
        ((uint32_t *)counts)[offset] += (uint32_t)by;
    } else {
        uint16_t *count = (uint16_t *)counts + offset;
        *count = (uint16_t)(*count + (uint32_t)by);
    }
}

static void move_items(const weft_index *index, weft_grid_form f, uint32_t to, uint32_t from,
                       uint32_t count)
{
    const size_t bytes = weft_grid_number_bytes(f);
    unsigned char *ids = weft_grid_ids(index, f);
    if (count == 0 || to == from) return;
    for (uint32_t i = 0; i < f.dimensions; i++) {
        unsigned char *axis = weft_grid_axis(index, f, i);
        memmove(axis + to * bytes, axis + from * bytes, count * bytes);
    }
    memmove(ids + (size_t)to * f.id_bytes, ids + (size_t)from * f.id_bytes,
            (size_t)count * f.id_bytes);
}

// Returns 1 if one of so many entities has moved.
WEFT_ALWAYS_INLINE uint64_t any_moved(const uint64_t *moved, const unsigned char *ids,
                                      uint32_t id_bytes, uint32_t count)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = weft_id_read(ids + i * id_bytes, id_bytes);
        any |= moved[id / 64] >> (id % 64);
    }
    return any & 1u;
}

// Returns the first place of one that has, from a place on; `end` if there is none. Mostly none of
// eight has.
WEFT_ALWAYS_INLINE uint32_t find_moved(const uint64_t *moved, const unsigned char *ids,
                                       uint32_t id_bytes, uint32_t place, uint32_t end)
{
    const unsigned char *at = ids + (size_t)place * id_bytes;
    for (; end - place >= 8 && !any_moved(moved, at, id_bytes, 8); place += 8) at += 8 * id_bytes;
    for (; place < end && !any_moved(moved, at, id_bytes, 1); place++) at += id_bytes;
    return place;
}

static uint32_t next_moved(const weft_index *index, weft_grid_form f, uint32_t place)
{
    const uint64_t *moved = (const uint64_t *)(const void *)index->moved.base;
    const unsigned char *ids = weft_grid_ids(index, f);
    if (f.id_bytes == 3) return find_moved(moved, ids, 3, place, index->count);
    return find_moved(moved, ids, 4, place, index->count);
}

// Takes out of base what has moved; items of delta know where they come then. Returns how many
// items are left.
static uint32_t drop_items(const weft_index *index, weft_grid_form f)
{
    weft_index_item *delta = (weft_index_item *)(void *)index->delta.base;
    uint32_t next = 0; // of delta
    uint32_t from = 0; // behind the last that was taken out
    uint32_t out = 0;
    for (;;) {
        double at[3];
        uint32_t place = next_moved(index, f, from);
        if (place == index->count) break;
        for (; next < index->delta_count && delta[next].before <= place; next++) {
            delta[next].before -= out;
        }
        weft_grid_point(index, f, place, at);
        count_item(index, f, at, -1);
        move_items(index, f, from - out, from, place - from);
        from = place + 1;
        out++;
    }
    for (; next < index->delta_count; next++) delta[next].before -= out;
    move_items(index, f, from - out, from, index->count - from);
    return index->count - out;
}

static void insert_items(const weft_index *index, weft_grid_form f, uint32_t count)
{
    const weft_index_item *delta = weft_index_delta(index);
    for (uint32_t i = index->delta_count; i-- != 0;) {
        uint32_t place = delta[i].before;
        move_items(index, f, place + i + 1, place, count - place);
        weft_grid_write(index, f, place + i, delta[i].at, delta[i].id);
        count_item(index, f, delta[i].at, 1);
        count = place;
    }
}

bool weft_grid_fits(const weft_world *world, uint32_t number)
{
    const weft_index *index = &world->indexes[number];
    size_t rows = weft_index_rows(world, &world->plan->indexes[number]);
    return weft_cells_bounded(index) && !index->left && rows + WEFT_GRID_SIDE <= index->capacity;
}

bool weft_grid_merge(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    const weft_grid_form f = weft_grid_form_of(&world->plan->indexes[number]);
    if (!weft_grid_fits(world, number)) return false;
    if (!weft_cells_clear(world, index, true, index->wide)) return false;
    uint32_t count = drop_items(index, f);
    insert_items(index, f, count);
    index->count = count + index->delta_count;
    weft_index_settled(index);
    return weft_cells_shift(index);
}
