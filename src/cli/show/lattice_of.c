/* lattice_of.c - the lattice of a crawl or of one of its agents.
 * SPDX-License-Identifier: MIT */
#include "cli/show/lattice_of.h"

#include "base/limits.h"
#include "base/mem.h"
#include "store/read/stored_text.h"
#include "models/crew/context.h"
#include "models/crew/lattice_read.h"
#include "models/crew/top_terms.h"
#include "text/vocab.h"

#include <stdlib.h>

#define KEYWORDS     50
#define LEAST_EXTENT 0.01 /* of a concept, as a share of the pages: that of the crew */

static void build(struct lattice_of *l)
{
    lattice_build(l->lattice, lattice_share(l->lattice, LEAST_EXTENT));
}

/* ---- as the model kept it ------------------------------------------------ */

static enum status read_kept(struct lattice_of *l, struct str text)
{
    struct lattice_read kept;
    enum status st = lattice_read(text, &kept);

    if (st != ST_OK)
        return status_prefix(st, "%.*s", STR_ARG(l->agent));
    l->lattice = kept.lattice;
    l->names = kept.names;
    l->words = kept.strings;
    l->kept = true;
    l->at = kept.at;
    build(l);
    return ST_OK;
}

/* ---- from stored pages --------------------------------------------------- */

struct reading {
    struct vocab *vocab, *words; /* words: the terms as they are written */
    struct df_table *df;
    struct context *context;
};

static enum status read_page(void *ctx, const struct stored_text *t)
{
    struct reading *r = ctx;
    struct top_term top[LIMIT_LATTICE_ROW];
    size_t n = top_terms(t->profile, r->df, LIMIT_LATTICE_ROW, top);

    context_add(r->context, t->row->id, t->profile, r->df);
    top_terms_name(top, n, t->profile, t->page, r->words);
    return ST_OK;
}

static void take_keywords(struct lattice_of *l, const struct reading *r)
{
    uint32_t terms[LIMIT_LATTICE_ATTRIBUTES];
    size_t n = context_keywords(r->context, KEYWORDS, terms);

    l->names = mem_zero(n + 1, sizeof *l->names);
    for (size_t i = 0; i < n; i++) {
        struct str word = vocab_text(r->words, terms[i]);

        l->names[i] = arena_str(&l->strings, word.len ? word : vocab_text(r->vocab, terms[i]));
    }
    l->lattice = context_lattice(r->context, terms, n);
}

/* Others crawl for it, and are its children; those of other kinds are their own masters. */
static bool has_team(struct str kind)
{
    return str_eq(kind, STR("facilitator")) || str_eq(kind, STR("assistant"));
}

static enum status read_pages(struct query *q, uint32_t agent, const int *stop,
                              struct lattice_of *l)
{
    struct reading r = {.vocab = vocab_new(),
                        .words = vocab_new(),
                        .context = context_new(LIMIT_LATTICE_OBJECTS, LIMIT_LATTICE_ROW)};
    struct stored_texts all = {.into = r.vocab, .stop = stop};
    struct stored_texts own = {.agent = agent, .team = has_team(l->kind), .stop = stop};
    enum status st;

    vocab_keep_text(r.vocab);
    vocab_keep_text(r.words);
    st = stored_texts_each(q, &all, NULL, NULL); /* idf is of the whole crawl */
    r.df = vocab_publish(r.vocab);
    if (st == ST_OK)
        st = stored_texts_each(q, &own, read_page, &r);
    if (st == ST_OK && context_pages(r.context) == 0)
        st =
            status_fail(ST_MISSING, agent ? "%.*s has read nothing" : "no page has been stored%.*s",
                        STR_ARG(l->agent));
    if (st == ST_OK) {
        take_keywords(l, &r);
        build(l);
    }
    df_release(r.df);
    vocab_free(r.vocab);
    vocab_free(r.words);
    context_free(r.context);
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
    lattice_free(l->lattice);
    free(l->names);
    arena_free(&l->words);
    arena_free(&l->strings);
}
