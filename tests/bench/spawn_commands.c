// Spawns and despawns 100,000 movers through commands: the spawns and a flush, then the despawns
// and a flush. In `_mixed`, despawns of living movers and spawns of new ones alternate in one
// buffer. The limit is Weft's own direct calls in that order, so the ratio shows the cost of
// recording and applying.
#include "setup.h"

#include "arena_movers.h"

#define ALL 100000u

typedef struct commanded {
    arena_world *w;
    movers source;
    arena_entity *handles;
    bool mixed;
} commanded;

static arena_mover value_of(const commanded *c, uint32_t i)
{
    return (arena_mover){.position = c->source.position[i], .velocity = c->source.velocity[i]};
}

static __attribute__((noinline)) bool direct_spawns(const commanded *c, bool ending)
{
    bool done = true;
    for (uint32_t i = 0; i < ALL; i++) {
        arena_mover value = value_of(c, i);
        if (ending) done &= arena_despawn(c->w, c->handles[i]);
        c->handles[i] = arena_mover_spawn(c->w, &value);
        done &= !arena_is_none(c->handles[i]);
    }
    return done;
}

static __attribute__((noinline)) bool direct_despawns(const commanded *c)
{
    bool done = true;
    for (uint32_t i = 0; i < ALL; i++) done &= arena_despawn(c->w, c->handles[i]);
    return done;
}

static __attribute__((noinline)) bool commanded_spawns(const commanded *c, bool ending)
{
    bool done = true;
    arena_cmd *cmd = arena_commands(c->w);
    for (uint32_t i = 0; i < ALL; i++) {
        arena_mover value = value_of(c, i);
        if (ending) done &= arena_cmd_despawn(cmd, c->handles[i]);
        c->handles[i] = arena_cmd_mover_spawn(cmd, &value);
        done &= !arena_is_none(c->handles[i]);
    }
    return done && arena_flush(c->w) == WEFT_OK;
}

static __attribute__((noinline)) bool commanded_despawns(const commanded *c)
{
    bool done = true;
    arena_cmd *cmd = arena_commands(c->w);
    for (uint32_t i = 0; i < ALL; i++) done &= arena_cmd_despawn(cmd, c->handles[i]);
    return done && arena_flush(c->w) == WEFT_OK;
}

// Both sides begin and end with an empty world. Of mixed changes the last despawns are not timed.
static double run(const commanded *c, uint64_t *checksum, bool (*spawns)(const commanded *, bool),
                  bool (*despawns)(const commanded *))
{
    bool done = !c->mixed || direct_spawns(c, false);
    double begun = bench_seconds();
    done &= spawns(c, c->mixed);
    double seconds = bench_seconds() - begun;
    *checksum = setup_sum_movers(c->w);
    begun = bench_seconds();
    done &= c->mixed ? direct_despawns(c) : despawns(c);
    if (!c->mixed) seconds += bench_seconds() - begun;
    setup_require(done, "a spawn or despawn");
    return seconds;
}

static double run_commands(void *state, uint64_t *checksum)
{
    return run((const commanded *)state, checksum, commanded_spawns, commanded_despawns);
}

static double run_direct(void *state, uint64_t *checksum)
{
    return run((const commanded *)state, checksum, direct_spawns, direct_despawns);
}

static void compare(commanded *c, const char *workload, bool mixed, double ratio_max)
{
    c->mixed = mixed;
    bench_compare((bench_comparison){
        .workload = workload,
        .n = ALL,
        .items = ALL,
        .weft = run_commands,
        .limit = run_direct,
        .state = c,
        .ratio_max = ratio_max,
    });
}

void bench_spawn_commands(void)
{
    if (!bench_wanted("commands_spawn commands_spawn_mixed")) return;
    commanded c = {
        .w = setup_warm_world(2 * ALL),
        .source = setup_movers(ALL),
        .handles = bench_array(ALL * sizeof *c.handles),
    };
    compare(&c, "commands_spawn", false, 3);
    compare(&c, "commands_spawn_mixed", true, 4);
    bench_array_free(c.handles, ALL * sizeof *c.handles);
    setup_movers_free(&c.source);
    arena_close(c.w);
}
