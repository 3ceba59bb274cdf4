/* shingle.c - has the visible text of a page changed?
 *
 * A text is read once: words are hashed as they come and wait in a row until their
 * block ends; then the block's shingles are appended, and in the end all are sorted.
 *
 * Idea: Broder, Glassman, Manasse and Zweig (1997). We differ: shingles do not cross
 * blocks, and two versions are compared by how much is new, not by resemblance: one
 * new line on a long page is news. SPDX-License-Identifier: MIT */
#include "text/shingle.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/str.h"
#include "text/words/token.h"
#include "text/words/unspaced.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define FRESH_LEAST   2  /* new strong shingles that make a change, however long the page is */
#define WEAK_LEAST    4  /* the same for weak ones, unless the page consists of them */
#define GONE_LEAST    8  /* strong ones that have disappeared */
#define SHARE         10 /* or one in this many, if the page is short */

#define CALENDAR_WORD 9 /* letters of the longest name of the calendar */

/* Words to be ignored next to a number. Sorted. */
static const char *const calendar[] = {
    "am",     "apr",      "april", "aug",      "august",    "cest",    "cet",    "dec", "december",
    "edt",    "est",      "feb",   "february", "fri",       "friday",  "gmt",    "jan", "january",
    "jul",    "july",     "jun",   "june",     "mar",       "march",   "may",    "mdt", "mon",
    "monday", "mst",      "nov",   "november", "oct",       "october", "pdt",    "pm",  "pst",
    "sat",    "saturday", "sep",   "sept",     "september", "sun",     "sunday", "thu", "thursday",
    "tue",    "tuesday",  "utc",   "wed",      "wednesday",
};

struct shingle_reader {
    uint64_t *words; /* of the block so far; lowest bit: it is a calendar word */
    size_t nwords, words_cap;
    bool has_number; /* a word with a digit occurred in it */
    uint32_t *items;
    size_t count, cap;
    struct unspaced *unspaced; /* NULL: no text without spaces so far */
};

#define STAMP_WORD 20 /* letters of a stamp's name at most */

size_t stamp_end(struct str text, size_t at, size_t *ret_word)
{
    size_t end = at + 1;

    while (end < text.len && end - at <= STAMP_WORD && ascii_is_alpha(text.ptr[end]))
        end++;
    *ret_word = end;
    if (end == at + 1 || end >= text.len || text.ptr[end] != ':')
        return 0;
    while (end < text.len && text.ptr[end] != '$' && text.ptr[end] != '\n')
        end++;
    return end < text.len && text.ptr[end] == '$' ? end + 1 : 0;
}

/* ---- words --------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, *(const char *const *)b);
}

static bool is_calendar(const char *lower)
{
    return bsearch(lower, calendar, ARRAY_LEN(calendar), sizeof *calendar, compare_names) != NULL;
}

static bool is_word_char(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c) || (unsigned char)c >= 0x80;
}

/* Hashes a word in lower case. Returns false if it has a digit. */
static bool word_hash(struct str word, uint64_t *ret)
{
    char lower[CALENDAR_WORD + 1];
    uint64_t h = word.len;
    bool short_word = word.len <= CALENDAR_WORD;

    for (size_t i = 0; i < word.len; i++) {
        char c = ascii_lower(word.ptr[i]);

        if (ascii_is_digit(c))
            return false;
        h = hash_u64(h ^ (unsigned char)c);
        if (short_word)
            lower[i] = c;
    }
    if (short_word)
        lower[word.len] = '\0';
    *ret = (h & ~UINT64_C(1)) | (short_word && is_calendar(lower));
    return true;
}

static void add_word(struct shingle_reader *r, struct str word)
{
    uint64_t h;

    if (!word_hash(word, &h)) {
        r->has_number = true;
        return;
    }
    MEM_GROW(r->words, r->nwords, &r->words_cap);
    r->words[r->nwords++] = h;
}

/* ---- text without spaces ---- */

/* Scripts without spaces begin at U+0E00: most runs need no closer look. */
static bool has_unspaced(struct str run)
{
    size_t first = 0, at = 0, off, len;

    while (first < run.len && (unsigned char)run.ptr[first] < 0xe0)
        first++;
    while (first < run.len && token_next(run, &at, &off, &len))
        if (unspaced_is(run, (struct word){.off = (uint32_t)off, .len = (uint16_t)len}))
            return true;
    return false;
}

