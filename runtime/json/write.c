// Writing JSON: a walk over the reflection tables, through a small buffer into the caller's sink.
#include "../change/component.h"
#include "../change/relation.h"
#include "../plan/fields.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "text.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BUFFER_BYTES 1024

typedef struct writer {
    const weft_world *world;
    weft_json_sink sink;
    void *user;
    weft_status status; // of the first sink that failed; nothing is written after it
    size_t used;
    char buffer[BUFFER_BYTES];
} writer;

static void flush(writer *w)
{
    if (w->status == WEFT_OK && w->used != 0) w->status = w->sink(w->user, w->buffer, w->used);
    w->used = 0;
}

static void put(writer *w, const char *text, size_t bytes)
{
    while (bytes != 0) {
        size_t room = BUFFER_BYTES - w->used;
        size_t part = bytes < room ? bytes : room;
        memcpy(w->buffer + w->used, text, part);
        w->used += part;
        text += part;
        bytes -= part;
        if (w->used == BUFFER_BYTES) flush(w);
    }
}

static void put_text(writer *w, const char *text)
{
    put(w, text, strlen(text));
}

// `"name": `, after a comma unless it is the first.
static void put_key(writer *w, const char *name, bool first)
{
    put_text(w, first ? "\"" : ", \"");
    put_text(w, name);
    put_text(w, "\": ");
}

// ------------------------------------------------------------------------------------------------
// Strings

static void put_escape(writer *w, unsigned code)
{
    char escape[8];
    snprintf(escape, sizeof escape, "\\u%04x", code & 0xFFFFu);
    put_text(w, escape);
}

static void put_string(writer *w, const char *string, size_t bytes)
{
    const unsigned char *text = (const unsigned char *)string;
    put_text(w, "\"");
    for (size_t i = 0; i < bytes;) {
        size_t length = weft_json_utf8(string + i, bytes - i);
        if (length == 0) {
            put_escape(w, 0xDC00u + text[i]);
        } else if (text[i] < 0x20) {
            put_escape(w, text[i]);
        } else {
            if (text[i] == '"' || text[i] == '\\') put_text(w, "\\");
            put(w, string + i, length);
        }
        i += length == 0 ? 1 : length;
    }
    put_text(w, "\"");
}

// ------------------------------------------------------------------------------------------------
// Single values

// In as few digits as read back as the same float or double; `digits` of them always do.
static void put_finite(writer *w, double value, int few, int digits, bool single)
{
    char text[WEFT_NUMBER_BYTES];
    for (int n = few; n <= digits; n++) {
        snprintf(text, sizeof text, "%.*g", n, value);
        double back = single ? (double)strtof(text, NULL) : strtod(text, NULL);
        if (back == value) break;
    }
    const char *point = localeconv()->decimal_point; // JSON has its own, whatever the locale
    char *at = strstr(text, point);
    if (at) {
        put(w, text, (size_t)(at - text));
        put_text(w, ".");
        put_text(w, at + strlen(point));
    } else {
        put_text(w, text);
    }
}

static void put_float(writer *w, double value, bool single)
{
    if (value != value)
        put_text(w, "\"nan\"");
    else if (fabs(value) > DBL_MAX)
        put_text(w, value < 0 ? "\"-inf\"" : "\"inf\"");
    else
        put_finite(w, value, single ? 6 : 15, single ? 9 : 17, single);
}

static void put_handle(writer *w, uint64_t bits)
{
    char text[WEFT_NUMBER_BYTES];
    weft_format f = w->world->plan->format;
    snprintf(text, sizeof text, "\"%" PRIu32 ":%" PRIu64 "\"", weft_handle_index(f, bits),
             bits >> f.index_bits);
    put_text(w, bits == 0 ? "null" : text);
}

static void put_number(writer *w, const weft_field *field, const void *value)
{
    const weft_schema *schema = w->world->plan->schema;
    char text[WEFT_NUMBER_BYTES];
    weft_number_kind kind = weft_kind_of(field->type);
    weft_number number = weft_number_load(kind, value, field->element_size);
    if (field->type == WEFT_TYPE_BOOL) {
        put_text(w, number.u64 != 0 ? "true" : "false");
    } else if (field->type == WEFT_TYPE_ENUM && number.u64 < schema->enums[field->of].count) {
        put_text(w, "\"");
        put_text(w, schema->enums[field->of].values[number.u64]);
        put_text(w, "\"");
    } else if (kind == WEFT_FLOAT) {
        put_float(w, number.f64, field->type == WEFT_TYPE_F32);
    } else {
        put_text(w, weft_number_text(kind, number, text, sizeof text));
    }
}

