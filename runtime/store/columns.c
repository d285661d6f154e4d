// The memory of a table's columns: a block on the heap that is copied to grow, and past some size a
// reservation with room for all rows there can be, of which pages are taken.
#include "columns.h"

// Lets a column lie somewhere else.
static void column_put(weft_table *table, weft_present *present, void *base)
{
    present->base = (unsigned char *)base;
    weft_columns(table)[present->column] = base;
}

// ------------------------------------------------------------------------------------------------
// Where columns lie

// Lays columns of `rows` rows one after the other, packed or each on pages of its own.
typedef struct column_layout {
    uint32_t rows;
    bool paged;
    uint32_t columns; // laid so far
    size_t bytes;     // that they take
} column_layout;

// Where the next column starts, in bytes from the start of the block.
static size_t layout_next(column_layout *l, uint32_t size)
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
    column_layout l = {rows, paged, 0, 0};
    for (uint16_t i = 0; i < table->present_count; i++) {
        uint32_t size = table->present[i].size;
        if (l.bytes > bytes_max || (uint64_t)rows * size > bytes_max - l.bytes) return 0;
        layout_next(&l, size);
    }
    return l.bytes;
}

// ------------------------------------------------------------------------------------------------
// Blocks

typedef struct column_block {
    unsigned char *base;
    size_t bytes;    // heap: of the block; reserved: committed
    size_t reserved; // 0: on the heap
    column_layout layout;
} column_block;

static void block_free(weft_heap *heap, const weft_table *table)
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
    column_layout l = {plan->max_entities, true, 0, 0};
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
static bool block_open(weft_heap *heap, const weft_table *table, uint32_t rows, column_block *to)
{
    bool large = is_large(table, rows);
    size_t bytes = layout_bytes(table, rows, large);
    *to =
        (column_block){(unsigned char *)weft_allocate(heap, bytes), bytes, 0, {rows, large, 0, 0}};
    return to->base != NULL;
}

