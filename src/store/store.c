/* store.c - the public functions: a queue, and the writer thread behind it.
 *
 *   mind --store_post--> queue of items --thread--> writer (SQLite, WARC)
 *
 * An item is an event with its strings copied behind it and its arrival held.
 * The queue is bounded by items and by the bytes of the arrivals waiting in
 * it: hostile pages cannot fill the memory while the disk is slow.
 *
 * A second thread indexes the full text of what is committed (index_thread.h).
 *
 * Threads: store_post, store_room, store_committed and store_health from any;
 * everything else from the owner. The writer and its connection belong to the
 * thread between the first post and the join in store_close.
 * SPDX-License-Identifier: MIT */
#include "store/store.h"

#include "base/os/clock.h"
#include "base/os/dir.h"
#include "base/limits.h"
#include "base/os/log.h"
#include "base/mem.h"
#include "base/os/queue.h"
#include "store/archive.h"
#include "store/db.h"
#include "store/db_guard.h"
#include "store/write/index.h"
#include "store/write/index_thread.h"
#include "store/schema.h"
#include "store/write/unbegun.h"
#include "store/write/writer.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define QUEUE_ITEMS 2048  /* that may wait for the writer; with more, the mind has to wait */
#define QUEUE_ROOM  65536 /* the same, with the items that are posted while the disk is full */
#define TAKE        64    /* items taken at once */
#define LOOK_US     50000 /* between two checks whether we are closing */
#define LOOKS       20    /* between two tries on a full disk */
#define LAST_TRIES  3     /* that are left while the store is closing */

struct item {
    struct event event; /* its strings point behind the struct */
    bool label;         /* an EVENT_KEY that is a label */
    size_t weight;      /* bytes of its arrival */
    char *parts;        /* memory of a checkpoint's parts; may be NULL */
};

struct store {
    char *dir;
    int lock; /* descriptor that holds the lock */
    struct store_config config;
    struct writer *writer;
    struct queue *queue;
    struct index_thread *indexer; /* NULL: the text is not indexed on the way */
    pthread_t thread;
    bool running;           /* the thread is */
    bool hurry;             /* store_hurry(); atomic */
    uint64_t committed;     /* pages; atomic */
    uint64_t commits;       /* checkpoints of this process; atomic */
    pthread_mutex_t mutex;  /* over what follows */
    pthread_cond_t lighter; /* less is pending, or the health changed */
    size_t pending;         /* bytes of waiting arrivals */
    uint64_t posted;        /* items so far */
    uint64_t applied;       /* of these */
    uint32_t swept;         /* WARC files that no commit knew, removed on opening */
    uint64_t lost;          /* pages without their records, on opening */
    bool closing;
    int last_tries;     /* made on a full disk since then */
    enum status status; /* what stopped or delays the writer */
    bool dead;          /* stopped for good */
    char text[512];     /* its sentence */
};

/* ---- items --------------------------------------------------------------- */

/* The strings of an event, to be copied. */
static size_t strings_of(struct event *e, struct str *ret[5])
{
    size_t n = 0;

    switch (e->kind) {
    case EVENT_URL:
        ret[n++] = &e->url.url;
        break;
    case EVENT_DROP:
        ret[n++] = &e->drop.url;
        break;
    case EVENT_HOST:
        ret[n++] = &e->host.name;
        ret[n++] = &e->host.state;
        break;
    case EVENT_BORN:
        ret[n++] = &e->born.name;
        ret[n++] = &e->born.kind;
        break;
    case EVENT_DIED:
        ret[n++] = &e->died.cause;
        break;
    case EVENT_TRAVEL:
        ret[n++] = &e->travel.name;
        ret[n++] = &e->travel.kind;
        break;
    case EVENT_MESSAGE:
        ret[n++] = &e->message.conversation;
        ret[n++] = &e->message.performative;
        ret[n++] = &e->message.sender;
        ret[n++] = &e->message.receiver;
        ret[n++] = &e->message.content;
        break;
    case EVENT_SAMPLE:
        ret[n++] = &e->sample.metric;
        break;
    case EVENT_TOLD:
        ret[n++] = &e->told.text;
        break;
    case EVENT_JUDGED:
        ret[n++] = &e->judged.rows;
        ret[n++] = &e->judged.topic;
        break;
    case EVENT_KEY:
        ret[n++] = &e->key.name;
        ret[n++] = &e->key.value;
        break;
    case EVENT_BATCH:
        ret[n++] = &e->batch.bytes;
        break;
    case EVENT_CHECKPOINT:
        ret[n++] = &e->checkpoint.frontier;
        ret[n++] = &e->checkpoint.model;
        ret[n++] = &e->checkpoint.engine;
        ret[n++] = &e->checkpoint.vocab;
        if (e->checkpoint.memory == NULL)
            ret[n++] = &e->checkpoint.parts;
        break;
    default:
        break;
    }
    return n;
}

