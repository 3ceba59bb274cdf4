/* replay.h - struct fetch_ops over a web in memory, in virtual time.
 *
 * It uses one thread, no locks and no clock. Requests under way are in a heap by the time of their
 * answer (ties in order of submission); take() advances the time to the first of them, or by
 * wait_us if none is nearer, and returns the arrivals of that moment. So the same calls give the
 * same answers, bit for bit.
 *
 * A page takes the latency of its answer, unless the configuration says otherwise; names resolve
 * without delay, each host to an address of its own in 10.0.0.0/8; robots.txt takes the latency of
 * its host, with its redirects included; a URL that is not in the web is 404. The answer is the one
 * at the time of the request. The network takes no time: sent_at and first_byte_at are equal to
 * started_at, so that a delay between requests is exact. A request with an ETag (which is the
 * version's number) gets 304 while that version holds.
 *
 * config.digest is called on the taker's thread for every document, with a->page
 * unpacked, a->profile except the topic's verdict, a->marks, a->robots and
 * a->payload_hash. All these are lent until the arrival is released, which must happen on the same
 * thread, because arrivals and their memory are reused. An arrival that is held outlives stop();
 * the web must outlive them all.
 */
#pragma once

#include "fetch/fetch.h"

struct web;

/* What fetch_config.own points to; start() copies it. */
struct replay_config {
    const struct web *web; /* the web that answers (sim/web/web.h) */
    int64_t begin;         /* when time begins; 0: as the web says */
    int64_t latency;       /* us that every answer takes; 0: as the web says */
    bool measured;         /* answers take as long as on the real web (latency.h), … */
    uint64_t measured_rng; /* … drawn from this number, the host and the URL */
    double slow;           /* share of hosts, drawn from that number too, … */
    int64_t slow_latency;  /* … whose answers take this long */
};

extern const struct fetch_ops fetch_sim;

#define REPLAY_ETAG 16 /* a version's number in quotes */

/* Returns "\"17\"" for version 17; it points into `text`. */
struct str replay_etag(uint32_t version, char text[REPLAY_ETAG]);
