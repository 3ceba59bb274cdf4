/* query_use.c - the rules for the use of pages, and the pages that may be used for a purpose.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "parse/tdmrep.h"
#include "parse/url_norm.h"
#include "store/read/query_int.h"

void query_for(struct query *q, enum use use)
{
    q->is_for = true;
    q->use = use;
}

uint64_t query_left_out(const struct query *q)
{
    return q->left_out;
}

/* Crawls of earlier versions have no such tables. */
static enum status has_wishes(struct query *q, bool *ret)
{
    int64_t there = 0;
    enum status st = db_int(
        q->db, "SELECT count(*) FROM sqlite_schema WHERE name IN ('use_row', 'host_use')", &there);

    *ret = there == 2;
    return st;
}

/* Appends the rule of the host's tdmrep.json, unless the page itself has one. */
static void add_reserved(struct str rules, struct str url, struct buf *ret)
{
    struct str scheme, host, path;
    uint16_t port;

    url_split(url, &scheme, &host, &port, &path);
    if (rules.len <= LIMIT_TDMREP_KEPT && !use_has(buf_str(ret), STR("tdm-reservation")))
        tdmrep_say(rules, path, ret);
}

enum status query_use(struct query *q, uint32_t page, struct buf *ret)
{
    sqlite3_stmt *st = NULL;
    bool there = false;
    enum status status = has_wishes(q, &there);

    if (status != ST_OK || !there)
        return status;
    status = query_prepare(q,
                           "SELECT u.said, h.said, t.value, l.url FROM page_row p"
                           " JOIN url_row l ON l.id = p.url LEFT JOIN use_row u ON u.page = p.id"
                           " LEFT JOIN host_use h ON h.host = p.host LEFT JOIN crawl t ON t.key ="
                           " 'tdm.' || p.host WHERE p.id = ?",
                           page, 0, &st);
    if (status == ST_OK && db_row(q->db, st, &status)) {
        use_join(ret, db_str(st, 0));
        use_join(ret, db_str(st, 1));
        if (db_str(st, 2).len > 0)
            add_reserved(db_str(st, 2), db_str(st, 3), ret);
    }
    query_done(q, st);
    return status;
}

struct use_sieve {
    struct query *q;
    query_page_fn *fn;
    void *ctx;
    struct buf said;
};

static enum status pass_page(void *ctx, const struct query_page *p)
{
    struct use_sieve *s = ctx;

    buf_clear(&s->said);
    TRY(query_use(s->q, p->id, &s->said));
    if (use_reserves(buf_str(&s->said), s->q->use)) {
        s->q->left_out++;
        return ST_OK;
    }
    return s->fn(s->ctx, p);
}

enum status query_pages(struct query *q, query_page_fn *fn, void *ctx)
{
    static const char all[] =
        "SELECT " QUERY_PAGE_COLUMNS " FROM page p WHERE NOT p.hidden ORDER BY p.id";
    struct use_sieve s = {q, fn, ctx, BUF_INIT(KIB(4))};
    enum status st;

    if (!q->is_for)
        return query_page_rows(q, all, 0, 0, fn, ctx);
    q->left_out = 0;
    st = query_page_rows(q, all, 0, 0, pass_page, &s);
    buf_free(&s.said);
    return st;
}
