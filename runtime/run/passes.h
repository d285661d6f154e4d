// Passes: parallel systems that run block by block, all of them on some rows, then on the next.
//
// A loop over a million rows brings them from memory, and so does each loop behind it. In a pass a
// block of rows is brought once, and stays in the cache until all systems have seen it:
//
//     part     | block 0            | block 1            | block 2       |
//     systems  | walk, think, dress | walk, think, dress | walk, think, dress
//
// The generator fuses systems where no row can tell: each writes its own rows, and reads of what
// another one writes nothing but its own rows, so that what becomes of a row is what running them
// one by one makes of it. Each system keeps its commands, events and tag writes by itself, in the
// order of its rows.
//
// The generated function of a pass runs all of its systems on a part. Systems that take every row
// of their tables are called by it, the others through weft_block_run. If most of them take every
// row, blocks are short if there are so many rows that they come from memory, and long otherwise.
// If some of the systems are inline, the function has two forms, a loop for each of them and one
// for several, and runs the faster one (trial.h).
//
// A pass has the tables of all of its systems, which tables have not all to match. Its rows are cut
// into parts as those of a parallel system are, and a part into blocks, each of one table. Where
// blocks end follows from the rows alone.
//
// In a world that is observed each system runs on all rows of a part before the next one.
#ifndef WEFT_PASSES_H
#define WEFT_PASSES_H

#include "parts.h"

#define WEFT_FUSED_MAX 32u // systems in a pass

// Rows of a pass that have at most so many bytes stay in the caches of a processor, and their
// blocks are long. The limit is the same on every machine because a system can see where its ranges
// end. Tests lower it to have short blocks, too.
#ifndef WEFT_PASS_CACHED_BYTES
#define WEFT_PASS_CACHED_BYTES (UINT64_C(16) << 20)
#endif

// Cuts the rows of a pass into parts, which are those of the first system's parallel. code: of that
// system, with the others behind it. Returns the number of parts, 0 if there is no row.
uint32_t weft_pass_cut(weft_world *world, const weft_system_code *code);

// Chooses the blocks of a turn that has parts, and ends the turn; all_due: all systems have a turn.
void weft_pass_begin(weft_world *world, const weft_system_code *code, bool all_due);
void weft_pass_end(weft_world *world, const weft_system_code *code);

// Finds the rows of a part that a system of the pass has. Returns false if it has none.
bool weft_pass_rows(const weft_world *world, const weft_pass *pass, uint32_t parallel,
                    const weft_part *part, weft_part *rows);

// Returns the rows of a block, which is in a table that the system has. place: where its query has
// the table of the block before, 0 at first.
weft_part weft_block_rows(const weft_world *world, uint32_t parallel, const weft_part *part,
                          const weft_cursor *at, uint32_t *place);

// ------------------------------------------------------------------------------------------------
// The functions of passes, which are generated

// Begins the walk of a pass over a part of the rows.
WEFT_ALWAYS_INLINE void weft_blocks_begin(weft_cursor *c, const weft_world *world,
                                          const weft_query *query, const weft_part *part)
{
    weft_cursor_begin(c, world, query);
    weft_cursor_keep_to(c, part);
    c->row = 0;
    c->rows_end = 0;
}

// Steps to the next block of a table, of at most rows_max.
WEFT_ALWAYS_INLINE bool weft_next_block(weft_cursor *c, uint32_t rows_max)
{
    if (c->row == c->rows_end) {
        if (!weft_next_table(c)) return false;
        c->row = c->first;
        c->rows_end = c->first + c->count;
    }
    weft_cursor_whole(c, rows_max);
    return true;
}

#endif