static struct arrival *arrival_of(const struct event *e)
{
    return e->kind == EVENT_PAGE       ? e->page.arrival
           : e->kind == EVENT_LINKS    ? e->links.arrival
           : e->kind == EVENT_OUTCOME  ? e->outcome.arrival
           : e->kind == EVENT_RESOURCE ? e->resource.arrival
                                       : NULL;
}

/* Parts of a state can be as large as everything else that waits, so they are not copied. */
static void take_parts(struct item *item)
{
    struct buf *memory =
        item->event.kind == EVENT_CHECKPOINT ? item->event.checkpoint.memory : NULL;

    item->parts = memory ? memory->data : NULL;
    if (memory) {
        item->weight += memory->len;
        *memory = BUF_INIT(memory->max);
    }
}

static struct item *item_new(const struct event *e, bool label)
{
    struct event copy = *e;
    struct str *strings[5];
    size_t n = strings_of(&copy, strings), bytes = 0;
    struct arrival *arrival = arrival_of(e);
    struct item *item;
    char *at;

    for (size_t i = 0; i < n; i++)
        bytes += strings[i]->len;
    item = mem_alloc(sizeof *item + bytes);
    at = (char *)(item + 1);
    for (size_t i = 0; i < n; i++) {
        size_t len = strings[i]->len;

        if (len)
            memcpy(at, strings[i]->ptr, len);
        strings[i]->ptr = at;
        at += len;
    }
    item->event = copy;
    item->label = label;
    item->weight = bytes;
    take_parts(item);
    if (arrival) {
        (void)arrival_hold(arrival);
        item->weight += arrival->reply.body.cap + arrival->memory.used +
                        (arrival->packed ? arrival->packed->size : 0) +
                        (arrival->packed_html ? arrival->packed_html->size : 0);
    }
    return item;
}

static void item_free(struct item *item)
{
    arrival_release(arrival_of(&item->event));
    free(item->parts);
    free(item);
}

/* ---- the writer thread --------------------------------------------------- */

static void set_health(struct store *s, enum status st, const char *text, bool dead)
{
    struct log *log;
    bool news;

    pthread_mutex_lock(&s->mutex);
    log = s->config.log;
    news = s->status != st;
    s->status = st;
    s->dead = s->dead || dead;
    (void)snprintf(s->text, sizeof s->text, "%s", text);
    if (news)
        pthread_cond_broadcast(&s->lighter);
    pthread_mutex_unlock(&s->mutex);
    if (news && log)
        log_line(log, st == ST_OK ? LOG_INFO : LOG_ERROR, clock_now(), "%s",
                 st == ST_OK ? "the disk takes data again" : text);
}

/* The disk is full: reports that, sleeps a second, and tries again. A store that is closing does
 * not wait for ever. */
static bool wait_for_disk(void *ctx, const char *text)
{
    struct store *s = ctx;
    int looks = 0;
    bool closing;

    set_health(s, ST_BUSY, text, false);
    do {
        clock_sleep(LOOK_US);
        pthread_mutex_lock(&s->mutex);
        closing = s->closing;
        pthread_mutex_unlock(&s->mutex);
    } while (!closing && ++looks < LOOKS);
    return !closing || s->last_tries++ < LAST_TRIES;
}

/* Wakes a waiting thread when half of the bytes are written, rather than after each page. */
static void lighten(struct store *s, size_t weight)
{
    pthread_mutex_lock(&s->mutex);
    s->pending -= weight;
    s->applied++;
    if (s->pending <= LIMIT_STORE_PENDING / 2 && s->posted - s->applied <= QUEUE_ITEMS / 2)
        pthread_cond_broadcast(&s->lighter);
    pthread_mutex_unlock(&s->mutex);
}

