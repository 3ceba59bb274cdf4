/* Where a new user could get stuck: every way on is named, and works as it is named; and the
 * same figure has one name and one value everywhere. SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/mem.h"

#include <sqlite3.h>
#include <stdlib.h>

static const char *w, *dir;
static struct server *s;

static int set_up(void **state)
{
    (void)state;
    w = world("--pages", "300", "--hosts", "12", "--topics", "2", "--duplicates", "0.3");
    dir = fresh("crawl");
    s = serve(w);
    assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "150",
                      "--delay", "0"),
                0);
    return 0;
}

/* ---- hints ---------------------------------------------------------------- */

static void hints_name_the_program_as_it_was_called(void **state)
{
    const char *bin = getenv("BROOD_BIN"), *linked = fresh("run");
    struct ran r;

    (void)state;
    assert_code(run("ln", "-s", bin, linked), 0);
    r = run(linked, "crawl", "stars", "--sed", "x");
    assert_code(r, 2);
    assert_says(r.err, "did you mean --seed?");
    r = run(linked, "crawl");
    assert_says(r.err, text("what is the topic? %s crawl \"WORDS\"", linked));
    assert_says(run(linked, "top", "--help").out, text("usage: %s top DIR", linked));
    assert_says(brood("top", "--help").out, "usage: brood top DIR");
}

static void names_of_other_crawlers_lead_to_ours(void **state)
{
    (void)state;
    assert_refused(brood("crawl", "stars", "--max-pages", "3"), 2, "did you mean --pages?");
    assert_refused(brood("crawl", "stars", "--depth", "3"), 2, "did you mean --max-depth?");
    assert_refused(brood("export", dir, "--format", "csv"), 2, "did you mean --as?");
    assert_refused(brood("crawl", "stars", "--seed", "http://a.test/", "--allow-private", "--set",
                         "patience=.5"),
                   2, "has no option 'patience', but every crawl has: write --patience");
    assert_refused(brood("resume", dir, "--nats", "nats://a.test"), 2,
                   "--nats is an option of 'brood crawl', not of 'brood resume'");
}

static void a_duration_says_its_unit(void **state)
{
    (void)state;
    assert_refused(brood("world", "serve", w, "--latency", "20"), 2, "write 20s, 20ms");
    assert_refused(brood("crawl", "stars", "--seed", "http://a.test/", "--for", "3"), 2, "no unit");
}

static void too_little_memory_is_refused(void **state)
{
    (void)state;
    assert_refused(
        crawl(s, fresh("tiny"), "stars", "--seed", world_seed(w, 0, 0), "--memory", "1Mi"), 2,
        "32Mi or more");
    assert_refused(brood("resume", dir, "--memory", "1Mi"), 2, "32Mi or more");
}

/* ---- search and export ----------------------------------------------------- */

static void a_search_that_finds_nothing_says_what_is_near(void **state)
{
    const char *word = crawl_text(dir, "SELECT 'telescope' WHERE EXISTS (SELECT 1 FROM page_text"
                                       " WHERE page_text MATCH 'telescope')");
    struct ran r = brood("search", dir, "telescopy");

    (void)state;
    assert_string_equal(word, "telescope");
    assert_code(r, 0);
    assert_says(r.out, "nothing found in title and main text of 150 pages");
    assert_says(r.out, "no page has 'telescopy'; near it: telescope");
    assert_refused(brood("search", dir, "telescope AND"), 2, "AND, OR and NOT stand between");
    assert_refused(brood("search", dir, "( telescope OR star"), 2, "parentheses come in pairs");
    assert_code(brood("search", dir, "\"telescope"), 0); /* no operator: plain words */
}

static void an_export_whose_reader_leaves_is_quiet(void **state)
{
    struct ran r = run("sh", "-c", text("%s export %s | head -n 1", getenv("BROOD_BIN"), dir));

    (void)state;
    assert_code(r, 0);
    assert_int_equal(lines_in(r.out), 1);
    assert_string_equal(r.err, "");
}

/* ---- beginning and going on -------------------------------------------------- */

