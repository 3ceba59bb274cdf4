/* test_page.c - from a payload to a page. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/page/page.h"

#include <stdlib.h>

/* ---- what every test needs ----------------------------------------------------- */

struct fixture {
    struct page_parser *parser;
    struct arena arena;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    f->parser = page_parser_new();
    arena_init(&f->arena, LIMIT_PAGE_ARENA);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    page_parser_free(f->parser);
    arena_free(&f->arena);
    free(f);
    return 0;
}

#define URL "http://example.org/dir/page.html"

static const struct page *parse_input(struct fixture *f, struct page_input in)
{
    const struct page *page = NULL;
    /* An exact copy, so that a read behind the end is seen. */
    char *copy = malloc(in.payload.len ? in.payload.len : 1);

    if (in.payload.len)
        memcpy(copy, in.payload.ptr, in.payload.len);
    in.payload.ptr = copy;
    if (in.url.len == 0)
        in.url = STR(URL);
    if (page_parse(f->parser, &in, &f->arena, &page) != DROP_NONE)
        page = NULL;
    free(copy); /* nothing of the page may point into the payload */
    return page;
}

static const struct page *parse_as(struct fixture *f, struct str payload, const char *type)
{
    const struct page *page =
        parse_input(f, (struct page_input){.payload = payload, .content_type = str_of(type)});

    assert_non_null(page);
    return page;
}

static const struct page *parse(struct fixture *f, const char *html)
{
    return parse_as(f, str_of(html), "text/html; charset=utf-8");
}

/* The words of a span, each followed by a space, as an assertion. */
static void assert_words(const struct page *page, struct span span, const char *want)
{
    struct buf b = BUF_INIT(KIB(64));

    assert_true(span.from <= span.to && span.to <= page->nwords);
    for (uint32_t i = span.from; i < span.to; i++)
        buf_addf(&b, "%.*s ", page->words[i].len, page->text.ptr + page->words[i].off);
    assert_str(buf_str(&b), want);
    buf_free(&b);
}

static const struct link *link_to(const struct page *page, const char *url)
{
    for (uint32_t i = 0; i < page->nlinks; i++)
        if (str_eq(page->links[i].url, str_of(url)))
            return &page->links[i];
    fail_msg("no link to %s", url);
    return NULL;
}

static struct str path_of(const struct page *page, const struct link *l)
{
    assert_true(l->tag_path < page->ntag_paths);
    return page->tag_paths[l->tag_path];
}

/* ---- text ------------------------------------------------------------------------ */

static void title_text_and_language_are_found(void **state)
{
    const struct page *page =
        parse(*state, "<!doctype html><html lang=de_AT><head><title> A &amp;\n B </title></head>"
                      "<body><h1>Head</h1><p>One&nbsp;two\n three.<p>Four</body></html>");

    assert_int_equal(page->kind, PAGE_HTML);
    assert_str(page->title, "A & B");
    assert_str(page->lang, "de-at");
    assert_str(page->charset, "UTF-8");
    assert_str(page->text, "Head\nOne two three.\nFour");
    assert_words(page, (struct span){0, page->nwords}, "Head One two three Four ");
    assert_false(page->cut);
}

static void inline_elements_do_not_split_words(void **state)
{
    const struct page *page =
        parse(*state, "<p>un<b>bro</b>ken<span> w</span>ord<br>next<td>cell</td><td>two</td>"
                      "do<i>n'</i>t");

    assert_str(page->text, "unbroken word\nnext cell two don't");
    assert_words(page, (struct span){0, page->nwords}, "unbroken word next cell two don't ");
}

static void what_is_hidden_gives_no_text(void **state)
{
    const struct page *page = parse(
        *state, "<head><style>p{}</style><script>a<b</script></head><body style='display:none'>a"
                "<script>document.write('<p>')</script><template>t</template><noscript>n</noscript>"
                "<div hidden>h <p>h</div><div style='color:red; DISPLAY : none'>d</div>"
                "<span aria-hidden=true>i</span><select><option>o</select><textarea><b></textarea>"
                "<svg><title>s</title><text>s</text></svg><dialog>d</dialog><iframe>f</iframe>"
                "<!-- comment -->b<dialog open>c</dialog>");

    assert_str(page->text, "a\nb\nc");
    assert_int_equal(page->title.len, 0);
}

