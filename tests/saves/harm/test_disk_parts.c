// Every system call fails in turn while a part of the world is saved or loaded, and every
// allocation. No entity may be lost: if a save fails, all are alive and the earlier file exists; if
// a load fails, they are still away and their file is whole.
//
// program: worlds
#define _DEFAULT_SOURCE

#include "../../runtime/unit/fixture.h"
#include "disk.h"
#include "filled.h"
#include "folder.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SET_MAX = 64 };
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

typedef struct rig {
    folder folder;
    fixture_memory memory;
    vault_world *w;
    vault_entity set[SET_MAX]; // entities that are saved
    size_t n;
    uint64_t hash;  // of the world with all of them
    uint64_t exact; // of the world before the current call
    content old;    // an earlier file in place of the part
    bool by_query;  // all entities are saved, by a query
} rig;

static weft_status save(rig *r, bool away)
{
    const vault_part_options options = {.away = away, .carried_by = true};
    if (r->by_query) return vault_everyone_part_save(r->w, &options, r->folder.save);
    return vault_part_save(r->w, r->set, r->n, &options, r->folder.save);
}

static weft_status load(rig *r)
{
    return vault_part_load(r->w, r->folder.save, NULL, NULL);
}

static size_t count_away(const rig *r)
{
    size_t away = 0;
    for (size_t i = 0; i < r->n; i++) away += vault_away(r->w, r->set[i]);
    return away;
}

// Applies what hooks have recorded, so that the next call changes nothing but what it is about.
static void settle(rig *r)
{
    assert_int_equal(vault_flush(r->w), WEFT_OK);
    r->exact = vault_hash_exact(r->w);
}

// Brings the entities back, whose values must be those of before.
static void bring_back(rig *r)
{
    assert_int_equal(count_away(r), r->n);
    assert_int_equal(load(r), WEFT_OK);
    assert_int_equal(count_away(r), 0);
    settle(r);
    assert_true(vault_hash(r->w) == r->hash);
}

static void list_set(rig *r, bool all)
{
    vault_everyone_iter it = vault_everyone_begin(r->w);
    while (vault_everyone_next(&it)) {
        for (uint32_t i = 0; i < it.count && r->n < SET_MAX; i += all ? 1 : 3) {
            r->set[r->n++] = it.entities[i];
        }
    }
}

// The first leave loses values that are not saved, and the hooks of the first return set tags.
// Afterwards, entities that leave and return are as before.
static int open_with(void **state, bool by_query)
{
    static rig r;
    dice d = {1};
    r = (rig){.by_query = by_query};
    folder_make(&r.folder);
    r.w = vault_open(&(weft_options){.memory = fixture_hooks(&r.memory)});
    if (!r.w) return 1;
    filled_spawn(vault_world_base(r.w), &d, 40);
    if (vault_tick(r.w, 0.25) != WEFT_OK) return 1;
    list_set(&r, by_query);
    if (save(&r, true) != WEFT_OK || load(&r) != WEFT_OK) return 1;
    settle(&r);
    r.hash = vault_hash(r.w);
    if (vault_part_save(r.w, r.set, 2, NULL, r.folder.save) != WEFT_OK) return 1;
    content_read(&r.old, r.folder.save);
    *state = &r;
    return r.n < 12;
}

static int open_rig(void **state)
{
    return open_with(state, false);
}

static int open_query(void **state)
{
    return open_with(state, true);
}

static int close_rig(void **state)
{
    rig *r = (rig *)*state;
    vault_close(r->w);
    folder_remove(&r->folder);
    return r->memory.held != 0;
}

// ------------------------------------------------------------------------------------------------
// Saving

static void restore(const rig *r)
{
    content_write(r->folder.save, r->old.bytes, r->old.count);
}

static bool is_old(const rig *r)
{
    static content found;
    content_read(&found, r->folder.save);
    return content_same(&found, &r->old);
}

