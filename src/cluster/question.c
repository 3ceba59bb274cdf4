/* question.c - writes and reads the bytes of questions: u8 version, u8 kind, u64 to, u32 n, what,
 * topic, more.
 * SPDX-License-Identifier: MIT */
#include "cluster/question.h"

#include "base/mem.h"

#define VERSION 2

static const char *const commands[] = {
    [QUESTION_TOP] = "top",   [QUESTION_SEARCH] = "search",   [QUESTION_STATS] = "stats",
    [QUESTION_TREE] = "tree", [QUESTION_EXPLAIN] = "explain", [QUESTION_SHOW] = "show",
};

const char *question_command(enum question_kind kind)
{
    return (size_t)kind < ARRAY_LEN(commands) ? commands[kind] : "";
}

/* ---- options ---- */

bool question_option(struct str *more, struct str *ret_name, struct str *ret_value)
{
    struct str line;
    size_t end;

    if (more->len == 0 || !str_cut(more, '\n', &line))
        return false;
    end = str_find_char(line, '=', 0);
    *ret_name = str_sub(line, 0, end);
    *ret_value = end == SIZE_MAX ? STR("") : str_sub(line, end + 1, line.len);
    return true;
}

bool question_knows(struct str name)
{
    static const char *const known[] = {"all-text", "depth",   "alive",    "paths",
                                        "text",     "main",    "markdown", "conversation",
                                        "all",      "lattice", "as",       QUESTION_PLAIN};

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (str_eq(str_of(known[i]), name))
            return true;
    return false;
}

void question_add(struct buf *more, struct str name, struct str value)
{
    buf_add_str(more, name);
    buf_add_char(more, '=');
    for (size_t i = 0; i < value.len; i++)
        buf_add_char(more, value.ptr[i] == '\n' || value.ptr[i] == '\0' ? ' ' : value.ptr[i]);
    buf_add_char(more, '\n');
}

bool question_has(const struct question *q, const char *name)
{
    struct str rest = q->more, key, value;

    while (question_option(&rest, &key, &value))
        if (str_eq(key, str_of(name)))
            return true;
    return false;
}

/* ---- bytes ---- */

void question_save(const struct question *q, struct buf *out)
{
    buf_put_u8(out, VERSION);
    buf_put_u8(out, (uint8_t)q->kind);
    buf_put_u64(out, q->to);
    buf_put_u32(out, q->n);
    buf_put_str(out, q->what);
    buf_put_str(out, q->topic);
    buf_put_str(out, q->more);
}

/* Arguments of a command, which have no NUL and do not look like an option. */
static bool is_plain(struct str s, size_t most)
{
    return s.len <= most && (s.len == 0 || s.ptr[0] != '-') &&
           str_find_char(s, '\0', 0) == SIZE_MAX;
}

/* Every line has a name; a command has no other options than those that only read. */
static bool is_more(const struct question *q)
{
    struct str rest = q->more, name, value;

    while (question_option(&rest, &name, &value))
        if (name.len == 0 || name.ptr[0] == '-' ||
            (q->kind < QUESTION_VIEW && value.len > 0 && value.ptr[0] == '-') ||
            (q->kind < QUESTION_VIEW && !question_knows(name)))
            return false;
    return q->more.len <= LIMIT_DASH_URL && str_find_char(q->more, '\0', 0) == SIZE_MAX;
}

/* A list of conversations has no subject; a view may be the overview. */
static bool has_matter(const struct question *q)
{
    bool any = q->what.len > 0;

    switch (q->kind) {
    case QUESTION_SHOW:
        return any || question_has(q, "conversation");
    case QUESTION_VIEW:
        return true;
    case QUESTION_DO:
        return str_eq(q->what, STR("pause")) || str_eq(q->what, STR("continue"));
    default:
        return any == (q->kind == QUESTION_SEARCH || q->kind == QUESTION_EXPLAIN);
    }
}

enum status question_load(struct question *q, struct str bytes)
{
    struct cursor from = {.rest = bytes};
    bool known = cursor_u8(&from) == VERSION;
    struct question read = {.kind = (enum question_kind)cursor_u8(&from)};

    read.to = cursor_u64(&from);
    read.n = cursor_u32(&from);
    read.what = cursor_str(&from);
    read.topic = cursor_str(&from);
    read.more = cursor_str(&from);
    if (!known || from.bad || from.rest.len > 0 || read.kind >= QUESTION_KINDS)
        return status_fail(ST_INVALID, "this is no question, or one of another version of brood");
    if (read.n > LIMIT_ANSWER_ROWS || !is_plain(read.what, LIMIT_URL) ||
        !is_plain(read.topic, LIMIT_URL) || !is_more(&read) || !has_matter(&read))
        return status_fail(ST_INVALID, "a question asks for too much, or for nothing");
    *q = read;
    return ST_OK;
}
