// Parts of worlds: trees that a prefab describes, clones and part files. links.c measures links.
//
//   tree_of_8       a prefab with seven parts; the limit spawns the same eight entities one by one
//   clone_10000     an entity and 9,999 below it; the limit copies arrays and renumbers references
//   part_save, part_load   10,000 entities of a larger world; the limit saves and loads a world that
//                          has no others
#include "setup.h"

#include "convoy_crate.h"
#include "convoy_loaded.h"
#include "convoy_mounted_on.h"
#include "convoy_placed.h"
#include "convoy_plain_tank.h"
#include "convoy_plain_turret.h"
#include "convoy_tank.h"

#include <stdlib.h>
#include <string.h>

#define WHEELS 4u

static convoy_world *open_world(const weft_options *options)
{
    convoy_world *w = convoy_open(options);
    setup_require(w != NULL, "a world");
    return w;
}

// -------------------------------------------------------------------------------------------------
// Trees

typedef struct planting {
    uint32_t n; // trees
    weft_options warm;
} planting;

static uint64_t sum_trees(convoy_world *w)
{
    uint64_t sum = 0;
    convoy_placed_iter it = convoy_placed_begin(w);
    while (convoy_placed_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            const convoy_hull *hull = convoy_hull_get(w, it.entities[i]);
            sum += bench_part(1, bench_bits(it.position[i].x));
            if (!hull) continue;
            const convoy_gun *gun = convoy_gun_get(w, hull->gunner);
            sum += bench_part(2, bench_bits(convoy_position_get(w, gun->owner)->x));
            convoy_entity wheel = convoy_tank_wheel(w, it.entities[i], WHEELS - 1);
            sum += convoy_same(convoy_mounted_on_parent(w, wheel), it.entities[i]);
        }
    }
    return sum;
}

static double weft_trees_of_8(void *state, uint64_t *checksum)
{
    const planting *p = (const planting *)state;
    convoy_world *w = open_world(&p->warm);
    convoy_tank value = convoy_tank_defaults();
    double begun = bench_seconds();
    for (uint32_t i = 0; i < p->n; i++) {
        value.position.x = (float)i;
        convoy_tank_spawn(w, &value);
    }
    double seconds = bench_seconds() - begun;
    *checksum = sum_trees(w);
    convoy_close(w);
    return seconds;
}

static void tank_by_hand(convoy_world *w, const convoy_plain_tank *value,
                         const convoy_plain_turret *turret, const convoy_wheel *wheel)
{
    convoy_tank_parts parts;
    convoy_turret_parts turret_parts;
    convoy_entity self = convoy_plain_tank_spawn(w, value);
    parts.turret = convoy_plain_turret_spawn(w, turret);
    turret_parts.barrel =
        convoy_barrel_spawn(w, &(convoy_barrel){.gun = {.range = 3.0f, .owner = self}});
    for (uint32_t i = 0; i < WHEELS; i++) parts.wheel[i] = convoy_wheel_spawn(w, wheel);
    parts.flag = convoy_flag_spawn(w, NULL);
    convoy_hull_edit(w, self)->gunner = turret_parts.barrel;
    convoy_mounted_on_attach(w, turret_parts.barrel, parts.turret);
    convoy_mounted_on_attach(w, parts.turret, self);
    for (uint32_t i = 0; i < WHEELS; i++) convoy_mounted_on_attach(w, parts.wheel[i], self);
    convoy_mounted_on_attach(w, parts.flag, self);
    convoy_tank_parts_set(w, self, parts);
    convoy_turret_parts_set(w, parts.turret, turret_parts);
}

static double limit_trees_of_8(void *state, uint64_t *checksum)
{
    const planting *p = (const planting *)state;
    convoy_world *w = open_world(&p->warm);
    convoy_plain_tank value = convoy_plain_tank_defaults();
    const convoy_plain_turret turret = convoy_plain_turret_defaults();
    const convoy_wheel wheel = convoy_wheel_defaults();
    double begun = bench_seconds();
    for (uint32_t i = 0; i < p->n; i++) {
        value.position.x = (float)i;
        tank_by_hand(w, &value, &turret, &wheel);
    }
    double seconds = bench_seconds() - begun;
    *checksum = sum_trees(w);
    convoy_close(w);
    return seconds;
}

static void compare_trees(void)
{
    if (!bench_wanted("tree_of_8")) return;
    planting p = {.n = bench_quick() ? 1000 : 50000, .warm = bench_warm()};
    bench_compare((bench_comparison){
        .workload = "tree_of_8",
        .n = p.n,
        .items = p.n,
        .weft = weft_trees_of_8,
        .limit = limit_trees_of_8,
        .state = &p,
        .ratio_max = 1.3,
    });
}

// -------------------------------------------------------------------------------------------------
// Crates, each of which refers to another

