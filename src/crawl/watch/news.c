/* news.c - which of the stored pages are news.
 *
 * In: events. Out: EVENT_NEWS, and announcements that wait for their commit in a
 * queue, oldest first. Workload: some pages a second, some announcements an hour.
 * SPDX-License-Identifier: MIT */
#include "crawl/watch/news.h"

#include "base/os/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "parse/date.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define DAY        (86400 * US_PER_S)
#define AGE_MOST   (31 * 86400) /* seconds; an Age header beyond this is ignored */
#define LIST_SHARE 0.6          /* of a page's words are in links: it is a list */

struct news_pending {
    struct news_item item; /* its strings stand behind the struct */
};

struct news {
    struct news_rules rules;
    struct bus *bus;
    struct map told;     /* keys of what was announced: texts at URLs, pages */
    struct map appeared; /* URLs that appeared on a known page */
    struct news_pending **queue;
    size_t first, count, cap;
    struct news_pending *taken; /* lent to the caller */
    uint32_t last;              /* number given last */
    uint32_t last_taken;
};

/* ---- an announcement ----------------------------------------------------- */

void news_urn(const struct news_item *item, char ret[NEWS_URN])
{
    static_assert(NEWS_URN == HASH_URN, "one form of urn:uuid");
    hash_urn((const uint64_t[2]){hash_str(item->url), item->hash}, ret);
}

void news_json(const struct news_item *item, struct buf *out)
{
    char urn[NEWS_URN], at[CLOCK_TEXT], date[CLOCK_TEXT];
    struct json j;

    news_urn(item, urn);
    clock_format(item->at, 3, at);
    clock_format(item->date, 0, date);
    json_begin(&j, out);
    json_put_z(&j, "at", at);
    json_put_str(&j, "url", item->url);
    json_put_str(&j, "title", item->title);
    json_put_z(&j, "date", item->date ? date : NULL);
    json_put_num(&j, "relevance", round(item->relevance * 1e6) / 1e6);
    json_put_z(&j, "change", item->version_of ? "changed" : "new");
    json_put_int(&j, "agent", item->agent);
    json_put_int(&j, "page", item->page);
    json_put_ref(&j, "version_of", item->version_of);
    json_put_z(&j, "id", urn);
    json_close(&j);
}

/* Returns where the text proper begins: after the headline, which is the title without the name of
 * the site ("Reefs - The Daily Coral"). The text before it is the site's menu. */
static struct str behind_headline(struct str title, struct str text)
{
    size_t at = str_find(title, STR(" - "), 0);

    at = at == SIZE_MAX ? str_find(title, STR(" | "), 0) : at;
    title = str_trim(str_sub(title, 0, at == SIZE_MAX ? title.len : at));
    at = title.len ? str_find(text, title, 0) : SIZE_MAX;
    return at == SIZE_MAX ? text : str_sub(text, at + title.len, text.len);
}

/* The beginning of a text, cut between two words, lines joined. */
static void summarise(struct str title, struct str whole, struct buf *out)
{
    struct str text = str_trim(behind_headline(title, whole));
    size_t end = text.len;

    if (end > NEWS_SUMMARY) {
        end = NEWS_SUMMARY;
        while (end > 0 && !ascii_is_space(text.ptr[end]))
            end--;
    }
    for (size_t i = 0; i < end; i++)
        buf_add_char(out, ascii_is_space(text.ptr[i]) ? ' ' : text.ptr[i]);
    if (end < text.len)
        buf_add_z(out, " …");
}

struct news_item news_of_row(struct query *q, const struct query_news *row, struct buf *text)
{
    struct buf whole = BUF_INIT(1 << 24);

    buf_clear(text);
    if (query_text(q, row->page->id, &whole) == ST_OK)
        summarise(row->page->title, buf_str(&whole), text);
    buf_free(&whole);
    return (struct news_item){.id = row->id,
                              .page = row->page->id,
                              .version_of = row->page->version_of,
                              .agent = row->page->agent,
                              .at = row->at,
                              .date = row->page->date,
                              .relevance = row->page->relevance,
                              .hash = row->page->hash,
                              .url = row->page->url,
                              .title = row->page->title,
                              .summary = buf_str(text)};
}

