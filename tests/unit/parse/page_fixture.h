/* page_fixture.h - a parser and what it made, for the tests of pages. */
#pragma once

#include "support/support.h"

#include "base/limits.h"
#include "base/mem.h"
#include "parse/page/page.h"

#include <stdlib.h>

struct fixture {
    struct page_parser *parser;
    struct arena arena;
};

static inline int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    f->parser = page_parser_new();
    arena_init(&f->arena, LIMIT_PAGE_ARENA);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;

    page_parser_free(f->parser);
    arena_free(&f->arena);
    free(f);
    return 0;
}

#define URL "http://example.org/dir/page.html"

static inline const struct page *parse_input(struct fixture *f, struct page_input in)
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

static inline const struct page *parse_as(struct fixture *f, struct str payload, const char *type)
{
    const struct page *page =
        parse_input(f, (struct page_input){.payload = payload, .content_type = str_of(type)});

    assert_non_null(page);
    return page;
}

static inline const struct page *parse(struct fixture *f, const char *html)
{
    return parse_as(f, str_of(html), "text/html; charset=utf-8");
}

/* The words of a span, each followed by a space, as an assertion. */
static inline void assert_words(const struct page *page, struct span span, const char *want)
{
    struct buf b = BUF_INIT(KIB(64));

    assert_true(span.from <= span.to && span.to <= page->nwords);
    for (uint32_t i = span.from; i < span.to; i++)
        buf_addf(&b, "%.*s ", page->words[i].len, page->text.ptr + page->words[i].off);
    assert_str(buf_str(&b), want);
    buf_free(&b);
}

static inline const struct link *link_to(const struct page *page, const char *url)
{
    for (uint32_t i = 0; i < page->nlinks; i++)
        if (str_eq(page->links[i].url, str_of(url)))
            return &page->links[i];
    fail_msg("no link to %s", url);
    return NULL;
}

static inline struct str path_of(const struct page *page, const struct link *l)
{
    assert_true(l->tag_path < page->ntag_paths);
    return page->tag_paths[l->tag_path];
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
