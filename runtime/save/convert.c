// Conversion: two schemas are matched by name, and the pairs of fields that come of it are walked
// for the values. Each pair is applied to all rows of a block before the next pair.
#include "convert.h"

#include "../plan/scalars.h"
#include "bytes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

// The rows of a block stay in the cache while their fields are converted one after the other.
#define CONVERTED_BLOCK_BYTES 16384u

#define TYPE_TEXT_BYTES 96
#define ALLOW_IT "; let the schema allow it, or give the new field another name"

// The walks over fields need these everywhere.
typedef struct conversion {
    weft_schemas *schemas;
    const weft_match *match;
    bool in_place; // values are where they belong, and only checked and cleaned
    weft_status status;
} conversion;

// ------------------------------------------------------------------------------------------------
// Refusals

static const char *element_name(const weft_schema *schema, const weft_field *field)
{
    if (field->type == WEFT_TYPE_ENUM) return schema->enums[field->of].name;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    return inner ? inner->name : weft_type_name(field->type);
}

static void type_text(const weft_schema *schema, const weft_field *field, char *text, size_t size)
{
    const char *name = element_name(schema, field);
    const weft_enum_info *by = weft_field_by(schema, field);
    if (field->shape == WEFT_SHAPE_ONE) {
        snprintf(text, size, "%.64s", name);
    } else if (by) {
        snprintf(text, size, "%.40s[%.40s]", name, by->name);
    } else {
        const char *dots = field->shape == WEFT_SHAPE_LIST ? ".." : "";
        snprintf(text, size, "%.64s[%s%" PRIu32 "]", name, dots, field->count);
    }
}

static bool refuse_field(conversion *c, const weft_field_pair *pair, weft_status status,
                         const char *format, ...)
{
    va_list arguments;
    char *why = c->schemas->why;
    size_t size = sizeof c->schemas->why;
    // Names of the world have at most 64 characters, so all of them fit.
    size_t begun = (size_t)snprintf(why, size, "field '%s' of %s '%s'", pair->is->name,
                                    c->match->kind, c->match->is.name);
    c->schemas->why_field = begun;
    va_start(arguments, format);
    vsnprintf(why + begun, size - begun, format, arguments);
    va_end(arguments);
    c->status = status;
    return false;
}

static bool refuse_pair(conversion *c, const weft_field_pair *pair)
{
    char was[TYPE_TEXT_BYTES], is[TYPE_TEXT_BYTES];
    type_text(c->schemas->file, pair->was, was, sizeof was);
    type_text(c->schemas->world, pair->is, is, sizeof is);
    return refuse_field(c, pair, WEFT_MISMATCH,
                        " was %s in the save and is %s now, which values cannot be converted to; "
                        "give the new field another name",
                        was, is);
}

// No save ever had that value.
static bool refuse_damaged(conversion *c, const weft_field_pair *pair)
{
    return refuse_field(c, pair, WEFT_BAD_FILE, " holds what a %.64s cannot be",
                        element_name(c->schemas->file, pair->was));
}

// ------------------------------------------------------------------------------------------------
// Pairs of fields

static weft_field_pairs pair_fields(conversion *c, const weft_field *was, uint32_t was_count,
                                    const weft_field *is, uint32_t is_count);

bool weft_handles_same(const weft_schemas *schemas)
{
    return schemas->file->index_bits == schemas->world->index_bits &&
           schemas->file->generation_bits == schemas->world->generation_bits;
}

// Maps each value of an enum in the save to what it is now. *same: nothing about them has changed.
static const uint32_t *map_enum(const weft_schemas *s, const weft_enum_info *was,
                                const weft_enum_info *is, bool *same)
{
    uint32_t *values = weft_scratch_array(s->scratch, was->count, sizeof *values);
    *same = was->type == is->type && was->count == is->count;
    for (uint32_t i = 0; values && i < was->count; i++) {
        const char *name = was->values[i];
        values[i] = weft_name_find(is->values, sizeof *is->values, is->count, name);
        if (values[i] != i) *same = false;
        if (values[i] == WEFT_NO_NAME && is->was) {
            values[i] = weft_name_find(is->was, sizeof *is->was, is->count, name);
        }
    }
    return values;
}

// A number with fewer digits than its bytes, such as a bool, has to be checked in a save.
static bool has_any_bytes(const weft_scalar *number)
{
    uint32_t sign = number->kind == WEFT_SIGNED;
    return number->kind == WEFT_FLOAT || number->digits + sign == number->bytes * 8u;
}

