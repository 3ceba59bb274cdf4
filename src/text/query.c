/* query.c - a topic as a vector, under one language.
 *
 * Workload: one query_relevance() and one query_similarity() a page of 400
 * distinct terms, and one of either a link context; query_weigh() some ten times
 * while a crawl doubles. Vectors are merged in ascending order of ids, which
 * fixes the order of the sums; phrases follow in the topic's order.
 * SPDX-License-Identifier: MIT */
#include "text/query.h"

#include "base/mem.h"
#include "text/vec.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>

#define ROCCHIO_PLUS  0.75
#define ROCCHIO_MINUS 0.25
#define ROCCHIO_TERMS 256 /* beside the topic's own */
#define TF_TABLE      256 /* smaller counts need no logarithm */

/* One dimension: a weight, or what became of it. */
struct weight {
    uint32_t id;
    double value;
};

struct phrase {
    uint32_t *ids; /* terms of its words */
    uint32_t n;    /* 2 to LIMIT_PHRASE_WORDS */
    double weight;
    double idf;     /* of its rarest word */
    double value;   /* weight * idf, on the scale of the vector */
    uint32_t count; /* in the document at hand */
};

struct query {
    const struct topic *topic;
    struct weight *words; /* of single words, ascending, before idf */
    size_t nwords;
    struct weight *raw; /* topic_terms() under this language, ascending */
    size_t nraw;
    double raw_square;      /* |raw|^2 */
    struct phrase *phrases; /* ascending by first word */
    size_t nphrases;
    uint64_t first_words;  /* bit id % 64 set: a phrase may begin with it */
    uint32_t *phrase_ids;  /* memory of all phrases' ids */
    struct weight *vector; /* ascending: what documents are multiplied with */
    size_t nvector;
    double plus_square;  /* |q+|^2, phrases included */
    double tf[TF_TABLE]; /* 1 + ln i */
};

/* ---- vectors ---- */

static int weight_cmp(const void *a, const void *b)
{
    const struct weight *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value; /* for a fixed order of sums */
}

/* Largest first. */
static int size_cmp(const void *a, const void *b)
{
    double x = fabs(((const struct weight *)a)->value), y = fabs(((const struct weight *)b)->value);

    if (x != y)
        return x > y ? -1 : 1;
    return weight_cmp(a, b);
}

/* Sorts by id and adds up equal ones; returns how many are left. */
static size_t weights_merge(struct weight *w, size_t n)
{
    size_t used = 0;

    if (n > 0)
        qsort(w, n, sizeof *w, weight_cmp);
    for (size_t i = 0; i < n; i++) {
        if (used > 0 && w[used - 1].id == w[i].id)
            w[used - 1].value += w[i].value;
        else
            w[used++] = w[i];
    }
    return used;
}

/* ---- making ---- */

static uint32_t id_of(struct stemmer *s, int lang, struct str word)
{
    bool stop;

    return term_id(stem_word(s, lang, word, &stop));
}

static int phrase_cmp(const void *a, const void *b)
{
    const struct phrase *x = a, *y = b;
    uint32_t n = x->n < y->n ? x->n : y->n;

    for (uint32_t i = 0; i < n; i++)
        if (x->ids[i] != y->ids[i])
            return x->ids[i] < y->ids[i] ? -1 : 1;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return x->weight < y->weight ? -1 : x->weight > y->weight;
}

/* Equal phrases ("heat pump", "heat pumps") become one. */
static void phrases_merge(struct query *q)
{
    size_t used = 0;

    if (q->nphrases > 0)
        qsort(q->phrases, q->nphrases, sizeof *q->phrases, phrase_cmp);
    for (size_t i = 0; i < q->nphrases; i++) {
        struct phrase *p = &q->phrases[i], *last = used ? &q->phrases[used - 1] : NULL;

        if (last && last->n == p->n && memcmp(last->ids, p->ids, p->n * sizeof *p->ids) == 0)
            last->weight += p->weight;
        else
            q->phrases[used++] = *p;
        q->first_words |= UINT64_C(1) << (p->ids[0] & 63);
    }
    q->nphrases = used;
}

