// Paths that cannot hold a save, paths through links, and paths to which other processes save at
// the same time.
//
// program: quick worlds
#define _DEFAULT_SOURCE

#include "filled.h"
#include "folder.h"
#include "save/file.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct rig {
    folder folder;
    vault_world *w;
} rig;

static int open_rig(void **state)
{
    static rig r;
    dice d = {1};
    folder_make(&r.folder);
    r.w = vault_open(NULL);
    if (!r.w) return 1;
    filled_spawn(vault_world_base(r.w), &d, 40);
    *state = &r;
    return 0;
}

static int close_rig(void **state)
{
    rig *r = (rig *)*state;
    vault_close(r->w);
    folder_remove(&r->folder);
    return 0;
}

static void save_to(rig *r, const char *path)
{
    assert_int_equal(vault_save(r->w, path), WEFT_OK);
}

static void assert_is_saved(const rig *r, const char *path)
{
    vault_world *other = vault_open(NULL);
    assert_int_equal(vault_load(other, path), WEFT_OK);
    assert_true(vault_hash(other) == vault_hash(r->w));
    vault_close(other);
}

// ------------------------------------------------------------------------------------------------
// Where no save can be

// It is refused, and the words are those; `%s` in them is the path.
static void assert_reported(rig *r, weft_status status, const char *path, const char *said)
{
    char words[400];
    snprintf(words, sizeof words, said, path);
    assert_int_equal(status, WEFT_IO);
    assert_string_equal(vault_error(r->w), words);
}

static void assert_save_reported(rig *r, const char *path, const char *said)
{
    uint64_t exact = vault_hash_exact(r->w);
    assert_reported(r, vault_save(r->w, path), path, said);
    assert_true(vault_hash_exact(r->w) == exact);
}

static void assert_load_reported(rig *r, const char *path, const char *said)
{
    uint64_t exact = vault_hash_exact(r->w);
    assert_reported(r, vault_load(r->w, path), path, said);
    assert_true(vault_hash_exact(r->w) == exact);
}

static void test_no_path(void **state)
{
    rig *r = (rig *)*state;
    assert_save_reported(r, "", "the save '%s' cannot be made: the path is empty");
    assert_load_reported(r, "", "the save '%s' cannot be opened: the path is empty");
    assert_save_reported(r, NULL, "the save '' cannot be made: the path is NULL");
    assert_load_reported(r, NULL, "the save '' cannot be opened: the path is NULL");
    assert_int_not_equal(access(".saving", F_OK), 0);
}

static void test_no_such_folder(void **state)
{
    rig *r = (rig *)*state;
    char path[128];
    snprintf(path, sizeof path, "%s/none/vault", r->folder.path);
    assert_save_reported(r, path, "the save '%s' cannot be made: No such file or directory");
    assert_load_reported(r, path, "the save '%s' cannot be opened: No such file or directory");
    snprintf(path, sizeof path, "%s/none/", r->folder.path);
    assert_save_reported(r, path, "the save '%s' cannot be made: No such file or directory");
}

static void test_a_folder(void **state)
{
    rig *r = (rig *)*state;
    assert_save_reported(r, r->folder.path, "the save '%s' cannot be replaced: it is a folder");
    assert_load_reported(r, r->folder.path, "the save '%s' cannot be read: it is a folder");
}

static void test_below_a_file(void **state)
{
    rig *r = (rig *)*state;
    char path[128];
    save_to(r, r->folder.save);
    snprintf(path, sizeof path, "%s/vault/vault", r->folder.path);
    assert_save_reported(r, path, "the save '%s' cannot be made: Not a directory");
    assert_load_reported(r, path, "the save '%s' cannot be opened: Not a directory");
}

