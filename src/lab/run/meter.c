/* meter.c - listens to one run and records every metric at every point of the grid.
 *
 * In: the events of one simulated crawl, in order. Out: rows.
 *
 * Sums are updated with each event, arrays are by URL: a page costs some ten nanoseconds, however
 * many were seen before. Only freshness and age need a pass over all stored pages, and only when a
 * row is made. For them each look at a page notes when the page will next change, which a world
 * knows in advance.
 * SPDX-License-Identifier: MIT */
#include "lab/run/metric.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "lab/run/meter_news.h"
#include "lab/run/meter_rank.h"
#include "sim/web/web.h"
#include "text/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEARLY 0.9 /* of the upper bound: a population at its bound is not always full */
#define DAY    (86400.0 * (double)US_PER_S)

/* How many agents there should be. */
struct range {
    bool known;
    int64_t reach, least, most, upper;
};

struct meter {
    struct truth truth;
    struct quantity step;
    struct news_meter *news;
    struct rank_meter *ranks; /* NULL: not wanted */
    struct profiler *judge;   /* NULL: the arrival's relevance is used */
    int64_t begin, now;       /* us; begin: of the first event */
    bool begun;

    bool *seen;          /* by URL: fetched */
    uint32_t *stored;    /* URLs in order of their first fetch */
    int64_t *changed_at; /* by URL: first change after the last look; NULL: nothing changes */
    int64_t *looked_at;  /* by URL: the last look */
    bool *gone;          /* by URL: the last look found that it is gone */
    size_t nstored, stored_cap;

    uint64_t pages, again; /* fetches that gave a page; of pages fetched before */
    uint64_t same;         /* looks that found nothing new (refreshes) */
    uint64_t judged;       /* distinct pages that are neither seeds nor examples */
    uint64_t found, recalled, hits, messages; /* recalled: found, and among those to find */
    bool *host_found;                         /* by host: a target of it was recalled; or NULL */
    uint32_t hosts_found, hosts_to_find;
    uint64_t contracts, transferred; /* awarded; links that changed hands by them */
    double relevance, description, energy;

    int64_t alive;
    int64_t least, most;      /* alive since the first page */
    struct range range;       /* asked for */
    bool reached, strayed;    /* ever; outside it since the last page */
    uint64_t since, inside;   /* pages since it was reached; never strayed during them */
    uint64_t crowded;         /* pages at which the upper bound was nearly full */
    uint64_t worths, rewards; /* new pages whose worth was reported; above 0 */

    size_t next;         /* number of the next point of the grid, from 1 */
    uint64_t next_pages; /* where that is, of a grid in pages */
    int64_t next_time;   /* or in time, since `begin` */
    double *rows, *x;
    size_t nrows, rows_cap, x_cap;
};

/* ---- the grid ------------------------------------------------------------ */

static bool by_time(const struct meter *m)
{
    return m->step.kind == QUANTITY_TIME;
}

static void place_next(struct meter *m)
{
    m->next++;
    if (by_time(m))
        m->next_time = (int64_t)llround((double)m->next * m->step.value);
    else
        m->next_pages = quantity_pages(m->step, (double)m->next, m->truth.reachable);
}

/* Does the page count for recall? */
static bool is_to_find(const struct truth *t, uint32_t url)
{
    return t->is_target && t->is_target[url] && !(t->is_given && t->is_given[url]) &&
           (t->is_reachable == NULL || t->is_reachable[url]);
}

/* A target of this host: how many hosts are there now? */
static void count_host(struct meter *m, uint32_t url, uint32_t *hosts)
{
    uint32_t host = web_host(m->truth.web, url);

    *hosts += !m->host_found[host];
    m->host_found[host] = true;
}

static void count_hosts_to_find(struct meter *m, uint32_t hosts)
{
    m->host_found = mem_zero((size_t)hosts + 1, sizeof *m->host_found);
    for (uint32_t url = 1; url <= m->truth.urls; url++)
        if (is_to_find(&m->truth, url))
            count_host(m, url, &m->hosts_to_find);
    memset(m->host_found, 0, ((size_t)hosts + 1) * sizeof *m->host_found);
}

struct meter *meter_new(const struct truth *t, struct quantity step)
{
    struct meter *m = MEM_NEW(struct meter);
    struct web_counts counts = {0};

    m->truth = *t;
    m->step = step;
    m->seen = mem_zero((size_t)t->urls + 1, sizeof *m->seen);
    if (t->web)
        counts = web_counts(t->web);
    if (t->web && t->is_target)
        count_hosts_to_find(m, counts.hosts);
    if (counts.begin != counts.end) {
        m->changed_at = mem_zero((size_t)t->urls + 1, sizeof *m->changed_at);
        m->looked_at = mem_zero((size_t)t->urls + 1, sizeof *m->looked_at);
        m->gone = mem_zero((size_t)t->urls + 1, sizeof *m->gone);
    }
    m->news = news_new(&m->truth, m->changed_at != NULL);
    if (t->judge)
        m->judge = profiler_new(t->judge);
    place_next(m);
    return m;
}

