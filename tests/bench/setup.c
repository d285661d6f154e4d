#include "setup.h"

#include "arena_movers.h"
#include "arena_positions.h"

#include <stdio.h>
#include <stdlib.h>

void setup_require(bool succeeded, const char *what)
{
    if (succeeded) return;
    fprintf(stderr, "bench: %s was refused\n", what);
    exit(1);
}

movers setup_movers(uint32_t n)
{
    movers m = {n, bench_array(n * sizeof *m.position), bench_array(n * sizeof *m.velocity)};
    bench_values(&m.position->x, (size_t)n * 3, 1);
    bench_values(&m.velocity->x, (size_t)n * 3, 2);
    return m;
}

void setup_movers_free(movers *m)
{
    bench_array_free(m->position, m->n * sizeof *m->position);
    bench_array_free(m->velocity, m->n * sizeof *m->velocity);
}

arena_world *setup_warm_world(uint32_t n)
{
    weft_options options = bench_warm();
    arena_world *w = arena_open(&options);
    setup_require(w && arena_mover_reserve(w, n) == WEFT_OK, "a warm world");
    return w;
}

arena_world *setup_world(void)
{
    arena_world *w = arena_open(NULL);
    setup_require(w, "a world");
    return w;
}

void setup_fill(arena_world *w, const movers *m, arena_entity *out)
{
    for (uint32_t i = 0; i < m->n; i++) {
        arena_mover value = {m->position[i], m->velocity[i]};
        arena_entity e = arena_mover_spawn(w, &value);
        setup_require(!arena_is_none(e), "a mover");
        if (out) out[i] = e;
    }
}

uint64_t setup_sum_positions(arena_world *w)
{
    uint64_t sum = 0;
    arena_positions_iter it = arena_positions_begin(w);
    while (arena_positions_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            uint32_t id = setup_id(it.entities[i]);
            sum += bench_part(id, bench_bits(it.position[i].x));
            sum += bench_part(id, bench_bits(it.position[i].y));
            sum += bench_part(id, bench_bits(it.position[i].z));
        }
    }
    return sum;
}

uint64_t setup_sum_movers(arena_world *w)
{
    arena_movers_iter it = arena_movers_begin(w);
    if (!arena_movers_next(&it)) return 0;
    return setup_sum_arrays(it.position, it.velocity, it.count);
}

uint64_t setup_sum_arrays(const arena_position *position, const arena_velocity *velocity,
                          uint32_t n)
{
    return bench_sum(&position->x, n, 3) + bench_sum(&velocity->x, n, 3);
}
