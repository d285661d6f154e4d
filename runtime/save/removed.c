// Who lost what, as far as somebody has still to see it, out and in.
#include "removed.h"

#include "../record/removals.h"

// ------------------------------------------------------------------------------------------------
// Out

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

// ------------------------------------------------------------------------------------------------
// In

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
