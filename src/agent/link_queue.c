/* link_queue.c - URLs that wait for a visit, best score first.
 * SPDX-License-Identifier: MIT */
#include "agent/link_queue.h"

#include "agent/score_ranks.h"
#include "base/limits.h"

#include <math.h>

/* The links of a host are link_items. As long as each new link comes after all others and is taken
 * before them, as when all scores are equal, they are in order and nothing is moved. */

/* The scores of all parents of one URL. */
struct link_mean {
    double sum;
    double last;      /* the score from the last of them */
    uint32_t parents; /* pages, not links */
    uint32_t page;    /* link_queue.page of the last one */
};

void link_queue_init(struct link_queue *q, const struct model_ctx *ctx, size_t max,
                     enum parents parents)
{
    *q = (struct link_queue){.max = max, .parents = parents};
    if (ctx && ctx->late)
        q->ctx = ctx;
}

void link_queue_clear(struct link_queue *q)
{
    for (size_t i = 0; i < q->nhosts; i++)
        link_items_clear(&q->hosts[i]);
    free(q->hosts);
    free(q->changed);
    free(q->ranks);
    free(q->means);
    heap_free(&q->worst);
    heap_index_free(&q->worst_at);
    heap_index_free(&q->places.at);
    link_turns_clear(&q->places.turns);
    parts_clear(&q->dirty);
    *q = (struct link_queue){.max = q->max, .parents = q->parents};
}

static int by_rank(const void *a, const void *b)
{
    const struct heap_item *x = a, *y = b;

    if (x->key < y->key || x->key > y->key)
        return x->key < y->key ? -1 : 1;
    return x->seq < y->seq ? -1 : 1;
}

/* ---- hosts ---- */

static struct link_items *host_at(struct link_queue *q, uint32_t host)
{
    size_t count = (size_t)host + host / 2 + 1;

    if (host < q->nhosts)
        return &q->hosts[host];
    q->hosts = mem_resize(q->hosts, count, sizeof *q->hosts);
    memset(q->hosts + q->nhosts, 0, (count - q->nhosts) * sizeof *q->hosts);
    q->nhosts = count;
    return &q->hosts[host];
}

static bool host_is_empty(const struct link_items *h)
{
    return h->gone >= h->count;
}

/* The URL of its best link; 0: it has none. */
static uint32_t host_top(const struct link_items *h)
{
    return host_is_empty(h) ? 0 : link_items_at(h, h->gone).url;
}

/* From now on the links are a heap; links in order are one already. */
static void host_mix(struct link_queue *q, struct link_items *h)
{
    link_items_pack(h, &q->places);
    h->is_mixed = true;
}

static bool is_last(const struct link_queue *q, const struct link_items *h, struct link_item n)
{
    return host_is_empty(h) || !link_item_before(&q->places, n, link_items_at(h, h->count - 1));
}

/* Inserts a link whose turn is set, or moves it. */
static void host_put(struct link_queue *q, struct link_items *h, struct link_item n)
{
    if (!h->is_mixed && (q->ctx == NULL || link_queue_has(q, n.url) || !is_last(q, h, n)))
        host_mix(q, h);
    else if (h->count == h->cap && h->gone > h->count / 2)
        link_items_pack(h, &q->places);
    if (h->is_mixed)
        link_items_put(h, &q->places, n);
    else
        link_items_append(h, &q->places, n);
}

static void host_remove(struct link_queue *q, struct link_items *h, uint32_t url)
{
    if (!h->is_mixed && host_top(h) != url)
        host_mix(q, h);
    if (h->is_mixed) {
        link_items_remove(h, &q->places, url);
    } else {
        q->places.at.at[url] = 0;
        h->gone++;
    }
    if (h->gone == h->count) {
        h->count = h->gone = 0;
        h->is_mixed = false;
    }
    link_turns_drop(&q->places.turns, url);
}

/* Returns the engine's number of a URL's host, which does not change while the URL is known. */
static uint32_t host_number(const struct link_queue *q, uint32_t url)
{
    return q->ctx ? q->ctx->late->host(q->ctx->engine, url) : 0;
}

static struct link_items *host_of(const struct link_queue *q, uint32_t url)
{
    return &q->hosts[host_number(q, url)];
}

static void host_changed(struct link_queue *q, struct link_items *h)
{
    if (q->ctx == NULL || h->is_changed)
        return;
    MEM_GROW(q->changed, q->nchanged, &q->changed_cap);
    q->changed[q->nchanged++] = (uint32_t)(h - q->hosts);
    h->is_changed = true;
}

