/* infospiders.c - a population of agents that live on what they find.
 *
 * In: a page an agent came to. Out: the link it follows. Every agent has a small net
 * that sees the topic's words around a link and guesses what is behind it; it learns
 * from every page. Relevant pages give energy, downloads cost some. An agent with
 * enough energy divides, and the child takes a word of the page into its net; an
 * agent with none left dies.
 *
 * variant=myspiders: an agent follows links of the page it is on. variant=frontier:
 * it keeps the links it has seen, and leaves half of them to its child.
 *
 * Sources: Pant & Menczer 2002 (MySpiders); Menczer & Belew 2000; Menczer, Pant,
 * Srinivasan 2004. What differs in print and what we do: docs/models/infospiders.md.
 * SPDX-License-Identifier: MIT */
#include "agent/model.h"
#include "agent/tell.h"
#include "base/fields.h"
#include "base/mem.h"
#include "models/infospiders/infospiders_int.h"
#include "models/infospiders/keywords.h"

#include <math.h>
#include <stdlib.h>

static struct spider *spider_find(const struct model *m, uint32_t agent)
{
    const struct agent *a = agent_of(m->ctx->population, agent);

    return a ? a->traits : NULL;
}

static uint32_t founders_of(const struct spiders_options *o, size_t seeds)
{
    return seeds > (size_t)o->population ? (uint32_t)seeds : (uint32_t)o->population;
}

static struct spiders *spiders_begin(struct model *m)
{
    struct spiders *st = spiders_of(m);

    if (st->ready)
        return st;
    st->ready = true;
    st->answers = 1;
    if (m->ctx->seeds) /* on several machines they are counted together */
        st->founders = founders_of(options_of(m), m->ctx->seeds);
    population_set_free(m->ctx->population, spider_free);
    population_set_bounds(m->ctx->population, (struct population_bounds){
                                                  .cap = (uint32_t)options_of(m)->max_population,
                                              });
    return st;
}

static void spiders_start(struct model *m, const uint32_t *urls, size_t count)
{
    const struct spiders_options *o = options_of(m);
    struct spiders *st = spiders_begin(m);
    uint32_t seeds = m->ctx->seeds;
    size_t n = st->founders ? count : founders_of(o, count);

    if (seeds) /* in proportion to the share of these seeds */
        n = (founders_of(o, seeds) * count + seeds - 1) / seeds;

    for (size_t i = 0; count > 0 && i < n; i++) {
        uint32_t agent = agent_born(m->ctx->population, m->ctx->now, 0, "spider", 0, o->theta / 2);
        struct spider *s = spider_new(m, agent);

        s->to = urls[i % count];
        if (url_index_get(&st->places, s->to) == PLACE_NEW)
            spiders_set_place(st, s->to, PLACE_OFFERED);
        agent_set_traits(m->ctx->population, agent, s);
    }
    if (st->founders == 0 && count > 0)
        st->founders = (uint32_t)n;
}

/* ---- whose turn ------------------------------------------------------------------ */

#define WALKS_AT_ONCE 64 /* steps in one call while something is under way */
#define WALKS_MOST    16 /* steps of each agent, if nothing is under way: then it gives up */

static struct spider *next_spider(struct model *m)
{
    struct spiders *st = spiders_of(m);

    st->turn = population_after(m->ctx->population, st->turn);
    if (st->turn == 0)
        st->turn = population_after(m->ctx->population, 0);
    return spider_find(m, st->turn);
}

static void give_out(struct model *m, struct spider *s, struct choice *ret)
{
    struct spiders *st = spiders_of(m);

    *ret = (struct choice){.url = s->to, .agent = s->id, .score = s->estimate};
    spiders_set_place(st, s->to, PLACE_OPEN);
    s->under_way = true;
    st->open++;
}

/* With nothing under way, is there anything left that an agent could reach? In the frontier variant
 * agents know that themselves: they die when they have no links. */
static bool is_exhausted(const struct model *m)
{
    const struct spiders *st = spiders_of(m);

    return options_of(m)->variant == VARIANT_MYSPIDERS && st->open == 0 && st->offered == 0;
}

static bool spiders_next(struct model *m, uint32_t host, struct choice *ret)
{
    struct spiders *st = spiders_begin(m);
    uint32_t alive = population_counts(m->ctx->population).alive, blocked = 0;
    uint64_t walks = 0, most = st->open ? WALKS_AT_ONCE : (uint64_t)alive * WALKS_MOST + 4096;

    (void)host;
    while (alive > blocked && walks < most && !is_exhausted(m)) {
        struct spider *s = next_spider(m);

        switch (spider_step(m, s)) {
        case STEP_CHOSEN:
            give_out(m, s, ret);
            return true;
        case STEP_BLOCKED:
            blocked++;
            break;
        default:
            walks++;
            blocked = 0;
            alive = population_counts(m->ctx->population).alive;
        }
    }
    return false;
}

