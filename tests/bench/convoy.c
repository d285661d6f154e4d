// Parts of worlds: trees that a prefab describes, links, clones and part files.
//
//   tree_of_8       a prefab with seven parts; the limit spawns the same eight entities one by one
//   links_set       a million links between 100,000 entities, one entity after the other; the limit
//                   appends to arrays by hand
//   links_set_scattered   the same links in random order
//   links_walk      the links from each entity in turn
//   links_system    a system over these links that reads one end and writes the other; the limit
//                   does this with its arrays
//   links_bytes     memory of a link, without its value of 4 bytes
//   clone_10000     an entity and 9,999 below it; the limit copies arrays and renumbers references
//   part_save, part_load   10,000 entities of a larger world; the limit saves and loads a world that
//                          has no others
#include "setup.h"

#include "convoy_collect.h"
#include "convoy_crate.h"
#include "convoy_loaded.h"
#include "convoy_mounted_on.h"
#include "convoy_owes.h"
#include "convoy_placed.h"
#include "convoy_plain_tank.h"
#include "convoy_plain_turret.h"
#include "convoy_run.h"
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
// Links

enum { LINKS_EACH = 10 };

// The lists of an entity by hand: where its links lead and their values, and who leads to it.
typedef struct adjacent {
    uint32_t from_count, from_capacity;
    uint32_t to_count, to_capacity;
    uint32_t *to;
    uint32_t *gold;
    uint32_t *from;
} adjacent;

typedef struct debts {
    uint32_t n;      // entities
    uint32_t *other; // by link: the end that it leads to
    uint32_t *order; // of links: random
    bool scattered;  // links are set in that order, else entity by entity
    convoy_entity *e;
    convoy_world *w;
    adjacent *lists;
    convoy_position *position; // by hand, like the next: by entity
    convoy_turn *turn;
} debts;

static void append(uint32_t **items, uint32_t count, uint32_t *capacity, uint32_t item)
{
    if (count == *capacity) {
        *capacity = *capacity == 0 ? 4 : *capacity * 2;
        *items = (uint32_t *)realloc(*items, *capacity * sizeof **items);
        setup_require(*items != NULL, "a list");
    }
    (*items)[count] = item;
}

static void set_by_hand(debts *d, uint32_t from, uint32_t to, uint32_t gold)
{
    adjacent *a = &d->lists[from], *b = &d->lists[to];
    uint32_t i = 0;
    while (i < a->from_count && a->to[i] != to) i++;
    if (i < a->from_count) {
        a->gold[i] = gold;
        return;
    }
    uint32_t capacity = a->from_capacity;
    append(&a->gold, a->from_count, &capacity, gold);
    append(&a->to, a->from_count++, &a->from_capacity, to);
    append(&b->from, b->to_count++, &b->to_capacity, from);
}

static void clear_by_hand(debts *d)
{
    for (uint32_t i = 0; i < d->n; i++) {
        free(d->lists[i].to);
        free(d->lists[i].gold);
        free(d->lists[i].from);
    }
    memset(d->lists, 0, d->n * sizeof *d->lists);
}

static uint64_t sum_world_links(const debts *d)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        convoy_owes_from_iter it = convoy_owes_from_begin(d->w, d->e[i]);
        while (convoy_owes_from_next(&it)) {
            sum += bench_part(i, setup_id((arena_entity){it.to.bits}) + it.value->gold);
        }
        sum += convoy_owes_count_to(d->w, d->e[i]) * (uint64_t)i;
    }
    return sum;
}

static uint64_t sum_lists(const debts *d)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        const adjacent *a = &d->lists[i];
        for (uint32_t k = 0; k < a->from_count; k++) sum += bench_part(i, a->to[k] + a->gold[k]);
        sum += a->to_count * (uint64_t)i;
    }
    return sum;
}

static uint32_t link_at(const debts *d, uint32_t i)
{
    return d->scattered ? d->order[i] : i;
}

