// The last writes to a path: all of them, those by one writer, or the largest changes.
#include "last_writes.h"

#include "../value/text.h"
#include "../world/report.h"

#include <math.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------------
// One write

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

double weft_number_change(weft_type type, uint32_t bytes, const void *before, const void *after)
{
    const weft_number_kind kind = weft_kind_of(type);
    if (!weft_type_is_number(type)) return NAN;
    const weft_number was = weft_number_load(kind, before, bytes);
    const weft_number is = weft_number_load(kind, after, bytes);
    if (kind == WEFT_FLOAT) return is.f64 - was.f64;
    const bool rises = kind == WEFT_SIGNED ? is.i64 >= was.i64 : is.u64 >= was.u64;
    return rises ? (double)(is.u64 - was.u64) : -(double)(was.u64 - is.u64);
}

double weft_write_change(const weft_world *world, weft_owner owner, const weft_written *written)
{
    char path[WEFT_WRITE_TEXT_BYTES];
    const weft_schema *schema = world->plan->schema;
    if (written->kind != WEFT_WRITE_VALUE || written->before_bytes == 0 ||
        written->after_bytes == 0) {
        return NAN;
    }
    const weft_leaf_ref leaf =
        weft_leaf_at(schema, weft_owner_fields(schema, owner), written->offset, path, sizeof path);
    return weft_number_change(leaf.type, leaf.bytes, written->before, written->after);
}

weft_write weft_write_of(const weft_world *world, const weft_ring_walk *walk, const weft_written *w)
{
    const weft_schema *schema = world->plan->schema;
    const weft_source *s = walk->source;
    weft_write write = {.tick = s->tick,
                        .number = weft_ring_number_of(walk) + 1,
                        .writer = s->writer ? s->writer : WEFT_GAME_WRITES,
                        .commands = s->commands,
                        .kind = (weft_write_kind)w->kind,
                        .handle = w->handle,
                        .given = (weft_rows_given)s->given,
                        .row = s->row,
                        .change = weft_write_change(world, s->owner, w),
                        .owner = weft_owner_name(schema, s->owner)};
    if (write.kind != WEFT_WRITE_VALUE) return write;
    weft_field_list of = weft_owner_fields(schema, s->owner);
    weft_leaf_ref leaf = weft_leaf_at(schema, of, w->offset, write.path, sizeof write.path);
    const unsigned char *rest = (const unsigned char *)w - (w->slots > 1 ? WEFT_SLOT_BYTES : 0);
    tell_value(world->plan, leaf, w->before, rest, w->before_bytes, write.before);
    rest += WEFT_SLOT_BYTES / 2;
    tell_value(world->plan, leaf, w->after, rest, w->after_bytes, write.after);
    return write;
}

bool weft_newest_write(const weft_world *world, uint64_t handle, const weft_place_span *span,
                       weft_write *write)
{
    const weft_ring *ring = world->observers.watching->ring;
    if (!ring) return false;
    weft_wanted_writes of = {.owner = span->owner,
                             .handle = handle,
                             .first = span->first,
                             .end = span->end,
                             .oldest = ring->before};
    weft_ring_walk walk = weft_ring_walk_back(ring);
    const weft_written *w = weft_ring_next(&walk, &of);
    if (w) *write = weft_write_of(world, &walk, w);
    return w != NULL;
}

