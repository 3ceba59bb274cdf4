/* several.c - a reading command over several directories, or over the nodes of a crawl that runs.
 * See several.h. SPDX-License-Identifier: MIT */
#include "cli/several.h"

#include "base/limits.h"
#include "base/mem.h"
#include "cli/commands/commands.h"
#include "cli/gathered.h"
#include "cli/held.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cluster/cluster.h"
#include "crawl/merged.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WAIT_MS 20000 /* for the slowest node */

/* ---- over the nodes ------------------------------------------------------ */

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

/* Is it an option that is not passed on, because the question has it in another form? */
static bool is_own(const char *name)
{
    static const char *const own[] = {"nats", "creds", "crawl", "n", "topic", "json"};

    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        if (strcmp(name, own[i]) == 0)
            return true;
    return false;
}

/* Makes an option that was given a line of the question. */
static void add_option(const struct invocation *in, const char *name, struct buf *more)
{
    const struct option *op = option_find(in->command->options, str_of(name));
    struct buf value = BUF_INIT(KIB(4));

    if (op->type != OPTION_FLAG)
        option_show(op, in->options, &value);
    question_add(more, str_of(name), buf_str(&value));
    buf_free(&value);
}

/* Options that a question to the nodes can have. Large tables do not travel over the bus: they are
 * read from the directories. */
static enum status read_options(const struct invocation *in, struct buf *more)
{
    for (size_t i = 0; i < in->given.count; i++) {
        const char *name = in->given.items[i];

        if (is_own(name))
            continue;
        if (!question_knows(str_of(name)))
            return status_fail(ST_USAGE,
                               "--%s works on directories only: bring those of the nodes to this "
                               "machine and name them",
                               name);
        add_option(in, name, more);
    }
    return ST_OK;
}

/* Returns the kind of a command's question; QUESTION_VIEW if nodes do not answer it. */
static enum question_kind kind_of(const struct invocation *in)
{
    enum question_kind kind = 0;

    while (kind < QUESTION_VIEW && strcmp(question_command(kind), in->command->name) != 0)
        kind++;
    return kind;
}

/* Diagrams, lattices and Markdown are made for people, by the node that has them. */
static bool is_drawn(const struct invocation *in)
{
    return !flag_of(in, "json") && (flag_of(in, "markdown") || flag_of(in, "lattice") ||
                                    (flag_of(in, "conversation") && in->args.count > 0));
}

static enum status check_args(const struct invocation *in, enum question_kind kind)
{
    bool needs = in->command->max_args > 1, lists = flag_of(in, "conversation");

    if (in->args.count > needs || (in->args.count < needs && !lists) || kind == QUESTION_VIEW)
        return status_fail(ST_USAGE,
                           flag_of(in, "lattice") && in->args.count == 0
                               ? "with --nats, --lattice needs an agent: pages of several nodes "
                                 "are read together only in a merged crawl"
                           : needs ? "with --nats, give what to %s and no directory"
                                   : "with --nats, %s takes no directory",
                           in->command->name);
    return ST_OK;
}

static enum status read_question(const struct invocation *in, struct buf *more,
                                 struct question *ret)
{
    const int64_t *n = value_of(in, "n");
    char *const *topic = value_of(in, "topic");
    enum status st = read_options(in, more);

    ret->kind = kind_of(in);
    if (st == ST_OK)
        st = check_args(in, ret->kind);
    if (st == ST_OK && n && *n > LIMIT_ANSWER_ROWS)
        st = status_fail(ST_USAGE, "-n: at most %d rows come over the bus", LIMIT_ANSWER_ROWS);
    if (st != ST_OK)
        return st;
    if (is_drawn(in))
        question_add(more, STR(QUESTION_PLAIN), STR(""));
    ret->n = n && *n > 0 ? (uint32_t)*n : 0;
    ret->what = str_of(in->args.count > 0 ? in->args.items[0] : "");
    ret->topic = str_of(topic && *topic ? *topic : "");
    ret->more = buf_str(more);
    return ST_OK;
}

/* Finds the node that has a conversation, and its number there, from its number. */
static enum status address(struct question *q, const struct book *book, char number[24])
{
    uint64_t n;

    if (!question_has(q, "conversation") || q->what.len == 0)
        return ST_OK;
    if (!str_to_u64(q->what, &n) || n % LIMIT_NODES >= book->count)
        return status_fail(ST_USAGE,
                           "no node has a conversation '%.*s': 'brood show --conversation' lists "
                           "their numbers, whose last three digits say which node it is",
                           STR_ARG(q->what));
    if (!book->nodes[n % LIMIT_NODES].alive)
        return status_fail(ST_MISSING, "the node that had this conversation has ended");
    q->to = book->nodes[n % LIMIT_NODES].id;
    (void)snprintf(number, 24, "%llu", (unsigned long long)(n / LIMIT_NODES));
    q->what = str_of(number);
    return ST_OK;
}

static void on_answer(void *ctx, struct str answer)
{
    gathered_add(ctx, answer);
}

static enum status send(struct line *line, const struct question *q, struct gathered *ret,
                        size_t *most)
{
    LOCAL_BUF bytes = BUF_INIT(LIMIT_QUESTION);

    if (q->to)
        *most = 1;
    question_save(q, &bytes);
    TRY(buf_check(&bytes));
    return line_ask(line, buf_str(&bytes), *most, WAIT_MS, on_answer, ret);
}