static void test_too_long(void **state)
{
    rig *r = (rig *)*state;
    char name[300];
    char said[400];
    static char path[WEFT_PATH_BYTES_MAX + 2];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    snprintf(path, sizeof path, "%s/%s", r->folder.path, name);
    snprintf(said, sizeof said, "the save '%.256s' cannot be made: File name too long", path);
    assert_int_equal(vault_save(r->w, path), WEFT_IO);
    assert_string_equal(vault_error(r->w), said);
    size_t folder_bytes = strlen(r->folder.path);
    for (size_t length = WEFT_PATH_BYTES_MAX - 1; length <= WEFT_PATH_BYTES_MAX; length++) {
        memcpy(path, r->folder.path, folder_bytes);
        memset(path + folder_bytes, '/', length - folder_bytes);
        path[length - 1] = 'v';
        path[length] = '\0';
        assert_int_equal(vault_save(r->w, path), WEFT_IO);
        assert_non_null(strstr(vault_error(r->w), "cannot be made: File name too long"));
    }
    strcpy(path + WEFT_PATH_BYTES_MAX - 16, "v"); // there is space for the new one's name beside it
    save_to(r, path);
    assert_is_saved(r, path);
}

// Saves under a name and loads that; no other file stays.
static void assert_saves_as(rig *r, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", r->folder.path, name);
    save_to(r, path);
    save_to(r, path); // over another one
    assert_is_saved(r, path);
    assert_int_equal(vault_save_begin(r->w, path), WEFT_OK);
    assert_int_equal(vault_save_wait(r->w), WEFT_OK);
    assert_is_saved(r, path);
    assert_int_equal(folder_count(&r->folder), 1);
    assert_int_equal(unlink(path), 0);
}

// A name as long as the file system takes has no space for a suffix.
static void test_long_names(void **state)
{
    rig *r = (rig *)*state;
    char name[300], path[512];
    for (size_t length = 240; length <= 255; length++) {
        for (size_t bytes = 1; bytes <= 4; bytes++) { // of a character
            static const char *const characters[] = {"n", "\xC3\xA9", "\xE2\x82\xAC",
                                                     "\xF0\x9F\x90\x9F"};
            size_t at = length % bytes;
            memset(name, 'n', at);
            for (; at < length; at += bytes) memcpy(name + at, characters[bytes - 1], bytes);
            name[length] = '\0';
            assert_saves_as(r, name);
        }
        for (size_t digit = 0; digit <= 1; digit++) { // as if it were the new file's
            memset(name, 'n', length);
            memcpy(name + length - 7 - digit, digit ? ".saving2" : ".saving", 7 + digit);
            assert_saves_as(r, name);
        }
    }
    memset(name, 'n', 256);
    name[256] = '\0';
    snprintf(path, sizeof path, "%s/%s", r->folder.path, name);
    assert_int_equal(vault_save(r->w, path), WEFT_IO);
    assert_non_null(strstr(vault_error(r->w), "cannot be made: File name too long"));
    assert_int_equal(folder_count(&r->folder), 0);
}

// Does it as a user who is not allowed everything; all that the process returns is 0 or 1.
static bool as_nobody(bool (*act)(rig *r), rig *r)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        bool stays = geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0);
        _exit(!stays && act(r) ? 0 : 1);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_reported(rig *r, weft_status status, const char *said)
{
    return status == WEFT_IO && strstr(vault_error(r->w), said) &&
           strstr(vault_error(r->w), r->folder.save);
}

static bool devices_are_refused(rig *r)
{
    return vault_save(r->w, "/dev/full") == WEFT_IO &&
           strstr(vault_error(r->w), "'/dev/full' cannot be replaced: it is not a regular file") &&
           vault_load(r->w, "/dev/zero") == WEFT_IO &&
           strstr(vault_error(r->w), "'/dev/zero' cannot be read: it is not a regular file");
}

// A user tries it who could not do harm to the device.
static void test_what_is_no_file(void **state)
{
    rig *r = (rig *)*state;
    assert_true(as_nobody(devices_are_refused, r));
    assert_int_equal(mkfifo(r->folder.save, 0600), 0);
    assert_save_reported(r, r->folder.save,
                         "the save '%s' cannot be replaced: it is not a regular file");
    assert_load_reported(r, r->folder.save,
                         "the save '%s' cannot be read: it is not a regular file");
}

static bool folder_is_shut(rig *r)
{
    return is_reported(r, vault_save(r->w, r->folder.save), "cannot be made: Permission denied");
}

static bool file_is_shut(rig *r)
{
    return is_reported(r, vault_save(r->w, r->folder.save),
                       "cannot be replaced: Permission denied") &&
           is_reported(r, vault_load(r->w, r->folder.save), "cannot be opened: Permission denied");
}