/* Adds tokens of a run of letters; characters of scripts without spaces are joined to words. */
static void add_tokens(struct shingle_reader *r, struct str run, const struct word *tokens,
                       size_t n)
{
    uint16_t lengths[UNSPACED_RUN];

    for (size_t i = 0; i < n;) {
        size_t joined = unspaced_run(run, tokens + i, n - i);

        if (joined == 0) {
            add_word(r, str_sub(run, tokens[i].off, tokens[i].off + tokens[i].len));
            i++;
            continue;
        }
        if (r->unspaced == NULL)
            r->unspaced = unspaced_new();
        unspaced_words(r->unspaced, run, tokens + i, joined, lengths);
        for (size_t k = 0; k < joined; k++)
            if (lengths[k] > 0)
                add_word(r, str_sub(run, tokens[i + k].off, tokens[i + k].off + lengths[k]));
        i += joined;
    }
}

/* Adds a run of letters and of bytes beyond ASCII: one word, or several in a script
 * without spaces. */
static void add_run(struct shingle_reader *r, struct str run)
{
    struct word tokens[UNSPACED_RUN];
    size_t n = 0, at = 0, off, len;

    if (!has_unspaced(run)) {
        add_word(r, run);
        return;
    }
    while (token_next(run, &at, &off, &len)) {
        tokens[n++] = (struct word){.off = (uint32_t)off, .len = (uint16_t)len};
        if (n == UNSPACED_RUN) {
            add_tokens(r, run, tokens, n);
            n = 0;
        }
    }
    add_tokens(r, run, tokens, n);
}

/* ---- blocks -------------------------------------------------------------- */

static void add_shingle(struct shingle_reader *r, const uint64_t *words, size_t n, bool strong)
{
    uint64_t h = n;

    for (size_t i = 0; i < n; i++)
        h = hash_u64(h + words[i]);
    MEM_GROW(r->items, r->count, &r->cap);
    r->items[r->count++] = ((uint32_t)(h >> 32) & ~1u) | strong;
}

static void end_block(struct shingle_reader *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->nwords; i++)
        if (!r->has_number || !(r->words[i] & 1))
            r->words[n++] = r->words[i];
    if (n >= SHINGLE_BLOCK) {
        for (size_t i = 0; i + SHINGLE_WORDS <= n; i++)
            add_shingle(r, r->words + i, SHINGLE_WORDS, true);
    } else if (n > 0) {
        add_shingle(r, r->words, n, false);
    }
    r->nwords = 0;
    r->has_number = false;
}

static void read_text(struct shingle_reader *r, struct str text)
{
    size_t at = 0, from, word;

    while (at < text.len) {
        size_t stamp = text.ptr[at] == '$' ? stamp_end(text, at, &word) : 0;

        if (stamp) {
            at = stamp;
            continue;
        }
        if (!is_word_char(text.ptr[at])) {
            if (text.ptr[at++] == '\n')
                end_block(r);
            continue;
        }
        for (from = at; at < text.len && is_word_char(text.ptr[at]);)
            at++;
        add_run(r, str_sub(text, from, at));
    }
    end_block(r);
}

/* ---- sets ---------------------------------------------------------------- */

