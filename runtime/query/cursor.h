// The cursor of a walk: enters tables in which some rows may pass, loads the masks of their rows,
// and advances from run to run of passing rows. query.h describes walks.
#ifndef WEFT_CURSOR_H
#define WEFT_CURSOR_H

#include "../record/loans.h"
#include "../world/report.h"
#include "sparse_rows.h"

#define WEFT_MASK_WORDS 64u // 4096 rows: a mask of 512 bytes

// A walk prefetches rows while more tables than this are left. The rows of fewer tables fit in a
// cache.
#define WEFT_MANY_TABLES 256u
#define WEFT_FETCHED_LINES 16u // cache lines of rows

typedef enum weft_table_match { WEFT_MATCH_NONE, WEFT_MATCH_SOME, WEFT_MATCH_ALL } weft_table_match;

typedef weft_table_match (*weft_match_table)(const weft_world *world, const weft_table *table);
// A filter either fills `mask` and returns it, or returns words without bits after the last row.
typedef const uint64_t *(*weft_filter)(const weft_table *table, uint32_t first_word, uint32_t words,
                                       uint64_t *mask);

// WEFT_MASK_WORDS words of zeros, and of ones. Filters read them if a table has no bitset, or if a
// component of the expression is the same for all rows of the table.
extern const uint64_t weft_no_rows[WEFT_MASK_WORDS];
extern const uint64_t weft_all_rows[WEFT_MASK_WORDS];

// Returns the words of a bitset from first_word.
static inline const uint64_t *weft_bitset_words(const weft_table *table, uint32_t column,
                                                uint32_t first_word)
{
    const uint64_t *words = (const uint64_t *)weft_column(table, column);
    return words ? words + first_word : weft_no_rows;
}

// Returns the words of a table component: ones if the table has it, else zeros.
static inline const uint64_t *weft_component_words(const weft_table *table, uint32_t column)
{
    return weft_column(table, column) ? weft_all_rows : weft_no_rows;
}

// A part of a walk: from a row of one table up to, but excluding, a row of the same or a later
// table.
typedef struct weft_part {
    uint32_t number;
    uint32_t first_table; // by position in the query's list
    uint32_t first_row;
    uint32_t last_table;
    uint32_t end_row;
    uint32_t first_run; // of a depth order, which is not split by tables (query/depth.h)
    uint32_t end_run;
    struct weft_kept_writes *tag_writes;
} weft_part;

typedef struct weft_cursor {
    const weft_table *table; // the current range: `count` rows of the table from `first`
    uint32_t first;
    uint32_t count;
    const weft_query *query;
    weft_table *const *tables;  // tables not entered yet
    const weft_table *upcoming; // the first of them
    uint32_t tables_left;
    uint32_t first_row; // of the next table
    uint32_t end_row;   // in the last table: the walk ends before this row
    uint32_t rows_end;  // of the current table
    uint64_t moment;    // of the world when the walk began
    uint32_t row;       // next row of the table to examine
    uint32_t chunk;     // first row of the mask, a multiple of 64
    uint32_t chunk_end; // after the last row of the mask
    bool whole;         // every row of the table passes
    // The world must not lie next to another pointer. Otherwise gcc would store both at once in C++
    // code that has the world in a struct, but one by one in C, so their object code would differ.
    const weft_world *world;
    uint32_t store;  // of the sparse component that exactly the passing rows have, if `column` is
                     // set
    uint32_t column; // its bitset; 0: there is no such component
    const uint32_t *listed_rows; // sparse rows of the table; NULL: no list
    void *const *listed_values;
    // The next sparse row, and the end of the list. They are size_t because a store of a row number
    // then cannot alias them, so that a loop need not reload them.
    size_t next;
    size_t end;
    void *const *values; // of the rows of the range, which all pass; NULL: look them up
    uint32_t loan;  // of a walk that writes values that readers of the game watch: see lending.h
    uint64_t words; // which words of the mask are not 0
    const uint64_t *bitset; // the mask, if it is the words of a bitset; NULL: `computed`
    uint64_t computed[WEFT_MASK_WORDS];
} weft_cursor;

// Begins a walk over all rows of a query. The other members are set when it enters its first table.
WEFT_ALWAYS_INLINE void weft_cursor_begin(weft_cursor *c, const weft_world *world,
                                          const weft_query *query)
{
    c->table = NULL;
    c->world = world;
    c->query = query;
    c->tables = query->tables;
    c->upcoming = query->first;
    c->tables_left = query->count;
    c->first_row = 0;
    c->end_row = UINT32_MAX;
    c->moment = weft_moment(world);
    c->column = 0;
    c->listed_rows = NULL;
    c->listed_values = NULL;
    c->next = 0;
    c->end = 0;
    c->values = NULL;
}

// Makes a walk that has just begun, and was refused, empty.
WEFT_ALWAYS_INLINE void weft_cursor_keep_to_none(weft_cursor *c)
{
    c->tables_left = 0;
    c->moment = WEFT_NO_MOMENT; // the refusal was reported
}

// Limits a walk that has just begun to a part of the rows.
WEFT_ALWAYS_INLINE void weft_cursor_keep_to(weft_cursor *c, const weft_part *part)
{
    c->tables += part->first_table;
    c->upcoming = *c->tables;
    c->tables_left = part->last_table - part->first_table + 1;
    c->first_row = part->first_row;
    c->end_row = part->end_row;
}

