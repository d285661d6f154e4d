// A save from its first byte to its last: its head, its sections as they lie, then each kind.
#include "whole.h"

#include "../world/report.h"
#include "sections.h"

#include <inttypes.h>

static weft_status check_save_head(const weft_loader *l, weft_bytes *bytes, size_t count)
{
    weft_checksum sum;
    const unsigned char *start = bytes->at;
    uint64_t magic = weft_read_word(bytes);
    uint64_t version = weft_read_word(bytes);
    uint64_t total = weft_read_word(bytes);
    uint64_t stated = weft_read_word(bytes);
    if (bytes->bad || magic != WEFT_SAVE_MAGIC) {
        return weft_report(l->reporter, WEFT_BAD_FILE, "this is no save");
    }
    weft_checksum_begin(&sum);
    weft_checksum_add(&sum, start, WEFT_SAVE_HEAD_BYTES - WEFT_WORD_BYTES);
    if (weft_checksum_end(&sum) != stated) return weft_loader_damaged(l, "its head has changed");
    if (version != WEFT_SAVE_VERSION) {
        return weft_report(l->reporter, WEFT_BAD_FILE,
                           "the save is of format %" PRIu64 ", and only %u is known here", version,
                           WEFT_SAVE_VERSION);
    }
    if (total != count) {
        return weft_report(l->reporter, WEFT_BAD_FILE,
                           "the save is damaged: it has %zu bytes of %" PRIu64, count, total);
    }
    if (count % WEFT_WORD_BYTES == 0) return WEFT_OK;
    return weft_loader_damaged(l, "it does not end with a whole word");
}

static bool is_known_section(uint32_t kind)
{
    static const uint32_t kinds[] = {
        WEFT_SECTION_SCHEMA,      WEFT_SECTION_ENTITIES, WEFT_SECTION_TABLE, WEFT_SECTION_SPARSE,
        WEFT_SECTION_SINGLETON,   WEFT_SECTION_CLOCKS,   WEFT_SECTION_EVENT, WEFT_SECTION_RELATION,
        WEFT_SECTION_CHANGE_BITS, WEFT_SECTION_REMOVED,  WEFT_SECTION_END,
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i] == kind) return true;
    }
    return false;
}

// Counts the sections, the last of which may not be whole.
static size_t count_sections(weft_bytes bytes)
{
    weft_section section;
    size_t count = 1;
    while (weft_read_section(&bytes, &section)) count++;
    return count;
}

static weft_status read_sections(weft_loader *l, weft_bytes bytes)
{
    weft_section *sections =
        (weft_section *)weft_scratch_array(&l->scratch, count_sections(bytes), sizeof *sections);
    if (!sections) return weft_loader_no_memory(l);
    l->sections = sections;
    while (bytes.left != 0) {
        weft_section *section = &sections[l->section_count];
        if (!weft_read_section(&bytes, section)) return weft_loader_changed(l);
        l->section_count++;
        // Tables are most of a save; they are summed while their columns are copied.
        if (section->kind != WEFT_SECTION_TABLE && !weft_section_is_sound(section)) {
            return weft_loader_changed(l);
        }
        if (is_known_section(section->kind) || (section->flags & WEFT_SECTION_SKIP)) continue;
        return weft_report(l->reporter, WEFT_BAD_FILE,
                           "the save has what only a later Weft knows (section %08" PRIx32 ")",
                           section->kind);
    }
    return WEFT_OK;
}

weft_status weft_loader_read(weft_loader *loader, const void *bytes, size_t count)
{
    static weft_status (*const steps[])(weft_loader * loader) = {
        weft_loader_schema,     weft_loader_entities,     weft_loader_find_stores,
        weft_loader_tables,     weft_loader_free_indices, weft_loader_stores,
        weft_loader_singletons, weft_loader_clocks,       weft_loader_events,
        weft_loader_relations,  weft_loader_change_bits,  weft_loader_removed,
    };
    weft_bytes all = {(const unsigned char *)bytes, count, false, NULL};
    loader->bytes = count;
    weft_status status = check_save_head(loader, &all, count);
    if (status == WEFT_OK) status = read_sections(loader, all);
    for (size_t i = 0; status == WEFT_OK && i < sizeof steps / sizeof *steps; i++) {
        status = steps[i](loader);
    }
    if (status != WEFT_OK) return status;
    const weft_section *last = &loader->sections[loader->section_count - 1];
    if (weft_loader_section(loader, WEFT_SECTION_END) == last) return WEFT_OK;
    return weft_loader_damaged(loader, "it does not end");
}
