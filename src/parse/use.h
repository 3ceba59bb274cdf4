/* use.h - what the owner of a page wishes for its use.
 *
 * Read from robots.txt (Content-Signal, Content-Usage, License), header fields (X-Robots-Tag,
 * Content-Signal, TDM-Reservation, TDM-Policy, Link) and elements (meta, link). The
 * statements become a list, in the order in which they are found, each piece once:
 *
 *     search=yes, ai-train=no, noai, tdm-reservation=1, license=https://example.org/l.xml
 *
 * Nothing is fetched because of a wish. docs/use.md says what each piece means.
 */
#pragma once

#include "base/buf.h"

/* What a reader of the crawl wants to do with its pages. */
enum use { USE_SEARCH, USE_AI_INPUT, USE_AI_TRAIN, USES };

/* All functions add pieces to `out`, which never gets longer than LIMIT_USE. */

/* "search=yes, ai-train=no" of Content-Signal; "train-ai=n" of Content-Usage. */
void use_add_signals(struct buf *out, struct str value);
/* ROBOTS_NOAI and ROBOTS_NOIMAGEAI of X-Robots-Tag and meta robots (robots_tag()). */
void use_add_tags(struct buf *out, unsigned robots);
/* "tdm-reservation" or "tdm-policy" with its value. */
void use_add_tdm(struct buf *out, struct str name, struct str value);
/* The address of a licence, as written. */
void use_add_license(struct buf *out, struct str url);
/* Adds the pieces of another list. */
void use_join(struct buf *out, struct str list);

/* Does the list say something under this name? */
bool use_has(struct str list, struct str name);

/* Did the owner reserve this use? */
bool use_reserves(struct str list, enum use use);
