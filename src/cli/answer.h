/* answer.h - a node answers a question (cluster/question.h) about its own directory.
 *
 * The question is a reading command, and the answer is what that command prints with --json:
 *
 *     {"answer": …}      {"missing": true}      {"error": "sentence"}
 *
 * It reads the last checkpoint, through a connection of its own. Any thread.
 */
#pragma once

#include "base/buf.h"

void answer_question(const char *dir, struct str question, struct buf *ret);