static void apply(struct store *s, struct item *item)
{
    const struct event *e = &item->event;
    enum status st;

    if (s->dead)
        return;
    st = item->label ? writer_label(s->writer, e->key.name, e->key.value)
                     : writer_apply(s->writer, e);
    if (st != ST_OK)
        set_health(s, st, status_text(), true);
    else if (s->status != ST_OK)
        set_health(s, ST_OK, "", false);
    __atomic_store_n(&s->committed, writer_committed(s->writer), __ATOMIC_RELAXED);
    if (st == ST_OK && e->kind == EVENT_CHECKPOINT)
        __atomic_fetch_add(&s->commits, 1, __ATOMIC_RELEASE);
    if (s->indexer && e->kind == EVENT_CHECKPOINT)
        index_thread_tell(s->indexer, writer_committed(s->writer));
}

static void *writer_main(void *ctx)
{
    struct store *s = ctx;
    void *items[TAKE];
    size_t n;

    (void)pthread_setname_np(pthread_self(), "writer");
    while ((n = queue_take(s->queue, items, TAKE, -1)) > 0) {
        for (size_t i = 0; i < n; i++) {
            struct item *item = items[i];
            size_t weight = item->weight;

            apply(s, item);
            item_free(item);
            lighten(s, weight);
        }
    }
    if (!s->dead && writer_end(s->writer) != ST_OK)
        set_health(s, ST_IO, status_text(), true);
    else if (!s->dead && s->status != ST_OK)
        set_health(s, ST_OK, "", false);
    return NULL;
}

/* ---- opening ------------------------------------------------------------- */

static enum status start(struct store *s)
{
    enum status st = ST_OK;
    int rc = pthread_create(&s->thread, NULL, writer_main, s);

    s->running = rc == 0;
    if (rc != 0)
        st = status_fail(ST_IO, "no thread for the store: %s", strerror(rc));
    return st;
}

static void store_free(struct store *s)
{
    index_thread_end(s->indexer);
    writer_free(s->writer);
    queue_free(s->queue);
    pthread_cond_destroy(&s->lighter);
    pthread_mutex_destroy(&s->mutex);
    if (s->lock >= 0)
        (void)close(s->lock);
    free(s->dir);
    free(s);
}

static struct store *store_alloc(const char *dir, const struct store_config *config)
{
    struct store *s = MEM_NEW(struct store);

    s->dir = str_dup(str_of(dir));
    s->lock = -1;
    s->config = *config;
    s->queue = queue_new(QUEUE_ROOM);
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->lighter, NULL);
    return s;
}

/* Takes the connection and the writer's start; frees the store on failure. */
static enum status finish_open(struct store *s, enum status st, sqlite3 *db, struct store **ret)
{
    if (st == ST_OK)
        st = writer_new(s->dir, db, &s->config, wait_for_disk, s, &s->writer);
    else
        (void)sqlite3_close(db);
    if (st == ST_OK) /* crawl.db and warc/ stay */
        st = dir_sync(s->lock);
    if (st == ST_OK)
        s->committed = writer_committed(s->writer);
    if (st == ST_OK && s->config.full_text)
        st = index_thread_start(s->dir, &s->indexer);
    if (st == ST_OK)
        st = start(s);
    if (st == ST_OK)
        *ret = s;
    else
        store_free(s);
    return st;
}

enum status store_make_dir(const char *dir)
{
    char path[4096];

    if (*dir == '\0' || snprintf(path, sizeof path, "%s", dir) >= (int)sizeof path)
        return status_fail(ST_USAGE, "'%s' is not the name of a directory", dir);
    for (char *c = path + 1;; c++) {
        char old = *c;

        if (old != '/' && old != '\0')
            continue;
        *c = '\0';
        if (mkdir(path, 0700) == 0) {
            if (dir_sync_name(path) != ST_OK)
                return ST_IO;
        } else if (errno != EEXIST) {
            return status_fail(ST_IO, "%s cannot be made: %s", path, strerror(errno));
        }
        *c = old;
        if (old == '\0')
            return ST_OK;
    }
}

void store_scratch(const char *dir)
{
    sqlite3_free(sqlite3_temp_directory);
    sqlite3_temp_directory = sqlite3_mprintf("%s", dir);
}

/* A log alone does not make a crawl. */
static enum status must_be_empty(const char *dir)
{
    DIR *list = opendir(dir);
    struct dirent *entry;
    bool empty = true, crawl = false;