// ------------------------------------------------------------------------------------------------
// Structs, down to single values: as deep as the structs of the schema

static void put_member(writer *w, const weft_field *field, const unsigned char *member);

static void put_fields(writer *w, const weft_field *fields, uint32_t count,
                       const unsigned char *value)
{
    put_text(w, "{");
    for (uint32_t i = 0; i < count; i++) {
        put_key(w, fields[i].name, i == 0);
        put_member(w, &fields[i], value + fields[i].offset);
    }
    put_text(w, "}");
}

static void put_element(writer *w, const weft_field *field, const unsigned char *element)
{
    const weft_schema *schema = w->world->plan->schema;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    if (inner)
        put_fields(w, inner->fields, inner->field_count, element);
    else if (field->type == WEFT_TYPE_ENTITY)
        put_handle(w, weft_handle_read(schema, element));
    else
        put_number(w, field, element);
}

static void put_member(writer *w, const weft_field *field, const unsigned char *member)
{
    if (field->shape == WEFT_SHAPE_STRING) {
        put_string(w, (const char *)member, weft_string_bytes(field, member));
        return;
    }
    if (field->shape == WEFT_SHAPE_ONE) {
        put_element(w, field, member);
        return;
    }
    uint32_t count = weft_member_count(field, member);
    put_text(w, "[");
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0) put_text(w, ", ");
        put_element(w, field, member + field->items_offset + (size_t)i * field->element_size);
    }
    put_text(w, "]");
}

// ------------------------------------------------------------------------------------------------
// Entities and worlds

static void put_row(writer *w, const weft_component_info *info, const weft_table *table,
                    uint32_t row, uint32_t component)
{
    put_text(w, "{");
    for (uint32_t i = 0; i < info->field_count; i++) {
        put_key(w, info->fields[i].name, i == 0);
        put_member(
            w, &info->fields[i],
            (const unsigned char *)weft_row_member(w->world->plan, table, row, component, i));
    }
    put_text(w, "}");
}

static void put_component(writer *w, uint64_t handle, weft_place at, uint32_t component)
{
    const weft_plan *plan = w->world->plan;
    const weft_component_info *info = &plan->schema->components[component];
    const weft_component_plan *c = &plan->components[component];
    if (info->storage == WEFT_STORAGE_TAG) {
        put_text(w, "true");
    } else if (c->sparse != WEFT_NONE) {
        const weft_sparse *store = &w->world->sparse[c->sparse];
        uint32_t index = weft_handle_index(plan->format, handle);
        put_fields(w, info->fields, info->field_count,
                   (const unsigned char *)weft_sparse_find(store, index));
    } else {
        put_row(w, info, w->world->tables.items[at.table], at.row, component);
    }
}

// Without the end: more may follow.
static void put_entity(writer *w, uint64_t handle, weft_place at)
{
    const weft_plan *plan = w->world->plan;
    const weft_table *table = w->world->tables.items[at.table];
    bool first = true;
    put_text(w, "{\"id\": ");
    put_handle(w, handle);
    put_text(w, ", \"components\": {");
    for (uint32_t i = 0; i < plan->component_count; i++) {
        if (!weft_row_has(plan, table, at.row, i)) continue;
        put_key(w, plan->schema->components[i].name, first);
        put_component(w, handle, at, i);
        first = false;
    }
    put_text(w, "}");
}

static void put_singletons(writer *w)
{
    const weft_schema *schema = w->world->plan->schema;
    const unsigned char *base = (const unsigned char *)(const void *)w->world;
    put_text(w, "  \"singletons\": {");
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        put_text(w, i == 0 ? "\n    \"" : ",\n    \"");
        put_text(w, info->name);
        put_text(w, "\": ");
        put_fields(w, info->fields, info->field_count, base + info->offset);
    }
    put_text(w, schema->singleton_count == 0 ? "},\n" : "\n  },\n");
}

