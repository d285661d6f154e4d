// Memory of the reader: no more than the schema allows, whatever the text.
#include "../change/component.h"
#include "../world/report.h"
#include "reader.h"

static size_t slot_bytes(uint32_t size)
{
    return weft_round_up(size, WEFT_LINE_BYTES);
}

// No entity names more than every component once, and a singleton is alone.
static size_t values_max(const weft_schema *schema)
{
    size_t sum = 0;
    for (uint32_t i = 0; i < schema->component_count; i++) {
        sum += slot_bytes(schema->components[i].size);
    }
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        size_t bytes = slot_bytes(schema->singletons[i].size);
        if (sum < bytes) sum = bytes;
    }
    return sum;
}

static size_t more_words(size_t words, uint32_t count)
{
    size_t others = weft_json_words(count);
    return words < others ? others : words;
}

// Of one object that names components, singletons or relations; at least 1.
static size_t names_words(const weft_plan *plan)
{
    size_t words = more_words(plan->set_words, plan->schema->singleton_count);
    return more_words(words, plan->schema->relation_count);
}

// Of the fields of one component or singleton and of all structs: none is inside itself.
static size_t seen_words(const weft_schema *schema)
{
    size_t words = 0;
    for (uint32_t i = 0; i < schema->component_count; i++) {
        words = more_words(words, schema->components[i].field_count);
    }
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        words = more_words(words, schema->singletons[i].field_count);
    }
    for (uint32_t i = 0; i < schema->struct_count; i++) {
        words += weft_json_words(schema->structs[i].field_count);
    }
    for (uint32_t i = 0; i < schema->extern_count; i++) {
        words += weft_json_words(schema->externs[i].field_count);
    }
    return words;
}

static size_t sets_bytes(const weft_plan *plan)
{
    return (names_words(plan) + seen_words(plan->schema)) * sizeof(uint64_t);
}

bool weft_json_no_memory(weft_json_reader *in)
{
    weft_refuse_space(in->world,
                      (weft_refusal){WEFT_NO_MEMORY, WEFT_NONE, WEFT_NONE, false, in->handle});
    in->text.status = WEFT_NO_MEMORY;
    return false;
}

bool weft_json_reader_open(weft_json_reader *in)
{
    const weft_plan *plan = in->world->plan;
    in->values_max = values_max(plan->schema);
    in->names = (uint64_t *)weft_allocate(&in->world->heap, sets_bytes(plan));
    if (!in->names) return weft_json_no_memory(in);
    in->seen = in->names + names_words(plan);
    return true;
}

void weft_json_reader_close(weft_json_reader *in)
{
    weft_heap *heap = &in->world->heap;
    weft_free(heap, in->names, sets_bytes(in->world->plan));
    weft_region_free(heap, &in->above);
    weft_region_free(heap, &in->people);
    weft_region_free(heap, &in->values);
}

void *weft_json_take_room(weft_json_reader *in, uint32_t bytes)
{
    size_t used = in->values_used + slot_bytes(bytes);
    if (!weft_region_grow(&in->world->heap, &in->values, used, in->values_max)) {
        weft_json_no_memory(in);
        return NULL;
    }
    void *slot = in->values.base + in->values_used;
    in->values_used = used;
    return slot;
}
