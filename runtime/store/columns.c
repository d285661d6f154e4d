// Columns: growing on the heap or in a reservation.
#include "columns.h"

#include "layout.h"
#include "shelves.h"

static void column_set(weft_table *table, weft_present *present, void *base)
{
    present->base = (unsigned char *)base;
    *weft_column_place(table, present->column) = base;
}

// ------------------------------------------------------------------------------------------------
// Blocks

typedef struct column_block {
    unsigned char *base;
    size_t bytes;    // heap: size of the block; reserved: committed bytes
    size_t reserved; // 0: on the heap
    weft_layout layout;
} column_block;

static void block_free(weft_heap *heap, const weft_table *table)
{
    if (!table->rows) return;
    if (table->rows_reserved != 0) {
        weft_release_space(
            heap, (weft_space){table->rows, table->rows_reserved, table->rows_bytes, false});
    } else {
        weft_free(heap, table->rows, table->rows_bytes);
    }
}

// Updates what core files contain of a column, by the rows of the table.
static void column_in_cores(const weft_heap *heap, const weft_plan *plan, unsigned char *column,
                            size_t size, uint32_t rows_had, uint32_t rows)
{
    size_t stagger = (uintptr_t)column % WEFT_PAGE_BYTES;
    unsigned char *page = column - stagger;
    size_t space = weft_round_up(stagger + plan->max_entities * size, WEFT_PAGE_BYTES);
    size_t had = rows_had == 0 ? 0 : weft_round_up(stagger + rows_had * size, WEFT_PAGE_BYTES);
    weft_core_has(heap, page, space, had, weft_round_up(stagger + rows * size, WEFT_PAGE_BYTES));
}

// Commits memory for `rows` rows instead of `rows_had` in each column of a reservation, and adds
// the committed bytes to *committed. Returns false if there is no memory. Columns before the failed
// one keep their pages, and the next attempt commits them again.
static bool commit_rows(weft_heap *heap, const weft_plan *plan, const weft_table *table,
                        weft_layout l, uint32_t rows_had, uint32_t rows, size_t *committed)
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
        column_in_cores(heap, plan, base + start, size, rows_had, rows);
    }
    *committed += heap->bytes - bytes_before;
    return true;
}

// Describes a heap block for columns of `rows` rows, without allocating it. layout.paged is set if
// it is too large for the heap. In a reservation each column takes whole pages, so a table of many
// columns stays on the heap until its columns fill a page each on average.
static column_block block_of(const weft_table *table, uint32_t rows)
{
    size_t pages = table->present_count * WEFT_PAGE_BYTES;
    size_t bytes = weft_layout_bytes(table, rows, false);
    bool large = bytes == 0 || bytes > (pages > WEFT_HEAP_BYTES_MAX ? pages : WEFT_HEAP_BYTES_MAX);
    if (large) bytes = weft_layout_bytes(table, rows, true);
    return (column_block){.bytes = bytes, .layout = {.rows = rows, .paged = large}};
}

// Allocates such a block. Returns false if there is no memory.
static bool block_open(weft_heap *heap, column_block *to)
{
    while (!to->layout.paged && weft_blocks_compete(to->bytes)) to->bytes += WEFT_LINE_BYTES;
    to->base = (unsigned char *)weft_allocate(heap, to->bytes);
    return to->base != NULL;
}

// ------------------------------------------------------------------------------------------------
// Slots on shelves

static uint32_t class_held(const weft_table *table)
{
    return weft_slot_class(table->capacity + table->capacity_kept); // one of them is 0
}

static void slot_leave(const weft_table *table, const weft_present *present)
{
    if (!weft_table_on_shelves(table)) return;
#ifdef WEFT_HARD
    memset(present->base, WEFT_POISON, weft_slot_bytes(class_held(table), present->size));
#endif
    weft_slot_give(table->shelves, present->column, class_held(table), present->base);
}

// Takes a slot for each column. Returns the slot of the last column; each slot begins with the
// address of the one before. Returns NULL, taking no slot, if there is no memory.
static void *slots_take(weft_heap *heap, const weft_table *table, uint32_t slot_class)
{
    void *last = NULL;
    for (uint16_t i = 0; i < table->present_count; i++) {
        weft_present present = table->present[i];
        void *slot = weft_slot_take(heap, table->shelves, present.column, present.size, slot_class);
        while (!slot && i-- > 0) {
            void *taken = last;
            memcpy(&last, taken, sizeof last);
            weft_slot_give(table->shelves, table->present[i].column, slot_class, taken);
        }
        if (!slot) return NULL;
        memcpy(slot, &last, sizeof last);
        last = slot;
    }
    return last;
}

// Gives back slots from slots_take.
static void slots_return(const weft_table *table, void *last, uint32_t slot_class)
{
    for (uint16_t i = table->present_count; i-- > 0;) {
        void *slot = last;
        memcpy(&last, slot, sizeof last);
        weft_slot_give(table->shelves, table->present[i].column, slot_class, slot);
    }
}

