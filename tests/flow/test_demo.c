/* The demo, as a new user sees it: it shows what it promises, and every command that it
 * suggests does something. Small, and without its delays. SPDX-License-Identifier: MIT */
#include "flow.h"

#include "base/mem.h"

#include <signal.h>
#include <stdlib.h>

static const char *home;
static struct ran demo;

static int set_up(void **state)
{
    (void)state;
    home = fresh("demo");
    demo = run("env", text("BROOD=%s", getenv("BROOD_BIN")), text("DEMO_DIR=%s", home),
               "DEMO_PAGES=150", "DEMO_DELAY=0", getenv("BROOD_DEMO"), "--no-wait");
    return 0;
}

static void it_ends_by_itself_and_shows_what_it_promises(void **state)
{
    (void)state;
    assert_code(demo, 0);
    assert_says(demo.out, "Dashboard: http://127.0.0.1:");
    assert_true(strstr(demo.out, "Dashboard: ") < strstr(demo.out, "$ ./run crawl "));
    assert_says(demo.out, "$ ./run top ");
    assert_says(demo.out, "$ ./run tree ");
    assert_says(demo.out, "\nrelevant pages ");
    assert_says(demo.err, "150 pages in ");
}

static void agents_are_born_and_die(void **state)
{
    const char *dir = text("%s/crawls/population-1", home);

    (void)state;
    assert_true(crawl_int(dir, "SELECT count(*) FROM agent WHERE parent_id IS NOT NULL") > 0);
    assert_true(crawl_int(dir, "SELECT count(*) FROM agent WHERE died_at IS NOT NULL") > 0);
}

/* What a command line is made of: words, and texts in double quotes. */
static const char *const *words_of(const char *line)
{
    const char **words = keep(mem_zero(strlen(line) + 1, sizeof *words));
    size_t n = 0;

    while (*line) {
        const char *end = strpbrk(line, " ");

        if (*line == '"') {
            end = strchr(line + 1, '"');
            assert_non_null(end);
            words[n++] = text("%.*s", (int)(end - line - 1), line + 1);
            end++;
        } else {
            end = end ? end : line + strlen(line);
            words[n++] = text("%.*s", (int)(end - line), line);
        }
        line = *end == ' ' ? end + 1 : end;
    }
    return words;
}

/* It answers until it is stopped. */
static void serves(const char *const argv[])
{
    struct job *j = job_start(program_argv(argv));

    job_await_said(j, "http://127.0.0.1:");
    assert_int_equal(kill(job_pid(j), SIGINT), 0);
    assert_code(job_wait(j), 0);
}

static void every_command_it_suggests_works(void **state)
{
    struct str rest = str_of(demo.out), line;
    size_t tried = 0;

    (void)state;
    while (str_cut(&rest, '\n', &line)) {
        const char *const *argv;
        struct ran r;

        if (!str_starts(line, STR("    ./run ")))
            continue;
        tried++;
        argv = words_of(text("%.*s", STR_ARG(str_sub(line, 10, line.len))));
        if (strcmp(argv[0], "serve") == 0) {
            serves(argv);
            continue;
        }
        if (strcmp(argv[0], "crawl") == 0) /* of the real web: it is understood */
            argv = words_of(text("%.*s --resolve *:443:127.0.0.1:9 --resolve *:80:127.0.0.1:9"
                                 " --allow-private --retries 0 --for 20s --out %s",
                                 STR_ARG(str_sub(line, 10, line.len)), fresh("real")));
        r = brood_argv(NULL, argv);
        if (r.code != (strcmp(argv[0], "crawl") == 0 ? 3 : 0))
            fail_msg("%.*s: exit code %d\n%s", STR_ARG(line), r.code, r.err);
        if (strcmp(argv[0], "search") == 0 && strstr(r.out, "nothing found"))
            fail_msg("%.*s finds nothing", STR_ARG(line));
    }
    assert_true(tried >= 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_ends_by_itself_and_shows_what_it_promises),
        cmocka_unit_test(agents_are_born_and_die),
        cmocka_unit_test(every_command_it_suggests_works),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