/* The link at a place of a host. */
static struct heap_item item_at(const struct link_queue *q, const struct link_items *h, size_t i)
{
    struct link_item n = link_items_at(h, i);

    return heap_item(n.key, link_turns_get(&q->places.turns, n.url), n.url);
}

bool link_queue_find(const struct link_queue *q, uint32_t url, struct heap_item *ret)
{
    if (!link_queue_has(q, url))
        return false;
    *ret = item_at(q, host_of(q, url), q->places.at.at[url] - 1);
    return true;
}

struct heap_item link_queue_nth(const struct link_queue *q, size_t i)
{
    return item_at(q, &q->hosts[0], q->hosts[0].gone + i);
}

/* ---- one link ---- */

static struct heap_item link_item(uint32_t url, double score, uint64_t seq)
{
    return heap_item(isnan(score) ? 0 : -score, seq, url);
}

/* Turns the order round, so that the worst is always the link that would be taken last. */
static struct heap_item opposite(struct heap_item n)
{
    return heap_item(-n.key, HEAP_SEQS - n.seq, n.id);
}

static struct link_mean *mean_of(struct link_queue *q, uint32_t url)
{
    if (url >= q->means_cap) {
        q->means_cap = (size_t)url + url / 2 + 64;
        q->means = mem_resize(q->means, q->means_cap, sizeof *q->means);
    }
    return &q->means[url];
}

/* What is saved for a link has changed. */
static void touch(struct link_queue *q, uint32_t url)
{
    if (q->in_parts)
        parts_touch_fine(&q->dirty, url);
}

/* Counts a link that was queued with this key. There are no ranks until a second score occurs. */
static void rank(struct link_queue *q, double key)
{
    if (q->ranks) {
        score_ranks_count(q->ranks, -key, 1);
    } else if (q->count == 1) {
        q->only = key;
    } else if (q->ctx && (key < q->only || key > q->only)) {
        q->ranks = score_ranks_new();
        for (size_t i = 0; i < q->nhosts; i++)
            for (size_t k = q->hosts[i].gone; k < q->hosts[i].count; k++)
                score_ranks_count(q->ranks, -link_items_at(&q->hosts[i], k).key, 1);
    }
}

/* Inserts a link whose turn is set, or moves it. */
static void place(struct link_queue *q, struct link_items *h, struct heap_item n)
{
    uint32_t best = host_top(h);

    touch(q, n.id);
    host_put(q, h, (struct link_item){n.key, n.id});
    if (best == n.id || host_top(h) == n.id)
        host_changed(q, h);
    if (q->max)
        heap_put(&q->worst, &q->worst_at, opposite(n));
}

/* Returns false if the engine does not keep its host, so that it cannot be visited. */
static bool insert(struct link_queue *q, struct heap_item n)
{
    uint32_t host = host_number(q, n.id);

    if (q->ctx && host == 0)
        return false;
    q->count++;
    link_turns_set(&q->places.turns, n.id, n.seq);
    place(q, host_at(q, host), n);
    rank(q, n.key);
    return true;
}

/* Gives a link another score; its turn is set. */
static void change(struct link_queue *q, double old, struct heap_item n)
{
    place(q, host_of(q, n.id), n);
    if (q->ranks)
        score_ranks_move(q->ranks, -old, -n.key);
    else
        rank(q, n.key);
}

static void extract(struct link_queue *q, uint32_t url)
{
    struct link_items *h = host_of(q, url);

    if (q->ranks)
        score_ranks_count(q->ranks, -link_items_at(h, q->places.at.at[url] - 1).key, -1);
    if (url == host_top(h))
        host_changed(q, h);
    touch(q, url);
    q->count--;
    host_remove(q, h, url);
    if (q->max)
        (void)heap_remove(&q->worst, &q->worst_at, url);
}

/* If the queue is over its ceiling, removes and returns the worst link. */
static uint32_t shrink(struct link_queue *q)
{
    uint32_t url = 0;

    if (q->max && q->count > q->max) {
        url = heap_peek(&q->worst)->id;
        extract(q, url);
    }
    return url;
}

static double joined(struct link_queue *q, const struct heap_item *n, double score)
{
    struct link_mean *mean;

    if (q->parents == PARENTS_MAX)
        return score > -n->key ? score : -n->key;
    if (q->parents == PARENTS_FIRST)
        return -n->key;
    touch(q, n->id);
    mean = mean_of(q, n->id);
    if (q->page == 0 || mean->page != q->page) {
        mean->sum += mean->last = score;
        mean->parents++;
        mean->page = q->page;
    } else if (score > mean->last) { /* the same page again: its best link counts */
        mean->sum += score - mean->last;
        mean->last = score;
    }
    return mean->sum / mean->parents;
}

