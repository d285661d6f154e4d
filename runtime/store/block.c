// The memory of a table's columns: a block on the heap that is copied to grow, and past some size a
// reservation with room for all rows there can be, of which pages are taken.
#include "columns.h"

// ------------------------------------------------------------------------------------------------
// Where columns lie

// Lays columns of `rows` rows one after the other, packed or each on pages of its own.
typedef struct layout {
    uint32_t rows;
    bool paged;
    uint32_t columns; // laid so far
    size_t bytes;     // that they take
} layout;

// Where the next column starts, in bytes from the start of the block.
static size_t layout_next(layout *l, uint32_t size)
{
    size_t length = (size_t)l->rows * size;
    size_t start = l->bytes;
    if (l->paged) {
        start += l->columns * WEFT_STAGGER_BYTES % WEFT_PAGE_BYTES;
        l->bytes = weft_round_up(start + length, WEFT_PAGE_BYTES);
    } else {
        bool far = length >= WEFT_PAGE_BYTES / 2; // else the next one shares most of its page
        l->bytes = weft_round_up(start + length, WEFT_LINE_BYTES) + (far ? WEFT_STAGGER_BYTES : 0);
    }
    l->columns++;
    return start;
}

// Bytes of a block; 0 if they are more than can be addressed.
static size_t layout_bytes(const weft_table *table, uint32_t rows, bool paged)
{
    const size_t bytes_max = SIZE_MAX / 2; // far enough from the end for what lies between columns
    layout l = {rows, paged, 0, 0};
    for (uint16_t i = 0; i < table->present_count; i++) {
        uint32_t size = table->present[i].size;
        if (l.bytes > bytes_max || (uint64_t)rows * size > bytes_max - l.bytes) return 0;
        layout_next(&l, size);
    }
    return l.bytes;
}

// ------------------------------------------------------------------------------------------------
// Blocks

typedef struct block {
    unsigned char *base;
    size_t bytes;    // heap: of the block; reserved: committed
    size_t reserved; // 0: on the heap
    layout layout;
} block;

void weft_block_free(weft_heap *heap, const weft_table *table)
{
    if (table->rows_reserved != 0) {
        weft_release(heap, table->rows, table->rows_reserved, table->rows_bytes);
    } else {
        weft_free(heap, table->rows, table->rows_bytes);
    }
}

// Commits what `rows` rows need beyond `rows_had` in each column of a reservation. False: no
// memory. Columns before the one that failed keep their pages, which the next try asks for again.
static bool commit_rows(weft_heap *heap, const weft_plan *plan, const weft_table *table,
                        unsigned char *base, uint32_t rows_had, uint32_t rows)
{
    size_t bytes_before = heap->bytes;
    layout l = {plan->max_entities, true, 0, 0};
    for (uint16_t i = 0; i < table->present_count; i++) {
        size_t size = table->present[i].size;
        size_t span = l.bytes;
        size_t start = layout_next(&l, (uint32_t)size);
        size_t had = rows_had == 0 ? span : weft_round_up(start + rows_had * size, WEFT_PAGE_BYTES);
        size_t wanted = weft_round_up(start + rows * size, WEFT_PAGE_BYTES);
        if (!weft_commit(heap, base + had, wanted - had)) {
            heap->bytes = bytes_before;
            return false;
        }
    }
    return true;
}

// Whether columns of so many rows are too large for the heap. In a reservation each takes whole
// pages, so a table of many columns stays until they fill one on average.
static bool is_large(const weft_table *table, uint32_t rows)
{
    size_t pages = table->present_count * WEFT_PAGE_BYTES;
    size_t packed = layout_bytes(table, rows, false);
    return packed == 0 || packed > (pages > WEFT_HEAP_BYTES_MAX ? pages : WEFT_HEAP_BYTES_MAX);
}

// Memory on the heap for columns of so many rows. False: there is none.
static bool block_open(weft_heap *heap, const weft_table *table, uint32_t rows, block *to)
{
    bool large = is_large(table, rows);
    size_t bytes = layout_bytes(table, rows, large);
    *to = (block){(unsigned char *)weft_allocate(heap, bytes), bytes, 0, {rows, large, 0, 0}};
    return to->base != NULL;
}

