/* made.h - arrivals and stores made by hand, for the tests of store/. */
#pragma once

#include "store/store.h"

#include <sqlite3.h>

#define MADE_AT INT64_C(1770000000000000) /* the moment everything happens after */

/* A page to be posted; zeros are sensible. */
struct made_page {
    uint32_t id; /* page number; its URL has the number `url` or the same */
    uint32_t url;
    uint32_t agent;   /* whose choice it was; 0: of number 1 */
    const char *href; /* "http://a.test/ID" without one */
    const char *title, *text;
    const char *body; /* payload; made from the text without one */
    size_t body_len;  /* 0: strlen */
    const char *head; /* header block */
    int nlinks;       /* to new URLs 1000 * id + i */
    float relevance;
    uint32_t dup_of;
    bool exact_dup, hidden, h2, truncated;
    bool packed;      /* for the archive, as fetch threads do it */
    const char *html; /* what it was read as */
    unsigned robots;
};

struct store_config made_config(void); /* WARC on, index on */

struct arrival *made_arrival(const struct made_page *p);
void made_post(struct store *s, const struct made_page *p);      /* with its URL */
void made_post_page(struct store *s, const struct made_page *p); /* without */
void made_url(struct store *s, uint32_t id, const char *url);
void made_outcome(struct store *s, uint32_t url, const char *href, int status, enum drop why,
                  uint32_t redirect_to, bool is_final);
void made_robots(struct store *s, const char *href, const char *body);
void made_key(struct store *s, const char *key, const char *value);
void made_checkpoint(struct store *s, uint64_t pages);

struct store *made_store(const char *dir); /* store_create or fail */
void made_close(struct store *s);          /* store_close or fail */

/* One value of a query on DIR/crawl.db by plain SQLite. */
int64_t made_int(const char *dir, const char *sql);
const char *made_text(const char *dir, const char *sql); /* until the next call */
