// Layouts are worked out here. All of them lie in one block: the structs, then columns, values and
// bitsets of all prefabs.
#include "layout.h"

#include "../world/rows.h"

// The number of columns, values and bitsets in all prefabs together.
typedef struct layout_parts {
    size_t columns;
    size_t values;
    size_t bitsets;
} layout_parts;

static layout_parts count_parts(const weft_plan *plan)
{
    layout_parts p = {0, 0, 0};
    for (uint32_t i = 0; i < plan->prefab_count; i++) {
        for (uint32_t c = 0; c < plan->component_count; c++) {
            if (!weft_set_has(plan->prefabs[i].set, c)) continue;
            p.columns += plan->components[c].column_count;
            p.values += plan->components[c].sparse != WEFT_NONE;
            p.bitsets += plan->components[c].bitset != WEFT_NONE;
        }
    }
    return p;
}

static size_t layouts_bytes(const weft_plan *plan)
{
    layout_parts p = count_parts(plan);
    return plan->prefab_count * sizeof(weft_prefab_layout) +
           p.columns * sizeof(weft_prefab_layout_column) +
           p.values * sizeof(weft_prefab_layout_value) + p.bitsets * sizeof(uint32_t);
}

static weft_source source_of(const weft_plan *plan, const weft_prefab_plan *prefab,
                             uint32_t component)
{
    for (uint32_t i = 0; i < prefab->component_count; i++) {
        if (prefab->components[i] == component) return (weft_source){NULL, prefab->offsets[i]};
    }
    return (weft_source){(const unsigned char *)plan->components[component].defaults, 0};
}

static void add_component(const weft_plan *plan, const weft_prefab_plan *prefab,
                          weft_prefab_layout *layout, uint32_t component)
{
    const weft_component_plan *c = &plan->components[component];
    weft_source source = source_of(plan, prefab, component);
    for (uint32_t i = 0; i < c->column_count; i++) {
        uint32_t column = (uint32_t)c->first_column + i;
        const weft_column_plan *p = &plan->columns[column];
        weft_source field = {source.defaults, source.offset + p->offset};
        layout->columns[layout->column_count++] =
            (weft_prefab_layout_column){column, p->size, field};
    }
    if (c->sparse != WEFT_NONE) {
        layout->values[layout->value_count++] =
            (weft_prefab_layout_value){c->sparse, source, c->defaults};
    }
    if (c->bitset != WEFT_NONE) {
        layout->bitsets[layout->bitset_count++] = weft_bitset_column(plan, c);
    }
}

bool weft_prefab_layouts_open(weft_world *world)
{
    const weft_plan *plan = world->plan;
    layout_parts all = count_parts(plan);
    if (plan->prefab_count == 0) return true;
    world->prefab_layouts =
        (weft_prefab_layout *)weft_allocate_zeroed(&world->heap, layouts_bytes(plan));
    if (!world->prefab_layouts) return false;
    weft_prefab_layout_column *columns =
        (weft_prefab_layout_column *)(void *)(world->prefab_layouts + plan->prefab_count);
    weft_prefab_layout_value *values = (weft_prefab_layout_value *)(void *)(columns + all.columns);
    uint32_t *bitsets = (uint32_t *)(void *)(values + all.values);
    for (uint32_t i = 0; i < plan->prefab_count; i++) {
        weft_prefab_layout *layout = &world->prefab_layouts[i];
        layout->columns = columns;
        layout->values = values;
        layout->bitsets = bitsets;
        for (uint32_t c = 0; c < plan->component_count; c++) {
            if (weft_set_has(plan->prefabs[i].set, c)) {
                add_component(plan, &plan->prefabs[i], layout, c);
            }
        }
        columns += layout->column_count;
        values += layout->value_count;
        bitsets += layout->bitset_count;
    }
    return true;
}

void weft_prefab_layouts_close(weft_world *world)
{
    weft_free(&world->heap, world->prefab_layouts, layouts_bytes(world->plan));
}
