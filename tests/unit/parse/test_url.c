/* url: the WPT vectors, and what they do not say. SPDX-License-Identifier: MIT */
#include "vectors.h"

#include "base/limits.h"
#include "parse/url.h"

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

static enum status parse(struct str input, struct str base, struct url *ret)
{
    struct url b;
    enum status st;

    if (base.ptr == NULL || base.len == 0)
        return url_parse(input, NULL, &arena, ret);
    st = url_parse(base, NULL, &arena, &b);
    return st == ST_OK ? url_parse(input, &b, &arena, ret) : st;
}

/* ---- urltestdata.json ------------------------------------------------------ */

static bool is_web(struct str s)
{
    s = str_trim(s);
    return str_starts_i(s, STR("http:")) || str_starts_i(s, STR("https:"));
}

/* "?a" from has_query and "a"; an empty query or fragment is shown as "". */
static bool same_tail(struct str want, char mark, struct str got)
{
    if (want.len == 0)
        return got.len == 0;
    return want.ptr[0] == mark && str_eq(str_sub(want, 1, want.len), got);
}

static bool same_port(struct str want, const struct url *u)
{
    uint64_t n = 0;

    if (want.len == 0)
        return !u->has_port;
    return u->has_port && str_to_u64(want, &n) && n == u->port;
}

static bool same_url(json_t *c, const struct url *u)
{
    return str_eq(vectors_str(c, "href"), u->href) && str_eq(vectors_str(c, "hostname"), u->host) &&
           str_eq(vectors_str(c, "pathname"), u->path) &&
           str_eq(vectors_str(c, "username"), u->user) &&
           str_eq(vectors_str(c, "password"), u->password) &&
           same_port(vectors_str(c, "port"), u) &&
           same_tail(vectors_str(c, "search"), '?', u->query) &&
           same_tail(vectors_str(c, "hash"), '#', u->fragment);
}

/* True where the outcome is the vector's: the same URL, a failure, or the
 * refusal of another scheme. */
static bool holds(json_t *c)
{
    struct url u;
    enum status st = parse(vectors_str(c, "input"), vectors_str(c, "base"), &u);

    if (json_is_true(json_object_get(c, "failure")))
        return st == ST_INVALID || st == ST_REFUSED;
    if (!is_web(vectors_str(c, "href")))
        return st == ST_REFUSED;
    return st == ST_OK && same_url(c, &u);
}

static void run_vectors(const char *path)
{
    json_t *all = vectors_load(path), *c;
    size_t i, n = 0, good = 0;

    json_array_foreach(all, i, c)
    {
        struct str base = vectors_str(c, "base");

        if (!json_is_object(c) ||
            !(is_web(vectors_str(c, "input")) || is_web(base) || is_web(vectors_str(c, "href"))))
            continue;
        if (base.len && !is_web(base)) /* a base that brood can never have */
            continue;
        n++;
        if (holds(c))
            good++;
        else
            print_message("# differs: %.*s\n", STR_ARG(vectors_str(c, "input")));
    }
    print_message("# %zu of %zu cases of http and https hold\n", good, n);
    assert_true(n > 400);
    assert_true(good * 100 >= n * 99);
    json_decref(all);
}

static void wpt_cases_of_http_and_https_hold(void **state)
{
    NEED_DATA(path, "url/urltestdata.json");
    (void)state;
    run_vectors(path);
}

static void wpt_cases_of_crawler_commons_hold(void **state)
{
    NEED_DATA(path, "url/url-utils/wpt-urltestdata.json");
    (void)state;
    run_vectors(path);
}

/* ---- hosts ------------------------------------------------------------------ */

/* Hosts of toascii.json and IdnaTestV2.json as hosts of a URL. An output that is
 * null is a failure; so is one that is a forbidden or an IPv4-like host here. */
