// Copies the nodes of relations. Nodes between members are copied with the order of the children.
// Parents outside of the set are kept if the options say so.
#include "../edit/nodes.h"
#include "../record/removals.h"
#include "../world/rows.h"
#include "copying.h"

// The parent of a member in a relation, and the entity of the target that its copy is attached to.
typedef struct copied_parent {
    weft_member *member; // the parent, if it is a member
    uint64_t outside;    // else its handle if it is alive in the target; 0: no parent
} copied_parent;

static copied_parent copied_parent_of(const weft_copying *c, uint32_t relation,
                                      const weft_member *child)
{
    const weft_relation *r = &c->from->relations[relation];
    weft_format f = c->to->plan->format;
    uint32_t index = weft_handle_index(f, child->from);
    uint32_t parent = index < r->capacity ? weft_nodes(r)[index].parent : 0;
    weft_place at;
    if (parent == 0) return (copied_parent){NULL, 0};
    weft_member *member = weft_member_find(&c->members, f, parent - 1);
    if (member) return (copied_parent){member, 0};
    uint64_t handle = weft_handle_of(&c->from->entities, f, parent - 1);
    bool kept = c->options->parents && weft_find(&c->to->entities, f, handle, &at);
    return (copied_parent){NULL, kept ? handle : 0};
}

// ------------------------------------------------------------------------------------------------
// Memory

bool weft_copy_hidden_ready(weft_copying *c, weft_table *table, uint16_t tag)
{
    const weft_plan *plan = c->to->plan;
    if (tag == WEFT_NONE) return true;
    c->counts[tag]++;
    uint32_t column = weft_bitset_column(plan, &plan->components[tag]);
    return weft_bitset_open(&c->to->heap, plan, table, column);
}

weft_table *weft_copy_table(const weft_copying *c, const weft_member *member)
{
    const weft_table *from = c->from->tables.items[member->at.table];
    return c->to == c->from ? c->to->tables.items[from->id]
                            : weft_tables_find(&c->to->tables, c->to->plan, from->set);
}

static bool copied_node_ready(weft_copying *c, uint32_t relation, const weft_member *child,
                              copied_parent parent)
{
    weft_format f = c->to->plan->format;
    const weft_relation_plan *plan = weft_reaction_of(c->to, relation);
    uint64_t handle = parent.member ? parent.member->to : parent.outside;
    weft_relation *r = &c->to->relations[relation];
    if (!weft_nodes_ready(c->to, r, weft_handle_index(f, child->to)) ||
        !weft_nodes_ready(c->to, r, weft_handle_index(f, handle))) {
        return false;
    }
    if (!plan) return true;
    uint32_t above = weft_place_of(&c->to->entities, f, weft_handle_index(f, handle)).table;
    weft_table *table = parent.member ? weft_copy_table(c, parent.member) : c->to->tables.items[above];
    return weft_copy_hidden_ready(c, weft_copy_table(c, child), plan->attached) &&
           weft_copy_hidden_ready(c, table, plan->parents);
}

bool weft_copy_nodes_ready(weft_copying *c)
{
    for (uint32_t r = 0; r < c->to->plan->schema->relation_count; r++) {
        for (uint32_t i = 0; c->from->relations[r].attached != 0 && i < c->members.count; i++) {
            copied_parent parent = copied_parent_of(c, r, &c->members.items[i]);
            if (!parent.member && parent.outside == 0) continue;
            if (!copied_node_ready(c, r, &c->members.items[i], parent)) return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Copies

// Copies the children of a member that are members, in their order. `parent` is index + 1 of the
// original.
static void copy_children(weft_copying *c, uint32_t relation, const weft_member *parent)
{
    weft_format f = c->to->plan->format;
    const weft_relation *from = &c->from->relations[relation];
    weft_relation *to = &c->to->relations[relation];
    uint32_t above = weft_handle_index(f, parent->to) + 1;
    uint32_t child = weft_nodes(from)[weft_handle_index(f, parent->from)].first_child;
    uint32_t last = 0;
    for (; child != 0; child = weft_node_at(from, child)->next) {
        const weft_member *member = weft_member_find(&c->members, f, child - 1);
        if (!member) continue;
        uint32_t copy = weft_handle_index(f, member->to) + 1;
        weft_node *node = weft_node_at(to, copy);
        node->parent = above;
        node->previous = last;
        if (last == 0) weft_node_at(to, above)->first_child = copy;
        if (last != 0) weft_node_at(to, last)->next = copy;
        last = copy;
        to->attached++;
        to->version++;
        c->to->attached++;
    }
    if (last != 0 && to->rings) {
        weft_node_at(to, weft_node_at(to, above)->first_child)->previous = last;
    }
}

// Links the copies of a relation. Parents inside of the set come first, so that the lists of their
// children are empty.
static void copy_links(weft_copying *c, uint32_t relation)
{
    weft_format f = c->to->plan->format;
    uint32_t *parents = c->spare; // by member: whether it is the parent of a member
    uint32_t linked = 0;
    for (uint32_t i = 0; i < c->members.count; i++) parents[i] = 0;
    for (uint32_t i = 0; i < c->members.count; i++) {
        copied_parent parent = copied_parent_of(c, relation, &c->members.items[i]);
        if (parent.member) parents[parent.member - c->members.items] = 1;
        linked += parent.member || parent.outside != 0;
    }
    if (linked == 0) return;
    for (uint32_t i = 0; i < c->members.count; i++) {
        if (parents[i] != 0) copy_children(c, relation, &c->members.items[i]);
    }
    for (uint32_t i = 0; i < c->members.count; i++) {
        copied_parent parent = copied_parent_of(c, relation, &c->members.items[i]);
        uint32_t child = weft_handle_index(f, c->members.items[i].to) + 1;
        if (parent.outside != 0) {
            uint32_t outside = weft_handle_index(f, parent.outside) + 1;
            weft_node_place_new(c->to, relation, child, outside);
        } else if (parent.member && weft_reaction_of(c->to, relation)) {
            weft_reaction_attached(c->to, relation, child, 0);
        }
    }
}

void weft_copy_nodes(weft_copying *c)
{
    for (uint32_t r = 0; r < c->to->plan->schema->relation_count; r++) {
        if (c->from->relations[r].attached != 0) copy_links(c, r);
    }
}