// A world with n crates, the first of which has all others below it, after some other entities.
typedef struct crates {
    uint32_t n;
    convoy_world *w;
    convoy_entity *e;
    weft_options warm;
    convoy_position *position; // twice as many rows by hand: originals and copies
    convoy_freight *freight;   // `next` is a row
    void *save;                // of a world with nothing else
    size_t save_bytes;
    void *part;
    size_t part_bytes;
} crates;

static void fill(const crates *c, convoy_world *w, convoy_entity *e)
{
    for (uint32_t i = 0; i < c->n; i++) {
        convoy_crate value = {c->position[i], c->freight[i]};
        value.freight.next = CONVOY_NONE;
        e[i] = convoy_crate_spawn(w, &value);
        if (i != 0) convoy_mounted_on_attach(w, e[i], e[0]);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        convoy_freight_edit(w, e[i])->next = e[c->freight[i].next.bits];
    }
}

static crates open_crates(uint32_t n, uint32_t others)
{
    crates c = {.n = n, .w = open_world(NULL), .warm = bench_warm()};
    c.position = (convoy_position *)bench_array(2 * n * sizeof *c.position);
    c.freight = (convoy_freight *)bench_array(2 * n * sizeof *c.freight);
    c.e = (convoy_entity *)bench_array(n * sizeof *c.e);
    uint64_t seed = 13;
    bench_values(&c.position->x, (size_t)n * 3, 14);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < 13; k++) c.freight[i].value[k] = bench_value(&seed);
        c.freight[i].value[0] = (float)i;
        c.freight[i].next.bits = bench_random(&seed) % n;
    }
    for (uint32_t i = 0; i < others; i++) convoy_flag_spawn(c.w, NULL);
    fill(&c, c.w, c.e);
    return c;
}

static void close_crates(crates *c)
{
    convoy_close(c->w);
    free(c->save);
    free(c->part);
    bench_array_free(c->position, 2 * c->n * sizeof *c->position);
    bench_array_free(c->freight, 2 * c->n * sizeof *c->freight);
    bench_array_free(c->e, c->n * sizeof *c->e);
}

// What a crate and the one that it refers to add to a checksum.
static uint64_t part_of_crate(const convoy_freight *one, const convoy_freight *next)
{
    return bench_part((uint32_t)one->value[0], bench_bits(next->value[0])) +
           bench_part((uint32_t)one->value[0], bench_bits(one->value[12]));
}

static uint64_t sum_crates(convoy_world *w)
{
    uint64_t sum = 0;
    convoy_loaded_iter it = convoy_loaded_begin(w);
    while (convoy_loaded_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            const convoy_freight *next = convoy_freight_get(w, it.freight[i].next);
            sum += part_of_crate(&it.freight[i], next);
        }
    }
    return sum;
}

// -------------------------------------------------------------------------------------------------
// Clones

static double weft_clone_crates(void *state, uint64_t *checksum)
{
    const crates *c = (const crates *)state;
    const convoy_clone_options below = {.mounted_on = true};
    double seconds = 0;
    for (uint32_t i = 0; i < bench_times(10); i++) {
        double begun = bench_seconds();
        convoy_entity copy = convoy_clone(c->w, c->e[0], &below);
        seconds += bench_seconds() - begun;
        setup_require(convoy_alive(c->w, copy), "a clone");
        if (i == 0) *checksum = sum_crates(c->w);
        convoy_despawn(c->w, copy);
    }
    return seconds;
}

static uint64_t sum_rows(const crates *c)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 2 * c->n; i++) {
        sum += part_of_crate(&c->freight[i], &c->freight[c->freight[i].next.bits]);
    }
    return sum;
}

static void copy_rows(const crates *c)
{
    memcpy(c->position + c->n, c->position, c->n * sizeof *c->position);
    memcpy(c->freight + c->n, c->freight, c->n * sizeof *c->freight);
    bench_touch(c->position);
    bench_touch(c->freight);
}

static double limit_clone_crates(void *state, uint64_t *checksum)
{
    const crates *c = (const crates *)state;
    double seconds = 0;
    for (uint32_t i = 0; i < bench_times(10); i++) {
        double begun = bench_seconds();
        copy_rows(c);
        for (uint32_t k = c->n; k < 2 * c->n; k++) c->freight[k].next.bits += c->n;
        bench_touch(c->freight);
        seconds += bench_seconds() - begun;
        if (i == 0) *checksum = sum_rows(c);
    }
    return seconds;
}

// Returns the nanoseconds that copying the bytes of a crate takes.
static double ns_of_copy(const crates *c)
{
    double least = 1;
    for (uint32_t i = 0; i < 50; i++) {
        double begun = bench_wall_seconds();
        copy_rows(c);
        double seconds = bench_wall_seconds() - begun;
        if (seconds < least) least = seconds;
    }
    return least * 1e9 / c->n;
}

