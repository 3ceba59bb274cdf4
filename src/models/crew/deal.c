/* deal.c - contracts: steps by the rules of models/crew/contract.h, and time.
 *
 * A deal is one conversation with the states of all its parties; each state is changed
 * only by messages to its own party, by its decisions, and by its timeouts.
 * SPDX-License-Identifier: MIT */
#include "models/crew/crew_int.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* How long a party waits in a state: a number of deadlines, plus the time of work. */
static const struct {
    uint8_t deadlines;
    bool work; /* plus T */
} patience[ROLE_COUNT][CONTRACT_FINAL] = {
    [ROLE_MANAGER] =
        {
            [CONTRACT_CFP_SENT] = {5, false},
            [CONTRACT_TRANSFER] = {1, false},
            [CONTRACT_RUNNING] = {3, true},
        },
    [ROLE_FACILITATOR] =
        {
            [CONTRACT_NONE] = {1, false},
            [CONTRACT_CALLED] = {2, false},
            [CONTRACT_COLLECT] = {1, false},
            [CONTRACT_RELAY] = {1, false},
            [CONTRACT_RUNNING] = {2, true},
        },
    [ROLE_CONTRACTOR] =
        {
            [CONTRACT_NONE] = {1, false},
            [CONTRACT_CFP_RECEIVED] = {1, false},
            [CONTRACT_BID] = {2, false},
            [CONTRACT_AWARDED] = {2, false},
            [CONTRACT_RUNNING] = {0, true},
        },
};

/* ---- a step ---------------------------------------------------------------------- */

static struct party *party_of(const struct scene *s, enum contract_role role)
{
    return role == ROLE_MANAGER       ? &s->deal->at_manager
           : role == ROLE_FACILITATOR ? &s->deal->at_facilitator
                                      : &s->bidder->party;
}

static void step(struct scene *s, enum contract_role role, enum contract_event event)
{
    const struct crew_options *o = crew_options_of(s->m);
    struct party *p = party_of(s, role);
    const struct contract_rule *r = contract_find(role, p->state, event);
    enum contract_state next;
    bool was_final;

    if (r == NULL)
        return;
    was_final = contract_is_final(p->state);
    next = scene_act(s, r->action) ? r->next : r->otherwise;
    p = party_of(s, role); /* bidders may have been moved */
    if (!contract_is_final(next) && next != p->state)
        p->deadline = s->m->ctx->now + patience[role][next].deadlines * o->deadline +
                      (patience[role][next].work ? o->interval : 0);
    p->state = next;
    if (role == ROLE_MANAGER && contract_is_final(next) && !was_final)
        crew_of(s->m)->ended[next]++;
}

static struct deal *deal_find(const struct model *m, uint32_t conversation)
{
    const struct crew *st = crew_of(m);

    for (size_t i = 0; i < st->ndeals; i++)
        if (st->deals[i]->conversation == conversation)
            return st->deals[i];
    return NULL;
}

static const struct crew_group *group_led_by(const struct crew *st, uint32_t agent)
{
    for (uint32_t i = 0; i < st->ngroups; i++)
        if (st->groups[i].facilitator == agent)
            return &st->groups[i];
    return NULL;
}

/* The conversation is over: each party answers as if it remembered that. */
static void hears_late(struct model *m, const struct message *msg, enum contract_event event)
{
    struct crew *st = crew_of(m);
    const struct crew_group *g = group_led_by(st, msg->receiver);
    struct desk *d = crew_desk_of(m, g ? msg->sender : msg->receiver);
    struct deal over = {.conversation = msg->conversation};
    struct scene s = {.m = m, .deal = &over, .msg = msg};
    struct bidder bidder = {.party = {.state = CONTRACT_EXPIRED}};

    if (d == NULL)
        return;
    over.group = d->group;
    over.held = HELD_RETURNED;
    over.manager = bidder.desk = (uint32_t)(d - st->desks);
    over.at_manager.state = CONTRACT_TIMED_OUT;
    over.at_facilitator.state = CONTRACT_CLOSED;
    s.bidder = g ? NULL : &bidder;
    step(&s, g ? ROLE_FACILITATOR : ROLE_CONTRACTOR, event);
}

