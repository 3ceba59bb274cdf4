/* merge_tables.c - the tables whose rows are copied with new numbers, as data.
 * SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "base/mem.h"
#include "flow.h"
#include "store/schema.h"
#include "store/write/merge_int.h"

#include <stdio.h>

/* `select` gives the order first (merge_rows()), then the columns of `insert`. `how` has a letter
 * for each of these:
 *   .  as it is         P  a page; without it there is no row    p  a page, or 0 or NULL
 *   u  a URL; without it there is no row       v  a URL, or NULL
 *   a  an agent; without it there is no row    w  a file, or NULL
 *   m  the name of an agent                    c  the number of a conversation */
static const struct table_copy {
    const char *table, *what;
    bool by_page;
    const char *select, *insert, *how;
} copies[] = {
    {"body", "merging the texts", true, "SELECT id, id, text FROM body ORDER BY id",
     "INSERT INTO body VALUES(?,?)", "P."},
    {"main_row", "merging the texts", true, "SELECT page, page, places FROM main_row ORDER BY page",
     "INSERT INTO main_row VALUES(?,?)", "P."},
    {"use_row", "merging the texts", true, "SELECT page, page, said FROM use_row ORDER BY page",
     "INSERT INTO use_row VALUES(?,?)", "P."},
    {"judged_row", "merging the verdicts", false, "SELECT id, page, p FROM judged_row ORDER BY id",
     "INSERT OR IGNORE INTO judged_row(page, p) VALUES(?,?)", "P."},
    {"page_topic", "merging the verdicts", true,
     "SELECT page_id, page_id, topic, relevance, p FROM page_topic ORDER BY page_id",
     "INSERT OR IGNORE INTO page_topic VALUES(?,?,?,?)", "P..."},
    {"host_use", "merging the rest", false, "SELECT 0, host, said FROM host_use",
     "INSERT OR IGNORE INTO host_use VALUES(?,?)", ".."},
    {"outcome_row", "merging the visits", false,
     "SELECT at, url, at, status, error, reason, is_final, redirect_to, attempt, mime, warc,"
     " warc_offset, warc_length, digest FROM outcome_row ORDER BY id",
     "INSERT INTO outcome_row(url, at, status, error, reason, is_final, redirect_to, attempt,"
     " mime, warc, warc_offset, warc_length, digest) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
     "u.....v..w..."},
    {"resource_row", "merging the visits", false,
     "SELECT at, url, at, status, mime, warc, warc_offset, warc_length, digest FROM resource_row"
     " ORDER BY id",
     "INSERT INTO resource_row(url, at, status, mime, warc, warc_offset, warc_length, digest)"
     " VALUES(?,?,?,?,?,?,?,?)",
     "....w..."},
    {"requisite_row", "merging the visits", false, "SELECT 0, url FROM requisite_row",
     "INSERT OR IGNORE INTO requisite_row VALUES(?)", "u"},
    {"visit", "merging the visits", false,
     "SELECT at, agent_id, page_id, at, first, energy_before, delta, energy_after FROM visit"
     " ORDER BY id",
     "INSERT INTO visit(agent_id, page_id, at, first, energy_before, delta, energy_after)"
     " VALUES(?,?,?,?,?,?,?)",
     "ap....."},
    {"travel", "merging the agents", false,
     "SELECT at, agent_id, at, trip, came, energy FROM travel ORDER BY id",
     "INSERT INTO travel(agent_id, at, trip, came, energy) VALUES(?,?,?,?,?)", "a...."},
    {"declared_row", "merging the texts", true,
     "SELECT page, page, lang FROM declared_row ORDER BY page",
     "INSERT INTO declared_row VALUES(?,?)", "P."},
    {"nature", "merging the agents", false, "SELECT at, agent_id, at, told FROM nature ORDER BY at",
     "INSERT OR REPLACE INTO nature VALUES(?,?,?)", "a.."},
    {"message", "merging the messages", false,
     "SELECT at, at, conversation, performative, sender, receiver, reply_by, content FROM message"
     " ORDER BY id",
     "INSERT INTO message(at, conversation, performative, sender, receiver, reply_by, content)"
     " VALUES(?,?,?,?,?,?,?)",
     ".c.mm.."},
    {"label", "merging the rest", false, "SELECT 0, url, label FROM label",
     "INSERT OR IGNORE INTO label SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM label WHERE url ="
     " ?1 AND label IN ('relevant', 'irrelevant') AND ?2 IN ('relevant', 'irrelevant'))",
     ".."},
    {"news_row", "merging the rest", false, "SELECT at, page, at FROM news_row ORDER BY id",
     "INSERT INTO news_row(page, at) VALUES(?,?)", "P."},
    {"forgotten", "merging the rest", false,
     "SELECT at, at, what, pages FROM forgotten ORDER BY id",
     "INSERT INTO forgotten(at, what, pages) VALUES(?,?,?)", "..."},
    {"drop_row", "merging the rest", false,
     "SELECT at, url, url_id, reason, at FROM drop_row ORDER BY at",
     "INSERT INTO drop_row(url, url_id, reason, at) VALUES(?,?,?,?)", ".v.."},
    {"host", "merging the hosts", false, "SELECT 0, name FROM host ORDER BY id",
     "INSERT INTO host(name, state) SELECT ?1, x'' WHERE NOT EXISTS (SELECT 1 FROM host WHERE"
     " name = ?1)",
     "."},
};

