/* The dashboard: its numbers are those of the commands, and what a browser may change is
 * changed. SPDX-License-Identifier: MIT */
#include "dash.h"
#include "site.h"

#include "base/os/clock.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *w, *done, *parent;
static struct server *server;
static struct board *b;

static int set_up(void **state)
{
    (void)state;
    w = world("--pages", "400", "--hosts", "6", "--topics", "3");
    server = serve(w);
    parent = fresh("crawls");
    done = text("%s/done", parent);
    assert_code(crawl(server, done, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages",
                      "120", "--delay", "0", "--model", "infospiders"),
                0);
    b = board("--root", parent);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    board_stop(b);
    return 0;
}

static void assert_near(json_t *a, const char *at_a, json_t *c, const char *at_c)
{
    if (fabs(num_at(a, at_a) - num_at(c, at_c)) > 1e-9)
        fail_msg("%s is %.17g, %s is %.17g", at_a, num_at(a, at_a), at_c, num_at(c, at_c));
}

static void the_overview_is_what_stats_says(void **state)
{
    static const char *const same[] = {"pages",
                                       "relevant",
                                       "mean_relevance",
                                       "agents.alive",
                                       "agents.born",
                                       "agents.died",
                                       "hosts",
                                       "hosts_met",
                                       "failed",
                                       "received",
                                       "bytes",
                                       "seconds",
                                       "duplicates",
                                       "hidden",
                                       "energy.living",
                                       "energy.burnt",
                                       "relevant_threshold"};
    json_t *o = board_json(b, text("/api/crawls/%s", board_id(b, "done")));
    json_t *s = json_of(brood("stats", done, "--json").out);

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_near(o, same[i], s, same[i]);
    assert_int_equal(int_at(o, "pages"), 120);
    assert_true(json_equal(json_at(o, "drops"), json_at(s, "drops")));
    assert_string_equal(text_at(o, "state"), "finished");
    assert_string_equal(text_at(o, "model"), "infospiders");
    assert_int_equal(num_at(o, "bounds.cap"), 1000); /* max_population */
    assert_string_equal(text_at(o, "end"), "the limit of pages is reached");
}

static void pages_are_what_top_says(void **state)
{
    const char *id = board_id(b, "done");
    json_t *p = board_json(b, text("/api/crawls/%s/pages?n=1000", id));
    json_t *rest = board_json(b, text("/api/crawls/%s/pages?n=1000&offset=7", id));
    json_t *top = json_of(brood("top", done, "--json", "-n", "1000").out);
    size_t n = json_array_size(top);

    (void)state;
    assert_true(n > 50);
    assert_int_equal(int_at(p, "total"), n);
    assert_int_equal(json_array_size(json_at(p, "rows")), n);
    assert_int_equal(json_array_size(json_at(rest, "rows")), n - 7);
    for (size_t i = 0; i < n; i++) {
        json_t *row = json_array_get(json_at(p, "rows"), i), *line = json_array_get(top, i);

        assert_int_equal(int_at(row, "rank"), int_at(line, "rank"));
        assert_string_equal(text_at(row, "url"), text_at(line, "url"));
        assert_string_equal(text_at(row, "title"), text_at(line, "title"));
        assert_int_equal(int_at(row, "agent"), int_at(line, "agent"));
        assert_near(row, "relevance", line, "relevance");
        if (i >= 7)
            assert_true(json_equal(row, json_array_get(json_at(rest, "rows"), i - 7)));
    }
}

static void search_finds_what_search_finds(void **state)
{
    json_t *top = json_of(brood("top", done, "--json", "-n", "1").out);
    const char *title = text_at(json_array_get(top, 0), "title");
    const char *word = text("%.*s", (int)strcspn(title, " ,.:"), title);
    json_t *p = board_json(b, text("/api/crawls/%s/pages?n=1000&q=%s", board_id(b, "done"), word));
    json_t *found = json_of(brood("search", done, word, "--json", "-n", "1000").out);
    size_t n = 0;

    (void)state;
    assert_string_equal(text_at(p, "searched"), "text");
    assert_true(json_array_size(found) > 0);
    for (size_t i = 0; i < json_array_size(json_at(p, "rows")); i++)
        for (size_t k = 0; k < json_array_size(found); k++)
            n += strcmp(text_at(json_array_get(json_at(p, "rows"), i), "url"),
                        text_at(json_array_get(found, k), "url")) == 0;
    assert_int_equal(n, json_array_size(json_at(p, "rows"))); /* duplicates are not shown here */
    assert_true(n > 0);
}

