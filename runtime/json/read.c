// Reading entities and worlds.
//
// A text is judged before anything is done: every value and rule in one walk over it, its ids when
// all of them are known, then who is whose child. Only then are handles made for the ids and
// children attached, each entity gets its components as one batch, and singletons are written last,
// when nothing can fail any more. The code that judges is the code that does, on another stage: the
// text is read again from where the first walk found its parts.
//
// Memory is taken through the hooks: up to 32 bytes an id, space for one of each component, and up
// to two bytes for each name that an object may have and those around it.
#include "../change/batch.h"
#include "../change/calls.h"
#include "../change/spawn.h"
#include "../plan/fields.h"
#include "../record/reader.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "../world/writer.h"
#include "read_ids.h"
#include "read_links.h"
#include "read_values.h"

#include <inttypes.h>
#include <string.h>

// A part of a world or an entity; it begins with its name, as records of the schema do.
typedef struct part {
    const char *name;
    void (*parse)(weft_json_reader *in);
} part;

// ------------------------------------------------------------------------------------------------
// Entities, in a world or alone: their components become one batch

// Reads a component into the batch. Fields that the text leaves out are as they were, or as their
// defaults.
static void parse_component(weft_json_reader *in, uint32_t component)
{
    const weft_component_info *components = in->world->plan->schema->components;
    const weft_component_info *info = &components[component];
    weft_batch *batch = in->world->batch;
    unsigned char *value = NULL;
    weft_refusal why;
    if (info->storage != WEFT_STORAGE_TAG) {
        const void *current = info->defaults;
        value = in->values + in->values_used;
        in->values_used += weft_round_up(info->size, WEFT_LINE_BYTES);
        if (weft_set_has(batch->had, component))
            current = weft_row_value(in->world, in->world->tables.items[batch->from.table],
                                     batch->from.row, component, value);
        memmove(value, current, info->size);
        weft_json_fields_read(in, info->fields, info->field_count, value);
    } else if (!weft_json_word(in, "true")) {
        WEFT_JSON_WRONG(in, "a tag is true, or left out");
    }
    if (!weft_batch_set(batch, component, value, &why)) {
        weft_json_refuse(in, WEFT_REFUSED, "it cannot be there with '%s': one excludes the other",
                         components[why.other].name);
    }
}

static void parse_components(weft_json_reader *in)
{
    const weft_schema *schema = in->world->plan->schema;
    weft_json_walk walk =
        WEFT_JSON_OBJECT("component", schema->components, schema->component_count);
    in->values_used = 0;
    weft_batch_begin(in->world->batch, in->handle);
    while (weft_json_next(in, &walk)) parse_component(in, walk.item);
    if (in->status == WEFT_OK && in->stage == WEFT_JSON_DO &&
        !weft_batch_commit(in->world->batch)) {
        weft_json_no_memory(in);
    }
}

// In a world an id is what tells entities apart; of a single one it is not looked at.
static void parse_id(weft_json_reader *in)
{
    uint32_t most = in->world->plan->max_entities;
    uint64_t key;
    if (!weft_json_id_read(in, &key) || !in->whole) return;
    if (in->stage == WEFT_JSON_DO)
        in->handle = in->ids[weft_json_id_find(in, key)].handle;
    else if (in->id_count == most)
        weft_json_refuse(in, WEFT_FULL, "more than the %" PRIu32 " of max_entities", most);
    else if (weft_array_grow(&in->world->heap, &in->ids, &in->id_capacity, in->id_count + 1,
                             sizeof *in->ids))
        in->ids[in->id_count++] = (weft_json_id){key, in->value};
    else
        weft_json_no_memory(in);
}

// The parts of an entity, in this order. In a world the id has to be there, and no parents are.
static const part entity_parts[] = {
    {"id", parse_id}, {"components", parse_components}, {"parents", weft_json_relations_read}};
enum { ENTITY_ID, ENTITY_COMPONENTS, ENTITY_PARENTS, ENTITY_PARTS };

static void parse_entity(weft_json_reader *in)
{
    weft_json_walk walk =
        WEFT_JSON_OBJECT("part", entity_parts, in->whole ? ENTITY_PARENTS : ENTITY_PARTS);
    uint32_t next = ENTITY_ID;
    while (weft_json_next(in, &walk)) {
        uint32_t at = walk.item;
        walk.item = WEFT_NO_NAME; // the path goes on with a component
        if (at == next || (!in->whole && at > next))
            entity_parts[at].parse(in);
        else
            WEFT_JSON_WRONG(in, "an entity has an 'id', then 'components'%s",
                            in->whole ? "" : ", then 'parents'");
        next = at + 1;
    }
    if (in->whole && next == ENTITY_ID) WEFT_JSON_WRONG(in, "an entity lacks its 'id'");
}

// ------------------------------------------------------------------------------------------------
// Worlds

static void parse_version(weft_json_reader *in)
{
    char number[WEFT_JSON_NUMBER_MAX + 1];
    if (weft_json_number(in, number) && (number[0] != '0' + WEFT_JSON_FORMAT || number[1] != '\0'))
        WEFT_JSON_WRONG(in, "format %.16s is not known here, but %d", number, WEFT_JSON_FORMAT);
}

static void parse_world_name(weft_json_reader *in)
{
    const char *wanted = in->world->plan->schema->name;
    char name[WEFT_JSON_NAME_BYTES];
    if (weft_json_string(in, name, sizeof name) && strcmp(name, wanted) != 0)
        WEFT_JSON_WRONG(in, "a world of '%.64s', but this is one of '%s'", name, wanted);
}