/* ---- answers --------------------------------------------------------------------- */

/* Notes the links. If another machine sent one, an agent of ours may have gone there before. */
static void note_offers(struct spiders *st, const struct percept *p)
{
    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        const struct link_mark *mark = &p->marks[i];
        uint32_t place = url_index_get(&st->places, mark->url);

        if (mark->url && mark->drop == DROP_NONE && !mark->taken &&
            (place == PLACE_NEW || (p->hearsay && place == PLACE_GONE)))
            spiders_set_place(st, mark->url, PLACE_OFFERED);
    }
}

static void answered(struct spiders *st, struct spider *s, uint32_t place)
{
    spiders_set_place(st, s->to, place);
    s->under_way = false;
    st->open--;
    st->answers++;
}

static void spiders_perceive(struct model *m, struct percept *p)
{
    struct spiders *st = spiders_begin(m);
    struct spider *s = spider_find(m, p->choice.agent);
    uint32_t url = p->choice.url;

    if (options_of(m)->variant == VARIANT_MYSPIDERS)
        note_offers(st, p);
    if (url == 0 || s == NULL)
        return;                                  /* the engine's own visit, without an agent */
    answered(st, s, p->page ? url : PLACE_GONE); /* a sitemap is not a place */
    if (p->page) {
        spiders_set_place(st, url, url);
        agent_moved(m->ctx->population, s->id, url);
    }
    s->avoid = 0;
    spider_arrive(m, s, p);
}

/* The page is in the shared cache from the beginning: a look at it costs energy, and gives none. */
static void spiders_adopt(struct model *m, struct percept *p)
{
    struct spiders *st = spiders_begin(m);

    if (p == NULL)
        return;
    spiders_set_place(st, p->choice.url, p->choice.url);
    if (options_of(m)->variant == VARIANT_MYSPIDERS)
        note_offers(st, p);
}

/* The engine may have fetched it on its own: then the page can be looked up. */
static void spiders_failed(struct model *m, const struct choice *c, enum drop why)
{
    struct spiders *st = spiders_begin(m);
    struct spider *s = spider_find(m, c->agent);

    if (s == NULL)
        return;
    answered(st, s, why == DROP_SEEN ? s->to : PLACE_GONE);
    if (why != DROP_SEEN)
        s->to = 0;
    (void)spider_charge(m, s, spiders_cost_of_failure(m, why));
}

/* ---- checkpoint: the minds of all, to the last bit -------------------------------- */

static const struct field spider_fields[] = {
    FIELD(U32, struct spider, id),
    FIELD(U32, struct spider, to),
    FIELD(U32, struct spider, avoid),
    FIELD(U32, struct spider, blocked),
    FIELD(FLAG, struct spider, under_way),
    FIELD(FLAG, struct spider, by_link),
    FIELD(WIDE, struct spider, estimate),
    FIELD(F64, struct spider, beta),
    FIELD_END,
};

static const struct field travel_fields[] = {
    FIELD(FLAG, struct spider, by_link),
    FIELD(FINE, struct spider, estimate),
    FIELD(REAL, struct spider, beta),
    FIELD_END,
};

static const struct field spiders_fields[] = {
    FIELD(U32, struct spiders, founders), FIELD(U32, struct spiders, turn),
    FIELD(U32, struct spiders, open),     FIELD(U32, struct spiders, answers),
    FIELD(U64, struct spiders, walks),    FIELD_END,
};

static void spider_save(const struct spider *s, struct buf *out)
{
    fields_save(spider_fields, s, out);
    net_save(&s->net, out);
    for (uint32_t i = 0; i < s->net.inputs; i++) {
        buf_put_u32(out, s->words[i]);
        buf_put_f64(out, (double)s->in[i]);
    }
    link_bag_save(&s->bag, out);
}

static enum status spider_read(struct spider *s, struct cursor *c)
{
    fields_load(spider_fields, s, c);
    if (net_load(&s->net, c) != ST_OK)
        return ST_CORRUPT;
    s->words = mem_zero(s->net.inputs, sizeof *s->words);
    s->in = mem_zero(s->net.inputs, sizeof *s->in);
    for (uint32_t i = 0; i < s->net.inputs; i++) {
        s->words[i] = cursor_u32(c);
        s->in[i] = (float)cursor_f64(c);
    }
    c->bad |= s->net.inputs > KEYWORDS_MAX;
    return link_bag_load(&s->bag, c);
}

