// The walk of a query: the passing rows, table by table, as ranges. cursor.h provides runs of rows;
// this header provides masks, lists and the values of rows.
//
// Generated code passes two small functions for each query or system:
//   match   decides from the components of a table, and from how many rows have a tag or a sparse
//           component, whether none, some or all of its rows pass. O(1), except that the rows of a
//           sparse component are counted again if values were added or removed
//   filter  returns which rows pass, in words of 64 rows. These are the words of a bitset if that
//           decides alone; else they are computed. Only called if `match` returns some
//
// The inline functions below take both as constants, so they are inlined into the loop. Tables are
// visited in canonical order, rows ascending. A filter is called for up to WEFT_MASK_WORDS words at
// a time, within one stretch of change bits. A word of zeros skips 64 rows.
//
// If few rows have a sparse component, the walk uses their list instead (sparse_rows.h): it reads
// no bits, and the values come with the rows.
#ifndef WEFT_QUERY_H
#define WEFT_QUERY_H

#include "cursor.h"

#define WEFT_SPARSE_ROWS 1024u // longest range with pointers to sparse values
#define WEFT_LIST_ROWS 1024u   // longest list; it may have as many pointers

// The passing rows of the current range, ascending, relative to its first row: for rows = "list".
typedef struct weft_list {
    const uint32_t *row; // points into the table's list of sparse rows, or to `found`
    uint32_t count;
    uint32_t found[WEFT_LIST_ROWS];
} weft_list;

// Advances to the next range with a passing row, and stores the mask of its passing rows, for rows
// = "mask". A range begins at a multiple of 64 rows and is as long as the table allows, at most
// rows_max, a multiple of 64.
WEFT_ALWAYS_INLINE bool weft_next_mask(weft_cursor *c, weft_match_table match, weft_filter filter,
                                       uint32_t rows_max, weft_rows *rows)
{
    for (;;) {
        if (!c->table || c->row == c->rows_end) {
            if (!weft_cursor_enter(c, match)) return false;
        }
        weft_cursor_load(c, filter, rows_max);
        c->row = c->chunk_end;
        c->first = c->chunk;
        c->count = c->chunk_end - c->chunk;
        if (c->words == 0) continue;
        rows->mask = weft_cursor_mask(c);
        rows->words = c->words;
        rows->word = 0;
        rows->bits = 0;
        return true;
    }
}

// Lists the next sparse rows. If rows_max is UINT32_MAX, the list is not copied, and the range
// begins at row 0 and ends after its last row. Otherwise the range begins at the first row, and the
// row numbers are copied.
WEFT_ALWAYS_INLINE void weft_list_sparse_rows(weft_cursor *c, uint32_t rows_max, weft_list *list)
{
    const uint32_t *row = c->listed_rows + c->next;
    size_t left = c->end - c->next;
    uint32_t count = left < WEFT_LIST_ROWS ? (uint32_t)left : WEFT_LIST_ROWS;
    list->row = row;
    c->first = 0;
    if (rows_max != UINT32_MAX) {
        uint32_t capacity = count;
        list->row = list->found;
        c->first = row[0];
        for (count = 0; count < capacity && row[count] - row[0] < rows_max; count++) {
            list->found[count] = row[count] - row[0];
        }
    }
    list->count = count;
    c->count = list->row[count - 1] + 1;
    c->values = c->listed_values + c->next;
    c->next += count;
}

// Lists all rows of a range of the length of a list.
WEFT_ALWAYS_INLINE void weft_list_whole(weft_cursor *c, weft_list *list)
{
    weft_cursor_whole(c, WEFT_LIST_ROWS);
    for (uint32_t k = 0; k < c->count; k++) list->found[k] = k;
    list->row = list->found;
    list->count = c->count;
}

// Lists the rows of masks, word by word, while there is space for another word. If rows_max limits
// the range, it ends with its mask.
WEFT_ALWAYS_INLINE void weft_list_masks(weft_cursor *c, weft_filter filter, uint32_t rows_max,
                                        weft_list *list)
{
    c->first = c->row;
    list->row = list->found;
    list->count = 0;
    while (c->row != c->rows_end && list->count <= WEFT_LIST_ROWS - 64) {
        if (c->row == c->chunk_end) {
            if (rows_max != UINT32_MAX && c->row != c->first) break;
            weft_cursor_load(c, filter, rows_max);
        }
        uint64_t later = c->words & ~(uint64_t)0 << ((c->row - c->chunk) / 64);
        if (later == 0) {
            c->row = c->chunk_end;
            continue;
        }
        uint32_t word = weft_lowest_bit(later);
        uint32_t row = c->chunk + word * 64;
        uint32_t count = list->count;
        for (uint64_t bits = weft_cursor_mask(c)[word]; bits != 0;) {
            list->found[count++] = row - c->first + weft_bits_pop(&bits);
        }
        list->count = count;
        c->row = c->chunk_end - row > 64 ? row + 64 : c->chunk_end;
    }
    c->count = c->row - c->first;
}

