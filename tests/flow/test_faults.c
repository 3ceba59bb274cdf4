/* Every fault of `brood world serve --faults`, each on a host of its own and
 * then all at once: the crawl ends within its limits of time and memory, the
 * fault is counted with its reason, the good page behind it is stored.
 *
 * A row of the table below is a test. Crawls wait most of the time, so the one
 * of all faults runs beside the others, and a few of those run ahead of the test
 * whose turn it is.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include "base/mem.h"

#include <stdlib.h>
#include <unistd.h>

#define AHEAD   4
#define RSS_MAX (300 * 1000) /* KB */

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

struct row {
    const char *fault;
    const char *drops;  /* "reason number …": exactly so many */
    const char *pages;  /* "/a /b": stored, beside the front and the good page */
    const char *holds;  /* SQL that gives 1 */
    const char *time;   /* --timeout; NULL: 5m */
    const char *depth;  /* --max-depth; NULL: any */
    bool is_good_apart; /* the good page is on another host */
    bool never_ends;    /* it is stopped when all came */
    struct job *job;
};

static struct row rows[] = {
    {"slow-headers", .drops = "timeout 1", .time = "10s"},
    {"slow-body", .drops = "timeout 1", .time = "10s"},
    {"silence", .drops = "timeout 1", .time = "10s"},
    {"endless-trailer", .drops = "size 1"},
    {"endless-headers", .drops = "size 3"},
    {"endless-body", .pages = "/body /chunks",
     .holds = "SELECT count(*) = 2 FROM page WHERE truncated AND bytes = 16 << 20"},
    {"endless-robots", .holds = "SELECT count(*) = 1 FROM resource WHERE status = 200"},
    {"long-length", .drops = "network 1 timeout 1", .time = "10s",
     .holds = "SELECT count(*) = 0 FROM page WHERE url LIKE '%/open' OR url LIKE '%/closed'"},
    {"short-length", .drops = "network 1", .pages = "/short",
     .holds = "SELECT count(*) = 0 FROM page WHERE title = 'evil'"},
    {"broken-chunks", .drops = "network 5"},
    {"unasked-status", .drops = "status 6", .holds = "SELECT count(*) = 2 FROM page"},
    {"old-http", .drops = "network 1"},
    {"no-http", .drops = "network 2"},
    {"header-bytes", .drops = "network 2", .pages = "/control"},
    {"reset-accept", .drops = "network 1",
     .holds = "SELECT count(*) = 0 FROM page WHERE url LIKE '%/reset'"},
    {"reset-request", .drops = "network 1"},
    {"reset-header", .drops = "network 1"},
    {"reset-body", .drops = "network 1"},
    {"busy-429", .never_ends = true, .is_good_apart = true,
     .holds = "SELECT count(*) = 1 FROM outcome WHERE url LIKE '%/busy' AND NOT is_final"},
    {"busy-503", .never_ends = true, .is_good_apart = true,
     .holds = "SELECT count(*) = 1 FROM outcome WHERE url LIKE '%/busy' AND NOT is_final"},
    {"gzip-bomb", .drops = "size 1"},
    {"brotli-bomb", .drops = "size 1"},
    {"zstd-bomb", .drops = "size 1 encoding 1"},
    {"nested-coding", .drops = "size 1 encoding 1", .pages = "/twice"},
    {"broken-coding", .drops = "encoding 2", .pages = "/cut",
     .holds = "SELECT truncated FROM page WHERE url LIKE '%/cut'"},
    {"redirect-loop", .drops = "redirects 2"},
    {"redirect-chain", .drops = "redirects 1",
     .holds = "SELECT count(*) = 11 FROM outcome WHERE url LIKE '%/chain/%'"},
    {"redirect-scheme", .drops = "scheme 6 status 1"},
    /* Here every address leads to the server; test_egress.c has the guard up. */
    {"redirect-private", .drops = "status 6"},
    {"one-line", .pages = "/line",
     .holds = "SELECT truncated AND bytes = 16 << 20 FROM page WHERE url LIKE '%/line'"},
    {"million-links", .drops = "depth 10000", .pages = "/links", .depth = "1",
     .holds = "SELECT truncated FROM page WHERE url LIKE '%/links'"},
    {"deep-nesting", .pages = "/html /xml /quotes",
     .holds = "SELECT count(*) = 2 FROM page WHERE truncated AND title = 'deep'"},
    {"canonical", .pages = "/self /one /two /file", .holds = "SELECT count(*) = 6 FROM page"},
    {"soft-404", .pages = "/lost/1 /gone/2 /away/3",
     .holds = "SELECT count(*) = 2 FROM page WHERE dup_of"},
    {"mirror", .pages = "/page/1 /page/mirror/1",
     .holds = "SELECT count(*) = 0 FROM page WHERE url LIKE '%/mirror/%' AND dup_of IS NULL"},
    {"calendar", .holds = "SELECT count(*) BETWEEN 3 AND 30 FROM page"},
    {"session-ids", .holds = "SELECT count(*) BETWEEN 3 AND 30 FROM page"},
    {"segments", .holds = "SELECT count(*) BETWEEN 3 AND 10 FROM page"},
    {"long-urls", .drops = "long 1", .pages = "/link"},
    {"wrong-charset", .pages = "/not-utf8 /not-latin1 /not-utf16 /unknown /utf7 /shift",
     .holds = "SELECT title LIKE 'caf_ %' FROM page WHERE url LIKE '%/not-utf8'"},
    {"wrong-type", .drops = "type 4", .pages = "/html-as-nothing /nonsense"},
};

static struct server *server;

/* ---- one fault ----------------------------------------------------------- */

