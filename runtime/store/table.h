// Tables: all entities with the same set of table components, as contiguous columns.
//
//   weft_table | column[0] handles | column[1] … | planes …     pointers by column, NULL: absent
//
// The column pointers lie right behind the struct, so that reaching one is an add, not a load.
// Those of the columns that the table has are never NULL, even before there is memory for a row.
// Rows are dense from 0 to count; a removed row is filled by the last. A small table is one heap
// block; past WEFT_HEAP_BYTES_MAX, and a page a column, it moves once into one reservation with
// room for max_entities rows a column, and from then on growing copies nothing. Where there is no
// address space it stays on the heap, as it does in hard mode. Columns of a table past that size
// start staggered, the k-th (k * 5 * 64) mod 4096 bytes into its page, since page-aligned ones
// compete for the same cache sets; smaller columns just lie 5 lines apart.
//
// A plane (one bit a row, for tags and sparse presence) has memory from its first set bit on, and
// then room for `capacity` rows like the columns. Bits at rows >= count are 0. plane_members says
// how many are set in that of a tag; in that of a sparse component query/members.h counts them.
//
// store/columns.h says which file has what of one table; store/tables.c has the set of all of
// them.
#ifndef WEFT_TABLE_H
#define WEFT_TABLE_H

#include "entity.h"
#include "change_bits.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_FIRST_ROWS 16u                      // room a table makes for its first row
#define WEFT_STAGGER_BYTES (5 * WEFT_LINE_BYTES) // from column to column
#define WEFT_EDGE_TABLES_MAX (1u << 23)          // edges of tables with higher ids are forgotten

// A column that a table has.
typedef struct weft_present {
    unsigned char *base; // the column pointer
    uint32_t size;       // bytes of an element
    uint16_t column;     // its number
} weft_present;

// What query/members.h and query/sparse_rows.h remember of a table and a sparse component. All zero:
// nothing.
typedef struct weft_order {
    weft_region entries;       // a pointer to each value, behind them as many rows
    const unsigned char *base; // of the values of the store when entries were made; NULL: not yet
    uint64_t tally;            // of the store when members were counted
    uint32_t members;          // rows that have it
    bool counted;              // no row that has it came, left or changed its place since then
} weft_order;

typedef struct weft_table {
    uint32_t count;    // rows
    uint32_t capacity; // rows with memory
    uint32_t id;
    uint16_t present_count; // columns it has, handles included, planes not
    uint16_t plane_count;   // planes with memory
    uint16_t rest_first;    // the first of `present` that `copy` leaves out; 1 without it
    uint16_t last_added;    // component of the edge taken last to `with`; WEFT_NONE: none yet
    uint16_t last_removed;
    struct weft_table *with;
    struct weft_table *without;
    weft_prefab_copy copy;     // for the largest prefab it has all columns of; NULL: of none
    weft_prefab_shift shift;   // for exactly the columns it has; its world's, if no prefab has them
    weft_prefab_end end;       // the same
    weft_present *present;     // handles, then what `copy` copies, then the rest; else ascending
    uint16_t *planes;          // their numbers (columns), as they were met
    uint32_t *plane_members;   // by plane: how many bits are set, if it is a tag's
    uint64_t *set;             // the table components; set_words words
    weft_region *plane_memory; // by plane; moves nothing in `rows`
    weft_order *orders;        // by store
    weft_marks marks;          // what readers of changes have not seen
    unsigned char *rows;       // the block of the columns
    size_t rows_bytes;         // heap: of the block; reserved: committed
    size_t rows_reserved;      // 0: on the heap
    size_t bytes;              // of this struct with everything behind it
} weft_table;

// The column pointers by column number.
static inline void **weft_columns(const weft_table *table)
{
    return (void **)(uintptr_t)(table + 1);
}

static inline void *weft_column(const weft_table *table, uint32_t column)
{
    return weft_columns(table)[column];
}

// The same of a column that the table has, where a row of it begins.
WEFT_ALWAYS_INLINE void *weft_cell(const weft_table *table, uint32_t column, uint32_t row,
                                   size_t size)
{
    unsigned char *cells = (unsigned char *)weft_column(table, column);
    WEFT_TAKEN(cells != NULL);
    return cells + row * size;
}

