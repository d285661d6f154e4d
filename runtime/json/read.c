// Reads entities and worlds.
//
// A text is checked completely before the world changes: first all values and rules in one walk,
// then the ids, once all of them are known, and then the relations and links. Only then the world
// changes: handles are made for the ids, children are attached, each entity gets its components as
// one batch, and links are added. Singletons are written last, when no step can fail any more. The same code checks and
// applies a text, depending on `stage`: it reads the parts of the text again, at the places that
// the first walk found.
//
// It allocates up to 32 bytes for each id, and for each link of a kind, space for one value of each component, and up to two
// bytes for each possible name of the current object and the objects that enclose it.
#include "../edit/batch.h"
#include "../edit/despawn.h"
#include "../edit/nodes.h"
#include "../edit/spawn.h"
#include "../record/hook.h"
#include "../record/reader.h"
#include "../value/fields.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "../world/seeds.h"
#include "../world/writer.h"
#include "links.h"

#include <inttypes.h>
#include <string.h>

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
    if (!weft_json_handle(in, &parent) || parent == now || in->stage == WEFT_JSON_JUDGE) return;
    if (in->stage == WEFT_JSON_DO && parent != 0) {
        weft_node_place(world, relation, child, parent);
    } else if (in->stage == WEFT_JSON_DO) {
        weft_node_detach(world, relation, child);
    } else if (parent != 0) {
        weft_table *table = weft_batch_table(world->scratch.batch);
        weft_status status = weft_node_ready_in(world, relation, child, parent, table);
        if (status == WEFT_DEAD) weft_json_refuse_id(in, "is not alive");
        if (status == WEFT_REFUSED) weft_json_refuse_id(in, CIRCLE);
        weft_json_needs(in, status != WEFT_NO_MEMORY);
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
    if (!weft_json_take(in, sign) || !weft_json_id(in, &id)) return false;
    if (in->stage == WEFT_JSON_JUDGE) return true;
    *number = weft_json_find_id(in, id);
    return *number < in->id_count || weft_json_refuse_id(in, "is not an entity in this text");
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
    if (judged && ids[child].value != child) weft_json_refuse_id(in, "has a parent already");
    if (!parse_end(in, ',', &parent)) return;
    if (judged && top_of(ids, parent) == child) weft_json_refuse_id(in, CIRCLE);
    if (judged) ids[child].value = parent;
    if (!weft_json_take(in, ']') || in->stage != WEFT_JSON_DO) return;
    weft_json_needs(
        in, weft_node_attach(in->world, relation, ids[child].value, ids[parent].value) == WEFT_OK);
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
        weft_json_fields(in, info->name, info->fields, info->field_count, value);
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
    weft_json_needs(in, commit_named(in));
}

// In a world, the id identifies the entity. For a single entity it is ignored.
static void parse_own_id(weft_json_reader *in)
{
    const weft_plan *plan = in->world->plan;
    uint64_t id = 0;
    if (!weft_json_id(in, &id) || !in->whole) return;
    if (in->stage == WEFT_JSON_DO)
        in->handle = in->ids[weft_json_find_id(in, id)].value;
    else if (in->id_count == plan->max_entities)
        weft_json_refuse(in, WEFT_FULL, "more than the %" PRIu32 " of max_entities",
                         plan->max_entities);
    else if (weft_array_grow(&in->world->heap, &in->ids, &in->id_capacity, in->id_count + 1,
                             sizeof *in->ids))
        in->ids[in->id_count++] =
            (weft_keyed){weft_json_turned(id, 64u - plan->format.index_bits), in->value};
    else
        weft_json_needs(in, false);
}

// A part of a world or an entity. It begins with its name, like records of the schema. Parts can be
// in any order, and each is read where it is, unless it needs a later one.
typedef struct part {
    const char *name;
    void (*parse)(weft_json_reader *in);
} part;

static const part entity_parts[] = {{"id", parse_own_id},
                                    {"components", parse_components},
                                    {"parents", parse_relations},
                                    {"links", weft_json_links}};
enum { ENTITY_ID, ENTITY_COMPONENTS, ENTITY_PARENTS, ENTITY_LINKS, ENTITY_PARTS };

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

// Reads a single entity. Its parents and links are checked when its components are known, and change
// after the components are added.
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
    parse_entity_again(in, &walk, ENTITY_LINKS, places[ENTITY_LINKS]);
    in->stage = WEFT_JSON_DO;
    parse_entity_again(in, &walk, ENTITY_COMPONENTS, places[ENTITY_COMPONENTS]);
    parse_entity_again(in, &walk, ENTITY_PARENTS, places[ENTITY_PARENTS]);
    parse_entity_again(in, &walk, ENTITY_LINKS, places[ENTITY_LINKS]);
    weft_json_links_end(in);
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
    weft_json_fields(in, info->name, info->fields, info->field_count, value);
    if (in->status != WEFT_OK || !info->state) return;
    if (memcmp(value + now, (const unsigned char *)info->defaults + now, bytes) == 0) return;
    begin_state(info, value);
    in->at = at;
    weft_json_fields(in, info->name, info->fields, info->field_count, value);
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

static const part world_parts[] = {{"weft", parse_version},          {"world", parse_world_name},
                                   {"singletons", parse_singletons}, {"entities", parse_entities},
                                   {"relations", parse_relations},   {"links", weft_json_links}};
enum { VERSION, NAME, SINGLETONS, ENTITIES, RELATIONS, LINKS, WORLD_PARTS };

// The order in which they change the world.
static const uint32_t world_order[] = {RELATIONS, ENTITIES, LINKS, SINGLETONS};

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
    weft_json_sort_ids(in);
    in->stage = WEFT_JSON_LINK;
    parse_again(in, &walk, RELATIONS, places[RELATIONS]);
    parse_again(in, &walk, LINKS, places[LINKS]);
    if (in->status == WEFT_OK) in->status = weft_prefab_reserve(world, WEFT_NONE, in->id_count);
    if (in->status != WEFT_OK) return;
    for (uint32_t i = 0; i < in->id_count; i++) in->ids[i].value = weft_spawn_empty(world);
    in->stage = WEFT_JSON_DO;
    for (uint32_t i = 0; i < sizeof world_order / sizeof *world_order; i++) {
        parse_again(in, &walk, world_order[i], places[world_order[i]]);
    }
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
    for (uint32_t i = 0; i < schema->link_count; i++) bytes += schema->links[i].size;
    size_t words = bytes = weft_round_up(bytes, WEFT_LINE_BYTES);
    bytes += in->world->plan->set_words * sizeof *in->named;
    in->values = (unsigned char *)weft_allocate(heap, bytes);
    in->named = in->values ? (uint64_t *)(void *)(in->values + words) : NULL;
    weft_writer(in->world, in->whole ? "weft_json_world_read" : "weft_json_entity_read", false);
    weft_json_needs(in, in->values != NULL);
    if (in->whole) {
        weft_hooks_because(in->world, WEFT_BY_LOAD);
        parse_world(in);
        weft_hooks_because(in->world, WEFT_BY_CALL);
    } else {
        parse_lone_entity(in);
    }
    weft_free(heap, in->ids, in->id_capacity * sizeof *in->ids);
    weft_free(heap, in->links, in->link_capacity * sizeof *in->links);
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
