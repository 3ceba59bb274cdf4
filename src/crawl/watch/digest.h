/* digest.h - daily digests of announcements: when they are due, and their mail.
 *
 * A digest is due when the time of the day (local, TZ) has come since the last one. The
 * announcements are in the database, so a watch that did not run at that time sends them when it
 * runs again.
 */
#pragma once

#include "crawl/watch/news.h"

/* Reads "07:30" as minutes since midnight. */
enum status digest_parse(struct str text, int *ret) MUST_USE;

/* Is a digest due? `last`: when the last one was sent, or when the watch began. */
bool digest_is_due(int minute, int64_t last, int64_t now);

/* Writes the mail with the announcements after number `after` up to `last`, at most LIMIT_DIGEST:
 * header lines without To, an empty line, the text. *ret_last: the number of the last one in it.
 * ST_MISSING if there are none. */
enum status digest_mail(struct query *q, uint32_t after, uint32_t last, struct str topic,
                        struct buf *out, uint32_t *ret_last) MUST_USE;
