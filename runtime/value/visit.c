// The visitor recurses as deep as the structs of the schema, which never contain themselves.
#include "visit.h"

// A part of each of many values, or adjacent elements in one value.
typedef struct spaced {
    unsigned char *at;
    size_t stride;
    size_t count;
    size_t value; // number of the value that contains the first
    size_t step;  // 1 if each is in the next value; 0 if all are in one value
} spaced;

static inline spaced at_offset(spaced all, size_t offset)
{
    all.at += offset;
    return all;
}

static inline spaced one_of(spaced all, size_t i)
{
    return (spaced){all.at + i * all.stride, 0, 1, all.value + i * all.step, 0};
}

// Returns adjacent elements in one value.
static inline spaced items_of(spaced one, const weft_field *field, uint32_t count)
{
    return (spaced){one.at + field->items_offset, field->element_size, count, one.value, 0};
}

static bool visit_fields(weft_visitor *v, const weft_field *fields, uint32_t count, spaced values);

// ------------------------------------------------------------------------------------------------
// Types

static inline bool has_element_types(const weft_schema *schema, const weft_field *field,
                                     uint32_t types, bool only_saved)
{
    WEFT_STATIC_ASSERT(WEFT_TYPE_EXTERN == WEFT_TYPE_STRUCT + 1, "leaves come before these two");
    if (types == WEFT_VISIT_ALL) return true;
    if (field->type < WEFT_TYPE_STRUCT) return (types & WEFT_VISIT(field->type)) != 0;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    return weft_fields_have(schema, inner->fields, inner->field_count, types, only_saved);
}

static inline bool has_types(const weft_schema *schema, const weft_field *field, uint32_t types,
                             bool only_saved)
{
    if (only_saved && !field->save) return false;
    if ((types & WEFT_VISIT_COUNTS) != 0 && field->shape == WEFT_SHAPE_LIST) return true;
    return has_element_types(schema, field, types, only_saved);
}

bool weft_fields_have(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      uint32_t types, bool only_saved)
{
    for (uint32_t i = 0; i < count; i++) {
        if (has_types(schema, &fields[i], types, only_saved)) return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// Elements and members

static bool visit_leaves(weft_visitor *v, const weft_field *field, spaced all)
{
    uint32_t bytes = field->shape == WEFT_SHAPE_STRING ? field->count : field->element_size;
    weft_leaves leaves = {.field = field,
                          .type = field->type,
                          .bytes = bytes,
                          .at = all.at,
                          .stride = all.stride,
                          .count = all.count,
                          .value = all.value,
                          .step = all.step};
    return v->leaves(v, &leaves);
}

static bool visit_elements(weft_visitor *v, const weft_field *field, spaced elements)
{
    const weft_struct_info *inner = weft_field_struct(v->schema, field);
    if (inner) return visit_fields(v, inner->fields, inner->field_count, elements);
    return visit_leaves(v, field, elements);
}

// Visits adjacent elements in one value.
static bool visit_items(weft_visitor *v, const weft_field *field, weft_trail *here, spaced items)
{
    if (items.count == 0) return true;
    if (!v->in_order || !weft_field_struct(v->schema, field)) {
        return visit_elements(v, field, items);
    }
    for (here->item = 0; here->item < items.count; here->item++) {
        if (!visit_elements(v, field, one_of(items, here->item))) return false;
    }
    return true;
}

// The inner loop goes over the elements or over the values, whichever are more.
static bool visit_array_field(weft_visitor *v, const weft_field *field, weft_trail *here,
                              spaced arrays)
{
    if (field->count > arrays.count || arrays.count == 1) {
        for (size_t i = 0; i < arrays.count; i++) {
            spaced items = items_of(one_of(arrays, i), field, field->count);
            if (!visit_items(v, field, here, items)) return false;
        }
        return true;
    }
    for (uint32_t i = 0; i < field->count; i++) {
        spaced elements = at_offset(arrays, (size_t)i * field->element_size);
        if (!visit_elements(v, field, elements)) return false;
    }
    return true;
}

static bool visit_counts(weft_visitor *v, const weft_field *field, spaced lists)
{
    weft_leaves counts = {.field = field,
                          .type = WEFT_TYPE_U32,
                          .is_count = true,
                          .bytes = (uint32_t)sizeof(uint32_t),
                          .at = lists.at,
                          .stride = lists.stride,
                          .count = lists.count,
                          .value = lists.value,
                          .step = lists.step};
    return (v->types & WEFT_VISIT_COUNTS) == 0 || v->leaves(v, &counts);
}

static bool visit_list_field(weft_visitor *v, const weft_field *field, weft_trail *here,
                             spaced lists)
{
    if (!visit_counts(v, field, lists)) return false;
    if (!has_element_types(v->schema, field, v->types, v->only_saved)) return true;
    for (size_t i = 0; i < lists.count; i++) {
        spaced list = one_of(lists, i);
        spaced items = items_of(list, field, weft_member_count(field, list.at));
        if (!visit_items(v, field, here, items)) return false;
    }
    return true;
}

static bool visit_members(weft_visitor *v, const weft_field *field, spaced members)
{
    weft_trail here = {v->trail, field, 0};
    bool on;
    if (!has_types(v->schema, field, v->types, v->only_saved)) return true;
    v->trail = &here;
    if (field->shape == WEFT_SHAPE_LIST)
        on = visit_list_field(v, field, &here, members);
    else if (field->shape == WEFT_SHAPE_ARRAY)
        on = visit_array_field(v, field, &here, members);
    else
        on = visit_elements(v, field, members);
    v->trail = here.outer;
    return on;
}

static bool visit_fields(weft_visitor *v, const weft_field *fields, uint32_t count, spaced values)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!visit_members(v, &fields[i], at_offset(values, fields[i].offset))) return false;
    }
    return true;
}

