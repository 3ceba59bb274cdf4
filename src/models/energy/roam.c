/* roam.c - agents that walk from page to page.
 *
 * In: percepts. Out: choices. Workload: a visit looks at 10 to 1000 links of a page
 * twice, once to score them and once to choose. SPDX-License-Identifier: MIT */
#include "models/energy/roam.h"

#include "agent/greedy.h"
#include "agent/population.h"
#include "base/fields.h"
#include "base/limits.h"

#include <math.h>

/* Values of roam.where: 0 if no agent was or is there; the URL of the page that is there (another
 * one after a redirect); or one of these. */
#define TAKEN UINT32_MAX
#define GONE  (UINT32_MAX - 1)

void roam_init(struct roam *r, const struct roam_options *o)
{
    if (r->base)
        return;
    r->base = page_base_new((size_t)o->kept);
    r->rules.page = o->page;
    r->rules.pick = o->pick;
    r->rules.beta = o->beta;
    r->rules.links = o->links;
    r->rules.similarity = o->similarity;
    r->rules.kept = o->kept;
    r->rules.context = o->context;
}

void roam_clear(struct roam *r)
{
    page_base_free(r->base);
    url_index_clear(&r->where);
    url_pool_clear(&r->open);
    free(r->promise);
    url_index_clear(&r->away);
    url_index_clear(&r->slot);
    free(r->seeds);
    free(r->visits);
    free(r->guests);
    free(r->links);
    free(r->contexts);
    *r = (struct roam){0};
}

static uint32_t where(const struct roam *r, uint32_t url)
{
    return url_index_get(&r->where, url);
}

static bool is_page(uint32_t where)
{
    return where != 0 && where < GONE;
}

/* ---- seeds --------------------------------------------------------------- */

int64_t roam_founders(const struct model *m, const struct roam *r, int64_t all, size_t count)
{
    int64_t seeds = m->ctx->seeds;

    if (seeds == 0)
        return r->nseeds == 0 && count > 0 ? all : 0;
    return (all * (int64_t)count + seeds - 1) / seeds;
}

void roam_start(struct roam *r, const uint32_t *urls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        MEM_GROW(r->seeds, r->nseeds, &r->seeds_cap);
        r->seeds[r->nseeds++] = urls[i];
        if (where(r, urls[i]) == 0)
            url_pool_add(&r->open, urls[i]);
    }
}

/* Where the i-th agent begins. */
static uint32_t roam_seed(const struct roam *r, size_t i)
{
    return r->nseeds ? r->seeds[i % r->nseeds] : 0;
}

/* Returns the next seed to which no agent was sent. */
static uint32_t seed_left(struct roam *r)
{
    while (r->placed < r->nseeds && where(r, r->seeds[r->placed]) != 0)
        r->placed++;
    return r->placed < r->nseeds ? r->seeds[r->placed] : 0;
}

/* ---- visits under way ---------------------------------------------------- */

static void visit_open(struct roam *r, const struct roam_visit *v)
{
    MEM_GROW(r->visits, r->nvisits, &r->visits_cap);
    r->visits[r->nvisits++] = *v;
    url_index_set(&r->away, v->agent, (uint32_t)r->nvisits);
    url_index_set(&r->where, v->url, TAKEN);
    url_pool_remove(&r->open, v->url);
}

static bool visit_close(struct roam *r, uint32_t agent, struct roam_visit *ret)
{
    uint32_t place = agent ? url_index_get(&r->away, agent) : 0;
    struct roam_visit *last;

    if (place == 0)
        return false;
    *ret = r->visits[place - 1];
    last = &r->visits[--r->nvisits];
    r->visits[place - 1] = *last;
    url_index_set(&r->away, last->agent, place);
    url_index_set(&r->away, agent, 0);
    return true;
}

/* ---- a page comes -------------------------------------------------------- */

static void links_room(struct roam *r, uint32_t count)
{
    if (count <= r->links_cap)
        return;
    r->links = mem_resize(r->links, count, sizeof *r->links);
    r->contexts = mem_resize(r->contexts, count, sizeof *r->contexts);
    r->links_cap = count;
}