/* Every member of the tree, by the names they share. */
static void compare_trees(json_t *ours, json_t *theirs, size_t *count)
{
    static const char *const same[] = {"id",    "name",    "kind",    "generation", "energy",
                                       "pages", "born_at", "died_at", "death",      "best"};

    assert_int_equal(json_array_size(ours), json_array_size(theirs));
    for (size_t i = 0; i < json_array_size(ours); i++) {
        json_t *x = json_array_get(ours, i), *y = json_array_get(theirs, i);

        for (size_t k = 0; k < sizeof same / sizeof *same; k++)
            if (!json_equal(json_object_get(x, same[k]), json_object_get(y, same[k])))
                fail_msg("agent %lld: %s differs", (long long)int_at(x, "id"), same[k]);
        ++*count;
        compare_trees(json_at(x, "children"), json_at(y, "children"), count);
    }
}

static void the_tree_is_what_tree_says(void **state)
{
    const char *id = board_id(b, "done");
    json_t *tree = board_json(b, text("/api/crawls/%s/tree?depth=1000&n=5000", id));
    json_t *cut = board_json(b, text("/api/crawls/%s/tree?depth=1&n=1", id));
    json_t *theirs = json_of(brood("tree", done, "--json").out);
    size_t count = 0;

    (void)state;
    compare_trees(json_at(tree, "children"), theirs, &count);
    assert_int_equal(count, crawl_int(done, "SELECT count(*) FROM agent"));
    assert_int_equal(json_array_size(json_at(cut, "children")), 1);
    assert_int_equal(int_at(cut, "more"), json_array_size(theirs) - 1);
    assert_int_equal(int_at(cut, "children.0.more"),
                     json_array_size(json_at(json_array_get(theirs, 0), "children")));
}

/* The flat list has everybody, as the card of each says. */
static void the_list_of_lives_is_whole(void **state)
{
    const char *id = board_id(b, "done");
    json_t *all = board_json(b, text("/api/crawls/%s/lives", id));
    json_t *cut = board_json(b, text("/api/crawls/%s/lives?n=1", id));
    size_t n = json_array_size(json_at(all, "rows"));

    (void)state;
    assert_int_equal(n, crawl_int(done, "SELECT count(*) FROM agent"));
    assert_int_equal(int_at(all, "more"), 0);
    assert_int_equal(json_array_size(json_at(cut, "rows")), 1);
    assert_int_equal(int_at(cut, "more"), n - 1);
    for (size_t i = 0; i < n; i++) {
        json_t *row = json_array_get(json_at(all, "rows"), i);
        json_t *card = board_json(b, text("/api/crawls/%s/agent/%lld", id,
                                          (long long)json_integer_value(json_array_get(row, 0))));
        json_t *parents = json_at(card, "parents");

        assert_string_equal(json_string_value(json_array_get(row, 2)), text_at(card, "name"));
        assert_true(json_equal(json_array_get(row, 3), json_at(card, "energy")));
        assert_int_equal(json_integer_value(json_array_get(row, 4)), int_at(card, "pages"));
        assert_int_equal(json_integer_value(json_array_get(row, 1)),
                         json_array_size(parents) ? int_at(card, "parents.0.id") : 0);
        assert_int_equal(json_is_null(json_array_get(row, 6)),
                         json_is_null(json_object_get(card, "died_at")));
    }
}

static void a_page_an_agent_and_a_copy_are_shown(void **state)
{
    const char *id = board_id(b, "done");
    json_t *page = board_json(b, text("/api/crawls/%s/page/1", id));
    json_t *agent = board_json(b, text("/api/crawls/%s/agent/1?n=5000", id));
    struct answer copy = board_get(b, text("/api/crawls/%s/stored/1", id));

    (void)state;
    assert_string_equal(text_at(page, "url"), world_seed(w, 0, 0));
    assert_int_equal(json_array_size(json_at(page, "links_out")),
                     crawl_int(done, "SELECT count(*) FROM link WHERE from_page = 1"));
    assert_true(json_array_size(json_at(page, "visits")) > 0);
    assert_int_equal(json_array_size(json_at(agent, "path")),
                     crawl_int(done, "SELECT count(*) FROM visit WHERE agent_id = 1"));
    assert_int_equal(copy.status, 200);
    assert_says(copy.head, "Content-Security-Policy: sandbox; default-src 'none'");
    assert_says(copy.body, "<title>");
    assert_int_equal(board_get(b, text("/api/crawls/%s/page/100000", id)).status, 404);
    assert_int_equal(board_get(b, text("/api/crawls/%s/agent/100000", id)).status, 404);
}