uint32_t link_queue_add(struct link_queue *q, uint32_t url, double score)
{
    struct heap_item n;

    if (link_queue_find(q, url, &n)) {
        double now = joined(q, &n, score);

        if (now > -n.key || now < -n.key)
            change(q, n.key, link_item(url, now, n.seq));
        return 0;
    }
    if (q->parents == PARENTS_MEAN)
        *mean_of(q, url) =
            (struct link_mean){.sum = score, .last = score, .parents = 1, .page = q->page};
    if (!insert(q, link_item(url, score, q->seq++)))
        return url;
    q->found++;
    return shrink(q);
}

/* Gives a waiting link another score. It keeps its turn, which only the ceiling asks for: models
 * that score all their links again spend their time here. */
static void rescore(struct link_queue *q, uint32_t url, double score)
{
    double old = link_items_at(host_of(q, url), q->places.at.at[url] - 1).key;
    struct heap_item to = link_item(url, score, 0);

    if (!(to.key < old) && !(to.key > old))
        return;
    if (q->max)
        to.seq = link_turns_get(&q->places.turns, url) & HEAP_SEQS;
    change(q, old, to);
}

uint32_t link_queue_set(struct link_queue *q, uint32_t url, double score, bool as_new)
{
    struct heap_item n;

    if (!as_new && link_queue_has(q, url)) {
        rescore(q, url, score);
        return 0;
    }
    if (link_queue_find(q, url, &n)) {
        struct heap_item to = link_item(url, score, q->seq++);

        link_turns_set(&q->places.turns, url, to.seq);
        change(q, n.key, to);
        return 0;
    }
    if (!insert(q, link_item(url, score, q->seq++)))
        return url;
    q->found++;
    return shrink(q);
}

/* ---- all ---- */

struct heap_item link_queue_best(const struct link_queue *q, uint32_t host)
{
    const struct link_items *h = host < q->nhosts ? &q->hosts[host] : NULL;

    return h && !host_is_empty(h) ? item_at(q, h, h->gone) : (struct heap_item){.id = 0};
}

/* Returns the best links of a heap with four children for each node: the best of the places whose
 * parent was taken is the next. So the result does not depend on the layout. */
static size_t heap_front(const struct link_queue *q, const struct link_items *h,
                         struct heap_item *ret, size_t max)
{
    struct heap_item open[3 * LINK_QUEUE_FRONT + 1];
    size_t places[3 * LINK_QUEUE_FRONT + 1], nopen = h->count > 0, n = 0;

    open[0] = item_at(q, h, 0);
    places[0] = 0;
    while (n < max && nopen > 0) {
        size_t best = 0, at;

        for (size_t i = 1; i < nopen; i++)
            if (by_rank(&open[i], &open[best]) < 0)
                best = i;
        ret[n++] = open[best];
        at = places[best];
        open[best] = open[--nopen];
        places[best] = places[nopen];
        for (size_t child = 4 * at + 1; child <= 4 * at + 4 && child < h->count && n < max;
             child++) {
            open[nopen] = item_at(q, h, child);
            places[nopen++] = child;
        }
    }
    return n;
}

size_t link_queue_front(const struct link_queue *q, uint32_t host, struct heap_item *ret,
                        size_t max)
{
    const struct link_items *h = host < q->nhosts ? &q->hosts[host] : NULL;
    size_t n = h ? h->count - h->gone : 0;

    max = max < LINK_QUEUE_FRONT ? max : LINK_QUEUE_FRONT;
    n = n < max ? n : max;
    if (n > 0 && h->is_mixed)
        return heap_front(q, h, ret, n);
    for (size_t i = 0; i < n; i++)
        ret[i] = item_at(q, h, h->gone + i);
    return n;
}

/* No link below one that is not good enough can be good enough. */
static size_t gather(const struct link_items *h, size_t at, float least, uint32_t *ret)
{
    struct link_item item;
    size_t n = 0;

    if (at >= h->count)
        return 0;
    item = link_items_at(h, at);
    if (-item.key < (double)least)
        return 0;
    ret[n++] = item.url;
    for (size_t child = 4 * at + 1; child <= 4 * at + 4; child++)
        n += gather(h, child, least, ret + n);
    return n;
}

