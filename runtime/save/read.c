// A save from its first byte to its last: sections, entities, singletons, clocks.
#include "read.h"

#include "../record/command.h"
#include "../run/system.h"
#include "change_bits.h"
#include "events.h"
#include "relations.h"
#include "removed.h"
#include "schema.h"

#include <inttypes.h>

#define TEXT_BYTES 256 // of a message

weft_status weft_loader_damaged(const weft_loader *loader, const char *what)
{
    return weft_report(loader->said, WEFT_BAD_FILE, "the save is damaged: %s", what);
}

weft_status weft_loader_changed(const weft_loader *loader)
{
    return weft_loader_damaged(loader, "a part of it has changed");
}

weft_status weft_loader_no_memory(const weft_loader *loader)
{
    return weft_report(loader->said, WEFT_NO_MEMORY, "no memory to load the save");
}

weft_strip weft_saved_strip(const weft_loader *loader, uint32_t was, void *const *columns,
                            uint32_t first)
{
    const weft_component_info *info = &loader->matched.schemas.file->components[was];
    return (weft_strip){columns, first, info->size, info->soa, info->fields};
}

weft_status weft_loader_carry(const weft_loader *loader, const weft_match *match, weft_strip from,
                              weft_strip to, uint32_t rows)
{
    char text[TEXT_BYTES];
    weft_status status =
        weft_carry_rows(&loader->matched.schemas, match, from, to, rows, text, sizeof text);
    if (status == WEFT_OK) return WEFT_OK;
    if (status == WEFT_BAD_FILE) return weft_loader_damaged(loader, text);
    return weft_report(loader->said, status, "the save cannot be carried over: %s", text);
}

// ------------------------------------------------------------------------------------------------
// Sections

static weft_status check_head(const weft_loader *l, weft_bytes *bytes, size_t count)
{
    weft_checksum sum;
    const unsigned char *start = bytes->at;
    uint64_t magic = weft_take_word(bytes);
    uint64_t version = weft_take_word(bytes);
    uint64_t total = weft_take_word(bytes);
    uint64_t stated = weft_take_word(bytes);
    if (bytes->bad || magic != WEFT_SAVE_MAGIC) {
        return weft_report(l->said, WEFT_BAD_FILE, "this is no save");
    }
    weft_checksum_begin(&sum);
    weft_checksum_add(&sum, start, WEFT_SAVE_HEAD_BYTES - WEFT_WORD_BYTES);
    if (weft_checksum_end(&sum) != stated) return weft_loader_damaged(l, "its head has changed");
    if (version != WEFT_SAVE_VERSION) {
        return weft_report(l->said, WEFT_BAD_FILE,
                           "the save is of format %" PRIu64 ", and only %u is known here", version,
                           WEFT_SAVE_VERSION);
    }
    if (total != count) {
        return weft_report(l->said, WEFT_BAD_FILE,
                           "the save is damaged: it has %zu bytes of %" PRIu64, count, total);
    }
    if (count % WEFT_WORD_BYTES == 0) return WEFT_OK;
    return weft_loader_damaged(l, "it does not end with a whole word");
}

static bool is_known(uint32_t kind)
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

// How many sections there are, the last of which may not be whole.
static size_t count_sections(weft_bytes bytes)
{
    weft_section section;
    size_t count = 1;
    while (weft_take_section(&bytes, &section)) count++;
    return count;
}

static weft_status take_sections(weft_loader *l, weft_bytes bytes)
{
    weft_section *sections =
        (weft_section *)weft_scratch_take(&l->scratch, count_sections(bytes), sizeof *sections);
    if (!sections) return weft_loader_no_memory(l);
    l->sections = sections;
    while (bytes.left != 0) {
        weft_section *section = &sections[l->section_count];
        if (!weft_take_section(&bytes, section)) return weft_loader_changed(l);
        l->section_count++;
        // Tables are most of a save, and summed while their columns are copied.
        if (section->kind != WEFT_SECTION_TABLE && !weft_section_is_sound(section)) {
            return weft_loader_changed(l);
        }
        if (is_known(section->kind) || (section->flags & WEFT_SECTION_SKIP)) continue;
        return weft_report(l->said, WEFT_BAD_FILE,
                           "the save has what only a later Weft knows (section %08" PRIx32 ")",
                           section->kind);
    }
    return WEFT_OK;
}

// The only section of a kind; NULL: there is none, or there are several.
static const weft_section *find_section(const weft_loader *l, uint32_t kind)
{
    const weft_section *found = NULL;
    for (uint32_t i = 0; i < l->section_count; i++) {
        if (l->sections[i].kind != kind) continue;
        if (found) return NULL;
        found = &l->sections[i];
    }
    return found;
}

