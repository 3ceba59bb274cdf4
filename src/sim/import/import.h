/* import.h - `brood world import`: real pages, written as a crawl directory.
 *
 *   dir      a folder, or a .tar, .tar.gz or .tar.zst archive of one: a file's
 *            path is its URL's path, behind `url_prefix`
 *   tsv      a manifest: lines `file TAB url TAB labels` (tables.h)
 *   warc     WARC files, plain or gzip'ed, and folders of them: 2xx are pages,
 *            redirects and errors outcomes, robots.txt resources. With `versions`
 *            every capture counts, in order of time: the world moves
 *   crawl    crawl directories, a watch or several crawls of the same site: their
 *            archives, with versions
 *   xml      the family tree of a crawl, as `brood export --as xml` wrote it: agents, finds
 *            and paths without documents
 *   history  events.tsv and its blobs: a site that changes as it really did
 *
 * The world is written beside `dir` (under the name dir.part) and moved there
 * when it is complete, so `dir` never holds an incomplete world. Faults of the input are counted
 * and reported; without `keep_going` a single fault means that no world is made. The clock and the
 * dates of files have no influence: the same input gives the same world.
 *
 * Worlds that move hold a page row for every version, in order of time:
 * fetched_at is when it appeared, version_of the first one's number; a page
 * that was deleted has an outcome with status 410 at its time. crawl('world_time')
 * is "BEGIN END" in us since 1970.
 */
#pragma once

#include "base/json.h"
#include "base/status.h"

enum import_from { IMPORT_DIR, IMPORT_TSV, IMPORT_WARC, IMPORT_HISTORY, IMPORT_CRAWL, IMPORT_XML };

#define IMPORT_NO_TIME INT64_MIN

struct import_config {
    int from;               /* enum import_from */
    const char *url_prefix; /* dir, history: NULL: http://NAME.example/ after the source */
    const char *labels;     /* file of labels, or NULL */
    const char *root;       /* dir: folder inside the source; tsv: where files are; or NULL */
    const char *index;      /* file that answers for its folder, or NULL */
    const char *blobs;      /* history: folder or archive; NULL: beside events.tsv */
    int64_t since, until;   /* the window of a world that moves: us since 1970, or IMPORT_NO_TIME */
    bool versions;          /* warc: every capture counts */
    bool keep_going;        /* leave out faulty parts and make the world of the rest */
    bool drop_dead_links;   /* noted in crawl('drop_dead_links'): readers skip dead links */
    const char *software;   /* for the archive's warcinfo: "brood/0.1.0" */
};

/* What can be wrong with one part of the input. */
enum import_fault {
    IMPORT_MISSING,   /* a file, blob or page that is named but missing */
    IMPORT_DUPLICATE, /* another page has this URL */
    IMPORT_BROKEN,    /* no document: empty, or binary */
    IMPORT_CUT,       /* an archive, record or content coding that ends early */
    IMPORT_LINE,      /* a malformed line of a table */
    IMPORT_URL,       /* a name or address that cannot be made a URL */
    IMPORT_LARGE,     /* larger than a page may be */
    IMPORT_FAULTS
};

const char *import_fault_name(enum import_fault f); /* "missing", "duplicate" … */

#define IMPORT_NAMED 10 /* faults of a kind that are kept by name */

struct import_faults {
    uint64_t count;
    char *names[IMPORT_NAMED]; /* "wp/a.htm: it is empty" */
};

struct import_report {
    uint64_t pages;     /* URLs that are a page */
    uint64_t versions;  /* of pages: first and later ones */
    uint64_t changes;   /* of these that came later */
    uint64_t deleted;   /* pages that disappeared */
    uint64_t redirects; /* other answers */
    uint64_t failures;
    uint64_t resources; /* robots.txt, sitemaps */
    uint64_t links;     /* of all versions */
    uint64_t hosts;     /* of pages */
    uint64_t labelled;  /* pages with a label */
    uint64_t labels;    /* distinct ones */
    uint64_t left_out;  /* files and records that are no documents: pictures, styles */
    uint64_t repeated;  /* captures with the same content as an earlier one */
    uint64_t agents;    /* xml: with their paths, … */
    uint64_t visits;    /* … which are so long */
    struct import_faults faults[IMPORT_FAULTS];
    bool made; /* the world was made */
};

uint64_t import_fault_count(const struct import_report *r); /* of all kinds */
void import_report_clear(struct import_report *r);
void import_report_json(const struct import_report *r, struct json *j);

/* Called now and then; `total` is 0 if it is unknown. Returns false to stop: the caller gets
 * ST_STOPPED, and nothing is left behind. */
typedef bool import_progress_fn(void *ctx, const char *what, uint64_t done, uint64_t total);

/* Makes `dir`, which must not exist or be empty, from `sources`. ST_INVALID if there are faults and
 * `keep_going` is not set. *ret is filled in any case, and must be cleared. */
enum status world_import(const char *const *sources, size_t nsources, const char *dir,
                         const struct import_config *config, import_progress_fn *progress,
                         void *ctx, struct import_report *ret) MUST_USE;
