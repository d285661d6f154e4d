// Columns: where they lie in a block, growing on the heap or in a reservation, and the memory of a
// table with all its parts.
#include "columns.h"

static void column_set(weft_table *table, weft_present *present, void *base)
{
    present->base = (unsigned char *)base;
    weft_columns(table)[present->column] = base;
}

// ------------------------------------------------------------------------------------------------
// Where columns lie

// Places columns of `rows` rows one after the other, packed or each on pages of its own.
typedef struct column_layout {
    uint32_t rows;
    bool paged;
    uint32_t columns; // placed so far
    size_t bytes;     // that they take
} column_layout;

// Places the next column. Returns where it starts, in bytes from the start of the block.
static size_t layout_next(column_layout *l, uint32_t size)
{
    size_t length = (size_t)l->rows * size;
    size_t start = l->bytes;
    if (l->paged) {
        start += l->columns * WEFT_STAGGER_BYTES % WEFT_PAGE_BYTES;
        l->bytes = weft_round_up(start + length, WEFT_PAGE_BYTES);
    } else {
        bool apart = length >= WEFT_PAGE_BYTES / 2; // else the next column shares most of its page
        l->bytes =
            weft_round_up(start + length, WEFT_LINE_BYTES) + (apart ? WEFT_STAGGER_BYTES : 0);
    }
    l->columns++;
    return start;
}

// Returns the bytes of a block; 0 if they are more than can be addressed.
static size_t layout_bytes(const weft_table *table, uint32_t rows, bool paged)
{
    const size_t bytes_max = SIZE_MAX / 2; // far enough from the end for the space between columns
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

// Commits what `rows` rows need beyond `rows_had` in each column of a reservation, and adds its
// bytes to *committed. False: no memory. Columns before the one that failed keep their pages, which
// the next try asks for again.
static bool commit_rows(weft_heap *heap, const weft_plan *plan, const weft_table *table,
                        unsigned char *base, uint32_t rows_had, uint32_t rows, size_t *committed)
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
    *committed += heap->bytes - bytes_before;
    return true;
}

// Tells whether columns of so many rows are too large for the heap. In a reservation each takes
// whole pages, so a table of many columns stays on the heap until they fill one each on average.
static bool is_large(const weft_table *table, uint32_t rows)
{
    size_t pages = table->present_count * WEFT_PAGE_BYTES;
    size_t packed = layout_bytes(table, rows, false);
    return packed == 0 || packed > (pages > WEFT_HEAP_BYTES_MAX ? pages : WEFT_HEAP_BYTES_MAX);
}

// Allocates a block on the heap for columns of so many rows. False: no memory.
static bool block_open(weft_heap *heap, const weft_table *table, uint32_t rows, column_block *to)
{
    bool large = is_large(table, rows);
    size_t bytes = layout_bytes(table, rows, large);
    *to =
        (column_block){(unsigned char *)weft_allocate(heap, bytes), bytes, 0, {rows, large, 0, 0}};
    return to->base != NULL;
}

