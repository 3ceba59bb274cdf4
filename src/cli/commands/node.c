/* node.c - brood node: takes part in a crawl on several machines; brood nodes: shows its nodes.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/os/clock.h"
#include "cli/answer.h"
#include "cli/commands/run_crawl.h"
#include "cli/held.h"
#include "cluster/cluster.h"
#include "cluster/lost.h"
#include "crawl/crawl.h"
#include "crawl/node/node.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct node_options {
    char *nats, *creds, *crawl, *out, *lost;
    int64_t wait, pages; /* us; 0: as many as before */
    bool trust, quiet, json, no_confine, stop, refetch_lost;
};

#define AT(field) .offset = offsetof(struct node_options, field)

#define BUS_ROWS                                                                \
    {.name = "nats",                                                            \
     .type = OPTION_TEXT,                                                       \
     .metavar = "URL[,URL...]",                                                 \
     .group = "which crawl",                                                    \
     .help = "the NATS servers of the crawl",                                   \
     .secret = SECRET_URL,                                                      \
     AT(nats)},                                                                 \
        {.name = "creds",                                                       \
         .type = OPTION_TEXT,                                                   \
         .metavar = "FILE",                                                     \
         .help = "a file of credentials for them, as made by NATS's own tools", \
         AT(creds)},                                                            \
    {                                                                           \
        .name = "crawl", .type = OPTION_TEXT, .metavar = "NAME",                \
        .help = "the name that the crawl was started with (--name)", AT(crawl)  \
    }

static const struct option node_option_table[] = {
    BUS_ROWS,
    {.name = "out",
     .letter = 'o',
     .type = OPTION_TEXT,
     .metavar = "DIR",
     .help = "directory of this node; one that it used before is continued",
     AT(out)},
    {DURATION_OPTION("wait", wait, "TIME", "1m", 0, 86400),
     .help = "how long to wait for NATS servers that do not answer when this node starts"},
    {.name = "trust",
     .type = OPTION_FLAG,
     .help = "also accept options of the crawl that lower a guard, such as --allow-private",
     AT(trust)},
    {.name = "json", .type = OPTION_FLAG, .help = "a line of JSON for every page", AT(json)},
    {.name = "quiet", .type = OPTION_FLAG, .help = "no progress, only errors", AT(quiet)},
    {.name = "no-confine",
     .type = OPTION_FLAG,
     .help = "do not confine the process: it could touch other files and run programs",
     AT(no_confine)},
    {.name = NULL},
};

static const struct option nodes_option_table[] = {
    BUS_ROWS,
    {.name = "stop",
     .type = OPTION_FLAG,
     .group = "what to do",
     .help = "stop all nodes; each keeps what it has, and `brood node` goes on",
     AT(stop)},
    {INT_OPTION("pages", pages, "N", NULL, 1, 1e12),
     .help = "let the crawl store N pages in all. If it has ended, `brood node` can go on with it"},
    {.name = "lost",
     .type = OPTION_TEXT,
     .metavar = "NODE",
     .help = "list the pages that this node had fetched and nobody else has: if its disk is gone, "
             "they are lost",
     AT(lost)},
    {.name = "refetch-lost",
     .type = OPTION_FLAG,
     .help = "with --lost: let the other nodes fetch them again",
     AT(refetch_lost)},
    {.name = "json", .type = OPTION_FLAG, .help = "as JSON", AT(json)},
    {.name = NULL},
};

static enum status need_bus(const struct node_options *o)
{
    if (o->nats == NULL || o->crawl == NULL)
        return status_fail(ST_USAGE, "which crawl? --nats URL --crawl NAME");
    return line_name_check(o->crawl);
}

static enum status open_line(const struct node_options *o, struct line **ret)
{
    TRY(need_bus(o));
    TRY(line_open(o->nats, o->creds, o->crawl, ret));
    return line_find(*ret);
}

/* ---- brood node ---- */

/* Servers that are just being started do not answer yet, or have no leader. */
static enum status await_line(const struct node_options *o, struct line **ret)
{
    int64_t until = clock_boot() + o->wait;
    bool said = false;
    enum status st;

