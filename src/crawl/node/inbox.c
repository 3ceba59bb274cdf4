/* inbox.c - passes links and outcomes of other nodes to frontier and model.
 *
 * A link from another node is offered to the model as the only link of a page of which only its
 * relevance and the words around the link are known (percept.hearsay).
 *
 * Snapshot and log of a partition that is taken over are read to their end before any link is
 * offered: pages that its owner had visited must not be requested again.
 * SPDX-License-Identifier: MIT */
#include "crawl/node/node_int.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/log.h"
#include "bus/bus.h"
#include "frontier/frontier.h"
#include "parse/url_norm.h"
#include "text/profile.h"

#include <math.h>
#include <stdlib.h>

/* ---- links ---- */

static void split_words(struct str text, struct arena *arena, struct page *ret)
{
    struct word *words = arena_alloc(arena, (text.len / 2 + 1) * sizeof *words);
    uint32_t n = 0;

    for (size_t at = 0; at < text.len;) {
        size_t end = str_find_char(text, ' ', at);

        if (end == SIZE_MAX)
            end = text.len;
        if (end > at)
            words[n++] = (struct word){(uint32_t)at, (uint16_t)(end - at)};
        at = end + 1;
    }
    ret->text = text;
    ret->words = words;
    ret->nwords = n;
}

static void offer(struct crawl *c, uint32_t url, const struct batch_item *item)
{
    struct link link = {.url = item->url, .key = url_key(item->url), .kind = item->link};
    struct link_mark mark = {.url = url, .score = NAN};
    struct page page = {.kind = PAGE_HTML, .links = &link, .nlinks = 1};
    struct profile profile = {0};
    struct percept p = {
        .hearsay = true, .depth = item->depth, .body = &page, .profile = &profile, .marks = &mark};
    struct arena arena;

    arena_init(&arena, KIB(256));
    split_words(item->words, &arena, &page);
    (void)profile_page(c->profiler, &page, item->url, c->table, &arena, &profile);
    profile.relevance = item->relevance;
    profile.similarity = item->similarity;
    link.anchor = item->anchor;
    if (link.anchor.to > page.nwords) /* some words were not valid */
        link.anchor = (struct span){0};
    link.window = link.node = (struct span){0, page.nwords};
    link.node10 = link.node40 = (struct reach){REACH_NONE, REACH_NONE};
    c->model->ops->perceive(c->model, &p);
    c->model_idle = false;
    arena_free(&arena);
}

/* Returns the number of the URL, if it may be requested and was not yet; else 0. */
static uint32_t meet(struct crawl *c, uint32_t part, const struct batch_item *item)
{
    enum drop why;
    uint32_t url;

    if (node_part_of_url(c->node, item->url) != part)
        return 0;
    url = crawl_meet(c, item->url, item->link == LINK_SEED ? LINK_A : item->link, 0, item->depth,
                     &why);
    (void)frontier_first(c->frontier, url); /* the log has it */
    return url && why == DROP_NONE && frontier_state(c->frontier, url) == URL_KNOWN ? url : 0;
}

/* ---- outcomes ---- */

static void settle(struct crawl *c, uint32_t url, enum drop why)
{
    struct url_view view;

    if (!frontier_url(c->frontier, url, &view) ||
        (view.state != URL_KNOWN && view.state != URL_GONE))
        return;
    frontier_settled(c->frontier, url, why);
    if (why == DROP_NONE)
        crawl_post(c, &(struct event){.kind = EVENT_URL, .url = {.id = url, .visited = true}});
    else
        crawl_post(c, &(struct event){.kind = EVENT_DROP,
                                      .drop = {.id = url, .url = view.href, .why = why}});
}

/* Handles a page that another machine had, and lost. */
static void take_lost(struct crawl *c, uint32_t part, const struct batch_item *item)
{
    uint32_t url = frontier_find(c->frontier, url_key(item->url));

    frontier_unvisit(c->frontier, url);
    url = meet(c, part, item);
    if (url)
        offer(c, url, item);
}

/* ---- batches ---- */

