// Snapshots: cells of a run of rows, which a copy and the ring have together.
//
//     copy of a column | items …                          rows side by side
//                      | -, -, snapshot, -, …             by run: rows that are not in items
//     the ring         | run: before, after, handles | …  three snapshots
//
// Where much of a run differs, its cells as they are now become a snapshot, and that is the copy
// from then on; the one before it is in the ring alone. So what is kept costs no more than the copy
// does. A snapshot that the ring still needs is never written; one that it does not need any more
// is taken again. Where there is no memory for one, writes are kept one by one.
#ifndef WEFT_INSIGHT_SNAPSHOTS_H
#define WEFT_INSIGHT_SNAPSHOTS_H

#include "../base/memory.h"

#define WEFT_RUN_ROWS_MAX 64u
#define WEFT_RUN_BYTES_MAX 1024u // of the cells of a run
#define WEFT_SNAPSHOT_UNIT 256u
#define WEFT_SNAPSHOT_SIZES (WEFT_RUN_BYTES_MAX / WEFT_SNAPSHOT_UNIT)

// Has cells behind it, from the next line on.
typedef struct weft_snapshot {
    struct weft_snapshot *next; // that was given back after it
    uint64_t count;             // of writes up to the last one that needs it
    uint32_t size;
    bool few; // numbers of it differed from those of the one before
} weft_snapshot;

// Snapshots of one size.
typedef struct weft_snapshot_size {
    weft_snapshot *oldest; // that was given back
    weft_snapshot *newest;
    unsigned char *fresh; // memory that was never one
    size_t fresh_bytes;
} weft_snapshot_size;

typedef struct weft_snapshots {
    weft_heap *heap;
    struct weft_snapshot_block *blocks;
    weft_snapshot_size sizes[WEFT_SNAPSHOT_SIZES];
} weft_snapshots;

static inline unsigned char *weft_snapshot_cells(weft_snapshot *snapshot)
{
    return (unsigned char *)snapshot + WEFT_LINE_BYTES;
}

// Brings a snapshot into the cache, of which all cells are looked at soon.
static inline void weft_snapshot_prefetch(weft_snapshot *snapshot, uint32_t bytes)
{
    const unsigned char *line = (const unsigned char *)snapshot;
    for (size_t at = 0; at < WEFT_LINE_BYTES + bytes; at += WEFT_LINE_BYTES) {
        WEFT_PREFETCH(line + at);
    }
}

// Returns a snapshot of so many bytes that no write from number `oldest` on needs, to be filled in.
// NULL: no memory.
weft_snapshot *weft_snapshot_open(weft_snapshots *all, uint32_t bytes, uint64_t oldest);

// Gives a snapshot back, which so many writes may need.
void weft_snapshot_close(weft_snapshots *all, weft_snapshot *snapshot, uint64_t count);

void weft_snapshots_free(weft_snapshots *all);

// Bytes that grow, filled with zeros; of a column, runs of rows may lie in snapshots instead.
typedef struct weft_copied {
    unsigned char *items;
    weft_snapshot **runs; // NULL: in items
    uint32_t capacity;
    uint32_t run_capacity;
} weft_copied;

// Returns the snapshot that has a run. NULL: it is in items.
static inline weft_snapshot *weft_copied_run(const weft_copied *copied, uint32_t run)
{
    return run < copied->run_capacity ? copied->runs[run] : NULL;
}

// Returns the copies of a row. `run_rows` is 0 where there are no runs.
static inline const unsigned char *weft_copied_at(const weft_copied *copied, uint32_t run_rows,
                                                  uint32_t row, size_t bytes)
{
    weft_snapshot *s = run_rows == 0 ? NULL : weft_copied_run(copied, row / run_rows);
    return s ? weft_snapshot_cells(s) + row % run_rows * bytes : copied->items + row * bytes;
}

// Returns the copies of a run of so many bytes, to be written: no write from number `oldest` on
// needs them.
unsigned char *weft_copied_own(weft_snapshots *all, const weft_copied *copied, uint32_t run,
                               uint32_t bytes, uint64_t oldest);

// Leaves a run, of which items has all, without its snapshot.
void weft_copied_drop(weft_snapshots *all, const weft_copied *copied, uint32_t run);

#endif