static enum status spider_load(struct model *m, struct cursor *c)
{
    struct spider *s = MEM_NEW(struct spider);
    enum status st = spider_read(s, c);

    if (st == ST_OK && (!agent_is_alive(m->ctx->population, s->id) || spider_find(m, s->id) ||
                        s->bag.keywords != s->net.inputs))
        st = status_fail(ST_CORRUPT, "saved agents do not fit the population");
    if (st == ST_OK)
        agent_set_traits(m->ctx->population, s->id, s);
    else
        spider_free(s);
    return st;
}

static void places_save(const struct url_index *x, struct buf *out)
{
    size_t n = x->cap;

    while (n > 0 && x->value[n - 1] == PLACE_NEW)
        n--;
    buf_put_u32(out, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        buf_put_u32(out, x->value[i]);
}

static void places_load(struct spiders *st, struct cursor *c)
{
    uint32_t n = cursor_u32(c);

    for (uint32_t i = 0; i < n && !c->bad; i++) {
        uint32_t place = cursor_u32(c);

        if (place != PLACE_NEW)
            spiders_set_place(st, i, place);
    }
}

static void spiders_save(const struct model *m, struct buf *out)
{
    const struct spiders *st = spiders_of(m);
    uint32_t alive = population_counts(m->ctx->population).alive;

    fields_save(spiders_fields, st, out);
    places_save(&st->places, out);
    buf_put_u32(out, alive);
    for (uint32_t i = 0; i < alive; i++)
        spider_save(population_nth(m->ctx->population, i)->traits, out);
}

static enum status spiders_load(struct model *m, struct str state)
{
    struct spiders *st = spiders_begin(m);
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    uint32_t alive;

    fields_load(spiders_fields, st, &c);
    places_load(st, &c);
    alive = cursor_u32(&c);
    if (c.bad || alive != population_counts(m->ctx->population).alive)
        return status_fail(ST_CORRUPT, "the saved agents are cut");
    for (uint32_t i = 0; i < alive; i++)
        TRY(spider_load(m, &c));
    spiders_recount(m);
    return ST_OK;
}

/* ---- several machines ------------------------------------------------------------ */

/* Links that it keeps for itself (variant=frontier) stay behind: they lead to hosts of this
 * machine, and the owners of other hosts have been sent theirs. */
static bool spiders_record(const struct model *m, uint32_t agent, struct buf *out,
                           uint32_t *ret_url)
{
    const struct spider *s = spider_find(m, agent);

    net_save(&s->net, out);
    fields_save(travel_fields, s, out);
    for (uint32_t i = 0; i < s->net.inputs; i++) {
        buf_put_u32(out, s->words[i]);
        buf_put_f32(out, s->in[i]);
    }
    *ret_url = s->to ? s->to : agent_of(m->ctx->population, agent)->at;
    return !out->full;
}

static void spiders_let_go(struct model *m, uint32_t agent)
{
    struct spider *s = spider_find(m, agent);

    if (s->under_way)
        answered(spiders_of(m), s, PLACE_GONE);
    spider_let_go(m, s);
}

static bool mind_is_sane(const struct spider *s)
{
    bool sane = s->net.inputs <= KEYWORDS_MAX && s->beta >= 0;

    for (size_t i = 0; sane && i < net_size(&s->net); i++)
        sane = isfinite(s->net.weights[i]);
    for (uint32_t i = 0; sane && i < s->net.inputs; i++)
        sane = isfinite(s->in[i]);
    return sane;
}

static struct spider *spider_unpack(struct cursor *from)
{
    struct spider *s = MEM_NEW(struct spider);

    if (net_load(&s->net, from) == ST_OK && s->net.inputs <= KEYWORDS_MAX) {
        fields_load(travel_fields, s, from);
        s->words = mem_zero(s->net.inputs, sizeof *s->words);
        s->in = mem_zero(s->net.inputs, sizeof *s->in);
        for (uint32_t i = 0; i < s->net.inputs; i++) {
            s->words[i] = cursor_u32(from);
            s->in[i] = cursor_f32(from);
        }
        s->bag.keywords = s->net.inputs;
        if (!from->bad && from->rest.len == 0 && mind_is_sane(s))
            return s;
    }
    spider_free(s);
    return NULL;
}

static enum status spiders_unpack(struct model *m, uint32_t agent, uint32_t url, struct str state)
{
    struct spiders *st = spiders_begin(m);
    struct cursor from = {.rest = state};
    struct spider *s = spider_unpack(&from);

    if (s == NULL)
        return status_fail(ST_INVALID,
                           "the state of an agent that came from another node is damaged");
    s->id = agent;
    s->to = url;
    if (url && url_index_get(&st->places, url) == PLACE_NEW)
        spiders_set_place(st, url, PLACE_OFFERED);
    for (uint32_t i = 0; i < s->net.inputs; i++)
        model_takes_word(m, s->words[i]);
    agent_set_traits(m->ctx->population, agent, s);
    return ST_OK;
}

/* ---- the model -------------------------------------------------------------------- */

/* ---- figures --------------------------------------------------------------------- */

static void spiders_describe(const struct model *m, struct json *j)
{
    const struct spiders *st = spiders_of(m);
    uint32_t alive = population_counts(m->ctx->population).alive;
    double words = 0, energy = 0;

    for (uint32_t i = 0; i < alive; i++) {
        const struct agent *a = population_nth(m->ctx->population, i);

        words += ((const struct spider *)a->traits)->net.inputs;
        energy += a->energy;
    }
    json_put_int(j, "open", st->open);
    json_put_int(j, "walks", (int64_t)st->walks);
    json_put_int(j, "kept_links", (int64_t)st->kept);
    json_put_num(j, "mean_keywords", alive ? words / alive : 0);
    json_put_num(j, "mean_energy", alive ? energy / alive : 0);
    json_put_num(j, "c_t", spiders_c_t(m));
}

static void spiders_finish(struct model *m)
{
    struct spiders *st = spiders_of(m);

    survey_clear(&st->survey);
    url_index_clear(&st->places);
    url_index_clear(&st->held);
    free(st->room);
}

/* ---- for people ---------------------------------------------------------- */

/* The weight of k = out(only k, once, beside the link) - out(nothing): what the word adds to the
 * net's estimate of a link; above 0 it attracts. */
static size_t weigh_words(const struct spider *s, struct told_word *ret, double *ret_dark)
{
    float in[NET_INPUTS] = {0};
    uint32_t n = s->net.inputs < NET_INPUTS ? s->net.inputs : NET_INPUTS;

    *ret_dark = net_output(&s->net, in);
    for (uint32_t i = 0; i < n; i++) {
        in[i] = 1;
        ret[i] = (struct told_word){s->words[i], net_output(&s->net, in) - *ret_dark};
        in[i] = 0;
    }
    return n;
}

static void spiders_tell(const struct model *m, uint32_t agent, struct json *j)
{
    const struct spider *s = spider_find(m, agent);
    struct told_word words[NET_INPUTS];
    double dark;
    size_t n;

    if (s == NULL)
        return;
    n = weigh_words(s, words, &dark);
    tell_words(m, j, "what the word beside a link adds to the net's guess of its worth", words, n);
    json_open_array(j, "facts");
    tell_number(j, "keywords", "words it knows", (double)n);
    tell_number(j, "guess", "its guess of a link with none of them", dark);
    tell_number(j, "beta", "how sharply it prefers better links", s->beta);
    if (options_of(m)->variant == VARIANT_FRONTIER)
        tell_number(j, "links", "links it keeps for later", (double)s->bag.count);
    if (s->by_link && s->to)
        tell_number(j, "estimate", "its guess of the link it follows", (double)s->estimate);
    tell_url(m, j, "to", s->under_way ? "on its way to" : "wants to go to", s->to);
    json_close(j);
}

const struct model_ops model_infospiders = {
    .name = "infospiders",
    .summary = "agents with small nets that live on relevant pages, learn, and multiply there",
    .advice = "For study: agents that learn while they walk and choose their own words.",
    .common = "population max_population theta max_pages variant",
    .source = "Pant & Menczer: MySpiders (2002); Menczer & Belew (2000)",
    .options = spiders_option_table,
    .options_size = sizeof(struct spiders_options),
    .state_size = sizeof(struct spiders),
    .start = spiders_start,
    .next = spiders_next,
    .perceive = spiders_perceive,
    .failed = spiders_failed,
    .save = spiders_save,
    .load = spiders_load,
    .describe = spiders_describe,
    .finish = spiders_finish,
    .walks = &(const struct model_walks){.adopt = spiders_adopt},
    .moves = &(const struct model_moves){.record = spiders_record,
                                         .let_go = spiders_let_go,
                                         .unpack = spiders_unpack},
    .tells = &(const struct model_tells){.tell = spiders_tell},
};