/* The same, for links that are in order. */
static size_t gather_first(const struct link_items *h, float least, uint32_t *ret)
{
    size_t n = 0;

    for (size_t k = h->gone; k < h->count; k++) {
        struct link_item item = link_items_at(h, k);

        if (-item.key < (double)least)
            break;
        ret[n++] = item.url;
    }
    return n;
}

uint32_t *link_queue_best_of_all(const struct link_queue *q, size_t most, size_t *ret_count)
{
    uint32_t *ret = mem_zero(most + 1, sizeof *ret);
    float least = q->ranks ? score_ranks_within(q->ranks, most) : INFINITY;
    size_t n = 0;

    for (size_t i = 0; i < q->nhosts && least < INFINITY; i++) {
        const struct link_items *h = &q->hosts[i];

        n += h->is_mixed ? gather(h, 0, least, ret + n) : gather_first(h, least, ret + n);
    }
    *ret_count = n;
    return ret;
}

double link_queue_pick(struct link_queue *q, uint32_t url)
{
    double score = -link_items_at(host_of(q, url), q->places.at.at[url] - 1).key;

    q->taken++;
    extract(q, url);
    return score;
}

bool link_queue_take(struct link_queue *q, uint32_t host, uint32_t *ret_url, double *ret_score)
{
    struct heap_item best = link_queue_best(q, host);

    if (best.id == 0)
        return false;
    *ret_url = best.id;
    *ret_score = -best.key;
    q->taken++;
    extract(q, *ret_url);
    return true;
}

struct heap_item *link_queue_drain(struct link_queue *q, size_t *ret_count)
{
    struct heap_item *all = mem_zero(q->count + 1, sizeof *all);
    size_t n = 0;

    for (size_t i = 0; i < q->nhosts; i++)
        for (size_t k = q->hosts[i].gone; k < q->hosts[i].count; k++)
            all[n++] = item_at(q, &q->hosts[i], k);
    for (size_t i = 0; i < n; i++)
        extract(q, all[i].id);
    q->found -= n; /* they will come back */
    qsort(all, n, sizeof *all, by_rank);
    *ret_count = n;
    return all;
}

bool link_queue_changed(struct link_queue *q, uint32_t *ret_host)
{
    if (q->nchanged == 0)
        return false;
    *ret_host = q->changed[--q->nchanged];
    q->hosts[*ret_host].is_changed = false;
    return true;
}

void link_queue_wishes(struct link_queue *q)
{
    uint32_t host;

    while (link_queue_changed(q, &host)) {
        struct heap_item best = link_queue_best(q, host);
        struct wish w = {0};

        if (best.id)
            w = (struct wish){best.id, -best.key, best.seq};
        q->ctx->late->wish(q->ctx->engine, host, &w);
    }
}

float link_queue_bound(const struct link_queue *q, uint64_t left, double patience)
{
    double wanted = left ? (double)left : 1, taken = (double)q->taken;
    double coming = wanted * (double)q->found / (taken + 1);
    double of_rest = wanted / ((double)q->count + coming);
    double of_all = (wanted + taken) / ((double)q->found + coming);

    if (q->ranks == NULL || patience <= 0 || q->count == 0 || of_rest >= 1)
        return -INFINITY;
    if (patience >= 1)
        return score_ranks_bound(q->ranks, 1);
    return score_ranks_bound(
        q->ranks,
        (uint64_t)ceil((double)q->count * pow(of_rest * of_all, patience / (1 - patience) / 2)));
}

float link_queue_sure_bound(const struct link_queue *q, uint64_t left, double patience)
{
    float strict = link_queue_bound(q, left, patience);

    if (strict == -INFINITY)
        return strict;
    return fminf(strict, fmaxf(score_ranks_bound(q->ranks, left / SURE_PART + 1),
                               (float)pow(patience, SURE_POWER)));
}

/* ---- checkpoint ---- */

#define MARK       UINT64_MAX /* begins a queue; older ones begin with their arrivals so far */
#define MARK_PARTS (UINT64_MAX - 1) /* the same, with its links in parts of PARTS_ROWS */
#define MARK_FINE  (UINT64_MAX - 2) /* … of PARTS_FINE */

bool link_queue_is_next(struct cursor from)
{
    uint64_t mark = cursor_u64(&from);

    return mark >= MARK_FINE && !from.bad;
}

