// Passes: parallel systems that run block by block, all of them on some rows, then on the next.
//
// A loop over a million rows loads them from memory, and so does each loop after it. In a pass a
// block of rows is loaded once, and stays in the cache until all systems have used it:
//
//     part     | block 0            | block 1            | block 2       |
//     systems  | walk, think, dress | walk, think, dress | walk, think, dress
//
// The generator makes a pass only if the result is the same as running the systems one by one: each
// writes only its current row, and reads values that another one writes only from its current row.
// Each system keeps its own commands, events and tag writes, in the order of its rows.
//
// The generated function of a pass runs all of its systems on a part. It calls systems that take
// every row of their tables directly, and the others through weft_block_run. If most systems take
// every row, blocks are short if the rows do not fit into the caches, and long otherwise. If some
// of the systems are inline, the function has two forms: a loop for each of them, or one for
// several. It runs the faster form (trial.h).
//
// The tables of a pass are those of all of its systems together; a system may use only some of
// them. The rows of a pass are cut into parts like those of a parallel system. A part is cut into
// blocks, each of one table. The ends of blocks depend only on the rows.
//
// In a world that is observed each system runs on all rows of a part before the next one.
#ifndef WEFT_PASSES_H
#define WEFT_PASSES_H

#include "parts.h"

#define WEFT_FUSED_MAX 32u // systems in a pass

// If the rows of a pass have at most this many bytes, they stay in the caches of a processor, and
// blocks are long. The limit is the same on every machine because a system can see where its ranges
// end. Tests lower it to get short blocks, too.
#ifndef WEFT_PASS_CACHED_BYTES
#define WEFT_PASS_CACHED_BYTES (UINT64_C(16) << 20)
#endif

// Cuts the rows of a pass into parts, and stores them with its first system. code: of the first
// system; the others follow in the array. Returns the number of parts, 0 without rows.
uint32_t weft_pass_cut(weft_world *world, const weft_system_code *code);

// Begin chooses the blocks of a turn that has parts. End ends the turn. all_due: all systems of the
// pass have a turn.
void weft_pass_begin(weft_world *world, const weft_system_code *code, bool all_due);
void weft_pass_end(weft_world *world, const weft_system_code *code);

// Finds the rows of a part that a system of the pass may take. Returns false if there are none.
bool weft_pass_rows(const weft_world *world, const weft_pass *pass, uint32_t parallel,
                    const weft_part *part, weft_part *rows);

// Returns the rows of a block, which must be in a table of the system. *place is the index of the
// previous block's table in the query of the system, 0 at first; it is updated.
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
