/* squeeze.h - stores short texts of one kind in about half their size, each text on its own.
 *
 * A table has up to 255 pieces of one to eight bytes, learned from a sample of the texts; a text is
 * written as the numbers of its pieces, a byte each, and a byte that is in no piece as two. Any
 * text can be read without the others, which a general compressor cannot do with thirty bytes.
 *
 * A text may be any bytes, also those of a peer: bytes that fit no piece only take more room.
 *
 * Workload: the paths of known URLs; about 10 ns a piece to write, less to read. Learning takes
 * about 10 ms for 64 KB.
 *
 * Source: FSST (Boncz, Neumann, Leis 2020). We differ: pieces are looked up in a list for each
 * first byte, and only pieces that a whole generation found are candidates.
 */
#pragma once

#include "base/str.h"

#define SQUEEZE_PIECES 255
#define SQUEEZE_LONG   8 /* bytes of the longest piece */

struct squeeze {
    uint64_t piece[SQUEEZE_PIECES]; /* as its bytes lie in memory, then zeros; by first byte, */
    uint8_t len[SQUEEZE_PIECES];    /* of one first byte, the longest comes first */
    uint8_t from[257];              /* by first byte: its first piece; [b + 1] is where they end */
};

/* Learns the table for texts like these. The same texts give the same table. */
void squeeze_learn(struct squeeze *s, const struct str *texts, size_t count);

/* The most bytes that a text of this length may take. */
static inline size_t squeeze_most(size_t len)
{
    return 2 * len;
}

/* Writes a text to `to`, where squeeze_most() bytes are free. Returns how many it took. */
size_t squeeze_put(const struct squeeze *s, struct str text, char *to);

/* Writes the original text to `to`, where `room` bytes and SQUEEZE_LONG more are free. Returns its
 * length. A text longer than `room` is cut. */
size_t squeeze_get(const struct squeeze *s, struct str from, char *to, size_t room);
