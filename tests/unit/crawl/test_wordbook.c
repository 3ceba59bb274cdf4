/* The words behind terms: of the topic, of the page at hand, of pages to come.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "crawl/tell/wordbook.h"
#include "parse/page/page.h"
#include "text/profile.h"
#include "text/vocab.h"

#include <stdio.h>

struct reading {
    struct arena memory;
    struct page_parser *parser;
    struct profiler *profiler;
    const struct page *page;
    struct profile profile;
};

static struct topic *topic_make(void)
{
    struct topic *t;

    assert_int_equal(topic_from_words(STR("Solar ENERGY energies"), STR("en"), &t), ST_OK);
    return t;
}

static void read_page(struct reading *r, const struct topic *t, const char *html)
{
    struct page_input in = {.payload = str_of(html),
                            .url = STR("http://w.example/"),
                            .content_type = STR("text/html; charset=utf-8")};

    arena_init(&r->memory, 1 << 20);
    r->parser = page_parser_new();
    r->profiler = profiler_new(t);
    assert_int_equal(page_parse(r->parser, &in, &r->memory, &r->page), DROP_NONE);
    (void)profile_page(r->profiler, r->page, in.url, NULL, &r->memory, &r->profile);
}

static void unread(struct reading *r)
{
    page_parser_free(r->parser);
    profiler_free(r->profiler);
    arena_free(&r->memory);
}

static void assert_word(struct wordbook *b, const char *stem, const char *word)
{
    char text[2 * 64 + 1];

    (void)snprintf(text, sizeof text, "%.*s", STR_ARG(wordbook_word(b, term_id(str_of(stem)))));
    assert_string_equal(text, word);
}

/* The first spelling, in lower case; "energi" is a stem for machines. */
static void words_of_the_topic_are_spelled_as_its_author_does(void **state)
{
    struct topic *t = topic_make();
    struct wordbook *b = wordbook_new(t);

    (void)state;
    assert_word(b, "solar", "solar");
    assert_word(b, "energi", "energy");
    wordbook_free(b);
    topic_free(t);
}

static void words_are_found_on_the_page_at_hand_and_on_those_to_come(void **state)
{
    struct topic *t = topic_make();
    struct wordbook *b = wordbook_new(t);
    struct reading r, title;

    (void)state;
    read_page(&r, t, "<title>On Bees</title><p>The Hives are <b>humming</b>; a hive hums.");
    read_page(&title, t, "<title>A panel and its Inverters</title><p>");
    assert_word(b, "hum", ""); /* asked for */
    wordbook_open(b, r.page, &r.profile);
    assert_word(b, "hum", "humming"); /* found by opening */
    assert_word(b, "hive", "hives");  /* the first of them, and at once */
    assert_word(b, "bee", "bees");    /* in the title alone */
    assert_word(b, "invert", "");
    wordbook_close(b);
    assert_word(b, "wax", "");
    wordbook_open(b, title.page, &title.profile);
    wordbook_close(b);
    assert_word(b, "invert", "inverters");
    assert_word(b, "panel", ""); /* nobody had asked in time */
    wordbook_open(NULL, r.page, &r.profile);
    wordbook_close(NULL);
    unread(&r);
    unread(&title);
    wordbook_free(b);
    topic_free(t);
}

static void it_is_saved_whole_and_a_cut_one_is_told(void **state)
{
    struct topic *t = topic_make();
    struct wordbook *b = wordbook_new(t), *again;
    struct buf out = BUF_INIT(1 << 20);
    struct reading r;

    (void)state;
    read_page(&r, t, "<p>bees and hives");
    wordbook_open(b, r.page, &r.profile);
    assert_word(b, "hive", "hives");
    assert_word(b, "bee", "bees");
    wordbook_close(b);
    wordbook_save(b, &out);
    for (size_t n = 0; n <= out.len; n++) {
        struct cursor from = {.rest = {out.data, n}};

        again = wordbook_new(t);
        assert_int_equal(wordbook_load(again, &from), n < out.len ? ST_CORRUPT : ST_OK);
        if (n == out.len) {
            assert_word(again, "hive", "hives");
            assert_word(again, "bee", "bees");
        }
        wordbook_free(again);
    }
    buf_free(&out);
    unread(&r);
    wordbook_free(b);
    topic_free(t);
}

/* More words than it holds: those beyond are not known, and no room is taken. */
static void it_is_bounded(void **state)
{
    struct topic *t = topic_make();
    struct wordbook *b = wordbook_new(t);
    struct buf out = BUF_INIT(1 << 24), saved = BUF_INIT(1 << 24);
    struct cursor from;

    (void)state;
    buf_put_u32(&out, 2 * LIMIT_WORDBOOK);
    for (uint32_t i = 0; i < 2 * LIMIT_WORDBOOK; i++) {
        buf_put_u32(&out, i + 1);
        buf_put_str(&out, STR("x"));
    }
    from = (struct cursor){.rest = buf_str(&out)};
    assert_int_equal(wordbook_load(b, &from), ST_OK);
    assert_int_equal(wordbook_word(b, LIMIT_WORDBOOK / 2).len, 1);
    assert_int_equal(wordbook_word(b, 2 * LIMIT_WORDBOOK).len, 0);
    wordbook_save(b, &saved);
    assert_true(saved.len < LIMIT_WORDBOOK * 9 + 4);
    for (uint32_t i = 0; i < 5000; i++) /* questions are bounded too */
        (void)wordbook_word(b, 0x80000000u + i);
    buf_free(&out);
    buf_free(&saved);
    wordbook_free(b);
    topic_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_the_topic_are_spelled_as_its_author_does),
        cmocka_unit_test(words_are_found_on_the_page_at_hand_and_on_those_to_come),
        cmocka_unit_test(it_is_saved_whole_and_a_cut_one_is_told),
        cmocka_unit_test(it_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