weft_status weft_loader_each(weft_loader *loader, uint32_t kind,
                             weft_status (*take)(weft_loader *loader, weft_bytes body))
{
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < loader->section_count && status == WEFT_OK; i++) {
        const weft_section *section = &loader->sections[i];
        if (section->kind == kind) status = take(loader, section->body);
    }
    return status;
}

static weft_bytes body_of(const weft_section *section)
{
    return section ? section->body : (weft_bytes){.bad = true};
}

// ------------------------------------------------------------------------------------------------
// The schema

static weft_status take_schema(weft_loader *l)
{
    char text[TEXT_BYTES] = "";
    const weft_section *section = find_section(l, WEFT_SECTION_SCHEMA);
    if (!section) return weft_loader_damaged(l, "it has no schema");
    weft_bytes body = section->body;
    const weft_schema *file = weft_take_schema(&body, &l->scratch);
    if (l->scratch.out_of_memory) return weft_loader_no_memory(l);
    if (!file) return weft_loader_damaged(l, "its schema makes no sense");
    const weft_schema *world = l->into->plan->schema;
    if (strcmp(file->name, world->name) != 0) {
        return weft_report(l->said, WEFT_MISMATCH, "the save is of world '%s', not of '%s'",
                           file->name, world->name);
    }
    weft_schemas schemas = {file, world, &l->scratch};
    if (weft_schemas_match(&schemas, &l->matched, text, sizeof text)) return WEFT_OK;
    if (l->scratch.out_of_memory) return weft_loader_no_memory(l);
    return weft_report(l->said, WEFT_MISMATCH, "the save cannot be carried over: %s", text);
}

// ------------------------------------------------------------------------------------------------
// Entities

static weft_status check_counts(const weft_loader *l)
{
    const weft_entities *entities = &l->into->entities;
    if (l->live > entities->live_limit) {
        return weft_report(l->said, WEFT_MISMATCH,
                           "the save has %" PRIu32 " entities, and max_entities is %" PRIu32 " now",
                           l->live, entities->live_limit);
    }
    if (l->index_count <= entities->index_limit) return WEFT_OK;
    return weft_report(l->said, WEFT_MISMATCH,
                       "the save has %" PRIu32 " indices, and there are %" PRIu32
                       " now; raise index_bits",
                       l->index_count, entities->index_limit);
}

static weft_status take_entities(weft_loader *l)
{
    weft_world *into = l->into;
    const weft_section *section = find_section(l, WEFT_SECTION_ENTITIES);
    weft_bytes body = body_of(section);
    uint32_t handle_bytes = l->matched.schemas.file->handle_bytes;
    l->live = weft_take_number(&body, UINT32_MAX);
    l->free_count = weft_take_number(&body, UINT32_MAX);
    l->retired_count = weft_take_number(&body, UINT32_MAX);
    l->free_list = (const unsigned char *)weft_take_array(&body, l->free_count, handle_bytes);
    l->retired = (const unsigned char *)weft_take_array(&body, l->retired_count, 4);
    uint64_t indices = (uint64_t)l->live + l->free_count + l->retired_count;
    bool rows = l->live <= l->bytes / handle_bytes; // each has a handle somewhere
    if (body.bad || body.left != 0 || !rows || indices > UINT32_MAX) {
        return weft_loader_damaged(l, "its entities are not whole");
    }
    l->index_count = (uint32_t)indices;
    weft_status status = check_counts(l);
    if (status != WEFT_OK) return status;
    l->used = (uint64_t *)weft_scratch_take(&l->scratch, (size_t)l->index_count / 64 + 1,
                                            sizeof *l->used);
    uint32_t room = l->index_count == 0 ? 1 : l->index_count;
    if (!l->used || !weft_entities_grow(&into->entities, &into->heap, room)) {
        return weft_loader_no_memory(l);
    }
    into->entities.index_count = l->index_count;
    return WEFT_OK;
}

// Free indices, such that they are taken in the order of the save. One whose next generation is
// none any more retires.
static weft_status put_free(weft_loader *l)
{
    const weft_schema *file = l->matched.schemas.file;
    weft_entities *entities = &l->into->entities;
    weft_format f = l->into->plan->format;
    for (uint32_t i = 0; i < l->free_count; i++) {
        uint32_t place = f.waits ? i : l->free_count - 1 - i;
        uint64_t bits = weft_saved_handle(l, l->free_list, place);
        uint32_t index = weft_saved_index(l, bits);
        uint64_t next = weft_saved_generation(l, bits);
        if (next == 0 || next >> file->generation_bits != 0 || !weft_loader_use(l, index)) {
            return weft_loader_damaged(l, "a free index is none");
        }
        if (next > weft_generation_max(f))
            entities->retired++; // its record is zero, as of all that nobody has put
        else
            weft_index_free(entities, f, index, (uint32_t)next);
    }
    return WEFT_OK;
}

