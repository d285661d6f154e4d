// Tags that systems write: to the rows of a range, after the system has had it, or to any entity, at
// once. No row moves, so what a tag requires has to be there: a write brings nothing along.
//
// These are called while systems run, also in parallel. The schedule runs no other system then that
// asks for these tags. Memory is taken under the lock of the world.
#ifndef WEFT_TAGS_H
#define WEFT_TAGS_H

#include "../record/command.h"
#include "../world/report.h"
#include "many.h"

#define WEFT_TAG_WRITE_ROWS 4096u // longest range where a system writes tags

// A write of one tag to the rows of a range, whose bits are in words that go with it.
typedef struct weft_tag_range {
    weft_table *table;
    uint32_t first; // row of the first bit
    uint32_t words; // of bits
    uint32_t tag;
    uint16_t reader; // who writes, and so is not told which rows lose the tag; WEFT_NONE: no reader
    bool on;
} weft_tag_range;

// Writes the tag. Hooks are called for all rows at once: before the first loses the tag, or after
// the last got it. Rows that the rules refuse are counted as dropped, and without memory all rows
// are counted as lost. Rows that do not change may leave the words. Returns whether any row has
// changed.
bool weft_tag_rows_write(weft_world *world, const weft_tag_range *write, uint64_t *rows);

// Counts rows as lost with the commands of the phase that could not be recorded, so that its status
// reports them.
void weft_tag_rows_lose(weft_world *world, const weft_tag_range *write, uint32_t rows);

// Sets or removes a tag of any entity. Returns whether the entity has changed; if not, *why says
// what refuses it, or has the status WEFT_OK if the entity had the tag already.
bool weft_tag_change(weft_world *world, uint64_t handle, uint32_t tag, bool on, weft_refusal *why);

#endif
