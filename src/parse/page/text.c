/* page_text.c - the visible text of a page and its words.
 *
 * In: raw character data in document order. Out: folded text and the array of
 * its words (text/words/token.h says what a word is).
 *
 * Words are counted where an element ends that may be the node of a link, also
 * in the middle of a line, because nodes are intervals of the word array. A count
 * cuts the new bytes into words; if the last of them could still grow
 * ("foo<b>bar</b>"), it is cut again next time. Text that is added later never
 * changes the number of words that begin before a place, so every count stays
 * valid, and the count for an earlier place can be made later.
 *
 * Workload: 9 KB of text, 1,400 words, 125 counts a page.
 * SPDX-License-Identifier: MIT
 */
#include "parse/page/page_int.h"

#include "base/limits.h"
#include "base/look.h"
#include "base/mem.h"
#include "base/search.h"
#include "parse/entities.h"
#include "text/words/token.h"

#include <stdlib.h>

#define KEEP_BYTES  MIB(2)  /* larger buffers are not kept for the next page */
#define COUNT_BYTES KIB(16) /* words are counted at least every so many bytes */
#define GROWS_MAX \
    (4 * TOKEN_MAX) /* bytes; a longer run without a gap is cut: counts
                                   * at each of its tags would be quadratic */

enum { PLAIN, SPACE, AMP, NUL, C2 };

/* C2 may begin a no-break space (c2 a0), which we treat as white space, or a soft hyphen (c2 ad),
 * which is invisible and would split words. */
static const uint8_t class_of[256] = {
    ['\t'] = SPACE, ['\n'] = SPACE, ['\v'] = SPACE, ['\f'] = SPACE, ['\r'] = SPACE,
    [' '] = SPACE,  ['&'] = AMP,    [0] = NUL,      [0xc2] = C2,
};

void page_text_clear(struct page_text *t)
{
    if (t->cap > KEEP_BYTES || t->words_cap * sizeof *t->words > KEEP_BYTES)
        page_text_free(t);
    t->len = t->nwords = t->scanned = t->counted = 0;
    t->gap = GAP_NONE;
    t->grows = t->cut = false;
    t->source = (struct str){NULL, 0};
}

void page_text_free(struct page_text *t)
{
    free(t->data);
    free(t->words);
    memset(t, 0, sizeof *t);
}

/* Makes room for what `raw` can become: 1.2 times its length, a gap, and what a look writes
 * beyond. */
static char *text_room(struct page_text *t, size_t raw)
{
    size_t need = t->len + raw + raw / 4 + 2 * ENTITY_VALUE_MAX + LOOK;

    if (need > t->cap) {
        t->cap = need < 16384 ? 32768 : 2 * need;
        t->data = mem_resize(t->data, t->cap, 1);
    }
    return t->data + t->len;
}

static inline char *put_gap(struct page_text *t, char *out)
{
    if (t->gap) {
        *out = t->gap == GAP_LINE ? '\n' : ' ';
        out += out != t->data;
        t->gap = GAP_NONE;
    }
    return out;
}

/* Writes a reference; `p` is the place after the '&'. */
static const char *put_reference(struct page_text *t, const char *p, const char *end, char **out)
{
    char value[ENTITY_VALUE_MAX] = "&";
    size_t len = 1, used = entity_decode(p, end, false, value, &len);

    if (len == 2 && memcmp(value, "\xc2\xa0", 2) == 0) {
        page_text_gap(t, GAP_WORD);
    } else if (len == 2 && memcmp(value, "\xc2\xad", 2) == 0) {
        ; /* a soft hyphen is not a character of the word */
    } else if (len == 1 && class_of[(unsigned char)value[0]] == SPACE) {
        page_text_gap(t, GAP_WORD);
    } else {
        char *o = put_gap(t, *out);

        memcpy(o, value, len);
        *out = o + len;
    }
    return p + used;
}

/* Returns the end of the bytes that can be read at [p, end) and behind it. */
static inline const char *readable_to(const struct page_text *t, const char *p, const char *end)
{
    const char *last = t->source.ptr + t->source.len;

    return p >= t->source.ptr && end <= last ? last : end;
}

/* Copies from *p, a byte to be copied, up to the next one that is not plain text: sixteen bytes at
 * a time, with every single newline as a space. `out` has room for a look more. */
