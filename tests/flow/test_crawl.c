/* A crawl of a topic, and every command that reads it: their figures are those
 * of the database. SPDX-License-Identifier: MIT */
#include "flow.h"

static const char *w, *dir;
static struct ran made;

static int set_up(void **state)
{
    struct server *s;

    (void)state;
    w = world("--pages", "600", "--hosts", "12", "--topics", "4");
    s = serve(w);
    dir = fresh("C");
    made = crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "150",
                 "--delay", "0", "--json");
    server_stop(s);
    return 0;
}

static void pages_is_exact_in_table_figures_and_json_lines(void **state)
{
    const char *rest = made.out;
    struct ran stats = brood("stats", dir, "--json");
    json_t *j = NULL;

    (void)state;
    assert_code(made, 0);
    assert_int_equal(crawl_pages(dir), 150);
    assert_int_equal(crawl_int(dir, "SELECT count(DISTINCT url) FROM page"), 150);
    assert_int_equal(lines_in(made.out), 151);
    for (int i = 1; i <= 150; i++) {
        const char *end = strchr(rest, '\n');

        j = json_of(text("%.*s", (int)(end - rest), rest));
        assert_int_equal(int_at(j, "page"), i);
        assert_string_equal(text_at(j, "url"),
                            crawl_text(dir, text("SELECT url FROM page WHERE id = %d", i)));
        rest = end + 1;
    }
    j = json_of(rest);
    assert_int_equal(int_at(j, "summary.pages"), 150);
    assert_code(stats, 0);
    assert_int_equal(int_at(json_of(stats.out), "pages"), 150);
}

static void stats_agree_with_the_tables(void **state)
{
    struct ran r = brood("stats", dir, "--json");
    json_t *j = json_of(r.out), *n;
    const char *reason;
    int64_t total = 0;

    (void)state;
    assert_int_equal(int_at(j, "relevant"),
                     crawl_int(dir,
                               "SELECT count(*) FROM page WHERE relevance >= (SELECT CAST(value AS"
                               " REAL) FROM crawl WHERE key = 'relevant_threshold')"));
    assert_int_equal(int_at(j, "hosts"), crawl_int(dir, "SELECT count(DISTINCT host) FROM page"));
    assert_int_equal(int_at(j, "links"), crawl_int(dir, "SELECT count(*) FROM link"));
    assert_int_equal(int_at(j, "bytes"), crawl_int(dir, "SELECT sum(bytes) FROM page"));
    assert_int_equal(int_at(j, "indexed"), 150);
    assert_true(num_at(j, "mean_relevance") > 0);
    assert_true(num_at(j, "seconds") > 0);
    assert_int_equal(int_at(j, "agents.alive"), 12);
    json_object_foreach(json_at(j, "drops"), reason, n)
    {
        assert_int_equal(json_integer_value(n), crawl_drops(dir, reason));
        total += json_integer_value(n);
    }
    assert_int_equal(total, crawl_int(dir, "SELECT sum(n) FROM drop_count"));
    assert_code(brood("stats", dir), 0);
}

static void top_is_ordered_by_what_the_model_says(void **state)
{
    struct ran r = brood("top", dir, "-n", "40", "--json");
    json_t *all = json_of(r.out), *row;
    double before = 1;
    size_t i;

    (void)state;
    assert_code(r, 0);
    assert_int_equal(json_array_size(all), 40);
    json_array_foreach(all, i, row)
    {
        assert_int_equal(int_at(row, "rank"), i + 1);
        assert_true(num_at(row, "p") <= before); /* what the model says of the page */
        before = num_at(row, "p");
    }
    assert_string_equal(text_at(all, "0.url"),
                        crawl_text(dir, "SELECT url FROM page WHERE dup_of IS NULL OR dup_of = 0"
                                        " ORDER BY p DESC, relevance DESC, id LIMIT 1"));
    assert_says(brood("top", dir).out, text("%.20s", text_at(all, "0.title")));
}

#define MATCHES "SELECT count(*) FROM page_text WHERE page_text MATCH "

