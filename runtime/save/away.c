// The section of entities that are away: their handles, by index. Their indices are neither free
// nor retired, and no row has them.
#include "loader.h"
#include "saver.h"

weft_section_writer weft_write_away;
weft_section_reader weft_read_away;

void weft_write_away(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_entities *entities = &saver->world->entities;
    weft_format f = saver->world->plan->format;
    weft_number_stream stream = {.sink = sink};
    (void)number;
    if (entities->away_count == 0) return;
    weft_write_word(sink, entities->away_count);
    for (uint32_t i = 0; i < entities->index_count; i++) {
        if (!weft_index_is_away(entities, i)) continue;
        uint64_t handle = weft_handle(f, i, weft_record_at(entities, f, i).table);
        weft_stream_number(&stream, handle, f.handle_bytes);
    }
    weft_stream_end(&stream);
}

// The records are written after all rows are known, by weft_read_free_indices.
bool weft_read_away(weft_loader *l, weft_bytes body)
{
    if (l->away) return weft_loader_damaged(l, "it lists twice which entities are away");
    l->away_count = weft_read_number(&body, UINT32_MAX);
    l->away = weft_read_array(&body, l->away_count, l->matched.schemas.file->handle_bytes);
    return weft_bytes_ended(&body) ||
           weft_loader_damaged(l, "its list of entities that are away is malformed");
}
