// Walks all values of a world by the reflection tables.
#include "values.h"

#include "record/event.h"
#include "record/removals.h"
#include "value/visit.h"
#include "world/links.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void check_fields(const weft_schema *schema, const weft_field *fields, uint32_t count,
                         const unsigned char *value);

static void check_element(const weft_schema *schema, const weft_field *field,
                          const unsigned char *element)
{
    const weft_struct_info *inner = weft_field_struct(schema, field);
    uint64_t bits = inner ? 0 : weft_bits_read(element, field->element_size);
    if (inner) check_fields(schema, inner->fields, inner->field_count, element);
    if (field->type == WEFT_TYPE_BOOL) assert_true(bits <= 1);
    if (field->type == WEFT_TYPE_ENUM) assert_true(bits < schema->enums[field->of].count);
}

static void check_fields(const weft_schema *schema, const weft_field *fields, uint32_t count,
                         const unsigned char *value)
{
    for (uint32_t i = 0; i < count; i++) {
        const weft_field *field = &fields[i];
        const unsigned char *member = value + field->offset;
        if (field->shape == WEFT_SHAPE_STRING) {
            assert_non_null(memchr(member, '\0', field->count));
            continue;
        }
        if (field->shape == WEFT_SHAPE_LIST) {
            assert_true(weft_bits_read(member, sizeof(uint32_t)) <= field->count);
        }
        for (uint32_t k = 0; k < weft_member_count(field, member); k++) {
            check_element(schema, field,
                          member + field->items_offset + (size_t)k * field->element_size);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Where they lie

// Visits values, of a struct or of a field alone.
typedef struct visit {
    void (*see)(struct visit *v, const weft_field *fields, uint32_t count, unsigned char *value,
                uint32_t size);
    const weft_schema *schema;
    values_place place;
    unsigned char with;
    size_t *seen;
} visit;

static void visit_values(visit *v, const weft_field *fields, uint32_t field_count,
                         unsigned char *values, uint32_t size, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        v->see(v, fields, field_count, values + (size_t)i * size, size);
    }
}

static void visit_table(visit *v, const weft_plan *plan, const weft_table *table)
{
    v->place = VALUES_IN_TABLES;
    for (uint32_t column = 1; column < plan->first_bitset; column++) {
        uint32_t c = plan->columns[column].component;
        unsigned char *rows = (unsigned char *)weft_column(table, column);
        const weft_component_info *info = &plan->schema->components[c];
        uint32_t number = column - plan->components[c].first_column;
        weft_field alone = info->fields[info->soa ? number : 0];
        alone.offset = 0;
        if (!rows) continue;
        visit_values(v, info->soa ? &alone : info->fields, info->soa ? 1 : info->field_count, rows,
                     plan->columns[column].size, table->count);
    }
}

static void visit_component(visit *v, values_place place, uint32_t component,
                            const weft_region *values, uint32_t count)
{
    const weft_component_info *info = &v->schema->components[component];
    v->place = place;
    visit_values(v, info->fields, info->field_count, values->base, info->size, count);
}

static void visit_links(visit *v, const weft_world *world, uint32_t link)
{
    const weft_link_info *info = &world->plan->schema->links[link];
    weft_link_runs runs = weft_link_runs_begin(world, link, 0, UINT32_MAX);
    while (info->size != 0 && weft_link_runs_next(&runs)) {
        visit_values(v, info->fields, info->field_count, runs.run.values, info->size,
                     runs.run.count);
    }
}

static void visit_world(visit *v, const weft_world *world)
{
    const weft_plan *plan = world->plan;
    const weft_schema *schema = v->schema = plan->schema;
    for (uint32_t i = 0; i < world->tables.count; i++) {
        visit_table(v, plan, world->tables.items[i]);
    }
    for (uint32_t i = 0; i < plan->sparse_count; i++) {
        const weft_sparse *store = &world->sparse[i];
        visit_component(v, VALUES_IN_STORES, plan->sparse_components[i], &store->values,
                        weft_sparse_count(store));
    }
    for (uint32_t i = 0; i < plan->removal_count; i++) {
        const weft_removed *log = &world->changes.removed[i];
        uint32_t count = plan->removals[i].value ? log->count : 0;
        visit_component(v, VALUES_IN_REMOVALS, plan->removals[i].component, &log->values, count);
    }
    v->place = VALUES_IN_SINGLETONS;
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        unsigned char *value = (unsigned char *)(uintptr_t)world + info->offset;
        visit_values(v, info->fields, info->field_count, value, info->size, 1);
    }
    v->place = VALUES_IN_EVENTS;
    for (uint32_t i = 0; i < plan->event_count; i++) {
        const weft_event_info *info = &schema->events[i];
        const weft_event_log *log = &world->events.logs[i];
        visit_values(v, info->fields, info->field_count, log->values.base, info->size, log->count);
    }
    v->place = VALUES_IN_LINKS;
    for (uint32_t i = 0; i < plan->link_count; i++) visit_links(v, world, i);
}

// ------------------------------------------------------------------------------------------------
// Acts on them

static void check_value(visit *v, const weft_field *fields, uint32_t count, unsigned char *value,
                        uint32_t size)
{
    (void)size;
    check_fields(v->schema, fields, count, value);
}

void values_check(const weft_world *world)
{
    visit_world(&(visit){.see = check_value}, world);
}

#define VALUE_BYTES 65536 // of the largest value here

// Which bytes of a value mean something.
typedef struct meaning {
    const unsigned char *value;
    bool meant[VALUE_BYTES];
} meaning;

static bool mean(weft_visitor *v, const weft_leaves *leaves)
{
    meaning *m = (meaning *)v->context;
    const unsigned char *at = leaves->at;
    for (size_t i = 0; i < leaves->count; i++, at += leaves->stride) {
        bool string = leaves->type == WEFT_TYPE_CHAR;
        uint32_t bytes = string ? weft_string_bytes(leaves->field, at) + 1 : leaves->bytes;
        memset(m->meant + (at - m->value), true, bytes); // of a string with the NUL
    }
    return true;
}

static const meaning *meaning_of(const weft_schema *schema, const weft_field *fields,
                                 uint32_t count, unsigned char *value, uint32_t size)
{
    static meaning m;
    assert_true(size <= VALUE_BYTES);
    m.value = value;
    memset(m.meant, false, size);
    weft_visitor v = {.schema = schema,
                      .leaves = mean,
                      .context = &m,
                      .types = WEFT_VISIT_ALL,
                      .only_saved = true};
    weft_visit_values(&v, fields, count, value, 0, 1);
    return &m;
}

static void spoil_value(visit *v, const weft_field *fields, uint32_t count, unsigned char *value,
                        uint32_t size)
{
    const meaning *m = meaning_of(v->schema, fields, count, value, size);
    for (uint32_t i = 0; i < size; i++) {
        if (m->meant[i]) continue;
        value[i] = v->with;
        v->seen[v->place]++;
    }
}

void values_spoil(weft_world *world, unsigned char with, size_t spoilt[VALUES_PLACES])
{
    visit_world(&(visit){.see = spoil_value, .with = with, .seen = spoilt}, world);
}

static void count_stray(visit *v, const weft_field *fields, uint32_t count, unsigned char *value,
                        uint32_t size)
{
    const meaning *m = meaning_of(v->schema, fields, count, value, size);
    for (uint32_t i = 0; i < size; i++) *v->seen += !m->meant[i] && value[i] != 0;
}

size_t values_stray(weft_world *world)
{
    size_t stray = 0;
    visit_world(&(visit){.see = count_stray, .seen = &stray}, world);
    return stray;
}
