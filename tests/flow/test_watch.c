/* brood watch over real sockets: a news world whose time runs, a kill -9 in the middle of
 * it, a feed that others can read, a webhook that fails for a while.
 *
 * The world's six days take three minutes; it is looked at until there was enough to see.
 * SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/os/clock.h"
#include "base/mem.h"

#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sqlite3.h>

#define SECONDS 180 /* that the six days of the world take */

/* ---- lines ---------------------------------------------------------------- */

/* The announcements of a file as a table of the facts: line(url, id, change, date, page). */
static size_t load_lines(struct sqlite3 *db, const char *path)
{
    const char *at = file_text(path), *end;
    size_t count = 0;

    assert_int_equal(sqlite3_exec(db,
                                  "CREATE TEMP TABLE line(url, id, change, date, page,"
                                  " relevance, version_of)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    for (; *at && (end = strchr(at, '\n')) != NULL; at = end + 1, count++) {
        json_t *j = json_of(text("%.*s", (int)(end - at), at));
        char *sql = sqlite3_mprintf("INSERT INTO line VALUES(%Q, %Q, %Q, %Q, %lld, %f, %Q)",
                                    text_at(j, "url"), text_at(j, "id"), text_at(j, "change"),
                                    text_at(j, "date"), (long long)int_at(j, "page"),
                                    num_at(j, "relevance"),
                                    json_is_null(json_at(j, "version_of")) ? "" : "of");

        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_free(sql);
    }
    return count;
}

/* ---- the feed -------------------------------------------------------------- */

static int64_t count_nodes(xmlXPathContextPtr at, const char *path)
{
    xmlXPathObjectPtr found = xmlXPathEvalExpression((const xmlChar *)path, at);
    int64_t n;

    assert_non_null(found);
    n = found->type == XPATH_NUMBER ? (int64_t)found->floatval
                                    : (found->nodesetval ? (int64_t)found->nodesetval->nodeNr : 0);
    xmlXPathFreeObject(found);
    return n;
}

/* RFC 4287: what a feed and its entries must have, once each; dates as RFC 3339 wants
 * them; ids that are all different. */
static int64_t check_feed(const char *path)
{
    xmlDocPtr doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
    xmlXPathContextPtr at = doc ? xmlXPathNewContext(doc) : NULL;
    int64_t entries;

    assert_non_null(doc); /* well-formed */
    assert_int_equal(xmlXPathRegisterNs(at, (const xmlChar *)"a",
                                        (const xmlChar *)"http://www.w3.org/2005/Atom"),
                     0);
    assert_int_equal(count_nodes(at, "/a:feed"), 1);
    assert_int_equal(count_nodes(at, "/a:feed[count(a:id)=1 and count(a:title)=1 and"
                                     " count(a:updated)=1]"),
                     1);
    entries = count_nodes(at, "/a:feed/a:entry");
    assert_int_equal(count_nodes(at, "/a:feed/a:entry[count(a:id)=1 and count(a:title)=1 and"
                                     " count(a:updated)=1 and a:author/a:name and"
                                     " count(a:link[@rel='alternate' and starts-with(@href,"
                                     " 'http')])=1 and count(a:summary)=1]"),
                     entries);
    assert_int_equal(count_nodes(at, "//a:id[starts-with(., 'urn:uuid:') and string-length(.)=45]"),
                     entries + 1);
    assert_int_equal(count_nodes(at, "//a:entry/a:id[. = ../preceding-sibling::a:entry/a:id]"), 0);
    assert_int_equal(count_nodes(at, "//a:updated[string-length(.)=20 and substring(., 11, 1)='T'"
                                     " and substring(., 20)='Z']"),
                     entries + 1);
    xmlXPathFreeContext(at);
    xmlFreeDoc(doc);
    return entries;
}

/* ---- a news world for six days ----------------------------------------------- */

struct scene {
    const char *world, *dir, *feed, *lines, *words, *label;
    struct server *server;
};

static struct job *start_watch(const struct scene *s)
{
    const char *command =
        text("exec %s watch '%s' --seed http://%s/ --out %s --feed %s --quiet --allow-private"
             " --resolve '%s' --delay 10ms --relevant 0.15 --set recheck=1s >> %s",
             getenv("BROOD_BIN"), s->words,
             crawl_text(s->world, "SELECT host FROM page GROUP BY host ORDER BY count(*) DESC"),
             s->dir, s->feed, s->server->resolve, s->lines);

    return job_start((const char *const[]){"sh", "-c", command, NULL});
}

static void stop_watch(struct job *j, int number, int code)
{
    (void)kill(job_pid(j), number);
    assert_code(job_wait(j), code);
}

/* All hosts can be reached from the largest; topics keep apart, so that the label of an
 * article and the words on it agree. */
static struct scene news_scene(void)
{
    struct scene s = {.world = world("--kind", "news", "--hosts", "8", "--days", "6", "--articles",
                                     "8", "--backlog", "2", "--topics", "4", "--purity", "0.95",
                                     "--locality", "0.95", "--topic-share", "1", "--words", "200",
                                     "--rng", "3", "--robots", "0"),
                      .dir = fresh("watch"),
                      .feed = fresh("feed.xml"),
                      .lines = fresh("lines")};

    s.words = world_words(s.world, 0);
    s.label = world_label(s.world, 0);
    s.server = serve(s.world, "--speed", text("%f", 6.0 * 86400 / SECONDS));
    return s;
}

#define LABELLED "url IN (SELECT url FROM w.label WHERE label = '%s')"

/* Each announcement is a text that the world had, of the topic, not older than a day
 * when its time began, and there is only one of it. */
static void judge(const struct scene *s, size_t lines)
{
    struct sqlite3 *db = facts_open(s->dir, s->world, s->server);
    int64_t news = facts_int(db, "SELECT count(*) FROM news"), born, found;

    assert_int_equal(load_lines(db, s->lines), lines);
    assert_int_equal(facts_int(db, "SELECT count(*) - count(DISTINCT id) FROM line"), 0);
    assert_int_equal(facts_int(db, "SELECT count(*) - count(DISTINCT page_id) FROM news"), 0);
    assert_int_equal(facts_int(db, text("SELECT count(*) FROM line WHERE NOT " LABELLED, s->label)),
                     0);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM line WHERE relevance < 0.15"), 0);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM news JOIN page p ON p.id = page_id WHERE"
                                   " NOT EXISTS (SELECT 1 FROM w.page q WHERE q.url = p.url AND"
                                   " q.hash = p.hash)"),
                     0);
    assert_int_equal(
        facts_int(db, "SELECT count(*) FROM news WHERE date < (SELECT CAST(value AS INTEGER) -"
                      " 86400000000 FROM w.crawl WHERE key = 'world_time')"),
        0);
    /* Every line is a row. */
    assert_int_equal(
        facts_int(db, "SELECT count(*) FROM line WHERE page NOT IN (SELECT page_id FROM news)"), 0);
    born = facts_int(db, text("SELECT count(DISTINCT url) FROM w.page WHERE fetched_at > (SELECT"
                              " CAST(value AS INTEGER) FROM w.crawl WHERE key = 'world_time') AND"
                              " version_of IS NULL AND " LABELLED,
                              s->label));
    found = facts_int(db, text("SELECT count(DISTINCT url) FROM news WHERE url IN (SELECT url FROM"
                               " w.page WHERE version_of IS NULL AND fetched_at > (SELECT"
                               " CAST(value AS INTEGER) FROM w.crawl WHERE key = 'world_time')"
                               " AND " LABELLED ")",
                               s->label));
    print_message("# %lld announcements, %zu lines; of %lld documents of the topic that appeared"
                  " %lld were announced\n",
                  (long long)news, lines, (long long)born, (long long)found);
    assert_true(found > 0);
}

