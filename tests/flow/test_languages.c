/* Pages in four languages, a topic in German; what their owners wish for their use; pages that
 * only a browser, or a human, gets to see.
 * SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/mem.h"

#include <string.h>

#define LINKS "<a href=/de>1</a> <a href=/en>2</a> <a href=/fr>3</a> <a href=/es>4</a>"

/* The German page declares English, as many do. */
static const struct site_page pages[] = {
    {"/robots.txt", .type = "text/plain",
     .body = "License: http://a.test/license.xml\nUser-agent: *\nContent-Signal: search=yes\n"},
    {"/.well-known/tdmrep.json", .type = "application/json",
     .body =
         "[{\"location\": \"/fr\", \"tdm-reservation\": 1, \"tdm-policy\": \"http://a.test/p\"}]"},
    {"/", .body = "<html lang=en><title>Start</title><p>All of these pages are about the same "
                  "thing, and they were written by the people of this house.</p>" LINKS},
    {"/de", .headers = "TDM-Reservation: 1\r\n",
     .body =
         "<html lang=en><title>Netzwerke</title><p>Die Geschichte der Netzwerke beginnt mit dem "
         "Telegrafen. Ein Netzwerk verbindet Häuser und Städte, und die Menschen, die in ihnen "
         "wohnen, haben es nicht immer gemerkt.</p>"},
    {"/en", .headers = "X-Robots-Tag: noai\r\n",
     .body = "<html><title>Networks</title><p>The history of networks begins with the telegraph. A "
             "network connects houses and towns, and the people who live there have not always "
             "seen it.</p>"},
    {"/fr", .headers = "Content-Language: fr-CA\r\n",
     .body = "<html><title>Réseaux</title><p>L'histoire des réseaux commence avec le "
             "télégraphe. Un réseau relie les maisons et les villes, et les gens qui y "
             "vivent ne l'ont pas toujours remarqué.</p>"},
    {"/es", .body =
                "<html><meta name=robots content=noimageai><title>Redes</title><p>La historia de "
                "las redes comienza con el telégrafo. Una red une las casas y las ciudades, y la "
                "gente que vive en ellas no siempre lo ha notado.</p>"},
};

static const char *dir;

static int set_up(void **state)
{
    struct site *site = site_start(pages, ARRAY_LEN(pages));

    (void)state;
    dir = fresh("crawl");
    assert_code(brood("crawl", "Geschichte der Netzwerke", "--quiet", "--out", dir, "--wishes",
                      "--allow-private", "--seed", "http://a.test/", "--resolve",
                      site_resolve(site), "--delay", "0"),
                0);
    return 0;
}

static void each_page_has_the_language_of_its_text(void **state)
{
    (void)state;
    assert_string_equal(crawl_text(dir, "SELECT group_concat(url || ' ' || lang, ' ') FROM (SELECT"
                                        " url, lang FROM page ORDER BY url)"),
                        "http://a.test/ en http://a.test/de de http://a.test/en en "
                        "http://a.test/es es http://a.test/fr fr-ca");
}

/* What a page says of itself stands beside what was found. */
static void the_declared_language_is_kept(void **state)
{
    const char *url = "http://a.test/de";

    (void)state;
    assert_string_equal(crawl_text(dir, "SELECT group_concat(u.url || ' ' || d.lang, ' ') FROM"
                                        " declared_row d JOIN page_row p ON p.id = d.page JOIN"
                                        " url_row u ON u.id = p.url ORDER BY u.url"),
                        "http://a.test/ en http://a.test/de en http://a.test/fr fr-ca");
    assert_says(brood("show", dir, url).out, "language de (declared: en)");
    assert_says(brood("show", dir, url, "--json").out, "\"lang\":\"de\",\"lang_declared\":\"en\"");
    assert_says(brood("export", dir, "--as", "jsonl").out,
                "\"lang\":\"fr-ca\",\"lang_declared\":\"fr-ca\"");
    assert_says(brood("export", dir, "--as", "jsonl").out,
                "\"lang\":\"es\",\"lang_declared\":null");
}

static void a_topic_in_german_needs_no_option(void **state)
{
    (void)state;
    assert_string_equal(crawl_text(dir, "SELECT url FROM page ORDER BY relevance DESC LIMIT 1"),
                        "http://a.test/de");
}

