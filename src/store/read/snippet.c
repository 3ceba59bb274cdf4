/* snippet.c - see snippet.h. One pass finds where hits begin; the window that begins at a hit
 * and has most different words is taken. Only ASCII is compared without its case.
 * SPDX-License-Identifier: MIT */
#include "store/read/snippet.h"

#include "base/mem.h"

#include <stdlib.h>

#define WINDOW    200   /* bytes */
#define WORD      40    /* bytes to the end of a word, at most */
#define WORDS_MAX 60    /* that are looked for */
#define WHY_MAX   8     /* that are named */
#define HITS_MAX  400   /* that are looked at */
#define TEXT_MAX  60000 /* bytes that are looked at */

struct hit {
    size_t from, to;
    unsigned word;
};

static bool is_word_char(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c) || (unsigned char)c >= 0x80;
}

/* The words that are looked for, without signs and operators. */
static size_t read_words(struct str words, struct str ret[WORDS_MAX])
{
    size_t n = 0;

    for (size_t at = 0; at < words.len && n < WORDS_MAX;) {
        size_t from;
        struct str word;

        while (at < words.len && !is_word_char(words.ptr[at]))
            at++;
        from = at;
        while (at < words.len && is_word_char(words.ptr[at]))
            at++;
        word = str_sub(words, from, at);
        if (word.len < 3 || str_eq(word, STR("AND")) || str_eq(word, STR("NOT")) ||
            (at < words.len && words.ptr[at] == ':'))
            continue;
        ret[n++] = word;
    }
    return n;
}

/* Without an ending. */
static struct str stem_of(struct str word)
{
    if (word.len > 5)
        word.len -= word.len > 7 ? 3 : 2;
    return word;
}

static bool is_like(struct str found, struct str word)
{
    struct str stem = stem_of(word);

    return found.len <= stem.len + 5 && str_starts_i(found, stem);
}

static size_t find_hits(struct str text, const struct str *words, size_t nwords,
                        struct hit ret[HITS_MAX])
{
    size_t n = 0;

    for (size_t at = 0; at < text.len && n < HITS_MAX;) {
        size_t from;

        while (at < text.len && !is_word_char(text.ptr[at]))
            at++;
        from = at;
        while (at < text.len && is_word_char(text.ptr[at]))
            at++;
        for (unsigned w = 0; w < nwords; w++)
            if (is_like(str_sub(text, from, at), words[w])) {
                ret[n++] = (struct hit){from, at, w};
                break;
            }
    }
    return n;
}

/* Where the best window begins. */
static size_t best_window(const struct hit *hits, size_t n)
{
    size_t best = 0, at = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t seen = 0;
        size_t score = 0;

        for (size_t k = i; k < n && hits[k].to < hits[i].from + WINDOW - 40; k++) {
            score += seen >> hits[k].word & 1 ? 1 : 10;
            seen |= UINT64_C(1) << hits[k].word;
        }
        if (score > best) {
            best = score;
            at = hits[i].from > 40 ? hits[i].from - 40 : 0;
        }
    }
    return at;
}

static void add_plain(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(out, (unsigned char)text.ptr[i] < ' ' ? ' ' : text.ptr[i]);
}

static bool is_inside_char(struct str text, size_t at)
{
    return at < text.len && ((unsigned char)text.ptr[at] & 0xc0) == 0x80;
}

/* To a place between two words; where none is near (texts without spaces), between two
 * characters. */
static size_t settle(struct str text, size_t at)
{
    size_t near = at;

    while (near > 0 && near < text.len && near < at + WORD && is_word_char(text.ptr[near - 1]))
        near++;
    if (near < at + WORD)
        return near;
    while (is_inside_char(text, at))
        at++;
    return at;
}

bool snippet_make(struct str text, struct str words, struct buf *out)
{
    struct hit *hits = mem_alloc(HITS_MAX * sizeof *hits);
    struct str wanted[WORDS_MAX];
    size_t nhits, from, to;

    text.len = text.len < TEXT_MAX ? text.len : TEXT_MAX;
    nhits = find_hits(text, wanted, read_words(words, wanted), hits);
    from = settle(text, best_window(hits, nhits));
    to = settle(text, from + WINDOW < text.len ? from + WINDOW : text.len);
    if (from > 0)
        buf_add_z(out, "\xe2\x80\xa6 ");
    for (size_t i = 0; i < nhits; i++) {
        if (hits[i].from < from || hits[i].to > to)
            continue;
        add_plain(out, str_sub(text, from, hits[i].from));
        buf_add_char(out, SNIPPET_FROM);
        add_plain(out, str_sub(text, hits[i].from, hits[i].to));
        buf_add_char(out, SNIPPET_TO);
        from = hits[i].to;
    }
    add_plain(out, str_sub(text, from, to));
    if (to < text.len)
        buf_add_z(out, " \xe2\x80\xa6");
    free(hits);
    return nhits > 0;
}

void snippet_why(struct str text, struct str words, struct buf *out)
{
    struct hit *hits = mem_alloc(HITS_MAX * sizeof *hits);
    struct str wanted[WORDS_MAX];
    size_t n = read_words(words, wanted), nhits, named = 0;
    uint64_t seen = 0;

    text.len = text.len < TEXT_MAX ? text.len : TEXT_MAX;
    nhits = find_hits(text, wanted, n, hits);
    for (size_t i = 0; i < nhits; i++)
        seen |= UINT64_C(1) << hits[i].word;
    for (size_t w = 0; w < n && named < WHY_MAX; w++)
        if (seen >> w & 1) {
            buf_add_z(out, named++ ? ", " : "");
            buf_add_str(out, wanted[w]);
        }
    free(hits);
}
