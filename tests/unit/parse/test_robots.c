/* robots: RFC 9309 by Google's cases and our own. SPDX-License-Identifier: MIT */
#include "vectors.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "flow.h"
#include "parse/robots/robots.h"
#include "parse/url_norm.h"

#include <dirent.h>

static bool allowed(const char *text, const char *agent, const char *path)
{
    struct robots *r = robots_parse(str_of(text), str_of(agent));
    bool yes = robots_allows(r, str_of(path), NULL);

    robots_free(r);
    return yes;
}

/* ---- Google's cases ---------------------------------------------------------- */

/* Bytes that were written as latin-1 in JSON. */
static struct str from_latin1(struct str s, struct arena *a)
{
    char *out = arena_alloc(a, s.len + 1);
    size_t len = 0;

    for (size_t at = 0; at < s.len;)
        out[len++] = (char)utf8_next(s, &at);
    return (struct str){out, len};
}

static bool case_holds(json_t *c)
{
    struct arena a;
    struct robots *r;
    struct str url, scheme, host, path;
    struct url u;
    uint16_t port;
    bool yes = true;

    arena_init(&a, MIB(8));
    r = robots_parse(from_latin1(vectors_str(c, "robots"), &a), vectors_str(c, "agent"));
    url = from_latin1(vectors_str(c, "url"), &a);
    if (url_parse(url, NULL, &a, &u) == ST_OK) {
        url_split(url_norm(&u, &a), &scheme, &host, &port, &path);
        yes = robots_allows(r, path, NULL);
    }
    robots_free(r);
    arena_free(&a);
    return yes == json_is_true(json_object_get(c, "allowed"));
}

/* RFC 9309 says nothing of index pages; we do not follow Google there: it would
 * fetch what the file, read literally, forbids. Misspelt fields we do follow. One
 * case forbids /robots.txt itself, which the RFC (2.2.2) allows implicitly. */
static bool is_undecided(struct str test, struct str url)
{
    if (str_ends(url, STR("/robots.txt")))
        return true;
    return str_eq(test, STR("index-page")) || str_eq(test, STR("GoogleOnly_IndexHTMLisDirectory"));
}

static void all_cases_that_the_rfc_decides_hold(void **state)
{
    NEED_DATA(path, "robots/cases.jsonl");
    struct buf b = BUF_INIT(MIB(4));
    char *line, *next;
    unsigned good = 0, n = 0, undecided = 0, same = 0;

    (void)state;
    test_read(path, &b);
    for (line = b.data; *line; line = next) {
        json_t *c;
        struct str test;
        bool holds, undecided_case;

        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        else
            next = line + strlen(line);
        c = vectors_parse(line);
        test = vectors_str(c, "test");
        holds = case_holds(c);
        undecided_case = is_undecided(test, vectors_str(c, "url"));
        if (undecided_case) {
            undecided++;
            same += holds;
        } else {
            n++;
            good += holds;
        }
        if (!holds)
            print_message("# %s: %.*s %.*s for %.*s\n",
                          undecided_case ? "not decided so by the RFC, we differ" : "WRONG",
                          STR_ARG(test), STR_ARG(vectors_str(c, "url")),
                          STR_ARG(vectors_str(c, "agent")));
        json_decref(c);
    }
    print_message("# %u of %u hold; of %u not decided by the RFC %u are as Google's\n", good, n,
                  undecided, same);
    assert_int_equal(good, n);
    assert_true(n > 250);
    buf_free(&b);
}