/* Has it announced a document that was not there when the world's time began? */
static bool has_seen_something_new(const struct scene *s)
{
    int64_t begin = crawl_int(s->world, "SELECT CAST(value AS INTEGER) FROM crawl WHERE key ="
                                        " 'world_time'");

    return crawl_int(s->dir,
                     text("SELECT count(*) FROM news WHERE date > %lld", (long long)begin)) > 0;
}

/* It has all of them, or the newest hundred. */
static void check_whole_feed(const struct scene *s)
{
    int64_t news = crawl_int(s->dir, "SELECT count(*) FROM news");
    struct ran seen = brood("inspect", s->feed, "--url", "http://a.test/feed.xml", "--json");

    assert_int_equal(check_feed(s->feed), news < 100 ? news : 100);
    assert_code(seen, 0);
    assert_int_equal(json_array_size(json_at(json_of(seen.out), "links")), news < 100 ? news : 100);
}

static void what_is_new_is_announced_once_over_a_kill_and_a_restart(void **state)
{
    struct scene s = news_scene();
    struct job *j = start_watch(&s);
    int64_t lines, news;

    (void)state;
    await_lines(s.lines, 8);
    (void)kill(job_pid(j), SIGKILL);
    assert_int_equal(job_wait(j).code, 128 + SIGKILL);
    lines = (int64_t)lines_in(file_text(s.lines));
    news = crawl_int(s.dir, "SELECT count(*) FROM news");
    assert_true(lines <= news); /* what was committed in this moment may have no line */

    j = start_watch(&s);
    await(has_seen_something_new(&s) && lines_in(file_text(s.lines)) > (size_t)lines + 8);
    stop_watch(j, SIGTERM, 0); /* the normal end of a watch */
    server_stop(s.server);
    assert_int_equal((int64_t)lines_in(file_text(s.lines)) - lines,
                     crawl_int(s.dir, "SELECT count(*) FROM news") - news);
    judge(&s, lines_in(file_text(s.lines)));

    check_whole_feed(&s);
    assert_code(brood("check", s.dir), 0);
    /* A young watch has a sample a second, those of the beginnings and of the ends besides. */
    assert_true(crawl_int(s.dir, "SELECT max(n - span) FROM (SELECT count(*) AS n, (max(at) -"
                                 " min(at)) / 1000000 AS span FROM sample GROUP BY metric)") <= 6);
}

