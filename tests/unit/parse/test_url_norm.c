/* url_norm: idempotent on everything, and the pairs of crawler-commons.
 * SPDX-License-Identifier: MIT */
#include "vectors.h"

#include "base/limits.h"
#include "parse/url_norm.h"

static struct arena arena;

static int fresh_arena(void **state)
{
    (void)state;
    arena_init(&arena, LIMIT_PAGE_ARENA);
    return 0;
}

static int free_arena(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* The normal form of a text; {NULL, 0} where it is no URL. */
static struct str norm(struct str text)
{
    struct url u;

    if (url_parse(text, NULL, &arena, &u) != ST_OK)
        return (struct str){NULL, 0};
    return url_norm(&u, &arena);
}

static void spellings_of_one_page_become_one(void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"HTTP://Example.COM:80/%7Eann/a%2fb/./c/../d#top", "http://example.com/~ann/a%2Fb/d"},
        {"http://u:p@h/", "http://h/"},
        {"https://h:8443/?", "https://h:8443/"},
        {"http://h/?utm_source=x&utm_medium=y", "http://h/"},
        {"http://h/?a=1&utm_source=x&b=2", "http://h/?a=1&b=2"},
        {"http://h/?a=1&fbclid=abc", "http://h/?a=1"},
        {"http://h/?%75tm_campaign=1&x", "http://h/?x"},
        {"http://h/?b=2&a=1", "http://h/?b=2&a=1"},
        {"http://h/?utmost=1", "http://h/?utmost=1"},
        {"http://h/?&&a&", "http://h/?a"},
        {"http://h/a;jsessionid=12AB.node1?x=1", "http://h/a?x=1"},
        {"http://h/a;v=1;JSESSIONID=2/b", "http://h/a;v=1/b"},
        {"http://h/a/..;jsessionid=1/b", "http://h/a/..;jsessionid=1/b"},
        {"http://h/?PHPSESSID=1", "http://h/"},
        {"http://h/100%", "http://h/100%25"},
        {"http://h/%%341", "http://h/%2541"},
        {"http://h//a//b", "http://h//a//b"},
        {"http://h/?q=c%2b%2B+d", "http://h/?q=c%2B%2B+d"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str out = norm(str_of(cases[i].in));
        assert_str(out, cases[i].out);
        assert_int_equal(out.ptr[out.len], 0);
    }
}

/* ---- idempotence ------------------------------------------------------------ */

static bool is_fixed_point(struct str text)
{
    struct str once = norm(text), twice;

    if (once.ptr == NULL)
        return true;
    twice = norm(once);
    if (str_eq(once, twice))
        return true;
    print_message("# %.*s -> %.*s -> %.*s\n", STR_ARG(text), STR_ARG(once), STR_ARG(twice));
    return false;
}

static void normalising_twice_changes_nothing_on_all_vectors(void **state)
{
    NEED_DATA(path, "url/urltestdata.json");
    json_t *all = vectors_load(path), *c;
    size_t i;

    (void)state;
    json_array_foreach(all, i, c)
    {
        struct url base, u;
        struct str out;

        if (!json_is_object(c))
            continue;
        assert_true(is_fixed_point(vectors_str(c, "input")));
        if (url_parse(vectors_str(c, "base"), NULL, &arena, &base) != ST_OK ||
            url_parse(vectors_str(c, "input"), &base, &arena, &u) != ST_OK)
            continue;
        out = url_norm(&u, &arena);
        assert_true(is_fixed_point(u.href));
        assert_true(is_fixed_point(out));
    }
    json_decref(all);
}

/* Texts made of the pieces that could work against each other. */
static void normalising_twice_changes_nothing_on_made_up_urls(void **state)
{
    static const char *const pieces[] = {"%",
                                         "%2",
                                         "5",
                                         "%25",
                                         "%2e",
                                         ".",
                                         "..",
                                         "/",
                                         "//",
                                         "\\",
                                         "?",
                                         "&",
                                         "=",
                                         "a",
                                         "%41",
                                         "#",
                                         ";",
                                         "utm_source=1",
                                         ";jsessionid=1",
                                         "%75tm_x=1",
                                         "@",
                                         ":",
                                         "%3B",
                                         "%26",
                                         "%2F",
                                         " ",
                                         "\xc3\xa9",
                                         "\xff",
                                         "jsessionid=2"};
    uint64_t x = 88172645463325252u;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        char text[256] = "http://h/";
        size_t len = strlen(text);

        for (int k = 0; k < 10; k++) {
            const char *piece;

            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            piece = pieces[x % (sizeof pieces / sizeof *pieces)];
            memcpy(text + len, piece, strlen(piece));
            len += strlen(piece);
        }
        assert_true(is_fixed_point((struct str){text, len}));
        arena_reset(&arena);
    }
}

/* ---- crawler-commons ----------------------------------------------------------- */

/* What we do otherwise, on purpose. */
enum why { SAME, SCHEME, SLASHES, ORDER, VALUE, ESCAPE, DOT, HOSTLESS, NWHY };

