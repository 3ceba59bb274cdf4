/* A crawl that is killed with SIGKILL again and again, and resumed each time,
 * is in the end what an uninterrupted one is. The moments are drawn from a fixed
 * seed: before the first checkpoint, at any time of the crawl, and while the
 * full text is being indexed. SPDX-License-Identifier: MIT */
#include "flow.h"

#include "base/mem.h"
#include "base/rng.h"

#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#define EARLY    6  /* kills in the first moments of a process */
#define ANYWHERE 20 /* kills at any time */
#define LATE     4  /* kills behind the last page: closing, indexing */
#define DELAY_MS 60

static const char *w, *killed, *whole;
static struct server *server;
static struct sqlite3 *facts;
static unsigned kills, late, tails, again;
static bool is_whole;

/* ---- the loop ------------------------------------------------------------ */

static struct job *begin(bool resume)
{
    if (resume)
        return brood_job("resume", killed, "--json");
    return brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--seed",
                     world_seed(w, 1, 0), "--pages", "0", "--delay", text("%dms", DELAY_MS),
                     "--rng", "7", "--out", killed, "--json", "--allow-private", "--resolve",
                     server->resolve);
}

/* Whole lines that were printed before the kill: these pages were promised. */
static void note_reported(const char *out)
{
    static FILE *f;
    const char *end;

    if (f == NULL)
        f = fopen(fresh("reported"), "a");
    assert_non_null(f);
    for (; (end = strchr(out, '\n')) != NULL; out = end + 1)
        (void)fprintf(f, "%.*s\n", (int)(end - out), out);
    (void)fflush(f);
}

/* How often the crawl has come to an end so far. */
static size_t ends(void)
{
    struct buf log = BUF_INIT(1 << 24);
    size_t n;

    test_read(text("%s/crawl.log", killed), &log);
    n = times_in(log.data ? log.data : "", "stopped: ");
    buf_free(&log);
    return n;
}

/* What a process leaves that was killed between writing the archive and the
 * commit: half a record. */
static void leave_half_a_record(void)
{
    const char *newest = run("sh", "-c", text("ls %s/warc/*.warc.gz* | tail -n 1", killed)).out;

    assert_code(run("sh", "-c",
                    text("f=%s; head -c 700 $f >$f.half; cat $f.half >>$f; rm $f.half",
                         text("%.*s", (int)strcspn(newest, "\n"), newest))),
                0);
}

/* One process, killed so long after it has said so many lines; false where it had nothing to go on
 * with. One that has said a line has committed pages, and done before all that a resumed crawl does
 * at its beginning. */
static bool kill_one(bool resume, size_t lines, int after_ms)
{
    struct job *j = begin(resume);
    struct ran r;

    while (job_lines(j) < lines && job_listen(j, 5))
        continue;
    (void)job_listen(j, after_ms);
    (void)kill(job_pid(j), SIGKILL);
    r = job_wait(j);
    note_reported(r.out);
    if (resume && r.code == 1) {
        if (times_in(r.err, "is not a crawl: ") == 0) /* not even that was made in time */
            assert_says(r.err, "nothing was stored");
        return false;
    }
    if (r.code != 128 + SIGKILL && r.code != 0)
        fail_msg("exit code %d: %s", r.code, r.err);
    tails += times_in(r.err, " bytes of archive behind them are cut off") > 0;
    again += times_in(r.err, "that were open are made again") > 0;
    kills += r.code == 128 + SIGKILL;
    is_whole = is_whole || r.code == 0;
    return true;
}

static void kill_late(int after_ms)
{
    size_t before = ends();
    struct job *j = begin(true);
    struct ran r;

    while (ends() == before && job_listen(j, 5))
        continue;
    assert_int_equal(ends(), before + 1);
    (void)poll(NULL, 0, after_ms);
    (void)kill(job_pid(j), SIGKILL);
    r = job_wait(j);
    note_reported(r.out);
    late += r.code == 128 + SIGKILL;
}

/* In any timing the first two of four go on until pages are committed: the second has seen what the
 * first one left. */
