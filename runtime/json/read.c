// Reading entities and worlds.
//
// A text is judged before anything is done: every value and rule in one walk over it, its ids when
// all of them are known, then who is whose child. Only then are handles made for the ids and
// children attached, each entity gets its components as one batch, and singletons are written last,
// when nothing can fail any more. The code that judges is the code that does, on another stage: the
// text is read again from where the first walk found its parts.
//
// Memory is taken through the hooks: 32 bytes an id, space for one of each component, and a bool for
// each name that an object may have. The schema alone says how much that is, whatever the text.
#include "../change/batch.h"
#include "../change/calls.h"
#include "../change/relation.h"
#include "../change/spawn.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "values.h"

#include <inttypes.h>
#include <string.h>

// A member of a world or an entity; it begins with its name, as records of the schema do.
typedef struct member {
    const char *name;
    bool (*parse)(weft_json_reader *in);
} member;

static bool no_memory(weft_json_reader *in)
{
    in->status = WEFT_NO_MEMORY;
    return weft_refuse_space(
        in->world, (weft_refusal){WEFT_NO_MEMORY, WEFT_NONE, WEFT_NONE, false, in->handle});
}

// ------------------------------------------------------------------------------------------------
// Ids: those of a world come in any order and are sorted once

// Makes space for twice as many ids as there are, and one more. The limit goes by max_entities, as a
// region has one limit for ever.
static bool grow_ids(weft_json_reader *in)
{
    const uint64_t most = SIZE_MAX / sizeof(weft_json_known_id);
    uint64_t limit = ((uint64_t)in->world->plan->max_entities + 1) * 2;
    uint64_t count = ((uint64_t)in->id_count + 1) * 2;
    if (limit > most) limit = most;
    return (count <= limit &&
            weft_region_grow(&in->world->heap, &in->ids, (size_t)count * sizeof(weft_json_known_id),
                             (size_t)limit * sizeof(weft_json_known_id))) ||
           no_memory(in);
}

static bool add_id(weft_json_reader *in)
{
    uint32_t most = in->world->plan->max_entities;
    weft_json_known_id id;
    if (!weft_json_id(in, &id.key)) return false;
    if (in->id_count == most) {
        return weft_json_refuse(in, WEFT_FULL, "more than the %" PRIu32 " of max_entities", most);
    }
    id.handle = in->value;
    weft_json_ids(in)[in->id_count++] = id;
    return grow_ids(in);
}

// One step of a radix sort: by eight bits of the keys, equal ones in the order they have.
static void sort_by_byte(const weft_json_known_id *from, weft_json_known_id *to, uint32_t count,
                         uint32_t shift)
{
    uint32_t places[257] = {0};
    for (uint32_t i = 0; i < count; i++) places[(from[i].key >> shift & 0xFF) + 1]++;
    for (uint32_t i = 0; i < 256; i++) places[i + 1] += places[i];
    for (uint32_t i = 0; i < count; i++) to[places[from[i].key >> shift & 0xFF]++] = from[i];
}

static bool sort_ids(weft_json_reader *in)
{
    uint32_t count = in->id_count;
    weft_json_known_id *ids = weft_json_ids(in);
    for (uint32_t shift = 0; shift < 64; shift += 16) {
        sort_by_byte(ids, ids + count, count, shift);
        sort_by_byte(ids + count, ids, count, shift + 8);
    }
    for (uint32_t i = 1; i < count; i++) {
        if (ids[i].key != ids[i - 1].key) continue;
        in->value = (size_t)ids[i].handle;
        return WEFT_JSON_WRONG(in, "entity \"%" PRIu32 ":%" PRIu32 "\" is there twice",
                               (uint32_t)(ids[i].key >> 32), (uint32_t)ids[i].key);
    }
    return true;
}

