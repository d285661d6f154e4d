// Finds the meaningless bytes of a save. The world is saved as it is, and twice by a schema in
// which each value is an array of meaningful bytes; except for the schema section these saves have
// one layout. The meaningless bytes have different values in these two saves, so they are the bytes
// in which the two differ.
#include "raw.h"

#include "parts.h"
#include "save/save.h"
#include "values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DECLARATIONS = 64, FIELDS = 512 };

typedef struct raw_schema {
    weft_schema schema;
    weft_component_info components[DECLARATIONS];
    weft_singleton_info singletons[DECLARATIONS];
    weft_event_info events[DECLARATIONS];
    weft_field fields[FIELDS];
    uint32_t field_count;
} raw_schema;

static weft_field *add_bytes(raw_schema *raw, uint32_t size)
{
    assert_true(raw->field_count < FIELDS);
    weft_field *field = &raw->fields[raw->field_count++];
    *field = (weft_field){.name = "bytes",
                          .type = WEFT_TYPE_U8,
                          .shape = WEFT_SHAPE_ARRAY,
                          .save = true,
                          .size = size,
                          .element_size = 1,
                          .count = size};
    return field;
}

// The columns of a component that is an array for each field keep their number and their sizes.
static void make_component_raw(raw_schema *raw, weft_component_info *info)
{
    const weft_field *fields = info->fields;
    if (info->field_count == 0) return;
    info->fields = &raw->fields[raw->field_count];
    for (uint32_t i = 0; info->soa && i < info->field_count; i++) add_bytes(raw, fields[i].size);
    if (!info->soa) add_bytes(raw, info->size);
    if (!info->soa) info->field_count = 1;
}

static const weft_schema *make_raw(raw_schema *raw, const weft_schema *schema)
{
    raw->schema = *schema;
    raw->field_count = 0;
    assert_true(schema->component_count <= DECLARATIONS && schema->event_count <= DECLARATIONS &&
                schema->singleton_count <= DECLARATIONS);
    for (uint32_t i = 0; i < schema->component_count; i++) {
        raw->components[i] = schema->components[i];
        make_component_raw(raw, &raw->components[i]);
    }
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        raw->singletons[i] = schema->singletons[i];
        raw->singletons[i].fields = add_bytes(raw, schema->singletons[i].size);
        raw->singletons[i].field_count = 1;
    }
    for (uint32_t i = 0; i < schema->event_count; i++) {
        raw->events[i] = schema->events[i];
        raw->events[i].fields = add_bytes(raw, schema->events[i].size);
        raw->events[i].field_count = 1;
    }
    raw->schema.components = raw->components;
    raw->schema.singletons = raw->singletons;
    raw->schema.events = raw->events;
    return &raw->schema;
}

static unsigned char *save(weft_world *world, parts *p, size_t *count)
{
    void *bytes;
    assert_int_equal(weft_world_save_memory(world, &bytes, count), WEFT_OK);
    assert_true(parts_find(p, (unsigned char *)bytes, *count));
    return (unsigned char *)bytes;
}

// Makes a save whose meaningless bytes are all `stray`, with numbers as they lie in memory.
static unsigned char *save_stray(weft_world *world, unsigned char stray, parts *p, size_t *count)
{
    static raw_schema raw;
    size_t spoilt[VALUES_PLACES] = {0};
    const weft_plan *plan = world->plan;
    weft_plan raw_plan = *plan;
    values_spoil(world, stray, spoilt);
    raw_plan.schema = make_raw(&raw, plan->schema);
    world->plan = &raw_plan;
    unsigned char *bytes = save(world, p, count);
    world->plan = plan;
    return bytes;
}

unsigned char *raw_save(weft_world *world, unsigned char stray, size_t *count)
{
    parts whole, p;
    size_t counts[2];
    unsigned char *bytes = save(world, &whole, count);
    unsigned char *one = save_stray(world, stray, &p, &counts[0]);
    unsigned char *other = save_stray(world, (unsigned char)~stray, &p, &counts[1]);
    assert_int_equal(counts[0], counts[1]);
    assert_int_equal(whole.count, p.count);
    for (uint32_t i = 0; i < whole.count; i++) {
        if (whole.items[i].kind == WEFT_SECTION_SCHEMA) continue;
        assert_int_equal(whole.items[i].count, p.items[i].count);
        for (size_t k = 0; k < whole.items[i].count; k++) {
            size_t at = p.items[i].at + k;
            if (one[at] != other[at]) bytes[whole.items[i].at + k] = stray;
        }
    }
    free(one);
    free(other);
    parts_mend(&whole, bytes, *count);
    return bytes;
}
