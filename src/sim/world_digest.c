/* world_digest.c - a few hashes of the contents of a world.
 *
 * In: a world's directory. Out: a line with a hash for each kind of content.
 *
 * Workload: reads the database alone, row by row; 10^6 pages take some seconds.
 * SPDX-License-Identifier: MIT */
#include "sim/world_digest.h"

#include "base/hash.h"
#include "base/mem.h"
#include "store/db.h"

#define MOVES   " EXISTS(SELECT 1 FROM crawl WHERE key = 'world_time')"

#define QUERIES 3

static const struct {
    const char *name;
    const char *sql[QUERIES]; /* in order; the rest is NULL */
} digest_parts[] = {
    {"pages",
     {"SELECT u.url, p.status, p.latency, p.bytes, p.digest, p.dup_of FROM page_row p"
      " LEFT JOIN url_row u ON u.id = p.url ORDER BY p.id"}},
    {"answers",
     {"SELECT url, status, digest FROM resource_row WHERE warc IS NOT NULL ORDER BY id",
      "SELECT u.url, o.status, o.digest, t.url FROM outcome_row o"
      " LEFT JOIN url_row u ON u.id = o.url LEFT JOIN url_row t ON t.id = o.redirect_to"
      " WHERE o.warc IS NOT NULL ORDER BY o.id"}},
    {"labels",
     {"SELECT url, label FROM label ORDER BY url, label",
      "SELECT key, value FROM crawl WHERE key IN ('topics', 'drop_dead_links') ORDER BY key"}},
    {"times",
     {"SELECT value FROM crawl WHERE key = 'world_time'",
      "SELECT id, fetched_at FROM page_row WHERE" MOVES " ORDER BY id",
      "SELECT u.url, o.status, o.at FROM outcome_row o LEFT JOIN url_row u ON u.id = o.url"
      " WHERE o.status IN (404, 410) AND" MOVES " ORDER BY o.id"}},
};

/* Lengths keep columns apart. */
static uint64_t row_hash(sqlite3_stmt *st, uint64_t before)
{
    for (int i = 0; i < sqlite3_column_count(st); i++) {
        struct str s = db_str(st, i);

        before = hash_u64(before + hash_str(s) + s.len);
    }
    return hash_u64(before + 1);
}

static enum status hash_rows(sqlite3 *db, const char *sql, uint64_t *hash)
{
    LOCAL_STMT *st = NULL;
    enum status status = db_prepare(db, sql, &st);

    while (status == ST_OK && db_row(db, st, &status))
        *hash = row_hash(st, *hash);
    return status;
}

static enum status hash_parts(sqlite3 *db, struct buf *out)
{
    enum status st = ST_OK;

    for (size_t i = 0; st == ST_OK && i < ARRAY_LEN(digest_parts); i++) {
        uint64_t hash = 0;

        for (size_t k = 0; st == ST_OK && k < QUERIES && digest_parts[i].sql[k]; k++)
            st = hash_rows(db, digest_parts[i].sql[k], &hash);
        buf_addf(out, "%s%s %016llx", i ? ", " : "", digest_parts[i].name,
                 (unsigned long long)hash);
    }
    return st;
}

enum status world_digest_take(const char *dir, struct world_digest *ret)
{
    LOCAL_DB *db = NULL;
    int64_t moves = 0;

    *ret = (struct world_digest){.text = BUF_INIT(1000)};
    TRY(db_open_reader(dir, &db));
    TRY(hash_parts(db, &ret->text));
    TRY(db_int(db, "SELECT" MOVES, &moves));
    ret->moves = moves != 0;
    return ST_OK;
}