static void real_files_are_read_and_survive_keeping(void **state)
{
    NEED_DATA(path, "robots/real");
    DIR *dir = opendir(path);
    struct dirent *e;
    char folder[4096], file[8192];
    unsigned n = 0;

    (void)state;
    assert_non_null(dir);
    (void)snprintf(folder, sizeof folder, "%s", path);
    while ((e = readdir(dir)) != NULL) {
        struct buf b = BUF_INIT(MIB(4));
        struct robots *r, *again;

        if (e->d_name[0] == '.')
            continue;
        (void)snprintf(file, sizeof file, "%s/%s", folder, e->d_name);
        test_read(file, &b);
        r = robots_parse(buf_str(&b), STR("brood"));
        again = robots_restore(robots_saved(r));
        assert_non_null(again);
        assert_int_equal(robots_allows(r, STR("/search?q=1"), NULL),
                         robots_allows(again, STR("/search?q=1"), NULL));
        assert_true(robots_allows(r, STR("/robots.txt"), NULL));
        robots_free(r);
        robots_free(again);
        buf_free(&b);
        n++;
    }
    closedir(dir);
    assert_true(n > 0);
}

/* ---- groups and lines ----------------------------------------------------------- */

static void groups_of_one_token_are_merged(void **state)
{
    const char *text = "User-agent: brood\nDisallow: /a\n\n"
                       "User-agent: other\nDisallow: /\n\n"
                       "User-agent: x\nUser-agent: BROOD/1.0\nDisallow: /b\n"
                       "User-agent: *\nDisallow: /c\n";
    (void)state;
    assert_false(allowed(text, "brood", "/a"));
    assert_false(allowed(text, "brood", "/b"));
    assert_true(allowed(text, "brood", "/c"));
    assert_false(allowed(text, "somebody", "/c"));
    assert_true(allowed(text, "somebody", "/a"));
    assert_true(allowed("User-agent: broodmother\nDisallow: /\n", "brood", "/"));
}

static void any_end_of_line_and_a_bom_are_fine(void **state)
{
    unsigned line;
    struct robots *r = robots_parse(
        STR("\xef\xbb\xbfUser-agent: *\r\rDisallow: /a\r\n# x\nDisallow: /b # no"), STR("brood"));

    (void)state;
    assert_false(robots_allows(r, STR("/a"), &line));
    assert_int_equal(line, 3);
    assert_false(robots_allows(r, STR("/b"), &line));
    assert_int_equal(line, 5);
    assert_true(robots_allows(r, STR("/c"), &line));
    assert_int_equal(line, 0);
    robots_free(r);
}

static void a_file_in_utf16_is_read(void **state)
{
    static const char *const text = "User-agent: *\nDisallow: /b\n";
    char wide[2][200] = {"\xff\xfe", "\xfe\xff"};
    size_t len = 2 + 2 * strlen(text);

    (void)state;
    for (int big = 0; big < 2; big++) {
        struct robots *r;

        for (size_t i = 0; text[i]; i++)
            wide[big][2 + 2 * i + (size_t)big] = text[i];
        r = robots_parse((struct str){wide[big], len}, STR("brood"));
        assert_false(robots_allows(r, STR("/b"), NULL));
        assert_true(robots_allows(r, STR("/a"), NULL));
        robots_free(r);
        /* half a character at its end, and nothing but the mark */
        robots_free(robots_parse((struct str){wide[big], len - 1}, STR("brood")));
        robots_free(robots_parse((struct str){wide[big], 2}, STR("brood")));
    }
}

static void the_longest_rule_wins_and_allow_wins_ties(void **state)
{
    const char *text = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\n"
                       "Disallow: /t\nAllow: /t\nDisallow: /robots.txt\nDisallow:\n";
    (void)state;
    assert_false(allowed(text, "brood", "/ax"));
    assert_true(allowed(text, "brood", "/a/bx"));
    assert_false(allowed(text, "brood", "/a/b/c/d"));
    assert_true(allowed(text, "brood", "/t"));
    assert_true(allowed(text, "brood", "/robots.txt"));
}

static void stars_and_dollars_are_special(void **state)
{
    const char *text = "User-agent: *\nDisallow: /*.gif$\nDisallow: /a*b*c\nDisallow: *end$\n"
                       "Disallow: /star-%2A.html\nDisallow: /p$q\n";
    (void)state;
    assert_false(allowed(text, "b", "/x/y.gif"));
    assert_true(allowed(text, "b", "/x/y.gif?z"));
    assert_false(allowed(text, "b", "/a1b2c3"));
    assert_true(allowed(text, "b", "/a1c2b3"));
    assert_false(allowed(text, "b", "/the/end"));
    assert_true(allowed(text, "b", "/the/ending"));
    assert_false(allowed(text, "b", "/star-*.html"));
    assert_true(allowed(text, "b", "/star-x.html"));
    assert_false(allowed(text, "b", "/p$q"));
}

