/* as_markdown.c - a stored page's main text as Markdown. SPDX-License-Identifier: MIT */
#include "store/read/as_markdown.h"

#include "base/limits.h"
#include "base/mem.h"
#include "parse/http/decode.h"
#include "parse/http/head.h"
#include "parse/markdown.h"
#include "parse/page/page.h"
#include "store/passages.h"
#include "store/read/query_int.h"
#include "store/read/warc_read.h"

#include <stdlib.h>

struct as_markdown {
    struct query *query;
    struct page_parser *parser;
    struct arena arena;
    struct buf decoded, text, places;
};

struct as_markdown *as_markdown_new(struct query *q)
{
    struct as_markdown *m = MEM_NEW(struct as_markdown);

    m->query = q;
    m->parser = page_parser_new();
    arena_init(&m->arena, LIMIT_PAGE_ARENA);
    m->decoded = BUF_INIT(LIMIT_DECODED);
    m->text = BUF_INIT(LIMIT_DECODED * 2);
    m->places = BUF_INIT(MIB(1));
    return m;
}

void as_markdown_free(struct as_markdown *m)
{
    if (m == NULL)
        return;
    page_parser_free(m->parser);
    arena_free(&m->arena);
    buf_free(&m->decoded);
    buf_free(&m->text);
    buf_free(&m->places);
    free(m);
}

/* Parses the HTML that a PDF or the like was read as. */
static const struct page *parse_conversion(struct as_markdown *m, const struct query_page *row)
{
    struct page_input in = {.url = row->url,
                            .content_type = STR("text/html; charset=utf-8"),
                            .marks = true,
                            .whole = true};
    const struct page *page = NULL;
    struct warc_record record;

    if (page_is_read_as_is(row->mime) || query_conversion(m->query, row->id, &record) != ST_OK)
        return NULL;
    in.payload = buf_str(&record.block);
    if (page_parse(m->parser, &in, &m->arena, &page) != DROP_NONE)
        page = NULL;
    warc_record_free(&record);
    return page;
}

/* Returns the page as it was parsed on arrival; NULL if it is not archived or cannot be read. */
static const struct page *parse_again(struct as_markdown *m, const struct query_page *row)
{
    struct page_input in = {.url = row->url, .marks = true};
    const struct page *page = NULL;
    struct reply reply = {0};
    struct warc_record record;
    struct head_facts facts;
    struct str payload;
    bool cut;

    if (row->warc_file.len && (page = parse_conversion(m, row)) != NULL)
        return page;
    if (row->warc_file.len == 0 || query_payload(m->query, row->id, &record) != ST_OK)
        return NULL;
    buf_clear(&m->decoded);
    if (warc_http(&record, &reply.status, &reply.head, &payload)) {
        head_read(&reply, &m->arena, &facts);
        in.content_type = reply.content_type;
        if (decode_body(payload, reply.content_encoding, &m->decoded, &in.payload, &cut) !=
                DROP_NONE ||
            page_parse(m->parser, &in, &m->arena, &page) != DROP_NONE)
            page = NULL;
    }
    warc_record_free(&record);
    return page;
}

/* Returns false if the crawl did not find the main text. */
static bool read_places(struct as_markdown *m, uint32_t page)
{
    sqlite3_stmt *st = NULL;
    enum status status;
    bool is_there = false, has_main;

    buf_clear(&m->places);
    if (query_has_main(m->query, &has_main) != ST_OK || !has_main)
        return false;
    status = query_prepare(m->query, "SELECT places FROM main_row WHERE page = ?", page, 0, &st);
    if (status == ST_OK && db_row(m->query->db, st, &status)) {
        buf_add_str(&m->places, db_str(st, 0));
        is_there = true;
    }
    query_done(m->query, st);
    return is_there && status == ST_OK;
}

static void set_main(struct as_markdown *m, struct page *page)
{
    struct passages p = passages_of(buf_str(&m->places), page->text.len);
    struct passage one;
    uint32_t n = 0;

    while (passages_next(&p, &one))
        n++;
    page->main = arena_array(&m->arena, n, sizeof *page->main);
    page->nmain = 0;
    p = passages_of(buf_str(&m->places), page->text.len);
    while (page->main != NULL && passages_next(&p, &one))
        page->main[page->nmain++] = one;
}

enum status as_markdown_add(struct as_markdown *m, const struct query_page *row, struct buf *ret)
{
    const struct page *parsed;
    struct passage all;
    struct page page = {0};

    arena_reset(&m->arena);
    buf_clear(&m->text);
    TRY(query_text(m->query, row->id, &m->text));
    all = (struct passage){0, (uint32_t)m->text.len, PASSAGE_TEXT};
    parsed = parse_again(m, row);
    if (parsed != NULL && str_eq(parsed->text, buf_str(&m->text)))
        page = *parsed;
    else
        page = (struct page){.text = buf_str(&m->text), .main = &all, .nmain = 1};
    if (read_places(m, row->id))
        set_main(m, &page);
    markdown_write(&page, ret);
    return buf_check(ret);
}