void meter_free(struct meter *m)
{
    if (m == NULL)
        return;
    profiler_free(m->judge);
    news_free(m->news);
    ranks_free(m->ranks);
    free(m->seen);
    free(m->host_found);
    free(m->stored);
    free(m->changed_at);
    free(m->looked_at);
    free(m->gone);
    free(m->rows);
    free(m->x);
    free(m);
}

void meter_want_ranks(struct meter *m)
{
    if (m->truth.is_target)
        m->ranks = ranks_new(&m->truth);
}

void meter_set_model(void *meter, const struct model *model)
{
    struct meter *m = meter;

    if (m->ranks)
        ranks_ask(m->ranks, model);
}

/* ---- rows ---------------------------------------------------------------- */

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* The first moment after `at` at which the page is no longer what it is then. */
static int64_t first_change(const struct web *w, uint32_t url, int64_t at)
{
    struct web_answer a;

    web_answer(w, url, at, &a);
    while (a.until < INT64_MAX) {
        int64_t then = a.until;

        web_answer(w, url, then, &a);
        if (a.version == WEB_NONE || web_version_is_change(w, a.version))
            return then;
    }
    return INT64_MAX;
}

/* The last moment up to `now` at which the page changed, from its change at `first`. */
static int64_t last_change(const struct web *w, uint32_t url, int64_t first, int64_t now)
{
    int64_t next;

    while ((next = first_change(w, url, first)) <= now)
        first = next;
    return first;
}

/* Means over some pages; those known to be gone are no part of a collection. */
struct state_of_pages {
    double freshness, age, last_age, recency;
};

static struct state_of_pages state_of(const struct meter *m, const uint32_t *urls, size_t count,
                                      int64_t now)
{
    double stale = 0, age = 0, last_age = 0, recency = 0, all = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t url = urls[i];
        int64_t first = m->changed_at[url], last;

        if (m->gone[url])
            continue;
        all++;
        if (first > now) {
            recency += 1;
            continue;
        }
        last = last_change(m->truth.web, url, first, now);
        stale++;
        age += (double)(now - first) / 1e6;
        last_age += (double)(now - last) / 1e6;
        recency += 1 / (1 + (double)(last - m->looked_at[url]) / DAY);
    }
    return (struct state_of_pages){ratio(all - stale, all), ratio(age, all), ratio(last_age, all),
                                   ratio(recency, all)};
}

static void put_freshness(const struct meter *m, int64_t now, double *row)
{
    struct state_of_pages all = {NAN, NAN, NAN, NAN}, news = all;
    size_t count;
    const uint32_t *urls = news_urls(m->news, &count);

    if (m->changed_at)
        all = state_of(m, m->stored, m->nstored, now);
    if (m->changed_at && count > 0)
        news = state_of(m, urls, count, now);
    row[METRIC_FRESHNESS] = all.freshness;
    row[METRIC_AGE] = all.age;
    row[METRIC_LAST_AGE] = all.last_age;
    row[METRIC_RECENCY] = all.recency;
    row[METRIC_NEWS_FRESHNESS] = news.freshness;
    row[METRIC_NEWS_AGE] = news.last_age;
}

static void put_labels(const struct meter *m, double *row)
{
    bool targets = m->truth.is_target && m->truth.targets > 0;

    row[METRIC_RECALL] = targets ? (double)m->recalled / m->truth.targets : NAN;
    row[METRIC_PRECISION] = targets ? ratio((double)m->found, (double)m->judged) : NAN;
    row[METRIC_RELEVANT_HOSTS] = m->hosts_to_find ? (double)m->hosts_found / m->hosts_to_find : NAN;
    row[METRIC_D_RECALL] = m->truth.description ? m->description : NAN;
    row[METRIC_D_PRECISION] =
        m->truth.description ? ratio(m->description, (double)m->nstored) : NAN;
}

static void put_agents(const struct meter *m, double *row)
{
    row[METRIC_POPULATION] = (double)m->alive;
    row[METRIC_ENERGY] = m->energy;
    row[METRIC_INSIDE] = m->since ? ratio((double)m->inside, (double)m->since) : NAN;
    row[METRIC_AT_UPPER] = m->range.upper ? ratio((double)m->crowded, (double)m->pages) : NAN;
    row[METRIC_SWING] = (double)(m->most - m->least);
    row[METRIC_REWARDED] = m->worths ? ratio((double)m->rewards, (double)m->worths) : NAN;
    row[METRIC_MESSAGES] = (double)m->messages;
    row[METRIC_CONTRACTS] = (double)m->contracts;
    row[METRIC_LINKS_TRANSFERRED] = (double)m->transferred;
}

