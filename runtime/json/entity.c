// Entities, in a world or alone: their components become one batch.
#include "entity.h"

#include "../change/batch.h"
#include "../plan/names.h"
#include "../world/rows.h"
#include "ids.h"
#include "links.h"
#include "values.h"

#include <string.h>

// Writes what the fields are that the text leaves out.
static void write_current(const weft_json_reader *in, uint32_t component, void *value)
{
    const weft_world *world = in->text.world;
    const weft_component_info *info = &world->plan->schema->components[component];
    const weft_batch *batch = world->batch;
    const void *current = info->defaults;
    if (weft_set_has(batch->had, component)) {
        const weft_table *table = world->tables.items[batch->from.table];
        current = weft_row_value(world, table, batch->from.row, component, value);
    }
    if (current != value) memcpy(value, current, info->size);
}

static bool parse_tag(weft_json_text *t)
{
    bool on;
    if (!weft_json_bool(t, &on)) return false;
    return on || WEFT_JSON_WRONG(t, "a tag is true, or left out");
}

// Reads a component into the batch.
static bool parse_component(weft_json_reader *in, uint32_t component)
{
    const weft_component_info *components = in->text.world->plan->schema->components;
    const weft_component_info *info = &components[component];
    unsigned char *value = in->values + in->values_used;
    bool tag = info->storage == WEFT_STORAGE_TAG;
    weft_refusal why;
    in->values_used += weft_round_up(info->size, WEFT_LINE_BYTES);
    if (!tag) write_current(in, component, value);
    if (!(tag ? parse_tag(&in->text)
              : weft_json_struct(in, info->fields, info->field_count, value))) {
        return false;
    }
    return weft_batch_set(in->text.world->batch, component, tag ? NULL : value, &why) ||
           weft_json_refuse(&in->text, WEFT_REFUSED,
                            "it cannot be there with '%s': one excludes the other",
                            components[why.other].name);
}

static bool parse_components(weft_json_reader *in)
{
    const weft_schema *schema = in->text.world->plan->schema;
    weft_batch *batch = in->text.world->batch;
    weft_json_names names = {"component", schema->components, sizeof *schema->components,
                             schema->component_count};
    weft_json_walk walk = {0};
    uint32_t component;
    in->values_used = 0;
    if (!weft_batch_begin(batch, in->handle)) weft_batch_begin_new(batch, 0);
    while (weft_json_next_record(&in->text, &walk, &names, &component)) {
        if (!parse_component(in, component)) return false;
    }
    if (in->text.status != WEFT_OK) return false;
    return in->stage != WEFT_JSON_DO || weft_batch_commit(batch) || weft_json_no_memory(in);
}

// In a world an id is what tells entities apart; of a single one it is not looked at.
static bool parse_id(weft_json_reader *in)
{
    if (in->whole && in->stage == WEFT_JSON_JUDGE) return weft_json_add_id(in);
    return in->whole ? weft_json_handle(in, &in->handle) : weft_json_id(in, &(uint64_t){0});
}

// The members of an entity, in this order. In a world the relations have the parents.
static const weft_json_part entity_parts[] = {
    {"id", parse_id}, {"components", parse_components}, {"parents", weft_json_parents}};
enum { ENTITY_ID, ENTITY_COMPONENTS, ENTITY_PARENTS, ENTITY_PARTS };

bool weft_json_entity(weft_json_reader *in)
{
    weft_json_text *t = &in->text;
    weft_json_walk walk = {0};
    char name[WEFT_JSON_NAME_BYTES];
    uint32_t next = ENTITY_ID;
    uint32_t count = in->whole ? ENTITY_PARENTS : ENTITY_PARTS;
    while (weft_json_next_name(t, &walk, name)) {
        uint32_t part = weft_name_find(entity_parts, sizeof *entity_parts, count, name);
        if (part == WEFT_NO_NAME || part < next || (part == ENTITY_PARENTS && part != next)) {
            return WEFT_JSON_WRONG(t, "an entity has one 'id', then 'components'%s",
                                   in->whole ? "" : ", then 'parents'");
        }
        if (in->whole && part != next) return WEFT_JSON_WRONG(t, "an entity begins with its 'id'");
        if (!entity_parts[part].parse(in)) return false;
        next = part + 1;
    }
    if (t->status != WEFT_OK) return false;
    return next > ENTITY_COMPONENTS || WEFT_JSON_WRONG(t, "an entity lacks its 'components'");
}
