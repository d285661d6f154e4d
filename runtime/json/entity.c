// Entities: their components as one batch, by the same words whether in a world or alone.
#include "../change/batch.h"
#include "../plan/names.h"
#include "../world/rows.h"
#include "reader.h"

#include <string.h>

// What the fields are that the text leaves out.
static void put_current(const weft_json_reader *in, uint32_t component, unsigned char *value)
{
    const weft_world *world = in->world;
    const weft_component_info *info = &world->plan->schema->components[component];
    const weft_batch *batch = world->batch;
    memcpy(value, info->defaults, info->size);
    if (in->whole || !weft_set_has(batch->had, component)) return;
    const weft_table *table = world->tables.items[batch->from.table];
    const void *current = weft_row_value(world, table, batch->from.row, component, value);
    if (current != value) memcpy(value, current, info->size);
}

bool weft_json_take_struct(weft_json_reader *in, const weft_field *fields, uint32_t count,
                           void *value)
{
    bool maps = in->whole && in->stage != WEFT_JSON_JUDGE;
    weft_json_values v = {&in->text, in->seen, maps ? weft_json_handle_here : NULL, in};
    return weft_json_fields(&v, fields, count, value);
}

static bool take_tag(weft_json_text *t)
{
    bool on;
    if (!weft_json_bool(t, &on)) return false;
    return on || weft_json_refuse(t, WEFT_BAD_VALUE, "a tag is true, or left out");
}

// A component into the batch.
static bool take_component(weft_json_reader *in, uint32_t component)
{
    const weft_schema *schema = in->world->plan->schema;
    const weft_component_info *info = &schema->components[component];
    weft_refusal why;
    void *value = NULL;
    if (info->storage == WEFT_STORAGE_TAG) {
        if (!take_tag(&in->text)) return false;
    } else {
        value = weft_json_take_room(in, info->size);
        if (!value) return false;
        put_current(in, component, (unsigned char *)value);
        if (!weft_json_take_struct(in, info->fields, info->field_count, value)) return false;
    }
    if (weft_batch_set(in->world->batch, component, value, &why)) return true;
    return weft_json_refuse(&in->text, WEFT_REFUSED,
                            "it cannot be there with '%s': one excludes the other",
                            schema->components[why.other].name);
}

// While a world is judged nobody is at hand.
static void begin_batch(weft_json_reader *in)
{
    weft_batch *batch = in->world->batch;
    if (in->handle == 0)
        weft_batch_begin_new(batch, 0);
    else
        weft_batch_begin(batch, in->handle);
}

static bool take_components(weft_json_reader *in)
{
    const weft_schema *schema = in->world->plan->schema;
    weft_json_members members = {.kind = "component",
                                 .records = schema->components,
                                 .record_bytes = sizeof *schema->components,
                                 .count = schema->component_count,
                                 .seen = in->names};
    uint32_t component;
    in->values_used = 0;
    begin_batch(in);
    while (weft_json_next_member(&in->text, &members, &component)) {
        if (!take_component(in, component)) return false;
    }
    if (in->text.status != WEFT_OK) return false;
    return in->stage != WEFT_JSON_ENTITIES || weft_batch_commit(in->world->batch) ||
           weft_json_no_memory(in);
}

// The id comes before the components, or it could not be known whose they are.
static bool take_id(weft_json_reader *in)
{
    uint64_t id;
    if (!weft_json_id(&in->text, &id)) return false;
    if (!in->whole) return true;
    if (in->stage == WEFT_JSON_JUDGE) return weft_json_add_person(in, id);
    in->handle = weft_json_handle_here(in, id);
    return true;
}

// Members of an entity, in this order. In a world the relations have the parents.
static const char *const parts[] = {"id", "components", "parents"};
enum { ID, COMPONENTS, PARENTS, PART_COUNT };

static bool take_part(weft_json_reader *in, uint32_t part)
{
    if (part == ID) return take_id(in);
    return part == PARENTS ? weft_json_take_parents(in) : take_components(in);
}

static bool take_member(weft_json_reader *in, const char *name, uint32_t *next)
{
    uint32_t part = weft_name_find(parts, sizeof *parts, in->whole ? PARENTS : PART_COUNT, name);
    if (part == WEFT_NO_NAME || part < *next || (part == PARENTS && *next != PARENTS)) {
        return weft_json_refuse(&in->text, WEFT_BAD_VALUE,
                                "an entity has one 'id', then 'components'%s",
                                in->whole ? "" : ", then 'parents'");
    }
    if (in->whole && part > *next) {
        return weft_json_refuse(&in->text, WEFT_BAD_VALUE, "an entity begins with its 'id'");
    }
    *next = part + 1;
    return take_part(in, part);
}

bool weft_json_take_entity(weft_json_reader *in)
{
    weft_json_text *t = &in->text;
    char name[WEFT_JSON_NAME_BYTES];
    uint32_t next = ID;
    if (!weft_json_take(t, '{', "'{'")) return false;
    for (bool first = true; weft_json_more(t, '}', first); first = false) {
        if (!weft_json_key(t, name, sizeof name)) return false;
        if (!take_member(in, name, &next)) return false;
    }
    if (t->status != WEFT_OK) return false;
    return next > COMPONENTS ||
           weft_json_refuse(t, WEFT_BAD_VALUE, "an entity lacks its 'components'");
}
