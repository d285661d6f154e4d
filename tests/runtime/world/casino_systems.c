// The systems and the hook of the casino.
#include "casino_test.h"

uint32_t coins_seeded;

void casino_coin_on_add(const casino_hook_ctx *ctx, casino_entity e, casino_coin *value)
{
    (void)ctx;
    (void)e;
    coins_seeded += (value->luck.state[0] | value->luck.state[1]) != 0;
}

void casino_roll(const casino_roll_ctx *ctx, uint32_t count, casino_die *die)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t draws = weft_rng_below(&die[i].luck, 4);
        for (uint32_t k = 0; k < draws; k++) die[i].last = weft_rng_u32(&die[i].luck);
    }
}

void casino_deal(const casino_deal_ctx *ctx, uint32_t count)
{
    (void)count;
    ctx->weather->rain = weft_rng_below(&ctx->weather->luck, 3);
    for (uint32_t i = 0; i < ctx->weather->rain; i++) casino_cmd_gambler_spawn(ctx->cmd, NULL);
}
