/* links.c - the links of a page as one row. See links.h.
 *
 * In: an arrival's links with their marks. Out: JSON, and a virtual table that reads it.
 * Workload: 65 links a page; 65 times the pages of a crawl when links to a URL are looked for,
 * so only the numbers that are needed are read. SPDX-License-Identifier: MIT */
#include "store/links.h"

#include "base/limits.h"
#include "base/mem.h"
#include "store/db.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEM_MAX 96 /* bytes of a link */

/* ---- writing -------------------------------------------------------------- */

/* The anchor's place in the text, cut between two characters. */
static struct span anchor_place(const struct page *page, struct span words)
{
    struct span s = {0, 0};
    uint32_t end;

    if (words.from >= words.to || words.to > page->nwords)
        return s;
    s.from = page->words[words.from].off;
    end = page->words[words.to - 1].off + page->words[words.to - 1].len;
    s.to = end;
    if (s.to - s.from > LIMIT_ANCHOR) {
        s.to = s.from + LIMIT_ANCHOR;
        while (s.to > s.from && ((unsigned char)page->text.ptr[s.to] & 0xc0) == 0x80)
            s.to--;
    }
    return s;
}

static char *put_number(char *out, uint32_t n)
{
    char digits[12];
    size_t len = 0;

    do
        digits[len++] = (char)('0' + n % 10);
    while (n /= 10);
    while (len)
        *out++ = digits[--len];
    return out;
}

/* Writes six places if they are enough, which is quicker than printf. */
static char *put_score(char *out, double score)
{
    double size = fabs(score);
    uint32_t millionths;

    if (!(size >= 0.001 && size < 1000) && size > 0)
        return out + snprintf(out, 32, "%.7g", score);
    if (score < 0)
        *out++ = '-';
    millionths = (uint32_t)lround(size * 1e6);
    out = put_number(out, millionths / 1000000);
    millionths %= 1000000;
    if (millionths == 0)
        return out;
    *out++ = '.';
    for (uint32_t place = 100000; millionths; place /= 10) {
        *out++ = (char)('0' + millionths / place);
        millionths %= place;
    }
    return out;
}

static char *put_item(char *out, uint32_t pos, uint32_t url, struct span anchor, float score)
{
    *out++ = '[';
    out = put_number(out, pos);
    *out++ = ',';
    out = put_number(out, url);
    *out++ = ',';
    out = put_number(out, anchor.from);
    *out++ = ',';
    out = put_number(out, anchor.to - anchor.from);
    if (isfinite(score)) {
        *out++ = ',';
        out = put_score(out, (double)score);
    }
    *out++ = ']';
    return out;
}

void links_put(const struct links_item *item, struct buf *out)
{
    struct span anchor = {item->at, item->at + item->len};
    char *room;

    if (out->len > 0 && out->data[out->len - 1] != '[')
        buf_add_char(out, ',');
    room = buf_room(out, ITEM_MAX);
    if (room)
        out->len +=
            (size_t)(put_item(room, item->pos, item->url, anchor, (float)item->score) - room);
}

void links_write(const struct page *page, const struct link_mark *marks, bool anchors,
                 struct buf *out)
{
    buf_add_char(out, '[');
    for (uint32_t i = 0; i < page->nlinks; i++) {
        struct span anchor = {0, 0};

        if (marks[i].url == 0)
            continue;
        if (anchors)
            anchor = anchor_place(page, page->links[i].anchor);
        links_put(&(struct links_item){.pos = i,
                                       .url = marks[i].url,
                                       .at = anchor.from,
                                       .len = anchor.to - anchor.from,
                                       .score = (double)marks[i].score},
                  out);
    }
    buf_add_char(out, ']');
}

/* ---- reading -------------------------------------------------------------- */

static bool take_number(struct str s, size_t *at, uint32_t *ret)
{
    uint64_t n = 0;
    size_t from = *at;

    for (; *at < s.len && ascii_is_digit(s.ptr[*at]) && n <= UINT32_MAX; ++*at)
        n = n * 10 + (uint64_t)(s.ptr[*at] - '0');
    *ret = (uint32_t)n;
    return *at > from && n <= UINT32_MAX;
}

static bool take_char(struct str s, size_t *at, char c)
{
    if (*at >= s.len || s.ptr[*at] != c)
        return false;
    ++*at;
    return true;
}

static bool take_item(struct str s, size_t *at, struct links_item *ret)
{
    if (!take_char(s, at, '[') || !take_number(s, at, &ret->pos) || !take_char(s, at, ',') ||
        !take_number(s, at, &ret->url) || !take_char(s, at, ',') || !take_number(s, at, &ret->at) ||
        !take_char(s, at, ',') || !take_number(s, at, &ret->len))
        return false;
    ret->score = NAN;
    if (take_char(s, at, ',')) {
        size_t end = *at;

        while (end < s.len && s.ptr[end] != ']')
            end++;
        if (!str_to_double(str_sub(s, *at, end), &ret->score))
            return false;
        *at = end;
    }
    return take_char(s, at, ']');
}

