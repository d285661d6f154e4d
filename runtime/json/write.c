// Writes JSON: walks over the reflection tables and writes to the caller's sink through a small
// buffer.
#include "write.h"

#include "../value/fields.h"
#include "../world/links.h"
#include "../world/relation.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "print.h"

#include <inttypes.h>
#include <stdio.h>

#define BUFFER_BYTES 1024

typedef struct printer {
    const weft_world *world;
    weft_json_sink sink;
    void *user;
    weft_status status; // of the first call of the sink that failed; then it is not called again
    size_t used;
    char buffer[BUFFER_BYTES];
} printer;

static void print_buffer(printer *p)
{
    if (p->status == WEFT_OK) p->status = p->sink(p->user, p->buffer, p->used);
    p->used = 0;
}

// Writes a piece of text that must fit into the buffer. Names have at most 64 characters.
static void print_bytes(printer *p, const char *text, size_t bytes)
{
    if (bytes > BUFFER_BYTES - p->used) print_buffer(p);
    memcpy(p->buffer + p->used, text, bytes);
    p->used += bytes;
}

static void print(printer *p, const char *text)
{
    print_bytes(p, text, strlen(text));
}

// Writes a name and its colon. The separator before it ends with the opening quote.
static void print_name(printer *p, const char *separator, const char *name)
{
    print(p, separator);
    print(p, name);
    print(p, "\": ");
}

static weft_status print_piece(void *user, const char *text, size_t bytes)
{
    printer *p = (printer *)user;
    for (size_t piece; bytes != 0; text += piece, bytes -= piece) {
        piece = bytes < BUFFER_BYTES ? bytes : BUFFER_BYTES;
        print_bytes(p, text, piece);
    }
    return p->status;
}

static void print_handle(printer *p, uint64_t bits)
{
    const weft_format f = p->world->plan->format;
    const bool some = weft_handle_is_some(f, bits);
    print(p, some ? "\"" : "null");
    if (!some) return;
    print(p, weft_handle_as_text(f, bits).text);
    print(p, "\"");
}

static void print_word(printer *p, const weft_field *field, const void *element)
{
    char space[WEFT_NUMBER_BYTES];
    const char *quote;
    weft_leaf_ref leaf = weft_leaf_of(field, element);
    const char *word = weft_json_leaf_word(p->world->plan, &leaf, space, &quote);
    const bool quoted = *quote != '\0'; // most words are numbers
    if (quoted) print(p, quote);
    print(p, word);
    if (quoted) print(p, quote);
}

// ------------------------------------------------------------------------------------------------
// Structs, down to single values. Recursion is as deep as the structs of the schema

static void print_fields(printer *p, const weft_field *fields, uint32_t count,
                         const unsigned char *value);

static void print_element(printer *p, const weft_field *field, const unsigned char *element)
{
    const weft_schema *schema = p->world->plan->schema;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    if (inner)
        print_fields(p, inner->fields, inner->field_count, element);
    else if (field->type == WEFT_TYPE_ENTITY)
        print_handle(p, weft_handle_read(schema, element));
    else
        print_word(p, field, element);
}

// Writes an array that an enum numbers as an object, whose members are named like the enum's
// values.
static void print_by_name(printer *p, const weft_field *field, const weft_enum_info *by,
                          const unsigned char *member)
{
    for (uint32_t i = 0; i < field->count; i++, member += field->element_size) {
        print_name(p, i == 0 ? "{\"" : ", \"", by->values[i]);
        print_element(p, field, member);
    }
    print(p, "}");
}

// Writes field number i with its name.
static void print_field(printer *p, const weft_field *fields, uint32_t i, const void *value)
{
    const weft_field *field = &fields[i];
    const unsigned char *member = (const unsigned char *)value;
    print_name(p, i == 0 ? "\"" : ", \"", field->name);
    if (field->shape == WEFT_SHAPE_STRING) {
        weft_json_string_write((const char *)member, weft_string_bytes(field, member), print_piece,
                               p);
    } else if (field->shape == WEFT_SHAPE_ONE) {
        print_element(p, field, member);
    } else if (field->by != 0) {
        print_by_name(p, field, weft_field_by(p->world->plan->schema, field), member);
    } else {
        uint32_t count = weft_member_count(field, member);
        member += field->items_offset;
        print(p, "[");
        for (uint32_t item = 0; item < count; item++, member += field->element_size) {
            if (item != 0) print(p, ", ");
            print_element(p, field, member);
        }
        print(p, "]");
    }
}

