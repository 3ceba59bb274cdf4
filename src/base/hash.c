/* hash.c - XXH3. SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash_bytes(const void *data, size_t len)
{
    return XXH3_64bits(data ? data : "", len);
}

void hash_urn(const uint64_t id[2], char ret[HASH_URN])
{
    /* The bits of a random UUID (RFC 4122, version 4), but from our numbers. */
    uint64_t high = (hash_u64((id[0] ^ UINT64_C(0x5741524331)) + id[1] * 3) & ~UINT64_C(0xf000)) |
                    UINT64_C(0x4000);
    uint64_t low = (hash_u64(id[1] + hash_u64(id[0])) & ~(UINT64_C(3) << 62)) | UINT64_C(2) << 62;

    (void)snprintf(ret, HASH_URN, "urn:uuid:%08x-%04x-%04x-%04x-%012llx", (unsigned)(high >> 32),
                   (unsigned)(high >> 16 & 0xffff), (unsigned)(high & 0xffff),
                   (unsigned)(low >> 48), (unsigned long long)(low & UINT64_C(0xffffffffffff)));
}
