// Matching two schemas by name: first fields, down into structs, then all that has fields.
#include "match.h"

#include "../../plan/names.h"
#include "../bytes.h"

#include <inttypes.h>
#include <stdio.h>

#define TYPE_TEXT_BYTES 96

// The walk from the outermost field to the innermost needs these everywhere.
typedef struct pairing {
    weft_schemas *schemas;
    const weft_match *match;
} pairing;

// The pairs of the fields of a struct, and what holds of all of them.
typedef struct paired_fields {
    const weft_field_pair *pairs; // NULL: refused, or no memory
    bool same;
    bool unchecked;
} paired_fields;

static paired_fields pair_fields(const pairing *p, const weft_field *was, uint32_t was_count,
                                 const weft_field *is, uint32_t is_count);

// ------------------------------------------------------------------------------------------------
// Words

const char *weft_element_name(const weft_schema *schema, const weft_field *field)
{
    if (field->type == WEFT_TYPE_ENUM) return schema->enums[field->of].name;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    return inner ? inner->name : weft_type_name(field->type);
}

static void type_text(const weft_schema *schema, const weft_field *field, char *text, size_t size)
{
    const char *name = weft_element_name(schema, field);
    if (field->shape == WEFT_SHAPE_ONE) {
        snprintf(text, size, "%s", name);
    } else {
        const char *dots = field->shape == WEFT_SHAPE_LIST ? ".." : "";
        snprintf(text, size, "%s[%s%" PRIu32 "]", name, dots, field->count);
    }
}

static bool refuse_pair(const pairing *p, const weft_field_pair *pair)
{
    char was[TYPE_TEXT_BYTES], is[TYPE_TEXT_BYTES];
    type_text(p->schemas->file, pair->was, was, sizeof was);
    type_text(p->schemas->world, pair->is, is, sizeof is);
    snprintf(p->schemas->why, sizeof p->schemas->why,
             "field '%s' of %s '%s' was %s in the save and is %s now, which values cannot be "
             "converted to; give the new field another name",
             pair->is->name, p->match->kind, p->match->name, was, is);
    return false;
}

// ------------------------------------------------------------------------------------------------
// Elements

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
static bool pair_scalars(const pairing *p, weft_field_pair *pair)
{
    const weft_schemas *s = p->schemas;
    weft_type was = pair->was->type;
    weft_type is = pair->is->type;
    bool same = was == is;
    if (weft_scalars[is].digits != 0 && weft_scalars[was].digits != 0) { // both are numbers
        pair->unchecked = has_any_bytes(&weft_scalars[is]);
    } else if (was != is) {
        return refuse_pair(p, pair);
    } else if (is == WEFT_TYPE_ENUM) {
        pair->values =
            map_enum(s, &s->file->enums[pair->was->of], &s->world->enums[pair->is->of], &same);
        if (!pair->values) return false;
    } else if (is == WEFT_TYPE_ENTITY) {
        same = weft_handles_same(s);
        pair->unchecked = true;
    }
    pair->same_elements =
        same && pair->was->element_size == pair->is->element_size && !WEFT_BIG_ENDIAN;
    return true;
}

static bool pair_elements(const pairing *p, weft_field_pair *pair)
{
    const weft_struct_info *was = weft_field_struct(p->schemas->file, pair->was);
    const weft_struct_info *is = weft_field_struct(p->schemas->world, pair->is);
    if (!was && !is) return pair_scalars(p, pair);
    if (!was || !is) return refuse_pair(p, pair);
    paired_fields inner =
        pair_fields(p, was->fields, was->field_count, is->fields, is->field_count);
    pair->inner = inner.pairs;
    pair->inner_count = is->field_count;
    pair->same_elements = inner.same && was->size == is->size;
    pair->unchecked = inner.unchecked;
    return inner.pairs != NULL;
}

// ------------------------------------------------------------------------------------------------
// Members

static bool pair_member(const pairing *p, weft_field_pair *pair)
{
    const weft_field *was = pair->was;
    const weft_field *is = pair->is;
    if (was->shape != is->shape) return refuse_pair(p, pair);
    if (!pair_elements(p, pair)) return false;
    pair->same = pair->same_elements && was->size == is->size && was->count == is->count &&
                 was->items_offset == is->items_offset;
    return true;
}

static paired_fields pair_fields(const pairing *p, const weft_field *was, uint32_t was_count,
                                 const weft_field *is, uint32_t is_count)
{
    const paired_fields none = {.pairs = NULL};
    paired_fields all = {.same = was_count == is_count, .unchecked = true};
    weft_field_pair *pairs = weft_scratch_array(p->schemas->scratch, is_count, sizeof *pairs);
    if (!pairs) return none;
    for (uint32_t i = 0; i < is_count; i++) {
        weft_field_pair *pair = &pairs[i];
        uint32_t found = weft_name_before(was, sizeof *was, was_count, is[i].name, is[i].was);
        pair->is = &is[i];
        if (found != WEFT_NO_NAME && was[found].save && is[i].save) {
            pair->was = &was[found];
            if (!pair_member(p, pair)) return none;
        }
        bool in_place = found == i && was[i].offset == is[i].offset;
        bool any_bytes = is[i].shape == WEFT_SHAPE_ONE || is[i].shape == WEFT_SHAPE_ARRAY;
        all.same = all.same && pair->same && in_place;
        all.unchecked = all.unchecked && pair->unchecked && any_bytes;
    }
    all.pairs = pairs;
    return all;
}