static inline bool weft_plane_bit(const weft_table *table, uint32_t column, uint32_t row)
{
    const uint64_t *words = (const uint64_t *)weft_column(table, column);
    return words && (words[row / 64] >> (row % 64) & 1u);
}

// A table without rows (and without memory for any); NULL: no memory. `set`, which has table
// components only, is copied.
weft_table *weft_table_open(weft_heap *heap, const weft_plan *plan, uint32_t id,
                            const uint64_t *set);
void weft_table_close(weft_heap *heap, const weft_plan *plan, weft_table *table);

// Makes room for at least `rows` rows in every column and every plane that has memory. False: no
// memory, or more than max_entities; the table is as it was (planes may have moved). Moves columns:
// pointers into them are invalid after it. The first time makes room for WEFT_FIRST_ROWS rows,
// later ones double; in a reservation each makes room for WEFT_COMMIT_BYTES_MAX more.
bool weft_table_grow(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows);

// Gives a plane (by column number) memory if it has none. False: no memory.
bool weft_plane_open(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t column);

// Sets or clears a bit of a plane that has memory (clearing one of a plane without is fine), and
// marks the row for readers of that. O(1).
void weft_plane_put(const weft_plan *plan, weft_table *table, uint32_t column, uint32_t row,
                    bool on);

// How many bits of so many words are set.
uint32_t weft_bits_count(const uint64_t *words, uint32_t count);

// Clears the whole plane of a tag. O(rows / 64).
void weft_plane_clear(const weft_plan *plan, weft_table *table, uint32_t column);

// Copies what both tables have of a row (not the handle) into a fresh row of another table, one
// without bits: columns, and bits of planes (`to` has memory for every plane of `from` with that
// bit set).
void weft_row_copy(const weft_plan *plan, const weft_table *from, uint32_t from_row, weft_table *to,
                   uint32_t to_row);

// Marks a row for who reads that a component came to it, or that its value changed.
static inline void weft_row_changed(const weft_plan *plan, const weft_table *table, uint32_t row,
                                    uint32_t component)
{
    uint16_t stream = plan->components[component].changed;
    if (table->marks.streams == 0 || stream == WEFT_NONE) return;
    weft_mark(&table->marks, table->marks.slots[stream], row);
}

static inline void weft_row_added(const weft_plan *plan, const weft_table *table, uint32_t row,
                                  uint32_t component)
{
    uint16_t stream = plan->components[component].added;
    weft_row_changed(plan, table, row, component);
    if (table->marks.streams == 0 || stream == WEFT_NONE) return;
    weft_mark(&table->marks, table->marks.slots[stream], row);
}

// Marks a row that has the component in a stream of that.
static inline void weft_row_mark(const weft_table *table, uint32_t row, uint32_t stream)
{
    weft_mark(&table->marks, table->marks.slots[stream], row);
}

// Puts the bits of the last row in the place of those of `row`, and clears the last ones.
void weft_bits_drop(const weft_plan *plan, weft_table *table, uint32_t row);

// Copies an element of a column that both tables have. `size` is a constant in generated code.
WEFT_ALWAYS_INLINE void weft_cell_copy(const weft_table *from, uint32_t from_row,
                                       const weft_table *to, uint32_t to_row, uint32_t column,
                                       size_t size)
{
    memcpy(weft_cell(to, column, to_row, size), weft_cell(from, column, from_row, size), size);
}

// Moves an element of a column that both tables have to a row of the other one, and puts the last
// one in its place. `size` is a constant in generated code.
WEFT_ALWAYS_INLINE void weft_cell_shift(const weft_table *from, uint32_t row, uint32_t last,
                                        const weft_table *to, uint32_t to_row, uint32_t column,
                                        size_t size)
{
    void *cell = weft_cell(from, column, row, size);
    memcpy(weft_cell(to, column, to_row, size), cell, size);
    if (row != last) memcpy(cell, weft_cell(from, column, last, size), size);
}

// Whether columns are copied by one call: that of a prefab with all of them.
static inline bool weft_columns_at_once(const weft_table *table)
{
    return table->copy && table->rest_first == table->present_count;
}

// Copies the columns of `of` where it takes more than one call; both tables have them.
void weft_columns_copy_each(const weft_table *of, const weft_table *from, uint32_t from_row,
                            const weft_table *to, uint32_t to_row);