static inline void copy_plain(struct page_text *t, const char **p, const char *end, char **out)
{
    const char *in = *p, *safe = readable_to(t, in, end);
    char *o = *out;
    unsigned n = LOOK, after_space = 0;

    while (n == LOOK && safe - in >= LOOK && in < end) {
        look16 v = look_at(in), line = (look16)(v == '\n'), space = line | (look16)(v == ' ');
        unsigned spaces = look_bits(space), odd;

        odd = look_bits(((v < ' ') & ~line) | (v == '&') | (v == 0xc2));
        odd |= spaces & (spaces << 1 | after_space); /* white space after white space */
        odd |= end - in < LOOK ? 1u << (end - in) : 1u << LOOK;
        n = (unsigned)__builtin_ctz(odd);
        look_put(v ^ (line & ('\n' ^ ' ')), o);
        after_space = spaces >> (LOOK - 1);
        in += n;
        o += n;
    }
    if (in == *p) {
        *o++ = *in++;
        while (in < end && class_of[(unsigned char)*in] == PLAIN)
            *o++ = *in++;
    } else if (o[-1] == ' ') { /* the space at the end must not be written yet */
        o--;
        t->gap = GAP_WORD;
    }
    *p = in;
    *out = o;
}

void page_text_add(struct page_text *t, struct str raw, bool refs)
{
    const char *p = raw.ptr, *end;
    char *out;

    if (t->len - t->scanned > COUNT_BYTES)
        (void)page_text_words(t); /* are there too many? */
    if (raw.len == 0 || t->cut)
        return;
    end = p + raw.len;
    out = text_room(t, raw.len);
    while (p < end) {
        switch (class_of[(unsigned char)*p]) {
        case SPACE:
            page_text_gap(t, GAP_WORD);
            do
                p++;
            while (p < end && class_of[(unsigned char)*p] == SPACE);
            continue;
        case NUL:
            p++;
            continue;
        case C2:
            if (p + 1 < end && p[1] == '\xa0') {
                page_text_gap(t, GAP_WORD);
                p += 2;
                continue;
            }
            if (p + 1 < end && p[1] == '\xad') {
                p += 2;
                continue;
            }
            break;
        case AMP:
            if (refs) {
                p = put_reference(t, p + 1, end, &out);
                continue;
            }
            break;
        }
        out = put_gap(t, out);
        copy_plain(t, &p, end, &out);
    }
    t->len = (size_t)(out - t->data);
}

uint32_t page_text_words(struct page_text *t)
{
    struct str text = {t->data, t->len};
    size_t at = t->scanned, n = t->nwords, room, off, len;

    if (t->counted == t->len)
        return (uint32_t)n;
    if (t->grows && class_of[(unsigned char)t->data[t->counted]] != SPACE)
        at = t->words[--n].off; /* it may have grown: find its end again */
    for (;;) {
        room = t->words_cap < LIMIT_WORDS ? t->words_cap : LIMIT_WORDS;
        n += token_words(text, &at, t->words + n, room - n);
        if (n < room)
            break;
        if (n == LIMIT_WORDS) {
            t->cut = token_next(text, &at, &off, &len);
            break;
        }
        MEM_GROW(t->words, n, &t->words_cap);
    }
    t->nwords = n;
    t->scanned = t->counted = t->len;
    t->grows = t->gap == GAP_NONE && n > 0 && !t->cut && t->len - t->words[n - 1].off < GROWS_MAX;
    return (uint32_t)n;
}

/* The place is mostly near the end: an element has few words. */
uint32_t page_text_words_before(const struct page_text *t, uint32_t at)
{
    uint32_t n = (uint32_t)t->nwords, reach = 8, ret;

    while (reach < n && t->words[n - reach].off >= at)
        reach *= 2;
    FIND_FIRST(ret, reach < n ? n - reach : 0, n, t->words[ret].off >= at);
    return ret;
}

bool page_text_take(struct page_text *t, struct arena *arena, struct page *page)
{
    struct str text;

    page_text_words(t);
    text = arena_str(arena, (struct str){t->data, t->len});
    page->words = arena_array(arena, t->nwords, sizeof *t->words);
    if (text.ptr == NULL || page->words == NULL)
        return false;
    if (t->nwords)
        memcpy(page->words, t->words, t->nwords * sizeof *t->words);
    page->text = text;
    page->nwords = (uint32_t)t->nwords;
    page->cut |= t->cut;
    return true;
}
