/* Pages in four languages, a topic in German; what their owners wish for their use.
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
    {"/fr", .body = "<html><title>Réseaux</title><p>L'histoire des réseaux commence avec le "
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
                        "http://a.test/es es http://a.test/fr fr");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_page_has_the_language_of_its_text),
        cmocka_unit_test(a_topic_in_german_needs_no_option),
        cmocka_unit_test(search_finds_forms_and_exact_phrases),
        cmocka_unit_test(wishes_are_told_and_kept),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
