// The changes between two ticks. `remember` stores every entity and singleton as JSON, and
// `changes` compares these texts with the current ones.
#include "changes.h"

#include "../store/tables.h"
#include "../weft_json.h"
#include "../world/rows.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

// An entity or singleton in the stored text.
typedef struct part {
    uint64_t handle; // for a singleton, its number
    size_t from;
    size_t end;
} part;

struct serve_memory {
    uint64_t tick;
    uint32_t singletons; // the first parts
    uint32_t entities;   // the rest, ordered by handle
    serve_text text;
    part parts[];
};

static int by_handle(const void *one, const void *other)
{
    uint64_t a = ((const part *)one)->handle;
    uint64_t b = ((const part *)other)->handle;
    return (a > b) - (a < b);
}

void serve_forget_memory(serve_state *state)
{
    if (state->memory) serve_free(&state->memory->text);
    free(state->memory);
    state->memory = NULL;
}

static uint64_t handle_at(const serve_call *call, const weft_table *table, uint32_t row)
{
    return weft_handle_load(call->world->plan->format, weft_column(table, 0), row);
}

static void write_all(serve_call *call, struct serve_memory *m)
{
    const weft_query *all = &call->world->lists.every_table;
    part *at = m->parts;
    for (uint32_t i = 0; i < m->singletons; i++, at++) {
        *at = (part){.handle = i, .from = m->text.used};
        weft_json_singleton_write(call->world, i, serve_add_piece, &m->text);
        at->end = m->text.used;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        for (uint32_t row = 0; row < all->tables[i]->count; row++, at++) {
            *at = (part){.handle = handle_at(call, all->tables[i], row), .from = m->text.used};
            weft_json_entity_write(call->world, at->handle, serve_add_piece, &m->text);
            at->end = m->text.used;
        }
    }
    qsort(m->parts + m->singletons, m->entities, sizeof *m->parts, by_handle);
}

void serve_remember(serve_call *call)
{
    const weft_query *all = &call->world->lists.every_table;
    const uint32_t singletons = call->world->plan->schema->singleton_count;
    uint64_t entities = 0;
    for (uint32_t i = 0; i < all->count; i++) entities += all->tables[i]->count;
    serve_forget_memory(call->state);
    if (entities > SERVE_REMEMBERED_MAX) {
        serve_refuse(call, SERVE_TOO_LARGE,
                     "%llu entities are more than the %u that can be remembered",
                     (unsigned long long)entities, SERVE_REMEMBERED_MAX);
        return;
    }
    size_t bytes = sizeof(struct serve_memory) + (singletons + (size_t)entities) * sizeof(part);
    struct serve_memory *m = (struct serve_memory *)calloc(1, bytes);
    call->state->memory = m;
    if (m) {
        *m = (struct serve_memory){
            .tick = call->world->tick,
            .singletons = singletons,
            .entities = (uint32_t)entities,
            .text = {.limit = SERVE_REMEMBERED_BYTES_MAX},
        };
        write_all(call, m);
    }
    if (!m || m->text.failed) {
        serve_forget_memory(call->state);
        serve_refuse(call, SERVE_TOO_LARGE, "no memory to remember so much");
        return;
    }
    serve_print(call->out, "{\"tick\":%llu,\"entities\":%llu}", (unsigned long long)m->tick,
                (unsigned long long)entities);
}

// ------------------------------------------------------------------------------------------------
// Comparing

// Adds the old and the new text if they differ, unless too many were added. `now` is the new text.
static void compare(serve_call *call, const part *was, const serve_text *now, const char *name,
                    uint32_t *changed)
{
    const struct serve_memory *m = call->state->memory;
    size_t bytes = was->end - was->from;
    if (bytes == now->used && memcmp(m->text.bytes + was->from, now->bytes, bytes) == 0) return;
    if ((*changed)++ >= SERVE_CHANGES_MAX) return;
    serve_add_comma(call->out);
    serve_add(call->out, "{\"name\":");
    if (name)
        serve_add_string(call->out, name);
    else
        serve_add_handle(call, was->handle);
    bool is_short = bytes <= SERVE_CHANGE_BYTES && now->used <= SERVE_CHANGE_BYTES;
    size_t used = call->out->used - call->result;
    if (is_short || used + bytes + now->used <= SERVE_CHANGES_BYTES) {
        serve_add(call->out, ",\"was\":");
        serve_add_bytes(call->out, m->text.bytes + was->from, bytes);
        serve_add(call->out, ",\"is\":");
        serve_add_bytes(call->out, now->bytes, now->used);
    }
    serve_add(call->out, "}");
}

