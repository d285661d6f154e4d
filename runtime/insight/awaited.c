// The value that a stop depends on, and which writers may change it.
#include "awaited.h"

#include "../value/fields.h"
#include "../world/relation.h"
#include "../world/rows.h"

const unsigned char *weft_stop_value(const weft_world *world, const weft_stop *stop)
{
    const weft_plan *plan = world->plan;
    weft_place at;
    const weft_owner owner = stop->owner;
    if (owner.singleton) {
        return (const unsigned char *)world + plan->schema->singletons[owner.of].offset;
    }
    if (!weft_find(&world->entities, plan->format, stop->handle, &at)) return NULL;
    if (owner.relation) {
        unsigned char *links = (unsigned char *)world->observers.watching->links;
        weft_node link = weft_node_of(world, plan->format, owner.of, stop->handle);
        weft_handle_write(plan->schema, links, weft_node_handle(world, plan->format, link.parent));
        weft_handle_write(plan->schema, links + plan->schema->handle_bytes,
                          weft_node_handle(world, plan->format, link.parent ? link.next : 0));
        return links;
    }
    const weft_table *table = world->tables.items[at.table];
    if (!weft_row_has(plan, table, at.row, owner.of)) return NULL;
    return (const unsigned char *)weft_row_value(world, table, at.row, owner.of,
                                                 world->observers.watching->plain);
}

bool weft_stop_is_about(const weft_world *world, const weft_stop *stop, const uint64_t *set)
{
    const uint32_t components = world->plan->schema->component_count;
    if (stop->kind == WEFT_STOP_VALUE || stop->kind == WEFT_STOP_CHANGE) {
        uint32_t place = stop->owner.of + (stop->owner.singleton ? components : 0);
        return !stop->owner.relation && weft_set_has(set, place);
    }
    for (uint32_t i = 0; stop->kind == WEFT_STOP_ANY && i < stop->program->test_count; i++) {
        const weft_select_test *test = &stop->program->tests[i];
        if (weft_select_is_of_component(test) && weft_set_has(set, test->of)) return true;
    }
    return false;
}

bool weft_was_alive(const weft_world *world, uint64_t handle)
{
    weft_format f = world->plan->format;
    uint32_t index = weft_handle_index(f, handle);
    if (index >= world->entities.index_count) return false;
    weft_wide_record record = weft_record_at(&world->entities, f, index);
    uint64_t generation = handle >> f.index_bits;
    if (record.generation != 0) return generation <= record.generation;
    return record.table == 0 || generation < record.table; // 0 if the index is retired
}
