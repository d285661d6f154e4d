// Tags that systems write: to the rows of a range, after the system has processed it, or to any
// entity at once. No row moves. Components that the tag requires must exist, because a tag write
// adds no other components.
//
// These functions are called while systems run, also in parallel. The schedule then runs no other
// system that uses these tags. Memory is taken under the lock of the world.
#ifndef WEFT_TAGS_H
#define WEFT_TAGS_H

#include "../record/command.h"
#include "../world/report.h"
#include "many.h"

#define WEFT_TAG_WRITE_ROWS 4096u // longest range of a system that writes tags

// A write of one tag to the rows of a range. A separate array has one bit for each row.
typedef struct weft_tag_range {
    weft_table *table;
    uint32_t first; // row of the first bit
    uint32_t words; // number of words of bits
    uint32_t tag;
    uint16_t reader; // the writing system, which does not see its own losses; WEFT_NONE: it is no
                     // reader
    bool on;
} weft_tag_range;

// Writes the tag. Hooks are called before the first row loses the tag, or after the last row gains
// it. Rows that the rules refuse are counted as dropped. If there is no memory, all rows are
// counted as lost. May clear bits of rows that do not change. Returns whether any row has changed.
bool weft_tag_rows_write(weft_world *world, const weft_tag_range *write, uint64_t *rows);

// Counts rows as lost, like commands of the phase that could not be recorded, so that the status of
// the phase reports them.
void weft_tag_rows_lose(weft_world *world, const weft_tag_range *write, uint32_t rows);

// Sets or removes a tag of any entity. Returns whether the entity has changed. If not, *why is the
// refusal, or has the status WEFT_OK if the entity already had the tag.
bool weft_tag_change(weft_world *world, uint64_t handle, uint32_t tag, bool on, weft_refusal *why);

#endif