struct last_batch *inbox_last(struct node *n, uint64_t sender, uint32_t part)
{
    uint64_t key = hash_u64(sender * PARTITIONS + part);
    bool is_new;
    uint32_t *at;

    if (n->nlast >= LIMIT_SENDERS && map_get(&n->last_at, key) == MAP_NONE)
        return NULL;
    at = map_at(&n->last_at, key, (uint32_t)n->nlast, &is_new);
    if (is_new) {
        MEM_GROW(n->last, n->nlast, &n->last_cap);
        n->last[n->nlast++] = (struct last_batch){.sender = sender, .part = part};
    }
    return &n->last[*at];
}

/* Returns the entry of this batch's sender; NULL if the batch is not valid. */
static struct last_batch *last_of(struct node *n, const struct incoming *in, struct batch_head *ret)
{
    struct last_batch *last = NULL;

    if (batch_check((struct str){in->bytes, in->len}, ret) == ST_OK) {
        last = inbox_last(n, ret->sender, in->part);
        if (last == NULL)
            (void)!status_fail(ST_LIMIT, "a batch of a sender too many");
    }
    return last;
}

/* A batch that is whole and new. */
static bool is_new(struct crawl *c, const struct incoming *in, struct batch_head *ret)
{
    struct last_batch *last = last_of(c->node, in, ret);

    if (last == NULL) {
        c->node->lost++;
        log_line(c->log, LOG_WARN, c->now, "partition %u, message %llu: %s", in->part,
                 (unsigned long long)in->position, status_text());
        return false;
    }
    if (ret->number > last->number + 1)
        log_line(c->log, LOG_WARN, c->now, "partition %u: %llu batches of node %016llx are missing",
                 in->part, (unsigned long long)(ret->number - last->number - 1),
                 (unsigned long long)ret->sender);
    return gaps_pass(c, last, ret->number);
}

/* Do the agents in this batch belong to an earlier owner? Its links do not: we never read them. */
static bool is_claimed(const struct node *n, uint32_t part, const struct batch_head *head)
{
    return receipts_have(&n->claimed, part, head->sender, head->number);
}

static struct guest guest_of(const struct incoming *in, const struct batch_head *head)
{
    return (struct guest){
        .part = in->part, .position = in->position, .sender = head->sender, .number = head->number};
}

/* … except a link that we sent away and that came back, because its host has become ours meanwhile:
 * it was never offered to a model. */
static bool was_foreign(struct crawl *c, const struct batch_item *item)
{
    struct url_view view;

    return item->kind == BATCH_LINK &&
           frontier_url(c->frontier, frontier_find(c->frontier, url_key(item->url)), &view) &&
           view.drop == DROP_FOREIGN;
}

static void take_batch(struct crawl *c, const struct incoming *in)
{
    struct cursor from = {.rest = {in->bytes, in->len}};
    struct batch_head head;
    struct batch_item item;
    struct guest guest;
    bool own, claimed;
    uint32_t url;

    if (!is_new(c, in, &head))
        return;
    guest = guest_of(in, &head);
    claimed = is_claimed(c->node, in->part, &head);
    own = head.sender == c->node->id; /* we know our own links and outcomes … */
    batch_open(&from);
    for (uint32_t i = 0; i < head.count; i++) {
        batch_next(&from, &item);
        if (item.kind == BATCH_AGENT && !claimed)
            travel_take(c, &guest, &item);
        else if (item.kind == BATCH_AGENT)
            continue;
        else if (item.kind == BATCH_LOST)
            take_lost(c, in->part, &item);
        else if (own && !was_foreign(c, &item))
            continue;
        else if (item.kind == BATCH_PAUSE)
            frontier_set_pause(c->frontier, item.url, item.until, c->now);
        else if (item.kind == BATCH_OUTCOME)
            settle(c, frontier_find(c->frontier, item.key), item.why);
        else if ((url = meet(c, in->part, &item)) != 0)
            offer(c, url, &item);
    }
}

/* ---- a partition comes and goes ---- */

