/* site.h - a small web server inside a test, for pages no world has: broken,
 * huge, lying. One thread, one request a connection, answers from a table.
 *
 *     static const struct site_page pages[] = {{"/", .body = "<a href=x>x</a>"}, ...};
 *     struct site *s = site_start(pages, ARRAY_LEN(pages));
 *     ... "--resolve", site_resolve(s) ...
 *     assert_int_equal(site_asked(s, "/x"), 1);
 */
#ifndef TESTS_SITE_H
#define TESTS_SITE_H

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
};

/* The table is lent for the process's life. What it does not hold is a 404,
 * robots.txt too. */
struct site *site_start(const struct site_page *pages, size_t count);

const char *site_resolve(const struct site *s);               /* for --resolve, every host */
const char *site_url(const struct site *s, const char *path); /* on 127.0.0.1 */
unsigned site_asked(const struct site *s, const char *path);  /* so many times */

#endif
