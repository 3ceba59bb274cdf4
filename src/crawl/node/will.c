/* will.c - records the agents of this node for others, and gives up those that others have taken
 * over.
 *
 * In: population, model, the agents that came and those that left, at a checkpoint. Out: a will
 * (cluster/will.h), which the keeper gets when that checkpoint is committed. In the other
 * direction: the will that was carried out while this node was away. Every agent in it lives
 * elsewhere, as it was then, whatever has become of it here. SPDX-License-Identifier: MIT */
#include "crawl/node/node_int.h"

#include "agent/population.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/log.h"
#include "bus/bus.h"
#include "frontier/frontier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP (2 * US_PER_S) /* between wills, if no agent waits for one */

/* ---- writing ---- */

/* Returns false if there is no room: then it is only counted. */
static bool add_item(struct cluster_will *w, const struct will_item *item)
{
    size_t size = item->bytes.len + item->url.len + 64;
    size_t at = w->count - 1;

    if (w->chunks[at].items.len + size > LIMIT_WILL - KIB(1)) {
        if (w->count == LIMIT_WILL_CHUNKS) {
            w->left_out++;
            return false;
        }
        at = w->count++;
        w->chunks[at].items = BUF_INIT(LIMIT_WILL);
    }
    will_put(&w->chunks[at].items, item);
    w->chunks[at].count++;
    return true;
}

/* An agent without a place begins again at a seed. */
static void set_place(struct crawl *c, uint32_t url, struct will_item *ret)
{
    struct url_view view;

    if (url && frontier_url(c->frontier, url, &view) && view.href.len > 0) {
        ret->url = view.href;
        ret->depth = view.depth;
    } else if (c->node->seeds.count > 0) {
        ret->url = str_of(c->node->seeds.items[0]);
    }
}

static void add_agent(struct crawl *c, const struct agent *a, struct cluster_will *w)
{
    struct buf mind = BUF_INIT(LIMIT_TRAVEL - KIB(1)), bytes = BUF_INIT(LIMIT_TRAVEL);
    struct will_item item = {.agent = a->id, .energy = a->energy, .is_here = true};
    uint32_t url;

    if (c->model->ops->moves->record(c->model, a->id, &mind, &url)) {
        agent_record(c->population, a->id, &bytes);
        buf_put_str(&bytes, buf_str(&mind));
        item.bytes = buf_str(&bytes);
        set_place(c, url, &item);
        if (item.url.len > 0)
            (void)add_item(w, &item);
    }
    buf_free(&mind);
    buf_free(&bytes);
}

static uint32_t guest_agent(const struct guest *g)
{
    struct cursor from = {.rest = g->bytes}, record;

    (void)cursor_str(&from);
    (void)cursor_u32(&from);
    record = (struct cursor){.rest = cursor_str(&from)};
    return cursor_u32(&record);
}

static void add_guest(const struct guest *g, struct cluster_will *w)
{
    struct cursor from = {.rest = g->bytes};
    struct will_item item = {.agent = guest_agent(g), .url = cursor_str(&from)};
    struct buf bytes = BUF_INIT(LIMIT_TRAVEL + 64);

    item.depth = (uint16_t)cursor_u32(&from);
    /* An invalid one would invalidate the whole will (will_check()). */
    if (item.agent > 0 && item.agent <= LIMIT_AGENTS &&
        agent_record_again(cursor_str(&from), &bytes, &item.energy) && isfinite(item.energy)) {
        item.bytes = buf_str(&bytes);
        (void)add_item(w, &item);
    }
    buf_free(&bytes);
}

static struct kept_batch *kept_of(const struct node *n, uint32_t part, uint64_t number)
{
    for (size_t i = n->count; i-- > n->first;)
        if (n->kept[i].part == part && n->kept[i].number == number)
            return &n->kept[i];
    return NULL;
}

/* Adds the batches with agents that have not arrived: the servers may lose them even after they
 * have acknowledged them. The agents of one batch left together. One that has no room is not sent
 * before a will has it. */
static void add_batches(const struct node *n, struct cluster_will *w)
{
    const struct travel *t = &n->travel;

    for (size_t i = 0; i < t->naway; i++) {
        const struct traveller *a = &t->away[i];
        struct kept_batch *k = kept_of(n, a->part, a->number);
        bool is_first = true;

        for (size_t j = 0; j < i && is_first; j++)
            is_first = t->away[j].part != a->part || t->away[j].number != a->number;
        if (k && is_first &&
            add_item(w, &(struct will_item){.is_batch = true,
                                            .part = k->part,
                                            .bytes = {k->bytes, k->len}}) &&
            !k->is_willed) {
            k->will = w->number;
            k->is_willed = true;
        }
    }
}

