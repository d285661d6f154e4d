// Every system call fails in turn while a world is saved or loaded, and every allocation. The world
// must be unchanged, the old file must exist, no other file may be left, and a message must give
// the reason.
//
// program: worlds
#define _DEFAULT_SOURCE

#include "../../runtime/unit/fixture.h"
#include "before.h"
#include "disk.h"
#include "filled.h"
#include "folder.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct rig {
    folder folder;
    fixture_memory memory;
    vault_world *w;
    bool background;      // saves are begun, and waited for
    uint64_t exact;       // of the world as it is to stay
    content old;          // what is on the disk
    content new;          // what the world would be there
    unsigned char *older; // a save from before the schema has changed
    size_t older_count;
} rig;

static void keep_saved(rig *r, content *c)
{
    void *bytes;
    assert_int_equal(vault_save_memory(r->w, &bytes, &c->count), WEFT_OK);
    assert_true(c->count <= sizeof c->bytes);
    memcpy(c->bytes, bytes, c->count);
    fixture_hooks(&r->memory).free_(&r->memory, bytes, c->count);
}

static int open_rig(void **state)
{
    static rig r;
    dice d = {1};
    r = (rig){.w = NULL};
    folder_make(&r.folder);
    r.w = vault_open(&(weft_options){.memory = fixture_hooks(&r.memory)});
    if (!r.w) return 1;
    filled_spawn(vault_world_base(r.w), &d, 40);
    if (vault_save(r.w, r.folder.save) != WEFT_OK) return 1;
    content_read(&r.old, r.folder.save);
    if (vault_tick(r.w, 0.25) != WEFT_OK) return 1;
    keep_saved(&r, &r.new);
    r.exact = vault_hash_exact(r.w);
    *state = &r;
    return content_same(&r.old, &r.new);
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
    vault_close(r->w);
    folder_remove(&r->folder);
    return r->memory.held != 0;
}

static weft_status save(const rig *r)
{
    if (!r->background) return vault_save(r->w, r->folder.save);
    weft_status status = vault_save_begin(r->w, r->folder.save);
    return status == WEFT_OK ? vault_save_wait(r->w) : status;
}

static void restore(const rig *r)
{
    content_write(r->folder.save, r->old.bytes, r->old.count);
}

// Checks what holds after every save, whatever it has met.
static void check_saved(rig *r, weft_status status, const disk_seen *seen)
{
    static content found;
    assert_true(vault_hash_exact(r->w) == r->exact);
    content_read(&found, r->folder.save);
    assert_true(content_same(&found, seen->renamed ? &r->new : &r->old));
    assert_int_equal(seen->open, 0);
    if (status == WEFT_OK) {
        assert_true(seen->renamed);
        return;
    }
    assert_int_equal(status, WEFT_IO);
    assert_non_null(strstr(vault_error(r->w), r->folder.save));
    assert_non_null(strstr(vault_error(r->w), ": "));
}

// Saves with a call that fails; false: there are not as many of it.
static bool save_harmed(rig *r, const disk *d, weft_status *status)
{
    disk_begin(d);
    *status = save(r);
    disk_seen seen = disk_end();
    check_saved(r, *status, &seen);
    restore(r);
    return seen.fired;
}

static const char *const calls[] = {"open",      "dup",   "flock", "fstat", "lstat",
                                    "ftruncate", "write", "fsync", "close", "rename"};
static const int errors[] = {EIO, ENOSPC, EINTR, EACCES, ENOLCK};
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

// ------------------------------------------------------------------------------------------------
// Saving

static void test_each_call_that_fails_leaves_the_old_save(void **state)
{
    rig *r = (rig *)*state;
    weft_status status;
    for (size_t c = 0; c < LENGTH(calls); c++) {
        unsigned turn = 1;
        for (bool reached = true; reached; turn++) {
            for (size_t e = 0; e < LENGTH(errors); e++) {
                disk d = {.call = calls[c], .turn = turn, .error = errors[e]};
                reached = save_harmed(r, &d, &status);
                assert_int_equal(folder_count(&r->folder), 1);
            }
        }
        assert_true(turn > 2); // there is such a call
    }
}

