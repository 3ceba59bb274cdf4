/* site.h - a small web server inside a test, for pages no world has: broken,
 * huge, lying. One thread, one request a connection, answers from a table (the
 * first entry that fits).
 *
 *     static const struct site_page pages[] = {{"/", .body = "<a href=x>x</a>"}, ...};
 *     struct site *s = site_start(pages, ARRAY_LEN(pages));
 *     ... "--resolve", site_resolve(s) ...
 *     assert_int_equal(site_asked(s, "/x"), 1);
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct site;

struct site_page {
    const char *path;    /* with its query; the host does not matter */
    const char *type;    /* NULL: text/html */
    const char *headers; /* more of them, each with its \r\n; NULL: none */
    const char *body;
    size_t len;      /* of the body; 0: it ends with its zero */
    uint64_t repeat; /* the body is sent so often; 0: once */
    int status;      /* 0: 200 */
    /* Only requests to this host; NULL: any. Only so many times, then the next
     * entry that fits answers; 0: always. */
    const char *host;
    unsigned times;
    unsigned wait_ms; /* before it answers; the site does nothing else meanwhile */
    /* The body of every path that begins with `path`; lives until the next call. */
    const char *(*make)(const char *path);
};

/* The table is lent for the process's life. What it does not hold is a 404,
 * robots.txt too. */
struct site *site_start(const struct site_page *pages, size_t count);
/* The same at another address of 127.0.0.0/8 than 127.0.0.1. */
struct site *site_start_at(const char *address, const struct site_page *pages, size_t count);

const char *site_resolve(const struct site *s);               /* for --resolve, every host */
const char *site_url(const struct site *s, const char *path); /* by its address */
unsigned site_asked(const struct site *s, const char *path);  /* so many times */
unsigned site_total(const struct site *s);                    /* requests in all */
/* The header block of the last request for the path; NULL: none. */
const char *site_head(const struct site *s, const char *path);
/* The nth request for the path, counted from 0, head and body; NULL: there is none. */
const char *site_request(const struct site *s, const char *path, unsigned nth);
