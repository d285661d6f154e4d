// Describes the write for the hook of a stop, and a stop that waits.
#include "stop_words.h"

#include "../value/fields.h"
#include "../value/text.h"
#include "../value/visit.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "last_writes.h"
#include "stop_any.h"

#include <math.h>
#include <stdio.h>

// Begins a write by the writer of the current stretch.
static weft_write write_of(const weft_world *world, weft_write_kind kind, uint64_t handle,
                           const char *owner)
{
    const weft_watching *w = world->observers.watching;
    return (weft_write){.tick = world->tick,
                        .writer = w->writer ? w->writer : WEFT_GAME_WRITES,
                        .commands = w->commands,
                        .kind = kind,
                        .handle = handle,
                        .given = world->observers.given,
                        .row = world->observers.row,
                        .change = NAN,
                        .owner = owner};
}

weft_write weft_stop_value_write(const weft_world *world, const weft_stop *stop, const void *before)
{
    const weft_schema *schema = world->plan->schema;
    weft_leaf_ref leaf = stop->leaf;
    weft_write write =
        write_of(world, WEFT_WRITE_VALUE, stop->handle, weft_owner_name(schema, stop->owner));
    weft_leaf_at(schema, weft_owner_fields(schema, stop->owner), weft_stop_test(stop)->offset,
                 write.path, sizeof write.path);
    if (before) write.change = weft_number_change(leaf.type, leaf.bytes, before, stop->last);
    leaf.value = before;
    if (before) weft_leaf_text(world->plan, &leaf, write.before);
    leaf.value = stop->last;
    weft_leaf_text(world->plan, &leaf, write.after);
    return write;
}

// Returns the place of the value that a test compares. A test for the existence of a component
// compares no value, so its place is empty, and only adding and removing the component match it.
static weft_place_span span_of(const weft_plan *plan, const weft_select_test *test)
{
    weft_place_span span = {.owner = {.of = test->of}, .first = test->offset};
    if (weft_select_is_of_relation(test)) {
        return (weft_place_span){.owner = {.of = test->of, .relation = true}, .end = UINT32_MAX};
    }
    if (test->kind == WEFT_SELECT_HAS) return span;
    const weft_component_info *info = &plan->schema->components[test->of];
    if (info->soa) {
        span.first += info->fields[test->first - plan->components[test->of].first_column].offset;
    }
    span.end = span.first + test->bytes;
    return span;
}

// Returns the name of the component, relation or kind of links that a test is about.
static const char *tested_name(const weft_schema *schema, const weft_select_test *test)
{
    if (weft_select_is_of_relation(test)) return schema->relations[test->of].name;
    return weft_select_is_of_link(test) ? schema->links[test->of].name
                                        : schema->components[test->of].name;
}

// Returns the last write of the current writer to a value in the expression. If writes are not
// stored, returns a write without values.
weft_write weft_stop_any_write(const weft_world *world, const weft_stop *stop, uint64_t handle)
{
    const weft_schema *schema = world->plan->schema;
    const weft_select_test *first = &stop->program->tests[0];
    weft_write write;
    for (uint32_t i = 0; i < stop->program->test_count; i++) {
        const weft_select_test *test = &stop->program->tests[i];
        if (weft_select_is_of_link(test)) continue; // writes of links are not stored
        const weft_place_span span = span_of(world->plan, test);
        if (weft_newest_write(world, handle, &span, &write)) return write;
    }
    return write_of(world, WEFT_WRITE_VALUE, handle, tested_name(schema, first));
}

weft_write weft_stop_despawn_write(const weft_world *world, const weft_stop *stop)
{
    return write_of(world, WEFT_WRITE_DESPAWNED, stop->handle, "");
}

// ------------------------------------------------------------------------------------------------
// Events

typedef struct event_words {
    const weft_plan *plan;
    weft_write *write;
    size_t length;
} event_words;

// Adds a value of an event to the text. The first handle in it becomes the entity of the write.
static bool add_leaf_words(void *context, const char *path, const weft_leaf_ref *leaf)
{
    event_words *words = (event_words *)context;
    char text[WEFT_LEAF_TEXT_BYTES];
    weft_leaf_text(words->plan, leaf, text);
    if (leaf->type == WEFT_TYPE_ENTITY && words->write->handle == 0) {
        words->write->handle = weft_handle_read(words->plan->schema, leaf->value);
    }
    const size_t space = sizeof words->write->after - words->length;
    int printed = snprintf(words->write->after + words->length, space, "%s%s %s",
                           words->length == 0 ? "" : ", ", path, text);
    words->length += printed < 0 ? 0 : (size_t)printed;
    return words->length < sizeof words->write->after;
}

weft_write weft_stop_event_write(const weft_world *world, const weft_stop *stop, const void *value)
{
    const weft_event_info *event = &world->plan->schema->events[stop->event];
    weft_write write = write_of(world, WEFT_WRITE_EVENT, 0, event->name);
    event_words words = {world->plan, &write, 0};
    weft_leaves_visit(world->plan->schema, event->fields, event->field_count, value, add_leaf_words,
                      &words);
    return write;
}

// ------------------------------------------------------------------------------------------------
// Stops that wait

// Writes why a stop on one entity cannot become true now.
static void add_note(const weft_world *world, const weft_stop *stop, char note[WEFT_WHY_BYTES])
{
    const weft_plan *plan = world->plan;
    weft_place at;
    bool of_value = stop->kind == WEFT_STOP_VALUE;
    if (stop->handle == 0) return;
    const weft_handle_text handle = weft_handle_as_text(plan->format, stop->handle);
    if (!weft_find(&world->entities, plan->format, stop->handle, &at)) {
        snprintf(note, WEFT_WHY_BYTES, "%s is no longer alive", handle.text);
    } else if (of_value && !stop->owner.relation &&
               !weft_row_has(plan, world->tables.items[at.table], at.row, stop->owner.of)) {
        snprintf(note, WEFT_WHY_BYTES, "%s has no '%s' yet: it waits until it gets one",
                 handle.text, weft_owner_name(plan->schema, stop->owner));
    }
}

static bool emits(const weft_system_info *system, uint32_t event)
{
    for (uint32_t i = 0; i < system->access_count; i++) {
        const weft_access *access = &system->access[i];
        if (access->kind == WEFT_ACCESS_EMITS && access->of == event) return true;
    }
    return false;
}

void weft_stop_describe(const weft_world *world, const weft_stop *stop, weft_stop_view *view)
{
    const weft_watching *w = world->observers.watching;
    const weft_schema *schema = world->plan->schema;
    size_t length = 0;
    *view = (weft_stop_view){.rows = 1, .holds = stop->held};
    add_note(world, stop, view->note);
    if (stop->kind == WEFT_STOP_CHANGE) view->rows = 0;
    if (stop->kind == WEFT_STOP_ANY) view->rows = weft_stop_rows(world, stop);
    for (uint32_t i = 0; i < schema->system_count; i++) {
        const uint64_t *set = w->written + (size_t)i * w->set_words;
        bool may = stop->kind == WEFT_STOP_EVENT ? emits(&schema->systems[i], stop->event)
                                                 : weft_stop_is_about(world, stop, set);
        may = may && (!stop->by_writer || strcmp(stop->by_writer, schema->systems[i].name) == 0);
        if (!may) continue;
        view->systems++;
        if (length >= sizeof view->behind) continue;
        int printed = snprintf(view->behind + length, sizeof view->behind - length, "%s%s",
                               length == 0 ? "" : ", ", schema->systems[i].name);
        length += printed < 0 ? 0 : (size_t)printed;
    }
}
