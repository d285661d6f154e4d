// Workers: the results are equal to the bit for any number of workers, on any thread.
//
// program: worlds optimised threads
#define _DEFAULT_SOURCE // support/hook_memory.h
#include "../../support/hook_memory.h"
#include "../../support/no_space.h"
#include "../../support/sanitizers.h"
#include "crew.h"

#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// These rows are so many that all parallel systems are cut, also those that write change bits or
// tags. Where every change moves the whole world only the other systems are cut, since the time
// grows with the square of the rows. With sanitizers there are fewer ticks.
#if defined(WEFT_HARD)
enum { HANDS = 900, MATES = 500, TICKS = 10 };
#elif WITH_THREAD_SANITIZER || WITH_ADDRESS_SANITIZER || defined(SLOW_MACHINE)
enum { HANDS = 9000, MATES = 5000, TICKS = 10 };
#else
enum { HANDS = 9000, MATES = 5000, TICKS = 30 };
#endif

enum { RUNS = 5 };

// Memory that ends after so many calls for it, whatever thread makes them.
static atomic_int calls_left;
static atomic_size_t bytes_held;

static void *allocate(void *user, size_t bytes)
{
    (void)user;
    if (atomic_fetch_sub(&calls_left, 1) <= 0) return NULL;
    atomic_fetch_add(&bytes_held, bytes);
    return block_allocate(bytes);
}

static void give_back(void *user, void *block, size_t bytes)
{
    (void)user;
    atomic_fetch_sub(&bytes_held, bytes);
    block_free(block);
}

static const weft_memory short_memory = {allocate,  give_back,  no_reserve,
                                         no_commit, no_release, NULL};

static uint32_t expected_state[HANDS];
static float expected_x[HANDS];

static const uint32_t workers[RUNS] = {0, 1, 2, 4, 8};

static crew_world *open_crew(const weft_options *options)
{
    crew_world *w = crew_open(options);
    assert_non_null(w);
    crew_hand hand = crew_hand_defaults();
    crew_mate mate = crew_mate_defaults();
    for (uint32_t i = 0; i < HANDS; i++) {
        hand.dice.state = i * 2654435761u;
        crew_entity e = crew_hand_spawn(w, &hand);
        if (i % 3 == 0) crew_fever_set(w, e, (crew_fever){i});
    }
    for (uint32_t i = 0; i < MATES; i++) {
        mate.dice.state = i * 40503u;
        crew_mate_spawn(w, &mate);
    }
    return w;
}

// The outcome of each tick. The handles were given to spawn commands, and kept by the game.
typedef struct course {
    crew_entity born[TICKS];
    uint64_t exact[TICKS];
    weft_status status[TICKS];
    uint32_t alive; // of the handles, tick by tick
    weft_stats stats;
} course;

static course *run(const weft_options *options)
{
    course *c = (course *)calloc(1, sizeof *c);
    crew_world *w = open_crew(options);
    for (uint32_t i = 0; i < TICKS; i++) {
        c->status[i] = crew_tick(w, 0.25);
        c->exact[i] = crew_hash_exact(w);
        c->born[i] = crew_tally_get(w)->born[i % 8];
        for (uint32_t k = 0; k <= i; k++) c->alive += crew_alive(w, c->born[k]);
    }
    c->stats = crew_stats(w);
    crew_close(w);
    return c;
}

static void assert_same_course(const course *one, const course *other)
{
    for (uint32_t i = 0; i < TICKS; i++) {
        assert_int_equal(one->status[i], other->status[i]);
        assert_int_equal(one->exact[i], other->exact[i]);
        assert_true(crew_same(one->born[i], other->born[i]));
    }
    assert_int_equal(one->stats.commands_dropped, other->stats.commands_dropped);
    assert_int_equal(one->stats.commands_lost, other->stats.commands_lost);
    assert_int_equal(one->stats.entities, other->stats.entities);
    assert_int_equal(one->alive, other->alive);
}