static void query_fill(struct query *q, int lang, struct stemmer *s)
{
    uint32_t *ids = q->phrase_ids;

    for (size_t i = 0; i < q->topic->nitems; i++) {
        const struct topic_item *item = &q->topic->items[i];

        if (item->nwords == 1) {
            q->words[q->nwords++] = (struct weight){id_of(s, lang, item->words[0]), item->weight};
            continue;
        }
        q->phrases[q->nphrases++] =
            (struct phrase){.ids = ids, .n = item->nwords, .weight = item->weight};
        for (uint32_t k = 0; k < item->nwords; k++)
            *ids++ = id_of(s, lang, item->words[k]);
    }
}

/* The terms of positive words and phrases, as topic_terms() has them. */
static void query_fill_raw(struct query *q, int lang, struct stemmer *s)
{
    for (size_t i = 0; i < q->topic->nitems; i++) {
        const struct topic_item *item = &q->topic->items[i];

        for (uint32_t k = 0; item->weight > 0 && k < item->nwords; k++) {
            bool stop;
            struct str stem = stem_word(s, lang, item->words[k], &stop);

            if (!stop || item->nwords == 1)
                q->raw[q->nraw++] = (struct weight){term_id(stem), item->weight};
        }
    }
    q->nraw = weights_merge(q->raw, q->nraw);
    for (size_t i = 0; i < q->nraw; i++)
        q->raw_square += q->raw[i].value * q->raw[i].value;
}

struct query *query_new(const struct topic *t, int lang, struct stemmer *s)
{
    struct query *q = MEM_NEW(struct query);
    size_t all = 1;

    q->topic = t;
    for (size_t i = 0; i < t->nitems; i++)
        all += t->items[i].nwords;
    q->words = mem_zero(all, sizeof *q->words);
    q->raw = mem_zero(all, sizeof *q->raw);
    q->phrases = mem_zero(all, sizeof *q->phrases);
    q->phrase_ids = mem_zero(all, sizeof *q->phrase_ids);
    query_fill(q, lang, s);
    query_fill_raw(q, lang, s);
    q->nwords = weights_merge(q->words, q->nwords);
    phrases_merge(q);
    for (uint32_t i = 0; i < TF_TABLE; i++)
        q->tf[i] = vec_tf(i);
    query_weigh(q, NULL);
    return q;
}

void query_free(struct query *q)
{
    if (q == NULL)
        return;
    free(q->words);
    free(q->raw);
    free(q->phrases);
    free(q->phrase_ids);
    free(q->vector);
    free(q);
}

/* ---- weights ---- */

static double plus_square(const struct query *q)
{
    double sum = 0;

    for (size_t i = 0; i < q->nvector; i++)
        if (q->vector[i].value > 0)
            sum += q->vector[i].value * q->vector[i].value;
    for (size_t i = 0; i < q->nphrases; i++)
        if (q->phrases[i].value > 0)
            sum += q->phrases[i].value * q->phrases[i].value;
    return sum;
}

static void query_scale(struct query *q, double factor)
{
    for (size_t i = 0; i < q->nvector; i++)
        q->vector[i].value *= factor;
    for (size_t i = 0; i < q->nphrases; i++)
        q->phrases[i].value *= factor;
}

/* Adds one example, its length made `share`, behind the vector. */
static void add_sample(struct query *q, const struct topic_sample *sample, double share,
                       const struct df_table *df)
{
    struct weight *to = q->vector + q->nvector;
    double sum = 0;

    for (size_t i = 0; i < sample->nterms; i++) {
        struct term t = sample->terms[i];

        to[i] = (struct weight){t.id, vec_tf(t.count) * (double)df_idf(df, t.id)};
        sum += to[i].value * to[i].value;
    }
    for (size_t i = 0; i < sample->nterms; i++)
        to[i].value *= share / sqrt(sum);
    q->nvector += sample->nterms;
}