static uint32_t slot_rows(const weft_plan *plan, uint32_t slot_class)
{
    uint32_t rows = weft_slot_rows(slot_class);
    return rows < plan->max_entities ? rows : plan->max_entities;
}

static void column_move(weft_table *table, weft_present *present, void *to)
{
    if (table->count != 0) memcpy(to, present->base, (size_t)table->count * present->size);
    column_set(table, present, to);
}

// Moves the columns into slots. With `give`, their old slots become free.
static void move_to_slots(weft_heap *heap, weft_table *table, void *last, uint32_t slot_class,
                          bool give)
{
    size_t bytes = 0;
    for (uint16_t i = table->present_count; i-- > 0;) {
        weft_present was = table->present[i];
        void *slot = last;
        memcpy(&last, slot, sizeof last);
        column_move(table, &table->present[i], slot);
        if (give) slot_leave(table, &was);
#ifdef WEFT_HARD
        if (!give) memset(was.base, WEFT_POISON, weft_slot_bytes(class_held(table), was.size));
#endif
        bytes += weft_slot_bytes(slot_class, was.size);
    }
    block_free(heap, table);
    table->rows = NULL;
    table->rows_bytes = bytes;
    table->rows_reserved = 0;
    table->enlarged = 0;
}

// Moves the columns into another block.
static void move_rows(weft_heap *heap, weft_table *table, column_block to)
{
    uint32_t classes_taken = to.layout.classes;
    for (uint16_t i = 0; i < table->present_count; i++) {
        weft_present *present = &table->present[i];
        weft_present was = *present;
        column_move(table, present, to.base + weft_layout_next(&to.layout, present->size));
        slot_leave(table, &was);
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

// Returns how many rows a reservation commits when it needs `rows`: WEFT_COMMIT_BYTES_MAX more in
// all columns together, because committed pages use memory at once.
static uint32_t rows_committed(const weft_plan *plan, const weft_table *table, uint32_t rows)
{
    size_t row_bytes = 0;
    for (uint16_t i = 0; i < table->present_count; i++) row_bytes += table->present[i].size;
    size_t more = WEFT_COMMIT_BYTES_MAX / row_bytes;
    return more < plan->max_entities - rows ? rows + (uint32_t)more : plan->max_entities;
}

// Reserves address space for max_entities rows, instead of a block that is too large for the heap.
// Returns false if the block is not too large or there is no address space.
static bool block_reserve(weft_heap *heap, const weft_plan *plan, const weft_table *table,
                          column_block *to)
{
    if (!WEFT_LEAVES_HEAP || !to->layout.paged) return false;
    size_t bytes = weft_layout_reserved_bytes(plan, table);
    void *base = weft_reserve_any(heap, bytes); // no row is read before it is written
    weft_layout layout = weft_layout_reserved(plan, weft_layout_taken(heap, table), base);
    if (base) *to = (column_block){(unsigned char *)base, 0, bytes, layout};
    return base != NULL;
}

bool weft_table_grow(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows)
{
    if (rows <= table->capacity) return true;
    if (rows > plan->max_entities) return false;
    uint64_t many = table->capacity == 0 ? WEFT_FIRST_ROWS : (uint64_t)table->capacity * 2;
    if (table->shelves && weft_slot_class(rows) != WEFT_SLOT_CLASSES) many = rows;
    if (many < rows) many = rows;
    if (many > plan->max_entities) many = plan->max_entities;
    column_block to = block_of(table, (uint32_t)many);
    uint32_t slot_class = table->shelves ? weft_slot_class((uint32_t)many) : WEFT_SLOT_CLASSES;
    void *slots = NULL;
    bool grown;
    size_t bytes_had = table->rows_reserved != 0 ? table->rows_bytes : 0;
    if (table->rows_reserved != 0) { // a table in a reservation commits a few more pages
        rows = rows_committed(plan, table, rows);
        weft_layout l = weft_layout_reserved(plan, table->classes_taken, table->rows);
        grown = weft_bits_grow(heap, plan, table, rows) &&
                commit_rows(heap, plan, table, l, table->capacity, rows, &table->rows_bytes);
    } else if (block_reserve(heap, plan, table, &to)) { // it leaves the heap
        grown = weft_bits_grow(heap, plan, table, rows) &&
                commit_rows(heap, plan, table, to.layout, 0, rows, &to.bytes);
        if (!grown) weft_release(heap, to.base, to.reserved, 0);
    } else if (slot_class != WEFT_SLOT_CLASSES) {
        rows = slot_rows(plan, slot_class);
        slots = slots_take(heap, table, slot_class);
        grown = slots && weft_bits_grow(heap, plan, table, rows);
        if (slots && !grown) slots_return(table, slots, slot_class);
    } else { // it stays on the heap, and doubles
        rows = (uint32_t)many;
        grown = weft_bits_grow(heap, plan, table, rows) && block_open(heap, &to);
    }
    if (!grown) return false;
    if (to.base) move_rows(heap, table, to);
    if (slots) move_to_slots(heap, table, slots, slot_class, true);
    table->capacity = rows;
    size_t more = table->rows_reserved != 0 ? table->rows_bytes - bytes_had : 0;
    if (more >= WEFT_LARGE_TABLE_BYTES) table->enlarged = rows; // these came in large pages
    return true;
}

// ------------------------------------------------------------------------------------------------
// Trimming

// Columns of a table without memory for rows point here: a valid pointer with nothing to read.
static const _Alignas(64) unsigned char no_rows[64];

void weft_columns_empty(weft_table *table)
{
    for (uint16_t i = 0; i < table->present_count; i++) {
        column_set(table, &table->present[i], (void *)(uintptr_t)no_rows);
    }
}

static void free_rows(weft_heap *heap, weft_table *table)
{
    for (uint16_t i = 0; i < table->present_count; i++) slot_leave(table, &table->present[i]);
    block_free(heap, table);
    weft_columns_empty(table);
    table->rows = NULL;
    table->rows_bytes = table->rows_reserved = 0;
    table->capacity = table->capacity_kept = table->enlarged = 0;
}

// Decommits the memory of a reservation's columns after the last row. Does nothing if the game's
// hooks cannot decommit.
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
        column_in_cores(heap, plan, table->rows + start, size, table->capacity, table->count);
    }
    table->rows_bytes -= bytes_before - heap->bytes;
    table->capacity = table->count;
    if (table->enlarged > table->count) table->enlarged = table->count;
}

