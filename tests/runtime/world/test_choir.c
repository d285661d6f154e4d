// Hooks that run while other systems run on other threads: for tags that a parallel system wrote in
// parts, for tags written at once, and for commands of parallel systems. They read the world and
// record commands. Any number of workers calls them in the same order and leaves an equal world.
//
// program: worlds threads
// flags: played
#include "../../support/sanitizers.h"
#include "choir.h"
#include "choir_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Parts of a system that writes tags have 4,096 rows at least. Where every change moves the whole
// world there are fewer singers: its time grows with the square.
#if defined(WEFT_HARD)
enum { SINGERS = 400, TICKS = 4 };
#elif WITH_THREAD_SANITIZER || WITH_ADDRESS_SANITIZER || defined(SLOW_MACHINE)
enum { SINGERS = 14000, TICKS = 8 };
#else
enum { SINGERS = 14000, TICKS = 16 };
#endif

// Whatever hooks are told goes in here, in turn.
typedef struct log_of_hooks {
    uint64_t sum;
    uint64_t calls;
    uint64_t of_tags; // of them
} log_of_hooks;

static uint32_t mix(uint32_t a, uint32_t b)
{
    uint32_t h = (a ^ (b + 0x9e3779b9u)) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

// ------------------------------------------------------------------------------------------------
// Hooks

// Returns a number that follows from the call and from what the hook sees around it.
static uint32_t told(const choir_hook_ctx *ctx, uint32_t kind, choir_entity e, uint32_t value)
{
    log_of_hooks *log = (log_of_hooks *)ctx->user;
    const choir_world *w = ctx->world;
    const choir_voice *voice = choir_voice_get(w, e);
    uint32_t seen = mix(mix(kind, (uint32_t)e.bits), mix(value, voice ? voice->n : 1));
    if (voice) {
        const choir_fame *fame = choir_fame_get(w, voice->other);
        seen = mix(seen, fame ? fame->n : 2);
        seen = mix(seen, (uint32_t)choir_follows_parent(w, voice->other).bits);
        seen = mix(seen, choir_robed_passes(w, voice->other));
    }
    if (seen % 64 == 0) {
        seen = mix(seen, (uint32_t)choir_robed_count(w));
        choir_famous_iter it = choir_famous_begin(w);
        if (choir_famous_next(&it) && it.count != 0) seen = mix(seen, it.fame[0]->n);
    }
    log->sum = log->sum * 31 + seen;
    log->calls++;
    return seen;
}

static uint32_t told_of_tag(const choir_hook_ctx *ctx, uint32_t kind, choir_entity e)
{
    log_of_hooks *log = (log_of_hooks *)ctx->user;
    log->of_tags++;
    return told(ctx, kind, e, 0);
}

void choir_loud_on_add(const choir_hook_ctx *ctx, choir_entity e)
{
    uint32_t n = told_of_tag(ctx, 1, e);
    if (n % 4 == 0) choir_cmd_fame_set(ctx->cmd, e, (choir_fame){n});
}

void choir_loud_on_remove(const choir_hook_ctx *ctx, choir_entity e)
{
    if (told_of_tag(ctx, 2, e) % 4 == 0) choir_cmd_fame_remove(ctx->cmd, e);
}

void choir_solo_bow(const choir_hook_ctx *ctx, choir_entity e)
{
    uint32_t n = told_of_tag(ctx, 3, e);
    if (n % 2 == 0) choir_cmd_robe_set(ctx->cmd, e, (choir_robe){.colour = n, .size = 1});
}

void choir_solo_wave(const choir_hook_ctx *ctx, choir_entity e)
{
    uint32_t n = told_of_tag(ctx, 4, e);
    const choir_voice *voice = choir_voice_get(ctx->world, e);
    if (n % 2 == 0 && voice) choir_cmd_follows_attach(ctx->cmd, e, voice->other);
}

void choir_solo_on_remove(const choir_hook_ctx *ctx, choir_entity e)
{
    if (told_of_tag(ctx, 5, e) % 2 == 0) choir_cmd_follows_detach(ctx->cmd, e);
}

void choir_proud_on_add(const choir_hook_ctx *ctx, choir_entity e)
{
    uint32_t n = told_of_tag(ctx, 6, e);
    if (n % 8 == 0) choir_cmd_fame_set(ctx->cmd, e, (choir_fame){n});
}

void choir_proud_on_remove(const choir_hook_ctx *ctx, choir_entity e)
{
    if (told_of_tag(ctx, 7, e) % 8 == 0) choir_cmd_robe_remove(ctx->cmd, e);
}

void choir_fame_on_add(const choir_hook_ctx *ctx, choir_entity e, choir_fame *value)
{
    told(ctx, 8, e, value->n);
}

void choir_fame_on_replace(const choir_hook_ctx *ctx, choir_entity e, const choir_fame *old_value,
                           const choir_fame *new_value)
{
    if (told(ctx, 9, e, old_value->n ^ new_value->n) % 8 == 0) choir_cmd_robe_remove(ctx->cmd, e);
}

void choir_fame_on_remove(const choir_hook_ctx *ctx, choir_entity e, const choir_fame *value)
{
    told(ctx, 10, e, value->n);
}

void choir_robe_on_add(const choir_hook_ctx *ctx, choir_entity e, choir_robe *value)
{
    told(ctx, 11, e, value->colour);
}

void choir_robe_on_replace(const choir_hook_ctx *ctx, choir_entity e, const choir_robe *old_value,
                           const choir_robe *new_value)
{
    told(ctx, 12, e, old_value->colour ^ new_value->colour);
}

void choir_robe_on_remove(const choir_hook_ctx *ctx, choir_entity e, const choir_robe *value)
{
    if (told(ctx, 13, e, value->colour) % 8 == 0) choir_cmd_fame_remove(ctx->cmd, e);
}

void choir_follows_on_attach(const choir_hook_ctx *ctx, choir_entity child, choir_entity parent)
{
    if (told(ctx, 14, child, (uint32_t)parent.bits) % 16 == 0) {
        choir_cmd_fame_set(ctx->cmd, parent, (choir_fame){14});
    }
}

void choir_follows_on_detach(const choir_hook_ctx *ctx, choir_entity child, choir_entity parent)
{
    told(ctx, 15, child, (uint32_t)parent.bits);
}

// ------------------------------------------------------------------------------------------------
// Systems

void choir_rouse(const choir_rouse_ctx *ctx, uint32_t count, const choir_voice *WEFT_RESTRICT voice)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = mix(voice[i].n, (uint32_t)ctx->tick);
        if (n % 8 < 2) choir_rouse_loud_put(ctx, i, n % 8 == 0);
        if (n % 16 < 4) choir_rouse_solo_put(ctx, i, n % 16 < 2);
        if (n % 64 == 0) choir_cmd_robe_remove(ctx->cmd, ctx->entities[i]);
    }
}