static void print_fields(printer *p, const weft_field *fields, uint32_t count,
                         const unsigned char *value)
{
    print(p, "{");
    for (uint32_t i = 0; i < count; i++) print_field(p, fields, i, value + fields[i].offset);
    print(p, "}");
}

// ------------------------------------------------------------------------------------------------
// Entities

static void print_component(printer *p, weft_place at, uint32_t component)
{
    const weft_plan *plan = p->world->plan;
    const weft_component_info *info = &plan->schema->components[component];
    const weft_table *table = p->world->tables.items[at.table];
    const unsigned char *sparse = NULL;
    if (info->storage == WEFT_STORAGE_SPARSE)
        sparse = (const unsigned char *)weft_row_value(p->world, table, at.row, component, NULL);
    print(p, info->storage == WEFT_STORAGE_TAG ? "true" : "{");
    for (uint32_t i = 0; i < info->field_count; i++) {
        print_field(p, info->fields, i,
                    sparse ? sparse + info->fields[i].offset
                           : weft_row_member(plan, table, at.row, component, i));
    }
    print(p, info->storage == WEFT_STORAGE_TAG ? "" : "}");
}

// Does not close the object, because the parents and links may follow.
static void print_entity(printer *p, uint64_t handle, weft_place at)
{
    const weft_plan *plan = p->world->plan;
    const char *separator = "\"";
    print(p, "{\"id\": ");
    print_handle(p, handle);
    print(p, ", \"components\": {");
    for (uint32_t i = 0; i < plan->schema->component_count; i++) {
        if (!weft_row_has(plan, p->world->tables.items[at.table], at.row, i)) continue;
        print_name(p, separator, plan->schema->components[i].name);
        print_component(p, at, i);
        separator = ", \"";
    }
    print(p, "}");
}

static void print_parents(printer *p, uint64_t handle)
{
    const weft_plan *plan = p->world->plan;
    const char *separator = ", \"parents\": {\"";
    for (uint32_t i = 0; i < plan->schema->relation_count; i++) {
        uint64_t parent = weft_parent(p->world, plan->format, i, handle);
        if (parent == 0) continue;
        print_name(p, separator, plan->schema->relations[i].name);
        print_handle(p, parent);
        separator = ", \"";
    }
    if (separator[3] == '\0') print(p, "}");
}

// Writes the value of a link, if it has one, and closes the link.
static void print_link_value(printer *p, uint32_t link, const void *value)
{
    const weft_link_info *info = &p->world->plan->schema->links[link];
    if (info->size != 0) {
        print_name(p, ", \"", "value");
        print_fields(p, info->fields, info->field_count, value);
    }
    print(p, "}");
}

// Writes the links of a walk, by the name of the other end. A link to the entity itself is in both
// walks, and is left out of the second one. Links to entities that are away are left out. Writes at
// most `most` links.
static const char *print_ends(printer *p, const char *separator, weft_link_walk walk,
                              const char *end, uint64_t without, uint32_t most)
{
    const weft_plan *plan = p->world->plan;
    const uint32_t size = plan->links[walk.ahead.link].size;
    while (most != 0 && weft_link_walk_next(&walk, plan->format)) {
        if (walk.other == without) continue;
        if (!weft_alive(&p->world->entities, plan->format, walk.other)) continue;
        print_name(p, separator, end);
        print_handle(p, walk.other);
        print_link_value(p, walk.ahead.link, size != 0 ? weft_link_walk_value(&walk, size) : NULL);
        separator = ", {\"";
        most--;
    }
    return separator;
}

// Writes the links of an entity: each kind that it has, first the links from it, then those to it.
static void print_entity_links(printer *p, uint64_t handle, uint32_t most)
{
    const weft_schema *schema = p->world->plan->schema;
    bool any = false;
    for (uint32_t i = 0; i < schema->link_count; i++) {
        // The separator before the first link also begins the kind.
        char first[WEFT_NEAREST_NAME_BYTES + sizeof ", \"links\": {\"\": [{\""];
        snprintf(first, sizeof first, "%s\"%s\": [{\"", any ? ", " : ", \"links\": {",
                 schema->links[i].name);
        const char *after =
            print_ends(p, first, weft_link_walk_from(p->world, i, handle), "to", 0, most);
        if (!schema->links[i].symmetric) {
            after =
                print_ends(p, after, weft_link_walk_to(p->world, i, handle), "from", handle, most);
        }
        if (after == first) continue;
        print(p, "]");
        any = true;
    }
    if (any) print(p, "}");
}

