// Tables: all entities with an equal set of table components, as contiguous columns.
//
//   weft_table | column[0] handles | column[1] … | bitsets …     pointers by column, NULL: absent
//
// The column pointers lie right behind the struct, so that reaching one is an add, not a load.
// Those of the columns that the table has are never NULL, even before there is memory for a row.
//
// In a schema of hundreds of columns a table has few of them. There only the first pointers lie
// behind the struct, and the others in groups of eight, of which the table keeps those that it has
// columns of, with an empty one for all others; tables without such columns share that. What a
// table knows of its bitsets, and the groups of their pointers, come with the first with memory.
//
//   weft_table | column[0] … column[31] | group_of: 0 0 1 0 2 …    groups: none | 48-55 | 64-71
//
// Rows are dense from 0 to count; the last row fills the hole of a removed one.
//
// A small table is one heap block or, in a world of many tables, its columns lie on shelves beside
// those of other tables (store/shelves.h). Past WEFT_HEAP_BYTES_MAX, and a page a column, it moves
// once into one reservation of max_entities rows a column. From then on growing copies nothing: it
// commits the next few pages of each column. Where there is no address space, and in hard mode, it
// stays on the heap.
//
//   heap          | handles | position | velocity.x | …
//   reservation   | handles →      |  position →      |   velocity.x →      …
//
// Page-aligned columns would compete for one group of cache sets, so the k-th column of a large
// table begins (k * 53 * 64) mod 4096 bytes into its page; smaller columns lie 5 cache lines apart.
//
// store/columns.h opens, grows and closes a table, store/row.h copies and drops its rows,
// store/bitset.h has the bits of its rows, and store/tables.h the set of all tables.
#ifndef WEFT_TABLE_H
#define WEFT_TABLE_H

#include "change_bits.h"
#include "entity.h"

// This many columns have pointers behind the struct in each table; all of them have in a schema
// that the generator does not call grouped. In hard mode nearly all columns of any schema are in
// groups, so that tests of small schemas reach those too.
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

// The cache of query/sparse_rows.h about a table and a sparse component. All zero: it is empty.
typedef struct weft_sparse_rows {
    weft_region entries; // a pointer to each value, the rows, and a copy of the store's owners
    const unsigned char *base; // of the store's values when entries were made; NULL: not yet
    uint64_t change_count;     // of the store when `count` was made
    uint32_t count;            // rows that have it
    uint32_t space;            // for as many pointers, rows and owners
    uint32_t moves;            // of the world when entries were made
    bool counted;              // since then no row with it was added, removed or moved
} weft_sparse_rows;

typedef struct weft_table {
    uint32_t id;
    uint16_t present_count; // columns it has, handles included, bitsets not
    uint16_t bitset_count;  // bitsets with memory
    uint16_t rest_first;    // the first of `present` that `copy` leaves out; 1 without it
    uint16_t last_added;    // component of the edge followed last, to `with`; WEFT_NONE: none yet
    uint16_t last_removed;  // component of the edge followed last, to `without`
    uint16_t group_count;   // of pointers of columns that have none behind the struct
    bool grouped;           // there are such columns
    bool listed;            // in the lists of queries, see world/listing.h
    bool placed;            // these have space for it, listed or not
    bool large;             // among those that get large pages, see store/tables.h
    struct weft_table *with;
    struct weft_table *without;
    weft_prefab_copy copy;      // of the largest prefab it has all columns of; NULL: there is none
    weft_prefab_shift shift;    // of the prefab with exactly its columns, else that of world/move.c
    weft_prefab_end end;        // likewise
    weft_present *present;      // handles, then what `copy` copies, then the rest; else ascending
    uint16_t *bitsets;          // columns of the bitsets with memory, oldest first
    uint32_t *bitset_counts;    // by bitset: how many bits are set, if it is a tag's
    uint64_t *set;              // the table components; set_words words
    weft_region *bitset_memory; // by bitset; NULL: none ever had memory
    weft_sparse_rows *sparse_rows; // by store, likewise
    uint16_t *group_of;            // by group of columns: which of `groups` it is, 0: the empty one
    void **groups;                 // WEFT_GROUP_COLUMNS pointers each
    void *bits;                    // memory of what came with the first bitset, if it is apart
    size_t bits_bytes;
    weft_change_bits change_bits; // what readers of changes have yet to see
    unsigned char *rows;          // the block of the columns; NULL: none, or they are on shelves
    size_t rows_bytes;            // heap: of the block or slots; reserved: committed
    size_t rows_reserved;         // 0: on the heap
    uint32_t bytes;               // of this struct with everything behind it
    uint32_t capacity_kept;       // of a table that is not listed: its capacity is 0 meanwhile
    uint32_t enlarged;            // rows whose columns lie in large pages, as far as these are full
    uint32_t classes_taken;       // before the first column of the reservation, see layout.h
    struct weft_shelves *shelves; // where small columns lie, see shelves.h; NULL: in a block
#if UINTPTR_MAX <= UINT32_MAX
    uint32_t reserved; // zero
#endif
    // The rest begins a cache line, with the first column pointers behind it, and a walk over many
    // small tables touches no other line of theirs.
    uint32_t count;    // rows
    uint32_t capacity; // rows with memory
} weft_table;

WEFT_STATIC_ASSERT(sizeof(void *) != 8 || offsetof(weft_table, count) % WEFT_LINE_BYTES == 0,
                   "the rows of a table are counted in the line of its column pointers");

// Returns whether tables of the schema have groups of pointers, and the group that a column without
// a direct pointer is in.
static inline bool weft_has_groups(const weft_plan *plan)
{
#ifdef WEFT_HARD
    return plan->column_count > WEFT_DIRECT_COLUMNS;
#else
    return plan->format.grouped;
#endif
}

// Tells the compiler how a table of the format lies.
WEFT_ALWAYS_INLINE void weft_take_layout(weft_format f, const weft_table *table)
{
    (void)f; // not all compilers are told
    (void)table;
#ifndef WEFT_HARD
    WEFT_TAKEN(f.grouped == table->grouped);
#endif
}

static inline uint32_t weft_group_of(uint32_t column)
{
    return (column - WEFT_DIRECT_COLUMNS) / WEFT_GROUP_COLUMNS;
}

// Returns the next part of the memory of a table, which begin at multiples of 8; only counts its
// bytes while there is no memory yet.
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

// Gives a column a pointer of its own, for which there is memory.
static inline void weft_column_give_place(weft_table *table, uint32_t column)
{
    if (column < WEFT_DIRECT_COLUMNS || !table->grouped) return;
    uint16_t *group = &table->group_of[weft_group_of(column)];
    if (*group == 0) *group = table->group_count++;
}

// Returns where the pointer of a column lies; one of the empty group is only read.
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

// The element of a row in a column that the table has.
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

// Marks a row in a change set of a component that the row has. Where every table with it is known
// to keep the first `sets` change sets, nothing of their places is looked up; 0: it varies.
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

// Marks a row for readers of changes to a component, if there are any: its value changed, or it was
// added, which is a change too.
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

// Returns where a field of a table component lies in a row, in any layout. `field` is its index.
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
