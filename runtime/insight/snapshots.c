// Opens snapshots. Freed snapshots are used again in the order in which they were freed.
#include "snapshots.h"

#define SNAPSHOTS_BYTES ((size_t)64 * 1024) // allocated at once, for snapshots of one size

// Memory for snapshots. They begin at its second cache line.
typedef struct weft_snapshot_block {
    struct weft_snapshot_block *next;
} weft_snapshot_block;

static bool open_block(weft_snapshots *all, weft_snapshot_size *of)
{
    weft_snapshot_block *block = (weft_snapshot_block *)weft_allocate(all->heap, SNAPSHOTS_BYTES);
    if (!block) return false;
    block->next = all->blocks;
    all->blocks = block;
    of->fresh = (unsigned char *)block + WEFT_LINE_BYTES;
    of->fresh_bytes = SNAPSHOTS_BYTES - WEFT_LINE_BYTES;
    return true;
}

weft_snapshot *weft_snapshot_open(weft_snapshots *all, uint32_t bytes, uint64_t oldest)
{
    const uint32_t size = (bytes - 1) / WEFT_SNAPSHOT_UNIT;
    const size_t whole = WEFT_LINE_BYTES + (size + 1) * (size_t)WEFT_SNAPSHOT_UNIT;
    weft_snapshot_size *of = &all->sizes[size];
    weft_snapshot *snapshot = of->oldest;
    if (snapshot && snapshot->count <= oldest) {
        of->oldest = snapshot->next;
        if (of->oldest) weft_snapshot_prefetch(of->oldest, bytes);
        return snapshot;
    }
    if (of->fresh_bytes < whole && !open_block(all, of)) return NULL;
    snapshot = (weft_snapshot *)(void *)of->fresh;
    snapshot->size = size;
    of->fresh += whole;
    of->fresh_bytes -= whole;
    return snapshot;
}

void weft_snapshot_close(weft_snapshots *all, weft_snapshot *snapshot, uint64_t count)
{
    weft_snapshot_size *of = &all->sizes[snapshot->size];
    snapshot->next = NULL;
    snapshot->count = count;
    if (of->oldest)
        of->newest->next = snapshot;
    else
        of->oldest = snapshot;
    of->newest = snapshot;
}

void weft_copied_drop(weft_snapshots *all, const weft_copied *copied, uint32_t run)
{
    weft_snapshot *snapshot = weft_copied_run(copied, run);
    if (!snapshot) return;
    weft_snapshot_close(all, snapshot, snapshot->count);
    copied->runs[run] = NULL;
}

unsigned char *weft_copied_own(weft_snapshots *all, const weft_copied *copied, uint32_t run,
                               uint32_t bytes, uint64_t oldest)
{
    unsigned char *items = copied->items + (size_t)run * bytes;
    weft_snapshot *snapshot = weft_copied_run(copied, run);
    if (!snapshot) return items;
    if (snapshot->count <= oldest) return weft_snapshot_cells(snapshot);
    memcpy(items, weft_snapshot_cells(snapshot), bytes);
    weft_copied_drop(all, copied, run);
    return items;
}

void weft_snapshots_free(weft_snapshots *all)
{
    while (all->blocks) {
        weft_snapshot_block *block = all->blocks;
        all->blocks = block->next;
        weft_free(all->heap, block, SNAPSHOTS_BYTES);
    }
}
