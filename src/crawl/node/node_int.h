/* node_int.h - the parts of a node, for the files of this folder. */
#pragma once

#include "base/map.h"
#include "cluster/batch.h"
#include "cluster/cluster.h"
#include "cluster/snapshot.h"
#include "crawl/crawl_int.h"
#include "crawl/node/node.h"
#include "crawl/node/travel.h"

/* A batch that was numbered, until the bus can no longer lose it. */
struct kept_batch {
    uint32_t part;
    uint64_t number;
    uint64_t checkpoint; /* its checkpoint, counted in this process; 0: an earlier one */
    uint64_t will;       /* the will that must be confirmed before it is sent; 0: none … */
    bool is_willed;      /* … and that will has it */
    int64_t at;          /* unique: batches are sent in this order, even by the next process */
    char *bytes;
    size_t len;
};

/* The outcome of a URL, kept until the next checkpoint. */
struct fate {
    uint64_t key;
    uint32_t part;
    enum drop why;
};

/* The last batch of a sender that was taken for a partition. */
struct last_batch {
    uint64_t sender, number;
    uint32_t part;
};

/* Missing batches of a sender, of which later ones arrived. */
struct gap {
    uint64_t sender, from, to;
    uint32_t part;
    int64_t at; /* when it was found, or this process began */
};

struct node_part {
    bool ours;                /* its hosts may be asked */
    bool closing;             /* it is to be given away */
    uint64_t token, position; /* as in struct cluster_part */
    uint64_t taken;           /* while its log comes in: agents up to here belong to others … */
    bool has_receipts;        /* … unless receipts say which */
    uint32_t flying;          /* requests to its hosts that are under way */
    struct batch open;        /* links gathered since the last checkpoint */
    uint64_t number;          /* of the last batch for it */
    struct incoming *log, **tail; /* while its log comes in */
};

struct node {
    struct cluster *cluster;
    struct cluster_view view;
    uint64_t id;
    struct buf seen; /* the newest book at the last checkpoint of the process before */
    struct text_list seeds;
    struct node_part parts[PARTITIONS];
    struct map hosts;  /* hash of a host -> its partition */
    struct map told;   /* URL -> the relevance, as bits, with which it was last sent to its owner */
    struct map pauses; /* number of a host -> until when it is paused, as last reported; seconds */
    struct fate *fates;
    size_t nfates, fates_cap;
    struct kept_batch *kept;
    size_t first, next, count, cap; /* of kept: the oldest, the next to be sent */
    struct last_batch *last;
    size_t nlast, last_cap;
    struct map last_at; /* hash of sender and partition -> place in `last` */
    struct gap *gaps;
    size_t ngaps, gaps_cap;
    struct receipts claimed; /* of partitions here: agents in these batches belong to others */
    struct travel travel;
    int64_t paced_at;     /* since then … */
    uint64_t paced_pages; /* … when it had stored so many pages … */
    uint64_t pace;        /* … and so many in the GRANT_AHEAD before that */
    int64_t turn_at;      /* of the next turn, unless there is no work left here */
    int64_t closed_at;    /* `at` of the last batch */
    int64_t gathered_at;  /* since when items wait for the next checkpoint; 0: none do */
    uint64_t losses;      /* losses of keys that the log tells of */
    uint64_t rollbacks;   /* that were handled */
    int64_t forget_at;    /* when batches that are safe are looked for next */
    int64_t again_at;     /* batches that others miss are not sent again before this … */
    int64_t agents_at;    /* … and those of agents that have not arrived not before this */
    uint64_t lost;        /* batches that were broken, or too many */
    bool taking;          /* the events being posted came from the bus */
    int paused;           /* atomic: is the crawl paused? For those who ask over the bus … */
    int order;            /* … and atomic: the order they gave (asked_node.order) */
};

uint32_t node_part_of(struct node *n, struct str host);
/* The partition of an absolute URL. */
uint32_t node_part_of_url(struct node *n, struct str url);

/* outbox.c */
void node_hear(void *crawl, const struct event *e);
/* Adds an item to the next batch for a partition. Returns the number of that batch. */
uint64_t outbox_add(struct crawl *c, uint32_t part, const struct batch_item *item);
/* Passes committed batches to the keeper, sends those again that the bus has lost, and drops those
 * that are safe. */
void outbox_turn(struct crawl *c);
/* Does the keeper have everything that was gathered and kept? */
bool outbox_is_empty(const struct node *n);
enum status outbox_load(struct crawl *c) MUST_USE;

/* inbox.c - handles one message from the keeper, which is freed or kept. */
void inbox_take(struct crawl *c, struct incoming *in);
/* Returns the entry of a sender and a partition; NULL if there are too many senders. */
struct last_batch *inbox_last(struct node *n, uint64_t sender, uint32_t part);
void inbox_drop_log(struct node_part *p); /* the part that has come in so far */

/* will.c - makes a new will with all agents, if that is due: right before a checkpoint, after
 * travel_mark(). The will is passed to the keeper when the checkpoint is committed. */
void will_make(struct crawl *c);
/* Adds which batches of a partition that is here this node, or an earlier owner, has taken. */
void node_receipts(const struct node *n, uint32_t part, struct receipts *ret);
void will_commit(struct crawl *c);
/* Called in the first turn: removes the agents that others took while this node was away. */
void will_return(struct crawl *c);

/* gaps.c - is it a batch that has not arrived before? `last` is the last batch of the same
 * sender. */
bool gaps_pass(struct crawl *c, struct last_batch *last, uint64_t number);
/* Notes that a sender's batches `from` to `to` are missing. */
void gaps_add(struct crawl *c, const struct last_batch *of, uint64_t from, uint64_t to);
void gaps_forget(struct node *n, uint32_t part);
uint64_t gaps_missing(const struct node *n);  /* batches */
bool gaps_are_awaited(const struct crawl *c); /* were some found recently? */
void gaps_ask(const struct node *n, struct cluster_report *say);
void gaps_save(const struct node *n, struct buf *out);
bool gaps_load(struct crawl *c, struct cursor *from); /* returns false if they are damaged */
