// Random operations on a world with links, compared with a naive model. Arguments: the number of
// operations (millions are possible), then the seed.
//
// program: moving released threads
// flags: hot
// links: link_compare.c link_copies.c link_entities.c link_parts.c link_saves.c
#define _POSIX_C_SOURCE 200809L // support/progress.h
#include "link_run.h"

#include "../support/progress.h"
#include "../support/sanitizers.h"
#include "fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Slower builds find more faults per operation.
#if defined(WEFT_HARD) || defined(SLOW_MACHINE)
#define SHARE 8u
#elif WITH_ADDRESS_SANITIZER || WITH_THREAD_SANITIZER
#define SHARE 3u
#else
#define SHARE 1u
#endif

// ---- draws

bonds_entity any_living(run *r)
{
    const model *m = &r->m;
    uint32_t start = dice_below(&r->d, m->top);
    for (uint32_t i = 0; i < m->top; i++) {
        uint32_t index = (start + i) % m->top;
        if (m->state[index] == ALIVE) return m->handle[index];
    }
    return (bonds_entity){0};
}

bonds_entity any_end(run *r)
{
    uint32_t drawn = dice_below(&r->d, 40);
    if (drawn == 0 || r->m.top == 0) return (bonds_entity){0};
    if (drawn < 4) return r->m.handle[dice_below(&r->d, r->m.top)]; // perhaps dead or away
    bonds_entity e = any_living(r);
    if (drawn == 4) e.bits += INDICES; // its next generation
    return e;
}

// Links that despawn are rare, so that the world does not die out.
kind any_kind(run *r)
{
    static const kind often[] = {OWES, OWES, OWES, TRUSTS, TRUSTS, KNOWS, KNOWS, SEES};
    return dice_once_in(&r->d, 12) ? (kind)dice_below(&r->d, KINDS) : often[dice_below(&r->d, 8)];
}

value any_value(run *r)
{
    value v = {.number = dice_below(&r->d, 100000), .met = dice_once_in(&r->d, 3)};
    v.paid = dice_bits(&r->d);
    v.witness = any_end(r);
    v.judge = any_end(r);
    return v;
}

void starve(run *r)
{
    if (r->workers != 0 || !dice_once_in(&r->d, 3)) return;
    memory_arm(&r->memory, dice_below(&r->d, 8), dice_once_in(&r->d, 2));
}

bool fed(run *r)
{
    return r->memory.armed && memory_disarm(&r->memory);
}

void free_saved(run *r, void *bytes, size_t size)
{
    weft_memory hooks = memory_hooks(&r->memory);
    if (r->workers == 0)
        hooks.free_(hooks.user, bytes, size);
    else
        free(bytes);
}

// ---- links

static void set_link(run *r, kind k, bonds_entity a, bonds_entity b)
{
    value v = any_value(r);
    bool can = model_alive(&r->m, a) && model_alive(&r->m, b);
    bool full = r->m.count[k] >= LINKS_MAX / 2;
    if (full) return;
    starve(r);
    bool done = kinds[k].set(r->w, a, b, &v);
    bool starved = fed(r);
    if (done != can && !(can && starved)) fail("%s: set returns %d", kinds[k].name, done);
    if (done) model_set(&r->m, k, INDEX(a), INDEX(b), &v);
}

// Draws a link of the model, if there is one near a random entity.
static bool any_link(run *r, kind k, uint32_t *from, uint32_t *to)
{
    const model *m = &r->m;
    uint32_t start = dice_below(&r->d, m->top);
    for (uint32_t i = 0; i < m->top && m->count[k] != 0; i++) {
        uint32_t index = (start + i) % m->top;
        const item_list *list = &m->links[k][index];
        if (list->count == 0) continue;
        *from = index;
        *to = list->items[dice_below(&r->d, list->count)].to;
        return true;
    }
    return false;
}

static void remove_link(run *r)
{
    kind k = any_kind(r);
    uint32_t from, to;
    bonds_entity a = any_end(r);
    bonds_entity b = any_end(r);
    if (dice_once_in(&r->d, 4) || !any_link(r, k, &from, &to)) {
        bool can = model_exists(&r->m, a) && model_exists(&r->m, b);
        can = can && model_find(&r->m, k, INDEX(a), INDEX(b));
        if (kinds[k].remove(r->w, a, b) != can) fail("%s: remove returns another", kinds[k].name);
        if (can) model_remove(&r->m, k, INDEX(a), INDEX(b));
        return;
    }
    bool turned = kinds[k].symmetric && dice_once_in(&r->d, 2);
    a = r->m.handle[turned ? to : from];
    b = r->m.handle[turned ? from : to];
    starve(r);
    bool done = kinds[k].remove(r->w, a, b);
    fed(r);
    if (!done) fail("%s: no removal: %s", kinds[k].name, bonds_error(r->w));
    model_remove(&r->m, k, from, to);
}