static void escapes_are_compared_in_one_form(void **state)
{
    static const struct {
        const char *pattern, *path;
        bool match;
    } cases[] = {
        {"/%7Ejoe/", "/~joe/x", true},
        {"/~joe/", "/%7ejoe/x", true},
        {"/caf\xc3\xa9", "/caf%C3%A9", true},
        {"/caf%c3%a9", "/caf\xc3\xa9", true},
        {"/a%2fb", "/a%2Fb", true},
        {"/a%2fb", "/a/b", false},
        {"/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", true},
        {"/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", true},
        {"/%62%61%7A", "/baz", true},
        {"/A", "/a", false},
    };
    char text[256];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)snprintf(text, sizeof text, "User-agent: *\nDisallow: %s\n", cases[i].pattern);
        assert_int_equal(allowed(text, "brood", cases[i].path), !cases[i].match);
    }
}

static void delay_and_sitemaps_are_kept(void **state)
{
    struct robots *r = robots_parse(STR("Sitemap: http://h/s.xml\nUser-agent: *\nCrawl-delay: 9\n"
                                        "User-agent: brood\nDisallow: /x\nCrawl-delay: 1.5 # s\n"
                                        "Sitemap: http://h/t.xml\nCrawl-delay: fast\n"),
                                    STR("brood"));
    struct robots *none = robots_parse(STR(""), STR("brood"));
    struct robots *huge = robots_parse(STR("User-agent: *\nCrawl-delay: 1e99\n"
                                           "Crawl-delay: 99999999999\n"),
                                       STR("brood"));

    (void)state;
    assert_int_equal(robots_sitemap_count(r), 2);
    assert_str(robots_sitemap(r, 1), "http://h/t.xml");
    assert_int_equal(robots_delay(r), 1500000);
    assert_int_equal(robots_delay(none), -1);
    assert_int_equal(robots_delay(huge), LIMIT_CRAWL_DELAY * US_PER_S);
    robots_free(r);
    robots_free(none);
    robots_free(huge);
}

static void a_file_is_cut_at_its_ceiling(void **state)
{
    struct buf b = BUF_INIT(MIB(2));
    struct robots *r;

    (void)state;
    buf_add_z(&b, "User-agent: *\nDisallow: /first\n");
    while (b.len < LIMIT_ROBOTS)
        buf_add_z(&b, "# nothing to see here\n");
    buf_add_z(&b, "Disallow: /last\n");
    r = robots_parse(buf_str(&b), STR("brood"));
    assert_false(robots_allows(r, STR("/first"), NULL));
    assert_true(robots_allows(r, STR("/last"), NULL));
    robots_free(r);
    buf_free(&b);
}

static void hostile_stars_end_in_bounded_time(void **state)
{
    struct buf b = BUF_INIT(MIB(1));
    static char path[LIMIT_URL];
    struct robots *r;

    (void)state;
    buf_add_z(&b, "User-agent: *\nDisallow: /");
    for (int i = 0; i < 4000; i++)
        buf_add_z(&b, "*a");
    buf_add_z(&b, "b$\n");
    memset(path, 'a', sizeof path);
    path[0] = '/';
    r = robots_parse(buf_str(&b), STR("brood"));
    assert_true(robots_allows(r, (struct str){path, sizeof path}, NULL));
    robots_free(r);
    buf_free(&b);
}

/* ---- any rules against a matcher that is plainly right ------------------------------- */

