/* node.c - the life of a node: it joins, does its turns, is saved and leaves.
 * SPDX-License-Identifier: MIT */
#include "crawl/node/node_int.h"

#include "agent/population.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/log.h"
#include "bus/bus.h"
#include "frontier/frontier.h"
#include "store/store.h"

#include <stdlib.h>
#include <sys/random.h>

#define TAKE_MOST    64                /* messages in one turn */
#define COMMIT_IDLE  (50 * US_PER_MS)  /* what others wait for is committed within this time … */
#define COMMIT_BATCH (6 * US_PER_MS)   /* … and so much more for each message that it makes … */
#define COMMIT_BUSY  (400 * US_PER_MS) /* … or within this time, while there is work here, too */
#define TURN_STEP    (5 * US_PER_MS)   /* from one turn to the next, while there is work here */
#define GRANT_AHEAD  (500 * US_PER_MS) /* grants are asked for so long before they are needed */
#define HOSTS_MOST   1000000           /* whose partition is remembered */
#define STATE        6 /* version; 2 knew no gaps, 3 no wills, 4 no receipts, 5 no book */

/* ---- whose is it? ---- */

uint32_t node_part_of(struct node *n, struct str host)
{
    bool is_new;
    uint32_t *part;

    if (n->hosts.count > HOSTS_MOST)
        map_clear(&n->hosts);
    part = map_at(&n->hosts, hash_str(host), 0, &is_new);
    if (is_new)
        *part = partition_of(host);
    return *part;
}

uint32_t node_part_of_url(struct node *n, struct str url)
{
    return node_part_of(n, partition_host(url));
}

static bool is_foreign(void *ctx, struct str host)
{
    struct node *n = ctx;

    return !n->parts[node_part_of(n, host)].ours;
}

bool node_may_fetch(const struct crawl *c)
{
    return c->node == NULL || clock_boot() < c->ask_until;
}

uint64_t node_pages(const struct crawl *c)
{
    return c->node->view.granted;
}

void node_flies(struct crawl *c, struct str host, int change)
{
    if (c->node)
        c->node->parts[node_part_of(c->node, host)].flying += (uint32_t)change;
}

/* ---- joining ---- */

/* Can the model's links, or its agents, be sent to other nodes, and is nothing fetched twice? */
static enum status can_run_here(const struct model *m)
{
    const struct model_ops *ops = m->ops;
    const char *why = NULL;

    if (model_refreshes(m) || model_watches(ops))
        why = "it fetches pages again, and only one node knows when that is due";
    else if (!(ops->late || ops->moves || ops->talks) || (ops->walks && !ops->moves))
        why = "its agents cannot move from one machine to another";
    return why ? status_fail(ST_USAGE,
                             "the model '%s' does not run on several machines yet: %s. brood, "
                             "best-first, balanced, endogenous, infospiders and crew do",
                             ops->name, why)
               : ST_OK;
}

enum status node_prepare(struct crawl *c)
{
    if (c->options->nats == NULL)
        return ST_OK;
    TRY(can_run_here(c->model));
    if (c->options->requisites)
        return status_fail(ST_USAGE, "--requisites does not work on several machines yet");
    if (c->options->name == NULL)
        return status_fail(ST_USAGE, "--nats needs --name, the name of the crawl on the bus");
    c->node = MEM_NEW(struct node);
    if (getrandom(&c->node->id, sizeof c->node->id, 0) != (ssize_t)sizeof c->node->id)
        return status_fail(ST_IO, "there is no random number for the id of this node");
    c->node->id |= 1; /* 0 is nobody */
    c->node->view.granted = c->options->pages > 0 ? 0 : UINT64_MAX;
    c->model_ctx.machines = 1; /* at least */
    map_init(&c->node->hosts);
    map_init(&c->node->told);
    map_init(&c->node->pauses);
    map_init(&c->node->last_at);
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        batch_init(&c->node->parts[p].open);
        c->node->parts[p].tail = &c->node->parts[p].log;
    }
    c->foreign = is_foreign;
    return ST_OK;
}

/* Founds a new crawl: writes its book and the options that others need. */
static enum status found(struct crawl *c, struct line *line, const struct text_list *seeds)
{
    struct buf shared = BUF_INIT(LIMIT_SHARED), bytes = BUF_INIT(LIMIT_BOOK);
    struct book book;
    uint64_t revision;
    enum status st;

