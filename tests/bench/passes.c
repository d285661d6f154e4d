// Fused systems: four over three columns, and seven over seven. They are compared with plain loops
// one after the other, with one loop that does all the work on a row, and with plain loops block by
// block. With two workers the times are wall time.
#include "by_hand.h"
#include "setup.h"

#include "caravan_rows.h"

#include "caravan_cart.h"
#include "caravan_carts.h"
#include "caravan_change_mind.h"
#include "caravan_count_points.h"
#include "caravan_dress.h"
#include "caravan_hero.h"
#include "caravan_heroes.h"
#include "caravan_hurt.h"
#include "caravan_judge.h"
#include "caravan_pull.h"
#include "caravan_push.h"
#include "caravan_roll.h"
#include "caravan_think.h"
#include "caravan_turn.h"
#include "caravan_walk.h"

#include <stdio.h>
#include <string.h>

#define DT 0.5
#define WORKERS 2u
#define BLOCK_ROWS 96u // of loops block by block, as many as the passes of this world have
// What a run handles in all. A processor takes some ticks to keep the right lines of 12 MB or more,
// so with two ticks a run what a side took depended on which side had run before it.
#define ROWS_IN_A_RUN 16000000u

typedef struct arrays {
    caravan_position *position;
    caravan_velocity *velocity;
    caravan_thinking *thinking;
    caravan_health *health;
    caravan_damage *damage;
    caravan_sprite *sprite;
    caravan_score *score;
    float *place; // three of a cart
    float *speed;
    float *force;
} arrays;

typedef struct caravan {
    uint32_t n;
    uint32_t repeats; // in a run
    caravan_world *w;
    double (*seconds)(void);
    weft_status (*run)(caravan_world *w, double dt);
    uint64_t (*sum)(caravan_world *w);
    // The limit has these:
    void (*limit)(const struct caravan *c);
    uint64_t (*limit_sum)(const struct caravan *c);
    arrays a;
} caravan;

// -------------------------------------------------------------------------------------------------
// The loops, which the systems and the limit share. They are not inlined, so that all sides run one
// code.

static __attribute__((noinline)) void pull_all(uint32_t n, const float *restrict place,
                                               const float *restrict speed, float *restrict force)
{
    for (uint32_t i = 0; i < n; i++) force[i] = pulled(place[i], speed[i]);
}

static __attribute__((noinline)) void push_all(uint32_t n, float dt, const float *restrict force,
                                               float *restrict speed)
{
    for (uint32_t i = 0; i < n; i++) speed[i] = pushed(speed[i], force[i], dt);
}

static __attribute__((noinline)) void roll_all(uint32_t n, float dt, const float *restrict speed,
                                               float *restrict place)
{
    for (uint32_t i = 0; i < n; i++) place[i] = rolled(place[i], speed[i], dt);
}

static __attribute__((noinline)) void turn_all(uint32_t n, const float *restrict force,
                                               float *restrict place, float *restrict speed)
{
    for (uint32_t i = 0; i < n; i++) {
        speed[i] = turned(place[i], speed[i], force[i]);
        place[i] = kept_in(place[i]);
    }
}

static __attribute__((noinline)) void walk_all(uint32_t n, float dt,
                                               const hero_velocity *restrict velocity,
                                               hero_position *restrict position)
{
    for (uint32_t i = 0; i < n; i++) walk_row(dt, &velocity[i], &position[i]);
}

static __attribute__((noinline)) void think_all(uint32_t n, hero_thinking *restrict thinking)
{
    for (uint32_t i = 0; i < n; i++) think_row(&thinking[i]);
}

static __attribute__((noinline)) void change_mind_all(uint32_t n,
                                                      const hero_thinking *restrict thinking,
                                                      hero_velocity *restrict velocity)
{
    for (uint32_t i = 0; i < n; i++) change_mind_row(&thinking[i], &velocity[i]);
}

static __attribute__((noinline)) void hurt_all(uint32_t n, const hero_damage *restrict damage,
                                               hero_health *restrict health)
{
    for (uint32_t i = 0; i < n; i++) hurt_row(&damage[i], &health[i]);
}

