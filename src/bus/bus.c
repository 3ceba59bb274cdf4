/* bus.c - the in-process bus: a list of listeners, and messages that wait. SPDX-License-Identifier: MIT */
#include "bus/bus.h"

#include "base/limits.h"
#include "base/mem.h"
#include "flow.h"

#include <stdlib.h>

struct listener {
    bus_listen_fn *fn;
    void *ctx;
};

struct bus {
    struct listener *listeners;
    size_t count, cap;
};

struct bus *bus_new(void)
{
    return MEM_NEW(struct bus);
}

void bus_free(struct bus *b)
{
    if (b == NULL)
        return;
    free(b->listeners);
    free(b);
}

void bus_join(struct bus *b, bus_listen_fn *fn, void *ctx)
{
    MEM_GROW(b->listeners, b->count, &b->cap);
    b->listeners[b->count++] = (struct listener){fn, ctx};
}

void bus_post(struct bus *b, const struct event *e)
{
    for (size_t i = 0; i < b->count; i++)
        b->listeners[i].fn(b->listeners[i].ctx, e);
}

/* ---- messages between agents: they wait in the form that a checkpoint keeps ---- */

struct post {
    struct buf waiting; /* one message after another */
    size_t count;
};

struct post *post_new(void)
{
    struct post *p = MEM_NEW(struct post);

    buf_init(&p->waiting, LIMIT_POST);
    return p;
}

void post_free(struct post *p)
{
    if (p == NULL)
        return;
    buf_free(&p->waiting);
    free(p);
}

static void put_message(struct buf *out, const struct message *msg)
{
    buf_put_u32(out, msg->sender);
    buf_put_u32(out, msg->receiver);
    buf_put_u32(out, msg->conversation);
    buf_put_str(out, msg->performative);
    buf_put_str(out, msg->content);
    buf_put_u64(out, (uint64_t)msg->reply_by);
}

static struct message get_message(struct cursor *from)
{
    struct message msg;

    msg.sender = cursor_u32(from);
    msg.receiver = cursor_u32(from);
    msg.conversation = cursor_u32(from);
    msg.performative = cursor_str(from);
    msg.content = cursor_str(from);
    msg.reply_by = (int64_t)cursor_u64(from);
    return msg;
}

bool post_send(struct post *p, const struct message *msg)
{
    size_t before = p->waiting.len;

    put_message(&p->waiting, msg);
    if (p->waiting.full) { /* a message is sent whole or not at all */
        p->waiting.len = before;
        p->waiting.full = false;
        return false;
    }
    p->count++;
    return true;
}

size_t post_deliver(struct post *p, post_fn *fn, void *ctx)
{
    struct buf now = p->waiting;
    struct cursor from = {.rest = buf_str(&now)};
    size_t count = p->count;

    buf_init(&p->waiting, LIMIT_POST);
    p->count = 0;
    for (size_t i = 0; i < count; i++) {
        struct message msg = get_message(&from);

        fn(ctx, &msg);
    }
    buf_free(&now);
    return count;
}

size_t post_waiting(const struct post *p)
{
    return p->count;
}

size_t post_bytes(const struct post *p)
{
    return p->waiting.cap;
}

void post_save(const struct post *p, struct buf *out)
{
    buf_put_str(out, buf_str(&p->waiting));
}

enum status post_load(struct post *p, struct cursor *from)
{
    struct str all = cursor_str(from);
    struct cursor each = {.rest = all};
    size_t count = 0;

    while (each.rest.len > 0 && !each.bad) {
        (void)get_message(&each);
        count++;
    }
    buf_clear(&p->waiting);
    buf_add_str(&p->waiting, all);
    if (from->bad || each.bad || p->waiting.full)
        return status_fail(ST_CORRUPT, "the messages of the checkpoint are damaged");
    p->count = count;
    return ST_OK;
}
