/* shared.c - what all nodes share: the crawl's options, its topic, its seeds.
 *
 * In: the options of the node that starts it. Out: one value on the bus, and options again.
 *
 *     u8 version; option, value, …, ""; topic; u32 seeds, seed, …
 *
 * What belongs to one node (its directory, its connection, what it prints) is left out. Secrets
 * never leave a node. Options that lower a guard need the consent of the user who joins, as those
 * of a received directory do (start/trust.h). A file that an option names must be at the same place
 * on every node. SPDX-License-Identifier: MIT */
#include "crawl/node/node.h"

#include "base/limits.h"
#include "base/mem.h"
#include "crawl/crawl_int.h"
#include "crawl/start/trust.h"

#include <string.h>

#define VERSION 1

/* Options that belong to one node, and seeds and topic, which are stored apart. */
static const char *const own[] = {
    "out",        "config",    "dashboard",  "json",           "quiet",      "no-wait",
    "no-confine", "nats",      "creds",      "seed",           "seeds",      "search",
    "topic",      "base-from", "seeds-from", "seeds-from-cdx", "seeds-only",
};

static bool is_own(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        if (strcmp(own[i], name) == 0)
            return true;
    return false;
}

void shared_save(const struct crawl *c, const struct text_list *seeds, struct buf *out)
{
    buf_put_u8(out, VERSION);
    for (const struct option *op = crawl_option_table; op->name; op++) {
        struct buf value = BUF_INIT(LIMIT_SHARED);

        crawl_option_text(op, c->options, &value);
        if (!is_own(op->name) && value.len > 0) {
            buf_put_str(out, str_of(op->name));
            buf_put_str(out, buf_str(&value));
        }
        buf_free(&value);
    }
    buf_put_str(out, STR(""));
    buf_put_str(out, topic_source(c->topic));
    buf_put_u32(out, (uint32_t)seeds->count);
    for (size_t i = 0; i < seeds->count; i++)
        buf_put_str(out, str_of(seeds->items[i]));
}

/* Does it differ from the default? */
static bool lowers_guard(const struct option *op, struct str value)
{
    struct crawl_options usual;
    struct buf text = BUF_INIT(LIMIT_SHARED);
    bool differs;

    crawl_options_init(&usual);
    crawl_option_text(op, &usual, &text);
    differs = trust_is_guard(op->name) && !str_eq(buf_str(&text), value);
    crawl_options_free(&usual);
    buf_free(&text);
    return differs;
}

static enum status load_options(struct cursor *from, bool trust, struct crawl_options *into)
{
    enum status st = ST_OK;

    while (st == ST_OK) {
        struct str name = cursor_str(from), value;
        const struct option *op;

        if (name.len == 0)
            break;
        value = cursor_str(from);
        op = option_find(crawl_option_table, name);
        if (op == NULL || is_own(op->name))
            st = status_fail(ST_INVALID,
                             "the crawl has an option '%.*s' that this brood does not "
                             "know",
                             STR_ARG(name));
        else if (!trust && lowers_guard(op, value))
            st = status_fail(ST_USAGE,
                             "the crawl was started with --%s %.*s: add --trust to "
                             "accept that",
                             op->name, STR_ARG(value));
        else
            st = crawl_option_restore(op, into, value);
    }
    return st;
}

enum status shared_load(struct str bytes, bool trust, struct crawl_options *into)
{
    struct cursor from = {.rest = bytes};
    bool known = cursor_u8(&from) == VERSION;
    enum status st = known ? load_options(&from, trust, into) : ST_OK;
    struct str topic;
    uint32_t count;

    if (st != ST_OK)
        return st;
    topic = cursor_str(&from);
    count = cursor_u32(&from);
    for (uint32_t i = 0; i < count && !from.bad; i++)
        text_list_add(&into->seed, cursor_str(&from));
    if (!known || from.bad || from.rest.len > 0)
        return status_fail(ST_INVALID,
                           "the shared options of the crawl are damaged, or from another "
                           "version of brood");
    into->topic_text = str_dup(topic);
    return ST_OK;
}

enum status shared_set(struct str bytes, struct str option, struct str value, struct buf *out)
{
    struct cursor from = {.rest = bytes};
    bool known = cursor_u8(&from) == VERSION;
    struct str name;

    buf_put_u8(out, VERSION);
    buf_put_str(out, option);
    buf_put_str(out, value);
    while (known && (name = cursor_str(&from)).len > 0) {
        struct str was = cursor_str(&from);

        if (str_eq(name, option))
            continue;
        buf_put_str(out, name);
        buf_put_str(out, was);
    }
    buf_put_str(out, STR(""));
    buf_add_str(out, from.rest);
    if (!known || from.bad)
        return status_fail(ST_INVALID, "the shared options of the crawl are damaged");
    return buf_check(out);
}