static void an_open_svg_does_not_swallow_the_page(void **state)
{
    const struct page *page = parse(*state, "<svg><path d=x><p>seen</p><a href=x>y</a>");

    assert_str(page->text, "seen\ny");
}

static void a_long_title_is_cut_between_characters(void **state)
{
    struct buf b = BUF_INIT(KIB(16));
    const struct page *page;

    buf_add_z(&b, "<title>x");
    for (int i = 0; i < 1000; i++)
        buf_add_z(&b, "\xe2\x82\xac");
    buf_add_z(&b, "</title>");
    page = parse_as(*state, buf_str(&b), "text/html");
    assert_int_equal(page->title.len, LIMIT_TITLE);
    buf_clear(&b);
    buf_add_z(&b, "<title>");
    for (int i = 0; i < 1000; i++)
        buf_add_z(&b, "\xe2\x82\xac");
    page = parse_as(*state, buf_str(&b), "text/html");
    assert_int_equal(page->title.len, LIMIT_TITLE - 1);
    buf_free(&b);
}

static void encodings_are_read(void **state)
{
    const struct page *page = parse_as(*state, STR("<title>caf\xe9</title>\x93na\xefve\x94"),
                                       "text/html; charset=latin1");

    assert_str(page->charset, "windows-1252");
    assert_str(page->title, "caf\xc3\xa9");
    assert_str(page->text, "\xe2\x80\x9cna\xc3\xafve\xe2\x80\x9d");
    page = parse_as(*state, STR("\xff\xfe<\0p\0>\0h\0i\0"), "text/html");
    assert_str(page->charset, "UTF-16LE");
    assert_str(page->text, "hi");
    page = parse_as(*state, STR("a\xff\xfe b"), "text/html; charset=utf-8");
    assert_str(page->text, "a\xef\xbf\xbd\xef\xbf\xbd b");
}

/* ---- what the page says of itself --------------------------------------------------- */

static void the_head_is_read(void **state)
{
    const struct page *page =
        parse(*state, "<meta name=Robots content='noindex, nofollow'><meta name=brood "
                      "content=noarchive><meta http-equiv=Content-Language content='fr, en'>"
                      "<link rel='canonical' href='/real?utm_source=x#frag'>");

    assert_int_equal(page->robots, ROBOTS_NOINDEX | ROBOTS_NOFOLLOW | ROBOTS_NOARCHIVE);
    assert_str(page->lang, "fr");
    assert_str(page->canonical, "http://example.org/real");
    assert_int_equal(link_to(page, "http://example.org/real")->kind, LINK_CANONICAL);
}

static void header_fields_count_where_the_page_is_silent(void **state)
{
    const struct page *page = parse_input(
        *state,
        (struct page_input){.payload = STR("<p>x"),
                            .content_language = STR("pt-BR"),
                            .link_header = STR("<next>; rel=\"next\", </feed>; rel=alternate;"
                                               " type=application/rss+xml, <a>; rel=x"),
                            .content_type = STR("text/html")});

    assert_str(page->lang, "pt-br");
    assert_int_equal(page->nlinks, 2);
    assert_int_equal(link_to(page, "http://example.org/dir/next")->kind, LINK_NEXT);
    assert_int_equal(link_to(page, "http://example.org/feed")->kind, LINK_ALTERNATE);
    assert_str(path_of(page, &page->links[0]), "");
}

static int64_t day(int year, int month, int day_of_month)
{
    return clock_days(year, month, day_of_month) * 86400 * US_PER_S;
}

static void check_date(void **state, const char *html, const char *url, const char *modified,
                       int64_t want, enum date_source source)
{
    const struct page *page =
        parse_input(*state, (struct page_input){.payload = str_of(html),
                                                .url = str_of(url),
                                                .content_type = STR("text/html"),
                                                .last_modified = str_of(modified),
                                                .now = day(2026, 1, 1)});

    assert_non_null(page);
    assert_int_equal(page->date, want);
    assert_int_equal(page->date_source, source);
}

#define MODIFIED "Thu, 02 Jan 2020 00:00:00 GMT"