void deal_hears(struct model *m, const struct message *msg)
{
    enum contract_event event = contract_event_of(msg->performative, msg->content);
    struct scene s = {.m = m, .deal = deal_find(m, msg->conversation), .msg = msg};
    struct crew *st = crew_of(m);

    if (event == CONTRACT_EVENTS)
        return;
    if (s.deal == NULL) {
        hears_late(m, msg, event);
        return;
    }
    if (msg->receiver == scene_facilitator(&s)) {
        step(&s, ROLE_FACILITATOR, event);
    } else if (msg->receiver == st->desks[s.deal->manager].assistant) {
        step(&s, ROLE_MANAGER, event);
    } else {
        s.bidder = scene_bidder(&s, msg->receiver);
        if (s.bidder)
            step(&s, ROLE_CONTRACTOR, event);
    }
}

/* ---- who is in a contract -------------------------------------------------------- */

/* Returns the desk's state in a deal; CONTRACT_NONE if it is not in it, or has not heard of it. */
static enum contract_state state_in(const struct deal *d, uint32_t desk)
{
    if (d->manager == desk)
        return d->at_manager.state;
    for (size_t j = 0; j < d->nbidders; j++)
        if (d->bidders[j].desk == desk)
            return d->bidders[j].party.state;
    return CONTRACT_NONE;
}

static bool engages(const struct deal *d, uint32_t desk, bool talking)
{
    enum contract_state s = state_in(d, desk);

    return s != CONTRACT_NONE && !contract_is_final(s) && !(talking && s == CONTRACT_RUNNING);
}

bool deal_engages(const struct model *m, uint32_t desk, bool talking)
{
    const struct crew *st = crew_of(m);

    for (size_t i = 0; i < st->ndeals; i++)
        if (engages(st->deals[i], desk, talking))
            return true;
    return false;
}

static bool is_engaged_elsewhere(const struct scene *s)
{
    const struct crew *st = scene_crew(s);

    for (size_t i = 0; i < st->ndeals; i++)
        if (st->deals[i] != s->deal && engages(st->deals[i], s->bidder->desk, false))
            return true;
    return false;
}

/* ---- calls ----------------------------------------------------------------------- */

static bool has_offer(const struct desk *d)
{
    return d->queue.count > 0 && link_rounded(-link_queue_nth(&d->queue, 0).key) > 0;
}

/* Puts the n best links aside, or, with offer=alternate, every other one of the best 2 n.
 * Links with a score of 0 stay: no desk's best link has a lower score, so one such link would
 * keep all others from bidding. */
static void put_aside(struct model *m, struct desk *d, struct deal *deal, size_t n)
{
    bool alternate = crew_options_of(m)->offer == OFFER_ALTERNATE;
    struct link_list back = {0};
    uint32_t url;
    double score;

    while (deal->links.count < n && has_offer(d) && link_queue_take(&d->queue, 0, &url, &score)) {
        if (alternate && back.count <= deal->links.count && has_offer(d))
            link_list_add(&back, url, score);
        else
            link_list_add(&deal->links, url, link_rounded(score));
    }
    for (size_t i = 0; i < back.count; i++)
        link_enter(m, d, back.items[i].url, back.items[i].score);
    link_list_clear(&back);
}

