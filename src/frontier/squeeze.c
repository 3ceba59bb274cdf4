/* squeeze.c - short texts of one kind in about half their size. See squeeze.h.
 *
 * A table is learned in generations. Each encodes the sample with the table so far, counts the
 * pieces that it used and the pairs that followed each other, and keeps the pieces and joined
 * pairs that save most. SPDX-License-Identifier: MIT */
#include "frontier/squeeze.h"

#include "base/mem.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define ESCAPE      255 /* the next byte stands for itself */
#define GENERATIONS 5
#define CODES       (SQUEEZE_PIECES + 256) /* a piece, or a byte in no piece */
#define LEAST       4                      /* a pair seen less often may be chance */
#define SINGLE      8                      /* weight of a byte that would need an escape */

static uint64_t load(const char *at, size_t left)
{
    uint64_t word = 0;

    memcpy(&word, at, left < sizeof word ? left : sizeof word);
    return word;
}

/* Keeps the first `len` bytes of a word, as they lie in memory. */
static uint64_t head(uint64_t word, size_t len)
{
    return len >= sizeof word ? word : word & le64toh((UINT64_C(1) << 8 * len) - 1);
}

/* Returns the longest piece that the text begins with, or ESCAPE if there is none. */
static unsigned piece_at(const struct squeeze *s, const char *at, size_t left)
{
    uint64_t word = load(at, left);
    unsigned first = (unsigned char)*at;

    for (unsigned i = s->from[first]; i < s->from[first + 1]; i++)
        if (s->len[i] <= left && head(word, s->len[i]) == s->piece[i])
            return i;
    return ESCAPE;
}

size_t squeeze_put(const struct squeeze *s, struct str text, char *to)
{
    size_t n = 0;

    for (size_t at = 0; at < text.len;) {
        unsigned piece = piece_at(s, text.ptr + at, text.len - at);

        to[n++] = (char)piece;
        if (piece == ESCAPE)
            to[n++] = text.ptr[at++];
        else
            at += s->len[piece];
    }
    return n;
}

size_t squeeze_get(const struct squeeze *s, struct str from, char *to, size_t room)
{
    size_t n = 0;

    for (size_t at = 0; at < from.len && n < room; at++) {
        unsigned piece = (unsigned char)from.ptr[at];

        if (piece != ESCAPE) {
            memcpy(to + n, &s->piece[piece], sizeof s->piece[piece]);
            n += s->len[piece];
        } else if (++at < from.len) {
            to[n++] = from.ptr[at];
        }
    }
    return n < room ? n : room;
}

/* ---- learning ------------------------------------------------------------ */

struct candidate {
    uint64_t piece;
    uint32_t gain; /* bytes of the sample that it covers */
    uint8_t len;
};

struct code_counts {
    uint32_t one[CODES];
    uint32_t two[CODES][CODES]; /* the second right after the first */
};

static int by_bytes(const struct candidate *x, const struct candidate *y)
{
    int order = memcmp(&x->piece, &y->piece, sizeof x->piece);

    return order != 0 ? order : x->len - y->len;
}

/* Puts equal pieces beside each other. */
static int by_piece(const void *a, const void *b)
{
    return by_bytes(a, b);
}

static int by_gain(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    return x->gain != y->gain ? (x->gain > y->gain ? -1 : 1) : by_bytes(x, y);
}

/* The order of pieces in a table. */
static int by_place(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order = memcmp(&x->piece, &y->piece, 1);

    return order != 0 ? order : x->len != y->len ? y->len - x->len : by_bytes(x, y);
}

static void table_make(struct squeeze *s, struct candidate *all, size_t count)
{
    size_t at = 0;

    qsort(all, count, sizeof *all, by_place);
    for (size_t i = 0; i < count; i++) {
        s->piece[i] = all[i].piece;
        s->len[i] = all[i].len;
    }
    for (unsigned first = 0; first < 256; first++) {
        s->from[first] = (uint8_t)at;
        while (at < count && *(const unsigned char *)&s->piece[at] == first)
            at++;
    }
    s->from[256] = (uint8_t)at;
}

