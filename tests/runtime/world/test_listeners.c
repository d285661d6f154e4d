// Listeners: the data that each gets in its turns, compared with a model that remembers every
// operation, through saves, loads and full logs.
//
// program: worlds released
#define _POSIX_C_SOURCE 200809L

#include "../../support/asserts.h"
#include "../../support/no_space.h"
#include "ears.h"
#include "meter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DIED_MAX = 16, NOISE_MAX = 4, MANY = 64 };

typedef struct script {
    ears_world *w;
    uint32_t deaths, noises; // to emit
    uint32_t number;         // of the next of either
    ears_entity gone;        // to be despawned by a command
    uint32_t heard;          // deaths by the system
    bool begins;             // it begins a listener, wrongly
    uint32_t refused;
    uint32_t left; // leaders, by the hook
    uint32_t seen; // rows that it was shown
    ears_ear_iter begun;
} script;

void ears_happen(const ears_happen_ctx *ctx, uint32_t count)
{
    script *s = (script *)ctx->user;
    (void)count;
    for (uint32_t i = 0; i < s->deaths; i++) {
        ears_died_emit(ctx->emit_died, (ears_died){s->number + i, s->gone});
    }
    for (uint32_t i = 0; i < s->noises; i++) {
        ears_noise_emit(ctx->emit_noise, (ears_noise){s->number + i});
    }
    if (!ears_is_none(s->gone)) ears_cmd_despawn(ctx->cmd, s->gone);
    if (s->begins) s->begun = ears_ear_begin(s->w);
}

void ears_hear(const ears_hear_ctx *ctx, uint32_t count)
{
    (void)count;
    ((script *)ctx->user)->heard += ctx->died_count;
}

void ears_mourn(const ears_mourn_ctx *ctx, uint32_t count, ears_place *place)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) place[i].x += 1;
}

void ears_led_by_on_detach(const ears_hook_ctx *ctx, ears_entity child, ears_entity parent)
{
    script *s = (script *)ctx->user;
    (void)child, (void)parent;
    s->left++;
    ears_placed_iter it = ears_placed_begin(s->w);
    while (ears_placed_next(&it)) s->seen += it.count;
}

static ears_world *opened(script *s)
{
    *s = (script){.number = 1};
    s->w = ears_open(&(weft_options){.user = s});
    assert_non_null(s->w);
    return s->w;
}

static weft_status tick(script *s, uint32_t deaths, uint32_t noises)
{
    s->deaths = deaths;
    s->noises = noises;
    weft_status status = ears_tick(s->w, 0.25);
    s->number += deaths > noises ? deaths : noises;
    s->gone = EARS_NONE;
    return status;
}

// ---- events

static void what_was_sent_between_two_turns_is_heard_once(void **state)
{
    script s;
    ears_world *w = opened(&s);
    (void)state;
    assert_int_equal(tick(&s, 2, 0), WEFT_OK); // before the first turn, too
    assert_int_equal(tick(&s, 1, 3), WEFT_OK);
    ears_ear_iter it = ears_ear_begin(w);
    assert_int_equal(it.died_count, 3);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(it.died[i].number, i + 1);
    assert_int_equal(it.noise_count, 3);
    assert_int_equal(it.noise[0].number, 3);
    it = ears_ear_begin(w);
    assert_int_equal(it.died_count, 0);
    assert_null(it.died);
    assert_int_equal(tick(&s, 1, 0), WEFT_OK);
    assert_int_equal(ears_far_begin(w).died_count, 4); // it has turns of its own
    assert_int_equal(ears_ear_begin(w).died_count, 1);
    assert_int_equal(tick(&s, 0, 0), WEFT_OK);
    assert_int_equal(s.heard, 4); // a second has passed
    ears_close(w);
}