static double weft_links_set(void *state, uint64_t *checksum)
{
    debts *d = (debts *)state;
    convoy_owes_clear(d->w);
    double begun = bench_seconds();
    for (uint32_t i = 0; i < d->n * LINKS_EACH; i++) {
        uint32_t link = link_at(d, i);
        convoy_owes value = {link};
        convoy_owes_set(d->w, d->e[link / LINKS_EACH], d->e[d->other[link]], value);
    }
    double seconds = bench_seconds() - begun;
    *checksum = sum_world_links(d);
    return seconds;
}

static double limit_links_set(void *state, uint64_t *checksum)
{
    debts *d = (debts *)state;
    clear_by_hand(d);
    double begun = bench_seconds();
    for (uint32_t i = 0; i < d->n * LINKS_EACH; i++) {
        uint32_t link = link_at(d, i);
        set_by_hand(d, link / LINKS_EACH, d->other[link], link);
    }
    double seconds = bench_seconds() - begun;
    *checksum = sum_lists(d);
    return seconds;
}

static double weft_links_walk(void *state, uint64_t *checksum)
{
    const debts *d = (const debts *)state;
    uint64_t sum = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < d->n; i++) {
        convoy_owes_from_iter it = convoy_owes_from_begin(d->w, d->e[i]);
        while (convoy_owes_from_next(&it)) sum += it.value->gold;
    }
    double seconds = bench_seconds() - begun;
    *checksum = sum;
    return seconds;
}

static double limit_links_walk(void *state, uint64_t *checksum)
{
    const debts *d = (const debts *)state;
    uint64_t sum = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < d->n; i++) {
        const adjacent *a = &d->lists[i];
        for (uint32_t k = 0; k < a->from_count; k++) sum += a->gold[k];
    }
    double seconds = bench_seconds() - begun;
    *checksum = sum;
    return seconds;
}

// The work of the system on one link.
static void collect_one(const convoy_position *from, convoy_turn *to, uint32_t gold)
{
    to->angle += from->x * (float)gold;
}

void convoy_collect(const convoy_collect_ctx *ctx, uint32_t count, const convoy_entity *from,
                    const convoy_entity *to, const convoy_owes *const *owes,
                    const convoy_position *const *from_position, convoy_turn *const *to_turn)
{
    (void)ctx;
    (void)from;
    (void)to;
    for (uint32_t i = 0; i < count; i++) {
        collect_one(from_position[i], to_turn[i], owes[i]->gold);
    }
}

static double weft_links_system(void *state, uint64_t *checksum)
{
    const debts *d = (const debts *)state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < d->n; i++) convoy_turn_edit(d->w, d->e[i])->angle = 0;
    double begun = bench_seconds();
    convoy_run_update(d->w, 0);
    double seconds = bench_seconds() - begun;
    for (uint32_t i = 0; i < d->n; i++) {
        sum += bench_part(i, bench_bits(convoy_turn_get(d->w, d->e[i])->angle));
    }
    *checksum = sum;
    return seconds;
}

static double limit_links_system(void *state, uint64_t *checksum)
{
    const debts *d = (const debts *)state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < d->n; i++) d->turn[i].angle = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < d->n; i++) {
        const adjacent *a = &d->lists[i];
        for (uint32_t k = 0; k < a->from_count; k++) {
            collect_one(&d->position[i], &d->turn[a->to[k]], a->gold[k]);
        }
    }
    bench_touch(d->turn);
    double seconds = bench_seconds() - begun;
    for (uint32_t i = 0; i < d->n; i++) sum += bench_part(i, bench_bits(d->turn[i].angle));
    *checksum = sum;
    return seconds;
}