// The machine may stop at any moment: the name goes to what is on the disk already, and to the disk
// last.
static void test_bytes_are_on_the_disk_before_they_have_the_name(void **state)
{
    rig *r = (rig *)*state;
    static const size_t pieces[] = {0, 1000}; // in one write, in several
    for (size_t i = 0; i < LENGTH(pieces); i++) {
        disk_begin(&(disk){.piece = pieces[i]});
        assert_int_equal(save(r), WEFT_OK);
        assert_string_equal(disk_end().order, "wscnf");
    }
}

// Then the new file cannot be taken away either; the next save gets along with what is left.
static void test_a_disk_that_dies_leaves_the_old_save(void **state)
{
    rig *r = (rig *)*state;
    weft_status status;
    unsigned turn = 1;
    for (bool reached = true; reached; turn++) {
        disk d = {.call = "", .turn = turn, .error = EIO, .on = true};
        reached = save_harmed(r, &d, &status);
        assert_true(folder_count(&r->folder) <= 2);
        assert_int_equal(save_harmed(r, NULL, &status), false);
        assert_int_equal(status, WEFT_OK);
        assert_int_equal(folder_count(&r->folder), 1);
    }
    assert_true(turn > 10);
}

static void test_a_first_save_that_fails_leaves_nothing(void **state)
{
    rig *r = (rig *)*state;
    assert_int_equal(remove(r->folder.save), 0);
    for (unsigned turn = 1; turn <= 2; turn++) {
        disk_begin(&(disk){.call = turn == 1 ? "write" : "rename", .turn = 1, .error = EIO});
        assert_int_equal(save(r), WEFT_IO);
        assert_true(disk_end().fired);
        assert_int_equal(folder_count(&r->folder), 0);
    }
}

typedef struct words {
    const char *call;
    unsigned turn;
    bool on;
    disk_harm harm;
    int error;
    const char *said; // NULL: it is saved even so
} words;

static void test_what_failed_is_said(void **state)
{
    static const words all[] = {
        {"open", 1, true, DISK_FAILS, EMFILE, "cannot be made: Too many open files"},
        {"open", 1, false, DISK_FAILS, EACCES, NULL}, // another name does as well
        {"dup", 1, false, DISK_FAILS, EIO, NULL},
        {"flock", 1, false, DISK_FAILS, ENOLCK, NULL}, // a file system without locks
        {"flock", 1, false, DISK_FAILS, EWOULDBLOCK, NULL},
        {"fchmod", 1, false, DISK_FAILS, EPERM, NULL}, // one without permissions
        {"lstat", 1, false, DISK_FAILS, EIO, NULL},
        {"lstat", 1, false, DISK_NAMES_OTHER_DEVICE, 0, NULL}, // then another name is taken
        {"lstat", 1, false, DISK_NAMES_OTHER_FILE, 0, NULL},
        {"ftruncate", 1, false, DISK_FAILS, EIO, NULL},
        {"write", 1, false, DISK_FAILS, ENOSPC, "cannot be written: No space left on device"},
        {"write", 1, false, DISK_FAILS, EIO, "cannot be written: Input/output error"},
        {"write", 1, false, DISK_FAILS, EINTR, NULL},
        {"write", 1, false, DISK_DOES_NOTHING, 0, "cannot be written: Input/output error"},
        {"fsync", 1, false, DISK_FAILS, EIO, "cannot be written: Input/output error"},
        {"fsync", 1, false, DISK_FAILS, EINTR, NULL},
        {"close", 1, false, DISK_FAILS, EIO, "cannot be written: Input/output error"},
        {"close", 1, false, DISK_FAILS, EINTR, NULL},
        {"rename", 1, false, DISK_FAILS, EACCES, "cannot take its name: Permission denied"},
        {"open", 2, false, DISK_FAILS, EIO, "cannot be flushed with its folder: Input/output"},
        {"open", 2, false, DISK_FAILS, EACCES, NULL}, // a folder that cannot be looked into
        {"fsync", 2, false, DISK_FAILS, EIO, "cannot be flushed with its folder: Input/output"},
        {"fsync", 2, false, DISK_FAILS, EINTR, NULL},
        {"fsync", 2, false, DISK_FAILS, EINVAL, NULL},  // a file system that flushes no folders
        {"fsync", 2, false, DISK_FAILS, ENOTSUP, NULL}, // another one
    };
    rig *r = (rig *)*state;
    for (size_t i = 0; i < LENGTH(all); i++) {
        weft_status status;
        const words *w = &all[i];
        disk d = {
            .call = w->call, .turn = w->turn, .on = w->on, .harm = w->harm, .error = w->error};
        assert_true(save_harmed(r, &d, &status));
        assert_int_equal(status, w->said ? WEFT_IO : WEFT_OK);
        if (w->said) assert_non_null(strstr(vault_error(r->w), w->said));
    }
}

