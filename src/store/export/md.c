/* md.c - a folder of Markdown files, one a page, with YAML before it.
 *
 * Files are named by the numbers of pages: no text from the web becomes a file name. Strings of the
 * front matter are written as JSON, which YAML reads. SPDX-License-Identifier: MIT */
#include "store/export/export_int.h"
#include "base/json.h"
#include "base/os/clock.h"
#include "store/read/as_markdown.h"

#include <errno.h>
#include <sys/stat.h>

struct md {
    struct query *q;
    const struct export_to *to;
    struct as_markdown *markdown;
    struct buf path, text;
    uint64_t done, total;
};

static enum status cannot(const struct md *m)
{
    return status_fail(ST_IO, "%s cannot be written: %s", m->path.data, strerror(errno));
}

static void put_member(struct buf *out, const char *name, struct str value)
{
    struct json j;

    if (value.len == 0)
        return;
    buf_addf(out, "%s: ", name);
    json_init(&j, out);
    json_put_str(&j, NULL, value);
    buf_add_char(out, '\n');
}

/* One of several topics, an entry of a YAML list. */
static enum status put_topic(void *ctx, const struct query_topic *t)
{
    struct query_page page = {.relevance = t->relevance, .p = t->p};
    struct buf *out = ctx;

    put_member(out, "  - topic", t->name);
    buf_addf(out, "    sure: %d\n    relevance: %.4f\n", page_sure(&page), t->relevance);
    return ST_OK;
}

static enum status put_topics(struct query *q, uint32_t page, struct buf *out)
{
    static const char head[] = "topics:\n";
    size_t from = out->len;
    enum status st;

    buf_add_z(out, head);
    st = query_topics(q, page, put_topic, out);
    if (out->len == from + strlen(head)) /* the crawl has one topic */
        out->len = from;
    return st;
}

static enum status put_front(struct query *q, struct buf *out, const struct query_page *p,
                             struct str use)
{
    enum status st;
    char at[CLOCK_TEXT];

    buf_add_z(out, "---\n");
    put_member(out, "url", p->url);
    put_member(out, "title", p->title);
    put_member(out, "lang", p->lang);
    put_member(out, "lang_declared", p->declared);
    put_member(out, "type", p->mime);
    put_member(out, "use", use);
    if (p->date) {
        clock_format(p->date, 0, at);
        put_member(out, "date", str_of(at));
    }
    clock_format(p->fetched_at, 0, at);
    put_member(out, "fetched_at", str_of(at));
    buf_addf(out, "sure: %d\nrelevance: %.4f\nagent: %u\npage: %u\n", page_sure(p), p->relevance,
             p->agent, p->id);
    st = put_topics(q, p->id, out);
    buf_add_z(out, "---\n\n");
    return st;
}

static enum status write_file(struct md *m, const struct query_page *p)
{
    enum status st;
    FILE *file;

    buf_clear(&m->path);
    buf_addf(&m->path, "%s/%08u.md", m->to->dir, p->id);
    file = fopen(m->path.data, "wxe");
    if (file == NULL)
        return cannot(m);
    st = export_put(file, buf_str(&m->text));
    if (fclose(file) != 0 && st == ST_OK)
        st = cannot(m);
    return st;
}

static enum status on_page(void *ctx, const struct query_page *p)
{
    struct md *m = ctx;
    struct buf body = BUF_INIT(LIMIT_DECODED * 4), use = BUF_INIT(KIB(4));
    enum status st;

    if (m->to->stop && __atomic_load_n(m->to->stop, __ATOMIC_RELAXED))
        return ST_STOPPED;
    if (m->to->progress)
        m->to->progress(m->to->ctx, m->done++, m->total);
    buf_clear(&m->text);
    st = query_use(m->q, p->id, &use);
    if (st == ST_OK)
        st = put_front(m->q, &m->text, p, buf_str(&use));
    buf_free(&use);
    if (st == ST_OK)
        st = as_markdown_add(m->markdown, p, &body);
    if (st == ST_OK)
        buf_add_str(&m->text, buf_str(&body));
    buf_free(&body);
    if (st == ST_OK || st == ST_MISSING)
        st = write_file(m, p);
    return st;
}

static enum status count(void *ctx, const struct query_page *p)
{
    (void)p;
    ((struct md *)ctx)->total++;
    return ST_OK;
}

enum status export_md(struct query *q, const struct export_to *to)
{
    struct md m = {
        .q = q, .to = to, .path = BUF_INIT(KIB(64)), .text = BUF_INIT(LIMIT_DECODED * 4)};
    enum status st;

    buf_add_z(&m.path, to->dir);
    if (mkdir(to->dir, 0777) != 0) {
        st = cannot(&m);
    } else {
        m.markdown = as_markdown_new(q);
        st = query_pages(q, count, &m);
        if (st == ST_OK)
            st = query_pages(q, on_page, &m);
    }
    as_markdown_free(m.markdown);
    buf_free(&m.path);
    buf_free(&m.text);
    return st;
}
