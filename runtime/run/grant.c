#include "grant.h"

#include <string.h>

// The system that a thread found last. It is kept because a system uses its grants many times in
// one turn.
typedef struct found_system {
    const weft_schema *schema;
    const char *name;
    const weft_system_info *system;
} found_system;

static WEFT_THREAD_LOCAL found_system found_last;

static const weft_system_info *named_system(const weft_schema *schema, const char *name)
{
    for (uint32_t i = 0; i < schema->system_count; i++) {
        if (strcmp(schema->systems[i].name, name) == 0) return &schema->systems[i];
    }
    return NULL; // several systems run as one loop
}

static const weft_system_info *running_system(const weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    const char *name = weft_here.system;
    if (weft_here.world != world || name == NULL) return NULL;
    if (found_last.schema != schema || found_last.name != name) {
        found_last = (found_system){schema, name, named_system(schema, name)};
    }
    return found_last.system;
}

bool weft_has_grant(const weft_world *world, weft_access_kind kind, uint32_t of)
{
    // A hook may read everything. It may run while systems run in parallel, and then only its own
    // thread knows that it runs. So reading is checked only if no systems run in parallel.
    const bool writes = kind == WEFT_ACCESS_LOOKUP_WRITE || kind == WEFT_ACCESS_SINGLETON_WRITE ||
                        kind == WEFT_ACCESS_LINK_WRITE;
    if (!writes && (world->now.in_parallel || !weft_is_phase(world->now.running))) return true;
    const weft_system_info *system = running_system(world);
    for (uint32_t i = 0; system && i < system->access_count; i++) {
        weft_access access = system->access[i];
        if (access.of != of) continue;
        if (access.kind == kind) return true;
        if (access.kind == WEFT_ACCESS_LOOKUP_WRITE && kind == WEFT_ACCESS_LOOKUP_READ) return true;
        if (access.kind == WEFT_ACCESS_LINK_WRITE && kind == WEFT_ACCESS_LINK_READ) return true;
    }
    return system == NULL;
}