/* By name and by number the same; of nobody, nothing. */
static void pages_of_an_agent_are_found_by_its_name(void **state)
{
    const char *id = board_id(b, "done");
    int64_t who = crawl_int(done, "SELECT agent FROM page_row WHERE agent > 0 LIMIT 1");
    const char *name =
        crawl_text(done, text("SELECT name FROM agent WHERE id = %lld", (long long)who));
    json_t *by_name = board_json(b, text("/api/crawls/%s/pages?agent=%s", id, name));

    (void)state;
    assert_true(int_at(by_name, "total") > 0);
    assert_true(json_equal(
        by_name, board_json(b, text("/api/crawls/%s/pages?agent=%lld", id, (long long)who))));
    assert_int_equal(int_at(board_json(b, text("/api/crawls/%s/pages?agent=x", id)), "total"), 0);
}

/* Every route that reads answers. */
static void every_question_has_an_answer(void **state)
{
    static const char *const questions[] = {
        "",
        "/samples?metric=pages,relevant",
        "/histogram",
        "/paths?n=50&depth=9",
        "/map",
        "/map?n=2",
        "/messages",
        "/conversations",
        "/crew",
        "/news",
        "/timeline?bars=3",
        "/freshness?points=3",
        "/pages?seed=yes",
        "/pages?min=0.1&sort=time",
        "/pages?from=2000-01-01&to=2100-01-01",
    };
    const char *id = board_id(b, "done");
    json_t *bins = json_at(board_json(b, text("/api/crawls/%s/histogram", id)), "bins");
    int64_t sum = 0;

    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        (void)board_json(b, text("/api/crawls/%s%s", id, questions[i]));
    (void)board_json(b, "/api/models");
    (void)board_json(b, "/api/reports");
    for (size_t i = 0; i < json_array_size(bins); i++)
        sum += json_integer_value(json_array_get(bins, i));
    assert_int_equal(sum, 120);
    assert_says(board_get(b, "/metrics").body, "# TYPE brood_pages_total counter");
    assert_says(board_get(b, "/metrics").body, "crawl=\"done\"} 120\n");
    assert_int_equal(lines_in(board_get(b, text("/api/crawls/%s/pages.jsonl", id)).body),
                     int_at(board_json(b, text("/api/crawls/%s/pages", id)), "total"));
    assert_says(board_get(b, text("/api/crawls/%s/pages.csv", id)).head, "attachment");
}

static int64_t pages_of(const char *id)
{
    return int_at(board_json(b, text("/api/crawls/%s", id)), "pages");
}

static void await_pages(const char *id, int64_t wanted)
{
    await(pages_of(id) >= wanted);
}

/* Has nothing moved for two seconds? */
static bool rests(const char *id)
{
    int64_t before = pages_of(id);

    clock_sleep(2 * US_PER_S);
    return pages_of(id) == before;
}

/* What was under way comes, however late; then nothing does, long before the crawl has all pages. */
static int64_t await_rest(const char *id)
{
    await(rests(id));
    assert_true(board_is(b, id, "paused"));
    assert_true(pages_of(id) < 390);
    return pages_of(id);
}

static int64_t queue_of(const char *id)
{
    return int_at(board_json(b, text("/api/crawls/%s", id)), "queue");
}

static void assert_told(const char *id, const char *what, const char *body, int status)
{
    struct answer a = board_post(b, text("/api/crawls/%s/%s", id, what), body);

    if (a.status != status)
        fail_msg("%s: %d %s", what, a.status, a.body);
}

/* A word of a page's text that is in no title or URL of the rows. */
static const char *word_of_text(const char *body, json_t *rows)
{
    static char word[40];

    for (const char *at = body; *at;) {
        size_t n = strcspn(at, " \n");
        bool alone = n >= 5 && n < sizeof word && strspn(at, "abcdefghijklmnopqrstuvwxyz") == n;

        (void)snprintf(word, sizeof word, "%.*s", (int)n, at);
        for (size_t i = 0; alone && i < json_array_size(rows); i++)
            alone = strcasestr(text_at(json_array_get(rows, i), "title"), word) == NULL &&
                    strcasestr(text_at(json_array_get(rows, i), "url"), word) == NULL;
        if (alone)
            return word;
        at += n + (at[n] != '\0');
    }
    fail_msg("every word of the text is in a title");
    return NULL;
}