// Gives each id a new handle, in their order. Where that fails those that have one are left.
static bool spawn_ids(weft_json_reader *in)
{
    uint32_t count = in->id_count;
    in->status = weft_world_reserve(in->world, count);
    for (in->id_count = 0; in->status == WEFT_OK && in->id_count < count;) {
        uint64_t handle = weft_spawn_empty(in->world);
        if (handle == 0)
            in->status = in->world->refusal.status;
        else
            weft_json_ids(in)[in->id_count++].handle = handle;
    }
    return in->status == WEFT_OK;
}

static void despawn_ids(weft_json_reader *in)
{
    for (uint32_t i = 0; i < in->id_count; i++) {
        weft_place at; // some are despawned with their parents
        uint64_t handle = weft_json_ids(in)[i].handle;
        bool alive = weft_find(&in->world->entities, in->world->plan->format, handle, &at);
        if (alive) weft_despawn(in->world, handle);
    }
}

// ------------------------------------------------------------------------------------------------
// Relations: the parents of a single entity, and the links of a world
//
// Links are judged one by one, in O(log n) on average however deep the trees: a child is the top of
// all below it until it gets its parent, so a parent is below its child exactly if the child is at
// the parent's top. Ids without a parent lead to themselves, the others to one above them.

// Refuses the id that was just read.
static bool refuse_id(weft_json_reader *in, const char *words)
{
    return WEFT_JSON_WRONG(in, "%.*s %s", (int)(in->at - in->value), in->text + in->value, words);
}

static bool refuse_circle(weft_json_reader *in)
{
    return refuse_id(in, "cannot be the parent: it is the child, or below it");
}

static weft_json_walk walk_relations(const weft_json_reader *in)
{
    const weft_schema *schema = in->world->plan->schema;
    return WEFT_JSON_OBJECT("relation", schema->relations, schema->relation_count);
}

// Asks what attaching would say, and takes the memory for it, so that it cannot fail later.
static bool judge_parent(weft_json_reader *in, uint32_t relation, uint64_t parent)
{
    weft_status status = weft_link_ready(in->world, relation, in->handle, parent);
    if (status == WEFT_NO_MEMORY) return no_memory(in);
    if (status == WEFT_DEAD) return refuse_id(in, "is nobody");
    return status == WEFT_OK || refuse_circle(in);
}

// A child that has this parent already keeps its place among the children.
static void set_parent(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    if (parent == 0)
        weft_link_detach(world, relation, child);
    else if (weft_parent(world, world->plan->format, relation, child) != parent)
        weft_link_attach(world, relation, child, parent);
}

static bool parse_parents(weft_json_reader *in)
{
    weft_json_walk walk = walk_relations(in);
    while (weft_json_next(in, &walk)) {
        uint64_t parent;
        if (!weft_json_handle(in, &parent)) return false;
        if (in->stage == WEFT_JSON_DO)
            set_parent(in->world, walk.item, in->handle, parent);
        else if (parent != 0 && !judge_parent(in, walk.item, parent))
            return false;
    }
    return in->status == WEFT_OK;
}

// Goes to the top, and shortens the way there for the next time.
static uint32_t top_of(weft_json_known_id *ids, uint32_t at)
{
    while (ids[at].handle != at) {
        ids[at].handle = ids[ids[at].handle].handle;
        at = (uint32_t)ids[at].handle;
    }
    return at;
}

// Reads the id at one end of a link, and once the ids are known its number among them.
static bool parse_end(weft_json_reader *in, uint32_t *number)
{
    uint64_t key;
    if (!weft_json_id(in, &key)) return false;
    if (in->stage == WEFT_JSON_JUDGE) return true;
    *number = weft_json_find_id(in, key);
    return *number < in->id_count || refuse_id(in, "is nobody in this text");
}

// Reads [child, parent].
static bool parse_link(weft_json_reader *in, uint32_t relation)
{
    weft_json_known_id *ids = weft_json_ids(in);
    bool judged = in->stage == WEFT_JSON_LINK;
    uint32_t child = 0;
    uint32_t parent = 0;
    if (!weft_json_take(in, '[') || !parse_end(in, &child)) return false;
    if (judged && ids[child].handle != child) return refuse_id(in, "has a parent already");
    if (!weft_json_take(in, ',') || !parse_end(in, &parent)) return false;
    if (judged && top_of(ids, parent) == child) return refuse_circle(in);
    if (judged) ids[child].handle = parent;
    if (!weft_json_take(in, ']')) return false;
    return in->stage != WEFT_JSON_DO ||
           weft_link_attach(in->world, relation, ids[child].handle, ids[parent].handle) ==
               WEFT_OK ||
           no_memory(in);
}

