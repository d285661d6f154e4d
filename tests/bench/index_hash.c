// Compares indexes of a number and of a name with handwritten hash tables (open addressing).
//   index_hash_find, _text   find by a number, by a name
//   index_hash_changed       one in a hundred gets another number, then 1,000 are found
#include "indexes.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// By hand

static inline uint32_t slot_of(uint32_t key)
{
    return (key * 0x9E3779B9u) >> 14;
}

__attribute__((noinline)) void index_hash_numbers(index_world *s)
{
    memset(s->slots, 0, SLOTS * sizeof *s->slots);
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t at = slot_of(s->number[i]);
        while (s->slots[at].id != 0) at = (at + 1) & (SLOTS - 1);
        s->slots[at] = (slot){s->number[i], i + 1};
    }
}

__attribute__((noinline)) static uint32_t find_by_hand(const index_world *s, uint32_t key)
{
    uint32_t at = slot_of(key);
    while (s->slots[at].id != 0 && s->slots[at].key != key) at = (at + 1) & (SLOTS - 1);
    return s->slots[at].id;
}

static inline uint32_t text_slot(const person *p)
{
    uint64_t words[2];
    memcpy(words, p->name, sizeof words);
    uint64_t h = (words[0] ^ words[1] * 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
    return (uint32_t)(h >> 46);
}

void index_hash_names(index_world *s)
{
    memset(s->texts, 0, SLOTS * sizeof *s->texts);
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t at = text_slot(&s->name[i]);
        while (s->texts[at] != 0) at = (at + 1) & (SLOTS - 1);
        s->texts[at] = i + 1;
    }
}

__attribute__((noinline)) static uint32_t find_name_by_hand(const index_world *s, const char *name)
{
    person p = {{0}};
    memcpy(p.name, name, strlen(name));
    uint32_t at = text_slot(&p);
    while (s->texts[at] != 0 && memcmp(s->name[s->texts[at] - 1].name, p.name, sizeof p.name)) {
        at = (at + 1) & (SLOTS - 1);
    }
    return s->texts[at];
}

// ------------------------------------------------------------------------------------------------
// Questions

static uint64_t ask_number(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    index_world *s = (index_world *)ctx->user;
    for (uint32_t i = 0; i < ALL; i++) {
        sum += index_id(
            atlas_by_number_find_in(ctx->by_number, s->number[bench_random(&s->seed) % ALL]));
    }
    return sum;
}

static uint64_t ask_few_numbers(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    index_world *s = (index_world *)ctx->user;
    for (uint32_t i = 0; i < ASKED; i++) {
        sum += index_id(
            atlas_by_number_find_in(ctx->by_number, s->number[bench_random(&s->seed) % ALL]));
    }
    return sum;
}

static uint64_t ask_name(const atlas_ask_ctx *ctx)
{
    uint64_t sum = 0;
    index_world *s = (index_world *)ctx->user;
    for (uint32_t i = 0; i < ALL; i++) {
        sum += index_id(
            atlas_by_name_find_in(ctx->by_name, s->asked[bench_random(&s->seed) % ALL].name));
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------
// Sides

static double run_find(void *state, uint64_t *checksum)
{
    return index_ask((index_world *)state, ask_number, checksum);
}

static double find_numbers_by_hand(index_world *s, uint32_t count, uint64_t *checksum)
{
    uint64_t sum = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < count; i++) {
        sum += find_by_hand(s, s->number[bench_random(&s->limit_seed) % ALL]) - 1;
    }
    double taken = bench_seconds() - begun;
    *checksum = sum;
    return taken;
}

static double run_find_by_hand(void *state, uint64_t *checksum)
{
    return find_numbers_by_hand((index_world *)state, ALL, checksum);
}

static double run_text(void *state, uint64_t *checksum)
{
    return index_ask((index_world *)state, ask_name, checksum);
}

static double run_text_by_hand(void *state, uint64_t *checksum)
{
    index_world *s = (index_world *)state;
    uint64_t sum = 0;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ALL; i++) {
        sum += find_name_by_hand(s, s->asked[bench_random(&s->limit_seed) % ALL].name) - 1;
    }
    double taken = bench_seconds() - begun;
    *checksum = sum;
    return taken;
}

// Two of them exchange their numbers, so that no number comes twice.
static double run_changed(void *state, uint64_t *checksum)
{
    index_world *s = (index_world *)state;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ALL / 200; i++) {
        atlas_number *one = atlas_number_edit(s->w, s->e[bench_random(&s->seed) % ALL]);
        atlas_number *two = atlas_number_edit(s->w, s->e[bench_random(&s->seed) % ALL]);
        atlas_number kept = *one;
        *one = *two;
        *two = kept;
    }
    double taken = bench_seconds() - begun;
    return taken + index_ask(s, ask_few_numbers, checksum);
}

static double run_changed_by_hand(void *state, uint64_t *checksum)
{
    index_world *s = (index_world *)state;
    double begun = bench_seconds();
    uint32_t *now = s->number + ALL; // by id; s->number itself is what both sides ask for
    for (uint32_t i = 0; i < ALL / 200; i++) {
        uint32_t one = bench_random(&s->limit_seed) % ALL;
        uint32_t two = bench_random(&s->limit_seed) % ALL;
        uint32_t kept = now[one];
        now[one] = now[two];
        now[two] = kept;
    }
    uint32_t *asked = s->number;
    s->number = now;
    index_hash_numbers(s);
    s->number = asked;
    double taken = bench_seconds() - begun;
    return taken + find_numbers_by_hand(s, ASKED, checksum);
}

void index_bench_hash(void)
{
    index_compare("index_hash_find", ALL, run_find, run_find_by_hand, 1.2);
    index_compare("index_hash_text", ALL, run_text, run_text_by_hand, 1.2);
    index_compare("index_hash_changed", ASKED, run_changed, run_changed_by_hand, 0.3);
}
