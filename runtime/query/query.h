// The walk of a query: the rows that pass, table by table, as ranges.
//
// Generated code gives two small functions for each query or system:
//   match  decides for a whole table whether none, some or all of its rows pass, by its components
//           and by how many rows have a tag or a sparse component. It is O(1), except that the rows
//           of a sparse component are counted again if some came or went;
//   filter  gives, for 64 rows a word, which rows pass. These are the words of a bitset where that
//           alone decides, else they are computed. It is only asked where `match` says some.
// Both are constants to the inline functions below and vanish into the loop. Tables come in
// canonical order, rows ascending. A filter is asked for up to WEFT_MASK_WORDS words at a time,
// none beyond the stretch of change bits that the first lies in; a word of zeros skips 64 rows.
//
// A walk over a sparse component that few rows have goes along its sparse rows (sparse_rows.h)
// instead: no bit is looked at, and the values come with the rows.
#ifndef WEFT_QUERY_H
#define WEFT_QUERY_H

#include "../world/report.h"
#include "sparse_rows.h"

#define WEFT_MASK_WORDS 64u    // 4096 rows: a mask of 512 bytes
#define WEFT_SPARSE_ROWS 1024u // longest range with pointers to sparse values
#define WEFT_LIST_ROWS 1024u   // longest list; it may come with as many pointers

typedef enum weft_table_match { WEFT_MATCH_NONE, WEFT_MATCH_SOME, WEFT_MATCH_ALL } weft_table_match;

typedef weft_table_match (*weft_match_table)(const weft_world *world, const weft_table *table);
// A filter either fills `mask` and returns it, or returns words without bits past the last row.
typedef const uint64_t *(*weft_filter)(const weft_table *table, uint32_t first_word, uint32_t words,
                                       uint64_t *mask);

// WEFT_MASK_WORDS words of zeros, and of ones: a filter reads them where a table has no bitset, or
// where the table decides a component of the expression.
extern const uint64_t weft_no_rows[WEFT_MASK_WORDS];
extern const uint64_t weft_all_rows[WEFT_MASK_WORDS];

// Gives the words of a bitset from first_word on.
static inline const uint64_t *weft_bitset_words(const weft_table *table, uint32_t column,
                                                uint32_t first_word)
{
    const uint64_t *words = (const uint64_t *)weft_column(table, column);
    return words ? words + first_word : weft_no_rows;
}

// Gives the words of a table component: ones if the table has it, else zeros.
static inline const uint64_t *weft_component_words(const weft_table *table, uint32_t column)
{
    return weft_column(table, column) ? weft_all_rows : weft_no_rows;
}

// A part goes from a row of a table up to, and without, a row of this or a later table of the
// query.
typedef struct weft_part {
    uint32_t number;
    uint32_t first_table; // by its place in the query's list
    uint32_t first_row;
    uint32_t last_table;
    uint32_t end_row;
    uint32_t first_run; // of a depth order, which has no tables (query/depth.h)
    uint32_t end_run;
    struct weft_kept_writes *tag_writes;
} weft_part;

// The passing rows of the range at hand, ascending, counted from its first: for rows = "list".
typedef struct weft_list {
    const uint32_t *row; // among the sparse rows of the table, or `found`
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
    uint32_t version;   // of the world when the walk began
    uint32_t row;       // next row of the table to look at
    uint32_t chunk;     // first row of the mask, a multiple of 64
    uint32_t chunk_end; // row after its last
    bool whole;         // every row of the table passes
    uint32_t store;     // of the sparse component that exactly the passing rows have, if `column`
    uint32_t column;    // its bitset; 0: there is no such component
    const uint32_t *listed_rows; // sparse rows of the table; NULL: there are none
    void *const *listed_values;
    // The sparse row to look at, and the one behind the last. They are size_t because a store of a
    // row number then cannot alias them, so a loop need not read them again.
    size_t next;
    size_t end;
    void *const *values;    // of the rows at hand, which all pass; NULL: to be looked up
    uint64_t words;         // which words of the mask are not 0
    const uint64_t *bitset; // the mask, if it is the words of a bitset; NULL: it is `computed`
    uint64_t computed[WEFT_MASK_WORDS];
} weft_cursor;

// Begins a walk over all rows of a query. The other members are set when it enters its first table.
WEFT_ALWAYS_INLINE void weft_cursor_begin(weft_cursor *c, const weft_world *world,
                                          const weft_query *query)
{
    c->table = NULL;
    c->world = world;
    c->tables = query->tables;
    c->tables_left = query->count;
    c->first_row = 0;
    c->end_row = UINT32_MAX;
    c->version = weft_version(world);
    c->column = 0;
    c->listed_rows = NULL;
    c->listed_values = NULL;
    c->next = 0;
    c->end = 0;
    c->values = NULL;
}

