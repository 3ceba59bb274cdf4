/* stored_text.c - turns stored pages into words again. SPDX-License-Identifier: MIT */
#include "store/read/stored_text.h"

#include "base/limits.h"
#include "parse/page/page.h"
#include "store/read/query_int.h"
#include "text/profile.h"

/* ?1: an agent or 0; ?2: with its descendants, two levels down. */
#define WHICH                                                                        \
    " FROM page p WHERE NOT p.hidden AND p.dup_of IS NULL AND (?1 = 0 OR p.agent_id" \
    " = ?1 OR (?2 AND p.agent_id IN (SELECT id FROM agent WHERE parent_id = ?1 OR"   \
    " parent_id IN (SELECT id FROM agent WHERE parent_id = ?1)))) AND " QUERY_NEWEST

/* The columns of QUERY_PAGE_COLUMNS, most of them left empty. */
#define BRIEF_COLUMNS                                                                       \
    "p.id, 0, '', '', p.mime, '', p.lang, p.title, 0, 0, 0, 0, 0, p.relevance, 0, p.depth," \
    " 0, NULL, '', 0, 0, 0, 0, 0, '', 0, 0, '', NULL, ''"

struct text_reading {
    struct query *q;
    const struct stored_texts *which;
    stored_text_fn *fn;
    void *ctx;
    struct page_parser *parser;
    struct profiler *profiler;
    struct arena arena; /* of one page */
    struct buf text;
};

static enum status read_words(struct text_reading *r, const struct query_page *row, struct str text)
{
    struct page_input in = {.payload = text,
                            .url = STR("http://localhost/"),
                            .content_type = STR("text/plain; charset=utf-8")};
    struct stored_text t = {.row = row, .text = text};
    const struct page *parsed;
    struct passage first;
    struct profile profile;
    struct page page;
    size_t begins = 0;
    enum status st = query_extent(r->q, row->id, &t.extent, &begins);

    if (st != ST_OK || page_parse(r->parser, &in, &r->arena, &parsed) != DROP_NONE)
        return st;
    page = *parsed;
    first = (struct passage){.off = (uint32_t)begins};
    page.main = &first;
    page.nmain = page.text.len == text.len; /* else places would be others */
    page.title = row->title;
    page.lang = row->lang;
    if (r->which->into)
        profile_learn(r->profiler, &page, r->which->into);
    if (r->fn == NULL)
        return ST_OK;
    (void)profile_page(r->profiler, &page, in.url, NULL, &r->arena, &profile);
    t.extent.all = page.text.len;
    t.page = &page;
    t.profile = &profile;
    return r->fn(r->ctx, &t);
}

static enum status read_page(void *ctx, const struct query_page *row)
{
    struct text_reading *r = ctx;
    struct stored_text known = {.row = row};
    enum status st;

    if (r->which->stop && __atomic_load_n(r->which->stop, __ATOMIC_RELAXED))
        return status_fail(ST_STOPPED, "stopped while reading");
    if (r->which->wants && !r->which->wants(r->ctx, row))
        return ST_OK;
    if (r->which->knows && r->which->knows(r->ctx, row, &known))
        return r->fn(r->ctx, &known);
    buf_clear(&r->text);
    st = query_text(r->q, row->id, &r->text);
    if (st == ST_MISSING)
        return ST_OK;
    if (st == ST_OK)
        st = read_words(r, row, buf_str(&r->text));
    arena_reset(&r->arena);
    return st;
}

enum status stored_texts_each(struct query *q, const struct stored_texts *which, stored_text_fn *fn,
                              void *ctx)
{
    struct text_reading r = {.q = q,
                             .which = which,
                             .fn = fn,
                             .ctx = ctx,
                             .parser = page_parser_new(),
                             .profiler = profiler_new(NULL),
                             .text = BUF_INIT(LIMIT_DECODED * 2)};
    sqlite3_stmt *st = NULL;
    enum status status =
        query_prepare(q,
                      which->brief ? "SELECT " BRIEF_COLUMNS WHICH " ORDER BY p.id"
                                   : "SELECT " QUERY_PAGE_COLUMNS WHICH " ORDER BY p.id",
                      which->agent, which->team, &st);

    arena_init(&r.arena, LIMIT_PAGE_ARENA);
    if (status == ST_OK)
        status = query_page_stream(q, st, read_page, &r);
    arena_free(&r.arena);
    buf_free(&r.text);
    profiler_free(r.profiler);
    page_parser_free(r.parser);
    return status;
}

enum status stored_texts_count(struct query *q, uint64_t *ret)
{
    return query_number(q, "SELECT count(*)" WHICH, 0, ret);
}
