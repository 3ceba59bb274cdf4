/* arrive.c - handles arrivals: a page, a redirect, a failure, a host's robots.txt.
 *
 * In: arrivals from fetch, digested. The frontier judges each (frontier_replied), and a row
 * of on_verdict[] says what follows: links get their numbers, the model perceives the page or
 * learns that the visit failed, and an event is posted for the store.
 *
 * Thread: the mind. SPDX-License-Identifier: MIT */
#include "crawl/crawl_int.h"

#include "base/limits.h"
#include "base/os/clock.h"
#include "bus/bus.h"
#include "crawl/digest.h"
#include "crawl/judge/appraise.h"
#include "crawl/judge/judged.h"
#include "crawl/looks.h"
#include "crawl/node/node.h"
#include "crawl/repeats.h"
#include "crawl/watch/refresh.h"
#include "crawl/start/guesses.h"
#include "crawl/start/search_later.h"
#include "crawl/watch/prompt.h"
#include "crawl/tell/wordbook.h"
#include "frontier/frontier.h"
#include "text/vocab.h"

#include <math.h>
#include <stdio.h>

#define KEPT_WITHIN (50 * US_PER_MS) /* time to store a server's request for a pause */

void crawl_post(struct crawl *c, struct event *e)
{
    e->at = c->now;
    bus_post(c->bus, e);
}

/* The links of a page are one level deeper, up to the largest number. */
static uint16_t link_depth(const struct arrival *a)
{
    return (uint16_t)(a->request->depth + (a->request->depth < UINT16_MAX));
}

/* Gives every link its number and its verdict. */
static void mark_links(struct crawl *c, struct arrival *a, uint32_t page, enum feeding feed)
{
    bool nofollow = a->robots & ROBOTS_NOFOLLOW;
    struct naming by = {page, a->request->host_id, link_depth(a), feed};

    frontier_expect(c->frontier, a->page->links, a->page->nlinks);
    for (uint32_t i = 0; i < a->page->nlinks; i++) {
        const struct link *l = &a->page->links[i];
        struct link_mark *m = &a->marks[i];

        *m = (struct link_mark){.score = NAN};
        m->drop = (uint8_t)frontier_meet_from(c->frontier, l, &by, &m->url, &m->is_new);
        if ((m->drop == DROP_NONE || m->drop == DROP_FOREIGN) &&
            (nofollow || (l->rel & REL_NOFOLLOW)))
            m->drop = DROP_NOFOLLOW;
        m->taken = m->url && frontier_state(c->frontier, m->url) != URL_KNOWN;
        m->abroad = m->drop == DROP_FOREIGN && model_roams(c->model->ops);
    }
}

/* Models see links to hosts of other nodes like others; all others see that they are foreign. */
static void show_abroad(const struct crawl *c, struct arrival *a, enum drop as)
{
    for (uint32_t i = 0; c->node && i < a->page->nlinks; i++)
        if (a->marks[i].abroad) {
            a->marks[i].drop = (uint8_t)as;
            a->marks[i].taken = false;
        }
}

/* Is this the engine's own visit (of a retry), which no model asked for? */
static bool is_own(const struct choice *c)
{
    return c->agent == 0;
}

static void perceive(struct crawl *c, struct arrival *a, uint32_t page, enum change change,
                     int64_t date)
{
    struct percept p = {
        .choice = is_own(&a->request->choice) ? (struct choice){0} : a->request->choice,
        .page = page,
        .depth = a->request->depth,
        .first = change == CHANGE_NEW,
        .latency = a->reply.done_at - a->reply.started_at,
        .change = change,
        .date = refresh_by_our_clock(c, a, date),
        .body = a->page,
        .profile = &a->profile,
        .marks = a->marks,
    };

    wordbook_open(c->wordbook, a->page, &a->profile);
    show_abroad(c, a, DROP_NONE);
    c->model->ops->perceive(c->model, &p);
    show_abroad(c, a, DROP_FOREIGN);
    wordbook_close(c->wordbook);
    c->model_idle = false;
}

