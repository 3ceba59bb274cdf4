/* Topics over the wire. Best-first finds the topic: at least twice as many pages that
 * carry its label as breadth-first, as a mean over several topics. Example pages
 * train a classifier, and the crawl says so. SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include <unistd.h>

#define TOPICS 4

static int64_t labelled(struct server *s, const char *w, size_t topic, const char *model)
{
    const char *dir = fresh(text("%s-%zu", model, topic));
    struct sqlite3 *facts;

    assert_code(crawl(s, dir, world_words(w, topic), "--seed", world_seed(w, topic, 0), "--model",
                      model, "--pages", "800", "--delay", "0", "--connections", "1", "--no-warc"),
                0);
    facts = facts_open(dir, w, NULL);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM page"), 800);
    return facts_int(facts, text("SELECT count(*) FROM page p JOIN w.label l ON l.url = p.url"
                                 " WHERE l.label = '%s'",
                                 world_label(w, topic)));
}

static void best_first_finds_twice_as_many_pages_of_the_topic(void **state)
{
    const char *w = world("--pages", "12000", "--hosts", "200");
    struct server *s = serve(w);
    int64_t best = 0, breadth = 0;

    (void)state;
    for (size_t t = 0; t < TOPICS; t++) {
        int64_t b = labelled(s, w, t, "best-first"), f = labelled(s, w, t, "breadth-first");

        print_message("# %s: best-first %lld, breadth-first %lld of 800 pages\n", world_label(w, t),
                      (long long)b, (long long)f);
        best += b, breadth += f;
    }
    server_stop(s);
    assert_true(best >= 2 * breadth);
}

/* ---- examples ------------------------------------------------------------ */

/* A topic file with the pages of one topic as positive examples and those of four
 * others as negative ones: the worlds' seeds, which are pages of their topics. */
static const char *topic_with_examples(const char *w)
{
    const char *lines = text("%s\n", world_words(w, 0));

    for (size_t i = 0; i < 3; i++)
        lines = text("%s+ %s\n", lines, world_seed(w, 0, i));
    for (size_t t = 1; t <= 4; t++)
        lines = text("%s- %s\n- %s\n", lines, world_seed(w, t, 0), world_seed(w, t, 1));
    return file_with("examples.topic", lines);
}

#define SAID                                                                                 \
    "measured by a classifier (logistic) from 3 positive and 8 negative examples, held-out " \
    "accuracy "

/* Which measure is used, and how good it is, is said before the first request; pages
 * of the topic get higher probabilities than others; a stopped crawl goes on. */
static void examples_train_a_classifier(void **state)
{
    const char *w = world("--pages", "1500", "--hosts", "30"), *dir = fresh("examples");
    struct server *s = serve(w);
    const char *topic = topic_with_examples(w);
    struct sqlite3 *facts;
    struct ran r;
    double on, off;

    (void)state;
    r = brood("crawl", "--topic", topic, "--out", dir, "--allow-private", "--resolve", s->resolve,
              "--resolve", s->resolve_tls, "--seed", world_seed(w, 0, 0), "--model", "classifier",
              "--set", "retrain=50", "--pages", "120", "--delay", "0", "--no-warc");
    assert_code(r, 0);
    assert_says(r.err, SAID);
    assert_says(r.err, "(3-fold); document frequencies of the examples; unsure: only 3 positive "
                       "examples");
    assert_code(brood("resume", dir, "--pages", "240", "--quiet"), 0);
    facts = facts_open(dir, w, NULL);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM page"), 240);
    on = facts_real(facts, text("SELECT avg(relevance) FROM page WHERE url IN"
                                " (SELECT url FROM w.label WHERE label = '%s')",
                                world_label(w, 0)));
    off = facts_real(facts, text("SELECT avg(relevance) FROM page WHERE url NOT IN"
                                 " (SELECT url FROM w.label WHERE label = '%s')",
                                 world_label(w, 0)));
    print_message("# mean probability %.2f on the topic, %.2f off it\n", on, off);
    assert_true(on > off + 0.3);
    r = brood("topic", "test", topic, world_seed(w, 0, 1), world_seed(w, 1, 1), "--allow-private",
              "--resolve", s->resolve);
    assert_code(r, 0);
    assert_says(r.out, SAID);
    server_stop(s);
}

static void an_example_without_words_is_named(void **state)
{
    const char *empty = file_with("empty.html", "<p> . </p>");

    (void)state;
    assert_refused(brood("crawl", "--topic", file_with("t.topic", text("sun\n+ %s\n", empty)),
                         "--seed", "http://127.0.0.1:2/", "--allow-private", "--out",
                         fresh("no-words")),
                   1, text("%s: the example has no words", empty));
}

/* Examples are named from the topic file's folder, wherever the program runs; a crawl
 * that is resumed from somewhere else finds them again. */