static bool parse_links(weft_json_reader *in, uint32_t relation)
{
    weft_json_walk walk = WEFT_JSON_ARRAY;
    for (uint32_t i = 0; in->stage == WEFT_JSON_LINK && i < in->id_count; i++) {
        weft_json_ids(in)[i].handle = i;
    }
    while (weft_json_next(in, &walk)) {
        if (!parse_link(in, relation)) return false;
    }
    return in->status == WEFT_OK;
}

static bool parse_relations(weft_json_reader *in)
{
    weft_json_walk walk = walk_relations(in);
    while (weft_json_next(in, &walk)) {
        if (!parse_links(in, walk.item)) return false;
    }
    return in->status == WEFT_OK;
}

// ------------------------------------------------------------------------------------------------
// Entities, in a world or alone: their components become one batch

// Writes what the fields are that the text leaves out.
static void write_current(const weft_json_reader *in, uint32_t component, void *value)
{
    const weft_component_info *info = &in->world->plan->schema->components[component];
    const weft_batch *batch = in->world->batch;
    const void *current = info->defaults;
    if (weft_set_has(batch->had, component)) {
        const weft_table *table = in->world->tables.items[batch->from.table];
        current = weft_row_value(in->world, table, batch->from.row, component, value);
    }
    if (current != value) memcpy(value, current, info->size);
}

// Reads a component into the batch.
static bool parse_component(weft_json_reader *in, uint32_t component)
{
    const weft_component_info *components = in->world->plan->schema->components;
    const weft_component_info *info = &components[component];
    unsigned char *value = NULL;
    weft_refusal why;
    if (info->storage == WEFT_STORAGE_TAG) {
        if (!weft_json_word(in, "true")) return WEFT_JSON_WRONG(in, "a tag is true, or left out");
    } else {
        value = in->values + in->values_used;
        in->values_used += weft_round_up(info->size, WEFT_LINE_BYTES);
        write_current(in, component, value);
        if (!weft_json_struct(in, info->fields, info->field_count, value)) return false;
    }
    return weft_batch_set(in->world->batch, component, value, &why) ||
           weft_json_refuse(in, WEFT_REFUSED,
                            "it cannot be there with '%s': one excludes the other",
                            components[why.other].name);
}

static bool parse_components(weft_json_reader *in)
{
    const weft_schema *schema = in->world->plan->schema;
    weft_batch *batch = in->world->batch;
    weft_json_walk walk =
        WEFT_JSON_OBJECT("component", schema->components, schema->component_count);
    in->values_used = 0;
    if (!weft_batch_begin(batch, in->handle)) weft_batch_begin_new(batch, 0);
    while (weft_json_next(in, &walk)) {
        if (!parse_component(in, walk.item)) return false;
    }
    if (in->status != WEFT_OK) return false;
    return in->stage != WEFT_JSON_DO || weft_batch_commit(batch) || no_memory(in);
}

// In a world an id is what tells entities apart; of a single one it is not looked at.
static bool parse_id(weft_json_reader *in)
{
    if (in->whole && in->stage == WEFT_JSON_JUDGE) return add_id(in);
    return in->whole ? weft_json_handle(in, &in->handle) : weft_json_id(in, &(uint64_t){0});
}

// The members of an entity, in this order. In a world the relations have the parents.
static const member entity_members[] = {
    {"id", parse_id}, {"components", parse_components}, {"parents", parse_parents}};
enum { ENTITY_ID, ENTITY_COMPONENTS, ENTITY_PARENTS, ENTITY_MEMBERS };