/* Backtracking over the stars; `$` ends a pattern. */
static bool plainly_matches(const char *pattern, const char *path)
{
    for (; *pattern; pattern++, path++) {
        if (*pattern == '$' && pattern[1] == '\0')
            return *path == '\0';
        if (*pattern == '*') {
            for (; !plainly_matches(pattern + 1, path); path++)
                if (*path == '\0')
                    return false;
            return true;
        }
        if (*pattern != *path)
            return false;
    }
    return true;
}

#define RULES 40

struct plain_rules {
    char patterns[RULES][16];
    bool allow[RULES];
    unsigned count;
};

static unsigned plainly_decides(const struct plain_rules *r, const char *path, bool *ret_allow)
{
    unsigned best = RULES;

    *ret_allow = true;
    for (unsigned i = 0; i < r->count; i++) {
        size_t len = strlen(r->patterns[i]), most = best < RULES ? strlen(r->patterns[best]) : 0;

        if (!plainly_matches(r->patterns[i], path))
            continue;
        if (best == RULES || len > most || (len == most && r->allow[i] && !r->allow[best]))
            best = i;
    }
    if (best < RULES)
        *ret_allow = r->allow[best];
    return best < RULES ? best + 2 : 0; /* its line: the first names the agent */
}

static void draw_text(struct rng *rng, const char *letters, char *out, unsigned most)
{
    unsigned len = (unsigned)rng_below(rng, most);

    *out++ = *letters == '*' && rng_below(rng, 5) == 0 ? '*' : '/';
    for (unsigned i = 0; i < len; i++)
        *out++ = letters[rng_below(rng, strlen(letters))];
    *out = '\0';
}

static void draw_rules(struct rng *rng, struct plain_rules *r, struct buf *file)
{
    buf_clear(file);
    buf_add_z(file, "User-agent: *\n");
    r->count = (unsigned)rng_below(rng, RULES);
    for (unsigned i = 0; i < r->count; i++) {
        draw_text(rng, "**abab/.", r->patterns[i], 8);
        if (rng_below(rng, 6) == 0)
            strcat(r->patterns[i], "$");
        r->allow[i] = rng_below(rng, 2);
        buf_addf(file, "%s: %s\n", r->allow[i] ? "Allow" : "Disallow", r->patterns[i]);
    }
}

static void any_rules_decide_as_a_plain_matcher_says(void **state)
{
    struct buf file = BUF_INIT(KIB(64));
    struct plain_rules plain;
    unsigned decided = 0;
    struct rng rng;

    (void)state;
    rng_init(&rng, 14);
    for (int round = 0; round < 2000; round++) {
        struct robots *r, *again;

        draw_rules(&rng, &plain, &file);
        r = robots_parse(buf_str(&file), STR("brood"));
        again = robots_restore(robots_saved(r));
        assert_non_null(again);
        for (int k = 0; k < 20; k++) {
            unsigned line, want_line;
            bool want;
            char path[32];

            draw_text(&rng, "abab/.", path, 20);
            want_line = plainly_decides(&plain, path, &want);
            if (robots_allows(r, str_of(path), &line) != want || line != want_line)
                fail_msg("%s: line %u decides, not %u, of\n%s", path, want_line, line, file.data);
            assert_int_equal(robots_allows(again, str_of(path), &line), want);
            assert_int_equal(line, want_line);
            decided += line != 0;
        }
        robots_free(r);
        robots_free(again);
    }
    assert_true(decided > 10000);
    buf_free(&file);
}

/* ---- what an answer costs ------------------------------------------------------------ */

/* Files of LIMIT_ROBOTS bytes: `lines` with a number, or with as many letters. */
static struct robots *hostile_rules(const char *line, bool grows)
{
    struct buf b = BUF_INIT(2 * LIMIT_ROBOTS);
    struct robots *r;
    char letters[2001];

    buf_add_z(&b, "User-agent: *\n");
    for (int i = 1; b.len < LIMIT_ROBOTS; i++) {
        memset(letters, 'a', sizeof letters);
        letters[i % 2000] = '\0';
        buf_add_z(&b, line);
        if (grows)
            buf_addf(&b, "%s\n", letters);
        else
            buf_addf(&b, "%d\n", i);
    }
    r = robots_parse(buf_str(&b), STR("brood"));
    buf_free(&b);
    return r;
}

