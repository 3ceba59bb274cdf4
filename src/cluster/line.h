/* line.h - the connection to the other nodes: NATS with JetStream, as one crawl uses it.
 *
 * A crawl NAME has on the server
 *
 *     the stream  brood-NAME, with a subject brood.NAME.p.PP for each partition: its log; and
 *                 brood.NAME.p.sPP for its snapshots (snapshot.h)
 *     the bucket  brood-NAME of keys and values: the book, the leases, what nodes must know
 *
 * Questions of those who read (question.h) go to the subject brood.NAME.ask, to all nodes at once.
 *
 * Every call waits for the server, at most a second, and is made by one thread (keeper.c).
 * ST_NET: the server did not answer, or said no; it may be tried again. Reconnecting goes on
 * behind the scenes. Without libnats, line_open() says so, and nothing else is ever called.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"
#include "cluster/partition.h"

struct line;

/* May it be the name of a crawl? ST_USAGE with a sentence. */
enum status line_name_check(const char *name) MUST_USE;

/* `urls`: those of the servers, separated by commas; credentials as NATS has them in URLs, or
 * `creds`, a file of credentials (NULL: none). */
enum status line_open(const char *urls, const char *creds, const char *name,
                      struct line **ret) MUST_USE;
void line_close(struct line *l);

/* Makes stream and bucket, with so many copies on the servers. ST_EXISTS: they exist already. */
enum status line_make(struct line *l, int copies) MUST_USE;
/* Finds them. ST_MISSING: nobody has started such a crawl. */
enum status line_find(struct line *l) MUST_USE;

/* ---- keys and values ---- */

/* The value is appended. ST_MISSING: there is none. */
enum status line_get(struct line *l, const char *key, struct buf *ret,
                     uint64_t *ret_revision) MUST_USE;
/* Writes the key if it still has revision `last` (0: if it is not there). ST_BUSY: it has not.
 *
 * Where the stream has copies, nats-server (at least 2.9) compares before it replicates: of two
 * writers at the same moment both may be told that they were first, and the second one counts. Who
 * must know waits for line_settle() and reads again: whatever was compared before
 * our write is there then. */
enum status line_set(struct line *l, const char *key, struct str value, uint64_t last,
                     uint64_t *ret_revision) MUST_USE;
enum status line_settle(struct line *l) MUST_USE;
/* Writes a key that has only one writer, whatever its value was before. */
enum status line_put(struct line *l, const char *key, struct str value) MUST_USE;

/* ---- the log of a partition ---- */

/* Where a partition is asked for, this is the place of its snapshots instead. Messages of all places
 * are numbered together. */
#define LINE_SHELF(part) ((part) + PARTITIONS)

enum status line_send(struct line *l, uint32_t part, struct str bytes,
                      uint64_t *ret_number) MUST_USE;

/* Several at once: they are on their way together. */
struct line_letter {
    uint32_t part;
    struct str bytes;
    uint64_t
        behind;  /* taken only if this is the last message of its partition; LINE_ANYWHERE, which
                      * it also becomes where the servers cannot promise that */
    uint64_t id; /* in: 0, or of an earlier call that heard no answer, which is waited for; out: 0,
                      * or there was none yet */
    uint64_t number; /* out: of the message, if it was taken; else 0 */
};
#define LINE_ANYWHERE UINT64_MAX
/* Those without an answer and without a number were refused, or could not be sent. */
void line_send_all(struct line *l, struct line_letter *letters, size_t count);

/* The first message of a partition from this number on. ST_MISSING: there is none yet. */
enum status line_next(struct line *l, uint32_t part, uint64_t from, struct buf *ret,
                      uint64_t *ret_number) MUST_USE;
/* The same for several partitions at once. `fn` gets what was found; `st` is what line_next() would
 * return. */
struct line_want {
    uint32_t part;
    uint64_t from;
    enum status st; /* out */
    uint64_t id;    /* for the line */
};
typedef void line_found_fn(void *ctx, size_t want, uint64_t number, struct str bytes);
void line_next_all(struct line *l, struct line_want *wants, size_t count, line_found_fn *fn,
                   void *ctx);

/* Reads about so many messages from this number on, in their order; faster than one by one. `fn`
 * says whether it wants more, and may get some more even if it does not. ST_MISSING: there are no
 * more now. ST_NET: some may have come. */
typedef bool line_walk_fn(void *ctx, uint64_t number, struct str bytes);
enum status line_walk(struct line *l, uint32_t part, uint64_t from, size_t most, line_walk_fn *fn,
                      void *ctx) MUST_USE;
/* The message of this number, whatever its partition. ST_MISSING: it is not there. */
enum status line_peek(struct line *l, uint64_t number, struct buf *ret,
                      uint32_t *ret_part) MUST_USE;
/* The number of the last one; 0: none. */
enum status line_last(struct line *l, uint32_t part, uint64_t *ret_number) MUST_USE;
/* The same for several partitions at once; ret[i]: of parts[i]. */
enum status line_last_all(struct line *l, const uint32_t *parts, size_t count,
                          uint64_t *ret) MUST_USE;
/* The number of the last one of all partitions. */
enum status line_end(struct line *l, uint64_t *ret_number) MUST_USE;

/* Hints: how many messages have others sent to this partition since the last call? Only while it is
 * listened to. The log may have them a moment later. A hint may be lost, so those who wait also look
 * without one now and then. */
void line_listen(struct line *l, uint32_t part, bool on);
uint32_t line_hint(struct line *l, uint32_t part);

/* ---- questions ---- */

/* From now on questions are answered, by a thread of the library: `fn` appends the answer. */
typedef void line_answer_fn(void *ctx, struct str question, struct buf *ret);
enum status line_answer(struct line *l, line_answer_fn *fn, void *ctx) MUST_USE;

/* Asks all who answer. `fn` gets the answers as they come: at most `most` of them, and none after so
 * many milliseconds. */
typedef void line_heard_fn(void *ctx, struct str answer);
enum status line_ask(struct line *l, struct str question, size_t most, int ms, line_heard_fn *fn,
                     void *ctx) MUST_USE;
