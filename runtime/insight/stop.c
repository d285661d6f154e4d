// The stops of a world. After each writer, the hooks of the stops that it made true are called.
#include "stop.h"

#include "../record/event.h"
#include "../select/rows.h"
#include "../world/report.h"
#include "stop_any.h"
#include "stop_change.h"
#include "stop_read.h"
#include "stop_words.h"

// ------------------------------------------------------------------------------------------------
// Evaluation. Each function returns whether the stop has become true, and if so, sets the write for
// the hook

static bool look_at_value(const weft_world *world, weft_stop *stop, weft_write *write)
{
    const weft_schema *schema = world->plan->schema;
    const weft_select_test *test = weft_stop_test(stop);
    const unsigned char *plain = weft_stop_value(world, stop);
    unsigned char before[sizeof stop->last];
    bool was_there = stop->there;
    bool held = stop->held;
    weft_field_list of = weft_owner_fields(schema, stop->owner);
    memcpy(before, stop->last, sizeof before);
    stop->there = plain && weft_leaf_exists(schema, of, plain, test->offset);
    stop->held = stop->there && weft_select_passes(world, test, plain + test->offset);
    if (!stop->there) return false;
    uint32_t kept = test->bytes < WEFT_KEPT_BYTES ? test->bytes : WEFT_KEPT_BYTES;
    memcpy(stop->last, plain + test->offset, kept);
    if (!stop->held || held) return false;
    *write = weft_stop_value_write(world, stop, was_there ? before : NULL);
    return true;
}

static bool look_at_entities(weft_world *world, weft_stop *stop, weft_write *write)
{
    uint64_t handle = weft_stop_look_at_all(world, stop);
    if (handle != 0) *write = weft_stop_any_write(world, stop, handle);
    return handle != 0;
}

static bool look_at_life(const weft_world *world, weft_stop *stop, weft_write *write)
{
    bool held = stop->held;
    stop->held = !weft_alive(&world->entities, world->plan->format, stop->handle);
    if (!stop->held || held) return false;
    *write = weft_stop_despawn_write(world, stop);
    return true;
}

// Counts the staged values of an event, and finds the first one after the first `behind` values.
static uint32_t staged_values(const weft_world *world, uint32_t event, uint32_t behind,
                              const void **value)
{
    const weft_event_plan *plan = &world->plan->events[event];
    uint32_t count = 0;
    *value = NULL;
    for (uint32_t s = 0; s < plan->stage_count; s++) {
        const weft_stages_plan *stages = &plan->stages[s];
        for (uint32_t i = 0; i < stages->count; i++) {
            const weft_stage *stage = &world->events.stages[stages->first + i * stages->step];
            if (!*value && count + stage->count > behind) {
                *value = stage->values.base + (size_t)(behind - count) * plan->size;
            }
            count += stage->count;
        }
    }
    return count;
}

// Staged values are moved to the log when a hearer begins its turn. Before that, the writer that
// staged them ends its stretch. So if fewer values are staged than before, all of them are from
// later writers.
static bool look_at_event(const weft_world *world, weft_stop *stop, weft_write *write)
{
    const void *value;
    uint32_t behind = stop->staged;
    stop->staged = staged_values(world, stop->event, behind, &value);
    if (stop->staged <= behind) return false;
    *write = weft_stop_event_write(world, stop, value);
    return true;
}

static bool look_at_stop(weft_world *world, weft_stop *stop, weft_write *write)
{
    switch (stop->kind) {
    case WEFT_STOP_VALUE:
        if (stop->change != WEFT_CHANGE_NONE) return weft_stop_look_at_change(world, stop, write);
        return look_at_value(world, stop, write);
    case WEFT_STOP_CHANGE:
        return weft_stop_look_at_changes(world, stop, write);
    case WEFT_STOP_ANY:
        return look_at_entities(world, stop, write);
    case WEFT_STOP_EVENT:
        return look_at_event(world, stop, write);
    case WEFT_STOP_DESPAWN:
        break;
    }
    return look_at_life(world, stop, write);
}

