#include "market.h"

#include <stdio.h>

typedef struct program { // belongs to the program
    unsigned turns;
} program;

void market_take_stock_begin(const market_take_stock_ctx *ctx)
{
    program *p = (program *)ctx->user; // once a turn, so no other thread does this
    p->turns++;
}

void market_take_stock(const market_take_stock_ctx *ctx, uint32_t count, const market_stall *stall)
{
    market_take_stock_partial *sum = ctx->partial; // of this part of the rows
    for (uint32_t i = 0; i < count; i++) {
        if (sum->stalls == 0 || stall[i].price < sum->least) sum->least = stall[i].price;
        sum->bread += stall[i].bread;
        sum->stalls++;
    }
}

void market_take_stock_merge(const market_take_stock_ctx *ctx,
                             const market_take_stock_partial *parts, uint32_t count)
{
    *ctx->ledger = (market_ledger){0};
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i].stalls == 0) continue; // no row of this part passed
        if (ctx->ledger->stalls == 0 || parts[i].least < ctx->ledger->least) {
            ctx->ledger->least = parts[i].least;
        }
        ctx->ledger->bread += parts[i].bread;
        ctx->ledger->stalls += parts[i].stalls;
    }
}

void market_take_stock_end(const market_take_stock_ctx *ctx)
{
    (void)ctx;
}

int main(void)
{
    program p = {0};
    market_world *w = market_open(&(weft_options){.workers = 4, .user = &p});
    if (w == NULL) return 1;
    for (uint32_t i = 0; i < 5000; i++) {
        market_entity e = market_spawn(w);
        market_stall_set(w, e, (market_stall){i % 8, 2.0f + (float)(i % 100)});
    }
    for (int tick = 0; tick < 3; tick++) market_tick(w, 1.0);
    const market_ledger *ledger = market_ledger_get(w);
    printf("%u turns: %llu loaves in %u stalls, from %g\n", p.turns,
           (unsigned long long)ledger->bread, (unsigned)ledger->stalls, (double)ledger->least);
    market_close(w);
    return 0;
}
