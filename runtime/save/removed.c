// The sections of removals: for each log, the handles of entities that have lost a component, and
// the last values if the reader wants them.
#include "loader.h"
#include "saver.h"

#include "../record/removals.h"

static const char *removal_reader(const weft_plan *plan, uint32_t removal)
{
    return plan->reader_names[plan->removals[removal].reader];
}

static void write_removed(weft_sink *sink, const void *context)
{
    const weft_saver_item *item = context;
    const weft_world *world = item->saver->world;
    const weft_plan *plan = world->plan;
    const weft_removal_plan *r = &plan->removals[item->number];
    const weft_removed *log = &world->removed[item->number];
    const weft_component_info *info = &plan->schema->components[r->component];
    bool valued = r->value && info->save;
    weft_write_text(sink, removal_reader(plan, item->number));
    weft_write_word(sink, r->component);
    weft_write_word(sink, valued);
    weft_write_word(sink, log->count);
    weft_write_numbers(sink, log->handles.base, log->count, plan->format.handle_bytes);
    if (!valued) return;
    weft_saver_values(item->saver, sink, info->fields, info->field_count, log->values.base,
                      log->count, info->size);
}

void weft_saver_removed(const weft_saver *saver, weft_sink *sink)
{
    for (uint32_t i = 0; i < saver->world->plan->removal_count; i++) {
        if (saver->world->removed[i].count == 0) continue;
        weft_write_section(sink, WEFT_SECTION_REMOVED, WEFT_SECTION_SKIP, write_removed,
                           &(weft_saver_item){saver, i});
    }
}

typedef struct saved_removed {
    const char *reader;
    uint32_t component; // of the save
    uint32_t count;
    const unsigned char *handles;
    const void *values; // NULL: not saved
} saved_removed;

static bool read_removed(const weft_loader *l, weft_bytes body, saved_removed *saved)
{
    const weft_schema *file = l->matched.schemas.file;
    saved->reader = weft_read_text(&body);
    saved->component = weft_read_number(&body, UINT16_MAX);
    bool valued = weft_read_number(&body, 1) != 0;
    saved->count = weft_read_number(&body, UINT32_MAX);
    if (body.bad || saved->component >= file->component_count) return false;
    uint32_t size = file->components[saved->component].size;
    saved->handles = weft_read_array(&body, saved->count, file->handle_bytes);
    saved->values = valued ? weft_read_array(&body, saved->count, size) : NULL;
    return weft_bytes_ended(&body);
}

// Finds the log of the save that one of the world continues; a count of 0 means none. False: a log
// of the save is not whole.
static bool find_removed(const weft_loader *l, uint32_t removal, saved_removed *found)
{
    const weft_plan *plan = l->into->plan;
    *found = (saved_removed){.count = 0};
    for (uint32_t i = 0; i < l->section_count; i++) {
        saved_removed saved;
        if (l->sections[i].kind != WEFT_SECTION_REMOVED) continue;
        if (!read_removed(l, l->sections[i].body, &saved)) return false;
        if (l->matched.components.now[saved.component] == plan->removals[removal].component &&
            strcmp(saved.reader, removal_reader(plan, removal)) == 0) {
            *found = saved;
        }
    }
    return true;
}

static bool fill_removed(weft_loader *l, uint32_t removal, const saved_removed *saved)
{
    const weft_plan *plan = l->into->plan;
    const weft_removal_plan *r = &plan->removals[removal];
    const weft_removed *log = &l->into->removed[removal];
    const weft_match *match = l->matched.components.values[r->component];
    weft_layout layout = weft_layout_of(&plan->schema->components[r->component]);
    for (uint32_t i = 0; i < saved->count; i++) {
        uint64_t handle =
            weft_convert_handle(&l->matched.schemas, weft_loader_handle(l, saved->handles, i));
        weft_handle_store(plan->format, log->handles.base, i, handle);
    }
    if (!r->value || saved->count == 0) return true;
    if (match && saved->values) {
        return weft_loader_convert_structs(l, match, saved->values, log->values.base, saved->count);
    }
    void *values = log->values.base;
    layout.soa = false; // the values of a log are plain structs
    if (layout.size != 0) weft_default_rows(&layout, (weft_column_span){&values, 0}, saved->count);
    return true;
}

bool weft_loader_removed(weft_loader *loader)
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
        if (!fill_removed(loader, i, &saved)) return false;
    }
    return true;
}
