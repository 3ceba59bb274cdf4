/* prose.h - generates readable sentences from a vocabulary.
 *
 * Plain text without markup characters (no & < > "), so that it can go into
 * HTML as it is. The result of a call depends only on the vocabulary and on the generator that it
 * is given.
 */
#pragma once

#include "base/buf.h"
#include "sim/make/words.h"

#define PROSE_WORDS 10.5 /* of a sentence, on average */

/* Appends a sentence about the topic (WORDS_NONE: about nothing in particular). */
void prose_sentence(const struct words *w, uint32_t topic, struct rng *r, struct buf *out);

/* Appends a headline with a capital first letter and no full stop. */
void prose_title(const struct words *w, uint32_t topic, struct rng *r, struct buf *out);

/* Appends two or three words that name something of the topic, as the anchor text of a link. */
void prose_phrase(const struct words *w, uint32_t topic, struct rng *r, struct buf *out);

/* Returns a phrase without meaning, such as "read more". Never empty. */
struct str prose_vague(struct rng *r);

/* Returns a person's name. */
struct str prose_person(struct rng *r);

/* Returns a word for a kind of site: "journal", "club". */
struct str prose_site(struct rng *r);

/* Appends the text in lower case, with everything but letters and digits replaced by single
 * hyphens: for host and path names. */
void prose_slug(struct str text, struct buf *out);