/* ---- a small site --------------------------------------------------------------- */

#define PROSE "<p>Coral reefs are built by small animals in warm and shallow seas."

static const char *article(const char *path)
{
    static char body[1000];

    (void)snprintf(body, sizeof body,
                   "<title>Reef %s</title><p>Story %s of the coral reefs: number %s was seen by"
                   " divers north of island %s, who counted %s fishes and %s crabs there.",
                   path, path, path, path, path, path);
    return body;
}

/* The front page names /n1 at once, and /n2 after three visits. None has a date. */
#define FRONT1 "<h1>Coral reefs</h1>" PROSE "<a href=/n1>one</a>"
#define FRONT2                                                                            \
    "<h1>Coral reefs</h1>" PROSE "<a href=/n1>one</a><p>Word of a reef that nobody knew." \
    "<a href=/n2>two</a>"

#define WATCH(dir)                                                                           \
    "watch", "coral reefs", "--quiet", "--out", (dir), "--allow-private", "--delay", "10ms", \
        "--relevant", "0.01", "--seed", "http://a.test/", "--model", "revisit", "--set",     \
        "least=200ms"

static void what_was_there_is_no_news_what_appears_is(void **state)
{
    static const struct site_page pages[] = {
        {"/", .body = FRONT1, .times = 3},
        {"/", .body = FRONT2},
        {"/n", .make = article},
    };
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("undated");
    struct job *j = brood_job(WATCH(dir), "--resolve", site_resolve(s));
    struct ran r;

    (void)state;
    job_await_said(j, "\n");
    (void)kill(job_pid(j), SIGTERM);
    r = job_wait(j);
    assert_code(r, 0);
    assert_int_equal(lines_in(r.out), 1);
    assert_string_equal(text_at(json_of(r.out), "url"), "http://a.test/n2");
    assert_string_equal(text_at(json_of(r.out), "change"), "new");
    /* Again: it goes on, and says nothing twice. */
    r = brood("watch", "--out", dir, "--quiet", "--for", "2s");
    assert_code(r, 0);
    assert_string_equal(r.out, "");
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM news"), 1);
}

static void a_pass_ends_by_itself_and_the_next_one_goes_on(void **state)
{
    static const struct site_page pages[] = {
        {"/", .body = FRONT1, .times = 1},
        {"/", .body = FRONT2},
        {"/n", .make = article},
    };
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("once");
    struct ran r = brood(WATCH(dir), "--set", "least=1h", "--resolve", site_resolve(s), "--once");

    (void)state;
    assert_code(r, 0);
    assert_string_equal(r.out, "");
    assert_int_equal(site_asked(s, "/n1"), 1);
    r = brood("watch", "--out", dir, "--quiet", "--once", "--set", "least=0s");
    assert_code(r, 0);
    assert_int_equal(lines_in(r.out), 1);
    assert_string_equal(text_at(json_of(r.out), "url"), "http://a.test/n2");
}