/* Says for how many things there is no room: once, and again when they become more. */
static void tell_left_out(struct crawl *c, const struct cluster_will *w)
{
    struct travel *t = &c->node->travel;

    if (w->left_out > t->left_out)
        log_line(c->log, LOG_WARN, c->now,
                 "the will has no room for %u agents or batches of agents: if this node is killed, "
                 "they are lost",
                 w->left_out);
    t->left_out = w->left_out;
    if (w->taken.left_out > t->left_out_receipts)
        log_line(c->log, LOG_WARN, c->now,
                 "the will has no room for %zu receipts: if this node is killed, agents may be "
                 "taken again",
                 w->taken.left_out);
    t->left_out_receipts = w->taken.left_out;
}

/* ---- receipts ---- */

static int gap_compare(const void *a, const void *b)
{
    const struct gap *x = a, *y = b;

    if (x->sender != y->sender)
        return x->sender < y->sender ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

/* The batches of a sender up to `last`, without the gaps, which are sorted. A snapshot that another
 * node wrote may name gaps that overlap, or reach beyond `last`: one entry that makes no sense
 * would make others refuse all our receipts. */
static void add_runs(struct receipts *ret, struct receipt run, uint64_t last,
                     const struct gap *gaps, size_t ngaps)
{
    for (size_t i = 0; i < ngaps && run.from <= last; i++) {
        const struct gap *g = &gaps[i];

        if (g->sender != run.sender || g->to < run.from)
            continue;
        run.to = g->from - 1 < last ? g->from - 1 : last;
        if (g->from > run.from)
            receipts_add(ret, &run);
        if (g->to >= last)
            return;
        run.from = g->to + 1;
    }
    run.to = last;
    if (run.from <= run.to)
        receipts_add(ret, &run);
}

void node_receipts(const struct node *n, uint32_t part, struct receipts *ret)
{
    struct receipt run = {.part = part, .token = n->parts[part].token};
    struct gap *gaps = mem_alloc((n->ngaps + 1) * sizeof *gaps);
    size_t ngaps = 0;

    for (size_t i = 0; i < n->ngaps; i++)
        if (n->gaps[i].part == part)
            gaps[ngaps++] = n->gaps[i];
    qsort(gaps, ngaps, sizeof *gaps, gap_compare);
    if (n->parts[part].ours || n->parts[part].closing)
        receipts_open(ret, part, run.token);
    for (size_t i = 0; i < n->nlast && run.token; i++) {
        run.sender = n->last[i].sender;
        run.from = 1;
        if (n->last[i].part == part)
            add_runs(ret, run, n->last[i].number, gaps, ngaps);
    }
    for (size_t i = 0; i < n->claimed.count && run.token; i++) {
        struct receipt e = n->claimed.list[i];

        e.token = run.token;
        if (e.part == part && e.sender)
            receipts_add(ret, &e);
    }
    free(gaps);
}

/* Does an agent wait for the next will? */
static bool is_due(const struct crawl *c)
{
    const struct travel *t = &c->node->travel;

    for (size_t i = 0; i < t->nguests; i++)
        if (t->guests[i].will == 0)
            return true;
    return t->wills == 0 || t->owed || c->now >= t->willed_at + STEP || c->end != CRAWL_RUNNING;
}

void will_make(struct crawl *c)
{
    struct population_counts counts;
    struct travel *t = &c->node->travel;
    struct cluster_will *w;
    struct ledger l;

    if (c->model->ops->moves == NULL || !is_due(c))
        return;
    counts = population_counts(c->population);
    l = population_ledger(c->population);
    w = MEM_NEW(struct cluster_will);
    w->number = ++t->wills;
    w->head = (struct will_head){
        .left = l.left, .came = l.came, .nleft = counts.left, .ncame = counts.came};
    w->chunks[w->count++].items = BUF_INIT(LIMIT_WILL);
    memcpy(w->safe, t->saved, sizeof w->safe);
    for (uint32_t p = 0; p < PARTITIONS; p++)
        node_receipts(c->node, p, &w->taken);
    receipts_merge(&w->taken);
    add_batches(c->node, w); /* first what others rely on */
    for (size_t i = 0; i < t->nguests; i++) {
        add_guest(&t->guests[i], w);
        if (t->guests[i].will == 0)
            t->guests[i].will = w->number;
    }
    for (uint32_t i = 0; i < counts.alive; i++)
        add_agent(c, population_nth(c->population, i), w);
    tell_left_out(c, w);
    cluster_will_free(t->will);
    t->will = w;
    t->owed = false;
    t->willed_at = c->now;
}

void will_commit(struct crawl *c)
{
    struct travel *t = &c->node->travel;

    if (t->will == NULL)
        return;
    cluster_will(c->node->cluster, t->will);
    t->will = NULL;
}

/* ---- others have them ---- */

/* The agent left after the will was written, and the bus does not know it: writes its batch again
 * without it. Returns the energy that it had. */
static double strip(struct crawl *c, const struct traveller *a)
{
    struct kept_batch *k = kept_of(c->node, a->part, a->number);
    struct buf bytes = BUF_INIT(2 * LIMIT_BATCH), record = BUF_INIT(LIMIT_TRAVEL + 64);
    struct cursor from;
    struct batch_head head = {0};
    struct batch_item item;
    struct batch rest;
    double had = 0;

    if (k == NULL || batch_check((struct str){k->bytes, k->len}, &head) != ST_OK)
        return 0;
    from = (struct cursor){.rest = {k->bytes, k->len}};
    batch_init(&rest);
    batch_open(&from);
    for (uint32_t i = 0; i < head.count; i++) {
        struct cursor agent;

        batch_next(&from, &item);
        agent = (struct cursor){.rest = item.agent};
        if (item.kind == BATCH_AGENT && cursor_u32(&agent) == a->agent)
            (void)agent_record_again(item.agent, &record, &had);
        else
            batch_add(&rest, &item);
    }
    batch_take(&rest, c->node->id, k->number, &bytes);
    crawl_post(c, &(struct event){.kind = EVENT_BATCH,
                                  .batch = {k->part, k->number, k->at, buf_str(&bytes)}});
    free(k->bytes);
    k->bytes = buf_take(&bytes, &k->len);
    batch_clear(&rest);
    buf_free(&record);
    return had;
}

static bool is_guest(const struct travel *t, uint32_t agent)
{
    for (size_t i = 0; i < t->nguests; i++)
        if (guest_agent(&t->guests[i]) == agent)
            return true;
    return false;
}

/* The agent lives elsewhere, with the energy of that time. */
static void part_with(struct crawl *c, const struct will_item *item)
{
    struct travel *t = &c->node->travel;
    struct buf unused = BUF_INIT(LIMIT_TRAVEL);
    double had = 0;

    if (is_guest(t, item->agent))
        return; /* it never lived here */
    if (agent_is_alive(c->population, item->agent)) {
        had = agent_energy(c->population, item->agent);
        c->model->ops->moves->let_go(c->model, item->agent);
        agent_leave(c->population, c->now, item->agent, &unused);
    }
    for (size_t i = 0; i < t->naway; i++)
        if (t->away[i].agent == item->agent) {
            had = strip(c, &t->away[i]);
            t->away[i] = t->away[--t->naway];
            break;
        }
    population_lost(c->population, had, item->energy);
    buf_free(&unused);
}

static uint32_t part_with_chunk(struct crawl *c, struct str bytes)
{
    struct cursor from = {.rest = bytes};
    struct will_head head = {0};
    struct will_item item;
    uint32_t count = 0;

    if (will_check(bytes, &head) != ST_OK)
        return 0;
    will_open(&from);
    for (uint32_t i = 0; i < head.count; i++) {
        will_next(&from, &item);
        count += !item.is_batch;
        if (!item.is_batch)
            part_with(c, &item);
    }
    return count;
}

void will_return(struct crawl *c)
{
    struct travel *t = &c->node->travel;
    struct will_name will = cluster_legacy(c->node->cluster);
    uint32_t count = 0;

    t->returns = false;
    if (c->model->ops->moves == NULL || will.chunks == 0 ||
        (will.run == t->settled.run && will.number == t->settled.number))
        return;
    cluster_will_free(t->will); /* an earlier one */
    t->will = NULL;
    for (size_t i = 0; i < will.chunks; i++)
        count += part_with_chunk(c, cluster_legacy_chunk(c->node->cluster, i));
    travel_drop_guests(t);
    t->settled = will;
    log_line(c->log, LOG_INFO, c->now,
             "while this node was away, other nodes took over %u of its agents", count);
}