void deal_call(struct model *m, struct desk *d)
{
    const struct crew_options *o = crew_options_of(m);
    struct crew *st = crew_of(m);
    size_t n = (size_t)ceil(o->share * (double)d->queue.count);
    struct deal *deal;
    struct scene s;

    if (n > (size_t)o->links)
        n = (size_t)o->links;
    if (n == 0 || d->queue.count < 2 || !has_offer(d))
        return;
    deal = MEM_NEW(struct deal);
    deal->conversation = ++st->conversation;
    deal->round = st->round;
    deal->group = d->group;
    deal->manager = (uint32_t)(d - st->desks);
    deal->called_at = m->ctx->now;
    deal->ability = d->ability;
    put_aside(m, d, deal, n);
    deal->offered = (uint32_t)deal->links.count;
    deal->at_facilitator.deadline = m->ctx->now + o->deadline;
    st->offered += deal->offered;
    MEM_GROW(st->deals, st->ndeals, &st->deals_cap);
    st->deals[st->ndeals++] = deal;
    s = (struct scene){.m = m, .deal = deal};
    step(&s, ROLE_MANAGER, SELF_CALL);
}

/* Have all desks of the group reported their ability in this round? */
static bool all_have_told(const struct crew *st, uint32_t group)
{
    for (uint32_t i = 0; i < st->ndesks; i++) {
        const struct desk *d = &st->desks[i];

        if (d->group == group && !d->gone && !d->stopped && d->registered &&
            d->told_round != st->round)
            return false;
    }
    return true;
}

/* Returns the waiting call of the ablest desk of this group. */
static struct deal *best_call(const struct crew *st, uint32_t group)
{
    struct deal *best = NULL;

    for (size_t i = 0; i < st->ndeals; i++) {
        struct deal *d = st->deals[i];

        if (d->group == group && d->at_facilitator.state == CONTRACT_CALLED &&
            (best == NULL || d->ability > best->ability))
            best = d;
    }
    return best;
}

static bool all_answered(const struct deal *d)
{
    for (size_t i = 0; i < d->nbidders; i++)
        if (!d->bidders[i].answered)
            return false;
    return true;
}

static void collect(struct scene *s)
{
    if (s->deal->at_facilitator.state == CONTRACT_COLLECT && all_answered(s->deal))
        step(s, ROLE_FACILITATOR, SELF_COLLECTED);
}

/* Serves the call of the ablest desk first; once one was served in a round, `managers`
 * decides whether more are. */
static void serve(struct model *m, uint32_t group)
{
    const struct crew_options *o = crew_options_of(m);
    struct crew *st = crew_of(m);
    struct deal *d = best_call(st, group);
    struct scene s = {.m = m, .deal = d};

    if (d == NULL || (!all_have_told(st, group) && m->ctx->now - d->called_at < o->deadline))
        return;
    if (o->managers == MANAGERS_ONE && st->groups[group].served_round == st->round)
        step(&s, ROLE_FACILITATOR, SELF_DECLINE);
    else
        step(&s, ROLE_FACILITATOR, SELF_SERVE);
    collect(&s); /* award=min_ability: agents do not bid */
    serve(m, group);
}

/* ---- time ------------------------------------------------------------------------ */

static bool wants(const struct scene *s)
{
    const struct desk *d = scene_desk(s, s->bidder);
    double least = s->bidder->least;

    if (is_engaged_elsewhere(s) || d->stopped)
        return false;
    if (d->queue.count == 0)
        return true;
    return crew_options_of(s->m)->bid == BID_AT_MOST ? -link_queue_nth(&d->queue, 0).key <= least
                                                     : -link_queue_nth(&d->queue, 0).key < least;
}

static void bidder_tick(struct scene *s)
{
    struct party *p = &s->bidder->party;
    const struct desk *d = scene_desk(s, s->bidder);
    bool late = s->m->ctx->now >= p->deadline;

    if (contract_is_final(p->state))
        return;
    if (p->state == CONTRACT_CFP_RECEIVED && s->m->ctx->now >= d->busy_until)
        step(s, ROLE_CONTRACTOR, wants(s) ? SELF_BID : SELF_PASS);
    else if (p->state == CONTRACT_RUNNING && s->deal->left.count == 0)
        step(s, ROLE_CONTRACTOR, SELF_FINISHED);
    else if (late)
        step(s, ROLE_CONTRACTOR, SELF_TIMEOUT);
}

