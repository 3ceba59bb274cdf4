/* news_plan.c - plans a news world: the articles of each host, their times and their links.
 *
 * In: make_config. Out: hosts, articles, links and events of struct news_world. Every
 * draw comes from a generator forked by the number of its host or article.
 *
 * Workload: 10^4 to 10^6 articles, some microseconds each.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/news.h"

#include "base/mem.h"
#include "base/order.h"
#include "sim/make/graph_int.h"

#include <math.h>
#include <stdlib.h>

#define ARTICLES_MAX  2e7  /* of one world */
#define SIZE_EXPONENT 2.0  /* of the law of host sizes */
#define SIZE_SPREAD   25.0 /* largest host: so many times the mean */
#define SIZE_MEAN     10.0 /* sizes are drawn with it: graph_pareto_low() finds none below .3 */
#define LOOK_BACK     2.0  /* days that articles look back for links, on average */
#define VANISH_AFTER  14.0 /* days that an article which vanishes is there, on average */
#define LINKS_SPREAD  25   /* most links of an article: so many times the mean */
#define FAME_SPREAD   1000 /* the best known article: so many times the least known */
#define FRIENDS_MEAN  8.0
#define TRIES         12

/* Articles by hour: few at night, most in the morning. */
static const double by_hour[24] = {1, 1, 1, 1, 1, 2, 4, 6, 8, 9, 9, 8,
                                   7, 7, 7, 7, 7, 6, 5, 5, 4, 3, 2, 1};

enum plan_stream { FOR_HOST, FOR_TIMES, FOR_ARTICLE, FOR_LINKS, FOR_FAME, FOR_MENU };

static struct rng fork_for(const struct news_world *n, enum plan_stream use, uint32_t number)
{
    return rng_fork(&n->root, (uint64_t)use << 32 | number);
}

/* ---- hosts ----------------------------------------------------------------- */

static bool has_topic(const struct news_host *h, uint32_t topic)
{
    for (uint32_t s = 0; s < h->nsections; s++)
        if (h->topics[s] == topic)
            return true;
    return false;
}

static void plan_host(struct news_world *n, uint32_t host)
{
    const struct make_config *c = &n->config;
    struct rng r = fork_for(n, FOR_HOST, host);
    struct news_host *h = &n->hosts[host];
    double low = graph_pareto_low(SIZE_EXPONENT, SIZE_SPREAD * SIZE_MEAN, SIZE_MEAN);
    uint32_t want = c->news.sections < c->graph.topics ? c->news.sections : c->graph.topics;

    h->is_weblog = rng_unit(&r) < c->news.weblogs;
    h->rate = c->news.articles / SIZE_MEAN *
              graph_pareto(&r, SIZE_EXPONENT, low, SIZE_SPREAD * SIZE_MEAN);
    while (h->nsections < want) {
        uint32_t topic = (uint32_t)rng_below(&r, c->graph.topics);

        if (!has_topic(h, topic))
            h->topics[h->nsections++] = topic;
    }
    n->frame.host_topic[host] = h->topics[0];
}

/* Front pages link to those of other hosts, to large ones more often. */
static void befriend(struct news_world *n)
{
    uint32_t hosts = n->config.graph.hosts;
    LOCAL_HEAP double *cum = mem_zero((size_t)hosts + 1, sizeof *cum);

    for (uint32_t h = 0; h < hosts; h++)
        cum[h + 1] = cum[h] + n->hosts[h].rate;
    for (uint32_t h = 0; h < hosts; h++) {
        struct rng r = fork_for(n, FOR_HOST, h ^ UINT32_C(0x80000000));
        struct news_host *own = &n->hosts[h];
        uint32_t want = 2 + (uint32_t)(rng_exponential(&r) * (FRIENDS_MEAN - 2));

        want = want < hosts / 2 ? want : hosts / 2;
        own->friends = mem_zero((size_t)want + 2, sizeof *own->friends);
        own->friends[own->nfriends++] = (h + 1) % hosts; /* so that all can be reached */
        for (int t = 0; own->nfriends < want && t < 100; t++) {
            uint32_t other = graph_draw(cum, 0, hosts, &r);
            bool known = other == h;

            for (uint32_t f = 0; f < own->nfriends; f++)
                known = known || own->friends[f] == other;
            if (!known)
                own->friends[own->nfriends++] = other;
        }
        own->nfriends -= hosts == 1; /* a host is no friend of its own */
    }
}

