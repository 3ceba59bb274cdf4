/* line_nats.c - the line over libnats: the only file that knows it.
 *
 * Messages are read from the stream by number (direct get), not by consumers: a reader has no
 * state on the server, so nothing is to be done when it reconnects, and it reads on from the place
 * in its own checkpoint. Plain subscriptions say when there is something to read.
 * SPDX-License-Identifier: MIT */
#include "cluster/line.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/option.h"
#include "cluster/partition.h"

#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAIT_MS   1000 /* for an answer of the server */
#define NAME_MOST 64
#define RECONNECT 100 /* ms from one attempt to the next */
#define HINTS     8   /* that wait at most: one is enough */

struct line {
    natsConnection *conn;
    jsCtx *js;
    kvStore *kv;
    char stream[NAME_MOST + 8];  /* and the bucket */
    char prefix[NAME_MOST + 16]; /* of the subjects */
    natsSubscription *hints[PARTITIONS];
};

static enum status fail(natsStatus s, const char *what)
{
    const char *more = nats_GetLastError(NULL);

    return status_fail(ST_NET, "NATS: %s: %s%s%s", what, natsStatus_GetText(s), more ? ": " : "",
                       more ? more : "");
}

static void subject_of(const struct line *l, uint32_t part, char *ret, size_t size)
{
    (void)snprintf(ret, size, "%s.%02u", l->prefix, part);
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
        s = natsOptions_SetTimeout(o, WAIT_MS * 2);
    if (s == NATS_OK)
        s = natsOptions_SetMaxReconnect(o, -1);
    if (s == NATS_OK)
        s = natsOptions_SetReconnectWait(o, RECONNECT);
    if (s == NATS_OK)
        s = natsOptions_SetName(o, "brood");
    if (s == NATS_OK && creds)
        s = natsOptions_SetUserCredentialsFromFiles(o, creds, NULL);
    return s;
}

static enum status connect_to(struct line *l, const char *urls, const char *creds)
{
    natsOptions *o = NULL;
    jsOptions js;
    natsStatus s = nats_Open(0); /* no spinning: whoever waits sleeps */

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
        js.Wait = WAIT_MS;
        s = natsConnection_JetStream(&l->js, l->conn, &js);
    }
    if (s == NATS_NO_SERVER) /* the library only says it twice */
        return status_fail(ST_NET, "NATS: no server answers where --nats says");
    return s == NATS_OK ? ST_OK : fail(s, "no connection");
}

enum status line_open(const char *urls, const char *creds, const char *name, struct line **ret)
{
    struct line *l = MEM_NEW(struct line);
    enum status st;

    (void)snprintf(l->stream, sizeof l->stream, "brood-%s", name);
    (void)snprintf(l->prefix, sizeof l->prefix, "brood.%s.p", name);
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
    for (uint32_t p = 0; p < PARTITIONS; p++)
        line_listen(l, p, false);
    kvStore_Destroy(l->kv);
    jsCtx_Destroy(l->js);
    natsConnection_Destroy(l->conn);
    (void)nats_CloseAndWait(WAIT_MS); /* its threads too: a process has one line at a time */
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
    if (s == NATS_OK)
        s = js_CreateKeyValue(&l->kv, l->js, &bucket);
    return s == NATS_OK ? ST_OK : fail(s, "the crawl's stream cannot be made (is JetStream on?)");
}

enum status line_find(struct line *l)
{
    natsStatus s = js_KeyValue(&l->kv, l->js, l->stream);

    if (s == NATS_NOT_FOUND)
        return status_fail(ST_MISSING, "there is no crawl of this name: `brood crawl … --nats URL "
                                       "--name NAME` starts one");
    return s == NATS_OK ? ST_OK : fail(s, "the crawl's keys cannot be read (is JetStream on?)");
}

/* ---- keys and values ---- */

enum status line_get(struct line *l, const char *key, struct buf *ret, uint64_t *ret_revision)
{
    kvEntry *e = NULL;
    natsStatus s = kvStore_Get(&e, l->kv, key);

    if (s == NATS_NOT_FOUND)
        return status_fail(ST_MISSING, "there is no key %s", key);
    if (s != NATS_OK)
        return fail(s, key);
    buf_add(ret, kvEntry_Value(e), (size_t)kvEntry_ValueLen(e));
    *ret_revision = kvEntry_Revision(e);
    kvEntry_Destroy(e);
    return buf_check(ret);
}

