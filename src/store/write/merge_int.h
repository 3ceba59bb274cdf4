/* merge_int.h - what the files of a merge share. Inside store/ only. */
#pragma once

#include "base/buf.h"
#include "base/map.h"
#include "store/db.h"
#include "store/write/merge.h"

/* New numbers by old ones; 0: none. */
struct merge_numbers {
    uint32_t *to;
    size_t count;
};

#define MERGE_TWICE \
    0x80000000U /* flags a page that was left out; the number is that of the page kept */

struct merge_source {
    const char *dir;
    sqlite3 *db;
    int lock; /* -1: a crawl runs there */
    struct merge_numbers urls, pages, agents, files;
    struct map names;      /* hash of an agent's name -> its new number */
    int64_t conversations; /* offset of their numbers */
    sqlite3_stmt *st;      /* of the table that is being copied */
    int64_t order;         /* of its row */
    uint64_t rows;         /* read of this table */
};

/* What is known of a URL so far. */
struct merge_url {
    uint32_t id; /* in the source that has precedence */
    uint16_t source, depth;
    uint8_t reason, state, drop;
    bool has_fate;
    uint16_t page_source; /* of the newest page */
    uint32_t first, last; /* its pages; 0: none */
    uint64_t hash, simhash;
    uint32_t words;
};

struct merge {
    const struct merge_options *options;
    const char *out;
    sqlite3 *db;
    struct merge_source *sources;
    size_t nsources;
    struct map by_key;      /* of URLs -> number */
    struct merge_url *urls; /* by number; [0] is unused */
    size_t nurls, urls_cap;
    char **agents; /* their names, by number; [0] is unused */
    size_t nagents, agents_cap;
    uint32_t npages;
    uint64_t bytes; /* of all archives */
    merge_progress_fn *progress;
    void *ctx;
    const char *what; /* name of the current step */
    uint64_t done, total;
    struct merge_result result;
};

/* ---- merge.c ---- */

/* Returns the new number; 0 if there is none. A page that was left out has the number of the page
 * kept in its place. */
uint32_t merge_number(const struct merge_numbers *n, int64_t old);
/* Makes room for numbers up to the largest one of a table. ST_CORRUPT if that is too large for its
 * file. */
enum status merge_numbers_init(struct merge_source *s, struct merge_numbers *n,
                               const char *largest) MUST_USE;
void merge_begin(struct merge *m, const char *what, uint64_t total);

/* Passes the rows of all sources in ascending order of their first column. `by_page`: that column
 * is a page; rows are ordered by its new number, and those of pages that were left out are skipped.
 * A source without the `table` has no rows. `fn` reads s->st. */
typedef enum status merge_row_fn(struct merge *m, struct merge_source *s, void *ctx);
enum status merge_rows(struct merge *m, const char *table, const char *select, bool by_page,
                       merge_row_fn *fn, void *ctx) MUST_USE;

/* ---- the parts, in their order ---- */

enum status merge_know_urls(struct merge *m) MUST_USE; /* merge_urls.c */
enum status merge_put_urls(struct merge *m) MUST_USE;
enum status merge_know_pages(struct merge *m) MUST_USE; /* merge_pages.c */
enum status merge_put_pages(struct merge *m) MUST_USE;
enum status merge_agents(struct merge *m) MUST_USE;       /* merge_agents.c */
enum status merge_tables(struct merge *m) MUST_USE;       /* merge_tables.c */
enum status merge_samples(struct merge *m) MUST_USE;      /* merge_samples.c */
enum status merge_keys(struct merge *m) MUST_USE;         /* merge_keys.c */
enum status merge_number_files(struct merge *m) MUST_USE; /* merge_files.c */
enum status merge_files(struct merge *m) MUST_USE;
