// Loans: the values that the game may still write through the pointers and iterators that it was
// given.
//
// A value is marked as changed when the game gets a pointer to write to, because the write itself
// cannot be observed. Before the game writes, a reader of changes may have its turn, or an index
// may be queried. If that cleared the mark, the write would never be seen. Therefore the mark of a
// lent value stays: a turn shows the change, and will show it again. Invariants:
//
//   - A lent row is marked in the incoming change set of each component that may be written. The
//     mark moves with the row, so a structural change, which ends the loan, needs no extra work.
//   - A loan of a row ends with the next structural change or phase. A loan of the current rows of
//     an iterator also ends when the iterator advances or ends. Values marked at that time are
//     shown once more.
//
// Loans are stored as single rows (`_edit`), as ranges (the current rows of an iterator, and those
// of `_spawn_rows`), and as flags (singletons, whose loans outlast structural changes). If there is
// no space to store a loan, every marked value counts as lent until all loans end. With insight,
// the owners of lent values (components and singletons) are stored too, even if no reader watches
// them.
//
// Loans of systems are not stored here: no reader that can see their writes has a turn while they
// run, and all loans end with their turn.
#ifndef WEFT_LOANS_H
#define WEFT_LOANS_H

#include "../world/world.h"

#define WEFT_ROWS_LENT_MAX 65536u // single rows that can be stored
#define WEFT_LENDS UINT32_MAX     // a walk that is about to lend its rows; 0: it lends none

// Begins a new set of loans if the old one has ended, and makes space for one more row.
void weft_loans_more(weft_world *world);

// Lends a row and marks it. `sets` is as in weft_row_edited.
WEFT_ALWAYS_INLINE void weft_row_lent(weft_world *world, const weft_table *table, uint32_t row,
                                      uint32_t change_set, uint32_t sets)
{
    weft_loans *loans = &world->loans;
    weft_row_edited(table, row, change_set, sets);
    if (WEFT_UNLIKELY(loans->version != weft_version(world) || loans->next == loans->limit)) {
        weft_loans_more(world);
    }
    weft_lent_row *lent = loans->next;
    loans->next = lent + 1;
    lent->table = table;
    lent->row = row;
    lent->change_set = (uint16_t)change_set;
}

// Lends a range of rows, which are marked: the values whose incoming change sets are `sets`, or all
// values if that is NULL. `loan` is the loan of the walk's previous rows, which ends. Returns the
// number of the new loan.
uint32_t weft_rows_lent(weft_world *world, uint32_t loan, const weft_lent_rows *rows);

// Returns whether the rows of a loan still count as lent.
static inline bool weft_rows_are_lent(const weft_world *world, uint32_t loan)
{
    const weft_loans *loans = &world->loans;
    return loans->version == weft_version(world) && loans->lent[loan % WEFT_RANGES_LENT] == loan;
}

// Returns a mask of `words` zeros, for the caller to select the lent rows of a range that was just
// lent. If there is no memory, returns NULL, and everything counts as lent.
uint64_t *weft_rows_mask(weft_world *world, uint32_t loan, uint32_t words);

// Ends a loan.
void weft_rows_returned(weft_world *world, uint32_t loan);

// Lends a singleton, by its incoming flag, and marks it.
void weft_flag_lent(weft_world *world, uint32_t change_set);

// Opens the set of owners (component numbers, then singletons) whose values the game may write.
// Only a world with insight has one: insight compares their values between two writers. Returns
// false if there is no memory. Must be closed in any case.
bool weft_owners_open(weft_world *world);
void weft_owners_close(weft_world *world);

// Returns that set. The caller adds the owners that are lent now.
uint64_t *weft_owners_lend(weft_world *world);

// Returns the set of owners that are still lent, or NULL if there are none.
const uint64_t *weft_owners_lent(weft_world *world);

// Ends all loans, because a phase begins or a load has replaced everything.
static inline void weft_loans_end(weft_world *world)
{
    world->loans.version = WEFT_LENT_NOTHING;
}

// Clears a change set in a table that keeps it, except for marks in lent ranges.
void weft_loans_clear(const weft_world *world, const weft_table *table, uint32_t change_set);

// Returns whether weft_loans_clear keeps the mark of a row.
bool weft_mark_stays(const weft_world *world, const weft_table *table, uint32_t row,
                     uint32_t change_set);

// After a change set was cleared, marks its lent single rows, or its lent flag, again.
void weft_loans_mark(const weft_world *world, uint32_t change_set);

// Frees the memory of loans. The caller must then make a structural change, which ends loans of
// rows.
void weft_loans_free(weft_world *world);

#endif
