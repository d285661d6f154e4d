// Grants: values that allow a system or a hook, and helpers that it passes them to, to access data
// besides its rows.
//
// A grant is a struct that contains one pointer, its door. Each grant's door has its own incomplete
// type. The door points to the world, to the view of a query of changes, or to the stage of an
// event. A context stores grants whose door is the world in a union with its sealed part, which
// begins with the world. So filling in these grants costs nothing.
#ifndef WEFT_GRANT_H
#define WEFT_GRANT_H

#include "../world/report.h"

// Returns whether a system or a hook of this world runs, so that grants are valid.
static inline bool weft_grants_hold(const weft_world *world)
{
    // While systems run in parallel another thread may write `running`, so it is not read then.
    return world->now.in_parallel || weft_world_is_running(world);
}

// Returns whether the system that this thread runs has a grant: a kind of access, and the number of
// the component, query, relation or state. Returns true if no system can be named, for example
// because a hook runs. Only asserts call this.
bool weft_has_grant(const weft_world *world, weft_access_kind kind, uint32_t of);

// Returns the world behind the door of a grant. Debug builds assert that a system or a hook runs: a
// grant is invalid after the call that it was given to.
static inline weft_world *weft_granted(const void *door)
{
    WEFT_ASSERT(door != NULL, ==, true, "a grant was used that no system or hook was given");
    weft_world *world = (weft_world *)(uintptr_t)door;
    WEFT_ASSERT(weft_grants_hold(world), ==, true,
                "a grant was used after the system or hook that it was given to");
    return world;
}

// Like weft_granted, but debug builds also assert that the running system has the grant. It could
// be a copy that another system kept, or made by hand.
static inline weft_world *weft_granted_as(const void *door, weft_access_kind kind, uint32_t of)
{
    weft_world *world = weft_granted(door);
    WEFT_ASSERT(weft_has_grant(world, kind, of), ==, true,
                "a grant was used by a system that does not have it");
    (void)kind;
    (void)of;
    return world;
}

// Like weft_granted_as, for the grant of a component or tag.
static inline weft_world *weft_granted_value(const void *door, uint32_t component, bool write)
{
    return weft_granted_as(door, write ? WEFT_ACCESS_LOOKUP_WRITE : WEFT_ACCESS_LOOKUP_READ,
                           component);
}

// Returns the view of a grant for a query of changes: which changes the query shows its system.
static inline weft_view weft_granted_view(const void *door)
{
    WEFT_ASSERT(door != NULL, ==, true, "a grant was used that no system or hook was given");
    weft_view seen = *(const weft_view *)door;
    (void)weft_granted(seen.world);
    return seen;
}

#endif
