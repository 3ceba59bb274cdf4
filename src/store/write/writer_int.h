/* writer_int.h - what the files of the writer share. Inside store/ only. */
#pragma once

#include "base/mem.h"
#include "frontier/frontier.h"
#include "store/archive.h"
#include "store/db.h"
#include "store/write/tally.h"
#include "store/write/writer.h"

#include <sys/types.h>

/* The writer's statements, prepared once. */
enum stmt {
    STMT_URL,
    STMT_FATE,
    STMT_FATE_LATER,
    STMT_PAGE,
    STMT_BODY,
    STMT_MAIN,
    STMT_USE,
    STMT_DECLARED,
    STMT_REQUISITE,
    STMT_HOST_USE,
    STMT_LINKS,
    STMT_OUTCOME,
    STMT_RESOURCE,
    STMT_HOST,
    STMT_DROP,
    STMT_DROP_COUNT,
    STMT_BORN,
    STMT_CAME,
    STMT_TRAVEL,
    STMT_DIED,
    STMT_AGENT,
    STMT_VISIT,
    STMT_ENERGY,
    STMT_MESSAGE,
    STMT_SAMPLE,
    STMT_NEWS,
    STMT_TOLD,
    STMT_JUDGED,
    STMT_TOPIC,
    STMT_TOPIC_JUDGED,
    STMT_BATCH,
    STMT_UNBATCH,
    STMT_KEY,
    STMT_STATE,
    STMT_PART,
    STMT_NO_PART,
    STMT_LABEL,
    STMT_UNMARK,
    STMT_WARC,
    STMT_VIA,
    STMT_ORIGINAL,
    STMT_LATEST,
    STMT_UNTRIED,
    STMT_NEWEST,
    STMT_COUNT
};

/* Figures of an agent, which change too often to be written with every event. */
struct agent_figures {
    double energy;
    uint32_t generation;
    uint32_t pages;
    bool dirty; /* its number is in writer.changed */
};

struct writer {
    char *dir;
    sqlite3 *db;
    sqlite3_stmt *stmt[STMT_COUNT];
    struct archive *archive; /* NULL: --no-warc */
    struct warc_options options;
    uint64_t seed;                /* of record ids; 0 before the first record */
    struct agent_figures *agents; /* by number */
    size_t agents_cap;
    uint32_t *changed; /* agents whose figures are to be written */
    size_t nchanged, changed_cap;
    uint64_t drops[DROP_COUNT]; /* counted so far */
    bool drops_dirty[DROP_COUNT];
    uint32_t next_drop;           /* slot of drop_row, from 0 */
    uint32_t outcomes, resources; /* numbers given so far */
    uint32_t verdicts;            /* of judged_row */
    uint64_t pages;               /* at the last committed checkpoint */
    uint64_t checkpoint_pages;    /* at the checkpoint in this transaction */
    bool open;                    /* a transaction is open */
    uint64_t weight;              /* bytes that this transaction has written */
    uint64_t asked;               /* `weight` when free disk space was last checked */
    int wal_pages;                /* frames in the WAL */
    dev_t device;                 /* of crawl.db, and its inode: to notice that it was removed */
    ino_t inode;
    struct tally tally; /* rows, for readers */
    struct map hosts;   /* of pages, by the hash of their names */
    struct buf metadata;
    struct buf places; /* of a main text, packed */
    struct buf links;  /* of the page being written */
    writer_wait_fn *wait;
    void *ctx;
};

/* ---- binding in order ---------------------------------------------------- */

struct bind {
    sqlite3_stmt *st;
    int at;
};

static inline struct bind bind_to(struct writer *w, enum stmt which)
{
    return (struct bind){w->stmt[which], 1};
}

static inline void put_int(struct bind *b, int64_t v)
{
    (void)sqlite3_bind_int64(b->st, b->at++, v);
}

static inline void put_ref(struct bind *b, int64_t v) /* 0 means none: NULL */
{
    (void)(v ? sqlite3_bind_int64(b->st, b->at, v) : sqlite3_bind_null(b->st, b->at));
    b->at++;
}

static inline void put_num(struct bind *b, double v) /* NAN becomes NULL */
{
    (void)sqlite3_bind_double(b->st, b->at++, v);
}

static inline void put_text(struct bind *b, struct str s) /* empty: NULL */
{
    if (s.len)
        db_bind_str(b->st, b->at++, s);
    else
        (void)sqlite3_bind_null(b->st, b->at++);
}

static inline void put_blob(struct bind *b, struct str s)
{
    (void)sqlite3_bind_blob64(b->st, b->at++, s.len ? s.ptr : "", s.len, SQLITE_STATIC);
}

static inline void put_place(struct bind *b, const struct warc_place *place, const char *digest)
{
    put_ref(b, place->file);
    if (place->file) {
        put_int(b, (int64_t)place->offset);
        put_int(b, (int64_t)place->length);
    } else {
        put_ref(b, 0);
        put_ref(b, 0);
    }
    put_text(b, str_of(digest));
}

static inline enum status run(struct writer *w, const struct bind *b)
{
    return db_run(w->db, b->st);
}

/* ---- small writes, used by several (write_rows.c) ---- */

enum status row_key(struct writer *w, struct str key, struct str value) MUST_USE;
enum status row_key_u64(struct writer *w, struct str key, uint64_t value) MUST_USE;
enum status row_url(struct writer *w, uint32_t id, struct str url, uint32_t from_page,
                    uint16_t depth, enum drop why) MUST_USE;
enum status row_fate(struct writer *w, uint32_t url, enum url_state state, enum drop why,
                     uint32_t page) MUST_USE;
/* The visit of a URL failed; a URL that has a page keeps it. */
enum status row_fate_later(struct writer *w, uint32_t url, enum drop why) MUST_USE;
/* row_count_drop() counts a drop; row_drop() writes the row of a drop that has no other row. */
void row_count_drop(struct writer *w, enum drop why);
enum status row_requisite(struct writer *w, uint32_t url) MUST_USE;
enum status row_drop(struct writer *w, struct str url, uint32_t id, enum drop why,
                     int64_t at) MUST_USE;
/* Writes the row of the WARC file being written, with its length so far. */
enum status row_warc(struct writer *w) MUST_USE;
struct agent_figures *row_agent(struct writer *w, uint32_t id);
/* The same figures to be changed; they are written with the next commit. */
struct agent_figures *row_agent_change(struct writer *w, uint32_t id);

/* ---- one function for each kind of event ---- */

typedef enum status apply_fn(struct writer *w, const struct event *e);

apply_fn on_page, on_links, on_outcome, on_resource; /* write_page.c */
apply_fn on_url, on_drop, on_host, on_born, on_died, on_travel, on_visit, on_message, on_sample,
    on_news, on_told, on_judged, on_batch, on_key, on_checkpoint; /* write_rows.c */