/* ---- what was announced -------------------------------------------------- */

static uint64_t text_key(struct str url, uint64_t hash)
{
    return hash_u64(hash_str(url) ^ hash_u64(hash));
}

static uint64_t page_key(uint32_t page)
{
    return hash_u64(page + (UINT64_C(1) << 40));
}

static void remember(struct news *n, struct str url, uint64_t hash, uint32_t page, uint32_t dup_of)
{
    map_set(&n->told, text_key(url, hash), 1);
    map_set(&n->told, page_key(page), 1);
    if (dup_of) /* its next duplicate names the same original */
        map_set(&n->told, page_key(dup_of), 1);
}

static enum status remember_row(void *ctx, const struct query_news *row)
{
    struct news *n = ctx;
    const struct query_page *p = row->page;

    remember(n, p->url, p->hash, p->id, p->dup_of);
    n->last = n->last_taken = row->id;
    return ST_OK;
}

static void note_appeared(void *ctx, uint32_t url)
{
    map_set(&((struct news *)ctx)->appeared, hash_u64(url), 1);
}

/* ---- the verdict --------------------------------------------------------- */

int64_t news_clock(const struct reply *reply)
{
    uint64_t age = 0;
    int64_t at;

    if (!date_http(str_trim(reply->date), &at))
        return reply->done_at;
    if (!str_to_u64(str_trim(reply->age), &age) || age > AGE_MOST)
        age = 0;
    return at + (int64_t)age * US_PER_S; /* a cache kept it for so long */
}

static bool is_list(const struct page *page)
{
    uint64_t linked = 0;

    if (page->kind == PAGE_FEED || page->kind == PAGE_SITEMAP)
        return true;
    for (uint32_t i = 0; i < page->nlinks; i++)
        linked += page->links[i].anchor.to - page->links[i].anchor.from;
    return (double)linked > LIST_SHARE * page->nwords;
}

/* Where the date of the document comes from; a feed's is not on the page itself. */
static enum date_source source_of(const struct event *e)
{
    const struct arrival *a = e->page.arrival;

    if (e->page.date == 0 || e->page.date == a->page->date)
        return a->page->date_source;
    return e->page.date == a->reply.started_at ? DATE_NONE : DATE_FEED;
}

static bool is_recent(const struct news *n, int64_t date, int64_t now)
{
    int64_t latest = date % DAY == 0 ? date + DAY - 1 : date; /* until the end of that day */

    if (n->rules.since && latest < n->rules.since)
        return false;
    return n->rules.max_age == 0 || now - latest <= n->rules.max_age;
}

/* A document that says when it was published. */
static bool dated_is_news(const struct news *n, const struct event *e)
{
    if (e->page.version_of && n->rules.changes == NEWS_NONE)
        return false;
    return is_recent(n, e->page.date, news_clock(&e->page.arrival->reply));
}

static bool undated_is_news(const struct news *n, const struct event *e, enum date_source source)
{
    const struct arrival *a = e->page.arrival;
    uint32_t url = a->request->choice.url;

    if (e->page.version_of ? n->rules.changes != NEWS_ALL
                           : map_get(&n->appeared, hash_u64(url)) == MAP_NONE)
        return false;
    if (source == DATE_NONE)
        return n->rules.since == 0 || e->at >= n->rules.since;
    return is_recent(n, e->page.date, news_clock(&a->reply));
}

static bool is_told(const struct news *n, const struct event *e)
{
    const struct arrival *a = e->page.arrival;

    return map_get(&n->told, text_key(a->request->href, a->payload_hash)) != MAP_NONE ||
           (e->page.dup_of && map_get(&n->told, page_key(e->page.dup_of)) != MAP_NONE);
}

static bool is_news(const struct news *n, const struct event *e)
{
    const struct arrival *a = e->page.arrival;
    enum date_source source = source_of(e);
    bool dated = source == DATE_META || source == DATE_URL || source == DATE_FEED;

    if (e->page.hidden || (double)a->profile.relevance < n->rules.relevant || is_list(a->page) ||
        is_told(n, e))
        return false;
    return dated ? dated_is_news(n, e) : undated_is_news(n, e, source);
}

