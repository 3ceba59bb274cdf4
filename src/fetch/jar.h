/* jar.h - the cookies and TLS sessions of one loop.
 *
 * libcurl keeps the cookies and binds them to their origin (with the
 * public suffix list, path, Secure and expiry); we share one jar between
 * the handles of a loop and bound it. There are no locks, because all
 * requests to a host use one loop.
 */
#pragma once

#include <curl/curl.h>

struct jar {
    CURLSH *share;    /* for CURLOPT_SHARE */
    const char *file; /* the user's Netscape cookie file, or NULL; lent */
    unsigned count;   /* Set-Cookie lines since the jar was emptied */
};

void jar_init(struct jar *j, const char *file);
void jar_clear(struct jar *j); /* call it after all handles that use it are closed */

/* Counts received cookies; `easy` is any handle that uses the jar. */
void jar_add(struct jar *j, CURL *easy, unsigned more);