static void a_crawl_that_fetched_nothing_may_begin_again(void **state)
{
    static struct site_page pages[] = {
        {"/", .body = "<a href=/ok>coral</a>", .status = 404},
        {"/ok", .body = "coral reefs"},
    };
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    const char *out = fresh("barren");
    struct ran r = brood("crawl", "coral", "--seed", "http://a.test/", "--retries", "0", "--delay",
                         "0", "--allow-private", "--out", out, "--resolve", site_resolve(site));

    (void)state;
    assert_code(r, 3);
    assert_says(r.err, "starved: nothing could be fetched");
    pages[0].status = 0;
    r = brood("crawl", "coral reefs", "--seed", "http://a.test/", "--delay", "0", "--allow-private",
              "--out", out, "--resolve", site_resolve(site));
    assert_code(r, 0);
    assert_int_equal(crawl_pages(out), 2);
    assert_says(crawl_text(out, "SELECT value FROM crawl WHERE key = 'topic'"), "coral reefs");
    assert_code(brood("check", out), 0);
    r = brood("crawl", "coral", "--seed", "http://a.test/", "--allow-private", "--out", out,
              "--resolve", site_resolve(site));
    assert_refused(r, 2, "is a crawl already"); /* it has pages now */
}

/* Without --out, the directory of a crawl that fetched nothing is not in the way of the next. */
static void a_second_try_uses_the_directory_of_the_first(void **state)
{
    static struct site_page pages[] = {
        {"/", .body = "<a href=/ok>coral</a>", .status = 404},
        {"/ok", .body = "coral reefs"},
    };
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    const char *in = fresh("tries"),
               *crawl = text("mkdir -p %s && cd %s && %s crawl 'coral reefs' --seed http://a.test/ "
                             "--retries 0 --delay 0 --allow-private --resolve '%s'; ls",
                             in, in, getenv("BROOD_BIN"), site_resolve(site));
    struct ran r = run("sh", "-c", crawl);

    (void)state;
    assert_int_equal(lines_in(r.out), 1);
    r = run("sh", "-c", crawl);
    assert_int_equal(lines_in(r.out), 1);
    pages[0].status = 0;
    r = run("sh", "-c", crawl);
    assert_int_equal(lines_in(r.out), 1);
    r = run("sh", "-c", crawl); /* the first has pages now */
    assert_int_equal(lines_in(r.out), 2);
}

static void a_limit_without_a_page_is_an_end_without_success(void **state)
{
    static struct site_page pages[] = {{"/", .body = "coral", .wait_ms = 30000}};
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    struct ran r =
        brood("crawl", "coral", "--seed", "http://a.test/", "--for", "300ms", "--no-robots",
              "--allow-private", "--out", fresh("slow"), "--resolve", site_resolve(site));

    (void)state;
    assert_code(r, 3);
    assert_says(r.err, "nothing could be fetched, and the time is up");
}

static void a_crawl_goes_on_with_other_options(void **state)
{
    const char *out = fresh("changed"), *seed = text("%s?more", world_seed(w, 1, 0));
    struct ran r;

    (void)state;
    assert_code(run("cp", "-r", dir, out), 0);
    r = brood("resume", out, "--pages", "160", "--delay", "1ms", "--connections", "3", "--exclude",
              "*/nowhere/*", "--seed", seed, "--json", "--trust");
    assert_code(r, 0);
    assert_int_equal(crawl_pages(out), 160);
    assert_string_equal(crawl_text(out, "SELECT value FROM crawl WHERE key = 'option.delay'"),
                        "1ms");
    assert_string_equal(crawl_text(out, "SELECT value FROM crawl WHERE key = 'option.exclude'"),
                        "*/nowhere/*");
    assert_says(crawl_text(out, "SELECT value FROM crawl WHERE key = 'option.seed'"), seed);
    assert_int_equal(crawl_int(out, text("SELECT count(*) FROM url_row WHERE url = '%s'"
                                         " AND depth = 0",
                                         seed)),
                     1);
    assert_refused(brood("resume", out, "--trust", "--model", "fish"), 2,
                   "--model cannot change, because");
    assert_refused(brood("resume", out, "--trust", "--words", "gardens"), 2,
                   "--words cannot change, because");
    assert_refused(brood("resume", out, "--trust", "--seeds", "/nowhere/seeds"), 2,
                   "--seeds /nowhere/seeds: No such file");
    assert_code(brood("resume", out, "--trust", "--quiet", "--model", "brood"), 0);
    assert_code(brood("check", out), 0);
}

/* A value for an option, by what its row says: its name, or what --help shows for its value. NULL:
 * none is known; give it one here. */