// Pairs the fields of the two layouts, and finds out whether all of them are unchanged.
static bool pair_values(weft_schemas *schemas, weft_match *match)
{
    const weft_layout *was = &match->was;
    const weft_layout *is = &match->is;
    pairing p = {schemas, match};
    paired_fields all = pair_fields(&p, was->fields, was->field_count, is->fields, is->field_count);
    match->pairs = all.pairs;
    match->unchecked = all.unchecked;
    match->same = all.same && was->soa == is->soa && was->size == is->size;
    return all.pairs != NULL;
}

// ------------------------------------------------------------------------------------------------
// Declarations of a schema. Components, singletons and events have values, and so fields to be
// paired; relations are names alone.

// One declaration, in either of the schemas. One whose values are not saved has none to convert.
typedef struct declaration {
    const char *name;
    const char *was;
    bool saved;
    weft_layout layout;
} declaration;

static declaration declared_component(const void *record)
{
    const weft_component_info *c = record;
    return (declaration){c->name, c->was, c->save && c->field_count != 0, weft_layout_of(c)};
}

static declaration declared_singleton(const void *record)
{
    const weft_singleton_info *s = record;
    weft_layout layout = {s->fields, s->field_count, s->size, false, s->defaults};
    return (declaration){s->name, s->was, s->save, layout};
}

static declaration declared_event(const void *record)
{
    const weft_event_info *e = record;
    weft_layout layout = {e->fields, e->field_count, e->size, false, e->defaults};
    return (declaration){e->name, e->was, true, layout};
}

static declaration declared_relation(const void *record)
{
    const weft_relation_info *r = record;
    return (declaration){.name = r->name, .was = r->was};
}

// All of a kind in both schemas.
typedef struct declarations {
    const char *kind;
    declaration (*at)(const void *record);
    size_t record_bytes;
    const void *file;
    uint32_t file_count;
    const void *world;
    uint32_t world_count;
} declarations;

static declaration declared(const declarations *all, const void *records, uint32_t i)
{
    return all->at((const unsigned char *)records + i * all->record_bytes);
}

static weft_match *match_values(weft_schemas *s, const char *kind, const declaration *was,
                                const declaration *is)
{
    weft_match *match = weft_scratch_array(s->scratch, 1, sizeof *match);
    if (!match) return NULL;
    *match = (weft_match){.kind = kind, .name = is->name, .was = was->layout, .is = is->layout};
    return pair_values(s, match) ? match : NULL;
}

static bool match_kind(weft_schemas *s, declarations all, weft_matched_kind *matched)
{
    const size_t number = sizeof(uint32_t);
    matched->now = weft_scratch_array(s->scratch, all.file_count, number);
    matched->was = weft_scratch_array(s->scratch, all.world_count, number);
    matched->values = weft_scratch_array(s->scratch, all.world_count, sizeof *matched->values);
    if (s->scratch->out_of_memory) return false;
    for (uint32_t f = 0; f < all.file_count; f++) matched->now[f] = WEFT_NEVER;
    for (uint32_t i = 0; i < all.world_count; i++) {
        declaration is = declared(&all, all.world, i);
        uint32_t f = weft_name_before(all.file, all.record_bytes, all.file_count, is.name, is.was);
        matched->was[i] = f;
        if (f == WEFT_NEVER) continue;
        matched->now[f] = i;
        declaration was = declared(&all, all.file, f);
        if (!is.saved || !was.saved) continue;
        matched->values[i] = match_values(s, all.kind, &was, &is);
        if (!matched->values[i]) return false;
    }
    return true;
}

bool weft_schemas_match(weft_matched *matched)
{
    weft_schemas *s = &matched->schemas;
    const weft_schema *f = s->file;
    const weft_schema *w = s->world;
#define MATCH_KIND(kind, at, records, count)                                                       \
    match_kind(                                                                                    \
        s,                                                                                         \
        (declarations){kind, at, sizeof *w->records, f->records, f->count, w->records, w->count},  \
        &matched->records)
    return MATCH_KIND("component", declared_component, components, component_count) &&
           MATCH_KIND("singleton", declared_singleton, singletons, singleton_count) &&
           MATCH_KIND("event", declared_event, events, event_count) &&
           MATCH_KIND("relation", declared_relation, relations, relation_count);
#undef MATCH_KIND
}
