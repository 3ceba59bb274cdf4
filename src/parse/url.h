/* url.h - URLs by the WHATWG standard, http and https only.
 *
 * Pure; no I/O. IDNA by libidn2. A parsed URL borrows nothing: its text is one
 * normal form ("href") and offsets into it.
 */
#pragma once

#include "base/arena.h"
#include "base/status.h"

/* A parsed URL. All strings point into href, which ends in NUL. */
struct url {
    struct str href;   /* the serialised URL, fragment included */
    struct str scheme; /* "http" or "https" */
    struct str user;   /* without the separators; usually empty */
    struct str password;
    struct str host;     /* lower case, punycode; "[::1]" with brackets */
    struct str path;     /* starts with '/' */
    struct str query;    /* without '?' */
    struct str fragment; /* without '#' */
    uint16_t port;       /* the scheme's default if none is written */
    bool has_port;       /* a port other than the default is written */
    bool has_query;      /* there is a '?', even if nothing follows it */
    bool has_fragment;
};

/* Parses `input` (UTF-8; bad bytes are tolerated) against `base`, which may be NULL. Memory comes
 * from `arena`. Returns ST_INVALID where the standard says failure, ST_REFUSED for a valid URL that
 * is neither http nor https, ST_LIMIT if it is longer than LIMIT_URL. */
enum status url_parse(struct str input, const struct url *base, struct arena *arena,
                      struct url *ret) MUST_USE;
