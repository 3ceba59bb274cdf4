/* date.h - dates as servers, feeds, pages and URLs write them.
 *
 * All functions give microseconds since 1970 UTC, and return false if the text
 * is not a date; *ret_us is then unchanged. Impossible dates (30 February,
 * 25:00) and years outside 1970..2199 are rejected. A time without a zone is
 * taken as UTC; a day without a time, as its midnight. A leap second (:60) is
 * the next second. The caller decides whether to believe a date in the future.
 */
#pragma once

#include "base/str.h"

/* Header fields (RFC 9110 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT", the RFC 850 and asctime
 * forms, and deviations that occur in practice. Years up to 9999, which some servers write
 * for "never", are accepted. */
bool date_http(struct str s, int64_t *ret_us);

/* ISO 8601 and RFC 3339: "2026-11-15T10:00:00.5+01:00", "20261115", "2026-11",
 * "2026-W46-7", "2026-319". No other text may follow. */
bool date_iso(struct str s, int64_t *ret_us);

/* Accepts any of these forms, those of mail (RFC 822 and 5322, with zone names and two-digit years:
 * "Sun, 15 Nov 26 10:00 EST"), and the ways in which people write dates in English: "15 November
 * 2026", "Nov 15, 2026", "November 15th, 2026 at 3:04 pm", "Sunday 15 Nov 2026". The whole text
 * must be the date. Ambiguous forms such as 3/4 are rejected. */
bool date_any(struct str s, int64_t *ret_us);

/* The date in a URL's path: /2026/11/15/, /2026-11-15-title, /20261115/. It
 * must name a day: a year and a month alone are too vague. */
bool date_in_url(struct str path, int64_t *ret_us);
