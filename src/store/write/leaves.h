/* leaves.h - writes a segment of an index of FTS5: terms with their doclists, leaf by leaf.
 *
 *   leaf      first row (2 bytes: where a row stands before any term, or 0), end (2), terms and
 *             doclists, distances between the terms
 *   term      bytes shared with the term before, bytes of its own; its first letter is '0'
 *   doclist   row, 2 x bytes of positions, positions; next row as a difference; …
 *
 * Numbers are SQLite's varints. Doclist indexes, which FTS5 writes for doclists of many leaves, are
 * optional, and left out until FTS5 merges the segment.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"

#include <sqlite3.h>

#define TERM_BYTES 32768 /* FTS5 cuts longer words */

struct leaves {
    sqlite3 *db;
    sqlite3_stmt *put, *put_term;
    int64_t id;    /* of the segment */
    int64_t count; /* leaves that are written */
    char *leaf;
    size_t len;
    struct buf distances;
    struct str last;     /* term; lent */
    size_t last_at;      /* in the leaf */
    bool has_term;       /* the leaf */
    bool wants_row;      /* the next row of a doclist is the first of the leaf */
    struct buf boundary; /* the term of the leaf that is not noted yet */
    int64_t boundary_leaf;
};

/* For page_text_data and page_text_idx of this connection. Zeroed is empty; leaves_free() may
 * follow in any case. */
enum status leaves_init(struct leaves *l, sqlite3 *db) MUST_USE;
void leaves_free(struct leaves *l);

/* Begins a segment with this id. */
void leaves_begin(struct leaves *l, int64_t id);
/* The next term, in ascending order; lent until the term after it. */
enum status leaves_term(struct leaves *l, struct str term) MUST_USE;
/* The next page of that term: the row after `before` (0: it is the first), and its positions with
 * their length. */
enum status leaves_page(struct leaves *l, int64_t row, int64_t before,
                        struct str positions) MUST_USE;
enum status leaves_end(struct leaves *l) MUST_USE;

/* A row of page_text_data. */
enum status leaves_put_row(struct leaves *l, int64_t id, struct str block) MUST_USE;

/* ---- numbers ---- */

#define NUMBER_MAX 9 /* bytes */

/* Writes a varint of SQLite: seven bits a byte, the highest first; the ninth byte has eight. There
 * is room for NUMBER_MAX bytes. Returns its end. */
static inline char *number_write(char *out, uint64_t n)
{
    unsigned more = 0;

    if (n < 0x80) {
        *out = (char)n;
        return out + 1;
    }
    if (n >> 56) {
        out[8] = (char)n;
        n >>= 8;
        for (unsigned i = 8; i-- > 0; n >>= 7)
            out[i] = (char)(n | 0x80);
        return out + 9;
    }
    while (n >> 7 * (more + 1))
        more++;
    for (unsigned i = more; i > 0; i--)
        *out++ = (char)(n >> 7 * i | 0x80);
    *out = (char)(n & 0x7f);
    return out + 1;
}

void number_put(struct buf *b, uint64_t n);
/* Returns false if the bytes end before the number. */
bool number_take(struct str *s, uint64_t *ret);
