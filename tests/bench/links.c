// Links of the world convoy.
//
//   links_set       a million links between 100,000 entities, one entity after the other; the limit
//                   appends to arrays by hand
//   links_set_scattered   the same links in random order
//   links_walk      the links from each entity in turn
//   links_system    a system over these links that reads one end and writes the other; the limit
//                   does this with its arrays
//   links_bytes     memory of a link, without its value of 4 bytes
#include "setup.h"

#include "convoy_collect.h"
#include "convoy_owes.h"
#include "convoy_position.h"
#include "convoy_run.h"
#include "convoy_turn.h"
#include "convoy_wheel.h"

#include <stdlib.h>
#include <string.h>

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
    debts d = {.n = n, .w = convoy_open(NULL)};
    setup_require(d.w != NULL, "a world");
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

void bench_links(void)
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
