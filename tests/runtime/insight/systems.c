// The systems of the tavern do what tests ask for.
#include "tavern.h"

#include <stdio.h>
#include <string.h>

void keep_line(void *user, const char *line)
{
    work *w = user;
    if (w->line_count < LINES) snprintf(w->lines[w->line_count++], sizeof *w->lines, "%s", line);
}

tavern_world *open_watched(work *w, uint32_t writes)
{
    weft_options options = {
        .insight = tavern_insight(), .watch = writes, .user = w, .log = keep_line};
    return tavern_open(&options);
}

int asked(work *w, const char *system)
{
    const char *next = w ? atomic_load(&w->system) : NULL;
    if (!next || strcmp(next, system) != 0) return 0;
    return atomic_compare_exchange_strong(&w->system, &next, NULL) ? w->what : 0;
}

int asked_row(work *w, const char *system, const tavern_entity *entities, uint32_t count,
              uint32_t *row)
{
    const char *next = w ? atomic_load(&w->system) : NULL;
    if (!next || count == 0) return 0;
    if (tavern_is_none(w->row)) return asked(w, system);
    if (strcmp(next, system) != 0) return 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!tavern_same(entities[i], w->row)) continue;
        *row = i;
        return w->what;
    }
    return 0;
}

void tavern_purse_on_add(const tavern_hook_ctx *ctx, tavern_entity e, tavern_purse *value)
{
    work *w = ctx->user;
    tavern_purse filled = *value;
    if (!w || w->filled == 0) return;
    filled.coins = w->filled;
    w->filled = 0;
    tavern_cmd_purse_set(ctx->cmd, e, filled);
}

void tavern_wake(const tavern_wake_ctx *ctx, uint32_t count, tavern_body_columns body)
{
    uint32_t row = count - 1;
    int what = asked_row(ctx->user, "wake", ctx->entities, count, &row);
    if (what != 0) body.weight[row] += 0.5 * what;
}

void tavern_greet(const tavern_greet_ctx *ctx, uint32_t count, tavern_body_const_columns body,
                  tavern_purse *purse)
{
    uint32_t row = 0;
    int what = asked_row(ctx->user, "greet", ctx->entities, count, &row);
    if (what > 0) purse[row].coins += body.weight[row] > 1.0 ? 9 : what;
}

void tavern_serve(const tavern_serve_ctx *ctx, uint32_t count, tavern_purse *purse)
{
    work *w = ctx->user;
    tavern_purse *other;
    switch (count == 0 ? 0 : asked(w, "serve")) {
    case 1:
        purse[count - 1].coins = -99;
        break;
    case 2:
        purse[0].debt = 1;
        break;
    case 3:
        other = tavern_purse_edit_in(ctx->purse, w->at);
        if (other) other->coins = -101;
        break;
    case 4:
        purse[0].coins = 40;
        break;
    case 5:
        purse[0] = (tavern_purse){.coins = 40, .debt = 6};
        break;
    default:
        break;
    }
}

void tavern_starve(const tavern_starve_ctx *ctx, uint32_t count, tavern_body_columns body)
{
    uint32_t last = count - 1;
    uint32_t first = 0;
    work *w = ctx->user;
    for (uint32_t i = 0; i < count; i++) body.hunger[i] += 0.001f;
    bool of_last = w && w->what == 1;
    switch (asked_row(w, "starve", ctx->entities, count, of_last ? &last : &first)) {
    case 1:
        body.hunger[last] = 1.5f;
        break;
    case 2:
        body.mood[first] = (tavern_mood)7;
        break;
    case 3:
        memset(&body.tame[first], 2, 1);
        break;
    default:
        break;
    }
}

void tavern_sour(const tavern_sour_ctx *ctx, uint32_t count, weft_rows rows,
                 tavern_body_columns body)
{
    uint32_t sour = UINT32_MAX; // any
    int what = asked_row(ctx->user, "sour", ctx->entities, count, &sour);
    uint32_t row;
    while (weft_next(&rows, &row)) {
        if (sour != UINT32_MAX && row != sour) continue;
        if (what == 1) body.mood[row] = TAVERN_MOOD_ANGRY;
        if (what == 2) body.weight[row] = 0.25;
        what = 0;
    }
}

