// The systems: which entities they are given, what they write, and whose turn passes without a
// call.
#include "run.h"

#include <inttypes.h>

static const double every[AUTHORS] = {[LOOK] = 0.5, [SLOW] = 0.75, [COUNTING] = 0.25};

static bool due(run *r, who system)
{
    if (every[system] == 0.0) return true;
    r->waited[system] += r->dt;
    if (r->waited[system] < every[system]) return false;
    while (r->waited[system] >= every[system]) r->waited[system] -= every[system];
    return true;
}

// All tags are cleared first and then set, lit before ghost.
static void apply_writes(run *r)
{
    for (uint32_t pass = 0; pass < 3; pass++) {
        for (uint32_t i = 0; i < r->write_count; i++) {
            const tag_write *p = &r->writes[i];
            entity *e = model_find(&r->model, p->bits);
            if (pass == 0 && !p->on) model_remove(&r->model, e, p->tag, r->open);
            if (pass == 1 && p->on && p->tag == LIT) model_write_tag(&r->model, e, LIT, r->open);
            if (pass == 2 && p->on && p->tag == GHOST)
                model_write_tag(&r->model, e, GHOST, r->open);
        }
    }
    r->write_count = 0;
}

static void end_turn(run *r)
{
    if (r->open == GAME) return;
    apply_writes(r);
    if (r->left != 0) fail("%" PRIu32 " rows were not given to system %d", r->left, r->open);
    model_turn(&r->model, r->open);
    r->open = GAME;
}

// Turns pass up to that of a system, which gets its input.
static void pass_turns(run *r, who until)
{
    end_turn(r);
    while (r->next < until) {
        r->open = r->next++;
        if (!due(r, r->open)) {
            r->open = GAME;
            continue;
        }
        r->left = model_expect(&r->model, r->open, r->open, 0);
        if (r->open == MEDDLE) r->left = 1; // one call
        end_turn(r);
    }
}

static void call(run *r, who system)
{
    if (r->open == system) {
        apply_writes(r);
        return;
    }
    pass_turns(r, system);
    r->next = system + 1;
    if (!due(r, system)) fail("system %d was not due", system);
    r->open = system;
    r->left = model_expect(&r->model, system, system, 0);
}

static entity *meet(run *r, chg_entity handle)
{
    entity *e = who_is(r, handle);
    model_meet(&r->model, e, 0);
    r->left--;
    return e;
}

void run_phase(run *r, who first, double dt)
{
    bool early = first == DRIVE;
    apply_recorded(r, &r->outside);
    r->model.loan_count = 0;
    r->next = first;
    r->dt = dt;
    weft_status status = early ? chg_run_early(r->world, dt) : chg_run_late(r->world, dt);
    if (status != WEFT_OK) fail("a phase gave %d", status);
    pass_turns(r, early ? MEDDLE : AUTHORS);
    apply_recorded(r, &r->meddle);
    apply_recorded(r, &r->alone);
    name_spawned(r);
}

// ------------------------------------------------------------------------------------------------

void chg_drive(const chg_drive_ctx *ctx, uint32_t count, const uint32_t *WEFT_RESTRICT rows,
               const chg_id *WEFT_RESTRICT id, chg_speed_const_columns speed,
               chg_place *WEFT_RESTRICT place)
{
    run *r = (run *)ctx->user;
    call(r, DRIVE);
    (void)id;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = rows[k];
        entity *e = meet(r, ctx->entities[i]);
        if (place[i].n != e->of[PLACE].value) fail("a wrong place");
        e->of[PLACE].value = place[i].n = speed.x[i] + 1;
        model_write(&r->model, e, PLACE, DRIVE);
    }
}

void chg_look(const chg_look_ctx *ctx, uint32_t count, const chg_id *WEFT_RESTRICT id)
{
    run *r = (run *)ctx->user;
    call(r, LOOK);
    model_check_removed(&r->model, LOOK_PLACE, ctx->removed_place, ctx->removed_place_count, NULL,
                        0);
    model_check_removed(&r->model, LOOK_SPEED, ctx->removed_speed, ctx->removed_speed_count,
                        ctx->removed_speed_value, sizeof(chg_speed));
    (void)id;
    for (uint32_t i = 0; i < count; i++) meet(r, ctx->entities[i]);
}

void chg_nudge(const chg_nudge_ctx *ctx, uint32_t count, weft_rows rows,
               const chg_id *WEFT_RESTRICT id, chg_place *WEFT_RESTRICT place)
{
    run *r = (run *)ctx->user;
    uint32_t i;
    call(r, NUDGE);
    (void)id;
    (void)count;
    while (weft_next(&rows, &i)) {
        entity *e = meet(r, ctx->entities[i]);
        e->of[PLACE].value = place[i].n = any_below(r, 1000);
        model_write(&r->model, e, PLACE, NUDGE);
    }
}

void chg_tinker(const chg_tinker_ctx *ctx, uint32_t count, const uint32_t *WEFT_RESTRICT rows,
                const chg_id *WEFT_RESTRICT id, chg_freight *WEFT_RESTRICT freight)
{
    run *r = (run *)ctx->user;
    call(r, TINKER);
    (void)id;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = rows[k];
        entity *e = meet(r, ctx->entities[i]);
        if (!any_chance(r, 3)) continue;
        e->of[FREIGHT].value = freight[i].weight = any_below(r, 1000);
        chg_tinker_freight_touch(ctx, i);
        model_write(&r->model, e, FREIGHT, TINKER);
    }
}

