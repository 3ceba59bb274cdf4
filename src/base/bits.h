/* bits.h - counting bits. SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/* How many bits are set. Builds for any x86-64 would call a library for the compiler's builtin. */
static inline unsigned bits_count(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    return (unsigned)(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
}
