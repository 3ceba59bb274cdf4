/* jsonl.c - one page a line, with its text, its main text and that as Markdown, as JSON. SPDX-License-Identifier: MIT */
#include "store/export/export_int.h"
#include "store/read/as_json.h"
#include "store/read/as_markdown.h"

struct jsonl {
    struct export_lines lines;
    struct as_markdown *markdown;
    struct buf use;
};

static enum status jsonl_page(void *ctx, const struct query_page *p)
{
    static const enum page_member line[] = {
        PAGE_ID,         PAGE_URL,       PAGE_HOST,      PAGE_FETCHED_AT, PAGE_STATUS,
        PAGE_MIME,       PAGE_CHARSET,   PAGE_LANG,      PAGE_DECLARED,   PAGE_TITLE,
        PAGE_DATE,       PAGE_RELEVANCE, PAGE_P,         PAGE_SIMILARITY, PAGE_DEPTH,
        PAGE_AGENT,      PAGE_ENERGY,    PAGE_BYTES,     PAGE_LATENCY,    PAGE_DUP_OF,
        PAGE_VERSION_OF, PAGE_DIGEST,    PAGE_WARC_FILE, PAGE_END,
    };
    static const enum page_member offset[] = {PAGE_WARC_OFFSET, PAGE_END};
    struct jsonl *export = ctx;
    struct export_lines *s = &export->lines;
    struct json j;

    buf_clear(&export->use);
    if (query_use(s->q, p->id, &export->use) != ST_OK)
        buf_clear(&export->use);
    buf_clear(&s->line);
    buf_clear(&s->text);
    if (query_text(s->q, p->id, &s->text) != ST_OK)
        buf_clear(&s->text);
    json_begin(&j, &s->line);
    page_put(&j, p, line);
    if (p->warc_file.len)
        page_put(&j, p, offset);
    TRY(page_topics_put(&j, s->q, p->id));
    json_put_str(&j, "use", buf_str(&export->use));
    json_put_str(&j, "text", buf_str(&s->text));
    buf_clear(&s->text);
    if (query_main(s->q, p->id, &s->text) != ST_OK)
        buf_clear(&s->text);
    json_put_str(&j, "main", buf_str(&s->text));
    buf_clear(&s->text);
    if (as_markdown_add(export->markdown, p, &s->text) != ST_OK)
        buf_clear(&s->text);
    json_put_str(&j, "markdown", buf_str(&s->text));
    json_close(&j);
    return export_line(s);
}

enum status export_jsonl(struct query *q, const struct export_to *to)
{
    struct jsonl s = {EXPORT_LINES(q, to), as_markdown_new(q), BUF_INIT(KIB(4))};
    enum status st = query_pages(q, jsonl_page, &s);

    as_markdown_free(s.markdown);
    buf_free(&s.use);
    return export_end(&s.lines, st);
}
