/* rank.c - the history of relevances: bins, their sums, and which bins are in use.
 *
 * Weights are whole numbers of 1/unit. For decay the unit grows by 2^(1/H) a page
 * from 2^16 to 2^32; there all weights lose 16 bits, and what is less than one
 * is gone: at most 2^-16 of a page's weight a bin.
 * SPDX-License-Identifier: MIT */
#include "models/energy/rank.h"

#include "base/bits.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define BIN_STEPS  65536.0 /* bins a unit of relevance */
#define USED_WORDS (RANK_BINS / 64)
#define UNIT_LOW   16 /* powers of two between which the unit of decay lies */
#define UNIT_HIGH  32
#define ROUNDING   1e-12 /* of share * weight */
#define DECAY_MAX  1e9   /* keeps all sums below 2^63 */

struct rank {
    enum rank_history history;
    double n;                  /* of last and decay */
    uint64_t *tree;            /* Fenwick: tree[i] sums (i & -i) bins up to bin i - 1 */
    uint64_t *bins;            /* weight of each */
    uint64_t used[USED_WORDS]; /* bit b: bin b is not empty */
    uint64_t total, unit;      /* sum of all bins; weight of the newest page */
    double power;              /* decay: the unit's logarithm */
    uint32_t low, high;        /* first and last bin in use, where there is one */
    uint16_t *window;          /* last: the newest bins, a ring */
    size_t count, cap, oldest; /* in the ring; allocated; place of the oldest */
};

static void clear(struct rank *r)
{
    memset(r->tree, 0, (RANK_BINS + 1) * sizeof *r->tree);
    memset(r->bins, 0, RANK_BINS * sizeof *r->bins);
    memset(r->used, 0, sizeof r->used);
    r->total = 0;
    r->power = UNIT_LOW;
    r->unit = r->history == RANK_DECAY ? (uint64_t)1 << UNIT_LOW : 1;
    r->count = r->oldest = 0;
}

struct rank *rank_new(enum rank_history history, double n)
{
    struct rank *r = MEM_NEW(struct rank);

    assert(history == RANK_ALL || n >= 1);
    r->history = history;
    r->n = n;
    r->tree = mem_alloc((RANK_BINS + 1) * sizeof *r->tree);
    r->bins = mem_alloc(RANK_BINS * sizeof *r->bins);
    clear(r);
    return r;
}

void rank_free(struct rank *r)
{
    if (r == NULL)
        return;
    free(r->tree);
    free(r->bins);
    free(r->window);
    free(r);
}

enum status rank_parse(struct str text, enum rank_history *ret, double *ret_n)
{
    static const struct {
        const char *prefix;
        enum rank_history history;
        double max;
    } kinds[] = {{"last:", RANK_LAST, RANK_WINDOW_MAX}, {"decay:", RANK_DECAY, DECAY_MAX}};

    *ret_n = 0;
    *ret = RANK_ALL;
    if (str_eq(text, STR("all")))
        return ST_OK;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct str prefix = str_of(kinds[i].prefix);

        if (!str_starts(text, prefix))
            continue;
        *ret = kinds[i].history;
        if (str_to_double(str_sub(text, prefix.len, text.len), ret_n) && *ret_n >= 1 &&
            *ret_n <= kinds[i].max && (*ret == RANK_DECAY || *ret_n == floor(*ret_n)))
            return ST_OK;
        return status_fail(ST_USAGE, "history '%.*s': %s takes a number of pages from 1 to %.0f",
                           STR_ARG(text), kinds[i].prefix, kinds[i].max);
    }
    return status_fail(ST_USAGE, "history '%.*s' is none of all, last:N and decay:H",
                       STR_ARG(text));
}

/* ---- bins ---- */

static uint32_t bin_of(double relevance)
{
    double at = ceil(relevance * BIN_STEPS);

    if (!(at > 0))
        return 0;
    return at < RANK_BINS ? (uint32_t)at : RANK_BINS - 1;
}

static double bin_value(uint32_t bin)
{
    return bin == RANK_BINS - 1 ? 1 : bin / BIN_STEPS;
}

double rank_value(double relevance)
{
    return bin_value(bin_of(relevance));
}

/* Returns the first bin in use from `bin` on; there must be one. */
static uint32_t bin_from(const struct rank *r, uint32_t bin)
{
    uint32_t w = bin / 64;
    uint64_t bits = r->used[w] & ~(uint64_t)0 << bin % 64;

    while (bits == 0)
        bits = r->used[++w];
    return w * 64 + (uint32_t)__builtin_ctzll(bits);
}

/* Returns the last bin in use up to `bin`; there must be one. */
static uint32_t bin_down(const struct rank *r, uint32_t bin)
{
    uint32_t w = bin / 64;
    uint64_t bits = r->used[w] & ~(uint64_t)0 >> (63 - bin % 64);

    while (bits == 0)
        bits = r->used[--w];
    return w * 64 + 63 - (uint32_t)__builtin_clzll(bits);
}

static void bin_add(struct rank *r, uint32_t bin, uint64_t weight)
{
    if (r->total == 0 || bin < r->low)
        r->low = bin;
    if (r->total == 0 || bin > r->high)
        r->high = bin;
    r->total += weight;
    r->bins[bin] += weight;
    r->used[bin / 64] |= (uint64_t)1 << bin % 64;
    for (uint32_t i = bin + 1; i <= RANK_BINS; i += i & -i)
        r->tree[i] += weight;
}

static void bin_remove(struct rank *r, uint32_t bin, uint64_t weight)
{
    r->total -= weight;
    r->bins[bin] -= weight;
    for (uint32_t i = bin + 1; i <= RANK_BINS; i += i & -i)
        r->tree[i] -= weight;
    if (r->bins[bin] > 0)
        return;
    r->used[bin / 64] &= ~((uint64_t)1 << bin % 64);
    if (r->total > 0 && bin == r->low)
        r->low = bin_from(r, bin);
    if (r->total > 0 && bin == r->high)
        r->high = bin_down(r, bin);
}

