/* appraisal.c - judges all pages of a crawl once more. See appraisal.h.
 *
 * Workload: training on 2,000 pages takes some ten milliseconds; after that a page costs a lookup
 * for each of its terms. SPDX-License-Identifier: MIT */
#include "text/appraisal.h"

#include "base/mem.h"
#include "base/rng.h"
#include "text/guide.h"
#include "text/profile.h"
#include "text/topic.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>

#define FOLDS          5   /* at most: guides that each leave out some of the start pages */
#define SEEDS          200 /* start pages that are examples; more count as other pages */

#define LIST           0.25 /* factor of a page of nothing but links, compared with a document */
#define DOCUMENT       400  /* bytes of main text that make a document */
#define DOCUMENT_SHARE 0.1  /* of all text, that is main text in a document */
#define LINKED_SHARE   0.5  /* of the main text of a document, that is links: at most */

struct seen_page {
    struct profile profile; /* profile_copy() */
    uint32_t page;
    int relevant; /* of marks only */
};

struct pages {
    struct seen_page *list;
    size_t count, cap;
};

struct appraisal {
    const struct topic *topic;
    bool has_examples; /* of both kinds: the guide does not learn from other pages */
    struct vocab *vocab;
    struct df_table *df;
    struct pages seeds, others, marks;
    uint64_t seen; /* pages that are neither start pages nor marked */
    struct rng rng;
    struct guide *guide;          /* trained on everything */
    struct guide *without[FOLDS]; /* trained without every FOLDS-th start page; made when needed */
};

static bool has_both_kinds(const struct topic *t)
{
    bool any[2] = {false, false}, is_positive;
    size_t nterms;

    for (size_t i = 0; i < topic_samples(t); i++) {
        (void)topic_sample(t, i, &nterms, &is_positive);
        any[is_positive] = true;
    }
    return any[0] && any[1];
}

struct appraisal *appraisal_new(const struct topic *t)
{
    struct appraisal *a = MEM_NEW(struct appraisal);

    a->topic = t;
    a->has_examples = has_both_kinds(t);
    a->vocab = vocab_new();
    rng_init(&a->rng, 1);
    return a;
}

static void pages_free(struct pages *p)
{
    for (size_t i = 0; i < p->count; i++)
        profile_drop(&p->list[i].profile);
    free(p->list);
}

void appraisal_free(struct appraisal *a)
{
    if (a == NULL)
        return;
    vocab_free(a->vocab);
    df_release(a->df);
    pages_free(&a->seeds);
    pages_free(&a->others);
    pages_free(&a->marks);
    guide_free(a->guide);
    for (size_t i = 0; i < FOLDS; i++)
        guide_free(a->without[i]);
    free(a);
}

static struct seen_page copy_of(uint32_t page, const struct profile *p)
{
    return (struct seen_page){.page = page, .profile = profile_copy(p)};
}

static void pages_add(struct pages *to, struct seen_page one)
{
    MEM_GROW(to->list, to->count, &to->cap);
    to->list[to->count++] = one;
}

void appraisal_see(struct appraisal *a, uint32_t page, const struct profile *p, bool is_seed)
{
    size_t at;

    vocab_add(a->vocab, p);
    if (is_seed && a->seeds.count < SEEDS) {
        pages_add(&a->seeds, copy_of(page, p));
        return;
    }
    a->seen++;
    if (a->others.count < APPRAISAL_DRAW) {
        pages_add(&a->others, copy_of(page, p));
        return;
    }
    at = (size_t)rng_below(&a->rng, a->seen);
    if (at >= a->others.count)
        return;
    profile_drop(&a->others.list[at].profile);
    a->others.list[at] = copy_of(page, p);
}

void appraisal_teach(struct appraisal *a, uint32_t page, const struct profile *p, int relevant)
{
    struct seen_page one = copy_of(page, p);

    one.relevant = relevant;
    pages_add(&a->marks, one);
}

static void ignore(void *ctx UNUSED, uint32_t page UNUSED, double p UNUSED)
{
}

/* Makes a guide with all start pages but those of a fold; with all, if `fold` is FOLDS. */
static struct guide *make_guide(const struct appraisal *a, size_t fold)
{
    struct guide_config config = {.memory = 2 * SEEDS + APPRAISAL_DRAW, .is_exact = true};
    struct guide *g = guide_new(a->topic, &config);

