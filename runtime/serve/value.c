#include "value.h"

#include "../edit/calls.h"
#include "../value/path.h"

#include <string.h>

// Returns whether an entity has the component that a path begins with.
static bool has_component(const serve_call *call, uint64_t handle, const char *path)
{
    weft_names components = weft_component_names(call->world->plan->schema);
    uint32_t component = weft_names_find(&components, path, weft_name_length(path));
    return component != WEFT_NO_NAME && weft_component_has(call->world, handle, component);
}

void serve_add_value(serve_call *call, uint64_t handle, const char *path)
{
    weft_leaf_ref leaf;
    if (!has_component(call, handle, path))
        serve_add(call->out, "null");
    else if (strpbrk(path, ".[") == NULL)
        serve_add(call->out, "true");
    else if (weft_field_find(call->world, handle, path, &leaf) != WEFT_OK ||
             leaf.type == WEFT_TYPE_STRUCT)
        serve_add(call->out, "null");
    else
        serve_add_leaf(call->out, call->world->plan, &leaf);
}