/* Steps are counted, and nothing else is measured. */
static uint64_t robots_steps(const struct robots *r, struct str path)
{
    uint64_t steps = 0;

    (void)robots_allows_counted(r, path, &steps);
    return steps;
}

static void no_rules_make_an_answer_dearer_than_their_ceiling(void **state)
{
    static const struct {
        const char *line;
        bool grows;
    } files[] = {
        {"Allow:/*qz", false},   {"Allow:/*qz\nAllow:/*qz #", false},
        {"Allow:/*a", true},     {"Disallow:/*a*a*", true},
        {"Disallow:/", true},    {"Allow:/a", false},
        {"Disallow:/a*", false}, {"Allow:*$#", true},
    };
    static char path[LIMIT_URL];

    (void)state;
    memset(path, 'a', sizeof path);
    path[0] = '/';
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct robots *r = hostile_rules(files[i].line, files[i].grows);

        for (size_t len = 1; len <= sizeof path; len *= 2) {
            uint64_t steps = robots_steps(r, (struct str){path, len});

            /* Of the machine; of the search; of its way back among nested literals, and the
             * look at the last states. */
            assert_true(steps <= (len + 1) * (LIMIT_ROBOTS_STATES / 64) + len + 16 + 2000 +
                                     LIMIT_ROBOTS_STATES / 2);
        }
        assert_true(robots_bytes(r) < 4 * LIMIT_ROBOTS);
        robots_free(r);
    }
}

static void equal_patterns_are_one_rule(void **state)
{
    struct robots *r = hostile_rules("Allow:/*qz #", false);

    (void)state;
    assert_true(robots_bytes(r) < 1000);
    assert_true(robots_steps(r, STR("/some/path/of/a/page.html")) < 50);
    assert_false(robots_is_widened(r));
    robots_free(r);
}

static void rules_beyond_a_ceiling_forbid_more_and_allow_nothing(void **state)
{
    struct buf b = BUF_INIT(2 * LIMIT_ROBOTS);
    unsigned line;
    struct robots *r;

    (void)state;
    buf_add_z(&b, "User-agent: *\nDisallow: /shop/*x\nAllow: /allowed/*y\nDisallow: /allowed/\n");
    for (int i = 0; i < 1000; i++)
        buf_addf(&b, "Disallow: /some/folder/*a-pattern-that-is-longer-%d\n", i);
    r = robots_parse(buf_str(&b), STR("brood"));
    assert_true(robots_is_widened(r));
    assert_false(robots_allows(r, STR("/shop/"), &line)); /* without what follows the star */
    assert_int_equal(line, 2);
    assert_false(robots_allows(r, STR("/allowed/y"), &line));
    assert_int_equal(line, 4);
    assert_true(robots_allows(r, STR("/other"), NULL));
    robots_free(r);
    buf_free(&b);
}

/* As many as a file can hold: the last one counts as the first does. */
static void every_rule_without_stars_counts(void **state)
{
    struct buf b = BUF_INIT(2 * LIMIT_ROBOTS);
    struct robots *r;
    unsigned line, last = 1;

    (void)state;
    buf_add_z(&b, "User-agent: *\n");
    for (int i = 0; b.len < LIMIT_ROBOTS - 20; i++, last++)
        buf_addf(&b, "Allow:/%x\n", i);
    buf_add_z(&b, "Disallow: /x\n");
    r = robots_parse(buf_str(&b), STR("brood"));
    assert_false(robots_is_widened(r));
    assert_true(robots_allows(r, STR("/none"), NULL));
    assert_false(robots_allows(r, STR("/x"), &line));
    assert_int_equal(line, last + 1);
    assert_true(robots_allows(r, STR("/0"), &line));
    assert_int_equal(line, 2);
    assert_true(robots_steps(r, STR("/1234")) < 100);
    robots_free(r);
    buf_free(&b);
}