// The folder may be written to, and not looked into.
static bool folder_is_a_slot(rig *r)
{
    return vault_save(r->w, r->folder.save) == WEFT_OK;
}

static void test_no_permission(void **state)
{
    rig *r = (rig *)*state;
    assert_int_equal(chmod(r->folder.path, 0555), 0);
    assert_true(as_nobody(folder_is_shut, r));
    assert_int_equal(chmod(r->folder.path, 0777), 0);
    save_to(r, r->folder.save);
    assert_int_equal(chmod(r->folder.save, 0), 0);
    assert_true(as_nobody(file_is_shut, r));
    remove(r->folder.save);
    assert_int_equal(chmod(r->folder.path, 0333), 0);
    assert_true(as_nobody(folder_is_a_slot, r));
    assert_int_equal(chmod(r->folder.path, 0777), 0);
    assert_int_equal(folder_count(&r->folder), 1);
}

static void test_permissions_go_on(void **state)
{
    rig *r = (rig *)*state;
    struct stat there;
    save_to(r, r->folder.save);
    assert_int_equal(chmod(r->folder.save, 0640), 0);
    save_to(r, r->folder.save);
    assert_int_equal(stat(r->folder.save, &there), 0);
    assert_int_equal(there.st_mode & 0777u, 0640);
}

// ------------------------------------------------------------------------------------------------
// Commands that wait

// A command for which there is no space keeps no save from being written.
static void test_a_full_world(void **state)
{
    rig *r = (rig *)*state;
    while (vault_stats(r->w).entities < vault_schema()->max_entities) vault_spawn(r->w);
    vault_cmd_spawn(vault_commands(r->w));
    save_to(r, r->folder.save);
    assert_int_equal(vault_stats(r->w).commands_lost, 1);
    assert_is_saved(r, r->folder.save);
}

// ------------------------------------------------------------------------------------------------
// Links

static void assert_is_link(const char *path)
{
    struct stat there;
    assert_int_equal(lstat(path, &there), 0);
    assert_true(S_ISLNK(there.st_mode));
}

// The file that the links lead to is replaced, wherever it is; they stay.
static void test_through_links(void **state)
{
    rig *r = (rig *)*state;
    char link[128], again[128], other[160];
    snprintf(link, sizeof link, "%s/link", r->folder.path);
    snprintf(again, sizeof again, "%s/again", r->folder.path);
    snprintf(other, sizeof other, "%s/other", r->folder.path);
    assert_int_equal(mkdir(other, 0777), 0);
    strcat(other, "/target");
    assert_int_equal(symlink("other/target", link), 0);
    assert_int_equal(symlink(link, again), 0);
    for (int i = 0; i < 2; i++) { // first there is nothing where they lead
        save_to(r, again);
        assert_is_link(link);
        assert_is_link(again);
        assert_is_saved(r, other);
        assert_is_saved(r, again);
        assert_int_equal(folder_count(&r->folder), 3);
        vault_spawn(r->w);
    }
    remove(other);
}

static void test_links_in_a_circle(void **state)
{
    rig *r = (rig *)*state;
    assert_int_equal(symlink("vault", r->folder.save), 0);
    assert_save_reported(r, r->folder.save,
                         "the save '%s' cannot be made: Too many levels of symbolic links");
    assert_load_reported(r, r->folder.save,
                         "the save '%s' cannot be opened: Too many levels of symbolic links");
}

static void test_in_the_folder_at_hand(void **state)
{
    rig *r = (rig *)*state;
    char before[512];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(r->folder.path), 0);
    save_to(r, "vault");
    assert_int_equal(chdir(before), 0);
    assert_is_saved(r, r->folder.save);
}

// ------------------------------------------------------------------------------------------------
// Others who save there

// A file that a killed process has left is used again, however long it is.
static void test_what_was_left_is_no_trouble(void **state)
{
    static const char rubbish[60000] = "rubbish";
    rig *r = (rig *)*state;
    content_write(folder_path(&r->folder, "vault.saving"), rubbish, sizeof rubbish);
    save_to(r, r->folder.save);
    assert_is_saved(r, r->folder.save);
    assert_int_equal(folder_count(&r->folder), 1);
}

