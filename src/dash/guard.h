/* guard.h - checks which requests the dashboard accepts, as functions of texts.
 *
 * A page of another site can make a browser send requests here, and with its own DNS server it can
 * make the browser believe that this machine is part of that site. But it cannot choose what the
 * browser writes into Host and Origin, and it does not know the token.
 */
#pragma once

#include "base/str.h"

/* Is this Host header one of 127.0.0.1, localhost, [::1] or the address that was bound,
 * with our port or none? A wildcard address, such as 0.0.0.0, adds no name. */
bool guard_host(const char *bind, uint16_t port, struct str host);

/* May a request be answered, by what the browser says of its origin (Sec-Fetch-Site, -Mode, -Dest;
 * empty if it says nothing)? True for requests of our own page, of the user, and for links that a
 * user followed. Pages of other sites, and of other ports of this machine, cannot embed
 * anything. */
bool guard_fetch(struct str site, struct str mode, struct str dest);

/* Is it "http://" and a host that guard_host() accepts? */
bool guard_origin(const char *bind, uint16_t port, struct str origin);

/* Compares in constant time, so that the time does not show where they differ. */
bool guard_token(const char *token, struct str given);

/* Is this a valid URL of a request, as sent? It begins with one '/', is printable ASCII of at most
 * LIMIT_DASH_URL bytes, and has no escapes in its path (no path of ours needs one), no "%00" and no
 * "..". */
bool guard_url(struct str url);
