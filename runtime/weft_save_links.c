// What lies between systems and between entities.
#include "weft_save_links.h"

#include "weft_event.h"
#include "weft_relation.h"

#include <inttypes.h>

#define TEXT_BYTES 256 // of a message

// ------------------------------------------------------------------------------------------------
// Out

static const char *hearer_name(const weft_plan *plan, uint32_t hearer)
{
    return plan->schema->systems[plan->hearer_systems[hearer]].name;
}

bool weft_event_is_put(const weft_world *world, uint32_t event)
{
    return weft_event_dropped(world, event) != world->events[event].count;
}

void weft_put_event(weft_sink *sink, const weft_saver *saver, uint32_t event)
{
    const weft_world *world = saver->world;
    const weft_event_plan *plan = &world->plan->events[event];
    const weft_event_info *info = &world->plan->schema->events[event];
    uint32_t first = weft_event_dropped(world, event);
    uint32_t count = world->events[event].count;
    weft_put_word(sink, event);
    weft_put_word(sink, count - first);
    weft_put_values(saver, sink, info->fields, info->field_count,
                    weft_event_value(world, event, first), count - first, plan->size);
    weft_put_word(sink, plan->hearer_count);
    for (uint32_t h = plan->first_hearer; h < plan->first_hearer + plan->hearer_count; h++) {
        weft_put_text(sink, hearer_name(world->plan, h));
        weft_put_word(sink, count - world->heard[h]);
    }
}

bool weft_relation_is_put(const weft_world *world, uint32_t relation)
{
    return world->relations[relation].attached != 0;
}

// The last child of a parent; its other ones are before it.
static uint32_t last_child(const weft_link *links, uint32_t index)
{
    uint32_t child = links[index].first_child;
    while (child != 0 && links[child - 1].next != 0) child = links[child - 1].next;
    return child;
}

void weft_put_relation(weft_sink *sink, const weft_saver *saver, uint32_t relation)
{
    const weft_relation *r = &saver->world->relations[relation];
    const weft_link *links = weft_links(r);
    weft_loose loose = {.sink = sink};
    weft_put_word(sink, relation);
    weft_put_word(sink, r->attached);
    for (uint32_t index = 0; index < r->capacity; index++) {
        for (uint32_t child = last_child(links, index); child != 0;
             child = links[child - 1].previous) {
            weft_put_loose_u32(&loose, child - 1);
            weft_put_loose_u32(&loose, index);
        }
    }
    weft_end_loose(&loose);
}

// ------------------------------------------------------------------------------------------------
// In: events

// How much of a log a system has heard, by its name. One that the save does not know: nothing.
static void put_heard(weft_loader *l, uint32_t event, const char *name, uint32_t heard)
{
    const weft_event_plan *plan = &l->into->plan->events[event];
    for (uint32_t h = plan->first_hearer; h < plan->first_hearer + plan->hearer_count; h++) {
        if (strcmp(hearer_name(l->into->plan, h), name) == 0) l->into->heard[h] = heard;
    }
}

static weft_status put_log(weft_loader *l, uint32_t was, uint32_t event, const void *values,
                           uint32_t count)
{
    char text[TEXT_BYTES];
    weft_world *into = l->into;
    const weft_event_info *old = &l->matched.schemas.file->events[was];
    const weft_event_info *info = &into->plan->schema->events[event];
    weft_event_log *log = &into->events[event];
    if (count > info->max) {
        return weft_world_say(l->said, WEFT_MISMATCH,
                              "the save has %" PRIu32 " unread values of event '%s', whose max is "
                              "%" PRIu32 " now",
                              count, info->name, info->max);
    }
    if (!weft_event_log_ready(into, event, count)) return weft_loader_no_memory(l);
    log->count = log->settled = count;
    void *from_column = (void *)(uintptr_t)values;
    void *to_column = log->values.base;
    weft_strip from = {&from_column, 0, old->size, false, old->fields};
    weft_strip to = {&to_column, 0, info->size, false, info->fields};
    return weft_loader_stopped(
        l,
        weft_match_rows(&l->matched, l->matched.events[event], from, to, count, text, sizeof text),
        text);
}

static weft_status take_event(weft_loader *l, weft_bytes body)
{
    weft_status status = WEFT_OK;
    const weft_schema *file = l->matched.schemas.file;
    uint32_t was = weft_take_number(&body, UINT16_MAX);
    if (body.bad || was >= file->event_count) return weft_loader_damaged(l, "an event is none");
    uint32_t count = weft_take_number(&body, UINT32_MAX);
    const void *values = weft_take_array(&body, count, file->events[was].size);
    uint32_t now = l->matched.event_now[was];
    bool heard = now != UINT32_MAX && l->into->plan->events[now].hearer_count != 0;
    if (values && heard && l->into->events[now].count != 0) body.bad = true;
    if (!body.bad && heard) status = put_log(l, was, now, values, count);
    uint32_t hearers = weft_take_number(&body, UINT16_MAX);
    for (uint32_t i = 0; status == WEFT_OK && i < hearers && !body.bad; i++) {
        const char *name = weft_take_text(&body);
        uint32_t unheard = weft_take_number(&body, count);
        if (!body.bad && heard) put_heard(l, now, name, count - unheard);
    }
    if (status != WEFT_OK) return status;
    if (body.bad || body.left != 0) return weft_loader_damaged(l, "an event is not whole");
    return WEFT_OK;
}

weft_status weft_loader_events(weft_loader *loader)
{
    for (uint32_t i = 0; i < loader->section_count; i++) {
        if (loader->sections[i].kind != WEFT_SECTION_EVENT) continue;
        weft_status status = take_event(loader, loader->sections[i].body);
        if (status != WEFT_OK) return status;
    }
    return WEFT_OK;
}

// ------------------------------------------------------------------------------------------------
// In: relations

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
    uint32_t now = l->matched.relation_now[was];
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
    for (uint32_t i = 0; i < loader->section_count; i++) {
        if (loader->sections[i].kind != WEFT_SECTION_RELATION) continue;
        weft_status status = take_relation(loader, loader->sections[i].body);
        if (status != WEFT_OK) return status;
    }
    return WEFT_OK;
}
