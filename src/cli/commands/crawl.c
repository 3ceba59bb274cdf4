/* crawl.c - brood crawl: a topic and seeds in, a directory of ranked pages
 * out. SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"
#include "cli/answer.h"

#include "cli/held.h"
#include "cli/commands/run_crawl.h"
#include "crawl/start/check.h"

static void crawl_command_check(struct invocation *in, struct mistakes *ret)
{
    struct crawl_options *o = in->options;

    run_crawl_check(in, o, ret);
    if (o->words == NULL && o->topic.count == 0)
        mistakes_note(
            ret, "words",
            status_fail(ST_USAGE, "what is the topic? brood crawl \"WORDS\" or --topic FILE"));
    crawl_check(o, ret);
}

static int crawl_command(struct invocation *in)
{
    struct crawl_options *o = in->options;
    struct confine confine;
    struct crawl *c;
    enum status st = invocation_check(in);
    int code;

    if (st == ST_OK) {
        held_crawl(o, crawl_option_table, &confine);
        o->answer = answer_question;
        o->answer_ctx = answerer_new();
        st = crawl_new(o, &c);
    }
    code = st == ST_OK ? run_crawl(c, o) : report_failure(st);
    answerer_free(o->answer_ctx);
    return code;
}

const struct command command_crawl = {
    .name = "crawl",
    TAKES("\"TOPIC\" --seed URL...", 0, 1),
    .summary = "crawl the web for a topic, from a few places to start",
    .details =
        "Fetches pages politely, scores them against the topic, follows the links the model "
        "chooses, and keeps everything in a directory: crawl.db (SQLite), warc/ (archive) and "
        "crawl.log. Nothing that was reported is lost when the process is killed; 'brood resume' "
        "goes on. Ctrl-C stops cleanly; a second Ctrl-C stops immediately.",
    .example =
        "brood crawl \"solar energy\" --seed https://example.org/ --contact you@example.org\n"
        "  brood crawl \"coral reefs\" --seeds urls.txt --model best-first --set n=256 --pages "
        "5000",
    OPTIONS(crawl_option_table, struct crawl_options),
    .run = crawl_command,
    .check = crawl_command_check,
};
