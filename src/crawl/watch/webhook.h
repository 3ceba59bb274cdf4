/* webhook.h - sends announcements to the user's server: one JSON object in each POST, in order.
 *
 * Its queue is the database itself: announcements that are not delivered wait there, so none is
 * lost over a restart and memory is bounded. The number of the last one sent is a key of the crawl
 * ("watch.sent"), posted after every delivery and committed with the next checkpoint: after a kill
 * the last few may be sent twice, with the same id.
 *
 *     200 to 299               delivered
 *     408, 425, 429, 5xx,      tried again after 1 s, 2 s, 4 s … at most 5 minutes, for
 *     no answer                ever; Retry-After is kept to (an hour at most)
 *     any other                the server does not want this one: it is left out, counted
 *
 * A poster (poster.h) sends them. It never blocks: one request is under way, and webhook_pump()
 * attends to it. With a secret the body is signed: X-Brood-Signature: sha256=HEX (HMAC-SHA-256).
 * Thread: the mind's.
 *
 * A digest has all announcements that wait, up to LIMIT_DIGEST, in one object: {"digest":true,
 * "items":[…]}. The caller decides when, with the `last` of webhook_pump().
 */
#pragma once

#include "crawl/watch/news.h"
#include "crawl/options.h"

struct webhook;
struct bus;

struct webhook_config {
    const char *url;
    struct str secret; /* empty: unsigned */
    bool digest;       /* all announcements that wait, in one POST */
    bool private_too;  /* it may have a private address, even if pages may not */
    const struct crawl_options *options;
    const char *dir;
    struct bus *bus;
};

struct webhook_counts {
    uint64_t sent, refused, failures; /* failures: attempts to be repeated */
    uint32_t waiting;
    const char *trouble; /* of the last attempt; empty: it succeeded. Lent */
};

/* ST_USAGE if it is not a URL, or has an address that the guard refuses. A host name is only
 * checked when a request is made. */
enum status webhook_check(const char *url, bool private_too) MUST_USE;

/* ST_USAGE if the URL is not valid. Strings are copied, the options are lent. */
enum status webhook_new(const struct webhook_config *config, struct webhook **ret) MUST_USE;
void webhook_free(struct webhook *w); /* NULL is fine */

/* Goes on: announcements up to `last` may be sent. Returns true if there is more to do. */
bool webhook_pump(struct webhook *w, uint32_t last, int64_t now);

struct webhook_counts webhook_counts(const struct webhook *w);

/* "sha256=HEX". */
#define WEBHOOK_SIGNATURE 72
void webhook_sign(struct str secret, struct str body, char ret[WEBHOOK_SIGNATURE]);
