/* meter_news.c - measures the changes of a web, which were seen in time, and what was sent.
 * SPDX-License-Identifier: MIT */
#include "lab/run/meter_news.h"

#include "base/mem.h"
#include "base/order.h"
#include "sim/web/web.h"

#include <math.h>
#include <stdlib.h>

/* The version of a page that the crawl has reached. */
struct metered_page {
    uint32_t seen, told; /* versions, from the first on */
};

struct news_meter {
    const struct truth *truth;
    int64_t begin;

    struct metered_page *places; /* by URL of the web; NULL: nothing changes */
    int64_t *changes;            /* when, ascending: those that count */
    size_t nchanges, changes_cap, happened;
    uint64_t seen, told, false_alarms;

    uint32_t *source_of; /* by URL of the crawl: of the web, or 0 */
    size_t nsources;
    bool *has_news; /* by URL of the web */
    uint32_t *urls; /* those */
    size_t nurls, urls_cap;

    uint64_t downloads, sent, found, diverged;
    struct {
        uint64_t downloads, sent, found; /* at the last point */
        double efficiency;               /* of the last window; NAN: there is none */
        double sum, steps;               /* of efficiencies, of differences between them */
        uint64_t count;
    } window;
};

struct news_meter *news_new(const struct truth *t, bool moves)
{
    struct news_meter *n = MEM_NEW(struct news_meter);

    n->truth = t;
    n->window.efficiency = NAN;
    n->has_news = mem_zero((size_t)t->urls + 1, sizeof *n->has_news);
    if (moves)
        n->places = mem_zero((size_t)t->urls + 1, sizeof *n->places);
    return n;
}

void news_free(struct news_meter *n)
{
    if (n == NULL)
        return;
    free(n->places);
    free(n->changes);
    free(n->source_of);
    free(n->has_news);
    free(n->urls);
    free(n);
}

/* ---- changes ------------------------------------------------------------- */

static bool counts(const struct news_meter *n, uint32_t url)
{
    return n->truth->is_reachable == NULL || n->truth->is_reachable[url];
}

ORDER(by_time, int64_t, UP_VALUE)

static void add_changes(struct news_meter *n, uint32_t url)
{
    uint32_t first, count = web_history(n->truth->web, url, &first);

    for (uint32_t v = first; v < first + count; v++) {
        int64_t at = web_version_since(n->truth->web, v);

        if (at <= n->begin || !web_version_is_change(n->truth->web, v))
            continue;
        MEM_GROW(n->changes, n->nchanges, &n->changes_cap);
        n->changes[n->nchanges++] = at;
    }
}

void news_begin(struct news_meter *n, int64_t at)
{
    n->begin = at;
    if (n->places == NULL)
        return;
    for (uint32_t url = 1; url <= n->truth->urls; url++)
        if (counts(n, url))
            add_changes(n, url);
    if (n->nchanges)
        qsort(n->changes, n->nchanges, sizeof *n->changes, by_time);
}

/* Goes on along the versions of a page to the one of `at`; how many real changes that
 * were, and how many of them count and are not older than a day. */
static uint32_t walk(const struct news_meter *n, uint32_t url, int64_t at, uint32_t *place,
                     uint64_t *in_time)
{
    const struct web *w = n->truth->web;
    uint32_t first, count = web_history(w, url, &first), changes = 0;

    for (; *place < count; ++*place) {
        int64_t since = web_version_since(w, first + *place);

        if (since > at)
            break;
        if (!web_version_is_change(w, first + *place))
            continue;
        changes++;
        *in_time += counts(n, url) && since > n->begin && at - since <= NEWS_DAY;
    }
    return changes;
}

void news_look(struct news_meter *n, uint32_t url, int64_t at, bool stored)
{
    struct metered_page *p;
    bool is_later;

    if (n->places == NULL)
        return;
    p = &n->places[url];
    is_later = p->told > 0;
    (void)walk(n, url, at, &p->seen, &n->seen);
    if (stored && walk(n, url, at, &p->told, &n->told) == 0 && is_later)
        n->false_alarms++;
}

/* ---- what is sent -------------------------------------------------------- */

void news_answer(struct news_meter *n, const struct arrival *a)
{
    uint32_t url;

    if (a == NULL)
        return;
    n->downloads++;
    if (a->request == NULL || a->source > n->truth->urls)
        return;
    url = a->request->choice.url;
    if (url >= n->nsources) {
        size_t more = (size_t)url * 2 + 64;

        n->source_of = mem_resize(n->source_of, more, sizeof *n->source_of);
        for (size_t i = n->nsources; i < more; i++)
            n->source_of[i] = 0;
        n->nsources = more;
    }
    if (a->source)
        n->source_of[url] = a->source;
}

void news_sent(struct news_meter *n, const struct event *e)
{
    uint32_t url = e->sent.url < n->nsources ? n->source_of[e->sent.url] : 0;

    n->sent++;
    n->found += e->sent.relevant;
    if (!e->sent.relevant || url == 0 || n->has_news[url])
        return;
    n->has_news[url] = true;
    MEM_GROW(n->urls, n->nurls, &n->urls_cap);
    n->urls[n->nurls++] = url;
}

/* Counts agents whose message says that their values diverged. */
void news_message(struct news_meter *n, const struct event *e)
{
    n->diverged += str_eq(e->message.performative, STR("failure")) &&
                   str_starts(e->message.content, STR("values diverged"));
}

const uint32_t *news_urls(const struct news_meter *n, size_t *ret_count)
{
    *ret_count = n->nurls;
    return n->urls;
}

/* ---- rows ---------------------------------------------------------------- */

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

static void end_window(struct news_meter *n, double *row)
{
    uint64_t downloads = n->downloads - n->window.downloads, found = n->found - n->window.found;
    double efficiency = n->sent ? ratio(found, downloads) : NAN;

    row[METRIC_WINDOW_EFFICIENCY] = efficiency;
    row[METRIC_WINDOW_SENT] = ratio(found, n->sent - n->window.sent);
    n->window.downloads = n->downloads;
    n->window.sent = n->sent;
    n->window.found = n->found;
    if (isnan(efficiency))
        return;
    if (n->window.count++ > 0)
        n->window.steps += fabs(efficiency - n->window.efficiency);
    n->window.efficiency = efficiency;
    n->window.sum += efficiency;
}

static double roughness(const struct news_meter *n)
{
    double count = (double)n->window.count;

    if (n->window.count < 2 || n->window.sum <= 0)
        return NAN;
    return n->window.steps / (count - 1) / (n->window.sum / count);
}

void news_row(struct news_meter *n, int64_t now, double *row)
{
    while (n->happened < n->nchanges && n->changes[n->happened] <= now)
        n->happened++;
    end_window(n, row);
    row[METRIC_DOWNLOADS] = (double)n->downloads;
    row[METRIC_SENT] = n->sent ? (double)n->sent : NAN;
    row[METRIC_NEWS] = n->sent ? (double)n->found : NAN;
    row[METRIC_DOWNLOAD_EFFICIENCY] = n->sent ? ratio(n->found, n->downloads) : NAN;
    row[METRIC_SENT_EFFICIENCY] = ratio(n->found, n->sent);
    row[METRIC_ROUGHNESS] = roughness(n);
    row[METRIC_CHANGES_SEEN] = ratio(n->seen, n->happened);
    row[METRIC_CHANGES_TOLD] = ratio(n->told, n->happened);
    row[METRIC_FALSE_ALARMS] = n->places ? (double)n->false_alarms : NAN;
    row[METRIC_DIVERGED] = (double)n->diverged;
}
