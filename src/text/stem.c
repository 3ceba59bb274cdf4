/* stem.c - from a word as written to its term.
 *
 * In: words of a page, as intervals of its text. Out: term ids (text/vocab.h).
 *
 * Workload: 1,400 words a page, of which a warm cache knows 98 in 100. A miss
 * costs some 200 ns (lower case, stop list, Snowball), a hit about 5. Words are
 * looked up as written ("The" and "the" are two entries): lowering every word
 * would cost more than the space.
 *
 * The cache: sets of four 16-byte entries, a set a cache line. A hit moves one
 * place forward, a new word takes the last place; so words seen once push out
 * one another and common words stay. An entry knows its word by a 64-bit hash
 * only: a collision would give a wrong term, as one of the 32-bit ids does.
 * SPDX-License-Identifier: MIT */
#include "text/stem.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "text/stop.h"
#include "text/token.h"
#include "text/vocab.h"

#include <libstemmer.h>
#include <stdlib.h>

#define CACHE_WORDS 65536 /* 1 MiB a thread */
#define WAYS        4

/* Languages with a Snowball stemmer, a stop list, or both. */
static const struct {
    const char *code, *algorithm;
    const char *elided; /* what may stand before an apostrophe: " l d " */
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

/* What a thread keeps of one language. */
struct tongue {
    bool is_open;
    struct sb_stemmer *snowball; /* NULL: none */
    struct map stops;            /* hash of a stop word -> 1 */
};

struct entry {
    uint64_t key;  /* hash of language and word; 0: free */
    uint32_t id;   /* of the term */
    uint32_t stop; /* 1: a stop word */
};

struct stemmer {
    struct entry *entries; /* sets x WAYS, aligned to a set */
    size_t mask;           /* sets - 1 */
    struct map keep;       /* hash of a word -> 1: never a stop word */
    struct tongue tongues[STEM_LANGS];
    char lower[2 * TOKEN_MAX]; /* the word at hand */
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
    s->entries = aligned_alloc(64, sets * WAYS * sizeof *s->entries);
    if (s->entries == NULL)
        abort();
    memset(s->entries, 0, sets * WAYS * sizeof *s->entries);
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
    free(s->entries);
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
    if (stem == NULL || sb_stemmer_length(snowball) <= 0)
        return lower;
    return (struct str){(const char *)stem, (size_t)sb_stemmer_length(snowball)};
}

/* "l'homme" -> "homme", in languages that elide. */
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
    struct str lower = {s->lower, token_lower(word.ptr, len, s->lower)};
    uint64_t hash;

    lower = without_elision(lang, lower);
    hash = hash_str(lower);
    *ret_stop = map_get(&t->stops, hash) != MAP_NONE && map_get(&s->keep, hash) == MAP_NONE;
    return stem_snowball(s, lang, lower);
}

/* ---- many words ---- */

static inline uint64_t load64(const char *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t load32(const char *p)
{
    uint32_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* The high and low half of a product, folded: one multiplication mixes 128
 * bits. The constants are no text, so no word can make a factor 0. */
static inline uint64_t fold(uint64_t a, uint64_t b)
{
    unsigned __int128 p =
        (unsigned __int128)(a ^ UINT64_C(0xff51afd7ed558ccd)) * (b ^ UINT64_C(0xc4ceb9fe1a85ec53));

    return (uint64_t)p ^ (uint64_t)(p >> 64);
}

/* A hash of 1 to TOKEN_MAX bytes; reads only those. */
static inline uint64_t word_key(const char *p, size_t len, uint64_t seed)
{
    uint64_t a, b = seed ^ (uint64_t)len << 32;

    if (len < 4) {
        a = (uint64_t)(uint8_t)p[0] << 16 | (uint64_t)(uint8_t)p[len / 2] << 8 |
            (uint8_t)p[len - 1];
    } else if (len < 8) {
        a = load32(p) << 32 | load32(p + len - 4);
    } else {
        for (size_t i = 0; i + 16 < len; i += 8)
            b = fold(load64(p + i), b);
        a = len < 16 ? load64(p) : load64(p + len - 16);
        b ^= load64(p + len - 8) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return fold(a, b) | 1;
}

static struct entry cache_miss(struct stemmer *s, int lang, struct str word, uint64_t key,
                               struct entry *set)
{
    bool stop;
    struct str stem = stem_word(s, lang, word, &stop);
    struct entry e = {.key = key, .id = term_id(stem), .stop = stop};

    set[WAYS - 1] = e;
    return e;
}

static inline struct entry cache_find(struct stemmer *s, int lang, struct str word)
{
    uint64_t key = word_key(word.ptr, word.len, (uint64_t)lang);
    struct entry *set = s->entries + (size_t)(key >> 32 & s->mask) * WAYS, e;

    if (set[0].key == key)
        return set[0];
    for (int i = 1; i < WAYS; i++) {
        if (set[i].key == key) {
            e = set[i];
            set[i] = set[i - 1];
            set[i - 1] = e;
            return e;
        }
    }
    return cache_miss(s, lang, word, key, set);
}

size_t stem_words(struct stemmer *s, int lang, struct str text, const struct word *words, size_t n,
                  uint32_t *ret_ids, uint32_t *ret_kept)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        struct str word = {text.ptr + words[i].off, words[i].len};
        struct entry e = cache_find(s, lang, word);

        ret_ids[i] = e.id;
        ret_kept[kept] = e.id;
        kept += !e.stop;
    }
    return kept;
}
