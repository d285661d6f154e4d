#include "sorting.h"

#include <stdlib.h>
#include <string.h>

bool serve_sorting_open(serve_sorting *sorting, uint32_t capacity, uint32_t index_mask)
{
    *sorting = (serve_sorting){.capacity = capacity, .index_mask = index_mask};
    sorting->rows = (serve_row *)malloc((size_t)capacity * sizeof *sorting->rows);
    return sorting->rows != NULL;
}

void serve_sorting_close(serve_sorting *sorting, serve_releases *releases)
{
    const size_t used = sorting->count * sizeof *sorting->rows; // the rest was never touched
    serve_release(releases, sorting->rows, used);
    serve_release(releases, sorting->spare, used);
    sorting->rows = NULL;
    sorting->spare = NULL;
}

static inline uint32_t digit_of(const serve_sorting *s, serve_row row, uint32_t digit)
{
    if (digit < SERVE_INDEX_DIGITS) {
        return (uint32_t)(row.handle & s->index_mask) >> (digit * 8) & 0xFFu;
    }
    return (uint32_t)(row.key >> ((digit - SERVE_INDEX_DIGITS) * 8) & 0xFFu);
}

static void count_digits(serve_sorting *s, serve_row row, uint32_t first)
{
    for (uint32_t i = first; i < SERVE_DIGITS; i++) s->counts[i][digit_of(s, row, i)]++;
}

bool serve_sorting_add(serve_sorting *sorting, uint64_t key, uint64_t handle)
{
    const serve_row row = {key, handle};
    const uint32_t mask = sorting->index_mask;
    if (sorting->count == sorting->capacity) {
        if (sorting->capacity > UINT32_MAX / 2) return false;
        const size_t capacity = (size_t)sorting->capacity * 2;
        serve_row *more = (serve_row *)realloc(sorting->rows, capacity * sizeof *more);
        if (!more) return false;
        sorting->rows = more;
        sorting->capacity = (uint32_t)capacity;
    }
    if (sorting->count != 0) {
        const uint64_t before = sorting->rows[sorting->count - 1].handle;
        sorting->unordered |= (before & mask) > (handle & mask);
    }
    sorting->rows[sorting->count++] = row;
    count_digits(sorting, row, 0);
    return true;
}

// Returns whether the current digit moves no rows: all rows share it, or they are already in the
// order of their indices.
static bool is_shared(const serve_sorting *s)
{
    if (s->digit < SERVE_INDEX_DIGITS && !s->unordered) return true;
    return s->counts[s->digit][digit_of(s, s->rows[0], s->digit)] == s->count;
}

// Begins to move rows by the current digit. Returns false if there is no memory.
static bool begin_pass(serve_sorting *s)
{
    uint32_t place = 0;
    if (!s->spare) s->spare = (serve_row *)malloc((size_t)s->count * sizeof *s->spare);
    for (uint32_t i = 0; i < SERVE_DIGIT_VALUES; i++) {
        s->places[i] = place;
        place += s->counts[s->digit][i];
    }
    return s->spare != NULL;
}

static void end_pass(serve_sorting *s)
{
    serve_row *moved = s->spare;
    s->spare = s->rows;
    s->rows = moved;
    s->moved = 0;
    s->digit++;
}

uint32_t serve_sorting_step(serve_sorting *sorting, uint32_t most)
{
    serve_sorting *s = sorting;
    if (s->count == 0) return 0;
    if (s->moved == 0) {
        while (s->digit < SERVE_DIGITS && is_shared(s)) s->digit++;
        if (s->digit == SERVE_DIGITS || !begin_pass(s)) return 0;
    }
    uint32_t end = s->count - s->moved < most ? s->count : s->moved + most;
    uint32_t begun = s->moved;
    for (; s->moved < end; s->moved++) {
        const serve_row row = s->rows[s->moved];
        s->spare[s->places[digit_of(s, row, s->digit)]++] = row;
    }
    uint32_t moved = end - begun;
    if (s->moved == s->count) end_pass(s);
    return moved;
}

bool serve_sorting_has_equals(const serve_sorting *sorting)
{
    return sorting->groups < sorting->count;
}

uint32_t serve_sorting_refine(serve_sorting *sorting, uint32_t most, serve_next_key *next,
                              const void *user)
{
    serve_sorting *s = sorting;
    const uint32_t begun = s->refined;
    const uint32_t end = s->count - begun < most ? s->count : begun + most;
    if (begun == 0) {
        const uint32_t first = SERVE_INDEX_DIGITS;
        memset(s->counts[first], 0, (SERVE_DIGITS - first) * sizeof s->counts[first]);
        s->groups = 0;
    }
    for (; s->refined < end; s->refined++) {
        serve_row *row = &s->rows[s->refined];
        s->groups += s->refined == 0 || row->key != s->group;
        s->group = row->key;
        row->key = (uint64_t)(s->groups - 1) << 32 | next(user, row->handle);
        count_digits(s, *row, SERVE_INDEX_DIGITS);
    }
    if (s->refined == s->count) {
        s->refined = 0;
        s->digit = serve_sorting_has_equals(s) ? SERVE_INDEX_DIGITS : SERVE_DIGITS;
    }
    return end - begun;
}