    if (list == NULL)
        return status_fail(errno == ENOTDIR ? ST_EXISTS : ST_IO, "%s: %s", dir, strerror(errno));
    while ((entry = readdir(list)) != NULL) {
        struct str name = str_of(entry->d_name);

        crawl = crawl || str_eq(name, STR("crawl.db"));
        empty = empty && (str_eq(name, STR(".")) || str_eq(name, STR("..")) ||
                          str_eq(name, STR("crawl.log")));
    }
    (void)closedir(list);
    if (crawl)
        return status_fail(ST_EXISTS,
                           "%s is a crawl already: go on with `brood resume %s`, or give "
                           "another name with --out",
                           dir, dir);
    if (!empty)
        return status_fail(ST_EXISTS, "%s is there and not empty: give another name with --out",
                           dir);
    return ST_OK;
}

enum status store_create(const char *dir, const struct store_config *config, struct store **ret)
{
    struct store *s = store_alloc(dir, config);
    sqlite3 *db = NULL;
    enum status st = store_make_dir(dir);

    if (st == ST_OK)
        st = db_lock(dir, &s->lock);
    if (st == ST_OK)
        st = unbegun_clear(dir, config->over_barren);
    if (st == ST_OK)
        st = must_be_empty(dir);
    if (st == ST_OK)
        st = db_open(dir, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &db);
    if (st == ST_OK)
        st = db_pragmas(db);
    if (st == ST_OK)
        st = db_exec(db, "BEGIN IMMEDIATE");
    if (st == ST_OK)
        st = schema_create(db);
    if (st == ST_OK)
        st = db_exec(db, "COMMIT");
    return finish_open(s, st, db, ret);
}

bool store_is_unbegun(const char *dir)
{
    LOCAL_FD lock = -1;

    return db_lock(dir, &lock) == ST_OK && unbegun_is(dir);
}

bool store_is_barren(const char *dir)
{
    LOCAL_FD lock = -1;

    return db_lock(dir, &lock) == ST_OK && barren_is(dir);
}

bool store_is_busy(const char *dir)
{
    LOCAL_FD lock = -1;

    return db_lock(dir, &lock) == ST_BUSY;
}

enum status store_open(const char *dir, const struct store_config *config, struct store **ret)
{
    struct store *s = store_alloc(dir, config);
    sqlite3 *db = NULL;
    enum status st = db_lock(dir, &s->lock);

    if (st == ST_OK)
        st = db_open_writer(dir, &db);
    if (st == ST_OK)
        st = archive_sweep(dir, db, &s->swept);
    if (st == ST_OK)
        st = archive_lost(dir, db, &s->lost);
    if (st == ST_OK)
        st = schema_unindex(db);
    return finish_open(s, st, db, ret);
}

/* ---- posting ------------------------------------------------------------- */

static void post(struct store *s, struct item *item)
{
    pthread_mutex_lock(&s->mutex);
    /* Does not wait for a full disk: the mind must see that, and stop sending requests. */
    while (s->status == ST_OK &&
           (s->pending > LIMIT_STORE_PENDING || s->posted - s->applied >= QUEUE_ITEMS))
        pthread_cond_wait(&s->lighter, &s->mutex);
    s->pending += item->weight;
    s->posted++;
    pthread_mutex_unlock(&s->mutex);
    if (!queue_add(s->queue, item)) {
        lighten(s, item->weight);
        item_free(item);
    }
}

void store_post(void *ctx, const struct event *e)
{
    post(ctx, item_new(e, false));
}

enum status store_label(struct store *s, struct str url, struct str label)
{
    struct event e = {.kind = EVENT_KEY, .key = {url, label}};

    post(s, item_new(&e, true));
    return store_health(s, NULL, 0);
}

enum status store_mark(struct store *s, struct str url, int relevant)
{
    return store_label(s, url,
                       relevant < 0 ? STR("")
                       : relevant   ? STR("relevant")
                                    : STR("irrelevant"));
}

size_t store_room(struct store *s)
{
    size_t used = queue_count(s->queue);
    bool heavy;

    pthread_mutex_lock(&s->mutex);
    heavy = s->pending > LIMIT_STORE_PENDING;
    pthread_mutex_unlock(&s->mutex);
    return heavy || used >= QUEUE_ITEMS ? 0 : QUEUE_ITEMS - used;
}

enum status store_settle(struct store *s)
{
    enum status st;