static int compare_items(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static void sort_items(struct shingle_reader *r)
{
    if (r->count)
        qsort(r->items, r->count, sizeof *r->items, compare_items);
}

/* Makes repeated shingles distinct: the second of equal ones gets another value, the third yet
 * another. So a sentence that is repeated counts as new, too. */
static void tell_apart(struct shingle_reader *r)
{
    uint32_t first = 0, again = 0;

    for (size_t i = 0; i < r->count; i++) {
        again = i > 0 && r->items[i] == first ? again + 1 : 0;
        first = r->items[i];
        if (again)
            r->items[i] = ((uint32_t)hash_u64((uint64_t)again << 32 | first) & ~1u) | (first & 1);
    }
}

struct shingles *shingles_of(struct str text)
{
    struct shingle_reader r = {0};
    struct shingles *ret;
    size_t n = 0;

    read_text(&r, text);
    sort_items(&r);
    tell_apart(&r);
    sort_items(&r);
    for (size_t i = 0; i < r.count; i++)
        if (n == 0 || r.items[n - 1] != r.items[i])
            r.items[n++] = r.items[i];
    r.count = n < LIMIT_SHINGLES ? n : LIMIT_SHINGLES;
    ret = mem_alloc(sizeof *ret + r.count * sizeof *ret->items);
    ret->count = (uint32_t)r.count;
    ret->below = n > LIMIT_SHINGLES ? r.items[LIMIT_SHINGLES - 1] : UINT32_MAX;
    if (r.count)
        memcpy(ret->items, r.items, r.count * sizeof *ret->items);
    free(r.items);
    free(r.words);
    unspaced_free(r.unspaced);
    return ret;
}

size_t shingles_bytes(const struct shingles *s)
{
    return sizeof *s + s->count * sizeof *s->items;
}

/* ---- comparing ----------------------------------------------------------- */

/* Counts what is in `a` and not in `b`, up to `below`. */
static void only_in(const struct shingles *a, const struct shingles *b, uint32_t below,
                    uint32_t *ret_strong, uint32_t *ret_weak)
{
    uint32_t k = 0, strong = 0, all = 0;

    for (uint32_t i = 0; i < a->count && a->items[i] <= below; i++) {
        while (k < b->count && b->items[k] < a->items[i])
            k++;
        if (k < b->count && b->items[k] == a->items[i])
            continue;
        strong += a->items[i] & 1;
        all++;
    }
    *ret_strong = strong;
    *ret_weak = all - strong;
}

struct shingle_difference shingles_compare(const struct shingles *old, const struct shingles *new)
{
    uint32_t below = old->below < new->below ? old->below : new->below;
    struct shingle_difference d;

    only_in(new, old, below, &d.fresh, &d.fresh_weak);
    only_in(old, new, below, &d.gone, &d.gone_weak);
    return d;
}

/* Is it a list, with more shingles of short lines than of sentences? */
static bool is_list(const struct shingles *s)
{
    uint32_t strong = 0;

    for (uint32_t i = 0; i < s->count; i++)
        strong += s->items[i] & 1;
    return 2 * strong < s->count;
}

bool shingles_changed(const struct shingles *old, const struct shingles *new)
{
    struct shingle_difference d = shingles_compare(old, new);
    uint32_t all = d.fresh + d.gone + d.fresh_weak + d.gone_weak;

    return d.fresh >= FRESH_LEAST || d.fresh_weak >= WEAK_LEAST || d.gone >= GONE_LEAST ||
           (d.fresh_weak > 0 && is_list(new)) || all * SHARE > new->count + old->count;
}

/* ---- simhash ----
 *
 * Counting 64 bits of 1,400 features one by one would cost 90,000 additions a page.
 * The counters are bit-sliced instead: plane k holds bit k of all 64 counts, and
 * eight features at a time go through carry-save adders before one carry is rippled
 * into the higher planes (Harley and Seal). About 2 ns a feature. */

#define PLANES 33 /* counts below 2^33 */

struct votes {
    uint64_t plane[PLANES];
    size_t cast;
};

/* a + b + c = *sum + 2 * return, in each of the 64 columns. */
static inline uint64_t carry_save(uint64_t a, uint64_t b, uint64_t c, uint64_t *sum)
{
    uint64_t u = a ^ b;

    *sum = u ^ c;
    return (a & b) | (u & c);
}

/* Adds `carry` to the planes from `at` on. */
static inline void ripple(struct votes *v, uint64_t carry, int at)
{
    for (; carry != 0 && at < PLANES; at++) {
        uint64_t both = v->plane[at] & carry;

        v->plane[at] ^= carry;
        carry = both;
    }
}

static inline void vote_eight(struct votes *v, const uint64_t f[8])
{
    uint64_t *p = v->plane;
    uint64_t two_a = carry_save(p[0], f[0], f[1], &p[0]);
    uint64_t two_b = carry_save(p[0], f[2], f[3], &p[0]);
    uint64_t four_a = carry_save(p[1], two_a, two_b, &p[1]);
    uint64_t two_c = carry_save(p[0], f[4], f[5], &p[0]);
    uint64_t two_d = carry_save(p[0], f[6], f[7], &p[0]);
    uint64_t four_b = carry_save(p[1], two_c, two_d, &p[1]);
    uint64_t eight = carry_save(p[2], four_a, four_b, &p[2]);

    ripple(v, eight, 3);
    v->cast += 8;
}

/* Returns the bits for which more than half voted. */
static uint64_t outcome(const struct votes *v)
{
    uint64_t more = 0, equal = ~UINT64_C(0); /* than half, compared from the top plane */

    for (int k = PLANES - 1; k >= 0; k--) {
        uint64_t half = (v->cast / 2) >> k & 1 ? ~UINT64_C(0) : 0;

        more |= equal & v->plane[k] & ~half;
        equal &= ~(v->plane[k] ^ half);
    }
    return more;
}

uint64_t simhash_of(const uint32_t *ids, size_t n)
{
    struct votes v = {.cast = 0};
    uint64_t features[8], before = n > 0 ? ids[0] : 0;
    size_t waiting = 0;

    for (size_t i = 1; i < n; i++) {
        features[waiting] = hash_u64(before << 32 | ids[i]);
        waiting += ids[i] != 0; /* 0 is no word: text/words/unspaced.h */
        before = ids[i] ? ids[i] : before;
        if (waiting == 8) {
            vote_eight(&v, features);
            waiting = 0;
        }
    }
    if (before != 0 && v.cast + waiting == 0) /* a single word has no neighbour */
        features[waiting++] = hash_u64(before << 32);
    for (size_t i = 0; i < waiting; i++, v.cast++)
        ripple(&v, features[i], 0);
    return outcome(&v);
}
