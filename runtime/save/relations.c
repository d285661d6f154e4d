// The links of relations, out and in.
#include "relations.h"

#include "../change/relation.h"

// ------------------------------------------------------------------------------------------------
// Out

bool weft_relation_is_put(const weft_world *world, uint32_t relation)
{
    return world->relations[relation].attached != 0;
}

void weft_put_relation(weft_sink *sink, const weft_saver *saver, uint32_t relation)
{
    const weft_relation *r = &saver->world->relations[relation];
    const weft_link *links = weft_links(r);
    weft_loose loose = {.sink = sink};
    weft_put_word(sink, relation);
    weft_put_word(sink, r->attached);
    for (uint32_t index = 0; index < r->capacity; index++) {
        for (uint32_t child = weft_last_child(r, index); child != 0;
             child = links[child - 1].previous) {
            weft_put_loose_number(&loose, child - 1, sizeof child);
            weft_put_loose_number(&loose, index, sizeof index);
        }
    }
    weft_end_loose(&loose);
}

// ------------------------------------------------------------------------------------------------
// In

static weft_status attach(weft_loader *l, uint32_t relation, uint64_t child, uint64_t parent)
{
    weft_world *into = l->into;
    weft_format f = into->plan->format;
    if (child >= l->index_count || parent >= l->index_count) {
        return weft_loader_damaged(l, "a link leads nowhere");
    }
    uint64_t below = weft_handle_of(&into->entities, f, (uint32_t)child);
    uint64_t above = weft_handle_of(&into->entities, f, (uint32_t)parent);
    if (weft_parent(into, f, relation, below) != 0) {
        return weft_loader_damaged(l, "an entity has two parents");
    }
    weft_status status = weft_link_attach(into, relation, below, above);
    if (status == WEFT_NO_MEMORY) return weft_loader_no_memory(l);
    if (status != WEFT_OK) return weft_loader_damaged(l, "a link leads nowhere");
    return WEFT_OK;
}

static weft_status take_relation(weft_loader *l, weft_bytes body)
{
    uint32_t was = weft_take_number(&body, UINT16_MAX);
    uint32_t count = weft_take_number(&body, l->live);
    const unsigned char *links = (const unsigned char *)weft_take_array(&body, count, 8);
    if (body.bad || body.left != 0 || was >= l->matched.schemas.file->relation_count) {
        return weft_loader_damaged(l, "a relation is not whole");
    }
    uint32_t now = l->matched.relations.now[was];
    for (uint32_t i = 0; now != UINT32_MAX && i < count; i++) {
        const unsigned char *link = links + (size_t)i * 8;
        weft_status status =
            attach(l, now, weft_little_read(link, 4), weft_little_read(link + 4, 4));
        if (status != WEFT_OK) return status;
    }
    return WEFT_OK;
}

weft_status weft_loader_relations(weft_loader *loader)
{
    return weft_loader_each(loader, WEFT_SECTION_RELATION, take_relation);
}