static void the_most_trusted_date_wins(void **state)
{
    check_date(state, "<p>x", URL, NULL, 0, DATE_NONE);
    check_date(state, "<p>x", URL, MODIFIED, day(2020, 1, 2), DATE_MODIFIED);
    check_date(state, "<p>x", "http://a.example/2021/03/04/x", MODIFIED, day(2021, 3, 4), DATE_URL);
    check_date(state, "<time datetime=2019-05-06>x</time>", URL, MODIFIED, day(2019, 5, 6),
               DATE_TIME);
    check_date(state,
               "<time datetime=2001-01-01></time><time itemprop=datePublished "
               "datetime=2019-05-07>x</time>",
               "http://a.example/2021/03/04/x", MODIFIED, day(2019, 5, 7), DATE_META);
    check_date(state,
               "<meta property='article:modified_time' content=2022-01-01><meta "
               "property=article:published_time content='2018-01-02T00:00:00Z'>",
               URL, MODIFIED, day(2018, 1, 2), DATE_META);
    check_date(state,
               "<script type='application/ld+json'>{\"dateModified\": \"2017-02-03\",\n"
               "\"x\": 1, \"datePublished\" :\n \"2016-02-03\"}</script>",
               URL, MODIFIED, day(2016, 2, 3), DATE_META);
}

static void dates_in_the_future_are_not_believed(void **state)
{
    check_date(state, "<meta name=date content=2031-01-01>", URL, MODIFIED, day(2020, 1, 2),
               DATE_MODIFIED);
}

/* ---- links ----------------------------------------------------------------------------- */

static void links_are_absolute_normalised_and_in_order(void **state)
{
    const struct page *page =
        parse(*state, "<a href='b?x=1&amp;y=2#f'>1</a><a HREF=' /c '>2</a><area href=//h.example/d>"
                      "<iframe src=e></iframe><meta http-equiv=refresh content='0;url=\"f\"'>"
                      "<a href='mailto:x@y.example'>m</a><a href='javascript:x()'>j</a>"
                      "<a href='#here'>h</a><a name=n>n</a><a href=b?x=1&amp;y=2>again</a>"
                      "<link rel=stylesheet href=s.css><link rel=alternate hreflang=de href=g>");
    static const struct {
        const char *url;
        enum link_kind kind;
    } want[] = {
        {"http://example.org/dir/b?x=1&y=2", LINK_A},
        {"http://example.org/c", LINK_A},
        {"http://h.example/d", LINK_A},
        {"http://example.org/dir/e", LINK_FRAME},
        {"http://example.org/dir/f", LINK_REFRESH},
        {"http://example.org/dir/b?x=1&y=2", LINK_A},
        {"http://example.org/dir/g", LINK_ALTERNATE},
    };

    assert_int_equal(page->nlinks, sizeof want / sizeof *want);
    for (uint32_t i = 0; i < page->nlinks; i++) {
        assert_str(page->links[i].url, want[i].url);
        assert_int_equal(page->links[i].kind, want[i].kind);
        assert_int_equal(page->links[i].url.ptr[page->links[i].url.len], '\0');
    }
    assert_true(page->links[0].key == page->links[5].key);
    assert_str(page->base, URL);
}

static void a_base_counts_for_links_before_it_too(void **state)
{
    const struct page *page =
        parse(*state, "<a href=x>1</a><base href='/b/'><base href=/ignored/><a href='#y'>2</a>");

    assert_str(page->base, "http://example.org/b/");
    assert_str(page->links[0].url, "http://example.org/b/x");
    page = parse(*state, "<base href='mailto:x'><a href=x>1</a>");
    assert_str(page->links[0].url, "http://example.org/dir/x");
}

static void anchors_are_the_words_inside(void **state)
{
    const struct page *page =
        parse(*state, "<p>before <a href=a>two words</a> pre<a href=b>fix o</a>f "
                      "<a href=c><img alt='an &quot;image&quot;'></a><a href=d></a>"
                      "<img alt='no link'></p><a href=e>open <p>to the end");

    assert_words(page, link_to(page, "http://example.org/dir/a")->anchor, "two words ");
    assert_words(page, link_to(page, "http://example.org/dir/b")->anchor, "prefix of ");
    assert_words(page, link_to(page, "http://example.org/dir/c")->anchor, "an image ");
    assert_words(page, link_to(page, "http://example.org/dir/d")->anchor, "");
    assert_words(page, link_to(page, "http://example.org/dir/e")->anchor, "open to the end ");
}