// Numbers, handles or values of an enum.
static bool pair_scalars(conversion *c, weft_field_pair *pair)
{
    const weft_schemas *s = c->schemas;
    weft_type was = pair->was->type;
    weft_type is = pair->is->type;
    bool same = was == is;
    bool plain = is == WEFT_TYPE_ENTITY;
    if (weft_scalars[is].digits != 0 && weft_scalars[was].digits != 0) { // both are numbers
        plain = has_any_bytes(&weft_scalars[is]);
    } else if (was != is) {
        return refuse_pair(c, pair);
    } else if (is == WEFT_TYPE_ENUM) {
        pair->values =
            map_enum(s, &s->file->enums[pair->was->of], &s->world->enums[pair->is->of], &same);
        if (!pair->values) return false;
    } else if (is == WEFT_TYPE_ENTITY) {
        same = weft_handles_same(s);
    }
    pair->elements = (weft_field_pairs){.same = same && !WEFT_BIG_ENDIAN, .plain = plain};
    return true;
}

// Finds the bytes of a struct that are no field's. Fields of an extern come in any order, and may
// share bytes. False: no memory.
static bool find_gaps(conversion *c, weft_field_pairs *pairs, uint32_t size)
{
    weft_gap *gaps = weft_scratch_array(c->schemas->scratch, pairs->count + 1, sizeof *gaps);
    uint32_t end = 0; // of all fields so far
    for (uint32_t at = 0; gaps && at < size; at = end) {
        uint32_t next = size; // the first field behind `at`
        for (uint32_t i = 0; i < pairs->count; i++) {
            const weft_field *field = pairs->each[i].is;
            if (field->offset > at && field->offset < next) next = field->offset;
            if (field->offset <= at && field->offset + field->size > end)
                end = field->offset + field->size;
        }
        if (end > at) continue;
        gaps[pairs->gap_count++] = (weft_gap){at, next - at};
        end = next;
    }
    pairs->gaps = gaps;
    pairs->plain = pairs->plain && pairs->gap_count == 0;
    return gaps != NULL;
}

// Maps the elements of an array in the save to those in the world by the names of the values that
// number them; other arrays go by place. *same: each stays where it is. False: no memory.
static bool pair_places(conversion *c, weft_field_pair *pair, bool *same)
{
    const weft_schemas *s = c->schemas;
    const weft_enum_info *was = weft_field_by(s->file, pair->was);
    const weft_enum_info *is = weft_field_by(s->world, pair->is);
    *same = true;
    if (!was || !is) return true;
    pair->places = map_enum(s, was, is, same);
    return pair->places != NULL;
}

static bool pair_members(conversion *c, weft_field_pair *pair)
{
    bool in_place;
    const weft_field *was = pair->was;
    const weft_field *is = pair->is;
    const weft_struct_info *inner_was = weft_field_struct(c->schemas->file, was);
    const weft_struct_info *inner = weft_field_struct(c->schemas->world, is);
    if (was->shape != is->shape || !inner_was != !inner) return refuse_pair(c, pair);
    if (inner) {
        pair->elements = pair_fields(c, inner_was->fields, inner_was->field_count, inner->fields,
                                     inner->field_count);
        if (!pair->elements.each || !find_gaps(c, &pair->elements, inner->size)) return false;
    } else if (!pair_scalars(c, pair)) {
        return false;
    }
    if (!pair_places(c, pair, &in_place)) return false;
    pair->elements.same = pair->elements.same && was->element_size == is->element_size;
    pair->same = in_place && pair->elements.same && was->size == is->size &&
                 was->count == is->count && was->items_offset == is->items_offset;
    return true;
}

// Pairs fields of the world with those of the save. Of no struct: refused, or no memory.
static weft_field_pairs pair_fields(conversion *c, const weft_field *was, uint32_t was_count,
                                    const weft_field *is, uint32_t is_count)
{
    const weft_field_pairs none = {.each = NULL};
    weft_field_pairs all = {.count = is_count, .same = was_count == is_count, .plain = true};
    weft_field_pair *pairs = weft_scratch_array(c->schemas->scratch, is_count, sizeof *pairs);
    if (!pairs) return none;
    for (uint32_t i = 0; i < is_count; i++) {
        weft_field_pair *pair = &pairs[i];
        uint32_t found = weft_name_before(was, sizeof *was, was_count, is[i].name, is[i].was);
        pair->is = &is[i];
        if (found != WEFT_NO_NAME && was[found].save && is[i].save) {
            pair->was = &was[found];
            if (!pair_members(c, pair)) return none;
        }
        bool in_place = found == i && was[i].offset == is[i].offset;
        bool fixed = is[i].shape == WEFT_SHAPE_ONE || is[i].shape == WEFT_SHAPE_ARRAY;
        all.same = all.same && pair->same && in_place;
        pair->plain = pair->elements.plain && fixed;
        all.plain = all.plain && pair->plain;
    }
    all.each = pairs;
    return all;
}

