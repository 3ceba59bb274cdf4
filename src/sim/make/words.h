/* words.h - the topics of a generated web and their vocabularies.
 *
 * Each topic has a vocabulary: the first 24 are real English subjects, written by hand; later ones
 * are invented from syllables, pronounceable and distinct. One general vocabulary belongs to no
 * topic (WORDS_NONE). A person who reads a sentence made from a vocabulary (prose.h) can tell its
 * topic.
 *
 * Immutable once made. The same number of topics and seed give the same words.
 */
#pragma once

#include "base/rng.h"
#include "base/str.h"

#define WORDS_NONE       UINT32_MAX /* no topic: general English */
#define WORDS_MAX_TOPICS 1000u      /* with more topics the world would not be topical */

/* The role of a word in a sentence. */
enum words_class {
    WORDS_THING, /* a noun with a plural: hive */
    WORDS_STUFF, /* a noun without one: honey */
    WORDS_DEED,  /* a verb in the past tense that takes an object: smoked */
    WORDS_KIND,  /* an adjective: capped */
    WORDS_CLASSES
};

struct words;

/* Makes the vocabularies of `topics` topics (at most WORDS_MAX_TOPICS). */
struct words *words_new(uint32_t topics, uint64_t seed);
void words_free(struct words *w);

uint32_t words_topics(const struct words *w);
struct str words_name(const struct words *w, uint32_t topic);  /* "bread baking" */
struct str words_query(const struct words *w, uint32_t topic); /* name and a few words */

/* Draws one word of a class; words at the front of the list are more frequent. */
struct str words_draw(const struct words *w, uint32_t topic, enum words_class c, struct rng *r);

/* Returns the i-th word of a class; for host and path names. */
struct str words_at(const struct words *w, uint32_t topic, enum words_class c, size_t i);
