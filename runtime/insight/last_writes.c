// Walks back over the writes in the ring.
#include "last_writes.h"

#include "../value/text.h"
#include "../world/report.h"

// The writes to find.
typedef struct wanted_writes {
    weft_owner owner;
    uint64_t handle;
    uint32_t first; // bytes of the plain struct
    uint32_t end;
    uint64_t oldest; // number of the oldest write to return
} wanted_writes;

// A walk that begins at the newest write.
typedef struct ring_walk {
    const weft_ring *ring;
    uint32_t chunk;
    const weft_slot *slot;     // end of the next write to visit
    uint64_t number;           // of the first write in the current slot or run
    const weft_source *source; // of the current write
    const weft_kept_run *run;  // the current run
    uint32_t row;              // of the current run
    uint32_t left;             // bytes of the row's cell that were not visited yet
} ring_walk;

static ring_walk walk_back(const weft_ring *ring)
{
    return (ring_walk){.ring = ring,
                       .chunk = ring->chunk,
                       .slot = ring->next,
                       .number = weft_ring_count(ring),
                       .source = &ring->source};
}

// Moves to the write or run before. Returns NULL if it is too old.
static const weft_slot *step_back(ring_walk *walk, uint64_t oldest)
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

// Finds the row of an entity in a run. The walk then reads the numbers of this row backwards.
static void find_row(ring_walk *walk, const weft_kept_run *run, uint64_t handle)
{
    const unsigned char *handles = weft_snapshot_cells(snapshots_of(run)->handles);
    const weft_format format = {.handle_bytes = run->handle_bytes};
    for (uint32_t row = 0; row < run->rows; row++) {
        if (weft_handle_load(format, handles, run->first_handle + row) != handle) continue;
        walk->run = run;
        walk->row = row;
        walk->left = run->cell_bytes;
    }
}

// Returns the number of the write at a place in the cells of a run.
static uint64_t number_of(const ring_walk *walk, uint32_t at)
{
    uint64_t number = walk->number;
    for (uint32_t i = 0; i < at; i += walk->run->number_bytes) {
        number += number_differs(walk->run, i);
    }
    return number;
}

// Gets the next write in the current row. Returns false if there are no more.
static bool next_in_row(ring_walk *walk, const wanted_writes *of, weft_written *write)
{
    const weft_kept_run *run = walk->run;
    while (walk->left != 0) {
        walk->left -= run->number_bytes;
        const uint32_t at = walk->row * run->cell_bytes + walk->left;
        const uint32_t offset = run->offset + walk->left;
        bool inside = offset >= of->first && offset < of->end;
        if (!inside || !number_differs(run, at)) continue;
        if (walk->number < of->oldest && number_of(walk, at) < of->oldest) continue;
        *write = (weft_written){.kind = WEFT_WRITE_VALUE,
                                .before_bytes = run->number_bytes,
                                .after_bytes = run->number_bytes,
                                .offset = offset,
                                .handle = of->handle};
        memcpy(write->before, before_at(run, at), run->number_bytes);
        memcpy(write->after, after_at(run, at), run->number_bytes);
        return true;
    }
    walk->run = NULL;
    return false;
}

// ------------------------------------------------------------------------------------------------
// Returning writes

// Returns the next write to be returned, or NULL if there are no more. The rest of a long value is
// in the slot before it.
static const weft_written *next_write(ring_walk *walk, const wanted_writes *of,
                                      weft_written *in_run)
{
    for (;;) {
        if (walk->run && next_in_row(walk, of, in_run)) return in_run;
        const weft_slot *slot = step_back(walk, of->oldest);
        if (!slot) return NULL;
        if (!weft_owner_is(walk->source->owner, of->owner)) continue;
        if (slot->kind == WEFT_SLOT_RUN) {
            find_row(walk, &slot->run, of->handle);
            continue;
        }
        const weft_written *w = &slot->write;
        bool inside =
            w->kind != WEFT_WRITE_VALUE || (w->offset >= of->first && w->offset < of->end);
        if (inside && w->handle == of->handle) return w;
    }
}

