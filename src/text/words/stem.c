/* stem.c - from a word as written to its term.
 *
 * In: words of a page, as intervals of its text. Out: term ids (text/vocab.h).
 *
 * Workload: 1,400 words a page, of which a warm cache knows 98 to 99 in 100. A miss
 * costs some 200 ns (lower case, stop list, Snowball), a hit about 5. Words are
 * looked up as written ("The" and "the" are two entries): lowering every word
 * would cost more than the space.
 *
 * The cache: sets of eight 8-byte entries, a set a cache line. A new word takes the
 * middle place and pushes the last one out, a hit moves one place forward; so words
 * seen only once replace each other, and common words stay. An entry knows its word
 * by 30 bits of a hash beside its set (45 in all): a collision would give a wrong
 * term, as a collision of the 32-bit ids does, far oftener.
 * SPDX-License-Identifier: MIT */
#include "text/words/stem.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "text/words/token.h"
#include "text/words/unspaced.h"
#include "text/vocab.h"

#include <libstemmer.h>
#include <stdlib.h>

#define CACHE_WORDS 262144 /* 2 MiB for each thread */
#define WAYS        8
#define BATCH       32 /* words looked up together */

/* Languages with a Snowball stemmer, a stop list, or both. */
static const struct {
    const char *code, *algorithm;
    const char *elided; /* elided words that may stand before an apostrophe: " l d " */
} langs[] = {
    [STEM_NONE] = {"", NULL, NULL},
    {"en", "english", NULL},
    {"de", "german", NULL},
    {"fr", "french", " l d j m t s n c qu jusqu lorsqu puisqu quoiqu "},
    {"es", "spanish", NULL},
    {"it", "italian", " l d c un all dall dell nell sull coll quell quest "},
    {"pt", "portuguese", NULL},
    {"nl", "dutch", NULL},
    {"sv", "swedish", NULL},
    {"da", "danish", NULL},
    {"no", "norwegian", NULL},
    {"fi", "finnish", NULL},
    {"ru", "russian", NULL},
    {"ca", "catalan", " l d m t s n "},
    {"ro", "romanian", NULL},
    {"hu", "hungarian", NULL},
    {"tr", "turkish", NULL},
    {"el", "greek", NULL},
    {"ga", "irish", NULL},
    {"lt", "lithuanian", NULL},
    {"sr", "serbian", NULL},
    {"eu", "basque", NULL},
    {"hy", "armenian", NULL},
    {"ar", "arabic", NULL},
    {"hi", "hindi", NULL},
    {"ne", "nepali", NULL},
    {"ta", "tamil", NULL},
    {"id", "indonesian", NULL},
    {"yi", "yiddish", NULL},
    {"pl", NULL, NULL},
    {"porter", "porter", NULL},
};

_Static_assert(ARRAY_LEN(langs) == STEM_LANGS, "a row a language");

/* What a thread keeps for one language. */
struct tongue {
    bool is_open;
    struct sb_stemmer *snowball; /* NULL: none */
    struct map stops;            /* hash of a stop word -> 1 */
};

struct stem_entry {
    uint32_t tag; /* of language and word, times two, plus 1 for a stop word; 0: free */
    uint32_t id;  /* of the term */
};

#define SET_BYTES (WAYS * sizeof(struct stem_entry))

struct stemmer {
    void *memory;               /* the cache; pages never touched use no memory */
    struct stem_entry *entries; /* sets x WAYS; a set is one cache line */
    size_t mask;                /* sets - 1 */
    struct map keep;            /* hash of a word -> 1: never a stop word */
    struct tongue tongues[STEM_LANGS];
    struct unspaced *unspaced; /* NULL: not needed so far */
    char lower[2 * TOKEN_MAX]; /* the current word */
};

int stem_lang(struct str code)
{
    size_t end = 0;

    while (end < code.len && ascii_is_alpha(code.ptr[end]))
        end++;
    code.len = end;
    if (str_eq_i(code, STR("nb")) || str_eq_i(code, STR("nn"))) /* Bokmål, Nynorsk */
        code = STR("no");
    for (int i = 1; i < STEM_LANGS; i++)
        if (str_eq_i(code, str_of(langs[i].code)))
            return i;
    return STEM_NONE;
}

struct str stem_lang_code(int lang)
{
    return str_of(langs[lang].code);
}

/* ---- making ---- */

struct stemmer *stemmer_new(size_t cache_words)
{
    struct stemmer *s = MEM_NEW(struct stemmer);
    size_t sets = 1;

    if (cache_words == 0)
        cache_words = CACHE_WORDS;
    while (sets * WAYS < cache_words)
        sets *= 2;
    s->mask = sets - 1;
    s->memory = mem_zero(sets * WAYS * sizeof *s->entries + SET_BYTES, 1);
    s->entries = (struct stem_entry *)(((uintptr_t)s->memory + SET_BYTES - 1) & ~(SET_BYTES - 1));
    map_init(&s->keep);
    return s;
}