static __attribute__((noinline)) void judge_all(uint32_t n, hero_health *restrict health)
{
    for (uint32_t i = 0; i < n; i++) judge_row(&health[i]);
}

static __attribute__((noinline)) void dress_all(uint32_t n, const hero_health *restrict health,
                                                const hero_position *restrict position,
                                                hero_sprite *restrict sprite)
{
    for (uint32_t i = 0; i < n; i++) dress_row(&health[i], &position[i], &sprite[i]);
}

static __attribute__((noinline)) void count_points_all(uint32_t n,
                                                       const hero_sprite *restrict sprite,
                                                       const hero_thinking *restrict thinking,
                                                       hero_score *restrict score)
{
    for (uint32_t i = 0; i < n; i++) count_points_row(&sprite[i], &thinking[i], &score[i]);
}

// -------------------------------------------------------------------------------------------------
// The systems, as a game writes them

void caravan_pull(const caravan_pull_ctx *ctx, uint32_t count, const caravan_place *restrict place,
                  const caravan_speed *restrict speed, caravan_force *restrict force)
{
    (void)ctx;
    pull_all(3 * count, &place->x, &speed->x, &force->x);
}

void caravan_push(const caravan_push_ctx *ctx, uint32_t count, const caravan_force *restrict force,
                  caravan_speed *restrict speed)
{
    push_all(3 * count, (float)ctx->dt, &force->x, &speed->x);
}

void caravan_roll(const caravan_roll_ctx *ctx, uint32_t count, const caravan_speed *restrict speed,
                  caravan_place *restrict place)
{
    roll_all(3 * count, (float)ctx->dt, &speed->x, &place->x);
}

void caravan_turn(const caravan_turn_ctx *ctx, uint32_t count, const caravan_force *restrict force,
                  caravan_place *restrict place, caravan_speed *restrict speed)
{
    (void)ctx;
    turn_all(3 * count, &force->x, &place->x, &speed->x);
}

void caravan_walk(const caravan_walk_ctx *ctx, uint32_t count,
                  const caravan_velocity *restrict velocity, caravan_position *restrict position)
{
    walk_all(count, (float)ctx->dt, velocity, position);
}

void caravan_think(const caravan_think_ctx *ctx, uint32_t count,
                   caravan_thinking *restrict thinking)
{
    (void)ctx;
    think_all(count, thinking);
}

void caravan_change_mind(const caravan_change_mind_ctx *ctx, uint32_t count,
                         const caravan_thinking *restrict thinking,
                         caravan_velocity *restrict velocity)
{
    (void)ctx;
    change_mind_all(count, thinking, velocity);
}

void caravan_hurt(const caravan_hurt_ctx *ctx, uint32_t count,
                  const caravan_damage *restrict damage, caravan_health *restrict health)
{
    (void)ctx;
    hurt_all(count, damage, health);
}

void caravan_judge(const caravan_judge_ctx *ctx, uint32_t count, caravan_health *restrict health)
{
    (void)ctx;
    judge_all(count, health);
}

void caravan_dress(const caravan_dress_ctx *ctx, uint32_t count,
                   const caravan_health *restrict health, const caravan_position *restrict position,
                   caravan_sprite *restrict sprite)
{
    (void)ctx;
    dress_all(count, health, position, sprite);
}

void caravan_count_points(const caravan_count_points_ctx *ctx, uint32_t count,
                          const caravan_sprite *restrict sprite,
                          const caravan_thinking *restrict thinking, caravan_score *restrict score)
{
    (void)ctx;
    count_points_all(count, sprite, thinking, score);
}

// -------------------------------------------------------------------------------------------------
// The limits: the loops one after the other, and a loop by hand

static void chain_one_by_one(const caravan *c)
{
    const arrays *a = &c->a;
    uint32_t n = 3 * c->n;
    pull_all(n, a->place, a->speed, a->force);
    push_all(n, (float)DT, a->force, a->speed);
    roll_all(n, (float)DT, a->speed, a->place);
    turn_all(n, a->force, a->place, a->speed);
    bench_touch(a);
}

