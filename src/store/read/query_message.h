/* query_message.h - the read side: what agents said to each other.
 *
 * A conversation is all messages with the same number. One that begins with "cfp" is a
 * contract: a manager offers links, a contractor gets them (docs/models/crew.md). What
 * became of it is read from what was said, so it is what its manager knows. While a
 * crawl runs there is no index of conversations, and each question is a scan. The rest
 * is as in query.h.
 */
#pragma once

#include "store/read/query.h"

struct query_message {
    int64_t id, at;
    int64_t reply_by; /* 0: no answer is awaited */
    struct str conversation, performative, sender, receiver, content;
};

typedef enum status query_message_fn(void *ctx, const struct query_message *m);
/* One conversation, in the order it was spoken. */
enum status query_messages(struct query *q, uint32_t conversation, query_message_fn *fn,
                           void *ctx) MUST_USE;

struct query_conversation {
    uint32_t id;
    int64_t at, last_at; /* of its first and its last message */
    uint64_t messages;
    struct str performative;     /* of the first one */
    struct str sender, receiver; /* of the first one: a contract's manager and facilitator */
    bool contract;
    struct str contractor;    /* empty: none so far */
    uint64_t offered, passed; /* links; passed: as the contractor got them */
    /* Of a contract: "called", "awarded", "running", "done", "no-bid", "failed", "timed-out".
     * Else the performative of the last message. */
    struct str outcome;
    struct str detail; /* what was said with it: "crawled 4 of 5" */
};

typedef enum status query_conversation_fn(void *ctx, const struct query_conversation *c);
/* The newest n, oldest of them first; contracts alone, or all. */
enum status query_conversations(struct query *q, bool contracts, uint32_t n,
                                query_conversation_fn *fn, void *ctx) MUST_USE;

struct query_talks {
    uint64_t messages;
    uint64_t conversations, contracts;
    uint32_t first, last; /* numbers of conversations */
    int64_t last_at;      /* when something was said last */
};

enum status query_talks(struct query *q, struct query_talks *ret) MUST_USE;
/* When something was said last, alone; 0: never. */
enum status query_last_said(struct query *q, int64_t *ret) MUST_USE;
/* Messages a performative, most first. */
enum status query_performatives(struct query *q, query_count_fn *fn, void *ctx) MUST_USE;