// A value that was lent is shown to readers, again if it is written after their turn.
static void edit_link(run *r)
{
    kind k = (kind[]){OWES, TRUSTS, BEARS}[dice_below(&r->d, 3)];
    uint32_t from, to;
    if (!any_link(r, k, &from, &to)) return;
    value v = any_value(r);
    void *at = kinds[k].edit(r->w, r->m.handle[from], r->m.handle[to]);
    if (!at) fail("%s: edit finds no link", kinds[k].name);
    model_lend(&r->m, k, from, to);
    if (dice_once_in(&r->d, 2)) compare_reader(r, (reader)dice_below(&r->d, NOTE));
    kinds[k].write(at, &v);
    model_written(&r->m, k, from, to);
    model_find(&r->m, k, from, to)->v = kind_stored(k, &v);
}

static void clear_links(run *r)
{
    kind k = any_kind(r);
    if (!kinds[k].clear(r->w)) fail("%s: no clear: %s", kinds[k].name, bonds_error(r->w));
    model_clear(&r->m, k);
}

// Links one entity with many, or takes many of its links away, so that lists become long and short
// again.
static void make_hub(run *r)
{
    if (r->population < 1000 && !dice_once_in(&r->d, 16)) return;
    kind k = (kind[]){OWES, KNOWS, SEES}[dice_below(&r->d, 3)];
    bonds_entity hub = any_living(r);
    bool all = dice_once_in(&r->d, 2);
    uint32_t first = all ? 0 : dice_below(&r->d, r->m.top);
    uint32_t count = all ? r->m.top : dice_below(&r->d, r->m.top);
    bool adds = dice_once_in(&r->d, 2);
    bool turned = dice_once_in(&r->d, 2);
    for (uint32_t i = first; i < r->m.top && count != 0; i++, count--) {
        bonds_entity e = r->m.handle[i];
        if (!model_alive(&r->m, e)) continue;
        bonds_entity a = turned ? e : hub;
        bonds_entity b = turned ? hub : e;
        if (adds) {
            set_link(r, k, a, b);
        } else if (kinds[k].remove(r->w, a, b) != model_remove(&r->m, k, INDEX(a), INDEX(b))) {
            fail("%s: remove from a hub", kinds[k].name);
        }
        if (r->told.count > LINKS_MAX) compare_hooks(r);
    }
}

// ---- a run

typedef void operation(run *r);

static void set_any(run *r)
{
    set_link(r, any_kind(r), any_end(r), any_end(r));
}

static void read_changes(run *r)
{
    compare_reader(r, (reader)dice_below(&r->d, NOTE));
}

enum { SPAWN }; // the first one, for a world that is empty