    pthread_mutex_lock(&s->mutex);
    for (uint64_t all = s->posted; s->applied < all && s->status == ST_OK;)
        pthread_cond_wait(&s->lighter, &s->mutex);
    st = s->status == ST_OK ? ST_OK : status_fail(ST_IO, "%s", s->text);
    pthread_mutex_unlock(&s->mutex);
    return st;
}

struct store_found store_found(struct store *s)
{
    return (struct store_found){store_committed(s), writer_cut(s->writer), s->swept, s->lost};
}

uint64_t store_committed(struct store *s)
{
    return __atomic_load_n(&s->committed, __ATOMIC_RELAXED);
}

uint64_t store_commits(struct store *s)
{
    return __atomic_load_n(&s->commits, __ATOMIC_ACQUIRE);
}

enum status store_health(struct store *s, char *ret, size_t size)
{
    enum status st;

    pthread_mutex_lock(&s->mutex);
    st = s->status;
    if (ret && size)
        (void)snprintf(ret, size, "%s", s->text);
    pthread_mutex_unlock(&s->mutex);
    return st;
}

void store_hurry(struct store *s)
{
    __atomic_store_n(&s->hurry, true, __ATOMIC_RELAXED);
}

void store_set_log(struct store *s, struct log *log)
{
    pthread_mutex_lock(&s->mutex);
    s->config.log = log;
    pthread_mutex_unlock(&s->mutex);
}

/* ---- closing ------------------------------------------------------------- */

/* Indexes what the indexing thread has left. */
static enum status index_rest(const char *dir, const bool *stop, store_progress_fn *progress,
                              void *ctx)
{
    struct index *index = NULL;
    enum status st = index_open(dir, &index);

    if (st == ST_OK)
        st = index_build(index, stop, progress, ctx);
    index_close(index);
    return st;
}

static enum status finish_database(struct store *s, store_progress_fn *progress, void *ctx)
{
    sqlite3 *db = writer_db(s->writer);
    enum status st = schema_index(db);

    if (st == ST_OK && s->config.full_text)
        st = index_rest(s->dir, &s->hurry, progress, ctx);
    if (st == ST_STOPPED)
        return ST_OK; /* as requested: `brood resume` or store_index() goes on */
    if (st != ST_OK)
        return status_prefix(st, "all pages are stored, but not all are indexed");
    if (st == ST_OK)
        st = db_exec(db, "PRAGMA optimize");
    return st;
}

enum status store_close(struct store *s, store_progress_fn *progress, void *ctx)
{
    enum status st;

    if (s == NULL)
        return ST_OK;
    pthread_mutex_lock(&s->mutex);
    s->closing = true;
    pthread_mutex_unlock(&s->mutex);
    queue_close(s->queue);
    if (s->running)
        (void)pthread_join(s->thread, NULL);
    index_thread_end(s->indexer);
    s->indexer = NULL;
    st = s->status;
    if (st != ST_OK)
        (void)status_fail(st, "%s", s->text);
    else if (!__atomic_load_n(&s->hurry, __ATOMIC_RELAXED))
        st = finish_database(s, progress, ctx);
    if (st == ST_OK)
        writer_copy_back(s->writer);
    store_free(s);
    return st;
}

enum status store_index(const char *dir, store_progress_fn *progress, void *ctx)
{
    LOCAL_FD lock = -1;
    LOCAL_DB *db = NULL;

    TRY(db_lock(dir, &lock));
    TRY(db_open_writer(dir, &db));
    TRY(schema_index(db));
    return index_rest(dir, NULL, progress, ctx);
}

/* ---- what resume reads back ---------------------------------------------- */

enum status store_read_urls(struct store *s, store_url_fn *fn, void *ctx)
{
    sqlite3 *db = writer_db(s->writer);
    LOCAL_STMT *st = NULL;
    int64_t last = 0;
    enum status status = db_int(db, "SELECT max(id) FROM url_row", &last);

    if (status == ST_OK)
        status = db_guard_id(db, last); /* only the largest: this reads the file's size */
    if (status == ST_OK)
        status = db_prepare(
            db, "SELECT id, url, from_page, depth, state, \"drop\", page FROM url ORDER BY id",
            &st);
    while (status == ST_OK && db_row(db, st, &status)) {
        int64_t id = sqlite3_column_int64(st, 0);

        if (id < 0 || id > last)
            status = db_guard_id(db, id);
        if (status == ST_OK)
            status =
                fn(ctx, (uint32_t)id, db_str(st, 1), (uint32_t)sqlite3_column_int64(st, 2),
                   (uint16_t)sqlite3_column_int(st, 3), (uint8_t)sqlite3_column_int(st, 4),
                   (enum drop)sqlite3_column_int(st, 5), (uint32_t)sqlite3_column_int64(st, 6));
    }
    return status;
}

