// The systems and hooks of the relay carry out a test's requests and note what they see.
#include "relay_field.h"

#include "run/sampler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

void relay_make(const relay_make_ctx *ctx, uint32_t count)
{
    const field *f = (const field *)ctx->user;
    (void)count;
    if (f->asks_to_count) assert_false(weft_profiler_count(relay_world_base(f->w), false));
    for (uint32_t i = 0; i < f->making; i++) {
        relay_team team = {.runner.number = i};
        relay_made_emit(ctx->emit_made, (relay_made){relay_cmd_team_spawn(ctx->cmd, &team)});
    }
}

void relay_hear_early(const relay_hear_early_ctx *ctx, uint32_t count)
{
    field *f = (field *)ctx->user;
    (void)count;
    for (uint32_t i = 0; i < ctx->made_count; i++) {
        f->alive_early += relay_alive(f->w, ctx->made[i].who);
    }
}

// Its commands are applied by the flush behind it.
void relay_count(const relay_count_ctx *ctx, uint32_t count,
                 const relay_runner *WEFT_RESTRICT runner)
{
    field *f = (field *)ctx->user;
    f->heard_count = 0;
    for (uint32_t i = 0; i < ctx->made_count && i < HEARD_MOST; i++) {
        f->heard[f->heard_count++] = ctx->made[i].who;
    }
    f->counted += count;
    for (uint32_t i = 0; i < count; i++) {
        if (runner[i].number == 0) relay_cmd_despawn(ctx->cmd, ctx->entities[i]);
    }
}

void relay_count_too(const relay_count_too_ctx *ctx, uint32_t count,
                     const relay_runner *WEFT_RESTRICT runner)
{
    field *f = (field *)ctx->user;
    (void)runner;
    atomic_fetch_add(&f->counted_too, count);
}

void relay_mark(const relay_mark_ctx *ctx, uint32_t count, const relay_runner *WEFT_RESTRICT runner)
{
    field *f = (field *)ctx->user;
    (void)runner;
    f->marked += count;
    for (uint32_t i = 0; i < count; i++) relay_mark_marked_put(ctx, i, true);
}

void relay_marked_on_add(const relay_hook_ctx *ctx, relay_entity e)
{
    field *f = (field *)ctx->user;
    (void)e;
    f->hooked++;
    if (f->hooks_spawn == 0) return;
    f->hooks_spawn--;
    relay_cmd_team_spawn(ctx->cmd, &(relay_team){.runner.number = 9});
}

void relay_late(const relay_late_ctx *ctx, uint32_t count, const relay_runner *WEFT_RESTRICT runner)
{
    field *f = (field *)ctx->user;
    (void)runner;
    f->late_turns++;
    f->late += count;
    f->late_seconds = ctx->dt;
}

void relay_last(const relay_last_ctx *ctx, uint32_t count, const relay_runner *WEFT_RESTRICT runner)
{
    field *f = (field *)ctx->user;
    (void)runner;
    f->last += count;
}

void relay_next_phase(const relay_next_phase_ctx *ctx, uint32_t count,
                      const relay_runner *WEFT_RESTRICT runner)
{
    field *f = (field *)ctx->user;
    (void)runner;
    f->next += count;
    f->removed = ctx->removed_runner_count;
    f->removed_shoes = ctx->removed_shoes_count;
}

void relay_shoes_on_remove(const relay_hook_ctx *ctx, relay_entity e, const relay_shoes *value)
{
    field *f = (field *)ctx->user;
    assert_true(relay_runner_has(f->w, e)); // all of it is there until all have been told
    f->took_off += value->size;
}

// ------------------------------------------------------------------------------------------------
// Worlds

void forget(field *f)
{
    relay_world *w = f->w;
    memset(f, 0, sizeof *f);
    f->w = w;
}

int open_field(field *f, uint32_t workers)
{
    memset(f, 0, sizeof *f);
    f->w = relay_open(&(weft_options){.user = f, .workers = workers});
    return f->w == NULL;
}

int open_alone(void **state)
{
    static field f;
    *state = &f;
    return open_field(&f, 0);
}

int open_with_workers(void **state)
{
    static field f;
    *state = &f;
    return open_field(&f, 4);
}

int close_field(void **state)
{
    relay_close(((field *)*state)->w);
    return 0;
}
