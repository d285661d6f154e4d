// The sections of events: for each event, the values that a system has yet to hear, and how many of
// them each system has not heard.
#include "loader.h"
#include "saver.h"

#include "../record/event.h"

#include <inttypes.h>

static const char *hearer_name(const weft_plan *plan, uint32_t hearer)
{
    return plan->schema->systems[plan->hearer_systems[hearer]].name;
}

static void write_event(weft_sink *sink, const void *context)
{
    const weft_saver_item *item = context;
    const weft_world *world = item->saver->world;
    const weft_event_plan *plan = &world->plan->events[item->number];
    const weft_event_info *info = &world->plan->schema->events[item->number];
    uint32_t first = weft_event_dropped(world, item->number);
    uint32_t count = world->events[item->number].count;
    weft_write_word(sink, item->number);
    weft_write_word(sink, count - first);
    weft_saver_values(item->saver, sink, info->fields, info->field_count,
                      weft_event_value(world, item->number, first), count - first, plan->size);
    weft_write_word(sink, plan->hearer_count);
    for (uint32_t h = plan->first_hearer; h < plan->first_hearer + plan->hearer_count; h++) {
        weft_write_text(sink, hearer_name(world->plan, h));
        weft_write_word(sink, count - world->heard[h]);
    }
}

void weft_saver_events(const weft_saver *saver, weft_sink *sink)
{
    const weft_world *world = saver->world;
    for (uint32_t i = 0; i < world->plan->event_count; i++) {
        if (weft_event_dropped(world, i) == world->events[i].count) continue;
        weft_write_section(sink, WEFT_SECTION_EVENT, 0, write_event, &(weft_saver_item){saver, i});
    }
}

// Sets how many values a system has heard, by its name. One that the save does not know has heard
// none.
static void set_heard(weft_loader *l, uint32_t event, const char *name, uint32_t heard)
{
    const weft_event_plan *plan = &l->into->plan->events[event];
    for (uint32_t h = plan->first_hearer; h < plan->first_hearer + plan->hearer_count; h++) {
        if (strcmp(hearer_name(l->into->plan, h), name) == 0) l->into->heard[h] = heard;
    }
}

static bool fill_event_log(weft_loader *l, uint32_t event, const void *values, uint32_t count)
{
    const weft_event_info *info = &l->into->plan->schema->events[event];
    weft_event_log *log = &l->into->events[event];
    if (count > info->max) {
        return weft_loader_refuse(l, WEFT_MISMATCH,
                                  "the save has %" PRIu32
                                  " unread values of event '%s', whose max is "
                                  "%" PRIu32 " now",
                                  count, info->name, info->max);
    }
    if (!weft_event_log_ready(l->into, event, count)) return weft_loader_no_memory(l);
    log->count = log->settled = count;
    return weft_loader_convert_structs(l, l->matched.events.values[event], values, log->values.base,
                                       count);
}

bool weft_loader_event(weft_loader *l, weft_bytes body)
{
    const weft_schema *file = l->matched.schemas.file;
    uint32_t was = weft_read_number(&body, UINT16_MAX);
    if (body.bad || was >= file->event_count) return weft_loader_damaged(l, "an event is none");
    uint32_t count = weft_read_number(&body, UINT32_MAX);
    const void *values = weft_read_array(&body, count, file->events[was].size);
    uint32_t now = l->matched.events.now[was];
    bool heard = now != WEFT_NEVER && l->into->plan->events[now].hearer_count != 0;
    if (values && heard && l->into->events[now].count != 0) body.bad = true; // there are two of it
    if (!body.bad && heard && !fill_event_log(l, now, values, count)) return false;
    uint32_t hearers = weft_read_number(&body, UINT16_MAX);
    for (uint32_t i = 0; i < hearers && !body.bad; i++) {
        const char *name = weft_read_text(&body);
        uint32_t unheard = weft_read_number(&body, count);
        if (!body.bad && heard) set_heard(l, now, name, count - unheard);
    }
    return weft_bytes_ended(&body) || weft_loader_damaged(l, "an event is not whole");
}
