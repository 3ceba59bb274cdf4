/* node.c - brood node: takes part in a crawl on several machines; brood nodes: shows who does.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/os/clock.h"
#include "cli/commands/run_crawl.h"
#include "cli/held.h"
#include "cluster/cluster.h"
#include "crawl/crawl.h"
#include "crawl/node/node.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct node_options {
    char *nats, *creds, *crawl, *out;
    bool trust, quiet, json, no_confine, stop;
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
    enum status st = need_bus(o);

    if (st == ST_OK)
        st = line_open(o->nats, o->creds, o->crawl, ret);
    if (st == ST_OK)
        st = line_find(*ret);
    return st;
}

/* ---- brood node ---- */

static enum status read_shared(const struct node_options *o, struct crawl_options *ret)
{
    struct buf bytes = BUF_INIT(LIMIT_SHARED);
    struct line *line = NULL;
    uint64_t revision;
    enum status st = open_line(o, &line);

    if (st == ST_OK)
        st = line_get(line, CLUSTER_SHARED, &bytes, &revision);
    if (st == ST_OK)
        st = shared_load(buf_str(&bytes), o->trust, ret);
    line_close(line);
    buf_free(&bytes);
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
    struct buf path = BUF_INIT(4096);
    bool is;

    buf_addf(&path, "%s/crawl.db", dir);
    is = !path.full && access(path.data, F_OK) == 0 && !store_is_unbegun(dir);
    buf_free(&path);
    return is;
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
    json_put_int(j, "granted", (int64_t)n->granted);
    json_put_int(j, "unsent", (int64_t)l->outbox);
    json_put_int(j, "lost", (int64_t)l->lost);
    json_put_bool(j, "idle", l->idle > 0);
    json_close(j);
}

static void node_line(struct buf *out, const struct book *b, const struct book_node *n,
                      const struct lease *l)
{
    struct buf host = BUF_INIT(KIB(1));

    report_text(&host, str_of(l->host), LEASE_HOST);
    buf_addf(out,
             "%016" PRIx64 "  %-5s  %10zu  %9" PRIu64 "  %9" PRIu64 "  %9" PRIu64 "  %6" PRIu64
             "  %4" PRIu64 "  %s\n",
             n->id,
             !n->alive ? "gone"
             : l->idle ? "idle"
                       : "busy",
             book_owned(b, n->id), l->pages, l->relevant, l->urls, l->outbox, l->lost,
             host.data ? host.data : "");
    buf_free(&host);
}

static void show(struct line *line, const struct book *b, bool as_json, struct buf *out)
{
    uint64_t pages = 0, revision;
    struct json j;

    json_init(&j, out);
    if (as_json) {
        json_open_object(&j, NULL);
        json_put_z(&j, "state", ends[b->end]);
        json_put_int(&j, "free_partitions", (int64_t)book_free_parts(b));
        json_open_array(&j, "nodes");
    } else {
        buf_add_z(out, "node              state  partitions      pages   relevant       URLs  "
                       "unsent  lost  machine\n");
    }
    for (size_t i = 0; i < b->count; i++) {
        struct lease l = {0};

        (void)!cluster_lease(line, b->nodes[i].id, &l, &revision);
        pages += l.pages;
        if (as_json)
            node_json(&j, b, &b->nodes[i], &l);
        else
            node_line(out, b, &b->nodes[i], &l);
    }
    if (as_json) {
        json_close(&j);
        json_put_int(&j, "pages", (int64_t)pages);
        json_close(&j);
        buf_add_char(out, '\n');
    } else {
        buf_addf(out, "%s; %" PRIu64 " pages, %zu of %d partitions without an owner\n",
                 ends[b->end], pages, book_free_parts(b), PARTITIONS);
    }
}

static int nodes_command(struct invocation *in)
{
    const struct node_options *o = in->options;
    struct buf out = BUF_INIT(MIB(1));
    struct line *line = NULL;
    struct book book;
    uint64_t revision;
    enum status st = open_line(o, &line);

    book_init(&book);
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
    buf_free(&out);
    return st == ST_OK ? EXIT_DONE : report_failure(st);
}

const struct command command_nodes = {
    .name = "nodes",
    .args = "--nats URL --crawl NAME",
    .summary = "show who takes part in a crawl on several machines",
    .details = "Shows each node with its partitions, its pages as of its last sign of life, the "
               "messages that it has not sent yet, and the messages to it that were lost.",
    .example = "brood nodes --nats nats://10.0.0.1:4222 --crawl solar",
    .options = nodes_option_table,
    .options_size = sizeof(struct node_options),
    .run = nodes_command,
};