bool weft_visit_values(weft_visitor *visitor, const weft_field *fields, uint32_t field_count,
                       void *values, size_t stride, size_t count)
{
    return visit_fields(visitor, fields, field_count,
                        (spaced){(unsigned char *)values, stride, count, 0, 1});
}

bool weft_visit_members(weft_visitor *visitor, const weft_field *field, void *members,
                        size_t stride, size_t count)
{
    return visit_members(visitor, field, (spaced){(unsigned char *)members, stride, count, 0, 1});
}

// ------------------------------------------------------------------------------------------------
// Paths

weft_leaf_ref weft_leaves_nth(const weft_leaves *leaves, size_t i)
{
    const void *value = leaves->at + i * leaves->stride;
    return leaves->is_count ? weft_count_of(leaves->field, value)
                            : weft_leaf_of(leaves->field, value);
}

// Writes a text before `at`, or only its end if there is less space. Returns where it begins.
static char *print_before(char *at, const char *start, const char *text)
{
    size_t bytes = strlen(text);
    size_t space = (size_t)(at - start);
    if (bytes > space) {
        text += bytes - space;
        bytes = space;
    }
    return (char *)memcpy(at - bytes, text, bytes);
}

void weft_visit_path(const weft_visitor *visitor, const weft_leaves *leaves, size_t i,
                     char path[WEFT_LEAF_PATH_BYTES])
{
    char place[WEFT_ITEM_TEXT_BYTES];
    char *end = path + WEFT_LEAF_PATH_BYTES - 1;
    char *at = leaves->is_count ? print_before(end, path, ".count") : end;
    uint32_t item = (uint32_t)i;
    for (const weft_trail *step = visitor->trail; step; step = step->outer) {
        bool whole = step == visitor->trail && leaves->is_count;
        if (weft_field_is_many(step->field) && !whole) {
            weft_item_text(visitor->schema, step->field, item, place, sizeof place);
            at = print_before(at, path, place);
        }
        at = print_before(at, path, step->field->name);
        if (step->outer) at = print_before(at, path, ".");
        item = step->outer ? step->outer->item : 0;
    }
    size_t bytes = (size_t)(end - at);
    memmove(path, at, bytes);
    path[bytes] = '\0';
}

typedef struct each_leaf {
    weft_leaf_visit visit;
    void *context;
} each_leaf;

static bool visit_each(weft_visitor *v, const weft_leaves *leaves)
{
    const each_leaf *each = (const each_leaf *)v->context;
    char path[WEFT_LEAF_PATH_BYTES];
    for (size_t i = 0; i < leaves->count; i++) {
        weft_leaf_ref leaf = weft_leaves_nth(leaves, i);
        weft_visit_path(v, leaves, i, path);
        if (!each->visit(each->context, path, &leaf)) return false;
    }
    return true;
}

bool weft_leaves_visit(const weft_schema *schema, const weft_field *fields, uint32_t count,
                       const void *value, weft_leaf_visit visit, void *context)
{
    each_leaf each = {visit, context};
    weft_visitor v = {.schema = schema,
                      .leaves = visit_each,
                      .context = &each,
                      .types = WEFT_VISIT_ALL,
                      .in_order = true};
    return weft_visit_values(&v, fields, count, (void *)(uintptr_t)value, 0, 1);
}
