// Compares what a writer may have written with the copies.
#include "trace.h"

#include "../world/report.h"
#include "last_writes.h"
#include "moves.h"
#include "nodes.h"
#include "runs.h"

typedef struct weft_tracing {
    weft_copies copies;
    weft_node_copies *links;
    weft_ring ring;
    uint64_t since; // tick in which watching began
    uint32_t moves; // weft_moves(world) at the last search for moved rows
    bool blind;     // memory for copies has run out
} weft_tracing;

bool weft_tracing_open(weft_world *world, uint32_t writes)
{
    weft_tracing *t = (weft_tracing *)weft_allocate_zeroed(&world->heap, sizeof *t);
    if (!t) return false;
    world->observers.watching->tracing = t;
    world->observers.watching->ring = &t->ring;
    t->since = world->tick;
    t->moves = weft_moves(world);
    return weft_ring_open(&world->heap, &t->ring, writes) && weft_copies_open(world, &t->copies) &&
           weft_nodes_copied_open(world, &t->links);
}

void weft_tracing_close(weft_world *world)
{
    weft_tracing *t = world->observers.watching->tracing;
    if (!t) return;
    weft_copies_close(world, &t->copies);
    weft_nodes_copied_close(world, t->links);
    weft_ring_close(&world->heap, &t->ring);
    weft_free(&world->heap, t, sizeof *t);
    world->observers.watching->tracing = NULL;
    world->observers.watching->ring = NULL;
}

bool weft_tracing_is_blind(const weft_world *world)
{
    return world->observers.watching->tracing->blind;
}

bool weft_writes_kept(weft_world *world, uint64_t *tick)
{
    if (!WEFT_GIVEN(world, tick, "weft_writes_kept")) return false;
    *tick = UINT64_MAX;
    if (!world->observers.watching || !world->observers.watching->tracing ||
        weft_tracing_is_blind(world))
        return false;
    weft_writer(world, world->observers.watching->writer, world->observers.watching->commands);
    *tick = world->observers.watching->tracing->since;
    return !weft_writes_forgotten(&world->observers.watching->tracing->ring, tick);
}

// Without memory for copies, only singletons are watched from now on.
static bool go_blind(weft_world *world)
{
    world->observers.watching->tracing->blind = true;
    weft_report(world, WEFT_NO_MEMORY, "no memory to watch values: writes are no longer kept");
    return false;
}

static weft_differ differ_of(const weft_world *world)
{
    return (weft_differ){
        .schema = world->plan->schema, .ring = world->observers.watching->ring, .end = UINT32_MAX};
}

static void look_at_singletons(weft_world *world, const uint64_t *set)
{
    const weft_schema *schema = world->plan->schema;
    weft_differ d = differ_of(world);
    unsigned char *copy = world->observers.watching->tracing->copies.once;
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        if (weft_set_has(set, schema->component_count + i)) {
            weft_ring_source(d.ring, world, (weft_owner){.of = (uint16_t)i, .singleton = true});
            weft_differ_singleton(&d, info, copy, (const unsigned char *)world + info->offset);
        }
        copy += info->size;
    }
}

// Compares a component in all rows of a table.
static void look_at_component(const weft_world *world, const weft_table *table,
                              weft_table_copy *copy, uint32_t component)
{
    const weft_format format = world->plan->format;
    const weft_component_plan *c = &world->plan->components[component];
    const weft_copies *copies = &world->observers.watching->tracing->copies;
    weft_differ d = differ_of(world);
    weft_ring_source(d.ring, world, (weft_owner){.of = (uint16_t)component});
    for (uint32_t i = 0; i < c->column_count; i++) {
        uint32_t column = (uint32_t)c->first_column + i;
        weft_differ_span span = {.handles = &copy->handles,
                                 .copied = &copy->cells[copy->first[component] + i],
                                 .cells = (const unsigned char *)weft_column(table, column),
                                 .end = table->count};
        weft_differ_column(&d, &copies->cells[column], format, &span);
    }
}

// Compares the components of a set in a table. The numbers of relations follow those of components,
// and are not in the set of any table.
static void look_in_table(const weft_world *world, const uint64_t *set, const weft_table *table)
{
    const weft_copies *copies = &world->observers.watching->tracing->copies;
    const uint32_t words = weft_bits_words(world->plan->schema->component_count);
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = table->set[w] & set[w]; left != 0;) {
            look_at_component(world, table, weft_copy_of(copies, table),
                              w * 64 + weft_bits_pop(&left));
        }
    }
}

