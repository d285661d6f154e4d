#include "filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Paths

// Moves *path behind its next name, which it copies. Names end at '.', '[' and ']'.
static bool take_step(const char **path, char *name)
{
    const char *from = *path + strspn(*path, ".[]");
    size_t bytes = strcspn(from, ".[]");
    if (bytes == 0 || bytes >= WEFT_SCAN_NAME_MAX) return false;
    memcpy(name, from, bytes);
    name[bytes] = '\0';
    *path = from + bytes;
    return true;
}

// Returns a member of an object, or an item of an array by its number.
static weft_scanned inner_value(weft_scanned value, const char *name)
{
    if (weft_scan_kind(value) != '[') return weft_scan_member(value, name);
    const char *at = NULL;
    weft_scanned item = weft_scan_next(value, &at);
    for (unsigned long left = strtoul(name, NULL, 10); left != 0 && item.bytes != 0; left--) {
        item = weft_scan_next(value, &at);
    }
    return item;
}

// Returns a component of an entity, or its parent in a relation.
static weft_scanned part_of_entity(weft_scanned entity, const char *name)
{
    weft_scanned part = weft_scan_member(weft_scan_member(entity, "components"), name);
    return part.bytes ? part : weft_scan_member(weft_scan_member(entity, "parents"), name);
}

weft_scanned serve_filter_value(const serve_filter *filter, const char *name, weft_scanned json)
{
    char step[WEFT_SCAN_NAME_MAX];
    const char *path = filter->path;
    if (path[0] == '\0') return json;
    if (!take_step(&path, step)) return (weft_scanned){NULL, 0};
    if (name && strcmp(name, step) != 0) return (weft_scanned){NULL, 0};
    weft_scanned value = name ? json : part_of_entity(json, step);
    while (value.bytes != 0 && take_step(&path, step)) value = inner_value(value, step);
    return value;
}

// Refuses a path whose first name is unknown.
static bool check_owner(serve_call *call, const char *path)
{
    char owner[WEFT_SCAN_NAME_MAX];
    const weft_schema *schema = call->world->plan->schema;
    if (path[0] == '\0') return true;
    if (take_step(&path, owner)) {
        for (uint32_t i = 0; i < schema->component_count; i++) {
            if (strcmp(schema->components[i].name, owner) == 0) return true;
        }
        for (uint32_t i = 0; i < schema->singleton_count; i++) {
            if (strcmp(schema->singletons[i].name, owner) == 0) return true;
        }
        for (uint32_t i = 0; i < schema->relation_count; i++) {
            if (strcmp(schema->relations[i].name, owner) == 0) return true;
        }
    }
    return serve_refuse(call, SERVE_REFUSED,
                        "'path' begins with no component, singleton or relation of the schema");
}

bool serve_filter_take(serve_call *call, serve_filter *filter)
{
    *filter = (serve_filter){.path = ""};
    return serve_may_take_string(call, "path", filter->path, sizeof filter->path) &&
           serve_may_take_string(call, "text", filter->text, sizeof filter->text) &&
           check_owner(call, filter->path);
}

// ------------------------------------------------------------------------------------------------
// Texts

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool contains(const char *from, const char *end, const char *wanted)
{
    const size_t bytes = strlen(wanted);
    for (; (size_t)(end - from) >= bytes; from++) {
        size_t i = 0;
        while (i < bytes && lower(from[i]) == lower(wanted[i])) i++;
        if (i == bytes) return true;
    }
    return false;
}

bool serve_filter_finds(const serve_filter *filter, weft_scanned json)
{
    const char *at = json.text, *const end = json.text + json.bytes;
    if (filter->text[0] == '\0') return true;
    while (json.bytes != 0 && (at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        const char *from = ++at;
        while (*at != '"') at += *at == '\\' ? 2 : 1;
        bool is_name = at + 1 < end && at[1] == ':';
        if (!is_name && contains(from, at, filter->text)) return true;
        at++;
    }
    return false;
}
