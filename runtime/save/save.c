// Saving and loading: the head of a save, and two lists of all sections, for writing and for
// reading.
#include "save.h"

#include "../edit/apply.h"
#include "../edit/linking.h"
#include "../edit/reaction.h"
#include "../record/hook.h"
#include "../record/loans.h"
#include "../run/lifecycle.h"
#include "../run/system.h"
#include "../world/writer.h"
#include "../world/zone.h"
#include "file.h"
#include "loader.h"
#include "part.h"
#include "saver.h"

#include <inttypes.h>

weft_section_writer weft_write_schema, weft_write_entities, weft_write_table, weft_write_store,
    weft_write_singleton, weft_write_clocks, weft_write_switches, weft_write_seed, weft_write_event,
    weft_write_relation, weft_write_links, weft_write_removed, weft_write_change_bits,
    weft_write_away, weft_write_part, weft_write_part_entities, weft_write_part_relation;
weft_section_reader weft_read_schema, weft_read_entities, weft_find_store, weft_read_singleton,
    weft_read_clocks, weft_read_switches, weft_read_seed, weft_read_event, weft_read_relation,
    weft_read_links, weft_read_away;
weft_loader_step weft_read_tables, weft_read_free_indices, weft_read_stores, weft_read_change_bits,
    weft_read_removed, weft_read_part;

// A section to be written, in the order of SAVES.md.
typedef struct written_section {
    const weft_saver *saver;
    weft_section_writer *write; // NULL if it has no body
    uint32_t number;
} written_section;

static void write_section_body(weft_sink *sink, const void *context)
{
    const written_section *section = context;
    if (section->write) section->write(sink, section->saver, section->number);
}

// Later versions may add more words here.
static void write_version(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    (void)saver;
    (void)number;
    weft_write_word(sink, WEFT_VERSION);
}

// The sections of a kind.
typedef struct written_kind {
    uint32_t kind;
    uint32_t flags;
    uint32_t count; // of numbers that `write` is called with
    weft_section_writer *write;
} written_kind;

static void write_each_kind(const weft_saver *saver, weft_sink *sink, const written_kind *kinds,
                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (uint32_t number = 0; number < kinds[i].count; number++) {
            written_section section = {saver, kinds[i].write, number};
            weft_write_section(sink, kinds[i].kind, kinds[i].flags, write_section_body, &section);
        }
    }
}

static void write_part_sections(const weft_saver *saver, weft_sink *sink)
{
    const weft_plan *plan = saver->world->plan;
    const written_kind kinds[] = {
        {WEFT_SECTION_SCHEMA, 0, 1, weft_write_schema},
        {WEFT_SECTION_VERSION, WEFT_SECTION_SKIP, 1, write_version},
        {WEFT_SECTION_PART, 0, 1, weft_write_part},
        {WEFT_SECTION_ENTITIES, 0, 1, weft_write_part_entities},
        {WEFT_SECTION_TABLE, 0, saver->table_count, weft_write_table},
        {WEFT_SECTION_SPARSE, 0, plan->sparse_count, weft_write_store},
        {WEFT_SECTION_RELATION, 0, plan->schema->relation_count, weft_write_part_relation},
        {WEFT_SECTION_LINKS, 0, plan->link_count, weft_write_links},
        {WEFT_SECTION_END, 0, 1, NULL},
    };
    write_each_kind(saver, sink, kinds, sizeof kinds / sizeof *kinds);
}

