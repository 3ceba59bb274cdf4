/* lattice_of.c - the lattice of a crawl or of one of its agents.
 * SPDX-License-Identifier: MIT */
#include "cli/show/lattice_of.h"

#include "base/limits.h"
#include "store/read/stored_text.h"
#include "text/vocab.h"

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

struct reading {
    struct df_table *df;
    struct lattice_reader *reader;
};

static enum status read_page(void *ctx, const struct stored_text *t)
{
    struct reading *r = ctx;

    lattice_reader_add(r->reader, t->row->id, t->profile, t->page, r->df);
    return ST_OK;
}

/* Others crawl for it, and are its children; those of other kinds are their own masters. */
static bool has_team(struct str kind)
{
    return str_eq(kind, STR("facilitator")) || str_eq(kind, STR("assistant"));
}

static enum status read_pages(struct query *q, uint32_t agent, const int *stop,
                              struct lattice_of *l)
{
    struct vocab *vocab = vocab_new();
    struct reading r = {.reader = lattice_reader_new()};
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

/* ---- whose --------------------------------------------------------------- */

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
    struct buf key = BUF_INIT(1000);
    enum status st;

    buf_addf(&key, "lattice.%.*s", STR_ARG(name));
    st = key.full ? ST_MISSING : query_key(q, key.data, ret);
    buf_free(&key);
    return st;
}

/* What was kept under its own name; a crawler reads for its assistant. */
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

enum status lattice_of(struct query *q, struct str agent, const int *stop, struct lattice_of *ret)
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

void lattice_of_clear(struct lattice_of *l)
{
    lattice_view_clear(&l->view);
    arena_free(&l->strings);
}
