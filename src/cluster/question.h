/* question.h - what one asks all nodes of a crawl: a reading command and what it is about.
 *
 * Each node answers for its own directory, with the JSON that the command gives there. Bytes come
 * from whoever can write to the bus: only these fields can be said, and each has a ceiling.
 */
#pragma once

#include "base/buf.h"

enum question_kind {
    QUESTION_TOP,
    QUESTION_SEARCH,
    QUESTION_STATS,
    QUESTION_TREE,
    QUESTION_EXPLAIN,
    QUESTION_SHOW,
    QUESTION_TEXT, /* show, with the stored text of the page … */
    QUESTION_MAIN, /* … with its main text alone */
    QUESTION_KINDS
};

struct question {
    enum question_kind kind;
    uint32_t n;      /* at most so many rows; 0: as the command does by itself */
    struct str what; /* words, URL or agent; empty: none */
    struct str topic;
};

const char *question_command(enum question_kind kind); /* "top" */

void question_save(const struct question *q, struct buf *out);
/* Strings are lent from the bytes. ST_INVALID: it is none, or it is out of bounds. */
enum status question_load(struct question *q, struct str bytes) MUST_USE;
