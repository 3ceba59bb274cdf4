/* link_rows.c - the links of one page as a table that SQLite can read.
 * SPDX-License-Identifier: MIT */
#include "store/write/link_rows.h"

#include "base/limits.h"
#include "base/mem.h"

#include <stdlib.h>

struct table {
    sqlite3_vtab base;
    const struct link_rows *shown;
};

struct row {
    sqlite3_vtab_cursor base;
    const struct link_rows *shown;
    uint32_t at; /* index of the link; page->nlinks: the end */
};

enum column { COLUMN_PAGE, COLUMN_POS, COLUMN_URL, COLUMN_ANCHOR, COLUMN_SCORE };

static int table_connect(sqlite3 *db, void *shown, int argc, const char *const *argv,
                         sqlite3_vtab **ret, char **error)
{
    struct table *t;
    int rc = sqlite3_declare_vtab(db, "CREATE TABLE new_link(page, pos, url, anchor, score)");

    (void)argc, (void)argv, (void)error;
    if (rc != SQLITE_OK)
        return rc;
    t = MEM_NEW(struct table);
    t->shown = shown;
    *ret = &t->base;
    return SQLITE_OK;
}

static int table_disconnect(sqlite3_vtab *t)
{
    free(t);
    return SQLITE_OK;
}

static int table_plan(sqlite3_vtab *t, sqlite3_index_info *info)
{
    (void)t;
    info->estimatedCost = 1; /* there is only one way: all of them */
    return SQLITE_OK;
}

static int row_open(sqlite3_vtab *t, sqlite3_vtab_cursor **ret)
{
    struct row *r = MEM_NEW(struct row);

    r->shown = ((struct table *)t)->shown;
    *ret = &r->base;
    return SQLITE_OK;
}

static int row_close(sqlite3_vtab_cursor *r)
{
    free(r);
    return SQLITE_OK;
}

/* On to a link that has a number. */
static int row_settle(struct row *r)
{
    while (r->at < r->shown->page->nlinks && r->shown->marks[r->at].url == 0)
        r->at++;
    return SQLITE_OK;
}

static int row_first(sqlite3_vtab_cursor *base, int plan, const char *name, int argc,
                     sqlite3_value **argv)
{
    struct row *r = (struct row *)base;

    (void)plan, (void)name, (void)argc, (void)argv;
    r->at = 0;
    return row_settle(r);
}

static int row_next(sqlite3_vtab_cursor *base)
{
    struct row *r = (struct row *)base;

    r->at++;
    return row_settle(r);
}

static int row_is_end(sqlite3_vtab_cursor *base)
{
    const struct row *r = (struct row *)base;

    return r->at >= r->shown->page->nlinks;
}

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *ret)
{
    *ret = ((struct row *)base)->at;
    return SQLITE_OK;
}

/* The text of the anchor's words, cut between two characters. */
static struct str anchor_text(const struct page *page, struct span anchor)
{
    struct str s;

    if (anchor.from >= anchor.to || anchor.to > page->nwords)
        return (struct str){"", 0};
    s = str_sub(page->text, page->words[anchor.from].off,
                (size_t)page->words[anchor.to - 1].off + page->words[anchor.to - 1].len);
    if (s.len > LIMIT_ANCHOR) {
        s.len = LIMIT_ANCHOR;
        while (s.len && ((unsigned char)s.ptr[s.len] & 0xc0) == 0x80)
            s.len--;
    }
    return s;
}

static int row_column(sqlite3_vtab_cursor *base, sqlite3_context *out, int column)
{
    const struct row *r = (struct row *)base;
    const struct link_rows *shown = r->shown;
    struct str anchor;

    switch ((enum column)column) {
    case COLUMN_PAGE:
        sqlite3_result_int64(out, shown->id);
        break;
    case COLUMN_POS:
        sqlite3_result_int64(out, r->at);
        break;
    case COLUMN_URL:
        sqlite3_result_int64(out, shown->marks[r->at].url);
        break;
    case COLUMN_ANCHOR: /* none: NULL */
        anchor = anchor_text(shown->page, shown->page->links[r->at].anchor);
        if (anchor.len > 0)
            sqlite3_result_text64(out, anchor.ptr, anchor.len, SQLITE_STATIC, SQLITE_UTF8);
        break;
    case COLUMN_SCORE: /* NAN becomes NULL */
        sqlite3_result_double(out, (double)shown->marks[r->at].score);
        break;
    }
    return SQLITE_OK;
}

/* No xCreate: the table is there by its name, and stands in no database. */
static const sqlite3_module module = {
    .xConnect = table_connect,
    .xBestIndex = table_plan,
    .xDisconnect = table_disconnect,
    .xOpen = row_open,
    .xClose = row_close,
    .xFilter = row_first,
    .xNext = row_next,
    .xEof = row_is_end,
    .xColumn = row_column,
    .xRowid = row_number,
};

enum status link_rows_join(sqlite3 *db, const struct link_rows *shown)
{
    if (sqlite3_create_module(db, "new_link", &module, (void *)shown) != SQLITE_OK)
        return status_fail(ST_INTERNAL, "crawl.db: %s", sqlite3_errmsg(db));
    return ST_OK;
}