// Begins the walk of a query whose filter is the bitset of a sparse component. If a table has a
// list of sparse rows, runs and lists provide `values`, and with masks weft_next_value returns
// them.
WEFT_ALWAYS_INLINE void weft_cursor_begin_over(weft_cursor *c, const weft_world *world,
                                               const weft_query *query, uint32_t store,
                                               uint32_t column)
{
    weft_cursor_begin(c, world, query);
    c->store = store;
    c->column = column;
}

// Returns the mask of the passing rows of the chunk.
static inline const uint64_t *weft_cursor_mask(const weft_cursor *c)
{
    return c->bitset ? c->bitset : c->computed;
}

// Returns whether the walk must end, because of a structural change or because it is used in
// another turn or hook than it began in. Debug builds assert. Release builds report it once and end
// the walk.
static inline bool weft_cursor_stale(weft_cursor *c)
{
    if (WEFT_LIKELY(c->moment == weft_moment(c->world))) return false;
    weft_moment_passed(c->world, c->moment, "an iterator");
    c->moment = WEFT_NO_MOMENT;
    return true;
}

// Prefetches the first rows of the third next table, and the line of a still later table, which a
// later call reads. The rows of that many tables come from memory or the last-level cache, and the
// tables are too far apart for the processor to predict the next address.
WEFT_ALWAYS_INLINE void weft_cursor_fetch(const weft_cursor *c)
{
    uint32_t column = c->query->fetched;
    if (column >= WEFT_DIRECT_COLUMNS) return;
    const char *rows = (const char *)*weft_column_place(c->tables[2], column);
    WEFT_PREFETCH(&c->tables[5]->count);
    WEFT_PREFETCH(weft_column_place(c->tables[5], column));
    for (size_t line = 0; line < WEFT_FETCHED_LINES; line++) {
        WEFT_PREFETCH(rows + line * WEFT_LINE_BYTES);
    }
}

// Advances to the next whole table, for queries that depend only on the components of a table. The
// line with the count of a later table is prefetched, because the rows of other tables lie between
// them.
WEFT_ALWAYS_INLINE bool weft_next_table(weft_cursor *c)
{
    while (c->tables_left != 0) {
        const weft_table *table = c->upcoming;
        uint32_t first = c->first_row;
        uint32_t end = table->count;
        c->tables++;
        if (--c->tables_left != 0) c->upcoming = *c->tables;
        c->first_row = 0;
        if (c->tables_left > 1) {
            WEFT_PREFETCH(&c->tables[1]->count);
            if (c->tables_left > WEFT_MANY_TABLES) weft_cursor_fetch(c);
        }
        if (c->tables_left == 0 && c->end_row < end) end = c->end_row;
        if (first == end) continue;
        c->table = table;
        c->first = first;
        c->count = end - first;
        return true;
    }
    return false;
}

// Looks up the list of sparse rows of the table, if there is one.
WEFT_ALWAYS_INLINE void weft_cursor_sparse_rows(weft_cursor *c)
{
    const weft_sparse_rows *listed = weft_sparse_rows_of(c->world, c->table, c->store, c->column);
    c->listed_rows = listed ? weft_sparse_rows_numbers(listed) : NULL;
    c->listed_values = listed ? weft_sparse_rows_values(listed) : NULL;
    c->next = listed ? weft_sparse_rows_from(listed, c->first) : 0;
    c->end = listed ? weft_sparse_rows_from(listed, c->rows_end) : 0;
    c->values = NULL;
}

// Advances to the next table in which some rows may pass.
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

// Loads the mask of the next rows of the table, at most rows_max, up to the end of their stretch of
// change bits. It begins at a multiple of 64, which may be before c->row.
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

// Returns the first row in [row, end) that is not in a mask, or end.
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

// Returns the first row in [row, end) that is in a mask, or end. The range must not be empty.
// `words`: which words of the mask are not 0.
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

// Sets the range to the run that begins at the next sparse row.
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

// Sets the range to the next rows of a table whose rows all pass.
WEFT_ALWAYS_INLINE void weft_cursor_whole(weft_cursor *c, uint32_t rows_max)
{
    uint32_t left = c->rows_end - c->row;
    c->first = c->row;
    c->count = left < rows_max ? left : rows_max;
    c->row += c->count;
}

// Sets the range to the next run of the current mask. Returns false if the mask has no more rows.
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

// Sets the range to the next run of a table in which some rows pass. Returns false if the current
// mask has no more rows.
WEFT_ALWAYS_INLINE bool weft_cursor_masked(weft_cursor *c, weft_filter filter, uint32_t rows_max)
{
    if (c->row == c->chunk_end) weft_cursor_load(c, filter, rows_max);
    return weft_cursor_found(c);
}

// Advances to the next run of passing rows. No run is longer than rows_max (a multiple of 64;
// UINT32_MAX: no limit). In a table in which only some rows pass, runs also end at the end of a
// mask.
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

// Out-of-line weft_next_run, for calls whose speed hardly matters, and for large schemas where
// inlining would multiply code size.
bool weft_next_run_apart(weft_cursor *c, weft_match_table match, weft_filter filter,
                         uint32_t rows_max);

#endif
