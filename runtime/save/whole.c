// A save from its first byte to its last: a head, and the sections in two lists.
#include "whole.h"

#include "schema.h"

#include <inttypes.h>

// Each section has one file, named for it, with its writer and its reader. They are declared here,
// where the lists are, since no other file calls them: the files of sections stand below this one
// and do not know of each other. A writer writes all sections of a kind.
typedef void section_writer(const weft_saver *saver, weft_sink *sink);
typedef bool section_reader(weft_loader *loader);
typedef bool body_reader(weft_loader *loader, weft_bytes body);

section_writer weft_saver_entities, weft_saver_tables, weft_saver_stores, weft_saver_singletons,
    weft_saver_clocks, weft_saver_events, weft_saver_relations, weft_saver_change_bits,
    weft_saver_removed;
section_reader weft_loader_entities, weft_loader_tables, weft_loader_free_indices,
    weft_loader_find_stores, weft_loader_stores, weft_loader_clocks, weft_loader_change_bits,
    weft_loader_removed;
body_reader weft_loader_singleton, weft_loader_event, weft_loader_relation;

static void write_end(const weft_saver *saver, weft_sink *sink)
{
    (void)saver;
    weft_write_section(sink, WEFT_SECTION_END, 0, NULL, NULL);
}

static const struct {
    uint32_t kind;
    section_writer *write;
} written_sections[] = {
    {WEFT_SECTION_SCHEMA, weft_saver_schema},
    {WEFT_SECTION_ENTITIES, weft_saver_entities},
    {WEFT_SECTION_TABLE, weft_saver_tables},
    {WEFT_SECTION_SPARSE, weft_saver_stores},
    {WEFT_SECTION_SINGLETON, weft_saver_singletons},
    {WEFT_SECTION_CLOCKS, weft_saver_clocks},
    {WEFT_SECTION_EVENT, weft_saver_events},
    {WEFT_SECTION_RELATION, weft_saver_relations},
    {WEFT_SECTION_REMOVED, weft_saver_removed},
    {WEFT_SECTION_CHANGE_BITS, weft_saver_change_bits},
    {WEFT_SECTION_END, write_end},
};

#define SECTION_KINDS (sizeof written_sections / sizeof *written_sections)

void weft_saver_write(const weft_saver *saver, uint64_t bytes, weft_sink *sink)
{
    weft_checksum_begin(&sink->sum);
    weft_write_word(sink, WEFT_SAVE_MAGIC);
    weft_write_word(sink, WEFT_SAVE_VERSION);
    weft_write_word(sink, bytes);
    weft_write_word(sink, weft_checksum_end(&sink->sum));
    for (size_t i = 0; i < SECTION_KINDS; i++) written_sections[i].write(saver, sink);
}

uint64_t weft_saver_count(const weft_saver *saver)
{
    weft_sink counter = {.write = NULL};
    weft_saver_write(saver, 0, &counter);
    return counter.bytes;
}

static bool check_save_head(weft_loader *l, weft_bytes *bytes, size_t count)
{
    weft_checksum sum;
    const unsigned char *start = bytes->at;
    uint64_t magic = weft_read_word(bytes);
    uint64_t version = weft_read_word(bytes);
    uint64_t total = weft_read_word(bytes);
    uint64_t stated = weft_read_word(bytes);
    if (bytes->bad || magic != WEFT_SAVE_MAGIC) {
        return weft_loader_refuse(l, WEFT_BAD_FILE, "this is no save");
    }
    weft_checksum_begin(&sum);
    weft_checksum_add(&sum, start, WEFT_SAVE_HEAD_BYTES - WEFT_WORD_BYTES);
    if (weft_checksum_end(&sum) != stated) return weft_loader_damaged(l, "its head has changed");
    if (version != WEFT_SAVE_VERSION) {
        return weft_loader_refuse(l, WEFT_BAD_FILE,
                                  "the save is of format %" PRIu64 ", and only %u is known here",
                                  version, WEFT_SAVE_VERSION);
    }
    if (total != count) {
        return weft_loader_refuse(
            l, WEFT_BAD_FILE, "the save is damaged: it has %zu bytes of %" PRIu64, count, total);
    }
    if (count % WEFT_WORD_BYTES == 0) return true;
    return weft_loader_damaged(l, "it does not end with a whole word");
}

static bool is_known_section(uint32_t kind)
{
    for (size_t i = 0; i < SECTION_KINDS; i++) {
        if (written_sections[i].kind == kind) return true;
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

static bool read_sections(weft_loader *l, weft_bytes bytes)
{
    weft_section *sections =
        weft_scratch_array(&l->scratch, count_sections(bytes), sizeof *sections);
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
        return weft_loader_refuse(
            l, WEFT_BAD_FILE, "the save has what only a later Weft knows (section %08" PRIx32 ")",
            section->kind);
    }
    return true;
}

// Sections that refer to entities are read after them, and change bits after all rows and values.
// Sparse stores are found before the tables, whose rows may need values of them; those that are
// stores still are filled after the rows. Indices that no row has must be the free and the retired
// ones.
static const struct {
    section_reader *read;
    uint32_t kind; // of the sections that are read one by one instead
    body_reader *each;
} reading_steps[] = {
    {.read = weft_loader_schema},
    {.read = weft_loader_entities},
    {.read = weft_loader_find_stores},
    {.read = weft_loader_tables},
    {.read = weft_loader_free_indices},
    {.read = weft_loader_stores},
    {.kind = WEFT_SECTION_SINGLETON, .each = weft_loader_singleton},
    {.read = weft_loader_clocks},
    {.kind = WEFT_SECTION_EVENT, .each = weft_loader_event},
    {.kind = WEFT_SECTION_RELATION, .each = weft_loader_relation},
    {.read = weft_loader_change_bits},
    {.read = weft_loader_removed},
};

bool weft_loader_read(weft_loader *loader, const void *bytes, size_t count)
{
    weft_bytes all = {bytes, count, false, NULL};
    loader->bytes = count;
    if (!check_save_head(loader, &all, count) || !read_sections(loader, all)) return false;
    for (size_t i = 0; i < sizeof reading_steps / sizeof *reading_steps; i++) {
        bool read = reading_steps[i].read
                        ? reading_steps[i].read(loader)
                        : weft_loader_each(loader, reading_steps[i].kind, reading_steps[i].each);
        if (!read) return false;
    }
    const weft_section *last = &loader->sections[loader->section_count - 1];
    if (weft_loader_section(loader, WEFT_SECTION_END) == last) return true;
    return weft_loader_damaged(loader, "it does not end");
}
