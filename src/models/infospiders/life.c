/* life.c - what a visit is worth; learning, birth and death.
 *
 *     fitness(p) = sim(p, query) - cost(p)      for the first agent there
 *                = -cache_cost * c_t            for later ones
 *     c_t        = founders * theta : max_pages
 *
 * The order is that of the printed loop: energy, learning, offspring or death, and
 * then where next. SPDX-License-Identifier: MIT */
#include "models/infospiders/infospiders_int.h"

#include "models/infospiders/keywords.h"
#include "base/mem.h"
#include "text/topic.h"

#include <math.h>
#include <stdlib.h>

#define PAGES_CROWDED   300.0  /* MAX_PAGES of cost=crowded; docs/models/infospiders.md */
#define PAGES_UNLIMITED 1000.0 /* of a crawl without --pages */

/* ---- an agent ------------------------------------------------------------------ */

/* Makes room for so many keywords. */
static void make_room(struct spider *s, uint32_t count)
{
    s->words = mem_resize(s->words, count, sizeof *s->words);
    s->in = mem_resize(s->in, count, sizeof *s->in);
    memset(s->in, 0, count * sizeof *s->in);
    s->bag.keywords = count;
}

struct spider *spider_new(struct model *m, uint32_t agent)
{
    const struct spiders_options *o = options_of(m);
    size_t terms = topic_terms(m->ctx->topic), most = (size_t)o->max_keywords;
    uint32_t n = (uint32_t)(terms < most ? terms : most);
    struct spider *s = MEM_NEW(struct spider);

    s->id = agent;
    s->beta = o->beta;
    net_init(&s->net, n, (uint32_t)o->hidden, (enum net_start)o->weights, &m->ctx->rng);
    make_room(s, n);
    for (uint32_t i = 0; i < n; i++) {
        float weight;

        (void)topic_term(m->ctx->topic, i, &weight, &s->words[i]);
    }
    return s;
}

void spider_free(void *spider)
{
    struct spider *s = spider;

    if (s == NULL)
        return;
    net_clear(&s->net);
    link_bag_clear(&s->bag);
    free(s->words);
    free(s->in);
    free(s);
}

/* ---- energy -------------------------------------------------------------------- */

/* MAX_PAGES is the user's limit. With cost=crowded it only sets the price of a page,
 * and was measured. */
static double max_pages(const struct model *m)
{
    const struct spiders_options *o = options_of(m);

    if (o->max_pages)
        return (double)o->max_pages;
    if (o->cost == COST_CROWDED)
        return PAGES_CROWDED;
    return m->ctx->pages ? (double)m->ctx->pages : PAGES_UNLIMITED;
}

double spiders_c_t(const struct model *m)
{
    const struct spiders_options *o = options_of(m);

    return spiders_of(m)->founders * o->theta / max_pages(m);
}

/* The share of c_t that a download costs. */
static double cost_share(struct model *m, int64_t latency)
{
    const struct spiders_options *o = options_of(m);

    switch (o->cost) {
    case COST_LATENCY:
        return fmin(1, (double)latency / (double)o->timeout);
    case COST_SIMULATED:
        return rng_unit(&m->ctx->rng);
    case COST_CROWDED:
        return 0.5 * population_counts(m->ctx->population).alive / spiders_of(m)->founders;
    default:
        return 0.5;
    }
}

/* The visit failed, but the agent waited: for the longest or for a mean time. If nothing was
 * requested, it costs no more than a look into the cache. */
double spiders_cost_of_failure(struct model *m, enum drop why)
{
    const struct spiders_options *o = options_of(m);

    switch (why) {
    case DROP_TIMEOUT:
        return spiders_c_t(m) * cost_share(m, o->timeout);
    case DROP_NETWORK:
    case DROP_STATUS:
    case DROP_TYPE:
    case DROP_SIZE:
    case DROP_ENCODING:
    case DROP_LANG:
    case DROP_REJECTED:
    case DROP_REDIRECTS:
        return spiders_c_t(m) * cost_share(m, o->timeout / 2);
    default:
        return spiders_c_t(m) * o->cache_cost;
    }
}

static double spider_similarity(const struct model *m, const struct spider *s,
                                const struct percept *p)
{
    int vector = options_of(m)->reward_vector;

    if (vector == VECTOR_AGENT)
        return keyword_similarity(p->profile, s->words, s->net.inputs);
    return (double)(vector == VECTOR_QUERY ? p->profile->similarity : p->profile->relevance);
}

static bool is_rich(const struct model *m, uint32_t agent)
{
    const struct spiders_options *o = options_of(m);
    double energy = agent_energy(m->ctx->population, agent);

    return o->thresholds == BOUNDS_REACHED ? energy >= o->theta : energy > o->theta;
}

static bool is_poor(const struct model *m, uint32_t agent)
{
    double energy = agent_energy(m->ctx->population, agent);

    return options_of(m)->thresholds == BOUNDS_REACHED ? energy <= 0 : energy < 0;
}

/* Books the page's worth, or the price of a look at it. A sitemap is not a page: it only costs. */
static void spider_earn(struct model *m, const struct spider *s, const struct percept *p,
                        double similarity)
{
    struct population *all = m->ctx->population;
    double c_t = spiders_c_t(m), delta = -c_t * options_of(m)->cache_cost;

    if (p->first)
        delta = (p->page ? similarity : 0) - c_t * cost_share(m, p->latency);
    if (p->first && p->page)
        population_earned(all, delta);
    else
        population_burnt(all, -delta);
    if (p->page)
        agent_visited(all, m->ctx->now, s->id, p->page, p->first, delta);
    else
        agent_changed(all, m->ctx->now, s->id, delta);
}

