// Measures the fixed cost of a tick that has almost nothing to do: seven small systems on one
// entity. The limit runs the seven loops in one function, on arrays with one element.
#include "seven.h"
#include "setup.h"

#define DT 0.5
#define TICKS 20000u

typedef struct arrays {
    uint32_t count;
    seven_position position[1];
    seven_velocity velocity[1];
    seven_thinking thinking[1];
    seven_health health[1];
    seven_damage damage[1];
    seven_sprite sprite[1];
    seven_score score[1];
} arrays;

typedef struct heroes {
    seven_world *w;
    seven_entity hero;
    arrays arrays;
} heroes;

typedef seven_position hero_position;
typedef seven_velocity hero_velocity;
typedef seven_thinking hero_thinking;
typedef seven_health hero_health;
typedef seven_damage hero_damage;
typedef seven_sprite hero_sprite;
typedef seven_score hero_score;

#include "seven_rows.h"

// -------------------------------------------------------------------------------------------------
// The code of a game

void seven_walk(const seven_walk_ctx *ctx, uint32_t count, const seven_velocity *restrict velocity,
                seven_position *restrict position)
{
    for (uint32_t i = 0; i < count; i++) walk_row((float)ctx->dt, &velocity[i], &position[i]);
}

void seven_think(const seven_think_ctx *ctx, uint32_t count, seven_thinking *restrict thinking)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) think_row(&thinking[i]);
}

void seven_change_mind(const seven_change_mind_ctx *ctx, uint32_t count,
                       const seven_thinking *restrict thinking, seven_velocity *restrict velocity)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) change_mind_row(&thinking[i], &velocity[i]);
}

void seven_hurt(const seven_hurt_ctx *ctx, uint32_t count, const seven_damage *restrict damage,
                seven_health *restrict health)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) hurt_row(&damage[i], &health[i]);
}

void seven_judge(const seven_judge_ctx *ctx, uint32_t count, seven_health *restrict health)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) judge_row(&health[i]);
}

void seven_dress(const seven_dress_ctx *ctx, uint32_t count, const seven_health *restrict health,
                 const seven_position *restrict position, seven_sprite *restrict sprite)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) dress_row(&health[i], &position[i], &sprite[i]);
}

void seven_count_points(const seven_count_points_ctx *ctx, uint32_t count,
                        const seven_sprite *restrict sprite,
                        const seven_thinking *restrict thinking, seven_score *restrict score)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) count_points_row(&sprite[i], &thinking[i], &score[i]);
}

// -------------------------------------------------------------------------------------------------
// The limit

static __attribute__((noinline)) void tick_arrays(arrays *a, double dt)
{
    uint32_t count = a->count;
    for (uint32_t i = 0; i < count; i++) walk_row((float)dt, &a->velocity[i], &a->position[i]);
    for (uint32_t i = 0; i < count; i++) think_row(&a->thinking[i]);
    for (uint32_t i = 0; i < count; i++) change_mind_row(&a->thinking[i], &a->velocity[i]);
    for (uint32_t i = 0; i < count; i++) hurt_row(&a->damage[i], &a->health[i]);
    for (uint32_t i = 0; i < count; i++) judge_row(&a->health[i]);
    for (uint32_t i = 0; i < count; i++) dress_row(&a->health[i], &a->position[i], &a->sprite[i]);
    for (uint32_t i = 0; i < count; i++) {
        count_points_row(&a->sprite[i], &a->thinking[i], &a->score[i]);
    }
}

// -------------------------------------------------------------------------------------------------
// Sides

static uint64_t sum(const seven_position *p, const seven_score *s, const seven_health *h)
{
    return bench_part(0, bench_bits(p->x)) + bench_part(1, bench_bits(p->y)) + s->points +
           (uint64_t)(uint32_t)h->now;
}

static double run_weft(void *state, uint64_t *checksum)
{
    const heroes *s = (const heroes *)state;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < TICKS; i++) seven_tick(s->w, DT);
    double seconds = bench_seconds() - begun;
    *checksum = sum(seven_position_get(s->w, s->hero), seven_score_get(s->w, s->hero),
                    seven_health_get(s->w, s->hero));
    return seconds;
}

static double run_limit(void *state, uint64_t *checksum)
{
    heroes *s = (heroes *)state;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < TICKS; i++) {
        tick_arrays(&s->arrays, DT);
        bench_touch(&s->arrays);
    }
    double seconds = bench_seconds() - begun;
    *checksum = sum(s->arrays.position, s->arrays.score, s->arrays.health);
    return seconds;
}

void bench_seven(void)
{
    if (!bench_wanted("tick_seven")) return;
    seven_hero start = seven_hero_defaults();
    heroes s = {
        .w = seven_open(NULL),
        .arrays = {1,
                   {start.position},
                   {start.velocity},
                   {start.thinking},
                   {start.health},
                   {start.damage},
                   {start.sprite},
                   {start.score}},
    };
    setup_require(s.w, "a world");
    s.hero = seven_hero_spawn(s.w, NULL);
    bench_compare((bench_comparison){
        .workload = "tick_seven",
        .n = 1,
        .items = TICKS,
        .weft = run_weft,
        .limit = run_limit,
        .state = &s,
        .ns_max = 100,
    });
    seven_close(s.w);
}
