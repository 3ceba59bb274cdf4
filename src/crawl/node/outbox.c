/* outbox.c - writes the links and outcomes of this node to the logs of the partitions.
 *
 * In: events. Out: batches, which are part of the next checkpoint and handed to the keeper when
 * that is committed. A batch is kept until the bus has it and the servers must have synced it to
 * their disks; when the stream is found shorter than it was, all that are kept are sent again.
 * SPDX-License-Identifier: MIT */
#include "crawl/node/node_int.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "bus/bus.h"
#include "frontier/frontier.h"
#include "parse/url_norm.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#define KEEP        (240 * US_PER_S) /* twice the two minutes in which nats-server syncs */
#define AROUND      8                /* words on each side of an anchor */
#define ANCHOR_MOST 24               /* words of it */
#define BETTER      0.05F            /* a relevance higher by this is worth a message */
#define TOLD_MOST   1000000
#define FORGET      US_PER_S        /* between two searches for what need not be kept */
#define AGAIN       (2 * US_PER_S)  /* between two repeats of a missing batch … */
#define AGENTS      (10 * US_PER_S) /* … and of a batch whose agents have not arrived */

/* ---- batches ---- */

static void batch_close(struct crawl *c, uint32_t part)
{
    struct node *n = c->node;
    struct node_part *p = &n->parts[part];
    struct buf bytes = BUF_INIT(2 * LIMIT_BATCH);
    struct kept_batch *k;

    if (p->open.count == 0)
        return;
    batch_take(&p->open, n->id, ++p->number, &bytes);
    n->closed_at = c->now > n->closed_at ? c->now : n->closed_at + 1;
    MEM_GROW(n->kept, n->count, &n->cap);
    k = &n->kept[n->count++];
    *k = (struct kept_batch){
        .part = part, .number = p->number, .checkpoint = c->checkpoints + 1, .at = n->closed_at};
    crawl_post(c, &(struct event){.kind = EVENT_BATCH,
                                  .batch = {part, p->number, k->at, buf_str(&bytes)}});
    k->bytes = buf_take(&bytes, &k->len);
    k->will = batch_is_agents((struct str){k->bytes, k->len}) ? n->travel.wills + 1 : 0;
}

static void close_all(struct crawl *c)
{
    for (uint32_t p = 0; p < PARTITIONS; p++)
        batch_close(c, p);
}

uint64_t outbox_add(struct crawl *c, uint32_t part, const struct batch_item *item)
{
    struct batch *b = &c->node->parts[part].open;
    uint64_t number;

    if (batch_is_tight(b, item))
        batch_close(c, part);
    number = c->node->parts[part].number + 1;
    batch_add(b, item);
    if (batch_is_full(b))
        batch_close(c, part);
    return number;
}

/* Outcomes are sent after all links: if the bus has the outcome of a page, it also has its links,
 * whenever we die. Agents are sent last, in batches of their own that are part of the will and wait
 * for it. */
void node_gather(struct crawl *c)
{
    struct node *n = c->node;
    bool is_marked;

    if (n == NULL)
        return;
    is_marked = travel_mark(c);
    close_all(c);
    for (size_t i = 0; i < n->nfates; i++)
        (void)outbox_add(c, n->fates[i].part,
                         &(struct batch_item){.kind = BATCH_OUTCOME,
                                              .key = n->fates[i].key,
                                              .why = n->fates[i].why});
    n->nfates = 0;
    close_all(c);
    if (is_marked)
        travel_settle(c);
    travel_send(c);
    close_all(c);
    if (is_marked)
        will_make(c);
}

/* ---- links ---- */

/* The words around a link, with single spaces. */
static void add_words(const struct page *page, const struct link *l, struct buf *out,
                      struct span *ret_anchor)
{
    uint32_t from = l->anchor.from > AROUND ? l->anchor.from - AROUND : 0;
    uint32_t to = l->anchor.to + AROUND < page->nwords ? l->anchor.to + AROUND : page->nwords;
    uint32_t n = 0;

    *ret_anchor = (struct span){0};
    if (to > l->anchor.from + ANCHOR_MOST + AROUND)
        to = l->anchor.from + ANCHOR_MOST + AROUND;
    for (uint32_t i = from; i < to; i++) {
        struct word w = page->words[i];
        struct str text = str_sub(page->text, w.off, w.off + w.len);

        if (out->len + text.len + 1 > LIMIT_BATCH_WORDS)
            break;
        if (n++ > 0)
            buf_add_char(out, ' ');
        buf_add_str(out, text);
        if (i < l->anchor.from)
            ret_anchor->from = ret_anchor->to = n;
        else if (i < l->anchor.to)
            ret_anchor->to = n;
    }
}

/* Every URL is sent once, at the first link to it that may be followed; a URL of another node again
 * if a clearly better page names it. */
