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

/* Options that a question to the nodes can have. Large tables do not travel over the bus: they are
 * read from the directories. */
static enum status check_given(const struct invocation *in)
{
    static const char *const known[] = {"nats",  "creds", "crawl", "n",
                                        "topic", "json",  "text",  "main"};

    for (size_t i = 0; i < in->given.count; i++) {
        bool is = false;

        for (size_t k = 0; k < ARRAY_LEN(known); k++)
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
static enum question_kind kind_of(const struct invocation *in)
{
    enum question_kind kind = 0;

    if (in->command == &command_show && flag_of(in, "text"))
        return QUESTION_TEXT;
    if (in->command == &command_show && flag_of(in, "main"))
        return QUESTION_MAIN;
    while (kind < QUESTION_KINDS && strcmp(question_command(kind), in->command->name) != 0)
        kind++;
    return kind;
}

static enum status read_question(const struct invocation *in, struct question *ret)
{
    const int64_t *n = value_of(in, "n");
    char *const *topic = value_of(in, "topic");
    bool needs = in->command->max_args > 1;
    enum status st = check_given(in);

    ret->kind = kind_of(in);
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

static int run_on_nodes(struct invocation *in)
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

/* ---- over directories ---------------------------------------------------- */

static bool is_crawl(const char *dir)
{
    struct buf path = BUF_INIT(1 << 16);
    struct stat info;
    bool is;

    buf_addf(&path, "%s/crawl.db", dir);
    is = !path.full && stat(path.data, &info) == 0;
    buf_free(&path);
    return is;
}

/* How many of the arguments are directories: what follows them may be left out in some commands. */
static size_t count_dirs(const struct invocation *in)
{
    const struct command *c = in->command;
    size_t count = in->args.count, more = c->max_args - 1;

    if (c->min_args < c->max_args && (count == 1 || is_crawl(in->args.items[count - 1])))
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

/* `brood search DIR queen swarm`: the words stand where directories may stand, and are none. */
static enum status check_quotes(const struct text_list *args)
{
    struct buf words = BUF_INIT(1 << 12);
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
    buf_free(&words);
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
