#include "names.h"

#include "../value/handles.h"
#include "../world/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A text in a component that can be a name.
typedef struct name_field {
    uint32_t component;
    size_t offset;
    uint32_t bytes;
    char path[SERVE_PATH_MAX]; // inside of the component, with dots
} name_field;

typedef struct known_name {
    uint64_t handle; // 0 if the place is free
    char name[SERVE_NAME_BYTES];
} known_name;

typedef struct serve_names {
    uint32_t field_count;
    unsigned char *value; // space for a value of any component
    name_field fields[SERVE_NAME_FIELDS_MAX];
    known_name known[SERVE_NAMES_KNOWN];
    uint32_t seen_count;                  // handles of the current answer
    uint64_t seen[2 * SERVE_NAMES_KNOWN]; // the same, at places by their hash
} serve_names;

// ------------------------------------------------------------------------------------------------
// The texts of the schema

static bool is_called_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return strcmp(dot ? dot + 1 : path, "name") == 0;
}

// Adds the texts of some fields: those called `name`, or the others.
static void list_fields(serve_names *names, const weft_schema *schema, const weft_field *fields,
                        uint32_t count, const name_field *in, bool called_name)
{
    for (uint32_t i = 0; i < count; i++) {
        const weft_field *field = &fields[i];
        name_field one = *in;
        const int length = snprintf(one.path, sizeof one.path, "%s%s%s", in->path,
                                    in->path[0] != '\0' ? "." : "", field->name);
        one.offset += field->offset;
        one.bytes = field->count;
        if (length < 0 || (size_t)length >= sizeof one.path) continue;
        if (field->shape == WEFT_SHAPE_ONE && field->type == WEFT_TYPE_STRUCT) {
            const weft_struct_info *inner = &schema->structs[field->of];
            list_fields(names, schema, inner->fields, inner->field_count, &one, called_name);
        } else if (field->shape == WEFT_SHAPE_STRING && is_called_name(one.path) == called_name &&
                   names->field_count < SERVE_NAME_FIELDS_MAX) {
            names->fields[names->field_count++] = one;
        }
    }
}

static void list_all(serve_names *names, const weft_schema *schema, bool called_name)
{
    for (uint32_t i = 0; i < schema->component_count; i++) {
        const weft_component_info *info = &schema->components[i];
        const name_field in = {.component = i};
        list_fields(names, schema, info->fields, info->field_count, &in, called_name);
    }
}

// Returns the names of a state, or NULL if there is no memory.
static serve_names *names_of(serve_state *state)
{
    const weft_schema *schema = state->world->plan->schema;
    size_t largest = 1;
    if (state->names) return state->names;
    serve_names *names = (serve_names *)calloc(1, sizeof *names);
    if (!names) return NULL;
    for (uint32_t i = 0; i < schema->component_count; i++) {
        if (schema->components[i].size > largest) largest = schema->components[i].size;
    }
    names->value = (unsigned char *)malloc(largest);
    if (!names->value) {
        free(names);
        return NULL;
    }
    list_all(names, schema, true);
    list_all(names, schema, false);
    state->names = names;
    return names;
}

void serve_names_close(serve_state *state)
{
    if (state->names) free(state->names->value);
    free(state->names);
    state->names = NULL;
}

// ------------------------------------------------------------------------------------------------
// Names

// Copies a text of at most `bytes` bytes. A long one is cut between two characters.
static void copy_name(char *name, const char *text, size_t bytes)
{
    const char *end = (const char *)memchr(text, '\0', bytes);
    size_t length = end ? (size_t)(end - text) : bytes;
    if (length >= SERVE_NAME_BYTES) {
        length = SERVE_NAME_BYTES - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
    }
    memcpy(name, text, length);
    name[length] = '\0';
}

static known_name *known_at(serve_names *names, uint64_t handle)
{
    return &names->known[(handle * 0x9E3779B97F4A7C15u >> 32) % SERVE_NAMES_KNOWN];
}

static void remember(serve_names *names, uint64_t handle, const char *name)
{
    known_name *known = known_at(names, handle);
    known->handle = handle;
    memcpy(known->name, name, SERVE_NAME_BYTES);
}

// Finds the name of a living entity. Returns false if it has none.
static bool read_name(const serve_state *state, serve_names *names, weft_place at, char *name)
{
    const weft_world *world = state->world;
    const weft_table *table = world->tables.items[at.table];
    for (uint32_t i = 0; i < names->field_count; i++) {
        const name_field *field = &names->fields[i];
        if (!weft_row_has(world->plan, table, at.row, field->component)) continue;
        const unsigned char *value = (const unsigned char *)weft_row_value(
            world, table, at.row, field->component, names->value);
        copy_name(name, (const char *)value + field->offset, field->bytes);
        if (name[0] != '\0') return true;
    }
    return false;
}

