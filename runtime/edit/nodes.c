// Attaching and detaching.
//
// To refuse circles, attaching walks up from the parent and through the descendants of the child in
// turns, and stops when either walk ends. Therefore long chains grow in constant time at both ends.
#include "nodes.h"

#include "../world/rows.h"
#include "../world/tree.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// A child among its siblings

void weft_unlink_alone(weft_world *world, weft_relation *relation, uint32_t child)
{
    weft_node *node = weft_node_at(relation, child);
    uint32_t before = relation->rings ? weft_child_before(relation, child) : node->previous;
    if (before == 0) {
        weft_node_at(relation, node->parent)->first_child = node->next;
    } else {
        weft_node_at(relation, before)->next = node->next;
    }
    if (node->next != 0) {
        weft_node_at(relation, node->next)->previous = node->previous;
    } else if (before != 0 && relation->rings) {
        uint32_t first = weft_node_at(relation, node->parent)->first_child;
        weft_node_at(relation, first)->previous = before;
    }
    node->parent = node->next = node->previous = 0;
    relation->attached--;
    relation->version++;
    world->attached--;
}

WEFT_APART void weft_unlink_told(weft_world *world, uint32_t relation, uint32_t child)
{
    weft_relation *r = &world->relations[relation];
    uint32_t parent = weft_node_at(r, child)->parent;
    weft_reaction_tell(world, world->plan->relations[relation].on_detach, child, parent);
    weft_unlink_alone(world, r, child);
    weft_reaction_detached(world, relation, child, parent);
}

// From now on, first children refer to the last ones.
static void make_rings(weft_relation *relation)
{
    for (uint32_t child = 1; child <= relation->capacity && !relation->rings; child++) {
        const weft_node *node = weft_node_at(relation, child);
        if (node->parent == 0 || node->next != 0) continue;
        uint32_t first = weft_node_at(relation, node->parent)->first_child;
        weft_node_at(relation, first)->previous = child;
    }
    relation->rings = true;
}

// Makes a root a child of an entity, before the child `next`, or last if that is 0, which requires
// rings. It is inline because a call would take a tenth of the time of an attach.
WEFT_ALWAYS_INLINE void link_before(weft_world *world, weft_relation *relation, uint32_t child,
                                    uint32_t parent, uint32_t next)
{
    weft_node *node = weft_node_at(relation, child);
    weft_node *above = weft_node_at(relation, parent);
    uint32_t first = above->first_child;
    node->parent = parent;
    node->next = next;
    if (next == first) {
        above->first_child = child;
        if (relation->rings)
            node->previous = first == 0 ? child : weft_node_at(relation, first)->previous;
        if (first != 0) weft_node_at(relation, first)->previous = child;
    } else {
        weft_node *behind = weft_node_at(relation, next == 0 ? first : next);
        node->previous = behind->previous;
        behind->previous = child;
        weft_node_at(relation, node->previous)->next = child;
    }
    relation->attached++;
    relation->version++;
    world->attached++;
}

// Moves an entity below a parent: first if `first`, else before the child `next`, or last if that
// is 0. Its memory is ready.
WEFT_ALWAYS_INLINE void relink_alone(weft_world *world, weft_relation *r, uint32_t child,
                                     uint32_t parent, uint32_t next, bool first)
{
    if (!first && next == 0) make_rings(r);
    if (weft_node_at(r, child)->parent != 0) weft_unlink_alone(world, r, child);
    link_before(world, r, child, parent, first ? weft_node_at(r, parent)->first_child : next);
}

// Attaching to the current parent has no reactions: the entity only moves among its siblings.
WEFT_APART static void relink_told(weft_world *world, uint32_t relation, uint32_t child,
                                   uint32_t parent, uint32_t next, bool first)
{
    const weft_relation_plan *plan = &world->plan->relations[relation];
    weft_relation *r = &world->relations[relation];
    uint32_t before = weft_node_at(r, child)->parent;
    bool other = before != parent;
    if (other && before != 0) weft_reaction_tell(world, plan->on_detach, child, before);
    relink_alone(world, r, child, parent, next, first);
    if (other) weft_reaction_attached(world, relation, child, before);
    weft_world_changed_in_place(world);
    if (other) weft_reaction_tell(world, plan->on_attach, child, parent);
}

