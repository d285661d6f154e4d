// A world with space for `ENTITIES` (or for as many as its indices) is filled, used up and
// recycled. HANDLE_BYTES is the expected size of a handle.
#include "small.h"

#include <stdio.h>
#include <stdlib.h>

#define INDICES ((uint64_t)1 << INDEX_BITS)
#define CAPACITY ((uint32_t)(INDICES < ENTITIES ? INDICES : ENTITIES))
#define CYCLES 1000u

#define require(condition)                                                                         \
    do {                                                                                           \
        if (condition) break;                                                                      \
        printf("line %d: %s\n", __LINE__, #condition);                                             \
        exit(1);                                                                                   \
    } while (0)

_Static_assert(sizeof(small_entity) == HANDLE_BYTES, "the smallest type that holds both");

void small_breed(const small_breed_ctx *ctx, uint32_t count, small_place *WEFT_RESTRICT place)
{
    for (uint32_t i = 0; i < count; i++) {
        place[i].x++;
        if (place[i].x == 7) small_cmd_lamp_spawn(ctx->cmd, NULL);
    }
}

static small_entity living[CAPACITY];

static void fill(small_world *w)
{
    for (uint32_t i = 0; i < CAPACITY; i++) {
        living[i] = small_lamp_spawn(w, NULL);
        require(small_alive(w, living[i]));
        require((uint64_t)living[i].bits >> INDEX_BITS != 0);
        require(small_place_get(w, living[i])->x == 5 && small_glow_get(w, living[i])->power == 9);
        for (uint32_t k = 0; k < i && k < 9; k++) require(!small_same(living[k], living[i]));
    }
    require(small_stats(w).entities == CAPACITY && small_hots_count(w) == CAPACITY);
    require(small_is_none(small_spawn(w)) && small_error(w)[0] != '\0');
    require(small_is_none(small_lamp_spawn(w, NULL)));
    require(small_lamp_spawn_many(w, 1, NULL, NULL) == 0);
    require(small_lamp_spawn_many(w, 0, NULL, NULL) == 0);
    require(small_lamp_spawn_rows(w, 1).count == 0);
    require(small_reserve(w, 1) == WEFT_FULL);
    require(small_stats(w).entities == CAPACITY && small_hots_count(w) == CAPACITY);
}

// Commands find no space either, and report it; the tick is done anyway.
static void tick_when_full(small_world *w)
{
    require(small_tick(w, 1) == WEFT_OK);
    require(small_place_get(w, living[0])->x == 6);
    require(small_tick(w, 1) == WEFT_FULL);
    require(small_place_get(w, living[CAPACITY - 1])->x == 7);
    require(small_stats(w).entities == CAPACITY && small_stats(w).commands_lost == CAPACITY);
}

static void empty(small_world *w)
{
    for (uint32_t i = 0; i < CAPACITY; i++) {
        require(small_despawn(w, living[i]) && !small_despawn(w, living[i]));
        require(!small_alive(w, living[i]) && !small_glow_has(w, living[i]));
    }
    require(small_stats(w).entities == 0 && small_hots_count(w) == 0);
}

// Every handle of an index has a higher generation than the one before, until all are used up.
static void use_up(small_world *w)
{
    uint32_t cycles = 0;
    small_entity before = {0};
    for (; cycles < CYCLES; cycles++) {
        small_entity e = small_spawn(w);
        if (small_is_none(e)) break;
        require(!small_alive(w, before));
        require((e.bits & (INDICES - 1)) != (before.bits & (INDICES - 1)) || e.bits > before.bits);
        require(small_place_set(w, e, (small_place){.of = e}) && small_hot_set(w, e));
        require(small_despawn(w, e));
        before = e;
    }
    if (cycles == CYCLES) return;
    uint64_t retired = small_stats(w).indices_retired;
    require(retired == INDICES);
    require(small_recycle(w) == retired && small_recycle(w) == 0);
    fill(w);
    empty(w);
}

int main(void)
{
    small_world *w = small_open(NULL);
    small_world *other = small_open(&(weft_options){0});
    require(w && other && w != other);
    fill(w);
    tick_when_full(w);
    require(small_stats(other).entities == 0 && !small_alive(other, living[0]));
    empty(w);
    use_up(w);
    fill(other);
    small_close(w);
    empty(other);
    small_close(other);
    small_close(NULL);
    return 0;
}
