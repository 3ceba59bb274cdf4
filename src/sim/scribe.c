/* scribe.c - writes a world in the form of a crawl.
 *
 * In: answers. Out: events for store/. It uses no clock: every time comes from the caller or counts
 * up from `begin`.
 *
 * Workload: 10^4 to 10^6 answers, one at a time; parsing and the store's queue
 * take nearly all of it.
 * SPDX-License-Identifier: MIT
 */
#include "sim/scribe.h"

#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "parse/http/head.h"
#include "parse/page/page.h"
#include "parse/url_norm.h"
#include "sim/make/site.h"
#include "base/os/dir.h"
#include "store/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STEP (10 * US_PER_MS) /* between two answers of the story */

static void post(struct scribe *s, struct event *e)
{
    e->at = e->at ? e->at : s->now;
    store_post(s->store, e);
}

/* ---- answers ------------------------------------------------------------- */

static const char *reason(int status)
{
    return status == 301   ? "Moved Permanently"
           : status == 302 ? "Found"
           : status == 410 ? "Gone"
           : status >= 400 ? "Not Found"
                           : "OK";
}

static struct str make_head(struct scribe *s, const struct scribe_answer *from, int status,
                            int64_t at)
{
    struct buf *h = &s->head;

    buf_clear(h);
    buf_addf(h, "HTTP/1.1 %d %s\r\nServer: brood-world\r\nDate: ", status, reason(status));
    site_http_date(at, h);
    if (from->type.len)
        buf_addf(h, "\r\nContent-Type: %.*s", STR_ARG(from->type));
    buf_addf(h, "\r\nContent-Length: %zu\r\n", from->body.len);
    if (from->location.len)
        buf_addf(h, "Location: %.*s\r\n", STR_ARG(from->location));
    if (status == 200)
        buf_addf(h, "ETag: \"%016llx\"\r\n", (unsigned long long)hash_str(from->body));
    if (from->modified) {
        buf_add_z(h, "Last-Modified: ");
        site_http_date(from->modified, h);
        buf_add_z(h, "\r\n");
    }
    buf_add_z(h, "\r\n");
    return buf_str(h);
}

/* Every host of the story has an address of its own in 127.0.0.0/8. */
static struct address address_of(struct str host)
{
    uint64_t h = hash_str(host);

    return (struct address){
        .family = 4,
        .bytes = {127, (uint8_t)(h >> 8), (uint8_t)(h >> 16), (uint8_t)(1 + (h >> 24) % 254)}};
}

struct arrival *scribe_arrive(struct scribe *s, const struct scribe_answer *from)
{
    struct str scheme, host, path, none = {"", 0};
    int status = from->status ? from->status : 200;
    int64_t at = from->at ? from->at : s->now;
    char sent[LIMIT_URL + 512];
    struct head_facts facts;
    uint16_t port;

    url_split(from->url, &scheme, &host, &port, &path);
    struct arrival *a = arrival_new(request_new(REQUEST_PAGE, from->url, host, none, none));
    struct reply *r = &a->reply;
    int len = snprintf(sent, sizeof sent, "GET %.*s HTTP/1.1\r\nHost: %.*s\r\nAccept: */*\r\n\r\n",
                       STR_ARG(path), STR_ARG(host));

    a->request->port = a->request->connect_port = port;
    a->request->tls = str_eq(scheme, STR("https"));
    a->request->address = address_of(host);
    r->sent = arena_str(&a->memory, (struct str){sent, (size_t)len});
    r->head = arena_str(&a->memory, from->head.len ? from->head : make_head(s, from, status, at));
    r->truncated = from->body.len > LIMIT_BODY;
    buf_add_str(&r->body, str_sub(from->body, 0, LIMIT_BODY));
    r->peer = a->request->address;
    r->connect_port = port;
    r->started_at = at;
    r->first_byte_at = at + from->latency * 5 / 6;
    r->done_at = at + from->latency;
    head_read(r, &a->memory, &facts);
    r->status = status;
    s->now += STEP;
    return a;
}

/* ---- pages --------------------------------------------------------------- */

uint32_t scribe_url(struct scribe *s, struct str url, bool is_seed)
{
    bool fresh = false;
    uint32_t *number = map_at(&s->urls, url_key(url), s->next_url, &fresh), n = *number;

    if (fresh) {
        s->next_url++;
        post(s, &(struct event){.kind = EVENT_URL, .url = {.id = n, .url = url, .seed = is_seed}});
    }
    return n;
}

/* Numbers the links of a page: some are known, others new. */
static void mark_links(struct scribe *s, struct arrival *a)
{
    a->marks = arena_array(&a->memory, a->page->nlinks + 1, sizeof *a->marks);
    for (uint32_t i = 0; a->marks && i < a->page->nlinks; i++) {
        bool fresh = false;
        uint32_t *number = map_at(&s->urls, a->page->links[i].key, s->next_url, &fresh);

        s->next_url += fresh;
        a->marks[i] = (struct link_mark){.url = *number, .score = NAN, .is_new = fresh};
    }
}

enum status scribe_parse(struct scribe *s, struct arrival *a, struct str payload)
{
    const struct reply *r = &a->reply;
    struct page_input in = {.payload = payload,
                            .url = a->request->href,
                            .content_type = r->content_type,
                            .content_language = r->content_language,
                            .last_modified = r->last_modified,
                            .link_header = r->link,
                            .now = r->done_at};

