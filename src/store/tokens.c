/* tokens.c - a faster `unicode61` for FTS5. See tokens.h.
 *
 * This file has no table of the characters that make words and of their folded forms (lower case,
 * without diacritics): SQLite's own tokenizer is asked once for each block of characters, when it
 * is first met. So both agree for any version of Unicode in SQLite, except on scripts without
 * spaces.
 *
 * Workload: 1,000 to 3,000 words a page, nearly all in ASCII; 8 ns a word instead of 18.
 * SPDX-License-Identifier: MIT */
#include "store/tokens.h"

#include "base/look.h"
#include "base/mem.h"
#include "text/words/unicode.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK     256
#define BLOCKS    (0x110000 / BLOCK)
#define BEGINS    (UINT32_C(1) << 30) /* may begin a word, and go on with it */
#define GOES_ON   (UINT32_C(1) << 31) /* may go on with one */
#define ALONE     (UINT32_C(1) << 29) /* of a script without spaces: a word of its own */
#define CODE      (UINT32_C(0x1fffff))
#define NO_LETTER 0xfffd /* SQLite's replacement of invalid bytes */
#define SHORT     256
#define FOLDED    1024 /* bytes: 64 words and what stands between them */

/* The kinds of bytes: plain bytes are indexed unchanged. */
enum byte_kind { KIND_GAP, KIND_PLAIN, KIND_FOLDED, KIND_LONG };

/* SQLite's own, as it was registered. */
struct stock {
    fts5_tokenizer calls;
    void *ctx;
};

struct tokens {
    struct stock stock;
    Fts5Tokenizer *own;       /* made with the same arguments */
    uint8_t kind[256];        /* of a byte */
    uint8_t small[128];       /* of an ASCII character */
    uint32_t *blocks[BLOCKS]; /* what characters become, with BEGINS and GOES_ON */
    char *fold;               /* a word that is not plain */
    size_t room;
    bool is_usual; /* plain and folded bytes are just the letters and digits of ASCII */
    char folded[FOLDED + LOOK + TOKENS_PAD];
};

typedef int token_fn(void *ctx, int flags, const char *token, int len, int from, int to);

/* ---- what SQLite's tokenizer says ---------------------------------------- */

