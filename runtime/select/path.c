// Paths use only the tables of the schema, not the world. List items have fixed offsets, so a path
// into a list adds a second test: `count > i`.
#include "path.h"

static bool refuse_path(weft_select_reader *r, const weft_path *path)
{
    memcpy(r->mistake->why, path->why, sizeof path->why);
    return weft_select_refuse_at(r, path->wrong, path->status);
}

// Adds the test that a list contains the item that the path has just reached.
static bool add_list_test(weft_select_reader *r, const char *place, const weft_path *path,
                          weft_select_value *value)
{
    const weft_field *list = path->field;
    weft_select_test test = value->test;
    uint32_t in_list = path->offset - value->list;
    uint32_t index = (in_list - list->items_offset) / list->element_size;
    test.kind = WEFT_SELECT_WHOLE;
    test.offset = value->list - value->column;
    test.bytes = (uint32_t)sizeof(uint32_t);
    test.low.u64 = index + 1u;
    test.high.u64 = UINT32_MAX - test.low.u64;
    value->lists++;
    return weft_select_add_test(r, place, test);
}

// Follows a path to a single value. The first step of `path` may already be done.
static bool follow_path(weft_select_reader *r, weft_path *path, weft_select_value *value)
{
    for (;;) {
        const char *place = path->at;
        value->list = path->offset;
        weft_step step = weft_path_step(path);
        if (step == WEFT_STEP_WRONG) return refuse_path(r, path);
        if (step == WEFT_STEP_NONE) break;
        bool in_list = step == WEFT_STEP_ITEM && path->field->shape == WEFT_SHAPE_LIST;
        if (in_list && !add_list_test(r, place, path, value)) return false;
    }
    r->at = path->at;
    if (!weft_path_is_leaf(path)) return refuse_path(r, path);
    value->leaf = weft_path_leaf(path);
    value->test.bytes = value->leaf.bytes;
    value->test.offset = path->offset - value->column;
    return true;
}

bool weft_select_read_path(weft_select_reader *r, uint16_t component, weft_select_value *value)
{
    const weft_component_info *info = &r->plan->schema->components[component];
    const weft_component_plan *plan = &r->plan->components[component];
    weft_path path = weft_path_begin(r->plan->schema, (weft_owner){.of = component}, r->at);
    weft_step step = weft_path_step(&path);
    if (step == WEFT_STEP_WRONG) return refuse_path(r, &path);
    value->test.of = component;
    value->test.sparse = info->storage == WEFT_STORAGE_SPARSE;
    value->test.first = plan->first_column;
    if (info->soa && step == WEFT_STEP_FIELD) {
        value->test.first = (uint16_t)(plan->first_column + (path.field - info->fields));
        value->column = path.offset;
    }
    return follow_path(r, &path, value);
}

bool weft_select_read_place(weft_select_reader *r, weft_owner owner, weft_select_value *value)
{
    weft_path path = weft_path_begin(r->plan->schema, owner, r->at);
    return follow_path(r, &path, value);
}
