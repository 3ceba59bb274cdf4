/* fuzz_wordnet.c - WordNet's files as anybody may have written them.
 * SPDX-License-Identifier: MIT
 *
 * Three texts with a NUL between them: index, data, exceptions. All words of the index
 * are looked up, with everything that leads on from them. */
#include "models/crew/lexicon.h"
#include "models/crew/relate.h"
#include "text/vocab.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct str cut(struct str *rest)
{
    struct str part = STR("");

    str_cut(rest, '\0', &part);
    return part;
}

/* A word is a term of its own query, and as near to itself as can be. */
static void look_up(const struct wordnet *w, const struct lexicon *x, struct str word)
{
    static const struct cs_rules rules = {.isa = .5, .part = .3, .depth = 3};
    struct stemmer *s = stemmer_new(64);
    int lang = stem_lang(STR("en"));
    bool stop;
    uint32_t terms[] = {term_id(stem_word(s, lang, word, &stop)), term_id(STR("dog"))};
    struct topic *topic = NULL;
    struct relate *r;
    float cs[2];

    cs_terms(x, &rules, terms, 1, terms, 2, cs);
    if (cs[0] != 1 || !(cs[1] >= 0 && cs[1] <= 1))
        abort();
    if (topic_from_words(word, STR("en"), &topic) == ST_OK) {
        r = relate_new(w, &rules, topic);
        if (!(relate_term(r, terms[1]) >= 0 && relate_term(r, terms[1]) <= 1))
            abort();
        relate_free(r);
        topic_free(topic);
    }
    stemmer_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1); /* its own block: a byte too far is seen */
    struct str rest = {copy, size}, index, text, line, word;
    struct wordnet w;
    struct lexicon *x;
    int words = 0;

    if (size)
        memcpy(copy, data, size);
    index = cut(&rest);
    text = cut(&rest);
    w = (struct wordnet){index, text, rest};
    x = lexicon_new(&w, stem_lang(STR("en")));
    while (str_cut(&index, '\n', &line) && words++ < 50) {
        word = STR("");
        str_cut(&line, ' ', &word);
        look_up(&w, x, word);
    }
    lexicon_free(x);
    free(copy);
    return 0;
}
