// Reads entities and worlds.
//
// A text is checked completely before the world changes: first all values and rules in one walk,
// then the ids, once all of them are known, and then the relations. Only then the world changes:
// handles are made for the ids, children are attached, and each entity gets its components as one
// batch. Singletons are written last, when no step can fail any more. The same code checks and
// applies a text, depending on `stage`: it reads the parts of the text again, at the places that
// the first walk found.
//
// It allocates up to 32 bytes for each id, space for one value of each component, and up to two
// bytes for each possible name of the current object and the objects that enclose it.
#include "../base/keyed.h"
#include "../base/search.h"
#include "../edit/batch.h"
#include "../edit/despawn.h"
#include "../edit/nodes.h"
#include "../edit/spawn.h"
#include "../record/hook.h"
#include "../record/reader.h"
#include "../value/access.h"
#include "../value/fields.h"
#include "../value/text.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "../world/seeds.h"
#include "../world/writer.h"
#include "text.h"

#include <inttypes.h>
#include <string.h>

// Reports that memory ran out if `memory` is false.
static void needs(weft_json_reader *in, bool memory)
{
    if (memory) return;
    in->status = WEFT_NO_MEMORY;
    weft_refuse_space(in->world, weft_refusal_of(in->status, WEFT_NONE, in->handle));
}

// ------------------------------------------------------------------------------------------------
// Ids: those of a world are in any order, and are sorted once

// Reads an id, "index:generation", exactly as a handle of the world is written.
static bool parse_id(weft_json_reader *in, uint64_t *id)
{
    char text[WEFT_JSON_NAME_BYTES];
    return weft_json_string(in, text, sizeof text) &&
           (weft_handle_from_text(in->world->plan->format, text, strlen(text), id) ||
            WEFT_JSON_WRONG(in, WEFT_NO_HANDLE, 24, text));
}

// Refuses the id that was just read.
static bool refuse_id(weft_json_reader *in, const char *words)
{
    return WEFT_JSON_WRONG(in, "%.*s %s", (int)(in->at - in->value), in->text + in->value, words);
}

// Rotates the bits of an id. The key of an id is its bits rotated until the index is on top, so
// sorting by key sorts by index.
static uint64_t turned(uint64_t bits, uint32_t by)
{
    return bits << by | bits >> (64 - by);
}

// Sorts the ids. Refuses an id that occurs twice, at its second place.
static void sort_ids(weft_json_reader *in)
{
    const weft_keyed *ids = in->ids;
    const weft_format f = in->world->plan->format;
    weft_keyed_sort(in->ids, in->id_count, 64);
    for (uint32_t i = 1; i < in->id_count; i++) {
        if (ids[i].key != ids[i - 1].key) continue;
        in->value = (size_t)(ids[i].value > ids[i - 1].value ? ids[i].value : ids[i - 1].value);
        WEFT_JSON_WRONG(in, "entity \"%s\" occurs twice",
                        weft_handle_as_text(f, turned(ids[i].key, f.index_bits)).text);
    }
}

static inline uint64_t key_of_id(const void *ids, uint32_t place)
{
    return ((const weft_keyed *)ids)[place].key;
}

// Returns the position of an id among the sorted ones, or `id_count` if it is missing.
static uint32_t find_id(const weft_json_reader *in, uint64_t id)
{
    uint64_t key = turned(id, 64u - in->world->plan->format.index_bits);
    uint32_t at = weft_lower_bound(in->ids, 0, in->id_count, key_of_id, key);
    return at < in->id_count && in->ids[at].key == key ? at : in->id_count;
}