static void compare_with_one(const weft_options *options)
{
    course *alone = run(NULL);
    course *other = run(options);
    assert_same_course(alone, other);
    free(alone);
    free(other);
}

// ------------------------------------------------------------------------------------------------
// The world's own threads

static void seed_F12_systems_of_a_phase_run_in_parallel_to_the_same_end(void **state)
{
    (void)state;
    course *alone = run(NULL);
    assert_int_equal(alone->stats.workers, 1);
    assert_in_range(alone->stats.entities, HANDS / 2, 60000);
    assert_true(alone->alive > TICKS);
    assert_true(alone->stats.commands_dropped > 100); // which many parts had a share in
    for (uint32_t i = 0; i < RUNS; i++) {
        course *other = run(&(weft_options){.workers = workers[i]});
        assert_int_equal(other->stats.workers, workers[i] < 2 ? 1 : workers[i]);
        assert_same_course(alone, other);
        free(other);
    }
    free(alone);
}

static void workers_are_no_more_than_their_limit(void **state)
{
    (void)state;
    crew_world *w = crew_open(&(weft_options){.workers = 1000});
    assert_int_equal(crew_stats(w).workers, 64);
    assert_int_equal(crew_tick(w, 0.25), WEFT_OK); // there are no entities
    crew_close(w);
}

static void phases_run_by_themselves_too(void **state)
{
    (void)state;
    crew_world *alone = open_crew(NULL);
    crew_world *other = open_crew(&(weft_options){.workers = 3});
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(crew_run_act(alone, 0.25), crew_run_act(other, 0.25));
        assert_int_equal(crew_run_think(alone, 0.25), crew_run_think(other, 0.25));
        assert_int_equal(crew_hash_exact(alone), crew_hash_exact(other));
    }
    crew_close(alone);
    crew_close(other);
}

// Each entity that has dice rolls them once, each that can walk walks once, and no other does.
static void seed_C3_rows_are_walked_once_by_several_threads(void **state)
{
    (void)state;
    crew_world *w = open_crew(&(weft_options){.workers = 4});
    for (uint32_t round = 0; round < 10; round++) {
        crew_walkers_iter it = crew_walkers_begin(w);
        for (uint32_t n = 0; crew_walkers_next(&it);) {
            for (uint32_t i = 0; i < it.count; i++, n++) {
                expected_state[n] = it.dice[i].state * 1664525u + 1013904223u;
                expected_x[n] = it.place[i].x + (crew_walkers_busy_has(&it, i) ? 0.0f : 0.25f);
            }
        }
        assert_int_equal(crew_run_think(w, 0.25), WEFT_OK);
        it = crew_walkers_begin(w);
        uint32_t n = 0;
        while (crew_walkers_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++, n++) {
                assert_int_equal(it.dice[i].state, expected_state[n]);
                assert_true(it.place[i].x == expected_x[n]);
            }
        }
        assert_int_equal(n, HANDS);
    }
    crew_close(w);
}

static void seed_C6_entities_and_components_come_from_workers(void **state)
{
    (void)state;
    crew_world *w = open_crew(&(weft_options){.workers = 4});
    uint32_t before = crew_stats(w).indices;
    assert_int_equal(crew_run_think(w, 0.25), WEFT_OK);
    assert_int_equal(crew_run_act(w, 0.25), WEFT_OK);
    assert_true(crew_stats(w).indices > before);
    crew_close(w);
}

static void *be_refused(void *world)
{
    crew_take_over((crew_world *)world);
    crew_dice_set((crew_world *)world, (crew_entity){0}, (crew_dice){0});
    return NULL;
}

// The loss is reported under the world's lock, which is free for other threads afterwards.
static void parts_that_find_no_memory_for_tags_lose_them(void **state)
{
    (void)state;
    atomic_store(&calls_left, INT_MAX);
    crew_world *w = open_crew(&(weft_options){.workers = 4, .memory = short_memory});
    atomic_store(&calls_left, 0);
    assert_int_equal(crew_run_think(w, 0.25), WEFT_NO_MEMORY);
    atomic_store(&calls_left, INT_MAX);
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, be_refused, w), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    crew_take_over(w);
    assert_in_range(crew_stats(w).commands_lost, 1, HANDS + MATES);
    assert_int_equal(crew_run_think(w, 0.25), WEFT_OK);
    crew_close(w);
}

