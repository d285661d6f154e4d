// Walks of each kind that the game keeps over a phase, a hook or a structural change. Debug builds
// assert at the next step. Release builds end the walk and report it once. Later steps return no
// rows and leave the last error message unchanged.
//
// program: worlds released
#define _POSIX_C_SOURCE 200809L // support/asserts.h

#include "../../support/asserts.h"
#include "kept.h"
#include "weft_reflect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { THINGS = 6, WORDS = 512 };

typedef union walk {
    kept_placed_iter placed;
    kept_keyed_iter keyed;
    kept_masked_iter masked;
    kept_listed_iter listed;
    kept_moved_iter moved;
    kept_ear_iter ear;
    kept_by_place_near_iter near;
    kept_by_key_each_iter each;
    kept_by_rank_range_iter range;
    kept_under_walk under;
    weft_select select;
} walk;

typedef struct kept {
    kept_world *w;
    kept_entity things[THINGS];
    void (*inside)(struct kept *k); // the hook, or the system
    const struct kind *kind;
    walk walk;
    bool stepped;
    char words[WORDS]; // of the failure that must stay
} kept;

static void begin_placed(kept *k)
{
    k->walk.placed = kept_placed_begin(k->w);
}
static bool step_placed(kept *k)
{
    return kept_placed_next(&k->walk.placed);
}
static void begin_keyed(kept *k)
{
    k->walk.keyed = kept_keyed_begin(k->w);
}
static bool step_keyed(kept *k)
{
    return kept_keyed_next(&k->walk.keyed);
}
static void begin_masked(kept *k)
{
    k->walk.masked = kept_masked_begin(k->w);
}
static bool step_masked(kept *k)
{
    return kept_masked_next(&k->walk.masked);
}
static void begin_listed(kept *k)
{
    k->walk.listed = kept_listed_begin(k->w);
}
static bool step_listed(kept *k)
{
    return kept_listed_next(&k->walk.listed);
}
static void begin_moved(kept *k)
{
    k->walk.moved = kept_moved_begin(k->w);
}
static bool step_moved(kept *k)
{
    return kept_moved_next(&k->walk.moved);
}
static void begin_ear(kept *k)
{
    k->walk.ear = kept_ear_begin(k->w);
}
static bool step_ear(kept *k)
{
    return kept_ear_next(&k->walk.ear);
}
static void begin_near(kept *k)
{
    k->walk.near = kept_by_place_near_begin(k->w, 0, 0, 100);
}
static bool step_near(kept *k)
{
    return kept_by_place_near_next(&k->walk.near);
}
static void begin_each(kept *k)
{
    k->walk.each = kept_by_key_each_begin(k->w, 7);
}
static bool step_each(kept *k)
{
    return kept_by_key_each_next(&k->walk.each);
}
static void begin_range(kept *k)
{
    k->walk.range = kept_by_rank_range_begin(k->w, 0, 100);
}
static bool step_range(kept *k)
{
    return kept_by_rank_range_next(&k->walk.range);
}
static void begin_under(kept *k)
{
    k->walk.under = kept_under_walk_begin(k->w, k->things[0]);
}
static bool step_under(kept *k)
{
    return kept_under_walk_next(&k->walk.under);
}
static void begin_select(kept *k)
{
    k->walk.select = weft_select_begin(kept_world_base(k->w), "key");
}
static bool step_select(kept *k)
{
    return weft_select_next(&k->walk.select);
}

typedef struct kind {
    const char *name;
    const char *what; // as reports have it
    void (*begin)(kept *k);
    bool (*step)(kept *k);
    bool in_phase; // the game may begin it there
    bool in_hook;
} kind;