/* From this hour to the one after the next. */
static const char *hours_around_now(void)
{
    int hour = (int)(clock_now() / US_PER_S / 3600 % 24);

    return text("%02d:00-%02d:00", hour, (hour + 2) % 24);
}

static void nobody_is_asked_in_quiet_hours(void **state)
{
    static const struct site_page pages[] = {{"/", .body = FRONT1}, {"/n", .make = article}};
    struct site *s = site_start(pages, ARRAY_LEN(pages));

    (void)state;
    (void)setenv("TZ", "UTC0", 1);
    assert_code(brood(WATCH(fresh("night")), "--resolve", site_resolve(s), "--for", "2s",
                      "--quiet-hours", hours_around_now()),
                0);
    assert_code(brood(WATCH(fresh("night once")), "--resolve", site_resolve(s), "--once",
                      "--quiet-hours", hours_around_now()),
                0);
    assert_int_equal(site_total(s), 0);
}

/* ---- the webhook ------------------------------------------------------------------ */

static const char *dated(const char *path)
{
    static char body[1200];
    char date[CLOCK_TEXT];

    clock_format(clock_now(), 0, date);
    (void)snprintf(body, sizeof body, "<meta property=article:published_time content=%.10s>%s",
                   date, article(path));
    return body;
}

static void announcements_are_posted_signed_in_order_and_until_they_are_taken(void **state)
{
    static const struct site_page hook[] = {
        {"/hook", .status = 503, .times = 2, .body = "not now"},
        {"/hook", .status = 204},
    };
    static const struct site_page pages[] = {
        {"/", .body = PROSE "<a href=/d1>a</a><a href=/d2>b</a><a href=/d3>c</a>"},
        {"/d", .make = dated},
    };
    struct site *s = site_start(pages, ARRAY_LEN(pages)), *h = site_start(hook, ARRAY_LEN(hook));
    const char *dir = fresh("posted"), *secret = file_with("secret", "Jefe\n");
    struct job *j = brood_job(WATCH(dir), "--resolve", site_resolve(s), "--webhook",
                              site_url(h, "/hook"), "--webhook-secret-file", secret);
    const char *lines;
    struct ran r;

    (void)state;
    await(site_asked(h, "/hook") == 5);
    (void)kill(job_pid(j), SIGTERM);
    r = job_wait(j);
    assert_code(r, 0);
    lines = r.out;
    assert_int_equal(lines_in(r.out), 3);
    assert_int_equal(site_asked(h, "/hook"), 5); /* two that failed, three that were taken */
    for (unsigned i = 2; i < 5; i++) {
        const char *sent = site_request(h, "/hook", i), *end = strchr(lines, '\n');

        assert_non_null(sent);
        assert_true(strncmp(sent, "POST /hook ", 11) == 0);
        assert_says(sent, "Content-Type: application/json\r\n");
        assert_says(sent, "X-Brood-Signature: sha256=");
        assert_says(sent, text("X-Brood-Delivery: %u\r\n", i - 1));
        assert_string_equal(strstr(sent, "\r\n\r\n") + 4,
                            text("%.*s", (int)(end - lines), lines)); /* the line itself */
        lines = end + 1;
    }
    assert_string_equal(crawl_text(dir, "SELECT value FROM crawl WHERE key = 'watch.sent'"), "3");
    /* A restart sends nothing again. */
    assert_code(brood("watch", "--out", dir, "--quiet", "--for", "2s"), 0);
    assert_int_equal(site_asked(h, "/hook"), 5);
    /* The secret is in no file of the results. */
    assert_int_equal(times_in(run("grep", "-rc", "Jefe", dir).out, ":0"),
                     lines_in(run("grep", "-rc", "Jefe", dir).out));
}

