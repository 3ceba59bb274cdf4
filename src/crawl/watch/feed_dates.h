/* feed_dates.h - when the entries of feeds were published, until their pages come.
 *
 * A page that says nothing of its own date has the one of the feed that listed it
 * (flow.h: DATE_FEED). The first feed that gives one is believed. Thread: the mind.
 *
 * Limits: at most LIMIT_FEED_DATES are remembered, and none over a resume.
 */
#pragma once

#include "flow.h"

struct feed_dates;

struct feed_dates *feed_dates_new(void);
void feed_dates_free(struct feed_dates *d);

/* A page came, and its links are marked; of what is no feed nothing is noted. */
void feed_dates_note(struct feed_dates *d, const struct arrival *a);

/* 0: no feed said one. */
int64_t feed_dates_of(const struct feed_dates *d, uint32_t url);