enum status store_read_missing(struct store *s, store_missing_fn *fn, void *ctx)
{
    sqlite3 *db = writer_db(s->writer);
    LOCAL_STMT *st = NULL;
    enum status status =
        db_prepare(db,
                   "SELECT DISTINCT url FROM outcome_row WHERE is_final AND status IN (404, 410)"
                   " AND url NOT IN (SELECT url FROM requisite_row)",
                   &st);

    while (status == ST_OK && db_row(db, st, &status))
        fn(ctx, (uint32_t)sqlite3_column_int64(st, 0));
    return status;
}

uint32_t store_agents(struct store *s)
{
    int64_t last = 0;

    return db_int(writer_db(s->writer), "SELECT max(id) FROM agent", &last) == ST_OK && last > 0
               ? (uint32_t)last
               : 0;
}

enum status store_read_hosts(struct store *s, store_host_fn *fn, void *ctx)
{
    sqlite3 *db = writer_db(s->writer);
    LOCAL_STMT *st = NULL;
    enum status status = db_prepare(db, "SELECT id, name, state FROM host ORDER BY id", &st);

    while (status == ST_OK && db_row(db, st, &status))
        status = fn(ctx, (uint32_t)sqlite3_column_int64(st, 0), db_str(st, 1), db_str(st, 2));
    return status;
}

enum status store_read_pages(struct store *s, store_page_fn *fn, void *ctx)
{
    sqlite3 *db = writer_db(s->writer);
    LOCAL_STMT *st = NULL;
    enum status status =
        db_prepare(db, "SELECT id, hash, simhash, words FROM page_row ORDER BY id", &st);

    while (status == ST_OK && db_row(db, st, &status))
        status =
            fn(ctx, (uint32_t)sqlite3_column_int64(st, 0), (uint64_t)sqlite3_column_int64(st, 1),
               (uint64_t)sqlite3_column_int64(st, 2), (uint32_t)sqlite3_column_int64(st, 3));
    return status;
}

enum status store_read_batches(struct store *s, store_batch_fn *fn, void *ctx)
{
    sqlite3 *db = writer_db(s->writer);
    LOCAL_STMT *st = NULL;
    enum status status =
        db_prepare(db, "SELECT part, number, at, bytes FROM outbox ORDER BY at, part, number", &st);

    while (status == ST_OK && db_row(db, st, &status))
        status =
            fn(ctx, (uint32_t)sqlite3_column_int64(st, 0), (uint64_t)sqlite3_column_int64(st, 1),
               sqlite3_column_int64(st, 2), db_str(st, 3));
    return status;
}

enum status store_read_parts(struct store *s, store_part_fn *fn, void *ctx)
{
    sqlite3 *db = writer_db(s->writer);
    LOCAL_STMT *st = NULL;
    enum status status = db_prepare(db, "SELECT id, value FROM state_part ORDER BY id", &st);

    while (status == ST_OK && db_row(db, st, &status)) {
        int64_t id = sqlite3_column_int64(st, 0);

        /* a number that is cut to 32 bits would be stored twice */
        status = id < 0 || id > UINT32_MAX
                     ? status_fail(ST_CORRUPT, "a part of the saved state has no number")
                     : fn(ctx, (uint32_t)id, db_str(st, 1));
    }
    return status;
}

enum status store_read_state(struct store *s, struct buf *frontier, struct buf *model,
                             struct buf *engine, struct buf *vocab)
{
    struct buf *out[] = {frontier, model, engine, vocab};
    sqlite3 *db = writer_db(s->writer);
    LOCAL_STMT *st = NULL;
    enum status status = db_prepare(db, "SELECT id, value FROM state ORDER BY id", &st);

    while (status == ST_OK && db_row(db, st, &status)) {
        int64_t id = sqlite3_column_int64(st, 0);

        if (id < 1 || id > 4 || out[id - 1] == NULL)
            continue;
        buf_add_str(out[id - 1], db_str(st, 1));
        if (out[id - 1]->full)
            status = status_fail(ST_LIMIT, "the saved state is too large");
    }
    return status;
}