static void write_sections(const weft_saver *saver, weft_sink *sink)
{
    const weft_plan *plan = saver->world->plan;
    const weft_schema *schema = plan->schema;
    const written_kind kinds[] = {
        {WEFT_SECTION_SCHEMA, 0, 1, weft_write_schema},
        {WEFT_SECTION_VERSION, WEFT_SECTION_SKIP, 1, write_version},
        {WEFT_SECTION_ENTITIES, 0, 1, weft_write_entities},
        {WEFT_SECTION_AWAY, 0, 1, weft_write_away},
        {WEFT_SECTION_TABLE, 0, saver->table_count, weft_write_table},
        {WEFT_SECTION_SPARSE, 0, plan->sparse_count, weft_write_store},
        {WEFT_SECTION_SINGLETON, 0, schema->singleton_count, weft_write_singleton},
        {WEFT_SECTION_CLOCKS, 0, 1, weft_write_clocks},
        {WEFT_SECTION_SWITCHES, 0, 1, weft_write_switches},
        {WEFT_SECTION_SEED, WEFT_SECTION_SKIP, 1, weft_write_seed},
        {WEFT_SECTION_EVENT, 0, plan->event_count, weft_write_event},
        {WEFT_SECTION_RELATION, 0, schema->relation_count, weft_write_relation},
        {WEFT_SECTION_LINKS, 0, plan->link_count, weft_write_links},
        {WEFT_SECTION_REMOVED, WEFT_SECTION_SKIP, plan->removal_count, weft_write_removed},
        {WEFT_SECTION_CHANGE_BITS, WEFT_SECTION_SKIP, 1, weft_write_change_bits},
        {WEFT_SECTION_END, 0, 1, NULL},
    };
    write_each_kind(saver, sink, kinds, sizeof kinds / sizeof *kinds);
}

static void write_save(const weft_saver *saver, uint64_t bytes, weft_sink *sink)
{
    weft_checksum_begin(&sink->sum);
    weft_write_word(sink, WEFT_SAVE_MAGIC);
    weft_write_word(sink, WEFT_SAVE_VERSION);
    weft_write_word(sink, bytes);
    weft_write_word(sink, weft_checksum_end(&sink->sum));
    if (saver->part)
        write_part_sections(saver, sink);
    else
        write_sections(saver, sink);
}

static uint64_t count_save(const weft_saver *saver)
{
    weft_sink counter = {.write = NULL};
    write_save(saver, 0, &counter);
    return counter.bytes;
}

#define CUT_OFF ": it was cut off or is still being copied; copy it again, or take an older save"

#define ITS_VERSION WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH

// Returns the checksum of a head as the first saves of 2026-11-21 computed it: four lanes instead
// of eight, each multiplied. Their format has the number 1 too.
static uint64_t first_head_checksum(const unsigned char *head)
{
    uint64_t lanes[] = {1, 2, 3, 4};
    uint64_t sum = 3;                  // begins with the number of words in the head
    for (uint32_t i = 0; i < 7; i++) { // three words, then all lanes
        uint64_t *to = i < 3 ? &lanes[i] : &sum;
        uint64_t x = *to ^ (i < 3 ? weft_little_read(head + i * 8, 8) : lanes[i - 3]);
        x *= 0x9E3779B97F4A7C15u;
        *to = x << 29 | x >> 35;
    }
    return sum ^ sum >> 32;
}

// Refuses a save whose head has the wrong checksum, and reports which Weft may have written it.
static bool refuse_head(weft_loader *l, const unsigned char *head, uint64_t version,
                        uint64_t stated)
{
    if (first_head_checksum(head) == stated) {
        return weft_loader_refuse(
            l, WEFT_BAD_FILE,
            "a Weft of 2026-11-21, before 1.0.0, wrote the save, and no later "
            "one reads it");
    }
    if (version == WEFT_SAVE_VERSION) return weft_loader_damaged(l, "its head has changed");
    return weft_loader_refuse(
        l, WEFT_BAD_FILE,
        "the save is damaged, or another Weft than %u.%u.%u wrote it: its head "
        "and its format %" PRIu64 " are unknown",
        ITS_VERSION, version);
}

