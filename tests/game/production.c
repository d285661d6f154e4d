// Workshops turn goods into other goods.
#include "colony_produce.h"

enum { WORTH_FETCHING = 2 }; // pieces that make a workshop `laden`

static bool has_input(const colony_workshop *workshop, const colony_stock *stock)
{
    return stock->amount[workshop->recipe.input] >= workshop->recipe.takes;
}

static void make(const colony_workshop *workshop, colony_stock *stock)
{
    stock->amount[workshop->recipe.input] -= workshop->recipe.takes;
    stock->amount[workshop->recipe.output] += workshop->recipe.makes;
}

void colony_produce(const colony_produce_ctx *ctx, uint32_t count,
                    colony_workshop *restrict workshop, colony_stock *restrict stock)
{
    for (uint32_t i = 0; i < count; i++) {
        colony_workshop *at = &workshop[i];
        bool busy = has_input(at, &stock[i]);
        colony_produce_busy_put(ctx, i, busy);
        if (busy) at->hours_done += (float)ctx->dt;
        while (at->hours_done >= at->recipe.hours && has_input(at, &stock[i])) {
            at->hours_done -= at->recipe.hours;
            make(at, &stock[i]);
        }
        uint32_t made = stock[i].amount[at->recipe.output];
        colony_produce_laden_put(ctx, i, made >= WORTH_FETCHING);
    }
}
