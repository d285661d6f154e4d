// Worlds, and the stages of reading them.
#include "../plan/names.h"
#include "../store/entity.h"
#include "../world/report.h"
#include "reader.h"

#include <inttypes.h>
#include <string.h>

static bool take_entities(weft_json_reader *in)
{
    weft_json_text *t = &in->text;
    uint32_t count = 0;
    size_t outer = weft_json_enter(t, "entities");
    if (!weft_json_take(t, '[', "'['")) return false;
    for (; weft_json_more(t, ']', count == 0); count++) {
        size_t path = weft_json_enter_item(t, count);
        in->handle = 0;
        if (!weft_json_take_entity(in)) return false;
        weft_json_leave(t, path);
    }
    weft_json_leave(t, outer);
    return t->status == WEFT_OK;
}

static bool take_singleton(weft_json_reader *in, const weft_singleton_info *info)
{
    unsigned char *place = (unsigned char *)(void *)in->world + info->offset;
    in->values_used = 0;
    void *value = weft_json_take_room(in, info->size);
    if (!value) return false;
    memcpy(value, info->defaults, info->size);
    if (!weft_json_take_struct(in, info->fields, info->field_count, value)) return false;
    if (in->stage == WEFT_JSON_SINGLETONS) memcpy(place, value, info->size);
    return true;
}

static bool take_singletons(weft_json_reader *in)
{
    const weft_schema *schema = in->world->plan->schema;
    weft_json_members members = {.kind = "singleton",
                                 .records = schema->singletons,
                                 .record_bytes = sizeof *schema->singletons,
                                 .count = schema->singleton_count,
                                 .seen = in->names};
    uint32_t singleton;
    while (weft_json_next_member(&in->text, &members, &singleton)) {
        if (!take_singleton(in, &schema->singletons[singleton])) return false;
    }
    return in->text.status == WEFT_OK;
}

static bool take_version(weft_json_text *t)
{
    char number[WEFT_JSON_NUMBER_MAX + 1];
    if (!weft_json_number(t, number)) return false;
    if (number[0] == '0' + WEFT_JSON_FORMAT && number[1] == '\0') return true;
    return weft_json_refuse(t, WEFT_BAD_VALUE, "format %.16s is not known here, but %d", number,
                            WEFT_JSON_FORMAT);
}

static bool take_name(weft_json_text *t)
{
    const char *wanted = t->world->plan->schema->name;
    char name[WEFT_JSON_NAME_BYTES];
    size_t length;
    if (!weft_json_string(t, name, sizeof name, &length)) return false;
    if (strcmp(name, wanted) == 0) return true;
    return weft_json_refuse(t, WEFT_BAD_VALUE, "a world of '%.64s', but this is one of '%s'", name,
                            wanted);
}

// Members of a world; each once.
static const char *const parts[] = {"weft", "world", "singletons", "entities", "relations"};
enum { VERSION, NAME, SINGLETONS, ENTITIES, RELATIONS, PART_COUNT };

static bool take_part(weft_json_reader *in, uint32_t part)
{
    switch (part) {
    case VERSION:
        return take_version(&in->text);
    case NAME:
        return take_name(&in->text);
    case SINGLETONS:
        return take_singletons(in);
    case ENTITIES:
        return take_entities(in);
    default:
        return weft_json_take_relations(in);
    }
}

static bool take_member(weft_json_reader *in, const char *name, uint32_t *seen)
{
    uint32_t part = weft_name_find(parts, sizeof *parts, PART_COUNT, name);
    if (part == WEFT_NO_NAME) {
        return weft_json_refuse(&in->text, WEFT_BAD_VALUE, "'%.64s' is nothing that a world has",
                                name);
    }
    if ((*seen >> part & 1) != 0) {
        return weft_json_refuse(&in->text, WEFT_BAD_VALUE,
                                "'%.64s' is more than once what a world has", name);
    }
    *seen |= 1u << part;
    return take_part(in, part);
}

static bool take_world(weft_json_reader *in)
{
    weft_json_text *t = &in->text;
    char name[WEFT_JSON_NAME_BYTES];
    uint32_t seen = 0;
    if (!weft_json_take(t, '{', "'{'")) return false;
    for (bool first = true; weft_json_more(t, '}', first); first = false) {
        if (!weft_json_key(t, name, sizeof name)) return false;
        if (!take_member(in, name, &seen)) return false;
    }
    for (uint32_t part = VERSION; t->status == WEFT_OK && part <= NAME; part++) {
        if ((seen >> part & 1) == 0) {
            return weft_json_refuse(t, WEFT_BAD_VALUE, "it lacks '%s'", parts[part]);
        }
    }
    return t->status == WEFT_OK;
}

// ------------------------------------------------------------------------------------------------
// Stages

static bool run(weft_json_reader *in, weft_json_stage stage)
{
    in->stage = stage;
    in->text = weft_json_begin(in->world, in->text.text, in->text.bytes);
    return (in->whole ? take_world(in) : weft_json_take_entity(in)) && weft_json_end(&in->text);
}

static bool read_world(weft_json_reader *in)
{
    if (!run(in, WEFT_JSON_JUDGE) || !weft_json_judge_people(in) || !weft_json_judge_links(in) ||
        !weft_json_spawn_people(in)) {
        return false;
    }
    if (weft_json_attach_links(in) && run(in, WEFT_JSON_ENTITIES)) {
        return run(in, WEFT_JSON_SINGLETONS);
    }
    weft_status status = in->text.status;
    weft_json_despawn_people(in);
    in->text.status = status;
    return false;
}

static bool read_entity(weft_json_reader *in)
{
    return run(in, WEFT_JSON_JUDGE) && run(in, WEFT_JSON_ENTITIES);
}

static weft_status read_text(weft_world *world, uint64_t handle, bool whole, const char *text,
                             size_t bytes)
{
    weft_json_reader in = {.world = world, .whole = whole, .handle = handle};
    in.text = weft_json_begin(world, text, bytes);
    if (weft_json_reader_open(&in)) (void)(whole ? read_world(&in) : read_entity(&in));
    weft_json_reader_close(&in);
    return in.text.status;
}

weft_status weft_json_entity_read(weft_world *world, uint64_t handle, const char *text,
                                  size_t bytes)
{
    weft_place at;
    if (weft_busy(world, "weft_json_entity_read" WEFT_WAITS)) return WEFT_BUSY;
    if (!weft_find(&world->entities, world->plan->format, handle, &at)) {
        weft_refuse(world, (weft_refusal){WEFT_DEAD, WEFT_NONE, WEFT_NONE, false, handle});
        return WEFT_DEAD;
    }
    return read_text(world, handle, false, text, bytes);
}

weft_status weft_json_world_read(weft_world *world, const char *text, size_t bytes)
{
    if (weft_busy(world, "weft_json_world_read" WEFT_WAITS)) return WEFT_BUSY;
    if (weft_entities_live(&world->entities) != 0) {
        return weft_report(world, WEFT_REFUSED,
                           "a world is read where nobody lives, and here %" PRIu32 " do",
                           weft_entities_live(&world->entities));
    }
    return read_text(world, 0, true, text, bytes);
}