static void search_finds_forms_and_exact_phrases(void **state)
{
    (void)state;
    assert_says(brood("search", dir, "netzwerks haus").out, "http://a.test/de");
    assert_says(brood("search", dir, "network house").out, "http://a.test/en");
    assert_says(brood("search", dir, "\"ein netzwerks\"").out, "nothing found");
    assert_says(brood("search", dir, "\"ein netzwerk\"").out, "http://a.test/de");
}

static void wishes_are_told_and_kept(void **state)
{
    struct ran r = brood("export", dir, "--for", "ai-train");

    (void)state;
    assert_code(r, 0);
    assert_says(r.err, "3 pages are left out: their owners reserved this use");
    assert_true(strstr(r.out, "http://a.test/de\"") == NULL);
    assert_true(strstr(r.out, "http://a.test/fr\"") == NULL);
    assert_says(brood("show", dir, "http://a.test/fr").out,
                "tdm-reservation=1, tdm-policy=http://a.test/p");
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM resource WHERE url LIKE '%tdmrep.json'"),
                     1);
    assert_says(r.out, "\"use\":\"noimageai, license=http://a.test/license.xml, search=yes\"");
    assert_says(brood("export", dir).out, "tdm-reservation=1");
    assert_says(brood("show", dir, "http://a.test/en").out, "use        noai, license=");
    assert_says(brood("explain", dir, "http://a.test/en").out, "its owner says of its use: noai");
    assert_refused(brood("export", dir, "--as", "cdxj", "--for", "search"), 2,
                   "not a list of pages");
}

static void lang_keeps_pages_of_that_language(void **state)
{
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    const char *only = fresh("only");

    (void)state;
    assert_code(brood("crawl", "Geschichte der Netzwerke", "--quiet", "--out", only, "--lang",
                      "en,de", "--allow-private", "--seed", "http://a.test/", "--resolve",
                      site_resolve(site), "--delay", "0"),
                0);
    assert_string_equal(crawl_text(only, "SELECT group_concat(url, ' ') FROM (SELECT url FROM page"
                                         " ORDER BY url)"),
                        "http://a.test/ http://a.test/de http://a.test/en");
    assert_says(brood("explain", only, "http://a.test/fr").out, "(lang)");
}

static void what_only_browsers_see_is_counted_and_not_kept(void **state)
{
    static const struct site_page barred[] = {
        {"/", .body = "<html><title>Start</title><p>All of these pages are about the same thing, "
                      "and they were written by the people of this house.</p>"
                      "<a href=/app>an app</a> <a href=/wall>a wall</a>"},
        {"/app", .body = "<html><title>App</title><script src=/a.js></script><body><noscript>You "
                         "need to enable JavaScript to run this app.</noscript><div id=root></div>"
                         "<a href=/behind-app>skip</a>"},
        {"/wall", .body = "<html><title>Just a moment...</title><p>Checking your browser before "
                          "accessing.</p><script src=/cdn-cgi/challenge-platform/h/b></script>"
                          "<a href=/behind-wall>retry</a>"},
    };
    struct site *site = site_start(barred, ARRAY_LEN(barred));
    const char *none = fresh("barred");
    struct ran r = brood("crawl", "people house", "--out", none, "--allow-private", "--seed",
                         "http://b.test/", "--resolve", site_resolve(site), "--delay", "0");

    (void)state;
    assert_code(r, 0);
    assert_says(r.err, "pages made by JavaScript: 1, at b.test");
    assert_says(r.err, "bot walls: 1, at b.test");
    assert_int_equal(crawl_int(none, "SELECT count(*) FROM page"), 1);
    assert_says(brood("explain", none, "http://b.test/app").out, "not taken (javascript)");
    assert_says(brood("explain", none, "http://b.test/wall").out, "not taken (bot-wall)");
    /* a model that had seen such a page would know its links */
    assert_int_equal(crawl_int(none, "SELECT count(*) FROM url WHERE url LIKE '%/behind-%'"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_page_has_the_language_of_its_text),
        cmocka_unit_test(the_declared_language_is_kept),
        cmocka_unit_test(a_topic_in_german_needs_no_option),
        cmocka_unit_test(search_finds_forms_and_exact_phrases),
        cmocka_unit_test(wishes_are_told_and_kept),
        cmocka_unit_test(lang_keeps_pages_of_that_language),
        cmocka_unit_test(what_only_browsers_see_is_counted_and_not_kept),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