static void parse_singletons(weft_json_reader *in)
{
    const weft_schema *schema = in->world->plan->schema;
    weft_json_walk walk =
        WEFT_JSON_OBJECT("singleton", schema->singletons, schema->singleton_count);
    while (weft_json_next(in, &walk)) {
        const weft_singleton_info *info = &schema->singletons[walk.item];
        bool done = in->stage == WEFT_JSON_DO;
        void *value = done ? (unsigned char *)(void *)in->world + info->offset : in->values;
        memcpy(value, info->defaults, info->size);
        weft_json_fields_read(in, info->fields, info->field_count, value);
        if (done) weft_singleton_changed(in->world, walk.item);
    }
}

static void parse_entities(weft_json_reader *in)
{
    weft_json_walk walk = {.kind = NULL};
    while (weft_json_next(in, &walk)) parse_entity(in);
}

static const part world_parts[] = {{"weft", parse_version},
                                   {"world", parse_world_name},
                                   {"singletons", parse_singletons},
                                   {"entities", parse_entities},
                                   {"relations", weft_json_relations_read}};
enum { VERSION, NAME, SINGLETONS, ENTITIES, RELATIONS, WORLD_PARTS };

static void parse_again(weft_json_reader *in, weft_json_walk *walk, uint32_t i, size_t place)
{
    in->at = place;
    in->walk = walk; // for the path
    walk->item = i;
    if (place != 0) world_parts[i].parse(in);
}

static void parse_world(weft_json_reader *in)
{
    weft_world *world = in->world;
    size_t places[WORLD_PARTS] = {0}; // 0: it is not there
    weft_json_walk walk = WEFT_JSON_OBJECT("part", world_parts, WORLD_PARTS);
    while (weft_json_next(in, &walk)) {
        places[walk.item] = in->at;
        world_parts[walk.item].parse(in);
    }
    for (uint32_t i = VERSION; i <= NAME; i++) {
        if (places[i] == 0) WEFT_JSON_WRONG(in, "it lacks '%s'", world_parts[i].name);
    }
    weft_json_ids_sort(in, in->ids, in->id_count, 64);
    in->stage = WEFT_JSON_LINK;
    parse_again(in, &walk, RELATIONS, places[RELATIONS]);
    if (in->status == WEFT_OK) in->status = weft_prefab_reserve(world, WEFT_NONE, in->id_count);
    if (in->status != WEFT_OK) return;
    for (uint32_t i = 0; i < in->id_count; i++) in->ids[i].handle = weft_spawn_empty(world);
    in->stage = WEFT_JSON_DO;
    for (uint32_t i = RELATIONS; i >= SINGLETONS; i--) parse_again(in, &walk, i, places[i]);
    for (uint32_t i = 0; in->status != WEFT_OK && i < in->id_count; i++) {
        uint64_t handle = in->ids[i].handle; // some are despawned with their parents
        if (weft_alive(&world->entities, world->plan->format, handle)) weft_despawn(world, handle);
    }
}

// ------------------------------------------------------------------------------------------------
// The calls

// No entity has a component twice, so there is space for one of each, and for any singleton.
static weft_status read_text(weft_json_reader *in)
{
    weft_heap *heap = &in->world->heap;
    const weft_schema *schema = in->world->plan->schema;
    size_t bytes = in->world->plan->world_bytes; // singletons lie in there
    for (uint32_t i = 0; i < schema->component_count; i++) {
        bytes += weft_round_up(schema->components[i].size, WEFT_LINE_BYTES);
    }
    in->values = (unsigned char *)weft_allocate(heap, bytes);
    weft_writer(in->world, in->whole ? "weft_json_world_read" : "weft_json_entity_read", false);
    if (!in->values) {
        weft_json_no_memory(in);
    } else if (in->whole) {
        parse_world(in);
    } else {
        parse_entity(in);
        in->stage = WEFT_JSON_DO;
        in->at = 0;
        parse_entity(in);
    }
    weft_free(heap, in->ids, in->id_capacity * sizeof *in->ids);
    weft_free(heap, in->seen, in->seen_capacity * sizeof *in->seen);
    weft_free(heap, in->values, bytes);
    weft_writer(in->world, NULL, false);
    return in->status;
}

weft_status weft_json_entity_read(weft_world *world, uint64_t handle, const char *text,
                                  size_t bytes)
{
    weft_json_reader in = {.world = world, .handle = handle, .text = text, .bytes = bytes};
    if (weft_busy(world, "weft_json_entity_read" WEFT_WAITS)) return WEFT_BUSY;
    if (!weft_alive(&world->entities, world->plan->format, handle)) {
        weft_refuse(world, weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle));
        return WEFT_DEAD;
    }
    return read_text(&in);
}

weft_status weft_json_world_read(weft_world *world, const char *text, size_t bytes)
{
    weft_json_reader in = {.world = world, .whole = true, .text = text, .bytes = bytes};
    if (weft_busy(world, "weft_json_world_read" WEFT_WAITS)) return WEFT_BUSY;
    uint32_t live = weft_entities_live(&world->entities);
    if (live == 0) return read_text(&in);
    return weft_report(world, WEFT_REFUSED,
                       "a world is read where nobody lives, and here %" PRIu32 " do", live);
}
