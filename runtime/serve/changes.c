// The changes between two ticks. `remember` stores singletons, and every entity or those of an
// expression, as JSON. `changes` compares these texts with the current ones.
#include "changes.h"

#include "filter.h"

#include "../select/select.h"
#include "../store/tables.h"
#include "../weft_json.h"
#include "../world/rows.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

// An entity or singleton in the stored text.
typedef struct remembered {
    uint64_t handle; // for a singleton, its number
    size_t from;
    size_t end;
} remembered;

struct serve_memory {
    uint64_t tick;
    uint32_t singletons;              // the first parts
    uint32_t entities;                // the rest, ordered by handle
    char where[SERVE_EXPRESSION_MAX]; // "" if all entities are remembered
    serve_text text;
    remembered parts[];
};

static int by_handle(const void *one, const void *other)
{
    uint64_t a = ((const remembered *)one)->handle;
    uint64_t b = ((const remembered *)other)->handle;
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

// A walk over the entities of an expression, or over all of them if it is empty.
typedef struct walk {
    weft_select select; // without a program for all entities
    bool all;
    uint32_t table;
    uint32_t row;
} walk;

// Begins a walk. Returns false if the expression is refused.
static bool begin_walk(serve_call *call, const char *where, walk *w)
{
    *w = (walk){.all = strspn(where, " \t\n") == strlen(where)};
    if (w->all) return true;
    w->select = weft_select_begin(call->world, where);
    return w->select.status == WEFT_OK || serve_refuse_world(call);
}

static void end_walk(walk *w)
{
    if (!w->all) weft_select_end(&w->select);
}

static bool next_of_walk(const serve_call *call, walk *w, uint64_t *handle)
{
    const weft_query *all = &call->world->lists.every_table;
    if (!w->all) {
        if (!weft_select_next(&w->select)) return false;
        *handle = w->select.handle;
        return true;
    }
    for (; w->table < all->count; w->table++, w->row = 0) {
        if (w->row >= all->tables[w->table]->count) continue;
        *handle = handle_at(call, all->tables[w->table], w->row++);
        return true;
    }
    return false;
}

static uint64_t count_walk(const serve_call *call, walk *w)
{
    const weft_query *all = &call->world->lists.every_table;
    uint64_t count = 0;
    if (!w->all) return weft_select_count(&w->select);
    for (uint32_t i = 0; i < all->count; i++) count += all->tables[i]->count;
    return count;
}

static void write_all(serve_call *call, struct serve_memory *m, walk *w)
{
    remembered *at = m->parts;
    uint64_t handle = 0;
    for (uint32_t i = 0; i < m->singletons; i++, at++) {
        *at = (remembered){.handle = i, .from = m->text.used};
        weft_json_singleton_write(call->world, i, serve_add_piece, &m->text);
        at->end = m->text.used;
    }
    for (uint32_t i = 0; i < m->entities && next_of_walk(call, w, &handle); i++, at++) {
        *at = (remembered){.handle = handle, .from = m->text.used};
        weft_json_entity_write(call->world, handle, serve_add_piece, &m->text);
        at->end = m->text.used;
    }
    qsort(m->parts + m->singletons, m->entities, sizeof *m->parts, by_handle);
}

// Remembers the entities of a walk. Returns false if there is no memory.
static bool remember_walk(serve_call *call, const char *where, walk *w, uint32_t entities)
{
    const uint32_t singletons = call->world->plan->schema->singleton_count;
    size_t bytes =
        sizeof(struct serve_memory) + (singletons + (size_t)entities) * sizeof(remembered);
    struct serve_memory *m = (struct serve_memory *)calloc(1, bytes);
    call->state->memory = m;
    if (!m) return false;
    m->tick = call->world->tick;
    m->singletons = singletons;
    m->entities = entities;
    m->text.limit = SERVE_REMEMBERED_BYTES_MAX;
    memcpy(m->where, where, strlen(where) + 1);
    write_all(call, m, w);
    return !m->text.failed;
}

void serve_remember(serve_call *call)
{
    char where[SERVE_EXPRESSION_MAX] = "";
    walk w;
    if (!serve_may_take_string(call, "where", where, sizeof where)) return;
    if (!begin_walk(call, where, &w)) return;
    const uint64_t entities = count_walk(call, &w);
    if (entities > SERVE_REMEMBERED_MAX) {
        serve_refuse(call, SERVE_TOO_LARGE,
                     "%llu entities are more than the %u that can be remembered: select fewer by "
                     "an expression in 'where'",
                     (unsigned long long)entities, SERVE_REMEMBERED_MAX);
        end_walk(&w);
        return;
    }
    serve_forget_memory(call->state);
    if (remember_walk(call, where, &w, (uint32_t)entities)) {
        serve_print(call->out, "{\"tick\":%llu,\"entities\":%llu}",
                    (unsigned long long)call->world->tick, (unsigned long long)entities);
    } else {
        serve_forget_memory(call->state);
        serve_refuse(call, SERVE_TOO_LARGE,
                     "no memory to remember so much: select fewer by an expression in 'where'");
    }
    end_walk(&w);
}

// ------------------------------------------------------------------------------------------------
// Comparing

static weft_scanned text_of(const struct serve_memory *m, const remembered *one)
{
    return (weft_scanned){m->text.bytes + one->from, one->end - one->from};
}

static bool are_equal(weft_scanned one, weft_scanned other)
{
    return one.bytes == other.bytes &&
           (one.bytes == 0 || memcmp(one.text, other.text, one.bytes) == 0);
}

// Returns whether two texts of an entity or singleton differ, and pass the filter.
static bool is_change(const serve_filter *filter, const char *name, weft_scanned was,
                      weft_scanned is)
{
    if (are_equal(was, is)) return false;
    if (are_equal(serve_filter_value(filter, name, was), serve_filter_value(filter, name, is))) {
        return false;
    }
    return serve_filter_finds(filter, was) || serve_filter_finds(filter, is);
}

// Adds the old and the new text of an entity, or of the singleton `name`, unless too many were
// added.
static void add_change(serve_call *call, uint64_t handle, const char *name, weft_scanned was,
                       weft_scanned is)
{
    serve_text *out = call->out;
    serve_add_comma(out);
    serve_add(out, "{\"name\":");
    if (name)
        serve_add_string(out, name);
    else
        serve_add_handle(call, handle);
    bool is_short = was.bytes <= SERVE_CHANGE_BYTES && is.bytes <= SERVE_CHANGE_BYTES;
    size_t used = out->used - call->result;
    if (is_short || used + was.bytes + is.bytes <= SERVE_CHANGES_BYTES) {
        serve_add(out, ",\"was\":");
        serve_add_bytes(out, was.text, was.bytes);
        serve_add(out, ",\"is\":");
        serve_add_bytes(out, is.text, is.bytes);
    }
    serve_add(out, "}");
}

static bool is_alive(const serve_call *call, uint64_t handle)
{
    weft_place place;
    return weft_find(&call->world->entities, call->world->plan->format, handle, &place);
}

static void add_changed(serve_call *call, const serve_filter *filter)
{
    const struct serve_memory *m = call->state->memory;
    serve_text now = {.limit = SERVE_REMEMBERED_BYTES_MAX};
    uint32_t changed = 0;
    serve_add(call->out, ",\"changed\":[");
    for (uint32_t i = 0; i < m->singletons + m->entities && !now.failed; i++) {
        const remembered *was = &m->parts[i];
        const char *name = NULL;
        now.used = 0;
        if (i < m->singletons) {
            name = call->world->plan->schema->singletons[i].name;
            weft_json_singleton_write(call->world, i, serve_add_piece, &now);
        } else if (is_alive(call, was->handle)) {
            weft_json_entity_write(call->world, was->handle, serve_add_piece, &now);
        } else {
            continue;
        }
        if (now.failed) break;
        weft_scanned is = {now.bytes, now.used};
        if (!is_change(filter, name, text_of(m, was), is)) continue;
        if (changed++ < SERVE_CHANGES_MAX) {
            add_change(call, was->handle, name, text_of(m, was), is);
        }
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

// Returns whether an entity that was added or despawned passes the filter.
static bool passes(const serve_filter *filter, weft_scanned text)
{
    return serve_filter_value(filter, NULL, text).bytes != 0 && serve_filter_finds(filter, text);
}

static void add_gone(serve_call *call, const serve_filter *filter)
{
    const struct serve_memory *m = call->state->memory;
    uint32_t count = 0;
    for (uint32_t i = m->singletons; i < m->singletons + m->entities; i++) {
        const remembered *was = &m->parts[i];
        const weft_scanned text = text_of(m, was);
        if (is_alive(call, was->handle) || !passes(filter, text)) continue;
        if (count < SERVE_CHANGES_MAX) {
            serve_names_note_json(call->state, was->handle, text.text, text.bytes);
        }
        add_handles(call, "gone", &count, was->handle);
    }
    end_handles(call, "gone", count);
}

// Adds the entities that match the remembered expression now and were not remembered.
static void add_new(serve_call *call, const serve_filter *filter)
{
    const struct serve_memory *m = call->state->memory;
    const bool by_text = filter->path[0] != '\0' || filter->text[0] != '\0';
    serve_text now = {.limit = SERVE_REMEMBERED_BYTES_MAX};
    uint32_t count = 0;
    walk w;
    if (!begin_walk(call, m->where, &w)) return;
    for (remembered key = {.handle = 0}; next_of_walk(call, &w, &key.handle);) {
        if (bsearch(&key, m->parts + m->singletons, m->entities, sizeof key, by_handle)) continue;
        now.used = 0;
        if (by_text) weft_json_entity_write(call->world, key.handle, serve_add_piece, &now);
        weft_scanned text = {now.bytes, now.used};
        if (!by_text || passes(filter, text)) add_handles(call, "new", &count, key.handle);
    }
    end_walk(&w);
    end_handles(call, "new", count);
    serve_free(&now);
}

void serve_changes(serve_call *call)
{
    const struct serve_memory *m = call->state->memory;
    serve_filter filter;
    if (!m) {
        serve_refuse(call, SERVE_REFUSED, "no tick is remembered: `remember` one first");
        return;
    }
    if (!serve_filter_take(call, &filter)) return;
    serve_print(call->out, "{\"from\":%llu,\"to\":%llu,\"entities\":%u,\"where\":",
                (unsigned long long)m->tick, (unsigned long long)call->world->tick, m->entities);
    serve_add_string(call->out, m->where);
    add_changed(call, &filter);
    add_gone(call, &filter);
    add_new(call, &filter);
    serve_add(call->out, "}");
}