/* ---- articles --------------------------------------------------------------- */

/* A moment of a day by its share of the day's articles. */
static int64_t moment(double day)
{
    double whole = floor(day), left = (day - whole), sum = 0;
    int hour = 0;

    for (int i = 0; i < 24; i++)
        sum += by_hour[i];
    left *= sum;
    while (hour < 23 && left >= by_hour[hour])
        left -= by_hour[hour++];
    return (int64_t)((whole + (hour + fmin(left / by_hour[hour], 0.999)) / 24) * (double)NEWS_DAY);
}

static void plan_times(struct news_world *n, uint32_t host)
{
    const struct news_config *c = &n->config.news;
    struct rng r = fork_for(n, FOR_TIMES, host);
    double day = -c->backlog;

    while ((day += rng_exponential(&r) / n->hosts[host].rate) < c->days) {
        MEM_GROW(n->articles, n->count, &n->cap);
        n->articles[n->count++] =
            (struct news_article){.host = host, .born = n->begin + moment(day), .gone = INT64_MAX};
    }
}

ORDER(by_birth, struct news_article, UP(born) ?: UP(host))

static void add_event(struct news_world *n, enum news_kind kind, int64_t at, uint32_t of)
{
    if (at <= n->begin || at >= n->end)
        return;
    MEM_GROW(n->events, n->nevents, &n->events_cap);
    n->events[n->nevents++] = (struct news_event){at, kind, of};
}

/* Changes come with a rate that falls by half every half-life. */
static void plan_changes(struct news_world *n, uint32_t article, struct rng *r)
{
    struct news_article *a = &n->articles[article];
    const struct news_config *c = &n->config.news;
    double left = c->changes;

    while ((left -= rng_exponential(r)) > 0) {
        double age = rng_exponential(r) * c->half_life / log(2);
        int64_t at = a->born + (int64_t)((age + 1.0 / 1440) * (double)NEWS_DAY);

        if (at >= a->gone)
            continue;
        a->changes += at <= n->begin;
        add_event(n, NEWS_CHANGE, at, article);
    }
}

static void plan_article(struct news_world *n, uint32_t article)
{
    const struct make_config *c = &n->config;
    struct news_article *a = &n->articles[article];
    struct news_host *h = &n->hosts[a->host];
    struct rng r = fork_for(n, FOR_ARTICLE, article);
    bool leans = rng_unit(&r) < c->graph.host_lean;

    a->section = leans ? 0 : (uint32_t)rng_below(&r, h->nsections);
    a->topic = rng_unit(&r) < c->graph.topic_share ? h->topics[a->section] : WORDS_NONE;
    if (rng_unit(&r) < c->news.vanish)
        a->gone =
            a->born + (int64_t)((1 + rng_exponential(&r) * (VANISH_AFTER - 1)) * (double)NEWS_DAY);
    add_event(n, NEWS_BIRTH, a->born, article);
    if (a->gone != INT64_MAX)
        add_event(n, NEWS_END, a->gone, article);
    plan_changes(n, article, &r);
    MEM_GROW(h->articles, h->count, &h->cap);
    h->articles[h->count++] = article;
    h->born += a->born <= n->begin;
}

/* ---- links ------------------------------------------------------------------ */

/* Articles so far of a topic, of a host, or of all. */
struct articles {
    uint32_t *items;
    double *cum; /* rising sums of their fame */
    size_t count, cap, cum_cap;
    double rate; /* articles a day */
};

