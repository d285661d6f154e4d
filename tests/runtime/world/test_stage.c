// States that systems and the game change, entities that live in a value of a state, systems that
// run once when a value begins or ends, inputs and resources, compared with a model. The worlds are
// equal for any number of workers.
//
// program: worlds optimised threads
#define _POSIX_C_SOURCE 200809L

#include "stage_insight.h"
#include "stage_theatre.h"
#include "weft_json.h"
#include "weft_reflect.h"

#include "../../fuzz/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef WEFT_HARD // where each change moves the whole world
enum { SEEDS = 3, STEPS = 250 };
#else
enum { SEEDS = 8, STEPS = 250 };
#endif

// ------------------------------------------------------------------------------------------------
// The model

static void hear(modelled *m, uint32_t hearer)
{
    for (uint32_t i = m->heard[hearer]; i < m->orders; i++) {
        m->sum[hearer] += (i - m->heard[hearer] + 1) * m->order[i];
    }
    m->heard[hearer] = m->orders;
}

// Drops what both have heard, or all of it.
static void drop_orders(modelled *m, bool all)
{
    uint32_t dropped = m->heard[0] < m->heard[1] ? m->heard[0] : m->heard[1];
    if (all) dropped = m->orders;
    m->orders -= dropped;
    memmove(m->order, m->order + dropped, m->orders * sizeof m->order[0]);
    for (uint32_t i = 0; i < HEARERS; i++) {
        m->heard[i] = m->heard[i] < dropped ? 0 : m->heard[i] - dropped;
    }
}

static void ask_for(modelled *m, uint32_t game)
{
    m->game_next = game;
    m->again = game == m->game;
}

static void settle(modelled *m)
{
    if (m->game != m->game_next || m->again) {
        m->due[BEGIN] |= m->game_next == PLAY;
        m->due[FINISH] |= m->game == PLAY;
        m->due[TIDY] |= m->game_next == MENU;
        m->due[COUNT_HITS] |= m->game == OVER || m->game_next == OVER;
        if (m->game == PLAY) m->foes = 0;
        if (m->game == OVER) m->guests = 0;
        m->game = m->game_next;
        m->again = false;
    }
    m->due[TIDY] |= m->pause == STAGE_PAUSE_ON && m->pause_next != m->pause;
    m->pause = m->pause_next;
}

static bool when(const modelled *m, uint32_t system)
{
    bool on = m->pause == STAGE_PAUSE_ON;
    switch (system) {
    case WISH_AGAIN:
        return m->game != OVER;
    case FIGHT:
        return m->game == PLAY && !on;
    case MOURN:
        return m->game == OVER || on != (m->game == MENU);
    case LISTEN_SLOWLY:
    case OBEY:
        return !on;
    case REST:
        return m->game == OVER;
    case TIDY:
        return m->game != OVER || m->score_changed;
    default:
        return true;
    }
}

static void run_modelled(theatre *t, uint32_t system, bool alone)
{
    static const bool once[SYSTEMS] = {
        [BEGIN] = true, [FINISH] = true, [TIDY] = true, [COUNT_HITS] = true};
    modelled *m = &t->m;
    if (m->off && system == FINISH && !alone) return;
    if (!alone && (!when(m, system) || (once[system] && !m->due[system]))) return;
    if (system == LISTEN_SLOWLY) {
        m->waited += 0.25;
        if (m->waited < 0.5) return;
        m->waited -= 0.5;
    }
    m->due[system] = false;
    uint32_t rows = system == REST ? m->guests : m->foes;
    m->turns[system] +=
        system == FIGHT || system == MOURN || system == LOOK || system == REST || system == FINISH
            ? rows
            : 1;
    if (system == WISH && t->wish[0] != NO_WISH) ask_for(m, t->wish[0]);
    if (system == WISH && t->wish_pause != NO_WISH) m->pause_next = t->wish_pause;
    if (system == WISH_AGAIN && t->wish[1] != NO_WISH) ask_for(m, t->wish[1]);
    if (system == TIDY) m->score_changed = false;
    if (system == OBEY) hear(m, OBEYING);
    if (system == LISTEN_SLOWLY) hear(m, LISTENING);
    if (system == COUNT_HITS) {
        m->score++;
        m->score_changed = true;
    }
}