void crawl_learn_words(struct crawl *c, const struct arrival *a)
{
    if (c->fixed_vocab)
        return;
    vocab_add(c->vocab, &a->profile);
    if (!vocab_is_due(c->vocab))
        return;
    df_release(c->table);
    c->model_ctx.table = c->table = vocab_publish(c->vocab);
    if (c->digest) /* a simulated crawl has none */
        digest_publish(c->digest, df_hold(c->table));
    c->vocab_dirty = true;
}

void crawl_mark_apart(struct crawl *c, struct arrival *a)
{
    mark_links(c, a, 0, FEED_ALL);
    for (uint32_t i = 0; i < a->page->nlinks; i++) {
        const struct link_mark *m = &a->marks[i];

        if (m->is_new || m->url == 0)
            crawl_post_url(c, m->url, &a->page->links[i], 0, link_depth(a), m->drop);
    }
}

/* Posts all links in one event, so that the mind does not wait while 50,000 URLs are written. The
 * marks do not change any more. */
static void post_links(struct crawl *c, struct arrival *a, uint32_t page)
{
    crawl_post(c, &(struct event){.kind = EVENT_LINKS, .links = {.arrival = a, .page = page}});
}

/* The visit succeeded, but brought no page that is stored. */
static void post_done(struct crawl *c, struct arrival *a)
{
    crawl_post(c, &(struct event){.kind = EVENT_OUTCOME,
                                  .outcome = {.arrival = a,
                                              .url = a->request->choice.url,
                                              .why = DROP_NONE,
                                              .is_final = true}});
}

/* A sitemap is not a page: only its links count. */
static void on_sitemap(struct crawl *c, struct arrival *a)
{
    frontier_visited(c->frontier, a->request->choice.url, 0);
    mark_links(c, a, 0, FEED_ALL);
    prompts_hear(c, a);
    perceive(c, a, 0, a->request->choice.refresh ? CHANGE_NONE : CHANGE_NEW, refresh_date(c, a));
    post_links(c, a, 0);
    post_done(c, a);
}

/* A refresh brought the stored text: there is no page to store, but there may be new links. */
static void on_unchanged(struct crawl *c, struct arrival *a, const struct kept *kept)
{
    uint32_t page = kept->page;
    int64_t date = kept->date;

    mark_links(c, a, page, FEED_ALL);
    feed_dates_note(c->feed_dates, a);
    prompts_hear(c, a);
    perceive(c, a, page, CHANGE_NONE, date);
    c->look_up->ops->confirm(c, page, a);
    post_links(c, a, page);
    post_done(c, a);
}

/* Finds which page it repeats, and what its links are worth then. Versions of one URL resemble each
 * other, and are not counted as duplicates. */
static enum feeding find_duplicate(struct crawl *c, const struct arrival *a, struct event *e)
{
    uint32_t url = a->request->choice.url, first = e->page.version_of;

    if (!a->alone)
        e->page.dup_of =
            frontier_duplicate(c->frontier, e->page.id, a->payload_hash, a->profile.simhash,
                               a->page->nwords, &e->page.exact_dup);
    if (first && e->page.dup_of && refresh_is_version(c, e->page.dup_of, first)) {
        e->page.dup_of = 0;
        e->page.exact_dup = false;
    }
    return frontier_feed(c->frontier, url, e->page.dup_of, e->page.exact_dup);
}

static void on_page(struct crawl *c, struct arrival *a, enum drop why)
{
    struct event e = {.kind = EVENT_PAGE, .page = {.arrival = a}};
    uint32_t id, url = a->request->choice.url;
    struct kept kept = {0};
    enum change change;

    (void)why;
    c->open--;
    if (a->page->kind == PAGE_SITEMAP) {
        on_sitemap(c, a);
        return;
    }
    change = refresh_judge(c, a, &kept);
    if (change == CHANGE_NONE) {
        on_unchanged(c, a, &kept);
        return;
    }
    id = (uint32_t)++c->pages;
    pace_page(&c->pace, c->now, a->reply.done_at - a->reply.started_at, c->pages,
              (uint64_t)c->options->pages);
    if (change == CHANGE_NEW)
        frontier_earned(c->frontier, url, a->profile.relevance);
    frontier_visited(c->frontier, url, id);
    e.page.id = id;
    e.page.date = refresh_date(c, a);
    e.page.version_of = change == CHANGE_TEXT ? kept.first : 0;
    e.page.hidden = a->robots & ROBOTS_NOINDEX;
    mark_links(c, a, id, find_duplicate(c, a, &e));
    feed_dates_note(c->feed_dates, a);
    prompts_hear(c, a);
    if (c->look_up)
        c->look_up->ops->keep(c, a, id, change == CHANGE_TEXT ? e.page.version_of : id,
                              e.page.date);
    perceive(c, a, id, change, e.page.date);
    crawl_learn_words(c, a);
    search_later_hear(c, a);
    c->duplicates += e.page.dup_of != 0;
    c->relevance_sum += (double)a->profile.relevance;
    c->relevant += (double)a->profile.relevance >= c->options->relevant;
    if (c->repeats != NULL)
        repeats_take_out(c->repeats, a->request->host_id, a->page);
    judged_page(c, id, a);
    appraise_page(c, id, a);
    crawl_post(c, &e);
    if (!e.page.hidden && !(a->robots & ROBOTS_NOARCHIVE))
        looks_page(c, a, id);
}

