// Systems: what every generated context holds besides what its schema grants, tags written in
// passing, clocks.
#ifndef WEFT_SYSTEM_H
#define WEFT_SYSTEM_H

#include "../query/query.h"
#include "../record/event.h"

#define WEFT_TAG_WRITE_ROWS 4096u // longest range where a system writes tags

// Tags put on and off rows of the range at hand, row i of it at bit i. The last put of a row
// counts.
typedef struct weft_tag_writes {
    uint64_t on[WEFT_TAG_WRITE_ROWS / 64];
    uint64_t off[WEFT_TAG_WRITE_ROWS / 64];
    bool any;
} weft_tag_writes;

// The part of a context that is only for the generated functions which take the context. Its types
// are never defined, so that no other function takes what is in it.
typedef struct weft_sealed {
    const struct weft_sealed_world *world;
    const struct weft_sealed_table *table; // of the range at hand
    uint32_t first;                        // its first row
    uint32_t count;                        // its rows
    uint16_t reader;                  // 1 + who reads changes with it; 0: the system reads none
    weft_tag_writes *tag_writes;      // by slot: one for each tag that the system writes
    struct weft_sealed_stage *stages; // by slot: one for each event that it emits
} weft_sealed;

static inline const weft_table *weft_sealed_rows(const weft_sealed *sealed)
{
    return (const weft_table *)(uintptr_t)sealed->table;
}

// The range that a system is called with next.
static inline void weft_seal_rows(weft_sealed *sealed, const weft_cursor *at)
{
    sealed->table = (const struct weft_sealed_table *)(uintptr_t)at->table;
    sealed->first = at->first;
    sealed->count = at->count;
}

// Asserts (release builds: ignores it) that the row is one of the range.
static inline void weft_tag_write(const weft_sealed *sealed, uint32_t slot, uint32_t row, bool on)
{
    WEFT_ASSERT(row, <, sealed->count, "a tag was put on a row beyond the range");
    if (row >= sealed->count) return;
    weft_tag_writes *tag_writes = &sealed->tag_writes[slot];
    uint64_t bit = (uint64_t)1 << (row % 64);
    tag_writes->any = true;
    tag_writes->on[row / 64] =
        on ? tag_writes->on[row / 64] | bit : tag_writes->on[row / 64] & ~bit;
    tag_writes->off[row / 64] =
        on ? tag_writes->off[row / 64] & ~bit : tag_writes->off[row / 64] | bit;
}

// Marks a row of the range at hand in a stream; asserts (release builds: ignores it) that it is
// one.
static inline void weft_touch(const weft_sealed *sealed, uint32_t stream, uint32_t row)
{
    // Looked up whether or not it is one, so that a loop over rows does it once.
    const weft_table *table = weft_sealed_rows(sealed);
    weft_change_set marks =
        weft_change_set_of(&table->change_bits, table->change_bits.slots[stream]);
    WEFT_ASSERT(row, <, sealed->count, "a row beyond the range was touched");
    if (row < sealed->count) weft_change_set_mark(marks, sealed->first + row);
}

// The stages of a system lie side by side: the first of them.
static inline void weft_seal_stages(weft_sealed *sealed, weft_stage *stages)
{
    sealed->stages = (struct weft_sealed_stage *)(void *)stages;
}

static inline void weft_emit(const weft_sealed *sealed, uint32_t slot, const void *value,
                             size_t bytes)
{
    weft_stage_push((weft_stage *)(void *)sealed->stages + slot, value, bytes);
}

// Applies what was put on the range at hand and empties the puts. columns: of the bitsets, by slot;
// a tag stands behind those it requires. First all that is put off, what requires before what is
// required, then all that is put on, what is required before what requires: so a tag may take the
// place of one that excludes it, and a chain may be put on or off in one call. Of two that exclude
// each other and are both put on, the one in the lower slot stays. What rules refuse is dropped and
// counted: excludes, what requires a tag that is put off, and a tag that is put on without what it
// requires being there (a put brings nothing along). Without memory for a bitset what was put on in
// it is lost and counted, and the phase returns WEFT_NO_MEMORY. O(count * rows
// of the range / 64), nothing if nothing was put.
void weft_tag_writes_apply(weft_world *world, const weft_sealed *sealed, const uint16_t *columns,
                           uint32_t count);

// The same in a part of a parallel system, where what was put takes effect only when all parts have
// ended: keep notes it and empties the puts (without memory it is lost, as above), settle applies
// all of it, range by range in the order of the rows. sealed: with puts, as room to do it in.
void weft_tag_writes_keep(weft_world *world, uint32_t parallel, uint32_t part,
                          const weft_sealed *sealed, const uint16_t *columns, uint32_t count);
void weft_tag_writes_settle(weft_world *world, uint32_t parallel, weft_sealed *sealed,
                            const uint16_t *columns, uint32_t count);

// Two doubles, so that all clocks of a world are one array of doubles (save/hash.h).
typedef struct weft_clock {
    double waited;  // seconds towards the next time it is due
    double elapsed; // seconds since it last ran
} weft_clock;

// The clocks of a world, one for each system that is due every so many seconds.
static inline weft_clock *weft_world_clocks(const weft_world *world)
{
    return (weft_clock *)(void *)((unsigned char *)(uintptr_t)world + world->plan->clocks_offset);
}

// Lets dt seconds pass. True: the system is due now, with *since = seconds since it last ran; what
// is over stays for the next time.
bool weft_clock_due(weft_clock *clock, double every, double dt, double *since);

// It was due and had no turn: it is due again as soon as its phase runs again.
void weft_clock_put_off(weft_clock *clock, double every, double since);

#endif