/* Returns the page's new number if its row is copied, else 0. Rows of pages that were left out are
 * not copied. */
static uint32_t kept_page(const struct merge_source *s, int64_t old)
{
    return old > 0 && (uint64_t)old < s->pages.count && !(s->pages.to[old] & MERGE_TWICE)
               ? s->pages.to[old]
               : 0;
}

static void bind_number(sqlite3_stmt *to, int at, uint32_t number)
{
    (void)(number ? sqlite3_bind_int64(to, at, number) : sqlite3_bind_null(to, at));
}

static void bind_name(const struct merge *m, const struct merge_source *s, sqlite3_stmt *to, int at)
{
    struct str name = db_str(s->st, at);
    uint32_t number = map_get(&s->names, hash_str(name));

    db_bind_str(to, at, number == MAP_NONE ? name : str_of(m->agents[number]));
}

/* 0 means no conversation. */
static void bind_conversation(const struct merge_source *s, sqlite3_stmt *to, int at)
{
    int64_t n = sqlite3_column_int64(s->st, at);
    char text[24];

    (void)snprintf(text, sizeof text, "%lld", (long long)(n > 0 ? n + s->conversations : n));
    (void)sqlite3_bind_text(to, at, text, -1, SQLITE_TRANSIENT);
}

/* Binds a column; returns false if it is missing and the row cannot be without it. */
static bool bind_column(const struct merge *m, const struct merge_source *s, sqlite3_stmt *to,
                        char how, int at)
{
    int64_t old = sqlite3_column_int64(s->st, at);
    uint32_t number = how == 'P'                 ? kept_page(s, old)
                      : how == 'p'               ? merge_number(&s->pages, old)
                      : how == 'u' || how == 'v' ? merge_number(&s->urls, old)
                      : how == 'a'               ? merge_number(&s->agents, old)
                      : how == 'w'               ? merge_number(&s->files, old)
                                                 : 0;

    if (how == 'm')
        bind_name(m, s, to, at);
    else if (how == 'c')
        bind_conversation(s, to, at);
    else if (how == '.')
        (void)sqlite3_bind_value(to, at, sqlite3_column_value(s->st, at));
    else
        bind_number(to, at, number);
    return number != 0 || !(how == 'P' || how == 'u' || how == 'a');
}

struct copying {
    const struct table_copy *copy;
    sqlite3_stmt *to;
};

static enum status copy_row(struct merge *m, struct merge_source *s, void *ctx)
{
    struct copying *c = ctx;
    bool whole = true;

