// Pairs the components, singletons, events and relations of two schemas by name, and their fields,
// down into structs.
#include "match.h"

#include "../value/numbers.h"
#include "bytes.h"

#define TYPE_TEXT_BYTES 96

// Parameters of all functions that walk over fields.
typedef struct matching {
    weft_schemas *schemas;
    const weft_match *match;
} matching;

// ------------------------------------------------------------------------------------------------
// Pairs of fields

static weft_field_pairs pair_fields(matching *m, const weft_field *was, uint32_t was_count,
                                    const weft_field *is, uint32_t is_count);

static bool refuse_pair(const matching *m, const weft_field_pair *pair)
{
    char was[TYPE_TEXT_BYTES], is[TYPE_TEXT_BYTES];
    weft_type_text(m->schemas->file, pair->was, was, sizeof was);
    weft_type_text(m->schemas->world, pair->is, is, sizeof is);
    return weft_refuse_field(m->schemas, m->match, pair->is,
                             " was %s in the save and is %s now, and values cannot be converted; "
                             "give the new field another name",
                             was, is);
}

// Maps each value of an enum in the save to its number now. *same is set if nothing about the
// values has changed.
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

// Returns whether all bytes are valid values of a number. A number with fewer bits than its bytes,
// such as a bool, must be checked when it is loaded.
static bool has_any_bytes(const weft_scalar *number)
{
    uint32_t sign = number->kind == WEFT_SIGNED;
    return number->kind == WEFT_FLOAT || number->digits + sign == number->bytes * 8u;
}

