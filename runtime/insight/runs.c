// Compares columns of numbers run by run.
#include "runs.h"

#include "../value/fields.h"

#define PIECE 256u    // bytes that are compared at once
#define SKIPPED 1024u // the same for cells of several numbers, when searching for differences
#define GROUP 32u     // the same in a piece that contains differences
#define SPARSE 4u     // if fewer than one in this many numbers differ, that is few

// Counts the numbers that differ, without branches. `width` is a constant where this is inlined, so
// that compilers vectorise the loop.
WEFT_ALWAYS_INLINE uint32_t count_of_width(const unsigned char *before, const unsigned char *after,
                                           uint32_t count, uint32_t width)
{
    uint32_t differing = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t at = i * width;
        differing += weft_bits_read(before + at, width) != weft_bits_read(after + at, width);
    }
    return differing;
}

WEFT_HOT static uint32_t count_differing(const unsigned char *before, const unsigned char *after,
                                         uint32_t bytes, uint32_t width)
{
    return width == 4 ? count_of_width(before, after, bytes / 4, 4)
                      : count_of_width(before, after, bytes / 8, 8);
}

// Returns whether bytes differ, without branches. `bytes` is a constant where this is inlined, so
// that compilers vectorise the loop.
WEFT_ALWAYS_INLINE bool differs(const unsigned char *before, const unsigned char *after,
                                size_t bytes)
{
    uint64_t differing = 0;
    for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
        uint64_t was;
        uint64_t is;
        memcpy(&was, before + i, sizeof was);
        memcpy(&is, after + i, sizeof is);
        differing |= was ^ is;
    }
    return differing != 0;
}

// Returns how many bytes are equal, in whole pieces. A piece is long enough for compilers to
// vectorise the loop instead of unrolling it. Before that, `skipped` bytes at a time are compared,
// which is faster if nothing differs, and slower if a little does.
WEFT_HOT static size_t equal_bytes(const unsigned char *before, const unsigned char *after,
                                   size_t bytes, size_t skipped)
{
    size_t at = 0;
    while (at + skipped <= bytes && memcmp(before + at, after + at, skipped) == 0) at += skipped;
    while (at + PIECE <= bytes && !differs(before + at, after + at, PIECE)) at += PIECE;
    return at;
}

// Stores the numbers that differ one by one, from byte `from` to byte `end` of the rows, as long as
// the ring stores writes.
WEFT_ALWAYS_INLINE void keep_numbers(weft_ring *ring, const weft_cell_plan *of, weft_format format,
                                     const void *handles, const unsigned char *before,
                                     const unsigned char *after, size_t from, size_t end,
                                     uint32_t width)
{
    for (size_t at = from; at < end; at += width) {
        if (weft_bits_read(before + at, width) == weft_bits_read(after + at, width)) continue;
        if (ring->left == 0) return;
        weft_ring_number(ring, weft_handle_load(format, handles, (uint32_t)(at / of->bytes)),
                         of->offset + (uint32_t)(at % of->bytes), before + at, after + at, width);
    }
}

// Does the same group by group, because most groups are equal.
static void keep_some(weft_ring *ring, const weft_cell_plan *of, weft_format format,
                      const void *handles, const unsigned char *before, const unsigned char *after,
                      size_t from, size_t end)
{
    const uint32_t width = of->flat_bytes;
    for (size_t at = from; at < end; at += GROUP) {
        const size_t stop = end - at < GROUP ? end : at + GROUP;
        if (at + GROUP == stop && !differs(before + at, after + at, GROUP)) continue;
        if (width == 4) keep_numbers(ring, of, format, handles, before, after, at, stop, 4);
        if (width == 8) keep_numbers(ring, of, format, handles, before, after, at, stop, 8);
    }
}

// Returns the snapshot of a copied run, made if needed. Returns NULL if there is no memory.
static weft_snapshot *snapshot_of(weft_ring *ring, weft_copied *copied, uint32_t run,
                                  uint32_t bytes)
{
    weft_snapshots *all = &ring->snapshots;
    if (!weft_array_grow(all->heap, &copied->runs, &copied->run_capacity, run + 1,
                         sizeof *copied->runs)) {
        return NULL;
    }
    if (copied->runs[run]) return copied->runs[run];
    weft_snapshot *snapshot = weft_snapshot_open(all, bytes, weft_ring_oldest(ring));
    if (!snapshot) return NULL;
    memcpy(weft_snapshot_cells(snapshot), copied->items + (size_t)run * bytes, bytes);
    snapshot->count = 0;
    snapshot->few = false;
    copied->runs[run] = snapshot;
    return snapshot;
}

