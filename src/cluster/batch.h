/* batch.h - the messages between nodes: numbered batches of links and outcomes.
 *
 * A batch is one message in the log of a partition. It says who sent it (the number of the node's
 * directory), how many batches that node sent to this partition before, and then
 *
 *     a link      a URL of this partition that was found, the relevance of the page that has it,
 *                 and the words around the link
 *     an outcome  what became of a URL of this partition; written by its owner
 *     a lost page of a URL whose outcome says that it was visited, on a disk that is gone: it may
 *                 be fetched again
 *     a pause     that the host of a URL asked for, or that follows errors: until when
 *     an agent    that moves to a URL of this partition, with its whole state
 *
 * Snapshots (snapshot.h) consist of items too: of links, of pauses, and of three kinds of their
 * own.
 *
 * Bytes come from other machines: batch_check() checks all of them before anything is used, so that
 * no batch is used in part. Strings point into the bytes.
 */
#pragma once

#include "base/buf.h"
#include "flow.h"

enum batch_kind {
    BATCH_LINK = 1,
    BATCH_OUTCOME,
    BATCH_AGENT,
    BATCH_LOST,
    BATCH_PAUSE,
    /* only in snapshots */
    BATCH_SETTLED, /* a URL, its depth, and what became of it */
    BATCH_DONE,    /* the same for a URL that no message names */
    BATCH_SENDER,  /* which batches of a node arrived */
};

struct batch_item {
    enum batch_kind kind;
    /* BATCH_LINK: the link. An agent: the URL to which it goes. A lost or settled page: its own
     * URL. With their depths */
    struct str url;     /* absolute, normalised */
    uint8_t link;       /* enum link_kind */
    uint16_t depth;     /* of the URL by this way */
    float relevance;    /* of the page that names it … */
    float similarity;   /* … and its likeness to the topic's words (struct profile) */
    struct str words;   /* around the link, separated by spaces */
    struct span anchor; /* which of them are the link's own */
    /* BATCH_OUTCOME, BATCH_SETTLED, BATCH_DONE */
    uint64_t key;  /* url_key(); not for BATCH_SETTLED */
    enum drop why; /* DROP_NONE: it was visited */
    uint64_t node; /* in snapshots: the node that reported it; BATCH_SENDER: whose batches */
    /* BATCH_SENDER */
    uint64_t from, to; /* from 0: all up to `to` arrived; else `from` to `to` are missing */
    /* BATCH_PAUSE */
    int64_t until; /* by the sender's clock, us since 1970 */
    /* BATCH_AGENT */
    struct str agent; /* its record and its mind, as node/travel.c packs them */
};

struct batch_head {
    uint64_t sender, number;
    uint32_t count;
};

/* A batch that is being filled. */
struct batch {
    struct buf bytes;
    uint32_t count;
};

void batch_init(struct batch *b);
void batch_clear(struct batch *b); /* frees it; may be filled again */
void batch_add(struct batch *b, const struct batch_item *item);
/* Is it so large that no more should be added? */
bool batch_is_full(const struct batch *b);
/* Is there no more room for this item? An agent may be large. */
bool batch_is_tight(const struct batch *b, const struct batch_item *item);
/* Writes the message; the batch is empty afterwards. */
void batch_take(struct batch *b, uint64_t sender, uint64_t number, struct buf *ret);

/* ST_INVALID unless the batch is complete and within all ceilings. */
enum status batch_check(struct str bytes, struct batch_head *ret) MUST_USE;

/* Does it begin with an outcome? Those come in batches of their own. */
bool batch_is_outcomes(struct str bytes);
/* Does it begin with an agent? Those too come in batches of their own. */
bool batch_is_agents(struct str bytes);

/* Begins to read the items of a batch that was checked: `from` has its bytes. */
void batch_open(struct cursor *from);
void batch_next(struct cursor *from, struct batch_item *ret);

/* batch_put() appends a single item, for batch_next() to read; the other function checks that an
 * item that was read, of any kind, is within all ceilings. */
void batch_put(struct buf *out, const struct batch_item *item);
bool batch_is_sane(const struct batch_item *item);