static void search_finds_what_the_pages_say(void **state)
{
    const char *word = text_at(world_info(w), "topics.0.words.1");
    const char *exact = text("\"%s\"", word);
    struct ran r = brood("search", dir, exact, "-n", "1000", "--json");
    int64_t in_main = crawl_int(dir, text(MATCHES "'{title main} : %s'", word));
    int64_t anywhere = crawl_int(dir, text(MATCHES "'%s'", word));

    (void)state;
    assert_code(r, 0);
    assert_true(in_main > 0);
    assert_true(anywhere > in_main); /* menus of the world name pages of the topic */
    assert_int_equal(json_array_size(json_of(r.out)), in_main);
    r = brood("search", dir, exact, "-n", "1000", "--json", "--all-text");
    assert_int_equal(json_array_size(json_of(r.out)), anywhere);
    assert_says(brood("search", dir, "zzzunheardof").out, "nothing found");
    assert_int_equal(json_array_size(json_of(brood("search", dir, "zzzunheardof", "--json").out)),
                     0);
    assert_true(brood("search", dir, "\"unbalanced").code != 99);
}

static void show_and_explain_know_taken_and_untaken_urls(void **state)
{
    const char *taken = crawl_text(dir, "SELECT url FROM page WHERE id = 7");
    const char *known = crawl_text(
        dir, "SELECT url FROM url WHERE page = 0 AND state = 0 AND \"drop\" = 0 LIMIT 1");
    struct ran r = brood("explain", dir, taken, "--json");
    json_t *j = json_of(r.out);

    (void)state;
    assert_code(r, 0);
    assert_says(text_at(j, "verdict"), "page 7");
    assert_int_equal(int_at(j, "page"), 7);
    r = brood("explain", dir, known, "--json");
    assert_code(r, 0);
    assert_says(text_at(json_of(r.out), "verdict"), "not taken");
    assert_code(brood("explain", dir, known), 0);
    r = brood("explain", dir, "http://never.met.example/");
    assert_code(r, 1);
    assert_says(r.out, "never met");
    r = brood("show", dir, taken);
    assert_code(r, 0);
    assert_says(r.out, taken);
    r = brood("show", dir, taken, "--json");
    assert_code(r, 0);
    assert_string_equal(text_at(json_of(r.out), "pages.0.url"), taken);
    assert_code(brood("show", dir, "1"), 0);
    assert_code(brood("show", dir, "http://never.met.example/"), 1);
}

static void show_names_both_ends_of_links(void **state)
{
    const char *page = crawl_text(dir, "SELECT url FROM page WHERE id = 1");
    const char *to = crawl_text(dir, "SELECT to_url FROM link WHERE from_page = 1"
                                     " ORDER BY pos LIMIT 1");
    json_t *j = json_of(brood("show", dir, page, "--json").out);

    (void)state;
    assert_string_equal(text_at(j, "links_out.0.to"), to);
    j = json_of(brood("show", dir, to, "--json").out);
    assert_string_equal(text_at(j, "links_in.0.from"), page);
}

/* URLs are copied from a list into other commands. */
static void top_never_cuts_a_url(void **state)
{
    const char *url = crawl_text(dir, "SELECT url FROM page ORDER BY length(url) DESC LIMIT 1");

    (void)state;
    assert_says(brood("top", dir, "-n", "150").out, text(" %s\n", url));
}

static void dropped_urls_are_explained_by_their_reason(void **state)
{
    const char *url = crawl_text(dir, "SELECT url FROM dropped WHERE reason = 'robots' LIMIT 1");
    struct ran r = brood("explain", dir, url, "--json");

    (void)state;
    assert_code(r, 0);
    assert_string_equal(text_at(json_of(r.out), "reason"), "robots");
}