static bool is_worth_sending(struct crawl *c, const struct link_mark *m, float relevance)
{
    struct node *n = c->node;
    bool is_first = frontier_first(c->frontier, m->url), is_new;
    uint32_t *told, bits;
    float before;

    if (m->drop != DROP_FOREIGN)
        return is_first;
    if (n->told.count > TOLD_MOST)
        map_clear(&n->told);
    memcpy(&bits, &relevance, sizeof bits);
    told = map_at(&n->told, m->url, bits, &is_new);
    if (is_new || is_first)
        return is_first;
    memcpy(&before, told, sizeof before);
    if (relevance < before + BETTER)
        return false;
    *told = bits;
    return true;
}

static void hear_links(struct crawl *c, const struct arrival *a)
{
    struct node *n = c->node;

    for (uint32_t i = 0; i < a->page->nlinks; i++) {
        const struct link *l = &a->page->links[i];
        const struct link_mark *m = &a->marks[i];
        struct buf words = BUF_INIT(LIMIT_BATCH_WORDS + 1);
        struct batch_item item = {.kind = BATCH_LINK, .url = l->url, .link = l->kind};

        if (m->url == 0 || (m->drop != DROP_NONE && m->drop != DROP_FOREIGN) ||
            !is_worth_sending(c, m, a->profile.relevance))
            continue;
        add_words(a->page, l, &words, &item.anchor);
        item.depth = (uint16_t)(a->request->depth + (a->request->depth < UINT16_MAX));
        item.relevance = a->profile.relevance;
        item.similarity = a->profile.similarity;
        item.words = buf_str(&words);
        (void)outbox_add(c, node_part_of_url(n, l->url), &item);
        buf_free(&words);
    }
}

/* ---- outcomes ---- */

static void hear_outcome(struct crawl *c, struct str url, enum drop why)
{
    struct node *n = c->node;

    if (url.len == 0)
        return;
    MEM_GROW(n->fates, n->nfates, &n->fates_cap);
    n->fates[n->nfates++] = (struct fate){url_key(url), node_part_of_url(n, url), why};
}

static void hear_url(struct crawl *c, const struct event *e)
{
    struct batch_item item = {
        .kind = BATCH_LINK, .url = e->url.url, .link = LINK_A, .depth = e->url.depth};

    if (e->url.visited || (e->url.why != DROP_NONE && e->url.why != DROP_FOREIGN))
        return;
    (void)frontier_first(c->frontier, e->url.id);
    if (!e->url.seed || e->url.why == DROP_FOREIGN) /* owners know the first seeds */
        (void)outbox_add(c, node_part_of_url(c->node, e->url.url), &item);
}

/* A visit that the model or the bus gave up is not an outcome: another owner may want the page. */
static bool is_outcome(enum drop why)
{
    return why != DROP_MODEL && why != DROP_FOREIGN && why != DROP_SEEN && why != DROP_LIMIT &&
           why != DROP_QUEUE_FULL;
}

/* The next owner of the host must keep its pause, too. Sent once for each pause, or when it
 * grew. */
static void hear_pause(struct crawl *c, const struct arrival *a)
{
    struct batch_item item = {.kind = BATCH_PAUSE, .url = a->request->href};
    struct node *n = c->node;
    uint32_t *told, seconds;
    bool is_new;

    item.until = frontier_pause(c->frontier, a->request->host_id, c->now);
    if (item.until == 0)
        return;
    if (n->pauses.count > TOLD_MOST)
        map_clear(&n->pauses);
    seconds = (uint32_t)(item.until / US_PER_S);
    told = map_at(&n->pauses, a->request->host_id, seconds, &is_new);
    if (!is_new && *told >= seconds)
        return;
    *told = seconds;
    (void)outbox_add(c, node_part_of_url(n, item.url), &item);
}

static void hear_visit(struct crawl *c, const struct event *e)
{
    struct url_view view;

    if (e->outcome.is_final && is_outcome(e->outcome.why) &&
        frontier_url(c->frontier, e->outcome.url, &view))
        hear_outcome(c, view.href, e->outcome.why);
}

void node_hear(void *crawl, const struct event *e)
{
    struct crawl *c = crawl;

    if (c->node == NULL || c->node->taking)
        return;
    switch (e->kind) {
    case EVENT_PAGE:
        hear_links(c, e->page.arrival);
        hear_outcome(c, e->page.arrival->request->href, DROP_NONE);
        break;
    case EVENT_LINKS:
        hear_links(c, e->links.arrival);
        break;
    case EVENT_URL:
        hear_url(c, e);
        break;
    case EVENT_OUTCOME:
        hear_visit(c, e);
        hear_pause(c, e->outcome.arrival);
        break;
    case EVENT_RESOURCE:
        hear_pause(c, e->resource.arrival);
        break;
    case EVENT_DROP:
        if (e->drop.id && is_outcome(e->drop.why))
            hear_outcome(c, e->drop.url, e->drop.why);
        break;
    default:
        break;
    }
}