static void a_listener_that_is_behind_misses_the_oldest_and_no_system_misses_any(void **state)
{
    script s;
    ears_world *w = opened(&s);
    uint32_t sent = 0;
    (void)state;
    for (uint32_t i = 0; i < 8; i++, sent += 4) {
        assert_int_equal(tick(&s, 4, 0), i < 4 ? WEFT_OK : WEFT_FULL);
    }
    assert_string_equal(ears_error(w),
                        "no room: listener far misses 4 of the event died, since 16 are unread");
    ears_ear_iter it = ears_ear_begin(w);
    assert_int_equal(it.died_count, DIED_MAX);
    assert_int_equal(it.died[0].number, sent - DIED_MAX + 1);
    assert_int_equal(s.heard, sent);
    assert_int_equal(ears_stats(w).events_lost, 2 * (sent - DIED_MAX)); // by each of two
    // Of an event that no system hears, too.
    assert_int_equal(tick(&s, 0, NOISE_MAX), WEFT_OK);
    assert_int_equal(tick(&s, 0, 1), WEFT_FULL);
    it = ears_ear_begin(w);
    assert_int_equal(it.noise_count, NOISE_MAX);
    assert_int_equal(it.noise[NOISE_MAX - 1].number, s.number - 1);
    assert_int_equal(tick(&s, 0, NOISE_MAX + 1), WEFT_FULL); // too many at once lose the last
    assert_int_equal(ears_ear_begin(w).noise_count, NOISE_MAX);
    ears_close(w);
}

static void who_listens_when_is_no_matter_of_the_state(void **state)
{
    script s[2];
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        ears_world *w = opened(&s[i]);
        ears_entity e = ears_spawn(w);
        assert_true(ears_burning_set(w, e, (ears_burning){3}));
        s[i].gone = e;
        assert_int_equal(tick(&s[i], 2, 1), WEFT_OK);
        if (i == 0) ears_ear_begin(w);
    }
    assert_true(ears_hash(s[0].w) == ears_hash(s[1].w));
    assert_true(ears_hash_exact(s[0].w) != ears_hash_exact(s[1].w));
    for (uint32_t i = 0; i < 2; i++) {
        ears_ear_begin(s[i].w);
        ears_far_begin(s[i].w);
        ears_window_begin(s[i].w);
    }
    ears_close(s[0].w);
    ears_close(s[1].w);
}

// ---- when

static void begin_in_a_phase(void *user)
{
    tick((script *)user, 0, 0);
}

static void no_listener_is_begun_while_a_phase_runs(void **state)
{
    script s;
    ears_world *w = opened(&s);
    (void)state;
    assert_int_equal(tick(&s, 1, 0), WEFT_OK);
    s.begins = true;
    assert_true(asserts_saying(begin_in_a_phase, &s, "ears_ear_begin"));
#ifdef NDEBUG
    begin_in_a_phase(&s);
    assert_null(s.begun.died);
    assert_int_equal(s.begun.died_count, 0);
    assert_int_equal(s.begun.removed_sound_count, 0);
    assert_non_null(strstr(ears_error(w), "ears_ear_begin has to wait until that is over"));
    assert_false(ears_ear_next(&s.begun)); // behind the phase, too, and no other words come of it
    assert_non_null(strstr(ears_error(w), "ears_ear_begin has to wait until that is over"));
#endif
    s.begins = false;
    assert_int_equal(ears_ear_begin(w).died_count, 1); // and nothing was lost by that
    ears_close(w);
}

static void a_singleton_may_decide(void **state)
{
    script s;
    ears_world *w = opened(&s);
    ears_entity e = ears_spawn(w);
    (void)state;
    assert_true(ears_asleep_set(w, e));
    for (uint32_t turn = 0; turn < 4; turn++) {
        ears_window_iter it = ears_window_begin(w);
        assert_int_equal(ears_window_next(&it), turn % 2 == 0);
        if (turn % 2 == 0) continue;
        ears_weather_edit(w)->rain++;
        assert_int_equal(ears_run_first(w, 0), WEFT_OK); // which ends the loan
    }
    ears_close(w);
}

// ---- removed values

