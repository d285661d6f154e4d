// Columns: growing on the heap or in a reservation.
#include "columns.h"

#include "layout.h"

static void column_set(weft_table *table, weft_present *present, void *base)
{
    present->base = (unsigned char *)base;
    *weft_column_place(table, present->column) = base;
}

// ------------------------------------------------------------------------------------------------
// Blocks

typedef struct column_block {
    unsigned char *base;
    size_t bytes;    // heap: of the block; reserved: committed
    size_t reserved; // 0: on the heap
    weft_layout layout;
} column_block;

static void block_free(weft_heap *heap, const weft_table *table)
{
    if (table->rows_reserved != 0) {
        weft_release(heap, table->rows, table->rows_reserved, table->rows_bytes);
    } else {
        weft_free(heap, table->rows, table->rows_bytes);
    }
}

// Commits what `rows` rows need beyond `rows_had` in each column of a reservation, and adds its
// bytes to *committed. False: no memory. Columns before the one that failed keep their pages, which
// the next try asks for again.
static bool commit_rows(weft_heap *heap, const weft_table *table, weft_layout l, uint32_t rows_had,
                        uint32_t rows, size_t *committed)
{
    size_t bytes_before = heap->bytes;
    unsigned char *base = (unsigned char *)l.base;
    for (uint16_t i = 0; i < table->present_count; i++) {
        size_t size = table->present[i].size;
        size_t start = weft_layout_next(&l, (uint32_t)size);
        size_t had = rows_had == 0 ? start & ~(WEFT_PAGE_BYTES - 1)
                                   : weft_round_up(start + rows_had * size, WEFT_PAGE_BYTES);
        size_t wanted = weft_round_up(start + rows * size, WEFT_PAGE_BYTES);
        if (!weft_commit(heap, base + had, wanted - had)) {
            heap->bytes = bytes_before;
            return false;
        }
    }
    *committed += heap->bytes - bytes_before;
    return true;
}

// Tells whether columns of so many rows are too large for the heap. In a reservation each takes
// whole pages, so a table of many columns stays on the heap until they fill one each on average.
static bool is_large(const weft_table *table, uint32_t rows)
{
    size_t pages = table->present_count * WEFT_PAGE_BYTES;
    size_t packed = weft_layout_bytes(table, rows, false);
    return packed == 0 || packed > (pages > WEFT_HEAP_BYTES_MAX ? pages : WEFT_HEAP_BYTES_MAX);
}

// Allocates a block on the heap for columns of so many rows. False: no memory.
static bool block_open(weft_heap *heap, const weft_table *table, uint32_t rows, column_block *to)
{
    bool large = is_large(table, rows);
    size_t bytes = weft_layout_bytes(table, rows, large);
    while (!large && weft_blocks_compete(bytes)) bytes += WEFT_LINE_BYTES;
    unsigned char *base = (unsigned char *)weft_allocate(heap, bytes);
    *to = (column_block){base, bytes, 0, {rows, large, 0, 0, 0, 0}};
    return base != NULL;
}

// Moves the columns into another block.
static void move_rows(weft_heap *heap, weft_table *table, column_block to)
{
    uint32_t classes_taken = to.layout.classes;
    for (uint16_t i = 0; i < table->present_count; i++) {
        weft_present *present = &table->present[i];
        unsigned char *base = to.base + weft_layout_next(&to.layout, present->size);
        memcpy(base, present->base, (size_t)table->count * present->size);
        column_set(table, present, base);
    }
#ifdef WEFT_HARD
    if (table->rows) memset(table->rows, WEFT_POISON, table->rows_bytes);
#endif
    block_free(heap, table);
    table->rows = to.base;
    table->rows_bytes = to.bytes;
    table->rows_reserved = to.reserved;
    table->classes_taken = classes_taken;
    table->enlarged = 0;
}

// ------------------------------------------------------------------------------------------------
// Growing

// The rows that a reservation commits when it needs `rows`: WEFT_COMMIT_BYTES_MAX more in all
// columns together, since what is committed takes memory at once.
static uint32_t rows_committed(const weft_plan *plan, const weft_table *table, uint32_t rows)
{
    size_t row_bytes = 0;
    for (uint16_t i = 0; i < table->present_count; i++) row_bytes += table->present[i].size;
    size_t more = WEFT_COMMIT_BYTES_MAX / row_bytes;
    return more < plan->max_entities - rows ? rows + (uint32_t)more : plan->max_entities;
}

// Reserves address space for as many rows as there can be, if so many rows are too large for the
// heap. False: they are not, or there is none.
static bool block_reserve(weft_heap *heap, const weft_plan *plan, const weft_table *table,
                          uint32_t rows, column_block *to)
{
    if (!WEFT_LEAVES_HEAP || !is_large(table, rows)) return false;
    size_t bytes = weft_layout_reserved_bytes(plan, table);
    void *base = weft_reserve(heap, bytes);
    weft_layout layout = weft_layout_reserved(plan, weft_layout_taken(heap, table), base);
    *to = (column_block){(unsigned char *)base, 0, bytes, layout};
    return base != NULL;
}

