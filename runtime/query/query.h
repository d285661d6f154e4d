// Walking a query: the rows that pass, table by table, as ranges.
//
// Generated code gives two small functions a query (or system):
//   match  decides for a whole table, by its components and how many rows have a tag or a sparse
//           component, whether none, all or some of its rows pass: O(1), but that members of sparse
//           ones are counted if some came or went;
//   filter  gives, for 64 rows a word, which rows pass: a bitset's own words where they say it, else
//           computed. Only asked where `match` says some.
// Both are constants to the inline functions below and vanish into the loop. Tables come in
// canonical order, rows ascending. A filter is computed for up to WEFT_MASK_WORDS words at a time,
// none beyond the stretch of marks that the first is in; a word of zeros skips 64 rows.
#ifndef WEFT_QUERY_H
#define WEFT_QUERY_H

#include "../world/report.h"
#include "part.h"
#include "sparse_rows.h"

#define WEFT_MASK_WORDS 64u    // 4096 rows: a mask of 512 bytes
#define WEFT_SPARSE_ROWS 1024u // longest range with pointers to sparse values
#define WEFT_LIST_ROWS 1024u   // most rows of a list, of which there are pointers too

typedef enum weft_table_match { WEFT_MATCH_NONE, WEFT_MATCH_SOME, WEFT_MATCH_ALL } weft_table_match;

typedef weft_table_match (*weft_match_table)(const weft_world *world, const weft_table *table);
// Either fills `mask` and returns it, or returns words that have no bits past the last row.
typedef const uint64_t *(*weft_filter)(const weft_table *table, uint32_t first_word, uint32_t words,
                                       uint64_t *mask);

// WEFT_MASK_WORDS words of zeros, and of ones: what a filter reads where a table has no bitset, or
// where a component of the expression is decided by the table.
extern const uint64_t weft_no_rows[WEFT_MASK_WORDS];
extern const uint64_t weft_all_rows[WEFT_MASK_WORDS];

// The words of a bitset from first_word on.
static inline const uint64_t *weft_bitset_words(const weft_table *table, uint32_t column,
                                                uint32_t first_word)
{
    const uint64_t *words = (const uint64_t *)weft_column(table, column);
    return words ? words + first_word : weft_no_rows;
}

// The words of a table component: all or none.
static inline const uint64_t *weft_component_words(const weft_table *table, uint32_t column)
{
    return weft_column(table, column) ? weft_all_rows : weft_no_rows;
}

// Passing rows of the range at hand, ascending, counted from its first: for rows = "list".
typedef struct weft_list {
    const uint32_t *row; // where an order has them, or the following
    uint32_t count;
    uint32_t found[WEFT_LIST_ROWS];
} weft_list;

typedef struct weft_cursor {
    const weft_table *table; // the range at hand: `count` rows of the table from `first` on
    uint32_t first;
    uint32_t count;
    const weft_world *world;
    weft_table *const *tables; // those not begun
    uint32_t tables_left;
    uint32_t first_row; // of the next table
    uint32_t end_row;   // of the last table, if it has as many
    uint32_t rows_end;  // of the table at hand
    uint32_t version;   // of the world when it began
    uint32_t row;       // next row of the table to look at
    uint32_t chunk;     // first row that the mask speaks of
    uint32_t chunk_end; // row after the last
    bool whole;         // every row of the table passes
    uint32_t store;     // of the sparse component that exactly the passing rows have, if `column`
    uint32_t column;    // its bitset; 0: there is no such component
    const uint32_t *listed_rows; // of the order of the table; NULL: there is none
    void *const *listed_values;
    // The entry of the order to look at, and the one behind the last. size_t, so that where that is
    // wider a store of a row number cannot be taken for one to them, and a loop need not read them
    // again.
    size_t next;
    size_t end;
    void *const *values; // of the rows at hand, all of which pass; NULL: to be looked up
    uint64_t words;      // of the mask: which are not 0
    const uint64_t
        *bitset; // the mask, where it is the words of a bitset; NULL: it is the following
    uint64_t computed[WEFT_MASK_WORDS];
} weft_cursor;

