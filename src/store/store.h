/* store.h - the crawl directory, written by one thread.
 *
 *     DIR/crawl.db        SQLite, WAL (docs/schema.md)
 *     DIR/index.db        its full-text index, written a little later (full_text.h)
 *     DIR/warc/…warc.gz   WARC/1.1, one gzip member a record
 *     DIR/crawl.log       JSON lines (base/os/log.h)
 *
 * store_post() is a bus listener: it queues the event (holding arrivals,
 * copying strings) for the writer thread. Everything between two
 * EVENT_CHECKPOINTs is one transaction: after a crash the directory is in the
 * state of the last checkpoint that was committed, WARC included (its length is
 * committed too; a longer tail is cut on open).
 */
#pragma once

#include "base/status.h"
#include "flow.h"

struct store;
struct log;

struct store_config {
    bool warc;             /* write the archive */
    int warc_level;        /* deflate level, 1 by default */
    uint64_t warc_size;    /* bytes after which a new file begins (1 GB) */
    const char *software;  /* "brood/0.1.0" for warcinfo */
    const char *operator_; /* contact, or NULL */
    const char *robots;    /* "obey" or "ignore", for warcinfo */
    bool over_barren;      /* store_create(): in place of a crawl that has no page */
    bool full_text;        /* index while pages come in; else store_index() does */
    struct log *log;       /* lent until the store is closed; may be NULL */
};

/* Makes the directory and those above it, where they are missing. */
enum status store_make_dir(const char *dir) MUST_USE;

/* From now on SQLite's temporary files go to this directory: a confined process has no other
 * place for them. Call it before threads start. */
void store_scratch(const char *dir);

/* A new directory (made with its parents). ST_EXISTS where one is there that
 * is not empty; the sentence says what to do instead. */
enum status store_create(const char *dir, const struct store_config *config,
                         struct store **ret) MUST_USE;

/* Was a process killed here before it committed anything? Then there is nothing
 * to go on with, and store_create() takes the directory as an empty one. */
bool store_is_unbegun(const char *dir);

/* Does a process write to this directory, such as a crawl that runs? */
bool store_is_busy(const char *dir);

/* An existing crawl, to go on writing. ST_MISSING/ST_CORRUPT: no crawl.
 * ST_BUSY: another process has it. Repairs the tail of the last WARC. */
enum status store_open(const char *dir, const struct store_config *config,
                       struct store **ret) MUST_USE;

/* What store_open() found. */
struct store_found {
    uint64_t pages; /* of the last commit */
    uint64_t cut;   /* bytes of archive behind it that were cut off */
    uint32_t swept; /* WARC files begun after it that were removed */
    uint64_t lost;  /* pages whose records are gone, by damage */
};

struct store_found store_found(struct store *s);

/* The bus listener; ctx is the store. Waits while the queue is full, except
 * where the disk is: see store_health(). */
void store_post(void *ctx, const struct event *e);

/* How many more events fit before store_post() would wait. */
size_t store_room(struct store *s);

/* Waits until everything posted so far is written, and committed where it ends
 * with a checkpoint. ST_IO with a sentence where the disk does not take it. */
enum status store_settle(struct store *s) MUST_USE;

/* Pages of the last committed checkpoint: safe against kill -9 and power cuts. */
uint64_t store_committed(struct store *s);

/* Checkpoints that this process has committed: whoever posted the nth knows when it is safe. */
uint64_t store_commits(struct store *s);

/* ST_OK; ST_BUSY while the disk is full: events are kept and tried again; or what
 * stopped the writer for good. Its text goes to `ret` (may be NULL). */
enum status store_health(struct store *s, char *ret, size_t size);

/* Commits what is left, indexes what is left of the full text (progress: may be NULL; called
 * with done and total pages), closes. The store is freed in any case. */
typedef void store_progress_fn(void *ctx, uint64_t done, uint64_t total);
enum status store_close(struct store *s, store_progress_fn *progress, void *ctx) MUST_USE;

/* A label of a URL (worlds): queued like an event. ST_OK, or the health. */
enum status store_label(struct store *s, struct str url, struct str label) MUST_USE;

/* A mark of the user's: 1 relevant, 0 irrelevant, -1 neither; one a URL. Kept as a label. */
enum status store_mark(struct store *s, struct str url, int relevant) MUST_USE;

/* store_close() shall not index: from any thread, also from a signal handler.
 * store_index() or the next crawl that ends does the rest. */
void store_hurry(struct store *s);

/* Indexes what an earlier process left unindexed; a finished crawl costs
 * nothing. */
enum status store_index(const char *dir, store_progress_fn *progress, void *ctx) MUST_USE;

/* The log of a new directory, which could not be opened before it was made. */
void store_set_log(struct store *s, struct log *log);

/* ---- what resume reads back (before the first post) ---- */

typedef enum status store_url_fn(void *ctx, uint32_t id, struct str href, uint32_t from_page,
                                 uint16_t depth, uint8_t state, enum drop drop, uint32_t page);
typedef enum status store_host_fn(void *ctx, uint32_t id, struct str name, struct str state);

enum status store_read_urls(struct store *s, store_url_fn *fn, void *ctx) MUST_USE;
/* Those that their server said are not there (404, 410); some of them may be known as pages. */
typedef void store_missing_fn(void *ctx, uint32_t url);
enum status store_read_missing(struct store *s, store_missing_fn *fn, void *ctx) MUST_USE;
enum status store_read_hosts(struct store *s, store_host_fn *fn, void *ctx) MUST_USE;
/* Duplicate detection is rebuilt from these. */
typedef enum status store_page_fn(void *ctx, uint32_t page, uint64_t payload_hash, uint64_t simhash,
                                  uint32_t words);
enum status store_read_pages(struct store *s, store_page_fn *fn, void *ctx) MUST_USE;
/* The largest number of an agent: those that are born later follow it. */
uint32_t store_agents(struct store *s);
/* Batches for other nodes that are still kept (EVENT_BATCH), in their order. */
typedef enum status store_batch_fn(void *ctx, uint32_t part, uint64_t number, int64_t at,
                                   struct str bytes);
enum status store_read_batches(struct store *s, store_batch_fn *fn, void *ctx) MUST_USE;
/* The parts of the model's state (base/parts.h), by ascending numbers. */
typedef enum status store_part_fn(void *ctx, uint32_t number, struct str bytes);
enum status store_read_parts(struct store *s, store_part_fn *fn, void *ctx) MUST_USE;
/* States of the last checkpoint, appended to the buffers (each may be NULL);
 * `vocab` is of the last checkpoint that had one. */
enum status store_read_state(struct store *s, struct buf *frontier, struct buf *model,
                             struct buf *engine, struct buf *vocab) MUST_USE;
