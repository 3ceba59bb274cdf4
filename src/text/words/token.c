/* token.c - words in UTF-8 text.
 *
 * In: visible text, while parse/ collects it. Out: intervals of bytes.
 * Workload: 1,400 words of 8.8 KB a page, nearly all of them ASCII. The bytes of
 * several words are looked at together, so that a word costs a few predictable
 * branches rather than an unpredictable one; everything beyond ASCII is left to
 * token_extend(). The time is linear in the text, whatever it holds.
 *
 * Besides the letters of token.h a word may hold marks, digits, and invisible
 * joiners (soft hyphen, ZWJ); it begins with a letter or a digit. Thai, Lao,
 * Khmer and Myanmar characters are words of their own like Han and kana, with
 * the marks that follow them. Limit: no normalisation (NFC) is done.
 * SPDX-License-Identifier: MIT */
#include "text/words/token.h"

#include "base/utf8.h"
#include "text/words/unicode.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define RIGHT_QUOTE 0x2019u /* the typographic apostrophe */

#define EACH(byte)  (UINT64_C(0x0101010101010101) * (byte))
#define TOPS        EACH(0x80)

static inline bool is_word_byte(unsigned char c)
{
    return ascii_is_alpha((char)c) || ascii_is_digit((char)c);
}

/* Loads eight bytes of text, the first one lowest. */
static inline uint64_t load8(const unsigned char *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* The top bit of each byte that is an ASCII letter or digit. Bytes stay below
 * 0x80 before the additions, so nothing carries into a neighbour. */
static inline uint64_t word_bytes(uint64_t v)
{
    uint64_t low = v & ~TOPS, folded = low | EACH(0x20);
    uint64_t alpha = (folded + EACH(0x80 - 'a')) & ~(folded + EACH(0x7f - 'z'));
    uint64_t digit = (low + EACH(0x80 - '0')) & ~(low + EACH(0x7f - '9'));

    return (alpha | digit) & ~v & TOPS;
}

static enum char_class class_at(struct str text, size_t at)
{
    return at < text.len ? unicode_class(utf8_next(text, &at)) : CHAR_OTHER;
}

/* Is the character that ends before `at` a letter (or a mark on one)? */
static bool letter_before(struct str text, size_t at)
{
    size_t from = at - 1;
    enum char_class kind;

    if ((unsigned char)text.ptr[from] < 0x80)
        return ascii_is_alpha(text.ptr[from]);
    while (from > 0 && at - from < 4 && ((unsigned char)text.ptr[from] & 0xc0) == 0x80)
        from--;
    kind = class_at(text, from);
    return kind == CHAR_LETTER || kind == CHAR_MARK;
}

/* At a byte that is not an ASCII letter or digit: does the word continue? If so, *at
 * moves past one character. */
static bool token_extend(struct str text, size_t *at)
{
    size_t next = *at;
    uint32_t cp = utf8_next(text, &next);
    bool goes_on;

    if (cp == '\'' || cp == RIGHT_QUOTE) {
        goes_on = letter_before(text, *at) && class_at(text, next) == CHAR_LETTER;
    } else {
        enum char_class kind = cp < 0x80 ? CHAR_OTHER : unicode_class(cp);

        goes_on = kind != CHAR_OTHER && kind != CHAR_SOLO;
    }
    if (goes_on)
        *at = next;
    return goes_on;
}

/* Returns the first byte at or after `at` that can begin a word: an ASCII letter or
 * digit, or a byte beyond ASCII. */
static inline size_t skip_others(struct str text, size_t at)
{
    const unsigned char *p = (const unsigned char *)text.ptr;

    for (; at + 8 <= text.len; at += 8) {
        uint64_t v = load8(p + at), found = word_bytes(v) | (v & TOPS);

        if (found != 0)
            return at + (size_t)__builtin_ctzll(found) / 8;
    }
    while (at < text.len && p[at] < 0x80 && !is_word_byte(p[at]))
        at++;
    return at;
}

/* Returns the first byte at or after `at` that is not an ASCII letter or digit. */
static inline size_t skip_words(struct str text, size_t at)
{
    const unsigned char *p = (const unsigned char *)text.ptr;

    for (; at + 8 <= text.len; at += 8) {
        uint64_t found = ~word_bytes(load8(p + at)) & TOPS;

        if (found != 0)
            return at + (size_t)__builtin_ctzll(found) / 8;
    }
    while (at < text.len && is_word_byte(p[at]))
        at++;
    return at;
}

/* Returns the start of the next word at or after `at`, or text.len. */
static size_t token_start(struct str text, size_t at, bool *ret_solo)
{
    *ret_solo = false;
    while ((at = skip_others(text, at)) < text.len) {
        size_t from = at;
        enum char_class kind;

        if ((unsigned char)text.ptr[at] < 0x80)
            return at;
        kind = unicode_class(utf8_next(text, &at));
        *ret_solo = kind == CHAR_SOLO;
        if (*ret_solo || kind == CHAR_LETTER || kind == CHAR_DIGIT)
            return from;
    }
    return text.len;
}

static size_t solo_end(struct str text, size_t at)
{
    size_t next = at;

    utf8_next(text, &next);
    do {
        at = next;
    } while (at < text.len && unicode_class(utf8_next(text, &next)) == CHAR_MARK);
    return at;
}

static size_t run_end(struct str text, size_t at)
{
    while ((at = skip_words(text, at)) < text.len) {
        unsigned char c = (unsigned char)text.ptr[at];

        if ((c < 0x80 && c != '\'') || !token_extend(text, &at))
            break;
    }
    return at;
}

#ifdef __SSE2__
#define LOOK 32 /* bytes */

/* A bit for each byte: is it an ASCII letter or digit? Or one that needs a closer look: an
 * apostrophe, or beyond ASCII? */
struct looked {
    uint64_t words, odd;
};

static inline struct looked look_at(const char *p)
{
    struct looked ret = {0, 0};

    for (unsigned i = 0; i < LOOK; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i letter = _mm_sub_epi8(_mm_or_si128(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
        __m128i digit = _mm_sub_epi8(v, _mm_set1_epi8('0'));
        __m128i odd = _mm_or_si128(v, _mm_cmpeq_epi8(v, _mm_set1_epi8('\'')));

        letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8('z' - 'a')), letter);
        digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
        ret.words |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_or_si128(letter, digit)) << i;
        ret.odd |= (uint64_t)(unsigned)_mm_movemask_epi8(odd) << i;
    }
    return ret;
}

