/* conversation.h - what agents said to each other, for brood show. */
#pragma once

#include "store/read/query.h"

/* Shows one conversation as a sequence diagram or as its rows. `what`: its number. ST_MISSING if
 * there is none; the sentence says which exist. */
enum status show_conversation(struct query *q, struct str what, size_t width, bool json,
                              struct buf *out) MUST_USE;

/* Lists the newest `n` contracts (`all`: conversations of any kind), the oldest of them first. */
enum status show_conversations(struct query *q, uint32_t n, bool all, bool json,
                               struct buf *out) MUST_USE;