bool weft_writes_forgotten(const weft_ring *ring, uint64_t *tick)
{
    if (weft_ring_count(ring) - ring->forgotten < ring->capacity) return false;
    weft_ring_walk walk = weft_ring_walk_back(ring);
    while (weft_ring_step_back(&walk, weft_ring_oldest(ring))) *tick = walk.source->tick;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Writes to a path

bool weft_writes_begin(weft_world *world, uint64_t handle, const char *path,
                       weft_wanted_writes *wanted, weft_ring_walk *walk)
{
    weft_place_span span;
    if (!world->observers.watching || !world->observers.watching->tracing) {
        weft_report(world, WEFT_REFUSED, "%s", WEFT_OBSERVED_BY("writes are kept"));
        return false;
    }
    if (!weft_place_find(world, path, &span)) return false;
    weft_writer(world, world->observers.watching->writer, world->observers.watching->commands);
    const weft_ring *ring = world->observers.watching->ring;
    *wanted = (weft_wanted_writes){.owner = span.owner,
                                   .handle = span.owner.singleton ? 0 : handle,
                                   .first = span.first,
                                   .end = span.end,
                                   .oldest = weft_ring_oldest(ring)};
    *walk = weft_ring_walk_back(ring);
    return true;
}

// Returns whether a filter selects the write that a walk has returned.
static bool is_selected(const weft_ring_walk *walk, const weft_write_filter *filter)
{
    const char *writer = walk->source->writer ? walk->source->writer : WEFT_GAME_WRITES;
    if (filter->writer && strcmp(filter->writer, writer) != 0) return false;
    return filter->until == 0 || weft_ring_number_of(walk) + 1 < filter->until;
}

// Returns the next selected write, or NULL if there are no more.
static const weft_written *next_selected(weft_ring_walk *walk, const weft_wanted_writes *of,
                                         const weft_write_filter *filter)
{
    const weft_written *w;
    do w = weft_ring_next(walk, of);
    while (w && !is_selected(walk, filter));
    return w;
}

// A selected write, when writes are sorted by size.
typedef struct sized_write {
    uint64_t number;
    double size; // of its change; -1 if the value is not a number
} sized_write;

// Compares two writes: the larger change first, then the newer write.
static int compare_sizes(const void *left, const void *right)
{
    const sized_write *a = (const sized_write *)left;
    const sized_write *b = (const sized_write *)right;
    if (a->size != b->size) return a->size > b->size ? -1 : 1;
    return a->number > b->number ? -1 : 1;
}

static bool is_among(const sized_write *sorted, uint32_t count, uint64_t number, uint32_t *at)
{
    for (*at = 0; *at < count; ++*at) {
        if (sorted[*at].number == number) return true;
    }
    return false;
}

// Collects the selected writes. Returns false if there is no memory.
static bool collect_sizes(weft_world *world, weft_ring_walk walk, const weft_wanted_writes *of,
                          const weft_write_filter *filter, sized_write **all, uint32_t *capacity,
                          uint32_t *count)
{
    const weft_written *w;
    while ((w = next_selected(&walk, of, filter))) {
        const double size = fabs(weft_write_change(world, of->owner, w));
        if (!weft_array_grow(&world->heap, all, capacity, *count + 1, sizeof **all)) return false;
        (*all)[(*count)++] = (sized_write){weft_ring_number_of(&walk), size >= 0 ? size : -1};
    }
    return true;
}

// Stores the selected writes with the largest changes.
static uint32_t find_largest(weft_world *world, weft_ring_walk walk, const weft_wanted_writes *of,
                             const weft_write_filter *filter, weft_write *writes, uint32_t most)
{
    sized_write *all = NULL;
    uint32_t capacity = 0, count = 0, found = 0, at;
    const weft_written *w;
    if (collect_sizes(world, walk, of, filter, &all, &capacity, &count)) {
        if (count != 0) qsort(all, count, sizeof *all, compare_sizes);
        found = count > filter->skip ? count - filter->skip : 0;
        if (found > most) found = most;
        while (found != 0 && (w = next_selected(&walk, of, filter))) {
            const uint64_t number = weft_ring_number_of(&walk);
            if (is_among(all + filter->skip, found, number, &at)) {
                writes[at] = weft_write_of(world, &walk, w);
            }
        }
    } else {
        weft_report(world, WEFT_NO_MEMORY, "no memory to sort writes");
    }
    weft_free(&world->heap, all, capacity * sizeof *all);
    return found;
}

uint32_t weft_find_writes(weft_world *world, uint64_t handle, const char *path,
                          const weft_write_filter *filter, weft_write *writes, uint32_t most)
{
    uint32_t found = 0;
    weft_wanted_writes of;
    weft_ring_walk walk;
    const weft_written *w;
    if (!WEFT_GIVEN(world, path, "weft_find_writes")) return 0;
    if (!WEFT_GIVEN(world, filter, "weft_find_writes")) return 0;
    if (most != 0 && !WEFT_GIVEN(world, writes, "weft_find_writes")) return 0;
    if (!weft_writes_begin(world, handle, path, &of, &walk)) return 0;
    if (filter->by_size) return find_largest(world, walk, &of, filter, writes, most);
    for (uint32_t i = 0; found < most && (w = next_selected(&walk, &of, filter)); i++) {
        if (i >= filter->skip) writes[found++] = weft_write_of(world, &walk, w);
    }
    return found;
}

uint32_t weft_last_writes(weft_world *world, uint64_t handle, const char *path, weft_write *writes,
                          uint32_t most)
{
    const weft_write_filter all = {.skip = 0};
    return weft_find_writes(world, handle, path, &all, writes, most);
}