void stemmer_free(struct stemmer *s)
{
    if (s == NULL)
        return;
    for (int i = 0; i < STEM_LANGS; i++) {
        sb_stemmer_delete(s->tongues[i].snowball);
        map_free(&s->tongues[i].stops);
    }
    map_free(&s->keep);
    unspaced_free(s->unspaced);
    free(s->memory);
    free(s);
}

void stemmer_keep(struct stemmer *s, struct str word)
{
    map_set(&s->keep, hash_str(word), 1);
    memset(s->entries, 0, (s->mask + 1) * WAYS * sizeof *s->entries);
}

static struct tongue *tongue_open(struct stemmer *s, int lang)
{
    struct tongue *t = &s->tongues[lang];
    struct str list, word;

    if (t->is_open)
        return t;
    t->is_open = true;
    if (langs[lang].algorithm)
        t->snowball = sb_stemmer_new(langs[lang].algorithm, NULL);
    if (langs[lang].algorithm && t->snowball == NULL)
        mem_out();
    list = stop_words(str_of(langs[lang].code));
    while (str_cut(&list, ' ', &word))
        map_set(&t->stops, hash_str(word), 1);
    return t;
}

/* ---- one word ---- */

struct str stem_snowball(struct stemmer *s, int lang, struct str lower)
{
    struct sb_stemmer *snowball = tongue_open(s, lang)->snowball;
    const sb_symbol *stem;

    if (snowball == NULL || lower.len > 2 * TOKEN_MAX)
        return lower;
    stem = sb_stemmer_stem(snowball, (const sb_symbol *)lower.ptr, (int)lower.len);
    if (stem == NULL)
        return lower;
    return (struct str){(const char *)stem, (size_t)sb_stemmer_length(snowball)};
}

/* Removes an elided word: "l'homme" -> "homme". */
static struct str without_elision(int lang, struct str word)
{
    size_t at = langs[lang].elided ? str_find_char(word, '\'', 0) : SIZE_MAX;
    char before[16];

    if (at == SIZE_MAX || at + 1 >= word.len || at + 2 > sizeof before)
        return word;
    before[0] = ' ';
    memcpy(before + 1, word.ptr, at);
    before[at + 1] = ' ';
    if (str_find(str_of(langs[lang].elided), (struct str){before, at + 2}, 0) == SIZE_MAX)
        return word;
    return str_sub(word, at + 1, word.len);
}

struct str stem_word(struct stemmer *s, int lang, struct str word, bool *ret_stop)
{
    struct tongue *t = tongue_open(s, lang);
    size_t len = word.len < TOKEN_MAX ? word.len : TOKEN_MAX;
    struct str lower = {s->lower, token_lower(word.ptr, len, s->lower)}, stem;
    uint64_t hash;

    lower = without_elision(lang, lower);
    hash = hash_str(lower);
    *ret_stop = map_get(&t->stops, hash) != MAP_NONE && map_get(&s->keep, hash) == MAP_NONE;
    stem = stem_snowball(s, lang, lower);
    return stem.len > 0 ? stem : lower; /* Porter's stem of "s" is empty */
}

/* ---- many words ---- */