/* Is every page in the index that was searched? */
static bool has_searched_all(json_t *found, const char *id)
{
    return strcmp(text_at(found, "searched"), "text") == 0 &&
           int_at(found, "indexed") == pages_of(id);
}

/* While it runs, and some seconds are not in its index: the words of its texts are found. */
static void assert_searchable(const char *id)
{
    json_t *rows = json_at(board_json(b, text("/api/crawls/%s/pages?n=1000", id)), "rows");
    int64_t page = int_at(json_array_get(rows, 0), "id");
    const char *body = board_get(b, text("/api/crawls/%s/text/%lld", id, (long long)page)).body;
    const char *word = word_of_text(body, rows);
    json_t *found = NULL;
    bool there = false;

    assert_true(
        strlen(board_get(b, text("/api/crawls/%s/markdown/%lld", id, (long long)page)).body) > 20);
    await(has_searched_all(
        found = board_json(b, text("/api/crawls/%s/pages?n=1000&q=%s", id, word)), id));
    for (size_t i = 0; i < json_array_size(json_at(found, "rows")); i++)
        there = there || int_at(json_array_get(json_at(found, "rows"), i), "id") == page;
    assert_true(there);
}

/* Started from the form, paused, gone on, told another limit, which is exact. */
static void a_crawl_is_started_and_steered(void **state)
{
    struct answer a = board_post(
        b, "/api/crawls",
        text("{\"topic\":\"%s\",\"seeds\":[\"%s\"],\"model\":\"best-first\",\"set\":{\"n\":8},"
             "\"limits\":{\"pages\":390},\"delay\":\"100ms\",\"allow_private\":true,"
             "\"resolve\":\"%s\"}",
             world_words(w, 0), world_seed(w, 0, 0), server->resolve));
    const char *more =
        text("%.*snew-place", (int)(strchr(world_seed(w, 0, 0) + 7, '/') + 1 - world_seed(w, 0, 0)),
             world_seed(w, 0, 0));
    const char *id, *dir;
    int64_t held;

    (void)state;
    assert_int_equal(a.status, 200);
    id = text_at(json_of(a.body), "id");
    dir = text_at(json_of(a.body), "dir");
    board_await(b, id, "running");
    await_pages(id, 5);
    assert_told(id, "pause", "{}", 200);
    board_await(b, id, "paused");
    held = await_rest(id);
    assert_searchable(id);
    assert_told(id, "mark", text("{\"url\":\"%s\",\"relevant\":true}", world_seed(w, 0, 0)), 200);
    assert_told(id, "mark", text("{\"url\":\"%s\",\"relevant\":false}", world_seed(w, 0, 0)), 200);
    assert_told(id, "seeds", text("{\"urls\":[\"%s\"]}", more), 200);
    assert_told(id, "seeds", "{\"urls\":[\"ftp://nowhere.example/\"]}", 409);
    assert_told(id, "continue", "{}", 200);
    await_pages(id, held + 5);
    assert_told(id, "limits", text("{\"pages\":%lld}", (long long)held + 200), 200);
    board_await(b, id, "finished");
    assert_int_equal(pages_of(id), held + 200);
    assert_int_equal(crawl_pages(dir), held + 200);
    assert_string_equal(crawl_text(dir, "SELECT group_concat(label) FROM label"), "irrelevant");
    assert_int_equal(
        crawl_int(dir, text("SELECT count(*) FROM url WHERE depth = 0 AND url = '%s'", more)), 1);
    assert_told(id, "pause", "{}", 409);
    assert_told(id, "mark", text("{\"url\":\"%s\",\"relevant\":null}", world_seed(w, 0, 0)), 200);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM label"), 0);
}

/* Visits that were chosen already wait too: of a paused crawl nobody hears anything. */
static void a_paused_crawl_asks_for_nothing(void **state)
{
    struct answer a =
        board_post(b, "/api/crawls",
                   text("{\"topic\":\"%s\",\"seeds\":[\"%s\"],\"model\":\"breadth-first\","
                        "\"limits\":{\"pages\":390},\"delay\":\"2s\",\"allow_private\":true,"
                        "\"resolve\":\"%s\"}",
                        world_words(w, 0), world_seed(w, 0, 0), server->resolve));
    const char *id;

    (void)state;
    assert_int_equal(a.status, 200);
    id = text_at(json_of(a.body), "id");
    board_await(b, id, "running");
    await_pages(id, 5);
    assert_true(queue_of(id) > 0);
    assert_told(id, "pause", "{}", 200);
    board_await(b, id, "paused");
    (void)await_rest(id);
    assert_true(queue_of(id) > 0);
    assert_told(id, "stop", "{}", 200);
    board_await(b, id, "finished");
}