// Copies the columns of `of` (not the handle, no planes), which both tables have.
WEFT_ALWAYS_INLINE void weft_columns_copy(const weft_table *of, const weft_table *from,
                                          uint32_t from_row, const weft_table *to, uint32_t to_row)
{
    if (weft_columns_at_once(of)) {
        of->copy(from, from_row, to, to_row);
    } else {
        weft_columns_copy_each(of, from, from_row, to, to_row);
    }
}

// Fills the hole that a row leaves in one column with the last row. `size` is a constant.
WEFT_ALWAYS_INLINE void weft_column_fill(const weft_table *table, uint32_t row, uint32_t last,
                                         uint32_t column, size_t size)
{
    if (row != last) weft_cell_copy(table, last, table, row, column, size);
}

// The same and marks: what a table may have beside the columns.
static inline void weft_beside_drop(const weft_plan *plan, weft_table *table, uint32_t row)
{
    if (table->plane_count != 0) weft_bits_drop(plan, table, row);
    if (table->marks.streams != 0) weft_marks_drop(&table->marks, row, table->count - 1);
}

// Fills the row with the last one, planes too, and shortens the table by one. The caller has read
// what it needs of the row, and puts the record of the handle that stands at `row` then (if row <
// count).
static inline void weft_row_drop(const weft_plan *plan, weft_format f, weft_table *table,
                                 uint32_t row)
{
    uint32_t last = table->count - 1;
    void *handles = weft_column(table, 0);
    weft_beside_drop(plan, table, row);
    table->count = last;
    if (row == last) return;
    weft_handle_store(f, handles, row, weft_handle_load(f, handles, last));
    weft_columns_copy(table, table, last, table, row);
}

// Writes the plain struct of a table component into a row, and marks it as changed.
void weft_row_put(const weft_plan *plan, weft_table *table, uint32_t row, uint32_t component,
                  const void *value);

// Where a field of a table component lies in a row, whatever the layout. `field` is its index.
static inline void *weft_row_member(const weft_plan *plan, const weft_table *table, uint32_t row,
                                    uint32_t component, uint32_t field)
{
    const weft_component_info *info = &plan->schema->components[component];
    uint32_t column = plan->components[component].first_column + (info->soa ? field : 0u);
    size_t offset = info->soa ? 0 : info->fields[field].offset;
    return (unsigned char *)weft_column(table, column) + (size_t)row * plan->columns[column].size +
           offset;
}

#ifdef WEFT_HARD
// Hard mode: moves every column and plane of the table to fresh memory and poisons the old, so that
// a pointer kept over a structural change is caught at once. Out of memory: does nothing.
void weft_table_shake(weft_heap *heap, const weft_plan *plan, weft_table *table);
#endif

// -------------------------------------------------------------------------------------------------
// The set of all tables of a world

typedef struct weft_tables {
    weft_table **items; // by id; id 0 is the empty set
    uint32_t count;
    uint32_t capacity;
    uint32_t *by_set; // open addressing over the hash of the set: id + 1, 0: free
    uint32_t by_set_capacity;
    uint64_t *edges; // open addressing: see store/tables.c
    uint32_t edge_capacity;
    uint32_t edge_count;
} weft_tables;

// Finds the table of a set of table components, NULL if there is none yet. O(set_words).
weft_table *weft_tables_find(const weft_tables *tables, const weft_plan *plan, const uint64_t *set);

// Adds a table (its id is tables->count) to the list and the hash; false: no memory, nothing
// changed.
bool weft_tables_add(weft_tables *tables, weft_heap *heap, const weft_plan *plan,
                     weft_table *table);

// Order of tables in queries: by their sets (the word of the first components counts most), never
// by birth. Negative, 0 (the same set), positive.
int weft_table_compare(const weft_plan *plan, const weft_table *a, const weft_table *b);

// Edges: the table that an entity of `table` goes to when `component` is added (with its closure)
// or removed. NULL: not known yet. Remembering one may fail for lack of memory, or because there
// are more tables than WEFT_EDGE_TABLES_MAX, which costs time, not correctness.
weft_table *weft_edge_find(const weft_tables *tables, const weft_table *table, uint32_t component,
                           bool add);
void weft_edge_remember(weft_tables *tables, weft_heap *heap, const weft_table *table,
                        uint32_t component, bool add, const weft_table *to);

void weft_tables_close(weft_tables *tables, weft_heap *heap, const weft_plan *plan);

WEFT_EXTERN_C_END

#endif
