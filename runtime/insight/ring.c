// The ring of last writes, and how the game is told of them.
#include "ring.h"

#include "../world/report.h"
#include "leaf.h"
#include "place.h"

bool weft_ring_open(weft_heap *heap, weft_ring *ring, uint32_t writes)
{
    ring->capacity = ring->left = writes;
    return weft_array_open(heap, &ring->writes, writes, sizeof *ring->writes) &&
           weft_array_open(heap, &ring->longs, writes, sizeof *ring->longs) &&
           weft_array_open(heap, &ring->sources, (size_t)writes + 1, sizeof *ring->sources);
}

void weft_ring_close(weft_heap *heap, weft_ring *ring)
{
    weft_free(heap, ring->writes, ring->capacity * sizeof *ring->writes);
    weft_free(heap, ring->longs, ring->capacity * sizeof *ring->longs);
    weft_free(heap, ring->sources, ((size_t)ring->capacity + 1) * sizeof *ring->sources);
}

void weft_ring_reset(weft_ring *ring)
{
    memset(ring->sources, 0, ((size_t)ring->capacity + 1) * sizeof *ring->sources);
    ring->source = 0;
    ring->next = 0;
    ring->before = 0;
    ring->left = ring->capacity;
}

void weft_ring_begin(weft_ring *ring)
{
    ring->before = weft_ring_count(ring);
    ring->left = ring->capacity;
}

void weft_ring_source(weft_ring *ring, const weft_world *world, weft_owner owner)
{
    const weft_watching *w = world->watching;
    const uint64_t first = weft_ring_count(ring);
    bool used = ring->sources[ring->source].first != first;
    if (used) ring->source = ring->source == ring->capacity ? 0 : ring->source + 1;
    ring->sources[ring->source] = (weft_source){.first = first,
                                                .tick = world->tick,
                                                .writer = w->writer,
                                                .commands = w->commands,
                                                .owner = owner};
}

// Keeps what there is of a value, and returns how many bytes of it.
static uint8_t keep(unsigned char *to, const void *value, uint32_t bytes)
{
    uint32_t kept = !value ? 0 : bytes < WEFT_KEPT_BYTES ? bytes : WEFT_KEPT_BYTES;
    if (kept != 0) memcpy(to, value, kept);
    return (uint8_t)kept;
}

void weft_ring_value(weft_ring *ring, uint64_t handle, uint32_t offset, const void *before,
                     const void *after, uint32_t bytes)
{
    if (ring->left == 0) return;
    weft_long_value *l = &ring->longs[ring->next];
    weft_written *w = weft_ring_next(ring, WEFT_WRITE_VALUE, handle, offset);
    bool is_long = bytes > WEFT_SHORT_BYTES;
    w->before_bytes = keep(is_long ? l->before : w->before, before, bytes);
    w->after_bytes = keep(is_long ? l->after : w->after, after, bytes);
}

void weft_ring_change(weft_ring *ring, weft_write_kind kind, uint64_t handle)
{
    if (ring->left != 0) weft_ring_next(ring, kind, handle, 0);
}

// ------------------------------------------------------------------------------------------------
// Telling of writes

// Writes as text what was kept of a value; "": it was not there.
static void tell_value(const weft_plan *plan, weft_leaf_ref leaf, const unsigned char *kept,
                       uint8_t bytes, char text[WEFT_WRITE_TEXT_BYTES])
{
    unsigned char whole[WEFT_KEPT_BYTES + 1] = {0}; // a string may have no end
    text[0] = '\0';
    if (bytes == 0) return;
    memcpy(whole, kept, bytes);
    leaf.value = whole;
    weft_leaf_text(plan, &leaf, text);
}

