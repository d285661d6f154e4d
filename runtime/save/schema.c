// The schema in a save, out and in. Both directions list the same words in the same order; SAVES.md
// says what they are.
#include "schema.h"

// No more of anything than the generator takes.
#define COUNT_MAX 1024u
#define FIELDS_MAX 65536u
#define VALUES_MAX 65536u
#define VALUE_BYTES_MAX (1u << 20)
#define ITEMS_MAX 65536u

// ------------------------------------------------------------------------------------------------
// Out

static void put_fields(weft_sink *sink, const weft_field *fields, uint32_t count)
{
    weft_put_word(sink, count);
    for (uint32_t i = 0; i < count; i++) {
        const weft_field *field = &fields[i];
        weft_put_text(sink, field->name);
        weft_put_word(sink, (uint64_t)field->type);
        weft_put_word(sink, (uint64_t)field->shape);
        weft_put_word(sink, field->of);
        weft_put_word(sink, field->save);
        weft_put_word(sink, field->offset);
        weft_put_word(sink, field->size);
        weft_put_word(sink, field->element_size);
        weft_put_word(sink, field->items_offset);
        weft_put_word(sink, field->count);
    }
}

static void put_structs(weft_sink *sink, const weft_struct_info *structs, uint32_t count)
{
    weft_put_word(sink, count);
    for (uint32_t i = 0; i < count; i++) {
        weft_put_text(sink, structs[i].name);
        weft_put_word(sink, structs[i].size);
        put_fields(sink, structs[i].fields, structs[i].field_count);
    }
}

static void put_enums(weft_sink *sink, const weft_schema *schema)
{
    weft_put_word(sink, schema->enum_count);
    for (uint32_t i = 0; i < schema->enum_count; i++) {
        const weft_enum_info *info = &schema->enums[i];
        weft_put_text(sink, info->name);
        weft_put_word(sink, (uint64_t)info->type);
        weft_put_word(sink, info->count);
        for (uint32_t v = 0; v < info->count; v++) weft_put_text(sink, info->values[v]);
    }
}

static void put_components(weft_sink *sink, const weft_schema *schema)
{
    weft_put_word(sink, schema->component_count);
    for (uint32_t i = 0; i < schema->component_count; i++) {
        const weft_component_info *info = &schema->components[i];
        weft_put_text(sink, info->name);
        weft_put_word(sink, (uint64_t)info->storage);
        weft_put_word(sink, info->soa);
        weft_put_word(sink, info->save);
        weft_put_word(sink, info->size);
        put_fields(sink, info->fields, info->field_count);
    }
}

static void put_singletons(weft_sink *sink, const weft_schema *schema)
{
    weft_put_word(sink, schema->singleton_count);
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        weft_put_text(sink, info->name);
        weft_put_word(sink, info->save);
        weft_put_word(sink, info->size);
        put_fields(sink, info->fields, info->field_count);
    }
}

static void put_events(weft_sink *sink, const weft_schema *schema)
{
    weft_put_word(sink, schema->event_count);
    for (uint32_t i = 0; i < schema->event_count; i++) {
        const weft_event_info *info = &schema->events[i];
        weft_put_text(sink, info->name);
        weft_put_word(sink, info->size);
        put_fields(sink, info->fields, info->field_count);
    }
}

static void put_relations(weft_sink *sink, const weft_schema *schema)
{
    weft_put_word(sink, schema->relation_count);
    for (uint32_t i = 0; i < schema->relation_count; i++) {
        weft_put_text(sink, schema->relations[i].name);
    }
}

void weft_put_schema(weft_sink *sink, const void *context)
{
    const weft_schema *schema = (const weft_schema *)context;
    weft_put_text(sink, schema->name);
    weft_put_word(sink, schema->index_bits);
    weft_put_word(sink, schema->generation_bits);
    weft_put_word(sink, schema->handle_bytes);
    put_enums(sink, schema);
    put_structs(sink, schema->structs, schema->struct_count);
    put_structs(sink, schema->externs, schema->extern_count);
    put_components(sink, schema);
    put_singletons(sink, schema);
    put_events(sink, schema);
    put_relations(sink, schema);
}

// ------------------------------------------------------------------------------------------------
// In

typedef struct taking {
    weft_bytes *bytes;
    weft_scratch *scratch;
    weft_schema *schema;
} taking;

// Room for as many as a word says, each of which takes at least a word of the file.
static void *take_items(const taking *t, uint32_t *count, uint32_t most, size_t size)
{
    *count = weft_take_number(t->bytes, most);
    if (*count > t->bytes->left / WEFT_WORD_BYTES) t->bytes->bad = true;
    void *items = t->bytes->bad ? NULL : weft_scratch_take(t->scratch, *count, size);
    if (!items) t->bytes->bad = true;
    if (!items) *count = 0;
    return items;
}

