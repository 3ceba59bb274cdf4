/* wordnet_cs.c - nearness of pairs of words.
 * SPDX-License-Identifier: MIT
 *
 * A word becomes its kin: the synsets it stands in, those above them and those it
 * is tied to by parts. Two words are compared by merging short sorted lists. Only
 * walking up is needed, which is cheap (few synsets have two parents): b below a is
 * a above b. models/crew/relate.h walks both ways, because it knows one side only. */
#include "models/crew/wordnet_cs.h"

#include "base/mem.h"
#include "models/crew/lexicon.h"
#include "text/vocab.h"
#include "models/crew/wordnet_walk.h"

#include <math.h>
#include <stdlib.h>

struct kin_entry {
    uint32_t offset; /* of a synset */
    uint32_t steps;  /* up to it; 0 in lists without levels */
};

struct kin_list {
    struct kin_entry *items; /* ascending by offset once sorted */
    size_t count, cap;
};

struct kin {
    uint32_t term; /* of its stem */
    struct kin_list own, above, parts;
};

struct cs_rules cs_defaults(void)
{
    return (struct cs_rules){.isa = 1.0 / 2, .part = 1.0 / 3, .floor = 0, .depth = 3};
}

enum status cs_check(const struct cs_rules *r)
{
    if (!(r->isa > 0 && r->isa < 1) || !(r->part > 0 && r->part < 1))
        return status_fail(ST_USAGE, "the weights of related words lie between 0 and 1");
    if (!(r->floor >= 0 && r->floor < 1))
        return status_fail(ST_USAGE, "the weight of unrelated words is at least 0 and below 1");
    if (r->depth < 1 || r->depth > CS_DEPTH_MAX)
        return status_fail(ST_USAGE, "related words are 1 to %d levels apart", CS_DEPTH_MAX);
    return ST_OK;
}

bool cs_knows_language(int lang)
{
    return lang == stem_lang(STR("en")) || lang == stem_lang(STR("porter"));
}

/* ---- kin of one word ---- */

static void kin_add(void *list, uint32_t offset, unsigned steps)
{
    struct kin_list *l = list;

    MEM_GROW(l->items, l->count, &l->cap);
    l->items[l->count++] = (struct kin_entry){offset, steps};
}

