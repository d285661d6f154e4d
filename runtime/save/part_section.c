// The section that makes a save a part of a world, and the sections of a part that differ from
// those of a world: its entities, and its relations without outer nodes.
#include "loader.h"
#include "part.h"
#include "saver.h"

#include "../base/bits.h"

weft_section_writer weft_write_part, weft_write_part_entities, weft_write_part_relation;
weft_loader_step weft_read_part;

// ------------------------------------------------------------------------------------------------
// Writing

static void write_node_handles(weft_sink *sink, const weft_saver *saver, size_t offset)
{
    const weft_saved_part *part = saver->part;
    uint32_t bytes = saver->world->plan->format.handle_bytes;
    weft_number_stream stream = {.sink = sink};
    for (uint32_t i = 0; i < part->node_count; i++) {
        uint64_t handle;
        memcpy(&handle, (const unsigned char *)&part->nodes[i] + offset, sizeof handle);
        weft_stream_number(&stream, handle, bytes);
    }
    weft_stream_end(&stream);
}

void weft_write_part(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_saved_part *part = saver->part;
    weft_number_stream stream = {.sink = sink};
    (void)number;
    weft_write_word(sink, part->away);
    weft_write_word(sink, part->node_count);
    for (uint32_t i = 0; i < part->node_count; i++) {
        weft_stream_number(&stream, part->nodes[i].relation, sizeof part->nodes[i].relation);
    }
    weft_stream_end(&stream);
    write_node_handles(sink, saver, offsetof(weft_part_node, child));
    write_node_handles(sink, saver, offsetof(weft_part_node, parent));
    write_node_handles(sink, saver, offsetof(weft_part_node, next));
}

// Writes the gaps between members as runs of free indices of generation 1. SAVES.md describes runs.
static void write_gaps(weft_number_stream *stream, const weft_saved_part *part, weft_format f)
{
    weft_part_gap gap = {.part = part, .most = weft_index_mask(f) >> 1};
    while (weft_part_next_gap(&gap)) {
        weft_stream_number(stream, weft_handle(f, gap.first, 1), f.handle_bytes);
        if (gap.more != 0) weft_stream_number(stream, gap.more, f.handle_bytes);
    }
}

void weft_write_part_entities(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    weft_format f = saver->world->plan->format;
    weft_number_stream stream = {.sink = sink};
    (void)number;
    weft_write_word(sink, saver->part->count);
    weft_write_word(sink, saver->part->gap_numbers);
    weft_write_word(sink, 0); // retired
    if (!sink->write) {
        weft_write_numbers(sink, NULL, saver->part->gap_numbers, f.handle_bytes);
        return;
    }
    write_gaps(&stream, saver->part, f);
    weft_stream_end(&stream);
}

// Writes the pairs of members, like weft_write_relation.
static void write_pairs(weft_number_stream *stream, const weft_saved_part *part,
                        const weft_relation *r)
{
    weft_part_pair pair = {.part = part, .relation = r};
    while (weft_part_next_pair(&pair)) {
        weft_stream_number(stream, pair.child - 1, sizeof pair.child);
        weft_stream_number(stream, pair.parent, sizeof pair.parent);
    }
}

void weft_write_part_relation(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_relation *r = &saver->world->relations[number];
    weft_number_stream stream = {.sink = sink};
    uint32_t count = saver->part->pairs[number];
    if (count == 0) return;
    weft_write_word(sink, number);
    weft_write_word(sink, count);
    if (!sink->write) {
        weft_write_numbers(sink, NULL, (uint64_t)count * 2, sizeof(uint32_t));
        return;
    }
    write_pairs(&stream, saver->part, r);
    weft_stream_end(&stream);
}

// ------------------------------------------------------------------------------------------------
// Reading

static bool read_nodes(weft_loader *l, weft_bytes body)
{
    const weft_schema *file = l->matched.schemas.file;
    weft_loaded_part *part = &l->part;
    part->away = weft_read_number(&body, 1) != 0;
    part->node_count = weft_read_number(&body, UINT32_MAX);
    part->relations = weft_read_array(&body, part->node_count, 4);
    part->children = weft_read_array(&body, part->node_count, file->handle_bytes);
    part->parents = weft_read_array(&body, part->node_count, file->handle_bytes);
    part->nexts = weft_read_array(&body, part->node_count, file->handle_bytes);
    if (!weft_bytes_ended(&body)) return weft_loader_damaged(l, "its description is malformed");
    for (uint32_t i = 0; i < part->node_count; i++) {
        if (weft_little_read(part->relations + (size_t)i * 4, 4) < file->relation_count) continue;
        return weft_loader_damaged(l, "a node of its description is of no relation");
    }
    return true;
}

bool weft_read_part(weft_loader *l)
{
    const weft_section *found = NULL;
    for (uint32_t i = 0; i < l->section_count; i++) {
        if (l->sections[i].kind != WEFT_SECTION_PART) continue;
        if (found) return weft_loader_damaged(l, "it has two descriptions of a part");
        found = &l->sections[i];
    }
    if (found && !l->part.wanted) {
        return weft_loader_refuse(l, WEFT_BAD_FILE,
                                  "the save contains a part of a world: load it with part_load");
    }
    if (!found && l->part.wanted) {
        return weft_loader_refuse(l, WEFT_BAD_FILE,
                                  "the save contains a whole world, and no part of one: load it "
                                  "with load");
    }
    return !found || read_nodes(l, found->body);
}
