/* looks.c - fetches the requisites of stored pages. See looks.h.
 *
 *   page stored -> a job: its list of URLs, the first of them with the frontier
 *   reply       -> archived; a style sheet of the page adds what it names; the next URL
 *   list empty, or too many bytes -> the job is over
 *
 * A job has one request with the frontier at a time. So its bytes are counted before the next
 * request, and a page with fifty images does not keep other pages waiting.
 * Workload: some 20 requisites for each page.
 * SPDX-License-Identifier: MIT */
#include "crawl/looks.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "crawl/crawl_int.h"
#include "parse/page/requisites.h"
#include "parse/tdmrep.h"

#include <stdlib.h>

struct job {
    uint32_t page;  /* 0: this place is free */
    uint32_t asked; /* the URL that is with the frontier */
    uint32_t host;  /* host that is charged for the URLs found */
    uint16_t depth;
    uint64_t bytes;  /* received */
    uint32_t direct; /* URLs that the page itself names; the rest are from its style sheets */
    uint32_t at, count;
    uint32_t urls[LIMIT_REQUISITES_PAGE];
};

struct looks {
    struct job **jobs;
    size_t njobs, cap;
    uint32_t *free; /* places */
    size_t nfree, free_cap;
    struct map by_url; /* hash of the URL that is asked for -> its job */
    struct map hosts;  /* hash of a host's number -> 1: its wishes were asked for */
    uint32_t open;
    uint64_t count, bytes; /* stored */
};

struct looks *looks_new(void)
{
    struct looks *l = MEM_NEW(struct looks);

    map_init(&l->by_url);
    map_init(&l->hosts);
    return l;
}

void looks_free(struct looks *l)
{
    if (l == NULL)
        return;
    for (size_t i = 0; i < l->njobs; i++)
        free(l->jobs[i]);
    free(l->jobs);
    free(l->free);
    map_free(&l->by_url);
    map_free(&l->hosts);
    free(l);
}

uint32_t looks_open(const struct looks *l)
{
    return l ? l->open : 0;
}

uint64_t looks_count(const struct looks *l, uint64_t *ret_bytes)
{
    *ret_bytes = l ? l->bytes : 0;
    return l ? l->count : 0;
}

/* A host may ask for a pause of a day: the crawl does not wait for that. */
bool looks_wait(const struct crawl *c)
{
    return c->looks && c->looks->open > 0 &&
           frontier_counts(c->frontier).waiting + frontier_in_flight(c->frontier) > 0 &&
           c->looks->open > frontier_away(c->frontier, c->now, INT64_MAX);
}

/* ---- jobs ---- */

static uint32_t job_new(struct looks *l)
{
    uint32_t place;

    if (l->nfree > 0) {
        place = l->free[--l->nfree];
    } else {
        MEM_GROW(l->jobs, l->njobs, &l->cap);
        place = (uint32_t)l->njobs++;
    }
    l->jobs[place] = MEM_NEW(struct job);
    return place;
}

static void job_end(struct looks *l, uint32_t place)
{
    free(l->jobs[place]);
    l->jobs[place] = NULL;
    MEM_GROW(l->free, l->nfree, &l->free_cap);
    l->free[l->nfree++] = place;
}

static void job_asks(struct looks *l, uint32_t place, uint32_t url)
{
    l->jobs[place]->asked = url;
    map_set(&l->by_url, hash_u64(url), place);
    l->open++;
}

/* Returns the job that waited for this URL; NULL if there is none, which only a forged checkpoint
 * can cause. */
static struct job *job_of(struct looks *l, uint32_t url, uint32_t *ret_place)
{
    uint32_t place = map_get(&l->by_url, hash_u64(url));

    if (place == MAP_NONE)
        return NULL;
    map_remove(&l->by_url, hash_u64(url));
    l->open--;
    *ret_place = place;
    return l->jobs[place];
}

static void post_drop(struct crawl *c, uint32_t url, enum drop why)
{
    struct event e = {.kind = EVENT_DROP, .drop = {.id = url, .why = why, .requisite = true}};
    struct url_view view;

    if (frontier_url(c->frontier, url, &view))
        e.drop.url = view.href;
    crawl_post(c, &e);
}

