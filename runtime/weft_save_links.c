// What lies between systems and between entities.
#include "weft_save_links.h"

#include "weft_event.h"
#include "weft_relation.h"
#include "weft_removed.h"

#include <inttypes.h>

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

bool weft_removed_is_put(const weft_world *world, uint32_t removal)
{
    return world->removed[removal].count != 0;
}

static const char *remover_name(const weft_plan *plan, uint32_t removal)
{
    return plan->reader_names[plan->removals[removal].reader];
}

void weft_put_removed(weft_sink *sink, const weft_saver *saver, uint32_t removal)
{
    const weft_world *world = saver->world;
    const weft_plan *plan = world->plan;
    const weft_removal_plan *r = &plan->removals[removal];
    const weft_removed *log = &world->removed[removal];
    const weft_component_info *info = &plan->schema->components[r->component];
    bool valued = r->value && info->save;
    weft_put_text(sink, remover_name(plan, removal));
    weft_put_word(sink, r->component);
    weft_put_word(sink, valued);
    weft_put_word(sink, log->count);
    weft_put_numbers(sink, log->handles.base, log->count, plan->format.handle_bytes);
    if (!valued) return;
    weft_put_values(saver, sink, info->fields, info->field_count, log->values.base, log->count,
                    info->size);
}

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
    return weft_loader_carry(l, l->matched.events.values[event], from, to, count);
}

static weft_status take_event(weft_loader *l, weft_bytes body)
{
    weft_status status = WEFT_OK;
    const weft_schema *file = l->matched.schemas.file;
    uint32_t was = weft_take_number(&body, UINT16_MAX);
    if (body.bad || was >= file->event_count) return weft_loader_damaged(l, "an event is none");
    uint32_t count = weft_take_number(&body, UINT32_MAX);
    const void *values = weft_take_array(&body, count, file->events[was].size);
    uint32_t now = l->matched.events.now[was];
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
    return weft_loader_each(loader, WEFT_SECTION_EVENT, take_event);
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

// ------------------------------------------------------------------------------------------------
// In: removals

typedef struct saved_removed {
    const char *reader;
    uint32_t component; // of the save
    uint32_t count;
    const unsigned char *handles;
    const void *values; // NULL: not saved
} saved_removed;

static bool take_removed(const weft_loader *l, weft_bytes body, saved_removed *saved)
{
    const weft_schema *file = l->matched.schemas.file;
    saved->reader = weft_take_text(&body);
    saved->component = weft_take_number(&body, UINT16_MAX);
    bool valued = weft_take_number(&body, 1) != 0;
    saved->count = weft_take_number(&body, UINT32_MAX);
    if (body.bad || saved->component >= file->component_count) return false;
    uint32_t size = file->components[saved->component].size;
    saved->handles =
        (const unsigned char *)weft_take_array(&body, saved->count, file->handle_bytes);
    saved->values = valued ? weft_take_array(&body, saved->count, size) : NULL;
    return !body.bad && body.left == 0;
}

// The log of the save that one of the world goes on with; a count of 0: none.
static bool find_removed(const weft_loader *l, uint32_t removal, saved_removed *found)
{
    const weft_plan *plan = l->into->plan;
    *found = (saved_removed){.count = 0};
    for (uint32_t i = 0; i < l->section_count; i++) {
        saved_removed saved;
        if (l->sections[i].kind != WEFT_SECTION_REMOVED) continue;
        if (!take_removed(l, l->sections[i].body, &saved)) return false;
        if (l->matched.components.now[saved.component] == plan->removals[removal].component &&
            strcmp(saved.reader, remover_name(plan, removal)) == 0) {
            *found = saved;
        }
    }
    return true;
}

static weft_status put_removed(weft_loader *l, uint32_t removal, const saved_removed *saved)
{
    const weft_plan *plan = l->into->plan;
    const weft_removal_plan *r = &plan->removals[removal];
    const weft_removed *log = &l->into->removed[removal];
    const weft_component_info *info = &plan->schema->components[r->component];
    const weft_match *match = l->matched.components.values[r->component];
    for (uint32_t i = 0; i < saved->count; i++) {
        uint64_t handle =
            weft_handle_carry(&l->matched.schemas, weft_saved_handle(l, saved->handles, i));
        weft_handle_store(plan->format, log->handles.base, i, handle);
    }
    if (!r->value || saved->count == 0) return WEFT_OK;
    void *to_column = log->values.base;
    weft_strip to = {&to_column, 0, info->size, false, info->fields};
    if (info->size != 0) weft_default_rows(info, to, saved->count);
    if (!match || !saved->values) return WEFT_OK;
    const weft_component_info *old = &l->matched.schemas.file->components[saved->component];
    void *from_column = (void *)(uintptr_t)saved->values;
    weft_strip from = {&from_column, 0, old->size, false, old->fields};
    return weft_loader_carry(l, match, from, to, saved->count);
}

weft_status weft_loader_removed(weft_loader *loader)
{
    for (uint32_t i = 0; i < loader->into->plan->removal_count; i++) {
        bool fits;
        saved_removed saved;
        if (!find_removed(loader, i, &saved)) {
            return weft_loader_damaged(loader, "its removals are not whole");
        }
        if (!weft_removed_load(loader->into, i, saved.count, &fits)) {
            return weft_loader_no_memory(loader);
        }
        if (!fits) return weft_loader_damaged(loader, "more was removed than there can be");
        weft_status status = put_removed(loader, i, &saved);
        if (status != WEFT_OK) return status;
    }
    return WEFT_OK;
}
