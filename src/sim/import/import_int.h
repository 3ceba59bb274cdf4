/* import_int.h - what the sources of an import share. For import*.c only.
 *
 * A source finds documents and says what they are; import.c reports the faults and passes the rest
 * to scribe.c:
 *
 *     import_dir, import_tsv, import_history -- import_file() --+
 *     import_warc, import_crawl --------------------------------+-> import_page()
 */
#pragma once

#include "base/arena.h"
#include "base/map.h"
#include "flow.h"
#include "sim/import/import.h"
#include "sim/scribe.h"

/* The labels of --labels, by path or URL. */
struct label_set {
    struct buf text;
    struct label_line {
        struct str name, labels; /* of text */
        uint32_t line;
        bool used;
    } * lines;
    size_t count, cap;
    struct map by_path, by_url; /* hash of the path, url_key() -> line */
};

struct importer {
    const struct import_config *config;
    const char *const *sources;
    size_t nsources;
    struct buf prefix;   /* of URLs */
    struct arena urls;   /* scratch for URLs: emptied at every document */
    struct map pages;    /* url_key() -> number of the first version */
    struct map answered; /* url_key() of other answers */
    struct map hosts, label_names;
    struct label_set labels;
    struct scribe scribe; /* writes it */
    struct buf decoded;   /* used again for every document */
    import_progress_fn *progress;
    void *ctx;
    struct import_report *report;
};

/* One document or answer. */
struct import_item {
    struct str name;   /* file or URL, to report faults */
    struct str path;   /* by which --labels may name it; or empty */
    struct str url;    /* normalised */
    struct str labels; /* beside those of --labels */
    int status;        /* HTTP; 0: 200 */
    struct str head;   /* header block as received; empty: one is made */
    struct str type;   /* Content-Type of the header block that is made; empty: the bytes decide */
    struct str body;   /* as sent */
    int64_t at;        /* its time; 0: the scribe's current time */
    int64_t modified;  /* its last change, or 0 */
    bool maybe;        /* not a fault if it is not a document */
    bool version;      /* may follow another of the same URL */
};

/* ---- import.c ---- */

/* Counts a fault and keeps its name. */
void import_note(struct importer *im, enum import_fault fault, struct str name, const char *why);

/* Reports the progress. ST_STOPPED if the user wants to stop. */
enum status import_tick(struct importer *im, const char *what, uint64_t done,
                        uint64_t total) MUST_USE;

/* Writes a page, or a resource if it turns out to be a sitemap. Faults are noted and do not fail
 * the call: *ret_page (may be NULL) is then 0. */
enum status import_page(struct importer *im, const struct import_item *item,
                        uint32_t *ret_page) MUST_USE;
/* robots.txt. */
enum status import_resource(struct importer *im, const struct import_item *item) MUST_USE;
/* A redirect (`target`: normalised URL) or a failure (no target). */
enum status import_outcome(struct importer *im, const struct import_item *item,
                           struct str target) MUST_USE;
/* A page that is deleted at item->at. */
enum status import_gone(struct importer *im, const struct import_item *item) MUST_USE;

/* ---- file.c: files that become pages ---- */

/* Makes the URL of a file from its path. Returns false after noting a fault. The URL is valid until
 * the next document. */
bool import_path_url(struct importer *im, struct str path, struct str *ret);
/* Normalises any URL. Returns false after noting a fault under `name`. */
bool import_any_url(struct importer *im, struct str text, struct str name, struct str *ret);

/* Returns false if a file of this name is left out (a picture …). Else *ret_type is its
 * Content-Type, which is empty if only the bytes can tell. */
bool import_wants(struct str path, struct str *ret_type);

/* Writes a file's bytes as a page. `item` has name, path, url and body, and may have more. */
enum status import_file(struct importer *im, struct import_item *item, uint32_t *ret_page) MUST_USE;

/* Reads a file's bytes into `out`, which is emptied first. Returns false after noting a fault under
 * `name`. */
bool import_bytes(struct importer *im, const char *path, struct str name, struct buf *out);

/* http://NAME.example/ after a source's name, or what the user gave. */
enum status import_set_prefix(struct importer *im, const char *source) MUST_USE;

/* Applies --since and --until to a source whose versions go from `first` to `last`: *begin is where
 * it begins without --since. ST_USAGE if nothing is left. `what` names its items: "events". */
enum status import_window(const struct import_config *c, const char *what, int64_t first,
                          int64_t last, int64_t *begin, int64_t *ret_end) MUST_USE;

/* ---- one file for each source ---- */

enum status import_dir(struct importer *im) MUST_USE;
enum status import_tsv(struct importer *im) MUST_USE;
enum status import_warc(struct importer *im) MUST_USE;
enum status import_crawl(struct importer *im) MUST_USE; /* in warc.c: its archive, with versions */
enum status import_history(struct importer *im) MUST_USE;

/* Calls fn for every file under a folder, by path in byte order; names that
 * begin with '.' and links to folders are skipped. */
typedef enum status walk_fn(void *ctx, struct str path, uint64_t done, uint64_t total);
enum status import_walk(const char *folder, walk_fn *fn, void *ctx) MUST_USE;

/* Calls fn for every regular file of a tar archive, in its order; *ret_any: there was
 * at least one entry. ST_CORRUPT or ST_LIMIT if the rest cannot be read. */
struct unpack;
typedef enum status entry_fn(void *ctx, struct unpack *u, struct str name);
enum status import_entries(struct importer *im, const char *path, const char *what, entry_fn *fn,
                           void *ctx, bool *ret_any) MUST_USE;
/* For fn: reads the file's bytes into `out`, which is emptied first. Returns false with the failure
 * in *ret, or after noting under `name` that the file is too large. */
bool import_entry(struct importer *im, struct unpack *u, struct str name, struct buf *out,
                  enum status *ret);

/* warc.c: undoes HTTP's chunked coding, because archives of other programs keep a body as it came
 * over the wire. Appends the chunks' bytes to `out`. Returns false if `raw` does not begin with a
 * chunk: then the body is not chunked, even if its header says so. *ret_cut: it ends before its
 * last chunk, or a later chunk is broken. */
bool dechunk(struct str raw, struct buf *out, bool *ret_cut);