static void what_nobody_took_is_sent_after_a_restart(void **state)
{
    static struct site_page hook[] = {{"/hook", .status = 500}};
    static const struct site_page pages[] = {
        {"/", .body = PROSE "<a href=/d1>a</a><a href=/d2>b</a>"},
        {"/d", .make = dated},
    };
    struct site *s = site_start(pages, ARRAY_LEN(pages)), *h = site_start(hook, ARRAY_LEN(hook));
    const char *dir = fresh("restarted");
    unsigned refused;
    struct job *j;

    (void)state;
    j = brood_job(WATCH(dir), "--resolve", site_resolve(s), "--webhook", site_url(h, "/hook"));
    await(site_asked(h, "/hook") > 0);
    (void)kill(job_pid(j), SIGKILL);
    assert_int_equal(job_wait(j).code, 128 + SIGKILL);
    hook[0].status = 200;
    refused = site_asked(h, "/hook");
    j = brood_job("watch", "--out", dir, "--quiet");
    await(site_asked(h, "/hook") >= refused + 2);
    stop_watch(j, SIGTERM, 0);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM news"), 2);
    assert_int_equal(site_asked(h, "/hook"), refused + 2);
    assert_says(site_request(h, "/hook", refused), "X-Brood-Delivery: 1\r\n");
    assert_says(site_request(h, "/hook", refused + 1), "X-Brood-Delivery: 2\r\n");
}

/* ---- what is refused ----------------------------------------------------------------- */

static void wrong_usage_is_said_in_one_sentence(void **state)
{
    static const struct site_page pages[] = {{"/", .body = PROSE}};
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("kept");

    (void)state;
    assert_refused(brood("watch", "reefs", "--seed", "http://a.test/", "--model", "best-first"), 2,
                   "looks at no page twice; those that do: ");
    assert_refused(brood("watch", "--seed", "http://a.test/"), 2, "what is the topic");
    assert_refused(brood("watch", "--out", dir), 2, "no watch to go on with: what is the topic");
    assert_refused(brood("watch", "reefs", "--seed", "http://a.test/", "--quiet-hours", "25:00-3"),
                   2, "quiet hours");
    assert_refused(brood("watch", "reefs", "--seed", "http://a.test/", "--since", "soon"), 2,
                   "neither a date");
    assert_code(brood("crawl", "reefs", "--seed", "http://a.test/", "--quiet", "--allow-private",
                      "--resolve", site_resolve(s), "--out", dir),
                0);
    assert_refused(brood("watch", "--out", dir), 2, "is a crawl, not a watch");
    dir = fresh("other");
    assert_code(brood(WATCH(dir), "--resolve", site_resolve(s), "--once"), 0);
    assert_refused(brood("resume", dir), 2, "is a watch");
    assert_refused(brood("watch", "another topic", "--out", dir), 2,
                   "was begun with words 'coral reefs'");
    assert_refused(brood("watch", "--out", dir, "--model", "foragers"), 2, /* the usual one */
                   "was begun with model 'revisit'");
    assert_refused(brood("watch", "--out", dir, "--feed", "/no/such/folder/feed.xml"), 2, "--feed");
    assert_refused(brood("watch", "--out", dir, "--webhook", "ftp://a.test/"), 2,
                   "not an http or https URL");
    assert_refused(brood("watch", "--out", dir, "--webhook-secret-file", dir), 2,
                   "--webhook, which is not given");

    /* Nothing is made where an outlet will not do. */
    dir = fresh("never");
    assert_refused(brood(WATCH(dir), "--feed", "/no/such/folder/feed.xml"), 2,
                   "--feed: /no/such/folder: ");
    assert_refused(brood("watch", "reefs", "--seed", "http://a.test/", "--contact", "a@a.test",
                         "--out", dir, "--webhook", "http://127.0.0.1:2/"),
                   2, "the address is refused: loopback (--webhook-private");
    assert_refused(brood("watch", "reefs", "--seed", "http://a.test/", "--contact", "a@a.test",
                         "--out", dir, "--webhook", "http://[::1]:2/"),
                   2, "the address is refused: loopback (--webhook-private");
    assert_int_not_equal(access(dir, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_new_is_announced_once_over_a_kill_and_a_restart),
        cmocka_unit_test(what_was_there_is_no_news_what_appears_is),
        cmocka_unit_test(a_pass_ends_by_itself_and_the_next_one_goes_on),
        cmocka_unit_test(nobody_is_asked_in_quiet_hours),
        cmocka_unit_test(announcements_are_posted_signed_in_order_and_until_they_are_taken),
        cmocka_unit_test(what_nobody_took_is_sent_after_a_restart),
        cmocka_unit_test(wrong_usage_is_said_in_one_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