/* Computes everything that follows from the bins. */
static void bins_sum(struct rank *r)
{
    r->total = 0;
    memset(r->tree, 0, (RANK_BINS + 1) * sizeof *r->tree);
    memset(r->used, 0, sizeof r->used);
    for (uint32_t b = 0; b < RANK_BINS; b++) {
        uint64_t weight = r->bins[b];

        r->bins[b] = 0;
        if (weight > 0)
            bin_add(r, b, weight);
    }
}

/* ---- adding ---- */

static void window_add(struct rank *r, uint32_t bin)
{
    if (r->count == (size_t)r->n) {
        bin_remove(r, r->window[r->oldest], 1);
        r->window[r->oldest] = (uint16_t)bin;
        r->oldest = (r->oldest + 1) % r->count;
    } else {
        MEM_GROW(r->window, r->count, &r->cap);
        r->window[r->count++] = (uint16_t)bin;
    }
    bin_add(r, bin, 1);
}

static void decay(struct rank *r)
{
    r->power += 1 / r->n;
    if (r->power >= UNIT_HIGH) {
        r->power -= UNIT_HIGH - UNIT_LOW;
        for (uint32_t b = 0; b < RANK_BINS; b++)
            r->bins[b] >>= UNIT_HIGH - UNIT_LOW;
        bins_sum(r);
    }
    r->unit = (uint64_t)llrint(exp2(r->power));
}

void rank_add(struct rank *r, double relevance)
{
    uint32_t bin = bin_of(relevance);

    if (r->history == RANK_LAST) {
        window_add(r, bin);
        return;
    }
    if (r->history == RANK_DECAY)
        decay(r);
    bin_add(r, bin, r->unit);
}

/* ---- queries ------------------------------------------------------------- */

double rank_least(const struct rank *r)
{
    return r->total ? bin_value(r->low) : NAN;
}

double rank_greatest(const struct rank *r)
{
    return r->total ? bin_value(r->high) : NAN;
}

double rank_quantile(const struct rank *r, double share)
{
    double want = ceil(share * (double)r->total * (1 - ROUNDING));
    uint64_t k = want < 1 ? 1 : (uint64_t)want;
    uint32_t at = 0;

    if (r->total == 0)
        return NAN;
    if (k >= r->total)
        return bin_value(r->high);
    for (uint32_t step = RANK_BINS / 2; step > 0; step /= 2)
        if (r->tree[at + step] < k) {
            at += step;
            k -= r->tree[at];
        }
    return bin_value(at);
}

void rank_each(const struct rank *r, rank_bin_fn *fn, void *ctx)
{
    for (uint32_t w = 0; w < USED_WORDS; w++)
        for (uint64_t bits = r->used[w]; bits; bits &= bits - 1) {
            uint32_t bin = w * 64 + (uint32_t)__builtin_ctzll(bits);

            fn(ctx, bin_value(bin), (double)r->bins[bin] / (double)r->unit);
        }
}

/* ---- checkpoint ---- */

static void save_window(const struct rank *r, struct buf *out)
{
    buf_put_u32(out, (uint32_t)r->count);
    for (size_t i = 0; i < r->count; i++)
        buf_put_u32(out, r->window[(r->oldest + i) % r->count]);
}

static void save_bins(const struct rank *r, struct buf *out)
{
    uint32_t used = 0;

    for (uint32_t w = 0; w < USED_WORDS; w++)
        used += bits_count(r->used[w]);
    buf_put_f64(out, r->power);
    buf_put_u32(out, used);
    for (uint32_t b = 0; b < RANK_BINS; b++)
        if (r->bins[b] > 0) {
            buf_put_u32(out, b);
            buf_put_u64(out, r->bins[b]);
        }
}

void rank_save(const struct rank *r, struct buf *out)
{
    buf_put_u8(out, (uint8_t)r->history);
    buf_put_f64(out, r->n);
    if (r->history == RANK_LAST)
        save_window(r, out);
    else
        save_bins(r, out);
}

static void load_window(struct rank *r, struct cursor *from)
{
    uint32_t count = cursor_u32(from);

    from->bad |= count > r->n;
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t bin = cursor_u32(from);

        from->bad |= bin >= RANK_BINS;
        if (!from->bad)
            window_add(r, bin);
    }
}

static void load_bins(struct rank *r, struct cursor *from)
{
    uint32_t used;

    r->power = cursor_f64(from);
    used = cursor_u32(from);
    from->bad |= !(r->power >= UNIT_LOW && r->power < UNIT_HIGH);
    for (uint32_t i = 0; i < used && !from->bad; i++) {
        uint32_t bin = cursor_u32(from);
        uint64_t weight = cursor_u64(from);

        from->bad |= bin >= RANK_BINS || weight == 0 || weight > INT64_MAX - r->total;
        if (!from->bad)
            bin_add(r, bin, weight);
    }
    if (r->history == RANK_DECAY && !from->bad)
        r->unit = (uint64_t)llrint(exp2(r->power));
}

enum status rank_load(struct rank *r, struct cursor *from)
{
    bool same = cursor_u8(from) == (uint8_t)r->history;

    same &= cursor_f64(from) == r->n;
    clear(r);
    from->bad |= !same;
    if (!from->bad && r->history == RANK_LAST)
        load_window(r, from);
    else if (!from->bad)
        load_bins(r, from);
    if (!from->bad)
        return ST_OK;
    clear(r);
    return status_fail(ST_CORRUPT, "the saved history of relevances is cut or broken");
}
