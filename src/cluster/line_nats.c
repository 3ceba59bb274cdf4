/* line_nats.c - the line over libnats, which only this file and line_flight.c know.
 *
 * Messages are read from the stream by number (direct get): a reader has no state on the server, so
 * nothing is to be done when it reconnects, and it reads on from the place in its own checkpoint.
 * Plain subscriptions say when there is something to read. Whoever takes a partition over reads its
 * log through a consumer (line_walk), which is a hundred times faster, and falls back on single
 * messages when the consumer does not answer.
 * SPDX-License-Identifier: MIT */
#include "cluster/line_nats.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/option.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECONNECT  100  /* ms from one attempt to the next */
#define PING_MS    1000 /* between two pings of the server … */
#define PINGS      1    /* … and so many may stay unanswered: then another server is tried */
#define HINTS      256  /* most that wait: more are not needed */
#define QUESTIONS  16   /* most that wait */
#define WALK_FIRST 16   /* messages of a walk that are read one by one */
#define WALK_BATCH 64   /* … and then this many at once */
#define WALK_MS    200  /* that are waited for */

enum status line_fail(natsStatus s, const char *what)
{
    const char *more = nats_GetLastError(NULL);

    return status_fail(ST_NET, "NATS: %s: %s%s%s", what, natsStatus_GetText(s), more ? ": " : "",
                       more ? more : "");
}

void line_subject(const struct line *l, uint32_t part, char *ret, size_t size)
{
    (void)snprintf(ret, size, "%s.%s%02u", l->prefix, part < PARTITIONS ? "" : "s",
                   part % PARTITIONS);
}

static uint32_t part_of_subject(const char *subject)
{
    const char *name = strrchr(subject, '.') + 1;
    bool is_shelf = *name == 's';

    return (uint32_t)strtoul(name + is_shelf, NULL, 10) + (is_shelf ? PARTITIONS : 0);
}

/* Frees a subscription for which messages may be on their way. The thread of libnats that reads the
 * socket finds a subscription under a lock and uses it without one (before 3.6.0; nats.c#637). If
 * it is freed at that moment, the heap is damaged. So we first take it from the list where that
 * thread finds it, and free it when that thread has reached a later answer of the server. */
static void retire(struct line *l, natsSubscription *sub)
{
    if (sub == NULL)
        return;
    (void)natsSubscription_Unsubscribe(sub);
    if (natsConnection_FlushTimeout(l->conn, LINE_WAIT_MS) == NATS_OK) {
        natsSubscription_Destroy(sub);
        return;
    }
    MEM_GROW(l->retired, l->nretired, &l->retired_cap);
    l->retired[l->nretired++] = sub; /* no answer will follow: it is freed with the connection */
}

/* ---- opening ---- */

static natsStatus set_servers(natsOptions *o, const char *urls)
{
    struct str rest = str_of(urls), url;
    struct text_list list = {0};
    natsStatus s;

    while (str_cut(&rest, ',', &url))
        text_list_add(&list, str_trim(url));
    s = natsOptions_SetServers(o, (const char **)list.items, (int)list.count);
    text_list_free(&list);
    return s;
}

static natsStatus set_options(natsOptions *o, const char *urls, const char *creds)
{
    natsStatus s = set_servers(o, urls);

    if (s == NATS_OK)
        s = natsOptions_SetTimeout(o, LINE_WAIT_MS * 2);
    if (s == NATS_OK)
        s = natsOptions_SetMaxReconnect(o, -1);
    if (s == NATS_OK)
        s = natsOptions_SetReconnectWait(o, RECONNECT);
    if (s == NATS_OK) /* a broken connection is not reported: the lease must not end meanwhile */
        s = natsOptions_SetPingInterval(o, PING_MS);
    if (s == NATS_OK)
        s = natsOptions_SetMaxPingsOut(o, PINGS);
    if (s == NATS_OK)
        s = natsOptions_SetName(o, "brood");
    if (s == NATS_OK) /* hints are about messages of others */
        s = natsOptions_SetNoEcho(o, true);
    if (s == NATS_OK && creds)
        s = natsOptions_SetUserCredentialsFromFiles(o, creds, NULL);
    return s;
}

static enum status connect_to(struct line *l, const char *urls, const char *creds)
{
    natsOptions *o = NULL;
    jsOptions js;
    natsStatus s = nats_Open(0); /* no spinning: waiting threads sleep */

