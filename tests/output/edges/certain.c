// Each query and system gets every row that has its columns, because its `where` is always true.
#include "certain.h"

#include <stdio.h>
#include <stdlib.h>

#define COINS 200u
#define GLOWING 20u // every tenth coin

#define require(condition)                                                                         \
    do {                                                                                           \
        if (condition) break;                                                                      \
        printf("line %d: %s\n", __LINE__, #condition);                                             \
        exit(1);                                                                                   \
    } while (0)

static uint32_t met[3]; // by systems runs, masks and lists
static uint32_t asked;

void certain_runs(const certain_runs_ctx *ctx, uint32_t count,
                  const certain_gold *WEFT_RESTRICT gold)
{
    require(gold && ctx->entities);
    met[0] += count;
}

void certain_masks(const certain_masks_ctx *ctx, uint32_t count, weft_rows rows,
                   const certain_gold *WEFT_RESTRICT gold)
{
    require(gold && ctx->entities && count > 0);
    for (uint32_t i; weft_next(&rows, &i);) met[1]++;
}

void certain_lists(const certain_lists_ctx *ctx, uint32_t count, const uint32_t *rows,
                   const certain_gold *WEFT_RESTRICT gold)
{
    require(gold && rows && ctx->entities);
    met[2] += count;
}

static void ask_again(const certain_asks_ctx *ctx)
{
    uint32_t rows = 0;
    certain_masked_iter masked = certain_masked_begin_in(ctx->masked);
    while (certain_masked_next(&masked)) {
        for (uint32_t i; weft_next(&masked.rows, &i);) rows++;
    }
    require(rows == COINS && certain_masked_count_in(ctx->masked) == COINS);
    certain_both_iter both = certain_both_begin_in(ctx->both);
    for (rows = 0; certain_both_next(&both);) rows += both.count;
    require(rows == GLOWING && certain_both_count_in(ctx->both) == GLOWING);
}

void certain_asks(const certain_asks_ctx *ctx, uint32_t count)
{
    uint32_t rows = 0;
    require(count == 0);
    certain_plain_iter plain = certain_plain_begin_in(ctx->plain);
    while (certain_plain_next(&plain)) {
        rows += plain.count;
        require(certain_plain_passes_in(ctx->plain, plain.entities[0]));
    }
    require(rows == COINS && certain_plain_count_in(ctx->plain) == COINS);
    certain_twice_iter twice = certain_twice_begin_in(ctx->twice);
    for (rows = 0; certain_twice_next(&twice);) rows += twice.count;
    require(rows == COINS && certain_twice_count_in(ctx->twice) == COINS);
    ask_again(ctx);
    asked++;
}

int main(void)
{
    certain_world *w = certain_open(NULL);
    require(w);
    for (uint32_t i = 0; i < COINS; i++) {
        certain_entity e = certain_coin_spawn(w, NULL);
        if (i % 3 == 0) require(certain_seen_set(w, e));
        if (i % 10 == 0) require(certain_glow_set(w, e, (certain_glow){i}));
    }
    certain_plain_begin(w); // what asks for changes is begun before it is counted
    certain_masked_begin(w);
    certain_twice_begin(w);
    certain_both_begin(w);
    for (uint32_t tick = 1; tick <= 3; tick++) {
        require(certain_tick(w, 1) == WEFT_OK && asked == tick);
        for (uint32_t i = 0; i < 3; i++) require(met[i] == tick * COINS);
        require(certain_plain_count(w) == COINS && certain_twice_count(w) == COINS);
        require(certain_masked_count(w) == COINS && certain_both_count(w) == GLOWING);
    }
    certain_close(w);
    return 0;
}