// Checks what holds after every save, whatever it has met: the entities are in the world, or in a
// file that brings them back, and in both only if the file has its name already.
static void check_saved(rig *r, weft_status status, bool away, bool renamed)
{
    assert_int_equal(is_old(r), !renamed);
    if (status != WEFT_OK) {
        assert_int_equal(count_away(r), 0);
        assert_true(vault_hash_exact(r->w) == r->exact);
        if (renamed && away) assert_int_equal(load(r), WEFT_REFUSED);
        return;
    }
    assert_true(renamed);
    assert_int_equal(count_away(r), away ? r->n : 0);
    if (away) bring_back(r);
}

// Saves with a call that fails; false: there are not as many of it.
static bool save_harmed(rig *r, const disk *d, bool away, weft_status *status)
{
    settle(r);
    disk_begin(d);
    *status = save(r, away);
    disk_seen seen = disk_end();
    assert_int_equal(seen.open, 0);
    if (*status != WEFT_OK) {
        assert_int_equal(*status, WEFT_IO);
        assert_non_null(strstr(vault_error(r->w), r->folder.save));
        assert_non_null(strstr(vault_error(r->w), "cannot "));
    }
    check_saved(r, *status, away, seen.renamed);
    restore(r);
    return seen.fired;
}

static void test_each_call_that_fails_loses_nobody(void **state)
{
    static const char *const calls[] = {"open",      "dup",   "flock", "fstat", "lstat",
                                        "ftruncate", "write", "fsync", "close", "rename"};
    static const int errors[] = {EIO, ENOSPC, EINTR, EACCES, ENOLCK};
    rig *r = (rig *)*state;
    weft_status status;
    for (size_t c = 0; c < LENGTH(calls); c++) {
        unsigned turn = 1;
        for (bool reached = true; reached; turn++) {
            for (size_t e = 0; e < LENGTH(errors); e++) {
                disk d = {.call = calls[c], .turn = turn, .error = errors[e]};
                reached = save_harmed(r, &d, (turn + e) % 2 == 0, &status);
                assert_int_equal(folder_count(&r->folder), 1);
            }
        }
        assert_true(turn > 2); // there is such a call
    }
}

static void test_what_failed_is_reported(void **state)
{
    static const struct {
        const char *call;
        unsigned turn;
        bool on;
        int error;
        const char *words; // NULL: the save succeeds
    } all[] = {
        {"open", 1, true, EMFILE, "cannot be made: Too many open files"},
        {"open", 1, false, EACCES, NULL}, // another name is used
        {"write", 1, false, ENOSPC, "cannot be written: No space left on device"},
        {"write", 1, false, EIO, "cannot be written: Input/output error"},
        {"fsync", 1, false, EIO, "cannot be written: Input/output error"},
        {"close", 1, false, EIO, "cannot be written: Input/output error"},
        {"rename", 1, false, EACCES, "cannot take its name: Permission denied"},
        {"fsync", 2, false, EIO, "cannot be flushed with its folder: Input/output"},
        {"fsync", 2, false, EINVAL, NULL}, // a file system that flushes no folders
    };
    rig *r = (rig *)*state;
    for (size_t i = 0; i < LENGTH(all) * 2; i++) {
        weft_status status;
        size_t k = i / 2;
        disk d = {.call = all[k].call, .turn = all[k].turn, .on = all[k].on, .error = all[k].error};
        assert_true(save_harmed(r, &d, i % 2 == 0, &status));
        assert_int_equal(status, all[k].words ? WEFT_IO : WEFT_OK);
    }
    for (size_t k = 0; k < LENGTH(all); k++) {
        if (!all[k].words) continue;
        disk d = {.call = all[k].call, .turn = all[k].turn, .on = all[k].on, .error = all[k].error};
        disk_begin(&d);
        assert_int_equal(save(r, true), WEFT_IO);
        (void)disk_end();
        assert_non_null(strstr(vault_error(r->w), all[k].words));
    }
}

// The new file cannot be removed either. The next save uses what is left of it.
static void test_a_disk_that_dies_loses_nobody(void **state)
{
    rig *r = (rig *)*state;
    weft_status status;
    unsigned turn = 1;
    for (bool reached = true; reached; turn++) {
        disk d = {.call = "", .turn = turn, .error = EIO, .on = true};
        reached = save_harmed(r, &d, true, &status);
        assert_true(folder_count(&r->folder) <= 2);
        assert_int_equal(save_harmed(r, NULL, true, &status), false);
        assert_int_equal(status, WEFT_OK);
        assert_int_equal(folder_count(&r->folder), 1);
    }
    assert_true(turn > 10);
}

