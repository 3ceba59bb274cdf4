/* line_flight.c - many messages on their way at once: letters to logs, and questions about them.
 *
 * A call of the library that waits for its answer wakes three threads, and that costs more than the
 * message itself. So what can be sent together is sent together, and the answers come to an inbox
 * that is looked at every few milliseconds, when many of them are there.
 * SPDX-License-Identifier: MIT */
#include "cluster/line_nats.h"

#include "base/mem.h"
#include "base/os/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_FIRST (2 * US_PER_MS)  /* the answers are looked for after this time … */
#define LOOK_STEP  (16 * US_PER_MS) /* … and then after twice as long each time, up to this one */
#define EXPECT     "Nats-Expected-Last-Subject-Sequence"

/* ---- inboxes ---- */

static natsStatus inbox_open(struct line *l, struct line_inbox *in)
{
    natsInbox *inbox = NULL;
    char all[sizeof in->subject + 2];
    natsStatus s = in->sub ? NATS_OK : natsInbox_Create(&inbox);

    if (in->sub || s != NATS_OK)
        return s;
    (void)snprintf(in->subject, sizeof in->subject, "%s", inbox);
    (void)snprintf(all, sizeof all, "%s.*", inbox);
    natsInbox_Destroy(inbox);
    return natsConnection_SubscribeSync(&in->sub, l->conn, all);
}

static bool is_connected(const struct line *l)
{
    return natsConnection_Status(l->conn) == NATS_CONN_STATUS_CONNECTED;
}

/* Posts a message to which an answer is to come. *ret_id: its number, even if this fails. */
static natsStatus inbox_post(struct line *l, struct line_inbox *in, const char *subject,
                             struct str bytes, uint64_t behind, uint64_t *ret_id)
{
    char reply[sizeof in->subject + 24], expected[24];
    natsMsg *msg = NULL;
    natsStatus s;

    *ret_id = ++in->posted;
    (void)snprintf(reply, sizeof reply, "%s.%" PRIu64, in->subject, *ret_id);
    s = natsMsg_Create(&msg, subject, reply, bytes.ptr, (int)bytes.len);
    if (s == NATS_OK && behind != LINE_ANYWHERE) {
        (void)snprintf(expected, sizeof expected, "%" PRIu64, behind);
        s = natsMsgHeader_Set(msg, EXPECT, expected);
    }
    if (s == NATS_OK)
        s = natsConnection_PublishMsg(l->conn, msg);
    natsMsg_Destroy(msg);
    return s;
}

/* An answer to the message of this number. False: nobody waits for it any more. */
typedef bool answer_fn(void *ctx, uint64_t id, natsMsg *msg);

/* Takes as many answers as are waited for, or those that come within LINE_WAIT_MS. */
static void inbox_take(struct line *l, const struct line_inbox *in, size_t waits, answer_fn *fn,
                       void *ctx)
{
    int64_t until = nats_Now() + LINE_WAIT_MS, step = LOOK_FIRST;

    while (waits > 0 && is_connected(l) && nats_Now() < until) {
        natsMsg *msg = NULL;

        clock_sleep(step);
        step = step < LOOK_STEP / 2 ? 2 * step : LOOK_STEP;
        while (waits > 0 && natsSubscription_NextMsg(&msg, in->sub, 0) == NATS_OK) {
            waits -= fn(ctx, strtoull(strrchr(natsMsg_GetSubject(msg), '.') + 1, NULL, 10), msg);
            natsMsg_Destroy(msg);
            msg = NULL;
        }
    }
}

/* ---- letters ---- */

static uint64_t number_in(struct str text)
{
    uint64_t number = 0;

    for (size_t at = 0; at < text.len && ascii_is_digit(text.ptr[at]) && number < UINT64_MAX / 16;
         at++)
        number = 10 * number + (uint64_t)(text.ptr[at] - '0');
    return number;
}

/* The number that an answer in JSON gives a message; 0: it gives none. */
static uint64_t number_of(const natsMsg *msg)
{
    struct str text = {natsMsg_GetData(msg), (size_t)natsMsg_GetDataLength(msg)};
    size_t at = str_find(text, STR("\"seq\":"), 0);

    if (at == SIZE_MAX || str_find(text, STR("\"error\":"), 0) != SIZE_MAX)
        return 0;
    return number_in(str_sub(text, at + 6, text.len));
}

struct flight {
    struct line_letter *items;
    size_t count;
};

/* Perhaps it is an answer to a letter of an earlier call. */
static bool take_ack(void *ctx, uint64_t id, natsMsg *msg)
{
    struct flight *all = ctx;

    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].id == id && id != 0) {
            all->items[i].number = number_of(msg);
            all->items[i].id = 0;
            return true;
        }
    return false;
}

