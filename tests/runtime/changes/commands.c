// Records structural changes and applies them in the model one by one, as the contract specifies.
// The runtime may join several changes of one entity.
#include "run.h"

#include <inttypes.h>

static chg_entity record_spawn(chg_cmd *cmd, const recorded *c)
{
    const chg_id id = {c->key};
    chg_walker walker = chg_walker_defaults();
    chg_torch torch = chg_torch_defaults();
    chg_carrier carrier = chg_carrier_defaults();
    chg_rock rock = chg_rock_defaults();
    walker.id = torch.id = carrier.id = rock.id = id;
    walker.place.n = torch.place.n = carrier.freight.weight = c->value;
    switch (c->prefab) {
    case 0:
        return chg_cmd_walker_spawn(cmd, &walker);
    case 1:
        return chg_cmd_torch_spawn(cmd, &torch);
    case 2:
        return chg_cmd_carrier_spawn(cmd, &carrier);
    default:
        return chg_cmd_rock_spawn(cmd, &rock);
    }
}

static void record_spawn_many(chg_cmd *cmd, const recorded *c)
{
    chg_torch torch = chg_torch_defaults();
    torch.id.key = c->key;
    torch.place.n = c->value;
    chg_cmd_torch_spawn_many(cmd, c->many, &torch);
}

static void record_set(chg_cmd *cmd, const recorded *c)
{
    switch (c->what) {
    case PLACE:
        chg_cmd_place_set(cmd, c->target, (chg_place){c->value, 0});
        break;
    case SPEED:
        chg_cmd_speed_set(cmd, c->target, (chg_speed){c->value, 0});
        break;
    case BURN:
        chg_cmd_burn_set(cmd, c->target, (chg_burn){c->value});
        break;
    case FREIGHT:
        chg_cmd_freight_set(cmd, c->target, (chg_freight){c->value});
        break;
    case LONE:
        chg_cmd_lone_set(cmd, c->target, (chg_lone){c->value});
        break;
    case PEBBLE:
        chg_cmd_pebble_set(cmd, c->target, (chg_pebble){c->value});
        break;
    case PLAIN:
        chg_cmd_plain_set(cmd, c->target, (chg_plain){c->value});
        break;
    case LIT:
        chg_cmd_lit_set(cmd, c->target);
        break;
    case SPARK:
        chg_cmd_spark_set(cmd, c->target);
        break;
    case GLINT:
        chg_cmd_glint_set(cmd, c->target);
        break;
    case GHOST:
    case THINGS:
        chg_cmd_ghost_set(cmd, c->target);
        break;
    }
}

static void record_replacement(chg_cmd *cmd, const recorded *c)
{
    if (c->what == PLACE) chg_cmd_place_replace(cmd, c->target, (chg_place){c->value, 0});
    if (c->what == SPEED) chg_cmd_speed_replace(cmd, c->target, (chg_speed){c->value, 0});
    if (c->what == BURN) chg_cmd_burn_replace(cmd, c->target, (chg_burn){c->value});
    if (c->what == FREIGHT) chg_cmd_freight_replace(cmd, c->target, (chg_freight){c->value});
    if (c->what == LONE) chg_cmd_lone_replace(cmd, c->target, (chg_lone){c->value});
    if (c->what == PEBBLE) chg_cmd_pebble_replace(cmd, c->target, (chg_pebble){c->value});
    if (c->what == PLAIN) chg_cmd_plain_replace(cmd, c->target, (chg_plain){c->value});
}

static void record_removal(chg_cmd *cmd, const recorded *c)
{
    static bool (*const removals[])(chg_cmd *, chg_entity) = {
        chg_cmd_place_remove, chg_cmd_speed_remove,  chg_cmd_burn_remove,  chg_cmd_freight_remove,
        chg_cmd_lone_remove,  chg_cmd_pebble_remove, chg_cmd_plain_remove, chg_cmd_lit_remove,
        chg_cmd_ghost_remove, chg_cmd_spark_remove,  chg_cmd_glint_remove,
    };
    removals[c->what](cmd, c->target);
}

// Mostly one of a few, so that entities get several commands.
static chg_entity any_target(run *r, const buffer *b, uint32_t *key)
{
    *key = 0;
    if (b->count != 0 && !any_chance(r, 3)) {
        const recorded *earlier = &b->items[any_below(r, b->count)];
        if (earlier->kind != CLEARS && earlier->many == 0) {
            *key = earlier->key;
            return earlier->target;
        }
    }
    return any_handle(r);
}