static void count_text(const struct squeeze *s, struct str text, struct code_counts *n)
{
    unsigned before = CODES;

    for (size_t at = 0; at < text.len;) {
        unsigned code = piece_at(s, text.ptr + at, text.len - at);

        if (code == ESCAPE)
            code = SQUEEZE_PIECES + (unsigned char)text.ptr[at];
        at += code < SQUEEZE_PIECES ? s->len[code] : 1;
        n->one[code]++;
        if (before < CODES)
            n->two[before][code]++;
        before = code;
    }
}

/* The piece that a code stands for. */
static struct candidate code_piece(const struct squeeze *s, unsigned code)
{
    char byte = (char)(code - SQUEEZE_PIECES);

    return code < SQUEEZE_PIECES ? (struct candidate){.piece = s->piece[code], .len = s->len[code]}
                                 : (struct candidate){.piece = load(&byte, 1), .len = 1};
}

static void offer(struct candidate **all, size_t *count, size_t *cap, struct candidate c,
                  uint32_t times)
{
    if (times < LEAST)
        return;
    c.gain = times * (c.len == 1 ? SINGLE : c.len);
    *all = mem_grow(*all, *count, cap, sizeof **all);
    (*all)[(*count)++] = c;
}

/* Joins two pieces that have at most SQUEEZE_LONG bytes together. */
static struct candidate join(struct candidate a, struct candidate b)
{
    char bytes[2 * SQUEEZE_LONG];

    memcpy(bytes, &a.piece, SQUEEZE_LONG);
    memcpy(bytes + a.len, &b.piece, SQUEEZE_LONG);
    return (struct candidate){.piece = load(bytes, SQUEEZE_LONG), .len = (uint8_t)(a.len + b.len)};
}

static struct candidate *offer_all(const struct squeeze *s, const struct code_counts *n,
                                   size_t *ret_count)
{
    struct candidate *all = NULL;
    size_t cap = 0;

    *ret_count = 0;
    for (unsigned x = 0; x < CODES; x++) {
        if (n->one[x] < LEAST)
            continue;
        offer(&all, ret_count, &cap, code_piece(s, x), n->one[x]);
        for (unsigned y = 0; y < CODES; y++) {
            struct candidate a = code_piece(s, x), b = code_piece(s, y);

            if (n->two[x][y] >= LEAST && a.len + b.len <= SQUEEZE_LONG)
                offer(&all, ret_count, &cap, join(a, b), n->two[x][y]);
        }
    }
    return all;
}

/* Merges equal candidates and adds up their gains. Returns how many are left. */
static size_t merge(struct candidate *all, size_t count)
{
    size_t n = 0;

    qsort(all, count, sizeof *all, by_piece);
    for (size_t i = 0; i < count; i++)
        if (n > 0 && by_bytes(&all[n - 1], &all[i]) == 0)
            all[n - 1].gain += all[i].gain;
        else
            all[n++] = all[i];
    return n;
}

void squeeze_learn(struct squeeze *s, const struct str *texts, size_t count)
{
    struct code_counts *n = MEM_NEW(struct code_counts);

    *s = (struct squeeze){0};
    for (int i = 0; i < GENERATIONS; i++) {
        struct candidate *all;
        size_t found = 0;

        memset(n, 0, sizeof *n);
        for (size_t k = 0; k < count; k++)
            count_text(s, texts[k], n);
        all = offer_all(s, n, &found);
        if (found > 0) {
            found = merge(all, found);
            qsort(all, found, sizeof *all, by_gain);
            *s = (struct squeeze){0};
            table_make(s, all, found < SQUEEZE_PIECES ? found : SQUEEZE_PIECES);
        }
        free(all);
    }
    free(n);
}