static void test_a_disk_that_is_full_loses_nobody(void **state)
{
    static content new;
    rig *r = (rig *)*state;
    weft_status status;
    settle(r);
    assert_int_equal(save(r, true), WEFT_OK);
    content_read(&new, r->folder.save);
    bring_back(r);
    restore(r);
    for (size_t space = 1; space < new.count; space += space < 64 ? 7 : 61) {
        disk d = {.call = "", .space = space};
        assert_true(save_harmed(r, &d, true, &status));
        assert_int_equal(status, WEFT_IO);
        assert_int_equal(folder_count(&r->folder), 1);
    }
    disk d = {.call = "", .space = new.count};
    assert_false(save_harmed(r, &d, true, &status));
    assert_int_equal(status, WEFT_OK);
}

// The file is flushed and has its name before the first entity leaves.
static void test_the_file_is_on_the_disk_before_anybody_leaves(void **state)
{
    static const size_t pieces[] = {0, 1, 7, 1000}; // bytes of a write
    rig *r = (rig *)*state;
    for (size_t i = 0; i < LENGTH(pieces); i++) {
        settle(r);
        disk_begin(&(disk){.piece = pieces[i]});
        assert_int_equal(save(r, true), WEFT_OK);
        assert_string_equal(disk_end().order, "wscnf");
        bring_back(r);
    }
}

static void test_a_first_part_that_fails_leaves_no_file(void **state)
{
    static const char *const calls[] = {"write", "fsync", "rename"};
    rig *r = (rig *)*state;
    assert_int_equal(remove(r->folder.save), 0);
    for (size_t c = 0; c < LENGTH(calls); c++) {
        settle(r);
        disk_begin(&(disk){.call = calls[c], .turn = 1, .error = EIO});
        assert_int_equal(save(r, true), WEFT_IO);
        assert_true(disk_end().fired);
        assert_int_equal(folder_count(&r->folder), 0);
        assert_int_equal(count_away(r), 0);
        assert_true(vault_hash_exact(r->w) == r->exact);
    }
}

// ------------------------------------------------------------------------------------------------
// Memory. In hard mode every change takes memory, and the tried places lie apart.

static size_t place_of(size_t turn)
{
    size_t place = 1 + turn / 2;
#ifdef WEFT_HARD
    if (place > 32) place = (place - 28) * (place - 28) * 2;
#endif
    return place;
}

// One allocation fails, or all from there on.
static void starve(rig *r, size_t turn)
{
    r->memory.calls = 0;
    r->memory.fail_at = place_of(turn);
    r->memory.fail_on = turn % 2 == 1;
}

static bool feed(rig *r)
{
    bool reached = r->memory.calls >= r->memory.fail_at;
    r->memory.fail_at = 0;
    return reached;
}

static void test_each_allocation_that_fails_loses_nobody(void **state)
{
    rig *r = (rig *)*state;
    size_t refused = 0;
    weft_status status = WEFT_NO_MEMORY;
    for (size_t turn = 0, reached = 1; reached; turn++) {
        settle(r);
        starve(r, turn);
        status = save(r, true);
        reached = feed(r);
        if (status != WEFT_OK) {
            refused++;
            assert_int_equal(status, WEFT_NO_MEMORY);
            assert_non_null(strstr(vault_error(r->w), "no memory"));
        }
        check_saved(r, status, true, status == WEFT_OK);
        assert_int_equal(folder_count(&r->folder), 1);
        restore(r);
    }
    assert_int_equal(status, WEFT_OK);
    assert_true(refused > 4);
}

static void check_not_loaded(rig *r, const content *file)
{
    static content found;
    assert_int_equal(count_away(r), r->n);
    assert_true(vault_hash_exact(r->w) == r->exact);
    content_read(&found, r->folder.save);
    assert_true(content_same(&found, file));
}