// Moves the columns into another block.
static void move_rows(weft_heap *heap, weft_table *table, column_block to)
{
    for (uint16_t i = 0; i < table->present_count; i++) {
        weft_present *present = &table->present[i];
        unsigned char *base = to.base + layout_next(&to.layout, present->size);
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
    size_t bytes = layout_bytes(table, plan->max_entities, true);
    void *base = weft_reserve(heap, bytes);
    *to = (column_block){(unsigned char *)base, 0, bytes, {plan->max_entities, true, 0, 0}};
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
    if (table->rows_reserved != 0) { // a table in its reservation commits some more pages
        rows = rows_committed(plan, table, rows);
        grown =
            weft_bits_grow(heap, plan, table, rows) &&
            commit_rows(heap, plan, table, table->rows, table->capacity, rows, &table->rows_bytes);
    } else if (block_reserve(heap, plan, table, (uint32_t)many, &to)) { // leaves the heap
        grown = weft_bits_grow(heap, plan, table, rows) &&
                commit_rows(heap, plan, table, to.base, 0, rows, &to.bytes);
        if (grown) move_rows(heap, table, to);
        if (!grown) weft_release(heap, to.base, to.reserved, 0);
    } else { // stays on the heap, and doubles
        rows = (uint32_t)many;
        grown = weft_bits_grow(heap, plan, table, rows) && block_open(heap, table, rows, &to);
        if (grown) move_rows(heap, table, to);
    }
    if (grown) table->capacity = rows;
    return grown;
}

// ------------------------------------------------------------------------------------------------
// Trimming

// The columns of a table without memory for rows point here: they are present, with nothing to
// read.
static const _Alignas(64) unsigned char no_rows[64];

static void free_rows(weft_heap *heap, weft_table *table)
{
    block_free(heap, table);
    for (uint16_t i = 0; i < table->present_count; i++) {
        column_set(table, &table->present[i], (void *)(uintptr_t)no_rows);
    }
    table->rows = NULL;
    table->rows_bytes = table->rows_reserved = 0;
    table->capacity = table->capacity_kept = 0;
}

// Decommits what the columns of a reservation have beyond the rows there are, unless the hooks of
// the game cannot.
static void decommit_rows(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    size_t bytes_before = heap->bytes;
    column_layout l = {plan->max_entities, true, 0, 0};
    for (uint16_t i = 0; i < table->present_count; i++) {
        size_t size = table->present[i].size;
        size_t start = layout_next(&l, (uint32_t)size);
        size_t kept = weft_round_up(start + table->count * size, WEFT_PAGE_BYTES);
        size_t had = weft_round_up(start + table->capacity * size, WEFT_PAGE_BYTES);
        if (!weft_decommit(heap, table->rows + kept, had - kept)) return;
    }
    table->rows_bytes -= bytes_before - heap->bytes;
    table->capacity = table->count;
}

static bool trim_rows(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    bool reserved = table->rows_reserved != 0;
    bool large = is_large(table, table->count);
    bool moves =
        !(reserved ? large : layout_bytes(table, table->count, large) >= table->rows_bytes);
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
    for (uint16_t i = 0; i < plan->sparse_count; i++) {
        weft_region_free(heap, &table->sparse_rows[i].entries);
        table->sparse_rows[i].base = NULL;
    }
    bool trimmed = trim_rows(heap, plan, table);
    return weft_bits_trim(heap, plan, table, table->capacity) && trimmed;
}

// ------------------------------------------------------------------------------------------------
// Opening and closing

// Counts the columns that belong to the components of a set.
static uint32_t columns_in(const weft_plan *plan, const uint64_t *set)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        for (uint64_t bits = set[word]; bits != 0;) {
            count += plan->components[word * 64 + weft_bits_pop(&bits)].column_count;
        }
    }
    return count;
}

// Counts the columns of a prefab; 0 if the set lacks one of them.
static uint32_t columns_copied(const weft_plan *plan, const weft_prefab_plan *prefab,
                               const uint64_t *set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < prefab->component_count; i++) {
        uint32_t columns = plan->components[prefab->components[i]].column_count;
        if (columns != 0 && !weft_set_has(set, prefab->components[i])) return 0;
        count += columns;
    }
    return count;
}

// The prefab that copies most of a row at once, among those all of whose columns the set has; NULL:
// there is none.
static const weft_prefab_plan *choose_prefab(const weft_plan *plan, const uint16_t *prefab_keys,
                                             const uint64_t *set)
{
    const weft_prefab_plan *chosen = NULL;
    uint32_t most = 0;
    for (uint32_t p = 0; p < plan->prefab_count; p++) {
        if (prefab_keys[p] == WEFT_NONE || !weft_set_has(set, prefab_keys[p])) continue;
        uint32_t count = columns_copied(plan, &plan->prefabs[p], set);
        if (count <= most) continue;
        chosen = &plan->prefabs[p];
        most = count;
    }
    return chosen;
}

void weft_prefab_keys(const weft_plan *plan, uint16_t *keys)
{
    for (uint32_t p = 0; p < plan->prefab_count; p++) {
        const weft_prefab_plan *prefab = &plan->prefabs[p];
        uint32_t i = 0;
        while (prefab->copy && plan->components[prefab->components[i]].column_count == 0) i++;
        keys[p] = prefab->copy ? prefab->components[i] : WEFT_NONE;
    }
}

// Appends a column to the list of those that the table has.
static void list_column(const weft_plan *plan, weft_table *table, uint16_t column)
{
    weft_present *present = &table->present[table->present_count++];
    *present = (weft_present){NULL, plan->columns[column].size, column};
    column_set(table, present, (void *)(uintptr_t)no_rows);
}

// Lists the columns of the table's set that belong to the prefab, or those that do not.
static void list_columns(const weft_plan *plan, weft_table *table, const weft_prefab_plan *prefab,
                         bool of_prefab)
{
    for (uint32_t word = 0; word < plan->set_words; word++) {
        uint64_t copied = prefab ? prefab->set[word] : 0;
        for (uint64_t bits = table->set[word] & (of_prefab ? copied : ~copied); bits != 0;) {
            const weft_component_plan *c = &plan->components[word * 64 + weft_bits_pop(&bits)];
            for (uint16_t i = 0; i < c->column_count; i++) {
                list_column(plan, table, (uint16_t)(c->first_column + i));
            }
        }
    }
}

