/* wordbook.h - the words behind terms, for people.
 *
 * A term is the hash of a stem (text/vocab.h), which is all that a crawl needs. Where
 * one is shown to people, this book has its word, as the topic or the first page spells
 * it. Only terms that were asked for get in: one that is not known is looked for on
 * the page at hand, and then on the pages that come. Bounded (base/limits.h); saved with
 * the engine. Thread: the mind.
 */
#pragma once

#include "base/buf.h"
#include "flow.h"

struct topic;
struct wordbook;

struct wordbook *wordbook_new(const struct topic *t);
void wordbook_free(struct wordbook *b); /* NULL is fine */

/* Its word, lent for the life of the book; empty: not known yet. */
struct str wordbook_word(struct wordbook *b, uint32_t term);

/* How many terms are looked for. */
size_t wordbook_questions(const struct wordbook *b);

/* A page is at hand, with its text, until it is closed. The open questions are looked
 * up in it. NULL book: nothing happens. */
void wordbook_open(struct wordbook *b, const struct page *page, const struct profile *profile);
void wordbook_close(struct wordbook *b);

/* All but the topic's own. */
void wordbook_save(const struct wordbook *b, struct buf *out);
enum status wordbook_load(struct wordbook *b, struct cursor *from) MUST_USE;
