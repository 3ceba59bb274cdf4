/* Sites without an end, over the wire: the crawl comes to its own. Each site makes
 * its pages from their paths, and would go on for ever.
 * SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/mem.h"

#include <stdio.h>

/* Enough words of a kind for a near duplicate, and not too many. */
#define PROSE                                                                                  \
    "zebrafish swim in slow rivers where the water is warm and plants grow thick along the "   \
    "banks and insects fall from leaves into the stream for them to find before the evening "  \
    "comes and larger fish move out from under the roots to hunt in the shallow places while " \
    "herons wait among reeds "

static char body[8192];

static const char *made(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(body, sizeof body, format, args);
    va_end(args);
    return body;
}

/* Crawls h.example from "/" to its own end, or to the ceiling. */
static const char *crawl_trap(const struct site *s, const char *name, const char *ceiling)
{
    const char *dir = fresh(name);

    assert_code(brood("crawl", "zebrafish", "--seed", "http://h.example/", "--out", dir, "--quiet",
                      "--delay", "0", "--allow-private", "--model", "breadth-first", "--no-robots",
                      "--pages", ceiling, "--resolve", site_resolve(s)),
                0);
    return dir;
}

/* ---- a mirror of the whole site under another path ------------------------ */

static const char *mirror_page(const char *path)
{
    const char *name = strrchr(path, '/') + 1;

    /* relative links: each copy names the next one, deeper */
    return made("<title>%s</title>" PROSE "%s %s %s <a href=copy/%s>again</a>"
                "<a href=one>1</a><a href=two>2</a>",
                name, name, name, name, name);
}

static void a_mirror_under_another_path_ends_at_its_first_page(void **state)
{
    static const struct site_page pages[] = {{.path = "/", .make = mirror_page}};
    struct site *s = site_start(pages, 1);
    const char *dir = crawl_trap(s, "mirror", "200");

    (void)state;
    assert_int_equal(site_asked(s, "/one"), 1);
    assert_int_equal(site_asked(s, "/two"), 1);
    assert_int_equal(site_asked(s, "/copy/one"), 1);
    assert_int_equal(site_asked(s, "/copy/copy/one"), 0);
    assert_true(site_total(s) < 10);
    assert_true(crawl_drops(dir, "trap") > 0);
    assert_int_equal(
        crawl_text(dir, "SELECT reason FROM dropped WHERE url LIKE '%/copy/copy/%'")[0], 't');
}

/* ---- session ids ---------------------------------------------------------- */

static const char *session_page(const char *path)
{
    static unsigned session;
    const char *name = strrchr(path, '/') + 1;
    unsigned id = session++ * 2654435761u;

    return made("<title>shop</title>" PROSE "%s %s %s <a href='/s%08x/about'>a</a>"
                "<a href='/s%08x/terms'>t</a>",
                name, name, name, id, id);
}

static void a_site_that_gives_every_visit_a_session_ends(void **state)
{
    static const struct site_page pages[] = {{.path = "/", .make = session_page}};
    struct site *s = site_start(pages, 1);
    const char *dir = crawl_trap(s, "session", "300");

    (void)state;
    assert_true(site_total(s) < 40);
    assert_true(crawl_drops(dir, "trap") > 0);
}

/* ---- calendars ------------------------------------------------------------ */

static const char *calendar_page(const char *path)
{
    int year = 2027, month = 1;

    (void)sscanf(path, "/calendar/%d/%d", &year, &month);
    /* every month has text of its own: only its date gives it away */
    return made(
        "<title>%d</title>zebrafish month%dx%d word%d other%d <a href='/calendar/%d/%d'>on</a>",
        year, year, month, year * 31 + month, month * 37 + year, year + month / 12, month % 12 + 1);
}

static void a_calendar_ends_at_years_nobody_writes_about(void **state)
{
    static const struct site_page pages[] = {{.path = "/", .make = calendar_page}};
    struct site *s = site_start(pages, 1);
    const char *dir = crawl_trap(s, "calendar", "300");

    (void)state;
    assert_true(site_total(s) < 200);
    assert_int_equal(crawl_drops(dir, "trap"), 1);
}

static const char *empty_month_page(const char *path)
{
    unsigned page = 0;

    (void)sscanf(path, "/m/%u", &page);
    return made("<title>month</title>" PROSE PROSE "month %u <a href='/m/%u'>next</a>", page,
                page + 1);
}