static const char *value_of(const char *name, const char *shown)
{
    static const char *const values[][2] = {
        {"--threads", "2"},
        {"--per-host", "2"},
        {"--retries", "1"},
        {"--search-queries", "5"},
        {"--seeds-are", "places"},
        {"--pages", "150"},
        {"--memory", "2Gi"},
        {"--proxy", "http://127.0.0.1:9"},
        {"--header", "X-Reefs: yes"},
        {"--hosts", "*.nowhere.test delay=5s"},
        {"--resolve", "x.test:80:127.0.0.1"},
        {"--lang", "en,de"},
        {"--types", "html"},
        {"--scope", "any"},
        {"--until", "90%"},
        {"--contact", "me@example.org"},
        {"--exclude-hosts", "HOSTS"},
        {"--config", "CONFIG"},
        {"--cookies", "COOKIES"},
        {"--ca-file", "AUTHORITIES"},
        {"--identity", "IDENTITY"},
        {"N", "77"},
        {"R", "0.5"},
        {"X", "0.5"},
        {"URL", "http://more.test/"},
        {"URL[,URL...]", "nats://more.test"},
        {"URL|FILE", "FILE"},
        {"DIR|FILE", "FILE"},
        {"FILE", "FILE"},
        {"DIR", "elsewhere"},
        {"PATTERN", "*/nowhere/*"},
        {"TEXT", "gardens"},
        {"NAME", "fish"},
        {"KEY=VALUE", "agents=3"},
        {"TIME", "1h"},
        {"SIZE", "1Gi"},
        {"WORDS", "study"},
        {"", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        if (strcmp(values[i][0], name) == 0)
            return values[i][1];
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        if (strcmp(values[i][0], shown) == 0)
            return values[i][1];
    return NULL;
}

/* The files that these values name. */
static const char *file_for(const char *value)
{
    if (strcmp(value, "FILE") == 0)
        return file_with("places", "http://more.test/\n");
    if (strcmp(value, "HOSTS") == 0)
        return file_with("hosts", "nowhere.test\n");
    if (strcmp(value, "CONFIG") == 0)
        return file_with("config", "retries: 1\n");
    if (strcmp(value, "COOKIES") == 0)
        return file_with("cookies", "");
    if (strcmp(value, "AUTHORITIES") == 0)
        return serve(w, "--tls-port", "0")->ca;
    if (strcmp(value, "IDENTITY") == 0) {
        const char *key = fresh("identity");

        assert_code(brood("identity", "new", key, "--agent", "https://bot.test"), 0);
        return key;
    }
    return value;
}

/* Goes on with one more option: it is taken, or it is said why not. */
static void goes_on_with(const char *out, const char *name, const char *shown)
{
    const char *value = value_of(name, shown);
    struct ran r;

    if (value == NULL)
        fail_msg("the test knows no value for %s %s", name, shown);
    value = file_for(value);
    r = *value ? brood("resume", out, "--quiet", "--no-wait", "--trust", name, value)
               : brood("resume", out, "--quiet", "--no-wait", "--trust", name);
    if (r.code == 2 && (strstr(r.err, text("%s cannot change, because", name)) ||
                        strstr(r.err, text("%s is an option of 'brood crawl', not of", name))))
        return;
    if (r.code != 0)
        fail_msg("resume %s %s: exit code %d\n%s", name, value, r.code, r.err);
}

/* The list of options is that of `crawl --help`, which is made from their table. */
static void a_crawl_goes_on_with_every_option_or_says_why_not(void **state)
{
    struct str rest = str_of(brood("crawl", "--help").out), line;
    const char *out = fresh("every");
    size_t tried = 0;

    (void)state;
    assert_code(run("cp", "-r", dir, out), 0);
    while (str_cut(&rest, '\n', &line)) {
        struct str name;
        size_t end;

        if (!str_starts(line, STR("  --")))
            continue;
        line = str_sub(line, 2, line.len);
        end = str_find(line, STR("  "), 0); /* the help follows, or stands in the next line */
        line = str_sub(line, 0, end < line.len ? end : line.len);
        (void)str_cut(&line, ' ', &name);
        end = str_find(name, STR("["), 0); /* --dashboard[=PORT] */
        goes_on_with(out, text("%.*s", (int)(end < name.len ? end : name.len), name.ptr),
                     end < name.len ? "" : text("%.*s", STR_ARG(line)));
        tried++;
    }
    assert_true(tried > 60);
    assert_code(brood("check", out), 0);
}

static void nothing_to_retry_is_said(void **state)
{
    struct ran r = brood("retry", dir, "--dry-run", "--reason", "timeout");

    (void)state;
    assert_code(r, 0);
    assert_says(r.err, "nothing failed for this reason");
}

static void what_is_empty_says_so(void **state)
{
    static struct site_page pages[] = {{"/", .body = "coral reefs"}};
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    const char *out = fresh("alone");

    (void)state;
    assert_code(brood("crawl", "coral", "--seed", "http://a.test/", "--no-robots", "--delay", "0",
                      "--allow-private", "--quiet", "--out", out, "--resolve", site_resolve(site)),
                0);
    assert_says(brood("stats", out).out, "URLs not taken, and why:\n  none\n");
    assert_says(brood("stats", out).out, "known URLs  1 (0 not tried yet), 0 links\n");
    assert_says(brood("export", out, "--as", "docpool").err, "alone.docpool\n");
}

/* ---- counts ----------------------------------------------------------------- */

static void summary_and_stats_have_the_same_figures(void **state)
{
    static const char *const names[] = {"pages", "relevant",  "duplicates", "failed",
                                        "hosts", "hosts_met", "received"};
    const char *out = fresh("counted");
    struct ran r = crawl(s, out, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "100",
                         "--delay", "0", "--json");
    const char *last = strstr(r.out, "{\"summary\"");
    json_t *summary, *stats;

    (void)state;
    assert_code(r, 0);
    assert_non_null(last);
    summary = json_at(json_of(last), "summary");
    stats = json_of(brood("stats", out, "--json").out);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        assert_int_equal(int_at(summary, names[i]), int_at(stats, names[i]));
    assert_true(num_at(summary, "seconds") == num_at(stats, "seconds"));
    assert_string_equal(text_at(stats, "model"), "brood");
    assert_says(text_at(stats, "topic"), world_words(w, 0));
    assert_int_equal(int_at(stats, "hosts"),
                     crawl_int(out, "SELECT count(DISTINCT host) FROM page"));
    assert_true(int_at(stats, "hosts_met") >= int_at(stats, "hosts"));
}

static void time_stands_still_between_two_runs(void **state)
{
    const char *out = fresh("paused");
    sqlite3 *db;
    double ran;

    (void)state;
    assert_code(run("cp", "-r", dir, out), 0);
    /* as if it had been crawled a day ago */
    assert_int_equal(sqlite3_open(text("%s/crawl.db", out), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE page_row SET fetched_at = fetched_at - 86400000000",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_code(brood("resume", out, "--pages", "155", "--quiet", "--trust"), 0);
    ran = num_at(json_of(brood("stats", out, "--json").out), "seconds");
    assert_true(ran < 3600);
}

static void a_duplicate_is_called_so(void **state)
{
    const char *dup = crawl_text(dir, "SELECT url FROM page WHERE dup_of IS NOT NULL LIMIT 1");

    (void)state;
    assert_says(brood("explain", dir, dup).out, ", a duplicate of page ");
}

static void a_page_that_links_twice_is_listed_once_and_one_without_a_title_has_a_name(void **state)
{
    static const struct site_page pages[] = {
        {"/", .body = "<title>The reef</title><a href=/a/ok>coral</a> <a href='/a/ok#b'>reefs</a>"},
        {"/a/ok", .body = "coral reefs"},
    };
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    const char *out = fresh("twice");
    struct ran r = brood("crawl", "coral", "--seed", "http://a.test/", "--delay", "0", "--quiet",
                         "--allow-private", "--out", out, "--resolve", site_resolve(site));

    (void)state;
    assert_code(r, 0);
    assert_int_equal(
        json_array_size(
            json_at(json_of(brood("show", out, "http://a.test/a/ok", "--json").out), "links_in")),
        1);
    assert_says(brood("top", out).out, "(untitled) ok");
    assert_says(brood("top", out).out, "The reef");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hints_name_the_program_as_it_was_called),
        cmocka_unit_test(names_of_other_crawlers_lead_to_ours),
        cmocka_unit_test(a_duration_says_its_unit),
        cmocka_unit_test(too_little_memory_is_refused),
        cmocka_unit_test(a_search_that_finds_nothing_says_what_is_near),
        cmocka_unit_test(an_export_whose_reader_leaves_is_quiet),
        cmocka_unit_test(a_crawl_that_fetched_nothing_may_begin_again),
        cmocka_unit_test(a_second_try_uses_the_directory_of_the_first),
        cmocka_unit_test(a_limit_without_a_page_is_an_end_without_success),
        cmocka_unit_test(a_crawl_goes_on_with_other_options),
        cmocka_unit_test(a_crawl_goes_on_with_every_option_or_says_why_not),
        cmocka_unit_test(what_is_empty_says_so),
        cmocka_unit_test(nothing_to_retry_is_said),
        cmocka_unit_test(summary_and_stats_have_the_same_figures),
        cmocka_unit_test(time_stands_still_between_two_runs),
        cmocka_unit_test(a_duplicate_is_called_so),
        cmocka_unit_test(a_page_that_links_twice_is_listed_once_and_one_without_a_title_has_a_name),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