/* Of the words at or after *at those that a look at the next bytes tells: of ASCII letters and
 * digits, between other ASCII characters that are no apostrophes. *at moves behind the last one, or
 * to where the next word may begin. 0: it is to be looked for in another way. */
static inline size_t plain_words(struct str text, size_t *at, struct word *ret, size_t most)
{
    size_t n = 0, left = text.len - *at, from = *at;
    uint64_t odd; /* the first one */
    struct looked l;

    if (text.len < LOOK || left == 0)
        return 0;
    l = look_at(text.ptr + (left < LOOK ? text.len - LOOK : from));
    if (left < LOOK) { /* behind the text there is no word */
        l.words >>= LOOK - left;
        l.odd >>= LOOK - left;
    } else {
        l.odd |= UINT64_C(1) << LOOK; /* nobody has looked there */
    }
    odd = l.odd & -l.odd;
    l.words = (l.words & (odd - 1)) | odd; /* a word that reaches it is not done */
    while (n < most && l.words != 0) {
        unsigned start = (unsigned)__builtin_ctzll(l.words);
        uint64_t end = (l.words + (UINT64_C(1) << start)) & ~l.words; /* of the first run of bits */

        if (odd & (end - 1)) {
            *at = from + start;
            return n;
        }
        *at = from + (unsigned)__builtin_ctzll(end);
        ret[n++] = (struct word){(uint32_t)(from + start), (uint16_t)(*at - from - start)};
        l.words &= ~(end - 1);
    }
    if (n < most)
        *at = text.len;
    return n;
}

_Static_assert(TOKEN_MAX >= LOOK, "a plain word is never cut");
#else
static inline size_t plain_words(struct str text, size_t *at, struct word *ret, size_t most)
{
    (void)text, (void)at, (void)ret, (void)most;
    return 0;
}
#endif

/* The longest prefix of whole characters within TOKEN_MAX bytes. */
static size_t token_cut(const char *word, size_t len)
{
    if (len <= TOKEN_MAX)
        return len;
    len = TOKEN_MAX;
    while (len > 1 && ((unsigned char)word[len] & 0xc0) == 0x80)
        len--;
    return len;
}

bool token_next(struct str text, size_t *at, size_t *ret_off, size_t *ret_len)
{
    struct word w;
    bool solo;
    size_t from;

    if (plain_words(text, at, &w, 1) == 1) {
        *ret_off = w.off;
        *ret_len = w.len;
        return true;
    }
    from = token_start(text, *at, &solo);
    if (from >= text.len) {
        *at = text.len;
        return false;
    }
    *at = solo ? solo_end(text, from) : run_end(text, from);
    *ret_off = from;
    *ret_len = token_cut(text.ptr + from, *at - from);
    return true;
}

size_t token_words(struct str text, size_t *at, struct word *ret, size_t most)
{
    size_t n = 0, off, len;

    while (n < most) {
        size_t found = plain_words(text, at, ret + n, most - n);

        n += found;
        if (found > 0)
            continue;
        if (!token_next(text, at, &off, &len))
            break;
        ret[n++] = (struct word){(uint32_t)off, (uint16_t)len};
    }
    return n;
}

size_t token_lower(const char *word, size_t len, char *out)
{
    struct str text = {word, len};
    size_t used = 0;

    for (size_t i = 0; i < len;) {
        uint32_t cp;

        if ((unsigned char)word[i] < 0x80) {
            out[used++] = ascii_lower(word[i++]);
            continue;
        }
        cp = utf8_next(text, &i);
        if (cp == RIGHT_QUOTE)
            out[used++] = '\'';
        else if (cp != UTF8_BAD && unicode_class(cp) != CHAR_JOINER)
            used += utf8_put(unicode_lower(cp), out + used);
    }
    return used;
}