static void rocchio(struct query *q, const struct df_table *df)
{
    const struct topic *t = q->topic;
    size_t plus = 0, all = q->nvector, most = q->nwords + ROCCHIO_TERMS;
    double own = plus_square(q);

    for (size_t i = 0; i < t->nsamples; i++) {
        plus += t->samples[i].is_positive;
        all += t->samples[i].nterms;
    }
    q->vector = mem_resize(q->vector, all + 1, sizeof *q->vector);
    if (own > 0)
        query_scale(q, 1 / sqrt(own));
    for (size_t i = 0; i < t->nsamples; i++) {
        bool is_plus = t->samples[i].is_positive;
        double share =
            is_plus ? ROCCHIO_PLUS / (double)plus : -ROCCHIO_MINUS / (double)(t->nsamples - plus);

        add_sample(q, &t->samples[i], share, df);
    }
    q->nvector = weights_merge(q->vector, q->nvector);
    if (q->nvector > most) {
        qsort(q->vector, q->nvector, sizeof *q->vector, size_cmp);
        q->nvector = weights_merge(q->vector, most);
    }
}

void query_weigh(struct query *q, const struct df_table *df)
{
    q->vector = mem_resize(q->vector, q->nwords + 1, sizeof *q->vector);
    q->nvector = q->nwords;
    for (size_t i = 0; i < q->nwords; i++)
        q->vector[i] =
            (struct weight){q->words[i].id, q->words[i].value * (double)df_idf(df, q->words[i].id)};
    for (size_t i = 0; i < q->nphrases; i++) {
        struct phrase *p = &q->phrases[i];

        p->idf = 0;
        for (uint32_t k = 0; k < p->n; k++)
            p->idf = fmax(p->idf, (double)df_idf(df, p->ids[k]));
        p->value = p->weight * p->idf;
    }
    if (q->topic->nsamples > 0)
        rocchio(q, df);
    q->plus_square = plus_square(q);
}

/* ---- measuring ---- */

static inline double tf_of(const struct query *q, uint32_t count)
{
    return count < TF_TABLE ? q->tf[count] : vec_tf(count);
}

/* Counts the phrases that begin at the first of `left` words. */
static void phrases_at(struct query *q, const uint32_t *words, size_t left)
{
    size_t low = 0, high = q->nphrases;

    while (low < high) { /* the first phrase that begins with words[0] or above */
        size_t mid = (low + high) / 2;

        if (q->phrases[mid].ids[0] < words[0])
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < q->nphrases && q->phrases[low].ids[0] == words[0]; low++) {
        struct phrase *p = &q->phrases[low];

        if (p->n <= left && memcmp(p->ids, words, p->n * sizeof *words) == 0)
            p->count++;
    }
}

static void phrases_count(struct query *q, const uint32_t *sequence, size_t length)
{
    for (size_t i = 0; i < q->nphrases; i++)
        q->phrases[i].count = 0;
    for (size_t i = 0; i < length; i++)
        if (q->first_words >> (sequence[i] & 63) & 1)
            phrases_at(q, sequence + i, length - i);
}

float query_relevance(struct query *q, const struct term *terms, size_t nterms,
                      const uint32_t *sequence, size_t length, const struct df_table *df)
{
    double dot = 0, square = 0;
    size_t k = 0;

    for (size_t i = 0; i < nterms; i++) {
        double w = tf_of(q, terms[i].count) * (double)df_idf(df, terms[i].id);

        square += w * w;
        while (k < q->nvector && q->vector[k].id < terms[i].id)
            k++;
        if (k < q->nvector && q->vector[k].id == terms[i].id)
            dot += w * q->vector[k].value;
    }
    if (q->nphrases > 0)
        phrases_count(q, sequence, length);
    for (size_t i = 0; i < q->nphrases; i++) {
        double w = tf_of(q, q->phrases[i].count) * q->phrases[i].idf;

        square += w * w;
        dot += w * q->phrases[i].value;
    }
    return vec_ratio(dot, square, q->plus_square);
}

float query_similarity(const struct query *q, const struct term *terms, size_t nterms)
{
    double dot = 0, square = 0;

    for (size_t i = 0; i < nterms; i++)
        square += (double)terms[i].count * terms[i].count;
    for (size_t i = 0; i < q->nraw; i++)
        dot += q->raw[i].value * vec_find(terms, nterms, q->raw[i].id);
    return vec_ratio(dot, square, q->raw_square);
}
