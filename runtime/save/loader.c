// Functions that all readers of sections use: error messages, the sections of a kind, conversions.
#include "loader.h"

#include "../world/report.h"
#include "../world/seeds.h"

#include <stdarg.h>
#include <stdio.h>

#define VERSIONS_BYTES 64

// Writes which version of Weft wrote the save, if it is not this one and the save is the reason for
// the error.
static void name_versions(const weft_loader *loader, weft_status status, char text[VERSIONS_BYTES])
{
    uint32_t version = loader->version;
    text[0] = '\0';
    if (version == 0 || version == WEFT_VERSION || status == WEFT_NO_MEMORY) return;
    snprintf(text, VERSIONS_BYTES, " (Weft %u.%u.%u wrote it, this is %u.%u.%u)", version / 10000,
             version / 100 % 100, version % 100, WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR,
             WEFT_VERSION_PATCH);
}

bool weft_loader_refuse(weft_loader *loader, weft_status status, const char *format, ...)
{
    char words[WEFT_REFUSAL_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    char versions[VERSIONS_BYTES];
    name_versions(loader, status, versions);
    loader->status = weft_report(loader->reporter, status, "%s%s", words, versions);
    return false;
}

bool weft_loader_damaged(weft_loader *loader, const char *what)
{
    return weft_loader_refuse(loader, WEFT_BAD_FILE, "the save is damaged: %s", what);
}

bool weft_loader_changed(weft_loader *loader)
{
    return weft_loader_damaged(loader, "a part of it has changed");
}

bool weft_loader_no_memory(weft_loader *loader)
{
    return weft_loader_refuse(loader, WEFT_NO_MEMORY, "no memory to load the save");
}

bool weft_loader_each(weft_loader *loader, uint32_t kind, weft_section_reader *read)
{
    for (uint32_t i = 0; i < loader->section_count; i++) {
        const weft_section *section = &loader->sections[i];
        if (section->kind == kind && !read(loader, section->body)) return false;
    }
    return true;
}

// Returns the owner of a value, or 0 if it has none.
static uint64_t owner_of(const weft_loader *loader, const weft_owners *owners, uint32_t row)
{
    const weft_entities *entities = &loader->into->entities;
    uint32_t i = owners->first + row;
    if (owners->handles) {
        return weft_convert_handle(&loader->matched.schemas,
                                   weft_loader_handle(loader, owners->handles, i));
    }
    if (!owners->indices) return 0;
    uint64_t index = weft_little_read(owners->indices + (size_t)i * 4, 4);
    return weft_handle_of(entities, loader->into->plan->format, (uint32_t)index);
}

// Writes the owner of a value, to be added to the name of the value; "" if it has no owner.
static void name_owner(const weft_loader *loader, const weft_owners *owners, uint32_t row,
                       char text[40])
{
    weft_format f = loader->into->plan->format;
    uint64_t handle = owner_of(loader, owners, row);
    text[0] = '\0';
    if (handle != 0) snprintf(text, 40, " of entity %s", weft_handle_as_text(f, handle).text);
}

bool weft_loader_convert_rows(weft_loader *loader, const weft_match *match, weft_column_span from,
                              weft_column_span to, uint32_t rows, const weft_owners *owners)
{
    weft_schemas *schemas = &loader->matched.schemas;
    char owner[40];
    weft_status status = weft_convert_rows(schemas, match, from, to, rows);
    if (status == WEFT_OK) return true;
    bool damaged = status == WEFT_BAD_FILE;
    name_owner(loader, owners, schemas->why_row, owner);
    return weft_loader_refuse(
        loader, status, "the save %s: %.*s%s%s", damaged ? "is damaged" : "cannot be converted",
        (int)schemas->why_field, schemas->why, owner, schemas->why + schemas->why_field);
}

bool weft_loader_convert_structs(weft_loader *loader, const weft_match *match, const void *from,
                                 void *to, uint32_t count, const weft_owners *owners)
{
    void *from_column = (void *)(uintptr_t)from;
    weft_match structs = *match;
    structs.was.soa = structs.is.soa = false;
    return weft_loader_convert_rows(loader, &structs, (weft_column_span){&from_column, 0},
                                    (weft_column_span){&to, 0}, count, owners);
}

void weft_loader_seed(const weft_loader *loader, uint32_t component, const weft_match *match,
                      weft_column_span values, uint32_t rows, const weft_owners *owners)
{
    const weft_component_info *info = weft_loader_info(loader, component);
    if (loader->into->plan->rng == 0 || !loader->reporter->hooks) return; // a fragment has no hooks
    for (uint32_t field = 0; field < info->field_count; field++) {
        if (info->soa || (match && match->fields.each[field].was)) continue;
        for (uint32_t i = 0; i < rows; i++) {
            unsigned char *at = (unsigned char *)values.columns[0];
            at += (size_t)(values.first + i) * info->size;
            weft_field_seed(loader->into, info->fields, field, at, owner_of(loader, owners, i),
                            component);
        }
    }
}

bool weft_loader_is_reader(const weft_loader *loader, const char *name, const char *saved)
{
    const weft_schema *schema = loader->matched.schemas.world;
    if (strcmp(name, saved) == 0) return true;
    for (uint32_t i = 0; i < schema->listener_count; i++) {
        const weft_listener_info *listener = &schema->listeners[i];
        if (strcmp(listener->name, name) == 0) return strcmp(listener->was, saved) == 0;
    }
    return false;
}

weft_part_node weft_loader_node(const weft_loader *l, uint32_t i)
{
    const weft_schemas *s = &l->matched.schemas;
    const weft_loaded_part *part = &l->part;
    uint32_t was = (uint32_t)weft_little_read(part->relations + (size_t)i * 4, 4);
    return (weft_part_node){
        .relation = l->matched.relations.now[was],
        .child = weft_convert_handle(s, weft_loader_handle(l, part->children, i)),
        .parent = weft_convert_handle(s, weft_loader_handle(l, part->parents, i)),
        .next = weft_convert_handle(s, weft_loader_handle(l, part->nexts, i)),
    };
}
