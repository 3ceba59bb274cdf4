/* vocab.h - terms, and the number of documents that contain them.
 *
 * A term is a stem, named by 32 bits of its hash: the same number on every
 * thread, machine and run, with no table to share (docs/adr/0002). The vocab
 * belongs to the mind, which adds the terms of each new page. Fetch threads
 * read a df_table: an immutable copy, handed over by reference and counted; the
 * mind publishes a new one when the number of documents has grown by an eighth,
 * so that copying costs a constant per page.
 *
 * idf(t) = ln(1 + N/df(t)), with df 1 for a term never seen. If N is 0, idf is 1 for all terms.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"
#include "flow.h"

struct vocab;
struct df_table;

uint32_t term_id(struct str stem); /* never 0 */

struct vocab *vocab_new(void);
void vocab_free(struct vocab *v);
void vocab_add(struct vocab *v, const struct profile *p); /* one document */
uint32_t vocab_documents(const struct vocab *v);

uint32_t vocab_terms(const struct vocab *v); /* distinct ones, at most LIMIT_VOCAB_TERMS */

/* A crawl needs only hashes. A table for people needs the stems: after vocab_keep_text() the vocab
 * keeps those that vocab_name() (or a load) gives it. profile_learn() names the stems of a page. */
void vocab_keep_text(struct vocab *v);
bool vocab_lacks_text(const struct vocab *v, uint32_t term); /* it keeps texts, but not this one */
void vocab_name(struct vocab *v, uint32_t term, struct str stem);
struct str vocab_text(const struct vocab *v, uint32_t term); /* lent; empty: not known */

/* The table as text, sorted by stem: "# brood idf 1 DOCUMENTS", then lines of "stem TAB
 * df". A table read from such a file fixes the vocab: vocab_add() then does nothing.
 * Errors say "name:line: ...". */
enum status vocab_load(struct vocab *v, struct str text, const char *name) MUST_USE;
void vocab_write(const struct vocab *v, struct buf *out);

/* Should a new table be published? */
bool vocab_is_due(const struct vocab *v);
struct df_table *vocab_publish(struct vocab *v);
struct df_table *df_hold(struct df_table *t);
void df_release(struct df_table *t); /* NULL is fine */

float df_idf(const struct df_table *t, uint32_t term);

/* Checkpoint: the whole vocabulary. */
void vocab_save(const struct vocab *v, struct buf *out);
enum status vocab_restore(struct vocab *v, struct str state) MUST_USE;
