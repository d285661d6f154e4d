// Copies the nodes of relations. Nodes between members are copied with the order of the children.
// Parents outside of the set are kept if the options say so.
//
// The parents of all members are found once, while memory is taken. Only relations with a node in
// the source are visited.
#include "nodes.h"

#include "../edit/nodes.h"
#include "../world/rows.h"

// The parent of a member is 0 (no parent), a member (its number + 1), or:
#define PARENT_OUTSIDE UINT32_MAX

// One relation of a copy.
typedef struct copied_relation {
    uint32_t number;
    const weft_relation *from;
    weft_relation *to;
    const weft_relation_plan *plan; // NULL: nodes have no reactions
    uint32_t *parents;              // by member
    bool tags;                      // rows have bits
} copied_relation;

static bool open_copied(const weft_copying *c, uint32_t number, uint32_t nth, copied_relation *r)
{
    const weft_relation_plan *plan = weft_reaction_of(c->to, number);
    *r = (copied_relation){
        .number = number,
        .from = &c->from->relations[number],
        .to = &c->to->relations[number],
        .plan = plan,
        .parents = c->parents + (size_t)nth * c->members.count,
        .tags = plan && (plan->attached != WEFT_NONE || plan->parents != WEFT_NONE),
    };
    return r->from->attached != 0;
}

// Returns the node of the original of a member. It has none if all links are 0.
static weft_node original_node(const weft_copying *c, const copied_relation *r, uint32_t i)
{
    static const weft_node none;
    uint32_t index = weft_member_index(&c->members, c->members.items[i].from);
    return index < r->from->capacity ? weft_nodes(r->from)[index] : none;
}

// Returns the node of the copy of a member.
static weft_node *copy_node(const weft_copying *c, const copied_relation *r, uint32_t i)
{
    return &weft_nodes(r->to)[weft_member_index(&c->members, c->members.items[i].to)];
}

static uint32_t copy_link(const weft_copying *c, uint32_t i)
{
    return weft_member_index(&c->members, c->members.items[i].to) + 1;
}

// Returns the number + 1 of the member with a link (index + 1), or 0. It is often the member
// `guess`.
static inline uint32_t member_of_link(const weft_members *m, uint32_t link, uint32_t guess)
{
    bool guessed = guess < m->count && weft_member_index(m, m->items[guess].from) == link - 1;
    return guessed ? guess + 1 : *weft_member_slot(m, link - 1);
}

// ------------------------------------------------------------------------------------------------
// Memory

// Returns the handle of a parent that is not a member if the copy keeps it, else 0.
static uint64_t outside_parent(const weft_copying *c, const copied_relation *r, uint32_t i)
{
    weft_format f = c->members.format;
    uint64_t handle = weft_handle_of(&c->from->entities, f, original_node(c, r, i).parent - 1);
    weft_place at;
    return c->options->parents && weft_find(&c->to->entities, f, handle, &at) ? handle : 0;
}

bool weft_copy_hidden_ready(weft_copying *c, weft_table *table, uint16_t tag)
{
    const weft_plan *plan = c->to->plan;
    if (tag == WEFT_NONE) return true;
    c->counts[tag]++;
    uint32_t column = weft_bitset_column(plan, &plan->components[tag]);
    return weft_bitset_open(&c->to->heap, plan, table, column);
}

weft_table *weft_copy_table(const weft_copying *c, uint32_t i)
{
    const weft_table *from = c->from->tables.items[c->members.items[i].at.table];
    return c->to == c->from ? c->to->tables.items[from->id]
                            : weft_tables_find(&c->to->tables, c->to->plan, from->set);
}

// Makes space for the bits of a child and its parent. `outside` is the handle of a parent that is
// not a member.
static bool node_bits_ready(weft_copying *c, const copied_relation *r, uint32_t i, uint64_t outside)
{
    weft_table *above;
    if (!r->tags) return true;
    if (outside == 0) {
        above = weft_copy_table(c, r->parents[i] - 1);
    } else {
        uint32_t index = weft_handle_index(c->members.format, outside);
        above =
            c->to->tables.items[weft_place_of(&c->to->entities, c->members.format, index).table];
    }
    return weft_copy_hidden_ready(c, weft_copy_table(c, i), r->plan->attached) &&
           weft_copy_hidden_ready(c, above, r->plan->parents);
}

