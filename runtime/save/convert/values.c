// Walking steps, and why one cannot be walked.
#include "values.h"

#include "../../plan/names.h"
#include "../bytes.h"
#include "number.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t weft_handle_carry(const weft_schemas *schemas, uint64_t bits)
{
    const weft_schema *was = schemas->file;
    const weft_schema *is = schemas->world;
    uint64_t index = bits & (((uint64_t)1 << was->index_bits) - 1);
    uint64_t generation = bits >> was->index_bits;
    if (weft_handles_same(schemas)) return bits;
    if (generation >> was->generation_bits != 0) return 0; // nobody's, and may be somebody's now
    if (index >> is->index_bits != 0 || generation >> is->generation_bits != 0) return 0;
    return index | generation << is->index_bits;
}

// One element of a step that has many; false: it cannot be carried over, and *found is what it is.
static bool carry(const weft_schemas *s, const weft_step *step, const unsigned char *from,
                  unsigned char *to, uint64_t *found)
{
    *found = weft_little_read(from, step->from_size);
    switch (step->kind) {
    case WEFT_STEP_BOOL:
        if (*found > 1) return false;
        *to = (unsigned char)*found;
        return true;
    case WEFT_STEP_ENUM:
        if (*found >= s->file->enums[step->was->of].count) return false;
        if (step->values[*found] == UINT32_MAX) return false;
        weft_bits_write(to, step->to_size, step->values[*found]);
        return true;
    case WEFT_STEP_ENTITY:
        weft_bits_write(to, step->to_size, weft_handle_carry(s, *found));
        return true;
    default:
        return weft_number_carry(step->was->type, step->from_size, from, step->is->type,
                                 step->to_size, to);
    }
}

static bool carry_string(const weft_step *step, const unsigned char *from, unsigned char *to,
                         uint64_t *found)
{
    const unsigned char *end = (const unsigned char *)memchr(from, '\0', step->room);
    size_t length = end ? (size_t)(end - from) : step->room;
    *found = length;
    if (!end || length >= step->count) return false;
    if (from == to) return true;
    memcpy(to, from, length);
    memset(to + length, 0, step->count - length);
    return true;
}

static const weft_step *walk(const weft_schemas *s, const weft_step *step, const weft_step *end,
                             const unsigned char *from, unsigned char *to, uint64_t *found);

static const weft_step *walk_elements(const weft_schemas *s, const weft_step *step, uint32_t count,
                                      const unsigned char *from, unsigned char *to, uint64_t *found)
{
    const weft_step *end = step + 1 + step->follow;
    for (uint32_t i = 0; i < count && step->follow != 0; i++) {
        unsigned char *element = to + (size_t)i * step->to_size;
        if (step->fresh) memcpy(element, step->fresh, step->to_size);
        const weft_step *bad =
            walk(s, step + 1, end, from + (size_t)i * step->from_size, element, found);
        if (bad) return bad;
    }
    return NULL;
}

static const weft_step *walk_list(const weft_schemas *s, const weft_step *step,
                                  const unsigned char *from, unsigned char *to, uint64_t *found)
{
    *found = weft_little_read(from, (uint32_t)sizeof(uint32_t));
    if (*found > step->room || *found > step->count) return step;
    uint32_t count = (uint32_t)*found;
    weft_bits_write(to, (uint32_t)sizeof count, count);
    return walk_elements(s, step, count, from + step->from_items, to + step->to_items, found);
}

static const weft_step *walk(const weft_schemas *s, const weft_step *step, const weft_step *end,
                             const unsigned char *from, unsigned char *to, uint64_t *found)
{
    for (; step < end; step += 1 + step->follow) {
        const weft_step *bad = NULL;
        const unsigned char *source = from + step->from;
        unsigned char *target = to + step->to;
        if (step->kind == WEFT_STEP_COPY) {
            memcpy(target, source, step->count);
        } else if (step->kind == WEFT_STEP_ARRAY) {
            bad = walk_elements(s, step, step->count, source, target, found);
        } else if (step->kind == WEFT_STEP_LIST) {
            bad = walk_list(s, step, source, target, found);
        } else if (step->kind == WEFT_STEP_STRING) {
            if (!carry_string(step, source, target, found)) bad = step;
        } else {
            for (uint32_t i = 0; i < step->count && !bad; i++) {
                if (!carry(s, step, source + (size_t)i * step->from_size,
                           target + (size_t)i * step->to_size, found))
                    bad = step;
            }
        }
        if (bad) return bad;
    }
    return NULL;
}

const weft_step *weft_steps_walk(const weft_schemas *schemas, const weft_steps *steps,
                                 const void *from, void *to, uint64_t *found)
{
    return walk(schemas, steps->items, steps->items + steps->count, (const unsigned char *)from,
                (unsigned char *)to, found);
}

// ------------------------------------------------------------------------------------------------
// Words

static const char *element_name(const weft_schema *schema, const weft_field *field)
{
    if (field->type == WEFT_TYPE_ENUM) return schema->enums[field->of].name;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    return inner ? inner->name : weft_type_name(field->type);
}

void weft_type_say(const weft_schema *schema, const weft_field *field, char *text, size_t size)
{
    const char *name = element_name(schema, field);
    if (field->shape == WEFT_SHAPE_ONE) {
        snprintf(text, size, "%s", name);
    } else {
        const char *dots = field->shape == WEFT_SHAPE_LIST ? ".." : "";
        snprintf(text, size, "%s[%s%" PRIu32 "]", name, dots, field->count);
    }
}

void weft_step_say(const weft_schemas *schemas, const weft_step *step, uint64_t found, char *text,
                   size_t size, bool *damaged)
{
    const weft_enum_info *values =
        step->kind == WEFT_STEP_ENUM ? &schemas->file->enums[step->was->of] : NULL;
    *damaged = false;
    if (values && found < values->count) {
        snprintf(text, size, "is '%s', which enum '%s' does not have any more",
                 values->values[found], schemas->world->enums[step->is->of].name);
    } else if (step->kind == WEFT_STEP_LIST && found <= step->room) {
        snprintf(text, size, "has %" PRIu64 " items, and there is room for %" PRIu32 " now", found,
                 step->count);
    } else if (step->kind == WEFT_STEP_STRING && found < step->room) {
        snprintf(text, size, "has %" PRIu64 " bytes, and there is room for %" PRIu32 " now", found,
                 step->count - 1);
    } else if (step->kind == WEFT_STEP_NUMBER && step->was->type != WEFT_TYPE_BOOL) {
        snprintf(text, size, "holds a number of type %s that %s cannot hold",
                 element_name(schemas->file, step->was), element_name(schemas->world, step->is));
    } else {
        snprintf(text, size, "holds what a %s cannot be", element_name(schemas->file, step->was));
        *damaged = true;
    }
}