static int by_offset(const void *a, const void *b)
{
    const struct kin_entry *x = a, *y = b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void kin_sort(struct kin_list *l)
{
    if (l->count > 0)
        qsort(l->items, l->count, sizeof *l->items, by_offset);
}

/* Synsets of a lemma; not in order yet. */
static void kin_add_lemma(struct kin *k, const struct wordnet *w, struct str lemma)
{
    uint32_t senses[WORDNET_SENSES];
    size_t n = wordnet_senses(w, lemma, senses);

    for (size_t i = 0; i < n; i++)
        kin_add(&k->own, senses[i], 0);
}

/* All that is tied to them. */
static void kin_walk(struct kin *k, const struct wordnet *w, unsigned depth)
{
    uint32_t *senses = mem_alloc((k->own.count + 1) * sizeof *senses);
    size_t n = k->own.count;

    for (size_t i = 0; i < n; i++)
        senses[i] = k->own.items[i].offset;
    wordnet_walk(w, senses, n, WORDNET_HYPERNYM, depth, kin_add, &k->above);
    wordnet_walk(w, senses, n, WORDNET_HOLONYM, 1, kin_add, &k->parts);
    wordnet_walk(w, senses, n, WORDNET_MERONYM, 1, kin_add, &k->parts);
    kin_sort(&k->own);
    kin_sort(&k->above);
    kin_sort(&k->parts);
    free(senses);
}

static struct kin kin_of_word(const struct wordnet *w, unsigned depth, struct stemmer *s, int lang,
                              struct str word)
{
    struct wordnet_form forms[WORDNET_FORMS];
    struct kin k = {0};
    size_t n;
    bool stop;

    k.term = term_id(stem_word(s, lang, word, &stop));
    if (w == NULL || !cs_knows_language(lang))
        return k;
    n = wordnet_forms(w, word, forms);
    for (size_t i = 0; i < n; i++)
        kin_add_lemma(&k, w, wordnet_form_str(&forms[i]));
    kin_walk(&k, w, depth);
    return k;
}

static struct kin kin_of_term(const struct lexicon *x, unsigned depth, uint32_t term)
{
    const struct wordnet *w = x ? lexicon_wordnet(x) : NULL;
    struct kin k = {.term = term};
    size_t first, n;

    if (w == NULL)
        return k;
    n = lexicon_find(x, term, &first);
    for (size_t i = 0; i < n; i++)
        kin_add_lemma(&k, w, lexicon_lemma(x, first + i));
    kin_walk(&k, w, depth);
    return k;
}

static void kin_clear(struct kin *k)
{
    free(k->own.items);
    free(k->above.items);
    free(k->parts.items);
}

/* ---- two words ---- */

/* The fewest steps in `a` to a synset of `own`; UINT32_MAX: they share none. */
static uint32_t fewest(const struct kin_list *a, const struct kin_list *own)
{
    uint32_t best = UINT32_MAX;
    size_t i = 0, j = 0;

    while (i < a->count && j < own->count) {
        if (a->items[i].offset < own->items[j].offset) {
            i++;
        } else if (a->items[i].offset > own->items[j].offset) {
            j++;
        } else {
            if (a->items[i].steps < best)
                best = a->items[i].steps;
            i++;
        }
    }
    return best;
}

static double nearness(const struct cs_rules *r, const struct kin *a, const struct kin *b)
{
    uint32_t up = fewest(&a->above, &b->own), down = fewest(&b->above, &a->own);
    uint32_t steps = up < down ? up : down;
    double best = r->floor;

    if (a->term == b->term || fewest(&a->own, &b->own) == 0)
        return 1;
    if (steps != UINT32_MAX)
        best = fmax(best, pow(r->isa, steps));
    if (fewest(&a->parts, &b->own) != UINT32_MAX || fewest(&b->parts, &a->own) != UINT32_MAX)
        best = fmax(best, r->part);
    return best;
}

double cs_words(const struct wordnet *w, const struct cs_rules *r, struct stemmer *s, int lang,
                struct str a, struct str b)
{
    struct kin x = kin_of_word(w, r->depth, s, lang, a), y = kin_of_word(w, r->depth, s, lang, b);
    double cs = nearness(r, &x, &y);

    kin_clear(&x);
    kin_clear(&y);
    return cs;
}

/* Frees the kin, the first na of which are compared with the others. */
static void compare_all(const struct cs_rules *r, struct kin *kin, size_t na, size_t nb, float *ret)
{
    for (size_t i = 0; i < na; i++) {
        for (size_t j = 0; j < nb; j++)
            ret[i * nb + j] = (float)nearness(r, &kin[i], &kin[na + j]);
    }
    for (size_t i = 0; i < na + nb; i++)
        kin_clear(&kin[i]);
    free(kin);
}

void cs_matrix(const struct wordnet *w, const struct cs_rules *r, struct stemmer *s, int lang,
               const struct str *a, size_t na, const struct str *b, size_t nb, float *ret)
{
    struct kin *kin = mem_alloc((na + nb + 1) * sizeof *kin);

    for (size_t i = 0; i < na + nb; i++)
        kin[i] = kin_of_word(w, r->depth, s, lang, i < na ? a[i] : b[i - na]);
    compare_all(r, kin, na, nb, ret);
}

void cs_terms(const struct lexicon *x, const struct cs_rules *r, const uint32_t *a, size_t na,
              const uint32_t *b, size_t nb, float *ret)
{
    struct kin *kin = mem_alloc((na + nb + 1) * sizeof *kin);

    for (size_t i = 0; i < na + nb; i++)
        kin[i] = kin_of_term(x, r->depth, i < na ? a[i] : b[i - na]);
    compare_all(r, kin, na, nb, ret);
}