static void link_save(const struct link_queue *q, const struct heap_item *n, struct buf *out)
{
    struct link_mean mean = {.sum = -n->key, .parents = 1};

    if (q->parents == PARENTS_MEAN)
        mean = q->means[n->id];
    buf_put_u32(out, n->id);
    buf_put_f64(out, -n->key);
    buf_put_f64(out, mean.sum);
    buf_put_u32(out, mean.parents);
    buf_put_u64(out, n->seq);
}

void link_queue_save(const struct link_queue *q, struct buf *out)
{
    buf_put_u64(out, q->in_parts ? MARK_FINE : MARK);
    buf_put_u64(out, q->seq);
    buf_put_u64(out, q->found);
    buf_put_u64(out, q->taken);
    buf_put_u32(out, (uint32_t)q->count);
    for (size_t i = 0; i < q->nhosts && !q->in_parts; i++)
        for (size_t k = q->hosts[i].gone; k < q->hosts[i].count; k++) {
            struct heap_item n = item_at(q, &q->hosts[i], k);

            link_save(q, &n, out);
        }
}

static void load_all(struct link_queue *q, uint32_t count, struct cursor *from)
{
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t url = cursor_number(from);
        double score = cursor_f64(from);
        struct link_mean mean = {.sum = cursor_f64(from)};
        uint64_t seq;

        mean.parents = cursor_u32(from);
        seq = cursor_u64(from);
        from->bad |= url > LIMIT_URLS;
        if (!from->bad && !link_queue_has(q, url) && insert(q, link_item(url, score, seq)) &&
            q->parents == PARENTS_MEAN)
            *mean_of(q, url) = mean;
    }
}

static enum status bad_queue(void)
{
    return status_fail(ST_CORRUPT, "the saved link queue is cut or broken");
}

enum status link_queue_load(struct link_queue *q, struct cursor *from)
{
    bool is_new = link_queue_is_next(*from);
    uint64_t seq, mark = is_new ? cursor_u64(from) : MARK;
    uint32_t count;

    q->in_parts = mark != MARK;
    q->coarse = mark == MARK_PARTS;
    seq = cursor_u64(from);
    q->found = is_new ? cursor_u64(from) : 0;
    q->taken = is_new ? cursor_u64(from) : 0;
    count = cursor_u32(from);
    if (!is_new)
        q->found = count;
    if (q->in_parts)
        q->awaited = count;
    else
        load_all(q, count, from);
    q->seq = seq;
    return from->bad ? bad_queue() : ST_OK;
}

/* ---- in parts ---- */

#define SAME_SCORE  1  /* the same as the link before in the part */
#define NEXT_SEQ    2  /* the number after that of the link before */
#define SHORT_SCORE 4  /* it is a float */
#define SHORT_SEQ   8  /* it has 32 bits */
#define NEAR_SEQ    16 /* it is so much larger than that of the link before: 16 bits */

/* The links of a part lie anywhere in their heaps, so all of them are prefetched at once. */
static void part_fetch(const struct link_queue *q, uint32_t part)
{
    for (uint32_t i = 0; i < PARTS_FINE; i++) {
        uint32_t url = part * PARTS_FINE + i;

        if (link_queue_has(q, url))
            link_items_near(host_of(q, url), q->places.at.at[url] - 1);
    }
}

/* A link as it is saved. A checkpoint has millions of them, so each is added at once. */
struct queue_row {
    char bytes[40];
    size_t len;
};

/* Little-endian, as buf_put_u8() and so on. */
static inline void row_put(struct queue_row *r, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        r->bytes[r->len + i] = (char)(value >> 8 * i);
    r->len += bytes;
}

static void put_score(unsigned how, double key, struct queue_row *to)
{
    float shorter = (float)key;
    uint32_t four;
    uint64_t eight;

    if (how & SAME_SCORE)
        return;
    if (how & SHORT_SCORE) {
        memcpy(&four, &shorter, sizeof four);
        row_put(to, four, 4);
    } else {
        memcpy(&eight, &key, sizeof eight);
        row_put(to, eight, 8);
    }
}

static void put_seq(unsigned how, uint64_t seq, uint64_t last, struct queue_row *to)
{
    if (how & NEXT_SEQ)
        return;
    if (how & NEAR_SEQ)
        row_put(to, seq - last, 2);
    else if (how & SHORT_SEQ)
        row_put(to, seq, 4);
    else
        row_put(to, seq, 8);
}

