// The nodes of relations: their options, and their memory.
#include "relation.h"

#include "links.h"

bool weft_tells_of_ends(const weft_plan *plan)
{
    bool tells = plan->on_despawn != NULL;
    for (uint32_t i = 0; i < plan->component_count; i++)
        tells |= plan->components[i].on_remove != NULL;
    return tells;
}

void weft_relations_open(weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    uint32_t count = schema->relation_count;
    uint32_t ending = 0;
    for (uint32_t i = 0; i < count; i++) {
        world->relations[i].ends = schema->relations[i].on_parent_despawn == WEFT_DESPAWN;
        ending += world->relations[i].ends;
    }
    bool meets = ending > 1 && weft_tells_of_ends(world->plan);
    for (uint32_t i = 0; i < count; i++) {
        world->relations[i].meets = meets && world->relations[i].ends;
    }
}

// ------------------------------------------------------------------------------------------------
// Memory

// Returns the number of indices with nodes.
static uint32_t count_links(const weft_world *world, const weft_relation *relation)
{
    size_t capacity = relation->nodes.bytes / sizeof(weft_node);
    size_t limit = world->entities.index_limit;
    return (uint32_t)(capacity < limit ? capacity : limit);
}

static size_t met_bytes(size_t indices)
{
    return weft_round_up(indices, 64) / 8;
}

// Returns whether an index has a parent or children.
static bool is_linked(const weft_node *node)
{
    return node->parent != 0 || node->first_child != 0;
}

bool weft_nodes_grow(weft_world *world, weft_relation *relation, uint32_t index)
{
    size_t limit = (size_t)world->entities.index_limit;
    if (!weft_region_grow(&world->heap, &relation->nodes, ((size_t)index + 1) * sizeof(weft_node),
                          limit * sizeof(weft_node))) {
        return false;
    }
    uint32_t capacity = count_links(world, relation);
    if (relation->meets &&
        !weft_region_grow(&world->heap, &relation->met, met_bytes(capacity), met_bytes(limit))) {
        return false;
    }
    if (!weft_ending_ready(world, capacity - 1)) return false;
    relation->capacity = capacity;
    return true;
}

bool weft_relations_trim(weft_world *world)
{
    bool trimmed = true;
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        weft_relation *r = &world->relations[i];
        uint32_t kept = r->attached == 0 ? 0 : r->capacity;
        while (kept != 0 && !is_linked(weft_node_at(r, kept))) kept--;
        trimmed = weft_region_trim(&world->heap, &r->nodes, kept * sizeof(weft_node)) && trimmed;
        r->capacity = count_links(world, r);
        trimmed = weft_region_trim(&world->heap, &r->met, met_bytes(r->capacity)) && trimmed;
    }
    return trimmed;
}