void line_send_all(struct line *l, struct line_letter *letters, size_t count)
{
    char subject[sizeof l->prefix + 8];
    natsStatus s = inbox_open(l, &l->acks);
    size_t waits = 0;

    for (size_t i = 0; i < count; i++) {
        struct line_letter *letter = &letters[i];

        letter->number = 0;
        if (l->has_copies)
            letter->behind = LINE_ANYWHERE;
        line_subject(l, letter->part, subject, sizeof subject);
        if (letter->id == 0 && s == NATS_OK &&
            is_connected(l)) /* else the library sends it later */
            s = inbox_post(l, &l->acks, subject, letter->bytes, letter->behind, &letter->id);
        waits += letter->id != 0;
    }
    if (s == NATS_OK)
        inbox_take(l, &l->acks, waits, take_ack, &(struct flight){letters, count});
}

/* ---- what is in a log ---- */

struct wants {
    struct line_want *items;
    size_t count;
    line_found_fn *fn;
    void *ctx;
};

/* A message of the stream has its number in a header; an answer without one says why not. */
static bool take_found(void *ctx, uint64_t id, natsMsg *msg)
{
    struct wants *all = ctx;
    const char *number = NULL, *status = NULL;
    struct str bytes = {natsMsg_GetData(msg), (size_t)natsMsg_GetDataLength(msg)};

    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].id != id)
            continue;
        (void)natsMsgHeader_Get(msg, "Nats-Sequence", &number);
        (void)natsMsgHeader_Get(msg, "Status", &status);
        all->items[i].st = number ? ST_OK : status && !strcmp(status, "404") ? ST_MISSING : ST_NET;
        if (number)
            all->fn(all->ctx, i, number_in(str_of(number)), bytes);
        return true;
    }
    return false;
}

void line_next_all(struct line *l, struct line_want *wants, size_t count, line_found_fn *fn,
                   void *ctx)
{
    char subject[sizeof l->stream + 32], part[sizeof l->prefix + 8];
    natsStatus s = inbox_open(l, &l->found);
    LOCAL_BUF question = BUF_INIT(256);

    (void)snprintf(subject, sizeof subject, "$JS.API.DIRECT.GET.%s", l->stream);
    for (size_t i = 0; i < count; i++) {
        wants[i].st = ST_NET;
        wants[i].id = 0;
        line_subject(l, wants[i].part, part, sizeof part);
        buf_clear(&question);
        buf_addf(&question, "{\"seq\":%" PRIu64 ",\"next_by_subj\":\"%s\"}",
                 wants[i].from ? wants[i].from : 1, part);
        if (s == NATS_OK && is_connected(l))
            s = inbox_post(l, &l->found, subject, buf_str(&question), LINE_ANYWHERE, &wants[i].id);
    }
    if (s == NATS_OK)
        inbox_take(l, &l->found, count, take_found, &(struct wants){wants, count, fn, ctx});
}

struct lasts {
    uint64_t first, *numbers; /* of the first question; answers */
    size_t count, known;
};

static bool take_last(void *ctx, uint64_t id, natsMsg *msg)
{
    struct lasts *all = ctx;
    struct str text = {natsMsg_GetData(msg), (size_t)natsMsg_GetDataLength(msg)};
    uint64_t number = number_of(msg);

    if (id < all->first || id >= all->first + all->count)
        return false;
    all->numbers[id - all->first] = number;
    all->known += number > 0 || str_find(text, STR("\"code\":404"), 0) != SIZE_MAX;
    return true;
}

enum status line_last_all(struct line *l, const uint32_t *parts, size_t count, uint64_t *ret)
{
    char subject[sizeof l->stream + 32], part[sizeof l->prefix + 8];
    struct lasts all = {.first = l->found.posted + 1, .numbers = ret, .count = count};
    natsStatus s = inbox_open(l, &l->found);
    LOCAL_BUF question = BUF_INIT(256);
    uint64_t id;

    (void)snprintf(subject, sizeof subject, "$JS.API.STREAM.MSG.GET.%s",
                   l->stream); /* the leader */
    for (size_t i = 0; i < count && s == NATS_OK; i++) {
        line_subject(l, parts[i], part, sizeof part);
        buf_clear(&question);
        buf_addf(&question, "{\"last_by_subj\":\"%s\"}", part);
        s = is_connected(l)
                ? inbox_post(l, &l->found, subject, buf_str(&question), LINE_ANYWHERE, &id)
                : NATS_CONNECTION_DISCONNECTED;
    }
    if (s == NATS_OK)
        inbox_take(l, &l->found, count, take_last, &all);
    return all.known == count ? ST_OK : status_fail(ST_NET, "NATS: the log cannot be read");
}
