/* feed: RSS and Atom, and the feeds of feedparser's tests. SPDX-License-Identifier: MIT */
#include "vectors.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "parse/feed.h"
#include "parse/mime.h"
#include "parse/plain.h"
#include "parse/url.h"

#include <ftw.h>

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

static enum status parse(const char *text, const char *base, struct feed *ret)
{
    struct url b;

    if (base == NULL)
        return feed_parse(str_of(text), STR(""), NULL, &arena, ret);
    assert_int_equal(url_parse(str_of(base), NULL, &arena, &b), ST_OK);
    return feed_parse(str_of(text), STR(""), &b, &arena, ret);
}

/* ---- one of each kind ------------------------------------------------------------ */

static void rss_gives_entries_with_link_title_text_and_date(void **state)
{
    struct feed f;

    (void)state;
    assert_int_equal(
        parse("<?xml version='1.0'?><rss version='2.0' "
              "xmlns:content='http://purl.org/rss/1.0/modules/content/' "
              "xmlns:media='http://search.yahoo.com/mrss/' "
              "xmlns:atom='http://www.w3.org/2005/Atom'><channel>"
              "<title>Birds &amp;amp; bees</title><link>/</link><language>en-GB</language>"
              "<atom:link rel='self' href='http://h/feed'/><description>All of them</description>"
              "<image><title>no</title></image>"
              "<item><title>An &lt;b&gt;owl&lt;/b&gt;</title><media:title>no</media:title>"
              "<link> /owl?a=1&amp;b=2 </link><description>short</description>"
              "<content:encoded><![CDATA[<p>A long <i>story</i></p><script>x()</script>"
              "<p>of owls&nbsp;&eacute;</p>]]></content:encoded>"
              "<pubDate>Sun, 15 Nov 2026 10:00:00 GMT</pubDate></item>"
              "<item><guid>http://h/guid</guid><description>No title</description></item>"
              "<item><guid isPermaLink='false'>x-1</guid></item>"
              "</channel></rss>",
              "http://h/dir/feed.xml", &f),
        ST_OK);
    assert_int_equal(f.kind, FEED_RSS);
    assert_str(f.title, "Birds & bees");
    assert_str(f.url, "http://h/");
    assert_str(f.text, "All of them");
    assert_str(f.lang, "en-GB");
    assert_int_equal(f.count, 3);
    assert_str(f.entries[0].title, "An owl");
    assert_str(f.entries[0].url, "http://h/owl?a=1&b=2");
    assert_str(f.entries[0].text, "A long story of owls \xc3\xa9");
    assert_int_equal(f.entries[0].date, INT64_C(1794736800) * US_PER_S);
    assert_str(f.entries[1].url, "http://h/guid");
    assert_str(f.entries[2].url, "");
    assert_false(f.cut);
}

static void atom_gives_entries_with_types_and_bases(void **state)
{
    struct feed f;

    (void)state;
    assert_int_equal(
        parse("<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='de' xml:base='http://x/a/'>"
              "<title type='text'>1 &lt; 2 &amp;amp; 3</title><link rel='self' href='self'/>"
              "<link href='home?a&amp;b'/><updated>2026-11-15T10:00:00Z</updated>"
              "<entry xml:base='b/'><title type='html'>&lt;em&gt;T&lt;/em&gt;</title>"
              "<link rel='edit' href='no'/><link rel='alternate' type='text/html' href='e1'/>"
              "<source><title>no</title></source>"
              "<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><p>one</p><p>t"
              "<b>w</b>o</p></div></content>"
              "<published>2026-11-14T10:00:00Z</published><updated>2026-11-15T10:00:00Z</updated>"
              "</entry></feed>",
              "http://h/", &f),
        ST_OK);
    assert_int_equal(f.kind, FEED_ATOM);
    assert_str(f.title, "1 < 2 &amp; 3");
    assert_str(f.url, "http://x/a/home?a&b");
    assert_str(f.lang, "de");
    assert_int_equal(f.count, 1);
    assert_str(f.entries[0].title, "T");
    assert_str(f.entries[0].url, "http://x/a/b/e1");
    assert_str(f.entries[0].text, "one two");
    assert_int_equal(f.entries[0].date, INT64_C(1794650400) * US_PER_S);
}

