// Writes the schema from the reflection tables, and reads it back into such tables. Their names
// point into the bytes of the save. One list of words, in the order of SAVES.md, serves both
// directions: each member of a record passes through schema_word() or schema_text(), which write
// the member or return what they read.
#include "loader.h"
#include "match.h"
#include "saver.h"

#include "../value/fields.h"
#include "../value/numbers.h"

// The limits of the generator, which are checked when a schema is read.
#define SAVED_DECLARATIONS_MAX 1024u
#define SAVED_FIELDS_MAX 65536u
#define SAVED_ENUM_VALUES_MAX 65536u
#define SAVED_VALUE_BYTES_MAX (1u << 20)
#define SAVED_ITEMS_MAX 65536u

// ------------------------------------------------------------------------------------------------
// Checks of what was read

// Returns the bytes of an element by its type, or 0 if there is no such type.
static uint32_t element_bytes(const weft_schema *schema, const weft_field *field)
{
    switch (field->type) {
    case WEFT_TYPE_ENTITY:
        return schema->handle_bytes;
    case WEFT_TYPE_ENUM:
        if (field->of >= schema->enum_count) return 0;
        return weft_scalars[schema->enums[field->of].type].bytes;
    case WEFT_TYPE_STRUCT:
        return field->of < schema->struct_count ? schema->structs[field->of].size : 0;
    case WEFT_TYPE_EXTERN:
        return field->of < schema->extern_count ? schema->externs[field->of].size : 0;
    default:
        return weft_scalars[field->type].bytes;
    }
}

