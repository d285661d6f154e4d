// Entities with their memory, for tests of handles of any width.
#ifndef ENTITY_POOL_H
#define ENTITY_POOL_H

#include "watched_memory.h"

typedef struct pool {
    fixture fixture;
    watched_memory memory;
    weft_heap heap;
    weft_entities entities;
    weft_format format;
} pool;

static inline bool pool_try(pool *p, fixture_options options)
{
    fixture_make(&p->fixture, options);
    p->heap = watched_heap(&p->memory);
    p->format = p->fixture.plan.format;
    return weft_entities_open(&p->entities, &p->heap, &p->fixture.plan);
}

static inline pool *pool_open(fixture_options options)
{
    pool *p = calloc(1, sizeof *p);
    assert_non_null(p);
    assert_true(pool_try(p, options));
    return p;
}

static inline void pool_close(pool *p)
{
    weft_entities_close(&p->entities, &p->heap);
    watched_check_empty(&p->memory, &p->heap);
    free(p);
}

static inline size_t pool_record_bytes(const pool *p)
{
    return p->format.handle_bytes > 4 ? sizeof(weft_wide_record) : sizeof(uint64_t);
}

// Returns all indices of a width, except those that cannot be counted or, in whole pages,
// addressed.
static inline uint32_t pool_widest(uint32_t index_bits, size_t record_bytes)
{
    uint64_t width = (uint64_t)1 << index_bits;
    uint64_t addressable = (SIZE_MAX - (WEFT_PAGE_BYTES - 1)) / record_bytes;
    uint64_t limit = width < addressable ? width : addressable;
    return limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
}

// The indices of a world: four for each entity there may be, or as many as 2^44 spawns take, unless
// the width ends before.
static inline uint32_t pool_indices(const pool *p)
{
    const weft_plan *plan = &p->fixture.plan;
    uint64_t widest = pool_widest(plan->format.index_bits, pool_record_bytes(p));
    uint64_t generations = ((uint64_t)1 << plan->schema->generation_bits) - 1;
    uint64_t lived = ((uint64_t)1 << 44) / generations;
    uint64_t used = 4 * ((uint64_t)plan->max_entities + plan->recycle_after);
    uint64_t wanted = lived > used ? lived : used;
    return (uint32_t)(wanted < widest ? wanted : widest);
}

// A new entity in row `row` of table `table`; 0: refused.
static inline uint64_t spawn_at(pool *p, uint32_t table, uint32_t row)
{
    uint32_t index = 0;
    uint32_t generation = 0;
    if (!weft_index_ready(&p->entities, &p->heap)) return 0;
    weft_index_take(&p->entities, p->format, &index, &generation);
    weft_record_write(&p->entities, p->format, index, generation, table, row);
    return weft_handle(p->format, index, generation);
}

static inline uint64_t spawn(pool *p)
{
    return spawn_at(p, 0, 0);
}

static inline void despawn(pool *p, uint64_t handle)
{
    uint32_t index = weft_handle_index(p->format, handle);
    uint32_t generation = (uint32_t)(handle >> p->format.index_bits);
    weft_entities_give(&p->entities, p->format, index, generation);
}

static inline bool alive(const pool *p, uint64_t handle)
{
    weft_place place = {0, 0};
    return weft_find(&p->entities, p->format, handle, &place);
}

// Every width of handles, with the fewest bits and the most that it can hold.
static const fixture_options widths[] = {
    {1, 1, 2, 1000, 0},   {8, 4, 2, 200, 0},    {4, 12, 2, 1000, 0},  {12, 4, 2, 1000, 0},
    {10, 6, 2, 700, 0},   {15, 1, 2, 1000, 0},  {24, 8, 4, 1000, 0},  {22, 8, 4, 1000, 0},
    {31, 1, 4, 1000, 0},  {1, 31, 4, 1000, 0},  {20, 12, 4, 1000, 0}, {32, 1, 8, 1000, 0},
    {32, 16, 8, 1000, 0}, {32, 32, 8, 1000, 0}, {1, 32, 8, 1000, 0},  {5, 30, 8, 1000, 0},
    {32, 2, 8, 1000, 0},
};
#define WIDTHS (sizeof widths / sizeof widths[0])

#endif
