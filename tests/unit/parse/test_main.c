/* test_main.c - main text and the rest. SPDX-License-Identifier: MIT */
#include "page_fixture.h"

#include <archive.h>
#include <archive_entry.h>
#include <jansson.h>

static const struct page *read_page(struct fixture *f, struct str payload, const char *type)
{
    const struct page *page;
    struct page_input in = {
        .payload = payload, .url = STR("http://a.example/"), .content_type = str_of(type)};

    assert_int_equal(page_parse(f->parser, &in, &f->arena, &page), DROP_NONE);
    return page;
}

/* The kind of the passage with this text in it; -1: it is no main text. */
static int kind_of(const struct page *page, const char *text)
{
    for (uint32_t i = 0; i < page->nmain; i++) {
        struct str s = {page->text.ptr + page->main[i].off, page->main[i].len};

        if (str_find(s, str_of(text), 0) != SIZE_MAX)
            return page->main[i].kind;
    }
    return -1;
}

#define PROSE                                                                               \
    "This sentence stands in a paragraph of the article, and it is long enough to be one. " \
    "Another one follows it, because paragraphs seldom have a single sentence."

#define ARTICLE                                                                                    \
    "<title>Bees in winter</title><body><nav class='main-menu'><ul><li><a href=/a>Home</a>"        \
    "<li><a href=/b>Products</a><li><a href=/c>Contact</a></ul></nav>"                             \
    "<div class='cookie-banner'>We use cookies. <a href=/x>Accept</a></div>"                       \
    "<main><article class='post'><h1>Bees in winter</h1><div class='entry-content'>"               \
    "<p>First: " PROSE "<p>Second: " PROSE "<h2>How they keep warm</h2><p>Third: " PROSE           \
    "<blockquote><p>Quoted: " PROSE "</blockquote><ul><li>Listed: " PROSE "<li>Listed too: " PROSE \
    "</ul><pre>print('coded'); " PROSE "</pre>"                                                    \
    "<table><tr><td>Tabled: " PROSE "<td>" PROSE "</table><p>Last: " PROSE "</div></article>"      \
    "</main><aside class='related-posts'><h3>More articles</h3><ul><li><a href=/d>Wasps in "       \
    "autumn</a><li><a href=/e>Ants in spring</a></ul></aside><footer class='site-footer'>"         \
    "<a href=/i>Imprint</a> Copyright 2026 Example</footer>"

static void an_article_is_told_from_menus_banners_and_footers(void **state)
{
    const struct page *page = read_page(*state, STR(ARTICLE), "text/html");

    assert_int_equal(kind_of(page, "First:"), PASSAGE_TEXT);
    assert_int_equal(kind_of(page, "Last:"), PASSAGE_TEXT);
    assert_int_equal(kind_of(page, "Products"), -1);
    assert_int_equal(kind_of(page, "cookies"), -1);
    assert_int_equal(kind_of(page, "Wasps"), -1);
    assert_int_equal(kind_of(page, "Copyright"), -1);
    assert_true(str_find(page->text, STR("Copyright"), 0) != SIZE_MAX);
}

/* A manual of 400 sections: none of its paragraphs is lost because there are so many like it. */
static void a_long_manual_keeps_its_paragraphs(void **state)
{
    struct buf html = BUF_INIT(MIB(1));
    const struct page *page;
    uint32_t sections = 400, found = 0;

    buf_add_z(&html, "<title>Manual</title><body><div class=document><section><h1>Manual</h1>");
    for (uint32_t i = 0; i < sections; i++)
        buf_addf(&html, "<section id=chapter-%u><h2>Chapter %u</h2><p>" PROSE "</section>", i, i);
    page = read_page(*state, buf_str(&html), "text/html");
    for (uint32_t i = 0; i < page->nmain; i++)
        found += page->main[i].len > 100;
    assert_int_equal(found, sections);
    buf_free(&html);
}

static void headings_quotes_lists_code_and_tables_keep_their_kind(void **state)
{
    const struct page *page = read_page(*state, STR(ARTICLE), "text/html");

    assert_int_equal(kind_of(page, "How they keep warm"), PASSAGE_HEADING);
    assert_int_equal(kind_of(page, "Quoted:"), PASSAGE_QUOTE);
    assert_int_equal(kind_of(page, "Listed:"), PASSAGE_LIST);
    assert_int_equal(kind_of(page, "coded"), PASSAGE_CODE);
    assert_int_equal(kind_of(page, "Tabled:"), PASSAGE_TABLE);
}