/* ---- the bus ------------------------------------------------------------- */

static struct str place(char **at, struct str s)
{
    struct str copy = {*at, s.len};

    if (s.len)
        memcpy(*at, s.ptr, s.len);
    *at += s.len;
    return copy;
}

static void announce(struct news *n, const struct event *e)
{
    const struct arrival *a = e->page.arrival;
    struct event news = {.kind = EVENT_NEWS, .at = e->at};
    struct buf summary = BUF_INIT(NEWS_SUMMARY * 2);
    struct news_pending *p;
    char *at;

    summarise(a->page->title, a->page->text, &summary);
    p = mem_zero(1, sizeof *p + a->request->href.len + a->page->title.len + summary.len);
    at = (char *)(p + 1);
    p->item = (struct news_item){.id = ++n->last,
                                 .page = e->page.id,
                                 .version_of = e->page.version_of,
                                 .agent = a->request->choice.agent,
                                 .at = e->at,
                                 .date = e->page.date ? e->page.date : a->page->date,
                                 .relevance = (double)a->profile.relevance,
                                 .hash = a->payload_hash,
                                 .url = place(&at, a->request->href),
                                 .title = place(&at, a->page->title),
                                 .summary = place(&at, buf_str(&summary))};
    buf_free(&summary);
    MEM_GROW(n->queue, n->count, &n->cap);
    n->queue[n->count++] = p;
    remember(n, p->item.url, p->item.hash, p->item.page, e->page.dup_of);
    news.news.id = p->item.id;
    news.news.page = p->item.page;
    bus_post(n->bus, &news);
}

/* A later version of a page names URLs that no page named before. */
static void note_links(struct news *n, const struct arrival *a)
{
    for (uint32_t i = 0; i < a->page->nlinks; i++)
        if (a->marks[i].is_new && a->marks[i].url)
            note_appeared(n, a->marks[i].url);
}

static void on_event(void *ctx, const struct event *e)
{
    struct news *n = ctx;

    if (e->kind == EVENT_LINKS && e->links.page) {
        note_links(n, e->links.arrival); /* of a stored page that was looked at again */
    } else if (e->kind == EVENT_OUTCOME && e->outcome.redirect_to) {
        if (map_get(&n->appeared, hash_u64(e->outcome.url)) != MAP_NONE)
            note_appeared(n, e->outcome.redirect_to);
    } else if (e->kind == EVENT_PAGE) {
        if (is_news(n, e))
            announce(n, e);
        if (e->page.version_of)
            note_links(n, e->page.arrival);
        (void)map_remove(&n->appeared, hash_u64(e->page.arrival->request->choice.url));
    }
}

enum status news_open(const struct news_rules *rules, struct bus *bus, const char *dir,
                      struct news **ret)
{
    struct news *n = MEM_NEW(struct news);
    struct query *q = NULL;
    enum status st;

    n->rules = *rules;
    n->bus = bus;
    map_init(&n->told);
    map_init(&n->appeared);
    st = query_open(dir, &q);
    if (st == ST_OK)
        st = query_news(q, 0, UINT32_MAX, remember_row, n);
    if (st == ST_OK)
        st = query_appeared(q, note_appeared, n);
    query_close(q);
    if (st != ST_OK) {
        news_close(n);
        return st;
    }
    bus_join(bus, on_event, n);
    *ret = n;
    return ST_OK;
}

void news_close(struct news *n)
{
    if (n == NULL)
        return;
    while (n->first < n->count)
        free(n->queue[n->first++]);
    free(n->queue);
    free(n->taken);
    map_free(&n->told);
    map_free(&n->appeared);
    free(n);
}

bool news_take(struct news *n, uint64_t committed, struct news_item *ret)
{
    free(n->taken);
    n->taken = NULL;
    if (n->first == n->count || n->queue[n->first]->item.page > committed)
        return false;
    n->taken = n->queue[n->first++];
    if (n->first == n->count)
        n->first = n->count = 0;
    *ret = n->taken->item;
    n->last_taken = ret->id;
    return true;
}

uint32_t news_last(const struct news *n)
{
    return n->last_taken;
}