static const struct {
    const char *name;
    operation *operate;
    uint32_t share;  // of the operations
    uint32_t seldom; // it then happens once in so many times
} operations[] = {
    [SPAWN] = {"spawn", spawn_one, 16, 1},
    {"set", set_any, 40, 1},
    {"remove", remove_link, 16, 1},
    {"edit", edit_link, 12, 1},
    {"clear", clear_links, 1, 8},
    {"hub", make_hub, 3, 1},
    {"despawn", despawn_any, 6, 1},
    {"components", change_components, 8, 1},
    {"attach", attach_any, 2, 1},
    {"readers", read_changes, 10, 1},
    {"tick", tick, 4, 1},
    {"clone", clone_something, 2, 1},
    {"copy of a part", copy_part, 1, 1},
    {"part leaves", take_part, 2, 1},
    {"part returns", return_part, 2, 1},
    {"merge", merge_fragment, 1, 1},
    {"save", save_and_load, 1, 3},
    {"text", write_and_read, 1, 8},
    {"trim and recycle", trim_and_recycle, 1, 2},
    {"reset", reset, 1, 200},
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static void operate(run *r, uint64_t number)
{
    uint32_t shares = 0;
    uint32_t o = 0;
    for (uint32_t i = 0; i < OPERATIONS; i++) shares += operations[i].share;
    for (uint32_t drawn = dice_below(&r->d, shares); drawn >= operations[o].share; o++) {
        drawn -= operations[o].share;
    }
    if (r->m.living < 2) o = SPAWN;
    if (!dice_once_in(&r->d, operations[o].seldom)) return;
    fail_operation(number, operations[o].name);
    operations[o].operate(r);
    compare_hooks(r);
    if (r->m.top != 0 && dice_once_in(&r->d, 2)) compare_entity(r, dice_below(&r->d, r->m.top));
}

typedef struct life {
    uint64_t seed;
    uint64_t count; // of operations
    uint32_t population;
    uint32_t workers; // with workers memory does not fail
    bool no_reserve;
} life;

// Most refusals are wanted.
static void ignore(void *user, const char *line)
{
    (void)user, (void)line;
}

static void open_worlds(run *r, const life *l)
{
    weft_options options = {.user = r, .workers = l->workers};
    r->d = (dice){l->seed};
    r->population = l->population;
    r->workers = l->workers;
    r->memory.no_reserve = l->no_reserve;
    if (l->workers == 0) options = memory_options(&r->memory);
    options.user = r;
    options.log = ignore;
    r->w = bonds_open(&options);
    r->other = bonds_open(&options);
    if (!r->w || !r->other) fail("no world");
    forget_readers(r); // nothing is recorded for a query before it was first begun
}

static void close_worlds(run *r)
{
    r->deaf = true;
    free_parts(r);
    bonds_close(r->w);
    bonds_close(r->other);
    model_free(&r->m);
    memory_check_empty(&r->memory);
}

static uint64_t live(const life *l)
{
    static run r;
    static char program[120];
    memset(&r, 0, sizeof r);
    snprintf(program, sizeof program, "links --seed %llu --population %u --workers %u%s",
             (unsigned long long)l->seed, (unsigned)l->population, (unsigned)l->workers,
             l->no_reserve ? " --no-reserve" : "");
    fail_run(program);
    open_worlds(&r, l);
    while (r.m.living < l->population * 3 / 4) spawn_one(&r);
    for (uint64_t i = 0; i < l->count; i++) {
        operate(&r, i);
        if (i % 256 == 255) compare_all(&r);
        progress_step("operations", i + 1, l->count);
    }
    compare_all(&r);
    uint64_t hash = bonds_hash_exact(r.w);
    close_worlds(&r);
    return hash;
}

// A life ends equally with any number of workers.
static void live_with_workers(life l)
{
    l.workers = 1;
    uint64_t hash = live(&l);
    for (l.workers = 2; l.workers <= 8; l.workers *= 4) {
        if (live(&l) != hash) fail("%u workers: another hash", (unsigned)l.workers);
    }
}

// Small worlds for long, large ones for short.
static int live_usual(void)
{
    live(&(life){.seed = 1, .count = 40000 / SHARE, .population = 20});
    live(&(life){.seed = 2, .count = 20000 / SHARE, .population = 60, .no_reserve = true});
    live(&(life){.seed = 3, .count = 4000 / SHARE, .population = 400});
    live(&(life){.seed = 4, .count = 1600 / SHARE, .population = 1700});
    live_with_workers((life){.seed = 5, .count = 4000 / SHARE, .population = 150});
    printf("5 passed, 0 failed\n");
    return 0;
}

static int live_long(uint64_t count, uint64_t seed)
{
    static const uint32_t populations[] = {8, 20, 60, 20, 200, 12, 1700, 30};
    uint64_t done = 0;
    for (uint32_t i = 0; done < count; i++) {
        uint32_t population = populations[i % 8];
        life l = {.seed = seed * 1000003 + i, .population = population};
        l.count = population > 1000 ? 4000 : population > 100 ? 20000 : 100000;
        l.workers = i % 16 == 9 ? 2 : 0;
        l.no_reserve = i % 4 == 2;
        if (l.count > count - done) l.count = count - done;
        live(&l);
        done += l.count;
    }
    printf("%llu operations, seed %llu\n1 passed, 0 failed\n", (unsigned long long)done,
           (unsigned long long)seed);
    return 0;
}

int main(int argc, char **argv)
{
    life l = {.seed = 1, .count = 100000, .population = 60};
    if (argc == 1) return live_usual();
    if (argv[1][0] != '-') {
        return live_long(strtoull(argv[1], NULL, 10), argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    }
    for (int i = 1; i < argc; i++) {
        uint64_t number = i + 1 < argc ? strtoull(argv[i + 1], NULL, 10) : 0;
        if (strcmp(argv[i], "--no-reserve") == 0) l.no_reserve = true;
        if (strcmp(argv[i], "--seed") == 0) l.seed = number;
        if (strcmp(argv[i], "--count") == 0) l.count = number;
        if (strcmp(argv[i], "--population") == 0) l.population = (uint32_t)number;
        if (strcmp(argv[i], "--workers") == 0) l.workers = (uint32_t)number;
    }
    printf("hash %016llx\n1 passed, 0 failed\n", (unsigned long long)live(&l));
    return 0;
}
