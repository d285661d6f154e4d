// A mask of rows that get or lose one component together.
//
// Clearing, set_all and remove_all of a query, and tag writes of systems all come to masks of rows,
// which go through the steps of member.h:
//
//   weft_many_keep           leaves the rows that change and that the rules allow
//   weft_many_tell_before    hooks of a loss or of a new value; for all masks before the next step
//   weft_many_losing         losses
//   weft_many_write_bits     bits and sparse values; rows of table components are moved by the caller
//   weft_many_tell_after     hooks of a gain; for all masks after the last one is written
#ifndef WEFT_MANY_H
#define WEFT_MANY_H

#include "member.h"

// Rows of one table.
typedef struct weft_masked_rows {
    weft_table *table;
    uint64_t *words; // bit i of word w: row (first_word + w) * 64 + i
    uint32_t first_word;
    uint32_t count; // of words
} weft_masked_rows;

// What happens to the rows.
typedef struct weft_many {
    weft_world *world;
    const weft_component_plan *plan;
    uint32_t component;
    const void *value; // its plain struct; NULL: it is a tag, or is removed
    uint32_t reader;   // the system that changes it and needs no note of losses; WEFT_NONE: none
    bool on;           // it is added or overwritten; false: it is removed
    bool in_place;     // no row moves: what it requires has to be there, and a refusal is counted
} weft_many;

// Calls `step` for each row, the last one first, so that those which stay are moved least.
typedef void (*weft_each_row)(const weft_many *many, weft_table *table, uint32_t row);
void weft_many_each_back(const weft_many *many, const weft_masked_rows *rows, weft_each_row step);

// Returns whether the rules let a row have the component, or lose it; if not, *why. A table
// component that the row has can always be overwritten.
bool weft_many_allows(const weft_many *many, const weft_table *table, uint32_t row,
                      weft_refusal *why);

// Takes those rows out of the mask that would not change or that the rules refuse. Refused rows are
// skipped, and counted as dropped if the change is in place. Returns how many rows stay.
uint32_t weft_many_keep(const weft_many *many, weft_masked_rows *rows);

// The steps of a change. All of them return at once if there is nothing to do.
void weft_many_tell_before(const weft_many *many, const weft_masked_rows *rows);
void weft_many_losing(const weft_many *many, const weft_masked_rows *rows);
void weft_many_write_bits(const weft_many *many, const weft_masked_rows *rows);
void weft_many_tell_after(const weft_many *many, const weft_masked_rows *rows);

#endif
