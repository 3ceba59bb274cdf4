/* Bad input: one clear sentence, the right exit code, nothing lost.
 * SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/mem.h"

#include <unistd.h>

#define SEED "--seed", "http://127.0.0.1:2/"

static void wrong_usage_is_two_and_says_why(void **state)
{
    static const struct {
        const char *argv[10], *says;
    } cases[] = {
        {{"crawl", "a", "--seed", "http://[bad/"}, "'http://[bad/' is not an http or https URL"},
        {{"crawl", "a", "--seed", "ftp://x.example/"}, "not an http or https URL"},
        {{"crawl", "a", "--seed", "ftp://x.example/"}, "brood fetches nothing by ftp"},
        {{"crawl", "a", "--seed", "hppt://x.example/a"}, "did you mean http://x.example/a?"},
        {{"crawl", "a", "--seed", "htp:/x.example"}, "'htp'; did you mean http://x.example?"},
        {{"crawl", "a", "--seed", "htpps://x.example"}, "did you mean https://x.example?"},
        {{"crawl", "a", "--seed", "gemini://x.example"}, "there is no scheme 'gemini'"},
        {{"crawl", "a", "--seed", ""}, "the seed ''"},
        {{"crawl", "", SEED, "--allow-private"}, "topic has no words"},
        {{"crawl", " .,; ", SEED, "--allow-private"}, "topic has no words"},
        {{"crawl", SEED}, "what is the topic?"},
        {{"crawl", "a"}, "no place to start"},
        {{"crawl", "a", "b", SEED}, "too many arguments"},
        {{"crawl", "a", "--sead", "x"}, "did you mean --seed?"},
        {{"crawl", "a", "--zzzzzzzzzz"}, "--help"},
        {{"crawl", "a", "-q"}, "unknown option -q"},
        {{"crawl", "a", SEED, "--pages"}, "--pages needs a value"},
        {{"crawl", "a", SEED, "--pages", "-1"}, "--pages: '-1'"},
        {{"crawl", "a", SEED, "--pages", "99999999999"}, "0 to 4000000000"},
        {{"crawl", "a", SEED, "--pages", "many"}, "a whole number"},
        {{"crawl", "a", SEED, "--pages", "1.5"}, "a whole number"},
        {{"crawl", "a", SEED, "--delay", "soon"}, "duration"},
        {{"crawl", "a", SEED, "--delay", "-1s"}, "--delay"},
        {{"crawl", "a", SEED, "--timeout", "0"}, "--timeout"},
        {{"crawl", "a", SEED, "--bytes", "2Q"}, "--bytes"},
        {{"crawl", "a", SEED, "--threads", "0"}, "--threads"},
        {{"crawl", "a", SEED, "--relevant", "2"}, "--relevant"},
        {{"crawl", "a", SEED, "--quiet=perhaps"}, "--quiet"},
        {{"crawl", "a", SEED, "--model", "bestfirst"}, "there is no model 'bestfirst'"},
        {{"crawl", "a", SEED, "--model", "oracle"}, "the model 'oracle' is for the lab only"},
        {{"crawl", "a", SEED, "--model", "balansed"}, "did you mean 'balanced'?"},
        {{"crawl", "a", SEED, "--model", "oracl"}, "'brood models' lists them"},
        {{"models", "fich"}, "did you mean 'fish'?"},
        {{"crawl", "a", SEED, "--model", "best-first", "--set", "nn=3"},
         "no option 'nn'; did you mean 'n'?"},
        {{"crawl", "a", SEED, "--scope", "x.example/*"},
         "no place to start lies inside this scope"},
        {{"crawl", "a", SEED, "--scope", "samehost"}, "--scope is same-host, same-site, any, or"},
        {{"crawl", "a", SEED, "--set", "memory=0"}, "25 to 1000000"},
        {{"crawl", "a", SEED, "--set", "n"}, "key=value"},
        {{"crawl", "a", SEED, "--resolve", "nonsense"}, "HOST:PORT:ADDR"},
        {{"crawl", "a", SEED, "--header", "nonsense"}, "--header is not 'NAME: VALUE'"},
        {{"crawl", "a", SEED, "--scope", ""}, "--scope"},
        {{"crawl", "a", SEED, "--ca-file", "/nowhere/ca.pem"}, "/nowhere/ca.pem"},
        {{"crawl", "a", SEED, "--cookies", "/nowhere/jar"}, "/nowhere/jar"},
        {{"crwl"}, "did you mean 'crawl'?"},
        {{"top"}, "brood top DIR"},
        {{"top", "x", "-n", "0"}, "n: '0'"},
        {{"search", "x"}, "brood search DIR"},
        {{"models", "nosuch"}, "there is no model 'nosuch'"},
        {{"world", "make", "x", "--pages", "0"}, "--pages"},
        {{"world", "make", "x", "--kind", "flat"}, "topical"},
        {{"inspect"}, "which page?"},
        {{"world", "make", "W", "--kind", "news", "--pages", "2000"},
         "--pages has no meaning for --kind news: --hosts, --days"},
        {{"world", "make", "W", "--days", "18"}, "--days has no meaning for --kind topical"},
    };

    (void)state;
    assert_int_equal(chdir(test_dir()), 0);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_refused(brood_argv(NULL, cases[i].argv), 2, cases[i].says);
    assert_string_equal(run("ls", "-A").out, ""); /* none left anything behind */
}

