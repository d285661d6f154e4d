// Params, refusals and messages of calls.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // clock_gettime
#endif
#include "rpc.h"

#include "../base/assert.h"
#include "../insight/awaited.h"
#include "../value/mistake.h"
#include "../world/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

double serve_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool serve_is_given(const void *pointer, const char *words)
{
    (void)words; // unused in release builds
    WEFT_ASSERT((uintptr_t)pointer, !=, (uintptr_t)0, words);
    return pointer != NULL;
}

void serve_state_log(serve_state *state, const char *line)
{
    serve_message *message = &state->kept[state->messages % WEFT_SERVE_MESSAGES_MAX];
    message->number = ++state->messages;
    message->tick = state->world->tick;
    size_t length = strlen(line);
    if (length >= sizeof message->text) length = sizeof message->text - 1;
    memcpy(message->text, line, length);
    message->text[length] = '\0';
}

// ------------------------------------------------------------------------------------------------
// Refusals

bool serve_refuse(serve_call *call, int code, const char *format, ...)
{
    if (call->refused) return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call->why, sizeof call->why, format, arguments);
    va_end(arguments);
    call->refused = true;
    call->code = code;
    return false;
}

bool serve_refuse_world(serve_call *call)
{
    return serve_refuse(call, SERVE_REFUSED, "%s", weft_world_error(call->world));
}

// ------------------------------------------------------------------------------------------------
// Params

bool serve_may_take_string(serve_call *call, const char *name, char *string, size_t capacity)
{
    weft_scanned value = weft_scan_member(call->params, name);
    return weft_scan_kind(value) == '\0' || weft_scan_string(value, string, capacity) ||
           serve_refuse(call, SERVE_INVALID_PARAMS,
                        "'%s' must be a string of less than %zu bytes without a NUL", name,
                        capacity);
}

bool serve_take_string(serve_call *call, const char *name, char *string, size_t capacity)
{
    if (weft_scan_kind(weft_scan_member(call->params, name)) != '"') {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' is missing, or not a string", name);
    }
    return serve_may_take_string(call, name, string, capacity);
}

bool serve_may_take_number(serve_call *call, const char *name, double low, double high,
                           double *number)
{
    double found;
    weft_scanned value = weft_scan_member(call->params, name);
    if (weft_scan_kind(value) == '\0') return true;
    if (!weft_scan_number(value, &found) || !(found >= low && found <= high)) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' must be a number from %g to %g", name,
                            low, high);
    }
    *number = found;
    return true;
}

bool serve_may_take_bool(serve_call *call, const char *name, bool *value)
{
    char kind = weft_scan_kind(weft_scan_member(call->params, name));
    if (kind == '\0') return true;
    *value = kind == 't';
    return kind == 't' || kind == 'f' ||
           serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' must be true or false", name);
}

bool serve_take_handle(serve_call *call, const char *name, uint64_t *handle)
{
    char text[32];
    return serve_take_string(call, name, text, sizeof text) &&
           (weft_handle_from_text(call->world->plan->format, text, strlen(text), handle) ||
            serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' must be \"index:generation\"", name));
}

bool serve_take_living(serve_call *call, const char *name, uint64_t *handle)
{
    const weft_format f = call->world->plan->format;
    if (!serve_take_handle(call, name, handle)) return false;
    if (weft_alive(&call->world->entities, f, *handle)) return true;
    // Reporting it would fill the game's log.
    return serve_refuse(call, SERVE_REFUSED, "entity %s %s", weft_handle_as_text(f, *handle).text,
                        weft_was_alive(call->world, *handle) ? "is no longer alive"
                                                             : "was never alive");
}

bool serve_take_name(serve_call *call, const char *param, weft_names names, uint32_t *found)
{
    char name[SERVE_PATH_MAX];
    char why[WEFT_WHY_BYTES];
    if (!serve_take_string(call, param, name, sizeof name)) return false;
    *found = weft_names_find(&names, name, strlen(name));
    if (*found != WEFT_NO_NAME) return true;
    weft_name_refuse(why, &names, 1, name, strlen(name));
    return serve_refuse(call, SERVE_INVALID_PARAMS, "%s", why);
}

bool serve_take_component(serve_call *call, uint32_t *component)
{
    return serve_take_name(call, "component", weft_component_names(call->world->plan->schema),
                           component);
}

bool serve_take_link(serve_call *call, uint32_t *link)
{
    return serve_take_name(call, "link", weft_link_names(call->world->plan->schema), link);
}

bool serve_take_relation(serve_call *call, uint32_t *relation)
{
    return serve_take_name(call, "relation", weft_relation_names(call->world->plan->schema),
                           relation);
}

void serve_add_handle(serve_call *call, uint64_t handle)
{
    if (handle == 0)
        serve_add(call->out, "null");
    else
        serve_print(call->out, "\"%s\"",
                    weft_handle_as_text(call->world->plan->format, handle).text);
}
