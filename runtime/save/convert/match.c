// Matching what two schemas declare, by name. Components, singletons and events have values and so
// fields to be paired; relations are names alone.
#include "convert.h"

#include "../../plan/names.h"

// One declaration, in either of the schemas. One whose values are not saved has none to convert.
typedef struct declaration {
    const char *name;
    const char *was;
    bool saved;
    weft_layout layout;
} declaration;

static declaration declared_component(const void *record)
{
    const weft_component_info *c = (const weft_component_info *)record;
    return (declaration){c->name, c->was, c->save && c->field_count != 0, weft_layout_of(c)};
}

static declaration declared_singleton(const void *record)
{
    const weft_singleton_info *s = (const weft_singleton_info *)record;
    weft_layout layout = {s->fields, s->field_count, s->size, false, s->defaults};
    return (declaration){s->name, s->was, s->save, layout};
}

static declaration declared_event(const void *record)
{
    const weft_event_info *e = (const weft_event_info *)record;
    weft_layout layout = {e->fields, e->field_count, e->size, false, e->defaults};
    return (declaration){e->name, e->was, true, layout};
}

static declaration declared_relation(const void *record)
{
    const weft_relation_info *r = (const weft_relation_info *)record;
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

static weft_match *match_values(const weft_schemas *s, const char *kind, const declaration *was,
                                const declaration *is, char *why, size_t size)
{
    weft_match *match = (weft_match *)weft_scratch_array(s->scratch, 1, sizeof *match);
    if (!match) return NULL;
    *match = (weft_match){.kind = kind, .name = is->name, .was = was->layout, .is = is->layout};
    match->pairs = weft_fields_pair(s, match, why, size);
    return match->pairs ? match : NULL;
}

static bool match_kind(const weft_schemas *s, declarations all, weft_matched_kind *matched,
                       char *why, size_t size)
{
    const size_t number = sizeof(uint32_t);
    matched->now = (uint32_t *)weft_scratch_array(s->scratch, all.file_count, number);
    matched->was = (uint32_t *)weft_scratch_array(s->scratch, all.world_count, number);
    matched->values =
        (weft_match **)weft_scratch_array(s->scratch, all.world_count, sizeof *matched->values);
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
        matched->values[i] = match_values(s, all.kind, &was, &is, why, size);
        if (!matched->values[i]) return false;
    }
    return true;
}

bool weft_schemas_match(const weft_schemas *schemas, weft_matched *matched, char *why, size_t size)
{
    const weft_schema *f = schemas->file;
    const weft_schema *w = schemas->world;
    const declarations components = {"component",       declared_component, sizeof *f->components,
                                     f->components,     f->component_count, w->components,
                                     w->component_count};
    const declarations singletons = {"singleton",       declared_singleton, sizeof *f->singletons,
                                     f->singletons,     f->singleton_count, w->singletons,
                                     w->singleton_count};
    const declarations events = {"event",        declared_event, sizeof *f->events, f->events,
                                 f->event_count, w->events,      w->event_count};
    const declarations relations = {"relation",       declared_relation, sizeof *f->relations,
                                    f->relations,     f->relation_count, w->relations,
                                    w->relation_count};
    *matched = (weft_matched){.schemas = *schemas};
    return match_kind(schemas, components, &matched->components, why, size) &&
           match_kind(schemas, singletons, &matched->singletons, why, size) &&
           match_kind(schemas, events, &matched->events, why, size) &&
           match_kind(schemas, relations, &matched->relations, why, size);
}
