/* conversation.h - what agents said to each other, for brood show. */
#pragma once

#include "store/read/query.h"

/* One conversation as a sequence diagram, or as its rows. ST_MISSING: there is none, with a
 * sentence that tells which there are. `what`: its number. */
enum status show_conversation(struct query *q, struct str what, size_t width, bool json,
                              struct buf *out) MUST_USE;

/* The newest `n` contracts (`all`: conversations of any kind), oldest of them first. */
enum status show_conversations(struct query *q, uint32_t n, bool all, bool json,
                               struct buf *out) MUST_USE;
