/* cluster_int.h - what the mind's side and the keeper share. Inside cluster/ only. */
#pragma once

#include "cluster/cluster.h"

#include <pthread.h>

/* A batch on its way out. */
struct outgoing {
    struct outgoing *next;
    uint32_t part;
    uint64_t number;
    size_t len;
    char bytes[];
};

enum part_state {
    PART_NONE,    /* another's, or nobody's */
    PART_RESTING, /* ours, and its hosts are left alone for a while */
    PART_READING, /* its log is being read */
    PART_OPEN,
    PART_CLOSING, /* the mind is ending it */
    PART_CLOSED,  /* it has */
};

struct part {
    enum part_state state;
    uint64_t token;
    uint64_t read;    /* the last message of its log that was read */
    uint64_t until;   /* PART_READING: the last that was there when reading began */
    int64_t rest_end; /* PART_RESTING */
    int64_t look_at;  /* when it is looked at without a hint */
};

/* Another node, as this one sees it. */
struct neighbour {
    uint64_t id, revision; /* of its lease */
    int64_t seen;          /* when that last changed, by clock_boot() */
    struct lease lease;
    bool lapsed; /* it has no lease, or others have ended it */
};

struct cluster {
    struct cluster_config config;
    struct line *line;
    pthread_t thread;
    bool held[PARTITIONS]; /* when it joined: as at its last checkpoint */

    pthread_mutex_t mutex; /* over what follows, to the next mark */
    pthread_cond_t work;   /* for the keeper: something is to be done */
    struct cluster_report said;
    uint64_t said_taken; /* `taken` at that time */
    struct cluster_view view;
    struct incoming *first_in, **last_in;
    uint64_t added, taken; /* messages in that list so far */
    struct outgoing *first_out, **last_out;
    bool given[PARTITIONS]; /* cluster_give() */
    bool stopping;
    enum book_end stop_end;
    uint64_t stop_stored;

    /* the keeper's own */
    struct cluster_report report; /* the newest */
    uint64_t report_taken;        /* `taken` when it was made */
    struct outgoing *sending;     /* taken from the list above */
    struct part parts[PARTITIONS];
    struct book book;
    uint64_t book_revision, newest; /* of the book: as read, and as seen before */
    int stale;                      /* times in a row that an older one was read */
    struct neighbour *neighbours;
    size_t nneighbours, neighbours_cap;
    struct lease lease;
    uint64_t lease_revision;
    int64_t renew_at, tick_at, started;
    int64_t looked_at;   /* at the others, last */
    uint64_t stream_end; /* the highest number that any message of ours got */
    uint64_t idle_holds; /* book_print() of ours then */
    uint64_t idle_at;    /* stream's end + 1 at which idleness was found; 0: it was not */
    bool fenced;
};

/* keeper.c - the thread, and what cluster.c calls of it. */
void *keeper_main(void *cluster);
enum status keeper_join(struct cluster *c) MUST_USE;

/* cluster.c - messages that wait for the mind; one more. */
size_t incoming_count(struct cluster *c);
void incoming_add(struct cluster *c, enum incoming_kind kind, uint32_t part, uint64_t token,
                  uint64_t position, struct str bytes);