static void run_hosts(const char *path, unsigned percent)
{
    json_t *all = vectors_load(path), *c;
    size_t i, n = 0, good = 0, shown = 0;
    char text[4096];

    json_array_foreach(all, i, c)
    {
        struct str in = vectors_str(c, "input"), out = vectors_str(c, "output");
        struct url u;
        enum status st;
        bool same;

        if (!json_is_object(c) || in.len == 0 || in.len + 20 > sizeof text)
            continue;
        (void)snprintf(text, sizeof text, "https://%.*s/x", STR_ARG(in));
        st = parse(str_of(text), STR(""), &u);
        same = out.len == 0 ? st == ST_INVALID : st == ST_OK && str_eq(u.host, out);
        n++;
        good += same;
        if (!same && shown++ < 12)
            print_message("# differs: %.*s wants %.*s gets %.*s\n", STR_ARG(in), STR_ARG(out),
                          STR_ARG(st == ST_OK ? u.host : STR("failure")));
    }
    print_message("# %zu of %zu hosts hold\n", good, n);
    assert_true(good * 100 >= n * percent);
    json_decref(all);
}

/* What differs: labels that are not ASCII and have hyphens at an end or in the
 * third and fourth place, or are longer than 63 bytes. libidn2 refuses those. */
static void wpt_toascii_hosts_hold(void **state)
{
    NEED_DATA(path, "url/toascii.json");
    (void)state;
    run_hosts(path, 95);
}

/* What differs: as above; characters newer than libidn2's tables; and where the
 * bidi rule must look at several labels. */
static void unicode_idna_hosts_mostly_hold(void **state)
{
    NEED_DATA(path, "url/IdnaTestV2.json");
    (void)state;
    run_hosts(path, 90);
}

static void hosts_have_one_spelling(void **state)
{
    static const struct {
        const char *in, *host;
    } cases[] = {
        {"http://EXAMPLE.com", "example.com"},
        {"http://0x7f.1/", "127.0.0.1"},
        {"http://017700000001", "127.0.0.1"},
        {"http://1.2.3.4./", "1.2.3.4"},
        {"http://[2001:DB8:0:0:1:0:0:1]/", "[2001:db8::1:0:0:1]"},
        {"http://[::ffff:192.168.0.1]", "[::ffff:c0a8:1]"},
        {"http://[1:0:0:2::]/", "[1:0:0:2::]"},
        {"http://[::]/", "[::]"},
        {"http://b\xc3\xbc"
         "cher.de/",
         "xn--bcher-kva.de"},
        {"http://a_b.c/", "a_b.c"},
        {"http://1.2.3.com/", "1.2.3.com"},
    };
    struct url u;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(parse(str_of(cases[i].in), STR(""), &u), ST_OK);
        assert_str(u.host, cases[i].host);
    }
}

static void what_is_no_host_fails(void **state)
{
    static const char *const bad[] = {
        "http://",
        "http://a b/",
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "http://[::1",
        "http://[1:2:3]/",
        "http://[::1::]/",
        "http://[:1]/",
        "http://[1::2.3.4]/",
        "http://a%00b/",
        "http://u@/",
        "http://a:99999/",
        "http://a:8x/",
        "http://0x100000000",
        "http://09.1/",
        "http://[::01.2.3.4]/",
        "relative",
        "",
        "http://%ff/",
        "http://[1:2:3:4:5:6:7:8:9]/",
    };
    struct url u;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse(str_of(bad[i]), STR(""), &u) != ST_INVALID)
            fail_msg("%s was taken", bad[i]);
}

/* ---- percent-encoding, resolution ------------------------------------------- */

static void queries_are_escaped_as_utf8(void **state)
{
    NEED_DATA(path, "url/percent-encoding.json");
    json_t *all = vectors_load(path), *c;
    size_t i;
    char text[256];

    (void)state;
    json_array_foreach(all, i, c)
    {
        struct str want = vectors_str(json_object_get(c, "output"), "utf-8");
        struct url u;

        if (!json_is_object(c))
            continue;
        (void)snprintf(text, sizeof text, "http://h/?%.*s", STR_ARG(vectors_str(c, "input")));
        assert_int_equal(parse(str_of(text), STR(""), &u), ST_OK);
        assert_int_equal(u.query.len, want.len);
        assert_memory_equal(u.query.ptr, want.ptr, want.len);
    }
    json_decref(all);
}

