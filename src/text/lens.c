/* lens.c - a topic as a vector, with its words stemmed in one language.
 *
 * Workload: one lens_relevance() and one lens_similarity() a page of 400
 * distinct terms, and one of either a link context; lens_weigh() some ten times
 * while a crawl doubles. Vectors are merged in ascending order of ids, which
 * fixes the order of the sums; phrases follow in the topic's order.
 * SPDX-License-Identifier: MIT */
#include "text/lens.h"

#include "base/mem.h"
#include "text/classify.h"
#include "text/vec.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>

#define ROCCHIO_PLUS  0.75
#define ROCCHIO_MINUS 0.25
#define ROCCHIO_TERMS 256 /* beside the topic's own */
#define TF_TABLE      256 /* smaller counts need no logarithm */
#define FEW_WORDS     16  /* of a topic: with fewer, searching is faster than merging */

static double tf_table[TF_TABLE]; /* 1 + ln i; filled before main() */

__attribute__((constructor)) static void tf_fill(void)
{
    for (uint32_t i = 0; i < TF_TABLE; i++)
        tf_table[i] = vec_tf(i);
}

/* One dimension: a weight, or a value computed from it. */
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
    uint32_t count; /* in the current document */
};

struct lens {
    const struct topic *topic;
    struct lens **parts;  /* of a joint topic, topic->nparts of them */
    struct weight *words; /* of single words, ascending, before idf */
    size_t nwords;
    struct weight *raw; /* topic_terms() under this language, ascending */
    size_t nraw;
    double raw_square;      /* |raw|^2 */
    struct phrase *phrases; /* ascending by first word */
    size_t nphrases;
    uint64_t first_words;  /* bit id % 64 is set if a phrase begins with such an id */
    uint32_t *phrase_ids;  /* memory of all phrases' ids */
    struct weight *vector; /* ascending; documents are multiplied with it */
    size_t nvector;
    double plus_square; /* |q+|^2, with phrases */
    double scale;       /* the factor of the topic's own words in the vector */
    bool drops_stops;   /* drops words that are stop words in this language */
    bool has_negative;  /* it has negative words or phrases */
};

/* ---- vectors ---- */

static int weight_cmp(const void *a, const void *b)
{
    const struct weight *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value; /* for a fixed order of sums */
}

/* The largest comes first. */
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