static void deal_tick(struct scene *s)
{
    int64_t now = s->m->ctx->now;
    struct deal *d = s->deal;

    for (size_t i = 0; i < d->nbidders; i++) {
        s->bidder = &d->bidders[i];
        bidder_tick(s);
    }
    s->bidder = NULL;
    collect(s);
    if (!contract_is_final(d->at_facilitator.state) && now >= d->at_facilitator.deadline)
        step(s, ROLE_FACILITATOR, SELF_TIMEOUT);
    if (!contract_is_final(d->at_manager.state) && now >= d->at_manager.deadline)
        step(s, ROLE_MANAGER, SELF_TIMEOUT);
}

static bool is_over(const struct deal *d)
{
    for (size_t i = 0; i < d->nbidders; i++)
        if (!contract_is_final(d->bidders[i].party.state))
            return false;
    return contract_is_final(d->at_manager.state) && contract_is_final(d->at_facilitator.state);
}

void deal_free(struct deal *d)
{
    link_list_clear(&d->links);
    link_list_clear(&d->left);
    free(d->bidders);
    free(d);
}

void deals_tick(struct model *m)
{
    struct crew *st = crew_of(m);
    size_t kept = 0;

    for (size_t i = 0; i < st->ndeals; i++) {
        struct scene s = {.m = m, .deal = st->deals[i]};

        deal_tick(&s);
    }
    for (uint32_t g = 0; g < st->ngroups; g++)
        serve(m, g);
    for (size_t i = 0; i < st->ndeals; i++) {
        if (!is_over(st->deals[i])) {
            st->deals[kept++] = st->deals[i];
            continue;
        }
        assert(st->deals[i]->links.count == 0);
        deal_free(st->deals[i]);
    }
    st->ndeals = kept;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a == 0 || b < a ? b : a;
}

int64_t deals_wake(const struct model *m, int64_t first)
{
    const struct crew *st = crew_of(m);

    for (size_t i = 0; i < st->ndeals; i++) {
        const struct deal *d = st->deals[i];

        if (!contract_is_final(d->at_manager.state))
            first = earlier(first, d->at_manager.deadline);
        if (!contract_is_final(d->at_facilitator.state))
            first = earlier(first, d->at_facilitator.deadline);
        for (size_t j = 0; j < d->nbidders; j++)
            if (!contract_is_final(d->bidders[j].party.state))
                first = earlier(first, d->bidders[j].party.deadline);
    }
    return first;
}

/* ---- events outside a contract --------------------------------------------------- */

/* This desk has crawled a link. If it got the link by a contract, that has one link less to do. */
void deal_crawled(struct model *m, const struct desk *d, uint32_t url)
{
    const struct crew *st = crew_of(m);
    uint32_t desk = (uint32_t)(d - st->desks);

    for (size_t i = 0; i < st->ndeals; i++) {
        struct deal *deal = st->deals[i];
        size_t at;

        if (deal->contractor != desk + 1 || deal->held != HELD_TAKEN)
            continue;
        at = link_list_find(&deal->left, url);
        if (at != SIZE_MAX)
            link_list_remove(&deal->left, at);
    }
}

void deal_died(struct model *m, uint32_t desk)
{
    const struct crew *st = crew_of(m);

    for (size_t i = 0; i < st->ndeals; i++) {
        struct scene s = {.m = m, .deal = st->deals[i]};

        if (s.deal->manager == desk)
            step(&s, ROLE_MANAGER, SELF_DIED);
        for (size_t j = 0; j < s.deal->nbidders; j++) {
            s.bidder = &s.deal->bidders[j];
            if (s.bidder->desk == desk)
                step(&s, ROLE_CONTRACTOR, SELF_DIED);
        }
    }
}
