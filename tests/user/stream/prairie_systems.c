// Systems that leave animals alone that are far from the walker.
//
// flags: hot
#include "near.h"

void prairie_grow(const prairie_grow_ctx *ctx, uint32_t count, prairie_animal *WEFT_RESTRICT animal)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!is_near(ctx->walker, animal[i].region)) continue;
        animal[i].energy += weft_rng_below(&animal[i].luck, 6);
    }
}

// A mate that is away cannot be asked. In a world that is kept whole, it is far.
void prairie_greet(const prairie_greet_ctx *ctx, uint32_t count,
                   const prairie_animal *WEFT_RESTRICT animal, prairie_joy *WEFT_RESTRICT joy)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!is_near(ctx->walker, animal[i].region)) continue;
        const prairie_mood *mood = prairie_mood_get_in(ctx->mood, joy[i].mate);
        if (mood && is_near(ctx->walker, mood->region)) joy[i].sum += mood->value;
        joy[i].met += !prairie_is_none(prairie_herd_parent_in(ctx->herd, ctx->entities[i]));
    }
}
