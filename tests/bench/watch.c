// Compares a world whose values are watched or checked (weft_insight.h) with one that is not: seven
// fused systems that change nine values of a hero in each tick, and one that changes a value of one
// hero in a hundred.
#include "setup.h"

#include "caravan_award.h"
#include "caravan_hero.h"
#include "caravan_heroes.h"
#include "caravan_insight.h"

#define HEROES 65536u
#define DT 0.5
#define RING 8192u                // less than is written in a tick
#define RING_OF_A_TICK (1u << 20) // more than that
#define ROWS_IN_A_RUN 2000000u    // the work of a run, so that it takes long enough to time
#define RATIO_MAX 3.0

typedef struct watched {
    caravan_world *w;     // that is looked into
    caravan_world *plain; // that is not
    weft_status (*run)(caravan_world *w, double dt);
    uint32_t repeats; // in a run
    bool held;        // before each phase the game gets pointers to everything
} watched;

void caravan_award(const caravan_award_ctx *ctx, uint32_t count,
                   const caravan_thinking *restrict thinking, caravan_score *restrict score)
{
    uint32_t lucky = (uint32_t)ctx->tick % 100;
    for (uint32_t i = 0; i < count; i++) {
        if (thinking[i].mood % 100 == lucky) score[i].points++;
    }
}

static caravan_world *open_world(const weft_options *options)
{
    caravan_world *w = caravan_open(options);
    setup_require(w != NULL, "a world");
    caravan_hero_rows rows = caravan_hero_spawn_rows(w, HEROES);
    setup_require(rows.count == HEROES, "a hero");
    uint64_t seed = 7;
    for (uint32_t i = 0; i < HEROES; i++) {
        caravan_hero hero = caravan_hero_defaults();
        rows.position[i] = hero.position;
        rows.velocity[i] = (caravan_velocity){bench_value(&seed), bench_value(&seed)};
        rows.thinking[i] = (caravan_thinking){.beat = i, .mood = i};
        rows.health[i] = hero.health;
        rows.health[i].now = (int32_t)(i % 100);
        rows.damage[i] = hero.damage;
        rows.sprite[i] = hero.sprite;
        rows.score[i] = hero.score;
    }
    return w;
}

static uint64_t sum(caravan_world *w)
{
    uint64_t all = 0;
    caravan_heroes_iter it = caravan_heroes_begin(w);
    while (caravan_heroes_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            uint32_t id = it.entities[i].bits & SETUP_INDEX_MASK;
            all += bench_part(id, bench_bits(it.position[i].x)) +
                   bench_part(id, (uint32_t)it.health[i].now) +
                   bench_part(id, (uint32_t)it.score[i].points);
        }
    }
    return all;
}

// Takes pointers to values of each component, which the game may write until the phase begins.
static void hold_all(caravan_world *w)
{
    caravan_heroes_iter it = caravan_heroes_begin(w);
    setup_require(caravan_heroes_next(&it), "a hero");
    caravan_entity hero = it.entities[0];
    bool held = caravan_position_edit(w, hero) && caravan_velocity_edit(w, hero) &&
                caravan_thinking_edit(w, hero) && caravan_health_edit(w, hero) &&
                caravan_damage_edit(w, hero) && caravan_sprite_edit(w, hero) &&
                caravan_score_edit(w, hero);
    setup_require(held, "pointers");
}

static void run_phase(const watched *s, caravan_world *w)
{
    if (s->held) hold_all(w);
    s->run(w, DT);
}

static double run(const watched *s, caravan_world *w, uint64_t *checksum)
{
    run_phase(s, w);
    double begun = bench_seconds();
    for (uint32_t i = 0; i < s->repeats; i++) run_phase(s, w);
    double seconds = bench_seconds() - begun;
    *checksum = sum(w);
    return seconds;
}

static double run_watched(void *state, uint64_t *checksum)
{
    const watched *s = (const watched *)state;
    return run(s, s->w, checksum);
}

static double run_plain(void *state, uint64_t *checksum)
{
    const watched *s = (const watched *)state;
    return run(s, s->plain, checksum);
}

static void compare(const char *workload, weft_status (*phase)(caravan_world *w, double dt),
                    weft_options options, bool held)
{
    if (!bench_wanted(workload)) return;
    options.insight = caravan_insight();
    watched s = {
        .w = open_world(&options),
        .plain = open_world(NULL),
        .run = phase,
        .repeats = bench_times(ROWS_IN_A_RUN / HEROES),
        .held = held,
    };
    bench_compare((bench_comparison){
        .workload = workload,
        .n = HEROES,
        .items = (uint64_t)HEROES * s.repeats,
        .weft = run_watched,
        .limit = run_plain,
        .state = &s,
        .ratio_max = RATIO_MAX,
    });
    setup_require(caravan_stats(s.w).broken == 0, "values that hold");
    caravan_close(s.w);
    caravan_close(s.plain);
}

void bench_watch(void)
{
    compare("watch_seven", caravan_run_seven, (weft_options){.watch = RING}, false);
    compare("watch_seven_kept", caravan_run_seven, (weft_options){.watch = RING_OF_A_TICK}, false);
    compare("watch_few", caravan_run_few, (weft_options){.watch = RING}, false);
    compare("watch_few_held", caravan_run_few, (weft_options){.watch = RING}, true);
    compare("checks_seven", caravan_run_seven, (weft_options){.checks = true}, false);
    compare("checks_few", caravan_run_few, (weft_options){.checks = true}, false);
    compare("checks_few_held", caravan_run_few, (weft_options){.checks = true}, true);
}
