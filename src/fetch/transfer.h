/* transfer.h - one request and its answer, on a pooled libcurl handle.
 *
 * A transfer is made once and used for many requests: settings that are
 * the same for all of them are made only once. transfer_begin()
 * prepares it for a request, libcurl runs it, transfer_end() fills the
 * reply. It belongs to one loop.
 *
 *     idle --begin--> head --blank line--> body --end--> idle
 *
 * The connection goes to the request's address and nowhere else: the address
 * is pinned (CURLOPT_CONNECT_TO), and when a socket is opened the guard judges
 * the binary address once more.
 */
#pragma once

#include "fetch/fetch.h"

#include <curl/curl.h>

struct headers;
struct watches;

/* What all transfers of a loop share; outlives them. */
struct transfer_setup {
    const struct fetch_config *config;
    const struct headers *headers;
    CURLSH *share;           /* cookies and TLS sessions of the loop */
    struct watches *watches; /* is told which sockets are opened and closed */
    uint64_t rate;           /* most bytes a second of one transfer; 0: no limit */
};

struct transfer;

struct transfer *transfer_new(const struct transfer_setup *setup);
void transfer_free(struct transfer *t);

CURL *transfer_easy(const struct transfer *t);
struct transfer *transfer_of(CURL *easy);

/* Keeps the arrival until transfer_end(). Returns false if libcurl refuses the URL; then the reply
 * says so and the transfer is idle. */
bool transfer_begin(struct transfer *t, struct arrival *a, int64_t now);

/* How many bytes giving it up would free; 0 if its body is too small for that. */
size_t transfer_spares(const struct transfer *t);
/* Gives up the transfer because memory is short: transfer_end() reports that, and
 * keeps nothing of the body. */
void transfer_give_up(struct transfer *t);

/* Fills in the reply and returns the arrival. *ret_cookies: Set-Cookie lines received;
 * *ret_bytes: bytes received. */
struct arrival *transfer_end(struct transfer *t, CURLcode code, int64_t now, unsigned *ret_cookies,
                             uint64_t *ret_bytes);
