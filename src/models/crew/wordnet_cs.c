/* wordnet_cs.c - similarity of pairs of terms.
 * SPDX-License-Identifier: MIT
 *
 * A term is represented by its kin: the synsets that contain it, those above them,
 * and those related by parts. Two terms are compared by merging short sorted lists.
 * Only walking up is needed, which is cheap (few synsets have two parents): b below a
 * is a above b. models/crew/relate.h walks both ways, because it knows one side only. */
#include "models/crew/wordnet_cs.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/order.h"
#include "models/crew/lexicon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a breadth-first walk over synsets ---- */

struct synset_walk {
    struct map seen; /* hash of offset -> 1 */
    uint32_t *queue; /* offsets, in the order they were reached */
    size_t count, cap;
};

/* Adds a synset; returns true if it is new. */
static bool reach(struct synset_walk *k, uint32_t offset)
{
    bool is_new;

    if (k->count >= LIMIT_WORDNET_NEAR)
        return false;
    map_at(&k->seen, hash_u64(offset), 1, &is_new);
    if (!is_new)
        return false;
    MEM_GROW(k->queue, k->count, &k->cap);
    k->queue[k->count++] = offset;
    return true;
}

void wordnet_walk(const struct wordnet *w, const uint32_t *from, size_t nfrom,
                  enum wordnet_relation relation, unsigned depth,
                  void (*visit)(void *ctx, uint32_t offset, unsigned steps), void *ctx)
{
    struct synset_walk k = {0};
    size_t at = 0;

    map_init(&k.seen);
    for (size_t i = 0; i < nfrom; i++)
        reach(&k, from[i]);
    for (unsigned steps = 1; steps <= depth && at < k.count; steps++) {
        for (size_t level = k.count; at < level; at++) {
            enum wordnet_relation r;
            struct synset s, there;
            uint32_t to;

            if (!wordnet_synset(w, k.queue[at], &s))
                continue;
            while (synset_pointer(&s, &r, &to)) {
                if (r == relation && wordnet_synset(w, to, &there) && reach(&k, to))
                    visit(ctx, to, steps);
            }
        }
    }
    map_free(&k.seen);
    free(k.queue);
}

/* ---- kin ---- */

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

ORDER(by_offset, struct kin_entry, UP(offset))

static void kin_sort(struct kin_list *l)
{
    if (l->count > 0)
        qsort(l->items, l->count, sizeof *l->items, by_offset);
}

/* Adds the synsets of a lemma, not yet in order. */
static void kin_add_lemma(struct kin *k, const struct wordnet *w, struct str lemma)
{
    uint32_t senses[WORDNET_SENSES];
    size_t n = wordnet_senses(w, lemma, senses);

    for (size_t i = 0; i < n; i++)
        kin_add(&k->own, senses[i], 0);
}

/* Adds all synsets related to them. */
static void kin_walk(struct kin *k, const struct wordnet *w, unsigned depth)
{
    LOCAL_HEAP uint32_t *senses = mem_alloc((k->own.count + 1) * sizeof *senses);
    size_t n = k->own.count;

    for (size_t i = 0; i < n; i++)
        senses[i] = k->own.items[i].offset;
    wordnet_walk(w, senses, n, WORDNET_HYPERNYM, depth, kin_add, &k->above);
    wordnet_walk(w, senses, n, WORDNET_HOLONYM, 1, kin_add, &k->parts);
    wordnet_walk(w, senses, n, WORDNET_MERONYM, 1, kin_add, &k->parts);
    kin_sort(&k->own);
    kin_sort(&k->above);
    kin_sort(&k->parts);
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

/* Returns the fewest steps in `a` to a synset of `own`; UINT32_MAX if they have none in common. */
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

/* ---- terms that were looked up ---- */

#define PAIR_BYTES 20 /* in the map, which is 60 % full on average */

struct kin_memory {
    struct map places; /* hash of a term -> its place in `kin` */
    struct map pairs;  /* hash of two places, the lower one first -> the bits of their nearness */
    struct kin *kin;
    size_t count, cap;
    size_t bytes; /* of all lists */
};

struct kin_memory *kin_memory_new(void)
{
    struct kin_memory *k = MEM_NEW(struct kin_memory);

    map_init(&k->places);
    map_init(&k->pairs);
    return k;
}

static void forget(struct kin_memory *k)
{
    for (size_t i = 0; i < k->count; i++)
        kin_clear(&k->kin[i]);
    k->count = k->bytes = 0;
    map_clear(&k->places);
    map_clear(&k->pairs);
}

void kin_memory_free(struct kin_memory *k)
{
    if (k == NULL)
        return;
    forget(k);
    map_free(&k->places);
    map_free(&k->pairs);
    free(k->kin);
    free(k);
}

/* Gives back the room that the list did not need. Returns the bytes that it needs. */
static size_t list_fit(struct kin_list *l)
{
    if (l->count > 0)
        l->items = mem_resize(l->items, l->count, sizeof *l->items);
    l->cap = l->count;
    return l->count * sizeof *l->items;
}

/* Returns the place of a term's kin; they are looked up if they are not kept. */
static size_t kin_place(struct kin_memory *k, const struct lexicon *x, unsigned depth,
                        uint32_t term)
{
    uint32_t at = map_get(&k->places, hash_u64(term));
    struct kin *to;

    if (at != MAP_NONE)
        return at;
    MEM_GROW(k->kin, k->count, &k->cap);
    to = &k->kin[k->count];
    *to = kin_of_term(x, depth, term);
    k->bytes += sizeof *to + list_fit(&to->own) + list_fit(&to->above) + list_fit(&to->parts);
    map_set(&k->places, hash_u64(term), (uint32_t)k->count);
    return k->count++;
}

/* Most pairs occur again in the next comparison. */
static float pair_nearness(struct kin_memory *k, const struct cs_rules *r, size_t a, size_t b)
{
    uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    bool is_new;
    uint32_t *bits = map_at(&k->pairs, hash_u64(pair), 0, &is_new);
    float ret;

    if (is_new) {
        ret = (float)nearness(r, &k->kin[a], &k->kin[b]);
        memcpy(bits, &ret, sizeof ret);
        k->bytes += PAIR_BYTES;
    }
    memcpy(&ret, bits, sizeof ret);
    return ret;
}

void cs_terms_kept(struct kin_memory *k, const struct lexicon *x, const struct cs_rules *r,
                   const uint32_t *a, size_t na, const uint32_t *b, size_t nb, float *ret)
{
    LOCAL_HEAP size_t *at = mem_alloc((na + nb + 1) * sizeof *at);

    if (k->bytes > LIMIT_KIN_BYTES)
        forget(k);
    for (size_t i = 0; i < na + nb; i++)
        at[i] = kin_place(k, x, r->depth, i < na ? a[i] : b[i - na]);
    for (size_t i = 0; i < na; i++)
        for (size_t j = 0; j < nb; j++)
            ret[i * nb + j] = pair_nearness(k, r, at[i], at[na + j]);
}

void cs_terms(const struct lexicon *x, const struct cs_rules *r, const uint32_t *a, size_t na,
              const uint32_t *b, size_t nb, float *ret)
{
    struct kin_memory *k = kin_memory_new();

    cs_terms_kept(k, x, r, a, na, b, nb, ret);
    kin_memory_free(k);
}