// Pairs numbers, handles or values of an enum.
static bool pair_scalars(matching *m, weft_field_pair *pair)
{
    const weft_schemas *s = m->schemas;
    weft_type was = pair->was->type;
    weft_type is = pair->is->type;
    bool same = was == is;
    bool plain = is == WEFT_TYPE_ENTITY;
    if (weft_scalars[is].digits != 0 && weft_scalars[was].digits != 0) { // both are numbers
        plain = has_any_bytes(&weft_scalars[is]);
    } else if (was != is) {
        return refuse_pair(m, pair);
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

// Finds the bytes of a struct that belong to no field. The fields of an extern can be in any order,
// and can overlap. Returns false if there is no memory.
static bool find_gaps(matching *m, weft_field_pairs *pairs, uint32_t size)
{
    weft_gap *gaps = weft_scratch_array(m->schemas->scratch, pairs->count + 1, sizeof *gaps);
    uint32_t end = 0; // of all fields so far
    for (uint32_t at = 0; gaps && at < size; at = end) {
        uint32_t next = size; // start of the first field after `at`
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

// Maps the elements of an array in the save to those in the world by the names of the enum that
// numbers them. Other arrays are matched by position. *same is set if each element keeps its place.
// Returns false if there is no memory.
static bool pair_places(matching *m, weft_field_pair *pair, bool *same)
{
    const weft_schemas *s = m->schemas;
    const weft_enum_info *was = weft_field_by(s->file, pair->was);
    const weft_enum_info *is = weft_field_by(s->world, pair->is);
    *same = true;
    if (!was || !is) return true;
    pair->places = map_enum(s, was, is, same);
    return pair->places != NULL;
}

static bool pair_members(matching *m, weft_field_pair *pair)
{
    bool in_place;
    const weft_field *was = pair->was;
    const weft_field *is = pair->is;
    const weft_struct_info *inner_was = weft_field_struct(m->schemas->file, was);
    const weft_struct_info *inner = weft_field_struct(m->schemas->world, is);
    if (was->shape != is->shape || !inner_was != !inner) return refuse_pair(m, pair);
    if (inner) {
        pair->elements = pair_fields(m, inner_was->fields, inner_was->field_count, inner->fields,
                                     inner->field_count);
        if (!pair->elements.each || !find_gaps(m, &pair->elements, inner->size)) return false;
    } else if (!pair_scalars(m, pair)) {
        return false;
    }
    if (!pair_places(m, pair, &in_place)) return false;
    pair->elements.same = pair->elements.same && was->element_size == is->element_size;
    pair->same = in_place && pair->elements.same && was->size == is->size &&
                 was->count == is->count && was->items_offset == is->items_offset;
    return true;
}

// Pairs fields of the world with those of the save. Returns no pairs if a field is refused or
// memory runs out.
static weft_field_pairs pair_fields(matching *m, const weft_field *was, uint32_t was_count,
                                    const weft_field *is, uint32_t is_count)
{
    const weft_field_pairs none = {.each = NULL};
    weft_field_pairs all = {.count = is_count, .same = was_count == is_count, .plain = true};
    weft_field_pair *pairs = weft_scratch_array(m->schemas->scratch, is_count, sizeof *pairs);
    if (!pairs) return none;
    for (uint32_t i = 0; i < is_count; i++) {
        weft_field_pair *pair = &pairs[i];
        uint32_t found = weft_name_before(was, sizeof *was, was_count, i, is[i].name, is[i].was);
        pair->is = &is[i];
        if (found != WEFT_NO_NAME && was[found].save && is[i].save) {
            pair->was = &was[found];
            if (!pair_members(m, pair)) return none;
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
// Declarations of a schema. Components, singletons and events have values, whose fields must be
// paired; relations only have names. Each is described as a component. Its `save` is false if it
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

static weft_component_info declared_link(const void *record)
{
    const weft_link_info *l = record;
    return (weft_component_info){.name = l->name,
                                 .was = l->was,
                                 .size = l->size,
                                 .save = l->save && l->field_count != 0,
                                 .field_count = l->field_count,
                                 .fields = l->fields,
                                 .defaults = l->defaults};
}

// All declarations of a kind in one of the schemas.
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

// Lists the parts of a value, starting at `at`, that must be checked or zeroed although their bytes
// have not changed. Goes into structs, but not into arrays and lists of structs. If `parts` is
// NULL, the parts are only counted. Returns the new number of parts.
static uint32_t list_parts(const weft_match *match, weft_value_part *parts, uint32_t count,
                           const weft_field_pairs *pairs, weft_value_part at)
{
    for (uint32_t i = 0; i < pairs->gap_count; i++, count++) {
        const weft_gap *gap = &pairs->gaps[i];
        weft_value_part part = {NULL, at.field, at.offset + gap->offset, gap->size};
        if (parts) parts[count] = part;
    }
    for (uint32_t i = 0; i < pairs->count; i++) {
        const weft_field_pair *pair = &pairs->each[i];
        uint32_t field = pairs == &match->fields ? i : at.field;
        weft_value_part part = {pair, field, at.offset + pair->is->offset, 0};
        if (pair->plain) continue;
        if (pair->elements.each && pair->is->shape == WEFT_SHAPE_ONE) {
            count = list_parts(match, parts, count, &pair->elements, part);
            continue;
        }
        if (parts) parts[count] = part;
        count++;
    }
    return count;
}

// Lists these parts for values that have not changed. Returns false if there is no memory.
static bool find_parts(const weft_schemas *s, weft_match *match)
{
    const weft_value_part start = {NULL, 0, 0, 0};
    if (!match->fields.same) return true;
    match->part_count = list_parts(match, NULL, 0, &match->fields, start);
    weft_value_part *parts = weft_scratch_array(s->scratch, match->part_count, sizeof *parts);
    if (parts) list_parts(match, parts, 0, &match->fields, start);
    match->parts = parts;
    return parts != NULL;
}

// Pairs the old and the new fields of a declaration. Returns false if one is refused, or if there
// is no memory.
static bool match_values(weft_schemas *s, weft_match *match)
{
    matching m = {.schemas = s, .match = match};
    const weft_component_info *was = &match->was;
    const weft_component_info *is = &match->is;
    match->fields = pair_fields(&m, was->fields, was->field_count, is->fields, is->field_count);
    match->fields.same = match->fields.same && was->soa == is->soa && was->size == is->size;
    return match->fields.each && (is->soa || find_gaps(&m, &match->fields, is->size)) &&
           find_parts(s, match);
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
        uint32_t f = weft_name_before(file.records, kind.record_bytes, file.count, i, match.is.name,
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
           MATCH_KIND(relation, relations, relation_count) && MATCH_KIND(link, links, link_count);
#undef MATCH_KIND
}
