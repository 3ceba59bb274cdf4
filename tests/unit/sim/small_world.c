/* small_world.c - a world written page by page. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "small_world.h"

#include "base/hash.h"
#include "base/limits.h"
#include "parse/page/page.h"
#include "parse/url_norm.h"
#include "store/store.h"

#include <math.h>
#include <string.h>

void small_begin(struct small_world *s, const char *dir)
{
    struct store_config c = {.warc = true,
                             .warc_level = 1,
                             .warc_size = 1000000,
                             .software = "test/1",
                             .robots = "obey"};

    *s = (struct small_world){.next_url = 1, .next_page = 1};
    if (store_create(dir, &c, &s->store) != ST_OK)
        fail_msg("%s", status_text());
    s->parser = page_parser_new();
    map_init(&s->urls);
    map_init(&s->pages);
}

static void post(struct small_world *s, struct event e, int64_t at)
{
    e.at = at;
    store_post(s->store, &e);
}

void small_end(struct small_world *s)
{
    post(s, (struct event){.kind = EVENT_CHECKPOINT, .checkpoint = {.pages = s->next_page - 1}}, 1);
    assert_int_equal(store_close(s->store, NULL, NULL), ST_OK);
    page_parser_free(s->parser);
    map_free(&s->urls);
    map_free(&s->pages);
}

static uint32_t url_number(struct small_world *s, struct str url)
{
    bool fresh = false;
    uint32_t number = *map_at(&s->urls, url_key(url), s->next_url, &fresh);

    s->next_url += fresh;
    if (fresh)
        post(s, (struct event){.kind = EVENT_URL, .url = {.id = number, .url = url}}, 1);
    return number;
}

static struct arrival *arrive(struct small_world *s, const char *url, int64_t at, int status,
                              const char *type, const char *to, const char *text)
{
    struct str scheme, host, path;
    uint16_t port;
    struct buf head = BUF_INIT(KIB(64));
    struct arrival *a;

    url_split(str_of(url), &scheme, &host, &port, &path);
    a = arrival_new(request_new(REQUEST_PAGE, str_of(url), host, STR(""), STR("")));
    buf_addf(&head, "HTTP/1.1 %d X\r\nContent-Type: %s\r\n", status, type);
    if (to)
        buf_addf(&head, "Location: %s\r\n", to);
    if (s->field)
        buf_addf(&head, "%s\r\n", s->field);
    buf_add_z(&head, "\r\n");
    s->field = NULL;
    a->reply.head = arena_str(&a->memory, buf_str(&head));
    buf_free(&head);
    a->reply.status = status;
    a->reply.content_type = arena_str(&a->memory, str_of(type));
    a->reply.started_at = at;
    a->reply.first_byte_at = a->reply.done_at = at + s->latency;
    buf_add_z(&a->reply.body, text);
    a->payload_hash = hash_str(buf_str(&a->reply.body));
    a->request->port = port;
    return a;
}

void small_page(struct small_world *s, const char *url, int64_t at, const char *html)
{
    struct arrival *a = arrive(s, url, at, 200, "text/html; charset=utf-8", NULL, html);
    struct page_input in = {.payload = buf_str(&a->reply.body),
                            .url = str_of(url),
                            .content_type = a->reply.content_type,
                            .now = at};
    uint32_t first, id = s->next_page++;

    a->request->choice.url = url_number(s, str_of(url));
    assert_int_equal(page_parse(s->parser, &in, &a->memory, &a->page), DROP_NONE);
    a->marks = arena_array(&a->memory, a->page->nlinks + 1, sizeof *a->marks);
    for (uint32_t i = 0; i < a->page->nlinks; i++)
        a->marks[i] = (struct link_mark){.url = url_number(s, a->page->links[i].url), .score = NAN};
    first = *map_at(&s->pages, url_key(str_of(url)), id, NULL);
    post(s,
         (struct event){.kind = EVENT_PAGE,
                        .page = {.arrival = a,
                                 .id = id,
                                 .hidden = s->hidden,
                                 .version_of = first == id ? 0 : first}},
         at);
    arrival_release(a);
}

void small_outcome(struct small_world *s, const char *url, int64_t at, int status, const char *to)
{
    struct arrival *a = arrive(s, url, at, status, "text/html", to, "nothing here");
    struct event e = {.kind = EVENT_OUTCOME, .outcome = {.arrival = a, .is_final = true}};

    e.outcome.url = a->request->choice.url = url_number(s, str_of(url));
    e.outcome.redirect_to = to ? url_number(s, str_of(to)) : 0;
    e.outcome.why = to ? DROP_NONE : DROP_STATUS;
    post(s, e, at);
    arrival_release(a);
}

void small_resource(struct small_world *s, const char *url, const char *type, const char *text)
{
    struct arrival *a = arrive(s, url, 1, 200, type, NULL, text);

    a->request->kind = REQUEST_ROBOTS;
    post(s, (struct event){.kind = EVENT_RESOURCE, .resource = {.arrival = a}}, 1);
    arrival_release(a);
}

void small_label(struct small_world *s, const char *url, const char *label)
{
    assert_int_equal(store_label(s->store, str_of(url), str_of(label)), ST_OK);
}

void small_key(struct small_world *s, const char *name, const char *value)
{
    post(s, (struct event){.kind = EVENT_KEY, .key = {str_of(name), str_of(value)}}, 1);
}
