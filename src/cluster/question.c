/* question.c - questions to bytes and back: u8 version, u8 kind, u32 n, what, topic.
 * SPDX-License-Identifier: MIT */
#include "cluster/question.h"

#include "base/limits.h"
#include "base/mem.h"

#define VERSION 1

static const char *const commands[] = {
    [QUESTION_TOP] = "top",   [QUESTION_SEARCH] = "search",   [QUESTION_STATS] = "stats",
    [QUESTION_TREE] = "tree", [QUESTION_EXPLAIN] = "explain", [QUESTION_SHOW] = "show",
    [QUESTION_TEXT] = "show", [QUESTION_MAIN] = "show",
};

const char *question_command(enum question_kind kind)
{
    return (size_t)kind < ARRAY_LEN(commands) ? commands[kind] : "";
}

void question_save(const struct question *q, struct buf *out)
{
    buf_put_u8(out, VERSION);
    buf_put_u8(out, (uint8_t)q->kind);
    buf_put_u32(out, q->n);
    buf_put_str(out, q->what);
    buf_put_str(out, q->topic);
}

/* Arguments of a command, which have no NUL and do not look like an option. */
static bool is_plain(struct str s, size_t most)
{
    return s.len <= most && (s.len == 0 || s.ptr[0] != '-') &&
           str_find_char(s, '\0', 0) == SIZE_MAX;
}

enum status question_load(struct question *q, struct str bytes)
{
    struct cursor from = {.rest = bytes};
    bool known = cursor_u8(&from) == VERSION;
    struct question read = {.kind = (enum question_kind)cursor_u8(&from)};
    bool needs;

    read.n = cursor_u32(&from);
    read.what = cursor_str(&from);
    read.topic = cursor_str(&from);
    needs = read.kind == QUESTION_SEARCH || read.kind >= QUESTION_EXPLAIN;
    if (!known || from.bad || from.rest.len > 0 || read.kind >= QUESTION_KINDS)
        return status_fail(ST_INVALID, "this is no question, or one of another version of brood");
    if (read.n > LIMIT_ANSWER_ROWS || !is_plain(read.what, LIMIT_URL) ||
        !is_plain(read.topic, LIMIT_URL) || needs != (read.what.len > 0))
        return status_fail(ST_INVALID, "a question asks for too much, or for nothing");
    *q = read;
    return ST_OK;
}
