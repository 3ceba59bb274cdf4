/* xml.c - the family tree of the agents, their paths and their finds.
 *
 * After MySpiders (Pant & Menczer 2002), which kept its results and the hierarchy
 * of its spiders as XML and showed three things: the tree, the ranked pages with
 * the spider that found each, and a spider's history of crawled pages. The format is described in
 * docs/family.md.
 *
 * Paths are not inside the tree, because they are read in one pass, agent by agent. Common parsers
 * refuse documents deeper than 256 elements, so every 200th generation begins at the top again;
 * each agent names its parent in any case.
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/limits.h"
#include "store/export/export_int.h"
#include "store/read/family.h"

#include <math.h>

#define LEVELS 200 /* agents inside each other */

struct xml {
    struct query *q;
    FILE *out;
    struct buf line;
    const struct family *family;
    uint32_t rank;    /* of the page before */
    uint32_t history; /* whose path is open */
    bool has_topics;  /* the page under way has elements of topics */
};

static void attr_str(struct buf *out, const char *name, struct str value)
{
    if (value.len == 0)
        return;
    buf_addf(out, " %s=\"", name);
    for (size_t from = 0; from < value.len;) { /* parsers turn line breaks into spaces */
        size_t to = from;

        while (to < value.len && value.ptr[to] != '\n' && value.ptr[to] != '\t')
            to++;
        export_xml_str(out, str_sub(value, from, to));
        if (to < value.len)
            buf_add_char(out, ' ');
        from = to + 1;
    }
    buf_add_char(out, '"');
}

static void attr_ref(struct buf *out, const char *name, uint32_t number)
{
    if (number)
        buf_addf(out, " %s=\"%u\"", name, number);
}

static void attr_time(struct buf *out, const char *name, int64_t at)
{
    char text[CLOCK_TEXT];

    clock_format(at, 3, text);
    if (at)
        buf_addf(out, " %s=\"%s\"", name, text);
}

static void attr_num(struct buf *out, const char *name, double value)
{
    if (isfinite(value))
        buf_addf(out, " %s=\"%.9g\"", name, value);
}

static enum status put_line(struct xml *x)
{
    buf_add_char(&x->line, '\n');
    if (x->line.full)
        return status_fail(ST_LIMIT, "a line is longer than %zu bytes", x->line.max);
    return export_put(x->out, buf_str(&x->line));
}

/* ---- the tree ------------------------------------------------------------ */

/* Writes where an agent was born, and its best page. */
static enum status put_url(void *ctx, const struct query_page *p)
{
    attr_str(ctx, "best-url", p->url);
    return ST_OK;
}

static enum status put_born_url(void *ctx, const struct query_page *p)
{
    attr_str(ctx, "born-url", p->url);
    return ST_OK;
}

/* Writes nothing without a page, which `brood forget` may have removed. */
static void attr_page(struct xml *x, uint32_t page, query_page_fn *fn)
{
    if (page)
        (void)!query_page(x->q, page, fn, &x->line);
}

static enum status on_member(void *ctx, const struct family *f, const struct family_member *m,
                             bool entered)
{
    struct xml *x = ctx;
    const struct query_agent *a = &m->agent;
    bool empty = m->first_child == FAMILY_NONE;

    (void)f;
    if (!entered && empty)
        return ST_OK;
    buf_clear(&x->line);
    if (!entered) {
        buf_add_z(&x->line, "</agent>");
        return put_line(x);
    }
    buf_addf(&x->line, "<agent id=\"%u\"", a->id);
    attr_str(&x->line, "name", a->name);
    attr_str(&x->line, "kind", a->kind);
    attr_ref(&x->line, "parent", a->parent);
    buf_addf(&x->line, " generation=\"%u\"", a->generation);
    attr_num(&x->line, "energy", a->energy);
    buf_addf(&x->line, " pages=\"%llu\"", (unsigned long long)a->pages);
    attr_time(&x->line, "born", a->born_at);
    attr_ref(&x->line, "born-page", a->born_page);
    attr_page(x, a->born_page, put_born_url);
    attr_time(&x->line, "died", a->died_at);
    attr_str(&x->line, "death", a->death);
    if (m->best_page) {
        attr_ref(&x->line, "best-page", m->best_page);
        attr_num(&x->line, "best-relevance", m->best);
        attr_page(x, m->best_page, put_url);
    }
    buf_add_z(&x->line, empty ? "/>" : ">");
    return put_line(x);
}

/* ---- finds and paths ----------------------------------------------------- */

static struct str agent_name(const struct family *f, uint32_t id)
{
    uint32_t i = family_find(f, id);

    return i == FAMILY_NONE ? STR("") : f->members[i].agent.name;
}

