// Comparing two fields, and the steps that come of it.
#include "steps.h"

#include "../../plan/names.h"
#include "../bytes.h"

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

bool weft_handles_same(const weft_schemas *schemas)
{
    return schemas->file->index_bits == schemas->world->index_bits &&
           schemas->file->generation_bits == schemas->world->generation_bits;
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
    return to->type != WEFT_TYPE_ENTITY || weft_handles_same(s);
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
        step.kind = same && weft_handles_same(s) ? WEFT_STEP_COPY : WEFT_STEP_ENTITY;
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