bool weft_table_grow(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows)
{
    if (rows <= table->capacity) return true;
    if (rows > plan->max_entities) return false;
    uint64_t many = table->capacity == 0 ? WEFT_FIRST_ROWS : (uint64_t)table->capacity * 2;
    if (many < rows) many = rows;
    if (many > plan->max_entities) many = plan->max_entities;
    column_block to;
    bool grown;
    size_t bytes_had = table->rows_reserved != 0 ? table->rows_bytes : 0;
    if (table->rows_reserved != 0) { // a table in its reservation commits some more pages
        rows = rows_committed(plan, table, rows);
        weft_layout l = weft_layout_reserved(plan, table->classes_taken, table->rows);
        grown = weft_bits_grow(heap, plan, table, rows) &&
                commit_rows(heap, table, l, table->capacity, rows, &table->rows_bytes);
    } else if (block_reserve(heap, plan, table, (uint32_t)many, &to)) { // leaves the heap
        grown = weft_bits_grow(heap, plan, table, rows) &&
                commit_rows(heap, table, to.layout, 0, rows, &to.bytes);
        if (grown) move_rows(heap, table, to);
        if (!grown) weft_release(heap, to.base, to.reserved, 0);
    } else { // stays on the heap, and doubles
        rows = (uint32_t)many;
        grown = weft_bits_grow(heap, plan, table, rows) && block_open(heap, table, rows, &to);
        if (grown) move_rows(heap, table, to);
    }
    if (!grown) return false;
    table->capacity = rows;
    if (table->rows_reserved != 0 && table->rows_bytes - bytes_had >= WEFT_LARGE_TABLE_BYTES) {
        table->enlarged = rows; // these came in large pages
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Trimming

// Columns of a table without memory for rows point here: they are there, with nothing to read.
static const _Alignas(64) unsigned char no_rows[64];

void weft_columns_empty(weft_table *table)
{
    for (uint16_t i = 0; i < table->present_count; i++) {
        column_set(table, &table->present[i], (void *)(uintptr_t)no_rows);
    }
}

static void free_rows(weft_heap *heap, weft_table *table)
{
    block_free(heap, table);
    weft_columns_empty(table);
    table->rows = NULL;
    table->rows_bytes = table->rows_reserved = 0;
    table->capacity = table->capacity_kept = table->enlarged = 0;
}

// Decommits what the columns of a reservation have beyond the rows there are, unless the hooks of
// the game cannot.
static void decommit_rows(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    size_t bytes_before = heap->bytes;
    weft_layout l = weft_layout_reserved(plan, table->classes_taken, table->rows);
    for (uint16_t i = 0; i < table->present_count; i++) {
        size_t size = table->present[i].size;
        size_t start = weft_layout_next(&l, (uint32_t)size);
        size_t kept = weft_round_up(start + table->count * size, WEFT_PAGE_BYTES);
        size_t had = weft_round_up(start + table->capacity * size, WEFT_PAGE_BYTES);
        if (!weft_decommit(heap, table->rows + kept, had - kept)) return;
    }
    table->rows_bytes -= bytes_before - heap->bytes;
    table->capacity = table->count;
    if (table->enlarged > table->count) table->enlarged = table->count;
}

static bool trim_rows(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    bool reserved = table->rows_reserved != 0;
    bool large = is_large(table, table->count);
    bool moves =
        !(reserved ? large : weft_layout_bytes(table, table->count, large) >= table->rows_bytes);
    column_block to;
    if (table->count == 0) {
        free_rows(heap, table);
        return true;
    }
    bool moved = moves && block_open(heap, table, table->count, &to);
    if (moved) {
        move_rows(heap, table, to);
        table->capacity = table->count;
    } else if (reserved) {
        decommit_rows(heap, plan, table);
    }
    return moved || !moves;
}

bool weft_table_trim(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    for (uint16_t i = 0; table->sparse_rows && i < plan->sparse_count; i++) {
        weft_region_free(heap, &table->sparse_rows[i].entries);
        table->sparse_rows[i].base = NULL;
    }
    bool trimmed = trim_rows(heap, plan, table);
    return weft_bits_trim(heap, plan, table, table->capacity) && trimmed;
}

// ------------------------------------------------------------------------------------------------
// Closing

void weft_table_close(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        weft_region_free(heap, &table->bitset_memory[table->bitsets[i] - plan->first_bitset]);
    }
    for (uint16_t i = 0; table->sparse_rows && i < plan->sparse_count; i++) {
        weft_region_free(heap, &table->sparse_rows[i].entries);
    }
    weft_free(heap, table->bits, table->bits_bytes);
    weft_change_bits_free(heap, &table->change_bits);
    block_free(heap, table);
    weft_free(heap, table, table->bytes);
}

#ifdef WEFT_HARD
void weft_table_relocate(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        weft_region *memory = &table->bitset_memory[table->bitsets[i] - plan->first_bitset];
        weft_region_relocate(heap, memory);
        *weft_column_place(table, table->bitsets[i]) = memory->base;
    }
    for (uint16_t i = 0; table->sparse_rows && i < plan->sparse_count; i++) {
        weft_region_relocate(heap, &table->sparse_rows[i].entries);
    }
    weft_region_relocate(heap, &table->change_bits.words);
    weft_region_relocate(heap, &table->change_bits.summaries);
    column_block to;
    uint32_t capacity = table->capacity + table->capacity_kept; // one of them is 0
    if (!table->rows || !block_open(heap, table, capacity, &to)) return;
    memset(to.base, WEFT_POISON, to.bytes);
    move_rows(heap, table, to);
}
#endif
