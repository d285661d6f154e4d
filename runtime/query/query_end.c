// The rows are listed before the first one ends, since each end may move others and take more with
// it.
#include "query_end.h"

#include "../change/despawn.h"
#include "../world/report.h"

static void list_handles(const weft_world *world, const weft_query *query, weft_match_table match,
                         weft_filter filter, uint64_t *handles)
{
    weft_cursor c;
    weft_cursor_begin(&c, world, query);
    while (weft_next_run(&c, match, filter, UINT32_MAX)) {
        const void *from = weft_column(c.table, 0);
        for (uint32_t i = 0; i < c.count; i++) {
            *handles++ = weft_handle_load(world->plan->format, from, c.first + i);
        }
    }
}

weft_status weft_query_end(weft_world *world, const weft_query *query, weft_match_table match,
                           weft_filter filter)
{
    if (weft_busy(world, "despawn_all" WEFT_RECORDED)) return WEFT_BUSY;
    size_t count = weft_query_count(world, query, match, filter);
    if (count == 0) return WEFT_OK;
    uint64_t *handles = (uint64_t *)weft_allocate(&world->heap, count * sizeof *handles);
    if (!handles) return weft_report(world, WEFT_NO_MEMORY, "no memory to list %zu rows", count);
    list_handles(world, query, match, filter, handles);
    for (size_t i = count; i-- > 0;) {
        weft_place at;
        if (!weft_find(&world->entities, world->plan->format, handles[i], &at)) continue;
        weft_despawn_whole(world, handles[i]);
    }
    weft_free(&world->heap, handles, count * sizeof *handles);
    return WEFT_OK;
}
