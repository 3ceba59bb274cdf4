/* link_rounds.c - a link queue that is emptied in rounds of n.
 *
 * Source: best-N-first (BFSN) of Pant, Srinivasan, Menczer.
 * SPDX-License-Identifier: MIT */
#include "agent/link_rounds.h"

#include <math.h>

void link_rounds_init(struct model *m, struct link_rounds *r, int64_t n, int64_t buffer,
                      int parents)
{
    if (r->n)
        return;
    r->n = (size_t)n;
    link_queue_init(&r->all, NULL, (size_t)buffer, (enum parents)parents);
    if (n > 1)
        link_queue_init(&r->ready, m->ctx, 0, PARENTS_FIRST);
    else
        link_queue_init(&r->ready, m->ctx, (size_t)buffer, (enum parents)parents);
}

void link_rounds_clear(struct link_rounds *r)
{
    link_queue_clear(&r->all);
    link_queue_clear(&r->ready);
}

void link_rounds_add(struct model *m, struct link_rounds *r, uint32_t url, double score)
{
    uint32_t left;

    if (r->n > 1 && link_queue_has(&r->ready, url))
        return; /* chosen already */
    left = link_queue_add(link_rounds_queue(r), url, score);
    if (left)
        m->ctx->dropped(m->ctx->engine, left);
}

/* When all choices of the last round are answered, begins the next one. */
static void round_begin(struct link_rounds *r)
{
    uint32_t url;
    double score;

    if (r->n == 1 || r->open > 0 || r->ready.count > 0)
        return;
    while (r->ready.count < r->n && link_queue_take(&r->all, 0, &url, &score))
        (void)link_queue_add(&r->ready, url, score);
}

bool link_rounds_next(struct link_rounds *r, uint32_t host, uint32_t agent, struct choice *ret)
{
    double score;

    round_begin(r);
    if (!link_queue_take(&r->ready, host, &ret->url, &score))
        return false;
    *ret = (struct choice){.url = ret->url, .agent = agent, .score = (float)score};
    r->open++;
    return true;
}

void link_rounds_wishes(struct link_rounds *r)
{
    round_begin(r);
    link_queue_wishes(&r->ready);
}

float link_rounds_bound(const struct link_rounds *r, uint64_t left, double patience)
{
    return r->n > 1 ? -INFINITY : link_queue_bound(&r->ready, left, patience);
}

void link_rounds_save(const struct link_rounds *r, struct buf *out)
{
    buf_put_u32(out, (uint32_t)r->open);
    link_queue_save(&r->ready, out);
    link_queue_save(&r->all, out);
}

/* Loads the state of versions that chose ahead: the rest of the round, then the queue. */
static enum status load_older(struct link_rounds *r, struct cursor *from)
{
    uint32_t left = cursor_u32(from);

    if (left > r->n)
        return status_fail(ST_CORRUPT, "the saved round is larger than n");
    for (uint32_t i = 0; i < left && !from->bad; i++) {
        uint32_t url = cursor_number(from);
        double score = cursor_f64(from);

        if (!from->bad)
            (void)link_queue_add(&r->ready, url, score);
    }
    return link_queue_load(link_rounds_queue(r), from);
}

enum status link_rounds_load(struct link_rounds *r, struct cursor *from)
{
    r->open = cursor_u32(from);
    if (!link_queue_is_next(*from))
        return load_older(r, from);
    TRY(link_queue_load(&r->ready, from));
    return link_queue_load(&r->all, from);
}
