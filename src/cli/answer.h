/* answer.h - a node answers a question (cluster/question.h) about its own directory.
 *
 *     {"node": "0011223344556677", "answer": …}      {…, "missing": true}      {…, "error": "sentence"}
 *
 * The answer to a reading command is what the command prints with --json, or all that it prints as
 * one text; to a view of the dashboard it is that of its API. The last checkpoint is read, through
 * connections of our own. Questions for other nodes get no answer. A question that is
 * an order is passed on to the mind: the answer says that it was heard.
 */
#pragma once

#include "crawl/options.h"

struct answerer;

struct answerer *answerer_new(void);
void answerer_free(struct answerer *a);

/* As crawl_options.answer, whose answer_ctx is the answerer. One thread at a time. */
void answer_question(void *ctx, struct asked_node *node, struct str question, struct buf *ret);