    for (int i = 0; c->copy->how[i]; i++)
        whole &= bind_column(m, s, c->to, c->copy->how[i], i + 1);
    return whole ? db_run(m->db, c->to) : ST_OK;
}

/* Conversations of later sources follow those of earlier ones. */
static enum status number_conversations(struct merge *m)
{
    enum status st = ST_OK;
    int64_t before = 0, most = 0;

    for (size_t i = 0; i < m->nsources && st == ST_OK; i++) {
        m->sources[i].conversations = before;
        st = db_int(m->sources[i].db,
                    "SELECT max(CAST(conversation AS INTEGER)) FROM message"
                    " WHERE CAST(conversation AS INTEGER) < 1000000000",
                    &most);
        before += most > 0 ? most : 0;
    }
    return st;
}

/* ---- drops --------------------------------------------------------------------- */

/* A drop with a number is counted by its URL. The number of the others is the rest of a source's
 * count. */
static enum status count_unnumbered(struct merge_source *s, uint64_t counts[DROP_COUNT])
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(
        s->db,
        "SELECT r.id, c.n - (SELECT count(*) FROM url WHERE \"drop\" = r.id) FROM drop_count c"
        " JOIN reason r ON r.name = c.reason",
        &st);

    while (status == ST_OK && db_row(s->db, st, &status)) {
        int64_t reason = sqlite3_column_int64(st, 0), more = sqlite3_column_int64(st, 1);

        if (reason > 0 && reason < DROP_COUNT && more > 0 && more < INT32_MAX)
            counts[reason] += (uint64_t)more;
    }
    (void)sqlite3_finalize(st);
    return status;
}

static enum status put_drop_counts(struct merge *m)
{
    uint64_t counts[DROP_COUNT] = {0};
    enum status st = ST_OK;

    for (size_t i = 0; i < m->nsources && st == ST_OK; i++)
        st = count_unnumbered(&m->sources[i], counts);
    for (size_t i = 1; i <= m->nurls; i++) {
        const struct merge_url *u = &m->urls[i];

        if (u->last == 0)
            counts[u->has_fate ? u->drop : u->reason]++;
    }
    for (enum drop d = DROP_NONE + 1; d < DROP_COUNT && st == ST_OK; d++)
        if (counts[d] > 0)
            st = db_execf(m->db, "INSERT INTO drop_count VALUES('%s', %llu)", drop_name(d),
                          (unsigned long long)counts[d]);
    return st;
}

/* A URL that one node left to another is not a drop if that one took it; and the ring keeps its
 * size. */
static enum status tidy_drops(struct merge *m)
{
    return db_execf(m->db,
                    "DELETE FROM drop_row WHERE reason = %d AND url_id IN (SELECT url FROM fate"
                    " WHERE page > 0);"
                    "DELETE FROM drop_row WHERE id <= (SELECT max(id) FROM drop_row) - %d",
                    DROP_FOREIGN, SCHEMA_DROPPED);
}

enum status merge_tables(struct merge *m)
{
    enum status st = number_conversations(m);

    if (st == ST_OK) /* only needed while it is filled */
        st = db_exec(m->db, "CREATE INDEX host_by_name ON host(name)");
    for (size_t i = 0; i < ARRAY_LEN(copies) && st == ST_OK; i++) {
        struct copying c = {.copy = &copies[i]};

        merge_begin(m, copies[i].what, copies[i].by_page ? m->npages : 0);
        st = db_prepare(m->db, copies[i].insert, &c.to);
        if (st == ST_OK)
            st = merge_rows(m, copies[i].table, copies[i].select, copies[i].by_page, copy_row, &c);
        (void)sqlite3_finalize(c.to);
    }
    if (st == ST_OK)
        st = db_exec(m->db, "DROP INDEX host_by_name");
    if (st == ST_OK)
        st = tidy_drops(m);
    return st == ST_OK ? put_drop_counts(m) : st;
}
