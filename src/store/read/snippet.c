/* snippet.c - see snippet.h. One pass over the words of a text, as the index has them, finds the
 * hits; the window that begins at a hit and has most different words is taken.
 *
 * A phrase is compared by the hashes of the last words, so only these are kept of the text.
 * SPDX-License-Identifier: MIT */
#include "store/read/snippet.h"

#include "base/hash.h"
#include "base/mem.h"
#include "store/tokens.h"
#include "text/words/stem.h"

#include <stdlib.h>

#define WINDOW     200   /* bytes */
#define WORD       40    /* bytes to the end of a word, at most */
#define WANTED_MAX 60    /* words and phrases to look for */
#define WHY_MAX    8     /* words named as reasons */
#define PHRASE_MAX 16    /* words of one; a longer phrase is cut */
#define LETTERS    64    /* bytes of a word that can have other forms */
#define ALIKE      3     /* bytes that all forms of a word begin with */
#define HITS_MAX   400   /* that are looked at */
#define TEXT_MAX   60000 /* bytes that are looked at */

struct hit {
    size_t from, to;
    unsigned wanted;
};

/* A word or a phrase. */
struct wanted {
    struct str text;             /* as it was given, in snippet.words */
    uint64_t hashes[PHRASE_MAX]; /* of its words */
    size_t n;                    /* of them */
    char word[LETTERS];          /* of a single word, as the index has it … */
    size_t len;                  /* … 0: it is longer */
    char stem[LETTERS];          /* … and its stem, in the language of the text */
    size_t stem_len;
    bool exact, prefix;
};

struct snippet {
    char *words;
    fts5_tokenizer calls;
    Fts5Tokenizer *tokenizer;
    struct stemmer *stemmer;
    int lang; /* the language of the stems */
    struct wanted wanted[WANTED_MAX];
    size_t nwanted;
};

/* ---- what is looked for ----------------------------------------------------- */

static bool is_word_char(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c) || (unsigned char)c >= 0x80;
}

static int on_wanted(void *ctx, int flags, const char *token, int len, int from, int to)
{
    struct wanted *w = ctx;

    (void)flags, (void)from, (void)to;
    if (w->n == PHRASE_MAX)
        return SQLITE_DONE;
    w->len = len < LETTERS ? (size_t)len : 0;
    memcpy(w->word, token, w->len);
    w->hashes[w->n++] = hash_str((struct str){token, (size_t)len});
    return SQLITE_OK;
}

static void add_wanted(struct snippet *s, struct str text, bool exact, bool prefix)
{
    struct wanted *w = &s->wanted[s->nwanted];

    if (s->nwanted == WANTED_MAX)
        return;
    *w = (struct wanted){.text = text, .exact = exact, .prefix = prefix};
    (void)tokens_each(&s->calls, s->tokenizer, text, w, on_wanted);
    s->nwanted += w->n > 0;
}

static bool is_operator(struct str word)
{
    return str_eq(word, STR("AND")) || str_eq(word, STR("OR")) || str_eq(word, STR("NOT"));
}

/* Words of one or two letters say little beside others: "of". */
static bool is_short(const struct wanted *w)
{
    return w->n == 1 && w->text.len < 3;
}

static void drop_short(struct snippet *s)
{
    size_t used = 0, all = s->nwanted;

    for (size_t i = 0; i < all; i++)
        if (!is_short(&s->wanted[i]))
            s->wanted[used++] = s->wanted[i];
    s->nwanted = used > 0 ? used : all;
}

/* A phrase in quotes, or a word; `at` stands at its first byte and moves behind it. */
static struct str next_wanted(struct str words, size_t *at)
{
    bool quoted = words.ptr[*at] == '"';
    size_t from = *at += quoted;

    while (*at < words.len && (quoted ? words.ptr[*at] != '"' : is_word_char(words.ptr[*at])))
        ++*at;
    return str_sub(words, from, *at);
}

static void read_words(struct snippet *s, struct str words)
{
    bool against = false;

    for (size_t at = 0; at < words.len;) {
        bool quoted = words.ptr[at] == '"', before = at == 0 || words.ptr[at - 1] == ' ';
        char behind;
        struct str word;

        if (!quoted && !is_word_char(words.ptr[at])) {
            against |= words.ptr[at] == '-' && before;
            at++;
            continue;
        }
        word = next_wanted(words, &at);
        behind = at < words.len ? words.ptr[at] : ' ';
        at += quoted;
        if (!quoted && is_operator(word))
            against = str_eq(word, STR("NOT"));
        else if (behind != ':') {
            if (!against)
                add_wanted(s, word, quoted, behind == '*');
            against = false;
        }
    }
    drop_short(s);
}

enum status snippet_new(sqlite3 *db, struct str words, struct snippet **ret)
{
    struct snippet *s = MEM_NEW(struct snippet);
    enum status st = tokens_find(db, &s->calls, &s->tokenizer);

    s->words = str_dup(words);
    s->lang = STEM_NONE;
    s->stemmer = stemmer_new(1);
    if (st == ST_OK) {
        read_words(s, str_of(s->words));
        *ret = s;
    } else {
        snippet_free(s);
    }
    return st;
}

