// Reading entities and worlds. A text is read several times, the first time to judge it: only what
// is right from end to end, and has room, is read again to be done. What is judged and what is done
// is the same code.
//
//   judge        every value and rule; who is in the text
//   links        who is whose child, now that it is known who is there
//   attach       handles for them, then the children to their parents
//   entities     each one's components as one batch
//   singletons   last, as nothing can fail any more
#include "weft_batch.h"
#include "weft_json_values.h"
#include "weft_relation.h"
#include "weft_structure.h"

#include <inttypes.h>
#include <string.h>

#define NAME_BYTES 72 // longer than any name of a schema

typedef enum stage { JUDGE, LINKS, ATTACH, ENTITIES, SINGLETONS } stage;

// An entity of the text, and who it is here.
typedef struct person {
    uint64_t id;
    uint64_t handle; // while judging: where in the text it is
} person;

typedef struct import {
    weft_world *world;
    weft_json_text text;
    stage stage;
    bool whole;           // a world; else `handle` is given components
    uint64_t handle;      // the entity at hand; 0: being judged, as one that has nothing
    weft_region people;   // person, those of a world by ascending id once it is judged
    uint32_t count;       // of them
    weft_json_text links; // before the relations of a world; of no text: it has none
    weft_region above;    // uint32_t, for each of them somebody above it in the relation that is
                          // being judged; itself: it has no parent
    weft_region values;   // plain structs of the components at hand
    size_t used;          // bytes of them
    size_t values_max;
    uint64_t *named;      // set of components that the entity at hand was given
    uint64_t *singletons; // set of those that the text has given
    uint64_t *relations;  // likewise
    uint64_t *seen;       // room for sets of fields
} import;

static size_t slot_bytes(uint32_t size)
{
    return weft_round_up(size, WEFT_LINE_BYTES);
}

// No entity names more than every component once, and a singleton is alone.
static size_t values_max(const weft_schema *schema)
{
    size_t sum = 0;
    for (uint32_t i = 0; i < schema->component_count; i++) {
        sum += slot_bytes(schema->components[i].size);
    }
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        size_t bytes = slot_bytes(schema->singletons[i].size);
        if (sum < bytes) sum = bytes;
    }
    return sum;
}

static size_t set_bytes(const weft_plan *plan)
{
    return plan->set_words * sizeof(uint64_t);
}

// Of the fields of one component or singleton and of all structs: none is inside itself.
static size_t seen_words(const weft_schema *schema)
{
    size_t most = 0;
    size_t inside = 0;
    for (uint32_t i = 0; i < schema->component_count; i++) {
        size_t words = weft_json_words(schema->components[i].field_count);
        if (most < words) most = words;
    }
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        size_t words = weft_json_words(schema->singletons[i].field_count);
        if (most < words) most = words;
    }
    for (uint32_t i = 0; i < schema->struct_count; i++) {
        inside += weft_json_words(schema->structs[i].field_count);
    }
    for (uint32_t i = 0; i < schema->extern_count; i++) {
        inside += weft_json_words(schema->externs[i].field_count);
    }
    return most + inside;
}

static size_t sets_bytes(const weft_plan *plan)
{
    const weft_schema *schema = plan->schema;
    size_t words = weft_json_words(schema->singleton_count) +
                   weft_json_words(schema->relation_count) + seen_words(schema);
    return set_bytes(plan) + words * sizeof(uint64_t);
}

static bool no_memory(import *in)
{
    weft_refuse_room(in->world,
                     (weft_refusal){WEFT_NO_MEMORY, WEFT_NONE, WEFT_NONE, false, in->handle});
    in->text.status = WEFT_NO_MEMORY;
    return false;
}

// False: no memory.
static bool open_sets(import *in)
{
    const weft_plan *plan = in->world->plan;
    in->named = (uint64_t *)weft_allocate(&in->world->heap, sets_bytes(plan));
    if (!in->named) return no_memory(in);
    in->singletons = in->named + plan->set_words;
    in->relations = in->singletons + weft_json_words(plan->schema->singleton_count);
    in->seen = in->relations + weft_json_words(plan->schema->relation_count);
    return true;
}

// Room for one more value of so many bytes; NULL: no memory. Later stages find it there.
static void *take_slot(import *in, uint32_t size)
{
    size_t bytes = in->used + slot_bytes(size);
    if (!weft_region_grow(&in->world->heap, &in->values, bytes, in->values_max)) {
        no_memory(in);
        return NULL;
    }
    void *slot = in->values.base + in->used;
    in->used = bytes;
    return slot;
}