static const kind kinds[] = {
    {"placed", "an iterator", begin_placed, step_placed, false, false},
    {"keyed", "an iterator", begin_keyed, step_keyed, true, true},
    {"masked", "an iterator", begin_masked, step_masked, true, true},
    {"listed", "an iterator", begin_listed, step_listed, true, true},
    {"moved", "an iterator", begin_moved, step_moved, false, true},
    {"ear", "an iterator", begin_ear, step_ear, false, false},
    {"near", "a walk over an index", begin_near, step_near, false, false},
    {"each", "a walk over an index", begin_each, step_each, false, false},
    {"range", "a walk over an index", begin_range, step_range, false, false},
    {"under", "a walk over a relation", begin_under, step_under, true, true},
    {"select", "a selection", begin_select, step_select, false, false},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

void kept_act(const kept_act_ctx *ctx, uint32_t count)
{
    kept *k = (kept *)ctx->user;
    (void)count;
    if (k->inside) k->inside(k);
}

void kept_note_on_replace(const kept_hook_ctx *ctx, kept_entity e, const kept_note *old_value,
                          const kept_note *new_value)
{
    kept *k = (kept *)ctx->user;
    (void)e, (void)old_value, (void)new_value;
    if (k->inside) k->inside(k);
}

// ------------------------------------------------------------------------------------------------
// Moments

typedef struct moment {
    void (*run)(kept *k); // calls k->inside
    const char *runs;     // as reports begin
    bool is_hook;
} moment;

static void run_phase(kept *k)
{
    assert_int_equal(kept_run_act(k->w, 0.5), WEFT_OK);
}

static void run_hook(kept *k)
{
    assert_true(kept_note_set(k->w, k->things[0], (kept_note){1}));
}

static const moment moments[] = {
    {run_phase, "phase 'act' runs, system 'act': ", false},
    {run_hook, "a hook runs: ", true},
};

static void run_with(const moment *m, kept *k, void (*inside)(kept *k))
{
    k->inside = inside;
    m->run(k);
    k->inside = NULL;
}

static void open_world(kept *k, const kind *of)
{
    memset(k, 0, sizeof *k);
    k->kind = of;
    k->w = kept_open(&(weft_options){.user = k});
    assert_non_null(k->w);
    for (uint32_t i = 0; i < THINGS; i++) {
        k->things[i] = kept_thing_spawn(k->w, &(kept_thing){.key = {7}});
        assert_true(kept_rank_set(k->w, k->things[i], (kept_rank){(int32_t)i}));
        if (i > 0) assert_true(kept_under_attach(k->w, k->things[i], k->things[0]));
    }
}

static void close_world(kept *k)
{
    if (k->kind->step == step_select) weft_select_end(&k->walk.select);
    kept_close(k->w);
}

static void step(void *context)
{
    kept *k = (kept *)context;
    k->stepped = k->kind->step(k);
}

static void begin(void *context)
{
    kept *k = (kept *)context;
    k->kind->begin(k);
}

// The walk ends with these words, and only once: those of another failure stay.
static void expect_end(kept *k, const char *words)
{
    if (!asserts_saying(step, k, words)) fail_msg("%s: %s", k->kind->name, words);
#ifdef NDEBUG
    step(k);
    assert_false(k->stepped);
    if (!strstr(kept_error(k->w), words)) {
        fail_msg("%s: '%s' and not '%s'", k->kind->name, kept_error(k->w), words);
    }
    assert_false(kept_despawn(k->w, KEPT_NONE));
    snprintf(k->words, sizeof k->words, "%s", kept_error(k->w));
#endif
}

static void expect_silence(kept *k)
{
#ifdef NDEBUG
    step(k);
    assert_false(k->stepped);
    assert_string_equal(kept_error(k->w), k->words);
#else
    (void)k;
#endif
}

static const moment *now;

static void step_inside(kept *k)
{
    char words[200];
    snprintf(words, sizeof words, "%s%s that was begun before that was used, and ended there",
             now->runs, k->kind->what);
    expect_end(k, words);
    expect_silence(k);
}

static void walks_of_the_game_end_in_phases_and_hooks(void **state)
{
    (void)state;
    for (size_t m = 0; m < 2; m++) {
        now = &moments[m];
        for (size_t i = 0; i < KINDS; i++) {
            static kept k;
            open_world(&k, &kinds[i]);
            k.kind->begin(&k);
            if (k.kind->step != step_listed) assert_true(k.kind->step(&k));
            run_with(now, &k, step_inside);
            expect_silence(&k);
            close_world(&k);
        }
    }
}

// Begins a walk in a phase or a hook, which lets the game do so or refuses it.
static void begin_inside(kept *k)
{
    bool may = now->is_hook ? k->kind->in_hook : k->kind->in_phase;
    if (may) {
        k->kind->begin(k);
        assert_true(k->kind->step(k));
        return;
    }
    assert_true(asserts_saying(begin, k, now->runs));
#ifdef NDEBUG
    begin(k);
    assert_non_null(strstr(kept_error(k->w), now->runs));
    snprintf(k->words, sizeof k->words, "%s", kept_error(k->w));
    expect_silence(k);
#endif
}

// A walk that was refused has no rows, and what was said as it was refused stays.
static void walks_end_with_the_phase_or_hook_that_began_them(void **state)
{
    (void)state;
    for (size_t m = 0; m < 2; m++) {
        now = &moments[m];
        for (size_t i = 0; i < KINDS; i++) {
            static kept k;
            char words[200];
            open_world(&k, &kinds[i]);
            run_with(now, &k, begin_inside);
            snprintf(words, sizeof words,
                     "%s was used after the turn or the hook in which it was begun, and ended "
                     "there",
                     k.kind->what);
            if (now->is_hook ? k.kind->in_hook : k.kind->in_phase) expect_end(&k, words);
            expect_silence(&k);
            run_with(&moments[1 - m], &k, expect_silence);
            close_world(&k);
        }
    }
}

static void walks_end_with_structural_changes(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        static kept k;
        char words[200];
        open_world(&k, &kinds[i]);
        k.kind->begin(&k);
        assert_false(kept_is_none(kept_spawn(k.w)));
        snprintf(words, sizeof words, "%s was used after a structural change, and ended there",
                 k.kind->what);
        expect_end(&k, words);
        expect_silence(&k);
        run_with(&moments[0], &k, expect_silence);
        run_with(&moments[1], &k, expect_silence);
        close_world(&k);
    }
}

