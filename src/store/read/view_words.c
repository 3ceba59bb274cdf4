/* view_words.c - finds the pages that have the words of a search.
 *
 *   numbers 1 … main      the crawl's own index (index.c), as far as it goes
 *   main+1 … text         the index beside it (view_text.c), as far as it is fed
 *   text+1 … page         titles and URLs alone, from a copy in lower case
 *
 * The answer is one bit for each page, which statements read with hit(id), because a list is read
 * in windows and counted, and looking up a common word costs more than all the rest. While the
 * crawl grows, only new pages are searched. SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/search.h"
#include "store/read/query_int.h"

#include <stdlib.h>

#define FEED_NOW (8 * US_PER_MS) /* read by the request itself: usually all new pages */

/* ---- bits ---------------------------------------------------------------- */

static void hits_set(void *ctx, int64_t page)
{
    struct view_hits *h = ctx;

    if (page >= 0 && (size_t)page < h->room * 64)
        h->bits[page / 64] |= UINT64_C(1) << (page % 64);
}

static void hits_room(struct view_hits *h, int64_t last)
{
    size_t room = (size_t)(last < LIMIT_VIEW_PAGES ? last : LIMIT_VIEW_PAGES) / 64 + 1;

    if (room <= h->room)
        return;
    room += room / 2;
    h->bits = mem_resize(h->bits, room, sizeof *h->bits);
    memset(h->bits + h->room, 0, (room - h->room) * sizeof *h->bits);
    h->room = room;
}

/* Forgets what was found in pages after number `after`. */
static void hits_cut(struct view_hits *h, int64_t after)
{
    size_t first = (size_t)after + 1, word = first / 64;

    if (word < h->room) {
        h->bits[word] &= (UINT64_C(1) << first % 64) - 1;
        memset(h->bits + word + 1, 0, (h->room - word - 1) * sizeof *h->bits);
    }
}

static void sql_hit(sqlite3_context *sql, int n, sqlite3_value **values)
{
    const struct view_hits *h = sqlite3_user_data(sql);
    size_t page = (size_t)sqlite3_value_int64(values[0]);

    (void)n;
    sqlite3_result_int(sql, page < h->room * 64 && (h->bits[page / 64] >> (page % 64) & 1));
}

enum status view_words_init(struct view *v)
{
    v->titles.text = BUF_INIT(LIMIT_VIEW_TITLES);
    return sqlite3_create_function(v->q->db, "hit", 1, SQLITE_UTF8, &v->hits, sql_hit, NULL,
                                   NULL) == SQLITE_OK
               ? ST_OK
               : status_fail(ST_IO, "no memory");
}

/* Is the crawl's own index complete? */
static enum status is_indexed(struct view *v, bool *ret)
{
    int64_t last = 0;
    enum status st = db_int(v->q->db, "SELECT page FROM indexed", &v->indexed_to);

    if (st == ST_OK)
        st = db_int(v->q->db, "SELECT max(id) FROM body", &last);
    *ret = st == ST_OK && last <= v->indexed_to;
    return st;
}

/* ---- titles -------------------------------------------------------------- */

static void titles_drop(struct view_titles *t)
{
    buf_free(&t->text);
    free(t->rows);
    *t = (struct view_titles){.text = BUF_INIT(LIMIT_VIEW_TITLES)};
}

static void add_lower(struct buf *out, struct str s)
{
    char *to = buf_room(out, s.len + 1);

    if (to == NULL)
        return;
    for (size_t i = 0; i < s.len; i++)
        to[i] = ascii_lower(s.ptr[i]);
    to[s.len] = '\n';
    out->len += s.len + 1;
}

/* The first title after page `after`. */
static size_t titles_after(const struct view_titles *t, int64_t after)
{
    size_t i;

    FIND_FIRST(i, 0, t->count, t->rows[i].page > after);
    return i;
}

/* Keeps the titles up to page `after`, because a step that failed is repeated. */
static void titles_cut(struct view_titles *t, int64_t after)
{
    size_t count = titles_after(t, after);

    if (count < t->count)
        t->text.len = t->rows[count].at;
    t->count = count;
}

enum status view_words_take(struct view *v, int64_t after, int64_t last)
{
    struct view_titles *t = &v->titles;
    sqlite3_stmt *st = NULL;
    bool complete = false;
    enum status status = is_indexed(v, &complete);

