/* search.h - uses the results of a search engine as places to start.
 *
 * The first query is the topic's words. The titles and summaries of its results are the examples
 * from which a guide (text/guide.h) learns. Each further query adds one word to the topic's words:
 * the one that speaks most for the topic in these examples and is not among its words. Half of
 * --search-queries are made in this way; the rest comes later, with words of the crawl's own pages
 * (search_later.h). Results are JSON (SearXNG and others: every `url`, `link` or `href`), RSS, Atom
 * or a web page.
 */
#pragma once

#include "crawl/options.h"

/* Adds the results of --search. Only the first query must have results: if a later one failed,
 * *ret_trouble is the message (on the heap). */
enum status search_seeds(const struct crawl_options *o, struct text_list *ret,
                         char **ret_trouble) MUST_USE;

/* ---- its parts, for tests and fuzzers ---- */

struct search_hit {
    char *url;
    char *text; /* title and summary; may be empty */
};
struct search_hits {
    struct search_hit *items; /* heap */
    size_t count, cap, most;
};
void search_hits_free(struct search_hits *h);
/* Does nothing if there are `most` already, or if it is not a URL. */
void search_hit_add(struct search_hits *h, struct str url, struct str title, struct str summary);

/* Reads an answer. */
void search_read(struct str answer, const char *url, const char *type, struct search_hits *ret);

/* The template with {} replaced by the escaped words. */
void search_fill(struct buf *out, const char *template, struct str words);

/* Returns how many of the queries are made later. */
size_t search_queries_later(const struct crawl_options *o);

/* Appends the words that speak most for the topic in the hits and are not among its own, at most
 * `most`. */
struct topic;
void search_learn(const struct topic *t, const struct search_hits *hits, size_t most,
                  struct text_list *ret);
