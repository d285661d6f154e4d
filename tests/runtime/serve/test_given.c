// NULL pointers and numbers out of range in calls of weft_insight.h, weft_json.h, weft_reflect.h
// and weft_inspector.h: refused in release builds, asserts in others.
//
// program: worlds released
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "../../support/asserts.h"
#include "desk_test.h"
#include "weft_insight.h"
#include "weft_json.h"
#include "weft_reflect.h"

static desk_world *opened;
static uint64_t clerk; // a handle

static weft_world *base(void)
{
    return desk_world_base(opened);
}

static weft_status sink(void *user, const char *text, size_t bytes)
{
    (void)user, (void)text, (void)bytes;
    return WEFT_OK;
}

// Each returns whether it was refused.
#define STATUS(name, call)                                                                         \
    static bool name(void)                                                                         \
    {                                                                                              \
        return (call) == WEFT_BAD_VALUE;                                                           \
    }
#define TRUTH(name, call)                                                                          \
    static bool name(void)                                                                         \
    {                                                                                              \
        return (call);                                                                             \
    }

static weft_write writes[2];
static weft_write_filter filter;
static weft_write_sum sums[2];
static weft_stop_view view;
static weft_leaf_ref leaf;
static double number;
static const weft_insight none;

STATUS(watch_no_insight, weft_watch(base(), NULL, 100))
STATUS(watch_no_insight_one, weft_watch(base(), NULL, 1))
STATUS(watch_no_world, weft_watch(NULL, &none, 100))
STATUS(watch_nothing, weft_watch(NULL, NULL, 0))
TRUTH(writes_no_path, weft_last_writes(base(), clerk, NULL, writes, 2) == 0)
TRUTH(writes_no_space, weft_last_writes(base(), clerk, "person", NULL, 2) == 0)
TRUTH(writes_no_world, weft_last_writes(NULL, clerk, "person", writes, 2) == 0)
TRUTH(search_no_path, weft_find_writes(base(), clerk, NULL, &filter, writes, 2) == 0)
TRUTH(search_no_filter, weft_find_writes(base(), clerk, "person", NULL, writes, 2) == 0)
TRUTH(search_no_space, weft_find_writes(base(), clerk, "person", &filter, NULL, 2) == 0)
TRUTH(sums_no_path, weft_sum_writes(base(), clerk, NULL, 0, 9, sums, 2) == 0)
TRUTH(sums_no_space, weft_sum_writes(base(), clerk, "person", 0, 9, NULL, 2) == 0)
TRUTH(kept_no_tick, !weft_writes_kept(base(), NULL))
TRUTH(kept_no_world, !weft_writes_kept(NULL, &writes[0].tick))
STATUS(stop_no_text, weft_stop_at(base(), NULL, NULL, NULL))
STATUS(stop_no_world, weft_stop_at(NULL, "event rang", NULL, NULL))
STATUS(see_no_text, weft_stop_see(base(), NULL, &view))
STATUS(see_no_view, weft_stop_see(base(), "event rang", NULL))
STATUS(see_no_world, weft_stop_see(NULL, "event rang", &view))
STATUS(find_no_path, weft_field_find(base(), clerk, NULL, &leaf))
STATUS(find_no_leaf, weft_field_find(base(), clerk, "person.age", NULL))
STATUS(find_no_world, weft_field_find(NULL, clerk, "person.age", &leaf))
STATUS(get_no_path, weft_field_get(base(), clerk, NULL, WEFT_TYPE_F64, &number, 8))
STATUS(get_no_value, weft_field_get(base(), clerk, "person.wealth", WEFT_TYPE_F64, NULL, 8))
STATUS(get_nothing, weft_field_get(base(), clerk, NULL, WEFT_TYPE_F64, NULL, 0))
STATUS(get_no_world, weft_field_get(NULL, clerk, "person.wealth", WEFT_TYPE_F64, &number, 8))
STATUS(set_no_path, weft_field_set(base(), clerk, NULL, WEFT_TYPE_F64, &number, 8))
STATUS(set_no_value, weft_field_set(base(), clerk, "person.wealth", WEFT_TYPE_F64, NULL, 8))
STATUS(set_no_text, weft_field_set(base(), clerk, "person.name", WEFT_TYPE_CHAR, NULL, 0))
STATUS(set_no_world, weft_field_set(NULL, clerk, "person.wealth", WEFT_TYPE_F64, &number, 8))
STATUS(get_number_no_path, weft_field_get_number(base(), clerk, NULL, &number))
STATUS(get_number_no_value, weft_field_get_number(base(), clerk, "person.age", NULL))
STATUS(set_number_no_path, weft_field_set_number(base(), clerk, NULL, 5))
STATUS(set_number_no_world, weft_field_set_number(NULL, clerk, "person.age", 5))
STATUS(add_no_name, weft_component_add_by_name(base(), clerk, NULL))
STATUS(add_no_world, weft_component_add_by_name(NULL, clerk, "tired"))
STATUS(remove_no_name, weft_component_remove_by_name(base(), clerk, NULL))
STATUS(remove_no_world, weft_component_remove_by_name(NULL, clerk, "person"))
TRUTH(has_no_name, !weft_component_has_by_name(base(), clerk, NULL))
TRUTH(has_no_world, !weft_component_has_by_name(NULL, clerk, "person"))
STATUS(copy_no_name, weft_component_get_by_name(base(), clerk, NULL, &number, 8))
STATUS(copy_no_value, weft_component_get_by_name(base(), clerk, "person", NULL, 64))
STATUS(copy_no_bytes, weft_component_get_by_name(base(), clerk, "person", NULL, 0))
STATUS(give_no_name, weft_component_set_by_name(base(), clerk, NULL, &number, 8))
STATUS(give_no_value, weft_component_set_by_name(base(), clerk, "person", NULL, 64))
STATUS(give_no_bytes, weft_component_set_by_name(base(), clerk, "person", NULL, 0))
TRUTH(component_no_name, weft_component_index(desk_schema(), NULL) == -1)
TRUTH(component_no_schema, weft_component_index(NULL, "person") == -1)
TRUTH(index_no_name, weft_index_number(desk_schema(), NULL) == -1)
TRUTH(index_no_schema, weft_index_number(NULL, "x") == -1)
TRUTH(stats_no_name, weft_index_stats_by_name(base(), NULL).bytes == 0)
TRUTH(stats_no_world, weft_index_stats_by_name(NULL, "x").bytes == 0)
STATUS(write_no_sink, weft_json_entity_write(base(), clerk, NULL, NULL))
STATUS(write_no_world, weft_json_entity_write(NULL, clerk, sink, NULL))
STATUS(write_one_no_sink, weft_json_singleton_write(base(), 0, NULL, NULL))
STATUS(write_no_singleton, weft_json_singleton_write(base(), 99, sink, NULL))
STATUS(write_one_no_world, weft_json_singleton_write(NULL, 0, sink, NULL))
STATUS(event_no_sink, weft_json_event_write(base(), 0, &number, NULL, NULL))
STATUS(event_no_value, weft_json_event_write(base(), 0, NULL, sink, NULL))
STATUS(event_no_event, weft_json_event_write(base(), 99, &number, sink, NULL))
STATUS(event_no_world, weft_json_event_write(NULL, 0, &number, sink, NULL))
STATUS(all_no_sink, weft_json_world_write(base(), NULL, NULL))
STATUS(all_no_world, weft_json_world_write(NULL, sink, NULL))
STATUS(read_no_text, weft_json_entity_read(base(), clerk, NULL, 5))
STATUS(read_no_bytes, weft_json_entity_read(base(), clerk, NULL, 0))
STATUS(read_no_world, weft_json_entity_read(NULL, clerk, "{}", 2))
STATUS(judge_no_text, weft_json_entity_judge(base(), NULL, 5))
STATUS(judge_no_world, weft_json_entity_judge(NULL, "{}", 2))
STATUS(read_all_no_text, weft_json_world_read(base(), NULL, 0))
STATUS(read_all_no_world, weft_json_world_read(NULL, "{}", 2))
TRUTH(open_no_world, weft_inspector_open(NULL, NULL) == NULL)
TRUTH(time_of_none, weft_inspector_time(NULL) == NULL)
TRUTH(seconds_of_none, weft_inspector_seconds(NULL, 1) == 0)

