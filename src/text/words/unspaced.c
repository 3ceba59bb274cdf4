/* unspaced.c - words of text that is written without spaces. See unspaced.h.
 *
 * ICU's break iterator reads the bytes of a run in place (a UText over UTF-8), and gives the
 * boundaries of words. A boundary that is not at the beginning of one of our characters (between a
 * letter and its marks, or in bytes that are not UTF-8) does not count. A run is cut at
 * UNSPACED_RUN characters, so what ICU needs for one is bounded.
 *
 * Workload: a page of 3,000 characters; nothing at all for nearly all pages.
 * SPDX-License-Identifier: MIT */
#include "text/words/unspaced.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "text/words/token.h"
#include "text/words/unicode.h"

#ifdef BROOD_ICU
#include <unicode/ubrk.h>
#include <unicode/utext.h>
#endif

#include <stdlib.h>

#define LEAD 0xe0 /* the first byte of all these characters is this or above */

bool unspaced_is(struct str text, struct word w)
{
    size_t at = w.off;

    return (unsigned char)text.ptr[at] >= LEAD && unicode_class(utf8_next(text, &at)) == CHAR_SOLO;
}

bool unspaced_any(struct str text, const struct word *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (unspaced_is(text, words[i]))
            return true;
    return false;
}

size_t unspaced_run(struct str text, const struct word *words, size_t n)
{
    size_t run = 0, end = n > 0 ? words[0].off : 0;

    while (run < n && run < UNSPACED_RUN && words[run].off == end &&
           unspaced_is(text, words[run])) {
        end += words[run].len;
        run++;
    }
    return run;
}

struct str unspaced_word(struct str text, const struct word *words, const uint32_t *ids, size_t n)
{
    size_t end = (size_t)words[0].off + words[0].len;

    for (size_t i = 1; i < n && ids[i] == 0; i++) {
        size_t further = (size_t)words[i].off + words[i].len;

        if (further - words[0].off > TOKEN_MAX) /* of a longer word only the beginning counts */
            break;
        end = further;
    }
    return str_sub(text, words[0].off, end);
}

/* Makes each character a word. */
static void alone(const struct word *run, size_t n, uint16_t *ret_len)
{
    for (size_t i = 0; i < n; i++)
        ret_len[i] = run[i].len;
}

#ifdef BROOD_ICU

struct unspaced {
    UBreakIterator *breaks; /* NULL: not opened yet, or not available */
    UText *text;
    bool is_open;
};

struct unspaced *unspaced_new(void)
{
    return MEM_NEW(struct unspaced);
}

void unspaced_free(struct unspaced *u)
{
    if (u == NULL)
        return;
    if (u->breaks)
        ubrk_close(u->breaks);
    if (u->text)
        utext_close(u->text);
    free(u);
}

bool unspaced_has_words(void)
{
    return true;
}

/* Gives the text to ICU's word breaker, which is opened if needed. The root locale has the
 * dictionaries of all these scripts. Returns false if ICU fails. */
static bool look_at(struct unspaced *u, const char *text, size_t len)
{
    UErrorCode err = U_ZERO_ERROR;

    if (!u->is_open)
        u->breaks = ubrk_open(UBRK_WORD, "", NULL, 0, &err);
    u->is_open = true;
    if (U_FAILURE(err) || u->breaks == NULL)
        return false;
    u->text = utext_openUTF8(u->text, text, (int64_t)len, &err);
    if (U_SUCCESS(err))
        ubrk_setUText(u->breaks, u->text, &err);
    return U_SUCCESS(err);
}

void unspaced_words(struct unspaced *u, struct str text, const struct word *run, size_t n,
                    uint16_t ret_len[UNSPACED_RUN])
{
    size_t from = run[0].off, end = (size_t)run[n - 1].off + run[n - 1].len, first = 0;
    int32_t at;

    alone(run, n, ret_len);
    if (n == 1 || !look_at(u, text.ptr + from, end - from))
        return;
    at = ubrk_next(u->breaks);
    for (size_t i = 1; i < n; i++) {
        size_t place = run[i].off - from;

        while (at != UBRK_DONE && (size_t)at < place)
            at = ubrk_next(u->breaks);
        if (at != UBRK_DONE && (size_t)at == place) {
            first = i;
        } else {
            size_t len = place + run[i].len - (run[first].off - from);

            ret_len[i] = 0;
            ret_len[first] = len <= TOKEN_MAX ? (uint16_t)len : ret_len[first];
        }
    }
}

#else

struct unspaced {
    char nothing;
};

struct unspaced *unspaced_new(void)
{
    return NULL;
}

void unspaced_free(struct unspaced *u)
{
    (void)u;
}

bool unspaced_has_words(void)
{
    return false;
}

void unspaced_words(struct unspaced *u, struct str text, const struct word *run, size_t n,
                    uint16_t ret_len[UNSPACED_RUN])
{
    (void)u, (void)text;
    alone(run, n, ret_len);
}

#endif
