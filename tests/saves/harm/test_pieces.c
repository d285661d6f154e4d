// Files of many pieces, written in parts of any size: every write except the last is a whole piece
// at a multiple of its size. If any write fails or is short, the file is complete or missing.
//
// program: worlds byte_order
#include "../../fuzz/dice.h"
#include "../../runtime/unit/fixture.h"
#include "disk.h"
#include "folder.h"
#include "save/file.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PIECE WEFT_FILE_PIECE_BYTES
#define BYTES (5 * PIECE + 4096 + 8)
#define WRITES 6

typedef struct rig {
    folder folder;
    fixture_memory memory;
    weft_heap heap;
    unsigned char bytes[BYTES];
} rig;

static int open_rig(void **state)
{
    static rig r;
    dice d = {5};
    folder_make(&r.folder);
    r.memory = (fixture_memory){0};
    weft_memory hooks = fixture_hooks(&r.memory);
    if (!weft_heap_open(&r.heap, &hooks)) return 1;
    for (size_t i = 0; i < BYTES; i++) r.bytes[i] = (unsigned char)dice_bits(&d);
    *state = &r;
    return 0;
}

static int close_rig(void **state)
{
    const rig *r = (const rig *)*state;
    folder_remove(&r->folder);
    return r->memory.held != 0;
}

// Writes all bytes, in words and in parts of up to three pieces, some of which are exactly one.
static void write_parts(const rig *r, weft_sink *sink, dice *d)
{
    static const size_t most[] = {1, 100, PIECE / 8, 3 * PIECE / 8};
    size_t at = 0;
    while (at < BYTES) {
        size_t part = (1 + dice_below(d, (uint32_t)most[dice_below(d, 4)])) * WEFT_WORD_BYTES;
        if (dice_once_in(d, 4)) part = PIECE - at % PIECE;
        if (part > BYTES - at) part = BYTES - at;
        weft_write_bytes(sink, r->bytes + at, part);
        at += part;
    }
}

// Says whether it was written; the disk is sound again.
static bool write_file(rig *r, const disk *harm, dice *d, disk_seen *seen)
{
    weft_file file;
    weft_sink sink = {.write = weft_file_write, .to = &file, .piece_bytes = PIECE};
    disk_begin(harm);
    assert_true(weft_file_open(&file, &r->heap, r->folder.save));
    assert_true(weft_file_begin(&file));
    weft_checksum_begin(&sink.sum);
    write_parts(r, &sink, d);
    bool written = weft_file_end(&file, !sink.failed);
    weft_file_close(&file);
    *seen = disk_end();
    assert_int_equal(seen->open, 0);
    assert_int_equal(r->memory.held, 0);
    return written;
}

// Finds all bytes in the file, and takes it away.
static void check_whole(const rig *r)
{
    static unsigned char found[BYTES + 1];
    FILE *file = fopen(r->folder.save, "rb");
    assert_non_null(file);
    assert_int_equal(fread(found, 1, sizeof found, file), BYTES);
    assert_int_equal(fclose(file), 0);
    assert_memory_equal(found, r->bytes, BYTES);
    assert_int_equal(remove(r->folder.save), 0);
}

static void test_every_write_is_a_whole_piece(void **state)
{
    rig *r = (rig *)*state;
    disk_seen seen;
    dice d = {1};
    for (int round = 0; round < 10; round++) {
        assert_true(write_file(r, NULL, &d, &seen));
        assert_int_equal(seen.writes, WRITES);
        check_whole(r);
    }
}

static void test_each_write_that_fails_leaves_nothing(void **state)
{
    rig *r = (rig *)*state;
    disk_seen seen;
    dice d = {2};
    for (unsigned turn = 1; turn <= WRITES; turn++) {
        disk harm = {.call = "write", .turn = turn, .error = ENOSPC};
        assert_false(write_file(r, &harm, &d, &seen));
        assert_true(seen.fired);
        assert_int_equal(seen.writes, turn - 1); // nothing is asked of the disk any more
        assert_int_equal(folder_count(&r->folder), 0);
    }
}

static void test_a_disk_that_is_full_leaves_nothing(void **state)
{
    static const size_t spaces[] = {PIECE - 1, PIECE, 3 * PIECE + 8, BYTES - 1};
    rig *r = (rig *)*state;
    disk_seen seen;
    dice d = {3};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        disk harm = {.call = "", .space = spaces[i]};
        assert_false(write_file(r, &harm, &d, &seen));
        assert_true(seen.fired);
        assert_int_equal(folder_count(&r->folder), 0);
    }
}

static void test_short_writes_are_gone_on_with(void **state)
{
    static const size_t pieces[] = {4095, 100000, PIECE - 1};
    rig *r = (rig *)*state;
    disk_seen seen;
    dice d = {4};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        disk harm = {.piece = pieces[i]};
        assert_true(write_file(r, &harm, &d, &seen));
        check_whole(r);
    }
}

int main(void)
{
#define RIG(test) cmocka_unit_test_setup_teardown(test, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        RIG(test_every_write_is_a_whole_piece),
        RIG(test_each_write_that_fails_leaves_nothing),
        RIG(test_a_disk_that_is_full_leaves_nothing),
        RIG(test_short_writes_are_gone_on_with),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
