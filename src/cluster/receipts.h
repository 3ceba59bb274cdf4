/* receipts.h - which batches of a partition have been taken, by the numbers of their senders.
 *
 * The servers may lose the last messages of a log and give their positions to others. A batch keeps
 * its sender and its number, however often it is sent. So sender and number, and not positions, say
 * whether the agents in a batch already live somewhere:
 *
 *     the owner's will has its agents, and the receipts of the batches in which they came
 *     a lease names that will       -> the sender forgets the agents that it had sent
 *     the owner is gone, or gives the partition away
 *                                   -> its receipts are kept under a key of the partition
 *     the next owner reads them     -> it takes the agents of all other batches in the log
 *
 * An entry says that the batches `from` to `to` of a sender were taken; one without a sender, that
 * the partition was open. Bytes come from other machines, and are checked as a whole.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"

struct receipt {
    uint32_t part;
    uint64_t token; /* of the partition in the book, when its owner wrote this */
    uint64_t sender, from, to;
};

struct receipts {
    struct receipt *list;
    size_t count, cap;
    size_t left_out; /* entries for which there was no room */
};

/* What the bytes belong to: the run and the number of a will, or a token and a partition. */
struct receipts_name {
    uint64_t of, number;
};

void receipts_clear(struct receipts *r); /* frees it; may be filled again */
void receipts_move(struct receipts *to, struct receipts *from);
void receipts_copy(struct receipts *to, const struct receipts *from);

/* Limit: entries that do not fit into LIMIT_RECEIPTS bytes, even after receipts_merge(), are left
 * out and counted. Agents in their batches may be taken again by the next owner. */
void receipts_add(struct receipts *r, const struct receipt *entry);
/* The owner of a partition has it open. */
void receipts_open(struct receipts *r, uint32_t part, uint64_t token);

bool receipts_have(const struct receipts *r, uint32_t part, uint64_t sender, uint64_t number);
bool receipts_were_open(const struct receipts *r, uint32_t part, uint64_t token);

/* Joins entries of one token that overlap or follow each other. */
void receipts_merge(struct receipts *r);

void receipts_drop(struct receipts *r, uint32_t part);
/* Adds those of one partition, or of one sender. */
void receipts_add_part(struct receipts *r, const struct receipts *of, uint32_t part);
void receipts_add_sender(struct receipts *r, const struct receipts *of, uint64_t sender);

void receipts_save(const struct receipts *r, struct receipts_name name, struct buf *out);
/* Adds the receipts that were saved in these bytes. If they are incomplete or beyond a ceiling, it
 * adds nothing and returns ST_INVALID. */
enum status receipts_load(struct receipts *r, struct str bytes, struct receipts_name *ret) MUST_USE;