static const char *const why_text[NWHY] = {
    "the same",
    "another scheme, or none: no URL of ours",
    "runs of slashes stay: servers tell them apart",
    "the order of parameters stays",
    "'b=' and '=1' stay: servers tell them from 'b' and ''",
    "characters that the standard leaves alone in a query stay: [ ] ^ ` |",
    "a host's final dot stays",
    "slashes before an empty host: no URL",
};

static bool has(struct str s, const char *what)
{
    return str_find(s, str_of(what), 0) != SIZE_MAX;
}

/* The category that explains a difference; NWHY where there is none. */
static enum why explain(struct str in, struct str want, struct str got)
{
    struct str path = str_sub(in, str_find(in, STR("://"), 0) + 3, in.len);

    if (got.ptr == NULL)
        return str_starts(in, STR("http:")) ? HOSTLESS : SCHEME;
    if (has(path, "//") && !has(want, "//a"))
        return SLASHES;
    if (has(want, "%5B") || has(want, "%5E") || has(want, "%60") || has(want, "%7C"))
        return ESCAPE;
    if (has(in, "=&") || has(in, "?=") || has(in, "&=") || has(in, "b=") || has(in, "b&"))
        return has(in, "b=1&a") || has(in, "b=2&a") || has(in, "b&a") ? ORDER : VALUE;
    return has(in, "./") ? DOT : NWHY;
}

static void pairs_of_crawler_commons_hold_or_are_explained(void **state)
{
    NEED_DATA(path, "url/normalizer/weirdToNormalizedUrls.csv");
    struct buf b = BUF_INIT(1 << 20);
    struct str rest, line;
    unsigned count[NWHY] = {0}, n = 0;

    (void)state;
    test_read(path, &b);
    rest = buf_str(&b);
    while (str_cut(&rest, '\n', &line)) {
        struct str in, want, got;
        enum why why;

        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        in = vectors_field(&line);
        want = vectors_field(&line);
        if (str_ends(in, STR("\"\""))) /* CSV's spelling of one quote */
            in.len--;
        got = norm(in);
        why = str_eq(want, got) ? SAME : explain(in, want, got);
        if (why == NWHY)
            fail_msg("%.*s wants %.*s gets %.*s", STR_ARG(in), STR_ARG(want), STR_ARG(got));
        count[why]++;
        n++;
    }
    for (int i = 0; i < NWHY; i++)
        print_message("# %u of %u: %s\n", count[i], n, why_text[i]);
    assert_true(count[SAME] * 4 > n * 2);
    buf_free(&b);
}

static void invalid_urls_of_crawler_commons_are_invalid(void **state)
{
    NEED_DATA(path, "url/normalizer/invalidUrls.csv");
    struct buf b = BUF_INIT(1 << 20);
    struct str rest, line;

    (void)state;
    test_read(path, &b);
    rest = buf_str(&b);
    while (str_cut(&rest, '\n', &line))
        if (line.len && line.ptr[0] != '#')
            assert_null(norm(vectors_field(&line)).ptr);
    buf_free(&b);
}

/* ---- key and split ---------------------------------------------------------------- */

static void http_and_https_of_a_page_share_a_key(void **state)
{
    (void)state;
    assert_true(url_key(STR("http://h/a?b")) == url_key(STR("https://h/a?b")));
    assert_true(url_key(STR("http://h/a?b")) != url_key(STR("http://h/a?c")));
    assert_true(url_key(STR("http://h:81/")) != url_key(STR("http://h/")));
}

static void split_finds_host_port_and_path(void **state)
{
    static const struct {
        const char *in, *scheme, *host, *path;
        uint16_t port;
    } cases[] = {
        {"http://h/a/b?c:1/d", "http", "h", "/a/b?c:1/d", 80},
        {"https://h.x/", "https", "h.x", "/", 443},
        {"https://h:8443/x", "https", "h:8443", "/x", 8443},
        {"http://[::1]/x", "http", "[::1]", "/x", 80},
        {"http://[::1]:81/x", "http", "[::1]:81", "/x", 81},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str scheme, host, path;
        uint16_t port;

        url_split(str_of(cases[i].in), &scheme, &host, &port, &path);
        assert_str(scheme, cases[i].scheme);
        assert_str(host, cases[i].host);
        assert_str(path, cases[i].path);
        assert_int_equal(port, cases[i].port);
    }
}

static void a_url_that_grows_beyond_the_ceiling_is_none(void **state)
{
    static char text[LIMIT_URL - 10];
    struct url u;

    (void)state;
    memset(text, '%', sizeof text);
    memcpy(text, "http://h/", 9);
    assert_int_equal(url_parse((struct str){text, sizeof text}, NULL, &arena, &u), ST_OK);
    assert_null(url_norm(&u, &arena).ptr);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fresh_arena, free_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(spellings_of_one_page_become_one),
        T(normalising_twice_changes_nothing_on_all_vectors),
        T(normalising_twice_changes_nothing_on_made_up_urls),
        T(pairs_of_crawler_commons_hold_or_are_explained),
        T(invalid_urls_of_crawler_commons_are_invalid),
        T(http_and_https_of_a_page_share_a_key),
        T(split_finds_host_port_and_path),
        T(a_url_that_grows_beyond_the_ceiling_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