// Puts the columns into another block.
static void move_rows(weft_heap *heap, weft_table *table, block to)
{
    for (uint16_t i = 0; i < table->present_count; i++) {
        weft_present *present = &table->present[i];
        unsigned char *base = to.base + layout_next(&to.layout, present->size);
        memcpy(base, present->base, (size_t)table->count * present->size);
        weft_column_put(table, present, base);
    }
#ifdef WEFT_HARD
    if (table->rows) memset(table->rows, WEFT_POISON, table->rows_bytes);
#endif
    weft_block_free(heap, table);
    table->rows = to.base;
    table->rows_bytes = to.bytes;
    table->rows_reserved = to.reserved;
}

// ------------------------------------------------------------------------------------------------
// Growing

static uint32_t capped(const weft_plan *plan, uint64_t rows)
{
    return rows < plan->max_entities ? (uint32_t)rows : plan->max_entities;
}

// How many rows a reservation makes usable for `rows`: some more, of WEFT_COMMIT_BYTES_MAX in all
// columns, since what is committed takes memory at once.
static uint32_t rows_committed(const weft_plan *plan, const weft_table *table, uint32_t rows)
{
    size_t row_bytes = 0;
    for (uint16_t i = 0; i < table->present_count; i++) row_bytes += table->present[i].size;
    return capped(plan, (uint64_t)rows + WEFT_COMMIT_BYTES_MAX / row_bytes);
}

static bool grow_reserved(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows)
{
    if (!weft_bits_grow(heap, plan, table, rows)) return false;
    size_t bytes_before = heap->bytes;
    if (!commit_rows(heap, plan, table, table->rows, table->capacity, rows)) return false;
    table->rows_bytes += heap->bytes - bytes_before;
    table->capacity = rows;
    return true;
}

static bool grow_into_reservation(weft_heap *heap, const weft_plan *plan, weft_table *table,
                                  unsigned char *base, size_t reserved, uint32_t rows)
{
    bool bits = weft_bits_grow(heap, plan, table, rows);
    size_t bytes_before = heap->bytes;
    if (!bits || !commit_rows(heap, plan, table, base, 0, rows)) {
        weft_release(heap, base, reserved, 0);
        return false;
    }
    size_t bytes = heap->bytes - bytes_before;
    move_rows(heap, table, (block){base, bytes, reserved, {plan->max_entities, true, 0, 0}});
    table->capacity = rows;
    return true;
}

static bool grow_heap(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows)
{
    block to;
    if (!weft_bits_grow(heap, plan, table, rows) || !block_open(heap, table, rows, &to))
        return false;
    move_rows(heap, table, to);
    table->capacity = rows;
    return true;
}

// Address space for as many rows as there can be, for a table too large for the heap. NULL: there
// is none, or the table is not so large.
static unsigned char *leave_heap(weft_heap *heap, const weft_plan *plan, const weft_table *table,
                                 uint32_t rows, size_t *reserved)
{
    if (!WEFT_LEAVES_HEAP || !is_large(table, rows)) return NULL;
    *reserved = layout_bytes(table, plan->max_entities, true);
    return (unsigned char *)weft_reserve(heap, *reserved);
}

bool weft_table_grow(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows)
{
    if (rows <= table->capacity) return true;
    if (rows > plan->max_entities) return false;
    uint32_t few = rows_committed(plan, table, rows);
    if (table->rows_reserved != 0) return grow_reserved(heap, plan, table, few);
    uint64_t ahead = table->capacity == 0 ? WEFT_FIRST_ROWS : (uint64_t)table->capacity * 2;
    uint32_t many = capped(plan, ahead > rows ? ahead : rows);
    size_t reserved;
    unsigned char *base = leave_heap(heap, plan, table, many, &reserved);
    if (base) return grow_into_reservation(heap, plan, table, base, reserved, rows);
    return grow_heap(heap, plan, table, many);
}

#ifdef WEFT_HARD
void weft_block_shake(weft_heap *heap, weft_table *table)
{
    block to;
    if (!table->rows || !block_open(heap, table, table->capacity, &to)) return;
    memset(to.base, WEFT_POISON, to.bytes);
    move_rows(heap, table, to);
}
#endif