static void put_entities(writer *w)
{
    const weft_entities *entities = &w->world->entities;
    weft_format f = w->world->plan->format;
    bool first = true;
    put_text(w, "  \"entities\": [");
    for (uint32_t i = 0; i < entities->index_count && w->status == WEFT_OK; i++) {
        weft_place at;
        uint64_t handle = weft_handle_of(entities, f, i);
        if (!weft_find(entities, f, handle, &at)) continue;
        put_text(w, first ? "\n    " : ",\n    ");
        put_entity(w, handle, at);
        put_text(w, "}");
        first = false;
    }
    put_text(w, first ? "],\n" : "\n  ],\n");
}

// Those of an entity that has some.
static void put_parents(writer *w, uint64_t handle)
{
    const weft_plan *plan = w->world->plan;
    bool first = true;
    for (uint32_t i = 0; i < plan->schema->relation_count; i++) {
        uint64_t parent = weft_parent(w->world, plan->format, i, handle);
        if (parent == 0) continue;
        if (first) put_text(w, ", \"parents\": {");
        put_key(w, plan->schema->relations[i].name, first);
        put_handle(w, parent);
        first = false;
    }
    if (!first) put_text(w, "}");
}

static void put_link(writer *w, uint32_t child, uint32_t parent, bool first)
{
    weft_format f = w->world->plan->format;
    put_text(w, first ? "\n      [" : ",\n      [");
    put_handle(w, weft_handle_of(&w->world->entities, f, child));
    put_text(w, ", ");
    put_handle(w, weft_handle_of(&w->world->entities, f, parent));
    put_text(w, "]");
}

// In the order of saves: who attaches them one by one gets the same lists of children.
static void put_links(writer *w, const weft_relation *relation)
{
    const weft_link *links = weft_links(relation);
    bool first = true;
    put_text(w, "[");
    for (uint32_t i = 0; i < relation->capacity && w->status == WEFT_OK; i++) {
        for (uint32_t child = weft_last_child(relation, i); child != 0;
             child = links[child - 1].previous) {
            put_link(w, child - 1, i, first);
            first = false;
        }
    }
    put_text(w, first ? "]" : "\n    ]");
}

static void put_relations(writer *w)
{
    const weft_schema *schema = w->world->plan->schema;
    put_text(w, "  \"relations\": {");
    for (uint32_t i = 0; i < schema->relation_count; i++) {
        put_text(w, i == 0 ? "\n    \"" : ",\n    \"");
        put_text(w, schema->relations[i].name);
        put_text(w, "\": ");
        put_links(w, &w->world->relations[i]);
    }
    put_text(w, schema->relation_count == 0 ? "}\n" : "\n  }\n");
}

static writer begin(const weft_world *world, weft_json_sink sink, void *user)
{
    writer w;
    w.world = world;
    w.sink = sink;
    w.user = user;
    w.status = WEFT_OK;
    w.used = 0;
    return w;
}

weft_status weft_json_entity_write(weft_world *world, uint64_t handle, weft_json_sink sink,
                                   void *user)
{
    weft_place at;
    writer w = begin(world, sink, user);
    if (!weft_find(&world->entities, world->plan->format, handle, &at)) {
        weft_refuse(world, (weft_refusal){WEFT_DEAD, WEFT_NONE, WEFT_NONE, false, handle});
        return WEFT_DEAD;
    }
    put_entity(&w, handle, at);
    put_parents(&w, handle);
    put_text(&w, "}");
    flush(&w);
    return w.status;
}

weft_status weft_json_world_write(weft_world *world, weft_json_sink sink, void *user)
{
    writer w = begin(world, sink, user);
    char version[WEFT_NUMBER_BYTES];
    snprintf(version, sizeof version, "%d", WEFT_JSON_FORMAT);
    put_text(&w, "{\n  \"weft\": ");
    put_text(&w, version);
    put_text(&w, ",\n  \"world\": \"");
    put_text(&w, world->plan->schema->name);
    put_text(&w, "\",\n");
    put_singletons(&w);
    put_entities(&w);
    put_relations(&w);
    put_text(&w, "}\n");
    flush(&w);
    return w.status;
}
