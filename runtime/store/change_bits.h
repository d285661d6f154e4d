// Change bits: one bit a row that means "added" or "changed" for a reader that has not seen it yet.
//
// The bits for one purpose are a change set. For example, a change set contains the incoming
// changes of a component, or the changes that a reader has not seen. A change set has one number
// for the whole world; its position in a table is its slot there. A table keeps the change sets of
// the components that its rows can have. They are interleaved, so that a change of one row writes
// neighbouring words. With S change sets:
//
//   words      | rows 0-63: of change set 0 … S-1   | rows 64-127: …      | …
//   summaries  | rows 0-4095: of change set 0 … S-1 | rows 4096-8191: …   | …
//
// A summary has one bit for each of the 64 words of its stretch of rows. If the bit is 0, the word
// is 0. Clearing, adding and filters use the summaries, so that a summary of 0 skips 4,096 rows.
// Bits at rows >= count are 0. Marking needs no memory and cannot fail.
//
// When the turn of a reader begins, the incoming set is or-ed into the unseen set of each reader of
// the component, and cleared. When the turn ends, the changes that the reader has seen are cleared
// from its unseen set. If a component has a single reader, which does not write it, that reader
// reads the incoming set directly.
//
//   a component without readers      no code, no memory, no branch
//   memory                           S bits a row, and 1/64 more
//   writing a row                    two words or-ed; for a range, a word for 64 rows
//   spawning                         like writing, for each incoming set of its table components
//   moving or removing a row         S words of its 64 rows
//   a turn                           a summary for 4,096 rows, a word for 64 rows with changes
//   a filter without changes         the summaries of the table: 0.03 ns for 64 rows
#ifndef WEFT_CHANGE_BITS_H
#define WEFT_CHANGE_BITS_H

#include "../base/memory.h"
#include "../plan/plan.h"

#define WEFT_CHANGE_BLOCKS 64u                      // blocks of 64 rows in a summary
#define WEFT_CHANGE_ROWS (WEFT_CHANGE_BLOCKS * 64u) // rows of a stretch

typedef struct weft_change_bits {
    weft_region words;
    weft_region summaries;
    const uint16_t *slots; // by change set of the world; WEFT_NONE: not kept in this table
    uint16_t set_count;    // change sets that the table keeps
    uint16_t added;        // every new row is marked in the first `added` slots
} weft_change_bits;

// Stored directly before the slots of a table if the schema has change sets of singletons, so that
// a filter finds the flags without a world. It takes 8 bytes on machines of 32 bits too.
typedef union weft_change_head {
    const uint64_t *flags; // flags of the world, by change set
    uint64_t bytes;
} weft_change_head;

static inline weft_change_head *weft_change_head_of(const weft_change_bits *bits)
{
    return (weft_change_head *)(void *)(uintptr_t)bits->slots - 1;
}

// Returns the flags of the world, by change set: all ones or 0 for each change set of a singleton.
// The world must have such change sets.
static inline const uint64_t *weft_change_flags(const weft_change_bits *bits)
{
    return weft_change_head_of(bits)->flags;
}

// Stores the address of the flags in a table that was just opened.
static inline void weft_change_flags_keep(const weft_change_bits *bits, const uint64_t *flags)
{
    weft_change_head_of(bits)->flags = flags;
}

// Words of a change set; consecutive words are `stride` words apart.
typedef struct weft_strided {
    const uint64_t *words;
    uint32_t stride;
} weft_strided;

// Returns the summaries, by slot, of the stretch of a row.
static inline uint64_t *weft_change_bits_summary(const weft_change_bits *bits, uint32_t row)
{
    size_t stretch = row / WEFT_CHANGE_ROWS;
    return (uint64_t *)(void *)bits->summaries.base + stretch * bits->set_count;
}

// Returns the words, by slot, of the 64 rows around a row.
static inline uint64_t *weft_change_bits_block(const weft_change_bits *bits, uint32_t row)
{
    size_t block = row / 64;
    return (uint64_t *)(void *)bits->words.base + block * bits->set_count;
}

static inline bool weft_marked(const weft_change_bits *bits, uint32_t slot, uint32_t row)
{
    return weft_change_bits_block(bits, row)[slot] >> (row % 64) & 1u;
}

// The location of a change set in a table, for a loop that marks rows.
typedef struct weft_change_set {
    uint64_t *words;
    uint64_t *summaries;
    size_t stride; // of both
} weft_change_set;

static inline weft_change_set weft_change_set_of(const weft_change_bits *bits, uint32_t slot)
{
    weft_change_set change_set = {
        weft_change_bits_block(bits, 0) + slot,
        weft_change_bits_summary(bits, 0) + slot,
        bits->set_count,
    };
    return change_set;
}

