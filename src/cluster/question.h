/* question.h - questions to all nodes of a crawl, or to one of them.
 *
 *   a reading command    and what it is about; the answer is the JSON that it prints
 *   QUESTION_VIEW        a view of the dashboard (docs/api.md): "pages", "page/5", …
 *   QUESTION_DO          pause or continue: the one question that changes something
 *
 * Each node answers for its own directory. Bytes may come from anybody who can write to the bus: a
 * question has only these fields, and each has a ceiling.
 *
 * Each node numbers its pages and conversations itself. For a reader of several nodes, number 12 of
 * the node at place 3 of the book is 12003 (question_number()).
 */
#pragma once

#include "base/buf.h"
#include "base/limits.h"

enum question_kind {
    QUESTION_TOP,
    QUESTION_SEARCH,
    QUESTION_STATS,
    QUESTION_TREE,
    QUESTION_EXPLAIN,
    QUESTION_SHOW,
    QUESTION_VIEW,
    QUESTION_DO,
    QUESTION_KINDS
};

struct question {
    enum question_kind kind;
    uint64_t to; /* the node that is asked; 0: all */
    uint32_t n;  /* the most rows; 0: the command's default */
    struct str
        what; /* words, URL, agent, number; path of the view; "pause", "continue"; may be empty */
    struct str topic;
    struct str more; /* options of the command or of the view, each a line "name=value" */
};

const char *question_command(enum question_kind kind); /* "top"; of the last two "" */

/* Gets the next line of `more`; returns false if there is none. */
bool question_option(struct str *more, struct str *ret_name, struct str *ret_value);
/* This line is not an option of a command: it asks for the command's output for people, as one
 * text. */
#define QUESTION_PLAIN "plain"
/* May a reading command be asked with this option? */
bool question_knows(struct str name);
/* Adds a line; characters that a line cannot hold become blanks. */
void question_add(struct buf *more, struct str name, struct str value);
bool question_has(const struct question *q, const char *name);

void question_save(const struct question *q, struct buf *out);
/* Reads a question, whose strings point into the bytes. ST_INVALID if it is not a question or
 * exceeds a ceiling. */
enum status question_load(struct question *q, struct str bytes) MUST_USE;

static inline uint64_t question_number(uint64_t number, size_t place)
{
    return number * LIMIT_NODES + place;
}
