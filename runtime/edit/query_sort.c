// A merge sort of the rows of a table, in runs that double in length. If one comparison shows that
// two runs are already in order, they are copied.
#include "query_sort.h"

#include "../store/reorder.h"
#include "sort.h"

typedef struct query_sorting {
    const weft_ordering *ordering;
    uint32_t rows_max;   // of the largest table
    uint32_t *passing;   // rows that pass, ascending
    uint32_t *sorted;    // the same rows in order, as far as they are merged
    uint32_t *merged;    // receives the merged runs
    uint32_t *from;      // for each row of the table, the row that moves there
    const void *handles; // of the table
    void *scratch;
    size_t scratch_bytes;
} query_sorting;

static bool sort_opened(weft_world *world, const weft_query *query, query_sorting *s)
{
    for (uint32_t i = 0; i < query->count; i++) {
        const weft_table *table = query->tables[i];
        size_t bytes = weft_reorder_bytes(table);
        if (table->count > s->rows_max) s->rows_max = table->count;
        if (bytes > s->scratch_bytes) s->scratch_bytes = bytes;
    }
    if (s->rows_max == 0) return true;
    size_t bytes = s->rows_max * sizeof *s->from;
    s->passing = (uint32_t *)weft_allocate(&world->heap, bytes);
    s->sorted = (uint32_t *)weft_allocate(&world->heap, bytes);
    s->merged = (uint32_t *)weft_allocate(&world->heap, bytes);
    s->from = (uint32_t *)weft_allocate(&world->heap, bytes);
    s->scratch = weft_allocate(&world->heap, s->scratch_bytes);
    return s->passing && s->sorted && s->merged && s->from && s->scratch;
}

static void sort_closed(weft_world *world, const query_sorting *s)
{
    size_t bytes = s->rows_max * sizeof *s->from;
    weft_free(&world->heap, s->passing, bytes);
    weft_free(&world->heap, s->sorted, bytes);
    weft_free(&world->heap, s->merged, bytes);
    weft_free(&world->heap, s->from, bytes);
    weft_free(&world->heap, s->scratch, s->scratch_bytes);
}

// Lists the rows of the query's i-th table that pass. Returns their number.
static uint32_t list_passing(const weft_world *world, const weft_query *query, uint32_t i,
                             weft_match_table match, weft_filter filter, uint32_t *passing)
{
    const weft_part part = {.first_table = i, .last_table = i, .end_row = UINT32_MAX};
    weft_cursor c;
    uint32_t count = 0;
    weft_cursor_begin(&c, world, query);
    weft_cursor_keep_to(&c, &part);
    while (weft_next_run_apart(&c, match, filter, UINT32_MAX)) {
        for (uint32_t row = 0; row < c.count; row++) passing[count++] = c.first + row;
    }
    return count;
}

// Returns whether `row` must come after `other`, although it is before it now.
static bool is_behind(const query_sorting *s, uint32_t row, uint32_t other)
{
    weft_format f = s->ordering->world->plan->format;
    return s->ordering->compare(s->ordering, weft_handle_load(f, s->handles, row),
                                weft_handle_load(f, s->handles, other)) > 0;
}

static void merge_runs(query_sorting *s, uint32_t first, uint32_t middle, uint32_t end)
{
    uint32_t left = first;
    uint32_t right = middle;
    const uint32_t *sorted = s->sorted;
    if (middle == end || !is_behind(s, sorted[middle - 1], sorted[middle])) {
        memcpy(s->merged + first, sorted + first, (end - first) * sizeof *sorted);
        return;
    }
    for (uint32_t i = first; i < end; i++) {
        bool takes_right =
            left == middle || (right < end && is_behind(s, sorted[left], sorted[right]));
        s->merged[i] = takes_right ? sorted[right++] : sorted[left++];
    }
}

static uint32_t smaller(uint64_t a, uint32_t b)
{
    return a < b ? (uint32_t)a : b;
}

// Sorts the first n of the rows that pass.
static void sort_passing(query_sorting *s, uint32_t n)
{
    memcpy(s->sorted, s->passing, n * sizeof *s->sorted);
    for (uint64_t length = 1; length < n; length *= 2) {
        for (uint64_t first = 0; first < n; first += 2 * length) {
            merge_runs(s, (uint32_t)first, smaller(first + length, n),
                       smaller(first + 2 * length, n));
        }
        uint32_t *sorted = s->merged;
        s->merged = s->sorted;
        s->sorted = sorted;
    }
}

weft_status weft_query_sort(weft_world *world, const weft_query *query, weft_match_table match,
                            weft_filter filter, const weft_ordering *ordering)
{
    query_sorting s = {.ordering = ordering};
    bool moved = false;
    if (weft_busy(world, "sort" WEFT_WAITS)) return WEFT_BUSY;
    bool ready = sort_opened(world, query, &s);
    for (uint32_t i = 0; ready && i < query->count; i++) {
        weft_table *table = query->tables[i];
        if (table->count == 0) continue;
        uint32_t n = list_passing(world, query, i, match, filter, s.passing);
        s.handles = weft_column(table, 0);
        weft_world_runs(world, WEFT_SORT_RUNS);
        sort_passing(&s, n);
        weft_world_rests(world);
        for (uint32_t row = 0; row < table->count; row++) s.from[row] = row;
        for (uint32_t k = 0; k < n; k++) s.from[s.passing[k]] = s.sorted[k];
        moved |= weft_sort_rows(world, table, s.from, s.scratch);
    }
    if (moved) weft_world_changed(world);
    sort_closed(world, &s);
    return ready ? WEFT_OK : weft_report(world, WEFT_NO_MEMORY, "no memory to sort rows");
}
