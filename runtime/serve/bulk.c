// A call changes each entity on its own. Refusals of single entities are counted by their reasons, and
// the others stay changed. All changes of a call are one step of undo.c.
#include "bulk.h"

#include "../edit/calls.h"
#include "../value/path.h"
#include "../world/report.h"
#include "edit.h"
#include "taken.h"

#include <string.h>

// Why some of the entities were refused.
typedef struct bulk_reason {
    uint64_t first; // the first of them
    uint32_t count;
    char why[256];
} bulk_reason;

typedef struct bulk {
    serve_call *call;
    serve_taken_kind kind;
    uint32_t component;
    char path[SERVE_PATH_MAX];
    weft_scanned value;
    uint32_t count;
    uint32_t done;
    uint32_t refused;
    uint32_t reason_count;
    bulk_reason reasons[SERVE_REASONS_MAX];
    uint64_t handles[SERVE_BULK_MAX];
    bool alive[SERVE_BULK_MAX]; // before the change
} bulk;

// ------------------------------------------------------------------------------------------------
// Params

static bool take_handles(bulk *b)
{
    const weft_scanned ids = weft_scan_member(b->call->params, "ids");
    const weft_format f = b->call->world->plan->format;
    const char *at = NULL;
    for (weft_scanned one = weft_scan_next(ids, &at); one.bytes != 0;
         one = weft_scan_next(ids, &at)) {
        char text[32];
        if (b->count == SERVE_BULK_MAX || !weft_scan_string(one, text, sizeof text) ||
            !weft_handle_from_text(f, text, strlen(text), &b->handles[b->count++])) {
            b->count = 0;
            break;
        }
    }
    return b->count != 0 ||
           serve_refuse(b->call, SERVE_INVALID_PARAMS,
                        "'ids' are 1 to %u handles, each \"index:generation\"", SERVE_BULK_MAX);
}

// Finds the component that a path begins with, so that a wrong name is refused once for all.
static bool take_path(bulk *b)
{
    const weft_names names = weft_component_names(b->call->world->plan->schema);
    char why[WEFT_WHY_BYTES];
    if (!serve_take_string(b->call, "path", b->path, sizeof b->path)) return false;
    const size_t bytes = weft_name_length(b->path);
    b->component = weft_names_find(&names, b->path, bytes);
    if (b->component != WEFT_NO_NAME) return true;
    weft_name_refuse(why, &names, 1, b->path, bytes);
    return serve_refuse(b->call, SERVE_INVALID_PARAMS, "%s", why);
}

// Checks that the params are those of the change: 'path' and 'value', or 'component', or none.
static bool judge_params(bulk *b, const char *change)
{
    static const struct {
        const char *name;
        serve_taken_kind of[2];
    } params[] = {{"path", {SERVE_SET, SERVE_SET}},
                  {"value", {SERVE_SET, SERVE_SET}},
                  {"component", {SERVE_ADDED, SERVE_REMOVED}}};
    for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
        const bool given = weft_scan_member(b->call->params, params[i].name).bytes != 0;
        const bool needed = params[i].of[0] == b->kind || params[i].of[1] == b->kind;
        if (given == needed) continue;
        return serve_refuse(b->call, SERVE_INVALID_PARAMS,
                            needed ? "'%s' is missing, and needed to %s" : "'%s' is not used to %s",
                            params[i].name, change);
    }
    return true;
}

static bool take_change(bulk *b)
{
    static const struct {
        const char *name;
        serve_taken_kind kind;
    } changes[] = {{"set", SERVE_SET},
                   {"add", SERVE_ADDED},
                   {"remove", SERVE_REMOVED},
                   {"despawn", SERVE_DESPAWNED}};
    char name[16];
    if (!serve_take_string(b->call, "change", name, sizeof name)) return false;
    size_t i = 0;
    while (i < sizeof changes / sizeof *changes && strcmp(changes[i].name, name) != 0) i++;
    if (i == sizeof changes / sizeof *changes) {
        return serve_refuse(b->call, SERVE_INVALID_PARAMS,
                            "'change' is \"set\", \"add\", \"remove\" or \"despawn\"");
    }
    b->kind = changes[i].kind;
    b->value = weft_scan_member(b->call->params, "value");
    if (!judge_params(b, name)) return false;
    if (b->kind == SERVE_SET) return take_path(b);
    return b->kind == SERVE_DESPAWNED || serve_take_component(b->call, &b->component);
}