bool links_next(struct str links, size_t *from, struct links_item *ret, bool *ret_bad)
{
    *ret_bad = false;
    if (*from == 0 && !take_char(links, from, '[')) {
        *ret_bad = links.len > 0;
        return false;
    }
    if (take_char(links, from, ']')) {
        *ret_bad = *from < links.len;
        return false;
    }
    if (*from > 1 && !take_char(links, from, ',')) {
        *ret_bad = true;
        return false;
    }
    *ret_bad = !take_item(links, from, ret);
    return !*ret_bad;
}

/* ---- the table ------------------------------------------------------------ */

enum link_column { COLUMN_PAGE, COLUMN_POS, COLUMN_URL, COLUMN_ANCHOR, COLUMN_SCORE };
enum link_plan { PLAN_PAGE = 1, PLAN_URL = 2, PLAN_TEXT = 4 };

struct link_table {
    sqlite3_vtab base;
    sqlite3 *db;
};

struct link_row {
    sqlite3_vtab_cursor base;
    sqlite3 *db;
    sqlite3_stmt *pages; /* page, links and perhaps text */
    int plan;            /* that it was prepared for */
    int64_t url;         /* wanted; -1: any */
    struct str links;
    size_t at;
    struct links_item item;
    bool end;
};

static int table_connect(sqlite3 *db, void *ctx, int argc, const char *const *argv,
                         sqlite3_vtab **ret, char **error)
{
    int rc =
        sqlite3_declare_vtab(db, "CREATE TABLE link_row(page INTEGER, pos INTEGER, url INTEGER,"
                                 " anchor TEXT, score REAL)");
    struct link_table *t;

    (void)ctx, (void)argc, (void)argv, (void)error;
    if (rc != SQLITE_OK)
        return rc;
    t = MEM_NEW(struct link_table);
    t->db = db;
    *ret = &t->base;
    return SQLITE_OK;
}

static int table_disconnect(sqlite3_vtab *t)
{
    free(t);
    return SQLITE_OK;
}

/* Rows come by page and position. */
static bool in_order(const sqlite3_index_info *info, int plan)
{
    int want = plan & PLAN_PAGE ? COLUMN_POS : COLUMN_PAGE;

    for (int i = 0; i < info->nOrderBy; i++) {
        if (info->aOrderBy[i].desc)
            return false;
        if (info->aOrderBy[i].iColumn == COLUMN_PAGE && plan & PLAN_PAGE)
            continue;
        if (info->aOrderBy[i].iColumn != want++ || want > COLUMN_URL)
            return false;
    }
    return true;
}

static int table_plan(sqlite3_vtab *t, sqlite3_index_info *info)
{
    int found[2] = {-1, -1}, plan = 0, args = 0;

    (void)t;
    for (int i = 0; i < info->nConstraint; i++) {
        int column = info->aConstraint[i].iColumn;

        if (info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ && info->aConstraint[i].usable &&
            (column == COLUMN_PAGE || column == COLUMN_URL))
            found[column == COLUMN_URL] = i;
    }
    for (int i = 0; i < 2; i++)
        if (found[i] >= 0) {
            plan |= i ? PLAN_URL : PLAN_PAGE;
            info->aConstraintUsage[found[i]].argvIndex = ++args;
            info->aConstraintUsage[found[i]].omit = 1;
        }
    info->orderByConsumed = in_order(info, plan);
    if (info->colUsed & (UINT64_C(1) << COLUMN_ANCHOR))
        plan |= PLAN_TEXT;
    info->idxNum = plan;
    info->estimatedCost = plan & PLAN_PAGE ? 50 : plan & PLAN_URL ? 1e6 : 1e7;
    info->estimatedRows = plan & PLAN_PAGE ? 50 : plan & PLAN_URL ? 100 : 1000000;
    return SQLITE_OK;
}

static int row_open(sqlite3_vtab *t, sqlite3_vtab_cursor **ret)
{
    struct link_row *r = MEM_NEW(struct link_row);

    r->db = ((struct link_table *)t)->db;
    r->plan = -1;
    *ret = &r->base;
    return SQLITE_OK;
}

static int row_close(sqlite3_vtab_cursor *base)
{
    LOCAL_HEAP struct link_row *r = (struct link_row *)base;

    (void)sqlite3_finalize(r->pages);
    return SQLITE_OK;
}