static __attribute__((noinline)) void chain_all(uint32_t n, float dt, float *restrict place,
                                                float *restrict speed, float *restrict force)
{
    for (uint32_t i = 0; i < n; i++) {
        force[i] = pulled(place[i], speed[i]);
        float faster = pushed(speed[i], force[i], dt);
        float further = rolled(place[i], faster, dt);
        speed[i] = turned(further, faster, force[i]);
        place[i] = kept_in(further);
    }
}

static void chain_by_hand(const caravan *c)
{
    chain_all(3 * c->n, (float)DT, c->a.place, c->a.speed, c->a.force);
    bench_touch(&c->a);
}

// The loops block by block, as the function of a pass runs them.
static void chain_by_blocks(const caravan *c)
{
    const arrays *a = &c->a;
    for (size_t i = 0, end = (size_t)3 * c->n; i < end; i += 3 * BLOCK_ROWS) {
        uint32_t n = (uint32_t)(end - i < 3 * BLOCK_ROWS ? end - i : 3 * BLOCK_ROWS);
        pull_all(n, a->place + i, a->speed + i, a->force + i);
        push_all(n, (float)DT, a->force + i, a->speed + i);
        roll_all(n, (float)DT, a->speed + i, a->place + i);
        turn_all(n, a->force + i, a->place + i, a->speed + i);
    }
    bench_touch(a);
}

static void seven_one_by_one(const caravan *c)
{
    const arrays *a = &c->a;
    walk_all(c->n, (float)DT, a->velocity, a->position);
    think_all(c->n, a->thinking);
    change_mind_all(c->n, a->thinking, a->velocity);
    hurt_all(c->n, a->damage, a->health);
    judge_all(c->n, a->health);
    dress_all(c->n, a->health, a->position, a->sprite);
    count_points_all(c->n, a->sprite, a->thinking, a->score);
    bench_touch(a);
}

static void seven_by_blocks(const caravan *c)
{
    const arrays *a = &c->a;
    for (uint32_t i = 0; i < c->n; i += BLOCK_ROWS) {
        uint32_t n = c->n - i < BLOCK_ROWS ? c->n - i : BLOCK_ROWS;
        walk_all(n, (float)DT, a->velocity + i, a->position + i);
        think_all(n, a->thinking + i);
        change_mind_all(n, a->thinking + i, a->velocity + i);
        hurt_all(n, a->damage + i, a->health + i);
        judge_all(n, a->health + i);
        dress_all(n, a->health + i, a->position + i, a->sprite + i);
        count_points_all(n, a->sprite + i, a->thinking + i, a->score + i);
    }
    bench_touch(a);
}

static __attribute__((noinline)) void
seven_all(uint32_t n, hero_position *restrict position, hero_velocity *restrict velocity,
          hero_thinking *restrict thinking, hero_health *restrict health,
          const hero_damage *restrict damage, hero_sprite *restrict sprite,
          hero_score *restrict score)
{
    for (uint32_t i = 0; i < n; i++) {
        walk_row((float)DT, &velocity[i], &position[i]);
        think_row(&thinking[i]);
        change_mind_row(&thinking[i], &velocity[i]);
        hurt_row(&damage[i], &health[i]);
        judge_row(&health[i]);
        dress_row(&health[i], &position[i], &sprite[i]);
        count_points_row(&sprite[i], &thinking[i], &score[i]);
    }
}

static void seven_by_hand(const caravan *c)
{
    const arrays *a = &c->a;
    seven_all(c->n, a->position, a->velocity, a->thinking, a->health, a->damage, a->sprite,
              a->score);
    bench_touch(a);
}

// -------------------------------------------------------------------------------------------------
// Sums

static uint64_t sum_hero(uint32_t id, const caravan_position *p, const caravan_health *h,
                         const caravan_score *s)
{
    return bench_part(id, bench_bits(p->x)) + bench_part(id, bench_bits(p->y)) +
           bench_part(id, (uint32_t)h->now) + bench_part(id, (uint32_t)s->points);
}

static uint64_t sum_heroes(caravan_world *w)
{
    uint64_t sum = 0;
    caravan_heroes_iter it = caravan_heroes_begin(w);
    while (caravan_heroes_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            uint32_t id = it.entities[i].bits & SETUP_INDEX_MASK;
            sum += sum_hero(id, &it.position[i], &it.health[i], &it.score[i]);
        }
    }
    return sum;
}