// Runs one system, or those from the first on that come before the end.
static void run_phase_modelled(theatre *t, uint32_t first, uint32_t end, bool alone)
{
    modelled *m = &t->m;
    settle(m);
    uint32_t begun = m->turns[BEGIN];
    for (uint32_t i = first; i < end; i++) run_modelled(t, i, alone);
    m->foes += 2 * (m->turns[BEGIN] - begun);
    drop_orders(m, false);
    settle(m);
}

static void forget(theatre *t)
{
    memset(t->m.turns, 0, sizeof t->m.turns);
    for (uint32_t i = 0; i < SYSTEMS; i++) atomic_store(&t->turns[i], 0);
}

static void compare(theatre *t)
{
    for (uint32_t i = 0; i < SYSTEMS; i++) {
        assert_int_equal(atomic_load(&t->turns[i]), t->m.turns[i]);
    }
    assert_int_equal(stage_game_now(t->w), t->m.game);
    assert_int_equal(stage_pause_now(t->w), t->m.pause);
    assert_int_equal(stage_stats(t->w).entities, t->m.foes + t->m.guests);
    assert_int_equal(stage_score_get(t->w)->hits, t->m.score);
    for (uint32_t i = 0; i < HEARERS; i++) assert_int_equal(t->sum[i], t->m.sum[i]);
    assert_int_equal(t->bad, 0);
}

// ------------------------------------------------------------------------------------------------
// Random worlds

static uint32_t roll(theatre *t, uint32_t sides)
{
    t->dice = t->dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(t->dice >> 33) % sides;
}

static uint32_t roll_wish(theatre *t, uint32_t values)
{
    return roll(t, 3) != 0 ? NO_WISH : roll(t, values);
}

static void run_phase(theatre *t, uint32_t which)
{
    t->wish[0] = roll_wish(t, 3);
    t->wish[1] = roll_wish(t, 3);
    t->wish_pause = roll_wish(t, 2);
    forget(t);
    // Systems do not see what the model has at the end of the phase.
    modelled before = t->m;
    settle(&before);
    run_phase_modelled(t, which == 0 ? 0 : FIGHT, which == 0 ? FIGHT : SYSTEMS, false);
    modelled after = t->m;
    t->m = before;
    assert_int_equal((which == 0 ? stage_run_first : stage_run_second)(t->w, 0.25), WEFT_OK);
    t->m = after;
    compare(t);
}

// A tick without wishes of systems. The model's state is that which its first phase sees.
static void tick(theatre *t)
{
    forget(t);
    settle(&t->m);
    run_phase_modelled(t, 0, FIGHT, false);
    run_phase_modelled(t, FIGHT, SYSTEMS, false);
    drop_orders(&t->m, true);
    assert_int_equal(stage_tick(t->w, 0.25), WEFT_OK);
    compare(t);
}

static void order(theatre *t)
{
    uint32_t number = roll(t, 1000);
    modelled *m = &t->m;
    bool fits = m->orders < ORDERS_MAX;
    assert_true(stage_order_put(t->w, (stage_order){.number = number}) == fits);
    if (fits) m->order[m->orders++] = number;
}

static void run_alone(theatre *t, uint32_t system)
{
    static weft_status (*const runs[SYSTEMS])(stage_world *, double) = {
        stage_wish_run,       stage_wish_again_run, stage_listen_slowly_run, stage_begin_run,
        stage_fight_run,      stage_mourn_run,      stage_obey_run,          stage_shine_run,
        stage_look_run,       stage_rest_run,       stage_finish_run,        stage_tidy_run,
        stage_count_hits_run,
    };
    t->wish[0] = t->wish[1] = t->wish_pause = NO_WISH;
    forget(t);
    settle(&t->m);
    run_phase_modelled(t, system, system + 1, true);
    assert_int_equal(runs[system](t->w, 0.25), WEFT_OK);
    compare(t);
}

