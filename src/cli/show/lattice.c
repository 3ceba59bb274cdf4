/* lattice.c - the lattice of a crawl or an agent, for brood show.
 * SPDX-License-Identifier: MIT */
#include "cli/show/lattice.h"

#include "base/arena.h"
#include "base/limits.h"
#include "base/os/clock.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "models/crew/crew.h"
#include "store/read/query.h"
#include "store/read/stored_text.h"
#include "text/vocab.h"

#include <stdlib.h>

/* ---- the lattice ------------------------------------------------------------
 *
 * A model that has lattices keeps what an agent had read when it was last judged, as
 * crawl('lattice.NAME') (docs/schema.md): that is taken, for a crawler its assistant's. Of all
 * others, and of a crawl as a whole, the lattice is made from stored pages (a facilitator's and
 * an assistant's are those of their crawlers): the newest LIMIT_LATTICE_OBJECTS, each with its
 * heaviest terms by tf-idf of this crawl. */

struct lattice_of {
    struct lattice_view view;
    struct str agent, kind; /* whose; empty: of the whole crawl */
    struct arena strings;   /* where these are */
    bool kept;              /* as the model kept it */
};

/* ---- as the model kept it ------------------------------------------------ */

static enum status read_kept(struct lattice_of *l, struct str text)
{
    enum status st = lattice_view_read(text, &l->view);

    if (st != ST_OK)
        return status_prefix(st, "%.*s", STR_ARG(l->agent));
    l->kept = true;
    return ST_OK;
}

/* ---- from stored pages --------------------------------------------------- */

struct lattice_reading {
    struct df_table *df;
    struct lattice_reader *reader;
};

static enum status read_page(void *ctx, const struct stored_text *t)
{
    struct lattice_reading *r = ctx;

    lattice_reader_add(r->reader, t->row->id, t->profile, t->page, r->df);
    return ST_OK;
}

/* Do its children crawl for it? Agents of other kinds crawl for themselves. */
static bool has_team(struct str kind)
{
    return str_eq(kind, STR("facilitator")) || str_eq(kind, STR("assistant"));
}

static enum status read_pages(struct query *q, uint32_t agent, const int *stop,
                              struct lattice_of *l)
{
    struct vocab *vocab = vocab_new();
    struct lattice_reading r = {.reader = lattice_reader_new()};
    struct stored_texts all = {.into = vocab, .stop = stop};
    struct stored_texts own = {.agent = agent, .team = has_team(l->kind), .stop = stop};
    enum status st;

    vocab_keep_text(vocab);
    st = stored_texts_each(q, &all, NULL, NULL); /* idf is of the whole crawl */
    r.df = vocab_publish(vocab);
    if (st == ST_OK)
        st = stored_texts_each(q, &own, read_page, &r);
    if (st == ST_OK && !lattice_reader_view(r.reader, vocab, &l->view))
        st =
            status_fail(ST_MISSING, agent ? "%.*s has read nothing" : "no page has been stored%.*s",
                        STR_ARG(l->agent));
    df_release(r.df);
    vocab_free(vocab);
    lattice_reader_free(r.reader);
    return st;
}

/* ---- whose lattice: an agent's or a crawl's ------------------------------------- */

struct whose {
    struct lattice_of *l;
    uint32_t id, parent;
};

static enum status note_agent(void *ctx, const struct query_agent *a)
{
    struct whose *w = ctx;

    w->l->agent = arena_str(&w->l->strings, a->name);
    w->l->kind = arena_str(&w->l->strings, a->kind);
    w->id = a->id;
    w->parent = a->parent;
    return ST_OK;
}

static enum status kept_of(struct query *q, struct str name, struct buf *ret)
{
    LOCAL_BUF key = BUF_INIT(1000);

    buf_addf(&key, "lattice.%.*s", STR_ARG(name));
    return key.full ? ST_MISSING : query_key(q, key.data, ret);
}

/* Finds the lattice that was kept under its name, or for a crawler that of its assistant. */
static enum status find_kept(struct query *q, struct whose *w, struct buf *ret)
{
    struct str name = w->l->agent, kind = w->l->kind;
    uint32_t id = w->id;
    enum status st = kept_of(q, name, ret);

    if (st != ST_MISSING || !str_eq(kind, STR("crawler")) || w->parent == 0)
        return st;
    st = query_agent(q, w->parent, note_agent, w);
    if (st == ST_OK)
        st = str_eq(w->l->kind, STR("assistant")) ? kept_of(q, w->l->agent, ret) : ST_MISSING;
    if (st != ST_OK) {
        w->l->agent = name;
        w->l->kind = kind;
        w->id = id;
    }
    return st;
}

