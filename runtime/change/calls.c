// The direct structural calls: what may be changed here and now, and how it is refused. Most come
// to change/component.h, the others to the world's batch.
#include "calls.h"

#include "../world/report.h"
#include "../world/rows.h"
#include "../world/rules.h"

// Commits the world's batch, which is about one component, or about several: WEFT_NONE.
static bool commit_call(weft_world *world, uint64_t handle, uint32_t component)
{
    if (weft_batch_commit(world->batch)) return true;
    return weft_refuse_space(world, weft_refusal_of(WEFT_NO_MEMORY, component, handle));
}

// Sets or removes a component of a living entity.
static bool change_call(weft_world *world, uint64_t handle, weft_place at, uint32_t component,
                        const void *value, bool on)
{
    weft_refusal why;
    switch (weft_component_change(world, handle, at, component, value, on)) {
    case WEFT_CHANGE_DONE:
        return true;
    case WEFT_CHANGE_NO_MEMORY:
        return weft_refuse_space(world, weft_refusal_of(WEFT_NO_MEMORY, component, handle));
    case WEFT_CHANGE_HAS_RULES:
        break;
    }
    weft_batch_begin(world->batch, handle);
    if (on ? weft_batch_set(world->batch, component, value, &why)
           : weft_batch_remove(world->batch, component, &why)) {
        return commit_call(world, handle, component);
    }
    return weft_refuse(world, why);
}

bool weft_component_set(weft_world *world, uint64_t handle, uint32_t component, const void *value)
{
    weft_place at;
    if (weft_busy(world, "set" WEFT_RECORDED)) return false;
    if (!weft_find(&world->entities, world->plan->format, handle, &at)) {
        return weft_refuse(world, weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle));
    }
    return change_call(world, handle, at, component, value, true);
}

bool weft_tag_set(weft_world *world, uint64_t handle, uint32_t component)
{
    return weft_component_set(world, handle, component, NULL);
}

bool weft_component_remove(weft_world *world, uint64_t handle, uint32_t component)
{
    weft_place at;
    if (weft_busy(world, "remove" WEFT_RECORDED)) return false;
    if (!weft_find(&world->entities, world->plan->format, handle, &at)) {
        return weft_refuse(world, weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle));
    }
    if (!weft_row_has(world->plan, world->tables.items[at.table], at.row, component)) {
        return weft_refuse(world, weft_refusal_of(WEFT_NOT_FOUND, component, handle));
    }
    return change_call(world, handle, at, component, NULL, false);
}

bool weft_prefab_set(weft_world *world, uint64_t handle, uint32_t prefab, const void *value)
{
    weft_refusal why = weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle);
    if (weft_busy(world, "set" WEFT_RECORDED)) return false;
    if (!weft_batch_begin(world->batch, handle) ||
        !weft_batch_set_prefab(world->batch, prefab, value, &why)) {
        return weft_refuse(world, why);
    }
    return commit_call(world, handle, WEFT_NONE);
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

bool weft_despawn(weft_world *world, uint64_t handle)
{
    weft_place at;
    if (!weft_find_direct(&world->entities, world->plan->format, handle, &at)) {
        return !weft_busy(world, "despawn" WEFT_RECORDED) &&
               weft_refuse(world, weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle));
    }
    weft_despawn_whole(world, handle, at);
    return true;
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
