/* digest.h - SHA-1 in base32, the digest WARC tools expect ("sha1:…").
 *
 * SHA-1 is the custom of the format, not a promise of security: it finds
 * damage and equal payloads. One context is used again for every record.
 */
#ifndef STORE_DIGEST_H
#define STORE_DIGEST_H

#include "base/str.h"

#define DIGEST_TEXT 33 /* 20 bytes as 32 letters of base32, and NUL */

struct digest;

struct digest *digest_new(void);
void digest_free(struct digest *d);

/* The digest of the parts one after the other. */
void digest_sha1(struct digest *d, const struct str *parts, size_t count, char ret[DIGEST_TEXT]);

#endif
