/* cluster_int.h - what the mind's side and the keeper share. Inside cluster/ only. */
#pragma once

#include "cluster/batch.h"
#include "cluster/cluster.h"
#include "cluster/fold.h"

#include <pthread.h>

/* A batch on its way out. */
struct outgoing {
    struct outgoing *next;
    uint32_t part;
    uint64_t number;
    bool is_outcomes; /* it must not arrive before batches that were queued earlier */
    bool was_refused;
    uint64_t will;       /* the will that must be confirmed before it is sent */
    uint64_t id, behind; /* as in struct line_letter, while it is on its way … */
    int64_t sent_at;     /* … since then */
    size_t len;
    char bytes[];
};

enum part_state {
    PART_NONE,    /* it belongs to another node, or to none */
    PART_RESTING, /* ours, but its hosts are left alone for a while */
    PART_SHELF,   /* its snapshots are being read … */
    PART_READING, /* … and then its log */
    PART_OPEN,
    PART_CLOSING, /* the mind is closing it */
    PART_CLOSED,  /* the mind has closed it */
};

struct part {
    enum part_state state;
    uint64_t token;
    uint64_t taken, kept;             /* as in book_part when it became ours */
    uint64_t read;                    /* the last message of its log that was read */
    uint64_t until;                   /* PART_READING: the last message when reading began */
    struct snapshot_shelf shelf;      /* PART_SHELF: what was read … */
    uint64_t shelf_read, shelf_until; /* … up to, and of how much */
    size_t tail, base;                /* bytes of its log, and of the snapshot before that */
    uint64_t upto;                    /* of the last snapshot that we made, or tried to */
    int64_t rest_end;                 /* PART_RESTING */
    int64_t full_at;                  /* when the log is read to its end, whatever was hinted at */
    uint32_t hinted;                  /* messages that are there, or soon will be … */
    int64_t look_at;                  /* … which are looked for at this time … */
    int64_t wait;                     /* … and the last wait for them */
};

/* Another node, as seen by this one. */
struct neighbour {
    uint64_t id, revision;      /* of its lease */
    int64_t seen;               /* when that last changed, by clock_boot() */
    struct lease lease;         /* the newest that we saw … */
    struct will_name will;      /* … and the will that the lease on the bus names */
    bool lapsed;                /* it has no lease, or another node has ended it */
    bool is_closed;             /* we have booked the energy that was lost with it */
    struct receipts arrived;    /* for our batches that it has taken, by a will that stands … */
    struct will_name known;     /* … which was this one */
    struct receipts next;       /* the same of … */
    struct will_name next_will; /* … this will, if it stands; chunks 0: there is none */
    uint64_t next_turn;         /* of the lease that named it */
};

/* A message on the bus that we sent or read: is it still there? */
struct log_mark {
    uint64_t at, sender, number;
    uint32_t part;
};
#define MARKS          64

/* A snapshot that is being made. */
#define COMPACT_FLIGHT 8 /* of its messages that are sent together */
struct compact {
    int stage;
    uint32_t part;
    uint64_t read, last, upto; /* messages: read so far; last of the older snapshot; last to read */
    struct snapshot_shelf shelf;
    struct fold *fold;
    size_t folded; /* chunks of the older snapshot that are in `fold` */
    struct snapshot_head head;
    uint64_t made; /* so far */
    struct unsent *first, **tail;
    size_t bytes; /* of all of them */
    struct line_letter flight[COMPACT_FLIGHT];
    size_t nflight, in_flight; /* without an answer; all of them */
    int64_t flown_at;
    int64_t until; /* of this step */
};

/* The will of a node that is gone, while it is carried out. */
struct bequest {
    uint64_t node; /* 0: there is none */
    struct will_name will;
    bool is_read, is_done;
    struct legacy_message *first, *last; /* messages that are still to be sent */
    struct will_head head;               /* of the last chunk */
    double energy;                       /* of the agents that lived there … */
    uint64_t agents;                     /* … and their number */
    uint64_t end;                        /* of the stream when all were sent */
};

struct cluster {
    struct cluster_config config;
    struct line *line;
    pthread_t thread;
    struct cluster_will *staged; /* the mind's own: for its next exchange */
    struct will_name legacy;     /* when it joined: others have our agents of this will … */
    bool is_settled;             /* … all of them */
    struct buf legacy_chunks[LIMIT_WILL_CHUNKS];
    bool held[PARTITIONS];       /* when it joined: as at its last checkpoint … */
    uint64_t known[PARTITIONS];  /* … and `positions` of its last lease before … */
    struct receipts known_taken; /* … and the receipts of its last will */

