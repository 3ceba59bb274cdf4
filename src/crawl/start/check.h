/* check.h - checks the options of a crawl.
 *
 * Finds every mistake that can be found before anything is fetched, made or started, with
 * the same readers that the crawl itself uses. Options that need the network (an example that is a
 * URL, a search engine) or another crawl are left to crawl_new().
 */
#pragma once

#include "base/status.h"
#include "crawl/options.h"

/* Checks topic, scope, model, seeds, contact and --resolve; mistakes are named by options. It does
 * not report that no topic is given. */
void crawl_check(const struct crawl_options *o, struct mistakes *ret);

/* ST_USAGE if --memory is too small to begin. */
enum status memory_check(const struct crawl_options *o) MUST_USE;

/* ST_USAGE if these URLs may not be requested without --contact. */
enum status seeds_need_contact(const struct crawl_options *o,
                               const struct text_list *seeds) MUST_USE;