static void rdf_items_beside_the_channel_are_entries(void **state)
{
    struct feed f;

    (void)state;
    assert_int_equal(
        parse("<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
              "xmlns='http://purl.org/rss/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/'>"
              "<channel><title>C</title><items><rdf:Seq/></items></channel>"
              "<image><title>no</title></image>"
              "<item rdf:about='http://h/1'><title>One</title><dc:date>2026-11-15</dc:date></item>"
              "</rdf:RDF>",
              NULL, &f),
        ST_OK);
    assert_int_equal(f.kind, FEED_RDF);
    assert_str(f.title, "C");
    assert_int_equal(f.count, 1);
    assert_str(f.entries[0].url, "http://h/1");
    assert_true(f.entries[0].date > 0);
}

/* ---- hostile and broken ----------------------------------------------------------- */

static void what_is_no_feed_is_invalid(void **state)
{
    static const char *const bad[] = {
        "",         "   ", "hello", "<html><body>x</body></html>", "<urlset><url/></urlset>",
        "\xff\xfe", "<",   "<!--"};
    struct feed f;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse(bad[i], NULL, &f) != ST_INVALID)
            fail_msg("'%s' was taken for a feed", bad[i]);
}

static void a_broken_feed_gives_what_can_be_read(void **state)
{
    struct feed f;

    (void)state;
    assert_int_equal(parse("<rss><channel><title>A & B</title><item><title>x</title>"
                           "<link>http://h/1?a=1&b=2</link></item>"
                           "<item><title>T&amp;T <br> y</title></item><item><title>z",
                           NULL, &f),
                     ST_OK);
    assert_true(f.cut);
    assert_true(f.count >= 1);
    assert_str(f.entries[0].title, "x");
}

