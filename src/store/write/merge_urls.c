/* merge_urls.c - the URLs of all directories, each once.
 *
 * The owner of a host knows the outcome of a URL; for other nodes the URL is foreign. So a source
 * that only says that it is foreign has less weight. Among equals the source that met it nearer to
 * a seed counts. SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "flow.h"
#include "frontier/frontier.h"
#include "parse/url_norm.h"
#include "store/write/merge_int.h"

static uint16_t number_of(const struct merge *m, const struct merge_source *s)
{
    return (uint16_t)(s - m->sources);
}

static uint8_t reason_of(int64_t n)
{
    return n > 0 && n < DROP_COUNT ? (uint8_t)n : DROP_NONE;
}

static bool knows_better(const struct merge_url *now, uint8_t reason, uint16_t depth)
{
    bool was_foreign = now->reason == DROP_FOREIGN, is_foreign = reason == DROP_FOREIGN;

    return was_foreign != is_foreign ? was_foreign : depth < now->depth;
}

static enum status know_url(struct merge *m, struct merge_source *s, void *ctx UNUSED)
{
    int64_t id = sqlite3_column_int64(s->st, 0), depth = sqlite3_column_int64(s->st, 2);
    uint8_t reason = reason_of(sqlite3_column_int64(s->st, 3));
    uint32_t number;
    struct merge_url *u;
    bool is_new;

    if (id <= 0 || (uint64_t)id >= s->urls.count)
        return ST_OK;
    if (m->nurls >= MERGE_TWICE - 2)
        return status_fail(ST_LIMIT, "there are too many URLs");
    number = *map_at(&m->by_key, url_key(db_str(s->st, 1)), (uint32_t)m->nurls + 1, &is_new);
    s->urls.to[id] = number;
    if (is_new) {
        m->nurls++;
        MEM_GROW(m->urls, m->nurls, &m->urls_cap);
        m->urls[number] = (struct merge_url){.reason = DROP_FOREIGN, .depth = UINT16_MAX};
    }
    u = &m->urls[number];
    depth = depth < 0 || depth >= UINT16_MAX ? UINT16_MAX - 1 : depth;
    if (is_new || knows_better(u, reason, (uint16_t)depth)) {
        u->id = (uint32_t)id;
        u->source = number_of(m, s);
        u->depth = (uint16_t)depth;
        u->reason = reason;
    }
    return ST_OK;
}

/* A visit has the largest weight, then a drop by its owner, then waiting. */
static int weight_of(uint8_t state, uint8_t reason)
{
    if (state == URL_VISITED)
        return 4;
    if (state == URL_GONE)
        return reason == DROP_FOREIGN ? 1 : 3;
    return state == URL_WAITING ? 2 : 0;
}

static enum status know_fate(struct merge *m, struct merge_source *s, void *ctx UNUSED)
{
    uint32_t number = merge_number(&s->urls, sqlite3_column_int64(s->st, 0));
    int64_t state = sqlite3_column_int64(s->st, 1);
    uint8_t drop = reason_of(sqlite3_column_int64(s->st, 2));
    struct merge_url *u = &m->urls[number];

    if (number == 0 || state < URL_KNOWN || state > URL_GONE)
        return ST_OK;
    if (!u->has_fate || weight_of((uint8_t)state, drop) > weight_of(u->state, u->drop)) {
        u->state = (uint8_t)state;
        u->drop = drop;
    }
    u->has_fate = true;
    return ST_OK;
}

enum status merge_know_urls(struct merge *m)
{
    enum status st = ST_OK;
    uint64_t total = 0;

    MEM_GROW(m->urls, 0, &m->urls_cap);
    m->urls[0] = (struct merge_url){0};
    for (size_t i = 0; i < m->nsources && st == ST_OK; i++) {
        struct merge_source *s = &m->sources[i];

        st = merge_numbers_init(s, &s->urls, "SELECT max(id) FROM url_row");
        total += s->urls.count;
    }
    merge_begin(m, "reading the URLs", total);
    if (st == ST_OK)
        st = merge_rows(m, "url_row", "SELECT id, url, depth, reason FROM url_row ORDER BY id",
                        false, know_url, NULL);
    if (st == ST_OK)
        st = merge_rows(m, "fate", "SELECT url, state, reason FROM fate ORDER BY url", false,
                        know_fate, NULL);
    m->result.urls = m->nurls;
    return st;
}

static enum status put_url(struct merge *m, struct merge_source *s, void *ctx)
{
    int64_t id = sqlite3_column_int64(s->st, 0);
    uint32_t number = merge_number(&s->urls, id);
    const struct merge_url *u = &m->urls[number];
    sqlite3_stmt *to = ctx;

    if (number == 0 || u->source != number_of(m, s) || u->id != id)
        return ST_OK;
    (void)sqlite3_bind_int64(to, 1, number);
    db_bind_str(to, 2, db_str(s->st, 1));
    (void)sqlite3_bind_int64(to, 3, u->depth);
    (void)sqlite3_bind_int64(to, 4, merge_number(&s->pages, sqlite3_column_int64(s->st, 2)));
    (void)sqlite3_bind_int64(to, 5, u->reason);
    return db_run(m->db, to);
}

static enum status put_fates(struct merge *m)
{
    sqlite3_stmt *to = NULL;
    enum status st = db_prepare(m->db, "INSERT INTO fate VALUES(?,?,?,?)", &to);

    for (size_t i = 1; i <= m->nurls && st == ST_OK; i++) {
        const struct merge_url *u = &m->urls[i];

        if (u->last == 0 && !u->has_fate)
            continue;
        (void)sqlite3_bind_int64(to, 1, (int64_t)i);
        (void)sqlite3_bind_int64(to, 2, u->last ? URL_VISITED : u->state);
        (void)sqlite3_bind_int64(to, 3, u->last ? DROP_NONE : u->drop);
        (void)sqlite3_bind_int64(to, 4, u->last);
        st = db_run(m->db, to);
    }
    (void)sqlite3_finalize(to);
    return st;
}

enum status merge_put_urls(struct merge *m)
{
    sqlite3_stmt *to = NULL;
    enum status st = db_prepare(m->db, "INSERT INTO url_row VALUES(?,?,?,?,?)", &to);

    merge_begin(m, "merging the URLs", m->nurls);
    if (st == ST_OK)
        st = merge_rows(m, "url_row", "SELECT id, url, from_page FROM url_row ORDER BY id", false,
                        put_url, to);
    (void)sqlite3_finalize(to);
    return st == ST_OK ? put_fates(m) : st;
}