// A phase or a hook that lets a walk alone does not end it, if no row has moved.
static void walks_go_on_behind_hooks(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        static kept k;
        open_world(&k, &kinds[i]);
        k.kind->begin(&k);
        run_with(&moments[1], &k, NULL);
        assert_true(k.kind->step(&k));
        close_world(&k);
    }
}

// What a thread does that calls a hook while systems run in parallel. The iterators that systems of
// other threads have begun stay valid, and so do those that they begin meanwhile, also behind it.
static void step_beside_a_hook(kept *k)
{
    weft_world *base = kept_world_base(k->w);
    const uint32_t running = base->now.running;
    base->now.in_parallel = true;
    k->kind->begin(k);
    assert_true(k->kind->step(k));
    weft_world_runs(base, WEFT_HOOK_RUNS);
    (void)k->kind->step(k); // which asserts, or reports, if the walk has ended
    k->kind->begin(k);
    weft_world_runs(base, running);
    assert_true(k->kind->step(k));
    base->now.in_parallel = false;
    assert_string_equal(kept_error(k->w), "");
}

static void hooks_beside_parallel_systems_leave_their_walks_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        static kept k;
        if (!kinds[i].in_phase) continue; // those of systems begin through their ctx
        open_world(&k, &kinds[i]);
        run_with(&moments[0], &k, step_beside_a_hook);
        close_world(&k);
    }
}

// ---- keys

static void texts_that_fill_words_are_found(void **state)
{
    static const char letters[] = "abcdefghijklmnop";
    kept_world *w = kept_open(NULL);
    kept_entity e[17][9];
    kept_sign sign;
    (void)state;
    for (uint32_t line = 0; line <= sizeof sign.line; line++) {
        for (uint32_t word = 0; word <= sizeof sign.word; word++) {
            sign = (kept_sign){{0}, {0}};
            memcpy(sign.line, letters, line);
            memcpy(sign.word, letters, word);
            e[line][word] = kept_spawn(w);
            assert_true(kept_sign_set(w, e[line][word], sign));
        }
    }
    for (uint32_t line = 0; line <= sizeof sign.line; line++) {
        for (uint32_t word = 0; word <= sizeof sign.word; word++) {
            char one[17] = "";
            char two[9] = "";
            memcpy(one, letters, line);
            memcpy(two, letters, word);
            assert_int_equal(kept_by_line_find(w, one, two).bits, e[line][word].bits);
            assert_int_equal(kept_by_word_count(w, two), sizeof sign.line + 1);
        }
    }
    kept_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_that_fill_words_are_found),
        cmocka_unit_test(hooks_beside_parallel_systems_leave_their_walks_alone),
        cmocka_unit_test(walks_of_the_game_end_in_phases_and_hooks),
        cmocka_unit_test(walks_end_with_the_phase_or_hook_that_began_them),
        cmocka_unit_test(walks_end_with_structural_changes),
        cmocka_unit_test(walks_go_on_behind_hooks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