// They are kept until who asks for them has seen them, and do not name entities that are dead.
static void removed_values_forget_the_dead(void **state)
{
    script s;
    ears_world *w = opened(&s);
    ears_entity e = ears_spawn(w);
    ears_entity other = ears_spawn(w);
    (void)state;
    assert_true(ears_sound_set(w, e, (ears_sound){.pitch = 4, .to = other}));
    assert_true(ears_burning_set(w, e, (ears_burning){.left = 7}));
    assert_true(ears_led_by_attach(w, e, other));
    (void)ears_ear_begin(w);
    (void)ears_window_begin(w);
    assert_true(ears_sound_remove(w, e));
    assert_true(ears_burning_remove(w, e));
    assert_true(ears_despawn(w, other));
    assert_int_equal(s.left, 1);
    (void)ears_recycle(w);
    ears_ear_iter ear = ears_ear_begin(w);
    assert_int_equal(ear.removed_sound_count, 1);
    assert_int_equal(ear.removed_sound_value[0].pitch, 4);
    assert_true(ears_is_none(ear.removed_sound_value[0].to));
    ears_window_iter window = ears_window_begin(w);
    assert_int_equal(window.removed_burning_count, 1);
    assert_int_equal(window.removed_burning_value[0].left, 7);
    ears_close(w);
}

// A hook may begin a query of the game, which shows the changes since the last time.
static void a_hook_has_a_turn(void **state)
{
    script s;
    ears_world *w = opened(&s);
    ears_entity e = ears_spawn(w);
    ears_entity leader = ears_spawn(w);
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        if (i != 2) assert_true(ears_place_set(w, e, (ears_place){.x = (float)i}));
        assert_true(ears_led_by_attach(w, e, leader));
        assert_true(ears_led_by_detach(w, e));
        assert_int_equal(s.left, i + 1);
        assert_int_equal(s.seen, i == 0 ? 1 : 2);
    }
    ears_close(w);
}

static ears_world *trimmable(script *s, meter *m)
{
    const weft_memory hooks = {take, give, no_reserve, no_commit, no_release, m};
    ears_entity e[60];
    *s = (script){.number = 1};
    s->w = ears_open(&(weft_options){.user = s, .memory = hooks});
    for (uint32_t i = 0; i < 60; i++) {
        e[i] = ears_spawn(s->w);
        ears_sound_set(s->w, e[i], (ears_sound){.pitch = i});
        ears_burning_set(s->w, e[i], (ears_burning){.left = i});
        ears_asleep_set(s->w, e[i]);
    }
    assert_int_equal(tick(s, 14, 0), WEFT_OK);
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(tick(s, 0, 0), WEFT_OK); // a second
    (void)ears_ear_begin(s->w);
    (void)ears_far_begin(s->w);
    (void)ears_window_begin(s->w);
    for (uint32_t i = 0; i < 60; i++) ears_asleep_remove(s->w, e[i]);
    for (uint32_t i = 1; i < 40; i++) ears_despawn(s->w, e[i]);
    (void)ears_ear_begin(s->w); // has seen who woke up, and who died
    (void)ears_window_begin(s->w);
    assert_int_equal(tick(s, 5, 3), WEFT_OK);
    for (uint32_t i = 40; i < 60; i++) ears_despawn(s->w, e[i]);
    return s->w;
}

// With so many allocations and no more, or all but one, logs that cannot be copied stay as they
// are, and others are trimmed still.
static void trim_starved(bool once)
{
    bool failed = true;
    for (size_t allocations = 0; failed; allocations++) {
        script s;
        meter m = {.left = SIZE_MAX, .once = once};
        ears_world *w = trimmable(&s, &m);
        size_t before = m.bytes;
        m.left = allocations;
        weft_status status = ears_trim(w);
        failed = m.failed;
        m.left = SIZE_MAX;
#ifndef WEFT_HARD // where every change moves the world as far as there is memory
        assert_int_equal(status, failed ? WEFT_NO_MEMORY : WEFT_OK);
#else
        (void)status;
#endif
        assert_true(m.bytes < before);
        ears_window_iter window = ears_window_begin(w);
        assert_int_equal(window.removed_burning_count, 20);
        ears_ear_iter ear = ears_ear_begin(w);
        assert_int_equal(ear.removed_sound_count, 20);
        for (uint32_t i = 0; i < 20; i++) {
            assert_int_equal(ear.removed_sound_value[i].pitch, i + 40);
            assert_int_equal(window.removed_burning_value[i].left, i + 40);
        }
        assert_int_equal(ear.noise_count, 3);
        assert_int_equal(ears_far_begin(w).died_count, 5);
        ears_close(w);
        assert_int_equal(m.bytes, 0);
    }
}