static bool check_save_head(weft_loader *l, weft_bytes *bytes, size_t count)
{
    weft_checksum sum;
    const unsigned char *start = bytes->at;
    uint64_t magic = weft_read_word(bytes);
    uint64_t version = weft_read_word(bytes);
    uint64_t total = weft_read_word(bytes);
    uint64_t stated = weft_read_word(bytes);
    if (magic != WEFT_SAVE_MAGIC) return weft_loader_refuse(l, WEFT_BAD_FILE, "this is not a save");
    if (bytes->bad) return weft_loader_damaged(l, "its head is incomplete" CUT_OFF);
    weft_checksum_begin(&sum);
    weft_checksum_add(&sum, start, WEFT_SAVE_HEAD_BYTES - WEFT_WORD_BYTES);
    if (weft_checksum_end(&sum) != stated) return refuse_head(l, start, version, stated);
    if (version != WEFT_SAVE_VERSION) {
        return weft_loader_refuse(
            l, WEFT_BAD_FILE,
            "the save has format %" PRIu64 ", but only format %u is known: %s "
            "Weft than %u.%u.%u wrote it",
            version, WEFT_SAVE_VERSION, version > WEFT_SAVE_VERSION ? "a later" : "an earlier",
            ITS_VERSION);
    }
    if (total != count) {
        return weft_loader_refuse(l, WEFT_BAD_FILE,
                                  "the save is damaged: it has %zu bytes of %" PRIu64 "%s", count,
                                  total, count < total ? CUT_OFF : "");
    }
    if (count % WEFT_WORD_BYTES == 0) return true;
    return weft_loader_damaged(l, "its length is not a multiple of 8 bytes");
}

// Reads the version as soon as its section is found, because every refusal after that reports it.
static void read_version(weft_loader *l, const weft_section *section)
{
    weft_bytes body = section->body;
    if (section->kind == WEFT_SECTION_VERSION) l->version = weft_read_number(&body, UINT32_MAX);
}

static bool read_end(weft_loader *l, weft_bytes body)
{
    const weft_section *last = &l->sections[l->section_count - 1];
    return (!body.bad && last->kind == WEFT_SECTION_END) ||
           weft_loader_damaged(l, "its end is missing");
}

// The order of reading. Sections that refer to entities are read after the entities, and change
// bits after all rows and values. Sparse stores are found before the tables, because rows may need
// values from them; stores that stay sparse are filled after the rows. Indices without a row must
// be the free and the retired ones. Removals are read last, because the change bits limit their
// number.
static const struct {
    uint32_t kind;
    weft_section_reader *one;  // reads the only section of the kind
    weft_section_reader *each; // reads each of several sections
    weft_loader_step *read;    // does everything else
    bool world;                // about the world itself: not read from a part
} reading_steps[] = {
    {WEFT_SECTION_SCHEMA, .one = weft_read_schema},
    {WEFT_SECTION_PART, .read = weft_read_part},
    {WEFT_SECTION_AWAY, .each = weft_read_away, .world = true},
    {WEFT_SECTION_ENTITIES, .one = weft_read_entities},
    {WEFT_SECTION_SEED, .each = weft_read_seed, .world = true},
    {WEFT_SECTION_SPARSE, .each = weft_find_store},
    {WEFT_SECTION_TABLE, .read = weft_read_tables},
    {WEFT_SECTION_ENTITIES, .read = weft_read_free_indices},
    {WEFT_SECTION_SPARSE, .read = weft_read_stores},
    {WEFT_SECTION_SINGLETON, .each = weft_read_singleton, .world = true},
    {WEFT_SECTION_CLOCKS, .one = weft_read_clocks, .world = true},
    {WEFT_SECTION_SWITCHES, .each = weft_read_switches, .world = true},
    {WEFT_SECTION_EVENT, .each = weft_read_event, .world = true},
    {WEFT_SECTION_RELATION, .each = weft_read_relation},
    {WEFT_SECTION_LINKS, .each = weft_read_links},
    {WEFT_SECTION_CHANGE_BITS, .read = weft_read_change_bits, .world = true},
    {WEFT_SECTION_REMOVED, .read = weft_read_removed, .world = true},
    {WEFT_SECTION_END, .one = read_end},
};