// Every call for memory fails in turn, those for threads and lists of the schedule too.
static void a_world_with_workers_opens_whole_or_not_at_all(void **state)
{
    (void)state;
    crew_world *w = NULL;
    int calls = 0;
    for (; !w; calls++) {
        atomic_store(&calls_left, calls);
        w = crew_open(&(weft_options){.workers = 4, .memory = short_memory});
        if (!w) assert_int_equal(atomic_load(&bytes_held), 0);
    }
    assert_true(calls > 5);
    crew_close(w);
    assert_int_equal(atomic_load(&bytes_held), 0);
}

// ------------------------------------------------------------------------------------------------
// The game's job system

enum { THREADS_MAX = 4096 };

// A thread a job.
typedef struct threads {
    pthread_mutex_t lock;
    pthread_t of[THREADS_MAX];
    uint32_t count;
    uint32_t started;
} threads;

typedef struct task {
    void (*job)(void *argument);
    void *argument;
} task;

static void *thread_main(void *argument)
{
    task t = *(task *)argument;
    free(argument);
    t.job(t.argument);
    return NULL;
}

static void start_threads(void *user, uint32_t count, void (*job)(void *argument), void *argument)
{
    threads *t = (threads *)user;
    pthread_mutex_lock(&t->lock);
    for (uint32_t i = 0; i < count; i++) {
        task *one = (task *)malloc(sizeof *one);
        *one = (task){job, argument};
        if (pthread_create(&t->of[t->count++], NULL, thread_main, one) != 0) abort();
        t->started++;
    }
    pthread_mutex_unlock(&t->lock);
}

static void join_threads(void *user)
{
    threads *t = (threads *)user;
    pthread_mutex_lock(&t->lock);
    while (t->count != 0) {
        pthread_t last = t->of[--t->count];
        pthread_mutex_unlock(&t->lock);
        pthread_join(last, NULL);
        pthread_mutex_lock(&t->lock);
    }
    pthread_mutex_unlock(&t->lock);
}

// Short phases are shared only at first, unless all are.
#ifdef WEFT_SHARE_ALWAYS
#define SHARED_LEAST TICKS
#else
#define SHARED_LEAST 0
#endif

static void a_game_brings_its_own_threads(void **state)
{
    (void)state;
    threads t = {.count = 0};
    pthread_mutex_init(&t.lock, NULL);
    compare_with_one(&(weft_options){.workers = 3, .executor = {start_threads, join_threads, &t}});
    assert_true(t.started > SHARED_LEAST);
    pthread_mutex_destroy(&t.lock);
}

// An executor that does nothing before a thread waits, and then does all of it in that one.
typedef struct queue {
    task tasks[THREADS_MAX];
    uint32_t count;
    uint32_t done;
} queue;

static void postpone(void *user, uint32_t count, void (*job)(void *argument), void *argument)
{
    queue *q = (queue *)user;
    for (uint32_t i = 0; i < count; i++) q->tasks[q->count++] = (task){job, argument};
}

static void catch_up(void *user)
{
    queue *q = (queue *)user;
    while (q->count != 0) {
        task t = q->tasks[--q->count];
        t.job(t.argument);
        q->done++;
    }
}

static void a_lazy_executor_comes_to_the_same(void **state)
{
    (void)state;
    queue q = {.count = 0};
    compare_with_one(&(weft_options){.workers = 4, .executor = {postpone, catch_up, &q}});
    assert_true(q.done > SHARED_LEAST);
}

// A thread that asks for as long as it is told to. The first handles live to the end.
typedef struct asker {
    crew_world *w;
    crew_entity lasting;
    crew_entity gone;
    atomic_uint_fast64_t newest;
    atomic_bool ends;
    uint64_t asked;
    uint64_t wrong;
} asker;