static size_t put_utf8(uint32_t c, char *out)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3f));
        out[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3f));
    out[2] = (char)(0x80 | (c >> 6 & 0x3f));
    out[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

static const uint8_t *next_char(const uint8_t *p, const uint8_t *end, uint32_t *ret)
{
    uint32_t c = *p++;

    if (c >= 0xc0) {
        c = c < 0xe0 ? c & 0x1f : c < 0xf0 ? c & 0x0f : c < 0xf8 ? c & 7 : c < 0xfc ? c & 3 : c & 1;
        while (p < end && (*p & 0xc0) == 0x80)
            c = c << 6 | (*p++ & 0x3f);
        if (c < 0x80 || (c & ~UINT32_C(0x7ff)) == 0xd800 || (c & ~UINT32_C(1)) == 0xfffe ||
            c > 0x10ffff)
            c = NO_LETTER;
    }
    *ret = c;
    return p;
}

struct token_answer {
    char token[16];
    int len, to, count;
};

static int on_answer(void *ctx, int flags, const char *token, int len, int from, int to)
{
    struct token_answer *a = ctx;

    (void)flags, (void)from;
    if (a->count++ == 0 && len < (int)sizeof a->token) {
        memcpy(a->token, token, (size_t)len);
        a->len = len;
        a->to = to;
    }
    return SQLITE_OK;
}

static int ask(struct tokens *t, const char *text, size_t len, struct token_answer *ret)
{
    *ret = (struct token_answer){.len = -1};
    return t->stock.calls.xTokenize(t->own, ret, FTS5_TOKENIZE_DOCUMENT, text, (int)len, on_answer);
}

static uint32_t code_in(const struct token_answer *a, int from)
{
    uint32_t c = 0;

    if (from < a->len)
        (void)next_char((const uint8_t *)a->token + from, (const uint8_t *)a->token + a->len, &c);
    return c;
}

/* A character is tested alone, and after a letter, because some can only continue a word. */
static int learn_one(struct tokens *t, uint32_t c, uint32_t *ret)
{
    char text[8] = "a";
    size_t len = put_utf8(c, text + 1);
    struct token_answer a;
    int rc = ask(t, text + 1, len, &a);

    *ret = 0;
    if (rc == SQLITE_OK && a.count == 1) {
        *ret = BEGINS | GOES_ON | code_in(&a, 0);
        return rc;
    }
    if (rc == SQLITE_OK)
        rc = ask(t, text, len + 1, &a);
    if (rc == SQLITE_OK && a.count == 1 && a.to == (int)len + 1)
        *ret = GOES_ON | code_in(&a, 1);
    return rc;
}

static int learn_block(struct tokens *t, size_t block)
{
    uint32_t *codes = malloc(BLOCK * sizeof *codes);
    int rc = codes ? SQLITE_OK : SQLITE_NOMEM;

    for (uint32_t i = 0; i < BLOCK && rc == SQLITE_OK; i++) {
        uint32_t c = (uint32_t)block * BLOCK + i;

        if (unicode_class(c) == CHAR_SOLO)
            codes[i] = ALONE | BEGINS | c;
        else
            rc = learn_one(t, c, &codes[i]);
    }
    if (rc == SQLITE_OK)
        t->blocks[block] = codes;
    else
        free(codes);
    return rc;
}

static enum byte_kind usual_kind(char c)
{
    if (ascii_is_alpha(c))
        return (unsigned char)c & 0x20 ? KIND_PLAIN : KIND_FOLDED;
    return ascii_is_digit(c) ? KIND_PLAIN : KIND_GAP;
}

static int learn_ascii(struct tokens *t)
{
    int rc = SQLITE_OK;

    t->is_usual = true;
    memset(t->kind, KIND_LONG, sizeof t->kind);
    for (uint32_t c = 0; c < 128 && rc == SQLITE_OK; c++) {
        uint32_t code;

        rc = learn_one(t, c, &code);
        t->small[c] = (uint8_t)(code & 0x7f);
        t->kind[c] = !(code & BEGINS) ? KIND_GAP : (code & CODE) == c ? KIND_PLAIN : KIND_FOLDED;
        t->is_usual &= t->kind[c] == usual_kind((char)c) &&
                       (t->kind[c] == KIND_GAP || t->small[c] == (c | 0x20));
    }
    return rc;
}

/* ---- words ---------------------------------------------------------------- */

static int look_up(struct tokens *t, uint32_t c, uint32_t *ret)
{
    int rc = t->blocks[c / BLOCK] ? SQLITE_OK : learn_block(t, c / BLOCK);

    if (rc == SQLITE_OK)
        *ret = t->blocks[c / BLOCK][c % BLOCK];
    return rc;
}

static int need_room(struct tokens *t, size_t len)
{
    size_t room = t->room ? t->room : SHORT;
    char *more;

    if (len + 4 <= t->room)
        return SQLITE_OK;
    while (room < len + 4)
        room *= 2;
    more = realloc(t->fold, room);
    if (more == NULL)
        return SQLITE_NOMEM;
    t->fold = more;
    t->room = room;
    return SQLITE_OK;
}

/* Returns the end of the marks of a character of a script without spaces, which distinguish it from
 * others. */
static const uint8_t *marks_end(const uint8_t *p, const uint8_t *end)
{
    while (p < end && *p >= 0xe0) {
        uint32_t c;
        const uint8_t *next = next_char(p, end, &c);

        if (unicode_class(c) != CHAR_MARK)
            break;
        p = next;
    }
    return p;
}

/* A word whose first bytes, up to `at`, are plain and the rest not. *at becomes its end. */
static int fold_word(struct tokens *t, const uint8_t *from, const uint8_t **at, const uint8_t *end,
                     size_t *ret_len)
{
    const uint8_t *p = *at;
    size_t len = (size_t)(p - from);
    int rc = need_room(t, len);

    if (rc == SQLITE_OK && len)
        memcpy(t->fold, from, len);
    while (rc == SQLITE_OK && p < end && t->kind[*p] != KIND_GAP) {
        const uint8_t *next = p + 1;
        uint32_t c, code;

        rc = need_room(t, len);
        if (rc == SQLITE_OK && t->kind[*p] != KIND_LONG) {
            t->fold[len++] = (char)t->small[*p];
        } else if (rc == SQLITE_OK) {
            next = next_char(p, end, &c);
            rc = look_up(t, c, &code);
            if (rc == SQLITE_OK && !(code & (len || p > from ? GOES_ON : BEGINS)))
                break;
            if (rc == SQLITE_OK && (code & ALONE)) {
                p = marks_end(next, end);
                rc = need_room(t, (size_t)(p - from));
                if (rc == SQLITE_OK)
                    memcpy(t->fold, from, len = (size_t)(p - from));
                break;
            }
            if (rc == SQLITE_OK && (code & CODE))
                len += put_utf8(code & CODE, t->fold + len);
        }
        p = next;
    }
    *at = p;
    *ret_len = len;
    return rc;
}

/* Gets the next word; returns false if there is none. *ret_from: where it begins. */
static bool next_word(struct tokens *t, const uint8_t **at, const uint8_t *end,
                      const uint8_t **ret_from, struct str *ret, int *rc)
{
    const uint8_t *p = *at;

    *rc = SQLITE_OK;
    for (;;) {
        const uint8_t *from;
        uint32_t c;

        while (p < end && t->kind[*p] == KIND_GAP)
            p++;
        if (p == end)
            return false;
        from = p;
        while (p < end && t->kind[*p] == KIND_PLAIN)
            p++;
        *ret = (struct str){(const char *)from, (size_t)(p - from)};
        if (p < end && t->kind[*p] != KIND_GAP) {
            *rc = fold_word(t, from, &p, end, &ret->len);
            ret->ptr = t->fold;
        }
        if (p > from || *rc != SQLITE_OK) {
            *ret_from = from;
            *at = p;
            return *rc == SQLITE_OK;
        }
        p = next_char(p, end, &c); /* a character that begins no word */
    }
}

static int tokenize(Fts5Tokenizer *base, void *ctx, int flags, const char *text, int len,
                    token_fn *fn)
{
    struct tokens *t = (struct tokens *)base;
    const uint8_t *start = (const uint8_t *)text, *end = start + len, *p = start, *from;
    struct str word;
    int rc;

    (void)flags;
    while (next_word(t, &p, end, &from, &word, &rc)) {
        rc = fn(ctx, 0, word.ptr, (int)word.len, (int)(from - start), (int)(p - start));
        if (rc != SQLITE_OK)
            break;
    }
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* ---- many words at a time -------------------------------------------------- */

/* What one look at the text shows, see base/look.h. */
struct glance {
    unsigned in;  /* bits: letters and digits of ASCII */
    unsigned far; /* bits: bytes of other characters */
};

/* Writes the bytes, letters as small ones. Behind the end of the text there are gaps. */
static struct glance glance_at(const uint8_t *p, const uint8_t *end, char *out)
{
    char last[LOOK] = {0};
    look16 v, low;

    if (end - p < LOOK)
        memcpy(last, p, (size_t)(end - p));
    v = look_at(end - p < LOOK ? last : (const char *)p);
    low = v | 0x20; /* of digits, too: they have this bit */
    look_put(low, out);
    return (struct glance){look_bits(((low >= 'a') & (low <= 'z')) | ((v >= '0') & (v <= '9'))),
                           look_bits(v > 0x7f)};
}

/* Cuts words of ASCII, up to the first one that has other characters or is too long. */
static size_t cut_plain(struct tokens *t, const uint8_t **at, const uint8_t *end,
                        struct str ret[TOKENS_MOST])
{
    const uint8_t *p = *at;
    size_t from = SIZE_MAX, done = 0, n = 0; /* places in `folded`; from: of an open word */

    while (p + done < end && done < FOLDED && n + LOOK / 2 < TOKENS_MOST) {
        struct glance g = glance_at(p + done, end, t->folded + done);
        unsigned len = g.far ? (unsigned)__builtin_ctz(g.far) : LOOK;
        unsigned edges = (g.in ^ (g.in << 1 | (from != SIZE_MAX))) & ((1u << len) - 1);

        for (; edges; edges &= edges - 1) {
            size_t edge = done + (size_t)__builtin_ctz(edges);

            if (from != SIZE_MAX)
                ret[n++] = (struct str){t->folded + from, edge - from};
            from = from == SIZE_MAX ? edge : SIZE_MAX;
        }
        done += len;
        if (g.far)
            break;
    }
    if (p + done >= end) {
        done = (size_t)(end - p);
        if (from != SIZE_MAX)
            ret[n++] = (struct str){t->folded + from, done - from};
        from = SIZE_MAX;
    }
    *at = p + (from == SIZE_MAX ? done : from);
    return n;
}

/* Cuts a word that may be longer than `folded`. */
static size_t cut_long(struct tokens *t, const uint8_t *from, struct str word, struct str *ret,
                       int *rc)
{
    *rc = need_room(t, word.len + TOKENS_PAD);
    if (*rc == SQLITE_OK && word.ptr == (const char *)from)
        memcpy(t->fold, from, word.len);
    *ret = (struct str){t->fold, word.len};
    return 1;
}

/* Cuts words one by one, up to one of small letters of ASCII: words of other letters seldom come
 * alone, and many are looked up faster than one. */
static size_t cut_others(struct tokens *t, const uint8_t **at, const uint8_t *end,
                         struct str ret[TOKENS_MOST], int *rc)
{
    const uint8_t *p = *at, *from;
    bool goes_on = true;
    size_t n = 0, used = 0;
    struct str word;

    while (goes_on && n < TOKENS_MOST && next_word(t, &p, end, &from, &word, rc)) {
        bool fits = used + word.len + TOKENS_PAD <= sizeof t->folded;

        if (!fits && n > 0)
            break;
        goes_on = fits && word.ptr != (const char *)from;
        *at = p;
        if (!fits)
            return cut_long(t, from, word, ret, rc);
        memcpy(t->folded + used, word.ptr, word.len);
        ret[n++] = (struct str){t->folded + used, word.len};
        used += word.len;
    }
    return n;
}

size_t tokens_cut(Fts5Tokenizer *tokenizer, struct str *rest, struct str ret[TOKENS_MOST])
{
    struct tokens *t = (struct tokens *)tokenizer;
    const uint8_t *p = (const uint8_t *)rest->ptr, *end = p + rest->len;
    size_t n = t->is_usual ? cut_plain(t, &p, end, ret) : 0;
    int rc = SQLITE_OK;

    if (n == 0)
        n = cut_others(t, &p, end, ret, &rc);
    if (rc != SQLITE_OK)
        mem_out();
    *rest = (struct str){(const char *)p, (size_t)(end - p)};
    return n;
}

/* ---- joining -------------------------------------------------------------- */

static void tokens_delete(Fts5Tokenizer *base)
{
    struct tokens *t = (struct tokens *)base;

    if (t == NULL)
        return;
    if (t->own)
        t->stock.calls.xDelete(t->own);
    for (size_t i = 0; i < BLOCKS; i++)
        free(t->blocks[i]);
    free(t->fold);
    free(t);
}

static int tokens_create(void *ctx, const char **args, int n, Fts5Tokenizer **ret)
{
    struct tokens *t = calloc(1, sizeof *t);
    int rc = SQLITE_NOMEM;

    if (t == NULL)
        return rc;
    t->stock = *(struct stock *)ctx;
    rc = t->stock.calls.xCreate(t->stock.ctx, args, n, &t->own);
    if (rc == SQLITE_OK)
        rc = learn_ascii(t);
    if (rc == SQLITE_OK)
        *ret = (Fts5Tokenizer *)t;
    else
        tokens_delete((Fts5Tokenizer *)t);
    return rc;
}

enum status tokens_api(sqlite3 *db, fts5_api **ret)
{
    fts5_api *api = NULL;
    sqlite3_stmt *st = NULL;

    if (sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &st, NULL) == SQLITE_OK) {
        (void)sqlite3_bind_pointer(st, 1, (void *)&api, "fts5_api_ptr", NULL);
        (void)sqlite3_step(st);
    }
    (void)sqlite3_finalize(st);
    if (api == NULL)
        return status_fail(ST_IO, "this SQLite has no full text: %s", sqlite3_errmsg(db));
    *ret = api;
    return ST_OK;
}

enum status tokens_find(sqlite3 *db, fts5_tokenizer *ret_calls, Fts5Tokenizer **ret)
{
    const char *args[] = {"remove_diacritics", "2"};
    fts5_api *api = NULL;
    void *ctx = NULL;
    enum status st = tokens_api(db, &api);

    if (st != ST_OK)
        return st;
    if (api->xFindTokenizer(api, "unicode61", &ctx, ret_calls) != SQLITE_OK ||
        ret_calls->xCreate(ctx, args, ARRAY_LEN(args), ret) != SQLITE_OK)
        return status_fail(ST_IO, "there is no memory for the tokenizer");
    return ST_OK;
}

int tokens_each(const fts5_tokenizer *calls, Fts5Tokenizer *tokenizer, struct str text, void *ctx,
                int (*fn)(void *ctx, int flags, const char *token, int len, int from, int to))
{
    int rc = calls->xTokenize(tokenizer, ctx, FTS5_TOKENIZE_DOCUMENT, text.ptr, (int)text.len, fn);

    if (rc == SQLITE_NOMEM)
        mem_out();
    return rc;
}

enum status tokens_join(sqlite3 *db)
{
    static const fts5_tokenizer calls = {tokens_create, tokens_delete, tokenize};
    struct stock *stock = MEM_NEW(struct stock);
    fts5_tokenizer copy = calls;
    fts5_api *api = NULL;
    enum status st = tokens_api(db, &api);
    bool found = st == ST_OK &&
                 api->xFindTokenizer(api, "unicode61", &stock->ctx, &stock->calls) == SQLITE_OK;

    if (found && api->xCreateTokenizer(api, "unicode61", stock, &copy, free) == SQLITE_OK)
        return ST_OK;
    free(stock); /* FTS5 takes it over only on success */
    return st == ST_OK ? status_fail(ST_IO, "there is no memory for the tokenizer") : st;
}
