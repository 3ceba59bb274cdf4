/* import_int.h - what the sources of an import share. For import*.c only.
 *
 * A source finds documents and says what they are; import.c sorts out faults and
 * has the rest written by scribe.c:
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
    struct str name;   /* for faults: its file or URL */
    struct str path;   /* that --labels may name it by; or empty */
    struct str url;    /* normalised */
    struct str labels; /* beside those of --labels */
    int status;        /* HTTP; 0: 200 */
    struct str head;   /* header block as received; empty: one is made */
    struct str type;   /* Content-Type of a made one; empty: the bytes tell */
    struct str body;   /* as sent */
    int64_t at;        /* when it was so; 0: the story's moment */
    int64_t modified;  /* its last change, or 0 */
    bool maybe;        /* no fault where it is no document */
    bool version;      /* may follow another of the same URL */
};

/* ---- import.c ---- */

/* Counts a fault and keeps its name. */
void import_note(struct importer *im, enum import_fault fault, struct str name, const char *why);

/* ST_STOPPED where the user wants no more. */
enum status import_tick(struct importer *im, const char *what, uint64_t done,
                        uint64_t total) MUST_USE;

/* A page, or what it turns out to be: a sitemap is a resource. Faults are noted
 * and no failure: *ret_page (may be NULL) is then 0. */
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

/* The URL of a file by its path; false: noted. Valid until the next document. */
bool import_path_url(struct importer *im, struct str path, struct str *ret);
/* Any URL, normalised; false: noted under `name`. */
bool import_any_url(struct importer *im, struct str text, struct str name, struct str *ret);

/* Is a file of this name left out (a picture …)? Else its Content-Type, which is
 * empty where only its bytes can tell. */
bool import_wants(struct str path, struct str *ret_type);

/* A file's bytes as a page. `item` has name, path, url, body, and may have more. */
enum status import_file(struct importer *im, struct import_item *item, uint32_t *ret_page) MUST_USE;

/* Appends a file's bytes to `out` (emptied); false: noted under `name`. */
bool import_bytes(struct importer *im, const char *path, struct str name, struct buf *out);

/* http://NAME.example/ after a source's name, or what the user gave. */
enum status import_set_prefix(struct importer *im, const char *source) MUST_USE;

/* --since and --until of a source with versions, which go from `first` to `last`: *begin is where it
 * begins without --since. ST_USAGE: they leave nothing. `what` it has: "events". */
enum status import_window(const struct import_config *c, const char *what, int64_t first,
                          int64_t last, int64_t *begin, int64_t *ret_end) MUST_USE;

/* ---- a file a source ---- */

enum status import_dir(struct importer *im) MUST_USE;
enum status import_tsv(struct importer *im) MUST_USE;
enum status import_warc(struct importer *im) MUST_USE;
enum status import_crawl(struct importer *im) MUST_USE; /* in warc.c: its archive, with versions */
enum status import_history(struct importer *im) MUST_USE;

/* Calls fn for every file under a folder, by path in byte order; names that
 * begin with '.' and links to folders are passed over. */
typedef enum status walk_fn(void *ctx, struct str path, uint64_t done, uint64_t total);
enum status import_walk(const char *folder, walk_fn *fn, void *ctx) MUST_USE;

/* Calls fn for every regular file of a tar archive, in its order; *ret_any: there was
 * an entry. ST_CORRUPT, ST_LIMIT: the rest cannot be read. */
struct unpack;
typedef enum status entry_fn(void *ctx, struct unpack *u, struct str name);
enum status import_entries(struct importer *im, const char *path, const char *what, entry_fn *fn,
                           void *ctx, bool *ret_any) MUST_USE;
/* For fn: the file's bytes into `out` (emptied). False: *ret says why, or it was
 * noted under `name` as too large. */
bool import_entry(struct importer *im, struct unpack *u, struct str name, struct buf *out,
                  enum status *ret);

/* warc.c: HTTP's chunked coding, undone: archives of others keep a body as it came over
 * the wire. Appends the chunks' bytes to `out`. False where `raw` does not begin with a
 * chunk: then it is no chunked body, whatever its header says. *ret_cut: it ends before
 * its last chunk, or a later chunk is broken. */
bool dechunk(struct str raw, struct buf *out, bool *ret_cut);