WEFT_ALWAYS_INLINE void weft_cursor_begin(weft_cursor *c, const weft_world *world,
                                          const weft_query *query)
{
    c->table = NULL;
    c->world = world;
    c->tables = query->tables;
    c->tables_left = query->count;
    c->first_row = 0;
    c->end_row = UINT32_MAX;
    c->rows_end = 0;
    c->version = weft_version(world);
    c->row = 0;
    c->chunk = 0;
    c->chunk_end = 0;
    c->whole = false;
    c->column = 0;
    c->listed_rows = NULL;
    c->listed_values = NULL;
    c->next = 0;
    c->end = 0;
    c->values = NULL;
    c->bitset = NULL;
}

// Keeps a walk that has just begun to no rows.
WEFT_ALWAYS_INLINE void weft_cursor_keep_to_none(weft_cursor *c)
{
    c->tables_left = 0;
}

// Keeps a walk that has just begun to a part of the rows.
WEFT_ALWAYS_INLINE void weft_cursor_keep_to(weft_cursor *c, const weft_part *part)
{
    c->tables += part->first_table;
    c->tables_left = part->last_table - part->first_table + 1;
    c->first_row = part->first_row;
    c->end_row = part->end_row;
}

// For a query whose filter is the bitset of a sparse component: where a table has an order, runs and
// lists come with `values`, and of masks they are taken by weft_next_value.
WEFT_ALWAYS_INLINE void weft_cursor_begin_over(weft_cursor *c, const weft_world *world,
                                               const weft_query *query, uint32_t store,
                                               uint32_t column)
{
    weft_cursor_begin(c, world, query);
    c->store = store;
    c->column = column;
}

// Which rows of the chunk pass.
static inline const uint64_t *weft_cursor_mask(const weft_cursor *c)
{
    return c->bitset ? c->bitset : c->computed;
}

// Whether the world had a structural change since the cursor began; asserts in debug builds, and
// says so in release builds.
static inline bool weft_cursor_stale(const weft_cursor *c)
{
    WEFT_ASSERT(c->version, ==, weft_version(c->world),
                "an iterator was used after a structural change");
    if (WEFT_LIKELY(c->version == weft_version(c->world))) return false;
    weft_report_stale(c->world, "an iterator");
    return true;
}

// Whole tables: for queries whose filter is decided by the components of the table alone.
WEFT_ALWAYS_INLINE bool weft_next_table(weft_cursor *c)
{
    while (c->tables_left != 0) {
        const weft_table *table = *c->tables++;
        uint32_t first = c->first_row;
        uint32_t end = table->count;
        c->tables_left--;
        c->first_row = 0;
        if (c->tables_left == 0 && c->end_row < end) end = c->end_row;
        if (first == end) continue;
        c->table = table;
        c->first = first;
        c->count = end - first;
        return true;
    }
    return false;
}

// Takes up the order of the table, if there is one.
WEFT_ALWAYS_INLINE void weft_cursor_sparse_rows(weft_cursor *c)
{
    const weft_sparse_rows *listed = weft_sparse_rows_of(c->world, c->table, c->store, c->column);
    c->listed_rows = listed ? weft_sparse_rows_numbers(listed) : NULL;
    c->listed_values = listed ? weft_sparse_rows_values(listed) : NULL;
    c->next = listed ? weft_sparse_rows_from(listed, c->first) : 0;
    c->end = listed ? weft_sparse_rows_from(listed, c->rows_end) : 0;
    c->values = NULL;
}

// Goes on along the order, past the rows at hand.
WEFT_ALWAYS_INLINE void weft_cursor_pass(weft_cursor *c, uint32_t rows)
{
    c->values = c->listed_values + c->next;
    c->next += rows;
}