static bool parse_entity(weft_json_reader *in)
{
    weft_json_walk walk =
        WEFT_JSON_OBJECT("member", entity_members, in->whole ? ENTITY_PARENTS : ENTITY_MEMBERS);
    uint32_t next = ENTITY_ID;
    while (weft_json_next(in, &walk)) {
        if (next == ENTITY_ID && !in->whole && walk.item == ENTITY_COMPONENTS) next = walk.item;
        in->depth = walk.depth; // the path of a value goes on with its component
        if (walk.item != next++) {
            return WEFT_JSON_WRONG(in, "an entity has an 'id', then 'components'%s",
                                   in->whole ? "" : ", then 'parents'");
        }
        if (!entity_members[walk.item].parse(in)) return false;
    }
    if (in->status != WEFT_OK) return false;
    return next > ENTITY_COMPONENTS || WEFT_JSON_WRONG(in, "an entity lacks its 'components'");
}

// ------------------------------------------------------------------------------------------------
// Worlds

static bool parse_version(weft_json_reader *in)
{
    char number[WEFT_JSON_NUMBER_MAX + 1];
    if (!weft_json_number(in, number)) return false;
    return (number[0] == '0' + WEFT_JSON_FORMAT && number[1] == '\0') ||
           WEFT_JSON_WRONG(in, "format %.16s is not known here, but %d", number, WEFT_JSON_FORMAT);
}

static bool parse_world_name(weft_json_reader *in)
{
    const char *wanted = in->world->plan->schema->name;
    char name[WEFT_JSON_NAME_BYTES];
    if (!weft_json_string(in, name, sizeof name)) return false;
    return strcmp(name, wanted) == 0 ||
           WEFT_JSON_WRONG(in, "a world of '%.64s', but this is one of '%s'", name, wanted);
}

static bool parse_singletons(weft_json_reader *in)
{
    const weft_schema *schema = in->world->plan->schema;
    weft_json_walk walk =
        WEFT_JSON_OBJECT("singleton", schema->singletons, schema->singleton_count);
    while (weft_json_next(in, &walk)) {
        const weft_singleton_info *info = &schema->singletons[walk.item];
        memcpy(in->values, info->defaults, info->size);
        if (!weft_json_struct(in, info->fields, info->field_count, in->values)) return false;
        unsigned char *place = (unsigned char *)(void *)in->world + info->offset;
        if (in->stage == WEFT_JSON_DO) memcpy(place, in->values, info->size);
    }
    return in->status == WEFT_OK;
}

static bool parse_entities(weft_json_reader *in)
{
    weft_json_walk walk = WEFT_JSON_ARRAY;
    while (weft_json_next(in, &walk)) {
        in->handle = 0;
        if (!parse_entity(in)) return false;
    }
    return in->status == WEFT_OK;
}

static const member world_members[] = {{"weft", parse_version},
                                       {"world", parse_world_name},
                                       {"singletons", parse_singletons},
                                       {"entities", parse_entities},
                                       {"relations", parse_relations}};
enum { VERSION, NAME, SINGLETONS, ENTITIES, RELATIONS, WORLD_MEMBERS };

static bool parse_end_of_text(weft_json_reader *in)
{
    weft_json_peek(in);
    return in->at == in->bytes || WEFT_JSON_WRONG(in, "there is more after the end");
}

// Judges a world, and notes where its members are; 0: one is not there.
static bool judge_world(weft_json_reader *in, size_t places[WORLD_MEMBERS])
{
    weft_json_walk walk = WEFT_JSON_OBJECT("member", world_members, WORLD_MEMBERS);
    while (weft_json_next(in, &walk)) {
        places[walk.item] = in->at;
        if (!world_members[walk.item].parse(in)) return false;
    }
    for (uint32_t i = VERSION; in->status == WEFT_OK && i <= NAME; i++) {
        if (places[i] == 0) return WEFT_JSON_WRONG(in, "it lacks '%s'", world_members[i].name);
    }
    return in->status == WEFT_OK && parse_end_of_text(in);
}

