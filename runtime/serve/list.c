#include "list.h"

#include "collecting.h"

#include <stdlib.h>

#define PIECE_ROWS 4096u       // tested or moved between two looks at the clock
#define KEPT_SHARE 100         // a list is kept for this many times as long as it took
#define KEPT_SECONDS 1.0       // but a sorted one at least this long
#define FORGOTTEN_SECONDS 10.0 // a list that was not requested for this long is dropped

// ------------------------------------------------------------------------------------------------
// Beginning and ending

static void end_making(serve_state *state, serve_list *list)
{
    if (!list->making) return;
    serve_collecting_close(list->making, &state->releases);
    free(list->making);
    list->making = NULL;
}

static void release_rows(serve_state *state, serve_list *list)
{
    serve_release(&state->releases, list->rows, list->count * sizeof *list->rows);
    serve_release(&state->releases, list->without, list->without_count * sizeof *list->without);
    list->rows = list->without = NULL;
}

static void forget_list(serve_state *state, serve_list *list)
{
    end_making(state, list);
    release_rows(state, list);
    *list = (serve_list){.asked = 0};
}

// Begins to make a list. Returns false if it is refused.
static bool begin_making(serve_call *call, serve_list *list)
{
    serve_making *m = (serve_making *)calloc(1, sizeof *m);
    if (!m) return serve_refuse(call, SERVE_TOO_LARGE, "no memory for a list");
    list->making = m;
    m->poll = call->state->polls - 1;
    bool begun = serve_collecting_open(call, m, &list->key);
    if (!begun) end_making(call->state, list);
    return begun;
}

static void finish(serve_state *state, serve_list *list, double now)
{
    serve_making *m = list->making;
    release_rows(state, list);
    list->rows = m->sorting.rows;
    list->count = m->sorting.count;
    list->without = m->without.rows;
    list->without_count = m->without.count;
    list->slices = m->slices;
    list->takes = m->takes;
    list->made = now;
    list->tick = state->world->tick;
    m->sorting.rows = m->without.rows = NULL;
    end_making(state, list);
}

// ------------------------------------------------------------------------------------------------
// Slices

// Does a piece of the work. Returns how many rows were tested or moved, or 0 if the list is ready.
static uint32_t do_piece(const weft_world *world, serve_list *list, uint32_t most)
{
    serve_making *m = list->making;
    if (!m->collected) {
        uint32_t done = serve_collect(world, m, most);
        if (done != 0) return done;
        m->collected = true;
    }
    return m->by.program ? serve_sort(world, m, most) : 0;
}

double serve_slice_begin(serve_state *state)
{
    double now = serve_now();
    if (state->slice_end == 0) state->slice_end = now + SERVE_SLICE_SECONDS;
    return now;
}

// Continues to make a list as far as this poll allows, but by at least `least` rows.
static void work_on(serve_state *state, serve_list *list, uint32_t least)
{
    serve_making *m = list->making;
    double begun = serve_slice_begin(state), now = begun;
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

// Frees memory as far as this poll allows.
static void release_some(serve_state *state)
{
    if (!state->releases.first) return;
    for (double now = serve_slice_begin(state); now < state->slice_end; now = serve_now()) {
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

uint64_t serve_list_total(const serve_list *list)
{
    return (uint64_t)list->count + list->without_count;
}

uint64_t serve_list_handle(const serve_list *list, uint64_t number)
{
    if (number < list->count) return list->rows[number].handle;
    return list->without[number - list->count].handle;
}

double serve_list_share(const serve_list *list)
{
    const serve_making *m = list->making;
    if (!m) return list->rows ? 1 : 0;
    double collected = (double)m->looked_at / (double)(m->total + 1);
    if (collected > 1 || m->collected) collected = 1;
    if (!m->by.program || m->sorting.count == 0) return collected;
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

// Returns the place of a list. If there is none, frees the place of the list whose last request is
// the oldest. Returns NULL if all lists are being made.
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
