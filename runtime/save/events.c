// Events that somebody has still to hear, out and in.
#include "events.h"

#include "../record/event.h"
#include "../world/report.h"

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

// ------------------------------------------------------------------------------------------------
// In

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
        return weft_report(l->said, WEFT_MISMATCH,
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
