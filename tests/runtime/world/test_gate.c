// Systems that run only `when` a singleton was changed, compared with a model that stores for each
// system the singletons that it has yet to see. The worlds are equal for any number of workers.
//
// program: worlds threads
#define _POSIX_C_SOURCE 200809L

#include "gate.h"
#include "gate_run.h"
#include "run/held.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLAIN, BOTH, SHARED, SLOW, SLOW_SHARED, OWN, RING, FRESH, LAST, SYSTEMS };
WEFT_STATIC_ASSERT((int)GATE_SYSTEM_RING == RING && (int)GATE_SYSTEM_LAST == LAST,
                   "they are numbered as they run");
enum { A, B, C, SINGLETONS, NOTHING = SINGLETONS };
enum { SEEDS = 12, STEPS = 250 };

// The function of a system notes here what it has done since a call.
typedef struct noted {
    atomic_uint calls;
    atomic_uint rows;
    atomic_uint heard;
    double dt;
} noted;

// The model of a system.
typedef struct modelled {
    bool unseen[SINGLETONS];
    bool off;
    bool held;
    double waited, elapsed;
    uint32_t heard; // waits to be
    uint32_t added; // likewise
    uint32_t turns, rows, hears;
    double dt;
} modelled;

typedef struct field {
    gate_world *w;
    noted noted[SYSTEMS];
    modelled of[SYSTEMS];
    uint32_t boxes;
    uint64_t dice;
} field;

static void note(void *user, uint32_t system, double dt, uint32_t rows, uint32_t heard)
{
    noted *n = &((field *)user)->noted[system];
    atomic_fetch_add(&n->calls, 1);
    atomic_fetch_add(&n->rows, rows);
    atomic_fetch_add(&n->heard, heard);
    if (system != SHARED && system != SLOW_SHARED) n->dt = dt; // others have one call at a time
}

void gate_plain(const gate_plain_ctx *ctx, uint32_t count)
{
    note(ctx->user, PLAIN, ctx->dt, count, 0);
}

void gate_both(const gate_both_ctx *ctx, uint32_t count, const gate_box *WEFT_RESTRICT box)
{
    (void)box;
    note(ctx->user, BOTH, ctx->dt, count, 0);
}

void gate_shared(const gate_shared_ctx *ctx, uint32_t count, const gate_box *WEFT_RESTRICT box)
{
    (void)box;
    note(ctx->user, SHARED, ctx->dt, count, ctx->rang_count);
}

void gate_slow(const gate_slow_ctx *ctx, uint32_t count)
{
    note(ctx->user, SLOW, ctx->dt, count, 0);
}

void gate_slow_shared(const gate_slow_shared_ctx *ctx, uint32_t count, gate_box *WEFT_RESTRICT box)
{
    for (uint32_t i = 0; i < count; i++) box[i].number += ctx->dt > 1.0 ? 3 : 1;
    note(ctx->user, SLOW_SHARED, ctx->dt, count, ctx->rang_count);
}

void gate_own(const gate_own_ctx *ctx, uint32_t count)
{
    ctx->c->n++;
    note(ctx->user, OWN, ctx->dt, count, 0);
}

void gate_ring(const gate_ring_ctx *ctx, uint32_t count)
{
    ctx->a->n++;
    gate_rang_emit(ctx->emit_rang, (gate_rang){ctx->a->n});
    note(ctx->user, RING, ctx->dt, count, 0);
}

void gate_fresh(const gate_fresh_ctx *ctx, uint32_t count, const gate_box *WEFT_RESTRICT box)
{
    (void)box;
    note(ctx->user, FRESH, ctx->dt, count, 0);
}

void gate_last(const gate_last_ctx *ctx, uint32_t count)
{
    ctx->b->n++;
    note(ctx->user, LAST, ctx->dt, count, 0);
}

// ------------------------------------------------------------------------------------------------
// The model

static const double every[SYSTEMS] = {[SLOW] = 1.0, [SLOW_SHARED] = 0.5};
static const uint32_t writes[SYSTEMS] = {
    NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, C, A, NOTHING, B,
};

static bool when(const modelled *m, uint32_t system)
{
    const bool *unseen = m->unseen;
    switch (system) {
    case PLAIN:
        return unseen[A];
    case BOTH:
        return unseen[A] && (unseen[B] || !unseen[C]);
    case SHARED:
        return unseen[A] || unseen[B];
    case SLOW:
        return (unseen[A] != unseen[B]) != unseen[C];
    case SLOW_SHARED:
        return unseen[B];
    case OWN:
        return unseen[C] || unseen[B];
    case RING:
        return unseen[B];
    case FRESH:
        return unseen[C] || !unseen[A];
    default:
        return unseen[C];
    }
}

