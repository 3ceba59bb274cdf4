/* writer.c - turns events into rows and records.
 *
 * One function for each kind of event, chosen by a table (write_page.c,
 * write_rows.c). Here: the transaction around them, and its limits.
 *
 * Workload: some thousand pages a second with 50 links each. Measured in
 * bench/bench_store.c.
 *
 * A full disk: SQLite rolls the whole transaction back when a write fails for
 * lack of space, so free space is checked before (need_room) and the writer waits while there is
 * too little. If a write fails all the same, the store stops with an error, and the directory is in
 * the state of the last checkpoint. SPDX-License-Identifier: MIT */
#include "store/write/writer_int.h"

#include "base/limits.h"
#include "base/units.h"
#include "store/db_guard.h"
#include "store/schema.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define ROOM_SPARE MIB(4) /* free bytes the disk must have besides our own */
#define ROOM_STEP  MIB(1) /* bytes of events between two checks of free space */
#define WAL_PAGES  8000   /* frames in the WAL after which it is copied back */

static apply_fn *const appliers[] = {
    [EVENT_URL] = on_url,         [EVENT_PAGE] = on_page,
    [EVENT_OUTCOME] = on_outcome, [EVENT_RESOURCE] = on_resource,
    [EVENT_DROP] = on_drop,       [EVENT_HOST] = on_host,
    [EVENT_BORN] = on_born,       [EVENT_DIED] = on_died,
    [EVENT_VISIT] = on_visit,     [EVENT_MESSAGE] = on_message,
    [EVENT_SAMPLE] = on_sample,   [EVENT_NEWS] = on_news,
    [EVENT_KEY] = on_key,         [EVENT_CHECKPOINT] = on_checkpoint,
    [EVENT_TOLD] = on_told,       [EVENT_LINKS] = on_links,
    [EVENT_JUDGED] = on_judged,   [EVENT_BATCH] = on_batch,
    [EVENT_TRAVEL] = on_travel,
};

/* ---- the transaction ----------------------------------------------------- */

static int on_wal(void *ctx, sqlite3 *db, const char *name, int pages)
{
    struct writer *w = ctx;

    (void)db, (void)name;
    w->wal_pages = pages;
    return SQLITE_OK;
}

/* Bytes an event brings with it, roughly. */
static uint64_t weight_of(const struct event *e)
{
    const struct arrival *a = e->kind == EVENT_PAGE       ? e->page.arrival
                              : e->kind == EVENT_LINKS    ? e->links.arrival
                              : e->kind == EVENT_OUTCOME  ? e->outcome.arrival
                              : e->kind == EVENT_RESOURCE ? e->resource.arrival
                                                          : NULL;

    if (e->kind == EVENT_CHECKPOINT)
        return e->checkpoint.frontier.len + e->checkpoint.model.len + e->checkpoint.engine.len +
               e->checkpoint.vocab.len + e->checkpoint.parts.len;
    if (e->kind == EVENT_JUDGED)
        return 256 + 8 * e->judged.rows.len;
    if (e->kind == EVENT_BATCH)
        return 256 + e->batch.bytes.len;
    if (a == NULL)
        return 256;
    return 512 + a->reply.body.len + a->reply.head.len +
           (a->page ? a->page->text.len + (uint64_t)a->page->nlinks * 200 : 0);
}

static enum status need_room(struct writer *w, uint64_t weight)
{
    char free[UNITS_TEXT], needed[UNITS_TEXT];
    struct statvfs disk;

    w->weight += weight;
    if (w->weight - w->asked < ROOM_STEP && w->open)
        return ST_OK;
    w->asked = w->weight;
    while (statvfs(w->dir, &disk) == 0 &&
           (uint64_t)disk.f_bavail * disk.f_frsize < 2 * w->weight + ROOM_SPARE) {
        (void)status_fail(ST_IO, "the disk is full: %s are free, and the next commit may need %s",
                          units_show_size((uint64_t)disk.f_bavail * disk.f_frsize, free),
                          units_show_size(2 * w->weight + ROOM_SPARE, needed));
        if (!w->wait(w->ctx, status_text()))
            return ST_IO;
    }
    return ST_OK;
}

/* An open file can still be written after its name was removed, and the data would be lost. Checked
 * once a transaction. */
