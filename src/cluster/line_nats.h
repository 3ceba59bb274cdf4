/* line_nats.h - the line over libnats, as its own files see it. Inside cluster/ only. */
#pragma once

#include "cluster/line.h"

#include <nats/nats.h>
#include <pthread.h>

#define LINE_WAIT_MS 1000 /* for an answer of the server */
#define NAME_MOST    64

/* Answers to messages that were posted come to one subject, with the number of the message. */
struct line_inbox {
    natsSubscription *sub;
    char subject[64];
    uint64_t posted; /* messages */
};

struct line {
    natsConnection *conn;
    jsCtx *js;
    kvStore *kv;
    char stream[NAME_MOST + 8];  /* and the bucket */
    char prefix[NAME_MOST + 16]; /* of the subjects */
    natsSubscription *hints[PARTITIONS];
    struct line_inbox acks, found; /* of letters; of what was asked for (line_flight.c) */
    natsSubscription **retired;    /* those that cannot be freed yet: see retire() */
    size_t nretired, retired_cap;
    natsSubscription *walk;   /* a consumer that reads a log … */
    uint32_t walk_part;       /* … of this partition … */
    uint64_t walk_next;       /* … from here on … */
    uint64_t walk_count;      /* … and has brought so many */
    bool has_copies;          /* of its messages, on several servers: see line_set() */
    char ask[NAME_MOST + 16]; /* the subject of questions */
    natsSubscription *questions;
    pthread_mutex_t answering; /* held while a question is answered */
    line_answer_fn *answer;    /* NULL: no longer */
    void *answer_ctx;
};

/* ST_NET with what the library says. */
enum status line_fail(natsStatus s, const char *what) MUST_USE;
/* The subject of a partition, or of its shelf. */
void line_subject(const struct line *l, uint32_t part, char *ret, size_t size);