/* Requests the next URL of the job that is not stored yet, or ends the job. */
static void job_next(struct crawl *c, uint32_t place)
{
    struct looks *l = c->looks;
    struct job *j = l->jobs[place];

    while (j->at < j->count && j->bytes < LIMIT_REQUISITES_VOLUME && l->count < LIMIT_REQUISITES &&
           l->bytes < LIMIT_REQUISITES_BYTES) {
        struct choice choice = {.url = j->urls[j->at++], .agent = AGENT_REQUISITE};
        enum drop why = frontier_add(c->frontier, &choice, c->now);

        if (why == DROP_NONE) {
            job_asks(l, place, choice.url);
            return;
        }
        if (why != DROP_SEEN)
            post_drop(c, choice.url, why);
    }
    job_end(l, place);
}

/* Gives the URLs that were found their numbers. */
static void job_add(struct crawl *c, struct job *j, const struct requisites *found)
{
    for (uint32_t i = 0; i < found->count && j->count < LIMIT_REQUISITES_PAGE; i++) {
        enum drop why;
        uint32_t url = crawl_meet(c, found->urls[i], LINK_REQUISITE, j->host, j->depth, &why);

        if (url != 0 && why == DROP_NONE && frontier_state(c->frontier, url) == URL_KNOWN)
            j->urls[j->count++] = url;
    }
}

/* "http://a.test:81/b" -> "http://a.test:81". */
static struct str origin_of(struct str href)
{
    size_t slashes = str_find(href, STR("//"), 0);
    size_t end = slashes == SIZE_MAX ? SIZE_MAX : str_find_char(href, '/', slashes + 2);

    return end == SIZE_MAX ? href : str_sub(href, 0, end);
}

/* Adds the host's tdmrep.json to the URLs of the job, once. */
static void add_wishes(struct crawl *c, struct job *j, const struct arrival *a)
{
    LOCAL_BUF url = BUF_INIT(LIMIT_URL);
    uint64_t host = hash_u64(a->request->host_id);
    enum drop why;
    uint32_t id;

    if (!c->options->wishes || map_get(&c->looks->hosts, host) != MAP_NONE)
        return;
    map_set(&c->looks->hosts, host, 1);
    buf_add_str(&url, origin_of(a->request->href));
    buf_add_z(&url, TDMREP_PATH);
    id = url.full ? 0 : crawl_meet(c, buf_str(&url), LINK_REQUISITE, j->host, j->depth, &why);
    if (id != 0 && why == DROP_NONE && frontier_state(c->frontier, id) == URL_KNOWN)
        j->urls[j->count++] = id;
}

/* Stores the rules of a tdmrep.json, for query_use(). */
static void keep_wishes(struct crawl *c, const struct arrival *a)
{
    struct str origin = origin_of(a->request->href);
    LOCAL_BUF key = BUF_INIT(LIMIT_URL);

    buf_add_z(&key, "tdm.");
    buf_add_str(&key, str_sub(origin, str_find(origin, STR("//"), 0) + 2, origin.len));
    if (!key.full)
        crawl_post(c, &(struct event){.kind = EVENT_KEY, .key = {buf_str(&key), a->use}});
}

void looks_page(struct crawl *c, const struct arrival *a, uint32_t page)
{
    struct looks *l = c->looks;
    uint32_t place;
    struct job *j;

    if (l == NULL || l->njobs - l->nfree >= LIMIT_REQUISITES_PAGES)
        return;
    place = job_new(l);
    j = l->jobs[place];
    j->page = page;
    j->host = a->request->host_id;
    j->depth = a->request->depth > 0 ? a->request->depth : 1; /* 0 is a seed's */
    add_wishes(c, j, a);
    if (a->requisites)
        job_add(c, j, a->requisites);
    j->direct = j->count;
    job_next(c, place);
}

/* ---- what came ---- */

static void store(struct crawl *c, struct job *j, struct arrival *a)
{
    struct looks *l = c->looks;

    frontier_visited(c->frontier, a->request->choice.url, 0);
    j->bytes += a->reply.body.len;
    if (a->reply.truncated || a->robots & (ROBOTS_NOARCHIVE | ROBOTS_NOINDEX))
        return;
    if (a->use.len > 0)
        keep_wishes(c, a);
    if (!str_ends(a->request->href, STR(TDMREP_PATH))) {
        l->count++;
        l->bytes += a->reply.body.len;
    }
    crawl_post(c, &(struct event){.kind = EVENT_RESOURCE, .resource = {.arrival = a}});
    if (a->requisites && j->at <= j->direct)
        job_add(c, j, a->requisites);
}

