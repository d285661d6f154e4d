// A mask of rows that gain or lose one component together.
//
// Clearing, set_all and remove_all of a query, and tag writes of systems all make masks of rows and
// pass them through the steps of member.h:
//
//   weft_many_keep           keeps the rows that change and that the rules allow
//   weft_many_tell_before    hooks of a loss or of a new value; for all masks before the next step
//   weft_many_losing         losses
//   weft_many_write_bits     bits and sparse values; the caller moves rows of table components
//   weft_many_tell_after     hooks of a gain; for all masks after the last one is written
#ifndef WEFT_MANY_H
#define WEFT_MANY_H

#include "member.h"

// Rows of one table.
typedef struct weft_masked_rows {
    weft_table *table;
    uint64_t *words; // bit i of word w: row (first_word + w) * 64 + i
    uint32_t first_word;
    uint32_t count; // number of words
} weft_masked_rows;

// The change of the rows.
typedef struct weft_many {
    weft_world *world;
    const weft_component_plan *plan;
    uint32_t component;
    const void *value; // its plain struct; NULL: a tag, or a removal
    uint32_t reader;   // the system that makes the change, which does not see its own losses;
                       // WEFT_NONE: none
    bool on;           // added or overwritten; false: removed
    bool in_place; // rows must not move: required components must exist, and refusals are counted
} weft_many;

// Calls `step` for each row, the last one first, so that fewer of the remaining rows move.
typedef void (*weft_each_row)(const weft_many *many, weft_table *table, uint32_t row);
void weft_many_each_back(const weft_many *many, const weft_masked_rows *rows, weft_each_row step);

// Returns whether the rules allow adding or removing the component of a row; if not, sets *why. A
// table component that the row has can always be overwritten.
bool weft_many_allows(const weft_many *many, const weft_table *table, uint32_t row,
                      weft_refusal *why);

// Removes rows from the mask that would not change or that the rules refuse. If the change is in
// place, refused rows are counted as dropped. Returns the number of rows that remain.
uint32_t weft_many_keep(const weft_many *many, weft_masked_rows *rows);

// The steps of a change. Each returns at once if it has nothing to do.
void weft_many_tell_before(const weft_many *many, const weft_masked_rows *rows);
void weft_many_losing(const weft_many *many, const weft_masked_rows *rows);
void weft_many_write_bits(const weft_many *many, const weft_masked_rows *rows);
void weft_many_tell_after(const weft_many *many, const weft_masked_rows *rows);

#endif