static void kill_anywhere(struct rng *rng)
{
    bool resume = true;

    for (unsigned i = 0; kills < EARLY + ANYWHERE; i++) {
        bool waits = i % 4 < 2 && !is_whole;

        if (waits && i % 4 == 1)
            leave_half_a_record();
        resume = kill_one(resume, waits, 1 + (int)rng_below(rng, waits ? 300 : 1200));
    }
}

static void kill_loop(void)
{
    struct rng rng;
    bool resume = false;

    rng_init(&rng, 20261115);
    while (kills < EARLY)
        resume = kill_one(resume, 0, 1 + (int)rng_below(&rng, 200));
    do { /* killed before the first checkpoint: begin again */
        resume = kill_one(resume, 1, 0);
    } while (!resume);
    kill_anywhere(&rng);
    for (int i = 0; i < 5 * LATE && late < LATE; i++)
        kill_late((int)rng_below(&rng, 60)); /* some are over before it */
}

static int set_up(void **state)
{
    struct server *s;
    struct ran r;

    (void)state;
    w = world("--pages", "1500", "--hosts", "60", "--topics", "4", "--duplicates", "0");
    whole = fresh("whole"), killed = fresh("killed");
    s = serve(w);
    assert_code(crawl(s, whole, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--seed",
                      world_seed(w, 1, 0), "--pages", "0", "--delay", "0"),
                0);
    server_stop(s);
    server = serve(w);
    kill_loop();
    r = brood("resume", killed, "--json");
    assert_code(r, 0);
    note_reported(r.out);
    facts = facts_open(killed, w, server);
    return 0;
}

/* ---- what must hold ------------------------------------------------------ */

static void it_was_killed_often_enough(void **state)
{
    (void)state;
    print_message("# %u kills and %u late ones, %u cut archives, %u times open visits\n", kills,
                  late, tails, again);
    assert_true(kills >= EARLY + ANYWHERE);
    assert_true(tails > 0);
    assert_true(again > 0);
}

static void every_page_is_stored_exactly_once(void **state)
{
    int64_t n = facts_int(facts, "SELECT count(*) FROM main.page");

    (void)state;
    assert_true(n > 1000);
    assert_int_equal(facts_int(facts, "SELECT count(DISTINCT url) FROM main.page"), n);
    assert_int_equal(facts_int(facts, "SELECT max(id) FROM main.page"), n);
}

static void the_pages_are_those_of_an_uninterrupted_crawl(void **state)
{
    char *error = NULL;

    (void)state;
    assert_int_equal(
        sqlite3_exec(facts, text("ATTACH '%s/crawl.db' AS c", whole), NULL, NULL, &error),
        SQLITE_OK);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM main.page"),
                     facts_int(facts, "SELECT count(*) FROM c.page"));
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM c.page WHERE url NOT IN"
                                      " (SELECT url FROM main.page)"),
                     0);
    assert_int_equal(
        facts_int(facts, "SELECT count(*) FROM main.page p JOIN c.page o ON o.url = p.url"
                         " WHERE o.hash <> p.hash OR o.title <> p.title OR o.bytes <> p.bytes"),
        0);
}

static void no_page_that_was_reported_is_missing(void **state)
{
    struct str rest = str_of(file_text(fresh("reported"))), line;
    sqlite3_stmt *find;
    int64_t reported = 0;

    (void)state;
    assert_int_equal(sqlite3_prepare_v2(facts, "SELECT 1 FROM main.page WHERE id = ? AND url = ?",
                                        -1, &find, NULL),
                     SQLITE_OK);
    while (str_cut(&rest, '\n', &line)) {
        json_t *j = json_loadb(line.ptr, line.len, 0, NULL);
        const char *url = j ? json_string_value(json_object_get(j, "url")) : NULL;

        if (url) {
            (void)sqlite3_bind_int64(find, 1, json_integer_value(json_object_get(j, "page")));
            (void)sqlite3_bind_text(find, 2, url, -1, SQLITE_TRANSIENT);
            if (sqlite3_step(find) != SQLITE_ROW)
                fail_msg("%s was reported and is not there", url);
            (void)sqlite3_reset(find);
            reported++;
        }
        json_decref(j);
    }
    (void)sqlite3_finalize(find);
    assert_true(reported > 0);
    /* and none is reported twice */
    assert_true(reported <= facts_int(facts, "SELECT count(*) FROM main.page"));
}

