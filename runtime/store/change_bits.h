// Marks: one bit a row that says "added" or "changed" to somebody who has not looked yet.
//
// The bits of one purpose are a change set: what came in for a component, what a reader still has to
// see of it. A table keeps the change sets of the components it can have, interleaved, so that what is
// done to a row touches memory that lies together. S change sets:
//
//   words      | rows 0-63: of change set 0 … S-1   | rows 64-127: …      | …
//   summaries  | rows 0-4095: of change set 0 … S-1 | rows 4096-8191: …   | …
//
// A summary has a bit for each of the 64 words of its stretch of rows, which says that the word is
// not 0 or may have been. Clearing, handing over and filters go by the summaries: a zero skips
// 4,096 rows. Bits at rows >= count are 0.
//
// A change set is numbered once for the world; where a table keeps it is its slot there. Marking takes
// no memory and cannot fail.
#ifndef WEFT_CHANGE_BITS_H
#define WEFT_CHANGE_BITS_H

#include "../base/memory.h"
#include "../plan/plan.h"

#define WEFT_CHANGE_BLOCKS 64u // blocks of 64 rows that a summary word speaks of
#define WEFT_CHANGE_ROWS (WEFT_CHANGE_BLOCKS * 64u) // of a stretch

typedef struct weft_change_bits {
    weft_region words;
    weft_region summaries;
    const uint16_t *slots; // by change set of the world; WEFT_NONE: the table does not keep it
    uint16_t set_count;    // that the table keeps
    uint16_t added;        // the first of them are marked by every new row
} weft_change_bits;

// Words of a change set, `stride` words from one to the next.
typedef struct weft_strided {
    const uint64_t *words;
    uint32_t stride;
} weft_strided;

// The summaries of the stretch that has the row, by slot.
static inline uint64_t *weft_change_bits_summary(const weft_change_bits *marks, uint32_t row)
{
    size_t stretch = row / WEFT_CHANGE_ROWS;
    return (uint64_t *)(void *)marks->summaries.base + stretch * marks->set_count;
}

// The words of the 64 rows among which the row is, by slot.
static inline uint64_t *weft_change_bits_block(const weft_change_bits *marks, uint32_t row)
{
    size_t block = row / 64;
    return (uint64_t *)(void *)marks->words.base + block * marks->set_count;
}

static inline bool weft_marked(const weft_change_bits *marks, uint32_t slot, uint32_t row)
{
    return weft_change_bits_block(marks, row)[slot] >> (row % 64) & 1u;
}

// Where a change set is, for marking rows of it one after the other.
typedef struct weft_change_set {
    uint64_t *words;
    uint64_t *summaries;
    size_t stride; // of both
} weft_change_set;

static inline weft_change_set weft_change_set_of(const weft_change_bits *marks, uint32_t slot)
{
    weft_change_set change_set = {
        weft_change_bits_block(marks, 0) + slot,
        weft_change_bits_summary(marks, 0) + slot,
        marks->set_count,
    };
    return change_set;
}

static inline void weft_change_set_mark(weft_change_set change_set, uint32_t row)
{
    change_set.words[row / 64 * change_set.stride] |= (uint64_t)1 << (row % 64);
    change_set.summaries[row / WEFT_CHANGE_ROWS * change_set.stride] |=
        (uint64_t)1 << (row / 64 % WEFT_CHANGE_BLOCKS);
}

static inline void weft_mark(const weft_change_bits *marks, uint32_t slot, uint32_t row)
{
    weft_change_set_mark(weft_change_set_of(marks, slot), row);
}

static inline void weft_unmark(const weft_change_bits *marks, uint32_t slot, uint32_t row)
{
    weft_change_bits_block(marks, row)[slot] &= ~((uint64_t)1 << (row % 64));
}

// What a filter reads from word `first_word` on: the words of up to 64 blocks of one stretch, or
// zeros where the table does not keep the change set or has no marks there.
static inline weft_strided weft_change_words(const weft_change_bits *marks, uint32_t change_set,
                                             uint32_t first_word)
{
    static const uint64_t none = 0;
    weft_strided found = {&none, 0};
    uint32_t slot = marks->slots[change_set];
    if (slot != WEFT_NONE && weft_change_bits_summary(marks, first_word * 64)[slot] != 0) {
        found.words = weft_change_bits_block(marks, first_word * 64) + slot;
        found.stride = marks->set_count;
    }
    return found;
}

// Marks rows in a row. O(rows / 64).
void weft_mark_range(const weft_change_bits *marks, uint32_t slot, uint32_t first, uint32_t count);

// Marks a new row in the change sets that say that it came to be.
static inline void weft_mark_added(const weft_change_bits *marks, uint32_t row)
{
    for (uint32_t slot = 0; slot < marks->added; slot++) weft_mark(marks, slot, row);
}

// The same for rows from one on.
static inline void weft_mark_added_range(const weft_change_bits *marks, uint32_t first,
                                         uint32_t count)
{
    for (uint32_t slot = 0; slot < marks->added; slot++) weft_mark_range(marks, slot, first, count);
}

// Whether a row among the first `rows` may have a mark of the change set. O(rows / 4096).
static inline bool weft_marked_any(const weft_change_bits *marks, uint32_t change_set,
                                   uint32_t rows)
{
    uint32_t slot = marks->slots[change_set];
    for (uint64_t row = 0; slot != WEFT_NONE && row < rows; row += WEFT_CHANGE_ROWS) {
        if (weft_change_bits_summary(marks, (uint32_t)row)[slot] != 0) return true;
    }
    return false;
}

// Makes room for `rows` rows, at most rows_max ever. False: no memory, no mark changed.
bool weft_change_bits_grow(weft_heap *heap, weft_change_bits *marks, uint32_t rows,
                           uint32_t rows_max);
void weft_change_bits_free(weft_heap *heap, weft_change_bits *marks); // its memory

// Marks the rows of a mask, whose first word is of the rows from `first` (a multiple of 64) on.
void weft_mark_mask(const weft_change_bits *marks, uint32_t slot, uint32_t first,
                    const uint64_t *mask, uint32_t words);

// Puts the marks of a row on a row without any of another table, in the change sets that both keep;
// what only the other table has of table components is marked as come to be.
void weft_change_bits_move(const weft_change_bits *from, uint32_t from_row,
                           const weft_change_bits *to, uint32_t to_row, const weft_plan *plan);

// Puts the marks of the last row in the place of those of `row`, and clears the last ones.
void weft_change_bits_drop(const weft_change_bits *marks, uint32_t row, uint32_t last);

// Clears a change set in the first `rows` rows. O(rows / 4096 + blocks with marks), as those that
// follow.
void weft_change_bits_clear(const weft_change_bits *marks, uint32_t slot, uint32_t rows);

// Adds the marks of one change set to those of another one.
void weft_change_bits_add(const weft_change_bits *marks, uint32_t from, uint32_t to, uint32_t rows);

#endif
