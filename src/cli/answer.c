/* answer.c - a node answers a question about its own directory. See answer.h.
 * SPDX-License-Identifier: MIT */
#include "cli/answer.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "cli/commands/commands.h"
#include "cluster/question.h"
#ifdef BROOD_DASH
#include "dash/reader.h"
#endif

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct answerer {
    struct dash_reader *reader; /* NULL: no view was asked for yet */
};

struct answerer *answerer_new(void)
{
    return MEM_NEW(struct answerer);
}

void answerer_free(struct answerer *a)
{
#ifdef BROOD_DASH
    if (a)
        dash_reader_free(a->reader);
#endif
    free(a);
}

/* ---- commands ------------------------------------------------------------ */

static const struct command *const commands[] = {
    [QUESTION_TOP] = &command_top,         [QUESTION_SEARCH] = &command_search,
    [QUESTION_STATS] = &command_stats,     [QUESTION_TREE] = &command_tree,
    [QUESTION_EXPLAIN] = &command_explain, [QUESTION_SHOW] = &command_show,
};

static void write_options(const struct question *q, struct text_list *ret)
{
    struct str rest = q->more, name, value;

    while (question_option(&rest, &name, &value)) {
        if (str_eq(name, STR(QUESTION_PLAIN)))
            continue;
        /* One argument, so that a value that its option does not take cannot become a directory. */
        LOCAL_BUF text = BUF_INIT(LIMIT_QUESTION);

        buf_addf(&text, "--%.*s%s%.*s", STR_ARG(name), value.len ? "=" : "", STR_ARG(value));
        text_list_add(ret, buf_str(&text));
    }
}

/* Makes the command line of a question. Only two texts, a number and options that only read come
 * from the bus, and none of these can be another option (question_load()). */
static void write_args(const struct question *q, const char *dir, struct text_list *ret)
{
    char n[16];

    if (!question_has(q, QUESTION_PLAIN))
        text_list_add(ret, str_of("--json"));
    write_options(q, ret);
    if (q->n > 0 && q->kind != QUESTION_STATS && q->kind != QUESTION_EXPLAIN) {
        (void)snprintf(n, sizeof n, "%u", q->n);
        text_list_add(ret, str_of("-n"));
        text_list_add(ret, str_of(n));
    }
    if (q->topic.len > 0 && q->kind == QUESTION_TOP) {
        text_list_add(ret, str_of("--topic"));
        text_list_add(ret, q->topic);
    }
    text_list_add(ret, str_of("--"));
    text_list_add(ret, str_of(dir));
    if (q->what.len > 0)
        text_list_add(ret, q->what);
}

/* Runs the command in this thread; the answer may be empty. ST_USAGE if it cannot be asked in this
 * way. */
static enum status run(const struct question *q, const char *dir, struct buf *out)
{
    LOCAL_LIST args = {0};
    struct invocation in = {0};
    bool help = false;
    enum status st;

    write_args(q, dir, &args);
    st = command_parse(commands[q->kind], (int)args.count, args.items, &in, &help);
    if (st == ST_OK && in.args.count != 1 + (q->what.len > 0))
        st = status_fail(ST_USAGE, "this question names more than one directory");
    report_divert(out);
    if (st == ST_OK && !help && commands[q->kind]->run(&in) == EXIT_USAGE)
        st = ST_USAGE;
    report_divert(NULL);
    invocation_clear(&in);
    return st;
}

/* ---- views and orders ---------------------------------------------------- */

/* Answers a view. *ret_is_text: the answer is not JSON. */
static enum status view(struct answerer *a, const struct asked_node *node, const struct question *q,
                        struct buf *out, bool *ret_is_text)
{
#ifdef BROOD_DASH
    if (a->reader == NULL)
        a->reader = dash_reader_new(node->dir);
    dash_reader_runs(a->reader, node->paused);
    return dash_reader_get(a->reader, q->what, q->more, out, ret_is_text);
#else
    (void)a, (void)node, (void)q, (void)out, (void)ret_is_text;
    return status_fail(ST_USAGE, "this node was built without the dashboard");
#endif
}

/* ---- the answer ---------------------------------------------------------- */

static void put_answer(struct json *j, enum status st, const struct buf *out, bool is_text)
{
    if (st == ST_OK && out->full)
        json_put_z(j, "error", "the answer is too large for the bus: ask for less");
    else if (st == ST_MISSING || (st == ST_OK && out->len == 0))
        json_put_bool(j, "missing", true);
    else if (st != ST_OK)
        json_put_z(j, "error", status_text());
    else if (is_text)
        json_put_str(j, "answer", buf_str(out));
    else
        json_put_raw(j, "answer", str_trim(buf_str(out)));
}

/* Escapes may make a text longer than the bus allows: then it is left out, and the answer says
 * so. */
static void put_reply(uint64_t id, enum status st, const struct buf *out, bool is_text,
                      struct buf *ret)
{
    char node[20];
    struct json j;

    (void)snprintf(node, sizeof node, "%016" PRIx64, id);
    json_begin(&j, ret);
    json_put_z(&j, "node", node);
    put_answer(&j, st, out, is_text);
    json_close(&j);
}

void answer_question(void *ctx, struct asked_node *node, struct str question, struct buf *ret)
{
    LOCAL_BUF out = BUF_INIT(LIMIT_ANSWER - 200);
    struct question q = {0};
    bool is_text = false;
    enum status st = question_load(&q, question);

    if (st == ST_OK && q.to != 0 && q.to != node->id)
        return;
    if (st == ST_OK && q.kind == QUESTION_VIEW) {
        st = view(ctx, node, &q, &out, &is_text);
    } else if (st == ST_OK && q.kind == QUESTION_DO) {
        node->order = str_eq(q.what, STR("pause")) ? ASKED_PAUSE : ASKED_CONTINUE;
        buf_add_z(&out, "{\"ok\":true}");
    } else if (st == ST_OK) {
        is_text = question_has(&q, QUESTION_PLAIN);
        st = run(&q, node->dir, &out);
    }
    put_reply(node->id, st, &out, is_text, ret);
    if (ret->full) {
        out.full = true;
        buf_clear(ret);
        put_reply(node->id, ST_OK, &out, is_text, ret);
    }
}
