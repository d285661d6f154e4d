// Saves of the lab that were cut, changed, written to a full disk, or loaded without memory: the world
// and the old file stay as they were.
#define _POSIX_C_SOURCE 200809L // support/asserts.h; setrlimit

#include "../support/asserts.h"
#include "../unit/fixture.h"
#include "lab.h"
#include "weft_save_format.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct saved {
    fixture_memory memory;
    weft_memory hooks;
    lab_world *w;
    unsigned char *bytes; // of a save of it
    size_t count;
} saved;

// Everything that a save has: columns of both layouts, lists, tags, stores, free indices, clocks.
static void populate(lab_world *w)
{
    lab_entity all[12];
    for (uint32_t i = 0; i < 12; i++) {
        all[i] = i % 3 == 0 ? lab_stone_spawn(w, NULL) : lab_walker_spawn(w, NULL);
    }
    lab_wet_set(w, all[4], (lab_wet){3});
    lab_wet_set(w, all[2], (lab_wet){4});
    lab_seen_set(w, all[5]);
    lab_aiming_set(w, all[7]);
    lab_enchanted_set(w, all[1], (lab_enchanted){.spells = {.count = 2}});
    lab_despawn(w, all[8]);
    lab_despawn(w, all[3]);
    lab_weather_edit(w)->days = 5;
}

static int open_saved(void **state)
{
    static saved s;
    memset(&s, 0, sizeof s);
    s.hooks = fixture_hooks(&s.memory);
    s.w = lab_open(&(weft_options){.memory = s.hooks});
    if (!s.w) return 1;
    populate(s.w);
    void *bytes = NULL;
    int failed = lab_save_memory(s.w, &bytes, &s.count) != WEFT_OK;
    s.bytes = (unsigned char *)bytes;
    lab_seen_clear(s.w); // from here on it is another world than the save
    *state = &s;
    return failed;
}

static int close_saved(void **state)
{
    saved *s = (saved *)*state;
    if (s->bytes) s->hooks.free_(s->hooks.user, s->bytes, s->count);
    lab_close(s->w);
    return s->memory.held != 0;
}

static void assert_refused(saved *s, const void *bytes, size_t count, uint64_t exact)
{
    assert_int_equal(lab_load_memory(s->w, bytes, count), WEFT_BAD_FILE);
    assert_true(lab_error(s->w)[0] != '\0');
    assert_true(lab_hash_exact(s->w) == exact);
}

static void test_every_truncation_is_refused(void **state)
{
    saved *s = (saved *)*state;
    uint64_t exact = lab_hash_exact(s->w);
    for (size_t count = 0; count < s->count; count++) {
        unsigned char *cut = (unsigned char *)malloc(count + 1); // so that a sanitizer sees its end
        memcpy(cut, s->bytes, count);
        assert_refused(s, cut, count, exact);
        free(cut);
    }
    assert_int_equal(lab_load_memory(s->w, s->bytes, s->count), WEFT_OK);
}

static void test_every_changed_byte_is_refused(void **state)
{
    static const unsigned char changes[] = {0x01, 0x80, 0xFF};
    saved *s = (saved *)*state;
    uint64_t exact = lab_hash_exact(s->w);
    for (size_t at = 0; at < s->count; at++) {
        unsigned char change = changes[at % sizeof changes];
        s->bytes[at] ^= change;
        assert_refused(s, s->bytes, s->count, exact);
        s->bytes[at] ^= change;
    }
}

static void test_bytes_behind_the_end_are_refused(void **state)
{
    saved *s = (saved *)*state;
    unsigned char *longer = (unsigned char *)calloc(1, s->count + 8);
    memcpy(longer, s->bytes, s->count);
    assert_refused(s, longer, s->count + 8, lab_hash_exact(s->w));
    free(longer);
}

// A head that says so, and is sound.
static void test_half_a_word_behind_the_end_is_refused(void **state)
{
    saved *s = (saved *)*state;
    for (size_t more = 1; more < 8; more++) {
        weft_checksum sum;
        unsigned char *longer = (unsigned char *)calloc(1, s->count + more);
        memcpy(longer, s->bytes, s->count);
        longer[s->count] = (unsigned char)more;
        weft_little_write(longer + 16, 8, s->count + more);
        weft_checksum_begin(&sum);
        weft_checksum_add(&sum, longer, 24);
        weft_little_write(longer + 24, 8, weft_checksum_end(&sum));
        assert_refused(s, longer, s->count + more, lab_hash_exact(s->w));
        free(longer);
    }
}

// Puts the right checksum behind the section that has the byte.
static void mend(unsigned char *bytes, size_t count, size_t changed)
{
    size_t at = WEFT_SAVE_HEAD_BYTES;
    while (at < count) {
        uint64_t body = weft_little_read(bytes + at + 8, 8);
        size_t end = at + WEFT_SECTION_HEAD_BYTES + (size_t)body;
        if (body > count || end > count - 8) return; // its own length was changed
        if (changed < end) {
            weft_checksum sum;
            weft_checksum_begin(&sum);
            weft_checksum_add(&sum, bytes + at, end - at);
            weft_little_write(bytes + end, 8, weft_checksum_end(&sum));
            return;
        }
        at = end + 8;
    }
}