static void events_tell_what_changes(void **state)
{
    const char *dir = text("%s/live", parent);
    struct job *job =
        brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--out", dir,
                  "--quiet", "--allow-private", "--resolve", server->resolve, "--delay", "1s");
    const char *id, *ask;
    char got[65536];
    size_t len = 0;
    int fd;

    (void)state;
    id = board_id(b, "live");
    board_await(b, id, "running");
    ask = text("GET /api/events?crawl=%s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", id, b->port);
    fd = board_connect(b);
    assert_true(fd >= 0 && send(fd, ask, strlen(ask), MSG_NOSIGNAL) > 0);
    got[0] = '\0';
    while (times_in(got, "event: tick") < 3 && len < sizeof got - 1) {
        ssize_t n = recv(fd, got + len, sizeof got - 1 - len, 0);

        assert_true(n > 0);
        len += (size_t)n;
        got[len] = '\0';
    }
    (void)close(fd);
    assert_says(got, "text/event-stream");
    assert_says(got, "event: state\ndata: {\"state\":\"running\"}");
    assert_says(got, "\"pages\":");
    assert_told(id, "stop", "{}", 200);
    assert_code(job_wait(job), 130);
    board_await(b, id, "finished");
}

/* Killed: its end is not known. */
static void a_killed_crawl_is_dead(void **state)
{
    const char *dir = text("%s/killed", parent);
    struct job *job =
        brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--out", dir,
                  "--quiet", "--allow-private", "--resolve", server->resolve, "--delay", "1s");
    const char *id;

    (void)state;
    id = board_id(b, "killed");
    board_await(b, id, "running");
    await_pages(id, 1);
    (void)kill(job_pid(job), SIGKILL);
    (void)job_wait(job);
    board_await(b, id, "dead");
    assert_says(text_at(board_json(b, text("/api/crawls/%s", id)), "trouble"),
                text("To go on: brood resume %s", dir));
}

static void the_feed_tells_births_deaths_and_finds(void **state)
{
    json_t *rows =
        json_at(board_json(b, text("/api/crawls/%s/activity?n=1000", board_id(b, "done"))), "rows");
    int64_t born = 0, found = 0;
    const char *before = "9999";
    json_t *row;
    size_t i;

    (void)state;
    json_array_foreach(rows, i, row)
    {
        const char *kind = text_at(row, "kind");

        assert_true(strcmp(text_at(row, "at"), before) <= 0); /* newest first */
        before = text_at(row, "at");
        born += strcmp(kind, "born") == 0;
        if (strcmp(kind, "found") != 0)
            continue;
        found++;
        assert_int_equal(crawl_int(done, text("SELECT count(*) FROM page WHERE id = %lld AND"
                                              " abs(p - %.17g) < 1e-12",
                                              (long long)int_at(row, "page"), num_at(row, "p"))),
                         1);
    }
    assert_int_equal(born,
                     crawl_int(done, "SELECT count(*) FROM agent WHERE parent_id IS NOT NULL"));
    assert_int_equal(found,
                     crawl_int(done, "SELECT count(*) FROM page WHERE dup_of IS NULL AND NOT hidden"
                                     " AND relevance >= (SELECT CAST(value AS REAL) FROM crawl"
                                     " WHERE key = 'relevant_threshold')"));
}

static void by_match_is_the_order_of_search_and_snippets_show_the_words(void **state)
{
    const char *word = text_at(world_info(w), "topics.0.words.1");
    json_t *found = json_of(brood("search", done, word, "-n", "10", "--json").out), *rows, *row;
    size_t i;

    (void)state;
    rows = json_at(board_json(b, text("/api/crawls/%s/pages?q=%s&sort=match&snippet=1&n=10",
                                      board_id(b, "done"), word)),
                   "rows");
    assert_true(json_array_size(rows) > 1);
    json_array_foreach(rows, i, row)
    {
        assert_string_equal(text_at(row, "url"), text_at(found, text("%zu.url", i)));
        assert_non_null(strchr(text_at(row, "snippet"), '\2'));
    }
}

