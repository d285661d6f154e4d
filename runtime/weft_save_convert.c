// Comparing two fields, and walking the steps that come of it.
#include "weft_save_convert.h"

#include "weft_names.h"

#include <inttypes.h>
#include <stdio.h>

// ------------------------------------------------------------------------------------------------
// Comparing

const weft_field *weft_field_before(const weft_field *field, const weft_field *fields,
                                    uint32_t count)
{
    uint32_t i = weft_name_before(fields, sizeof *fields, count, field->name, field->was);
    return i == WEFT_NO_NAME ? NULL : &fields[i];
}

static bool is_number(weft_type type)
{
    return type <= WEFT_TYPE_F64;
}

static bool is_inner(weft_type type)
{
    return type == WEFT_TYPE_STRUCT || type == WEFT_TYPE_EXTERN;
}

static bool same_enum(const weft_enum_info *a, const weft_enum_info *b)
{
    if (a->type != b->type || a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (strcmp(a->values[i], b->values[i]) != 0) return false;
    }
    return true;
}

static bool same_handles(const weft_schemas *s)
{
    return s->file->index_bits == s->world->index_bits &&
           s->file->generation_bits == s->world->generation_bits;
}

static bool same_element(const weft_schemas *s, const weft_field *from, const weft_field *to)
{
    if (is_inner(from->type) && is_inner(to->type)) {
        const weft_struct_info *a = weft_field_struct(s->file, from);
        const weft_struct_info *b = weft_field_struct(s->world, to);
        return weft_fields_same(s, a->fields, a->field_count, b->fields, b->field_count);
    }
    if (from->type != to->type) return false;
    if (to->type == WEFT_TYPE_ENUM) {
        return same_enum(&s->file->enums[from->of], &s->world->enums[to->of]);
    }
    return to->type != WEFT_TYPE_ENTITY || same_handles(s);
}

static bool same_field(const weft_schemas *s, const weft_field *from, const weft_field *to)
{
    return weft_field_before(to, from, 1) && from->save && to->save && from->shape == to->shape &&
           from->offset == to->offset && from->size == to->size &&
           from->element_size == to->element_size && from->items_offset == to->items_offset &&
           from->count == to->count && same_element(s, from, to);
}