static void logs_without_memory_stay(void **state)
{
    (void)state;
    trim_starved(false);
    trim_starved(true);
}

// ---- everything, beside a model

typedef struct thing {
    bool alive;
    ears_entity e;
    bool place, sound, burning, asleep, led; // what it has
    uint32_t pitch;
    bool place_changed, burning_added;                // since the ear's turn
    bool had_sound, had_burning, had_asleep, had_led; // at that turn, and not lost since
} thing;

typedef struct lost {
    uint32_t count;
    uint64_t bits[MANY * 4];
    uint32_t pitch[MANY * 4];
} lost;

typedef struct log_of {
    uint32_t max, hearers, listeners;
    uint32_t first, end; // numbers of values: those before `first` are dropped
    uint32_t heard[3];   // systems first
    uint32_t number[4096];
} log_of;

typedef struct model {
    script s;
    thing things[MANY];
    lost sound, burning, asleep, led;
    log_of died, noise;
    uint64_t lost_events;
    double waited;
    uint32_t heard; // by the system
    uint64_t dice;
} model;

static uint32_t roll(model *m, uint32_t sides)
{
    m->dice = m->dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->dice >> 33) % sides;
}

static void note(lost *l, const thing *t, bool *had)
{
    if (*had) {
        l->pitch[l->count] = t->pitch;
        l->bits[l->count++] = t->e.bits;
    }
    *had = false;
}

static void lose_all(model *m, thing *t)
{
    note(&m->sound, t, &t->had_sound);
    note(&m->burning, t, &t->had_burning);
    note(&m->asleep, t, &t->had_asleep);
    note(&m->led, t, &t->had_led);
    for (uint32_t i = 0; i < MANY; i++) { // its children become roots
        thing *child = &m->things[i];
        ears_entity parent = ears_led_by_parent(m->s.w, child->e);
        if (!child->alive || !child->led || !ears_same(parent, t->e)) continue;
        child->led = false;
        note(&m->led, child, &child->had_led);
    }
    *t = (thing){.alive = false};
}

static uint32_t least(const log_of *l, uint32_t count)
{
    uint32_t least = l->end;
    for (uint32_t i = 0; i < count; i++) least = l->heard[i] < least ? l->heard[i] : least;
    return least;
}

static bool send(model *m, log_of *l, uint32_t count, uint32_t number)
{
    uint64_t before = m->lost_events;
    uint32_t systems = l->hearers - l->listeners;
    uint32_t unread = l->end - least(l, l->hearers);
    uint32_t staged = count < l->max ? count : l->max;
    if (staged + unread > l->max) { // listeners are left behind
        uint32_t to = least(l, l->hearers) + (staged + unread - l->max);
        if (to > least(l, systems)) to = least(l, systems);
        for (uint32_t i = systems; i < l->hearers; i++) {
            if (l->heard[i] >= to) continue;
            m->lost_events += to - l->heard[i];
            l->heard[i] = to;
        }
    }
    uint32_t space = l->max - (l->end - least(l, l->hearers));
    uint32_t fits = staged < space ? staged : space;
    for (uint32_t i = 0; i < fits; i++) l->number[l->end++ % 4096] = number + i;
    m->lost_events += count - fits;
    return m->lost_events == before;
}

