/* sha1.h - SHA-1 in base32, the digest WARC tools expect ("sha1:…").
 *
 * SHA-1 is the custom of the format, not a promise of security: it finds
 * damage and equal payloads. One context is used again for every record.
 */
#pragma once

#include "base/str.h"

#define SHA1_TEXT 33 /* 20 bytes as 32 letters of base32, and NUL */

struct sha1;

struct sha1 *sha1_new(void);
void sha1_free(struct sha1 *d);

/* The digest of the parts one after the other. */
void sha1_base32(struct sha1 *d, const struct str *parts, size_t count, char ret[SHA1_TEXT]);