/* Returns 0 where a phrase has no word (text/topic_int.h), as the sequence of a page does. */
static uint32_t id_of(struct stemmer *s, int lang, struct str word)
{
    bool stop;

    return word.len > 0 ? term_id(stem_word(s, lang, word, &stop)) : 0;
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
static void phrases_merge(struct lens *l)
{
    size_t used = 0;

    if (l->nphrases > 0)
        qsort(l->phrases, l->nphrases, sizeof *l->phrases, phrase_cmp);
    for (size_t i = 0; i < l->nphrases; i++) {
        struct phrase *p = &l->phrases[i], *last = used ? &l->phrases[used - 1] : NULL;

        if (last && last->n == p->n && memcmp(last->ids, p->ids, p->n * sizeof *p->ids) == 0)
            last->weight += p->weight;
        else
            l->phrases[used++] = *p;
        l->first_words |= UINT64_C(1) << (p->ids[0] & 63);
    }
    l->nphrases = used;
}

static void lens_fill(struct lens *l, int lang, struct stemmer *s)
{
    uint32_t *ids = l->phrase_ids;

    for (size_t i = 0; i < l->topic->nitems; i++) {
        const struct topic_item *item = &l->topic->items[i];

        l->has_negative |= item->weight < 0;
        if (item->nwords == 1) {
            l->words[l->nwords++] = (struct weight){id_of(s, lang, item->words[0]), item->weight};
            continue;
        }
        l->phrases[l->nphrases++] =
            (struct phrase){.ids = ids, .n = item->nwords, .weight = item->weight};
        for (uint32_t k = 0; k < item->nwords; k++)
            *ids++ = id_of(s, lang, item->words[k]);
    }
}

/* Drops single stop words of this language, if other words are left: the topic may be written in
 * another language than was assumed ("Geschichte der Netzwerke"). */
static void lens_drop_stops(struct lens *l, int lang, struct stemmer *s)
{
    size_t used = 0, k = 0;

    if (l->topic->keeps_stops || lang == l->topic->lang)
        return;
    for (size_t i = 0; i < l->topic->nitems; i++) {
        const struct topic_item *item = &l->topic->items[i];
        bool stop;

        if (item->nwords != 1)
            continue;
        (void)stem_word(s, lang, item->words[0], &stop);
        if (!stop)
            l->words[used++] = l->words[k];
        k++;
    }
    l->drops_stops = used > 0;
    if (used > 0)
        l->nwords = used;
}

/* The terms of positive words and phrases, as topic_terms() has them. */
static void lens_fill_raw(struct lens *l, int lang, struct stemmer *s)
{
    for (size_t i = 0; i < l->topic->nitems; i++) {
        const struct topic_item *item = &l->topic->items[i];

        for (uint32_t k = 0; item->weight > 0 && k < item->nwords; k++) {
            bool stop;
            struct str stem = stem_word(s, lang, item->words[k], &stop);

            if (item->words[k].len == 0)
                continue;
            if (!stop || (item->nwords == 1 && !l->drops_stops))
                l->raw[l->nraw++] = (struct weight){term_id(stem), item->weight};
        }
    }
    l->nraw = weights_merge(l->raw, l->nraw);
    for (size_t i = 0; i < l->nraw; i++)
        l->raw_square += l->raw[i].value * l->raw[i].value;
}

struct lens *lens_new(const struct topic *t, int lang, struct stemmer *s)
{
    struct lens *l = MEM_NEW(struct lens);
    size_t all = 1;

    l->topic = t;
    for (size_t i = 0; i < t->nitems; i++)
        all += t->items[i].nwords;
    l->words = mem_zero(all, sizeof *l->words);
    l->raw = mem_zero(all, sizeof *l->raw);
    l->phrases = mem_zero(all, sizeof *l->phrases);
    l->phrase_ids = mem_zero(all, sizeof *l->phrase_ids);
    if (t->nparts > 0)
        l->parts = mem_zero(t->nparts, sizeof(struct lens *));
    for (size_t i = 0; i < t->nparts; i++)
        l->parts[i] = lens_new(t->parts[i], lang, s);
    lens_fill(l, lang, s);
    lens_drop_stops(l, lang, s);
    lens_fill_raw(l, lang, s);
    l->nwords = weights_merge(l->words, l->nwords);
    phrases_merge(l);
    lens_weigh(l, NULL);
    return l;
}

void lens_free(struct lens *l)
{
    if (l == NULL)
        return;
    for (size_t i = 0; i < l->topic->nparts; i++)
        lens_free(l->parts[i]);
    free(l->parts);
    free(l->words);
    free(l->raw);
    free(l->phrases);
    free(l->phrase_ids);
    free(l->vector);
    free(l);
}

struct lens *lens_part(const struct lens *l, size_t i)
{
    return l->parts[i];
}

/* ---- weights ---- */

static double plus_square(const struct lens *l)
{
    double sum = 0;

    for (size_t i = 0; i < l->nvector; i++)
        if (l->vector[i].value > 0)
            sum += l->vector[i].value * l->vector[i].value;
    for (size_t i = 0; i < l->nphrases; i++)
        if (l->phrases[i].value > 0)
            sum += l->phrases[i].value * l->phrases[i].value;
    return sum;
}

static void lens_scale(struct lens *l, double factor)
{
    for (size_t i = 0; i < l->nvector; i++)
        l->vector[i].value *= factor;
    for (size_t i = 0; i < l->nphrases; i++)
        l->phrases[i].value *= factor;
}

/* Adds one example to the end of the vector, scaled to the length `share`. */
static void add_sample(struct lens *l, const struct classify_example *sample, double share,
                       const struct df_table *df)
{
    struct weight *to = l->vector + l->nvector;
    double sum = 0;

    for (size_t i = 0; i < sample->nterms; i++) {
        struct term t = sample->terms[i];

        to[i] = (struct weight){t.id, vec_tf(t.count) * (double)df_idf(df, t.id)};
        sum += to[i].value * to[i].value;
    }
    for (size_t i = 0; i < sample->nterms; i++)
        to[i].value *= share / sqrt(sum);
    l->nvector += sample->nterms;
}

static void rocchio(struct lens *l, const struct df_table *df)
{
    const struct topic *t = l->topic;
    size_t plus = 0, all = l->nvector, most = l->nwords + ROCCHIO_TERMS;
    double own = plus_square(l);

    for (size_t i = 0; i < t->nsamples; i++) {
        plus += t->samples[i].is_positive;
        all += t->samples[i].nterms;
    }
    l->vector = mem_resize(l->vector, all + 1, sizeof *l->vector);
    l->scale = own > 0 ? 1 / sqrt(own) : 1;
    lens_scale(l, l->scale);
    for (size_t i = 0; i < t->nsamples; i++) {
        bool is_plus = t->samples[i].is_positive;
        double share =
            is_plus ? ROCCHIO_PLUS / (double)plus : -ROCCHIO_MINUS / (double)(t->nsamples - plus);

        add_sample(l, &t->samples[i], share, df);
    }
    l->nvector = weights_merge(l->vector, l->nvector);
    if (l->nvector > most) {
        qsort(l->vector, l->nvector, sizeof *l->vector, size_cmp);
        l->nvector = weights_merge(l->vector, most);
    }
}

void lens_weigh(struct lens *l, const struct df_table *df)
{
    for (size_t i = 0; i < l->topic->nparts; i++)
        lens_weigh(l->parts[i], df);
    l->vector = mem_resize(l->vector, l->nwords + 1, sizeof *l->vector);
    l->nvector = l->nwords;
    for (size_t i = 0; i < l->nwords; i++)
        l->vector[i] =
            (struct weight){l->words[i].id, l->words[i].value * (double)df_idf(df, l->words[i].id)};
    for (size_t i = 0; i < l->nphrases; i++) {
        struct phrase *p = &l->phrases[i];

        p->idf = 0;
        for (uint32_t k = 0; k < p->n; k++)
            p->idf = fmax(p->idf, (double)df_idf(df, p->ids[k]));
        p->value = p->weight * p->idf;
    }
    l->scale = 1;
    if (l->topic->nsamples > 0)
        rocchio(l, df);
    l->plus_square = plus_square(l);
}

/* ---- measuring ---- */

static inline double tf_of(uint32_t count)
{
    return count < TF_TABLE ? tf_table[count] : vec_tf(count);
}

double lens_tf(uint32_t count)
{
    return tf_of(count);
}

/* Counts the phrases that begin at the first of `left` words. */
static void phrases_at(struct lens *l, const uint32_t *words, size_t left)
{
    size_t low = 0, high = l->nphrases;

    while (low < high) { /* the first phrase that begins with words[0] or above */
        size_t mid = (low + high) / 2;

        if (l->phrases[mid].ids[0] < words[0])
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < l->nphrases && l->phrases[low].ids[0] == words[0]; low++) {
        struct phrase *p = &l->phrases[low];

        if (p->n <= left && memcmp(p->ids, words, p->n * sizeof *words) == 0)
            p->count++;
    }
}

static void phrases_count(struct lens *l, const uint32_t *sequence, size_t length)
{
    for (size_t i = 0; i < l->nphrases; i++)
        l->phrases[i].count = 0;
    for (size_t i = 0; i < length; i++)
        if (l->first_words >> (sequence[i] & 63) & 1)
            phrases_at(l, sequence + i, length - i);
}

double lens_square(const struct term *terms, size_t nterms, const struct df_table *df)
{
    double square = 0;

    for (size_t i = 0; i < nterms; i++) {
        double w = tf_of(terms[i].count) * (double)df_idf(df, terms[i].id);

        square += w * w;
    }
    return square;
}

/* A topic of a few words searches for each of them; one of many words merges. */
static double lens_dot(const struct lens *l, const struct term *terms, size_t nterms,
                       const struct df_table *df)
{
    bool few = l->nvector <= FEW_WORDS;
    double dot = 0;
    size_t at = 0;

    for (size_t k = 0; k < l->nvector && at < nterms; k++) {
        const struct weight *v = &l->vector[k];
        uint32_t count = 0;

        if (few) {
            count = vec_find(terms, nterms, v->id);
        } else {
            while (at < nterms && terms[at].id < v->id)
                at++;
            if (at < nterms && terms[at].id == v->id)
                count = terms[at].count;
        }
        if (count > 0)
            dot += tf_of(count) * (double)df_idf(df, v->id) * v->value;
    }
    return dot;
}

/* Returns the share of a document's cosine that negative words leave: 1 - (what they take) / (what
 * everything else gives), at least 0. Phrases were counted before. */
static double share_left(const struct lens *l, const struct term *terms, size_t nterms,
                         const struct df_table *df)
{
    double plus = 0, minus = 0;

    for (size_t i = 0; i < l->nvector; i++)
        if (l->vector[i].value > 0)
            plus += tf_of(vec_find(terms, nterms, l->vector[i].id)) *
                    (double)df_idf(df, l->vector[i].id) * l->vector[i].value;
    for (size_t i = 0; i < l->nwords; i++) {
        double idf = (double)df_idf(df, l->words[i].id);

        if (l->words[i].value < 0)
            minus -= tf_of(vec_find(terms, nterms, l->words[i].id)) * idf * idf * l->scale *
                     l->words[i].value;
    }
    for (size_t i = 0; i < l->nphrases; i++) {
        double part = tf_of(l->phrases[i].count) * l->phrases[i].idf * l->phrases[i].value;

        plus += part > 0 ? part : 0;
        minus -= part < 0 ? part : 0;
    }
    return minus <= 0 ? 1 : minus < plus ? 1 - minus / plus : 0;
}

/* The trained classifier's probability, times what negative words leave. */
static float probability(struct lens *l, const struct term *terms, size_t nterms, double square,
                         const uint32_t *sequence, size_t length, const struct df_table *df)
{
    const struct classifier *c = l->topic->classifier;
    double p;

    p = (double)classify_probability(c, terms, nterms, classify_table(c) == df ? square : -1);
    if (!l->has_negative)
        return (float)p;
    phrases_count(l, sequence, length);
    return (float)(p * share_left(l, terms, nterms, df));
}

float lens_relevance(struct lens *l, const struct term *terms, size_t nterms, double square,
                     const uint32_t *sequence, size_t length, const struct df_table *df)
{
    double dot;

    if (l->parts) {
        float best = 0;

        for (size_t i = 0; i < l->topic->nparts; i++)
            best = fmaxf(best,
                         lens_relevance(l->parts[i], terms, nterms, square, sequence, length, df));
        return best;
    }
    if (l->topic->classifier && nterms > 0)
        return probability(l, terms, nterms, square, sequence, length, df);
    dot = lens_dot(l, terms, nterms, df);
    if (l->nphrases > 0)
        phrases_count(l, sequence, length);
    for (size_t i = 0; i < l->nphrases; i++) {
        double w = tf_of(l->phrases[i].count) * l->phrases[i].idf;

        square += w * w;
        dot += w * l->phrases[i].value;
    }
    return vec_ratio(dot, square, l->plus_square);
}

float lens_similarity(const struct lens *l, const struct term *terms, size_t nterms,
                      double raw_square)
{
    double dot = 0;
    float best = 0;

    for (size_t i = 0; i < l->topic->nparts; i++)
        best = fmaxf(best, lens_similarity(l->parts[i], terms, nterms, raw_square));
    if (l->parts)
        return best;
    for (size_t i = 0; i < l->nraw; i++)
        dot += l->raw[i].value * vec_find(terms, nterms, l->raw[i].id);
    return vec_ratio(dot, raw_square, l->raw_square);
}
