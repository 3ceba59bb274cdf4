/* search_later.h - more queries to --search while a crawl runs, with words of its pages.
 *
 * The titles and beginnings of relevant pages are the examples from which words are learned
 * (search.h): they say more than a search engine's summaries. A query is due when SEARCH_PAGES
 * pages are stored, then each time they have doubled, and when the crawl would end because no link
 * is left. Its results are places to start, like those of the first queries. The crawl does not
 * wait for the engine's answer. Nothing of this is kept for a resume. Thread: the mind.
 */
#pragma once

#include "crawl/crawl.h"
#include "flow.h"

#define SEARCH_PAGES 25

struct search_later;

/* Returns NULL if no query is left for later. */
struct search_later *search_later_new(const struct crawl_options *o);
void search_later_free(struct search_later *s); /* NULL is fine */

/* Takes a page that was stored as a possible example. */
void search_later_hear(struct crawl *c, const struct arrival *a);
/* Sends a query if one is due, and takes the answer if it has come. */
void search_later_turn(struct crawl *c);
bool search_later_waits(const struct search_later *s); /* is an answer under way? `s` may be NULL */