static void rel_becomes_flags(void **state)
{
    const struct page *page =
        parse(*state, "<a href=a rel='NoFollow me'>x</a><a href=b rel='sponsored&#32;x'>x</a>"
                      "<a href=c rel=prev>x</a><a href=d rel=nofollower>x</a>"
                      "<a href=e rel='ugc nofollow'>x</a>");

    assert_int_equal(page->links[0].rel, REL_NOFOLLOW);
    assert_int_equal(page->links[2].rel, REL_NEXT);
    assert_int_equal(page->links[3].rel, 0);
    assert_int_equal(page->links[4].rel, REL_NOFOLLOW | REL_UGC);
}

static void links_in_hidden_places_count_but_not_in_templates(void **state)
{
    const struct page *page = parse(*state, "<div hidden><a href=a>x</a></div><noscript><a href=b>"
                                            "x</a></noscript><template><a href=c>x</a></template>"
                                            "<svg><a xlink:href=d><text>x</text></a></svg>");

    assert_int_equal(page->nlinks, 3);
    assert_words(page, link_to(page, "http://example.org/dir/a")->anchor, "");
    link_to(page, "http://example.org/dir/b");
    link_to(page, "http://example.org/dir/d");
}

static void check_path(void **state, const char *html, const char *want)
{
    const struct page *page = parse(*state, html);
    const struct link *last = &page->links[page->nlinks - 1];

    assert_str(path_of(page, last), want);
}

static void tag_paths_know_implied_end_tags(void **state)
{
    check_path(state, "<a href=x>", "html body a");
    check_path(state, "<html><head><title>t</title><body><ul><li>a<li>b<li><a href=x>",
               "html body ul li a");
    check_path(state, "<p>a<p>b<div><p>c<ul><li><p>d<li><a href=x>", "html body div ul li a");
    check_path(state, "<table><tr><td>a<td>b<tr><th>c<td><p>e<td><a href=x>",
               "html body table tr td a");
    check_path(state, "<table><tbody><tr><td><table><tr><td>in</table><td><a href=x>",
               "html body table tbody tr td a");
    check_path(state, "<dl><dt>a<dd>b<dt><a href=x>", "html body dl dt a");
    check_path(state, "<div><span><b>x</div><a href=x>", "html body a");
    check_path(state, "<table><tr><td></div></p></td><td><a href=x>", "html body table tr td a");
    check_path(state, "<a href=y>x<a href=x>", "html body a");
    check_path(state, "<b><p>x</b><a href=x>", "html body p a");
    check_path(state, "<My-Element><a href=x>", "html body my-element a");
    check_path(state, "<h1>x<h2><a href=x>", "html body h2 a");
    check_path(state, "<br><img><input><hr><a href=x>", "html body a");
    check_path(state, "</p></div></table><em><a href=x>", "html body em a");
    check_path(state, "<frameset><frame src=x>", "html frameset frame");
    check_path(state, "<head><link rel=next href=x>", "html head link");
}

static void equal_tag_paths_are_stored_once(void **state)
{
    const struct page *page = parse(*state, "<ul><li><a href=a>x</a><li><a href=b>x</a></ul><p>"
                                            "<a href=c>x</a>");

    assert_int_equal(page->ntag_paths, 2);
    assert_int_equal(page->links[0].tag_path, page->links[1].tag_path);
    assert_int_not_equal(page->links[0].tag_path, page->links[2].tag_path);
}

/* n words w0 w1 ... */
static void add_words(struct buf *b, const char *stem, int n)
{
    for (int i = 0; i < n; i++)
        buf_addf(b, "%s%d ", stem, i);
}

static void the_window_has_half_its_words_on_each_side(void **state)
{
    struct buf b = BUF_INIT(KIB(16));
    const struct page *page;
    const struct link *l;

    add_words(&b, "a", 50);
    buf_add_z(&b, "<a href=x>in here</a> ");
    add_words(&b, "b", 50);
    buf_add_z(&b, "<a href=y>last</a>");
    page = parse_as(*state, buf_str(&b), "text/html");
    l = link_to(page, "http://example.org/dir/x");
    assert_int_equal(l->anchor.from - l->window.from, LINK_WINDOW / 2);
    assert_int_equal(l->window.to - l->anchor.to, LINK_WINDOW / 2);
    l = link_to(page, "http://example.org/dir/y");
    assert_int_equal(l->window.to, page->nwords);
    buf_free(&b);
}