static uint64_t sum_limit_heroes(const caravan *c)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        sum += sum_hero(i, &c->a.position[i], &c->a.health[i], &c->a.score[i]);
    }
    return sum;
}

static uint64_t sum_cart(uint32_t id, const float *place, const float *speed)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < 3; k++) {
        sum += bench_part(id, bench_bits(place[k])) + bench_part(id, bench_bits(speed[k]));
    }
    return sum;
}

static uint64_t sum_carts(caravan_world *w)
{
    uint64_t sum = 0;
    caravan_carts_iter it = caravan_carts_begin(w);
    while (caravan_carts_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            uint32_t id = it.entities[i].bits & SETUP_INDEX_MASK;
            sum += sum_cart(id, &it.place[i].x, &it.speed[i].x);
        }
    }
    return sum;
}

static uint64_t sum_limit_carts(const caravan *c)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        sum += sum_cart(i, &c->a.place[(size_t)3 * i], &c->a.speed[(size_t)3 * i]);
    }
    return sum;
}

// -------------------------------------------------------------------------------------------------
// Sides

static double run_weft(void *state, uint64_t *checksum)
{
    const caravan *c = (const caravan *)state;
    c->run(c->w, DT);
    double begun = c->seconds();
    for (uint32_t r = 0; r < c->repeats; r++) c->run(c->w, DT);
    double seconds = c->seconds() - begun;
    *checksum = c->sum(c->w);
    return seconds;
}

static double run_limit(void *state, uint64_t *checksum)
{
    const caravan *c = (const caravan *)state;
    c->limit(c);
    double begun = c->seconds();
    for (uint32_t r = 0; r < c->repeats; r++) c->limit(c);
    double seconds = c->seconds() - begun;
    *checksum = c->limit_sum(c);
    return seconds;
}

// -------------------------------------------------------------------------------------------------
// Worlds

static void *array(const caravan *c, size_t bytes)
{
    return bench_array_in_large_pages(c->n * bytes);
}

static void open_heroes(caravan *c)
{
    arrays *a = &c->a;
    caravan_hero_rows rows = caravan_hero_spawn_rows(c->w, c->n);
    setup_require(rows.count == c->n, "a hero");
    a->position = array(c, sizeof *a->position);
    a->velocity = array(c, sizeof *a->velocity);
    a->thinking = array(c, sizeof *a->thinking);
    a->health = array(c, sizeof *a->health);
    a->damage = array(c, sizeof *a->damage);
    a->sprite = array(c, sizeof *a->sprite);
    a->score = array(c, sizeof *a->score);
    uint64_t seed = 7;
    for (uint32_t i = 0; i < c->n; i++) {
        caravan_hero hero = caravan_hero_defaults();
        hero.velocity = (caravan_velocity){bench_value(&seed), bench_value(&seed)};
        hero.thinking.beat = i;
        hero.health.now = (int32_t)(i % 100);
        a->position[i] = rows.position[i] = hero.position;
        a->velocity[i] = rows.velocity[i] = hero.velocity;
        a->thinking[i] = rows.thinking[i] = hero.thinking;
        a->health[i] = rows.health[i] = hero.health;
        a->damage[i] = rows.damage[i] = hero.damage;
        a->sprite[i] = rows.sprite[i] = hero.sprite;
        a->score[i] = rows.score[i] = hero.score;
    }
}

static void open_carts(caravan *c)
{
    arrays *a = &c->a;
    caravan_cart_rows rows = caravan_cart_spawn_rows(c->w, c->n);
    setup_require(rows.count == c->n, "a cart");
    a->place = array(c, sizeof *rows.place);
    a->speed = array(c, sizeof *rows.speed);
    a->force = array(c, sizeof *rows.force);
    uint64_t seed = 4;
    for (uint32_t i = 0; i < c->n; i++) {
        rows.place[i] = (caravan_place){bench_value(&seed), bench_value(&seed), bench_value(&seed)};
        rows.speed[i] = (caravan_speed){bench_value(&seed), bench_value(&seed), bench_value(&seed)};
        rows.force[i] = (caravan_force){0};
        memcpy(&a->place[(size_t)3 * i], &rows.place[i], sizeof rows.place[i]);
        memcpy(&a->speed[(size_t)3 * i], &rows.speed[i], sizeof rows.speed[i]);
    }
}

