/* crew.c - crawlers with assistants, which share work by a contract net.
 *
 * In: a page that a crawler fetched. Out: the best link in the queue of the desk whose turn it is.
 *
 *     facilitator --- knows which agent has crawled what, and all abilities
 *      |       |
 *     assistant  assistant --- keeps a queue of links, judges them, negotiates
 *      |          |
 *     crawler    crawler --- fetches, and nothing else
 *
 * Every T all assistants judge their ability; an assistant with at least W
 * calls for proposals, and the least able one that wants them gets links.
 * Before each visit the facilitator is asked whether an agent was there
 * before. All of this is done by messages.
 *
 * organisation=xiangdan and wyy: no assistants; the crawler judges and negotiates
 * itself, and fetches nothing meanwhile.
 *
 * Source: Du, Xu, Wang: A novel cooperation and competition strategy among multi-agent
 * crawlers (2016). Where it is wrong or silent: docs/models/crew.md.
 * SPDX-License-Identifier: MIT */
#include "agent/model.h"
#include "models/crew/crew_int.h"

#include "models/crew/ability.h"

#include <stdlib.h>

struct desk *crew_desk_of(const struct model *m, uint32_t agent)
{
    struct crew *st = crew_of(m);
    uint32_t place = url_index_get(&st->of_agent, agent);

    return place ? &st->desks[place - 1] : NULL;
}

/* ---- start ----------------------------------------------------------------------- */

static void desk_init(const struct crew_options *o, struct desk *d)
{
    link_queue_init(&d->queue, NULL, (size_t)o->buffer, (enum parents)o->parents);
    d->read = context_new((size_t)o->window, (size_t)o->per_page);
}

struct crew *crew_begin(struct model *m)
{
    const struct crew_options *o = crew_options_of(m);
    struct crew *st = crew_of(m);

    if (st->ready)
        return st;
    st->ready = true;
    st->ngroups = (uint32_t)o->groups;
    st->ndesks = (uint32_t)(o->groups * o->crawlers);
    st->groups = mem_zero(st->ngroups, sizeof *st->groups);
    st->desks = mem_zero(st->ndesks, sizeof *st->desks);
    for (uint32_t i = 0; i < st->ngroups; i++)
        st->groups[i].read = context_new((size_t)o->window, (size_t)o->per_page);
    for (uint32_t i = 0; i < st->ndesks; i++) {
        desk_init(o, &st->desks[i]);
        st->desks[i].group = i % st->ngroups;
    }
    crew_words(m);
    return st;
}

static void desk_found(struct model *m, struct desk *d)
{
    struct crew *st = crew_of(m);
    uint32_t place = (uint32_t)(d - st->desks) + 1, boss = st->groups[d->group].facilitator;

    d->assistant = boss;
    if (has_assistants(m))
        d->assistant = agent_born(m->ctx->population, m->ctx->now, boss, "assistant", 0, 0);
    d->crawler = agent_born(m->ctx->population, m->ctx->now, d->assistant, "crawler", 0, 0);
    if (!has_assistants(m))
        d->assistant = d->crawler;
    url_index_set(&st->of_agent, d->assistant, place);
    url_index_set(&st->of_agent, d->crawler, place);
    desk_begin(m, d);
}

static void crew_found(struct model *m)
{
    struct crew *st = crew_of(m);

    st->began_at = m->ctx->now;
    st->round_at = m->ctx->now + crew_options_of(m)->interval;
    for (uint32_t i = 0; i < st->ngroups; i++)
        st->groups[i].facilitator =
            agent_born(m->ctx->population, m->ctx->now, 0, "facilitator", 0, 0);
    for (uint32_t i = 0; i < st->ndesks; i++)
        desk_found(m, &st->desks[i]);
}

/* Returns the next living desk in turn; NULL if none lives. */
static struct desk *next_in_turn(struct crew *st)
{
    for (uint32_t n = st->ndesks; n > 0; n--) {
        struct desk *d = &st->desks[st->dealt++ % st->ndesks];

        if (!d->gone && !d->stopped)
            return d;
    }
    return NULL;
}

static void deal_out(struct model *m, uint32_t url, double score)
{
    struct desk *d = next_in_turn(crew_of(m));

    if (d)
        link_assign(m, d, url, score, true);
}