#define READING_STEPS (sizeof reading_steps / sizeof *reading_steps)

static bool is_known_section(uint32_t kind)
{
    for (size_t i = 0; i < READING_STEPS; i++) {
        if (reading_steps[i].kind == kind) return true;
    }
    return kind == WEFT_SECTION_VERSION;
}

// Returns the body of the only section of a kind; it is bad if there is none, or more than one.
static weft_bytes only_section(const weft_loader *l, uint32_t kind)
{
    weft_bytes found = {.bad = true};
    for (uint32_t i = 0; i < l->section_count; i++) {
        if (l->sections[i].kind != kind) continue;
        if (found.at) return (weft_bytes){.bad = true};
        found = l->sections[i].body;
    }
    return found;
}

static bool read_step(weft_loader *l, size_t step)
{
    uint32_t kind = reading_steps[step].kind;
    if (reading_steps[step].world && l->part.wanted) return true;
    if (reading_steps[step].one) return reading_steps[step].one(l, only_section(l, kind));
    if (reading_steps[step].each) return weft_loader_each(l, kind, reading_steps[step].each);
    return reading_steps[step].read(l);
}

// Counts the sections. The last one may be incomplete.
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
        // Tables are most of a save. Their checksums are computed while their columns are copied.
        if (section->kind != WEFT_SECTION_TABLE && !weft_section_is_sound(section)) {
            return weft_loader_changed(l);
        }
        read_version(l, section);
        if (is_known_section(section->kind) || (section->flags & WEFT_SECTION_SKIP)) continue;
        return weft_loader_refuse(
            l, WEFT_BAD_FILE, "the save has a section that only a later Weft knows (%08" PRIx32 ")",
            section->kind);
    }
    return true;
}

