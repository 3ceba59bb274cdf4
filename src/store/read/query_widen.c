/* query_widen.c - lets a search find the other forms of its words.
 *
 * The index holds words as they are written in the texts, so phrases in quotes are exact, and an
 * index of any version can be used. A word without quotes is therefore searched in all forms that
 * the index has of it: words with the same beginning are compared, and those with the same stem in
 * a language of the crawl's pages are used.
 *
 *     Netzwerke "der Hund"  ->  ("netzwerk" OR "netzwerke" OR "netzwerks") AND "der Hund"
 *
 * Words of the index are in lower case and without diacritics, so the word is folded before it is
 * stemmed. Limit: in a language whose stemmer depends on diacritics some forms are missed.
 * SPDX-License-Identifier: MIT */
#include "store/read/query_int.h"
#include "store/tokens.h"
#include "text/words/stem.h"

#define LANGS     4     /* the most frequent ones of a crawl */
#define PAGES     2000  /* whose languages are counted */
#define LOOKED_AT 20000 /* words of the index, for a word */
#define FORMS     64    /* of a word */
#define SHORTEST  3     /* letters that forms have in common */

struct widener {
    struct query *q;
    struct stemmer *stemmer;
    int langs[LANGS];
    size_t nlangs;
    fts5_tokenizer calls;
    Fts5Tokenizer *tokenizer;
    sqlite3_stmt *forms;
};

/* ---- opening ---- */

static enum status find_langs(struct widener *w)
{
    LOCAL_STMT *st = NULL;
    enum status status = db_prepare(w->q->db,
                                    "SELECT lang FROM (SELECT lang FROM page_row ORDER BY id DESC"
                                    " LIMIT ?1) GROUP BY lang ORDER BY count(*) DESC, lang",
                                    &st);

    if (status == ST_OK)
        (void)sqlite3_bind_int64(st, 1, PAGES);
    while (status == ST_OK && w->nlangs < LANGS && db_row(w->q->db, st, &status)) {
        int lang = stem_lang(db_str(st, 0));
        size_t i = 0;

        while (i < w->nlangs && w->langs[i] != lang)
            i++;
        if (lang != STEM_NONE && i == w->nlangs)
            w->langs[w->nlangs++] = lang;
    }
    return status;
}

static enum status widener_open(struct widener *w)
{
    enum status st = find_langs(w);

    if (st != ST_OK || w->nlangs == 0)
        return st;
    st = tokens_find(w->q->db, &w->calls, &w->tokenizer);
    if (st == ST_OK)
        st = query_vocabulary(w->q);
    if (st == ST_OK)
        st = db_prepare(w->q->db,
                        "SELECT term FROM temp.indexed_word WHERE term >= ?1 AND"
                        " term < ?1 || char(0x10ffff) LIMIT ?2",
                        &w->forms);
    w->stemmer = stemmer_new(16);
    return st;
}

static void widener_close(struct widener *w)
{
    (void)sqlite3_finalize(w->forms);
    if (w->tokenizer)
        w->calls.xDelete(w->tokenizer);
    stemmer_free(w->stemmer);
}

/* ---- a word ---- */

struct folded {
    char text[128];
    size_t len;
    int count;
};

static int on_token(void *ctx, int flags, const char *token, int len, int from, int to)
{
    struct folded *f = ctx;

    (void)flags, (void)from, (void)to;
    f->len = len < (int)sizeof f->text ? (size_t)len : 0;
    memcpy(f->text, token, f->len);
    f->count++;
    return SQLITE_OK;
}

/* Puts the stems of `word` by language; they are lent by the stemmer only until the next. */
static void stems_of(struct widener *w, struct str word, char stems[LANGS][128], size_t *lens)
{
    for (size_t i = 0; i < w->nlangs; i++) {
        struct str stem = stem_snowball(w->stemmer, w->langs[i], word);

        lens[i] = stem.len < 128 ? stem.len : 0;
        memcpy(stems[i], stem.ptr, lens[i]);
    }
}

static bool has_same_stem(struct widener *w, struct str form, char stems[LANGS][128],
                          const size_t *lens)
{
    for (size_t i = 0; i < w->nlangs; i++)
        if (lens[i] > 0 &&
            str_eq(stem_snowball(w->stemmer, w->langs[i], form), (struct str){stems[i], lens[i]}))
            return true;
    return false;
}

static void add_form(struct buf *out, struct str form)
{
    buf_addf(out, " OR \"%.*s\"", STR_ARG(form)); /* a word of the index has no quotes */
}

/* Returns the beginning that all forms of the word share: its shortest stem without the last
 * letter, which a stemmer may change ("happy", "happi"). */
static struct str beginning(const struct folded *f, const size_t *lens, size_t n)
{
    size_t len = f->len;

