/* faults.h - hosts that misbehave, for `brood world serve --faults`.
 *
 * A fault is a row of a table: a name, a line of help, and the pages that show
 * it. Each has a virtual host of its own, NAME.faults.example: its front page
 * links to the faulty pages and, after them, to one that is fine (/good), so a
 * crawl from http://NAME.faults.example/ meets this fault and nothing else. The
 * hosts of the world that is served beside them are not touched.
 *
 * A faulty page is mostly data: bytes sent as they are, then a unit repeated,
 * for ever if need be, at a given pace; then the connection is kept, closed or reset. Only the
 * piece that is being sent is held in memory. Used by one thread.
 */
#pragma once

#include "base/buf.h"

#define FAULTS_DOMAIN ".faults.example"
#define FAULT_FOREVER UINT64_MAX

enum fault_end {
    FAULT_CLOSE, /* the connection is closed */
    FAULT_KEEP,  /* the connection is kept: silence, if the answer is not complete */
    FAULT_RESET, /* a reset, which also destroys what the client has not read */
};

/* One answer: `raw`, then `times` times `unit`, then `tail`. */
struct fault_page {
    const char *path;    /* requested path; "…*": all that begin so */
    const char *link;    /* in the front page instead of path; "" for none */
    struct str raw;      /* status line, header, the body's beginning */
    struct str unit;     /* repeated */
    uint64_t times;      /* how often; FAULT_FOREVER */
    struct str tail;     /* the end */
    size_t piece;        /* bytes sent at once; 0: as many as possible */
    int64_t pause;       /* us before each piece but the first */
    enum fault_end then; /* what becomes of the connection */
    /* What cannot be a constant; each may be NULL. */
    void (*raw_fn)(struct str path, struct buf *out);  /* instead of `raw` */
    void (*unit_fn)(uint64_t number, struct buf *out); /* instead of `unit` */
};

struct fault {
    const char *name; /* "gzip-bomb" */
    const char *help; /* one line, no full stop */
    const struct fault_page *pages;
    size_t npages;
    const char *good; /* the good page, if it is not /good of this host */
    bool refuses;     /* resets the next connection after its front page was sent */
};

/* FAULT begins a row of the table; RAW is a string literal as an initialiser of a struct str. */
#define FAULT(name_, help_, pages_) \
    .name = name_, .help = help_, .pages = pages_, .npages = sizeof(pages_) / sizeof *(pages_)
#define RAW(literal)                   \
    {                                  \
        (literal), sizeof(literal) - 1 \
    }

/* Rows of the table: the wire's (faults_wire.c), the coding's (faults_code.c),
 * the page's (faults_page.c). */
extern const struct fault faults_wire[], faults_code[], faults_page[];
extern const size_t faults_wire_count, faults_code_count, faults_page_count;

/* Returns the nth of all faults, or NULL after the last. */
const struct fault *fault_at(size_t n);

/* ---- serving ------------------------------------------------------------- */

/* The faults that are switched on. */
struct faults;

/* "all", or names separated by commas. */
enum status faults_new(const char *list, struct faults **ret) MUST_USE;
void faults_free(struct faults *f);

/* The answer that is being sent. */
struct fault_reply {
    const struct fault_page *page;
    struct buf raw;  /* what is sent for page->raw */
    size_t sent;     /* bytes of it given out */
    uint64_t number; /* units sent */
    unsigned stage;  /* raw, units, tail, over */
    int status;      /* the status in raw; 0: none */
};

/* Returns the answer for a path of a host, or NULL if it is not a host of a fault. Free it.
 * `address` is the one the client connected to. */
struct fault_reply *faults_answer(struct faults *f, struct str host, struct str path,
                                  uint32_t address);
void fault_reply_free(struct fault_reply *r);

/* Appends the next piece, at most about 64 KiB. Returns false if nothing is left. */
bool fault_reply_next(struct fault_reply *r, struct buf *out);

/* Should a connection to this address be reset before anything is read? True once for each front
 * page that asked for it. */
bool faults_refuse(struct faults *f, uint32_t address);