    if (status != ST_OK || complete) {
        titles_drop(t);
        return status;
    }
    titles_cut(t, after);
    if (t->count == 0) /* the crawl's own index may have been complete until now */
        after = v->indexed_to;
    status = query_prepare(v->q,
                           "SELECT p.id, p.title, u.url FROM page_row p LEFT JOIN url_row u ON"
                           " u.id = p.url WHERE p.id > ?1 AND p.id <= ?2 ORDER BY p.id",
                           after, last, &st);
    while (status == ST_OK && db_row(v->q->db, st, &status)) {
        MEM_GROW(t->rows, t->count, &t->cap);
        t->rows[t->count++] =
            (struct view_title){(uint32_t)sqlite3_column_int64(st, 0), (uint32_t)t->text.len};
        add_lower(&t->text, db_str(st, 1));
        add_lower(&t->text, db_str(st, 2));
    }
    query_done(v->q, st);
    return status;
}

#define NEEDLES 16

/* A word that must occur or, after NOT, must not. OR begins another alternative. */
struct needle {
    struct str word;
    bool absent, other;
};

static bool is_sign(char c)
{
    return strchr("\"'()*^+{},", c) != NULL || ascii_is_space(c);
}

/* Returns the words of an expression with its NOT and OR; parentheses and phrases are ignored. */
static size_t needles_of(struct str lower, struct str words, struct needle ret[NEEDLES])
{
    bool absent = false, other = false;
    size_t n = 0;

    for (size_t i = 0, end; i < words.len && n < NEEDLES; i = end) {
        struct str word;

        for (end = i; end < words.len && !is_sign(words.ptr[end]);)
            end++;
        word = str_sub(words, i, end);
        if (end == i) {
            end++;
        } else if (str_eq(word, STR("NOT"))) {
            absent = true;
        } else if (str_eq(word, STR("OR"))) {
            other = n > 0;
        } else if (!str_eq(word, STR("AND")) && !str_eq(word, STR("NEAR"))) {
            size_t from = str_starts_i(word, STR("title:")) || str_starts_i(word, STR("text:"))
                              ? str_find_char(word, ':', 0) + 1
                              : 0;

            ret[n++] = (struct needle){str_sub(lower, i + from, end), absent, other};
            absent = other = false;
        }
    }
    return n;
}

static bool has_needles(struct str text, const struct needle *needles, size_t n)
{
    bool all = n > 0, any = false; /* all words of this alternative; there were any */

    for (size_t i = 0; i < n; i++) {
        if (needles[i].other) {
            if (all && any)
                return true;
            all = true;
            any = false;
        }
        if (all)
            all = (memmem(text.ptr, text.len, needles[i].word.ptr, needles[i].word.len) != NULL) !=
                  needles[i].absent;
        any = any || !needles[i].absent;
    }
    return all && any;
}

static void match_titles(struct view *v, struct str words, int64_t after)
{
    const struct view_titles *t = &v->titles;
    struct needle needles[NEEDLES];
    LOCAL_BUF lower = BUF_INIT(KIB(64));
    size_t n;

    add_lower(&lower, words);
    n = lower.len ? needles_of(buf_str(&lower), words, needles) : 0;
    for (size_t i = titles_after(t, after); i < t->count; i++) {
        size_t from = t->rows[i].at, to = i + 1 < t->count ? t->rows[i + 1].at : t->text.len;

        if (has_needles((struct str){t->text.data + from, to - from}, needles, n))
            hits_set(&v->hits, t->rows[i].page);
    }
}

/* ---- expressions --------------------------------------------------------- */

/* Does FTS5 accept the expression? No row is read to find out. */
static bool is_expression(struct view *v, struct str words)
{
    LOCAL_STMT *st = NULL;
    bool good = db_prepare(v->q->db,
                           "SELECT rowid FROM page_text WHERE page_text MATCH ? AND rowid < 0"
                           " LIMIT 1",
                           &st) == ST_OK;

    if (good) {
        int rc;

        db_bind_str(st, 1, words);
        rc = sqlite3_step(st);
        good = rc == SQLITE_ROW || rc == SQLITE_DONE;
    }
    return good;
}

/* ---- finding ------------------------------------------------------------- */