static enum status still_there(struct writer *w)
{
    struct stat now;

    if (stat(sqlite3_db_filename(w->db, NULL), &now) == 0 && now.st_dev == w->device &&
        now.st_ino == w->inode && (w->archive == NULL || warc_is_there(archive_writer(w->archive))))
        return ST_OK;
    return status_fail(ST_MISSING,
                       "%s has vanished, or files of it: what was fetched since the last commit "
                       "cannot be kept",
                       w->dir);
}

static enum status begin(struct writer *w, uint64_t weight)
{
    enum status st = w->open ? ST_OK : still_there(w);

    if (w->open && sqlite3_get_autocommit(w->db)) /* each row would be committed by itself */
        return status_fail(ST_IO, "crawl.db: the transaction was rolled back");
    if (st == ST_OK)
        st = need_room(w, weight);
    if (st != ST_OK || w->open)
        return st;
    db_guard_widen(w->db);
    while ((st = db_exec(w->db, "BEGIN IMMEDIATE")) == ST_BUSY)
        if (!w->wait(w->ctx, status_text()))
            break;
    w->open = st == ST_OK;
    return st;
}

enum status writer_apply(struct writer *w, const struct event *e)
{
    enum status st;

    if ((size_t)e->kind >= ARRAY_LEN(appliers) || appliers[e->kind] == NULL)
        return ST_OK; /* an event of no interest to the store */
    st = begin(w, weight_of(e));
    return st == ST_OK ? appliers[e->kind](w, e) : st;
}

/* A mark replaces the previous one; an empty mark removes it. */
static enum status unmark(struct writer *w, struct str url, struct str label)
{
    struct bind b = bind_to(w, STMT_UNMARK);

    if (label.len && !str_eq(label, STR("relevant")) && !str_eq(label, STR("irrelevant")))
        return ST_OK;
    db_bind_str(b.st, b.at++, url);
    return run(w, &b);
}

enum status writer_label(struct writer *w, struct str url, struct str label)
{
    struct bind b = bind_to(w, STMT_LABEL);
    enum status st = begin(w, 256);

    if (st == ST_OK)
        st = unmark(w, url, label);
    if (st != ST_OK || label.len == 0)
        return st;
    db_bind_str(b.st, b.at++, url);
    db_bind_str(b.st, b.at++, label);
    return run(w, &b);
}

static enum status put_figures(struct writer *w)
{
    enum status st = ST_OK;

    for (enum drop d = DROP_NONE; d < DROP_COUNT && st == ST_OK; d++) {
        struct bind b = bind_to(w, STMT_DROP_COUNT);

        if (!w->drops_dirty[d])
            continue;
        put_text(&b, str_of(drop_name(d)));
        put_int(&b, (int64_t)w->drops[d]);
        st = run(w, &b);
        w->drops_dirty[d] = false;
    }
    for (size_t i = 0; i < w->nchanged && st == ST_OK; i++) {
        struct bind b = bind_to(w, STMT_AGENT);
        struct agent_figures *agent = &w->agents[w->changed[i]];

        put_int(&b, w->changed[i]);
        put_num(&b, agent->energy);
        put_int(&b, agent->pages);
        st = run(w, &b);
        agent->dirty = false;
    }
    if (st == ST_OK)
        w->nchanged = 0;
    return st;
}

