/* push.h - feeds that notify us when they change: WebSub (W3C) and rssCloud.
 *
 * We subscribe at the hub that a feed names, with a secret address below --callback:
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
 * The callback is open to the internet. A request to an address that was never given out is
 * answered with 410 Gone. Only topics that were asked for are confirmed, and only while an answer
 * is awaited. Bodies are bounded by LIMIT_PUSH_BODY, subscriptions by LIMIT_PUSH_TOPICS; a feed is
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

/* ST_USAGE unless it is a URL that can be given to hubs. */
enum status push_check(const char *callback) MUST_USE;

/* `callback`: as hubs see it. The options are lent; `private_too`: hubs may be at private
 * addresses. */
enum status push_new(const char *callback, const struct crawl_options *o, bool private_too,
                     struct push **ret) MUST_USE;
void push_free(struct push *p); /* NULL is fine */

/* Finds feeds and their hubs (bus_listen_fn). */
void push_event(void *push, const struct event *e);

/* Subscribes to `feed`, which names a hub. */
void push_want(struct push *p, struct str feed, const struct hub *hub, int64_t now);

/* Sends the requests to hubs that are due, and reads their answers. Never waits. */
void push_pump(struct push *p, int64_t now);

/* What push_pump() does, without a network: push_ask() appends the request that is due, and the
 * other function takes the status of its answer (0: none). One request at a time. */
bool push_ask(struct push *p, int64_t now, struct buf *ret_hub, struct buf *ret_form);
void push_asked(struct push *p, int status, int64_t now);

/* Appends the URL of a feed that has changed; returns false if there is none at the moment. */
bool push_take(struct push *p, int64_t now, struct buf *ret);

struct push_counts {
    uint32_t topics, active;
    uint64_t told, refused; /* messages that were accepted, and that were refused */
};
struct push_counts push_counts(struct push *p);

/* ---- requests to the callback ---- */

struct push_request {
    bool is_post;
    struct str path;      /* its last part is the address that was given out */
    struct str query;     /* without '?', as sent */
    struct str body;      /* of a POST */
    struct str signature; /* X-Hub-Signature; may be empty */
};

/* Returns the status of the answer; appends a challenge to `ret`. */
unsigned push_answer(struct push *p, const struct push_request *r, int64_t now, struct buf *ret);

/* Appends the decoded value of a form's field; returns false if the form does not have it. */
bool push_field(struct str form, struct str name, struct buf *ret);
