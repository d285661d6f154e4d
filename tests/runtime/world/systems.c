// The systems of the lab. test_vectorised.py examines the loops of `integrate` and `walk`. All
// systems note their calls in the trace.
#include "trace.h"

#include <string.h>

static void note(void *user, const char *name)
{
    trace *t = (trace *)user;
    if (t == NULL) return;
    if (t->text[0] != '\0') strcat(t->text, " ");
    strcat(t->text, name);
}

LAB_DEFINE_INTEGRATE(ctx, count, body)
{
    note(ctx->user, "integrate");
    const float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        body.vx[i] += body.force_x[i] / body.mass[i] * dt;
        body.x[i] += body.vx[i] * dt;
        body.vy[i] += body.force_y[i] / body.mass[i] * dt;
        body.y[i] += body.vy[i] * dt;
    }
}

void lab_walk(const lab_walk_ctx *ctx, uint32_t count, const lab_heading *heading,
              lab_place *restrict place)
{
    note(ctx->user, "walk");
    const float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        place[i].at.x += heading[i].to.x * dt;
        place[i].at.y += heading[i].to.y * dt;
    }
}

void lab_open_day(const lab_open_day_ctx *ctx, uint32_t count)
{
    (void)count;
    note(ctx->user, ctx->weather->wind > 0 ? "open_day" : "becalmed");
    const trace *t = (const trace *)ctx->user;
    if (t != NULL && t->in_open_day) t->in_open_day(t->context);
}

void lab_close_day(const lab_close_day_ctx *ctx, uint32_t count)
{
    (void)count;
    ctx->weather->days++;
    note(ctx->user, "close_day");
}

void lab_first(const lab_first_ctx *ctx, uint32_t count, const lab_place *place)
{
    (void)count;
    (void)place;
    note(ctx->user, "first");
}

void lab_second(const lab_second_ctx *ctx, uint32_t count, lab_place *restrict place)
{
    (void)count;
    (void)place;
    note(ctx->user, "second");
}

typedef void (*lab_write)(const lab_stand_guard_ctx *ctx, uint32_t i, bool on);

static void write_asked(const lab_stand_guard_ctx *ctx, uint32_t i, lab_sentry sentry, uint8_t bit,
                        lab_write tag_write)
{
    if (sentry.on & bit) tag_write(ctx, i, true);
    if (sentry.off & bit) tag_write(ctx, i, false);
}

void lab_stand_guard(const lab_stand_guard_ctx *ctx, uint32_t count, const lab_sentry *sentry)
{
    for (uint32_t i = 0; i < count; i++) {
        write_asked(ctx, i, sentry[i], SENTRY_ALERT, lab_stand_guard_alert_put);
        write_asked(ctx, i, sentry[i], SENTRY_ARMED, lab_stand_guard_armed_put);
        write_asked(ctx, i, sentry[i], SENTRY_AIMING, lab_stand_guard_aiming_put);
        write_asked(ctx, i, sentry[i], SENTRY_RESTING, lab_stand_guard_resting_put);
        write_asked(ctx, count, sentry[i], SENTRY_BEYOND, lab_stand_guard_alert_put);
    }
}

void lab_rarely(const lab_rarely_ctx *ctx, uint32_t count, const lab_place *place)
{
    (void)place;
    note(ctx->user, "rarely");
    trace *t = (trace *)ctx->user;
    if (t == NULL) return;
    t->turns++;
    t->seconds = ctx->dt;
    t->count = count;
    for (uint32_t i = 0; i < count && i < TRACED_ENTITIES; i++) t->entities[i] = ctx->entities[i];
}
