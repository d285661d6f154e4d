// Sharing: with measured times of work and of waking, more workers are never slower than fewer, and
// no worker is called if waking it costs more than it gains. A phase is simulated as the pool runs
// it: the thread of the game calls helpers one after the other, each arrives after a while, and all
// claim parts until none is left.
//
// program: quick still portable
// flags: hot
#include "fixture.h"

#undef WEFT_SHARE_ALWAYS // what is decided is tried, not how other tests go around it
#include "run/sharing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define PARTS_MAX 64u
#define WORKERS_MAX 16u
#define CALL_NS 2500u // that calling a sleeping thread costs the one that calls
#define CLAIM_NS 60u  // that claiming a part costs

typedef struct machine {
    uint32_t asleep_ns; // until a thread that sleeps has come
    uint32_t awake_ns;  // until one that spins has
    uint32_t spins_ns;  // how long a thread spins before it sleeps
} machine;

typedef struct phase {
    uint32_t parts;
    uint32_t part_ns[PARTS_MAX];
} phase;

// The memory of a team, and until when its helpers had something to do.
typedef struct team {
    weft_sharing sharing;
    uint32_t wake_ns;
    uint64_t now;
    uint64_t worked; // until
} team;

static uint64_t work_of(const phase *p)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->parts; i++) sum += p->part_ns[i];
    return sum;
}

// Runs a phase with so many helpers, which come that late. Returns how long it takes.
static uint64_t shared(const phase *p, uint32_t helpers, uint32_t wake_ns, bool asleep)
{
    uint64_t free_at[WORKERS_MAX] = {0};
    uint64_t end = 0;
    for (uint32_t h = 1; h <= helpers; h++) {
        free_at[0] += asleep ? CALL_NS : CLAIM_NS;
        free_at[h] = free_at[0] + wake_ns;
    }
    for (uint32_t part = 0; part < p->parts; part++) {
        uint32_t first = 0;
        for (uint32_t h = 1; h <= helpers; h++) first = free_at[h] < free_at[first] ? h : first;
        free_at[first] += CLAIM_NS + p->part_ns[part];
        end = free_at[first] > end ? free_at[first] : end;
    }
    return end > free_at[0] ? end : free_at[0];
}

// Runs a phase as a team of so many workers does, and lets it learn.
static uint64_t run(team *t, const machine *m, const phase *p, uint32_t workers)
{
    bool asleep = t->now - t->worked > m->spins_ns;
    uint32_t wake = asleep ? m->asleep_ns : m->awake_ns;
    uint32_t helpers = weft_sharing_helpers(&t->sharing, t->wake_ns, workers - 1);
    if (helpers >= p->parts) helpers = p->parts - 1;
    bool measures = weft_sharing_begin(&t->sharing);
    uint64_t took = work_of(p);
    if (measures) weft_sharing_note(&t->sharing, (uint32_t)took);
    if (helpers == 0) {
        if (t->sharing.work_ns >= WEFT_SHARING_LEAST_NS) {
            t->wake_ns = weft_sharing_came_not(t->wake_ns);
        }
    } else {
        took = shared(p, helpers, wake, asleep);
        t->wake_ns = weft_sharing_came(t->wake_ns, wake);
        t->worked = t->now + took;
    }
    t->now += took;
    return took;
}

// Runs many ticks of one phase, which begin so far apart. Returns how long a tick takes on average
// once the first ones are over.
static double tick_ns(const machine *m, const phase *p, uint32_t workers, uint32_t between_ns)
{
    const uint32_t learns = 100;
    const uint32_t ticks = 2000;
    team t = {.worked = 0};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < learns + ticks; i++) {
        uint64_t took = run(&t, m, p, workers);
        if (i >= learns) sum += took;
        t.now += between_ns;
    }
    return (double)sum / ticks;
}

static phase random_phase(fixture_random *random, uint32_t size)
{
    phase p = {.parts = 1 + fixture_below(random, PARTS_MAX)};
    for (uint32_t i = 0; i < p.parts; i++) p.part_ns[i] = 1 + fixture_below(random, size);
    return p;
}

static const machine machines[] = {
    {5000, 300, 20000},  // a machine of its own
    {50000, 500, 20000}, // a virtual one
};

// One of fewer than eight parts may be most of the work, which helpers that come do not know.
static double worse_at_most(const phase *p)
{
    return p->parts < 8 ? 1.08 : 1.02;
}

static void more_workers_are_never_worse(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 2, 4, 8, 16};
    static const uint32_t gaps[] = {0, 5000, 16000000};
    fixture_random random = {1};
    for (uint32_t round = 0; round < 400; round++) {
        phase p = random_phase(&random, 10u << round % 14);
        const machine *m = &machines[round / 14 % 2];
        double before = 0;
        for (uint32_t i = 0; i < 5; i++) {
            double took = tick_ns(m, &p, counts[i], gaps[round % 3]);
            if (i != 0 && took > before * worse_at_most(&p)) {
                fail_msg("%u workers take %g ns, %u take %g: %u parts, %g ns of work", counts[i],
                         took, counts[i - 1], before, p.parts, (double)work_of(&p));
            }
            before = took;
        }
    }
}

// Much work is shared by all, and where helpers are awake little work is shared too.
static void work_is_shared_where_it_pays(void **state)
{
    (void)state;
    phase p = {.parts = PARTS_MAX};
    for (uint32_t i = 0; i < p.parts; i++) p.part_ns[i] = 100000;
    for (uint32_t i = 0; i < 2; i++) {
        double alone = tick_ns(&machines[i], &p, 1, 16000000);
        assert_true(tick_ns(&machines[i], &p, 2, 16000000) < alone * 0.52);
        assert_true(tick_ns(&machines[i], &p, 16, 16000000) < alone / 13);
        for (uint32_t part = 0; part < p.parts; part++) p.part_ns[part] = 1000;
        assert_true(tick_ns(&machines[i], &p, 2, 5000) < 64000 * 0.6);
        for (uint32_t part = 0; part < p.parts; part++) p.part_ns[part] = 100000;
    }
}

// A system that is called to little work at first is shared soon after it has got more.
static void work_that_grows_is_noticed(void **state)
{
    (void)state;
    phase p = {.parts = PARTS_MAX};
    team t = {.worked = 0};
    for (uint32_t i = 0; i < p.parts; i++) p.part_ns[i] = 10;
    for (uint32_t i = 0; i < 1000; i++) run(&t, &machines[0], &p, 4);
    assert_int_equal(weft_sharing_helpers(&t.sharing, t.wake_ns, 3), 0);
    for (uint32_t i = 0; i < p.parts; i++) p.part_ns[i] = 100000;
    for (uint32_t i = 0; i <= WEFT_SHARING_SHORT_EACH; i++) run(&t, &machines[0], &p, 4);
    assert_int_equal(weft_sharing_helpers(&t.sharing, t.wake_ns, 3), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_workers_are_never_worse),
        cmocka_unit_test(work_is_shared_where_it_pays),
        cmocka_unit_test(work_that_grows_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