void chg_stoke(const chg_stoke_ctx *ctx, uint32_t count, weft_rows rows,
               const chg_id *WEFT_RESTRICT id, chg_burn *const *burn)
{
    run *r = (run *)ctx->user;
    uint32_t i;
    call(r, STOKE);
    (void)id;
    (void)count;
    while (weft_next(&rows, &i)) {
        entity *e = meet(r, ctx->entities[i]);
        if (burn[i]->left != e->of[BURN].value) fail("a wrong burn");
        if (!any_chance(r, 3)) continue;
        e->of[BURN].value = burn[i]->left = any_below(r, 1000);
        chg_stoke_burn_touch(ctx, i);
        model_write(&r->model, e, BURN, STOKE);
    }
}

static void write_tag(run *r, const chg_lamps_ctx *ctx, uint32_t i, thing tag)
{
    bool on = any_chance(r, 2);
    r->writes[r->write_count++] = (tag_write){ctx->entities[i].bits, tag, on};
    if (tag == LIT) {
        chg_lamps_lit_put(ctx, i, on);
    } else {
        chg_lamps_ghost_put(ctx, i, on);
    }
}

void chg_lamps(const chg_lamps_ctx *ctx, uint32_t count, const chg_id *WEFT_RESTRICT id)
{
    run *r = (run *)ctx->user;
    call(r, LAMPS);
    model_check_removed(&r->model, LAMPS_LIT, ctx->removed_lit, ctx->removed_lit_count, NULL, 0);
    model_check_removed(&r->model, LAMPS_GHOST, ctx->removed_ghost, ctx->removed_ghost_count, NULL,
                        0);
    (void)id;
    for (uint32_t i = 0; i < count; i++) {
        meet(r, ctx->entities[i]);
        if (any_chance(r, 4)) write_tag(r, ctx, i, LIT);
        if (any_chance(r, 5)) write_tag(r, ctx, i, GHOST);
    }
}

static void edit_any(run *r, const chg_meddle_ctx *ctx)
{
    chg_entity h = any_handle(r);
    entity *e = model_find(&r->model, h.bits);
    if (any_chance(r, 2)) {
        chg_place *place = chg_place_edit_in(ctx->place, h);
        if ((place != NULL) != (e && e->of[PLACE].has)) fail("a wrong lookup of place");
        if (!place) return;
        e->of[PLACE].value = place->n = any_below(r, 1000);
        model_write(&r->model, e, PLACE, MEDDLE);
    } else {
        chg_burn *burn = chg_burn_edit_in(ctx->burn, h);
        if ((burn != NULL) != (e && e->of[BURN].has)) fail("a wrong lookup of burn");
        if (!burn) return;
        e->of[BURN].value = burn->left = any_below(r, 1000);
        model_write(&r->model, e, BURN, MEDDLE);
    }
}

void chg_meddle(const chg_meddle_ctx *ctx, uint32_t count)
{
    run *r = (run *)ctx->user;
    (void)count;
    call(r, MEDDLE);
    model_check_removed(&r->model, MEDDLE_BURN, ctx->removed_burn, ctx->removed_burn_count,
                        ctx->removed_burn_value, sizeof(chg_burn));
    model_check_removed(&r->model, MEDDLE_PLACE, ctx->removed_place, ctx->removed_place_count, NULL,
                        0);
    model_check_removed(&r->model, MEDDLE_SPARK, ctx->removed_spark, ctx->removed_spark_count, NULL,
                        0);
    for (uint32_t times = any_below(r, 6); times-- > 0;) {
        switch (any_below(r, 6)) {
        case 0:
            walk_moved(r, ctx, NULL);
            break;
        case 1:
            walk_fresh(r, ctx);
            break;
        case 2:
            walk_movers(r, ctx);
            break;
        case 3:
            record_some(r, ctx->cmd, &r->meddle);
            break;
        default:
            edit_any(r, ctx);
            break;
        }
    }
}

void chg_slow(const chg_slow_ctx *ctx, uint32_t count, weft_rows rows,
              const chg_id *WEFT_RESTRICT id)
{
    run *r = (run *)ctx->user;
    uint32_t i;
    call(r, SLOW);
    model_check_removed(&r->model, SLOW_PLACE, ctx->removed_place, ctx->removed_place_count,
                        ctx->removed_place_value, sizeof(chg_place));
    model_check_removed(&r->model, SLOW_FREIGHT, ctx->removed_freight, ctx->removed_freight_count,
                        ctx->removed_freight_value, sizeof(chg_freight));
    model_check_removed(&r->model, SLOW_LONE, ctx->removed_lone, ctx->removed_lone_count, NULL, 0);
    (void)id;
    (void)count;
    while (weft_next(&rows, &i)) meet(r, ctx->entities[i]);
}

void chg_alone(const chg_alone_ctx *ctx, uint32_t count, const chg_id *WEFT_RESTRICT id)
{
    run *r = (run *)ctx->user;
    call(r, ALONE);
    (void)id;
    for (uint32_t i = 0; i < count; i++) meet(r, ctx->entities[i]);
    if (any_chance(r, 3)) record_some(r, ctx->cmd, &r->alone);
}

void chg_counting(const chg_counting_ctx *ctx, uint32_t count, const chg_id *id)
{
    run *r = (run *)ctx->user;
    call(r, COUNTING);
    (void)id;
    for (uint32_t i = 0; i < count; i++) meet(r, ctx->entities[i]);
    if (any_chance(r, 3)) walk_moved(r, NULL, ctx);
    if (any_chance(r, 3)) walk_shining(r, ctx);
}