// Compares the components of a set in all tables. No table may have moved rows.
static void look_at_tables(const weft_world *world, const uint64_t *set)
{
    for (uint32_t i = 0; i < world->lists.every_table.count; i++) {
        const weft_table *table = world->lists.every_table.tables[i];
        if (table->count != 0) look_in_table(world, set, table);
    }
}

// Stores which rows of a word of bits got a tag, and which lost it.
static void keep_bits(weft_ring *ring, weft_format f, const void *handles, uint32_t first,
                      uint64_t before, uint64_t after)
{
    for (uint64_t left = before ^ after; left != 0;) {
        uint32_t bit = weft_bits_pop(&left);
        bool has = after >> bit & 1u;
        weft_ring_change(ring, has ? WEFT_WRITE_ADDED : WEFT_WRITE_REMOVED,
                         weft_handle_load(f, handles, first + bit));
    }
}

// Compares the bits of a tag in a table. Returns false if there is no memory for the copy.
static bool look_at_bits(weft_world *world, weft_table_copy *copy, uint32_t number, uint32_t tag)
{
    const weft_table *table = copy->table;
    weft_copied *copied = &copy->tags[number];
    const uint64_t *bits = (const uint64_t *)weft_column(table, weft_tag_column(world, tag));
    if (!bits && !copied->items) return true;
    if (!weft_copies_tag_ready(world, copy, number)) return false;
    uint64_t *words = (uint64_t *)(void *)copied->items;
    for (uint32_t first = 0; first < table->count; first += 64) {
        uint64_t in_table = weft_bits_low(table->count - first < 64 ? table->count - first : 64);
        uint64_t before = words[first / 64] & in_table;
        uint64_t after = bits ? bits[first / 64] & in_table : 0;
        if (before == after) continue;
        keep_bits(world->observers.watching->ring, world->plan->format, weft_column(table, 0),
                  first, before, after);
        words[first / 64] = after;
    }
    return true;
}

static void look_at_tags(weft_world *world, const uint64_t *set)
{
    const weft_copies *copies = &world->observers.watching->tracing->copies;
    for (uint32_t number = 0; number < copies->tag_count; number++) {
        uint32_t tag = copies->tags[number];
        if (!weft_set_has(set, tag)) continue;
        weft_ring_source(world->observers.watching->ring, world, (weft_owner){.of = (uint16_t)tag});
        for (uint32_t i = 0; i < world->lists.every_table.count; i++) {
            const weft_table *table = world->lists.every_table.tables[i];
            if (table->count == 0) continue;
            if (!look_at_bits(world, weft_copy_of(copies, table), number, tag)) {
                go_blind(world);
                return;
            }
        }
    }
}

// Compares the stores of a set, and those in which values were added or removed.
static void look_at_stores(weft_world *world, const uint64_t *set, bool anything)
{
    weft_copies *copies = &world->observers.watching->tracing->copies;
    weft_differ d = differ_of(world);
    weft_format wide = {.handle_bytes = sizeof(uint64_t)};
    for (uint32_t i = 0; i < world->plan->sparse_count; i++) {
        const weft_sparse *sparse = &world->sparse[i];
        weft_store_copy *copy = &copies->stores[i];
        if (anything || sparse->change_count != copy->change_count) {
            weft_moves_look_at_store(world, copies, d.ring, i);
        } else if (copy->count != 0 && weft_set_has(set, world->plan->sparse_components[i])) {
            weft_ring_source(d.ring, world, (weft_owner){.of = world->plan->sparse_components[i]});
            weft_differ_rows(&d, &copies->cells[world->plan->first_bitset + i], wide, copy->handles,
                             copy->values, sparse->values.base, copy->count);
        }
    }
}

// Returns whether a sparse value was added or removed.
static bool stores_changed(const weft_world *world)
{
    const weft_copies *copies = &world->observers.watching->tracing->copies;
    for (uint32_t i = 0; i < world->plan->sparse_count; i++) {
        if (world->sparse[i].change_count != copies->stores[i].change_count) return true;
    }
    return false;
}

void weft_tracing_look(weft_world *world, const uint64_t *set, bool anything)
{
    weft_tracing *t = world->observers.watching->tracing;
    weft_ring_begin(&t->ring);
    look_at_singletons(world, set);
    if (t->blind) return;
    bool moved = anything || t->moves != weft_moves(world);
    if ((moved || stores_changed(world)) && !weft_copies_ready(world, &t->copies)) {
        go_blind(world);
        return;
    }
    if (moved) weft_moves_look(world, &t->copies, &t->ring);
    if (!weft_nodes_look(world, t->links, &t->ring, moved)) {
        go_blind(world);
        return;
    }
    t->moves = weft_moves(world);
    look_at_stores(world, set, anything);
    look_at_tables(world, set);
    look_at_tags(world, set);
}
