/* test_markdown.c - main text as Markdown. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "parse/markdown.h"
#include "parse/page/page.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Parses a page of which every line counts as main text, of the kinds it has. */
static struct str convert(struct page_parser *p, struct arena *arena, struct str html, bool marks,
                          struct buf *out, struct buf *text)
{
    struct page_input in = {.payload = html,
                            .url = STR("http://a.example/d/p"),
                            .content_type = STR("text/html; charset=utf-8"),
                            .marks = marks};
    const struct page *page;

    assert_int_equal(page_parse(p, &in, arena, &page), DROP_NONE);
    markdown_write(page, out);
    for (uint32_t i = 0; text != NULL && i < page->nmain; i++) {
        buf_add_str(text,
                    str_sub(page->text, page->main[i].off, page->main[i].off + page->main[i].len));
        buf_add_char(text, '\n');
    }
    return buf_str(out);
}

#define PROSE "It is long enough to be a paragraph of an article, and it has two sentences. Here."

static void check(const char *html, const char *wanted)
{
    struct page_parser *p = page_parser_new();
    struct buf page = BUF_INIT(100000), out = BUF_INIT(100000);
    struct arena arena;

    arena_init(&arena, LIMIT_PAGE_ARENA);
    buf_addf(&page, "<main><article class=article-body><p>First. %s<p>Second. %s", PROSE, PROSE);
    buf_addf(&page, "%s<p>Last. %s</article></main>", html, PROSE);
    convert(p, &arena, buf_str(&page), true, &out, NULL);
    if (str_find(buf_str(&out), str_of(wanted), 0) == SIZE_MAX)
        fail_msg("%s\nis not in\n%s", wanted, out.data);
    buf_free(&page);
    buf_free(&out);
    arena_free(&arena);
    page_parser_free(p);
}

static void blocks_are_written_as_what_they_are(void **state)
{
    (void)state;
    check("<h2>A heading that is read</h2>", "\n\n## A heading that is read\n\n");
    check("<ul><li>One item: " PROSE "<li>Two: " PROSE "</ul>",
          "\n\n-   One item: " PROSE "\n\n-   Two: " PROSE "\n\n");
    check("<ol><li>One item: " PROSE "<p>More: " PROSE "<li>Two: " PROSE "</ol>",
          "\n\n1.  One item: " PROSE "\n\n    More: " PROSE "\n\n2.  Two: " PROSE "\n\n");
    check("<blockquote><p>Quoted: " PROSE "</blockquote>", "\n\n> Quoted: " PROSE "\n\n");
    check("<pre><code class=language-c>int main(void)\n{\n    return 0; /* " PROSE
          " */\n}</code></pre>",
          "\n\n```c\nint main(void)\n{\n    return 0; /* " PROSE " */\n}\n```\n\n");
    check("<table><tr><th>Name: " PROSE "<th>Use: " PROSE "<tr><td>Bar: | " PROSE "<td>And: " PROSE
          "</table>",
          "| Name: " PROSE " | Use: " PROSE " |\n| --- | --- |\n| Bar: \\| " PROSE " | And: " PROSE
          " |\n");
}

static void words_in_a_line_keep_their_markup(void **state)
{
    (void)state;
    check("<p>See <a href='../q?a=1'>the other page</a>. " PROSE,
          "See [the other page](<http://a.example/q?a=1>). It");
    check("<p>A <b>strong</b> and an <em>other</em> word. " PROSE,
          "A **strong** and an *other* word.");
    check("<p>Call <code>f(`x`)</code> now. " PROSE, "Call ``f(`x`)`` now.");
}

static void what_looks_like_markup_is_escaped(void **state)
{
    (void)state;
    check("<p>1. *No* list [here] &lt;b&gt; a_b # &amp;amp; `x`. " PROSE,
          "1\\. \\*No\\* list \\[here\\] \\<b\\> a\\_b \\# \\&amp; \\`x\\`.");
    check("<p>- No item. " PROSE, "\n\n\\- No item.");
    check("<p>un<b>believ</b>able. " PROSE, "unbelievable."); /* no parser sees all of these */
}

/* ---- with another's parser ---- */

/* Text without white space: blocks and lines are parted in several ways. */
static void squeeze(struct buf *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->len; i++)
        if (!ascii_is_space(b->data[i]))
            b->data[n++] = b->data[i];
    b->len = n;
}

/* What a browser would show of HTML that cmark-gfm made: parsed by ourselves. */
static void read_back(struct page_parser *p, struct arena *arena, struct str markdown,
                      struct buf *ret)
{
    char name[] = "/tmp/brood-markdown.XXXXXX", command[100];
    int fd = mkstemp(name);
    struct page_input in = {.url = STR("http://a.example/"), .content_type = STR("text/html")};
    struct buf html = BUF_INIT(MIB(64));
    const struct page *page;
    char chunk[4096];
    size_t n;
    FILE *from;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, markdown.ptr, markdown.len), markdown.len);
    close(fd);
    (void)snprintf(command, sizeof command, "cmark-gfm --unsafe -e table %s", name);
    from = popen(command, "r");
    assert_non_null(from);
    while ((n = fread(chunk, 1, sizeof chunk, from)) > 0)
        buf_add(&html, chunk, n);
    assert_int_equal(pclose(from), 0);
    unlink(name);
    in.payload = buf_str(&html);
    assert_int_equal(page_parse(p, &in, arena, &page), DROP_NONE);
    buf_add_str(ret, page->text);
    buf_free(&html);
}

static void another_parser_reads_the_same_text(void **state)
{
    struct page_parser *p;
    struct archive *tar;
    struct archive_entry *entry;
    unsigned same = 0, all = 0;

    (void)state;
    NEED_DATA(pages, "maintext/pages.tar.zst");
    if (system("cmark-gfm --version >/dev/null 2>&1") != 0)
        skip();
    p = page_parser_new();
    tar = archive_read_new();
    archive_read_support_filter_zstd(tar);
    archive_read_support_format_tar(tar);
    assert_int_equal(archive_read_open_filename(tar, pages, KIB(64)), ARCHIVE_OK);
    while (archive_read_next_header(tar, &entry) == ARCHIVE_OK && all < 150) {
        size_t size = (size_t)archive_entry_size(entry);
        char *data = malloc(size + 1);
        struct buf out = BUF_INIT(MIB(64)), text = BUF_INIT(MIB(64)), back = BUF_INIT(MIB(64));
        struct arena arena;

        arena_init(&arena, LIMIT_PAGE_ARENA);
        assert_int_equal(archive_read_data(tar, data, size), size);
        if (size > 0) {
            convert(p, &arena, (struct str){data, size}, true, &out, &text);
            read_back(p, &arena, buf_str(&out), &back);
            squeeze(&text);
            squeeze(&back);
            same += str_eq(buf_str(&text), buf_str(&back));
            all++;
        }
        free(data);
        buf_free(&out);
        buf_free(&text);
        buf_free(&back);
        arena_free(&arena);
    }
    archive_read_free(tar);
    page_parser_free(p);
    print_message("%u of %u pages have the same text\n", same, all);
    assert_true(all > 100 && same * 100 >= all * 97);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_written_as_what_they_are),
        cmocka_unit_test(words_in_a_line_keep_their_markup),
        cmocka_unit_test(what_looks_like_markup_is_escaped),
        cmocka_unit_test(another_parser_reads_the_same_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