static void months_that_all_look_alike_end_after_a_few(void **state)
{
    static const struct site_page pages[] = {{.path = "/", .make = empty_month_page}};
    struct site *s = site_start(pages, 1);
    const char *dir = crawl_trap(s, "months", "100");

    (void)state;
    assert_true(site_total(s) <= 4);
    assert_int_equal(crawl_drops(dir, "trap"), 1);
}

/* ---- queries -------------------------------------------------------------- */

static const char *filter_page(const char *path)
{
    unsigned a = 0, b = 0, c = 0;
    struct buf out = BUF_INIT(1 << 13);

    (void)sscanf(path, "/list?a=%u&b=%u&c=%u", &a, &b, &c);
    buf_addf(&out, "zebrafish word%ux%ux%u <a href='/about'>x</a>", a, b, c);
    for (unsigned i = 1; i < 6; i++)
        buf_addf(&out, "<a href='/list?a=%u&b=%u&c=%u'>f</a><a href='/list?a=%u&b=%u&c=%u'>f</a>",
                 a + i, b, c, a, b * 5 + i, c + i);
    (void)made("%s", out.data);
    buf_free(&out);
    return body;
}

static void filters_without_end_come_to_one(void **state)
{
    static const struct site_page pages[] = {{.path = "/", .make = filter_page}};
    struct site *s = site_start(pages, 1);
    const char *dir = crawl_trap(s, "filters", "3000");

    (void)state;
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE url LIKE '%/list?%'"), 1000);
    assert_int_equal(site_asked(s, "/about"), 1);
    assert_true(crawl_drops(dir, "trap") > 0);
}

static const char *nested_page(const char *path)
{
    return made("<title>x</title>zebrafish at %s %zu <a href='%s%sdeeper/'>in</a>", path,
                strlen(path), path, path[strlen(path) - 1] == '/' ? "" : "/");
}

static void paths_that_repeat_themselves_end(void **state)
{
    static const struct site_page pages[] = {{.path = "/", .make = nested_page}};
    struct site *s = site_start(pages, 1);
    const char *dir = crawl_trap(s, "nested", "100");

    (void)state;
    assert_int_equal(site_total(s), 4);
    assert_int_equal(crawl_drops(dir, "trap"), 1);
}

/* ---- budgets -------------------------------------------------------------- */

static const char *endless_page(const char *path)
{
    unsigned n = 0;

    (void)sscanf(path, "/p%u", &n);
    return made("<title>%u</title>%s word%u other%u more%u <a href='/p%u'>next</a>", n,
                n % 2 ? "zebrafish" : "nothing", n * 7919, n * 104729, n * 1299709, n + 1);
}

static void a_host_without_a_seed_ends_at_its_budget(void **state)
{
    static const struct site_page pages[] = {
        {.path = "/",
         .host = "seed.example",
         .body = "zebrafish <a href=http://h.example/p0>x</a>"},
        {.path = "/p", .host = "h.example", .make = endless_page}};
    static const struct {
        const char *budget, *relevant;
        int64_t least, most;
    } cases[] = {
        {"20", "cucumber", 20, 20}, {"20", "zebrafish", 21, 300}, {"0", "cucumber", 300, 300}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct site *s = site_start(pages, ARRAY_LEN(pages));
        const char *dir = fresh(text("budget-%zu", i));
        int64_t n;

        assert_code(brood("crawl", cases[i].relevant, "--seed", "http://seed.example/", "--out",
                          dir, "--quiet", "--delay", "0", "--allow-private", "--model",
                          "breadth-first", "--no-robots", "--pages", "301", "--host-budget",
                          cases[i].budget, "--resolve", site_resolve(s)),
                    0);
        n = crawl_int(dir, "SELECT count(*) FROM page WHERE host = 'h.example'");
        print_message("# budget %s, topic %s: %d pages\n", cases[i].budget, cases[i].relevant,
                      (int)n);
        assert_in_range(n, cases[i].least, cases[i].most);
        assert_int_equal(crawl_drops(dir, "budget"), n < 300);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mirror_under_another_path_ends_at_its_first_page),
        cmocka_unit_test(a_site_that_gives_every_visit_a_session_ends),
        cmocka_unit_test(a_calendar_ends_at_years_nobody_writes_about),
        cmocka_unit_test(months_that_all_look_alike_end_after_a_few),
        cmocka_unit_test(filters_without_end_come_to_one),
        cmocka_unit_test(paths_that_repeat_themselves_end),
        cmocka_unit_test(a_host_without_a_seed_ends_at_its_budget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
