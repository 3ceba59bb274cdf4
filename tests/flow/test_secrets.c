/* Secrets: which hosts receive them, and that nothing stored or shown contains them.
 * SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/mem.h"

#include <sqlite3.h>

#define HOME  "http://home.example"

/* No secret below is part of another word, as it is or in Base64. */
#define TOKEN "tk-93Jq0vWz"
#define KEY   "ky-51Xr7bLm"
#define LOGIN "lg-27Ps4cNd"

static const struct site_page pages[] = {
    {"/", .body = "<title>home</title> reefs <a href=/two>two</a> <a href=/moved>moved</a>"
                  "<a href=http://other.example/one>one</a>"
                  "<a href=http://home.example:8080/port>port</a>"
                  "<a href=http://sub.home.example/sub>sub</a>"},
    {"/two", .body = "<title>two</title> reefs"},
    {"/moved", .headers = "Location: http://other.example/landed\r\n", .status = 302, .body = ""},
    {"/one", .body = "<title>one</title> reefs"},
    {"/landed", .body = "<title>landed</title> reefs"},
    {"/port", .body = "<title>port</title> reefs"},
    {"/sub", .body = "<title>sub</title> reefs"},
    {"/found?q=reefs&key=" KEY, .type = "application/json",
     .body = "{\"url\": \"http://home.example/two\"}"},
};

/* Everything the directory holds, archives unpacked. */
static const char *all_of(const char *dir)
{
    struct ran r = run("sh", "-c",
                       "find \"$1\" -type f | while read f; do cat \"$f\"; "
                       "gzip -dcf \"$f\" 2>/dev/null; done | tr -d '\\000'",
                       "sh", dir);

    assert_true(strlen(r.out) > 10000);
    return r.out;
}

static void assert_holds_no(const char *what, const char *const secrets[])
{
    for (size_t i = 0; secrets[i]; i++)
        if (strstr(what, secrets[i]))
            fail_msg("'%s' is there", secrets[i]);
}

/* A request to each path, with the line or without. */
static void assert_got(const struct site *s, const char *path, const char *line, bool wanted)
{
    const char *head = site_head(s, path);

    assert_non_null(head);
    if ((strstr(head, line) != NULL) != wanted)
        fail_msg("%s: %s", path, head);
}

static void a_secret_goes_to_its_place_and_is_kept_nowhere(void **state)
{
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *port = strrchr(site_url(s, ""), ':') + 1, *dir = fresh("bound");
    const char *secrets[] = {TOKEN, KEY, LOGIN, NULL};
    const char *key = file_with("key", KEY "\n");
    struct ran r;

    (void)state;
    r = brood("crawl", "reefs", "--out", dir, "--allow-private", "--delay", "0", "--json",
              "--resolve", site_resolve(s), "--resolve", text("*:8080:127.0.0.1:%s", port),
              "--seed", "http://me:" LOGIN "@home.example/", "--header",
              "Authorization: Bearer " TOKEN, "--header", text("home.example X-Team: @%s", key),
              "--header", "other.example X-Open: yes", "--header", "X-All: yes", "--header",
              "http://other.example X-Api-Key: " KEY "2", "--search", HOME "/found?q={}&key=" KEY);
    assert_code(r, 0);
    assert_int_equal(crawl_pages(dir), 6);
    assert_got(s, "/", "\r\nAuthorization: Bearer " TOKEN "\r\n", true);
    assert_got(s, "/two", "\r\nAuthorization: Bearer " TOKEN "\r\n", true);
    assert_got(s, "/two", "\r\nX-Team: " KEY "\r\n", true);
    assert_got(s, "/one", "\r\nX-Api-Key: " KEY "2\r\n", true);
    assert_got(s, "/one", "X-Open", false); /* a host without a scheme means https */
    for (const char *const *p = (const char *const[]){"/one", "/landed", "/port", "/sub", NULL}; *p;
         p++) {
        assert_got(s, *p, TOKEN, false);
        assert_got(s, *p, "X-Team", false);
        assert_got(s, *p, "\r\nX-All: yes\r\n", true);
    }
    assert_holds_no(all_of(dir), secrets);
    assert_says(all_of(dir), "Authorization: ***\r\n"); /* the archive says that there was one */
    assert_holds_no(r.out, secrets);
    assert_holds_no(r.err, secrets);
    assert_holds_no(brood("stats", dir).out, secrets);
    assert_holds_no(brood("stats", dir, "--json").out, secrets);
    assert_holds_no(brood("explain", dir, HOME "/").out, secrets);
}

/* The user knows the host; which scheme and port are meant is known by its seed. */
static void a_host_means_the_seed_that_is_there(void **state)
{
    struct site *s = site_start(pages, ARRAY_LEN(pages));

    (void)state;
    assert_code(brood("crawl", "reefs", "--out", fresh("host"), "--quiet", "--allow-private",
                      "--delay", "0", "--pages", "2", "--seed", site_url(s, "/"), "--header",
                      "127.0.0.1 Authorization: Bearer " TOKEN, "--header",
                      "127.0.0.1:9 X-Api-Key: " KEY),
                0);
    assert_got(s, "/", "\r\nAuthorization: Bearer " TOKEN "\r\n", true);
    assert_got(s, "/", KEY, false);
}

