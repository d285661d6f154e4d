// Events between systems: who hears them and when, which are lost, and what happens to their
// handles.
//
// program: quick worlds byte_order
#define _ISOC11_SOURCE // aligned_alloc

#include "../../support/no_space.h"
#include "post_office.h"
#include "post_run.h"
#include "run/held.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LETTER_MAX 64u // of the schema

// Memory of which the call after `fail_in` more fails, and all that come after it if they are to.
typedef struct failing {
    bool armed;
    bool fail_on;
    uint32_t fail_in;
    size_t bytes;
} failing;

typedef struct post {
    post_world *w;
    post_office office;
    failing memory;
    char said[256]; // by the log hook, at last
} post;

static bool may_have(failing *memory)
{
    if (!memory->armed) return true;
    if (memory->fail_in != 0) {
        memory->fail_in--;
        return true;
    }
    memory->armed = memory->fail_on;
    return false;
}

static void *allocate(void *user, size_t bytes)
{
    failing *memory = (failing *)user;
    if (!may_have(memory)) return NULL;
    memory->bytes += bytes;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void give_back(void *user, void *block, size_t bytes)
{
    if (block) ((failing *)user)->bytes -= bytes;
    free(block);
}

static void note_said(void *user, const char *line)
{
    post *p = (post *)((char *)user - offsetof(post, office));
    strncpy(p->said, line, sizeof p->said - 1);
}

static int open_post(void **state)
{
    static post p;
    memset(&p, 0, sizeof p);
    p.w = post_open(&(weft_options){
        .memory = {allocate, give_back, no_reserve, no_commit, no_release, &p.memory},
        .log = note_said,
        .user = &p.office,
        .profile.count = true,
    });
    *state = &p;
    return p.w == NULL || post_stats(p.w).records_stay;
}

static int close_post(void **state)
{
    post *p = (post *)*state;
    post_close(p->w);
    return p->memory.bytes != 0;
}

static weft_status tick(post *p, double dt)
{
    post_entity companion = p->office.companion;
    p->office = (post_office){.spawn = p->office.spawn, .companion = companion};
    weft_status status = post_tick(p->w, dt);
    post_heard *all[] = {&p->office.early, &p->office.answer, &p->office.late, &p->office.in_vain,
                         &p->office.slow};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) assert_false(all[i]->differed);
    return status;
}

static post_entity author(post *p, uint32_t first, uint32_t letters)
{
    post_entity e = post_spawn(p->w);
    assert_true(post_author_set(p->w, e, (post_author){first, letters}));
    return e;
}

static void write_next(post *p, post_entity e, uint32_t first, uint32_t letters)
{
    assert_true(post_author_set(p->w, e, (post_author){first, letters}));
}

