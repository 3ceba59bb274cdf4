/* tell.h - what an agent is made of, for people: what a model's `tell` is written with.
 *
 * Members of an open object, each of them only where the model has it:
 *
 *     "keywords": [{"word", "weight"}], "weights"     heaviest first, and what the weight is
 *     "facts":    [{"name", "label", "value"}]        label: a few plain words
 *     "places":   [{"url", "value"}], "values"        URLs, and what their value is
 *
 * so that a reader need not know the model. The engine (model_ctx.tell) spells the words of
 * terms and the texts of URLs; without it a term is written as "#" and its number.
 * Numbers are rounded to six digits.
 */
#pragma once

#include "agent/model.h"

#define TELL_WORDS  40 /* of an agent, at most */
#define TELL_PLACES 10

struct told_word {
    uint32_t term;
    double weight;
};

/* The word of a term; "#0123abcd" where it is not known: then false. */
bool tell_spell(const struct model *m, uint32_t term, struct buf *out);

/* "keywords" and "weights", a short sentence. Sorts the words: the largest |weight| first,
 * of equals as they stood. TELL_WORDS of them. */
void tell_words(const struct model *m, struct json *j, const char *weights, struct told_word *words,
                size_t n);

/* One of them, in an open array. */
void tell_word(struct json *j, struct str word, double weight);

/* In the open array "facts". A URL 0 is left out. */
void tell_number(struct json *j, const char *name, const char *label, double value);
void tell_text(struct json *j, const char *name, const char *label, struct str value);
void tell_url(const struct model *m, struct json *j, const char *name, const char *label,
              uint32_t url);

/* In the open array "places". */
void tell_place(const struct model *m, struct json *j, uint32_t url, double value);
