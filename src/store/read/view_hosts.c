/* view_hosts.c - the hosts of a view: how the crawl went from one to another, and how many URLs of
 * each were not followed yet.
 *
 * To count the latter: URLs are only added, so each is read once and its host kept (4 bytes). Their
 * fates (`fate`) are written in place and in no order of time, and the list of dropped URLs is
 * short and overwritten. So all fates are read again, 100,000 in some 20 ms, as long as the crawl
 * changes, step by step before a request comes (view_warm()). The figures are those of the last
 * complete pass; before the first there are none.
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/url_norm.h"
#include "store/read/query_int.h"

#include <stdlib.h>

#define SWEEP_EVERY (5 * US_PER_S)
#define SWEEP_SHARE 50 /* and at most a fiftieth of the time */

void view_waiting_clear(struct view *v)
{
    map_free(&v->waiting.numbers);
    free(v->waiting.host_of);
    free(v->waiting.hosts);
    v->waiting = (struct view_waiting){0};
    map_init(&v->waiting.numbers);
}

/* ---- URLs ---------------------------------------------------------------- */

static void add_url(struct view_waiting *w, uint32_t id, struct str url)
{
    struct str scheme, host, path;
    uint16_t port;
    uint32_t *number;
    bool fresh = false;

    if (id < w->room && w->host_of[id]) /* a step that failed is repeated */
        return;
    url_split(url, &scheme, &host, &port, &path);
    number = map_at(&w->numbers, hash_str(host), (uint32_t)w->count, &fresh);
    if (fresh) {
        MEM_GROW(w->hosts, w->count, &w->cap);
        w->hosts[w->count++] = (struct view_waiting_host){0};
    }
    if (id >= w->room) {
        size_t room = (size_t)id + id / 2 + 1024;

        w->host_of = mem_resize(w->host_of, room, sizeof *w->host_of);
        memset(w->host_of + w->room, 0, (room - w->room) * sizeof *w->host_of);
        w->room = room;
    }
    w->host_of[id] = *number + 1;
    w->hosts[*number].known++;
}

static enum status take_urls(struct view *v, int64_t rows, bool *ret_more)
{
    struct view_waiting *w = &v->waiting;
    sqlite3_stmt *st = NULL;
    int64_t last = 0;
    enum status status = db_int(v->q->db, "SELECT max(id) FROM url_row", &last);

    if (status != ST_OK || last <= w->url || last > LIMIT_VIEW_URLS) {
        w->off = last > LIMIT_VIEW_URLS;
        return status;
    }
    *ret_more = last - w->url > rows;
    if (*ret_more)
        last = w->url + rows;
    status =
        query_prepare(v->q, "SELECT id, url FROM url_row WHERE id > ?1 AND id <= ?2 AND reason = 0",
                      w->url, last, &st);
    while (status == ST_OK && db_row(v->q->db, st, &status))
        add_url(w, (uint32_t)sqlite3_column_int64(st, 0), db_str(st, 1));
    query_done(v->q, st);
    if (status == ST_OK)
        w->url = last;
    return status;
}

/* ---- what became of them ------------------------------------------------- */

/* Counts URLs that were tried, dropped or stored, as the view `url` defines it. */
static enum status take_fates(struct view *v, int64_t rows, bool *ret_more)
{
    struct view_waiting *w = &v->waiting;
    sqlite3_stmt *st = NULL;
    int64_t seen = 0;
    enum status status =
        query_prepare(v->q,
                      "SELECT url, state >= 2 OR reason <> 0 OR page <> 0 FROM fate"
                      " WHERE url > ?1 ORDER BY url LIMIT ?2",
                      w->fate, rows, &st);

    while (status == ST_OK && db_row(v->q->db, st, &status)) {
        uint64_t url = (uint64_t)sqlite3_column_int64(st, 0);

        w->fate = (int64_t)url;
        seen++;
        if (url < w->room && w->host_of[url] && sqlite3_column_int(st, 1))
            w->hosts[w->host_of[url] - 1].tried++;
    }
    query_done(v->q, st);
    *ret_more = status == ST_OK && seen == rows;
    return status;
}

static void publish(struct view_waiting *w)
{
    for (size_t i = 0; i < w->count; i++) {
        w->hosts[i].waiting = w->hosts[i].known - w->hosts[i].tried;
        w->hosts[i].tried = 0;
    }
    w->fate = 0;
    w->sweeping = false;
    w->ready = true;
    w->due_at = clock_now() + SWEEP_EVERY + SWEEP_SHARE * w->spent;
    w->spent = 0;
}

enum status view_waiting_step(struct view *v, int64_t rows, bool *ret_more, bool *ret_changed)
{
    struct view_waiting *w = &v->waiting;
    int64_t began = clock_now();
    enum status st = ST_OK;
    bool more = false;

    if (!w->sweeping && (w->off || w->version == v->version || began < w->due_at))
        return ST_OK;
    if (!w->sweeping) { /* no URL is added while fates are counted */
        st = take_urls(v, rows, &more);
        w->sweeping = st == ST_OK && !more && !w->off;
        w->version = v->version;
        if (more)
            w->version = 0;
        *ret_more = more || w->sweeping;
        return st;
    }
    st = take_fates(v, rows, &more);
    w->spent += clock_now() - began;
    if (st == ST_OK && !more) {
        publish(w);
        *ret_changed = true;
    }
    *ret_more = more;
    return st;
}

/* ---- questions ----------------------------------------------------------- */

/* -1: not counted yet. */
static int64_t waiting_of(const struct view_waiting *w, struct str host)
{
    uint32_t number = w->ready && !w->off ? map_get(&w->numbers, hash_str(host)) : MAP_NONE;

    return number == MAP_NONE ? (w->ready && !w->off ? 0 : -1) : w->hosts[number].waiting;
}

enum status view_hosts(struct query *q, uint32_t n, view_host_fn *fn, void *ctx)
{
    LOCAL_ROWS rows =
        query_rows(q,
                   "SELECT h.name, g.n, g.r / g.n FROM (SELECT id, n, relevance AS r FROM"
                   " temp.host_sum ORDER BY n DESC, id LIMIT ?) g"
                   " JOIN temp.seen_host h ON h.id = g.id ORDER BY g.n DESC, h.name",
                   n, 0);

    while (rows_next(&rows)) {
        struct view_host host = {.name = db_str(rows.st, 0),
                                 .pages = (uint64_t)sqlite3_column_int64(rows.st, 1),
                                 .relevance = sqlite3_column_double(rows.st, 2)};

        host.waiting = waiting_of(&q->view->waiting, host.name);
        rows.status = fn(ctx, &host);
    }
    return rows.status;
}

enum status view_edges(struct query *q, uint32_t n, view_edge_fn *fn, void *ctx)
{
    LOCAL_ROWS rows =
        query_rows(q,
                   "SELECT a.name, b.name, g.n FROM (SELECT a AS x, b AS y, n FROM temp.edge"
                   " ORDER BY n DESC, x, y LIMIT ?) g"
                   " JOIN temp.seen_host a ON a.id = g.x JOIN temp.seen_host b ON b.id = g.y"
                   " ORDER BY g.n DESC, a.name, b.name",
                   n, 0);

    while (rows_next(&rows))
        rows.status = fn(ctx, db_str(rows.st, 0), db_str(rows.st, 1),
                         (uint64_t)sqlite3_column_int64(rows.st, 2));
    return rows.status;
}