static int next_page(struct link_row *r)
{
    int rc = sqlite3_step(r->pages);

    r->end = rc != SQLITE_ROW;
    r->at = 0;
    r->links = r->end ? (struct str){"", 0} : db_str(r->pages, 1);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int row_next(sqlite3_vtab_cursor *base)
{
    struct link_row *r = (struct link_row *)base;
    int rc = SQLITE_OK;

    while (rc == SQLITE_OK && !r->end) {
        bool bad;

        if (links_next(r->links, &r->at, &r->item, &bad)) {
            if (r->url < 0 || r->item.url == r->url)
                return SQLITE_OK;
        } else if (bad) {
            rc = SQLITE_CORRUPT_VTAB;
        } else {
            rc = next_page(r);
        }
    }
    return rc;
}

static int prepare(struct link_row *r, int plan)
{
    static const char *const sql[] = {
        "SELECT page, links FROM main.links_row ORDER BY page",
        "SELECT page, links FROM main.links_row WHERE page = ?",
        "SELECT l.page, l.links, b.text FROM main.links_row l LEFT JOIN main.body b ON b.id = "
        "l.page"
        " ORDER BY l.page",
        "SELECT l.page, l.links, b.text FROM main.links_row l LEFT JOIN main.body b ON b.id = "
        "l.page"
        " WHERE l.page = ?",
    };
    int rc;

    if (r->plan == plan) {
        (void)sqlite3_reset(r->pages);
        return SQLITE_OK;
    }
    (void)sqlite3_finalize(r->pages);
    r->pages = NULL;
    rc = sqlite3_prepare_v2(r->db, sql[(plan & PLAN_PAGE ? 1 : 0) + (plan & PLAN_TEXT ? 2 : 0)], -1,
                            &r->pages, NULL);
    r->plan = rc == SQLITE_OK ? plan : -1;
    return rc;
}

static int row_first(sqlite3_vtab_cursor *base, int plan, const char *name, int argc,
                     sqlite3_value **argv)
{
    struct link_row *r = (struct link_row *)base;
    int rc = prepare(r, plan), used = 0;

    (void)name;
    if (rc != SQLITE_OK)
        return rc;
    if (plan & PLAN_PAGE && used < argc)
        (void)sqlite3_bind_int64(r->pages, 1, sqlite3_value_int64(argv[used++]));
    r->url = -1;
    if (plan & PLAN_URL && used < argc)
        r->url = sqlite3_value_int64(argv[used]) & INT64_MAX;
    rc = next_page(r);
    return rc == SQLITE_OK ? row_next(base) : rc;
}

static int row_is_end(sqlite3_vtab_cursor *base)
{
    return ((const struct link_row *)base)->end;
}

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *ret)
{
    const struct link_row *r = (const struct link_row *)base;

    *ret = (sqlite3_int64)(((uint64_t)sqlite3_column_int64(r->pages, 0) << 20) + r->item.pos);
    return SQLITE_OK;
}

static int row_column(sqlite3_vtab_cursor *base, sqlite3_context *out, int column)
{
    const struct link_row *r = (const struct link_row *)base;
    struct str text;

    switch ((enum link_column)column) {
    case COLUMN_PAGE:
        sqlite3_result_int64(out, sqlite3_column_int64(r->pages, 0));
        break;
    case COLUMN_POS:
        sqlite3_result_int64(out, r->item.pos);
        break;
    case COLUMN_URL:
        sqlite3_result_int64(out, r->item.url);
        break;
    case COLUMN_ANCHOR: /* none: NULL */
        text = r->plan & PLAN_TEXT ? db_str(r->pages, 2) : (struct str){"", 0};
        text = str_sub(text, r->item.at, (size_t)r->item.at + r->item.len);
        if (text.len > 0)
            sqlite3_result_text64(out, text.ptr, text.len, SQLITE_TRANSIENT, SQLITE_UTF8);
        break;
    case COLUMN_SCORE: /* NAN becomes NULL */
        sqlite3_result_double(out, r->item.score);
        break;
    }
    return SQLITE_OK;
}

/* links_sound(links): can all of it be read? */
static void sql_sound(sqlite3_context *out, int n, sqlite3_value **values)
{
    const void *text = sqlite3_value_blob(values[0]);
    struct str links = {text ? text : "", (size_t)sqlite3_value_bytes(values[0])};
    struct links_item item;
    size_t at = 0;
    bool bad = false;

    (void)n;
    while (links_next(links, &at, &item, &bad)) {
    }
    sqlite3_result_int(out, !bad);
}

/* Without xCreate the table is eponymous: it belongs to no database. */
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

enum status links_join(sqlite3 *db)
{
    if (sqlite3_create_module(db, "link_row", &module, NULL) != SQLITE_OK ||
        sqlite3_create_function(db, "links_sound", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL,
                                sql_sound, NULL, NULL) != SQLITE_OK)
        return status_fail(ST_INTERNAL, "crawl.db: %s", sqlite3_errmsg(db));
    return ST_OK;
}
