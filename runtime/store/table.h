// Tables: all entities with the same set of table components, as contiguous columns.
//
//   weft_table | column[0] handles | column[1] … | bitsets …     pointers by column, NULL: absent
//
// The column pointers follow the struct, so that their address is an addition, not a load. Pointers
// to columns that the table has are never NULL, even before there is memory for a row.
//
// In a schema of hundreds of columns a table has few of them. Then only the first pointers follow
// the struct. The others are in groups of eight. A table stores the groups in which it has columns,
// and one empty group for all others. Tables without such columns share the empty group. The arrays
// about bitsets, and the groups of their pointers, are allocated with the first bitset.
//
//   weft_table | column[0] … column[31] | group_of: 0 0 1 0 2 …    groups: empty | 48-55 | 64-71
//
// Rows are dense from 0 to count; the last row fills the hole of a removed one.
//
// A small table is one heap block. In a world of many tables, its columns lie on shelves instead,
// next to those of other tables (store/shelves.h). Past WEFT_HEAP_BYTES_MAX, and a page for each
// column, it moves once into one reservation of max_entities rows for each column. From then on
// growing copies nothing: it commits the next few pages of each column. Without address space, and
// in hard mode, the table stays on the heap.
//
//   heap          | handles | position | velocity.x | …
//   reservation   | handles →      |  position →      |   velocity.x →      …
//
// Page-aligned columns would compete for one group of cache sets. Therefore the k-th column of a
// large table begins (k * 53 * 64) mod 4096 bytes into its page, and smaller columns lie 5 cache
// lines apart.
//
// store/opening.h opens a table, store/columns.h grows and closes it, store/row.h copies and
// removes its rows, store/bitset.h stores the bits of its rows, and store/tables.h stores all
// tables.
#ifndef WEFT_TABLE_H
#define WEFT_TABLE_H

#include "change_bits.h"
#include "entity.h"

// The number of columns whose pointers follow the struct. If the generator does not call the schema
// grouped, all column pointers follow the struct. In hard mode nearly all columns of any schema are
// in groups, so that tests with small schemas cover groups too.
#ifdef WEFT_HARD
#define WEFT_DIRECT_COLUMNS 2u
#else
#define WEFT_DIRECT_COLUMNS 32u
#endif
#define WEFT_GROUP_COLUMNS 8u

// A column that a table has.
typedef struct weft_present {
    unsigned char *base; // the column pointer
    uint32_t size;       // bytes of an element
    uint16_t column;     // its number
} weft_present;

// The cache of query/sparse_rows.h for a table and a sparse component. All zero is an empty cache.
typedef struct weft_sparse_rows {
    weft_region entries; // a pointer to each value, the rows, and a copy of the store's owners
    const unsigned char *base; // start of the store's values when entries were made; NULL: not made
                               // yet
    uint64_t change_count;     // of the store when `count` was computed
    uint32_t count;            // rows that have the component
    uint32_t space;            // capacity in pointers, rows and owners
    uint32_t moves;            // weft_moves of the world when entries were made
    bool counted;              // since then no row with the component was added, removed or moved
} weft_sparse_rows;

typedef struct weft_table {
    uint32_t id;
    uint16_t present_count; // columns of the table, with handles, without bitsets
    uint16_t bitset_count;  // bitsets with memory
    uint16_t rest_first;    // index in `present` of the first column that `copy` does not copy; 1
                            // without `copy`
    uint16_t last_added;    // component of the last edge that was followed, to `with`; WEFT_NONE:
                            // none yet
    uint16_t last_removed;  // component of the last edge that was followed, to `without`
    uint16_t group_count;   // groups of pointers that do not follow the struct
    bool grouped;           // the schema has such columns
    bool listed;            // in the lists of queries, see world/listing.h
    bool placed;            // the lists have space for it, even if it is not listed
    bool large;             // one of tables->large, see store/tables.h
    bool stays;             // the table of a prefab or of no components, which no trim closes
    struct weft_table *with;
    struct weft_table *without;
    weft_prefab_copy copy; // of the largest prefab whose columns the table has; NULL: there is none
    weft_prefab_shift shift;       // of the prefab with exactly its columns; else NULL until
                                   // world/move.c sets it
    weft_prefab_end end;           // like shift
    weft_present *present;         // handles, then the columns that `copy` copies, then the rest;
                                   // ascending in each part
    uint16_t *bitsets;             // columns of the bitsets with memory, oldest first
    uint32_t *bitset_counts;       // by bitset: the number of set bits, if it belongs to a tag
    uint64_t *set;                 // the table components; set_words words
    weft_region *bitset_memory;    // by bitset; NULL: no bitset ever had memory
    weft_sparse_rows *sparse_rows; // by store; NULL: no bitset ever had memory
    uint16_t *group_of;            // by group of columns: its index in `groups`, 0: the empty one
    void **groups;                 // WEFT_GROUP_COLUMNS pointers each
    void *bits;                    // memory allocated with the first bitset, if it is separate
    size_t bits_bytes;
    weft_change_bits change_bits; // changes that readers have not seen yet
    unsigned char *rows;          // the block of the columns; NULL: none, or they are on shelves
    size_t rows_bytes;            // heap: size of the block or slots; reserved: committed bytes
    size_t rows_reserved;         // 0: on the heap
    uint32_t bytes;               // of this struct and everything allocated with it
    uint32_t capacity_kept; // capacity of a table that is not listed; its `capacity` is 0 then
    uint32_t enlarged;      // rows whose columns lie in large pages, as far as these are full
    uint32_t classes_taken; // classes in use before the first column of the reservation, see
                            // layout.h
    struct weft_shelves *shelves; // shelves for small columns, see shelves.h; NULL: it uses a block
#if UINTPTR_MAX <= UINT32_MAX
    uint32_t reserved; // zero
#endif
    // The rest begins a cache line, and the first column pointers follow in the same line. A walk
    // over many small tables therefore touches only one line of each.
    uint32_t count;    // rows
    uint32_t capacity; // rows with memory
} weft_table;