// Like relink_alone, with all reactions.
WEFT_ALWAYS_INLINE void relink(weft_world *world, uint32_t relation, uint32_t child,
                               uint32_t parent, uint32_t next, bool first)
{
    if (WEFT_UNLIKELY(world->plan->relations != NULL)) {
        relink_told(world, relation, child, parent, next, first);
        return;
    }
    relink_alone(world, &world->relations[relation], child, parent, next, first);
    weft_world_changed_in_place(world);
}

// Returns whether an entity is `above` or below it. One walk goes up from `below`, another through
// all descendants of `above`, in turns, and the shorter one decides. If `below` is a descendant,
// the walk up arrives before the walk down ends: the walk down takes at least one step for each
// level, the walk up exactly one.
static bool is_below(const weft_relation *relation, uint32_t below, uint32_t above)
{
    uint32_t up = below;
    uint32_t down = above;
    uint32_t depth = 0;
    while (up != 0 && down != 0) {
        if (up == above) return true;
        up = weft_node_at(relation, up)->parent;
        down = weft_next_below(relation, above, down, &depth);
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// Calls

weft_status weft_node_ready(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    weft_format f = world->plan->format;
    weft_relation *r = &world->relations[relation];
    uint32_t below = weft_handle_index(f, child);
    uint32_t above = weft_handle_index(f, parent);
    weft_place at;
    if (!weft_find(&world->entities, f, child, &at) ||
        !weft_find(&world->entities, f, parent, &at)) {
        return WEFT_DEAD;
    }
    if (!weft_nodes_ready(world, r, below > above ? below : above)) return WEFT_NO_MEMORY;
    if (is_below(r, above + 1, below + 1)) return WEFT_REFUSED;
    if (WEFT_UNLIKELY(world->plan->relations != NULL) &&
        !weft_reaction_ready(world, relation, below + 1, above + 1)) {
        return WEFT_NO_MEMORY;
    }
    return WEFT_OK;
}

weft_status weft_node_ready_in(weft_world *world, uint32_t relation, uint64_t child,
                               uint64_t parent, weft_table *table)
{
    weft_status status = weft_node_ready(world, relation, child, parent);
    if (status != WEFT_OK) return status;
    if (!table) return WEFT_NO_MEMORY;
    const weft_relation_plan *plan = weft_reaction_of(world, relation);
    if (!plan || plan->attached == WEFT_NONE) return WEFT_OK;
    uint32_t column = weft_bitset_column(world->plan, &world->plan->components[plan->attached]);
    bool opened = weft_bitset_open(&world->heap, world->plan, table, column);
    return opened ? WEFT_OK : WEFT_NO_MEMORY;
}

// Makes an entity a child of another: the first if `first`, else the last.
WEFT_ALWAYS_INLINE weft_status link_child(weft_world *world, uint32_t relation, uint64_t child,
                                          uint64_t parent, bool first)
{
    weft_format f = world->plan->format;
    uint32_t below = weft_handle_index(f, child) + 1;
    uint32_t above = weft_handle_index(f, parent) + 1;
    weft_status status = weft_node_ready(world, relation, child, parent);
    if (status == WEFT_OK) relink(world, relation, below, above, 0, first);
    return status;
}

void weft_node_place(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    const weft_relation_plan *plan = weft_reaction_of(world, relation);
    weft_format f = world->plan->format;
    uint32_t below = weft_handle_index(f, child) + 1;
    uint32_t above = weft_handle_index(f, parent) + 1;
    relink(world, relation, below, above, 0, !plan || !plan->append);
}

void weft_node_place_new(weft_world *world, uint32_t relation, uint32_t child, uint32_t parent)
{
    const weft_relation_plan *plan = weft_reaction_of(world, relation);
    weft_relation *r = &world->relations[relation];
    bool first = !plan || !plan->append;
    if (!first) make_rings(r);
    link_before(world, r, child, parent, first ? weft_node_at(r, parent)->first_child : 0);
    if (plan) weft_reaction_attached(world, relation, child, 0);
}

// Like weft_node_place_new for the parts of a tree, with all reactions.
WEFT_APART static void place_tree_told(weft_world *world, const weft_tree *tree,
                                       const uint64_t *handles)
{
    weft_format f = world->plan->format;
    for (uint32_t i = 1; i < tree->part_count; i++) {
        const weft_tree_part *part = &tree->parts[i];
        weft_node_place_new(world, part->relation, weft_handle_index(f, handles[i]) + 1,
                            weft_handle_index(f, handles[part->above]) + 1);
    }
}

// Without reactions this is a loop, because a call for each part would take longer than linking it.
void weft_nodes_place_tree(weft_world *world, const weft_tree *tree, const uint64_t *handles)
{
    const uint32_t mask = weft_index_mask(world->plan->format);
    const weft_tree_part *part = tree->parts + 1;
    if (WEFT_UNLIKELY(world->plan->relations != NULL)) {
        place_tree_told(world, tree, handles);
        return;
    }
    for (uint32_t i = 1; i < tree->part_count; i++, part++) {
        weft_relation *r = &world->relations[part->relation];
        uint32_t below = ((uint32_t)handles[i] & mask) + 1;
        uint32_t above = ((uint32_t)handles[part->above] & mask) + 1;
        link_before(world, r, below, above, weft_node_at(r, above)->first_child);
    }
}

weft_status weft_node_attach(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    return link_child(world, relation, child, parent, true);
}

weft_status weft_node_append(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    return link_child(world, relation, child, parent, false);
}

weft_status weft_node_insert_before(weft_world *world, uint32_t relation, uint64_t child,
                                    uint64_t sibling)
{
    weft_format f = world->plan->format;
    uint32_t one = weft_handle_index(f, child) + 1;
    uint32_t next = weft_handle_index(f, sibling) + 1;
    weft_place at;
    if (!weft_find(&world->entities, f, child, &at) ||
        !weft_find(&world->entities, f, sibling, &at)) {
        return WEFT_DEAD;
    }
    if (child == sibling) return WEFT_REFUSED;
    uint64_t parent = weft_parent(world, f, relation, sibling);
    if (parent == 0) return WEFT_NOT_FOUND;
    weft_status status = weft_node_ready(world, relation, child, parent);
    uint32_t above = weft_handle_index(f, parent) + 1;
    if (status == WEFT_OK) relink(world, relation, one, above, next, false);
    return status;
}

weft_status weft_node_detach(weft_world *world, uint32_t relation, uint64_t child)
{
    weft_format f = world->plan->format;
    weft_relation *r = &world->relations[relation];
    uint32_t index = weft_handle_index(f, child);
    weft_place at;
    if (!weft_find(&world->entities, f, child, &at)) return WEFT_DEAD;
    if (index >= r->capacity || weft_nodes(r)[index].parent == 0) return WEFT_NOT_FOUND;
    weft_unlink(world, relation, index + 1);
    weft_world_changed_in_place(world);
    return WEFT_OK;
}

// Returns whether an attach would be allowed now. An entity that is not spawned yet has no node.
static bool may_attach(const weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    weft_format f = world->plan->format;
    const weft_relation *r = &world->relations[relation];
    uint32_t below = weft_handle_index(f, child);
    uint32_t above = weft_handle_index(f, parent);
    weft_place at;
    if (weft_handle_is_ahead(&world->entities, f, parent)) return true;
    if (!weft_find(&world->entities, f, parent, &at) || child == parent) return false;
    return below >= r->capacity || above >= r->capacity || !is_below(r, above + 1, below + 1);
}

bool weft_command_attach(weft_commands *commands, weft_command_kind kind, uint16_t relation,
                         uint64_t child, const void *value, size_t bytes)
{
    uint64_t parent;
    weft_command *c = weft_command_append(commands, kind, relation, child, bytes);
    if (!c) return false;
    memcpy(&parent, value, sizeof parent);
    memcpy(weft_command_value(c), value, bytes);
    if (may_attach(commands->world, relation, child, parent)) c->role = WEFT_ROLE_IN_TIME;
    return true;
}
