/* look.h - sixteen bytes of text at one look.
 *
 * A scanner that asks each byte in turn needs some five instructions a byte. With a look it asks
 * sixteen at once and gets a bit for each, the first byte lowest:
 *
 *     look16 v = look_at(p);                           needs 16 bytes that can be read
 *     unsigned ends = look_bits((v <= 0x2f) | (v == '>'));
 *     if (ends)
 *         p += __builtin_ctz(ends);
 *
 * The bytes are a vector type of the compiler, so every operator works on all of them; bytes are
 * compared as unsigned. This works on any processor; those with SSE2 gather the bits in one
 * instruction.
 */
#pragma once

#include <endian.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define LOOK 16 /* bytes */

typedef unsigned char look16 __attribute__((vector_size(LOOK)));

static inline look16 look_at(const char *p)
{
    look16 v;

    memcpy(&v, p, sizeof v);
    return v;
}

static inline void look_put(look16 v, char *out)
{
    memcpy(out, &v, sizeof v);
}

/* Gathers one bit of each byte; all are 0 or 0xff. */
static inline unsigned look_gather(look16 yes)
{
#ifdef __SSE2__
    return (unsigned)_mm_movemask_epi8((__m128i)yes);
#else
    uint64_t half[2];

    memcpy(half, &yes, sizeof half);
    for (unsigned i = 0; i < 2; i++)
        half[i] =
            (le64toh(half[i]) & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
    return (unsigned)(half[0] | half[1] << 8);
#endif
}

/* The bits of a comparison, whose result the compiler makes a vector of signed bytes. */
#define look_bits(comparison) look_gather((look16)(comparison))