static void crew_start(struct model *m, const uint32_t *urls, size_t count)
{
    struct crew *st = crew_begin(m);

    if (st->groups[0].facilitator == 0)
        crew_found(m);
    for (size_t i = 0; i < count; i++)
        deal_out(m, urls[i], 1);
}

/* ---- whose turn ------------------------------------------------------------------ */

static void give_out(struct model *m, struct desk *d, uint32_t url, double score,
                     struct choice *ret)
{
    struct crew *st = crew_of(m);

    /* Visits to a host wait in the order of their scores. Those of a crew have none, so that they wait
     * in the order in which they were chosen: a crawler whose links are worse than another's would
     * wait for ever, and never come to the links of a contract. Without the check the score comes
     * back with a visit that was not made (crew_failed()). */
    *ret = (struct choice){
        .url = url, .agent = d->crawler, .score = crew_options_of(m)->check ? 0 : (float)score};
    if (!url_set_add(&st->visited, url)) {
        ret->refresh = true;
        d->overlap++;
    }
    d->open++;
    link_ended(m, url);
    deal_crawled(m, d, url);
}

static bool desk_next(struct model *m, struct desk *d, struct choice *ret)
{
    struct listed_link l = {0};

    if (!desk_is_free(m, d))
        return false;
    if (d->ready.count > 0) {
        l = d->ready.items[0];
        link_list_remove(&d->ready, 0);
    } else if (desk_room(m, d) == 0) {
        return false;
    } else if (crew_options_of(m)->check) {
        if (d->asked.count == 0)
            desk_ask(m, d, desk_room(m, d));
        return false;
    } else if (!link_queue_take(&d->queue, 0, &l.url, &l.score)) {
        return false;
    }
    give_out(m, d, l.url, l.score, ret);
    return true;
}

static bool crew_next(struct model *m, uint32_t host, struct choice *ret)
{
    struct crew *st = crew_begin(m);

    (void)host;
    st->live = 0;
    for (uint32_t i = 0; i < st->ndesks; i++)
        st->live += !st->desks[i].gone;
    for (uint32_t n = 0; n < st->ndesks; n++) {
        st->turn = (st->turn + 1) % st->ndesks;
        if (desk_next(m, &st->desks[st->turn], ret))
            return true;
    }
    return false;
}

/* ---- answers --------------------------------------------------------------------- */

/* Finds the crawlers that have not had any link yet. */
static size_t hungry(struct model *m, const struct desk *but, struct desk **ret)
{
    struct crew *st = crew_of(m);
    size_t n = 0;

    for (uint32_t i = 0; i < st->ndesks && crew_options_of(m)->deal; i++)
        if (!st->desks[i].fed && !st->desks[i].gone && !st->desks[i].stopped &&
            &st->desks[i] != but)
            ret[n++] = &st->desks[i];
    return n;
}

static bool is_of_use(const struct model *m, const struct link_mark *mark)
{
    if (mark->drop != DROP_NONE || mark->url == 0)
        return false;
    return !mark->taken || !crew_options_of(m)->check;
}

/* Puts the links of a page into the queue of the desk, but gives some of them to desks that have
 * none yet; all of them, if the page belongs to no agent. */
static void take_links(struct model *m, struct desk *d, struct percept *p, double sim)
{
    struct crew *st = crew_of(m);
    struct desk **others = mem_zero(st->ndesks, sizeof *others);
    size_t nothers = hungry(m, d, others), turn = 0;

    if (d)
        link_queue_page(&d->queue);
    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        struct link_mark *mark = &p->marks[i];
        double score;

        if (!is_of_use(m, mark))
            continue;
        score = link_rounded(link_score(crew_anchor(m, p, &p->body->links[i]), sim));
        mark->score = (float)score;
        if (d == NULL)
            deal_out(m, mark->url, score);
        else if (turn++ % (nothers + 1) == 0 || !mark->is_new)
            link_found(m, d, mark->url, score);
        else
            link_assign(m, others[(turn - 1) % (nothers + 1) - 1], mark->url, score, true);
    }
    free(others);
}

static struct desk *answered(struct model *m, const struct choice *c)
{
    struct desk *d = c->url && c->agent ? crew_desk_of(m, c->agent) : NULL;

    if (d && d->open > 0)
        d->open--;
    return d && !d->gone ? d : NULL;
}