// Stores a run, and updates its copy. Returns false if there is no memory for snapshots, or too few
// rows for a snapshot of their handles.
static bool keep_run(weft_ring *ring, const weft_cell_plan *of, weft_format format,
                     const weft_differ_span *span, uint32_t row, uint32_t writes, bool few)
{
    const uint32_t number = row / of->run_rows;
    const uint32_t bytes = of->run_rows * of->bytes;
    const uint32_t handle_run = row / WEFT_RUN_ROWS_MAX;
    if ((handle_run + 1) * WEFT_RUN_ROWS_MAX > span->handles->capacity) return false;
    weft_run_snapshots s = {
        .before = snapshot_of(ring, span->copied, number, bytes),
        .handles =
            snapshot_of(ring, span->handles, handle_run, WEFT_RUN_ROWS_MAX * format.handle_bytes),
    };
    if (!s.before || !s.handles) return false;
    s.after = weft_snapshot_open(&ring->snapshots, bytes, weft_ring_oldest(ring));
    if (!s.after) return false;
    memcpy(weft_snapshot_cells(s.after), span->cells + (size_t)row * of->bytes, bytes);
    weft_ring_run(ring,
                  &(weft_kept_run){.kind = WEFT_SLOT_RUN,
                                   .number_bytes = (uint8_t)of->flat_bytes,
                                   .cell_bytes = (uint8_t)of->bytes,
                                   .handle_bytes = (uint8_t)format.handle_bytes,
                                   .first_handle = (uint8_t)(row % WEFT_RUN_ROWS_MAX),
                                   .rows = (uint8_t)of->run_rows,
                                   .writes = (uint16_t)writes,
                                   .offset = of->offset},
                  &s);
    s.after->few = few;
    s.after->count = s.handles->count = weft_ring_count(ring);
    weft_snapshot_close(&ring->snapshots, s.before, s.after->count);
    span->copied->runs[number] = s.after;
    return true;
}

// Returns whether to store a run as snapshots. This is done if much differs. It is also done once
// if little differs directly after such a run: the ring still needs the copy, so it would have to
// be copied anyway before writing to it.
static bool is_kept_whole(const weft_ring *ring, const weft_differ_span *span, uint32_t run,
                          uint32_t writes, bool few)
{
    if (writes > ring->left) return false;
    const weft_snapshot *snapshot = weft_copied_run(span->copied, run);
    return !few || (snapshot && !snapshot->few && snapshot->count > weft_ring_oldest(ring));
}

// Compares rows of one run that differ, stores the differences, and updates the copies.
static void differ_run(weft_ring *ring, const weft_cell_plan *of, weft_format format,
                       const weft_differ_span *span, uint32_t row, uint32_t rows)
{
    const uint32_t bytes = rows * of->bytes;
    const uint32_t whole = of->run_rows * of->bytes;
    const uint32_t width = of->flat_bytes;
    const unsigned char *before = weft_copied_at(span->copied, of->run_rows, row, of->bytes);
    const unsigned char *after = span->cells + (size_t)row * of->bytes;
    if (ring->left != 0) {
        const uint32_t writes = count_differing(before, after, bytes, width);
        bool few = writes * SPARSE < bytes / width;
        bool kept = bytes == whole && is_kept_whole(ring, span, row / of->run_rows, writes, few);
        if (kept && keep_run(ring, of, format, span, row, writes, few)) return;
        const void *handles = span->handles->items + (size_t)row * format.handle_bytes;
        keep_some(ring, of, format, handles, before, after, 0, bytes);
    }
    unsigned char *copies = weft_copied_own(&ring->snapshots, span->copied, row / of->run_rows,
                                            whole, weft_ring_oldest(ring));
    memcpy(copies + (size_t)(row % of->run_rows) * of->bytes, after, bytes);
}

// Compares rows of a column without snapshots, starting at `row`, until much differs in a piece, or
// the ring is full. Returns the row where it stopped.
static uint32_t differ_items(weft_ring *ring, const weft_cell_plan *of, weft_format format,
                             const weft_differ_span *span, uint32_t row)
{
    const size_t end = (size_t)span->end * of->bytes;
    const size_t skipped = of->flat_count == 1 ? end + 1 : SKIPPED;
    unsigned char *before = span->copied->items;
    const unsigned char *after = span->cells;
    size_t at = (size_t)row * of->bytes;
    while (at < end) {
        at += equal_bytes(before + at, after + at, end - at, skipped);
        const size_t piece = end - at < PIECE ? end - at : PIECE;
        uint32_t writes = count_differing(before + at, after + at, (uint32_t)piece, of->flat_bytes);
        bool few = writes * SPARSE < piece / of->flat_bytes;
        if (ring->left == 0 || (writes != 0 && !few)) break;
        keep_some(ring, of, format, span->handles->items, before, after, at, at + piece);
        memcpy(before + at, after + at, piece);
        at += piece;
    }
    return (uint32_t)(at / of->bytes);
}

void weft_differ_column(weft_differ *d, const weft_cell_plan *of, weft_format format,
                        const weft_differ_span *span)
{
    const weft_copied *copied = span->copied;
    uint32_t row = 0;
    while (of->run_rows != 0 && row < span->end) {
        if (copied->run_capacity == 0) {
            row = differ_items(d->ring, of, format, span, row);
            if (row == span->end) return;
            if (d->ring->left == 0) break;
            row -= row % of->run_rows;
        }
        const uint32_t run = row / of->run_rows;
        uint32_t next = (run + 1) * of->run_rows;
        if (next > span->end) next = span->end;
        weft_snapshot *soon = weft_copied_run(copied, run + 1);
        if (soon) weft_snapshot_prefetch(soon, of->run_rows * of->bytes);
        const unsigned char *before = weft_copied_at(copied, of->run_rows, row, of->bytes);
        const unsigned char *after = span->cells + (size_t)row * of->bytes;
        if (memcmp(before, after, (size_t)(next - row) * of->bytes) != 0) {
            differ_run(d->ring, of, format, span, row, next - row);
        }
        row = next;
    }
    const size_t at = (size_t)row * of->bytes;
    weft_differ_rows(d, of, format, span->handles->items + (size_t)row * format.handle_bytes,
                     copied->items + at, span->cells + at, span->end - row);
}
