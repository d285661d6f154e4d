// Worlds, and the calls that read a text.
#include "../plan/names.h"
#include "../world/report.h"
#include "entity.h"
#include "ids.h"
#include "links.h"
#include "values.h"

#include <inttypes.h>
#include <string.h>

static bool parse_version(weft_json_reader *in)
{
    weft_json_text *t = &in->text;
    char number[WEFT_JSON_NUMBER_MAX + 1];
    if (!weft_json_number(t, number)) return false;
    return (number[0] == '0' + WEFT_JSON_FORMAT && number[1] == '\0') ||
           WEFT_JSON_WRONG(t, "format %.16s is not known here, but %d", number, WEFT_JSON_FORMAT);
}

static bool parse_world_name(weft_json_reader *in)
{
    weft_json_text *t = &in->text;
    const char *wanted = t->world->plan->schema->name;
    char name[WEFT_JSON_NAME_BYTES];
    size_t length;
    if (!weft_json_string(t, name, sizeof name, &length)) return false;
    return strcmp(name, wanted) == 0 ||
           WEFT_JSON_WRONG(t, "a world of '%.64s', but this is one of '%s'", name, wanted);
}

static bool parse_singletons(weft_json_reader *in)
{
    const weft_schema *schema = in->text.world->plan->schema;
    const weft_singleton_info *info = schema->singletons;
    weft_json_names names = {"singleton", info, sizeof *info, schema->singleton_count};
    weft_json_walk walk = {0};
    uint32_t i;
    while (weft_json_next_record(&in->text, &walk, &names, &i)) {
        memcpy(in->values, info[i].defaults, info[i].size);
        if (!weft_json_struct(in, info[i].fields, info[i].field_count, in->values)) return false;
        unsigned char *place = (unsigned char *)(void *)in->text.world + info[i].offset;
        if (in->stage == WEFT_JSON_DO) memcpy(place, in->values, info[i].size);
    }
    return in->text.status == WEFT_OK;
}

static bool parse_entities(weft_json_reader *in)
{
    weft_json_walk walk = {0};
    weft_json_enter(&in->text, "entities", 0);
    while (weft_json_next_item(&in->text, &walk)) {
        in->handle = 0;
        if (!weft_json_entity(in)) return false;
    }
    return in->text.status == WEFT_OK;
}

// The members of a world.
static const weft_json_part world_parts[] = {{"weft", parse_version},
                                             {"world", parse_world_name},
                                             {"singletons", parse_singletons},
                                             {"entities", parse_entities},
                                             {"relations", weft_json_relations}};
enum { WORLD_VERSION, WORLD_NAME, WORLD_SINGLETONS, WORLD_ENTITIES, WORLD_RELATIONS, WORLD_PARTS };

// Judges a world, and notes where its parts are; 0: one is not there.
static bool judge_world(weft_json_reader *in, size_t places[WORLD_PARTS])
{
    weft_json_text *t = &in->text;
    weft_json_walk walk = {0};
    char name[WEFT_JSON_NAME_BYTES];
    while (weft_json_next_name(t, &walk, name)) {
        uint32_t part = weft_name_find(world_parts, sizeof *world_parts, WORLD_PARTS, name);
        if (part == WEFT_NO_NAME) {
            return WEFT_JSON_WRONG(t, "'%.64s' is nothing that a world has", name);
        }
        if (places[part] != 0) {
            return WEFT_JSON_WRONG(t, "'%.64s' is more than once what a world has", name);
        }
        places[part] = t->at;
        if (!world_parts[part].parse(in)) return false;
    }
    for (uint32_t part = WORLD_VERSION; t->status == WEFT_OK && part <= WORLD_NAME; part++) {
        if (places[part] == 0) return WEFT_JSON_WRONG(t, "it lacks '%s'", world_parts[part].name);
    }
    return t->status == WEFT_OK && weft_json_end(t);
}

static bool parse_again(weft_json_reader *in, weft_json_stage stage, const size_t *places,
                        uint32_t part)
{
    in->stage = stage;
    in->text.at = places[part];
    in->text.depth = 0;
    return places[part] == 0 || world_parts[part].parse(in);
}