// Finds the name of an entity, also of a despawned one whose name is remembered.
static bool find_name(const serve_state *state, serve_names *names, uint64_t handle, char *name)
{
    weft_place at;
    const weft_world *world = state->world;
    if (!weft_find(&world->entities, world->plan->format, handle, &at)) {
        const known_name *known = known_at(names, handle);
        memcpy(name, known->name, SERVE_NAME_BYTES);
        return known->handle == handle;
    }
    if (!read_name(state, names, at, name)) return false;
    remember(names, handle, name);
    return true;
}

void serve_names_note(serve_state *state, uint64_t handle)
{
    char name[SERVE_NAME_BYTES] = "";
    serve_names *names = names_of(state);
    if (names && handle != 0) find_name(state, names, handle, name);
}

// Returns the value of a path with dots in an object.
static weft_scanned member_at(weft_scanned object, const char *path)
{
    char step[WEFT_SCAN_NAME_MAX];
    while (object.bytes != 0 && *path != '\0') {
        const size_t length = strcspn(path, ".");
        if (length >= sizeof step) return (weft_scanned){NULL, 0};
        memcpy(step, path, length);
        step[length] = '\0';
        object = weft_scan_member(object, step);
        path += length + (path[length] == '.');
    }
    return object;
}

void serve_names_note_json(serve_state *state, uint64_t handle, const char *json, size_t bytes)
{
    char text[SERVE_STRING_MAX];
    char name[SERVE_NAME_BYTES] = "";
    serve_names *names = names_of(state);
    const weft_schema *schema = state->world->plan->schema;
    const weft_scanned components = weft_scan_member((weft_scanned){json, bytes}, "components");
    for (uint32_t i = 0; names && name[0] == '\0' && i < names->field_count; i++) {
        const name_field *field = &names->fields[i];
        const weft_scanned of =
            weft_scan_member(components, schema->components[field->component].name);
        if (!weft_scan_string(member_at(of, field->path), text, sizeof text)) continue;
        copy_name(name, text, sizeof text);
    }
    if (name[0] != '\0') remember(names, handle, name);
}

// ------------------------------------------------------------------------------------------------
// Handles in a text

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static bool is_part_of_word(char letter)
{
    return is_digit(letter) || letter == ':' || letter == '.' || letter == '_' ||
           (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

// Finds the next handle in a text from *at, which is set behind it. Returns 0 at the end.
static uint64_t next_handle(weft_format f, const char *text, const char *end, const char **at)
{
    uint64_t handle;
    while (*at < end) {
        const char *colon = (const char *)memchr(*at, ':', (size_t)(end - *at));
        if (!colon) break;
        const char *first = colon;
        const char *last = colon + 1;
        while (first > text && is_digit(first[-1])) first--;
        while (last < end && is_digit(*last)) last++;
        *at = last;
        const bool alone = (first == text || !is_part_of_word(first[-1])) &&
                           (last == end || !is_part_of_word(*last));
        if (alone && weft_handle_from_text(f, first, (size_t)(last - first), &handle)) {
            return handle;
        }
    }
    *at = end;
    return 0;
}

// Returns whether a handle was not seen in this answer before.
static bool is_new(serve_names *names, uint64_t handle)
{
    const uint32_t places = sizeof names->seen / sizeof names->seen[0];
    uint32_t place = (uint32_t)(handle * 0x9E3779B97F4A7C15u >> 32) % places;
    while (names->seen[place] != 0 && names->seen[place] != handle) place = (place + 1) % places;
    if (names->seen[place] == handle) return false;
    names->seen[place] = handle;
    names->seen_count++;
    return true;
}

void serve_names_add(serve_state *state, serve_text *out, size_t from)
{
    char name[SERVE_NAME_BYTES];
    const weft_format f = state->world->plan->format;
    const size_t end = out->used;
    size_t at = from;
    serve_names *names = out->failed ? NULL : names_of(state);
    if (!names) return;
    memset(names->seen, 0, sizeof names->seen);
    names->seen_count = 0;
    serve_add(out, ",\"names\":{");
    while (names->seen_count < SERVE_NAMES_MAX && at < end && !out->failed) {
        const char *next = out->bytes + at; // adding may move the text
        const uint64_t handle = next_handle(f, out->bytes + from, out->bytes + end, &next);
        at = (size_t)(next - out->bytes);
        if (handle == 0 || !is_new(names, handle) || !find_name(state, names, handle, name)) {
            continue;
        }
        serve_add_name(out, weft_handle_as_text(f, handle).text);
        serve_add_string(out, name);
    }
    serve_add(out, "}");
    if (out->failed && !out->starved) serve_cut(out, end);
}