    shared_save(c, seeds, &shared);
    book_init(&book);
    book.limit = (uint64_t)c->options->pages;
    book.crawl = c->node->id; /* its founder's is as good as any */
    book_save(&book, &bytes);
    st = shared.full ? status_fail(ST_LIMIT, "options and seeds of a crawl on several machines "
                                             "must be smaller than 900 KB together")
                     : line_make(line, (int)c->options->copies);
    if (st == ST_OK)
        st = line_set(line, CLUSTER_BOOK, buf_str(&bytes), 0, &revision);
    if (st == ST_OK) /* last: a node that finds the book finds everything */
        st = line_set(line, CLUSTER_SHARED, buf_str(&shared), 0, &revision);
    buf_free(&shared);
    buf_free(&bytes);
    return st;
}

static void answer(void *ctx, struct str question, struct buf *ret)
{
    const struct crawl *c = ctx;
    const struct crawl_options *o = c->options;
    struct asked_node asked = {.id = c->node->id,
                               .dir = c->dir,
                               .paused = __atomic_load_n(&c->node->paused, __ATOMIC_RELAXED)};

    o->answer(o->answer_ctx, &asked, question, ret);
    if (asked.order != ASKED_NOTHING)
        __atomic_store_n(&c->node->order, (int)asked.order, __ATOMIC_RELAXED);
}

/* A question over the bus may pause all nodes. */
static void obey(struct crawl *c)
{
    int order = __atomic_exchange_n(&c->node->order, (int)ASKED_NOTHING, __ATOMIC_RELAXED);

    if (order != ASKED_NOTHING)
        c->paused = order == ASKED_PAUSE;
    __atomic_store_n(&c->node->paused, c->paused, __ATOMIC_RELAXED);
}

static enum status join(struct crawl *c, struct line *line)
{
    const struct crawl_options *o = c->options;
    struct node *n = c->node;
    struct cluster_config config = {
        .id = n->id,
        .lease = o->lease,
        .rest = o->delay,
        .stored = c->pages,
        .nodes = (size_t)o->nodes,
        .rollbacks = n->rollbacks,
        .snapshot = (size_t)o->snapshot,
        .numbers = population_numbers(c->population) > UINT32_MAX / 2, /* it has no lots */
        .answer = o->answer ? answer : NULL,
        .answer_ctx = c,
        .seen = buf_str(&n->seen),
    };
    enum status st;

    for (uint32_t p = 0; p < PARTITIONS; p++)
        config.parts[p] = (struct cluster_part){n->parts[p].token, n->parts[p].position};
    st = cluster_start(line, &config, &n->cluster);
    for (uint32_t p = 0; p < PARTITIONS && st == ST_OK; p++)
        if (!cluster_holds(n->cluster, p)) {
            n->parts[p].ours = false;
            n->parts[p].token = n->parts[p].position = 0;
        }
    if (st == ST_OK) {
        cluster_look(n->cluster, &n->view);
        travel_join(c);
        travel_numbers(c);
        n->travel.returns = true;
    }
    return st;
}

enum status node_open(struct crawl *c, const struct text_list *seeds)
{
    const struct crawl_options *o = c->options;
    struct line *line = NULL;
    enum status st = line_open(o->nats, o->creds, o->name, &line);
    bool begins = st == ST_OK && !o->joins && c->pages == 0 && seeds->count > 0;

    for (size_t i = 0; i < seeds->count; i++)
        text_list_add(&c->node->seeds, str_of(seeds->items[i]));
    if (st == ST_OK)
        st = begins ? found(c, line, seeds) : line_find(line);
    if (st != ST_OK) {
        line_close(line);
        return st;
    }
    st = join(c, line);
    c->model_ctx.seeds = (uint32_t)c->node->seeds.count;
    c->model_ctx.machines = c->node->view.nodes;
    if (c->pages == 0) /* founders of different nodes differ */
        rng_init(&c->model_ctx.rng, hash_u64((uint64_t)o->rng + c->node->id));
    if (st == ST_OK)
        frontier_moved(c->frontier);
    if (st == ST_OK)
        bus_join(c->bus, node_hear, c);
    return st;
}

/* ---- a turn ---- */

static void take_all(struct crawl *c)
{
    struct node *n = c->node;
    struct incoming *in;

    n->taking = true;
    for (int i = 0; i < TAKE_MOST && (in = cluster_take(n->cluster)) != NULL;) {
        i += in->kind != INCOMING_LOG && in->kind != INCOMING_SNAPSHOT; /* those are only kept */
        inbox_take(c, in);
    }
    n->taking = false;
}

/* Gives away a partition when its last request has ended and its last outcome is on the bus. */
static void give_away(struct crawl *c)
{
    struct node *n = c->node;

    for (uint32_t p = 0; p < PARTITIONS; p++)
        if (n->parts[p].closing && n->parts[p].flying == 0 && outbox_is_empty(n) &&
            !travel_has_guests(c, p) && n->travel.safe[p] == n->parts[p].position) {
            struct receipts taken = {0};

            if (c->model->ops->moves)
                node_receipts(n, p, &taken);
            receipts_merge(&taken);
            cluster_give(n->cluster, p, n->parts[p].position, &taken);
            receipts_clear(&taken);
            receipts_drop(&n->claimed, p);
            n->parts[p].closing = false;
            n->parts[p].token = n->parts[p].position = 0;
        }
}

