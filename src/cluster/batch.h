/* batch.h - what nodes tell each other: numbered batches of links and outcomes.
 *
 * A batch is one message in the log of a partition. It says who sent it (the number of the node's
 * directory), how many batches that node sent to this partition before, and then
 *
 *     a link      a URL of this partition that was found, the relevance of the page that names it,
 *                 and the words around the link
 *     an outcome  what became of a URL of this partition; written by its owner
 *     a lost page of a URL whose outcome says that it was visited, on a disk that is gone: it may
 *                 be fetched again
 *     a pause     that the host of a URL asked for, or that follows errors: until when
 *     an agent    that goes on to a URL of this partition, with all that it is
 *
 * Snapshots (snapshot.h) are made of items, too: of links, of pauses, and of three kinds of their own.
 *
 * Bytes come from other machines: batch_check() looks at all of them before anything is taken,
 * so that no batch is taken in part. Strings are lent from the bytes.
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
    /* of snapshots alone */
    BATCH_SETTLED, /* a URL, its depth, and what became of it */
    BATCH_DONE,    /* the same of a URL that no message names */
    BATCH_SENDER,  /* which batches of a node came */
};

struct batch_item {
    enum batch_kind kind;
    /* BATCH_LINK; of an agent the URL it goes to, of a lost or settled page its own, and their
     * depth */
    struct str url;     /* absolute, normalised */
    uint8_t link;       /* enum link_kind */
    uint16_t depth;     /* of the URL by this way */
    float relevance;    /* of the page that names it … */
    float similarity;   /* … and its likeness to the topic's words (struct profile) */
    struct str words;   /* around the link, separated by spaces */
    struct span anchor; /* which of them are the link's own */
    /* BATCH_OUTCOME, BATCH_SETTLED, BATCH_DONE */
    uint64_t key;  /* url_key(); not of a settled one */
    enum drop why; /* DROP_NONE: it was visited */
    uint64_t node; /* who said so, in snapshots; BATCH_SENDER: whose batches */
    /* BATCH_SENDER */
    uint64_t from, to; /* from 0: all up to `to` came. Else those from `from` to `to` did not */
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
/* It is large enough: no more should be added. */
bool batch_is_full(const struct batch *b);
/* An agent, which may be large, does not fit in any more. */
bool batch_is_tight(const struct batch *b, const struct batch_item *item);
/* The message; the batch is empty afterwards. */
void batch_take(struct batch *b, uint64_t sender, uint64_t number, struct buf *ret);

/* Is it whole, and within all ceilings? ST_INVALID otherwise. */
enum status batch_check(struct str bytes, struct batch_head *ret) MUST_USE;

/* Does it begin with an outcome? Those come in batches of their own. */
bool batch_is_outcomes(struct str bytes);
/* The same of agents. */
bool batch_is_agents(struct str bytes);

/* The items of a batch that was checked: `from` begins with its bytes. */
void batch_open(struct cursor *from);
void batch_next(struct cursor *from, struct batch_item *ret);

/* An item alone: its bytes, which batch_next() reads; and whether what was read is within all
 * ceilings, whatever its kind. */
void batch_put(struct buf *out, const struct batch_item *item);
bool batch_is_sane(const struct batch_item *item);
