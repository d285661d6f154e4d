// Matching by name, and rows as a whole.
#include "weft_save_match.h"

#include "weft_names.h"

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

static bool match_component(const weft_schemas *s, weft_matched *matched, uint32_t c, char *text,
                            size_t size)
{
    const weft_component_info *is = &s->world->components[c];
    uint32_t f = weft_name_before(s->file->components, sizeof *s->file->components,
                                  s->file->component_count, is->name, is->was);
    matched->component_was[c] = f;
    if (f == WEFT_NO_NAME) return true;
    const weft_component_info *was = &s->file->components[f];
    matched->component_now[f] = c;
    if (!is->save || !was->save || is->field_count == 0 || was->field_count == 0) return true;
    weft_match start = {
        .kind = "component",
        .name = is->name,
        .fields = is->fields,
        .field_count = is->field_count,
        .defaults = (const unsigned char *)is->defaults,
        .same = is->soa == was->soa && is->size == was->size &&
                weft_fields_same(s, was->fields, was->field_count, is->fields, is->field_count),
        .was_fields = was->fields,
    };
    matched->components[c] = match_fields(s, start, was->field_count, text, size);
    return matched->components[c] != NULL;
}

static bool match_singleton(const weft_schemas *s, weft_matched *matched, uint32_t i, char *text,
                            size_t size)
{
    const weft_singleton_info *is = &s->world->singletons[i];
    uint32_t f = weft_name_before(s->file->singletons, sizeof *s->file->singletons,
                                  s->file->singleton_count, is->name, is->was);
    if (f == WEFT_NO_NAME) return true;
    const weft_singleton_info *was = &s->file->singletons[f];
    matched->singleton_now[f] = i;
    if (!is->save || !was->save) return true;
    weft_match start = {
        .kind = "singleton",
        .name = is->name,
        .fields = is->fields,
        .field_count = is->field_count,
        .defaults = (const unsigned char *)is->defaults,
        .same = is->size == was->size &&
                weft_fields_same(s, was->fields, was->field_count, is->fields, is->field_count),
        .was_fields = was->fields,
    };
    matched->singletons[i] = match_fields(s, start, was->field_count, text, size);
    return matched->singletons[i] != NULL;
}

static bool match_event(const weft_schemas *s, weft_matched *matched, uint32_t i, char *text,
                        size_t size)
{
    const weft_event_info *is = &s->world->events[i];
    uint32_t f = weft_name_before(s->file->events, sizeof *s->file->events, s->file->event_count,
                                  is->name, is->was);
    if (f == WEFT_NO_NAME) return true;
    const weft_event_info *was = &s->file->events[f];
    matched->event_now[f] = i;
    weft_match start = {
        .kind = "event",
        .name = is->name,
        .fields = is->fields,
        .field_count = is->field_count,
        .defaults = (const unsigned char *)is->defaults,
        .same = is->size == was->size &&
                weft_fields_same(s, was->fields, was->field_count, is->fields, is->field_count),
        .was_fields = was->fields,
    };
    matched->events[i] = match_fields(s, start, was->field_count, text, size);
    return matched->events[i] != NULL;
}

static void match_relation(const weft_schemas *s, weft_matched *matched, uint32_t i)
{
    const weft_relation_info *is = &s->world->relations[i];
    uint32_t f = weft_name_before(s->file->relations, sizeof *s->file->relations,
                                  s->file->relation_count, is->name, is->was);
    if (f != WEFT_NO_NAME) matched->relation_now[f] = i;
}

static bool take_arrays(weft_matched *m)
{
    weft_scratch *scratch = m->schemas.scratch;
    const weft_schema *file = m->schemas.file;
    const weft_schema *world = m->schemas.world;
    m->component_now =
        (uint32_t *)weft_scratch_take(scratch, file->component_count, sizeof(uint32_t));
    m->component_was =
        (uint32_t *)weft_scratch_take(scratch, world->component_count, sizeof(uint32_t));
    m->singleton_now =
        (uint32_t *)weft_scratch_take(scratch, file->singleton_count, sizeof(uint32_t));
    m->event_now = (uint32_t *)weft_scratch_take(scratch, file->event_count, sizeof(uint32_t));
    m->relation_now =
        (uint32_t *)weft_scratch_take(scratch, file->relation_count, sizeof(uint32_t));
    m->events = (weft_match **)weft_scratch_take(scratch, world->event_count, sizeof *m->events);
    m->components =
        (weft_match **)weft_scratch_take(scratch, world->component_count, sizeof *m->components);
    m->singletons =
        (weft_match **)weft_scratch_take(scratch, world->singleton_count, sizeof *m->singletons);
    if (scratch->out_of_memory) return false;
    for (uint32_t f = 0; f < file->component_count; f++) m->component_now[f] = UINT32_MAX;
    for (uint32_t f = 0; f < file->singleton_count; f++) m->singleton_now[f] = UINT32_MAX;
    for (uint32_t f = 0; f < file->event_count; f++) m->event_now[f] = UINT32_MAX;
    for (uint32_t f = 0; f < file->relation_count; f++) m->relation_now[f] = UINT32_MAX;
    return true;
}

