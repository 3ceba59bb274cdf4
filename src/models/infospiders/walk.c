/* walk.c - where next: a link, a visited page, the way back.
 *
 * A link's page is fetched where no agent was yet. Otherwise the agent walks there at
 * once: the page is looked up. Where no link is left that leads anywhere, it turns
 * back; links whose visit is under way are waited for, unless there are others.
 * SPDX-License-Identifier: MIT */
#include "models/infospiders/infospiders_int.h"

void spiders_set_place(struct spiders *st, uint32_t url, uint32_t place)
{
    uint32_t old = url_index_get(&st->places, url);

    st->offered += (place == PLACE_OFFERED) - (old == PLACE_OFFERED);
    url_index_set(&st->places, url, place);
}

/* ---- a link of the page -------------------------------------------------------- */

struct candidates {
    const struct spiders *st;
    uint32_t here, avoid;
    bool awaited; /* some are under way */
};

static bool candidates_allow(void *ctx, uint32_t url)
{
    struct candidates *c = ctx;
    uint32_t place = url_index_get(&c->st->places, url);

    c->awaited |= place == PLACE_OPEN;
    return place != PLACE_OPEN && place != PLACE_GONE && url != c->here && place != c->here &&
           url != c->avoid;
}

void spider_choose(struct model *m, struct spider *s)
{
    const struct spiders_options *o = options_of(m);
    struct spiders *st = spiders_of(m);
    struct candidates c = {.st = st, .avoid = s->avoid};
    long i;

    c.here = agent_of(m->ctx->population, s->id)->at;
    i = survey_draw(&st->survey, (enum lottery)o->select, s->beta, &m->ctx->rng, candidates_allow,
                    &c);
    s->blocked = i < 0 && c.awaited ? st->answers : 0;
    s->to = i < 0 ? 0 : st->survey.urls[i];
    s->by_link = i >= 0;
    if (i < 0)
        return;
    s->estimate = (float)st->survey.estimates[i];
    memcpy(s->in, survey_inputs(&st->survey, (size_t)i), s->net.inputs * sizeof *s->in);
}

/* ---- visited pages ------------------------------------------------------------- */

static bool look_up(const struct model *m, uint32_t url, struct percept *ret)
{
    return m->ctx->look_up && m->ctx->look_up(m->ctx->engine, url, ret);
}

static enum step walk(struct model *m, struct spider *s, struct percept *p)
{
    uint32_t agent = s->id;

    spiders_of(m)->walks++;
    spider_arrive(m, s, p);
    return agent_is_alive(m->ctx->population, agent) ? STEP_WALKED : STEP_DIED;
}

/* Chooses on the page where it is, once more: free links may be taken by now, and vice versa. */
static bool choose_again(struct model *m, struct spider *s)
{
    const struct spiders_options *o = options_of(m);
    struct spiders *st = spiders_of(m);
    uint32_t here = agent_of(m->ctx->population, s->id)->at;
    struct percept p;

    s->blocked = 0;
    if (here == 0 || !look_up(m, here, &p))
        return false;
    survey_make(&st->survey, &p, s->words, s->net.inputs, (unsigned)o->rho);
    survey_estimate(&st->survey, &s->net);
    spider_choose(m, s);
    return s->to != 0;
}

/* Goes to the nearest page of its path that still exists. */
static enum step turn_back(struct model *m, struct spider *s)
{
    uint32_t dead_end = agent_of(m->ctx->population, s->id)->at, url;
    struct percept p;

    while ((url = agent_returned(m->ctx->population, s->id)) != 0)
        if (look_up(m, url, &p)) {
            s->avoid = dead_end;
            s->by_link = false;
            return walk(m, s, &p);
        }
    spider_die(m, s, dead_end ? "dead end" : "no start");
    return STEP_DIED;
}

/* ---- a step ---------------------------------------------------------------------- */

static enum step go_to(struct model *m, struct spider *s, uint32_t url)
{
    struct percept p;

    if (!look_up(m, url, &p)) {
        spiders_set_place(spiders_of(m), s->to, PLACE_GONE);
        s->to = 0;
        return STEP_WALKED; /* it has tried */
    }
    agent_moved(m->ctx->population, s->id, url);
    s->avoid = 0;
    return walk(m, s, &p);
}

/* Its aim is taken. Other links may be free; a founder has nowhere else to go. */
static bool may_choose_another(const struct model *m, const struct spider *s)
{
    if (options_of(m)->variant == VARIANT_FRONTIER)
        return s->bag.count > 0;
    return agent_of(m->ctx->population, s->id)->at != 0;
}

/* Returns false if there is nothing to choose; *ret then says what happened. */
static bool find_aim(struct model *m, struct spider *s, enum step *ret)
{
    struct spiders *st = spiders_of(m);

    *ret = STEP_BLOCKED;
    if (s->blocked && s->blocked == st->answers)
        return false; /* nothing has changed since */
    if (options_of(m)->variant == VARIANT_FRONTIER) {
        if (spider_draw_kept(m, s))
            return true;
        spider_die(m, s, agent_of(m->ctx->population, s->id)->at ? "dead end" : "no start");
        *ret = STEP_DIED;
        return false;
    }
    if (choose_again(m, s))
        return true;
    if (!s->blocked)
        *ret = turn_back(m, s);
    return false;
}

enum step spider_step(struct model *m, struct spider *s)
{
    struct spiders *st = spiders_of(m);
    enum step step;

    if (s->under_way)
        return STEP_BLOCKED;
    for (;;) {
        uint32_t place;

        if (s->to == 0 && !find_aim(m, s, &step))
            return step;
        place = url_index_get(&st->places, s->to);
        if (place_is_free(place))
            return STEP_CHOSEN;
        if (place != PLACE_OPEN && place != PLACE_GONE)
            return go_to(m, s, place);
        if (place == PLACE_OPEN && !may_choose_another(m, s))
            return STEP_BLOCKED;
        s->to = 0;
    }
}