WEFT_STATIC_ASSERT(sizeof(void *) != 8 || offsetof(weft_table, count) % WEFT_LINE_BYTES == 0,
                   "the rows of a table are counted in the line of its column pointers");

// Returns whether tables of the schema use groups of pointers.
static inline bool weft_has_groups(const weft_plan *plan)
{
#ifdef WEFT_HARD
    return plan->column_count > WEFT_DIRECT_COLUMNS;
#else
    return plan->format.grouped;
#endif
}

// Lets the compiler assume the layout of a table of this format.
WEFT_ALWAYS_INLINE void weft_take_layout(weft_format f, const weft_table *table)
{
    (void)f; // unused by compilers without this assumption
    (void)table;
#ifndef WEFT_HARD
    WEFT_TAKEN(f.grouped == table->grouped);
#endif
}

static inline uint32_t weft_group_of(uint32_t column)
{
    return (column - WEFT_DIRECT_COLUMNS) / WEFT_GROUP_COLUMNS;
}

// Returns the next part of the memory of a table. Parts begin at multiples of 8. If `block` is
// NULL, it only counts the bytes.
static inline void *weft_cut(unsigned char *block, size_t *bytes, size_t count, size_t size)
{
    size_t start = *bytes;
    *bytes = weft_round_up(start + count * size, 8);
    return block ? block + start : NULL;
}

static inline void **weft_groups_cut(unsigned char *block, size_t *bytes, size_t groups)
{
    return (void **)weft_cut(block, bytes, groups * WEFT_GROUP_COLUMNS, sizeof(void *));
}

// Gives a column a pointer, for which there is memory.
static inline void weft_column_give_place(weft_table *table, uint32_t column)
{
    if (column < WEFT_DIRECT_COLUMNS || !table->grouped) return;
    uint16_t *group = &table->group_of[weft_group_of(column)];
    if (*group == 0) *group = table->group_count++;
}

// Returns the address of a column's pointer. It must not be written if it is in the empty group.
WEFT_ALWAYS_INLINE void **weft_column_place(const weft_table *table, uint32_t column)
{
    void **direct = (void **)(uintptr_t)(table + 1);
    if (column < WEFT_DIRECT_COLUMNS || !table->grouped) return direct + column;
    uint32_t grouped = column - WEFT_DIRECT_COLUMNS;
    size_t group = table->group_of[grouped / WEFT_GROUP_COLUMNS];
    return table->groups + group * WEFT_GROUP_COLUMNS + grouped % WEFT_GROUP_COLUMNS;
}

WEFT_ALWAYS_INLINE void *weft_column(const weft_table *table, uint32_t column)
{
    return *weft_column_place(table, column);
}

// Returns the element of a row in a column that the table has.
WEFT_ALWAYS_INLINE void *weft_cell(const weft_table *table, uint32_t column, uint32_t row,
                                   size_t size)
{
    unsigned char *cells = (unsigned char *)weft_column(table, column);
    WEFT_TAKEN(cells != NULL);
    return cells + row * size;
}

static inline bool weft_bitset_bit(const weft_table *table, uint32_t column, uint32_t row)
{
    const uint64_t *words = (const uint64_t *)weft_column(table, column);
    return words && (words[row / 64] >> (row % 64) & 1u);
}

// Marks a row in a change set of a component that the row has. If every table with the component is
// known to keep exactly the first `sets` change sets, the slot is not looked up; 0 means that it
// varies.
WEFT_ALWAYS_INLINE void weft_row_edited(const weft_table *table, uint32_t row, uint32_t change_set,
                                        uint32_t sets)
{
    const weft_change_bits *bits = &table->change_bits;
    if (sets != 0) WEFT_ASSERT(bits->set_count, ==, sets, "a table keeps other sets than planned");
    weft_change_set of = weft_change_set_of(bits, sets ? change_set : bits->slots[change_set]);
    if (sets != 0) of.stride = sets;
    weft_change_set_mark(of, row);
}

static inline void weft_row_mark(const weft_table *table, uint32_t row, uint32_t change_set)
{
    weft_row_edited(table, row, change_set, 0);
}

// Marks a row for readers of changes to a component, if there are any. weft_row_added also marks it
// as changed, because an addition is a change.
static inline void weft_row_changed(const weft_plan *plan, const weft_table *table, uint32_t row,
                                    uint32_t component)
{
    uint16_t change_set = plan->components[component].changed;
    if (table->change_bits.set_count == 0 || change_set == WEFT_NONE) return;
    weft_row_mark(table, row, change_set);
}

static inline void weft_row_added(const weft_plan *plan, const weft_table *table, uint32_t row,
                                  uint32_t component)
{
    uint16_t change_set = plan->components[component].added;
    weft_row_changed(plan, table, row, component);
    if (table->change_bits.set_count == 0 || change_set == WEFT_NONE) return;
    weft_row_mark(table, row, change_set);
}

// Returns the address of a field of a table component in a row, in any layout. `field` is its
// index.
static inline void *weft_row_member(const weft_plan *plan, const weft_table *table, uint32_t row,
                                    uint32_t component, uint32_t field)
{
    const weft_component_info *info = &plan->schema->components[component];
    uint32_t column = plan->components[component].first_column + (info->soa ? field : 0u);
    size_t offset = info->soa ? 0 : info->fields[field].offset;
    return (unsigned char *)weft_column(table, column) + (size_t)row * plan->columns[column].size +
           offset;
}

#endif