static void whoever_goes_on_gives_the_secrets_again(void **state)
{
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("again");
    const char *secrets[] = {TOKEN, NULL};

    (void)state;
    assert_code(brood("crawl", "reefs", "--out", dir, "--quiet", "--allow-private", "--delay", "0",
                      "--resolve", site_resolve(s), "--seed", HOME "/", "--pages", "1", "--header",
                      "Authorization: Bearer " TOKEN, "--header", "X-All: yes"),
                0);
    assert_refused(brood("resume", dir, "--pages", "2"), 2, "--header 'Authorization: VALUE'");
    assert_refused(brood("retry", dir), 2, "--without-secrets");
    assert_int_equal(crawl_pages(dir), 1);
    assert_code(
        brood("resume", dir, "--quiet", "--pages", "2", "--header", "authorization: Bearer " TOKEN),
        0);
    assert_got(s, "/two", "uthorization: Bearer " TOKEN, true);
    assert_got(s, "/two", "X-All: yes", true);
    assert_holds_no(all_of(dir), secrets);
    assert_code(brood("resume", dir, "--quiet", "--pages", "3", "--without-secrets"), 0);
    assert_got(s, "/moved", "uthorization", false);
    assert_got(s, "/moved", "X-All: yes", true);
}

static const struct site_page proxied[] = {
    {HOME "/", .body = "<title>home</title> reefs <a href=/two>two</a>"},
    {HOME "/two", .body = "<title>two</title> reefs"},
};

static void the_password_of_a_proxy_is_used_and_not_kept(void **state)
{
    struct site *s = site_start(proxied, ARRAY_LEN(proxied));
    const char *dir = fresh("proxy"), *where = strchr(site_url(s, ""), '1');
    const char *secrets[] = {TOKEN, "bWU6dGst", NULL}; /* "me:tk-" in Base64 */
    const char *proxy = text("http://me:" TOKEN "@%s", where);

    (void)state;
    assert_code(brood("crawl", "reefs", "--out", dir, "--quiet", "--contact", "a@home.example",
                      "--delay", "0", "--seed", HOME "/", "--pages", "1", "--proxy", proxy),
                0);
    assert_says(site_head(s, HOME "/"), "Proxy-Authorization: Basic bWU6dGst");
    assert_holds_no(all_of(dir), secrets);
    assert_refused(brood("resume", dir, "--pages", "2"), 2,
                   text("--proxy 'http://USER:PASSWORD@%s'", where));
    assert_code(brood("resume", dir, "--quiet", "--pages", "2", "--proxy", proxy), 0);
    assert_says(site_head(s, HOME "/two"), "Proxy-Authorization: Basic bWU6dGst");
    assert_holds_no(all_of(dir), secrets);
}

static void a_secret_for_nobody_or_from_nowhere_is_refused(void **state)
{
    const char *seeds = file_with("seeds", HOME "/\n");

    (void)state;
    assert_refused(brood("crawl", "reefs", "--contact", "a@home.example", "--seeds", seeds, "--out",
                         fresh("nobody"), "--header", "X-Api-Key: " KEY),
                   2, "name the host it is for");
    assert_refused(brood("crawl", "reefs", "--contact", "a@home.example", "--seed", HOME, "--out",
                         fresh("nowhere"), "--header", "X-Api-Key: @/no/such/file"),
                   2, "/no/such/file");
    assert_null(strstr(brood("crawl", "reefs", "--contact", "a@home.example", "--seed", HOME,
                             "--out", fresh("no"), "--header", "Bearer " KEY)
                           .err,
                       KEY));
}

/* A directory that somebody else made names a file of ours, and a host to send it to. */
static void a_stored_header_reads_no_file(void **state)
{
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("foreign"), *file = file_with("private", KEY "\n");
    sqlite3 *db;

    (void)state;
    assert_code(brood("crawl", "reefs", "--out", dir, "--quiet", "--allow-private", "--delay", "0",
                      "--resolve", site_resolve(s), "--seed", HOME "/", "--pages", "1"),
                0);
    assert_int_equal(sqlite3_open(text("%s/crawl.db", dir), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     text("UPDATE crawl SET value = 'http://home.example X-Team: @%s' WHERE key = "
                          "'option.header'",
                          file),
                     NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_refused(brood("resume", dir, "--pages", "2", "--trust"), 2, "X-Team: VALUE");
    assert_code(brood("resume", dir, "--quiet", "--pages", "2", "--without-secrets", "--trust"), 0);
    assert_got(s, "/two", KEY, false);
}

#define WATCH "watch", "--out", dir, "--quiet", "--once"

static void a_webhook_with_a_key_is_given_again(void **state)
{
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("watch"), *hook = text("%s?token=" KEY, site_url(s, "/hook"));
    const char *secrets[] = {KEY, NULL};

    (void)state;
    assert_code(brood(WATCH, "reefs", "--allow-private", "--delay", "0", "--resolve",
                      site_resolve(s), "--seed", HOME "/", "--model", "revisit", "--webhook", hook),
                0);
    assert_holds_no(all_of(dir), secrets);
    assert_refused(brood(WATCH), 2, "/hook?token=***");
    assert_code(brood(WATCH, "--webhook", hook), 0);
    assert_holds_no(all_of(dir), secrets);
    assert_code(brood(WATCH, "--without-secrets"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_secret_goes_to_its_place_and_is_kept_nowhere),
        cmocka_unit_test(a_host_means_the_seed_that_is_there),
        cmocka_unit_test(whoever_goes_on_gives_the_secrets_again),
        cmocka_unit_test(the_password_of_a_proxy_is_used_and_not_kept),
        cmocka_unit_test(a_secret_for_nobody_or_from_nowhere_is_refused),
        cmocka_unit_test(a_stored_header_reads_no_file),
        cmocka_unit_test(a_webhook_with_a_key_is_given_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
