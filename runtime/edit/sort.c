// Sorts rows by visiting the trees depth by depth.
#include "sort.h"

#include "../store/reorder.h"
#include "../world/report.h"

// The memory for sorting.
typedef struct sorting {
    uint32_t rows;
    uint32_t *order;  // indices of all entities, parents first
    uint32_t *from;   // for each row, table by table, the row that moves there
    uint32_t *starts; // by table id: the start of its rows in `from`; then the next position
    void *scratch;
    size_t scratch_bytes;
} sorting;

static bool memory_opened(weft_world *world, sorting *s)
{
    const uint32_t tables = world->tables.count;
    for (uint32_t i = 0; i < tables; i++) {
        size_t bytes = weft_reorder_bytes(world->tables.items[i]);
        s->rows += world->tables.items[i]->count;
        if (bytes > s->scratch_bytes) s->scratch_bytes = bytes;
    }
    s->order = (uint32_t *)weft_allocate(&world->heap, s->rows * sizeof *s->order);
    s->from = (uint32_t *)weft_allocate(&world->heap, s->rows * sizeof *s->from);
    s->starts = (uint32_t *)weft_allocate(&world->heap, tables * sizeof *s->starts);
    s->scratch = weft_allocate(&world->heap, s->scratch_bytes);
    return s->order && s->from && s->starts && s->scratch;
}

static void memory_closed(weft_world *world, const sorting *s)
{
    weft_free(&world->heap, s->order, s->rows * sizeof *s->order);
    weft_free(&world->heap, s->from, s->rows * sizeof *s->from);
    weft_free(&world->heap, s->starts, world->tables.count * sizeof *s->starts);
    weft_free(&world->heap, s->scratch, s->scratch_bytes);
}

static const weft_node *links_of(const weft_relation *relation, uint32_t index)
{
    static const weft_node none = {0, 0, 0, 0};
    return index < relation->capacity ? &weft_nodes(relation)[index] : &none;
}

// Lists the roots in their order, then the children of each listed entity.
static void list_entities(const weft_world *world, const weft_relation *relation, sorting *s)
{
    weft_format f = world->plan->format;
    uint32_t count = 0;
    for (uint32_t t = 0; t < world->lists.every_table.count; t++) {
        const weft_table *table = world->lists.every_table.tables[t];
        for (uint32_t row = 0; row < table->count; row++) {
            uint32_t index = weft_handle_index(f, weft_handle_load(f, weft_column(table, 0), row));
            if (links_of(relation, index)->parent == 0) s->order[count++] = index;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t child = links_of(relation, s->order[i])->first_child;
        for (; child != 0; child = weft_nodes(relation)[child - 1].next) {
            s->order[count++] = child - 1;
        }
    }
    WEFT_ASSERT(count, ==, s->rows, "an entity is in no tree and no root");
}

// Assigns new positions to the rows of each table.
static void place_rows(const weft_world *world, sorting *s)
{
    uint32_t start = 0;
    for (uint32_t i = 0; i < world->tables.count; i++) {
        s->starts[i] = start;
        start += world->tables.items[i]->count;
    }
    for (uint32_t i = 0; i < s->rows; i++) {
        weft_place at = weft_place_of(&world->entities, world->plan->format, s->order[i]);
        s->from[s->starts[at.table]++] = at.row;
    }
}

bool weft_sort_rows(weft_world *world, weft_table *table, const uint32_t *from, void *scratch)
{
    weft_format f = world->plan->format;
    uint32_t row = 0;
    while (row < table->count && from[row] == row) row++;
    if (row == table->count) return false;
    weft_reorder(world->plan, table, from, scratch);
    for (row = 0; row < table->count; row++) {
        uint64_t handle = weft_handle_load(f, weft_column(table, 0), row);
        weft_record_place(&world->entities, f, handle, table->id, row);
    }
    return true;
}

weft_status weft_relation_sort(weft_world *world, uint32_t relation)
{
    sorting s = {0};
    if (weft_busy(world, "sort" WEFT_WAITS)) return WEFT_BUSY;
    if (weft_entities_live(&world->entities) == 0) return WEFT_OK;
    bool ready = memory_opened(world, &s);
    if (ready) {
        bool moved = false;
        list_entities(world, &world->relations[relation], &s);
        place_rows(world, &s);
        for (uint32_t i = 0, first = 0; i < world->tables.count; i++) {
            weft_table *table = world->tables.items[i];
            moved |= weft_sort_rows(world, table, s.from + first, s.scratch);
            first += table->count;
        }
        if (moved) weft_world_changed(world);
    }
    memory_closed(world, &s);
    if (ready) return WEFT_OK;
    return weft_report(world, WEFT_NO_MEMORY, "no memory to sort rows by relation '%s'",
                       world->plan->schema->relations[relation].name);
}