static void tell(const weft_world *world, uint64_t number, const weft_source *s, weft_write *write)
{
    const weft_schema *schema = world->plan->schema;
    const weft_ring *ring = world->watching->ring;
    const weft_written *w = &ring->writes[number % ring->capacity];
    const weft_long_value *l = &ring->longs[number % ring->capacity];
    *write = (weft_write){.tick = s->tick,
                          .writer = s->writer ? s->writer : "the game",
                          .commands = s->commands,
                          .kind = (weft_write_kind)w->kind,
                          .handle = w->handle,
                          .owner = weft_owner_name(schema, s->owner)};
    if (write->kind != WEFT_WRITE_VALUE) return;
    weft_place_fields of = weft_place_owner(schema, s->owner);
    weft_leaf_ref leaf = weft_place_leaf(schema, of, w->offset, write->path);
    bool is_long = w->before_bytes > WEFT_SHORT_BYTES || w->after_bytes > WEFT_SHORT_BYTES;
    tell_value(world->plan, leaf, is_long ? l->before : w->before, w->before_bytes, write->before);
    tell_value(world->plan, leaf, is_long ? l->after : w->after, w->after_bytes, write->after);
}

// A walk from the newest write back.
typedef struct ring_walk {
    const weft_ring *ring;
    uint64_t number; // of the write at hand
    uint64_t oldest;
    uint32_t source; // that it has
} ring_walk;

static ring_walk walk_back(const weft_ring *ring)
{
    const uint64_t count = weft_ring_count(ring);
    uint64_t oldest = count > ring->capacity ? count - ring->capacity : 0;
    return (ring_walk){ring, count, oldest, ring->source};
}

// Goes to the write before. NULL: there is none.
static const weft_source *step_back(ring_walk *walk)
{
    const weft_ring *ring = walk->ring;
    if (walk->number == walk->oldest) return NULL;
    while (ring->sources[walk->source].first >= walk->number) {
        walk->source = walk->source == 0 ? ring->capacity : walk->source - 1;
    }
    walk->number--;
    return &ring->sources[walk->source];
}

static const weft_written *at_hand(const ring_walk *walk)
{
    return &walk->ring->writes[walk->number % walk->ring->capacity];
}

bool weft_ring_newest(const weft_world *world, uint64_t handle, weft_owner owner, weft_write *write)
{
    const weft_ring *ring = world->watching->ring;
    if (!ring) return false;
    ring_walk walk = walk_back(ring);
    const weft_source *s = step_back(&walk);
    for (; s && walk.number >= ring->before; s = step_back(&walk)) {
        if (!weft_owner_is(s->owner, owner) || at_hand(&walk)->handle != handle) continue;
        tell(world, walk.number, s, write);
        return true;
    }
    return false;
}

bool weft_ring_forgot(const weft_ring *ring, uint64_t *tick)
{
    if (weft_ring_count(ring) < ring->capacity) return false;
    ring_walk walk = walk_back(ring);
    for (const weft_source *s = step_back(&walk); s; s = step_back(&walk)) *tick = s->tick;
    return true;
}

uint32_t weft_last_writes(weft_world *world, uint64_t handle, const char *path, weft_write *writes,
                          uint32_t most)
{
    uint32_t found = 0;
    weft_place_span span;
    if (!world->watching || !world->watching->tracing) {
        weft_report(world, WEFT_REFUSED, "writes are kept with weft_options.watch");
        return 0;
    }
    if (!weft_place_find(world, path, &span)) return 0;
    weft_writer(world, world->watching->writer, world->watching->commands);
    ring_walk walk = walk_back(world->watching->ring);
    const weft_source *s = step_back(&walk);
    for (; s && found < most; s = step_back(&walk)) {
        const weft_written *w = at_hand(&walk);
        bool value = w->kind == WEFT_WRITE_VALUE;
        bool inside = !value || (w->offset >= span.first && w->offset < span.end);
        if (!weft_owner_is(s->owner, span.owner) || !inside) continue;
        if (!s->owner.singleton && w->handle != handle) continue;
        tell(world, walk.number, s, &writes[found++]);
    }
    return found;
}
