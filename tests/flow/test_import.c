/* brood world import, the program itself: exit codes, sentences, JSON, Ctrl-C;
 * and an imported web, served and crawled. SPDX-License-Identifier: MIT */
#include "flow.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(const char *dir, const char *name, const char *content)
{
    FILE *f = fopen(text("%s/%s", dir, name), "w");

    assert_non_null(f);
    assert_true(fputs(content, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* Twelve pages in a chain, the last one in a folder with a blank in its name. */
static const char *site(void)
{
    const char *dir = test_dir();

    for (int i = 0; i < 11; i++)
        put(dir, text("p%d.html", i),
            text("<title>Page %d</title><p>About bees. <a href='%s'>next</a>", i,
                 i < 10 ? text("p%d.html", i + 1) : "a%20folder/last%25.html"));
    assert_int_equal(mkdir(text("%s/a folder", dir), 0777), 0);
    put(dir, "a folder/last%.html", "<title>Last</title><a href='../none.html'>dead</a>");
    return dir;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void an_imported_web_is_crawled_to_its_end(void **state)
{
    const char *w = fresh("W1"), *c = fresh("C1");
    struct server *s;
    struct ran r = brood("world", "import", site(), "--url-prefix", "http://bees.example/", w);

    (void)state;
    assert_code(r, 0);
    assert_says(r.out, "12 pages on 1 host, 12 links; in ");
    assert_code(brood("check", w), 0);
    s = serve(w);
    assert_code(crawl(s, c, "bees", "--seed", "http://bees.example/p0.html", "--delay", "0"), 0);
    server_stop(s);
    assert_int_equal(crawl_pages(c), 12);
    assert_int_equal(
        crawl_int(c, "SELECT count(*) FROM page WHERE url LIKE '%/a%20folder/last%25.html'"), 1);
    assert_int_equal(crawl_int(c, "SELECT count(*) FROM outcome WHERE status = 404"), 1);
}

static void faults_end_it_with_names_unless_it_shall_keep_going(void **state)
{
    const char *dir = site(), *w = fresh("W2");
    struct ran r;
    json_t *j;

    (void)state;
    put(dir, "empty.html", "");
    r = brood("world", "import", dir, w);
    assert_code(r, 1);
    assert_says(r.err, "1 broken:\n    empty.html: it is empty\n");
    assert_says(r.err, "brood: 1 fault in what was to be imported: nothing was made; --keep-going");
    assert_string_equal(r.out, "");
    assert_false(is_there(w));
    assert_false(is_there(text("%s.part", w)));
    r = brood("world", "import", dir, w, "--json");
    assert_code(r, 1);
    j = json_of(r.out);
    assert_true(json_is_false(json_at(j, "made")));
    assert_int_equal(int_at(j, "faults.broken.count"), 1);
    assert_string_equal(text_at(j, "faults.broken.names.0"), "empty.html: it is empty");
    r = brood("world", "import", dir, w, "--keep-going", "--json");
    assert_code(r, 0);
    assert_int_equal(int_at(json_of(r.out), "pages"), 12);
    assert_int_equal(crawl_pages(w), 12);
    r = brood("world", "import", dir, fresh("W3"), "--keep-going", "--quiet");
    assert_code(r, 0);
    assert_string_equal(r.out, "");
    assert_string_equal(r.err, "");
}

static void what_makes_no_sense_is_refused(void **state)
{
    const char *dir = site(), *w = fresh("W4"), *full = test_dir();

    (void)state;
    put(full, "mine", "x");
    assert_refused(brood("world", "import", dir), 2, "DIR");
    assert_refused(brood("world", "import", dir, full), 2, "is there already");
    assert_refused(brood("world", "import", dir, w, "--since", "2005-01-01"), 2,
                   "--since has no meaning for --from dir");
    assert_refused(brood("world", "import", "--from", "history", dir, w, "--since", "soon"), 2,
                   "--since soon: wanted is a date");
    assert_refused(brood("world", "import", "--from", "history", dir, w), 1, "--blobs");
    assert_refused(brood("world", "import", "--from", "zip", dir, w), 2, "dir, tsv, warc");
    assert_refused(brood("world", "import", dir, w, "--url-prefix", "nothing"), 2, "--url-prefix");
    assert_refused(brood("world", "import", dir, dir, w), 2, "one folder");
    assert_refused(brood("world", "import", "/nowhere/at/all", w), 1, "/nowhere/at/all");
    assert_refused(brood("world", "import", text("%s/p1.html", dir), w), 2,
                   "p1.html is neither a folder nor a tar archive: --from says what it is");
    assert_refused(brood("world", "import", "--from", "warc", dir, w), 1,
                   text("%s: there is no WARC file in it", dir));
    assert_int_equal(mkdir(text("%s.part", w), 0777), 0);
    assert_refused(brood("world", "import", dir, w), 2, "it is being made");
    assert_false(is_there(w));
}

/* The program waits at a pipe for its archive: the signal comes before the first
 * byte, so that it is seen at the first entry. */
static void ctrl_c_leaves_nothing(void **state)
{
    const char *pipe = fresh("site.tar"), *w = fresh("W5");
    char *zeros = keep(calloc(1, 1 << 20));
    struct job *j;
    struct ran r;
    int fd;

    (void)state;
    (void)signal(SIGPIPE, SIG_IGN);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    /* the header of one empty file; its checksum is taken over blanks in its own place */
    (void)snprintf(zeros, 100, "a.html");
    (void)snprintf(zeros + 124, 12, "00000000000");
    zeros[156] = '0';
    memset(zeros + 148, ' ', 8);
    unsigned sum = 0;
    for (int i = 0; i < 512; i++)
        sum += (unsigned char)zeros[i];
    (void)snprintf(zeros + 148, 8, "%06o", sum);
    j = brood_job("world", "import", pipe, w);
    fd = open(pipe, O_WRONLY);
    assert_true(fd >= 0);
    assert_int_equal(kill(job_pid(j), SIGINT), 0);
    (void)!write(fd, zeros, 1 << 20);
    (void)close(fd);
    r = job_wait(j);
    assert_code(r, 130);
    assert_says(r.err, "stopped: nothing was made");
    assert_false(is_there(w));
    assert_false(is_there(text("%s.part", w)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_imported_web_is_crawled_to_its_end),
        cmocka_unit_test(faults_end_it_with_names_unless_it_shall_keep_going),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(ctrl_c_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
