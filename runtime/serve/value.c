#include "value.h"

#include "../edit/calls.h"
#include "../value/fields.h"

#include <string.h>

// Returns the component that a path begins with, if the entity has it; -1: it has not.
static int component_of(const serve_call *call, uint64_t handle, const char *path)
{
    char name[SERVE_PATH_MAX];
    size_t length = strcspn(path, ".[");
    if (length >= sizeof name) return -1;
    memcpy(name, path, length);
    name[length] = '\0';
    int component = weft_component_index(call->world->plan->schema, name);
    bool has = component >= 0 && weft_component_has(call->world, handle, (uint32_t)component);
    return has ? component : -1;
}

static void add_leaf(serve_call *call, const weft_leaf_ref *leaf)
{
    const weft_schema *schema = call->world->plan->schema;
    char text[WEFT_NUMBER_BYTES];
    if (leaf->type == WEFT_TYPE_CHAR) {
        char string[SERVE_STRING_MAX];
        size_t bytes = weft_string_bytes(leaf->field, leaf->value);
        if (bytes >= sizeof string) bytes = sizeof string - 1;
        memcpy(string, leaf->value, bytes);
        string[bytes] = '\0';
        serve_add_string(call->out, string);
        return;
    }
    if (leaf->type == WEFT_TYPE_ENTITY) {
        uint64_t bits = weft_handle_read(schema, leaf->value);
        const weft_format f = call->world->plan->format;
        uint64_t generation = bits >> f.index_bits;
        bool none = generation == 0 || generation > weft_generation_max(f);
        serve_add_handle(call, none ? 0 : bits);
        return;
    }
    weft_number_kind kind = weft_kind_of(leaf->type);
    weft_number number = weft_number_load(kind, leaf->value, leaf->bytes);
    if (leaf->type == WEFT_TYPE_BOOL) {
        serve_add(call->out, number.u64 != 0 ? "true" : "false");
    } else if (leaf->type == WEFT_TYPE_ENUM && number.u64 < schema->enums[leaf->field->of].count) {
        serve_add_string(call->out, schema->enums[leaf->field->of].values[number.u64]);
    } else if (kind == WEFT_FLOAT) {
        serve_add_float(call->out, number.f64, leaf->type == WEFT_TYPE_F32);
    } else {
        serve_add(call->out, weft_number_text(kind, number, text, sizeof text));
    }
}

void serve_add_value(serve_call *call, uint64_t handle, const char *path)
{
    weft_leaf_ref leaf;
    if (component_of(call, handle, path) < 0)
        serve_add(call->out, "null");
    else if (strpbrk(path, ".[") == NULL)
        serve_add(call->out, "true");
    else if (weft_field_find(call->world, handle, path, &leaf) != WEFT_OK ||
             leaf.type == WEFT_TYPE_STRUCT)
        serve_add(call->out, "null");
    else
        add_leaf(call, &leaf);
}
