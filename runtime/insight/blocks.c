// Looks at passes block by block (run/passes.h), while what a system wrote is in the cache:
//
//     block     | 0                       | 1
//     runs      |      walk  think  dress |      walk …
//     looked at | game walk  think  dress | game walk …
//
// Writes of the game before the pass, in columns of its systems, are looked at block by block, too.
// Systems that write more than their own rows in tables run one after the other.
#include "check.h"
#include "stretch.h"
#include "trace.h"

#include <string.h>

// Says whether a system of a pass writes nothing but table components. It is parallel, so it writes
// no rows but its own.
static bool writes_tables(const weft_schema *schema, uint32_t system)
{
    const weft_system_info *info = &schema->systems[system];
    for (uint32_t i = 0; i < info->access_count; i++) {
        const weft_access *access = &info->access[i];
        bool in_table = access->kind != WEFT_ACCESS_WRITE ||
                        schema->components[access->of].storage == WEFT_STORAGE_TABLE;
        if (!in_table) return false;
    }
    return true;
}

bool weft_insight_pass(weft_world *world, const weft_query *query, uint32_t system, uint32_t count)
{
    weft_watching *w = world->watching;
    weft_pass_looks *pass = &w->pass;
    if (w->stop_count != 0) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!writes_tables(world->plan->schema, system + i)) return false;
    }
    memset(pass->later, 0, w->set_words * sizeof *pass->later);
    for (uint32_t i = 0; weft_stretch_is_of_game(world) && i < count; i++) {
        const uint64_t *written = weft_system_writes(w, system + i);
        for (uint32_t k = 0; k < w->set_words; k++) pass->later[k] |= written[k] & w->acted[k];
    }
    pass->later_in = query;
    weft_stretch_end(world);
    pass->later_in = NULL;
    pass->before = w->writer;
    w->commands = false;
    pass->runs = true;
    if (w->tracing) weft_tracing_pass(world);
    return true;
}

void weft_insight_rows(weft_world *world, const weft_query *query, const weft_part *rows,
                       uint32_t system)
{
    weft_watching *w = world->watching;
    const bool before = system == WEFT_NONE;
    const uint64_t *set = before ? w->pass.later : weft_system_writes(w, system);
    if (before) w->writer = w->pass.before;
    for (uint32_t i = rows->first_table; i <= rows->last_table; i++) {
        const weft_table *table = query->tables[i];
        uint32_t first = i == rows->first_table ? rows->first_row : 0;
        uint32_t end =
            i == rows->last_table && rows->end_row < table->count ? rows->end_row : table->count;
        if (first >= end) continue;
        if (w->tracing) weft_tracing_rows(world, set, table, first, end - first);
        if (w->checks) weft_checks_rows(world, set, table, first, end - first);
    }
}

void weft_insight_pass_end(weft_world *world)
{
    world->watching->pass.runs = false;
    world->watching->pass.looked = true;
}
