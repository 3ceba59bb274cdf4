/* link_rounds.c - a link queue that is emptied in rounds of n.
 *
 * Source: best-N-first (BFSN) of Pant, Srinivasan, Menczer.
 * SPDX-License-Identifier: MIT */
#include "agent/link_rounds.h"

#include "agent/look_ahead.h"
#include "base/mem.h"

#include <stdlib.h>

void link_rounds_init(struct link_rounds *r, size_t n, size_t buffer, enum parents parents)
{
    *r = (struct link_rounds){.n = n};
    link_queue_init(&r->queue, buffer, parents);
    r->round = mem_zero(n, sizeof *r->round);
}

void link_rounds_clear(struct link_rounds *r)
{
    link_queue_clear(&r->queue);
    free(r->round);
    r->round = NULL;
}

void link_rounds_add(struct model *m, struct link_rounds *r, uint32_t url, double score)
{
    uint32_t left = link_queue_add(&r->queue, url, score);

    if (left)
        m->ctx->dropped(m->ctx->engine, left);
}

/* Fills a new round with the best there are. */
static void round_begin(struct link_rounds *r, uint32_t agent)
{
    double score;

    r->count = r->given = 0;
    while (r->count < r->n && link_queue_take(&r->queue, &r->round[r->count].url, &score)) {
        r->round[r->count].agent = agent;
        r->round[r->count++].score = (float)score;
    }
}

bool link_rounds_next(const struct model *m, struct link_rounds *r, uint32_t agent, int idle,
                      struct choice *ret)
{
    /* Choices that wait for a host's delay count as the others where the best are waited for. */
    size_t delayed = idle == IDLE_USE ? m->ctx->delayed : 0;

    if (r->given == r->count) {
        if (r->open > 0 && r->n > 1)
            return false; /* the round is not over */
        if (!look_ahead_allows(r->open, delayed, r->queue.count))
            return false; /* more would be chosen from too few */
        round_begin(r, agent);
    }
    if (r->given == r->count)
        return false;
    *ret = r->round[r->given++];
    r->open++;
    return true;
}

void link_rounds_save(const struct link_rounds *r, struct buf *out)
{
    buf_put_u32(out, (uint32_t)r->open);
    buf_put_u32(out, (uint32_t)(r->count - r->given));
    for (size_t i = r->given; i < r->count; i++) {
        buf_put_u32(out, r->round[i].url);
        buf_put_f64(out, (double)r->round[i].score);
    }
    link_queue_save(&r->queue, out);
}

enum status link_rounds_load(struct link_rounds *r, uint32_t agent, struct cursor *from)
{
    uint32_t left;

    r->open = cursor_u32(from);
    left = cursor_u32(from);
    if (left > r->n)
        return status_fail(ST_CORRUPT, "the saved round is larger than n");
    for (r->count = r->given = 0; r->count < left && !from->bad; r->count++) {
        struct choice *c = &r->round[r->count];

        *c = (struct choice){.url = cursor_number(from), .agent = agent};
        c->score = (float)cursor_f64(from);
    }
    return link_queue_load(&r->queue, from);
}
