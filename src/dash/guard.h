/* guard.h - who may ask: the checks of the dashboard, as functions of texts.
 *
 * A page of another site can make a browser send requests here, and by its own DNS it can
 * make the browser believe that this machine is part of that site. It cannot choose what
 * the browser writes into Host and Origin, and does not know the token.
 */
#pragma once

#include "base/str.h"

/* Is this Host header one of 127.0.0.1, localhost, [::1] or the address that was bound,
 * with our port or none? An address bound to everything adds no name. */
bool guard_host(const char *bind, uint16_t port, struct str host);

/* What a browser says of where a request comes from (Sec-Fetch-Site, -Mode, -Dest; empty
 * where it says nothing): ours, the user's own, or a link to here that a user followed.
 * Pages of other sites, and of other ports of this machine, get nothing to build in. */
bool guard_fetch(struct str site, struct str mode, struct str dest);

/* "http://" and a host of guard_host(). */
bool guard_origin(const char *bind, uint16_t port, struct str origin);

/* Compared in a time that says nothing of where they differ. */
bool guard_token(const char *token, struct str given);

/* A request's URL as sent: begins with one '/', printable ASCII, no escapes in its path
 * (no path of ours needs one), no "%00" anywhere, no "..", at most LIMIT_DASH_URL. */
bool guard_url(struct str url);
