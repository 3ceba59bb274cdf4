/* merge_keys.c - options, topic and figures of a merged crawl.
 *
 * Options and topic are those of the first directory. Figures add up. Keys about one process (its
 * memory, its confinement), the user's consent or the bus are left out.
 * SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "store/write/merge_int.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const left_out[] = {
    "schema",       "pages",        "archive_id",   "signature",     "memory",
    "confined",     "end",          "merged",       "option.nats",   "option.name",
    "option.creds", "option.nodes", "option.lease", "option.copies",
};

static const char *const sums[] = {"total.failed", "total.received", "total.requisites",
                                   "total.requisite_bytes"};

static bool is_in(struct str key, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(key, str_of(list[i])))
            return true;
    return false;
}

static bool is_left_out(struct str key)
{
    return is_in(key, left_out, ARRAY_LEN(left_out)) || str_starts(key, STR("total.")) ||
           str_starts(key, STR("energy.")) || str_starts(key, STR("outlook.")) ||
           str_starts(key, STR("lattice.")) || str_eq(key, STR("model.figures"));
}

static enum status put_key(struct merge *m, struct str key, struct str value)
{
    LOCAL_STMT *to = NULL;

    TRY(db_prepare(m->db, "INSERT OR REPLACE INTO crawl VALUES(?,?)", &to));
    db_bind_str(to, 1, key);
    db_bind_str(to, 2, value);
    return db_run(m->db, to);
}

static enum status put_number(struct merge *m, const char *key, double value)
{
    char text[40];

    (void)snprintf(text, sizeof text, "%.17g", value);
    return put_key(m, str_of(key), str_of(text));
}

static enum status copy_keys(struct merge *m, struct merge_source *s)
{
    sqlite3_stmt *from = NULL;
    enum status st = db_prepare(s->db, "SELECT key, value FROM crawl", &from);

    while (st == ST_OK && db_row(s->db, from, &st))
        if (!is_left_out(db_str(from, 0)))
            st = put_key(m, db_str(from, 0), db_str(from, 1));
    (void)sqlite3_finalize(from);
    return st;
}

/* Copies the lattice of an agent, under its present name. */
static enum status copy_lattices(struct merge *m, struct merge_source *s)
{
    sqlite3_stmt *from = NULL;
    enum status st =
        db_prepare(s->db, "SELECT key, value FROM crawl WHERE key GLOB 'lattice.*'", &from);

    while (st == ST_OK && db_row(s->db, from, &st)) {
        struct str key = db_str(from, 0);
        uint32_t agent = map_get(&s->names, hash_str(str_sub(key, strlen("lattice."), key.len)));
        struct buf name = BUF_INIT(1 << 16);

        if (agent != MAP_NONE) {
            buf_addf(&name, "lattice.%s", m->agents[agent]);
            st = put_key(m, buf_str(&name), db_str(from, 1));
        }
        buf_free(&name);
    }
    (void)sqlite3_finalize(from);
    return st;
}

/* Adds up a figure of all sources; returns false if none has it. */
static bool add_up(struct merge *m, const char *key, double *ret_sum, double *ret_most)
{
    bool any = false;

    *ret_sum = *ret_most = 0;
    for (size_t i = 0; i < m->nsources; i++) {
        sqlite3_stmt *st = NULL;
        enum status status =
            db_prepare(m->sources[i].db, "SELECT value FROM crawl WHERE key = ?", &st);
        double value;

        if (status == ST_OK)
            db_bind_str(st, 1, str_of(key));
        if (status == ST_OK && db_row(m->sources[i].db, st, &status) &&
            str_to_double(db_str(st, 0), &value)) {
            any = true;
            *ret_sum += value;
            *ret_most = value > *ret_most ? value : *ret_most;
        }
        (void)sqlite3_finalize(st);
    }
    return any;
}

/* Adds up all accounts of the books; since they balance in each source, the sums balance too. */
static enum status put_books(struct merge *m)
{
    struct merge_source *s = &m->sources[0];
    sqlite3_stmt *from = NULL;
    enum status st = db_prepare(s->db, "SELECT key FROM crawl WHERE key GLOB 'energy.*'", &from);
    double sum, most;

