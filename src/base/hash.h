/* hash.h - the 64-bit hashes of the program: XXH3 for bytes, a mixer for
 * numbers. Stable across runs and machines; not for anything secret. */
#pragma once

#include "base/str.h"

uint64_t hash_bytes(const void *data, size_t len);

static inline uint64_t hash_str(struct str s)
{
    return hash_bytes(s.ptr, s.len);
}

/* splitmix64's finalizer: a bijection that mixes every bit. */
static inline uint64_t hash_u64(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Makes "urn:uuid:…" of two numbers. The same numbers give the same name. */
#define HASH_URN 46
void hash_urn(const uint64_t id[2], char ret[HASH_URN]);
