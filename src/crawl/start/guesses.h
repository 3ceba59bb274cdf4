/* guesses.h - where the sitemap and the feeds of a host usually are.
 *
 * A seed that is a host's name alone (seed_is_host()) also leads there. Nobody has named these
 * addresses, so one that does not exist is no failure of the crawl. Where one redirects to is a
 * guess, too.
 */
#pragma once

#include "crawl/crawl_int.h"

/* Offers them to the model of a new crawl. */
void guesses_offer(struct crawl *c);
/* Finds those of a crawl that goes on. */
void guesses_recall(struct crawl *c);
/* A guess redirects to `to`; nothing happens where `from` is none. */
void guesses_follow(struct crawl *c, uint32_t from, uint32_t to);
bool guesses_have(const struct crawl *c, uint32_t url);
