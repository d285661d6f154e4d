// The ring of last writes.
#include "ring.h"

#define WRITE_SLOTS_MAX 3u // a long value with its own source
#define CHUNK_SLOTS_MIN 64u
#define CHUNK_SLOTS_MAX 2048u
#define CHUNKS_OF_WRITES 32u // their number, unless they become too short or too long

static void open_chunk(weft_ring *ring, uint32_t chunk)
{
    ring->chunk = chunk;
    ring->next = ring->slots + (size_t)chunk * ring->chunk_slots;
    ring->end = ring->next + ring->chunk_slots;
}

bool weft_ring_open(weft_heap *heap, weft_ring *ring, uint32_t writes)
{
    const uint64_t slots = (uint64_t)writes * WRITE_SLOTS_MAX;
    uint64_t some = slots / CHUNKS_OF_WRITES;
    if (some < CHUNK_SLOTS_MIN) some = CHUNK_SLOTS_MIN;
    if (some > CHUNK_SLOTS_MAX) some = CHUNK_SLOTS_MAX;
    ring->chunk_slots = (uint32_t)some;
    // Each chunk may leave slots at its end unused, and the current and the oldest one are partly
    // filled.
    ring->chunk_count = (uint32_t)(slots / (some - 1)) + 3;
    ring->capacity = ring->left = writes;
    ring->snapshots.heap = heap;
    if (!weft_array_open(heap, &ring->chunks, ring->chunk_count, sizeof *ring->chunks) ||
        !weft_array_open(heap, &ring->slots, (size_t)ring->chunk_count * ring->chunk_slots,
                         sizeof *ring->slots)) {
        return false;
    }
    ring->chunks_used = 1;
    open_chunk(ring, 0);
    return true;
}

void weft_ring_close(weft_heap *heap, weft_ring *ring)
{
    weft_snapshots_free(&ring->snapshots);
    weft_free(heap, ring->chunks, ring->chunk_count * sizeof *ring->chunks);
    weft_free(heap, ring->slots,
              (size_t)ring->chunk_count * ring->chunk_slots * sizeof *ring->slots);
}

void weft_ring_reset(weft_ring *ring)
{
    weft_ring_begin(ring);
    ring->forgotten = ring->before;
}

// Moves to the next chunk: the oldest one, or a new one between the current and the oldest.
void weft_ring_step(weft_ring *ring)
{
    const uint64_t count = weft_ring_count(ring);
    weft_ring_chunk *last = &ring->chunks[ring->chunk];
    const uint32_t oldest = last->newer;
    last->count = count;
    last->slots = (uint32_t)(ring->next - (ring->end - ring->chunk_slots));
    bool is_free = oldest != ring->chunk && ring->chunks[oldest].count <= weft_ring_oldest(ring);
    if (is_free) {
        open_chunk(ring, oldest);
        return;
    }
    WEFT_ASSERT(ring->chunks_used, <, ring->chunk_count, "the ring has too few slots");
    const uint32_t fresh = ring->chunks_used++;
    ring->chunks[fresh] = (weft_ring_chunk){.older = ring->chunk, .newer = oldest};
    ring->chunks[oldest].older = fresh;
    last->newer = fresh;
    open_chunk(ring, fresh);
}

void weft_ring_begin(weft_ring *ring)
{
    ring->before = weft_ring_count(ring);
    ring->left = ring->capacity;
}

void weft_ring_source(weft_ring *ring, const weft_world *world, weft_owner owner)
{
    const weft_watching *w = world->observers.watching;
    const uint64_t first = weft_ring_count(ring);
    if (ring->source_first != first) weft_ring_slots(ring, 1)->source = ring->source;
    ring->source_first = first;
    ring->source = (weft_source){.kind = WEFT_SLOT_SOURCE,
                                 .commands = w->commands,
                                 .owner = owner,
                                 .given = (uint8_t)world->observers.given,
                                 .row = world->observers.row,
                                 .tick = world->tick,
                                 .writer = w->writer};
}

// Stores as much of a value as the ring keeps: the first bytes in `to`, and the rest in another
// slot. Returns how many bytes were stored.
static uint8_t keep(unsigned char *to, unsigned char *rest, const void *value, uint32_t bytes)
{
    uint32_t kept = !value ? 0 : bytes < WEFT_KEPT_BYTES ? bytes : WEFT_KEPT_BYTES;
    if (kept == 0) return 0;
    uint32_t first = kept < WEFT_SHORT_BYTES ? kept : WEFT_SHORT_BYTES;
    weft_copy(to, value, first);
    weft_copy(rest, (const unsigned char *)value + first, kept - first);
    return (uint8_t)kept;
}

void weft_ring_value(weft_ring *ring, uint64_t handle, uint32_t offset, const void *before,
                     const void *after, uint32_t bytes)
{
    if (ring->left == 0) return;
    const uint8_t slots = bytes > WEFT_SHORT_BYTES ? 2 : 1;
    weft_slot *s = weft_ring_slots(ring, slots);
    unsigned char *rest = s->bytes;
    weft_written *w = &s[slots - 1].write;
    *w = (weft_written){
        .kind = WEFT_WRITE_VALUE, .slots = slots, .offset = offset, .handle = handle};
    w->before_bytes = keep(w->before, rest, before, bytes);
    w->after_bytes = keep(w->after, rest + WEFT_SLOT_BYTES / 2, after, bytes);
    ring->left--;
}

void weft_ring_change(weft_ring *ring, weft_write_kind kind, uint64_t handle)
{
    if (ring->left == 0) return;
    weft_ring_slots(ring, 1)->write =
        (weft_written){.kind = (uint8_t)kind, .slots = 1, .handle = handle};
    ring->left--;
}

void weft_ring_run(weft_ring *ring, const weft_kept_run *run, const weft_run_snapshots *snapshots)
{
    weft_slot *s = weft_ring_slots(ring, 2);
    s[0].snapshots = *snapshots;
    s[1].run = *run;
    ring->left -= run->writes;
}