static void crew_perceive(struct model *m, struct percept *p)
{
    struct crew *st = crew_begin(m);
    struct desk *d = answered(m, &p->choice);
    double sim = crew_sim(m, p);

    take_links(m, d, p, sim);
    if (d == NULL || p->page == 0)
        return;
    d->pages++;
    d->fresh++;
    context_add(d->read, p->page, p->profile, m->ctx->table);
    if (sim >= crew_options_of(m)->on_topic)
        context_add(st->groups[d->group].read, p->page, p->profile, m->ctx->table);
    crew_takes_words(m, p);
    crew_changed(m, d);
    agent_visited(m->ctx->population, m->ctx->now, d->crawler, p->page, p->first, 0);
    crew_verify(m);
}

/* check=no: another agent is fetching the page at this moment; later this one may
 * fetch it again. */
static void crew_failed(struct model *m, const struct choice *c, enum drop why)
{
    struct desk *d = answered(m, c);

    if (d == NULL || why != DROP_SEEN || !c->refresh)
        return;
    d->overlap--;
    if (d->stopped || !url_set_add(&d->again, c->url))
        return;
    link_assign(m, d, c->url, (double)c->score, true);
    d->announced_by = m->ctx->now + crew_options_of(m)->deadline;
}

/* ---- messages and time ----------------------------------------------------------- */

static struct crew_group *group_led_by(struct crew *st, uint32_t agent)
{
    for (uint32_t i = 0; i < st->ngroups; i++)
        if (st->groups[i].facilitator == agent)
            return &st->groups[i];
    return NULL;
}

static void crew_receive(struct model *m, const struct message *msg)
{
    struct crew *st = crew_begin(m);
    struct crew_group *g = group_led_by(st, msg->receiver);
    struct desk *d = crew_desk_of(m, msg->receiver);

    if (msg->sender == 0 || (g == NULL && (d == NULL || d->gone)))
        return; /* there is nobody to answer, or the agent is dead */
    if (g ? !group_hears(m, g, msg) : !desk_hears(m, d, msg))
        deal_hears(m, msg);
    crew_verify(m);
}

/* Returns the desk that gets the links of a dead one: the one with the fewest links
 * of its group, or of all. */
static struct desk *heir_of(struct crew *st, const struct desk *dead)
{
    struct desk *best = NULL;

    for (int same = 1; same >= 0 && best == NULL; same--)
        for (uint32_t i = 0; i < st->ndesks; i++) {
            struct desk *d = &st->desks[i];

            if (d->gone || d->stopped || (same && d->group != dead->group))
                continue;
            if (best == NULL || d->queue.count < best->queue.count)
                best = d;
        }
    return best;
}

/* Links granted to the dead desk become available again; the heir does not get links
 * that another desk may crawl. */
static void inherit(struct model *m, uint32_t dead, struct desk *heir, struct link_list *from)
{
    struct url_index *granted = &crew_of(m)->granted;

    for (size_t i = 0; i < from->count; i++) {
        uint32_t url = from->items[i].url, holder = url_index_get(granted, url);

        if (holder == dead + 1)
            url_index_set(granted, url, 0);
        if (heir && (holder == 0 || holder == dead + 1))
            link_assign(m, heir, url, from->items[i].score, false);
        else
            link_ended(m, url);
    }
    link_list_clear(from);
}

void crew_lose(struct model *m, uint32_t desk, const char *cause)
{
    struct crew *st = crew_of(m);
    struct desk *d = &st->desks[desk];
    struct link_list queue = {0};
    struct desk *heir;
    uint32_t url;
    double score;

    if (d->gone)
        return;
    deal_died(m, desk);
    d->gone = true;
    heir = heir_of(st, d);
    while (link_queue_take(&d->queue, 0, &url, &score))
        link_list_add(&queue, url, score);
    inherit(m, desk, heir, &queue);
    inherit(m, desk, heir, &d->inbox);
    inherit(m, desk, heir, &d->asked);
    inherit(m, desk, heir, &d->ready);
    agent_died(m->ctx->population, m->ctx->now, d->crawler, cause);
    if (d->assistant != d->crawler)
        agent_died(m->ctx->population, m->ctx->now, d->assistant, cause);
    crew_verify(m);
}

/* After the time T all desks judge themselves, which takes a while. */
static void round_begin(struct model *m)
{
    const struct crew_options *o = crew_options_of(m);
    struct crew *st = crew_of(m);

    while (st->round_at <= m->ctx->now)
        st->round_at += o->interval;
    st->round++;
    for (uint32_t i = 0; i < st->ndesks; i++) {
        struct desk *d = &st->desks[i];

        if (d->gone || d->stopped || !d->registered || d->judge_at)
            continue; /* or it still considers the last round */
        d->judge_at = m->ctx->now + o->think * d->fresh;
        if (!has_assistants(m) && d->busy_until < d->judge_at)
            d->busy_until = d->judge_at;
    }
}