static weft_status put_retired(weft_loader *l)
{
    for (uint32_t i = 0; i < l->retired_count; i++) {
        if (weft_loader_use(l, weft_little_read(l->retired + (size_t)i * 4, 4))) continue;
        return weft_loader_damaged(l, "a retired index is none");
    }
    l->into->entities.retired += l->retired_count;
    return WEFT_OK;
}

// ------------------------------------------------------------------------------------------------
// Singletons, clocks

static weft_status take_singleton(weft_loader *l, weft_bytes body)
{
    const weft_schema *file = l->matched.schemas.file;
    uint32_t was = weft_take_number(&body, UINT16_MAX);
    bool known = !body.bad && was < file->singleton_count && file->singletons[was].save;
    const weft_singleton_info *old = known ? &file->singletons[was] : NULL;
    const void *value = known ? weft_take_array(&body, 1, old->size) : NULL;
    if (!value || body.left != 0) return weft_loader_damaged(l, "a singleton is not whole");
    uint32_t now = l->matched.singletons.now[was];
    const weft_match *match = now == UINT32_MAX ? NULL : l->matched.singletons.values[now];
    if (!match) return WEFT_OK;
    const weft_singleton_info *info = &l->matched.schemas.world->singletons[now];
    void *from_column = (void *)(uintptr_t)value;
    void *to_column = (unsigned char *)l->into + info->offset;
    weft_strip from = {&from_column, 0, old->size, false, old->fields};
    weft_strip to = {&to_column, 0, info->size, false, info->fields};
    return weft_loader_carry(l, match, from, to, 1);
}

static weft_status take_singletons(weft_loader *l)
{
    return weft_loader_each(l, WEFT_SECTION_SINGLETON, take_singleton);
}

// The clock of a system by its name; NULL: it has none now.
static weft_clock *clock_named(const weft_world *world, const char *name)
{
    const weft_plan *plan = world->plan;
    for (uint32_t i = 0; i < plan->clock_count; i++) {
        const char *other = plan->schema->systems[plan->clock_systems[i]].name;
        if (strcmp(other, name) == 0) return &weft_world_clocks(world)[i];
    }
    return NULL;
}

static weft_status take_clocks(weft_loader *l)
{
    weft_world *into = l->into;
    const weft_section *section = find_section(l, WEFT_SECTION_CLOCKS);
    weft_bytes body = body_of(section);
    into->tick = weft_take_word(&body);
    into->provisional.first =
        weft_take_number(&body, UINT32_MAX) % weft_provisional_limit(into->plan);
    uint32_t count = weft_take_number(&body, UINT16_MAX);
    for (uint32_t i = 0; i < count && !body.bad; i++) {
        weft_clock *clock = clock_named(into, weft_take_text(&body));
        uint64_t waited = weft_take_word(&body);
        uint64_t elapsed = weft_take_word(&body);
        if (!clock) continue;
        memcpy(&clock->waited, &waited, sizeof waited);
        memcpy(&clock->elapsed, &elapsed, sizeof elapsed);
    }
    if (body.bad || body.left != 0) return weft_loader_damaged(l, "its clocks are not whole");
    return WEFT_OK;
}

// ------------------------------------------------------------------------------------------------
// The whole

typedef weft_status (*loading_step)(weft_loader *loader);

weft_status weft_loader_read(weft_loader *loader, const void *bytes, size_t count)
{
    static const loading_step steps[] = {
        take_schema,
        take_entities,
        weft_loader_stores,
        weft_loader_tables,
        put_free,
        put_retired,
        weft_loader_sparse,
        take_singletons,
        take_clocks,
        weft_loader_events,
        weft_loader_relations,
        weft_loader_marks,
        weft_loader_removed,
    };
    weft_bytes all = {(const unsigned char *)bytes, count, false, NULL};
    loader->bytes = count;
    weft_status status = check_head(loader, &all, count);
    if (status == WEFT_OK) status = take_sections(loader, all);
    for (size_t i = 0; status == WEFT_OK && i < sizeof steps / sizeof *steps; i++) {
        status = steps[i](loader);
    }
    if (status != WEFT_OK) return status;
    if (find_section(loader, WEFT_SECTION_END) != &loader->sections[loader->section_count - 1]) {
        return weft_loader_damaged(loader, "it does not end");
    }
    return WEFT_OK;
}
