/* topic_words.c - the words that speak for a topic, as people write them.
 * SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "base/mem.h"
#include "text/topic_int.h"
#include "text/words/token.h"

#include <stdlib.h>

#define STRONGEST 40 /* words of a classifier */

void topic_spell(struct topic *t, const struct page *page, const struct profile *p)
{
    for (uint32_t i = 0; i < page->nwords && p->ntitle + 1 + i < p->nsequence; i++) {
        uint32_t at = p->ntitle + 1 + i, id = p->sequence[at];
        struct str word = str_sub(page->text, page->words[i].off,
                                  (size_t)page->words[i].off + page->words[i].len);
        char lower[2 * TOKEN_MAX];
        struct str kept;
        bool is_new;

        if (id == 0 || p->stops[at / 64] >> at % 64 & 1 || word.len > TOKEN_MAX)
            continue;
        (void)map_at(&t->spelling, hash_u64(id), (uint32_t)t->nspelled, &is_new);
        if (!is_new)
            continue;
        kept = arena_str(&t->memory, (struct str){lower, token_lower(word.ptr, word.len, lower)});
        MEM_GROW(t->spelled, t->nspelled, &t->spelled_cap);
        t->spelled[t->nspelled++] = (struct spelled_term){id, kept};
    }
}

struct strong {
    struct str word;
    double weight;
};

static int strong_cmp(const void *a, const void *b)
{
    const struct strong *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return str_cmp(x->word, y->word);
}

static bool is_own(const struct topic *t, uint32_t id)
{
    for (size_t i = 0; i < t->nterms; i++)
        if (t->terms[i].id == id)
            return true;
    return false;
}

/* Adds the classifier's best signs of the topic, strongest first. */
static void add_strongest(const struct topic *t, struct buf *out)
{
    struct strong *all = mem_zero(t->nspelled + 1, sizeof *all);
    size_t n = 0;

    for (size_t i = 0; i < t->nspelled; i++) {
        double weight = classify_weight(t->classifier, t->spelled[i].id);

        if (weight > 0 && t->spelled[i].word.len > 0 && !is_own(t, t->spelled[i].id))
            all[n++] = (struct strong){t->spelled[i].word, weight};
    }
    qsort(all, n, sizeof *all, strong_cmp);
    for (size_t i = 0; i < n && i < STRONGEST; i++)
        buf_addf(out, "%s%.*s", out->len ? " " : "", STR_ARG(all[i].word));
    free(all);
}

void topic_words(const struct topic *t, struct buf *out)
{
    for (size_t i = 0; i < t->nitems; i++)
        for (uint32_t k = 0; t->items[i].weight > 0 && k < t->items[i].nwords; k++)
            buf_addf(out, "%s%.*s", out->len ? " " : "", STR_ARG(t->items[i].words[k]));
    if (t->classifier && t->nparts == 0)
        add_strongest(t, out);
    for (size_t i = 0; i < t->nparts; i++)
        if (t->parts[i]->classifier)
            add_strongest(t->parts[i], out);
}