static void entities_of_the_document_are_not_expanded(void **state)
{
    struct buf b = BUF_INIT(MIB(1));
    struct feed f;

    (void)state;
    buf_add_z(&b, "<!DOCTYPE rss [<!ENTITY a0 'lol'><!ENTITY x SYSTEM 'file:///etc/passwd'>");
    for (int i = 1; i < 10; i++)
        buf_addf(&b, "<!ENTITY a%d '&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;'>", i, i - 1, i - 1,
                 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    buf_add_z(&b, "]><rss><channel><title>[&a9;&x;]</title></channel></rss>");
    assert_int_equal(feed_parse(buf_str(&b), STR(""), NULL, &arena, &f), ST_OK);
    assert_str(f.title, "[]");
    buf_free(&b);
}

static void ceilings_cut_and_say_so(void **state)
{
    struct buf b = BUF_INIT(MIB(8));
    struct feed f;

    (void)state;
    buf_add_z(&b, "<rss><channel>");
    for (int i = 0; i < LIMIT_FEED_ENTRIES + 5; i++)
        buf_add_z(&b, "<item><link>http://h/</link></item>");
    buf_add_z(&b, "</channel></rss>");
    assert_int_equal(feed_parse(buf_str(&b), STR(""), NULL, &arena, &f), ST_OK);
    assert_int_equal(f.count, LIMIT_FEED_ENTRIES);
    assert_true(f.cut);
    buf_clear(&b);
    buf_add_z(&b, "<rss><channel><title>");
    for (int i = 0; i < 2000; i++)
        buf_add_z(&b, "\xc3\xa9");
    buf_add_z(&b, "</title></channel></rss>");
    assert_int_equal(feed_parse(buf_str(&b), STR(""), NULL, &arena, &f), ST_OK);
    assert_int_equal(f.title.len, LIMIT_TITLE);
    buf_clear(&b);
    buf_add_z(&b, "<rss>");
    for (int i = 0; i < 100000; i++)
        buf_add_z(&b, "<a>");
    assert_int_equal(feed_parse(buf_str(&b), STR(""), NULL, &arena, &f), ST_OK);
    assert_true(f.cut);
    buf_free(&b);
}

static void a_full_arena_is_a_limit(void **state)
{
    struct arena small;
    struct feed f;

    (void)state;
    arena_init(&small, 128);
    assert_int_equal(feed_parse(STR("<rss><channel><title>long enough to fill what is there, and "
                                    "more than that</title></channel></rss>"),
                                STR(""), NULL, &small, &f),
                     ST_LIMIT);
    arena_free(&small);
}

static void the_charset_of_the_header_wins(void **state)
{
    struct feed f;

    (void)state;
    assert_int_equal(feed_parse(STR("<?xml version='1.0' encoding='utf-8'?><rss><channel>"
                                    "<title>caf\xe9</title></channel></rss>"),
                                STR("iso-8859-1"), NULL, &arena, &f),
                     ST_OK);
    assert_str(f.title, "caf\xc3\xa9");
}

/* ---- feedparser's feeds --------------------------------------------------------------- */

/* A Python string literal at *s ('...' or "...", perhaps after u), as UTF-8. */
static bool python_string(struct str *s, struct buf *out)
{
    char quote;
    size_t i = 1;

    *s = str_trim(*s);
    if (s->len && s->ptr[0] == 'u')
        *s = str_sub(*s, 1, s->len);
    if (s->len < 2 || (s->ptr[0] != '\'' && s->ptr[0] != '"'))
        return false;
    quote = s->ptr[0];
    for (; i < s->len && s->ptr[i] != quote; i++) {
        char utf8[4], c = s->ptr[i];
        size_t digits;
        unsigned cp;

        if (c != '\\' || i + 1 >= s->len) {
            buf_add_char(out, c);
            continue;
        }
        c = s->ptr[++i];
        digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (digits) {
            char hex[9] = "";
            memcpy(hex, str_sub(*s, i + 1, i + 1 + digits).ptr, digits);
            cp = (unsigned)strtoul(hex, NULL, 16);
            buf_add(out, utf8, utf8_put(cp, utf8));
            i += digits;
        } else {
            buf_add_char(out, c == 'n' ? '\n' : c == 't' ? '\t' : c);
        }
    }
    *s = str_sub(*s, i + 1, s->len);
    return true;
}

/* What an expectation speaks of, where it is something we extract. */
static bool subject(struct str what, const struct feed *f, struct str *ret)
{
    static const struct feed_entry nothing;
    const struct feed_entry *e = f->count ? &f->entries[0] : &nothing;
    const struct {
        const char *name;
        struct str value;
    } known[] = {
        {"feed['title']", f->title},
        {"feed['title_detail']['value']", f->title},
        {"feed['description']", f->text},
        {"feed['subtitle']", f->text},
        {"feed['tagline']", f->text},
        {"feed['link']", f->url},
        {"feed['language']", f->lang},
        {"entries[0]['title']", e->title},
        {"entries[0]['title_detail']['value']", e->title},
        {"entries[0]['link']", e->url},
        {"entries[0]['description']", e->text},
        {"entries[0]['summary']", e->text},
        {"entries[0]['content'][0]['value']", e->text},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_eq(what, str_of(known[i].name))) {
            *ret = known[i].value;
            return true;
        }
    return false;
}

static struct {
    unsigned files, checked, good, unread;
} tally;

/* A header line of the opening comment. */
static struct str comment_header(struct str text, const char *name)
{
    size_t at = str_find_i(text, str_of(name), 0), end;

    if (at == SIZE_MAX)
        return STR("");
    at += strlen(name);
    end = str_find_char(text, '\n', at);
    return str_trim(str_sub(text, at, end));
}

/* Compares the first expectation of the comment, where it is about our fields. */
static void check_expectation(const char *path, struct str text, const struct feed *f)
{
    struct str expect = comment_header(text, "Expect:"), got, want;
    struct buf literal = BUF_INIT(KIB(64));
    size_t equals;

    if (str_starts(expect, STR("not bozo and ")))
        expect = str_sub(expect, 13, expect.len);
    else if (str_starts(expect, STR("bozo and ")))
        expect = str_sub(expect, 9, expect.len);
    equals = str_find(expect, STR(" == "), 0);
    if (equals != SIZE_MAX && subject(str_trim(str_sub(expect, 0, equals)), f, &got)) {
        struct str rest = str_sub(expect, equals + 4, expect.len);

        if (python_string(&rest, &literal)) {
            want = plain_text(buf_str(&literal), false, LIMIT_FEED_TEXT, &arena);
            tally.checked++;
            if (str_eq(want, got) || str_eq(plain_text(want, true, LIMIT_FEED_TEXT, &arena), got))
                tally.good++;
            else
                print_message("# differs: %s: %.*s got '%.*s'\n", strstr(path, "feeds/"),
                              STR_ARG(str_sub(expect, 0, 100)), STR_ARG(str_sub(got, 0, 60)));
        }
    }
    buf_free(&literal);
}

static int check_file(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    struct buf b = BUF_INIT(MIB(8));
    struct feed f = {.count = 0};
    struct str text, location;
    struct mime m;
    struct url base;

    (void)st, (void)ftw;
    if (flag != FTW_F || !str_ends(str_of(path), STR(".xml")))
        return 0;
    test_read(path, &b);
    text = str_sub(buf_str(&b), 0, 2000);
    m = mime_parse(comment_header(text, "Content-type:"));
    location = comment_header(text, "Content-Location:");
    if (url_parse(location, NULL, &arena, &base) != ST_OK) /* where feedparser serves them */
        assert_int_equal(url_parse(STR("http://127.0.0.1:8097/"), NULL, &arena, &base), ST_OK);
    tally.files++;
    if (feed_parse(buf_str(&b), m.charset, &base, &arena, &f) != ST_OK) {
        tally.unread++;
        print_message("# no feed to us: %s\n", strstr(path, "feeds/"));
    }
    check_expectation(path, text, &f);
    arena_reset(&arena);
    buf_free(&b);
    return 0;
}

/* What differs: base64 content is not decoded; &lang; is HTML 5's; an unknown
 * reference is dropped; of content and summary only the content is kept; hosts are
 * lowered; C1 controls stay; fullitem is not known. UTF-32 is no encoding of the
 * web. */
static void feeds_of_feedparser_are_read(void **state)
{
    NEED_DATA(path, "feeds");
    char root[4096];

    (void)state;
    (void)snprintf(root, sizeof root, "%s", path);
    assert_int_equal(nftw(root, check_file, 16, FTW_PHYS), 0);
    print_message("# %u files, %u are no feed to us; %u of %u expectations hold\n", tally.files,
                  tally.unread, tally.good, tally.checked);
    assert_true(tally.files > 900);
    assert_true(tally.good * 100 >= tally.checked * 90);
}

static void hubs_and_clouds_and_the_last_change_are_read(void **state)
{
    struct feed f;

    (void)state;
    assert_int_equal(parse("<feed xmlns='http://www.w3.org/2005/Atom'><link rel='hub' href='/hub'/>"
                           "<link rel='self' href='f'/><entry><link rel='hub' href='http://no/'/>"
                           "<link href='a'/><published>2026-01-01T00:00:00Z</published>"
                           "<updated>2026-02-01T00:00:00Z</updated></entry></feed>",
                           "http://x/y/", &f),
                     ST_OK);
    assert_str(f.hub, "http://x/hub");
    assert_str(f.self, "http://x/y/f");
    assert_true(f.entries[0].changed > f.entries[0].date);
    assert_int_equal(parse("<rss><channel><cloud domain='c.example' port='5337' path='/rpc' "
                           "registerProcedure='' protocol='http-post'/><item/></channel></rss>",
                           "http://x/", &f),
                     ST_OK);
    assert_str(f.cloud, "http://c.example:5337/rpc");
    assert_int_equal(f.hub.len, 0);
    assert_int_equal(parse("<rss><channel><cloud domain='c.example' port='80' path='/RPC2' "
                           "protocol='xml-rpc'/></channel></rss>",
                           "http://x/", &f),
                     ST_OK);
    assert_int_equal(f.cloud.len, 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fresh_arena, free_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(rss_gives_entries_with_link_title_text_and_date),
        T(atom_gives_entries_with_types_and_bases),
        T(rdf_items_beside_the_channel_are_entries),
        T(hubs_and_clouds_and_the_last_change_are_read),
        T(what_is_no_feed_is_invalid),
        T(a_broken_feed_gives_what_can_be_read),
        T(entities_of_the_document_are_not_expanded),
        T(ceilings_cut_and_say_so),
        T(a_full_arena_is_a_limit),
        T(the_charset_of_the_header_wins),
        T(feeds_of_feedparser_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
