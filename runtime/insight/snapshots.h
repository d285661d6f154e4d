// Snapshots: the cells of a run of rows, shared by a copy and the ring.
//
//     copy of a column | items …                          consecutive rows
//                      | -, -, snapshot, -, …             by run: rows that are not in items
//     the ring         | run: before, after, handles | …  three snapshots
//
// If much of a run differs, its current cells become a snapshot, and this snapshot is the copy from
// then on. The earlier snapshot then belongs to the ring only. So storing a run costs no more than
// updating the copy. A snapshot that the ring still needs is never overwritten. One that it no
// longer needs is used again. If there is no memory for a snapshot, writes are stored one by one.
#ifndef WEFT_INSIGHT_SNAPSHOTS_H
#define WEFT_INSIGHT_SNAPSHOTS_H

#include "../base/memory.h"

#define WEFT_RUN_ROWS_MAX 64u
#define WEFT_RUN_BYTES_MAX 1024u // the most bytes of the cells of a run
#define WEFT_SNAPSHOT_UNIT 256u
#define WEFT_SNAPSHOT_SIZES (WEFT_RUN_BYTES_MAX / WEFT_SNAPSHOT_UNIT)

// The cells follow it, starting at the next cache line.
typedef struct weft_snapshot {
    struct weft_snapshot *next; // in the list of freed snapshots, the one freed after it
    uint64_t count;             // the snapshot is needed until this many writes are dropped
    uint32_t size;
    bool few; // few of its numbers differed from the snapshot before it
} weft_snapshot;

// All snapshots of one size.
typedef struct weft_snapshot_size {
    weft_snapshot *oldest; // the snapshot that was freed first
    weft_snapshot *newest;
    unsigned char *fresh; // memory that was never used for a snapshot
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

// Brings a snapshot into the cache, because all of its cells are read soon.
static inline void weft_snapshot_prefetch(weft_snapshot *snapshot, uint32_t bytes)
{
    const unsigned char *line = (const unsigned char *)snapshot;
    for (size_t at = 0; at < WEFT_LINE_BYTES + bytes; at += WEFT_LINE_BYTES) {
        WEFT_PREFETCH(line + at);
    }
}

// Returns a snapshot with room for `bytes` bytes, to be filled in. No write from number `oldest` on
// needs its old contents. Returns NULL if there is no memory.
weft_snapshot *weft_snapshot_open(weft_snapshots *all, uint32_t bytes, uint64_t oldest);

// Frees a snapshot. It may be needed until `count` writes are dropped.
void weft_snapshot_close(weft_snapshots *all, weft_snapshot *snapshot, uint64_t count);

void weft_snapshots_free(weft_snapshots *all);

// A growing array, filled with zeros. In the copy of a column, runs of rows may be in snapshots.
typedef struct weft_copied {
    unsigned char *items;
    weft_snapshot **runs; // by run; NULL if the run is in items
    uint32_t capacity;
    uint32_t run_capacity;
} weft_copied;

// Returns the snapshot of a run, or NULL if the run is in items.
static inline weft_snapshot *weft_copied_run(const weft_copied *copied, uint32_t run)
{
    return run < copied->run_capacity ? copied->runs[run] : NULL;
}

// Returns the copies from a row on, within its run. `run_rows` is 0 if the column has no runs.
static inline const unsigned char *weft_copied_at(const weft_copied *copied, uint32_t run_rows,
                                                  uint32_t row, size_t bytes)
{
    weft_snapshot *s = run_rows == 0 ? NULL : weft_copied_run(copied, row / run_rows);
    return s ? weft_snapshot_cells(s) + row % run_rows * bytes : copied->items + row * bytes;
}

// Returns the copies of a run for writing. If a write from number `oldest` on needs the snapshot,
// the run is moved to items first.
unsigned char *weft_copied_own(weft_snapshots *all, const weft_copied *copied, uint32_t run,
                               uint32_t bytes, uint64_t oldest);

// Frees the snapshot of a run whose cells are all in items.
void weft_copied_drop(weft_snapshots *all, const weft_copied *copied, uint32_t run);

#endif