static void free_array(const caravan *c, void *array, size_t bytes)
{
    if (array) bench_array_free(array, c->n * bytes);
}

static void close_caravan(const caravan *c)
{
    const arrays *a = &c->a;
    free_array(c, a->position, sizeof *a->position);
    free_array(c, a->velocity, sizeof *a->velocity);
    free_array(c, a->thinking, sizeof *a->thinking);
    free_array(c, a->health, sizeof *a->health);
    free_array(c, a->damage, sizeof *a->damage);
    free_array(c, a->sprite, sizeof *a->sprite);
    free_array(c, a->score, sizeof *a->score);
    free_array(c, a->place, sizeof(caravan_place));
    free_array(c, a->speed, sizeof(caravan_speed));
    free_array(c, a->force, sizeof(caravan_force));
    caravan_close(c->w);
}

typedef struct work {
    const char *name;
    void (*open)(caravan *c);
    weft_status (*run)(caravan_world *w, double dt);
    uint64_t (*sum)(caravan_world *w);
    uint64_t (*limit_sum)(const caravan *c);
    void (*limit)(const caravan *c);
    double ratio_max; // at a million rows; at the number below it ratio_max_few
    double ratio_max_few;
} work;

static void compare(const work *k, uint32_t n, uint32_t workers)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", k->name, workers > 1 ? "_shared" : "");
    if (!bench_wanted(name)) return;
    standing before;
    if (workers > 1) before = by_hand_step_forward();
    caravan c = {
        .n = n,
        .repeats = bench_times(ROWS_IN_A_RUN / n),
        .w = caravan_open(&(weft_options){.workers = workers}),
        .seconds = workers > 1 ? bench_wall_seconds : bench_seconds,
        .run = k->run,
        .sum = k->sum,
        .limit = k->limit,
        .limit_sum = k->limit_sum,
    };
    setup_require(c.w && caravan_stats(c.w).workers == workers, "a world with so many workers");
    k->open(&c);
    bench_compare((bench_comparison){
        .workload = name,
        .n = n,
        .items = (uint64_t)n * c.repeats,
        .threads = workers > 1,
        .weft = run_weft,
        .limit = run_limit,
        .state = &c,
        .ratio_max = workers > 1    ? 0
                     : n == 1000000 ? k->ratio_max
                                    : k->ratio_max_few,
    });
    close_caravan(&c);
    if (workers > 1) by_hand_step_back(&before);
}

void bench_passes(void)
{
    static const uint32_t sizes[] = {65536, 1000000};
    static const work works[] = {
        {"chain_4", open_carts, caravan_run_chain, sum_carts, sum_limit_carts, chain_one_by_one,
         0.5, 1.0},
        {"chain_4_by_hand", open_carts, caravan_run_chain, sum_carts, sum_limit_carts,
         chain_by_hand, 1.1, 1.1},
        {"chain_4_by_blocks", open_carts, caravan_run_chain, sum_carts, sum_limit_carts,
         chain_by_blocks, 0, 0},
        {"chain_4_rows_by_hand", open_carts, caravan_run_chain_rows, sum_carts, sum_limit_carts,
         chain_by_hand, 1.1, 1.1},
        {"seven", open_heroes, caravan_run_seven, sum_heroes, sum_limit_heroes, seven_one_by_one,
         0.7, 1.0},
        {"seven_by_hand", open_heroes, caravan_run_seven, sum_heroes, sum_limit_heroes,
         seven_by_hand, 1.1, 1.1},
        {"seven_rows_by_hand", open_heroes, caravan_run_seven_rows, sum_heroes, sum_limit_heroes,
         seven_by_hand, 1.1, 1.1},
        {"seven_by_blocks", open_heroes, caravan_run_seven, sum_heroes, sum_limit_heroes,
         seven_by_blocks, 0, 0},
    };
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        for (uint32_t workers = 1; workers <= WORKERS; workers++) {
            compare(&works[i], sizes[0], workers);
            if (!bench_quick()) compare(&works[i], sizes[1], workers);
        }
    }
}