    while (st == ST_OK && db_row(s->db, from, &st)) {
        char *key = str_dup(db_str(from, 0));

        if (add_up(m, key, &sum, &most))
            st = put_number(m, key, sum);
        free(key);
    }
    (void)sqlite3_finalize(from);
    return st;
}

static enum status put_totals(struct merge *m)
{
    double sum, most;
    int64_t hosts = 0, pages = 0;
    enum status st = put_books(m);

    for (size_t i = 0; i < ARRAY_LEN(sums) && st == ST_OK; i++)
        if (add_up(m, sums[i], &sum, &most))
            st = put_number(m, sums[i], sum);
    if (st == ST_OK && add_up(m, "total.seconds", &sum, &most)) /* they ran in parallel */
        st = put_number(m, "total.seconds", most);
    if (st == ST_OK)
        st = db_int(m->db, "SELECT count(*) FROM host", &hosts);
    if (st == ST_OK && add_up(m, "total.hosts_met", &sum, &most))
        st = put_number(m, "total.hosts_met", (double)hosts);
    if (st == ST_OK)
        st = db_int(m->db,
                    "SELECT (SELECT count(*) FROM page_row) + (SELECT coalesce(sum(pages), 0) FROM"
                    " forgotten)",
                    &pages);
    return st == ST_OK ? put_number(m, "pages", (double)pages) : st;
}

/* Appends a text of a source; nothing if there is none. */
static enum status read_key(struct merge_source *s, const char *key, struct buf *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(s->db, "SELECT value FROM crawl WHERE key = ?", &st);

    if (status == ST_OK)
        db_bind_str(st, 1, str_of(key));
    if (status == ST_OK && db_row(s->db, st, &status))
        buf_add_str(ret, db_str(st, 0));
    (void)sqlite3_finalize(st);
    return status;
}

/* Do all sources have the same value? `first` is that of the first one. */
static enum status compare(struct merge *m, const char *key, struct buf *first, bool *ret_same)
{
    enum status st = read_key(&m->sources[0], key, first);

    *ret_same = true;
    for (size_t i = 1; i < m->nsources && st == ST_OK; i++) {
        struct buf other = BUF_INIT(1 << 24);

        st = read_key(&m->sources[i], key, &other);
        *ret_same &= str_eq(buf_str(first), buf_str(&other));
        buf_free(&other);
    }
    return st;
}

static enum status put_ends(struct merge *m)
{
    struct buf topic = BUF_INIT(1 << 24), end = BUF_INIT(1 << 24);
    bool same = true;
    enum status st = compare(m, "topic", &topic, &same);

    m->result.topics_differ = !same;
    if (st == ST_OK)
        st = compare(m, "end", &end, &same);
    if (st == ST_OK && !(same && end.len > 0)) {
        buf_clear(&end);
        buf_addf(&end, "merged from %zu directories", m->nsources);
    }
    if (st == ST_OK)
        st = put_key(m, STR("end"), buf_str(&end));
    buf_free(&topic);
    buf_free(&end);
    return st;
}

/* Stores a number that other crawls do not have, to which the index refers. */
static enum status put_id(struct merge *m)
{
    uint64_t id = hash_u64(m->npages + m->nsources);
    char text[24];

    for (size_t i = 0; i < m->nsources; i++) {
        struct buf own = BUF_INIT(1 << 16);

        if (read_key(&m->sources[i], "archive_id", &own) == ST_OK)
            id = hash_u64(id ^ hash_str(buf_str(&own)));
        buf_free(&own);
    }
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)(id | 1));
    return put_key(m, STR("archive_id"), str_of(text));
}

enum status merge_keys(struct merge *m)
{
    enum status st = copy_keys(m, &m->sources[0]);

    for (size_t i = 0; i < m->nsources && st == ST_OK; i++)
        st = copy_lattices(m, &m->sources[i]);
    if (st == ST_OK)
        st = put_totals(m);
    if (st == ST_OK)
        st = put_ends(m);
    if (st == ST_OK)
        st = put_id(m);
    return st == ST_OK ? put_number(m, MERGED_KEY, (double)m->nsources) : st;
}