static weft_field *take_fields(const taking *t, uint32_t *count)
{
    weft_field *fields = (weft_field *)take_items(t, count, FIELDS_MAX, sizeof *fields);
    for (uint32_t i = 0; i < *count; i++) {
        weft_field *field = &fields[i];
        field->name = weft_take_text(t->bytes);
        field->doc = field->unit = field->was = "";
        field->type = (weft_type)weft_take_number(t->bytes, WEFT_TYPE_EXTERN);
        field->shape = (weft_shape)weft_take_number(t->bytes, WEFT_SHAPE_STRING);
        field->of = (uint16_t)weft_take_number(t->bytes, COUNT_MAX);
        field->save = weft_take_number(t->bytes, 1) != 0;
        field->offset = weft_take_number(t->bytes, VALUE_BYTES_MAX);
        field->size = weft_take_number(t->bytes, VALUE_BYTES_MAX);
        field->element_size = weft_take_number(t->bytes, VALUE_BYTES_MAX);
        field->items_offset = weft_take_number(t->bytes, VALUE_BYTES_MAX);
        field->count = weft_take_number(t->bytes, ITEMS_MAX);
    }
    return fields;
}

static weft_struct_info *take_structs(const taking *t, uint32_t *count)
{
    weft_struct_info *structs =
        (weft_struct_info *)take_items(t, count, COUNT_MAX, sizeof *structs);
    for (uint32_t i = 0; i < *count; i++) {
        structs[i].name = weft_take_text(t->bytes);
        structs[i].size = weft_take_number(t->bytes, VALUE_BYTES_MAX);
        structs[i].fields = take_fields(t, &structs[i].field_count);
    }
    return structs;
}

static void take_enum(const taking *t, weft_enum_info *info)
{
    info->name = weft_take_text(t->bytes);
    info->type = (weft_type)weft_take_number(t->bytes, WEFT_TYPE_U32);
    const char **values = (const char **)take_items(t, &info->count, VALUES_MAX, sizeof *values);
    for (uint32_t v = 0; v < info->count; v++) values[v] = weft_take_text(t->bytes);
    info->values = values;
    if (info->type < WEFT_TYPE_U8) t->bytes->bad = true;
}

static void take_enums(const taking *t)
{
    weft_enum_info *enums =
        (weft_enum_info *)take_items(t, &t->schema->enum_count, COUNT_MAX, sizeof *enums);
    for (uint32_t i = 0; i < t->schema->enum_count; i++) take_enum(t, &enums[i]);
    t->schema->enums = enums;
}

static void take_components(const taking *t)
{
    weft_component_info *components = (weft_component_info *)take_items(
        t, &t->schema->component_count, COUNT_MAX, sizeof *components);
    for (uint32_t i = 0; i < t->schema->component_count; i++) {
        weft_component_info *info = &components[i];
        info->name = weft_take_text(t->bytes);
        info->storage = (weft_storage)weft_take_number(t->bytes, WEFT_STORAGE_TAG);
        info->soa = weft_take_number(t->bytes, 1) != 0;
        info->save = weft_take_number(t->bytes, 1) != 0;
        info->size = weft_take_number(t->bytes, VALUE_BYTES_MAX);
        info->fields = take_fields(t, &info->field_count);
    }
    t->schema->components = components;
}

static void take_singletons(const taking *t)
{
    weft_singleton_info *singletons = (weft_singleton_info *)take_items(
        t, &t->schema->singleton_count, COUNT_MAX, sizeof *singletons);
    for (uint32_t i = 0; i < t->schema->singleton_count; i++) {
        weft_singleton_info *info = &singletons[i];
        info->name = weft_take_text(t->bytes);
        info->save = weft_take_number(t->bytes, 1) != 0;
        info->size = weft_take_number(t->bytes, VALUE_BYTES_MAX);
        info->fields = take_fields(t, &info->field_count);
    }
    t->schema->singletons = singletons;
}

static void take_events(const taking *t)
{
    weft_event_info *events =
        (weft_event_info *)take_items(t, &t->schema->event_count, COUNT_MAX, sizeof *events);
    for (uint32_t i = 0; i < t->schema->event_count; i++) {
        events[i].name = weft_take_text(t->bytes);
        events[i].size = weft_take_number(t->bytes, VALUE_BYTES_MAX);
        events[i].fields = take_fields(t, &events[i].field_count);
    }
    t->schema->events = events;
}