static void links_of_crawler_commons_resolve(void **state)
{
    NEED_DATA(path, "url/url-utils/url-resolve.csv");
    struct buf b = BUF_INIT(1 << 20);
    struct str rest, line;
    unsigned n = 0;

    (void)state;
    test_read(path, &b);
    rest = buf_str(&b);
    while (str_cut(&rest, '\n', &line)) {
        struct str in, base, want;
        struct url u;

        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        in = vectors_field(&line);
        base = vectors_field(&line);
        want = vectors_field(&line);
        if (str_starts(base, STR("file:")))
            continue;
        assert_int_equal(parse(in, base, &u), ST_OK);
        assert_int_equal(u.href.len, want.len);
        assert_memory_equal(u.href.ptr, want.ptr, want.len);
        n++;
    }
    assert_true(n > 15);
    buf_free(&b);
}

/* ---- our own promises --------------------------------------------------------- */

static void other_schemes_are_refused_not_invalid(void **state)
{
    static const char *const other[] = {"mailto:a@b", "javascript:void(0)",
                                        "ftp://h/",   "data:text/html,x",
                                        "tel:1",      "file:///etc/passwd"};
    struct url u;

    (void)state;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_int_equal(parse(str_of(other[i]), STR("http://h/"), &u), ST_REFUSED);
}

static void a_url_beyond_the_ceiling_is_a_limit(void **state)
{
    static char text[LIMIT_URL + 100];
    struct url u;

    (void)state;
    memset(text, 'a', sizeof text);
    memcpy(text, "http://h/", 9);
    assert_int_equal(url_parse((struct str){text, LIMIT_URL}, NULL, &arena, &u), ST_OK);
    assert_int_equal(u.href.len, LIMIT_URL);
    assert_int_equal(url_parse((struct str){text, LIMIT_URL + 1}, NULL, &arena, &u), ST_LIMIT);
    memset(text + 9, ' ', LIMIT_URL / 2);
    text[9 + LIMIT_URL / 2] = 'x';
    assert_int_equal(url_parse((struct str){text, 10 + LIMIT_URL / 2}, NULL, &arena, &u), ST_LIMIT);
    memcpy(text, "data:,  \n", 9);
    assert_int_equal(url_parse((struct str){text, sizeof text}, NULL, &arena, &u), ST_REFUSED);
}

static void bytes_that_are_no_utf8_are_escaped_as_they_are(void **state)
{
    struct url u;

    (void)state;
    assert_int_equal(parse(STR("http://h/caf\xe9?\xff#\x80"), STR(""), &u), ST_OK);
    assert_str(u.href, "http://h/caf%E9?%FF#%80");
}

static void a_full_arena_is_a_limit_and_failure_takes_no_memory(void **state)
{
    struct arena small;
    struct url u;
    size_t before;

    (void)state;
    arena_init(&small, 64);
    assert_int_equal(url_parse(STR("http://example.com/some/path"), NULL, &small, &u), ST_LIMIT);
    arena_free(&small);
    before = arena.used;
    for (int i = 0; i < 100; i++)
        assert_int_equal(parse(STR("mailto:x"), STR(""), &u), ST_REFUSED);
    assert_true(arena.used <= before + 1600);
}

static void parts_lie_in_the_href(void **state)
{
    struct url u;

    (void)state;
    assert_int_equal(parse(STR("?q#f"), STR("https://u:p@h:8443/a/b?x#y"), &u), ST_OK);
    assert_str(u.href, "https://u:p@h:8443/a/b?q#f");
    assert_str(u.scheme, "https");
    assert_str(u.user, "u");
    assert_str(u.password, "p");
    assert_str(u.host, "h");
    assert_int_equal(u.port, 8443);
    assert_str(u.path, "/a/b");
    assert_str(u.query, "q");
    assert_str(u.fragment, "f");
    assert_ptr_equal(u.path.ptr, u.href.ptr + 18);
    assert_int_equal(u.href.ptr[u.href.len], 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fresh_arena, free_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(wpt_cases_of_http_and_https_hold),
        T(wpt_cases_of_crawler_commons_hold),
        T(wpt_toascii_hosts_hold),
        T(unicode_idna_hosts_mostly_hold),
        T(hosts_have_one_spelling),
        T(what_is_no_host_fails),
        T(queries_are_escaped_as_utf8),
        T(links_of_crawler_commons_resolve),
        T(other_schemes_are_refused_not_invalid),
        T(a_url_beyond_the_ceiling_is_a_limit),
        T(bytes_that_are_no_utf8_are_escaped_as_they_are),
        T(a_full_arena_is_a_limit_and_failure_takes_no_memory),
        T(parts_lie_in_the_href),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
