/* self_training.c - trains a classifier of pages on the topic's examples and on visited pages.
 *
 * Limit: guesses are not weaker than examples in training; they are only kept out of
 * calibration and estimate.
 * SPDX-License-Identifier: MIT */
#include "models/classifier/self_training.h"

#include "agent/page_memory.h"
#include "base/mem.h"
#include "base/order.h"
#include "text/classify.h"
#include "text/topic.h"

#include <stdlib.h>

static void drop_at(struct marked_pages *m, size_t i)
{
    free((void *)m->items[i].terms);
    m->count--;
    memmove(&m->items[i], &m->items[i + 1], (m->count - i) * sizeof *m->items);
    memmove(&m->urls[i], &m->urls[i + 1], (m->count - i) * sizeof *m->urls);
}

static size_t place_of(const struct marked_pages *m, uint32_t url)
{
    size_t i = 0;

    while (i < m->count && m->urls[i] != url)
        i++;
    return i;
}

static void add(struct marked_pages *m, uint32_t url, const struct term *terms, size_t nterms,
                bool positive)
{
    struct term *own = mem_alloc(nterms * sizeof *own);

    if (m->items == NULL) {
        m->items = mem_zero(PAGE_MARKS_MOST, sizeof *m->items);
        m->urls = mem_zero(PAGE_MARKS_MOST, sizeof *m->urls);
    }
    if (m->count == PAGE_MARKS_MOST)
        drop_at(m, 0);
    memcpy(own, terms, nterms * sizeof *own);
    m->urls[m->count] = url;
    m->items[m->count++] =
        (struct classify_example){.terms = own, .nterms = nterms, .is_positive = positive};
}

bool page_marks_set(struct marked_pages *m, uint32_t url, const struct term *terms, size_t nterms,
                    int relevant)
{
    size_t at = place_of(m, url);
    bool known = at < m->count;

    if (relevant < 0) {
        if (known)
            drop_at(m, at);
        return known;
    }
    if (known && m->items[at].is_positive == (relevant > 0))
        return false;
    if (known)
        m->items[at].is_positive = relevant > 0;
    else if (nterms > 0 && nterms <= PAGE_MEMORY_TERMS)
        add(m, url, terms, nterms, relevant > 0);
    else
        return false;
    return true;
}

void page_marks_clear(struct marked_pages *m)
{
    for (size_t i = 0; i < m->count; i++)
        free((void *)m->items[i].terms);
    free(m->items);
    free(m->urls);
    *m = (struct marked_pages){0};
}

/* Is there a mark with exactly these terms? */
static bool marks_have(const struct classify_example *marks, size_t n, const struct term *terms,
                       size_t nterms)
{
    for (size_t i = 0; i < n; i++)
        if (marks[i].nterms == nterms && memcmp(marks[i].terms, terms, nterms * sizeof *terms) == 0)
            return true;
    return false;
}

#define AGAIN_FOLDS    3 /* when it trains again: folds cost a training each, and the curve is known */
#define POSITIVE_SHARE 5 /* one in five of the pages seen: the most relevant */
#define NEGATIVE_SHARE 2 /* one in two: the least relevant */

struct examples {
    struct classify_example *items;
    size_t n;
    size_t marks, nmarks; /* the user's marks: their place and number */
};

static void add_guess(struct examples *e, const struct remembered_page *p, bool positive)
{
    if (marks_have(e->items + e->marks, e->nmarks, p->terms, p->nterms))
        return; /* the user's mark counts */
    e->items[e->n++] = (struct classify_example){
        .terms = p->terms, .nterms = p->nterms, .is_positive = positive, .is_guess = true};
}

static void add_samples(struct examples *e, const struct topic *t)
{
    for (size_t i = 0; t && i < topic_samples(t); i++) {
        struct classify_example *x = &e->items[e->n++];

        *x = (struct classify_example){0};
        x->terms = topic_sample(t, i, &x->nterms, &x->is_positive);
    }
}

static void add_marks(struct examples *e, const struct self_training *how)
{
    e->marks = e->n;
    e->nmarks = how->nmarks;
    for (size_t i = 0; i < how->nmarks; i++)
        e->items[e->n++] = how->marks[i];
}

