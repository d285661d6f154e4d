// Processes that are killed while they save, and several that save to one path: the file must
// always be one complete save.
//
// program: still
#define _DEFAULT_SOURCE

#include "disk.h"
#include "filled.h"
#include "folder.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// Where each change moves the whole world a save takes longer, and fewer of them show as much.
#ifdef WEFT_HARD
enum { WORLDS = 2, KILLS = 50, MOMENT_MICROSECONDS = 2500, SAVES = 20 };
#else
enum { WORLDS = 2, KILLS = 300, MOMENT_MICROSECONDS = 2500, SAVES = 60 };
#endif

// A fork copies the page tables of all memory, most of which would be what was freed: the sanitizer
// keeps 256 MB of it to watch. A few megabytes are more than a save and a load free together.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=8";
}

typedef struct rig {
    folder folder;
    vault_world *worlds[WORLDS]; // of different sizes
    uint64_t hashes[WORLDS];     // exact ones, of what their saves load as
    vault_world *reader;
    bool background; // saves are begun, and waited for
    bool part;       // all entities are saved as a part
} rig;

// Loads what is on the disk. Returns the hash of the world that it is loaded into.
static uint64_t loaded_hash(rig *r)
{
    if (!r->part) {
        assert_int_equal(vault_load(r->reader, r->folder.save), WEFT_OK);
        return vault_hash_exact(r->reader);
    }
    vault_close(r->reader); // so that copies get equal handles each time
    r->reader = vault_open(NULL);
    assert_int_equal(vault_part_load(r->reader, r->folder.save, NULL, NULL), WEFT_OK);
    return vault_hash(r->reader);
}

// Which of the worlds is on the disk, loaded; WORLDS: neither.
static int which(rig *r)
{
    int found = 0;
    uint64_t exact = loaded_hash(r);
    while (found < WORLDS && r->hashes[found] != exact) found++;
    return found;
}

static void save(rig *r, int world)
{
    vault_world *w = r->worlds[world];
    if (r->part) {
        if (vault_everyone_part_save(w, NULL, r->folder.save) != WEFT_OK) abort();
    } else if (!r->background) {
        if (vault_save(w, r->folder.save) != WEFT_OK) abort();
    } else if (vault_save_begin(w, r->folder.save) != WEFT_OK || vault_save_wait(w) != WEFT_OK) {
        abort();
    }
}

static int open_as(void **state, bool part)
{
    static rig r;
    dice d = {3};
    r.background = false;
    r.part = part;
    folder_make(&r.folder);
    r.reader = vault_open(NULL);
    for (int i = 0; i < WORLDS; i++) {
        r.worlds[i] = vault_open(NULL);
        filled_spawn(vault_world_base(r.worlds[i]), &d, i == 0 ? 20 : 150);
        save(&r, i);
        r.hashes[i] = loaded_hash(&r);
    }
    *state = &r;
    return r.hashes[0] == r.hashes[1] || which(&r) != 1;
}

static int open_rig(void **state)
{
    return open_as(state, false);
}

static int open_part(void **state)
{
    return open_as(state, true);
}

static int open_background(void **state)
{
    int failed = open_rig(state);
    if (!failed) ((rig *)*state)->background = true;
    return failed;
}

static int close_rig(void **state)
{
    rig *r = (rig *)*state;
    for (int i = 0; i < WORLDS; i++) vault_close(r->worlds[i]);
    vault_close(r->reader);
    folder_remove(&r->folder);
    return 0;
}

static pid_t start(rig *r, void (*act)(rig *r, int argument), int argument)
{
    pid_t child = fork();
    if (child != 0) return child;
    act(r, argument);
    _exit(0);
}

// Says whether it was killed, and did not end by itself.
static bool killed(pid_t child)
{
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status);
}

// ------------------------------------------------------------------------------------------------
// Killed

static void save_in_turns(rig *r, int first)
{
    for (int i = first;; i++) save(r, i % WORLDS);
}

static void test_killed_at_any_moment(void **state)
{
    rig *r = (rig *)*state;
    dice d = {5};
    int seen[WORLDS + 1] = {0};
    for (int i = 0; i < KILLS; i++) {
        pid_t child = start(r, save_in_turns, i);
        usleep(dice_below(&d, MOMENT_MICROSECONDS));
        kill(child, SIGKILL);
        assert_true(killed(child));
        seen[which(r)]++;
        assert_true(folder_count(&r->folder) <= 2); // nor does what is left grow in number
    }
    assert_int_equal(seen[WORLDS], 0);
    save(r, 0);
    assert_int_equal(which(r), 0);
    assert_int_equal(folder_count(&r->folder), 1);
}

static disk harm;

static void save_harmed(rig *r, int world)
{
    disk_begin(&harm);
    save(r, world);
}

// Before and behind each call to the system, of which the one that renames decides.
static void test_killed_at_each_call(void **state)
{
    rig *r = (rig *)*state;
    bool reached = true;
    int before = 1;
    for (harm = (disk){.call = "", .turn = 1}; reached; harm.turn++) {
        harm.harm = DISK_KILLS_BEFORE;
        reached = killed(start(r, save_harmed, 1 - before));
        int found = which(r);
        harm.harm = DISK_KILLS_BEHIND;
        assert_int_equal(killed(start(r, save_harmed, 1 - before)), reached);
        int later = which(r);
        assert_true(found == before || found == 1 - before);
        assert_true(later == found || (later == 1 - before && found == before));
        assert_true(folder_count(&r->folder) <= 2);
        before = later;
    }
    assert_true(harm.turn > 10);
    assert_int_equal(folder_count(&r->folder), 1);
}

// ------------------------------------------------------------------------------------------------
// Several at once

static void save_often(rig *r, int world)
{
    for (int i = 0; i < SAVES; i++) save(r, world);
}

static void test_two_save_to_one_path(void **state)
{
    rig *r = (rig *)*state;
    pid_t children[2 * WORLDS];
    for (int i = 0; i < 2 * WORLDS; i++) children[i] = start(r, save_often, i % WORLDS);
    for (int i = 0; i < SAVES; i++) assert_int_not_equal(which(r), WORLDS);
    for (int i = 0; i < 2 * WORLDS; i++) assert_false(killed(children[i]));
    assert_int_not_equal(which(r), WORLDS);
    assert_int_equal(folder_count(&r->folder), 1);
}

int main(void)
{
#define RIG(test) cmocka_unit_test_setup_teardown(test, open_rig, close_rig)
#define BACKGROUND(test) cmocka_unit_test_setup_teardown(test, open_background, close_rig)
#define PART(test) cmocka_unit_test_setup_teardown(test, open_part, close_rig)
    const struct CMUnitTest tests[] = {
        RIG(test_killed_at_any_moment),       RIG(test_killed_at_each_call),
        RIG(test_two_save_to_one_path),       BACKGROUND(test_killed_at_any_moment),
        BACKGROUND(test_killed_at_each_call), BACKGROUND(test_two_save_to_one_path),
        PART(test_killed_at_any_moment),      PART(test_killed_at_each_call),
        PART(test_two_save_to_one_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
