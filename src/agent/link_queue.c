/* link_queue.c - URLs that wait for a visit, best score first.
 * SPDX-License-Identifier: MIT */
#include "agent/link_queue.h"

#include "base/limits.h"

/* The scores of all parents of one URL. */
struct link_mean {
    double sum;
    double last;      /* what the last of them said */
    uint32_t parents; /* pages, not links */
    uint32_t page;    /* link_queue.page of the last one */
};

void link_queue_init(struct link_queue *q, size_t max, enum parents parents)
{
    *q = (struct link_queue){.max = max, .parents = parents};
}

void link_queue_clear(struct link_queue *q)
{
    url_heap_clear(&q->best);
    url_heap_clear(&q->worst);
    free(q->means);
    link_queue_init(q, q->max, q->parents);
}

/* The exact opposite, so that the worst is always the last that would be taken. */
static struct url_node opposite(struct url_node n)
{
    return (struct url_node){.key = -n.key, .seq = UINT64_MAX - n.seq, .url = n.url};
}

static struct link_mean *mean_of(struct link_queue *q, uint32_t url)
{
    if (url >= q->means_cap) {
        q->means_cap = (size_t)url + url / 2 + 64;
        q->means = mem_resize(q->means, q->means_cap, sizeof *q->means);
    }
    return &q->means[url];
}

static void insert(struct link_queue *q, struct url_node n)
{
    q->count++;
    url_heap_add(&q->best, n);
    if (q->max)
        url_heap_add(&q->worst, opposite(n));
}

static void change(struct link_queue *q, struct url_node n)
{
    url_heap_change(&q->best, n);
    if (q->max)
        url_heap_change(&q->worst, opposite(n));
}

static void extract(struct link_queue *q, uint32_t url)
{
    q->count--;
    url_heap_remove(&q->best, url);
    if (q->max)
        url_heap_remove(&q->worst, url);
}

/* Over the ceiling: the worst leaves. */
static uint32_t shrink(struct link_queue *q)
{
    uint32_t url = 0;

    if (q->max && q->count > q->max) {
        url = q->worst.nodes[0].url;
        extract(q, url);
    }
    return url;
}

static double joined(struct link_queue *q, const struct url_node *n, double score)
{
    struct link_mean *mean;

    if (q->parents == PARENTS_MAX)
        return score > n->key ? score : n->key;
    if (q->parents == PARENTS_FIRST)
        return n->key;
    mean = mean_of(q, n->url);
    if (q->page == 0 || mean->page != q->page) {
        mean->sum += mean->last = score;
        mean->parents++;
        mean->page = q->page;
    } else if (score > mean->last) { /* the same page once more: its best link counts */
        mean->sum += score - mean->last;
        mean->last = score;
    }
    return mean->sum / mean->parents;
}

uint32_t link_queue_add(struct link_queue *q, uint32_t url, double score)
{
    const struct url_node *n = url_heap_find(&q->best, url);

    if (n) {
        double now = joined(q, n, score);

        if (now > n->key || now < n->key)
            change(q, (struct url_node){.key = now, .seq = n->seq, .url = url});
        return 0;
    }
    if (q->parents == PARENTS_MEAN)
        *mean_of(q, url) =
            (struct link_mean){.sum = score, .last = score, .parents = 1, .page = q->page};
    insert(q, (struct url_node){.key = score, .seq = q->seq++, .url = url});
    return shrink(q);
}

uint32_t link_queue_set(struct link_queue *q, uint32_t url, double score, bool anew)
{
    const struct url_node *n = url_heap_find(&q->best, url);
    struct url_node to = {.key = score, .seq = n && !anew ? n->seq : q->seq++, .url = url};

    if (n) {
        change(q, to);
        return 0;
    }
    insert(q, to);
    return shrink(q);
}

bool link_queue_take(struct link_queue *q, uint32_t *ret_url, double *ret_score)
{
    if (q->count == 0)
        return false;
    *ret_url = q->best.nodes[0].url;
    *ret_score = q->best.nodes[0].key;
    extract(q, *ret_url);
    return true;
}

void link_queue_save(const struct link_queue *q, struct buf *out)
{
    buf_put_u64(out, q->seq);
    buf_put_u32(out, (uint32_t)q->count);
    for (size_t i = 0; i < q->count; i++) {
        const struct url_node *n = &q->best.nodes[i];
        struct link_mean mean = {.sum = n->key, .parents = 1};

        if (q->parents == PARENTS_MEAN)
            mean = q->means[n->url];
        buf_put_u32(out, n->url);
        buf_put_f64(out, n->key);
        buf_put_f64(out, mean.sum);
        buf_put_u32(out, mean.parents);
        buf_put_u64(out, n->seq);
    }
}

enum status link_queue_load(struct link_queue *q, struct cursor *from)
{
    uint64_t seq = cursor_u64(from);
    uint32_t count = cursor_u32(from);

    for (uint32_t i = 0; i < count && !from->bad; i++) {
        struct url_node n = {0};
        struct link_mean mean = {0};

        n.url = cursor_number(from);
        n.key = cursor_f64(from);
        mean.sum = cursor_f64(from);
        mean.parents = cursor_u32(from);
        n.seq = cursor_u64(from);
        from->bad |= n.url > LIMIT_URLS;
        if (from->bad || link_queue_has(q, n.url))
            continue;
        insert(q, n);
        if (q->parents == PARENTS_MEAN)
            *mean_of(q, n.url) = mean;
    }
    q->seq = seq;
    return from->bad ? status_fail(ST_CORRUPT, "the saved link queue is cut or broken") : ST_OK;
}