static void the_node_is_the_nearest_ancestor_with_words_enough(void **state)
{
    struct buf b = BUF_INIT(KIB(16));
    const struct page *page;
    const struct link *l;

    buf_add_z(&b, "<div>out <section>");
    add_words(&b, "s", 25);
    buf_add_z(&b, "<p>few <i><a href=x>words</a></i></p></section></div><p>");
    add_words(&b, "p", 30);
    buf_add_z(&b, "<a href=y>long</a>");
    page = parse_as(*state, buf_str(&b), "text/html");
    l = link_to(page, "http://example.org/dir/x");
    assert_int_equal(l->node.from, 1);
    assert_int_equal(l->node.to, 1 + 25 + 2);
    l = link_to(page, "http://example.org/dir/y");
    assert_int_equal(l->node.from, 28);
    assert_int_equal(l->node.to, page->nwords);
    buf_free(&b);
}

static void assert_reach(struct reach got, unsigned before, unsigned after)
{
    assert_int_equal(got.before, before);
    assert_int_equal(got.after, after);
}

/* Around the anchor "in here": p of 2 + 10, section of 12 + 10, div of 22 + 30 words. */
static void nodes_of_10_20_and_40_words_are_found_in_one_climb(void **state)
{
    struct buf b = BUF_INIT(KIB(16));
    const struct page *page;
    const struct link *l;

    buf_add_z(&b, "<div>");
    add_words(&b, "d", 30);
    buf_add_z(&b, "<section>");
    add_words(&b, "s", 4);
    buf_add_z(&b, "<p>");
    add_words(&b, "p", 7);
    buf_add_z(&b, "<a href=x>in here</a> ");
    add_words(&b, "q", 3);
    buf_add_z(&b, "</p>");
    add_words(&b, "t", 6);
    buf_add_z(&b, "</section></div>");
    page = parse_as(*state, buf_str(&b), "text/html");
    l = link_to(page, "http://example.org/dir/x");
    assert_reach(l->node10, 7, 3);
    assert_int_equal(l->node.from, 30); /* 30 + 4 + 7 words are before the anchor: 41 - 4 - 7 */
    assert_int_equal(l->node.to, 30 + 22);
    assert_reach(l->node40, 41, 3 + 6);
    buf_free(&b);
}

/* 9 words are not 10; a body of 9 is all there is; one of 201 is too large; and a node
 * that closes inside the anchor still holds all of it. */
static void nodes_of_other_sizes_end_at_the_body(void **state)
{
    struct buf b = BUF_INIT(KIB(64));
    const struct page *page = parse(*state, "<p>a b c <a href=x>d</a> e f g h</p>");

    assert_reach(page->links[0].node10, 3, 4);
    assert_reach(page->links[0].node40, 3, 4);
    page = parse(*state, "<div>z<p>a b c d <a href=x>e</a> f g h i</p></div>");
    assert_reach(page->links[0].node10, 5, 4);
    page = parse(*state, "<p><b>a b c d e f g h i j <a href=x>k l</b> m n o</a>");
    assert_reach(page->links[0].node10, 10, 0);

    add_words(&b, "w", 100);
    buf_add_z(&b, "<p>a b c d e f g h i <a href=x>j</a></p>");
    add_words(&b, "w", 91);
    page = parse_as(*state, buf_str(&b), "text/html");
    assert_reach(page->links[0].node10, 9, 0);
    assert_reach(page->links[0].node40, REACH_NONE, REACH_NONE);
    buf_free(&b);
}

static void a_node_too_large_gives_way_to_the_window(void **state)
{
    struct buf b = BUF_INIT(KIB(64));
    const struct page *page;

    buf_add_z(&b, "<body>");
    add_words(&b, "w", 150);
    buf_add_z(&b, "<a href=x>x</a>");
    add_words(&b, "w", 150);
    page = parse_as(*state, buf_str(&b), "text/html");
    assert_memory_equal(&page->links[0].node, &page->links[0].window, sizeof(struct span));
    buf_clear(&b);
    buf_add_z(&b, "<ul>");
    for (int i = 0; i < 15; i++)
        buf_addf(&b, "<li><a href=%d>two words</a>", i);
    page = parse_as(*state, buf_str(&b), "text/html");
    for (uint32_t i = 0; i < page->nlinks; i++)
        assert_memory_equal(&page->links[i].node, &page->links[i].window, sizeof(struct span));
    page = parse(*state, "<p>few <a href=x>words</a> only</p><p>here");
    assert_words(page, page->links[0].node, "few words only here ");
    buf_free(&b);
}