    if (s == NATS_OK)
        s = natsOptions_Create(&o);
    if (s == NATS_OK)
        s = set_options(o, urls, creds);
    if (s == NATS_OK)
        s = natsConnection_Connect(&l->conn, o);
    natsOptions_Destroy(o);
    if (s == NATS_OK)
        s = jsOptions_Init(&js);
    if (s == NATS_OK) {
        js.Wait = LINE_WAIT_MS;
        s = natsConnection_JetStream(&l->js, l->conn, &js);
    }
    if (s == NATS_NO_SERVER) /* the library only says it twice */
        return status_fail(ST_NET, "NATS: no server answers where --nats says");
    return s == NATS_OK ? ST_OK : line_fail(s, "no connection");
}

enum status line_open(const char *urls, const char *creds, const char *name, struct line **ret)
{
    struct line *l = MEM_NEW(struct line);
    enum status st;

    (void)pthread_mutex_init(&l->answering, NULL);
    (void)snprintf(l->stream, sizeof l->stream, "brood-%s", name);
    (void)snprintf(l->prefix, sizeof l->prefix, "brood.%s.p", name);
    (void)snprintf(l->ask, sizeof l->ask, "brood.%s.ask", name);
    st = line_name_check(name);
    if (st == ST_OK)
        st = connect_to(l, urls, creds);
    if (st == ST_OK)
        *ret = l;
    else
        line_close(l);
    return st;
}

void line_close(struct line *l)
{
    if (l == NULL)
        return;
    natsConnection_Close(l->conn); /* its thread ends first: see retire() */
    for (uint32_t p = 0; p < PARTITIONS; p++)
        natsSubscription_Destroy(l->hints[p]);
    for (size_t i = 0; i < l->nretired; i++)
        natsSubscription_Destroy(l->retired[i]);
    free(l->retired);
    natsSubscription_Destroy(l->acks.sub);
    natsSubscription_Destroy(l->found.sub);
    natsSubscription_Destroy(l->walk);
    (void)pthread_mutex_lock(&l->answering); /* an answer that is being made ends first */
    l->answer = NULL;
    (void)pthread_mutex_unlock(&l->answering);
    natsSubscription_Destroy(l->questions);
    kvStore_Destroy(l->kv);
    jsCtx_Destroy(l->js);
    natsConnection_Destroy(l->conn);
    (void)nats_CloseAndWait(LINE_WAIT_MS); /* its threads too: a process has one line at a time */
    (void)pthread_mutex_destroy(&l->answering);
    free(l);
}

enum status line_make(struct line *l, int copies)
{
    char all[sizeof l->prefix + 4];
    const char *subjects[] = {all};
    jsStreamConfig stream;
    kvConfig bucket;
    natsStatus s;

    if (line_find(l) == ST_OK)
        return status_fail(ST_EXISTS, "there is a crawl of this name already: join it with "
                                      "`brood node`, or give another name");
    (void)snprintf(all, sizeof all, "%s.*", l->prefix);
    (void)jsStreamConfig_Init(&stream);
    stream.Name = l->stream;
    stream.Subjects = subjects;
    stream.SubjectsLen = 1;
    stream.Replicas = copies;
    stream.MaxMsgSize = LIMIT_BATCH;
    stream.AllowDirect = true;
    s = js_AddStream(NULL, l->js, &stream, NULL, NULL);
    (void)kvConfig_Init(&bucket);
    bucket.Bucket = l->stream;
    bucket.History = 1;
    bucket.Replicas = copies;
    l->has_copies = copies > 1;
    if (s == NATS_OK)
        s = js_CreateKeyValue(&l->kv, l->js, &bucket);
    return s == NATS_OK ? ST_OK
                        : line_fail(s, "the crawl's stream cannot be made (is JetStream on?)");
}

enum status line_find(struct line *l)
{
    jsStreamInfo *info = NULL;
    natsStatus s = js_KeyValue(&l->kv, l->js, l->stream);

    if (s == NATS_OK)
        s = js_GetStreamInfo(&info, l->js, l->stream, NULL, NULL);
    l->has_copies = s != NATS_OK || info->Config->Replicas > 1;
    jsStreamInfo_Destroy(info);
    if (s == NATS_NOT_FOUND)
        return status_fail(ST_MISSING, "there is no crawl of this name: `brood crawl … --nats URL "
                                       "--name NAME` starts one");
    return s == NATS_OK ? ST_OK
                        : line_fail(s, "the crawl's keys cannot be read (is JetStream on?)");
}

/* ---- keys and values ---- */

