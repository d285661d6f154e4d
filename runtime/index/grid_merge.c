// Merges delta into the base of a bounded grid, in place and in one pass. The items between two
// insertions or removals move together, by the number of insertions before them minus the number of
// removals. The change of each cell's count is stored in the cells of delta, which are no longer
// needed, and added up along each row.
#include "grid_merge.h"

#include "grid.h"

// Counts an item that is added to a cell (1) or removed (-1), wrapping.
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

// Items between two insertions or removals. The memory of index->order stores the stretches.
typedef struct stretch {
    uint32_t from;
    uint32_t end;
    int64_t by; // distance that they move
} stretch;

static void move_stretch(const weft_index *index, weft_grid_form f, stretch r)
{
    const size_t bytes = weft_grid_number_bytes(f);
    const size_t to = (size_t)(r.from + r.by);
    unsigned char *ids = weft_grid_ids(index, f);
    for (uint32_t i = 0; i < f.dimensions; i++) {
        unsigned char *axis = weft_grid_axis(index, f, i);
        memmove(axis + to * bytes, axis + r.from * bytes, (r.end - r.from) * bytes);
    }
    memmove(ids + to * f.id_bytes, ids + (size_t)r.from * f.id_bytes,
            (size_t)(r.end - r.from) * f.id_bytes);
}

// Lists the places of moved items, with space for one more, and returns their number. Usually none
// of eight items has moved. If one has, the loop does not branch on which, because no processor
// could predict it.
WEFT_ALWAYS_INLINE uint32_t list_moved(const weft_index *index, weft_grid_form f, uint32_t id_bytes,
                                       uint32_t *places)
{
    const uint64_t *moved = (const uint64_t *)(const void *)index->moved.base;
    const unsigned char *ids = weft_grid_ids(index, f);
    const uint32_t count = index->count;
    uint32_t found = 0;
    for (uint32_t first = 0; first < count; first += 8, ids += (size_t)8 * id_bytes) {
        const uint32_t some = count - first < 8 ? count - first : 8;
        uint64_t any = 0;
        for (uint32_t i = 0; i < some; i++) {
            const uint32_t id = weft_id_read(ids + i * id_bytes, id_bytes);
            any |= moved[id / 64] >> (id % 64);
        }
        if ((any & 1u) == 0) continue;
        for (uint32_t axis = 0; axis < f.dimensions; axis++)
            WEFT_PREFETCH(weft_grid_axis(index, f, axis) + first * weft_grid_number_bytes(f));
        for (uint32_t i = 0; i < some; i++) {
            const uint32_t id = weft_id_read(ids + i * id_bytes, id_bytes);
            places[found] = first + i;
            found += (uint32_t)(moved[id / 64] >> (id % 64)) & 1u;
        }
    }
    return found;
}

// Lists the stretches that move, sets the places of delta items, and updates the count of base.
// `places` lists the removed items. Returns the number of stretches.
static uint32_t list_stretches(weft_index *index, weft_grid_form f, const uint32_t *places,
                               uint32_t gone, stretch *stretches)
{
    weft_index_item *delta = (weft_index_item *)(void *)index->delta.base;
    stretch r = {0, 0, 0};
    uint32_t count = 0;
    uint32_t next = 0;
    for (uint32_t i = 0; i <= gone; i++) {
        double at[3];
        const uint32_t place = i < gone ? places[i] : index->count;
        for (; next < index->delta_count && delta[next].before <= place; next++) {
            r.end = delta[next].before;
            if (r.end != r.from && r.by != 0) stretches[count++] = r;
            delta[next].before = (uint32_t)(r.end + r.by++);
            r.from = r.end;
        }
        r.end = place;
        if (r.end != r.from && r.by != 0) stretches[count++] = r;
        if (i == gone) break;
        weft_grid_point(index, f, place, at);
        count_item(index, f, at, -1);
        r.from = place + 1;
        r.by--;
    }
    index->count = (uint32_t)(index->count + r.by);
    return count;
}

// Moves the stretches in an order in which none overwrites another that has not moved yet: adjacent
// stretches that move forwards are moved from the last to the first.
static void move_stretches(const weft_index *index, weft_grid_form f, const stretch *stretches,
                           uint32_t count)
{
    for (uint32_t from = 0, end; from < count; from = end) {
        end = from + 1;
        while (end < count && stretches[from].by > 0 && stretches[end].by > 0) end++;
        for (uint32_t i = end; i-- != from;) move_stretch(index, f, stretches[i]);
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
    const size_t most = (size_t)index->moved_count + index->delta_count + 1;
    const size_t space = most + index->moved_count / 4 + 1; // includes the places
    if (!weft_cells_clear(world, index, true, index->wide) ||
        !weft_index_space(world, &index->order, space, sizeof(stretch))) {
        return false;
    }
    stretch *stretches = (stretch *)(void *)index->order.base;
    uint32_t *places = (uint32_t *)(void *)(stretches + most);
    const uint32_t gone =
        f.id_bytes == 3 ? list_moved(index, f, 3, places) : list_moved(index, f, 4, places);
    move_stretches(index, f, stretches, list_stretches(index, f, places, gone, stretches));
    for (uint32_t i = 0; i < index->delta_count; i++) {
        const weft_index_item *item = weft_index_delta(index) + i;
        weft_grid_write(index, f, item->before, item->at, item->id);
        count_item(index, f, item->at, 1);
    }
    weft_index_settled(index);
    return weft_cells_shift(index);
}