/* 304: the stored page is still valid, and is perceived as it was. The request was conditional only
 * because the page was available; if the archive cannot be read a moment later, the visit fails. */
static void on_same(struct crawl *c, struct arrival *a, enum drop why)
{
    const struct choice *choice = &a->request->choice;
    struct percept p;

    (void)why;
    c->open--;
    c->model_idle = false;
    if (c->look_up && look_up_page(c, choice->url, &p)) {
        p.choice = is_own(choice) ? (struct choice){0} : *choice;
        p.latency = a->reply.done_at - a->reply.started_at;
        p.change = CHANGE_NONE;
        p.date = refresh_by_our_clock(c, a, p.date);
        c->model->ops->perceive(c->model, &p);
    } else if (!is_own(choice)) {
        c->model->ops->failed(c->model, choice, DROP_STATUS);
    }
    post_done(c, a);
}

static void complain(struct crawl *c, const struct arrival *a, enum drop why)
{
    if (a->request->depth > 0 || c->complaint[0] != '\0')
        return;
    if (a->reply.error == FETCH_REFUSED && !c->options->allow_private)
        (void)snprintf(c->complaint, sizeof c->complaint,
                       "%.*s: %.*s (--allow-private lifts the guard over private addresses)",
                       STR_ARG(a->request->href), STR_ARG(a->reply.error_text));
    else if (a->reply.error != FETCH_OK && a->reply.error_text.len > 0)
        (void)snprintf(c->complaint, sizeof c->complaint, "%.*s: %.*s", STR_ARG(a->request->href),
                       STR_ARG(a->reply.error_text));
    else if (why == DROP_STATUS)
        (void)snprintf(c->complaint, sizeof c->complaint, "%.*s: the server answered %d",
                       STR_ARG(a->request->href), a->reply.status);
    else
        (void)snprintf(c->complaint, sizeof c->complaint, "%.*s: %s", STR_ARG(a->request->href),
                       drop_sentence(why));
}

/* A visit that a rule or a limit of the crawl prevents is not a failure, nor is a redirect to a
 * page that we have or to a host of another node. */
static bool is_failure(enum drop why)
{
    switch (why) {
    case DROP_SCOPE:
    case DROP_SEEN:
    case DROP_ROBOTS:
    case DROP_NOFOLLOW:
    case DROP_TRAP:
    case DROP_BUDGET:
    case DROP_DEPTH:
    case DROP_LIMIT:
    case DROP_MODEL:
    case DROP_FORGOTTEN:
    case DROP_FOREIGN:
    case DROP_MISSING:
        return false;
    default:
        return true;
    }
}

void crawl_visit_failed(struct crawl *c, const struct choice *choice, enum drop why)
{
    c->open--;
    c->failed += is_failure(why) && !guesses_have(c, choice->url);
    c->model_idle = false;
    if (!is_own(choice))
        c->model->ops->failed(c->model, choice, why);
}

static void on_failed(struct crawl *c, struct arrival *a, enum drop why)
{
    complain(c, a, why);
    crawl_visit_failed(c, &a->request->choice, why);
    crawl_post(c, &(struct event){.kind = EVENT_OUTCOME,
                                  .outcome = {.arrival = a,
                                              .url = a->request->choice.url,
                                              .why = why,
                                              .is_final = true}});
}