void writer_copy_back(struct writer *w)
{
    /* If it fails it is done later: a longer WAL loses nothing. */
    (void)sqlite3_wal_checkpoint_v2(w->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    w->wal_pages = 0;
}

/* The archive is synced before anything that names its records is written: the
 * kernel may write any part of the WAL before we ask for it, and a power cut must
 * not leave a row without its record. */
static enum status keep_archive(struct writer *w)
{
    TRY(archive_sync(w->archive));
    return row_warc(w);
}

enum status writer_end(struct writer *w)
{
    enum status st = writer_commit(w);

    return st == ST_OK && w->archive ? archive_end(w->archive) : st;
}

enum status writer_commit(struct writer *w)
{
    enum status st;

    if (!w->open)
        return ST_OK;
    st = put_figures(w);
    if (st == ST_OK && w->archive)
        st = keep_archive(w);
    if (st == ST_OK)
        st = db_exec(w->db, "COMMIT");
    if (st != ST_OK)
        return st;
    w->open = false;
    w->weight = w->asked = 0;
    w->pages = w->checkpoint_pages;
    if (w->wal_pages >= WAL_PAGES)
        writer_copy_back(w);
    return ST_OK;
}

uint64_t writer_cut(const struct writer *w)
{
    return w->archive ? warc_cut(archive_writer(w->archive)) : 0;
}

uint64_t writer_committed(const struct writer *w)
{
    return w->pages;
}

sqlite3 *writer_db(struct writer *w)
{
    return w->db;
}

/* ---- opening and closing ------------------------------------------------- */

static enum status load_agents(struct writer *w)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(w->db, "SELECT id, energy, generation, pages FROM agent", &st);

    while (status == ST_OK && db_row(w->db, st, &status)) {
        status = db_guard_id(w->db, sqlite3_column_int64(st, 0));
        if (status != ST_OK)
            break;
        *row_agent(w, (uint32_t)sqlite3_column_int64(st, 0)) = (struct agent_figures){
            sqlite3_column_double(st, 1), (uint32_t)sqlite3_column_int64(st, 2),
            (uint32_t)sqlite3_column_int64(st, 3), false};
    }
    (void)sqlite3_finalize(st);
    return status;
}

static enum status load_drops(struct writer *w)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(w->db, "SELECT reason, n FROM drop_count", &st);

    while (status == ST_OK && db_row(w->db, st, &status)) {
        enum drop d = drop_of_name(db_str(st, 0));

        if (d < DROP_COUNT)
            w->drops[d] = (uint64_t)sqlite3_column_int64(st, 1);
    }
    (void)sqlite3_finalize(st);
    return status;
}

static const struct {
    const char *sql;
    size_t at; /* of a uint32_t or uint64_t in struct writer */
    bool wide;
} figures[] = {
    {"SELECT max(id) FROM outcome_row", offsetof(struct writer, outcomes), false},
    {"SELECT max(id) FROM resource_row", offsetof(struct writer, resources), false},
    {"SELECT max(id) FROM judged_row", offsetof(struct writer, verdicts), false},
    /* Rows of the ring are replaced in order: the newest is the last written. */
    {"SELECT id FROM drop_row ORDER BY at DESC, id DESC LIMIT 1",
     offsetof(struct writer, next_drop), false},
    {"SELECT CAST(value AS INTEGER) FROM crawl WHERE key = 'pages'", offsetof(struct writer, pages),
     true},
};

static enum status load_figures(struct writer *w)
{
    sqlite3_stmt *st = NULL;
    enum status status = ST_OK;

    for (size_t i = 0; i < ARRAY_LEN(figures) && status == ST_OK; i++) {
        int64_t value = 0;

        status = db_int(w->db, figures[i].sql, &value);
        if (figures[i].wide)
            *(uint64_t *)((char *)w + figures[i].at) = (uint64_t)value;
        else
            *(uint32_t *)((char *)w + figures[i].at) = (uint32_t)value;
    }
    w->next_drop %= SCHEMA_DROPPED;
    w->checkpoint_pages = w->pages;
    if (status == ST_OK)
        status = db_prepare(w->db, "SELECT value FROM crawl WHERE key = 'archive_id'", &st);
    if (status == ST_OK && db_row(w->db, st, &status))
        (void)str_to_u64(db_str(st, 0), &w->seed);
    (void)sqlite3_finalize(st);
    return status;
}

/* Goes on with the last WARC file, cut to what was committed. */
static enum status open_archive(struct writer *w)
{
    sqlite3_stmt *st = NULL;
    enum status status = archive_new(w->dir, &w->options, w->seed, w->wait, w->ctx, &w->archive);

    if (status == ST_OK)
        status =
            db_prepare(w->db, "SELECT id, name, length FROM warc ORDER BY id DESC LIMIT 1", &st);
    if (status == ST_OK && db_row(w->db, st, &status)) {
        char *name = str_dup(db_str(st, 1));

        status =
            warc_writer_resume(archive_writer(w->archive), (uint32_t)sqlite3_column_int64(st, 0),
                               name, (uint64_t)sqlite3_column_int64(st, 2));
        free(name);
    }
    (void)sqlite3_finalize(st);
    return status;
}