static void broken_bytes_are_not_restored(void **state)
{
    struct robots *r = robots_parse(STR("User-agent: *\nDisallow: /a\nSitemap: s\n"), STR("b"));
    struct str bytes = robots_saved(r);
    char copy[4096];
    unsigned restored = 0;

    (void)state;
    assert_true(bytes.len < sizeof copy);
    assert_null(robots_restore((struct str){bytes.ptr, bytes.len - 1}));
    assert_null(robots_restore(STR("")));
    for (size_t i = 0; i < bytes.len; i++) {
        struct robots *again;

        memcpy(copy, bytes.ptr, bytes.len);
        copy[i] = (char)(copy[i] ^ 0x81);
        again = robots_restore((struct str){copy, bytes.len});
        if (again == NULL)
            continue;
        (void)robots_allows(again, STR("/a"), NULL); /* must not read outside */
        (void)robots_sitemap(again, 0);
        robots_free(again);
        restored++;
    }
    assert_true(restored < bytes.len);
    robots_free(r);
}

/* ---- tags --------------------------------------------------------------------------- */

static void tags_are_ours_or_anothers(void **state)
{
    static const struct {
        const char *value;
        unsigned flags;
    } cases[] = {
        {"noindex", ROBOTS_NOINDEX},
        {"NoIndex, NOFOLLOW", ROBOTS_NOINDEX | ROBOTS_NOFOLLOW},
        {"none", ROBOTS_NOINDEX | ROBOTS_NOFOLLOW},
        {"all", 0},
        {"index,follow", 0},
        {"noarchive", ROBOTS_NOARCHIVE},
        {"noindex nofollow", ROBOTS_NOINDEX | ROBOTS_NOFOLLOW},
        {"otherbot: noindex", 0},
        {"otherbot: noindex, nofollow", 0},
        {"otherbot: noindex, brood: nofollow", ROBOTS_NOFOLLOW},
        {"otherbot: noindex\nnofollow", ROBOTS_NOFOLLOW},
        {"otherbot: none\nbrood: noarchive", ROBOTS_NOARCHIVE},
        {"brood: noindex\notherbot: nofollow\n", ROBOTS_NOINDEX},
        {"brood:noindex", ROBOTS_NOINDEX},
        {"nofollow, otherbot: noindex", ROBOTS_NOFOLLOW},
        {"*: noindex", ROBOTS_NOINDEX},
        {"unavailable_after: 25 Jun 2010 15:00:00 PST, noarchive", ROBOTS_NOARCHIVE},
        {"max-snippet:20, noindex", ROBOTS_NOINDEX},
        {"noindexing", 0},
        {"", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(robots_tag(str_of(cases[i].value), STR("brood")), cases[i].flags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_cases_that_the_rfc_decides_hold),
        cmocka_unit_test(real_files_are_read_and_survive_keeping),
        cmocka_unit_test(groups_of_one_token_are_merged),
        cmocka_unit_test(any_end_of_line_and_a_bom_are_fine),
        cmocka_unit_test(a_file_in_utf16_is_read),
        cmocka_unit_test(the_longest_rule_wins_and_allow_wins_ties),
        cmocka_unit_test(stars_and_dollars_are_special),
        cmocka_unit_test(escapes_are_compared_in_one_form),
        cmocka_unit_test(delay_and_sitemaps_are_kept),
        cmocka_unit_test(a_file_is_cut_at_its_ceiling),
        cmocka_unit_test(hostile_stars_end_in_bounded_time),
        cmocka_unit_test(any_rules_decide_as_a_plain_matcher_says),
        cmocka_unit_test(no_rules_make_an_answer_dearer_than_their_ceiling),
        cmocka_unit_test(equal_patterns_are_one_rule),
        cmocka_unit_test(rules_beyond_a_ceiling_forbid_more_and_allow_nothing),
        cmocka_unit_test(every_rule_without_stars_counts),
        cmocka_unit_test(broken_bytes_are_not_restored),
        cmocka_unit_test(tags_are_ours_or_anothers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
