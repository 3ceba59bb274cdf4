/* refresh.h - a page that was visited, visited again (choice.refresh).
 *
 *   request   conditional, where the page it would confirm is still at hand
 *   304       CHANGE_NONE: the model perceives the page as it was kept
 *   200       the same bytes, or the same text (text/shingle.h): CHANGE_NONE, the
 *             model perceives what came; nothing is stored but the outcome
 *             another text: CHANGE_TEXT, a page of its own, a version of the first
 *
 * What came is compared with the newest version stored, so that small steps add up to a change.
 * Only for models that say so (model_ops.returns); a refresh for another one is a
 * visit to a known URL, which is not made.
 */
#pragma once

#include "crawl/watch/look_up.h"
#include "flow.h"

/* frontier_config.validators; ctx is the crawl. */
void refresh_validators(void *crawl, uint32_t page, struct str *ret_etag, struct str *ret_modified);

/* What came, against what is stored of its URL. *ret is that, unless it is CHANGE_NEW;
 * lent until the next look-up. */
enum change refresh_judge(struct crawl *c, const struct arrival *a, struct kept *ret);

/* Are these two pages versions of one URL? */
bool refresh_is_version(struct crawl *c, uint32_t page, uint32_t first);

/* The date of a document that came: its own, else that of a feed which listed it, else the
 * server's (Last-Modified), else the present. */
int64_t refresh_date(const struct crawl *c, const struct arrival *a);

/* A document is as old as its own server says (Date): where the server's clock is more than
 * an hour off, the date as our clock would show it; else the date itself. Only models that
 * refresh look at it: for others it is the date itself, and no header is read. */
int64_t refresh_by_our_clock(const struct crawl *c, const struct arrival *a, int64_t date);

/* ---- when the entries of feeds were published, until their pages come ----
 *
 * A page that says nothing of its own date has the one of the feed that listed it
 * (flow.h: DATE_FEED). The first feed that gives one is believed. Thread: the mind.
 *
 * Limits: at most LIMIT_FEED_DATES are remembered, and none over a resume.
 */

struct feed_dates;

struct feed_dates *feed_dates_new(void);
void feed_dates_free(struct feed_dates *d);

/* A page came, and its links are marked; of what is no feed nothing is noted. */
void feed_dates_note(struct feed_dates *d, const struct arrival *a);