static bool is_field(const weft_schema *schema, const weft_field *field, uint32_t size)
{
    uint64_t items = (uint64_t)field->count * field->element_size;
    bool list = field->shape == WEFT_SHAPE_LIST;
    bool string = field->shape == WEFT_SHAPE_STRING;
    if (field->by > schema->enum_count) return false;
    if (field->by != 0 && weft_field_by(schema, field)->count != field->count) return false;
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

static bool are_handles(const weft_schema *schema)
{
    uint32_t bits = schema->handle_bytes * 8u;
    return schema->index_bits >= 1 && schema->index_bits <= 32 && schema->generation_bits >= 1 &&
           schema->generation_bits <= 32 && (bits == 16 || bits == 32 || bits == 64) &&
           schema->index_bits + schema->generation_bits <= (int)bits;
}

// ------------------------------------------------------------------------------------------------
// Both directions

typedef struct schema_stream {
    weft_sink *to; // NULL when reading
    weft_bytes *from;
    weft_scratch *scratch; // memory of the schema that is read
    weft_schema *schema;   // the schema that is read
} schema_stream;

static uint32_t schema_word(schema_stream *s, uint32_t value, uint32_t most)
{
    if (!s->to) return weft_read_number(s->from, most);
    weft_write_word(s->to, value);
    return value;
}

static void schema_text(schema_stream *s, const char **value)
{
    if (s->to)
        weft_write_text(s->to, *value);
    else
        *value = weft_read_text(s->from);
}

// Marks the schema as invalid if the condition is false. Used when reading only.
static void schema_check(schema_stream *s, bool holds)
{
    if (!s->to && !holds) s->from->bad = true;
}

typedef void (*schema_record)(schema_stream *s, void *record);

// Any record. A record is copied before it is written, because tables are constant.
typedef union any_record {
    weft_enum_info enumeration;
    weft_field field;
    weft_struct_info structure;
    weft_component_info component;
    weft_singleton_info singleton;
    weft_event_info event;
    weft_relation_info relation;
    weft_link_info link;
    const char *value;
} any_record;

// Allocates as many records as the save announces. Each must take at least one word of the save,
// which limits their number.
static void *new_records(schema_stream *s, uint32_t *count, uint32_t most, size_t size)
{
    *count = weft_read_number(s->from, most);
    if (*count > s->from->left / WEFT_WORD_BYTES) s->from->bad = true;
    void *records = s->from->bad ? NULL : weft_scratch_array(s->scratch, *count, size);
    if (!records) s->from->bad = true;
    if (!records) *count = 0;
    return records;
}

// A list: the number of records, then each of them. Returns the records; when reading, these are
// new.
static const void *schema_list(schema_stream *s, const void *records, uint32_t *count,
                               uint32_t most, size_t size, schema_record each)
{
    if (!s->to) {
        unsigned char *read = (unsigned char *)new_records(s, count, most, size);
        for (uint32_t i = 0; i < *count; i++) each(s, read + i * size);
        return read;
    }
    weft_write_word(s->to, *count);
    for (uint32_t i = 0; i < *count; i++) {
        any_record copy;
        memcpy(&copy, (const unsigned char *)records + i * size, size);
        each(s, &copy);
    }
    return records;
}

#define SCHEMA_LIST(s, records, count, most, each)                                                 \
    ((records) = schema_list((s), (records), &(count), (most), sizeof *(records), (each)))

// In saves, an array that an enum numbers has its own shape, followed by the number of the enum.
#define SAVED_SHAPE_BY ((uint32_t)WEFT_SHAPE_STRING + 1u)

static void field_words(schema_stream *s, void *record)
{
    weft_field *field = record;
    schema_text(s, &field->name);
    field->type = (weft_type)schema_word(s, field->type, weft_type_count - 1);
    uint32_t shape =
        schema_word(s, field->by != 0 ? SAVED_SHAPE_BY : (uint32_t)field->shape, SAVED_SHAPE_BY);
    field->shape = shape == SAVED_SHAPE_BY ? WEFT_SHAPE_ARRAY : (weft_shape)shape;
    if (shape == SAVED_SHAPE_BY)
        field->by = (uint16_t)(1 + schema_word(s, field->by - 1u, SAVED_DECLARATIONS_MAX));
    field->of = (uint16_t)schema_word(s, field->of, SAVED_DECLARATIONS_MAX);
    field->save = schema_word(s, field->save, 1) != 0;
    field->offset = schema_word(s, field->offset, SAVED_VALUE_BYTES_MAX);
    field->size = schema_word(s, field->size, SAVED_VALUE_BYTES_MAX);
    field->element_size = schema_word(s, field->element_size, SAVED_VALUE_BYTES_MAX);
    field->items_offset = schema_word(s, field->items_offset, SAVED_VALUE_BYTES_MAX);
    field->count = schema_word(s, field->count, SAVED_ITEMS_MAX);
}

static void struct_words(schema_stream *s, void *record)
{
    weft_struct_info *info = record;
    schema_text(s, &info->name);
    info->size = schema_word(s, info->size, SAVED_VALUE_BYTES_MAX);
    SCHEMA_LIST(s, info->fields, info->field_count, SAVED_FIELDS_MAX, field_words);
}

// Used for an enum's values, and for relations, whose first member is their name and the only one
// saved.
static void name_words(schema_stream *s, void *record)
{
    schema_text(s, (const char **)record);
}

static void enum_words(schema_stream *s, void *record)
{
    weft_enum_info *info = record;
    schema_text(s, &info->name);
    info->type = (weft_type)schema_word(s, info->type, WEFT_TYPE_U32);
    SCHEMA_LIST(s, info->values, info->count, SAVED_ENUM_VALUES_MAX, name_words);
    schema_check(s, info->type >= WEFT_TYPE_U8);
}

// The fields of a component, singleton or event. The structs and enums that they use were read
// before.
static void value_fields(schema_stream *s, const weft_field **fields, uint32_t *count,
                         uint32_t size)
{
    SCHEMA_LIST(s, *fields, *count, SAVED_FIELDS_MAX, field_words);
    schema_check(s, s->to || are_fields(s->schema, *fields, *count, size));
}

static void component_words(schema_stream *s, void *record)
{
    weft_component_info *info = record;
    schema_text(s, &info->name);
    info->storage = (weft_storage)schema_word(s, info->storage, WEFT_STORAGE_TAG);
    info->soa = schema_word(s, info->soa, 1) != 0;
    info->save = schema_word(s, info->save, 1) != 0;
    info->size = schema_word(s, info->size, SAVED_VALUE_BYTES_MAX);
    value_fields(s, &info->fields, &info->field_count, info->size);
    bool tag = info->storage == WEFT_STORAGE_TAG;
    schema_check(s, tag == (info->field_count == 0) && tag == (info->size == 0));
    schema_check(s, !info->soa || info->storage == WEFT_STORAGE_TABLE);
}

static void singleton_words(schema_stream *s, void *record)
{
    weft_singleton_info *info = record;
    schema_text(s, &info->name);
    info->save = schema_word(s, info->save, 1) != 0;
    info->size = schema_word(s, info->size, SAVED_VALUE_BYTES_MAX);
    value_fields(s, &info->fields, &info->field_count, info->size);
}

static void event_words(schema_stream *s, void *record)
{
    weft_event_info *info = record;
    schema_text(s, &info->name);
    info->size = schema_word(s, info->size, SAVED_VALUE_BYTES_MAX);
    value_fields(s, &info->fields, &info->field_count, info->size);
    schema_check(s, info->size != 0);
}

static void link_words(schema_stream *s, void *record)
{
    weft_link_info *info = record;
    schema_text(s, &info->name);
    info->symmetric = schema_word(s, info->symmetric, 1) != 0;
    info->save = schema_word(s, info->save, 1) != 0;
    info->size = schema_word(s, info->size, SAVED_VALUE_BYTES_MAX);
    value_fields(s, &info->fields, &info->field_count, info->size);
    schema_check(s, (info->field_count == 0) == (info->size == 0));
}

// Kinds of links come last, and only if there are any. Saves of earlier versions end before them.
static void all_links(schema_stream *s, weft_schema *schema)
{
    if (s->to ? schema->link_count == 0 : s->from->left == 0) return;
    SCHEMA_LIST(s, schema->links, schema->link_count, SAVED_DECLARATIONS_MAX, link_words);
    schema_check(s, schema->link_count != 0);
}

static void schema_words(schema_stream *s, weft_schema *schema)
{
    const uint32_t most = SAVED_DECLARATIONS_MAX;
    schema_text(s, &schema->name);
    schema->index_bits = (uint8_t)schema_word(s, schema->index_bits, UINT8_MAX);
    schema->generation_bits = (uint8_t)schema_word(s, schema->generation_bits, UINT8_MAX);
    schema->handle_bytes = (uint8_t)schema_word(s, schema->handle_bytes, UINT8_MAX);
    schema_check(s, are_handles(schema));
    SCHEMA_LIST(s, schema->enums, schema->enum_count, most, enum_words);
    SCHEMA_LIST(s, schema->structs, schema->struct_count, most, struct_words);
    SCHEMA_LIST(s, schema->externs, schema->extern_count, most, struct_words);
    schema_check(s, s->to || (are_structs(schema, schema->structs, schema->struct_count) &&
                              are_structs(schema, schema->externs, schema->extern_count)));
    SCHEMA_LIST(s, schema->components, schema->component_count, most, component_words);
    SCHEMA_LIST(s, schema->singletons, schema->singleton_count, most, singleton_words);
    SCHEMA_LIST(s, schema->events, schema->event_count, most, event_words);
    SCHEMA_LIST(s, schema->relations, schema->relation_count, most, name_words);
    all_links(s, schema);
}

// ------------------------------------------------------------------------------------------------
// The section

weft_section_writer weft_write_schema;
weft_section_reader weft_read_schema;

void weft_write_schema(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    weft_schema schema = *saver->world->plan->schema;
    (void)number;
    schema_words(&(schema_stream){.to = sink}, &schema);
}

// Reads the schema first, because all other sections depend on it.
bool weft_read_schema(weft_loader *l, weft_bytes body)
{
    if (!body.at) return weft_loader_damaged(l, "it has no schema");
    weft_schema *file = weft_scratch_array(&l->scratch, 1, sizeof *file);
    schema_stream stream = {.from = &body, .scratch = &l->scratch, .schema = file};
    if (file) schema_words(&stream, file);
    if (l->scratch.out_of_memory) return weft_loader_no_memory(l);
    if (!weft_bytes_ended(&body)) return weft_loader_damaged(l, "its schema is invalid");
    const weft_schema *world = l->into->plan->schema;
    if (strcmp(file->name, world->name) != 0) {
        return weft_loader_refuse(l, WEFT_MISMATCH, "the save is of world '%.64s', not of '%s'",
                                  file->name, world->name);
    }
    l->matched.schemas = (weft_schemas){.file = file, .world = world, .scratch = &l->scratch};
    bool matched = weft_schemas_match(&l->matched);
    l->stores = weft_scratch_array(&l->scratch, file->component_count, sizeof *l->stores);
    if (l->scratch.out_of_memory) return weft_loader_no_memory(l);
    return matched || weft_loader_refuse(l, WEFT_MISMATCH, "the save cannot be converted: %s",
                                         l->matched.schemas.why);
}