/* Counts the topic's examples: [0] negative, [1] positive. */
static void count_samples(const struct topic *t, size_t ret[2])
{
    ret[0] = ret[1] = 0;
    for (size_t i = 0; t && i < topic_samples(t); i++) {
        bool positive;
        size_t nterms;

        (void)topic_sample(t, i, &nterms, &positive);
        ret[positive]++;
    }
}

bool self_training_has_examples(const struct topic *t)
{
    size_t n[2];

    count_samples(t, n);
    return n[0] > 0 && n[1] > 0;
}

bool self_training_is_vouched(const struct self_training *how, const struct topic *t)
{
    size_t n[2];

    count_samples(t, n);
    if (n[0] > 0 && n[1] > 0)
        return true;
    for (size_t i = 0; i < how->nmarks; i++)
        n[how->marks[i].is_positive]++;
    return n[0] >= SELF_TRAINING_LEAST && n[1] >= SELF_TRAINING_LEAST;
}

const struct df_table *self_training_table(const struct topic *t)
{
    const struct classifier *c = t ? topic_classifier(t) : NULL;

    return c ? classify_table(c) : NULL;
}

/* ---- with examples: pages of which the present classifier is sure ---- */

static void add_confident(struct examples *e, const struct self_training *how,
                          const struct page_memory *memory, const struct classifier *present)
{
    signed char *verdict = mem_zero(memory->count + 1, 1); /* 1, -1, or 0: not sure */
    size_t plus = 0, minus = 0, each;

    for (size_t i = 0; i < memory->count; i++) {
        const struct remembered_page *p = page_memory_at(memory, i);
        double probability = (double)classify_probability(present, p->terms, p->nterms, -1);

        verdict[i] = probability >= how->high ? 1 : probability <= how->low ? -1 : 0;
        plus += verdict[i] > 0;
        minus += verdict[i] < 0;
    }
    each = plus < minus ? plus : minus;
    plus = minus = 0;
    for (size_t i = memory->count; i-- > 0;) {
        if (verdict[i] > 0 && plus < each)
            plus++, add_guess(e, page_memory_at(memory, i), true);
        else if (verdict[i] < 0 && minus < each)
            minus++, add_guess(e, page_memory_at(memory, i), false);
    }
    free(verdict);
}

/* ---- without examples: the topic's relevance decides ---- */

struct ranked_mark {
    float relevance;
    size_t place;
};

ORDER(ranked_cmp, struct ranked_mark, DOWN(relevance) ?: UP(place))

static void add_taught(struct examples *e, const struct page_memory *memory)
{
    LOCAL_HEAP struct ranked_mark *all = mem_zero(memory->count + 1, sizeof *all);
    size_t plus = memory->count / POSITIVE_SHARE, minus = memory->count / NEGATIVE_SHARE;

    for (size_t i = 0; i < memory->count; i++)
        all[i] = (struct ranked_mark){page_memory_at(memory, i)->relevance, i};
    qsort(all, memory->count, sizeof *all, ranked_cmp);
    while (plus > 0 && !(all[plus - 1].relevance > 0))
        plus--;
    if (plus >= SELF_TRAINING_LEAST &&
        all[plus - 1].relevance > all[memory->count - minus].relevance) {
        for (size_t i = 0; i < plus; i++)
            add_guess(e, page_memory_at(memory, all[i].place), true);
        for (size_t i = memory->count - minus; i < memory->count; i++)
            add_guess(e, page_memory_at(memory, all[i].place), false);
    }
}

struct classifier *self_train(const struct self_training *how, const struct topic *t,
                              const struct page_memory *memory, const struct classifier *present)
{
    size_t most = (t ? topic_samples(t) : 0) + how->nmarks + memory->count + 1;
    struct examples e = {.items = mem_zero(most, sizeof *e.items)};
    struct classify_config config = how->config;
    struct classifier *c = NULL;

    if (present)
        config.folds = AGAIN_FOLDS;
    add_samples(&e, t);
    add_marks(&e, how);
    if (!self_training_is_vouched(how, t))
        add_taught(&e, memory);
    else if (present)
        add_confident(&e, how, memory, present);
    if (classify_train(e.items, e.n, self_training_table(t), &config, &c) != ST_OK)
        c = NULL; /* only examples of one kind so far */
    free(e.items);
    return c;
}
