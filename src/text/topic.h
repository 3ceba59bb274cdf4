/* topic.h - what the crawl is about.
 *
 * A topic is a string of words, or a file (docs/topic.md):
 *     solar energy            words, weight 1
 *     photovoltaic 2.5        a weighted word
 *     "heat pump" 2           a phrase
 *     -astrology              a negative word
 *     match *solar* / reject *casino*   patterns over URL, title and text
 *     + FILE|URL  - FILE|URL  example texts
 *     marks DIR               the pages marked in an earlier crawl, as examples
 *     idf FILE                a table made by `brood topic idf`
 *     [NAME]                  a heading: the lines up to the next one are a topic of that name
 * Stop words are dropped unless nothing else is left. Parsing is pure: the
 * caller reads the files that example lines and `idf` name. A topic that has
 * its examples is immutable and shared by all threads.
 *
 * A file with headings gives a joint topic, which has the positive words and phrases of all
 * its parts, and their examples (topic_train()). A page is as relevant to it as it is to the
 * part that it fits best. So code that takes one topic can take a joint one; the parts give
 * more detail (docs/adr/0024).
 *
 * Words keep the form in which they were written, and are stemmed in the language of each page
 * that they are compared with (text/lens.h), so that they match the page's own stems.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"
#include "flow.h"

struct topic;
struct classifier;
struct df_table; /* text/vocab.h: document frequencies of one moment */

/* Makes a topic from words on the command line. Returns ST_USAGE if no word is left. */
enum status topic_from_words(struct str words, struct str lang, struct topic **ret) MUST_USE;
/* Makes a topic from a file's text; `name` is for error messages ("FILE:LINE: ..."). */
enum status topic_from_text(struct str text, const char *name, struct str lang,
                            struct topic **ret) MUST_USE;
/* Writes a file's text so that it can be read from anywhere: the files that its lines `+`, `-`,
 * `marks` and `idf` name become paths below `dir`, its folder. Absolute paths and URLs stay, and so
 * do the line numbers. Returns ST_LIMIT if `out` is too small. */
enum status topic_place(struct str text, struct str dir, struct buf *out) MUST_USE;
void topic_free(struct topic *t);

/* How many topics a joint one was made of, and the i-th, in the order of the file. 0:
 * it is one topic. */
size_t topic_parts(const struct topic *t);
struct topic *topic_part(const struct topic *t, size_t i);
/* The name of a part; empty for a topic without a heading. */
struct str topic_name(const struct topic *t);
/* Does the text of a file have a heading? */
bool topic_has_headings(struct str text);

/* Adds an example, before the topic is shared: a document's terms (ascending, copied). Returns
 * ST_INVALID if it has no words. */
enum status topic_add_sample(struct topic *t, const struct term *terms, size_t nterms,
                             bool positive) MUST_USE;

/* Remembers how the words of an example are written. */
void topic_spell(struct topic *t, const struct page *page, const struct profile *p);
/* Writes the words that speak for the topic, with blanks between them: its own positive words, then
 * the strongest of its classifier, if it is trained. */
void topic_words(const struct topic *t, struct buf *out);

/* The examples added so far: how many, and the i-th. */
size_t topic_samples(const struct topic *t);
const struct term *topic_sample(const struct topic *t, size_t i, size_t *ret_nterms,
                                bool *ret_positive);

/* Trains a classifier on the examples (text/classify.h), when all of them are added and
 * before the topic is shared; from then on relevance is its probability. `df` is the table
 * that pages will be measured with, if there is a fixed one; NULL: idf is that of the
 * examples. Without examples of both kinds nothing is trained: relevance stays a cosine, with
 * a query that the positive examples move (Rocchio, text/lens.h). A joint topic trains its
 * parts. It takes over their negative examples only if every part has examples of both kinds:
 * those of one topic alone would count against the pages of the others. */
void topic_train(struct topic *t, const struct df_table *df);
const struct classifier *topic_classifier(const struct topic *t); /* NULL: none */

/* The example lines (of a joint topic those of all parts): how many, and the i-th (a file or URL,
 * as written). */
size_t topic_examples(const struct topic *t);
struct str topic_example(const struct topic *t, size_t i, bool *ret_positive);
size_t topic_example_line(const struct topic *t, size_t i); /* its line in the file */

/* The directories of lines `marks`: how many, and the i-th, as written. */
size_t topic_marks(const struct topic *t);
struct str topic_mark(const struct topic *t, size_t i, size_t *ret_line);

/* The file named by `idf`, as written; empty if there is none. */
struct str topic_idf_file(const struct topic *t);

/* The topic's language ("en"), used for pages that declare no language that we know. */
struct str topic_lang(const struct topic *t);

/* How many distinct positive terms it has, with weights, in the topic's language and in the order
 * in which they were written; and the i-th (its stem as text). A phrase gives its words. */
size_t topic_terms(const struct topic *t);
struct str topic_term(const struct topic *t, size_t i, float *ret_weight, uint32_t *ret_id);
/* The same for its negative words (-word), with weights above 0. Phrases are left out, because
 * their words do not count against a page one by one. */
size_t topic_against(const struct topic *t);
uint32_t topic_against_term(const struct topic *t, size_t i, float *ret_weight);
/* Does it have nothing but stop words? Then these are its terms. */
bool topic_keeps_stops(const struct topic *t);
/* Does it have, besides other words, a phrase of stop words only ("to be"), which no
 * term stands for? */
bool topic_has_stop_phrase(const struct topic *t);

/* Writes one line for people: its words, and everything unusual: the measure, the source of
 * document frequencies, doubts. */
void topic_describe(const struct topic *t, struct buf *out);

/* A text from which topic_from_text() makes the same topic, kept in the
 * database for resume: the file's text, or the words (in quotes if a line of
 * a file would be read differently: `formula 1`). Files that examples and
 * `idf` name are not included. */
struct str topic_source(const struct topic *t);
