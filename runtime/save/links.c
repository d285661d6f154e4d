// The sections of links: for each kind, the indices of both ends of each link, and the values.
#include "loader.h"
#include "part.h"
#include "saver.h"

#include "../edit/linking.h"

#include <string.h>

weft_section_writer weft_write_links;
weft_section_reader weft_read_links;

// ------------------------------------------------------------------------------------------------
// Writing

// Returns whether a link belongs to a save: of a part, only links between members.
static bool is_link_saved(const weft_saver *saver, uint32_t from, uint32_t to)
{
    return !saver->part ||
           (weft_saved_part_has(saver->part, from) && weft_saved_part_has(saver->part, to));
}

static uint64_t links_saved(const weft_saver *saver, uint32_t number)
{
    uint64_t count = 0;
    if (!saver->part) return saver->world->links[number].count;
    weft_link_runs runs = weft_link_runs_begin(saver->world, number, 0, saver->part->indices);
    while (weft_link_runs_next(&runs)) {
        for (uint32_t i = 0; i < runs.run.count; i++) {
            count += is_link_saved(saver, runs.from, runs.run.others[i]);
        }
    }
    return count;
}

// Values lie in many blocks, but a save has them in one array. They are collected in groups, whose
// size is a multiple of eight values and therefore of words.
typedef struct link_group {
    const weft_saver *saver;
    weft_sink *sink;
    weft_saved_values values; // of the current group
    uint32_t most;            // links of a full group
} link_group;

static void write_group(link_group *g)
{
    if (g->values.count != 0) weft_saver_values(g->saver, g->sink, &g->values);
    g->values.count = 0;
}

static void gather_run(link_group *g, uint32_t from, weft_adjacent_run run)
{
    for (uint32_t i = 0; i < run.count && !g->sink->failed; i++) {
        if (!is_link_saved(g->saver, from, run.others[i])) continue;
        uint32_t at = g->values.count++;
        memcpy(g->saver->link_values + (size_t)at * g->values.size,
               run.values + (size_t)i * g->values.size, g->values.size);
        g->saver->link_ends[at] = from;
        if (g->values.count == g->most) write_group(g);
    }
}

static void write_link_values(weft_sink *sink, const weft_saver *saver, uint32_t number,
                              uint64_t count)
{
    const weft_link_info *info = &saver->world->plan->schema->links[number];
    uint64_t bytes = count * info->size;
    if (!sink->write) { // only counts
        sink->bytes += bytes + (WEFT_WORD_BYTES - bytes % WEFT_WORD_BYTES) % WEFT_WORD_BYTES;
        return;
    }
    link_group g = {
        .saver = saver,
        .sink = sink,
        .values = {.kind = "link",
                   .name = info->name,
                   .fields = info->fields,
                   .field_count = info->field_count,
                   .size = info->size,
                   .rows = saver->link_values,
                   .indices = saver->link_ends},
        .most = (uint32_t)(saver->buffer_bytes / info->size & ~(size_t)7),
    };
    if (g.most > WEFT_SAVED_LINKS) g.most = WEFT_SAVED_LINKS;
    weft_link_runs runs = weft_link_runs_begin(saver->world, number, 0, UINT32_MAX);
    while (weft_link_runs_next(&runs)) gather_run(&g, runs.from, runs.run);
    write_group(&g);
}

// Writes one end of all links, by `from` and then by `to`.
static void write_ends(weft_sink *sink, const weft_saver *saver, uint32_t number, bool from)
{
    weft_number_stream stream = {.sink = sink};
    weft_link_runs runs = weft_link_runs_begin(saver->world, number, 0, UINT32_MAX);
    while (weft_link_runs_next(&runs)) {
        for (uint32_t i = 0; i < runs.run.count; i++) {
            if (!is_link_saved(saver, runs.from, runs.run.others[i])) continue;
            weft_stream_number(&stream, from ? runs.from : runs.run.others[i], sizeof(uint32_t));
        }
    }
    weft_stream_end(&stream);
}

void weft_write_links(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_link_info *info = &saver->world->plan->schema->links[number];
    uint64_t count = info->save ? links_saved(saver, number) : 0;
    if (count == 0) return;
    weft_write_word(sink, number);
    weft_write_word(sink, count);
    write_ends(sink, saver, number, true);
    write_ends(sink, saver, number, false);
    if (info->size != 0) write_link_values(sink, saver, number, count);
}

// ------------------------------------------------------------------------------------------------
// Reading