static void leave(rig *r, content *file)
{
    settle(r);
    assert_int_equal(save(r, true), WEFT_OK);
    content_read(file, r->folder.save);
    settle(r);
}

static void check_returned(rig *r)
{
    assert_int_equal(count_away(r), 0);
    settle(r);
    assert_true(vault_hash(r->w) == r->hash);
}

static void test_each_allocation_that_fails_leaves_them_away(void **state)
{
    static content file;
    rig *r = (rig *)*state;
    size_t refused = 0;
    leave(r, &file);
    for (size_t turn = 0, reached = 1; reached; turn++) {
        starve(r, turn);
        weft_status status = load(r);
        reached = feed(r);
        if (status == WEFT_OK) {
            check_returned(r);
            leave(r, &file);
            continue;
        }
        refused++;
        assert_int_equal(status, WEFT_NO_MEMORY);
        assert_non_null(strstr(vault_error(r->w), "no memory"));
        check_not_loaded(r, &file);
    }
    assert_true(refused > 60);
    bring_back(r);
}

// ------------------------------------------------------------------------------------------------
// Loading

static void test_each_call_that_fails_leaves_them_away(void **state)
{
    static const struct {
        const char *call;
        disk_harm harm;
        int error;
        const char *words; // NULL: the load succeeds
    } all[] = {
        {"open", DISK_FAILS, EMFILE, "cannot be opened: Too many open files"},
        {"open", DISK_FAILS, EINTR, NULL},
        {"read", DISK_FAILS, EIO, "cannot be read: Input/output error"},
        {"read", DISK_FAILS, EINTR, NULL},
        {"read", DISK_DOES_NOTHING, 0, "cannot be read: it became shorter while it was read"},
        {"close", DISK_FAILS, EIO, NULL},
    };
    static content file;
    rig *r = (rig *)*state;
    for (size_t i = 0; i < LENGTH(all); i++) {
        leave(r, &file);
        disk_begin(&(disk){.call = all[i].call,
                           .turn = 1,
                           .harm = all[i].harm,
                           .error = all[i].error,
                           .piece = 1000});
        weft_status status = load(r);
        disk_seen seen = disk_end();
        assert_true(seen.fired);
        assert_int_equal(seen.open, 0);
        assert_int_equal(status, all[i].words ? WEFT_IO : WEFT_OK);
        if (status == WEFT_OK) {
            check_returned(r);
            continue;
        }
        assert_non_null(strstr(vault_error(r->w), r->folder.save));
        assert_non_null(strstr(vault_error(r->w), all[i].words));
        check_not_loaded(r, &file);
        bring_back(r);
    }
}

static void test_a_damaged_part_is_named(void **state)
{
    static content file;
    rig *r = (rig *)*state;
    leave(r, &file);
    content_write(r->folder.save, file.bytes, file.count - 8);
    assert_int_equal(load(r), WEFT_BAD_FILE);
    assert_non_null(strstr(vault_error(r->w), r->folder.save));
    assert_non_null(strstr(vault_error(r->w), "it was cut off or is still being copied"));
    content_write(r->folder.save, file.bytes, file.count);
    bring_back(r);
}

int main(void)
{
#define RIG(test) cmocka_unit_test_setup_teardown(test, open_rig, close_rig)
#define QUERY(test) cmocka_unit_test_setup_teardown(test, open_query, close_rig)
    const struct CMUnitTest tests[] = {
        RIG(test_each_call_that_fails_loses_nobody),
        QUERY(test_each_call_that_fails_loses_nobody),
        RIG(test_what_failed_is_reported),
        RIG(test_a_disk_that_dies_loses_nobody),
        RIG(test_a_disk_that_is_full_loses_nobody),
        RIG(test_the_file_is_on_the_disk_before_anybody_leaves),
        RIG(test_a_first_part_that_fails_leaves_no_file),
        RIG(test_each_allocation_that_fails_loses_nobody),
        QUERY(test_each_allocation_that_fails_loses_nobody),
        RIG(test_each_allocation_that_fails_leaves_them_away),
        RIG(test_each_call_that_fails_leaves_them_away),
        RIG(test_a_damaged_part_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
