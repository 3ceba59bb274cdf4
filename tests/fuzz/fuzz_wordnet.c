/* fuzz_wordnet.c - WordNet's files as anybody may have written them.
 * SPDX-License-Identifier: MIT
 *
 * Three texts with a NUL between them: index, data, exceptions. All words of the index
 * are looked up, with everything that leads on from them. */
#include "models/crew/lexicon.h"
#include "models/crew/relate.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct str cut(struct str *rest)
{
    struct str part = STR("");

    str_cut(rest, '\0', &part);
    return part;
}

static void look_up(const struct wordnet *w, struct str word)
{
    struct cs_rules rules = cs_defaults();
    int lang = stem_lang(STR("en"));
    struct relate *r = relate_words(w, &rules, lang, &word, 1);
    struct stemmer *s = stemmer_new(64);
    double cs = cs_words(w, &rules, s, lang, word, STR("dog"));

    if (!(cs >= 0 && cs <= 1) || cs_words(w, &rules, s, lang, word, word) != 1 ||
        relate_size(r) == 0)
        abort();
    stemmer_free(s);
    relate_free(r);
}

static void check_lexicon(const struct wordnet *w)
{
    struct lexicon *x = lexicon_new(w, stem_lang(STR("en")));

    for (size_t i = 0; i < lexicon_size(x); i++) {
        if (lexicon_lemma(x, i).len == 0)
            abort();
    }
    lexicon_free(x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1); /* its own block: a byte too far is seen */
    struct str rest = {copy, size}, index, text, line, word;
    struct wordnet *w;
    int words = 0;

    if (size)
        memcpy(copy, data, size);
    index = cut(&rest);
    text = cut(&rest);
    w = wordnet_over(index, text, rest);
    check_lexicon(w);
    while (str_cut(&index, '\n', &line) && words++ < 50) {
        word = STR("");
        str_cut(&line, ' ', &word);
        look_up(w, word);
    }
    wordnet_free(w);
    free(copy);
    return 0;
}
