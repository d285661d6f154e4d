// Walking: `steer` chooses the direction, `movement` moves.
//
// A walker only takes steps that bring it nearer to its goal. If it can choose (straight on or
// diagonally), it takes the step that arrives soonest. Walkers therefore prefer worn ground and
// turn it into a road.
#include "colony_movement.h"
#include "colony_steer.h"
#include "ground.h"

static const float REACHED_TILES = 0.01f; // a walker this near has arrived
static const float DIAGONAL = 0.70710678f;

// A direction of length 1, or 0 to stay, and the relative speed on the ground there.
typedef struct heading {
    float x, y;
    float ease;
} heading;

// Returns the direction along one axis: -1, 0 or 1.
static int step_towards(float distance)
{
    if (distance > REACHED_TILES) return 1;
    return distance < -REACHED_TILES ? -1 : 0;
}

static heading heading_of(const ground *map, const colony_position *from, int x, int y)
{
    float length = x != 0 && y != 0 ? DIAGONAL : 1.0f;
    float ease = ground_ease(map, ground_tile(from->x) + x, ground_tile(from->y) + y);
    return (heading){(float)x * length, (float)y * length, ease};
}

// Returns how fast the sum of both distances decreases.
static float progress(const heading *way)
{
    float x = way->x < 0 ? -way->x : way->x;
    float y = way->y < 0 ? -way->y : way->y;
    return (x + y) * way->ease;
}

static heading best_heading(const ground *map, const colony_position *from, int x, int y)
{
    heading best = heading_of(map, from, x, y);
    if (x == 0 || y == 0) return best;
    heading straight[] = {heading_of(map, from, x, 0), heading_of(map, from, 0, y)};
    for (int i = 0; i < 2; i++) {
        if (progress(&straight[i]) > progress(&best)) best = straight[i];
    }
    return best;
}

// Limits the speed along one axis so that it does not pass the goal within `hours`.
static float without_overshoot(float speed, float distance, float hours)
{
    float reach = speed * hours;
    bool past = speed > 0 ? reach > distance : speed < 0 && reach < distance;
    return past ? distance / hours : speed;
}

void colony_steer(const colony_steer_ctx *ctx, uint32_t count,
                  const colony_position *restrict position, const colony_walker *restrict walker,
                  colony_velocity_columns velocity)
{
    float hours = (float)ctx->dt;
    ground map = ground_of(ctx->ground, colony_patches_begin_in(ctx->patches));
    for (uint32_t i = 0; i < count; i++) {
        float x = walker[i].goal.x - position[i].x, y = walker[i].goal.y - position[i].y;
        int step_x = step_towards(x), step_y = step_towards(y);
        heading way = best_heading(&map, &position[i], step_x, step_y);
        float speed = walker[i].speed * way.ease;
        velocity.x[i] = without_overshoot(way.x * speed, x, hours);
        velocity.y[i] = without_overshoot(way.y * speed, y, hours);
        colony_steer_arrived_put(ctx, i, step_x == 0 && step_y == 0);
    }
}

void colony_movement(const colony_movement_ctx *ctx, uint32_t count,
                     colony_velocity_const_columns velocity, colony_position *restrict position)
{
    float hours = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        position[i].x += velocity.x[i] * hours;
        position[i].y += velocity.y[i] * hours;
    }
}
