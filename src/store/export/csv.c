/* csv.c - one page a line after RFC 4180, with a header line. SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/os/clock.h"
#include "store/export/export_int.h"

static const char head[] =
    "id,url,host,status,fetched_at,mime,lang,title,date,sure,relevance,depth,"
    "agent,bytes,latency_ms,dup_of,warc_file,warc_offset,lang_declared";

static void csv_time(struct buf *out, int64_t at)
{
    char text[CLOCK_TEXT] = "";

    if (at)
        clock_format(at, 3, text);
    buf_add_z(out, text);
}

/* Where the crawl has several topics, a column for each: how sure it is, from 0 to 100. */
static enum status csv_head_topic(void *ctx, const struct query_topic_total *t)
{
    struct buf *l = ctx;
    LOCAL_BUF name = BUF_INIT(KIB(1));

    buf_addf(&name, "sure %.*s", STR_ARG(t->name));
    buf_add_char(l, ',');
    buf_add_csv(l, buf_str(&name));
    return ST_OK;
}

static enum status csv_topic(void *ctx, const struct query_topic *t)
{
    struct query_page page = {.relevance = t->relevance, .p = t->p};

    buf_addf(ctx, ",%d", page_sure(&page));
    return ST_OK;
}

static enum status csv_page(void *ctx, const struct query_page *p)
{
    struct export_lines *s = ctx;
    struct buf *l = &s->line;
    enum status st;

    buf_clear(l);
    buf_addf(l, "%u,", p->id);
    buf_add_csv(l, p->url);
    buf_add_char(l, ',');
    buf_add_csv(l, p->host);
    buf_addf(l, ",%d,", p->status);
    csv_time(l, p->fetched_at);
    buf_add_char(l, ',');
    buf_add_csv(l, p->mime);
    buf_add_char(l, ',');
    buf_add_csv(l, p->lang);
    buf_add_char(l, ',');
    buf_add_csv(l, p->title);
    buf_add_char(l, ',');
    csv_time(l, p->date);
    buf_addf(l, ",%d,%.6g,%u,%u,%llu,%.3f,", page_sure(p), p->relevance, p->depth, p->agent,
             (unsigned long long)p->bytes, p->latency_ms);
    if (p->dup_of)
        buf_addf(l, "%u", p->dup_of);
    buf_add_char(l, ',');
    buf_add_csv(l, p->warc_file);
    buf_add_char(l, ',');
    if (p->warc_file.len)
        buf_addf(l, "%llu", (unsigned long long)p->warc_offset);
    buf_add_char(l, ',');
    buf_add_csv(l, p->declared);
    st = query_topics(s->q, p->id, csv_topic, l);
    buf_add_char(l, '\r');
    return st == ST_OK ? export_line(s) : st;
}

enum status export_csv(struct query *q, const struct export_to *to)
{
    struct export_lines s = EXPORT_LINES(q, to);
    enum status st;

    buf_add_z(&s.line, head);
    st = query_topic_totals(q, csv_head_topic, &s.line);
    buf_add_z(&s.line, "\r\n");
    if (st == ST_OK)
        st = export_put(to->out, buf_str(&s.line));
    return export_end(&s, st == ST_OK ? query_pages(q, csv_page, &s) : st);
}