    pthread_mutex_t mutex; /* over what follows, to the next mark */
    pthread_cond_t work;   /* wakes the keeper: there is work */
    struct cluster_report said;
    uint64_t said_taken; /* `taken` at that time */
    struct cluster_view view;
    struct buf seen_bytes; /* of the newest book */
    struct incoming *first_in, **last_in;
    uint64_t added, taken; /* messages in that list so far */
    struct outgoing *first_out, **last_out;
    bool given[PARTITIONS]; /* cluster_give() … */
    uint64_t given_at[PARTITIONS];
    struct receipts given_taken[PARTITIONS];
    struct receipts arrived;        /* of our batches, at all nodes */
    struct buf sums;                /* of other nodes */
    struct cluster_will *said_will; /* not yet taken by the keeper */
    bool stopping;
    enum book_end stop_end;
    uint64_t stop_stored;

    /* the keeper's own */
    struct cluster_report report; /* the newest */
    uint64_t report_taken;        /* `taken` when it was made */
    struct outgoing *sending;     /* taken from the list above */
    bool is_stuck;                /* none of them could be sent the last time */
    struct part parts[PARTITIONS];
    struct compact compact;
    struct cluster_will *last, *writing,
        *next_will;              /* ours: on the bus, on its way, and the next */
    bool rewrites;               /* `writing` was on the bus before, and was lost */
    size_t put;                  /* chunks of it that are written … */
    bool put_taken;              /* … and its receipts */
    struct receipts told, stood; /* of the last will that was told (empty: it
                                                      * stands), and of the last one that stands */
    uint64_t will_told, will_unconfirmed, will_safe; /* numbers: as the next lease says, the last
                                                      * one that was written, one that stands */
    struct bequest bequest;
    struct book book;
    uint64_t book_revision, newest; /* of the book: as read, and as seen before */
    struct book seen;               /* the newest */
    uint64_t top;                   /* the highest revision of any key that we saw */
    int64_t hold_until;             /* until then we do not change the book: see keys.c */
    struct {
        uint64_t token; /* of its owner; 0: none */
        struct receipts taken;
    } kept[PARTITIONS]; /* receipts that we kept for the next owner */
    struct neighbour *neighbours;
    size_t nneighbours, neighbours_cap;
    struct lease lease;
    uint64_t lease_revision, lease_turn; /* of the last one that the servers acknowledged … */
    uint64_t run_before;                 /* … and the run of our process before this one */
    uint64_t safe[PARTITIONS];           /* `positions` of the last lease that stands … */
    uint64_t unconfirmed[PARTITIONS];    /* … and of the last one that was written */
    int64_t renew_at, tick_at, started, renewed_at;
    int64_t looked_at;            /* when the other nodes were last looked at */
    uint64_t end;                 /* of the stream, in this tick … */
    bool end_known;               /* … if the servers reported it */
    uint64_t stream_end;          /* the highest number that any message of ours got */
    struct log_mark marks[MARKS]; /* of messages, oldest first; the older, the fewer */
    size_t nmarks;
    int64_t marks_at;    /* when they are checked next … */
    int64_t marked_at;   /* … and when the last message that was read was marked */
    uint64_t rollbacks;  /* book.rollbacks that are answered */
    uint64_t idle_holds; /* book_print() of ours then */
    uint64_t idle_at;    /* stream's end + 1 at which idleness was found; 0: it was not */
    bool fenced;
};

#define ROUND (10 * US_PER_MS) /* the keeper's pause between two rounds, unless there is work */

/* keeper.c - the thread. */
void *keeper_main(void *cluster);
bool keeper_is_due(const struct cluster *c, int64_t now); /* does anything more important wait? */
/* How many nodes share the crawl, with those that are still expected. */
uint32_t keeper_nodes(const struct cluster *c);

/* life.c - this node's signs of life, and those of others. */
enum status life_join(struct cluster *c) MUST_USE;
enum status life_write(struct cluster *c) MUST_USE; /* renews the lease */
void life_renew(struct cluster *c);
struct neighbour *life_of(struct cluster *c, uint64_t id);
bool life_look(struct cluster *c); /* checks the other nodes; true: the book was changed */

