// Tables are listed one by one, and unlisted together.
#include "listing.h"

#include "../store/columns.h"
#include "../store/enlarge.h"

#include <string.h>

#define EMPTIED_SHARE 4u        // 1 / share of the listed tables
#define LISTED_AGAIN 16u        // increases emptied_max when a table is listed again
#define EMPTIED_MOST (1u << 20) // limit of emptied_max

// ------------------------------------------------------------------------------------------------
// Listing

// The search starts at the end because a save stores tables in order.
uint32_t weft_listed_place(const weft_plan *plan, const weft_query *query, const weft_table *table)
{
    uint32_t low = 0;
    uint32_t high = query->count;
    uint32_t middle = high == 0 ? 0 : high - 1;
    while (low < high) {
        bool before = weft_table_compare(plan, query->tables[middle], table) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
        middle = low + (high - low) / 2;
    }
    return low;
}

// Returns the first column of the key component of a query, else the column of handles.
static uint32_t key_column(const weft_world *world, const weft_query *query)
{
    if (query == &world->lists.every_table) return 0;
    uint16_t key = world->plan->queries[query - world->queries].key;
    return key == WEFT_NONE ? 0 : world->plan->components[key].first_column;
}

// Inserts a table into a list. Returns false if there is no memory, which can only happen if the
// table was never listed.
static bool list_in(weft_world *world, weft_query *query, weft_table *table)
{
    if (!table->placed) {
        if (!weft_array_grow(&world->heap, &query->tables, &query->capacity, query->places + 1,
                             sizeof *query->tables)) {
            return false;
        }
        query->places++;
    }
    uint32_t place = weft_listed_place(world->plan, query, table);
    weft_table **at = query->tables + place;
    memmove(at + 1, at, (query->count++ - place) * sizeof *at);
    *at = table;
    query->first = query->tables[0];
    query->fetched = key_column(world, query);
    return true;
}

// Removes the tables that are no longer listed from a list.
static void keep_listed(weft_query *query)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < query->count; i++) {
        weft_table *table = query->tables[i];
        query->tables[kept] = table;
        kept += table->listed;
    }
    query->count = kept;
    query->first = kept == 0 ? NULL : query->tables[0];
}

// Removes a table from a list again into which it was just inserted.
static bool unlist(weft_world *world, weft_query *query, weft_table *table)
{
    (void)world;
    (void)table;
    keep_listed(query);
    query->places--;
    return true;
}

typedef bool (*visit_list)(weft_world *world, weft_query *query, weft_table *table);

// Calls `visit` for the queries of a component that match a table, at most `most` of them, until it
// returns false. Adds the number of successful calls to *visited.
static bool visit_lists_of(weft_world *world, weft_table *table, uint32_t component,
                           visit_list visit, uint32_t most, uint32_t *visited)
{
    const uint16_t *first = world->lists.by_component.first + component;
    for (uint32_t i = first[0]; i < first[1]; i++) {
        uint16_t query = world->lists.by_component.items[i];
        if (!world->plan->queries[query].matches(table)) continue;
        if (*visited == most || !visit(world, &world->queries[query], table)) return false;
        ++*visited;
    }
    return true;
}

// Like visit_lists_of, for all queries that may match the table, and then for the list of all
// tables.
static bool visit_lists(weft_world *world, weft_table *table, visit_list visit, uint32_t most,
                        uint32_t *visited)
{
    const weft_plan *plan = world->plan;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        for (uint64_t bits = table->set[word]; bits != 0;) {
            uint32_t component = word * 64 + weft_bits_pop(&bits);
            if (!visit_lists_of(world, table, component, visit, most, visited)) return false;
        }
    }
    return visit_lists_of(world, table, plan->component_count, visit, most, visited) &&
           *visited < most && visit(world, &world->lists.every_table, table);
}

