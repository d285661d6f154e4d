// A save from its first byte to its last: a head, and the sections in two lists.
//
// Each section has one file, named for it, with its writer and its reader. What they are called is
// declared here, where the lists are, since no other file calls them: those of sections stand below
// this one and do not know of each other.
#include "whole.h"

#include "../world/report.h"
#include "schema.h"

#include <inttypes.h>

// ------------------------------------------------------------------------------------------------
// The sections

// Which indices are alive is known when the tables have been read; those left over must be the
// free ones and the retired ones.
void weft_saver_entities(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_entities(weft_loader *loader);
weft_status weft_loader_free_indices(weft_loader *loader);

void weft_saver_tables(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_tables(weft_loader *loader);

// Sparse stores are found before the tables, whose rows may need values of them. Those that are
// stores still are filled after the rows, with values in the slots that they had.
void weft_saver_stores(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_find_stores(weft_loader *loader);
weft_status weft_loader_stores(weft_loader *loader);

void weft_saver_singletons(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_singletons(weft_loader *loader);

// Clocks, and how far the world has come.
void weft_saver_clocks(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_clocks(weft_loader *loader);

// Values of events that a system has yet to hear.
void weft_saver_events(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_events(weft_loader *loader);

// The links of relations, in an order in which attaching child by child gives the same lists.
void weft_saver_relations(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_relations(weft_loader *loader);

// What readers of changes have yet to see. Change bits are numbered anew by every schema, so a save
// lists which of them each reader has.
void weft_saver_change_bits(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_change_bits(weft_loader *loader);

// What readers of removals have yet to see.
void weft_saver_removed(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_removed(weft_loader *loader);

// ------------------------------------------------------------------------------------------------
// Writing

static void write_nothing(weft_sink *sink, const void *context)
{
    (void)sink;
    (void)context;
}

static void write_end(const weft_saver *saver, weft_sink *sink)
{
    weft_write_section(sink, WEFT_SECTION_END, 0, write_nothing, saver);
}

void weft_saver_write(const weft_saver *saver, uint64_t bytes, weft_sink *sink)
{
    static void (*const sections[])(const weft_saver *saver, weft_sink *sink) = {
        weft_saver_schema,     weft_saver_entities,    weft_saver_tables, weft_saver_stores,
        weft_saver_singletons, weft_saver_clocks,      weft_saver_events, weft_saver_relations,
        weft_saver_removed,    weft_saver_change_bits, write_end,
    };
    weft_checksum_begin(&sink->sum);
    weft_write_word(sink, WEFT_SAVE_MAGIC);
    weft_write_word(sink, WEFT_SAVE_VERSION);
    weft_write_word(sink, bytes);
    weft_write_word(sink, weft_checksum_end(&sink->sum));
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) sections[i](saver, sink);
}

uint64_t weft_saver_count(const weft_saver *saver)
{
    weft_sink counter = {.write = NULL};
    weft_saver_write(saver, 0, &counter);
    return counter.bytes;
}

// ------------------------------------------------------------------------------------------------
// Reading

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
