// The schedule as a table: a scheduler that uses nothing else runs every system once.
//
// program: quick worlds
#include "colony_schema.h"
#include "lab_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define SYSTEMS_MAX 64u

static const weft_plan *const plans[] = {&lab_world_plan, &colony_world_plan};

#define PLANS (sizeof plans / sizeof plans[0])

// A phase as it runs: who waits for how many, and who may begin.
typedef struct run {
    const weft_plan *plan;
    uint16_t waits_for[SYSTEMS_MAX];
    uint16_t ready[SYSTEMS_MAX];
    uint32_t ready_count;
    bool ended[SYSTEMS_MAX];
    uint32_t end;             // of the segment
    bool begins[SYSTEMS_MAX]; // else it has its turn with the system before it, in one pass
} run;

static uint16_t take(run *r, bool last)
{
    uint32_t at = last ? r->ready_count - 1 : 0;
    uint16_t system = r->ready[at];
    r->ready_count--;
    memmove(&r->ready[at], &r->ready[at + 1], (r->ready_count - at) * sizeof r->ready[0]);
    return system;
}

static void end(run *r, uint16_t system)
{
    const weft_system_plan *s = &r->plan->systems[system];
    assert_false(r->ended[system]);
    r->ended[system] = true;
    for (uint32_t i = system + 1u; i < r->end && !r->begins[i]; i++) r->ended[i] = true;
    for (uint32_t i = 0; i < s->follower_count; i++) {
        uint16_t follower = s->followers[i];
        assert_int_not_equal(r->waits_for[follower], 0);
        r->waits_for[follower]--;
        if (r->waits_for[follower] == 0) r->ready[r->ready_count++] = follower;
    }
}

// `last`: of those that may begin the one that came last; else the one that came first.
static void run_segment(const weft_plan *plan, const weft_segment_plan *segment, bool last)
{
    run r = {.plan = plan, .ready_count = segment->ready_count};
    r.end = segment->first + segment->system_count;
    for (uint32_t i = 0; i < plan->system_count; i++) {
        const weft_system_plan *s = &plan->systems[i];
        r.waits_for[i] = s->waits_for;
        for (uint32_t k = 0; k < s->follower_count; k++) r.begins[s->followers[k]] = true;
    }
    for (uint32_t i = 0; i < segment->ready_count; i++) {
        r.ready[i] = segment->ready[i];
        r.begins[r.ready[i]] = true;
        assert_int_equal(r.waits_for[r.ready[i]], 0);
    }
    while (r.ready_count != 0) end(&r, take(&r, last));
    for (uint32_t i = 0; i < plan->system_count; i++) {
        assert_int_equal(r.ended[i], i - segment->first < segment->system_count);
    }
}

static void every_system_has_its_turn_whoever_goes_first(void **state)
{
    (void)state;
    for (size_t i = 0; i < PLANS; i++) {
        assert_in_range(plans[i]->system_count, 1, SYSTEMS_MAX);
        for (uint32_t s = 0; s < plans[i]->segment_count; s++) {
            run_segment(plans[i], &plans[i]->segments[s], false);
            run_segment(plans[i], &plans[i]->segments[s], true);
        }
    }
}

static void systems_are_numbered_as_they_run_one_by_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < PLANS; i++) {
        const weft_schema *schema = plans[i]->schema;
        assert_int_equal(plans[i]->system_count, schema->system_count);
        assert_in_range(plans[i]->segment_count, schema->phase_count, SYSTEMS_MAX);
        uint16_t next = 0;
        for (uint32_t s = 0; s < plans[i]->segment_count; s++) {
            const weft_segment_plan *segment = &plans[i]->segments[s];
            if (segment->system_count != 0) assert_int_equal(segment->first, next);
            for (; next < segment->first + segment->system_count; next++) {
                uint32_t phase = schema->systems[segment->first].phase;
                assert_int_equal(schema->systems[next].phase, phase);
            }
        }
        assert_int_equal(next, plans[i]->system_count);
    }
}

static void who_waits_for_whom_is_as_the_schema_has_it(void **state)
{
    (void)state;
    const weft_system_plan *systems = lab_world_plan.systems;
    assert_int_equal(systems[LAB_SYSTEM_FIRST].waits_for, 0);
    assert_int_equal(systems[LAB_SYSTEM_FIRST].follower_count, 1);
    assert_int_equal(systems[LAB_SYSTEM_FIRST].followers[0], LAB_SYSTEM_SECOND);
    assert_int_equal(systems[LAB_SYSTEM_WALK].follower_count,
                     2); // which do not wait for each other
    assert_int_equal(systems[LAB_SYSTEM_WALK].followers[0], LAB_SYSTEM_STAND_GUARD);
    assert_int_equal(systems[LAB_SYSTEM_WALK].followers[1], LAB_SYSTEM_RARELY);
    assert_int_equal(systems[LAB_SYSTEM_RARELY].waits_for, 1);
    assert_int_equal(systems[LAB_SYSTEM_RARELY].follower_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_system_has_its_turn_whoever_goes_first),
        cmocka_unit_test(systems_are_numbered_as_they_run_one_by_one),
        cmocka_unit_test(who_waits_for_whom_is_as_the_schema_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