// ------------------------------------------------------------------------------------------------
// Who is who

// By index, then generation: in the order in which they get new ones.
static bool comes_before(weft_format f, uint64_t a, uint64_t b)
{
    uint32_t one = weft_handle_index(f, a);
    uint32_t other = weft_handle_index(f, b);
    return one != other ? one < other : a < b;
}

static person *people_of(const import *in)
{
    return (person *)(void *)in->people.base;
}

static void sift(weft_format f, person *people, uint32_t at, uint32_t count)
{
    for (;;) {
        uint64_t child = (uint64_t)at * 2 + 1;
        if (child >= count) return;
        if (child + 1 < count && comes_before(f, people[child].id, people[child + 1].id)) child++;
        if (!comes_before(f, people[at].id, people[child].id)) return;
        person p = people[at];
        people[at] = people[child];
        people[child] = p;
        at = (uint32_t)child;
    }
}

// In place, without recursion, in O(n log n) whatever the text (heap sort).
static void sort_people(weft_format f, person *people, uint32_t count)
{
    for (uint32_t i = count / 2; i > 0; i--) sift(f, people, i - 1, count);
    for (uint32_t end = count; end > 1; end--) {
        person last = people[end - 1];
        people[end - 1] = people[0];
        people[0] = last;
        sift(f, people, 0, end - 1);
    }
}

// Which of the people it is; their count: none.
static uint32_t person_of(const import *in, uint64_t id)
{
    const person *people = people_of(in);
    weft_format f = in->world->plan->format;
    uint32_t low = 0;
    for (uint32_t high = in->count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (comes_before(f, people[middle].id, id))
            low = middle + 1;
        else
            high = middle;
    }
    return low < in->count && people[low].id == id ? low : in->count;
}

static uint64_t handle_here(void *context, uint64_t id)
{
    const import *in = (const import *)context;
    uint32_t i = person_of(in, id);
    return i < in->count ? people_of(in)[i].handle : 0;
}

static bool add_person(import *in, uint64_t id)
{
    const weft_plan *plan = in->world->plan;
    const size_t most = SIZE_MAX / 2 / sizeof(person);
    size_t limit = (plan->max_entities < most ? plan->max_entities : most) * sizeof(person);
    if (in->count == plan->max_entities) {
        return weft_json_refuse(&in->text, WEFT_FULL, "more than the %" PRIu32 " of max_entities",
                                plan->max_entities);
    }
    if (!weft_region_grow(&in->world->heap, &in->people, (in->count + 1) * sizeof(person), limit)) {
        return no_memory(in);
    }
    people_of(in)[in->count++] = (person){id, in->text.value};
    return true;
}

