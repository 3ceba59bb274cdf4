/* query_near.c - for a search without results: which of its words is on no page, and which words
 * are spelled similarly.
 *
 * The full-text index lists its words in order (fts5vocab). Those with the same beginning are
 * compared, at most LOOKED_AT of them: a word is similar if it differs in its ending, or in one or
 * two letters. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "store/full_text.h"
#include "store/read/query_int.h"
#include "text/words/unicode.h"

#include <stdlib.h>

#define LOOKED_AT 20000
#define NEAR_MAX  3 /* words in the answer */
#define ENDING    3 /* letters in which a form of a word may differ */

struct near_word {
    char *word;
    uint64_t pages;
};

enum status query_pages_with(struct query *q, struct str word, uint64_t *ret)
{
    LOCAL_BUF phrase = BUF_INIT(KIB(64));
    LOCAL_ROWS rows = query_rows(q, "SELECT count(*) FROM page_text WHERE page_text MATCH ?", 0, 0);

    if (rows.status == ST_OK)
        rows.status = query_widen(q, word, &phrase);
    if (str_eq(buf_str(&phrase), word)) { /* it has other characters than letters */
        buf_clear(&phrase);
        query_add_phrases(&phrase, word);
    }
    *ret = 0;
    rows_bind_str(&rows, 1, buf_str(&phrase));
    if (rows_next(&rows))
        *ret = (uint64_t)sqlite3_column_int64(rows.st, 0);
    return rows.status;
}

static const char *the_one(const void *ctx, size_t i)
{
    return i == 0 ? ctx : NULL;
}

static bool is_near(struct str word, const char *term)
{
    size_t same = 0, len = strlen(term);

    while (same < word.len && same < len && word.ptr[same] == term[same])
        same++;
    if (same >= 3 && same + ENDING >= word.len && same + ENDING >= len)
        return true;
    return str_nearest(word, the_one, term) != NULL;
}

/* Keeps the most frequent ones, in order. */
static void keep(struct near_word kept[NEAR_MAX], const char *term, uint64_t pages)
{
    struct near_word it = {str_dup(str_of(term)), pages};

    for (size_t i = 0; i < NEAR_MAX; i++)
        if (it.pages > kept[i].pages) {
            struct near_word other = kept[i];

            kept[i] = it;
            it = other;
        }
    free(it.word);
}

enum status query_vocabulary(struct query *q)
{
    return db_execf(q->db,
                    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.indexed_word USING"
                    " fts5vocab('%s', 'page_text', 'row')",
                    full_text_where(q->db));
}

static enum status look(struct query *q, struct str word, struct near_word kept[NEAR_MAX])
{
    LOCAL_STMT *st = NULL;
    enum status status = query_vocabulary(q);

    if (status == ST_OK)
        status = db_prepare(q->db,
                            "SELECT term, doc FROM temp.indexed_word WHERE term >= ?1 AND"
                            " term < ?1 || char(0x10ffff) LIMIT ?2",
                            &st);
    if (status == ST_OK) {
        db_bind_str(st, 1, str_sub(word, 0, word.len < 6 ? 1 : 2));
        (void)sqlite3_bind_int64(st, 2, LOOKED_AT);
    }
    while (status == ST_OK && db_row(q->db, st, &status)) {
        const char *term = (const char *)sqlite3_column_text(st, 0);

        if (term && is_near(word, term))
            keep(kept, term, (uint64_t)sqlite3_column_int64(st, 1));
    }
    return status;
}

enum status query_near(struct query *q, struct str word, query_count_fn *fn, void *ctx)
{
    struct near_word kept[NEAR_MAX] = {{0}};
    LOCAL_BUF lower = BUF_INIT(LIMIT_URL);
    enum status st = ST_OK;

    if (unicode_lower_text(word, &lower) == ST_OK && lower.len > 0)
        st = look(q, buf_str(&lower), kept);
    for (size_t i = 0; i < NEAR_MAX; i++) {
        if (st == ST_OK && kept[i].word)
            st = fn(ctx, str_of(kept[i].word), kept[i].pages);
        free(kept[i].word);
    }
    return st;
}
