/* robots.h - what a host asks of crawlers: robots.txt (RFC 9309) and robots tags.
 *
 * A parsed robots.txt keeps only what concerns one crawler, ours: the rules of
 * the groups that name its token (all of them merged; else those of `*`), their
 * Crawl-delay, and the file's Sitemap lines. It is one block of memory that
 * never changes, so threads may share it and the cache may keep 100,000.
 *
 * The longest matching rule decides; Allow wins a tie. A path that no rule
 * matches is allowed, and so is /robots.txt itself. `*` and a final `$` are
 * special (`%2A` and `%24` mean the characters themselves); the length of a rule
 * counts the bytes of its pattern. Escapes are compared after one normal form:
 * `%41` and `A`, `%c3%a9` and the bytes c3 a9 are the same, `%2F` and `/` are
 * the same in a query and not in a path.
 */
#pragma once

#include "base/buf.h"

struct robots;

/* Parses the first LIMIT_ROBOTS bytes of a file for the crawler `token` ("brood";
 * letters, `-` and `_`; anything after them is ignored). Never fails and never
 * returns NULL: an empty or unreadable file forbids nothing. */
struct robots *robots_parse(struct str text, struct str token);
void robots_free(struct robots *r);

/* Adds to `out` what the file says about the use of its host's pages by our crawler (parse/use.h):
 * signals of the groups that name it, or else of `*`, and licences. */
void robots_wishes(struct str text, struct str token, struct buf *out);

/* May this path with its query ("/a/b?c", as in a normalised URL) be fetched? *ret_line is the line
 * of the deciding rule, or 0 if none matched; it may be NULL. Takes time linear in the path,
 * whatever the rules; allocates nothing. */
bool robots_allows(const struct robots *r, struct str path_and_query, unsigned *ret_line);

/* The same, and adds its cost to *steps, in comparisons of a byte or a word: at most
 * LIMIT_ROBOTS_STATES / 64 for each byte, and a search among the rules. */
bool robots_allows_counted(const struct robots *r, struct str path_and_query, uint64_t *steps);

/* Crawl-delay of our group in microseconds, at most LIMIT_CRAWL_DELAY; -1 if there is none. */
int64_t robots_delay(const struct robots *r);

/* The Sitemap lines of the file, as written (first LIMIT_ROBOTS_SITEMAPS). */
unsigned robots_sitemap_count(const struct robots *r);
struct str robots_sitemap(const struct robots *r, unsigned i);

/* Were there more patterns with stars than LIMIT_ROBOTS_STATES? Those beyond it allow nothing and
 * forbid more than they say. */
bool robots_is_widened(const struct robots *r);

/* The object as bytes, borrowed, to be stored and restored on the same machine. A restored object
 * is checked: NULL if it is not a robots object. */
struct str robots_saved(const struct robots *r);
struct robots *robots_restore(struct str saved);

/* The memory it holds, in bytes. */
size_t robots_bytes(const struct robots *r);

/* ROBOTS_* (flow.h) of X-Robots-Tag fields, one a line, or of a meta robots
 * content: "noindex, nofollow", "none", "otherbot: noindex, brood: nofollow".
 * Words that follow another crawler's name in its field are not for us;
 * unknown words are ignored. */
unsigned robots_tag(struct str value, struct str token);
