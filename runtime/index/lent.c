// Lent rows are those that are still marked in the incoming change set after a turn of the index.
#include "lent.h"

#include "../record/loans.h"
#include "point.h"
#include "sorted.h"

// The value that determines the place of a row in an index: its key, or its coordinates as bits.
typedef struct lent_value {
    const weft_table *table;
    uint32_t row;
    uint64_t words[3];
} lent_value;

static const weft_watch_plan *watch_of(const weft_world *world, uint32_t number)
{
    return &world->plan->readers[world->plan->indexes[number].reader].watches[0];
}

static lent_value read_value(const weft_world *world, const weft_points *points, uint32_t row)
{
    lent_value value = {.table = points->table, .row = row};
    double at[3] = {0};
    if (points->plan->kind == WEFT_INDEX_GRID) {
        weft_point_read(points, points->plan->field_count, points->f32, row, at);
        memcpy(value.words, at, sizeof at);
    } else {
        value.words[0] = weft_sorted_key(world, points->plan, points->table, row);
    }
    return value;
}

static weft_points points_of(const weft_world *world, uint32_t number, const weft_table *table)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    weft_points points = {.world = world, .plan = plan, .table = table};
    if (plan->kind == WEFT_INDEX_GRID) points = weft_points_of(world, plan, table);
    return points;
}

void weft_index_pass_over(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    const lent_value *values = (const lent_value *)(const void *)index->lent.base;
    const uint16_t unseen = watch_of(world, number)->unseen;
    weft_points points = {.table = NULL};
    if (world->loans.version != weft_version(world) || index->lent_in != weft_version(world)) {
        index->lent_count = 0;
    }
    for (uint32_t i = 0; i < index->lent_count; i++) {
        const weft_table *table = values[i].table;
        uint32_t slot = table->change_bits.slots[unseen];
        if (!weft_marked(&table->change_bits, slot, values[i].row)) continue;
        if (points.table != table) points = points_of(world, number, table);
        lent_value now = read_value(world, &points, values[i].row);
        bool same = memcmp(now.words, values[i].words, sizeof now.words) == 0;
        if (same) weft_unmark(&table->change_bits, slot, values[i].row);
    }
}

void weft_index_restore(weft_world *world, uint32_t number)
{
    const weft_index *index = &world->indexes[number];
    const lent_value *values = (const lent_value *)(const void *)index->lent.base;
    const weft_watch_plan *watch = watch_of(world, number);
    for (uint32_t i = 0; watch->unseen == watch->incoming && i < index->lent_count; i++) {
        const lent_value *one = &values[i];
        if (!weft_mark_stays(world, one->table, one->row, watch->incoming)) continue;
        weft_row_mark(one->table, one->row, watch->incoming);
    }
}

// Returns the lent rows among 64 rows that the index may contain.
static uint64_t lent_rows(const weft_world *world, uint32_t number, const weft_table *table,
                          uint32_t first)
{
    uint64_t marked =
        weft_change_words(&table->change_bits, watch_of(world, number)->incoming, first / 64)
            .words[0];
    if (marked == 0) return 0;
    return marked & weft_index_passing(&world->plan->indexes[number], table, first);
}

// Stores the values of the lent rows of a table. Returns false if there is no memory.
static bool keep_table(weft_world *world, uint32_t number, const weft_table *table)
{
    weft_index *index = &world->indexes[number];
    weft_points points = points_of(world, number, table);
    for (uint32_t first = 0; first < table->count; first += 64) {
        uint64_t rows = lent_rows(world, number, table, first);
        size_t count = (size_t)index->lent_count + weft_bits_count(&rows, 1);
        if (rows == 0) continue;
        if (!weft_index_space(world, &index->lent, count, sizeof(lent_value))) return false;
        lent_value *values = (lent_value *)(void *)index->lent.base;
        while (rows != 0) {
            uint32_t row = first + weft_bits_pop(&rows);
            values[index->lent_count++] = read_value(world, &points, row);
        }
    }
    return true;
}

void weft_index_keep_lent(weft_world *world, uint32_t number)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    weft_index *index = &world->indexes[number];
    index->lent_count = 0;
    index->lent_in = weft_version(world);
    if (world->loans.version != weft_version(world)) return;
    for (uint32_t t = 0; t < world->lists.every_table.count; t++) {
        const weft_table *table = world->lists.every_table.tables[t];
        const uint16_t incoming = watch_of(world, number)->incoming;
        if (!weft_marked_any(&table->change_bits, incoming, table->count)) continue;
        if (!world->plan->queries[plan->query].matches(table)) continue;
        if (keep_table(world, number, table)) continue;
        index->lent_count = 0;
        return;
    }
}