enum status line_get(struct line *l, const char *key, struct buf *ret, uint64_t *ret_revision)
{
    char stream[sizeof l->stream + 4], subject[sizeof l->stream + 64];
    natsMsg *msg = NULL;
    natsStatus s;

    (void)snprintf(stream, sizeof stream, "KV_%s", l->stream);
    (void)snprintf(subject, sizeof subject, "$KV.%s.%s", l->stream, key);
    s = js_GetLastMsg(&msg, l->js, stream, subject, NULL, NULL); /* from the leader: others lag */
    if (s == NATS_NOT_FOUND)
        return status_fail(ST_MISSING, "there is no key %s", key);
    if (s != NATS_OK)
        return line_fail(s, key);
    buf_add(ret, natsMsg_GetData(msg), (size_t)natsMsg_GetDataLength(msg));
    *ret_revision = natsMsg_GetSequence(msg);
    natsMsg_Destroy(msg);
    return buf_check(ret);
}

/* The library does not say why a write failed: was another first? */
static enum status set_failed(struct line *l, const char *key, uint64_t last, natsStatus s)
{
    struct buf now = BUF_INIT(MIB(1));
    uint64_t revision = 0;
    enum status st = line_get(l, key, &now, &revision);

    buf_free(&now);
    if ((st == ST_OK && revision != last) || (st == ST_MISSING && last > 0))
        return status_fail(ST_BUSY, "%s was changed by another node, or lost", key);
    return st == ST_OK || st == ST_MISSING ? line_fail(s, key) : st;
}

enum status line_set(struct line *l, const char *key, struct str value, uint64_t last,
                     uint64_t *ret_revision)
{
    natsStatus s = last ? kvStore_Update(ret_revision, l->kv, key, value.ptr, (int)value.len, last)
                        : kvStore_Create(ret_revision, l->kv, key, value.ptr, (int)value.len);

    return s == NATS_OK ? ST_OK : set_failed(l, key, last, s);
}

enum status line_put(struct line *l, const char *key, struct str value)
{
    uint64_t revision;
    natsStatus s = kvStore_Put(&revision, l->kv, key, value.ptr, (int)value.len);

    return s == NATS_OK ? ST_OK : line_fail(s, "nothing can be written");
}

enum status line_settle(struct line *l)
{
    return line_put(l, "settled", STR(""));
}

/* ---- the log ---- */

enum status line_send(struct line *l, uint32_t part, struct str bytes, uint64_t *ret_number)
{
    char subject[sizeof l->prefix + 8];
    jsPubAck *ack = NULL;
    natsStatus s;

    line_subject(l, part, subject, sizeof subject);
    s = js_Publish(&ack, l->js, subject, bytes.ptr, (int)bytes.len, NULL, NULL);
    if (s != NATS_OK)
        return line_fail(s, "a batch was not accepted");
    *ret_number = ack->Sequence;
    jsPubAck_Destroy(ack);
    return ST_OK;
}

enum status line_next(struct line *l, uint32_t part, uint64_t from, struct buf *ret,
                      uint64_t *ret_number)
{
    char subject[sizeof l->prefix + 8];
    jsDirectGetMsgOptions o;
    natsMsg *msg = NULL;
    natsStatus s;

    line_subject(l, part, subject, sizeof subject);
    (void)jsDirectGetMsgOptions_Init(&o);
    o.Sequence = from ? from : 1;
    o.NextBySubject = subject;
    s = js_DirectGetMsg(&msg, l->js, l->stream, NULL, &o);
    if (s == NATS_NOT_FOUND)
        return status_fail(ST_MISSING, "there is no message yet");
    if (s != NATS_OK)
        return line_fail(s, "the log cannot be read");
    buf_add(ret, natsMsg_GetData(msg), (size_t)natsMsg_GetDataLength(msg));
    *ret_number = natsMsg_GetSequence(msg);
    natsMsg_Destroy(msg);
    return ST_OK;
}

/* ---- many messages ---- */

static void walk_end(struct line *l)
{
    retire(l, l->walk);
    l->walk = NULL;
}

/* The consumer has no timer and gets nothing without a request; the server removes it when requests
 * cease. */
static natsStatus walk_begin(struct line *l)
{
    char subject[sizeof l->prefix + 8];
    jsSubOptions o;

    line_subject(l, l->walk_part, subject, sizeof subject);
    (void)jsSubOptions_Init(&o);
    o.Stream = l->stream;
    o.Config.AckPolicy = js_AckNone;
    o.Config.DeliverPolicy = js_DeliverByStartSequence;
    o.Config.OptStartSeq = l->walk_next;
    l->walk_count = 0;
    return js_PullSubscribe(&l->walk, l->js, subject, NULL, NULL, &o, NULL);
}

