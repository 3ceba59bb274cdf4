/* refresh.h - repeated visits to a page (choice.refresh).
 *
 *   request   conditional, where the page it would confirm is still at hand
 *   304       CHANGE_NONE: the model perceives the page as it was kept
 *   200       the same bytes, or the same text (text/shingle.h): CHANGE_NONE, the
 *             model perceives what came; nothing is stored but the outcome
 *             another text: CHANGE_TEXT, a page of its own, a version of the first
 *
 * The arrival is compared with the newest stored version, so that small steps add up to a change.
 * Only for models with model_ops.returns; for another model a refresh is a visit to a known URL,
 * which is not made.
 */
#pragma once

#include "crawl/watch/look_up.h"
#include "flow.h"

/* frontier_config.validators; ctx is the crawl. */
void refresh_validators(void *crawl, uint32_t page, struct str *ret_etag, struct str *ret_modified);

/* Compares an arrival with what is stored of its URL. That goes to *ret, unless the result is
 * CHANGE_NEW; it is lent until the next look-up. */
enum change refresh_judge(struct crawl *c, const struct arrival *a, struct kept *ret);

/* Are these two pages versions of one URL? */
bool refresh_is_version(struct crawl *c, uint32_t page, uint32_t first);

/* Returns the date of a document: its own, else that of a feed which listed it, else the server's
 * (Last-Modified), else the current time. */
int64_t refresh_date(const struct crawl *c, const struct arrival *a);

/* A document is as old as its own server says (Date): if the server's clock is off by more than an
 * hour, returns the date converted to our clock; else the date itself. Only models that refresh use
 * this: for others it returns the date, and no header is read. */
int64_t refresh_by_our_clock(const struct crawl *c, const struct arrival *a, int64_t date);

/* ---- when the entries of feeds were published, until their pages come ----
 *
 * A page without a date of its own has the date from the feed that listed it (flow.h: DATE_FEED).
 * The first feed that gives one counts. Thread: the mind.
 *
 * Limits: at most LIMIT_FEED_DATES are remembered, and none over a resume.
 */

struct feed_dates;

struct feed_dates *feed_dates_new(void);
void feed_dates_free(struct feed_dates *d);

/* A page has arrived, and its links are marked: notes the dates if it is a feed. */
void feed_dates_note(struct feed_dates *d, const struct arrival *a);