static bool read_save(weft_loader *loader, const void *bytes, size_t count)
{
    weft_bytes all = {bytes, count, false, NULL};
    loader->bytes = count;
    if (!check_save_head(loader, &all, count) || !read_sections(loader, all)) return false;
    for (size_t i = 0; i < READING_STEPS; i++) {
        if (!read_step(loader, i)) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// The calls

weft_status weft_save_prepare(weft_world *world, const char *call)
{
    if (weft_busy_to_look(world, call)) return WEFT_BUSY;
    (void)weft_commands_apply(world);
    weft_writer(world, NULL, false);
    uint32_t waiting = weft_commands_waiting(world);
    if (waiting == 0) return WEFT_OK;
    return weft_report(world, WEFT_REFUSED,
                       "nothing is saved: %" PRIu32
                       " commands of hooks wait for the next flush, and a save would lose them",
                       waiting);
}

void weft_save_wait_for_writer(weft_world *world)
{
    weft_thread_close(&world->heap, world->saving.writer);
    world->saving.writer = NULL;
}

weft_status weft_save_report(weft_world *world, const weft_file *file, const char *path)
{
    if (!path) path = "";
    if (!file->failed) {
        return weft_report(world, WEFT_NO_MEMORY, "no memory for the save '%.*s'",
                           WEFT_SHOWN_PATH_BYTES, path);
    }
    return weft_report(world, WEFT_IO, "the save '%.*s' cannot %s: %s", WEFT_SHOWN_PATH_BYTES, path,
                       file->failed, file->why);
}

static weft_status report_unsound(weft_world *world, const weft_saver *saver)
{
    return weft_report(world, WEFT_BAD_VALUE, "%s", saver->refusal->words);
}

// Returns false if there is no memory.
static bool open_saver(weft_saver *saver, const weft_world *world, weft_saved_part *part,
                       weft_scratch *scratch)
{
    return weft_saver_open(saver, world, scratch) &&
           (!part || weft_saved_part_list(part, saver, scratch));
}

weft_status weft_save_file(weft_world *world, weft_saved_part *part, const char *path)
{
    weft_saver saver;
    weft_file file = {.failed = NULL};
    weft_status status = WEFT_OK;
    weft_zone_begin(world, WEFT_ZONE_SAVE, 0, 0);
    weft_save_wait_for_writer(world);
    weft_scratch scratch = {.heap = &world->heap};
    weft_sink sink = {.write = weft_file_write, .to = &file, .piece_bytes = WEFT_FILE_PIECE_BYTES};
    bool begun = open_saver(&saver, world, part, &scratch) &&
                 weft_file_open(&file, &world->heap, path) && weft_file_begin(&file);
    if (begun) write_save(&saver, count_save(&saver), &sink);
    if (!begun || !weft_file_end(&file, !sink.failed)) {
        bool refused = begun && saver.refusal->any;
        status = refused ? report_unsound(world, &saver) : weft_save_report(world, &file, path);
    }
    weft_file_close(&file);
    weft_scratch_free(&scratch);
    weft_zone_end(world, WEFT_ZONE_SAVE, 0, 0);
    return status;
}

weft_status weft_world_save(weft_world *world, const char *path)
{
    weft_status status = weft_save_prepare(world, "save" WEFT_WAITS);
    return status == WEFT_OK ? weft_save_file(world, NULL, path) : status;
}

static bool append_memory(void *to, const void *bytes, size_t count)
{
    unsigned char **at = (unsigned char **)to;
    memcpy(*at, bytes, count);
    *at += count;
    return true;
}

weft_status weft_save_copy(weft_world *world, weft_saved_part *part, weft_save_space *space,
                           void **bytes, size_t *count)
{
    weft_saver saver;
    weft_scratch scratch = {.heap = &world->heap};
    uint64_t size = open_saver(&saver, world, part, &scratch) ? count_save(&saver) : 0;
    bool fits = size != 0 && size <= SIZE_MAX;
    weft_status status = WEFT_NO_MEMORY;
    *bytes = fits ? space(world, (size_t)size) : NULL;
    if (*bytes) {
        unsigned char *at = *bytes;
        *count = (size_t)size;
        weft_sink sink = {.write = append_memory, .to = &at, .piece_bytes = WEFT_PIECE_BYTES};
        write_save(&saver, size, &sink);
        status = saver.refusal->any ? report_unsound(world, &saver) : WEFT_OK;
    }
    weft_scratch_free(&scratch);
    return status;
}

// Does not use the heap, because the memory belongs to the caller.
static void *allocate_for_caller(weft_world *world, size_t bytes)
{
    return world->heap.hooks.allocate(world->heap.hooks.user, bytes);
}

weft_status weft_save_for_caller(weft_world *world, weft_saved_part *part, void **bytes,
                                 size_t *count)
{
    weft_zone_begin(world, WEFT_ZONE_SAVE, 0, 0);
    weft_status status = weft_save_copy(world, part, allocate_for_caller, bytes, count);
    weft_zone_end(world, WEFT_ZONE_SAVE, 0, 0);
    if (status == WEFT_NO_MEMORY) weft_report(world, status, "no memory to save the world");
    if (status == WEFT_BAD_VALUE) {
        world->heap.hooks.free_(world->heap.hooks.user, *bytes, *count);
        *bytes = NULL;
        *count = 0;
    }
    return status;
}

weft_status weft_world_save_memory(weft_world *world, void **bytes, size_t *count)
{
    *bytes = NULL;
    *count = 0;
    weft_status status = weft_save_prepare(world, "save" WEFT_WAITS);
    return status == WEFT_OK ? weft_save_for_caller(world, NULL, bytes, count) : status;
}

#define SWAP_MEMBER(type, a, b)                                                                    \
    do {                                                                                           \
        type kept = (a);                                                                           \
        (a) = (b);                                                                                 \
        (b) = kept;                                                                                \
    } while (0)

// Exchanges everything that influences the future. Hooks, buffers, counters and resources stay.
// Singletons and clocks are copied: they are everything that follows weft_world in the generated
// struct.
static void exchange_states(weft_world *world, weft_world *loaded)
{
    SWAP_MEMBER(weft_entities, world->entities, loaded->entities);
    SWAP_MEMBER(weft_tables, world->tables, loaded->tables);
    SWAP_MEMBER(weft_table_kit, world->shared.kit, loaded->shared.kit);
    SWAP_MEMBER(weft_query, world->lists.every_table, loaded->lists.every_table);
    SWAP_MEMBER(weft_table **, world->shared.prefab_tables, loaded->shared.prefab_tables);
    SWAP_MEMBER(weft_query *, world->queries, loaded->queries);
    SWAP_MEMBER(weft_sparse *, world->sparse, loaded->sparse);
    SWAP_MEMBER(struct weft_relation *, world->relations, loaded->relations);
    SWAP_MEMBER(struct weft_links *, world->links, loaded->links);
    SWAP_MEMBER(weft_region, world->ending, loaded->ending);
    SWAP_MEMBER(struct weft_depth_order *, world->run.depth_orders, loaded->run.depth_orders);
    SWAP_MEMBER(struct weft_event_log *, world->events.logs, loaded->events.logs);
    SWAP_MEMBER(uint32_t *, world->events.heard, loaded->events.heard);
    SWAP_MEMBER(struct weft_removed *, world->changes.removed, loaded->changes.removed);
    SWAP_MEMBER(struct weft_index *, world->indexes, loaded->indexes); // both have yet to be built
    SWAP_MEMBER(struct weft_lost *, world->changes.lost, loaded->changes.lost);
    SWAP_MEMBER(bool *, world->changes.listening, loaded->changes.listening);
    SWAP_MEMBER(uint64_t *, world->changes.flags, loaded->changes.flags);
    world->attached = loaded->attached;
    world->linked = loaded->linked;
    world->lists.emptied = loaded->lists.emptied;
    world->lists.emptied_max = loaded->lists.emptied_max;
    world->tick = loaded->tick;
    world->saving.loads++;
    world->run.ticking = 0; // may be the number of the coming tick
    world->seed = loaded->seed;
    size_t resources = world->plan->resources_offset;
    size_t end = resources != 0 ? resources : world->plan->world_bytes;
    memcpy(world + 1, loaded + 1, end - sizeof *world);
    weft_world_rests(world); // the new entities must allow direct calls
}

// The two worlds may have exchanged memory, so one heap counts the bytes of both. Reservations that
// are kept replace those that were kept before and not used.
void weft_load_discard(weft_world *world, weft_world *loaded, bool replaced)
{
    loaded->heap.bytes += world->heap.bytes;
    if (replaced) weft_kept_empty(&loaded->heap);
    if (replaced && loaded->heap.kept) loaded->heap.kept->keeps = true;
    weft_world_close(loaded);
    if (loaded->heap.kept) loaded->heap.kept->keeps = false;
    world->heap.reused |= loaded->heap.reused;
    weft_heap heap = loaded->heap;
    weft_free(&heap, loaded, world->plan->world_bytes);
    world->heap.bytes = heap.bytes;
}

// Calls on_add for everything in the world, with tables in canonical order.
static void tell_loaded(weft_world *world)
{
    if (world->hooks) world->hooks->loading = true;
    for (uint32_t i = 0; i < world->lists.every_table.count; i++) {
        const weft_table *table = world->lists.every_table.tables[i];
        weft_hooks_added(world, table, 0, table->count);
    }
    if (world->hooks) world->hooks->loading = false;
    weft_hooks_all_parents(world, true);
    weft_links_tell_all(world, true);
}

// Prepares the tables of a new world so that the old world can take them over. Returns false if
// there is no memory.
static bool make_alike(const weft_world *world, weft_world *loaded)
{
    loaded->shared.kit.bits_at_once = world->shared.kit.bits_at_once;
    for (uint32_t id = 0; loaded->shared.kit.bits_at_once && id < loaded->tables.count; id++) {
        if (!weft_bits_open(&loaded->heap, loaded->plan, loaded->tables.items[id])) return false;
    }
    return true;
}

weft_status weft_load_begin(weft_world *world, weft_loader *loader, const void *bytes, size_t count,
                            bool part, bool keep)
{
    weft_options options = {.memory = keep ? weft_kept_open(&world->heap) : world->heap.hooks,
                            .user = world->user,
                            .seed = world->seed};
    weft_world *loaded = weft_world_create(world->plan, world->plan->world_bytes, &options);
    *loader = (weft_loader){.reporter = world, .into = loaded, .part.wanted = part};
    if (!loaded) return weft_report(world, WEFT_NO_MEMORY, "no memory to load the save");
    // Hooks belong to the old world, which calls them for the old and the new contents.
    weft_hooks_close(loaded);
    loader->scratch.heap = loader->of_table.heap = &loaded->heap;
    if (!part && !make_alike(world, loaded)) {
        return weft_report(world, WEFT_NO_MEMORY, "no memory to load the save");
    }
    (void)read_save(loader, bytes, count);
    return loader->status;
}

void weft_load_end(weft_loader *loader)
{
    if (!loader->into) return;
    weft_scratch_free(&loader->scratch);
    weft_scratch_free(&loader->of_table);
}

// `path` is the file that the bytes were read from, or NULL if they are from memory. Games that
// load from memory do so repeatedly, so in that case the memory of the replaced state is kept for
// the next load.
static weft_status load_bytes(weft_world *world, const void *bytes, size_t count, const char *path)
{
    weft_loader loader;
    world->report.about = path;
    weft_status status = weft_load_begin(world, &loader, bytes, count, false, path == NULL);
    weft_world *loaded = loader.into;
    world->report.about = NULL;
    weft_load_end(&loader);
    if (status == WEFT_OK) {
        weft_writer(world, WEFT_LOAD_WRITES, false);
        weft_hooks_because(world, WEFT_BY_LOAD);
        weft_hooks_all_parents(world, false);
        weft_links_tell_all(world, false);
        weft_hooks_call_closing(world);
        weft_commands_drop(world);
        exchange_states(world, loaded);
        weft_loans_end(world);
    }
    if (loaded) weft_load_discard(world, loaded, status == WEFT_OK);
    if (status != WEFT_OK) return status;
    weft_world_changed(world);
    tell_loaded(world);
    weft_hooks_because(world, WEFT_BY_CALL);
    weft_writer(world, NULL, false);
    return WEFT_OK;
}

weft_status weft_world_load_memory(weft_world *world, const void *bytes, size_t count)
{
    if (weft_busy(world, "load" WEFT_WAITS)) return WEFT_BUSY;
    weft_zone_begin(world, WEFT_ZONE_LOAD, 0, 0);
    weft_status status = load_bytes(world, bytes, count, NULL);
    weft_zone_end(world, WEFT_ZONE_LOAD, 0, 0);
    return status;
}

weft_status weft_world_load(weft_world *world, const char *path)
{
    weft_file file;
    size_t count;
    if (weft_busy(world, "load" WEFT_WAITS)) return WEFT_BUSY;
    weft_zone_begin(world, WEFT_ZONE_LOAD, 0, 0);
    weft_save_wait_for_writer(world);
    void *bytes = weft_file_read(&file, &world->heap, path, &count);
    weft_status status =
        bytes ? load_bytes(world, bytes, count, path) : weft_save_report(world, &file, path);
    if (bytes) weft_free(&world->heap, bytes, count + 1);
    weft_zone_end(world, WEFT_ZONE_LOAD, 0, 0);
    return status;
}