static natsStatus walk_take(struct line *l, natsMsg *msg, line_walk_fn *fn, void *ctx,
                            bool *ret_more)
{
    struct str bytes = {natsMsg_GetData(msg), (size_t)natsMsg_GetDataLength(msg)};
    jsMsgMetaData *meta = NULL;
    natsStatus s = natsMsg_GetMetaData(&meta, msg);

    if (s == NATS_OK && meta->Sequence.Consumer != ++l->walk_count)
        s = NATS_MISMATCH; /* some did not reach us */
    if (s == NATS_OK) {
        l->walk_next = meta->Sequence.Stream + 1;
        *ret_more = fn(ctx, meta->Sequence.Stream, bytes);
    }
    jsMsgMetaData_Destroy(meta);
    return s;
}

/* Passes on the next messages of the walk, all that were asked for. NATS_TIMEOUT at the end, or if
 * there is no answer. */
static natsStatus walk_step(struct line *l, line_walk_fn *fn, void *ctx, bool *ret_more)
{
    natsMsgList list = {0};
    natsStatus s = natsSubscription_Fetch(&list, l->walk, WALK_BATCH, WALK_MS, NULL);

    for (int i = 0; i < list.Count && s == NATS_OK; i++)
        s = walk_take(l, list.Msgs[i], fn, ctx, ret_more);
    natsMsgList_Destroy(&list);
    return s;
}

/* Reads messages one by one, because a short log is read before a consumer could be made, and a
 * silent consumer may be dead. */
static enum status walk_singly(struct line *l, uint32_t part, size_t most, line_walk_fn *fn,
                               void *ctx, bool *ret_more)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    enum status st = ST_OK;
    uint64_t number;

    for (size_t n = 0; st == ST_OK && *ret_more && n < most; n++) {
        buf_clear(&bytes);
        st = line_next(l, part, l->walk_next, &bytes, &number);
        if (st == ST_OK) {
            l->walk_next = number + 1;
            *ret_more = fn(ctx, number, buf_str(&bytes));
        }
    }
    buf_free(&bytes);
    return st;
}

enum status line_walk(struct line *l, uint32_t part, uint64_t from, size_t most, line_walk_fn *fn,
                      void *ctx)
{
    natsStatus s = NATS_OK;
    enum status st = ST_OK;
    bool more = true;

    if (l->walk == NULL || l->walk_part != part || l->walk_next != from) {
        walk_end(l);
        l->walk_part = part;
        l->walk_next = from;
        st = walk_singly(l, part, WALK_FIRST, fn, ctx, &more);
        if (st == ST_OK && more)
            s = walk_begin(l);
    }
    for (size_t n = 0; st == ST_OK && s == NATS_OK && more && n < most; n += WALK_BATCH)
        s = walk_step(l, fn, ctx, &more);
    if (s != NATS_OK) {
        walk_end(l);
        st = walk_singly(l, part, 1, fn, ctx, &more);
    }
    return st;
}

enum status line_peek(struct line *l, uint64_t number, struct buf *ret, uint32_t *ret_part)
{
    natsMsg *msg = NULL;
    natsStatus s = js_GetMsg(&msg, l->js, l->stream, number, NULL, NULL); /* from the leader */

    if (s == NATS_NOT_FOUND)
        return status_fail(ST_MISSING, "there is no such message");
    if (s != NATS_OK)
        return line_fail(s, "the log cannot be read");
    buf_add(ret, natsMsg_GetData(msg), (size_t)natsMsg_GetDataLength(msg));
    *ret_part = part_of_subject(natsMsg_GetSubject(msg));
    natsMsg_Destroy(msg);
    return ST_OK;
}

enum status line_last(struct line *l, uint32_t part, uint64_t *ret_number)
{
    char subject[sizeof l->prefix + 8];
    natsMsg *msg = NULL;
    natsStatus s;

    line_subject(l, part, subject, sizeof subject);
    s = js_GetLastMsg(&msg, l->js, l->stream, subject, NULL, NULL); /* from the leader */
    *ret_number = 0;
    if (s == NATS_NOT_FOUND)
        return ST_OK;
    if (s != NATS_OK)
        return line_fail(s, "the log cannot be read");
    *ret_number = natsMsg_GetSequence(msg);
    natsMsg_Destroy(msg);
    return ST_OK;
}

