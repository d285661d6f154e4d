#include "collecting.h"

#include "../plan/fields.h"
#include "../query/query.h"
#include "../select/rows.h"
#include "../select/tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NO_KEY UINT64_MAX // of entities without the value, which come last

// ------------------------------------------------------------------------------------------------
// Keys

static uint64_t key_of_float(double number)
{
    uint64_t bits;
    if (isnan(number)) return NO_KEY - 1;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static uint64_t key_of_text(const weft_leaf_ref *leaf, const unsigned char *text)
{
    uint64_t key = 0;
    uint32_t bytes = weft_string_bytes(leaf->field, text);
    for (uint32_t i = 0; i < 8; i++) key = key << 8 | (i < bytes ? text[i] : 0u);
    return key;
}

static uint64_t key_of_value(const weft_schema *schema, const weft_leaf_ref *leaf, const void *at)
{
    weft_number_kind kind = weft_kind_of(leaf->type);
    if (leaf->type == WEFT_TYPE_CHAR) return key_of_text(leaf, (const unsigned char *)at);
    if (leaf->type == WEFT_TYPE_ENTITY) return weft_handle_read(schema, at);
    weft_number number = weft_number_load(kind, at, leaf->bytes);
    if (kind == WEFT_FLOAT) return key_of_float(number.f64);
    return kind == WEFT_SIGNED ? number.u64 ^ (uint64_t)1 << 63 : number.u64;
}

// Returns the key of a row that has the value.
static uint64_t key_of_row(const weft_world *world, const serve_making *m, uint64_t handle,
                           uint32_t row)
{
    const weft_plan *plan = world->plan;
    const weft_select_test *test = &m->value.test;
    const unsigned char *at;
    if (m->whole) return 0;
    if (test->sparse) {
        const weft_sparse *store = &world->sparse[plan->components[test->of].sparse];
        at =
            (const unsigned char *)weft_sparse_find(store, weft_handle_index(plan->format, handle));
    } else {
        at = (const unsigned char *)weft_column(m->table, test->first) +
             (size_t)row * plan->columns[test->first].size;
    }
    return key_of_value(plan->schema, &m->value.leaf, at + test->offset);
}

// ------------------------------------------------------------------------------------------------
// Collecting

// Notes that an entity is in the list. False: it is there already, or there is no memory.
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

// Adds rows by their bits. False: no memory.
static bool take_rows(const weft_world *world, serve_making *m, const weft_select_rows *rows,
                      uint64_t bits, bool descending)
{
    const weft_format f = world->plan->format;
    uint64_t with_key = m->order ? weft_select_run(rows, m->order) : 0;
    while (bits != 0) {
        uint32_t i = weft_bits_pop(&bits);
        uint64_t handle = weft_handle_load(f, weft_column(rows->table, 0), rows->first + i);
        if (!see_entity(m, weft_handle_index(f, handle))) continue;
        uint64_t key = NO_KEY;
        if (with_key >> i & 1) key = key_of_row(world, m, handle, rows->first + i);
        if (descending && key != NO_KEY) key = NO_KEY - 1 - key;
        if (!serve_sorting_add(&m->sorting, m->order ? key : 0, handle)) return false;
    }
    return true;
}

// Goes to the table where collecting goes on, which may have moved in the order of tables. False:
// that was the last one.
static bool bind_table(const weft_world *world, serve_making *m)
{
    const weft_query *all = &world->every_table;
    if (m->version != weft_version(world)) {
        uint32_t i = 0;
        while (i < all->count && all->tables[i] != m->table) i++;
        if (i < all->count)
            m->place = i;
        else
            m->row = 0; // the table is gone, or was not begun
        m->table = NULL;
    }
    if (m->place >= all->count) return false;
    if (m->table == all->tables[m->place]) return true;
    m->table = all->tables[m->place];
    m->version = weft_version(world);
    weft_select_bind(world, m->select.program, m->table);
    if (m->order) weft_select_bind(world, m->order, m->table);
    return true;
}

static void next_table(serve_making *m)
{
    m->table = NULL;
    m->place++;
    m->row = 0;
}

uint32_t serve_collect(const weft_world *world, serve_making *m, bool descending, uint32_t most)
{
    uint32_t done = 0;
    while (done < most && bind_table(world, m)) {
        weft_table_match match = weft_select_match(m->select.program);
        const uint32_t before = done;
        while (match != WEFT_MATCH_NONE && m->row < m->table->count && done < most) {
            uint32_t left = m->table->count - m->row;
            weft_select_rows rows = {
                .world = world,
                .table = m->table,
                .first = m->row,
                .count = left < WEFT_SELECT_ROWS ? left : WEFT_SELECT_ROWS,
            };
            uint64_t bits = match == WEFT_MATCH_ALL ? weft_bits_low(rows.count)
                                                    : weft_select_run(&rows, m->select.program);
            if (!take_rows(world, m, &rows, bits, descending)) return 0;
            m->row += rows.count;
            done += rows.count;
        }
        m->looked_at += done - before;
        if (match != WEFT_MATCH_NONE && m->row < m->table->count) break;
        next_table(m);
        done++;
    }
    return done;
}

// ------------------------------------------------------------------------------------------------
// Beginning and ending

// Reads what a list is ordered by. False: it is refused.
static bool read_order(serve_call *call, serve_making *m, const char *by)
{
    const weft_schema *schema = call->world->plan->schema;
    const size_t bytes = sizeof(weft_select_program) + 1;
    weft_select_mistake mistake = {WEFT_OK, 0, ""};
    m->order = (weft_select_program *)weft_allocate_zeroed(&call->world->heap, bytes);
    if (!m->order) return serve_refuse(call, SERVE_TOO_LARGE, "no memory for a list");
    m->order->bytes = bytes;
    m->order->strings = (char *)(m->order + 1);
    weft_select_reader r = {
        .plan = call->world->plan, .program = m->order, .mistake = &mistake, .text = by, .at = by};
    weft_select_word name = weft_select_next_name(&r);
    uint32_t component = weft_word_find(schema->components, sizeof *schema->components,
                                        schema->component_count, name.text, name.length);
    if (component == WEFT_NO_NAME) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'sort': there is no component '%.*s'",
                            weft_select_shown(name), name.text);
    }
    m->whole = *r.at == '\0';
    bool read = m->whole || weft_select_read_path(&r, (uint16_t)component, &m->value);
    if (read && *r.at != '\0') read = WEFT_SELECT_REFUSE(&r, r.at, "the path should end here");
    weft_select_test has = {.kind = WEFT_SELECT_HAS, .of = (uint16_t)component};
    if (!read || !weft_select_add_test(&r, by, has)) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'sort': column %u: %s",
                            (unsigned)mistake.column, mistake.why);
    }
    for (; m->value.lists != 0; m->value.lists--) weft_select_add_op(&r, WEFT_SELECT_AND, 0);
    return true;
}

// Without an expression those are listed that have what they are sorted by.
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
    const weft_query *all = &call->world->every_table;
    m->select.world = call->world;
    m->version = weft_version(call->world);
    for (uint32_t i = 0; i < all->count; i++) m->total += all->tables[i]->count;
    if (key->by[0] != '\0' && !read_order(call, m, key->by)) return false;
    if (!begin_selection(call, m, key)) return false;
    uint64_t space = m->total + m->total / 8 + 64;
    return serve_sorting_open(&m->sorting, space < UINT32_MAX ? (uint32_t)space : UINT32_MAX) ||
           serve_refuse(call, SERVE_TOO_LARGE, "no memory to list %llu entities",
                        (unsigned long long)m->total);
}

void serve_collecting_close(serve_making *m, serve_releases *releases)
{
    if (m->order) weft_free(&m->select.world->heap, m->order, m->order->bytes);
    weft_select_end(&m->select);
    serve_sorting_close(&m->sorting, releases);
    free(m->seen);
}
