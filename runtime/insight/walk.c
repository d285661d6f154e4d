// Walks back over the writes in the ring.
#include "walk.h"

weft_ring_walk weft_ring_walk_back(const weft_ring *ring)
{
    return (weft_ring_walk){.ring = ring,
                            .chunk = ring->chunk,
                            .slot = ring->next,
                            .number = weft_ring_count(ring),
                            .source = &ring->source};
}

const weft_slot *weft_ring_step_back(weft_ring_walk *walk, uint64_t oldest)
{
    const weft_ring *ring = walk->ring;
    while (walk->number > oldest) {
        const weft_slot *first = ring->slots + (size_t)walk->chunk * ring->chunk_slots;
        if (walk->slot == first) {
            walk->chunk = ring->chunks[walk->chunk].older;
            walk->slot = ring->slots + (size_t)walk->chunk * ring->chunk_slots +
                         ring->chunks[walk->chunk].slots;
            continue;
        }
        const weft_slot *last = walk->slot - 1;
        if (last->kind == WEFT_SLOT_SOURCE) {
            walk->source = &last->source;
            walk->slot = last;
            continue;
        }
        bool run = last->kind == WEFT_SLOT_RUN;
        walk->number -= run ? last->run.writes : 1;
        walk->slot -= run ? 2 : last->write.slots;
        return last;
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------------
// Runs

static const weft_run_snapshots *snapshots_of(const weft_kept_run *run)
{
    return (const weft_run_snapshots *)(const void *)((const unsigned char *)run - WEFT_SLOT_BYTES);
}

static const unsigned char *before_at(const weft_kept_run *run, uint32_t at)
{
    return weft_snapshot_cells(snapshots_of(run)->before) + at;
}

static const unsigned char *after_at(const weft_kept_run *run, uint32_t at)
{
    return weft_snapshot_cells(snapshots_of(run)->after) + at;
}

static bool number_differs(const weft_kept_run *run, uint32_t at)
{
    return memcmp(before_at(run, at), after_at(run, at), run->number_bytes) != 0;
}

static uint64_t handle_at(const weft_kept_run *run, uint32_t row)
{
    const unsigned char *handles = weft_snapshot_cells(snapshots_of(run)->handles);
    const weft_format format = {.handle_bytes = run->handle_bytes};
    return weft_handle_load(format, handles, run->first_handle + row);
}

static void begin_row(weft_ring_walk *walk, const weft_kept_run *run, uint32_t row)
{
    walk->run = run;
    walk->row = row;
    walk->left = run->cell_bytes;
}

// Finds the row of the wanted entity in a run, or the last row if all entities are wanted. The walk
// then reads the numbers of this row backwards.
static void find_row(weft_ring_walk *walk, const weft_kept_run *run, const weft_wanted_writes *of)
{
    if (of->of_any && run->rows != 0) begin_row(walk, run, run->rows - 1u);
    for (uint32_t row = 0; !of->of_any && row < run->rows; row++) {
        if (handle_at(run, row) == of->handle) begin_row(walk, run, row);
    }
}

// Returns the number of the write at a place in the cells of a run.
static uint64_t number_of(const weft_ring_walk *walk, uint32_t at)
{
    uint64_t number = walk->number;
    for (uint32_t i = 0; i < at; i += walk->run->number_bytes) {
        number += number_differs(walk->run, i);
    }
    return number;
}

static uint32_t place_in_run(const weft_ring_walk *walk)
{
    return walk->row * walk->run->cell_bytes + walk->left;
}

// Gets the next write in the current row. Returns false if there are no more.
static bool next_in_row(weft_ring_walk *walk, const weft_wanted_writes *of)
{
    const weft_kept_run *run = walk->run;
    weft_written *write = &walk->in_run;
    while (walk->left != 0) {
        walk->left -= run->number_bytes;
        const uint32_t at = place_in_run(walk);
        const uint32_t offset = run->offset + walk->left;
        bool inside = offset >= of->first && offset < of->end;
        if (!inside || !number_differs(run, at)) continue;
        if (walk->number < of->oldest && number_of(walk, at) < of->oldest) continue;
        *write = (weft_written){.kind = WEFT_WRITE_VALUE,
                                .before_bytes = run->number_bytes,
                                .after_bytes = run->number_bytes,
                                .offset = offset,
                                .handle = handle_at(run, walk->row)};
        memcpy(write->before, before_at(run, at), run->number_bytes);
        memcpy(write->after, after_at(run, at), run->number_bytes);
        return true;
    }
    return false;
}

// Gets the next write in the current run. Returns false if there are no more.
static bool next_in_run(weft_ring_walk *walk, const weft_wanted_writes *of)
{
    while (walk->run) {
        if (next_in_row(walk, of)) return true;
        if (of->of_any && walk->row != 0)
            begin_row(walk, walk->run, walk->row - 1);
        else
            walk->run = NULL;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// Returning writes

const weft_written *weft_ring_next(weft_ring_walk *walk, const weft_wanted_writes *of)
{
    for (;;) {
        if (next_in_run(walk, of)) return &walk->in_run;
        const weft_slot *slot = weft_ring_step_back(walk, of->oldest);
        if (!slot) return NULL;
        if (!weft_owner_is(walk->source->owner, of->owner)) continue;
        if (slot->kind == WEFT_SLOT_RUN) {
            find_row(walk, &slot->run, of);
            continue;
        }
        const weft_written *w = &slot->write;
        bool inside =
            w->kind != WEFT_WRITE_VALUE || (w->offset >= of->first && w->offset < of->end);
        if (inside && (of->of_any || w->handle == of->handle)) return w;
    }
}

uint64_t weft_ring_number_of(const weft_ring_walk *walk)
{
    return walk->run ? number_of(walk, place_in_run(walk)) : walk->number;
}