enum status line_end(struct line *l, uint64_t *ret_number)
{
    jsStreamInfo *info = NULL;
    natsStatus s = js_GetStreamInfo(&info, l->js, l->stream, NULL, NULL);

    if (s != NATS_OK)
        return line_fail(s, "the state of the stream cannot be read");
    *ret_number = info->State.LastSeq;
    jsStreamInfo_Destroy(info);
    return ST_OK;
}

/* ---- hints ---- */

void line_listen(struct line *l, uint32_t part, bool on)
{
    char subject[sizeof l->prefix + 8];

    if (on && l->hints[part] == NULL) {
        line_subject(l, part, subject, sizeof subject);
        if (natsConnection_SubscribeSync(&l->hints[part], l->conn, subject) == NATS_OK)
            (void)natsSubscription_SetPendingLimits(l->hints[part], HINTS, HINTS * LIMIT_BATCH);
    } else if (!on && l->hints[part]) {
        retire(l, l->hints[part]);
        l->hints[part] = NULL;
    }
}

uint32_t line_hint(struct line *l, uint32_t part)
{
    natsMsg *msg = NULL;
    uint32_t came = 0;

    while (l->hints[part] && natsSubscription_NextMsg(&msg, l->hints[part], 0) == NATS_OK) {
        natsMsg_Destroy(msg);
        came++;
    }
    return came;
}

/* ---- questions ---- */

/* An answer goes to an inbox and nowhere else. Otherwise somebody who may only ask questions could
 * make a node write to the book, to a lease or to a log. */
static bool is_inbox(const char *subject)
{
    return subject && str_starts(str_of(subject), STR("_INBOX."));
}

static void on_question(natsConnection *conn, natsSubscription *sub, natsMsg *msg, void *ctx)
{
    struct line *l = ctx;
    const char *to = natsMsg_GetReply(msg);
    struct buf answer = BUF_INIT(LIMIT_ANSWER);
    struct str question = {natsMsg_GetData(msg), (size_t)natsMsg_GetDataLength(msg)};

    (void)sub;
    (void)pthread_mutex_lock(&l->answering);
    if (is_inbox(to) && question.len <= LIMIT_QUESTION && l->answer) {
        l->answer(l->answer_ctx, question, &answer);
        if (!answer.full && answer.len > 0) /* else the question is for another node */
            (void)natsConnection_Publish(conn, to, answer.data, (int)answer.len);
    }
    (void)pthread_mutex_unlock(&l->answering);
    buf_free(&answer);
    natsMsg_Destroy(msg);
}

enum status line_answer(struct line *l, line_answer_fn *fn, void *ctx)
{
    natsStatus s;

    l->answer = fn;
    l->answer_ctx = ctx;
    s = natsConnection_Subscribe(&l->questions, l->conn, l->ask, on_question, l);
    if (s == NATS_OK) /* a thousand questions do not get a thousand answers */
        s = natsSubscription_SetPendingLimits(l->questions, QUESTIONS, QUESTIONS * LIMIT_QUESTION);
    return s == NATS_OK ? ST_OK : line_fail(s, "questions cannot be heard");
}

enum status line_ask(struct line *l, struct str question, size_t most, int ms, line_heard_fn *fn,
                     void *ctx)
{
    natsSubscription *answers = NULL;
    natsInbox *inbox = NULL;
    natsStatus s = natsInbox_Create(&inbox);
    int64_t until = nats_Now() + ms;

    if (s == NATS_OK)
        s = natsConnection_SubscribeSync(&answers, l->conn, inbox);
    if (s == NATS_OK)
        s = natsConnection_PublishRequest(l->conn, l->ask, inbox, question.ptr, (int)question.len);
    for (size_t i = 0; i < most && s == NATS_OK && nats_Now() < until; i++) {
        natsMsg *msg = NULL;

        s = natsSubscription_NextMsg(&msg, answers, until - nats_Now());
        if (s == NATS_OK && natsMsg_GetDataLength(msg) > 0)
            fn(ctx, (struct str){natsMsg_GetData(msg), (size_t)natsMsg_GetDataLength(msg)});
        natsMsg_Destroy(msg);
    }
    retire(l, answers);
    natsInbox_Destroy(inbox);
    if (s == NATS_TIMEOUT || s == NATS_NO_RESPONDERS)
        s = NATS_OK;
    return s == NATS_OK ? ST_OK : line_fail(s, "nobody could be asked");
}
