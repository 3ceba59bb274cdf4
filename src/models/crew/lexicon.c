/* lexicon.c - the nouns of WordNet, sorted by term.
 * SPDX-License-Identifier: MIT */
#include "models/crew/lexicon.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/search.h"
#include "text/words/stem.h"
#include "text/words/token.h"
#include "text/vocab.h"
#include "models/crew/wordnet_cs.h"

#include <stdlib.h>

struct lexicon_entry {
    uint32_t term;
    uint32_t at; /* of the lemma, in the index */
};

struct lexicon {
    const struct wordnet *w;
    struct lexicon_entry *entries; /* ascending by term, then by place */
    size_t count, cap;
};

bool lexicon_is_word(struct str lemma)
{
    size_t at = 0, off, len;

    return token_next(lemma, &at, &off, &len) && off == 0 && len == lemma.len;
}

static struct str lemma_at(const struct wordnet *w, uint32_t at)
{
    struct str rest = str_sub(w->index, at, w->index.len), lemma = STR("");

    str_cut(&rest, ' ', &lemma);
    return lemma;
}

ORDER(by_term, struct lexicon_entry, UP(term) ?: UP(at))

static void read_index(struct lexicon *x, int lang)
{
    struct stemmer *s = stemmer_new(64);
    struct str rest = x->w->index, line, lemma;
    bool stop;

    while (str_cut(&rest, '\n', &line) && x->count < LIMIT_WORDNET_LEMMAS) {
        uint32_t at = (uint32_t)(line.ptr - x->w->index.ptr);

        if (!str_cut(&line, ' ', &lemma) || !lexicon_is_word(lemma))
            continue; /* the licence, and lemmas of several words */
        MEM_GROW(x->entries, x->count, &x->cap);
        x->entries[x->count++] =
            (struct lexicon_entry){term_id(stem_word(s, lang, lemma, &stop)), at};
    }
    if (x->count > 0)
        qsort(x->entries, x->count, sizeof *x->entries, by_term);
    stemmer_free(s);
}

struct lexicon *lexicon_new(const struct wordnet *w, int lang)
{
    struct lexicon *x = MEM_NEW(struct lexicon);

    if (w && cs_knows_language(lang)) {
        x->w = w;
        read_index(x, lang);
    }
    return x;
}

void lexicon_free(struct lexicon *x)
{
    if (x == NULL)
        return;
    free(x->entries);
    free(x);
}

const struct wordnet *lexicon_wordnet(const struct lexicon *x)
{
    return x->w;
}

size_t lexicon_find(const struct lexicon *x, uint32_t term, size_t *ret_first)
{
    size_t first, n = 0;

    FIND_FIRST(first, 0, x->count, x->entries[first].term >= term);
    while (first + n < x->count && x->entries[first + n].term == term)
        n++;
    *ret_first = first;
    return n;
}

struct str lexicon_lemma(const struct lexicon *x, size_t at)
{
    return at < x->count ? lemma_at(x->w, x->entries[at].at) : STR("");
}

struct str lexicon_word(const struct lexicon *x, uint32_t term)
{
    struct str best = STR("");
    size_t first, n = lexicon_find(x, term, &first);

    for (size_t i = 0; i < n; i++) {
        struct str lemma = lexicon_lemma(x, first + i);

        if (best.len == 0 || lemma.len < best.len)
            best = lemma;
    }
    return best;
}
