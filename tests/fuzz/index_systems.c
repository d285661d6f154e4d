// The systems: they write the fields that indexes use as keys, and query the indexes meanwhile.
//
// flags: played
#include "index_run.h"

#include <string.h>

void land_move(const land_move_ctx *ctx, uint32_t count, land_place *WEFT_RESTRICT place)
{
    run *r = (run *)ctx->user;
    for (uint32_t i = 0; r->shared && i < count; i++) {
        if ((ctx->entities[i].bits + ctx->tick) % 5 == 0) place[i].x += place[i].x < 9 ? 1.5f : -9;
    }
    if (r->shared) return;
    for (uint32_t i = 0; i < count; i++) {
        if (dice_once_in(&r->d, 3)) place[i] = any_place(&r->d);
    }
}

void land_sink(const land_sink_ctx *ctx, uint32_t count, weft_rows rows,
               land_spot *WEFT_RESTRICT spot)
{
    run *r = (run *)ctx->user;
    (void)count;
    for (uint32_t i; weft_next(&rows, &i);) spot[i] = any_spot(&r->d);
}

void land_warm(const land_warm_ctx *ctx, uint32_t count, const uint32_t *WEFT_RESTRICT rows,
               land_mark *const *mark)
{
    run *r = (run *)ctx->user;
    (void)rows;
    for (uint32_t k = 0; k < count; k++) {
        if (dice_once_in(&r->d, 2)) *mark[k] = any_mark(&r->d);
    }
}

// An index shows the world as it was at the begin of the turn, whatever the system writes
// meanwhile.
void land_doze(const land_doze_ctx *ctx, uint32_t count, land_person *person)
{
    run *r = (run *)ctx->user;
    land_entity found[ENTITIES];
    size_t n = 0;
    char name[16] = {0};
    if (r->shared) return;
    memcpy(name, person[0].name, sizeof person[0].name);
    size_t named_so = land_by_name_count_in(ctx->by_name, name);
    land_entity first = land_by_age_first_in(ctx->by_age);
    land_by_name_each_iter it = land_by_name_each_begin_in(ctx->by_name, name);
    while (land_by_name_each_next(&it)) found[n++] = it.entity;
    if (n != named_so) fail(r, "a count in a system");
    for (uint32_t i = 0; i < count; i++) {
        if (dice_once_in(&r->d, 2)) person[i] = any_person(r);
        if (dice_once_in(&r->d, 2)) land_doze_asleep_put(ctx, i, dice_once_in(&r->d, 2));
    }
    it = land_by_name_each_begin_in(ctx->by_name, name);
    for (size_t i = 0; i < n; i++) {
        if (!land_by_name_each_next(&it) || !land_same(it.entity, found[i])) {
            fail(r, "a system sees what it wrote");
        }
    }
    if (land_by_name_each_next(&it)) fail(r, "a system sees more");
    if (!land_same(first, land_by_age_first_in(ctx->by_age))) fail(r, "another first");
}

void land_blow(const land_blow_ctx *ctx, uint32_t count, land_wind_columns wind)
{
    run *r = (run *)ctx->user;
    for (uint32_t i = 0; i < count; i++) {
        if (!dice_once_in(&r->d, 3)) continue;
        land_wind value = any_wind(&r->d);
        wind.u[i] = value.u;
        wind.v[i] = value.v;
        wind.gust[i] = value.gust;
        land_blow_wind_touch(ctx, i);
    }
}

void land_seek(const land_seek_ctx *ctx, uint32_t count, const land_place *WEFT_RESTRICT place)
{
    run *r = (run *)ctx->user;
    keyed wanted[ENTITIES];
    for (uint32_t i = 0; r->shared && i < count; i++) {
        land_by_tile_near_iter it =
            land_by_tile_near_begin_in(ctx->by_tile, place[i].x, place[i].y, 2.5f);
        uint64_t sum = 0;
        while (land_by_tile_near_next(&it)) sum = sum * 31 + it.entity.bits;
        atomic_fetch_add(&r->sum, sum);
    }
    if (r->shared) return;
    for (uint32_t i = 0; i < count; i += 7) {
        finding f = {.count = 0};
        area a = {.ball = true, .radius = 3.0};
        a.centre[0] = (double)place[i].x;
        a.centre[1] = (double)place[i].y;
        land_by_tile_near_iter it =
            land_by_tile_near_begin_in(ctx->by_tile, place[i].x, place[i].y, 3.0f);
        while (land_by_tile_near_next(&it)) f.e[f.count++] = it.entity;
        expect(r, "by_tile in a system", &f, wanted,
               look_around(r, place_point, 2, 2.0, &a, wanted));
    }
    key k = any_key(r);
    finding f = {.count = 0};
    land_by_heat_range_iter heat = land_by_heat_range_begin_in(ctx->by_heat, k.low, k.high);
    while (land_by_heat_range_next(&heat)) f.e[f.count++] = heat.entity;
    expect(r, "by_heat in a system", &f, wanted, look_for(r, heated, &k, wanted, true));
    size_t coded_so = look_for(r, coded, &k, wanted, false);
    if (land_by_code_count_in(ctx->by_code, k.code) != coded_so) fail(r, "by_code in a system");
    land_entity near[4];
    f.count = land_by_depth_nearest_in(ctx->by_depth, 0.0, 1.0, 2.0, 4, near);
    memcpy(f.e, near, f.count * sizeof *near);
    const double centre[] = {0.0, 1.0, 2.0};
    expect(r, "by_depth in a system", &f, wanted, look_near(r, spot_point, 3, centre, 4, wanted));
}

void land_peek(const land_peek_ctx *ctx, uint32_t count)
{
    run *r = (run *)ctx->user;
    (void)count;
    land_entity near[16];
    size_t found = land_by_tile_nearest_in(ctx->by_tile, 1.0f, 2.0f, 16, near);
    for (size_t i = 0; r->shared && i < found; i++) atomic_fetch_add(&r->sum, near[i].bits * i);
    land_by_heat_range_iter it = land_by_heat_range_begin_in(ctx->by_heat, -1.0, 9.0);
    uint64_t sum = 0;
    while (land_by_heat_range_next(&it)) sum = sum * 31 + it.entity.bits;
    if (r->shared) atomic_fetch_add(&r->sum, sum);
}

void land_notice(const land_notice_ctx *ctx, uint32_t count, const land_place *WEFT_RESTRICT place)
{
    (void)ctx;
    (void)count;
    (void)place;
}

void land_meddle(const land_meddle_ctx *ctx, uint32_t count)
{
    run *r = (run *)ctx->user;
    (void)count;
    land_by_tile_box_iter it = land_by_tile_box_begin_in(ctx->by_tile, -4.0f, -4.0f, 4.0f, 4.0f);
    while (land_by_tile_box_next(&it)) {
        uint32_t what = dice_below(&r->d, 12);
        if (what == 0) land_cmd_despawn(ctx->cmd, it.entity);
        if (what == 1) land_cmd_place_set(ctx->cmd, it.entity, any_place(&r->d));
        if (what == 2) land_cmd_frozen_set(ctx->cmd, it.entity, (land_frozen){1});
        if (what == 3) land_cmd_place_remove(ctx->cmd, it.entity);
    }
    land_entity last = land_by_gust_last_in(ctx->by_gust);
    if (!land_is_none(last)) land_cmd_wind_set(ctx->cmd, last, any_wind(&r->d));
}