static bool relation_ready(weft_copying *c, const copied_relation *r)
{
    uint32_t last = 0;
    uint32_t highest = 0; // highest link that gets a node
    for (uint32_t i = 0; i < c->members.count; i++) {
        uint32_t link = original_node(c, r, i).parent;
        uint64_t outside = 0;
        uint32_t parent = link == 0 ? 0 : member_of_link(&c->members, link, last);
        if (parent != 0) {
            last = parent - 1;
        } else if (link != 0) {
            outside = outside_parent(c, r, i);
            parent = outside != 0 ? PARENT_OUTSIDE : 0;
        }
        r->parents[i] = parent;
        if (parent == 0) continue;
        uint32_t above = outside != 0 ? weft_handle_index(c->members.format, outside) + 1
                                      : copy_link(c, parent - 1);
        if (above > highest) highest = above;
        if (copy_link(c, i) > highest) highest = copy_link(c, i);
        if (!node_bits_ready(c, r, i, outside)) return false;
    }
    return highest == 0 || weft_nodes_ready(c->to, r->to, highest - 1);
}

bool weft_copy_nodes_ready(weft_copying *c)
{
    copied_relation r;
    uint32_t nth = 0;
    for (uint32_t i = 0; i < c->to->plan->schema->relation_count; i++) {
        if (open_copied(c, i, nth, &r) && !relation_ready(c, &r)) return false;
        nth += r.from->attached != 0;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Copies

// Returns the number + 1 of the next sibling of a member that is a member, or 0.
static uint32_t next_copied_sibling(const weft_copying *c, const copied_relation *r, uint32_t i)
{
    uint32_t next = original_node(c, r, i).next;
    while (next != 0) {
        uint32_t member = member_of_link(&c->members, next, i + 1);
        if (member != 0) return member;
        next = weft_node_at(r->from, next)->next;
    }
    return 0;
}

// Links the copies of members whose parents are members. Returns their number.
static uint32_t link_members(weft_copying *c, const copied_relation *r)
{
    uint32_t linked = 0;
    for (uint32_t i = 0; i < c->members.count; i++) {
        if (r->parents[i] == 0 || r->parents[i] == PARENT_OUTSIDE) continue;
        weft_node *node = copy_node(c, r, i);
        uint32_t next = next_copied_sibling(c, r, i);
        linked++;
        node->parent = copy_link(c, r->parents[i] - 1);
        if (next == 0) continue;
        node->next = copy_link(c, next - 1);
        copy_node(c, r, next - 1)->previous = copy_link(c, i);
    }
    for (uint32_t i = 0; linked != 0 && i < c->members.count; i++) {
        if (r->parents[i] == 0 || r->parents[i] == PARENT_OUTSIDE) continue;
        const weft_node *node = copy_node(c, r, i);
        if (node->previous == 0) copy_node(c, r, r->parents[i] - 1)->first_child = copy_link(c, i);
    }
    return linked;
}

// Links the first children of members to the last.
static void close_rings(const weft_copying *c, const copied_relation *r)
{
    for (uint32_t i = 0; i < c->members.count; i++) {
        if (r->parents[i] == 0 || r->parents[i] == PARENT_OUTSIDE) continue;
        if (copy_node(c, r, i)->next != 0) continue;
        uint32_t first = copy_node(c, r, r->parents[i] - 1)->first_child;
        weft_node_at(r->to, first)->previous = copy_link(c, i);
    }
}

// Lists of children of members are complete before a copy is attached to another entity.
static void copy_relation(weft_copying *c, const copied_relation *r)
{
    uint32_t linked = link_members(c, r);
    if (linked != 0 && r->to->rings) close_rings(c, r);
    r->to->attached += linked;
    r->to->version += linked;
    c->to->attached += linked;
    for (uint32_t i = 0; linked != 0 && r->tags && i < c->members.count; i++) {
        bool inside = r->parents[i] != 0 && r->parents[i] != PARENT_OUTSIDE;
        if (inside) weft_reaction_attached(c->to, r->number, copy_link(c, i), 0);
    }
    for (uint32_t i = 0; i < c->members.count; i++) {
        if (r->parents[i] != PARENT_OUTSIDE) continue;
        uint64_t parent = outside_parent(c, r, i);
        weft_node_place_new(c->to, r->number, copy_link(c, i),
                            weft_handle_index(c->members.format, parent) + 1);
    }
}

void weft_copy_nodes(weft_copying *c)
{
    copied_relation r;
    uint32_t nth = 0;
    for (uint32_t i = 0; i < c->to->plan->schema->relation_count; i++) {
        bool linked = open_copied(c, i, nth, &r);
        if (linked) copy_relation(c, &r);
        nth += linked;
    }
}