/* Asks the nodes. *ret_most: how many should answer. */
static enum status ask(const struct bus_options *b, struct question *q, struct gathered *ret,
                       size_t *ret_most)
{
    struct line *line = NULL;
    struct book book;
    char number[24];
    uint64_t revision;
    enum status st = line_open(b->nats, b->creds, b->crawl, &line);

    book_init(&book);
    if (st == ST_OK)
        st = line_find(line);
    if (st == ST_OK)
        st = cluster_book(line, &book, &revision);
    *ret_most = st == ST_OK ? book_alive(&book) : 0;
    if (st == ST_OK && *ret_most == 0)
        st = status_fail(ST_MISSING,
                         "no node of this crawl is there to answer: name the directories of the "
                         "nodes instead of --nats");
    if (st == ST_OK)
        st = address(q, &book, number);
    ret->book = &book;
    if (st == ST_OK)
        st = send(line, q, ret, ret_most);
    ret->book = NULL;
    line_close(line);
    book_clear(&book);
    return st;
}

static int show(const struct invocation *in, struct gathered *g)
{
    struct buf out = BUF_INIT(1 << 30);
    enum status st;
    char *text;

    gathered_end(g);
    if (g->all == NULL && g->error[0]) {
        report_text(&out, str_of(g->error), sizeof g->error);
        st = status_fail(ST_USAGE, "%s", out.data);
        buf_free(&out);
        return report_failure(st);
    }
    if (g->talks && json_array_size(g->all) == 0 && !flag_of(in, "json"))
        return report_failure(
            status_fail(ST_MISSING, "there are no conversations: no agent of this crawl spoke"));
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

static int run_on_nodes(struct invocation *in)
{
    const struct bus_options *b = in->options;
    struct question q = {.kind = QUESTION_TOP};
    struct buf more = BUF_INIT(LIMIT_DASH_URL);
    struct gathered g;
    size_t alive = 0;
    int code;
    enum status st = b->crawl ? line_name_check(b->crawl)
                              : status_fail(ST_USAGE, "which crawl? --nats URL --crawl NAME");

    if (st == ST_OK)
        st = read_question(in, &more, &q);
    if (st == ST_OK)
        st = buf_check(&more);
    gathered_init(&g, &q);
    if (st == ST_OK)
        st = ask(b, &q, &g, &alive);
    if (st == ST_OK && g.nodes < alive && (g.nodes > 0 || !g.error[0]))
        report_say("brood: %u of %zu nodes answered%s\n", g.nodes, alive,
                   g.broken ? "; the answers of others could not be used" : "");
    code = st == ST_OK ? show(in, &g) : report_failure(st);
    gathered_free(&g);
    buf_free(&more);
    return code;
}

/* ---- over directories ---------------------------------------------------- */

/* How many of the arguments are directories: what follows them may be left out in some commands. */
static size_t count_dirs(const struct invocation *in)
{
    const struct command *c = in->command;
    size_t count = in->args.count, more = c->max_args - 1;

    if (c->min_args < c->max_args && (count == 1 || command_is_crawl(in->args.items[count - 1])))
        more = 0;
    return count - more;
}

static bool on_progress(void *ctx, const char *what, uint64_t done, uint64_t total)
{
    progress_count(ctx, what, done, total);
    return !interrupted();
}

/* stats needs no verdict on each page; only stats and search need the full-text index. */
static struct merged_wish wish_of(const struct command *c)
{
    return (struct merged_wish){.archive = MERGE_NAMES,
                                .judge = c != &command_stats,
                                .index = c == &command_stats || c == &command_search};
}

/* The merged crawl instead of the directories. */
static void replace(struct text_list *args, size_t ndirs, const char *dir)
{
    struct text_list now = {0};

    text_list_add(&now, str_of(dir));
    for (size_t i = ndirs; i < args->count; i++)
        text_list_add(&now, str_of(args->items[i]));
    text_list_free(args);
    *args = now;
}

static int run_merged(struct invocation *in, size_t ndirs)
{
    struct text_list dirs = {.items = in->args.items, .count = ndirs};
    struct merged_wish wish = wish_of(in->command);
    const char *scratch = getenv("TMPDIR");
    struct progress progress;
    char *dir = NULL;
    enum status st;
    int code;

    scratch = scratch && *scratch ? scratch : "/tmp";
    held_readers(&dirs, NULL, scratch);
    progress_init(&progress, false);
    interrupt_catch();
    st = merged_for_now(&dirs, scratch, &wish, on_progress, &progress, &dir);
    progress_clear(&progress);
    if (st != ST_OK)
        return report_failure(st);
    replace(&in->args, ndirs, dir);
    code = in->command->run(in);
    merged_remove(dir);
    return code;
}

/* `brood search DIR queen swarm`: the words are in the place of directories, but are not
 * directories. */
static enum status check_quotes(const struct text_list *args)
{
    LOCAL_BUF words = BUF_INIT(1 << 12);
    struct stat info;
    size_t first = 0;
    enum status st = ST_OK;

    while (first + 1 < args->count && stat(args->items[first], &info) == 0)
        first++;
    for (size_t i = first; i < args->count; i++)
        buf_addf(&words, "%s%s", i > first ? " " : "", args->items[i]);
    if (first > 0 && first + 1 < args->count)
        st = status_fail(ST_USAGE,
                         "there is no directory '%s'. If it is a word to search for, quote all "
                         "words together: brood search %s '%.*s'",
                         args->items[first], args->items[0], STR_ARG(buf_str(&words)));
    return st;
}

int several_run(struct invocation *in)
{
    const struct bus_options *b = in->options;
    size_t ndirs;

    if (in->command->several && b->nats)
        return run_on_nodes(in);
    ndirs = in->command->several ? count_dirs(in) : 1;
    if (ndirs > 1 && in->command == &command_search && check_quotes(&in->args) != ST_OK)
        return report_failure(ST_USAGE);
    if (ndirs > 1)
        return run_merged(in, ndirs);
    if (in->command->reads_dir)
        held_reader(in->args.items[0], NULL);
    return in->command->run(in);
}
