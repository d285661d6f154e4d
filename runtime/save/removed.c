// The sections of removals: for each log, the handles of entities that have lost a component, and
// the last values if the reader asks for them.
#include "loader.h"
#include "saver.h"

#include "../record/removals.h"

weft_section_writer weft_write_removed;
weft_loader_step weft_read_removed;

static const char *removal_reader(const weft_plan *plan, uint32_t removal)
{
    return plan->reader_names[plan->removals[removal].reader];
}

void weft_write_removed(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_plan *plan = saver->world->plan;
    const weft_removal_plan *r = &plan->removals[number];
    const weft_removed *log = &saver->world->changes.removed[number];
    const weft_component_info *info = r->value ? &plan->schema->components[r->component] : NULL;
    bool valued = info && info->save;
    if (log->count == 0) return;
    weft_write_text(sink, removal_reader(plan, number));
    weft_write_word(sink, weft_saved_number(plan, r->component));
    weft_write_word(sink, valued);
    weft_write_word(sink, log->count);
    weft_write_numbers(sink, log->handles.base, log->count, plan->format.handle_bytes);
    if (!valued) return;
    weft_saved_values values = {
        .kind = "removed component",
        .name = info->name,
        .fields = info->fields,
        .field_count = info->field_count,
        .size = info->size,
        .count = log->count,
        .rows = log->values.base,
        .handles = log->handles.base,
    };
    weft_saver_values(saver, sink, &values);
}

typedef struct saved_removed {
    const char *reader;
    uint32_t count;
    const unsigned char *handles;
    const void *values; // NULL if they are not saved
} saved_removed;

static bool fill_removed(weft_loader *l, uint32_t removal, const saved_removed *saved)
{
    const weft_plan *plan = l->into->plan;
    const weft_removal_plan *r = &plan->removals[removal];
    const weft_removed *log = &l->into->changes.removed[removal];
    for (uint32_t i = 0; i < saved->count; i++) {
        uint64_t handle =
            weft_convert_handle(&l->matched.schemas, weft_loader_handle(l, saved->handles, i));
        weft_handle_store(plan->format, log->handles.base, i, handle);
    }
    if (!r->value || saved->count == 0) return true;
    const weft_match *match = l->matched.components.values[r->component];
    weft_component_info info = *weft_loader_info(l, r->component);
    if (match && saved->values) {
        return weft_loader_convert_structs(l, match, saved->values, log->values.base, saved->count,
                                           &(weft_owners){.handles = saved->handles});
    }
    void *values = log->values.base;
    info.soa = false; // the values of a log are plain structs
    if (info.size != 0) weft_default_rows(&info, (weft_column_span){&values, 0}, saved->count);
    return true;
}

static bool load_removed(weft_loader *l, uint32_t removal, const saved_removed *saved)
{
    bool fits;
    if (!weft_removed_load(l->into, removal, saved->count, &fits)) return weft_loader_no_memory(l);
    if (!fits) return weft_loader_damaged(l, "it has too many removals");
    return fill_removed(l, removal, saved);
}

// Reads a log of the save into the log of the world that continues it, if there is one.
static bool read_log(weft_loader *l, weft_bytes body)
{
    const weft_plan *plan = l->into->plan;
    const weft_schema *file = l->matched.schemas.file;
    saved_removed saved = {.reader = weft_read_text(&body)};
    uint32_t numbers = file->component_count + file->relation_count;
    uint32_t component = weft_read_place(&body, numbers);
    uint32_t valued = weft_read_number(&body, component < file->component_count);
    saved.count = weft_read_number(&body, UINT32_MAX);
    saved.handles = weft_read_array(&body, saved.count, file->handle_bytes);
    if (!body.bad && valued) {
        saved.values = weft_read_array(&body, saved.count, file->components[component].size);
    }
    if (!weft_bytes_ended(&body)) return weft_loader_damaged(l, "its removals are malformed");
    for (uint32_t i = 0; i < plan->removal_count; i++) {
        bool here = plan->removals[i].component == weft_loader_numbered(l, component) &&
                    !plan->readers[plan->removals[i].reader].starts_over &&
                    weft_loader_is_reader(l, removal_reader(plan, i), saved.reader);
        if (here && !load_removed(l, i, &saved)) return false;
    }
    return true;
}

// Prepares all logs, empty and with memory for the next removals, before the sections are read.
bool weft_read_removed(weft_loader *loader)
{
    for (uint32_t i = 0; i < loader->into->plan->removal_count; i++) {
        if (!load_removed(loader, i, &(saved_removed){.count = 0})) return false;
    }
    return weft_loader_each(loader, WEFT_SECTION_REMOVED, read_log);
}
