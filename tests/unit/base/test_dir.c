/* Tests of base/os/dir.h. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/dir.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_dir(void)
{
    int dir = -1;

    assert_int_equal(dir_open(test_dir(), &dir), ST_OK);
    return dir;
}

static void make(int dir, const char *name, const char *text)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static off_t size_of(int dir, const char *name)
{
    struct stat info;

    assert_int_equal(fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW), 0);
    return info.st_size;
}

static mode_t mode_of(int dir, const char *name)
{
    struct stat info;

    assert_int_equal(fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW), 0);
    return info.st_mode & 0777;
}

static void names_that_may_lead_elsewhere_are_refused(void **state)
{
    static const char *const bad[] = {"",     ".",    "..",  "../x",  "a/b",     "/etc/passwd",
                                      ".ssh", "a\nb", "a b", "-\x1b", "\xc3\xa9"};
    int dir = open_dir(), fd = -1;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(dir_file(dir, str_of(bad[i]), O_RDWR | O_CREAT, &fd), ST_INVALID);
        assert_int_equal(dir_remove(dir, str_of(bad[i])), ST_INVALID);
        assert_int_equal(dir_rename(dir, str_of(bad[i]), STR("x")), ST_INVALID);
        assert_int_equal(dir_rename(dir, STR("x"), str_of(bad[i])), ST_INVALID);
        assert_int_equal(dir_folder(dir, bad[i], true, &fd), ST_INVALID);
    }
    assert_false(dir_is_name((struct str){"a\0b", 3}));
    assert_int_equal(fd, -1);
    close(dir);
}

static void links_are_not_followed(void **state)
{
    int dir = open_dir(), fd = -1;

    (void)state;
    make(dir, "victim", "precious");
    assert_int_equal(symlinkat("victim", dir, "link"), 0);
    assert_int_equal(symlinkat("/", dir, "up"), 0);
    assert_int_equal(symlinkat("fresh", dir, "dangling"), 0);
    assert_int_equal(dir_file(dir, STR("link"), O_WRONLY | O_TRUNC, &fd), ST_INVALID);
    assert_int_equal(dir_file(dir, STR("link"), O_RDONLY, &fd), ST_INVALID);
    assert_int_equal(dir_file(dir, STR("dangling"), O_WRONLY | O_CREAT, &fd), ST_INVALID);
    assert_int_equal(dir_folder(dir, "up", true, &fd), ST_INVALID);
    assert_int_equal(faccessat(dir, "fresh", F_OK, 0), -1);
    assert_int_equal(dir_remove(dir, STR("link")), ST_OK); /* the link, not the file */
    assert_int_equal(size_of(dir, "victim"), 8);
    close(dir);
}

static void pipes_and_folders_are_no_files(void **state)
{
    int dir = open_dir(), fd = -1;

    (void)state;
    assert_int_equal(mkfifoat(dir, "pipe", 0600), 0);
    assert_int_equal(mkdirat(dir, "folder", 0700), 0);
    assert_int_equal(dir_file(dir, STR("pipe"), O_RDONLY, &fd), ST_INVALID);
    assert_int_equal(dir_file(dir, STR("pipe"), O_WRONLY, &fd), ST_INVALID);
    assert_int_equal(dir_file(dir, STR("folder"), O_RDONLY, &fd), ST_INVALID);
    assert_int_equal(dir_folder(dir, "pipe", false, &fd), ST_INVALID);
    close(dir);
}

