// The sections of sparse stores.
#include "loader.h"
#include "part.h"
#include "saver.h"

#include "../edit/member.h"
#include "../world/rows.h"

weft_section_writer weft_write_store;
weft_section_reader weft_find_store;
weft_loader_step weft_read_stores;

void weft_write_store(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_plan *plan = saver->world->plan;
    const weft_sparse *sparse = &saver->world->sparse[number];
    const weft_part_rows *chosen = saver->part ? &saver->part->stores[number] : NULL;
    uint32_t all = weft_sparse_count(sparse);
    uint32_t count = chosen ? chosen->count : all;
    uint32_t component = plan->sparse_components[number];
    const weft_component_info *info = &plan->schema->components[component];
    if (count == 0) return;
    weft_write_word(sink, component);
    weft_write_word(sink, count);
    weft_saver_numbers(saver, sink, sparse->owners.base, all, sizeof(uint32_t), chosen);
    if (!info->save) return;
    weft_saved_values values = {
        .kind = "component",
        .name = info->name,
        .fields = info->fields,
        .field_count = info->field_count,
        .size = (uint32_t)sparse->size,
        .count = all,
        .rows = sparse->values.base,
        .indices = (const uint32_t *)(void *)sparse->owners.base,
    };
    weft_saver_chosen(saver, sink, &values, chosen);
}

// Stores the slot of each index. Returns false if memory runs out or an index has two values.
static bool index_slots(weft_loader *l, weft_saved_store *saved)
{
    saved->slots = weft_scratch_array(&l->scratch, l->index_count, sizeof *saved->slots);
    for (uint32_t slot = 0; saved->slots && slot < saved->count; slot++) {
        uint64_t index = weft_little_read(saved->owners + (size_t)slot * 4, 4);
        if (index >= l->index_count || saved->slots[index] != 0) return false;
        saved->slots[index] = slot + 1;
    }
    return saved->slots != NULL;
}

bool weft_find_store(weft_loader *l, weft_bytes body)
{
    const weft_schema *file = l->matched.schemas.file;
    uint32_t component = weft_read_place(&body, file->component_count);
    const weft_component_info *was = &file->components[component];
    weft_saved_store *saved = &l->stores[component];
    if (body.bad || was->storage != WEFT_STORAGE_SPARSE || saved->count != 0) {
        return weft_loader_damaged(
            l, "it has sparse values of a component that is not sparse, or has them twice");
    }
    saved->count = weft_read_number(&body, l->live);
    saved->owners = weft_read_array(&body, saved->count, 4);
    if (was->save) {
        saved->values = (void *)(uintptr_t)weft_read_array(&body, saved->count, was->size);
    }
    if (!weft_bytes_ended(&body)) return weft_loader_damaged(l, "a sparse store is malformed");
    uint32_t now = l->matched.components.now[component];
    bool moves = now != WEFT_NEVER && weft_loader_info(l, now)->storage == WEFT_STORAGE_TABLE;
    if (!moves || index_slots(l, saved)) return true; // no other store needs `slots`
    if (l->scratch.out_of_memory) return weft_loader_no_memory(l);
    return weft_loader_damaged(l, "a sparse component has two values of an entity");
}

// Appends an entity to the store. The entity must have the component's bit, and no value yet.
static bool append_owner(weft_loader *l, uint32_t component, weft_sparse *store, uint32_t index)
{
    weft_world *into = l->into;
    weft_format f = into->plan->format;
    weft_place at;
    uint32_t column = weft_bitset_column(into->plan, &into->plan->components[component]);
    bool known = index < l->index_count &&
                 weft_find(&into->entities, f, weft_handle_of(&into->entities, f, index), &at) &&
                 weft_bitset_bit(into->tables.items[at.table], column, at.row);
    if (!known) return weft_loader_damaged(l, "a sparse component has a value without an entity");
    if (!weft_sparse_ready(&into->heap, store, index)) return weft_loader_no_memory(l);
    uint32_t *slot = weft_sparse_slot(store, index);
    if (*slot != 0) return weft_loader_damaged(l, "a sparse component has two values of an entity");
    weft_sparse_append(store, slot, index);
    return true;
}

static bool fill_store(weft_loader *l, uint32_t component, const weft_saved_store *saved)
{
    const weft_match *match = l->matched.components.values[component];
    weft_sparse *store = &l->into->sparse[l->into->plan->components[component].sparse];
    for (uint32_t slot = 0; slot < saved->count; slot++) {
        uint32_t index = (uint32_t)weft_little_read(saved->owners + (size_t)slot * 4, 4);
        if (!append_owner(l, component, store, index)) return false;
    }
    if (saved->count == 0) return true;
    void *values = store->values.base;
    weft_column_span all = {&values, 0};
    weft_owners owners = {.indices = saved->owners};
    if (!match) weft_default_rows(weft_loader_info(l, component), all, saved->count);
    if (match &&
        !weft_loader_convert_structs(l, match, saved->values, values, saved->count, &owners)) {
        return false;
    }
    weft_loader_seed(l, component, match, all, saved->count, &owners);
    return true;
}

bool weft_read_stores(weft_loader *loader)
{
    const weft_schema *file = loader->matched.schemas.file;
    for (uint32_t was = 0; was < file->component_count; was++) {
        const weft_saved_store *saved = &loader->stores[was];
        uint32_t now = loader->matched.components.now[was];
        if (file->components[was].storage != WEFT_STORAGE_SPARSE) continue;
        if (saved->bits != saved->count) {
            return weft_loader_damaged(loader,
                                       "a sparse component has more or fewer values than rows");
        }
        if (now == WEFT_NEVER) continue;
        if (weft_loader_info(loader, now)->storage != WEFT_STORAGE_SPARSE) continue;
        if (!fill_store(loader, now, saved)) return false;
    }
    return true;
}
