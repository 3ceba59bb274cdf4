/* get.h - one URL at a time, at the user's own request: search engines,
 * example pages, `brood inspect URL`. No frontier, no robots.txt, but the same
 * fetch engine, egress guard and ceilings. Redirects are followed hop by hop. */
#pragma once

#include "crawl/options.h"
#include "flow.h"

struct getter;

enum status getter_new(const struct crawl_options *o, struct getter **ret) MUST_USE;
void getter_free(struct getter *g);

/* Appends the decoded payload of the last hop to `ret`; *ret_url gets the final URL and *ret_type
 * the Content-Type (both on the heap; the pointers may be NULL). ST_NET, with a sentence, if there
 * was no answer or no 2xx. */
enum status getter_text(struct getter *g, struct str url, struct buf *ret, char **ret_url,
                        char **ret_type) MUST_USE;
