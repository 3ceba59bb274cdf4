/* file and log. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/os/log.h"

#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A path in a fresh directory; lives until the next call. */
static const char *fresh_path(const char *name)
{
    static char path[256];

    (void)snprintf(path, sizeof path, "%s/%s", test_dir(), name);
    return path;
}

static void a_file_is_read_back_as_it_was_written(void **state)
{
    const char *path = fresh_path("bytes");
    struct str bytes = STR("one\0two\nthree\xff");
    struct buf in = BUF_INIT(100);

    (void)state;
    assert_int_equal(file_write(path, bytes), ST_OK);
    assert_int_equal(file_read(path, &in), ST_OK);
    assert_true(str_eq(buf_str(&in), bytes));
    buf_free(&in);
}

static void a_file_of_many_chunks_is_read_whole(void **state)
{
    const char *path = fresh_path("long");
    struct buf out = BUF_INIT(1 << 20), in = BUF_INIT(1 << 20);

    (void)state;
    for (int i = 0; i < 30000; i++)
        buf_addf(&out, "%d\n", i);
    assert_int_equal(file_write(path, buf_str(&out)), ST_OK);
    assert_int_equal(file_read(path, &in), ST_OK);
    assert_true(str_eq(buf_str(&in), buf_str(&out)));
    buf_free(&out);
    buf_free(&in);
}

static void reading_appends_to_what_the_buffer_holds(void **state)
{
    const char *path = fresh_path("tail");
    struct buf in = BUF_INIT(100);

    (void)state;
    assert_int_equal(file_write(path, STR("tail")), ST_OK);
    buf_add_z(&in, "head and ");
    assert_int_equal(file_read(path, &in), ST_OK);
    assert_str(buf_str(&in), "head and tail");
    buf_free(&in);
}

static void a_file_beyond_the_ceiling_is_refused_by_name(void **state)
{
    const char *path = fresh_path("large");
    struct buf in = BUF_INIT(9);

    (void)state;
    assert_int_equal(file_write(path, STR("0123456789")), ST_OK);
    assert_int_equal(file_read(path, &in), ST_LIMIT);
    assert_non_null(strstr(status_text(), "large"));
    buf_free(&in);
}

static void a_file_that_is_not_there_is_missing_and_a_folder_is_no_file(void **state)
{
    struct buf in = BUF_INIT(100);

    (void)state;
    assert_int_equal(file_read(fresh_path("nowhere"), &in), ST_MISSING);
    assert_non_null(strstr(status_text(), "nowhere"));
    assert_int_equal(file_read(test_dir(), &in), ST_IO);
    assert_int_equal(in.len, 0);
    buf_free(&in);
}

static void writing_replaces_the_old_file_and_leaves_nothing_beside_it(void **state)
{
    char part[300];
    const char *path = fresh_path("again");
    struct buf in = BUF_INIT(100);

    (void)state;
    assert_int_equal(file_write(path, STR("a long first version")), ST_OK);
    assert_int_equal(file_write(path, STR("second")), ST_OK);
    assert_int_equal(file_read(path, &in), ST_OK);
    assert_str(buf_str(&in), "second");
    (void)snprintf(part, sizeof part, "%s.part", path);
    assert_int_not_equal(access(part, F_OK), 0);
    buf_free(&in);
}

static void a_link_in_the_place_of_the_temporary_file_is_not_followed(void **state)
{
    char path[256], part[300], victim[300];
    struct buf in = BUF_INIT(100);

    (void)state;
    (void)snprintf(path, sizeof path, "%s", fresh_path("new"));
    (void)snprintf(part, sizeof part, "%s.part", path);
    (void)snprintf(victim, sizeof victim, "%s.victim", path);
    assert_int_equal(file_write(victim, STR("precious")), ST_OK);
    assert_int_equal(symlink(victim, part), 0);
    assert_int_equal(file_write(path, STR("new")), ST_OK);
    assert_int_equal(file_read(victim, &in), ST_OK);
    assert_str(buf_str(&in), "precious");
    buf_free(&in);
}

static void a_log_that_is_a_link_is_refused(void **state)
{
    char path[256], victim[300];
    struct log *l = NULL;
    struct buf in = BUF_INIT(100);

    (void)state;
    (void)snprintf(path, sizeof path, "%s", fresh_path("crawl.log"));
    (void)snprintf(victim, sizeof victim, "%s.victim", path);
    assert_int_equal(file_write(victim, STR("precious")), ST_OK);
    assert_int_equal(symlink(victim, path), 0);
    assert_int_equal(log_open(path, LOG_INFO, &l), ST_INVALID);
    assert_int_equal(file_read(victim, &in), ST_OK);
    assert_str(buf_str(&in), "precious");
    buf_free(&in);
}

static void writing_where_no_folder_is_fails_and_names_the_file(void **state)
{
    (void)state;
    assert_int_equal(file_write(fresh_path("no/such/folder"), STR("x")), ST_IO);
    assert_non_null(strstr(status_text(), "no/such/folder"));
}

/* Reads a log of at most 1 MiB and hands each line over as JSON. */
static size_t log_lines(const char *path, void (*check)(const json_t *line, size_t at))
{
    struct buf in = BUF_INIT(1 << 20);
    struct str rest, line;
    size_t count = 0;

    test_read(path, &in);
    rest = buf_str(&in);
    while (str_cut(&rest, '\n', &line)) {
        json_t *j = json_loadb(line.ptr, line.len, 0, NULL);

        assert_non_null(j);
        if (check)
            check(j, count);
        json_decref(j);
        count++;
    }
    buf_free(&in);
    return count;
}

