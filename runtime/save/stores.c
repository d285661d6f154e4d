// Sparse stores out of a save: taken before rows look for values in those that are none any more,
// put when the rows have said who has one.
#include "../change/component.h"
#include "../world/rows.h"
#include "read.h"

// ------------------------------------------------------------------------------------------------
// Taking

// Where rows find their values, of a store that is none any more.
static bool find_slots(weft_loader *l, weft_sparse_saved *saved)
{
    saved->slots = (uint32_t *)weft_scratch_take(&l->scratch, l->index_count, sizeof *saved->slots);
    for (uint32_t slot = 0; saved->slots && slot < saved->count; slot++) {
        uint64_t index = weft_little_read(saved->owners + (size_t)slot * 4, 4);
        if (index >= l->index_count || saved->slots[index] != 0) return false;
        saved->slots[index] = slot + 1;
    }
    return saved->slots != NULL;
}

static weft_status take_store(weft_loader *l, weft_bytes body)
{
    const weft_schema *file = l->matched.schemas.file;
    uint32_t component = weft_take_number(&body, UINT16_MAX);
    bool known = !body.bad && component < file->component_count &&
                 file->components[component].storage == WEFT_STORAGE_SPARSE &&
                 l->sparse[component].count == 0;
    if (!known) return weft_loader_damaged(l, "it has values of no sparse component");
    const weft_component_info *was = &file->components[component];
    weft_sparse_saved *saved = &l->sparse[component];
    saved->count = weft_take_number(&body, l->live);
    saved->owners = (const unsigned char *)weft_take_array(&body, saved->count, 4);
    if (was->save) {
        saved->values = (void *)(uintptr_t)weft_take_array(&body, saved->count, was->size);
    }
    if (body.bad || body.left != 0) return weft_loader_damaged(l, "a sparse store is not whole");
    uint32_t now = l->matched.components.now[component];
    const weft_schema *world = l->matched.schemas.world;
    if (now == UINT32_MAX || world->components[now].storage != WEFT_STORAGE_TABLE) return WEFT_OK;
    if (find_slots(l, saved)) return WEFT_OK;
    if (l->scratch.out_of_memory) return weft_loader_no_memory(l);
    return weft_loader_damaged(l, "a sparse component has two values of an entity");
}

weft_status weft_loader_stores(weft_loader *loader)
{
    const weft_schema *file = loader->matched.schemas.file;
    loader->sparse = (weft_sparse_saved *)weft_scratch_take(&loader->scratch, file->component_count,
                                                            sizeof *loader->sparse);
    if (!loader->sparse) return weft_loader_no_memory(loader);
    return weft_loader_each(loader, WEFT_SECTION_SPARSE, take_store);
}

// ------------------------------------------------------------------------------------------------
// Putting: values keep their slots

static weft_status put_owner(weft_loader *l, uint32_t component, weft_sparse *store, uint32_t index)
{
    weft_world *into = l->into;
    weft_format f = into->plan->format;
    weft_place at;
    uint32_t column = weft_bitset_column(into->plan, &into->plan->components[component]);
    bool known = index < l->index_count &&
                 weft_find(&into->entities, f, weft_handle_of(&into->entities, f, index), &at) &&
                 weft_bitset_bit(into->tables.items[at.table], column, at.row);
    if (!known) return weft_loader_damaged(l, "a sparse component has a value of nobody");
    if (!weft_sparse_ready(&into->heap, store, index)) return weft_loader_no_memory(l);
    uint32_t *slot = weft_sparse_slot(store, index);
    if (*slot != 0) return weft_loader_damaged(l, "a sparse component has two values of an entity");
    weft_sparse_append(store, slot, index);
    return WEFT_OK;
}

static weft_status put_store(weft_loader *l, uint32_t component)
{
    const weft_component_info *info = &l->matched.schemas.world->components[component];
    const weft_match *match = l->matched.components.values[component];
    uint32_t was = l->matched.components.was[component];
    const weft_sparse_saved *saved = &l->sparse[was];
    weft_sparse *store = &l->into->sparse[l->into->plan->components[component].sparse];
    for (uint32_t slot = 0; slot < saved->count; slot++) {
        uint32_t index = (uint32_t)weft_little_read(saved->owners + (size_t)slot * 4, 4);
        weft_status status = put_owner(l, component, store, index);
        if (status != WEFT_OK) return status;
    }
    if (saved->count == 0) return WEFT_OK;
    void *values = store->values.base;
    weft_strip to = {&values, 0, info->size, false, info->fields};
    if (!match) {
        weft_default_rows(info, to, saved->count);
        return WEFT_OK;
    }
    weft_strip from = weft_saved_strip(l, was, &saved->values, 0);
    return weft_loader_carry(l, match, from, to, saved->count);
}

weft_status weft_loader_sparse(weft_loader *loader)
{
    const weft_schema *file = loader->matched.schemas.file;
    const weft_schema *world = loader->matched.schemas.world;
    for (uint32_t f = 0; f < file->component_count; f++) {
        uint32_t now = loader->matched.components.now[f];
        if (file->components[f].storage != WEFT_STORAGE_SPARSE) continue;
        if (loader->sparse[f].bits != loader->sparse[f].count) {
            return weft_loader_damaged(loader, "a sparse component has not as many values as rows");
        }
        if (now == UINT32_MAX || world->components[now].storage != WEFT_STORAGE_SPARSE) continue;
        weft_status status = put_store(loader, now);
        if (status != WEFT_OK) return status;
    }
    return WEFT_OK;
}