static void start_seeds(struct crawl *c, uint32_t part, const struct map *done)
{
    struct node *n = c->node;
    uint32_t *urls = mem_alloc((n->seeds.count + 1) * sizeof *urls);
    size_t count = 0;
    enum drop why;

    for (size_t i = 0; i < n->seeds.count; i++) {
        struct str text = str_of(n->seeds.items[i]);
        struct url_view view;
        uint32_t url, is;

        if (node_part_of_url(n, text) != part)
            continue;
        url = crawl_meet(c, text, LINK_SEED, 0, 0, &why);
        (void)frontier_first(c->frontier, url); /* all nodes know it */
        if (url == 0 || why != DROP_NONE || !frontier_url(c->frontier, url, &view) ||
            view.state != URL_KNOWN)
            continue;
        is = map_get(done, url_key(view.href));
        if (is != MAP_NONE)
            settle(c, url, (enum drop)is);
        else
            urls[count++] = url;
    }
    c->model_ctx.now = c->now;
    if (count > 0 || c->model->ops->talks) { /* agents that talk must exist before the links */
        c->model->ops->start(c->model, urls, count);
        c->model_idle = false;
    }
    free(urls);
}

/* Begins to read the items of a batch or chunk that was checked. */
static uint32_t open_items(const struct incoming *in, struct cursor *ret)
{
    struct snapshot_head chunk = {0};
    struct batch_head head = {0};

    *ret = (struct cursor){.rest = {in->bytes, in->len}};
    if (in->kind == INCOMING_SNAPSHOT) {
        (void)!snapshot_check(ret->rest, &chunk);
        snapshot_open(ret);
        return chunk.count;
    }
    (void)!batch_check(ret->rest, &head);
    batch_open(ret);
    return head.count;
}

/* Takes which batches of a node are in a snapshot, and which were missing at that time. */
static void take_sender(struct crawl *c, uint32_t part, const struct batch_item *item)
{
    struct last_batch *last = inbox_last(c->node, item->node, part);

    if (last && item->from == 0)
        last->number = item->to;
    else if (last)
        gaps_add(c, last, item->from, item->to);
}

static void note_outcomes(struct crawl *c, struct incoming *in, struct map *done)
{
    struct cursor from;
    struct batch_head head;
    struct batch_item item;
    uint32_t count;

    if (in->kind == INCOMING_LOG && !is_new(c, in, &head)) {
        in->len = 0; /* it is not read again */
        return;
    }
    count = open_items(in, &from);
    for (uint32_t i = 0; i < count; i++) {
        batch_next(&from, &item);
        if (item.kind == BATCH_OUTCOME || item.kind == BATCH_DONE)
            map_set(done, item.key, item.why);
        else if (item.kind == BATCH_SETTLED)
            map_set(done, url_key(item.url), item.why);
        else if (item.kind == BATCH_LOST)
            (void)map_remove(done, url_key(item.url));
        else if (item.kind == BATCH_PAUSE)
            frontier_set_pause(c->frontier, item.url, item.until, c->now);
        else if (item.kind == BATCH_SENDER)
            take_sender(c, in->part, &item);
    }
}

/* Are agents in this message of the log for us? */
static bool are_ours(const struct node *n, const struct incoming *in, struct guest *ret)
{
    const struct node_part *p = &n->parts[in->part];
    struct batch_head head = {0};

    if (in->kind != INCOMING_LOG || batch_check((struct str){in->bytes, in->len}, &head) != ST_OK)
        return false;
    *ret = guest_of(in, &head);
    return p->has_receipts ? !is_claimed(n, in->part, &head) : in->position > p->taken;
}

static void take_links(struct crawl *c, const struct incoming *in, const struct map *done)
{
    struct cursor from;
    struct batch_item item;
    struct guest guest;
    uint32_t count = in->len ? open_items(in, &from) : 0;
    bool ours = are_ours(c->node, in, &guest);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t url, why;

        batch_next(&from, &item);
        if (item.kind == BATCH_AGENT && ours)
            travel_take(c, &guest, &item);
        if ((item.kind != BATCH_LINK && item.kind != BATCH_LOST && item.kind != BATCH_SETTLED) ||
            (url = meet(c, in->part, &item)) == 0)
            continue;
        why = map_get(done, url_key(item.url));
        if (why != MAP_NONE)
            settle(c, url, (enum drop)why);
        else
            offer(c, url, &item);
    }
}