/* Are more pages to be asked for? A grant takes a few tenths of a second to come, and until then
 * this node goes on with those that it has. */
static bool wants_pages(struct crawl *c)
{
    struct node *n = c->node;

    if (c->now >= n->paced_at + GRANT_AHEAD) {
        n->pace = n->paced_at ? c->pages - n->paced_pages : 0;
        n->paced_pages = c->pages;
        n->paced_at = c->now;
    }
    return c->pages + c->open + 8 + n->pace > n->view.granted;
}

static void tell_losses(struct crawl *c)
{
    struct node *n = c->node;

    if (n->losses < n->view.losses)
        log_line(c->log, LOG_WARN, c->now,
                 "the bus has lost who owns what, or who is there: what this node knows of it is "
                 "written again");
    n->losses = n->view.losses;
}

static void report(struct crawl *c, bool exhausted)
{
    struct node *n = c->node;
    struct cluster_report say = {
        .committed = store_committed(c->store),
        .relevant = c->relevant,
        .urls = frontier_urls(c->frontier),
        .lost = n->lost + gaps_missing(n),
        .wants = wants_pages(c),
        .idle = exhausted && outbox_is_empty(n) && travel_is_over(c) && !gaps_are_awaited(c) &&
                store_committed(c->store) == c->pages,
    };

    for (uint32_t p = 0; p < PARTITIONS; p++)
        say.positions[p] = n->parts[p].position;
    travel_report(c, &say);
    gaps_ask(n, &say);
    cluster_exchange(n->cluster, &say, &n->view);
    tell_losses(c);
    __atomic_store_n(&c->ask_until, n->view.until, __ATOMIC_RELEASE); /* for the fetch threads */
}

/* How many messages a checkpoint would make, about. */
static size_t count_gathered(const struct node *n)
{
    size_t links = 0, own = 0;

    for (uint32_t p = 0; p < PARTITIONS; p++) {
        links += n->parts[p].open.count > 0;
        own += n->parts[p].ours;
    }
    return links + (n->nfates < own ? n->nfates : own);
}

/* How long a checkpoint may take to come; INT64_MAX: nobody waits for it. A message costs about as
 * much as a page, so links are gathered, so that few messages carry many of them; most of all while
 * links wait here. Then there are enough of them elsewhere, too, and what was gathered goes with
 * the usual checkpoints, once a second. */
static int64_t commit_wait(const struct crawl *c)
{
    bool is_urgent = c->node->view.granted <= c->pages || travel_waits(c);
    size_t gathered = count_gathered(c->node);

    if (c->model_idle && (is_urgent || gathered > 0))
        return COMMIT_IDLE + (int64_t)gathered * COMMIT_BATCH;
    return is_urgent ? COMMIT_BUSY : INT64_MAX;
}

/* What others wait for is committed before its usual time, unless checkpoints are costly. */
static void commit_soon(struct crawl *c)
{
    int64_t wait = commit_wait(c), *since = &c->node->gathered_at;

    if (wait == INT64_MAX)
        *since = 0;
    else if (*since == 0)
        *since = c->now;
    if (wait < c->checkpoint_cost)
        wait = c->checkpoint_cost;
    if (*since > 0 && c->checkpoint_at > *since + wait)
        c->checkpoint_at = *since + wait;
}

void node_turn(struct crawl *c, bool exhausted)
{
    if (c->node == NULL || (!exhausted && c->now < c->node->turn_at))
        return;
    c->node->turn_at = c->now + TURN_STEP;
    obey(c);
    if (c->node->travel.returns)
        will_return(c);
    take_all(c);
    travel_turn(c, exhausted && c->model_idle && c->open == 0);
    outbox_turn(c);
    give_away(c);
    report(c, exhausted && c->model_idle && c->open == 0);
    commit_soon(c);
}

enum crawl_end node_end(const struct crawl *c)
{
    static const enum crawl_end ends[] = {
        [BOOK_RUNNING] = CRAWL_RUNNING, [BOOK_COMPLETE] = CRAWL_COMPLETE,
        [BOOK_PAGES] = CRAWL_PAGES,     [BOOK_TIME] = CRAWL_TIME,
        [BOOK_STOPPED] = CRAWL_STOPPED,
    };

    if (c->node->view.fenced)
        return CRAWL_FENCED;
    return c->node->view.end < BOOK_ENDS ? ends[c->node->view.end] : CRAWL_RUNNING;
}

/* ---- the end ---- */

