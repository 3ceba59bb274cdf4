/* fuzz_question.c - what comes over the bus to those who read: questions to a node, and the answers
 * of nodes, one for each kind of question. SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/gathered.h"
#include "cluster/question.h"

#include <stdlib.h>

const struct command *const command_table[] = {NULL};

static void take_answer(struct str bytes, enum question_kind kind, const char *more)
{
    struct question q = {.kind = kind, .n = 5, .more = str_of(more)};
    struct buf out = BUF_INIT(1 << 24);
    struct gathered g;

    gathered_init(&g, &q);
    gathered_add(&g, STR("{\"answer\":{\"pages\":3,\"page\":0,\"reason\":\"foreign\"}}"));
    gathered_add(&g, STR("{\"answer\":[{\"url\":\"http://a/\",\"p\":0.5,\"title\":\"a\"}]}"));
    gathered_add(&g, bytes);
    gathered_add(&g, bytes);
    gathered_end(&g);
    if (json_is_array(g.all) && g.kind <= QUESTION_SEARCH && json_array_size(g.all) > 5)
        abort();
    gathered_text(&g, &out);
    gathered_free(&g);
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = {(const char *)data, size};
    struct buf again = BUF_INIT(1 << 20);
    struct question q;

    if (question_load(&q, bytes) == ST_OK) {
        question_save(&q, &again);
        if (!str_eq(buf_str(&again), bytes))
            abort();
    }
    for (int k = 0; k < QUESTION_KINDS; k++)
        take_answer(bytes, (enum question_kind)k, "");
    take_answer(bytes, QUESTION_SHOW, "conversation=\n");
    buf_free(&again);
    return 0;
}