static void the_database_is_sound(void **state)
{
    (void)state;
    assert_string_equal(facts_text(facts, "PRAGMA main.integrity_check"), "ok");
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM pragma_foreign_key_check('page_row')"),
                     0);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
}

static void check_agrees_record_for_record(void **state)
{
    struct ran r = brood("check", killed, "--json");

    (void)state;
    assert_code(r, 0);
    assert_int_equal(json_array_size(json_at(json_of(r.out), "issues")), 0);
    assert_true(int_at(json_of(r.out), "records") >
                facts_int(facts, "SELECT count(*) FROM main.page"));
}

static void an_independent_reader_accepts_the_archive(void **state)
{
    const char *argv[40] = {"node", text("%s/tests/flow/warcio.mjs", getenv("BROOD_SOURCE"))};
    size_t n = 2;
    struct ran r = run("sh", "-c", "command -v node && command -v npm");
    glob_t files;

    (void)state;
    assert_int_equal(glob(text("%s/warc/*.warc.gz", killed), 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc && n + 1 < sizeof argv / sizeof *argv; i++)
        argv[n++] = text("%s", files.gl_pathv[i]);
    globfree(&files);
    if (r.code == 0)
        r = run_argv(NULL, argv);
    else
        r.code = 77;
    if (r.code == 77) {
        print_message("# npm warcio is not here and cannot be had: skipped\n");
        skip();
    }
    assert_code(r, 0);
    assert_int_equal((int64_t)(times_in(r.out, "\nresponse 200 ") + times_in(r.out, "\nrevisit ")),
                     facts_int(facts, "SELECT count(*) FROM main.page WHERE warc_file NOT NULL") +
                         facts_int(facts, "SELECT count(*) FROM main.resource WHERE status = 200"));
}

/* From one process to the next; the server's log has also what was lost with the killed ones, but
 * notes a request when it has read it, on a busy machine late. */
static void no_host_was_asked_inside_its_delay(void **state)
{
    (void)state;
    print_message("# shortest gap in the log %lld us\n",
                  (long long)facts_shortest(facts, "asked", "host"));
    assert_true(facts_shortest(facts, FACTS_STARTS, FACTS_HOST) >= DELAY_MS * 1000);
    assert_int_equal(facts_noted_early(facts, FACTS_STARTS), 0);
}

/* Only what was under way at a kill is asked again: hardly a request comes in after the one whose
 * answer is stored. (The server may read one of a killed process late.) */
static void what_was_stored_is_not_asked_for_again(void **state)
{
    int64_t after = facts_int(facts, "SELECT count(*) FROM asked a JOIN main.page p USING (url)"
                                     " WHERE a.at > (SELECT min(b.at) FROM asked b WHERE b.url ="
                                     " a.url AND b.at >= p.fetched_at)");

    (void)state;
    print_message("# %lld requests were made again, %lld of them for pages that were stored\n",
                  (long long)facts_int(facts, "SELECT count(*) - count(DISTINCT url) FROM asked"
                                              " WHERE path <> '/robots.txt'"),
                  (long long)after);
    assert_true(after <= kills);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_was_killed_often_enough),
        cmocka_unit_test(every_page_is_stored_exactly_once),
        cmocka_unit_test(the_pages_are_those_of_an_uninterrupted_crawl),
        cmocka_unit_test(no_page_that_was_reported_is_missing),
        cmocka_unit_test(the_database_is_sound),
        cmocka_unit_test(check_agrees_record_for_record),
        cmocka_unit_test(an_independent_reader_accepts_the_archive),
        cmocka_unit_test(no_host_was_asked_inside_its_delay),
        cmocka_unit_test(what_was_stored_is_not_asked_for_again),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