/* Continues the same job at the target. Returns true if it now waits there. */
static bool redirect(struct crawl *c, uint32_t place, struct arrival *a)
{
    enum drop why = DROP_NONE;
    uint32_t target = crawl_meet_location(c, a, &why);
    struct event e = {.kind = EVENT_OUTCOME, .outcome = {.arrival = a, .is_final = true}};

    if (why == DROP_NONE)
        why = frontier_redirect(c->frontier, a, target, c->now);
    e.outcome.url = a->request->choice.url;
    e.outcome.why = why == DROP_SEEN ? DROP_NONE : why;
    e.outcome.redirect_to = target;
    crawl_post(c, &e);
    if (why == DROP_NONE)
        job_asks(c->looks, place, target);
    return why == DROP_NONE;
}

static void failed(struct crawl *c, struct arrival *a, enum drop why)
{
    crawl_post(c, &(struct event){.kind = EVENT_OUTCOME,
                                  .outcome = {.arrival = a,
                                              .url = a->request->choice.url,
                                              .why = why,
                                              .is_final = true}});
}

void looks_arrived(struct crawl *c, struct arrival *a, struct reply_verdict v)
{
    uint32_t place;
    struct job *j;

    if (v.verdict == VERDICT_RETRY || c->looks == NULL)
        return;
    j = job_of(c->looks, a->request->choice.url, &place);
    if (j == NULL)
        return;
    if (v.verdict == VERDICT_PAGE)
        store(c, j, a);
    else if (v.verdict == VERDICT_REDIRECT && redirect(c, place, a))
        return;
    else if (v.verdict == VERDICT_FAILED)
        failed(c, a, v.why);
    job_next(c, place);
}

void looks_dropped(struct crawl *c, const struct choice *choice, enum drop why)
{
    uint32_t place;

    post_drop(c, choice->url, why);
    if (c->looks && job_of(c->looks, choice->url, &place))
        job_next(c, place);
}

/* ---- checkpoint ---- */

void looks_save(const struct looks *l, struct buf *out)
{
    buf_put_u64(out, l->count);
    buf_put_u64(out, l->bytes);
    buf_put_u32(out, (uint32_t)(l->njobs - l->nfree));
    for (size_t i = 0; i < l->njobs; i++) {
        const struct job *j = l->jobs[i];

        if (j == NULL)
            continue;
        buf_put_u32(out, j->page);
        buf_put_u32(out, j->asked);
        buf_put_u32(out, j->host);
        buf_put_u32(out, j->depth);
        buf_put_u64(out, j->bytes);
        buf_put_u32(out, j->at);
        buf_put_u32(out, j->direct);
        buf_put_u32(out, j->count);
        for (uint32_t k = 0; k < j->count; k++)
            buf_put_u32(out, j->urls[k]);
    }
}

enum status looks_load(struct looks *l, struct cursor *from)
{
    uint32_t jobs;

    l->count = cursor_u64(from);
    l->bytes = cursor_u64(from);
    jobs = cursor_u32(from);
    if (jobs > LIMIT_REQUISITES_PAGES)
        return status_fail(ST_CORRUPT, "the checkpoint has too many page requisites");
    for (uint32_t i = 0; i < jobs && !from->bad; i++) {
        uint32_t place = job_new(l);
        struct job *j = l->jobs[place];

        j->page = cursor_u32(from);
        job_asks(l, place, cursor_u32(from));
        j->host = cursor_u32(from);
        j->depth = (uint16_t)cursor_u32(from);
        j->bytes = cursor_u64(from);
        j->at = cursor_u32(from);
        j->direct = cursor_u32(from);
        j->count = cursor_u32(from);
        if (j->count > LIMIT_REQUISITES_PAGE || j->at > j->count)
            from->bad = true;
        for (uint32_t k = 0; k < j->count && !from->bad; k++)
            j->urls[k] = cursor_u32(from);
    }
    return from->bad ? status_fail(ST_CORRUPT, "the checkpoint is cut in its page requisites")
                     : ST_OK;
}