static bool log_to_none(void)
{
    weft_inspector_log(NULL, "x");
    return true;
}

static bool log_nothing(void)
{
    weft_inspector *inspector = weft_inspector_open(base(), NULL);
    weft_inspector_log(inspector, NULL);
    weft_inspector_close(inspector);
    return true;
}

static bool answer_of_none(void)
{
    size_t bytes = 9;
    return weft_inspector_answer(NULL, "{}", 2, &bytes) == NULL && bytes == 0;
}

static bool answer_to_nothing(void)
{
    size_t bytes = 9;
    weft_inspector *inspector = weft_inspector_open(base(), NULL);
    bool refused = weft_inspector_answer(inspector, NULL, 5, &bytes) == NULL && bytes == 0;
    weft_inspector_close(inspector);
    return refused;
}

static bool select_no_text(void)
{
    weft_select select = weft_select_begin(base(), NULL);
    bool refused = select.status == WEFT_BAD_VALUE && !weft_select_next(&select) &&
                   weft_select_count(&select) == 0 && weft_select_skip(&select, 5) == 0;
    weft_select_rewind(&select);
    weft_select_end(&select);
    return refused;
}

static bool select_no_world(void)
{
    weft_select select = weft_select_begin(NULL, "person");
    bool refused = select.status == WEFT_BAD_VALUE && !weft_select_next(&select) &&
                   weft_select_count(&select) == 0 && weft_select_skip(&select, 5) == 0;
    weft_select_rewind(&select);
    weft_select_end(&select);
    return refused;
}