// Moves on to the next table in which some row may pass.
WEFT_ALWAYS_INLINE bool weft_cursor_enter(weft_cursor *c, weft_match_table match)
{
    while (weft_next_table(c)) {
        weft_table_match passing = match(c->world, c->table);
        if (passing == WEFT_MATCH_NONE) continue;
        c->whole = passing == WEFT_MATCH_ALL;
        c->row = c->first;
        c->rows_end = c->first + c->count;
        c->chunk_end = c->row;
        if (c->column != 0) weft_cursor_sparse_rows(c);
        return true;
    }
    c->table = NULL;
    return false;
}

// Which of at most 64 words of a mask are not 0.
static inline uint64_t weft_mask_words(const uint64_t *mask, uint32_t words)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < words; i++) found |= (uint64_t)(mask[i] != 0) << i;
    return found;
}

// Gets the mask of the next rows of the table, at most rows_max, from c->row (a multiple of 64) on.
WEFT_ALWAYS_INLINE void weft_cursor_load(weft_cursor *c, weft_filter filter, uint32_t rows_max)
{
    uint32_t words_max = rows_max < WEFT_MASK_WORDS * 64 ? rows_max / 64 : WEFT_MASK_WORDS;
    uint32_t rows = c->rows_end - c->row;
    if (rows > words_max * 64) rows = words_max * 64;
    uint32_t words = (rows + 63) / 64;
    const uint64_t *mask = filter(c->table, c->row / 64, words, c->computed);
    c->bitset = mask == c->computed ? NULL : mask;
    if (!c->bitset && rows % 64 != 0) c->computed[words - 1] &= ((uint64_t)1 << (rows % 64)) - 1;
    c->words = weft_mask_words(mask, words);
    c->chunk = c->row;
    c->chunk_end = c->row + rows;
}

// The first row in [row, end) whose bit is not `skip` (all ones skips ones, 0 skips zeros); else
// end.
static inline uint32_t weft_mask_skip(const uint64_t *mask, uint32_t row, uint32_t end,
                                      uint64_t skip)
{
    while (row < end) {
        uint64_t rest = (mask[row / 64] ^ skip) >> (row % 64);
        if (rest != 0) {
            row += weft_lowest_bit(rest);
            return row < end ? row : end;
        }
        row = (row / 64 + 1) * 64;
    }
    return end;
}

// The first row in [row, end), which is not empty, that a mask has; else end. words: which of it
// are not 0.
static inline uint32_t weft_mask_find(const uint64_t *mask, uint64_t words, uint32_t row,
                                      uint32_t end)
{
    uint64_t rest = mask[row / 64] >> (row % 64);
    uint64_t later = words & ~(uint64_t)0 << (row / 64) << 1;
    if (rest != 0) {
        row += weft_lowest_bit(rest);
    } else if (later != 0) {
        uint32_t word = weft_lowest_bit(later);
        row = word * 64 + weft_lowest_bit(mask[word]);
    } else {
        row = end;
    }
    return row < end ? row : end;
}

// The run that the next value stands in, along the order.
static inline void weft_cursor_run(weft_cursor *c, uint32_t rows_max)
{
    const uint32_t *rows = c->listed_rows;
    uint32_t first = rows[c->next];
    uint32_t count = 1;
    for (size_t at = c->next + 1; at != c->end; at++) {
        if (rows[at] != first + count || count == rows_max) break;
        count++;
    }
    c->first = first;
    c->count = count;
    weft_cursor_pass(c, count);
}

// Runs of passing rows, none longer than rows_max (a multiple of 64; UINT32_MAX: as long as may
// be). Where a table passes in part, runs also end where a mask does.
WEFT_ALWAYS_INLINE bool weft_next_run(weft_cursor *c, weft_match_table match, weft_filter filter,
                                      uint32_t rows_max)
{
    for (;;) {
        if (c->next != c->end) {
            weft_cursor_run(c, rows_max);
            return true;
        }
        if (!c->table || c->listed_rows || c->row == c->rows_end) {
            if (!weft_cursor_enter(c, match)) return false;
            if (c->listed_rows) continue;
        }
        if (c->whole) {
            uint32_t left = c->rows_end - c->row;
            c->first = c->row;
            c->count = left < rows_max ? left : rows_max;
            c->row += c->count;
            return true;
        }
        if (c->row == c->chunk_end) {
            weft_cursor_load(c, filter, rows_max);
        }
        const uint64_t *mask = weft_cursor_mask(c);
        uint32_t rows = c->chunk_end - c->chunk;
        uint32_t first = weft_mask_find(mask, c->words, c->row - c->chunk, rows);
        uint32_t end = weft_mask_skip(mask, first, rows, ~(uint64_t)0);
        c->row = c->chunk + end;
        if (first == end) continue;
        c->first = c->chunk + first;
        c->count = end - first;
        return true;
    }
}