// Prints a stored value; "" if it did not exist.
static void tell_value(const weft_plan *plan, weft_leaf_ref leaf, const unsigned char *kept,
                       const unsigned char *rest, uint8_t bytes, char text[WEFT_WRITE_TEXT_BYTES])
{
    unsigned char whole[WEFT_KEPT_BYTES + 1] = {0}; // a stored string may lack its NUL
    text[0] = '\0';
    if (bytes == 0) return;
    memcpy(whole, kept, bytes < WEFT_SHORT_BYTES ? bytes : WEFT_SHORT_BYTES);
    if (bytes > WEFT_SHORT_BYTES) memcpy(whole + WEFT_SHORT_BYTES, rest, bytes - WEFT_SHORT_BYTES);
    leaf.value = whole;
    weft_leaf_text(plan, &leaf, text);
}

static void tell(const weft_world *world, const weft_source *s, const weft_written *w,
                 weft_write *write)
{
    const weft_schema *schema = world->plan->schema;
    *write = (weft_write){.tick = s->tick,
                          .writer = s->writer ? s->writer : "the game",
                          .commands = s->commands,
                          .kind = (weft_write_kind)w->kind,
                          .handle = w->handle,
                          .owner = weft_owner_name(schema, s->owner)};
    if (write->kind != WEFT_WRITE_VALUE) return;
    weft_field_list of = weft_owner_fields(schema, s->owner);
    weft_leaf_ref leaf = weft_leaf_at(schema, of, w->offset, write->path, sizeof write->path);
    const unsigned char *rest = (const unsigned char *)w - (w->slots > 1 ? WEFT_SLOT_BYTES : 0);
    tell_value(world->plan, leaf, w->before, rest, w->before_bytes, write->before);
    rest += WEFT_SLOT_BYTES / 2;
    tell_value(world->plan, leaf, w->after, rest, w->after_bytes, write->after);
}

bool weft_newest_write(const weft_world *world, uint64_t handle, const weft_place_span *span,
                       weft_write *write)
{
    const weft_ring *ring = world->observers.watching->ring;
    if (!ring) return false;
    wanted_writes of = {.owner = span->owner,
                        .handle = handle,
                        .first = span->first,
                        .end = span->end,
                        .oldest = ring->before};
    ring_walk walk = walk_back(ring);
    weft_written in_run;
    const weft_written *w = next_write(&walk, &of, &in_run);
    if (w) tell(world, walk.source, w, write);
    return w != NULL;
}

bool weft_writes_forgotten(const weft_ring *ring, uint64_t *tick)
{
    if (weft_ring_count(ring) - ring->forgotten < ring->capacity) return false;
    ring_walk walk = walk_back(ring);
    while (step_back(&walk, weft_ring_oldest(ring))) *tick = walk.source->tick;
    return true;
}

uint32_t weft_last_writes(weft_world *world, uint64_t handle, const char *path, weft_write *writes,
                          uint32_t most)
{
    uint32_t found = 0;
    weft_place_span span;
    if (!WEFT_GIVEN(world, path, "weft_last_writes")) return 0;
    if (most != 0 && !WEFT_GIVEN(world, writes, "weft_last_writes")) return 0;
    if (!world->observers.watching || !world->observers.watching->tracing) {
        weft_report(world, WEFT_REFUSED, "%s", WEFT_OBSERVED_BY("writes are kept"));
        return 0;
    }
    if (!weft_place_find(world, path, &span)) return 0;
    weft_writer(world, world->observers.watching->writer, world->observers.watching->commands);
    const weft_ring *ring = world->observers.watching->ring;
    wanted_writes of = {.owner = span.owner,
                        .handle = span.owner.singleton ? 0 : handle,
                        .first = span.first,
                        .end = span.end,
                        .oldest = weft_ring_oldest(ring)};
    ring_walk walk = walk_back(ring);
    weft_written in_run;
    while (found < most) {
        const weft_written *w = next_write(&walk, &of, &in_run);
        if (!w) break;
        tell(world, walk.source, w, &writes[found++]);
    }
    return found;
}