static void change(field *f, uint32_t singleton, uint32_t by)
{
    for (uint32_t i = 0; i < SYSTEMS && singleton != NOTHING; i++) {
        if (i != by) f->of[i].unseen[singleton] = true;
    }
}

static void run_modelled(field *f, uint32_t system, double dt, bool alone)
{
    modelled *m = &f->of[system];
    if (m->held || (m->off && !alone)) {
        m->heard = 0;
        return;
    }
    m->waited += dt;
    m->elapsed += dt;
    if (m->waited < every[system]) return;
    while (every[system] > 0.0 && m->waited >= every[system]) m->waited -= every[system];
    if (!when(m, system) && !alone) {
        if (every[system] == 0.0) m->elapsed = 0.0;
        return;
    }
    m->turns++;
    m->dt = m->elapsed;
    m->elapsed = 0.0;
    if (system == FRESH) m->rows += m->added;
    if (system == BOTH || system == SLOW_SHARED) m->rows += f->boxes;
    if (system == SHARED && m->unseen[A]) m->rows += f->boxes;
    if (system != SHARED || m->rows != 0) m->hears += m->heard; // the function was called
    m->heard = m->added = 0;
    memset(m->unseen, false, sizeof m->unseen);
    change(f, writes[system], system);
    if (system == RING) {
        f->of[SHARED].heard++;
        f->of[SLOW_SHARED].heard++;
    }
}

static void forget(field *f)
{
    for (uint32_t i = 0; i < SYSTEMS; i++) {
        memset(&f->noted[i], 0, sizeof f->noted[i]);
        f->of[i].turns = f->of[i].rows = f->of[i].hears = 0;
    }
}

// Compares what the systems noted with the model. One with rows is not called without any.
static void compare(field *f)
{
    for (uint32_t i = 0; i < SYSTEMS; i++) {
        const noted *n = &f->noted[i];
        const modelled *m = &f->of[i];
        bool called = i == FRESH || i == SHARED ? m->rows != 0 : m->turns != 0;
        assert_int_equal(atomic_load(&n->calls), called);
        assert_int_equal(atomic_load(&n->rows), m->rows);
        assert_int_equal(atomic_load(&n->heard), m->hears);
        if (called && i != SHARED && i != SLOW_SHARED) assert_true(n->dt == m->dt);
    }
}

// ------------------------------------------------------------------------------------------------
// Random worlds

static uint32_t roll(field *f, uint32_t sides)
{
    f->dice = f->dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(f->dice >> 33) % sides;
}

static void spawn(field *f)
{
    assert_true(gate_crate_spawn(f->w, &(gate_crate){.box.number = f->boxes}).bits != 0);
    f->boxes++;
    for (uint32_t i = 0; i < SYSTEMS; i++) f->of[i].added++;
}

static void edit(field *f, uint32_t singleton)
{
    switch (singleton) {
    case A:
        gate_a_edit(f->w)->n++;
        break;
    case B:
        gate_b_edit(f->w)->n++;
        break;
    default:
        gate_c_edit(f->w)->n++;
        break;
    }
    change(f, singleton, SYSTEMS);
}

static void run_phase(field *f, bool late, double dt)
{
    forget(f);
    for (uint32_t i = late ? FRESH : 0; i < (late ? SYSTEMS : FRESH); i++) {
        run_modelled(f, i, dt, false);
    }
    assert_int_equal((late ? gate_run_late : gate_run_go)(f->w, dt), WEFT_OK);
    compare(f);
}

static void run_alone(field *f, uint32_t system, double dt)
{
    static weft_status (*const runs[SYSTEMS])(gate_world *, double) = {
        gate_plain_run, gate_both_run, gate_shared_run, gate_slow_run, gate_slow_shared_run,
        gate_own_run,   gate_ring_run, gate_fresh_run,  gate_last_run,
    };
    forget(f);
    run_modelled(f, system, dt, true);
    assert_int_equal(runs[system](f->w, dt), WEFT_OK);
    compare(f);
}

static void reload(field *f, uint32_t workers)
{
    void *bytes;
    size_t count;
    uint64_t exact = gate_hash_exact(f->w);
    assert_int_equal(gate_save_memory(f->w, &bytes, &count), WEFT_OK);
    gate_close(f->w);
    f->w = gate_open(&(weft_options){.user = f, .workers = workers});
    assert_non_null(f->w);
    assert_int_equal(gate_load_memory(f->w, bytes, count), WEFT_OK);
    free(bytes);
    assert_true(gate_hash_exact(f->w) == exact);
    f->of[SLOW_SHARED].off = false; // no save has it
    for (uint32_t i = 0; i < SYSTEMS; i++) f->of[i].held = false;
}

