// Writes that the schema does not grant: a system keeps a pointer to its world and edits through
// it. Debug builds assert. Release builds refuse and name the system.
//
// program: quick worlds released
#define _POSIX_C_SOURCE 200809L // support/asserts.h

#include "../../support/asserts.h"
#include "trace.h"
#include "weft_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct lab {
    lab_world *w;
    lab_entity walker;
    lab_entity stone;
    trace trace;
} lab;

static int open_lab(void **state)
{
    static lab l;
    memset(&l, 0, sizeof l);
    l.w = lab_open(&(weft_options){.user = &l.trace});
    if (l.w == NULL) return 1;
    l.walker = lab_walker_spawn(l.w, NULL);
    l.stone = lab_stone_spawn(l.w, NULL);
    *state = &l;
    return !lab_wet_set(l.w, l.walker, (lab_wet){1});
}

static int close_lab(void **state)
{
    lab_close(((lab *)*state)->w);
    return 0;
}

// ---- the writes: each tells whether it was let

static bool edits_a_struct(const lab *l)
{
    return lab_place_edit(l->w, l->walker) != NULL;
}

static bool edits_parallel_arrays(const lab *l)
{
    lab_body_columns body = lab_body_edit(l->w, l->stone);
    return body.mass != NULL || body.force_y != NULL;
}

static bool edits_a_sparse_component(const lab *l)
{
    return lab_wet_edit(l->w, l->walker) != NULL;
}

static bool edits_a_singleton(const lab *l)
{
    return lab_weather_edit(l->w) != NULL;
}

static bool walks_to_write(const lab *l)
{
    lab_headings_iter it = lab_headings_begin(l->w);
    return lab_headings_next(&it);
}

static bool reads_a_world_of_json(const lab *l)
{
    const char text[] = "{}";
    return weft_json_world_read(lab_world_base(l->w), text, sizeof text - 1) != WEFT_BUSY;
}

static bool reads_an_entity_of_json(const lab *l)
{
    const char text[] = "{\"components\": {\"place\": {}}}";
    return weft_json_entity_read(lab_world_base(l->w), l->walker.bits, text, sizeof text - 1) !=
           WEFT_BUSY;
}

typedef struct ungranted {
    bool (*call)(const lab *l);
    const char *words;
} ungranted;

static const ungranted writes[] = {
    {edits_a_struct, "phase 'early' runs, system 'open_day': lab_place_edit has to wait until that "
                     "is over, or the schema grants it to the system"},
    {edits_parallel_arrays, "phase 'early' runs, system 'open_day': lab_body_edit"},
    {edits_a_sparse_component, "phase 'early' runs, system 'open_day': lab_wet_edit"},
    {edits_a_singleton, "phase 'early' runs, system 'open_day': lab_weather_edit"},
    {walks_to_write, "phase 'early' runs, system 'open_day': lab_headings_begin has to wait until "
                     "that is over; a system begins the query with its grant instead"},
    {reads_a_world_of_json, "phase 'early' runs, system 'open_day': weft_json_world_read has"},
    {reads_an_entity_of_json, "phase 'early' runs, system 'open_day': weft_json_entity_read has"},
};
enum { WRITES = sizeof writes / sizeof writes[0] };

typedef struct attempt {
    const lab *l;
    const ungranted *write;
    bool done;
} attempt;

static void try_it(void *context)
{
    attempt *a = (attempt *)context;
    a->done = a->write->call(a->l);
}

static void try_all(void *context)
{
    const lab *l = (const lab *)context;
    for (size_t i = 0; i < WRITES; i++) {
        attempt a = {l, &writes[i], false};
        assert_true(asserts_saying(try_it, &a, writes[i].words));
#ifdef NDEBUG
        try_it(&a);
        assert_false(a.done);
        assert_non_null(strstr(lab_error(l->w), writes[i].words));
#endif
    }
}

static void seed_F10_what_a_kept_pointer_writes_in_a_phase_is_refused(void **state)
{
    lab *l = (lab *)*state;
    for (size_t i = 0; i < WRITES; i++) assert_true(writes[i].call(l));
    l->trace.in_open_day = try_all;
    l->trace.context = l;
    uint64_t hash = lab_hash(l->w);
    assert_int_equal(lab_run_early(l->w, 0.25), WEFT_OK);
    assert_true(lab_hash(l->w) == hash);
    assert_string_equal(l->trace.text, "open_day");
    for (size_t i = 0; i < WRITES; i++) assert_true(writes[i].call(l)); // and not afterwards
}

// An iterator that was begun before a phase is not used in it, whether it writes or reads.
typedef struct kept_iterators {
    const lab *l;
    lab_headings_iter writes;
    lab_gauges_iter reads;
    bool stepped;
} kept_iterators;

static void step_writing(void *context)
{
    kept_iterators *kept = (kept_iterators *)context;
    kept->stepped = lab_headings_next(&kept->writes);
}

static void step_reading(void *context)
{
    kept_iterators *kept = (kept_iterators *)context;
    kept->stepped = lab_gauges_next(&kept->reads);
}

static void step_all(void *context)
{
    static void (*const steps[])(void *) = {step_writing, step_reading};
    kept_iterators *kept = (kept_iterators *)context;
    const char words[] = "phase 'early' runs, system 'open_day': an iterator that was begun before";
    for (size_t i = 0; i < 2; i++) {
        assert_true(asserts_saying(steps[i], kept, words));
#ifdef NDEBUG
        kept->stepped = true;
        steps[i](kept);
        assert_false(kept->stepped);
        assert_non_null(strstr(lab_error(kept->l->w), words));
#endif
    }
}

static void seed_F10_an_iterator_of_the_game_is_refused_in_a_phase(void **state)
{
    lab *l = (lab *)*state;
    kept_iterators kept = {.l = l};
    kept.writes = lab_headings_begin(l->w);
    kept.reads = lab_gauges_begin(l->w);
    l->trace.in_open_day = step_all;
    l->trace.context = &kept;
    assert_int_equal(lab_run_early(l->w, 0.25), WEFT_OK);
    assert_string_equal(l->trace.text, "open_day");
#ifdef NDEBUG
    const bool goes_on = false; // release builds have ended it
#else
    const bool goes_on = true; // only another process has stepped it
#endif
    step_writing(&kept);
    assert_int_equal(kept.stepped, goes_on);
}

static void read_all(void *context)
{
    lab *l = (lab *)context;
    const lab_place *place = lab_place_get(l->w, l->walker);
    assert_non_null(place);
    assert_non_null(lab_body_get(l->w, l->stone).mass);
    assert_non_null(lab_wet_get(l->w, l->walker));
    assert_non_null(lab_weather_get(l->w));
    assert_int_equal(lab_headings_count(l->w), 1);
    assert_true(lab_headings_passes(l->w, l->walker));
}

static void a_kept_pointer_may_read(void **state)
{
    lab *l = (lab *)*state;
    l->trace.in_open_day = read_all;
    l->trace.context = l;
    assert_int_equal(lab_run_early(l->w, 0.25), WEFT_OK);
    assert_string_equal(l->trace.text, "open_day");
    assert_string_equal(lab_error(l->w), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(seed_F10_an_iterator_of_the_game_is_refused_in_a_phase,
                                        open_lab, close_lab),
        cmocka_unit_test_setup_teardown(seed_F10_what_a_kept_pointer_writes_in_a_phase_is_refused,
                                        open_lab, close_lab),
        cmocka_unit_test_setup_teardown(a_kept_pointer_may_read, open_lab, close_lab),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
