// Saves that a thread writes while the game continues. Tests can hold the thread at its first step.
// The build with the thread sanitizer runs this, too.
//
// program: worlds threads
// libs: -Wl,--wrap=pthread_create
#define _DEFAULT_SOURCE // usleep

#include "../../saves/harm/folder.h"
#include "crew.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { HANDS = 300, MOMENT_MICROSECONDS = 20000 };

// ------------------------------------------------------------------------------------------------
// Threads that wait, or that are not to be had

static bool refused;       // threads that are to be started
static atomic_bool closed; // threads that were started wait until it is open

typedef struct held {
    void *(*body)(void *);
    void *argument;
} held;

// The linker has all calls of the one come to the other: see workers.ninja.
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *), void *argument);

static void *begin_when_open(void *argument)
{
    held h = *(held *)argument;
    free(argument);
    while (atomic_load(&closed)) usleep(100);
    return h.body(h.argument);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *), void *argument)
{
    if (refused) return EAGAIN;
    held *h = malloc(sizeof *h);
    assert_non_null(h);
    *h = (held){body, argument};
    return __real_pthread_create(thread, attributes, begin_when_open, h);
}

static void *open_soon(void *argument)
{
    (void)argument;
    usleep(MOMENT_MICROSECONDS);
    atomic_store(&closed, false);
    return NULL;
}

// The next call has to wait for the threads.
static pthread_t soon(void)
{
    pthread_t thread;
    assert_int_equal(__real_pthread_create(&thread, NULL, open_soon, NULL), 0);
    return thread;
}

// ------------------------------------------------------------------------------------------------
// A world, and its file

typedef struct rig {
    folder folder;
    crew_world *w;
    char logged[512];
} rig;

static void keep_line(void *user, const char *line)
{
    rig *r = (rig *)user;
    snprintf(r->logged, sizeof r->logged, "%s", line);
}

static int open_rig(void **state)
{
    static rig r;
    r.logged[0] = '\0';
    folder_make(&r.folder);
    r.w = crew_open(&(weft_options){.workers = 2, .user = &r, .log = keep_line});
    *state = &r;
    return !r.w || crew_hand_spawn_many(r.w, HANDS, NULL, NULL) != HANDS;
}

static int close_rig(void **state)
{
    rig *r = (rig *)*state;
    crew_close(r->w);
    folder_remove(&r->folder);
    return atomic_load(&closed) || refused;
}

static void keep_saved(const rig *r, content *c)
{
    void *bytes;
    assert_int_equal(crew_save_memory(r->w, &bytes, &c->count), WEFT_OK);
    assert_true(c->count <= sizeof c->bytes);
    memcpy(c->bytes, bytes, c->count);
    free(bytes);
}

static bool is_on_disk(const rig *r, const content *expected)
{
    static content found;
    content_read(&found, r->folder.save);
    return content_same(&found, expected) && folder_count(&r->folder) == 1;
}

// Begins a save whose thread waits until `closed` is false.
static void begin_held(const rig *r)
{
    atomic_store(&closed, true);
    assert_int_equal(crew_save_begin(r->w, r->folder.save), WEFT_OK);
}

static void go_on(const rig *r)
{
    for (int i = 0; i < 5; i++) assert_int_equal(crew_tick(r->w, 0.25), WEFT_OK);
}

// ------------------------------------------------------------------------------------------------

static void the_file_is_the_world_as_it_was_begun(void **state)
{
    static content begun;
    rig *r = (rig *)*state;
    keep_saved(r, &begun);
    begin_held(r);
    go_on(r);
    assert_int_equal(crew_save_done(r->w), WEFT_BUSY);
    assert_int_equal(folder_count(&r->folder), 0);
    atomic_store(&closed, false);
    weft_status status;
    while ((status = crew_save_done(r->w)) == WEFT_BUSY) go_on(r); // the thread writes meanwhile
    assert_int_equal(status, WEFT_OK);
    assert_true(is_on_disk(r, &begun));
}

static void the_outcome_is_told_once(void **state)
{
    rig *r = (rig *)*state;
    assert_int_equal(crew_save_done(r->w), WEFT_NOT_FOUND);
    assert_int_equal(crew_save_wait(r->w), WEFT_NOT_FOUND);
    assert_int_equal(crew_save_begin(r->w, r->folder.save), WEFT_OK);
    assert_int_equal(crew_save_wait(r->w), WEFT_OK);
    assert_int_equal(crew_save_wait(r->w), WEFT_NOT_FOUND);
    assert_int_equal(crew_save_done(r->w), WEFT_NOT_FOUND);
}

static void one_save_is_written_at_a_time(void **state)
{
    static content begun;
    rig *r = (rig *)*state;
    keep_saved(r, &begun);
    begin_held(r);
    go_on(r);
    assert_int_equal(crew_save_begin(r->w, folder_path(&r->folder, "other")), WEFT_BUSY);
    assert_non_null(strstr(crew_error(r->w), "is still being written"));
    assert_non_null(strstr(crew_error(r->w), r->folder.save));
    atomic_store(&closed, false);
    assert_int_equal(crew_save_wait(r->w), WEFT_OK);
    assert_true(is_on_disk(r, &begun));
}

