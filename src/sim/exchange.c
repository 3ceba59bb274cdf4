/* exchange.c - random rewiring that keeps every degree.
 *
 * In: links in rows. Out: the same rows with other targets. Palotai et al. permute
 * origins and ends of all links, which may make self-links and doubles; refusing such exchanges
 * (Maslov and Sneppen 2002) leads to the same ensemble without them. ROUNDS attempts a link are
 * several times what mixes networks of this kind (Milo et al. 2003).
 *
 * If links have times, a link takes only targets that exist when it does.
 *
 * Workload: 10^5 to 10^7 links, some 0.2 us an attempt.
 * SPDX-License-Identifier: MIT
 */
#include "sim/exchange.h"

#include "base/mem.h"
#include "base/rng.h"

#include <stdlib.h>

#define ROUNDS 10
#define TICK   100000 /* attempts between two calls of progress */

struct mixer {
    struct link_exchange *x;
    uint32_t *from; /* link -> its page */
    uint64_t *free; /* links that may change */
    uint64_t nfree;
};

static bool has_target(const struct link_exchange *x, uint32_t page, uint32_t to)
{
    for (uint64_t l = x->off[page]; l < x->off[page + 1]; l++)
        if (x->to[l] == to)
            return true;
    return false;
}

/* May link l lead to `to`? */
static bool fits(const struct mixer *m, uint64_t l, uint32_t to)
{
    const struct link_exchange *x = m->x;

    return m->from[l] != to && (x->since == NULL || x->birth[to] <= x->since[l]) &&
           !has_target(x, m->from[l], to);
}

static void attempt(struct mixer *m, uint64_t a, uint64_t b)
{
    uint32_t *to = m->x->to, kept = to[a];

    if (m->from[a] == m->from[b] || to[a] == to[b] || !fits(m, a, to[b]) || !fits(m, b, to[a]))
        return;
    to[a] = to[b];
    to[b] = kept;
}

static enum status mix(struct mixer *m, uint64_t seed, exchange_progress_fn *progress, void *ctx)
{
    uint64_t total = m->nfree * ROUNDS;
    struct rng r;

    rng_init(&r, seed);
    for (uint64_t n = 0; n < total; n++) {
        attempt(m, m->free[n % m->nfree], m->free[rng_below(&r, m->nfree)]);
        if (n % TICK == 0 && progress && !progress(ctx, n, total))
            return status_fail(ST_STOPPED, "stopped: nothing was made");
    }
    return ST_OK;
}

enum status exchange_links(struct link_exchange *x, uint64_t rng, exchange_progress_fn *progress,
                           void *ctx)
{
    uint64_t links = x->off[x->pages];
    struct mixer m = {.x = x,
                      .from = mem_zero(links + 1, sizeof *m.from),
                      .free = mem_zero(links + 1, sizeof *m.free)};
    enum status st;

    for (uint32_t i = 0; i < x->pages; i++)
        for (uint64_t l = x->off[i]; l < x->off[i + 1]; l++) {
            m.from[l] = i;
            if (!x->fixed[l])
                m.free[m.nfree++] = l;
        }
    st = mix(&m, rng, progress, ctx);
    free(m.from);
    free(m.free);
    return st;
}
