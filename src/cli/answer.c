/* answer.c - a node answers a question about its own directory. See answer.h.
 * SPDX-License-Identifier: MIT */
#include "cli/answer.h"

#include "base/json.h"
#include "base/limits.h"
#include "cli/commands/commands.h"
#include "cluster/question.h"

#include <stdio.h>

static const struct command *const commands[] = {
    [QUESTION_TOP] = &command_top,         [QUESTION_SEARCH] = &command_search,
    [QUESTION_STATS] = &command_stats,     [QUESTION_TREE] = &command_tree,
    [QUESTION_EXPLAIN] = &command_explain, [QUESTION_SHOW] = &command_show,
    [QUESTION_TEXT] = &command_show,       [QUESTION_MAIN] = &command_show,
};

/* The command line of a question: nothing of it is taken from the bus but two texts and a number,
 * and these are no options (question_load()). */
static void write_args(const struct question *q, const char *dir, struct text_list *ret)
{
    char n[16];

    text_list_add(ret, str_of("--json"));
    if (q->kind == QUESTION_TEXT || q->kind == QUESTION_MAIN)
        text_list_add(ret, str_of(q->kind == QUESTION_TEXT ? "--text" : "--main"));
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

/* Runs the command in this thread; its exit code. */
static int run(const struct question *q, const char *dir, struct buf *out)
{
    struct text_list args = {0};
    struct invocation in = {0};
    bool help = false;
    enum status st;
    int code = EXIT_FAILED;

    write_args(q, dir, &args);
    st = command_parse(commands[q->kind], (int)args.count, args.items, &in, &help);
    report_divert(out);
    if (st == ST_OK && !help)
        code = commands[q->kind]->run(&in);
    report_divert(NULL);
    invocation_clear(&in);
    text_list_free(&args);
    return code;
}

static void put_error(struct buf *ret, const char *text)
{
    struct json j;

    json_init(&j, ret);
    json_open_object(&j, NULL);
    json_put_z(&j, "error", text);
    json_close(&j);
}

void answer_question(const char *dir, struct str question, struct buf *ret)
{
    struct buf out = BUF_INIT(LIMIT_ANSWER - 100);
    struct question q;
    enum status st = question_load(&q, question);

    if (st != ST_OK) {
        put_error(ret, status_text());
        return;
    }
    (void)run(&q, dir, &out);
    if (out.full)
        put_error(ret, "the answer is too large for the bus: ask for fewer rows");
    else if (out.len == 0)
        buf_add_z(ret, "{\"missing\":true}");
    else
        buf_addf(ret, "{\"answer\":%.*s}", STR_ARG(str_trim(buf_str(&out))));
    buf_free(&out);
}
