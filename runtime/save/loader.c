// Functions for all sections that are read: words for what is wrong, the sections of a kind,
// conversions.
#include "loader.h"

#include "../world/report.h"

#include <stdarg.h>
#include <stdio.h>

bool weft_loader_refuse(weft_loader *loader, weft_status status, const char *format, ...)
{
    char words[WEFT_REFUSAL_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    loader->status = weft_report(loader->reporter, status, "%s", words);
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

bool weft_loader_convert_rows(weft_loader *loader, const weft_match *match, weft_column_span from,
                              weft_column_span to, uint32_t rows)
{
    weft_schemas *schemas = &loader->matched.schemas;
    weft_status status = weft_convert_rows(schemas, match, from, to, rows);
    if (status == WEFT_OK) return true;
    if (status == WEFT_BAD_FILE) return weft_loader_damaged(loader, schemas->why);
    return weft_loader_refuse(loader, status, "the save cannot be converted: %s", schemas->why);
}

bool weft_loader_convert_structs(weft_loader *loader, const weft_match *match, const void *from,
                                 void *to, uint32_t count)
{
    void *from_column = (void *)(uintptr_t)from;
    weft_match structs = *match;
    structs.was.soa = structs.is.soa = false;
    return weft_loader_convert_rows(loader, &structs, (weft_column_span){&from_column, 0},
                                    (weft_column_span){&to, 0}, count);
}