void choir_praise(const choir_praise_ctx *ctx, uint32_t count,
                  const choir_voice *WEFT_RESTRICT voice)
{
    for (uint32_t i = 0; i < count; i++) {
        if (choir_proud_has_in(ctx->proud.reader, voice[i].other)) {
            choir_proud_remove_in(ctx->proud, voice[i].other);
        } else {
            choir_proud_set_in(ctx->proud, voice[i].other);
        }
        if (voice[i].n % 32 == 0) choir_cmd_follows_detach(ctx->cmd, ctx->entities[i]);
    }
}

void choir_watch(const choir_watch_ctx *ctx, uint32_t count, const choir_voice *WEFT_RESTRICT voice,
                 choir_robe_const_columns robe)
{
    // This walk goes on while hooks run on another thread, which does not end it.
    choir_famous_iter it = choir_famous_begin_in(ctx->famous);
    for (uint32_t i = 0; i < count; i++) {
        choir_entity e = ctx->entities[i];
        if (i % 64 == 0 && !choir_famous_next(&it)) it = choir_famous_begin_in(ctx->famous);
        const choir_fame *fame = choir_fame_get_in(ctx->fame, voice[i].other);
        uint32_t n = mix(voice[i].n, fame ? fame->n : (uint32_t)ctx->tick);
        if (robe.colour) n = mix(n, robe.colour[i]);
        n = mix(n, (uint32_t)choir_follows_parent_in(ctx->follows, e).bits);
        n = mix(n, choir_famous_passes_in(ctx->famous, e));
        if (n % 64 == 0) choir_cue_emit(ctx->emit_cue, (choir_cue){n, e});
        if (n % 32 == 1) choir_cmd_follows_attach(ctx->cmd, e, voice[i].other);
        if (n % 32 == 2) choir_cmd_robe_set(ctx->cmd, e, (choir_robe){.colour = n, .size = 2});
        if (n % 64 == 3) choir_cmd_solo_set(ctx->cmd, e);
        if (n % 64 == 4) choir_cmd_loud_remove(ctx->cmd, voice[i].other);
        if (n % 512 == 5) choir_cmd_despawn(ctx->cmd, e);
        if (n % 512 == 6) {
            choir_singer singer = {.voice = {.n = n, .other = e}};
            choir_cmd_fame_set(ctx->cmd, choir_cmd_singer_spawn(ctx->cmd, &singer),
                               (choir_fame){n});
        }
    }
}

