// A save from its first byte to its last: a head, and the sections in two lists.
#include "whole.h"

#include "schema.h"

#include <inttypes.h>

weft_section_writer weft_write_world_schema, weft_write_entities, weft_write_table,
    weft_write_store, weft_write_singleton, weft_write_clocks, weft_write_event,
    weft_write_relation, weft_write_removed, weft_write_change_bits;
weft_section_reader weft_read_schema, weft_read_entities, weft_find_store, weft_read_singleton,
    weft_read_clocks, weft_read_event, weft_read_relation;
weft_loader_step weft_read_tables, weft_read_free_indices, weft_read_stores, weft_read_change_bits,
    weft_read_removed;

// Sections of one kind, as many as there are numbers.
typedef struct written_kind {
    uint32_t kind;
    uint32_t flags;
    uint32_t count;
    weft_section_writer *write;
} written_kind;

typedef struct written_section {
    const weft_saver *saver;
    const written_kind *kind;
    uint32_t number;
} written_section;

static void write_section_body(weft_sink *sink, const void *context)
{
    const written_section *section = context;
    section->kind->write(sink, section->saver, section->number);
}

static void write_end(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    (void)sink, (void)saver, (void)number;
}

static void write_sections(const weft_saver *saver, weft_sink *sink)
{
    const weft_plan *plan = saver->world->plan;
    const weft_schema *schema = plan->schema;
    const written_kind kinds[] = {
        {WEFT_SECTION_SCHEMA, 0, 1, weft_write_world_schema},
        {WEFT_SECTION_ENTITIES, 0, 1, weft_write_entities},
        {WEFT_SECTION_TABLE, 0, saver->table_count, weft_write_table},
        {WEFT_SECTION_SPARSE, 0, plan->sparse_count, weft_write_store},
        {WEFT_SECTION_SINGLETON, 0, schema->singleton_count, weft_write_singleton},
        {WEFT_SECTION_CLOCKS, 0, 1, weft_write_clocks},
        {WEFT_SECTION_EVENT, 0, plan->event_count, weft_write_event},
        {WEFT_SECTION_RELATION, 0, schema->relation_count, weft_write_relation},
        {WEFT_SECTION_REMOVED, WEFT_SECTION_SKIP, plan->removal_count, weft_write_removed},
        {WEFT_SECTION_CHANGE_BITS, WEFT_SECTION_SKIP, 1, weft_write_change_bits},
        {WEFT_SECTION_END, 0, 1, write_end},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (uint32_t number = 0; number < kinds[i].count; number++) {
            written_section section = {saver, &kinds[i], number};
            weft_write_section(sink, kinds[i].kind, kinds[i].flags, write_section_body, &section);
        }
    }
}

void weft_saver_write(const weft_saver *saver, uint64_t bytes, weft_sink *sink)
{
    weft_checksum_begin(&sink->sum);
    weft_write_word(sink, WEFT_SAVE_MAGIC);
    weft_write_word(sink, WEFT_SAVE_VERSION);
    weft_write_word(sink, bytes);
    weft_write_word(sink, weft_checksum_end(&sink->sum));
    write_sections(saver, sink);
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

static bool read_end(weft_loader *l, weft_bytes body)
{
    const weft_section *last = &l->sections[l->section_count - 1];
    return (!body.bad && last->kind == WEFT_SECTION_END) ||
           weft_loader_damaged(l, "it does not end");
}

// Sections that refer to entities are read after them, and change bits after all rows and values.
// Sparse stores are found before the tables, whose rows may need values of them; those that are
// stores still are filled after the rows. Indices that no row has must be the free and the retired
// ones. Removals are read last, since change bits tell how many more there can be.
static const struct {
    uint32_t kind;
    weft_section_reader *one;  // reads the only section of the kind
    weft_section_reader *each; // reads one of several
    weft_loader_step *read;    // does what is more than that
} reading_steps[] = {
    {WEFT_SECTION_SCHEMA, .one = weft_read_schema},
    {WEFT_SECTION_ENTITIES, .one = weft_read_entities},
    {WEFT_SECTION_SPARSE, .each = weft_find_store},
    {WEFT_SECTION_TABLE, .read = weft_read_tables},
    {WEFT_SECTION_ENTITIES, .read = weft_read_free_indices},
    {WEFT_SECTION_SPARSE, .read = weft_read_stores},
    {WEFT_SECTION_SINGLETON, .each = weft_read_singleton},
    {WEFT_SECTION_CLOCKS, .one = weft_read_clocks},
    {WEFT_SECTION_EVENT, .each = weft_read_event},
    {WEFT_SECTION_RELATION, .each = weft_read_relation},
    {WEFT_SECTION_CHANGE_BITS, .read = weft_read_change_bits},
    {WEFT_SECTION_REMOVED, .read = weft_read_removed},
    {WEFT_SECTION_END, .one = read_end},
};

#define READING_STEPS (sizeof reading_steps / sizeof *reading_steps)

static bool is_known_section(uint32_t kind)
{
    for (size_t i = 0; i < READING_STEPS; i++) {
        if (reading_steps[i].kind == kind) return true;
    }
    return false;
}

static bool read_step(weft_loader *l, size_t step)
{
    uint32_t kind = reading_steps[step].kind;
    if (reading_steps[step].one) return reading_steps[step].one(l, weft_loader_section(l, kind));
    if (reading_steps[step].each) return weft_loader_each(l, kind, reading_steps[step].each);
    return reading_steps[step].read(l);
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

bool weft_loader_read(weft_loader *loader, const void *bytes, size_t count)
{
    weft_bytes all = {bytes, count, false, NULL};
    loader->bytes = count;
    if (!check_save_head(loader, &all, count) || !read_sections(loader, all)) return false;
    for (size_t i = 0; i < READING_STEPS; i++) {
        if (!read_step(loader, i)) return false;
    }
    return true;
}
