#include "sorting.h"

#include <stdlib.h>
#include <string.h>

bool serve_sorting_open(serve_sorting *sorting, uint32_t capacity)
{
    *sorting = (serve_sorting){.capacity = capacity};
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

static inline uint32_t digit_of(uint64_t key, uint32_t digit)
{
    return (uint32_t)(key >> (digit * 8) & 0xFFu);
}

bool serve_sorting_add(serve_sorting *sorting, uint64_t key, uint64_t handle)
{
    if (sorting->count == sorting->capacity) {
        if (sorting->capacity > UINT32_MAX / 2) return false;
        const size_t capacity = (size_t)sorting->capacity * 2;
        serve_row *more = (serve_row *)realloc(sorting->rows, capacity * sizeof *more);
        if (!more) return false;
        sorting->rows = more;
        sorting->capacity = (uint32_t)capacity;
    }
    sorting->rows[sorting->count++] = (serve_row){key, handle};
    for (uint32_t i = 0; i < SERVE_DIGITS; i++) sorting->counts[i][digit_of(key, i)]++;
    return true;
}

// Says whether all rows have the digit at hand in common.
static bool is_shared(const serve_sorting *s)
{
    return s->counts[s->digit][digit_of(s->rows[0].key, s->digit)] == s->count;
}

// Begins to move rows by the digit at hand. False: no memory.
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
        s->spare[s->places[digit_of(row.key, s->digit)]++] = row;
    }
    uint32_t moved = end - begun;
    if (s->moved == s->count) end_pass(s);
    return moved;
}