void choir_go_along(const choir_go_along_ctx *ctx, uint32_t count, const choir_voice *voice,
                    const choir_voice *const *voice_parent)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = mix(voice[i].n, voice_parent[i] ? voice_parent[i]->n : (uint32_t)ctx->tick);
        if (n % 64 == 0) choir_cmd_fame_set(ctx->cmd, ctx->entities[i], (choir_fame){n});
    }
}

void choir_list(const choir_list_ctx *ctx, uint32_t count, const uint32_t *WEFT_RESTRICT rows,
                const choir_fame *const *fame)
{
    for (uint32_t i = 0; i < count; i++) {
        if (fame[i]->n % 8 == ctx->tick % 8)
            choir_cmd_fame_remove(ctx->cmd, ctx->entities[rows[i]]);
    }
}

void choir_hear(const choir_hear_ctx *ctx, uint32_t count, choir_voice *WEFT_RESTRICT voice)
{
    uint32_t sum = ctx->cue_count;
    for (uint32_t i = 0; i < ctx->cue_count; i++) sum = mix(sum, ctx->cue[i].n);
    for (uint32_t i = 0; i < count; i++) voice[i].n = mix(voice[i].n, sum);
}

// ------------------------------------------------------------------------------------------------

static choir_world *open_choir(log_of_hooks *log, uint32_t workers)
{
    memset(log, 0, sizeof *log);
    choir_world *w = choir_open(&(weft_options){.user = log, .workers = workers});
    assert_non_null(w);
    choir_entity before = {0};
    for (uint32_t i = 0; i < SINGERS; i++) {
        choir_singer singer = {.voice = {.n = mix(i, 7), .other = before}};
        choir_entity e = choir_singer_spawn(w, &singer);
        assert_true(choir_alive(w, e));
        if (i % 3 == 0) before = e;
        if (i % 5 == 0) choir_fame_set(w, e, (choir_fame){i});
    }
    return w;
}

static uint64_t come_of(uint32_t workers, log_of_hooks *log)
{
    choir_world *w = open_choir(log, workers);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < TICKS; i++) {
        assert_int_equal(choir_tick(w, 0.125), WEFT_OK);
        sum = sum * 31 + choir_hash_exact(w) + log->sum;
    }
    choir_close(w);
    return sum;
}

static void seed_F12_hooks_are_told_alike_with_any_number_of_workers(void **state)
{
    static const uint32_t workers[] = {1, 2, 4, 8};
    log_of_hooks alone;
    log_of_hooks log;
    (void)state;
    uint64_t expected = come_of(0, &alone);
    assert_true(alone.of_tags > SINGERS);
    assert_true(alone.calls > alone.of_tags + SINGERS);
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        assert_int_equal(come_of(workers[i], &log), expected);
        assert_int_equal(log.calls, alone.calls);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_F12_hooks_are_told_alike_with_any_number_of_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