static inline void weft_change_set_mark(weft_change_set change_set, uint32_t row)
{
    change_set.words[row / 64 * change_set.stride] |= (uint64_t)1 << (row % 64);
    change_set.summaries[row / WEFT_CHANGE_ROWS * change_set.stride] |=
        (uint64_t)1 << (row / 64 % WEFT_CHANGE_BLOCKS);
}

static inline void weft_mark(const weft_change_bits *bits, uint32_t slot, uint32_t row)
{
    weft_change_set_mark(weft_change_set_of(bits, slot), row);
}

static inline void weft_unmark(const weft_change_bits *bits, uint32_t slot, uint32_t row)
{
    weft_change_bits_block(bits, row)[slot] &= ~((uint64_t)1 << (row % 64));
}

// Returns the words of up to 64 blocks of one stretch, from `first_word`, for a filter to read.
// They are zeros if the table does not keep the change set, or has no change there.
static inline weft_strided weft_change_words(const weft_change_bits *bits, uint32_t change_set,
                                             uint32_t first_word)
{
    static const uint64_t none = 0;
    weft_strided found = {&none, 0};
    uint32_t slot = bits->slots[change_set];
    if (slot != WEFT_NONE && weft_change_bits_summary(bits, first_word * 64)[slot] != 0) {
        found.words = weft_change_bits_block(bits, first_word * 64) + slot;
        found.stride = bits->set_count;
    }
    return found;
}

// Returns a flag in the form of change words for a filter: the same word for any 64 rows.
static inline weft_strided weft_flag_words(const weft_change_bits *bits, uint32_t change_set)
{
    weft_strided found = {weft_change_flags(bits) + change_set, 0};
    return found;
}

static inline bool weft_flag_is_set(const weft_change_bits *bits, uint32_t change_set)
{
    return weft_change_flags(bits)[change_set] != 0;
}

// Marks a range of rows. O(rows / 64).
void weft_mark_range(const weft_change_bits *bits, uint32_t slot, uint32_t first, uint32_t count);

// Marks a new row, or several, in the change sets that contain every new row.
static inline void weft_mark_added(const weft_change_bits *bits, uint32_t row)
{
    for (uint32_t slot = 0; slot < bits->added; slot++) weft_mark(bits, slot, row);
}

static inline void weft_mark_added_range(const weft_change_bits *bits, uint32_t first,
                                         uint32_t count)
{
    for (uint32_t slot = 0; slot < bits->added; slot++) weft_mark_range(bits, slot, first, count);
}

// Returns whether any of the first `rows` rows may be marked in the change set. O(rows / 4096).
static inline bool weft_marked_any(const weft_change_bits *bits, uint32_t change_set, uint32_t rows)
{
    uint32_t slot = bits->slots[change_set];
    for (uint64_t row = 0; slot != WEFT_NONE && row < rows; row += WEFT_CHANGE_ROWS) {
        if (weft_change_bits_summary(bits, (uint32_t)row)[slot] != 0) return true;
    }
    return false;
}

// Makes space for `rows` rows; there will never be more than rows_max. Returns false, without
// changing a bit, if there is no memory.
bool weft_change_bits_grow(weft_heap *heap, weft_change_bits *bits, uint32_t rows,
                           uint32_t rows_max);
// Gives back the memory after `rows` rows, the number of rows. Returns false if there is no memory
// to copy the rest.
bool weft_change_bits_trim(weft_heap *heap, weft_change_bits *bits, uint32_t rows);
void weft_change_bits_free(weft_heap *heap, weft_change_bits *bits);

// Marks the rows of a mask. Its first bit is the row `first`, a multiple of 64.
void weft_mark_mask(const weft_change_bits *bits, uint32_t slot, uint32_t first,
                    const uint64_t *mask, uint32_t words);

// Removes the marks of such rows.
void weft_unmark_mask(const weft_change_bits *bits, uint32_t slot, uint32_t first,
                      const uint64_t *mask, uint32_t words);

// Copies the bits of a row to an unmarked row of another table, in the change sets that both keep.
// Marks table components that only the other table has as added.
void weft_change_bits_move(const weft_change_bits *from, uint32_t from_row,
                           const weft_change_bits *to, uint32_t to_row, const weft_plan *plan);

// Moves the bits of the last row to `row`, and clears the bits of the last row.
void weft_change_bits_drop(const weft_change_bits *bits, uint32_t row, uint32_t last);

// Clear a change set in the first `rows` rows, or add one to another there. Both cost O(rows / 4096
// + blocks with changes).
void weft_change_bits_clear(const weft_change_bits *bits, uint32_t slot, uint32_t rows);
void weft_change_bits_add(const weft_change_bits *bits, uint32_t from, uint32_t to, uint32_t rows);

#endif
