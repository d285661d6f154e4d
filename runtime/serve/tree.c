// Children are read by cursors: the handle of a child, after or before which the window begins. An
// offset would walk over all siblings before it.
#include "tree.h"

#include "../world/relation.h"

// The children of an entity that a call asks for.
typedef struct branch {
    uint32_t relation;
    uint64_t parent;
    uint64_t after;  // 0, or the child before the window
    uint64_t before; // 0, or the child after it
    double limit;
} branch;

static bool take_cursor(serve_call *call, const branch *wanted, const char *name, uint64_t *child)
{
    const weft_format f = call->world->plan->format;
    if (weft_scan_member(call->params, name).bytes == 0) return true;
    if (!serve_take_handle(call, name, child)) return false;
    return weft_parent(call->world, f, wanted->relation, *child) == wanted->parent ||
           serve_refuse(call, SERVE_REFUSED, "%s is no longer a child of %s",
                        weft_handle_as_text(f, *child).text,
                        weft_handle_as_text(f, wanted->parent).text);
}

static bool take_branch(serve_call *call, branch *wanted)
{
    if (!serve_take_relation(call, &wanted->relation) ||
        !serve_take_living(call, "id", &wanted->parent) ||
        !serve_may_take_number(call, "limit", 1, SERVE_BRANCH_MAX, &wanted->limit) ||
        !take_cursor(call, wanted, "after", &wanted->after) ||
        !take_cursor(call, wanted, "before", &wanted->before)) {
        return false;
    }
    return wanted->after == 0 || wanted->before == 0 ||
           serve_refuse(call, SERVE_INVALID_PARAMS,
                        "'children' takes 'after' or 'before', not both");
}

// Returns the first child of the window, or 0.
static uint64_t first_child_of(const serve_call *call, const branch *wanted)
{
    const weft_format f = call->world->plan->format;
    if (wanted->after != 0) {
        return weft_next_sibling(call->world, f, wanted->relation, wanted->after);
    }
    if (wanted->before == 0) {
        return weft_first_child(call->world, f, wanted->relation, wanted->parent);
    }
    uint64_t first = 0;
    uint64_t child = weft_previous_sibling(call->world, f, wanted->relation, wanted->before);
    for (uint32_t left = (uint32_t)wanted->limit; child != 0 && left != 0; left--) {
        first = child;
        child = weft_previous_sibling(call->world, f, wanted->relation, child);
    }
    return first;
}

static void add_child(serve_call *call, uint32_t relation, uint64_t child)
{
    const weft_format f = call->world->plan->format;
    serve_add_comma(call->out);
    serve_add(call->out, "{\"id\":");
    serve_add_handle(call, child);
    serve_print(call->out, ",\"has_children\":%s}",
                weft_first_child(call->world, f, relation, child) != 0 ? "true" : "false");
}

// Adds the number of children of an entity, or null if there are too many to count.
static void add_total(serve_call *call, const branch *wanted)
{
    const weft_format f = call->world->plan->format;
    uint32_t total = 0;
    uint64_t child = weft_first_child(call->world, f, wanted->relation, wanted->parent);
    while (child != 0 && total <= SERVE_COUNTED_MAX) {
        child = weft_next_sibling(call->world, f, wanted->relation, child);
        total++;
    }
    if (total > SERVE_COUNTED_MAX)
        serve_add(call->out, "null");
    else
        serve_print(call->out, "%u", total);
}

void serve_children(serve_call *call)
{
    const weft_format f = call->world->plan->format;
    branch wanted = {.limit = 100};
    if (!take_branch(call, &wanted)) return;
    uint64_t child = first_child_of(call, &wanted);
    const bool earlier =
        child != 0 && weft_previous_sibling(call->world, f, wanted.relation, child) != 0;
    serve_add(call->out, "{\"children\":[");
    for (uint32_t left = (uint32_t)wanted.limit; child != 0 && left != 0; left--) {
        if (child == wanted.before) break;
        add_child(call, wanted.relation, child);
        child = weft_next_sibling(call->world, f, wanted.relation, child);
    }
    serve_print(call->out, "],\"earlier\":%s,\"later\":%s,\"total\":", earlier ? "true" : "false",
                child != 0 ? "true" : "false");
    add_total(call, &wanted);
    serve_add(call->out, "}");
}

void serve_ancestors(serve_call *call)
{
    const weft_format f = call->world->plan->format;
    uint32_t relation, left = SERVE_ANCESTORS_MAX;
    uint64_t handle;
    if (!serve_take_relation(call, &relation) || !serve_take_living(call, "id", &handle)) return;
    serve_print(call->out, "{\"has_children\":%s,\"ancestors\":[",
                weft_first_child(call->world, f, relation, handle) != 0 ? "true" : "false");
    uint64_t parent = weft_parent(call->world, f, relation, handle);
    for (; parent != 0 && left != 0; left--) {
        serve_add_comma(call->out);
        serve_add_handle(call, parent);
        parent = weft_parent(call->world, f, relation, parent);
    }
    serve_print(call->out, "],\"higher\":%s}", parent != 0 ? "true" : "false");
}