/* ---- other documents ---------------------------------------------------------------------- */

static void feeds_become_pages_of_links(void **state)
{
    const struct page *page = parse_as(
        *state,
        STR("<?xml version='1.0'?><rss version='2.0'><channel><title>The feed</title>"
            "<link>http://example.org/</link><language>en-GB</language>"
            "<item><title>First entry</title><link>http://example.org/1</link><description>Some "
            "text</description></item><item><title>Second</title><link>/2</link></item>"
            "</channel></rss>"),
        "application/rss+xml");

    assert_int_equal(page->kind, PAGE_FEED);
    assert_str(page->title, "The feed");
    assert_str(page->lang, "en-gb");
    assert_int_equal(page->nlinks, 2);
    assert_str(page->links[0].url, "http://example.org/1");
    assert_int_equal(page->links[0].kind, LINK_FEED);
    assert_words(page, page->links[0].anchor, "First entry ");
    assert_words(page, page->links[0].node, "First entry Some text ");
    assert_str(page->links[1].url, "http://example.org/2");
    assert_str(path_of(page, &page->links[1]), "feed entry");
}

static void sitemaps_become_pages_of_links(void **state)
{
    const struct page *page = parse_as(
        *state,
        STR("<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
            "<url><loc>http://example.org/1</loc></url><url><loc>http://example.org/2</loc>"
            "<lastmod>1970-01-02</lastmod></url></urlset>"),
        "application/xml");

    assert_int_equal(page->kind, PAGE_SITEMAP);
    assert_int_equal(page->nlinks, 2);
    assert_int_equal(page->links[1].kind, LINK_SITEMAP);
    assert_str(page->links[1].url, "http://example.org/2");
    assert_int_equal(page->link_changes[0], 0);
    assert_int_equal(page->link_changes[1], INT64_C(86400000000));
    page = parse_as(*state, STR("http://example.org/a\nhttp://example.org/b\n"), "text/plain");
    assert_int_equal(page->kind, PAGE_SITEMAP);
    assert_int_equal(page->nlinks, 2);
}

static void plain_text_stays_text(void **state)
{
    const struct page *page =
        parse_as(*state, STR("Some <b>text</b> &amp;\n\n  more\r\n"), "text/plain");

    assert_int_equal(page->kind, PAGE_TEXT);
    assert_str(page->text, "Some <b>text</b> &amp;\nmore");
    assert_int_equal(page->nlinks, 0);
}

static void what_is_no_document_is_refused(void **state)
{
    struct page_input in = {.payload = STR("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
                            .content_type = STR("image/png")};

    assert_null(parse_input(*state, in));
    assert_false(page_wants_type(STR("image/png")));
    assert_false(page_wants_type(STR("application/zip")));
    assert_true(page_wants_type(STR("text/html; charset=x")));
    assert_true(page_wants_type(STR("application/atom+xml")));
    assert_true(page_wants_type(STR("")));
}

/* ---- long documents --------------------------------------------------------------------------- */

/* Every URL of the page is `front` and its number. */
static void assert_numbered(const struct page *page, const char *front, uint32_t count)
{
    struct buf want = BUF_INIT(LIMIT_URL);

    assert_int_equal(page->nlinks, count);
    for (uint32_t i = 0; i < count; i++) {
        buf_clear(&want);
        buf_addf(&want, "%s%u", front, i);
        if (!str_eq(page->links[i].url, buf_str(&want)))
            fail_msg("link %u is %.200s", i, page->links[i].url.ptr);
    }
    buf_free(&want);
}

#define LONG_FRONT \
    "http://example.org/articles/of-some-length/that-fill-a-megabyte-before-they-end/number-"

static void a_sitemap_gives_as_many_links_as_the_protocol_allows(void **state)
{
    static const uint32_t counts[] = {9000, LIMIT_SITEMAP_URLS};
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        struct buf b = BUF_INIT(MIB(16));
        const struct page *page;

        buf_add_z(&b, "<urlset>");
        for (uint32_t k = 0; k < counts[i]; k++)
            buf_addf(&b, "<url><loc>" LONG_FRONT "%u</loc></url>\n", k);
        buf_add_z(&b, "</urlset>");
        page = parse_as(f, buf_str(&b), "application/xml");
        assert_false(page->cut);
        assert_numbered(page, LONG_FRONT, counts[i]);
        arena_reset(&f->arena);
        buf_free(&b);
    }
}