static void record_one(run *r, chg_cmd *cmd, buffer *b)
{
    recorded c = {.kind = SETS, .value = any_below(r, 1000), .what = (thing)any_below(r, THINGS)};
    uint32_t chance = any_below(r, 100);
    if (chance < 12 && r->model.living < r->options.population + 60) {
        c.kind = SPAWNS;
        c.key = ++r->model.next_key;
        c.prefab = any_below(r, 4);
        c.many = any_chance(r, 6) ? 1 + any_below(r, 20) : 0;
        if (c.many != 0) {
            c.prefab = 1;
            record_spawn_many(cmd, &c);
        } else {
            c.target = record_spawn(cmd, &c);
        }
    } else if (chance < 14) {
        c.kind = CLEARS;
        c.what = any_chance(r, 3)   ? LIT
                 : any_chance(r, 2) ? SPARK
                 : any_chance(r, 2) ? GLINT
                 : any_chance(r, 2) ? PLACE
                                    : BURN;
        if (c.what == PLACE) chg_cmd_place_clear(cmd);
        if (c.what == BURN) chg_cmd_burn_clear(cmd);
        if (c.what == LIT) chg_cmd_lit_clear(cmd);
        if (c.what == SPARK) chg_cmd_spark_clear(cmd);
        if (c.what == GLINT) chg_cmd_glint_clear(cmd);
    } else {
        c.target = any_target(r, b, &c.key);
        c.kind = chance < 24 ? DESPAWNS : chance < 55 ? REMOVES : chance < 85 ? SETS : REPLACES;
        if (c.kind == REPLACES) {
            const entity *e = c.key == 0 ? model_find(&r->model, c.target.bits) : NULL;
            c.what = (thing)any_below(r, LIT);
            if (e && any_chance(r, 2)) c.value = e->of[c.what].value;
            record_replacement(cmd, &c);
        }
        if (c.kind == DESPAWNS) chg_cmd_despawn(cmd, c.target);
        if (c.kind == REMOVES) record_removal(cmd, &c);
        if (c.kind == SETS) record_set(cmd, &c);
    }
    b->items[b->count++] = c;
}

void record_some(run *r, chg_cmd *cmd, buffer *b)
{
    for (uint32_t times = any_below(r, 12); times-- > 0 && b->count < RECORDED_MAX;) {
        record_one(r, cmd, b);
    }
}

static void apply_one(run *r, const recorded *c)
{
    model *m = &r->model;
    if (c->kind == SPAWNS) {
        for (uint32_t i = 0; i < (c->many == 0 ? 1 : c->many); i++) {
            model_prefab(m, model_add(m, c->key), c->prefab, c->value);
        }
        return;
    }
    if (c->kind == CLEARS) {
        model_apply(m, false); // all before it is done, so what is told is the value there is now
        model_clear(m, c->what);
        model_apply(m, true);
        return;
    }
    entity *e = c->key != 0 ? model_unnamed(m, c->key) : model_find(m, c->target.bits);
    if (!e) return;
    model_applied(m, e);
    if (c->kind == DESPAWNS) model_despawn(m, e);
    if (c->kind == REMOVES) model_remove(m, e, c->what, GAME);
    if (c->kind == REPLACES) model_replace(m, e, c->what, c->value);
    if (c->kind == SETS) model_set(m, e, c->what, c->value);
}

void apply_recorded(run *r, buffer *b)
{
    model_apply(&r->model, true);
    for (uint32_t i = 0; i < b->count; i++) apply_one(r, &b->items[i]);
    model_apply(&r->model, false);
    b->count = 0;
}

entity *who_is(run *r, chg_entity h)
{
    entity *e = model_find(&r->model, h.bits);
    const chg_id *id = e ? NULL : chg_id_get(r->world, h);
    if (id && (e = model_unnamed(&r->model, id->key)) != NULL) model_name(&r->model, e, h.bits);
    if (!e) fail("nobody knows %" PRIx64, (uint64_t)h.bits);
    return e;
}

void name_spawned(run *r)
{
    chg_everyone_iter it = chg_everyone_begin(r->world);
    while (chg_everyone_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) who_is(r, it.entities[i]);
    }
}