    while ((st = open_line(o, ret)) == ST_NET && clock_boot() < until) {
        line_close(*ret);
        *ret = NULL;
        if (!said)
            (void)fprintf(stderr, "brood: %s; waiting for it, at most %lld s (--wait)\n",
                          status_text(), (long long)(o->wait / US_PER_S));
        said = true;
        clock_sleep(US_PER_S / 2);
    }
    return st;
}

static enum status read_shared(const struct node_options *o, struct crawl_options *ret)
{
    LOCAL_BUF bytes = BUF_INIT(LIMIT_SHARED);
    struct line *line = NULL;
    uint64_t revision;
    enum status st = await_line(o, &line);

    if (st == ST_OK)
        st = line_get(line, CLUSTER_SHARED, &bytes, &revision);
    if (st == ST_OK)
        st = shared_load(buf_str(&bytes), o->trust, ret);
    line_close(line);
    return st;
}

static void set_text(char **place, const char *text)
{
    free(*place);
    *place = text ? str_dup(str_of(text)) : NULL;
}

/* Is it a directory that this node had before? */
static bool is_begun(const char *dir)
{
    LOCAL_BUF path = BUF_INIT(4096);

    buf_addf(&path, "%s/crawl.db", dir);
    return !path.full && access(path.data, F_OK) == 0 && !store_is_unbegun(dir);
}

static enum status node_options(const struct node_options *o, struct crawl_options *ret)
{
    enum status st = need_bus(o);

    crawl_options_init_empty(ret);
    if (st == ST_OK && o->out == NULL)
        st = status_fail(ST_USAGE, "give a directory for the results of this node: --out DIR");
    if (st == ST_OK)
        st = read_shared(o, ret);
    set_text(&ret->nats, o->nats);
    set_text(&ret->creds, o->creds);
    set_text(&ret->name, o->crawl);
    set_text(&ret->out, o->out);
    ret->joins = true;
    ret->answer = answer_question;
    ret->answer_ctx = answerer_new();
    ret->quiet = o->quiet;
    ret->json = o->json;
    ret->no_confine = o->no_confine;
    return st;
}

static int node_command(struct invocation *in)
{
    struct confine confine;
    struct crawl_options o;
    struct crawl *c = NULL;
    enum status st = node_options(in->options, &o);
    int code;

    if (st == ST_OK) {
        held_crawl(&o, crawl_option_table, &confine);
        st = is_begun(o.out) ? crawl_resume(o.out, &o, &c) : crawl_new(&o, &c);
    }
    code = st == ST_OK ? run_crawl(c, &o) : report_failure(st);
    answerer_free(o.answer_ctx);
    crawl_options_free(&o);
    return code;
}

const struct command command_node = {
    .name = "node",
    .args = "--nats URL --crawl NAME --out DIR",
    .summary = "take part in a crawl on several machines",
    .details =
        "Joins a crawl that was started with `brood crawl ... --nats URL --name NAME`. Topic, "
        "model, limits and manners come from there. Each host belongs to one node, and "
        "each node keeps its pages in its own directory. A node that is killed and started again "
        "with its directory goes on; one that stays away loses its hosts to the others. Ctrl-C "
        "takes this node out, and the others go on.",
    .example = "brood node --nats nats://10.0.0.1:4222 --crawl solar --out solar-2",
    .options = node_option_table,
    .options_size = sizeof(struct node_options),
    .run = node_command,
};

/* ---- brood nodes ---- */

static const char *const ends[] = {
    [BOOK_RUNNING] = "running",     [BOOK_COMPLETE] = "complete", [BOOK_PAGES] = "all pages came",
    [BOOK_TIME] = "the time is up", [BOOK_STOPPED] = "stopped",
};

static void stop_all(struct book *b, void *ctx)
{
    (void)ctx;
    if (b->end == BOOK_RUNNING)
        b->end = BOOK_STOPPED;
}