// ------------------------------------------------------------------------------------------------
// Changes

static void count_refusal(bulk *b, uint64_t handle)
{
    uint32_t i = 0;
    b->refused++;
    b->call->refused = false; // of this entity only
    while (i < b->reason_count && strcmp(b->reasons[i].why, b->call->why) != 0) i++;
    if (i == SERVE_REASONS_MAX) return;
    bulk_reason *r = &b->reasons[i];
    if (i == b->reason_count) {
        b->reason_count++;
        r->first = handle;
        const size_t bytes = strlen(b->call->why);
        const size_t kept = bytes < sizeof r->why ? bytes : sizeof r->why - 1;
        memcpy(r->why, b->call->why, kept);
        r->why[kept] = '\0';
    }
    r->count++;
}

// Changes one entity. Returns false if the call is refused for it.
static bool change_one(bulk *b, uint64_t handle)
{
    weft_world *world = b->call->world;
    const char *name = world->plan->schema->components[b->component].name;
    if (b->kind == SERVE_SET) return serve_set_value(b->call, handle, b->path, b->value);
    const weft_status status = b->kind == SERVE_ADDED
                                   ? weft_component_add_by_name(world, handle, name)
                                   : weft_component_remove_by_name(world, handle, name);
    return status == WEFT_OK || serve_refuse_world(b->call);
}

// Returns the data that was replaced, or NULL.
static serve_taken *change_all(bulk *b)
{
    serve_taken *taken = serve_taken_of_many(b->kind, b->component, b->path);
    for (uint32_t i = 0; i < b->count; i++) {
        const bool noted = taken && serve_taken_note(b->call, taken, b->handles[i]);
        if (change_one(b, b->handles[i])) {
            b->done++;
            continue;
        }
        count_refusal(b, b->handles[i]);
        if (noted) serve_taken_drop(taken);
    }
    return serve_taken_whole(taken);
}

// An entity may be despawned with another one of the list.
static serve_taken *despawn_all(bulk *b)
{
    serve_taken *taken = serve_taken_of_despawn(b->call, b->handles, b->count);
    for (uint32_t i = 0; i < b->count; i++) b->alive[i] = serve_is_alive(b->call, b->handles[i]);
    for (uint32_t i = 0; i < b->count; i++) {
        const uint64_t handle = b->handles[i];
        if ((b->alive[i] && !serve_is_alive(b->call, handle)) ||
            weft_despawn(b->call->world, handle)) {
            b->done++;
            continue;
        }
        serve_refuse_world(b->call);
        count_refusal(b, handle);
    }
    return taken;
}

static void add_answer(bulk *b, serve_taken *taken)
{
    uint32_t listed = 0;
    serve_text *out = b->call->out;
    serve_print(out, "{\"done\":%u,\"refused\":%u,\"refusals\":[", b->done, b->refused);
    for (uint32_t i = 0; i < b->reason_count; i++) {
        serve_add_comma(out);
        serve_add(out, "{\"why\":");
        serve_add_string(out, b->reasons[i].why);
        serve_print(out, ",\"count\":%u,\"id\":", b->reasons[i].count);
        serve_add_handle(b->call, b->reasons[i].first);
        serve_add(out, "}");
        listed += b->reasons[i].count;
    }
    serve_print(out, "],\"left_off\":%u,\"undo\":", b->refused - listed);
    if (b->done == 0) { // the last step stays
        serve_taken_free(taken);
        serve_add(out, "null");
    } else {
        serve_taken_keep(b->call, taken);
    }
    serve_add(out, "}");
}

void serve_bulk(serve_call *call)
{
    static WEFT_THREAD_LOCAL bulk b; // too large for a stack
    memset(&b, 0, sizeof b);
    b.call = call;
    if (!take_handles(&b) || !take_change(&b)) return;
    serve_taken *taken = b.kind == SERVE_DESPAWNED ? despawn_all(&b) : change_all(&b);
    add_answer(&b, taken);
}
