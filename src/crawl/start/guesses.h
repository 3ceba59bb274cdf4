/* guesses.h - tries the usual addresses of a host's sitemap and feeds.
 *
 * A seed that is only a host's name (seed_is_host()) also leads to these addresses. No page names
 * them, so one that does not exist is not a failure of the crawl. The target of a redirect from a
 * guess is a guess too.
 */
#pragma once

#include "crawl/crawl_int.h"

/* Offers the guesses to the model of a new crawl. */
void guesses_offer(struct crawl *c);
/* Finds the guesses of a resumed crawl. */
void guesses_recall(struct crawl *c);
/* If `from` is a guess, `to`, to which it redirects, becomes one too. */
void guesses_follow(struct crawl *c, uint32_t from, uint32_t to);
bool guesses_have(const struct crawl *c, uint32_t url);