// Returns whether the arguments of a call are valid: a sink, and a number below `count`.
static bool is_able(weft_world *world, weft_json_sink sink, const char *call, uint32_t number,
                    uint32_t count)
{
    if (!weft_given(world, world, call, "world")) return false;
    if (!weft_given(world, sink ? world : NULL, call, "sink")) return false;
    if (number < count) return true;
    weft_report(world, WEFT_BAD_VALUE, "%s: there is no number %" PRIu32, call, number);
    WEFT_ASSERT(number, <, count, weft_world_error(world));
    return false;
}

weft_status weft_json_entity_write(weft_world *world, uint64_t handle, weft_json_sink sink,
                                   void *user)
{
    return weft_json_entity_some(world, handle, UINT32_MAX, sink, user);
}

weft_status weft_json_entity_some(weft_world *world, uint64_t handle, uint32_t links,
                                  weft_json_sink sink, void *user)
{
    weft_place at;
    printer p = {.world = world, .sink = sink, .user = user};
    if (!is_able(world, sink, "weft_json_entity_write", 0, 1)) return WEFT_BAD_VALUE;
    if (!weft_find(&world->entities, world->plan->format, handle, &at)) {
        weft_refuse(world, weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle));
        return WEFT_DEAD;
    }
    print_entity(&p, handle, at);
    print_parents(&p, handle);
    print_entity_links(&p, handle, links);
    print(&p, "}");
    print_buffer(&p);
    return p.status;
}

static void print_singleton(printer *p, const weft_singleton_info *info)
{
    const unsigned char *base = (const unsigned char *)(const void *)p->world;
    print_fields(p, info->fields, info->field_count, base + info->offset);
}

weft_status weft_json_singleton_write(weft_world *world, uint32_t singleton, weft_json_sink sink,
                                      void *user)
{
    printer p = {.world = world, .sink = sink, .user = user};
    const uint32_t count = world ? world->plan->schema->singleton_count : 0;
    if (!is_able(world, sink, "weft_json_singleton_write", singleton, count)) {
        return WEFT_BAD_VALUE;
    }
    print_singleton(&p, &world->plan->schema->singletons[singleton]);
    print_buffer(&p);
    return p.status;
}

weft_status weft_json_event_write(weft_world *world, uint32_t event, const void *value,
                                  weft_json_sink sink, void *user)
{
    printer p = {.world = world, .sink = sink, .user = user};
    const uint32_t count = world ? world->plan->schema->event_count : 0;
    if (!is_able(world, sink, "weft_json_event_write", event, count) ||
        !WEFT_GIVEN(world, value, "weft_json_event_write")) {
        return WEFT_BAD_VALUE;
    }
    const weft_event_info *info = &world->plan->schema->events[event];
    print_fields(&p, info->fields, info->field_count, value);
    print_buffer(&p);
    return p.status;
}

weft_status weft_json_component_value(weft_world *world, uint32_t component, const void *value,
                                      weft_json_sink sink, void *user)
{
    printer p = {.world = world, .sink = sink, .user = user};
    const weft_component_info *info = &world->plan->schema->components[component];
    print_fields(&p, info->fields, info->field_count, value);
    print_buffer(&p);
    return p.status;
}

static void print_singletons(printer *p)
{
    const weft_schema *schema = p->world->plan->schema;
    const char *separator = "\n    \"";
    for (uint32_t i = 0; i < schema->singleton_count; i++, separator = ",\n    \"") {
        print_name(p, separator, schema->singletons[i].name);
        print_singleton(p, &schema->singletons[i]);
    }
    print(p, schema->singleton_count == 0 ? "" : "\n  ");
}

