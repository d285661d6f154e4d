// Spawns, despawns and changes entities.
//
// flags: hot
#include "link_run.h"

#include "fail.h"

void give_new_id(run *r, bonds_entity e)
{
    uint32_t id = ++r->m.next_id;
    if (!bonds_id_set(r->w, e, (bonds_id){id})) fail("no id");
    r->m.id[INDEX(e)] = id;
}

void spawned(run *r, bonds_entity e)
{
    if (bonds_is_none(e) || !bonds_alive(r->w, e)) fail("what was spawned does not live");
    give_new_id(r, e);
}

static void give_components(run *r, bonds_entity e)
{
    model *m = &r->m;
    uint32_t i = INDEX(e);
    if (dice_once_in(&r->d, 4)) m->asleep[i] = bonds_asleep_set(r->w, e) || m->asleep[i];
    if (dice_once_in(&r->d, 2)) m->purse[i] |= bonds_purse_set(r->w, e, (bonds_purse){1});
    if (dice_once_in(&r->d, 2) && bonds_drift_set(r->w, e, (bonds_drift){7, 8})) {
        m->drift[i] = true;
        m->drift_x[i] = 7;
    }
    if (dice_once_in(&r->d, 2) && bonds_charm_set(r->w, e, (bonds_charm){5})) {
        m->charm[i] = true;
        m->power[i] = 5;
    }
}

void spawn_one(run *r)
{
    if (r->m.living >= r->population) return;
    starve(r);
    bonds_entity e = bonds_one_spawn(r->w, NULL);
    bool starved = fed(r);
    if (bonds_is_none(e)) {
        if (!starved) fail("no spawn: %s", bonds_error(r->w));
        return;
    }
    model_spawn(&r->m, e);
    spawned(r, e);
    give_components(r, e);
}

void despawn_any(run *r)
{
    bonds_entity e = any_end(r);
    bool exists = model_exists(&r->m, e);
    if (bonds_despawn(r->w, e) != exists) fail("despawn returns another result");
    model_despawn(&r->m, e);
}

void change_components(run *r)
{
    model *m = &r->m;
    bonds_entity e = any_living(r);
    uint32_t i = INDEX(e);
    switch (dice_below(&r->d, 5)) {
    case 0:
        if (bonds_asleep_remove(r->w, e)) m->asleep[i] = false;
        return;
    case 1:
        if (bonds_purse_remove(r->w, e)) m->purse[i] = false;
        return;
    case 2:
        if (bonds_charm_remove(r->w, e)) m->charm[i] = false;
        return;
    case 3:
        if (!bonds_strip(r->w, e)) fail("no strip: %s", bonds_error(r->w));
        m->asleep[i] = m->purse[i] = m->drift[i] = m->charm[i] = false;
        give_new_id(r, e);
        return;
    default:
        give_components(r, e);
    }
}

static bool is_below(const model *m, uint32_t index, uint32_t above)
{
    for (uint32_t at = index; m->parent[at] != 0; at = m->parent[at] - 1) {
        if (m->parent[at] - 1 == above) return true;
    }
    return index == above;
}

void attach_any(run *r)
{
    bonds_entity child = any_living(r);
    bonds_entity parent = any_living(r);
    if (dice_once_in(&r->d, 2)) {
        bool had = r->m.parent[INDEX(child)] != 0;
        if (bonds_under_detach(r->w, child) != had) fail("detach returns another result");
        r->m.parent[INDEX(child)] = 0;
    } else if (!is_below(&r->m, INDEX(parent), INDEX(child))) {
        if (!bonds_under_attach(r->w, child, parent)) fail("no attach: %s", bonds_error(r->w));
        r->m.parent[INDEX(child)] = INDEX(parent) + 1;
    }
}
