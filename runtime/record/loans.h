// Loans: what the game may still write through the pointers and iterators that it was given.
//
// A value is marked as changed when the game is given the means to write it, since nothing is told
// when it does write. Between the two a reader of changes may have its turn, or an index may be
// asked. If that took the mark away, the write would never be seen. So the mark of what is lent
// stays: a turn shows it, and leaves it to be shown again. This always holds:
//
//   - A row that is lent is marked in the incoming change set of each component that may be
//     written. The mark moves with the row, so that a structural change, which ends the loan, has
//     nothing to do.
//   - A loan of a row ends with the next structural change or phase, that of the rows at hand of an
//     iterator also when it steps on or ends. What was marked then is shown once more.
//
// What is lent is known by single rows (`_edit`), by ranges (the rows at hand of an iterator, those
// of `_spawn_rows`), and by flags (singletons, whose loans outlast structural changes). If there is
// no more space to know it, everything that is marked counts as lent until all loans end. While the
// world is looked into, the owners are known too, whether any reader watches them or not.
//
// Systems lend nothing that is known here: nobody has a turn while they run that may see what they
// write, and they give all back at the end of their turn.
#ifndef WEFT_LOANS_H
#define WEFT_LOANS_H

#include "../world/world.h"

#define WEFT_ROWS_LENT_MAX 65536u // that are known one by one
#define WEFT_LENDS UINT32_MAX     // a walk that is about to lend its rows; 0: it lends none

// Notes that something may be lent from here on, and makes space for one more row.
void weft_loans_more(weft_world *world);

// Lends a row, and marks it; `sets` is as for weft_row_edited.
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

// Lends rows side by side that are marked: the values that `sets` are the incoming change sets of,
// or all of them (NULL). `loan` is what the walk was given for the rows before, which it gives
// back. Returns what it is given for these.
uint32_t weft_rows_lent(weft_world *world, uint32_t loan, const weft_lent_rows *rows);

// Tells whether rows that were lent for this are still known as lent.
static inline bool weft_rows_are_lent(const weft_world *world, uint32_t loan)
{
    const weft_loans *loans = &world->loans;
    return loans->version == weft_version(world) && loans->lent[loan % WEFT_RANGES_LENT] == loan;
}

// Returns the mask of a range that was just lent, of `words` zeros, for those of its rows that are.
// NULL: no memory, and everything counts as lent.
uint64_t *weft_rows_mask(weft_world *world, uint32_t loan, uint32_t words);

// Takes them back.
void weft_rows_returned(weft_world *world, uint32_t loan);

// Lends a singleton, by its incoming flag, and marks it.
void weft_flag_lent(weft_world *world, uint32_t change_set);

// Opens the set of owners, components by their numbers and then singletons, of which the game may
// write a value. Only a world that is looked into has one: insight looks at these between two
// writers. False: no memory. Close it in any case.
bool weft_owners_open(weft_world *world);
void weft_owners_close(weft_world *world);

// Returns that set, to add what the game is lent now.
uint64_t *weft_owners_lend(weft_world *world);

// Returns the set of what is lent still. NULL: nothing is.
const uint64_t *weft_owners_lent(weft_world *world);

// Ends all loans: a phase begins, or a load has replaced everything.
static inline void weft_loans_end(weft_world *world)
{
    world->loans.version = WEFT_LENT_NOTHING;
}

// Clears a change set in a table, which keeps it, but for the marks of ranges that are lent.
void weft_loans_clear(const weft_world *world, const weft_table *table, uint32_t change_set);

// Tells whether weft_loans_clear leaves the mark of a row.
bool weft_mark_stays(const weft_world *world, const weft_table *table, uint32_t row,
                     uint32_t change_set);

// Marks the single rows again that are lent, or the flag, after a change set was cleared.
void weft_loans_mark(const weft_world *world, uint32_t change_set);

// Frees their memory. The loans of rows must end by a structural change behind it.
void weft_loans_free(weft_world *world);

#endif