static void *ask_who_is_alive(void *argument)
{
    asker *a = argument;
    while (!a->ends || a->asked == 0) {
        crew_entity newest = {(uint32_t)a->newest};
        if (!crew_alive(a->w, a->lasting) || crew_alive(a->w, a->gone)) a->wrong++;
        a->asked += crew_alive(a->w, newest) ? 2 : 1;
    }
    return NULL;
}

// No table has space reserved for all that comes, so columns move meanwhile; records do not where
// there are addresses to reserve. Elsewhere nothing may be spawned while another thread asks.
static void seed_H2_any_thread_asks_while_the_world_spawns_and_ticks(void **state)
{
    (void)state;
    crew_world *w = open_crew(&(weft_options){.workers = 2});
    bool stay = crew_stats(w).records_stay;
    assert_int_equal(stay, SIZE_MAX > UINT32_MAX);
    asker a = {.w = w, .lasting = crew_mate_spawn(w, NULL), .gone = crew_mate_spawn(w, NULL)};
    assert_true(crew_despawn(w, a.gone));
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ask_who_is_alive, &a), 0);
    for (uint32_t round = 0; stay && round < 4; round++) {
        crew_entity e[200];
        for (uint32_t i = 0; i < 200; i++) {
            e[i] = crew_hand_spawn(w, NULL);
            a.newest = e[i].bits;
        }
        for (uint32_t i = 0; i < 100; i++) assert_true(crew_despawn(w, e[2 * i]));
        crew_mate_spawn_many(w, 100, NULL, e);
        crew_cmd_despawn(crew_commands(w), e[0]);
        assert_int_equal(crew_tick(w, 0.25), WEFT_OK);
    }
    a.ends = true;
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(a.wrong, 0);
    crew_close(w);
}

// Entities end there, by calls and by commands, since that moves no record.
static void seed_H2_any_thread_asks_where_records_move_while_entities_end(void **state)
{
    (void)state;
    enum { MADE = 400 };
    calls_left = INT_MAX;
    crew_world *w = open_crew(&(weft_options){.memory = short_memory});
    assert_false(crew_stats(w).records_stay);
    crew_entity e[MADE];
    for (uint32_t i = 0; i < MADE; i++) e[i] = crew_hand_spawn(w, NULL);
    asker a = {.w = w, .lasting = crew_mate_spawn(w, NULL), .gone = crew_mate_spawn(w, NULL)};
    assert_true(crew_despawn(w, a.gone));
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ask_who_is_alive, &a), 0);
    for (uint32_t i = 0; i < MADE; i += 2) {
        a.newest = e[i + 1].bits;
        assert_true(crew_despawn(w, e[i]));
        crew_cmd_despawn(crew_commands(w), e[i + 1]);
        assert_int_equal(crew_flush(w), WEFT_OK);
    }
    a.ends = true;
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(a.wrong, 0);
    for (uint32_t i = 0; i < MADE; i++) assert_false(crew_alive(w, e[i]));
    crew_close(w);
    assert_int_equal(bytes_held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_F12_systems_of_a_phase_run_in_parallel_to_the_same_end),
        cmocka_unit_test(workers_are_no_more_than_their_limit),
        cmocka_unit_test(phases_run_by_themselves_too),
        cmocka_unit_test(seed_C3_rows_are_walked_once_by_several_threads),
        cmocka_unit_test(seed_C6_entities_and_components_come_from_workers),
        cmocka_unit_test(parts_that_find_no_memory_for_tags_lose_them),
        cmocka_unit_test(a_world_with_workers_opens_whole_or_not_at_all),
        cmocka_unit_test(a_game_brings_its_own_threads),
        cmocka_unit_test(a_lazy_executor_comes_to_the_same),
        cmocka_unit_test(seed_H2_any_thread_asks_while_the_world_spawns_and_ticks),
        cmocka_unit_test(seed_H2_any_thread_asks_where_records_move_while_entities_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