static void lattice_of_clear(struct lattice_of *l)
{
    lattice_view_clear(&l->view);
    arena_free(&l->strings);
}

/* `agent`: name or number; empty: the whole crawl. `stop` as in stored_text.h.
 * ST_MISSING: there is no such agent, or it has read nothing; ST_CORRUPT: what was kept
 * makes no sense. */
static enum status lattice_of(struct query *q, struct str agent, const int *stop,
                              struct lattice_of *ret)
{
    struct whose w = {.l = ret};
    struct buf kept = BUF_INIT(LIMIT_LATTICE_KEPT);
    enum status st = ST_MISSING;

    *ret = (struct lattice_of){.agent = STR(""), .kind = STR("")};
    arena_init(&ret->strings, LIMIT_LATTICE_KEPT);
    if (agent.len > 0) {
        st = query_agent_named(q, agent, note_agent, &w);
        if (st == ST_OK)
            st = find_kept(q, &w, &kept);
        if (st == ST_OK)
            st = read_kept(ret, buf_str(&kept));
    }
    if (st == ST_MISSING && (w.id || agent.len == 0))
        st = read_pages(q, w.id, stop, ret);
    buf_free(&kept);
    if (st != ST_OK)
        lattice_of_clear(ret);
    return st;
}

/* ---- the three forms --------------------------------------------------------- */

#define TEXT_CONCEPTS 20
#define DOT_CONCEPTS  100

static void head_text(const struct lattice_of *l, struct buf *out)
{
    struct lattice_figures f = lattice_view_figures(&l->view);
    char at[CLOCK_TEXT];

    buf_add_z(out, "lattice of ");
    report_text(out, l->agent.len ? l->agent : STR("the crawl"), 100);
    buf_add_z(out, l->kind.len ? ", " : "");
    report_text(out, l->kind, 100);
    buf_add_z(out, ": ");
    report_count(out, f.pages, "page");
    buf_add_z(out, ", ");
    report_count(out, f.keywords, "keyword");
    buf_add_z(out, ", ");
    report_count(out, f.concepts, "concept");
    buf_add_z(out, " of at least ");
    report_count(out, f.least, "page");
    clock_format(l->view.at, 0, at);
    if (l->kept)
        buf_addf(out, "; as of %s", at);
    buf_add_char(out, '\n');
}

static void intent_text(const struct lattice_of *l, uint64_t intent, struct buf *out)
{
    for (uint64_t rest = intent; rest; rest &= rest - 1) {
        buf_add_char(out, ' ');
        report_text(out, l->view.names[__builtin_ctzll(rest)], 40);
    }
}

static void as_text(const struct lattice_of *l, uint32_t n, struct buf *out)
{
    struct concept *largest;
    uint32_t count = lattice_view_largest(&l->view, n ? n : TEXT_CONCEPTS, &largest);

    head_text(l, out);
    for (uint32_t i = 0; i < count; i++) {
        buf_addf(out, "%s%7u ", i == 0 ? "  pages  which all have\n" : "", largest[i].extent);
        intent_text(l, largest[i].intent, out);
        buf_add_char(out, '\n');
    }
    free(largest);
}

static void as_json(const struct lattice_of *l, uint32_t n, struct buf *out)
{
    char at[CLOCK_TEXT];
    struct json j;

    clock_format(l->view.at, 3, at);
    json_begin(&j, out);
    if (l->agent.len)
        json_put_str(&j, "agent", l->agent);
    else
        json_put_null(&j, "agent");
    if (l->kind.len)
        json_put_str(&j, "kind", l->kind);
    else
        json_put_null(&j, "kind");
    json_put_z(&j, "at", l->kept ? at : NULL);
    lattice_view_json(&l->view, n, &j, "lattice");
    json_end(&j);
}

enum status show_lattice(struct query *q, struct str agent, enum lattice_form form, uint32_t n,
                         struct buf *out)
{
    struct lattice_of l;
    enum status st;

    if (!report_is_diverted()) /* a node that answers a question keeps its own handlers */
        interrupt_catch();
    st = lattice_of(q, agent, interrupt_flag(), &l);
    if (st != ST_OK)
        return st;
    if (form == LATTICE_DOT)
        st = lattice_view_dot(&l.view, n ? n : DOT_CONCEPTS, out);
    else if (form == LATTICE_JSON)
        as_json(&l, n, out);
    else
        as_text(&l, n, out);
    lattice_of_clear(&l);
    return st;
}