static void take_relations(const taking *t)
{
    weft_relation_info *relations = (weft_relation_info *)take_items(t, &t->schema->relation_count,
                                                                     COUNT_MAX, sizeof *relations);
    for (uint32_t i = 0; i < t->schema->relation_count; i++) {
        relations[i].name = weft_take_text(t->bytes);
    }
    t->schema->relations = relations;
}

// ------------------------------------------------------------------------------------------------
// Whether it makes sense

static uint32_t number_bytes(weft_type type)
{
    static const uint8_t bytes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
    return bytes[type];
}

// Bytes of an element by its type; 0: there is no such type.
static uint32_t element_bytes(const weft_schema *schema, const weft_field *field)
{
    switch (field->type) {
    case WEFT_TYPE_ENTITY:
        return schema->handle_bytes;
    case WEFT_TYPE_CHAR:
        return 1;
    case WEFT_TYPE_ENUM:
        return field->of < schema->enum_count ? number_bytes(schema->enums[field->of].type) : 0;
    case WEFT_TYPE_STRUCT:
        return field->of < schema->struct_count ? schema->structs[field->of].size : 0;
    case WEFT_TYPE_EXTERN:
        return field->of < schema->extern_count ? schema->externs[field->of].size : 0;
    default:
        return number_bytes(field->type);
    }
}

static bool is_field(const weft_schema *schema, const weft_field *field, uint32_t size)
{
    uint64_t items = (uint64_t)field->count * field->element_size;
    bool list = field->shape == WEFT_SHAPE_LIST;
    bool string = field->shape == WEFT_SHAPE_STRING;
    bool length =
        list ? field->items_offset >= sizeof(uint32_t) && items + field->items_offset <= field->size
             : items == field->size && field->items_offset == 0;
    return length && field->element_size != 0 && field->count != 0 &&
           field->element_size == element_bytes(schema, field) &&
           (field->shape != WEFT_SHAPE_ONE || field->count == 1) &&
           (field->type == WEFT_TYPE_CHAR) == string &&
           (uint64_t)field->offset + field->size <= size;
}

static bool are_fields(const weft_schema *schema, const weft_field *fields, uint32_t count,
                       uint32_t size)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!is_field(schema, &fields[i], size)) return false;
    }
    return true;
}

static bool are_structs(const weft_schema *schema, const weft_struct_info *structs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const weft_struct_info *info = &structs[i];
        if (!are_fields(schema, info->fields, info->field_count, info->size)) return false;
    }
    return true;
}

static bool is_schema(const weft_schema *schema)
{
    uint32_t handle_bits = schema->handle_bytes * 8u;
    bool handles = schema->index_bits >= 1 && schema->index_bits <= 32 &&
                   schema->generation_bits >= 1 && schema->generation_bits <= 32 &&
                   (handle_bits == 16 || handle_bits == 32 || handle_bits == 64) &&
                   schema->index_bits + schema->generation_bits <= (int)handle_bits;
    if (!handles || !are_structs(schema, schema->structs, schema->struct_count) ||
        !are_structs(schema, schema->externs, schema->extern_count)) {
        return false;
    }
    for (uint32_t i = 0; i < schema->component_count; i++) {
        const weft_component_info *info = &schema->components[i];
        bool tag = info->storage == WEFT_STORAGE_TAG;
        if (tag != (info->field_count == 0) || tag != (info->size == 0)) return false;
        if (info->soa && info->storage != WEFT_STORAGE_TABLE) return false;
        if (!are_fields(schema, info->fields, info->field_count, info->size)) return false;
    }
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        if (!are_fields(schema, info->fields, info->field_count, info->size)) return false;
    }
    for (uint32_t i = 0; i < schema->event_count; i++) {
        const weft_event_info *info = &schema->events[i];
        if (info->size == 0) return false;
        if (!are_fields(schema, info->fields, info->field_count, info->size)) return false;
    }
    return true;
}

const weft_schema *weft_take_schema(weft_bytes *bytes, weft_scratch *scratch)
{
    weft_schema *schema = (weft_schema *)weft_scratch_take(scratch, 1, sizeof *schema);
    if (!schema) return NULL;
    taking t = {bytes, scratch, schema};
    schema->name = weft_take_text(bytes);
    schema->index_bits = (uint8_t)weft_take_number(bytes, UINT8_MAX);
    schema->generation_bits = (uint8_t)weft_take_number(bytes, UINT8_MAX);
    schema->handle_bytes = (uint8_t)weft_take_number(bytes, UINT8_MAX);
    take_enums(&t);
    schema->structs = take_structs(&t, &schema->struct_count);
    schema->externs = take_structs(&t, &schema->extern_count);
    take_components(&t);
    take_singletons(&t);
    take_events(&t);
    take_relations(&t);
    return !bytes->bad && bytes->left == 0 && is_schema(schema) ? schema : NULL;
}