// ------------------------------------------------------------------------------------------------
// Declarations of a schema. Components, singletons and events have values, and so fields to be
// paired; relations are names alone. Each is described as a component, whose `save` is false if it
// has no values to convert.

static weft_component_info declared_component(const void *record)
{
    weft_component_info info = *(const weft_component_info *)record;
    info.save = info.save && info.field_count != 0;
    return info;
}

static weft_component_info declared_singleton(const void *record)
{
    const weft_singleton_info *s = record;
    return (weft_component_info){.name = s->name,
                                 .was = s->was,
                                 .size = s->size,
                                 .save = s->save,
                                 .field_count = s->field_count,
                                 .fields = s->fields,
                                 .defaults = s->defaults};
}

static weft_component_info declared_event(const void *record)
{
    const weft_event_info *e = record;
    return (weft_component_info){.name = e->name,
                                 .was = e->was,
                                 .size = e->size,
                                 .save = true,
                                 .field_count = e->field_count,
                                 .fields = e->fields,
                                 .defaults = e->defaults};
}

static weft_component_info declared_relation(const void *record)
{
    const weft_relation_info *r = record;
    return (weft_component_info){.name = r->name, .was = r->was};
}

// All of a kind in one of the schemas.
typedef struct declarations {
    const void *records;
    uint32_t count;
} declarations;

typedef struct declared_kind {
    const char *name;
    size_t record_bytes;
    weft_component_info (*info)(const void *record);
} declared_kind;

static weft_component_info declared(const declared_kind *kind, declarations all, uint32_t i)
{
    return kind->info((const unsigned char *)all.records + i * kind->record_bytes);
}

// Matches the fields that a thing of the world had and has. False: refused, or no memory.
static bool match_values(weft_schemas *s, weft_match *match)
{
    conversion c = {.schemas = s, .match = match};
    const weft_component_info *was = &match->was;
    const weft_component_info *is = &match->is;
    match->fields = pair_fields(&c, was->fields, was->field_count, is->fields, is->field_count);
    match->fields.same = match->fields.same && was->soa == is->soa && was->size == is->size;
    return match->fields.each && (is->soa || find_gaps(&c, &match->fields, is->size));
}

static bool match_kind(weft_schemas *s, declared_kind kind, declarations file, declarations world,
                       weft_matched_kind *matched)
{
    matched->now = weft_scratch_array(s->scratch, file.count, sizeof *matched->now);
    matched->was = weft_scratch_array(s->scratch, world.count, sizeof *matched->was);
    matched->values = weft_scratch_array(s->scratch, world.count, sizeof *matched->values);
    if (s->scratch->out_of_memory) return false;
    for (uint32_t f = 0; f < file.count; f++) matched->now[f] = WEFT_NEVER;
    for (uint32_t i = 0; i < world.count; i++) {
        weft_match match = {.kind = kind.name, .is = declared(&kind, world, i)};
        uint32_t f = weft_name_before(file.records, kind.record_bytes, file.count, match.is.name,
                                      match.is.was);
        matched->was[i] = f;
        if (f == WEFT_NEVER) continue;
        matched->now[f] = i;
        match.was = declared(&kind, file, f);
        if (!match.is.save || !match.was.save) continue;
        matched->values[i] = weft_scratch_array(s->scratch, 1, sizeof match);
        if (!matched->values[i]) return false;
        *matched->values[i] = match;
        if (!match_values(s, matched->values[i])) return false;
    }
    return true;
}