// Ranges with a mask of which rows pass (at least one does), for rows = "mask". They begin at a
// multiple of 64 rows and are as long as the table allows, but no longer than rows_max, a multiple
// of 64.
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

// How many of the rows that come next along the order make a list.
WEFT_ALWAYS_INLINE uint32_t weft_list_capacity(const weft_cursor *c)
{
    size_t left = c->end - c->next;
    return left < WEFT_LIST_ROWS ? (uint32_t)left : WEFT_LIST_ROWS;
}

// The rows that come next along the order, as they lie there; a range of all rows up to the last.
WEFT_ALWAYS_INLINE void weft_list_sparse_rows(weft_cursor *c, weft_list *list)
{
    list->row = c->listed_rows + c->next;
    list->count = weft_list_capacity(c);
    c->first = 0;
    c->count = list->row[list->count - 1] + 1;
    weft_cursor_pass(c, list->count);
}

// The same where a range has no more than rows_max: it begins at the first of them.
WEFT_ALWAYS_INLINE void weft_list_near(weft_cursor *c, uint32_t rows_max, weft_list *list)
{
    const uint32_t *row = c->listed_rows + c->next;
    uint32_t room = weft_list_capacity(c);
    uint32_t count = 0;
    for (; count < room && row[count] - row[0] < rows_max; count++) {
        list->found[count] = row[count] - row[0];
    }
    list->row = list->found;
    list->count = count;
    c->first = row[0];
    c->count = row[count - 1] - row[0] + 1;
    weft_cursor_pass(c, count);
}

// All rows of a range, which is as long as a list.
WEFT_ALWAYS_INLINE void weft_list_whole(weft_cursor *c, weft_list *list)
{
    uint32_t left = c->rows_end - c->row;
    c->first = c->row;
    c->count = left < WEFT_LIST_ROWS ? left : WEFT_LIST_ROWS;
    c->row += c->count;
    for (uint32_t k = 0; k < c->count; k++) list->found[k] = k;
    list->row = list->found;
    list->count = c->count;
}

// Appends the rows of a word of a mask, the first of which is `row`. There is room for 64.
static inline void weft_list_word(weft_list *list, uint64_t bits, uint32_t row)
{
    uint32_t count = list->count;
    for (; bits != 0; bits &= bits - 1) list->found[count++] = row + weft_lowest_bit(bits);
    list->count = count;
}

// The rows of masks, word by word, while there is room for those of another one. A range of no more
// than rows_max ends with its mask.
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
        weft_list_word(list, weft_cursor_mask(c)[word], row - c->first);
        c->row = c->chunk_end - row > 64 ? row + 64 : c->chunk_end;
    }
    c->count = c->row - c->first;
}

