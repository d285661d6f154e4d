// Friendships: they begin in a house or at a meal (needs.c), and last while people meet.
#include "colony_befriend.h"
#include "colony_keep_friends.h"
#include "colony_visit.h"
#include "dice.h"
#include "night.h"

static const float NEAR_TILES = 2.0f;
static const float WARMS_AN_HOUR = 0.02f;
static const float COOLS_AN_HOUR = 0.01f; // a new friendship lasts a day without a meeting
static const float VISIT_TILES = 12.0f;
enum { VISIT_ONCE_IN = 12 }; // in ticks

static bool is_near(const colony_position *a, const colony_position *b, float tiles)
{
    float x = a->x - b->x, y = a->y - b->y;
    return x * x + y * y <= tiles * tiles;
}

static void befriend(const colony_befriend_ctx *ctx, colony_entity one, colony_entity other)
{
    if (colony_friends_has_in(ctx->friends, one, other)) return; // and keeps its warmth
    colony_cmd_friends_set(ctx->cmd, one, other, colony_friends_defaults());
}

void colony_befriend(const colony_befriend_ctx *ctx, uint32_t count,
                     const colony_dwelling *restrict dwelling)
{
    for (uint32_t i = 0; i < count; i++) {
        const colony_entity *residents = dwelling[i].residents.items;
        for (uint32_t one = 0; one < dwelling[i].residents.count; one++) {
            for (uint32_t other = 0; other < one; other++) {
                befriend(ctx, residents[other], residents[one]);
            }
        }
    }
}

void colony_keep_friends(const colony_keep_friends_ctx *ctx, uint32_t count,
                         const colony_entity *from, const colony_entity *to,
                         colony_friends *const *friends,
                         const colony_position *const *from_position,
                         const colony_position *const *to_position)
{
    float hours = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        bool near = is_near(from_position[i], to_position[i], NEAR_TILES);
        float warmth = friends[i]->warmth + hours * (near ? WARMS_AN_HOUR : -COOLS_AN_HOUR);
        friends[i]->warmth = warmth < 0.0f ? 0.0f : warmth < 1.0f ? warmth : 1.0f;
        if (warmth <= 0.0f) colony_cmd_friends_remove(ctx->cmd, from[i], to[i]);
    }
}

// Returns one of the friends of a person who has some.
static colony_entity any_friend(const colony_visit_ctx *ctx, colony_entity who, weft_rng *dice)
{
    uint32_t friends = colony_friends_count_from_in(ctx->friends, who);
    uint32_t chosen = weft_rng_below(dice, friends);
    colony_friends_from_iter it = colony_friends_from_begin_in(ctx->friends, who);
    while (colony_friends_from_next(&it) && chosen-- > 0) {
    }
    return it.to;
}

void colony_visit(const colony_visit_ctx *ctx, uint32_t count, const colony_position *position,
                  const colony_worker *restrict worker, colony_walker *restrict walker)
{
    if (is_night(ctx->calendar)) return;
    for (uint32_t i = 0; i < count; i++) {
        weft_rng *dice = &walker[i].luck;
        if (worker[i].job != COLONY_JOB_IDLE || !dice_once_in(dice, VISIT_ONCE_IN)) continue;
        colony_entity friend = any_friend(ctx, ctx->entities[i], dice);
        const colony_position *to = colony_position_get_in(ctx->position, friend);
        if (to == NULL || !is_near(&position[i], to, VISIT_TILES)) continue;
        walker[i].goal = (colony_spot){to->x, to->y};
    }
}
