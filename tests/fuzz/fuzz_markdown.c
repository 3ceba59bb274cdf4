/* fuzz_markdown.c - any HTML as Markdown.
 *
 * The first byte chooses whether marks are asked for, and whether every block counts as main
 * text. Twice the same page must give the same bytes, without control characters.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/utf8.h"
#include "parse/markdown.h"
#include "parse/page/mark.h"
#include "parse/page/page.h"

#include <assert.h>

static void check_marks(const struct page *page)
{
    uint32_t last = 0;

    for (uint32_t i = 0; i < page->nmarks; i++) {
        assert(page->marks[i].kind < MARK_KINDS && page->marks[i].off <= page->text.len);
        assert(page->marks[i].off >= last);
        last = page->marks[i].off;
    }
}

static void check_text(struct str s)
{
    assert(utf8_is_valid(s));
    for (size_t i = 0; i < s.len; i++)
        assert(s.ptr[i] == '\n' || s.ptr[i] == '\t' || (unsigned char)s.ptr[i] >= 0x20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct page_input in = {.payload = {(const char *)data + 1, size ? size - 1 : 0},
                            .url = STR("http://example.org/a/b?c"),
                            .content_type = STR("text/html; charset=utf-8")};
    struct buf out[2] = {BUF_INIT(MIB(64)), BUF_INIT(MIB(64))};
    struct page_parser *p;
    const struct page *page;
    struct arena arena;

    if (size == 0)
        return 0;
    in.marks = data[0] & 1;
    p = page_parser_new();
    arena_init(&arena, data[0] & 64 ? KIB(8) : MIB(16));
    for (int round = 0; round < 2; round++) {
        if (page_parse(p, &in, &arena, &page) == DROP_NONE) {
            struct page all = *page;
            struct passage whole = {0, (uint32_t)page->text.len, data[0] >> 1 & 3};

            check_marks(page);
            if (data[0] & 32 && page->text.len) {
                all.main = &whole;
                all.nmain = 1;
            }
            markdown_write(&all, &out[round]);
            check_text(buf_str(&out[round]));
        }
        arena_reset(&arena);
    }
    assert(str_eq(buf_str(&out[0]), buf_str(&out[1])));
    buf_free(&out[0]);
    buf_free(&out[1]);
    arena_free(&arena);
    page_parser_free(p);
    return 0;
}
