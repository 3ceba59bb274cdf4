/* gather.c - a reading command over all nodes of a crawl that runs. See gather.h.
 * SPDX-License-Identifier: MIT */
#include "cli/gather.h"

#include "base/limits.h"
#include "cli/gathered.h"
#include "cluster/cluster.h"

#include <stdlib.h>
#include <string.h>

#define WAIT_MS 20000 /* for the slowest node */

bool gather_is_asked(const struct invocation *in)
{
    const struct bus_options *b = in->options;

    return b->nats != NULL;
}

static const void *value_of(const struct invocation *in, const char *name)
{
    const struct option *op = option_find(in->command->options, str_of(name));

    return op ? (const char *)in->options + op->offset : NULL;
}

static bool flag_of(const struct invocation *in, const char *name)
{
    const bool *flag = value_of(in, name);

    return flag && *flag;
}

/* Options that a question to the nodes can have. Large tables and stored texts do not travel over
 * the bus: they are read from the directories. */
static enum status check_given(const struct invocation *in)
{
    static const char *const known[] = {"nats", "creds", "crawl", "n", "topic", "json"};

    for (size_t i = 0; i < in->given.count; i++) {
        bool is = false;

        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            is |= strcmp(in->given.items[i], known[k]) == 0;
        if (!is)
            return status_fail(ST_USAGE,
                               "--%s works on directories only: bring those of the nodes to this "
                               "machine and name them",
                               in->given.items[i]);
    }
    return ST_OK;
}

/* QUESTION_KINDS: nodes do not answer this command. */
static enum question_kind kind_of(const char *command)
{
    enum question_kind kind = 0;

    while (kind < QUESTION_KINDS && strcmp(question_command(kind), command) != 0)
        kind++;
    return kind;
}

static enum status read_question(const struct invocation *in, struct question *ret)
{
    const int64_t *n = value_of(in, "n");
    char *const *topic = value_of(in, "topic");
    bool needs = in->command->max_args > 1;
    enum status st = check_given(in);

    ret->kind = kind_of(in->command->name);
    if (st == ST_OK && (in->args.count != needs || ret->kind == QUESTION_KINDS))
        st = status_fail(ST_USAGE,
                         needs ? "with --nats, give what to %s and no directory"
                               : "with --nats, %s takes no directory",
                         in->command->name);
    if (st == ST_OK && n && *n > LIMIT_ANSWER_ROWS)
        st = status_fail(ST_USAGE, "-n: at most %d rows come over the bus", LIMIT_ANSWER_ROWS);
    if (st != ST_OK)
        return st;
    ret->n = n && *n > 0 ? (uint32_t)*n : 0;
    ret->what = str_of(needs ? in->args.items[0] : "");
    ret->topic = str_of(topic && *topic ? *topic : "");
    return ST_OK;
}

static void on_answer(void *ctx, struct str answer)
{
    gathered_add(ctx, answer);
}

static enum status ask(const struct bus_options *b, const struct question *q, struct gathered *ret,
                       size_t *ret_alive)
{
    struct buf bytes = BUF_INIT(LIMIT_QUESTION);
    struct line *line = NULL;
    struct book book;
    uint64_t revision;
    enum status st = line_open(b->nats, b->creds, b->crawl, &line);

    book_init(&book);
    if (st == ST_OK)
        st = line_find(line);
    if (st == ST_OK)
        st = cluster_book(line, &book, &revision);
    *ret_alive = st == ST_OK ? book_alive(&book) : 0;
    if (st == ST_OK && *ret_alive == 0)
        st = status_fail(ST_MISSING,
                         "no node of this crawl is there to answer: name the directories of the "
                         "nodes instead of --nats");
    question_save(q, &bytes);
    if (st == ST_OK)
        st = buf_check(&bytes);
    if (st == ST_OK)
        st = line_ask(line, buf_str(&bytes), *ret_alive, WAIT_MS, on_answer, ret);
    line_close(line);
    book_clear(&book);
    buf_free(&bytes);
    return st;
}

static int show(const struct invocation *in, struct gathered *g)
{
    struct buf out = BUF_INIT(1 << 30);
    char *text;

    gathered_end(g);
    if (g->all == NULL)
        return report_failure(status_fail(ST_MISSING, "no node knows anything about it"));
    if (flag_of(in, "json")) {
        text = json_dumps(g->all, JSON_COMPACT);
        buf_add_z(&out, text ? text : "null");
        buf_add_char(&out, '\n');
        free(text);
    } else {
        gathered_text(g, &out);
    }
    return report_out(&out);
}

int gather_run(struct invocation *in)
{
    const struct bus_options *b = in->options;
    struct question q = {.kind = QUESTION_TOP};
    struct gathered g;
    size_t alive = 0;
    int code;
    enum status st = b->crawl ? line_name_check(b->crawl)
                              : status_fail(ST_USAGE, "which crawl? --nats URL --crawl NAME");

    if (st == ST_OK)
        st = read_question(in, &q);
    gathered_init(&g, q.kind, q.n);
    if (st == ST_OK)
        st = ask(b, &q, &g, &alive);
    if (st == ST_OK && g.nodes < alive)
        report_say("brood: %u of %zu nodes answered%s\n", g.nodes, alive,
                   g.broken ? "; the answers of others could not be used" : "");
    code = st == ST_OK ? show(in, &g) : report_failure(st);
    gathered_free(&g);
    return code;
}
