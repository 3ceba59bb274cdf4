/* hash.c - XXH3. SPDX-License-Identifier: MIT */
#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash_bytes(const void *data, size_t len)
{
    return XXH3_64bits(data ? data : "", len);
}
