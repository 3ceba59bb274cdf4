/* push.h - feeds that say themselves when they change: WebSub (W3C) and rssCloud.
 *
 * A feed that names a hub is subscribed to there, with an address below --callback that nobody
 * else knows:
 *
 *     wanted --POST to the hub--> asked --the hub asks us, and gets its challenge--> active
 *       ^                           |                                                  |
 *       '--- no answer: later ------'<----------- the lease is nearly over ------------'
 *
 * What a hub sends is not used as content. It only says that the feed changed, and the feed is then
 * visited (crawl/watch/prompt.h) like any page. So a hub can waste a visit, but nothing more. A
 * message of WebSub counts if it is signed with the secret of its subscription (X-Hub-Signature:
 * sha1, sha256, sha384 or sha512); one of rssCloud, which has no secrets, counts if it names the
 * feed.
 *
 * The callback is open to the world. A request to an address that was never given out is answered
 * with 410 Gone. Only topics that were asked for are confirmed, and only while an answer is
 * awaited. Bodies are bounded by LIMIT_PUSH_BODY, subscriptions by LIMIT_PUSH_TOPICS; a feed is
 * visited at most every PUSH_REST. Addresses and secrets are new in every run, and are stored
 * nowhere. The model visits feeds as before, so nothing depends on a hub.
 *
 * Thread: push_answer() any, the rest the mind's.
 */
#pragma once

#include "crawl/options.h"
#include "flow.h"

#define PUSH_REST INT64_C(10000000) /* us */

struct push;

/* Is it a URL that hubs can be given? */
enum status push_check(const char *callback) MUST_USE;

/* `callback`: as hubs see it. The options are lent; `private_too`: hubs may be at private
 * addresses. */
enum status push_new(const char *callback, const struct crawl_options *o, bool private_too,
                     struct push **ret) MUST_USE;
void push_free(struct push *p); /* NULL is fine */

/* Learns of feeds and their hubs (bus_listen_fn). */
void push_event(void *push, const struct event *e);

/* `feed` names a hub. */
void push_want(struct push *p, struct str feed, const struct hub *hub, int64_t now);

/* Asks hubs for what is due, and hears their answers. Never waits. */
void push_pump(struct push *p, int64_t now);

/* What push_pump() does, without a network: the request that is due, appended; and the status that
 * came of it (0: none). One at a time. */
bool push_ask(struct push *p, int64_t now, struct buf *ret_hub, struct buf *ret_form);
void push_asked(struct push *p, int status, int64_t now);

/* A feed that changed: its URL is appended. False: there is none at the moment. */
bool push_take(struct push *p, int64_t now, struct buf *ret);

struct push_counts {
    uint32_t topics, active;
    uint64_t told, refused; /* messages that counted, and that did not */
};
struct push_counts push_counts(struct push *p);

/* ---- what comes to the callback ---- */

struct push_request {
    bool is_post;
    struct str path;      /* its last part is the address that was given out */
    struct str query;     /* without '?', as sent */
    struct str body;      /* of a POST */
    struct str signature; /* X-Hub-Signature; may be empty */
};

/* The status to answer with; a challenge is appended to `ret`. */
unsigned push_answer(struct push *p, const struct push_request *r, int64_t now, struct buf *ret);

/* The value of a form's field, decoded and appended. False: it has none. */
bool push_field(struct str form, struct str name, struct buf *ret);
