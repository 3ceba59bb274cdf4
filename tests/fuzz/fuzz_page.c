/* fuzz_page.c - any payload as any kind of document.
 *
 * The first byte chooses the media type. What comes out must be consistent:
 * words inside the text, spans inside the words, links absolute.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/utf8.h"
#include "parse/barrier.h"
#include "parse/page/page.h"

#include <assert.h>

static void check_span(const struct page *page, struct span s)
{
    assert(s.from <= s.to && s.to <= page->nwords);
}

static void check(const struct page *page)
{
    size_t end = 0;

    assert(utf8_is_valid(page->text) && utf8_is_valid(page->title));
    assert(page->title.len <= LIMIT_TITLE);
    assert(page->nwords <= LIMIT_WORDS && page->nlinks <= LIMIT_SITEMAP_URLS);
    for (uint32_t i = 0; i < page->nwords; i++) {
        assert(page->words[i].len > 0 && page->words[i].off >= end);
        end = page->words[i].off + page->words[i].len;
        assert(end <= page->text.len);
    }
    end = 0;
    for (uint32_t i = 0; i < page->nmain; i++) {
        const struct passage *m = &page->main[i];

        assert(m->len > 0 && m->off >= end && m->kind < PASSAGE_KINDS);
        end = m->off + m->len;
        assert(end <= page->text.len);
    }
    for (uint32_t i = 0; i < page->nlinks; i++) {
        const struct link *l = &page->links[i];

        assert(l->url.len > 0 && l->url.ptr[l->url.len] == '\0');
        assert(l->tag_path < page->ntag_paths);
        check_span(page, l->anchor);
        check_span(page, l->window);
        check_span(page, l->node);
        assert(l->window.from <= l->anchor.from && l->anchor.to <= l->window.to);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const types[] = {
        "text/html; charset=utf-8", "text/html",        "",
        "application/rss+xml",      "application/xml",  "text/plain",
        "application/xhtml+xml",    "application/gzip",
    };
    struct page_parser *p;
    struct page_input in;
    const struct page *page;
    struct arena arena;
    const char *type;

    if (size == 0)
        return 0;
    type = types[data[0] % (sizeof types / sizeof *types)];
    in = (struct page_input){
        .payload = {(const char *)data + 1, size - 1},
        .url = STR("http://example.org/a/b?c"),
        .content_type = {type, strlen(type)},
        /* The first line doubles as a Link field. */
        .link_header = str_sub((struct str){(const char *)data + 1, size - 1}, 0, 200),
        .now = INT64_C(1800000000000000),
    };
    p = page_parser_new();
    arena_init(&arena, data[0] & 64 ? KIB(8) : MIB(16));
    for (int round = 0; round < 2; round++) { /* the second time with used memory */
        if (page_parse(p, &in, &arena, &page) == DROP_NONE) {
            check(page);
            (void)barrier_of(page, in.payload);
        }
        arena_reset(&arena);
    }
    arena_free(&arena);
    page_parser_free(p);
    return 0;
}
