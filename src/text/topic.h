/* topic.h - what the crawl is about.
 *
 * A topic is a string of words, or a file (docs/topic.md):
 *     solar energy            words, weight 1
 *     photovoltaic 2.5        a weighted word
 *     "heat pump" 2           a phrase
 *     -astrology              what it is not
 *     match *solar* / reject *casino*   patterns over URL, title and text
 *     + FILE|URL  - FILE|URL  example texts (trained on by the classifier)
 *     idf FILE                a table made by `brood topic idf`
 * Stop words are dropped unless nothing else is left. Immutable once made:
 * shared by all threads.
 */
#ifndef TEXT_TOPIC_H
#define TEXT_TOPIC_H

#include "base/status.h"
#include "base/str.h"
#include "flow.h"

struct topic;
struct df_table; /* text/vocab.h: document frequencies of one moment */

/* From words on the command line. ST_USAGE where no word is left. */
enum status topic_from_words(struct str words, struct str lang, struct topic **ret) MUST_USE;
/* From a file's text; `name` is for error messages ("FILE:LINE: ..."). */
enum status topic_from_text(struct str text, const char *name, struct str lang,
                            struct topic **ret) MUST_USE;
void topic_free(struct topic *t);

/* Distinct positive terms with weights; how many, and the i-th (stem text). */
size_t topic_terms(const struct topic *t);
struct str topic_term(const struct topic *t, size_t i, float *ret_weight, uint32_t *ret_id);

/* One line for people: which words, which measure, how sure. */
void topic_describe(const struct topic *t, struct buf *out);

/* The text the topic was made from (kept in the database for resume). */
struct str topic_source(const struct topic *t);

#endif