// Puts the columns into another block.
static void move_rows(weft_heap *heap, weft_table *table, column_block to)
{
    for (uint16_t i = 0; i < table->present_count; i++) {
        weft_present *present = &table->present[i];
        unsigned char *base = to.base + layout_next(&to.layout, present->size);
        memcpy(base, present->base, (size_t)table->count * present->size);
        column_put(table, present, base);
    }
#ifdef WEFT_HARD
    if (table->rows) memset(table->rows, WEFT_POISON, table->rows_bytes);
#endif
    block_free(heap, table);
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

static bool rows_grow_reserved(weft_heap *heap, const weft_plan *plan, weft_table *table,
                               uint32_t rows)
{
    if (!weft_bits_grow(heap, plan, table, rows)) return false;
    size_t bytes_before = heap->bytes;
    if (!commit_rows(heap, plan, table, table->rows, table->capacity, rows)) return false;
    table->rows_bytes += heap->bytes - bytes_before;
    table->capacity = rows;
    return true;
}

static bool rows_grow_into_reservation(weft_heap *heap, const weft_plan *plan, weft_table *table,
                                       unsigned char *base, size_t reserved, uint32_t rows)
{
    bool bits = weft_bits_grow(heap, plan, table, rows);
    size_t bytes_before = heap->bytes;
    if (!bits || !commit_rows(heap, plan, table, base, 0, rows)) {
        weft_release(heap, base, reserved, 0);
        return false;
    }
    size_t bytes = heap->bytes - bytes_before;
    move_rows(heap, table, (column_block){base, bytes, reserved, {plan->max_entities, true, 0, 0}});
    table->capacity = rows;
    return true;
}

static bool rows_grow_heap(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows)
{
    column_block to;
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
    if (table->rows_reserved != 0) return rows_grow_reserved(heap, plan, table, few);
    uint64_t ahead = table->capacity == 0 ? WEFT_FIRST_ROWS : (uint64_t)table->capacity * 2;
    uint32_t many = capped(plan, ahead > rows ? ahead : rows);
    size_t reserved;
    unsigned char *base = leave_heap(heap, plan, table, many, &reserved);
    if (base) return rows_grow_into_reservation(heap, plan, table, base, reserved, rows);
    return rows_grow_heap(heap, plan, table, many);
}

#ifdef WEFT_HARD
static void block_relocate(weft_heap *heap, weft_table *table)
{
    column_block to;
    if (!table->rows || !block_open(heap, table, table->capacity, &to)) return;
    memset(to.base, WEFT_POISON, to.bytes);
    move_rows(heap, table, to);
}
#endif

// ------------------------------------------------------------------------------------------------
// Opening and closing

// What the columns of a table without memory point to: present, and nothing to read.
static const _Alignas(64) unsigned char no_rows[64];

// Parts of the block behind a weft_table follow one another in multiples of this.
#define PART_ALIGN 8u

static size_t part(size_t count, size_t size)
{
    return weft_round_up(count * size, PART_ALIGN);
}

static uint16_t count_present(const weft_plan *plan, const uint64_t *set)
{
    uint16_t count = 1;
    for (uint32_t column = 1; column < plan->first_bitset; column++) {
        if (weft_set_has(set, plan->columns[column].component)) count++;
    }
    return count;
}

static void *take_part(unsigned char **at, size_t bytes)
{
    unsigned char *memory = *at;
    *at += bytes;
    return memory;
}

// How many columns a prefab would copy for a table of that set: all of its own, or none.
static uint16_t columns_copied(const weft_plan *plan, const weft_prefab_plan *prefab,
                               const uint64_t *set)
{
    uint16_t count = 0;
    if (!prefab->copy) return 0;
    for (uint32_t column = 1; column < plan->first_bitset; column++) {
        uint16_t component = plan->columns[column].component;
        if (!weft_set_has(prefab->set, component)) continue;
        if (!weft_set_has(set, component)) return 0;
        count++;
    }
    return count;
}

// The prefab that copies most of a row at once; NULL: none does.
static const weft_prefab_plan *choose_prefab(const weft_plan *plan, const uint64_t *set)
{
    const weft_prefab_plan *chosen = NULL;
    uint16_t most = 0;
    for (uint32_t p = 0; p < plan->prefab_count; p++) {
        uint16_t count = columns_copied(plan, &plan->prefabs[p], set);
        if (count > most) chosen = &plan->prefabs[p];
        if (count > most) most = count;
    }
    return chosen;
}

static void list_column(const weft_plan *plan, weft_table *table, uint16_t *count, uint16_t column)
{
    table->present[*count] = (weft_present){NULL, plan->columns[column].size, column};
    column_put(table, &table->present[(*count)++], (void *)(uintptr_t)no_rows);
}

// Lists the columns of the set that are of the prefab, or those that are not.
static void list_columns(const weft_plan *plan, weft_table *table, uint16_t *count,
                         const weft_prefab_plan *prefab, bool of_prefab)
{
    for (uint16_t column = 1; column < plan->first_bitset; column++) {
        uint16_t component = plan->columns[column].component;
        bool copied = prefab && weft_set_has(prefab->set, component);
        if (weft_set_has(table->set, component) && copied == of_prefab) {
            list_column(plan, table, count, column);
        }
    }
}

static void list_present(const weft_plan *plan, weft_table *table)
{
    const weft_prefab_plan *prefab = choose_prefab(plan, table->set);
    uint16_t count = 0;
    list_column(plan, table, &count, 0);
    if (prefab) list_columns(plan, table, &count, prefab, true);
    table->copy = prefab ? prefab->copy : NULL;
    table->rest_first = count;
    list_columns(plan, table, &count, prefab, false);
    bool exactly = prefab && table->rest_first == count;
    table->shift = exactly ? prefab->shift : NULL;
    table->end = exactly ? prefab->end : NULL;
}

// The slots of the change sets that a table with that set keeps; gives how many those are.
static uint16_t place_streams(const weft_plan *plan, const uint64_t *set, uint16_t *slots)
{
    uint16_t count = 0;
    for (uint32_t change_set = 0; change_set < plan->change_set_count; change_set++) {
        uint16_t component = plan->change_set_components[change_set];
        bool beside = plan->components[component].bitset != WEFT_NONE; // any row may get it
        slots[change_set] = beside || weft_set_has(set, component) ? count++ : WEFT_NONE;
    }
    return count;
}

// How many of them are marked by every new row: they have the first slots.
static uint16_t count_added(const weft_plan *plan, const uint16_t *slots)
{
    uint16_t count = 0;
    for (uint32_t change_set = 0; change_set < plan->added_change_sets; change_set++) {
        count = (uint16_t)(count + (slots[change_set] != WEFT_NONE));
    }
    return count;
}

weft_table *weft_table_open(weft_heap *heap, const weft_plan *plan, uint32_t id,
                            const uint64_t *set)
{
    uint16_t present_count = count_present(plan, set);
    size_t bitset_count = (size_t)plan->column_count - plan->first_bitset;
    size_t head =
        weft_round_up(sizeof(weft_table) + plan->column_count * sizeof(void *), PART_ALIGN);
    size_t set_bytes = part(plan->set_words, sizeof(uint64_t));
    size_t memory_bytes = part(bitset_count, sizeof(weft_region));
    size_t members_bytes = part(bitset_count, sizeof(uint32_t));
    size_t bitsets_bytes = part(bitset_count, sizeof(uint16_t));
    size_t present_bytes = part(present_count, sizeof(weft_present));
    size_t orders_bytes = part(plan->sparse_count, sizeof(weft_sparse_rows));
    size_t slots_bytes = part(plan->change_set_count, sizeof(uint16_t));
    size_t bytes = head + set_bytes + memory_bytes + members_bytes + bitsets_bytes + present_bytes +
                   orders_bytes + slots_bytes;
    weft_table *table = (weft_table *)weft_allocate_zeroed(heap, bytes);
    if (!table) return NULL;
    unsigned char *at = (unsigned char *)table + head;
    table->id = id;
    table->last_added = WEFT_NONE;
    table->last_removed = WEFT_NONE;
    table->bytes = bytes;
    table->present_count = present_count;
    table->present = (weft_present *)take_part(&at, present_bytes);
    table->set = (uint64_t *)take_part(&at, set_bytes);
    table->sparse_rows = (weft_sparse_rows *)take_part(&at, orders_bytes);
    table->bitset_memory = (weft_region *)take_part(&at, memory_bytes);
    table->bitset_counts = (uint32_t *)take_part(&at, members_bytes);
    table->bitsets = (uint16_t *)take_part(&at, bitsets_bytes);
    uint16_t *slots = (uint16_t *)take_part(&at, slots_bytes);
    table->change_bits.slots = slots;
    table->change_bits.set_count = place_streams(plan, set, slots);
    table->change_bits.added = count_added(plan, slots);
    memcpy(table->set, set, plan->set_words * sizeof(uint64_t));
    list_present(plan, table);
    return table;
}

void weft_table_close(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        weft_region_free(heap, &table->bitset_memory[table->bitsets[i] - plan->first_bitset]);
    }
    for (uint16_t i = 0; i < plan->sparse_count; i++) {
        weft_region_free(heap, &table->sparse_rows[i].entries);
    }
    weft_change_bits_free(heap, &table->change_bits);
    block_free(heap, table);
    weft_free(heap, table, table->bytes);
}

#ifdef WEFT_HARD
void weft_table_relocate(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    weft_bitsets_relocate(heap, plan, table);
    for (uint16_t i = 0; i < plan->sparse_count; i++) {
        weft_region_relocate(heap, &table->sparse_rows[i].entries);
    }
    weft_region_relocate(heap, &table->change_bits.words);
    weft_region_relocate(heap, &table->change_bits.summaries);
    block_relocate(heap, table);
}
#endif
