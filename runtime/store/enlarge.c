// Chooses the small pages to replace by a large one next: see enlarge.h.
#include "enlarge.h"

#include "columns.h"

// Finds the next large page of a column, after the rows that already lie in large pages. Returns
// how many rows are needed to fill it.
static uint64_t next_large_page(const weft_table *table, const weft_present *column,
                                unsigned char **page)
{
    const size_t large = WEFT_LARGE_PAGE_BYTES;
    uintptr_t first = (uintptr_t)column->base;
    uintptr_t done = (first + (size_t)table->enlarged * column->size) & ~(large - 1);
    uintptr_t at = weft_round_up(first & ~(WEFT_PAGE_BYTES - 1), large);
    if (at < done) at = done;
    *page = table->rows + (at - (uintptr_t)table->rows);
    return (at + large - first + column->size - 1) / column->size;
}

bool weft_table_enlarge(weft_heap *heap, weft_table *table)
{
    uint64_t least = UINT64_MAX;
    unsigned char *page = NULL;
    if (table->rows_reserved == 0) return false;
    for (uint16_t i = 0; i < table->present_count; i++) {
        unsigned char *at;
        uint64_t rows = next_large_page(table, &table->present[i], &at);
        if (rows >= least) continue;
        least = rows;
        page = at;
    }
    if (least > table->capacity) return false;
    if (weft_heap_enlarge(heap, page)) table->enlarged = (uint32_t)least;
    return true;
}

void weft_tables_grew(weft_tables *tables, weft_heap *heap, weft_table *table)
{
    if (!heap->enlarge || table->rows_reserved == 0 || table->rows_bytes < WEFT_LARGE_TABLE_BYTES) {
        return;
    }
    if (!table->large) {
        if (!weft_array_grow(heap, &tables->large, &tables->large_capacity, tables->large_count + 1,
                             sizeof *tables->large)) {
            return;
        }
        tables->large[tables->large_count++] = table->id;
        table->large = true;
    }
    tables->grown = true;
}

bool weft_tables_enlarge(weft_tables *tables, weft_heap *heap)
{
    for (uint32_t i = 0; heap->enlarge && i < tables->large_count; i++) {
        if (weft_table_enlarge(heap, tables->items[tables->large[i]])) return true;
    }
    return false;
}

bool weft_entities_enlarge(weft_entities *entities, weft_heap *heap)
{
    const size_t large = WEFT_LARGE_PAGE_BYTES;
    const weft_region *records = &entities->records;
    size_t first = (large - (uintptr_t)records->base % large) % large;
    size_t at = first;
    if (entities->enlarged > first) at += (entities->enlarged - first) / large * large;
    if (!heap->enlarge || records->reserved == 0 || at + large > records->bytes) return false;
    if (weft_heap_enlarge(heap, records->base + at)) entities->enlarged = at + large;
    return true;
}