static void print_entities(printer *p)
{
    const weft_entities *entities = &p->world->entities;
    weft_format f = p->world->plan->format;
    const char *separator = "\n    ";
    for (uint32_t i = 0; i < entities->index_count && p->status == WEFT_OK; i++) {
        weft_place at;
        uint64_t handle = weft_handle_of(entities, f, i);
        if (!weft_find(entities, f, handle, &at)) continue;
        print(p, separator);
        print_entity(p, handle, at);
        print(p, "}");
        separator = ",\n    ";
    }
    print(p, separator[0] == ',' ? "\n  " : "");
}

// Writes all pairs of a relation in the order of saves: attached one by one, they restore the order of the children.
static void print_children(printer *p, const weft_relation *relation)
{
    const weft_entities *entities = &p->world->entities;
    weft_format f = p->world->plan->format;
    const char *separator = "\n      [";
    for (uint32_t i = 0; i < relation->capacity && p->status == WEFT_OK; i++) {
        for (uint32_t child = weft_last_child(relation, i); child != 0;
             child = weft_child_before(relation, child)) {
            print(p, separator);
            print_handle(p, weft_handle_of(entities, f, child - 1));
            print(p, ", ");
            print_handle(p, weft_handle_of(entities, f, i));
            print(p, "]");
            separator = ",\n      [";
        }
    }
    print(p, separator[0] == ',' ? "\n    " : "");
}

static void print_relations(printer *p)
{
    const weft_schema *schema = p->world->plan->schema;
    const char *separator = "\n    \"";
    for (uint32_t i = 0; i < schema->relation_count; i++, separator = "],\n    \"") {
        print_name(p, separator, schema->relations[i].name);
        print(p, "[");
        print_children(p, &p->world->relations[i]);
    }
    print(p, schema->relation_count == 0 ? "" : "]\n  ");
}

// Writes the links of a kind from one entity.
static const char *print_run(printer *p, const char *separator, const weft_link_runs *runs)
{
    const weft_entities *entities = &p->world->entities;
    const weft_format f = p->world->plan->format;
    const uint32_t size = p->world->plan->links[runs->link].size;
    const uint64_t from = weft_handle_of(entities, f, runs->from);
    for (uint32_t i = 0; i < runs->run.count && weft_alive(entities, f, from); i++) {
        const uint64_t to = weft_handle_of(entities, f, runs->run.others[i]);
        if (!weft_alive(entities, f, to)) continue; // it is away
        print_name(p, separator, "from");
        print_handle(p, from);
        print_name(p, ", \"", "to");
        print_handle(p, to);
        print_link_value(p, runs->link, runs->run.values ? runs->run.values + i * size : NULL);
        separator = ",\n      {\"";
    }
    return separator;
}

// Writes the links of all kinds, by `from` and then by `to`. A text of a schema without links has
// no such part.
static void print_links(printer *p)
{
    const weft_schema *schema = p->world->plan->schema;
    const char *before = ",\n  \"links\": {\n    \"";
    for (uint32_t i = 0; i < schema->link_count; i++, before = "],\n    \"") {
        const char *separator = "\n      {\"";
        weft_link_runs runs = weft_link_runs_begin(p->world, i, 0, UINT32_MAX);
        print_name(p, before, schema->links[i].name);
        print(p, "[");
        while (p->status == WEFT_OK && weft_link_runs_next(&runs)) {
            separator = print_run(p, separator, &runs);
        }
        print(p, separator[0] == ',' ? "\n    " : "");
    }
    print(p, schema->link_count == 0 ? "" : "]\n  }");
}

weft_status weft_json_world_write(weft_world *world, weft_json_sink sink, void *user)
{
    printer p = {.world = world, .sink = sink, .user = user};
    if (!is_able(world, sink, "weft_json_world_write", 0, 1)) return WEFT_BAD_VALUE;
    print_name(&p, "{\n  \"", "weft");
    print(&p, (const char[]){'0' + WEFT_JSON_FORMAT, '\0'});
    print_name(&p, ",\n  \"", "world");
    print(&p, "\"");
    print(&p, world->plan->schema->name);
    print_name(&p, "\",\n  \"", "singletons");
    print(&p, "{");
    print_singletons(&p);
    print_name(&p, "},\n  \"", "entities");
    print(&p, "[");
    print_entities(&p);
    print_name(&p, "],\n  \"", "relations");
    print(&p, "{");
    print_relations(&p);
    print(&p, "}");
    print_links(&p);
    print(&p, "\n}\n");
    print_buffer(&p);
    return p.status;
}