// A file that another process is writing is left alone.
static void test_what_another_one_writes_is_left_alone(void **state)
{
    rig *r = (rig *)*state;
    char new_file[128], bytes[8] = "";
    snprintf(new_file, sizeof new_file, "%s.saving", r->folder.save);
    int other = open(new_file, O_RDWR | O_CREAT, 0600);
    assert_int_equal(flock(other, LOCK_EX), 0);
    assert_int_equal(write(other, "mine", 4), 4);
    save_to(r, r->folder.save);
    assert_is_saved(r, r->folder.save);
    assert_int_equal(pread(other, bytes, sizeof bytes, 0), 4);
    assert_string_equal(bytes, "mine");
    assert_int_equal(folder_count(&r->folder), 2);
    close(other);
    save_to(r, r->folder.save);
    assert_int_equal(folder_count(&r->folder), 1);
}

static void test_too_many_others(void **state)
{
    rig *r = (rig *)*state;
    int others[WEFT_SAVERS_MAX];
    save_to(r, r->folder.save);
    for (int i = 0; i < WEFT_SAVERS_MAX; i++) {
        char name[32];
        snprintf(name, sizeof name, "vault.saving");
        if (i > 0) snprintf(name, sizeof name, "vault.saving%d", i + 1);
        others[i] = open(folder_path(&r->folder, name), O_RDWR | O_CREAT, 0600);
        assert_int_equal(flock(others[i], LOCK_EX), 0);
    }
    assert_save_reported(r, r->folder.save,
                         "the save '%s' cannot be made: too many processes save to it at once");
    for (int i = 0; i < WEFT_SAVERS_MAX; i++) close(others[i]);
    assert_is_saved(r, r->folder.save);
}

// Whatever else has the name of the new file is left alone too.
static void test_what_stands_in_the_way_is_left_alone(void **state)
{
    rig *r = (rig *)*state;
    char kept[128];
    content found;
    snprintf(kept, sizeof kept, "%s", folder_path(&r->folder, "kept"));
    content_write(kept, "kept", 4);
    assert_int_equal(symlink(kept, folder_path(&r->folder, "vault.saving")), 0);
    assert_int_equal(mkdir(folder_path(&r->folder, "vault.saving2"), 0777), 0);
    assert_int_equal(mkfifo(folder_path(&r->folder, "vault.saving3"), 0666), 0);
    assert_int_equal(link(kept, folder_path(&r->folder, "vault.saving4")), 0);
    save_to(r, r->folder.save);
    assert_is_saved(r, r->folder.save);
    content_read(&found, kept);
    assert_int_equal(found.count, 4);
    assert_int_equal(folder_count(&r->folder), 6);
}

// A pipe that is being read can be opened for writing, and is no file all the same.
static void test_a_pipe_that_is_read_gets_no_save(void **state)
{
    rig *r = (rig *)*state;
    const char *pipe = folder_path(&r->folder, "vault.saving");
    char byte;
    assert_int_equal(mkfifo(pipe, 0666), 0);
    int reader = open(pipe, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    save_to(r, r->folder.save);
    assert_is_saved(r, r->folder.save);
    assert_int_equal(read(reader, &byte, 1), 0);
    close(reader);
    assert_int_equal(folder_count(&r->folder), 2);
}

int main(void)
{
#define RIG(test) cmocka_unit_test_setup_teardown(test, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        RIG(test_no_path),
        RIG(test_no_such_folder),
        RIG(test_a_folder),
        RIG(test_below_a_file),
        RIG(test_too_long),
        RIG(test_long_names),
        RIG(test_what_is_no_file),
        RIG(test_no_permission),
        RIG(test_permissions_go_on),
        RIG(test_a_full_world),
        RIG(test_through_links),
        RIG(test_links_in_a_circle),
        RIG(test_in_the_folder_at_hand),
        RIG(test_what_was_left_is_no_trouble),
        RIG(test_what_another_one_writes_is_left_alone),
        RIG(test_too_many_others),
        RIG(test_what_stands_in_the_way_is_left_alone),
        RIG(test_a_pipe_that_is_read_gets_no_save),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
