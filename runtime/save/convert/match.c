// Matching by name. What a schema declares with values (components, singletons, events) is matched
// the same way; relations are names alone.
#include "match.h"

#include "../../plan/names.h"
#include "values.h"

#include <stdio.h>

#define TYPE_BYTES 96 // of the name of a type in a message

// ------------------------------------------------------------------------------------------------
// Fields

static bool match_field(const weft_schemas *s, weft_match *match, uint32_t was_count, uint32_t i,
                        char *text, size_t size)
{
    const weft_field *is = &match->fields[i];
    const weft_field *was = weft_field_before(is, match->was_fields, was_count);
    const weft_field *bad_was, *bad_is;
    char was_type[TYPE_BYTES], is_type[TYPE_BYTES];
    match->was[i] = UINT32_MAX;
    if (!was || !was->save || !is->save) return true;
    match->was[i] = (uint32_t)(was - match->was_fields);
    if (weft_steps_make(s, was, is, match->same, &match->steps[i], &bad_was, &bad_is)) return true;
    if (!bad_is) return false;
    weft_type_say(s->file, bad_was, was_type, sizeof was_type);
    weft_type_say(s->world, bad_is, is_type, sizeof is_type);
    snprintf(text, size,
             "field '%s' of %s '%s' was %s in the save and is %s now, which values cannot be "
             "carried over to; give the new field another name",
             bad_is->name, match->kind, match->name, was_type, is_type);
    return false;
}

static weft_match *match_fields(const weft_schemas *s, weft_match start, uint32_t was_count,
                                char *text, size_t size)
{
    weft_match *match = (weft_match *)weft_scratch_take(s->scratch, 1, sizeof *match);
    start.was = (uint32_t *)weft_scratch_take(s->scratch, start.field_count, sizeof *start.was);
    start.steps =
        (weft_steps *)weft_scratch_take(s->scratch, start.field_count, sizeof *start.steps);
    if (!match || !start.was || !start.steps) return NULL;
    *match = start;
    for (uint32_t i = 0; i < match->field_count; i++) {
        if (!match_field(s, match, was_count, i, text, size)) return NULL;
    }
    return match;
}

// ------------------------------------------------------------------------------------------------
// What has fields

// One of a kind in one of the schemas. Without fields to save there is nothing to carry over.
typedef struct declared {
    const char *name;
    const char *was;
    bool saved;
    bool soa;
    uint32_t size;
    uint32_t field_count;
    const weft_field *fields;
    const void *defaults;
} declared;

static declared component(const void *record)
{
    const weft_component_info *c = (const weft_component_info *)record;
    bool saved = c->save && c->field_count != 0;
    return (declared){c->name, c->was,         saved,     c->soa,
                      c->size, c->field_count, c->fields, c->defaults};
}

static declared singleton(const void *record)
{
    const weft_singleton_info *s = (const weft_singleton_info *)record;
    return (declared){s->name, s->was,         s->save,   false,
                      s->size, s->field_count, s->fields, s->defaults};
}

static declared event(const void *record)
{
    const weft_event_info *e = (const weft_event_info *)record;
    return (declared){e->name, e->was,         true,      false,
                      e->size, e->field_count, e->fields, e->defaults};
}

static declared relation(const void *record)
{
    const weft_relation_info *r = (const weft_relation_info *)record;
    return (declared){.name = r->name, .was = r->was};
}

// All of a kind, in both schemas.
typedef struct declarations {
    const char *kind;
    declared (*read)(const void *record);
    size_t record_bytes;
    const void *file;
    uint32_t file_count;
    const void *world;
    uint32_t world_count;
} declarations;

static declared declared_at(const declarations *all, const void *records, uint32_t i)
{
    return all->read((const unsigned char *)records + i * all->record_bytes);
}

static weft_match *match_values(const weft_schemas *s, const char *kind, const declared *was,
                                const declared *is, char *text, size_t size)
{
    weft_match start = {
        .kind = kind,
        .name = is->name,
        .fields = is->fields,
        .field_count = is->field_count,
        .defaults = (const unsigned char *)is->defaults,
        .same = is->soa == was->soa && is->size == was->size &&
                weft_fields_same(s, was->fields, was->field_count, is->fields, is->field_count),
        .was_fields = was->fields,
    };
    return match_fields(s, start, was->field_count, text, size);
}

static bool take_arrays(weft_scratch *scratch, const declarations *all, weft_matched_kind *matched)
{
    matched->now = (uint32_t *)weft_scratch_take(scratch, all->file_count, sizeof *matched->now);
    matched->was = (uint32_t *)weft_scratch_take(scratch, all->world_count, sizeof *matched->was);
    matched->values =
        (weft_match **)weft_scratch_take(scratch, all->world_count, sizeof *matched->values);
    if (scratch->out_of_memory) return false;
    for (uint32_t f = 0; f < all->file_count; f++) matched->now[f] = UINT32_MAX;
    return true;
}

static bool match_kind(const weft_schemas *s, declarations all, weft_matched_kind *matched,
                       char *text, size_t size)
{
    if (!take_arrays(s->scratch, &all, matched)) return false;
    for (uint32_t i = 0; i < all.world_count; i++) {
        declared is = declared_at(&all, all.world, i);
        uint32_t f = weft_name_before(all.file, all.record_bytes, all.file_count, is.name, is.was);
        matched->was[i] = f;
        if (f == WEFT_NO_NAME) continue;
        matched->now[f] = i;
        declared was = declared_at(&all, all.file, f);
        if (!is.saved || !was.saved) continue;
        matched->values[i] = match_values(s, all.kind, &was, &is, text, size);
        if (!matched->values[i]) return false;
    }
    return true;
}

bool weft_schemas_match(const weft_schemas *schemas, weft_matched *matched, char *text, size_t size)
{
    const weft_schema *f = schemas->file;
    const weft_schema *w = schemas->world;
    const declarations components = {
        .kind = "component",
        .read = component,
        .record_bytes = sizeof *w->components,
        .file = f->components,
        .file_count = f->component_count,
        .world = w->components,
        .world_count = w->component_count,
    };
    const declarations singletons = {
        .kind = "singleton",
        .read = singleton,
        .record_bytes = sizeof *w->singletons,
        .file = f->singletons,
        .file_count = f->singleton_count,
        .world = w->singletons,
        .world_count = w->singleton_count,
    };
    const declarations events = {
        .kind = "event",
        .read = event,
        .record_bytes = sizeof *w->events,
        .file = f->events,
        .file_count = f->event_count,
        .world = w->events,
        .world_count = w->event_count,
    };
    const declarations relations = {
        .kind = "relation",
        .read = relation,
        .record_bytes = sizeof *w->relations,
        .file = f->relations,
        .file_count = f->relation_count,
        .world = w->relations,
        .world_count = w->relation_count,
    };
    *matched = (weft_matched){.schemas = *schemas};
    return match_kind(schemas, components, &matched->components, text, size) &&
           match_kind(schemas, singletons, &matched->singletons, text, size) &&
           match_kind(schemas, events, &matched->events, text, size) &&
           match_kind(schemas, relations, &matched->relations, text, size);
}