static void add_changed(serve_call *call)
{
    const struct serve_memory *m = call->state->memory;
    serve_text now = {.limit = SERVE_REMEMBERED_BYTES_MAX};
    uint32_t changed = 0;
    weft_place place;
    serve_add(call->out, ",\"changed\":[");
    for (uint32_t i = 0; i < m->singletons + m->entities && !now.failed; i++) {
        const part *was = &m->parts[i];
        const char *name = NULL;
        now.used = 0;
        if (i < m->singletons) {
            name = call->world->plan->schema->singletons[i].name;
            weft_json_singleton_write(call->world, i, serve_add_piece, &now);
        } else if (weft_find(&call->world->entities, call->world->plan->format, was->handle,
                             &place)) {
            weft_json_entity_write(call->world, was->handle, serve_add_piece, &now);
        } else {
            continue;
        }
        if (!now.failed) compare(call, was, &now, name, &changed);
    }
    if (now.failed) serve_refuse(call, SERVE_TOO_LARGE, "no memory to compare so much");
    serve_print(call->out, "],\"changed_count\":%u", changed);
    serve_free(&now);
}

// Adds an entity to a list of new or despawned ones. The first one also begins the list.
static void add_handles(serve_call *call, const char *name, uint32_t *count, uint64_t handle)
{
    if ((*count)++ == 0) serve_print(call->out, ",\"%s\":[", name);
    if (*count > SERVE_CHANGES_MAX) return;
    serve_add_comma(call->out);
    serve_add_handle(call, handle);
}

static void end_handles(serve_call *call, const char *name, uint32_t count)
{
    if (count == 0) serve_print(call->out, ",\"%s\":[", name);
    serve_print(call->out, "],\"%s_count\":%u", name, count);
}

static void add_gone(serve_call *call)
{
    const struct serve_memory *m = call->state->memory;
    uint32_t count = 0;
    weft_place place;
    for (uint32_t i = m->singletons; i < m->singletons + m->entities; i++) {
        const part *was = &m->parts[i];
        uint64_t handle = was->handle;
        if (weft_find(&call->world->entities, call->world->plan->format, handle, &place)) continue;
        if (count < SERVE_CHANGES_MAX) {
            serve_names_note_json(call->state, handle, m->text.bytes + was->from,
                                  was->end - was->from);
        }
        add_handles(call, "gone", &count, handle);
    }
    end_handles(call, "gone", count);
}

static void add_new(serve_call *call)
{
    const struct serve_memory *m = call->state->memory;
    const weft_query *all = &call->world->lists.every_table;
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        for (uint32_t row = 0; row < all->tables[i]->count; row++) {
            part key = {.handle = handle_at(call, all->tables[i], row)};
            if (bsearch(&key, m->parts + m->singletons, m->entities, sizeof key, by_handle)) {
                continue;
            }
            add_handles(call, "new", &count, key.handle);
        }
    }
    end_handles(call, "new", count);
}

void serve_changes(serve_call *call)
{
    const struct serve_memory *m = call->state->memory;
    if (!m) {
        serve_refuse(call, SERVE_REFUSED, "no tick is remembered: `remember` one first");
        return;
    }
    serve_print(call->out, "{\"from\":%llu,\"to\":%llu", (unsigned long long)m->tick,
                (unsigned long long)call->world->tick);
    add_changed(call);
    add_gone(call);
    add_new(call);
    serve_add(call->out, "}");
}
