/* http.h - one HTTP/1.x request, parsed without copying.
 *
 * Pure: bytes in, struct out; all strings point into the input. Clients may be hostile: anything
 * that could be read in two ways is refused (RFC 9112: two Host fields, folded lines, space before
 * a colon, lengths that disagree, any transfer coding).
 */
#pragma once

#include "base/str.h"

enum http_coding { HTTP_GZIP = 1u }; /* what the client can decode */

struct http_request {
    struct str method;
    struct str path;          /* with query, starts with '/' */
    struct str host;          /* as sent, port included; may be empty (1.0) */
    struct str if_none_match; /* empty where absent */
    struct str if_modified_since;
    uint64_t body;    /* bytes that follow the head */
    unsigned codings; /* enum http_coding */
    bool is_get, is_head;
    bool keep_alive; /* the client wants the connection kept */
};

#define HTTP_MORE  0 /* the head is not complete */
#define HTTP_READY 200

/* HTTP_MORE; HTTP_READY with *ret and the bytes of the head in *ret_used; or
 * the status to refuse the request with (400, 405, 413, 431, 501, 505), after
 * which the connection cannot be used. */
int http_parse(struct str in, struct http_request *ret, size_t *ret_used);

/* Does one of the listed entity tags match this one, by weak comparison? "*" matches any. */
bool http_tag_matches(struct str list, struct str tag);

/* "Not Found" for 404; never NULL. */
const char *http_reason(int status);
