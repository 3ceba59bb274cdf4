/* line.h - the connection to the other nodes: NATS with JetStream, as one crawl uses it.
 *
 * A crawl NAME has on the server
 *
 *     the stream  brood-NAME, with a subject brood.NAME.p.PP for each partition: its log; and
 *                 brood.NAME.p.sPP for its snapshots (snapshot.h)
 *     the bucket  brood-NAME of keys and values: the book, the leases, the options of the crawl
 *
 * Questions of readers (question.h) go to the subject brood.NAME.ask, to all nodes at once.
 *
 * Every call waits for the server, at most a second, and is made by one thread (keeper.c).
 * ST_NET means that the server did not answer, or refused; the call may be tried again. The library
 * reconnects in the background. In a build without libnats, line_open() fails with a sentence that
 * says so, and no other function is called.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"
#include "cluster/partition.h"

struct line;

/* ST_USAGE, with a sentence, if this cannot be the name of a crawl. */
enum status line_name_check(const char *name) MUST_USE;

/* Connects. `urls` are those of the servers, separated by commas; they may contain credentials as
 * NATS allows. `creds` is a file of credentials, or NULL. */
enum status line_open(const char *urls, const char *creds, const char *name,
                      struct line **ret) MUST_USE;
void line_close(struct line *l);

/* Makes stream and bucket, with this number of copies on the servers. ST_EXISTS if they exist. */
enum status line_make(struct line *l, int copies) MUST_USE;
/* Finds them. ST_MISSING if there is no such crawl. */
enum status line_find(struct line *l) MUST_USE;

/* ---- keys and values ---- */

/* Appends the value of a key. ST_MISSING if there is none. */
enum status line_get(struct line *l, const char *key, struct buf *ret,
                     uint64_t *ret_revision) MUST_USE;
/* Writes the key if it still has revision `last` (0: if it does not exist); else ST_BUSY.
 *
 * Where the stream has copies, nats-server (at least 2.9) compares before it replicates: if two
 * write at the same moment, both may be told that they succeeded, and the second value stays. A
 * caller that must know waits for line_settle() and reads again: by then every write that was
 * compared before ours has been replicated. */
enum status line_set(struct line *l, const char *key, struct str value, uint64_t last,
                     uint64_t *ret_revision) MUST_USE;
enum status line_settle(struct line *l) MUST_USE;
/* Writes a key unconditionally, because it has only one writer. */
enum status line_put(struct line *l, const char *key, struct str value) MUST_USE;

/* ---- the log of a partition ---- */

/* As the argument `part`, this stands for the snapshots of a partition. Messages of all logs and
 * snapshots are numbered together. */
#define LINE_SHELF(part) ((part) + PARTITIONS)

enum status line_send(struct line *l, uint32_t part, struct str bytes,
                      uint64_t *ret_number) MUST_USE;

/* A message to be sent; several are sent together. */
struct line_letter {
    uint32_t part;
    struct str bytes;
    uint64_t
        behind;  /* accepted only if this is the last message of its partition; LINE_ANYWHERE, which
                      * it also becomes if the servers cannot promise that */
    uint64_t id; /* in: 0, or the id from a call that got no answer, to wait for it; out: 0,
                      * or the id if there was no answer yet */
    uint64_t number; /* out: of the message, if it was accepted; else 0 */
};
#define LINE_ANYWHERE UINT64_MAX
/* Sends the letters. Those that end without an id and without a number were refused or not sent. */
void line_send_all(struct line *l, struct line_letter *letters, size_t count);

/* Gets the first message of a partition from this number on. ST_MISSING if there is none yet. */
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

/* Reads about `most` messages from this number on, in order, which is faster than one by one. `fn`
 * returns whether it wants more, but may get some more even if it does not. ST_MISSING if there are
 * no more at present. With ST_NET some may have been read. */
typedef bool line_walk_fn(void *ctx, uint64_t number, struct str bytes);
enum status line_walk(struct line *l, uint32_t part, uint64_t from, size_t most, line_walk_fn *fn,
                      void *ctx) MUST_USE;
/* Gets the message of this number, of any partition. ST_MISSING if there is none. */
enum status line_peek(struct line *l, uint64_t number, struct buf *ret,
                      uint32_t *ret_part) MUST_USE;
/* Gets the number of the last message of a partition; 0 if there is none. */
enum status line_last(struct line *l, uint32_t part, uint64_t *ret_number) MUST_USE;
/* The same for several partitions at once; ret[i]: of parts[i]. */
enum status line_last_all(struct line *l, const uint32_t *parts, size_t count,
                          uint64_t *ret) MUST_USE;
/* The number of the last one of all partitions. */
enum status line_end(struct line *l, uint64_t *ret_number) MUST_USE;

/* line_listen() begins or ends to count the messages that others send to a partition. The other
 * function returns how many came since its last call. That is a hint: the log may have them a
 * moment later, and hints may be lost, so waiting code must also look without a hint now and
 * then. */
void line_listen(struct line *l, uint32_t part, bool on);
uint32_t line_hint(struct line *l, uint32_t part);

/* ---- questions ---- */

/* From now on `fn` answers questions, on a thread of the library: it appends the answer. */
typedef void line_answer_fn(void *ctx, struct str question, struct buf *ret);
enum status line_answer(struct line *l, line_answer_fn *fn, void *ctx) MUST_USE;

/* Sends a question to all nodes. `fn` gets the answers as they come: at most `most` of them, and
 * none after the given number of milliseconds. */
typedef void line_heard_fn(void *ctx, struct str answer);
enum status line_ask(struct line *l, struct str question, size_t most, int ms, line_heard_fn *fn,
                     void *ctx) MUST_USE;