// Reads null, as 0, or an id. When a world is being filled, returns the entity's new handle, or 0
// if the text does not contain the entity. Otherwise returns the id itself.
static bool parse_handle(weft_json_reader *in, uint64_t *handle)
{
    *handle = 0;
    if (weft_json_word(in, "null")) return true;
    if (!parse_id(in, handle)) return false;
    if (!in->whole || in->stage != WEFT_JSON_DO) return true;
    uint32_t i = find_id(in, *handle);
    *handle = i < in->id_count ? in->ids[i].value : 0;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Values: the schema determines what must follow, and each value obeys the rules of its field

static void parse_element(weft_json_reader *in, const weft_field *field, unsigned char *element);

// Reads an array, a list, or an object with some elements of an array that an enum numbers.
// Elements that such an object leaves out keep their values. The items of a list begin as zeros,
// those of an array with their old values.
static void parse_items(weft_json_reader *in, const weft_field *field, unsigned char *member)
{
    const weft_enum_info *by = weft_field_by(in->world->plan->schema, field);
    bool list = field->shape == WEFT_SHAPE_LIST;
    weft_json_walk walk = {.by_name = by != NULL};
    if (by) walk.names = weft_value_names(by);
    if (list) memset(member, 0, field->size);
    while (weft_json_next(in, &walk)) {
        size_t offset = field->items_offset + (size_t)walk.item * field->element_size;
        if (walk.item < field->count)
            parse_element(in, field, member + offset);
        else
            WEFT_JSON_WRONG(in, WEFT_NO_ROOM, field->count);
    }
    if (list)
        weft_bits_write(member, (uint32_t)sizeof walk.count, walk.count);
    else if (!by && walk.count != field->count)
        WEFT_JSON_WRONG(in, "%" PRIu32 " items, but '%s' has %" PRIu32, walk.count, field->name,
                        field->count);
}

// Reads an object with some of these fields into a plain struct. Missing fields keep their values.
static void parse_fields(weft_json_reader *in, const char *owner, const weft_field *fields,
                         uint32_t count, void *value)
{
    weft_json_walk walk = {.names = weft_field_names(owner, fields, count)};
    while (weft_json_next(in, &walk)) {
        const weft_field *field = &fields[walk.item];
        (weft_field_is_many(field) ? parse_items : parse_element)(
            in, field, (unsigned char *)value + field->offset);
    }
}

// Reads a leaf that is not a string or handle. Values of enums are names in quotes; so are nan, inf
// and -inf, because JSON has no such numbers.
static bool parse_word(weft_json_reader *in, const weft_leaf_ref *leaf, weft_number *number)
{
    char text[WEFT_JSON_NUMBER_MAX + 1];
    char why[WEFT_WHY_BYTES];
    weft_number_kind kind = weft_kind_of(leaf->type);
    if (leaf->type == WEFT_TYPE_BOOL) {
        number->u64 = weft_json_word(in, "true");
        return number->u64 != 0 || weft_json_word(in, "false") ||
               weft_json_wants(in, "true or false");
    }
    if (leaf->type == WEFT_TYPE_ENUM || (kind == WEFT_FLOAT && weft_json_peek(in) == '"')) {
        if (!weft_json_string(in, text, sizeof text)) return false;
        return weft_name_read(in->world->plan, leaf, text, strlen(text), number, why) ||
               WEFT_JSON_WRONG(in, "%s", why);
    }
    if (!weft_json_number(in, text)) return false;
    return weft_number_from_text(kind, leaf->bytes, text, number) ||
           WEFT_JSON_WRONG(in, WEFT_CANNOT_HOLD, weft_type_name(leaf->type), WEFT_WORD_SHOWN, text);
}

// Reads the value of a field, or one item of it. A string is read directly into its place.
static void parse_element(weft_json_reader *in, const weft_field *field, unsigned char *element)
{
    const weft_schema *schema = in->world->plan->schema;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    weft_leaf_ref leaf = weft_leaf_of(field, element);
    char why[WEFT_WHY_BYTES];
    weft_number number;
    uint64_t handle;
    if (field->shape == WEFT_SHAPE_STRING) {
        if (weft_json_string(in, (char *)element, field->count) && in->string_bytes >= field->count)
            WEFT_JSON_WRONG(in, WEFT_TOO_LONG, in->string_bytes, field->count - 1);
    } else if (inner) {
        parse_fields(in, inner->name, inner->fields, inner->field_count, element);
    } else if (field->type == WEFT_TYPE_ENTITY) {
        if (parse_handle(in, &handle)) weft_handle_write(schema, element, handle);
    } else if (parse_word(in, &leaf, &number) &&
               !weft_value_write_number(schema, &leaf, number, why)) {
        WEFT_JSON_WRONG(in, "%s", why);
    }
}

// ------------------------------------------------------------------------------------------------
// Relations: the parents of a single entity, and the links of a world

#define CIRCLE "cannot be the parent: it is the child, or below it"

// Reads the parent of a single entity. The stage LINK takes the memory for the link, so that
// attaching cannot fail later. A child that already has this parent keeps its place among the
// children.
static void parse_parent(weft_json_reader *in, uint32_t relation)
{
    weft_world *world = in->world;
    uint64_t child = in->handle, parent;
    uint64_t now = weft_parent(world, world->plan->format, relation, child);
    if (!parse_handle(in, &parent) || parent == now || in->stage == WEFT_JSON_JUDGE) return;
    if (in->stage == WEFT_JSON_DO && parent != 0) {
        weft_node_place(world, relation, child, parent);
    } else if (in->stage == WEFT_JSON_DO) {
        weft_node_detach(world, relation, child);
    } else if (parent != 0) {
        weft_table *table = weft_batch_table(world->scratch.batch);
        weft_status status = weft_node_ready_in(world, relation, child, parent, table);
        if (status == WEFT_DEAD) refuse_id(in, "is not alive");
        if (status == WEFT_REFUSED) refuse_id(in, CIRCLE);
        needs(in, status != WEFT_NO_MEMORY);
    }
}

// Returns the top of a tree of links, and shortens the way to it for the next search.
static uint32_t top_of(weft_keyed *ids, uint32_t at)
{
    while (ids[at].value != at) at = (uint32_t)(ids[at].value = ids[ids[at].value].value);
    return at;
}

// Reads one end of a link after the character `sign`, and finds the position of its id once ids are
// sorted.
static bool parse_end(weft_json_reader *in, char sign, uint32_t *number)
{
    uint64_t id;
    if (!weft_json_take(in, sign) || !parse_id(in, &id)) return false;
    if (in->stage == WEFT_JSON_JUDGE) return true;
    *number = find_id(in, id);
    return *number < in->id_count || refuse_id(in, "is not an entity in this text");
}

// Reads [child, parent]. Checking a link takes O(log n) on average, however deep the trees are.
// Before an entity gets a parent it is the top of everything below it. So the link would close a
// circle exactly if the child is the top of the parent.
static void parse_link(weft_json_reader *in, uint32_t relation)
{
    weft_keyed *ids = in->ids;
    bool judged = in->stage == WEFT_JSON_LINK;
    uint32_t child = 0, parent = 0;
    if (!parse_end(in, '[', &child)) return;
    if (judged && ids[child].value != child) refuse_id(in, "has a parent already");
    if (!parse_end(in, ',', &parent)) return;
    if (judged && top_of(ids, parent) == child) refuse_id(in, CIRCLE);
    if (judged) ids[child].value = parent;
    if (!weft_json_take(in, ']') || in->stage != WEFT_JSON_DO) return;
    needs(in,
          weft_node_attach(in->world, relation, ids[child].value, ids[parent].value) == WEFT_OK);
}

static void parse_links(weft_json_reader *in, uint32_t relation)
{
    weft_json_walk walk = {.count = 0};
    for (uint32_t i = 0; in->stage == WEFT_JSON_LINK && i < in->id_count; i++) {
        in->ids[i].value = i;
    }
    while (weft_json_next(in, &walk)) parse_link(in, relation);
}

static void parse_relations(weft_json_reader *in)
{
    weft_json_walk walk = {.names = weft_relation_names(in->world->plan->schema)};
    while (weft_json_next(in, &walk)) (in->whole ? parse_links : parse_parent)(in, walk.item);
}

// ------------------------------------------------------------------------------------------------
// Entities, in a world or alone. Their components become one batch

// Seeds each rng of a component that an entity gets, before its fields are read. So a value in the
// text stays, even if it is zero. When the batch is committed, a hook seeds the components that the
// text does not name.
static void seed_new(weft_json_reader *in, uint32_t component, void *value)
{
    const weft_component_info *info = &in->world->plan->schema->components[component];
    if (!in->world->hooks) return; // the rngs of a fragment are seeded by the merge
    weft_fields_seed(in->world, info->fields, info->field_count, value, in->handle, component);
    weft_set_add(in->named, component);
}

static bool commit_named(weft_json_reader *in)
{
    weft_hooks *hooks = in->world->hooks;
    if (hooks) hooks->read = in->named;
    bool done = weft_batch_commit(in->world->scratch.batch);
    if (hooks) hooks->read = NULL;
    return done;
}

// Reads a component into the batch. Fields that the text leaves out keep their values, or take
// their defaults if the component is new.
static void parse_component(weft_json_reader *in, uint32_t component)
{
    const weft_component_info *components = in->world->plan->schema->components;
    const weft_component_info *info = &components[component];
    weft_batch *batch = in->world->scratch.batch;
    const weft_table *table = in->world->tables.items[batch->from.table];
    unsigned char *value = in->values + in->values_used;
    const void *was = info->defaults; // NULL for a tag
    weft_refusal why;
    if (weft_set_has(batch->had, component))
        was = weft_row_value(in->world, table, batch->from.row, component, value);
    if (was) {
        in->values_used += weft_round_up(info->size, WEFT_LINE_BYTES);
        memmove(value, was, info->size);
        if (was == info->defaults) seed_new(in, component, value);
        parse_fields(in, info->name, info->fields, info->field_count, value);
    } else if (!weft_json_word(in, "true")) {
        WEFT_JSON_WRONG(in, "a tag is true, or left out");
    }
    if (!weft_batch_set(batch, component, was ? value : NULL, &why)) {
        weft_json_refuse(in, WEFT_REFUSED,
                         "it cannot be combined with '%s': one excludes the other",
                         components[why.other].name);
    }
}

static void parse_components(weft_json_reader *in)
{
    weft_json_walk walk = {.names = weft_component_names(in->world->plan->schema)};
    in->values_used = 0;
    memset(in->named, 0, in->world->plan->set_words * sizeof *in->named);
    weft_batch_begin(in->world->scratch.batch, in->handle);
    while (weft_json_next(in, &walk)) parse_component(in, walk.item);
    if (in->status != WEFT_OK || in->stage != WEFT_JSON_DO) return;
    needs(in, commit_named(in));
}

// In a world, the id identifies the entity. For a single entity it is ignored.
static void parse_own_id(weft_json_reader *in)
{
    const weft_plan *plan = in->world->plan;
    uint64_t id = 0;
    if (!parse_id(in, &id) || !in->whole) return;
    if (in->stage == WEFT_JSON_DO)
        in->handle = in->ids[find_id(in, id)].value;
    else if (in->id_count == plan->max_entities)
        weft_json_refuse(in, WEFT_FULL, "more than the %" PRIu32 " of max_entities",
                         plan->max_entities);
    else if (weft_array_grow(&in->world->heap, &in->ids, &in->id_capacity, in->id_count + 1,
                             sizeof *in->ids))
        in->ids[in->id_count++] =
            (weft_keyed){turned(id, 64u - plan->format.index_bits), in->value};
    else
        needs(in, false);
}

// A part of a world or an entity. It begins with its name, like records of the schema. Parts can be
// in any order, and each is read where it is, unless it needs a later one.
typedef struct part {
    const char *name;
    void (*parse)(weft_json_reader *in);
} part;

static const part entity_parts[] = {
    {"id", parse_own_id}, {"components", parse_components}, {"parents", parse_relations}};
enum { ENTITY_ID, ENTITY_COMPONENTS, ENTITY_PARENTS, ENTITY_PARTS };

// Reads an entity of a world. Its components are read once its id, and so its handle, is known.
static void parse_entity(weft_json_reader *in)
{
    weft_json_walk walk = {.names = WEFT_NAMES("part", NULL, entity_parts, ENTITY_PARENTS)};
    bool known = false;
    size_t components = 0; // their place, if they are before the id
    weft_json_peek(in);
    const size_t start = in->at;
    while (weft_json_next(in, &walk)) {
        uint32_t at = walk.item;
        walk.item = WEFT_NO_NAME; // the path continues with a component
        if (in->stage == WEFT_JSON_DO && at == ENTITY_COMPONENTS && !known) {
            components = in->at;
            weft_json_skip(in);
        } else {
            entity_parts[at].parse(in);
        }
        known |= at == ENTITY_ID;
    }
    if (!known) {
        in->value = start;
        WEFT_JSON_WRONG(in, "an entity lacks its 'id'");
    }
    if (components == 0) return;
    const size_t end = in->at;
    in->at = components;
    parse_components(in);
    in->at = end;
}

// Reads a part of an entity again at its place in the text; 0 if the text lacks it.
static void parse_entity_again(weft_json_reader *in, weft_json_walk *walk, uint32_t i, size_t place)
{
    in->at = place;
    in->walk = walk; // for the path, which continues with a component
    walk->item = WEFT_NO_NAME;
    if (place != 0) entity_parts[i].parse(in);
}

// Reads a single entity. Its parents are checked when its components are known, and attached after
// the components are added.
static void parse_lone_entity(weft_json_reader *in)
{
    size_t places[ENTITY_PARTS] = {0};
    weft_json_walk walk = {.names = WEFT_NAMES("part", NULL, entity_parts, ENTITY_PARTS)};
    weft_batch_begin(in->world->scratch.batch, in->handle);
    while (weft_json_next(in, &walk)) {
        uint32_t at = walk.item;
        walk.item = WEFT_NO_NAME;
        places[at] = in->at;
        entity_parts[at].parse(in);
    }
    if (in->handle == 0) return; // only check it
    in->stage = WEFT_JSON_LINK;
    parse_entity_again(in, &walk, ENTITY_PARENTS, places[ENTITY_PARENTS]);
    in->stage = WEFT_JSON_DO;
    parse_entity_again(in, &walk, ENTITY_COMPONENTS, places[ENTITY_COMPONENTS]);
    parse_entity_again(in, &walk, ENTITY_PARENTS, places[ENTITY_PARENTS]);
}

// ------------------------------------------------------------------------------------------------
// Worlds

static void parse_version(weft_json_reader *in)
{
    char number[WEFT_JSON_NUMBER_MAX + 1];
    if (weft_json_number(in, number) && (number[0] != '0' + WEFT_JSON_FORMAT || number[1] != '\0'))
        WEFT_JSON_WRONG(in, "format %.16s is unknown: this Weft reads format %d", number,
                        WEFT_JSON_FORMAT);
}

static void parse_world_name(weft_json_reader *in)
{
    const char *wanted = in->world->plan->schema->name;
    char name[WEFT_JSON_NAME_BYTES];
    if (weft_json_string(in, name, sizeof name) && strcmp(name, wanted) != 0)
        WEFT_JSON_WRONG(in, "this is a text of world '%.64s', not of '%s'", name, wanted);
}

// Begins a state with the `now` of a text: no change is requested, and no turn is due.
static void begin_state(const weft_singleton_info *info, unsigned char *value)
{
    const weft_field *now = &info->fields[WEFT_STATE_NOW];
    const weft_field *next = &info->fields[WEFT_STATE_NEXT];
    uint64_t number = weft_bits_read(value + now->offset, now->element_size);
    memset(value, 0, info->size);
    weft_bits_write(value + now->offset, now->element_size, number);
    weft_bits_write(value + next->offset, next->element_size, number);
}

// Reads a singleton. Missing fields take their defaults. For a state, the defaults only fit its
// first value; for any other value, the remaining fields are set to follow from it.
static void parse_singleton(weft_json_reader *in, uint32_t singleton, unsigned char *value)
{
    const weft_singleton_info *info = &in->world->plan->schema->singletons[singleton];
    const size_t at = in->at;
    const uint32_t now = info->state ? info->fields[WEFT_STATE_NOW].offset : 0;
    const uint32_t bytes = info->state ? info->fields[WEFT_STATE_NOW].element_size : 0;
    memcpy(value, info->defaults, info->size);
    weft_fields_seed(in->world, info->fields, info->field_count, value, 0, singleton);
    parse_fields(in, info->name, info->fields, info->field_count, value);
    if (in->status != WEFT_OK || !info->state) return;
    if (memcmp(value + now, (const unsigned char *)info->defaults + now, bytes) == 0) return;
    begin_state(info, value);
    in->at = at;
    parse_fields(in, info->name, info->fields, info->field_count, value);
}

static void parse_singletons(weft_json_reader *in)
{
    const weft_schema *schema = in->world->plan->schema;
    weft_json_walk walk = {.names = weft_singleton_names(schema)};
    while (weft_json_next(in, &walk)) {
        const weft_singleton_info *info = &schema->singletons[walk.item];
        bool done = in->stage == WEFT_JSON_DO;
        void *value = done ? (unsigned char *)(void *)in->world + info->offset : in->values;
        parse_singleton(in, walk.item, (unsigned char *)value);
        if (done) weft_singleton_changed(in->world, walk.item);
    }
}

static void parse_entities(weft_json_reader *in)
{
    weft_json_walk walk = {.count = 0};
    while (weft_json_next(in, &walk)) parse_entity(in);
}

static const part world_parts[] = {{"weft", parse_version},
                                   {"world", parse_world_name},
                                   {"singletons", parse_singletons},
                                   {"entities", parse_entities},
                                   {"relations", parse_relations}};
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
    size_t places[WORLD_PARTS] = {0}; // 0 if the text lacks it
    weft_json_walk walk = {.names = WEFT_NAMES("part", NULL, world_parts, WORLD_PARTS)};
    while (weft_json_next(in, &walk)) {
        places[walk.item] = in->at;
        world_parts[walk.item].parse(in);
    }
    for (uint32_t i = VERSION; i <= NAME; i++) {
        if (places[i] == 0) WEFT_JSON_WRONG(in, "it lacks '%s'", world_parts[i].name);
    }
    sort_ids(in);
    in->stage = WEFT_JSON_LINK;
    parse_again(in, &walk, RELATIONS, places[RELATIONS]);
    if (in->status == WEFT_OK) in->status = weft_prefab_reserve(world, WEFT_NONE, in->id_count);
    if (in->status != WEFT_OK) return;
    for (uint32_t i = 0; i < in->id_count; i++) in->ids[i].value = weft_spawn_empty(world);
    in->stage = WEFT_JSON_DO;
    for (uint32_t i = RELATIONS; i >= SINGLETONS; i--) parse_again(in, &walk, i, places[i]);
    if (in->status != WEFT_OK) weft_despawn_every(world);
}