static void node_json(struct json *j, const struct book *b, const struct book_node *n,
                      const struct lease *l)
{
    char id[20];

    (void)snprintf(id, sizeof id, "%016" PRIx64, n->id);
    json_open_object(j, NULL);
    json_put_z(j, "id", id);
    json_put_z(j, "host", l->host);
    json_put_bool(j, "alive", n->alive);
    json_put_int(j, "partitions", (int64_t)book_owned(b, n->id));
    json_put_int(j, "pages", (int64_t)l->pages);
    json_put_int(j, "relevant", (int64_t)l->relevant);
    json_put_int(j, "urls", (int64_t)l->urls);
    json_put_int(j, "agents", (int64_t)l->agents);
    json_put_int(j, "agents_left", (int64_t)l->left);
    json_put_int(j, "agents_came", (int64_t)l->came);
    json_put_bool(j, "inherited", n->estate == ESTATE_SETTLED && !n->alive);
    json_put_int(j, "granted", (int64_t)n->granted);
    json_put_int(j, "unsent", (int64_t)l->outbox);
    json_put_int(j, "lost", (int64_t)l->lost);
    json_put_int(j, "snapshots", (int64_t)l->snapshots);
    json_put_bool(j, "idle", l->idle > 0);
    json_close(j);
}

static void node_line(struct buf *out, const struct book *b, const struct book_node *n,
                      const struct lease *l)
{
    LOCAL_BUF host = BUF_INIT(KIB(1));

    report_text(&host, str_of(l->host), LEASE_HOST);
    buf_addf(out,
             "%016" PRIx64 "  %-5s  %10zu  %9" PRIu64 "  %9" PRIu64 "  %9" PRIu64 "  %6" PRIu64
             "  %6" PRIu64 "  %4" PRIu64 "  %s\n",
             n->id,
             !n->alive ? "gone"
             : l->idle ? "idle"
                       : "busy",
             book_owned(b, n->id), l->pages, l->relevant, l->urls, l->agents, l->outbox, l->lost,
             host.data ? host.data : "");
}

/* Figures of all nodes, including the last figures of nodes that are gone. */
struct totals {
    uint64_t pages, agents, born, died, left, came;
    struct ledger ledger;
    double on_pages;
};

static void totals_add(struct totals *t, const struct lease *l)
{
    t->pages += l->pages;
    t->agents += l->agents;
    t->born += l->born;
    t->died += l->died;
    t->left += l->left;
    t->came += l->came;
    t->on_pages += l->on_pages;
    ledger_add(&t->ledger, &l->ledger);
}

/* Writes the energy of all nodes together, which must balance with that of agents on their way. */
static void ledger_json(struct json *j, const struct totals *t)
{
    json_open_object(j, "ledger");
    json_put_num(j, "living", t->ledger.living);
    json_put_num(j, "dead", t->ledger.dead);
    json_put_num(j, "pages", t->on_pages);
    json_put_num(j, "cut", t->ledger.cut);
    json_put_num(j, "travelling", t->ledger.left - t->ledger.came);
    json_put_num(j, "given", t->ledger.given);
    json_put_num(j, "earned", t->ledger.earned);
    json_put_num(j, "burnt", t->ledger.burnt);
    json_put_num(j, "lost", t->ledger.lost);
    json_put_num(j, "error", ledger_error(&t->ledger, t->on_pages));
    json_close(j);
}

static void totals_json(struct json *j, const struct totals *t)
{
    json_put_int(j, "pages", (int64_t)t->pages);
    json_open_object(j, "agents");
    json_put_int(j, "alive", (int64_t)t->agents);
    json_put_int(j, "born", (int64_t)t->born);
    json_put_int(j, "died", (int64_t)t->died);
    json_put_int(j, "moves", (int64_t)t->came);
    json_put_int(j, "travelling", (int64_t)(t->left - t->came));
    json_close(j);
    ledger_json(j, t);
}

static void totals_line(struct buf *out, const struct totals *t)
{
    buf_addf(out,
             "%" PRIu64 " agents (%" PRIu64 " born, %" PRIu64 " died), %" PRIu64
             " moves between nodes",
             t->agents, t->born, t->died, t->came);
    if (t->ledger.given > 0)
        buf_addf(out, "; the sums of energy differ by %.1g", ledger_error(&t->ledger, t->on_pages));
    buf_add_char(out, '\n');
}

