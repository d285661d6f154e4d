// Entities: windows of selections, sorted or not, and everything that one entity has.
#include "entities.h"

#include "../change/calls.h"
#include "../change/relation.h"
#include "../plan/fields.h"
#include "../weft_json.h"
#include "../world/report.h"
#include "../world/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SORT_SHARE 100        // a list is kept for so many times as long as sorting it took
#define SORT_KEPT_SECONDS 1.0 // and at least so long

// ------------------------------------------------------------------------------------------------
// Values by path

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
    } else if (kind == WEFT_FLOAT && !isfinite(number.f64)) {
        serve_add(call->out, isnan(number.f64) ? "\"nan\""
                             : number.f64 > 0  ? "\"inf\""
                                               : "\"-inf\"");
    } else if (kind == WEFT_FLOAT) {
        weft_float_text(number.f64, leaf->type == WEFT_TYPE_F32, text);
        serve_add(call->out, text);
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

// ------------------------------------------------------------------------------------------------
// Sorting

// A handle and what it is sorted by. Text is its first eight bytes.
typedef struct sort_key {
    double number; // NaN and no value come last
    uint64_t text;
    uint64_t handle;
} sort_key;

static sort_key key_of(const serve_call *call, uint64_t handle, const char *path)
{
    sort_key key = {.number = INFINITY, .text = UINT64_MAX, .handle = handle};
    weft_leaf_ref leaf;
    if (component_of(call, handle, path) < 0) return key;
    if (strpbrk(path, ".[") == NULL) {
        key.number = 0;
        return key;
    }
    if (weft_field_find(call->world, handle, path, &leaf) != WEFT_OK) return key;
    weft_number_kind kind = weft_kind_of(leaf.type);
    if (leaf.type == WEFT_TYPE_CHAR) {
        const unsigned char *text = (const unsigned char *)leaf.value;
        uint32_t bytes = weft_string_bytes(leaf.field, leaf.value);
        key.text = 0;
        key.number = 0;
        for (uint32_t i = 0; i < 8; i++) key.text = key.text << 8 | (i < bytes ? text[i] : 0u);
    } else if (leaf.type == WEFT_TYPE_ENTITY) {
        key.number = (double)weft_handle_read(call->world->plan->schema, leaf.value);
    } else if (kind != WEFT_NO_NUMBER) {
        weft_number number = weft_number_load(kind, leaf.value, leaf.bytes);
        key.number = kind == WEFT_FLOAT    ? number.f64
                     : kind == WEFT_SIGNED ? (double)number.i64
                                           : (double)number.u64;
        if (isnan(key.number)) key.number = INFINITY;
    }
    return key;
}

static int compare_keys(const void *left, const void *right)
{
    const sort_key *a = (const sort_key *)left, *b = (const sort_key *)right;
    if (a->number != b->number) return a->number < b->number ? -1 : 1;
    if (a->text != b->text) return a->text < b->text ? -1 : 1;
    return a->handle < b->handle ? -1 : a->handle > b->handle;
}

static void forget(serve_sorted *sorted)
{
    free(sorted->handles);
    sorted->handles = NULL;
}

void serve_sorted_forget(serve_state *state)
{
    for (uint32_t i = 0; i < SERVE_SORTED_KEPT; i++) forget(&state->sorted[i]);
}

static serve_sorted *find_sorted(serve_state *state, const serve_sorted *wanted)
{
    double now = serve_now();
    for (serve_sorted *one = state->sorted; one != state->sorted + SERVE_SORTED_KEPT; one++) {
        double kept = one->takes * SORT_SHARE;
        if (now - one->made > (kept > SORT_KEPT_SECONDS ? kept : SORT_KEPT_SECONDS)) forget(one);
        if (one->handles && one->descending == wanted->descending &&
            strcmp(one->where, wanted->where) == 0 && strcmp(one->by, wanted->by) == 0) {
            return one;
        }
    }
    return NULL;
}

// Returns the place of the oldest list.
static serve_sorted *oldest(serve_state *state)
{
    serve_sorted *found = state->sorted;
    for (serve_sorted *one = state->sorted; one != state->sorted + SERVE_SORTED_KEPT; one++) {
        if (!one->handles) return one;
        if (one->made < found->made) found = one;
    }
    return found;
}

// Sorts all entities of a selection. NULL: no memory.
static serve_sorted *sort(serve_call *call, weft_select *select, const serve_sorted *wanted)
{
    double start = serve_now();
    uint64_t count = weft_select_count(select), used = 0;
    sort_key *keys = (sort_key *)malloc(((size_t)count + 1) * sizeof *keys);
    uint64_t *handles = (uint64_t *)malloc(((size_t)count + 1) * sizeof *handles);
    if (!keys || !handles) {
        free(keys);
        free(handles);
        serve_refuse(call, SERVE_TOO_LARGE, "no memory to sort %llu entities",
                     (unsigned long long)count);
        return NULL;
    }
    while (used < count && weft_select_next(select)) {
        keys[used++] = key_of(call, select->handle, wanted->by);
    }
    qsort(keys, (size_t)used, sizeof *keys, compare_keys);
    for (uint64_t i = 0; i < used; i++) {
        handles[i] = keys[wanted->descending ? used - 1 - i : i].handle;
    }
    free(keys);
    serve_sorted *place = oldest(call->state);
    forget(place);
    *place = *wanted;
    place->handles = handles;
    place->count = used;
    place->made = serve_now();
    place->takes = place->made - start;
    return place;
}

// ------------------------------------------------------------------------------------------------
// Windows

typedef struct window {
    serve_sorted list; // what is asked for, as a list that is kept
    double offset;
    double limit;
    char columns[SERVE_COLUMNS_MAX][SERVE_PATH_MAX];
    uint32_t column_count;
} window;

static bool take_columns(serve_call *call, window *wanted)
{
    serve_value columns = serve_json_member(call->params, "columns");
    const char *at = NULL;
    for (serve_value one = serve_json_next(columns, &at); one.bytes != 0;
         one = serve_json_next(columns, &at)) {
        if (wanted->column_count == SERVE_COLUMNS_MAX ||
            !serve_json_string(one, wanted->columns[wanted->column_count++], SERVE_PATH_MAX)) {
            return serve_refuse(call, SERVE_INVALID_PARAMS, "'columns' are at most %u strings",
                                SERVE_COLUMNS_MAX);
        }
    }
    return true;
}

static void add_row(serve_call *call, const window *wanted, uint64_t handle)
{
    const weft_plan *plan = call->world->plan;
    weft_place place;
    serve_add_comma(call->out);
    serve_add(call->out, "{\"id\":");
    serve_add_handle(call, handle);
    serve_add(call->out, ",\"has\":[");
    bool alive = weft_find(&call->world->entities, plan->format, handle, &place);
    for (uint32_t i = 0; alive && i < plan->schema->component_count; i++) {
        if (!weft_row_has(plan, call->world->tables.items[place.table], place.row, i)) continue;
        serve_add_comma(call->out);
        serve_print(call->out, "%u", i);
    }
    serve_add(call->out, "],\"values\":[");
    for (uint32_t i = 0; i < wanted->column_count; i++) {
        serve_add_comma(call->out);
        if (alive)
            serve_add_value(call, handle, wanted->columns[i]);
        else
            serve_add(call->out, "null");
    }
    serve_add(call->out, alive ? "]}" : "],\"dead\":true}");
}

static void add_head(serve_call *call, uint64_t total, double offset)
{
    serve_print(call->out, "{\"tick\":%llu,\"total\":%llu,\"offset\":%.0f,\"rows\":[",
                (unsigned long long)call->world->tick, (unsigned long long)total, offset);
}

static void add_sorted_rows(serve_call *call, weft_select *select, const window *wanted)
{
    const serve_sorted *list = find_sorted(call->state, &wanted->list);
    if (!list) list = sort(call, select, &wanted->list);
    if (!list) return;
    add_head(call, list->count, wanted->offset);
    uint64_t first = (uint64_t)wanted->offset;
    for (uint64_t i = first; i < list->count && i - first < (uint64_t)wanted->limit; i++) {
        add_row(call, wanted, list->handles[i]);
    }
    serve_add(call->out, "]}");
}

static void add_rows(serve_call *call, weft_select *select, const window *wanted)
{
    add_head(call, weft_select_count(select), wanted->offset);
    weft_select_skip(select, (uint64_t)wanted->offset);
    for (uint64_t left = (uint64_t)wanted->limit; left != 0 && weft_select_next(select); left--) {
        add_row(call, wanted, select->handle);
    }
    serve_add(call->out, "]}");
}

// Gives all entities, for which there is no expression.
static void add_all_rows(serve_call *call, const window *wanted)
{
    const weft_format f = call->world->plan->format;
    const weft_query *all = &call->world->every_table;
    uint64_t total = 0, at = 0;
    uint64_t first = (uint64_t)wanted->offset, limit = (uint64_t)wanted->limit;
    for (uint32_t i = 0; i < all->count; i++) total += all->tables[i]->count;
    add_head(call, total, wanted->offset);
    for (uint32_t i = 0; i < all->count && limit != 0; at += all->tables[i++]->count) {
        const weft_table *table = all->tables[i];
        uint64_t row = first > at ? first - at : 0;
        for (; row < table->count && limit != 0; row++, limit--) {
            add_row(call, wanted, weft_handle_load(f, weft_column(table, 0), (uint32_t)row));
        }
    }
    serve_add(call->out, "]}");
}

void serve_entities(serve_call *call)
{
    static window wanted; // large for a stack; calls are answered one at a time
    wanted = (window){.limit = 50};
    if (!serve_may_take_string(call, "where", wanted.list.where, sizeof wanted.list.where) ||
        !serve_may_take_string(call, "sort", wanted.list.by, sizeof wanted.list.by) ||
        !serve_may_take_bool(call, "descending", &wanted.list.descending) ||
        !serve_may_take_number(call, "offset", 0, 4294967295.0, &wanted.offset) ||
        !serve_may_take_number(call, "limit", 0, SERVE_ROWS_MAX, &wanted.limit) ||
        !take_columns(call, &wanted)) {
        return;
    }
    bool all = strspn(wanted.list.where, " \t\n") == strlen(wanted.list.where);
    if (all && wanted.list.by[0] == '\0') {
        add_all_rows(call, &wanted);
        return;
    }
    // Without an expression those are sorted that have what they are sorted by.
    char component[SERVE_PATH_MAX];
    snprintf(component, sizeof component, "%.*s", (int)strcspn(wanted.list.by, ".["),
             wanted.list.by);
    weft_select select = weft_select_begin(call->world, all ? component : wanted.list.where);
    if (select.status != WEFT_OK) {
        serve_refuse_world(call);
    } else if (wanted.list.by[0] != '\0') {
        add_sorted_rows(call, &select, &wanted);
    } else {
        add_rows(call, &select, &wanted);
    }
    weft_select_end(&select);
}

// ------------------------------------------------------------------------------------------------
// One entity, one singleton

static void add_children(serve_call *call, uint64_t handle)
{
    const weft_plan *plan = call->world->plan;
    serve_add(call->out, ",\"children\":{");
    for (uint32_t i = 0; i < plan->schema->relation_count; i++) {
        uint32_t left = SERVE_CHILDREN_MAX;
        uint64_t child = weft_first_child(call->world, plan->format, i, handle);
        serve_add_name(call->out, plan->schema->relations[i].name);
        serve_add(call->out, "[");
        while (child != 0 && left-- != 0) {
            serve_add_comma(call->out);
            serve_add_handle(call, child);
            child = weft_next_sibling(call->world, plan->format, i, child);
        }
        serve_add(call->out, "]");
    }
    serve_add(call->out, "}");
}

void serve_entity(serve_call *call)
{
    uint64_t handle;
    if (!serve_take_handle(call, "id", &handle)) return;
    if (weft_json_entity_write(call->world, handle, serve_add_piece, call->out) == WEFT_DEAD) {
        serve_refuse_world(call);
        return;
    }
    if (call->out->failed) return;
    call->out->used--; // the closing brace
    add_children(call, handle);
    serve_print(call->out, ",\"tick\":%llu}", (unsigned long long)call->world->tick);
}

void serve_singleton(serve_call *call)
{
    char name[SERVE_PATH_MAX];
    const weft_schema *schema = call->world->plan->schema;
    if (!serve_take_string(call, "name", name, sizeof name)) return;
    uint32_t found = weft_name_find(schema->singletons, sizeof *schema->singletons,
                                    schema->singleton_count, name);
    if (found == WEFT_NO_NAME) {
        serve_refuse(call, SERVE_INVALID_PARAMS, "there is no singleton '%.64s'", name);
        return;
    }
    weft_json_singleton_write(call->world, found, serve_add_piece, call->out);
}
