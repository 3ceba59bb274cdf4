/* made.c - arrivals and stores made by hand. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "made.h"

#include "base/hash.h"
#include "store/pack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct store_config made_config(void)
{
    return (struct store_config){.warc = true,
                                 .warc_level = 1,
                                 .software = "brood/test",
                                 .operator_ = "test@example.org",
                                 .robots = "obey",
                                 .full_text = true};
}

/* Words of the text, split at spaces. */
static void split_words(struct arena *m, struct page *page)
{
    size_t at = 0;

    page->words = arena_array(m, page->text.len + 1, sizeof *page->words);
    while (at < page->text.len) {
        size_t end = str_find_char(page->text, ' ', at);

        end = end == SIZE_MAX ? page->text.len : end;
        if (end > at)
            page->words[page->nwords++] = (struct word){(uint32_t)at, (uint16_t)(end - at)};
        at = end + 1;
    }
}

static void add_links(struct arrival *a, struct page *page, const struct made_page *p)
{
    page->links = arena_array(&a->memory, (size_t)p->nlinks, sizeof *page->links);
    a->marks = arena_array(&a->memory, (size_t)p->nlinks, sizeof *a->marks);
    for (int i = 0; i < p->nlinks; i++) {
        char url[64];

        (void)snprintf(url, sizeof url, "http://a.test/%u/%d", p->id, i);
        page->links[i] = (struct link){.url = arena_str(&a->memory, str_of(url)),
                                       .anchor = {0, page->nwords < 2 ? page->nwords : 2}};
        a->marks[i] = (struct link_mark){.url = p->id * 1000 + (uint32_t)i,
                                         .score = i ? (float)i / 100 : NAN,
                                         .drop = i % 5 == 4 ? DROP_SCOPE : DROP_NONE,
                                         .is_new = true};
    }
    page->nlinks = (uint32_t)p->nlinks;
}

struct arrival *made_arrival(const struct made_page *p)
{
    static const char plain_head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
                                     "ETag: \"x\"\r\n\r\n";
    char href[64], body[256];
    struct request *r;
    struct arrival *a;
    struct page *page;

