// Params, refusals and messages of calls.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // clock_gettime
#endif
#include "rpc.h"

#include "../base/assert.h"
#include "../value/fields.h"
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
    (void)words; // in release builds
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
    serve_value value = serve_json_member(call->params, name);
    return serve_json_kind(value) == '\0' || serve_json_string(value, string, capacity) ||
           serve_refuse(call, SERVE_INVALID_PARAMS,
                        "'%s' is to be a string of less than %zu bytes without a NUL", name,
                        capacity);
}

bool serve_take_string(serve_call *call, const char *name, char *string, size_t capacity)
{
    if (serve_json_kind(serve_json_member(call->params, name)) != '"') {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' is missing, or no string", name);
    }
    return serve_may_take_string(call, name, string, capacity);
}

bool serve_may_take_number(serve_call *call, const char *name, double low, double high,
                           double *number)
{
    double found;
    serve_value value = serve_json_member(call->params, name);
    if (serve_json_kind(value) == '\0') return true;
    if (!serve_json_number(value, &found) || !(found >= low && found <= high)) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' is to be a number from %g to %g",
                            name, low, high);
    }
    *number = found;
    return true;
}

bool serve_may_take_bool(serve_call *call, const char *name, bool *value)
{
    char kind = serve_json_kind(serve_json_member(call->params, name));
    if (kind == '\0') return true;
    *value = kind == 't';
    return kind == 't' || kind == 'f' ||
           serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' is to be true or false", name);
}

bool serve_take_handle(serve_call *call, const char *name, uint64_t *handle)
{
    char text[32];
    return serve_take_string(call, name, text, sizeof text) &&
           (weft_handle_from_text(call->world->plan->format, text, strlen(text), handle) ||
            serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' is to be \"index:generation\"", name));
}

bool serve_take_component(serve_call *call, uint32_t *component)
{
    char name[SERVE_PATH_MAX];
    if (!serve_take_string(call, "component", name, sizeof name)) return false;
    int found = weft_component_index(call->world->plan->schema, name);
    if (found < 0) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "there is no component '%.64s'", name);
    }
    *component = (uint32_t)found;
    return true;
}

bool serve_take_relation(serve_call *call, uint32_t *relation)
{
    char name[SERVE_PATH_MAX];
    const weft_schema *schema = call->world->plan->schema;
    if (!serve_take_string(call, "relation", name, sizeof name)) return false;
    *relation =
        weft_name_find(schema->relations, sizeof *schema->relations, schema->relation_count, name);
    return *relation != WEFT_NO_NAME ||
           serve_refuse(call, SERVE_INVALID_PARAMS, "there is no relation '%.64s'", name);
}

void serve_add_handle(serve_call *call, uint64_t handle)
{
    if (handle == 0)
        serve_add(call->out, "null");
    else
        serve_print(call->out, "\"%s\"",
                    weft_handle_as_text(call->world->plan->format, handle).text);
}

weft_status serve_add_piece(void *text, const char *piece, size_t bytes)
{
    serve_text *out = (serve_text *)text;
    serve_add_bytes(out, piece, bytes);
    return out->failed ? WEFT_NO_MEMORY : WEFT_OK;
}