static enum status on_topic(void *ctx, const struct query_topic *t)
{
    struct query_page page = {.relevance = t->relevance, .p = t->p};
    struct xml *x = ctx;

    if (!x->has_topics)
        buf_add_char(&x->line, '>');
    x->has_topics = true;
    buf_add_z(&x->line, "\n<topic");
    attr_str(&x->line, "name", t->name);
    buf_addf(&x->line, " sure=\"%d\"", page_sure(&page));
    attr_num(&x->line, "relevance", t->relevance);
    attr_num(&x->line, "p", t->p);
    buf_add_z(&x->line, "/>");
    return ST_OK;
}

static enum status on_page(void *ctx, const struct query_page *p)
{
    struct xml *x = ctx;
    enum status st;

    buf_clear(&x->line);
    buf_addf(&x->line, "<page rank=\"%u\" id=\"%u\"", ++x->rank, p->id);
    attr_num(&x->line, "relevance", p->relevance);
    attr_num(&x->line, "p", p->p);
    attr_ref(&x->line, "agent", p->agent);
    attr_str(&x->line, "agent-name", agent_name(x->family, p->agent));
    if (p->depth == 0)
        buf_add_z(&x->line, " seed=\"yes\"");
    attr_ref(&x->line, "depth", p->depth);
    attr_time(&x->line, "fetched", p->fetched_at);
    attr_str(&x->line, "url", p->url);
    attr_str(&x->line, "title", p->title);
    attr_str(&x->line, "lang", p->lang);
    attr_str(&x->line, "lang-declared", p->declared);
    x->has_topics = false;
    st = query_topics(x->q, p->id, on_topic, x);
    buf_add_z(&x->line, x->has_topics ? "\n</page>" : "/>");
    return st == ST_OK ? put_line(x) : st;
}

static enum status on_visit(void *ctx, const struct query_visit *v)
{
    struct xml *x = ctx;

    buf_clear(&x->line);
    if (x->history != v->agent) {
        buf_addf(&x->line, "%s<path agent=\"%u\"", x->history ? "</path>\n" : "", v->agent);
        attr_str(&x->line, "agent-name", agent_name(x->family, v->agent));
        buf_add_z(&x->line, ">\n");
    }
    x->history = v->agent;
    buf_addf(&x->line, "<visit page=\"%u\"", v->page);
    attr_time(&x->line, "at", v->at);
    if (v->first)
        buf_add_z(&x->line, " first=\"yes\"");
    attr_num(&x->line, "before", v->before);
    attr_num(&x->line, "delta", v->delta);
    attr_num(&x->line, "after", v->after);
    attr_str(&x->line, "url", v->url);
    buf_add_z(&x->line, "/>");
    return put_line(x);
}

/* ---- the document -------------------------------------------------------- */

static void attr_key(struct xml *x, const char *key)
{
    LOCAL_BUF value = BUF_INIT(LIMIT_TOPIC_FILE);

    if (query_key(x->q, key, &value) == ST_OK)
        attr_str(&x->line, key, buf_str(&value));
}

static enum status put_head(struct xml *x)
{
    struct query_stats stats;

    TRY(query_stats(x->q, &stats));
    buf_add_z(&x->line, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<brood version=\"1\"");
    attr_key(x, "topic");
    attr_key(x, "model");
    buf_addf(&x->line, " pages=\"%llu\">\n", (unsigned long long)stats.pages);
    buf_addf(&x->line, "<agents alive=\"%llu\" born=\"%llu\" died=\"%llu\">",
             (unsigned long long)stats.alive, (unsigned long long)stats.born,
             (unsigned long long)stats.died);
    return put_line(x);
}

static enum status put_parts(struct xml *x)
{
    TRY(put_head(x));
    TRY(family_walk(x->family, UINT32_MAX, on_member, x));
    TRY(export_put(x->out, STR("</agents>\n<finds>\n")));
    TRY(query_top(x->q, UINT32_MAX, on_page, x));
    TRY(export_put(x->out, STR("</finds>\n<paths>\n")));
    TRY(query_histories(x->q, on_visit, x));
    return export_put(
        x->out, str_of(x->history ? "</path>\n</paths>\n</brood>\n" : "</paths>\n</brood>\n"));
}

enum status export_xml(struct query *q, const struct export_to *to)
{
    struct family family;
    struct xml x = {
        .q = q, .out = to->out, .line = BUF_INIT(LIMIT_TOPIC_FILE * 8), .family = &family};
    enum status st = family_load(q, &family);

    if (st != ST_OK)
        return st;
    family_cut(&family, LEVELS);
    st = put_parts(&x);
    buf_free(&x.line);
    family_clear(&family);
    return st;
}