// Every id once.
static bool judge_people(import *in)
{
    weft_format f = in->world->plan->format;
    person *people = people_of(in);
    sort_people(f, people, in->count);
    for (uint32_t i = 1; i < in->count; i++) {
        if (people[i].id != people[i - 1].id) continue;
        uint64_t later =
            people[i].handle > people[i - 1].handle ? people[i].handle : people[i - 1].handle;
        in->text = weft_json_begin(in->world, in->text.text, in->text.bytes);
        while (in->text.value < later) { // once more to its line
            weft_json_peek(&in->text);
            if (in->text.value < later) in->text.at++;
        }
        return weft_json_refuse(&in->text, WEFT_BAD_VALUE,
                                "entity \"%" PRIu32 ":%" PRIu64 "\" is there twice",
                                weft_handle_index(f, people[i].id), people[i].id >> f.index_bits);
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Parents of an entity

static bool no_link(import *in, uint64_t handle, const char *words)
{
    weft_format f = in->world->plan->format;
    return weft_json_refuse(&in->text, WEFT_BAD_VALUE, "\"%" PRIu32 ":%" PRIu64 "\" %s",
                            weft_handle_index(f, handle), handle >> f.index_bits, words);
}

static const char BELOW[] = "cannot be the parent: it is the child, or below it";

// Takes an object by relation, each once.
static bool take_by_relation(import *in, bool (*take)(import *in, uint32_t relation))
{
    const weft_schema *schema = in->world->plan->schema;
    weft_json_text *t = &in->text;
    char name[NAME_BYTES];
    memset(in->relations, 0, weft_json_words(schema->relation_count) * sizeof(uint64_t));
    if (!weft_json_take(t, '{', "'{'")) return false;
    for (bool first = true; weft_json_more(t, '}', first); first = false) {
        uint32_t i = 0;
        if (!weft_json_key(t, name, sizeof name)) return false;
        while (i < schema->relation_count && strcmp(schema->relations[i].name, name) != 0) i++;
        if (i == schema->relation_count) {
            return weft_json_refuse(t, WEFT_BAD_VALUE, "there is no relation '%.64s'", name);
        }
        size_t path = weft_json_enter(t, name);
        if (!weft_json_once(t, in->relations, i) || !take(in, i)) return false;
        weft_json_leave(t, path);
    }
    return t->status == WEFT_OK;
}

// What attaching says is heeded before anything is done; then it cannot fail.
static bool judge_parent(import *in, uint32_t relation, uint64_t parent)
{
    switch (weft_link_ready(in->world, relation, in->handle, parent)) {
    case WEFT_OK:
        return true;
    case WEFT_DEAD:
        return no_link(in, parent, "is nobody");
    case WEFT_NO_MEMORY:
        return no_memory(in);
    default:
        return no_link(in, parent, BELOW);
    }
}

// Of a single entity. One that has this parent keeps its place among the children.
static bool take_parent(import *in, uint32_t relation)
{
    weft_world *world = in->world;
    uint64_t parent = 0;
    if (!weft_json_null(&in->text)) {
        if (!weft_json_id(&in->text, &parent)) return false;
        if (in->stage == JUDGE) return judge_parent(in, relation, parent);
    }
    if (in->stage == JUDGE) return true;
    if (parent == 0)
        weft_link_detach(world, relation, in->handle);
    else if (weft_parent(world, world->plan->format, relation, in->handle) != parent)
        weft_link_attach(world, relation, in->handle, parent);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Components of an entity

// What the fields are that the text leaves out.
static void put_current(const import *in, uint32_t component, unsigned char *value)
{
    const weft_world *world = in->world;
    const weft_plan *plan = world->plan;
    const weft_component_plan *c = &plan->components[component];
    const weft_component_info *info = &plan->schema->components[component];
    const weft_batch *batch = world->batch;
    memcpy(value, info->defaults, info->size);
    if (in->whole || !weft_set_has(batch->had, component)) return;
    if (c->sparse != WEFT_NONE) {
        uint32_t index = weft_handle_index(plan->format, in->handle);
        memcpy(value, weft_sparse_find(&world->sparse[c->sparse], index), info->size);
        return;
    }
    const weft_table *table = world->tables.items[batch->from.table];
    for (uint32_t i = 0; i < info->field_count; i++) {
        const weft_field *field = &info->fields[i];
        memcpy(value + field->offset, weft_row_member(plan, table, batch->from.row, component, i),
               field->size);
    }
}

static bool take_tag(weft_json_text *t)
{
    bool on;
    if (!weft_json_bool(t, &on)) return false;
    return on || weft_json_refuse(t, WEFT_BAD_VALUE, "a tag is true, or left out");
}

static bool take_fields(import *in, const weft_component_info *info, void *value)
{
    bool maps = in->whole && in->stage != JUDGE;
    weft_json_values v = {&in->text, in->seen, maps ? handle_here : NULL, in};
    return weft_json_fields(&v, info->fields, info->field_count, value);
}

// A component into the batch.
static bool take_component(import *in, uint32_t component)
{
    const weft_component_info *info = &in->world->plan->schema->components[component];
    weft_json_text *t = &in->text;
    weft_refusal why;
    void *value = NULL;
    if (!weft_json_once(t, in->named, component)) return false;
    if (info->storage == WEFT_STORAGE_TAG) {
        if (!take_tag(t)) return false;
    } else {
        value = take_slot(in, info->size);
        if (!value) return false;
        put_current(in, component, (unsigned char *)value);
        if (!take_fields(in, info, value)) return false;
    }
    if (weft_batch_set(in->world->batch, component, value, &why)) return true;
    return weft_json_refuse(t, WEFT_REFUSED, "it cannot be there with '%s': one excludes the other",
                            in->world->plan->schema->components[why.other].name);
}

static bool take_components(import *in)
{
    const weft_schema *schema = in->world->plan->schema;
    weft_json_text *t = &in->text;
    char name[NAME_BYTES];
    if (!weft_json_take(t, '{', "'{'")) return false;
    for (bool first = true; weft_json_more(t, '}', first); first = false) {
        uint32_t i = 0;
        if (!weft_json_key(t, name, sizeof name)) return false;
        while (i < schema->component_count && strcmp(schema->components[i].name, name) != 0) i++;
        if (i == schema->component_count) {
            return weft_json_refuse(t, WEFT_BAD_VALUE, "there is no component '%.64s'", name);
        }
        size_t path = weft_json_enter(t, name);
        if (!take_component(in, i)) return false;
        weft_json_leave(t, path);
    }
    return t->status == WEFT_OK;
}

// The batch for whoever is at hand, empty. While a world is judged nobody is.
static void begin_entity(import *in)
{
    weft_batch *batch = in->world->batch;
    in->used = 0;
    memset(in->named, 0, set_bytes(in->world->plan));
    if (in->handle == 0)
        weft_batch_begin_new(batch, 0);
    else
        weft_batch_begin(batch, in->handle);
}

// The id comes before the components, or it could not be known whose they are.
static bool take_id(import *in)
{
    uint64_t id;
    if (!weft_json_id(&in->text, &id)) return false;
    if (!in->whole) return true;
    if (in->stage == JUDGE) return add_person(in, id);
    in->handle = handle_here(in, id);
    return true;
}

// Members of an entity, in this order. In a world the relations have the parents.
static const char *const parts[] = {"id", "components", "parents"};
enum { ID, COMPONENTS, PARENTS, PART_COUNT };

static bool take_part(import *in, uint32_t part)
{
    if (part == ID) return take_id(in);
    if (part == PARENTS) return take_by_relation(in, take_parent);
    begin_entity(in);
    if (!take_components(in)) return false;
    return in->stage != ENTITIES || weft_batch_commit(in->world->batch) || no_memory(in);
}

static bool take_entity_member(import *in, const char *name, uint32_t *next)
{
    weft_json_text *t = &in->text;
    uint32_t count = in->whole ? PARENTS : PART_COUNT;
    uint32_t part = 0;
    while (part < count && strcmp(parts[part], name) != 0) part++;
    if (part == count || part < *next || (part == PARENTS && *next != PARENTS)) {
        return weft_json_refuse(t, WEFT_BAD_VALUE, "an entity has one 'id', then 'components'%s",
                                in->whole ? "" : ", then 'parents'");
    }
    if (in->whole && part > *next) {
        return weft_json_refuse(t, WEFT_BAD_VALUE, "an entity begins with its 'id'");
    }
    *next = part + 1;
    return take_part(in, part);
}

static bool take_entity(import *in)
{
    weft_json_text *t = &in->text;
    char name[NAME_BYTES];
    uint32_t next = ID;
    if (!weft_json_take(t, '{', "'{'")) return false;
    for (bool first = true; weft_json_more(t, '}', first); first = false) {
        if (!weft_json_key(t, name, sizeof name)) return false;
        if (!take_entity_member(in, name, &next)) return false;
    }
    if (t->status != WEFT_OK) return false;
    return next > COMPONENTS ||
           weft_json_refuse(t, WEFT_BAD_VALUE, "an entity lacks its 'components'");
}

// ------------------------------------------------------------------------------------------------
// Relations

// Who is at the top of those that it is below, and a shorter way there for the next time.
static uint32_t top_of(uint32_t *above, uint32_t at)
{
    while (above[at] != at) {
        above[at] = above[above[at]];
        at = above[at];
    }
    return at;
}

static bool take_end(import *in, uint64_t *id, uint32_t *who)
{
    if (!weft_json_id(&in->text, id)) return false;
    if (in->stage != LINKS) return true;
    *who = person_of(in, *id);
    return *who < in->count || no_link(in, *id, "is nobody in this text");
}

// A child is the top of what is below it until it gets its parent.
static bool take_ends(import *in, uint64_t *child, uint64_t *parent)
{
    weft_json_text *t = &in->text;
    uint32_t *above = (uint32_t *)(void *)in->above.base;
    bool judges = in->stage == LINKS;
    uint32_t below = 0;
    uint32_t over = 0;
    if (!take_end(in, child, &below)) return false;
    if (judges && above[below] != below) return no_link(in, *child, "has a parent already");
    if (!weft_json_take(t, ',', "','") || !take_end(in, parent, &over)) return false;
    if (!judges) return true;
    if (top_of(above, over) == below) return no_link(in, *parent, BELOW);
    above[below] = over;
    return true;
}

static bool take_link(import *in, uint32_t relation)
{
    weft_json_text *t = &in->text;
    uint64_t child;
    uint64_t parent;
    if (!weft_json_take(t, '[', "'['") || !take_ends(in, &child, &parent) ||
        !weft_json_take(t, ']', "']'")) {
        return false;
    }
    return in->stage != ATTACH ||
           weft_link_attach(in->world, relation, handle_here(in, child), handle_here(in, parent)) ==
               WEFT_OK ||
           no_memory(in);
}

static bool take_links(import *in, uint32_t relation)
{
    weft_json_text *t = &in->text;
    uint32_t *above = (uint32_t *)(void *)in->above.base;
    uint32_t count = 0;
    for (uint32_t i = 0; in->stage == LINKS && i < in->count; i++) above[i] = i;
    if (!weft_json_take(t, '[', "'['")) return false;
    for (; weft_json_more(t, ']', count == 0); count++) {
        size_t path = weft_json_enter_item(t, count);
        if (!take_link(in, relation)) return false;
        weft_json_leave(t, path);
    }
    return t->status == WEFT_OK;
}

static bool take_relations(import *in)
{
    if (in->stage == JUDGE) in->links = in->text;
    size_t path = weft_json_enter(&in->text, "relations");
    if (!take_by_relation(in, take_links)) return false;
    weft_json_leave(&in->text, path);
    return true;
}

// Once more over the relations alone.
static bool follow_links(import *in, stage next)
{
    in->stage = next;
    if (!in->links.text) return true;
    in->text = in->links;
    return take_relations(in);
}

static bool judge_links(import *in)
{
    size_t bytes = in->count * sizeof(uint32_t);
    if (!in->links.text || in->count == 0) return follow_links(in, LINKS);
    if (!weft_region_grow(&in->world->heap, &in->above, bytes, bytes)) return no_memory(in);
    return follow_links(in, LINKS);
}

// ------------------------------------------------------------------------------------------------
// Worlds

static bool take_entities(import *in)
{
    weft_json_text *t = &in->text;
    uint32_t count = 0;
    size_t outer = weft_json_enter(t, "entities");
    if (!weft_json_take(t, '[', "'['")) return false;
    for (; weft_json_more(t, ']', count == 0); count++) {
        size_t path = weft_json_enter_item(t, count);
        in->handle = 0;
        if (!take_entity(in)) return false;
        weft_json_leave(t, path);
    }
    weft_json_leave(t, outer);
    return t->status == WEFT_OK;
}

static bool take_singleton(import *in, const weft_singleton_info *info)
{
    unsigned char *place = (unsigned char *)(void *)in->world + info->offset;
    bool maps = in->stage != JUDGE;
    weft_json_values v = {&in->text, in->seen, maps ? handle_here : NULL, in};
    in->used = 0;
    void *value = take_slot(in, info->size);
    if (!value) return false;
    memcpy(value, info->defaults, info->size);
    if (!weft_json_fields(&v, info->fields, info->field_count, value)) return false;
    if (in->stage == SINGLETONS) memcpy(place, value, info->size);
    return true;
}

static bool take_singletons(import *in)
{
    const weft_schema *schema = in->world->plan->schema;
    weft_json_text *t = &in->text;
    char name[NAME_BYTES];
    if (!weft_json_take(t, '{', "'{'")) return false;
    memset(in->singletons, 0, weft_json_words(schema->singleton_count) * sizeof(uint64_t));
    for (bool first = true; weft_json_more(t, '}', first); first = false) {
        uint32_t i = 0;
        if (!weft_json_key(t, name, sizeof name)) return false;
        while (i < schema->singleton_count && strcmp(schema->singletons[i].name, name) != 0) i++;
        if (i == schema->singleton_count) {
            return weft_json_refuse(t, WEFT_BAD_VALUE, "there is no singleton '%.64s'", name);
        }
        size_t path = weft_json_enter(t, name);
        if (!weft_json_once(t, in->singletons, i)) return false;
        if (!take_singleton(in, &schema->singletons[i])) return false;
        weft_json_leave(t, path);
    }
    return t->status == WEFT_OK;
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
    char name[NAME_BYTES];
    size_t length;
    if (!weft_json_string(t, name, sizeof name, &length)) return false;
    if (strcmp(name, wanted) == 0) return true;
    return weft_json_refuse(t, WEFT_BAD_VALUE, "a world of '%.64s', but this is one of '%s'", name,
                            wanted);
}

// Members of a world; each once.
static const char *const members[] = {"weft", "world", "singletons", "entities", "relations"};
enum { MEMBER_COUNT = 5 };

static bool take_member(import *in, uint32_t member)
{
    switch (member) {
    case 0:
        return take_version(&in->text);
    case 1:
        return take_name(&in->text);
    case 2:
        return take_singletons(in);
    case 3:
        return take_entities(in);
    default:
        return take_relations(in);
    }
}

static bool take_world(import *in)
{
    weft_json_text *t = &in->text;
    char name[NAME_BYTES];
    uint32_t seen = 0;
    if (!weft_json_take(t, '{', "'{'")) return false;
    for (bool first = true; weft_json_more(t, '}', first); first = false) {
        uint32_t i = 0;
        if (!weft_json_key(t, name, sizeof name)) return false;
        while (i < MEMBER_COUNT && strcmp(members[i], name) != 0) i++;
        if (i == MEMBER_COUNT || (seen >> i & 1) != 0) {
            return weft_json_refuse(t, WEFT_BAD_VALUE, "'%.64s' is %s a world has", name,
                                    i == MEMBER_COUNT ? "nothing that" : "more than once what");
        }
        seen |= 1u << i;
        if (!take_member(in, i)) return false;
    }
    if (t->status != WEFT_OK) return false;
    if ((seen & 3) == 3) return true;
    return weft_json_refuse(t, WEFT_BAD_VALUE, "it lacks '%s'", members[seen & 1]);
}

// ------------------------------------------------------------------------------------------------
// Stages

static bool run(import *in, stage next)
{
    in->stage = next;
    in->text = weft_json_begin(in->world, in->text.text, in->text.bytes);
    return (in->whole ? take_world(in) : take_entity(in)) && weft_json_end(&in->text);
}

static void despawn_all(import *in)
{
    for (uint32_t i = 0; i < in->count; i++) {
        weft_place at; // some go with their parents
        uint64_t handle = people_of(in)[i].handle;
        if (weft_find(&in->world->entities, in->world->plan->format, handle, &at)) {
            weft_despawn(in->world, handle);
        }
    }
}

// A new handle for each, in the order of their ids; all or none.
static bool spawn_all(import *in)
{
    person *people = people_of(in);
    weft_status status = weft_world_reserve(in->world, in->count);
    for (uint32_t i = 0; status == WEFT_OK && i < in->count; i++) {
        people[i].handle = weft_spawn_empty(in->world);
        if (people[i].handle == 0) status = in->world->refusal.status;
        if (status == WEFT_OK) continue;
        in->count = i;
        despawn_all(in);
    }
    in->text.status = status;
    return status == WEFT_OK;
}

static bool read_world(import *in)
{
    if (!run(in, JUDGE) || !judge_people(in) || !judge_links(in) || !spawn_all(in)) return false;
    if (follow_links(in, ATTACH) && run(in, ENTITIES)) return run(in, SINGLETONS);
    weft_status status = in->text.status;
    despawn_all(in);
    in->text.status = status;
    return false;
}

static bool read_entity(import *in)
{
    return run(in, JUDGE) && run(in, ENTITIES);
}

static weft_status read_text(weft_world *world, uint64_t handle, bool whole, const char *text,
                             size_t bytes)
{
import in = {.world = world, .whole = whole, .handle = handle };
    in.text = weft_json_begin(world, text, bytes);
    in.values_max = values_max(world->plan->schema);
    if (open_sets(&in)) (void)(whole ? read_world(&in) : read_entity(&in));
    weft_free(&world->heap, in.named, sets_bytes(world->plan));
    weft_region_free(&world->heap, &in.above);
    weft_region_free(&world->heap, &in.people);
    weft_region_free(&world->heap, &in.values);
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
        return weft_world_say(world, WEFT_REFUSED,
                              "a world is read where nobody lives, and here %" PRIu32 " do",
                              weft_entities_live(&world->entities));
    }
    return read_text(world, 0, true, text, bytes);
}
