/* greedy.c - what models share that always want the best link they know.
 * SPDX-License-Identifier: MIT */
#include "agent/greedy.h"

#include "agent/population.h"

double parents_join(enum parents rule, double old, double score, uint32_t parents)
{
    if (rule == PARENTS_MAX)
        return score > old ? score : old;
    if (rule == PARENTS_FIRST)
        return old;
    return old + (score - old) / parents;
}

void greedy_init(struct model *m, struct greedy *g, int64_t buffer, int parents)
{
    if (g->ready)
        return;
    link_queue_init(&g->queue, m->ctx, (size_t)buffer, (enum parents)parents);
    g->ready = true;
}

void greedy_clear(struct greedy *g)
{
    link_queue_clear(&g->queue);
}

void greedy_begin(struct model *m, struct greedy *g, const char *kind)
{
    if (g->agent == 0)
        g->agent = agent_born(m->ctx->population, m->ctx->now, 0, kind, 0, 0);
}

static uint32_t tell(struct model *m, uint32_t left)
{
    if (left)
        m->ctx->dropped(m->ctx->engine, left);
    return left;
}

uint32_t greedy_add(struct model *m, struct greedy *g, uint32_t url, double score)
{
    return tell(m, link_queue_add(&g->queue, url, score));
}

uint32_t greedy_set(struct model *m, struct greedy *g, uint32_t url, double score, bool as_new)
{
    return tell(m, link_queue_set(&g->queue, url, score, as_new));
}

void greedy_refuse(struct model *m, const struct greedy *g, const struct link_mark *mark)
{
    if (mark_is_open(mark) && !link_queue_has(&g->queue, mark->url))
        (void)tell(m, mark->url);
}

bool greedy_take(struct greedy *g, uint32_t host, struct choice *ret, double *ret_score)
{
    uint32_t url;
    double score;

    if (!link_queue_take(&g->queue, host, &url, &score))
        return false;
    *ret = (struct choice){.url = url, .agent = g->agent, .score = (float)score};
    if (ret_score)
        *ret_score = score;
    return true;
}

void greedy_visited(struct model *m, const struct greedy *g, const struct percept *p)
{
    if (p->page && g->agent)
        agent_visited(m->ctx->population, m->ctx->now, g->agent, p->page, p->first, 0);
}

void greedy_wishes(struct model *m)
{
    struct greedy *g = m->state;

    link_queue_wishes(&g->queue);
}

static float bound(const struct model *m, uint64_t left, double patience)
{
    const struct greedy *g = m->state;

    return link_queue_bound(&g->queue, left, patience);
}

const struct model_late greedy_late = {greedy_wishes, bound};

void greedy_save(const struct greedy *g, struct buf *out)
{
    buf_put_u32(out, g->agent);
    link_queue_save(&g->queue, out);
}

enum status greedy_load(struct greedy *g, struct cursor *from)
{
    g->agent = cursor_u32(from);
    if (!link_queue_is_next(*from))
        (void)cursor_u32(from); /* an older version: visits under way */
    return link_queue_load(&g->queue, from);
}

static void parts_save(struct model *m, struct buf *out)
{
    link_queue_save_parts(&((struct greedy *)m->state)->queue, out);
}

static enum status parts_load(struct model *m, uint32_t number, struct str bytes)
{
    struct cursor from = {.rest = bytes, .most = m->ctx->urls};

    return link_queue_load_part(&((struct greedy *)m->state)->queue, number, &from);
}

static enum status parts_loaded(struct model *m)
{
    return link_queue_loaded(&((struct greedy *)m->state)->queue);
}

const struct model_parts greedy_parts = {parts_save, parts_load, parts_loaded};

void greedy_describe(const struct greedy *g, struct json *j)
{
    json_put_int(j, "queue", (int64_t)g->queue.count);
}

void greedy_describe_model(const struct model *m, struct json *j)
{
    greedy_describe(m->state, j);
}