void snippet_free(struct snippet *s)
{
    if (s == NULL)
        return;
    if (s->tokenizer)
        s->calls.xDelete(s->tokenizer);
    stemmer_free(s->stemmer);
    free(s->words);
    free(s);
}

bool snippet_is_for(const struct snippet *s, struct str words)
{
    return str_eq(str_of(s->words), words);
}

/* ---- where it is -------------------------------------------------------------- */

static size_t stem_into(struct snippet *s, struct str word, char *out)
{
    struct str stem = stem_snowball(s->stemmer, s->lang, word);
    size_t len = stem.len < LETTERS ? stem.len : 0;

    memcpy(out, stem.ptr, len);
    return len;
}

static void set_lang(struct snippet *s, struct str code)
{
    int lang = stem_lang(code);

    if (lang == s->lang)
        return;
    s->lang = lang;
    for (size_t i = 0; i < s->nwanted; i++) {
        struct wanted *w = &s->wanted[i];

        w->stem_len = lang != STEM_NONE ? stem_into(s, (struct str){w->word, w->len}, w->stem) : 0;
    }
}

struct finding {
    struct snippet *s;
    struct hit *hits;
    size_t nhits, words; /* found so far; words that were read */
    uint64_t hashes[PHRASE_MAX];
    size_t begins[PHRASE_MAX]; /* of the last words */
};

static bool is_form(const struct finding *f, const struct wanted *w, struct str token)
{
    char stem[LETTERS];
    size_t len;

    if (w->exact || w->stem_len == 0 || token.len >= LETTERS || token.len < ALIKE ||
        w->len < ALIKE || memcmp(token.ptr, w->word, ALIKE) != 0)
        return false;
    len = stem_into(f->s, token, stem);
    return len == w->stem_len && memcmp(stem, w->stem, len) == 0;
}

/* Does it end with the word that was read last? */
static bool ends_here(const struct finding *f, const struct wanted *w, struct str token)
{
    size_t last = f->words - 1;

    if (w->n == 1 && w->prefix)
        return w->len > 0 && str_starts(token, (struct str){w->word, w->len});
    if (w->n > f->words)
        return false;
    for (size_t i = 0; i < w->n; i++)
        if (f->hashes[(last - i) % PHRASE_MAX] != w->hashes[w->n - 1 - i])
            return w->n == 1 && is_form(f, w, token);
    return true;
}

static int on_token(void *ctx, int flags, const char *token, int len, int from, int to)
{
    struct finding *f = ctx;
    struct str word = {token, (size_t)len};

    (void)flags;
    f->hashes[f->words % PHRASE_MAX] = hash_str(word);
    f->begins[f->words % PHRASE_MAX] = (size_t)from;
    f->words++;
    for (unsigned i = 0; i < f->s->nwanted; i++) {
        const struct wanted *w = &f->s->wanted[i];
        size_t begin;

        if (!ends_here(f, w, word))
            continue;
        begin = f->begins[(f->words - w->n) % PHRASE_MAX];
        while (f->nhits > 0 && f->hits[f->nhits - 1].to > begin)
            f->nhits--; /* a longer hit covers its parts */
        f->hits[f->nhits++] = (struct hit){begin, (size_t)to, i};
        break;
    }
    return f->nhits < HITS_MAX ? SQLITE_OK : SQLITE_DONE;
}

/* Returns at most HITS_MAX hits, to be freed. */
static struct hit *find_hits(struct snippet *s, struct str text, struct str lang, size_t *ret_n)
{
    struct finding f = {.s = s, .hits = mem_alloc(HITS_MAX * sizeof *f.hits)};

    set_lang(s, lang);
    if (s->nwanted > 0)
        (void)tokens_each(&s->calls, s->tokenizer, text, &f, on_token);
    *ret_n = f.nhits;
    return f.hits;
}

/* ---- what is shown ------------------------------------------------------------ */

/* Where the best window begins. */
static size_t best_window(const struct hit *hits, size_t n)
{
    size_t best = 0, at = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t seen = 0;
        size_t score = 0;

        for (size_t k = i; k < n && hits[k].to < hits[i].from + WINDOW - 40; k++) {
            score += seen >> hits[k].wanted & 1 ? 1 : 10;
            seen |= UINT64_C(1) << hits[k].wanted;
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

/* Moves to a place between two words or, if none is near (in text without spaces), between two
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

bool snippet_make(struct snippet *s, struct str text, struct str lang, struct buf *out)
{
    struct hit *hits;
    size_t nhits, from, to;

    text.len = text.len < TEXT_MAX ? text.len : TEXT_MAX;
    hits = find_hits(s, text, lang, &nhits);
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

void snippet_why(struct snippet *s, struct str text, struct str lang, struct buf *out)
{
    struct hit *hits;
    size_t nhits, named = 0;
    uint64_t seen = 0;

    text.len = text.len < TEXT_MAX ? text.len : TEXT_MAX;
    hits = find_hits(s, text, lang, &nhits);
    for (size_t i = 0; i < nhits; i++)
        seen |= UINT64_C(1) << hits[i].wanted;
    for (size_t i = 0; i < s->nwanted && named < WHY_MAX; i++)
        if (seen >> i & 1) {
            buf_add_z(out, named++ ? ", " : "");
            buf_add_str(out, s->wanted[i].text);
        }
    free(hits);
}
