/* words_int.h - the tables between words_topics.c, words_general.c, words.c
 * and prose.c. Not for others. */
#pragma once

#include "base/mem.h"
#include "base/str.h"

#define WORDS_THEMES 24 /* rows of words_sources */

/* A vocabulary as written down: words separated by spaces, _ stands for a
 * space inside one. */
struct words_source {
    const char *name;   /* for people: "bread baking" */
    const char *keys;   /* what a crawler is told besides the name */
    const char *things; /* nouns with a plural */
    const char *stuff;  /* nouns without one */
    const char *deeds;  /* verbs, past tense, with an object */
    const char *kinds;  /* adjectives */
};

extern const struct words_source words_sources[WORDS_THEMES];
extern const struct words_source words_general;

extern const char *const words_where[], *const words_people[], *const words_how[];
extern const char *const words_patterns[], *const words_plain[];
extern const char *const words_titles[], *const words_plain_titles[];
extern const char *const words_vague[], *const words_sites[];

/* How long those lists are. */
struct words_counts {
    size_t where, people, how, patterns, plain, titles, plain_titles, vague, sites;
};
extern const struct words_counts words_counts;
