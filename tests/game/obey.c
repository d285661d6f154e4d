// Carries out the player's orders. An order that is impossible is reported as news.
#include "chronicle.h"
#include "colony_building_site.h"
#include "colony_obey.h"
#include "errand.h"
#include "ground.h"

static void build(const colony_obey_ctx *ctx, const colony_order *order)
{
    ground map = ground_of(ctx->ground, colony_patches_begin_in(ctx->patches));
    float x = order->x, y = order->y;
    colony_obstacles_box_iter near =
        colony_obstacles_box_begin_in(ctx->obstacles, x - 1, y - 1, x + 1, y + 1);
    if (!ground_is_buildable(&map, ground_tile(x), ground_tile(y)) ||
        colony_obstacles_box_next(&near)) {
        chronicle_tell(ctx->chronicle, "there is no room for a house at %.0f, %.0f", (double)x,
                       (double)y);
        return;
    }
    colony_building_site site = colony_building_site_defaults();
    site.position = (colony_position){x, y};
    colony_cmd_building_site_spawn(ctx->cmd, &site);
}

// Sends a villager somewhere, which ends the current job. Villagers in bed or on the way to it are
// not sent.
static void send(const colony_obey_ctx *ctx, const colony_order *order)
{
    colony_entity who = colony_by_name_find_in(ctx->by_name, order->name);
    colony_worker *worker = colony_worker_edit_in(ctx->worker, who);
    if (worker == NULL || worker->job == COLONY_JOB_REST) {
        const char *why = worker == NULL ? "does not live here" : "sleeps";
        chronicle_tell(ctx->chronicle, "%s %s", order->name, why);
        return;
    }
    colony_position goal = {order->x, order->y};
    errand_end(worker);
    errand_go(worker, colony_walker_edit_in(ctx->walker, who), COLONY_JOB_WALK, &goal);
}

void colony_obey(const colony_obey_ctx *ctx, uint32_t count)
{
    (void)count;
    for (uint32_t i = 0; i < ctx->order_count; i++) {
        const colony_order *order = &ctx->order[i];
        switch (order->kind) {
        case COLONY_ORDER_KIND_PLAY:
            colony_game_go_in(ctx->go_game, COLONY_GAME_PLAY);
            break;
        case COLONY_ORDER_KIND_MENU:
            colony_game_go_in(ctx->go_game, COLONY_GAME_MENU);
            break;
        case COLONY_ORDER_KIND_PAUSE:
            colony_pause_go_in(ctx->go_pause, COLONY_PAUSE_ON);
            break;
        case COLONY_ORDER_KIND_GO:
            colony_pause_go_in(ctx->go_pause, COLONY_PAUSE_OFF);
            break;
        case COLONY_ORDER_KIND_BUILD:
            build(ctx, order);
            break;
        case COLONY_ORDER_KIND_SEND:
            send(ctx, order);
            break;
        default:
            break; // unreachable: the input accepts no other kind
        }
    }
}
