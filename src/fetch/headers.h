/* headers.h - the request headers that are the same for every request.
 *
 * Built once, shared by all transfers of all threads, never changed. The
 * user's own lines (--header) come last and replace ours of the same name.
 */
#ifndef FETCH_HEADERS_H
#define FETCH_HEADERS_H

#include "fetch/fetch.h"

#include <curl/curl.h>

struct headers {
    struct curl_slist *page;   /* for documents, compressed */
    struct curl_slist *robots; /* for robots.txt, as it is */
};

/* ST_USAGE where a line of the user's is no header, or is one that would
 * break the engine (Host, framing). */
enum status headers_make(const struct fetch_config *config, struct headers *ret) MUST_USE;
void headers_free(struct headers *h);

#endif
