/* headers.h - the request headers that are the same for every request, or for
 * every request to one place.
 *
 * Built once, shared by all transfers of all threads, never changed. The user's
 * own lines (--header) come last and replace ours of the same name; lines for
 * one place replace lines for all.
 */
#pragma once

#include "fetch/fetch.h"

#include <curl/curl.h>

struct header_lists {
    struct curl_slist *page;   /* for documents, compressed */
    struct curl_slist *robots; /* for robots.txt, uncompressed */
};

struct headers {
    const struct fetch_header *own; /* the user's; lent */
    struct header_lists every;
    struct header_lists *at; /* for requests to the place of own[i]; empty: it has no place */
};

/* Returns ST_USAGE if a line of the user's is not a header, or is one that would break
 * the engine (Host, framing). */
enum status headers_make(const struct fetch_config *config, struct headers *ret) MUST_USE;
void headers_free(struct headers *h);

/* The lines for a request, by scheme, host and port of its URL. */
struct curl_slist *headers_for(const struct headers *h, const struct request *r);

/* Adds a request's head in the form that may be archived: without the values of secrets. */
void headers_hide(const struct headers *h, struct str head, struct buf *out);