/* keys.c - what happens when the servers have lost the newest keys. */
bool keys_are_held(const struct cluster *c);
void keys_lost(struct cluster *c); /* called by whoever notices it */
/* Is the book that was just read the newest that we know? If not, what we know is written back. */
bool keys_check(struct cluster *c);
/* Called when a key was written. True: its revision shows that keys were lost. */
bool keys_went_back(struct cluster *c, uint64_t revision);
void keys_remember(struct cluster *c); /* c->book is now the one on the bus */

/* logs.c - partitions that come and go, and their logs. */
bool logs_are_new(const struct cluster *c); /* does the book give us partitions not begun yet? */
void logs_follow(struct cluster *c);        /* applies what the book says of our partitions */
void logs_surplus(struct cluster *c);       /* one too many is handed over … */
bool logs_give(struct cluster *c);          /* … true: the book was changed … */
void logs_forget(struct cluster *c);        /* … and forgotten */
bool logs_lost(struct cluster *c); /* has the bus lost messages? True: the book says it now */
/* Remembers a message of ours, to notice when it is lost. */
void logs_mark(struct cluster *c, uint32_t part, uint64_t number, struct str bytes);
void logs_rolled(struct cluster *c);    /* reacts to the losses that the book records */
bool logs_send_some(struct cluster *c); /* false: none could be sent */
void logs_send(struct cluster *c);
void logs_read(struct cluster *c);

/* heirs.c - our will, and those of nodes that are gone. */
void heirs_write(struct cluster *c);          /* the next step of writing ours */
bool heirs_are_told(const struct cluster *c); /* is the newest one confirmed? */
/* The servers have lost what was written since this lease of ours, and perhaps our will. It is
 * written again, and only then named by a lease. */
void heirs_write_again(struct cluster *c, const struct lease *there);
void heirs_roll_back(struct cluster *c, uint32_t part, uint64_t end);
bool heirs_tick(struct cluster *c);   /* true: the book was changed */
void heirs_follow(struct cluster *c); /* applies what the book says of heirs */
void heirs_step(struct cluster *c);   /* the next step of carrying one out */
void heirs_drop(struct bequest *q);
enum status
heirs_return(struct cluster *c) MUST_USE; /* we are back, and others have the agents of c->legacy */

/* arrived.c - the receipts of a will, and those of a partition, on the bus. ST_MISSING: there are
 * none; ST_INVALID: those of another will are there. */
enum status receipts_put_will(struct cluster *c, const struct will_name *will,
                              const struct receipts *taken) MUST_USE;
enum status receipts_get_will(struct line *l, uint64_t node, const struct will_name *will,
                              struct receipts *ret) MUST_USE;
enum status receipts_put_part(struct cluster *c, uint32_t part, uint64_t token,
                              const struct receipts *taken) MUST_USE;
void receipts_put_again(struct cluster *c); /* those that we wrote and the book names */
/* Appends their bytes. */
enum status receipts_get_part(struct line *l, uint32_t part, uint64_t token,
                              struct buf *ret) MUST_USE;
/* A node is gone, or we leave: keeps the receipts of the partitions that the book gives it. `ret`
 * has PARTITIONS entries, true for these partitions. */
enum status receipts_inherit(struct cluster *c, uint64_t node, const struct receipts *taken,
                             bool *ret) MUST_USE;
/* Finds out which of our batches the others have taken. */
void arrived_look(struct cluster *c);

/* takeover.c - does the next step for a partition whose log is read from its beginning, until a
 * moment of clock_boot(). */
void takeover_step(struct cluster *c, uint32_t part, int64_t until);
/* Finds the messages of a shelf that contain the newest snapshot: from this number to the last. */
enum status takeover_shelf(struct line *l, uint32_t part, uint64_t *ret_from,
                           uint64_t *ret_last) MUST_USE;

/* compact.c - the next step of a snapshot, if a log has grown. */
void compact_step(struct cluster *c);
void compact_abandon(struct cluster *c);

/* cluster.c - writes a book that was read at this revision, and reads it back. ST_BUSY if the
 * change did not take effect. */
enum status cluster_write(struct line *l, struct book *b, uint64_t *revision) MUST_USE;
/* Reads the book, with all changes that were under way when this was called. */
enum status cluster_book_newest(struct line *l, struct book *ret, uint64_t *ret_revision) MUST_USE;

/* incoming_count() returns how many messages wait for the mind; the other function adds one. */
size_t incoming_count(struct cluster *c);
void incoming_add(struct cluster *c, enum incoming_kind kind, uint32_t part, uint64_t token,
                  uint64_t position, struct str bytes);