    for (size_t i = 0; i < n; i++)
        if (lens[i] > 0 && lens[i] - 1 < len)
            len = lens[i] - 1;
    if (len < SHORTEST)
        len = SHORTEST;
    while (len < f->len && ((unsigned char)f->text[len] & 0xc0) == 0x80)
        len++;
    return (struct str){f->text, len};
}

/* Appends the other forms of a word, each as ` OR "form"`. */
static enum status add_forms(struct widener *w, struct str word, struct buf *out)
{
    struct folded f = {.count = 0};
    char stems[LANGS][128];
    size_t lens[LANGS], n = 0;
    enum status st = ST_OK;

    if (tokens_each(&w->calls, w->tokenizer, word, &f, on_token) != SQLITE_OK)
        return ST_OK;
    if (f.count != 1 || f.len < SHORTEST)
        return ST_OK;
    stems_of(w, (struct str){f.text, f.len}, stems, lens);
    db_bind_str(w->forms, 1, beginning(&f, lens, w->nlangs));
    (void)sqlite3_bind_int64(w->forms, 2, LOOKED_AT);
    while (n < FORMS && db_row(w->q->db, w->forms, &st)) {
        struct str form = db_str(w->forms, 0);

        if (form.len == f.len && memcmp(form.ptr, f.text, f.len) == 0)
            continue;
        if (has_same_stem(w, form, stems, lens)) {
            add_form(out, form);
            n++;
        }
    }
    (void)sqlite3_reset(w->forms);
    return st;
}

/* ---- an expression ---- */

bool query_is_operator(struct str word)
{
    return str_eq(word, STR("AND")) || str_eq(word, STR("OR")) || str_eq(word, STR("NOT"));
}

/* Returns the place of the closing quote (doubled quotes belong to the phrase); SIZE_MAX if there
 * is none. */
static size_t quoted_end(struct str words, size_t at)
{
    for (at++; at < words.len; at++) {
        if (words.ptr[at] != '"')
            continue;
        if (at + 1 == words.len || words.ptr[at + 1] != '"')
            return at + 1;
        at++;
    }
    return SIZE_MAX;
}

/* Does the word have only letters, and so none of FTS5's syntax? */
static bool is_plain(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!ascii_is_alpha(word.ptr[i]) && !ascii_is_digit(word.ptr[i]) && word.ptr[i] != '_' &&
            (unsigned char)word.ptr[i] < 0x80)
            return false;
    return word.len > 0;
}

static size_t piece_end(struct str words, size_t at)
{
    if (words.ptr[at] == '"')
        return quoted_end(words, at);
    if (words.ptr[at] == '(' || words.ptr[at] == ')')
        return at + 1;
    while (at < words.len && !strchr(" \t\"()", words.ptr[at]))
        at++;
    return at;
}

/* Appends a word with its forms, or a phrase as it is. Returns false if there is other syntax.
 * `next`: the character after it. */
static bool add_term(struct widener *w, struct str term, char next, struct buf *out,
                     enum status *st)
{
    if (term.ptr[0] == '"') {
        buf_add_str(out, term);
        return true;
    }
    if (!is_plain(term) || next == '(') /* NEAR(a b) */
        return false;
    buf_addf(out, "(\"%.*s\"", STR_ARG(term));
    *st = add_forms(w, term, out);
    buf_add_char(out, ')');
    return true;
}

/* Joins neighbouring terms by AND, in parentheses, because FTS5 accepts neighbours without an
 * operator only if they are phrases. Returns false if there is other syntax, which is left to
 * FTS5. */
static bool add_pieces(struct widener *w, struct str words, struct buf *out, enum status *st)
{
    bool in_run = false;

    for (size_t at = 0, end; at < words.len && *st == ST_OK; at = end) {
        struct str piece;

        end = at + 1;
        if (words.ptr[at] == ' ' || words.ptr[at] == '\t')
            continue;
        end = piece_end(words, at);
        if (end == SIZE_MAX)
            return false;
        piece = str_sub(words, at, end);
        if (query_is_operator(piece) || piece.ptr[0] == '(' || piece.ptr[0] == ')') {
            buf_addf(out, "%s%.*s ", in_run ? ") " : "", STR_ARG(piece));
            in_run = false;
            continue;
        }
        buf_add_z(out, in_run ? " AND " : "(");
        in_run = true;
        if (!add_term(w, piece, end < words.len ? words.ptr[end] : ' ', out, st))
            return false;
    }
    buf_add_z(out, in_run ? ")" : "");
    return *st == ST_OK;
}

enum status query_widen(struct query *q, struct str words, struct buf *out)
{
    struct widener w = {.q = q};
    enum status st = widener_open(&w);

    if (st != ST_OK || w.nlangs == 0 || !add_pieces(&w, words, out, &st) || out->full) {
        buf_clear(out);
        buf_add_str(out, words);
    }
    widener_close(&w);
    return st;
}