static void bind(theatre *t)
{
    t->house.lamps = 3;
    assert_true(stage_stage_light_bind(t->w, &t->lamp));
    assert_true(stage_hall_bind(t->w, &t->house));
}

static void reload(theatre *t, uint32_t workers)
{
    void *bytes;
    size_t count;
    assert_int_equal(stage_flush(t->w), WEFT_OK);
    uint64_t exact = stage_hash_exact(t->w);
    assert_int_equal(stage_save_memory(t->w, &bytes, &count), WEFT_OK);
    stage_close(t->w);
    t->w = stage_open(&(weft_options){.user = t, .workers = workers});
    assert_non_null(t->w);
    bind(t);
    assert_int_equal(stage_load_memory(t->w, bytes, count), WEFT_OK);
    free(bytes);
    assert_true(stage_hash_exact(t->w) == exact);
}

static void go(theatre *t)
{
    if (roll(t, 2) == 0) {
        ask_for(&t->m, roll(t, 3));
        assert_true(stage_game_go(t->w, (stage_game)t->m.game_next));
    } else {
        t->m.pause_next = roll(t, 2);
        assert_true(stage_pause_go(t->w, (stage_pause)t->m.pause_next));
    }
}

static void step(theatre *t, uint32_t workers)
{
    switch (roll(t, 14)) {
    case 0:
    case 1:
        go(t);
        break;
    case 2:
        assert_int_equal(stage_horde_spawn_many(t->w, 100, NULL, NULL), 100);
        t->m.foes += 100;
        break;
    case 3: // what is recorded before a state changes is there when it does
        stage_cmd_closing_spawn(stage_commands(t->w), NULL);
        stage_cmd_horde_spawn(stage_commands(t->w), NULL);
        assert_int_equal(roll(t, 2) == 0 ? stage_flush(t->w) : WEFT_OK, WEFT_OK);
        t->m.guests++;
        t->m.foes++;
        break;
    case 4:
        reload(t, workers);
        break;
    case 5:
        run_alone(t, roll(t, SYSTEMS));
        break;
    case 6:
        t->m.off = !t->m.off;
        assert_true(stage_finish_switch(t->w, !t->m.off));
        break;
    case 7:
    case 8:
        order(t);
        break;
    case 9:
    case 10:
        t->wish[0] = t->wish[1] = t->wish_pause = NO_WISH;
        tick(t);
        break;
    default:
        run_phase(t, roll(t, 2));
        break;
    }
}

static void open_theatre(theatre *t, uint32_t seed, uint32_t workers)
{
    memset(t, 0, sizeof *t);
    t->dice = seed;
    t->wish[0] = t->wish[1] = t->wish_pause = NO_WISH;
    t->m.due[TIDY] = t->m.score_changed = true; // the game begins in the menu
    t->w = stage_open(&(weft_options){.user = t, .workers = workers});
    assert_non_null(t->w);
    bind(t);
}

static void states_change_as_in_the_model_with_any_workers(void **state)
{
    static theatre t;
    static uint64_t exact[STEPS];
    static const uint32_t workers[] = {0, 1, 3, 8};
    (void)state;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        for (uint32_t way = 0; way < sizeof workers / sizeof workers[0]; way++) {
            open_theatre(&t, seed, workers[way]);
            for (uint32_t i = 0; i < STEPS; i++) {
                step(&t, workers[way]);
                if (way == 0) exact[i] = stage_hash_exact(t.w);
                assert_true(stage_hash_exact(t.w) == exact[i]);
            }
            stage_close(t.w);
        }
    }
}