/* A server asked for a long pause: stores it soon, so that a killed crawl knows of it when it is
 * resumed. */
static void keep_soon(struct crawl *c, const struct arrival *a)
{
    int64_t soon = c->now + KEPT_WITHIN;

    if (a->reply.retry_after.len > 0 && c->checkpoint_at > soon)
        c->checkpoint_at = soon;
}

static void on_retry(struct crawl *c, struct arrival *a, enum drop why)
{
    keep_soon(c, a);
    crawl_post(c, &(struct event){.kind = EVENT_OUTCOME,
                                  .outcome = {.arrival = a,
                                              .url = a->request->choice.url,
                                              .why = why,
                                              .is_final = false}});
}

/* The same visit goes on at the target, unless a rule forbids it there. */
static void on_redirect(struct crawl *c, struct arrival *a, enum drop why)
{
    struct event e = {.kind = EVENT_OUTCOME, .outcome = {.arrival = a, .is_final = true}};
    uint32_t target;

    e.outcome.url = a->request->choice.url;
    target = crawl_meet_location(c, a, &why);
    guesses_follow(c, a->request->choice.url, target);
    if (why == DROP_NONE)
        why = frontier_redirect(c->frontier, a, target, c->now);
    e.outcome.why = why == DROP_SEEN ? DROP_NONE : why;
    e.outcome.redirect_to = target;
    crawl_post(c, &e);
    if (why != DROP_NONE) {
        complain(c, a, why);
        crawl_visit_failed(c, &a->request->choice, why);
    }
}

/* To the model it is the link of a page that says nothing about the topic. */
void crawl_offer(struct crawl *c, struct str text, uint8_t kind, uint32_t host)
{
    enum drop why;
    uint32_t url = crawl_meet(c, text, kind, host, 1, &why);
    struct link_mark mark = {.url = url, .score = NAN};
    struct link link = {.kind = kind};
    struct page nothing = {.kind = PAGE_SITEMAP, .links = &link, .nlinks = 1};
    struct profile profile = {0};
    struct percept p = {.body = &nothing, .profile = &profile, .marks = &mark};

    if (url == 0 || why != DROP_NONE || frontier_state(c->frontier, url) != URL_KNOWN)
        return;
    c->model->ops->perceive(c->model, &p);
    c->model_idle = false;
}

/* Offers the sitemaps that robots.txt files name. */
static void offer_sitemaps(struct crawl *c)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_URL);
    uint32_t host;

    while (frontier_sitemap(c->frontier, &text, &host)) {
        crawl_offer(c, buf_str(&text), LINK_SITEMAP, host);
        buf_clear(&text);
    }
}

static void on_service(struct crawl *c, struct arrival *a, enum drop why)
{
    if (a->reply.error != FETCH_OK && c->pages == 0)
        complain(c, a, why); /* more precise than "the host is dead" later */
    if (a->request->kind == REQUEST_ROBOTS && a->reply.status > 0)
        crawl_post(c, &(struct event){.kind = EVENT_RESOURCE, .resource = {.arrival = a}});
    offer_sitemaps(c);
}

typedef void arrival_fn(struct crawl *c, struct arrival *a, enum drop why);

static arrival_fn *const on_verdict[] = {
    [VERDICT_PAGE] = on_page,   [VERDICT_SAME] = on_same,     [VERDICT_REDIRECT] = on_redirect,
    [VERDICT_RETRY] = on_retry, [VERDICT_FAILED] = on_failed, [VERDICT_SERVICE] = on_service,
};

void crawl_arrived(struct crawl *c, struct arrival *a)
{
    struct reply_verdict v = frontier_replied(c->frontier, a, c->now);

    c->waits.under_way[a->request->kind]--;
    node_flies(c, a->request->host, -1);
    memory_arrived(&c->memory, a);
    if (a->request->kind == REQUEST_PAGE && v.verdict != VERDICT_PAGE)
        pace_miss(&c->pace);
    if (a->request->kind == REQUEST_PAGE && choice_is_requisite(&a->request->choice))
        looks_arrived(c, a, v);
    else
        on_verdict[v.verdict](c, a, v.why);
    arrival_release(a);
}