#define ASSERT_HEARD(heard, ...)                                                                   \
    assert_heard(&(heard), (const uint32_t[]){__VA_ARGS__},                                        \
                 sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void assert_heard(const post_heard *heard, const uint32_t *numbers, size_t count)
{
    assert_int_equal(heard->count, count);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(heard->letters[i].number, numbers[i]);
}

// ---- when

static void later_systems_hear_in_the_same_tick_and_earlier_ones_at_their_next_turn(void **state)
{
    post *p = (post *)*state;
    post_entity e = author(p, 1, 2);
    assert_int_equal(tick(p, 0.25), WEFT_OK);
    assert_int_equal(p->office.early.count, 0);
    ASSERT_HEARD(p->office.answer, 1, 2);
    ASSERT_HEARD(p->office.late, 1, 2, 1001, 1002);

    write_next(p, e, 3, 1);
    assert_int_equal(tick(p, 0.25), WEFT_OK);
    ASSERT_HEARD(p->office.early, 1, 2, 1001, 1002);
    ASSERT_HEARD(p->office.answer, 1001, 1002, 3); // its own of the last tick first
    ASSERT_HEARD(p->office.late, 3, 1003);
}

static void events_come_in_the_order_of_the_schedule_and_then_of_rows(void **state)
{
    post *p = (post *)*state;
    author(p, 10, 2);
    author(p, 20, 1);
    assert_true(post_famous_set(p->w, author(p, 30, 2), (post_famous){1}));
    assert_int_equal(tick(p, 0.25), WEFT_OK);
    ASSERT_HEARD(p->office.late, 10, 11, 20, 30, 31, 1010, 1011, 1020, 1030, 1031);
}

static void a_slow_system_hears_all_since_its_last_turn_once(void **state)
{
    post *p = (post *)*state;
    post_entity e = author(p, 1, 1);
    assert_int_equal(tick(p, 0.5), WEFT_OK);
    assert_int_equal(p->office.slow.calls, 0);
    write_next(p, e, 2, 1);
    assert_int_equal(tick(p, 0.5), WEFT_OK);
    ASSERT_HEARD(p->office.slow, 1, 1001, 2, 1002);
    write_next(p, e, 3, 0);
    assert_int_equal(tick(p, 1), WEFT_OK);
    assert_int_equal(p->office.slow.calls, 1);
    assert_int_equal(p->office.slow.count, 0);
}

static void all_calls_of_a_turn_hear_the_same(void **state)
{
    post *p = (post *)*state;
    author(p, 1, 2);
    assert_true(post_famous_set(p->w, author(p, 3, 1), (post_famous){1}));
    assert_int_equal(tick(p, 1), WEFT_OK); // which also looks whether they differed
    assert_int_equal(p->office.slow.calls, 2);
    ASSERT_HEARD(p->office.slow, 1, 2, 3, 1001, 1002, 1003);
}

static void a_turn_without_rows_hears_too(void **state)
{
    post *p = (post *)*state;
    post_entity e = author(p, 1, 3);
    assert_int_equal(tick(p, 1), WEFT_OK);
    assert_int_equal(p->office.in_vain.calls, 0);
    write_next(p, e, 4, 0);
    assert_true(post_nobody_set(p->w, post_spawn(p->w), (post_nobody){0}));
    assert_int_equal(tick(p, 1), WEFT_OK);
    assert_int_equal(p->office.in_vain.calls, 1);
    assert_int_equal(p->office.in_vain.count, 0);
}

static void a_phase_alone_sends_to_the_next(void **state)
{
    post *p = (post *)*state;
    author(p, 5, 1);
    assert_int_equal(post_run_morning(p->w, 1), WEFT_OK);
    assert_int_equal(p->office.slow.calls, 0);
    assert_int_equal(post_run_evening(p->w, 1), WEFT_OK);
    ASSERT_HEARD(p->office.slow, 5, 1005);
}

// ---- against a model

typedef struct queue {
    uint32_t numbers[POST_LETTERS];
    uint32_t count;
} queue;

enum { EARLY, ANSWER, LATE, IN_VAIN, SLOW, READERS };

typedef struct model {
    queue queues[READERS];
    uint64_t lost;
} model;

// Every reader is to hear it, as long as none has LETTER_MAX to hear.
static void model_send(model *m, const queue *sent)
{
    uint32_t most = 0;
    for (size_t i = 0; i < READERS; i++) {
        if (m->queues[i].count > most) most = m->queues[i].count;
    }
    uint32_t taken = sent->count < LETTER_MAX - most ? sent->count : LETTER_MAX - most;
    for (size_t i = 0; i < READERS; i++) {
        queue *q = &m->queues[i];
        memcpy(q->numbers + q->count, sent->numbers, taken * sizeof sent->numbers[0]);
        q->count += taken;
    }
    m->lost += sent->count - taken;
}

static void model_hear(queue *q, const post_heard *heard)
{
    assert_heard(heard, q->numbers, q->count);
    q->count = 0;
}

static void model_tick(model *m, const post_office *office, const queue *written)
{
    queue answers = {.count = 0};
    model_hear(&m->queues[EARLY], &office->early);
    model_send(m, written);
    for (uint32_t i = 0; i < m->queues[ANSWER].count; i++) {
        uint32_t number = m->queues[ANSWER].numbers[i];
        if (number < 1000) answers.numbers[answers.count++] = number + 1000;
    }
    model_hear(&m->queues[ANSWER], &office->answer);
    model_send(m, &answers);
    model_hear(&m->queues[LATE], &office->late);
    model_hear(&m->queues[IN_VAIN], &office->in_vain);
    if (office->slow.calls != 0) model_hear(&m->queues[SLOW], &office->slow);
}

static uint32_t below(uint64_t *random, uint32_t bound)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*random >> 33) % bound);
}

