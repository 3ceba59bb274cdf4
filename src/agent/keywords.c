/* keywords.c - what an agent's net sees of a link.
 *
 * The text is read until the last occurrence that the profile counted, each word
 * with the last bits of a keyword looked up in a table of 512 slots. SPDX-License-Identifier: MIT */
#include "agent/keywords.h"

#include "base/mem.h"
#include "base/rng.h"
#include "text/vec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS (2 * KEYWORDS_MAX)
#define ENDS  1024
#define BATCH 512 /* words that are looked through at once */

/* Keywords by their number; at most half full. */
struct lookup {
    uint8_t ends[ENDS];    /* is there one that ends in these bits? */
    uint32_t words[SLOTS]; /* 0: free */
    uint16_t place[SLOTS];
};

static size_t slot_of(uint32_t word)
{
    return word * UINT32_C(2654435769) >> 23;
}

static_assert(SLOTS == 1 << (32 - 23), "slot_of() gives a slot");

/* Enters the keywords that are in the page; returns how often they are. */
static uint64_t lookup_fill(struct lookup *t, const struct profile *profile, const uint32_t *words,
                            size_t count)
{
    uint64_t expected = 0;

    assert(count <= KEYWORDS_MAX);
    for (size_t k = 0; k < count; k++) {
        uint32_t n = vec_find(profile->terms, profile->nterms, words[k]);
        size_t at = slot_of(words[k]);

        if (n == 0)
            continue;
        if (expected == 0) {
            memset(t->words, 0, sizeof t->words);
            memset(t->ends, 0, sizeof t->ends);
        }
        while (t->words[at] != 0 && t->words[at] != words[k])
            at = (at + 1) % SLOTS;
        expected += t->words[at] == 0 ? n : 0;
        t->words[at] = words[k];
        t->place[at] = (uint16_t)k;
        t->ends[words[k] % ENDS] = 1;
    }
    return expected;
}

/* The place of the i-th word of title and text among the keywords, or -1. A stop
 * word may have a keyword's stem ("having"), but the profile does not count it. */
static int lookup_find(const struct lookup *t, const struct profile *profile, uint32_t i)
{
    uint32_t word = profile->sequence[i];

    for (size_t at = slot_of(word); t->words[at] != 0; at = (at + 1) % SLOTS)
        if (t->words[at] == word)
            return profile->stops[i / 64] >> i % 64 & 1 ? -1 : t->place[at];
    return -1;
}

/* Kinds that the text shows: other links have no place in it. */
static bool is_shown(const struct link *l)
{
    return l->kind == LINK_A || l->kind == LINK_FRAME || l->kind == LINK_FEED;
}

/* A walk over the page's links beside its words. `order` holds the shown ones. */
struct walk {
    const struct link *links;
    const uint32_t *order;
    size_t count, next; /* the first one that does not end before the word */
    size_t keywords;
    unsigned rho;
    float *in;
};

static void give(const struct walk *w, size_t link, size_t k, size_t distance)
{
    w->in[w->order[link] * w->keywords + k] += 1.0f / (float)distance;
}

/* To links from `at` on distances are 1, 2, … rho; to those before it they begin
 * with 1 (a gap) or 2 (an anchor). */
static void spread(const struct walk *w, size_t at, size_t before, size_t k)
{
    for (size_t l = at, d = 1; l < w->count && d <= w->rho; l++, d++)
        give(w, l, k, d);
    for (size_t l = at, d = before; l > 0 && d <= w->rho; l--, d++)
        give(w, l - 1, k, d);
}

static void occurs(struct walk *w, uint32_t word, size_t k)
{
    while (w->next < w->count && w->links[w->order[w->next]].anchor.to <= word)
        w->next++;
    spread(w, w->next,
           w->next < w->count && w->links[w->order[w->next]].anchor.from <= word ? 2 : 1, k);
}

/* Words in [i, end) that may be keywords, at most BATCH looked at; returns how many. No
 * branch depends on a word: most are none, and when one is cannot be foreseen. */
static size_t sieve(const struct lookup *t, const uint32_t *words, uint32_t i, uint32_t end,
                    uint32_t ret[BATCH])
{
    size_t n = 0;

    for (; i < end; i++) {
        ret[n] = i;
        n += t->ends[words[i] % ENDS];
    }
    return n;
}

static void walk_text(struct walk *w, const struct profile *profile, const struct lookup *t,
                      uint64_t expected)
{
    uint32_t begin = profile->ntitle + 1, end = profile->nsequence, may[BATCH];

    for (uint32_t i = 0; i < profile->ntitle && expected > 0; i++)
        expected -= lookup_find(t, profile, i) >= 0;
    for (uint32_t from = begin; from < end && expected > 0; from += BATCH) {
        uint32_t to = end - from < BATCH ? end : from + BATCH;
        size_t n = sieve(t, profile->sequence, from, to, may);

        for (size_t i = 0; i < n; i++) {
            int k = lookup_find(t, profile, may[i]);

            if (k < 0)
                continue;
            occurs(w, may[i] - begin, (size_t)k);
            expected--;
        }
    }
}

static size_t shown_links(const struct page *page, uint32_t *ret)
{
    size_t n = 0;

    for (uint32_t i = 0; i < page->nlinks; i++)
        if (is_shown(&page->links[i]))
            ret[n++] = i;
    return n;
}

void keyword_inputs(const struct page *page, const struct profile *profile, const uint32_t *words,
                    size_t count, unsigned rho, float *ret)
{
    struct walk w = {.links = page->links, .keywords = count, .rho = rho, .in = ret};
    struct lookup t;
    uint64_t expected;
    uint32_t *order;

    memset(ret, 0, page->nlinks * count * sizeof *ret);
    expected = lookup_fill(&t, profile, words, count);
    if (expected == 0 || page->nlinks == 0)
        return;
    order = mem_alloc(page->nlinks * sizeof *order);
    w.order = order;
    w.count = shown_links(page, order);
    walk_text(&w, profile, &t, expected);
    free(order);
}

double keyword_similarity(const struct profile *profile, const uint32_t *words, size_t count)
{
    double dot = 0;

    for (size_t k = 0; k < count; k++)
        dot += vec_find(profile->terms, profile->nterms, words[k]);
    return (double)vec_ratio(dot, profile->raw_square, (double)count);
}

/* ---- a word more ------------------------------------------------------------- */

static bool is_keyword(uint32_t word, const uint32_t *words, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (words[k] == word)
            return true;
    return false;
}

uint32_t keyword_commonest(const struct profile *profile, const uint32_t *words, size_t count)
{
    struct term best = {0};

    for (uint32_t i = 0; i < profile->nterms; i++) {
        const struct term *t = &profile->terms[i];

        if (t->count > best.count && !is_keyword(t->id, words, count))
            best = *t;
    }
    return best.id;
}

uint32_t keyword_drawn(const struct profile *profile, const uint32_t *words, size_t count,
                       struct rng *r)
{
    uint64_t left = profile->length;

    for (size_t k = 0; k < count; k++)
        left -= vec_find(profile->terms, profile->nterms, words[k]);
    if (left == 0)
        return 0;
    left = rng_below(r, left);
    for (uint32_t i = 0; i < profile->nterms; i++) {
        const struct term *t = &profile->terms[i];

        if (is_keyword(t->id, words, count))
            continue;
        if (left < t->count)
            return t->id;
        left -= t->count;
    }
    return 0;
}
