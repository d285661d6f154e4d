// The work of the systems of caravan.toml on one row. Inline systems and the handwritten loops use
// it.
#ifndef CARAVAN_ROWS_H
#define CARAVAN_ROWS_H

#include "caravan_change_mind_hero.h"
#include "caravan_count_points_hero.h"
#include "caravan_dress_hero.h"
#include "caravan_hurt_hero.h"
#include "caravan_judge_hero.h"
#include "caravan_pull_cart.h"
#include "caravan_push_cart.h"
#include "caravan_roll_cart.h"
#include "caravan_think_hero.h"
#include "caravan_turn_cart.h"
#include "caravan_walk_hero.h"

typedef caravan_position hero_position;
typedef caravan_velocity hero_velocity;
typedef caravan_thinking hero_thinking;
typedef caravan_health hero_health;
typedef caravan_damage hero_damage;
typedef caravan_sprite hero_sprite;
typedef caravan_score hero_score;

#include "seven_rows.h"

#define ROW WEFT_HOT WEFT_ALWAYS_INLINE void
#define WALL 64.0f // carts stay within so far of the middle

// -------------------------------------------------------------------------------------------------
// A field of a cart

// A pull of one strength towards the middle: carts never come to rest, where numbers would become
// too small for the processor to be quick.
static inline float pulled(float place, float speed)
{
    return (place > 0 ? -1.0f : 1.0f) - 0.125f * speed;
}

static inline float pushed(float speed, float force, float dt)
{
    return speed + force * dt;
}

static inline float rolled(float place, float speed, float dt)
{
    return place + speed * dt;
}

static inline float turned(float place, float speed, float force)
{
    return place < -WALL || place > WALL ? force - speed : speed;
}

static inline float kept_in(float place)
{
    float low = place < -WALL ? -WALL : place;
    return low > WALL ? WALL : low;
}

// -------------------------------------------------------------------------------------------------
// A cart

ROW caravan_pull_cart_row(const caravan_pull_cart_ctx *ctx, uint32_t i, const caravan_place *place,
                          const caravan_speed *speed, caravan_force *force)
{
    (void)ctx;
    force[i].x = pulled(place[i].x, speed[i].x);
    force[i].y = pulled(place[i].y, speed[i].y);
    force[i].z = pulled(place[i].z, speed[i].z);
}

ROW caravan_push_cart_row(const caravan_push_cart_ctx *ctx, uint32_t i, const caravan_force *force,
                          caravan_speed *speed)
{
    float dt = (float)ctx->dt;
    speed[i].x = pushed(speed[i].x, force[i].x, dt);
    speed[i].y = pushed(speed[i].y, force[i].y, dt);
    speed[i].z = pushed(speed[i].z, force[i].z, dt);
}

ROW caravan_roll_cart_row(const caravan_roll_cart_ctx *ctx, uint32_t i, const caravan_speed *speed,
                          caravan_place *place)
{
    float dt = (float)ctx->dt;
    place[i].x = rolled(place[i].x, speed[i].x, dt);
    place[i].y = rolled(place[i].y, speed[i].y, dt);
    place[i].z = rolled(place[i].z, speed[i].z, dt);
}

ROW caravan_turn_cart_row(const caravan_turn_cart_ctx *ctx, uint32_t i, const caravan_force *force,
                          caravan_place *place, caravan_speed *speed)
{
    (void)ctx;
    speed[i].x = turned(place[i].x, speed[i].x, force[i].x);
    speed[i].y = turned(place[i].y, speed[i].y, force[i].y);
    speed[i].z = turned(place[i].z, speed[i].z, force[i].z);
    place[i].x = kept_in(place[i].x);
    place[i].y = kept_in(place[i].y);
    place[i].z = kept_in(place[i].z);
}

// -------------------------------------------------------------------------------------------------
// A hero

ROW caravan_walk_hero_row(const caravan_walk_hero_ctx *ctx, uint32_t i,
                          const caravan_velocity *velocity, caravan_position *position)
{
    walk_row((float)ctx->dt, &velocity[i], &position[i]);
}

ROW caravan_think_hero_row(const caravan_think_hero_ctx *ctx, uint32_t i,
                           caravan_thinking *thinking)
{
    (void)ctx;
    think_row(&thinking[i]);
}

ROW caravan_change_mind_hero_row(const caravan_change_mind_hero_ctx *ctx, uint32_t i,
                                 const caravan_thinking *thinking, caravan_velocity *velocity)
{
    (void)ctx;
    change_mind_row(&thinking[i], &velocity[i]);
}

ROW caravan_hurt_hero_row(const caravan_hurt_hero_ctx *ctx, uint32_t i,
                          const caravan_damage *damage, caravan_health *health)
{
    (void)ctx;
    hurt_row(&damage[i], &health[i]);
}

ROW caravan_judge_hero_row(const caravan_judge_hero_ctx *ctx, uint32_t i, caravan_health *health)
{
    (void)ctx;
    judge_row(&health[i]);
}

ROW caravan_dress_hero_row(const caravan_dress_hero_ctx *ctx, uint32_t i,
                           const caravan_health *health, const caravan_position *position,
                           caravan_sprite *sprite)
{
    (void)ctx;
    dress_row(&health[i], &position[i], &sprite[i]);
}

ROW caravan_count_points_hero_row(const caravan_count_points_hero_ctx *ctx, uint32_t i,
                                  const caravan_sprite *sprite, const caravan_thinking *thinking,
                                  caravan_score *score)
{
    (void)ctx;
    count_points_row(&sprite[i], &thinking[i], &score[i]);
}

#endif