bool weft_schemas_match(const weft_schemas *schemas, weft_matched *matched, char *text, size_t size)
{
    *matched = (weft_matched){.schemas = *schemas};
    if (!take_arrays(matched)) return false;
    for (uint32_t c = 0; c < schemas->world->component_count; c++) {
        if (!match_component(schemas, matched, c, text, size)) return false;
    }
    for (uint32_t i = 0; i < schemas->world->singleton_count; i++) {
        if (!match_singleton(schemas, matched, i, text, size)) return false;
    }
    for (uint32_t i = 0; i < schemas->world->event_count; i++) {
        if (!match_event(schemas, matched, i, text, size)) return false;
    }
    for (uint32_t i = 0; i < schemas->world->relation_count; i++) {
        match_relation(schemas, matched, i);
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Rows

// A field in rows: where it lies in the first of them, and how far it is to the next.
typedef struct cells {
    unsigned char *at;
    size_t stride;
} cells;

static cells cells_of(const weft_strip *strip, uint32_t field)
{
    const weft_field *f = &strip->fields[field];
    size_t stride = strip->soa ? f->size : strip->size;
    unsigned char *column = (unsigned char *)strip->columns[strip->soa ? field : 0];
    return (cells){column + strip->first * stride + (strip->soa ? 0 : f->offset), stride};
}

// The defaults of a struct into rows.
static void fill(const unsigned char *defaults, uint32_t field_count, const weft_strip *to,
                 uint32_t rows)
{
    unsigned char *whole = (unsigned char *)to->columns[0] + (size_t)to->first * to->size;
    for (uint32_t row = 0; !to->soa && row < rows; row++) {
        memcpy(whole + (size_t)row * to->size, defaults, to->size);
    }
    for (uint32_t i = 0; to->soa && i < field_count; i++) {
        cells target = cells_of(to, i);
        for (uint32_t row = 0; row < rows; row++) {
            memcpy(target.at + row * target.stride, defaults + to->fields[i].offset,
                   to->fields[i].size);
        }
    }
}

void weft_default_rows(const weft_component_info *info, weft_strip to, uint32_t rows)
{
    fill((const unsigned char *)info->defaults, info->field_count, &to, rows);
}

static void copy_rows(const weft_match *match, const weft_strip *from, const weft_strip *to,
                      uint32_t rows)
{
    uint32_t columns = to->soa ? match->field_count : 1;
    for (uint32_t i = 0; i < columns; i++) {
        size_t size = to->soa ? to->fields[i].size : to->size;
        memcpy((unsigned char *)to->columns[i] + to->first * size,
               (const unsigned char *)from->columns[i] + from->first * size, rows * size);
    }
}

weft_stopped weft_match_rows(const weft_matched *matched, const weft_match *match, weft_strip from,
                             weft_strip to, uint32_t rows, char *text, size_t size)
{
    weft_stopped stopped = {false, false, 0};
    if (rows == 0) return stopped; // there may be no columns either
    if (match->same) {
        if (from.columns != to.columns) copy_rows(match, &from, &to, rows);
        from = to; // looked at where it is now
    } else {
        fill(match->defaults, match->field_count, &to, rows);
    }
    for (uint32_t i = 0; i < match->field_count; i++) {
        if (match->was[i] == UINT32_MAX || match->steps[i].count == 0) continue;
        cells source = cells_of(&from, match->same ? i : match->was[i]);
        cells target = cells_of(&to, i);
        for (uint32_t row = 0; row < rows; row++) {
            uint64_t found;
            const weft_step *bad = weft_steps_walk(&matched->schemas, &match->steps[i],
                                                   source.at + row * source.stride,
                                                   target.at + row * target.stride, &found);
            if (!bad) continue;
            char words[TYPE_BYTES * 2];
            stopped = (weft_stopped){true, false, row};
            weft_step_say(&matched->schemas, bad, found, words, sizeof words, &stopped.damaged);
            snprintf(text, size, "field '%s' of %s '%s' %s", bad->is->name, match->kind,
                     match->name, words);
            return stopped;
        }
    }
    return stopped;
}
