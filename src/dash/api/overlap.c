/* overlap.c - which pages several crawls have found, and which only one of them.
 *
 * A page is its URL. Each crawl is entered in turn: one that runs may have more by the time
 * the last was read. Workload: 8 crawls of 100,000 pages, a map of 12 bytes a slot.
 * SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "base/map.h"
#include "dash/dash_int.h"

#include <stdlib.h>

#define CRAWLS 8 /* compared at once: bits of a mask */
#define SETS   (1 << CRAWLS)

struct overlap_query {
    char *ids;
};

static const struct option overlap_params[] = {
    {.name = "ids",
     .type = OPTION_TEXT,
     .metavar = "ID,ID",
     .help = "of crawls, at most 8",
     .offset = offsetof(struct overlap_query, ids)},
    {.name = NULL},
};

struct overlap {
    struct map urls; /* hash of a URL -> crawls that have it; << CRAWLS: that find it relevant */
    uint32_t bit;    /* of the crawl that is read */
    double threshold;
};

static enum status take_url(void *ctx, struct str url, double relevance)
{
    struct overlap *o = ctx;
    uint32_t *who = map_at(&o->urls, hash_str(url), 0, NULL);

    *who |= o->bit;
    if (relevance >= o->threshold)
        *who |= o->bit << CRAWLS;
    return ST_OK;
}

static enum status take_crawl(struct overlap *o, struct dash_crawl *c)
{
    enum status st = crawl_enter(c, false);

    if (st != ST_OK)
        return st;
    o->threshold = view_totals(c->view)->threshold;
    st = query_found(c->view, take_url, o);
    crawl_leave(c);
    return st;
}

/* ---- the answer ---------------------------------------------------------- */

struct shared {
    uint32_t who;
    uint64_t pages, relevant;
};

static int most_first(const void *a, const void *b)
{
    const struct shared *x = a, *y = b;

    if (x->pages != y->pages)
        return x->pages < y->pages ? 1 : -1;
    return (x->who > y->who) - (x->who < y->who);
}

static void count_url(void *ctx, uint64_t key, uint32_t value)
{
    struct shared *sets = ctx;

    (void)key;
    sets[value % SETS].pages++;
    sets[value % SETS].relevant += value >= SETS;
}

/* Writes the numbers of pages by the crawls that have them; relevant: for at least one of these. */
static void put_sets(struct json *j, const struct overlap *o)
{
    struct shared sets[SETS] = {{0}};

    for (uint32_t i = 0; i < SETS; i++)
        sets[i].who = i;
    map_each(&o->urls, count_url, sets);
    qsort(sets, SETS, sizeof *sets, most_first);
    json_open_array(j, "sets");
    for (uint32_t i = 0; i < SETS && sets[i].pages > 0; i++) {
        json_open_object(j, NULL);
        json_open_array(j, "in");
        for (int bit = 0; bit < CRAWLS; bit++)
            if (sets[i].who >> bit & 1)
                json_put_int(j, NULL, bit);
        json_close(j);
        json_put_int(j, "pages", (int64_t)sets[i].pages);
        json_put_int(j, "relevant", (int64_t)sets[i].relevant);
        json_close(j);
    }
    json_close(j);
}

static enum status api_overlap(struct call *r)
{
    struct str rest = str_of(((const struct overlap_query *)r->params)->ids), id;
    struct overlap o = {.bit = 1};
    enum status st = ST_OK;
    struct json j;

    map_init(&o.urls);
    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_open_array(&j, "ids");
    for (; st == ST_OK && str_cut(&rest, ',', &id); o.bit <<= 1) {
        struct dash_crawl *c = crawls_find(&r->dash->crawls, id);

        if (o.bit == SETS)
            st = status_fail(ST_USAGE, "at most %d crawls are compared", CRAWLS);
        else if (c == NULL)
            st = status_fail(ST_MISSING, "there is no crawl '%.*s'",
                             (int)(id.len < 40 ? id.len : 40), id.ptr);
        else
            st = take_crawl(&o, c);
        json_put_str(&j, NULL, id);
    }
    json_close(&j);
    json_put_int(&j, "pages", (int64_t)o.urls.count);
    put_sets(&j, &o);
    json_close(&j);
    map_free(&o.urls);
    return st;
}

const struct route overlap_routes[] = {
    {ROUTE_GET("/api/overlap", "which pages several crawls have found, by their URLs", api_overlap),
     PARAMS(overlap_params, struct overlap_query),
     .answer = "{ids: [ID], pages: N, sets: [{in: [place of a crawl in ids], pages, relevant: to "
               "one of them}]}: pages that these and no others have"},
    {.path = NULL},
};
