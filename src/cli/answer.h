/* answer.h - the answers of a node to questions (cluster/question.h) about its own directory.
 *
 *     {"node": "0011223344556677", "answer": …}      {…, "missing": true}      {…, "error": "sentence"}
 *
 * The answer to a reading command is the output of that command with --json, or its output for
 * people as one text; the answer to a view of the dashboard is that of its API. Answers are read
 * from the last checkpoint, over connections of our own. Questions for other nodes get no answer. A
 * question that is an order is passed on to the mind, and the answer confirms that it was received.
 */
#pragma once

#include "crawl/options.h"

struct answerer;

struct answerer *answerer_new(void);
void answerer_free(struct answerer *a);

/* For crawl_options.answer, with the answerer as answer_ctx. Used by one thread at a time. */
void answer_question(void *ctx, struct asked_node *node, struct str question, struct buf *ret);