static void start(struct row *r)
{
    r->job =
        brood_job("crawl", "page", "--seed", text("http://%s.faults.example/", r->fault), "--out",
                  fresh(r->fault), "--quiet", "--allow-private", "--resolve", server->resolve,
                  "--model", "breadth-first", "--delay", "0", "--retries", "0", "--pages", "30",
                  "--timeout", r->time ? r->time : "5m", "--max-depth", r->depth ? r->depth : "-1");
}

static void check_drops(const char *dir, const char *drops)
{
    struct str rest = str_of(drops), reason, number;

    while (str_cut(&rest, ' ', &reason) && str_cut(&rest, ' ', &number)) {
        const char *name = text("%.*s", STR_ARG(reason));
        int64_t n = crawl_drops(dir, name);

        if (n != atoi(text("%.*s", STR_ARG(number))))
            fail_msg("%s: %lld, not %.*s", name, (long long)n, STR_ARG(number));
    }
}

static void check_page(const char *dir, const char *url)
{
    if (crawl_int(dir, text("SELECT count(*) FROM page WHERE url = '%s'", url)) != 1)
        fail_msg("%s is not stored", url);
}

static void check_pages(const char *dir, const struct row *r)
{
    struct str rest = str_of(r->pages), path;
    const char *host = text("http://%s.faults.example", r->fault);

    check_page(dir, text("%s/", host));
    check_page(dir, text("%s/good", r->is_good_apart ? "http://fine.faults.example" : host));
    while (str_cut(&rest, ' ', &path))
        check_page(dir, text("%s%.*s", host, STR_ARG(path)));
}

static void check_whole(const char *dir)
{
    assert_code(brood("check", dir), 0);
    (void)json_of(brood("top", dir, "-n", "100", "--json").out); /* clean UTF-8 */
}

static int64_t good_pages(const char *dir)
{
    return crawl_int_yet(dir, "SELECT count(*) FROM page WHERE url LIKE '%.example/good'");
}

static void the_fault_is_met(void **state)
{
    struct row *r = *state;
    const char *dir = fresh(r->fault);

    for (struct row *next = r; next < r + AHEAD && next < rows + ARRAY_LEN(rows); next++)
        if (next->job == NULL)
            start(next);
    if (r->never_ends) {
        await(good_pages(dir) == 1 && crawl_int_yet(dir, r->holds) == 1);
        assert_code(brood("stop", dir), 0);
    }
    assert_code(job_wait(r->job), r->never_ends ? 130 : 0);
    check_drops(dir, r->drops);
    check_pages(dir, r);
    if (r->holds && crawl_int(dir, r->holds) != 1)
        fail_msg("not so: %s", r->holds);
    check_whole(dir);
}

/* ---- all of them --------------------------------------------------------- */

static struct job *all;

static void start_all(void)
{
    const char *seeds = "";

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        seeds = text("%shttp://%s.faults.example/\n", seeds, rows[i].fault);
    all = brood_job("crawl", "page", "--seeds", file_with("seeds", seeds), "--out", fresh("all"),
                    "--quiet", "--allow-private", "--resolve", server->resolve, "--model",
                    "breadth-first", "--delay", "0", "--retries", "0", "--pages", "0", "--timeout",
                    "40s", "--max-depth", "2", "--exclude", "*/flood/*");
}

static int64_t good_pages_served(void)
{
    int64_t good = 1;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        good += !rows[i].is_good_apart;
    return good;
}

static void all_at_once_need_little_memory(void **state)
{
    const char *dir = fresh("all");
    struct ran r;

    (void)state;
    await(good_pages(dir) == good_pages_served());
    (void)brood("stop", dir); /* some of the faults have no end */
    r = job_wait(all);
    assert_true(r.code == 0 || r.code == 130);
    print_message("# %ld KB of memory at most\n", r.peak);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check_page(dir, text("http://%s.faults.example/", rows[i].fault));
    if (!IS_SANITIZED && r.peak >= RSS_MAX)
        fail_msg("more than %d KB", RSS_MAX);
    check_whole(dir);
}

static void every_fault_has_its_test(void **state)
{
    struct str rest = str_of(brood("world", "serve", "--faults", "list").out), line, name;
    size_t n = 0;

    (void)state;
    while (str_cut(&rest, '\n', &line)) {
        bool found = false;

        if (!str_cut(&line, ' ', &name))
            continue;
        for (size_t i = 0; i < ARRAY_LEN(rows); i++)
            found = found || str_eq(str_of(rows[i].fault), name);
        if (!found)
            fail_msg("no row for '%.*s'", STR_ARG(name));
        n++;
    }
    assert_int_equal(n, ARRAY_LEN(rows));
}

static void the_world_beside_them_is_as_always(void **state)
{
    const char *seed = world_seed(*state, 0, 0), *dir = fresh("beside");

    assert_code(crawl(server, dir, "page", "--seed", seed, "--pages", "10", "--delay", "0"), 0);
    assert_int_equal(crawl_pages(dir), 10);
    assert_refused(brood("world", "serve", *state, "--faults", "slow-body,nonsense"), 2,
                   "no fault 'nonsense'");
}

/* ---- */

#define MORE 3

int main(void)
{
    static struct CMUnitTest tests[ARRAY_LEN(rows) + MORE];
    const char *w = world("--pages", "60", "--hosts", "3");
    size_t n = 0;

    server = serve(w, "--faults", "all");
    start_all();
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tests[n++] =
            (struct CMUnitTest){.name = text("%s is met, counted and left behind", rows[i].fault),
                                .test_func = the_fault_is_met,
                                .initial_state = &rows[i]};
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(all_at_once_need_little_memory);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(every_fault_has_its_test);
    tests[n++] = (struct CMUnitTest){.name = "the_world_beside_them_is_as_always",
                                     .test_func = the_world_beside_them_is_as_always,
                                     .initial_state = (void *)(uintptr_t)w};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