static void main_text_does_not_depend_on_the_page_before(void **state)
{
    const struct page *first = read_page(*state, STR(ARTICLE), "text/html"), *second;

    read_page(*state, STR("<p>A short page in between."), "text/html");
    second = read_page(*state, STR(ARTICLE), "text/html");
    assert_int_equal(first->nmain, second->nmain);
    assert_memory_equal(first->main, second->main, first->nmain * sizeof *first->main);
}

static void a_plain_text_is_main_text_as_a_whole(void **state)
{
    const struct page *page = read_page(*state, STR("One line.\nAnother line."), "text/plain");

    assert_int_equal(page->nmain, 1);
    assert_int_equal(page->main[0].len, page->text.len);
    page = read_page(*state, STR(""), "text/plain");
    assert_int_equal(page->nmain, 0);
}

static void a_page_of_very_many_blocks_stays_within_its_limit(void **state)
{
    struct buf many;
    const struct page *page;

    buf_init(&many, MIB(16));
    for (int i = 0; i < LIMIT_BLOCKS + 1000; i++)
        buf_add_z(&many, "<div class=a><p>" PROSE "</div>");
    page = read_page(*state, buf_str(&many), "text/html");
    assert_true(page->nmain <= LIMIT_BLOCKS);
    for (uint32_t i = 0; i < page->nmain; i++)
        assert_true(page->main[i].off + page->main[i].len <= page->text.len);
    buf_free(&many);
}

/* ---- real pages ---- */

struct tally {
    unsigned tp, fn, fp;
};

static void count(const struct page *page, json_t *line, struct tally *c)
{
    size_t i;
    json_t *item;

    json_array_foreach(json_object_get(line, "with"), i, item)
    {
        *(kind_of(page, json_string_value(item)) >= 0 ? &c->tp : &c->fn) += 1;
    }
    json_array_foreach(json_object_get(line, "without"), i, item)
    {
        c->fp += kind_of(page, json_string_value(item)) >= 0;
    }
}

/* The lines of the segments' file by the name of the page. */
static json_t *read_lines(const char *path)
{
    json_t *lines = json_object(), *line;
    FILE *in = fopen(path, "r");

    assert_non_null(in);
    while ((line = json_loadf(in, JSON_DISABLE_EOF_CHECK, NULL)) != NULL)
        json_object_set_new(lines, json_string_value(json_object_get(line, "file")), line);
    fclose(in);
    return lines;
}

static void real_pages_are_told_apart(void **state)
{
    struct fixture *f = *state;
    struct archive *tar;
    struct archive_entry *entry;
    struct tally c = {0};
    json_t *lines;
    double p, r;

    NEED_DATA(segments, "maintext/segments.jsonl");
    lines = read_lines(segments);
    NEED_DATA(pages, "maintext/pages.tar.zst");
    tar = archive_read_new();
    archive_read_support_filter_zstd(tar);
    archive_read_support_format_tar(tar);
    assert_int_equal(archive_read_open_filename(tar, pages, KIB(64)), ARCHIVE_OK);
    while (archive_read_next_header(tar, &entry) == ARCHIVE_OK) {
        const char *name = strrchr(archive_entry_pathname(entry), '/');
        json_t *line = name ? json_object_get(lines, name + 1) : NULL;
        size_t size = (size_t)archive_entry_size(entry);
        char *data = malloc(size + 1);

        assert_int_equal(archive_read_data(tar, data, size), size);
        if (line != NULL)
            count(read_page(f, (struct str){data, size}, "text/html"), line, &c);
        arena_reset(&f->arena);
        free(data);
    }
    archive_read_free(tar);
    json_decref(lines);
    p = (double)c.tp / (c.tp + c.fp);
    r = (double)c.tp / (c.tp + c.fn);
    print_message("precision %.3f, recall %.3f of %u segments\n", p, r, c.tp + c.fn);
    assert_true(2 * p * r / (p + r) > 0.92);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_article_is_told_from_menus_banners_and_footers, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_long_manual_keeps_its_paragraphs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(headings_quotes_lists_code_and_tables_keep_their_kind,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(main_text_does_not_depend_on_the_page_before, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_plain_text_is_main_text_as_a_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_page_of_very_many_blocks_stays_within_its_limit, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(real_pages_are_told_apart, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
