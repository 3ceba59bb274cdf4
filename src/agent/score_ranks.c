/* score_ranks.c - how many scores stand above a score, and which is the n-th best.
 * SPDX-License-Identifier: MIT */
#include "agent/score_ranks.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

struct score_ranks *score_ranks_new(void)
{
    return MEM_NEW(struct score_ranks);
}

#define INFINITE 0xff80 /* the class of infinity */

/* Turns floats into numbers of the same order: flips the sign bit, and below zero all bits. */
static uint32_t class_of(double score)
{
    float f = (float)score + 0.0F; /* so that 0 and -0 are equal */
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    return (bits & 0x80000000u ? ~bits : bits | 0x80000000u) >> 16;
}

static float class_least(uint32_t class)
{
    uint32_t key = class << 16, bits = key & 0x80000000u ? key & 0x7fffffffu : ~key;
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

void score_ranks_count(struct score_ranks *r, double score, int by)
{
    uint32_t class = class_of(score);

    r->fine[class] += (uint32_t)by;
    r->coarse[class >> 8] += (uint32_t)by;
}

void score_ranks_move(struct score_ranks *r, double from, double to)
{
    if (class_of(from) == class_of(to))
        return;
    score_ranks_count(r, from, -1);
    score_ranks_count(r, to, 1);
}

float score_ranks_bound(const struct score_ranks *r, uint64_t n)
{
    uint64_t above = 0;
    int block = 255, class;

    while (block >= 0 && above + r->coarse[block] < n)
        above += r->coarse[block--];
    if (block < 0)
        return -INFINITY;
    for (class = block * 256 + 255; above + r->fine[class] < n; class --)
        above += r->fine[class];
    return class_least((uint32_t) class);
}

float score_ranks_within(const struct score_ranks *r, uint64_t n)
{
    uint64_t above = 0;
    int class = 65535, block;

    while (class >= 0) {
        block = class >> 8;
        if (class % 256 == 255 && above + r->coarse[block] <= n) {
            above += r->coarse[block];
            class -= 256;
        } else if (above + r->fine[class] <= n) {
            above += r->fine[class --];
        } else {
            break;
        }
    }
    if (class < 0)
        return -INFINITY;
    return class + 1 >= INFINITE ? INFINITY : class_least((uint32_t) class + 1);
}
