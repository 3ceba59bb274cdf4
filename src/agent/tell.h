/* tell.h - the description of an agent for people: functions for a model's `tell`.
 *
 * Members of an open object, each of them only where the model has it:
 *
 *     "keywords": [{"word", "weight"}], "weights"     heaviest first, and what the weight is
 *     "facts":    [{"name", "label", "value"}]        label: a few plain words
 *     "places":   [{"url", "value"}], "values"        URLs, and what their value is
 *
 * So a reader need not know the model. The engine (model_ctx.tell) spells the words of
 * terms and the texts of URLs; without it a term is written as "#" and its number. Numbers
 * are rounded to six digits.
 */
#pragma once

#include "agent/model.h"

#define TELL_WORDS  40 /* most words of one agent */
#define TELL_PLACES 10

struct told_word {
    uint32_t term;
    double weight;
};

/* Writes the word of a term. If it is not known, writes "#0123abcd" and returns false. */
bool tell_spell(const struct model *m, uint32_t term, struct buf *out);

/* Writes "keywords" and "weights", a short sentence. Sorts the words by |weight|, the largest
 * first, and keeps the order of equal ones. Writes at most TELL_WORDS. */
void tell_words(const struct model *m, struct json *j, const char *weights, struct told_word *words,
                size_t n);

/* Writes one of them to an open array. */
void tell_word(struct json *j, struct str word, double weight);

/* They write to the open array "facts". URL 0 is left out. */
void tell_number(struct json *j, const char *name, const char *label, double value);
void tell_text(struct json *j, const char *name, const char *label, struct str value);
void tell_url(const struct model *m, struct json *j, const char *name, const char *label,
              uint32_t url);

/* Writes to the open array "places". */
void tell_place(const struct model *m, struct json *j, uint32_t url, double value);
