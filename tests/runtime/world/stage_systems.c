// The systems of the stage note each turn, and request the states that a test asks for.
#include "stage_theatre.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void note(void *user, uint32_t system, uint32_t count)
{
    atomic_fetch_add(&((theatre *)user)->turns[system], count);
}

void stage_wish(const stage_wish_ctx *ctx, uint32_t count)
{
    theatre *t = (theatre *)ctx->user;
    (void)count;
    if (t->wish[0] != NO_WISH) {
        assert_true(
            stage_game_go_in(ctx->go_game, (stage_game)((t->wish[0] + 1) % 3))); // the last counts
        assert_true(stage_game_go_in(ctx->go_game, (stage_game)t->wish[0]));
    }
    if (t->wish_pause != NO_WISH) stage_pause_go_in(ctx->go_pause, (stage_pause)t->wish_pause);
    t->bad += ctx->game != t->m.game || ctx->pause != t->m.pause;
    note(t, WISH, 1);
}

void stage_wish_again(const stage_wish_again_ctx *ctx, uint32_t count)
{
    theatre *t = (theatre *)ctx->user;
    (void)count;
    if (t->wish[1] != NO_WISH) stage_game_go_in(ctx->go_game, (stage_game)t->wish[1]);
    t->bad += ctx->game != t->m.game || ctx->pause != t->m.pause;
    note(t, WISH_AGAIN, 1);
}

void stage_begin(const stage_begin_ctx *ctx, uint32_t count)
{
    (void)count;
    stage_entity first = stage_cmd_horde_spawn(ctx->cmd, NULL);
    stage_entity second = stage_cmd_horde_spawn(ctx->cmd, NULL);
    stage_cmd_led_by_attach(ctx->cmd, second, first);
    note(ctx->user, BEGIN, 1);
}

void stage_fight(const stage_fight_ctx *ctx, uint32_t count, stage_foe *WEFT_RESTRICT foe)
{
    for (uint32_t i = 0; i < count; i++) {
        foe[i].hits++;
        foe[i].met = ctx->game;
    }
    note(ctx->user, FIGHT, count);
}

void stage_mourn(const stage_mourn_ctx *ctx, uint32_t count, stage_foe *WEFT_RESTRICT foe)
{
    for (uint32_t i = 0; i < count; i++) foe[i].hits += 2;
    note(ctx->user, MOURN, count);
}

void stage_rest(const stage_rest_ctx *ctx, uint32_t count, stage_guest *WEFT_RESTRICT guest)
{
    for (uint32_t i = 0; i < count; i++) guest[i].hits++;
    note(ctx->user, REST, count);
}

void stage_finish(const stage_finish_ctx *ctx, uint32_t count, const stage_foe *WEFT_RESTRICT foe)
{
    (void)foe;
    note(ctx->user, FINISH, count);
}

void stage_tidy(const stage_tidy_ctx *ctx, uint32_t count)
{
    (void)count;
    note(ctx->user, TIDY, 1);
}

void stage_count_hits(const stage_count_hits_ctx *ctx, uint32_t count)
{
    (void)count;
    ctx->score->hits++;
    note(ctx->user, COUNT_HITS, 1);
}

void stage_obey(const stage_obey_ctx *ctx, uint32_t count)
{
    theatre *t = (theatre *)ctx->user;
    (void)count;
    for (uint32_t i = 0; i < ctx->order_count; i++) {
        t->sum[OBEYING] += (i + 1) * ctx->order[i].number;
        t->bad += !stage_is_none(ctx->order[i].foe);
    }
    note(t, OBEY, 1);
}

void stage_shine(const stage_shine_ctx *ctx, uint32_t count)
{
    (void)count;
    ctx->stage_light->lit += ctx->hall->lamps;
    note(ctx->user, SHINE, 1);
}

void stage_look(const stage_look_ctx *ctx, uint32_t count, const stage_foe *WEFT_RESTRICT foe)
{
    (void)foe;
    if (ctx->stage_light->lit % 3 == 0) note(ctx->user, LOOK, count);
}

void stage_listen_slowly(const stage_listen_slowly_ctx *ctx, uint32_t count)
{
    theatre *t = (theatre *)ctx->user;
    (void)count;
    t->bad += ctx->dt != 0.5; // the time of a pause is no part of it
    for (uint32_t i = 0; i < ctx->order_count; i++)
        t->sum[LISTENING] += (i + 1) * ctx->order[i].number;
    note(t, LISTEN_SLOWLY, 1);
}