/* ---- to the keeper ---- */

/* Does it wait until a will has its agents? */
static bool waits_for_will(const struct crawl *c, const struct kept_batch *k)
{
    return k->will && !k->is_willed && travel_needs_batch(c, k->part, k->number);
}

static void hand_over(struct crawl *c)
{
    struct node *n = c->node;
    uint64_t committed = n->next < n->count ? store_commits(c->store) : 0;

    for (; n->next < n->count && n->kept[n->next].checkpoint <= committed &&
           !waits_for_will(c, &n->kept[n->next]);
         n->next++) {
        const struct kept_batch *k = &n->kept[n->next];

        cluster_send(n->cluster, k->part, k->number, k->will, (struct str){k->bytes, k->len});
    }
}

static bool is_safe(const struct crawl *c, const struct kept_batch *k)
{
    return c->node->view.sent[k->part] >= k->number && !travel_needs_batch(c, k->part, k->number);
}

/* The oldest ones move up to those that are kept: one without a receipt holds up no others. */
static void forget_safe(struct crawl *c)
{
    struct node *n = c->node;
    size_t end = n->first, left;

    if (c->now < n->forget_at)
        return;
    n->forget_at = c->now + FORGET;
    while (end < n->next && c->now - n->kept[end].at > KEEP)
        end++;
    left = end;
    for (size_t i = end; i-- > n->first;) {
        struct kept_batch *k = &n->kept[i];

        if (!is_safe(c, k)) {
            n->kept[--left] = *k;
            continue;
        }
        crawl_post(c,
                   &(struct event){.kind = EVENT_BATCH, .batch = {k->part, k->number, 0, STR("")}});
        free(k->bytes);
    }
    n->first = left;
    if (n->first > 1000 && n->first > n->count / 2) { /* the rest moves up */
        memmove(n->kept, n->kept + n->first, (n->count - n->first) * sizeof *n->kept);
        n->count -= n->first;
        n->next -= n->first;
        n->first = 0;
    }
}

/* Sends the batches of ours that others miss. */
static void send_again(struct crawl *c)
{
    struct node *n = c->node;

    if (n->view.nasked == 0 || c->now < n->again_at)
        return;
    n->again_at = c->now + AGAIN;
    for (size_t i = n->first; i < n->next; i++) {
        const struct kept_batch *k = &n->kept[i];

        for (size_t a = 0; a < n->view.nasked; a++) {
            const struct lease_ask *ask = &n->view.asked[a];

            if (k->part == ask->part && k->number >= ask->from && k->number <= ask->to) {
                cluster_send(n->cluster, k->part, k->number, k->will,
                             (struct str){k->bytes, k->len});
                break;
            }
        }
    }
}

/* Sends batches again for which no node has given us a receipt. The servers may have lost them
 * without anybody noticing; a batch that was only slow is taken once. */
static void send_agents_again(struct crawl *c)
{
    struct node *n = c->node;

    if (n->travel.naway == 0 || c->now < n->agents_at)
        return;
    n->agents_at = c->now + AGENTS;
    for (size_t i = n->first; i < n->next; i++) {
        const struct kept_batch *k = &n->kept[i];

        if (k->will && k->at < c->now - AGENTS && n->view.sent[k->part] >= k->number &&
            travel_needs_batch(c, k->part, k->number))
            cluster_send(n->cluster, k->part, k->number, k->will, (struct str){k->bytes, k->len});
    }
}

void outbox_turn(struct crawl *c)
{
    hand_over(c);
    send_again(c);
    send_agents_again(c);
    forget_safe(c);
}

bool outbox_is_empty(const struct node *n)
{
    for (uint32_t p = 0; p < PARTITIONS; p++)
        if (n->parts[p].open.count > 0)
            return false;
    return n->next == n->count && n->nfates == 0;
}

static enum status load_batch(void *ctx, uint32_t part, uint64_t number, int64_t at,
                              struct str bytes)
{
    struct node *n = ctx;
    struct kept_batch *k;

    if (part >= PARTITIONS)
        return status_fail(ST_CORRUPT, "the outbox has a batch for partition %u", part);
    MEM_GROW(n->kept, n->count, &n->cap);
    k = &n->kept[n->count++];
    *k = (struct kept_batch){.part = part, .number = number, .at = at, .len = bytes.len};
    n->closed_at = at;
    k->bytes = mem_alloc(bytes.len);
    memcpy(k->bytes, bytes.ptr, bytes.len);
    k->will = batch_is_agents(bytes); /* the first one of this process */
    return ST_OK;
}

enum status outbox_load(struct crawl *c)
{
    return store_read_batches(c->store, load_batch, c->node);
}
