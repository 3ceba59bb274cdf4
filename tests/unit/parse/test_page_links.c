/* test_page_links.c - the links of a page: where they lead, their words, and the places that they
 * stand in. SPDX-License-Identifier: MIT */
#include "page_fixture.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };

    return cmocka_run_group_tests_name("page links", tests, NULL, NULL);
}
