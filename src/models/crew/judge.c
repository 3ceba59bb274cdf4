/* judge.c - the ability of an agent, from its links and its lattice.
 *
 *     P_u = a_u * Sim(page)     a_u the weight of the anchor (eq. 3), Sim eq. 5
 *     S   = mean of P_u over the queue's links on topic
 *     M   = how like the lattice of what the agent has read is to the facilitator's,
 *           which is made of the group's pages on topic
 *     E   = alpha S + (1 - alpha) M
 *
 * An anchor without any related word has the printed weight 0.001, not 0: so
 * links of a good page come before those of a bad one even then. It is in Sim that 0.001
 * does harm (models/crew/relate.h).
 * Workload: relate_page() for a page, two lattices and a comparison for an agent every T.
 * SPDX-License-Identifier: MIT */
#include "models/crew/crew_int.h"

#include "base/limits.h"
#include "base/mem.h"
#include "models/crew/ability.h"
#include "models/crew/formica.h"
#include "models/crew/lexicon.h"
#include "models/crew/overlap.h"
#include "models/crew/relate.h"

#include <stdio.h>

#define LEAST_EXTENT 0.01 /* of a concept, as a share of the pages */

static struct cs_rules rules_of(const struct model *m)
{
    const struct crew_options *o = crew_options_of(m);

    return (struct cs_rules){.isa = o->isa,
                             .part = o->part,
                             .floor = o->floor == FLOOR_PRINTED ? CS_PRINTED_FLOOR : 0,
                             .depth = (unsigned)o->depth};
}

static bool wordnet_is(const struct crew_options *o, const char *word)
{
    return o->wordnet && str_eq(str_of(o->wordnet), str_of(word));
}

static void wordnet_find(struct model *m, struct crew *st)
{
    const struct crew_options *o = crew_options_of(m);

    if (wordnet_is(o, "none") || wordnet_is(o, "pages") ||
        wordnet_open(o->wordnet, &st->wordnet) == ST_OK)
        return;
    st->wordnet = NULL;
    (void)snprintf(st->trouble, sizeof st->trouble, "%s", status_text());
    m->ctx->talk->say(m->ctx->engine, st->trouble);
}

void crew_words(struct model *m)
{
    struct crew *st = crew_of(m);
    struct cs_rules rules = rules_of(m);
    int lang = stem_lang(topic_lang(m->ctx->topic));
    bool xiangdan = crew_options_of(m)->organisation == CREW_XIANGDAN;

    if (st->words)
        return;
    st->words = true;
    if (!xiangdan)
        wordnet_find(m, st);
    st->overlap = !wordnet_is(crew_options_of(m), "none") &&
                  (st->wordnet == NULL || !cs_knows_language(lang));
    st->relate = relate_new(has_assistants(m) ? st->wordnet : NULL, &rules, m->ctx->topic);
    st->lexicon = lexicon_new(st->wordnet, lang);
}

void crew_words_free(struct crew *st)
{
    relate_free(st->relate);
    lexicon_free(st->lexicon);
    kin_memory_free(st->kin);
    wordnet_free(st->wordnet);
}

/* With WordNet the heaviest terms tell what a page is about, because words near the topic's count
 * too. Where only equal words do, most pages would have none among so few, and all their links the
 * score 0. */
static size_t terms_of(const struct model *m)
{
    int64_t terms = crew_options_of(m)->terms;

    if (terms > 0)
        return (size_t)terms;
    return crew_of(m)->overlap && has_assistants(m) ? RELATE_TERMS_MAX : RELATE_TERMS;
}

double crew_sim(struct model *m, const struct percept *p)
{
    return (double)relate_page(crew_of(m)->relate, p->profile, m->ctx->table, terms_of(m));
}

double crew_anchor(struct model *m, const struct percept *p, const struct link *l)
{
    double weight = (double)relate_span(crew_of(m)->relate, p->profile, l->anchor);

    return weight > CS_PRINTED_FLOOR ? weight : CS_PRINTED_FLOOR;
}

/* ---- lattices -------------------------------------------------------------------- */

struct judge_view {
    const struct context *read;
    uint32_t terms[LIMIT_LATTICE_ATTRIBUTES];
    size_t nterms;
    struct lattice *lattice;
};

static struct judge_view view_of(const struct model *m, const struct context *read)
{
    struct judge_view v = {.read = read};