// ------------------------------------------------------------------------------------------------

static void a_state_changes_at_the_end_of_a_phase_or_before_the_next(void **state)
{
    theatre t;
    (void)state;
    open_theatre(&t, 0, 0);
    assert_true(stage_game_go(t.w, STAGE_GAME_PLAY));
    assert_int_equal(stage_game_now(t.w), MENU);
    assert_int_equal(stage_run_second(t.w, 0.25), WEFT_OK);
    assert_int_equal(stage_game_now(t.w), PLAY);
    assert_int_equal(atomic_load(&t.turns[BEGIN]), 0); // its phase comes first in the next tick
    t.m.game = PLAY;
    t.wish[0] = OVER;
    assert_int_equal(stage_run_first(t.w, 0.25), WEFT_OK);
    assert_int_equal(atomic_load(&t.turns[BEGIN]), 1);
    assert_int_equal(stage_game_now(t.w), OVER);
    assert_int_equal(stage_stats(t.w).entities, 0); // the horde came and went at the end
    assert_int_equal(stage_reset(t.w), WEFT_OK);
    assert_int_equal(stage_game_now(t.w), MENU);
    assert_string_equal(stage_game_name(stage_game_now(t.w)), "menu");
    stage_close(t.w);
}

#ifdef NDEBUG
static void a_value_that_a_state_does_not_have_is_refused(void **state)
{
    theatre t;
    (void)state;
    open_theatre(&t, 0, 0);
    assert_false(stage_game_go(t.w, (stage_game)STAGE_GAME_COUNT));
    assert_string_equal(stage_error(t.w), "state 'game' has no value 3");
    assert_int_equal(stage_tick(t.w, 0.25), WEFT_OK);
    assert_int_equal(stage_game_now(t.w), MENU);
    stage_close(t.w);
}
#endif

static void what_is_to_come_is_saved_and_hashed(void **state)
{
    theatre t;
    void *bytes;
    size_t count;
    (void)state;
    open_theatre(&t, 0, 0);
    uint64_t before = stage_hash(t.w);
    stage_pause_go(t.w, STAGE_PAUSE_ON);
    assert_true(stage_hash(t.w) != before);
    assert_int_equal(stage_save_memory(t.w, &bytes, &count), WEFT_OK);
    stage_pause_go(t.w, STAGE_PAUSE_OFF); // it changes its mind
    assert_true(stage_hash(t.w) == before);
    assert_int_equal(stage_load_memory(t.w, bytes, count), WEFT_OK);
    assert_int_equal(stage_run_first(t.w, 0.25), WEFT_OK);
    assert_int_equal(stage_pause_now(t.w), STAGE_PAUSE_ON);
    free(bytes);
    stage_close(t.w);
}

static void enter(theatre *t, stage_game value)
{
    assert_true(stage_game_go(t->w, value));
    t->m.game = value;
    assert_int_equal(stage_run_first(t->w, 0.25), WEFT_OK);
    assert_int_equal(stage_game_now(t->w), value);
}