static void exports_hold_every_page(void **state)
{
    struct ran jsonl = brood("export", dir, "--as", "jsonl");
    struct ran csv = brood("export", dir, "--as", "csv");
    struct ran cdxj = brood("export", dir, "--as", "cdxj");
    const char *file = fresh("graph.graphml"), *graph;

    (void)state;
    assert_code(jsonl, 0);
    assert_int_equal(lines_in(jsonl.out), 150);
    assert_code(csv, 0);
    assert_true(lines_in(csv.out) >= 151);
    assert_says(csv.out, "url");
    assert_code(cdxj, 0);
    assert_int_equal(lines_in(cdxj.out),
                     crawl_int(dir, "SELECT (SELECT count(*) FROM page_row WHERE warc > 0)"
                                    " + (SELECT count(*) FROM outcome_row WHERE warc > 0)"
                                    " + (SELECT count(*) FROM resource_row WHERE warc > 0)"));
    assert_code(brood("export", dir, "--as", "graphml", "-o", file), 0);
    graph = file_text(file);
    assert_true(times_in(graph, "<node ") >= 150);
    assert_says(graph, "</graphml>");
    assert_refused(brood("export", dir, "--as", "xlsx"), 2, "xlsx");
    assert_refused(brood("crawl", "reefs", "--seed", "http://a.test/", "--dashboard=99999"), 2,
                   "--dashboard=99999: this is no port");
}

static void everything_agrees(void **state)
{
    struct ran r = brood("check", dir);

    (void)state;
    assert_code(r, 0);
    assert_says(r.out, "everything agrees");
    assert_says(r.out, "150 pages");
}

static void a_forgotten_page_is_gone_everywhere(void **state)
{
    const char *copy = fresh("F"), *url, *title, *quoted; /* other URLs may begin with this one */

    (void)state;
    assert_code(run("cp", "-r", dir, copy), 0);
    url = crawl_text(copy, "SELECT url FROM page WHERE id = 9");
    title = crawl_text(copy, "SELECT title FROM page WHERE id = 9");
    quoted = text("\"%s\"", url);
    assert_true(times_in(brood("export", copy, "--as", "cdxj").out, quoted) > 0);
    assert_code(brood("forget", copy, url), 0);
    assert_int_equal(crawl_int(copy, text("SELECT count(*) FROM page WHERE url = '%s'", url)), 0);
    assert_int_equal(times_in(brood("top", copy, "-n", "1000", "--json").out, quoted), 0);
    assert_int_equal(times_in(brood("search", copy, text("\"%s\"", title), "--json").out, quoted),
                     0);
    assert_int_equal(times_in(brood("export", copy, "--as", "cdxj").out, quoted), 0);
    assert_code(brood("check", copy), 0);
}

/* --no-index: nothing is indexed until somebody searches, and then all is. */
static void search_indexes_what_a_crawl_left_out(void **state)
{
    const char *later = fresh("N");
    struct server *s = serve(w);

    (void)state;
    assert_code(crawl(s, later, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "30",
                      "--delay", "0", "--no-index"),
                0);
    server_stop(s);
    assert_int_equal(int_at(json_of(brood("stats", later, "--json").out), "indexed"), 0);
    assert_true(
        json_array_size(json_of(
            brood("search", later, text_at(world_info(w), "topics.0.words.1"), "--json").out)) > 0);
    assert_int_equal(int_at(json_of(brood("stats", later, "--json").out), "indexed"), 30);
    assert_code(brood("check", later), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_is_exact_in_table_figures_and_json_lines),
        cmocka_unit_test(stats_agree_with_the_tables),
        cmocka_unit_test(top_is_ordered_by_what_the_model_says),
        cmocka_unit_test(search_finds_what_the_pages_say),
        cmocka_unit_test(show_and_explain_know_taken_and_untaken_urls),
        cmocka_unit_test(show_names_both_ends_of_links),
        cmocka_unit_test(top_never_cuts_a_url),
        cmocka_unit_test(dropped_urls_are_explained_by_their_reason),
        cmocka_unit_test(exports_hold_every_page),
        cmocka_unit_test(everything_agrees),
        cmocka_unit_test(a_forgotten_page_is_gone_everywhere),
        cmocka_unit_test(search_indexes_what_a_crawl_left_out),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