static void shelve(struct articles *s, uint32_t article, double fame)
{
    MEM_GROW(s->items, s->count, &s->cap);
    while (s->cum_cap < s->count + 2)
        MEM_GROW(s->cum, s->cum_cap, &s->cum_cap);
    if (s->count == 0)
        s->cum[0] = 0;
    s->items[s->count] = article;
    s->cum[s->count + 1] = s->cum[s->count] + fame;
    s->count++;
}

/* Draws an article of the last days by fame; the number of days is drawn too. GRAPH_NONE if there
 * is none. */
static uint32_t recent(const struct articles *s, double times, struct rng *r)
{
    double back = 1 + rng_exponential(r) * fmax(3, LOOK_BACK * times * s->rate);
    size_t from = back < (double)s->count ? s->count - (size_t)back : 0;

    return s->count == 0 ? GRAPH_NONE
                         : s->items[graph_draw(s->cum, (uint32_t)from, (uint32_t)s->count, r)];
}

struct linker {
    struct news_world *n;
    struct articles *topics; /* topics, then all */
    struct articles *hosts;
};

static bool can_link(const struct news_world *n, const struct news_article *a, uint32_t self,
                     uint32_t to)
{
    if (to == GRAPH_NONE || to == self || n->articles[to].gone <= a->born ||
        (n->hosts[a->host].is_weblog && n->articles[to].host == a->host))
        return false;
    for (uint32_t l = 0; l < a->nlinks; l++)
        if (n->links[a->links + l] == to)
            return false;
    return true;
}

/* A target: of the article's topic, or of its host or any. */
static uint32_t draw_target(const struct linker *k, const struct news_article *a, bool local,
                            struct rng *r)
{
    const struct graph_config *c = &k->n->config.graph;
    double times = k->n->look_back;

    if (local)
        return recent(&k->topics[a->topic], times, r);
    if (!k->n->hosts[a->host].is_weblog && rng_unit(r) < c->host_locality)
        return recent(&k->hosts[a->host], times, r);
    return recent(&k->topics[c->topics], times, r);
}

/* One link; none where no target is found. */
static void add_link(struct linker *k, uint32_t article, struct rng *r)
{
    struct news_world *n = k->n;
    struct news_article *a = &n->articles[article];
    bool local = a->topic != WORDS_NONE && rng_unit(r) < n->config.graph.locality;

    for (int t = 0; t < TRIES; t++) {
        uint32_t to = draw_target(k, a, local, r);

        if (!can_link(n, a, article, to) ||
            (a->topic != WORDS_NONE && (n->articles[to].topic == a->topic) != local))
            continue;
        MEM_GROW(n->links, n->nlinks, &n->links_cap);
        n->links[n->nlinks++] = to;
        a->nlinks++;
        return;
    }
}

static void link_article(struct linker *k, uint32_t article)
{
    struct news_world *n = k->n;
    const struct graph_config *c = &n->config.graph;
    struct rng r = fork_for(n, FOR_LINKS, article);
    double high = c->out_mean * LINKS_SPREAD;
    double low = graph_pareto_low(c->out_exponent, high, c->out_mean);
    uint32_t want = (uint32_t)(graph_pareto(&r, c->out_exponent, low, high) + 0.5);

    n->articles[article].links = (uint32_t)n->nlinks;
    n->articles[article].nlinks = 0;
    for (uint32_t l = 0; l < want; l++)
        add_link(k, article, &r);
}

static void shelves_free(struct articles *s, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free(s[i].items);
        free(s[i].cum);
    }
    free(s);
}

