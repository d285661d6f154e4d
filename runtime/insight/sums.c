// Sums up the writes to a path by value and writer.
#include "last_writes.h"

#include "../value/text.h"
#include "../world/report.h"

#include <math.h>
#include <stdlib.h>

// A sum, with the key that finds and sorts its writes.
typedef struct keyed_sum {
    bool of_value;   // false: of the component as a whole
    uint32_t offset; // of the value
    weft_write_sum sum;
} keyed_sum;

typedef struct summing {
    weft_world *world;
    weft_owner owner;
    keyed_sum *all;
    uint32_t capacity;
    uint32_t count;
} summing;

static bool is_sum_of(const keyed_sum *one, const weft_source *source, const weft_written *w)
{
    const bool of_value = w->kind == WEFT_WRITE_VALUE;
    const char *writer = source->writer ? source->writer : WEFT_GAME_WRITES;
    return one->of_value == of_value && (!of_value || one->offset == w->offset) &&
           one->sum.commands == source->commands && strcmp(one->sum.writer, writer) == 0;
}

static keyed_sum begin_sum(const summing *s, const weft_source *source, const weft_written *w)
{
    const weft_schema *schema = s->world->plan->schema;
    keyed_sum one = {.of_value = w->kind == WEFT_WRITE_VALUE,
                     .offset = w->offset,
                     .sum = {.writer = source->writer ? source->writer : WEFT_GAME_WRITES,
                             .commands = source->commands,
                             .last = source->tick}};
    if (!one.of_value) return one;
    const weft_leaf_ref leaf = weft_leaf_at(schema, weft_owner_fields(schema, s->owner), w->offset,
                                            one.sum.path, sizeof one.sum.path);
    one.sum.is_number = weft_type_is_number(leaf.type);
    return one;
}

// Returns the sum that a write belongs to, or NULL if there is no memory. Few writers write a
// value, so the search is short.
static weft_write_sum *sum_of(summing *s, const weft_source *source, const weft_written *w)
{
    weft_heap *heap = &s->world->heap;
    for (uint32_t i = s->count; i-- != 0;) {
        if (is_sum_of(&s->all[i], source, w)) return &s->all[i].sum;
    }
    if (!weft_array_grow(heap, &s->all, &s->capacity, s->count + 1, sizeof *s->all)) return NULL;
    s->all[s->count] = begin_sum(s, source, w);
    return &s->all[s->count++].sum;
}

static void add_to_sum(const summing *s, weft_write_sum *sum, const weft_written *w)
{
    sum->added += w->kind == WEFT_WRITE_ADDED;
    sum->removed += w->kind == WEFT_WRITE_REMOVED;
    sum->writes += w->kind == WEFT_WRITE_VALUE;
    const bool both = w->before_bytes != 0 && w->after_bytes != 0;
    if (sum->is_number && both) sum->change += weft_write_change(s->world, s->owner, w);
}

// Compares two sums: by value, then the larger change first. Equal ones are ordered by name, so
// that a list of them does not flicker.
static int compare_sums(const void *left, const void *right)
{
    const keyed_sum *a = (const keyed_sum *)left;
    const keyed_sum *b = (const keyed_sum *)right;
    const double one = fabs(a->sum.change), other = fabs(b->sum.change);
    if (a->of_value != b->of_value) return a->of_value ? 1 : -1;
    if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
    if (isnan(one) != isnan(other)) return isnan(one) ? -1 : 1;
    if (one > other || one < other) return one > other ? -1 : 1;
    if (a->sum.writes != b->sum.writes) return a->sum.writes > b->sum.writes ? -1 : 1;
    const int names = strcmp(a->sum.writer, b->sum.writer);
    return names != 0 ? names : (int)a->sum.commands - (int)b->sum.commands;
}

uint32_t weft_sum_writes(weft_world *world, uint64_t handle, const char *path, uint64_t since,
                         uint64_t until, weft_write_sum *sums, uint32_t most)
{
    weft_wanted_writes of;
    weft_ring_walk walk;
    const weft_written *w;
    summing s = {.world = world};
    if (!WEFT_GIVEN(world, path, "weft_sum_writes")) return 0;
    if (most != 0 && !WEFT_GIVEN(world, sums, "weft_sum_writes")) return 0;
    if (!weft_writes_begin(world, handle, path, &of, &walk)) return 0;
    s.owner = of.owner;
    of.of_any = handle == 0 && !of.owner.singleton;
    while ((w = weft_ring_next(&walk, &of))) {
        if (walk.source->tick < since) break;
        if (walk.source->tick >= until) continue;
        weft_write_sum *sum = sum_of(&s, walk.source, w);
        if (!sum) {
            weft_report(world, WEFT_NO_MEMORY, "no memory to sum up writes");
            s.count = 0;
            break;
        }
        add_to_sum(&s, sum, w);
    }
    if (s.count != 0) qsort(s.all, s.count, sizeof *s.all, compare_sums);
    for (uint32_t i = 0; i < s.count && i < most; i++) sums[i] = s.all[i].sum;
    weft_free(&world->heap, s.all, s.capacity * sizeof *s.all);
    return s.count;
}