/* Another machine sent a link that may be fetched here, though an agent of ours went there. */
static void links_hear(struct roam *r, const struct percept *p)
{
    for (uint32_t i = 0; p->hearsay && i < p->body->nlinks; i++)
        if (p->marks[i].drop == DROP_NONE && where(r, p->marks[i].url) == GONE)
            url_index_set(&r->where, p->marks[i].url, 0);
}

/* May agents walk to it, now or later? A taken link that none of our agents took
 * cannot be reached. */
static bool link_counts(const struct roam *r, const struct link_mark *mark, uint32_t page)
{
    uint32_t there = where(r, mark->url);

    if (mark->drop != DROP_NONE || mark->url == 0 || mark->url == page || there == GONE)
        return false;
    return there != 0 || !mark->taken;
}

/* Gathers the page's links in r->links, each URL once with its best context; returns how many. */
static uint32_t links_gather(struct model *m, struct roam *r, struct percept *p, uint32_t page)
{
    double a = r->rules.page, worth = page_similarity(p, r->rules.similarity);
    uint32_t count = 0;

    links_room(r, p->body->nlinks);
    link_contexts(&r->rules.context, m->ctx, p, r->rules.similarity == SIMILARITY_RAW, r->contexts);
    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        struct link_mark *mark = &p->marks[i];
        float context = r->contexts[i];
        uint32_t slot;

        if (!link_counts(r, mark, page))
            continue;
        mark->score = (float)(a * worth + (1 - a) * (double)context);
        slot = url_index_get(&r->slot, mark->url);
        if (slot == 0) {
            r->links[count++] = (struct base_link){mark->url, context};
            url_index_set(&r->slot, mark->url, count);
        } else if (context > r->links[slot - 1].score) {
            r->links[slot - 1].score = context;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        url_index_set(&r->slot, r->links[i].url, 0);
    return count;
}

static void promise_set(struct roam *r, uint32_t url, float score)
{
    if (url >= r->promise_cap) {
        size_t cap = (size_t)url + url / 2 + 64;

        r->promise = mem_resize(r->promise, cap, sizeof *r->promise);
        memset(r->promise + r->promise_cap, 0, (cap - r->promise_cap) * sizeof *r->promise);
        r->promise_cap = cap;
    }
    if (score > r->promise[url])
        r->promise[url] = score;
}

static float promise_of(const struct roam *r, uint32_t url)
{
    return url < r->promise_cap ? r->promise[url] : 0;
}

/* Opens the links of a page of that relevance that are not visited yet. */
static void links_open(struct roam *r, uint32_t count, double relevance)
{
    double a = r->rules.page;

    for (uint32_t i = 0; i < count; i++) {
        const struct base_link *l = &r->links[i];

        if (where(r, l->url) != 0)
            continue;
        url_pool_add(&r->open, l->url);
        promise_set(r, l->url, (float)(a * relevance + (1 - a) * (double)l->score));
    }
}

static void stands(struct roam *r, uint32_t url, uint32_t there)
{
    url_index_set(&r->where, url, there);
    url_pool_remove(&r->open, url);
}

bool roam_arrived(struct model *m, struct roam *r, struct percept *p, struct roam_visit *ret,
                  struct base_page *ret_page)
{
    uint32_t url = p->choice.url, count;
    bool ours = visit_close(r, p->choice.agent, ret);

    *ret_page = (struct base_page){0};
    if (ours)
        stands(r, ret->url, p->page ? url : GONE);
    if (url)
        stands(r, url, p->page ? url : GONE);
    links_hear(r, p);
    count = links_gather(m, r, p, url);
    links_open(r, count, page_similarity(p, r->rules.similarity));
    if (url == 0 || p->page == 0) /* a sitemap is not a place */
        return ours;
    page_base_add(r->base, p->page, url, (float)page_similarity(p, r->rules.similarity), r->links,
                  count);
    (void)page_base_get(r->base, url, ret_page);
    if (ours)
        agent_moved(m->ctx->population, ret->agent, url);
    return ours;
}

/* Taken links lead to pages of the earlier crawl, and agents can walk to all of them. */
void roam_adopt(struct model *m, struct roam *r, struct percept *p)
{
    double worth = page_similarity(p, r->rules.similarity);
    uint32_t url = p->choice.url, count;

    for (uint32_t i = 0; i < p->body->nlinks; i++)
        p->marks[i].taken = false;
    stands(r, url, url);
    count = links_gather(m, r, p, url);
    links_open(r, count, worth);
    page_base_add(r->base, 0, url, (float)worth, r->links, count);
}

bool roam_failed(struct roam *r, const struct choice *c, struct roam_visit *ret)
{
    if (!visit_close(r, c->agent, ret))
        return false;
    stands(r, ret->url, GONE);
    return true;
}

/* ---- which link ---------------------------------------------------------- */

/* Gives the page where the agent is, with its links. Returns false if there is none,
 * or its links are lost. */
static bool page_here(struct model *m, struct roam *r, uint32_t url, struct base_page *ret)
{
    struct percept p;

    if (!page_base_get(r->base, url, ret))
        return false;
    if (ret->links)
        return true;
    if (m->ctx->look_up == NULL || !m->ctx->look_up(m->ctx->engine, url, &p))
        return false;
    page_base_relink(r->base, url, r->links, links_gather(m, r, &p, url));
    return page_base_get(r->base, url, ret);
}

/* Sums over all links of a page. */
struct pick {
    const struct base_page *page;
    double a, beta;
    int rule;
    bool only_open; /* some link is not visited yet, and such links come first */
    uint32_t here;  /* URL */
};

static double pick_score(const struct pick *k, const struct base_link *l)
{
    return k->a * (double)k->page->relevance + (1 - k->a) * (double)l->score;
}

static bool pick_allows(const struct roam *r, const struct pick *k, const struct base_link *l)
{
    uint32_t there = where(r, l->url);

    if (there == 0)
        return true;
    return is_page(there) && !k->only_open && there != k->here;
}

static double pick_weight(const struct pick *k, const struct base_link *l, double best)
{
    double score = pick_score(k, l);

    return k->rule == PICK_SOFTMAX ? exp(k->beta * (score - best)) : score;
}

/* The first pass: is there any link, and which one is best? */
static enum roam_found pick_survey(const struct roam *r, struct pick *k, uint32_t *ret_best)
{
    enum roam_found found = ROAM_NONE;
    double best = -1;

    k->only_open = false;
    for (uint32_t i = 0; r->rules.links == 1 && i < k->page->nlinks && !k->only_open; i++)
        k->only_open = where(r, k->page->links[i].url) == 0;
    for (uint32_t i = 0; i < k->page->nlinks; i++) {
        const struct base_link *l = &k->page->links[i];

        if (!pick_allows(r, k, l)) {
            if (found == ROAM_NONE && where(r, l->url) == TAKEN)
                found = ROAM_WAIT;
            continue;
        }
        found = ROAM_FOUND;
        if (pick_score(k, l) > best) {
            best = pick_score(k, l);
            *ret_best = i;
        }
    }
    return found;
}

/* Draws in proportion to the weights; if all are 0, all are equally likely. */
static uint32_t pick_draw(const struct roam *r, const struct pick *k, uint32_t best_at,
                          struct rng *rng)
{
    double best = pick_score(k, &k->page->links[best_at]), sum = 0, at;
    bool alike = k->rule != PICK_SOFTMAX && best <= 0;
    uint32_t last = best_at;

    for (uint32_t i = 0; i < k->page->nlinks; i++)
        if (pick_allows(r, k, &k->page->links[i]))
            sum += alike ? 1 : pick_weight(k, &k->page->links[i], best);
    at = rng_unit(rng) * sum;
    for (uint32_t i = 0; i < k->page->nlinks; i++) {
        if (!pick_allows(r, k, &k->page->links[i]))
            continue;
        at -= alike ? 1 : pick_weight(k, &k->page->links[i], best);
        last = i;
        if (at < 0)
            break;
    }
    return last;
}

enum roam_found roam_pick(struct model *m, struct roam *r, uint32_t agent, double page,
                          struct roam_visit *ret)
{
    const struct agent *self = agent_of(m->ctx->population, agent);
    struct pick k = {.a = page, .beta = r->rules.beta, .rule = r->rules.pick, .here = self->at};
    struct base_page here;
    enum roam_found found;
    uint32_t i = 0;

    if (!page_here(m, r, self->at, &here))
        return ROAM_NONE;
    k.page = &here;
    found = pick_survey(r, &k, &i);
    if (found != ROAM_FOUND)
        return found;
    if (k.rule != PICK_BEST)
        i = pick_draw(r, &k, i, &m->ctx->rng);
    *ret = (struct roam_visit){.agent = agent,
                               .url = here.links[i].url,
                               .why = ROAM_LINK,
                               .relevance = here.relevance,
                               .context = here.links[i].score};
    return ROAM_FOUND;
}

bool roam_back(struct model *m, struct roam *r, uint32_t agent, struct roam_visit *ret)
{
    const struct agent *self = agent_of(m->ctx->population, agent);
    uint32_t url = self->from;

    if ((url == 0 || url == self->at || !page_base_has(r->base, url)) &&
        !page_base_any(r->base, &m->ctx->rng, &url))
        return false;
    *ret = (struct roam_visit){.agent = agent, .url = url, .why = ROAM_BACK};
    return true;
}

bool roam_anywhere(struct model *m, struct roam *r, int64_t tries, struct roam_visit *ret)
{
    ret->url = 0;
    for (; tries > 0 && r->open.count > 0; tries--) {
        uint32_t url = url_pool_any(&r->open, &m->ctx->rng);

        if (ret->url == 0 || promise_of(r, url) > promise_of(r, ret->url))
            ret->url = url;
    }
    return ret->url != 0;
}

uint32_t roam_best(const struct roam *r, bool (*is_it)(void *ctx, uint32_t url), void *ctx)
{
    uint32_t best = 0;

    for (size_t i = 0; i < r->open.count; i++) {
        uint32_t url = r->open.urls[i];

        if ((best == 0 || promise_of(r, url) > promise_of(r, best)) && is_it(ctx, url))
            best = url;
    }
    return best;
}

/* ---- whose turn ---------------------------------------------------------- */

static bool is_away(const struct roam *r, uint32_t agent)
{
    return url_index_get(&r->away, agent) != 0;
}

/* Returns the next agent in order of birth that has no visit under way; 0 if there is none. */
static uint32_t turn_next(struct model *m, struct roam *r)
{
    const struct population *p = m->ctx->population;

    for (uint32_t left = population_counts(p).alive; left > 0; left--) {
        r->turn = population_after(p, r->turn);
        if (r->turn == 0)
            r->turn = population_after(p, 0);
        if (!is_away(r, r->turn))
            return r->turn;
    }
    return 0;
}

/* An agent whose place does not exist begins at another seed, or anywhere. */
static bool place_anew(struct model *m, struct roam *r, uint32_t agent)
{
    uint32_t url = 0;

    for (size_t i = 0; i < r->nseeds && url == 0; i++) {
        uint32_t seed = roam_seed(r, agent + i), there = where(r, seed);

        if (is_page(there) || there == TAKEN)
            url = is_page(there) ? there : seed;
    }
    if (url == 0 && !page_base_any(r->base, &m->ctx->rng, &url))
        return false;
    agent_moved(m->ctx->population, agent, url);
    return true;
}

/* Is the agent on a page? A seed may be on its way, or have failed, or moved. */
static bool is_placed(struct model *m, struct roam *r, uint32_t agent)
{
    uint32_t at = agent_of(m->ctx->population, agent)->at, there = where(r, at);

    if (there == at && at != 0)
        return true;
    if (there == TAKEN)
        return false;
    if (is_page(there)) {
        agent_moved(m->ctx->population, agent, there);
        return true;
    }
    return place_anew(m, r, agent) && is_page(where(r, agent_of(m->ctx->population, agent)->at));
}

static void choose(struct roam *r, const struct roam_visit *v, struct choice *ret)
{
    double a = r->rules.page;

    *ret = (struct choice){.url = v->url, .agent = v->agent, .score = 1};
    if (v->why == ROAM_LINK)
        ret->score = (float)(a * (double)v->relevance + (1 - a) * (double)v->context);
    visit_open(r, v);
}

/* Goes anywhere, as a last resort: nothing is under way, and URLs are open. */
static bool stray(struct model *m, struct roam *r, uint32_t agent, struct roam_visit *v)
{
    *v = (struct roam_visit){.agent = agent, .why = ROAM_STRAYED};
    return r->nvisits == 0 && roam_anywhere(m, r, 1, v);
}

/* Where an agent from another machine goes. Returns false if it has been there, or lives here. */
static bool guest_take(struct roam *r, uint32_t agent, struct roam_visit *ret)
{
    for (size_t i = 0; i < r->nguests; i++)
        if (r->guests[i].agent == agent) {
            *ret = r->guests[i];
            r->guests[i] = r->guests[--r->nguests];
            return where(r, ret->url) != GONE;
        }
    return false;
}

/* Takes one agent's turn. Returns true if *v goes to an open URL. Otherwise *ret_idle
 * says whether it did nothing. */
static bool turn_take(struct model *m, struct roam *r, uint32_t agent, struct roam_visit *v,
                      bool *ret_idle)
{
    uint32_t seed = seed_left(r), there;
    struct base_page page;

    *ret_idle = true;
    if (seed) {
        *v = (struct roam_visit){.agent = agent, .url = seed, .why = ROAM_PLACED};
        return true;
    }
    if (!guest_take(r, agent, v) && (!is_placed(m, r, agent) || !r->rules.aim(m, agent, v)))
        return false;
    there = where(r, v->url);
    if (there == TAKEN)
        return false; /* a guest: it waits there */
    if (there == 0)
        return true;
    *ret_idle = false;
    v->url = there;
    (void)page_base_get(r->base, there, &page);
    agent_moved(m->ctx->population, agent, there);
    r->rules.visit(m, v, &page);
    return false;
}

bool roam_next(struct model *m, struct roam *r, struct choice *ret)
{
    uint32_t idle = 0, steps = 0, agent;
    struct roam_visit v;

    while (r->open.count > 0 && (agent = turn_next(m, r)) != 0) {
        bool still = true,
             tired = steps++ >= ROAM_WALKS || idle > population_counts(m->ctx->population).alive;

        if (tired ? stray(m, r, agent, &v) : turn_take(m, r, agent, &v, &still)) {
            choose(r, &v, ret);
            return true;
        }
        if (tired)
            return false;
        idle = still ? idle + 1 : 0;
    }
    return false;
}

/* ---- several machines ---------------------------------------------------- */

static const struct field guest_fields[] = {
    FIELD(U8, struct roam_visit, why),
    FIELD(FINE, struct roam_visit, relevance),
    FIELD(FINE, struct roam_visit, context),
    FIELD_END,
};

/* Returns the visit of an agent that is on its way, or NULL. */
static const struct roam_visit *trip_of(const struct roam *r, uint32_t agent)
{
    uint32_t place = url_index_get(&r->away, agent);

    if (place)
        return &r->visits[place - 1];
    for (size_t i = 0; i < r->nguests; i++)
        if (r->guests[i].agent == agent)
            return &r->guests[i];
    return NULL;
}

uint32_t roam_record(const struct model *m, const struct roam *r, uint32_t agent, struct buf *out)
{
    const struct roam_visit *v = trip_of(r, agent), nowhere = {0};

    fields_save(guest_fields, v ? v : &nowhere, out);
    return v ? v->url : agent_of(m->ctx->population, agent)->at;
}

void roam_let_go(struct roam *r, uint32_t agent)
{
    struct roam_visit v;

    if (visit_close(r, agent, &v))
        stands(r, v.url, GONE);
    else
        (void)guest_take(r, agent, &v);
}

enum status roam_unpack(struct model *m, struct roam *r, uint32_t agent, uint32_t url,
                        struct str state)
{
    struct roam_visit v = {.agent = agent, .url = url};
    struct cursor from = {.rest = state};

    fields_load(guest_fields, &v, &from);
    if (from.bad || from.rest.len > 0 || v.why > ROAM_STRAYED)
        return status_fail(ST_INVALID,
                           "the state of an agent that came from another node is damaged");
    if (url == 0)
        return ST_OK; /* it will find a place */
    agent_moved(m->ctx->population, agent, url);
    if (where(r, url) == 0)
        url_pool_add(&r->open, url);
    MEM_GROW(r->guests, r->nguests, &r->guests_cap);
    r->guests[r->nguests++] = v;
    return ST_OK;
}

/* ---- checkpoints --------------------------------------------------------- */

static void where_save(const struct roam *r, struct buf *out)
{
    uint32_t count = 0;

    for (size_t url = 0; url < r->where.cap; url++)
        count += r->where.value[url] != 0;
    buf_put_u32(out, count);
    for (size_t url = 0; url < r->where.cap; url++) {
        if (r->where.value[url] == 0)
            continue;
        buf_put_u32(out, (uint32_t)url);
        buf_put_u32(out, r->where.value[url]);
    }
}

static bool where_load(struct roam *r, struct cursor *from)
{
    for (uint32_t left = cursor_u32(from); left > 0 && !from->bad; left--) {
        uint32_t url = cursor_number(from), value = cursor_u32(from);

        if (url > LIMIT_URLS || (is_page(value) && value > LIMIT_URLS))
            return false;
        url_index_set(&r->where, url, value);
    }
    return !from->bad;
}

static const struct field visit_fields[] = {
    FIELD(U32, struct roam_visit, agent),    FIELD(URL, struct roam_visit, url),
    FIELD(U8, struct roam_visit, why),       FIELD(WIDE, struct roam_visit, relevance),
    FIELD(WIDE, struct roam_visit, context), FIELD_END,
};

static bool visits_load(struct roam *r, struct cursor *from)
{
    for (uint32_t left = cursor_u32(from); left > 0 && !from->bad; left--) {
        struct roam_visit v = {0};

        fields_load(visit_fields, &v, from);
        if (from->bad || v.agent == 0 || v.url == 0 || v.url > LIMIT_URLS || is_away(r, v.agent))
            return false;
        visit_open(r, &v);
    }
    return !from->bad;
}

void roam_save(const struct roam *r, struct buf *out)
{
    buf_put_u32(out, r->turn);
    buf_put_u32(out, (uint32_t)r->placed);
    buf_put_u32(out, (uint32_t)r->nseeds);
    for (size_t i = 0; i < r->nseeds; i++)
        buf_put_u32(out, r->seeds[i]);
    where_save(r, out);
    url_pool_save(&r->open, out);
    for (size_t i = 0; i < r->open.count; i++)
        buf_put_f64(out, (double)promise_of(r, r->open.urls[i]));
    fields_save_all(visit_fields, r->visits, r->nvisits, sizeof *r->visits, out);
    page_base_save(r->base, out);
}

enum status roam_load(struct roam *r, struct cursor *from)
{
    r->turn = cursor_u32(from);
    r->placed = cursor_u32(from);
    r->nseeds = 0;
    for (uint32_t left = cursor_u32(from); left > 0 && !from->bad; left--) {
        MEM_GROW(r->seeds, r->nseeds, &r->seeds_cap);
        r->seeds[r->nseeds++] = cursor_u32(from);
    }
    if (!where_load(r, from))
        return status_fail(ST_CORRUPT, "the saved places of agents are cut or damaged");
    TRY(url_pool_load(&r->open, from));
    for (size_t i = 0; i < r->open.count; i++)
        promise_set(r, r->open.urls[i], (float)cursor_f64(from));
    if (!visits_load(r, from))
        return status_fail(ST_CORRUPT, "the saved visits under way are cut or damaged");
    return page_base_load(r->base, from);
}

void roam_guests_save(const struct roam *r, struct buf *out)
{
    fields_save_all(visit_fields, r->guests, r->nguests, sizeof *r->guests, out);
}

enum status roam_guests_load(struct roam *r, struct cursor *from)
{
    for (uint32_t left = cursor_u32(from); left > 0 && !from->bad; left--) {
        MEM_GROW(r->guests, r->nguests, &r->guests_cap);
        r->guests[r->nguests] = (struct roam_visit){0};
        fields_load(visit_fields, &r->guests[r->nguests++], from);
    }
    return from->bad ? status_fail(ST_CORRUPT, "the saved agents that came are damaged") : ST_OK;
}

void roam_describe(const struct roam *r, struct json *j)
{
    json_put_int(j, "open_urls", (int64_t)r->open.count);
    json_put_int(j, "base_pages", page_base_count(r->base));
    json_put_int(j, "under_way", (int64_t)r->nvisits);
}