static void a_long_feed_gives_all_its_links(void **state)
{
    struct buf b = BUF_INIT(MIB(16));
    const struct page *page;

    buf_add_z(&b, "<rss><channel><title>t</title>");
    for (uint32_t i = 0; i < LIMIT_FEED_ENTRIES; i++)
        buf_addf(&b, "<item><title>n %u</title><link>" LONG_FRONT "%u</link></item>\n", i, i);
    buf_add_z(&b, "</channel></rss>");
    page = parse_as(*state, buf_str(&b), "application/rss+xml");
    assert_numbered(page, LONG_FRONT, LIMIT_FEED_ENTRIES);
    buf_free(&b);
}

static void a_long_base_counts_for_ten_thousand_links(void **state)
{
    struct buf front = BUF_INIT(LIMIT_URL), b = BUF_INIT(MIB(16));
    const struct page *page;

    buf_add_z(&front, "http://example.org/");
    while (front.len < LIMIT_URL - 50)
        buf_add_z(&front, "folder/");
    buf_addf(&b, "<base href='%s'>", front.data);
    for (uint32_t i = 0; i < LIMIT_LINKS; i++)
        buf_addf(&b, "<a href=%u>x</a>\n", i);
    page = parse_as(*state, buf_str(&b), "text/html");
    assert_numbered(page, front.data, LIMIT_LINKS);
    buf_free(&b);
    buf_free(&front);
}

static void a_refresh_behind_many_links_keeps_its_target(void **state)
{
    struct buf b = BUF_INIT(MIB(16));
    const struct page *page;

    for (uint32_t i = 0; i < LIMIT_LINKS - 1; i++)
        buf_addf(&b, "<a href=" LONG_FRONT LONG_FRONT "%u>x</a>\n", i);
    buf_add_z(&b, "<meta http-equiv=refresh content='0; url=/here'>");
    page = parse_as(*state, buf_str(&b), "text/html");
    assert_int_equal(page->nlinks, LIMIT_LINKS);
    assert_int_equal(link_to(page, "http://example.org/here")->kind, LINK_REFRESH);
    buf_free(&b);
}

/* ---- hostile documents ---------------------------------------------------------------------- */

static void more_links_than_the_ceiling_are_cut(void **state)
{
    struct buf b = BUF_INIT(MIB(8));
    const struct page *page;

    for (int i = 0; i < LIMIT_LINKS + 500; i++)
        buf_addf(&b, "<a href=%d>%d</a> ", i, i);
    page = parse_as(*state, buf_str(&b), "text/html");
    assert_int_equal(page->nlinks, LIMIT_LINKS);
    assert_true(page->cut);
    buf_free(&b);
}

static void deep_nesting_is_survived(void **state)
{
    struct buf b = BUF_INIT(MIB(8));
    const struct page *page;

    for (int i = 0; i < 100000; i++)
        buf_add_z(&b, i % 2 ? "<div>" : "<table>");
    buf_add_z(&b, "<a href=deep>deep</a>");
    for (int i = 0; i < 100000; i++)
        buf_add_z(&b, i % 2 ? "</table>" : "</div>");
    buf_add_z(&b, "<p><a href=after>after</a>");
    page = parse_as(*state, buf_str(&b), "text/html");
    assert_true(page->cut);
    link_to(page, "http://example.org/dir/deep");
    assert_words(page, link_to(page, "http://example.org/dir/after")->anchor, "after ");
    buf_free(&b);
}

static void more_words_than_the_ceiling_are_cut(void **state)
{
    struct buf b = BUF_INIT(MIB(16));
    const struct page *page;

    for (int i = 0; i < LIMIT_WORDS / 10 + 10; i++)
        buf_add_z(&b, "a b c d e f g h i j\n<br>");
    buf_add_z(&b, "<a href=x>x</a>");
    page = parse_as(*state, buf_str(&b), "text/html");
    assert_int_equal(page->nwords, LIMIT_WORDS);
    assert_true(page->cut);
    assert_true(page->links[0].window.to <= page->nwords);
    buf_free(&b);
}

