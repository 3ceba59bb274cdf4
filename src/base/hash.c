/* hash.c - XXH3. SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash_bytes(const void *data, size_t len)
{
    return XXH3_64bits(data ? data : "", len);
}

void hash_urn(const uint64_t id[2], char ret[HASH_URN])
{
    /* The bits of a random UUID (RFC 4122, version 4), but made of our numbers. */
    uint64_t high = (hash_u64((id[0] ^ UINT64_C(0x5741524331)) + id[1] * 3) & ~UINT64_C(0xf000)) |
                    UINT64_C(0x4000);
    uint64_t low = (hash_u64(id[1] + hash_u64(id[0])) & ~(UINT64_C(3) << 62)) | UINT64_C(2) << 62;

    memcpy(ret, "urn:uuid:", 9);
    ret += 9;
    for (int i = 0; i < 32; i++) { /* by hand: five of them are written for each page */
        if (i == 8 || i == 12 || i == 16 || i == 20)
            *ret++ = '-';
        *ret++ = "0123456789abcdef"[(i < 16 ? high : low) >> (60 - i % 16 * 4) & 15];
    }
    *ret = '\0';
}
