// Changes the handles inside copied values: a handle of the set becomes that of the copy, and the
// options or the field decide about all others.
#include "values.h"

#include "../value/visit.h"

// Changes the handles of one leaf in many values. Inlined with each width of handles.
WEFT_ALWAYS_INLINE void change_run(const weft_members *from, const weft_leaves *leaves,
                                   uint32_t bytes, bool kept)
{
    const weft_members members = *from; // so that the compiler knows that writes do not change it
    unsigned char *at = leaves->at;
    for (size_t i = 0; i < leaves->count; i++, at += leaves->stride) {
        uint64_t handle = weft_bits_read(at, bytes);
        if (handle == 0) continue;
        uint32_t slot = *weft_member_slot(&members, weft_member_index(&members, handle));
        bool inside = slot != 0 && members.items[slot - 1].from == handle;
        if (!inside && kept) continue;
        weft_bits_write(at, bytes, inside ? members.items[slot - 1].to : 0);
    }
}

static bool change_copied(weft_visitor *v, const weft_leaves *leaves)
{
    const weft_copying *c = (const weft_copying *)v->context;
    bool kept = c->options->outside == WEFT_OUTSIDE_KEPT ||
                (c->options->outside == WEFT_OUTSIDE_DECLARED && !leaves->field->outside_none);
    if (c->members.format.handle_bytes == 2) {
        change_run(&c->members, leaves, 2, kept);
    } else if (c->members.format.handle_bytes == 4) {
        change_run(&c->members, leaves, 4, kept);
    } else {
        change_run(&c->members, leaves, 8, kept);
    }
    return true;
}

static weft_visitor visitor_of(weft_copying *c)
{
    return (weft_visitor){.schema = c->to->plan->schema,
                          .leaves = change_copied,
                          .context = c,
                          .types = WEFT_VISIT(WEFT_TYPE_ENTITY)};
}

// Returns whether handles stay as they are.
static bool all_stay(const weft_copying *c)
{
    return c->options->same_handles && c->options->outside == WEFT_OUTSIDE_KEPT;
}

void weft_copy_value(weft_copying *c, uint32_t component, void *value)
{
    const weft_component_info *info = &c->to->plan->schema->components[component];
    weft_visitor v = visitor_of(c);
    if (!c->to->plan->components[component].has_entities || all_stay(c)) return;
    weft_visit_values(&v, info->fields, info->field_count, value, 0, 1);
}

void weft_copy_link_value(weft_copying *c, uint32_t link, void *value)
{
    const weft_link_info *info = &c->to->plan->schema->links[link];
    weft_visitor v = visitor_of(c);
    if (!c->to->plan->links[link].has_entities || all_stay(c)) return;
    weft_visit_values(&v, info->fields, info->field_count, value, 0, 1);
}

static void change_component(weft_copying *c, const weft_copy_group *g, uint32_t component)
{
    const weft_plan *plan = c->to->plan;
    const weft_component_info *info = &plan->schema->components[component];
    const weft_column_plan *column = &plan->columns[plan->components[component].first_column];
    weft_visitor v = visitor_of(c);
    for (uint32_t i = 0; i < info->field_count; i++) {
        void *members = weft_row_member(plan, g->to, g->first, component, i);
        weft_visit_members(&v, &info->fields[i], members, column[info->soa ? i : 0].size, g->count);
    }
}

void weft_copy_values(weft_copying *c, const weft_copy_group *g)
{
    const weft_plan *plan = c->to->plan;
    if (all_stay(c)) return;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        for (uint64_t bits = g->to->set[word]; bits != 0;) {
            uint32_t component = word * 64 + weft_bits_pop(&bits);
            if (plan->components[component].has_entities) change_component(c, g, component);
        }
    }
}
