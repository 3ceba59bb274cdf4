/* mutate.c - libFuzzer's mutations, and now and then a long input (stretch.h).
 * SPDX-License-Identifier: MIT */
#include "stretch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHORT 8192 /* bytes */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    struct rng rng;
    size_t len, n;
    char *out;

    rng_init(&rng, seed);
    if (size > SHORT && seed % 64 != 0) /* else long ones would take all the time */
        size = 1 + rng_below(&rng, SHORT);
    if (seed % 256 != 0 || size == 0)
        return LLVMFuzzerMutate(data, size, max);
    len = (size_t)((double)max * exp2(-10 * rng_unit(&rng))); /* short ones more often */
    out = malloc(len + 1);
    n = out ? stretch((struct str){(const char *)data, size}, &rng, out, len) : 0;
    if (n)
        memcpy(data, out, n);
    free(out);
    return n ? n : LLVMFuzzerMutate(data, size, max);
}