bool spider_charge(struct model *m, struct spider *s, double cost)
{
    agent_changed(m->ctx->population, m->ctx->now, s->id, -cost);
    population_burnt(m->ctx->population, cost);
    if (!is_poor(m, s->id))
        return true;
    spider_die(m, s, "starved");
    return false;
}

void spider_die(struct model *m, struct spider *s, const char *cause)
{
    spider_let_go(m, s);
    agent_died(m->ctx->population, m->ctx->now, s->id, cause); /* this frees s */
}

/* ---- learning -------------------------------------------------------------------- */

/* One step towards what the link turned out to be worth; with Q-learning, including what
 * is expected from here on. */
static void spider_learn(struct model *m, struct spider *s, double similarity)
{
    const struct spiders_options *o = options_of(m);
    struct survey *v = &spiders_of(m)->survey;
    int learn = o->learn;
    double target = similarity;

    if (learn == LEARN_AUTO)
        learn = o->variant == VARIANT_FRONTIER ? LEARN_SUPERVISED : LEARN_Q;
    if (!s->by_link || learn == LEARN_NONE)
        return;
    if (learn == LEARN_Q) {
        survey_estimate(v, &s->net);
        target += o->mu * survey_best(v);
    }
    (void)net_learn(&s->net, s->in, target, o->eta);
}

/* ---- offspring ----------------------------------------------------------------- */

/* Makes the page's most frequent word a keyword. */
static void keyword_add(struct model *m, struct spider *s, const struct profile *page)
{
    const struct spiders_options *o = options_of(m);
    uint32_t n = s->net.inputs, word = keyword_commonest(page, s->words, n);

    if (word == 0 || n >= (uint32_t)o->max_keywords)
        return;
    make_room(s, n + 1);
    s->words[n] = word;
    model_takes_word(m, word);
    net_add_input(&s->net, (enum net_start)o->weights, &m->ctx->rng);
}

/* Replaces the least useful keyword by a word of the page. The inputs of its inherited links
 * are unknown for that word. */
static void keyword_replace(struct model *m, struct spider *s, const struct profile *page)
{
    uint32_t n = s->net.inputs, weakest = 0;
    uint32_t word = n > 0 ? keyword_drawn(page, s->words, n, &m->ctx->rng) : 0;

    for (uint32_t i = 1; i < n; i++)
        weakest = net_use_of(&s->net, i) < net_use_of(&s->net, weakest) ? i : weakest;
    if (word == 0)
        return;
    s->words[weakest] = word;
    model_takes_word(m, word);
    net_renew_input(&s->net, weakest, (enum net_start)options_of(m)->weights, &m->ctx->rng);
    link_bag_forget_input(&s->bag, weakest);
}

/* beta' ~ U[beta (1 - k), beta (1 + k)], at most beta_max */
static double beta_of_child(struct model *m, double beta)
{
    const struct spiders_options *o = options_of(m);

    if (o->beta_noise <= 0)
        return beta;
    return fmin(o->beta_max,
                rng_range(&m->ctx->rng, beta * (1 - o->beta_noise), beta * (1 + o->beta_noise)));
}

/* The child gets half of the energy, the learned net with some noise, a word of the page, and half
 * of the links, if the agent keeps some. */
static void spider_breed(struct model *m, struct spider *parent, struct percept *p)
{
    const struct spiders_options *o = options_of(m);
    struct population *all = m->ctx->population;
    struct spider *s = MEM_NEW(struct spider);

    (void)agent_split(all, m->ctx->now, parent->id, 1, agent_energy(all, parent->id) / 2, &s->id);
    s->net = net_copy(&parent->net);
    s->beta = beta_of_child(m, parent->beta);
    make_room(s, s->net.inputs);
    memcpy(s->words, parent->words, s->net.inputs * sizeof *s->words);
    agent_set_traits(all, s->id, s);
    net_mutate(&s->net, o->mutation, o->noise, &m->ctx->rng);
    if (o->expand == EXPAND_COMMONEST)
        keyword_add(m, s, p->profile);
    link_bag_halve(&parent->bag, &s->bag, &m->ctx->rng);
    if (o->expand == EXPAND_WEAKEST)
        keyword_replace(m, s, p->profile);
    if (o->variant == VARIANT_FRONTIER)
        return;
    survey_make(&spiders_of(m)->survey, p, s->words, s->net.inputs, (unsigned)o->rho);
    survey_estimate(&spiders_of(m)->survey, &s->net);
    spider_choose(m, s);
}

/* ---- the loop's body ----------------------------------------------------------- */

void spider_arrive(struct model *m, struct spider *s, struct percept *p)
{
    const struct spiders_options *o = options_of(m);
    struct spiders *st = spiders_of(m);
    double similarity = spider_similarity(m, s, p);

    spider_earn(m, s, p, similarity);
    survey_make(&st->survey, p, s->words, s->net.inputs, (unsigned)o->rho);
    spider_learn(m, s, similarity);
    s->to = 0;
    s->by_link = false;
    if (is_poor(m, s->id)) {
        spider_die(m, s, "starved");
        return;
    }
    survey_estimate(&st->survey, &s->net);
    if (o->variant == VARIANT_FRONTIER) {
        spider_keep_links(m, s, p);
    } else {
        survey_mark(&st->survey, p);
        spider_choose(m, s);
    }
    if (is_rich(m, s->id) && population_room(m->ctx->population) > 0)
        spider_breed(m, s, p);
    spiders_trim(m);
    population_check(m->ctx->population, 0);
}
