// The systems of the crew. Their effect on a row depends only on the row and on their grants.
//
// flags: hot
#include "crew.h"

static uint32_t next(uint32_t state)
{
    return state * 1664525u + 1013904223u;
}

static bool one_in(uint32_t state, uint32_t n)
{
    return (state >> 8) % n == 0;
}

void crew_roll(const crew_roll_ctx *ctx, uint32_t count, crew_dice *restrict dice)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) dice[i].state = next(dice[i].state);
}

void crew_wander(const crew_wander_ctx *ctx, uint32_t count, crew_drift_const_columns drift,
                 crew_place *restrict place)
{
    for (uint32_t i = 0; i < count; i++) {
        place[i].x += drift.x[i] * (float)ctx->dt;
        place[i].y += drift.y[i] * (float)ctx->dt;
    }
}

void crew_wake(const crew_wake_ctx *ctx, uint32_t count, const crew_dice *restrict dice)
{
    for (uint32_t i = 0; i < count; i++) {
        if (one_in(dice[i].state, 3)) crew_wake_awake_put(ctx, i, one_in(dice[i].state, 2));
        if (one_in(dice[i].state, 5)) crew_wake_busy_put(ctx, i, one_in(dice[i].state, 10));
    }
}

void crew_count(const crew_count_ctx *ctx, uint32_t count)
{
    (void)count;
    ctx->tally->turns++;
    crew_places_iter it = crew_places_begin_in(ctx->places);
    while (crew_places_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) ctx->tally->sum += (uint64_t)it.place[i].x;
    }
}

// Handles of spawn commands are kept in components and events, and so are part of the hash.
static void breed_one(const crew_breed_ctx *ctx, crew_entity e, uint32_t dice, bool awake)
{
    crew_hand hand = crew_hand_defaults();
    crew_mate mate = crew_mate_defaults();
    hand.dice.state = next(dice + 1);
    mate.dice.state = next(dice + 2);
    if (one_in(dice, 64)) {
        crew_entity child = crew_cmd_hand_spawn(ctx->cmd, &hand);
        mate.bond.to = child;
        crew_entity other = crew_cmd_mate_spawn(ctx->cmd, &mate);
        crew_cmd_bond_set(ctx->cmd, e, (crew_bond){other, dice});
        crew_call_emit(ctx->emit_call, (crew_call){child, dice});
    }
    if (one_in(dice, 50)) crew_cmd_despawn(ctx->cmd, e);
    if (one_in(dice, 20)) crew_cmd_fever_set(ctx->cmd, e, (crew_fever){dice});
    if (one_in(dice, 30) && !awake) crew_cmd_drift_remove(ctx->cmd, e);
    if (one_in(dice, 31)) crew_cmd_drift_set(ctx->cmd, e, (crew_drift){1.0f, 0.5f});
    if (one_in(dice, 700)) crew_cmd_awake_clear(ctx->cmd);
}

void crew_breed(const crew_breed_ctx *ctx, uint32_t count, const crew_dice *restrict dice,
                const crew_place *restrict place, const crew_bond *restrict bond)
{
    (void)place;
    for (uint32_t i = 0; i < count; i++) {
        breed_one(ctx, ctx->entities[i], dice[i].state, crew_breed_awake_has(ctx, i));
        if (bond && one_in(dice[i].state, 40)) crew_cmd_despawn(ctx->cmd, bond[i].to);
    }
}

void crew_bind(const crew_bind_ctx *ctx, uint32_t count, const crew_dice *restrict dice,
               crew_bond *restrict bond)
{
    for (uint32_t i = 0; i < count; i++) {
        bond[i].strength += dice[i].state >> 24;
        if (!one_in(dice[i].state, 100)) continue;
        bond[i].to = crew_cmd_spawn(ctx->cmd);
        crew_cmd_place_set(ctx->cmd, bond[i].to, (crew_place){1.0f, 2.0f});
    }
}

void crew_burn(const crew_burn_ctx *ctx, uint32_t count, crew_fever *const *fever)
{
    for (uint32_t i = 0; i < count; i++) {
        fever[i]->heat = next(fever[i]->heat);
        if (one_in(fever[i]->heat, 8)) crew_cmd_fever_remove(ctx->cmd, ctx->entities[i]);
    }
}

void crew_watch(const crew_watch_ctx *ctx, uint32_t count, weft_rows rows,
                const crew_place *restrict place, crew_seen *restrict seen)
{
    (void)ctx;
    (void)count;
    for (uint32_t i; weft_next(&rows, &i);) seen[i].times += 1 + (uint32_t)place[i].x % 3;
}

void crew_listen(const crew_listen_ctx *ctx, uint32_t count, crew_heard *restrict heard)
{
    for (uint32_t i = 0; i < count; i++) heard[i].calls += ctx->call_count;
}

void crew_sum(const crew_sum_ctx *ctx, uint32_t count)
{
    (void)count;
    for (uint32_t i = 0; i < ctx->call_count; i++) {
        const crew_place *from = crew_place_get_in(ctx->place, ctx->call[i].from);
        ctx->tally->sum = ctx->tally->sum * 31 + ctx->call[i].loud + (from ? 1 : 0);
        ctx->tally->born[ctx->tally->calls++ % 8] = ctx->call[i].from;
    }
    crew_feverish_iter it = crew_feverish_begin_in(ctx->feverish);
    while (crew_feverish_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) ctx->tally->sum += it.fever[i]->heat;
    }
}