static void every_reader_hears_everything_once_at_whatever_rates(void **state)
{
    post *p = (post *)*state;
    uint64_t random = 1;
    static model m;
    m = (model){.lost = 0};
    post_entity authors[] = {author(p, 0, 0), author(p, 0, 0)};
    assert_true(post_nobody_set(p->w, post_spawn(p->w), (post_nobody){0}));
    uint32_t full = 0;
    for (uint32_t turn = 0; turn < 20000; turn++) {
        queue written = {.count = 0};
        uint64_t lost = m.lost;
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t first = below(&random, 900);
            uint32_t letters = below(&random, 8) != 0 ? below(&random, 4) : below(&random, 50);
            for (uint32_t k = 0; k < letters; k++) written.numbers[written.count++] = first + k;
            write_next(p, authors[i], first, letters);
        }
        weft_status status = tick(p, 0.125 * below(&random, 4));
        model_tick(&m, &p->office, &written);
        assert_int_equal(status, m.lost == lost ? WEFT_OK : WEFT_FULL);
        assert_int_equal(post_stats(p->w).events_lost, m.lost);
        full += status == WEFT_FULL;
    }
    assert_in_range(full, 1000, 19000);
}

// ---- capacity

static void what_passes_max_is_lost_counted_and_said(void **state)
{
    post *p = (post *)*state;
    author(p, 1, LETTER_MAX - 1);
    assert_int_equal(tick(p, 0), WEFT_FULL);
    assert_int_equal(p->office.late.count, LETTER_MAX);
    assert_int_equal(p->office.late.letters[LETTER_MAX - 1].number, 1001);
    assert_int_equal(post_stats(p->w).events_lost, LETTER_MAX - 2);
    assert_string_equal(p->said, "no room: 62 of the event letter lost, since 64 are unread; "
                                 "system early has still to hear all of them");
    assert_string_equal(post_error(p->w), p->said);
    assert_int_equal(tick(p, 1), WEFT_FULL); // both what is written and what is answered
    assert_int_equal(p->office.slow.count, LETTER_MAX);
    assert_int_equal(tick(p, 1), WEFT_FULL); // only what is answered
    assert_int_equal(post_stats(p->w).events_lost,
                     LETTER_MAX - 2 + LETTER_MAX - 1 + LETTER_MAX - 2);
}

// Returns what the profiler has counted of a system.
static uint64_t emitted(const post *p, uint32_t system)
{
    return post_system_stats(p->w, system).events;
}

static void what_is_lost_was_emitted_too(void **state)
{
    post *p = (post *)*state;
    author(p, 100, 10 * LETTER_MAX);
    assert_int_equal(tick(p, 1), WEFT_FULL);
    assert_int_equal(emitted(p, POST_SYSTEM_WRITE), 10 * LETTER_MAX); // no memo, as nobody hears it
    assert_int_equal(emitted(p, POST_SYSTEM_ANSWER), LETTER_MAX);
    assert_int_equal(emitted(p, POST_SYSTEM_LATE), 0);
}

// What is emitted while a system is held passes it by.
static void a_system_that_was_held_hears_nothing_of_before(void **state)
{
    post *p = (post *)*state;
    weft_world *base = post_world_base(p->w);
    author(p, 1, 3);
    assert_int_equal(tick(p, 0), WEFT_OK);
    const uint32_t early = p->office.early.count;
    assert_int_equal(tick(p, 0), WEFT_OK);
    const uint32_t once = p->office.early.count; // what was emitted after it in the tick before
    assert_true(early == 0 && once > 0);
    assert_true(weft_system_hold(base, POST_SYSTEM_EARLY, true));
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(tick(p, 0), WEFT_OK);
    assert_int_equal(p->office.early.calls, 0);
    assert_true(weft_system_hold(base, POST_SYSTEM_EARLY, false));
    assert_int_equal(tick(p, 0), WEFT_OK);
    assert_int_equal(p->office.early.count, once);
}

static void a_system_alone_may_pass_max(void **state)
{
    post *p = (post *)*state;
    post_entity e = author(p, 100, 10 * LETTER_MAX);
    assert_int_equal(tick(p, 1), WEFT_FULL);
    assert_int_equal(p->office.answer.count, LETTER_MAX);
    assert_int_equal(p->office.answer.letters[LETTER_MAX - 1].number, 100 + LETTER_MAX - 1);
    assert_int_equal(post_stats(p->w).events_lost, 9 * LETTER_MAX + LETTER_MAX);
    write_next(p, e, 0, 0);
    assert_int_equal(tick(p, 1), WEFT_OK);
    assert_int_equal(tick(p, 1), WEFT_OK);
}

static void memory_is_bounded_by_who_has_still_to_hear(void **state)
{
    post *p = (post *)*state;
    author(p, 1, 5);
    for (uint32_t i = 0; i < 8; i++) assert_int_equal(tick(p, 0.5), WEFT_OK);
    size_t bytes = post_stats(p->w).bytes_allocated;
    for (uint32_t i = 0; i < 1000; i++) assert_int_equal(tick(p, 0.5), WEFT_OK);
    assert_int_equal(post_stats(p->w).bytes_allocated, bytes);
}