static uint64_t get_seq(unsigned how, uint64_t last, struct cursor *from)
{
    unsigned low;

    if (how & NEXT_SEQ)
        return last + 1;
    if (!(how & NEAR_SEQ))
        return how & SHORT_SEQ ? cursor_u32(from) : cursor_u64(from);
    low = cursor_u8(from);
    return last + low + ((uint64_t)cursor_u8(from) << 8);
}

static bool is_float(double key)
{
    double same = (double)(float)key;

    return memcmp(&same, &key, sizeof key) == 0;
}

static void part_save(const struct link_queue *q, uint32_t part, struct buf *out)
{
    struct heap_item last = {.key = NAN};

    part_fetch(q, part);
    for (uint32_t i = 0; i < PARTS_FINE; i++) {
        struct queue_row row = {.len = 0};
        struct heap_item n;
        unsigned how = 0;

        if (!link_queue_find(q, part * PARTS_FINE + i, &n))
            continue;
        how |= memcmp(&n.key, &last.key, sizeof n.key) == 0 ? SAME_SCORE : 0;
        how |= n.seq == last.seq + 1 ? NEXT_SEQ : 0;
        how |= is_float(n.key) ? SHORT_SCORE : 0;
        how |= n.seq <= UINT32_MAX ? SHORT_SEQ : 0;
        how |= n.seq > last.seq && n.seq - last.seq <= UINT16_MAX ? NEAR_SEQ : 0;
        row_put(&row, i, 1);
        row_put(&row, how, 1);
        put_score(how, n.key, &row);
        put_seq(how, n.seq, last.seq, &row);
        buf_add(out, row.bytes, row.len);
        if (q->parents == PARENTS_MEAN) {
            buf_put_f64(out, q->means[n.id].sum);
            buf_put_u32(out, q->means[n.id].parents);
        }
        last = n;
    }
}

void link_queue_save_parts(struct link_queue *q, struct buf *out)
{
    LOCAL_BUF bytes = BUF_INIT(PARTS_FINE * 32);
    uint32_t part = 0;

    for (size_t i = 0; i < q->nhosts && !q->in_parts; i++)
        for (size_t k = q->hosts[i].gone; k < q->hosts[i].count; k++)
            parts_touch_fine(&q->dirty, link_items_at(&q->hosts[i], k).url);
    q->in_parts = true;
    while (parts_take(&q->dirty, &part)) {
        buf_clear(&bytes);
        part_save(q, part, &bytes);
        parts_put(out, part, buf_str(&bytes));
    }
}

/* The link is as it was saved, unless it can no longer be visited. */
static void part_insert(struct link_queue *q, struct heap_item n, struct link_mean mean)
{
    bool is_in;

    q->in_parts = false;
    is_in = insert(q, n);
    q->in_parts = true;
    if (!is_in)
        touch(q, n.id);
    else if (q->parents == PARENTS_MEAN)
        *mean_of(q, n.id) = mean;
}

enum status link_queue_load_part(struct link_queue *q, uint32_t number, struct cursor *from)
{
    uint32_t rows = q->coarse ? PARTS_ROWS : PARTS_FINE;
    struct heap_item n = {.key = NAN};

    from->bad |= !q->in_parts || number > LIMIT_URLS / rows;
    if (q->coarse && !from->bad)
        parts_touch_part(&q->dirty, number); /* what is saved under this number will be another */
    while (!from->bad && from->rest.len > 0) {
        struct link_mean mean = {0};
        uint8_t row = cursor_u8(from), how = cursor_u8(from);

        from->bad |= row >= rows; /* it would be saved in another part, and be there twice */
        n.id = (number * rows + row) & HEAP_IDS;
        n.key = how & SAME_SCORE    ? n.key
                : how & SHORT_SCORE ? (double)cursor_f32(from)
                                    : cursor_f64(from);
        n.seq = get_seq(how, n.seq, from) & HEAP_SEQS;
        if (q->parents == PARENTS_MEAN) {
            mean.sum = cursor_f64(from);
            mean.parents = cursor_u32(from);
        }
        from->bad |= n.id == 0 || n.id > from->most || isnan(n.key) || link_queue_has(q, n.id) ||
                     q->awaited == 0;
        if (from->bad)
            break;
        q->awaited--;
        part_insert(q, n, mean);
    }
    return from->bad ? bad_queue() : ST_OK;
}

/* A queue that was in coarse parts is saved as a whole next time. */
enum status link_queue_loaded(struct link_queue *q)
{
    q->in_parts &= !q->coarse;
    q->coarse = false;
    return q->awaited > 0 ? bad_queue() : ST_OK;
}