static void hold(field *f, uint32_t system, bool held)
{
    weft_world *world = gate_world_base(f->w);
    assert_true(weft_system_hold(world, system, held));
    f->of[system].held = held;
    bool any = false;
    for (uint32_t i = 0; i < SYSTEMS; i++) {
        assert_int_equal(weft_system_is_held(world, i), f->of[i].held);
        any = any || f->of[i].held;
    }
    assert_int_equal(world->now.observed, any); // else it is as a world that never held one
}

static void step(field *f, uint32_t workers)
{
    uint32_t system = roll(f, SYSTEMS);
    switch (roll(f, 13)) {
    case 0:
    case 1:
    case 2:
        edit(f, roll(f, SINGLETONS));
        break;
    case 3:
        spawn(f);
        break;
    case 4:
        f->of[SLOW].off = roll(f, 2) == 0;
        assert_true(gate_slow_switch(f->w, !f->of[SLOW].off));
        break;
    case 5:
        f->of[SLOW_SHARED].off = roll(f, 2) == 0;
        assert_true(gate_slow_shared_switch(f->w, !f->of[SLOW_SHARED].off));
        break;
    case 6:
        run_alone(f, system, 0.25 * roll(f, 4));
        break;
    case 7:
        reload(f, workers);
        break;
    case 8:
        run_phase(f, true, 0.25);
        break;
    case 9:
        hold(f, system, roll(f, 3) == 0);
        break;
    default:
        run_phase(f, false, 0.25 * roll(f, 4));
        break;
    }
}

static void open_field(field *f, uint32_t seed, uint32_t workers)
{
    memset(f, 0, sizeof *f);
    f->dice = seed;
    f->w = gate_open(&(weft_options){.user = f, .workers = workers});
    assert_non_null(f->w);
    for (uint32_t i = 0; i < SYSTEMS; i++) memset(f->of[i].unseen, true, SINGLETONS);
    spawn(f);
}

static void turns_come_as_in_the_model_with_any_workers(void **state)
{
    static field f;
    static uint64_t exact[STEPS];
    static const uint32_t workers[] = {0, 1, 2, 4, 8};
    (void)state;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        for (uint32_t way = 0; way < sizeof workers / sizeof workers[0]; way++) {
            open_field(&f, seed, workers[way]);
            for (uint32_t i = 0; i < STEPS; i++) {
                step(&f, workers[way]);
                if (way == 0) exact[i] = gate_hash_exact(f.w);
                assert_true(gate_hash_exact(f.w) == exact[i]);
            }
            gate_close(f.w);
        }
    }
}

// ------------------------------------------------------------------------------------------------

static void seed_U1_the_first_turn_comes_and_the_next_after_a_change(void **state)
{
    field f;
    (void)state;
    open_field(&f, 0, 0);
    for (uint32_t i = 0; i < 3; i++) {
        memset(&f.noted[PLAIN], 0, sizeof f.noted[PLAIN]);
        assert_int_equal(gate_run_late(f.w, 0.25), WEFT_OK);  // nothing that `plain` waits for
        assert_int_equal(gate_plain_run(f.w, 0.25), WEFT_OK); // comes unasked
        assert_int_equal(atomic_load(&f.noted[PLAIN].calls), 1);
    }
    gate_close(f.w);
    open_field(&f, 0, 0);
    assert_int_equal(gate_run_go(f.w, 0.25), WEFT_OK);
    assert_int_equal(atomic_load(&f.noted[PLAIN].calls), 1);
    assert_int_equal(gate_run_go(f.w, 0.25), WEFT_OK); // `ring` wrote a
    assert_int_equal(gate_run_go(f.w, 0.25), WEFT_OK);
    assert_int_equal(atomic_load(&f.noted[PLAIN].calls), 2);
    gate_a_edit(f.w);
    assert_int_equal(gate_run_go(f.w, 0.25), WEFT_OK);
    assert_int_equal(atomic_load(&f.noted[PLAIN].calls), 3);
    gate_close(f.w);
}

static void hash_exact_tells_what_is_yet_to_be_seen(void **state)
{
    field f;
    (void)state;
    open_field(&f, 0, 0);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(gate_run_go(f.w, 0.25), WEFT_OK);
    uint64_t seen = gate_hash_exact(f.w);
    gate_a value = *gate_a_get(f.w);
    *gate_a_edit(f.w) = value; // nothing differs but that it was changed
    assert_true(gate_hash_exact(f.w) != seen);
    gate_close(f.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_U1_the_first_turn_comes_and_the_next_after_a_change),
        cmocka_unit_test(hash_exact_tells_what_is_yet_to_be_seen),
        cmocka_unit_test(turns_come_as_in_the_model_with_any_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
