/* prose.h - readable sentences from a vocabulary.
 *
 * Plain text without markup characters (no & < > "), so that it can go into
 * HTML as it is. Each call draws from the generator it is given and from
 * nothing else.
 */
#pragma once

#include "base/buf.h"
#include "sim/make/words.h"

#define PROSE_WORDS 10.5 /* of a sentence, on average */

/* One sentence about the topic (WORDS_NONE: about nothing in particular). */
void prose_sentence(const struct words *w, uint32_t topic, struct rng *r, struct buf *out);

/* A headline, first letter capital, no full stop. */
void prose_title(const struct words *w, uint32_t topic, struct rng *r, struct buf *out);

/* Two or three words that name something of the topic: a link's anchor. */
void prose_phrase(const struct words *w, uint32_t topic, struct rng *r, struct buf *out);

/* A phrase that says nothing: "read more". Never empty. */
struct str prose_vague(struct rng *r);

/* A person's name. */
struct str prose_person(struct rng *r);

/* A word for a kind of site: "journal", "club". */
struct str prose_site(struct rng *r);

/* The text in lower case with everything but letters and digits as single
 * hyphens: for host and path names. */
void prose_slug(struct str text, struct buf *out);