// None of the names can be had then, and not since other processes have them.
static void test_a_disk_that_tells_nothing_of_files_is_said_to_fail(void **state)
{
    static const char *const silent[] = {"fstat", "lstat"};
    rig *r = (rig *)*state;
    for (size_t i = 0; i < LENGTH(silent); i++) {
        weft_status status;
        disk d = {.call = silent[i], .turn = 1, .each = true, .error = EIO};
        assert_true(save_harmed(r, &d, &status));
        assert_int_equal(status, WEFT_IO);
        assert_non_null(strstr(vault_error(r->w), "cannot be made: Input/output error"));
        assert_int_equal(folder_count(&r->folder), 1);
    }
}

// A file that another process has put there since it was opened is not written to, by any of the
// names. A name that is too long with the suffix is cut. One of a letter cannot be, whatever the
// system says.
static void test_a_short_name_is_not_cut(void **state)
{
    rig *r = (rig *)*state;
    static content found;
    char before[512];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(r->folder.path), 0);
    disk_begin(&(disk){.call = "open", .turn = 1, .error = ENAMETOOLONG});
    weft_status status = vault_save(r->w, "v");
    assert_true(disk_end().fired);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(status, WEFT_OK);
    content_read(&found, folder_path(&r->folder, "v"));
    assert_true(content_same(&found, &r->new));
    assert_int_equal(folder_count(&r->folder), 2);
}

static void test_a_name_that_is_of_another_file_by_now_is_not_taken(void **state)
{
    static const disk_harm harms[] = {DISK_NAMES_OTHER_DEVICE, DISK_NAMES_OTHER_FILE};
    rig *r = (rig *)*state;
    for (size_t i = 0; i < LENGTH(harms); i++) {
        weft_status status;
        disk d = {.call = "lstat", .turn = 1, .each = true, .harm = harms[i]};
        assert_true(save_harmed(r, &d, &status));
        assert_int_equal(status, WEFT_IO);
        assert_non_null(strstr(vault_error(r->w), "cannot be made: "));
    }
}

static void test_a_disk_that_is_full_leaves_the_old_save(void **state)
{
    rig *r = (rig *)*state;
    weft_status status;
    for (size_t space = 1; space < r->new.count; space += space < 64 ? 1 : 61) {
        disk d = {.call = "", .space = space};
        assert_true(save_harmed(r, &d, &status));
        assert_int_equal(status, WEFT_IO);
        assert_non_null(strstr(vault_error(r->w), "cannot be written: No space left on device"));
        assert_int_equal(folder_count(&r->folder), 1);
    }
    disk d = {.call = "", .space = r->new.count};
    assert_false(save_harmed(r, &d, &status));
    assert_int_equal(status, WEFT_OK);
}