static void list_present(const weft_plan *plan, const uint16_t *prefab_keys, weft_table *table)
{
    const weft_prefab_plan *prefab = choose_prefab(plan, prefab_keys, table->set);
    list_column(plan, table, 0);
    if (prefab) list_columns(plan, table, prefab, true);
    table->copy = prefab ? prefab->copy : NULL;
    table->rest_first = table->present_count;
    list_columns(plan, table, prefab, false);
    bool exactly = prefab && table->rest_first == table->present_count;
    table->shift = exactly ? prefab->shift : NULL;
    table->end = exactly ? prefab->end : NULL;
}

// Gives a slot to each change set that the table keeps: those of its own components, those of
// components beside the tables, which any row may get, and those of components that a row has lost.
static void place_change_sets(const weft_plan *plan, weft_table *table, uint16_t *slots)
{
    weft_change_bits *bits = &table->change_bits;
    bits->slots = slots;
    for (uint32_t change_set = 0; change_set < plan->change_set_count; change_set++) {
        uint16_t component = plan->change_set_components[change_set];
        bool kept = component == WEFT_NONE || plan->components[component].bitset != WEFT_NONE ||
                    weft_set_has(table->set, component);
        slots[change_set] = kept ? bits->set_count++ : WEFT_NONE;
        // The sets that every new row is added to come first, and so have the first slots.
        if (change_set < plan->added_change_sets) bits->added = bits->set_count;
    }
}

// The next part of the memory of a table, which begin at multiples of 8; only counts its bytes
// while there is no memory yet.
static void *part(unsigned char *memory, size_t *bytes, size_t count, size_t size)
{
    size_t start = *bytes;
    *bytes = weft_round_up(start + count * size, 8);
    return memory ? memory + start : NULL;
}

// Cuts memory for a table with so many columns into its parts. Returns the bytes they take.
static size_t place_parts(const weft_plan *plan, size_t columns, weft_table *table,
                          unsigned char *memory, uint16_t **slots)
{
    size_t bitsets = (size_t)plan->column_count - plan->first_bitset;
    size_t bytes = 0;
    part(memory, &bytes, 1, sizeof(weft_table) + plan->column_count * sizeof(void *));
    table->present = (weft_present *)part(memory, &bytes, columns, sizeof(weft_present));
    table->set = (uint64_t *)part(memory, &bytes, plan->set_words, sizeof(uint64_t));
    table->sparse_rows =
        (weft_sparse_rows *)part(memory, &bytes, plan->sparse_count, sizeof(weft_sparse_rows));
    table->bitset_memory = (weft_region *)part(memory, &bytes, bitsets, sizeof(weft_region));
    table->bitset_counts = (uint32_t *)part(memory, &bytes, bitsets, sizeof(uint32_t));
    table->bitsets = (uint16_t *)part(memory, &bytes, bitsets, sizeof(uint16_t));
    part(memory, &bytes, plan->flag_count != 0, sizeof(uint64_t)); // see weft_change_flags
    *slots = (uint16_t *)part(memory, &bytes, plan->change_set_count, sizeof(uint16_t));
    return bytes;
}

weft_table *weft_table_open(weft_heap *heap, const weft_plan *plan, const uint16_t *prefab_keys,
                            uint32_t id, const uint64_t *set)
{
    uint16_t *slots;
    size_t columns = 1u + columns_in(plan, set);
    size_t bytes = place_parts(plan, columns, &(weft_table){0}, NULL, &slots);
    weft_table *table = (weft_table *)weft_allocate_zeroed(heap, bytes);
    if (!table) return NULL;
    place_parts(plan, columns, table, (unsigned char *)table, &slots);
    table->id = id;
    table->last_added = WEFT_NONE;
    table->last_removed = WEFT_NONE;
    table->bytes = (uint32_t)bytes;
    memcpy(table->set, set, plan->set_words * sizeof(uint64_t));
    place_change_sets(plan, table, slots);
    list_present(plan, prefab_keys, table);
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
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        weft_region *memory = &table->bitset_memory[table->bitsets[i] - plan->first_bitset];
        weft_region_relocate(heap, memory);
        weft_columns(table)[table->bitsets[i]] = memory->base;
    }
    for (uint16_t i = 0; i < plan->sparse_count; i++) {
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
