// The sections of relations: pairs of a child's index and its parent's.
#include "loader.h"
#include "saver.h"

#include "../edit/nodes.h"

weft_section_writer weft_write_relation;
weft_section_reader weft_read_relation;

// Children are written from the last to the first, because reading attaches each as the first
// child.
void weft_write_relation(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_relation *r = &saver->world->relations[number];
    weft_number_stream stream = {.sink = sink};
    if (r->attached == 0) return;
    weft_write_word(sink, number);
    weft_write_word(sink, r->attached);
    for (uint32_t index = 0; index < r->capacity; index++) {
        for (uint32_t child = weft_last_child(r, index); child != 0;
             child = weft_child_before(r, child)) {
            weft_stream_number(&stream, child - 1, sizeof child);
            weft_stream_number(&stream, index, sizeof index);
        }
    }
    weft_stream_end(&stream);
}

static bool attach_saved(weft_loader *l, uint32_t relation, const unsigned char *link)
{
    uint64_t child = weft_little_read(link, 4);
    uint64_t parent = weft_little_read(link + 4, 4);
    weft_world *into = l->into;
    weft_format f = into->plan->format;
    if (child >= l->index_count || parent >= l->index_count) {
        return weft_loader_damaged(l, "a link refers to a missing entity");
    }
    uint64_t below = weft_handle_of(&into->entities, f, (uint32_t)child);
    uint64_t above = weft_handle_of(&into->entities, f, (uint32_t)parent);
    if (weft_parent(into, f, relation, below) != 0) {
        return weft_loader_damaged(l, "an entity has two parents");
    }
    weft_status status = weft_node_attach(into, relation, below, above);
    if (status == WEFT_NO_MEMORY) return weft_loader_no_memory(l);
    return status == WEFT_OK || weft_loader_damaged(l, "a link refers to a missing entity");
}

bool weft_read_relation(weft_loader *l, weft_bytes body)
{
    uint32_t was = weft_read_place(&body, l->matched.schemas.file->relation_count);
    uint32_t count = weft_read_number(&body, l->live);
    const unsigned char *links = weft_read_array(&body, count, 8);
    if (!weft_bytes_ended(&body)) return weft_loader_damaged(l, "a relation is malformed");
    uint32_t now = l->matched.relations.now[was];
    for (uint32_t i = 0; now != WEFT_NEVER && i < count; i++) {
        if (!attach_saved(l, now, links + (size_t)i * 8)) return false;
    }
    return true;
}
