// Queries given at run time: sums the handles that an expression selects among 1M entities. The
// limit is a query of the schema with that condition, and a test of the field in its loop.
//   select_values  position & !marked & velocity.x > 3
//   select_sparse  kick.x > 3, with 10,000 entities that have a kick
//   select_tag     marked, half of them
//   select_all     position & velocity: whole tables, of which only handles are read
#include "setup.h"

#include "arena_kick.h"
#include "arena_kicked.h"
#include "arena_marked.h"
#include "arena_moving.h"
#include "arena_tagged.h"
#include "arena_unmarked.h"
#include "weft_reflect.h"

#include <string.h>

#define ALL 1000000u
#define BOUND 3.0f

typedef struct asked {
    arena_world *w;
    const char *text;
    uint64_t (*limit)(const arena_world *w);
} asked;

// -------------------------------------------------------------------------------------------------
// The limits

WEFT_HOT static uint64_t sum_unmarked(const arena_world *w)
{
    uint64_t sum = 0;
    arena_unmarked_iter it = arena_unmarked_begin(w);
    while (arena_unmarked_next(&it)) {
        for (uint32_t i; weft_next(&it.rows, &i);) {
            if (it.velocity[i].x > BOUND) sum += it.entities[i].bits;
        }
    }
    return sum;
}

WEFT_HOT static uint64_t sum_kicked(const arena_world *w)
{
    uint64_t sum = 0;
    arena_kicked_iter it = arena_kicked_begin(w);
    while (arena_kicked_next(&it)) {
        for (uint32_t k = 0; k < it.count; k++) {
            if (it.kick[k]->x > BOUND) sum += it.entities[it.rows[k]].bits;
        }
    }
    return sum;
}

WEFT_HOT static uint64_t sum_tagged(const arena_world *w)
{
    uint64_t sum = 0;
    arena_tagged_iter it = arena_tagged_begin(w);
    while (arena_tagged_next(&it)) {
        for (uint32_t i; weft_next(&it.rows, &i);) sum += it.entities[i].bits;
    }
    return sum;
}

WEFT_HOT static uint64_t sum_moving(const arena_world *w)
{
    uint64_t sum = 0;
    arena_moving_iter it = arena_moving_begin(w);
    while (arena_moving_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) sum += it.entities[i].bits;
    }
    return sum;
}

// -------------------------------------------------------------------------------------------------
// Sides

WEFT_HOT static double run_weft(void *state, uint64_t *checksum)
{
    const asked *a = (const asked *)state;
    uint64_t sum = 0;
    double begun = bench_seconds();
    weft_select found = weft_select_begin(arena_world_base(a->w), a->text);
    setup_require(found.status == WEFT_OK, a->text);
    while (weft_select_next(&found)) sum += found.handle;
    weft_select_end(&found);
    double seconds = bench_seconds() - begun;
    *checksum = sum;
    return seconds;
}

static double run_limit(void *state, uint64_t *checksum)
{
    const asked *a = (const asked *)state;
    double begun = bench_seconds();
    *checksum = a->limit(a->w);
    return bench_seconds() - begun;
}

static void compare(asked *a, const char *workload, const char *text,
                    uint64_t (*limit)(const arena_world *w))
{
    a->text = text;
    a->limit = limit;
    if (!bench_wanted(workload)) return;
    bench_compare((bench_comparison){
        .workload = workload,
        .n = ALL,
        .items = ALL,
        .weft = run_weft,
        .limit = run_limit,
        .state = a,
        .ratio_max = 10,
    });
}

void bench_select(void)
{
    if (!bench_wanted("select_values select_sparse select_tag select_all")) return;
    movers m = setup_movers(ALL);
    asked a = {.w = setup_world()};
    uint64_t seed = 3;
    arena_entity *entities = bench_array(ALL * sizeof *entities);
    setup_require(arena_mover_reserve(a.w, ALL) == WEFT_OK, "space");
    setup_fill(a.w, &m, entities);
    for (uint32_t i = 0; i < ALL; i++) {
        arena_kick kick = {m.velocity[i].x, 0, 0};
        if (bench_random(&seed) % 2 == 0) arena_marked_set(a.w, entities[i]);
        if (i % 100 == 0) setup_require(arena_kick_set(a.w, entities[i], kick), "a kick");
    }
    compare(&a, "select_values", "position & !marked & velocity.x > 3", sum_unmarked);
    compare(&a, "select_sparse", "kick.x > 3", sum_kicked);
    compare(&a, "select_tag", "marked", sum_tagged);
    compare(&a, "select_all", "position & velocity", sum_moving);
    bench_array_free(entities, ALL * sizeof *entities);
    arena_close(a.w);
    setup_movers_free(&m);
}
