#include "valued.h"

#include "../value/fields.h"
#include "../value/names.h"

#include <string.h>

bool serve_valued_open(serve_call *call, const char *param, const char *path, serve_valued *valued)
{
    const size_t bytes = sizeof(weft_select_program) + 1;
    weft_select_mistake mistake = {WEFT_OK, 0, ""};
    valued->program = (weft_select_program *)weft_allocate_zeroed(&call->world->heap, bytes);
    if (!valued->program) return serve_refuse(call, SERVE_TOO_LARGE, "no memory for '%s'", param);
    valued->program->bytes = bytes;
    valued->program->strings = (char *)(valued->program + 1);
    weft_select_reader r = {.plan = call->world->plan,
                            .program = valued->program,
                            .mistake = &mistake,
                            .text = path,
                            .at = path};
    weft_names components = weft_component_names(call->world->plan->schema);
    weft_select_word name = weft_select_next_name(&r);
    uint32_t component = weft_names_find(&components, name.text, name.length);
    if (component == WEFT_NO_NAME) {
        weft_select_refuse_names(&r, &components, 1, name);
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'%s': %s", param, mistake.why);
    }
    valued->whole = *r.at == '\0';
    bool read = valued->whole || weft_select_read_path(&r, (uint16_t)component, &valued->value);
    if (read && *r.at != '\0') read = WEFT_SELECT_REFUSE(&r, r.at, "the path should end here");
    weft_select_test has = {.kind = WEFT_SELECT_HAS, .of = (uint16_t)component};
    if (!read || !weft_select_add_test(&r, path, has)) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'%s': column %u: %s", param,
                            (unsigned)mistake.column, mistake.why);
    }
    for (; valued->value.lists != 0; valued->value.lists--)
        weft_select_add_op(&r, WEFT_SELECT_AND, 0);
    return true;
}

void serve_valued_close(weft_world *world, serve_valued *valued)
{
    if (valued->program) weft_free(&world->heap, valued->program, valued->program->bytes);
    valued->program = NULL;
}

const unsigned char *serve_valued_find(const weft_world *world, const serve_valued *valued,
                                       uint64_t handle, weft_place at)
{
    const weft_plan *plan = world->plan;
    const weft_select_test *test = &valued->value.test;
    if (test->sparse) {
        const weft_sparse *store = &world->sparse[plan->components[test->of].sparse];
        const void *found = weft_sparse_find(store, weft_handle_index(plan->format, handle));
        return found ? (const unsigned char *)found + test->offset : NULL;
    }
    const void *column = weft_column(world->tables.items[at.table], test->first);
    if (!column) return NULL;
    const size_t row = (size_t)at.row * plan->columns[test->first].size;
    return (const unsigned char *)column + row + test->offset;
}

double serve_valued_number(const serve_valued *valued, const unsigned char *found)
{
    const weft_leaf_ref *leaf = &valued->value.leaf;
    const weft_number_kind kind = weft_kind_of(leaf->type);
    const weft_number n = weft_number_load(kind, found, leaf->bytes);
    if (kind == WEFT_FLOAT) return n.f64;
    return kind == WEFT_SIGNED ? (double)n.i64 : (double)n.u64;
}