static int64_t earlier(int64_t a, int64_t b)
{
    return b != 0 && (a == 0 || b < a) ? b : a;
}

static int64_t desk_wake(const struct desk *d, int64_t now, int64_t first)
{
    if (d->gone)
        return first;
    first = earlier(first, d->judge_at);
    if (!d->registered)
        first = earlier(first, d->register_by);
    if (d->asked.count > 0)
        first = earlier(first, d->asked_by);
    if (d->inbox.count > 0)
        first = earlier(first, d->announced_by);
    if (d->busy_until > now)
        first = earlier(first, d->busy_until);
    return first;
}

/* Returns when there is something to do even if no page comes. A crew without links
 * has finished. */
static int64_t crew_wake(const struct model *m)
{
    const struct crew *st = crew_of(m);
    int64_t survival = crew_options_of(m)->survival, first = deals_wake(m, 0);
    uint64_t work = crew_links(m);

    for (uint32_t i = 0; i < st->ndesks; i++)
        work += st->desks[i].open;
    if (work == 0)
        return first;
    for (uint32_t i = 0; i < st->ndesks; i++)
        first = desk_wake(&st->desks[i], m->ctx->now, first);
    first = earlier(first, st->round_at);
    for (uint32_t i = 0; i < st->ngroups && survival > 0; i++)
        first =
            earlier(first, st->groups[i].stop_by ? st->groups[i].stop_by : st->began_at + survival);
    return first;
}

static void crew_tick(struct model *m)
{
    struct crew *st = crew_begin(m);

    if (st->groups[0].facilitator == 0)
        return;
    if (m->ctx->now >= st->round_at)
        round_begin(m);
    for (uint32_t i = 0; i < st->ngroups; i++)
        group_tick(m, &st->groups[i]);
    for (uint32_t i = 0; i < st->ndesks; i++)
        desk_tick(m, &st->desks[i]);
    deals_tick(m);
    m->ctx->wake = crew_wake(m);
    crew_verify(m);
}

/* ---- the end ------------------------------------------------------------------------ */

static void crew_finish(struct model *m)
{
    struct crew *st = crew_of(m);

    for (uint32_t i = 0; i < st->ngroups; i++)
        context_free(st->groups[i].read);
    for (uint32_t i = 0; i < st->ndesks; i++) {
        struct desk *d = &st->desks[i];

        link_queue_clear(&d->queue);
        link_list_clear(&d->inbox);
        link_list_clear(&d->asked);
        link_list_clear(&d->ready);
        url_set_clear(&d->own);
        url_set_clear(&d->again);
        context_free(d->read);
    }
    for (size_t i = 0; i < st->ndeals; i++)
        deal_free(st->deals[i]);
    free(st->groups);
    free(st->desks);
    free(st->deals);
    url_index_clear(&st->of_agent);
    url_index_clear(&st->granted);
    url_index_clear(&st->copies);
    url_set_clear(&st->visited);
    crew_words_free(st);
}

static bool crew_repeats(const void *options)
{
    return !((const struct crew_options *)options)->check;
}

const struct model_ops model_crew = {
    .name = "crew",
    .summary = "crawlers with assistants, who share work by a contract net",
    .advice = "For study: crawlers that divide a topic's links among themselves by contracts.",
    .common = "crawlers groups interval threshold wordnet",
    .source = "Du, Xu, Wang: A Novel Cooperation and Competition Strategy Among Multi-Agent "
              "Crawlers (2016)",
    .options = crew_option_table,
    .options_size = sizeof(struct crew_options),
    .state_size = sizeof(struct crew),
    .check = crew_check,
    .start = crew_start,
    .next = crew_next,
    .perceive = crew_perceive,
    .failed = crew_failed,
    .save = crew_save,
    .load = crew_load,
    .describe = crew_describe,
    .finish = crew_finish,
    .talks = &(const struct model_talks){.receive = crew_receive, .tick = crew_tick},
    .returns = &(const struct model_returns){.repeats = crew_repeats},
    .tells = &(const struct model_tells){.tell = crew_tell},
};
