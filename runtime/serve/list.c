#include "list.h"

#include "../plan/fields.h"
#include "../query/query.h"
#include "../select/expression.h"
#include "../select/path.h"
#include "../select/rows.h"
#include "../select/select.h"
#include "../select/tables.h"
#include "../world/report.h"
#include "sorting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PIECE_ROWS 4096u       // between two looks at the clock
#define KEPT_SHARE 100         // a list is kept for so many times as long as it took
#define KEPT_SECONDS 1.0       // and a sorted one at least so long
#define FORGOTTEN_SECONDS 10.0 // a list that was not asked for in this time goes
#define NO_KEY UINT64_MAX      // of entities without the value, which come last

// A list that is being made.
typedef struct serve_making {
    weft_select select;         // for its program
    weft_select_program *order; // passes where the value is; NULL: the order of the world
    weft_select_value value;
    bool whole;              // a component is asked for, and not a value of it
    const weft_table *table; // where collecting goes on
    uint32_t place;          // of this table
    uint32_t row;
    uint32_t version;   // of the world as its program was bound to the table; see bind_table
    uint64_t looked_at; // rows
    uint64_t total;
    uint64_t *seen; // bits by the index of entities
    uint32_t seen_words;
    bool collected;
    uint32_t slices;
    uint32_t poll; // of the last slice
    double takes;
    serve_sorting sorting;
} serve_making;

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

// Looks at some rows, and returns how many; 0: all are collected.
static uint32_t collect(const weft_world *world, serve_making *m, bool descending, uint32_t most)
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

static void end_making(serve_state *state, serve_list *list)
{
    serve_making *m = list->making;
    if (!m) return;
    if (m->order) weft_free(&m->select.world->heap, m->order, m->order->bytes);
    weft_select_end(&m->select);
    serve_sorting_close(&m->sorting, &state->releases);
    free(m->seen);
    free(m);
    list->making = NULL;
}

static void release_rows(serve_state *state, serve_list *list)
{
    serve_release(&state->releases, list->rows, list->count * sizeof *list->rows);
    list->rows = NULL;
}

static void forget_list(serve_state *state, serve_list *list)
{
    end_making(state, list);
    release_rows(state, list);
    *list = (serve_list){.asked = 0};
}

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

// Begins to make a list. False: it is refused.
static bool begin_making(serve_call *call, serve_list *list)
{
    const weft_query *all = &call->world->every_table;
    serve_making *m = (serve_making *)calloc(1, sizeof *m);
    if (!m) return serve_refuse(call, SERVE_TOO_LARGE, "no memory for a list");
    list->making = m;
    m->select.world = call->world;
    m->version = weft_version(call->world);
    m->poll = call->state->polls - 1;
    for (uint32_t i = 0; i < all->count; i++) m->total += all->tables[i]->count;
    bool begun = (list->key.by[0] == '\0' || read_order(call, m, list->key.by)) &&
                 begin_selection(call, m, &list->key);
    uint64_t space = m->total + m->total / 8 + 64;
    if (begun &&
        !serve_sorting_open(&m->sorting, space < UINT32_MAX ? (uint32_t)space : UINT32_MAX))
        begun = serve_refuse(call, SERVE_TOO_LARGE, "no memory to list %llu entities",
                             (unsigned long long)m->total);
    if (!begun) end_making(call->state, list);
    return begun;
}

static void finish(serve_state *state, serve_list *list, double now)
{
    serve_making *m = list->making;
    release_rows(state, list);
    list->rows = m->sorting.rows;
    list->count = m->sorting.count;
    list->slices = m->slices;
    list->takes = m->takes;
    list->made = now;
    list->tick = state->world->tick;
    m->sorting.rows = NULL;
    end_making(state, list);
}

// ------------------------------------------------------------------------------------------------
// Slices

// Does a piece of the work. Returns how many rows were looked at or moved; 0: the list is made.
static uint32_t do_piece(const weft_world *world, serve_list *list, uint32_t most)
{
    serve_making *m = list->making;
    if (!m->collected) {
        uint32_t done = collect(world, m, list->key.descending, most);
        if (done != 0) return done;
        m->collected = true;
    }
    return m->order ? serve_sorting_step(&m->sorting, most) : 0;
}

// Returns the time, which is that in which the slice of this poll begins unless it has.
static double begin_slice(serve_state *state)
{
    double now = serve_now();
    if (state->slice_end == 0) state->slice_end = now + SERVE_SLICE_SECONDS;
    return now;
}