// Leaves a walk that has just begun without rows.
WEFT_ALWAYS_INLINE void weft_cursor_keep_to_none(weft_cursor *c)
{
    c->tables_left = 0;
}

// Limits a walk that has just begun to a part of the rows.
WEFT_ALWAYS_INLINE void weft_cursor_keep_to(weft_cursor *c, const weft_part *part)
{
    c->tables += part->first_table;
    c->tables_left = part->last_table - part->first_table + 1;
    c->first_row = part->first_row;
    c->end_row = part->end_row;
}

// Begins the walk of a query whose filter is the bitset of a sparse component. Where a table has
// sparse rows, runs and lists come with `values`, and with masks weft_next_value gives them.
WEFT_ALWAYS_INLINE void weft_cursor_begin_over(weft_cursor *c, const weft_world *world,
                                               const weft_query *query, uint32_t store,
                                               uint32_t column)
{
    weft_cursor_begin(c, world, query);
    c->store = store;
    c->column = column;
}

// Gives the mask of the chunk: which of its rows pass.
static inline const uint64_t *weft_cursor_mask(const weft_cursor *c)
{
    return c->bitset ? c->bitset : c->computed;
}

// Returns whether the world had a structural change since the walk began, which debug builds assert
// and release builds report.
static inline bool weft_cursor_stale(const weft_cursor *c)
{
    WEFT_ASSERT(c->version, ==, weft_version(c->world),
                "an iterator was used after a structural change");
    if (WEFT_LIKELY(c->version == weft_version(c->world))) return false;
    weft_report_stale(c->world, "an iterator");
    return true;
}

// Steps to the next whole table: for queries that the components of a table decide alone.
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

// Looks up the sparse rows of the table, if there are any.
WEFT_ALWAYS_INLINE void weft_cursor_sparse_rows(weft_cursor *c)
{
    const weft_sparse_rows *listed = weft_sparse_rows_of(c->world, c->table, c->store, c->column);
    c->listed_rows = listed ? weft_sparse_rows_numbers(listed) : NULL;
    c->listed_values = listed ? weft_sparse_rows_values(listed) : NULL;
    c->next = listed ? weft_sparse_rows_from(listed, c->first) : 0;
    c->end = listed ? weft_sparse_rows_from(listed, c->rows_end) : 0;
    c->values = NULL;
}

// Steps to the next table in which some row may pass.
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

// Gets the mask of the next rows of the table, at most rows_max, up to the end of their stretch of
// change bits. It begins at a multiple of 64, which may lie before c->row.
WEFT_ALWAYS_INLINE void weft_cursor_load(weft_cursor *c, weft_filter filter, uint32_t rows_max)
{
    uint32_t chunk = c->row & ~63u;
    uint32_t stretch = WEFT_CHANGE_ROWS - chunk % WEFT_CHANGE_ROWS;
    uint32_t rows = c->rows_end - chunk;
    if (rows > stretch) rows = stretch;
    if (rows > rows_max) rows = rows_max;
    uint32_t words = (rows + 63) / 64;
    const uint64_t *mask = filter(c->table, chunk / 64, words, c->computed);
    c->bitset = mask == c->computed ? NULL : mask;
    if (!c->bitset && rows % 64 != 0) c->computed[words - 1] &= weft_bits_low(rows % 64);
    c->words = weft_words_occupied(mask, words);
    c->chunk = chunk;
    c->chunk_end = chunk + rows;
}

// Returns the first row in [row, end) that a mask does not have, else end.
static inline uint32_t weft_mask_end(const uint64_t *mask, uint32_t row, uint32_t end)
{
    while (row < end) {
        uint64_t rest = ~mask[row / 64] >> (row % 64);
        if (rest != 0) {
            row += weft_lowest_bit(rest);
            return row < end ? row : end;
        }
        row = (row / 64 + 1) * 64;
    }
    return end;
}

// Returns the first row in [row, end), which is not empty, that a mask has; else end. words: which
// words of the mask are not 0.
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

// Gives the run that begins at the next sparse row.
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
    c->values = c->listed_values + c->next;
    c->next += count;
}

// Gives the next rows of a table that passes whole.
WEFT_ALWAYS_INLINE void weft_cursor_whole(weft_cursor *c, uint32_t rows_max)
{
    uint32_t left = c->rows_end - c->row;
    c->first = c->row;
    c->count = left < rows_max ? left : rows_max;
    c->row += c->count;
}