static bool parse_again(weft_json_reader *in, weft_json_stage stage, const size_t *places,
                        uint32_t i)
{
    in->stage = stage;
    in->at = places[i];
    in->path[0].name = world_members[i].name;
    in->depth = 1;
    return places[i] == 0 || world_members[i].parse(in);
}

static bool parse_world(weft_json_reader *in)
{
    size_t places[WORLD_MEMBERS] = {0};
    if (!grow_ids(in) || !judge_world(in, places) || !sort_ids(in) ||
        !parse_again(in, WEFT_JSON_LINK, places, RELATIONS)) {
        return false;
    }
    if (spawn_ids(in) && parse_again(in, WEFT_JSON_DO, places, RELATIONS) &&
        parse_again(in, WEFT_JSON_DO, places, ENTITIES)) {
        return parse_again(in, WEFT_JSON_DO, places, SINGLETONS);
    }
    despawn_ids(in);
    return false;
}

// ------------------------------------------------------------------------------------------------
// The calls

static bool parse_alone(weft_json_reader *in)
{
    if (!parse_entity(in) || !parse_end_of_text(in)) return false;
    in->stage = WEFT_JSON_DO;
    in->at = 0;
    in->depth = 0;
    return parse_entity(in);
}

// Works out how much space the schema asks for: no entity has a component twice, and no struct is
// inside itself.
static void measure(const weft_schema *s, size_t *values_bytes, size_t *names)
{
    *names = (size_t)WORLD_MEMBERS + ENTITY_MEMBERS;
    *names += (size_t)s->component_count + s->singleton_count + s->relation_count;
    *values_bytes = 0;
    for (uint32_t i = 0; i < s->component_count; i++) {
        *values_bytes += weft_round_up(s->components[i].size, WEFT_LINE_BYTES);
        *names += s->components[i].field_count;
    }
    for (uint32_t i = 0; i < s->singleton_count; i++) {
        *values_bytes += weft_round_up(s->singletons[i].size, WEFT_LINE_BYTES);
        *names += s->singletons[i].field_count;
    }
    for (uint32_t i = 0; i < s->struct_count; i++) *names += s->structs[i].field_count;
    for (uint32_t i = 0; i < s->extern_count; i++) *names += s->externs[i].field_count;
}

static weft_status read_text(weft_json_reader *in, const char *text, size_t bytes)
{
    weft_heap *heap = &in->world->heap;
    size_t values_bytes;
    size_t names;
    measure(in->world->plan->schema, &values_bytes, &names);
    in->text = text;
    in->bytes = bytes;
    in->values = (unsigned char *)weft_allocate(heap, values_bytes + names);
    if (in->values) {
        in->seen = (bool *)(in->values + values_bytes);
        (void)(in->whole ? parse_world(in) : parse_alone(in));
    } else {
        no_memory(in);
    }
    weft_region_free(heap, &in->ids);
    weft_free(heap, in->values, values_bytes + names);
    return in->status;
}

weft_status weft_json_entity_read(weft_world *world, uint64_t handle, const char *text,
                                  size_t bytes)
{
    weft_place at;
    weft_json_reader in = {.world = world, .handle = handle};
    if (weft_busy(world, "weft_json_entity_read" WEFT_WAITS)) return WEFT_BUSY;
    if (!weft_find(&world->entities, world->plan->format, handle, &at)) {
        weft_refuse(world, (weft_refusal){WEFT_DEAD, WEFT_NONE, WEFT_NONE, false, handle});
        return WEFT_DEAD;
    }
    return read_text(&in, text, bytes);
}

weft_status weft_json_world_read(weft_world *world, const char *text, size_t bytes)
{
    weft_json_reader in = {.world = world, .whole = true};
    if (weft_busy(world, "weft_json_world_read" WEFT_WAITS)) return WEFT_BUSY;
    uint32_t live = weft_entities_live(&world->entities);
    if (live == 0) return read_text(&in, text, bytes);
    return weft_report(world, WEFT_REFUSED,
                       "a world is read where nobody lives, and here %" PRIu32 " do", live);
}