static bool parse_world(weft_json_reader *in)
{
    size_t places[WORLD_PARTS] = {0};
    if (!judge_world(in, places) || !weft_json_sort_ids(in) ||
        !parse_again(in, WEFT_JSON_LINK, places, WORLD_RELATIONS)) {
        return false;
    }
    if (weft_json_spawn_ids(in) && parse_again(in, WEFT_JSON_DO, places, WORLD_RELATIONS) &&
        parse_again(in, WEFT_JSON_DO, places, WORLD_ENTITIES)) {
        return parse_again(in, WEFT_JSON_DO, places, WORLD_SINGLETONS);
    }
    weft_json_despawn_ids(in);
    return false;
}

static bool parse_entity(weft_json_reader *in)
{
    if (!weft_json_entity(in) || !weft_json_end(&in->text)) return false;
    in->stage = WEFT_JSON_DO;
    in->text.at = 0;
    in->text.depth = 0;
    return weft_json_entity(in);
}

static void add_space(weft_json_reader *in, uint32_t size, uint32_t field_count, size_t *words)
{
    in->values_bytes += weft_round_up(size, WEFT_LINE_BYTES);
    *words += weft_json_words(field_count);
}

// Works out how much space the schema asks for: no entity has a component twice, and no struct is
// inside itself. Returns the bytes of it, the values first.
static size_t measure(weft_json_reader *in)
{
    const weft_schema *s = in->text.world->plan->schema;
    const weft_component_info *c = s->components;
    size_t words = weft_json_words(s->component_count) + weft_json_words(s->singleton_count) +
                   weft_json_words(s->relation_count) + 1;
    for (uint32_t i = 0; i < s->component_count; i++) {
        add_space(in, c[i].size, c[i].field_count, &words);
    }
    for (uint32_t i = 0; i < s->singleton_count; i++) {
        add_space(in, s->singletons[i].size, s->singletons[i].field_count, &words);
    }
    for (uint32_t i = 0; i < s->struct_count; i++) {
        words += weft_json_words(s->structs[i].field_count);
    }
    for (uint32_t i = 0; i < s->extern_count; i++) {
        words += weft_json_words(s->externs[i].field_count);
    }
    return in->values_bytes + words * sizeof(uint64_t);
}

static weft_status read_text(weft_json_reader *in, const char *text, size_t bytes)
{
    weft_heap *heap = &in->text.world->heap;
    size_t space = measure(in);
    in->text.text = text;
    in->text.bytes = bytes;
    in->values = (unsigned char *)weft_allocate(heap, space);
    if (in->values) {
        in->text.seen = (uint64_t *)(void *)(in->values + in->values_bytes);
        (void)(in->whole ? parse_world(in) : parse_entity(in));
    } else {
        weft_json_no_memory(in);
    }
    weft_region_free(heap, &in->ids);
    weft_free(heap, in->values, space);
    return in->text.status;
}

weft_status weft_json_entity_read(weft_world *world, uint64_t handle, const char *text,
                                  size_t bytes)
{
    weft_place at;
    weft_json_reader in = {.text.world = world, .handle = handle};
    if (weft_busy(world, "weft_json_entity_read" WEFT_WAITS)) return WEFT_BUSY;
    if (!weft_find(&world->entities, world->plan->format, handle, &at)) {
        weft_refuse(world, (weft_refusal){WEFT_DEAD, WEFT_NONE, WEFT_NONE, false, handle});
        return WEFT_DEAD;
    }
    return read_text(&in, text, bytes);
}

weft_status weft_json_world_read(weft_world *world, const char *text, size_t bytes)
{
    weft_json_reader in = {.text.world = world, .whole = true};
    if (weft_busy(world, "weft_json_world_read" WEFT_WAITS)) return WEFT_BUSY;
    uint32_t live = weft_entities_live(&world->entities);
    if (live == 0) return read_text(&in, text, bytes);
    return weft_report(world, WEFT_REFUSED,
                       "a world is read where nobody lives, and here %" PRIu32 " do", live);
}