static enum book_end end_for_all(const struct crawl *c)
{
    if (c->end == CRAWL_TIME)
        return BOOK_TIME;
    return c->end == CRAWL_STOPPED && !c->options->joins ? BOOK_STOPPED : BOOK_RUNNING;
}

static void node_free(struct node *n)
{
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        batch_clear(&n->parts[p].open);
        inbox_drop_log(&n->parts[p]);
    }
    for (size_t i = n->first; i < n->count; i++)
        free(n->kept[i].bytes);
    free(n->kept);
    free(n->fates);
    travel_clear(&n->travel);
    free(n->last);
    free(n->gaps);
    receipts_clear(&n->claimed);
    map_free(&n->hosts);
    map_free(&n->told);
    map_free(&n->pauses);
    map_free(&n->last_at);
    text_list_free(&n->seeds);
    buf_free(&n->seen);
    free(n);
}

void node_close(struct crawl *c)
{
    struct node *n = c->node;

    if (n == NULL)
        return;
    __atomic_store_n(&c->ask_until, 0, __ATOMIC_RELEASE); /* others may ask its hosts from now on */
    if (n->cluster && c->store && store_settle(c->store) == ST_OK) {
        travel_commit(c);
        outbox_turn(c);
        report(c, false); /* the last figures */
        __atomic_store_n(&c->ask_until, 0, __ATOMIC_RELEASE);
    }
    cluster_stop(n->cluster, end_for_all(c), c->store ? store_committed(c->store) : 0);
    node_free(n);
    c->node = NULL;
}

/* ---- checkpoint ---- */

static void save_claimed(const struct node *n, struct buf *out)
{
    LOCAL_BUF bytes = BUF_INIT(LIMIT_RECEIPTS);

    receipts_save(&n->claimed, (struct receipts_name){0}, &bytes);
    buf_put_str(out, buf_str(&bytes));
}

static bool load_claimed(struct node *n, struct cursor *from)
{
    struct receipts_name unused;

    return receipts_load(&n->claimed, cursor_str(from), &unused) == ST_OK;
}

static void save_seen(const struct node *n, struct buf *out)
{
    LOCAL_BUF bytes = BUF_INIT(LIMIT_BOOK);

    if (n->cluster)
        cluster_book_seen(n->cluster, &bytes);
    buf_put_str(out, buf_str(&bytes));
}

static void load_seen(struct node *n, struct cursor *from)
{
    n->seen = BUF_INIT(LIMIT_BOOK);
    buf_add_str(&n->seen, cursor_str(from));
}

void node_save(const struct crawl *c, struct buf *out)
{
    const struct node *n = c->node;

    buf_put_u8(out, STATE);
    buf_put_u64(out, n->id);
    for (uint32_t p = 0; p < PARTITIONS; p++) { /* one that is to be given away is still ours */
        buf_put_u64(out, n->parts[p].ours || n->parts[p].closing ? n->parts[p].token : 0);
        buf_put_u64(out, n->parts[p].position);
        buf_put_u64(out, n->parts[p].number);
    }
    buf_put_u64(out, n->lost);
    buf_put_u32(out, (uint32_t)n->nlast);
    for (size_t i = 0; i < n->nlast; i++) {
        buf_put_u64(out, n->last[i].sender);
        buf_put_u64(out, n->last[i].number);
        buf_put_u32(out, n->last[i].part);
    }
    gaps_save(n, out);
    buf_put_u64(out, n->rollbacks);
    travel_save(c, out);
    save_claimed(n, out);
    save_seen(n, out);
}

enum status node_load(struct crawl *c, struct cursor *from)
{
    struct node *n = c->node;
    uint8_t version = cursor_u8(from);
    bool known = version >= 2 && version <= STATE;
    uint32_t count;

    n->id = cursor_u64(from);
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        n->parts[p].token = cursor_u64(from);
        n->parts[p].position = cursor_u64(from);
        n->parts[p].number = cursor_u64(from);
        n->parts[p].ours = n->parts[p].token > 0;
    }
    n->lost = cursor_u64(from);
    count = cursor_u32(from);
    for (uint32_t i = 0; i < count && i < LIMIT_SENDERS && !from->bad; i++) {
        uint64_t sender = cursor_u64(from), number = cursor_u64(from);
        uint32_t part = cursor_u32(from);

        if (part < PARTITIONS)
            inbox_last(n, sender, part)->number = number;
    }
    if (version >= 3) {
        known &= gaps_load(c, from);
        n->rollbacks = cursor_u64(from);
    }
    known &= travel_load(c, from, version) && (version < 5 || load_claimed(n, from));
    if (version >= 6)
        load_seen(n, from);
    if (!known || from->bad || n->id == 0)
        return status_fail(ST_CORRUPT, "the saved state of this node is cut or broken");
    return outbox_load(c);
}
