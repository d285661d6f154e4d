// The direct structural calls: whether one may go on, and what it comes to.
#include "calls.h"

#include "../world/report.h"
#include "../world/rows.h"
#include "../world/rules.h"

// Whether a direct structural call may go on; gives the entity's place.
static bool call_begin(weft_world *world, const char *call, uint64_t handle, weft_place *at)
{
    if (weft_busy(world, call)) return false;
    if (weft_find(&world->entities, world->plan->format, handle, at)) return true;
    return weft_refuse(world, (weft_refusal){WEFT_DEAD, WEFT_NONE, WEFT_NONE, false, handle});
}

static bool call_end(weft_world *world, uint64_t handle, uint32_t component, bool done)
{
    if (done) return true;
    return weft_refuse_space(
        world, (weft_refusal){WEFT_NO_MEMORY, (uint16_t)component, WEFT_NONE, false, handle});
}

// Adds a component or tag: at once, or as a batch if it brings along what it requires.
static bool call_set(weft_world *world, uint64_t handle, uint32_t component, const void *value)
{
    weft_place at;
    weft_refusal why;
    if (!call_begin(world, "set" WEFT_RECORDED, handle, &at)) return false;
    weft_subject subject = weft_subject_row(world, handle, at);
    switch (weft_rules_set(world, &subject, component, &why)) {
    case WEFT_FORBIDDEN:
        return weft_refuse(world, why);
    case WEFT_ALLOWED:
        return call_end(world, handle, component,
                        weft_row_set(world, handle, at, component, value));
    case WEFT_ALLOWED_WITH_MORE:
        break;
    }
    weft_batch_begin(world->batch, handle);
    return call_end(world, handle, component,
                    weft_batch_set(world->batch, component, value, &why) &&
                        weft_batch_commit(world->batch));
}

bool weft_component_set(weft_world *world, uint64_t handle, uint32_t component, const void *value)
{
    return call_set(world, handle, component, value);
}

bool weft_tag_set(weft_world *world, uint64_t handle, uint32_t component)
{
    return call_set(world, handle, component, NULL);
}

bool weft_component_remove(weft_world *world, uint64_t handle, uint32_t component)
{
    weft_place at;
    weft_refusal why = {WEFT_NOT_FOUND, (uint16_t)component, WEFT_NONE, false, handle};
    if (!call_begin(world, "remove" WEFT_RECORDED, handle, &at)) return false;
    weft_subject subject = weft_subject_row(world, handle, at);
    if (!weft_row_has(world->plan, subject.table, at.row, component) ||
        !weft_rules_remove(world, &subject, component, &why)) {
        return weft_refuse(world, why);
    }
    return call_end(world, handle, component, weft_row_remove(world, handle, at, component));
}

bool weft_tag_clear(weft_world *world, uint32_t component)
{
    if (weft_busy(world, "clear" WEFT_RECORDED)) return false;
    weft_rows_clear(world, component);
    return true;
}

bool weft_component_has(const weft_world *world, uint64_t handle, uint32_t component)
{
    weft_place at;
    return weft_find(&world->entities, world->plan->format, handle, &at) &&
           weft_row_has(world->plan, world->tables.items[at.table], at.row, component);
}

static bool despawn_refuse(weft_world *world, uint64_t handle)
{
    if (weft_busy(world, "despawn" WEFT_RECORDED)) return false;
    return weft_refuse(world, (weft_refusal){WEFT_DEAD, WEFT_NONE, WEFT_NONE, false, handle});
}

bool weft_despawn(weft_world *world, uint64_t handle)
{
    weft_place at;
    if (!weft_find_direct(&world->entities, world->plan->format, handle, &at)) {
        return despawn_refuse(world, handle);
    }
    weft_despawn_whole(world, handle, at);
    return true;
}

bool weft_prefab_set(weft_world *world, uint64_t handle, uint32_t prefab, const void *value)
{
    weft_refusal why = {WEFT_DEAD, WEFT_NONE, WEFT_NONE, false, handle};
    if (weft_busy(world, "set" WEFT_RECORDED)) return false;
    if (!weft_batch_begin(world->batch, handle)) return weft_refuse(world, why);
    if (!weft_batch_set_prefab(world->batch, prefab, value, &why)) return weft_refuse(world, why);
    if (weft_batch_commit(world->batch)) return true;
    why.status = WEFT_NO_MEMORY;
    return weft_refuse_space(world, why);
}

bool weft_attach(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    if (weft_busy(world, "attach" WEFT_RECORDED)) return false;
    weft_status status = weft_link_attach(world, relation, child, parent);
    return status == WEFT_OK || weft_refuse_link(world, status, relation, child, parent);
}

bool weft_detach(weft_world *world, uint32_t relation, uint64_t child)
{
    if (weft_busy(world, "detach" WEFT_RECORDED)) return false;
    weft_status status = weft_link_detach(world, relation, child);
    return status == WEFT_OK || weft_refuse_link(world, status, relation, child, child);
}