static debts open_debts(uint32_t n)
{
    const uint32_t links = n * LINKS_EACH;
    debts d = {.n = n, .w = open_world(NULL)};
    d.other = (uint32_t *)bench_array(links * sizeof *d.other);
    d.order = (uint32_t *)bench_array(links * sizeof *d.order);
    d.e = (convoy_entity *)bench_array(n * sizeof *d.e);
    d.lists = (adjacent *)bench_array(n * sizeof *d.lists);
    d.position = (convoy_position *)bench_array(n * sizeof *d.position);
    d.turn = (convoy_turn *)bench_array(n * sizeof *d.turn);
    uint64_t seed = 11;
    for (uint32_t i = 0; i < links; i++) d.other[i] = bench_random(&seed) % n;
    for (uint32_t i = 0; i < n; i++) {
        convoy_wheel value = convoy_wheel_defaults();
        value.position.x = d.position[i].x = bench_value(&seed);
        d.e[i] = convoy_wheel_spawn(d.w, &value);
    }
    bench_shuffle(d.order, links, 12);
    return d;
}

static void close_debts(debts *d)
{
    const uint32_t links = d->n * LINKS_EACH;
    clear_by_hand(d);
    convoy_close(d->w);
    bench_array_free(d->other, links * sizeof *d->other);
    bench_array_free(d->order, links * sizeof *d->order);
    bench_array_free(d->e, d->n * sizeof *d->e);
    bench_array_free(d->lists, d->n * sizeof *d->lists);
    bench_array_free(d->position, d->n * sizeof *d->position);
    bench_array_free(d->turn, d->n * sizeof *d->turn);
}

static void report_link_bytes(debts *d, size_t before)
{
    uint64_t sum;
    weft_links_set(d, &sum);
    limit_links_set(d, &sum);
    size_t by_hand = d->n * sizeof *d->lists;
    for (uint32_t i = 0; i < d->n; i++) {
        const adjacent *a = &d->lists[i];
        by_hand += (a->from_capacity * 2u + a->to_capacity) * sizeof(uint32_t);
    }
    const double links = (double)convoy_owes_count(d->w);
    const size_t bytes = convoy_stats(d->w).bytes_allocated - before;
    bench_report((bench_figure){
        .workload = "links_bytes",
        .n = d->n * LINKS_EACH,
        .unit = "B/link",
        .value = (double)bytes / links - sizeof(convoy_owes),
        .limit = (double)by_hand / links - sizeof(uint32_t),
        .value_max = 20,
    });
}

// Compares work on links that are set entity by entity.
static void compare_linked(debts *d)
{
    const char *const workloads[] = {"links_walk", "links_system"};
    const bench_side sides[][2] = {{weft_links_walk, limit_links_walk},
                                   {weft_links_system, limit_links_system}};
    uint64_t sum;
    if (!bench_wanted("links_walk links_system")) return;
    weft_links_set(d, &sum);
    limit_links_set(d, &sum);
    for (size_t i = 0; i < 2; i++) {
        if (!bench_wanted(workloads[i])) continue;
        bench_compare((bench_comparison){
            .workload = workloads[i],
            .n = d->n * LINKS_EACH,
            .items = (uint64_t)d->n * LINKS_EACH,
            .weft = sides[i][0],
            .limit = sides[i][1],
            .state = d,
            .ns_max = i == 0 ? 3 : 0,
        });
    }
}

static void compare_links(void)
{
    if (!bench_wanted("links_set links_set_scattered links_walk links_system links_bytes")) return;
    debts d = open_debts(bench_quick() ? 1000 : 100000);
    const size_t before = convoy_stats(d.w).bytes_allocated;
    const uint32_t links = d.n * LINKS_EACH;
    if (bench_wanted("links_bytes") && !bench_counting()) report_link_bytes(&d, before);
    const char *const sets[] = {"links_set", "links_set_scattered"};
    for (int i = 0; i < 2; i++) {
        d.scattered = i == 1;
        if (!bench_wanted(sets[i])) continue;
        bench_compare((bench_comparison){
            .workload = sets[i],
            .n = links,
            .items = links,
            .weft = weft_links_set,
            .limit = limit_links_set,
            .state = &d,
            .ns_max = d.scattered ? 0 : 40,
        });
    }
    d.scattered = false;
    compare_linked(&d);
    close_debts(&d);
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
    compare_links();
    compare_clones();
    compare_parts();
}