bool weft_fields_same(const weft_schemas *schemas, const weft_field *from, uint32_t from_count,
                      const weft_field *to, uint32_t to_count)
{
    if (WEFT_BIG_ENDIAN || from_count != to_count) return false;
    for (uint32_t i = 0; i < to_count; i++) {
        if (!same_field(schemas, &from[i], &to[i])) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Making steps

typedef struct making {
    const weft_schemas *schemas;
    weft_step *steps;
    uint32_t count;
    bool only_checks;
    const weft_field *was; // of the two that do not go together
    const weft_field *is;
} making;

static bool make_member(making *m, const weft_field *from, const weft_field *to, uint32_t from_base,
                        uint32_t to_base);

// How many steps a field of the world takes at most.
static uint32_t steps_most(const weft_schema *world, const weft_field *field)
{
    const weft_struct_info *inner = weft_field_struct(world, field);
    uint32_t count = 2;
    for (uint32_t i = 0; inner && i < inner->field_count; i++) {
        count += steps_most(world, &inner->fields[i]);
    }
    return count;
}

static bool refuse(making *m, const weft_field *from, const weft_field *to)
{
    m->was = from;
    m->is = to;
    return false;
}

// Adds a step, or lengthens the copy before it.
static weft_step *add(making *m, weft_step step)
{
    weft_step *last = m->count == 0 ? NULL : &m->steps[m->count - 1];
    if (last && step.kind == WEFT_STEP_COPY && last->kind == WEFT_STEP_COPY &&
        last->from + last->count == step.from && last->to + last->count == step.to) {
        last->count += step.count;
        return last;
    }
    m->steps[m->count] = step;
    return &m->steps[m->count++];
}

// What each value of an enum in the save is now.
static const uint32_t *map_values(const weft_schemas *s, const weft_enum_info *from,
                                  const weft_enum_info *to)
{
    uint32_t *values = (uint32_t *)weft_scratch_take(s->scratch, from->count, sizeof *values);
    for (uint32_t i = 0; values && i < from->count; i++) {
        const char *name = from->values[i];
        values[i] = weft_name_find(to->values, sizeof *to->values, to->count, name);
        if (values[i] == WEFT_NO_NAME && to->was) {
            values[i] = weft_name_find(to->was, sizeof *to->was, to->count, name);
        }
    }
    return values;
}

// `count` numbers, handles or values of an enum.
static bool make_leaves(making *m, const weft_field *from, const weft_field *to, weft_step step)
{
    const weft_schemas *s = m->schemas;
    bool same = from->type == to->type && (!WEFT_BIG_ENDIAN || from->element_size == 1);
    if (is_number(from->type) && is_number(to->type)) {
        step.kind = WEFT_STEP_NUMBER;
        if (same) step.kind = to->type == WEFT_TYPE_BOOL ? WEFT_STEP_BOOL : WEFT_STEP_COPY;
    } else if (from->type != to->type) {
        return refuse(m, from, to);
    } else if (to->type == WEFT_TYPE_ENUM) {
        step.kind = WEFT_STEP_ENUM;
        step.values = map_values(s, &s->file->enums[from->of], &s->world->enums[to->of]);
        if (!step.values) return false;
    } else {
        step.kind = same && same_handles(s) ? WEFT_STEP_COPY : WEFT_STEP_ENTITY;
    }
    if (step.kind == WEFT_STEP_COPY) step.count *= step.to_size;
    if (step.kind != WEFT_STEP_COPY || !m->only_checks) add(m, step);
    return true;
}

static bool make_fields(making *m, const weft_struct_info *from, const weft_struct_info *to,
                        uint32_t from_base, uint32_t to_base)
{
    for (uint32_t i = 0; i < to->field_count; i++) {
        const weft_field *is = &to->fields[i];
        const weft_field *was = weft_field_before(is, from->fields, from->field_count);
        if (was && was->save && is->save && !make_member(m, was, is, from_base, to_base)) {
            return false;
        }
    }
    return true;
}

// One element, or all of an array of leaves.
static bool make_elements(making *m, const weft_field *from, const weft_field *to, weft_step step)
{
    const weft_struct_info *a = weft_field_struct(m->schemas->file, from);
    const weft_struct_info *b = weft_field_struct(m->schemas->world, to);
    if (!a && !b) return make_leaves(m, from, to, step);
    if (!a || !b) return refuse(m, from, to);
    if (step.count == 1) return make_fields(m, a, b, step.from, step.to);
    step.kind = WEFT_STEP_ARRAY;
    uint32_t at = m->count;
    add(m, step);
    if (!make_fields(m, a, b, 0, 0)) return false;
    m->steps[at].follow = m->count - at - 1;
    if (m->steps[at].follow == 0) m->count = at;
    return true;
}

// An item of a struct that has fields the save does not know starts from the defaults of those.
static const void *fresh_item(const weft_schema *world, const weft_field *to)
{
    const weft_struct_info *inner = weft_field_struct(world, to);
    return inner ? inner->defaults : NULL;
}

static bool make_list(making *m, const weft_field *from, const weft_field *to, weft_step step)
{
    step.kind = WEFT_STEP_LIST;
    step.count = to->count;
    step.room = from->count;
    step.from_items = from->items_offset;
    step.to_items = to->items_offset;
    step.fresh = m->only_checks ? NULL : fresh_item(m->schemas->world, to);
    uint32_t at = m->count;
    add(m, step);
    weft_step item = step;
    item.from = item.to = 0;
    item.count = 1;
    if (!make_elements(m, from, to, item)) return false;
    m->steps[at].follow = m->count - at - 1;
    return true;
}

static bool make_member(making *m, const weft_field *from, const weft_field *to, uint32_t from_base,
                        uint32_t to_base)
{
    weft_step step = {
        .from = from_base,
        .to = to_base,
        .from_size = from->element_size,
        .to_size = to->element_size,
        .count = from->count < to->count ? from->count : to->count,
        .was = from,
        .is = to,
    };
    step.from += from->offset;
    step.to += to->offset;
    if (from->shape != to->shape) return refuse(m, from, to);
    if (to->shape == WEFT_SHAPE_LIST) return make_list(m, from, to, step);
    if (to->shape != WEFT_SHAPE_STRING) return make_elements(m, from, to, step);
    step.kind = WEFT_STEP_STRING;
    step.count = to->count;
    step.room = from->count;
    add(m, step);
    return true;
}

bool weft_steps_make(const weft_schemas *schemas, const weft_field *from, const weft_field *to,
                     bool only_checks, weft_steps *steps, const weft_field **was,
                     const weft_field **is)
{
    weft_field source = *from; // both lie at the start of what they are members of
    weft_field target = *to;
    source.offset = target.offset = 0;
    weft_step *room = (weft_step *)weft_scratch_take(schemas->scratch,
                                                     steps_most(schemas->world, to), sizeof *room);
    making m = {schemas, room, 0, only_checks, NULL, NULL};
    bool made = room && make_member(&m, &source, &target, 0, 0);
    for (uint32_t i = 0; i < m.count; i++) { // not the copies above, which are gone soon
        if (room[i].was == &source) room[i].was = from;
        if (room[i].is == &target) room[i].is = to;
    }
    *steps = (weft_steps){room, m.count};
    *was = m.was == &source ? from : m.was;
    *is = m.is == &target ? to : m.is;
    return made;
}

// ------------------------------------------------------------------------------------------------
// Numbers

// A number of any type: negative ones are kept apart from large ones.
typedef struct wide_number {
    bool is_float;
    bool negative;
    uint64_t bits; // two's complement if negative
    double real;
} wide_number;

static wide_number read_number(weft_type type, uint32_t bytes, const void *at)
{
    uint64_t bits = weft_little_read(at, bytes);
    wide_number n = {.bits = bits};
    uint32_t low = (uint32_t)bits;
    float narrow;
    if (type == WEFT_TYPE_F32) {
        memcpy(&narrow, &low, sizeof narrow);
        n.real = (double)narrow;
        n.is_float = true;
    } else if (type == WEFT_TYPE_F64) {
        memcpy(&n.real, &bits, sizeof n.real);
        n.is_float = true;
    } else if (type >= WEFT_TYPE_I8 && bits >> (bytes * 8 - 1) != 0) {
        n.negative = true;
        if (bytes < 8) n.bits |= ~(uint64_t)0 << bytes * 8;
    }
    return n;
}

static bool fits_integer(weft_type type, uint32_t bytes, const wide_number *n)
{
    if (type == WEFT_TYPE_BOOL) return !n->negative && n->bits <= 1;
    if (type < WEFT_TYPE_I8) {
        return !n->negative && (bytes == 8 || n->bits >> bytes * 8 == 0);
    }
    uint64_t half = (uint64_t)1 << (bytes * 8 - 1);
    return n->negative ? n->bits >= 0 - half : n->bits < half;
}

// A float as a whole number; false: it is none of 64 bits.
static bool whole(wide_number *n)
{
    const double limit = 18446744073709551616.0; // 2^64
    if (!(n->real >= -limit / 2 && n->real < limit)) return false;
    n->negative = n->real < 0;
    uint64_t size = (uint64_t)(n->negative ? -n->real : n->real);
    n->bits = n->negative ? 0 - size : size;
    n->negative = n->negative && size != 0;
    return (double)size == (n->real < 0 ? -n->real : n->real);
}

// Whole numbers become floats only if none of it is lost.
static bool exact_float(weft_type type, wide_number *n)
{
    uint64_t size = n->negative ? 0 - n->bits : n->bits;
    int digits = type == WEFT_TYPE_F32 ? 24 : 53;
    n->real = n->negative ? -(double)size : (double)size;
    while (size != 0 && (size & 1) == 0) size >>= 1;
    return size >> digits == 0;
}

static bool write_float(weft_type type, const wide_number *n, void *to)
{
    if (type == WEFT_TYPE_F64) {
        memcpy(to, &n->real, sizeof n->real);
        return true;
    }
    const double most = 3.4028235677973366e38; // from here on it rounds to infinity
    bool finite = n->real - n->real == 0;
    if (finite && (n->real >= most || n->real <= -most)) return false;
    float narrow = (float)n->real;
    memcpy(to, &narrow, sizeof narrow);
    return true;
}

static bool carry_number(const weft_step *step, const void *from, void *to)
{
    weft_type was = step->was->type;
    weft_type is = step->is->type;
    wide_number n = read_number(was, step->from_size, from);
    if (was == is) { // byte order alone
        weft_bits_write(to, step->to_size, n.bits);
        return was != WEFT_TYPE_BOOL || n.bits <= 1;
    }
    if (was == WEFT_TYPE_BOOL && n.bits > 1) return false;
    if (is == WEFT_TYPE_F32 || is == WEFT_TYPE_F64) {
        return (n.is_float || exact_float(is, &n)) && write_float(is, &n, to);
    }
    if ((n.is_float && !whole(&n)) || !fits_integer(is, step->to_size, &n)) return false;
    weft_bits_write(to, step->to_size, n.bits);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Walking

uint64_t weft_handle_carry(const weft_schemas *schemas, uint64_t bits)
{
    const weft_schema *was = schemas->file;
    const weft_schema *is = schemas->world;
    uint64_t index = bits & (((uint64_t)1 << was->index_bits) - 1);
    uint64_t generation = bits >> was->index_bits;
    if (same_handles(schemas)) return bits;
    if (generation == 0 || generation >> was->generation_bits != 0) return 0;
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
        return carry_number(step, from, to);
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
