/* date.h - dates as servers, feeds, pages and URLs write them.
 *
 * All give microseconds since 1970 UTC and false where the text is no date.
 * Impossible dates (30 February, 25:00) and years outside 1970..2199 are no
 * dates. A time without a zone is taken as UTC; a day without a time as its
 * midnight. A leap second (:60) is the next second. *ret_us stays untouched
 * on failure. Whether a date in the future is believed is the caller's choice.
 */
#pragma once

#include "base/str.h"

/* Header fields (RFC 9110 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT", the RFC 850
 * and asctime forms, and the deviations found in the wild. Years up
 * to 9999, which some servers write for "never". */
bool date_http(struct str s, int64_t *ret_us);

/* ISO 8601 and RFC 3339: "2026-11-15T10:00:00.5+01:00", "20261115", "2026-11",
 * "2026-W46-7", "2026-319". A longer text must not follow. */
bool date_iso(struct str s, int64_t *ret_us);

/* Any of these; of mail (RFC 822 and 5322, with zone names and two-digit years: "Sun, 15 Nov
 * 26 10:00 EST"); or as people write in English: "15 November 2026",
 * "Nov 15, 2026", "November 15th, 2026 at 3:04 pm", "Sunday 15 Nov 2026". The
 * whole text must be the date. Never guesses between 3/4 and 4/3. */
bool date_any(struct str s, int64_t *ret_us);

/* The date in a URL's path: /2026/11/15/, /2026-11-15-title, /20261115/. A
 * whole day only: a year and month alone say too little. */
bool date_in_url(struct str path, int64_t *ret_us);