#define CASE(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }
static const struct {
    const char *name;
    bool (*refused)(void);
} cases[] = {
    CASE(watch_no_insight),    CASE(watch_no_insight_one), CASE(watch_no_world),
    CASE(watch_nothing),       CASE(writes_no_path),       CASE(writes_no_space),
    CASE(writes_no_world),     CASE(search_no_path),       CASE(search_no_filter),
    CASE(search_no_space),     CASE(sums_no_path),         CASE(sums_no_space),
    CASE(kept_no_tick),        CASE(kept_no_world),        CASE(stop_no_text),
    CASE(stop_no_world),       CASE(see_no_text),          CASE(see_no_view),
    CASE(see_no_world),        CASE(find_no_path),         CASE(find_no_leaf),
    CASE(find_no_world),       CASE(get_no_path),          CASE(get_no_value),
    CASE(get_nothing),         CASE(get_no_world),         CASE(set_no_path),
    CASE(set_no_value),        CASE(set_no_text),          CASE(set_no_world),
    CASE(get_number_no_path),  CASE(get_number_no_value),  CASE(set_number_no_path),
    CASE(set_number_no_world), CASE(add_no_name),          CASE(add_no_world),
    CASE(remove_no_name),      CASE(remove_no_world),      CASE(has_no_name),
    CASE(has_no_world),        CASE(copy_no_name),         CASE(copy_no_value),
    CASE(give_no_name),        CASE(give_no_value),        CASE(component_no_name),
    CASE(component_no_schema), CASE(index_no_name),        CASE(index_no_schema),
    CASE(stats_no_name),       CASE(stats_no_world),       CASE(write_no_sink),
    CASE(write_no_world),      CASE(write_one_no_sink),    CASE(write_no_singleton),
    CASE(write_one_no_world),  CASE(event_no_sink),        CASE(event_no_value),
    CASE(event_no_event),      CASE(event_no_world),       CASE(all_no_sink),
    CASE(all_no_world),        CASE(read_no_text),         CASE(read_no_bytes),
    CASE(read_no_world),       CASE(judge_no_text),        CASE(judge_no_world),
    CASE(read_all_no_text),    CASE(read_all_no_world),    CASE(open_no_world),
    CASE(time_of_none),        CASE(seconds_of_none),      CASE(log_to_none),
    CASE(log_nothing),         CASE(answer_of_none),       CASE(answer_to_nothing),
    CASE(select_no_text),      CASE(select_no_world),
};
#define CASES (sizeof cases / sizeof *cases)

static void open_world(void)
{
    opened = desk_open(NULL);
    desk_clerk value = desk_clerk_defaults();
    clerk = desk_clerk_spawn(opened, &value).bits;
}

static void call_case(void *context)
{
    bool (*const *refused)(void) = (bool (*const *)(void))context;
    (void)(*refused)();
}

static void they_assert_in_debug_builds(void **state)
{
    (void)state;
    open_world();
    for (size_t i = 0; i < CASES; i++) {
        bool (*refused)(void) = cases[i].refused;
        if (!asserts_saying(call_case, &refused, "")) fail_msg("%s", cases[i].name);
    }
    desk_close(opened);
}

// These are wrong, too, but no mistake that asserts: the size does not fit.
static void sizes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    open_world();
    assert_true(copy_no_bytes());
    assert_true(give_no_bytes());
    desk_close(opened);
}

#ifdef NDEBUG
static void they_are_refused_in_release_builds(void **state)
{
    (void)state;
    open_world();
    const uint64_t before = desk_hash_exact(opened);
    for (size_t i = 0; i < CASES; i++) {
        if (!cases[i].refused()) fail_msg("%s", cases[i].name);
        assert_true(desk_hash_exact(opened) == before);
    }
    assert_int_equal(weft_watch(base(), NULL, 5), WEFT_BAD_VALUE);
    assert_string_equal(desk_error(opened), "weft_watch: 'insight' is NULL");
    desk_close(opened);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_assert_in_debug_builds),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
#ifdef NDEBUG
        cmocka_unit_test(they_are_refused_in_release_builds),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
