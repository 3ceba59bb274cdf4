/* breadth_first.c - first found, first visited: the baseline of all baselines.
 *
 * In: links in document order. Out: the oldest that waits.
 * With a ceiling (`buffer`) and a full queue only one new link per fetched page
 * is admitted.
 *
 * Source: the crawler comparisons of Menczer, Pant, Srinivasan.
 * SPDX-License-Identifier: MIT */

#include "agent/greedy.h"

struct breadth_first_options {
    int64_t buffer;
};

#define AT(field) .offset = offsetof(struct breadth_first_options, field)

static const struct option breadth_first_option_table[] = {
    {INT_OPTION("buffer", buffer, "N", "0", 0, 1e9),
     .help = "URLs that may wait; when full, one new link per page is admitted (0: no ceiling)",
     .source = "MAX_BUFFER of the crawler comparisons; 256 in the earlier studies",
     .unverified = true},
    {.name = NULL},
};

static struct greedy *queue_of(struct model *m)
{
    greedy_init(m, m->state, 0, PARENTS_FIRST);
    return m->state;
}

static void breadth_first_start(struct model *m, const uint32_t *urls, size_t count)
{
    struct greedy *g = queue_of(m);

    greedy_begin(m, g, "breadth-first");
    for (size_t i = 0; i < count; i++)
        (void)greedy_add(m, g, urls[i], 0);
}

static bool breadth_first_next(struct model *m, uint32_t host, struct choice *ret)
{
    return greedy_take(queue_of(m), host, ret, NULL);
}

static void breadth_first_perceive(struct model *m, struct percept *p)
{
    const struct breadth_first_options *o = m->options;
    struct greedy *g = queue_of(m);
    bool admitted = false; /* at most one beyond the ceiling */

    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        const struct link_mark *mark = &p->marks[i];
        bool full = o->buffer > 0 && g->queue.count >= (size_t)o->buffer;

        if (!mark_is_open(mark) || link_queue_has(&g->queue, mark->url))
            continue;
        if (full && admitted) {
            m->ctx->dropped(m->ctx->engine, mark->url);
            continue;
        }
        admitted |= full;
        (void)greedy_add(m, g, mark->url, 0);
    }
    greedy_visited(m, g, p);
}

static void breadth_first_failed(struct model *m, const struct choice *c, enum drop why)
{
    (void)m, (void)c, (void)why;
}

static void breadth_first_save(const struct model *m, struct buf *out)
{
    greedy_save(m->state, out);
}

static enum status breadth_first_load(struct model *m, struct str state)
{
    struct cursor c = {.rest = state, .most = m->ctx->urls}, after = c;
    struct greedy *g = queue_of(m);
    uint32_t count;

    (void)cursor_u32(&after);
    if (link_queue_is_next(after))
        return greedy_load(g, &c);
    g->agent = cursor_u32(&c); /* an older version: a list of URLs */
    count = cursor_u32(&c);
    for (uint32_t i = 0; i < count && !c.bad; i++) {
        uint32_t url = cursor_number(&c);

        if (!c.bad)
            (void)greedy_add(m, g, url, 0);
    }
    return c.bad ? status_fail(ST_CORRUPT, "the saved queue is cut") : ST_OK;
}

static void breadth_first_finish(struct model *m)
{
    greedy_clear(m->state);
}

const struct model_ops model_breadth_first = {
    .name = "breadth-first",
    .summary = "first found, first visited; blind to the topic",
    .advice = "For all pages of a site, in order, whatever they are about.",
    .common = "buffer",
    .source = "Menczer, Pant, Srinivasan: Topical web crawlers (TOIT 2004), baseline",
    .options = breadth_first_option_table,
    .options_size = sizeof(struct breadth_first_options),
    .state_size = sizeof(struct greedy),
    .start = breadth_first_start,
    .late = &greedy_late,
    .parts = &greedy_parts,
    .next = breadth_first_next,
    .perceive = breadth_first_perceive,
    .failed = breadth_first_failed,
    .save = breadth_first_save,
    .load = breadth_first_load,
    .describe = greedy_describe_model,
    .finish = breadth_first_finish,
};