static inline uint64_t load64(const void *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* Folds the high and the low half of a product: one multiplication mixes 128 bits. The constants
 * are not text, so no word can make a factor 0. */
static inline uint64_t fold(uint64_t a, uint64_t b)
{
    unsigned __int128 p =
        (unsigned __int128)(a ^ UINT64_C(0xff51afd7ed558ccd)) * (b ^ UINT64_C(0xc4ceb9fe1a85ec53));

    return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static inline uint64_t key_of(uint64_t a, uint64_t b, uint64_t seed)
{
    return fold(a, b ^ seed * UINT64_C(0x9e3779b97f4a7c15));
}

/* The key of a long word, or of one at the end of a text. */
static __attribute__((noinline)) uint64_t word_key_odd(const char *word, size_t len, uint64_t seed)
{
    char copy[16] = {0};

    if (len <= 16) {
        memcpy(copy, word, len);
        return key_of(load64(copy), load64(copy + 8), seed);
    }
    for (size_t i = 0; i + 16 < len; i += 8)
        seed = fold(load64(word + i), seed);
    return key_of(load64(word + len - 16), load64(word + len - 8), seed);
}

/* A hash of language and word. Nearly all words have at most 16 bytes, and as many bytes follow in
 * the text: two loads, with the bytes after the word masked. */
static inline uint64_t word_key(struct str text, struct word w, uint64_t lang)
{
    static const uint8_t mask[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 255};
    const char *p = text.ptr + w.off;
    uint64_t seed = lang << 8 | w.len;

    if (w.len > 16 || w.off + 16 > text.len)
        return word_key_odd(p, w.len, seed);
    return key_of(load64(p) & load64(mask + 16 - w.len), load64(p + 8) & load64(mask + 24 - w.len),
                  seed);
}

static struct stem_entry cache_miss(struct stemmer *s, int lang, struct str word, uint32_t tag,
                                    struct stem_entry *set)
{
    bool stop;
    struct str stem = stem_word(s, lang, word, &stop);
    struct stem_entry e = {.tag = tag | stop, .id = term_id(stem)};

    memmove(set + WAYS / 2 + 1, set + WAYS / 2, (WAYS / 2 - 1) * sizeof *set);
    set[WAYS / 2] = e;
    return e;
}

static inline struct stem_entry *cache_set(const struct stemmer *s, uint64_t key)
{
    return s->entries + (size_t)(key >> 32 & s->mask) * WAYS;
}

/* Looks in all places but the first. Not inlined, because most words are in the first. */
static __attribute__((noinline)) struct stem_entry
cache_search(struct stemmer *s, int lang, struct str word, uint32_t tag, struct stem_entry *set)
{
    struct stem_entry e;

    for (int i = 1; i < WAYS; i++) {
        if ((set[i].tag & ~1u) == tag) {
            e = set[i];
            set[i] = set[i - 1];
            set[i - 1] = e;
            return e;
        }
    }
    return cache_miss(s, lang, word, tag, set);
}

/* Where terms are written: the arguments of stem_words(). */
struct terms_room {
    uint32_t *ids, *kept;
    uint64_t *stops;
    size_t first;
};

static struct terms_room room_at(struct terms_room room, size_t words, size_t kept)
{
    return (struct terms_room){room.ids + words, room.kept + kept, room.stops, room.first + words};
}

/* *ret_far: a word begins with a character beyond ASCII, so it may be of a text
 * without spaces. */
static size_t stem_spaced(struct stemmer *s, int lang, struct str text, const struct word *words,
                          size_t n, struct terms_room room, bool *ret_far)
{
    struct stem_entry *sets[BATCH];
    uint32_t tags[BATCH]; /* never 0 or 1, which mark free places */
    uint64_t *stops = room.stops;
    uint32_t *ids = room.ids, *ret_kept = room.kept;
    size_t kept = 0, first = room.first;
    unsigned lead = 0;

    for (size_t from = 0; from < n; from += BATCH) {
        size_t batch = n - from < BATCH ? n - from : BATCH;

        for (size_t i = 0; i < batch; i++) { /* all sets are loaded before the first is read */
            uint64_t key = word_key(text, words[from + i], (uint64_t)lang);

            sets[i] = cache_set(s, key);
            tags[i] = (uint32_t)key << 1 | 2;
            lead |= (unsigned char)text.ptr[words[from + i].off];
            __builtin_prefetch(sets[i]);
        }
        for (size_t i = 0; i < batch; i++) {
            struct word w = words[from + i];
            struct stem_entry e = sets[i][0];

            if ((e.tag & ~1u) != tags[i])
                e = cache_search(s, lang, (struct str){text.ptr + w.off, w.len}, tags[i], sets[i]);
            ids[from + i] = e.id;
            ret_kept[kept] = e.id;
            kept += !(e.tag & 1);
            if (stops)
                stops[(first + from + i) / 64] |= (uint64_t)(e.tag & 1) << (first + from + i) % 64;
        }
    }
    *ret_far = lead >= 0x80;
    return kept;
}

/* Handles characters of a text without spaces: a word is at the place of its first character, and
 * the other places have no term. */
static size_t stem_run(struct stemmer *s, int lang, struct str text, const struct word *run,
                       size_t n, struct terms_room room)
{
    uint16_t lens[UNSPACED_RUN];
    size_t kept = 0;
    bool far;

    if (s->unspaced == NULL)
        s->unspaced = unspaced_new();
    unspaced_words(s->unspaced, text, run, n, lens);
    for (size_t i = 0; i < n; i++) {
        struct word w = {run[i].off, lens[i]};
        size_t bit = room.first + i;

        room.ids[i] = 0;
        if (room.stops)
            room.stops[bit / 64] &= ~(UINT64_C(1) << bit % 64);
        if (w.len > 0)
            kept += stem_spaced(s, lang, text, &w, 1, room_at(room, i, kept), &far);
    }
    return kept;
}

/* Handles spaced words and runs of characters by turns. */
static size_t stem_mixed(struct stemmer *s, int lang, struct str text, const struct word *words,
                         size_t n, struct terms_room room)
{
    size_t kept = 0;
    bool far;

    for (size_t from = 0, at; from < n; from = at) {
        struct terms_room rest = room_at(room, from, kept);

        at = from + unspaced_run(text, words + from, n - from);
        if (at > from) {
            kept += stem_run(s, lang, text, words + from, at - from, rest);
            continue;
        }
        while (at < n && !unspaced_is(text, words[at]))
            at++;
        kept += stem_spaced(s, lang, text, words + from, at - from, rest, &far);
    }
    return kept;
}

size_t stem_words(struct stemmer *s, int lang, struct str text, const struct word *words, size_t n,
                  uint32_t *ret_ids, uint32_t *ret_kept, uint64_t *stops, size_t first)
{
    struct terms_room room = {ret_ids, ret_kept, stops, first};
    bool far;
    size_t kept = stem_spaced(s, lang, text, words, n, room, &far);

    return far && unspaced_any(text, words, n) ? stem_mixed(s, lang, text, words, n, room) : kept;
}
