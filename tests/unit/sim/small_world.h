/* small_world.h - a world written page by page, for tests that know every byte of it. */
#pragma once

#include "base/map.h"
#include "flow.h"

struct store;
struct page_parser;

struct small_world {
    struct store *store;
    struct page_parser *parser;
    struct map urls;  /* url_key() -> number */
    struct map pages; /* url_key() -> first page */
    uint32_t next_url, next_page;
    int64_t latency;   /* us, of what is added from now on */
    const char *field; /* a header field of the next answer, without its end of line; or NULL */
    bool hidden;       /* the next pages asked not to be kept */
};

void small_begin(struct small_world *s, const char *dir);
void small_end(struct small_world *s);

/* A page, or one more version of it, fetched at a time. */
void small_page(struct small_world *s, const char *url, int64_t at, const char *html);
/* An answer without a page; `to`: where it leads, or NULL. */
void small_outcome(struct small_world *s, const char *url, int64_t at, int status, const char *to);
/* robots.txt, a feed. */
void small_resource(struct small_world *s, const char *url, const char *type, const char *text);
void small_label(struct small_world *s, const char *url, const char *label);
void small_key(struct small_world *s, const char *name, const char *value);
