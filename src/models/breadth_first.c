/* breadth_first.c - first found, first visited: the baseline of all baselines.
 *
 * In: links in document order. Out: the oldest that waits.
 * With a ceiling (`buffer`) and a full queue only one new link per fetched page
 * is admitted.
 *
 * Source: the crawler comparisons of Menczer, Pant, Srinivasan.
 * SPDX-License-Identifier: MIT */

#include "agent/model.h"
#include "agent/population.h"
#include "agent/url_set.h"
#include "base/ring.h"

struct breadth_first_options {
    int64_t buffer;
};

static const struct option breadth_first_option_table[] = {
    {.name = "buffer",
     .type = OPTION_INT,
     .metavar = "N",
     .fallback = "0",
     .min = 0,
     .max = 1e9,
     .help = "URLs that may wait; when full, one new link per page is admitted (0: no ceiling)",
     .source = "MAX_BUFFER of the crawler comparisons; 256 in the earlier studies",
     .unverified = true,
     .offset = offsetof(struct breadth_first_options, buffer)},
    {.name = NULL},
};

struct breadth_first {
    struct ring urls;      /* uint32_t, oldest first */
    struct url_set queued; /* those in it */
    uint32_t agent;
};

static void breadth_first_start(struct model *m, const uint32_t *urls, size_t count)
{
    struct breadth_first *b = m->state;

    if (b->agent == 0)
        b->agent = agent_born(m->ctx->population, m->ctx->now, 0, "breadth-first", 0, 0);
    for (size_t i = 0; i < count; i++)
        if (url_set_add(&b->queued, urls[i]))
            *RING_ADD(&b->urls, uint32_t) = urls[i];
}

static bool breadth_first_next(struct model *m, struct choice *ret)
{
    struct breadth_first *b = m->state;

    if (b->urls.count == 0)
        return false;
    *ret = (struct choice){.url = *RING_TAKE(&b->urls, uint32_t), .agent = b->agent};
    url_set_remove(&b->queued, ret->url);
    return true;
}

static void breadth_first_perceive(struct model *m, struct percept *p)
{
    const struct breadth_first_options *o = m->options;
    struct breadth_first *b = m->state;
    bool admitted = false; /* one beyond the ceiling */

    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        struct link_mark *mark = &p->marks[i];
        bool full = o->buffer > 0 && b->urls.count >= (size_t)o->buffer;

        if (mark->drop != DROP_NONE || mark->taken || url_set_has(&b->queued, mark->url))
            continue;
        if (full && admitted) {
            m->ctx->dropped(m->ctx->engine, mark->url);
            continue;
        }
        admitted |= full;
        url_set_add(&b->queued, mark->url);
        *RING_ADD(&b->urls, uint32_t) = mark->url;
    }
    if (p->page)
        agent_visited(m->ctx->population, m->ctx->now, b->agent, p->page, p->first, 0);
}

static void breadth_first_failed(struct model *m, const struct choice *c, enum drop why)
{
    (void)m, (void)c, (void)why;
}

static void breadth_first_save(const struct model *m, struct buf *out)
{
    const struct breadth_first *b = m->state;

    buf_put_u32(out, b->agent);
    buf_put_u32(out, (uint32_t)b->urls.count);
    for (size_t i = 0; i < b->urls.count; i++)
        buf_put_u32(out, *RING_AT(&b->urls, i, uint32_t));
}

static enum status breadth_first_load(struct model *m, struct str state)
{
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    struct breadth_first *b = m->state;
    uint32_t count;

    b->agent = cursor_u32(&c);
    count = cursor_u32(&c);
    for (uint32_t i = 0; i < count && !c.bad; i++) {
        uint32_t url = cursor_number(&c);

        if (!c.bad && url_set_add(&b->queued, url))
            *RING_ADD(&b->urls, uint32_t) = url;
    }
    return c.bad ? status_fail(ST_CORRUPT, "the saved queue is cut") : ST_OK;
}

static void breadth_first_describe(const struct model *m, struct json *j)
{
    json_put_int(j, "queue", (int64_t)((const struct breadth_first *)m->state)->urls.count);
}

static void breadth_first_finish(struct model *m)
{
    struct breadth_first *b = m->state;

    ring_free(&b->urls);
    url_set_clear(&b->queued);
}

const struct model_ops model_breadth_first = {
    .name = "breadth-first",
    .summary = "first found, first visited; blind to the topic",
    .source = "Menczer, Pant, Srinivasan: Topical web crawlers (TOIT 2004), baseline",
    .options = breadth_first_option_table,
    .options_size = sizeof(struct breadth_first_options),
    .state_size = sizeof(struct breadth_first),
    .start = breadth_first_start,
    .next = breadth_first_next,
    .perceive = breadth_first_perceive,
    .failed = breadth_first_failed,
    .save = breadth_first_save,
    .load = breadth_first_load,
    .describe = breadth_first_describe,
    .finish = breadth_first_finish,
};
