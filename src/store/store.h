/* store.h - the crawl directory, written by one thread.
 *
 *     DIR/crawl.db        SQLite, WAL (docs/schema.md)
 *     DIR/index.db        its full-text index, written somewhat later (full_text.h)
 *     DIR/warc/…warc.gz   WARC/1.1, one gzip member for each record
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
    bool over_barren;      /* store_create() may replace a crawl that has no page */
    bool full_text;        /* index while pages come in; else store_index() does it later */
    struct log *log;       /* lent until the store is closed; may be NULL */
};

/* Makes the directory and its parents, if they are missing. */
enum status store_make_dir(const char *dir) MUST_USE;

/* From now on SQLite's temporary files go to this directory: a confined process has no other
 * place for them. Call it before threads start. */
void store_scratch(const char *dir);

/* Makes a new crawl directory, with its parents. ST_EXISTS if there is one that is not empty; the
 * sentence says what to do instead. */
enum status store_create(const char *dir, const struct store_config *config,
                         struct store **ret) MUST_USE;

/* Was a process killed here before it committed anything? Then there is nothing
 * to resume, and store_create() treats the directory as empty. */
bool store_is_unbegun(const char *dir);

/* Is it a crawl that is over and has no page, so that store_create() may begin another there? */
bool store_is_barren(const char *dir);

/* Does a process, such as a running crawl, write to this directory? */
bool store_is_busy(const char *dir);

/* Opens an existing crawl to go on writing, and repairs the tail of the last WARC file. ST_MISSING
 * or ST_CORRUPT if it is not a crawl, ST_BUSY if another process has it. */
enum status store_open(const char *dir, const struct store_config *config,
                       struct store **ret) MUST_USE;

/* What store_open() found. */
struct store_found {
    uint64_t pages; /* at the last commit */
    uint64_t cut;   /* bytes of archive after that commit that were cut off */
    uint32_t swept; /* WARC files begun after that commit that were removed */
    uint64_t lost;  /* pages whose records are lost by damage */
};

struct store_found store_found(struct store *s);

/* The bus listener; ctx is the store. Waits while the queue is full, but not while the disk is
 * full: see store_health(). */
void store_post(void *ctx, const struct event *e);

/* Returns how many more events fit before store_post() would wait. */
size_t store_room(struct store *s);

/* Waits until everything posted so far is written, and committed if it ends with a checkpoint.
 * ST_IO, with a sentence, if it cannot be written to the disk. */
enum status store_settle(struct store *s) MUST_USE;

/* Returns the number of pages at the last committed checkpoint; they survive kill -9 and a power
 * cut. */
uint64_t store_committed(struct store *s);

/* Returns how many checkpoints this process has committed. So the caller that posted the nth knows
 * when it is safe. */
uint64_t store_commits(struct store *s);

/* Returns ST_OK; ST_BUSY while the disk is full (events are kept, and writing is tried again); or
 * the failure that stopped the writer for good. The text of it goes to `ret` (may be NULL). */
enum status store_health(struct store *s, char *ret, size_t size);

/* Commits what is left, indexes the rest of the full text (`progress` may be NULL; it gets the
 * pages done and their total), and closes the store, which is freed in any case. */
typedef void store_progress_fn(void *ctx, uint64_t done, uint64_t total);
enum status store_close(struct store *s, store_progress_fn *progress, void *ctx) MUST_USE;

/* Sets a label of a URL (for worlds), queued like an event. Returns the status of
 * store_health(). */
enum status store_label(struct store *s, struct str url, struct str label) MUST_USE;

/* Sets the user's mark of a URL, which has at most one: 1 relevant, 0 irrelevant, -1 neither. It is
 * kept as a label. */
enum status store_mark(struct store *s, struct str url, int relevant) MUST_USE;

/* Tells store_close() not to index. May be called from any thread and from a signal handler.
 * store_index(), or the next crawl that ends here, indexes the rest. */
void store_hurry(struct store *s);

/* Indexes what an earlier process left unindexed. Does nothing for a crawl whose index is
 * complete. */
enum status store_index(const char *dir, store_progress_fn *progress, void *ctx) MUST_USE;

/* Sets the log of a new directory, which cannot be opened before the directory is made. */
void store_set_log(struct store *s, struct log *log);

/* ---- what resume reads back (before the first post) ---- */

typedef enum status store_url_fn(void *ctx, uint32_t id, struct str href, uint32_t from_page,
                                 uint16_t depth, uint8_t state, enum drop drop, uint32_t page);
typedef enum status store_host_fn(void *ctx, uint32_t id, struct str name, struct str state);

enum status store_read_urls(struct store *s, store_url_fn *fn, void *ctx) MUST_USE;
/* URLs that are missing according to their server (404, 410); some of them may be known as
 * pages. */
typedef void store_missing_fn(void *ctx, uint32_t url);
enum status store_read_missing(struct store *s, store_missing_fn *fn, void *ctx) MUST_USE;
enum status store_read_hosts(struct store *s, store_host_fn *fn, void *ctx) MUST_USE;
/* Duplicate detection is rebuilt from these. */
typedef enum status store_page_fn(void *ctx, uint32_t page, uint64_t payload_hash, uint64_t simhash,
                                  uint32_t words);
enum status store_read_pages(struct store *s, store_page_fn *fn, void *ctx) MUST_USE;
/* Returns the largest number of an agent; agents that are born later get larger ones. */
uint32_t store_agents(struct store *s);
/* The batches for other nodes that are still kept (EVENT_BATCH), in order. */
typedef enum status store_batch_fn(void *ctx, uint32_t part, uint64_t number, int64_t at,
                                   struct str bytes);
enum status store_read_batches(struct store *s, store_batch_fn *fn, void *ctx) MUST_USE;
/* The parts of the model's state (base/parts.h), by ascending numbers. */
typedef enum status store_part_fn(void *ctx, uint32_t number, struct str bytes);
enum status store_read_parts(struct store *s, store_part_fn *fn, void *ctx) MUST_USE;
/* Appends the states of the last checkpoint to the buffers (each may be NULL); `vocab` is that of
 * the last checkpoint that had one. */
enum status store_read_state(struct store *s, struct buf *frontier, struct buf *model,
                             struct buf *engine, struct buf *vocab) MUST_USE;
