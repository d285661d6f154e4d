// Walks the links of all members, again for each step. A link between two members is found in the
// list of its `from`.
#include "links.h"

#include "../edit/linking.h"
#include "../edit/reaction.h"
#include "../world/rows.h"
#include "nodes.h"
#include "values.h"

// The links of the members, one after the other.
typedef struct copied_links {
    weft_copying *c;
    uint32_t link; // the kind
    uint32_t member;
    bool side;      // false: links from the member, true: links to it
    uint32_t chunk; // of its list
    uint32_t at;    // in the chunk
    weft_link_ends was;
    weft_link_ends ends; // of the copy, as it is stored
} copied_links;

// Returns the other end of a link of a copy in *other: the copy of a member, or an entity outside of
// the set. Returns false if the link is not copied.
static bool other_end(const copied_links *l, uint32_t *other)
{
    const weft_copying *c = l->c;
    weft_format f = c->members.format;
    uint32_t member = *weft_member_slot(&c->members, *other);
    weft_place at;
    if (member != 0) {
        *other = weft_member_index(&c->members, c->members.items[member - 1].to);
        return !l->side;
    }
    uint64_t handle = weft_handle_of(&c->from->entities, f, *other);
    return c->options->outer && weft_find(&c->to->entities, f, handle, &at);
}

// Returns whether the link between the current member and another original is copied.
static bool link_is_copied(copied_links *l, uint32_t other)
{
    const weft_members *members = &l->c->members;
    uint32_t was = weft_member_index(members, members->items[l->member].from);
    uint32_t is = weft_member_index(members, members->items[l->member].to);
    l->was = l->side ? (weft_link_ends){other, was, true} : (weft_link_ends){was, other, true};
    if (!other_end(l, &other)) return false;
    weft_link_ends ends = {l->side ? other : is, l->side ? is : other, true};
    l->ends = weft_link_ends_stored(&l->c->to->links[l->link], ends);
    return true;
}

// Goes to the other list of the member, or to the next member or kind.
static void next_list(copied_links *l)
{
    l->chunk = l->at = 0;
    l->side = !l->side;
    if (l->side) return;
    if (++l->member < l->c->members.count) return;
    l->member = 0;
    l->link++;
}

static bool next_copied_link(copied_links *l)
{
    const weft_members *members = &l->c->members;
    const weft_world *from = l->c->from;
    while (from->linked != 0 && l->link < from->plan->link_count) {
        const weft_links *links = &from->links[l->link];
        if (links->count == 0) {
            l->link++;
            continue;
        }
        const weft_adjacency *adjacency = l->side ? &links->to : &links->from;
        uint32_t index = weft_member_index(members, members->items[l->member].from);
        weft_adjacent list = weft_adjacent_of(adjacency, index);
        weft_adjacent_run part = weft_adjacent_part(adjacency, list, l->chunk);
        if (part.count == 0) {
            next_list(l);
        } else if (l->at == part.count) {
            l->chunk++;
            l->at = 0;
        } else if (link_is_copied(l, part.others[l->at++])) {
            return true;
        }
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// Memory

// Makes space for a bit of one end, given by the index of the original. An entity outside of the set
// has the same index in the target.
static bool end_ready(weft_copying *c, uint32_t was, uint16_t tag)
{
    uint32_t member = *weft_member_slot(&c->members, was);
    if (tag == WEFT_NONE) return true;
    return member != 0 ? weft_copy_hidden_ready(c, weft_copied_table(c, member - 1), tag)
                       : weft_hidden_tag_ready(c->to, was + 1, tag);
}

bool weft_copy_links_ready(weft_copying *c)
{
    for (copied_links l = {.c = c}; next_copied_link(&l);) {
        const weft_link_plan *plan = &c->to->plan->links[l.link];
        bool ready =
            end_ready(c, l.was.from, plan->from_tag) && end_ready(c, l.was.to, plan->to_tag);
        if (ready && plan->symmetric) { // both ends get both bits
            ready =
                end_ready(c, l.was.from, plan->to_tag) && end_ready(c, l.was.to, plan->from_tag);
        }
        if (!ready) return false;
    }
    return true;
}

bool weft_copy_links_add(weft_copying *c)
{
    uint64_t added = 0;
    bool room = true;
    for (copied_links l = {.c = c}; next_copied_link(&l); added++) {
        const weft_link_info *info = &c->to->plan->schema->links[l.link];
        room = weft_link_room(c->to, l.link, l.ends);
        if (!room) break;
        const void *was =
            info->size == 0 ? NULL : weft_link_value(c->from, l.link, l.was.from, l.was.to);
        weft_link_add_alone(c->to, l.link, l.ends, was);
        if (!c->to->plan->links[l.link].has_entities) continue;
        void *value = weft_link_value(c->to, l.link, l.ends.from, l.ends.to);
        weft_copy_fields(c, info->fields, info->field_count, value);
    }
    if (room) return true;
    for (copied_links l = {.c = c}; added != 0 && next_copied_link(&l); added--) {
        weft_link_remove_alone(c->to, l.link, l.ends);
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// Consequences

void weft_copy_links_show(weft_copying *c)
{
    for (copied_links l = {.c = c}; next_copied_link(&l);) weft_link_show(c->to, l.link, l.ends);
}

void weft_copy_links_tell(weft_copying *c)
{
    for (copied_links l = {.c = c}; next_copied_link(&l);) {
        weft_link_tell_added(c->to, l.link, l.ends);
    }
}