static void run_tick(model *m)
{
    uint32_t deaths = roll(m, 8), noises = roll(m, 10) == 0 ? roll(m, 6) : 0;
    thing *t = &m->things[roll(m, MANY)];
    uint32_t number = m->s.number;
    bool gone = t->alive && roll(m, 4) == 0;
    if (gone) m->s.gone = t->e;
    weft_status status = tick(&m->s, deaths, noises);
    bool all = send(m, &m->died, deaths, number);
    all = send(m, &m->noise, noises, number) && all;
    assert_int_equal(status, all ? WEFT_OK : WEFT_FULL);
    m->waited += 0.25;
    if (gone) { // links are gone by now, so children are looked for by what they had
        for (uint32_t i = 0; i < MANY; i++) {
            thing *child = &m->things[i];
            bool led = child->alive && child != t && child->led;
            if (!led || !ears_is_none(ears_led_by_parent(m->s.w, child->e))) continue;
            child->led = false;
            note(&m->led, child, &child->had_led);
        }
        lose_all(m, t);
    }
    for (uint32_t i = 0; i < MANY; i++) { // mourn has written those
        thing *one = &m->things[i];
        one->place_changed |= one->alive && one->place && one->burning;
    }
    if (m->waited >= 1) {
        m->heard += m->died.end - m->died.heard[0];
        m->died.heard[0] = m->died.end;
        m->waited -= 1;
    }
    assert_int_equal(m->s.heard, m->heard);
    assert_int_equal(ears_stats(m->s.w).events_lost, m->lost_events);
}

static void assert_lost(const lost *l, const ears_entity *who, uint32_t count)
{
    assert_int_equal(count, l->count);
    for (uint32_t i = 0; i < count; i++) { // in the order of one operation, or of rows in one
        bool found = false;
        for (uint32_t k = 0; k < count; k++) found |= l->bits[k] == who[i].bits;
        assert_true(found);
    }
}

static void assert_heard(log_of *l, uint32_t hearer, uint32_t count, uint32_t first)
{
    uint32_t from = l->heard[hearer];
    assert_int_equal(count, l->end - from);
    if (count != 0) assert_int_equal(first, l->number[from % 4096]);
    l->heard[hearer] = l->end;
}

static void listen(model *m)
{
    ears_ear_iter it = ears_ear_begin(m->s.w);
    bool seen[MANY] = {false};
    assert_heard(&m->died, 1, it.died_count, it.died_count ? it.died[0].number : 0);
    assert_heard(&m->noise, 0, it.noise_count, it.noise_count ? it.noise[0].number : 0);
    assert_lost(&m->sound, it.removed_sound, it.removed_sound_count);
    assert_lost(&m->burning, it.removed_burning, it.removed_burning_count);
    assert_lost(&m->asleep, it.removed_asleep, it.removed_asleep_count);
    assert_lost(&m->led, it.removed_led_by, it.removed_led_by_count);
    for (uint32_t i = 0; i < it.removed_sound_count; i++) {
        uint32_t k = 0;
        while (m->sound.bits[k] != it.removed_sound[i].bits) k++;
        assert_int_equal(it.removed_sound_value[i].pitch, m->sound.pitch[k]);
    }
    while (ears_ear_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            uint32_t k = 0;
            while (m->things[k].e.bits != it.entities[i].bits || !m->things[k].alive) k++;
            const thing *t = &m->things[k];
            assert_true(t->place && (t->place_changed || t->burning_added));
            assert_int_equal(it.burning[i] != NULL, t->burning);
            assert_int_equal(ears_ear_asleep_has(&it, i), t->asleep);
            seen[k] = true;
        }
    }
    for (uint32_t i = 0; i < MANY; i++) {
        thing *t = &m->things[i];
        bool shown = t->alive && t->place && (t->place_changed || t->burning_added);
        assert_int_equal(seen[i], shown);
        t->place_changed = t->burning_added = false;
        t->had_sound = t->sound;
        t->had_burning = t->burning;
        t->had_asleep = t->asleep;
        t->had_led = t->led;
    }
    m->sound.count = m->burning.count = m->asleep.count = m->led.count = 0;
}