static void check_fields(const json_t *line, size_t at)
{
    static const char *const levels[] = {"warn", "error"};

    assert_string_equal(json_string_value(json_object_get(line, "at")), "1970-01-01T00:00:01.500Z");
    assert_string_equal(json_string_value(json_object_get(line, "level")), levels[at]);
    assert_string_equal(json_string_value(json_object_get(line, "what")), "said \"no\"\n");
}

static void a_path_lies_in_a_folder(void **state)
{
    static const char *const cases[][2] = {{"a", "."},   {"a/b", "a"},       {"a/b/", "a"},
                                           {"/a", "/"},  {"/a/b", "/a"},     {"a//b//", "a"},
                                           {"./a", "."}, {"../a/b", "../a"}, {"/", "/"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *folder = file_folder(cases[i][0]);

        assert_string_equal(folder, cases[i][1]);
        free(folder);
    }
}

static void a_log_has_a_json_line_for_what_is_important_enough(void **state)
{
    const char *path = fresh_path("crawl.log");
    struct log *l;

    (void)state;
    assert_int_equal(log_open(path, LOG_WARN, &l), ST_OK);
    log_line(l, LOG_DEBUG, 1500 * US_PER_MS, "unheard");
    log_line(l, LOG_INFO, 1500 * US_PER_MS, "unheard");
    log_line(l, LOG_WARN, 1500 * US_PER_MS, "said \"%s\"\n", "no");
    log_line(l, LOG_ERROR, 1500 * US_PER_MS, "said \"%s\"\n", "no");
    log_close(l);
    assert_int_equal(log_lines(path, check_fields), 2);
}

static void a_log_is_continued_when_it_is_opened_again(void **state)
{
    const char *path = fresh_path("crawl.log");
    struct log *l;

    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(log_open(path, LOG_INFO, &l), ST_OK);
        log_line(l, LOG_INFO, 0, "opened");
        log_close(l);
    }
    assert_int_equal(log_lines(path, NULL), 3);
}

static void check_cut(const json_t *line, size_t at)
{
    const char *what = json_string_value(json_object_get(line, "what"));

    (void)at;
    assert_in_range(strlen(what), 1000, 20000);
    assert_int_equal(what[0], what[999]); /* U+FFFD has three bytes */
}

static void a_sentence_without_end_is_cut_and_its_line_is_whole(void **state)
{
    static const char bytes[] = {'x', '"', '\x01', '\xff'};
    const char *path = fresh_path("crawl.log");
    char *text = malloc(100001);
    struct log *l;

    (void)state;
    assert_int_equal(log_open(path, LOG_INFO, &l), ST_OK);
    text[100000] = '\0';
    for (size_t i = 0; i < sizeof bytes; i++) {
        memset(text, bytes[i], 100000);
        log_line(l, LOG_INFO, 0, "%s", text);
    }
    log_close(l);
    free(text);
    assert_int_equal(log_lines(path, check_cut), sizeof bytes);
}

static void a_log_without_a_file_swallows_everything(void **state)
{
    struct log *l;

    (void)state;
    assert_int_equal(log_open(NULL, LOG_DEBUG, &l), ST_OK);
    log_line(l, LOG_ERROR, 0, "unheard");
    log_close(l);
    log_line(NULL, LOG_ERROR, 0, "unheard");
    log_close(NULL);
    assert_int_equal(log_open(fresh_path("no/folder"), LOG_INFO, &l), ST_MISSING);
}

#define WRITERS      4
#define WRITER_LINES 200

static void *write_lines(void *arg)
{
    for (int i = 0; i < WRITER_LINES; i++)
        log_line(arg, LOG_INFO, 0, "line %d of a writer", i);
    return NULL;
}

static void lines_of_several_threads_never_mix(void **state)
{
    const char *path = fresh_path("crawl.log");
    pthread_t writers[WRITERS];
    struct log *l;

    (void)state;
    assert_int_equal(log_open(path, LOG_INFO, &l), ST_OK);
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&writers[i], NULL, write_lines, l), 0);
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_join(writers[i], NULL), 0);
    log_close(l);
    assert_int_equal(log_lines(path, NULL), WRITERS * WRITER_LINES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_back_as_it_was_written),
        cmocka_unit_test(a_file_of_many_chunks_is_read_whole),
        cmocka_unit_test(reading_appends_to_what_the_buffer_holds),
        cmocka_unit_test(a_file_beyond_the_ceiling_is_refused_by_name),
        cmocka_unit_test(a_file_that_is_not_there_is_missing_and_a_folder_is_no_file),
        cmocka_unit_test(writing_replaces_the_old_file_and_leaves_nothing_beside_it),
        cmocka_unit_test(a_link_in_the_place_of_the_temporary_file_is_not_followed),
        cmocka_unit_test(a_log_that_is_a_link_is_refused),
        cmocka_unit_test(writing_where_no_folder_is_fails_and_names_the_file),
        cmocka_unit_test(a_path_lies_in_a_folder),
        cmocka_unit_test(a_log_has_a_json_line_for_what_is_important_enough),
        cmocka_unit_test(a_log_is_continued_when_it_is_opened_again),
        cmocka_unit_test(a_sentence_without_end_is_cut_and_its_line_is_whole),
        cmocka_unit_test(a_log_without_a_file_swallows_everything),
        cmocka_unit_test(lines_of_several_threads_never_mix),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