static void test_short_writes_are_gone_on_with(void **state)
{
    static const size_t pieces[] = {1, 7, 8, 100, 4095};
    rig *r = (rig *)*state;
    weft_status status;
    for (size_t i = 0; i < LENGTH(pieces); i++) {
        disk d = {.call = NULL, .piece = pieces[i]};
        save_harmed(r, &d, &status);
        assert_int_equal(status, WEFT_OK);
    }
}

// The place of a turn, counted from 1. In hard mode, where every change takes memory, they lie
// apart.
static size_t place_of(size_t turn)
{
    size_t place = 1 + turn / 2;
#ifdef WEFT_HARD
    if (place > 32) place = (place - 28) * (place - 28) * 2;
#endif
    return place;
}

// Memory that is not to be had: in turn at one place, from there on, at the next place, …
static void starve(rig *r, size_t turn)
{
    r->memory.calls = 0;
    r->memory.fail_at = place_of(turn);
    r->memory.fail_on = turn % 2 == 1;
}

// There is memory again; whether that place was reached.
static bool feed(rig *r)
{
    bool reached = r->memory.calls >= r->memory.fail_at;
    r->memory.fail_at = 0;
    return reached;
}

static void test_each_allocation_that_fails_leaves_the_old_save(void **state)
{
    rig *r = (rig *)*state;
    static content found;
    size_t turn = 0;
    for (bool reached = true; reached; turn++) {
        size_t held = r->memory.held;
        starve(r, turn);
        weft_status status = vault_save(r->w, r->folder.save);
        reached = feed(r);
        assert_int_equal(r->memory.held, held);
        assert_true(vault_hash_exact(r->w) == r->exact);
        assert_int_equal(status, reached ? WEFT_NO_MEMORY : WEFT_OK);
        content_read(&found, r->folder.save);
        assert_true(content_same(&found, reached ? &r->old : &r->new));
        assert_int_equal(folder_count(&r->folder), 1);
        if (reached) assert_non_null(strstr(vault_error(r->w), r->folder.save));
    }
    assert_true(turn > 2);
}

// Without memory for a thread it is written at once, and there is a new save.
static void test_each_allocation_that_fails_begins_no_save(void **state)
{
    rig *r = (rig *)*state;
    static content found;
    size_t turn = 0;
    size_t refused = 0;
    assert_int_equal(vault_trim(r->w), WEFT_OK);
    for (bool reached = true; reached; turn++) {
        size_t held = r->memory.held;
        starve(r, turn);
        weft_status status = save(r);
        reached = feed(r);
        if (!reached) assert_int_equal(status, WEFT_OK);
        if (status != WEFT_OK) {
            refused++;
            assert_int_equal(status, WEFT_NO_MEMORY);
            assert_int_equal(vault_save_done(r->w), WEFT_NOT_FOUND);
            assert_non_null(strstr(vault_error(r->w), r->folder.save));
        }
        assert_true(vault_hash_exact(r->w) == r->exact);
        content_read(&found, r->folder.save);
        assert_true(content_same(&found, status == WEFT_OK ? &r->new : &r->old));
        assert_int_equal(folder_count(&r->folder), 1);
        restore(r);
        assert_int_equal(vault_trim(r->w), WEFT_OK);
        assert_int_equal(r->memory.held, held);
    }
    assert_true(refused > 2);
    assert_true(turn > refused + 1);
}

static void test_each_allocation_that_fails_is_said_to_memory_too(void **state)
{
    rig *r = (rig *)*state;
    void *bytes;
    size_t count;
    size_t turn = 0;
    for (bool reached = true; reached; turn++) {
        size_t held = r->memory.held;
        starve(r, turn);
        weft_status status = vault_save_memory(r->w, &bytes, &count);
        reached = feed(r);
        assert_true(vault_hash_exact(r->w) == r->exact);
        assert_int_equal(status, reached ? WEFT_NO_MEMORY : WEFT_OK);
        if (!reached) break;
        assert_int_equal(r->memory.held, held);
        assert_null(bytes);
        assert_string_equal(vault_error(r->w), "no memory to save the world");
    }
    assert_true(turn > 2);
    assert_int_equal(count, r->new.count);
    fixture_hooks(&r->memory).free_(&r->memory, bytes, count);
}

