/* seeds.c - draws the seeds and example pages of one repeat of one topic.
 * SPDX-License-Identifier: MIT */
#include "lab/run/seeds.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

#define TRIES 1000 /* for each page that is drawn by chance and may not fit */

struct rng draw_rng(const struct plan *p, const char *world, const char *topic, uint32_t repeat)
{
    struct rng r;

    rng_init(&r, p->rng);
    r = rng_fork(&r, hash_str(str_of(world)));
    r = rng_fork(&r, hash_str(str_of(topic)));
    return rng_fork(&r, repeat);
}

static bool is_among(const uint32_t *pages, size_t n, uint32_t page)
{
    for (size_t i = 0; i < n; i++)
        if (pages[i] == page)
            return true;
    return false;
}

/* Is it a seed or an example? */
static bool draw_has(const struct draw *d, uint32_t page)
{
    return is_among(d->seeds, d->nseeds, page) || is_among(d->positive, d->npositive, page) ||
           is_among(d->negative, d->nnegative, page);
}

/* Is the page there when a crawl begins? */
static bool is_there(const struct ground *g, uint32_t page)
{
    struct web_answer a;

    web_answer(g->web, page, g->counts.begin, &a);
    return g->allowed[page] && a.version != WEB_NONE;
}

/* Draws `want` of the targets for which `fits` returns true, in random order. */
static size_t draw_targets(const struct ground *g, const struct subject *s, const struct draw *d,
                           bool (*fits)(const struct ground *g, const struct draw *d,
                                        uint32_t page),
                           struct rng *r, uint32_t *ret, size_t want)
{
    LOCAL_HEAP uint32_t *left = mem_zero((size_t)s->count + 1, sizeof *left);
    size_t n = 0, taken = 0;

    for (uint32_t i = 0; i < s->count; i++)
        if (fits(g, d, s->targets[i]))
            left[n++] = s->targets[i];
    for (; taken < want && taken < n; taken++) {
        size_t at = taken + (size_t)rng_below(r, n - taken);

        ret[taken] = left[at];
        left[at] = left[taken];
    }
    return taken;
}

static bool fits_seed(const struct ground *g, const struct draw *d, uint32_t page)
{
    (void)d;
    return is_there(g, page) && ground_has_links(g, page);
}

static bool fits_example(const struct ground *g, const struct draw *d, uint32_t page)
{
    return is_there(g, page) && !is_among(d->seeds, d->nseeds, page);
}

/* Walks `steps` links back from a target; returns 0 if the walk ends before. */
static uint32_t walk_back(const struct ground *g, const struct subject *s, uint32_t steps,
                          struct rng *r)
{
    uint32_t at = s->targets[rng_below(r, s->count)];

    for (; steps > 0; steps--) {
        uint64_t from = g->back_off[at], n = g->back_off[at + 1] - from;

        if (n == 0)
            return 0;
        at = g->back[from + rng_below(r, n)];
    }
    return at;
}

static void draw_far(const struct ground *g, const struct subject *s, const struct plan *p,
                     struct rng *r, struct draw *d)
{
    for (size_t tries = TRIES * (size_t)p->seed_count;
         s->count && tries > 0 && d->nseeds < p->seed_count; tries--) {
        uint32_t page = walk_back(g, s, p->seed_distance, r);

        if (page && !subject_has(s, page) && is_there(g, page) &&
            !is_among(d->seeds, d->nseeds, page))
            d->seeds[d->nseeds++] = page;
    }
}

/* Draws misleading pages, whose links and words are on other topics. */
static void draw_off_topic(const struct ground *g, const struct subject *s, const struct plan *p,
                           struct rng *r, struct draw *d)
{
    size_t want = d->nseeds + p->seeds_off;

    for (size_t tries = TRIES * (size_t)p->seeds_off; tries > 0 && d->nseeds < want; tries--) {
        uint32_t page = 1 + (uint32_t)rng_below(r, g->counts.pages);

        if (fits_seed(g, d, page) && !subject_has(s, page) && !is_among(d->seeds, d->nseeds, page))
            d->seeds[d->nseeds++] = page;
    }
}

/* Is one of the seeds on this host? */
static bool is_taken(const struct ground *g, const struct draw *d, uint32_t host)
{
    for (size_t i = 0; i < d->nseeds; i++)
        if (web_host(g->web, d->seeds[i]) == host)
            return true;
    return false;
}

/* Draws pages with links, each on a host of its own, on any topic. */
static void draw_apart(const struct ground *g, const struct plan *p, struct rng *r, struct draw *d)
{
    for (size_t tries = TRIES * (size_t)p->seed_count; tries > 0 && d->nseeds < p->seed_count;
         tries--) {
        uint32_t page = 1 + (uint32_t)rng_below(r, g->counts.pages);

        if (is_there(g, page) && ground_has_links(g, page) &&
            !is_taken(g, d, web_host(g->web, page)))
            d->seeds[d->nseeds++] = page;
    }
}

static void draw_negative(const struct ground *g, const struct subject *s, const struct plan *p,
                          struct rng *r, struct draw *d)
{
    for (size_t tries = TRIES * (size_t)p->negative; tries > 0 && d->nnegative < p->negative;
         tries--) {
        uint32_t page = 1 + (uint32_t)rng_below(r, g->counts.pages);

        if (is_there(g, page) && !subject_has(s, page) && !draw_has(d, page))
            d->negative[d->nnegative++] = page;
    }
}

static bool is_enough(const struct subject *s, const struct plan *p, const struct draw *d)
{
    size_t given = d->npositive + (p->seed_rule == SEEDS_DISTANCE ? 0 : p->seed_count);

    return d->nseeds == p->seed_count + p->seeds_off && d->npositive == p->positive &&
           d->nnegative == p->negative && s->count > given;
}

bool draw_make(const struct ground *g, const struct subject *s, const struct plan *p, struct rng r,
               struct draw *ret)
{
    *ret = (struct draw){
        .seeds = mem_zero((size_t)p->seed_count + p->seeds_off + 1, sizeof(uint32_t)),
        .positive = mem_zero((size_t)p->positive + 1, sizeof(uint32_t)),
        .negative = mem_zero((size_t)p->negative + 1, sizeof(uint32_t)),
    };
    if (p->seed_rule == SEEDS_DISTANCE)
        draw_far(g, s, p, &r, ret);
    else if (p->seed_rule == SEEDS_APART)
        draw_apart(g, p, &r, ret);
    else
        ret->nseeds = draw_targets(g, s, ret, fits_seed, &r, ret->seeds, p->seed_count);
    ret->npositive = draw_targets(g, s, ret, fits_example, &r, ret->positive, p->positive);
    draw_negative(g, s, p, &r, ret);
    draw_off_topic(g, s, p, &r, ret);
    if (is_enough(s, p, ret))
        return true;
    draw_clear(ret);
    return false;
}

void draw_clear(struct draw *d)
{
    free(d->seeds);
    free(d->positive);
    free(d->negative);
    *d = (struct draw){0};
}