static void files_are_made_emptied_renamed_and_removed(void **state)
{
    int dir = open_dir(), fd = -1, sub = -1;

    (void)state;
    assert_int_equal(dir_folder(dir, "warc", false, &sub), ST_MISSING);
    assert_int_equal(dir_folder(dir, "warc", true, &sub), ST_OK);
    assert_int_equal(dir_file(sub, STR("a.warc.gz"), O_RDONLY, &fd), ST_MISSING);
    assert_int_equal(dir_file(sub, STR("a.warc.gz"), O_WRONLY | O_CREAT | O_EXCL, &fd), ST_OK);
    assert_int_equal(write(fd, "abc", 3), 3);
    close(fd);
    assert_int_equal(dir_file(sub, STR("a.warc.gz"), O_WRONLY | O_CREAT | O_EXCL, &fd), ST_EXISTS);
    assert_int_equal(mode_of(sub, "a.warc.gz"), 0600);
    assert_int_equal(mode_of(dir, "warc"), 0700);
    assert_int_equal(dir_rename(sub, STR("a.warc.gz"), STR("b.warc.gz")), ST_OK);
    assert_int_equal(size_of(sub, "b.warc.gz"), 3);
    assert_int_equal(dir_file(sub, STR("b.warc.gz"), O_WRONLY | O_TRUNC, &fd), ST_OK);
    close(fd);
    assert_int_equal(size_of(sub, "b.warc.gz"), 0);
    assert_int_equal(dir_sync(sub), ST_OK);
    assert_int_equal(dir_remove(sub, STR("b.warc.gz")), ST_OK);
    assert_int_equal(dir_remove(sub, STR("b.warc.gz")), ST_MISSING);
    close(sub);
    close(dir);
}

static void a_file_with_a_second_name_is_read_and_not_written(void **state)
{
    int dir = open_dir(), fd = -1;

    (void)state;
    make(dir, "victim", "precious");
    assert_int_equal(linkat(dir, "victim", dir, "second", 0), 0);
    assert_int_equal(dir_file(dir, STR("second"), O_WRONLY | O_TRUNC, &fd), ST_INVALID);
    assert_int_equal(dir_check(dir, STR("second"), true), ST_INVALID);
    assert_int_equal(dir_check(dir, STR("second"), false), ST_OK);
    assert_int_equal(dir_file(dir, STR("second"), O_RDONLY, &fd), ST_OK);
    close(fd);
    assert_int_equal(dir_file_new(dir, STR("second"), &fd), ST_OK); /* in its place */
    close(fd);
    assert_int_equal(size_of(dir, "second"), 0);
    assert_int_equal(size_of(dir, "victim"), 8);
    close(dir);
}

static void the_last_component_of_a_path_is_no_link(void **state)
{
    const char *where = test_dir();
    char path[4096];
    int dir = -1, fd = -1;

    (void)state;
    assert_int_equal(dir_open(where, &dir), ST_OK);
    make(dir, "victim", "precious");
    assert_int_equal(symlinkat("victim", dir, "link"), 0);
    assert_int_equal(dir_check(dir, STR("link"), false), ST_INVALID);
    (void)snprintf(path, sizeof path, "%s/link", where);
    assert_int_equal(dir_file_of(path, O_RDONLY, &fd), ST_INVALID);
    (void)snprintf(path, sizeof path, "%s/victim", where);
    assert_int_equal(dir_file_of(path, O_RDONLY, &fd), ST_OK);
    close(fd);
    close(dir);
}

static void a_path_that_is_no_directory_is_said_so(void **state)
{
    const char *where = test_dir();
    char path[4096];
    int dir = -1, fd = -1;

    (void)state;
    assert_int_equal(dir_open(where, &dir), ST_OK);
    make(dir, "file", "x");
    (void)snprintf(path, sizeof path, "%s/file", where);
    assert_int_equal(dir_open(path, &fd), ST_INVALID);
    (void)snprintf(path, sizeof path, "%s/nothing", where);
    assert_int_equal(dir_open(path, &fd), ST_MISSING);
    assert_int_equal(dir_sync_name(path), ST_OK); /* that it is gone is a change, too */
    (void)snprintf(path, sizeof path, "%s/nothing/below/", where);
    assert_int_equal(dir_sync_name(path), ST_MISSING);
    assert_int_equal(dir_sync_name("here"), ST_OK);
    close(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_may_lead_elsewhere_are_refused),
        cmocka_unit_test(links_are_not_followed),
        cmocka_unit_test(pipes_and_folders_are_no_files),
        cmocka_unit_test(files_are_made_emptied_renamed_and_removed),
        cmocka_unit_test(a_file_with_a_second_name_is_read_and_not_written),
        cmocka_unit_test(the_last_component_of_a_path_is_no_link),
        cmocka_unit_test(a_path_that_is_no_directory_is_said_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
