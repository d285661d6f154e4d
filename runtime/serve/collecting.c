#include "collecting.h"

#include "../query/query.h"
#include "../select/rows.h"
#include "../select/tables.h"
#include "../value/fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define KEY_TEXT_BYTES 8u  // bytes of a text in its first key
#define NEXT_TEXT_BYTES 4u // bytes of a text in each further key

// ------------------------------------------------------------------------------------------------
// Keys

// NaNs are after all other numbers in both directions, and 0 equals -0. No other number has the key
// of NaN, even in descending order.
static uint64_t key_of_float(double number, bool descending)
{
    uint64_t bits;
    if (isnan(number)) return UINT64_MAX;
    if (number == 0) number = 0;
    memcpy(&bits, &number, sizeof bits);
    bits = bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
    return descending ? ~bits : bits;
}

// Returns some bytes of a text as a number, with zeros after the end of the text.
static uint64_t bytes_of_text(const weft_leaf_ref *leaf, const unsigned char *text, uint32_t from,
                              uint32_t count)
{
    uint64_t key = 0;
    uint32_t bytes = weft_string_bytes(leaf->field, text);
    for (uint32_t i = from; i < from + count; i++) key = key << 8 | (i < bytes ? text[i] : 0u);
    return key;
}

// Returns a handle as a key, with its index before its generation, or 0 if it is not a valid
// handle.
static uint64_t key_of_handle(weft_format f, uint64_t handle)
{
    const uint64_t generation = handle >> f.index_bits;
    if (generation == 0 || generation > weft_generation_max(f)) return 0;
    return handle << (64 - f.index_bits) | generation;
}

static uint64_t key_of_value(const weft_world *world, serve_making *m, const void *at)
{
    const weft_leaf_ref *leaf = &m->by.value.leaf;
    const uint64_t flipped = m->descending ? UINT64_MAX : 0;
    if (leaf->type == WEFT_TYPE_CHAR) {
        const uint32_t bytes = weft_string_bytes(leaf->field, at);
        if (bytes > m->text_bytes) m->text_bytes = bytes;
        return flipped ^ bytes_of_text(leaf, (const unsigned char *)at, 0, KEY_TEXT_BYTES);
    }
    if (leaf->type == WEFT_TYPE_ENTITY) {
        const uint64_t handle = weft_handle_read(world->plan->schema, at);
        return flipped ^ key_of_handle(world->plan->format, handle);
    }
    weft_number_kind kind = weft_kind_of(leaf->type);
    weft_number number = weft_number_load(kind, at, leaf->bytes);
    if (kind == WEFT_FLOAT) return key_of_float(number.f64, m->descending);
    return flipped ^ (kind == WEFT_SIGNED ? number.u64 ^ (uint64_t)1 << 63 : number.u64);
}

// Returns the key of a row that has the value.
static uint64_t key_of_row(const weft_world *world, serve_making *m, uint64_t handle, uint32_t row)
{
    const weft_place at = {.table = m->walk.table->id, .row = row};
    return m->by.whole ? 0 : key_of_value(world, m, serve_valued_find(world, &m->by, handle, at));
}

// A list whose equal texts are sorted by further bytes.
typedef struct text_order {
    const weft_world *world;
    const serve_making *m;
} text_order;

// Returns the next bytes of an entity's text. The entity may have been despawned meanwhile.
static uint32_t next_bytes(const void *user, uint64_t handle)
{
    const text_order *order = (const text_order *)user;
    const serve_making *m = order->m;
    const weft_world *world = order->world;
    weft_place at;
    bool alive = weft_find(&world->entities, world->plan->format, handle, &at);
    const unsigned char *text = alive ? serve_valued_find(world, &m->by, handle, at) : NULL;
    uint64_t bytes =
        text ? bytes_of_text(&m->by.value.leaf, text, m->text_from, NEXT_TEXT_BYTES) : 0;
    return (uint32_t)(m->descending ? ~bytes : bytes);
}

// ------------------------------------------------------------------------------------------------
// Collecting

// Marks an entity as part of the list. Returns false if it is in the list already, or if there is
// no memory.
static bool see_entity(serve_making *m, uint32_t index)
{
    const uint32_t word = index / 64;
    if (word >= m->seen_words) {
        uint32_t words = word + word / 4 + 64;
        uint64_t *more = (uint64_t *)realloc(m->seen, words * sizeof *more);
        if (!more) return false;
        memset(more + m->seen_words, 0, (words - m->seen_words) * sizeof *more);
        m->seen = more;
        m->seen_words = words;
    }
    bool seen = m->seen[word] >> index % 64 & 1;
    m->seen[word] |= (uint64_t)1 << index % 64;
    return !seen;
}