/* The order of parameters is the order of the columns. */
static const char *const sql[STMT_COUNT] = {
    /* The first spelling of a URL is kept. */
    [STMT_URL] = "INSERT OR IGNORE INTO url_row(id, url, depth, from_page, reason)"
                 " VALUES(?,?,?,?,?)",
    [STMT_FATE] = "INSERT OR REPLACE INTO fate(url, state, reason, page) VALUES(?,?,?,?)",
    /* A stored page remains the page of its URL, even if it can no longer be fetched. */
    [STMT_FATE_LATER] =
        "INSERT INTO fate(url, state, reason, page) VALUES(?,?,?,?) ON CONFLICT(url)"
        " DO UPDATE SET state = excluded.state, reason = excluded.reason"
        " WHERE fate.page = 0",
    [STMT_PAGE] = "INSERT INTO page_row VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,NULL,?,?,?,?,?,?,?,"
                  "?,?,?,?,?,?,?)",
    [STMT_BODY] = "INSERT INTO body(id, text) VALUES(?,?)",
    [STMT_MAIN] = "INSERT INTO main_row(page, places) VALUES(?,?)",
    [STMT_USE] = "INSERT INTO use_row(page, said) VALUES(?,?)",
    [STMT_DECLARED] = "INSERT INTO declared_row(page, lang) VALUES(?,?)",
    [STMT_REQUISITE] = "INSERT OR IGNORE INTO requisite_row(url) VALUES(?)",
    [STMT_HOST_USE] = "INSERT OR REPLACE INTO host_use(host, said) VALUES(?,?)",
    [STMT_LINKS] = "INSERT INTO links_row(page, links) VALUES(?,?)",
    [STMT_OUTCOME] = "INSERT INTO outcome_row VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [STMT_RESOURCE] = "INSERT INTO resource_row VALUES(?,?,?,?,?,?,?,?,?)",
    [STMT_HOST] = "INSERT OR REPLACE INTO host(id, name, state) VALUES(?,?,?)",
    [STMT_DROP] = "INSERT OR REPLACE INTO drop_row(id, url, url_id, reason, at) VALUES(?,?,?,?,?)",
    [STMT_DROP_COUNT] = "INSERT OR REPLACE INTO drop_count(reason, n) VALUES(?,?)",
    [STMT_BORN] = "INSERT OR REPLACE INTO agent(id, name, kind, parent_id, generation, born_at,"
                  " born_page, energy, pages) VALUES(?,?,?,?,?,?,?,?,0)",
    /* An agent that comes back has its row already. */
    [STMT_CAME] = "INSERT OR IGNORE INTO agent(id, name, kind, parent_id, generation, born_at,"
                  " energy, pages) VALUES(?,?,?,?,?,?,?,0)",
    [STMT_TRAVEL] = "INSERT INTO travel(agent_id, at, trip, came, energy) VALUES(?,?,?,?,?)",
    [STMT_DIED] = "UPDATE agent SET died_at = ?2, death = ?3 WHERE id = ?1",
    [STMT_AGENT] = "UPDATE agent SET energy = ?2, pages = ?3 WHERE id = ?1",
    [STMT_VISIT] = "INSERT INTO visit(agent_id, page_id, at, first, energy_before, delta,"
                   " energy_after) VALUES(?,?,?,?,?,?,?)",
    [STMT_ENERGY] = "UPDATE page_row SET energy = ?2 WHERE id = ?1",
    [STMT_MESSAGE] = "INSERT INTO message(at, conversation, performative, sender, receiver,"
                     " reply_by, content) VALUES(?,?,?,?,?,?,?)",
    [STMT_SAMPLE] = "INSERT INTO sample(at, metric, value) VALUES(?,?,?)",
    [STMT_NEWS] = "INSERT INTO news_row(id, page, at) VALUES(?,?,?)",
    [STMT_TOLD] = "INSERT OR REPLACE INTO nature(agent_id, at, told) VALUES(?,?,?)",
    /* A page may have been forgotten since. */
    [STMT_JUDGED] = "INSERT OR REPLACE INTO judged_row(id, page, p) SELECT ?1, id, ?3 FROM page_row"
                    " WHERE id = ?2",
    [STMT_TOPIC] = "INSERT OR REPLACE INTO page_topic(page_id, topic, relevance) VALUES(?,?,?)",
    [STMT_TOPIC_JUDGED] = "UPDATE page_topic SET p = ?3 WHERE page_id = ?1 AND topic = ?2",
    [STMT_BATCH] = "INSERT OR REPLACE INTO outbox(part, number, at, bytes) VALUES(?,?,?,?)",
    [STMT_UNBATCH] = "DELETE FROM outbox WHERE part = ? AND number <= ?",
    [STMT_KEY] = "INSERT OR REPLACE INTO crawl(key, value) VALUES(?,?)",
    [STMT_PART] = "INSERT OR REPLACE INTO state_part(id, value) VALUES(?,?)",
    [STMT_NO_PART] = "DELETE FROM state_part WHERE id = ?",
    [STMT_UNTRIED] = "SELECT 1 FROM url WHERE id = ? AND state < 2 AND \"drop\" = 0 AND page = 0",
    [STMT_NEWEST] = "SELECT p.id, NOT p.hidden AND p.dup_of IS NULL FROM fate f JOIN page_row p"
                    " ON p.id = f.page WHERE f.url = ?",
    [STMT_STATE] = "INSERT OR REPLACE INTO state(id, name, value) VALUES(?,?,?)",
    [STMT_LABEL] = "INSERT OR IGNORE INTO label(url, label) VALUES(?,?)",
    [STMT_UNMARK] = "DELETE FROM label WHERE url = ? AND label IN ('relevant', 'irrelevant')",
    [STMT_WARC] = "INSERT OR REPLACE INTO warc(id, name, length) VALUES(?,?,?)",
    [STMT_VIA] = "SELECT v.url FROM url_row u JOIN page_row p ON p.id = u.from_page"
                 " JOIN url_row v ON v.id = p.url WHERE u.id = ?",
    [STMT_ORIGINAL] = "SELECT u.url, p.fetched_at, p.id, p.digest, p.hash FROM page_row p"
                      " JOIN url_row u ON u.id = p.url WHERE p.id = ? AND p.warc IS NOT NULL",
    [STMT_LATEST] = "SELECT page FROM fate WHERE url = ?",
};

