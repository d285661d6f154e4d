// The section of entities: how many indices there are, and which of them are free or retired. The
// living ones are in the rows of tables.
#include "loader.h"
#include "saver.h"

#include <inttypes.h>

weft_section_writer weft_write_entities;
weft_section_reader weft_read_entities;
weft_loader_step weft_read_free_indices;

void weft_write_entities(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_entities *entities = &saver->world->entities;
    weft_format f = saver->world->plan->format;
    weft_number_stream stream = {.sink = sink};
    (void)number;
    weft_write_word(sink, weft_entities_live(entities));
    weft_write_word(sink, entities->free_count);
    weft_write_word(sink, entities->retired);
    uint32_t index = entities->free_head;
    for (uint32_t i = 0; i < entities->free_count; i++) {
        uint32_t behind;
        uint32_t next = weft_free_record(entities, f, index, &behind);
        weft_stream_number(&stream, weft_handle(f, index, next), f.handle_bytes);
        index = behind;
    }
    weft_stream_end(&stream);
    uint32_t left = entities->retired;
    for (uint32_t i = 0; left != 0; i++) {
        if (!weft_index_is_retired(entities, f, i)) continue;
        weft_stream_number(&stream, i, sizeof i);
        left--;
    }
    weft_stream_end(&stream);
}

static bool check_entity_counts(weft_loader *l)
{
    const weft_entities *entities = &l->into->entities;
    if (l->live > entities->live_limit) {
        return weft_loader_refuse(l, WEFT_MISMATCH,
                                  "the save has %" PRIu32 " entities, and max_entities is %" PRIu32
                                  " now",
                                  l->live, entities->live_limit);
    }
    if (l->index_count <= weft_entities_widest(entities)) return true;
    return weft_loader_refuse(l, WEFT_MISMATCH,
                              "the save has %" PRIu32 " indices, and there are %" PRIu32
                              " now; raise index_bits",
                              l->index_count, weft_entities_widest(entities));
}

bool weft_read_entities(weft_loader *l, weft_bytes body)
{
    weft_world *into = l->into;
    uint32_t handle_bytes = l->matched.schemas.file->handle_bytes;
    l->live = weft_read_number(&body, UINT32_MAX);
    l->free_count = weft_read_number(&body, UINT32_MAX);
    l->retired_count = weft_read_number(&body, UINT32_MAX);
    l->free_list = weft_read_array(&body, l->free_count, handle_bytes);
    l->retired = weft_read_array(&body, l->retired_count, 4);
    uint64_t indices = (uint64_t)l->live + l->free_count + l->retired_count;
    bool rows = l->live <= l->bytes / handle_bytes; // each has a handle somewhere
    if (!weft_bytes_ended(&body) || !rows || indices > UINT32_MAX) {
        return weft_loader_damaged(l, "its entities are not whole");
    }
    l->index_count = (uint32_t)indices;
    if (!check_entity_counts(l)) return false;
    l->used = weft_scratch_array(&l->scratch, (size_t)l->index_count / 64 + 1, sizeof *l->used);
    uint32_t capacity = l->index_count == 0 ? 1 : l->index_count;
    if (!l->used || !weft_entities_widen(&into->entities, &into->heap, capacity)) {
        return weft_loader_no_memory(l);
    }
    into->entities.index_count = l->index_count;
    return true;
}

// Frees the free indices such that they are given out in the order of the save. One whose next
// generation does not fit any more retires.
bool weft_read_free_indices(weft_loader *l)
{
    weft_entities *entities = &l->into->entities;
    weft_format f = l->into->plan->format;
    for (uint32_t i = 0; i < l->free_count; i++) {
        uint32_t place = f.waits ? i : l->free_count - 1 - i;
        uint64_t bits = weft_loader_handle(l, l->free_list, place);
        uint32_t index = weft_loader_index(l, bits);
        uint64_t next = weft_loader_generation(l, bits);
        if (!weft_loader_is_fresh(l, bits) || !weft_loader_use(l, index)) {
            return weft_loader_damaged(l, "a free index is none");
        }
        if (next > weft_generation_max(f))
            entities->retired++; // its record is zero, as those of all that are retired
        else
            weft_index_free(entities, f, index, (uint32_t)next);
    }
    for (uint32_t i = 0; i < l->retired_count; i++) {
        if (weft_loader_use(l, weft_little_read(l->retired + (size_t)i * 4, 4))) continue;
        return weft_loader_damaged(l, "a retired index is none");
    }
    entities->retired += l->retired_count;
    return true;
}
