// Random operations on the world of a random schema. Compares the rows of its queries and systems
// with a search row by row. Arguments: seed, operations, population.
#include "where.h"

#include "../../fuzz/dice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEINGS_MAX 20000u

static being beings[BEINGS_MAX];
static uint32_t keys; // of all beings there ever were
static uint32_t free_keys[BEINGS_MAX];
static uint32_t free_count, living;
static uint64_t now = 1, walks, operation;
static uint64_t turns[SELECTIONS]; // when each had its last
static uint32_t at;                // the selection that walks
static uint32_t left;              // who it has not met
static dice random_numbers;

static uint64_t edited[SINGLETONS][AUTHORS]; // when each author wrote it last
static bool lent[SINGLETONS];                // the game may still write it, until a phase begins

// How often each was tried, and how often some passed but not all.
static uint32_t tried[SELECTIONS], parted[SELECTIONS];

static _Noreturn void fail(const char *what, uint64_t bits)
{
    printf("operation %" PRIu64 ": %s %s: %" PRIx64 " %s\n", operation, selections[at].name,
           selections[at].where, bits, what);
    exit(1);
}

static uint32_t below(uint32_t bound)
{
    return dice_below(&random_numbers, bound);
}

// ------------------------------------------------------------------------------------------------
// The search

static bool since(const uint64_t *times)
{
    uint32_t own = selections[at].system ? at + 1 : AUTHORS;
    for (uint32_t author = 0; author < AUTHORS; author++) {
        if (author != own && times[author] > turns[at]) return true;
    }
    return false;
}

bool has(const being *b, uint32_t thing)
{
    return b->of[thing].has;
}

bool added(const being *b, uint32_t thing)
{
    return has(b, thing) && since(b->of[thing].added);
}

bool changed(const being *b, uint32_t thing)
{
    return added(b, thing) || (has(b, thing) && since(b->of[thing].written));
}

bool removed(const being *b, uint32_t thing)
{
    return b->of[thing].lost[at];
}

bool changed_singleton(uint32_t singleton)
{
    return since(edited[singleton]);
}

static void lose(being *b, uint32_t thing)
{
    held *h = &b->of[thing];
    for (uint32_t s = 0; s < SELECTIONS && h->has; s++) {
        h->lost[s] |= h->had[s];
        h->had[s] = false;
    }
    h->has = false;
}

// The selection that walks has its turn.
static void take_turn(void)
{
    turns[at] = now++;
    for (uint32_t key = 0; key < keys; key++) {
        for (uint32_t thing = 0; thing < THINGS; thing++) {
            held *h = &beings[key].of[thing];
            h->had[at] = h->has;
            h->lost[at] = false;
        }
    }
}

static uint32_t expect_all(void)
{
    uint32_t count = 0;
    walks++;
    for (uint32_t key = 0; key < keys; key++) {
        being *b = &beings[key];
        if (b->bits == 0 || !selections[at].passes(b)) continue;
        b->due = walks;
        count++;
    }
    return count;
}

void meet(sift_entity e, uint32_t key)
{
    const selection *s = &selections[at];
    being *b = &beings[key];
    if (b->bits != e.bits) fail("is somebody else", e.bits);
    if (b->due != walks) fail("does not pass", e.bits);
    if (b->met == walks) fail("was met twice", e.bits);
    b->met = walks;
    left--;
    if (s->writes_singleton != SINGLETONS) edited[s->writes_singleton][at + 1] = ++now;
    if (s->writes != THINGS) b->of[s->writes].written[s->system ? at + 1 : GAME] = ++now;
}

void count_listed(size_t rows)
{
    if (rows != left) fail("is how many it counts", rows);
}

// ------------------------------------------------------------------------------------------------
// Operations

static being *anybody(void)
{
    for (uint32_t tries = 0; living != 0 && tries < 1000; tries++) {
        being *b = &beings[below(keys)];
        if (b->bits != 0) return b;
    }
    return NULL;
}

static void spawn(sift_world *w)
{
    uint32_t key = free_count != 0 ? free_keys[--free_count] : keys++;
    beings[key] = (being){0};
    beings[key].bits = sift_one_spawn(w, &(sift_one){.id = {key}}).bits;
    living++;
}

static void despawn(sift_world *w, being *b)
{
    if (!sift_despawn(w, sift_entity_of(b->bits))) fail("cannot be despawned", b->bits);
    b->bits = 0;
    free_keys[free_count++] = (uint32_t)(b - beings);
    living--;
}

static void set(sift_world *w, being *b, uint32_t thing)
{
    held *h = &b->of[thing];
    if (!things[thing].set(w, sift_entity_of(b->bits))) return; // an excluding component is present
    if (!h->has) {
        h->has = true;
        memset(h->added, 0, sizeof h->added);
        memset(h->written, 0, sizeof h->written);
        h->added[GAME] = ++now;
    } else if (things[thing].edit) {
        h->written[GAME] = ++now;
    }
}