static enum status prepare_all(struct writer *w)
{
    enum status st = ST_OK;

    for (int i = 0; i < STMT_COUNT && st == ST_OK; i++)
        st = db_prepare(w->db, sql[i], &w->stmt[i]);
    return st;
}

enum status writer_new(const char *dir, sqlite3 *db, const struct store_config *config,
                       writer_wait_fn *wait, void *ctx, struct writer **ret)
{
    struct writer *w = MEM_NEW(struct writer);
    struct stat file = {0};
    enum status st = ST_OK;

    w->dir = str_dup(str_of(dir));
    w->db = db;
    w->wait = wait;
    w->ctx = ctx;
    w->options =
        (struct warc_options){.level = config->warc_level ? config->warc_level : 1,
                              .size = config->warc_size ? config->warc_size : UINT64_C(1000000000),
                              .software = config->software ? config->software : "brood",
                              .operator_ = config->operator_,
                              .robots = config->robots};
    (void)stat(sqlite3_db_filename(db, NULL), &file);
    w->device = file.st_dev;
    w->inode = file.st_ino;
    buf_init(&w->metadata, KIB(64));
    buf_init(&w->places, MIB(1));
    buf_init(&w->links, LIMIT_DB_VALUE);
    (void)sqlite3_wal_hook(db, on_wal, w);
    st = prepare_all(w);
    if (st == ST_OK)
        st = load_figures(w);
    if (st == ST_OK)
        st = tally_load(w);
    if (st == ST_OK)
        st = load_agents(w);
    if (st == ST_OK)
        st = load_drops(w);
    if (st == ST_OK && config->warc)
        st = open_archive(w);
    if (st == ST_OK)
        *ret = w;
    else
        writer_free(w);
    return st;
}

void writer_free(struct writer *w)
{
    if (w == NULL)
        return;
    for (int i = 0; i < STMT_COUNT; i++)
        (void)sqlite3_finalize(w->stmt[i]);
    (void)sqlite3_close(w->db);
    archive_close(w->archive);
    buf_free(&w->metadata);
    buf_free(&w->places);
    buf_free(&w->links);
    map_free(&w->hosts);
    free(w->agents);
    free(w->changed);
    free(w->dir);
    free(w);
}
