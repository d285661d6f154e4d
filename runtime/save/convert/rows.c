// Rows of values of one component, carried over field by field by the steps of each.
#include "rows.h"

#include <stdio.h>
#include <string.h>

#define WORDS_BYTES 192 // of why a value cannot be carried over

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

// One field of all rows.
static weft_status carry_field(const weft_schemas *schemas, const weft_match *match, uint32_t field,
                               cells from, cells to, uint32_t rows, char *text, size_t size)
{
    for (uint32_t row = 0; row < rows; row++) {
        uint64_t found;
        bool damaged;
        char words[WORDS_BYTES];
        const weft_step *bad =
            weft_steps_walk(schemas, &match->steps[field], from.at + row * from.stride,
                            to.at + row * to.stride, &found);
        if (!bad) continue;
        weft_step_say(schemas, bad, found, words, sizeof words, &damaged);
        snprintf(text, size, "field '%s' of %s '%s' %s%s", bad->is->name, match->kind, match->name,
                 words,
                 damaged ? "" : "; let the schema take it, or give the new field another name");
        return damaged ? WEFT_BAD_FILE : WEFT_MISMATCH;
    }
    return WEFT_OK;
}

weft_status weft_carry_rows(const weft_schemas *schemas, const weft_match *match, weft_strip from,
                            weft_strip to, uint32_t rows, char *text, size_t size)
{
    weft_status status = WEFT_OK;
    if (rows == 0) return status; // there may be no columns either
    if (match->same) {
        if (from.columns != to.columns) copy_rows(match, &from, &to, rows);
        from = to; // looked at where it is now
    } else {
        fill(match->defaults, match->field_count, &to, rows);
    }
    for (uint32_t i = 0; i < match->field_count && status == WEFT_OK; i++) {
        if (match->was[i] == UINT32_MAX || match->steps[i].count == 0) continue;
        cells source = cells_of(&from, match->same ? i : match->was[i]);
        status = carry_field(schemas, match, i, source, cells_of(&to, i), rows, text, size);
    }
    return status;
}
