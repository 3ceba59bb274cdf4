/* sha1.h - SHA-1 in base32, the digest WARC tools expect ("sha1:…").
 *
 * The format expects SHA-1. It serves to find damage and equal payloads, not to promise security.
 * One context is used for all records.
 */
#pragma once

#include "base/str.h"

#define SHA1_TEXT 33 /* 20 bytes as 32 letters of base32, and NUL */

struct sha1;

struct sha1 *sha1_new(void);
void sha1_free(struct sha1 *d);

/* Writes the digest of the concatenated parts. */
void sha1_base32(struct sha1 *d, const struct str *parts, size_t count, char ret[SHA1_TEXT]);