static void what_nobody_hears_takes_no_memory(void **state)
{
    post *p = (post *)*state;
    author(p, 1, 0);
    assert_int_equal(tick(p, 1), WEFT_OK);
    size_t bytes = post_stats(p->w).bytes_allocated;
    for (uint32_t i = 0; i < 100; i++) assert_int_equal(tick(p, 1), WEFT_OK);
    assert_int_equal(post_stats(p->w).bytes_allocated, bytes);
}

static uint64_t reached(const post *p)
{
    return p->office.late.count + post_stats(p->w).events_lost;
}

static void without_memory_events_are_lost_and_counted(void **state)
{
    (void)state;
    uint32_t failures = 0;
    for (uint32_t fail_in = 0; fail_in < 40; fail_in++) {
        void *fresh;
        assert_int_equal(open_post(&fresh), 0);
        post *p = (post *)fresh;
        post_entity e = author(p, 1, 20);
        p->memory.armed = true;
        p->memory.fail_in = fail_in / 2;
        p->memory.fail_on = fail_in % 2 != 0;
        weft_status status = tick(p, 0.25);
        bool failed = !p->memory.armed || (p->memory.fail_on && p->memory.fail_in == 0);
        p->memory.armed = false;
        if (post_stats(p->w).events_lost != 0) {
            failures++;
            assert_true(failed);
            assert_int_equal(status, WEFT_NO_MEMORY);
            assert_memory_equal(p->said, "no memory: ", strlen("no memory: "));
        } else {
            assert_int_equal(status, WEFT_OK);
        }
        assert_true(reached(p) >= 20 && reached(p) <= 40);
        write_next(p, e, 50, 1);
        assert_int_equal(tick(p, 0.25), WEFT_OK);
        assert_int_equal(p->office.late.letters[p->office.late.count - 1].number, 1050);
        assert_int_equal(close_post(&fresh), 0);
    }
    assert_in_range(failures, 3, 30);
}

// ---- handles

static void a_handle_of_a_spawn_command_is_alive_for_who_hears_it_later(void **state)
{
    post *p = (post *)*state;
    p->office.spawn = true;
    author(p, 1, 2);
    assert_int_equal(tick(p, 0.5), WEFT_OK);
    const post_letter *now = &p->office.late.letters[0];
    assert_true(post_same(now->about.items[0], p->office.companion));
    assert_true(post_alive(p->w, now->about.items[0])); // from the end of the phase on
    p->office.spawn = false;
    assert_int_equal(tick(p, 0.5), WEFT_OK);
    assert_int_equal(p->office.slow.count, 8);
    for (uint32_t i = 0; i < 4; i++) {
        const post_letter *letter = &p->office.slow.letters[i];
        assert_int_equal(letter->about.count, 1);
        assert_true(post_alive(p->w, letter->about.items[0]));
        assert_true(post_same(letter->about.items[0], p->office.early.letters[i].about.items[0]));
        assert_true(post_alive(p->w, letter->from));
    }
}

static void a_spawn_that_finds_no_space_gives_none(void **state)
{
    post *p = (post *)*state;
    author(p, 1, 1);
    while (!post_is_none(post_spawn(p->w))) {
    }
    p->office.spawn = true;
    assert_int_equal(tick(p, 0.5), WEFT_FULL);
    assert_int_equal(post_stats(p->w).events_lost, 0);
    p->office.spawn = false;
    assert_int_equal(tick(p, 0.5), WEFT_OK);
    assert_int_equal(p->office.slow.letters[0].about.count, 1);
    assert_true(post_is_none(p->office.slow.letters[0].about.items[0]));
    assert_true(post_alive(p->w, p->office.slow.letters[0].from));
}

static void recycling_forgets_the_dead_in_events(void **state)
{
    post *p = (post *)*state;
    post_entity living = author(p, 1, 1);
    post_entity gone = author(p, 2, 1);
    assert_int_equal(tick(p, 0.5), WEFT_OK);
    assert_true(post_despawn(p->w, gone));
    post_recycle(p->w);
    write_next(p, living, 3, 0);
    assert_int_equal(tick(p, 0.5), WEFT_OK);
    ASSERT_HEARD(p->office.slow, 1, 2, 1001, 1002);
    for (uint32_t i = 0; i < 4; i++) {
        post_entity from = p->office.slow.letters[i].from;
        assert_true(i % 2 == 0 ? post_same(from, living) : post_is_none(from));
    }
}

// ---- hashes and reflection

