// Entities: windows of selections, sorted or not, and everything about one entity.
#include "entities.h"

#include "../edit/calls.h"
#include "../json/write.h"
#include "../weft_json.h"
#include "../world/links.h"
#include "../world/relation.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "list.h"
#include "sorting.h"
#include "value.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Windows

typedef struct window {
    serve_list_key list;
    double offset;
    double limit;
    char columns[SERVE_COLUMNS_MAX][SERVE_PATH_MAX];
    uint32_t column_count;
} window;

static bool take_columns(serve_call *call, window *wanted)
{
    weft_scanned columns = weft_scan_member(call->params, "columns");
    const char *at = NULL;
    for (weft_scanned one = weft_scan_next(columns, &at); one.bytes != 0;
         one = weft_scan_next(columns, &at)) {
        if (wanted->column_count == SERVE_COLUMNS_MAX ||
            !weft_scan_string(one, wanted->columns[wanted->column_count++], SERVE_PATH_MAX)) {
            return serve_refuse(
                call, SERVE_INVALID_PARAMS,
                "'columns' are at most %u strings of less than %u bytes without a NUL",
                SERVE_COLUMNS_MAX, SERVE_PATH_MAX);
        }
    }
    return true;
}

static void add_row(serve_call *call, const window *wanted, uint64_t handle)
{
    const weft_plan *plan = call->world->plan;
    weft_place place;
    serve_add_comma(call->out);
    serve_add(call->out, "{\"id\":");
    serve_add_handle(call, handle);
    serve_add(call->out, ",\"has\":[");
    bool alive = weft_find(&call->world->entities, plan->format, handle, &place);
    for (uint32_t i = 0; alive && i < plan->schema->component_count; i++) {
        if (!weft_row_has(plan, call->world->tables.items[place.table], place.row, i)) continue;
        serve_add_comma(call->out);
        serve_print(call->out, "%u", i);
    }
    serve_add(call->out, "],\"values\":[");
    for (uint32_t i = 0; i < wanted->column_count; i++) {
        serve_add_comma(call->out);
        if (alive)
            serve_add_value(call, handle, wanted->columns[i]);
        else
            serve_add(call->out, "null");
    }
    serve_add(call->out, alive ? "]}" : "],\"dead\":true}");
}

static void add_head(serve_call *call, uint64_t tick, uint64_t total, double offset)
{
    serve_print(call->out, "{\"tick\":%llu,\"total\":%llu,\"offset\":%.0f,",
                (unsigned long long)tick, (unsigned long long)total, offset);
}

// Adds a window of a list, and if the list is not ready, the share of it that is made.
static void add_list_rows(serve_call *call, const window *wanted)
{
    const serve_list *list = serve_list_of(call, &wanted->list);
    if (!list) return;
    const uint64_t total = serve_list_total(list);
    add_head(call, list->tick, total, wanted->offset);
    serve_print(call->out, "\"slices\":%u,\"making\":", list->slices);
    if (list->making || !list->rows)
        serve_print(call->out, "%.3f", serve_list_share(list));
    else
        serve_add(call->out, "null");
    serve_add(call->out, ",\"rows\":[");
    uint64_t first = (uint64_t)wanted->offset;
    for (uint64_t i = first; i < total && i - first < (uint64_t)wanted->limit; i++) {
        add_row(call, wanted, serve_list_handle(list, i));
    }
    serve_add(call->out, "]}");
}

// Adds a window of all entities, for which no expression is given.
static void add_all_rows(serve_call *call, const window *wanted)
{
    const weft_format f = call->world->plan->format;
    const weft_query *all = &call->world->lists.every_table;
    uint64_t total = 0, at = 0;
    uint64_t first = (uint64_t)wanted->offset, limit = (uint64_t)wanted->limit;
    for (uint32_t i = 0; i < all->count; i++) total += all->tables[i]->count;
    add_head(call, call->world->tick, total, wanted->offset);
    serve_add(call->out, "\"slices\":0,\"making\":null,\"rows\":[");
    for (uint32_t i = 0; i < all->count && limit != 0; at += all->tables[i++]->count) {
        const weft_table *table = all->tables[i];
        uint64_t row = first > at ? first - at : 0;
        for (; row < table->count && limit != 0; row++, limit--) {
            add_row(call, wanted, weft_handle_load(f, weft_column(table, 0), (uint32_t)row));
        }
    }
    serve_add(call->out, "]}");
}

void serve_entities(serve_call *call)
{
    static WEFT_THREAD_LOCAL window wanted; // too large for a stack
    wanted = (window){.limit = 50};
    if (!serve_may_take_string(call, "where", wanted.list.where, sizeof wanted.list.where) ||
        !serve_may_take_string(call, "sort", wanted.list.by, sizeof wanted.list.by) ||
        !serve_may_take_bool(call, "descending", &wanted.list.descending) ||
        !serve_may_take_number(call, "offset", 0, 4294967295.0, &wanted.offset) ||
        !serve_may_take_number(call, "limit", 0, SERVE_ROWS_MAX, &wanted.limit) ||
        !take_columns(call, &wanted)) {
        return;
    }
    bool all = strspn(wanted.list.where, " \t\n") == strlen(wanted.list.where);
    if (all && wanted.list.by[0] == '\0')
        add_all_rows(call, &wanted);
    else
        add_list_rows(call, &wanted);
}

// ------------------------------------------------------------------------------------------------
// One entity, one singleton

static void add_children(serve_call *call, uint64_t handle)
{
    const weft_plan *plan = call->world->plan;
    serve_add(call->out, ",\"children\":{");
    for (uint32_t i = 0; i < plan->schema->relation_count; i++) {
        uint32_t left = SERVE_CHILDREN_MAX;
        uint64_t child = weft_first_child(call->world, plan->format, i, handle);
        serve_add_name(call->out, plan->schema->relations[i].name);
        serve_add(call->out, "[");
        while (child != 0 && left-- != 0) {
            serve_add_comma(call->out);
            serve_add_handle(call, child);
            child = weft_next_sibling(call->world, plan->format, i, child);
        }
        serve_add(call->out, "]");
    }
    serve_add(call->out, "}");
}

// Adds the numbers of links, from the entity and to it, of each kind that it has.
static void add_link_counts(serve_call *call, uint64_t handle)
{
    const weft_schema *schema = call->world->plan->schema;
    serve_add(call->out, ",\"link_counts\":{");
    for (uint32_t i = 0; i < schema->link_count; i++) {
        uint32_t from = weft_link_count_from(call->world, i, handle);
        uint32_t to = weft_link_count_to(call->world, i, handle);
        if ((from | to) == 0) continue;
        serve_add_name(call->out, schema->links[i].name);
        serve_print(call->out, "{\"from\":%u,\"to\":%u}", (unsigned)from, (unsigned)to);
    }
    serve_add(call->out, "}");
}

void serve_entity(serve_call *call)
{
    uint64_t handle;
    if (!serve_take_living(call, "id", &handle)) return;
    weft_json_entity_some(call->world, handle, SERVE_LINKS_MAX, serve_add_piece, call->out);
    if (call->out->failed) return;
    call->out->used--; // the closing brace
    add_children(call, handle);
    add_link_counts(call, handle);
    serve_print(call->out, ",\"tick\":%llu}", (unsigned long long)call->world->tick);
}

void serve_singleton(serve_call *call)
{
    uint32_t found;
    weft_names singletons = weft_singleton_names(call->world->plan->schema);
    if (!serve_take_name(call, "name", singletons, &found)) return;
    weft_json_singleton_write(call->world, found, serve_add_piece, call->out);
}
