/* Memory has a ceiling, whatever the web does. bench/hostile-memory is the same at full size,
 * against a build without sanitizers. SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/limits.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

#define HOSTS  120   /* with a robots.txt of 500 KiB each */
#define PAGES  6     /* of LINKS links of 2 KB each */
#define LINKS  10000 /* as many as we take */
#define GOOD   20    /* ordinary pages */
#define MEMORY MIB(400)
#define BUDGET "3000" /* URLs that a domain may name: those of 2 KB count for 15 */

/* ---- the site ------------------------------------------------------------ */

static const char *make_rules(const char *path)
{
    static char *text;
    size_t len;

    (void)path;
    if (text)
        return text;
    text = keep(mem_alloc(LIMIT_ROBOTS + 100));
    len = (size_t)sprintf(text, "User-agent: *\n");
    for (unsigned i = 0; len < LIMIT_ROBOTS; i++)
        len += (size_t)sprintf(text + len, "Disallow: /private/%06u/\n", i);
    return text;
}

static const char *make_hub(const char *path)
{
    static char text[64 * (HOSTS + PAGES + 10)];
    size_t len = (size_t)sprintf(text, "<p>coral reefs<a href=http://good.test/g/0>good</a>");

    (void)path;
    for (int i = 0; i < PAGES; i++)
        len += (size_t)sprintf(text + len, "<a href=http://evil.test/e/%d>evil</a>", i);
    for (int i = 0; i < HOSTS; i++)
        len += (size_t)sprintf(text + len, "<a href=http://h%d.test/h>host</a>", i);
    return text;
}

/* A long base before short links: the page is small, its URLs are not. Half of them are too
 * long to be asked for. */
static const char *make_evil(const char *path)
{
    static char text[LIMIT_PATH * 2 + LINKS * 40];
    int page = atoi(path + strlen("/e/"));
    size_t len = (size_t)sprintf(text, "<p>coral reefs %d<base href=\"http://evil.test/", page);

    memset(text + len, 'x', page % 2 ? 1900 : 2040);
    len += page % 2 ? 1900 : 2040;
    len += (size_t)sprintf(text + len, "/\">");
    for (int i = 0; i < LINKS; i++)
        len += (size_t)sprintf(text + len, "<a href=%d-%d>x</a>", page, i);
    return text;
}

static const char *make_good(const char *path)
{
    static char text[100 * (GOOD + 1)];
    size_t len = (size_t)sprintf(text, "<p>coral reefs, page %s", path);

    for (int i = 0; i < GOOD; i++)
        len += (size_t)sprintf(text + len, "<a href=/g/%d>%d</a>", i, i);
    return text;
}

static const struct site_page pages[] = {
    {"/robots.txt", .host = "hub.test", .status = 404},
    {"/robots.txt", .host = "good.test", .status = 404},
    {"/robots.txt", .host = "evil.test", .status = 404},
    {"/robots.txt", .type = "text/plain", .make = make_rules},
    {"/hub", .make = make_hub},
    {"/e/", .make = make_evil},
    {"/g/", .make = make_good},
    {"/h", .body = "<p>coral reefs <a href=/private/000001/>private</a>"},
};

#define CRAWL(s, dir, ...)                                                                     \
    brood("crawl", "coral reefs", "--seed", "http://hub.test/hub", "--model", "breadth-first", \
          "--out", (dir), "--pages", "0", "--delay", "0", "--no-warc", "--no-index",           \
          "--allow-private", "--resolve", site_resolve(s), __VA_ARGS__)

static int64_t pages_of(const char *dir, const char *host)
{
    return crawl_int(dir, text("SELECT count(*) FROM page WHERE host GLOB '%s'", host));
}

/* ---- tests --------------------------------------------------------------- */

/* Not run by ThreadSanitizer, which needs many times the memory. */
UNUSED static void hostile_hosts_stay_below_the_ceiling_and_others_are_crawled(void **state)
{
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("hostile");
    struct ran r =
        CRAWL(s, dir, "--quiet", "--host-urls", BUDGET, "--memory", text("%zu", (size_t)MEMORY));
    json_t *m;

    (void)state;
    assert_code(r, 0);
    assert_in_range(r.peak, 1, (long)(MEMORY / 1024));
    assert_int_equal(pages_of(dir, "good.test"), GOOD);
    assert_int_equal(pages_of(dir, "evil.test"), PAGES);
    assert_int_equal(pages_of(dir, "h[0-9]*"), HOSTS);
    m = json_at(json_of(brood("stats", "--json", dir).out), "memory");
    assert_int_equal(int_at(m, "ceiling"), MEMORY);
    assert_in_range(int_at(m, "robots.peak"), KIB(100), MEMORY / 8);
    assert_in_range(int_at(m, "urls.peak"), MIB(1), MIB(40));
    assert_in_range(int_at(m, "bodies.peak"), KIB(500), MEMORY / 4);
    assert_in_range(int_at(m, "resident.peak"), MIB(10), MEMORY);
    /* the rest was dropped with a reason, and `explain` knows it */
    assert_true(crawl_drops(dir, "budget") > LINKS / 2);
    assert_true(crawl_drops(dir, "trap") > LINKS / 2);
    r = brood("explain", dir,
              crawl_text(dir, "SELECT url FROM dropped WHERE reason = 'budget' LIMIT 1"));
    assert_code(r, 0);
    assert_says(r.out, "budget");
    assert_says(brood("stats", dir).out, "memory ");
}

static void a_ceiling_too_low_is_a_clean_stop_that_can_be_resumed(void **state)
{
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("small");
    struct ran r = CRAWL(s, dir, "--memory", "32Mi", "--exclude", "*/h", "--exclude", "*/e/*");

    (void)state;
    assert_code(r, crawl_pages(dir) > 0 ? 0 : 3);
    assert_says(r.err, "the memory limit is reached (--memory)");
    assert_says(r.err, text("brood resume %s --memory SIZE", dir));
    assert_says(file_text(text("%s/crawl.log", dir)), "memory is full");
    assert_says(brood("stats", dir).out, "reached 95 %: stopped");
    assert_code(brood("check", dir), 0);
    assert_true(pages_of(dir, "good.test") < GOOD);
    assert_code(brood("resume", dir, "--quiet", "--memory", "4Gi"), 0);
    assert_int_equal(pages_of(dir, "good.test"), GOOD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifndef __SANITIZE_THREAD__
        cmocka_unit_test(hostile_hosts_stay_below_the_ceiling_and_others_are_crawled),
#endif
        cmocka_unit_test(a_ceiling_too_low_is_a_clean_stop_that_can_be_resumed),
    };

    /* What a sanitizer keeps of freed memory is not the crawl's. */
    if (getenv("ASAN_OPTIONS"))
        (void)setenv("ASAN_OPTIONS",
                     text("%s:quarantine_size_mb=1:thread_local_quarantine_size_kb=64:"
                          "malloc_context_size=4",
                          getenv("ASAN_OPTIONS")),
                     1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