static void put_ranks(const struct meter *m, double *row)
{
    for (int i = METRIC_P_20; i <= METRIC_PROMISE; i++)
        row[i] = NAN;
    if (m->ranks)
        ranks_row(m->ranks, row);
}

static void put_row(struct meter *m, int64_t now, double x)
{
    double *row;

    MEM_GROW(m->x, m->nrows, &m->x_cap);
    if (m->nrows == m->rows_cap) {
        m->rows_cap = m->rows_cap ? m->rows_cap * 2 : 128;
        m->rows = mem_resize(m->rows, m->rows_cap * METRIC_COUNT, sizeof *m->rows);
    }
    m->x[m->nrows] = x;
    row = &m->rows[m->nrows++ * METRIC_COUNT];
    put_labels(m, row);
    put_freshness(m, now, row);
    news_row(m->news, now, row);
    row[METRIC_RELEVANCE] = ratio(m->relevance, (double)m->nstored);
    row[METRIC_HARVEST] = ratio((double)m->hits, (double)m->nstored);
    row[METRIC_PAGES] = (double)m->pages;
    row[METRIC_SECONDS] = (double)(now - m->begin) / 1e6;
    put_agents(m, row);
    put_ranks(m, row);
    row[METRIC_OVERLAP] = ratio((double)(m->again + m->same), (double)(m->pages + m->same));
    row[METRIC_FOUND_URLS] = ratio((double)m->nstored, row[METRIC_DOWNLOADS]);
    row[METRIC_EFFICIENCY] =
        m->truth.is_target ? ratio((double)m->recalled * 60, row[METRIC_SECONDS]) : NAN;
}

/* The points of the grid up to here. Beyond LIMIT_RUN_POINTS only the last counts. */
static void rows_by_pages(struct meter *m)
{
    for (; m->pages >= m->next_pages && m->nrows < LIMIT_RUN_POINTS; place_next(m))
        put_row(m, m->now, (double)m->next * m->step.value);
}

/* What happened at a point's own moment belongs to it: rows are due once time has
 * passed it. */
static void rows_by_time(struct meter *m, int64_t now)
{
    for (; now - m->begin > m->next_time && m->nrows < LIMIT_RUN_POINTS; place_next(m))
        put_row(m, m->begin + m->next_time, (double)m->next_time / 1e6);
}

/* ---- agents -------------------------------------------------------------- */

static bool is_outside(const struct meter *m)
{
    return m->alive < m->range.least || m->alive > m->range.most;
}

/* After every birth and death. */
static void on_alive(struct meter *m, int change)
{
    m->alive += change;
    m->reached |= m->range.known && m->alive >= m->range.reach;
    m->strayed |= m->reached && is_outside(m);
    if (m->pages == 0)
        m->least = m->most = m->alive;
    m->least = m->alive < m->least ? m->alive : m->least;
    m->most = m->alive > m->most ? m->alive : m->most;
}

/* Counts the time before a page, which ends with it. */
static void count_inside(struct meter *m)
{
    m->crowded += m->range.upper && (double)m->alive >= NEARLY * (double)m->range.upper;
    if (!m->reached)
        return;
    m->since++;
    m->inside += !m->strayed;
    m->strayed = is_outside(m);
}

static void on_visit(struct meter *m, const struct event *e)
{
    m->energy += e->visit.delta;
    if (!e->visit.first || isnan(e->visit.worth))
        return;
    m->worths++;
    m->rewards += e->visit.worth > 0;
}

/* A contractor's message says how many links it took; a message that is passed on has no number. */
static void on_message(struct meter *m, const struct event *e)
{
    static const struct str taken = STR("receive-links ");
    struct str content = e->message.content;
    uint64_t links;

    m->messages++;
    m->contracts += str_eq(e->message.performative, STR("accept-proposal"));
    if (str_eq(e->message.performative, STR("agree")) && str_starts(content, taken) &&
        str_to_u64(str_sub(content, taken.len, content.len), &links))
        m->transferred += links;
    news_message(m->news, e);
}

/* ---- what happens -------------------------------------------------------- */

/* A web answers with the version at the time of the request. */
static void look(struct meter *m, uint32_t url, const struct arrival *a, bool stored)
{
    news_look(m->news, url, a->reply.started_at, stored);
    if (m->changed_at)
        m->changed_at[url] = first_change(m->truth.web, url, a->reply.started_at);
    if (m->looked_at)
        m->looked_at[url] = a->reply.started_at;
    if (m->gone)
        m->gone[url] = false;
}