static void unread_events_are_part_of_the_state(void **state)
{
    post *p = (post *)*state;
    post_entity e = author(p, 1, 0);
    assert_int_equal(tick(p, 0), WEFT_OK);
    uint64_t quiet = post_hash(p->w);
    uint64_t exact = post_hash_exact(p->w);
    write_next(p, e, 1, 1);
    assert_int_equal(tick(p, 0), WEFT_OK);
    write_next(p, e, 1, 0);
    uint64_t unread = post_hash(p->w);
    assert_true(unread != quiet);
    assert_int_equal(tick(p, 0), WEFT_OK); // all but the slow one have heard
    uint64_t by_slow_only = post_hash(p->w);
    assert_true(by_slow_only != unread && by_slow_only != quiet);
    assert_int_equal(tick(p, 1), WEFT_OK);
    assert_true(post_hash(p->w) == quiet);
    assert_true(post_hash_exact(p->w) != exact); // more ticks are done
}

static void the_hash_tells_values_and_their_order(void **state)
{
    uint64_t hashes[3];
    const uint32_t firsts[3][2] = {{1, 2}, {2, 1}, {1, 2}};
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        void *fresh;
        assert_int_equal(open_post(&fresh), 0);
        post *p = (post *)fresh;
        post_entity one = author(p, firsts[i][0], 1);
        post_entity other = author(p, firsts[i][1], 1);
        assert_int_equal(tick(p, 0), WEFT_OK);
        write_next(p, one, 0, 0);
        write_next(p, other, 0, 0);
        hashes[i] = post_hash(p->w);
        assert_int_equal(close_post(&fresh), 0);
    }
    assert_true(hashes[0] != hashes[1]);
    assert_true(hashes[0] == hashes[2]);
}

static uint32_t count_access(const weft_system_info *system, weft_access_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < system->access_count; i++) count += system->access[i].kind == kind;
    return count;
}

static void reflection_says_what_events_there_are_and_who_has_to_do_with_them(void **state)
{
    (void)state;
    const weft_schema *schema = post_schema();
    assert_int_equal(schema->event_count, 3);
    const weft_event_info *letter = &schema->events[1];
    assert_string_equal(letter->name, "letter");
    assert_string_equal(letter->doc, "A letter is written, and answered.");
    assert_int_equal(letter->max, LETTER_MAX);
    assert_int_equal(letter->size, sizeof(post_letter));
    assert_int_equal(letter->field_count, 3);
    assert_string_equal(letter->fields[0].name, "number");
    assert_int_equal(((const post_letter *)letter->defaults)->number, 7);
    uint32_t emits = 0;
    uint32_t hears = 0;
    for (uint32_t i = 0; i < schema->system_count; i++) {
        emits += count_access(&schema->systems[i], WEFT_ACCESS_EMITS);
        hears += count_access(&schema->systems[i], WEFT_ACCESS_HEARS);
    }
    assert_int_equal(emits, 3);
    assert_int_equal(hears, 8);
}

#define WITH_POST(test) cmocka_unit_test_setup_teardown(test, open_post, close_post)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_POST(later_systems_hear_in_the_same_tick_and_earlier_ones_at_their_next_turn),
        WITH_POST(events_come_in_the_order_of_the_schedule_and_then_of_rows),
        WITH_POST(a_slow_system_hears_all_since_its_last_turn_once),
        WITH_POST(all_calls_of_a_turn_hear_the_same),
        WITH_POST(a_turn_without_rows_hears_too),
        WITH_POST(a_phase_alone_sends_to_the_next),
        WITH_POST(every_reader_hears_everything_once_at_whatever_rates),
        WITH_POST(what_passes_max_is_lost_counted_and_said),
        WITH_POST(what_is_lost_was_emitted_too),
        WITH_POST(a_system_that_was_held_hears_nothing_of_before),
        WITH_POST(a_system_alone_may_pass_max),
        WITH_POST(memory_is_bounded_by_who_has_still_to_hear),
        WITH_POST(what_nobody_hears_takes_no_memory),
        cmocka_unit_test(without_memory_events_are_lost_and_counted),
        WITH_POST(a_handle_of_a_spawn_command_is_alive_for_who_hears_it_later),
        WITH_POST(a_spawn_that_finds_no_space_gives_none),
        WITH_POST(recycling_forgets_the_dead_in_events),
        WITH_POST(unread_events_are_part_of_the_state),
        cmocka_unit_test(the_hash_tells_values_and_their_order),
        cmocka_unit_test(reflection_says_what_events_there_are_and_who_has_to_do_with_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
