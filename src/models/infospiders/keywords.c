/* keywords.c - the inputs of an agent's net for a link.
 *
 * The text is read until the last occurrence that the profile counted, each word
 * with the last bits of a keyword looked up in a table of 512 slots. SPDX-License-Identifier: MIT */
#include "models/infospiders/keywords.h"

#include "base/mem.h"
#include "base/rng.h"
#include "text/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS (2 * KEYWORDS_MAX)
#define ENDS  1024
#define BATCH 16 /* words examined at once */

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

/* Enters the keywords that the page has; returns how often they occur. */
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

/* Returns the place among the keywords of the i-th word of title and text, or -1. A stop word may
 * have a keyword's stem ("having"), but the profile does not count it. */
static int lookup_find(const struct lookup *t, const struct profile *profile, uint32_t i)
{
    uint32_t word = profile->sequence[i];

    for (size_t at = slot_of(word); t->words[at] != 0; at = (at + 1) % SLOTS)
        if (t->words[at] == word)
            return profile->stops[i / 64] >> i % 64 & 1 ? -1 : t->place[at];
    return -1;
}

/* Does the text show links of this kind? Others have no place in it. */
static bool is_shown(const struct link *l)
{
    return l->kind == LINK_A || l->kind == LINK_FRAME || l->kind == LINK_FEED;
}

/* A link that the text shows. */
struct shown_link {
    uint32_t from, to; /* its anchor */
    uint32_t row;
};

/* A walk over the page's links in parallel to its words. */
struct keyword_walk {
    struct shown_link *places;
    size_t count, next; /* the first one that does not end before the word */
    size_t keywords;
    unsigned rho;
    uint64_t expected; /* occurrences still to come */
    const struct keyword_rows *to;
    float share[KEYWORDS_RHO_MAX + 1]; /* 1 : distance */
};

static void give(const struct keyword_walk *w, size_t link, size_t k, size_t distance)
{
    uint32_t row = w->places[link].row;

    if (row == KEYWORDS_NO_ROW)
        return;
    w->to->in[row * w->keywords + k] += w->share[distance];
    w->to->lit[row] = 1;
}

/* The distances to links from `at` on are 1, 2, … rho; to links before it they begin with 1
 * (a gap) or 2 (an anchor). */
static void spread(const struct keyword_walk *w, size_t at, size_t before, size_t k)
{
    for (size_t l = at, d = 1; l < w->count && d <= w->rho; l++, d++)
        give(w, l, k, d);
    for (size_t l = at, d = before; l > 0 && d <= w->rho; l--, d++)
        give(w, l - 1, k, d);
}

static void occurs(struct keyword_walk *w, uint32_t word, size_t k)
{
    while (w->next < w->count && w->places[w->next].to <= word)
        w->next++;
    spread(w, w->next, w->next < w->count && w->places[w->next].from <= word ? 2 : 1, k);
}

/* May one of BATCH words be a keyword? Mostly not. There is no branch that depends on a word. */
static bool sieve(const struct lookup *t, const uint32_t *words)
{
    uint8_t any = 0;

    for (size_t i = 0; i < BATCH; i++)
        any |= t->ends[words[i] % ENDS];
    return any;
}

static void walk_words(struct keyword_walk *w, const struct profile *profile,
                       const struct lookup *t, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        int k = t->ends[profile->sequence[i] % ENDS] ? lookup_find(t, profile, i) : -1;

        if (k < 0)
            continue;
        occurs(w, i - profile->ntitle - 1, (size_t)k);
        w->expected--;
    }
}

static void walk_text(struct keyword_walk *w, const struct profile *profile, const struct lookup *t)
{
    uint32_t i = profile->ntitle + 1, end = profile->nsequence;

    for (uint32_t k = 0; k < profile->ntitle; k++)
        w->expected -= lookup_find(t, profile, k) >= 0;
    for (; i + BATCH <= end && w->expected > 0; i += BATCH)
        if (sieve(t, profile->sequence + i))
            walk_words(w, profile, t, i, i + BATCH);
    if (w->expected > 0)
        walk_words(w, profile, t, i, end);
}

static size_t shown_links(const struct page *page, const uint32_t *rows, struct shown_link *ret)
{
    size_t n = 0;

    for (uint32_t i = 0; i < page->nlinks; i++) {
        const struct link *l = &page->links[i];

        if (is_shown(l))
            ret[n++] = (struct shown_link){l->anchor.from, l->anchor.to, rows[i]};
    }
    return n;
}

void keyword_inputs(const struct page *page, const struct profile *profile, const uint32_t *words,
                    size_t count, unsigned rho, const struct keyword_rows *to)
{
    struct keyword_walk w;
    struct lookup t;

    assert(rho <= KEYWORDS_RHO_MAX);
    w.expected = page->nlinks ? lookup_fill(&t, profile, words, count) : 0;
    if (w.expected == 0)
        return;
    w.keywords = count;
    w.rho = rho;
    w.to = to;
    w.next = 0;
    for (unsigned d = 1; d <= rho; d++)
        w.share[d] = 1.0f / (float)d;
    w.places = mem_alloc(page->nlinks * sizeof *w.places);
    w.count = shown_links(page, to->of, w.places);
    walk_text(&w, profile, &t);
    free(w.places);
}

double keyword_similarity(const struct profile *profile, const uint32_t *words, size_t count)
{
    double dot = 0;

    for (size_t k = 0; k < count; k++)
        dot += vec_find(profile->terms, profile->nterms, words[k]);
    return (double)vec_ratio(dot, profile->raw_square, (double)count);
}

/* ---- another keyword ---------------------------------------------------------- */

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