// The section of a kind of links.
typedef struct saved_links {
    uint64_t count;
    const unsigned char *from; // indices of 4 bytes
    const unsigned char *to;
    const unsigned char *values; // NULL for bare links
    uint32_t size;               // of a value in the save
    uint32_t now;                // the kind in the world
    bool symmetric;              // in the save
} saved_links;

static weft_link_ends ends_at(const saved_links *saved, uint64_t i)
{
    return (weft_link_ends){(uint32_t)weft_little_read(saved->from + i * 4, 4),
                            (uint32_t)weft_little_read(saved->to + i * 4, 4), true};
}

static bool is_living(const weft_loader *l, uint32_t index)
{
    const weft_entities *entities = &l->into->entities;
    return index < l->index_count &&
           (weft_record_at(entities, l->into->plan->format, index).generation != 0 ||
            weft_index_is_away(entities, index));
}

// Checks that links are between entities that are alive or away, and in their order, so that none occurs twice.
static bool check_ends(weft_loader *l, const saved_links *saved)
{
    for (uint64_t i = 0; i < saved->count; i++) {
        weft_link_ends ends = ends_at(saved, i);
        if (!is_living(l, ends.from) || !is_living(l, ends.to)) {
            return weft_loader_damaged(l, "a link refers to a missing entity");
        }
        bool after = !saved->symmetric || ends.from <= ends.to;
        if (i != 0) {
            weft_link_ends before = ends_at(saved, i - 1);
            after = after &&
                    (before.from < ends.from || (before.from == ends.from && before.to < ends.to));
        }
        if (!after) return weft_loader_damaged(l, "links are not in their order");
    }
    return true;
}

// Adds `count` links from number `first` on. `values` are those of the world, one after the other;
// NULL: the defaults. If the kind has become symmetric, the link that was read first stays.
static bool add_saved(weft_loader *l, const saved_links *saved, uint64_t first, uint32_t count,
                      const unsigned char *values)
{
    weft_world *into = l->into;
    const weft_links *links = &into->links[saved->now];
    for (uint32_t i = 0; i < count; i++) {
        weft_link_ends ends = weft_link_ends_stored(links, ends_at(saved, first + i));
        const void *value = values ? values + (size_t)i * into->plan->links[saved->now].size : NULL;
        if (weft_adjacent_has(&links->from, ends.from, ends.to)) continue;
        if (!weft_link_put(into, saved->now, ends, value)) return weft_loader_no_memory(l);
    }
    return true;
}

static bool add_all(weft_loader *l, const saved_links *saved)
{
    const weft_match *match = l->matched.links.values[saved->now];
    unsigned char *values = NULL;
    if (match) {
        size_t size = l->into->plan->links[saved->now].size;
        values = (unsigned char *)weft_scratch_array(&l->scratch, WEFT_SAVED_LINKS, size);
        if (!values) return weft_loader_no_memory(l);
    }
    for (uint64_t first = 0; first < saved->count; first += WEFT_SAVED_LINKS) {
        uint64_t left = saved->count - first;
        uint32_t count = left < WEFT_SAVED_LINKS ? (uint32_t)left : WEFT_SAVED_LINKS;
        weft_owners owners = {.indices = saved->from + first * 4};
        if (match && !weft_loader_convert_structs(l, match, saved->values + first * saved->size,
                                                  values, count, &owners)) {
            return false;
        }
        if (!add_saved(l, saved, first, count, values)) return false;
    }
    return true;
}

bool weft_read_links(weft_loader *l, weft_bytes body)
{
    const weft_schema *file = l->matched.schemas.file;
    uint32_t was = weft_read_place(&body, file->link_count);
    if (body.bad || !file->links[was].save) {
        return weft_loader_damaged(l, "links are of no kind of the save");
    }
    saved_links saved = {.count = weft_read_word(&body),
                         .size = file->links[was].size,
                         .now = l->matched.links.now[was],
                         .symmetric = file->links[was].symmetric};
    if (saved.count > body.left / 8) body.bad = true; // two indices each
    saved.from = weft_read_array(&body, saved.count, 4);
    saved.to = weft_read_array(&body, saved.count, 4);
    if (saved.size != 0) saved.values = weft_read_array(&body, saved.count, saved.size);
    if (!weft_bytes_ended(&body)) return weft_loader_damaged(l, "links are malformed");
    if (!check_ends(l, &saved)) return false;
    if (saved.now == WEFT_NEVER || !l->into->plan->schema->links[saved.now].save) return true;
    if (l->into->links[saved.now].count != 0) {
        return weft_loader_damaged(l, "links of a kind occur twice");
    }
    return add_all(l, &saved);
}