static double relevance_of(struct meter *m, const struct arrival *a)
{
    struct profile p = a->profile;

    if (m->judge == NULL)
        return p.relevance;
    (void)profile_judge(m->judge, a->page, a->request->href, web_idf(m->truth.web), &p);
    return p.relevance;
}

static void on_new_page(struct meter *m, uint32_t url, const struct arrival *a)
{
    const struct truth *t = &m->truth;
    double relevance = relevance_of(m, a);

    m->seen[url] = true;
    MEM_GROW(m->stored, m->nstored, &m->stored_cap);
    m->stored[m->nstored++] = url;
    m->relevance += relevance;
    m->hits += relevance >= t->relevant;
    if (t->description)
        m->description += t->description[url];
    if (t->is_given && t->is_given[url])
        return;
    m->judged++;
    if (t->is_target == NULL || !t->is_target[url])
        return;
    m->found++;
    if (!is_to_find(t, url))
        return;
    m->recalled++;
    if (m->host_found)
        count_host(m, url, &m->hosts_found);
}

static void on_page(struct meter *m, const struct event *e)
{
    const struct arrival *a = e->page.arrival;
    uint32_t url = a->source;

    news_answer(m->news, a);
    if (url == 0 || url > m->truth.urls)
        return;
    m->pages++;
    if (m->ranks)
        ranks_page(m->ranks, e);
    count_inside(m);
    if (m->seen[url])
        m->again++;
    else
        on_new_page(m, url, a);
    look(m, url, a, true);
    if (!by_time(m))
        rows_by_pages(m);
}

/* Does the answer say that a stored page is gone? */
static bool is_farewell(const struct meter *m, const struct event *e)
{
    const struct arrival *a = e->outcome.arrival;

    return m->gone && a && (a->reply.status == 404 || a->reply.status == 410) && a->source > 0 &&
           a->source <= m->truth.urls;
}

/* A refresh without a new version, a 304 or a 200 with the same visible text: the copy was checked
 * and is current. */
static void on_outcome(struct meter *m, const struct event *e)
{
    const struct arrival *a = e->outcome.arrival;

    news_answer(m->news, a);
    if (is_farewell(m, e))
        m->gone[a->source] = true;
    if (a == NULL || e->outcome.why != DROP_NONE || e->outcome.redirect_to != 0 || a->source == 0 ||
        a->source > m->truth.urls || !m->seen[a->source])
        return;
    m->same++;
    look(m, a->source, a, false);
}

void meter_listen(void *meter, const struct event *e)
{
    struct meter *m = meter;

    if (!m->begun) {
        m->begun = true;
        m->begin = e->at;
        news_begin(m->news, e->at);
    }
    m->now = e->at;
    if (by_time(m))
        rows_by_time(m, e->at);
    switch (e->kind) {
    case EVENT_PAGE:
        on_page(m, e);
        break;
    case EVENT_OUTCOME:
        on_outcome(m, e);
        break;
    case EVENT_BORN:
        on_alive(m, 1);
        m->energy += e->born.energy;
        break;
    case EVENT_DIED:
        on_alive(m, -1);
        m->energy -= e->died.energy;
        break;
    case EVENT_VISIT:
        on_visit(m, e);
        break;
    case EVENT_RANGE:
        m->range =
            (struct range){true, e->range.reach, e->range.least, e->range.most, e->range.upper};
        break;
    case EVENT_SENT:
        news_sent(m->news, e);
        break;
    case EVENT_JUDGED:
        if (m->ranks)
            ranks_judged(m->ranks, e);
        break;
    case EVENT_MESSAGE:
        on_message(m, e);
        break;
    default:
        break;
    }
}

void meter_finish(struct meter *m, int64_t now)
{
    double pages = (double)m->pages, x = pages;

    m->now = m->begun ? now : m->begin;
    if (by_time(m)) {
        rows_by_time(m, m->now);
        x = (double)(m->now - m->begin) / 1e6;
    } else if (m->step.kind == QUANTITY_SHARE) {
        x = ratio(pages, m->truth.reachable);
    }
    if (m->nrows == 0 || m->rows[(m->nrows - 1) * METRIC_COUNT + METRIC_PAGES] != pages ||
        (by_time(m) && m->x[m->nrows - 1] < x))
        put_row(m, m->now, x);
}

size_t meter_points(const struct meter *m)
{
    return m->nrows;
}

const double *meter_row(const struct meter *m, size_t point)
{
    return &m->rows[point * METRIC_COUNT];
}

double meter_x(const struct meter *m, size_t point)
{
    return m->x[point];
}
