// An entity that was despawned, as far as its last writes are stored: when and by whom, its
// components, and their last values.
#include "gone.h"

#include "../insight/awaited.h"
#include "../insight/watching.h"

#include <string.h>

#define GONE_WRITES_MAX 64u // of a component, searched for values
#define GONE_PATHS_MAX 32u  // values listed for one component

// Adds the last values of a component, each once. Newer writes are first.
static void add_last_values(serve_call *call, const weft_write *writes, uint32_t count)
{
    uint32_t listed[GONE_PATHS_MAX];
    uint32_t used = 0;
    for (uint32_t i = 0; i < count && used < GONE_PATHS_MAX; i++) {
        bool known = writes[i].kind != WEFT_WRITE_VALUE || writes[i].after[0] == '\0';
        for (uint32_t k = 0; k < used && !known; k++) {
            known = strcmp(writes[listed[k]].path, writes[i].path) == 0;
        }
        if (known) continue;
        listed[used++] = i;
        serve_add_comma(call->out);
        serve_add(call->out, "{\"path\":");
        serve_add_string(call->out, writes[i].path);
        serve_add_name(call->out, "value");
        serve_add_string(call->out, writes[i].after);
        serve_print(call->out, ",\"tick\":%llu}", (unsigned long long)writes[i].tick);
    }
}

// Adds the components that it lost when it was despawned, and finds the write that despawned it.
static void add_lost(serve_call *call, uint64_t handle, weft_write *end)
{
    const weft_schema *schema = call->world->plan->schema;
    weft_write writes[GONE_WRITES_MAX];
    serve_add(call->out, ",\"components\":[");
    for (uint32_t i = 0; i < schema->component_count; i++) {
        const char *name = schema->components[i].name;
        uint32_t count = weft_last_writes(call->world, handle, name, writes, GONE_WRITES_MAX);
        bool lost = count != 0 && writes[0].kind == WEFT_WRITE_REMOVED;
        if (!lost || writes[0].tick < end->tick) continue;
        *end = writes[0];
        serve_add_comma(call->out);
        serve_add(call->out, "{\"name\":");
        serve_add_string(call->out, name);
        serve_add(call->out, ",\"values\":[");
        add_last_values(call, writes, count);
        serve_add(call->out, "]}");
    }
    serve_add(call->out, "]");
}

void serve_gone(serve_call *call)
{
    uint64_t handle;
    weft_write end = {.writer = NULL};
    const weft_world *world = call->world;
    if (!serve_take_handle(call, "id", &handle)) return;
    bool alive = weft_alive(&world->entities, world->plan->format, handle);
    bool watched = world->observers.watching && world->observers.watching->tracing;
    serve_add(call->out, "{\"id\":");
    serve_add_handle(call, handle);
    serve_print(call->out, ",\"alive\":%s,\"was\":%s,\"watched\":%s", alive ? "true" : "false",
                weft_was_alive(world, handle) ? "true" : "false", watched ? "true" : "false");
    if (watched && !alive) add_lost(call, handle, &end);
    serve_add(call->out, ",\"end\":");
    if (end.writer) {
        serve_print(call->out,
                    "{\"tick\":%llu,\"commands\":%s,\"writer\":", (unsigned long long)end.tick,
                    end.commands ? "true" : "false");
        serve_add_string(call->out, end.writer);
        serve_add(call->out, "}");
    } else {
        serve_add(call->out, "null");
    }
    serve_add(call->out, "}");
}
