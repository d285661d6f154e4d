// Stages, gathers, delivers and removes events, as described in event.h.
#include "event.h"

#include "../value/fields.h"
#include "../world/report.h"
#include "../world/writer.h"

#include <inttypes.h>
#include <string.h>

void weft_events_open(weft_world *world)
{
    const weft_plan *plan = world->plan;
    for (uint32_t event = 0; event < plan->event_count; event++) {
        for (uint32_t s = 0; s < plan->events[event].stage_count; s++) {
            const weft_stages_plan *stages = &plan->events[event].stages[s];
            for (uint32_t part = 0; part < stages->count; part++) {
                weft_stage *stage = &world->events.stages[stages->first + part * stages->step];
                stage->world = world;
                stage->event = (uint16_t)event;
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Space

// Makes `count` values usable in a stage or log. Returns false if there is no memory.
static bool values_ready(weft_world *world, uint32_t event, weft_region *values, uint32_t count)
{
    const weft_event_plan *plan = &world->plan->events[event];
    uint64_t bytes = (uint64_t)plan->size * count;
    uint64_t limit = (uint64_t)plan->size * plan->max;
    if (limit > WEFT_EVENT_BYTES_MAX) limit = WEFT_EVENT_BYTES_MAX;
    return bytes <= limit && weft_region_grow(&world->heap, values, (size_t)bytes, (size_t)limit);
}

bool weft_stage_grow(weft_stage *stage)
{
    const weft_event_plan *plan = &stage->world->plan->events[stage->event];
    weft_status status = stage->count < plan->max ? WEFT_NO_MEMORY : WEFT_FULL;
    weft_world_lock(stage->world);
    bool ready = status == WEFT_NO_MEMORY &&
                 values_ready(stage->world, stage->event, &stage->values, stage->count + 1);
    weft_world_unlock(stage->world);
    if (ready) return true;
    if (stage->lost++ == 0) stage->trouble = status;
    return false;
}

// Returns the hearer that has heard the fewest values of an event, among its first `hearers`
// hearers.
static uint32_t slowest_hearer(const weft_world *world, const weft_event_plan *event,
                               uint32_t hearers)
{
    uint32_t slowest = event->first_hearer;
    for (uint32_t i = 1; i < hearers; i++) {
        uint32_t hearer = event->first_hearer + i;
        if (world->events.heard[hearer] < world->events.heard[slowest]) slowest = hearer;
    }
    return slowest;
}

static const char *kind_of_hearer(const weft_event_plan *event, uint32_t hearer)
{
    uint32_t systems = (uint32_t)event->hearer_count - event->listener_count;
    return hearer - event->first_hearer < systems ? "system" : "listener";
}

// Counts values as lost, and reports them once.
static void lose(weft_world *world, uint32_t event, uint32_t count, weft_status status)
{
    const weft_event_plan *plan = &world->plan->events[event];
    const weft_schema *schema = world->plan->schema;
    const char *name = schema->events[event].name;
    if (count == 0) return;
    world->events.lost += count;
    if (world->events.trouble != WEFT_NO_MEMORY) world->events.trouble = status;
    if (status == WEFT_NO_MEMORY) {
        weft_report(world, status, "no memory: %" PRIu32 " of the event %s lost", count, name);
        return;
    }
    uint32_t hearer = slowest_hearer(world, plan, plan->hearer_count);
    weft_report(world, status,
                "no room: %" PRIu32 " of the event %s lost, since %" PRIu32
                " are unread; %s %s has still to hear all of them",
                count, name, plan->max, kind_of_hearer(plan, hearer),
                world->plan->hearer_names[hearer]);
}

// ------------------------------------------------------------------------------------------------
// From stages to logs

bool weft_event_log_ready(weft_world *world, uint32_t event, uint32_t count)
{
    return values_ready(world, event, &world->events.logs[event].values, count);
}

uint32_t weft_event_dropped(const weft_world *world, uint32_t event)
{
    const weft_event_plan *plan = &world->plan->events[event];
    if (plan->hearer_count == 0) return 0;
    return world->events.heard[slowest_hearer(world, plan, plan->hearer_count)];
}

uint32_t weft_event_heard_by_systems(const weft_world *world, uint32_t event)
{
    const weft_event_plan *plan = &world->plan->events[event];
    uint32_t systems = (uint32_t)plan->hearer_count - plan->listener_count;
    if (systems == 0) return world->events.logs[event].count;
    return world->events.heard[slowest_hearer(world, plan, systems)];
}

static void drop_heard(weft_world *world, uint32_t event)
{
    const weft_event_plan *plan = &world->plan->events[event];
    weft_event_log *log = &world->events.logs[event];
    uint32_t dropped = weft_event_dropped(world, event);
    if (dropped == 0) return;
    log->count -= dropped;
    memmove(log->values.base, weft_event_value(world, event, dropped),
            (size_t)log->count * plan->size);
    for (uint32_t i = 0; i < plan->hearer_count; i++)
        world->events.heard[plan->first_hearer + i] -= dropped;
}

// Makes listeners skip the oldest values if a log lacks space for `more` values, as far as systems
// have heard them.
static void leave_behind(weft_world *world, uint32_t event, uint32_t more)
{
    const weft_event_plan *plan = &world->plan->events[event];
    uint32_t space = plan->max - world->events.logs[event].count;
    uint32_t heard = weft_event_heard_by_systems(world, event);
    uint32_t first = plan->first_hearer + plan->hearer_count - plan->listener_count;
    if (more <= space || heard == 0) return;
    if (heard > more - space) heard = more - space;
    for (uint32_t l = first; l < first + plan->listener_count; l++) {
        if (world->events.heard[l] >= heard) continue;
        world->events.lost += heard - world->events.heard[l];
        if (world->events.trouble == WEFT_OK) world->events.trouble = WEFT_FULL;
        weft_report(world, WEFT_FULL,
                    "no room: listener %s misses %" PRIu32 " of the event %s, since %" PRIu32
                    " are unread",
                    world->plan->hearer_names[l], heard - world->events.heard[l],
                    world->plan->schema->events[event].name, plan->max);
        world->events.heard[l] = heard;
    }
    drop_heard(world, event);
}

// Appends the values of a stage to its log. If nothing was staged, the log must not move, because
// other systems may be reading it. The values that exceed `max` are the ones emitted last. Values
// lost for lack of memory may have been emitted earlier than these.
static void gather_stage(weft_world *world, weft_stage *stage)
{
    uint32_t event = stage->event;
    const weft_event_plan *plan = &world->plan->events[event];
    weft_event_log *log = &world->events.logs[event];
    if (stage->count == 0 && stage->lost == 0) return;
    drop_heard(world, event);
    if (plan->listener_count != 0) leave_behind(world, event, stage->count);
    uint32_t space = plan->max - log->count;
    uint32_t taken = stage->count < space ? stage->count : space;
    uint32_t no_memory = stage->trouble == WEFT_NO_MEMORY ? stage->lost : 0;
    uint32_t too_many = stage->lost - no_memory + stage->count - taken;
    if (taken != 0 && !values_ready(world, event, &log->values, log->count + taken)) {
        no_memory += taken;
        taken = 0;
    }
    if (taken != 0) {
        memcpy(log->values.base + (size_t)log->count * plan->size, stage->values.base,
               (size_t)taken * plan->size);
    }
    log->count += taken;
    stage->count = 0;
    stage->lost = 0;
    stage->trouble = WEFT_OK;
    lose(world, event, no_memory, WEFT_NO_MEMORY);
    lose(world, event, too_many, WEFT_FULL);
}

static void gather(weft_world *world, uint32_t event)
{
    const weft_event_plan *plan = &world->plan->events[event];
    for (uint32_t s = 0; s < plan->stage_count; s++) {
        const weft_stages_plan *stages = &plan->stages[s];
        for (uint32_t part = 0; part < stages->count; part++) {
            weft_stage *stage = &world->events.stages[stages->first + part * stages->step];
            if (WEFT_UNLIKELY(WEFT_OBSERVER(world, events.tap)) && stage->count != 0) {
                world->events.tap->gathered(world->events.tap->user, event, s, stage->values.base,
                                            stage->count);
            }
            gather_stage(world, stage);
        }
    }
}

void weft_events_gather(weft_world *world)
{
    for (uint32_t event = 0; event < world->plan->event_count; event++) gather(world, event);
}

weft_status weft_events_settle(weft_world *world)
{
    weft_status status = world->events.trouble;
    for (uint32_t event = 0; event < world->plan->event_count; event++) drop_heard(world, event);
#ifdef WEFT_HARD
    weft_events_relocate(world);
#endif
    world->events.trouble = WEFT_OK;
    return status;
}

bool weft_events_trim(weft_world *world)
{
    const weft_plan *plan = world->plan;
    bool trimmed = true;
    for (uint32_t i = 0; i < plan->event_count; i++) {
        weft_event_log *log = &world->events.logs[i];
        size_t bytes = (size_t)log->count * plan->events[i].size;
        trimmed = weft_region_trim(&world->heap, &log->values, bytes) && trimmed;
    }
    for (uint32_t i = 0; i < plan->stage_count; i++) { // stages are empty outside of phases
        (void)weft_region_trim(&world->heap, &world->events.stages[i].values, 0);
    }
    return trimmed;
}

// ------------------------------------------------------------------------------------------------
// Hearing

void weft_hearing_begin(weft_world *world, uint32_t hearer)
{
    weft_writer(world, NULL, false); // insight must see the staged values
    weft_world_lock(world);
    gather(world, world->plan->hearer_events[hearer]);
    weft_world_unlock(world);
}

const void *weft_heard_values(const weft_world *world, uint32_t hearer)
{
    if (weft_heard_count(world, hearer) == 0) return NULL;
    return weft_event_value(world, world->plan->hearer_events[hearer], world->events.heard[hearer]);
}

uint32_t weft_heard_count(const weft_world *world, uint32_t hearer)
{
    return world->events.logs[world->plan->hearer_events[hearer]].count -
           world->events.heard[hearer];
}

void weft_hearing_end(weft_world *world, uint32_t hearer)
{
    weft_world_lock(world);
    world->events.heard[hearer] = world->events.logs[world->plan->hearer_events[hearer]].count;
    weft_world_unlock(world);
}

const void *weft_listener_hears(weft_world *world, uint32_t hearer, bool begun, uint32_t *count)
{
    *count = begun ? weft_heard_count(world, hearer) : 0;
    const void *values = begun ? weft_heard_values(world, hearer) : NULL;
    if (begun) weft_hearing_end(world, hearer);
    return values;
}

void weft_hearing_pass(weft_world *world, uint32_t hearer)
{
    weft_hearing_begin(world, hearer);
    weft_hearing_end(world, hearer);
}

// ------------------------------------------------------------------------------------------------
// From outside

bool weft_input_add(weft_world *world, uint32_t event, const void *value)
{
    const weft_event_plan *plan = &world->plan->events[event];
    const char *name = world->plan->schema->events[event].name;
    weft_event_log *log = &world->events.logs[event];
    if (weft_busy_to_look(world, "put" WEFT_WAITS)) return false;
    if (plan->hearer_count == 0) return true;
    drop_heard(world, event);
    if (log->count >= plan->max) {
        weft_report(world, WEFT_FULL, "no room: %" PRIu32 " of the input %s wait", plan->max, name);
        return false;
    }
    if (!values_ready(world, event, &log->values, log->count + 1)) {
        weft_report(world, WEFT_NO_MEMORY, "no memory for one more of the input %s", name);
        return false;
    }
    memcpy(log->values.base + (size_t)log->count * plan->size, value, plan->size);
    log->count++;
    return true;
}

void weft_input_end(weft_world *world, uint32_t event)
{
    const weft_event_plan *plan = &world->plan->events[event];
    world->events.logs[event].count = 0;
    for (uint32_t i = 0; i < plan->hearer_count; i++)
        world->events.heard[plan->first_hearer + i] = 0;
}

// ------------------------------------------------------------------------------------------------
// Handles in values

void weft_events_change(weft_world *world, weft_handle_change change, void *context)
{
    const weft_schema *schema = world->plan->schema;
    for (uint32_t event = 0; event < world->plan->event_count; event++) {
        const weft_event_info *info = &schema->events[event];
        const weft_event_log *log = &world->events.logs[event];
        if (!world->plan->events[event].has_entities) continue;
        for (uint32_t i = 0; i < log->count; i++) {
            void *value = (void *)(uintptr_t)weft_event_value(world, event, i);
            weft_fields_change(schema, info->fields, info->field_count, value, change, context);
        }
    }
}

#ifdef WEFT_HARD
void weft_events_relocate(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->event_count; i++) {
        weft_region_relocate(&world->heap, &world->events.logs[i].values);
    }
    for (uint32_t i = 0; i < world->plan->stage_count; i++) {
        weft_region_relocate(&world->heap, &world->events.stages[i].values);
    }
}
#endif