// Lists of passing rows, for rows = "list"; none is empty. The range that a list speaks of is no
// longer than rows_max (a multiple of 64; UINT32_MAX: as long as may be).
WEFT_ALWAYS_INLINE bool weft_next_list(weft_cursor *c, weft_match_table match, weft_filter filter,
                                       uint32_t rows_max, weft_list *list)
{
    for (;;) {
        if (c->next != c->end) {
            if (rows_max == UINT32_MAX) {
                weft_list_sparse_rows(c, list);
            } else {
                weft_list_near(c, rows_max, list);
            }
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

// Marks the rows at hand, if any, in a change set that their table keeps.
static inline void weft_cursor_mark(const weft_cursor *c, uint32_t change_set)
{
    const weft_table *table = c->table;
    if (table)
        weft_mark_range(&table->change_bits, table->change_bits.slots[change_set], c->first,
                        c->count);
}

// The same of those that pass, where a range has a mask.
static inline void weft_cursor_mark_rows(const weft_cursor *c, uint32_t change_set)
{
    const weft_table *table = c->table;
    if (!table) return;
    weft_mark_mask(&table->change_bits, table->change_bits.slots[change_set], c->first,
                   weft_cursor_mask(c), (c->count + 63) / 64);
}

// The same of those in a list.
static inline void weft_cursor_mark_list(const weft_cursor *c, uint32_t change_set,
                                         const weft_list *list)
{
    const weft_table *table = c->table;
    if (!table) return;
    weft_change_set marks =
        weft_change_set_of(&table->change_bits, table->change_bits.slots[change_set]);
    for (uint32_t k = 0; k < list->count; k++) weft_change_set_mark(marks, c->first + list->row[k]);
}

// The value that row i of the range at hand has in a sparse store; NULL: none. `size` is that of a
// value, a constant in generated code.
WEFT_ALWAYS_INLINE void *weft_sparse_row(const weft_cursor *c, weft_format f, uint32_t store,
                                         uint32_t i, size_t size)
{
    uint64_t handle = weft_handle_load(f, weft_column(c->table, 0), c->first + i);
    return weft_sparse_find_as(&c->world->sparse[store], weft_handle_index(f, handle), size);
}

// The same for the component that weft_cursor_begin_over told of, where rows come with a mask;
// asked for every passing row, one after the other.
WEFT_ALWAYS_INLINE void *weft_next_value(weft_cursor *c, weft_format f, uint32_t store, uint32_t i,
                                         size_t size)
{
    return c->listed_rows ? c->listed_values[c->next++] : weft_sparse_row(c, f, store, i, size);
}

// Whether an entity is a row of a query that passes. O(1).
WEFT_ALWAYS_INLINE bool weft_query_passes(const weft_world *world, weft_format f, uint32_t query,
                                          weft_filter filter, uint64_t handle)
{
    weft_place at;
    uint64_t word;
    if (!weft_find(&world->entities, f, handle, &at)) return false;
    const weft_table *table = world->tables.items[at.table];
    return world->plan->query_matches[query](table) &&
           (filter(table, at.row / 64, 1, &word)[0] >> (at.row % 64) & 1u) != 0;
}

// weft_next for rows whose values weft_next_value is asked for: along the order no bits are looked
// through.
WEFT_ALWAYS_INLINE bool weft_next_valued(const weft_cursor *c, weft_rows *rows, uint32_t *row)
{
    if (!c->listed_rows) return weft_next(rows, row);
    if (c->next == c->end || c->listed_rows[c->next] - c->first >= c->count) return false;
    *row = c->listed_rows[c->next] - c->first;
    return true;
}

// How many rows of the table that was entered last pass, of a cursor without an order.
WEFT_ALWAYS_INLINE size_t weft_cursor_count(weft_cursor *c, weft_filter filter)
{
    if (c->whole) return c->count;
    size_t passing = 0;
    for (; c->row != c->rows_end; c->row = c->chunk_end) {
        weft_cursor_load(c, filter, UINT32_MAX);
        passing += weft_bits_count(weft_cursor_mask(c), (c->chunk_end - c->chunk + 63) / 64);
    }
    return passing;
}

// How many rows of a query pass. O(tables) where whole tables pass, else O(rows / 64).
WEFT_ALWAYS_INLINE size_t weft_query_count(const weft_world *world, const weft_query *query,
                                           weft_match_table match, weft_filter filter)
{
    weft_cursor c;
    size_t passing = 0;
    weft_cursor_begin(&c, world, query);
    while (weft_cursor_enter(&c, match)) passing += weft_cursor_count(&c, filter);
    return passing;
}

// For queries that need no filter.
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
