// What all sections need while they are read: words for what is wrong, the sections of a kind,
// conversions.
#include "loader.h"

#include "../world/report.h"

weft_status weft_loader_damaged(const weft_loader *loader, const char *what)
{
    return weft_report(loader->reporter, WEFT_BAD_FILE, "the save is damaged: %s", what);
}

weft_status weft_loader_changed(const weft_loader *loader)
{
    return weft_loader_damaged(loader, "a part of it has changed");
}

weft_status weft_loader_no_memory(const weft_loader *loader)
{
    return weft_report(loader->reporter, WEFT_NO_MEMORY, "no memory to load the save");
}

const weft_section *weft_loader_section(const weft_loader *loader, uint32_t kind)
{
    const weft_section *found = NULL;
    for (uint32_t i = 0; i < loader->section_count; i++) {
        if (loader->sections[i].kind != kind) continue;
        if (found) return NULL;
        found = &loader->sections[i];
    }
    return found;
}

weft_status weft_loader_each(weft_loader *loader, uint32_t kind,
                             weft_status (*read)(weft_loader *loader, weft_bytes body))
{
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < loader->section_count && status == WEFT_OK; i++) {
        const weft_section *section = &loader->sections[i];
        if (section->kind == kind) status = read(loader, section->body);
    }
    return status;
}

weft_status weft_loader_convert_rows(const weft_loader *loader, const weft_match *match,
                                     weft_column_span from, weft_column_span to, uint32_t rows)
{
    char why[WEFT_REFUSAL_BYTES];
    weft_status status =
        weft_convert_rows(&loader->matched.schemas, match, from, to, rows, why, sizeof why);
    if (status == WEFT_OK) return WEFT_OK;
    if (status == WEFT_BAD_FILE) return weft_loader_damaged(loader, why);
    return weft_report(loader->reporter, status, "the save cannot be converted: %s", why);
}

weft_status weft_loader_convert_structs(const weft_loader *loader, const weft_match *match,
                                        const void *from, void *to, uint32_t count)
{
    void *from_column = (void *)(uintptr_t)from;
    weft_match structs = *match;
    structs.was.soa = structs.is.soa = false;
    return weft_loader_convert_rows(loader, &structs, (weft_column_span){&from_column, 0},
                                    (weft_column_span){&to, 0}, count);
}
