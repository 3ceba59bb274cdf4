/* base_from.h - --base-from DIR: agents may walk on the pages of an earlier crawl.
 *
 * Each archived page of DIR gets a URL number in this crawl, counts as visited (it is not fetched,
 * and is not a result of this crawl), is read again, and goes to the model's `adopt`. Models
 * without `adopt` only get its links. Its relevance is the stored one if both crawls have the same
 * topic, else it is computed again. Its words count for the document frequencies. Pages that were
 * not archived, and URLs that this crawl may not fetch, are left out; so are pages that cannot be
 * read again.
 */
#pragma once

#include "base/status.h"

#include <stdint.h>

struct base;
struct crawl;
struct reread;

/* Opens the base, if one is asked for. */
enum status base_open(struct crawl *c) MUST_USE;
void base_free(struct base *b);

/* Called after the model's start: passes the pages to it. */
enum status base_adopt(struct crawl *c) MUST_USE;
/* Called after a resume, when the model has the pages and the frontier knows that they are visited:
 * finds where the pages can be read. If the directory is gone by then, this is logged, and there is
 * no base. */
void base_recall(struct crawl *c);

/* base_page() returns the earlier crawl's page of a URL, or 0; the other function returns its
 * reader. Both may be called without a base. */
uint32_t base_page(const struct base *b, uint32_t url);
struct reread *base_reader(const struct base *b);
