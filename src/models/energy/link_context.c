/* link_context.c - how relevant the words around each link of a page are to the topic.
 *
 * Workload: once a page, 10 to 1000 links. Most contexts have no word of the topic:
 * these are found by reading each word once, even if many contexts share it, and
 * need no scoring. Neighbouring links often have the same element around them,
 * which is scored once. SPDX-License-Identifier: MIT */
#include "models/energy/link_context.h"

#include "text/words/stem.h"
#include "text/topic.h"
#include "text/vec.h"

#define SIEVE_SLOTS 1024
#define SIEVE_TERMS 64 /* with more words, nothing is sieved */

/* The topic's words that the page has, and how far its text has been read. */
struct sieve {
    bool maybe[SIEVE_SLOTS]; /* by id mod SIEVE_SLOTS */
    uint32_t terms[SIEVE_TERMS];
    uint32_t nterms;
    const uint32_t *words; /* terms of the page's text; NULL: everything passes */
    uint32_t nwords;
    struct span seen; /* words read … */
    uint32_t last;    /* … and the last of them that is in the topic, from 1; 0: none */
};

static bool span_holds(struct span s, struct span inner)
{
    return s.from <= inner.from && inner.to <= s.to;
}

/* Links stand in document order: those of an element are neighbours. */
static bool has_more_links(const struct page *page, uint32_t i, struct span node, int64_t most)
{
    int64_t count = 1;

    for (uint32_t j = i; j > 0 && count <= most; j--, count++)
        if (!span_holds(node, page->links[j - 1].anchor))
            break;
    for (uint32_t j = i + 1; j < page->nlinks && count <= most; j++, count++)
        if (!span_holds(node, page->links[j].anchor))
            break;
    return count > most;
}

/* Returns an empty span if there is none. */
static struct span node_of(const struct link *l, int size)
{
    struct reach r = size == NODE_10 ? l->node10 : l->node40;

    if (size == NODE_20) { /* the parser gives the window for one that is too large */
        if (l->node.from == l->window.from && l->node.to == l->window.to)
            return (struct span){0, 0};
        return l->node;
    }
    if (r.before == REACH_NONE || r.before > l->anchor.from)
        return (struct span){0, 0};
    return (struct span){l->anchor.from - r.before, l->anchor.to + r.after};
}

static struct span window_of(const struct link *l, int64_t words)
{
    uint32_t half = (uint32_t)words / 2;
    struct span s = l->window;

    if (words >= LINK_WINDOW)
        return s;
    if (s.from + half < l->anchor.from)
        s.from = l->anchor.from - half;
    if (s.to > l->anchor.to + half)
        s.to = l->anchor.to + half;
    return s;
}

struct span link_context(const struct context_rules *rules, const struct page *page, uint32_t i)
{
    const struct link *l = &page->links[i];
    struct span node;

    if (rules->kind != CONTEXT_NODE)
        return window_of(l, rules->kind == CONTEXT_ANCHOR ? 0 : rules->window);
    node = node_of(l, rules->node);
    if (node.to <= node.from || node.to - node.from > rules->words ||
        has_more_links(page, i, node, rules->links))
        return window_of(l, rules->window);
    return node;
}

/* Used only if a text without the topic's words is certain to have relevance 0: the topic has only
 * words, stemmed as the page is. */
static void sieve_make(struct sieve *s, const struct topic *t, const struct profile *page)
{
    size_t count = t ? topic_terms(t) : 0;

    memset(s, 0, sizeof *s);
    if (count == 0 || count > SIEVE_TERMS || topic_samples(t) > 0 || topic_has_stop_phrase(t) ||
        page->lang != stem_lang(topic_lang(t)) || page->nsequence <= page->ntitle)
        return;
    s->words = page->sequence + page->ntitle + 1;
    s->nwords = page->nsequence - page->ntitle - 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t id;

        (void)topic_term(t, i, NULL, &id);
        if (!topic_keeps_stops(t) && vec_find(page->terms, page->nterms, id) == 0)
            continue;
        s->terms[s->nterms++] = id;
        s->maybe[id % SIEVE_SLOTS] = true;
    }
    if (s->nterms == 0)
        s->nwords = 0;
}

static bool is_of_topic(const struct sieve *s, uint32_t term)
{
    for (uint32_t i = 0; s->maybe[term % SIEVE_SLOTS] && i < s->nterms; i++)
        if (s->terms[i] == term)
            return true;
    return false;
}

/* Contexts mostly come in the order of the text and overlap: only the new part of each is read. Any
 * other context is read as a whole. */
static bool sieve_passes(struct sieve *s, struct span context)
{
    uint32_t to = context.to < s->nwords ? context.to : s->nwords;

    if (s->words == NULL)
        return true;
    if (context.from < s->seen.from || context.from > s->seen.to || to < s->seen.to) {
        s->seen = (struct span){context.from, context.from};
        s->last = 0;
    }
    for (; s->seen.to < to; s->seen.to++)
        if (is_of_topic(s, s->words[s->seen.to]))
            s->last = s->seen.to + 1;
    return s->last > context.from;
}

void link_contexts(const struct context_rules *rules, const struct model_ctx *ctx,
                   const struct percept *p, bool raw, float *ret)
{
    struct span last = {0};
    struct sieve sieve;
    float score = 0;

    sieve_make(&sieve, ctx->topic, p->profile);
    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        struct span words;

        ret[i] = 0;
        if (p->marks[i].drop != DROP_NONE)
            continue;
        words = link_context(rules, p->body, i);
        if (words.from != last.from || words.to != last.to)
            score = words.to > words.from && sieve_passes(&sieve, words)
                        ? ctx->score(ctx->engine, p, words, raw)
                        : 0;
        last = words;
        ret[i] = score;
    }
}