// Returns whether a writer may have changed the result of a stop.
static bool is_due(const weft_world *world, const weft_stop *stop, const weft_stretch *stretch)
{
    if (stop->kind == WEFT_STOP_EVENT) return true;
    const bool of_rows = stop->kind == WEFT_STOP_ANY || stop->kind == WEFT_STOP_DESPAWN;
    if (of_rows && stretch->rows) return true;
    const bool of_value = stop->kind == WEFT_STOP_VALUE || stop->kind == WEFT_STOP_CHANGE;
    if (of_value && stop->owner.relation) return true;
    return weft_stop_is_about(world, stop, stretch->set);
}

void weft_stops_look(weft_world *world, const weft_stretch *stretch)
{
    weft_watching *w = world->observers.watching;
    weft_write write;
    for (uint32_t i = 0; i < w->stop_count; i++) {
        weft_stop *stop = &w->stops_at[i];
        if (!is_due(world, stop, stretch) || !look_at_stop(world, stop, &write)) continue;
        w->telling = true;
        stop->hook(stop->user, &write);
        w->telling = false;
    }
}

// ------------------------------------------------------------------------------------------------
// Stops of a world

static weft_stop *stop_of_text(const weft_watching *w, const char *text)
{
    for (uint32_t i = 0; i < w->stop_count; i++) {
        if (strcmp(w->stops_at[i].text, text) == 0) return &w->stops_at[i];
    }
    return NULL;
}

// Returns the place for a new stop, or NULL if there is none, which is reported.
static weft_stop *another_stop(weft_world *world)
{
    weft_watching *w = world->observers.watching;
    if (w->stop_count == WEFT_STOPS_MAX) {
        weft_report(world, WEFT_FULL, "more than %u stops", WEFT_STOPS_MAX);
        return NULL;
    }
    if (!weft_array_grow(&world->heap, &w->stops_at, &w->stop_capacity, w->stop_count + 1,
                         sizeof *w->stops_at)) {
        weft_report(world, WEFT_NO_MEMORY, "no memory for another stop");
        return NULL;
    }
    return &w->stops_at[w->stop_count];
}

static void forget_stop(weft_world *world, weft_stop *known)
{
    weft_watching *w = world->observers.watching;
    weft_stop_forget(world, known);
    *known = w->stops_at[--w->stop_count];
}

weft_status weft_stop_at(weft_world *world, const char *text, weft_stop_hook hook, void *user)
{
    weft_stop stop = {.hook = hook, .user = user};
    weft_write none;
    if (!WEFT_GIVEN(world, text, "weft_stop_at")) return WEFT_BAD_VALUE;
    weft_watching *w = world->observers.watching;
    if (!w) {
        return weft_report(world, WEFT_REFUSED, "%s", WEFT_OBSERVED_BY("values are looked at"));
    }
    weft_stop *known = stop_of_text(w, text);
    if (!hook && !known) {
        return weft_report(world, WEFT_NOT_FOUND, "there is no stop '%.64s'", text);
    }
    if (!hook) {
        forget_stop(world, known);
        return WEFT_OK;
    }
    if (!weft_stop_read(world, text, &stop)) return world->report.refusal.status;
    if (known) weft_stop_forget(world, known);
    weft_stop *place = known ? known : another_stop(world);
    if (!place) {
        weft_stop_forget(world, &stop);
        return world->report.refusal.status;
    }
    w->stop_count += !known;
    *place = stop;
    (void)look_at_stop(world, place, &none); // a stop that is already true does not call its hook
    return WEFT_OK;
}

weft_status weft_stop_see(weft_world *world, const char *text, weft_stop_view *view)
{
    if (!WEFT_GIVEN(world, text, "weft_stop_see")) return WEFT_BAD_VALUE;
    if (!WEFT_GIVEN(world, view, "weft_stop_see")) return WEFT_BAD_VALUE;
    const weft_stop *stop =
        world->observers.watching ? stop_of_text(world->observers.watching, text) : NULL;
    if (!stop) return weft_report(world, WEFT_NOT_FOUND, "there is no stop '%.64s'", text);
    weft_stop_describe(world, stop, view);
    return WEFT_OK;
}

void weft_stops_close(weft_world *world)
{
    weft_watching *w = world->observers.watching;
    while (w->stop_count != 0) forget_stop(world, &w->stops_at[w->stop_count - 1]);
    weft_free(&world->heap, w->stops_at, w->stop_capacity * sizeof *w->stops_at);
}
