/* control.c - brood stop and brood mark: commands to a running crawl.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/mem.h"
#include "base/os/clock.h"
#include "crawl/ask.h"
#include "store/read/query.h"

#include <stdio.h>

#define PATIENCE (30 * US_PER_S)

static int stop_command(struct invocation *in)
{
    const char *dir = in->args.items[0];
    enum status st = control_ask(dir, STR("{\"do\":\"stop\"}"), PATIENCE, NULL);

    if (st != ST_OK)
        return report_failure(status_prefix(st, "%s", dir));
    puts("the crawl stops, and everything is kept");
    return EXIT_DONE;
}

/* Does the crawl know the URL? A mark may come before its page, but a misspelt URL would wait for
 * ever. */
static bool is_known(const char *dir, const char *url)
{
    LOCAL_QUERY *q = NULL;
    uint32_t id;
    bool known = query_open(dir, &q) == ST_OK && query_find(q, str_of(url), &id) == ST_OK;

    return known;
}

static int mark_command(struct invocation *in)
{
    static const struct {
        const char *word;
        int relevant;
        const char *said;
    } words[] = {{"yes", 1, "marked relevant"},
                 {"no", 0, "marked irrelevant"},
                 {"neither", -1, "the mark is taken back"}};
    const char *word = in->args.count > 2 ? in->args.items[2] : "yes";
    bool taught = false;
    enum status st;

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (strcmp(word, words[i].word) != 0)
            continue;
        st = control_mark(in->args.items[0], in->args.items[1], words[i].relevant, &taught);
        if (st != ST_OK)
            return report_failure(st);
        printf("%s%s%s\n", words[i].said, taught ? "; the model learns from it" : "",
               is_known(in->args.items[0], in->args.items[1]) ? ""
                                                              : "; this crawl has not met the URL");
        return EXIT_DONE;
    }
    return report_failure(status_fail(ST_USAGE, "'%s' is no mark: write yes, no or neither", word));
}

const struct command command_stop = {
    .name = "stop",
    TAKES("DIR", 1, 1),
    .summary = "end a running crawl cleanly, as Ctrl-C does",
    .details = "Everything is kept; 'brood resume' continues the crawl.",
    .example = "brood stop solar",
    .run = stop_command,
};

const struct command command_mark = {
    .name = "mark",
    TAKES("DIR URL [yes|no|neither]", 2, 3),
    .summary = "say whether a page is about the topic",
    .details = "A mark is stored with the crawl, whether it runs or not; 'neither' takes it back. "
               "The models brood and classifier learn from marks while they crawl. With other "
               "models, marks count when the pages are judged at the end.",
    .example = "brood mark solar https://example.org/ no",
    .run = mark_command,
};