static void compare_clones(void)
{
    if (!bench_wanted("clone_10000")) return;
    crates c = open_crates(bench_quick() ? 1000 : 10000, 0);
    bench_compare((bench_comparison){
        .workload = "clone_10000",
        .n = c.n,
        .items = (uint64_t)c.n * bench_times(10),
        .weft = weft_clone_crates,
        .limit = limit_clone_crates,
        .state = &c,
        // twice the copy of the bytes, and 10 ns for the handle of a crate and for that in it
        .ns_max = 2 * ns_of_copy(&c) + 20,
    });
    close_crates(&c);
}

// -------------------------------------------------------------------------------------------------
// Parts

static uint64_t sum_loaded(const crates *c, const void *bytes, size_t count, bool part)
{
    convoy_world *w = open_world(&c->warm);
    weft_status status = part ? convoy_part_load_memory(w, bytes, count, NULL, NULL)
                              : convoy_load_memory(w, bytes, count);
    setup_require(status == WEFT_OK, "a load");
    uint64_t sum = sum_crates(w);
    convoy_close(w);
    return sum;
}

static double weft_save_part(void *state, uint64_t *checksum)
{
    const crates *c = (const crates *)state;
    double seconds = 0;
    for (uint32_t i = 0; i < bench_times(10); i++) {
        void *bytes;
        size_t count;
        double begun = bench_seconds();
        weft_status status = convoy_part_save_memory(c->w, c->e, c->n, NULL, &bytes, &count);
        seconds += bench_seconds() - begun;
        setup_require(status == WEFT_OK, "a part");
        if (i == 0) *checksum = sum_loaded(c, bytes, count, true);
        free(bytes);
    }
    return seconds;
}

static convoy_world *world_of_crates(const crates *c)
{
    convoy_world *w = open_world(NULL);
    convoy_entity *e = (convoy_entity *)bench_array(c->n * sizeof *e);
    fill(c, w, e);
    bench_array_free(e, c->n * sizeof *e);
    return w;
}

static double limit_save_part(void *state, uint64_t *checksum)
{
    const crates *c = (const crates *)state;
    double seconds = 0;
    convoy_world *w = world_of_crates(c);
    for (uint32_t i = 0; i < bench_times(10); i++) {
        void *bytes;
        size_t count;
        double begun = bench_seconds();
        weft_status status = convoy_save_memory(w, &bytes, &count);
        seconds += bench_seconds() - begun;
        setup_require(status == WEFT_OK, "a save");
        if (i == 0) *checksum = sum_loaded(c, bytes, count, false);
        free(bytes);
    }
    convoy_close(w);
    return seconds;
}

static double load(const crates *c, bool part, uint64_t *checksum)
{
    double seconds = 0;
    for (uint32_t i = 0; i < bench_times(10); i++) {
        convoy_world *w = open_world(&c->warm);
        double begun = bench_seconds();
        weft_status status = part ? convoy_part_load_memory(w, c->part, c->part_bytes, NULL, NULL)
                                  : convoy_load_memory(w, c->save, c->save_bytes);
        seconds += bench_seconds() - begun;
        setup_require(status == WEFT_OK, "a load");
        if (i == 0) *checksum = sum_crates(w);
        convoy_close(w);
    }
    return seconds;
}

static double weft_load_part(void *state, uint64_t *checksum)
{
    return load((const crates *)state, true, checksum);
}

static double limit_load_part(void *state, uint64_t *checksum)
{
    return load((const crates *)state, false, checksum);
}

static void compare_parts(void)
{
    if (!bench_wanted("part_save part_load")) return;
    const uint32_t n = bench_quick() ? 1000 : 10000;
    crates c = open_crates(n, 9 * n);
    convoy_world *alone = world_of_crates(&c);
    setup_require(convoy_save_memory(alone, &c.save, &c.save_bytes) == WEFT_OK, "a save");
    setup_require(convoy_part_save_memory(c.w, c.e, n, NULL, &c.part, &c.part_bytes) == WEFT_OK,
                  "a part");
    convoy_close(alone);
    const char *const workloads[] = {"part_save", "part_load"};
    const bench_side sides[][2] = {{weft_save_part, limit_save_part},
                                   {weft_load_part, limit_load_part}};
    for (size_t i = 0; i < 2; i++) {
        if (!bench_wanted(workloads[i])) continue;
        bench_compare((bench_comparison){
            .workload = workloads[i],
            .n = n,
            .items = (uint64_t)n * bench_times(10),
            .weft = sides[i][0],
            .limit = sides[i][1],
            .state = &c,
            .ratio_max = 1.3,
        });
    }
    close_crates(&c);
}

void bench_convoy(void)
{
    compare_trees();
    compare_clones();
    compare_parts();
}