static void show(struct line *line, const struct book *b, bool as_json, struct buf *out)
{
    struct totals totals = {0};
    uint64_t revision;
    struct json j;

    json_init(&j, out);
    if (as_json) {
        json_open_object(&j, NULL);
        json_put_z(&j, "state", ends[b->end]);
        json_put_int(&j, "free_partitions", (int64_t)book_free_parts(b));
        json_open_array(&j, "nodes");
    } else {
        buf_add_z(out, "node              state  partitions      pages   relevant       URLs  "
                       "agents  unsent  lost  machine\n");
    }
    for (size_t i = 0; i < b->count; i++) {
        struct lease l = {0};

        (void)!cluster_lease(line, b->nodes[i].id, &l, &revision);
        totals_add(&totals, &l);
        if (as_json)
            node_json(&j, b, &b->nodes[i], &l);
        else
            node_line(out, b, &b->nodes[i], &l);
    }
    if (as_json) {
        json_close(&j);
        totals_json(&j, &totals);
        json_close(&j);
        buf_add_char(out, '\n');
    } else {
        buf_addf(out, "%s; %" PRIu64 " pages, %zu of %d partitions without an owner\n",
                 ends[b->end], totals.pages, book_free_parts(b), PARTITIONS);
        totals_line(out, &totals);
    }
}

/* ---- brood nodes --lost ---- */

static enum status node_of(struct line *line, const char *text, uint64_t *ret)
{
    struct book book;
    uint64_t revision;
    enum status st;
    char *end;

    *ret = strtoull(text, &end, 16);
    book_init(&book);
    st = cluster_book(line, &book, &revision);
    if (st == ST_OK && (*end || book_find(&book, *ret) == NULL))
        st = status_fail(ST_USAGE, "this crawl never had a node '%s': `brood nodes` shows them",
                         text);
    else if (st == ST_OK && book_find(&book, *ret)->alive)
        st = status_fail(ST_USAGE, "node %s takes part in the crawl: its pages are not lost", text);
    book_clear(&book);
    return st;
}

static void lost_put(const struct text_list *urls, const struct node_options *o, struct buf *out)
{
    struct json j;

    json_init(&j, out);
    if (o->json) {
        json_open_object(&j, NULL);
        json_put_int(&j, "lost", (int64_t)urls->count);
        json_put_bool(&j, "refetch", o->refetch_lost);
        json_open_array(&j, "urls");
    }
    for (size_t i = 0; i < urls->count; i++) {
        if (o->json)
            json_put_z(&j, NULL, urls->items[i]);
        else
            buf_addf(out, "%s\n", urls->items[i]);
    }
    if (o->json) {
        json_close(&j);
        json_close(&j);
        buf_add_char(out, '\n');
    }
}

/* Continues a crawl that was complete. */
static void go_on(struct book *b, void *ctx)
{
    (void)ctx;
    if (b->end == BOOK_COMPLETE)
        b->end = BOOK_STOPPED;
}

static enum status show_lost(struct line *line, const struct node_options *o)
{
    LOCAL_BUF out = BUF_INIT(MIB(900)), shared = BUF_INIT(LIMIT_SHARED);
    LOCAL_LIST urls = {0};
    struct crawl_options known;
    uint64_t node = 0, revision;
    enum status st = node_of(line, o->lost, &node);

    crawl_options_init_empty(&known);
    if (st == ST_OK)
        st = line_get(line, CLUSTER_SHARED, &shared, &revision);
    if (st == ST_OK) /* only to read the seeds: nothing is fetched here */
        st = shared_load(buf_str(&shared), true, &known);
    if (st == ST_OK)
        st = lost_find(line, node, &known.seed, &urls);
    if (st == ST_OK && o->refetch_lost)
        st = lost_refetch(line, &urls);
    if (st == ST_OK && o->refetch_lost && urls.count > 0)
        st = cluster_change(line, go_on, NULL, &revision);
    if (st == ST_OK) {
        lost_put(&urls, o, &out);
        st = report_out(&out);
    }
    if (st == ST_OK && !o->json)
        (void)fprintf(stderr, "%zu page%s stored by node %s alone%s\n", urls.count,
                      urls.count == 1 ? " was" : "s were", o->lost,
                      o->refetch_lost ? "; the others will fetch them again"
                                      : " (--refetch-lost: the others fetch them again)");
    crawl_options_free(&known);
    return st;
}