static void examples_lie_beside_their_topic(void **state)
{
    static const struct site_page pages[] = {
        {.path = "/", .body = "<p>the sun <a href=/a>a</a> <a href=/b>b</a>"},
        {.path = "/a", .body = "<p>the sun shines"},
        {.path = "/b", .body = "<p>rain falls"}};
    struct site *s = site_start(pages, 3);
    const char *topic = file_with("beside.topic", "sun\n+ near.html\n- far.html\n");
    const char *near = file_with("near.html", "<p>the sun shines"), *dir = fresh("beside");
    char here[4096];
    struct ran r;

    (void)state;
    (void)file_with("far.html", "<p>rain and snow");
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(text("%.*s", (int)(strrchr(topic, '/') - topic), topic)), 0);
    r = brood("crawl", "--topic", "beside.topic", "--seed", site_url(s, "/"), "--allow-private",
              "--delay", "0", "--pages", "1", "--out", dir);
    assert_int_equal(chdir(here), 0);
    assert_code(r, 0);
    assert_says(r.err, "1 positive and 1 negative example,");
    assert_code(brood("resume", dir, "--pages", "3", "--quiet"), 0);
    assert_int_equal(crawl_pages(dir), 3);
    r = brood("topic", "test", topic, near, "/nowhere/page", "--json");
    assert_code(r, 1);
    assert_says(r.err, "brood: /nowhere/page: ");
    assert_string_equal(text_at(json_of(r.out), "measure"), "classifier");
    assert_string_equal(text_at(json_of(r.out), "pages.0.what"), near);
    topic = file_with("beside.topic", "sun\n\n+ none.html\n");
    r = brood("topic", "test", topic, near);
    assert_refused(r, 1, text("%s:3: ", topic));
    assert_says(r.err, "/none.html: No such file");
}

/* Two files, one crawl: every page has a relevance to each, lists are by one or by the best, a
 * resumed crawl goes on with both. */
static void two_topics_share_a_crawl(void **state)
{
    static const struct site_page pages[] = {
        {.path = "/",
         .body = "<title>home</title><p>a hive and a star <a href=/bee>b</a> <a href=/sky>s</a>"},
        {.path = "/bee",
         .body = "<title>bees</title><p>the bee and the hive and honey <a href=/queen>q</a>"},
        {.path = "/sky", .body = "<title>sky</title><p>a star and a planet at night"},
        {.path = "/queen", .body = "<title>queen</title><p>the queen bee of the hive"}};
    struct site *s = site_start(pages, 4);
    const char *bees = file_with("bees.topic", "bee hive honey\n");
    const char *sky = file_with("sky.topic", "star planet\n"), *dir = fresh("two-topics");
    const char *md = fresh("md");
    struct sqlite3 *facts;
    struct ran r;

    (void)state;
    assert_refused(brood("crawl", "more", "--topic", bees, "--topic", sky, "--seed",
                         site_url(s, "/"), "--allow-private"),
                   2, "to which of the topics do the words \"more\" belong?");
    r = brood("crawl", "--topic", bees, "--topic", sky, "--seed", site_url(s, "/"),
              "--allow-private", "--delay", "0", "--pages", "3", "--out", dir, "--json");
    assert_code(r, 0);
    assert_says(r.err, "2 topics: bees (bee, hive, honey)");
    assert_says(r.out, "\"topics\":[{\"topic\":\"bees\",\"relevance\":");
    assert_code(brood("resume", dir, "--pages", "4", "--quiet"), 0);
    facts = facts_open(dir, NULL, NULL);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM page_topic WHERE p IS NOT NULL"), 8);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM page p WHERE p.relevance <> (SELECT"
                                      " max(relevance) FROM page_topic WHERE page_id = p.id)"),
                     0);
    r = brood("top", dir, "--topic", "sky", "-n", "1", "--json");
    assert_code(r, 0);
    assert_string_equal(text_at(json_of(r.out), "0.title"), "sky");
    assert_string_equal(text_at(json_of(r.out), "0.topics.1.topic"), "sky");
    assert_refused(brood("top", dir, "--topic", "sea"), 2,
                   "this crawl has no topic 'sea', but: bees, sky");
    assert_says(brood("stats", dir).out, "bees: ");
    assert_says(brood("export", dir, "--as", "csv").out,
                "lang_declared,\"sure bees\",\"sure sky\"");
    assert_code(brood("export", dir, "--as", "md", "-o", md), 0);
    assert_says(run("sh", "-c", text("cat %s/*.md", md)).out,
                "topics:\n  - topic: \"bees\"\n    sure: ");
    assert_says(brood("export", dir, "--as", "xml").out, "\n<topic name=\"sky\" sure=\"");
    assert_code(brood("export", dir, "--as", "bulk", "-o", fresh("bulk")), 0);
    assert_code(brood("export", dir, "--as", "parquet", "-o", fresh("topics.parquet")), 0);
}

static void words_where_a_file_is_meant_are_recognised(void **state)
{
    (void)state;
    assert_refused(brood("crawl", "--topic", "coral reefs", "--seed", "http://127.0.0.1:2/"), 2,
                   "--topic reads a file, and there is none called 'coral reefs'. Words are given "
                   "as the argument: \"coral reefs\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_first_finds_twice_as_many_pages_of_the_topic),
        cmocka_unit_test(examples_train_a_classifier),
        cmocka_unit_test(an_example_without_words_is_named),
        cmocka_unit_test(examples_lie_beside_their_topic),
        cmocka_unit_test(two_topics_share_a_crawl),
        cmocka_unit_test(words_where_a_file_is_meant_are_recognised),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
