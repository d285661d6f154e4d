// Copies links. A link between two members connects their copies. A link with one member keeps its
// outer end, if the options keep parents and that entity is alive in the target.
//
// Entities that return under their own handles have kept their links, so only bits are written.
//
// The lists get the links of the copies before the copies exist, as the last step that needs memory.
// If that fails, these links are removed again.
#include "links.h"

#include "../edit/linking.h"
#include "nodes.h"
#include "values.h"

#include <string.h>

// A link that is copied.
typedef struct copied_link {
    uint32_t link;       // its kind
    weft_link_ends from; // of the original
    weft_link_ends to;   // of the copy
} copied_link;

typedef bool copied_link_step(weft_copying *c, const copied_link *l);

// Finds the index in the target of the end of a copied link. Returns false if there is none.
static bool copied_end(const weft_copying *c, uint32_t index, uint32_t *to, bool *inside)
{
    weft_format f = c->members.format;
    uint32_t member = *weft_member_slot(&c->members, index);
    weft_place at;
    *inside = member != 0;
    if (member != 0) {
        *to = weft_member_index(&c->members, c->members.items[member - 1].to);
        return true;
    }
    uint64_t handle = weft_link_handle(c->from, f, index);
    *to = index;
    return c->options->parents && weft_find(&c->to->entities, f, handle, &at);
}

// Visits the links in one list of a member. A link between two members is visited in the list
// `from`. The step may move lists of the same world, so each entry is looked up again.
static bool each_listed(weft_copying *c, uint32_t link, const weft_member *member, bool from,
                        copied_link_step *step)
{
    const weft_links *links = &c->from->links[link];
    const weft_adjacency *adjacency = from ? &links->from : &links->to;
    uint32_t index = weft_member_index(&c->members, member->from);
    uint32_t copy = weft_member_index(&c->members, member->to);
    for (uint32_t chunk = 0, i = 0;; i++) {
        weft_adjacent list = weft_adjacent_of(adjacency, index);
        weft_adjacent_run run = weft_adjacent_part(adjacency, list, chunk);
        if (run.count == 0) return true;
        if (i == run.count) {
            chunk++;
            i = UINT32_MAX; // the next is 0
            continue;
        }
        uint32_t other = run.others[i];
        uint32_t end;
        bool inside;
        if (!copied_end(c, other, &end, &inside) || (inside && !from)) continue;
        copied_link l = {.link = link,
                         .from = {from ? index : other, from ? other : index, true},
                         .to = {from ? copy : end, from ? end : copy, true}};
        l.to = weft_link_ends_stored(&c->to->links[link], l.to);
        if (!step(c, &l)) return false;
    }
}

// Visits all links that are copied, until a step returns false.
static bool each_copied(weft_copying *c, copied_link_step *step)
{
    for (uint32_t link = 0; link < c->to->plan->link_count; link++) {
        for (uint32_t i = 0; c->from->links[link].count != 0 && i < c->members.count; i++) {
            const weft_member *member = &c->members.items[i];
            if (!each_listed(c, link, member, true, step)) return false;
            if (!each_listed(c, link, member, false, step)) return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Memory

// Makes space for the hidden tags of an end, whose original or outer entity has this index.
static bool end_tags_ready(weft_copying *c, uint32_t link, uint32_t index)
{
    weft_format f = c->members.format;
    const weft_link_plan *plan = &c->to->plan->links[link];
    uint32_t member = *weft_member_slot(&c->members, index);
    weft_table *table = member != 0
                            ? weft_copy_table(c, member - 1)
                            : c->to->tables.items[weft_place_of(&c->to->entities, f, index).table];
    return weft_copy_hidden_ready(c, table, plan->from_tag) &&
           weft_copy_hidden_ready(c, table, plan->to_tag);
}

static bool tags_ready(weft_copying *c, const copied_link *l)
{
    return end_tags_ready(c, l->link, l->from.from) && end_tags_ready(c, l->link, l->from.to);
}

// Makes space for the bits of entities that return under their own handles and have kept links.
static bool kept_ready(weft_copying *c)
{
    for (uint32_t link = 0; link < c->to->plan->link_count; link++) {
        const weft_link_plan *plan = &c->to->plan->links[link];
        const weft_links *links = &c->to->links[link];
        for (uint32_t i = 0; links->count != 0 && i < c->members.count; i++) {
            uint32_t index = weft_member_index(&c->members, c->members.items[i].to);
            if (!weft_link_any(links, index, true) && !weft_link_any(links, index, false)) continue;
            weft_table *table = weft_copy_table(c, i);
            if (!weft_copy_hidden_ready(c, table, plan->from_tag) ||
                !weft_copy_hidden_ready(c, table, plan->to_tag)) {
                return false;
            }
        }
    }
    return true;
}

static void write_kept(weft_copying *c)
{
    for (uint32_t link = 0; link < c->to->plan->link_count; link++) {
        for (uint32_t i = 0; c->to->links[link].count != 0 && i < c->members.count; i++) {
            uint32_t index = weft_member_index(&c->members, c->members.items[i].to);
            weft_link_write_bits(c->to, link, index);
        }
    }
}

bool weft_copy_links_ready(weft_copying *c)
{
    if (c->options->same_handles) return kept_ready(c);
    return c->from->linked == 0 || each_copied(c, tags_ready);
}

static bool add_copied(weft_copying *c, const copied_link *l)
{
    if (!weft_link_room(c->to, l->link, l->to)) return false;
    const weft_link_plan *plan = &c->to->plan->links[l->link];
    weft_link_add_alone(c->to, l->link, l->to, plan->defaults);
    c->links_added++;
    if (plan->size == 0) return true;
    // The new entry may have moved the original one in the same list, so it is looked up only now.
    memcpy(weft_link_value(c->to, l->link, l->to.from, l->to.to),
           weft_link_value(c->from, l->link, l->from.from, l->from.to), plan->size);
    return true;
}

static bool remove_copied(weft_copying *c, const copied_link *l)
{
    if (c->links_added == 0) return false;
    weft_link_remove_alone(c->to, l->link, l->to);
    c->links_added--;
    return true;
}

bool weft_copy_links_add(weft_copying *c)
{
    bool none = c->options->same_handles || c->from->linked == 0;
    if (none || each_copied(c, add_copied)) return true;
    (void)each_copied(c, remove_copied);
    return false;
}

// ------------------------------------------------------------------------------------------------
// Copies

static bool finish_copied(weft_copying *c, const copied_link *l)
{
    weft_copy_link_value(c, l->link, weft_link_value(c->to, l->link, l->to.from, l->to.to));
    weft_link_added(c->to, l->link, l->to);
    return true;
}

void weft_copy_links(weft_copying *c)
{
    if (c->options->same_handles) write_kept(c);
    if (c->links_added != 0) (void)each_copied(c, finish_copied);
}

static bool tell_copied(weft_copying *c, const copied_link *l)
{
    weft_link_tell_added(c->to, l->link, l->to);
    return true;
}

void weft_copy_links_tell(weft_copying *c)
{
    if (c->links_added != 0) (void)each_copied(c, tell_copied);
}