/* ---- brood nodes --pages ---- */

static void set_limit(struct book *b, void *ctx)
{
    const struct node_options *o = ctx;

    b->limit = (uint64_t)o->pages;
    if (b->end != BOOK_RUNNING)
        b->end = BOOK_STOPPED; /* the next node to join continues it */
}

static uint64_t stored_by_all(struct line *line, const struct book *b)
{
    uint64_t sum = 0, revision;

    for (size_t i = 0; i < b->count; i++) {
        struct lease l = {0};

        (void)!cluster_lease(line, b->nodes[i].id, &l, &revision);
        sum += l.pages;
    }
    return sum;
}

static enum status limit_check(struct line *line, const struct book *b,
                               const struct node_options *o)
{
    uint64_t stored = stored_by_all(line, b);

    if (b->end == BOOK_RUNNING && b->limit == 0)
        return status_fail(
            ST_USAGE, "a crawl without a limit cannot get one while it runs: use --stop first");
    if ((uint64_t)o->pages <= stored)
        return status_fail(ST_USAGE, "the crawl has stored %" PRIu64 " pages already", stored);
    return ST_OK;
}

/* Nodes that start read the options; those that run read the book. */
static enum status set_pages(struct line *line, const struct node_options *o)
{
    struct buf before = BUF_INIT(LIMIT_SHARED), after = BUF_INIT(LIMIT_SHARED);
    struct book book;
    uint64_t revision;
    char value[32];
    enum status st;

    book_init(&book);
    st = cluster_book(line, &book, &revision);
    if (st == ST_OK)
        st = limit_check(line, &book, o);
    if (st == ST_OK)
        st = line_get(line, CLUSTER_SHARED, &before, &revision);
    (void)snprintf(value, sizeof value, "%" PRId64, o->pages);
    if (st == ST_OK)
        st = shared_set(buf_str(&before), STR("pages"), str_of(value), &after);
    if (st == ST_OK)
        st = line_set(line, CLUSTER_SHARED, buf_str(&after), revision, &revision);
    if (st == ST_OK)
        st = cluster_change(line, set_limit, (void *)(uintptr_t)o, &revision);
    book_clear(&book);
    buf_free(&before);
    buf_free(&after);
    return st;
}

static int nodes_command(struct invocation *in)
{
    const struct node_options *o = in->options;
    LOCAL_BUF out = BUF_INIT(MIB(1));
    struct line *line = NULL;
    struct book book;
    uint64_t revision;
    enum status st = open_line(o, &line);

    book_init(&book);
    if (st == ST_OK && o->refetch_lost && o->lost == NULL)
        st = status_fail(ST_USAGE, "--refetch-lost needs --lost NODE: whose pages?");
    if (st == ST_OK && o->lost) {
        st = show_lost(line, o);
        line_close(line);
        return st == ST_OK ? EXIT_DONE : report_failure(st);
    }
    if (st == ST_OK && o->pages > 0)
        st = set_pages(line, o);
    if (st == ST_OK && o->stop)
        st = cluster_change(line, stop_all, NULL, &revision);
    if (st == ST_OK)
        st = cluster_book(line, &book, &revision);
    if (st == ST_OK) {
        show(line, &book, o->json, &out);
        st = report_out(&out);
    }
    line_close(line);
    book_clear(&book);
    return st == ST_OK ? EXIT_DONE : report_failure(st);
}

const struct command command_nodes = {
    .name = "nodes",
    .args = "--nats URL --crawl NAME",
    .summary = "show who takes part in a crawl on several machines",
    .details = "Shows each node with its partitions, its pages as of its last sign of life, the "
               "messages that it has not sent yet, and the messages to it that were lost. "
               "With --lost, it lists the pages that are in the directory of one node alone.",

    .example = "brood nodes --nats nats://10.0.0.1:4222 --crawl solar",
    .options = nodes_option_table,
    .options_size = sizeof(struct node_options),
    .run = nodes_command,
};