void tavern_infect(const tavern_infect_ctx *ctx, uint32_t count, const uint32_t *rows,
                   tavern_fever *const *fever)
{
    int what = count == 0 ? 0 : asked(ctx->user, "infect");
    if (what == 1) fever[0]->heat = 43.5f;
    if (what == 2) fever[0]->days[TAVERN_MOOD_ANGRY] = 10;
    if (what == 6) fever[0]->days[TAVERN_MOOD_SAD] = 7;
    if (what == 7) fever[0]->days[TAVERN_MOOD_ANGRY] = 8;
    if (what == 3) memset(&fever[0]->red, 9, 1);
    if (what == 4) tavern_infect_drunk_put(ctx, rows[0], true);
    if (what == 5) fever[0]->heat = -1.0f;
}

void tavern_count(const tavern_count_ctx *ctx, uint32_t count)
{
    work *w = ctx->user;
    int what = asked(w, "count");
    tavern_bags_iter it = tavern_bags_begin_in(ctx->bags);
    (void)count;
    if (what == 10) {
        tavern_tip_emit(ctx->emit_tip, (tavern_tip){.coins = 5, .of = w->at});
        return;
    }
    if (what == 11) tavern_brawl_emit(ctx->emit_brawl, (tavern_brawl){.who = w->at});
    if (what == 12) tavern_brawl_emit(ctx->emit_brawl, (tavern_brawl){.whom = w->at});
    if (what > 9) return;
    if (what == 1) ctx->till->coins = -3;
    if (what == 2) ctx->till->hour = 24.0f;
    if (what == 3) ctx->till->takings[2] = 1001;
    while (what > 3 && tavern_bags_next(&it)) {
        tavern_bag *bag = &it.bag[0];
        if (what == 4) bag->goods.count = 5;
        if (what == 5) bag->goods.count = 4;
        if (what == 6) bag->first.x = 50.0f;
        if (what == 7) bag->spots = (tavern_bag_spots){2, {{1.0f, 2.0f}, {-1.0f, 2.0f}}};
        if (what == 8) memset(bag->label, 'x', sizeof bag->label);
        if (what == 9) bag->goods = (tavern_bag_goods){2, {7, 101, 0, 0}};
        what = 0;
    }
}

void tavern_hire(const tavern_hire_ctx *ctx, uint32_t count, const tavern_purse *purse)
{
    work *w = ctx->user;
    int what = count == 0 ? 0 : asked(w, "hire");
    tavern_purse bad = {.coins = -50};
    (void)purse;
    if (what == 1) tavern_cmd_purse_set(ctx->cmd, w->at, bad);
    if (what == 2)
        tavern_cmd_guest_spawn(ctx->cmd,
                               &(tavern_guest){.purse = {.debt = 3}, .body = {.tame = true}});
    if (what == 3) tavern_cmd_despawn(ctx->cmd, w->at);
    if (what == 4) tavern_cmd_fever_set(ctx->cmd, w->at, (tavern_fever){.heat = 50.0f});
    if (what == 5) tavern_cmd_seated_at_attach(ctx->cmd, ctx->entities[0], w->at);
    if (what == 6) tavern_cmd_seated_at_append(ctx->cmd, ctx->entities[count - 1], w->at);
    if (what == 7) tavern_cmd_seated_at_detach(ctx->cmd, w->at);
    if (what == 8) tavern_tip_emit(ctx->emit_tip, (tavern_tip){.coins = 6, .of = w->at});
}

void tavern_watch_over(const tavern_watch_over_ctx *ctx, uint32_t count,
                       tavern_body_const_columns body)
{
    work *w = ctx->user;
    int what = count == 0 ? 0 : asked(w, "watch_over");
    (void)body;
    if (what == 1) tavern_cmd_bag_remove(ctx->cmd, w->at);
    if (what == 2)
        tavern_cmd_body_set(ctx->cmd, w->at, (tavern_body){.hunger = 2.0f, .tame = true});
}