    v.nterms = context_keywords(read, (size_t)crew_options_of(m)->keywords, v.terms);
    v.lattice = context_lattice(read, v.terms, v.nterms);
    lattice_build(v.lattice, lattice_share(v.lattice, LEAST_EXTENT));
    return v;
}

static struct kin_memory *kin_of(struct crew *st)
{
    if (st->kin == NULL)
        st->kin = kin_memory_new();
    return st->kin;
}

static double likeness(struct model *m, const struct judge_view *a, const struct judge_view *b)
{
    struct cs_rules rules = rules_of(m);
    LOCAL_HEAP float *cs =
        mem_alloc(sizeof *cs * LIMIT_LATTICE_ATTRIBUTES * LIMIT_LATTICE_ATTRIBUTES);
    LOCAL_HEAP struct formica *f = mem_alloc(sizeof *f);

    if (crew_of(m)->overlap)
        overlap_terms(a->read, b->read, a->terms, a->nterms, b->terms, b->nterms, cs);
    else
        cs_terms_kept(kin_of(crew_of(m)), crew_of(m)->lexicon, &rules, a->terms, a->nterms,
                      b->terms, b->nterms, cs);
    formica_init(f, cs, (unsigned)a->nterms, (unsigned)b->nterms);
    return formica_lattices(f, a->lattice, b->lattice);
}

/* Writes {"keywords":["bee",…],"pages":[12,…],"rows":["1f",…]}: row i has a bit for each keyword
 * that page i has, in hexadecimal. Only the newest CREW_KEPT pages. */
static void write_view(const struct model *m, const struct judge_view *v, struct buf *out)
{
    uint32_t n = lattice_objects(v->lattice), from = n > CREW_KEPT ? n - CREW_KEPT : 0;
    LOCAL_BUF word = BUF_INIT(KIB(1));
    char text[24];
    uint64_t row;
    struct json j;

    json_begin(&j, out);
    json_put_int(&j, "at", m->ctx->now);
    json_open_array(&j, "keywords");
    for (size_t i = 0; i < v->nterms; i++) {
        buf_clear(&word);
        crew_spell(m, v->terms[i], &word);
        json_put_str(&j, NULL, buf_str(&word));
    }
    json_close(&j);
    json_open_array(&j, "pages");
    for (uint32_t i = from; i < n; i++)
        json_put_int(&j, NULL, lattice_object(v->lattice, i, &row));
    json_close(&j);
    json_open_array(&j, "rows");
    for (uint32_t i = from; i < n; i++) {
        (void)lattice_object(v->lattice, i, &row);
        (void)snprintf(text, sizeof text, "%llx", (unsigned long long)row);
        json_put_z(&j, NULL, text);
    }
    json_close(&j);
    json_close(&j);
}

/* Stores the pages that an agent has read under lattice.NAME, for readers of the crawl. */
static void keep_view(struct model *m, const struct judge_view *v, uint32_t agent)
{
    LOCAL_BUF text = BUF_INIT(KIB(64));
    char name[AGENT_NAME], key[AGENT_NAME + 16];

    if (m->ctx->tell == NULL)
        return;
    (void)snprintf(key, sizeof key, "lattice.%s", agent_name(agent, name));
    write_view(m, v, &text);
    if (!text.full)
        m->ctx->tell->keep(m->ctx->engine, key, buf_str(&text));
}

static double crew_m(struct model *m, struct desk *d)
{
    const struct crew_group *g = &crew_of(m)->groups[d->group];
    struct judge_view mine, theirs;
    double ret = 0;

    if (context_pages(d->read) == 0)
        return 0;
    mine = view_of(m, d->read);
    keep_view(m, &mine, d->assistant);
    if (context_pages(g->read) > 0) {
        theirs = view_of(m, g->read);
        keep_view(m, &theirs, g->facilitator);
        ret = likeness(m, &mine, &theirs);
        lattice_free(theirs.lattice);
    }
    lattice_free(mine.lattice);
    return ret;
}

void crew_judge(struct model *m, struct desk *d)
{
    const struct crew_options *o = crew_options_of(m);
    bool lattices = o->organisation != CREW_XIANGDAN;
    struct ability_links s = {0};

    for (size_t i = 0; i < d->queue.count; i++)
        ability_add(&s, -link_queue_nth(&d->queue, i).key, o->tau);
    d->s = ability_mean(&s);
    d->m = lattices ? crew_m(m, d) : 0;
    d->ability = ability(lattices ? o->alpha : 1, d->s, d->m);
    d->fresh = 0;
    crew_changed(m, d);
}
