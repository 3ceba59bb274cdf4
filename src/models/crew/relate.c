/* relate.c - the neighbourhood of a query in WordNet, by term.
 * SPDX-License-Identifier: MIT
 *
 * Synsets are visited from the query's outwards: themselves (1), kinds above and
 * below (isa^steps), parts and wholes (part). Every lemma of a synset visited is
 * stemmed and keeps the largest value it gets. */
#include "models/crew/relate.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "models/crew/lexicon.h"
#include "models/crew/context.h"
#include "text/topic_int.h"
#include "text/vec.h"
#include "text/vocab.h"
#include "models/crew/wordnet_cs.h"

#include <math.h>
#include <stdlib.h>

struct relate {
    struct map terms; /* hash of a term -> the bits of its cs, a float */
    float floor;      /* cs of all other terms */
};

/* What making one needs besides. */
struct maker {
    struct relate *table;
    const struct wordnet *w; /* NULL: none, or none for this language */
    const struct cs_rules *rules;
    struct stemmer *stemmer;
    int lang;
};

static float as_float(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t as_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- making ---- */

static void put_word(struct maker *m, struct str word, float cs)
{
    bool stop;
    uint32_t term = term_id(stem_word(m->stemmer, m->lang, word, &stop));
    uint32_t *bits = map_at(&m->table->terms, hash_u64(term), as_bits(cs), NULL);

    if (as_float(*bits) < cs)
        *bits = as_bits(cs);
}

static void put_synset(struct maker *m, uint32_t offset, double cs)
{
    struct synset s;
    struct str lemma;

    if (!(cs > m->rules->floor) || !wordnet_synset(m->w, offset, &s))
        return;
    while (synset_word(&s, &lemma)) {
        if (lexicon_is_word(lemma))
            put_word(m, lemma, (float)cs);
    }
}

static void visit_kind(void *ctx, uint32_t offset, unsigned steps)
{
    struct maker *m = ctx;

    put_synset(m, offset, pow(m->rules->isa, steps));
}

static void visit_part(void *ctx, uint32_t offset, unsigned steps UNUSED)
{
    struct maker *m = ctx;

    put_synset(m, offset, m->rules->part);
}

/* Adds a word, or words joined by '_' or blanks, with its relatives. */
static void put_kin(struct maker *m, struct str word)
{
    struct wordnet_form forms[WORDNET_FORMS];
    uint32_t senses[WORDNET_FORMS * WORDNET_SENSES];
    size_t nforms, n = 0;

    if (m->w == NULL)
        return;
    nforms = wordnet_forms(m->w, word, forms);
    for (size_t i = 0; i < nforms; i++)
        n += wordnet_senses(m->w, wordnet_form_str(&forms[i]), senses + n);
    for (size_t i = 0; i < n; i++)
        put_synset(m, senses[i], 1);
    wordnet_walk(m->w, senses, n, WORDNET_HYPERNYM, m->rules->depth, visit_kind, m);
    wordnet_walk(m->w, senses, n, WORDNET_HYPONYM, m->rules->depth, visit_kind, m);
    wordnet_walk(m->w, senses, n, WORDNET_HOLONYM, 1, visit_part, m);
    wordnet_walk(m->w, senses, n, WORDNET_MERONYM, 1, visit_part, m);
}

static struct maker maker_of(const struct wordnet *w, const struct cs_rules *rules, int lang)
{
    struct maker m = {.table = MEM_NEW(struct relate),
                      .w = cs_knows_language(lang) ? w : NULL,
                      .rules = rules,
                      .stemmer = stemmer_new(64),
                      .lang = lang};

    map_init(&m.table->terms);
    m.table->floor = (float)rules->floor;
    return m;
}

static void put_item(struct maker *m, const struct topic_item *item)
{
    LOCAL_BUF joined = BUF_INIT(WORDNET_LEMMA);

    for (uint32_t i = 0; i < item->nwords; i++) {
        put_word(m, item->words[i], 1);
        put_kin(m, item->words[i]);
        if (i > 0)
            buf_add_char(&joined, '_');
        buf_add_str(&joined, item->words[i]);
    }
    if (item->nwords > 1 && !joined.full)
        put_kin(m, buf_str(&joined));
}

struct relate *relate_new(const struct wordnet *w, const struct cs_rules *rules,
                          const struct topic *topic)
{
    struct maker m = maker_of(w, rules, topic->lang);

    for (size_t i = 0; i < topic->nitems; i++) {
        if (topic->items[i].weight > 0)
            put_item(&m, &topic->items[i]);
    }
    stemmer_free(m.stemmer);
    return m.table;
}

void relate_free(struct relate *r)
{
    if (r == NULL)
        return;
    map_free(&r->terms);
    free(r);
}

/* ---- queries --------------------------------------------------------------------- */

float relate_term(const struct relate *r, uint32_t term)
{
    uint32_t bits = map_get(&r->terms, hash_u64(term));

    return bits == MAP_NONE ? r->floor : as_float(bits);
}

float relate_span(const struct relate *r, const struct profile *p, struct span span)
{
    uint32_t first = p->ntitle + 1; /* page->words begin here */
    uint32_t nwords = p->nsequence > first ? p->nsequence - first : 0;
    float best = r->floor;

    for (uint32_t i = span.from; i < span.to && i < nwords; i++) {
        uint32_t at = first + i;
        float cs;

        if (p->stops && p->stops[at / 64] >> at % 64 & 1)
            continue;
        cs = relate_term(r, p->sequence[at]);
        if (cs > best)
            best = cs;
    }
    return best;
}

float relate_cosine(const float *d, const float *q, size_t n)
{
    double dot = 0, dd = 0, qq = 0;

    for (size_t i = 0; i < n; i++) {
        dot += (double)d[i] * (double)q[i];
        dd += (double)d[i] * (double)d[i];
        qq += (double)q[i] * (double)q[i];
    }
    return vec_ratio(dot, dd, qq);
}

float relate_page(const struct relate *r, const struct profile *p, const struct df_table *df,
                  size_t n)
{
    struct top_term top[RELATE_TERMS_MAX];
    float d[RELATE_TERMS_MAX], q[RELATE_TERMS_MAX];

    if (n == 0)
        n = RELATE_TERMS;
    n = top_terms(p, df, n < RELATE_TERMS_MAX ? n : RELATE_TERMS_MAX, top);
    for (size_t i = 0; i < n; i++) {
        d[i] = top[i].weight;
        q[i] = relate_term(r, top[i].id);
    }
    return relate_cosine(d, q, n);
}