// Works on a list as far as this poll may, and at least on so many rows.
static void work_on(serve_state *state, serve_list *list, uint32_t least)
{
    serve_making *m = list->making;
    double begun = begin_slice(state), now = begun;
    m->slices += m->poll != state->polls;
    m->poll = state->polls;
    for (uint32_t done = 0;;) {
        bool may = state->rows_left != 0 && now < state->slice_end;
        if (!may && done >= least) break;
        uint32_t piece = do_piece(state->world, list, PIECE_ROWS);
        if (piece == 0) {
            m->takes += now - begun;
            finish(state, list, now);
            return;
        }
        done += piece;
        state->rows_left -= piece < state->rows_left ? piece : state->rows_left;
        now = serve_now();
    }
    m->takes += now - begun;
}

// Gives memory back as far as this poll may.
static void release_some(serve_state *state)
{
    if (!state->releases.first) return;
    for (double now = begin_slice(state); now < state->slice_end; now = serve_now()) {
        if (!serve_release_piece(&state->releases)) return;
    }
}

void serve_lists_poll(serve_state *state, double now)
{
    state->polls++;
    state->rows_left = SERVE_SLICE_ROWS;
    state->slice_end = 0;
    release_some(state);
    if (!state->has_lists) return;
    state->has_lists = false;
    for (serve_list *one = state->lists; one != state->lists + SERVE_LISTS_MAX; one++) {
        if (one->asked == 0) continue;
        state->has_lists = true;
        if (now - one->asked > FORGOTTEN_SECONDS) forget_list(state, one);
        if (one->making && state->rows_left != 0) work_on(state, one, 1);
    }
}

double serve_list_share(const serve_list *list)
{
    const serve_making *m = list->making;
    if (!m) return list->rows ? 1 : 0;
    double collected = (double)m->looked_at / (double)(m->total + 1);
    if (collected > 1 || m->collected) collected = 1;
    if (!m->order || m->sorting.count == 0) return collected;
    double passes = m->sorting.digit + (double)m->sorting.moved / m->sorting.count;
    return collected / 2 + (m->collected ? passes / SERVE_DIGITS / 2 : 0);
}

// ------------------------------------------------------------------------------------------------
// Lists that are kept

void serve_lists_renew(serve_state *state)
{
    for (uint32_t i = 0; i < SERVE_LISTS_MAX; i++) {
        state->lists[i].made = 0;
        end_making(state, &state->lists[i]);
    }
}

void serve_lists_close(serve_state *state)
{
    for (uint32_t i = 0; i < SERVE_LISTS_MAX; i++) forget_list(state, &state->lists[i]);
    while (serve_release_piece(&state->releases)) {
    }
}

static bool is_of(const serve_list *list, const serve_list_key *key)
{
    return list->asked != 0 && list->key.descending == key->descending &&
           strcmp(list->key.where, key->where) == 0 && strcmp(list->key.by, key->by) == 0;
}

static bool is_fresh(const serve_list *list, double now)
{
    double kept = list->takes * KEPT_SHARE;
    if (list->key.by[0] != '\0' && kept < KEPT_SECONDS) kept = KEPT_SECONDS;
    return list->rows && list->made != 0 && now - list->made <= kept;
}

// Returns the place of a list, or one for it: that of the list that was asked for the longest time
// ago. NULL: all are being made.
static serve_list *place_of(serve_state *state, const serve_list_key *key)
{
    serve_list *found = NULL;
    for (serve_list *one = state->lists; one != state->lists + SERVE_LISTS_MAX; one++) {
        if (is_of(one, key)) return one;
        if (!one->making && (!found || one->asked < found->asked)) found = one;
    }
    if (!found) return NULL;
    forget_list(state, found);
    found->key = *key;
    return found;
}

const serve_list *serve_list_of(serve_call *call, const serve_list_key *key)
{
    static const serve_list later = {.made = 0};
    serve_state *state = call->state;
    double now = serve_now();
    serve_list *list = place_of(state, key);
    if (!list) return &later;
    bool begins = !list->making && !is_fresh(list, now);
    if (begins && !begin_making(call, list)) {
        forget_list(state, list);
        return NULL;
    }
    list->asked = now;
    state->has_lists = true;
    if (list->making) work_on(state, list, begins ? SERVE_SLICE_LEAST_ROWS : 0);
    return list;
}