/* In a terminal of its own: nothing else tells it that somebody could press Ctrl-C. */
static void a_dashboard_stays_after_its_crawl_until_it_is_ended(void **state)
{
    const char *out = fresh("stays"), *said = fresh("said");
    struct job *j = job_start((const char *const[]){
        "script", "-qefc",
        text("%s crawl '%s' --seed %s --pages 10 --delay 0 --dashboard=0 --allow-private"
             " --resolve '%s' --out %s",
             getenv("BROOD_BIN"), world_words(w, 0), world_seed(w, 0, 0), server->resolve, out),
        said, NULL});
    struct ran r;

    (void)state;
    job_await_said(j, "the dashboard stays at http://127.0.0.1:");
    assert_int_equal(crawl_pages(out), 10);
    assert_code(brood("check", out), 0); /* the crawl is over, its lock is free */
    assert_int_equal(kill(job_pid(j), SIGTERM), 0);
    r = job_wait(j);
    assert_true(r.code != -1);
    r = brood("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "5", "--delay",
              "0", "--dashboard=0", "--allow-private", "--resolve", server->resolve, "--out",
              fresh("ends"));
    assert_code(r, 0); /* without a terminal it ends by itself */
    assert_null(strstr(r.err, "stays at"));
}

/* ---- several topics ---- */

static const char *crawl_with_two_topics(void)
{
    static const struct site_page pages[] = {
        {.path = "/", .body = "<title>home</title><p>a hive <a href=/bee>b</a> <a href=/sky>s</a>"},
        {.path = "/bee", .body = "<title>bees</title><p>the bee and the hive and honey"},
        {.path = "/sky", .body = "<title>sky</title><p>a star and a planet at night"}};
    struct site *s = site_start(pages, 3);
    const char *bees = file_with("bees.topic", "bee hive honey\n"), *dir = fresh("two-topics");

    assert_code(brood("crawl", "--topic", bees, "--topic", file_with("sky.topic", "star planet\n"),
                      "--seed", site_url(s, "/"), "--allow-private", "--delay", "0", "--out", dir),
                0);
    return dir;
}

static void pages_are_ranked_by_one_of_several_topics(void **state)
{
    struct board *own = board(crawl_with_two_topics());
    const char *path = text("/api/crawls/%s", board_id(own, "two-topics"));
    json_t *by_sky, *by_bees;
    double sure;

    (void)state;
    assert_string_equal(text_at(board_json(own, path), "topics.1"), "sky");
    by_sky = board_json(own, text("%s/pages?topic=sky&snippet=1", path));
    by_bees = board_json(own, text("%s/pages?topic=bees&q=hive&sort=match", path));
    assert_string_equal(text_at(by_sky, "rows.0.title"), "sky");
    assert_int_equal(int_at(by_sky, "total"), 3);
    assert_true(int_at(by_sky, "rows.0.sure") > int_at(by_sky, "rows.1.sure"));
    sure = (double)int_at(by_sky, "rows.0.sure") / 100 - 0.006;
    assert_int_equal(
        int_at(board_json(own, text("%s/pages?topic=sky&min=%.3f", path, sure)), "total"), 1);
    assert_int_equal(int_at(by_bees, "total"), 2);
    assert_int_equal(board_get(own, text("%s/pages?topic=sea", path)).status, 400);
    board_stop(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_overview_is_what_stats_says),
        cmocka_unit_test(pages_are_what_top_says),
        cmocka_unit_test(search_finds_what_search_finds),
        cmocka_unit_test(by_match_is_the_order_of_search_and_snippets_show_the_words),
        cmocka_unit_test(the_feed_tells_births_deaths_and_finds),
        cmocka_unit_test(a_dashboard_stays_after_its_crawl_until_it_is_ended),
        cmocka_unit_test(the_tree_is_what_tree_says),
        cmocka_unit_test(the_list_of_lives_is_whole),
        cmocka_unit_test(a_page_an_agent_and_a_copy_are_shown),
        cmocka_unit_test(pages_of_an_agent_are_found_by_its_name),
        cmocka_unit_test(every_question_has_an_answer),
        cmocka_unit_test(a_crawl_is_started_and_steered),
        cmocka_unit_test(a_paused_crawl_asks_for_nothing),
        cmocka_unit_test(events_tell_what_changes),
        cmocka_unit_test(a_killed_crawl_is_dead),
        cmocka_unit_test(pages_are_ranked_by_one_of_several_topics),
    };

    return cmocka_run_group_tests_name("flow dash", tests, set_up, tear_down);
}