    (void)snprintf(href, sizeof href, "http://a.test/%u", p->id);
    r = request_new(REQUEST_PAGE, str_of(p->href ? p->href : href), STR("a.test"), STR(""),
                    STR(""));
    r->choice = (struct choice){
        .url = p->url ? p->url : p->id, .agent = p->agent ? p->agent : 1, .score = 0.5F};
    r->depth = 1;
    a = arrival_new(r);
    page = arena_alloc(&a->memory, sizeof *page);
    *page = (struct page){.title = arena_str(&a->memory, str_of(p->title ? p->title : "A page")),
                          .text = arena_str(&a->memory, str_of(p->text ? p->text : "some words")),
                          .lang = STR("en"),
                          .charset = STR("utf-8")};
    split_words(&a->memory, page);
    add_links(a, page, p);
    a->page = page;
    a->robots = p->robots;
    a->profile = (struct profile){.relevance = p->relevance, .similarity = 0.25F, .simhash = p->id};
    a->reply.status = 200;
    a->reply.head = arena_str(&a->memory, str_of(p->head ? p->head : plain_head));
    a->reply.sent = STR("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
    a->reply.content_type = STR("text/html; charset=utf-8");
    a->reply.etag = STR("\"x\"");
    a->reply.started_at = MADE_AT + p->id * INT64_C(1000000);
    a->reply.done_at = a->reply.started_at + 1500;
    a->reply.peer = (struct address){4, {192, 0, 2, 1}};
    a->reply.h2 = p->h2;
    a->reply.truncated = p->truncated;
    (void)snprintf(body, sizeof body, "<html>%u %.200s</html>", p->id, page->text.ptr);
    buf_add(&a->reply.body, p->body ? p->body : body,
            p->body_len ? p->body_len : strlen(p->body ? p->body : body));
    assert_int_equal(buf_check(&a->reply.body), ST_OK);
    a->payload_hash = hash_str(buf_str(&a->reply.body));
    buf_add_z(&a->html, p->html ? p->html : "");
    if (p->packed) {
        struct packer *packer = packer_new(1);

        packer_arrival(packer, a);
        packer_free(packer);
    }
    return a;
}

void made_url(struct store *s, uint32_t id, const char *url)
{
    store_post(s, &(struct event){.kind = EVENT_URL,
                                  .at = MADE_AT,
                                  .url = {.id = id, .url = str_of(url), .seed = true}});
}

void made_post_page(struct store *s, const struct made_page *p)
{
    struct arrival *a = made_arrival(p);

    store_post(s, &(struct event){.kind = EVENT_PAGE,
                                  .at = a->reply.done_at,
                                  .page = {.arrival = a,
                                           .id = p->id,
                                           .dup_of = p->dup_of,
                                           .exact_dup = p->exact_dup,
                                           .hidden = p->hidden}});
    arrival_release(a);
}

void made_post(struct store *s, const struct made_page *p)
{
    char href[64];

    (void)snprintf(href, sizeof href, "http://a.test/%u", p->id);
    made_url(s, p->url ? p->url : p->id, p->href ? p->href : href);
    made_post_page(s, p);
}

void made_outcome(struct store *s, uint32_t url, const char *href, int status, enum drop why,
                  uint32_t redirect_to, bool is_final)
{
    struct arrival *a =
        made_arrival(&(struct made_page){.id = url, .href = href, .body = "gone, sorry"});

    a->page = NULL;
    a->reply.status = status;
    a->reply.head = status == 304 ? STR("HTTP/1.1 304 Not Modified\r\n\r\n")
                                  : STR("HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\n"
                                        "\r\n");
    if (status == 304)
        buf_clear(&a->reply.body);
    store_post(s, &(struct event){.kind = EVENT_OUTCOME,
                                  .at = a->reply.done_at,
                                  .outcome = {a, url, why, redirect_to, is_final}});
    arrival_release(a);
}

void made_robots(struct store *s, const char *href, const char *body)
{
    struct arrival *a = made_arrival(&(struct made_page){.id = 1, .href = href, .body = body});

    a->request->kind = REQUEST_ROBOTS;
    a->page = NULL;
    store_post(s,
               &(struct event){.kind = EVENT_RESOURCE, .at = MADE_AT, .resource = {.arrival = a}});
    arrival_release(a);
}

void made_key(struct store *s, const char *key, const char *value)
{
    store_post(
        s, &(struct event){.kind = EVENT_KEY, .at = MADE_AT, .key = {str_of(key), str_of(value)}});
}

void made_checkpoint(struct store *s, uint64_t pages)
{
    store_post(s, &(struct event){.kind = EVENT_CHECKPOINT,
                                  .at = MADE_AT,
                                  .checkpoint = {.frontier = STR("frontier"),
                                                 .model = STR("model"),
                                                 .engine = STR("engine"),
                                                 .pages = pages}});
}

struct store *made_store(const char *dir)
{
    struct store_config config = made_config();
    struct store *s = NULL;

    if (store_create(dir, &config, &s) != ST_OK)
        fail_msg("%s", status_text());
    return s;
}

void made_close(struct store *s)
{
    if (store_close(s, NULL, NULL) != ST_OK)
        fail_msg("%s", status_text());
}

static sqlite3_stmt *first_row(const char *dir, const char *sql, sqlite3 **db)
{
    char path[512];
    sqlite3_stmt *st = NULL;

    (void)snprintf(path, sizeof path, "%s/crawl.db", dir);
    assert_int_equal(sqlite3_open(path, db), SQLITE_OK);
    (void)sqlite3_busy_timeout(*db, 5000);
    (void)snprintf(path, sizeof path, "%s/index.db", dir);
    if (access(path, F_OK) == 0) {
        char *attach = sqlite3_mprintf("ATTACH %Q AS full_text", path);

        assert_int_equal(sqlite3_exec(*db, attach, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_free(attach);
    }
    if (sqlite3_prepare_v2(*db, sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(*db));
    (void)sqlite3_step(st);
    return st;
}

int64_t made_int(const char *dir, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *st = first_row(dir, sql, &db);
    int64_t value = sqlite3_column_int64(st, 0);

    (void)sqlite3_finalize(st);
    (void)sqlite3_close(db);
    return value;
}

const char *made_text(const char *dir, const char *sql)
{
    static char text[4096];
    sqlite3 *db;
    sqlite3_stmt *st = first_row(dir, sql, &db);
    const char *value = (const char *)sqlite3_column_text(st, 0);

    (void)snprintf(text, sizeof text, "%s", value ? value : "(null)");
    (void)sqlite3_finalize(st);
    (void)sqlite3_close(db);
    return text;
}
