/* test_page.c - from a payload to a page: its text, what it says of itself, other documents, and
 * what is long or hostile. SPDX-License-Identifier: MIT */
#include "page_fixture.h"

#include "base/mem.h"
#include "base/os/clock.h"
#include "base/rng.h"

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

/* Text far from the end of the input is copied sixteen bytes at a time. */
static void text_does_not_depend_on_what_follows(void **state)
{
    static const char *const pieces[] = {
        "a",    "b",        " ",        "  ",       "\n",   "\t",   "&",    "&lt;", "&nbsp;",
        "\x1b", "\xc2\xa0", "\xc2\xad", "\xc3\xa9", "\xc2", "\x7f", "word", "\r\n", "\f"};
    struct buf text = BUF_INIT(4096);
    struct rng r;

    rng_init(&r, 3);
    for (int round = 0; round < 3000; round++) {
        unsigned n = 1 + (unsigned)rng_below(&r, 30);
        const struct page *alone, *before;
        char *kept;

        buf_clear(&text);
        buf_add_z(&text, "<p>");
        for (unsigned i = 0; i < n; i++)
            buf_add_z(&text, pieces[rng_below(&r, ARRAY_LEN(pieces))]);
        alone = parse_as(*state, buf_str(&text), "text/html; charset=utf-8");
        assert_non_null(alone);
        kept = str_dup(alone->text);
        buf_add_z(&text, "<!-- this comment is longer than what is looked at at once -->");
        before = parse_as(*state, buf_str(&text), "text/html; charset=utf-8");
        assert_non_null(before);
        assert_str(before->text, kept);
        free(kept);
        arena_reset(&((struct fixture *)*state)->arena);
    }
    buf_free(&text);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(title_text_and_language_are_found),
        TEST(list_has_two_words_of_five_in_links),
        TEST(inline_elements_do_not_split_words),
        TEST(text_does_not_depend_on_what_follows),
        TEST(what_is_hidden_gives_no_text),
        TEST(an_open_svg_does_not_swallow_the_page),
        TEST(a_long_title_is_cut_between_characters),
        TEST(encodings_are_read),
        TEST(the_head_is_read),
        TEST(header_fields_count_where_the_page_is_silent),
        TEST(the_most_trusted_date_wins),
        TEST(dates_in_the_future_are_not_believed),
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
