// Illness. `sick` is a sparse component that commands add and remove, so no row moves for it.
#include "colony_fall_sick.h"
#include "colony_recover.h"
#include "dice.h"

// One person in this many falls ill each day.
static const uint32_t RISK_BY_SEASON[] = {
    [COLONY_SEASON_SPRING] = 150,
    [COLONY_SEASON_SUMMER] = 200,
    [COLONY_SEASON_AUTUMN] = 150,
    [COLONY_SEASON_WINTER] = 60,
};
enum { DEADLY_ONCE_IN = 4 };
static const float SHORTEST_HOURS = 24.0f;
static const float LONGEST_HOURS = 96.0f;

void colony_fall_sick(const colony_fall_sick_ctx *ctx, uint32_t count,
                      const colony_person *restrict person)
{
    (void)person; // in `read` so that only people fall ill
    weft_rng *dice = &ctx->chance->luck;
    for (uint32_t i = 0; i < count; i++) {
        if (!dice_once_in(dice, RISK_BY_SEASON[ctx->calendar->season])) continue;
        colony_sick illness = {
            .hours_left = dice_between(dice, SHORTEST_HOURS, LONGEST_HOURS),
            .deadly = dice_once_in(dice, DEADLY_ONCE_IN),
        };
        colony_cmd_sick_set(ctx->cmd, ctx->entities[i], illness);
    }
}

// A deadly illness is not removed when it ends, because `die` reads that no hours are left.
void colony_recover(const colony_recover_ctx *ctx, uint32_t count, colony_sick *const *sick)
{
    for (uint32_t i = 0; i < count; i++) {
        sick[i]->hours_left -= (float)ctx->dt;
        if (sick[i]->hours_left > 0) continue;
        sick[i]->hours_left = 0;
        if (!sick[i]->deadly) colony_cmd_sick_remove(ctx->cmd, ctx->entities[i]);
    }
}
