/* meter_news.h - the part of a meter that measures watching: the changes of a web, which of them
 * were seen in time, what agents sent, and how much of it was news.
 *
 * A change is a version of a page that really differs from the one before
 * (web_version_is_change()); it counts from the beginning of the run on, if the page can be
 * reached. The change was seen in time if the page was looked at within NEWS_DAY, and told
 * (changes-told) if that look led to a version in the store. Every look costs a step along the
 * page's versions.
 */
#pragma once

#include "lab/run/metric.h"

#define NEWS_DAY INT64_C(86400000000) /* us */

struct news_meter;

/* `t` is lent for its life. `moves`: the web changes. */
struct news_meter *news_new(const struct truth *t, bool moves);
void news_free(struct news_meter *n);

void news_begin(struct news_meter *n, int64_t at);
/* The web answered (NULL: there was no request). */
void news_answer(struct news_meter *n, const struct arrival *a);
/* A page was looked at, and stored if it is another version or the first. */
void news_look(struct news_meter *n, uint32_t url, int64_t at, bool stored);
void news_sent(struct news_meter *n, const struct event *e);    /* EVENT_SENT */
void news_message(struct news_meter *n, const struct event *e); /* EVENT_MESSAGE */

/* URLs of the web where news was found, each once. */
const uint32_t *news_urls(const struct news_meter *n, size_t *ret_count);

/* Writes all its metrics but those that need the state of the copies, and ends a window. */
void news_row(struct news_meter *n, int64_t now, double *row);