// Advances to the next list of passing rows, for rows = "list". Lists are never empty. Its range is
// at most rows_max long (a multiple of 64; UINT32_MAX: no limit).
WEFT_ALWAYS_INLINE bool weft_next_list(weft_cursor *c, weft_match_table match, weft_filter filter,
                                       uint32_t rows_max, weft_list *list)
{
    for (;;) {
        if (c->next != c->end) {
            weft_list_sparse_rows(c, rows_max, list);
            return true;
        }
        if (!c->table || c->listed_rows || c->row == c->rows_end) {
            if (!weft_cursor_enter(c, match)) return false;
            if (c->listed_rows) continue;
        }
        if (c->whole) {
            weft_list_whole(c, list);
        } else {
            weft_list_masks(c, filter, rows_max, list);
        }
        if (list->count != 0) return true;
    }
}

// Marks the rows of the range, if any, in a change set that their table keeps.
static inline void weft_cursor_mark(const weft_cursor *c, uint32_t change_set)
{
    const weft_table *table = c->table;
    if (table)
        weft_mark_range(&table->change_bits, table->change_bits.slots[change_set], c->first,
                        c->count);
}

// Marks the passing rows of a range with a mask.
static inline void weft_cursor_mark_rows(const weft_cursor *c, uint32_t change_set)
{
    const weft_table *table = c->table;
    if (!table) return;
    weft_mark_mask(&table->change_bits, table->change_bits.slots[change_set], c->first,
                   weft_cursor_mask(c), (c->count + 63) / 64);
}

// Marks the rows of a list.
static inline void weft_cursor_mark_list(const weft_cursor *c, uint32_t change_set,
                                         const weft_list *list)
{
    const weft_table *table = c->table;
    if (!table) return;
    weft_change_set bits =
        weft_change_set_of(&table->change_bits, table->change_bits.slots[change_set]);
    for (uint32_t k = 0; k < list->count; k++) weft_change_set_mark(bits, c->first + list->row[k]);
}

// Returns the value of row i of the range in a sparse store, or NULL if it has none. `size` is that
// of a value, a constant in generated code.
WEFT_ALWAYS_INLINE void *weft_sparse_row(const weft_cursor *c, weft_format f, uint32_t store,
                                         uint32_t i, size_t size)
{
    uint64_t handle = weft_handle_load(f, weft_column(c->table, 0), c->first + i);
    return weft_sparse_find_as(&c->world->sparse[store], weft_handle_index(f, handle), size);
}

// Returns the value of the component given to weft_cursor_begin_over, for rows with a mask. It must
// be called for each passing row in order.
WEFT_ALWAYS_INLINE void *weft_next_value(weft_cursor *c, weft_format f, uint32_t store, uint32_t i,
                                         size_t size)
{
    return c->listed_rows ? c->listed_values[c->next++] : weft_sparse_row(c, f, store, i, size);
}

// Returns whether the row of an entity passes a query. O(1).
WEFT_ALWAYS_INLINE bool weft_query_passes(const weft_world *world, weft_format f, uint32_t query,
                                          weft_filter filter, uint64_t handle)
{
    weft_place at;
    uint64_t word;
    if (!weft_find(&world->entities, f, handle, &at)) return false;
    const weft_table *table = world->tables.items[at.table];
    return world->plan->queries[query].matches(table) &&
           (filter(table, at.row / 64, 1, &word)[0] >> (at.row % 64) & 1u) != 0;
}

// Like weft_next, if weft_next_value returns the values: a walk along sparse rows has no mask.
WEFT_ALWAYS_INLINE bool weft_next_valued(const weft_cursor *c, weft_rows *rows, uint32_t *row)
{
    if (!c->listed_rows) return weft_next(rows, row);
    if (c->next == c->end || c->listed_rows[c->next] - c->first >= c->count) return false;
    *row = c->listed_rows[c->next] - c->first;
    return true;
}

// Returns the number of rows of a query that pass. O(tables) if whole tables pass, else O(rows /
// 64).
WEFT_ALWAYS_INLINE size_t weft_query_count(const weft_world *world, const weft_query *query,
                                           weft_match_table match, weft_filter filter)
{
    weft_cursor c;
    size_t passing = 0;
    weft_cursor_begin(&c, world, query);
    while (weft_cursor_enter(&c, match)) {
        if (c.whole) passing += c.count;
        for (; !c.whole && c.row != c.rows_end; c.row = c.chunk_end) {
            weft_cursor_load(&c, filter, UINT32_MAX);
            passing += weft_bits_count(weft_cursor_mask(&c), (c.chunk_end - c.chunk + 63) / 64);
        }
    }
    return passing;
}

// Returns the handle of the only row of a query that passes, or 0 if there is none or more than
// one. It stops at the second. O(tables) if whole tables pass, else O(rows / 64).
static inline uint64_t weft_query_only(const weft_world *world, const weft_query *query,
                                       weft_match_table match, weft_filter filter)
{
    weft_cursor c;
    uint64_t only = 0;
    weft_cursor_begin(&c, world, query);
    while (weft_next_run_apart(&c, match, filter, UINT32_MAX)) {
        if (only != 0 || c.count != 1) return 0;
        only = weft_handle_load(world->plan->format, weft_column(c.table, 0), c.first);
    }
    return only;
}

// Match and filter of a query that needs no filter.
static inline weft_table_match weft_match_all(const weft_world *world, const weft_table *table)
{
    (void)world;
    (void)table;
    return WEFT_MATCH_ALL;
}

static inline const uint64_t *weft_filter_all(const weft_table *table, uint32_t first_word,
                                              uint32_t words, uint64_t *mask)
{
    (void)table;
    (void)first_word;
    for (uint32_t i = 0; i < words; i++) mask[i] = ~(uint64_t)0;
    return mask;
}

#endif
