// The bits of rows and the hooks that follow when an entity is attached or detached.
#include "reaction.h"

#include "../record/removals.h"
#include "../world/rows.h"

static uint64_t entity_handle(const weft_world *world, uint32_t entity)
{
    return weft_handle_of(&world->entities, world->plan->format, entity - 1);
}

static weft_table *table_with(const weft_world *world, uint32_t entity, uint32_t *row)
{
    weft_place at = weft_place_of(&world->entities, world->plan->format, entity - 1);
    *row = at.row;
    return world->tables.items[at.table];
}

bool weft_hidden_tag_ready(weft_world *world, uint32_t entity, uint16_t tag)
{
    uint32_t row;
    return tag == WEFT_NONE ||
           weft_component_ready(world, table_with(world, entity, &row), tag, 1, entity - 1, 1);
}

WEFT_APART bool weft_reaction_ready(weft_world *world, uint32_t relation, uint32_t child,
                                    uint32_t parent)
{
    const weft_relation_plan *plan = &world->plan->relations[relation];
    const weft_relation *r = &world->relations[relation];
    return (weft_node_at(r, child)->parent != 0 ||
            weft_hidden_tag_ready(world, child, plan->attached)) &&
           (weft_node_at(r, parent)->first_child != 0 ||
            weft_hidden_tag_ready(world, parent, plan->parents));
}

void weft_hidden_tag_write(weft_world *world, uint32_t entity, uint16_t tag, bool on)
{
    uint32_t row;
    if (tag == WEFT_NONE) return;
    weft_table *table = table_with(world, entity, &row);
    if (weft_row_has(world->plan, table, row, tag) == on) return;
    if (!on) weft_losing(world, weft_loss_of(world, table, row, tag));
    weft_component_write(world, table, row, tag, NULL, on);
}

void weft_reaction_tell(weft_world *world, weft_hook hook, uint32_t child, uint32_t parent)
{
    if (hook)
        weft_hook_call_link(world, hook, entity_handle(world, child), entity_handle(world, parent));
}

void weft_reaction_attached(weft_world *world, uint32_t relation, uint32_t child, uint32_t before)
{
    const weft_relation_plan *plan = &world->plan->relations[relation];
    const weft_relation *r = &world->relations[relation];
    uint32_t parent = weft_node_at(r, child)->parent;
    uint32_t row;
    if (before == 0) {
        weft_hidden_tag_write(world, child, plan->attached, true);
    } else {
        if (weft_node_at(r, before)->first_child == 0)
            weft_hidden_tag_write(world, before, plan->parents, false);
        if (plan->attached != WEFT_NONE) {
            const weft_table *table = table_with(world, child, &row);
            weft_row_changed(world->plan, table, row, plan->attached);
        }
    }
    weft_hidden_tag_write(world, parent, plan->parents, true);
}

void weft_reaction_detached(weft_world *world, uint32_t relation, uint32_t child, uint32_t parent)
{
    const weft_relation_plan *plan = &world->plan->relations[relation];
    const weft_relation *r = &world->relations[relation];
    weft_hidden_tag_write(world, child, plan->attached, false);
    if (weft_node_at(r, parent)->first_child == 0)
        weft_hidden_tag_write(world, parent, plan->parents, false);
}

void weft_hooks_parents(weft_world *world, uint32_t index, bool attached)
{
    for (uint32_t i = 0; world->plan->relations && i < world->plan->schema->relation_count; i++) {
        const weft_relation_plan *plan = &world->plan->relations[i];
        const weft_relation *r = &world->relations[i];
        uint32_t parent = index < r->capacity ? weft_nodes(r)[index].parent : 0;
        if (parent == 0) continue;
        weft_reaction_tell(world, attached ? plan->on_attach : plan->on_detach, index + 1, parent);
    }
}

void weft_hooks_all_parents(weft_world *world, bool attached)
{
    bool any = world->hooks && world->plan->relations && world->attached != 0;
    for (uint32_t i = 0; any && i < world->entities.index_count; i++) {
        weft_hooks_parents(world, i, attached);
    }
}
