// The rows are listed before the first one is despawned, because each despawn may move other rows
// and despawn children.
#include "despawn_all.h"

#include "../base/bits.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "../world/writer.h"
#include "despawn.h"

static void list_handles(const weft_world *world, const weft_query *query, weft_match_table match,
                         weft_filter filter, uint64_t *handles)
{
    weft_cursor c;
    weft_cursor_begin(&c, world, query);
    while (weft_next_run_apart(&c, match, filter, UINT32_MAX)) {
        const void *from = weft_column(c.table, 0);
        for (uint32_t i = 0; i < c.count; i++) {
            *handles++ = weft_handle_load(world->plan->format, from, c.first + i);
        }
    }
}

static size_t count_tagged(const weft_world *world, uint32_t bitset)
{
    size_t count = 0;
    for (uint32_t i = 0; i < world->lists.every_table.count; i++) {
        count += world->lists.every_table.tables[i]->bitset_counts[bitset];
    }
    return count;
}

static void list_tagged(const weft_world *world, uint32_t tag, uint64_t *handles)
{
    const weft_component_plan *c = &world->plan->components[tag];
    for (uint32_t i = 0; i < world->lists.every_table.count; i++) {
        const weft_table *table = world->lists.every_table.tables[i];
        if (table->bitset_counts[c->bitset] == 0) continue;
        const uint64_t *words =
            (const uint64_t *)weft_column(table, weft_bitset_column(world->plan, c));
        for (uint32_t word = 0; (uint64_t)word * 64 < table->count; word++) {
            for (uint64_t bits = words[word]; bits != 0;) {
                uint32_t row = word * 64 + weft_bits_pop(&bits);
                *handles++ = weft_handle_load(world->plan->format, weft_column(table, 0), row);
            }
        }
    }
}

static uint64_t *handles_ready(weft_world *world, size_t count)
{
    uint64_t *handles = (uint64_t *)weft_allocate(&world->heap, count * sizeof *handles);
    if (!handles) weft_report(world, WEFT_NO_MEMORY, "no memory to list %zu rows", count);
    return handles;
}

// Despawns the listed entities, the last first, and frees the list.
static void end_listed(weft_world *world, uint64_t *handles, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        weft_place at;
        if (!weft_find(&world->entities, world->plan->format, handles[i], &at)) continue;
        weft_despawn_whole(world, handles[i]);
    }
    weft_free(&world->heap, handles, count * sizeof *handles);
}

weft_status weft_query_end(weft_world *world, const weft_query *query, weft_match_table match,
                           weft_filter filter)
{
    if (weft_busy(world, "despawn_all" WEFT_RECORDED)) return WEFT_BUSY;
    size_t count = weft_query_count(world, query, match, filter);
    if (count == 0) return WEFT_OK;
    uint64_t *handles = handles_ready(world, count);
    if (!handles) return WEFT_NO_MEMORY;
    list_handles(world, query, match, filter, handles);
    end_listed(world, handles, count);
    return WEFT_OK;
}

weft_status weft_tag_end(weft_world *world, uint32_t tag, const char *writer)
{
    size_t count = count_tagged(world, world->plan->components[tag].bitset);
    if (count == 0) return WEFT_OK;
    uint64_t *handles = handles_ready(world, count);
    if (!handles) return WEFT_NO_MEMORY;
    list_tagged(world, tag, handles);
    weft_writer(world, writer, false);
    end_listed(world, handles, count);
    return WEFT_OK;
}