// Returns resident pages between the columns to the system. A kept reservation may have such pages
// from an earlier state.
static void drop_rest(weft_heap *heap, const weft_plan *plan, const weft_table *table)
{
    weft_layout l = weft_layout_reserved(plan, table->classes_taken, table->rows);
    size_t from = 0;
    for (uint16_t i = 0; i < table->present_count; i++) {
        size_t size = table->present[i].size;
        size_t start = weft_layout_next(&l, (uint32_t)size);
        size_t end = start & ~(WEFT_PAGE_BYTES - 1);
        if (end > from) weft_drop_rest(heap, table->rows + from, end - from);
        from = weft_round_up(start + table->capacity * size, WEFT_PAGE_BYTES);
    }
    size_t end = weft_round_up(table->rows_reserved, WEFT_PAGE_BYTES);
    if (end > from) weft_drop_rest(heap, table->rows + from, end - from);
}

static uint32_t class_wanted(const weft_table *table, bool trim)
{
    return trim ? weft_slot_class(table->count) : class_held(table);
}

void weft_table_announce(weft_heap *heap, weft_table *table, struct weft_shelves *to, bool trim)
{
    if (!weft_table_on_shelves(table)) return;
    if (trim && table->count == 0) {
        free_rows(heap, table);
        return;
    }
    for (uint16_t i = 0; i < table->present_count; i++) {
        weft_present present = table->present[i];
        weft_slot_announce(to, present.column, present.size, class_wanted(table, trim));
    }
}

void weft_table_repack(weft_heap *heap, const weft_plan *plan, weft_table *table, bool trim)
{
    if (!weft_table_on_shelves(table)) return;
    uint32_t slot_class = class_wanted(table, trim);
    void *slots = slots_take(heap, table, slot_class);
    WEFT_ASSERT(slots != NULL, ==, true, "a slot was not announced");
    move_to_slots(heap, table, slots, slot_class, false);
    if (trim) table->capacity = slot_rows(plan, slot_class);
}

static bool trim_rows(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    bool reserved = table->rows_reserved != 0;
    column_block to = block_of(table, table->count);
    bool moves = !(reserved ? to.layout.paged : to.bytes >= table->rows_bytes);
    if (table->count == 0) {
        free_rows(heap, table);
        return true;
    }
    if (weft_table_on_shelves(table)) return true; // weft_tables_repack moves it
    bool moved = moves && block_open(heap, &to);
    if (moved) move_rows(heap, table, to);
    if (moved) table->capacity = table->count;
    if (!moved && reserved) drop_rest(heap, plan, table);
    if (!moved && reserved) decommit_rows(heap, plan, table);
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
    for (uint16_t i = 0; i < table->present_count; i++) slot_leave(table, &table->present[i]);
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
    column_block to = block_of(table, table->capacity + table->capacity_kept); // one of them is 0
    if (!table->rows || !block_open(heap, &to)) return;
    memset(to.base, WEFT_POISON, to.bytes);
    move_rows(heap, table, to);
}
#endif