// ------------------------------------------------------------------------------------------------
// The calls

// Reads the text of an entity or a world. It uses memory for one value of each component and for
// all singletons, which is freed before it returns.
static weft_status read_text(weft_json_reader *in)
{
    weft_heap *heap = &in->world->heap;
    const weft_schema *schema = in->world->plan->schema;
    size_t bytes = in->world->plan->world_bytes; // singletons are in there
    for (uint32_t i = 0; i < schema->component_count; i++) {
        bytes += weft_round_up(schema->components[i].size, WEFT_LINE_BYTES);
    }
    size_t words = bytes = weft_round_up(bytes, WEFT_LINE_BYTES);
    bytes += in->world->plan->set_words * sizeof *in->named;
    in->values = (unsigned char *)weft_allocate(heap, bytes);
    in->named = in->values ? (uint64_t *)(void *)(in->values + words) : NULL;
    weft_writer(in->world, in->whole ? "weft_json_world_read" : "weft_json_entity_read", false);
    needs(in, in->values != NULL);
    if (in->whole) {
        weft_hooks_because(in->world, WEFT_BY_LOAD);
        parse_world(in);
        weft_hooks_because(in->world, WEFT_BY_CALL);
    } else {
        parse_lone_entity(in);
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
    if (!WEFT_GIVEN(world, text, "weft_json_entity_read")) return WEFT_BAD_VALUE;
    if (weft_busy(world, "weft_json_entity_read" WEFT_WAITS)) return WEFT_BUSY;
    if (!weft_alive(&world->entities, world->plan->format, handle)) {
        weft_refuse(world, weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle));
        return WEFT_DEAD;
    }
    return read_text(&in);
}

weft_status weft_json_entity_judge(weft_world *world, const char *text, size_t bytes)
{
    weft_json_reader in = {.world = world, .text = text, .bytes = bytes};
    if (!WEFT_GIVEN(world, text, "weft_json_entity_judge")) return WEFT_BAD_VALUE;
    if (weft_busy(world, "weft_json_entity_judge" WEFT_WAITS)) return WEFT_BUSY;
    return read_text(&in);
}

weft_status weft_json_world_read(weft_world *world, const char *text, size_t bytes)
{
    weft_json_reader in = {.world = world, .whole = true, .text = text, .bytes = bytes};
    if (!WEFT_GIVEN(world, text, "weft_json_world_read")) return WEFT_BAD_VALUE;
    if (weft_busy(world, "weft_json_world_read" WEFT_WAITS)) return WEFT_BUSY;
    uint32_t live = weft_entities_live(&world->entities);
    if (live == 0) return read_text(&in);
    return weft_report(world, WEFT_REFUSED,
                       "a text is read into a world without entities, but this one has %" PRIu32,
                       live);
}