// The entities of the value are despawned, and systems that leave or enter it have a turn.
static void a_value_begins_again_if_its_state_says_so(void **state)
{
    theatre t;
    void *bytes;
    size_t count;
    (void)state;
    open_theatre(&t, 0, 0);
    enter(&t, STAGE_GAME_PLAY);
    assert_int_equal(stage_run_second(t.w, 0.25), WEFT_OK);
    assert_int_equal(atomic_load(&t.turns[FINISH]), 0);
    stage_entity old = {1u | 1u << stage_entity_format.index_bits}; // as begin had it spawned
    assert_true(stage_alive(t.w, old));

    uint64_t before = stage_hash(t.w);
    assert_true(stage_game_go(t.w, STAGE_GAME_PLAY));
    assert_true(stage_hash(t.w) != before);
    assert_int_equal(stage_save_memory(t.w, &bytes, &count), WEFT_OK);
    assert_int_equal(stage_reset(t.w), WEFT_OK);
    assert_int_equal(stage_load_memory(t.w, bytes, count), WEFT_OK);
    free(bytes);
    enter(&t, STAGE_GAME_PLAY);
    assert_false(stage_alive(t.w, old));
    assert_int_equal(atomic_load(&t.turns[BEGIN]), 2);
    assert_int_equal(stage_stats(t.w).entities, 2); // as begin had them spawned
    assert_int_equal(stage_run_second(t.w, 0.25), WEFT_OK);
    assert_int_equal(atomic_load(&t.turns[FINISH]), 2); // a row for each foe
    assert_int_equal(stage_run_first(t.w, 0.25), WEFT_OK);
    assert_int_equal(atomic_load(&t.turns[BEGIN]), 2); // it began again once

    assert_true(stage_game_go(t.w, STAGE_GAME_PLAY));
    enter(&t, STAGE_GAME_OVER); // the last request counts
    assert_int_equal(atomic_load(&t.turns[BEGIN]), 2);
    stage_close(t.w);
}

// Without `again`, a request of the current value has no effect.
static void a_value_goes_on_if_its_state_does_not_say_so(void **state)
{
    theatre t;
    (void)state;
    open_theatre(&t, 0, 0);
    t.m.pause = STAGE_PAUSE_ON;
    assert_true(stage_pause_go(t.w, STAGE_PAUSE_ON));
    assert_int_equal(stage_tick(t.w, 0.25), WEFT_OK);
    const unsigned turns = atomic_load(&t.turns[TIDY]);
    const uint64_t before = stage_hash_exact(t.w);
    assert_true(stage_pause_go(t.w, STAGE_PAUSE_ON));
    assert_int_equal(weft_field_set_number(stage_world_base(t.w), 0, "pause.next", STAGE_PAUSE_ON),
                     WEFT_OK);
    assert_true(stage_hash_exact(t.w) == before);
    assert_int_equal(stage_tick(t.w, 0.25), WEFT_OK);
    assert_int_equal(atomic_load(&t.turns[TIDY]), turns);
    stage_close(t.w);
}

typedef struct text {
    char bytes[4096];
    size_t count;
} text;

static weft_status take_text(void *user, const char *bytes, size_t count)
{
    text *to = (text *)user;
    if (count >= sizeof to->bytes - to->count) return WEFT_FULL;
    memcpy(to->bytes + to->count, bytes, count);
    to->count += count;
    to->bytes[to->count] = '\0';
    return WEFT_OK;
}

// A system that is not due in that tick misses it.
static void an_input_is_heard_in_the_next_tick_and_gone_behind_it(void **state)
{
    static theatre t;
    (void)state;
    open_theatre(&t, 0, 0);
    for (uint32_t i = 0; i < ORDERS_MAX; i++) {
        assert_true(stage_order_put(t.w, (stage_order){.number = 1}));
    }
    assert_false(stage_order_put(t.w, (stage_order){.number = 1}));
    assert_string_equal(stage_error(t.w), "no room: 5 of the input order wait");
    uint64_t waits = stage_hash(t.w);
    assert_int_equal(stage_tick(t.w, 0.25), WEFT_OK);
    assert_true(stage_hash(t.w) != waits);
    assert_int_equal(t.sum[OBEYING], 1 + 2 + 3 + 4 + 5);
    assert_int_equal(stage_tick(t.w, 0.25), WEFT_OK); // listen_slowly is due
    assert_int_equal(t.sum[LISTENING], 0);
    assert_int_equal(t.sum[OBEYING], 1 + 2 + 3 + 4 + 5);
    assert_true(stage_order_put(t.w, (stage_order){.number = 7}));
    assert_int_equal(stage_reset(t.w), WEFT_OK);
    assert_int_equal(stage_tick(t.w, 0.25), WEFT_OK);
    assert_int_equal(t.sum[OBEYING], 1 + 2 + 3 + 4 + 5);
    stage_close(t.w);
}

