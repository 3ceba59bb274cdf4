/* check.h - do a crawl's options make sense?
 *
 * Finds every mistake that can be found before anything is fetched, made or started, with
 * the same readers that the crawl itself uses. What needs the network (an example that
 * is a URL, a search engine) or another crawl is left to crawl_new().
 */
#pragma once

#include "base/status.h"
#include "crawl/options.h"

/* Topic, scope, model, seeds, contact, --resolve; mistakes are named by options. A topic that
 * is not given at all is the caller's business. */
void crawl_check(const struct crawl_options *o, struct mistakes *ret);

/* Is --memory enough to begin with? */
enum status memory_check(const struct crawl_options *o) MUST_USE;

/* May these URLs be asked, or does that need --contact? */
enum status seeds_need_contact(const struct crawl_options *o,
                               const struct text_list *seeds) MUST_USE;