// Larger and smaller worlds in turn, whose copies take turns in one piece of memory.
static void saves_follow_one_another(void **state)
{
    static content begun;
    rig *r = (rig *)*state;
    for (uint32_t i = 0; i < 20; i++) {
        for (uint32_t k = 0; k < i * 7 % 50; k++) crew_hand_spawn(r->w, NULL);
        keep_saved(r, &begun);
        assert_int_equal(crew_save_begin(r->w, r->folder.save), WEFT_OK);
        go_on(r);
        assert_int_equal(crew_save_wait(r->w), WEFT_OK);
        assert_true(is_on_disk(r, &begun));
    }
}

static void without_a_thread_the_file_is_written_at_once(void **state)
{
    static content begun;
    rig *r = (rig *)*state;
    keep_saved(r, &begun);
    refused = true;
    assert_int_equal(crew_save_begin(r->w, r->folder.save), WEFT_OK);
    refused = false;
    assert_true(is_on_disk(r, &begun));
    assert_int_equal(crew_save_done(r->w), WEFT_OK);
    assert_int_equal(crew_save_done(r->w), WEFT_NOT_FOUND);
}

static void the_last_save_to_begin_is_the_last_to_end(void **state)
{
    static content later;
    rig *r = (rig *)*state;
    begin_held(r);
    go_on(r);
    keep_saved(r, &later);
    pthread_t opens = soon();
    assert_int_equal(crew_save(r->w, r->folder.save), WEFT_OK);
    assert_int_equal(pthread_join(opens, NULL), 0);
    assert_true(is_on_disk(r, &later));
    assert_int_equal(crew_save_done(r->w), WEFT_OK); // of the first
}

static void a_load_finds_what_was_begun(void **state)
{
    rig *r = (rig *)*state;
    uint64_t begun = crew_hash_exact(r->w);
    begin_held(r);
    go_on(r);
    pthread_t opens = soon();
    assert_int_equal(crew_load(r->w, r->folder.save), WEFT_OK);
    assert_int_equal(pthread_join(opens, NULL), 0);
    assert_true(crew_hash_exact(r->w) == begun);
    assert_int_equal(crew_save_done(r->w), WEFT_OK);
}

static void closing_waits_for_the_file(void **state)
{
    static content begun;
    rig *r = (rig *)*state;
    keep_saved(r, &begun);
    begin_held(r);
    pthread_t opens = soon();
    crew_close(r->w);
    r->w = NULL;
    assert_int_equal(pthread_join(opens, NULL), 0);
    assert_true(is_on_disk(r, &begun));
}

static void a_path_that_cannot_be_is_refused_at_once(void **state)
{
    static char long_path[5000];
    rig *r = (rig *)*state;
    memset(long_path, 'a', sizeof long_path - 1);
    const char *paths[] = {NULL, "", long_path};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_int_equal(crew_save_begin(r->w, paths[i]), WEFT_IO);
        assert_non_null(strstr(crew_error(r->w), "cannot be made: "));
        assert_int_equal(crew_save_done(r->w), WEFT_NOT_FOUND);
    }
}

static void a_failure_that_was_not_asked_for_is_logged(void **state)
{
    rig *r = (rig *)*state;
    const char *nowhere = folder_path(&r->folder, "no/such/folder");
    assert_int_equal(crew_save_begin(r->w, nowhere), WEFT_OK);
    assert_int_equal(crew_save_wait(r->w), WEFT_IO);
    assert_non_null(strstr(crew_error(r->w), "no/such/folder"));
    assert_non_null(strstr(crew_error(r->w), "cannot be made: No such file or directory"));
    assert_int_equal(crew_save_begin(r->w, nowhere), WEFT_OK);
    r->logged[0] = '\0';
    weft_status status;
    while ((status = crew_save_begin(r->w, r->folder.save)) == WEFT_BUSY) r->logged[0] = '\0';
    assert_int_equal(status, WEFT_OK);
    assert_non_null(strstr(r->logged, "No such file or directory"));
    assert_int_equal(crew_save_wait(r->w), WEFT_OK);
}

static void trimming_gives_the_copy_back(void **state)
{
    rig *r = (rig *)*state;
    go_on(r);
    assert_int_equal(crew_trim(r->w), WEFT_OK);
    size_t before = crew_stats(r->w).bytes_allocated;
    begin_held(r);
    assert_int_equal(crew_trim(r->w), WEFT_OK);
    atomic_store(&closed, false);
    assert_int_equal(crew_save_wait(r->w), WEFT_OK);
    assert_true(crew_stats(r->w).bytes_allocated > before);
    assert_int_equal(crew_trim(r->w), WEFT_OK);
    assert_int_equal(crew_stats(r->w).bytes_allocated, before);
}

int main(void)
{
#define RIG(test) cmocka_unit_test_setup_teardown(test, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        RIG(the_file_is_the_world_as_it_was_begun),
        RIG(the_outcome_is_told_once),
        RIG(one_save_is_written_at_a_time),
        RIG(saves_follow_one_another),
        RIG(without_a_thread_the_file_is_written_at_once),
        RIG(the_last_save_to_begin_is_the_last_to_end),
        RIG(a_load_finds_what_was_begun),
        RIG(closing_waits_for_the_file),
        RIG(a_path_that_cannot_be_is_refused_at_once),
        RIG(a_failure_that_was_not_asked_for_is_logged),
        RIG(trimming_gives_the_copy_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
