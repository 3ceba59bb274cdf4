/* wordbook.h - the words behind terms, for people.
 *
 * A term is the hash of a stem (text/vocab.h), which is all that a crawl needs. To show a term to
 * people, this book has its word, as the topic or the first page spells it. It holds only terms
 * that were asked for: an unknown one is looked up on the current page, and then on later pages.
 * Bounded (base/limits.h); saved with the engine. Thread: the mind.
 */
#pragma once

#include "base/buf.h"
#include "flow.h"

struct topic;
struct wordbook;

struct wordbook *wordbook_new(const struct topic *t);
void wordbook_free(struct wordbook *b); /* NULL is fine */

/* Returns the word of a term, lent for the life of the book; empty if it is not known yet. */
struct str wordbook_word(struct wordbook *b, uint32_t term);

/* Returns how many terms have no word yet. */
size_t wordbook_questions(const struct wordbook *b);

/* Sets the current page, with its text, until it is closed, and looks up the unknown terms in it.
 * `b` may be NULL. */
void wordbook_open(struct wordbook *b, const struct page *page, const struct profile *profile);
void wordbook_close(struct wordbook *b);

/* Saves all words but the topic's own. */
void wordbook_save(const struct wordbook *b, struct buf *out);
enum status wordbook_load(struct wordbook *b, struct cursor *from) MUST_USE;