// Values of inputs have handles like any other, which a recycling of indices sets to none.
static void an_input_names_entities(void **state)
{
    static theatre t;
    (void)state;
    open_theatre(&t, 0, 0);
    stage_entity foe = stage_horde_spawn(t.w, NULL);
    assert_true(stage_order_put(t.w, (stage_order){.foe = foe}));
    assert_true(stage_despawn(t.w, foe));
    stage_recycle(t.w);
    assert_int_equal(stage_tick(t.w, 0.25), WEFT_OK);
    assert_int_equal(t.bad, 0);
    stage_close(t.w);
}

// A load and a reset leave it bound. Debug builds assert where it is missing.
static void a_resource_is_the_games_and_what_needs_it_has_no_turn_without(void **state)
{
    static theatre t;
    void *bytes;
    size_t count;
    (void)state;
    open_theatre(&t, 0, 0);
    uint64_t before = stage_hash_exact(t.w);
    assert_int_equal(stage_save_memory(t.w, &bytes, &count), WEFT_OK);
    assert_true(stage_hall_bind(t.w, NULL));
    assert_true(stage_hash_exact(t.w) == before);
    assert_true(stage_hall_bind(t.w, &t.house));
    assert_int_equal(stage_load_memory(t.w, bytes, count), WEFT_OK);
    assert_int_equal(stage_reset(t.w), WEFT_OK);
    assert_int_equal(stage_tick(t.w, 0.25), WEFT_OK);
    assert_int_equal(t.lamp.lit, 3);
#ifdef NDEBUG
    assert_true(stage_hall_bind(t.w, NULL));
    assert_int_equal(stage_tick(t.w, 0.25), WEFT_REFUSED);
    assert_string_equal(stage_error(t.w),
                        "resource 'hall' is not bound: system 'shine' has no turn");
    assert_int_equal(t.lamp.lit, 3);
    assert_int_equal(atomic_load(&t.turns[SHINE]), 1);
    assert_int_equal(atomic_load(&t.turns[WISH]), 2); // all else has had its turn
#endif
    free(bytes);
    stage_close(t.w);
}

static void json_has_states_by_their_names(void **state)
{
    theatre t;
    static text written;
    (void)state;
    open_theatre(&t, 0, 0);
    stage_pause_go(t.w, STAGE_PAUSE_ON);
    written.count = 0;
    assert_int_equal(weft_json_world_write(stage_world_base(t.w), take_text, &written), WEFT_OK);
    assert_non_null(strstr(written.bytes, "\"game\": {\"now\": \"menu\", \"next\": \"menu\""));
    assert_non_null(strstr(written.bytes, "\"pause\": {\"now\": \"off\", \"next\": \"on\""));
    stage_pause_go(t.w, STAGE_PAUSE_OFF);
    weft_status read = weft_json_world_read(stage_world_base(t.w), written.bytes, written.count);
    assert_int_equal(read, WEFT_OK);
    assert_int_equal(stage_run_first(t.w, 0.25), WEFT_OK);
    assert_int_equal(stage_pause_now(t.w), STAGE_PAUSE_ON);
    stage_close(t.w);
}