    a->payload_hash = hash_str(payload);
    if (page_parse(s->parser, &in, &a->memory, &a->page) != DROP_NONE)
        return status_fail(ST_INVALID, "%.*s is no document", STR_ARG(in.url));
    return ST_OK;
}

void scribe_put_page(struct scribe *s, struct arrival *a, const struct scribe_answer *from)
{
    a->request->choice.url = scribe_url(s, from->url, false);
    mark_links(s, a);
    post(s, &(struct event){.kind = EVENT_PAGE,
                            .at = a->reply.started_at,
                            .page = {.arrival = a,
                                     .id = ++s->pages,
                                     .dup_of = from->dup_of,
                                     .exact_dup = from->exact_dup,
                                     .version_of = from->version_of}});
}

enum status scribe_page(struct scribe *s, const struct scribe_answer *from)
{
    struct arrival *a = scribe_arrive(s, from);
    enum status st = scribe_parse(s, a, from->decoded.len ? from->decoded : from->body);

    if (st == ST_OK)
        scribe_put_page(s, a, from);
    arrival_release(a);
    return st;
}

/* ---- the rest ------------------------------------------------------------ */

void scribe_put_resource(struct scribe *s, struct arrival *a)
{
    a->request->kind = REQUEST_ROBOTS;
    post(s, &(struct event){
                .kind = EVENT_RESOURCE, .at = a->reply.started_at, .resource = {.arrival = a}});
}

void scribe_resource(struct scribe *s, const struct scribe_answer *from)
{
    struct arrival *a = scribe_arrive(s, from);

    scribe_put_resource(s, a);
    arrival_release(a);
}

static void put_outcome(struct scribe *s, const struct scribe_answer *from, enum drop why,
                        uint32_t redirect_to)
{
    uint32_t number = scribe_url(s, from->url, false);
    struct arrival *a = scribe_arrive(s, from);

    a->request->choice.url = number;
    post(s, &(struct event){.kind = EVENT_OUTCOME,
                            .at = a->reply.started_at,
                            .outcome = {.arrival = a,
                                        .url = number,
                                        .why = why,
                                        .redirect_to = redirect_to,
                                        .is_final = true}});
    arrival_release(a);
}

void scribe_outcome(struct scribe *s, const struct scribe_answer *from, struct str target)
{
    uint32_t to = target.len ? scribe_url(s, target, false) : 0;

    put_outcome(s, from, to ? DROP_NONE : DROP_STATUS, to);
}

/* No reason is given, because the URL was not dropped, and its last version stays in the crawl. */
void scribe_gone(struct scribe *s, struct str url, int64_t at)
{
    put_outcome(s,
                &(struct scribe_answer){.url = url,
                                        .status = 410,
                                        .type = STR("text/html; charset=utf-8"),
                                        .body = STR("<!DOCTYPE html>\n<title>Gone</title>\n"
                                                    "<p>This page is no more.</p>\n"),
                                        .at = at},
                DROP_NONE, 0);
}

void scribe_key(struct scribe *s, const char *name, struct str value)
{
    post(s, &(struct event){.kind = EVENT_KEY, .key = {str_of(name), value}});
}

enum status scribe_label(struct scribe *s, struct str url, struct str label)
{
    return store_label(s->store, url, label);
}

enum status scribe_checkpoint(struct scribe *s)
{
    struct event e = {.kind = EVENT_CHECKPOINT, .checkpoint = {.pages = s->pages}};
    char text[512];

    post(s, &e);
    enum status st = store_health(s->store, text, sizeof text);
    return st == ST_OK ? ST_OK : status_fail(st, "%s", text);
}

/* ---- the directory ------------------------------------------------------- */

enum status scribe_open(struct scribe *s, const char *dir, const char *software, int64_t begin)
{
    struct store_config config = {.warc = true,
                                  .warc_level = 1,
                                  .warc_size = UINT64_C(1000000000),
                                  .software = software,
                                  .robots = "obey",
                                  .full_text = false};
    enum status st;

    *s = (struct scribe){.next_url = 1, .now = begin, .head = BUF_INIT(KIB(64))};
    st = part_begin(dir, &s->part);
    if (st != ST_OK)
        return st;
    st = store_create(s->part, &config, &s->store);
    if (st != ST_OK)
        return part_end(s->part, dir, st);
    s->dir = str_dup(str_of(dir));
    s->parser = page_parser_new();
    map_init(&s->urls);
    return ST_OK;
}

enum status scribe_close(struct scribe *s, enum status st)
{
    if (st == ST_OK)
        st = scribe_checkpoint(s);
    if (st == ST_OK) {
        st = store_close(s->store, NULL, NULL);
    } else { /* the first failure is reported */
        char *why = str_dup(str_of(status_text()));

        (void)!store_close(s->store, NULL, NULL);
        (void)status_fail(st, "%s", why);
        free(why);
    }
    page_parser_free(s->parser);
    map_free(&s->urls);
    buf_free(&s->head);
    st = part_end(s->part, s->dir, st);
    free(s->dir);
    return st;
}