enum status view_words_match(struct view *v, struct str words, struct buf *ret)
{
    if (!is_expression(v, words))
        query_add_phrases(ret, words);
    else if (query_widen(v->q, words, ret) != ST_OK)
        buf_add_str(ret, words);
    return query_keep_to_main(v->q, ret);
}

bool view_words_ranked(const struct view *v)
{
    return v->indexed_to >= v->page;
}

static void drop_text(struct view *v)
{
    word_index_release(v->text);
    v->text = NULL;
}

/* Makes the second index if it is needed, and releases it if it is not. */
static void keep_text(struct view *v, bool complete)
{
    bool more;

    if (v->text && (complete || word_index_base(v->text) > v->indexed_to))
        drop_text(v);
    if (complete)
        return;
    v->text_asked_at = clock_now();
    if (v->text == NULL && word_index_open(v->q->dir, v->indexed_to, &v->text) != ST_OK)
        v->text = NULL;
    if (v->text)
        (void)!word_index_feed(v->text, FEED_NOW, &more);
}

static enum status match_own(struct view *v, struct str match, int64_t after)
{
    LOCAL_ROWS rows = query_rows(v->q,
                                 "SELECT rowid FROM page_text WHERE page_text MATCH ?3 AND"
                                 " rowid > ?1 AND rowid <= ?2 ORDER BY rowid",
                                 after, v->indexed_to);

    rows_bind_str(&rows, 3, match);
    while (rows_next(&rows))
        hits_set(&v->hits, sqlite3_column_int64(rows.st, 0));
    return rows.status;
}

/* Searches for the words in the pages that are new since the last time. */
static enum status match_all(struct view *v, struct str words, struct str match, bool complete)
{
    struct view_hits *h = &v->hits;
    int64_t after = h->text_to, last = 0;
    enum status st = ST_OK;

    hits_room(h, v->page);
    hits_cut(h, after);
    if (v->indexed_to > after) {
        st = match_own(v, match, after);
        after = v->indexed_to;
    }
    if (st == ST_OK && v->text) {
        st = word_index_match(v->text, match, after, v->deadline, hits_set, h, &last);
        if (last > after)
            after = last;
    }
    if (complete || after > v->page)
        after = v->page;
    if (st == ST_OK && after < v->page)
        match_titles(v, words, after);
    h->text_to = after;
    return st;
}

enum status view_words_find(struct view *v, struct str words, struct view_searched *ret)
{
    struct view_hits *h = &v->hits;
    struct buf match = BUF_INIT(KIB(64));
    uint64_t hash = hash_str(words) | 1, rest = 0;
    bool complete = false;
    enum status st;

    if (h->of == hash && h->moment == v->moment && !sqlite3_get_autocommit(v->q->db)) {
        /* the list after its count */
        *ret = h->searched;
        return ST_OK;
    }
    st = is_indexed(v, &complete);
    if (st == ST_OK)
        keep_text(v, complete);
    if (st == ST_OK)
        st = view_words_match(v, words, &match);
    if (st == ST_OK && match.full)
        st = status_fail(ST_LIMIT, "there are too many words to search for");
    if (h->of != hash)
        h->text_to = 0;
    h->of = 0;
    if (st == ST_OK)
        st = match_all(v, words, buf_str(&match), complete);
    if (st == ST_OK)
        h->of = hash;
    if (st == ST_OK && h->text_to < v->page)
        st = query_number(v->q, "SELECT count(*) FROM temp.seen WHERE id > ?", h->text_to, &rest);
    buf_free(&match);
    h->moment = v->moment;
    *ret = h->searched = (struct view_searched){.indexed = v->totals.pages - rest,
                                                .how = rest == 0                 ? VIEW_TEXT
                                                       : rest == v->totals.pages ? VIEW_TITLES
                                                                                 : VIEW_PART};
    return st;
}

void view_words_restart(struct view *v)
{
    drop_text(v);
    titles_drop(&v->titles);
    v->hits.of = 0;
}

void view_words_clear(struct view *v)
{
    view_words_restart(v);
    free(v->hits.bits);
}

struct word_index *view_text(struct query *q, int64_t asked_since)
{
    const struct view *v = q->view;

    return v->text && v->text_asked_at >= asked_since ? word_index_hold(v->text) : NULL;
}

void view_drop_text(struct query *q, int64_t asked_since)
{
    struct view *v = q->view;

    if (v->text_asked_at < asked_since)
        drop_text(v);
}