// What somebody made who knows the format: it is refused or is a world like any other.
static void test_a_changed_byte_with_the_right_checksum_does_no_harm(void **state)
{
    static const unsigned char changes[] = {0x01, 0x02, 0x10, 0x80, 0xFF};
    saved *s = (saved *)*state;
    unsigned char *bytes = (unsigned char *)malloc(s->count);
    uint32_t loaded = 0;
    for (size_t at = WEFT_SAVE_HEAD_BYTES; at < s->count; at++) {
        for (size_t i = 0; i < sizeof changes; i++) {
            memcpy(bytes, s->bytes, s->count);
            bytes[at] ^= changes[i];
            mend(bytes, s->count, at);
            uint64_t exact = lab_hash_exact(s->w);
            weft_status status = lab_load_memory(s->w, bytes, s->count);
            if (status != WEFT_OK) {
                assert_true(lab_hash_exact(s->w) == exact);
                continue;
            }
            loaded++;
            lab_entity e = lab_walker_spawn(s->w, NULL);
            assert_true(lab_alive(s->w, e));
            assert_true(lab_despawn(s->w, e));
            lab_seen_clear(s->w);
        }
    }
    assert_true(loaded > 0);
    free(bytes);
}

// Loads with the call to memory failing that is so many from now. True: there were so many.
static bool load_failing(saved *s, size_t fail)
{
    lab_seen_clear(s->w); // a load that did without, such as without address space, has set it
    uint64_t exact = lab_hash_exact(s->w);
    size_t held = s->memory.held;
    size_t calls = s->memory.calls;
    s->memory.fail_at = calls + fail;
    weft_status status = lab_load_memory(s->w, s->bytes, s->count);
    s->memory.fail_at = 0;
    assert_true(status == WEFT_OK || status == WEFT_NO_MEMORY);
    assert_true((lab_hash_exact(s->w) == exact) == (status == WEFT_NO_MEMORY));
    if (status == WEFT_NO_MEMORY) assert_int_equal(s->memory.held, held);
    return s->memory.calls - calls >= fail;
}

static void test_loading_without_memory_changes_nothing(void **state)
{
    size_t fail = 1;
    while (load_failing((saved *)*state, fail)) fail++;
    assert_true(fail > 20);
}

static void test_memory_is_counted(void **state)
{
    saved *s = (saved *)*state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(lab_load_memory(s->w, s->bytes, s->count), WEFT_OK);
        size_t bytes = lab_stats(s->w).bytes_allocated;
        assert_int_equal(lab_load_memory(s->w, s->bytes, s->count), WEFT_OK);
        assert_int_equal(lab_stats(s->w).bytes_allocated, bytes);
    }
}

static void test_saving_without_memory_is_said(void **state)
{
    saved *s = (saved *)*state;
    void *bytes;
    size_t count;
    for (size_t fail = 1;; fail++) {
        s->memory.fail_at = s->memory.calls + fail;
        weft_status status = lab_save_memory(s->w, &bytes, &count);
        s->memory.fail_at = 0;
        if (status == WEFT_OK) break;
        assert_int_equal(status, WEFT_NO_MEMORY);
        assert_null(bytes);
        assert_string_equal(lab_error(s->w), "no memory to save the world");
    }
    s->hooks.free_(s->hooks.user, bytes, count);
}

// ------------------------------------------------------------------------------------------------
// Files

static size_t read_all(const char *path, unsigned char *to, size_t most)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t count = fread(to, 1, most, file);
    fclose(file);
    return count;
}

// A disk that is full after so many bytes.
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void test_a_full_disk_leaves_the_old_file(void **state)
{
    static unsigned char before[65536], after[65536];
    char folder[] = "/tmp/weft_save_XXXXXX";
    char path[64], beside[80];
    saved *s = (saved *)*state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/lab", folder);
    snprintf(beside, sizeof beside, "%s.saving", path);
    assert_int_equal(lab_save(s->w, path), WEFT_OK);
    size_t count = read_all(path, before, sizeof before);
    lab_weather_edit(s->w)->days++;
    signal(SIGXFSZ, SIG_IGN);
    for (size_t room = 0; room < count; room += count / 40 + 1) {
        limit_files(room);
        weft_status status = lab_save(s->w, path);
        limit_files(RLIM_INFINITY);
        assert_int_equal(status, WEFT_IO);
        assert_non_null(strstr(lab_error(s->w), "cannot be written: File too large"));
        assert_int_equal(read_all(path, after, sizeof after), count);
        assert_memory_equal(before, after, count);
        assert_int_not_equal(access(beside, F_OK), 0);
    }
    assert_int_equal(lab_save(s->w, path), WEFT_OK);
    uint64_t exact = lab_hash_exact(s->w);
    lab_weather_edit(s->w)->days++;
    assert_int_equal(lab_load(s->w, path), WEFT_OK);
    assert_true(lab_hash_exact(s->w) == exact);
    remove(path);
    rmdir(folder);
}

int main(void)
{
#define SAVED(test) cmocka_unit_test_setup_teardown(test, open_saved, close_saved)
    const struct CMUnitTest tests[] = {
        SAVED(test_every_truncation_is_refused),
        SAVED(test_every_changed_byte_is_refused),
        SAVED(test_bytes_behind_the_end_are_refused),
        SAVED(test_half_a_word_behind_the_end_is_refused),
        SAVED(test_a_changed_byte_with_the_right_checksum_does_no_harm),
        SAVED(test_loading_without_memory_changes_nothing),
        SAVED(test_memory_is_counted),
        SAVED(test_saving_without_memory_is_said),
        SAVED(test_a_full_disk_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