/* The library does not say why a write failed: was another first? */
static enum status set_failed(struct line *l, const char *key, uint64_t last, natsStatus s)
{
    struct buf now = BUF_INIT(MIB(1));
    uint64_t revision = 0;
    enum status st = line_get(l, key, &now, &revision);

    buf_free(&now);
    if (st == ST_OK && revision != last)
        return status_fail(ST_BUSY, "%s was changed by another node", key);
    return st == ST_OK || st == ST_MISSING ? fail(s, key) : st;
}

enum status line_set(struct line *l, const char *key, struct str value, uint64_t last,
                     uint64_t *ret_revision)
{
    natsStatus s = last ? kvStore_Update(ret_revision, l->kv, key, value.ptr, (int)value.len, last)
                        : kvStore_Create(ret_revision, l->kv, key, value.ptr, (int)value.len);

    return s == NATS_OK ? ST_OK : set_failed(l, key, last, s);
}

/* ---- the log ---- */

enum status line_send(struct line *l, uint32_t part, struct str bytes, uint64_t *ret_number)
{
    char subject[sizeof l->prefix + 8];
    jsPubAck *ack = NULL;
    natsStatus s;

    subject_of(l, part, subject, sizeof subject);
    s = js_Publish(&ack, l->js, subject, bytes.ptr, (int)bytes.len, NULL, NULL);
    if (s != NATS_OK)
        return fail(s, "a batch was not accepted");
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

    subject_of(l, part, subject, sizeof subject);
    (void)jsDirectGetMsgOptions_Init(&o);
    o.Sequence = from ? from : 1;
    o.NextBySubject = subject;
    s = js_DirectGetMsg(&msg, l->js, l->stream, NULL, &o);
    if (s == NATS_NOT_FOUND)
        return status_fail(ST_MISSING, "there is no message yet");
    if (s != NATS_OK)
        return fail(s, "the log cannot be read");
    buf_add(ret, natsMsg_GetData(msg), (size_t)natsMsg_GetDataLength(msg));
    *ret_number = natsMsg_GetSequence(msg);
    natsMsg_Destroy(msg);
    return ST_OK;
}

enum status line_last(struct line *l, uint32_t part, uint64_t *ret_number)
{
    char subject[sizeof l->prefix + 8];
    natsMsg *msg = NULL;
    natsStatus s;

    subject_of(l, part, subject, sizeof subject);
    s = js_GetLastMsg(&msg, l->js, l->stream, subject, NULL, NULL); /* from the leader */
    *ret_number = 0;
    if (s == NATS_NOT_FOUND)
        return ST_OK;
    if (s != NATS_OK)
        return fail(s, "the log cannot be read");
    *ret_number = natsMsg_GetSequence(msg);
    natsMsg_Destroy(msg);
    return ST_OK;
}

enum status line_end(struct line *l, uint64_t *ret_number)
{
    jsStreamInfo *info = NULL;
    natsStatus s = js_GetStreamInfo(&info, l->js, l->stream, NULL, NULL);

    if (s != NATS_OK)
        return fail(s, "the state of the stream cannot be read");
    *ret_number = info->State.LastSeq;
    jsStreamInfo_Destroy(info);
    return ST_OK;
}

/* ---- hints ---- */

void line_listen(struct line *l, uint32_t part, bool on)
{
    char subject[sizeof l->prefix + 8];

    if (on && l->hints[part] == NULL) {
        subject_of(l, part, subject, sizeof subject);
        if (natsConnection_SubscribeSync(&l->hints[part], l->conn, subject) == NATS_OK)
            (void)natsSubscription_SetPendingLimits(l->hints[part], HINTS, HINTS * LIMIT_BATCH);
    } else if (!on && l->hints[part]) {
        natsSubscription_Destroy(l->hints[part]);
        l->hints[part] = NULL;
    }
}

bool line_hint(struct line *l, uint32_t part)
{
    natsMsg *msg = NULL;
    bool came = false;

    while (l->hints[part] && natsSubscription_NextMsg(&msg, l->hints[part], 0) == NATS_OK) {
        natsMsg_Destroy(msg);
        came = true;
    }
    return came;
}