// Adds rows by their bits. Returns false if there is no memory.
static bool take_rows(const weft_world *world, serve_making *m, const weft_select_rows *rows,
                      uint64_t bits)
{
    const weft_format f = world->plan->format;
    uint64_t with_key = m->by.program ? weft_select_run(rows, m->by.program) : 0;
    while (bits != 0) {
        uint32_t i = weft_bits_pop(&bits);
        uint64_t handle = weft_handle_load(f, weft_column(rows->table, 0), rows->first + i);
        if (!see_entity(m, weft_handle_index(f, handle))) continue;
        bool with = with_key >> i & 1;
        uint64_t key = with ? key_of_row(world, m, handle, rows->first + i) : 0;
        serve_sorting *to = m->by.program && !with ? &m->without : &m->sorting;
        if (!serve_sorting_add(to, key, handle)) return false;
    }
    return true;
}

// Finds the table where collecting continues. Returns false after the last table.
static bool bind_table(const weft_world *world, serve_making *m)
{
    bool begins;
    if (!serve_walk_table(world, &m->walk, &begins)) return false;
    if (!begins) return true;
    weft_select_bind(world, m->select.program, m->walk.table);
    if (m->by.program) weft_select_bind(world, m->by.program, m->walk.table);
    return true;
}

uint32_t serve_collect(const weft_world *world, serve_making *m, uint32_t most)
{
    uint32_t done = 0;
    while (done < most && bind_table(world, m)) {
        weft_table_match match = weft_select_match(m->select.program);
        const uint32_t before = done;
        while (match != WEFT_MATCH_NONE && m->walk.row < m->walk.table->count && done < most) {
            uint32_t left = m->walk.table->count - m->walk.row;
            weft_select_rows rows = {
                .world = world,
                .table = m->walk.table,
                .first = m->walk.row,
                .count = left < WEFT_SELECT_ROWS ? left : WEFT_SELECT_ROWS,
            };
            uint64_t bits = match == WEFT_MATCH_ALL ? weft_bits_low(rows.count)
                                                    : weft_select_run(&rows, m->select.program);
            if (!take_rows(world, m, &rows, bits)) return 0;
            m->walk.row += rows.count;
            done += rows.count;
        }
        m->looked_at += done - before;
        if (match != WEFT_MATCH_NONE && m->walk.row < m->walk.table->count) break;
        serve_walk_next(&m->walk);
        done++;
    }
    return done;
}

// ------------------------------------------------------------------------------------------------
// Sorting

// Returns whether the texts must be sorted by further bytes: some are longer than the sorted part,
// and some are equal so far.
static bool has_more_text(const serve_making *m)
{
    if (m->text_bytes <= KEY_TEXT_BYTES) return false;
    if (m->text_from == 0) return true;
    return m->text_from + NEXT_TEXT_BYTES < m->text_bytes && serve_sorting_has_equals(&m->sorting);
}

uint32_t serve_sort(const weft_world *world, serve_making *m, uint32_t most)
{
    const text_order order = {world, m};
    uint32_t done = 0;
    if (m->sorting.refined == 0) {
        done = serve_sorting_step(&m->sorting, most);
        if (done == 0) done = serve_sorting_step(&m->without, most);
        if (done != 0 || m->sorting.count == 0 || !has_more_text(m)) return done;
        m->text_from += m->text_from == 0 ? KEY_TEXT_BYTES : NEXT_TEXT_BYTES;
    }
    return serve_sorting_refine(&m->sorting, most, next_bytes, &order);
}

// ------------------------------------------------------------------------------------------------
// Beginning and ending

// Without an expression, lists the entities that have the component of the sort key.
static bool begin_selection(serve_call *call, serve_making *m, const serve_list_key *key)
{
    char component[SERVE_PATH_MAX];
    bool all = strspn(key->where, " \t\n") == strlen(key->where);
    snprintf(component, sizeof component, "%.*s", (int)strcspn(key->by, ".["), key->by);
    m->select = weft_select_begin(call->world, all ? component : key->where);
    return m->select.status == WEFT_OK || serve_refuse_world(call);
}

bool serve_collecting_open(serve_call *call, serve_making *m, const serve_list_key *key)
{
    const weft_query *all = &call->world->lists.every_table;
    m->select.world = call->world;
    serve_walk_begin(call->world, &m->walk);
    m->descending = key->descending;
    for (uint32_t i = 0; i < all->count; i++) m->total += all->tables[i]->count;
    if (key->by[0] != '\0' && !serve_valued_open(call, "sort", key->by, &m->by)) {
        return false;
    }
    if (!begin_selection(call, m, key)) return false;
    const uint64_t wanted = m->total + m->total / 8 + 64;
    const uint32_t space = wanted < UINT32_MAX ? (uint32_t)wanted : UINT32_MAX;
    const uint32_t mask = weft_index_mask(call->world->plan->format);
    return (serve_sorting_open(&m->sorting, space, mask) &&
            serve_sorting_open(&m->without, 64, mask)) ||
           serve_refuse(call, SERVE_TOO_LARGE, "no memory to list %llu entities",
                        (unsigned long long)m->total);
}

void serve_collecting_close(serve_making *m, serve_releases *releases)
{
    serve_valued_close(m->select.world, &m->by);
    weft_select_end(&m->select);
    serve_sorting_close(&m->sorting, releases);
    serve_sorting_close(&m->without, releases);
    free(m->seen);
}
