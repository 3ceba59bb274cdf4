/* poster.h - sends one POST or one GET to another server, without waiting for the answer.
 *
 * Every connection goes through fetch/ and its egress guard. Redirects are not followed, and the
 * crawl's cookies and headers are not sent. Thread: the mind's.
 */
#pragma once

#include "crawl/options.h"
#include "flow.h"

struct poster;

/* `private_too`: the server may have a private address. The options are lent. */
enum status poster_new(const struct crawl_options *o, bool private_too,
                       struct poster **ret) MUST_USE;
void poster_free(struct poster *p); /* NULL is fine */

/* Begins to send `body` (at most LIMIT_MAIL bytes) with these header lines; both are copied.
 * Returns false if a request is under way. If the URL is not allowed, the answer has `trouble`. */
bool poster_post(struct poster *p, struct str url, struct str fields, struct str body);

/* The same with a body that is application/x-www-form-urlencoded. */
bool poster_send(struct poster *p, struct str url, struct str form);

/* The same with a GET, whose answer has a body. */
bool poster_get(struct poster *p, struct str url);

/* The result, which can be taken once. Lent until the next call. */
struct poster_answer {
    int status;           /* 0: no answer */
    const char *trouble;  /* why */
    bool is_refused;      /* by the egress guard */
    uint64_t retry_after; /* seconds that the server asks for; 0: none */
    struct str body;      /* of a GET, decoded */
};
bool poster_take(struct poster *p, struct poster_answer *ret);
bool poster_is_busy(const struct poster *p);
