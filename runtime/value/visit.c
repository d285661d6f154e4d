// The visitor recurses as deep as the structs of the schema, which never contain themselves.
#include "visit.h"

#include <stdio.h>

// A part of each of many values, or of neighbours in one.
typedef struct spaced {
    unsigned char *at;
    size_t stride;
    size_t count;
    size_t value; // the index of the value that the first is of
    size_t step;  // 1: the next is of the next value; 0: all are of one
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

// Returns neighbours in one value.
static inline spaced items_of(spaced one, const weft_field *field, uint32_t count)
{
    return (spaced){one.at + field->items_offset, field->element_size, count, one.value, 0};
}

static bool visit_fields(weft_visitor *v, const weft_field *fields, uint32_t count, spaced values);

// ------------------------------------------------------------------------------------------------
// Types

static bool has_element_types(const weft_schema *schema, const weft_field *field, uint32_t types,
                              bool only_saved)
{
    if (types == WEFT_VISIT_ALL) return true;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    if (!inner) return (types & WEFT_VISIT(field->type)) != 0;
    return weft_fields_have(schema, inner->fields, inner->field_count, types, only_saved);
}

static bool has_types(const weft_schema *schema, const weft_field *field, uint32_t types,
                      bool only_saved)
{
    if (only_saved && !field->save) return false;
    if (field->shape == WEFT_SHAPE_LIST && (types & WEFT_VISIT_COUNTS) != 0) return true;
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

// Visits neighbours in one value.
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

// Goes over the elements or over the values, whichever are more, in the inner loop.
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

// Prints as much of a text as there is space for. Returns where the next one begins.
static size_t print_at(char path[WEFT_LEAF_PATH_BYTES], size_t used, const char *text)
{
    size_t bytes = strlen(text);
    size_t space = WEFT_LEAF_PATH_BYTES - 1 - used;
    if (bytes > space) bytes = space;
    memcpy(path + used, text, bytes);
    path[used + bytes] = '\0';
    return used + bytes;
}

static size_t print_trail(const weft_schema *schema, const weft_trail *trail, uint32_t item,
                          char path[WEFT_LEAF_PATH_BYTES])
{
    char place[WEFT_ITEM_TEXT_BYTES];
    size_t used = 0;
    if (trail->outer) {
        used = print_trail(schema, trail->outer, trail->outer->item, path);
        used = print_at(path, used, ".");
    }
    used = print_at(path, used, trail->field->name);
    if (!weft_field_is_many(trail->field) || item == WEFT_NO_NAME) return used;
    weft_item_text(schema, trail->field, item, place, sizeof place);
    return print_at(path, used, place);
}

void weft_visit_path(const weft_visitor *visitor, const weft_leaves *leaves, size_t i,
                     char path[WEFT_LEAF_PATH_BYTES])
{
    uint32_t item = leaves->is_count ? WEFT_NO_NAME : (uint32_t)i;
    size_t used = print_trail(visitor->schema, visitor->trail, item, path);
    if (leaves->is_count) print_at(path, used, ".count");
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

// ------------------------------------------------------------------------------------------------
// Handles

typedef struct handle_changing {
    weft_handle_change change;
    void *context;
} handle_changing;

static bool change_leaves(weft_visitor *v, const weft_leaves *leaves)
{
    const handle_changing *c = (const handle_changing *)v->context;
    unsigned char *at = leaves->at;
    for (size_t i = 0; i < leaves->count; i++, at += leaves->stride) {
        uint64_t handle = weft_handle_read(v->schema, at);
        uint64_t changed = c->change(c->context, handle);
        if (changed != handle) weft_handle_write(v->schema, at, changed);
    }
    return true;
}

void weft_fields_change(const weft_schema *schema, const weft_field *fields, uint32_t field_count,
                        void *value, weft_handle_change change, void *context)
{
    for (uint32_t i = 0; i < field_count; i++) {
        void *member = (unsigned char *)value + fields[i].offset;
        weft_members_change(schema, &fields[i], member, 0, 1, change, context);
    }
}

void weft_members_change(const weft_schema *schema, const weft_field *field, void *members,
                         size_t stride, size_t count, weft_handle_change change, void *context)
{
    handle_changing c = {change, context};
    weft_visitor v = {.schema = schema,
                      .leaves = change_leaves,
                      .context = &c,
                      .types = WEFT_VISIT(WEFT_TYPE_ENTITY)};
    weft_visit_members(&v, field, members, stride, count);
}
