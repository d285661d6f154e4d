// The sections of events: for each event, the values that a system or listener has not heard yet,
// and the number of them for each hearer.
#include "loader.h"
#include "saver.h"

#include "../record/event.h"

#include <inttypes.h>

weft_section_writer weft_write_event;
weft_section_reader weft_read_event;

void weft_write_event(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_world *world = saver->world;
    const weft_event_plan *plan = &world->plan->events[number];
    const weft_event_info *info = &world->plan->schema->events[number];
    uint32_t first = weft_event_dropped(world, number);
    uint32_t count = world->events.logs[number].count;
    if (first == count) return;
    weft_write_word(sink, number);
    weft_write_word(sink, count - first);
    weft_saved_values values = {
        .kind = "unread event",
        .name = info->name,
        .fields = info->fields,
        .field_count = info->field_count,
        .size = plan->size,
        .count = count - first,
        .rows = weft_event_value(world, number, first),
    };
    weft_saver_values(saver, sink, &values);
    weft_write_word(sink, plan->hearer_count);
    for (uint32_t h = plan->first_hearer; h < plan->first_hearer + plan->hearer_count; h++) {
        weft_write_text(sink, world->plan->hearer_names[h]);
        weft_write_word(sink, count - world->events.heard[h]);
    }
}

// Sets how many values a system or listener of this name has heard. Hearers that the save does not
// contain have heard none.
static void set_heard(weft_loader *l, uint32_t event, const char *name, uint32_t heard)
{
    const weft_event_plan *plan = &l->into->plan->events[event];
    for (uint32_t h = plan->first_hearer; h < plan->first_hearer + plan->hearer_count; h++) {
        if (weft_loader_is_reader(l, l->into->plan->hearer_names[h], name))
            l->into->events.heard[h] = heard;
    }
}

static bool fill_event_log(weft_loader *l, uint32_t event, const void *values, uint32_t count)
{
    const weft_event_info *info = &l->into->plan->schema->events[event];
    weft_event_log *log = &l->into->events.logs[event];
    if (count > info->max) {
        return weft_loader_refuse(l, WEFT_MISMATCH,
                                  "the save has %" PRIu32
                                  " unread values of event '%s', whose max is "
                                  "%" PRIu32 " now",
                                  count, info->name, info->max);
    }
    if (!weft_event_log_ready(l->into, event, count)) return weft_loader_no_memory(l);
    log->count = count;
    return weft_loader_convert_structs(l, l->matched.events.values[event], values, log->values.base,
                                       count, &(weft_owners){.first = 0});
}

bool weft_read_event(weft_loader *l, weft_bytes body)
{
    const weft_schema *file = l->matched.schemas.file;
    uint32_t was = weft_read_place(&body, file->event_count);
    if (body.bad) return weft_loader_damaged(l, "an event has an invalid number");
    uint32_t count = weft_read_number(&body, UINT32_MAX);
    const void *values = weft_read_array(&body, count, file->events[was].size);
    uint32_t now = l->matched.events.now[was];
    bool heard = now != WEFT_NEVER && l->into->plan->events[now].hearer_count != 0;
    if (values && heard && l->into->events.logs[now].count != 0) body.bad = true; // it occurs twice
    if (!body.bad && heard && !fill_event_log(l, now, values, count)) return false;
    uint32_t hearers = weft_read_number(&body, UINT16_MAX);
    for (uint32_t i = 0; i < hearers && !body.bad; i++) {
        const char *name = weft_read_text(&body);
        uint32_t unheard = weft_read_number(&body, count);
        if (!body.bad && heard) set_heard(l, now, name, count - unheard);
    }
    return weft_bytes_ended(&body) || weft_loader_damaged(l, "an event is malformed");
}