void inbox_drop_log(struct node_part *p)
{
    for (struct incoming *in = p->log, *next; in; in = next) {
        next = in->next;
        free(in);
    }
    p->log = NULL;
    p->tail = &p->log;
}

/* This node owns the partition now, and takes over everything that is known of it. */
static void part_rebuild(struct crawl *c, uint32_t part)
{
    struct node_part *p = &c->node->parts[part];
    struct map done;

    map_init(&done);
    for (struct incoming *in = p->log; in; in = in->next)
        note_outcomes(c, in, &done);
    start_seeds(c, part, &done);
    for (const struct incoming *in = p->log; in; in = in->next)
        take_links(c, in, &done);
    inbox_drop_log(p);
    map_free(&done);
}

static size_t count_log(const struct node_part *p, enum incoming_kind kind)
{
    size_t n = 0;

    for (const struct incoming *in = p->log; in; in = in->next)
        n += in->kind == kind;
    return n;
}

static void part_open(struct crawl *c, const struct incoming *in)
{
    struct node_part *p = &c->node->parts[in->part];
    size_t chunks = count_log(p, INCOMING_SNAPSHOT), batches = count_log(p, INCOMING_LOG);
    bool is_fresh = !p->ours;

    p->ours = true;
    p->token = in->token;
    p->position = in->position;
    if (is_fresh) {
        part_rebuild(c, in->part);
        log_line(c->log, LOG_INFO, c->now,
                 "partition %u is ours, and its log is read up to message %llu: %zu messages, "
                 "behind a snapshot of %zu",
                 in->part, (unsigned long long)in->position, batches, chunks);
    }
}

static void part_close(struct crawl *c, uint32_t part)
{
    c->node->parts[part].ours = false;
    c->node->parts[part].closing = true;
    frontier_moved(c->frontier);
    log_line(c->log, LOG_INFO, c->now, "partition %u is given to another node", part);
}

/* A node that reads a log from its beginning also forgets the last numbers of its senders. */
static void part_begin(struct node *n, uint32_t part, uint64_t taken, struct str receipts)
{
    struct receipts_name name;
    struct receipts its = {0};

    n->parts[part].taken = taken;
    receipts_drop(&n->claimed, part);
    n->parts[part].has_receipts = receipts.len > 0 && receipts_load(&its, receipts, &name) == ST_OK;
    receipts_add_part(&n->claimed, &its,
                      part); /* those of other partitions are no business of it */
    receipts_clear(&its);
    inbox_drop_log(&n->parts[part]);
    gaps_forget(n, part);
    for (size_t i = 0; i < n->nlast; i++)
        if (n->last[i].part == part)
            n->last[i].number = 0;
}

void inbox_take(struct crawl *c, struct incoming *in)
{
    struct node_part *p = &c->node->parts[in->part];

    switch (in->kind) {
    case INCOMING_BEGIN:
        part_begin(c->node, in->part, in->position, (struct str){in->bytes, in->len});
        break;
    case INCOMING_SNAPSHOT:
    case INCOMING_LOG:
        in->next = NULL;
        *p->tail = in;
        p->tail = &in->next;
        return; /* kept */
    case INCOMING_OPEN:
        part_open(c, in);
        break;
    case INCOMING_BATCH:
        if (!p->ours && !p->closing)
            break; /* it was given away meanwhile, and its log has it */
        take_batch(c, in);
        p->position = in->position;
        break;
    case INCOMING_CLOSE:
        part_close(c, in->part);
        break;
    case INCOMING_ROLLED:
        c->node->rollbacks = in->token;
        c->node->next = c->node->first;
        travel_rollback(c, in->position);
        log_line(c->log, LOG_WARN, c->now,
                 "the bus has lost the messages behind %llu: what is kept is sent again",
                 (unsigned long long)in->position);
        break;
    }
    free(in);
}