    for (size_t i = 0; i < a->seeds.count; i++)
        if (i % FOLDS != fold)
            (void)guide_add(g, &a->seeds.list[i].profile, a->df, a->seeds.list[i].page, true);
    for (size_t i = 0; i < a->others.count; i++)
        (void)guide_add(g, &a->others.list[i].profile, a->df, a->others.list[i].page, false);
    for (size_t i = 0; i < a->marks.count; i++)
        guide_teach(g, a->marks.list[i].page, a->marks.list[i].profile.terms,
                    a->marks.list[i].profile.nterms, a->marks.list[i].relevant);
    if (!a->has_examples)
        guide_train(g, a->df, NULL, ignore, NULL);
    return g;
}

void appraisal_learn(struct appraisal *a)
{
    a->df = vocab_publish(a->vocab);
    a->guide = make_guide(a, FOLDS);
}

size_t text_linked(const struct passage *main, size_t nmain, const struct span *anchors, size_t n)
{
    size_t linked = 0, at = 0;
    uint32_t done = 0; /* anchors that overlap count once, and take no more time than others */

    for (size_t i = 0; i < n; i++) {
        uint32_t begin = anchors[i].from > done ? anchors[i].from : done;

        while (at < nmain && main[at].off + main[at].len <= begin)
            at++;
        for (size_t k = at; k < nmain && begin < anchors[i].to && main[k].off < anchors[i].to;
             k++) {
            uint32_t from = main[k].off, to = from + main[k].len;

            from = from > begin ? from : begin;
            to = to < anchors[i].to ? to : anchors[i].to;
            linked += to > from ? to - from : 0;
        }
        done = anchors[i].to > done ? anchors[i].to : done;
    }
    return linked;
}

/* The places of the anchors in the text; NULL: their words have none (in a simulation). */
static struct span *anchors_of(const struct page *page, size_t *n)
{
    struct span *anchors;

    *n = 0;
    if (page->words == NULL || page->nlinks == 0)
        return NULL;
    anchors = mem_alloc(page->nlinks * sizeof *anchors);
    for (uint32_t i = 0; i < page->nlinks; i++) {
        struct span words = page->links[i].anchor;

        if (words.from < words.to && words.to <= page->nwords)
            anchors[(*n)++] =
                (struct span){page->words[words.from].off,
                              page->words[words.to - 1].off + page->words[words.to - 1].len};
    }
    return anchors;
}

struct text_extent text_extent_of(const struct page *page)
{
    struct text_extent e = {.all = page->text.len};
    size_t n;
    LOCAL_HEAP struct span *anchors = anchors_of(page, &n);

    for (uint32_t i = 0; i < page->nmain; i++)
        e.main += page->main[i].len;
    e.linked = text_linked(page->main, page->nmain, anchors, n);
    return e;
}

double appraisal_document(struct str mime, const struct text_extent *e)
{
    bool is_page =
        str_starts_i(mime, STR("text/html")) || str_starts_i(mime, STR("application/xhtml"));
    bool is_feed = !is_page && str_ends_i(mime, STR("xml"));
    double main = (double)e->main;
    double share = fmin(main / DOCUMENT, main / (DOCUMENT_SHARE * (double)e->all + 1));

    if (is_feed || !is_page)
        return is_feed ? LIST : 1;
    if (e->main > 0)
        share = fmin(share, fmax(0, main - (double)e->linked) / (main * (1 - LINKED_SHARE)));
    return share < 1 ? LIST + (1 - LIST) * share : 1;
}

double appraisal_of(struct appraisal *a, uint32_t page, const struct profile *p)
{
    size_t at = 0;

    while (at < a->seeds.count && a->seeds.list[at].page != page)
        at++;
    if (at == a->seeds.count)
        return guide_probability(a->guide, p, a->df);
    if (a->has_examples) /* the guide leaves the page out itself, without a training for each */
        return guide_seed_probability(a->guide, page, guide_probability(a->guide, p, a->df));
    if (a->without[at % FOLDS] == NULL)
        a->without[at % FOLDS] = make_guide(a, at % FOLDS);
    return guide_probability(a->without[at % FOLDS], p, a->df);
}