static void change(model *m, thing *t)
{
    ears_world *w = m->s.w;
    thing *other = &m->things[roll(m, MANY)];
    uint32_t pitch = roll(m, 1000);
    switch (roll(m, 10)) {
    case 0:
        assert_true(ears_place_set(w, t->e, (ears_place){1}));
        t->place = t->place_changed = true;
        break;
    case 1:
        if (ears_place_remove(w, t->e)) t->place = t->place_changed = false;
        break;
    case 2:
        assert_true(ears_sound_set(w, t->e, (ears_sound){pitch, 1, t->e}));
        t->sound = true;
        t->pitch = pitch;
        break;
    case 3:
        if (t->sound) note(&m->sound, t, &t->had_sound);
        assert_int_equal(ears_sound_remove(w, t->e), t->sound);
        t->sound = false;
        break;
    case 4:
        t->burning_added |= !t->burning;
        assert_true(ears_burning_set(w, t->e, (ears_burning){1}));
        t->burning = true;
        break;
    case 5:
        if (t->burning) note(&m->burning, t, &t->had_burning);
        assert_int_equal(ears_burning_remove(w, t->e), t->burning);
        t->burning = t->burning_added = false;
        break;
    case 6:
        assert_true(ears_asleep_set(w, t->e));
        t->asleep = true;
        break;
    case 7:
        if (t->asleep) note(&m->asleep, t, &t->had_asleep);
        ears_asleep_remove(w, t->e);
        t->asleep = false;
        break;
    case 8:
        if (!t->led && other->alive && ears_led_by_attach(w, t->e, other->e)) t->led = true;
        break;
    default:
        if (t->led) note(&m->led, t, &t->had_led);
        assert_int_equal(ears_led_by_detach(w, t->e), t->led);
        t->led = false;
    }
}

static void act(model *m)
{
    thing *t = &m->things[roll(m, MANY)];
    if (!t->alive) {
        *t = (thing){.alive = true, .e = ears_spawn(m->s.w)};
        assert_true(ears_alive(m->s.w, t->e));
    } else if (roll(m, 12) == 0) {
        ears_entity e = t->e;
        lose_all(m, t);
        assert_true(ears_despawn(m->s.w, e));
    } else {
        change(m, t);
    }
}

// Goes on in a world that was loaded from a save, where all have yet to see what they had.
static void move_on(model *m)
{
    void *bytes;
    size_t n;
    uint64_t exact = ears_hash_exact(m->s.w);
    assert_int_equal(ears_save_memory(m->s.w, &bytes, &n), WEFT_OK);
    assert_int_equal(ears_load_memory(m->s.w, bytes, n), WEFT_OK);
    assert_true(ears_hash_exact(m->s.w) == exact);
    free(bytes);
}

static void start_over(model *m)
{
    uint64_t dice = m->dice;
    for (uint32_t i = 0; i < MANY; i++) {
        if (m->things[i].alive) lose_all(m, &m->things[i]);
    }
    assert_int_equal(ears_reset(m->s.w), WEFT_OK);
    for (uint32_t i = 0; i < 3; i++) m->died.heard[i] = m->died.end;
    m->noise.heard[0] = m->noise.end;
    m->dice = dice;
}

static void listeners_are_told_what_a_model_remembers(void **state)
{
    static model m;
    (void)state;
    for (uint32_t seed = 0; seed < 12; seed++) {
        memset(&m, 0, sizeof m);
        m.dice = seed;
        m.died.max = DIED_MAX;
        m.died.hearers = 3;
        m.died.listeners = 2;
        m.noise = (log_of){.max = NOISE_MAX, .hearers = 1, .listeners = 1};
        opened(&m.s);
        for (uint32_t step = 0; step < 1500; step++) {
            uint32_t what = roll(&m, 40);
            if (what == 0)
                move_on(&m);
            else if (what == 1 && roll(&m, 10) == 0)
                start_over(&m);
            else if (what < 6)
                run_tick(&m);
            else if (what < 8)
                listen(&m);
            else if (what == 8) {
                ears_far_iter far = ears_far_begin(m.s.w);
                assert_heard(&m.died, 2, far.died_count, far.died_count ? far.died[0].number : 0);
            } else
                act(&m);
        }
        ears_close(m.s.w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_sent_between_two_turns_is_heard_once),
        cmocka_unit_test(a_listener_that_is_behind_misses_the_oldest_and_no_system_misses_any),
        cmocka_unit_test(who_listens_when_is_no_matter_of_the_state),
        cmocka_unit_test(no_listener_is_begun_while_a_phase_runs),
        cmocka_unit_test(a_singleton_may_decide),
        cmocka_unit_test(removed_values_forget_the_dead),
        cmocka_unit_test(a_hook_has_a_turn),
        cmocka_unit_test(logs_without_memory_stay),
        cmocka_unit_test(listeners_are_told_what_a_model_remembers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
