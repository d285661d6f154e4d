// Trims the parts of a world one after the other: see trim.h.
#include "trim.h"

#include "../index/update.h"
#include "../query/dirty.h"
#include "../record/command.h"
#include "../record/event.h"
#include "../record/hook.h"
#include "../record/loans.h"
#include "../record/removals.h"
#include "../world/links.h"
#include "../world/listing.h"
#include "../world/relation.h"
#include "../world/report.h"
#include "parts.h"

// Writes the records of the rows of tables that got another id.
static void renumber_rows(weft_world *world)
{
    weft_format f = world->plan->format;
    for (uint32_t id = 0; id < world->tables.count; id++) {
        const weft_table *table = world->tables.items[id];
        const void *handles = weft_column(table, 0);
        if (table->count == 0) continue;
        uint32_t first = weft_handle_index(f, weft_handle_load(f, handles, 0));
        if (weft_place_of(&world->entities, f, first).table == id) continue;
        for (uint32_t row = 0; row < table->count; row++) {
            weft_record_place(&world->entities, f, weft_handle_load(f, handles, row), id, row);
        }
    }
}

// Closes the tables of combinations that no entity has any more, except those of prefabs.
static bool drop_tables(weft_world *world)
{
    uint32_t unused = 0;
    for (uint32_t id = 0; id < world->tables.count; id++) {
        unused += weft_table_is_unused(world->tables.items[id]);
    }
    if (unused == 0) return true;
    bool trimmed = weft_listing_trim(world);
    weft_tables_drop(&world->tables, &world->heap, world->plan);
    renumber_rows(world);
    return trimmed;
}

static bool trim_tables(weft_world *world)
{
    bool dropped = drop_tables(world);
    bool trimmed = weft_tables_repack(&world->tables, &world->heap, world->plan, true);
    for (uint32_t i = 0; i < world->tables.count; i++) {
        trimmed = weft_table_trim(&world->heap, world->plan, world->tables.items[i]) && trimmed;
    }
    return weft_tables_trim(&world->tables, &world->heap) && trimmed && dropped;
}

static bool trim_stores(weft_world *world)
{
    bool trimmed = true;
    for (uint32_t i = 0; i < world->plan->sparse_count; i++) {
        trimmed = weft_sparse_trim(&world->heap, &world->sparse[i]) && trimmed;
    }
    return trimmed;
}

weft_status weft_world_trim(weft_world *world)
{
    static bool (*const parts[])(weft_world * world) = {
        trim_tables,       trim_stores,      weft_relations_trim, weft_links_trim,
        weft_removed_trim, weft_events_trim, weft_commands_trim,  weft_hooks_trim,
    };
    if (weft_busy(world, "trim" WEFT_WAITS)) return WEFT_BUSY;
    weft_parallels_trim(world);
    weft_depth_orders_trim(world);
    weft_dirty_trim(world);
    weft_indexes_forget(world);
    weft_loans_free(world);
    if (!world->saving.background) weft_region_free(&world->heap, &world->saving.copy);
    weft_region_free(&world->heap, &world->scratch.members);
    weft_region_free(&world->heap, &world->scratch.copying);
    weft_kept_close(&world->heap);
    bool trimmed = weft_entities_trim(&world->entities, &world->heap);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) trimmed = parts[i](world) && trimmed;
    weft_world_changed(world); // columns may have moved
    if (trimmed) return WEFT_OK;
    return weft_report(world, WEFT_NO_MEMORY,
                       "no memory to copy some of what stays: its blocks are as long as they were");
}