// Inserts a table into all lists that it belongs to, or into none.
static bool list(weft_world *world, weft_table *table)
{
    uint32_t listed = 0;
    uint32_t unlisted = 0;
    table->listed = visit_lists(world, table, list_in, UINT32_MAX, &listed);
    if (!table->listed) visit_lists(world, table, unlist, listed, &unlisted);
    return table->listed;
}

static uint32_t key_of_query(const weft_plan *plan, uint32_t query)
{
    uint32_t key = plan->queries[query].key;
    return key == WEFT_NONE ? plan->component_count : key;
}

void weft_listing_open(weft_world *world)
{
    const weft_plan *plan = world->plan;
    weft_sort_by_component(&world->lists.by_component, plan, plan->query_count, key_of_query);
}

// Lists a table, and restores the capacity that it had when it was last listed.
static bool list_again(weft_world *world, weft_table *table)
{
    if (!list(world, table)) return false;
    bool again = table->placed && world->lists.emptied_max < EMPTIED_MOST;
    world->lists.emptied_max += again ? LISTED_AGAIN : 0;
    table->placed = true;
    table->capacity = table->capacity_kept;
    table->capacity_kept = 0;
    return true;
}

bool weft_world_table_ready(weft_world *world, weft_table *table, uint32_t rows)
{
    if (rows <= table->capacity) return true;
    bool ready = (table->listed || list_again(world, table)) &&
                 weft_table_grow(&world->heap, world->plan, table, rows);
    if (!ready)
        weft_world_counts_in_place(world, 1); // lists may have moved, and iterators point into them
    if (ready) weft_tables_grew(&world->tables, &world->heap, table);
    return ready;
}

// ------------------------------------------------------------------------------------------------
// Unlisting

// Removes the tables without rows from all lists.
static void unlist_empty(weft_world *world)
{
    const weft_query *every = &world->lists.every_table;
    for (uint32_t i = 0; i < every->count; i++) {
        weft_table *table = every->tables[i];
        if (table->count != 0) continue;
        table->listed = false;
        table->capacity_kept = table->capacity;
        table->capacity = 0;
    }
    for (uint32_t q = 0; q < world->plan->query_count; q++) keep_listed(&world->queries[q]);
    keep_listed(&world->lists.every_table);
}

uint32_t weft_table_emptied(weft_world *world, uint32_t row)
{
    if (++world->lists.emptied < world->lists.emptied_max || world->lists.stay) return row;
    unlist_empty(world);
    uint32_t least = world->lists.every_table.count / EMPTIED_SHARE + WEFT_EMPTIED_LEAST;
    uint32_t later = world->lists.emptied_max / 2;
    world->lists.emptied_max = later > least ? later : least;
    world->lists.emptied = 0;
    return row;
}

// ------------------------------------------------------------------------------------------------
// Trimming

static bool give_up_place(weft_world *world, weft_query *query, weft_table *table)
{
    (void)world;
    (void)table;
    query->places--;
    return true;
}

// Frees the space of a list that no table has a place in.
static bool trim_list(weft_heap *heap, weft_query *query)
{
    bool trimmed = weft_array_trim(heap, &query->tables, &query->capacity, query->places,
                                   sizeof *query->tables);
    query->first = query->count == 0 ? NULL : query->tables[0];
    return trimmed;
}

bool weft_listing_trim(weft_world *world)
{
    unlist_empty(world);
    world->lists.emptied = 0;
    for (uint32_t id = 0; id < world->tables.count; id++) {
        weft_table *table = world->tables.items[id];
        uint32_t visited = 0;
        if (!weft_table_is_unused(table) || !table->placed) continue;
        visit_lists(world, table, give_up_place, UINT32_MAX, &visited);
    }
    bool trimmed = trim_list(&world->heap, &world->lists.every_table);
    for (uint32_t q = 0; q < world->plan->query_count; q++) {
        trimmed = trim_list(&world->heap, &world->queries[q]) && trimmed;
    }
    return trimmed;
}
