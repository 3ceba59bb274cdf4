/* line.c - checks the names of crawls; stubs of the line for a build without libnats.
 * SPDX-License-Identifier: MIT */
#include "cluster/line.h"

#include "base/str.h"

#define NAME_MOST 64

enum status line_name_check(const char *name)
{
    size_t n = 0;

    while (name[n] &&
           (ascii_is_alpha(name[n]) || ascii_is_digit(name[n]) || name[n] == '-' || name[n] == '_'))
        n++;
    if (n == 0 || n > NAME_MOST || name[n] != '\0')
        return status_fail(ST_USAGE,
                           "'%s' cannot be the name of a crawl: letters, digits, - and _, at most "
                           "%d of them",
                           name, NAME_MOST);
    return ST_OK;
}

#ifndef BROOD_NATS
enum status line_open(const char *urls, const char *creds, const char *name, struct line **ret)
{
    (void)urls, (void)creds, (void)name, (void)ret;
    return status_fail(ST_USAGE, "this brood was built without NATS: libnats was missing");
}

static enum status lacks(void)
{
    return status_fail(ST_INTERNAL, "there is no connection to the bus");
}

void line_close(struct line *l)
{
    (void)l;
}

enum status line_make(struct line *l, int copies)
{
    (void)l, (void)copies;
    return lacks();
}

enum status line_find(struct line *l)
{
    (void)l;
    return lacks();
}

enum status line_get(struct line *l, const char *key, struct buf *ret, uint64_t *ret_revision)
{
    (void)l, (void)key, (void)ret, (void)ret_revision;
    return lacks();
}

enum status line_set(struct line *l, const char *key, struct str value, uint64_t last,
                     uint64_t *ret_revision)
{
    (void)l, (void)key, (void)value, (void)last, (void)ret_revision;
    return lacks();
}

enum status line_put(struct line *l, const char *key, struct str value)
{
    (void)l, (void)key, (void)value;
    return lacks();
}

enum status line_settle(struct line *l)
{
    (void)l;
    return lacks();
}

enum status line_send(struct line *l, uint32_t part, struct str bytes, uint64_t *ret_number)
{
    (void)l, (void)part, (void)bytes, (void)ret_number;
    return lacks();
}

void line_send_all(struct line *l, struct line_letter *letters, size_t count)
{
    (void)l, (void)letters, (void)count;
}

enum status line_next(struct line *l, uint32_t part, uint64_t from, struct buf *ret,
                      uint64_t *ret_number)
{
    (void)l, (void)part, (void)from, (void)ret, (void)ret_number;
    return lacks();
}

void line_next_all(struct line *l, struct line_want *wants, size_t count, line_found_fn *fn,
                   void *ctx)
{
    (void)l, (void)wants, (void)count, (void)fn, (void)ctx;
}

enum status line_last_all(struct line *l, const uint32_t *parts, size_t count, uint64_t *ret)
{
    (void)l, (void)parts, (void)count, (void)ret;
    return lacks();
}

enum status line_walk(struct line *l, uint32_t part, uint64_t from, size_t most, line_walk_fn *fn,
                      void *ctx)
{
    (void)l, (void)part, (void)from, (void)most, (void)fn, (void)ctx;
    return lacks();
}

enum status line_peek(struct line *l, uint64_t number, struct buf *ret, uint32_t *ret_part)
{
    (void)l, (void)number, (void)ret, (void)ret_part;
    return lacks();
}

enum status line_last(struct line *l, uint32_t part, uint64_t *ret_number)
{
    (void)l, (void)part, (void)ret_number;
    return lacks();
}

enum status line_end(struct line *l, uint64_t *ret_number)
{
    (void)l, (void)ret_number;
    return lacks();
}

enum status line_answer(struct line *l, line_answer_fn *fn, void *ctx)
{
    (void)l, (void)fn, (void)ctx;
    return lacks();
}

enum status line_ask(struct line *l, struct str question, size_t most, int ms, line_heard_fn *fn,
                     void *ctx)
{
    (void)l, (void)question, (void)most, (void)ms, (void)fn, (void)ctx;
    return lacks();
}

void line_listen(struct line *l, uint32_t part, bool on)
{
    (void)l, (void)part, (void)on;
}

uint32_t line_hint(struct line *l, uint32_t part)
{
    (void)l, (void)part;
    return 0;
}
#endif