static void a_missing_file_of_an_option_is_wrong_usage(void **state)
{
    static const struct {
        const char *argv[10], *says;
    } cases[] = {
        {{"crawl", "a", "--seeds", "/nowhere/seeds"}, "/nowhere/seeds"},
        {{"crawl", "a", SEED, "--topic", "/nowhere/topic"}, "/nowhere/topic"},
        {{"crawl", "a", "--seeds-from", "/nowhere/marks"}, "--seeds-from /nowhere/marks: No such"},
        {{"watch", "a", SEED, "--callback-listen", "8480"}, "--callback, which is not given"},
        {{"crawl", "a", SEED, "--idf", "/nowhere/idf"}, "/nowhere/idf"},
        {{"crawl", "a", SEED, "--exclude-hosts", "/nowhere/hosts"}, "/nowhere/hosts"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_refused(brood_argv(NULL, cases[i].argv), 2, cases[i].says);
}

static void what_is_missing_is_one_and_named(void **state)
{
    static const struct {
        const char *argv[10], *says;
    } cases[] = {
        {{"crawl", "a", SEED, "--out", "/proc/nowhere", "--allow-private"}, "/proc/nowhere"},
        {{"inspect", "/nowhere/page.html"}, "/nowhere/page.html"},
        {{"inspect", "http://127.0.0.1:8765/"}, "loopback (--allow-private lifts"},
        {{"inspect", "--as-url", "http://a b/"}, "is not an http or https URL"},
        {{"world", "info", "/nowhere/world"}, "/nowhere/world"},
        {{"world", "serve", "/nowhere/world"}, "/nowhere/world"},
        {{"topic", "test", "stars", "/nowhere/page"}, "/nowhere/page"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_refused(brood_argv(NULL, cases[i].argv), 1, cases[i].says);
}

static void seeds_that_cannot_be_fetched_starve(void **state)
{
    static const struct site_page nothing[] = {{.path = "/broken", .status = 500, .body = "x"}};
    struct site *s = site_start(nothing, 1);

    (void)state;
    assert_refused(brood("crawl", "stars", SEED, "--allow-private", "--no-robots", "--retries", "0",
                         "--quiet", "--out", fresh("refused")),
                   3, "http://127.0.0.1:2/");
    assert_refused(brood("crawl", "stars", "--seed", site_url(s, "/gone"), "--allow-private",
                         "--quiet", "--out", fresh("gone")),
                   3, "404");
    assert_refused(brood("crawl", "stars", "--seed", site_url(s, "/broken"), "--allow-private",
                         "--retries", "0", "--quiet", "--out", fresh("500")),
                   3, "500");
    assert_int_equal(crawl_drops(fresh("gone"), "status"), 1);
    assert_code(brood("check", fresh("gone")), 0);
}

static void a_private_address_is_refused_unless_allowed(void **state)
{
    static const struct site_page page[] = {{.path = "/", .body = "<title>inside</title>stars"}};
    struct site *s = site_start(page, 1);

    (void)state;
    assert_refused(
        brood("crawl", "stars", "--seed", site_url(s, "/"), "--quiet", "--out", fresh("guard")), 3,
        "address");
    assert_int_equal(crawl_drops(fresh("guard"), "address"), 1);
    assert_int_equal(site_asked(s, "/"), 0);
    assert_int_equal(site_asked(s, "/robots.txt"), 0);
    assert_code(brood("crawl", "stars", "--seed", site_url(s, "/"), "--quiet", "--allow-private",
                      "--out", fresh("allowed")),
                0);
    assert_int_equal(site_asked(s, "/"), 1);
}

static void a_topic_of_stop_words_alone_works(void **state)
{
    static const struct site_page page[] = {{.path = "/", .body = "<title>to be</title>or not"}};
    struct site *s = site_start(page, 1);

    (void)state;
    assert_code(brood("crawl", "to be or not to be", "--seed", site_url(s, "/"), "--quiet",
                      "--allow-private", "--out", fresh("stop")),
                0);
    assert_true(crawl_int(fresh("stop"), "SELECT relevance > 0 FROM page"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_usage_is_two_and_says_why),
        cmocka_unit_test(a_missing_file_of_an_option_is_wrong_usage),
        cmocka_unit_test(what_is_missing_is_one_and_named),
        cmocka_unit_test(seeds_that_cannot_be_fetched_starve),
        cmocka_unit_test(a_private_address_is_refused_unless_allowed),
        cmocka_unit_test(a_topic_of_stop_words_alone_works),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