void news_plan_links(struct news_world *n)
{
    const struct graph_config *c = &n->config.graph;
    struct linker k = {.n = n,
                       .topics = mem_zero((size_t)c->topics + 1, sizeof *k.topics),
                       .hosts = mem_zero((size_t)c->hosts + 1, sizeof *k.hosts)};
    double rate = n->config.news.articles * c->hosts;
    struct rng r = fork_for(n, FOR_FAME, 0);

    n->nlinks = 0;
    for (uint32_t t = 0; t < c->topics; t++)
        k.topics[t].rate = rate * c->topic_share / c->topics;
    k.topics[c->topics].rate = rate;
    for (uint32_t h = 0; h < c->hosts; h++)
        k.hosts[h].rate = n->hosts[h].rate;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct news_article *a = &n->articles[i];
        double fame = graph_pareto(&r, c->in_exponent, 1, FAME_SPREAD);

        link_article(&k, i);
        if (a->topic != WORDS_NONE)
            shelve(&k.topics[a->topic], i, fame);
        shelve(&k.topics[c->topics], i, fame);
        shelve(&k.hosts[a->host], i, fame);
    }
    shelves_free(k.topics, c->topics + 1);
    shelves_free(k.hosts, c->hosts);
}

bool news_has_menu(const struct news_world *n, uint32_t host, uint32_t page)
{
    struct rng of_host = fork_for(n, FOR_MENU, host), r = rng_fork(&of_host, page);

    return n->menus >= 1 || rng_unit(&r) < n->menus;
}

/* ---- the whole -------------------------------------------------------------- */

/* At one moment: births, then changes, ends, archives; then by number. */
ORDER(by_time, struct news_event, UP(at) ?: UP(kind) ?: UP(of))

static enum status check_size(const struct make_config *c)
{
    double articles = c->graph.hosts * c->news.articles * (c->news.days + c->news.backlog);

    if (articles <= ARTICLES_MAX)
        return ST_OK;
    return status_fail(ST_USAGE,
                       "some %.0f articles are more than the %.0f that a world can have: fewer "
                       "--hosts, --articles or --days",
                       articles, ARTICLES_MAX);
}

enum status news_plan(struct news_world *n, const struct make_config *config)
{
    uint32_t hosts = config->graph.hosts;
    enum status st = check_size(config);

    *n = (struct news_world){.config = *config, .menus = 1, .look_back = 1};
    if (st != ST_OK)
        return st;
    n->config.sitemaps = n->config.feeds = 0;
    n->begin = config->date;
    n->end = n->begin + (int64_t)(config->news.days * (double)NEWS_DAY);
    n->frame =
        (struct graph){.hosts = hosts,
                       .topics = config->graph.topics,
                       .host_topic = mem_zero((size_t)hosts + 1, sizeof *n->frame.host_topic)};
    n->hosts = mem_zero((size_t)hosts + 1, sizeof *n->hosts);
    rng_init(&n->root, config->graph.rng ^ UINT64_C(0x6e657773));
    for (uint32_t h = 0; h < hosts; h++) {
        plan_host(n, h);
        plan_times(n, h);
        for (int64_t at = n->begin + NEWS_DAY; at < n->end; at += NEWS_DAY)
            add_event(n, NEWS_MIDNIGHT, at, h);
    }
    befriend(n);
    if (n->count)
        qsort(n->articles, n->count, sizeof *n->articles, by_birth);
    for (uint32_t i = 0; i < n->count; i++)
        plan_article(n, i);
    n->clustering = news_calibrate(n);
    if (n->nevents)
        qsort(n->events, n->nevents, sizeof *n->events, by_time);
    site_init(&n->site, &n->config, &n->frame);
    return ST_OK;
}

void news_clear(struct news_world *n)
{
    if (n->site.host_names)
        site_clear(&n->site);
    for (uint32_t h = 0; n->hosts && h < n->config.graph.hosts; h++) {
        free(n->hosts[h].articles);
        free(n->hosts[h].friends);
    }
    free(n->hosts);
    free(n->frame.host_topic);
    free(n->articles);
    free(n->links);
    free(n->events);
}
