/* url_norm.h - one spelling for URLs that certainly mean the same page.
 *
 * On top of the WHATWG form: no fragment, no credentials, dot segments and
 * default ports gone, escapes of unreserved characters decoded, other escapes
 * in upper case (a stray '%' becomes %25), an empty query's '?' and empty
 * parameters removed, tracking parameters (utm_*, gclid, fbclid, session ids …)
 * removed, ";jsessionid=…" in paths too. The order of parameters is kept.
 * Idempotent: norm(norm(x)) = norm(x), tested.
 */
#pragma once

#include "parse/url.h"

/* Returns the normalised URL, as text that ends in NUL, in `arena`; {NULL, 0} if the arena is full
 * or the text is longer than LIMIT_URL. */
struct str url_norm(const struct url *u, struct arena *arena);

/* The identity of a normalised URL in the seen set: 64 bits of its text with
 * the scheme left out, so that a page has the same key under http and https.
 * Limit: two of 10 million URLs collide with a probability of 3e-6. */
uint64_t url_key(struct str normalised);

/* Splits an already normalised URL without parsing it again: host (with a port if one is
 * written), and path with query. */
void url_split(struct str normalised, struct str *ret_scheme, struct str *ret_host,
               uint16_t *ret_port, struct str *ret_path);
