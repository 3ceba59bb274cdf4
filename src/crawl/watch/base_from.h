/* base_from.h - --base-from DIR: the pages of an earlier crawl as places to walk on.
 *
 * Each archived page of DIR gets the number of its URL here, counts as visited (it is
 * not fetched, and is no result of this crawl), is read again, and goes to the model's
 * `adopt`. Models that have none only hear of its links. Its relevance is what was
 * stored where both crawls have the same topic, else the topic's verdict of today. Its
 * words count for the document frequencies. Pages that were not archived, and URLs that
 * this crawl may not fetch, are left out; so are pages that cannot be read again.
 */
#pragma once

#include "base/status.h"

#include <stdint.h>

struct base;
struct crawl;
struct reread;

/* Opens it, where one is asked for. */
enum status base_open(struct crawl *c) MUST_USE;
void base_free(struct base *b);

/* After the model's start: hands the pages over. */
enum status base_adopt(struct crawl *c) MUST_USE;
/* After a resume: the model has them, and the frontier knows that they are visited;
 * here is where they can be looked up. A directory that is gone meanwhile is a line in
 * the log, and there is no base then. */
void base_recall(struct crawl *c);

/* The earlier crawl's page of a URL, or 0; and where it can be read. Both may be
 * asked without a base. */
uint32_t base_page(const struct base *b, uint32_t url);
struct reread *base_reader(const struct base *b);