bool weft_schemas_match(weft_matched *matched)
{
    weft_schemas *s = &matched->schemas;
    const weft_schema *f = s->file;
    const weft_schema *w = s->world;
#define MATCH_KIND(kind, records, count)                                                           \
    match_kind(s, (declared_kind){#kind, sizeof *w->records, declared_##kind},                     \
               (declarations){f->records, f->count}, (declarations){w->records, w->count},         \
               &matched->records)
    return MATCH_KIND(component, components, component_count) &&
           MATCH_KIND(singleton, singletons, singleton_count) &&
           MATCH_KIND(event, events, event_count) &&
           MATCH_KIND(relation, relations, relation_count);
#undef MATCH_KIND
}

// ------------------------------------------------------------------------------------------------
// Elements

static bool convert_member(conversion *c, const weft_field_pair *pair, weft_cells cells);

// Whole numbers become floats only if nothing of them is lost; an f64 becomes the nearest f32.
static bool to_float(weft_number_kind kind, weft_type is, weft_number *n)
{
    const double infinite = 3.4028235677973366e38; // the least that an f32 rounds to infinity
    double value;
    if (!weft_double_from_number(kind, *n, &value)) return false;
    n->f64 = value;
    if (is == WEFT_TYPE_F64) return true;
    if (kind != WEFT_FLOAT) return (double)(float)value == value;
    bool finite = value - value == 0;
    return !finite || (value < infinite && value > -infinite);
}

static bool to_number(weft_number_kind kind, weft_type is, weft_number *n)
{
    weft_number_kind now = weft_kind_of(is);
    if (now == WEFT_FLOAT) return to_float(kind, is, n);
    if (kind == WEFT_FLOAT && !weft_number_from_double(now, weft_scalars[is].bytes, n->f64, n)) {
        return false;
    }
    return weft_scalar_has(is, kind == WEFT_FLOAT ? now : kind, *n);
}

static bool convert_numbers(conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    weft_type was = pair->was->type;
    weft_type is = pair->is->type;
    weft_number_kind kind = weft_kind_of(was);
    uint32_t bytes = weft_scalars[was].bytes;
    for (size_t i = 0; i < cells.count; i++) {
        weft_cells cell = weft_cells_nth(cells, i);
        uint64_t bits = 0;
        weft_bits_write(&bits, bytes, weft_little_read(cell.from, bytes));
        weft_number n = weft_number_load(kind, &bits, bytes);
        if (kind != WEFT_FLOAT && !weft_scalar_has(was, kind, n)) return refuse_damaged(c, pair);
        if (was == is) { // another byte order, or a value that had to be checked
            memcpy(cell.to, &bits, bytes);
            continue;
        }
        if (!to_number(kind, is, &n)) {
            return refuse_field(c, pair, WEFT_MISMATCH,
                                " holds a number of type %s that %s cannot hold" ALLOW_IT,
                                weft_type_name(was), weft_type_name(is));
        }
        weft_number_store(weft_kind_of(is), cell.to, weft_scalars[is].bytes, n);
    }
    return true;
}

uint64_t weft_convert_handle(const weft_schemas *schemas, uint64_t bits)
{
    const weft_schema *was = schemas->file;
    const weft_schema *is = schemas->world;
    uint64_t index = bits & (((uint64_t)1 << was->index_bits) - 1);
    uint64_t generation = bits >> was->index_bits;
    if (weft_handles_same(schemas)) return bits;
    if (generation >> was->generation_bits != 0) return 0; // it was none, and must not become one
    if (index >> is->index_bits != 0 || generation >> is->generation_bits != 0) return 0;
    return index | generation << is->index_bits;
}

static bool convert_handles(const conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    for (size_t i = 0; i < cells.count; i++) {
        weft_cells cell = weft_cells_nth(cells, i);
        uint64_t bits = weft_little_read(cell.from, pair->was->element_size);
        weft_bits_write(cell.to, pair->is->element_size, weft_convert_handle(c->schemas, bits));
    }
    return true;
}

static bool convert_enums(conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    const weft_enum_info *was = &c->schemas->file->enums[pair->was->of];
    for (size_t i = 0; i < cells.count; i++) {
        weft_cells cell = weft_cells_nth(cells, i);
        uint64_t value = weft_little_read(cell.from, pair->was->element_size);
        if (value >= was->count) return refuse_damaged(c, pair);
        if (pair->values[value] == WEFT_NEVER) {
            return refuse_field(c, pair, WEFT_MISMATCH,
                                " is '%.64s', which enum '%s' does not have any more" ALLOW_IT,
                                was->values[value], element_name(c->schemas->world, pair->is));
        }
        weft_bits_write(cell.to, pair->is->element_size, pair->values[value]);
    }
    return true;
}

// Makes zeros of bytes outside of fields. Values that were converted began as defaults, which have
// zeros there.
static void clean_gaps(const conversion *c, const weft_field_pairs *pairs, weft_cells cells)
{
    for (uint32_t i = 0; c->in_place && i < pairs->gap_count; i++) {
        unsigned char *at = cells.to + pairs->gaps[i].offset;
        size_t size = pairs->gaps[i].size;
        for (size_t k = 0; k < cells.count; k++, at += cells.to_stride) {
            for (size_t b = 0; b < size; b++) at[b] = 0;
        }
    }
}

// Converts one element of each member.
static bool convert_elements(conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    for (uint32_t i = 0; i < pair->elements.count; i++) {
        const weft_field_pair *inner = &pair->elements.each[i];
        if (!inner->was || (c->in_place && inner->plain)) continue;
        weft_cells part = weft_cells_at(cells, inner->was->offset, inner->is->offset);
        if (!convert_member(c, inner, part)) return false;
    }
    clean_gaps(c, &pair->elements, cells);
    if (pair->elements.each) return true;
    if (pair->is->type == WEFT_TYPE_ENTITY) return convert_handles(c, pair, cells);
    if (pair->is->type == WEFT_TYPE_ENUM) return convert_enums(c, pair, cells);
    return convert_numbers(c, pair, cells);
}

// ------------------------------------------------------------------------------------------------
// Members

// Converts the elements of arrays that go by names; those that have none now are lost.
static bool convert_named(conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    for (uint32_t i = 0; i < pair->was->count; i++) {
        if (pair->places[i] == WEFT_NEVER) continue;
        weft_cells element = weft_cells_at(cells, (size_t)i * pair->was->element_size,
                                           (size_t)pair->places[i] * pair->is->element_size);
        if (!convert_elements(c, pair, element)) return false;
    }
    return true;
}

static bool convert_array(conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    const weft_field *was = pair->was;
    const weft_field *is = pair->is;
    uint32_t count = was->count < is->count ? was->count : is->count;
    if (pair->places && !pair->same) return convert_named(c, pair, cells);
    if (pair->elements.same && pair->elements.plain) {
        if (!c->in_place) weft_cells_copy(cells, (size_t)count * is->element_size);
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        weft_cells element =
            weft_cells_at(cells, (size_t)i * was->element_size, (size_t)i * is->element_size);
        if (!convert_elements(c, pair, element)) return false;
    }
    return true;
}

// Makes zeros of bytes that mean nothing. Nearly always they are zeros, so they are only read then:
// memory that is written costs more, since it has to go back.
static void clean(unsigned char *at, size_t bytes)
{
    uint64_t any = 0;
    size_t i = 0;
    for (; i + sizeof any <= bytes; i += sizeof any) {
        uint64_t word;
        memcpy(&word, at + i, sizeof word);
        any |= word;
    }
    for (; i < bytes; i++) any |= at[i];
    if (any != 0) memset(at, 0, bytes);
}

static bool convert_string(conversion *c, const weft_field_pair *pair, weft_cells cell)
{
    const void *end = memchr(cell.from, '\0', pair->was->count);
    size_t length = end ? (size_t)((const unsigned char *)end - cell.from) : 0;
    if (!end) return refuse_damaged(c, pair);
    if (length >= pair->is->count) {
        return refuse_field(c, pair, WEFT_MISMATCH,
                            " has %zu bytes, and there is room for %" PRIu32 " now" ALLOW_IT,
                            length, pair->is->count - 1);
    }
    if (!c->in_place) memcpy(cell.to, cell.from, length);
    clean(cell.to + length, pair->is->count - length);
    return true;
}

// Items of structs with fields that the save does not know begin as the defaults of the struct.
static bool convert_list(conversion *c, const weft_field_pair *pair, weft_cells cell)
{
    const weft_field *was = pair->was;
    const weft_field *is = pair->is;
    uint32_t count = (uint32_t)weft_little_read(cell.from, (uint32_t)sizeof count);
    if (count > was->count) return refuse_damaged(c, pair);
    if (count > is->count) {
        return refuse_field(c, pair, WEFT_MISMATCH,
                            " has %" PRIu32 " items, and there is room for %" PRIu32
                            " now" ALLOW_IT,
                            count, is->count);
    }
    weft_bits_write(cell.to, (uint32_t)sizeof count, count);
    weft_cells items = weft_cells_at(cell, was->items_offset, is->items_offset);
    size_t used = (size_t)count * is->element_size;
    clean(cell.to + sizeof count, is->items_offset - sizeof count);
    clean(items.to + used, is->size - is->items_offset - used);
    if (pair->elements.same && pair->elements.plain) {
        if (!c->in_place) memcpy(items.to, items.from, used);
        return true;
    }
    items.from_stride = was->element_size;
    items.to_stride = is->element_size;
    items.count = count;
    const weft_struct_info *inner = weft_field_struct(c->schemas->world, is);
    for (uint32_t i = 0; inner && !c->in_place && i < count; i++) {
        memcpy(items.to + i * items.to_stride, inner->defaults, items.to_stride);
    }
    return convert_elements(c, pair, items);
}

static bool convert_member(conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    if (pair->is->shape == WEFT_SHAPE_ONE || pair->is->shape == WEFT_SHAPE_ARRAY) {
        return convert_array(c, pair, cells);
    }
    for (size_t i = 0; i < cells.count; i++) {
        weft_cells cell = weft_cells_nth(cells, i);
        bool converted = pair->is->shape == WEFT_SHAPE_LIST ? convert_list(c, pair, cell)
                                                            : convert_string(c, pair, cell);
        if (!converted) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Rows

static size_t column_stride(const weft_component_info *info, uint32_t field)
{
    return info->soa ? info->fields[field].size : info->size;
}

// Returns where a field is in the first of the rows.
static unsigned char *field_in(const weft_component_info *info, weft_column_span span,
                               uint32_t field)
{
    unsigned char *column = (unsigned char *)span.columns[info->soa ? field : 0];
    return column + span.first * column_stride(info, field) +
           (info->soa ? 0 : info->fields[field].offset);
}

void weft_default_rows(const weft_component_info *info, weft_column_span to, uint32_t rows)
{
    const unsigned char *value = (const unsigned char *)info->defaults;
    for (uint32_t i = 0; i < (info->soa ? info->field_count : 1); i++) {
        size_t stride = column_stride(info, i);
        unsigned char *at = (unsigned char *)to.columns[i] + to.first * stride;
        size_t offset = info->soa ? info->fields[i].offset : 0;
        weft_cells_copy((weft_cells){value + offset, at, 0, stride, rows}, stride);
    }
}

static void copy_rows(const weft_component_info *info, weft_column_span from, weft_column_span to,
                      uint32_t rows)
{
    for (uint32_t i = 0; i < (info->soa ? info->field_count : 1); i++) {
        size_t stride = column_stride(info, i);
        memcpy((unsigned char *)to.columns[i] + to.first * stride,
               (const unsigned char *)from.columns[i] + from.first * stride, rows * stride);
    }
}

static bool convert_block(conversion *c, weft_column_span from, weft_column_span to, uint32_t rows)
{
    const weft_match *match = c->match;
    if (!match->fields.same) weft_default_rows(&match->is, to, rows);
    for (uint32_t i = 0; i < match->is.field_count; i++) {
        const weft_field_pair *pair = &match->fields.each[i];
        if (!pair->was || (c->in_place && pair->plain)) continue;
        uint32_t was = (uint32_t)(pair->was - match->was.fields);
        weft_cells cells = {
            .from = field_in(&match->was, from, was),
            .to = field_in(&match->is, to, i),
            .from_stride = column_stride(&match->was, was),
            .to_stride = column_stride(&match->is, i),
            .count = rows,
        };
        if (!convert_member(c, pair, cells)) return false;
    }
    weft_cells structs = {.to_stride = match->is.size, .count = rows};
    structs.to = (unsigned char *)to.columns[0] + to.first * structs.to_stride;
    clean_gaps(c, &match->fields, structs);
    return true;
}

weft_status weft_convert_rows(weft_schemas *schemas, const weft_match *match, weft_column_span from,
                              weft_column_span to, uint32_t rows)
{
    conversion c = {schemas, match, match->fields.same, WEFT_OK};
    if (rows == 0) return WEFT_OK; // there may be no columns either
    if (match->fields.same) {
        if (from.columns != to.columns) copy_rows(&match->is, from, to, rows);
        from = to;
        if (match->fields.plain) return WEFT_OK;
    }
    uint32_t block = CONVERTED_BLOCK_BYTES / (match->was.size + match->is.size + 1) + 1;
    for (uint32_t done = 0; done != rows;) {
        uint32_t some = rows - done < block ? rows - done : block;
        if (convert_block(&c, from, to, some)) {
            from.first += some;
            to.first += some;
            done += some;
        } else if (some == 1) {
            schemas->why_row = done;
            return c.status;
        } else {
            block = 1; // so that it is known which one of these it is
        }
    }
    return WEFT_OK;
}