// By the system's own limit of how long files may be, without anything in between.
static void test_a_limit_of_the_system_leaves_the_old_save(void **state)
{
    rig *r = (rig *)*state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {r->new.count / 2, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    weft_status status = save(r);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    check_saved(r, status, &(disk_seen){.fired = true});
    assert_non_null(strstr(vault_error(r->w), "cannot be written: File too large"));
    assert_int_equal(folder_count(&r->folder), 1);
}

// ------------------------------------------------------------------------------------------------
// Loading

static bool load_harmed(rig *r, const disk *d, weft_status *status)
{
    size_t held = r->memory.held;
    disk_begin(d);
    *status = vault_load(r->w, r->folder.save);
    disk_seen seen = disk_end();
    assert_int_equal(seen.open, 0);
    if (*status == WEFT_OK) return seen.fired;
    assert_int_equal(r->memory.held, held);
    assert_true(vault_hash_exact(r->w) == r->exact);
    assert_non_null(strstr(vault_error(r->w), r->folder.save));
    return seen.fired;
}

static void test_each_call_that_fails_leaves_the_world(void **state)
{
    static const words all[] = {
        {"open", 1, false, DISK_FAILS, EMFILE, "cannot be opened: Too many open files"},
        {"open", 1, false, DISK_FAILS, EINTR, NULL},
        {"read", 1, false, DISK_FAILS, EIO, "cannot be read: Input/output error"},
        {"read", 1, false, DISK_FAILS, EINTR, NULL},
        {"read", 1, false, DISK_DOES_NOTHING, 0,
         "cannot be read: it became shorter while it was read"},
        {"close", 1, false, DISK_FAILS, EIO, NULL},
    };
    rig *r = (rig *)*state;
    for (size_t i = 0; i < LENGTH(all); i++) {
        weft_status status;
        const words *w = &all[i];
        disk d = {
            .call = w->call, .turn = w->turn, .harm = w->harm, .error = w->error, .piece = 1000};
        assert_true(load_harmed(r, &d, &status));
        assert_int_equal(status, w->said ? WEFT_IO : WEFT_OK);
        if (w->said) assert_non_null(strstr(vault_error(r->w), w->said));
        r->exact = vault_hash_exact(r->w);
    }
}

// The world is another one than in any save.
static void go_on(rig *r)
{
    vault_spawn(r->w);
    assert_int_equal(vault_flush(r->w), WEFT_OK); // what hooks have recorded
    r->exact = vault_hash_exact(r->w);
}

// A load that has no memory at each place in turn. What reserves address space does without: then
// it succeeds, and the world goes on, so that the next load has something to spoil.
static void load_starved(rig *r, weft_status (*load)(rig *r), bool no_reserve)
{
    size_t refused = 0;
    r->memory.no_reserve = no_reserve;
    go_on(r);
    for (size_t turn = 0;; turn++) {
        size_t held = r->memory.held;
        starve(r, turn);
        weft_status status = load(r);
        if (!feed(r)) {
            assert_int_equal(status, WEFT_OK);
            break;
        }
        if (status == WEFT_OK) {
            go_on(r);
            continue;
        }
        refused++;
        assert_int_equal(status, WEFT_NO_MEMORY);
        assert_non_null(strstr(vault_error(r->w), "no memory"));
        assert_int_equal(r->memory.held, held);
        assert_true(vault_hash_exact(r->w) == r->exact);
    }
    assert_true(refused > 60);
    assert_true(vault_hash_exact(r->w) != r->exact);
}

static weft_status load_file(rig *r)
{
    return vault_load(r->w, r->folder.save);
}

static void test_each_allocation_that_fails_leaves_the_world(void **state)
{
    load_starved((rig *)*state, load_file, false);
    load_starved((rig *)*state, load_file, true);
}

static weft_status load_old(rig *r)
{
    return vault_load_memory(r->w, r->older, r->older_count);
}

// Every conversion.
static void test_each_allocation_that_fails_in_an_older_save_leaves_the_world(void **state)
{
    rig *r = (rig *)*state;
    dice d = {4};
    r->older = before_save(&d, 30, &r->older_count);
    load_starved(r, load_old, false);
    load_starved(r, load_old, true);
    free(r->older);
}

static void test_memory_is_counted(void **state)
{
    rig *r = (rig *)*state;
    size_t counted[3];
    for (int i = 0; i < 3; i++) { // the first makes space for what hooks record
        assert_int_equal(vault_load(r->w, r->folder.save), WEFT_OK);
        counted[i] = vault_stats(r->w).bytes_allocated;
    }
    assert_int_equal(counted[1], counted[2]);
}

static void test_a_damaged_file_is_named(void **state)
{
    rig *r = (rig *)*state;
    weft_status status;
    char words_reported[300];
    content_write(r->folder.save, r->old.bytes, r->old.count - 8);
    load_harmed(r, NULL, &status);
    assert_int_equal(status, WEFT_BAD_FILE);
    snprintf(words_reported, sizeof words_reported,
             "'%s': the save is damaged: it has %zu bytes of %zu: it was cut off or is still being "
             "copied; copy it again, or take an older save",
             r->folder.save, r->old.count - 8, r->old.count);
    assert_string_equal(vault_error(r->w), words_reported);
    assert_int_equal(vault_load_memory(r->w, r->old.bytes, 16), WEFT_BAD_FILE);
    assert_string_equal(vault_error(r->w),
                        "the save is damaged: its head is incomplete: it was cut off or is still "
                        "being copied; copy it again, or take an older save");
    assert_int_equal(vault_load_memory(r->w, "no", 2), WEFT_BAD_FILE);
    assert_string_equal(vault_error(r->w), "this is not a save"); // and no path any more
}

int main(void)
{
#define RIG(test) cmocka_unit_test_setup_teardown(test, open_rig, close_rig)
#define BACKGROUND(test) cmocka_unit_test_setup_teardown(test, open_background, close_rig)
    const struct CMUnitTest tests[] = {
        RIG(test_each_call_that_fails_leaves_the_old_save),
        RIG(test_bytes_are_on_the_disk_before_they_have_the_name),
        RIG(test_a_disk_that_dies_leaves_the_old_save),
        RIG(test_a_first_save_that_fails_leaves_nothing),
        RIG(test_what_failed_is_said),
        RIG(test_a_disk_that_tells_nothing_of_files_is_said_to_fail),
        RIG(test_a_short_name_is_not_cut),
        RIG(test_a_name_that_is_of_another_file_by_now_is_not_taken),
        RIG(test_a_disk_that_is_full_leaves_the_old_save),
        RIG(test_short_writes_are_gone_on_with),
        RIG(test_each_allocation_that_fails_leaves_the_old_save),
        RIG(test_each_allocation_that_fails_is_said_to_memory_too),
        RIG(test_a_limit_of_the_system_leaves_the_old_save),
        BACKGROUND(test_each_call_that_fails_leaves_the_old_save),
        BACKGROUND(test_bytes_are_on_the_disk_before_they_have_the_name),
        BACKGROUND(test_a_disk_that_dies_leaves_the_old_save),
        BACKGROUND(test_a_first_save_that_fails_leaves_nothing),
        BACKGROUND(test_what_failed_is_said),
        BACKGROUND(test_a_disk_that_is_full_leaves_the_old_save),
        BACKGROUND(test_short_writes_are_gone_on_with),
        BACKGROUND(test_each_allocation_that_fails_begins_no_save),
        BACKGROUND(test_a_limit_of_the_system_leaves_the_old_save),
        RIG(test_each_call_that_fails_leaves_the_world),
        RIG(test_each_allocation_that_fails_leaves_the_world),
        RIG(test_each_allocation_that_fails_in_an_older_save_leaves_the_world),
        RIG(test_memory_is_counted),
        RIG(test_a_damaged_file_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