static void change(sift_world *w, being *b, uint32_t thing)
{
    held *h = &b->of[thing];
    sift_entity e = sift_entity_of(b->bits);
    uint32_t chance = below(4);
    if (chance == 0) {
        if (things[thing].remove(w, e) != h->has) fail("lost something, or did not", b->bits);
        lose(b, thing);
    } else if (chance == 1 && things[thing].edit) {
        if (things[thing].edit(w, e) != h->has) fail("has something, or has not", b->bits);
        h->written[GAME] = ++now;
    } else {
        set(w, b, thing);
    }
}

static void edit_singleton(sift_world *w)
{
    uint32_t singleton = below(SINGLETONS);
    singletons[singleton](w);
    lent[singleton] = true;
    edited[singleton][GAME] = ++now;
}

// Changes many side by side, so that words are full too.
static void change_many(sift_world *w)
{
    uint32_t thing = below(THINGS);
    uint32_t first = below(keys);
    uint32_t end = first + 1 + below(300);
    bool sets = below(3) != 0;
    for (uint32_t key = first; key < end && key < keys; key++) {
        being *b = &beings[key];
        if (b->bits == 0) continue;
        if (sets) {
            set(w, b, thing);
        } else {
            things[thing].remove(w, sift_entity_of(b->bits));
            lose(b, thing);
        }
    }
}

static void check_query(const sift_world *w, uint32_t passing)
{
    const selection *s = &selections[at];
    if (s->count(w) != passing) fail("is how many it counts", s->count(w));
    for (uint32_t i = 0; i < 4; i++) {
        const being *b = anybody();
        bool passes = b && b->due == walks;
        if (b && s->passes_it(w, sift_entity_of(b->bits)) != passes) fail("passes or not", b->bits);
    }
}

static void walk(sift_world *w)
{
    at = below(SELECTIONS);
    uint32_t passing = left = expect_all();
    tried[at]++;
    parted[at] += passing != 0 && passing != living;
    if (selections[at].system) {
        memset(lent, 0, sizeof lent);
    } else {
        take_turn();
        for (uint32_t i = 0; i < SINGLETONS; i++) {
            if (lent[i]) edited[i][GAME] = ++now; // it counts as written again
        }
    }
    selections[at].walk(w);
    if (left != 0) fail("were not met", left);
    if (selections[at].system) {
        take_turn();
    } else {
        check_query(w, passing);
    }
}

// Saves and loads: a save and the exact hash contain the unread changes of readers.
static void reload(sift_world *w)
{
    void *bytes;
    size_t count;
    if (below(living / 8 + 1) > 20) return; // it takes longer, the more there are
    uint64_t exact = sift_hash_exact(w);
    if (sift_save_memory(w, &bytes, &count) != WEFT_OK) fail("cannot be saved", 0);
    singletons[below(SINGLETONS)](w); // which the load takes back
    if (sift_load_memory(w, bytes, count) != WEFT_OK) fail("cannot be loaded", 0);
    memset(lent, 0, sizeof lent);
    if (sift_hash_exact(w) != exact) fail("is another hash", sift_hash_exact(w));
    free(bytes);
}

static void operate(sift_world *w, uint32_t population)
{
    being *b = anybody();
    uint32_t chance = below(100);
    if (chance < 10 || !b) {
        if (living < population) spawn(w);
    } else if (chance < 17) {
        despawn(w, b);
    } else if (chance < 60) {
        change(w, b, below(THINGS));
    } else if (chance < 63) {
        change_many(w);
    } else if (chance < 64) {
        edit_singleton(w);
    } else if (chance < 65) {
        reload(w);
    } else if (chance < 80) {
        walk(w);
    }
}

int main(int count, char **arguments)
{
    if (count != 4) return 2;
    random_numbers.state = strtoull(arguments[1], NULL, 10);
    const uint64_t operations = strtoull(arguments[2], NULL, 10);
    const uint32_t population = (uint32_t)strtoul(arguments[3], NULL, 10);
    sift_world *w = sift_open(NULL);
    if (!w || population > BEINGS_MAX) return 2;
    for (uint32_t i = 0; i < SINGLETONS; i++) edited[i][GAME] = now; // at their first turns
    while (living < population) spawn(w);
    for (; operation < operations; operation++) operate(w, population);
    for (uint32_t i = 0; i < SELECTIONS; i++) {
        printf("%s %" PRIu32 " %" PRIu32 "\n", selections[i].name, tried[i], parted[i]);
    }
    sift_close(w);
    return 0;
}