static void one_endless_word_with_tags_in_it_takes_no_endless_time(void **state)
{
    struct buf b = BUF_INIT(MIB(16));
    const struct page *page;

    for (int i = 0; i < 300000; i++)
        buf_add_z(&b, "ab<i></i>");
    page = parse_as(*state, buf_str(&b), "text/html");
    assert_int_equal(page->text.len, 600000);
    buf_free(&b);
}

static void a_small_arena_cuts_instead_of_failing(void **state)
{
    struct fixture *f = *state;
    struct page_input in = {.payload = STR("<title>t</title><p>some words <a href=x>here</a>"),
                            .url = STR(URL),
                            .content_type = STR("text/html")};

    for (size_t max = 0; max < 4096; max += 16) {
        const struct page *page = NULL;
        struct arena small;

        arena_init(&small, max);
        if (page_parse(f->parser, &in, &small, &page) == DROP_NONE)
            assert_true(page->cut || page->nlinks == 1);
        arena_free(&small);
    }
}

static void a_parser_forgets_the_page_before(void **state)
{
    const char *odd = "<html lang=xx><title>old</title><base href=/old/><div hidden><svg><template>"
                      "<ul><li><a href=old>old";
    const struct page *page;

    parse(*state, odd);
    page = parse(*state, "<p>new <a href=x>words</a>");
    assert_str(page->text, "new words");
    assert_int_equal(page->title.len + page->lang.len, 0);
    assert_int_equal(page->nlinks, 1);
    assert_str(page->links[0].url, "http://example.org/dir/x");
    assert_str(path_of(page, &page->links[0]), "html body p a");
}

static void list_has_two_words_of_five_in_links(void **state)
{
    assert_true(page_is_list(parse(*state, "see <a href=1>one two</a> and more")));
    assert_false(page_is_list(parse(*state, "see <a href=1>one two</a> and much more")));
    assert_false(page_is_list(parse(*state, "<a href=1><img src=2></a>")));
}

static void empty_pages_are_pages(void **state)
{
    const struct page *page = parse_as(*state, STR(""), "text/html");

    assert_int_equal(page->nwords + page->nlinks + page->text.len, 0);
    page = parse(*state, "<");
    assert_str(page->text, "<");
    page = parse(*state, "<script>");
    assert_int_equal(page->text.len, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(title_text_and_language_are_found),
        TEST(list_has_two_words_of_five_in_links),
        TEST(inline_elements_do_not_split_words),
        TEST(what_is_hidden_gives_no_text),
        TEST(an_open_svg_does_not_swallow_the_page),
        TEST(a_long_title_is_cut_between_characters),
        TEST(encodings_are_read),
        TEST(the_head_is_read),
        TEST(header_fields_count_where_the_page_is_silent),
        TEST(the_most_trusted_date_wins),
        TEST(dates_in_the_future_are_not_believed),
        TEST(links_are_absolute_normalised_and_in_order),
        TEST(a_base_counts_for_links_before_it_too),
        TEST(anchors_are_the_words_inside),
        TEST(rel_becomes_flags),
        TEST(links_in_hidden_places_count_but_not_in_templates),
        TEST(tag_paths_know_implied_end_tags),
        TEST(equal_tag_paths_are_stored_once),
        TEST(the_window_has_half_its_words_on_each_side),
        TEST(the_node_is_the_nearest_ancestor_with_words_enough),
        TEST(nodes_of_10_20_and_40_words_are_found_in_one_climb),
        TEST(nodes_of_other_sizes_end_at_the_body),
        TEST(a_node_too_large_gives_way_to_the_window),
        TEST(feeds_become_pages_of_links),
        TEST(sitemaps_become_pages_of_links),
        TEST(plain_text_stays_text),
        TEST(what_is_no_document_is_refused),
        TEST(a_sitemap_gives_as_many_links_as_the_protocol_allows),
        TEST(a_long_feed_gives_all_its_links),
        TEST(a_long_base_counts_for_ten_thousand_links),
        TEST(a_refresh_behind_many_links_keeps_its_target),
        TEST(more_links_than_the_ceiling_are_cut),
        TEST(deep_nesting_is_survived),
        TEST(more_words_than_the_ceiling_are_cut),
        TEST(one_endless_word_with_tags_in_it_takes_no_endless_time),
        TEST(a_small_arena_cuts_instead_of_failing),
        TEST(a_parser_forgets_the_page_before),
        TEST(empty_pages_are_pages),
    };

    return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