// A value stays until there is memory to list what ends with it.
static void a_state_waits_for_memory(void **state)
{
    static memory of;
    static theatre t;
    (void)state;
    open_theatre(&t, 0, 0);
    stage_close(t.w);
    weft_options options = memory_options(&of);
    options.user = &t;
    t.w = stage_open(&options);
    assert_non_null(t.w);
    bind(&t);
    stage_game_go(t.w, STAGE_GAME_PLAY);
    t.m.game = PLAY;
    assert_int_equal(stage_run_first(t.w, 0.25), WEFT_OK);
    assert_int_equal(stage_stats(t.w).entities, 2);
    stage_game_go(t.w, STAGE_GAME_OVER);
    memory_arm(&of, 0, true);
    assert_int_equal(stage_run_second(t.w, 0.25), WEFT_NO_MEMORY);
    assert_true(memory_disarm(&of));
    assert_int_equal(stage_game_now(t.w), PLAY);
    assert_int_equal(stage_stats(t.w).entities, 2);
    assert_int_equal(stage_run_second(t.w, 0.25), WEFT_OK);
    assert_int_equal(stage_game_now(t.w), OVER);
    assert_int_equal(stage_stats(t.w).entities, 0);
    stage_close(t.w);
    memory_check_empty(&of);
}

static void assert_written(theatre *t, stage_entity e, const char *path, const char *by)
{
    static const char *const kinds[] = {"", "+", "-"};
    char words[256] = "";
    weft_write writes[8];
    for (uint32_t i = stage_trace(t->w, e, path, writes, 8); i-- > 0;) {
        const weft_write *at = &writes[i];
        const size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, "%s %s%s%s ", at->after, kinds[at->kind],
                 at->commands ? "commands of " : "", at->writer);
    }
    assert_string_equal(words, by);
}

// A state that changes, and what ends with it, is written by neither the game nor a system.
static void what_states_write_is_told_apart(void **state)
{
    static theatre t;
    (void)state;
    open_theatre(&t, 0, 0);
    stage_close(t.w);
    t.w = stage_open(&(weft_options){.insight = stage_insight(), .watch = 100, .user = &t});
    assert_non_null(t.w);
    bind(&t);
    t.wish[0] = PLAY;
    assert_int_equal(stage_tick(t.w, 0.25), WEFT_OK);
    t.wish[0] = NO_WISH;
    t.m.game = PLAY;
    assert_int_equal(stage_tick(t.w, 0.25), WEFT_OK);
    assert_written(&t, STAGE_NONE, "game.next", "play wish ");
    assert_written(&t, STAGE_NONE, "game.now", "play state game ");
    assert_written(&t, STAGE_NONE, "game.begin_due", "true state game false begin ");
    stage_entity foe = {1u | 1u << stage_entity_format.index_bits}; // as begin had it spawned
    assert_true(stage_alive(t.w, foe));
    stage_game_go(t.w, STAGE_GAME_OVER);
    assert_int_equal(stage_tick(t.w, 0.25), WEFT_OK);
    t.m.game = OVER;
    stage_foe_set(t.w, stage_spawn(t.w), stage_foe_defaults());
    assert_written(&t, STAGE_NONE, "game.next", "play wish over the game ");
    assert_written(&t, STAGE_NONE, "game.now", "play state game over state game ");
    assert_false(stage_alive(t.w, foe));
    assert_written(&t, foe, "foe.met", " +commands of begin  -state game ");
    assert_written(&t, foe, "led_by.parent", "0:1 commands of begin none state game ");
    stage_close(t.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_changes_at_the_end_of_a_phase_or_before_the_next),
#ifdef NDEBUG
        cmocka_unit_test(a_value_that_a_state_does_not_have_is_refused),
#endif
        cmocka_unit_test(what_is_to_come_is_saved_and_hashed),
        cmocka_unit_test(a_value_begins_again_if_its_state_says_so),
        cmocka_unit_test(a_value_goes_on_if_its_state_does_not_say_so),
        cmocka_unit_test(an_input_is_heard_in_the_next_tick_and_gone_behind_it),
        cmocka_unit_test(an_input_names_entities),
        cmocka_unit_test(a_resource_is_the_games_and_what_needs_it_has_no_turn_without),
        cmocka_unit_test(json_has_states_by_their_names),
        cmocka_unit_test(a_state_waits_for_memory),
        cmocka_unit_test(what_states_write_is_told_apart),
        cmocka_unit_test(states_change_as_in_the_model_with_any_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
