/* url_host.h - the host parser of the WHATWG URL standard, for special schemes.
 *
 * Only url.c needs it. Pure. Only libidn2 allocates memory, for a
 * host that is not ASCII.
 */
#pragma once

#include "base/str.h"

/* Room that a host may need; a longer one is not accepted as a host (DNS ends at 255). */
#define URL_HOST_MAX 1024

/* Writes the serialised form of a host as it stands in a URL ("EXAMPLE.com",
 * "b%C3%BCcher.de", "0x7f.1", "[::0:1]") and returns its length, or 0 where the
 * standard says failure. `ret` needs URL_HOST_MAX bytes. */
size_t url_host_parse(struct str raw, char *ret);