// Gives the next run that the mask at hand has. False: it has no row more.
WEFT_ALWAYS_INLINE bool weft_cursor_found(weft_cursor *c)
{
    const uint64_t *mask = weft_cursor_mask(c);
    uint32_t rows = c->chunk_end - c->chunk;
    uint32_t first = weft_mask_find(mask, c->words, c->row - c->chunk, rows);
    uint32_t end = weft_mask_end(mask, first, rows);
    c->row = c->chunk + end;
    if (first == end) return false;
    c->first = c->chunk + first;
    c->count = end - first;
    return true;
}

// Gives the next run of a table that passes in part. False: no row is left that the mask at hand
// has.
WEFT_ALWAYS_INLINE bool weft_cursor_masked(weft_cursor *c, weft_filter filter, uint32_t rows_max)
{
    if (c->row == c->chunk_end) weft_cursor_load(c, filter, rows_max);
    return weft_cursor_found(c);
}

// Steps to the next run of passing rows, none longer than rows_max (a multiple of 64; UINT32_MAX:
// no limit). Where a table passes in part, runs also end where a mask does.
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
            weft_cursor_whole(c, rows_max);
            return true;
        }
        if (weft_cursor_masked(c, filter, rows_max)) return true;
    }
}

// Does so by a call, where speed hardly counts or code would be many times as much as it does: the
// systems of a large schema.
bool weft_next_run_apart(weft_cursor *c, weft_match_table match, weft_filter filter,
                         uint32_t rows_max);

// Steps to the next range in which a row passes, and gives the mask of those that do, for rows =
// "mask". A range begins at a multiple of 64 rows and is as long as the table allows, but no longer
// than rows_max, a multiple of 64.
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

// Lists the next sparse rows. Without rows_max they stay where they lie, and the range is all rows
// up to the last of them; else the range begins at the first, and their numbers are copied.
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

// Lists all rows of a range, which is as long as a list.
WEFT_ALWAYS_INLINE void weft_list_whole(weft_cursor *c, weft_list *list)
{
    weft_cursor_whole(c, WEFT_LIST_ROWS);
    for (uint32_t k = 0; k < c->count; k++) list->found[k] = k;
    list->row = list->found;
    list->count = c->count;
}

// Lists the rows of masks, word by word, while there is space for those of another word. If
// rows_max limits the range, it ends with its mask.
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

// Steps to the next list of passing rows, for rows = "list"; none is empty. Its range is no longer
// than rows_max (a multiple of 64; UINT32_MAX: no limit).
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

// Marks the rows at hand, if any, in a change set that their table keeps.
static inline void weft_cursor_mark(const weft_cursor *c, uint32_t change_set)
{
    const weft_table *table = c->table;
    if (table)
        weft_mark_range(&table->change_bits, table->change_bits.slots[change_set], c->first,
                        c->count);
}

// Marks the rows that pass of a range with a mask.
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

// Looks up the value that row i of the range at hand has in a sparse store; NULL: none. `size`,
// that of a value, is a constant in generated code.
WEFT_ALWAYS_INLINE void *weft_sparse_row(const weft_cursor *c, weft_format f, uint32_t store,
                                         uint32_t i, size_t size)
{
    uint64_t handle = weft_handle_load(f, weft_column(c->table, 0), c->first + i);
    return weft_sparse_find_as(&c->world->sparse[store], weft_handle_index(f, handle), size);
}

// Gives the value of the component that weft_cursor_begin_over named, where rows come with a mask.
// It must be asked for each passing row in turn.
WEFT_ALWAYS_INLINE void *weft_next_value(weft_cursor *c, weft_format f, uint32_t store, uint32_t i,
                                         size_t size)
{
    return c->listed_rows ? c->listed_values[c->next++] : weft_sparse_row(c, f, store, i, size);
}

// Returns whether a row of an entity passes a query. O(1).
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

// Does what weft_next does, for rows whose values weft_next_value gives: along sparse rows it reads
// no mask.
WEFT_ALWAYS_INLINE bool weft_next_valued(const weft_cursor *c, weft_rows *rows, uint32_t *row)
{
    if (!c->listed_rows) return weft_next(rows, row);
    if (c->next == c->end || c->listed_rows[c->next] - c->first >= c->count) return false;
    *row = c->listed_rows[c->next] - c->first;
    return true;
}

// Counts the rows of a query that pass. O(tables) where whole tables pass, else O(rows / 64).
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

// Returns the handle of the one row of a query that passes; 0: there is none, or more than one. It
// stops at the second. O(tables) where whole tables pass, else O(rows / 64).
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
