/* topic.h - what the crawl is about.
 *
 * A topic is a string of words, or a file (docs/topic.md):
 *     solar energy            words, weight 1
 *     photovoltaic 2.5        a weighted word
 *     "heat pump" 2           a phrase
 *     -astrology              what it is not
 *     match *solar* / reject *casino*   patterns over URL, title and text
 *     + FILE|URL  - FILE|URL  example texts
 *     marks DIR               the pages marked in an earlier crawl, as examples
 *     idf FILE                a table made by `brood topic idf`
 *     [NAME]                  a heading: the lines up to the next one are a topic of that name
 * Stop words are dropped unless nothing else is left. Parsing is pure: what
 * example lines and `idf` name is read by the caller. Immutable once made and
 * given its examples: shared by all threads.
 *
 * A file with headings gives a joint topic, which has the positive words and phrases of all its
 * parts, and their examples (topic_train()). A page is as relevant to it as it is to the part that
 * it fits best. So whoever takes one topic can take a joint one; who wants to know more asks the
 * parts (docs/adr/0024).
 *
 * Words keep the form they were written in, and are stemmed again under the
 * language of every page they meet (text/lens.h): so they meet the page's own
 * stems whatever its language is.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"
#include "flow.h"

struct topic;
struct classifier;
struct df_table; /* text/vocab.h: document frequencies of one moment */

/* From words on the command line. ST_USAGE where no word is left. */
enum status topic_from_words(struct str words, struct str lang, struct topic **ret) MUST_USE;
/* From a file's text; `name` is for error messages ("FILE:LINE: ..."). */
enum status topic_from_text(struct str text, const char *name, struct str lang,
                            struct topic **ret) MUST_USE;
/* A file's text with the files that its lines `+`, `-`, `marks` and `idf` name as paths below
 * `dir`, its folder: it can then be read from anywhere. Absolute paths and URLs stay,
 * and so do the numbers of lines. ST_LIMIT: `out` is too small. */
enum status topic_place(struct str text, struct str dir, struct buf *out) MUST_USE;
void topic_free(struct topic *t);

/* The topics that a joint one was made of, in the order of the file; 0: it is one topic. */
size_t topic_parts(const struct topic *t);
struct topic *topic_part(const struct topic *t, size_t i);
/* The name of a part; empty for a topic without a heading. */
struct str topic_name(const struct topic *t);
/* Has the text of a file a heading? */
bool topic_has_headings(struct str text);

/* An example, to be added before the topic is shared: a document's terms (ascending,
 * copied). ST_INVALID for one without words. */
enum status topic_add_sample(struct topic *t, const struct term *terms, size_t nterms,
                             bool positive) MUST_USE;

/* Remembers how the words of an example are written. */
void topic_spell(struct topic *t, const struct page *page, const struct profile *p);
/* The words that speak for the topic, with blanks between: its own positive words, then the
 * strongest of its classifier, if it is trained. */
void topic_words(const struct topic *t, struct buf *out);

/* The examples added so far: how many, and the i-th. */
size_t topic_samples(const struct topic *t);
const struct term *topic_sample(const struct topic *t, size_t i, size_t *ret_nterms,
                                bool *ret_positive);

/* Trains a classifier on the examples (text/classify.h), to be called once they are
 * all there and before the topic is shared; from then on relevance is its
 * probability. `df` is the table pages will be measured with, where there is one
 * that stays; NULL: idf is that of the examples. Without examples of both kinds
 * nothing is trained: relevance stays a cosine, with a query that the positive
 * examples move (Rocchio, text/lens.h). A joint topic trains its parts. It has their negative
 * examples itself only where every part has examples of both kinds: those of one topic alone
 * would speak against the pages of the others. */
void topic_train(struct topic *t, const struct df_table *df);
const struct classifier *topic_classifier(const struct topic *t); /* NULL: none */

/* The example lines (of a joint topic those of all parts): how many, and the i-th (a file or URL,
 * as written). */
size_t topic_examples(const struct topic *t);
struct str topic_example(const struct topic *t, size_t i, bool *ret_positive);
size_t topic_example_line(const struct topic *t, size_t i); /* where it stands */

/* The directories of lines `marks`: how many, and the i-th, as written. */
size_t topic_marks(const struct topic *t);
struct str topic_mark(const struct topic *t, size_t i, size_t *ret_line);

/* The file named by `idf`, as written; empty without one. */
struct str topic_idf_file(const struct topic *t);

/* The topic's language ("en"): of pages that declare none we know. */
struct str topic_lang(const struct topic *t);

/* Distinct positive terms with weights, in the topic's language and in order
 * of writing; how many, and the i-th (stem text). A phrase gives its words. */
size_t topic_terms(const struct topic *t);
struct str topic_term(const struct topic *t, size_t i, float *ret_weight, uint32_t *ret_id);
/* The same of its negative words (-word), with weights above 0; phrases are left out: their
 * words by themselves say nothing against a page. */
size_t topic_against(const struct topic *t);
uint32_t topic_against_term(const struct topic *t, size_t i, float *ret_weight);
/* It has nothing but stop words, which are its terms then. */
bool topic_keeps_stops(const struct topic *t);
/* Beside other words it has a phrase of stop words alone ("to be"), for which no term speaks. */
bool topic_has_stop_phrase(const struct topic *t);

/* One line for people: which words, and what is not as usual: the measure, where document
 * frequencies come from, doubts. */
void topic_describe(const struct topic *t, struct buf *out);

/* A text from which topic_from_text() makes the same topic, kept in the database
 * for resume: the file's text, or the words (in quotes where a file's line would
 * be read otherwise: `formula 1`). What examples and `idf` name is not in it. */
struct str topic_source(const struct topic *t);
